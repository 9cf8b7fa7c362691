"""The pipeline view by mouse, keyboard and clipboard."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from bpe_gui.analysis.pipeline.stages import Stage
from bpe_gui.bpe.recipe import Recipe, Symbols, preset
from bpe_gui.ui.pipeline.layout import ItemPlace
from bpe_gui.ui.pipeline.view import PipelineView
from tests.ui.driving import picture
from tests.ui.histories import four_words
from tests.ui.pipeline.pipeline_views import copied, fill, item_center, move, view

__all__ = ["view"]

KEY = Qt.Key
LEFT = Qt.MouseButton.LeftButton


def test_click_and_keys_go_about(qtbot: QtBot, view: PipelineView) -> None:
    history = four_words()
    fill(qtbot, view, "low west", preset("whitespace"), history)
    told: list[int] = []
    view.tokenSelected.connect(told.append)
    QTest.mouseClick(view.viewport(), LEFT, pos=item_center(view, ItemPlace(Stage.RAW, 1)))
    assert view.current == ItemPlace(Stage.RAW, 1)
    assert told == []
    for key, place in (
        (KEY.Key_Right, ItemPlace(Stage.RAW, 2)),
        (KEY.Key_Down, ItemPlace(Stage.NORMALIZED, 2)),
        (KEY.Key_Down, ItemPlace(Stage.PRETOKENS, 0)),
        (KEY.Key_End, ItemPlace(Stage.PRETOKENS, 2)),
        (KEY.Key_Home, ItemPlace(Stage.PRETOKENS, 0)),
        (KEY.Key_Left, ItemPlace(Stage.PRETOKENS, 0)),
        (KEY.Key_Up, ItemPlace(Stage.NORMALIZED, 0)),
    ):
        QTest.keyClick(view, key)
        assert view.current == place
    QTest.mouseClick(view.viewport(), LEFT, pos=item_center(view, ItemPlace(Stage.TOKENS, 0)))
    assert told == [int(view.shown.merged.ids[0])] if view.shown else False
    QTest.keyClick(view, KEY.Key_Return)
    assert len(told) == 2
    QTest.mouseClick(view.viewport(), LEFT, pos=QPoint(3, 3))
    assert view.current is None
    QTest.keyClick(view, KEY.Key_Right)
    assert view.current == ItemPlace(Stage.RAW, 0)


def test_what_is_under_the_mouse_is_made_out_in_all_stages(
    qtbot: QtBot, view: PipelineView
) -> None:
    fill(qtbot, view, "low west", preset("whitespace"), four_words())
    plain = picture(view)
    center = item_center(view, ItemPlace(Stage.TOKENS, 0))
    move(view, center)
    made_out = picture(view)
    assert made_out != plain
    for stage in Stage:
        place = item_center(view, ItemPlace(stage, 0))
        rows = range(place.y() - 12, place.y() + 13)
        left = range(max(place.x() - 40, 0), place.x() + 40)
        assert any(made_out.pixel(x, y) != plain.pixel(x, y) for x in left for y in rows), stage
    QApplication.sendEvent(view.viewport(), QEvent(QEvent.Type.Leave))
    assert picture(view) == plain


@pytest.mark.parametrize(
    ("stage", "text"),
    [
        (Stage.RAW, "Né a\n"),
        (Stage.NORMALIZED, "ne a\n"),
        (Stage.PRETOKENS, "ne ␣ a ↵"),
        (Stage.SYMBOLS, "n e ␣ a ↵"),
    ],
)
def test_the_selected_stage_is_copied(
    qtbot: QtBot, view: PipelineView, stage: Stage, text: str
) -> None:
    recipe = Recipe(
        normalizers=("lowercase", "nfd", "remove-mn"), split="lines", symbols=Symbols.CHARACTERS
    )
    fill(qtbot, view, "Né a\n", recipe)
    if stage is not Stage.RAW:
        view.select(ItemPlace(stage, 0))
    assert copied(view) == text


def test_tokens_of_an_id_are_made_out(qtbot: QtBot, view: PipelineView) -> None:
    history = four_words()
    fill(qtbot, view, "low low", preset("whitespace"), history)
    assert view.shown is not None
    plain = picture(view)
    view.mark_token(int(view.shown.merged.ids[0]))
    assert picture(view) != plain
    view.mark_token(-1)
    assert picture(view) == plain
