"""The pipeline view follows position, recipe and text, and says when that takes long."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from bpe_gui.analysis.pipeline.stages import Stage
from bpe_gui.bpe.recipe import Recipe, preset
from bpe_gui.bpe.trainer import Trainer
from bpe_gui.bpe.words import WordCounts
from bpe_gui.ui.pipeline import view as pipeline_view
from bpe_gui.ui.pipeline.layout import ItemPlace
from bpe_gui.ui.pipeline.view import MOST_CHARACTERS, PipelineView
from bpe_gui.ui.shell.main_window import MainWindow
from bpe_gui.ui.theme.theme import DARK
from bpe_gui.ui.tokens.text_editor import TextEditor
from tests.ui.driving import child, colours, picture
from tests.ui.histories import byte_level, four_words
from tests.ui.pace import Shut
from tests.ui.pipeline.pipeline_views import done, fill, has, item_center, view

__all__ = ["view"]

KEY = Qt.Key
Opened = Callable[..., MainWindow]


# -- other positions and other recipes -----------------------------------------------------


def test_merges_follow_the_position_and_nothing_moves(qtbot: QtBot, view: PipelineView) -> None:
    history = four_words()
    fill(qtbot, view, "lowest", preset("whitespace"), history, 0)
    view.select(ItemPlace(Stage.TOKENS, 4))
    assert "Symbols: " not in view.accessibleDescription()
    place = item_center(view, ItemPlace(Stage.RAW, 5))
    view.show_position(1, True)
    assert view.current == ItemPlace(Stage.TOKENS, 3)
    assert "merge 1: “e” + “s”" in view.accessibleDescription()
    view.show_position(len(history), False)
    assert item_center(view, ItemPlace(Stage.RAW, 5)) == place
    assert view.shown is not None
    assert view.shown.position == len(history)
    view.show_position(0, False)
    assert len(view.shown.merged.ids) == 7


def test_merges_that_come_while_it_is_shown(qtbot: QtBot, view: PipelineView) -> None:
    recipe = preset("whitespace")
    trainer = Trainer(WordCounts.from_pairs([("low", 5)], recipe), recipe, compiled=False)
    fill(qtbot, view, "low", recipe, trainer.history)
    assert "no merge yet" in view.accessibleDescription()
    trainer.advance(2)
    view.show_position(2, True)
    assert "2 merges" in view.accessibleDescription()


def test_another_recipe_shows_at_once_what_it_changes(qtbot: QtBot, view: PipelineView) -> None:
    history = byte_level("the theme")
    fill(qtbot, view, "The théme", preset("gpt2"), history)
    assert view.shown is not None
    assert view.shown.is_trained
    changed = preset("gpt2").with_changes(normalizers=("lowercase",), vocabulary_size=300)
    view.set_recipe(changed)
    done(qtbot, view)
    assert not view.shown.is_trained
    assert "Lowercase: 1 of 9 changed" in view.accessibleDescription()
    view.set_recipe(preset("gpt2").with_changes(name="mine", vocabulary_size=300))
    done(qtbot, view)
    assert view.shown.is_trained, "only its name and its size are others"


def test_what_is_selected_stays_so_where_the_text_does(qtbot: QtBot, view: PipelineView) -> None:
    fill(qtbot, view, "a naïve text", preset("gpt2"))
    view.select(ItemPlace(Stage.RAW, 7))
    fill(qtbot, view, "a naïve text", preset("lines"))
    assert view.current == ItemPlace(Stage.RAW, 7)
    fill(qtbot, view, "another", preset("lines"))
    assert view.current is None


def test_a_long_text_stays_where_it_is(qtbot: QtBot, view: PipelineView) -> None:
    text = "a naïve text, and more. " * 60
    fill(qtbot, view, text, preset("gpt2"))
    bar = view.verticalScrollBar()
    bar.setValue(bar.maximum() // 2)
    before = bar.value()
    fill(qtbot, view, text, preset("gpt4"))
    assert abs(bar.value() - before) < 300
    view.resize(600, 400)
    assert bar.value() > 0
    view.select(ItemPlace(Stage.RAW, 0))
    assert bar.value() == 0


def test_the_beginning_of_a_longer_text_is_shown_and_said_to_be(
    qtbot: QtBot, view: PipelineView
) -> None:
    fill(qtbot, view, "a" * (MOST_CHARACTERS + 1000), preset("gpt2"))
    assert view.notice == "Showing the first 4,000 of 5,000 characters."
    assert view.shown is not None
    assert len(view.shown.trace.text) == MOST_CHARACTERS
    fill(qtbot, view, "a", preset("gpt2"))
    assert view.notice == ""


def test_only_what_was_asked_for_last_is_shown(
    qtbot: QtBot, view: PipelineView, shut: Shut
) -> None:
    gate = shut(pipeline_view, "trace_pipeline")
    view.set_recipe(preset("gpt2"))
    view.sample_text.set("first")
    qtbot.waitUntil(lambda: gate.arrived == 1)
    view.sample_text.set("second")
    view.sample_text.set("third")
    assert not view.up_to_date
    gate.open()
    done(qtbot, view)
    assert gate.arrived == 2, "the second was never begun"
    assert view.shown is not None
    assert view.shown.trace.text == "third"


def test_what_nobody_waits_for_is_given_up(qtbot: QtBot, view: PipelineView) -> None:
    """At each place its pattern looks through the rest of the text."""
    view.set_recipe(preset("gpt2").with_changes(split=r"regex:a(?=.*b)|a", name="slow"))
    view.sample_text.set("a" * MOST_CHARACTERS)
    view.set_recipe(preset("gpt2"))
    done(qtbot, view)
    assert view.shown is not None
    assert view.shown.trace.recipe == preset("gpt2")
    assert view.shown.trace.problem is None


def test_while_it_takes_long_that_is_said(qtbot: QtBot, view: PipelineView, shut: Shut) -> None:
    gate = shut(pipeline_view, "trace_pipeline")
    view.set_recipe(preset("gpt2"))
    view.sample_text.set("text")
    assert view.accessibleDescription() == "Splitting the text…"
    qtbot.waitUntil(lambda: view.notice != "")
    assert view.notice.startswith("Still")
    gate.open()
    done(qtbot, view)
    assert view.notice == ""


def test_nothing_is_done_out_of_sight(qtbot: QtBot, view: PipelineView) -> None:
    view.set_active(False)
    view.set_recipe(preset("gpt2"))
    view.sample_text.set("text")
    assert view.shown is None
    assert not view.up_to_date
    view.set_active(True)
    done(qtbot, view)


def test_a_pattern_that_explodes_is_named_in_place_of_its_stage(
    qtbot: QtBot, view: PipelineView, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pipeline_view, "SECONDS", 0.05)
    fill(qtbot, view, "a" * 2000 + "é", Recipe(normalizers=("nfd",), split="regex:(a|aa)+$"))
    said = view.accessibleDescription()
    assert "Normalized: NFD: 1 of 2,001 changed" in said
    assert "Pre-tokens: The split pattern '(a|aa)+$' takes too long" in said
    assert has(view, DARK.error) or len(colours(picture(view))) > 2
    view.select(ItemPlace(Stage.NORMALIZED, 3))
    QTest.keyClick(view, KEY.Key_Down)
    assert view.current == ItemPlace(Stage.NORMALIZED, 3)
    assert view.shown is not None
    assert view.shown.trace.problem is not None


def test_a_failure_is_told(
    qtbot: QtBot, view: PipelineView, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr(pipeline_view, "trace_pipeline", fail)
    view.set_recipe(preset("gpt2"))
    view.sample_text.set("text")
    qtbot.waitUntil(lambda: "not enough memory" in view.notice)
    assert view.up_to_date
    assert view.accessibleDescription() == view.notice


# -- in the window -------------------------------------------------------------------------


def test_in_the_laboratory_it_follows_the_run(qtbot: QtBot, opened: Opened) -> None:
    window = opened("story.txt", "the cat sat on the mat\n" * 30, "--preset", "gpt2")
    child(window, QAction, "laboratoryAction").trigger()
    view = child(window, PipelineView, "pipelineView")
    view.set_recipe(preset("gpt2"))
    child(window, TextEditor, "laboratoryText").setPlainText("the mat")
    window.run_control.train()
    player = window.player
    qtbot.waitUntil(
        lambda: player.history is not None and player.history.stopped is not None
    )
    qtbot.waitUntil(lambda: "Ids: 2 ids, 2 different" in view.accessibleDescription())
    assert view.shown is not None
    assert view.shown.position == player.end > 0
    player.scrub(0)
    qtbot.waitUntil(lambda: "no merge yet" in view.accessibleDescription())
    assert view.shown.position == 0


def test_it_knows_the_run_that_came_before_it(qtbot: QtBot, opened: Opened) -> None:
    """A token was selected before: then every panel has been told of the run."""
    window = opened("story.txt", "the cat sat on the mat\n" * 30, "--preset", "gpt2")
    qtbot.waitUntil(lambda: window.player.history is not None)
    window.explore.select_token(65)
    child(window, QAction, "laboratoryAction").trigger()
    view = child(window, PipelineView, "pipelineView")
    view.set_recipe(preset("gpt2"))
    qtbot.waitUntil(lambda: "no merge yet" in view.accessibleDescription())
