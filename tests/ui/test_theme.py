"""The two colour schemes: readable, distinguishable, and applied to everything."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QApplication, QFileDialog, QLineEdit, QPushButton, QToolButton
from pytestqt.qtbot import QtBot

from bpe_gui.ui import theme as themes
from bpe_gui.ui.theme import DARK, LIGHT, Theme
from tests.ui.widgets import child, picture, shown

BOTH = pytest.mark.parametrize("theme", [DARK, LIGHT], ids=lambda theme: theme.name)

READABLE = 4.5
"""The contrast that WCAG 2 asks of text (level AA)."""

DISTINCT = 0.055
"""Distance in OKLab; 0.02 is about where two colours side by side can be told apart."""

# Full colour blindness of each kind, after Machado, Oliveira and Fernandes (2009).
VISION = {
    "usual": np.eye(3),
    "no red": np.array(
        [
            [0.152286, 1.052583, -0.204868],
            [0.114503, 0.786281, 0.099216],
            [-0.003882, -0.048116, 1.051998],
        ]
    ),
    "no green": np.array(
        [
            [0.367322, 0.860646, -0.227968],
            [0.280085, 0.672501, 0.047413],
            [-0.011820, 0.042940, 0.968881],
        ]
    ),
    "no blue": np.array(
        [
            [1.255528, -0.076749, -0.178779],
            [-0.078411, 0.930809, 0.147602],
            [0.004733, 0.691367, 0.303900],
        ]
    ),
}


def linear(colour: str) -> NDArray[np.float64]:
    """A colour as light: linear red, green and blue from 0 to 1."""
    values = np.array([int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)])
    return np.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4)


def contrast(one: str, other: str) -> float:
    """The contrast ratio of WCAG 2, from 1 to 21."""
    light, dark = sorted(
        (float(linear(colour) @ [0.2126, 0.7152, 0.0722]) for colour in (one, other)), reverse=True
    )
    return (light + 0.05) / (dark + 0.05)


def oklab(light: NDArray[np.float64]) -> NDArray[np.float64]:
    """Linear light in Ottosson's OKLab, in which distances are about what the eye sees."""
    cones = np.array(
        [
            [0.4122214708, 0.5363325363, 0.0514459929],
            [0.2119034982, 0.6806995451, 0.1073969566],
            [0.0883024619, 0.2817188376, 0.6299787005],
        ]
    )
    opponents = np.array(
        [
            [0.2104542553, 0.7936177850, -0.0040720468],
            [1.9779984951, -2.4285922050, 0.4505937099],
            [0.0259040371, 0.7827717662, -0.8086757660],
        ]
    )
    return opponents @ np.cbrt(cones @ light)


def test_contrast_is_measured_as_in_the_standard() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


@BOTH
@pytest.mark.parametrize("surface", ["window", "panel", "raised"])
@pytest.mark.parametrize("text", ["text", "muted", "accent", "error", "token_text", "token_muted"])
def test_all_text_can_be_read_on_all_surfaces(theme: Theme, surface: str, text: str) -> None:
    assert contrast(getattr(theme, text), getattr(theme, surface)) >= READABLE


@BOTH
def test_tokens_can_be_read(theme: Theme) -> None:
    assert len(theme.tokens) == 6
    for background in theme.tokens:
        assert contrast(theme.token_text, background) >= READABLE
        assert contrast(theme.token_muted, background) >= READABLE


@BOTH
def test_selected_text_and_buttons_can_be_read(theme: Theme) -> None:
    assert contrast(theme.token_text, theme.selection) >= READABLE
    assert contrast(theme.on_accent, theme.accent) >= READABLE


@BOTH
def test_the_focus_is_visible(theme: Theme) -> None:
    for surface in (theme.window, theme.panel, theme.raised):
        assert contrast(theme.accent, surface) >= 3


@BOTH
@pytest.mark.parametrize("vision", VISION)
def test_token_colours_are_told_apart(theme: Theme, vision: str) -> None:
    seen = [
        oklab(np.clip(VISION[vision] @ linear(colour), 0, 1))
        for colour in (*theme.tokens, theme.selection)
    ]
    for one, other in combinations(seen, 2):
        assert float(np.linalg.norm(one - other)) >= DISTINCT


@BOTH
def test_colours_are_plain(theme: Theme) -> None:
    for name, value in vars(theme).items():
        if isinstance(value, str) and name != "name":
            assert QColor(value).name() == value


@BOTH
def test_applying_changes_what_widgets_look_like(
    theme: Theme, qapp: QApplication, qtbot: QtBot
) -> None:
    edit, button = QLineEdit(), QPushButton("Train")
    for widget in (edit, button):
        qtbot.addWidget(widget)
        widget.resize(120, 40)
        widget.show()
    themes.apply(qapp, theme)
    middle = edit.grab().toImage().pixelColor(60, 20)
    assert middle.name() == theme.panel
    assert button.grab().toImage().pixelColor(10, 20).name() == theme.raised
    assert qapp.palette().color(QPalette.ColorRole.Window).name() == theme.window
    assert edit.palette().color(QPalette.ColorRole.PlaceholderText).name() == theme.muted


@BOTH
def test_the_style_sheet_is_complete(theme: Theme) -> None:
    sheet = themes.style_sheet(theme)
    assert "@" not in sheet
    assert "icon(" not in sheet
    assert "arrow-down.svg" in sheet


@BOTH
@pytest.mark.parametrize(
    "name",
    ["backButton", "forwardButton", "toParentButton", "newFolderButton", "listModeButton",
     "detailModeButton"],
)  # fmt: skip
def test_the_icons_of_qts_own_file_dialog_are_seen(
    theme: Theme, name: str, qapp: QApplication, qtbot: QtBot, tmp_path: Path
) -> None:
    themes.apply(qapp, theme)
    dialog = QFileDialog(None, "Open", str(tmp_path))
    dialog.setOption(QFileDialog.Option.DontUseNativeDialog)
    dialog.setFileMode(QFileDialog.FileMode.ExistingFiles)
    shown(qtbot, dialog, 800, 480)
    button = child(dialog, QToolButton, name)
    button.setEnabled(True)
    drawn = picture(button)
    colours = [
        drawn.pixelColor(x, y).name() for x in range(drawn.width()) for y in range(drawn.height())
    ]
    # The widest stroke of an icon of 16 pixels, so far as it is not smoothed.
    seen = [colour for colour in colours if contrast(colour, theme.raised) >= 2.8]
    assert len(seen) >= 8


def test_the_system_decides(qapp: QApplication) -> None:
    expected = qapp.styleHints().colorScheme()
    assert themes.system_theme().dark == (expected != Qt.ColorScheme.Light)
