"""The panels of a window that can be exported, by name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QTabWidget, QWidget

from bpe_gui.ui.workspaces import Place

if TYPE_CHECKING:
    from bpe_gui.ui.main_window import MainWindow


@dataclass(frozen=True, eq=False)
class ExportPanel:
    """A part of the window, what it is called, and where it is found.

    `name` is for the command line, `title` for people. `dock` is the name of its dock in
    Explore, `tabs` and `page` are the tabs that it stands in elsewhere.
    """

    name: str
    title: str
    widget: QWidget
    place: Place
    dock: str = ""
    tabs: QTabWidget | None = None
    page: QWidget | None = None


_DOCKS = (
    ("pairs", "Pair frequencies", "pairDock"),
    ("why", "Why this pair", "whyDock"),
    ("text", "Text", "textDock"),
    ("words", "Words", "wordsDock"),
    ("curves", "Curves", "curvesDock"),
    ("derivation", "How a word is cut", "derivationDock"),
    ("vocabulary", "Vocabulary", "vocabularyDock"),
    ("branches", "What if", "branchesDock"),
    ("tree", "The selected token", "treeDock"),
)

PANEL_NAMES = (
    *(name for name, _, _ in _DOCKS),
    *("timeline", "lanes", "numbers", "metrics", "bars", "languages", "merge-curves"),
    *("pipeline", "wall", "lockstep", "recipe", "window"),
)
"""What `panels_of` finds in every window, known before there is one."""


def panels_of(window: MainWindow) -> Mapping[str, ExportPanel]:
    """Every panel of a window that can be exported, by name.

    This makes the laboratory, if nobody has looked at it yet.
    """
    docks = window.workspace.docks
    found = [
        ExportPanel(name, title, docks[dock].widget(), Place.EXPLORE, dock)
        for name, title, dock in _DOCKS
    ]
    found.append(ExportPanel("timeline", "Timeline", window.player_bar.timeline, Place.EXPLORE))
    found += _of_compare(window)
    found += _of_laboratory(window)
    found.append(ExportPanel("window", "The whole window", window, window.workspaces.shown))
    return {panel.name: panel for panel in found}


def _of_compare(window: MainWindow) -> list[ExportPanel]:
    compare, numbers = window.compare, window.compare.numbers
    place, tabs = Place.COMPARE, numbers.tabs
    in_tabs = (
        ("metrics", "The table of numbers", numbers.table),
        ("bars", "The numbers as bars", numbers.bars),
        ("languages", "Languages", numbers.languages),
        ("merge-curves", "Numbers over the merges", numbers.curves),
    )
    return [
        ExportPanel("lanes", "Lanes", compare.lanes, place),
        ExportPanel("numbers", "Numbers", numbers, place),
        *(ExportPanel(name, title, page, place, "", tabs, page) for name, title, page in in_tabs),
    ]


def _of_laboratory(window: MainWindow) -> list[ExportPanel]:
    bench, place = window.laboratory.bench, Place.LABORATORY
    names = ("pipeline", "wall", "lockstep")
    in_tabs = [
        ExportPanel(name, bench.tabs.tabText(index), page, place, "", bench.tabs, page)
        for index, name in enumerate(names)
        if (page := bench.tabs.widget(index)) is not None
    ]
    return [*in_tabs, ExportPanel("recipe", "Recipe", bench.editor, place)]


def bring_into_view(window: MainWindow, panel: ExportPanel) -> None:
    """Let a panel be seen, so that it is drawn for the position; at once if it already is.

    What it shows may still be under way: panels are drawn on the frame clock.
    """
    if panel.name == "window":
        return
    if panel.name != "timeline":
        show = (window.workspaces.explore, window.workspaces.compare, window.workspaces.laboratory)
        show[panel.place]()
    if panel.dock:
        dock = window.workspace.docks[panel.dock]
        dock.show()
        dock.raise_()
    if panel.tabs is not None and panel.page is not None:
        panel.tabs.setCurrentWidget(panel.page)
