"""A coloured text for a terminal, with the escape sequences of ECMA-48 ("ANSI")."""

from __future__ import annotations

import shutil
import textwrap
import unicodedata
from collections.abc import Callable, Iterator

from bpe_gui.bpe.history import NO_TOKEN
from bpe_gui.exporting.coloured_text import ColouredSpan, ColouredText, PartKind, Scheme, rgb

# -- Width in columns ---------------------------------------------------------------------------

_USUAL_WIDTH = 100
"""Columns of lines that are written elsewhere than to a terminal."""


def terminal_width() -> int:
    """Return the columns of the terminal, those in $COLUMNS, or `_USUAL_WIDTH` without both."""
    return shutil.get_terminal_size((_USUAL_WIDTH, 0)).columns


def wrapped(line: str) -> str:
    """Break a line between words where the terminal ends; what follows is indented."""
    return textwrap.fill(
        line, max(terminal_width(), 20), subsequent_indent="    ", break_long_words=False,
        break_on_hyphens=False,
    ) + "\n"  # fmt: skip


_WITHOUT_ROOM = frozenset({"Mn", "Me", "Cf"})


def columns_of(text: str) -> int:
    """Count columns: wide characters take two, marks upon others and what is not seen none.

    >>> columns_of("abc"), columns_of("漢字"), columns_of("e\\u0301")
    (3, 4, 1)
    """
    if text.isascii():
        return len(text)
    wide = sum(unicodedata.east_asian_width(character) in "WF" for character in text)
    without = sum(unicodedata.category(character) in _WITHOUT_ROOM for character in text)
    return len(text) + wide - without


# -- Escape sequences ---------------------------------------------------------------------------
#
# A text can hold such sequences itself, and other control characters, by which it could write
# anywhere on the terminal, or do worse. None of them goes through: they are shown as the
# names that they have everywhere here, and so do characters that turn the direction of others.

_RESET = "\x1b[0m"
_UNDERLINED = "4"
_LEVELS = (0, 95, 135, 175, 215, 255)
_FIRST_OF_CUBE, _FIRST_GREY = 16, 232
_Code = Callable[[str, bool], str]
"""What makes a colour of the text, or of what lies behind it, part of an escape sequence."""
_AS_THEY_ARE = {PartKind.SPACE: " ", PartKind.TAB: "\t", PartKind.NEWLINE: "\n"}


def ansi_text(
    text: ColouredText, scheme: Scheme, *, true_colour: bool = True, marks: bool = True
) -> Iterator[str]:
    """Write the text piece by piece, every token on its colour, every second one underlined.

    So a boundary is seen without colours too. `true_colour` takes 24 bits for a colour, else the
    nearest of 256 is taken. `marks` stand for spaces and tabs, and before line ends; without
    them these are as they are. Ends with a line end, also if the text does not.
    """
    code = _true_colour if true_colour else _nearest_of_256
    last = "\n"
    for stretch in text.stretches:
        begin = _begin(stretch, scheme, code)
        shown = "".join(_shown(stretch, marks))
        for line in shown.splitlines(keepends=True):
            # A line end within colours fills the rest of the line with them on some terminals.
            written = line.removesuffix("\n")
            yield f"{begin}{written}{_RESET}" if begin and written else written
            yield line[len(written) :]
        last = shown[-1:] or last
    if last != "\n":
        yield "\n"


def _shown(stretch: ColouredSpan, marks: bool) -> Iterator[str]:
    for part in stretch.parts:
        if part.kind not in _AS_THEY_ARE:
            yield part.shown
        elif not marks:
            yield _AS_THEY_ARE[part.kind]
        else:
            yield f"{part.shown}\n" if part.kind is PartKind.NEWLINE else part.shown


def _begin(stretch: ColouredSpan, scheme: Scheme, code: _Code) -> str:
    """Write what switches to the colours of a stretch; nothing for what is in no token."""
    if not stretch.in_token:
        return ""
    if stretch.id == NO_TOKEN:
        # The line at its foot has the colour of its letters.
        return f"\x1b[{code(scheme.error, False)};{code(scheme.raised, True)};{_UNDERLINED}m"
    colours = f"{code(scheme.token_text, False)};{code(scheme.tokens[stretch.colour], True)}"
    return f"\x1b[{colours}{f';{_UNDERLINED}' if stretch.number % 2 else ''}m"


def _true_colour(colour: str, background: bool) -> str:
    red, green, blue = rgb(colour)
    return f"{48 if background else 38};2;{red};{green};{blue}"


def _nearest_of_256(colour: str, background: bool) -> str:
    return f"{48 if background else 38};5;{nearest(colour)}"


def nearest(colour: str) -> int:
    """Find the number of the nearest colour, of the 216 of the cube and the 24 greys.

    The first 16 are whatever the user's terminal makes of them.

    >>> nearest("#ffffff"), nearest("#000000"), nearest("#808080")
    (231, 16, 244)
    """
    parts = rgb(colour)
    steps = [min(range(6), key=lambda step: abs(_LEVELS[step] - part)) for part in parts]
    number = _FIRST_OF_CUBE + 36 * steps[0] + 6 * steps[1] + steps[2]
    grey = min(23, max(0, round((sum(parts) / 3 - 8) / 10)))
    of_cube = _distance(parts, [_LEVELS[step] for step in steps])
    of_greys = _distance(parts, [8 + 10 * grey] * 3)
    return number if of_cube <= of_greys else _FIRST_GREY + grey


def _distance(one: tuple[int, int, int], other: list[int]) -> int:
    return sum((a - b) ** 2 for a, b in zip(one, other, strict=True))
