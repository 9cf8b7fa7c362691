"""Show the speaker what the audience does not see: the note, the time, and what comes next."""

from __future__ import annotations

from PySide6.QtCore import QElapsedTimer, Qt, QTime, QTimer, Signal, Slot
from PySide6.QtGui import (
    QCloseEvent,
    QGuiApplication,
    QHideEvent,
    QKeyEvent,
    QPalette,
    QScreen,
    QShowEvent,
)
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from bpe_gui.tours.tour import Template, estimated_minutes
from bpe_gui.ui.run.player import Player
from bpe_gui.ui.stage.keys import command_of
from bpe_gui.ui.theme.text_size import RoomFollower, resized
from bpe_gui.ui.tokens.token_words import merge_text
from bpe_gui.ui.tour.panel import WAITING
from bpe_gui.ui.tour.touring import Touring
from bpe_gui.ui.widgets.layouts import filled
from bpe_gui.ui.widgets.naming import named, quiet
from bpe_gui.ui.widgets.pace import ReadingPace

_WIDTH, _HEIGHT = 720, 480
"""The size of the window where the stage is on the only screen."""
_LARGEST = 3.0
"""How many times larger the text is at most in a window that is larger than that."""
_NO_NOTE = "No note for this page."
_NO_TOUR = "Notes belong to the pages of a tour."
_LARGER = {"presenterClock": 2.0, "presenterTime": 2.0, "presenterTitle": 1.5,
           "presenterNote": 1.7, "presenterNext": 1.5}  # fmt: skip
"""How many times as large as elsewhere each part is written: it is read at arm's length."""
_LARGER_BUTTON = 1.2


class Presenter(QWidget):
    """Shows the note of the page, the clock, the time since the talk began, and what is next.

    The keys of the stage work in it too. It opens by itself where a tour is shown on two screens,
    or on request.
    """

    commanded = Signal(object, int)
    """A Command was given by its key; see `Show.commanded`."""

    def __init__(self, touring: Touring, player: Player, stage: QWidget) -> None:
        # Only a dialog stays above a window that fills the screen, on X11.
        kind = Qt.WindowType.Dialog | Qt.WindowType.WindowMinMaxButtonsHint
        super().__init__(stage, kind | Qt.WindowType.WindowCloseButtonHint)
        named(self, "presenter", "Presenter")
        self.setWindowTitle("Notes — bpe-gui")
        self.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
        self.setBackgroundRole(QPalette.ColorRole.Base)
        self.setAutoFillBackground(True)
        self.addActions(stage.actions())
        self._touring, self._player, self._stage = touring, player, stage
        self._unwanted = False
        """Whether the speaker has closed it since the stage was entered."""
        self._talk = QElapsedTimer()
        self._second = QTimer(self, interval=1000)
        self._second.timeout.connect(self._tell_time)
        self._pace = ReadingPace(self)
        self._pace.due.connect(self._write)
        plain = Qt.TextFormat.PlainText
        self._labels = {
            name: named(QLabel(textFormat=plain, wordWrap=name in _WRAPPED), name)
            for name in _LARGER
        }
        self._begin_anew = named(
            QPushButton("Set to 0:00"), "presenterReset", tip="Count the time of the talk from now"
        )
        self._begin_anew.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._begin_anew.clicked.connect(self._start_talk)
        self._build()
        touring.changed.connect(self._write_soon)
        touring.arrived.connect(self._write_soon)

    def _build(self) -> None:
        clock, time, title, note, following = self._labels.values()
        quiet(following)
        line = QFrame(frameShape=QFrame.Shape.HLine, frameShadow=QFrame.Shadow.Plain)
        line.setForegroundRole(QPalette.ColorRole.Mid)
        top = filled(QHBoxLayout(), clock, None, time, self._begin_anew, spacing=16)
        parts = top, title, note, None, line, following
        filled(QVBoxLayout(self), *parts, spacing=16, margins=(24, 20, 24, 20))
        RoomFollower(self, self._fit)

    def _fit(self) -> None:
        """Write larger in a larger window: a laptop may lie some steps away."""
        room = min(self.width() / _WIDTH, self.height() / _HEIGHT)
        larger = min(max(1.0, room), _LARGEST)
        for name, factor in _LARGER.items():
            bold = name == "presenterTitle"
            self._labels[name].setFont(resized(self.font(), factor * larger, bold=bold))
        self._begin_anew.setFont(resized(self.font(), _LARGER_BUTTON * larger))

    # -- opening and closing -------------------------------------------------------------------

    def begin(self) -> None:
        """Forget that the window was closed on the stage before."""
        self._unwanted = False
        self.follow_tour()

    def follow_tour(self) -> None:
        """Open the window if a tour is under way and there is a screen for it."""
        if self._touring.active and self._other_screen is not None and not self._unwanted:
            self._open()

    def toggle(self) -> None:
        """Open the window, on another screen if there is one; or close it."""
        if self.isVisible():
            self.close()
        else:
            self._open()

    def make_way(self) -> None:
        """Leave the screen that the stage has gone to."""
        if self.isVisible() and self.screen() is self._stage.screen():
            self.hide()
            self._open()

    @property
    def _other_screen(self) -> QScreen | None:
        shown = self._stage.screen()
        return next((one for one in QGuiApplication.screens() if one is not shown), None)

    def _open(self) -> None:
        if self.isVisible():
            return
        screen = self._other_screen
        if screen is None:
            area = self._stage.screen().availableGeometry()
            width, height = min(_WIDTH, area.width()), min(_HEIGHT, area.height())
            self.setGeometry(area.right() - width, area.bottom() - height, width, height)
            self.show()
        else:
            self.setScreen(screen)
            self.setGeometry(screen.availableGeometry())
            self.showMaximized()
        # The keys of a clicker stay with the stage.
        self._stage.activateWindow()

    # -- what is written -----------------------------------------------------------------------

    @Slot(int, bool)
    def follow(self, position: int, moving: bool) -> None:
        """Follow the cursor; while it moves fast, at the pace of reading."""
        if self.isVisible():
            self._pace.ask(busy=moving)

    @Slot()
    def _write_soon(self) -> None:
        self.follow(self._player.position, moving=False)

    @Slot()
    def _write(self) -> None:
        about = self._of_tour() if self._touring.active else self._of_run()
        names = "presenterTitle", "presenterNote", "presenterNext"
        for name, text in zip(names, about, strict=True):
            self._labels[name].setText(text)
        self._tell_time()

    def _of_tour(self) -> tuple[str, str, str]:
        touring = self._touring
        moment, pages = touring.moment, touring.pages
        title = f"Page {moment.page + 1} of {len(pages)}: {touring.page.title}"
        note = WAITING if touring.waits else touring.note or _NO_NOTE
        if not moment.revealed and touring.page.reveals:
            asked = touring.page.question is not None
            return title, note, f"Next: {'the answer' if asked else 'more of this page'}"
        if moment.page + 1 == len(pages):
            return title, note, "Next: the end"
        following = pages[moment.page + 1]
        outline = (_in_outline(one) for one in following.before.paragraphs)
        words = " ".join(touring.words_ahead() or outline)
        return title, note, f"Next: {following.title}\n{words}"

    def _of_run(self) -> tuple[str, str, str]:
        history, position = self._player.history, self._player.position
        if history is None:
            return "", _NO_TOUR, ""
        title = f"{position:,} / {len(history):,}   {merge_text(history, position)}"
        if position == len(history):
            return title, _NO_TOUR, "Next: the end"
        return title, _NO_TOUR, f"Next: {merge_text(history, position + 1)}"

    @Slot()
    def _tell_time(self) -> None:
        now = QTime.currentTime()
        self._labels["presenterClock"].setText(now.toString("HH:mm"))
        text = _minutes(self._talk.elapsed() // 1000)
        if self._touring.active:
            text += f" of about {estimated_minutes(self._touring.chapters)} min"
        self._labels["presenterTime"].setText(text)

    @Slot()
    def _start_talk(self) -> None:
        self._talk.start()
        self._tell_time()

    # -- events --------------------------------------------------------------------------------

    def showEvent(self, event: QShowEvent) -> None:
        """Count the time from when the window is first seen: a talk may leave the stage."""
        super().showEvent(event)
        if not self._talk.isValid():
            self._talk.start()
        self._second.start()
        self._write()

    def hideEvent(self, event: QHideEvent) -> None:
        self._second.stop()
        super().hideEvent(event)

    def closeEvent(self, event: QCloseEvent) -> None:
        self._unwanted = True
        super().closeEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        found = command_of(event, None)
        if found is None:
            super().keyPressEvent(event)
        else:
            self.commanded.emit(*found)


_WRAPPED = frozenset({"presenterTitle", "presenterNote", "presenterNext"})


def _in_outline(template: Template) -> str:
    """Write a sentence without its figures: they may be of a run that is not there yet.

    >>> from bpe_gui.tours.figures import read_template
    >>> _in_outline(read_template("It has {pairs} pairs."))
    'It has … pairs.'
    """
    return "".join(part if isinstance(part, str) else "…" for part in template.parts)


def _minutes(seconds: int) -> str:
    """Write a time of a talk in minutes and seconds.

    >>> _minutes(754), _minutes(4000)
    ('12:34', '66:40')
    """
    return f"{seconds // 60}:{seconds % 60:02}"
