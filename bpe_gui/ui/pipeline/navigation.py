"""Where the arrow keys lead from an item."""

from __future__ import annotations

from PySide6.QtCore import Qt

from bpe_gui.analysis.pipeline.stages import Stage
from bpe_gui.ui.pipeline.layout import ItemPlace, PipelineLayout

KEYS = frozenset(
    {
        *(Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down),
        *(Qt.Key.Key_Home, Qt.Key.Key_End),
    }
)
"""The keys that move from item to item."""


def destination(layout: PipelineLayout, place: ItemPlace, key: Qt.Key) -> ItemPlace:
    """The item that a key leads to.

    Left and Right go on in the same stage, in text order; Home and End to its first and last
    item. Up and Down lead to what stands above or below, over stages that have nothing there.
    """
    last = len(layout.items(place.stage)) - 1
    if key in (Qt.Key.Key_Up, Qt.Key.Key_Down):
        return _beside(layout, place, -1 if key == Qt.Key.Key_Up else 1)
    item = {
        Qt.Key.Key_Left: max(place.item - 1, 0),
        Qt.Key.Key_Right: min(place.item + 1, last),
        Qt.Key.Key_Home: 0,
        Qt.Key.Key_End: last,
    }[key]
    return ItemPlace(place.stage, item)


def _beside(layout: PipelineLayout, place: ItemPlace, step: int) -> ItemPlace:
    first, last = layout.span_of(place)
    stage = place.stage + step
    while 0 <= stage < len(Stage):
        found = layout.items(Stage(stage)).within(first, last)
        if found:
            return ItemPlace(Stage(stage), found[0])
        stage += step
    return place
