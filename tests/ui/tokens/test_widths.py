"""How wide characters are is measured once for each size of text, and takes little memory."""

from __future__ import annotations

import gc
import tracemalloc

import pytest
from PySide6.QtGui import QFont, QFontMetricsF
from pytestqt.qtbot import QtBot

from bpe_gui.ui.tokens.characters import Characters
from bpe_gui.ui.tokens.fonts import TokenFonts
from bpe_gui.ui.tokens.shaping import bidi_runs_in

_TEXT = "lower naïve \u05e9\u05dc\u05d5\u05dd 陀 🙂"


def test_each_character_is_as_wide_as_it_is_alone(qtbot: QtBot) -> None:
    fonts = TokenFonts(QFont())
    metrics = QFontMetricsF(fonts.body)
    for text in (_TEXT[:5], _TEXT, _TEXT[::-1], "Ωλ" + _TEXT):  # each needs some more characters
        widths = [metrics.horizontalAdvance(character) for character in text]
        assert fonts.advances(Characters(text)) == pytest.approx(widths, abs=0.01)


def test_a_text_in_many_sizes_takes_little_memory(qtbot: QtBot) -> None:
    characters, made = Characters(_TEXT), []
    tracemalloc.start()
    try:
        before, _ = tracemalloc.get_traced_memory()
        for points in range(8, 38):
            made.append(TokenFonts(QFont("", points)))
            made[-1].advances(characters)
        used = tracemalloc.get_traced_memory()[0] - before
    finally:
        tracemalloc.stop()
    assert used < 2_000_000


def _number_of_fonts() -> int:
    gc.collect()
    return sum(type(found) is QFont for found in gc.get_objects())


def test_a_size_that_is_not_written_any_more_keeps_no_font(qtbot: QtBot) -> None:
    characters = Characters(_TEXT)
    before = _number_of_fonts()
    for points in range(50, 60):
        fonts = TokenFonts(QFont("", points))
        assert len(bidi_runs_in(characters, 0, len(_TEXT), fonts)) == 3
    del fonts
    assert _number_of_fonts() <= before
