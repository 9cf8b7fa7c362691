"""Tokens of a lane on their way to the clipboard: their ids, what they stand for, or the text."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Qt, Slot
from PySide6.QtGui import QAction, QActionGroup, QGuiApplication, QKeySequence
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
        self._selected = selected
        group = QActionGroup(self)
        group.setExclusionPolicy(QActionGroup.ExclusionPolicy.None_)
        group.triggered.connect(self._copy)
        for text, name, key, written in (
            ("Copy ids", "copyLaneIdsAction", "Ctrl+C", ids_of),
            ("Copy tokens, one a line", "copyLaneTokensAction", "Ctrl+Shift+T", tokens_of),
            ("Copy text", "copyLaneTextAction", "Ctrl+Shift+C", text_of),
        ):
            action = QAction(text, group)
            action.setObjectName(name)
            action.setShortcut(QKeySequence(key))
            action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
            action.setData(written)
        self.actions = group.actions()
        """All of them."""
        view.addActions(self.actions)

    @Slot(QAction)
    def _copy(self, action: QAction) -> None:
        selected = self._selected()
        if selected is not None:
            QGuiApplication.clipboard().setText(action.data()(*selected))
