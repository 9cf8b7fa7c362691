"""Exporting through the window: asked for by key or menu, and read again by other means."""

from __future__ import annotations

import csv
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction, QColor, QContextMenuEvent, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QDialog,
    QFileDialog,
    QLabel,
    QLineEdit,
    QMenu,
    QPushButton,
    QSpinBox,
    QTableView,
    QWidget,
)
from pytestqt.qtbot import QtBot

from bpe_gui.bpe.recipe import PRESETS
from bpe_gui.bpe.visible import visible
from bpe_gui.exporting.ansi_text import without_codes
from bpe_gui.exporting.tables import unguarded
from bpe_gui.render_arguments import RenderError
from bpe_gui.ui.action_words import why_not
from bpe_gui.ui.compare.curve_measuring import CurveWorker
from bpe_gui.ui.compare.merge_curves import MergeCurves
from bpe_gui.ui.exporting import coming_to_rest
from bpe_gui.ui.exporting.dialog import ExportDialog
from bpe_gui.ui.exporting.panels import PANEL_NAMES, bring_into_view, panels_of
from bpe_gui.ui.main_window import MainWindow
from bpe_gui.ui.theme import LIGHT
from bpe_gui.ui.training import Phase
from bpe_gui.ui.workspaces import Place
from tests.exporting.test_html_text import Page
from tests.ui.pace import Shut
from tests.ui.save_dialogs import Answer, answered, press
from tests.ui.widgets import active, child, picture

SVG = "{http://www.w3.org/2000/svg}"
TEXT = "the cat sat on the mat and the hat\n" * 20
Opened = Callable[..., MainWindow]


@pytest.fixture
def window(qtbot: QtBot, opened: Opened) -> MainWindow:
    window = opened("story.txt", TEXT, "--start")
    qtbot.waitUntil(lambda: window.training.phase is Phase.FINISHED, timeout=60_000)
    window.player.go_to_end()
    window.text_panel.set_text("the hat – the –")
    qtbot.waitUntil(lambda: window.workspace.clock.up_to_date and window.workspace.at_rest)
    return window


def settings(
    qtbot: QtBot, subject: str, offer: str, then: Callable[[ExportDialog], None] | None = None
) -> Answer:
    """Choose in the dialog, and go on to the name of the file as soon as there is something."""

    def answer(dialog: QDialog) -> None:
        assert isinstance(dialog, ExportDialog)
        dialog.choose(subject, offer)
        assert dialog.subject.name == subject
        assert dialog.offer.name == offer
        if then is not None:
            then(dialog)
        button = child(dialog, QPushButton, "exportButton")
        qtbot.waitUntil(button.isEnabled, timeout=20_000)
        button.click()

    return answer


def refused(subject: str, offer: str, said: list[str]) -> Answer:
    """Choose in the dialog; what it says instead of going on."""

    def answer(dialog: QDialog) -> None:
        assert isinstance(dialog, ExportDialog)
        dialog.choose(subject, offer)
        assert not child(dialog, QPushButton, "exportButton").isEnabled()
        said.append(child(dialog, QLabel, "exportPreview").text())
        dialog.reject()

    return answer


def named(path: Path) -> Answer:
    """Write a name into the file dialog."""

    def answer(dialog: QDialog) -> None:
        assert isinstance(dialog, QFileDialog)
        child(dialog, QLineEdit, "fileNameEdit").setText(str(path))
        press("Save")(dialog)

    return answer


def export(
    qtbot: QtBot,
    window: MainWindow,
    path: Path,
    subject: str,
    offer: str,
    then: Callable[[ExportDialog], None] | None = None,
    more: Sequence[Answer] = (),
) -> str:
    """Export as a person would; the sentence that the window then shows."""
    window.message_bar.withdraw("export")
    answered(window.actions_.export, [settings(qtbot, subject, offer, then), named(path), *more])
    qtbot.waitUntil(lambda: window.message_bar.text != "", timeout=30_000)
    return window.message_bar.text


def texts(path: Path) -> list[str]:
    root = ElementTree.fromstring(path.read_bytes())
    return [text.text or "" for text in root.iter(f"{SVG}text")]


def rows(path: Path) -> list[list[str]]:
    with path.open(newline="", encoding="utf-8") as file:
        return [[unguarded(cell) for cell in row] for row in csv.reader(file)]


# -- pictures and drawings -------------------------------------------------------------------------


def test_a_panel_as_a_picture_in_the_scale_that_is_chosen(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    path = tmp_path / "pairs.png"
    # The message on top of the window will take room from the panel.
    size = window.workspace.pairs.size() * 3

    def at_three(dialog: ExportDialog) -> None:
        child(dialog, QComboBox, "exportScale").setCurrentIndex(2)
        said = child(dialog, QLabel, "exportPixels").text()
        assert said == f"{size.width():,} by {size.height():,} pixels"

    said = export(qtbot, window, path, "pairs", "png", at_three)
    assert said.startswith("pairs.png is written, ")
    image = QImage(str(path))
    assert image.size() == size


def test_in_another_size_and_other_colours_and_the_window_stays_as_it_was(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    path = tmp_path / "words.png"
    bring_into_view(window, panels_of(window)["words"])
    qtbot.waitUntil(lambda: window.workspace.clock.up_to_date and window.workspace.at_rest)
    before = picture(window.workspace.words)

    def light(dialog: ExportDialog) -> None:
        child(dialog, QSpinBox, "exportWidth").setValue(640)
        child(dialog, QSpinBox, "exportHeight").setValue(300)
        box = child(dialog, QComboBox, "exportColours")
        box.setCurrentIndex(box.findText("Light"))
        child(dialog, QComboBox, "exportScale").setCurrentIndex(0)

    export(qtbot, window, path, "words", "png", light)
    image = QImage(str(path))
    assert (image.width(), image.height()) == (640, 300)
    assert image.pixelColor(QPoint(1, 1)) == QColor(LIGHT.window)
    window.message_bar.withdraw("export")
    qtbot.waitUntil(lambda: picture(window.workspace.words) == before)


EMPTY = {
    "languages": "the text that is compared is not the story in twenty languages",
    "lockstep": "no recipes have been trained in lockstep",
}


@pytest.mark.parametrize("name", EMPTY)
def test_a_panel_that_has_nothing_to_show_is_not_exported(
    qtbot: QtBot, window: MainWindow, name: str
) -> None:
    bring_into_view(window, panels_of(window)[name])
    qtbot.waitUntil(lambda: not window.compare.loader.busy)
    qtbot.waitUntil(lambda: window.compare.comparison.up_to_date)
    said: list[str] = []
    for offer in ("png", "svg", "csv"):
        answered(window.actions_.export, [refused(name, offer, said)])
    nothing = f"There is nothing to export yet: {EMPTY[name]}."
    empty = f"This table is empty as yet: {EMPTY[name]}."
    assert said == [nothing, nothing, empty]


def test_what_comes_into_being_while_one_chooses_can_be_exported(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    path = tmp_path / "languages.png"

    def compare_on_the_story(dialog: ExportDialog) -> None:
        assert dialog.refused
        window.compare.numbers.languages.story_button.click()

    said = export(qtbot, window, path, "languages", "png", compare_on_the_story)
    assert said.startswith("languages.png is written")


def test_a_panel_behind_a_tab_is_exported_as_large_as_in_the_window(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    window.workspace.docks["wordsDock"].raise_()
    front = window.workspace.words.size()
    for name in ("derivation", "curves"):
        export(qtbot, window, tmp_path / f"{name}.png", name, "png", None)
        image = QImage(str(tmp_path / f"{name}.png"))
        scale = window.exporting.choices.scale
        # The tabs below are a pixel higher or lower, by which of them is in front; and what was
        # said of the export before took some rows.
        assert abs(image.width() - front.width() * scale) <= 2 * scale
        assert image.height() > front.height() * scale * 0.8
        window.message_bar.withdraw("export")


def test_in_the_end_the_window_shows_what_it_showed(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    docks = window.workspace.docks
    docks["wordsDock"].raise_()
    docks["whyDock"].hide()
    qtbot.waitUntil(lambda: not window.workspace.words.visibleRegion().isEmpty())

    def in_view() -> list[str]:
        return [name for name, dock in docks.items() if not dock.visibleRegion().isEmpty()]

    before = in_view()
    assert "wordsDock" in before
    assert "whyDock" not in before
    for name in ("lockstep", "languages", "why", "curves"):
        answered(window.actions_.export, [wander(name)])
        qtbot.waitUntil(lambda: in_view() == before)
    window.workspaces.compare()
    tab = window.compare.numbers.tabs.currentIndex()
    for name in ("languages", "why", "curves"):
        answered(window.actions_.export, [wander(name)])
        assert window.workspaces.shown is Place.COMPARE
        assert window.compare.numbers.tabs.currentIndex() == tab
    window.workspaces.explore()
    qtbot.waitUntil(lambda: in_view() == before)


def wander(name: str) -> Answer:
    """Only look at what could be exported of a panel."""

    def answer(dialog: QDialog) -> None:
        assert isinstance(dialog, ExportDialog)
        dialog.choose(name)
        dialog.reject()

    return answer


def test_a_picture_too_large_is_told_before_it_is_asked_for(window: MainWindow) -> None:
    def look(dialog: QDialog) -> None:
        assert isinstance(dialog, ExportDialog)
        dialog.choose("pairs", "png")
        child(dialog, QSpinBox, "exportWidth").setValue(8000)
        child(dialog, QComboBox, "exportScale").setCurrentIndex(3)
        assert dialog.refused
        preview = child(dialog, QLabel, "exportPreview")
        assert preview.text().startswith("A picture of 32,000 by ")
        assert preview.accessibleName() == preview.text()
        child(dialog, QComboBox, "exportScale").setCurrentIndex(1)
        assert not dialog.refused
        dialog.reject()

    answered(window.actions_.export, [look])


def test_what_is_being_guessed_is_not_told(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    window.player.scrub(5)
    window.actions_.guess.setChecked(True)
    qtbot.waitUntil(lambda: window.workspace.clock.up_to_date and window.workspace.at_rest)
    said: list[str] = []
    for name in ("pairs", "branches", "merges"):
        answered(window.actions_.export, [refused(name, "csv", said)])
    assert set(said) == {
        "The next merge is being guessed, and this would tell it; end the guessing first."
    }
    assert not window.actions_.export_animation.isEnabled()
    assert "being guessed" in why_not(window.actions_.export_animation)
    export(qtbot, window, tmp_path / "pairs.svg", "pairs", "svg")
    history = window.player.history
    assert history is not None
    answer = visible(history.content(int(history.new_id[5])))
    assert answer not in texts(tmp_path / "pairs.svg")
    export(qtbot, window, tmp_path / "merges.csv", "merges", "csv-here")
    assert len(rows(tmp_path / "merges.csv")) == 1 + 5
    export(qtbot, window, tmp_path / "derivation.csv", "derivation", "csv")
    assert all(int(line[1]) <= 5 for line in rows(tmp_path / "derivation.csv")[2:])
    window.actions_.guess.setChecked(False)
    assert window.actions_.export_animation.isEnabled()
    export(qtbot, window, tmp_path / "pairs.csv", "pairs", "csv")


@pytest.mark.parametrize("name", [n for n in PANEL_NAMES if n not in ("window", *EMPTY)])
def test_every_panel_makes_a_drawing_with_texts(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, name: str
) -> None:
    path = tmp_path / f"{name}.svg"

    def there(dialog: ExportDialog) -> None:
        preview = child(dialog, QLabel, "exportPreview")
        qtbot.waitUntil(lambda: not preview.pixmap().isNull(), timeout=20_000)

    said = export(qtbot, window, path, name, "svg", there)
    assert said.startswith(f"{name}.svg is written, ")
    written = texts(path)
    assert written, "there is something to be read"
    history = window.player.history
    assert history is not None
    if name == "pairs":
        top = history.top(window.player.position)
        shown = {visible(history.content(int(token))) for token in top.left[:3]}
        assert shown <= set(written)
    if name == "vocabulary":
        tokens = {visible(history.content(int(token))) for token in history.new_id}
        assert len(tokens & set(written)) >= 3


def test_the_whole_window_can_be_drawn(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    path = tmp_path / "window.svg"
    export(qtbot, window, path, "window", "svg")
    written = texts(path)
    assert {"Pair frequencies", "Why this pair", "Explore", "Train"} <= set(written)


# -- tables ----------------------------------------------------------------------------------------


def test_the_vocabulary_as_csv_has_all_rows(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    path = tmp_path / "vocabulary.csv"
    export(qtbot, window, path, "vocabulary", "csv")
    heading, *lines = rows(path)
    model, history = window.vocabulary.model, window.player.history
    assert history is not None
    assert heading == ["id", "token", "bytes", "count", "left", "right", "merge"]
    assert len(lines) == model.rowCount() == history.vocabulary_size(len(history))
    for row, line in enumerate(lines):
        cells = [str(model.index(row, column).data()) for column in range(4)]
        assert line[:2] == cells[:2]
        assert bytes.fromhex(line[2]) == history.content(int(line[0]))
        assert (line[3] or "–") == cells[3].replace(",", "")


def test_the_vocabulary_as_it_is_sorted_and_searched(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    model = window.vocabulary.model
    model.set_search("at")
    model.sort(3, Qt.SortOrder.DescendingOrder)
    export(qtbot, window, tmp_path / "found.csv", "vocabulary", "csv")
    shown = [str(model.index(row, 1).data()) for row in range(model.rowCount())]
    assert [line[1] for line in rows(tmp_path / "found.csv")[1:]] == shown
    assert all("at" in token for token in shown)


def test_words_derivation_pairs_and_branches_as_csv(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    for name in ("words", "derivation", "pairs", "branches"):
        bring_into_view(window, panels_of(window)[name])
        qtbot.waitUntil(lambda: window.workspace.clock.up_to_date and window.workspace.at_rest)
        export(qtbot, window, tmp_path / f"{name}.csv", name, "csv")
    words = window.workspace.words.model
    lines = rows(tmp_path / "words.csv")[1:]
    cells = [[str(words.index(row, column).data()) for column in range(3)]
             for row in range(words.rowCount())]  # fmt: skip
    assert [line[:3] for line in lines] == [[a, b.replace(",", ""), c] for a, b, c in cells]
    derivation = window.workspace.derivation.model.derivation
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
    qtbot.waitUntil(lambda: len(window.branches.all) == 2 and window.workspace.at_rest)
    export(qtbot, window, tmp_path / "tokens.csv", "branches", "csv-2")
    heading, *lines = rows(tmp_path / "tokens.csv")
    assert heading[2:] == [f"merge of {branch.name}" for branch in window.branches.all]
    assert lines[0][2:] == ["1", "1"]


def test_numbers_of_the_comparison_as_csv(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    bring_into_view(window, panels_of(window)["metrics"])
    model = window.compare.numbers.table.model
    qtbot.waitUntil(lambda: bool(model.rows) and all(row.metrics for row in model.rows))
    export(qtbot, window, tmp_path / "metrics.csv", "metrics", "csv")
    lines = rows(tmp_path / "metrics.csv")
    assert [line[0] for line in lines[1:]] == [row.name for row in model.rows]
    assert len(lines[0]) == len(model.titles())


def test_tables_of_the_laboratory_as_csv(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    bench = window.laboratory.bench
    bring_into_view(window, panels_of(window)["wall"])
    qtbot.waitUntil(lambda: bench.wall.forbidden_lines() is not None, timeout=20_000)
    qtbot.waitUntil(lambda: bench.wall.crossing_lines() is not None, timeout=20_000)
    wall = [offer.title for offer in _offers(window, "wall")]
    assert wall[-2:] == ["Pairs that are kept apart (CSV)", "Tokens across walls (CSV)"]
    export(qtbot, window, tmp_path / "wall.csv", "wall", "csv")
    lines = rows(tmp_path / "wall.csv")
    assert lines[0][:3] == ["left", "right", "across walls"]
    assert len(lines) == 1 + len(list(bench.wall.forbidden_lines() or ())) - 1
    export(qtbot, window, tmp_path / "across.csv", "wall", "csv-2")
    assert rows(tmp_path / "across.csv")[0][:2] == ["merge", "token"]
    panel = bench.lockstep
    bring_into_view(window, panels_of(window)["lockstep"])
    panel.train_presets(PRESETS["gpt2"].name, PRESETS["gpt4"].name)
    qtbot.waitUntil(lambda: panel.chart.lockstep is not None, timeout=60_000)
    export(qtbot, window, tmp_path / "lockstep.csv", "lockstep", "csv")
    lines = rows(tmp_path / "lockstep.csv")
    assert lines[0] == ["token", "bytes", "merge of gpt2", "merge of gpt4"]
    assert lines[1][2] == "1"


def test_a_panel_rests_when_its_curves_are_measured(
    qtbot: QtBot, window: MainWindow, shut: Shut, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(coming_to_rest, "_LONGEST", 500)
    gate = shut(CurveWorker, "_measured")
    found = panels_of(window)["lockstep"]
    bring_into_view(window, found)
    panel = window.laboratory.bench.lockstep
    panel.train_presets(PRESETS["gpt2"].name, PRESETS["gpt4"].name)
    qtbot.waitUntil(lambda: not panel.runs.busy and gate.arrived > 0, timeout=60_000)
    with coming_to_rest.Interrupts() as interrupts:
        with pytest.raises(RenderError, match="lockstep does not come to rest"):
            coming_to_rest.come_to_rest(window, found, interrupts)
        gate.open()
        monkeypatch.setattr(coming_to_rest, "_LONGEST", 60_000)
        coming_to_rest.come_to_rest(window, found, interrupts)
    assert not child(panel, MergeCurves, "mergeCurves").is_empty


def _offers(window: MainWindow, subject: str) -> list[object]:
    from bpe_gui.ui.exporting.offers import subjects_of

    [found] = [one for one in subjects_of(window) if one.name == subject]
    return list(found.offers)


def test_the_merges_as_markdown_and_csv(
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


def test_the_text_as_a_page_a_drawing_and_for_a_terminal(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    window.player.scrub(6)
    qtbot.waitUntil(lambda: window.workspace.clock.up_to_date)
    shown = window.text_panel.shown_cut()
    assert shown is not None
    text = window.text_panel.text()
    export(qtbot, window, tmp_path / "text.html", "text", "html")
    page = Page((tmp_path / "text.html").read_text())
    assert page.text == text
    assert [token.get("data-id") for token in page.tokens] == [str(i) for i in shown[0].ids]
    colours = [str(token["class"]).split(" ")[1] for token in page.tokens]
    assert colours == [f"c{colour}" for colour in shown[0].colours]
    export(qtbot, window, tmp_path / "text.svg", "text", "text-svg")
    assert "".join(texts(tmp_path / "text.svg")).replace(" ", "").startswith("the")
    for offer in ("ansi", "ansi-256"):
        path = tmp_path / f"{offer}.ansi"
        export(qtbot, window, path, "text", offer)
        assert without_codes(path.read_text()).startswith("the·hat·‹E2")


# -- asking ----------------------------------------------------------------------------------------


def test_the_panel_with_the_keyboard_is_proposed_and_choices_are_remembered(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    active(qtbot, window)
    table = window.vocabulary.findChild(QComboBox) or window.vocabulary
    table.setFocus()
    proposed: list[str] = []

    def look(dialog: QDialog) -> None:
        assert isinstance(dialog, ExportDialog)
        proposed.append(f"{dialog.subject.name} {dialog.offer.name}")
        dialog.reject()

    answered(window.actions_.export, [look])
    export(qtbot, window, tmp_path / "v.csv", "vocabulary", "csv")
    answered(window.actions_.export, [look])
    window.player_bar.timeline.setFocus()
    answered(window.actions_.export, [look])
    assert proposed == ["vocabulary png", "vocabulary csv", "vocabulary csv"]
    assert window.exporting.choices.folder == str(tmp_path)
    assert window.actions_.export.shortcut().toString() == "Ctrl+Shift+E"


def test_a_name_of_another_kind_of_file_gets_the_right_ending(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    said = export(qtbot, window, tmp_path / "chart.png", "pairs", "svg")
    assert said.startswith("chart.png.svg is written")
    assert [path.name for path in tmp_path.glob("chart*")] == ["chart.png.svg"]
    export(qtbot, window, tmp_path / "chart.png", "pairs", "svg", more=[press("Yes")])
    said = export(qtbot, window, tmp_path / "bare", "pairs", "csv")
    assert said.startswith("bare.csv is written")
    said = export(qtbot, window, tmp_path / "figure.2", "pairs", "png")
    assert said.startswith("figure.2.png is written")
    said = export(qtbot, window, tmp_path / "merges.txt", "merges", "md")
    assert said.startswith("merges.txt is written")


def test_what_cannot_be_written_is_said_and_nothing_is_left(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    window.exporting.write(tmp_path / "no" / "such" / "folder.csv", lambda: "a,b\n")
    qtbot.waitUntil(lambda: window.message_bar.text != "")
    assert "folder.csv cannot be written: No such file or directory" in window.message_bar.text
    window.exporting.write(tmp_path / "good.csv", lambda: "a,b\n")
    qtbot.waitUntil(lambda: "good.csv is written, 4 bytes." in window.message_bar.text)
    assert not list(tmp_path.glob(".*"))


def test_where_there_is_nothing_yet_it_is_said(qtbot: QtBot, window: MainWindow) -> None:
    window.player.load(None)
    qtbot.waitUntil(lambda: window.workspace.clock.up_to_date)
    for subject, offer, sentence in (
        ("merges", "csv", "There is no run yet; train first."),
        ("text", "html", "The text is not cut into tokens yet; train first, or wait for it."),
        ("vocabulary", "csv", "This table is empty as yet: there is no run yet."),
        ("curves", "png", "There is nothing to export yet: there is no run yet."),
    ):
        said: list[str] = []
        answered(window.actions_.export, [refused(subject, offer, said)])
        assert said == [sentence]


def ask_for_menu(widget: QWidget) -> None:
    """Press the right button in the middle of a widget."""
    place = widget.rect().center()
    event = QContextMenuEvent(
        QContextMenuEvent.Reason.Mouse, place, widget.mapToGlobal(place)
    )
    QApplication.sendEvent(widget, event)


@pytest.mark.qt_log_ignore("does not support")
def test_panels_of_the_laboratory_have_such_a_menu_too(qtbot: QtBot, window: MainWindow) -> None:
    bring_into_view(window, panels_of(window)["wall"])
    ask_for_menu(window.laboratory.bench.wall)
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    assert [action.text() for action in menu.actions()] == [
        "Export: Picture (PNG)…", "Export: Drawing (SVG)…",
        "Export: Pairs that are kept apart (CSV)…", "Export: Tokens across walls (CSV)…",
    ]  # fmt: skip
    menu.close()


@pytest.mark.qt_log_ignore("does not support")
def test_the_right_button_on_a_panel_offers_to_export_it(
    qtbot: QtBot, window: MainWindow
) -> None:
    table = child(window.vocabulary, QTableView, "vocabularyTable")
    ask_for_menu(table.viewport())
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    exports = [action for action in menu.actions() if action.text().startswith("Export")]
    assert [action.text() for action in exports] == [
        "Export: Picture (PNG)…", "Export: Drawing (SVG)…", "Export: The vocabulary (CSV)…",
    ]  # fmt: skip
    assert "Words" in [action.text() for action in menu.actions()]
    chosen: list[str] = []

    def look(dialog: QDialog) -> None:
        assert isinstance(dialog, ExportDialog)
        chosen.append(f"{dialog.subject.name} {dialog.offer.name}")
        dialog.reject()

    answered(exports[2], [look])
    assert chosen == ["vocabulary csv"]


def test_everything_in_the_dialog_has_a_name_and_is_reached_by_tab(
    qtbot: QtBot, window: MainWindow
) -> None:
    def look(dialog: QDialog) -> None:
        boxes = [*dialog.findChildren(QComboBox), *dialog.findChildren(QSpinBox)]
        assert all(box.accessibleName() and box.objectName() for box in boxes)
        reached = set()
        for _ in range(12):
            focus = QApplication.focusWidget()
            assert focus is not None
            reached.add(focus.objectName())
            QTest.keyClick(focus, Qt.Key.Key_Tab)
        assert {box.objectName() for box in boxes if box.isVisible()} <= reached
        dialog.reject()

    answered(child(window, QAction, "exportAction"), [look])
