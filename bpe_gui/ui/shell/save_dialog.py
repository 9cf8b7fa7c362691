"""Ask where to save a tokenizer and in which format; name and format never disagree."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Slot
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QFileDialog,
    QGridLayout,
    QLineEdit,
    QMessageBox,
    QPushButton,
    QWidget,
)

from bpe_gui.encodings.base import EncodingError, ExportError
from bpe_gui.encodings.formats.gpt2 import pair_of
from bpe_gui.encodings.save import FORMATS, Format, format_of

_STEM = "tokenizer"
_FOLDER = ""
"""The ending of a folder."""


_TABLE = "Write a &table of the old and new ids beside it, as CSV"


class SaveDialog(QFileDialog):
    """A dialog in which the name that is proposed follows the format.

    It may offer a table of ids, which a dialog of the desktop has no place for.
    """

    def __init__(self, parent: QWidget, *, offers_table: bool = False) -> None:
        super().__init__(parent, "Save the tokenizer")
        self.table = QCheckBox(_TABLE, self)
        self.table.setObjectName("idTable")
        self.table.setVisible(offers_table)
        if offers_table:
            self.setOption(QFileDialog.Option.DontUseNativeDialog)
            grid = self.layout()
            assert isinstance(grid, QGridLayout)
            grid.addWidget(self.table, grid.rowCount(), 0, 1, -1)
        self.setObjectName("saveDialog")
        self.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        self.setFileMode(QFileDialog.FileMode.AnyFile)
        self._filters = {_filter_of(known): known for known in FORMATS}
        self.setNameFilters(list(self._filters))
        self.selectFile(_STEM + FORMATS[0].endings[0])
        self._on_filter(self.selectedNameFilter())
        self.filterSelected.connect(self._on_filter)

    @property
    def chosen(self) -> Format:
        """The format whose files are looked for."""
        return self._filters[self.selectedNameFilter()]

    @Slot(str)
    def _on_filter(self, chosen: str) -> None:
        known = self._filters[chosen]
        self.setDefaultSuffix("" if _FOLDER in known.endings else known.endings[0])
        named = self.selectedFiles()
        if not named:
            return
        name = _renamed(Path(named[0]).name, known)
        line = self.findChild(QLineEdit, "fileNameEdit")
        if isinstance(line, QLineEdit):
            line.setText(name)  # `selectFile` does not, while one writes there
        else:
            self.selectFile(name)


def ask_where(
    parent: QWidget, *, offers_table: bool = False
) -> tuple[Path, Format, Path | None] | None:
    """Return a path, the format to be written there, and the path of a table of ids if it is
    offered and wanted; None if the user cancels.
    """
    dialog = SaveDialog(parent, offers_table=offers_table)
    try:
        while dialog.exec() == QDialog.DialogCode.Accepted and dialog.selectedFiles():
            wanted = _settled(Path(dialog.selectedFiles()[0]), dialog.chosen, parent)
            if wanted is None:
                continue
            table = wanted[0].with_name(f"{wanted[0].stem}-ids.csv")
            if not dialog.table.isChecked():
                return *wanted, None
            if not table.exists() or _may_replace([table], parent):
                return *wanted, table
    finally:
        dialog.deleteLater()
    return None


def _settled(path: Path, chosen: Format, parent: QWidget) -> tuple[Path, Format] | None:
    """Return what is to be written where, after asking what is in doubt; None to ask again."""
    meant = _format_of(path)
    renamed = path
    if meant is None and _FOLDER not in chosen.endings:
        renamed = path.with_name(path.name + chosen.endings[0])
    elif meant not in (None, chosen):
        assert meant is not None
        answer = _ask_which(path, meant, chosen, parent)
        if answer is None:
            return None
        if answer is chosen:
            renamed = path.with_name(_renamed(path.name, chosen))
        chosen = answer
    # The dialog has asked about the name that was written there.
    others = [other for other in _written(renamed, chosen) if other != path and other.exists()]
    if others and not _may_replace(others, parent):
        return None
    return renamed, chosen


def _ask_which(path: Path, meant: Format, chosen: Format, parent: QWidget) -> Format | None:
    box = QMessageBox(
        QMessageBox.Icon.Question,
        "Save the tokenizer",
        f"{path.name} is the name of a file of another format than the one that is chosen. "
        "Which of them is meant?",
        parent=parent,
    )
    box.setObjectName("whichFormat")
    buttons: dict[QPushButton, Format] = {}
    for known in (chosen, meant):
        button = box.addButton(known.title, QMessageBox.ButtonRole.AcceptRole)
        button.setObjectName(f"save_{known.name}")
        buttons[button] = known
    box.addButton(QMessageBox.StandardButton.Cancel)
    box.exec()
    clicked = box.clickedButton()
    box.deleteLater()
    return next((known for button, known in buttons.items() if button is clicked), None)


def _may_replace(paths: list[Path], parent: QWidget) -> bool:
    names = " and ".join(path.name for path in paths)
    there = "is there already" if len(paths) == 1 else "are there already"
    buttons = QMessageBox.StandardButton
    answer = QMessageBox.question(
        parent, "Save the tokenizer", f"{names} {there}. Replace?", buttons.Yes | buttons.No
    )
    return answer == buttons.Yes


def _format_of(path: Path) -> Format | None:
    try:
        return format_of(path)
    except ExportError:
        return None


def _written(path: Path, known: Format) -> list[Path]:
    if _FOLDER not in known.endings:
        return [path]
    try:
        return list(pair_of(path))
    except EncodingError:
        return []  # a folder that is made


def _renamed(name: str, known: Format) -> str:
    """Change the ending of a name to that of a format, if it has one of ours.

    Qt may have put another ending behind "vocab" before.
    """
    meant = _format_of(Path(name))
    if meant is None:
        return name
    ending = max((e for e in meant.endings if e and name.endswith(e)), key=len)
    stem = name.removesuffix(ending)
    if _FOLDER not in known.endings:
        return (stem.removesuffix("vocab").rstrip("-") or _STEM) + known.endings[0]
    if meant is known:
        return name
    return known.endings[0] if stem == _STEM else f"{stem}-{known.endings[0]}"


def _filter_of(known: Format) -> str:
    patterns = " ".join(f"*{ending}" for ending in known.endings[:1] if ending)
    return f"{known.title} ({patterns})"
