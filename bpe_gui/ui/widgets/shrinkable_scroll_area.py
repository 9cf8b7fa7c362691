"""Room for a panel that may be less than the panel needs: then it scrolls."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QSize, Qt, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QApplication, QFrame, QScrollArea, QVBoxLayout, QWidget

from bpe_gui.ui.theme.text_size import text_scale

_MARGIN = 8
"""Pixels around what has the keyboard, when it is brought into sight."""


class ShrinkableScrollArea(QScrollArea):
    """Holds a panel, and asks for no more room than a small window has for it.

    A panel asks for more the larger its text is. What stands around it does so too: bars,
    titles, messages of several lines, so that the less is left for the panel. `most` is what
    may be asked for where text is plain; in text twice as large it is as wide, and a quarter
    as high.
    """

    def __init__(self, panel: QWidget, most: QSize, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._most = most
        self._inside = _Inside(panel)
        self._asked = QSize()
        self._sizing = 0
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setWidgetResizable(True)
        self.setWidget(self._inside)
        self._inside.setAutoFillBackground(False)
        self.viewport().setAutoFillBackground(False)
        self._inside.installEventFilter(self)
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        application.focusChanged.connect(self._on_focus)

    @property
    def panel(self) -> QWidget:
        """What stands in the room now."""
        return self._inside.panel

    def sizeHint(self) -> QSize:
        """What the panel likes."""
        return self._inside.sizeHint()

    def minimumSizeHint(self) -> QSize:
        """What the panel needs, but no more than there may be."""
        height = round(self._most.height() / max(1.0, text_scale(self.font())) ** 2)
        return self._inside.minimumSizeHint().boundedTo(QSize(self._most.width(), height))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep what has the keyboard in sight."""
        super().resizeEvent(event)
        self._on_focus(None, QApplication.focusWidget())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Tell those around when the panel asks for another room."""
        if watched is self._inside and event.type() == QEvent.Type.Resize:
            # Qt sizes what is inside anew at each of its sizes, within one another. A panel that
            # asks for another room in each would never have one: it gets the second.
            if self._sizing > 1:
                return False
            self._sizing += 1
            try:
                return super().eventFilter(watched, event)
            finally:
                self._sizing -= 1
        found = super().eventFilter(watched, event)
        if event.type() == QEvent.Type.LayoutRequest and watched is self._inside:
            asked = self.minimumSizeHint()
            if asked != self._asked:
                self._asked = asked
                self.updateGeometry()
        return found

    @Slot(QWidget, QWidget)
    def _on_focus(self, before: QWidget | None, now: QWidget | None) -> None:
        """Bring what has the keyboard into sight."""
        if now is not None and self._inside.isAncestorOf(now):
            self.ensureWidgetVisible(now, _MARGIN, _MARGIN)


class _Inside(QWidget):
    """What is scrolled: the panel, or what keeps its place while it is elsewhere."""

    def __init__(self, panel: QWidget) -> None:
        super().__init__()
        self.setObjectName("roomInside")
        self._column = _Column(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.addWidget(panel)

    @property
    def panel(self) -> QWidget:
        # The layout's items are not asked for: Qt deletes them, and PySide does not see it.
        direct = Qt.FindChildOption.FindDirectChildrenOnly
        inside = self.findChildren(QWidget, options=direct)
        return next(widget for widget in inside if self._column.indexOf(widget) >= 0)

    def minimumSizeHint(self) -> QSize:
        """What the panel says that it needs, and at least what its parts do."""
        inner = self.panel.layout()
        least = self.panel.minimumSizeHint()
        return least.expandedTo(inner.minimumSize()) if inner is not None else least


class _Column(QVBoxLayout):
    """Gives a panel the height that there is, as a dock does.

    A scroll area would else ask for the height that the panel likes best at its width.
    """

    def hasHeightForWidth(self) -> bool:
        return False
