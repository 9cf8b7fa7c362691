"""Where a file that is exported is to be written: asked for, and given the right ending."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QDialog, QFileDialog, QMessageBox, QWidget

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


def ask_where(
    parent: QWidget, title: str, name: str, what: str, stem: str, ending: str, folder: str = ""
) -> Path | None:
    """Ask for a file with an ending, in a dialog of that title and object name; None for none.

    `what` is in such files, for people; `stem` and `ending` are the name that is proposed.
    """
    dialog = QFileDialog(parent, title, folder)
    dialog.setObjectName(name)
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
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
    # The dialog has asked only about the name that was written into it.
    if final == path or not final.exists():
        return final
    buttons = QMessageBox.StandardButton
    question = f"{final.name} is there already. Replace?"
    answer = QMessageBox.question(parent, "Export", question, buttons.Yes | buttons.No)
    return final if answer == buttons.Yes else None
