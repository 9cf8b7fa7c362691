"""Two recipes in lockstep, in the window."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QTextDocument
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QPushButton, QSpinBox, QTabWidget, QWidget
from pytestqt.qtbot import QtBot

from bpe_gui.bpe import recipe_io
from bpe_gui.bpe.kernels.jit import compiled_by_default
from bpe_gui.bpe.recipe import Ties, preset
from bpe_gui.ui.compare.merge_curves import MergeCurves
from bpe_gui.ui.context.context import reveal
from bpe_gui.ui.laboratory.lockstep_panel import (
    IN_EDITOR,
    IN_VIEW,
    LockstepPanel,
    RecipeChoice,
)
from bpe_gui.ui.laboratory.slope_chart import SlopeChart
from bpe_gui.ui.run.worker import TrainingWorker
from bpe_gui.ui.shell.main_window import MainWindow
from bpe_gui.ui.theme.theme import LIGHT
from tests.ui.driving import act, child, picture
from tests.ui.laboratory.lockstep_training import choose, train_presets
from tests.ui.pace import Rations, Shut

Opened = Callable[..., MainWindow]
STORY = "The cat sat.\nThe dog sat 1234.\nA cat and a dog!\n" * 20


@pytest.fixture
def window(qtbot: QtBot, opened: Opened) -> MainWindow:
    made = opened("story.txt", STORY, "--preset", "gpt2")
    qtbot.waitUntil(lambda: made.player.history is not None)
    child(made, QAction, "laboratoryAction").trigger()
    return made


@pytest.fixture
def panel(window: MainWindow) -> LockstepPanel:
    made = child(window, LockstepPanel, "lockstepPanel")
    reveal(made)
    return made


def done(qtbot: QtBot, panel: LockstepPanel) -> SlopeChart:
    """The chart, when all that is trained has ended."""
    chart = child(panel, SlopeChart, "slopeChart")
    qtbot.waitUntil(lambda: bool(panel.runs.all) and not panel.runs.busy)
    ends = [run.history for run in panel.runs.all if run.history is not None]
    lengths = tuple(len(history) for history in ends)
    qtbot.waitUntil(lambda: chart.lockstep is not None and chart.lockstep.lengths == lengths)
    return chart


def sentence(panel: LockstepPanel) -> str:
    return child(panel, QLabel, "lockstepSentence").text()


def check_preset_against_preset_in_three_clicks(
    qtbot: QtBot, window: MainWindow
) -> None:
    tabs = child(window, QTabWidget, "laboratoryTabs")
    place = next(n for n in range(tabs.count()) if "lockstep" in tabs.tabText(n))
    tabs.tabBar().setFocus()
    middle = tabs.tabBar().tabRect(place).center()
    QTest.mouseClick(tabs.tabBar(), Qt.MouseButton.LeftButton, pos=middle)
    panel = child(window, LockstepPanel, "lockstepPanel")
    assert panel.isVisible()
    # The button opens the menu; a menu within it opens by pointing at it.
    train_presets(panel, "gpt2", "gpt4")
    chart = done(qtbot, panel)
    assert chart.lockstep is not None
    assert [history.recipe.split for history in chart.lockstep.histories] == ["gpt2", "cl100k"]
    assert sentence(panel).startswith("“gpt2” and “gpt4” diverge at merge")
    assert "(◆)" in sentence(panel)
    assert panel.accessibleDescription() == sentence(panel)
    document = QTextDocument()
    document.setHtml(child(panel, QLabel, "lockstepSentence").parentWidget().toolTip())
    lists = document.toPlainText().split("\n")
    for name, told, run in zip(chart.names, lists, (0, 1), strict=True):
        alone = chart.lockstep.only(run)
        assert told.startswith(f"Only in “{name}”: ")
        assert told.count("“") - 1 == min(len(alone), 60)


def test_both_are_trained_at_once(
    qtbot: QtBot, panel: LockstepPanel, rations: Rations
) -> None:
    rations.merges = 3
    child(panel, QPushButton, "trainBothButton").click()
    chart = child(panel, SlopeChart, "slopeChart")
    qtbot.waitUntil(lambda: chart.lockstep is not None and chart.lockstep.lengths == (3, 3))
    threads = [run.training for run in panel.runs.all]
    assert None not in threads
    assert len(set(map(id, threads))) == 2
    assert sentence(panel).startswith("Training: gpt2 has 3 of 24 merges and gpt4 has 3")
    button = child(panel, QPushButton, "trainBothButton")
    assert button.text() == "Cancel"
    button.click()
    qtbot.waitUntil(lambda: not panel.runs.busy)
    assert button.text() == "Train both"
    assert chart.lockstep is not None
    assert chart.lockstep.lengths == (3, 3), "what was learned stays"


def test_what_is_trained_already_is_not_trained_again(
    qtbot: QtBot, window: MainWindow, panel: LockstepPanel, shut: Shut
) -> None:
    child(window, QAction, "trainAction").trigger()
    history = window.player.history
    assert history is not None
    qtbot.waitUntil(lambda: history.stopped is not None)
    gate = shut(TrainingWorker, "_count")
    gate.open()
    child(panel, QPushButton, "trainBothButton").click()
    chart = done(qtbot, panel)
    assert chart.lockstep is not None
    assert chart.lockstep.histories[0] is history
    assert gate.arrived == 1
    choose(panel, "thirdRecipe", "o200k")
    assert child(panel, QPushButton, "trainBothButton").text() == "Train all"
    child(panel, QPushButton, "trainBothButton").click()
    before = chart.lockstep.histories
    qtbot.waitUntil(lambda: chart.lockstep is not None and len(chart.lockstep.histories) == 3)
    done(qtbot, panel)
    assert chart.lockstep.histories[:2] == before
    assert gate.arrived == 2


def test_a_token_of_the_run_in_view_is_gone_to(
    qtbot: QtBot, window: MainWindow, panel: LockstepPanel
) -> None:
    child(window, QAction, "trainAction").trigger()
    history = window.player.history
    assert history is not None
    qtbot.waitUntil(lambda: history.stopped is not None)
    child(panel, QPushButton, "trainBothButton").click()
    chart = done(qtbot, panel)
    assert chart.lockstep is not None
    other = chart.lockstep.histories[1]
    equal = int(chart.lockstep.partners(1, 0).max())
    step = int(chart.lockstep.partners(1, 0).argmax())
    with qtbot.waitSignal(panel.tokenSelected) as selected:
        chart.tokenChosen.emit(1, step)
    assert selected.args == [int(history.new_id[equal])]
    assert history.token_bytes(selected.args[0]) == other.token_bytes(int(other.new_id[step]))
    lone = chart.lockstep.only(1)
    assert len(lone)
    told = []
    panel.tokenSelected.connect(told.append)
    chart.go_to(1, int(lone[0]))
    chart.setFocus()
    QTest.keyClick(chart, Qt.Key.Key_Return)
    assert told == []
    assert "does not have it" in child(panel, QLabel, "lockstepToken").text()


def check_the_numbers_stand_beside(qtbot: QtBot, window: MainWindow, panel: LockstepPanel) -> None:
    assert panel.findChild(QWidget, "mergeCurves") is None, "they cost nothing before"
    # Curves wait for the kernels, which may have to be compiled first.
    qtbot.waitUntil(compiled_by_default)
    train_presets(panel, "gpt2", "raw")
    done(qtbot, panel)
    curves = child(panel, QWidget, "mergeCurves")
    legend = child(curves, QLabel, "curvesLegend")
    qtbot.waitUntil(lambda: "gpt2" in legend.text() and "raw" in legend.text())


def check_recipes_from_all_places(
    qtbot: QtBot, window: MainWindow, panel: LockstepPanel
) -> None:
    mine = preset("gpt2").with_changes(name="mine", split="lines", vocabulary_size=270)
    shelf = window.laboratory.files.shelf
    shelf.folder.mkdir(parents=True)
    recipe_io.save(mine, shelf.path_for("mine"))
    window.laboratory.files.keptChanged.emit()
    panel.set_recipe(preset("categories").with_changes(name="edited", vocabulary_size=260))
    first = child(panel, RecipeChoice, "firstRecipe")
    assert first.currentText() == "In view: gpt2"
    choose(panel, "firstRecipe", "mine")
    choose(panel, "secondRecipe", "In the editor: edited")
    assert child(panel, RecipeChoice, "secondRecipe").key == IN_EDITOR
    child(panel, QPushButton, "trainBothButton").click()
    done(qtbot, panel)
    recipes = [run.recipe for run in panel.runs.all]
    assert [recipe.name for recipe in recipes] == ["mine", "edited"]
    first.choose(IN_VIEW)
    choose(panel, "secondRecipe", "gpt4")
    child(panel, QPushButton, "trainBothButton").click()
    assert [run.recipe.vocabulary_size for run in panel.runs.all] == [280, 280]
    done(qtbot, panel)


def check_what_learns_the_same_is_said_to(qtbot: QtBot, panel: LockstepPanel) -> None:
    panel.set_recipe(preset("gpt2"))
    choose(panel, "firstRecipe", "gpt2")
    choose(panel, "secondRecipe", "In the editor: gpt2")
    child(panel, QPushButton, "trainBothButton").click()
    done(qtbot, panel)
    assert "the same for their first" in sentence(panel)
    assert "They learn the same tokens." in sentence(panel)
    assert "◆" not in sentence(panel)


def check_all_recipes_are_trained_to_one_size(
    qtbot: QtBot, window: MainWindow, panel: LockstepPanel
) -> None:
    size = child(panel, QSpinBox, "lockstepSizeBox")
    assert size.value() == 280, "the toolbar's"
    mine = preset("gpt2").with_changes(vocabulary_size=None, merges=3, ties=Ties.LOWEST_ID)
    panel.set_recipe(mine.with_changes(name="edited"))
    choose(panel, "firstRecipe", "gpt4")
    choose(panel, "secondRecipe", "In the editor: edited")
    size.setValue(270)
    child(panel, QPushButton, "trainBothButton").click()
    chart = done(qtbot, panel)
    assert chart.lockstep is not None
    histories = chart.lockstep.histories
    assert [history.vocabulary_size(len(history)) for history in histories] == [270, 270]
    assert [history.recipe.ties for history in histories] == [Ties.FIRST_SEEN, Ties.LOWEST_ID]
    assert "Both are trained up to 270 entries." in sentence(panel)
    child(window, QSpinBox, "vocabSizeBox").setValue(300)
    assert size.value() == 300
    size.setValue(100)
    child(panel, QPushButton, "trainBothButton").click()
    assert "a vocabulary of 100 cannot hold" in sentence(panel).lower()


def check_what_cannot_be_trained_is_said(
    qtbot: QtBot, panel: LockstepPanel, tmp_path: Path
) -> None:
    (tmp_path / "story.txt").unlink()
    train_presets(panel, "raw", "lines")
    qtbot.waitUntil(lambda: "story.txt" in sentence(panel))
    qtbot.waitUntil(lambda: not panel.runs.busy)
    (tmp_path / "story.txt").write_text(STORY)
    train_presets(panel, "raw", "lines")
    done(qtbot, panel)
    assert "diverge at" in sentence(panel)


def check_another_corpus_begins_anew(
    qtbot: QtBot, window: MainWindow, panel: LockstepPanel, tmp_path: Path
) -> None:
    train_presets(panel, "gpt2", "gpt4")
    chart = done(qtbot, panel)
    other = tmp_path / "other.txt"
    other.write_text("another text altogether")
    window.open_sources([other])
    qtbot.waitUntil(lambda: chart.lockstep is None)
    assert panel.runs.all == []
    assert sentence(panel) == ""


def check_nothing_is_cut_in_a_narrow_window(
    qtbot: QtBot, window: MainWindow, panel: LockstepPanel
) -> None:
    window.resize(1024, 700)
    qtbot.waitUntil(compiled_by_default)
    train_presets(panel, "gpt2", "char-bpe")
    done(qtbot, panel)
    curves = child(panel, MergeCurves, "mergeCurves")
    legend = child(curves, QLabel, "curvesLegend")
    qtbot.waitUntil(lambda: "char-bpe" in legend.text())
    assert "run" not in legend.text()
    curves.axis_hint.setText("axis from 1,234, not from 0")
    hint = curves.axis_hint
    qtbot.waitUntil(lambda: hint.width() >= hint.sizeHint().width())
    document = QTextDocument()
    document.setDefaultFont(legend.font())
    document.setHtml(legend.text())
    document.setTextWidth(legend.contentsRect().width())
    assert document.idealWidth() <= legend.contentsRect().width()
    for box in ("firstRecipe", "secondRecipe", "thirdRecipe"):
        choice = child(panel, RecipeChoice, box)
        needed = choice.fontMetrics().horizontalAdvance("In view: gpt2")
        assert choice.width() >= needed + 30
    button = child(panel, QPushButton, "trainBothButton")
    assert button.width() >= button.minimumSizeHint().width()
    size = panel.common_size
    assert size.width() > size.fontMetrics().horizontalAdvance(size.text()) + 30


def check_it_is_drawn_in_both_themes_at_every_size(
    qtbot: QtBot, window: MainWindow, panel: LockstepPanel
) -> None:
    assert not picture(panel).isNull()
    train_presets(panel, "whitespace", "char-bpe")
    done(qtbot, panel)
    dark = picture(panel)
    window.theme_choice.choose(LIGHT.name)
    assert picture(panel) != dark
    for size in ((320, 190), (700, 400), (1600, 900)):
        panel.resize(*size)
        assert not picture(panel).isNull()


def check_in_text_of_twice_the_size_the_panel_scrolls_instead_of_cutting_off_what_it_says(
    qtbot: QtBot, window: MainWindow, panel: LockstepPanel
) -> None:
    window.resize(1280, 800)
    for _ in range(5):
        act(window, "largerTextAction")
    train_presets(panel, "whitespace", "gpt4")
    done(qtbot, panel)
    said = child(panel, QLabel, "lockstepSentence")
    qtbot.waitUntil(lambda: said.height() >= said.heightForWidth(said.width()))
    assert panel.height() > panel.visibleRegion().boundingRect().height()
    window.text_sizing.set_scale(1.0)


def test_what_is_trained_is_told_in_any_room(
    qtbot: QtBot, window: MainWindow, panel: LockstepPanel
) -> None:
    check_the_numbers_stand_beside(qtbot, window, panel)
    check_what_learns_the_same_is_said_to(qtbot, panel)
    check_nothing_is_cut_in_a_narrow_window(qtbot, window, panel)
    check_in_text_of_twice_the_size_the_panel_scrolls_instead_of_cutting_off_what_it_says(
        qtbot, window, panel
    )


def test_recipes_of_any_place_and_size_are_trained(
    qtbot: QtBot, window: MainWindow, panel: LockstepPanel
) -> None:
    check_recipes_from_all_places(qtbot, window, panel)
    check_all_recipes_are_trained_to_one_size(qtbot, window, panel)


def test_presets_are_trained_drawn_refused_and_forgotten(
    qtbot: QtBot, window: MainWindow, panel: LockstepPanel, tmp_path: Path
) -> None:
    check_preset_against_preset_in_three_clicks(qtbot, window)
    check_it_is_drawn_in_both_themes_at_every_size(qtbot, window, panel)
    check_what_cannot_be_trained_is_said(qtbot, panel, tmp_path)
    check_another_corpus_begins_anew(qtbot, window, panel, tmp_path)


def test_closing_ends_a_training_under_way(
    qtbot: QtBot, window: MainWindow, panel: LockstepPanel, rations: Rations
) -> None:
    rations.merges = 2
    train_presets(panel, "gpt2", "o200k")
    qtbot.waitUntil(lambda: all(run.history is not None for run in panel.runs.all))
    window.close()


def test_two_boxes_with_the_same_finished_run_have_one_curve(
    qtbot: QtBot, window: MainWindow, panel: LockstepPanel
) -> None:
    window.run_control.train()
    history = window.player.history
    qtbot.waitUntil(lambda: history is not None and history.stopped is not None)
    choose(panel, "secondRecipe", "gpt2")
    child(panel, QPushButton, "trainBothButton").click()
    done(qtbot, panel)
    curves = child(panel, MergeCurves, "mergeCurves")
    qtbot.waitUntil(lambda: curves.sentence.text() != "")
    assert curves.sentence.text() == "They are the same run and share one curve."
    legend = child(curves, QLabel, "curvesLegend").text().replace("&nbsp;", " ")
    assert "gpt2 (1) and gpt2 (2)" in legend
