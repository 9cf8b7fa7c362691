"""What comes to the stage's widgets and is for the stage: keys, the pointer, what pops up."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QAction, QCursor, QGuiApplication, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QApplication, QWidget

from bpe_gui.ui.stage.keys import command_of, number_of
from bpe_gui.ui.stage.lending import asks_in_a_window

_KEYS = frozenset({QEvent.Type.ShortcutOverride, QEvent.Type.KeyPress})
_POPS_UP = frozenset(
    {QEvent.Type.ToolTip, QEvent.Type.WhatsThis, QEvent.Type.ContextMenu, QEvent.Type.StatusTip}
)
_WATCHED = _KEYS | _POPS_UP | {
    QEvent.Type.MouseMove,
    QEvent.Type.Show,
    QEvent.Type.Shortcut,
}

STILL_MILLISECONDS = 1500
"""A pointer that has not moved for so long is not being used to point."""


class StageEventFilter(QObject):
    """Filters the events of the application while the stage is up.

    It has to be the application: hints are shown by whatever is under the pointer, and a key
    of the stage comes before what a table or a field does with it. It says no more than what
    was pressed; the rest is not its business.
    """

    commanded = Signal(object, int)
    """A Command was given by its key, for a layout with a number of panels."""
    grown = Signal()
    """A widget has come onto the stage that writes in another size than what it is part of."""
    numbered = Signal(int)
    """A number from 1 to 4 was pressed while numbers are for something else than layouts."""

    def __init__(self, stage: QWidget, pointer: Pointer) -> None:
        super().__init__(stage)
        self._stage = stage
        self._pointer = pointer
        self.numbers_choose_layouts: Callable[[], bool] = lambda: True
        """Asked whenever a key is pressed; at first they do."""

    def begin(self) -> None:
        """Look at what comes from now on."""
        application = QApplication.instance()
        assert application is not None
        application.installEventFilter(self)
        self._pointer.begin()

    def end(self) -> None:
        """Look at nothing more."""
        application = QApplication.instance()
        assert application is not None
        application.removeEventFilter(self)
        self._pointer.end()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Take what is for the stage."""
        kind = event.type()
        if kind not in _WATCHED:
            return False
        if isinstance(event, QMouseEvent):
            # Most widgets are not told of it, but the window that they are in is.
            self._pointer.moved(event.globalPosition().toPoint())
            return False
        if isinstance(watched, QAction):
            is_here = QApplication.activeWindow() is self._stage
            return is_here and asks_in_a_window(watched.text())
        if not isinstance(watched, QWidget) or watched.window() is not self._stage:
            return False
        if kind in _POPS_UP:
            event.accept()
            return True
        if kind == QEvent.Type.Show:
            self._look_at(watched)
            return False
        return isinstance(event, QKeyEvent) and self._take_key(event)

    def _look_at(self, widget: QWidget) -> None:
        around = widget.parentWidget()
        if (
            around is not None
            and not widget.testAttribute(Qt.WidgetAttribute.WA_SetFont)
            and widget.font().pointSizeF() != around.font().pointSizeF()
        ):
            self.grown.emit()

    def _take_key(self, event: QKeyEvent) -> bool:
        focus = QApplication.focusWidget()
        pressed = event.type() == QEvent.Type.KeyPress
        command = command_of(event, focus, numbers=self.numbers_choose_layouts())
        number = number_of(event, focus)
        if command is not None:
            if pressed:
                self.commanded.emit(*command)
        elif number is not None:
            if pressed and not event.isAutoRepeat():
                self.numbered.emit(number)
        else:
            return False
        event.accept()
        return True


class Pointer(QObject):
    """Hides the pointer when it has stood still for a while, and shows it when it moves."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._place = QPoint()
        self._hidden = False
        self._still = QTimer(self)
        self._still.setSingleShot(True)
        self._still.setInterval(STILL_MILLISECONDS)
        self._still.timeout.connect(self._hide)

    @property
    def hidden(self) -> bool:
        """Whether the pointer is out of sight."""
        return self._hidden

    def begin(self) -> None:
        """Watch the pointer from now on."""
        self._place = QCursor.pos()
        self._still.start()

    def end(self) -> None:
        """Show the pointer, and leave it alone."""
        self._still.stop()
        self._show()

    def moved(self, place: QPoint) -> None:
        """The pointer is at a place on the screen, which need not be another one."""
        if place != self._place:
            self._place = place
            self._show()
            self._still.start()

    @Slot()
    def _hide(self) -> None:
        if not self._hidden:
            self._hidden = True
            # Also over widgets that have a pointer of their own.
            QGuiApplication.setOverrideCursor(Qt.CursorShape.BlankCursor)

    def _show(self) -> None:
        if self._hidden:
            self._hidden = False
            QGuiApplication.restoreOverrideCursor()
