"""The pipeline view tells what each stage changed, and draws it."""

from __future__ import annotations

from itertools import pairwise

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from bpe_gui.analysis.pipeline.stages import Stage
from bpe_gui.bpe.recipe import PRESETS, Alphabet, Prepend, Recipe, Replace, preset
from bpe_gui.ui.pipeline.layout import ItemPlace
from bpe_gui.ui.pipeline.painting import fitted
from bpe_gui.ui.pipeline.view import PipelineView
from bpe_gui.ui.theme.theme import DARK, LIGHT, palette
from bpe_gui.ui.tokens.painting import MARGIN
from tests.ui.driving import picture
from tests.ui.histories import byte_level, four_words
from tests.ui.histories import trained as trained_history
from tests.ui.panels.painted import text_elements
from tests.ui.pipeline.pipeline_views import (
    SAMPLE,
    copied,
    fill,
    has,
    item_center,
    move,
    tip_of,
    title_place,
    title_tip,
    view,
)

__all__ = ["view"]

KEY = Qt.Key
LEFT = Qt.MouseButton.LeftButton


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
        "2 bytes: 0xC3 0xA9",
        "NFD: “é” → “e◌\u0301”",
        "Remove nonspacing marks: “e◌\u0301” → “e”",
        "in the pre-token “cafe”",
        "token 8: “cafe”",
    ]
    assert tip_of(view, Stage.NORMALIZED, 3)[3] == "made from “é”"
    assert "dropped by Remove nonspacing marks" in tip_of(view, Stage.NORMALIZED, 4)
    assert tip_of(view, Stage.TOKENS, 0) == [
        "“cafe”",
        "4 bytes",
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
        "1 byte",
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
            "a special token: taken out first, and never split",
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
        view.setPalette(palette(theme))
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


def beside(view: PipelineView) -> list[tuple[str, float, float]]:
    """The lines beside the first system from top to bottom: their texts, baselines and sizes."""
    texts = [text for text in text_elements(view) if float(text.attrib["x"]) == MARGIN]
    lines = [
        ("".join(text.itertext()), float(text.attrib["y"]), float(text.attrib["font-size"]))
        for text in texts
    ]
    return sorted(lines, key=lambda line: line[1])


def row_of(view: PipelineView, stage: Stage) -> int:
    """The middle of the first row of a stage."""
    return item_center(view, ItemPlace(stage, 0)).y()


@pytest.mark.qt_log_ignore("does not support raise")
def test_what_is_said_of_a_stage_is_not_cut(qtbot: QtBot, view: PipelineView) -> None:
    recipe = preset("gpt2").with_changes(normalizers=("strip", "nfd", "strip-accents", "lowercase"))
    for width in (1500, 800, 620):
        view.resize(width, 500)
        fill(qtbot, view, f"   {SAMPLE} Crème Brûlée", recipe)
        texts = beside(view)
        written = " ".join(text for text, _, _ in texts)
        for stage in (Stage.RAW, Stage.NORMALIZED, Stage.PRETOKENS, Stage.SYMBOLS):
            assert " ".join(title_tip(view, stage)[:2]) in written
        for (_, before, _), (text, after, size) in pairwise(texts):
            assert after - before >= size, text
    before = row_of(view, Stage.SYMBOLS)
    fill(qtbot, view, SAMPLE, preset("gpt2"))
    assert row_of(view, Stage.SYMBOLS) < before, "short lines take no more room than they need"


def test_nothing_moves_with_the_position_in_a_narrow_view(
    qtbot: QtBot, view: PipelineView
) -> None:
    view.resize(420, 500)
    history = byte_level(SAMPLE)
    fill(qtbot, view, SAMPLE, history.recipe, history)
    width = view.width()
    seen = []
    for position in (0, len(history)):
        view.show_position(position, False)
        view.resize(width + 1, 500)
        view.resize(width, 500)
        seen.append([row_of(view, stage) for stage in Stage])
    assert seen[0] == seen[1]


def test_what_needs_more_lines_than_there_are_ends_in_dots(
    qtbot: QtBot, view: PipelineView
) -> None:
    steps = ("strip", "nfd", "strip-accents", "lowercase", "nfkc")
    view.resize(440, 500)
    fill(qtbot, view, f"   {SAMPLE} Crème", preset("gpt2").with_changes(normalizers=steps * 3))
    assert any(text.endswith("…") for text, _, _ in beside(view))
    metrics = view.fontMetrics()
    text, height = fitted(metrics, "many words " * 40, 150, 3)
    assert text.endswith("…")
    assert height <= 3 * metrics.lineSpacing()


def test_a_short_text_uses_a_large_view(qtbot: QtBot, view: PipelineView) -> None:
    def apart() -> int:
        """How far the last stage is below the first."""
        return title_place(view, Stage.IDS).y() - title_place(view, Stage.RAW).y()

    fill(qtbot, view, "low lower newest widest", preset("whitespace"), four_words())
    view.resize(800, 300)
    qtbot.waitUntil(lambda: apart() < 300)
    view.resize(3000, 1600)
    qtbot.waitUntil(lambda: apart() > 700)
    assert view.verticalScrollBar().maximum() == 0
    view.sample_text.set("low lower newest widest " * 100)
    qtbot.waitUntil(lambda: view.up_to_date and apart() < 300)
