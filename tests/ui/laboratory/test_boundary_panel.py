"""Merges blocked by the split, seen in the window."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QPushButton, QTableView, QWidget
from pytestqt.qtbot import QtBot

from bpe_gui.bpe.history import History
from bpe_gui.ui.context.context import reveal
from bpe_gui.ui.laboratory import boundary_panel
from bpe_gui.ui.laboratory.boundary_panel import BoundaryPanel
from bpe_gui.ui.laboratory.boundary_tables import BlockedPairTable, PairColumn, SuperwordColumn
from bpe_gui.ui.shell.main_window import MainWindow
from bpe_gui.ui.theme.theme import LIGHT
from tests.ui.driving import child, picture, pixels
from tests.ui.laboratory.recipe_editing import editor_of, settled
from tests.ui.pace import Shut

Opened = Callable[..., MainWindow]
STORY = "Go.\nNo.\nOh.\n" * 20


def in_sight(qtbot: QtBot, window: MainWindow) -> BoundaryPanel:
    """The panel, with a run to look at."""
    qtbot.waitUntil(lambda: window.player.history is not None)
    child(window, QAction, "laboratoryAction").trigger()
    panel = child(window, BoundaryPanel, "boundaryPanel")
    reveal(panel)
    return panel


def looked_at(qtbot: QtBot, window: MainWindow) -> BoundaryPanel:
    """The panel, with its tables filled."""
    panel = in_sight(qtbot, window)
    tokens = child(panel, QTableView, "crossingTable")
    qtbot.waitUntil(lambda: tokens.model().rowCount() > 0)
    return panel


def train(qtbot: QtBot, window: MainWindow) -> History:
    """Train to the end; returns what was learned."""
    qtbot.waitUntil(lambda: window.player.history is not None)
    history = window.player.history
    assert history is not None
    child(window, QAction, "trainAction").trigger()
    qtbot.waitUntil(lambda: history.stopped is not None)
    return history


@pytest.fixture
def window(opened: Opened) -> MainWindow:
    """The story is open, and nothing is trained."""
    return opened("story.txt", STORY, "--preset", "gpt2")


def sentence(panel: QWidget) -> str:
    return child(panel, QLabel, "boundarySentence").text()


def row_texts(table: QTableView, row: int) -> list[str]:
    model = table.model()
    return [model.index(row, column).data() for column in range(model.columnCount())]


def check_the_most_frequent_pair_across_boundaries(qtbot: QtBot, window: MainWindow) -> None:
    panel = looked_at(qtbot, window)
    assert sentence(panel) == (
        "“.” + “↵” are adjacent 60 times: that would be the first merge, before "
        "“G” + “o” with 20. The split of “gpt2” blocks it."
    )
    pairs = child(panel, QTableView, "forbiddenTable")
    assert row_texts(pairs, 0) == [". ▏ ↵", "", "60", "1st"]
    heading = pairs.model().headerData(PairColumn.BAR, Qt.Orientation.Horizontal)
    assert heading == "line: merged", "what the line through the bars is"
    tokens = child(panel, QTableView, "crossingTable")
    assert row_texts(tokens, 0) == ["1", ". ▏ ↵", "60", "Go.↵No.↵Oh.↵Go.↵No.↵Oh.↵Go.↵"]
    assert panel.accessibleDescription() == sentence(panel)
    assert not child(panel, QPushButton, "boundaryButton").isVisible()


def check_the_heading_of_the_bars_is_whole(qtbot: QtBot, window: MainWindow) -> None:
    pairs = child(looked_at(qtbot, window), BlockedPairTable, "forbiddenTable")
    hidden = set()
    for width in (1024, 1280, 1366, 1920):
        window.resize(width, 800)
        qtbot.waitUntil(lambda width=width: window.width() == width)
        hidden.add(pairs.isColumnHidden(PairColumn.BAR))
        needed = pairs.header_width(PairColumn.BAR)
        assert pairs.columnWidth(PairColumn.BAR) >= needed or pairs.isColumnHidden(PairColumn.BAR)
    assert False in hidden


def check_it_follows_the_cursor(qtbot: QtBot, window: MainWindow) -> None:
    history = train(qtbot, window)
    panel = looked_at(qtbot, window)
    pairs = child(panel, QTableView, "forbiddenTable")
    note, last = child(panel, QLabel, "boundaryNote"), len(history)
    for position, pair in ((last, "Go ▏ ."), (1, "↵ ▏ N"), (0, "o ▏ ."), (last, "Go ▏ .")):
        window.player.scrub(position)
        place = f"at merge {position:,}" if position else "at the start"
        qtbot.waitUntil(lambda place=place: note.text().endswith(place))
        rows = [row_texts(pairs, row)[PairColumn.PAIR] for row in range(pairs.model().rowCount())]
        assert pair in rows


def test_pairs_that_would_have_been_merged_earlier(qtbot: QtBot, opened: Opened) -> None:
    # Full stops before newlines are more frequent than any pair within words.
    text = "ab " * 25 + "\n" + "ef.\n" * 30 + "cd.\n" * 20
    window = opened("story.txt", text, "--preset", "gpt2")
    history = train(qtbot, window)
    panel = looked_at(qtbot, window)
    pairs = child(panel, QTableView, "forbiddenTable")
    note = child(panel, QLabel, "boundaryNote")
    qtbot.waitUntil(lambda: note.text().endswith(f"at merge {len(history):,}"))
    counts = history.count.tolist()
    for row in range(pairs.model().rowCount()):
        texts = row_texts(pairs, row)
        times = sum(map(int, texts[PairColumn.TIMES].split(" + ")))
        earlier = [step for step, count in enumerate(counts) if count < times]
        if earlier:
            assert texts[PairColumn.RANK] == f"merge {earlier[0] + 1}"
    assert row_texts(pairs, 0)[PairColumn.RANK] == "merge 1"
    assert "it would have been merge 1, before “" in sentence(panel)


def test_how_often_is_defined_where_a_pair_overlaps_itself(qtbot: QtBot, opened: Opened) -> None:
    # Four words of one newline and one of two: of the three in a row one pair makes a token.
    panel = looked_at(qtbot, opened("story.txt", "a\n\n\nb\n\nc" * 9, "--preset", "gpt2"))
    tokens = child(panel, QTableView, "crossingTable")
    rows = [row_texts(tokens, row) for row in range(tokens.model().rowCount())]
    newlines = next(row for row in rows if row[1] == "↵ ▏ ↵")
    assert newlines[SuperwordColumn.TIMES] == "18", "the pair occurs 27 times"
    pairs = child(panel, QTableView, "forbiddenTable")
    assert ["↵ ▏ ↵", "18 + 9"] in [
        [texts[PairColumn.PAIR], texts[PairColumn.TIMES]]
        for texts in (row_texts(pairs, row) for row in range(pairs.model().rowCount()))
    ], "across boundaries, and within words"
    tip = tokens.model().headerData(
        SuperwordColumn.TIMES, Qt.Orientation.Horizontal, Qt.ItemDataRole.ToolTipRole
    )
    assert "overlaps itself" in tip


def test_dropped_white_space_is_named(qtbot: QtBot, opened: Opened) -> None:
    panel = looked_at(qtbot, opened("story.txt", "go on " * 30, "--preset", "whitespace"))
    assert "with white space between that the split drops" in sentence(panel)
    assert row_texts(child(panel, QTableView, "forbiddenTable"), 0)[0] == "</w> ▏ o"


def test_no_boundary(qtbot: QtBot, opened: Opened) -> None:
    panel = in_sight(qtbot, opened("story.txt", STORY, "--preset", "raw"))
    assert sentence(panel).startswith("There are no boundaries: the recipe “raw” does not split")
    assert not child(panel, QPushButton, "boundaryButton").isVisible()


def test_words_without_neighbours(qtbot: QtBot, opened: Opened) -> None:
    panel = in_sight(qtbot, opened("words.csv", "word,count\nlow,5\nnew,6\n", "--preset", "gpt2"))
    qtbot.waitUntil(lambda: sentence(panel).startswith("No word of this corpus follows another"))
    assert not child(panel, QLabel, "boundaryNote").isVisible()
    assert not child(panel, QTableView, "forbiddenTable").isVisible()
    assert panel.findChild(QLabel, "boundarySentence").geometry().top() < 20, "at the top"


def check_a_token_is_gone_to_by_mouse_and_key(qtbot: QtBot, window: MainWindow) -> None:
    panel = looked_at(qtbot, window)
    pairs = child(panel, QTableView, "forbiddenTable")
    middle = pairs.rowHeight(0) // 2
    width = pairs.columnWidth(PairColumn.PAIR)
    history = window.player.history
    assert history is not None
    for x, content in ((width // 4, b"."), (width * 3 // 4, b"\n")):
        with qtbot.waitSignal(panel.tokenSelected) as selected:
            QTest.mouseClick(
                pairs.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(x, middle)
            )
        assert history.token_bytes(selected.args[0]) == content
    assert "60 times" in pairs.accessibleDescription()
    with qtbot.waitSignal(panel.tokenSelected):
        QTest.keyClick(pairs, Qt.Key.Key_Return)
    QTest.keyClick(pairs, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == ". ▏ ↵\t\t60\t1st"
    QTest.keyClick(pairs, Qt.Key.Key_End)
    assert pairs.currentIndex().row() == pairs.model().rowCount() - 1


def test_looking_can_be_given_up_and_begun_again(
    qtbot: QtBot, opened: Opened, shut: Shut
) -> None:
    window = opened("story.txt", STORY, "--preset", "gpt2")
    gate = shut(boundary_panel, "count_words_and_bigrams")
    panel = in_sight(qtbot, window)
    qtbot.waitUntil(lambda: gate.arrived == 1)
    button = child(panel, QPushButton, "boundaryButton")
    assert button.text() == "Cancel"
    assert sentence(panel).startswith("Reading the corpus again")
    button.click()
    assert sentence(panel).startswith("Stopped before")
    assert button.text() == "Look again"
    gate.open()
    button.click()
    qtbot.waitUntil(lambda: child(panel, QTableView, "crossingTable").model().rowCount() > 0)
    assert not button.isVisible()


def test_progress_is_told(
    qtbot: QtBot, opened: Opened, shut: Shut, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(boundary_panel, "_REPORT_EVERY", 0.0)
    window = opened("story.txt", STORY, "--preset", "gpt2")
    gate = shut(boundary_panel, "SegmentedCorpus")
    panel = in_sight(qtbot, window)
    qtbot.waitUntil(lambda: "240 bytes of 240 bytes" in sentence(panel))
    gate.open()
    qtbot.waitUntil(lambda: child(panel, QTableView, "crossingTable").model().rowCount() > 0)


def test_a_corpus_that_is_gone_or_another(
    qtbot: QtBot, opened: Opened, tmp_path: Path
) -> None:
    window = opened("story.txt", STORY, "--preset", "gpt2")
    qtbot.waitUntil(lambda: window.player.history is not None)
    file = tmp_path / "story.txt"
    file.write_text(STORY + "More.")
    panel = in_sight(qtbot, window)
    qtbot.waitUntil(lambda: sentence(panel).startswith("The corpus has changed since"))
    button = child(panel, QPushButton, "boundaryButton")
    file.unlink()
    button.click()
    qtbot.waitUntil(lambda: "story.txt" in sentence(panel))
    file.write_text(STORY)
    button.click()
    qtbot.waitUntil(lambda: "60 times" in sentence(panel))


def test_nothing_is_read_unseen(qtbot: QtBot, opened: Opened, shut: Shut) -> None:
    gate = shut(boundary_panel, "count_words_and_bigrams")
    gate.open()
    window = opened("story.txt", STORY, "--preset", "gpt2")
    panel = looked_at(qtbot, window)
    assert gate.arrived == 1
    child(window, QAction, "exploreAction").trigger()
    child(window, QAction, "trainAction").trigger()
    history = window.player.history
    assert history is not None
    qtbot.waitUntil(lambda: history.stopped is not None)
    assert gate.arrived == 1, "what was read is kept"
    assert "merge" in sentence(panel)


def check_the_edited_recipe_shows_which_pairs_it_blocks(qtbot: QtBot, window: MainWindow) -> None:
    history = train(qtbot, window)
    panel = looked_at(qtbot, window)
    editor = editor_of(qtbot, window)
    note = child(panel, QLabel, "boundaryNote")
    qtbot.waitUntil(lambda: note.text().endswith(f"at merge {len(history):,}"))
    subject = child(panel, QLabel, "boundarySubject")
    button = child(panel, QPushButton, "boundaryDraftButton")
    assert subject.text() == "The run in view, recipe “gpt2”"
    before = sentence(panel)
    button.click()
    assert subject.text() == "The edited recipe, “gpt2”, before its first merge"
    qtbot.waitUntil(lambda: sentence(panel).endswith("Your pattern blocks it."))
    assert sentence(panel).startswith("“.” + “↵” are adjacent 60 times: that would be the fi")
    editor.drafts.change({"split": "regex:Go|[^G]+"})
    settled(qtbot, editor)
    qtbot.waitUntil(lambda: sentence(panel).startswith("“o” + “.” are adjacent 20 times"))
    assert note.text().endswith("at the start")
    window.player.scrub(1)
    assert note.text().endswith("at the start")
    window.player.go_to_end()
    editor.drafts.change({"split": "none"})
    qtbot.waitUntil(lambda: sentence(panel).startswith("There are no boundaries"))
    button.click()
    qtbot.waitUntil(lambda: sentence(panel) == before)
    assert subject.text() == "The run in view, recipe “gpt2”; the edited one splits differently"


def test_splitting_with_the_edited_recipe_can_be_given_up(
    qtbot: QtBot, opened: Opened, shut: Shut
) -> None:
    panel = looked_at(qtbot, opened("story.txt", STORY, "--preset", "gpt2"))
    gate = shut(boundary_panel, "count_words_and_bigrams")
    child(panel, QPushButton, "boundaryDraftButton").click()
    qtbot.waitUntil(lambda: gate.arrived == 1)
    assert sentence(panel).startswith("Splitting the corpus with the edited recipe")
    button = child(panel, QPushButton, "boundaryButton")
    button.click()
    assert sentence(panel).startswith("Stopped before")
    gate.open()
    button.click()
    qtbot.waitUntil(lambda: "Your pattern blocks it." in sentence(panel))


def check_it_is_drawn_in_both_themes_at_every_size(qtbot: QtBot, window: MainWindow) -> None:
    panel = looked_at(qtbot, window)
    pairs = child(panel, QTableView, "forbiddenTable")
    pairs.setFocus()
    pairs.selectRow(0)
    dark = picture(panel)
    window.theme_choice.choose(LIGHT.name)
    light = picture(panel)
    assert dark != light
    for width, height in ((320, 150), (500, 300), (1600, 900)):
        panel.resize(width, height)
        assert not picture(panel).isNull()
        assert pairs.columnWidth(PairColumn.PAIR) > 0


def check_in_little_room_the_sentence_is_whole_and_pairs_can_be_read(
    qtbot: QtBot, window: MainWindow
) -> None:
    panel = looked_at(qtbot, window)
    pairs = child(panel, QTableView, "forbiddenTable")
    tokens = child(panel, QTableView, "crossingTable")
    assert pairs.mapTo(panel, QPoint()).y() == tokens.mapTo(panel, QPoint()).y()
    stage = window.stage
    stage.choice = {"panels": ["boundaries", "pairs", "text", "why"], "layout": 2}
    stage.enter()
    headline = child(panel, QLabel, "boundarySentence")
    qtbot.waitUntil(lambda: headline.height() >= headline.heightForWidth(headline.width()))
    # One below the other, with the names of all columns.
    qtbot.waitUntil(lambda: pairs.mapTo(panel, QPoint()).y() < tokens.mapTo(panel, QPoint()).y())
    stage.choice = {"panels": ["boundaries", "pairs", "text", "why"], "layout": 4}
    qtbot.waitUntil(lambda: not tokens.isVisible())
    assert pairs.isVisible()
    stage.leave()
    qtbot.waitUntil(tokens.isVisible)
    assert pairs.mapTo(panel, QPoint()).y() == tokens.mapTo(panel, QPoint()).y()


def test_the_panel_tells_of_pairs_across_boundaries(qtbot: QtBot, window: MainWindow) -> None:
    check_the_most_frequent_pair_across_boundaries(qtbot, window)
    check_a_token_is_gone_to_by_mouse_and_key(qtbot, window)
    check_in_little_room_the_sentence_is_whole_and_pairs_can_be_read(qtbot, window)
    check_it_is_drawn_in_both_themes_at_every_size(qtbot, window)
    check_the_heading_of_the_bars_is_whole(qtbot, window)
    check_it_follows_the_cursor(qtbot, window)
    check_the_edited_recipe_shows_which_pairs_it_blocks(qtbot, window)


@pytest.mark.parametrize("size", [(1920, 1080), (1024, 768)])
def test_on_the_stage_headings_and_rows_are_whole(
    qtbot: QtBot, opened: Opened, size: tuple[int, int]
) -> None:
    text = "".join(f"{a}{b}. " for a in "abcdefgh" for b in "mnopqrst")
    window = opened("story.txt", text, "--preset", "gpt2")
    looked_at(qtbot, window)
    window.stage.enter()
    show = window.stage.show_window
    window.stage.choice = {"panels": ["boundaries", "pairs"], "layout": 2, "scheme": "light"}
    show.resize(*size)
    panel = window.laboratory.view.boundaries
    qtbot.waitUntil(lambda: panel.window() is show and panel.width() < size[0] / 2)
    table = child(panel, QTableView, "forbiddenTable")
    heading = table.model().headerData(PairColumn.PAIR, Qt.Orientation.Horizontal)
    advance = table.horizontalHeader().fontMetrics().horizontalAdvance
    qtbot.waitUntil(lambda: advance(heading) < table.columnWidth(PairColumn.PAIR))
    height, view = table.verticalHeader().defaultSectionSize(), table.viewport()
    rows = view.height() // height
    assert rows >= 2
    assert table.model().rowCount() > rows
    sliver = pixels(picture(view))[rows * height : view.height(), : view.width()]
    assert len(np.unique(sliver)) <= 1
