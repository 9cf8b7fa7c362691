"""The panel of space and time: what it draws, says, and where it leads."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QLabel
from pytestqt.qtbot import QtBot

from bpe_gui.bpe.history import History
from bpe_gui.bpe.recipe import preset
from bpe_gui.ui.panels.space_time.canvas import SpaceTimeCanvas
from bpe_gui.ui.panels.space_time.layout import NO_STRIP, Place
from bpe_gui.ui.panels.space_time.panel import MOST_CHARACTERS, SpaceTimePanel
from bpe_gui.ui.run.sample_text import SampleText
from bpe_gui.ui.theme.theme import DARK, LIGHT, palette
from tests.ui.driving import child, picture, shown
from tests.ui.histories import byte_level, four_words, grow, invented, trained
from tests.ui.panels.painted import painted_texts, text_elements
from tests.ui.panels.parts import parts

KEY = Qt.Key


@pytest.fixture
def sample() -> SampleText:
    text = SampleText()
    text.set("low newest")
    return text


@pytest.fixture
def panel(qtbot: QtBot, sample: SampleText) -> Iterator[SpaceTimePanel]:
    panel = shown(qtbot, SpaceTimePanel(parts(sample=sample)), 640, 320)
    yield panel
    panel.task.close()


@pytest.fixture
def drawn(panel: SpaceTimePanel) -> SpaceTimePanel:
    """The whole run of four words, the cursor at its end."""
    show(panel, four_words())
    return panel


def show(panel: SpaceTimePanel, history: History, position: int | None = None) -> None:
    panel.set_history(history)
    panel.show_position(len(history) if position is None else position, False)


def canvas(panel: SpaceTimePanel) -> SpaceTimeCanvas:
    return child(panel, SpaceTimeCanvas, "spaceTimeCanvas")


def caption(panel: SpaceTimePanel) -> str:
    return child(panel, QLabel, "spaceTimeCaption").text()


def choose_strips(panel: SpaceTimePanel) -> None:
    child(panel, QComboBox, "spaceTimeView").setCurrentIndex(1)


def said(panel: SpaceTimePanel) -> str:
    return canvas(panel).accessibleDescription()


def tip(panel: SpaceTimePanel, place: Place) -> str:
    return canvas(panel).tooltip_at(canvas(panel).place_of(place))


def click(panel: SpaceTimePanel, point: QPoint) -> None:
    QTest.mouseClick(canvas(panel).viewport(), Qt.MouseButton.LeftButton, pos=point)


def made_by(history: History, text: str) -> int:
    """The merge that made a token."""
    return next(
        step for step in range(len(history))
        if history.id_to_token(int(history.new_id[step])) == text
    )  # fmt: skip


def test_the_end_of_a_boundary_is_seen_on_the_band_of_the_cursor(
    drawn: SpaceTimePanel, qtbot: QtBot
) -> None:
    view = canvas(drawn)
    drawn.show_position(1, False)
    qtbot.waitUntil(lambda: drawn.task.at_rest)
    removed = next(
        place for place in (Place(symbol, NO_STRIP) for symbol in range(1, 12))
        if "Merge 2:" in tip(drawn, place)
    )  # fmt: skip
    end = view.place_of(removed)
    drawn.show_position(2, False)
    image = picture(view.viewport())
    assert image.pixelColor(end).name() == DARK.lines[1]


def test_it_says_what_is_missing(panel: SpaceTimePanel, sample: SampleText) -> None:
    assert "Open a corpus" in said(panel)
    show(panel, four_words(0))
    assert "No merges yet" in said(panel)
    canvas(panel).clearFocus()
    show(panel, four_words())
    assert "The text is 11 tokens at first and 2 after" in said(panel)
    sample.set("")
    assert "Type a text" in said(panel)


def test_it_draws_the_text_the_merges_and_the_tokens(drawn: SpaceTimePanel) -> None:
    texts = painted_texts(canvas(drawn))
    history = four_words()
    letters = [text for text in texts if text in "lownest"]
    assert "".join(letters[:3]) == "low"
    assert "newest" in texts
    assert f"{len(history):,}" in texts
    assert "merge" in texts, "the axis has a name"
    assert "low" in texts
    assert "ends at the merge that removed it" in caption(drawn)


def test_hovering_a_boundary_names_the_merge_that_removed_it(drawn: SpaceTimePanel) -> None:
    history = four_words()
    step = made_by(history, "lo")
    told = tip(drawn, Place(1, NO_STRIP))
    assert f"Merge {step + 1}: l + o → lo, 7 times" in told
    assert "between “l” and “o”" in told
    # A word begins there.
    assert "No merge ever removes the boundary between “&lt;/w&gt;” and “n”" in tip(
        drawn, Place(4, NO_STRIP)
    )
    assert "No merge has removed" not in told


def test_a_click_on_a_boundary_goes_to_its_merge(drawn: SpaceTimePanel, qtbot: QtBot) -> None:
    history = four_words()
    step = made_by(history, "lo")
    with (
        qtbot.waitSignal(drawn.tokenSelected) as selected,
        qtbot.waitSignal(drawn.positionSelected) as wanted,
    ):
        click(drawn, canvas(drawn).place_of(Place(1, NO_STRIP)))
    assert selected.args == [int(history.new_id[step])]
    assert wanted.args == [step + 1]


def test_a_click_below_the_end_of_a_boundary_does_nothing(
    drawn: SpaceTimePanel, qtbot: QtBot
) -> None:
    below = canvas(drawn).place_of(Place(1, NO_STRIP)) + QPoint(0, 25)
    assert canvas(drawn).tooltip_at(below) == ""
    with qtbot.assertNotEmitted(drawn.positionSelected):
        click(drawn, below)


def test_a_click_on_a_token_selects_it(drawn: SpaceTimePanel, qtbot: QtBot) -> None:
    place = Place(4, 0)
    assert "newest&lt;/w&gt;" in tip(drawn, place)
    with qtbot.waitSignal(drawn.tokenSelected) as selected:
        click(drawn, canvas(drawn).place_of(place))
    assert four_words().id_to_token(selected.args[0]) == "newest</w>"


def test_the_keyboard_goes_along_the_text_and_through_time(
    drawn: SpaceTimePanel, qtbot: QtBot
) -> None:
    history = four_words()
    view = canvas(drawn)
    view.setFocus()
    assert "Boundary 1 of 10" in said(drawn)
    QTest.keyClick(view, KEY.Key_Right)
    assert "Boundary 2 of 10" in said(drawn)
    QTest.keyClick(view, KEY.Key_End)
    assert "Boundary 10 of 10" in said(drawn)
    QTest.keyClick(view, KEY.Key_Right)
    assert "Boundary 10 of 10" in said(drawn)
    QTest.keyClick(view, KEY.Key_Home)
    seen = []
    for _ in range(12):
        QTest.keyClick(view, KEY.Key_Up)
    for _ in range(9):
        seen.append(said(drawn))
        QTest.keyClick(view, KEY.Key_Down)
    steps = [int(text.split("Merge ")[1].split(":")[0]) for text in seen]
    assert steps == sorted(steps)
    assert len(set(steps)) > 3
    QTest.keyClick(view, KEY.Key_Home)
    with qtbot.waitSignal(drawn.positionSelected) as wanted:
        QTest.keyClick(view, KEY.Key_Return)
    assert wanted.args == [made_by(history, "lo") + 1]


def test_the_cursor_moves_over_the_same_picture(drawn: SpaceTimePanel) -> None:
    at_end = picture(canvas(drawn))
    drawn.show_position(2, True)
    assert picture(canvas(drawn)) != at_end
    assert "2" in painted_texts(canvas(drawn))
    drawn.show_position(len(four_words()), False)
    assert picture(canvas(drawn)) == at_end


def test_rows_of_several_sizes(drawn: SpaceTimePanel, qtbot: QtBot) -> None:
    choose_strips(drawn)
    history = four_words()
    texts = painted_texts(canvas(drawn))
    first, last = history.vocabulary_size(0), history.vocabulary_size(len(history))
    assert {f"{first}", f"{last}"} <= set(texts)
    assert "11" in texts
    assert "vocabularies of the sizes on the left" in caption(drawn)
    drawn.resize(400, 200)
    assert caption(drawn) == "Left: size of the vocabulary. Right: number of tokens."
    canvas(drawn).setFocus()
    assert f"11 tokens with a vocabulary of {first}, before the first merge" in said(drawn)
    QTest.keyClick(canvas(drawn), KEY.Key_End)
    assert f"vocabulary of {last}" in said(drawn)
    with qtbot.waitSignal(drawn.positionSelected) as wanted:
        QTest.keyClick(canvas(drawn), KEY.Key_Return)
    assert wanted.args == [len(history)]
    with qtbot.waitSignals([drawn.positionSelected, drawn.tokenSelected]):
        click(drawn, canvas(drawn).place_of(Place(0, 0)))


def test_the_picture_grows_with_the_run(panel: SpaceTimePanel) -> None:
    history = invented(50)
    panel.sample.set("the other tokens")
    show(panel, history)
    before = picture(canvas(panel))
    grow(history, 3000)
    panel.show_position(len(history), True)
    assert picture(canvas(panel)) != before


def test_another_text_and_another_run_are_drawn(drawn: SpaceTimePanel, sample: SampleText) -> None:
    sample.set("widest")
    assert "widest" in painted_texts(canvas(drawn))
    show(drawn, byte_level("wide widest"))
    assert "widest" not in painted_texts(canvas(drawn))


def test_of_a_long_text_the_beginning_is_drawn(panel: SpaceTimePanel) -> None:
    panel.sample.set("low newest " * 2000)
    show(panel, four_words())
    assert "Showing the first 1,9" in caption(panel)
    assert "of 22,000 characters" in caption(panel)
    panel.sample.set("low" * 2000)
    assert f"Showing the first {MOST_CHARACTERS:,} of 6,000 characters" in caption(panel)
    bar = canvas(panel).verticalScrollBar()
    assert bar.maximum() > 0
    bar.setValue(bar.maximum())
    assert canvas(panel).place_at(QPoint(-50, 50)) is None
    canvas(panel).setFocus()
    QTest.keyClick(canvas(panel), KEY.Key_Home)
    assert bar.value() == 0


def test_what_a_recipe_drops_has_no_token(panel: SpaceTimePanel) -> None:
    panel.sample.set(" low   low")
    show(panel, four_words())
    assert "␣␣␣" in painted_texts(canvas(panel))
    assert painted_texts(canvas(panel)).count("low") == 2


@pytest.mark.parametrize("text", ["שלום עולם", "مرحبا", "e\u0301🙂\u200d\x00", "\n\n", "a" * 300])
@pytest.mark.parametrize("name", ["gpt2", "raw", "lines", "whitespace", "char-bpe"])
def test_any_text_by_any_recipe(panel: SpaceTimePanel, text: str, name: str) -> None:
    panel.sample.set(text)
    show(panel, trained([("low שלום lower", 5), ("newest", 6)], preset(name)))
    for strips in (0, 1):
        child(panel, QComboBox, "spaceTimeView").setCurrentIndex(strips)
        assert painted_texts(canvas(panel)) or "Type a text" in said(panel)
        canvas(panel).setFocus()
        for key in (KEY.Key_Right, KEY.Key_Down, KEY.Key_Up, KEY.Key_Left, KEY.Key_End):
            QTest.keyClick(canvas(panel), key)
        assert said(panel)


def test_a_byte_in_a_narrow_box_is_written_on_two_lines(panel: SpaceTimePanel) -> None:
    panel.sample.set("漢字" * 4)
    show(panel, trained([("low", 5)], preset("gpt2")))
    painted = painted_texts(canvas(panel))
    assert painted.count("0x") == len("漢字".encode()) * 4
    assert painted[painted.index("0x") :][:4] == ["0x", "E6", "0x", "BC"]


def test_bytes_that_stay_apart_are_written_large(panel: SpaceTimePanel) -> None:
    panel.sample.set("low café")
    panel.resize(800, 420)
    show(panel, trained([("low", 5)], preset("gpt2")))
    drawn = text_elements(canvas(panel))
    sizes = {"".join(one.itertext()): float(one.attrib["font-size"]) for one in drawn}
    assert sizes["C3"] >= 0.6 * sizes["low"]


def test_text_from_right_to_left_is_said_to_be_turned(panel: SpaceTimePanel) -> None:
    show(panel, trained([("שלום", 5)], preset("raw")))
    assert "right to left" not in caption(panel)
    panel.sample.set("שלום")
    assert "right to left" in caption(panel)


def test_a_selected_token_is_framed(drawn: SpaceTimePanel) -> None:
    before = picture(canvas(drawn))
    history = four_words()
    drawn.select_token(int(history.new_id[made_by(history, "newest</w>")]))
    assert picture(canvas(drawn)) != before


def test_a_hidden_panel_draws_when_it_is_shown(
    drawn: SpaceTimePanel, sample: SampleText
) -> None:
    drawn.hide()
    sample.set("widest")
    drawn.show()
    assert "widest" in painted_texts(canvas(drawn))


def test_it_fits_any_size_in_both_schemes(drawn: SpaceTimePanel) -> None:
    for size in ((160, 90), (300, 900), (1600, 300)):
        drawn.resize(*size)
        dark = picture(drawn)
        drawn.setPalette(palette(LIGHT))
        assert picture(drawn) != dark
        drawn.setPalette(palette(DARK))
        assert np.array(picture(drawn).size().toTuple()).min() > 0
