"""The stage itself: one to four panels, each under its name, and the line below them."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QRect, QTimer, Slot
from PySide6.QtGui import QFont, QPalette, QResizeEvent
from PySide6.QtWidgets import QLabel, QLayout, QVBoxLayout, QWidget

from bpe_gui.ui.stage.layouts import MOST, places
from bpe_gui.ui.stage.line import StageLine

_GAP = 90
"""The gap between panels is the height of the stage divided by this."""
_NAME = 0.75
"""The size of a panel's name, as a share of that of its text."""


class Board(QWidget):
    """Shows widgets that are lent to it; where they come from is not its business."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("stageBoard")
        self._frames = [_Frame(self) for _ in range(MOST)]
        self._count = 0
        self.line = StageLine(self)
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(0)
        self._later.timeout.connect(self._write_anew)

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

    @Slot()
    def write_soon(self) -> None:
        """Something was made on a panel that does not know yet how large to write."""
        self._later.start()

    @Slot()
    def _write_anew(self) -> None:
        for frame in self._frames:
            frame.write_larger()
            frame.write_anew()

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
        self.write_anew()
        panel.show()

    def changeEvent(self, event: QEvent) -> None:
        """Write in another size."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._fit_name()
            self.write_anew()

    def write_anew(self) -> None:
        """Have all of the panel written in the size of the stage.

        Where there is a style sheet, a widget does not take the font of its parent when it
        comes to it, but only when that changes.
        """
        panel = self._held
        if panel is not None:
            panel.setFont(QFont())
            panel.setFont(self.font())

    @property
    def _held(self) -> QWidget | None:
        """The panel, unless it has gone back to where it stood."""
        panel = self._panel
        return panel if panel is not None and self._column.indexOf(panel) >= 0 else None

    def write_larger(self) -> None:
        """Give the panel another size for a moment: only a change reaches what was made on it."""
        panel = self._held
        if panel is not None:
            font = self.font()
            font.setPointSizeF(font.pointSizeF() + 1)
            panel.setFont(font)

    def _fit_name(self) -> None:
        font = self.font()
        font.setPointSizeF(font.pointSizeF() * _NAME)
        self._name.setFont(font)
        self._name.setIndent(self._name.fontMetrics().averageCharWidth() // 2)

    def set_name(self, name: str) -> None:
        """Write another name above the panel."""
        self._name.setText(name)
