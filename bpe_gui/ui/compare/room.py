"""How text, lanes and numbers share the height of the compare view."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QObject, Qt, Slot
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QSplitter, QWidget

_LANES, _BELOW = 1, 2
"""Places in the splitter."""
_USUAL = (54, 360, 240)
"""How the height is shared at first."""
_LEAST_BELOW = 76
"""What the reason for a difference keeps where the lanes have all else, in logical pixels."""


class Room(QObject):
    """Gives all parts their room, or the lanes that of the numbers, or the other way round.

    Where the user has put the handles of the splitter they stand again when all parts are
    there once more. Lanes that are alone keep the reason for a difference below them.
    """

    def __init__(
        self,
        splitter: QSplitter,
        above: Sequence[QWidget],
        numbers: QWidget,
        card: QWidget,
        lanes_alone: QAction,
        numbers_alone: QAction,
    ) -> None:
        """`above` are the text and the lanes; below them the numbers and the reason are put."""
        super().__init__(splitter)
        self._splitter = splitter
        self._above = tuple(above)
        self._numbers = numbers
        self._lanes_alone, self._numbers_alone = lanes_alone, numbers_alone
        self._shared: list[int] | None = None
        below = QSplitter(Qt.Orientation.Horizontal)
        below.setObjectName("differenceSplitter")
        below.setChildrenCollapsible(False)
        below.addWidget(numbers)
        below.addWidget(card)
        below.setStretchFactor(0, 3)
        below.setStretchFactor(1, 1)
        below.setSizes([930, 310])
        splitter.setChildrenCollapsible(False)
        for part, stretch in zip((*above, below), (0, 3, 1), strict=True):
            splitter.addWidget(part)
            splitter.setStretchFactor(splitter.indexOf(part), stretch)
        splitter.setSizes(_USUAL)
        self._alone = QActionGroup(self)
        self._alone.setExclusionPolicy(QActionGroup.ExclusionPolicy.ExclusiveOptional)
        for action in (lanes_alone, numbers_alone):
            self._alone.addAction(action)
        self._alone.triggered.connect(self._on_triggered)

    @Slot(QAction)
    def _on_triggered(self) -> None:
        """Some part is alone now, or all share the room again."""
        if self._shared is None:
            self._shared = self._splitter.sizes()
        sizes = list(self._shared)
        if self._alone.checkedAction() is None:
            self._shared = None
        self._numbers.setVisible(not self._lanes_alone.isChecked())
        for part in self._above:
            part.setVisible(not self._numbers_alone.isChecked())
        if self._lanes_alone.isChecked():
            sizes[_LANES] += max(0, sizes[_BELOW] - _LEAST_BELOW)
            sizes[_BELOW] = min(sizes[_BELOW], _LEAST_BELOW)
        self._splitter.setSizes(sizes)
