"""Curves over the merges of a run."""
