"""Guided tours as plain text: what they may say, and how they are read. No Qt."""

from pathlib import Path

ENDING = ".tour"
"""What the name of a tour's file ends with."""


def is_tour(path: str | Path) -> bool:
    """Tell whether a file is meant as a tour, by its name."""
    return Path(path).suffix.lower() == ENDING
