"""The recipe editor: start from a recipe, change any part of it, keep it, train with it."""

from __future__ import annotations

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QComboBox, QFormLayout, QWidget

from bpe_gui.bpe.recipe import PRESETS, Recipe
from bpe_gui.ui.theme import Theme


class RecipeEditor(QWidget):
    """Edits one recipe, which may be invalid while it is being written."""

    recipeChanged = Signal(object)
    """The Recipe is another one, and valid."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("recipeEditor")
        self._base = QComboBox()
        self._base.setObjectName("recipeBaseBox")
        self._base.setAccessibleName("Start from")
        self._base.addItems(list(PRESETS))
        form = QFormLayout(self)
        form.addRow("Start from", self._base)
        self._base.currentIndexChanged.connect(self._on_base)

    def recipe(self) -> Recipe:
        """The recipe."""
        return PRESETS[self._base.currentText()]

    def set_text(self, text: str) -> None:
        """Preview on another sample text."""

    def set_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""

    def set_active(self, active: bool) -> None:
        """The editor has come into sight, or gone out of it."""

    def close_threads(self) -> None:
        """End what goes on in the background."""

    @Slot()
    def _on_base(self) -> None:
        self.recipeChanged.emit(self.recipe())
