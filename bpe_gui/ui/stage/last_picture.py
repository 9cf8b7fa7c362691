"""Keep the last picture of the panels on the stage, dimmed, while the next page is prepared."""

from __future__ import annotations

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPixmap
from PySide6.QtWidgets import QWidget

from bpe_gui.tours.tour import Moment, Workspace
from bpe_gui.ui.widgets.naming import named

_SHADE = QColor(0, 0, 0, 120)


class LastPicture(QWidget):
    """Covers panels with what they showed, so that nobody sees them half changed."""

    def __init__(self, over: QWidget) -> None:
        super().__init__(over)
        named(self, "stageLastPicture", "The page before")
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._picture = QPixmap()
        self.hide()

    def take(self, area: QRect) -> None:
        """Take and show a picture of a part of the widget that this one lies over."""
        over = self.parentWidget()
        # What it shows already is still the last picture.
        if over is None or area.isEmpty() or self.isVisible():
            return
        self._picture = over.grab(area)
        self.setGeometry(area)
        self.show()
        self.raise_()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.drawPixmap(0, 0, self._picture)
        painter.fillRect(self.rect(), _SHADE)
        painter.end()


def changes_in_parts(before: Moment, after: Moment) -> bool:
    """Tell whether the panels would show parts of two pages while a moment is prepared.

    They do when another run is trained, or other lanes. The merges of the same run are watched, and
    so is a walk of the cursor.
    """
    old, new = before.scene, after.scene
    if new.go_to.plays:
        return False
    if (old.corpus, old.preset, old.vocabulary, old.ties) != (
        new.corpus, new.preset, new.vocabulary, new.ties,
    ):  # fmt: skip
        return True
    lanes = (old.lanes, old.text, old.compare_on) != (new.lanes, new.text, new.compare_on)
    return lanes and Workspace.COMPARE in (old.workspace, new.workspace)
