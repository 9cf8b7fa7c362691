"""The files of the recipe editor: recipes that are kept, shared and loaded, and drafts."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QFileDialog, QMessageBox

from bpe_gui.bpe.recipe import Recipe, RecipeError
from bpe_gui.ui.laboratory.draft_store import DraftStore
from bpe_gui.ui.laboratory.editor_header import draft_title
from bpe_gui.ui.laboratory.filing import Filing
from bpe_gui.ui.laboratory.recipe_draft import RecipeDraft
from bpe_gui.ui.laboratory.recipe_editor import RecipeEditor
from bpe_gui.ui.laboratory.recipe_shelf import ENDING, RecipeShelf
from bpe_gui.ui.widgets.sentences import as_sentence

_FILTER = f"Recipes (*{ENDING});;All files (*)"


class RecipeDesk(QObject):
    """Asks where to save and what to load, and keeps the drafts of an editor."""

    kept_changed = Signal()
    """Another recipe is kept, or one no longer is."""
    problem = Signal(str)
    """Something cannot be read or written; one sentence for the user."""
    succeeded = Signal(str)
    """A recipe was saved; a sentence that says so."""

    def __init__(self, editor: RecipeEditor, shelf: RecipeShelf, store: DraftStore) -> None:
        super().__init__(editor)
        self._editor = editor
        self._drafts = editor.drafts
        self._shelf = shelf
        self._filing = Filing(store, self)
        self._saving: RecipeDraft | None = None
        self._chosen: tuple[Recipe, Recipe | None] | None = None
        editor.saveWanted.connect(self._ask_where)
        editor.toolbar_note.editWanted.connect(self._edit_chosen)
        editor.header.deleteWanted.connect(self._delete)
        self._drafts.to_be_kept.connect(self._filing.keep)
        self._drafts.aside_changed.connect(self._offer)
        self._filing.saved.connect(self._on_saved)
        self._filing.loaded.connect(self._on_loaded)
        self._filing.failed.connect(self.problem)
        self._store = store

    def begin(self, recipe: Recipe) -> None:
        """Go on with what was left unsaved, or if nothing was, start from a recipe."""
        drafts = self._left()
        if not drafts or not drafts[0].is_changed:
            drafts = (RecipeDraft(recipe), *drafts[1:])
        self._drafts.restore(drafts)
        self._offer()

    def begin_anew(self, recipe: Recipe) -> None:
        """Start from a recipe; what was left unsaved is offered beside it."""
        drafts = self._left()
        if drafts and not drafts[0].is_changed:
            drafts = drafts[1:]
        self._drafts.restore((RecipeDraft(recipe), *drafts))
        self._offer()

    def _left(self) -> tuple[RecipeDraft, ...]:
        """What was being written last, and what was aside then; nothing if it is damaged."""
        try:
            return self._store.load()
        except (RecipeError, OSError) as error:
            self.problem.emit(as_sentence(error))
            return ()

    def load(self, path: Path) -> None:
        """Start from the recipe in a file."""
        self._filing.load(path)

    def set_chosen(self, recipe: Recipe, trained: Recipe | None) -> None:
        """Another recipe is chosen in the toolbar, which would be trained as `trained` says.

        An editor that has shown what was chosen shows what is chosen now; one that was begun
        with another recipe, or has changes, stays as it is.
        """
        before = self._chosen[0] if self._chosen is not None else None
        self._chosen = recipe, trained
        draft = self._drafts.current
        if draft.base == before and recipe != before and not draft.is_changed:
            self._drafts.begin(recipe)
        self._editor.toolbar_note.show_chosen(trained)

    @Slot()
    def _edit_chosen(self) -> None:
        """Start from what is chosen in the toolbar; what has changes is left aside."""
        if self._chosen is not None:
            self._drafts.begin(self._chosen[0])

    @Slot()
    def ask_what_to_load(self) -> None:
        """Let the user pick a recipe file, and start from it."""
        name, _ = QFileDialog.getOpenFileName(
            self._editor, "Load a recipe", str(self._shelf.folder), _FILTER
        )
        if name:
            self.load(Path(name))

    def close(self) -> None:
        """Write down what is still to be written, and end the thread."""
        self._drafts.flush()
        self._filing.close()

    @Slot(object)
    def _ask_where(self, recipe: Recipe) -> None:
        """Let the user say where to save; where recipes are kept is offered."""
        try:
            self._shelf.folder.mkdir(parents=True, exist_ok=True)
            offered = self._shelf.path_for(recipe.name)
        except OSError as error:
            self.problem.emit(as_sentence(error))
            offered = Path(f"recipe{ENDING}")
        name, _ = QFileDialog.getSaveFileName(
            self._editor, "Save the recipe", str(offered), _FILTER
        )
        if not name:
            return
        path = Path(name)
        if not path.suffix:
            path = path.with_name(path.name + ENDING)
        self._saving = self._editor.draft
        self._filing.save(self._named(recipe, path, offered), path)

    def _named(self, recipe: Recipe, path: Path, offered: Path) -> Recipe:
        """The recipe, called like its file if its name was not chosen and the file's was."""
        chosen = path.stem != offered.stem and "name" not in self._editor.draft.changes
        return recipe.with_changes(name=path.stem) if chosen else recipe

    @Slot(object)
    def _delete(self, which: Recipe | int) -> None:
        """Be rid of a kept recipe and its file, or of a draft, if the user means it."""
        if isinstance(which, Recipe):
            if self._is_meant(f"Delete {which.name} and its file? This cannot be undone."):
                try:
                    self._shelf.delete(which.name)
                except OSError as error:
                    self.problem.emit(as_sentence(error))
                self._offer()
                self.kept_changed.emit()
        elif self._is_meant(
            f"Delete {draft_title(self._drafts.aside[which])}, which was never saved?"
        ):
            self._drafts.delete(which)

    def _is_meant(self, question: str) -> bool:
        buttons = QMessageBox.StandardButton
        answer = QMessageBox.question(
            self._editor, "Delete a recipe", question, buttons.Yes | buttons.No, buttons.No
        )
        return answer == buttons.Yes

    @Slot(object, object)
    def _on_saved(self, recipe: Recipe, path: Path) -> None:
        if self._editor.draft == self._saving:
            self._drafts.replace(RecipeDraft(recipe))
        if self._shelf.holds(path):
            self._offer()
            self.kept_changed.emit()
            self.succeeded.emit(f"{recipe.name} is saved, and among your recipes: {path}.")
        else:
            self.succeeded.emit(f"{recipe.name} is saved: {path}.")

    @Slot(object, object)
    def _on_loaded(self, recipe: Recipe, path: Path) -> None:
        self._drafts.begin(recipe)

    @Slot()
    def _offer(self) -> None:
        kept = self._shelf.kept()
        self._editor.header.offer(tuple(kept.recipes.values()), self._drafts.aside)
