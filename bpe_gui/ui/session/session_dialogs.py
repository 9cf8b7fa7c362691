"""Asks for the files of sessions."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QDialog, QFileDialog, QWidget

from bpe_gui.sessions.session import ENDING

_FILTER = f"Sessions (*{ENDING})"
_ALL = "All files (*)"


def ask_where_to_save(parent: QWidget, before: Path | None) -> Path | None:
    """Where to save a session that was saved elsewhere `before`, or never; None for nowhere.

    A name without an ending gets that of sessions, and it is asked before a file is replaced.
    """
    dialog = QFileDialog(parent, "Save the session")
    dialog.setObjectName("saveSessionDialog")
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.setNameFilters([_FILTER, _ALL])
    dialog.setDefaultSuffix(ENDING.removeprefix("."))
    if before is not None:
        dialog.setDirectory(str(before.parent))
    dialog.selectFile(before.name if before is not None else f"session{ENDING}")
    return _chosen(dialog)


def ask_what_to_open(parent: QWidget) -> Path | None:
    """Which session to open; None for none."""
    dialog = QFileDialog(parent, "Open a session")
    dialog.setObjectName("openSessionDialog")
    dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
    dialog.setNameFilters([_FILTER, _ALL])
    return _chosen(dialog)


def _chosen(dialog: QFileDialog) -> Path | None:
    try:
        accepted = dialog.exec() == QDialog.DialogCode.Accepted
        names = dialog.selectedFiles() if accepted else []
    finally:
        dialog.deleteLater()
    return Path(names[0]) if names else None
