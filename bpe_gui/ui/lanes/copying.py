"""Tokens of a lane on their way to the clipboard: their ids, what they stand for, or the text."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Qt, Slot
from PySide6.QtGui import QAction, QGuiApplication, QKeySequence
from PySide6.QtWidgets import QWidget

from bpe_gui.analysis.visible import visible
from bpe_gui.encodings.alignment import Cut

Stretch = tuple[Cut, int, int]
"""A lane, the first of some tokens, and the token after the last."""


def ids_of(cut: Cut, first: int, end: int) -> str:
    """The ids of some tokens, with spaces between."""
    return " ".join(map(str, cut.tokens.ids[first:end].tolist()))


def tokens_of(cut: Cut, first: int, end: int) -> str:
    """What some tokens stand for in the text, a line each, with nothing hidden."""
    data = cut.text.encode("utf-8")
    starts, ends = cut.tokens.starts[first:end].tolist(), cut.tokens.ends[first:end].tolist()
    return "\n".join(visible(data[a:b]) for a, b in zip(starts, ends, strict=True))


def text_of(cut: Cut, first: int, end: int) -> str:
    """The text from the first to the last of some tokens, in whole characters."""
    tokens = cut.tokens
    if first >= end:
        return ""
    start, stop = tokens.char_starts[first:end].min(), tokens.char_ends[first:end].max()
    return cut.text[int(start) : int(stop)]


class LaneCopying(QObject):
    """The actions that copy what is selected in a view; their keys hold while it has the focus."""

    def __init__(self, view: QWidget, selected: Callable[[], Stretch | None]) -> None:
        super().__init__(view)
        self._view = view
        self._selected = selected
        self.ids = self._action("Copy ids", "copyLaneIdsAction", "Ctrl+C")
        self.tokens = self._action(
            "Copy tokens, one a line", "copyLaneTokensAction", "Ctrl+Shift+T"
        )
        self.text = self._action("Copy text", "copyLaneTextAction", "Ctrl+Shift+C")
        self.ids.triggered.connect(self.copy_ids)
        self.tokens.triggered.connect(self.copy_tokens)
        self.text.triggered.connect(self.copy_text)

    @property
    def actions(self) -> list[QAction]:
        """All of them."""
        return [self.ids, self.tokens, self.text]

    @Slot()
    def copy_ids(self) -> None:
        """Put the ids of the selected tokens on the clipboard."""
        self._copy(ids_of)

    @Slot()
    def copy_tokens(self) -> None:
        """Put what the selected tokens stand for on the clipboard."""
        self._copy(tokens_of)

    @Slot()
    def copy_text(self) -> None:
        """Put the text of the selected tokens on the clipboard."""
        self._copy(text_of)

    def _copy(self, written: Callable[[Cut, int, int], str]) -> None:
        selected = self._selected()
        if selected is not None:
            QGuiApplication.clipboard().setText(written(*selected))

    def _action(self, text: str, name: str, key: str) -> QAction:
        action = QAction(text, self._view)
        action.setObjectName(name)
        action.setShortcut(QKeySequence(key))
        action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        self._view.addAction(action)
        return action
