"""The laboratory in the window: its recipes, its runs, its view, and dropped files."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QWidget

from bpe_gui.bpe.history import History
from bpe_gui.bpe.recipe import Recipe, RecipeError
from bpe_gui.ui.laboratory.lockstep_runs import LockstepRuns
from bpe_gui.ui.laboratory.recipe_files import RecipeFiles
from bpe_gui.ui.run.context import RunContext
from bpe_gui.ui.run.run_control import RunControl
from bpe_gui.ui.widgets.sentences import as_sentence
from bpe_gui.ui.workspaces.late_view import LateView
from bpe_gui.ui.workspaces.workspaces import WorkspaceId, Workspaces

if TYPE_CHECKING:
    from bpe_gui.ui.laboratory.view import LaboratoryView


class Laboratory(LateView["LaboratoryView"]):
    """Holds the recipes and the runs in lockstep, and the view once it is needed."""

    def __init__(self, folder: Path, run: RunContext, parent: QWidget) -> None:
        """`folder` holds the saved recipes and the draft."""
        super().__init__(WorkspaceId.LABORATORY, run, parent)
        self.setObjectName("laboratoryView")
        self.files = RecipeFiles(folder, run.message_bar, self)
        self.runs = LockstepRuns(self)
        self._layout.setContentsMargins(8, 6, 8, 6)

    def join(
        self, workspaces: Workspaces, run_control: RunControl, select_token: Callable[[int], None]
    ) -> None:
        """Connect with the window; `select_token` shows a token of the run in view everywhere."""
        self.follow(workspaces)
        self._run_control, self._select_token = run_control, select_token
        run, actions = self._run, self._run.actions
        actions.train.triggered.connect(self.train)
        actions.save_recipe.triggered.connect(self.save)
        actions.load_recipe.triggered.connect(self.ask_what_to_load)
        workspaces.changed.connect(self._on_place)
        self.made.connect(self._allow_training)
        run.controls.changed.connect(self._tell_chosen)
        run.player.loaded.connect(self._on_loaded)
        self.files.keptChanged.connect(self.offer_kept)
        try:
            self.files.restore()
        except (RecipeError, OSError) as error:
            run.message_bar.show_lasting(as_sentence(error))

    def make_view(self) -> LaboratoryView:
        # Its many modules are loaded when they are needed, not with the window.
        from bpe_gui.ui.laboratory.view import LaboratoryView

        view = LaboratoryView(self._run, self.files, self.runs, self)
        for panel in (view.pipeline, view.boundaries, view.lockstep):
            panel.tokenSelected.connect(self._select_token)
        view.lockstep.divided.connect(self.made)
        view.editor.checked.connect(self._allow_training)
        return view

    # -- actions -------------------------------------------------------------------------------

    @Slot()
    def train(self) -> None:
        """Train the recipe of the editor where that is in view, else the chosen one."""
        if self._in_view:
            self.view.editor.when_checked(self._train)
        else:
            self._run_control.train(is_watched=True)

    def start_from_chosen(self) -> None:
        """Start from the recipe of the toolbar; a saved draft stays until something is changed."""
        self.files.drafts.follow(self._chosen())

    @Slot()
    def save(self) -> None:
        """Save the edited recipe."""
        self._workspaces.laboratory()
        self.view.editor.when_checked(self.files.ask_where)

    @Slot()
    def ask_what_to_load(self) -> None:
        """Let the user pick a recipe file to start from."""
        self._workspaces.laboratory()
        self.files.ask_what_to_load()

    @Slot()
    def offer_kept(self) -> None:
        """Offer the saved recipes in the toolbar, and show which files are bad."""
        recipes, problems = self.files.shelf.load()
        self._run.controls.offer_recipes(recipes.values())
        self._tell_chosen()
        if problems:
            self._run.message_bar.show_lasting(as_sentence("; ".join(problems)))

    def load(self, path: Path) -> None:
        """Start from the recipe in a file."""
        self._workspaces.laboratory()
        self.files.load(path)

    def bring_back_lockstep(self, histories: Sequence[History]) -> None:
        """Compare saved runs on the corpus of the run in view."""
        corpus = self._run.branches.corpus
        if histories and corpus is not None:
            self.runs.adopt(corpus, histories)

    # -- following the window ------------------------------------------------------------------

    @property
    def _in_view(self) -> bool:
        return self._workspaces.shown is WorkspaceId.LABORATORY

    def _train(self, recipe: Recipe) -> None:
        self._run.controls.choose_recipe(recipe)
        self._run_control.train()

    @Slot()
    def _on_place(self) -> None:
        self._allow_training()
        self._tell_chosen()

    @Slot()
    def _allow_training(self) -> None:
        edited = self.view.editor.edited if self._in_view and self.has_view else None
        self._run_control.set_edited(edited)

    @Slot()
    def _tell_chosen(self) -> None:
        self.files.set_chosen(self._chosen())

    def _chosen(self) -> Recipe:
        """Return the recipe of the toolbar; with its own size, where the chosen one makes none."""
        controls = self._run.controls
        try:
            return controls.recipe()
        except RecipeError:
            return controls.chosen_recipe()

    @Slot()
    def _on_loaded(self) -> None:
        branches = self._run.branches
        self.runs.set_corpus(branches.corpus if branches.shown is not None else None)
