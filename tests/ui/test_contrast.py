"""All text can be read: computed for every pair of colours in use, and looked at on the screen."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import product

import numpy as np
import pytest
from numpy.typing import NDArray
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QColor, QImage, QPalette
from PySide6.QtWidgets import QComboBox, QLabel, QLineEdit, QPushButton, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from bpe_gui.ui import theme as themes
from bpe_gui.ui.compare.language_model import STRONGEST_SHADE
from bpe_gui.ui.line_colours import line_colours
from bpe_gui.ui.main_window import MainWindow
from bpe_gui.ui.pair_drawing import mixed
from bpe_gui.ui.style_sheet import STYLE_SHEET
from bpe_gui.ui.theme import DARK, LIGHT, Theme
from bpe_gui.ui.token_palettes import PALETTES, TokenPalette
from bpe_gui.ui.workspaces import Place
from tests.colour_vision import READABLE, SEEN, contrast
from tests.ui.widgets import active, picture

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

STROKE = 0.9
"""How much of its contrast thin text may lose to the smoothing of its edges."""


def rules() -> Iterator[tuple[str, dict[str, str]]]:
    """Each selector of the style sheet with what it declares."""
    sheet = re.sub(r"/\*.*?\*/", "", STYLE_SHEET, flags=re.DOTALL)
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
    for line, ground in product(line_colours(theme), SURFACES):
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


# -- on the screen -------------------------------------------------------------------------------


def best_contrast(image: QImage) -> float:
    """Between the colour that most of a picture has and that which stands out most from it."""
    image = image.convertToFormat(QImage.Format.Format_RGB32)
    pixels = np.frombuffer(image.constBits(), np.uint32)
    colours, counts = np.unique(pixels, return_counts=True)
    light = luminance(colours)
    ground = light[counts.argmax()]
    return float(((np.maximum(light, ground) + 0.05) / (np.minimum(light, ground) + 0.05)).max())


def luminance(colours: NDArray[np.uint32]) -> NDArray[np.float64]:
    parts = np.stack([(colours >> shift) & 255 for shift in (16, 8, 0)], -1) / 255
    light = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    return np.asarray(light @ [0.2126, 0.7152, 0.0722], np.float64)


def with_text(window: MainWindow) -> list[QWidget]:
    """What is in view, writes in one colour on one ground, and has something written on it."""
    def written(widget: QWidget) -> str:
        if isinstance(widget, QComboBox):
            return widget.currentText()
        if isinstance(widget, QLineEdit):
            return widget.text() or widget.placeholderText()
        assert isinstance(widget, QLabel | QPushButton | QToolButton)
        only_icon = Qt.ToolButtonStyle.ToolButtonIconOnly
        if isinstance(widget, QToolButton) and widget.toolButtonStyle() == only_icon:
            return widget.text() if widget.icon().isNull() else ""
        return widget.text()

    kinds = (QLabel, QPushButton, QToolButton, QComboBox, QLineEdit)
    return [
        widget
        for widget in window.findChildren(QWidget)
        if isinstance(widget, kinds)
        and widget.isVisible()
        and window.rect().contains(place_of(widget, window))
        and len(written(widget).strip()) > 2
    ]


def place_of(widget: QWidget, window: QWidget) -> QRect:
    return QRect(widget.mapTo(window, QPoint(0, 0)), widget.size())


@BOTH
@pytest.mark.parametrize("place", Place)
def test_what_stands_in_the_window_can_be_read(
    opened: Opened, theme: Theme, place: Place, qtbot: QtBot
) -> None:
    window = opened("words.txt", "low lower lowest newest " * 9, "--start")
    qtbot.waitUntil(lambda: window.player.end > 3)
    window.resize(1280, 800)
    window.set_theme(theme)
    getattr(window.workspaces, place.name.lower())()
    active(qtbot, window)
    seen = picture(window)
    found = with_text(window)
    assert len(found) > 8
    for widget in found:
        shown = seen.copy(place_of(widget, window))
        assert best_contrast(shown) >= READABLE * STROKE, widget
