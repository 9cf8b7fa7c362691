"""Type on the stage is read from the back row, whatever the screen; its rule, and its layouts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QRect
from PySide6.QtGui import QFont, QFontMetricsF
from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot

from bpe_gui.bpe.recipe import END_OF_WORD
from bpe_gui.ui.stage.board import Board
from bpe_gui.ui.stage.chooser import MOST, Choice, from_json
from bpe_gui.ui.stage.show import LEAST, text_points
from bpe_gui.ui.widgets.sentences import as_written
from tests.ui.programs import screens, told_by
from tests.ui.stage.stage_on_screen import LEAST_OF_MARKS, LEAST_OF_NOTES, ROUNDING
from tests.ui.stage.stages import CORPUS


@pytest.mark.parametrize(
    ("width", "height", "scale", "layouts"),
    [(800, 800, 1, "124"), (1920, 1080, 1, "2"), (2560, 1440, 2, "1")],
)
def test_all_is_read_from_the_back_row(
    tmp_path: Path, width: int, height: int, scale: int, layouts: str
) -> None:
    """Three panels are not looked at: see `test_three_panels_have_known_places`."""
    (tmp_path / "words.csv").write_text(CORPUS)
    seen = told_by(
        "tests.ui.stage.stage_on_screen",
        str(tmp_path / "words.csv"),
        layouts,
        QT_QPA_PLATFORM=screens(tmp_path, [("hall", 0, 0, width, height)]),
        QT_SCALE_FACTOR=str(scale),
    )
    assert seen["size"] == [width // scale, height // scale, scale]
    assert {face.rpartition(" in ")[2] for face in seen["texts"]} == set(layouts)
    assert seen["squeezed"] == [], "nothing is squeezed, and no row is cut"
    for face, (name, texts) in seen["texts"].items():
        assert texts, face
        notes = {END_OF_WORD, "¶", "◌\u094d", name, *seen["tabs"]}
        for share, written in texts:
            text = as_written(written)
            least = LEAST_OF_MARKS if text == END_OF_WORD else LEAST_OF_NOTES
            assert share >= least * ROUNDING, (face, text)
            if text not in notes and not face.startswith(("lanes", "pipeline", "derivation")):
                assert share >= LEAST * ROUNDING, (face, text)
        assert texts[-1][0] >= LEAST * ROUNDING, face
    for count, scheme, corner in seen["corners"]:
        assert corner < 0.2 if scheme == "dark" else corner > 0.8, (count, scheme)


@given(st.integers(300, 4000))
def test_the_rule(qapp: object, height: int) -> None:
    font = QFont()
    font.setPointSizeF(text_points(font, height))
    assert QFontMetricsF(font).xHeight() * 0.9 >= LEAST * height * 0.97


@pytest.mark.parametrize("wraps", [False, True])
@pytest.mark.parametrize("count", range(1, MOST + 1))
def test_panels_share_the_stage(qtbot: QtBot, count: int, wraps: bool) -> None:
    board = Board()
    qtbot.addWidget(board)
    board.resize(1280, 800)
    large = [QLabel("wide " * 4000, wordWrap=wraps) for _ in range(count)]
    for label in large[1:]:
        label.setText("narrow")
    board.show_panels([("large", label) for label in large])
    board.show()
    frames = [board.findChild(QWidget, f"stagePlace{place}") for place in range(1, MOST + 1)]
    assert [frame.isVisible() for frame in frames] == [place < count for place in range(MOST)]
    found = [frame.geometry() for frame in frames[:count]]
    for number, place in enumerate(found):
        assert board.rect().contains(place)
        assert not any(place.intersects(other) for other in found[:number])
        assert abs(place.width() - found[0].width()) <= 1
        assert place.height() >= 300
    assert found == sorted(found, key=lambda place: (place.top(), place.left())) or count == 3
    assert sum(place.width() * place.height() for place in found) > 0.9 * 1280 * 800


def test_three_panels_have_known_places(qtbot: QtBot) -> None:
    """The first has the place of the first of two, the others those of the right of four."""
    board = Board()
    qtbot.addWidget(board)
    board.resize(1280, 800)
    board.show()

    def places(count: int) -> list[QRect]:
        board.show_panels([("panel", QLabel("text")) for _ in range(count)])
        frames = (board.findChild(QWidget, f"stagePlace{place + 1}") for place in range(count))
        return [frame.geometry() for frame in frames]

    of_two, of_four = places(2), places(4)
    assert places(3) == [of_two[0], of_four[1], of_four[3]]


NAMES = ["pairs", "text", "why", "vocabulary", "words", "curves"]
choices = st.builds(
    Choice,
    st.lists(st.sampled_from(NAMES), min_size=1, max_size=4, unique=True).map(tuple),
    st.integers(1, 4),
    st.sampled_from(["", "dark", "light"]),
)


@given(choices)
def test_a_choice_comes_back_from_json(choice: Choice) -> None:
    assert from_json(json.loads(json.dumps(choice.as_json())), NAMES) == choice


@given(choices, st.sampled_from(NAMES), st.integers(0, 5))
def test_a_panel_is_put_at_its_place(choice: Choice, name: str, place: int) -> None:
    put = choice.placed(name, place)
    assert name in put.shown
    assert 1 <= len(put.panels) <= MOST
    assert len(set(put.panels)) == len(put.panels)
    if place < len(choice.panels):
        assert put.panels[place] == name
    toggled = choice.toggled(name)
    assert 1 <= len(toggled.panels) <= MOST
    assert (name in toggled.panels) != (name in choice.panels) or choice.panels == (name,)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=6), inner),
    max_leaves=8,
)


@given(
    json_values
    | st.fixed_dictionaries({"panels": json_values, "layout": json_values, "scheme": json_values})
)
def test_what_makes_no_sense_is_as_at_first(kept: object) -> None:
    choice = from_json(kept, NAMES)
    assert 1 <= choice.layout <= MOST
    assert 1 <= len(choice.panels) <= MOST
    assert set(choice.panels) <= set(NAMES)
