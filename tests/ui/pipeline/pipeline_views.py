"""The pipeline view in tests: filled, hovered, copied from, and looked at."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QGuiApplication, QHelpEvent, QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolTip
from pytestqt.qtbot import QtBot

from bpe_gui.analysis.pipeline.stages import Stage
from bpe_gui.bpe.history import History
from bpe_gui.bpe.recipe import Recipe
from bpe_gui.ui.pipeline.layout import ItemPlace, PipelineLayout
from bpe_gui.ui.pipeline.sentences import TITLES
from bpe_gui.ui.pipeline.view import PipelineView
from bpe_gui.ui.run.background import end_tasks
from bpe_gui.ui.run.sample_text import SampleText
from tests.ui.driving import colours, picture, shown

KEY = Qt.Key
CONTROL = Qt.KeyboardModifier.ControlModifier
SAMPLE = "Naïve café №5 ﬁne—İstanbul 漢字 e\u0301"


@pytest.fixture
def view(qtbot: QtBot) -> Iterator[PipelineView]:
    """A view in a window of its own, at work."""
    made = shown(qtbot, PipelineView(SampleText()), 800, 500)
    made.set_active(True)
    yield made
    end_tasks(made)


def fill(
    qtbot: QtBot,
    view: PipelineView,
    text: str,
    recipe: Recipe,
    history: History | None = None,
    position: int | None = None,
) -> None:
    """Show a text under a recipe, and under a run of it, at its end or at a position."""
    view.set_recipe(recipe)
    view.sample_text.set(text)
    view.set_history(history)
    if history is not None:
        view.show_position(len(history) if position is None else position, False)
    done(qtbot, view)


def done(qtbot: QtBot, view: PipelineView) -> None:
    """Wait until what was asked for is shown."""
    qtbot.waitUntil(lambda: view.up_to_date and view.shown is not None)


def tip(view: PipelineView, place: QPoint) -> list[str]:
    """The lines of the tooltip at a place."""
    where = view.viewport().mapToGlobal(place)
    QApplication.sendEvent(view.viewport(), QHelpEvent(QEvent.Type.ToolTip, place, where))
    lines = unescape(re.sub("</?b>", "", QToolTip.text())).split("<br>")
    QToolTip.hideText()
    return lines


def tip_of(view: PipelineView, stage: Stage, item: int) -> list[str]:
    """The lines of the tooltip of an item in a stage."""
    return tip(view, item_center(view, ItemPlace(stage, item)))


def rectangles_of(layout: PipelineLayout, place: ItemPlace) -> list[tuple[int, int, int]]:
    """Where an item is shown: left, right and top of each part."""
    first, last = layout.span_of(place)
    return [
        (left, right, layout.row_top(system, place.stage))
        for system in range(layout.system_of(first), layout.system_of(last - 1) + 1)
        for left, right in layout.columns(system).stretches(first, last)
    ]


def item_center(view: PipelineView, place: ItemPlace) -> QPoint:
    """The middle of the first part of an item, in the viewport."""
    width, height = view.viewport().width(), view.viewport().height()

    def is_there(x: int, y: int) -> bool:
        return view.place_at(QPoint(x, y)) == place

    points = ((x, y) for y in range(0, height, 6) for x in range(0, width, 4))
    x, y = next(point for point in points if is_there(*point))
    right = next(end for end in range(x, width + 1) if not is_there(end, y))
    left = next(start for start in range(x, -2, -1) if not is_there(start, y))
    bottom = next(end for end in range(y, height + 1) if not is_there(x, end))
    top = next(start for start in range(y, -2, -1) if not is_there(x, start))
    return QPoint((left + right) // 2, (top + bottom) // 2)


def title_place(view: PipelineView, stage: Stage) -> QPoint:
    """A place on the title of a stage, near its top."""
    places = (QPoint(12, y) for y in range(0, view.viewport().height(), 4))
    return next(place for place in places if TITLES[stage] in view.tooltip_at(place))


def title_tip(view: PipelineView, stage: Stage) -> list[str]:
    """The lines of the tooltip of a stage itself."""
    return tip(view, title_place(view, stage))


def copied(view: PipelineView) -> str:
    """What is in the clipboard after Ctrl+C."""
    QGuiApplication.clipboard().clear()
    QTest.keyClick(view, KEY.Key_C, CONTROL)
    return QGuiApplication.clipboard().text()


def has(view: PipelineView, *names: str) -> bool:
    """Whether all these colours are seen."""
    return {QColor(name).name() for name in names} <= colours(picture(view))


def move(view: PipelineView, place: QPoint) -> None:
    """Move the mouse to a place."""
    where = QPointF(view.viewport().mapToGlobal(place))
    event = QMouseEvent(
        QEvent.Type.MouseMove,
        QPointF(place),
        where,
        Qt.MouseButton.NoButton,
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
    )
    QApplication.sendEvent(view.viewport(), event)
