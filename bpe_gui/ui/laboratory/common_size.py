"""The size that all recipes in lockstep are trained to."""

from __future__ import annotations

from PySide6.QtWidgets import QSpinBox, QWidget

from bpe_gui.bpe.recipe import MAX_NUMBER, Recipe
from bpe_gui.ui.theme.text_size import FontFollower

_FIRST = 2_000
_TIP = (
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
        self.setToolTip(_TIP)
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
