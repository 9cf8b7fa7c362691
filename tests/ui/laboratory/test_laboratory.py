"""The laboratory as a workspace: by tab and by key, its text, and what it costs unseen."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QTabBar, QTabWidget, QWidget
from pytestqt.qtbot import QtBot

from bpe_gui.ui.run.worker import TrainingWorker
from bpe_gui.ui.shell.main_window import MainWindow
from bpe_gui.ui.tokens.text_editor import TextEditor
from bpe_gui.ui.workspaces.workspaces import WorkspaceId
from tests.ui.driving import act, child, picture
from tests.ui.laboratory.recipe_editing import window
from tests.ui.pace import Shut

__all__ = ["window"]

Opened = Callable[..., MainWindow]


def test_the_laboratory_by_tab_and_by_key(window: MainWindow) -> None:
    assert not window.laboratory.has_view, "it costs nothing while unseen"
    QTest.keyClick(window, Qt.Key.Key_3, Qt.KeyboardModifier.ControlModifier)
    assert child(window, QWidget, "recipeEditor").isVisible()
    assert not any(dock.isVisible() for dock in window.explore.docks.values())
    tabs = child(window, QTabBar, "workspaceTabs")
    assert tabs.tabText(tabs.currentIndex()) == "Laboratory"
    tabs.setCurrentIndex(WorkspaceId.EXPLORE)
    assert not child(window, QWidget, "recipeEditor").isVisible()
    assert any(dock.isVisible() for dock in window.explore.docks.values())


def test_each_workspace_takes_the_place_of_any_other(qtbot: QtBot, window: MainWindow) -> None:
    for name, view in (
        ("laboratoryAction", "laboratoryView"),
        ("compareAction", "compareView"),
        ("laboratoryAction", "laboratoryView"),
    ):
        act(window, name)
        assert child(window, QWidget, view).isVisible()
        assert child(window, QAction, name).isChecked()
    assert not child(window, QWidget, "compareView").isVisible()
    act(window, "resetLayoutAction")
    assert window.workspaces.shown is WorkspaceId.EXPLORE


def test_ones_own_text_is_the_same_in_all_workspaces(window: MainWindow) -> None:
    act(window, "laboratoryAction")
    edit = child(window, TextEditor, "laboratoryText")
    assert edit.text() == window.sample_text.text
    edit.setPlainText("the cat, again")
    act(window, "compareAction")
    assert child(window, TextEditor, "compareText").text() == "the cat, again"
    child(window, TextEditor, "compareText").setPlainText("and the mat")
    act(window, "laboratoryAction")
    assert edit.text() == "and the mat"
    edit.setPlainText("at last")
    act(window, "exploreAction")
    assert window.sample_text.text == "at last"


def test_while_a_corpus_is_read_the_panels_say_so(
    qtbot: QtBot, opened: Opened, shut: Shut
) -> None:
    gate = shut(TrainingWorker, "_count")
    window = opened("story.txt", "the cat sat on the mat\n" * 30)
    act(window, "laboratoryAction")
    view = window.laboratory.view
    lockstep, boundaries = view.lockstep.chart, child(window, QLabel, "boundarySentence")
    qtbot.waitUntil(lambda: boundaries.text() == "Reading story.txt …")
    assert lockstep.accessibleDescription() == "Reading story.txt …"
    gate.open()
    qtbot.waitUntil(lambda: window.player.history is not None)
    assert "story.txt" not in boundaries.text()
    qtbot.waitUntil(lambda: "Reading" not in lockstep.accessibleDescription())


def test_the_pipeline_says_what_its_signs_mean(qtbot: QtBot, window: MainWindow) -> None:
    act(window, "laboratoryAction")
    legend = child(window, QLabel, "pipelineLegend")
    qtbot.waitUntil(legend.isVisible)
    for sign in ("Struck out", "Dashed", "Underlined", "Coloured"):
        assert f"{sign}: " in legend.text()
    child(window, QTabWidget, "laboratoryTabs").setCurrentIndex(1)
    assert not legend.isVisible()


def test_no_line_stands_above_a_part_of_the_tabs(qtbot: QtBot, window: MainWindow) -> None:
    act(window, "laboratoryAction")
    tabs = child(window, QTabWidget, "laboratoryTabs")
    qtbot.waitUntil(tabs.isVisible)
    image = picture(tabs)
    for y in range(4):
        assert len({image.pixel(x, y) for x in range(image.width())}) == 1
