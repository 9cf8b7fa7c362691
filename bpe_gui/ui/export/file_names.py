"""Asking where to a file is exported."""

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
    parent: QWidget, title: str, proposed: Path, ending: str, name: str = "exportDialog"
) -> Path | None:
    """Let the user name a file with that ending, which `title` describes; None if they do not.

    `name` is that of the dialog.
    """
    dialog = QFileDialog(parent, "Export", str(proposed.parent))
    dialog.setObjectName(name)
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.setFileMode(QFileDialog.FileMode.AnyFile)
    dialog.setNameFilter(f"{title} (*{ending})")
    dialog.setDefaultSuffix(ending.removeprefix("."))
    dialog.selectFile(proposed.name)
    accepted = dialog.exec() == QDialog.DialogCode.Accepted
    named = dialog.selectedFiles()
    dialog.deleteLater()
    if not accepted or not named:
        return None
    path = Path(named[0])
    final = with_ending(path, ending)
    if final == path or not final.exists():
        return final
    # The dialog has asked only about the name that was written into it.
    buttons = QMessageBox.StandardButton
    question = f"{final.name} is there already. Replace?"
    answer = QMessageBox.question(parent, "Export", question, buttons.Yes | buttons.No)
    return final if answer == buttons.Yes else None
