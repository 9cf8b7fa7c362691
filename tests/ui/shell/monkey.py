"""A monkey at the window: random actions, keys, clicks and sizes, by a seed, step by step.

`python -m tests.ui.shell.monkey SEED STEPS` ends with 0 if the window outlived it, and with 1 and a
report at the first step after which something was wrong: an exception that nobody caught, a
warning of Qt, or a wrapper that is invalid although what it stands for still lives. Each step is
written down before it is done, so that a crash tells the last one.

Settings, sessions and recipes are kept in a folder of its own, nothing is fetched, and dialogs of
files are cancelled. Only compiled kernels are those of the user: to compile them takes as long as
half the steps.
"""

from __future__ import annotations

import faulthandler
import gc
import os
import random
import sys
import tempfile
import threading
import time
import traceback
from collections.abc import Callable
from functools import partial
from itertools import count
from pathlib import Path
from types import TracebackType
from weakref import WeakKeyDictionary

import shiboken6
from msgspec.structs import asdict
from PySide6.QtCore import (
    QAbstractEventDispatcher,
    QEvent,
    QEventLoop,
    QMessageLogContext,
    QObject,
    QPoint,
    QPointF,
    Qt,
    QTimer,
    QtMsgType,
    Slot,
    qInstallMessageHandler,
)
from PySide6.QtGui import QAction, QActionGroup, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QFileDialog,
    QInputDialog,
    QLayout,
    QLineEdit,
    QMenu,
    QMessageBox,
    QPlainTextEdit,
    QWidget,
)

from bpe_gui import app
from bpe_gui.bpe.kernels import kernel_cache
from bpe_gui.ui.shell.main_window import MainWindow

OFF_LIMITS = {"quit": "it would end the run"}
"""Actions that are never done, and why. Nothing is fetched either: see `keep_to_itself`."""

QUIET = ("This plugin does not support ",)
"""What Qt says of the offscreen platform."""

KEYS = (
    *("Key_Tab", "Key_Backtab", "Key_Space", "Key_Return", "Key_Escape", "Key_Delete"),
    *("Key_Left", "Key_Right", "Key_Up", "Key_Down", "Key_Home", "Key_End"),
    *("Key_PageUp", "Key_PageDown", "Key_Backspace", "Key_Menu", "Key_F2", "Key_F6"),
    *("Key_1", "Key_2", "Key_3", "Key_A", "Key_E", "Key_Plus", "Key_Slash"),
)
TEXTS = ("lower", "newest 陀 naïve", "1994 🙂🙂 0xE2", "\u05e9\u05dc\u05d5\u05dd abc", "", "a" * 99)
STUCK_SECONDS = 300
"""After which a step is taken for one that never ends, counted anew every `EVERY` steps."""
STALL_SECONDS = 0.5
"""Of the window's thread in one turn of its event loop, from which it is written down."""
REPORT_EVERY = 500
"""Steps from one look at the memory to the next."""
SEEN_IN_A_DIALOG = 6
"""Clicks and keys in a dialog before it is cancelled."""
EVERY = 10
"""Steps from one look for new wrappers to the next."""
KINDS = (QWidget, QLayout, QAction, QActionGroup)
"""Whose wrappers are watched: they live on the thread of the window."""
REFUSALS = 50
"""Times that a dialog may stay when it is cancelled."""


class TroubleError(Exception):
    """Something was wrong after a step."""


class Monkey(QObject):
    """Plays with a window."""

    def __init__(self, window: MainWindow, seed: int) -> None:
        super().__init__()
        self._window = window
        self._chance = random.Random(seed)
        self.troubles: list[str] = []
        self._steps: tuple[tuple[int, Callable[[], str]], ...] = (
            (30, self._do_action),
            (25, self._press_key),
            (20, self._click),
            (5, self._click_right),
            (4, self._turn_wheel),
            (4, self._drag),
            (6, self._resize),
            (2, self._float),
            (3, self._open_menu),
            (2, self._write),
            (4, self._let_pass),
        )
        for name in OFF_LIMITS:
            getattr(window.actions_, name).setEnabled(False)
        self._lives = Lives()
        self._turns = Turns(self)
        self._dialog: QDialog | None = None
        self._in_dialog = 0
        self._nested = QTimer(self)
        self._nested.setInterval(10)
        self._nested.timeout.connect(self._attend)

    # -- a run ----------------------------------------------------------------------------------

    def play(self, steps: int) -> None:
        """Do so many steps. Raises TroubleError after the first that did harm."""
        self._nested.start()
        for step in range(steps):
            if step % EVERY == 0:
                faulthandler.dump_traceback_later(STUCK_SECONDS, exit=True)
                self._lives.look_around()
            choice = self._chance.choices(
                [do for _, do in self._steps], [weight for weight, _ in self._steps]
            )[0]
            say(f"{step} {choice.__name__.strip('_')}", end=" ")
            self._turns.begin()  # without what the monkey itself has done
            say(choice())
            settle(1)
            if step % REPORT_EVERY == 0:
                say(f"MEMORY {resident_megabytes():.0f} MB after {step} steps")
            self._check()
        self._nested.stop()
        self._put_popups_away()

    def _check(self) -> None:
        gone = self._lives.undead()
        if gone:
            self.troubles.append(f"wrappers of what lives are invalid: {', '.join(gone)}")
        if self.troubles:
            raise TroubleError("\n".join(self.troubles))

    # -- what it does ---------------------------------------------------------------------------

    def _do_action(self) -> str:
        window = self._window
        chosen = self._chance.choice([
            *asdict(window.actions_).values(),
            *(dock.toggleViewAction() for dock in window.explore.docks.values()),
            *window.helping.navigator.actions,
            *window.theme_choice.actions,
            *window.corpus_menu.actions(),
        ])
        if not chosen.isEnabled() or chosen.isSeparator():
            return f"not {chosen.objectName()}"
        say(chosen.objectName() or chosen.text(), end=" ")
        chosen.trigger()
        return ""

    def _press_key(self) -> str:
        widget = self._focus()
        key = Qt.Key[self._chance.choice(KEYS)]
        held = Qt.KeyboardModifier
        modifier = self._chance.choices(
            [held.NoModifier, held.ShiftModifier, held.ControlModifier], [8, 1, 1]
        )[0]
        say(f"{modifier.name} {key.name} in {name_of(widget)}", end=" ")
        QTest.keyClick(widget, key, modifier)
        return ""

    def _focus(self) -> QWidget:
        """What has the keyboard; where no window has it, one is given it as by a click."""
        # The stage is made for who asks the window for it.
        tops = {top.objectName(): top for top in QApplication.topLevelWidgets() if top.isVisible()}
        window = tops.get("stage", self._window)
        if QApplication.activeWindow() is None:
            window.activateWindow()
            settle(1)
        return QApplication.focusWidget() or window

    def _place(self) -> tuple[QWidget, QPoint]:
        """A widget in view, and a point in it."""
        tops = [top for top in QApplication.topLevelWidgets() if top.isVisible()]
        top = self._chance.choice(tops or [self._window])
        place = QPoint(
            self._chance.randrange(max(1, top.width())),
            self._chance.randrange(max(1, top.height())),
        )
        return at(top, place)

    def _click(self) -> str:
        widget, place = self._place()
        double = self._chance.random() < 0.2
        say(f"{'twice ' if double else ''}{name_of(widget)} {place.toTuple()}", end=" ")
        click = QTest.mouseDClick if double else QTest.mouseClick
        click(widget, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place)
        return ""

    def _click_right(self) -> str:
        widget, place = self._place()
        say(f"{name_of(widget)} {place.toTuple()}", end=" ")
        QTest.mouseClick(
            widget, Qt.MouseButton.RightButton, Qt.KeyboardModifier.NoModifier, place
        )
        self._window.actions_.menu_here.trigger()
        return ""

    def _turn_wheel(self) -> str:
        widget, place = self._place()
        held = self._chance.choice(
            [Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ControlModifier]
        )
        say(f"{name_of(widget)} {held.name}", end=" ")
        turned = QPoint(0, self._chance.choice([-240, -120, 120, 240]))
        QApplication.sendEvent(widget, QWheelEvent(
            QPointF(place), QPointF(widget.mapToGlobal(place)), QPoint(), turned,
            Qt.MouseButton.NoButton, held, Qt.ScrollPhase.NoScrollPhase, False,
        ))  # fmt: skip
        return ""

    def _drag(self) -> str:
        widget, place = self._place()
        say(name_of(widget), end=" ")
        far = place + QPoint(self._chance.randint(-200, 200), self._chance.randint(-120, 120))
        button = Qt.MouseButton.LeftButton
        QTest.mousePress(widget, button, Qt.KeyboardModifier.NoModifier, place)
        if shiboken6.isValid(widget):
            QTest.mouseMove(widget, far)
        if shiboken6.isValid(widget):
            QTest.mouseRelease(widget, button, Qt.KeyboardModifier.NoModifier, far)
        return ""

    def _resize(self) -> str:
        width, height = self._chance.randint(500, 1700), self._chance.randint(400, 1000)
        say(f"{width} {height}", end=" ")
        self._window.resize(width, height)
        return ""

    def _float(self) -> str:
        docks = [*self._window.explore.docks.values(), self._window.help_dock]
        dock = self._chance.choice(docks)
        say(dock.objectName(), end=" ")
        dock.setFloating(not dock.isFloating())
        return ""

    def _open_menu(self) -> str:
        menu = self._chance.choice(self._window.menuBar().actions()).menu()
        assert isinstance(menu, QMenu)
        say(menu.title(), end=" ")
        menu.popup(self._window.mapToGlobal(QPoint(40, 40)))
        return ""

    def _write(self) -> str:
        widget, text = self._focus(), self._chance.choice(TEXTS)
        say(f"{text[:12]!r} in {name_of(widget)}", end=" ")
        if isinstance(widget, QPlainTextEdit) and not widget.isReadOnly():
            widget.setPlainText(text)
        elif isinstance(widget, QLineEdit) and not widget.isReadOnly():
            widget.setText(text)
        elif self._chance.random() < 0.3:
            self._window.sample_text.set(text)
        return ""

    def _let_pass(self) -> str:
        settle(self._chance.choice([20, 60, 200]))
        return ""

    # -- what would block -----------------------------------------------------------------------

    @Slot()
    def _attend(self) -> None:
        """See to what has the window's place, from another timer: one that is at it never fires."""
        QTimer.singleShot(0, self, self._use_what_is_over)

    @Slot()
    def _use_what_is_over(self) -> None:
        """Use and put away menus, lists and dialogs."""
        popup, dialog = QApplication.activePopupWidget(), QApplication.activeModalWidget()
        if isinstance(popup, QMenu):
            self._use_menu(popup)
        elif popup is not None:
            keys = [Qt.Key.Key_Down, Qt.Key.Key_Up, Qt.Key.Key_Return, Qt.Key.Key_Escape]
            QTest.keyClick(popup, self._chance.choice(keys))
        elif isinstance(dialog, QDialog):
            self._use_dialog(dialog)

    def _use_menu(self, menu: QMenu) -> None:
        actions = [each for each in menu.actions() if each.isEnabled()]
        if not actions or self._chance.random() < 0.3:
            menu.close()
            return
        action = self._chance.choice(actions)
        say(f"› {action.text()}", end=" ")
        menu.setActiveAction(action)
        if shiboken6.isValid(menu) and menu.isVisible():
            QTest.keyClick(menu, Qt.Key.Key_Return)

    def _use_dialog(self, dialog: QDialog) -> None:
        if dialog is not self._dialog:
            self._dialog, self._in_dialog = dialog, 0
            say(f"› {name_of(dialog)}", end=" ")
        self._in_dialog += 1
        if self._in_dialog > REFUSALS:
            say("\nIt cannot be cancelled.")
            os._exit(1)
        if self._in_dialog > SEEN_IN_A_DIALOG or isinstance(
            dialog, QFileDialog | QInputDialog | QMessageBox
        ):
            dialog.reject()
            return
        if self._chance.random() < 0.5:
            key = Qt.Key[self._chance.choice(KEYS)]
            QTest.keyClick(QApplication.focusWidget() or dialog, key)
            return
        across, down = map(self._chance.randrange, dialog.size().toTuple())
        widget, place = at(dialog, QPoint(across, down))
        QTest.mouseClick(
            widget, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place
        )

    def _put_popups_away(self) -> None:
        while (popup := QApplication.activePopupWidget()) is not None:
            popup.close()


class Turns(QObject):
    """Tells of turns of the event loop in which nothing else can happen for long.

    A step may take many: a dialog that is open has turns of its own.
    """

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.begin()
        dispatcher = QAbstractEventDispatcher.instance()
        dispatcher.aboutToBlock.connect(self.go_on)
        dispatcher.awake.connect(self.go_on)

    def begin(self) -> None:
        """Begin a turn."""
        self._begun = time.thread_time()

    @Slot()
    def go_on(self) -> None:
        """End a turn, and begin the next."""
        busy = time.thread_time() - self._begun
        self.begin()
        if busy > STALL_SECONDS:
            say(f"STALL of {busy:.2f} s of processor time")


class Lives:
    """Knows which wrappers are invalid although what they stand for still lives."""

    def __init__(self) -> None:
        self._watched: WeakKeyDictionary[QObject, int] = WeakKeyDictionary()
        self._names: dict[int, str] = {}
        self._numbers = count()

    def look_around(self) -> None:
        """Watch all wrappers that there are."""
        for each in wrappers():
            if each in self._watched or not shiboken6.isValid(each):
                continue
            number = next(self._numbers)
            self._watched[each] = number
            self._names[number] = name_of(each)
            each.destroyed.connect(partial(self._names.pop, number, None))

    def undead(self) -> list[str]:
        """What lives on without its wrapper."""
        return [
            self._names[number]
            for each, number in list(self._watched.items())
            if number in self._names and not shiboken6.isValid(each)
        ]


def at(top: QWidget, place: QPoint) -> tuple[QWidget, QPoint]:
    """What is seen at a place in a window, and the place in that.

    The window's own `childAt` would make it the property of a wrapper that nobody keeps.
    """
    there = top.mapToGlobal(place)
    widget = QApplication.widgetAt(there) or top
    return widget, widget.mapFromGlobal(there)


def wrappers() -> list[QObject]:
    """All wrappers of `KINDS` that anybody holds.

    No other thread may go on while all objects are listed: of a tuple that it is making nobody
    else may know. Nor may what lives on another thread be held here, such as its QSettings: it
    would be deleted by this thread while events of its own come to it.
    """
    interval = sys.getswitchinterval()
    sys.setswitchinterval(STUCK_SECONDS)
    time.sleep(0.01)  # whoever waits since before has its turn
    everything = gc.get_objects()
    # There are a thousand times as many objects as types.
    wanted = {kind for kind in set(map(type, everything)) if issubclass(kind, KINDS)}
    found = [each for each in everything if type(each) in wanted]
    del everything
    sys.setswitchinterval(interval)
    return found


def resident_megabytes() -> float:
    """The memory of this process; 0 where the system does not tell."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
    except OSError:
        return 0.0
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def name_of(each: QObject | None) -> str:
    """What a step is said to be done to."""
    if each is None or not shiboken6.isValid(each):
        return "nothing"
    return f"{type(each).__name__} {each.objectName()}".strip()


def say(text: str, end: str = "\n") -> None:
    """Write to the log."""
    print(text, file=sys.stderr, end=end, flush=True)


def settle(milliseconds: int) -> None:
    """Let the window work for a while."""
    loop = QEventLoop()
    QTimer.singleShot(milliseconds, loop, loop.quit)
    loop.exec()


def main(seed: int, steps: int) -> int:
    """Let a monkey play; returns the exit status."""
    faulthandler.enable()
    QApplication.setAttribute(Qt.ApplicationAttribute.AA_DontUseNativeDialogs)
    application, window = app.create(["open", "--vocab-size", "300"])
    monkey = Monkey(window, seed)

    def on_error(
        kind: type[BaseException], error: BaseException, trace: TracebackType | None
    ) -> None:
        monkey.troubles.append("".join(traceback.format_exception(kind, error, trace)))
        say(monkey.troubles[-1])

    def on_warning(kind: QtMsgType, _: QMessageLogContext, text: str) -> None:
        if kind is not QtMsgType.QtDebugMsg and not text.startswith(QUIET):
            say(f"Qt: {text}")
            monkey.troubles.append(f"Qt: {text}")

    sys.excepthook = on_error
    sys.unraisablehook = lambda told: monkey.troubles.append(f"{told.err_msg} {told.exc_value!r}")
    threading.excepthook = lambda told: monkey.troubles.append(repr(told.exc_value))
    qInstallMessageHandler(on_warning)
    try:
        monkey.play(steps)
    except TroubleError as trouble:
        say(f"\nTROUBLE, seed {seed}:\n{trouble}")
    finally:
        faulthandler.cancel_dump_traceback_later()
        window.close()
    window.deleteLater()
    # The offscreen platform would destroy what was copied after Python, which made it, has ended.
    application.clipboard().clear()
    application.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    left = [thread.name for thread in threading.enumerate()
            if thread is not threading.main_thread()
            and not isinstance(thread, threading._DummyThread)]  # fmt: skip  # noqa: SLF001
    if left:
        say(f"threads left: {', '.join(left)}")
    return 1 if monkey.troubles or left else 0


def keep_to_itself(folder: Path) -> None:
    """Let nothing that is kept be outside a folder, and nothing be fetched or shown.

    Compiled kernels alone stay where they are.
    """
    os.environ.setdefault("NUMBA_CACHE_DIR", str(kernel_cache.tables().parents[1]))
    for variable in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "TIKTOKEN_CACHE_DIR"):
        os.environ[variable] = str(folder / variable)
    for variable in ("HTTP_PROXY", "HTTPS_PROXY"):
        os.environ[variable] = "http://127.0.0.1:9"  # nobody is there
    os.environ["DBUS_SESSION_BUS_ADDRESS"] = ""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        keep_to_itself(Path(folder))
        status = main(*map(int, sys.argv[1:]))
    sys.exit(status)
