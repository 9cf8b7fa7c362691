"""The laboratory within the window: its text, its recipes, and what is dropped on it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot

from bpe_gui.bpe.corpus import CorpusError
from bpe_gui.bpe.recipe import Recipe, RecipeError
from bpe_gui.bpe.recipe_io import holds_recipe
from bpe_gui.ui.context.workspaces import WorkspaceId, Workspaces
from bpe_gui.ui.laboratory.laboratory import Laboratory
from bpe_gui.ui.run.controls import Controls
from bpe_gui.ui.run.sample_text import SampleText
from bpe_gui.ui.widgets.message_bar import MessageBar
from bpe_gui.ui.widgets.sentences import as_sentence


class LaboratoryController(QObject):
    """Passes on between the laboratory and the rest of the window."""

    trainWanted = Signal()
    """What is chosen now is to be trained."""
    othersDropped = Signal(list)
    """Paths that hold no recipe."""

    def __init__(
        self,
        laboratory: Laboratory,
        workspaces: Workspaces,
        sample_text: SampleText,
        controls: Controls,
        message_bar: MessageBar,
    ) -> None:
        super().__init__(laboratory)
        self.laboratory = self._laboratory = laboratory
        self._workspaces = workspaces
        self._sample_text = sample_text
        self._controls = controls
        self._message_bar = message_bar
        workspaces.left.connect(self._on_left)
        workspaces.changed.connect(self._on_workspace)
        controls.changed.connect(self._pass_on_choice)
        laboratory.wanted.connect(workspaces.laboratory)
        laboratory.trainWanted.connect(self._on_train)
        laboratory.keptChanged.connect(self.offer_kept)
        laboratory.problem.connect(message_bar.show_message)
        laboratory.overcome.connect(message_bar.retract)
        laboratory.succeeded.connect(message_bar.show_success)

    @Slot()
    def offer_kept(self) -> None:
        """Offer the recipes that are kept; say which files there are none."""
        kept = self._laboratory.shelf.kept()
        self._controls.offer_recipes(kept.recipes.values())
        self._tell_chosen()
        if kept.problems:
            self._message_bar.show_lasting(as_sentence(ValueError("; ".join(kept.problems))))

    @Slot(list)
    def take_dropped(self, paths: Sequence[str]) -> None:
        """Start from a recipe, if the files hold one; all else is for others."""
        recipes = [path for path in paths if holds_recipe(path)]
        others = [path for path in paths if path not in recipes]
        if recipes:
            self._laboratory.load(Path(recipes[0]))
        if len(recipes) > 1:
            self._message_bar.show_message(
                f"One recipe at a time: {Path(recipes[0]).name} is loaded, drop the others "
                "one by one."
            )
        if others:
            self.othersDropped.emit(others)

    @Slot(object)
    def _on_train(self, recipe: Recipe) -> None:
        self._controls.choose_recipe(recipe)
        self.trainWanted.emit()

    def set_on_stage(self, on: bool) -> None:
        """Views of the laboratory are on the stage, whatever workspace is behind it, or not."""
        self._follow(on or self._workspaces.shown is WorkspaceId.LABORATORY)

    def give_back_text(self) -> None:
        """One's own text is the same everywhere: have what was written here elsewhere."""
        if self._workspaces.shown is WorkspaceId.LABORATORY:
            self._on_left(WorkspaceId.LABORATORY)

    @Slot(int)
    def _on_left(self, place: int) -> None:
        """One's own text is the same in all workspaces."""
        text = self._laboratory.text()
        if place == WorkspaceId.LABORATORY and text != self._sample_text.text:
            self._sample_text.set(text)

    @Slot(int)
    def _on_workspace(self, place: int) -> None:
        self._follow(place == WorkspaceId.LABORATORY)

    def _follow(self, seen: bool) -> None:
        """Have what the window has, while somebody looks on."""
        if seen:
            self._laboratory.begin_with(self._controls.chosen_recipe())
            self._laboratory.set_text(self._sample_text.text)
            self._pass_on_choice()
        self._laboratory.set_active(seen)

    def _tell_chosen(self) -> None:
        """Tell which recipe is chosen; one that cannot be trained is told of elsewhere."""
        try:
            trained = self._controls.recipe()
        except RecipeError:
            trained = None
        self._laboratory.set_chosen(self._controls.chosen_recipe(), trained)

    @Slot()
    def _pass_on_choice(self) -> None:
        """Have the chosen corpus measured; one that cannot be read is told of elsewhere."""
        self._tell_chosen()
        self._laboratory.set_size(self._controls.vocabulary_size)
        try:
            corpus = self._controls.corpus()
        except CorpusError:
            self._laboratory.set_corpus(None)
        else:
            self._laboratory.set_corpus(corpus)
