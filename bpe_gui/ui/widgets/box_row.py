"""Boxes of a bar in a row, each with its label."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QWidget

from bpe_gui.ui.widgets.eliding_combo_box import ElidingComboBox

_GAP = 7
"""Pixels between labels and boxes, and at both ends."""
_ANY_WIDTH = 16_777_215


class BoxRow(QWidget):
    """Does without labels where there is little room, and then without whole names."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._labels: list[QLabel] = []
        self._boxes: list[QWidget] = []
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(_GAP, 0, _GAP, 0)
        self._row.setSpacing(_GAP)

    def add(self, text: str, box: QWidget) -> None:
        """Add a box under a name, in which "&" stands before its key."""
        label = QLabel(text, self)
        label.setBuddy(box)
        box.setAccessibleName(text.replace("&", ""))
        box.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._labels.append(label)
        self._boxes.append(box)
        self._row.addWidget(label)
        self._row.addWidget(box)

    def usual_width(self, *, labelled: bool) -> int:
        """The pixels in which nothing is tight, with labels or without."""
        widths = [_usual(box) for box in self._boxes]
        if labelled:
            widths += [label.sizeHint().width() for label in self._labels]
        return sum(widths) + self._gaps()

    def minimumSizeHint(self) -> QSize:
        """As narrow as can be."""
        least = sum(map(_least, self._boxes)) + self._gaps()
        return QSize(least, super().minimumSizeHint().height())

    def fit(self, width: int) -> None:
        """Show as much as has room in so many pixels."""
        labelled = width >= self.usual_width(labelled=True)
        for label in self._labels:
            # Not hidden: then its key would do nothing.
            label.setMaximumWidth(_ANY_WIDTH if labelled else 0)
        for box in self._boxes:
            if isinstance(box, ElidingComboBox):
                box.set_tight(width < self.usual_width(labelled=False))

    def _gaps(self) -> int:
        return _GAP * (2 * len(self._boxes) + 1)


def _usual(box: QWidget) -> int:
    return box.usual if isinstance(box, ElidingComboBox) else box.minimumWidth()


def _least(box: QWidget) -> int:
    return box.least if isinstance(box, ElidingComboBox) else box.minimumWidth()
