"""Tables on their way out of the window: to the clipboard, or to a file as CSV."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtGui import QAction, QGuiApplication, QKeySequence
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QPushButton, QWidget

from bpe_gui.exporting.tables import comma_separated, tab_separated
from bpe_gui.files import write_atomically
from bpe_gui.ui.actions.action_words import keys_of

_ABOUT = "export"


class Exportable(Protocol):
    """A table that can be written out."""

    def lines(self) -> list[Sequence[object]]:
        """Headings and rows, numbers unrounded, None where there is none."""


class TableExport(QObject):
    """The actions that copy a table and write it to a file, and buttons for them.

    The keys (Ctrl+C, Ctrl+Shift+X) hold where the focus is on the view: elsewhere they mean
    something else, or nothing.
    """

    problem = Signal(str, str)
    """What it is about (an export), and that the table cannot be written: one sentence for the
    user, or nothing if the last one is over."""

    def __init__(self, view: QWidget, table: Exportable, *, what: str, file_name: str) -> None:
        """`what` begins the actions' object names, as in "copyMetricsAction"."""
        super().__init__(view)
        self._view = view
        self._table = table
        self._file_name = file_name
        copy = QKeySequence(QKeySequence.StandardKey.Copy)
        self.copy = self._action("Copy the table", f"copy{what}Action", copy)
        export = QKeySequence("Ctrl+Shift+X")
        self.export = self._action("Export as CSV…", f"export{what}Action", export)
        self.copy.triggered.connect(self.copy_table)
        self.export.triggered.connect(self.ask_where_to_export)

    def buttons(self) -> QHBoxLayout:
        """Two buttons side by side."""
        row = QHBoxLayout()
        for text, slot, action in (
            ("Copy", self.copy_table, self.copy),
            ("Export…", self.ask_where_to_export, self.export),
        ):
            button = QPushButton(text)
            button.setToolTip(action.toolTip())
            button.clicked.connect(slot)
            row.addWidget(button)
        return row

    @Slot()
    def copy_table(self) -> None:
        """Put the table on the clipboard."""
        QGuiApplication.clipboard().setText(tab_separated(self._table.lines()))

    @Slot()
    def ask_where_to_export(self) -> None:
        """Let the user name a file, and write the table into it."""
        name, _ = QFileDialog.getSaveFileName(
            self._view, "Export the numbers", self._file_name, "Comma-separated values (*.csv)"
        )
        if name:
            self.export_to(Path(name))

    def export_to(self, path: Path) -> None:
        """Write the numbers as CSV, whole or not at all."""
        try:
            write_atomically(path, comma_separated(self._table.lines()))
        except OSError as error:
            self.problem.emit(_ABOUT, f"{path} cannot be written: {error.strerror or error}.")
        else:
            self.problem.emit(_ABOUT, "")

    def _action(self, text: str, name: str, key: QKeySequence) -> QAction:
        action = QAction(text, self._view)
        action.setObjectName(name)
        action.setShortcut(key)
        action.setToolTip(f"{text} ({keys_of(action)})")
        action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        self._view.addAction(action)
        return action
