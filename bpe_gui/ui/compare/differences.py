"""Goes from one difference to the next, and shows and explains it."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt, Slot
from PySide6.QtWidgets import QHBoxLayout, QWidget

from bpe_gui.ui.actions.actions import Actions
from bpe_gui.ui.compare import wording
from bpe_gui.ui.compare.comparison import Comparison
from bpe_gui.ui.compare.cutting import CutResult, ExplainedDifference
from bpe_gui.ui.compare.difference_card import DifferenceCard
from bpe_gui.ui.lanes.view import LaneView
from bpe_gui.ui.theme.text_size import FontFollower
from bpe_gui.ui.widgets.box_layouts import filled
from bpe_gui.ui.widgets.boxes import SteadyButton
from bpe_gui.ui.widgets.labels import SteadyLabel
from bpe_gui.ui.widgets.veil import Veil


class Differences(QObject):
    """Frames a difference in the lanes, counts it in the bar and has it explained in the card."""

    def __init__(self, comparison: Comparison, lanes: LaneView, actions: Actions) -> None:
        super().__init__(comparison)
        self._comparison = comparison
        self._lanes = lanes
        self._actions = (actions.previous_difference, actions.next_difference)
        self.reference = -1
        """The key of the lane that the others are compared with."""
        self.count = SteadyLabel()
        """The number of the difference among all."""
        self.bar = self._make_bar()
        self.card = DifferenceCard()
        self._veil = Veil(self.card.viewport())
        actions.next_difference.triggered.connect(self.next)
        actions.previous_difference.triggered.connect(self.previous)

    def _make_bar(self) -> QWidget:
        """Make the buttons for the previous and the next difference, with the count between."""
        self.count.label.setObjectName("differenceCount")
        self.count.label.setAlignment(Qt.AlignmentFlag.AlignCenter)
        FontFollower(self.count, self._fit_count)
        bar = QWidget()
        icon = Qt.ToolButtonStyle.ToolButtonIconOnly
        previous, following = (SteadyButton(action, icon, bar) for action in self._actions)
        filled(QHBoxLayout(bar), previous, self.count, following, spacing=2)
        return bar

    def _fit_count(self) -> None:
        metrics = self.count.fontMetrics()
        self.count.setFixedWidth(metrics.horizontalAdvance(" difference 99,999 of 99,999 "))

    @Slot()
    def show_busy(self) -> None:
        """Say that a text is being compared, until the next result."""
        self.count.set_text(wording.COMPARING)
        self._veil.lay(True)

    @Slot()
    def next(self) -> None:
        """Go to the next difference; after the last, to the first."""
        self._go(1)

    @Slot()
    def previous(self) -> None:
        """Go to the previous difference; before the first, to the last."""
        self._go(-1)

    def show_result(self, result: CutResult) -> None:
        """Count the differences of a result, and explain the framed one again."""
        self._veil.lay(False)
        self._count(result)
        self._explain()

    def look_at(self, number: int) -> bool:
        """Show a difference by its number, from 0; return False if there is none."""
        result = self._comparison.result
        if result is None or not 0 <= number < len(result.differences):
            return False
        self._look_at(number, result)
        return True

    def look_at_byte(self, place: int) -> None:
        """Show the difference at a byte of the text, if there is one."""
        result = self._comparison.result
        if result is None or result.alignment is None:
            return
        number = result.alignment.difference_at(place)
        if number is not None and number != self._lanes.difference:
            self._look_at(number, result)

    def set_reference(self, key: int) -> None:
        """Compare the other lanes with the one with this key."""
        if key != self.reference:
            self.reference = key
            self._explain()

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
        self._lanes.show_difference(number)
        self._count(result)
        self._explain()

    def _explain(self) -> None:
        if (number := self._lanes.difference) >= 0:
            self._comparison.explain(number, self.reference, self._on_explained)

    def _count(self, result: CutResult) -> None:
        comparable = bool(result.text) and len(result.aligned) > 1
        total = len(result.differences) if comparable else None
        self.count.set_text(wording.difference_place(self._lanes.difference, total))
        for action in self._actions:
            action.setEnabled(bool(total))
        if self._lanes.difference < 0:
            self.card.clear_difference(total)

    def _on_explained(self, explained: ExplainedDifference | None) -> None:
        if explained is not None and explained.number == self._lanes.difference:
            self.card.show_difference(explained, self._comparison.keys_in_view())
