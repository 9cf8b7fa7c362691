"""What is trained side by side: boxes to choose each recipe, pairs of presets, and the size."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QAction, QFocusEvent
from PySide6.QtWidgets import QComboBox, QMenu, QPushButton, QSizePolicy, QSpinBox, QWidget

from bpe_gui.bpe.recipe import MAX_NUMBER, PRESETS, Recipe
from bpe_gui.ui.theme.text_size import FontFollower

IN_VIEW, IN_EDITOR, NONE = "in view", "in the editor", "none"
"""What the items hold that stand for no recipe of their own; those of presets hold `preset:`
and the name, those of one's own `own:` and the name."""

_TIP = Qt.ItemDataRole.ToolTipRole

_PRESET, _OWN = "preset:", "own:"

OwnRecipes = Callable[[], Iterable[Recipe]]
"""Tells which recipes the user has saved."""


class RecipeChoice(QComboBox):
    """One recipe: that of the run in view, that in the editor, a preset, or one's own."""

    def __init__(self, name: str, spoken: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._own: dict[str, Recipe] = {}
        self._own_recipes: OwnRecipes = tuple
        self.setObjectName(name)
        self.setAccessibleName(spoken)
        self.setToolTip(spoken)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setMinimumContentsLength(9)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.addItem("In view", IN_VIEW)
        self.addItem("In the editor", IN_EDITOR)
        self.insertSeparator(self.count())
        for preset, recipe in PRESETS.items():
            self.addItem(preset, f"{_PRESET}{preset}")
            self.setItemData(self.count() - 1, recipe.description, _TIP)

    def offer_none(self, text: str) -> None:
        """Let nothing be chosen as well, as it is at first."""
        self.insertItem(0, text, NONE)
        self.setCurrentIndex(0)

    def offer_own(self, own_recipes: OwnRecipes) -> None:
        """Offer the user's own recipes too, asked for each time that the user comes here."""
        self._own_recipes = own_recipes

    def name_item(self, key: str, text: str) -> None:
        """Call an item otherwise."""
        index = self.findData(key)
        if index >= 0 and self.itemText(index) != text:
            self.setItemText(index, text)

    def choose(self, key: str) -> None:
        """Choose an item by what it holds."""
        self.setCurrentIndex(self.findData(key))

    def choose_preset(self, name: str) -> None:
        """Choose a preset."""
        self.choose(f"{_PRESET}{name}")

    @property
    def key(self) -> str:
        """What the chosen item holds."""
        return str(self.currentData())

    def recipe(self) -> Recipe | None:
        """The chosen preset or own recipe; None for what the window knows."""
        kind, _, name = self.key.partition(":")
        if f"{kind}:" == _PRESET:
            return PRESETS[name]
        return self._own.get(self.key)

    def showPopup(self) -> None:
        """Open the list, with all that there is now."""
        self.refresh()
        super().showPopup()

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Whoever chooses by keys need not open the list."""
        self.refresh()
        super().focusInEvent(event)

    def refresh(self) -> None:
        """Offer the recipes that have been saved since."""
        known = dict(self._own)
        for recipe in self._own_recipes():
            key = f"{_OWN}{recipe.name}"
            if key not in known:
                if not known:
                    self.insertSeparator(self.count())
                self.addItem(recipe.name, key)
            known[key] = recipe
        self._own = known


class PresetPairs(QPushButton):
    """A button with a menu of menus: each preset, and against it each of the others."""

    pairChosen = Signal(str, str)
    """The names of two presets."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("Presets", parent)
        self.setObjectName("presetPairButton")
        self.setAccessibleName("Preset against preset")
        self.setToolTip("Preset against preset: choose two, and both are trained at once")
        menu = QMenu(self)
        for first in PRESETS:
            against = menu.addMenu(first)
            for second in PRESETS:
                if second != first:
                    action = against.addAction(f"against {second}")
                    action.setData((first, second))
        menu.triggered.connect(self._on_triggered)
        self.setMenu(menu)

    @Slot(QAction)
    def _on_triggered(self, action: QAction) -> None:
        first, second = action.data()
        self.pairChosen.emit(first, second)


_FIRST = 2_000
_SIZE_TIP = (
    "All recipes are trained until they have so many entries, whatever vocabulary size or number "
    "of merges they say themselves. A minimum frequency of theirs holds, and may end them "
    "before; ties are broken as each recipe says."
)


class CommonSize(QSpinBox):
    """Is what the toolbar says until the user sets another number here."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._followed: int | None = None
        self.setObjectName("lockstepSizeBox")
        self.setAccessibleName("Entries that all recipes are trained to")
        self.setToolTip(_SIZE_TIP)
        self.setRange(1, MAX_NUMBER)
        self.setSingleStep(500)
        self.setValue(_FIRST)
        self.setPrefix("up to ")
        self.setSuffix(" entries")
        self.setGroupSeparatorShown(True)
        self.setAccelerated(True)
        self.setKeyboardTracking(False)
        FontFollower(self, self._fit)

    def _fit(self) -> None:
        self.setFixedWidth(self.fontMetrics().horizontalAdvance(" up to 1,000,000 entries ") + 34)

    def follow(self, size: int | None) -> None:
        """Take the number of the toolbar if that is another one now; None is no number."""
        if size is not None and size != self._followed:
            self.setValue(size)
        self._followed = size

    def of(self, recipe: Recipe) -> Recipe:
        """A recipe to this size. Raises RecipeError if that is less than it begins with."""
        return recipe.with_changes(vocabulary_size=self.value(), merges=None)


def same_but_size(one: Recipe, other: Recipe) -> bool:
    """Whether two recipes do the same merges as far as both of them go."""
    return one.same_but(other, "vocabulary_size", "merges")
