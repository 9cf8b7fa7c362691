"""How large text is: one factor, which everything takes from the font of its widget.

The factor is set for the application or for one window (`set_text_scale`). From there the
font passes down to all that it holds, as fonts do in Qt, and a widget that paints by hand
measures what it draws in its own font, when that changes (`QEvent.FontChange`). So nothing
has to be told, and a window on a stage may write larger than the one beside it.
"""

from __future__ import annotations

from collections.abc import Callable
from math import isclose
from typing import cast

from PySide6.QtCore import QEvent, QObject, Qt, Slot
from PySide6.QtGui import QFont, QFontInfo, QFontMetrics, QWheelEvent
from PySide6.QtWidgets import QAbstractScrollArea, QApplication, QWidget


def application() -> QApplication:
    """Return the one application that there is."""
    made = QApplication.instance()
    assert isinstance(made, QApplication)
    return made


SMALLEST, LARGEST = 0.7, 6.0
"""Factors that may be asked for: what can just be read, and what a hall reads."""

_PLAIN = "plainFont"
"""The property of the application that holds its font at a factor of 1."""


_LIGATURES = QFont.Tag("liga")


def write_letters_apart(target: QApplication) -> None:
    """Write no ligatures: a PDF with one sign for “fi” is searched for “first” in vain."""
    font = QApplication.font()
    if not font.isFeatureSet(_LIGATURES):
        font.setFeature(_LIGATURES, 0)
        target.setFont(font)


def set_text_scale(target: QApplication | QWidget, factor: float) -> None:
    """Write `factor` times as large as the desktop asks for.

    For the application that is every window without a size set for itself, also later ones, menus
    and dialogs; for a widget it is that one and what it contains. Factors do not multiply: 1 is
    always the size that the desktop asks for. Factors are limited to SMALLEST and LARGEST. A view
    with a `Zoom` keeps its proportion.
    """
    plain = _plain_font()
    font = QFont(plain)
    font.setPointSizeF(_points(plain) * min(max(factor, SMALLEST), LARGEST))
    if not isinstance(target, QApplication):
        target.setFont(font)
        return
    before = _points(QApplication.font())
    target.setFont(font)
    for window in target.topLevelWidgets():
        own = window.testAttribute(Qt.WidgetAttribute.WA_SetFont)
        if not own or isclose(_points(window.font()), before):
            window.setFont(font)


def text_scale(font: QFont) -> float:
    """Return how many times as large a font is as the desktop asks for.

    What is painted by hand multiplies lengths that belong to the text with it, such as those of
    signs beside it; gaps and lines may stay as they are.
    """
    return _points(font) / _points(_plain_font())


def scaled(pixels: float, font: QFont) -> int:
    """Convert a length in pixels that belongs to text of the plain size to another font."""
    return round(pixels * text_scale(font))


def plain_height() -> int:
    """Return the height in pixels of text in the size that the desktop asks for."""
    return QFontMetrics(_plain_font()).height()


def resized(font: QFont, factor: float = 1.0, *, bold: bool = False) -> QFont:
    """Return a font that is `factor` times as large, and `bold` or as it was."""
    made = QFont(font)
    made.setPointSizeF(_points(font) * factor)
    made.setBold(bold or font.bold())
    return made


class RoomFollower(QObject):
    """Calls a function whenever the size or the font of a widget has changed.

    The layout of the widget has placed its parts by then. The function may be called as soon as the
    widget is made, so it needs everything it uses before.
    """

    _EVENTS: tuple[QEvent.Type, ...] = (QEvent.Type.FontChange, QEvent.Type.Resize)

    def __init__(self, widget: QWidget, follow: Callable[[], None]) -> None:
        super().__init__(widget)
        self._follow = follow
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in self._EVENTS:
            self._follow()
        return False


class FontFollower(RoomFollower):
    """Calls a function at once, and again whenever the font of a widget has changed.

    It is for what depends on the font: widths, heights of rows.
    """

    _EVENTS = (QEvent.Type.FontChange,)

    def __init__(self, widget: QWidget, follow: Callable[[], None]) -> None:
        super().__init__(widget, follow)
        follow()


def set_least_width(widget: QWidget, pixels: float) -> None:
    """Set the least width of a widget, in proportion to its text."""
    FontFollower(widget, lambda: widget.setMinimumWidth(scaled(pixels, widget.font())))


def set_width(widget: QWidget, pixels: float) -> None:
    """Set the width of a widget, in proportion to its text."""
    FontFollower(widget, lambda: widget.setFixedWidth(scaled(pixels, widget.font())))


class Zoom(QObject):
    """Text of some views that is larger or smaller than that of the panel they are in.

    The wheel zooms them while Ctrl is held.
    """

    _FIRST, _STEP = 1.1, 1.1
    _SMALLEST, _LARGEST = 6.0, 180.0
    """In points."""

    def __init__(self, name: str, panel: QWidget, *views: QWidget) -> None:
        """The proportion stays when the font of the panel changes; `name` is the object's."""
        super().__init__(panel)
        self.setObjectName(name)
        self._panel = panel
        self._extra = dict.fromkeys(views, 1.0)
        self.factor = self._FIRST
        """How large the text is, in proportion to that of the panel."""
        FontFollower(panel, self._write)
        for view in views:
            inside = view.viewport() if isinstance(view, QAbstractScrollArea) else view
            inside.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if not isinstance(event, QWheelEvent):
            return False
        zooms = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        if zooms:
            self.zoom(1 if event.angleDelta().y() > 0 else -1)
        return zooms

    @Slot(int)
    def zoom(self, steps: int) -> None:
        """Write larger by some steps, or smaller where they are negative."""
        self.set_factor(self.factor * self._STEP**steps)

    def set_factor(self, factor: float) -> None:
        """Write in that proportion to the text of the panel, within what can be read."""
        plain = _points(self._panel.font())
        self.factor = min(max(factor, self._SMALLEST / plain), self._LARGEST / plain)
        self._write()

    @property
    def font(self) -> QFont:
        """The font of a view that writes no larger than the others."""
        return resized(self._panel.font(), self.factor)

    def extra(self, view: QWidget) -> float:
        """Return how many times as large one of the views writes as the others."""
        return self._extra[view]

    def set_extra(self, view: QWidget, extra: float) -> None:
        """Write in one of the views `extra` times as large as in the others."""
        if extra != self._extra[view]:
            self._extra[view] = extra
            view.setFont(resized(self.font, extra))

    def _write(self) -> None:
        for view, extra in self._extra.items():
            view.setFont(resized(self.font, extra))


def _points(font: QFont) -> float:
    """Return the size of a font in points, also of one in pixels."""
    points = font.pointSizeF()
    return points if points > 0 else QFontInfo(font).pointSizeF()


def _plain_font() -> QFont:
    """Return the font that the desktop asks for; recorded before it is first changed."""
    application = QApplication.instance()
    assert application is not None
    if application.property(_PLAIN) is None:
        application.setProperty(_PLAIN, QApplication.font())
    return cast("QFont", application.property(_PLAIN))
