"""Panels that are drawn off the screen, in any size of text."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress

import pytest
from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot

from bpe_gui.bpe.recipe import preset
from bpe_gui.bpe.words import WordCounts
from bpe_gui.exporting.animation import AnimationError
from bpe_gui.ui.export.hidden_panels import AnimationChoice, HiddenPanels, RenderState
from bpe_gui.ui.export.panels import WINDOW, animated
from bpe_gui.ui.theme.theme import DARK
from tests.ui.export.animations import hidden_window
from tests.ui.histories import FOUR_WORDS, four_words

TEXT = "low lower newest widest"


@pytest.fixture
def scene() -> RenderState:
    words = WordCounts.from_pairs(list(FOUR_WORDS), preset("whitespace"))
    return RenderState(four_words(), words, TEXT, "newest")


def too_low(window: QWidget) -> Iterator[str]:
    """The labels in sight whose text is cut off above or below."""
    for label in window.findChildren(QLabel):
        if not label.text() or label.visibleRegion().isEmpty():
            continue
        needed = label.heightForWidth(label.width())
        if not label.wordWrap():
            needed = label.sizeHint().height()
        if label.height() < needed:
            yield f"{label.text()}: {label.height()} of {needed}"


@contextmanager
def drawn(
    qtbot: QtBot, scene: RenderState, choice: AnimationChoice, *positions: int
) -> Iterator[QWidget]:
    """The window of hidden panels that have shown those positions."""
    hidden = HiddenPanels(scene, choice, DARK)
    try:
        for position in positions:
            with qtbot.waitSignal(hidden.drawn):
                hidden.ask(position)
        yield hidden_window()
    finally:
        hidden.close()


def check_no_line_is_cut_off_in_any_size_of_text(
    qtbot: QtBot, scene: RenderState, percent: int
) -> None:
    for panels in [*((name,) for name in animated()), ("words", "vocabulary"), (WINDOW,)]:
        choice = AnimationChoice(panels=panels, width=1600, height=1000, text=percent / 100)
        with drawn(qtbot, scene, choice, 0, 9) as window:
            assert list(too_low(window)) == [], panels


@pytest.mark.usefixtures("at_the_start")
def test_no_line_is_cut_off_in_any_size_of_text(qtbot: QtBot, scene: RenderState) -> None:
    for percent in [100, 300]:
        check_no_line_is_cut_off_in_any_size_of_text(qtbot, scene, percent)


def check_where_panels_have_room_nothing_is_squeezed(
    qtbot: QtBot, scene: RenderState, percent: int
) -> None:
    """What is refused is refused for the size that panels need in that size of text."""
    panels = ("pairs", "text", "words", "vocabulary")
    for height in range(480, 800, 20):
        choice = AnimationChoice(panels=panels, width=1600, height=height, text=percent / 100)
        with suppress(AnimationError), drawn(qtbot, scene, choice, 9) as window:
            assert list(too_low(window)) == []
            return
    pytest.fail("there is room in the end")


@pytest.mark.usefixtures("at_the_start")
def test_where_panels_have_room_nothing_is_squeezed(qtbot: QtBot, scene: RenderState) -> None:
    for percent in [100, 200]:
        check_where_panels_have_room_nothing_is_squeezed(qtbot, scene, percent)


def test_panels_behind_others_are_made_where_they_are_to_be_seen(
    qtbot: QtBot, scene: RenderState
) -> None:
    for panels, seen in [(("words",), False), (("words", "curves"), True), ((WINDOW,), True)]:
        choice = AnimationChoice(panels=panels, width=1600, height=1000)
        with drawn(qtbot, scene, choice, 9) as window:
            assert (window.findChild(QWidget, "curves") is not None) is seen, panels


def test_the_caption_names_the_merge_that_the_panels_mark(
    qtbot: QtBot, scene: RenderState
) -> None:
    choice = AnimationChoice(panels=("pairs",), width=640, height=480, caption=True, text=1.0)
    hidden = HiddenPanels(scene, choice, DARK)

    def caption() -> str:
        labels = hidden_window().findChildren(QLabel)
        [text] = [label.text() for label in labels if label.text().endswith("times")]
        return text.split(": ")[0] + text.split(": ")[1].replace("merge", "")

    told = []
    try:
        for position, share in ((0, 1.0), (1, 0.5), (1, 1.0), (15, 1.0)):
            with qtbot.waitSignal(hidden.drawn):
                hidden.ask(position, share)
            told.append(caption())
    finally:
        hidden.close()
    assert told == ["Next 1", "Now 1", "Next 2", "Last 15"]
