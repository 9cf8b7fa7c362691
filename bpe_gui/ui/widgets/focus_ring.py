"""A ring around the widget that has the keyboard, for users who go by keyboard.

Style sheets and painted views show the focus in different ways, some only by a shade. The ring
is the same for all: it is drawn over the window and visible on every background.
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

from bpe_gui.ui.theme.application import application

_BY_KEYBOARD = "goesByKeyboard"
"""A property of the application, for widgets of all windows."""
_WIDTH = 2
_RADIUS = 6
_MOVES = frozenset({QEvent.Type.Move, QEvent.Type.Resize, QEvent.Type.Show, QEvent.Type.Hide})


def goes_by_keyboard() -> bool:
    """Return whether the user goes through the window by keyboard: from a Tab until a click."""
    application = QApplication.instance()
    return application is not None and bool(application.property(_BY_KEYBOARD))


class FocusRings(QObject):
    """Shows rings in a window, and in its dialogs and floating panels.

    In the window a ring follows the focus from the first Tab until a click: a click shows the
    place of the focus itself. Elsewhere any move of the focus without a click is one by keyboard.
    On the stage, which has an audience, a ring is shown only from a Tab until the focus moves.
    """

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self._ring: FocusRing | None = None
        self._last: QWidget | None = None
        self._application = application()
        self._set_by_keyboard(False)
        self._application.focusChanged.connect(self._on_focus)

    @Slot()
    def use_keyboard(self) -> None:
        """Show the ring from now on: the focus moves by keyboard."""
        self._set_by_keyboard(True)
        self._show(QApplication.focusWidget())

    @Slot()
    def show_once(self) -> None:
        """Show where the focus is, until it moves."""
        focus = QApplication.focusWidget()
        if focus is not None:
            self._put_around(focus)

    @Slot(QWidget, QWidget)
    def _on_focus(self, before: QWidget | None, now: QWidget | None) -> None:
        # The widget that had the focus may be being deleted: do not touch it.
        window = now.window() if now is not None else None
        if window is not None and not window.isVisible():
            # Qt moves the focus even within a dialog that it deletes: search no child there.
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
        """Return whether it is the window itself, or belongs to it."""
        owner: QWidget | None = window
        if window is not self._window and not isinstance(window, QDialog | QDockWidget):
            return False
        while owner is not None and owner is not self._window:
            owner = owner.parentWidget()
        return owner is not None


class FocusRing(QWidget):
    """A ring over a window around one of its widgets, transparent to the mouse."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self.setObjectName("focusRing")
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._followed: list[QWidget] = []
        self.hide()

    @property
    def target(self) -> QWidget | None:
        """The widget inside the ring; None while it is hidden."""
        return self._followed[0] if self._followed else None

    def follow(self, widget: QWidget | None) -> None:
        """Show the ring around a widget of the window, or hide it."""
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
        """Put the ring around the visible part of the widget."""
        seen = QRect()
        if self._followed and all(map(isValid, self._followed)) and self._followed[0].isVisible():
            seen = self._window.rect()
            for widget in self._followed:
                place = QRect(widget.mapTo(self._window, QPoint()), widget.size())
                seen &= place.adjusted(-_WIDTH, -_WIDTH, _WIDTH, _WIDTH)
        if min(seen.width(), seen.height()) <= 2 * _WIDTH:
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
