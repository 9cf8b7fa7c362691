"""The timeline: a whole run as a strip, with a handle that is the cursor."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from msgspec import Struct
from msgspec.structs import replace
from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import (
    QAction,
    QContextMenuEvent,
    QFont,
    QFontMetrics,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPolygonF,
    QWheelEvent,
)
from PySide6.QtWidgets import QAbstractSlider, QInputDialog, QMenu, QSizePolicy, QToolTip, QWidget

from bpe_gui.analysis.taken_over import given_merges
from bpe_gui.bpe.history import History
from bpe_gui.progress import counted
from bpe_gui.ui.actions.widget_actions import add_action
from bpe_gui.ui.run.player import Bookmark
from bpe_gui.ui.theme.painting import NO_PEN, brush, pen, target_of
from bpe_gui.ui.theme.text_size import FontFollower, RoomFollower, scaled
from bpe_gui.ui.theme.theme import Theme, ThemeFollower
from bpe_gui.ui.timeline.strip import AUTOMATIC, LINEAR, LOGARITHMIC, MANY, Strip, TimeScale
from bpe_gui.ui.tokens.token_words import merge_text
from bpe_gui.ui.widgets.naming import named
from bpe_gui.ui.widgets.presenting import Presentable
from bpe_gui.ui.widgets.scales import merges_to_show

_NOTCH = 120
"""What a wheel turns by at least, in eighths of a degree."""
_PAGES = 20
_PAGES_ON: dict[int, int] = {Qt.Key.Key_PageUp: -1, Qt.Key.Key_PageDown: 1}
_ZOOM, _ZOOM_A_NOTCH = 2.0, 1.25
"""How many times fewer merges are in view after a key, and after a notch of the wheel."""
_PART = 2
"""The height of what shows which part is in view, in pixels."""
_NOT_TRAINED = "not trained yet"
_HEIGHT = "height: how often the merged pair occurred"
_HEIGHT_BRIEF = "height: pair count"
"""The same where numbers leave little room."""
_MARGIN = 9
_FLAGS = 15
"""The height of the zone at the top for bookmarks."""
_STRIP, _BELOW = 26, 7
"""The height of the strip under it, and of what is left below."""
_NAME = 11
"""The size of the names of bookmarks."""
_KNOB = 5
_FLAG = 9
_NAME_GAP = 12
"""All in pixels, for text of the plain size."""
_IN_TIP, _OUT_TIP, _ALL_TIP = (
    "Show half as many merges on the timeline, around the cursor",
    "Show twice as many merges on the timeline",
    "Show all merges on the timeline",
)
_IN_DRAWINGS = 3.0
"""How fine the strip is in an SVG file, at least."""
_NEAR = 3
"""Pixels beside a mark that belong to it."""
_NOTHING = "Open a corpus to see its run."


class Flag(Struct):
    """A bookmark as it is drawn: its place, and as much of its name as fits."""

    bookmark: Bookmark
    x: int
    text: str
    right: int
    """Where the flag and its name end."""


class Timeline(Presentable, QAbstractSlider):
    """Shows where in a run the cursor is, and lets the user move it.

    A slider for keyboards and screen readers: its value is the position. It asks for another
    position by `seekRequested` and shows the one given by `set_position`. Bookmarks are flags
    on top: a click goes there, a double click names, the context menu removes.

    A long run is shown on a logarithmic scale unless another was chosen. Zoomed in, the handle
    stays in view.
    """

    seekRequested = Signal(int)
    """The user wants the cursor at a position."""
    numberClicked = Signal()
    """The user wants to write the number of a position."""
    bookmarkRequested = Signal(int)
    """The user wants a position marked."""
    bookmarkRenamed = Signal(int, str)
    """The user has given the bookmark at a position another name."""
    bookmarkRemoved = Signal(int)
    """The user does not want the bookmark at a position any more."""
    logarithmicChanged = Signal(bool)
    """Another scale is shown, whether by choice or for the length of the run."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        named(self, "timeline", "Timeline")
        self.setOrientation(Qt.Orientation.Horizontal)
        self._history: History | None = None
        self._turned = 0
        self._apart = False
        """Whether the merge that leads to the position is not done yet where it is drawn."""
        self.flags: list[Flag] = []
        """The bookmarks as they are drawn, from left to right."""
        self._bookmarks: list[Bookmark] = []
        self._loop: tuple[int, int] | None = None
        self._scale = TimeScale(1.0)
        self.chosen_scale = AUTOMATIC
        """What was chosen: LINEAR, LOGARITHMIC or AUTOMATIC."""
        self._strip = Strip()
        FontFollower(self, self._use_font)
        RoomFollower(self, self._prepare)
        ThemeFollower(self, self._take_colours)
        # Emitted when a key or a screen reader moves the slider.
        self.valueChanged.connect(self.seekRequested)
        self.zooming = self._zoom_actions()
        """Actions that show a part of the run, or all of it."""
        self.setRange(0, 0)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)

    def sizeHint(self) -> QSize:
        return QSize(480, self._whole)

    def minimumSizeHint(self) -> QSize:
        return QSize(220, self._whole)

    # -- what is shown ---------------------------------------------------------------------

    def set_history(self, history: History | None) -> None:
        self._history = history
        self._bookmarks, self.flags = [], []
        self._loop = None
        self._scale = TimeScale(1.0)
        self._prepare()
        self.set_length(len(history) if history is not None else 0)
        self.set_position(0)
        self.update_accessible()

    def set_length(self, length: int) -> None:
        """Show a run that has grown to `length` merges."""
        if length != self.maximum():
            with QSignalBlocker(self):
                self.setRange(0, length)
        self._prepare()
        self.update()

    def set_position(self, position: int, *, apart: bool = False) -> None:
        """Put the handle at a position, and draw a run that has grown.

        apart: whether the tokens of the merge that leads there are still seen as two; the handle
        and the number beside the strip are those before it.
        """
        self._apart = apart
        if self._history is not None and len(self._history) != self.maximum():
            self.set_length(len(self._history))
        elif self._history is not None and self._history.stopped is not None:
            self._prepare()  # a run that has just stopped fills the strip
        with QSignalBlocker(self):
            self.setValue(position)
        self._take(self._scale.showing(position))
        self.update()

    def set_loop(self, loop: tuple[int, int] | None) -> None:
        """Show between which positions is played again and again, if so."""
        if loop != self._loop:
            self._loop = loop
            self.update()

    def set_bookmarks(self, bookmarks: Iterable[Bookmark]) -> None:
        """Show these flags and no others."""
        self._bookmarks = list(bookmarks)
        self._place_flags()
        self.update()

    def update_accessible(self) -> None:
        """Describe to screen readers the merge before the position; too slow for each frame."""
        text = merge_text(self._history, self.value()) if self._history is not None else ""
        if text and self._scale.is_zoomed:
            first, last = self._ends_in_view()
            text += f". Merges {first:,} to {last:,} of {self._length:,} are in view"
        if text != self.accessibleDescription():
            self.setAccessibleDescription(text)

    def place_of(self, position: int) -> QPoint:
        """Return the place of a position in the widget."""
        return QPoint(self._x_of(position), self._whole // 2)

    # -- its scale -------------------------------------------------------------------------

    @property
    def is_logarithmic(self) -> bool:
        """Whether the first merges have more room than later ones."""
        return self._scale.logarithmic

    def choose_scale(self, scale: str) -> None:
        """Choose LINEAR, LOGARITHMIC, or AUTOMATIC for what suits the length of the run.

        Raises ValueError for anything else.
        """
        if scale not in (LINEAR, LOGARITHMIC, AUTOMATIC):
            raise ValueError(f"a timeline cannot be {scale!r}")
        self.chosen_scale = scale
        self._prepare()
        self.update()

    def _zoom_actions(self) -> list[QAction]:
        words = "magnify range part stretch axis"
        return [
            add_action(self, text, f"{name}Action", keys, does, keywords=words, tip=tip)
            for name, text, keys, tip, does in (
                ("zoomTimelineIn", "Enlarge the t&imeline", "+=", _IN_TIP,
                 lambda: self._zoom(_ZOOM)),
                ("zoomTimelineOut", "Re&duce the timeline", "-", _OUT_TIP,
                 lambda: self._zoom(1 / _ZOOM)),
                ("showWholeTimeline", "Show the &whole timeline", "0", _ALL_TIP,
                 lambda: self._take(replace(self._scale, begin=0.0, end=1.0))),
            )
        ]  # fmt: skip

    def _zoom(self, factor: float, place: float | None = None) -> None:
        """Show fewer merges or more, around a place, by default the cursor."""
        if self._history is not None:
            place = self._scale.place(self.value()) if place is None else place
            zoomed = self._scale.zoomed(factor, min(max(place, 0.0), 1.0))
            self._take(zoomed.showing(self.value()))
            self.update_accessible()

    def _take(self, scale: TimeScale) -> None:
        if scale == self._scale:
            return
        changed = scale.logarithmic != self._scale.logarithmic
        self._scale = scale
        first, last = self._ends_in_view()
        self.setPageStep(max(1, (last - first) // _PAGES))
        self._place_flags()
        self.update()
        if changed:
            self.logarithmicChanged.emit(scale.logarithmic)

    def _ends_in_view(self) -> tuple[int, int]:
        """Return the first and the last position that are in view."""
        first, last = self._scale.position(0.0), self._scale.position(1.0)
        return round(first), min(round(last), self._length)

    # -- what the drawing depends on -------------------------------------------------------

    def _take_colours(self, theme: Theme) -> None:
        self._theme = theme
        self._strip.take_colours(theme)

    def _use_font(self) -> None:
        """Measure the font of the position and a smaller one for the names of bookmarks."""
        font = self.font()
        self._small = QFont(font)
        self._small.setPixelSize(max(9, scaled(_NAME, font)))
        self._metrics = QFontMetrics(font)
        self._small_metrics = QFontMetrics(self._small)
        self._flags_height = max(_FLAGS, scaled(_FLAGS, font))
        """The height of the zone for bookmarks, in pixels."""
        self._knob = max(_KNOB, scaled(_KNOB, font))
        self._name_gap = scaled(_NAME_GAP, font)
        flag = scaled(_FLAG, font)
        tips = (0, 0), (flag, flag / 2 - 0.5), (0, flag - 1)
        self._pennant = QPolygonF([QPointF(x, y) for x, y in tips])
        # At least five digits fit, so that the strip stays where it is as a run grows.
        self._least_text = self._text_width(99_999)
        self._prepare()
        self.updateGeometry()
        self.update()

    def _prepare(self) -> None:
        history = self._history
        self._length = len(history) if history is not None else 0
        merges = 1.0
        if history is not None:
            merges = float(max(1, merges_to_show(history), self._length))
        text = max(self._least_text, self._text_width(int(merges)))
        self._strip_width = max(20, self.width() - 3 * _MARGIN - text)
        strip, below = max(_STRIP, self._metrics.height()), max(_BELOW, self._knob + 2)
        if self.presents:
            strip = max(strip, self.height() - self._flags_height - below)
        self._base = self._flags_height + strip
        self._whole = self._base + below
        """Of all that is drawn, in pixels."""
        logarithmic = self.chosen_scale == LOGARITHMIC
        if self.chosen_scale == AUTOMATIC:
            logarithmic = merges > MANY
        scale = replace(self._scale, merges=merges, logarithmic=logarithmic)
        self._take(scale.showing(self.value()))
        if self._bookmarks:
            self._place_flags()

    # -- geometry --------------------------------------------------------------------------

    def _text_width(self, greatest: int) -> int:
        return self._metrics.horizontalAdvance(f"{greatest:,} / {greatest:,}")

    def _x_of(self, position: int) -> int:
        return _MARGIN + round(self._scale.place(position) * self._strip_width)

    @property
    def _taken_over_x(self) -> int | None:
        """Where the merges end that the run took over, if it has others and the place is seen."""
        if self._history is None or not 0 < given_merges(self._history) < self._length:
            return None
        x = self._x_of(given_merges(self._history))
        return x if _MARGIN <= x <= _MARGIN + self._strip_width else None

    def _position_at(self, x: float) -> int:
        """Return the position nearest to a place, which may lie outside the run."""
        return round(self._scale.position((x - _MARGIN) / self._strip_width))

    def _is_number(self, x: float) -> bool:
        return self._history is not None and x > self._strip_width + 2 * _MARGIN

    def _flag_at(self, x: float, y: float) -> Flag | None:
        if not 0 <= y < self._flags_height + 3:
            return None
        found = [flag for flag in self.flags if flag.x - 3 <= x <= flag.right]
        return found[-1] if found else None

    def _place_flags(self) -> None:
        self.flags = []
        end = _MARGIN + self._strip_width
        places = [(mark, self._x_of(mark.position)) for mark in self._bookmarks]
        whole = not self._scale.is_zoomed
        seen = [(mark, x) for mark, x in places if x >= _MARGIN and (whole or x <= end)]
        xs = [x for _, x in seen]
        for index, (bookmark, x) in enumerate(seen):
            following = xs[index + 1] if index + 1 < len(xs) else max(end, x) + _MARGIN
            space = following - x - self._name_gap - 4
            text = bookmark.name
            if self._small_metrics.horizontalAdvance(text) > space:
                text = self._small_metrics.elidedText(text, Qt.TextElideMode.ElideRight, space)
            if len(text) < 2 and text != bookmark.name:
                text = ""
            right = x + self._name_gap + self._small_metrics.horizontalAdvance(text)
            self.flags.append(Flag(bookmark, x, text, right))

    # -- drawing ---------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.fillRect(0, 0, self.width(), self._whole, brush(self._theme.window))
            if self._history is None:
                painter.setFont(self.font())
                painter.setPen(pen(self._theme.muted))
                painter.drawText(_MARGIN, self._base - 8, _NOTHING)
            else:
                self._draw_run(painter, self._history, max(0, self.value() - self._apart))

    def _draw_run(self, painter: QPainter, history: History, position: int) -> None:
        theme = self._theme
        x, left, width = self._x_of(position), _MARGIN, self._strip_width
        self._draw_strip(painter, history, x)
        end = self._x_of(self._length)
        painter.fillRect(left, self._base, width, 1, brush(theme.grid))
        in_view = min(max(end - left, 0), width)
        painter.fillRect(left, self._base, in_view, 1, brush(theme.border))
        top, height = self._flags_height, self._base - self._flags_height
        if self._length and end <= left + width:
            painter.fillRect(end, top + 2, 1, height + 3, brush(theme.muted))
        if (taken_over := self._taken_over_x) is not None:
            painter.fillRect(taken_over - 1, top - 4, 2, height + 8, brush(theme.text))
        if self._scale.is_zoomed:
            self._draw_part(painter)
        if self._scale.is_zoomed or self.is_logarithmic:
            self._draw_ticks(painter)
        elif self._length:
            self._draw_caption(painter)
        if self._loop is not None:  # what is played again and again
            first, last = (min(max(self._x_of(at), left), left + width) for at in self._loop)
            painter.fillRect(first, top - 1, last - first, 2, brush(theme.accent))
        self._draw_flags(painter, position)
        painter.fillRect(x - 1, top - 1, 2, height, brush(theme.accent))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(pen(theme.window, 2))
        painter.setBrush(brush(theme.accent))
        size = self._knob + 2 if self.hasFocus() else self._knob + 1
        painter.drawEllipse(x - size, self._base - size, 2 * size, 2 * size)
        if self.hasFocus():
            painter.setPen(pen(theme.accent))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawEllipse(x - size, self._base - size, 2 * size, 2 * size)
        self._draw_text(painter, position)

    def _draw_strip(self, painter: QPainter, history: History, x: int) -> None:
        target = target_of(painter)
        scale = max(target.scale, _IN_DRAWINGS) if target.keeps_text else target.scale
        width, height = self._strip_width, self._base - self._flags_height
        cut, strip = min(max(x - _MARGIN, 0), width), self._strip
        columns = max(1, round(width * scale))
        strip.draw(history, self._scale, columns, round(height * scale), scale)
        middle, rows = round(cut * scale), strip.done.height()
        for picture, left, right, first, last in (
            (strip.done, 0, cut, 0, middle),
            (strip.ahead, cut, width, middle, columns),
        ):
            if left < right:
                place = QRect(_MARGIN + left, self._flags_height, right - left, height)
                # Qt's drawings take no part of a picture.
                painter.drawPixmap(place, picture.copy(first, 0, last - first, rows))

    def _draw_part(self, painter: QPainter) -> None:
        left, width = _MARGIN, self._strip_width
        begin, end = (round(share * width) for share in (self._scale.begin, self._scale.end))
        y = self._whole - _PART
        painter.fillRect(left, y, width, _PART, brush(self._theme.grid))
        painter.fillRect(left + begin, y, max(3, end - begin), _PART, brush(self._theme.muted))

    def _draw_caption(self, painter: QPainter) -> None:
        """Write what the heights mean at the right end, where no flag is."""
        left, width = _MARGIN, self._strip_width
        begin = left + width - self._small_metrics.horizontalAdvance(_HEIGHT)
        if begin < left or any(flag.right > begin for flag in self.flags):
            return
        painter.setFont(self._small)
        painter.setPen(pen(self._theme.muted))
        painter.drawText(begin, self._flags_height - 3, _HEIGHT)

    def _draw_ticks(self, painter: QPainter) -> None:
        """Draw round positions, with as many numbers as there is room for beside the flags.

        The first one says what they count.
        """
        painter.setFont(self._small)
        taken = [(flag.x - 3, flag.right) for flag in self.flags]
        free = _MARGIN
        for position in self._scale.ticks():
            x = self._x_of(position)
            painter.fillRect(x, self._flags_height, 1, 3, brush(self._theme.muted))
            text = f"{position:,}" if free > _MARGIN else f"merge {position:,}"
            width = self._small_metrics.horizontalAdvance(text)
            right = x + width // 2
            left = right - width
            if left < free or right > _MARGIN + self._strip_width:
                continue
            if any(begin < right and left < end for begin, end in taken):
                continue
            painter.setPen(pen(self._theme.muted))
            painter.drawText(left, self._flags_height - 3, text)
            free = right + self._name_gap
            taken.append((left, right))
        self._draw_caption_between(painter, taken)

    def _draw_caption_between(self, painter: QPainter, taken: list[tuple[int, int]]) -> None:
        """Write what the heights mean in the widest gap between numbers and flags, if it fits."""
        taken.sort()
        lefts = [_MARGIN, *(right for _, right in taken)]
        rights = [*(left for left, _ in taken), _MARGIN + self._strip_width]
        room, left = max((right - left, left) for left, right in zip(lefts, rights, strict=True))
        for caption in (_HEIGHT, _HEIGHT_BRIEF):
            free = room - self._small_metrics.horizontalAdvance(caption)
            if free >= 2 * self._name_gap:
                painter.setPen(pen(self._theme.muted))
                painter.drawText(left + free // 2, self._flags_height - 3, caption)
                return

    def _draw_flags(self, painter: QPainter, position: int) -> None:
        if not self.flags:
            return
        painter.setFont(self._small)
        for flag in self.flags:
            here = flag.bookmark.position == position
            fill = brush(self._theme.accent if here else self._theme.text)
            painter.fillRect(flag.x, 2, 1, self._base - 2, brush(self._theme.muted))
            painter.setPen(NO_PEN)
            painter.setBrush(fill)
            painter.translate(flag.x, 3)
            painter.drawPolygon(self._pennant)
            painter.translate(-flag.x, -3)
            if flag.text:
                painter.setPen(pen(self._theme.text if here else self._theme.muted))
                painter.drawText(flag.x + self._name_gap, self._flags_height - 4, flag.text)

    def _draw_text(self, painter: QPainter, position: int) -> None:
        painter.setFont(self.font())
        total = f" / {self._length:,}"
        right = self.width() - _MARGIN
        split = right - self._metrics.horizontalAdvance(total)
        baseline = (self._flags_height + self._base) // 2 + self._metrics.ascent() // 2
        painter.setPen(pen(self._theme.muted))
        painter.drawText(split, baseline, total)
        shown = f"{position:,}"
        painter.setPen(pen(self._theme.text))
        painter.drawText(split - self._metrics.horizontalAdvance(shown), baseline, shown)

    # -- moving the cursor -------------------------------------------------------------------

    def _ask(self, position: int) -> None:
        """Ask for a position, also if the handle is there: the cursor may not be yet."""
        with QSignalBlocker(self):
            self.setValue(position)
        self.seekRequested.emit(self.value())

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() is not Qt.MouseButton.LeftButton or self._history is None:
            event.ignore()
            return
        flag = self._flag_at(event.position().x(), event.position().y())
        if flag is not None:
            self._ask(flag.bookmark.position)
            return
        if self._is_number(event.position().x()):
            self.numberClicked.emit()
            return
        self.setSliderDown(True)
        self._ask(self._position_at(event.position().x()))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Drag the handle; without a button, show what is under the mouse."""
        if self.isSliderDown():
            position = self._position_at(event.position().x())
            if min(max(position, 0), self.maximum()) != self.value():
                self._ask(position)
            return
        place = event.position()
        acts = self._is_number(place.x()) or self._flag_at(place.x(), place.y()) is not None
        shape = Qt.CursorShape.PointingHandCursor if acts else Qt.CursorShape.ArrowCursor
        self.setCursor(shape)
        if QToolTip.isVisible():
            text = self.tooltip_at(place.toPoint())
            QToolTip.showText(event.globalPosition().toPoint(), text, self)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self.setSliderDown(False)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        flag = self._flag_at(event.position().x(), event.position().y())
        if flag is not None and event.button() is Qt.MouseButton.LeftButton:
            self._rename(flag.bookmark)
        else:
            self.mousePressEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """One notch is one merge, a page with Shift; with Ctrl it zooms around the mouse."""
        self._turned += event.angleDelta().y() or event.angleDelta().x()
        notches = int(self._turned / _NOTCH)
        self._turned -= notches * _NOTCH
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            place = (event.position().x() - _MARGIN) / self._strip_width
            self._zoom(_ZOOM_A_NOTCH**notches, place)
            event.accept()
            return
        paging = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        self.setValue(self.value() + notches * (self.pageStep() if paging else 1))
        event.accept()

    # -- bookmarks ---------------------------------------------------------------------------

    def _rename(self, bookmark: Bookmark) -> None:
        """Ask for the name of a bookmark."""
        label = f"Name of the bookmark at merge {bookmark.position:,}:"
        name, accepted = QInputDialog.getText(
            self.window(), "Name a bookmark", label, text=bookmark.name
        )
        if accepted:
            self.bookmarkRenamed.emit(bookmark.position, name)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        if self._history is None:
            return
        by_mouse = event.reason() is QContextMenuEvent.Reason.Mouse
        menu = self.menu_at(event.pos() if by_mouse else self.place_of(self.value()))
        menu.exec(event.globalPos())
        menu.deleteLater()

    def menu_at(self, place: QPoint) -> QMenu:
        """Make the menu for a place: for its flag, or to set one."""
        menu = QMenu(self)
        flag = self._flag_at(place.x(), place.y())
        position = min(max(self._position_at(place.x()), 0), self.maximum())
        if flag is None:
            marked = [f for f in self.flags if f.bookmark.position == position]
            flag = marked[0] if marked else None
        if flag is not None:
            position = flag.bookmark.position
            choices = [
                ("&Rename…\tF2", "rename", partial(self._rename, flag.bookmark)),
                ("Re&move bookmark\tDel", "remove", partial(self.bookmarkRemoved.emit, position)),
            ]
        else:
            add = partial(self.bookmarkRequested.emit, position)
            choices = [(f"&Bookmark merge {position:,}", "add", add)]
        for text, name, does in choices:
            menu.addAction(text, does).setObjectName(f"{name}Bookmark")
        return menu

    # -- saying what is there --------------------------------------------------------------

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            QToolTip.showText(event.globalPos(), self.tooltip_at(event.pos()), self)
            return True
        return super().event(event)

    def tooltip_at(self, place: QPoint) -> str:
        if self._history is None:
            return ""
        flag = self._flag_at(place.x(), place.y())
        position = max(self._position_at(place.x()), 0)
        if flag is not None:
            reached = flag.bookmark.position <= len(self._history)
            text = merge_text(self._history, flag.bookmark.position) if reached else _NOT_TRAINED
            return f"{flag.bookmark.name}: {text}\nDouble click to name it"
        end = len(self._history)
        if position > end:
            return _NOT_TRAINED if self._history.stopped is None else ""
        text = merge_text(self._history, position)
        taken_over = self._taken_over_x
        if taken_over is not None and abs(place.x() - taken_over) <= _NEAR:
            text += f"\n{_taken_over_text(self._history)}"
        if position == end and self._history.stopped is not None:
            text += f"\ntraining stopped here: {self._history.stopped}"
        if position and self._flags_height <= place.y() < self._base:
            text += f"\n{_HEIGHT}"
        return text[:1].upper() + text[1:]

    # -- events ------------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """F2 names the bookmark at the cursor, Delete removes it; else a slider's keys."""
        here = [flag for flag in self.flags if flag.bookmark.position == self.value()]
        if here and event.key() == Qt.Key.Key_F2:
            self._rename(here[0].bookmark)
        elif here and event.key() == Qt.Key.Key_Delete:
            self.bookmarkRemoved.emit(self.value())
        elif event.key() in _PAGES_ON and event.modifiers() == Qt.KeyboardModifier.NoModifier:
            # A slider takes Page Down for less.
            self.setValue(self.value() + _PAGES_ON[event.key()] * self.pageStep())
        else:
            super().keyPressEvent(event)


def _taken_over_text(history: History) -> str:
    given = given_merges(history)
    return (
        f"the first {counted(given, 'merge')} {'are' if given > 1 else 'is'} from "
        f"{history.encoding_of(0)}; the later ones were trained on this corpus"
    )
