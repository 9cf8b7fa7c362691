"""The drawn side of the lanes: systems of rows in a scroll area, with the lanes' names beside."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QMargins, QPoint, QSize
from PySide6.QtGui import QBrush, QColor, QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from bpe_gui.ui.lanes.layout import LanePlace, ScoreLayout
from bpe_gui.ui.lanes.legend import LaneLegend, numbered
from bpe_gui.ui.lanes.painting import Score, ScorePainter
from bpe_gui.ui.lanes.prepared import PreparedScore
from bpe_gui.ui.lanes.selection import LaneSelection, followed
from bpe_gui.ui.theme.painting import draw_message
from bpe_gui.ui.theme.text_size import scaled
from bpe_gui.ui.theme.theme import DARK, Theme
from bpe_gui.ui.tokens.painting import MARGIN
from bpe_gui.ui.tokens.text_area import TextArea

_LEAST_GUTTER, _MOST_GUTTER = 60, 190
"""The room of names, in pixels at the plain size of text."""
_GUTTER_SHARE = 1 / 6
"""The part of the width that names may take where there is much of it."""
_LARGEST_SHARE = 1 / 3
"""The part that they may take where they are written large."""
_MOST_IN_LEGEND = 1 / 3
"""The part of the height that names may take above the lanes."""
_LOSSY = " · lossy"
_NOTHING = "Add an encoding above, and type a text: each encoding cuts it in a lane of its own."


class LaneCanvas(TextArea):
    """Shows lanes that are aligned to the byte.

    What stands out is the selected tokens, the lane that is made out, and the difference
    that is looked at.
    """

    _layout: ScoreLayout
    presents = False
    """Whether an audience looks on."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._layout = ScoreLayout(self.font())
        self._gutter = _LEAST_GUTTER
        self._names: list[str] = []
        self._labels: list[str] = []
        self._beside: list[str] = []
        self._legend = LaneLegend(self)
        self._lane = -1
        self._selection: LaneSelection | None = None
        self._difference = -1
        self._message = _NOTHING
        self.set_theme(DARK)

    def sizeHint(self) -> QSize:
        """Room for a few lanes of a few lines."""
        return QSize(640, 320)

    def minimumSizeHint(self) -> QSize:
        """The least that shows a few tokens."""
        return QSize(200, 90)

    # -- what is shown ---------------------------------------------------------------------------

    def show_prepared(self, prepared: PreparedScore, lossy: Sequence[bool] = ()) -> None:
        """Show a text as several encodings cut it, and where they part.

        `lossy` tells which of them do not give the text back; their names say so.

        The same text stays where it is, and so does the selection in a lane that is cut the
        same.
        """
        text, differences = prepared.text, prepared.differences
        lanes = [lane.cut for lane in prepared.lanes]
        anchor = self._anchor() if text == self._layout.text else None
        kept = None
        if text == self._layout.text:
            kept = followed(self._selection, [lane.cut for lane in self._layout.lanes], lanes)
        self._names = [cut.encoding.name for cut in lanes]
        told = (*lossy, *[False] * len(lanes))
        labels = [
            name + _LOSSY if is_lossy else name
            for name, is_lossy in zip(self._names, told, strict=False)
        ]
        changed = self._layout.show(prepared) or labels != self._labels
        self._labels, self._selection = labels, kept
        if self._difference >= len(differences):
            self._difference = -1
        if changed:
            self._fit()
            self._return_to(anchor)
            self.viewport().update()
        self._shown_anew()

    def _shown_anew(self) -> None:
        """Called when other lanes are shown; the selection has followed them."""

    @property
    def is_empty(self) -> bool:
        """Whether there are no lanes, or no text."""
        return not (len(self._layout) and self._layout.text)

    def set_message(self, message: str) -> None:
        """The sentence that stands there while there are no lanes, or no text."""
        self._message = message
        self.viewport().update()

    def set_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self._painter = ScorePainter(theme)
        self._background = QBrush(QColor(theme.panel))
        self._muted = QPen(QColor(theme.muted))
        self._legend.set_theme(theme)
        self.viewport().update()

    def show_lane(self, lane: int) -> None:
        """Make out a lane by its name, by its number from the top; -1 for none."""
        if lane != self._lane:
            self._lane = lane
            self.viewport().update()

    def show_difference(self, number: int) -> None:
        """Frame a difference, by its number, and bring it into view; -1 for none."""
        self._difference = number
        if number >= 0:
            self._reveal(int(self._layout.differences[number, 0]))
        self.viewport().update()

    def begin_at(self, place: int) -> None:
        """Scroll to where a byte of the text is in the first lines in view, if it has so many."""
        if len(self._layout):
            self._return_to((place, 0))

    @property
    def difference(self) -> int:
        """The number of the difference that is looked at, or -1."""
        return self._difference

    def current_byte(self) -> int:
        """Where in the text the eye is: the difference, the selection, or the first in view."""
        if self._difference >= 0:
            return int(self._layout.differences[self._difference, 0])
        if self._selection is not None:
            place = self._selection.place
            return int(self._layout.lanes[place.lane].cut.tokens.starts[place.token])
        return self._first_byte()

    def token_center(self, place: LanePlace) -> QPoint:
        """The middle of the first part of a token, in the viewport."""
        left, right, top = self._layout.rectangles_of(place)[0]
        y = top + self._layout.fonts.row_height / 2 - self._top()
        return QPoint(round((left + right) / 2) + self._gutter, round(y))

    # -- geometry ------------------------------------------------------------------------------

    def _left(self) -> int:
        return self._gutter

    def _fit(self) -> None:
        """Give the names their place and the rows the rest of the room."""
        metrics = QFontMetrics(self._layout.fonts.small)
        room = self._room()
        wanted = max(scaled(_MOST_GUTTER, self.font()), round(room * _GUTTER_SHARE))
        # Large names leave the lanes most of the width, and no more than they always did.
        most = max(_MOST_GUTTER, min(wanted, round(room * _LARGEST_SHARE)))
        needed = _width_of(self._labels, metrics)
        above = self._legend.height_of(self._labels, self._layout.fonts.small)
        # An audience cannot point at a name that is cut.
        legend = self.presents and needed > most and above <= self.height() * _MOST_IN_LEGEND
        if legend:
            self._beside = numbered(self._labels)
            self._gutter = max(_width_of(self._beside, metrics), MARGIN)
        else:
            self._beside = self._labels
            self._gutter = min(max(needed, _LEAST_GUTTER), most)
        self._legend.show_names(self._labels if legend else [], self._layout.fonts.small)
        self._legend.setGeometry(0, 0, self.width(), above)
        margins = QMargins(0, above if legend else 0, 0, 0)
        if self.viewportMargins() != margins:
            self.setViewportMargins(margins)
        super()._fit()

    def _first_byte(self) -> int:
        """The first byte of the first system in view."""
        anchor = self._anchor()
        return 0 if anchor is None else anchor[0]

    def _reveal(self, place: int) -> None:
        """Scroll as little as is needed to see the system of a byte."""
        top = self._layout.top_of(place)
        self._scroll_to(top, top + self._layout.system_height)

    def _place_at(self, position: QPoint) -> LanePlace | None:
        return self._layout.place_at(position.x() - self._gutter, position.y() + self._top())

    def _lane_at(self, position: QPoint) -> int:
        """The lane at a place of the viewport, also beside its tokens; -1 for none."""
        y = position.y() + self._top()
        if not 0 <= y < self._layout.height:
            return -1
        lane = y % self._layout.system_height // self._layout.fonts.row_height
        return lane if lane < len(self._labels) else -1

    # -- events --------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        width, height = self.viewport().width(), self.viewport().height()
        if not self.is_empty:
            place = (self._layout, self._top(), self._beside, self._gutter)
            score = Score(*place, self._selection, self._lane, self._difference)
            self._painter.paint(painter, score, width, height)
        else:
            painter.fillRect(self.viewport().rect(), self._background)
            draw_message(painter, self.viewport().rect(), self._message, self._muted)
        painter.end()


def _width_of(names: Sequence[str], metrics: QFontMetrics) -> int:
    """Pixels that names take beside the lanes; one without letters takes none."""
    widest = max((metrics.horizontalAdvance(name) for name in names), default=0)
    return widest + 2 + 2 * MARGIN if widest else 0
