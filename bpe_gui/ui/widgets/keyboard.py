"""The keyboard: a ring around what has it, what keys are for, and the order in which Tab goes on.

Space, Left, Right, Home and End move the cursor of the run, except where text is typed. A widget
that was reached by Tab, and has the focus ring, uses them itself: a button needs Space, a table
Left. A widget that was only clicked leaves them to the cursor. Tabs always do: they are changed by
Up and Down.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QRectF, Qt, Slot
from PySide6.QtGui import (
    QGuiApplication,
    QKeyEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QRegion,
)
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractScrollArea,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QDialog,
    QDockWidget,
    QLayout,
    QLineEdit,
    QPlainTextEdit,
    QRadioButton,
    QScrollArea,
    QSplitter,
    QStackedWidget,
    QTabBar,
    QTabWidget,
    QTextEdit,
    QWidget,
)
from shiboken6 import isValid

from bpe_gui.ui.theme.text_size import application
from bpe_gui.ui.theme.theme import directly_in

BY_KEYBOARD = "goesByKeyboard"
"""A property of the application, for widgets of all windows."""
_WIDTH = 2
_RADIUS = 6
_MOVES = frozenset({QEvent.Type.Move, QEvent.Type.Resize, QEvent.Type.Show, QEvent.Type.Hide})


def goes_by_keyboard() -> bool:
    """Return whether the user goes through the window by keyboard: from a Tab until a click."""
    application = QApplication.instance()
    return application is not None and bool(application.property(BY_KEYBOARD))


def focus_is_going() -> bool:
    """Return whether what has the keyboard is hidden or disabled: Qt gives it to something else."""
    focus = QApplication.focusWidget()
    return focus is not None and not (focus.isVisible() and focus.isEnabled())


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
        self._application.setProperty(BY_KEYBOARD, by_keyboard)

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
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), self.palette().link())


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


_SPACE = frozenset({Qt.Key.Key_Space})
_SIDEWAYS = frozenset({Qt.Key.Key_Left, Qt.Key.Key_Right})
_ENDS = frozenset({Qt.Key.Key_Home, Qt.Key.Key_End})
_UP_AND_DOWN = frozenset({Qt.Key.Key_Up, Qt.Key.Key_Down})
_ALL = _SPACE | _SIDEWAYS | _ENDS | _UP_AND_DOWN

_CURSOR = _SPACE | _SIDEWAYS | _ENDS
"""The keys that move the cursor of the run."""
_TYPED_IN = (QPlainTextEdit, QTextEdit, QLineEdit, QAbstractSpinBox)

_WANTED: tuple[tuple[type[QWidget], frozenset[Qt.Key]], ...] = (
    (QAbstractItemView, _ALL),
    (QComboBox, _SPACE | _UP_AND_DOWN),
    (QTabBar, _UP_AND_DOWN),
    (QRadioButton, _SIDEWAYS | _UP_AND_DOWN),
    (QAbstractButton, _SPACE),
)


def moves_the_cursor(event: QKeyEvent) -> bool:
    """Return whether a key moves the cursor of the run, unless text is typed."""
    return (
        event.key() in _CURSOR
        and event.modifiers() == Qt.KeyboardModifier.NoModifier
        and not goes_by_keyboard()
    )


def is_typed_in(widget: QWidget | None) -> bool:
    """Return whether keys write text in a widget."""
    return isinstance(widget, _TYPED_IN) and not widget.isReadOnly()


def wants(widget: QWidget | None, event: QKeyEvent) -> bool:
    """Return whether a widget with the focus uses a key itself."""
    key = event.key()
    if isinstance(widget, QPlainTextEdit | QTextEdit) and widget.isReadOnly():
        # It only scrolls: it has no caret.
        return key in _UP_AND_DOWN
    if isinstance(widget, _TYPED_IN):
        return key in _ALL
    is_clicked_into = widget is not None and widget.focusPolicy() & Qt.FocusPolicy.ClickFocus
    if moves_the_cursor(event) and is_clicked_into:
        return False
    return any(isinstance(widget, kind) and key in keys for kind, keys in _WANTED)


def is_plain(event: QKeyEvent) -> bool:
    """Tell whether a key is pressed alone, be it on the keypad or not."""
    return not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier


class KeyClaim(QObject):
    """Claims keys pressed alone for a widget and what is in it, before an action gets them."""

    def __init__(self, widget: QWidget, keys: frozenset[Qt.Key]) -> None:
        super().__init__(widget)
        self._keys = keys
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() != QEvent.Type.ShortcutOverride or not isinstance(event, QKeyEvent):
            return False
        claims = event.key() in self._keys and is_plain(event)
        if claims:
            event.accept()
        return claims


class KeyGuard(QObject):
    """Watches windows and docks, which get the keys that no widget in them has claimed."""

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Claim a key for the widget with the focus before an action gets it."""
        if not isinstance(event, QKeyEvent):
            return False
        if event.modifiers() & Qt.KeyboardModifier.AltModifier:
            # No widget uses Alt; with it, an arrow is another key.
            return False
        focus = QApplication.focusWidget()
        if not wants(focus, event):
            return False
        if event.type() == QEvent.Type.KeyPress and isinstance(focus, QTabBar):
            _change_tab(focus, -1 if event.key() == Qt.Key.Key_Up else 1)
        elif event.type() != QEvent.Type.ShortcutOverride:
            return False
        elif isinstance(focus, QTabBar):
            # The panel around the tabs may use the key that follows: take it before.
            focus.installEventFilter(self)
        event.accept()
        return True


def _change_tab(tabs: QTabBar, step: int) -> None:
    """Go on to the next tab that can be chosen, if there is one: Qt knows only Left and Right."""
    place = tabs.currentIndex() + step
    while 0 <= place < tabs.count():
        if tabs.isTabEnabled(place) and tabs.isTabVisible(place):
            tabs.setCurrentIndex(place)
            return
        place += step


def set_tab_order(parts: Sequence[QWidget]) -> None:
    """Let Tab go through these parts in their order, and through each as it is laid out.

    Tab does not leave a window: a floating dock has its order.
    """
    stops: dict[QWidget, list[QWidget]] = {}
    for part in parts:
        stops.setdefault(part.window(), []).extend(filter(_takes_tab, in_order(part)))
    for together in stops.values():
        for before, after in pairwise(together):
            QWidget.setTabOrder(before, after)


def go_by_tab(window: QWidget, parts: Sequence[QWidget], *, forward: bool) -> bool:
    """Focus the next widget in a window, or the one before; return whether there is one.

    Tab goes through `parts` in their order, then through the rest of the window. Qt's own order
    would miss widgets where it begins again, and docks that are behind others, which are
    visible beside the window. Asking Qt for its order invalidates wrappers: each widget it
    returns becomes owned by the one before, and is deleted with it.
    """
    rest = [widget for widget in directly_in(window) if widget not in parts]
    seen = [part for part in (*parts, *rest) if not part.isWindow() and not _is_behind(part)]
    order = [widget for part in seen for widget in in_order(part)]
    places = {widget: place for place, widget in enumerate(order)}
    start = QApplication.focusWidget()
    while start is not None and start not in places:
        start = start.parentWidget()
    place = places[start] if start is not None else -1 if forward else len(order)
    after, before = order[place + 1 :], order[: max(place, 0)]
    for widget in after + before if forward else reversed(after + before):
        if _takes_tab(widget) and widget.isVisible() and widget.isEnabled():
            reason = Qt.FocusReason
            widget.setFocus(reason.TabFocusReason if forward else reason.BacktabFocusReason)
            return True
    return False


def in_order(widget: QWidget) -> Iterator[QWidget]:
    """Return a widget and those within it, in the order in which Tab goes through them."""
    yield widget
    if _takes_tab(widget) and (isinstance(widget, QAbstractScrollArea) or widget.layout() is None):
        return
    for inner in _inner(widget):
        if inner is not None:
            yield from in_order(inner)


def _is_behind(part: QWidget) -> bool:
    """Return whether a part is a dock that is behind another one: Qt keeps it off the window."""
    return isinstance(part, QDockWidget) and not part.window().rect().intersects(part.geometry())


def _takes_tab(widget: QWidget) -> bool:
    """Return whether Tab may give the keyboard to a widget while it can be used."""
    return bool(widget.focusPolicy() & Qt.FocusPolicy.TabFocus) and widget.focusProxy() is None


def _inner(widget: QWidget) -> Iterator[QWidget | None]:
    """Return the widgets directly within one, in the order of its layout."""
    layout = widget.layout()
    if isinstance(widget, QDockWidget | QScrollArea):
        yield widget.widget()
    elif isinstance(widget, QTabWidget):
        yield widget.tabBar()
        yield widget.cornerWidget()
        yield from map(widget.widget, range(widget.count()))
    elif isinstance(widget, QSplitter | QStackedWidget):
        yield from map(widget.widget, range(widget.count()))
    elif layout is not None:
        yield from _laid_out(layout, directly_in(widget))


def _laid_out(layout: QLayout, widgets: Sequence[QWidget]) -> Iterator[QWidget]:
    """Return those of some widgets that a layout holds, in its order.

    Not by the items of the layout: Qt deletes them without PySide's knowledge, which then takes
    other objects in the same memory for them.
    """
    inner = [each for each in layout.children() if isinstance(each, QLayout)]
    places: dict[int, QWidget | QLayout] = {
        **{layout.indexOf(widget): widget for widget in widgets},
        **{layout.indexOf(each): each for each in inner},
    }
    for place in sorted(places.keys() - {-1}):
        part = places[place]
        if isinstance(part, QLayout):
            yield from _laid_out(part, widgets)
        else:
            yield part
