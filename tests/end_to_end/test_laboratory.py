"""The laboratory: a recipe is written, undone, refused, saved, trained, and seen at work."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QLabel,
    QLineEdit,
    QMainWindow,
    QMenu,
    QPlainTextEdit,
    QPushButton,
    QSpinBox,
    QTableView,
    QWidget,
)
from pytestqt.qtbot import QtBot

import bpe_gui
from bpe_gui.bpe import recipe_io
from bpe_gui.bpe.recipe import PRESETS
from tests.end_to_end.window import (
    ALT,
    CONTROL,
    KEY,
    LEFT,
    SHIFT,
    Start,
    action,
    answered,
    cells,
    choose,
    description,
    digits,
    entries,
    finished,
    named,
    show_tab,
    tab_to,
    write,
)
from tests.ui.driving import act, child

TEXT = "the lowest 1234"
OWN = r"\p{L}+|\P{L}"


@pytest.fixture
def window(qtbot: QtBot, gpt2_run: QMainWindow) -> QMainWindow:
    """A finished run in the laboratory, and the text."""
    act(gpt2_run, "laboratoryAction")
    write(qtbot, gpt2_run, "laboratoryText", TEXT)
    return gpt2_run


def pattern(window: QMainWindow) -> str:
    """The pattern by which the recipe splits."""
    return child(window, QPlainTextEdit, "splitPatternEdit").toPlainText()


def split_count(window: QMainWindow) -> list[int]:
    """How many words the sample text has now."""
    return digits(child(window, QLabel, "splitPreviewCount").text())


def check_a_split_pattern_is_written_undone_and_redone(qtbot: QtBot, window: QMainWindow) -> None:
    edit = child(window, QWidget, "splitPatternEdit")
    before = pattern(window)
    qtbot.waitUntil(lambda: split_count(window) == [3])
    write(qtbot, window, "splitPatternEdit", OWN)
    qtbot.waitUntil(lambda: split_count(window) == [8])
    qtbot.keyClick(edit, KEY.Key_Z, CONTROL)
    assert pattern(window) == before
    qtbot.waitUntil(lambda: split_count(window) == [3])
    qtbot.keyClick(edit, KEY.Key_Z, CONTROL | SHIFT)
    assert pattern(window) == OWN
    qtbot.waitUntil(lambda: split_count(window) == [8])


def check_a_pattern_that_is_none_says_why_and_cannot_be_trained(
    qtbot: QtBot, window: QMainWindow
) -> None:
    train = action(window, "trainAction")
    write(qtbot, window, "splitPatternEdit", "(a")
    qtbot.waitUntil(lambda: not train.isEnabled())
    problem = child(window, QLabel, "splitProblem")
    assert "missing )" in problem.text()
    assert "missing )" in description(child(window, QWidget, "trainRecipeButton"))
    write(qtbot, window, "splitPatternEdit", "(a)")
    qtbot.waitUntil(train.isEnabled)
    qtbot.waitUntil(lambda: not problem.isVisible())
    choose(child(window, QComboBox, "recipeBaseBox"), "gpt2")


def check_every_preset_can_be_started_from(qtbot: QtBot, window: QMainWindow) -> None:
    pipeline = child(window, QWidget, "pipelineView")
    for name in PRESETS:
        choose(child(window, QComboBox, "recipeBaseBox"), name)
        count = len(bpe_gui.train([TEXT], preset=name, merges=0).encode(TEXT).ids)
        qtbot.waitUntil(lambda name=name: child(window, QLineEdit, "recipeNameEdit").text() == name)
        qtbot.waitUntil(lambda count=count: count in digits(description(pipeline)))
        assert action(window, "trainAction").isEnabled()


def check_a_normalizer_is_added_moved_removed_and_put_back(
    qtbot: QtBot, window: QMainWindow
) -> None:
    editor = child(window, QWidget, "recipeEditor")
    qtbot.mouseClick(child(window, QWidget, "normalizeSection"), LEFT)
    menu = child(window, QMenu, "addNormalizerMenu")
    lowercase, nfd = (
        next(item for item in menu.actions() if word in item.text()) for word in ("ower", "NFD")
    )

    def steps() -> list[str]:
        rows = [row for row in editor.findChildren(QWidget, "normalizerRow") if row.isVisible()]
        names = [row.accessibleName() for row in sorted(rows, key=QWidget.y)]
        return ["NFD" if "NFD" in name else "lower" for name in names]

    lowercase.trigger()
    nfd.trigger()
    qtbot.waitUntil(lambda: steps() == ["lower", "NFD"])
    write(qtbot, window, "laboratoryText", "LOW")
    pipeline = child(window, QWidget, "pipelineView")
    qtbot.waitUntil(lambda: "3 of 3" in description(pipeline))
    last = max(editor.findChildren(QWidget, "normalizerRow"), key=QWidget.y)
    last.setFocus()
    qtbot.keyClick(last, KEY.Key_Up, ALT)
    qtbot.waitUntil(lambda: steps() == ["NFD", "lower"])
    qtbot.keyClick(QApplication.focusWidget(), KEY.Key_Delete)
    qtbot.waitUntil(lambda: len(steps()) == 1)
    qtbot.keyClick(QApplication.focusWidget(), KEY.Key_Z, CONTROL)
    qtbot.waitUntil(lambda: steps() == ["NFD", "lower"])
    write(qtbot, window, "laboratoryText", TEXT)


def test_a_recipe_is_saved_opened_again_and_trained(
    qtbot: QtBot, window: QMainWindow, words: Path, tmp_path: Path
) -> None:
    write(qtbot, window, "splitPatternEdit", OWN)
    write(qtbot, window, "recipeNameEdit", "letters")
    path = tmp_path / "letters.json"
    answered(qtbot, action(window, "saveRecipeAction").trigger, [named(qtbot, path)])
    qtbot.waitUntil(path.exists)
    assert json.loads(path.read_text())["split"] == {"regex": OWN}
    assert recipe_io.load(path).name == "letters"
    choose(child(window, QComboBox, "recipeBaseBox"), "gpt4")
    qtbot.waitUntil(lambda: pattern(window) != OWN)
    answered(qtbot, action(window, "loadRecipeAction").trigger, [named(qtbot, path)])
    qtbot.waitUntil(lambda: pattern(window) == OWN)
    act(window, "trainAction")
    box = child(window, QComboBox, "presetBox")
    qtbot.waitUntil(lambda: box.currentText() == "letters")
    finished(qtbot, window)
    expected = bpe_gui.train(words, recipe=path)
    act(window, "exploreAction")
    table = child(window, QTableView, "vocabularyTable")
    qtbot.waitUntil(lambda: table.model().rowCount() == len(expected.vocab))


def test_a_saved_recipe_is_offered_everywhere_and_deleted(
    qtbot: QtBot, window: QMainWindow
) -> None:
    write(qtbot, window, "splitPatternEdit", OWN)
    write(qtbot, window, "recipeNameEdit", "letters")
    base, box = (child(window, QComboBox, name) for name in ("recipeBaseBox", "presetBox"))
    # The name that the dialog proposes is among the user's own recipes.
    answered(qtbot, action(window, "saveRecipeAction").trigger, [named(qtbot)])
    qtbot.waitUntil(lambda: "letters" in entries(base))
    qtbot.waitUntil(lambda: "letters" in entries(box))
    choose(box, "raw")
    choose(box, "letters")
    qtbot.waitUntil(lambda: pattern(window) == OWN)


def test_the_pipeline_shows_each_step_of_a_text(qtbot: QtBot, window: QMainWindow) -> None:
    pipeline = child(window, QWidget, "pipelineView")
    qtbot.waitUntil(lambda: digits(description(pipeline))[:2] == [len(TEXT), len(TEXT.encode())])
    pipeline.setFocus()
    qtbot.keyClick(pipeline, KEY.Key_Right)
    assert "U+0074" in description(pipeline), "the first character"
    qtbot.keyClick(pipeline, KEY.Key_Down)
    qtbot.keyClick(pipeline, KEY.Key_Down)
    assert "“the”" in description(pipeline), "its word"
    assert "3 bytes. 3 symbols" in description(pipeline)
    qtbot.keyClick(pipeline, KEY.Key_Down)
    assert "“t”" in description(pipeline), "its first symbol"
    qtbot.keyClick(pipeline, KEY.Key_Down)
    qtbot.keyClick(pipeline, KEY.Key_Down)
    assert 83 in digits(description(pipeline)), "its id"


def check_the_pipeline_follows_the_cursor_through_the_merges(
    qtbot: QtBot, window: QMainWindow
) -> None:
    pipeline = child(window, QWidget, "pipelineView")
    ids = len(bpe_gui.train([TEXT], preset="gpt2", merges=0).encode(TEXT).ids)
    act(window, "homeAction")
    qtbot.waitUntil(lambda: digits(description(pipeline))[-2:-1] == [ids])
    act(window, "stepAction")
    qtbot.waitUntil(lambda: digits(description(pipeline))[-2:-1] == [ids - 1])
    act(window, "endAction")


def test_a_recipe_is_looked_at_and_edited(qtbot: QtBot, window: QMainWindow) -> None:
    check_the_pipeline_follows_the_cursor_through_the_merges(qtbot, window)
    check_a_split_pattern_is_written_undone_and_redone(qtbot, window)
    check_a_pattern_that_is_none_says_why_and_cannot_be_trained(qtbot, window)
    check_a_normalizer_is_added_moved_removed_and_put_back(qtbot, window)
    check_every_preset_can_be_started_from(qtbot, window)


def test_pairs_that_the_split_keeps_apart_are_listed(qtbot: QtBot, window: QMainWindow) -> None:
    show_tab(qtbot, window, "laboratoryTabs", "boundaryPanel")
    act(window, "homeAction")
    pairs = child(window, QTableView, "forbiddenTable")
    qtbot.waitUntil(lambda: bool(cells(pairs)) and cells(pairs)[0][0].startswith("t "))
    # Of nine times five words three end with t, and each of them is followed by a space.
    assert 27 in digits(" ".join(cells(pairs)[0]))
    tokens = child(window, QTableView, "crossingTable")
    qtbot.waitUntil(lambda: tokens.model().rowCount() > 0)
    assert "27" in child(window, QLabel, "boundarySentence").text()


def test_two_recipes_are_trained_and_stepped_in_lockstep(
    qtbot: QtBot, start: Start, tmp_path: Path
) -> None:
    corpus = tmp_path / "dates.txt"
    corpus.write_text("in 1994 and in 1995 and then\n" * 9)
    window = start("open", str(corpus), "--preset", "gpt2")
    act(window, "laboratoryAction")
    show_tab(qtbot, window, "laboratoryTabs", "lockstepPanel")
    choose(child(window, QComboBox, "firstRecipe"), "gpt2")
    choose(child(window, QComboBox, "secondRecipe"), "gpt4")
    child(window, QSpinBox, "lockstepSizeBox").setValue(266)
    chart = child(window, QWidget, "slopeChart")
    both = child(window, QPushButton, "trainBothButton")
    qtbot.waitUntil(both.isEnabled)
    idle = both.text()
    qtbot.mouseClick(both, LEFT)
    qtbot.waitUntil(lambda: both.text() == idle and digits(description(chart)) != [])
    first, second = (
        [merge.token for merge in bpe_gui.train(corpus, preset=name, vocab_size=266).history]
        for name in ("gpt2", "gpt4")
    )
    tab_to(qtbot, window, "slopeChart")

    def says(rank: int, token: str) -> bool:
        found = description(chart)
        known = token not in second or f"merge {second.index(token) + 1} in “gpt4”" in found
        return known and found.startswith(f"“{token.replace('Ġ', '␣')}”: merge {rank} in “gpt2”")

    def says_all() -> bool:
        qtbot.keyClick(chart, KEY.Key_Home)
        for rank, token in enumerate(first, 1):
            if not says(rank, token):
                return False
            qtbot.keyClick(chart, KEY.Key_Down)
        return True

    qtbot.waitUntil(says_all)  # each of the two is drawn a moment after its training
    qtbot.keyClick(chart, KEY.Key_P)
    assert description(chart).startswith("“␣1”: merge 2 "), "where they part: GPT-4 splits it off"
