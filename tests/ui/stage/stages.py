"""What tests of the stage share: what stands in a window, and what is seen on a stage."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QCoreApplication, QEvent, QObject
from PySide6.QtWidgets import QDockWidget, QLabel, QPlainTextEdit, QTabBar, QTextBrowser, QWidget
from pytestqt.qtbot import QtBot
from shiboken6 import getCppPointer

from bpe_gui.ui.panels.text.token_view import TokenView
from bpe_gui.ui.shell.main_window import MainWindow
from bpe_gui.ui.stage.show import Show
from bpe_gui.ui.widgets.pace import ReadingPace
from tests.ui.driving import child
from tests.ui.panels.painted import painted_texts

CORPUS = "word,count\nlow,5\nlower,2\nnewest,6\nwidest,3\n"


def at_rest(qtbot: QtBot, window: MainWindow) -> None:
    """All panels in view show the position, and what is read of them is written."""
    qtbot.waitUntil(lambda: is_at_rest(window))


def is_at_rest(window: MainWindow) -> bool:
    """Whether nothing in view is still to be drawn."""
    panel, compare = window.explore.text_panel, window.compare
    lanes = compare.lanes.isVisible() and not compare.lanes.visibleRegion().isEmpty()
    paces = [*panel.findChildren(ReadingPace), *compare.findChildren(ReadingPace)]
    return (
        window.explore.at_rest
        and window.explore.scheduler.up_to_date
        and not window.explore.scheduler.isActive()
        and (compare.comparison.up_to_date or not lanes)
        and not any(pace.waits for pace in paces)
    )


def standing(window: MainWindow) -> dict[str, Any]:
    """How everything in view in a window stands: places, sizes, fonts, tabs, colours.

    But for scroll bars, and the recipe editor: they follow what becomes known meanwhile.
    """
    stage = window.stage.show_window
    for _ in range(3):
        # Parts that have just been written ask for their room.
        QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest.value)
    widgets = [
        widget
        for widget in window.findChildren(QWidget)
        if widget is not stage and not stage.isAncestorOf(widget)
    ]
    found: dict[str, Any] = {
        f"{_path(widget)} {getCppPointer(widget)[0]}": (
            widget.geometry().getRect(),
            widget.font().toString(),
            widget.currentIndex() if isinstance(widget, QTabBar) else None,
        )
        for widget in widgets
        if widget.isVisible() and not _is_behind_a_tab(widget)
        if not any(name in _path(widget) for name in ("qt_scrollarea", "recipeEditor"))
    }
    found["theme"] = window.theme_choice.theme.name
    found["workspace"] = window.workspaces.shown
    found["window"] = (window.geometry().getRect(), window.windowState())
    return found


def _is_behind_a_tab(widget: QWidget) -> bool:
    above: QWidget | None = widget
    while above is not None and not isinstance(above, QDockWidget):
        above = above.parentWidget()
    return above is not None and above.visibleRegion().isEmpty()


def _path(widget: QObject | None) -> str:
    names = []
    while widget is not None:
        names.append(widget.objectName() or type(widget).__name__)
        widget = widget.parent()
    return "/".join(reversed(names))


def seen(window: MainWindow) -> dict[str, Any]:
    """What the panels and the line say on the stage at rest, with the colours of the tokens."""
    show: Show = window.stage.show_window
    found = child(window.explore.text_panel, TokenView, "tokenView").shown_cut()
    assert found is not None, "there is a run"
    cut, _ = found
    return {
        "line": show.board.line.accessibleName(),
        "tokens": cut.ids.tolist(),
        "colours": cut.colours.tolist(),
        "pairs": painted_texts(window.explore.pair_chart),
        "texts": [
            label.text() for label in show.findChildren(QLabel) if label.isVisibleTo(show)
        ],
        "why": [browser.toPlainText() for browser in show.findChildren(QTextBrowser)],
        "ids": [
            edit.toPlainText() for edit in show.findChildren(QPlainTextEdit) if edit.isReadOnly()
        ],
    }
