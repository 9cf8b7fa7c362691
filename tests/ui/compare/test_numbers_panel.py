"""The numbers of the text and of files in one place, and the way between them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QLabel, QTableView, QTabWidget
from pytestqt.qtbot import QtBot

from bpe_gui.analysis.grouped_counts import TOKENS
from bpe_gui.bpe.recipe import Prepend, preset
from bpe_gui.encodings.measuring import file_measuring
from bpe_gui.encodings.ours import TrainedEncoding
from bpe_gui.encodings.parallel_texts import joined, languages
from bpe_gui.ui.compare.numbers_panel import NumbersPanel
from bpe_gui.ui.run.background import end_tasks
from bpe_gui.ui.theme.theme import DARK, LIGHT, palette
from tests.ui.compare.compared import (
    STORY,
    TEXT,
    cut,
    encodings,
    english,
    file,
    lanes,
    numbers,
    other,
    rows,
)
from tests.ui.driving import child, picture, shown
from tests.ui.histories import trained
from tests.ui.pace import Gate, Shut

__all__ = ["file"]


@pytest.fixture
def panel(qtbot: QtBot) -> Iterator[NumbersPanel]:
    made = shown(qtbot, NumbersPanel(), 900, 320)
    made.set_lanes(rows(), "the text")
    made.set_result(cut())
    yield made
    end_tasks(made)


def go_to(panel: NumbersPanel, title: str) -> None:
    tabs = child(panel, QTabWidget, "numbersTabs")
    titles = [tabs.tabText(place) for place in range(tabs.count())]
    tabs.setCurrentIndex(titles.index(title))


def measured(qtbot: QtBot, panel: NumbersPanel, file: Path) -> None:
    panel.measure([file], lanes())
    qtbot.waitUntil(lambda: not panel.measuring)


def tokens(panel: NumbersPanel) -> list[str]:
    rows = panel.table.metrics.rows
    return [row.status or panel.table.metrics.cells(row)[1] for row in rows]


def names(panel: NumbersPanel) -> list[str]:
    return [row.name for row in panel.table.metrics.rows]


def about(panel: NumbersPanel) -> str:
    return child(panel, QLabel, "metricsAbout").text()


def test_the_bar_gives_way_only_in_a_panel_that_is_seen_to_be_narrow(qtbot: QtBot) -> None:
    panel = NumbersPanel()
    tabs = child(panel, QTabWidget, "numbersTabs")
    panel.resize(100, 30)  # as Qt makes what is within another widget
    panel.set_lanes(rows(), "the text")
    assert tabs.cornerWidget() is not None, "it has no size before it is shown"
    shown(qtbot, panel, 250, 320)
    assert tabs.cornerWidget() is None
    panel.resize(900, 320)
    assert tabs.cornerWidget() is not None
    end_tasks(panel)


def test_table_and_bars_have_the_same_lanes(panel: NumbersPanel) -> None:
    assert panel.table.metrics.rows == tuple(rows())
    assert [bar.row for bar in panel.bars.canvas.bars] == rows()
    assert about(panel) == "the text"


def test_on_the_story_each_language_is_counted_alone(panel: NumbersPanel) -> None:
    """What stands before and behind it in the joined story makes no difference."""
    recipe = preset("raw").with_changes(normalizers=(Prepend("▁"),), merges=9)
    across = TrainedEncoding(trained([("the\n\nte ▁te ▁te", 3)], recipe), name="across")
    go_to(panel, "Texts")
    panel.set_result(cut(joined().text, [*encodings(), across]))
    assert child(panel, QTableView, "languageTable").isVisible()
    columns = panel.texts.model.columns
    assert columns[1].encoding.name == "all, of “the”"
    for column, encoding in zip(columns, [*encodings(), across], strict=True):
        assert [int(one.counts.groups[:, TOKENS].sum()) for one in column.story] == [
            len(encoding.encode(language.text)) for language in languages().values()
        ]
    assert all(one.lossy for one in columns[3].story)
    assert not any(one.lossy for one in columns[0].story)


def test_the_curves_are_of_the_runs_and_the_text(qtbot: QtBot, panel: NumbersPanel) -> None:
    with qtbot.waitSignal(panel.curves.measured) as told:
        go_to(panel, "Curves")
    request = told.args[0].request
    assert request.text == TEXT
    assert len(request.runs) == 2


def test_a_file_takes_the_place_of_the_text_until_one_goes_back(
    qtbot: QtBot, panel: NumbersPanel, file: Path
) -> None:
    measured(qtbot, panel, file)
    wanted = [f"{numbers(one, STORY).tokens:,}" for one in encodings()]
    assert tokens(panel) == [*wanted, "2.1 of 3.0 MB fetched"], "what comes says how far it is"
    assert about(panel) == "story.txt, 2.2 kB, measured whole"
    assert child(panel, QAction, "backToTextAction").isEnabled()
    child(panel, QAction, "backToTextAction").trigger()
    assert panel.table.metrics.rows == tuple(rows())
    assert about(panel) == "the text"
    assert not child(panel, QAction, "backToTextAction").isEnabled()
    child(panel, QAction, "backToFileAction").trigger()
    assert tokens(panel)[:3] == wanted
    assert about(panel) == "story.txt, 2.2 kB, measured whole"
    assert not child(panel, QAction, "backToFileAction").isEnabled()


def test_each_tab_says_what_it_is_of(qtbot: QtBot, panel: NumbersPanel, file: Path) -> None:
    panel.set_lanes(rows(), "48 bytes")
    measured(qtbot, panel, file)
    for tab, said in (
        ("Bars", "story.txt, 2.2 kB, measured whole"),
        ("Texts", "of the text: 48 bytes"),
        ("Curves", "of the text: 48 bytes"),
        ("Table", "story.txt, 2.2 kB, measured whole"),
    ):
        go_to(panel, tab)
        assert panel.bar.text == said
        of_file = tab in ("Table", "Bars")
        assert child(panel, QAction, "backToTextAction").isEnabled() == of_file
    panel.show_text_numbers()
    assert panel.bar.text == "48 bytes"
    go_to(panel, "Curves")
    assert panel.bar.text == "48 bytes"


def test_the_numbers_of_a_run_that_is_gone_say_so(
    qtbot: QtBot, panel: NumbersPanel, file: Path
) -> None:
    measured(qtbot, panel, file)
    runs = [other(), other(), other(), None]
    changed = [replace(row, run=run) for row, run in zip(rows(), runs, strict=True)]
    panel.set_lanes(changed, "the text")
    assert names(panel)[:3] == [
        "bytes at 0 merges, of the run before",
        f"all, of “the” at {len(english())} merges, of the run before",
        "other at 5 merges",
    ]


def test_the_numbers_of_a_file_say_at_which_merge_they_are(
    qtbot: QtBot, panel: NumbersPanel, file: Path
) -> None:
    following = TrainedEncoding(english(), 1, name="the run at the cursor")
    panel.measure(
        [file],
        {1: following, 2: TrainedEncoding(english(), 9, name="gpt2 at 9 merges")},
    )
    qtbot.waitUntil(lambda: not panel.measuring)
    assert names(panel)[:2] == ["the run at the cursor at 1 merge", "gpt2 at 9 merges"]


def test_lanes_may_come_go_and_move_while_a_file_is_shown(
    qtbot: QtBot, panel: NumbersPanel, file: Path
) -> None:
    measured(qtbot, panel, file)
    before = dict(zip((row.key for row in panel.table.metrics.rows), tokens(panel), strict=True))
    panel.set_lanes([rows()[2], rows()[3], rows()[0]], "the text")
    assert [row.key for row in panel.table.metrics.rows] == [3, 9, 1]
    assert tokens(panel) == [before[3], "2.1 of 3.0 MB fetched", before[1]]


def test_the_text_may_change_while_a_file_is_shown(
    qtbot: QtBot, panel: NumbersPanel, file: Path
) -> None:
    measured(qtbot, panel, file)
    before = tokens(panel)
    panel.set_lanes(rows("another text"), "another text")
    assert tokens(panel) == before
    panel.show_text_numbers()
    assert panel.table.metrics.rows == tuple(rows("another text"))


def test_numbers_of_the_text_do_not_stand_for_those_of_a_file_that_is_measured(
    qtbot: QtBot, panel: NumbersPanel, file: Path, shut: Shut
) -> None:
    gate = shut(file_measuring, "measure_lane")
    panel.measure([file], lanes())
    assert tokens(panel)[:3] == ["still to be measured"] * 3
    panel.leave_file()
    assert panel.table.metrics.rows == tuple(rows()), "as one types another text"
    panel.show_file_numbers()
    assert tokens(panel)[:3] == ["still to be measured"] * 3
    gate.open()
    qtbot.waitUntil(lambda: about(panel) == "story.txt, 2.2 kB, measured whole")


def cancel_after_one_lane(qtbot: QtBot, panel: NumbersPanel, file: Path, shut: Shut) -> Gate:
    """Measure a file, and cancel when one of three lanes is done; the gate holds the others."""
    gate = shut(file_measuring, "measure_lane")
    panel.measure([file], lanes())
    gate.let_through()
    qtbot.waitUntil(lambda: tokens(panel)[:3].count("still to be measured") == 2)
    child(panel, QAction, "cancelMeasureAction").trigger()
    return gate


def test_cancelling_keeps_what_is_measured(
    qtbot: QtBot, panel: NumbersPanel, file: Path, shut: Shut
) -> None:
    gate = cancel_after_one_lane(qtbot, panel, file, shut)
    kept = tokens(panel)
    assert kept[:3].count("not measured") == 2
    assert about(panel) == "story.txt, 2.2 kB, cancelled"
    note = child(panel, QLabel, "numbersNote")
    said = "Measuring was cancelled: 1 of 3 encodings have numbers of all of story.txt."
    assert (note.isHidden(), note.text()) == (False, said)
    child(panel, QAction, "backToTextAction").trigger()
    assert panel.table.metrics.rows == tuple(rows())
    child(panel, QAction, "backToFileAction").trigger()
    assert tokens(panel) == kept
    child(panel, QAction, "resumeMeasureAction").trigger()
    assert tokens(panel)[:3].count("still to be measured") == 2
    assert note.isHidden()
    gate.open()
    qtbot.waitUntil(lambda: about(panel) == "story.txt, 2.2 kB, measured whole")
    assert note.isHidden()
    assert "not measured" not in tokens(panel)[:3]
    assert not child(panel, QAction, "resumeMeasureAction").isEnabled()


def test_measuring_that_was_cancelled_before_any_number_can_be_resumed(
    qtbot: QtBot, panel: NumbersPanel, file: Path, shut: Shut
) -> None:
    gate = shut(file_measuring, "measure_lane")
    panel.measure([file], lanes())
    child(panel, QAction, "cancelMeasureAction").trigger()
    assert about(panel) == "story.txt, cancelled"
    gate.open()
    child(panel, QAction, "resumeMeasureAction").trigger()
    qtbot.waitUntil(lambda: about(panel) == "story.txt, 2.2 kB, measured whole")


def test_lanes_may_come_behind_columns_that_were_restored(panel: NumbersPanel) -> None:
    panel.set_own({"numbers": {"price": 2, "context": 4096, "width": 64}})
    panel.set_lanes(rows()[:2], "the text")
    assert len(panel.table.metrics.rows) == 2
    columns = panel.table.horizontalHeader()
    assert min(map(columns.sectionSize, range(columns.count()))) > 20


def test_measuring_that_cannot_go_on_can_be_resumed(
    qtbot: QtBot, panel: NumbersPanel, file: Path, shut: Shut
) -> None:
    gate = cancel_after_one_lane(qtbot, panel, file, shut)
    gate.open()
    away = file.rename(file.with_name("away.txt"))
    child(panel, QAction, "resumeMeasureAction").trigger()
    qtbot.waitUntil(lambda: not panel.measuring)
    assert tokens(panel)[:3].count("not measured") == 2
    away.rename(file)
    child(panel, QAction, "resumeMeasureAction").trigger()
    qtbot.waitUntil(lambda: about(panel) == "story.txt, 2.2 kB, measured whole")


def test_what_was_left_out_is_told_below_the_numbers(
    qtbot: QtBot, panel: NumbersPanel, file: Path
) -> None:
    note = child(panel, QLabel, "numbersNote")
    measured(qtbot, panel, file)
    assert not note.isVisible(), "all was read"
    (file.parent / "b.bin").write_bytes(b"\0\1\2" * 100)
    measured(qtbot, panel, file.parent)
    assert note.isVisible()
    assert "b.bin" in note.text()
    child(panel, QAction, "backToTextAction").trigger()
    assert not note.isVisible()


def test_a_file_that_cannot_be_read_leaves_the_numbers_as_they_are(
    qtbot: QtBot, panel: NumbersPanel, file: Path
) -> None:
    told: list[str] = []
    panel.problem.connect(lambda about, said: told.append(said))
    panel.measure([file.parent / "missing.txt"], lanes())
    qtbot.waitUntil(lambda: not panel.measuring)
    assert told[0] == "", "what was wrong before is over"
    assert "missing.txt" in told[1]
    assert panel.table.metrics.rows == tuple(rows())
    assert about(panel) == "the text"


def test_without_an_encoding_nothing_can_be_measured(
    qtbot: QtBot, panel: NumbersPanel, file: Path
) -> None:
    with qtbot.waitSignal(panel.problem) as told:
        panel.measure([file], {})
    assert told.args == ["measure", "There is no encoding to measure with; add one first."]


@pytest.mark.parametrize("title", ["Table", "Bars", "Texts", "Curves"])
def test_each_tab_is_drawn_in_both_themes(qtbot: QtBot, panel: NumbersPanel, title: str) -> None:
    panel.set_result(cut(joined().text))
    go_to(panel, title)
    qtbot.waitUntil(lambda: not panel.curves.busy)
    for theme in (DARK, LIGHT):
        panel.setPalette(palette(theme))
        assert not picture(panel).isNull()
