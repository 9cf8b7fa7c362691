"""What the vocabulary does not have is told by one sign, whatever it is written in.

It is the window's: a box in the colour of what stands out, with a line at its foot.
"""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from bpe_gui.exporting.coloured_text import Scheme, rgb
from bpe_gui.exporting.html_text import About, html_text
from bpe_gui.exporting.player_page import player_page
from bpe_gui.exporting.svg import svg_text
from bpe_gui.exporting.terminal_text import ansi_text
from bpe_gui.ui.export.schemes import both_schemes
from bpe_gui.ui.theme.token_palettes import PATTERNS, QUIET
from tests.browser import MISSING, PROGRAM, Browser
from tests.exporting.cut_texts import in_turns, tokens_at
from tests.ui.histories import four_words

TEXT = in_turns("a\u0436", tokens_at("a\u0436", [1], [1, -1]))
SCHEMES = [*both_schemes(QUIET), *both_schemes(PATTERNS)]
STYLE = """(({ backgroundColor, backgroundImage, color, outlineStyle, textDecorationLine }) =>
    [backgroundColor, backgroundImage, color, outlineStyle, textDecorationLine])
    (getComputedStyle(document.querySelector('.u, .unknown')))"""


@pytest.mark.skipif(PROGRAM is None, reason=MISSING)
@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("plays", [False, True])
def test_in_pages(shown: Browser, tmp_path: Path, scheme: Scheme, plays: bool) -> None:
    schemes = [one for one in SCHEMES if bool(one.patterns) == bool(scheme.patterns)]
    path = tmp_path / "page.html"
    if plays:
        path.write_text(player_page(four_words(), "\u0436", schemes=schemes), encoding="utf-8")
    else:
        path.write_text("".join(html_text(TEXT, schemes, About("Text"))), encoding="utf-8")
    shown.open(path, dark=scheme.dark)
    ground, line, letters, *others = shown.evaluate(STYLE)
    assert ground == f"rgb{rgb(scheme.raised)}"
    assert line == f"linear-gradient(rgb{rgb(scheme.error)}, rgb{rgb(scheme.error)})"
    assert letters == f"rgb{rgb(scheme.token_text)}"
    assert others == ["none", "none"]


@pytest.mark.parametrize("scheme", SCHEMES)
def test_in_a_drawing(scheme: Scheme) -> None:
    drawing = ElementTree.fromstring(svg_text(TEXT, scheme, "Text"))
    boxes = list(drawing.iter("{http://www.w3.org/2000/svg}rect"))
    line = next(box for box in boxes if box.get("fill") == scheme.error)
    box = next(box for box in boxes if box.get("fill") == scheme.raised)
    foot, height = (float(line.get(name, 0)) for name in ("y", "height"))
    assert foot + height == pytest.approx(float(box.get("y", 0)) + float(box.get("height", 0)))
    assert (line.get("x"), line.get("width")) == (box.get("x"), box.get("width"))
    assert not any(box.get("stroke") for box in boxes)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_on_a_terminal(scheme: Scheme) -> None:
    """Its line has the colour of the letters."""
    written = "".join(ansi_text(TEXT, scheme))
    colours = ";".join(
        f"{kind};2;" + ";".join(map(str, rgb(colour)))
        for kind, colour in ((38, scheme.error), (48, scheme.raised))
    )
    assert f"\x1b[{colours};4m\u0436" in written
