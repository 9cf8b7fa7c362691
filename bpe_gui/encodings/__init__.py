"""Encodings that can stand beside each other: the trained one, and foreign file formats."""
