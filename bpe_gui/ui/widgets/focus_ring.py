"""A ring around what has the keyboard, for whoever gets there by keyboard.

Style sheets and painted views show the focus each in their way, some of them by a shade only.
The ring is the same for all: it lies over the window and stands out from every ground.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QRectF, Qt, Slot
from PySide6.QtGui import (
    QGuiApplication,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QRegion,
)
from PySide6.QtWidgets import QApplication, QDialog, QDockWidget, QWidget
from shiboken6 import isValid

_BY_KEYBOARD = "goesByKeyboard"
"""The application's property: each widget may ask, whatever window it is in."""
_WIDTH = 2
_RADIUS = 6
_MOVES = frozenset({QEvent.Type.Move, QEvent.Type.Resize, QEvent.Type.Show, QEvent.Type.Hide})


def goes_by_keyboard() -> bool:
    """Whether the user goes through the window by keyboard: from a Tab until a click."""
    application = QApplication.instance()
    return application is not None and bool(application.property(_BY_KEYBOARD))


class FocusRings(QObject):
    """Puts rings into a window, and into its dialogs and floating panels.

    In the window a ring follows the focus from the moment that Tab is used until a click: where
    the focus goes by a click the mouse shows the place. Elsewhere any move without a click is one
    by keyboard. On the stage, which is for those who look on, there is one only from a Tab until
    the focus goes on.
    """

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self._ring: FocusRing | None = None
        self._last: QWidget | None = None
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        self._application = application
        self._set_by_keyboard(False)
        application.focusChanged.connect(self._on_focus)

    @Slot()
    def use_keyboard(self) -> None:
        """Show the ring from now on: the focus moves by keyboard."""
        self._set_by_keyboard(True)
        self._show(QApplication.focusWidget())

    @Slot()
    def show_once(self) -> None:
        """Show where the focus is, until it goes on."""
        focus = QApplication.focusWidget()
        if focus is not None:
            self._put_around(focus)

    @Slot(QWidget, QWidget)
    def _on_focus(self, before: QWidget | None, now: QWidget | None) -> None:
        # What had the focus before may be on its way out, and must not be asked anything.
        window = now.window() if now is not None else None
        if window is not None and not window.isVisible():
            # Qt moves the focus even within a dialog that it deletes: no child may be looked for.
            now = window = None
        if QGuiApplication.mouseButtons() != Qt.MouseButton.NoButton:
            self._set_by_keyboard(False)
        elif window is self._last and isinstance(window, QDialog | QDockWidget):
            self._set_by_keyboard(True)
        if self._ring is not None and isValid(self._ring):
            self._ring.follow(None)
        self._last = window
        self._show(now)

    def _show(self, widget: QWidget | None) -> None:
        if widget is None or not goes_by_keyboard() or not self._is_ours(widget.window()):
            return
        self._put_around(widget)

    def _set_by_keyboard(self, by_keyboard: bool) -> None:
        self._application.setProperty(_BY_KEYBOARD, by_keyboard)

    def _put_around(self, widget: QWidget) -> None:
        only_direct = Qt.FindChildOption.FindDirectChildrenOnly
        found = widget.window().findChild(FocusRing, options=only_direct)
        self._ring = found if isinstance(found, FocusRing) else FocusRing(widget.window())
        self._ring.follow(widget)

    def _is_ours(self, window: QWidget) -> bool:
        """Whether it is the window itself, or belongs to it."""
        owner: QWidget | None = window
        if window is not self._window and not isinstance(window, QDialog | QDockWidget):
            return False
        while owner is not None and owner is not self._window:
            owner = owner.parentWidget()
        return owner is not None


class FocusRing(QWidget):
    """Lies over a window, around one of its widgets, and lets the mouse through."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self.setObjectName("focusRing")
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._followed: list[QWidget] = []
        self.hide()

    @property
    def target(self) -> QWidget | None:
        """What the ring stands around; None while it is not shown."""
        return self._followed[0] if self._followed else None

    def follow(self, widget: QWidget | None) -> None:
        """Stand around a widget of the window from now on, or go."""
        for watched in filter(isValid, self._followed):
            watched.removeEventFilter(self)
        self._followed = []
        inner = widget
        while inner is not None and inner is not self._window:
            self._followed.append(inner)
            inner.installEventFilter(self)
            inner = inner.parentWidget()
        self._place()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in _MOVES:
            self._place()
        return False

    def _place(self) -> None:
        """Stand around the part of the widget that can be seen."""
        widget = self.target
        if widget is None or not all(map(isValid, self._followed)) or not widget.isVisible():
            self.hide()
            return
        window = self._window
        seen = _within(widget, window).adjusted(-_WIDTH, -_WIDTH, _WIDTH, _WIDTH)
        for outer in self._followed[1:]:
            margin = _WIDTH
            seen &= _within(outer, window).adjusted(-margin, -margin, margin, margin)
        seen &= window.rect()
        if seen.width() <= 2 * _WIDTH or seen.height() <= 2 * _WIDTH:
            self.hide()
            return
        self.setGeometry(seen)
        self.setMask(_ring(seen.width(), seen.height()))
        self.show()
        self.raise_()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), self.palette().link())
        painter.end()


def _within(widget: QWidget, window: QWidget) -> QRect:
    return QRect(widget.mapTo(window, QPoint(0, 0)), widget.size())


def _ring(width: int, height: int) -> QRegion:
    outer = _rounded(QRectF(0, 0, width, height), _RADIUS)
    inner = QRectF(_WIDTH, _WIDTH, width - 2 * _WIDTH, height - 2 * _WIDTH)
    return outer.subtracted(_rounded(inner, _RADIUS - _WIDTH))


def _rounded(place: QRectF, radius: float) -> QRegion:
    path = QPainterPath()
    path.addRoundedRect(place, radius, radius)
    return QRegion(path.toFillPolygon().toPolygon())


class KeptFocus:
    """Remembers a widget, and gives it the keyboard back.

    If the widget cannot be seen any more, its window gets the keyboard, or what that names as its
    focus proxy.
    """

    def __init__(self) -> None:
        self._widgets: tuple[QWidget, ...] = ()

    def keep(self, widget: QWidget | None) -> None:
        """Remember a widget, or that none had the keyboard."""
        self._widgets = (widget, widget.window()) if widget is not None else ()

    def give_back(self) -> None:
        """Give the keyboard back, once: what was remembered is forgotten."""
        widgets, self._widgets = self._widgets, ()
        for widget in widgets:
            if isValid(widget) and widget.isVisible():
                widget.window().activateWindow()
                widget.setFocus()
                return
