"""What was there comes back: from a session, after closing, and after a crash."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QMainWindow
from pytestqt.qtbot import QtBot

from tests.end_to_end.window import (
    MERGES,
    SYMBOLS,
    WORDS,
    Start,
    answer_file_dialog,
    bring_up,
    drop,
    end,
    go_to,
    is_enabled,
    is_trained,
    messages,
    position,
    rows,
    said,
    tokens,
    write,
    written,
)
from tests.ui.driving import act
from tests.ui.in_turn import InTurn

CHECKOUT = Path(__file__).parents[2]


@pytest.fixture
def session(trained: QMainWindow, tmp_path: Path, qtbot: QtBot) -> Path:
    """A session with a text, a position, a bookmark and a branch, whose window has closed."""
    write(qtbot, trained, "sampleText", "newest low")
    act(trained, "homeAction")
    qtbot.waitUntil(lambda: "l + o" in said(trained, "pairChart"))
    act(trained, "forbidAction")
    qtbot.waitUntil(lambda: len(rows(trained, "branchTable")) == 2)
    act(trained, "nextBranchAction")
    go_to(qtbot, trained, 4)
    act(trained, "bookmarkAction")
    qtbot.waitUntil(lambda: is_enabled(trained, "nextBookmarkAction"))
    go_to(qtbot, trained, 12)
    path = tmp_path / "talk.bpesession"
    answer_file_dialog(qtbot, trained, "saveSessionAsAction", path)
    qtbot.waitUntil(lambda: path.exists() and "talk" in trained.windowTitle())
    trained.close()
    return path


def wait_for_the_session(window: QMainWindow, qtbot: QtBot) -> None:
    """Wait until a window shows what was saved, all of it."""
    qtbot.waitUntil(lambda: (position(window), end(window)) == (12, len(MERGES)))
    assert written(window, "sampleText") == "newest low"
    assert written(window, "corpusBox") == "words.txt"
    assert written(window, "presetBox") == "whitespace"
    bring_up(window, "vocabularyDock")
    qtbot.waitUntil(lambda: tokens(window)[SYMBOLS:] == MERGES[:12])
    qtbot.waitUntil(lambda: len(rows(window, "branchTable")) == 2)
    act(window, "previousBookmarkAction")
    qtbot.waitUntil(lambda: position(window) == 4)


def test_a_session_is_opened(
    session: Path, words: Path, in_turn: InTurn, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """In all ways, one after another, each time by a user who has done nothing before."""
    users = count()

    def again() -> None:
        for window in QApplication.topLevelWidgets():
            window.close()
        user = tmp_path / f"user {next(users)}"
        for variable in ("XDG_DATA_HOME", "XDG_CONFIG_HOME"):
            folder = user / variable
            folder.mkdir(parents=True)
            monkeypatch.setenv(variable, str(folder))
        words.write_text(WORDS)

    in_turn(
        again,
        by_the_command_line,
        without_its_corpus,
        by_the_dialog,
        by_dropping_it,
        as_one_that_was_open,
        unless_half_of_it_is_left,
    )


def by_the_command_line(session: Path, start: Start, qtbot: QtBot) -> None:
    window = start("open", str(session))
    wait_for_the_session(window, qtbot)
    assert "talk" in window.windowTitle()


def without_its_corpus(session: Path, words: Path, start: Start, qtbot: QtBot) -> None:
    words.unlink()
    wait_for_the_session(start("open", str(session)), qtbot)


def by_the_dialog(session: Path, start: Start, qtbot: QtBot) -> None:
    window = start()
    answer_file_dialog(qtbot, window, "openSessionAction", session)
    wait_for_the_session(window, qtbot)


def by_dropping_it(session: Path, start: Start, qtbot: QtBot) -> None:
    window = start()
    drop(window, session)
    wait_for_the_session(window, qtbot)


def as_one_that_was_open(session: Path, start: Start, qtbot: QtBot) -> None:
    first = start("open", str(session))
    wait_for_the_session(first, qtbot)
    first.close()
    second = start()
    qtbot.waitUntil(lambda: len(rows(second, "wordsTable")) == 4)
    act(second, "recentSessions1Action")
    qtbot.waitUntil(lambda: end(second) == len(MERGES))


def unless_half_of_it_is_left(
    session: Path, start: Start, words: Path, qtbot: QtBot
) -> None:
    half = session.with_name("half.bpesession")
    half.write_bytes(session.read_bytes()[:-40])
    window = start("open", str(words), "--preset", "whitespace", "--start")
    qtbot.waitUntil(lambda: is_trained(window))
    answer_file_dialog(qtbot, window, "openSessionAction", half)
    qtbot.waitUntil(lambda: any("half.bpesession" in message for message in messages(window)))
    assert end(window) == len(MERGES)


@contextmanager
def program(*arguments: str) -> Iterator[subprocess.Popen[bytes]]:
    """The program in a process of its own, which is killed in the end."""
    with subprocess.Popen(
        [sys.executable, "-m", "bpe_gui", *arguments],
        cwd=CHECKOUT,
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def test_after_a_kill_the_run_is_offered(words: Path, start: Start, qtbot: QtBot) -> None:
    kept = Path(os.environ["XDG_DATA_HOME"])
    with program("open", str(words), "--preset", "whitespace", "--start"):
        qtbot.waitUntil(lambda: any(kept.rglob("*.bpesession")))
    window = start()
    qtbot.waitUntil(lambda: is_enabled(window, "acceptAction"))
    assert "words.txt" in messages(window)[0]
    act(window, "acceptAction")
    qtbot.waitUntil(lambda: end(window) == len(MERGES))
    qtbot.waitUntil(lambda: tokens(window)[SYMBOLS:] == MERGES)
    assert written(window, "corpusBox") == "words.txt"


def test_what_was_not_saved_is_offered_at_the_next_start(
    trained: QMainWindow, start: Start, qtbot: QtBot
) -> None:
    write(qtbot, trained, "sampleText", "newest")
    go_to(qtbot, trained, 7)
    trained.close()
    window = start()
    qtbot.waitUntil(lambda: is_enabled(window, "acceptAction"))
    act(window, "acceptAction")
    qtbot.waitUntil(lambda: (position(window), end(window)) == (7, len(MERGES)))
    assert written(window, "sampleText") == "newest"
    window.close()
    # Who does not want it is not asked again.
    third = start()
    qtbot.waitUntil(lambda: is_enabled(third, "dismissAction"))
    act(third, "dismissAction")
    qtbot.waitUntil(lambda: messages(third) == [])
    third.close()
    fourth = start()
    qtbot.waitUntil(lambda: len(rows(fourth, "wordsTable")) == 4)
    assert messages(fourth) == []
