"""Dim a window except for a few places."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct
from PySide6.QtCore import QEvent, QObject, QRect, QRectF, Qt, QTimer, QVariantAnimation, Slot
from PySide6.QtGui import QBrush, QColor, QPainter, QPainterPath, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from bpe_gui.ui.theme.theme import Theme, ThemeFollower

_FADE_MILLISECONDS = 200
_DARKNESS = 100
"""How opaque the shade is, of 255: text under it is still read, and quiet text made out."""
_ROUND = 6
_MARGIN = 3
_KIND = QEvent.Type
_MOVES = frozenset(
    {
        *(_KIND.Resize, _KIND.Move, _KIND.Show, _KIND.Hide),
        *(_KIND.LayoutRequest, _KIND.WindowStateChange),
    }
)


class Target(Struct, frozen=True):
    """A widget, or a part of it, to be pointed to.

    area: gives the place of the part in the widget, in pixels, empty if it is out of sight; None
    for the whole.
    """

    widget: QWidget
    area: Callable[[], QRect] | None = None


class Spotlight(QWidget):
    """Lies over a window, and lets all events through.

    It follows its targets when they move, also to another window.
    """

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("spotlight")
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAttribute(Qt.WidgetAttribute.WA_NoSystemBackground)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._targets: tuple[Target, ...] = ()
        self._clear: tuple[QWidget, ...] = ()
        self._beside: QWidget | None = None
        self._watched: list[QWidget] = []
        self._shade, self._frame = QPainterPath(), QPainterPath()
        self.holes: tuple[QRect, ...] = ()
        """What is pointed to, in the window's pixels; empty if nothing of it is in view."""
        self._strength = 1.0
        self._animated = True
        self._soon = QTimer(self, singleShot=True, interval=0)
        self._soon.timeout.connect(self._lay_out)
        self._fade = QVariantAnimation(
            self, startValue=0.0, endValue=1.0, duration=_FADE_MILLISECONDS
        )
        self._fade.valueChanged.connect(self._on_fade)
        ThemeFollower(self, self._take_colours)
        self.hide()

    def _take_colours(self, theme: Theme) -> None:
        shade = QColor("#000000" if theme.dark else theme.text)
        shade.setAlpha(_DARKNESS)
        self._brush = QBrush(shade)
        self._pen = QPen(QColor(theme.accent), 2)

    def set_animated(self, animated: bool) -> None:
        """Set whether the shade fades in (the default) or is there at once."""
        self._animated = animated

    def point_to(
        self,
        targets: Sequence[Target],
        clear: Sequence[QWidget] = (),
        beside: QWidget | None = None,
    ) -> None:
        """Dim everything except these targets and the `clear` widgets; without targets, nothing.

        If the targets are in several windows, the one that `beside` is in is dimmed, or else that
        of the first.
        """
        anew = tuple(targets) != self._targets
        self._targets, self._clear, self._beside = tuple(targets), tuple(clear), beside
        self._watch()
        self._lay_out()
        if not anew or not self.isVisible():
            return
        if self._animated:
            self._fade.start()
        else:
            self._fade.stop()
            self._on_fade(1.0)

    def turn_off(self) -> None:
        """Dim nothing."""
        self.point_to(())

    @Slot()
    def follow(self) -> None:
        """Follow targets that may have moved."""
        if self._targets:
            self._soon.start()

    def _watch(self) -> None:
        for widget in self._watched:
            widget.removeEventFilter(self)
        self._watched = [target.widget for target in self._targets]
        self._watched += {target.widget.window() for target in self._targets}
        self._watched += self._clear
        for widget in self._watched:
            widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in _MOVES:
            self._soon.start()
        return False

    @Slot()
    def _lay_out(self) -> None:
        self._soon.stop()
        window = self._window()
        holes = self._holes(window, self._targets)
        self.holes = tuple(holes)
        if window is None or not holes:
            self._fade.stop()
            self.hide()
            return
        if self.parentWidget() is not window:
            self.setParent(window)
        self.setGeometry(window.rect())
        shade, frame = QPainterPath(), QPainterPath()
        shade.addRect(QRectF(self.rect()))
        kept = QPainterPath()
        kept.setFillRule(Qt.FillRule.WindingFill)  # they may overlap
        for hole in holes:
            frame.addRoundedRect(QRectF(hole).adjusted(1, 1, -1, -1), _ROUND, _ROUND)
            kept.addRoundedRect(QRectF(hole), _ROUND, _ROUND)
        for hole in self._holes(window, [Target(widget) for widget in self._clear]):
            kept.addRect(QRectF(hole))
        self._shade, self._frame = shade.subtracted(kept), frame
        self.show()
        self.raise_()
        self.update()

    def _window(self) -> QWidget | None:
        windows = [target.widget.window() for target in self._targets]
        if self._beside is not None and self._beside.window() in windows:
            return self._beside.window()
        return windows[0] if windows else None

    def _holes(self, window: QWidget | None, targets: Sequence[Target]) -> list[QRect]:
        """Return the areas of targets in their window, of those that are visible."""
        holes = []
        for target in targets:
            widget = target.widget
            if window is None or not widget.isVisible() or widget.window() is not window:
                continue
            area = target.area() if target.area is not None else widget.rect()
            if area.isEmpty():
                continue
            place = _in_sight(widget, area, window)
            if place.isEmpty():
                continue
            grown = place.adjusted(-_MARGIN, -_MARGIN, _MARGIN, _MARGIN)
            seen = grown.intersected(window.rect())
            if not seen.isEmpty():
                holes.append(seen)
        return holes

    @Slot(object)
    def _on_fade(self, strength: float) -> None:
        self._strength = strength
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setOpacity(self._strength)
            painter.fillPath(self._shade, self._brush)
            painter.strokePath(self._frame, self._pen)


def _in_sight(widget: QWidget, area: QRect, window: QWidget) -> QRect:
    """Return the visible part of an area of a widget, in the pixels of its window.

    The widgets around it may scroll, and show only a part.
    """
    seen = area
    while widget is not window:
        holder = widget.parentWidget()
        if holder is None:
            return QRect()
        seen = seen.translated(widget.pos()).intersected(holder.rect())
        widget = holder
    return seen
