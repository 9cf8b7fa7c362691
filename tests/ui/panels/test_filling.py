"""A short text is written as large as it fits, whatever its tokens are."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QSize
from PySide6.QtGui import QFont, QFontMetricsF
from pytestqt.qtbot import QtBot

from bpe_gui.ui.panels.text.token_view import filling_scale, legible_scale, steady_scale
from bpe_gui.ui.theme.text_size import resized
from bpe_gui.ui.tokens.fonts import TokenFonts

ROOM = QSize(600, 300)


def test_the_shorter_the_larger(qtbot: QtBot) -> None:
    scales = [filling_scale("low lower " * count, QFont(), ROOM) for count in (1, 10, 30, 60, 300)]
    assert scales == sorted(scales, reverse=True)
    assert scales[0] > 2
    assert scales[-1] == 1


def test_a_text_of_one_row_fills_its_width(qtbot: QtBot) -> None:
    text = "low lower newest widest"
    scale = filling_scale(text, QFont(), QSize(800, 120))
    width = QFontMetricsF(QFont()).horizontalAdvance(text)
    assert 0.6 * 800 < scale * width < 800
    assert filling_scale(text, QFont(), QSize(800, 120), word_ends=True) < scale


def test_lines_count(qtbot: QtBot) -> None:
    assert filling_scale("a\n" * 30, QFont(), ROOM) < filling_scale("a " * 30, QFont(), ROOM)


def test_an_empty_or_a_long_text_is_written_plainly(qtbot: QtBot) -> None:
    assert filling_scale("", QFont(), ROOM) == 1
    assert filling_scale("a" * 3_000, QFont(), QSize(9_000, 9_000)) == 1
    assert filling_scale("low", QFont(), QSize(0, 0)) == 1


def test_a_text_grows_in_few_steps_while_its_bytes_become_letters(qtbot: QtBot) -> None:
    text = "Первая лодка выходит рано утром. Рыбаки пьют кофе и ждут, когда зазвонит колокол."
    measure = partial(filling_scale, font=QFont(), room=ROOM)
    split = [place for place, one in enumerate(text) if not one.isascii()]
    scales = [steady_scale(measure, text, split[: len(split) - done]) for done in range(len(split))]
    scales.append(steady_scale(measure, text, []))
    assert scales == sorted(scales)
    assert scales[-1] == measure(text) > 1.5 * scales[0]
    assert len(set(scales)) <= 4


def test_every_row_has_room_whatever_its_height_is_rounded_to(qtbot: QtBot) -> None:
    text, font = "low lower\nnewest\nwidest", resized(QFont(), 2.5)
    for height in range(200, 500):
        scale = filling_scale(text, font, QSize(1200, height))
        row = TokenFonts(resized(font, scale)).row_height
        assert 3 * row <= height or scale == 1, height


def test_a_text_too_long_to_be_seen_whole_is_large_in_a_large_room(qtbot: QtBot) -> None:
    font = QFont()
    scales = [legible_scale(font, QSize(1200, height), 10) for height in (0, 150, 400, 800)]
    assert scales == sorted(scales)
    assert scales[:2] == [1, 1], "it is never smaller than the text around it"
    for scale, height in zip(scales[2:], (400, 800), strict=True):
        row = TokenFonts(resized(font, scale)).row_height
        assert 0.75 * height < 10 * row <= height


def test_a_line_is_broken_only_where_it_would_be_much_smaller_in_one_row(qtbot: QtBot) -> None:
    text = "low lower newest widest"
    for width in range(100, 1000, 10):
        scale = filling_scale(text, QFont(), QSize(width, 600))
        widest = QFontMetricsF(resized(QFont(), scale)).horizontalAdvance(text)
        assert widest <= width or 0.75 * 1.15 * widest > width, (width, scale)
