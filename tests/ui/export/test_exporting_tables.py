"""What panels list, exported as tables, and the text as pages, drawings and for a terminal."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from bpe_gui.bpe.recipe import PRESETS
from bpe_gui.ui.export.dialog import ExportDialog
from bpe_gui.ui.export.panels import bring_into_view, panels_of
from bpe_gui.ui.shell.main_window import MainWindow
from tests.exporting.reading_back import without_codes
from tests.exporting.test_html_text import Page
from tests.ui.driving import child
from tests.ui.export.export_dialogs import export, rows, texts, window
from tests.ui.laboratory.lockstep_training import train_presets

__all__ = ["window"]


# -- tables ----------------------------------------------------------------------------------------


def check_the_vocabulary_as_csv_has_all_rows(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    path = tmp_path / "vocabulary.csv"
    export(qtbot, window, path, "vocabulary", "csv")
    heading, *lines = rows(path)
    model, history = window.explore.vocabulary.model, window.player.history
    assert history is not None
    assert heading == ["id", "token", "bytes", "count", "count now", "left", "right", "merge"]
    assert len(lines) == model.rowCount() == history.vocabulary_size(len(history))
    for row, line in enumerate(lines):
        cells = [str(model.index(row, column).data()) for column in range(4)]
        assert line[0] == cells[0]
        assert line[1] == cells[1]
        assert bytes.fromhex(line[2]) == history.token_bytes(int(line[0]))
        assert (line[3] or "–") == cells[3].replace(",", "")


def check_the_vocabulary_as_it_is_sorted_and_searched(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    model = window.explore.vocabulary.model
    model.set_search("at")
    model.sort(3, Qt.SortOrder.DescendingOrder)
    export(qtbot, window, tmp_path / "found.csv", "vocabulary", "csv")
    shown = [str(model.index(row, 1).data()) for row in range(model.rowCount())]
    assert [line[1] for line in rows(tmp_path / "found.csv")[1:]] == shown
    assert all("at" in token for token in shown)


def check_words_derivation_pairs_and_branches_as_csv(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    for name in ("words", "derivation", "pairs", "branches"):
        bring_into_view(window.context, panels_of(window.context)[name])
        qtbot.waitUntil(lambda: window.explore.scheduler.up_to_date and window.explore.at_rest)
        export(qtbot, window, tmp_path / f"{name}.csv", name, "csv")
    words = window.explore.words.model
    lines = rows(tmp_path / "words.csv")[1:]
    cells = [[str(words.index(row, column).data()) for column in range(3)]
             for row in range(words.rowCount())]  # fmt: skip
    assert [line[:3] for line in lines] == [[a, b.replace(",", ""), c] for a, b, c in cells]
    derivation = window.explore.derivation.model.derivation
    assert derivation is not None
    lines = rows(tmp_path / "derivation.csv")[1:]
    assert len(lines) == len(derivation.steps) + 1
    history = window.player.history
    assert history is not None
    assert len(rows(tmp_path / "pairs.csv")) == 1 + len(history.top(window.player.position))
    [branch] = rows(tmp_path / "branches.csv")[1:]
    assert int(branch[1]) == len(history)
    window.actions_.forbid.setEnabled(True)
    window.player.scrub(3)
    window.actions_.forbid.trigger()
    qtbot.waitUntil(lambda: len(window.branches.all) == 2)
    qtbot.waitUntil(lambda: window.branches.all[1].history.stopped is not None)
    qtbot.waitUntil(lambda: window.explore.at_rest)
    export(qtbot, window, tmp_path / "tokens.csv", "branches", "csv-2")
    heading, *lines = rows(tmp_path / "tokens.csv")
    assert heading[2:] == [f"merge of {branch.name}" for branch in window.branches.all]
    assert lines[0][2:] == ["1", "1"]


def check_numbers_of_the_comparison_as_csv(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    bring_into_view(window.context, panels_of(window.context)["metrics"])
    model = window.compare.numbers.table.metrics
    qtbot.waitUntil(lambda: bool(model.rows) and all(row.metrics for row in model.rows))
    export(qtbot, window, tmp_path / "metrics.csv", "metrics", "csv")
    lines = rows(tmp_path / "metrics.csv")
    assert [line[0] for line in lines[1:]] == [row.name for row in model.rows]
    assert len(lines[0]) == len(model.titles())


def check_tables_of_the_laboratory_as_csv(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    view = window.laboratory.view
    bring_into_view(window.context, panels_of(window.context)["boundaries"])
    qtbot.waitUntil(lambda: view.boundaries.pair_lines() is not None)
    qtbot.waitUntil(lambda: view.boundaries.token_lines() is not None)
    titles = [offer.title for offer in _offers(window, "boundaries")]
    assert titles[-2:] == ["Blocked pairs (CSV)", "Tokens across boundaries (CSV)"]
    export(qtbot, window, tmp_path / "blocked.csv", "boundaries", "csv")
    lines = rows(tmp_path / "blocked.csv")
    assert lines[0][:3] == ["left", "right", "across boundaries"]
    assert len(lines) == 1 + len(list(view.boundaries.pair_lines() or ())) - 1
    export(qtbot, window, tmp_path / "across.csv", "boundaries", "csv-2")
    assert rows(tmp_path / "across.csv")[0][:2] == ["merge", "token"]
    panel = view.lockstep
    bring_into_view(window.context, panels_of(window.context)["lockstep"])
    train_presets(panel, PRESETS["gpt2"].name, PRESETS["gpt4"].name)
    qtbot.waitUntil(lambda: panel.chart.lockstep is not None)
    export(qtbot, window, tmp_path / "lockstep.csv", "lockstep", "csv")
    lines = rows(tmp_path / "lockstep.csv")
    assert lines[0] == ["token", "bytes", "merge of gpt2", "merge of gpt4"]
    assert lines[1][2] == "1"


def _offers(window: MainWindow, subject: str) -> list[object]:
    from bpe_gui.ui.export.targets import subjects_of

    [found] = [one for one in subjects_of(window.context) if one.name == subject]
    return list(found.offers)


def check_the_merges_as_markdown_and_csv(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    """All of them, or those before the cursor, and it is said which."""
    window.player.scrub(4)
    history = window.player.history
    assert history is not None
    said: list[str] = []

    def read(dialog: ExportDialog) -> None:
        preview = child(dialog, QLabel, "exportPreview")
        assert preview.accessibleName() == preview.text()
        said.append(preview.text())

    for behind, merges in (("", len(history)), ("-here", 4)):
        for name in ("md", "csv"):
            path = tmp_path / f"merges{behind}.{name}"
            export(qtbot, window, path, "merges", f"{name}{behind}", read)
        lines = rows(tmp_path / f"merges{behind}.csv")
        assert [int(line[5]) for line in lines[1:]] == history.new_id[:merges].tolist()
        table = (tmp_path / f"merges{behind}.md").read_text()
        assert len(table.splitlines()) == 2 + merges
    assert said[::2] == said[1::2] == [
        "Not a picture: all merges of the run are written, wherever the cursor is.",
        "Not a picture: only the merges before the cursor are written, none after it.",
    ]


# -- the text --------------------------------------------------------------------------------------


def check_the_text_as_a_page_a_drawing_and_for_a_terminal(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    window.player.scrub(6)
    qtbot.waitUntil(lambda: window.explore.scheduler.up_to_date)
    shown = window.explore.text_panel.shown_cut()
    assert shown is not None
    text = window.sample_text.text
    export(qtbot, window, tmp_path / "text.html", "text", "html")
    page = Page((tmp_path / "text.html").read_text())
    assert page.text == text
    assert [token.get("data-id") for token in page.tokens] == [str(i) for i in shown[0].ids]
    assert page.looks == [f"c{colour}" for colour in shown[0].colours]
    export(qtbot, window, tmp_path / "text.svg", "text", "text-svg")
    assert "".join(texts(tmp_path / "text.svg")).replace(" ", "").startswith("the")
    for offer in ("ansi", "ansi-256"):
        path = tmp_path / f"{offer}.ansi"
        export(qtbot, window, path, "text", offer)
        assert without_codes(path.read_text()).startswith("the·hat·0xE2")


def test_tables_merges_and_texts_are_exported(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    check_the_vocabulary_as_csv_has_all_rows(qtbot, window, tmp_path)
    check_the_text_as_a_page_a_drawing_and_for_a_terminal(qtbot, window, tmp_path)
    check_the_merges_as_markdown_and_csv(qtbot, window, tmp_path)
    check_numbers_of_the_comparison_as_csv(qtbot, window, tmp_path)
    check_tables_of_the_laboratory_as_csv(qtbot, window, tmp_path)
    check_words_derivation_pairs_and_branches_as_csv(qtbot, window, tmp_path)
    check_the_vocabulary_as_it_is_sorted_and_searched(qtbot, window, tmp_path)
