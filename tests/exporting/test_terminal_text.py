"""What goes to a terminal is the text, its colours, and nothing that commands the terminal."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_gui.exporting.coloured_text import ColouredText, PartKind, rgb
from bpe_gui.exporting.terminal_text import ansi_text, nearest
from tests.exporting.cut_texts import DARK, cut_texts, in_turns, is_seen, tokens_at
from tests.exporting.reading_back import without_codes

PLAIN = (PartKind.TEXT, PartKind.SPACE, PartKind.TAB, PartKind.NEWLINE)


def written(text: ColouredText, **options: bool) -> str:
    return "".join(ansi_text(text, DARK, **options))


@given(cut_texts(), st.booleans(), st.booleans())
def test_nothing_commands_the_terminal_but_colours(
    text: ColouredText, true_colour: bool, marks: bool
) -> None:
    all_of_it = written(text, true_colour=true_colour, marks=marks)
    for code in re.findall(r"\x1b\[?[^m\x1b]*m?", all_of_it):
        assert re.fullmatch(r"\x1b\[[0-9;]+m", code)
    shown = without_codes(all_of_it)
    assert all(map(is_seen, shown.replace("\n", "") if marks else re.sub("[\n\t]", "", shown)))
    assert all_of_it.endswith("\n") or not text.text


@given(cut_texts(whole_characters=True))
def test_without_its_codes_it_is_the_text(text: ColouredText) -> None:
    shown = "".join(
        part.text if part.kind in PLAIN else part.shown
        for stretch in text.stretches
        for part in stretch.parts
    )
    expected = shown if shown.endswith("\n") or not shown else shown + "\n"
    assert without_codes(written(text, marks=False)) == expected
    if all(part.kind in PLAIN for stretch in text.stretches for part in stretch.parts):
        assert expected.removesuffix("\n") == text.text.removesuffix("\n")


def test_a_text_that_holds_codes_shows_them() -> None:
    text = "\x1b[2J\x9b31m\x1b]0;title\x07"
    shown = written(in_turns(text, tokens_at(text, [], [1])))
    assert without_codes(shown) == "‹ESC›[2J‹U+009B›31m‹ESC›]0;title‹BEL›\n"
    assert shown.count("\x1b") == 2


def test_colours_end_with_the_line_and_every_second_token_is_underlined() -> None:
    text = in_turns("ab\nc", tokens_at("ab\nc", [1], [1, 2]))
    on, second = "38;2;243;245;248;48;2;39;50;92", "38;2;243;245;248;48;2;107;71;29;4"
    assert written(text, marks=False) == (
        f"\x1b[{on}ma\x1b[0m\x1b[{second}mb\x1b[0m\n\x1b[{second}mc\x1b[0m\n"
    )
    assert written(text, true_colour=False, marks=False).startswith("\x1b[38;5;255;48;5;")


@pytest.mark.parametrize("colour", [*DARK.tokens, "#ff0000", "#123456", "#eeeeee"])
def test_the_nearest_colour_is_as_near_as_any(colour: str) -> None:
    levels = (0, 95, 135, 175, 215, 255)
    table = {
        **{16 + 36 * r + 6 * g + b: (levels[r], levels[g], levels[b])
           for r in range(6) for g in range(6) for b in range(6)},
        **{232 + grey: (8 + 10 * grey,) * 3 for grey in range(24)},
    }  # fmt: skip
    far = {
        number: sum((a - b) ** 2 for a, b in zip(parts, rgb(colour), strict=True))
        for number, parts in table.items()
    }
    assert far[nearest(colour)] == min(far.values())
