"""Ask for the name of a file to be written."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QDialog, QFileDialog, QMessageBox, QWidget

_ALSO = {
    ".ansi": (".txt", ".ans"),
    ".csv": (".txt",),
    ".html": (".htm",),
    ".md": (".markdown", ".txt"),
}
"""Other endings that fit the format."""


def with_ending(path: Path, ending: str) -> Path:
    """Return a path, and append the ending if its own does not fit the format.

    >>> with_ending(Path("chart.v2"), ".png").name, with_ending(Path("a.PNG"), ".png").name
    ('chart.v2.png', 'a.PNG')
    """
    if path.suffix.lower() in (ending, *_ALSO.get(ending, ())):
        return path
    return path.with_name(path.name + ending)


def ask_where(
    parent: QWidget, title: str, name: str, what: str, stem: str, ending: str, folder: str = ""
) -> Path | None:
    """Ask for a file name in a dialog with a title and an object name; None if cancelled.

    `what` is the format for people; `stem` and `ending` make the name that is proposed.
    """
    dialog = QFileDialog(parent, title, folder, acceptMode=QFileDialog.AcceptMode.AcceptSave)
    dialog.setObjectName(name)
    dialog.setNameFilter(f"{what} (*{ending})")
    dialog.setDefaultSuffix(ending.removeprefix("."))
    dialog.selectFile(f"{stem}{ending}")
    accepted = dialog.exec() == QDialog.DialogCode.Accepted
    named = dialog.selectedFiles()
    dialog.deleteLater()
    if not accepted or not named:
        return None
    path = Path(named[0])
    final = with_ending(path, ending)
    # The dialog has asked about replacing only the name that was typed.
    if final == path or not final.exists():
        return final
    buttons = QMessageBox.StandardButton
    question = f"{final.name} is there already. Replace?"
    answer = QMessageBox.question(parent, title, question, buttons.Yes | buttons.No)
    return final if answer == buttons.Yes else None
