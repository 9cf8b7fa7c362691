"""What can be done first in Compare, while there is nothing to compare yet."""

from __future__ import annotations

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QFrame, QLabel, QPushButton, QVBoxLayout, QWidget

from bpe_gui.ui.compare import wording
from bpe_gui.ui.compare.add_menu import AddMenu
from bpe_gui.ui.compare.comparison import Comparison
from bpe_gui.ui.widgets.box_layouts import filled
from bpe_gui.ui.widgets.flowing_row import FlowingRow
from bpe_gui.ui.widgets.naming import named, quiet


class FirstSight(QFrame):
    """Buttons above the lanes of a run without merges, until another encoding is added."""

    def __init__(self, comparison: Comparison, menu: AddMenu) -> None:
        super().__init__()
        self._comparison = comparison
        self.setObjectName("firstSight")
        label = quiet(named(QLabel(wording.FIRST_SIGHT), "firstSightText"))
        label.setWordWrap(True)
        buttons = QWidget()
        row = FlowingRow(buttons, 8)
        for text, name, action in (
            ("Add a tokenizer from a file…", "firstFileButton", menu.file),
            ("From the Hugging Face hub…", "firstHubButton", menu.hub),
        ):
            button = named(QPushButton(text), name, text)
            button.clicked.connect(action.trigger)
            row.addWidget(button)
        filled(QVBoxLayout(self), label, buttons, spacing=6, margins=(2, 6, 2, 6))
        comparison.lanesChanged.connect(self.refresh)

    @Slot()
    def refresh(self) -> None:
        """Show it if there is nothing else to see."""
        self.setVisible(self._comparison.is_untouched)
