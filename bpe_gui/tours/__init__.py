"""Guided tours as plain text: what they may say, how they are read and written. No Qt."""

ENDING = ".tour"
"""What the name of a tour's file ends with."""
