"""The view of the lanes: what is coloured, pointed at, selected, copied and drawn."""

from __future__ import annotations

import unicodedata
from itertools import pairwise
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, QSize, Qt
from PySide6.QtGui import QContextMenuEvent, QFont, QGuiApplication, QHelpEvent, QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolTip, QWidget
from pytestqt.qtbot import QtBot
from tokenizers import Tokenizer as LibraryTokenizer
from tokenizers import models, normalizers

from bpe_gui.encodings.differences.alignment import CachedEncoder, align
from bpe_gui.encodings.differences.kinds import agreement
from bpe_gui.encodings.formats.huggingface import HuggingFaceEncoding
from bpe_gui.encodings.formats.tiktoken_ranks import from_ranks
from bpe_gui.encodings.ours import TrainedEncoding
from bpe_gui.ui.export.svg_page import drawing_of
from bpe_gui.ui.lanes.layout import LanePlace, ScoreLayout
from bpe_gui.ui.lanes.prepared import NO_STRETCHES, PreparedScore, prepare
from bpe_gui.ui.lanes.view import LaneView
from bpe_gui.ui.theme.text_size import RoomFollower
from bpe_gui.ui.theme.theme import DARK
from bpe_gui.ui.tokens.characters import Characters
from bpe_gui.ui.tokens.painting import LabelPictures
from tests.encodings.formats.test_byte_fallback import llama
from tests.ui.driving import active, child, colours, picture, shown
from tests.ui.histories import byte_level, four_words
from tests.ui.lanes.lane_views import (
    TEXT,
    cut_by,
    differences_of,
    encodings,
    fill,
    show_lanes,
    view_of,
)

KEY = Qt.Key
LEFT = Qt.MouseButton.LeftButton
CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


def test_a_lane_that_stands_alone_is_coloured(qapp: object) -> None:
    cuts = [cut_by(encoding, TEXT) for encoding in encodings()]
    alone = prepare(Characters(TEXT), cuts[:1], NO_STRETCHES)
    assert not alone.lanes[0].quiet.any()
    alike = prepare(Characters(TEXT), [cuts[0], cuts[0]], NO_STRETCHES)
    assert all(lane.quiet.all() for lane in alike.lanes)


def test_what_differs_is_coloured_and_what_is_equal_is_not(qtbot: QtBot) -> None:
    history = byte_level("the the the")
    view = shown(qtbot, LaneView(), 300, 120)
    cuts = [cut_by(TrainedEncoding(history, name=name), "the the") for name in "ab"]
    show_lanes(view, "the the", cuts, differences_of("the the", cuts))
    assert not colours(picture(view)) & set(DARK.tokens)
    cuts[1] = cut_by(TrainedEncoding(history, 0, name="b"), "the the")
    show_lanes(view, "the the", cuts, differences_of("the the", cuts))
    assert colours(picture(view)) & set(DARK.tokens)


def test_click_and_keys_go_from_token_to_token_and_from_lane_to_lane(qtbot: QtBot) -> None:
    view = view_of(qtbot)
    told: list[tuple[int, int]] = []
    view.placeSelected.connect(lambda lane, token: told.append((lane, token)))
    QTest.mouseClick(view.viewport(), LEFT, pos=view.token_center(LanePlace(2, 1)))
    assert view.current == LanePlace(2, 1)
    for key, place in (
        (KEY.Key_Right, LanePlace(2, 2)),
        (KEY.Key_Left, LanePlace(2, 1)),
        (KEY.Key_Home, LanePlace(2, 0)),
        (KEY.Key_Up, LanePlace(1, 0)),
        (KEY.Key_Up, LanePlace(0, 0)),
        (KEY.Key_Up, LanePlace(0, 0)),
    ):
        QTest.keyClick(view, key)
        assert view.current == place
    assert told[-1] == (0, 0)
    QTest.keyClick(view, KEY.Key_End)
    assert view.current is not None
    assert view.current.token == len(TEXT.encode()) - 1


@pytest.mark.qt_log_ignore("does not support raise")
def test_the_tooltip_and_the_screen_reader_tell_of_a_token(qtbot: QtBot) -> None:
    view = view_of(qtbot)
    cut = cut_by(encodings()[2], TEXT)
    merged = next(n for n, token in enumerate(cut.tokens.ids.tolist()) if token >= 256)
    place = LanePlace(2, merged)
    center = view.token_center(place)
    where = view.viewport().mapToGlobal(center)
    QApplication.sendEvent(
        view.viewport(), QHelpEvent(QEvent.Type.ToolTip, center, where)
    )
    assert "merge" in QToolTip.text()
    assert "in all (byte-pair encoding)" in QToolTip.text()
    view.select(place)
    assert view.accessibleDescription().startswith(f"Token {merged + 1} of ")
    view.select(LanePlace(3, 5))
    unknown = view.accessibleDescription()
    assert "no token in marked" in unknown or "in marked" in unknown
    QToolTip.hideText()


def test_the_ids_of_the_current_lane_are_copied(qtbot: QtBot) -> None:
    view = view_of(qtbot, "the tent")
    view.select(LanePlace(1, 0))
    active(qtbot, view).setFocus()
    QTest.keyClick(view, KEY.Key_C, CTRL)
    ids = encodings()[1].encode("the tent").ids.tolist()
    assert QGuiApplication.clipboard().text() == " ".join(map(str, ids))


def copied(
    view: LaneView, modifiers: Qt.KeyboardModifier = CTRL, key: Qt.Key = KEY.Key_C
) -> str:
    """What is on the clipboard after the keys for it."""
    QTest.keyClick(view, key, modifiers)
    return QGuiApplication.clipboard().text()


def test_tokens_of_a_lane_are_selected_by_key_and_copied(qtbot: QtBot) -> None:
    text = "the newest tent"
    view = active(qtbot, view_of(qtbot, text))
    view.setFocus()
    view.select(LanePlace(1, 2))
    plain = picture(view)
    for _ in range(3):
        QTest.keyClick(view, KEY.Key_Right, SHIFT)
    assert picture(view) != plain
    assert view.accessibleDescription().startswith("4 tokens are selected. Token 6 of ")
    tokens = encodings()[1].encode(text)
    begin, stop = int(tokens.starts[2]), int(tokens.ends[5])
    assert copied(view) == " ".join(map(str, tokens.ids[2:6].tolist()))
    assert copied(view, CTRL | SHIFT) == text[begin:stop]
    parts = [text[a:b].replace(" ", "␣") for a, b in zip(tokens.starts, tokens.ends, strict=True)]
    assert copied(view, CTRL | SHIFT, KEY.Key_T) == "\n".join(parts[2:6])
    QTest.keyClick(view, KEY.Key_Home, SHIFT)
    assert copied(view) == " ".join(map(str, tokens.ids[:3].tolist()))
    QTest.keyClick(view, KEY.Key_A, CTRL)
    assert copied(view, CTRL | SHIFT) == text
    QTest.keyClick(view, KEY.Key_Left)
    assert view.selected() is not None
    assert view.accessibleDescription().startswith("Token ")


def test_tokens_of_a_lane_are_selected_with_the_mouse(qtbot: QtBot) -> None:
    text = "the newest tent"
    view = active(qtbot, view_of(qtbot, text))
    view.setFocus()
    ids = encodings()[2].encode(text).ids.tolist()
    last = len(ids) - 1
    places = [view.token_center(LanePlace(2, token)) for token in (1, last)]
    with qtbot.waitSignal(view.placeSelected) as told:
        QTest.mousePress(view.viewport(), LEFT, pos=places[0])
    assert told.args == [2, 1]
    move = QMouseEvent(
        QEvent.Type.MouseMove,
        QPointF(places[1]) + QPointF(300, 40),
        view.viewport().mapToGlobal(QPointF(places[1])),
        Qt.MouseButton.NoButton,
        LEFT,
        Qt.KeyboardModifier.NoModifier,
    )
    QApplication.sendEvent(view.viewport(), move)
    QTest.mouseRelease(view.viewport(), LEFT, pos=places[1])
    assert copied(view) == " ".join(map(str, ids[1:])), "in the lane where it began"
    QTest.mouseClick(view.viewport(), LEFT, SHIFT, view.token_center(LanePlace(2, 0)))
    assert copied(view) == " ".join(map(str, ids[:2]))


def test_half_a_character_is_copied_as_the_whole_and_a_part_of_it(qtbot: QtBot) -> None:
    view = active(qtbot, view_of(qtbot, "a🙂"))
    view.setFocus()
    view.select(LanePlace(0, 1))
    QTest.keyClick(view, KEY.Key_Right, SHIFT)
    assert copied(view, CTRL | SHIFT) == "🙂"
    assert copied(view, CTRL | SHIFT, KEY.Key_T) == "0xF0\n0x9F"


def test_without_lanes_nothing_is_copied_or_selected(qtbot: QtBot) -> None:
    view = active(qtbot, shown(qtbot, LaneView(), 300, 150))
    view.setFocus()
    QGuiApplication.clipboard().setText("before")
    QTest.keyClick(view, KEY.Key_A, CTRL)
    assert copied(view) == "before"
    fill(view, "")
    QTest.keyClick(view, KEY.Key_A, CTRL)
    assert copied(view, CTRL | SHIFT) == ""
    assert copied(view, CTRL | SHIFT, KEY.Key_T) == ""


def test_what_is_selected_follows_its_lane(qtbot: QtBot) -> None:
    text = "the newest tent"
    view = view_of(qtbot, text)
    cuts = [cut_by(encoding, text) for encoding in encodings()]
    show_lanes(view, text, cuts)
    view.select(LanePlace(1, 1))
    QTest.keyClick(view, KEY.Key_Right, SHIFT)
    show_lanes(view, text, [cuts[1], cuts[0]])
    assert view.selected() == (cuts[1], 1, 3)
    show_lanes(view, text, [cuts[0], cut_by(encodings()[1], text)])
    assert view.current == LanePlace(1, 2), "cut anew, only the current token is kept"
    show_lanes(view, text, [cuts[0]])
    assert view.current is None


def test_the_menu_is_of_the_lane_that_was_clicked(qtbot: QtBot) -> None:
    text = "the newest tent"
    view = view_of(qtbot, text)
    view.select(LanePlace(0, 2))
    in_gutter = QPoint(5, view.token_center(LanePlace(1, 0)).y())
    for place, expected in (
        (view.token_center(LanePlace(2, 1)), LanePlace(2, 1)),
        (in_gutter, LanePlace(1, 0)),
    ):
        event = QContextMenuEvent(
            QContextMenuEvent.Reason.Mouse, place, view.viewport().mapToGlobal(place)
        )
        with qtbot.waitSignal(view.menuWanted) as told:
            QApplication.sendEvent(view.viewport(), event)
        assert told.args is not None
        assert told.args[0] == expected.lane
        assert view.current == expected


def test_a_difference_is_framed_and_brought_into_view(qtbot: QtBot) -> None:
    view = shown(qtbot, LaneView(), 300, 150)
    text = "\n".join(["the newest tent"] * 40)
    fill(view, text)
    assert view.verticalScrollBar().value() == 0
    cuts = [cut_by(encoding, text) for encoding in encodings()]
    last = len(differences_of(text, cuts)) - 1
    view.show_difference(last)
    assert view.verticalScrollBar().value() > 0
    assert view.difference == last
    assert DARK.accent in colours(picture(view))


def test_a_difference_in_two_places_of_a_row_of_both_directions_has_a_line_under_each(
    qtbot: QtBot,
) -> None:
    view, text = shown(qtbot, LaneView(), 300, 150), "שלום abcd:"
    cuts = [cut_by(encoding, text) for encoding in encodings()[:2]]
    end = len(text.encode())
    show_lanes(view, text, cuts, np.array([(end - 2, end)]))  # the colon is left of the letters
    image = picture(view)
    rows = [
        [image.pixelColor(x, y).name() == DARK.accent for x in range(image.width())]
        for y in range(image.height())
    ]
    line = next(row for row in rows if any(row))
    assert sum(a and not b for a, b in pairwise([*line, False])) == 2


def test_the_same_text_stays_where_it_is(qtbot: QtBot) -> None:
    view = shown(qtbot, LaneView(), 300, 150)
    text = "\n".join(["the newest tent"] * 40)
    fill(view, text)
    bar = view.verticalScrollBar()
    bar.setValue(bar.maximum() // 2)
    first = view.current_byte()
    fill(view, text)
    assert view.current_byte() == first
    view.select(LanePlace(0, 3))
    fill(view, text)
    assert view.current == LanePlace(0, 3)
    fill(view, "another text")
    assert view.current is None


def test_merges_that_change_nothing_in_the_text_are_not_drawn(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    history = byte_level("the the newest newest widest")
    view, text = shown(qtbot, LaneView(), 500, 150), "the the"
    drawn: list[bool] = []
    show = ScoreLayout.show

    def noted(layout: ScoreLayout, prepared: PreparedScore) -> bool:
        drawn.append(show(layout, prepared))
        return drawn[-1]

    monkeypatch.setattr(ScoreLayout, "show", noted)
    sizes = []
    for position in range(len(history) + 1):
        lanes = TrainedEncoding(history, position, name="run"), encodings()[0]
        cuts = [cut_by(lane, text) for lane in lanes]
        show_lanes(view, text, cuts, differences_of(text, cuts))
        sizes.append(len(cuts[0]))
    changed = [number == 0 or sizes[number] != sizes[number - 1] for number in range(len(sizes))]
    assert drawn == changed
    assert not all(drawn)
    view.select(LanePlace(0, 0))
    told = f"Token 1 of {sizes[-1]}: {cuts[0].tokens.ids[0]} "
    assert view.accessibleDescription().startswith(told)


@pytest.mark.parametrize(
    "text", ["", "\n", " ", "\t\t", "e\u0301", "👩\u200d👩\u200d👧", "\x00\x1b", "שלום 12"]
)
def test_any_text_can_be_drawn(qtbot: QtBot, text: str) -> None:
    view = view_of(qtbot, text)
    assert not picture(view).isNull()
    QTest.keyClick(view, KEY.Key_Right)
    QTest.keyClick(view, KEY.Key_Down)
    QTest.mouseClick(view.viewport(), LEFT, pos=QPoint(5, 5))


def test_unknown_characters_have_no_token(qtbot: QtBot) -> None:
    view = shown(qtbot, LaneView(), 300, 120)
    encoding = TrainedEncoding(four_words(), name="four words")
    cut = cut_by(encoding, "low xyz")
    assert cut.unknown.tolist() == [False, True, True, True, False]
    assert cut.closes.tolist() == [True, False, False, False, True]
    show_lanes(view, "low xyz", [cut])
    view.select(LanePlace(0, 1))
    assert "“x” has no token in four words" in view.accessibleDescription()


@pytest.mark.parametrize("alone", [True, False])
@pytest.mark.parametrize(
    "text", ["½", "㍿a", "ﷺ", *(unicodedata.normalize("NFD", text) for text in ("한국 é", "aé"))]
)
def test_each_token_of_text_that_normalization_changes_is_seen(
    qtbot: QtBot, text: str, alone: bool
) -> None:
    made = llama()
    made.normalizer = normalizers.Sequence([normalizers.NFKC(), made.normalizer])
    cut = CachedEncoder(HuggingFaceEncoding(made, "changed")).encode(text)
    cuts = [cut] if alone else [cut_by(encodings()[0], text), cut, cut_by(encodings()[2], text)]
    lane = cuts.index(cut)
    view = shown(qtbot, LaneView(), 900, 300)
    show_lanes(view, text, cuts, differences_of(text, cuts))
    fallback = [place for place in range(len(cut)) if cut.fallback_bytes(place)]
    normalized = unicodedata.normalize("NFKC", text).replace("a", "").replace(" ", "")
    assert b"".join(map(cut.content, fallback)) == normalized.encode()
    for place in fallback:
        center = view.token_center(LanePlace(lane, place))
        QTest.mouseClick(view.viewport(), LEFT, pos=center)
        assert view.current == LanePlace(lane, place)
    view.select(LanePlace(lane, fallback[-1]))
    assert f"byte fallback <0x{normalized.encode()[-1]:02X}>: " in view.accessibleDescription()
    assert f"“{normalized[-1]}”, which has no token" in view.accessibleDescription()


def test_it_is_said_that_a_token_continues_a_word(qtbot: QtBot) -> None:
    """The box has the text of the token, without the mark of the vocabulary."""
    model = models.WordPiece({"[UNK]": 0, "low": 1, "##est": 2}, unk_token="[UNK]")
    cut = CachedEncoder(HuggingFaceEncoding(LibraryTokenizer(model), "pieces")).encode("lowest")
    view = shown(qtbot, LaneView(), 600, 200)
    show_lanes(view, "lowest", [cut])
    for token in (0, 1):
        view.select(LanePlace(0, token))
        assert ("continues a word" in view.accessibleDescription()) == bool(token)


def test_what_normalization_makes_of_a_character_is_written(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    written: list[str] = []
    paint = LabelPictures.paint

    def noted(pictures: LabelPictures, *args: Any, **options: Any) -> Any:
        written.append(args[4])
        return paint(pictures, *args, **options)

    monkeypatch.setattr(LabelPictures, "paint", noted)
    made = llama()
    made.normalizer = normalizers.NFKC()
    cut = CachedEncoder(HuggingFaceEncoding(made, "changed")).encode("½")
    view = shown(qtbot, LaneView(), 600, 200)
    show_lanes(view, "½", [cut])
    view.grab()
    assert written == ["1", "0xE2", "0x81", "0x84", "2"]


def test_a_sign_without_a_shape_is_named_where_a_token_holds_it_alone(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "❤\ufe0f"
    heart, sign = text
    model = LibraryTokenizer(models.BPE({heart: 0, sign: 1}, []))
    cuts = [
        CachedEncoder(HuggingFaceEncoding(model, name="signs")).encode(text),
        cut_by(encodings()[0], text),
    ]
    named: list[str] = []
    paint = LabelPictures.paint

    def noted(pictures: LabelPictures, *args: Any, **options: Any) -> Any:
        named.append(args[4])
        return paint(pictures, *args, **options)

    monkeypatch.setattr(LabelPictures, "paint", noted)
    view = shown(qtbot, LaneView(), 600, 200)
    show_lanes(view, text, cuts, differences_of(text, cuts))
    view.grab()
    assert "‹VS16›" in named


def test_on_the_stage_names_that_have_no_room_beside_the_lanes_stand_above(qtbot: QtBot) -> None:
    view = shown(qtbot, LaneView(), 700, 500)
    names = ["one recipe on a corpus with a long name", "another recipe on the same corpus"]
    history = byte_level(TEXT)
    cuts = [cut_by(TrainedEncoding(history, n, name=name), TEXT) for n, name in enumerate(names)]
    show_lanes(view, TEXT, cuts, differences_of(TEXT, cuts))
    legend = child(view, QWidget, "laneLegend")
    left, above = view.token_center(LanePlace(0, 0)).x(), view.viewport().y()
    assert not legend.isVisible()
    view.presents = True
    larger = QFont(view.font())
    larger.setPointSizeF(larger.pointSizeF() * 2)
    view.setFont(larger)
    assert legend.isVisible()
    assert legend.height() <= view.viewport().y()
    assert view.token_center(LanePlace(0, 0)).x() < left, "the tokens have the room"
    drawn = "".join(ElementTree.fromstring(drawing_of(view, "lanes")).itertext())
    for number, name in enumerate(names, 1):
        assert f"{number}  {name}" in drawn
    QTest.mouseClick(view.viewport(), LEFT, pos=view.token_center(LanePlace(1, 1)))
    assert view.current == LanePlace(1, 1)
    show_lanes(view, TEXT, cuts[:1])
    drawn = "".join(ElementTree.fromstring(drawing_of(view, "lanes")).itertext())
    assert names[0] in drawn
    assert f"1  {names[0]}" not in drawn
    view.resize(700, 2 * legend.height())
    assert not legend.isVisible(), "in little height the lanes have the room"
    view.resize(700, 500)
    assert legend.isVisible()
    view.presents = False
    view.setFont(QFont())
    assert not legend.isVisible()
    assert view.viewport().y() == above


def test_the_room_on_the_stage_is_that_of_the_present_size(qtbot: QtBot) -> None:
    view = shown(qtbot, LaneView(), 1600, 500)
    view.presents = True
    names = ["one recipe on a corpus with a long name", "another recipe on the same corpus"]
    history = byte_level(TEXT)
    cuts = [cut_by(TrainedEncoding(history, n, name=name), TEXT) for n, name in enumerate(names)]
    show_lanes(view, TEXT, cuts, differences_of(TEXT, cuts))
    legend = child(view, QWidget, "laneLegend")
    rooms: list[QSize] = []
    RoomFollower(view, lambda: rooms.append(view.room_on_stage()))
    assert not legend.isVisible()
    view.resize(420, 500)
    assert legend.isVisible()
    assert rooms == [view.room_on_stage()], "names that are above the lanes take no width"


def laid_out(text: str, view: LaneView) -> ScoreLayout:
    layout = ScoreLayout(view.font())
    cuts = [cut_by(encoding, text) for encoding in encodings()[:3]]
    layout.show(prepare(Characters(text), cuts, differences_of(text, cuts)))
    return layout


def test_empty_lines_take_no_block(qtbot: QtBot) -> None:
    view = view_of(qtbot, "the tent")
    one = view.verticalScrollBar().maximum()
    assert one == 0
    without, text = laid_out("the tent\nthe tent", view), "the tent\n\n\n\nthe tent"
    layout = laid_out(text, view)
    assert layout.height == without.height
    assert [layout.lanes_of(system) for system in range(len(layout))] == [[0, 1, 2]] * 2
    row = layout.fonts.row_height
    for system in range(len(layout)):
        for number, lane in enumerate(layout.lanes_of(system)):
            assert layout.lane_at(layout.system_top(system) + number * row) == lane
    # Each newline is seen in each lane, one beside the other.
    for lane, columns in enumerate(layout.lanes):
        starts = columns.cut.tokens.starts
        for token in np.flatnonzero((starts >= 8) & (starts < 12)).tolist():
            [(left, right, _)] = layout.rectangles_of(LanePlace(lane, token))
            middle = (left + right) / 2, (lane + 0.5) * row
            assert layout.place_at(*middle) == LanePlace(lane, token)


def test_empty_lines_without_another_before_take_one_row_of_one_lane(qtbot: QtBot) -> None:
    view = view_of(qtbot, "the tent")
    layout = laid_out("\n\n\nthe tent", view)
    assert [layout.lanes_of(system) for system in range(len(layout))] == [[0], [0, 1, 2]]
    many = laid_out("the tent" + "\n" * 2000, view)
    rows = many.shown(1).last - many.shown(1).first
    assert 2 < rows < 2000
    assert many.lanes_of(1) == [0]
    # What runs to the left has its mark at its end, and nothing behind that.
    assert len(laid_out("שלום\n\nab", view)) == 3


def test_lanes_that_fit_have_nothing_to_scroll(qtbot: QtBot) -> None:
    view = view_of(qtbot, "the tent")
    fits = set()
    for height in range(90, 300, 3):
        view.resize(700, height)
        fits.add(not view.overflows)
        assert view.overflows == (view.verticalScrollBar().maximum() > 0), height
    assert fits == {True, False}


def test_spaces_that_no_lane_has_a_token_for_end_their_row(qtbot: QtBot) -> None:
    text = "the newest widest " * 6
    for chosen, begins in (([3], False), ([2, 3], True)):
        layout = ScoreLayout(QFont())
        layout.set_width(150)
        cuts = [cut_by(encodings()[number], text) for number in chosen]
        layout.show(prepare(Characters(text), cuts, NO_STRETCHES))
        assert len(layout) > 3
        rows = [layout.shown(system).first for system in range(1, len(layout))]
        assert {text[first] == " " for first in rows} == {begins}


def test_short_lines_are_side_by_side_in_a_text_that_is_higher_than_the_view(
    qtbot: QtBot,
) -> None:
    view = view_of(qtbot, "the tent\n" * 2)
    begins = [LanePlace(0, number * len("the tent\n")) for number in range(2)]
    first, second = (view.token_center(place) for place in begins)
    assert first.x() == second.x()
    assert first.y() < second.y()
    fill(view, "the tent\n" * 60)
    first, second = (view.token_center(place) for place in begins)
    assert first.x() < second.x()
    assert first.y() == second.y()
    # They are found where they are seen, and read in order.
    QTest.mouseClick(view.viewport(), LEFT, pos=second)
    assert view.current == begins[1]
    QTest.keyClick(view, KEY.Key_Left)
    assert view.current == LanePlace(0, begins[1].token - 1)
    view.show_difference(0)
    assert not picture(view).isNull()


def test_only_lanes_that_differ_from_one_are_shown_beside_it(qtbot: QtBot) -> None:
    """Checked against what the alignment says of each pair of lanes in each difference."""
    text = "newest\nxyz newest\nthe the\nq\n"
    cuts = [cut_by(encoding, text) for encoding in encodings()[:3]]
    alignment = align(text, cuts)
    stretches = np.stack([alignment.starts, alignment.ends], axis=1)
    layout = ScoreLayout(view_of(qtbot, "").font())
    layout.show(prepare(Characters(text), cuts, stretches, None, agreement(alignment)))
    for chosen in range(3):
        layout.show_beside(chosen)
        for system in range(len(layout)):
            units = layout.units(system)
            start, end = int(units.starts.min()), int(units.ends.max())
            wanted = {chosen}
            for number, (first, last) in enumerate(stretches.tolist()):
                if first < end and start < last:
                    groups = alignment.groups(number)
                    wanted.update(*(group for group in groups if chosen not in group))
            assert layout.lanes_of(system) == sorted(wanted)
    layout.show_beside(-1)
    assert layout.lanes_of(0) == [0, 1, 2]


def test_a_text_begins_where_it_was_asked_to_until_somebody_scrolls(qtbot: QtBot) -> None:
    lines = [f"line {number}: the newest, na\u00efve thing" for number in range(60)]
    text = "\n".join(lines)
    view = view_of(qtbot, text)
    cuts = [cut_by(encoding, text) for encoding in encodings()]
    place = len("\n".join(lines[:30]).encode()) + 1

    def is_first(byte: int) -> bool:
        token = int(np.searchsorted(cuts[0].tokens.starts, byte))
        return 0 <= view.token_center(LanePlace(0, token)).y() < 1.5 * view.fontMetrics().height()

    view.begin_at(place)
    assert is_first(place)
    for width, height, lanes in ((420, 300, 4), (900, 500, 2), (300, 420, 1), (700, 400, 3)):
        view.resize(width, height)
        shown = cuts[:lanes]
        show_lanes(view, text, shown, differences_of(text, shown) if lanes > 1 else NO_STRETCHES)
        assert is_first(place), (width, lanes)
    view.verticalScrollBar().setValue(0)
    view.resize(420, 300)
    assert is_first(0)
    assert not is_first(place)


def test_names_beside_large_tokens_are_smaller_but_whole(qtbot: QtBot) -> None:
    name = "gpt2 on Many scripts"
    history = byte_level("return self name")
    cuts = [cut_by(TrainedEncoding(history, name=name), "self") for _ in range(2)]
    around = shown(qtbot, QWidget(), 1000, 400)
    view = LaneView(around)
    view.resize(1000, 400)
    view.show()
    show_lanes(view, "self", cuts)
    font = QFont(around.font())
    font.setPointSizeF(4 * font.pointSizeF())
    view.setFont(font)
    drawn = ElementTree.fromstring(drawing_of(view, "lanes"))
    assert "".join(drawn.itertext()).count(name) >= 2


def test_families_are_named_where_they_fit_beside_the_lanes(qtbot: QtBot) -> None:
    ranks = {bytes([byte]): byte for byte in range(256)}
    known = from_ranks(ranks, "gpt2", name="a.model", guess="read as Llama 3", family="Llama 3")
    same = from_ranks(ranks, "gpt2", name="GPT-2", guess="read as GPT-2", family="GPT-2")
    cuts = [CachedEncoder(encoding).encode("low") for encoding in (known, same)]
    view = shown(qtbot, LaneView(), 1400, 300)
    show_lanes(view, "low", cuts)
    drawn = "".join(ElementTree.fromstring(drawing_of(view, "lanes")).itertext())
    assert "a.model · Llama 3 · guess" in drawn
    assert "GPT-2 · guess" in drawn
    assert "GPT-2 · GPT-2" not in drawn
    view.resize(700, 300)
    drawn = "".join(ElementTree.fromstring(drawing_of(view, "lanes")).itertext())
    assert "a.model · guess" in drawn
    assert "Llama 3" not in drawn


def test_it_asks_for_encodings_only_when_it_is_known_that_there_are_none(qtbot: QtBot) -> None:
    view = shown(qtbot, LaneView(), 300, 120)
    before = view.message, picture(view.viewport())
    assert "Tokenizing" in before[0]
    view.show_prepared(prepare(Characters(""), [], NO_STRETCHES))
    assert "Add an encoding" in view.message
    assert view.message == view.accessibleDescription()
    assert picture(view.viewport()) != before[1]
