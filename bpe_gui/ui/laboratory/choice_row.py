"""A few choices of which one holds, side by side under a heading."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QButtonGroup, QGridLayout, QLabel, QRadioButton, QWidget


class ChoiceRow(QWidget):
    """A heading and a radio button for each choice; the arrow keys go through them."""

    chosen = Signal(object)
    """The choice that the user has made."""

    def __init__(self, heading: str, name: str, choices: Mapping[StrEnum, tuple[str, str]]) -> None:
        """`choices` have what each is called, and what it does."""
        super().__init__()
        self.setObjectName(name)
        self._choices = list(choices)
        self._group = QButtonGroup(self)
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(14)
        label = QLabel(heading)
        label.setProperty("quiet", True)
        grid.addWidget(label, 0, 0, 1, len(choices) + 1)
        for number, (choice, (title, tip)) in enumerate(choices.items()):
            button = QRadioButton(title)
            button.setObjectName(f"{name}_{choice}")
            button.setAccessibleName(f"{heading}: {title}")
            button.setToolTip(tip)
            self._group.addButton(button, number)
            grid.addWidget(button, 1, number)
        grid.setColumnStretch(len(choices), 1)
        self._group.idToggled.connect(self._on_toggled)

    def choice(self) -> StrEnum:
        """What is chosen."""
        return self._choices[self._group.checkedId()]

    def choose(self, choice: StrEnum) -> None:
        """Show another choice."""
        blocked = self._group.blockSignals(True)
        self._group.button(self._choices.index(choice)).setChecked(True)
        self._group.blockSignals(blocked)

    @Slot(int, bool)
    def _on_toggled(self, number: int, checked: bool) -> None:
        if checked:
            self.chosen.emit(self._choices[number])
