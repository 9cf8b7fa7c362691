"""The colours that what is exported takes: plain data, so that no window is needed."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import quote


@dataclass(frozen=True, slots=True)
class Scheme:
    """The colours of a light or a dark scheme, each as "#rrggbb".

    `page` lies behind the text, `text` and `muted` are readable on it. `tokens` are the fills of
    tokens, on which `token_text` and `token_muted` are readable. `border` draws quiet lines.

    What the vocabulary does not have is filled with `raised`, as no token is, and has a line in
    `error` at its foot; what is readable on tokens is so there, and so is `error`.

    `patterns` has for each fill a pattern to be drawn along the head of its tokens in `ink`, or is
    empty: rows of equal length, "#" where there is ink.
    """

    name: str
    dark: bool
    page: str
    raised: str
    text: str
    muted: str
    border: str
    error: str
    tokens: tuple[str, ...]
    token_text: str
    token_muted: str
    ink: str = ""
    patterns: tuple[tuple[str, ...], ...] = ()


def rgb(colour: str) -> tuple[int, int, int]:
    """The parts of a colour, 0 to 255.

    >>> rgb("#27325c")
    (39, 50, 92)
    """
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def dots_of(pattern: tuple[str, ...]) -> str:
    """A pattern as path data of SVG, a dot a unit.

    >>> dots_of(("# ", " #"))
    'M0 0h1v1h-1zM1 1h1v1h-1z'
    """
    return "".join(
        f"M{x} {y}h1v1h-1z"
        for y, row in enumerate(pattern)
        for x, dot in enumerate(row)
        if dot == "#"
    )


def tile_of(scheme: Scheme, index: int) -> str:
    """The pattern of a fill as a picture within a style sheet; "none" where there are none."""
    if not scheme.patterns:
        return "none"
    rows = scheme.patterns[index]
    drawing = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{len(rows[0])}" height="{len(rows)}">'
        f'<path fill="{scheme.ink}" d="{dots_of(rows)}"/></svg>'
    )
    return f'url("data:image/svg+xml,{quote(drawing, safe="")}")'
