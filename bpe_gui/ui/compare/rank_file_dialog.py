"""Asks how a rank file splits a text: the file itself does not say."""

from __future__ import annotations

from pathlib import Path

import regex
from PySide6.QtCore import Slot
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QLabel,
    QLineEdit,
    QVBoxLayout,
    QWidget,
)

from bpe_gui.encodings.split_patterns import NAMED_PATTERNS

_CUSTOM = "a pattern of your own"


class RankFileDialog(QDialog):
    """A known split, with the special tokens that belong to it, or a pattern without any."""

    def __init__(self, path: Path, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(path.name)
        explanation = QLabel(
            "A rank file holds tokens, but not the pattern that splits a text into words "
            "before any merge. Which one belongs to it?"
        )
        explanation.setWordWrap(True)
        self.splits = QComboBox()
        self.splits.setObjectName("rankFileSplit")
        for name in NAMED_PATTERNS:
            self.splits.addItem(name, name)
        self.splits.addItem(_CUSTOM, None)
        named = [name for name in NAMED_PATTERNS if name in path.stem]
        self.splits.setCurrentIndex(
            max(0, self.splits.findData(max(named, key=len, default=None)))
        )
        self.pattern = QLineEdit()
        self.pattern.setObjectName("rankFilePattern")
        self.pattern.setPlaceholderText(r"\p{L}+|\p{N}+|[^\p{L}\p{N}]+")
        self._wrong = QLabel()
        self._wrong.setProperty("problem", True)
        self._wrong.setWordWrap(True)
        self._buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel
        )
        form = QFormLayout()
        form.addRow("&Split", self.splits)
        form.addRow("&Pattern", self.pattern)
        layout = QVBoxLayout(self)
        layout.addWidget(explanation)
        layout.addLayout(form)
        layout.addWidget(self._wrong)
        layout.addWidget(self._buttons)
        self.splits.currentIndexChanged.connect(self._check)
        self.pattern.textChanged.connect(self._check)
        self._buttons.accepted.connect(self.accept)
        self._buttons.rejected.connect(self.reject)
        self._check()

    @property
    def split(self) -> str:
        """The name of a known split, or the pattern."""
        return self.splits.currentData() or self.pattern.text()

    @Slot()
    def _check(self) -> None:
        """Take a pattern only if it is one."""
        custom = self.splits.currentData() is None
        self.pattern.setEnabled(custom)
        problem = _problem_of(self.pattern.text()) if custom else ""
        self._wrong.setText(problem)
        ready = not custom or bool(self.pattern.text() and not problem)
        self._buttons.button(QDialogButtonBox.StandardButton.Ok).setEnabled(ready)


def _problem_of(pattern: str) -> str:
    try:
        regex.compile(pattern)
    except regex.error as error:
        return f"This is no pattern: {error}."
    return ""


def ask_for_split(path: Path, parent: QWidget | None) -> str | None:
    """The split of a rank file, as the user says; None if they would rather not."""
    dialog = RankFileDialog(path, parent)
    accepted = dialog.exec() == QDialog.DialogCode.Accepted
    split = dialog.split
    dialog.deleteLater()
    return split if accepted else None
