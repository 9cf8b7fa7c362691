"""Actions of one widget, whose keys work only where that has the focus."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QWidget

from bpe_gui.ui.actions.action_words import set_keywords


def add_action(
    widget: QWidget,
    text: str,
    name: str,
    keys: Sequence[str | QKeySequence.StandardKey],
    does: Callable[[], object] | None = None,
    *,
    keywords: str = "",
    tip: str = "",
    inside: bool = False,
) -> QAction:
    """Add an action to a widget; its keys work only while the widget has the focus.

    inside: whether they also work while a widget within it has the focus.
    """
    action = QAction(text, widget)
    action.setObjectName(name)
    if tip:
        action.setToolTip(tip)
        action.setStatusTip(tip)
    action.setShortcuts([QKeySequence(key) for key in keys])
    where = Qt.ShortcutContext
    action.setShortcutContext(where.WidgetWithChildrenShortcut if inside else where.WidgetShortcut)
    set_keywords(action, keywords)
    if does is not None:
        action.triggered.connect(does)
    widget.addAction(action)
    return action
