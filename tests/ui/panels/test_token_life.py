"""The life of a token as it is drawn: its steps, its bands, and where they lead."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from bpe_gui.analysis.token_life import TokenLife, token_life
from bpe_gui.bpe.history import History
from bpe_gui.ui.panels.token.life import LifeCanvas
from bpe_gui.ui.theme.theme import DARK, LIGHT, palette
from bpe_gui.ui.theme.token_palettes import ColourBy
from bpe_gui.ui.tokens.colours import TokenColouring
from tests.ui.driving import picture, shown
from tests.ui.histories import four_words, invented
from tests.ui.panels.painted import painted_texts

KEY = Qt.Key


@pytest.fixture
def canvas(qtbot: QtBot) -> LifeCanvas:
    return shown(qtbot, LifeCanvas(), 420, 220)


@pytest.fixture
def lived(canvas: LifeCanvas) -> LifeCanvas:
    """The life of "low": made 7 times, put into lower twice and into low</w> 5 times."""
    history = four_words()
    canvas.set_life(history, life_of(history, "low"))
    canvas.set_position(len(history))
    return canvas


def life_of(history: History, text: str) -> TokenLife:
    texts = [history.id_to_token(token) for token in range(history.vocabulary_size(len(history)))]
    return token_life(history, texts.index(text))


def test_each_eater_is_named_with_its_number(lived: LifeCanvas) -> None:
    texts = painted_texts(lived)
    assert "low occurred at most 7 times" in texts
    assert "merge 5" in texts, "what the axis counts"
    assert "low</w>" in texts
    assert "5" in texts
    assert "lowe" in texts


def test_each_eater_has_the_colour_that_it_has_in_every_panel(lived: LifeCanvas) -> None:
    history, image = four_words(), picture(lived.viewport())
    life = life_of(history, "low")
    for event in (1, 2):
        eater = int(history.new_id[int(life.steps[event])])
        fill = TokenColouring(history).fill(eater, ColourBy.TOKEN)
        assert fill is not None
        place = lived.place_of(event)
        colour = image.pixelColor(lived.viewport().width() - 20, place.y())
        assert colour.name() == DARK.token_fills.all_colours[fill]


def test_the_keyboard_goes_from_merge_to_merge(lived: LifeCanvas, qtbot: QtBot) -> None:
    life = life_of(four_words(), "low")
    lived.setFocus()
    QTest.keyClick(lived, KEY.Key_Home)
    assert "1 of 3: Merge" in lived.accessibleDescription()
    assert "7 made, 7 then" in lived.accessibleDescription()
    QTest.keyClick(lived, KEY.Key_Left)
    assert "1 of 3" in lived.accessibleDescription()
    QTest.keyClick(lived, KEY.Key_End)
    assert "none is left" in lived.accessibleDescription()
    with qtbot.waitSignal(lived.stepChosen) as chosen:
        QTest.keyClick(lived, KEY.Key_Return)
    assert chosen.args == [int(life.steps[-1])]


def test_a_click_on_a_band_goes_to_its_merge(lived: LifeCanvas, qtbot: QtBot) -> None:
    life = life_of(four_words(), "low")
    for event in (1, 2):
        place = lived.place_of(event)
        assert lived.place_at(place) == event
        assert f"merge {int(life.steps[event]) + 1}:" in lived.tooltip_at(place).lower()
        with qtbot.waitSignal(lived.stepChosen) as chosen:
            QTest.mousePress(lived.viewport(), Qt.MouseButton.LeftButton, pos=place)
        assert chosen.args == [int(life.steps[event])]


def test_the_area_tells_the_count(lived: LifeCanvas) -> None:
    at = QPoint(14, lived.viewport().height() // 2)
    assert lived.place_at(at) is None
    assert "Occurs 7 times" in lived.tooltip_at(at)


def test_the_cursor_moves_over_the_same_picture(lived: LifeCanvas) -> None:
    at_end = picture(lived)
    lived.set_position(3)
    assert picture(lived) != at_end
    lived.set_position(len(four_words()))
    assert picture(lived) == at_end


def test_the_axis_of_the_last_token_ends_with_the_run(canvas: LifeCanvas) -> None:
    history = four_words()
    for token, last in ((history.new_id[-1], False), (history.new_id[-2], True)):
        canvas.set_life(history, token_life(history, int(token)))
        texts = [text.removeprefix("merge ") for text in painted_texts(canvas)]
        assert f"{len(history):,}" in texts
        assert f"{len(history) + 1:,}" not in texts
        assert (f"{len(history) - 1:,}" in texts) is last


def test_a_token_that_nothing_eats(canvas: LifeCanvas) -> None:
    history = four_words()
    canvas.set_life(history, life_of(history, "newest</w>"))
    assert "newest</w> occurs 6 times; no merge takes any" in painted_texts(canvas)
    assert canvas.place_at(QPoint(200, 100)) is None


def test_a_symbol_that_hundreds_of_merges_take(canvas: LifeCanvas) -> None:
    history = invented(20_000)
    counts = np.full(len(history.base), 10**7)
    canvas.set_life(history, token_life(history, 220, counts))
    canvas.set_position(5_000)
    assert len(painted_texts(canvas)) > 4
    canvas.setFocus()
    for _ in range(3):
        QTest.keyClick(canvas, KEY.Key_Right)
    assert "4 of" in canvas.accessibleDescription()


def test_sentences_and_schemes(canvas: LifeCanvas) -> None:
    canvas.set_message("Nothing here.")
    assert painted_texts(canvas) == ["Nothing here."]
    assert canvas.accessibleDescription() == "Nothing here."
    assert canvas.tooltip_at(QPoint(20, 20)) == ""
    canvas.set_life(four_words(), life_of(four_words(), "low"))
    canvas.setPalette(palette(DARK))
    dark = picture(canvas)
    canvas.setPalette(palette(LIGHT))
    assert picture(canvas) != dark
    canvas.resize(30, 20)
    assert picture(canvas).width() == 30
