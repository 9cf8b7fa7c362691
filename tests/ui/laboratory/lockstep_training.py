"""Recipes in lockstep in tests: two presets chosen, and trained as a person does."""

from __future__ import annotations

from PySide6.QtWidgets import QComboBox, QPushButton, QWidget

from tests.ui.driving import child


def choose(panel: QWidget, box: str, text: str) -> None:
    """Choose a recipe of the panel by its name."""
    made = child(panel, QComboBox, box)
    made.setCurrentIndex(made.findText(text))


def train_presets(panel: QWidget, first: str, second: str) -> None:
    """Choose two presets, and train them."""
    choose(panel, "firstRecipe", first)
    choose(panel, "secondRecipe", second)
    choose(panel, "thirdRecipe", "no third recipe")
    child(panel, QPushButton, "trainBothButton").click()
