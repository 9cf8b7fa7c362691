"""How corpora are read: documents, encoding, what does not decode, and the rule for ties."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from PySide6.QtCore import Slot
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QInputDialog, QMenu, QWidget

from bpe_gui.bpe.recipe import Ties
from bpe_gui.ui.controls import Controls

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
        self.encodings = self._choices("&Encoding", ["UTF-8, or by its mark", *_ENCODINGS])
        self.json_field = self.addAction("&JSON Lines field…")
        self.json_field.setObjectName("jsonFieldAction")
        self.ties = self._choices("&Ties", [str(rule) for rule in Ties])
        self.lines.toggled.connect(self._on_option)
        self.replace_errors.toggled.connect(self._on_option)
        self.encodings.triggered.connect(self._on_option)
        self.json_field.triggered.connect(self._on_json_field)
        self.ties.triggered.connect(self._on_ties)
        self.aboutToShow.connect(self._show_ties)

    def _checkable(self, text: str, name: str) -> QAction:
        action = self.addAction(text)
        action.setObjectName(name)
        action.setCheckable(True)
        return action

    def _choices(self, title: str, texts: list[str]) -> QActionGroup:
        menu = self.addMenu(title)
        group = QActionGroup(self)
        for index, text in enumerate(texts):
            action = menu.addAction(text)
            action.setCheckable(True)
            action.setChecked(index == 0)
            action.setData(index)
            group.addAction(action)
        return group

    @Slot()
    def _on_option(self) -> None:
        chosen = self.encodings.checkedAction().data()
        documents: Literal["file", "line"] = "line" if self.lines.isChecked() else "file"
        self._controls.set_options(
            replace(
                self._controls.options,
                documents=documents,
                replace_errors=self.replace_errors.isChecked(),
                encoding=_ENCODINGS[chosen - 1] if chosen else None,
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
        self._controls.set_ties(list(Ties)[self.ties.checkedAction().data()])

    @Slot()
    def _show_ties(self) -> None:
        self.ties.actions()[list(Ties).index(self._controls.ties)].setChecked(True)
