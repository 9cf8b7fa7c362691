"""Choose how corpora are read: documents, encoding, decoding errors, and the rule for ties."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from PySide6.QtCore import Slot
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QInputDialog, QMenu, QWidget

from bpe_gui.bpe.recipe import Ties
from bpe_gui.ui.run.controls import Controls

_ENCODINGS = (
    *("utf-8", "utf-16", "utf-16-le", "utf-16-be"),
    *("iso-8859-1", "windows-1252", "koi8-r", "shift_jis", "gb18030"),
)


class CorpusMenu(QMenu):
    """The menu of choices about the corpus that seldom change."""

    def __init__(self, controls: Controls, parent: QWidget | None = None) -> None:
        super().__init__("&Corpus", parent)
        self._controls = controls
        self.lines = self._checkable("Each &line is a document", "linesAction")
        self.replace_errors = self._checkable(
            "&Replace bytes that do not decode", "replaceErrorsAction"
        )
        self._encoding_menu, self.encodings = self._choices("&Encoding")
        self._add_encoding("UTF-8, or by its mark", None)
        for encoding in _ENCODINGS:
            self._add_encoding(encoding, encoding)
        self.json_field = self.addAction("&JSON Lines field…")
        self.json_field.setObjectName("jsonFieldAction")
        ties, self.ties = self._choices("&Ties")
        for rule in Ties:
            self._add_choice(ties, self.ties, str(rule), rule)
        self.lines.triggered.connect(self._on_option)
        self.replace_errors.triggered.connect(self._on_option)
        self.encodings.triggered.connect(self._on_option)
        self.json_field.triggered.connect(self._on_json_field)
        self.ties.triggered.connect(self._on_ties)
        controls.changed.connect(self._show_choices)
        self._show_choices()

    def _checkable(self, text: str, name: str) -> QAction:
        action = self.addAction(text)
        action.setObjectName(name)
        action.setCheckable(True)
        return action

    def _choices(self, title: str) -> tuple[QMenu, QActionGroup]:
        return self.addMenu(title), QActionGroup(self)

    def _add_encoding(self, text: str, encoding: str | None) -> None:
        self._add_choice(self._encoding_menu, self.encodings, text, encoding)

    def _add_choice(self, menu: QMenu, group: QActionGroup, text: str, chosen: str | None) -> None:
        action = menu.addAction(text)
        action.setCheckable(True)
        action.setData(chosen)
        group.addAction(action)

    @Slot()
    def _on_option(self) -> None:
        documents: Literal["file", "line"] = "line" if self.lines.isChecked() else "file"
        self._controls.set_options(
            replace(
                self._controls.options,
                documents=documents,
                replace_errors=self.replace_errors.isChecked(),
                encoding=self.encodings.checkedAction().data(),
            )
        )

    @Slot()
    def _on_json_field(self) -> None:
        field, accepted = QInputDialog.getText(
            self,
            "JSON Lines",
            "The field of each record that holds the text:",
            text=self._controls.options.json_field,
        )
        if accepted and field:
            self._controls.set_options(replace(self._controls.options, json_field=field))

    @Slot()
    def _on_ties(self) -> None:
        self._controls.set_ties(Ties(self.ties.checkedAction().data()))

    @Slot()
    def _show_choices(self) -> None:
        options = self._controls.options
        if options.encoding not in (action.data() for action in self.encodings.actions()):
            self._add_encoding(options.encoding or "", options.encoding)
        self.lines.setChecked(options.documents == "line")
        self.replace_errors.setChecked(options.replace_errors)
        for group, chosen in (
            (self.encodings, options.encoding), (self.ties, self._controls.ties)
        ):
            for action in group.actions():
                action.setChecked(action.data() == chosen)
