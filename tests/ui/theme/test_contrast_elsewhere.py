"""All text can be read besides the window too: dialogs, menus, the stage, the tour, exports."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from itertools import product

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor, QImage, QRegion
from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot

from bpe_gui.folders import resource
from bpe_gui.ui.export.animation_dialog import AnimationDialog
from bpe_gui.ui.export.hidden_panels import AnimationChoice
from bpe_gui.ui.export.schemes import both_schemes
from bpe_gui.ui.shell.main_window import MainWindow
from bpe_gui.ui.theme.painting import mixed
from bpe_gui.ui.theme.theme import DARK, LIGHT, Theme, palette
from bpe_gui.ui.theme.token_palettes import PALETTES, TokenPalette
from bpe_gui.ui.tour.spotlight import Spotlight, Target
from tests.colour_vision import READABLE, SEEN, contrast
from tests.ui.driving import child
from tests.ui.theme.test_contrast import check_texts

Opened = Callable[..., MainWindow]
BOTH = pytest.mark.parametrize("theme", [DARK, LIGHT], ids=lambda theme: theme.name)
EACH_PALETTE = pytest.mark.parametrize("palette", PALETTES, ids=lambda palette: palette.name)


@pytest.fixture
def window(with_words: MainWindow, theme: Theme) -> MainWindow:
    with_words.resize(1280, 800)
    with_words.theme_choice.choose(theme.name)
    return with_words


def check_messages_the_list_of_actions_and_menus_can_be_read(
    window: MainWindow, theme: Theme, qtbot: QtBot
) -> None:
    window.message_bar.show_message("The file cannot be read.")
    window.message_bar.offer("session", "There is a session that was not saved.", "Open it")
    check_texts(window)
    window.actions_.search_actions.trigger()
    search = window.helping.search
    check_texts(search, 8)
    search.field.setText("qwertz")
    check_texts(search, 1)
    search.reject()
    for action in window.menuBar().actions():
        menu = action.menu()
        menu.popup(QPoint(0, 0))
        check_texts(menu, 3)
        menu.close()


def check_dialogs_can_be_read(window: MainWindow, theme: Theme, qtbot: QtBot) -> None:
    dialog = AnimationDialog(AnimationChoice(), 10, window)
    qtbot.addWidget(dialog)
    dialog.show()
    check_texts(dialog, 20)
    dialog.close()


def check_a_guess_can_be_read_before_and_after(
    window: MainWindow, theme: Theme, qtbot: QtBot
) -> None:
    window.player.scrub(2)
    window.actions_.guess.trigger()
    check_texts(window)
    qtbot.keyClick(child(window, QLabel, "statusText"), Qt.Key.Key_1)
    check_texts(window)
    window.actions_.guess.trigger()


def check_the_stage_and_the_choice_for_it_can_be_read_in_both_of_its_schemes(
    window: MainWindow, theme: Theme, qtbot: QtBot
) -> None:
    window.actions_.choose_panels.trigger()
    stage = window.stage.show_window
    check_texts(stage, 15)
    window.stage.show_panels()
    for _ in range(2):
        # Other colours come when the events are handled.
        qtbot.waitUntil(partial(check_texts, stage, 15))
        qtbot.keyClick(stage, Qt.Key.Key_D)
    window.stage.leave()


@BOTH
@pytest.mark.no_qt_log
def test_dialogs_the_stage_and_messages_can_be_read(
    window: MainWindow, theme: Theme, qtbot: QtBot
) -> None:
    check_dialogs_can_be_read(window, theme, qtbot)
    check_a_guess_can_be_read_before_and_after(window, theme, qtbot)
    check_messages_the_list_of_actions_and_menus_can_be_read(window, theme, qtbot)
    check_the_stage_and_the_choice_for_it_can_be_read_in_both_of_its_schemes(window, theme, qtbot)


def shaded(colour: str, brush: QColor) -> str:
    """What is seen of a colour under the shade."""
    return mixed(brush, QColor(colour), brush.alphaF()).name()


@BOTH
def test_what_the_spotlight_leaves_in_the_shade_can_be_read_still(
    theme: Theme, qtbot: QtBot, opened: Opened
) -> None:
    """Text as ever; what is quiet in the light already is at least made out."""
    window = opened("words.txt", "low lower")
    spotlight = Spotlight(window)
    spotlight.setPalette(palette(theme))
    spotlight.set_animated(False)
    spotlight.point_to([Target(child(window, QWidget, "pairChart"))])
    qtbot.waitUntil(lambda: bool(spotlight.holes))
    drawn = QImage(spotlight.size(), QImage.Format.Format_ARGB32)
    drawn.fill(Qt.GlobalColor.transparent)
    spotlight.render(drawn, QPoint(), QRegion(), QWidget.RenderFlag.DrawChildren)
    shade = drawn.pixelColor(0, 0)
    for name, least in (("text", READABLE), ("token_text", READABLE), ("muted", SEEN)):
        for ground in ("window", "panel", "raised"):
            seen = (shaded(getattr(theme, each), shade) for each in (name, ground))
            assert contrast(*seen) >= least, (name, ground)


@EACH_PALETTE
def test_what_is_exported_can_be_read(palette: TokenPalette) -> None:
    for scheme in both_schemes(palette):
        for text in (scheme.text, scheme.muted, scheme.error):
            assert contrast(text, scheme.page) >= READABLE, (scheme.name, text)
        for text, ground in product((scheme.token_text, scheme.token_muted), scheme.tokens):
            assert contrast(text, ground) >= READABLE, (scheme.name, text, ground)


RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")
DECLARED = re.compile(r"(?<![\w-])(color|background):[^;]*?var\(--([\w-]+)\)")
VALUE = re.compile(r"--([\w-]+):\s*(#[0-9a-f]{6})")


def variables_of(style: str) -> list[dict[str, str]]:
    """The colours of the page that plays: by daylight, and where they differ in the dark."""
    light, _, dark = style.partition("@media (prefers-color-scheme: dark)")
    first = dict(VALUE.findall(light))
    return [first, first | dict(VALUE.findall(dark.partition("}")[0]))]


def test_the_page_that_plays_can_be_read() -> None:
    style = resource("player", "player.css").read_text(encoding="utf-8")
    seen = 0
    for values in variables_of(style):
        for selectors, body in RULE.findall(style):
            declared = dict(DECLARED.findall(body))
            if declared.get("color") not in values:
                continue
            ground = declared.get("background", "")
            grounds = [ground] if ground in values else ["window", "panel"]
            if ".token" in selectors and "unknown" not in selectors:
                grounds = [name for name in values if re.fullmatch(r"token-\d", name)]
            for ground in grounds:
                found = contrast(values[declared["color"]], values[ground])
                assert found >= READABLE, (selectors.strip(), ground)
                seen += 1
    assert seen > 30
