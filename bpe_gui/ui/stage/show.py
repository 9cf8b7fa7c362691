"""The window of the stage: the board, the page to choose from, an empty one, and the end.

How large type must be to be read from the back row is the rule of ANSI/INFOCOMM V202.01:2016 for
pictures that people decide by: what is n two-hundredths of the height of a picture is read from n
times that height away. A lower-case x of 1/50 of the screen's height is read from four screen
heights away: from ten metres, where the picture is two metres and a half high.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import ceil

from PySide6.QtCore import QChildEvent, QEvent, QObject, QPoint, Qt, QTimer, Signal, Slot
from PySide6.QtGui import (
    QAction,
    QCloseEvent,
    QColor,
    QCursor,
    QFont,
    QFontInfo,
    QFontMetricsF,
    QGuiApplication,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPalette,
    QPen,
    QPixmap,
    QRegion,
    QResizeEvent,
    QScreen,
)
from PySide6.QtWidgets import (
    QApplication,
    QLabel,
    QLayout,
    QStackedWidget,
    QToolTip,
    QVBoxLayout,
    QWidget,
)

from bpe_gui.tours.tour import Moment, Workspace
from bpe_gui.ui.actions.action_words import announce
from bpe_gui.ui.actions.actions import Actions
from bpe_gui.ui.stage.board import Board, asks_in_a_window
from bpe_gui.ui.stage.chooser import Chooser
from bpe_gui.ui.stage.keys import Command, command_of
from bpe_gui.ui.stage.pen import INK, Pen
from bpe_gui.ui.theme.text_size import FontFollower, resized
from bpe_gui.ui.theme.theme import directly_in
from bpe_gui.ui.widgets.keyboard import KeyGuard, focus_is_going
from bpe_gui.ui.widgets.layouts import filled
from bpe_gui.ui.widgets.naming import named, quiet

_SHADE = QColor(0, 0, 0, 120)


class LastPicture(QWidget):
    """Covers panels with what they showed, so that nobody sees them half changed."""

    def __init__(self, over: QWidget) -> None:
        super().__init__(over)
        named(self, "stageLastPicture", "The page before")
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._picture = QPixmap()
        self.hide()

    def take(self, region: QRegion) -> None:
        """Take and show a picture of parts of the widget that this one lies over."""
        over = self.parentWidget()
        # What it shows already is still the last picture.
        if over is None or region.isEmpty() or self.isVisible():
            return
        area = region.boundingRect()
        self._picture = over.grab(area)
        self.setGeometry(area)
        self.setMask(region.translated(-area.topLeft()))
        self.show()
        self.raise_()

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.drawPixmap(0, 0, self._picture)
            painter.fillRect(self.rect(), _SHADE)


def changes_in_parts(before: Moment, after: Moment) -> bool:
    """Tell whether the panels would show parts of two pages while a moment is prepared.

    They do when another run is trained, or other lanes, and the laboratory reads the corpus when it
    comes into view. The merges of the same run are watched, and so is a walk of the cursor.
    """
    old, new = before.scene, after.scene
    if new.workspace is Workspace.LABORATORY is not old.workspace:
        return True
    if new.go_to.plays:
        return False
    if (old.corpus, old.preset, old.vocabulary, old.ties) != (
        new.corpus, new.preset, new.vocabulary, new.ties,
    ):  # fmt: skip
        return True
    lanes = (old.lanes, old.text, old.compare_on) != (new.lanes, new.text, new.compare_on)
    return lanes and Workspace.COMPARE in (old.workspace, new.workspace)


_LARGER = 2.5
"""The size of the title, as a share of that of the text on the stage."""

THE_END = "The end"
NO_MERGES = "No merges yet"
END_OF_TOUR = "Page Up goes back to the last page.\nEsc ends the tour and leaves the stage."
END_OF_RUN = "Page Up goes back to the last merge.\nEsc leaves the stage."
UNTRAINED = "T trains. Page Up goes back to the panels.\nEsc leaves the stage."
TRAINABLE = "Page Up goes back to the last merge.\nT trains on. Esc leaves the stage."


class EndPage(QWidget):
    """Shows a title and a sentence in the middle of the stage."""

    def __init__(self) -> None:
        super().__init__()
        named(self, "stageEnd", THE_END)
        self.setBackgroundRole(QPalette.ColorRole.Base)
        self.setAutoFillBackground(True)
        self._title = named(QLabel(), "stageEndTitle")
        self._sentence = quiet(named(QLabel(wordWrap=True), "stageEndSentence"))
        for label in (self._title, self._sentence):
            label.setAlignment(Qt.AlignmentFlag.AlignCenter)
            label.setTextFormat(Qt.TextFormat.PlainText)
        parts = None, self._title, self._sentence, None
        filled(QVBoxLayout(self), *parts, spacing=24, margins=(24, 24, 24, 24))
        # What is written large for one screen keeps the stage from no smaller one.
        self.setMinimumSize(1, 1)
        FontFollower(self, lambda: self._title.setFont(resized(self.font(), _LARGER, bold=True)))

    def show_end(self, title: str, sentence: str) -> None:
        """Write what has ended, and how to go on."""
        self._title.setText(title)
        self._sentence.setText(sentence)
        self.setAccessibleName(f"{title}. {sentence}")
        announce(self, f"{title}. {sentence}")


LEAST = 1 / 50
"""The height of a lower-case x as a share of the height of the screen, at least, in tokens,
labels of charts and sentences."""

_SMALLER = 0.9
"""Charts write their labels this much smaller than the text around them."""
_FOR_THE_SPEAKER = 0.6
"""The size of what only the speaker reads, as a share of that of the panels."""
_DOTS = 25
"""The height of the screen in dots."""
STILL_MILLISECONDS = 1500
"""A pointer that has not moved for so long is not being used to point."""

_KEYS = frozenset({QEvent.Type.ShortcutOverride, QEvent.Type.KeyPress})
_POPS_UP = frozenset(
    {QEvent.Type.ToolTip, QEvent.Type.WhatsThis, QEvent.Type.ContextMenu, QEvent.Type.StatusTip}
)
_MOVES_IN, _MOVES_OUT = QEvent.Type.ChildPolished, QEvent.Type.ParentChange
_WATCHED = _KEYS | _POPS_UP | {_MOVES_IN, _MOVES_OUT, QEvent.Type.Show, QEvent.Type.Shortcut}


class Show(QWidget):
    """Fills a screen; its text grows with it.

    The main window stays as it is behind it: its docks, its size, and its messages. Of the actions
    it has those with which one shows a run; none of them opens a dialog.
    """

    closing = Signal()
    """Somebody wants the window to go."""
    commanded = Signal(object, int)
    """A Command was given by its key, and the number that was pressed, if it was one."""
    tabbed = Signal()
    """The keyboard has gone on to another control by Tab."""

    def __init__(self, titles: Mapping[str, str], actions: Actions, window: QWidget) -> None:
        """`titles` are the titles of panels by their names."""
        super().__init__(window, Qt.WindowType.Window)
        named(self, "stage", "Stage")
        self.setWindowTitle("Stage — bpe-gui")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.board = Board()
        self.chooser = Chooser(titles)
        self.blank = named(QWidget(), "stageBlank", "Empty stage")
        self.end_page = EndPage()
        self._pages = QStackedWidget()
        for page in (self.board, self.chooser, self.blank, self.end_page):
            self._pages.addWidget(page)
        layout = filled(QVBoxLayout(self), self._pages)
        # No page makes the stage larger than the screen.
        layout.setSizeConstraint(QLayout.SizeConstraint.SetNoConstraint)
        self.addActions(_shown_with(actions))
        self._guard = KeyGuard(self)
        self.installEventFilter(self._guard)
        self._pointer = _Pointer(self)
        self.pen = Pen(self.board)
        self.last_picture = LastPicture(self.board)

    def begin(self, screen: QScreen) -> None:
        """Show the stage on a screen."""
        QToolTip.hideText()
        self.fill(screen)
        self._watch(self)
        self._pointer.begin(self)

    def fill(self, screen: QScreen) -> None:
        """Go to a screen and fill it, wherever the stage is now."""
        if self.isVisible():
            self._let_go_of_screen()
        self.setScreen(screen)
        # Where there is no window manager, nobody else gives it its size.
        self.setGeometry(screen.geometry())
        self.showFullScreen()
        self.activateWindow()

    def _let_go_of_screen(self) -> None:
        """Stop filling the screen: no window goes to another screen before."""
        if QGuiApplication.platformName() == "wayland":
            # There the answer to becoming a small one would come when it is large again.
            self.hide()
        else:
            # Hidden it would lose the keyboard, where no window manager gives it back.
            self.showNormal()

    def fills(self, screen: QScreen) -> bool:
        """Tell whether the stage is on a screen and as large as that."""
        return self.screen() is screen and self.geometry() == screen.geometry()

    def end(self) -> None:
        """Hide the stage."""
        self._let_be(self)
        self._pointer.end()
        self.pen.end()
        self.last_picture.hide()
        self.hide()

    @property
    def page(self) -> QWidget:
        """What is seen: the board, the chooser, the empty page or the end."""
        page = self._pages.currentWidget()
        assert page is not None
        return page

    def show_page(self, page: QWidget) -> None:
        """Show the board, the chooser, the empty page or the end."""
        self._pages.setCurrentWidget(page)
        page.setFocus()

    def toggle_dot(self) -> None:
        """Turn the mouse pointer into a large dot, or back."""
        self._pointer.set_dot(None if self._pointer.is_dot else _dot(self.height()))

    def _watch(self, widget: QWidget) -> None:
        """See what comes to a widget of the stage, and to all in it, before they do.

        Hints are shown by whatever is under the pointer, and a key of the stage comes before what a
        table or a field does with it. What is not on the stage is not slowed down.
        """
        widget.installEventFilter(self)
        for action in widget.actions():
            action.installEventFilter(self)
        for inner in directly_in(widget):
            self._watch(inner)

    def _let_be(self, widget: QWidget) -> None:
        widget.removeEventFilter(self)
        for inner in directly_in(widget):
            self._let_be(inner)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Take the keys of the stage, and keep tooltips and menus from it."""
        kind = event.type()
        if kind not in _WATCHED:
            return False
        if isinstance(watched, QAction):
            unseen = self.page in (self.blank, self.end_page)
            here = QApplication.activeWindow() is self
            return here and (unseen or asks_in_a_window(watched.text()))
        if not isinstance(watched, QWidget):
            return False
        if watched.window() is not self:
            if kind == _MOVES_OUT:
                self._let_be(watched)
            return False
        if isinstance(event, QChildEvent):
            if isinstance(child := event.child(), QWidget):
                self._watch(child)
            return False
        if kind in _POPS_UP:
            event.accept()
            return True
        if kind == QEvent.Type.Show:
            self._look_at(watched)
            return False
        return isinstance(event, QKeyEvent) and self._take_key(event)

    def _look_at(self, widget: QWidget) -> None:
        """Give new parts of the stage the font of what they are in."""
        around = widget.parentWidget()
        if (
            around is not None
            and not self.board.is_writing
            and not widget.testAttribute(Qt.WidgetAttribute.WA_SetFont)
            and widget.font().pointSizeF() != around.font().pointSizeF()
        ):
            self.board.write_soon(widget)

    def _take_key(self, event: QKeyEvent) -> bool:
        found = command_of(event, QApplication.focusWidget())
        if found is None:
            return False
        again = found[0] is Command.NUMBER and event.isAutoRepeat()
        if event.type() == QEvent.Type.KeyPress and not again:
            self.commanded.emit(*found)
        event.accept()
        return True

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        # As it is on this screen: another one may have more pixels to a point.
        font = QFont(QApplication.font(), self)
        font.setPointSizeF(text_points(font, max(1, self.height())))
        if font != self.font():
            self.setFont(font)
            self.chooser.setFont(resized(font, _FOR_THE_SPEAKER))

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Go to another control by Tab, and signal it: the ring of the focus is to be seen."""
        by_tab = not focus_is_going()
        moved = super().focusNextPrevChild(forward)
        if by_tab:
            self.tabbed.emit()
        return moved

    def closeEvent(self, event: QCloseEvent) -> None:
        """Have everything given back before the window closes."""
        self.closing.emit()
        super().closeEvent(event)


class _Pointer(QObject):
    """Hides the pointer when it has not moved for a while, and shows it when it moves.

    As a dot it stays: the speaker points with it.
    """

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._place = QPoint()
        self._hidden = False
        self.is_dot = False
        """Whether the pointer is a dot."""
        self._still = QTimer(self, singleShot=True, interval=STILL_MILLISECONDS)
        self._still.timeout.connect(self._hide)

    def begin(self, window: QWidget) -> None:
        """Begin to watch the pointer over a window."""
        # Most widgets get no moves of the mouse, but their window does.
        window.windowHandle().installEventFilter(self)
        self._place = QCursor.pos()
        self._still.start()

    def end(self) -> None:
        """Show the pointer as usual, and watch it no more."""
        self._show()
        self.set_dot(None)
        self._still.stop()

    def set_dot(self, cursor: QCursor | None) -> None:
        """Show the pointer as a dot, or with None as usual."""
        if self.is_dot:
            QGuiApplication.restoreOverrideCursor()
        self._show()
        self.is_dot = cursor is not None
        if cursor is not None:
            # Also over widgets that set another pointer.
            QGuiApplication.setOverrideCursor(cursor)
        self._still.start()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QMouseEvent):
            place = event.globalPosition().toPoint()
            # It may be told the same place again.
            if place != self._place:
                self._place = place
                self._show()
                self._still.start()
        elif event.type() == QEvent.Type.Leave:
            self._show()
            self._still.stop()
        return False

    @Slot()
    def _hide(self) -> None:
        if not self._hidden and not self.is_dot:
            self._hidden = True
            # Also over widgets that set another pointer.
            QGuiApplication.setOverrideCursor(Qt.CursorShape.BlankCursor)

    def _show(self) -> None:
        if self._hidden:
            self._hidden = False
            QGuiApplication.restoreOverrideCursor()


def _dot(height: int) -> QCursor:
    """Return a pointer for a screen of this height, red with a white edge: seen on all colours."""
    side = max(16, height // _DOTS)
    picture = QPixmap(side, side)
    picture.fill(Qt.GlobalColor.transparent)
    with QPainter(picture) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(Qt.GlobalColor.white, side / 10))
        painter.setBrush(INK)
        painter.setOpacity(0.75)
        edge = side // 10 + 1
        painter.drawEllipse(picture.rect().adjusted(edge, edge, -edge, -edge))
    return QCursor(picture)


def _shown_with(actions: Actions) -> list[QAction]:
    """Return the actions with which one shows a run. None of them opens a dialog."""
    return [
        actions.pause, actions.play, actions.step, actions.step_back,
        actions.home, actions.end, actions.live, actions.faster, actions.slower,
        actions.bookmark, actions.next_bookmark, actions.previous_bookmark, actions.animate,
        actions.forbid, actions.force, actions.next_branch, actions.guess,
        actions.next_difference, actions.previous_difference, actions.next_palette,
        actions.tour, actions.short_tour, actions.next_page, actions.previous_page,
        actions.next_chapter, actions.previous_chapter, actions.leave_tour,
    ]  # fmt: skip


def text_points(font: QFont, height: int) -> float:
    """Compute the point size in which a font is readable on a screen of this height.

    `height` is in logical pixels, like the height of a widget that fills the screen; a screen of
    2160 pixels at a scale of 2 has 1080, and its text is the same share of it. It is large enough
    for the labels of charts, too.
    """
    trial = QFont(font)
    trial.setPixelSize(1000)
    wanted = LEAST * height / _SMALLER
    # Fonts have a whole number of pixels.
    pixels = ceil(1000 * wanted / QFontMetricsF(trial).xHeight())
    trial.setPointSizeF(1000)
    return pixels * 1000 / QFontInfo(trial).pixelSize()
