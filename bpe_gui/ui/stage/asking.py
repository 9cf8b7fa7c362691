"""What asks something in a window of its own: nothing for a stage, where nothing pops up."""

from __future__ import annotations


def asks_in_a_window(text: str) -> bool:
    """Whether what is called so opens a dialog: its name ends with an ellipsis then, everywhere.

    >>> asks_in_a_window("Export…"), asks_in_a_window("Copy")
    (True, False)
    """
    return text.endswith("…")
