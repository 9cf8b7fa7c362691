"""The name of a file that is exported, as it was written into a dialog, with the right ending."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QMessageBox, QWidget

_ALSO = {
    ".ansi": (".txt", ".ans"),
    ".csv": (".txt",),
    ".html": (".htm",),
    ".md": (".markdown", ".txt"),
}
"""Other endings that say well enough what is in a file."""


def with_ending(path: Path, ending: str) -> Path:
    """The path itself, or with the ending behind it where its name does not say what it is.

    >>> with_ending(Path("chart.v2"), ".png").name, with_ending(Path("a.PNG"), ".png").name
    ('chart.v2.png', 'a.PNG')
    """
    if path.suffix.lower() in (ending, *_ALSO.get(ending, ())):
        return path
    return path.with_name(path.name + ending)


def final_name(parent: QWidget, path: Path, ending: str) -> Path | None:
    """The path with its ending; None if the user does not want to replace what is there.

    The dialog has asked only about the name that was written into it.
    """
    final = with_ending(path, ending)
    if final == path or not final.exists():
        return final
    buttons = QMessageBox.StandardButton
    question = f"{final.name} is there already. Replace?"
    answer = QMessageBox.question(parent, "Export", question, buttons.Yes | buttons.No)
    return final if answer == buttons.Yes else None
