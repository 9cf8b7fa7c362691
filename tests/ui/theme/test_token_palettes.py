"""Palettes of tokens: readable, told apart by everyone, and chosen live."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations, product

import numpy as np
import pytest
from numpy.typing import NDArray
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from bpe_gui.ui.context.context import reveal
from bpe_gui.ui.shell.main_window import MainWindow
from bpe_gui.ui.theme.choices import PaletteChoice
from bpe_gui.ui.theme.theme import DARK, LIGHT, Theme, theme_of
from bpe_gui.ui.theme.token_palettes import (
    PALETTES,
    PATTERNS,
    QUIET,
    STRONG,
    TILE_HEIGHT,
    TILE_WIDTH,
    TOKEN_COLOURS,
    TokenPalette,
    palette_named,
    tile,
)
from bpe_gui.ui.tokens.box_pictures import TokenFiller
from bpe_gui.ui.tokens.boxes import Boxes, BoxPainter, Grid, Ring
from bpe_gui.ui.workspaces.workspaces import WorkspaceId
from tests.colour_vision import READABLE, SEEN, VISION, ciede2000, contrast, seen_as
from tests.ui.driving import child, picture, pixels

BOTH = pytest.mark.parametrize("theme", [DARK, LIGHT], ids=lambda theme: theme.name)
ALL = pytest.mark.parametrize("palette", PALETTES, ids=lambda palette: palette.name)

Opened = Callable[..., MainWindow]

DISTINCT = {QUIET.name: 5.0, STRONG.name: 12.0}
"""How far apart any two colours of a palette are at least, in CIEDE2000."""


@pytest.fixture
def window(opened: Opened) -> MainWindow:
    return opened("words.txt", "low lower lowest")


@BOTH
@ALL
def test_text_can_be_read_on_every_token(theme: Theme, palette: TokenPalette) -> None:
    theme = theme.with_palette(palette)
    grounds = [*theme.token_fills.all_colours, *filter(None, [theme.token_fills.ink])]
    assert len(theme.tokens) == TOKEN_COLOURS
    for ground, text in product(grounds, (theme.token_text, theme.token_muted)):
        assert contrast(text, ground) >= READABLE, (text, ground)


@BOTH
@pytest.mark.parametrize("palette", [QUIET, STRONG], ids=lambda palette: palette.name)
@pytest.mark.parametrize("vision", VISION)
def test_tokens_are_told_apart_by_everyone(
    theme: Theme, palette: TokenPalette, vision: str
) -> None:
    theme = theme.with_palette(palette)
    seen = [seen_as(colour, vision) for colour in (*theme.tokens, theme.selection)]
    for one, other in combinations(seen, 2):
        assert ciede2000(one, other) >= DISTINCT[palette.name]


@BOTH
def test_patterns_are_told_apart_without_colour(theme: Theme) -> None:
    theme = theme.with_palette(PATTERNS)
    fills = theme.token_fills
    drawn = [tile(name) for name in fills.patterns]
    assert len(drawn) == TOKEN_COLOURS
    assert {marks.shape for marks in drawn} == {(TILE_HEIGHT, TILE_WIDTH)}
    for one, other in combinations(drawn, 2):
        assert (one != other).mean() >= 0.25
    for colour in fills.colours:
        assert contrast(fills.ink, colour) >= SEEN


def test_an_unknown_palette_is_the_default() -> None:
    assert palette_named("patterns") is PATTERNS
    assert palette_named("") is palette_named("purple") is PALETTES[0]
    assert len({palette.name for palette in PALETTES}) == len(PALETTES)


@BOTH
def test_the_default_is_the_theme_itself(theme: Theme) -> None:
    assert theme.with_palette(PALETTES[0]) is theme
    again = theme.with_palette(PATTERNS).with_palette(PALETTES[0])
    assert again == theme


def painted_by_qt(theme: Theme, fill: int) -> NDArray[np.uint32]:
    """A box of a token, 40 by 18, that Qt paints."""
    image = QImage(40, 18, QImage.Format.Format_RGB32)
    image.fill(QColor(theme.panel))
    painter = QPainter(image)
    TokenFiller(theme).paint(painter, fill, 0, 0, 40, 18, 4)
    painter.end()
    return pixels(image)


def painted_by_numpy(
    theme: Theme, fill: int, scale: float, size: tuple[int, int] = (40, 18)
) -> NDArray[np.uint32]:
    """The same box as rows of tokens paint it."""
    painter = BoxPainter(theme, scale, size[1])
    one = np.array([0])
    boxes = Boxes(
        one, np.array([0.0]), np.array([float(size[0])]), np.array([fill]),
        np.array([int(Ring.NONE)]), np.array([False]), np.array([False]),
    )  # fmt: skip
    dots = np.empty(0, np.int64), np.empty(0)
    grid = Grid(*size, 0, [0.0], 0, size[1])
    return pixels(painter.paint(grid, boxes, dots, []))


def inked(painted: NDArray[np.uint32], theme: Theme) -> int:
    """How many pixels have the ink of the patterns, the corners left out."""
    width = painted.shape[1]
    inside = painted[:, width // 8 : -width // 8]
    return int((inside == QColor(theme.token_fills.ink).rgb()).sum())


@BOTH
@pytest.mark.parametrize("fill", range(TOKEN_COLOURS))
@pytest.mark.usefixtures("qapp")
def test_patterns_are_drawn_wherever_tokens_are(theme: Theme, fill: int) -> None:
    theme = theme.with_palette(PATTERNS)
    share = tile(theme.token_fills.patterns[fill]).mean()
    by_qt, by_numpy = painted_by_qt(theme, fill), painted_by_numpy(theme, fill, 1.0)
    twice = painted_by_numpy(theme, fill, 2.0)
    for painted, dots in ((by_qt, 1), (by_numpy, 1), (twice, 4)):
        ink = inked(painted, theme) / dots
        assert ink == pytest.approx(share * 30 * TILE_HEIGHT, rel=0.2, abs=1)


@BOTH
@pytest.mark.parametrize("height", range(13, 80))
@pytest.mark.usefixtures("qapp")
def test_no_pattern_and_no_edge_is_taken_for_a_stroke(theme: Theme, height: int) -> None:
    """All ink lies above the letters, which begin below a sixth of a box; none at its sides."""
    theme = theme.with_palette(PATTERNS)
    ink = QColor(theme.token_fills.ink).rgb()
    for fill in range(TOKEN_COLOURS):
        image = QImage(40, height, QImage.Format.Format_RGB32)
        image.fill(QColor(theme.panel))
        painter = QPainter(image)
        TokenFiller(theme).paint(painter, fill, 0, 0, 40, height, 4)
        painter.end()
        rows = np.flatnonzero((pixels(image) == ink).any(axis=1))
        assert all(row < max(3, height / 6) for row in rows.tolist())
        assert len(rows) or theme.token_fills.patterns[fill] == "bare"


@BOTH
@pytest.mark.parametrize("height", [18, 19, 27, 36, 43])
@pytest.mark.parametrize("scale", [1.0, 2.0])
@pytest.mark.usefixtures("qapp")
def test_narrow_boxes_of_rows_keep_their_patterns_above_their_letters(
    theme: Theme, height: int, scale: float
) -> None:
    theme = theme.with_palette(PATTERNS)
    ink = QColor(theme.token_fills.ink).rgb()
    for fill in range(TOKEN_COLOURS):
        painted = painted_by_numpy(theme, fill, scale, (6, height))
        rows = np.flatnonzero((painted == ink).any(axis=1))
        assert all(row < height * scale / 6 for row in rows.tolist())
        assert len(rows) or theme.token_fills.patterns[fill] == "bare"


@BOTH
@pytest.mark.usefixtures("qapp")
def test_colours_are_drawn_plain(theme: Theme) -> None:
    for fill in range(TOKEN_COLOURS):
        expected = QColor(theme.tokens[fill]).rgb()
        for painted in (painted_by_qt(theme, fill), painted_by_numpy(theme, fill, 1.0)):
            assert (painted[4:-4, 4:-4] == expected).all()


def test_the_next_palette_comes_round(window: MainWindow) -> None:
    seen = []
    for _ in PALETTES:
        window.actions_.next_palette.trigger()
        seen.append(window.palette_choice.palette)
        checked = [act.data() for act in window.palette_choice.actions if act.isChecked()]
        assert checked == [seen[-1].name]
        theme = window.theme_choice.theme
        assert theme.token_fills == seen[-1].fills(dark=theme.dark)
    assert seen == [*PALETTES[1:], PALETTES[0]]


def test_a_palette_stays_when_the_scheme_changes(window: MainWindow, qtbot: QtBot) -> None:
    patterns = window.palette_choice.actions[PALETTES.index(PATTERNS)]
    with qtbot.waitSignal(window.palette_choice.changed):
        patterns.trigger()
    for theme in (LIGHT, DARK):
        window.theme_choice.choose(theme.name)
        assert window.theme_choice.theme == theme.with_palette(PATTERNS)
        qtbot.waitUntil(lambda: {theme_of(one) for one in window.findChildren(QWidget)} == {
            window.theme_choice.theme
        })  # fmt: skip
    with qtbot.assertNotEmitted(window.palette_choice.changed):
        window.palette_choice.choose(PATTERNS.name)


def colours_in(widget: QWidget) -> set[str]:
    image = picture(widget).convertToFormat(QImage.Format.Format_RGB32)
    return {f"#{colour & 0xFFFFFF:06x}" for colour in np.unique(pixels(image)).tolist()}


def told_apart(palette: TokenPalette, *, dark: bool) -> set[str]:
    """The colours of a palette that tell tokens or neighbours apart."""
    fills = palette.fills(dark=dark)
    return {*fills.colours, *fills.of_tokens}


def test_every_view_that_colours_tokens_follows_the_choice_at_once(
    window: MainWindow, qtbot: QtBot
) -> None:
    window.resize(1600, 1000)  # else the coloured nodes of the tree are out of view
    window.sample_text.set("newest widest low lower")  # with tokens of the first merge
    window.actions_.train.trigger()
    qtbot.waitUntil(lambda: window.player.end > 3)
    newest = int(window.player.history.new_id[3])
    window.explore.select_token(newest)
    window.player.scrub(1)
    views = {
        WorkspaceId.EXPLORE: (
            "tokenView",
            "wordsTable",
            "treeCanvas",
            "whyText",
            "derivationTable",
        ),
        WorkspaceId.COMPARE: ("laneView",),
        WorkspaceId.LABORATORY: ("pipelineView",),
    }
    child(window, QWidget, "tokenView").setFocus()
    for place, names in views.items():
        window.workspaces.show_place(place)
        for name in names:
            view = child(window, QWidget, name)
            reveal(view)
            for palette in (STRONG, QUIET):
                window.palette_choice.choose(palette.name)
                dark = window.theme_choice.theme.dark
                own = told_apart(palette, dark=dark)
                qtbot.waitUntil(lambda view=view, own=own: bool(own & colours_in(view)))
                others = {PALETTES[0], PALETTES[1]} - {palette}
                gone = {colour for other in others for colour in told_apart(other, dark=dark)}
                assert not gone & colours_in(view), name


def test_a_choice_has_a_name_and_says_what_it_is_for(window: MainWindow) -> None:
    assert isinstance(window.palette_choice, PaletteChoice)
    for action, palette in zip(window.palette_choice.actions, PALETTES, strict=True):
        assert action.objectName() == f"{palette.name}PaletteAction"
        assert action.text() == f"&{palette.title}"
        assert action.statusTip() == palette.tip
