"""What holds for all tests: no window on the screen, and nothing left running."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Collection, Generator, Iterator
from multiprocessing import resource_tracker
from pathlib import Path
from typing import Any
from weakref import WeakSet

import pytest
import regex
from hypothesis import HealthCheck, settings
from hypothesis.internal import entropy
from PySide6.QtCore import QCoreApplication, QEvent, Qt, QThread, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot
from shiboken6 import getCppPointer, isValid

from bpe_gui.bpe.kernels import kernel_cache
from bpe_gui.ui.run.background import collect_garbage
from bpe_gui.ui.theme.text_size import set_text_scale
from bpe_gui.ui.theme.theme import DARK, apply_colours
from bpe_gui.ui.widgets.keyboard import BY_KEYBOARD

PATIENCE = 300_000
"""Milliseconds that a test waits for what it expects."""
GRACE_SECONDS = 300.0
"""How long a test may take to wind down what it started."""
_LONGEST = ("test_monkey.py", "test_stage_type.py", "test_own_tour.py")
"""Files of tests that take many seconds each."""

# The same examples each time, so that a test fails for what was changed and never by chance. To
# search for others, `pytest --hypothesis-profile thorough` draws more, and anew each time; what
# that finds becomes an `@example`. Tests that are given a number of examples of their own take a
# multiple or a fraction of the profile's, `settings.default.max_examples`: a third where a test is
# repeated for each preset or form.
settings.register_profile(
    "modest",
    max_examples=60,
    derandomize=True,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile(
    "thorough", max_examples=1000, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("modest")

# Hypothesis would seed numpy's global generator for each example and restore it afterwards, which
# takes a tenth of a millisecond. Nothing here uses that generator, so this takes its place.
entropy.NP_RANDOM = object()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--real-window",
        action="store_true",
        help="show the windows on the display instead of drawing them offscreen",
    )
    parser.addoption(
        "--monkey",
        type=_seed_and_steps,
        action="append",
        metavar="SEED:STEPS",
        help="let a monkey do so many random steps in the window, once for each seed",
    )


def _seed_and_steps(written: str) -> tuple[int, int]:
    seed, steps = written.split(":")
    return int(seed), int(steps)


def pytest_configure(config: pytest.Config) -> None:
    if not config.getoption("--real-window"):
        os.environ["QT_QPA_PLATFORM"] = "offscreen"
    # Programs that tests start keep what they write for a while, as they do for users.
    os.environ.pop("PYTHONUNBUFFERED", None)
    # And they, like the workers, keep what Python compiles, instead of compiling it each time.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    # As in the program: threads of numpy's would take 40 ms of every process that tests start.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    if config.getoption("numprocesses", None):
        _compile_for_all_workers(config)
    _remember_starts(QThread, _started_threads)
    _remember_starts(QTimer, _started_timers)


def _compile_for_all_workers(config: pytest.Config) -> None:
    """Compile the tests and the kernels, where they are not compiled yet, before workers begin.

    Else every worker would compile all tests, and most kernels: the others are not done yet.
    """
    commands = []
    if not any(Path(__file__).parent.rglob("__pycache__/test_*-pytest-*.pyc")):
        collect = ("--collect-only", "--quiet", "--numprocesses=0")
        commands.append(["pytest", *config.invocation_params.args, *collect])
    if not kernel_cache.is_ready(kernel_cache.Kernels.ALL):
        commands.append(["bpe_gui.analysis.warm_up"])
    begun = [
        subprocess.Popen([sys.executable, "-m", *command], stdout=subprocess.DEVNULL)
        for command in commands
    ]
    for process in begun:
        # What fails here fails again where it is told.
        process.wait()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """How many workers `-n auto` means: two more than there are processors.

    For each waits now and then, for a timer, a thread or a program.
    """
    return (os.cpu_count() or 1) + 2


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(file_path: Path) -> Generator[None, Any, Any]:
    """Look for examples in docstrings only where there are some, and never in files of tests.

    Looking everywhere takes a fifth of the time that collecting takes, in every worker.
    """
    found = yield
    if file_path.name.startswith("test_") or b">>>" not in file_path.read_bytes():
        return [collector for collector in found if type(collector) is pytest.Module]
    return found


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with what takes longest: else all would wait for it in the end."""
    items.sort(key=lambda item: not any(name in item.nodeid for name in _LONGEST))


def pytest_collection_finish() -> None:
    # What the libraries hold stays for good; each look for garbage would go through it all.
    gc.freeze()
    # As in the program, garbage is collected on the main thread alone: there may be widgets in it.
    gc.disable()


def pytest_sessionfinish() -> None:
    # The offscreen platform would destroy what a test has copied after Python, which made it.
    if QGuiApplication.instance() is not None:
        QGuiApplication.clipboard().clear()


_started_threads: WeakSet[QThread] = WeakSet()
_started_timers: WeakSet[QTimer] = WeakSet()


def _remember_starts(kind: type[Any], started: WeakSet[Any]) -> None:
    """Note every thread or timer that is started from Python.

    Walking all objects of the process after each test instead would be too slow.
    """
    start = kind.start

    def remembering_start(self: Any, *arguments: Any) -> None:
        started.add(self)
        start(self, *arguments)

    kind.start = remembering_start


def _child_processes() -> set[int]:
    """The process ids of our children, but for Python's own bookkeeping process."""
    tracker = getattr(resource_tracker._resource_tracker, "_pid", None)
    children: set[int] = set()
    for thread in os.listdir("/proc/self/task"):
        try:
            # A Path would take as long again, and this is read twice for every test.
            with open(f"/proc/self/task/{thread}/children", "rb") as listing:
                children.update(map(int, listing.read().split()))
        except (FileNotFoundError, ProcessLookupError):  # that thread has just ended
            continue
    return children - {tracker}


def _threads() -> set[threading.Thread]:
    """Python's threads; a Qt thread that ran Python code leaves a dummy, which is none."""
    return {
        thread
        for thread in threading.enumerate()
        if not isinstance(thread, threading._DummyThread)
    }


def _orphans() -> dict[int, QWidget]:
    """The widgets that nobody holds in Qt, by their addresses.

    Python would do away with them whenever it collects garbage, and on whatever thread.
    """
    if not isinstance(QCoreApplication.instance(), QApplication):
        return {}
    tops = QApplication.topLevelWidgets()
    return {getCppPointer(top)[0]: top for top in tops if top.parent() is None}


def _left_behind(
    threads: set[threading.Thread], children: set[int], orphans: Collection[int]
) -> list[str]:
    """Describe what is running now and was not running before, and widgets that are left."""
    if QCoreApplication.instance() is not None:
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    return [
        *(f"thread {thread.name}" for thread in _threads() - threads),
        *(f"Qt {t!r}" for t in list(_started_threads) if isValid(t) and t.isRunning()),
        *(f"active {t!r}" for t in list(_started_timers) if isValid(t) and t.isActive()),
        *(f"child process {child}" for child in _child_processes() - children),
        *(f"widget {widget!r}" for at, widget in _orphans().items() if at not in orphans),
    ]


class PatientBot(QtBot):
    """Waits minutes where pytest-qt waits for seconds: no test is wrong on a slow machine."""

    def waitUntil(self, callback: Callable[[], object], *, timeout: int = PATIENCE) -> None:
        super().waitUntil(callback, timeout=timeout)

    def waitSignal(self, signal: Any, *, timeout: int = PATIENCE, **options: Any) -> Any:
        return super().waitSignal(signal, timeout=timeout, **options)

    def waitExposed(self, widget: QWidget, *, timeout: int = PATIENCE) -> Any:
        return super().waitExposed(widget, timeout=timeout)

    def waitActive(self, widget: QWidget, *, timeout: int = PATIENCE) -> Any:
        return super().waitActive(widget, timeout=timeout)


@pytest.fixture
def qtbot(qapp: QApplication, request: pytest.FixtureRequest) -> QtBot:
    return PatientBot(request)


@pytest.fixture(autouse=True)
def _plain_application() -> None:
    """Begin each test as the program does: in plain text, in dark colours, without a Tab."""
    application = QApplication.instance()
    if isinstance(application, QApplication):
        set_text_scale(application, 1)
        application.setProperty(BY_KEYBOARD, False)
        if not QApplication.topLevelWidgets():
            apply_colours(DARK)
        if QGuiApplication.mouseButtons() != Qt.MouseButton.NoButton:
            # QTest.mouseDClick ends with the button pressed.
            QTest.mouseRelease(QWidget(), Qt.MouseButton.LeftButton)


@pytest.fixture(autouse=True)
def _room_for_patterns() -> None:
    """Begin with an empty cache of compiled regexes.

    Once it is full it forgets some at random, and Hypothesis rejects draws that use `random`.
    """
    regex.purge()


@pytest.fixture(autouse=True)
def _nothing_left_running() -> Iterator[None]:
    """Fail a test that leaves a thread, an active timer, a child process or a widget behind."""
    threads, children, orphans = _threads(), _child_processes(), set(_orphans())
    yield
    collect_garbage()
    give_up = time.monotonic() + GRACE_SECONDS
    while (left := _left_behind(threads, children, orphans)) and time.monotonic() < give_up:
        threading.Event().wait(0.01)
    if left:
        pytest.fail("this test left behind: " + ", ".join(left), pytrace=False)
