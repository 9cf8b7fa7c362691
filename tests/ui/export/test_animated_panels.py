"""The panels of an animation show each position as the window does, with what is chosen in it."""

from __future__ import annotations

import numpy as np
import pytest
from msgspec.structs import replace
from PySide6.QtCore import QByteArray, Qt
from PySide6.QtWidgets import QComboBox, QDockWidget, QLabel, QTabBar, QTableView, QWidget
from pytestqt.qtbot import QtBot

from bpe_gui.bpe.history import NO_TOKEN
from bpe_gui.bpe.recipe import preset
from bpe_gui.bpe.words import WordCounts
from bpe_gui.exporting.animation import AnimationError, Frame
from bpe_gui.ui.explore.view import ExploreView
from bpe_gui.ui.export.animation_recorder import pixels
from bpe_gui.ui.export.hidden_panels import AnimationChoice, HiddenPanels, RenderState
from bpe_gui.ui.export.panels import WINDOW, animated
from bpe_gui.ui.panels.branches.panel import BranchesPanel
from bpe_gui.ui.panels.curves.panel import CurvesPanel
from bpe_gui.ui.run.sample_text import DEFAULT_TEXT
from bpe_gui.ui.run.training import Phase
from bpe_gui.ui.settings.view_state import shown_in
from bpe_gui.ui.shell.main_window import MainWindow
from bpe_gui.ui.theme.theme import DARK, LIGHT
from bpe_gui.ui.timeline.timeline import Timeline
from tests.ui.driving import child
from tests.ui.export.animations import SMALL, hidden_window, window
from tests.ui.histories import FOUR_WORDS, four_words
from tests.ui.panels.painted import painted_texts

__all__ = ["window"]


def test_unknown_panels_are_named() -> None:
    with pytest.raises(AnimationError, match="'lanes' is no panel that follows the merges; these"):
        replace(SMALL, panels=("pairs", "lanes")).stretch()
    with pytest.raises(AnimationError, match="'window' is no panel"):
        replace(SMALL, panels=("pairs", "window")).stretch()


def test_a_position_looks_the_same_wherever_one_comes_from(qtbot: QtBot) -> None:
    """All panels are functions of the run, the position and the text, and are drawn whole."""
    history, words = four_words(), WordCounts.from_pairs(list(FOUR_WORDS), preset("whitespace"))
    scene = RenderState(history, words, "low newest widest", "newest", chosen={"wordsOrder": 1})
    choice = AnimationChoice(panels=tuple(animated()), width=1900, height=1200, text=1.0)

    def drawn(*positions: int) -> dict[int, Frame]:
        hidden = HiddenPanels(scene, choice, LIGHT)
        frames = {}
        for position in positions:
            with qtbot.waitSignal(hidden.drawn):
                hidden.ask(position)
            frames[position] = pixels(hidden.picture())
        hidden.close()
        return frames

    along = drawn(0, 3, 4, 15, 9)
    for position in (9, 4, 0):
        assert np.array_equal(along[position], drawn(position)[position]), position
    assert not np.array_equal(along[3], along[4])


def test_the_letters_of_a_text_keep_their_size_to_the_last_frame(
    qtbot: QtBot, window: MainWindow
) -> None:
    """At the end the words that are not in the corpus could be explained, at their cost."""
    history, words = four_words(), WordCounts.from_pairs(list(FOUR_WORDS), preset("whitespace"))
    scene = RenderState(history, words, DEFAULT_TEXT)
    choice = AnimationChoice(panels=("pairs", "text"), width=1280, height=720)
    hidden = HiddenPanels(scene, choice, LIGHT)
    seen = []
    for position in (0, 9, len(history)):
        with qtbot.waitSignal(hidden.drawn):
            hidden.ask(position)
        counts = child(hidden_window(), QLabel, "textCounts")
        view = child(hidden_window(), QWidget, "tokenView")
        seen.append((view.font().pointSizeF(), view.height()))
        assert "Showing" not in counts.text(), position
    hidden.close()
    assert len(set(seen)) == 1


def test_curves_are_written_as_large_as_other_panels(qtbot: QtBot, window: MainWindow) -> None:
    scene = RenderState.of(window.context)
    assert scene is not None
    choice = AnimationChoice(panels=("pairs", "curves"), width=1280, height=720)
    hidden = HiddenPanels(scene, choice, LIGHT)
    curves = child(hidden_window(), CurvesPanel, "curves")
    sizes = {plot.font().pointSizeF() for plot in curves.plots}
    assert sizes == {curves.font().pointSizeF()}
    assert sizes.pop() > 1.5 * window.font().pointSizeF()
    hidden.close()


def test_space_and_time_has_its_whole_caption_beside_three_panels(
    qtbot: QtBot, window: MainWindow
) -> None:
    scene = RenderState.of(window.context)
    assert scene is not None
    scene = replace(scene, text=" ".join(["low lower newest widest"] * 4))
    panels = ("pairs", "text", "spacetime", "why")
    hidden = HiddenPanels(scene, AnimationChoice(panels=panels, width=1280, height=720), LIGHT)
    with qtbot.waitSignal(hidden.drawn):
        hidden.ask(9)
    texts = painted_texts(child(hidden_window(), QLabel, "spaceTimeCaption"))
    hidden.close()
    told = " ".join(texts)
    assert told.startswith("Each line ends at the merge that removed its boundary. Showing the")
    assert told.endswith(" characters.")


def test_a_token_alone_has_its_tree_and_its_life(qtbot: QtBot, window: MainWindow) -> None:
    scene = RenderState.of(window.context)
    assert scene is not None
    for panels, parts in ((("tree",), 2), (("tree", "pairs"), 1)):
        choice = AnimationChoice(panels=panels, width=1280, height=720)
        hidden = HiddenPanels(scene, choice, LIGHT)
        with qtbot.waitSignal(hidden.drawn):
            hidden.ask(9)
        drawn = hidden_window()
        canvases = [child(drawn, QWidget, name) for name in ("treeCanvas", "tokenLife")]
        seen = sum(canvas.isVisible() for canvas in canvases)
        hidden.close()
        assert seen == parts, "beside others the text stays large"


def test_what_is_chosen_in_a_panel_is_chosen_in_its_picture(
    qtbot: QtBot, window: MainWindow
) -> None:
    window.explore.docks["curvesDock"].raise_()
    qtbot.waitUntil(lambda: window.findChild(QTabBar, "curveTabs") is not None)
    child(window, QTabBar, "curveTabs").setCurrentIndex(2)
    child(window, QComboBox, "wordsOrder").setCurrentIndex(1)
    scene = RenderState.of(window.context)
    assert scene is not None
    assert {"curveTabs": 2, "wordsOrder": 1}.items() <= scene.chosen.items()
    choice = AnimationChoice(panels=("curves", "words"), width=900, height=400)
    hidden = HiddenPanels(scene, choice, DARK)
    panels = hidden_window().findChild(ExploreView)
    assert panels is not None
    in_picture = shown_in(panels)
    assert {"curveTabs": 2, "wordsOrder": 1}.items() <= in_picture.items() <= scene.chosen.items()
    hidden.close()


def test_the_layout_of_the_window_is_that_of_its_picture(window: MainWindow) -> None:
    text, curves = window.explore.docks["textDock"], window.explore.docks["curvesDock"]
    window.addDockWidget(Qt.DockWidgetArea.BottomDockWidgetArea, text)
    curves.hide()
    scene = RenderState.of(window.context)
    assert scene is not None
    choice = AnimationChoice(panels=(WINDOW,), width=1600, height=1200)
    hidden = HiddenPanels(scene, choice, DARK)
    drawn = hidden_window()
    copied = child(drawn, QDockWidget, "textDock")
    assert drawn.dockWidgetArea(copied) is Qt.DockWidgetArea.BottomDockWidgetArea
    assert child(drawn, QDockWidget, "curvesDock").isHidden()
    hidden.close()
    damaged = replace(scene, arrangement=QByteArray(b"no layout"))
    with pytest.raises(AnimationError, match="layout"):
        HiddenPanels(damaged, choice, DARK)


def test_a_chosen_token_and_a_word_are_those_of_the_window(qtbot: QtBot) -> None:
    """Each panel shows in the picture what it was told to, whatever the position."""
    history = four_words()
    drawn = {}
    for token, word in ((NO_TOKEN, ""), (12, "widest")):
        scene = RenderState(history, None, "low newest", word, token)
        choice = AnimationChoice(panels=("tree", "derivation"), width=900, height=600)
        hidden = HiddenPanels(scene, choice, LIGHT)
        for position in (15, 3):
            with qtbot.waitSignal(hidden.drawn):
                hidden.ask(position)
            drawn[token, position] = pixels(hidden.picture())
        hidden.close()
    assert not np.array_equal(drawn[NO_TOKEN, 15], drawn[12, 15])
    assert not np.array_equal(drawn[12, 3], drawn[12, 15])
    assert len(FOUR_WORDS) == 4


def test_the_pair_that_is_selected_is_marked_in_a_picture(qtbot: QtBot) -> None:
    history = four_words()
    drawn = []
    for pair in (None, (history.base.texts.index("e"), history.base.texts.index("w"))):
        scene = RenderState(history, None, "low newest", pair=pair)
        hidden = HiddenPanels(scene, AnimationChoice(panels=("text",), width=900), LIGHT)
        with qtbot.waitSignal(hidden.drawn):
            hidden.ask(0)
        drawn.append(pixels(hidden.picture()))
        hidden.close()
    assert not np.array_equal(*drawn)


def test_the_panels_of_a_film_know_of_branches_and_bookmarks(
    qtbot: QtBot, window: MainWindow
) -> None:
    window.player.scrub(5)
    window.player.add_bookmark(3)
    window.actions_.forbid.trigger()
    qtbot.waitUntil(lambda: len(window.branches.all) == 2)
    qtbot.waitUntil(lambda: window.training.phase is Phase.FINISHED)
    branch = window.branches.shown
    assert branch is not None
    assert branch.history.interventions
    scene = RenderState.of(window.context)
    assert scene is not None
    hidden = HiddenPanels(scene, AnimationChoice(panels=(WINDOW,), width=1600, height=1000), DARK)
    with qtbot.waitSignal(hidden.drawn):
        hidden.ask(7)
    shown = hidden_window()
    rows = child(shown, QTableView, "branchTable").model()
    cells = [[rows.index(row, column).data() for column in range(2)] for row in range(2)]
    assert cells == [["Original", "finished"], [f"▸ {branch.name}", "finished"]]
    assert child(shown, QComboBox, "comparedBranch").currentText() == "Original"
    panel = child(shown, BranchesPanel, "branchesPanel")
    assert panel.accessibleDescription().startswith(f"“{branch.name}” and “Original” differ from")
    assert [flag.bookmark.position for flag in child(shown, Timeline, "timeline").flags] == [3]
    told = [label.text() for label in shown.findChildren(QLabel)]
    assert any(text.startswith(f"“{branch.name}”, next: merge 8:") for text in told)
    hidden.close()
