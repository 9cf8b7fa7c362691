"""The pipeline view: what it tells, by mouse, keyboard, clipboard and screen reader."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from html import unescape

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QAction, QColor, QFontMetrics, QGuiApplication, QHelpEvent, QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolTip
from pytestqt.qtbot import QtBot

from bpe_gui.bpe.history import History
from bpe_gui.bpe.pipeline.items import Stage
from bpe_gui.bpe.recipe import (
    PRESETS,
    Alphabet,
    Prepend,
    Recipe,
    Replace,
    Symbols,
    preset,
)
from bpe_gui.bpe.trainer import Trainer
from bpe_gui.bpe.words import WordCounts
from bpe_gui.ui.laboratory import sheet_opening
from bpe_gui.ui.laboratory.pipeline_view import PipelineView
from bpe_gui.ui.laboratory.sheet_opening import MOST_CHARACTERS
from bpe_gui.ui.main_window import MainWindow
from bpe_gui.ui.pipeline.beside import fitted, room_beside
from bpe_gui.ui.pipeline.layout import ItemPlace
from bpe_gui.ui.theme import DARK, LIGHT
from bpe_gui.ui.tokens.text_editor import TextEditor
from tests.ui.histories import byte_level, four_words
from tests.ui.histories import trained as trained_history
from tests.ui.pace import Shut
from tests.ui.widgets import child, picture, shown

KEY = Qt.Key
LEFT = Qt.MouseButton.LeftButton
CONTROL = Qt.KeyboardModifier.ControlModifier
SAMPLE = "Naïve café №5 ﬁne—İstanbul 漢字 e\u0301"

Opened = Callable[..., MainWindow]


@pytest.fixture
def view(qtbot: QtBot) -> Iterator[PipelineView]:
    made = shown(qtbot, PipelineView(), 800, 500)
    made.set_active(True)
    yield made
    made.close_threads()


def fill(
    qtbot: QtBot,
    view: PipelineView,
    text: str,
    recipe: Recipe,
    history: History | None = None,
    position: int | None = None,
) -> None:
    view.set_recipe(recipe)
    view.set_text(text)
    view.set_history(history)
    if history is not None:
        view.show_position(len(history) if position is None else position, False)
    done(qtbot, view)


def done(qtbot: QtBot, view: PipelineView) -> None:
    qtbot.waitUntil(lambda: view.up_to_date and view.shown is not None)


def tip(view: PipelineView, place: QPoint) -> list[str]:
    where = view.viewport().mapToGlobal(place)
    QApplication.sendEvent(view.viewport(), QHelpEvent(QEvent.Type.ToolTip, place, where))
    lines = unescape(re.sub("</?b>", "", QToolTip.text())).split("<br>")
    QToolTip.hideText()
    return lines


def tip_of(view: PipelineView, stage: Stage, item: int) -> list[str]:
    return tip(view, view.item_center(ItemPlace(stage, item)))


def title_tip(view: PipelineView, stage: Stage) -> list[str]:
    return tip(view, QPoint(12, sum(view._layout.band_of(0, stage)) // 2 - view._top()))


def copied(view: PipelineView) -> str:
    QGuiApplication.clipboard().clear()
    QTest.keyClick(view, KEY.Key_C, CONTROL)
    return QGuiApplication.clipboard().text()


def colours(view: PipelineView) -> set[int]:
    image = picture(view)
    return {image.pixel(x, y) for x in range(image.width()) for y in range(image.height())}


def has(view: PipelineView, *names: str) -> bool:
    return {QColor(name).rgb() for name in names} <= colours(view)


# -- what it tells -------------------------------------------------------------------------


@pytest.mark.qt_log_ignore("does not support raise")
def test_each_stage_says_what_it_changed(qtbot: QtBot, view: PipelineView) -> None:
    history = four_words()
    fill(qtbot, view, "low lower wow!", preset("whitespace"), history)
    assert view.accessibleDescription() == (
        "Raw text: 14 characters, 14 bytes. Normalized: no normalizer. "
        "Pre-tokens: 3 pre-tokens, 2 dropped. "
        "Symbols: 15 symbols, 1 unknown, 3 put in, 7 different. "
        "Merged: 8 merges, 6 different. Ids: 7 ids, 6 different. The arrow keys go about."
    )
    fill(qtbot, view, SAMPLE, preset("lines"))
    said = view.accessibleDescription()
    assert "Normalized: NFD: 3 changed; Remove nonspacing marks: 4 dropped." in said
    assert title_tip(view, Stage.NORMALIZED) == [
        "Normalized",
        "NFD: 3 changed; Remove nonspacing marks: 4 dropped",
        "NFD: 3 of 32 changed",
        "Remove nonspacing marks: 4 of 35 dropped",
        "underlined: made from something else",
        "struck out: dropped",
    ]
    lowercase = Recipe(normalizers=("lowercase",))
    fill(qtbot, view, SAMPLE, lowercase)
    assert "Normalized: Lowercase: 2 of 32 changed." in view.accessibleDescription()


@pytest.mark.qt_log_ignore("does not support raise")
def test_a_character_is_told_from_where_to_where(qtbot: QtBot, view: PipelineView) -> None:
    recipe = preset("lines")
    history = trained_history([("cafe", 3), ("five", 2)], recipe)
    fill(qtbot, view, "café", recipe, history)
    assert tip_of(view, Stage.RAW, 3) == [
        "“é”",
        "U+00E9 LATIN SMALL LETTER E WITH ACUTE",
        "2 bytes: C3 A9",
        "NFD: “é” → “e◌\u0301”",
        "Remove nonspacing marks: “e◌\u0301” → “e”",
        "in the pre-token “cafe”",
        "token 8: “cafe”",
    ]
    assert tip_of(view, Stage.NORMALIZED, 3)[3] == "made from “é”"
    assert "dropped by Remove nonspacing marks" in tip_of(view, Stage.NORMALIZED, 4)
    assert tip_of(view, Stage.TOKENS, 0) == [
        "“cafe”",
        "4 bytes: 63 61 66 65",
        "id 8",
        "3 merges, in this order:",
        "merge 1: “c” + “a”",
        "merge 2: “ca” + “f”",
        "merge 3: “caf” + “e”",
    ]


@pytest.mark.qt_log_ignore("does not support raise")
def test_what_a_step_put_in_and_what_a_split_skips(qtbot: QtBot, view: PipelineView) -> None:
    recipe = Recipe(
        normalizers=(Prepend("▁"), Replace("x+", "")), split=r"regex:\w+", alphabet=Alphabet.BYTES
    )
    fill(qtbot, view, "axx!", recipe)
    assert "put in by prepend “▁”" in tip_of(view, Stage.NORMALIZED, 0)
    assert "dropped by replace x+" in tip_of(view, Stage.NORMALIZED, 2)
    assert "replace x+: “x” → nothing" in tip_of(view, Stage.RAW, 1)
    assert tip_of(view, Stage.PRETOKENS, 4) == [
        "“!”",
        "1 byte: 21",
        r"skipped by the pattern \w+: stays alone and never merges",
        "id 0",
    ]
    assert "alone" in view.accessibleDescription()


@pytest.mark.qt_log_ignore("does not support raise")
def test_special_tokens_are_shown_as_such(qtbot: QtBot, view: PipelineView) -> None:
    recipe = preset("gpt2").with_changes(special_tokens=("<|end|>",))
    fill(qtbot, view, "a<|end|>b", recipe)
    assert "1 special token" in view.accessibleDescription()
    for stage in (Stage.RAW, Stage.NORMALIZED, Stage.PRETOKENS, Stage.SYMBOLS):
        assert tip_of(view, stage, 1) == [
            "“<|end|>”",
            "a special token: cut out before all else, and never split",
            "id 0",
        ]


@pytest.mark.qt_log_ignore("does not support raise")
def test_without_a_training_nothing_is_invented(qtbot: QtBot, view: PipelineView) -> None:
    fill(qtbot, view, "low", preset("raw"), four_words())
    assert "Merged: Train with this recipe" in view.accessibleDescription()
    assert "Ids: Ids come with the training" in view.accessibleDescription()
    view.select(ItemPlace(Stage.SYMBOLS, 0))
    QTest.keyClick(view, KEY.Key_Down)
    assert view.current == ItemPlace(Stage.SYMBOLS, 0)
    assert not any("id" in line for line in tip_of(view, Stage.SYMBOLS, 0))
    view.select(None)
    fill(qtbot, view, "low", preset("gpt2"), four_words())
    assert "Ids: 3 ids" in view.accessibleDescription()
    view.select(ItemPlace(Stage.IDS, 0))
    assert copied(view) == "75 78 86"
    told: list[int] = []
    view.tokenSelected.connect(told.append)
    QTest.keyClick(view, KEY.Key_Return)
    assert told == [], "these ids are of no run"


# -- other positions and other recipes -----------------------------------------------------


def test_merges_follow_the_position_and_nothing_moves(qtbot: QtBot, view: PipelineView) -> None:
    history = four_words()
    fill(qtbot, view, "lowest", preset("whitespace"), history, 0)
    view.select(ItemPlace(Stage.TOKENS, 4))
    assert "Symbols: " not in view.accessibleDescription()
    place = view.item_center(ItemPlace(Stage.RAW, 5))
    view.show_position(1, True)
    assert view.current == ItemPlace(Stage.TOKENS, 3)
    assert "merge 1: “e” + “s”" in view.accessibleDescription()
    view.show_position(len(history), False)
    assert view.item_center(ItemPlace(Stage.RAW, 5)) == place
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
    assert view.notice == "Shown are the first 4,000 of 5,000 characters."
    assert view.shown is not None
    assert len(view.shown.sheet.text) == MOST_CHARACTERS
    fill(qtbot, view, "a", preset("gpt2"))
    assert view.notice == ""


def test_only_what_was_asked_for_last_is_shown(
    qtbot: QtBot, view: PipelineView, shut: Shut
) -> None:
    gate = shut(sheet_opening.SheetWorker, "open")
    view.set_recipe(preset("gpt2"))
    view.set_text("first")
    qtbot.waitUntil(lambda: gate.arrived == 1)
    view.set_text("second")
    view.set_text("third")
    assert not view.up_to_date
    gate.open()
    done(qtbot, view)
    assert gate.arrived == 2, "the second was never begun"
    assert view.shown is not None
    assert view.shown.sheet.text == "third"


def test_what_nobody_waits_for_is_given_up(qtbot: QtBot, view: PipelineView) -> None:
    """At each place its pattern looks through the rest of the text."""
    view.set_recipe(preset("gpt2").with_changes(split=r"regex:a(?=.*b)|a", name="slow"))
    view.set_text("a" * MOST_CHARACTERS)
    view.set_recipe(preset("gpt2"))
    done(qtbot, view)
    assert view.shown is not None
    assert view.shown.sheet.recipe == preset("gpt2")
    assert view.shown.sheet.problem is None


def test_while_it_takes_long_that_is_said(qtbot: QtBot, view: PipelineView, shut: Shut) -> None:
    gate = shut(sheet_opening.SheetWorker, "open")
    view.set_recipe(preset("gpt2"))
    view.set_text("text")
    qtbot.waitUntil(lambda: view.notice != "")
    assert view.notice.startswith("Still")
    gate.open()
    done(qtbot, view)
    assert view.notice == ""


def test_nothing_is_done_out_of_sight(qtbot: QtBot, view: PipelineView) -> None:
    view.set_active(False)
    view.set_recipe(preset("gpt2"))
    view.set_text("text")
    assert view.shown is None
    assert not view.up_to_date
    view.set_active(True)
    done(qtbot, view)


def test_a_pattern_that_explodes_is_named_in_place_of_its_stage(
    qtbot: QtBot, view: PipelineView, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sheet_opening, "SECONDS", 0.05)
    fill(qtbot, view, "a" * 2000 + "é", Recipe(normalizers=("nfd",), split="regex:(a|aa)+$"))
    said = view.accessibleDescription()
    assert "Normalized: NFD: 1 of 2,001 changed" in said
    assert "Pre-tokens: The split pattern '(a|aa)+$' takes too long" in said
    assert has(view, DARK.error) or len(colours(view)) > 2
    view.select(ItemPlace(Stage.NORMALIZED, 3))
    QTest.keyClick(view, KEY.Key_Down)
    assert view.current == ItemPlace(Stage.NORMALIZED, 3)
    assert view.shown is not None
    assert view.shown.sheet.problem is not None


def test_a_failure_is_told(
    qtbot: QtBot, view: PipelineView, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr(sheet_opening, "lay_open", fail)
    view.set_recipe(preset("gpt2"))
    view.set_text("text")
    qtbot.waitUntil(lambda: "not enough memory" in view.notice)
    assert view.up_to_date


# -- mouse, keyboard, clipboard ------------------------------------------------------------


def test_click_and_keys_go_about(qtbot: QtBot, view: PipelineView) -> None:
    history = four_words()
    fill(qtbot, view, "low west", preset("whitespace"), history)
    told: list[int] = []
    view.tokenSelected.connect(told.append)
    QTest.mouseClick(view.viewport(), LEFT, pos=view.item_center(ItemPlace(Stage.RAW, 1)))
    assert view.current == ItemPlace(Stage.RAW, 1)
    assert told == []
    for key, place in (
        (KEY.Key_Right, ItemPlace(Stage.RAW, 2)),
        (KEY.Key_Down, ItemPlace(Stage.NORMALIZED, 2)),
        (KEY.Key_Down, ItemPlace(Stage.PRETOKENS, 0)),
        (KEY.Key_End, ItemPlace(Stage.PRETOKENS, 2)),
        (KEY.Key_Home, ItemPlace(Stage.PRETOKENS, 0)),
        (KEY.Key_Left, ItemPlace(Stage.PRETOKENS, 0)),
        (KEY.Key_Up, ItemPlace(Stage.NORMALIZED, 0)),
    ):
        QTest.keyClick(view, key)
        assert view.current == place
    QTest.mouseClick(view.viewport(), LEFT, pos=view.item_center(ItemPlace(Stage.TOKENS, 0)))
    assert told == [int(view.shown.merged.ids[0])] if view.shown else False
    QTest.keyClick(view, KEY.Key_Return)
    assert len(told) == 2
    QTest.mouseClick(view.viewport(), LEFT, pos=QPoint(3, 3))
    assert view.current is None
    QTest.keyClick(view, KEY.Key_Right)
    assert view.current == ItemPlace(Stage.RAW, 0)


def test_what_is_under_the_mouse_is_made_out_in_all_stages(
    qtbot: QtBot, view: PipelineView
) -> None:
    fill(qtbot, view, "low west", preset("whitespace"), four_words())
    plain = picture(view)
    center = view.item_center(ItemPlace(Stage.TOKENS, 0))
    move(view, center)
    made_out = picture(view)
    assert made_out != plain
    for stage in Stage:
        place = view.item_center(ItemPlace(stage, 0))
        rows = range(place.y() - 12, place.y() + 13)
        left = range(max(place.x() - 40, 0), place.x() + 40)
        assert any(made_out.pixel(x, y) != plain.pixel(x, y) for x in left for y in rows), stage
    QApplication.sendEvent(view.viewport(), QEvent(QEvent.Type.Leave))
    assert picture(view) == plain


def move(view: PipelineView, place: QPoint) -> None:
    where = QPointF(view.viewport().mapToGlobal(place))
    event = QMouseEvent(
        QEvent.Type.MouseMove,
        QPointF(place),
        where,
        Qt.MouseButton.NoButton,
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
    )
    QApplication.sendEvent(view.viewport(), event)


@pytest.mark.parametrize(
    ("stage", "text"),
    [
        (Stage.RAW, "Né a\n"),
        (Stage.NORMALIZED, "ne a\n"),
        (Stage.PRETOKENS, "ne ␣ a ↵"),
        (Stage.SYMBOLS, "n e ␣ a ↵"),
    ],
)
def test_the_selected_stage_is_copied(
    qtbot: QtBot, view: PipelineView, stage: Stage, text: str
) -> None:
    recipe = Recipe(
        normalizers=("lowercase", "nfd", "remove-mn"), split="lines", symbols=Symbols.CHARACTERS
    )
    fill(qtbot, view, "Né a\n", recipe)
    if stage is not Stage.RAW:
        view.select(ItemPlace(stage, 0))
    assert copied(view) == text


def test_tokens_of_an_id_are_made_out(qtbot: QtBot, view: PipelineView) -> None:
    history = four_words()
    fill(qtbot, view, "low low", preset("whitespace"), history)
    assert view.shown is not None
    plain = picture(view)
    view.select_token(int(view.shown.merged.ids[0]))
    assert picture(view) != plain
    view.select_token(-1)
    assert picture(view) == plain


# -- how it looks --------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text", ["", "\n", " ", "\t\t", "e\u0301", "👩\u200d👩\u200d👧", "\x00\x1b", "שלום 12", "<unk>"]
)
@pytest.mark.parametrize("name", list(PRESETS))
def test_any_text_can_be_drawn(qtbot: QtBot, view: PipelineView, text: str, name: str) -> None:
    fill(qtbot, view, text, preset(name))
    assert not picture(view).isNull()
    for key in (KEY.Key_Right, KEY.Key_Down, KEY.Key_Down, KEY.Key_End, KEY.Key_Return):
        QTest.keyClick(view, key)
    move(view, QPoint(300, 60))
    QTest.mouseClick(view.viewport(), LEFT, pos=QPoint(300, 90))


def test_fates_have_shapes_of_their_own(qtbot: QtBot, view: PipelineView) -> None:
    view.setEnabled(True)
    for theme in (DARK, LIGHT):
        view.set_theme(theme)
        fill(qtbot, view, "abc", Recipe())
        assert not has(view, theme.error)
        fill(qtbot, view, "e\u0301", Recipe(normalizers=("remove-mn",)))
        assert has(view, theme.error), "struck out"
        fill(qtbot, view, "abc", Recipe())
        assert not has(view, theme.accent)
        for normalizer in ("lowercase", Prepend("x")):
            fill(qtbot, view, "Abc", Recipe(normalizers=(normalizer,)))
            assert has(view, theme.accent), "underlined, or in a frame"


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
        lambda: player.history is not None and player.history.stopped is not None, timeout=20_000
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
    qtbot.waitUntil(lambda: window.player.history is not None, timeout=20_000)
    window.workspace.select_token(65)
    child(window, QAction, "laboratoryAction").trigger()
    view = child(window, PipelineView, "pipelineView")
    view.set_recipe(preset("gpt2"))
    qtbot.waitUntil(lambda: "no merge yet" in view.accessibleDescription())


def test_what_is_said_of_a_stage_is_not_cut(qtbot: QtBot, view: PipelineView) -> None:
    recipe = preset("gpt2").with_changes(normalizers=("strip", "nfd", "strip-accents", "lowercase"))
    layout = view._layout
    for width in (1500, 800, 620):
        view.resize(width, 500)
        fill(qtbot, view, f"   {SAMPLE} Crème Brûlée", recipe)
        metrics, room = QFontMetrics(layout.fonts.small), room_beside(view._gutter)
        for stage, line in zip(Stage, view._lines, strict=True):
            text, height = fitted(metrics, line, room, layout.lines_beside[stage])
            top, bottom = layout.band_of(0, stage)
            assert text == line
            assert height + metrics.height() <= bottom - top
    assert layout.lines_beside[Stage.NORMALIZED] > 1
    assert layout.lines_beside[Stage.RAW] == 1, "short lines take no more room than they need"
    before = layout.top_of(1)
    fill(qtbot, view, SAMPLE, preset("gpt2"))
    assert layout.top_of(1) < before


def test_nothing_moves_with_the_position_in_a_narrow_view(
    qtbot: QtBot, view: PipelineView
) -> None:
    view.resize(420, 500)
    history = byte_level(SAMPLE)
    fill(qtbot, view, SAMPLE, history.recipe, history)
    layout, width = view._layout, view.width()
    tops = []
    for position in (0, len(history)):
        view.show_position(position, False)
        view.resize(width + 1, 500)
        view.resize(width, 500)
        tops.append([layout.row_top(0, stage) for stage in Stage])
    assert tops[0] == tops[1]


def test_what_needs_more_lines_than_there_are_ends_in_dots(
    qtbot: QtBot, view: PipelineView
) -> None:
    steps = ("strip", "nfd", "strip-accents", "lowercase", "nfkc")
    view.resize(440, 500)
    fill(qtbot, view, f"   {SAMPLE} Crème", preset("gpt2").with_changes(normalizers=steps * 3))
    layout = view._layout
    metrics = QFontMetrics(layout.fonts.small)
    text, height = fitted(metrics, "many words " * 40, room_beside(view._gutter), 3)
    assert text.endswith("…")
    assert height <= 3 * metrics.lineSpacing()
    assert max(layout.lines_beside) <= 4
