"""Takes the tour of the program to the stage, and tells what its panels have in sight.

Called by `test_stage_pages`: `python -m tests.ui.stage.stage_pages PAGES`, where PAGES is `all`,
or `wide` for those on which a wide screen shows more, or something else. The screen is that of
QT_QPA_PLATFORM. Prints one JSON object: what is seen whole on the pages.
"""

from __future__ import annotations

import json
import sys
from typing import Any, TypeVar

from PySide6.QtCore import QPoint, QRect
from PySide6.QtWidgets import (
    QAbstractScrollArea,
    QLabel,
    QTabBar,
    QTableView,
    QTextBrowser,
    QWidget,
)

from bpe_gui import app
from bpe_gui.ui.lanes.layout import LanePlace
from bpe_gui.ui.lanes.view import LaneView
from bpe_gui.ui.panels.derivation.table import Column
from bpe_gui.ui.panels.text.token_view import TokenView
from bpe_gui.ui.panels.token.canvas import TreeCanvas
from bpe_gui.ui.shell.main_window import MainWindow
from bpe_gui.ui.widgets.labels import ElidingLabel
from tests.ui.driving import pixels
from tests.ui.stage.stage_on_screen import wait_until
from tests.ui.stage.stages import is_at_rest


def is_whole(window: MainWindow, name: str) -> bool:
    """Whether nothing of what scrolls is out of sight."""
    return part(window, QAbstractScrollArea, name).verticalScrollBar().maximum() == 0


def rows_in_sight(table: QTableView) -> list[int]:
    """The rows that are seen whole; one that is cut off is told as its number below zero."""
    view = table.viewport().rect()
    found = []
    for row in range(table.model().rowCount()):
        top, height = table.rowViewportPosition(row), table.rowHeight(row)
        if view.top() <= top and top + height - 1 <= view.bottom():
            found.append(row)
        elif top <= view.bottom() and top + height > view.top():
            found.append(~row)
    return found


def text_in_sight(browser: QTextBrowser) -> str:
    """What is read in a view, but for a last line that is cut off."""
    view = browser.viewport().rect()
    line = browser.cursorRect(browser.cursorForPosition(view.bottomRight()))
    # Lines stand so close that the places of their letters overlap a little.
    cut_off = line.bottom() - line.height() // 8 > view.bottom()
    last = QPoint(view.right(), line.top() - 1 if cut_off else view.bottom())
    end = browser.cursorForPosition(last).position()
    return browser.document().toRawText()[:end]


def leaves_in_sight(canvas: TreeCanvas) -> bool:
    """Whether all nodes of a tree are seen whole."""
    bars = canvas.horizontalScrollBar(), canvas.verticalScrollBar()
    return canvas.place_at(canvas.place_of(0)) == 0 and not any(bar.maximum() for bar in bars)


def points_where_panels_are(window: MainWindow) -> bool:
    """Whether the spotlight is on two panels where these are now."""
    show, places = window.stage.show_window, []
    for name in ("tokenView", "vocabulary"):
        widget = part(window, QWidget, name)
        places.append(QRect(widget.mapTo(show, QPoint(0, 0)), widget.size()))
    holes = window.touring.spotlight.holes
    return len(holes) == 2 and all(map(QRect.contains, holes, places))


def token_in_sight(view: TokenView, selected: int) -> bool:
    """Whether a place of the selected token is seen whole."""
    shown = view.shown_cut()
    assert shown is not None
    ids, height = shown[0].ids, view.verticalScrollBar().singleStep()  # a row at least
    middles = [view.token_center(i) for i in range(len(ids)) if ids[i] == selected]
    tops = [middle.y() - height // 2 for middle in middles]
    return any(0 <= top <= view.viewport().height() - height for top in tops)


Part = TypeVar("Part", bound=QWidget)


def part(window: MainWindow, kind: type[Part], name: str) -> Part:
    """A widget by its name, which may stand on the stage now."""
    found = window.stage.show_window.findChild(kind, name)
    assert isinstance(found, kind), name
    return found


class Visit:
    """Goes from page to page, as a speaker does."""

    def __init__(self, window: MainWindow) -> None:
        self._window = window
        window.touring.begin()
        window.stage.enter()

    def go(self, page: int, *, revealed: bool = False) -> None:
        """Go to a page, counted from 1."""
        touring = self._window.touring
        touring.go_to_page(page - 1)
        self._rest()
        if revealed:
            self.step_on()

    def step_on(self) -> None:
        """Go on, as a clicker does."""
        self._window.touring.step_on()
        self._rest()

    def _rest(self) -> None:
        window = self._window
        wait_until(lambda: window.touring.scene_setting.scene is None and is_at_rest(window))


def seen_on_pages(window: MainWindow, pages: str) -> dict[str, Any]:
    """What is seen on the pages on which it was once out of sight."""
    visit = Visit(window)
    found = seen_on_first_pages(window, visit) if pages == "all" else {}
    visit.go(12, revealed=True)
    found["why 12"] = text_in_sight(part(window, QTextBrowser, "whyText"))
    visit.go(6, revealed=True)
    steps = part(window, QTableView, "derivationTable")
    found["steps"] = rows_in_sight(steps)
    found["last step"] = window.explore.derivation.model.result_row
    found["ranks"] = not steps.isColumnHidden(Column.RANK)
    found["hidden width of steps"] = steps.horizontalScrollBar().maximum()
    found |= seen_on_later_pages(window, visit)
    window.touring.leave()
    for panels in (["words"], ["words", "pairs", "text", "why"]):
        # Why comes to a place of another size than it had.
        window.stage.choice = {"panels": panels, "layout": len(panels), "scheme": "dark"}
        wait_until(lambda: is_at_rest(window))
    found["why beside others"] = text_in_sight(part(window, QTextBrowser, "whyText"))
    return found


def seen_on_first_pages(window: MainWindow, visit: Visit) -> dict[str, Any]:
    """What is seen on pages of the first chapters whose panels have more room on a wide screen."""
    found: dict[str, Any] = {}
    visit.go(1)
    visit.step_on()
    found["marked word"] = part(window, QTableView, "wordsTable").currentIndex().row()
    for page in (2, 11):
        visit.go(page, revealed=page != 11)
        found[f"why {page}"] = text_in_sight(part(window, QTextBrowser, "whyText"))
    visit.go(3)
    counts = part(window, QLabel, "textCounts")
    found["counts"] = counts.visibleRegion().boundingRect() == counts.rect()
    visit.step_on()
    wait_until(lambda: points_where_panels_are(window))
    found["points"] = points_where_panels_are(window)
    visit.go(4, revealed=True)
    found["words"] = rows_in_sight(part(window, QTableView, "wordsTable"))
    visit.go(10)
    found["leaves"] = leaves_in_sight(part(window, TreeCanvas, "treeCanvas"))
    visit.go(17)
    found["token"] = token_in_sight(part(window, TokenView, "tokenView"), window.explore.token)
    visit.go(20)
    found["corpus as one word"] = is_whole(window, "tokenView")
    found["scrolled pages"] = []
    for page in (2, 4, 12, 13, 16, 20):
        visit.go(page, revealed=True)
        if not is_whole(window, "tourScroll"):
            found["scrolled pages"].append(page)
    found["bytes"] = []
    for page in (15, 16, 18):
        visit.go(page, revealed=page != 15)
        found["bytes"].append(is_whole(window, "tokenView"))
    found["line"] = {}
    for page in (8, 18, 10):
        visit.go(page)
        found["line"][page] = part(window, QWidget, "stageLine").isVisible()
    return found


def seen_on_later_pages(window: MainWindow, visit: Visit) -> dict[str, Any]:
    """What is seen on pages with large numbers, curves, long words and lanes."""
    found: dict[str, Any] = {}
    visit.go(26, revealed=True)
    found["longest bar"] = longest_bar(part(window, QWidget, "pairChart"))
    visit.go(29)
    tabs = part(window, QTabBar, "curveTabs")
    found["names of curves"] = tabs.sizeHint().width() <= tabs.width()
    labels = window.stage.show_window.findChildren(ElidingLabel)
    found["values of curves"] = {
        label.text(): label.fontMetrics().horizontalAdvance(label.text()) <= label.width()
        for label in labels
        if label.isVisible() and "bytes per token" in label.text()
    }
    visit.go(33, revealed=True)
    lanes = part(window, LaneView, "laneView")
    found["lanes"] = lanes.font().pointSizeF() / window.stage.show_window.font().pointSizeF()
    last = len(window.touring.scene_setting.compared[1].encode("return self.name").ids) - 1
    first, last = (lanes.token_center(LanePlace(1, token)).y() for token in (1, last))
    found["one word of lanes"] = first == last
    visit.go(34)
    found["lanes in sight"] = is_whole(window, "laneView")
    numbers = part(window, QTableView, "metricsTable")
    found["bar below numbers"] = numbers.horizontalScrollBar().isVisible()
    visit.go(38)
    tokens = part(window, TokenView, "tokenView")
    found["one number"] = tokens.token_center(3).y() == tokens.token_center(4).y()
    visit.go(44)
    languages = part(window, QTableView, "languageTable")
    found["languages"] = rows_in_sight(languages)
    found["part of languages"] = part(window, QLabel, "languagesLossy").text()
    found["bar beside languages"] = languages.verticalScrollBar().isVisible()
    return found


def longest_bar(chart: QWidget) -> float:
    """The length of the bar of the winner, as a share of the width of the chart."""
    seen = pixels(chart.grab().toImage())
    accent = chart.palette().accent().color().rgb()
    upper = seen[: len(seen) // 4] == accent
    return float(upper.sum(axis=1).max() / seen.shape[1])


def main(pages: str) -> None:
    """Visit the pages."""
    _, window = app.create([])
    wait_until(lambda: is_at_rest(window))
    found = seen_on_pages(window, pages)
    window.close()
    print(json.dumps(found))


if __name__ == "__main__":
    main(*sys.argv[1:])
