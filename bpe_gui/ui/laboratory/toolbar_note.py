"""What the toolbar would train, where that is not the recipe that is being written."""

from __future__ import annotations

from html import escape

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QWidget

from bpe_gui.bpe.recipe import Recipe
from bpe_gui.ui.pipeline.recipe_words import TIES
from bpe_gui.ui.widgets.labels import LinkLabel


class ToolbarNote(LinkLabel):
    """One quiet line, and none where the toolbar and the editor mean the same.

    The editor's own button trains what is written; Train in the toolbar what is chosen there.
    """

    editWanted = Signal()
    """The user wants to edit the recipe of the toolbar."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__("toolbarNote", parent)
        self.setProperty("quiet", True)
        self._chosen: Recipe | None = None
        self._written: Recipe | None = None
        self.linkActivated.connect(self._on_link)
        self._tell()

    def show_chosen(self, recipe: Recipe | None) -> None:
        """The toolbar would train another recipe, or (None) can train none."""
        self._chosen = recipe
        self._tell()

    def show_written(self, recipe: Recipe | None) -> None:
        """Another recipe is being written, or (None) what is written is none."""
        self._written = recipe
        self._tell()

    def _tell(self) -> None:
        text = ""
        if self._chosen is not None and self._written is not None:
            text = told(self._chosen, self._written)
        if text != self.text():
            self.setText(text)
        self.setVisible(bool(text))

    @Slot()
    def _on_link(self) -> None:
        self.editWanted.emit()


def told(chosen: Recipe, written: Recipe) -> str:
    """What the toolbar would train, and how it differs from what is written; empty if it is that.

    Rich text.
    """
    if chosen == written:
        return ""
    if chosen.same_but(written, "vocabulary_size", "ties"):
        return f"Train (F5) in the toolbar trains it {_otherwise(chosen, written)}."
    name = f"“{escape(chosen.name)}”"
    as_before = " as it was chosen there" if chosen.name == written.name else ""
    return (
        f"Train (F5) in the toolbar trains {name}{as_before}, not this recipe. "
        f"<a href='edit'>Edit {name}</a>"
    )


def _otherwise(chosen: Recipe, written: Recipe) -> str:
    """The size and the rule for ties that the toolbar has, as far as they are other ones."""
    said = []
    if chosen.vocabulary_size != written.vocabulary_size:
        size = chosen.vocabulary_size
        said.append("without a bound" if size is None else f"up to {size:,} entries")
    if chosen.ties is not written.ties:
        said.append(f"with ties: {TIES[chosen.ties]}")
    return ", ".join(said)
