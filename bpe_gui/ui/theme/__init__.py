"""Colours, sizes of text and motion."""
