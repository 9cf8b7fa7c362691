"""Texts that are too long to be cut within a frame: cut elsewhere, and shown when they are."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QEventLoop
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from bpe_gui.bpe.history import History
from bpe_gui.bpe.tokenizer import Tokenizer
from bpe_gui.ui.panels.text import panel as text_panel
from bpe_gui.ui.panels.text.panel import TextPanel
from bpe_gui.ui.shell.main_window import MainWindow
from bpe_gui.ui.widgets import pace
from bpe_gui.ui.widgets.pace import DrawingPace, ReadingPace
from tests.ui.driving import shown
from tests.ui.histories import byte_level
from tests.ui.panels.parts import parts
from tests.ui.panels.text_panels import counts, ids, shown_text, start, token_view

HISTORY = byte_level("low lower newest newest")
OTHER = byte_level("west west lows lows")
LONG = "low lower newest\n" * 3


def wait(panel: TextPanel) -> None:
    """Let everything be cut that is being cut on another thread, and shown."""
    drawing, writing = panel.findChild(DrawingPace), panel.findChild(ReadingPace)
    assert drawing is not None
    assert writing is not None
    writing.milliseconds = 1
    while not panel.task.at_rest or drawing.waits or writing.waits:
        loop = QEventLoop()
        for done in (panel.task.rested, drawing.due, writing.due):
            done.connect(loop.quit)
        loop.exec()


@pytest.fixture
def panel(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> TextPanel:
    monkeypatch.setattr(text_panel, "_AT_ONCE", 20)
    monkeypatch.setattr(pace, "_CHEAP_MILLISECONDS", 1000)
    return shown(qtbot, TextPanel(parts()), 600, 500)


def ids_at(history: History, position: int, text: str) -> list[str]:
    return list(map(str, Tokenizer(history, position, compiled=False).encode(text).ids.tolist()))


def test_what_was_cut_before_stays_until_a_long_text_is_cut(panel: TextPanel) -> None:
    start(panel, HISTORY, 3, "low")
    before = ids(panel)
    panel.sample.set(LONG)
    assert shown_text(panel) == "low"
    assert ids(panel) == before
    assert counts(panel) == f"{len(LONG)} characters   {len(LONG)} bytes   tokenizing…"
    wait(panel)
    assert shown_text(panel) == LONG
    assert ids(panel).split() == ids_at(HISTORY, 3, LONG)
    assert "tokenizing" not in counts(panel)


def test_a_short_text_need_not_wait_for_a_long_one(panel: TextPanel) -> None:
    start(panel, HISTORY, 3, LONG)
    assert not panel.task.at_rest
    panel.sample.set("low")
    assert ids(panel).split() == ids_at(HISTORY, 3, "low")
    panel.task.finish()
    assert ids(panel).split() == ids_at(HISTORY, 3, "low")
    assert panel.sample.text == "low"


def test_ids_are_copied_when_they_are_known(panel: TextPanel) -> None:
    start(panel, HISTORY, 3, "low")
    panel.sample.set(LONG)
    QGuiApplication.clipboard().setText("before")
    panel.copy_ids()
    assert QGuiApplication.clipboard().text() == "before"
    wait(panel)
    assert QGuiApplication.clipboard().text().split() == ids_at(HISTORY, 3, LONG)


def test_the_word_at_the_caret_of_a_long_text(panel: TextPanel) -> None:
    words: list[str] = []
    panel.wordSelected.connect(words.append)
    start(panel, HISTORY, 3, "newest")
    panel.sample.set(LONG)
    assert words == ["newest"]
    wait(panel)
    assert words == ["newest", "low"]


steps = st.one_of(
    st.sampled_from(["low", LONG, LONG + "lows", "w" * 30, "newest " * 9]),
    st.integers(0, 4),
    st.sampled_from([HISTORY, OTHER, None]),
    st.just("…"),
)


@given(st.lists(steps, max_size=12))
def test_in_the_end_the_text_that_stands_there_is_cut(
    qapp: object, steps: list[str | int | History | None]
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(text_panel, "_AT_ONCE", 20)
        panel, history, position = TextPanel(parts()), None, 0
        for step in steps:
            if isinstance(step, int):
                position = step if history is not None else 0
                panel.show_position(position, False)
            elif step == "…":
                wait(panel)
            elif isinstance(step, str):
                panel.sample.set(step)
            else:
                history, position = step, 0
                panel.set_history(step)
        wait(panel)
        expected = [] if history is None else ids_at(history, position, panel.sample.text)
        seen = token_view(panel).shown_cut()
        assert (seen[0].characters.text if seen else "") == (panel.sample.text if history else "")
        assert ids(panel).split() == expected
        if history is not None:
            assert f"{len(expected)} token" in counts(panel)
        panel.task.close()
        panel.deleteLater()


def test_a_long_text_is_cut_in_the_window(
    opened: Callable[..., MainWindow], qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(text_panel, "_AT_ONCE", 20)
    window = opened("corpus.txt", "low lower newest newest\n" * 5, "--start")
    qtbot.waitUntil(lambda: window.player.growing is False and window.player.end > 5)
    panel = window.explore.text_panel
    panel.sample.set(LONG)
    history = window.player.history
    assert history is not None
    for position in (2, 0, window.player.end):
        window.player.scrub(position)
        expected = ids_at(history, position, LONG)
        qtbot.waitUntil(lambda expected=expected: ids(panel).split() == expected)  # type: ignore[misc]
    window.close()
