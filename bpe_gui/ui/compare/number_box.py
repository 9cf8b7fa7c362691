"""The box to choose one of the numbers that encodings are compared by."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QWidget

from bpe_gui.analysis.metric_columns import COLUMNS, Column


class NumberBox(QComboBox):
    """All columns of the table of numbers, each with its meaning as tooltip."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self.setAccessibleName("The number that is drawn")
        self.setToolTip("The number that is drawn")
        for place, column in enumerate(COLUMNS):
            self.addItem(column.title)
            self.setItemData(place, column.meaning, Qt.ItemDataRole.ToolTipRole)

    @property
    def column(self) -> Column:
        """The number that is chosen."""
        return COLUMNS[self.currentIndex()]
