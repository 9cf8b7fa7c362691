"""All text can be read: computed for every pair of colours in use, and looked at on the screen."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import product
from typing import Any, NamedTuple
from xml.etree import ElementTree

import numpy as np
import pytest
from numpy.typing import NDArray
from PySide6.QtCore import QRect
from PySide6.QtGui import QColor, QImage, QPalette
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from bpe_gui.folders import resource
from bpe_gui.ui.compare.texts_model import STRONGEST_SHADE
from bpe_gui.ui.export.picture import picture_of
from bpe_gui.ui.export.svg_page import drawing_of
from bpe_gui.ui.help.helping import navigation_targets
from bpe_gui.ui.panels.text.token_view import TokenView
from bpe_gui.ui.shell.main_window import MainWindow
from bpe_gui.ui.theme import theme as themes
from bpe_gui.ui.theme.painting import mixed
from bpe_gui.ui.theme.theme import DARK, LIGHT, Theme
from bpe_gui.ui.theme.token_palettes import PALETTES, PATTERNS, QUIET, TokenPalette
from bpe_gui.ui.workspaces.workspaces import WorkspaceId
from tests.colour_vision import READABLE, SEEN, contrast
from tests.ui.driving import active, child

BOTH = pytest.mark.parametrize("theme", [DARK, LIGHT], ids=lambda theme: theme.name)
Opened = Callable[..., MainWindow]

SURFACES = ("window", "panel", "raised")
"""What lies behind text that says nothing of its background."""

PAINTED = {
    # Panels, tables and charts that are painted by hand: text, and what it stands on.
    "text": (*SURFACES, "border", "grid"),
    "muted": (*SURFACES, "grid"),
    "accent": SURFACES,
    "error": SURFACES,
    # Tokens: on their fills see the palettes; quiet, unknown and special ones on `raised`.
    "token_text": (*SURFACES, "selection"),
    "token_muted": (*SURFACES, "selection"),
    "on_accent": ("accent",),
}

BEHIND = (
    *("spaceTimeDock", "curvesDock", "derivationDock", "branchesDock"),
    *("metricBars", "languageBars", "mergeCurves", "boundaryPanel", "lockstepPanel"),
)
"""Parts of the window that are not seen before one goes there."""

NEARLY = 40
"""How far from its colour the darkest of a thin text may be, for its edges are smoothed."""


def rules() -> Iterator[tuple[str, dict[str, str]]]:
    """Each selector of the style sheet with what it declares."""
    sheet = re.sub(r"/\*.*?\*/", "", resource("style.qss").read_text(), flags=re.DOTALL)
    for selectors, body in re.findall(r"([^{}]+)\{([^{}]*)\}", sheet):
        declared = dict(re.findall(r"([\w-]+)\s*:\s*([^;]+);", body))
        for selector in selectors.split(","):
            yield selector.strip(), declared


def grounds_of(declared: dict[str, str]) -> tuple[str, ...]:
    """The colours of the theme that a rule may have text stand on."""
    ground = declared.get("background", declared.get("background-color", ""))
    return (ground.strip().removeprefix("@"),) if ground.startswith("@") else SURFACES


@BOTH
def test_every_text_of_the_style_sheet_can_be_read(theme: Theme) -> None:
    pairs = {
        (declared["color"].strip().removeprefix("@"), ground, selector)
        for selector, declared in rules()
        if "color" in declared
        for ground in grounds_of(declared)
    }
    pairs |= {
        (
            declared["selection-color"].strip().removeprefix("@"),
            declared["selection-background-color"].strip().removeprefix("@"),
            selector,
        )
        for selector, declared in rules()
        if "selection-color" in declared
    }
    assert len(pairs) > 60, "the sheet is read"
    for text, ground, selector in pairs:
        assert contrast(getattr(theme, text), getattr(theme, ground)) >= READABLE, selector


@BOTH
def test_a_state_that_changes_only_the_ground_leaves_its_text_readable(theme: Theme) -> None:
    own = {selector: declared for selector, declared in rules() if ":" not in selector}
    for selector, declared in rules():
        base = own.get(re.sub(r":[a-z-]+$", "", selector), {})
        ground = declared.get("background", "")
        if ":" in selector and "color" not in declared and "color" in base and ground[:1] == "@":
            text = getattr(theme, base["color"].strip().removeprefix("@"))
            assert contrast(text, getattr(theme, ground.strip()[1:])) >= READABLE, selector


@BOTH
@pytest.mark.parametrize("palette", PALETTES, ids=lambda palette: palette.name)
def test_everything_painted_by_hand_can_be_read(theme: Theme, palette: TokenPalette) -> None:
    theme = theme.with_palette(palette)
    for text, grounds in PAINTED.items():
        for ground in grounds:
            found = contrast(getattr(theme, text), getattr(theme, ground))
            assert found >= READABLE, (text, ground)


@BOTH
def test_names_in_the_colours_of_their_lines_can_be_read(theme: Theme) -> None:
    for line, ground in product(theme.lines, SURFACES):
        assert contrast(line, getattr(theme, ground)) >= READABLE


@BOTH
def test_numbers_can_be_read_on_every_shade(theme: Theme) -> None:
    strongest = mixed(QColor(theme.accent), QColor(theme.panel), STRONGEST_SHADE).name()
    assert contrast(theme.text, strongest) >= READABLE


@BOTH
def test_every_text_of_the_palette_can_be_read(theme: Theme) -> None:
    role = QPalette.ColorRole
    pairs = (
        (role.WindowText, role.Window), (role.Text, role.Base), (role.Text, role.AlternateBase),
        (role.PlaceholderText, role.Base), (role.ButtonText, role.Button),
        (role.ToolTipText, role.ToolTipBase), (role.HighlightedText, role.Highlight),
        (role.Link, role.Base), (role.Link, role.Window), (role.LinkVisited, role.Base),
        (role.BrightText, role.Window),
    )  # fmt: skip
    made = themes.palette(theme)
    for group in (QPalette.ColorGroup.Active, QPalette.ColorGroup.Inactive,
                  QPalette.ColorGroup.Disabled):  # fmt: skip
        for text, ground in pairs:
            colours = (made.color(group, which).name() for which in (text, ground))
            assert contrast(*colours) >= READABLE, (group, text)


@BOTH
def test_marks_that_are_no_text_are_seen(theme: Theme) -> None:
    """The focus, signs in messages, the handle of the timeline, boxes to check."""
    for mark, ground in product(("accent", "muted", "error"), SURFACES):
        assert contrast(getattr(theme, mark), getattr(theme, ground)) >= SEEN


# -- as it is painted ----------------------------------------------------------------------------


class Written(NamedTuple):
    """A text in a drawing of the window, where it stands, and in which colour."""

    text: str
    colour: str
    place: QRect


def texts_in(drawing: str) -> Iterator[Written]:
    """All texts of a drawing, those included that are cut off."""
    for element in ElementTree.fromstring(drawing).iter("{http://www.w3.org/2000/svg}text"):
        assert element.get("transform") is None, "all places are those of the window"
        size = float(element.attrib["font-size"])
        lefts = [float(left) for left in element.attrib["x"].split()]
        right = lefts[0] + float(element.get("textLength", lefts[-1] - lefts[0] + size / 2))
        baseline = float(element.attrib["y"].split()[0])
        place = QRect(
            int(lefts[0]), int(baseline - 0.75 * size), int(right - lefts[0]) + 1, int(0.9 * size)
        )
        # A little more than the text, so that there is some of what it stands on.
        place = place.adjusted(-2, -2, 2, 2)
        yield Written(element.text or "", element.attrib["fill"], place)


def ground_of(written: Written, pixels: NDArray[np.uint32]) -> str | None:
    """The colour that a text stands on; None where nothing of the text can be seen."""
    place = written.place
    top, left = max(0, place.top()), max(0, place.left())
    box = pixels[top : place.bottom() + 1, left : place.right() + 1] & 0xFFFFFF
    if not box.size:
        return None
    apart = np.abs(parts_of(box) - parts_of(np.array(int(written.colour[1:], 16)))).max(-1)
    if not (apart <= NEARLY).any():
        return None
    # Heavy signs cover more of their place than they leave free.
    free = box[apart > NEARLY]
    colours, counts = np.unique(free if len(free) else box, return_counts=True)
    return f"#{int(colours[counts.argmax()]):06x}"


def parts_of(colours: NDArray[Any]) -> NDArray[np.int64]:
    """Red, green and blue, from 0 to 255."""
    return np.stack([(colours >> shift) & 255 for shift in (16, 8, 0)], -1).astype(np.int64)


def test_every_text_in_the_window_can_be_read(opened: Opened, qtbot: QtBot) -> None:
    window = opened("words.txt", "low lower löwest newest, 日本 " * 9, "--start")
    qtbot.waitUntil(lambda: window.player.end > 3)
    window.resize(1280, 800)
    for theme, palette in ((DARK, QUIET), (LIGHT, PATTERNS)):
        check_every_text_can_be_read(window, theme, palette, qtbot)


def check_every_text_can_be_read(
    window: MainWindow, theme: Theme, palette: TokenPalette, qtbot: QtBot
) -> None:
    window.palette_choice.choose(palette.name)
    window.theme_choice.choose(theme.name)
    active(qtbot, window)
    qtbot.waitUntil(lambda: window.palette().window().color().name() == theme.window)
    child(window, TokenView, "tokenView").select_all()
    for place in WorkspaceId:
        getattr(window.workspaces, place.name.lower())()
        window.helping.open("overview")
        check_texts(window)
        actions = window.helping.navigator.actions
        for action, spot in zip(actions, navigation_targets(), strict=True):
            if spot.workspace is place and spot.widget in BEHIND:
                action.trigger()
                check_texts(window)


def check_texts(window: QWidget, least: int = 60) -> None:
    """Hold every text that is seen in a window against what it stands on."""
    image = picture_of(window, 1).convertToFormat(QImage.Format.Format_RGB32)
    shape = image.height(), image.width()
    pixels = np.frombuffer(image.constBits(), np.uint32).reshape(shape)
    seen = 0
    for written in texts_in(drawing_of(window, "window")):
        ground = ground_of(written, pixels)
        if ground is not None:
            assert contrast(written.colour, ground) >= READABLE, (written, ground)
            seen += 1
    assert seen > least
