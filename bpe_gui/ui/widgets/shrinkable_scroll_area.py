"""Scroll areas for panels, views and forms that may be larger than their place."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QSize, Qt, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QApplication, QFrame, QScrollArea, QVBoxLayout, QWidget

from bpe_gui.ui.theme.text_size import application

_MARGIN = 8
"""Pixels around the focus widget when it is scrolled into view."""
_LEAST = QSize(280, 80)
"""The least visible part of a larger panel."""
_WIDTH, _HEIGHT = 0.95, 0.8
"""Shares of the screen for the form of a dialog: the rest is for its buttons and its frame."""


class ShrinkableScrollArea(QScrollArea):
    """Holds a panel, and may be smaller than the panel needs."""

    def __init__(self, panel: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._inside = _Inside(panel)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setWidgetResizable(True)
        self.setWidget(self._inside)
        self._inside.setAutoFillBackground(False)
        self.viewport().setAutoFillBackground(False)
        application().focusChanged.connect(self._on_focus)

    @property
    def panel(self) -> QWidget:
        """The widget that is scrolled: the panel, or its placeholder while it is elsewhere."""
        return self._inside.panel

    def sizeHint(self) -> QSize:
        return self._inside.sizeHint()

    def minimumSizeHint(self) -> QSize:
        return _LEAST.boundedTo(self._inside.minimumSizeHint())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._on_focus(None, QApplication.focusWidget())

    @Slot(QWidget, QWidget)
    def _on_focus(self, before: QWidget | None, now: QWidget | None) -> None:
        if now is not None and self._inside.isAncestorOf(now):
            self.ensureWidgetVisible(now, _MARGIN, _MARGIN)


class DialogScrollArea(ShrinkableScrollArea):
    """Is as large as its content, unless the screen is too small."""

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest:
            self.updateGeometry()
        return super().eventFilter(watched, event)

    def sizeHint(self) -> QSize:
        return self._on_screen(super().sizeHint())

    def minimumSizeHint(self) -> QSize:
        return self._on_screen(self._inside.minimumSizeHint())

    def _on_screen(self, wanted: QSize) -> QSize:
        room = self.screen().availableSize()
        return wanted.boundedTo(QSize(int(room.width() * _WIDTH), int(room.height() * _HEIGHT)))


class _Inside(QWidget):
    """Holds the panel, or its placeholder while it is elsewhere."""

    def __init__(self, panel: QWidget) -> None:
        super().__init__()
        self.setObjectName("roomInside")
        self._column = _Column(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.addWidget(panel)

    @property
    def panel(self) -> QWidget:
        # Not by the items of the layout: Qt deletes them without PySide's knowledge.
        inside = self.findChildren(QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly)
        return next(widget for widget in inside if self._column.indexOf(widget) >= 0)

    def minimumSizeHint(self) -> QSize:
        """Return the least size of the panel, and at least that of its parts."""
        panel = self.panel
        inner, least = panel.layout(), panel.minimumSizeHint()
        return least.expandedTo(inner.minimumSize()) if inner is not None else least


class _Column(QVBoxLayout):
    """Gives a panel the available height, as a dock does.

    Otherwise a scroll area would use the preferred height of the panel for its width.
    """

    def hasHeightForWidth(self) -> bool:
        return False
