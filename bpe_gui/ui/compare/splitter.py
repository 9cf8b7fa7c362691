"""Divides the height of the compare view among text, lanes and numbers."""

from __future__ import annotations

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QActionGroup
from PySide6.QtWidgets import QSplitter, QWidget

from bpe_gui.ui.actions.actions import Actions
from bpe_gui.ui.compare.differences import DifferenceCard

_LANES, _BELOW = 1, 2
"""Places in the splitter."""
_USUAL = (54, 354, 246)
"""The heights at first."""
_LEAST_BELOW = 76
"""The height of the explanation below maximized lanes, in logical pixels."""


class CompareSplitter(QSplitter):
    """The text, the lanes, and below them the numbers beside the explanation of a difference.

    Lanes or numbers can be maximized; afterwards the handles are where the user had put them.
    Maximized lanes keep the explanation below them; maximized numbers have one beside them while a
    difference is chosen.
    """

    def __init__(
        self,
        text: QWidget,
        lanes: QWidget,
        numbers: QWidget,
        card: DifferenceCard,
        actions: Actions,
    ) -> None:
        super().__init__(Qt.Orientation.Vertical, childrenCollapsible=False)
        self.setObjectName("compareSplitter")
        self._above, self._numbers, self._card = (text, lanes), numbers, card
        self._lanes_alone, self._numbers_alone = actions.lanes_alone, actions.numbers_alone
        self._shared: list[int] | None = None
        below = QSplitter(Qt.Orientation.Horizontal, childrenCollapsible=False)
        below.setObjectName("differenceSplitter")
        for part, stretch in ((numbers, 3), (card, 1)):
            below.addWidget(part)
            below.setStretchFactor(below.indexOf(part), stretch)
        below.setSizes([930, 310])
        for part, stretch in ((text, 0), (lanes, 3), (below, 1)):
            self.addWidget(part)
            self.setStretchFactor(self.indexOf(part), stretch)
        self.setSizes(_USUAL)
        card.textChanged.connect(self._show_card)
        alone = QActionGroup(self)
        alone.setExclusionPolicy(QActionGroup.ExclusionPolicy.ExclusiveOptional)
        for action in (self._lanes_alone, self._numbers_alone):
            alone.addAction(action)
            action.toggled.connect(self._on_toggled)
        if alone.checkedAction() is not None:
            self._on_toggled()

    @Slot()
    def _on_toggled(self) -> None:
        lanes_alone, numbers_alone = self._lanes_alone.isChecked(), self._numbers_alone.isChecked()
        sizes = self._shared or self.sizes()
        self._shared = [*sizes] if lanes_alone or numbers_alone else None
        self._numbers.setVisible(not lanes_alone)
        for part in self._above:
            part.setVisible(not numbers_alone)
        self._show_card()
        if lanes_alone:
            sizes[_LANES] += max(0, sizes[_BELOW] - _LEAST_BELOW)
            sizes[_BELOW] = min(sizes[_BELOW], _LEAST_BELOW)
        self.setSizes(sizes)

    @Slot()
    def _show_card(self) -> None:
        self._card.setVisible(self._card.explains or not self._numbers_alone.isChecked())
