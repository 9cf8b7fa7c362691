"""The laboratory within the window: its recipes, its runs, and what is dropped on it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from bpe_gui.bpe.history import History
from bpe_gui.bpe.recipe import Recipe, RecipeError
from bpe_gui.bpe.recipe_io import holds_recipe
from bpe_gui.ui.actions.actions import Actions
from bpe_gui.ui.laboratory.laboratory import Laboratory
from bpe_gui.ui.laboratory.lockstep_runs import LockstepRuns
from bpe_gui.ui.laboratory.recipe_files import RecipeFiles
from bpe_gui.ui.run.branches import Branches
from bpe_gui.ui.run.controls import Controls
from bpe_gui.ui.run.player import Player
from bpe_gui.ui.run.sample_text import SampleText
from bpe_gui.ui.run.training import Training
from bpe_gui.ui.widgets.message_bar import MessageBar
from bpe_gui.ui.widgets.sentences import as_sentence
from bpe_gui.ui.workspaces.workspaces import WorkspaceId, Workspaces

if TYPE_CHECKING:
    from bpe_gui.ui.laboratory.view import LaboratoryView


class LaboratoryController(QObject):
    """Makes the view of the laboratory, and connects it with the rest of the window.

    The recipes and the runs in lockstep are there before anybody looks.
    """

    trainWanted = Signal()
    """What is chosen now is to be trained."""

    def __init__(
        self,
        laboratory: Laboratory,
        folder: Path,
        actions: Actions,
        workspaces: Workspaces,
        training: Training,
        branches: Branches,
        player: Player,
        sample_text: SampleText,
        controls: Controls,
        message_bar: MessageBar,
    ) -> None:
        """`folder` is where recipes and drafts of them are kept."""
        super().__init__(laboratory)
        self.laboratory = laboratory
        self.files = RecipeFiles(folder, self, laboratory)
        self.runs = LockstepRuns(self)
        self._actions = actions
        self._workspaces = workspaces
        self._training = training
        self._branches = branches
        self._player = player
        self._sample_text = sample_text
        self._controls = controls
        self._message_bar = message_bar
        laboratory.make_with(self._make_view)
        actions.train_recipe.triggered.connect(self.train)
        actions.save_recipe.triggered.connect(self.save)
        actions.load_recipe.triggered.connect(self.ask_what_to_load)
        workspaces.sightChanged.connect(self._follow)
        controls.changed.connect(self._tell_chosen)
        player.loaded.connect(self._on_loaded)
        self.files.keptChanged.connect(self.offer_kept)
        self.files.problem.connect(message_bar.show_message)
        self.files.succeeded.connect(message_bar.show_success)
        try:
            self.files.restore()
        except (RecipeError, OSError) as error:
            message_bar.show_lasting(as_sentence(error))

    def _make_view(self) -> LaboratoryView:
        # Half a hundred modules are loaded when they are needed, not with the window.
        from bpe_gui.ui.laboratory.view import LaboratoryView

        view = LaboratoryView(
            self._actions, self.files, self.runs, self._sample_text, self._player,
            self._branches, self._training, self._controls, self.laboratory,
        )  # fmt: skip
        view.tokenSelected.connect(self.laboratory.tokenSelected)
        view.lockstep.divided.connect(self.laboratory.made)
        view.editor.trainWanted.connect(self._on_train)
        view.editor.problem.connect(self._message_bar.show_message)
        view.editor.overcome.connect(self._message_bar.retract)
        self._offer_to(view)
        return view

    def _offer_to(self, view: LaboratoryView) -> None:
        for choice in view.lockstep.choices:
            choice.offer(self.files.own_recipes())

    # -- what is asked for ---------------------------------------------------------------------

    @Slot()
    def train(self) -> None:
        """Train with the recipe that is being written."""
        self._workspaces.laboratory()
        self.laboratory.view.editor.train()

    @Slot()
    def save(self) -> None:
        """Save the recipe that is being written."""
        self._workspaces.laboratory()
        self.laboratory.view.editor.save()

    @Slot()
    def ask_what_to_load(self) -> None:
        """Let the user pick a recipe file to start from."""
        self._workspaces.laboratory()
        self.files.ask_what_to_load()

    def load(self, path: Path) -> None:
        """Start from the recipe in a file."""
        self._workspaces.laboratory()
        self.files.load(path)

    @Slot()
    def offer_kept(self) -> None:
        """Offer the recipes that are kept; say which files there are none."""
        kept = self.files.shelf.kept()
        self._controls.offer_recipes(kept.recipes.values())
        if self.laboratory.has_view:
            self._offer_to(self.laboratory.view)
        self._tell_chosen()
        if kept.problems:
            self._message_bar.show_lasting(as_sentence(ValueError("; ".join(kept.problems))))

    def take_dropped(self, paths: Sequence[str]) -> list[str]:
        """Start from a recipe, if the files hold one; returns the other files."""
        recipes = [path for path in paths if holds_recipe(path)]
        if recipes:
            self.load(Path(recipes[0]))
        if len(recipes) > 1:
            self._message_bar.show_message(
                f"One recipe at a time: {Path(recipes[0]).name} is loaded, drop the others "
                "one by one."
            )
        return [path for path in paths if path not in recipes]

    def bring_back_lockstep(self, histories: Sequence[History]) -> None:
        """Put runs side by side that were trained on the corpus of the run in view before."""
        corpus = self._branches.corpus
        if histories and corpus is not None:
            self.runs.adopt(corpus, histories)

    def close(self) -> None:
        """End what goes on in the background."""
        if self.laboratory.has_view:
            self.laboratory.view.close_threads()
        self.runs.close()
        self.files.close()

    # -- what follows --------------------------------------------------------------------------

    @Slot(object)
    def _on_train(self, recipe: Recipe) -> None:
        self._controls.choose_recipe(recipe)
        self.trainWanted.emit()

    @Slot()
    def _follow(self) -> None:
        """Be at work while somebody looks on."""
        self._tell_chosen()
        seen = self._workspaces.in_sight(WorkspaceId.LABORATORY)
        if seen or self.laboratory.has_view:
            self.laboratory.view.set_active(seen)

    @Slot()
    def _tell_chosen(self) -> None:
        """Tell which recipe is chosen; one that cannot be trained is told of elsewhere."""
        try:
            trained = self._controls.recipe()
        except RecipeError:
            trained = None
        self.files.set_chosen(self._controls.chosen_recipe(), trained)

    @Slot()
    def _on_loaded(self) -> None:
        branches = self._branches
        self.runs.set_corpus(branches.corpus if branches.shown is not None else None)
