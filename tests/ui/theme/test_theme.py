"""The two colour schemes: readable, distinguishable, and applied to everything."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import asdict
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QColor, QFont, QPalette
from PySide6.QtWidgets import (
    QApplication,
    QFileDialog,
    QLabel,
    QLineEdit,
    QMainWindow,
    QPushButton,
    QToolButton,
    QVBoxLayout,
    QWidget,
)
from pytestqt.qtbot import QtBot

from bpe_gui.ui.theme import theme as themes
from bpe_gui.ui.theme.theme import DARK, LIGHT, Theme
from bpe_gui.ui.theme.token_palettes import PATTERNS, STRONG
from tests.colour_vision import READABLE, SEEN, contrast
from tests.ui.driving import child, picture, pixels, shown

BOTH = pytest.mark.parametrize("theme", [DARK, LIGHT], ids=lambda theme: theme.name)

@BOTH
@pytest.mark.parametrize("surface", ["window", "panel", "raised"])
@pytest.mark.parametrize("text", ["text", "muted", "accent", "error", "token_text", "token_muted"])
def test_all_text_can_be_read_on_all_surfaces(theme: Theme, surface: str, text: str) -> None:
    assert contrast(getattr(theme, text), getattr(theme, surface)) >= READABLE


@BOTH
def test_selected_text_and_buttons_can_be_read(theme: Theme) -> None:
    assert contrast(theme.token_text, theme.selection) >= READABLE
    assert contrast(theme.on_accent, theme.accent) >= READABLE


@BOTH
def test_the_focus_is_visible(theme: Theme) -> None:
    for surface in (theme.window, theme.panel, theme.raised):
        assert contrast(theme.accent, surface) >= SEEN


@BOTH
def test_colours_are_plain(theme: Theme) -> None:
    for name, value in asdict(theme).items():
        if isinstance(value, str) and name not in ("name", "colour_by"):
            assert QColor(value).name() == value


class Told(QLabel):
    """Counts how often it is told that it looks otherwise."""

    times = 0

    def changeEvent(self, event: QEvent) -> None:
        self.times += event.type() == QEvent.Type.StyleChange
        super().changeEvent(event)


def test_new_colours_reach_a_widget_however_deep_it_stands_with_the_same_sheet(
    qtbot: QtBot,
) -> None:
    window = within = QWidget()
    for _ in range(12):
        inner = QWidget(within)
        QVBoxLayout(within).addWidget(inner)
        within = inner
    label = Told("low", within)
    themes.apply(window, DARK)
    shown(qtbot, window, 200, 200)
    label.times = 0
    themes.apply(window, LIGHT)
    assert label.times == 0, "the style sheet stays, which would visit each widget"


def test_what_was_hidden_has_the_new_colours_when_it_is_shown(
    qtbot: QtBot,
) -> None:
    window, edit = QWidget(), QLineEdit()
    hidden = QWidget(window)
    for outer, inner in ((window, hidden), (hidden, edit)):
        QVBoxLayout(outer).addWidget(inner)
    themes.apply(window, DARK)
    shown(qtbot, window, 200, 200)
    hidden.hide()
    themes.apply(window, LIGHT)
    hidden.show()
    middle = edit.grab().toImage().pixelColor(edit.rect().center())
    assert middle.name() == LIGHT.panel


@BOTH
def test_applying_changes_what_widgets_look_like(
    theme: Theme, qapp: QApplication, qtbot: QtBot
) -> None:
    edit, button = QLineEdit(), QPushButton("Train")
    for widget in (edit, button):
        qtbot.addWidget(widget)
        widget.resize(120, 40)
        widget.show()
        themes.apply(widget, theme)
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
    theme: Theme, name: str, qtbot: QtBot, tmp_path: Path
) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    themes.apply(window, theme)
    dialog = QFileDialog(window, "Open", str(tmp_path))
    dialog.setOption(QFileDialog.Option.DontUseNativeDialog)
    dialog.setFileMode(QFileDialog.FileMode.ExistingFiles)
    shown(qtbot, dialog, 800, 480)
    button = child(dialog, QToolButton, name)
    button.setEnabled(True)
    drawn = picture(button)
    # The widest stroke of an icon of 16 pixels, so far as it is not smoothed.
    names = [QColor(colour).name() for colour in pixels(drawn).ravel().tolist()]
    seen = [colour for colour in names if contrast(colour, theme.raised) >= 2.8]
    assert len(seen) >= 8


def test_what_a_widget_holds_follows_the_theme_of_its_palette(qtbot: QtBot) -> None:
    outer = QWidget()
    qtbot.addWidget(outer)
    inner = QWidget(outer)
    outer.setPalette(themes.palette(DARK))
    taken: list[Theme] = []
    follower = themes.ThemeFollower(inner, taken.append)
    assert follower.parent() is inner
    assert taken == [DARK], "at once"
    for theme in (LIGHT, LIGHT.with_palette(PATTERNS), DARK.with_palette(STRONG)):
        outer.setPalette(themes.palette(theme))
        assert themes.theme_of(inner) == taken[-1] == theme
    outer.setFont(QFont("monospace", 31))
    outer.setPalette(themes.palette(DARK.with_palette(STRONG)))
    assert len(taken) == 4, "only when it is another"


def test_the_system_decides(qapp: QApplication) -> None:
    expected = qapp.styleHints().colorScheme()
    assert themes.system_theme().dark == (expected != Qt.ColorScheme.Light)


def test_what_is_drawn_on_the_colour_of_panels_keeps_it_when_the_colours_change(
    qtbot: QtBot,
) -> None:
    window = shown(qtbot, QMainWindow(), 200, 100)
    inner = QWidget()
    inner.setBackgroundRole(QPalette.ColorRole.Base)
    inner.setAutoFillBackground(True)
    window.setCentralWidget(inner)

    def ground() -> str:
        return picture(window).pixelColor(100, 50).name()

    for theme in (DARK, LIGHT, DARK):
        themes.apply(window, theme)
        qtbot.waitUntil(lambda wanted=theme.panel: ground() == wanted)
