"""The way from one difference to the next, and what is told of the one that is looked at."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QHBoxLayout, QWidget

from bpe_gui.ui.actions.actions import Actions
from bpe_gui.ui.compare import wording
from bpe_gui.ui.compare.comparison import Comparison
from bpe_gui.ui.compare.cutting import CutResult, ExplainedDifference
from bpe_gui.ui.compare.difference_card import DifferenceCard
from bpe_gui.ui.lanes.view import LaneView
from bpe_gui.ui.theme.text_size import FontFollower
from bpe_gui.ui.widgets.bar_controls import SteadyButton
from bpe_gui.ui.widgets.labels import SteadyLabel


class DifferenceBar(QWidget):
    """Buttons for the difference before and the next, and where one is among them."""

    def __init__(self, previous: QAction, following: QAction) -> None:
        super().__init__()
        self._count = SteadyLabel()
        self._count.label.setObjectName("differenceCount")
        self._count.label.setAlignment(Qt.AlignmentFlag.AlignCenter)
        FontFollower(self._count, self._fit)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(2)
        icon = Qt.ToolButtonStyle.ToolButtonIconOnly
        row.addWidget(SteadyButton(previous, icon, self))
        row.addWidget(self._count)
        row.addWidget(SteadyButton(following, icon, self))

    def _fit(self) -> None:
        metrics = self._count.fontMetrics()
        self._count.setFixedWidth(metrics.horizontalAdvance(" difference 99,999 of 99,999 "))

    @property
    def text(self) -> str:
        """What is told of the differences."""
        return self._count.text()

    def show_place(self, number: int, total: int | None) -> None:
        """Tell which difference is looked at, counted from 0 (-1: none yet), of how many.

        None: there is no text, or there are no two lanes, to be compared.
        """
        self._count.set_text(wording.difference_place(number, total))

    @Slot()
    def show_busy(self) -> None:
        """Tell that a text is still being cut; the next place or total ends it."""
        self._count.set_text(wording.COMPARING)


class Differences(QObject):
    """Frames a difference in the lanes, counts it in the bar and has it explained in the card."""

    def __init__(self, comparison: Comparison, lanes: LaneView, actions: Actions) -> None:
        super().__init__(comparison)
        self._comparison = comparison
        self._lanes = lanes
        self._actions = (actions.previous_difference, actions.next_difference)
        self._reference = -1
        self.bar = DifferenceBar(*self._actions)
        self.card = DifferenceCard()
        actions.next_difference.triggered.connect(self.next)
        actions.previous_difference.triggered.connect(self.previous)
        comparison.explained.connect(self._on_explained)

    @Slot()
    def next(self) -> None:
        """Go to the next place where the lanes part; after the last, to the first."""
        self._go(1)

    @Slot()
    def previous(self) -> None:
        """Go to the place before where the lanes part; before the first, to the last."""
        self._go(-1)

    def show_result(self, result: CutResult) -> None:
        """Tell of a result that the lanes show."""
        self._tell(result)
        if self._lanes.difference >= 0:
            self._comparison.explain(self._lanes.difference, self._reference)

    def look_at(self, number: int) -> bool:
        """Look at a difference by its number, from 0; whether there is one."""
        result = self._comparison.result
        if result is None or not 0 <= number < len(result.differences):
            return False
        self._look_at(number, result)
        return True

    def look_at_byte(self, place: int) -> None:
        """Look at the difference that a byte of the text belongs to, if there is one."""
        result = self._comparison.result
        if result is None or result.alignment is None:
            return
        number = result.alignment.difference_at(place)
        if number is not None and number != self._lanes.difference:
            self._look_at(number, result)

    def set_reference(self, key: int) -> None:
        """Set the other lanes against the one with this key."""
        if key != self._reference:
            self._reference = key
            if self._lanes.difference >= 0:
                self._comparison.explain(self._lanes.difference, key)

    def _go(self, step: int) -> None:
        result = self._comparison.result
        if result is None or not len(result.differences):
            return
        total, starts = len(result.differences), result.differences[:, 0]
        if self._lanes.difference >= 0:
            number = (self._lanes.difference + step) % total
        else:
            place = self._lanes.current_byte()
            number = int(starts.searchsorted(place, "left" if step > 0 else "right"))
            number = number % total if step > 0 else (number - 1) % total
        self._look_at(number, result)

    def _look_at(self, number: int, result: CutResult) -> None:
        """Frame a difference, and ask why it is one."""
        self._lanes.show_difference(number)
        self._tell(result)
        self._comparison.explain(number, self._reference)

    def _tell(self, result: CutResult) -> None:
        comparable = bool(result.text) and len(result.aligned) > 1
        total = len(result.differences) if comparable else None
        self.bar.show_place(self._lanes.difference, total)
        for action in self._actions:
            action.setEnabled(bool(total))
        if self._lanes.difference < 0:
            self.card.clear_difference(total)

    @Slot(object)
    def _on_explained(self, explained: ExplainedDifference) -> None:
        if explained.number == self._lanes.difference:
            self.card.show_difference(explained, self._comparison.keys_in_view())
