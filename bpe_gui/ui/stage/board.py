"""The stage itself: one to four panels, each under its name, and the line below them."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QRect
from PySide6.QtGui import QPalette, QResizeEvent
from PySide6.QtWidgets import QLabel, QLayout, QVBoxLayout, QWidget

from bpe_gui.ui.stage.layouts import MOST, places
from bpe_gui.ui.stage.line import StageLine

_GAP = 90
"""The gap between panels is the height of the stage divided by this."""


class Board(QWidget):
    """Shows widgets that are lent to it; where they come from is not its business."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("stageBoard")
        self._frames = [_Frame(self) for _ in range(MOST)]
        self._count = 0
        self.line = StageLine(self)

    def show_panels(self, panels: Sequence[tuple[str, QWidget]]) -> None:
        """Give these panels their places, each under its name; from 1 to 4 of them."""
        self._count = len(panels)
        for frame, (name, panel) in zip(self._frames, panels, strict=False):
            frame.show_panel(name, panel)
        self._lay_out()
        for place, frame in enumerate(self._frames):
            frame.setVisible(place < self._count)

    def name_panels(self, names: Sequence[str]) -> None:
        """Call the panels otherwise, in the order of their places."""
        for frame, name in zip(self._frames, names, strict=False):
            frame.set_name(name)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Share another room."""
        super().resizeEvent(event)
        self._lay_out()

    def fit(self) -> None:
        """Share the room anew: the text has another size."""
        self._lay_out()

    def _lay_out(self) -> None:
        gap = max(4, self.height() // _GAP)
        inside = self.rect().adjusted(gap, gap, -gap, 0)
        line = self.line.sizeHint().height()
        self.line.setGeometry(gap, self.height() - line, inside.width(), line)
        if not self._count:
            return
        area = QRect(inside.left(), inside.top(), inside.width(), inside.height() - line - gap)
        for frame, place in zip(self._frames, places(self._count, area, gap), strict=False):
            frame.setGeometry(place)


class _Frame(QWidget):
    """A panel under its name."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._name = QLabel()
        self._panel: QWidget | None = None
        self._name.setProperty("quiet", True)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        # A panel that would like more room than there is gets what there is.
        self._column.setSizeConstraint(QLayout.SizeConstraint.SetNoConstraint)
        self._column.addWidget(self._name)
        self.setBackgroundRole(QPalette.ColorRole.Base)
        self.setAutoFillBackground(True)
        self.hide()

    def show_panel(self, name: str, panel: QWidget) -> None:
        """Hold another panel; the one before has gone back to where it stood."""
        self.set_name(name)
        self._panel = panel
        self._column.addWidget(panel, 1)
        # Where there is a style sheet, a widget does not take the font of a new parent.
        panel.setFont(self.font())
        panel.show()

    def changeEvent(self, event: QEvent) -> None:
        """Write in another size."""
        super().changeEvent(event)
        panel = self._panel
        if event.type() != QEvent.Type.FontChange or panel is None:
            return
        if self._column.indexOf(panel) >= 0:
            panel.setFont(self.font())

    def set_name(self, name: str) -> None:
        """Write another name above the panel."""
        self._name.setText(name)
