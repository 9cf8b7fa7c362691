"""The timeline: a whole run as a strip, with a handle that is the cursor."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QEvent, QPoint, QSize, Qt, Signal, Slot
from PySide6.QtGui import (
    QAction,
    QContextMenuEvent,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QAbstractSlider, QMenu, QSizePolicy, QToolTip, QWidget

from bpe_gui.bpe.history import History
from bpe_gui.ui.run.bookmarks import Bookmark
from bpe_gui.ui.run.merge_wording import merge_text
from bpe_gui.ui.theme.theme import ThemeFollower
from bpe_gui.ui.timeline.bookmark_editor import BookmarkEditor
from bpe_gui.ui.timeline.painter import Flag, TimelineDrawing

_NOTCH = 120
"""What a wheel turns by at least, in eighths of a degree."""
_PAGES = 20
_NOT_TRAINED = "not trained yet"


class Timeline(QAbstractSlider):
    """Shows where in a run the cursor is, and lets the user move it.

    A slider for keyboards and screen readers: its value is the position. It moves the
    cursor by asking for it and shows what it is told: `seekRequested`, then
    `set_position`. Bookmarks stand on top as flags: a click goes there, a double click
    names, the context menu removes.
    """

    seekRequested = Signal(int)
    """The user wants the cursor at a position."""
    bookmarkRequested = Signal(int)
    """The user wants a position marked."""
    bookmarkRenamed = Signal(int, str)
    """The user has given the bookmark at a position another name."""
    bookmarkRemoved = Signal(int)
    """The user does not want the bookmark at a position any more."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("timeline")
        self.setAccessibleName("Timeline")
        self.setOrientation(Qt.Orientation.Horizontal)
        self._history: History | None = None
        self._showing = False
        self._turned = 0
        self._drawing = TimelineDrawing(self.font())
        ThemeFollower(self, self._drawing.take_colours)
        self._editor = BookmarkEditor(self)
        self._editor.named.connect(self.bookmarkRenamed)
        self.valueChanged.connect(self._value_changed)
        self.setRange(0, 0)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)

    def sizeHint(self) -> QSize:
        """A strip as wide as there is room."""
        return QSize(480, self._drawing.height)

    def minimumSizeHint(self) -> QSize:
        """The least that can be dragged along."""
        return QSize(220, self._drawing.height)

    # -- what is shown ---------------------------------------------------------------------

    @property
    def position(self) -> int:
        """The position that is shown."""
        return self.value()

    def set_history(self, history: History | None) -> None:
        """Show another run from its start, or none."""
        self._history = history
        self._editor.close_editor()
        self._drawing.set_bookmarks([])
        self._drawing.set_history(history)
        self.set_length(len(history) if history is not None else 0)
        self.set_position(0)
        self.say()

    def set_length(self, length: int) -> None:
        """Take in that the run has grown to so many merges."""
        if length != self.maximum():
            self._showing = True
            self.setRange(0, length)
            self._showing = False
            self.setPageStep(max(1, length // _PAGES))
        self._drawing.prepare()
        self.update()

    def set_position(self, position: int) -> None:
        """Put the handle at a position; what the run has grown by is drawn too."""
        if self._history is not None and len(self._history) != self.maximum():
            self.set_length(len(self._history))
        elif self._history is not None and self._history.stopped is not None:
            self._drawing.prepare()  # a run that has just stopped fills the strip
        self._showing = True
        self.setValue(position)
        self._showing = False
        self.update()

    def set_bookmarks(self, bookmarks: Iterable[Bookmark]) -> None:
        """Show these flags and no others."""
        self._drawing.set_bookmarks(list(bookmarks))
        self.update()

    def say(self) -> None:
        """Tell screen readers which merge led to the position; too slow for each frame."""
        text = merge_text(self._history, self.position) if self._history is not None else ""
        if text != self.accessibleDescription():
            self.setAccessibleDescription(text)

    def place_of(self, position: int) -> QPoint:
        """Where in the widget a position is."""
        return QPoint(self._drawing.x_of(position), self._drawing.height // 2)

    @property
    def flags(self) -> list[Flag]:
        """The bookmarks as they are drawn, from left to right."""
        return self._drawing.flags

    # -- moving the cursor -------------------------------------------------------------------

    @Slot(int)
    def _value_changed(self, value: int) -> None:
        """A key, or a screen reader, has moved the slider."""
        if not self._showing:
            self.seekRequested.emit(value)

    def _ask(self, position: int) -> None:
        """Ask for a position, also where the handle is there: the cursor may not be yet."""
        self._showing = True
        self.setValue(position)
        self._showing = False
        self.seekRequested.emit(self.value())

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Go to where the mouse is, or to the bookmark under it."""
        if event.button() is not Qt.MouseButton.LeftButton or self._history is None:
            event.ignore()
            return
        flag = self._drawing.flag_at(event.position().x(), event.position().y())
        if flag is not None:
            self._ask(flag.bookmark.position)
            return
        self.setSliderDown(True)
        self._ask(self._drawing.position_at(event.position().x()))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Drag the handle along; without a button, tell what is under the mouse."""
        if self.isSliderDown():
            position = self._drawing.position_at(event.position().x())
            if min(max(position, 0), self.maximum()) != self.value():
                self._ask(position)
            return
        place = event.position()
        flagged = self._drawing.flag_at(place.x(), place.y()) is not None
        shape = Qt.CursorShape.PointingHandCursor if flagged else Qt.CursorShape.ArrowCursor
        self.setCursor(shape)
        if QToolTip.isVisible():
            self._show_tooltip(place.toPoint(), event.globalPosition().toPoint())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Let the handle go."""
        self.setSliderDown(False)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Name the bookmark under the mouse."""
        flag = self._drawing.flag_at(event.position().x(), event.position().y())
        if flag is not None and event.button() is Qt.MouseButton.LeftButton:
            self._edit(flag)
        else:
            self.mousePressEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """One notch is one merge, or a page with Ctrl: for where the mouse is too coarse."""
        self._turned += event.angleDelta().y() or event.angleDelta().x()
        notches = int(self._turned / _NOTCH)
        self._turned -= notches * _NOTCH
        paging = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        self.setValue(self.value() + notches * (self.pageStep() if paging else 1))
        event.accept()

    # -- bookmarks ---------------------------------------------------------------------------

    def _edit(self, flag: Flag) -> None:
        self._editor.open_at(flag.x, self._drawing.flags_height, flag.bookmark)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Offer what can be done with the bookmark, or the position, at that place."""
        if self._history is None:
            return
        by_mouse = event.reason() is QContextMenuEvent.Reason.Mouse
        menu = self.menu_at(event.pos() if by_mouse else self.place_of(self.value()))
        menu.exec(event.globalPos())
        menu.deleteLater()

    def menu_at(self, place: QPoint) -> QMenu:
        """What can be done at a place: with the flag that stands there, or to set one."""
        menu = QMenu(self)
        menu.triggered.connect(self._on_menu)
        flag = self._drawing.flag_at(place.x(), place.y())
        position = min(max(self._drawing.position_at(place.x()), 0), self.maximum())
        if flag is None:
            marked = [f for f in self.flags if f.bookmark.position == position]
            flag = marked[0] if marked else None
        if flag is not None:
            position = flag.bookmark.position
            choices = [("&Rename…\tF2", "rename"), ("Re&move bookmark\tDel", "remove")]
        else:
            choices = [(f"&Bookmark merge {position:,}", "add")]
        for text, choice in choices:
            action = menu.addAction(text)
            action.setObjectName(f"{choice}Bookmark")
            action.setData((choice, position))
        return menu

    @Slot(QAction)
    def _on_menu(self, action: QAction) -> None:
        choice, position = action.data()
        if choice == "add":
            self.bookmarkRequested.emit(position)
        elif choice == "remove":
            self.bookmarkRemoved.emit(position)
        else:
            for flag in self.flags:
                if flag.bookmark.position == position:
                    self._edit(flag)

    # -- saying what is there --------------------------------------------------------------

    def event(self, event: QEvent) -> bool:
        """Answer to hovering with the merge that is there."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            self._show_tooltip(event.pos(), event.globalPos())
            return True
        return super().event(event)

    def _show_tooltip(self, place: QPoint, global_place: QPoint) -> None:
        text = self.tooltip_at(place)
        if text:
            QToolTip.showText(global_place, text, self)
        else:
            QToolTip.hideText()

    def tooltip_at(self, place: QPoint) -> str:
        """What is to be said about a place; nothing, where there is nothing yet."""
        if self._history is None:
            return ""
        flag = self._drawing.flag_at(place.x(), place.y())
        position = max(self._drawing.position_at(place.x()), 0)
        if flag is not None:
            reached = flag.bookmark.position <= len(self._history)
            text = merge_text(self._history, flag.bookmark.position) if reached else _NOT_TRAINED
            return f"{flag.bookmark.name}: {text}\nDouble click to name it"
        end = len(self._history)
        if position > end:
            return _NOT_TRAINED if self._history.stopped is None else ""
        text = merge_text(self._history, position)
        if position == end and self._history.stopped is not None:
            text += f"\ntraining stopped here: {self._history.stopped}"
        return text[:1].upper() + text[1:]

    # -- events ------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the strip, the flags, the handle and the position."""
        painter = QPainter(self)
        self._drawing.draw(painter, self.value(), focused=self.hasFocus())
        painter.end()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Lay the strip out for the new size."""
        self._drawing.resize(self.width())
        super().resizeEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        """Follow a change of the application's font."""
        if event.type() == QEvent.Type.FontChange:
            self._drawing.set_font(self.font())
            self._drawing.prepare()
            self.updateGeometry()
            self.update()
        super().changeEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """F2 names the bookmark at the cursor, Delete removes it; else a slider's keys."""
        here = [flag for flag in self.flags if flag.bookmark.position == self.value()]
        if here and event.key() == Qt.Key.Key_F2:
            self._edit(here[0])
        elif here and event.key() == Qt.Key.Key_Delete:
            self.bookmarkRemoved.emit(self.value())
        else:
            super().keyPressEvent(event)
