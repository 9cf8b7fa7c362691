"""Guided tours as plain text: what they may say, and how they are read. No Qt."""

ENDING = ".tour"
"""What the name of a tour's file ends with."""
