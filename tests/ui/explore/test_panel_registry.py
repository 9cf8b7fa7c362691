"""A new panel is a line of the registry: it is docked, staged, exported, found and pointed to."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QDockWidget, QLabel, QWidget
from pytestqt.qtbot import QtBot

from bpe_gui.bpe.history import NO_TOKEN, History
from bpe_gui.ui.explore import registry
from bpe_gui.ui.export.panels import animated, panel_names, panels_of
from bpe_gui.ui.export.picture import picture_of
from bpe_gui.ui.help.helping import navigation_targets
from bpe_gui.ui.run.training import Phase
from bpe_gui.ui.shell.main_window import MainWindow
from bpe_gui.ui.theme.theme import theme_of
from bpe_gui.ui.tour.spotlight import Spotlight
from bpe_gui.ui.workspaces.panel_spec import PanelParts, PanelSpec, RefreshInterval
from tests.ui.driving import act, active, child


class Count(QLabel):
    """Says how many merges there are before the cursor."""

    tokenSelected = Signal(int)

    def set_history(self, history: History | None) -> None:
        self.setText("no run")

    def show_position(self, position: int, live: bool) -> None:
        self.setText(f"{position} merges")

    def select_token(self, token: int) -> None:
        self.setProperty("token", token)


def make(parts: PanelParts) -> Count:
    made = Count(parts.parent)
    made.setObjectName("countPanel")
    return made


COUNT = PanelSpec(
    name="count",
    title="Merges so far",
    load=lambda: make,
    area=(1, 2),
    refresh=RefreshInterval(0.0, 0.0),
    help_page="overview",
    keywords="how many",
    dock="countDock",
    tables={"The count": lambda panel: [["count"], [panel.text()]]},
)


@pytest.fixture
def window(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, opened: Callable[..., MainWindow]
) -> MainWindow:
    monkeypatch.setattr(registry, "PANELS", (*registry.PANELS, COUNT))
    made = opened("words.txt", "low lower lowest newest " * 9, "--start")
    qtbot.waitUntil(lambda: made.training.phase is Phase.FINISHED)
    return active(qtbot, made)


def check_a_line_of_the_registry_is_a_panel(window: MainWindow, qtbot: QtBot) -> None:
    panel, dock = child(window, Count, "countPanel"), child(window, QDockWidget, "countDock")
    # It has its place among the docks, and an entry in the menu.
    assert dock in window.tabifiedDockWidgets(child(window, QDockWidget, "vocabularyDock"))
    assert child(window, QAction, "countDockAction").text() == "Merges so far"
    dock.raise_()
    act(window, "homeAction")
    qtbot.waitUntil(lambda: panel.text() == "0 merges")
    act(window, "stepAction")
    qtbot.waitUntil(lambda: panel.text() == "1 merges")
    panel.tokenSelected.emit(3)
    assert panel.property("token") == window.explore.token == 3
    assert theme_of(panel) == window.theme_choice.theme


def check_a_token_of_the_run_before_is_not_selected(window: MainWindow, qtbot: QtBot) -> None:
    act(window, "homeAction")
    child(window, QDockWidget, "concordanceDock").raise_()
    places = child(window, QWidget, "concordance")
    qtbot.waitUntil(places.isVisible)
    panel = child(window, Count, "countPanel")
    panel.tokenSelected.emit(3)
    panel.tokenSelected.emit(1000)
    assert panel.property("token") == window.explore.token == NO_TOKEN


def check_it_is_exported(window: MainWindow) -> None:
    assert "count" in panel_names()
    assert animated()["count"] is COUNT
    found = panels_of(window.context)["count"]
    assert found.title == "Merges so far"
    panel = child(window, Count, "countPanel")
    assert found.widget.isAncestorOf(panel)
    assert [list(take()) for take in found.tables.values()] == [[["count"], [panel.text()]]]
    assert picture_of(found.widget, 1).width() > 0


def check_it_is_staged(window: MainWindow, qtbot: QtBot) -> None:
    assert "count" in window.stage.names
    window.stage.choice = {"panels": ["count"], "layout": 1}
    act(window, "presentAction")
    panel = window.stage.show_window.findChild(QWidget, "countPanel")
    assert panel is not None
    qtbot.waitUntil(panel.isVisible)
    act(window, "presentAction")
    assert child(window, QDockWidget, "countDock").isAncestorOf(panel)


def check_it_is_found_by_name(window: MainWindow) -> None:
    spot = next(spot for spot in navigation_targets() if spot.name == "count")
    assert spot.help_page == COUNT.help_page
    window.helping.navigator.go(spot)
    assert not child(window, QDockWidget, "countDock").visibleRegion().isEmpty()


def check_a_tour_points_to_it(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    tour = tmp_path / "count.tour"
    tour.write_text(
        "bpe-gui tour 1\ntitle: Counting\n# Merges\n## The first\ngo to: 1\n"
        "spotlight: merges so far\nOne merge is done.\n"
    )
    panel = child(window, Count, "countPanel")
    with qtbot.waitSignal(window.touring.arrived):
        window.touring.open(tour)
    qtbot.waitUntil(lambda: panel.text() == "1 merges")
    spotlight = child(window, Spotlight, "spotlight")
    middle = panel.mapTo(window, panel.rect().center())
    qtbot.waitUntil(lambda: [hole.contains(middle) for hole in spotlight.holes] == [True])


def check_of_a_place_that_it_nearly_is_a_tour_is_told(window: MainWindow, tmp_path: Path) -> None:
    tour = tmp_path / "count.tour"
    tour.write_text(
        "bpe-gui tour 1\ntitle: Counting\n# Merges\n## The first\n"
        "spotlight: merge so far\nOne merge is done.\n"
    )
    window.touring.open(tour)
    assert window.message_bar.text.endswith(
        "line 5, column 12: there is nothing called “merge so far” to point to; "
        "write merges so far."
    )


def test_a_new_panel_is_everywhere(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    check_it_is_exported(window)
    check_a_line_of_the_registry_is_a_panel(window, qtbot)
    check_it_is_found_by_name(window)
    check_it_is_staged(window, qtbot)
    check_a_token_of_the_run_before_is_not_selected(window, qtbot)
    check_of_a_place_that_it_nearly_is_a_tour_is_told(window, tmp_path)
    check_a_tour_points_to_it(window, qtbot, tmp_path)
