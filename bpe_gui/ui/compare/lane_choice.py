"""The lanes that are shown: all, those that differ from the chosen one, or only two."""

from __future__ import annotations

from PySide6.QtCore import QObject, Slot

from bpe_gui.ui.compare import wording
from bpe_gui.ui.compare.comparison import Comparison
from bpe_gui.ui.lanes.view import LaneView
from bpe_gui.ui.widgets.boxes import ElidingComboBox
from bpe_gui.ui.widgets.naming import named

_ALL, _DIFFERING = 0, -1
"""Entries that are no key of a lane."""
_LEAST_LETTERS = 12


class LaneChoice(QObject):
    """A box to choose the lanes from, which is there with three lanes or more."""

    def __init__(self, comparison: Comparison, lanes: LaneView) -> None:
        super().__init__(comparison)
        self._comparison, self._lanes = comparison, lanes
        self._reference = -1
        self._chosen = _ALL
        self.box = named(ElidingComboBox(), "laneChoice", "Lanes that are shown", wording.LANES)
        self.box.setMinimumContentsLength(_LEAST_LETTERS)
        self.box.activated.connect(self._on_activated)
        comparison.lanesChanged.connect(self._fill)
        self._fill()

    def set_reference(self, key: int) -> None:
        """Hold the others against another lane."""
        if key != self._reference:
            if key == self._chosen:
                self._chosen = self._reference
            self._reference = key
            self._fill()
            self._apply()

    def follow(self) -> None:
        """Show the lanes of another result."""
        result = self._comparison.result
        keys = [lane.key for lane in result.aligned] if result is not None else []
        beside = keys.index(self._reference) if self._reference in keys else 0
        self._lanes.show_beside(beside if self._chosen == _DIFFERING and keys else -1)

    @Slot()
    def _fill(self) -> None:
        lanes = [lane for lane in self._comparison.lanes if lane.encoding is not None]
        keys = [lane.key for lane in lanes]
        if self._reference not in keys and keys:
            self._reference = keys[0]
        others = [lane for lane in lanes if lane.key != self._reference]
        if self._chosen > 0 and self._chosen not in [lane.key for lane in others]:
            self._chosen = _ALL
            self._apply()
        self.box.clear()
        self.box.addItem("All lanes", _ALL)
        self.box.addItem("Lanes that differ from the chosen one", _DIFFERING)
        for lane in others:
            self.box.addItem(f"The chosen lane and {lane.name}", lane.key)
        self.box.setCurrentIndex(self.box.findData(self._chosen))
        self.box.setVisible(len(lanes) > 2)

    @Slot(int)
    def _on_activated(self, index: int) -> None:
        self._chosen = self.box.itemData(index)
        self._apply()

    def _apply(self) -> None:
        pair = frozenset((self._reference, self._chosen)) if self._chosen > 0 else None
        self._comparison.set_pair(pair)
        self.follow()
