"""Help within the program: true pages about every part of the window, by keyboard."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import asdict
from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication, QDockWidget, QTabWidget, QTextBrowser, QWidget
from pytestqt.qtbot import QtBot

from bpe_gui.ui.actions.action_words import keys_of
from bpe_gui.ui.explore import registry
from bpe_gui.ui.help.helping import OTHER_PAGES, Helping, navigation_targets
from bpe_gui.ui.help.pages import (
    KEYBOARD,
    OVERVIEW,
    Told,
    filled,
    list_of_keys,
    read_pages,
)
from bpe_gui.ui.shell.main_window import MainWindow
from bpe_gui.ui.theme.theme import DARK, LIGHT
from bpe_gui.ui.workspaces.panel_spec import PanelSpec, PartSpec
from bpe_gui.ui.workspaces.workspaces import WorkspaceId
from tests.ui.driving import active, child

README = Path(__file__).parents[3] / "README.md"
Opened = Callable[..., MainWindow]
PAGES = read_pages()
REFERENCE = {"command-line", "compare-output", "encodings", "recipe-file", "render"}
"""Pages to look things up in, which may be longer and hold JSON."""
ACTION = re.compile(r"(?<!\\p)\{(?:keys:)?([a-zA-Z]+)\}")
LINK = re.compile(r"\]\((?P<scheme>\w+):(?P<name>[^)]+)\)")


@pytest.fixture
def window(qtbot: QtBot, opened: Opened) -> MainWindow:
    window = opened("words.txt", "low lower lowest newest")
    qtbot.waitUntil(lambda: window.player.history is not None)
    return active(qtbot, window)


@pytest.fixture
def manual(window: MainWindow) -> Helping:
    return window.helping


def read(window: MainWindow) -> str:
    """What stands in the help now."""
    return child(window, QTextBrowser, "helpText").toPlainText()


# -- the pages ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_short_and_of_plain_lines(name: str) -> None:
    page = PAGES[name]
    assert 20 <= len(page.text.split()) <= (400 if name in REFERENCE else 260)
    assert all(len(line) <= 110 for line in page.text.splitlines())
    if name not in REFERENCE:
        assert page.text.count("{") == page.text.count("}") == len(ACTION.findall(page.text))


def check_what_the_pages_speak_of_exists(manual: Helping) -> None:
    spots = {spot.widget for spot in navigation_targets()}
    for name, page in PAGES.items():
        written = manual.written(name)
        assert name in REFERENCE or "{" not in written
        for action in ACTION.findall(page.text):
            assert f"(do:{action})" in written or f"{{keys:{action}}}" in page.text
        for link in LINK.finditer(written):
            if link["scheme"] == "page":
                assert link["name"] in PAGES
            elif link["scheme"] == "show":
                assert link["name"] in spots
            else:
                assert link["scheme"] == "do"


def test_every_page_can_be_reached_from_the_overview() -> None:
    reached, new = {OVERVIEW}, {OVERVIEW}
    while new:
        links = {
            link["name"]
            for name in new
            for link in LINK.finditer(PAGES[name].text)
            if link["scheme"] == "page"
        }
        new = links - reached
        reached |= new
    assert reached == set(PAGES)


@pytest.mark.parametrize("spot", navigation_targets(), ids=lambda spot: spot.name)
def test_every_part_of_the_window_has_a_page(spot: PanelSpec | PartSpec) -> None:
    assert spot.help_page in PAGES


def check_no_panel_is_forgotten(window: MainWindow, manual: Helping) -> None:
    workspaces = {"explore", "compare", "laboratory"}
    for dock in window.findChildren(QDockWidget):
        if dock is not window.help_dock:
            assert manual.page_about(dock) not in workspaces, dock
    window.actions_.laboratory.trigger()
    for name in ("numbersTabs", "laboratoryTabs"):
        tabs = child(window, QTabWidget, name)
        pages = set()
        for index in range(tabs.count()):
            named = [part for part in tabs.widget(index).findChildren(QWidget) if part.objectName()]
            about = {manual.page_about(part) for part in [tabs.widget(index), *named]}
            pages |= about - workspaces
        assert len(pages) >= tabs.count(), "each tab has a page of its own"


def check_panels_are_called_the_same_everywhere(window: MainWindow) -> None:
    titles = {name: dock.windowTitle() for name, dock in window.explore.docks.items()}
    listed = {spot.widget: spot.title for spot in navigation_targets()}
    assert {name: listed[name] for name in titles} == titles
    assert {spec.dock: spec.title for spec in registry.PANELS} == titles


def test_places_are_filled_in() -> None:
    told = {"train": Told("Train", "F5"), "quiet": Told("Quiet", "")}
    linked = filled("{train} {quiet}", told.__getitem__)
    assert linked == "[Train](do:train) (**F5**) [Quiet](do:quiet)"
    assert filled("{keys:train} {keys:quiet}", told.__getitem__) == "**F5** **no key**"
    with pytest.raises(KeyError):
        filled("{gone}", told.__getitem__)
    listed = list_of_keys({"File": [told["train"], told["quiet"]], "Rest": [told["quiet"]]})
    assert listed == "## File\n\n- **F5** Train\n"


# -- through the window -------------------------------------------------------------------------


def check_f1_opens_the_page_about_the_panel_with_the_keyboard(
    window: MainWindow, qtbot: QtBot
) -> None:
    for spot in navigation_targets():
        window.helping.navigator.go(spot)
        widget, focus = child(window, QWidget, spot.widget), QApplication.focusWidget()
        if focus is not widget and not widget.isAncestorOf(focus):
            # Nothing within takes the keyboard now: it is about its place all the same.
            assert window.helping.page_about(widget) == spot.help_page
            continue
        qtbot.keyClick(focus, Qt.Key.Key_F1)
        assert child(window, QDockWidget, "helpDock").isVisible()
        assert read(window).startswith(PAGES[spot.help_page].title)
        assert QApplication.focusWidget() is child(window, QTextBrowser, "helpText")


def check_f1_elsewhere_is_about_the_workspace(window: MainWindow, manual: Helping) -> None:
    for place, page in ((WorkspaceId.COMPARE, "compare"), (WorkspaceId.LABORATORY, "laboratory"),
                        (WorkspaceId.EXPLORE, "explore")):  # fmt: skip
        getattr(window.workspaces, place.name.lower())()
        assert manual.page_about(window) == page
    assert manual.page_about(None) == OVERVIEW
    assert manual.page_about(child(window, QTextBrowser, "helpText")) == OVERVIEW
    for name, page in OTHER_PAGES.items():
        assert manual.page_about(child(window, QWidget, name)) == page


def check_escape_closes_the_help_and_gives_the_keyboard_back(
    window: MainWindow, qtbot: QtBot
) -> None:
    window.helping.navigator.go(navigation_targets()[0])
    before = QApplication.focusWidget()
    window.actions_.help.trigger()
    assert QApplication.focusWidget() is not before
    qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Escape)
    assert not child(window, QDockWidget, "helpDock").isVisible()
    assert QApplication.focusWidget() is before


def check_the_keyboard_page_lists_every_key(window: MainWindow) -> None:
    window.actions_.help_keys.trigger()
    shown = read(window)
    for action in asdict(window.actions_).values():
        if keys_of(action):
            assert keys_of(action) in shown
    assert "Ctrl+Shift+T" in shown, "keys of panels are there too"


def test_links_lead_on_and_back(window: MainWindow, manual: Helping, qtbot: QtBot) -> None:
    manual.open(OVERVIEW)
    dock = window.help_dock
    assert not dock.back.isEnabled()
    dock.browser.anchorClicked.emit(QUrl("page:player"))
    assert manual.shown == "player"
    dock.browser.anchorClicked.emit(QUrl("do:nextPalette"))
    assert window.palette_choice.palette.name == "strong"
    dock.browser.anchorClicked.emit(QUrl("do:nextBranch"))
    assert "only one branch" in window.status.text
    dock.browser.anchorClicked.emit(QUrl("show:laneView"))
    assert window.workspaces.shown is WorkspaceId.COMPARE
    assert dock.isVisible(), "it stays when the workspace changes"
    qtbot.mouseClick(dock.back, Qt.MouseButton.LeftButton)
    assert manual.shown == OVERVIEW
    assert not dock.back.isEnabled()


def check_a_page_leads_to_what_it_is_about(window: MainWindow, manual: Helping) -> None:
    for spot in navigation_targets():
        assert f"(show:{spot.widget})" in manual.written(spot.help_page)
    manual.open("vocabulary")
    assert read(window).endswith("Show “Vocabulary”")
    window.help_dock.browser.anchorClicked.emit(QUrl("show:vocabularyDock"))
    assert child(window, QDockWidget, "vocabularyDock").isAncestorOf(QApplication.focusWidget())


def check_links_work_by_keyboard(window: MainWindow, manual: Helping, qtbot: QtBot) -> None:
    manual.open(OVERVIEW)
    browser = child(window, QTextBrowser, "helpText")
    qtbot.keyClick(browser, Qt.Key.Key_Tab)
    with qtbot.waitSignal(window.help_dock.browser.anchorClicked) as chosen:
        qtbot.keyClick(browser, Qt.Key.Key_Return)
    assert chosen.args == [QUrl("page:corpus")]


def check_all_pages_are_searched(window: MainWindow, manual: Helping, qtbot: QtBot) -> None:
    manual.open(OVERVIEW)
    dock = window.help_dock
    qtbot.keyClicks(dock.field, "timeline")
    assert PAGES["player"].title in read(window)
    assert PAGES["boundaries"].title not in read(window)
    qtbot.keyClicks(dock.field, " qqq")
    assert "No page" in read(window)
    dock.field.clear()
    assert read(window).startswith(PAGES[OVERVIEW].title)
    dock.field.setText("boundary")
    dock.browser.anchorClicked.emit(QUrl("page:boundaries"))
    assert dock.field.text() == ""
    assert read(window).startswith(PAGES["boundaries"].title)


def check_help_stays_away_or_open_whatever_workspace_is_shown(
    window: MainWindow, manual: Helping
) -> None:
    dock = window.help_dock
    window.actions_.compare.trigger()
    manual.open(KEYBOARD)
    window.actions_.explore.trigger()
    assert dock.isVisible()
    window.actions_.compare.trigger()
    manual.close()
    window.actions_.explore.trigger()
    assert not dock.isVisible()


def check_help_takes_the_colours_of_the_scheme(
    window: MainWindow, manual: Helping, qtbot: QtBot
) -> None:
    manual.open(OVERVIEW)
    browser = child(window, QTextBrowser, "helpText")
    for theme in (DARK, LIGHT):
        window.theme_choice.choose(theme.name)
        qtbot.waitUntil(lambda theme=theme: theme.accent in browser.document().toHtml())


def check_help_leaves_room_in_a_small_window(window: MainWindow, manual: Helping) -> None:
    window.resize(1024, 700)
    for action in (window.actions_.explore, window.actions_.compare, window.actions_.laboratory):
        action.trigger()
        manual.open(OVERVIEW)
        assert window.minimumSizeHint().width() <= 1024
        assert (window.width(), window.height()) == (1024, 700)


def test_the_help_is_opened_read_searched_and_closed(
    window: MainWindow, qtbot: QtBot, manual: Helping
) -> None:
    check_escape_closes_the_help_and_gives_the_keyboard_back(window, qtbot)
    check_the_keyboard_page_lists_every_key(window)
    check_links_work_by_keyboard(window, manual, qtbot)
    check_all_pages_are_searched(window, manual, qtbot)
    check_a_page_leads_to_what_it_is_about(window, manual)
    check_help_stays_away_or_open_whatever_workspace_is_shown(window, manual)
    check_f1_opens_the_page_about_the_panel_with_the_keyboard(window, qtbot)
    check_help_takes_the_colours_of_the_scheme(window, manual, qtbot)
    check_help_leaves_room_in_a_small_window(window, manual)


HELD = r"(?<![\w`+])(?:(?:Ctrl|Alt|Shift)\+)+"
KEY = re.compile(HELD + r"(?:Left|Right|Up|Down|Del|Enter|F?\d+|[A-Z]\b|\+|-)|\bF\d+\b")
OF_WIDGETS = {"Ctrl+Z", "Alt+1", "Alt+4", "Alt+Up", "Alt+Down", "Ctrl+Enter", "Ctrl+A", "Ctrl+C"}
"""Keys that a widget answers to, without an action."""


def check_every_key_that_is_written_down_does_something(window: MainWindow) -> None:
    window.actions_.laboratory.trigger()
    there = {
        key.toString() for action in window.findChildren(QAction) for key in action.shortcuts()
    }
    written = (README.read_text(encoding="utf-8"), *(p.text for p in read_pages().values()))
    keys = {key for text in written for key in KEY.findall(text)}
    assert len(keys) > 20
    # Ctrl+C ends the command line too.
    assert keys - OF_WIDGETS - {"F2"} <= there


def test_what_the_help_speaks_of_is_in_the_window(manual: Helping, window: MainWindow) -> None:
    check_what_the_pages_speak_of_exists(manual)
    check_panels_are_called_the_same_everywhere(window)
    check_f1_elsewhere_is_about_the_workspace(window, manual)
    check_no_panel_is_forgotten(window, manual)
    check_every_key_that_is_written_down_does_something(window)
