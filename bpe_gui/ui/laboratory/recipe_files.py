"""The files of the recipe editor: recipes that are kept, shared and loaded, and drafts."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QFileDialog, QMessageBox

from bpe_gui.bpe import recipe_io
from bpe_gui.bpe.recipe import Recipe, RecipeError
from bpe_gui.ui.laboratory.drafts import Drafts
from bpe_gui.ui.laboratory.editor_header import draft_title
from bpe_gui.ui.laboratory.recipe_draft import RecipeDraft
from bpe_gui.ui.laboratory.recipe_shelf import ENDING, DraftStore, RecipeShelf
from bpe_gui.ui.run.background import BackgroundTask, Job
from bpe_gui.ui.widgets.sentences import as_sentence

if TYPE_CHECKING:
    from bpe_gui.ui.laboratory.recipe_editor import RecipeEditor

_FILTER = f"Recipes (*{ENDING});;All files (*)"


class RecipeFiles(QObject):
    """Keeps recipes and drafts in files, and asks the user where to save and what to load.

    There are drafts before there is an editor that shows them.
    """

    keptChanged = Signal()
    """Another recipe is kept, or one no longer is."""
    problem = Signal(str)
    """Something cannot be read or written; one sentence for the user."""
    succeeded = Signal(str)
    """A recipe was saved; a sentence that says so."""

    def __init__(self, folder: Path, parent: QObject) -> None:
        super().__init__(parent)
        self.shelf = RecipeShelf(folder / "recipes")
        self.drafts = Drafts(self)
        self._store = DraftStore(folder / "drafts.json")
        self._filing = BackgroundTask(
            "recipe files",
            self,
            expected=(RecipeError, OSError),
            failure="Recipes could not be read or written",
        )
        self._editor: RecipeEditor | None = None
        self._waiting: list[RecipeDraft] = []
        self._saving: RecipeDraft | None = None
        self._chosen: tuple[Recipe, Recipe | None] = (self.drafts.current.base, None)
        self.drafts.toBeKept.connect(self._keep)
        self.drafts.asideChanged.connect(self._offer)

    def attach(self, editor: RecipeEditor) -> None:
        """Let an editor show the drafts: what was left unsaved, or else the chosen recipe.

        What was asked for meanwhile comes before; what was left unsaved is offered beside it.
        """
        self._editor = editor
        editor.saveWanted.connect(self._ask_where)
        editor.toolbar_note.linkActivated.connect(self._edit_chosen)
        editor.header.deleteWanted.connect(self._delete)
        editor.toolbar_note.show_chosen(self._chosen[1])
        left = self._left()
        begun = left[0] if left and left[0].is_changed else RecipeDraft(self._chosen[0])
        self.drafts.restore((begun, *left[1:]))
        for draft in self._waiting:
            self.drafts.go_on_with(draft)
        self.drafts.undo_stack.clear()
        self._offer()

    def own_recipes(self) -> Iterable[Recipe]:
        """The recipes that are kept."""
        return self.shelf.kept().recipes.values()

    def ask_for(self, recipe: Recipe) -> None:
        """Start from a recipe, even if another was left unsaved: that one is left aside."""
        self.go_on_with(RecipeDraft(recipe))

    @property
    def draft(self) -> RecipeDraft | None:
        """The recipe that is being written; None if nobody has looked at it yet."""
        if self._editor is not None:
            return self.drafts.current
        return self._waiting[-1] if self._waiting else None

    def go_on_with(self, draft: RecipeDraft) -> None:
        """Go on with a draft from elsewhere; what is unsaved here is left aside."""
        if self._editor is not None:
            self.drafts.go_on_with(draft)
        else:
            self._waiting.append(draft)

    def _left(self) -> tuple[RecipeDraft, ...]:
        """What was being written last, and what was aside then; nothing if it is damaged."""
        try:
            return self._store.load()
        except (RecipeError, OSError) as error:
            self.problem.emit(as_sentence(error))
            return ()

    def load(self, path: Path) -> None:
        """Start from the recipe in a file."""
        self._filing.ask_too(partial(_load, path), self.drafts.begin, self._on_failed)

    def set_chosen(self, recipe: Recipe, trained: Recipe | None) -> None:
        """Another recipe is chosen in the toolbar, which would be trained as `trained` says.

        An editor that has shown what was chosen shows what is chosen now; one that was begun
        with another recipe, or has changes, stays as it is.
        """
        before, self._chosen = self._chosen[0], (recipe, trained)
        if self._editor is not None:
            draft = self.drafts.current
            if draft.base == before and recipe != before and not draft.is_changed:
                self.drafts.follow(recipe)
            self._editor.toolbar_note.show_chosen(trained)

    @Slot()
    def _edit_chosen(self) -> None:
        """Start from what is chosen in the toolbar; what has changes is left aside."""
        self.drafts.begin(self._chosen[0])

    @Slot()
    def ask_what_to_load(self) -> None:
        """Let the user pick a recipe file, and start from it."""
        name, _ = QFileDialog.getOpenFileName(
            self._editor, "Load a recipe", str(self.shelf.folder), _FILTER
        )
        if name:
            self.load(Path(name))

    def close(self) -> None:
        """Write down what is still to be written, and end the thread."""
        self.drafts.flush()
        self._filing.finish()

    @Slot(object)
    def _ask_where(self, recipe: Recipe) -> None:
        """Let the user say where to save; where recipes are kept is offered."""
        try:
            self.shelf.folder.mkdir(parents=True, exist_ok=True)
            offered = self.shelf.path_for(recipe.name)
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
        self._saving = self.drafts.current
        named = self._named(recipe, path, offered)
        self._filing.ask_too(partial(_save, named, path), self._on_saved, self._on_failed)

    def _named(self, recipe: Recipe, path: Path, offered: Path) -> Recipe:
        """The recipe, called like its file if its name was not chosen and the file's was."""
        chosen = path.stem != offered.stem and "name" not in self.drafts.current.changes
        return recipe.with_changes(name=path.stem) if chosen else recipe

    @Slot(object)
    def _delete(self, entry: Recipe | RecipeDraft) -> None:
        """Delete a saved recipe with its file, or an unsaved draft, if the user confirms."""
        if isinstance(entry, Recipe):
            if self._is_meant(f"Delete {entry.name} and its file? This cannot be undone."):
                try:
                    self.shelf.delete(entry.name)
                except OSError as error:
                    self.problem.emit(as_sentence(error))
                self._offer()
                self.keptChanged.emit()
        elif self._is_meant(f"Delete {draft_title(entry)}, which was never saved?"):
            self.drafts.delete(entry)

    def _is_meant(self, question: str) -> bool:
        buttons = QMessageBox.StandardButton
        answer = QMessageBox.question(
            self._editor, "Delete a recipe", question, buttons.Yes | buttons.No, buttons.No
        )
        return answer == buttons.Yes

    @Slot(object)
    def _keep(self, drafts: tuple[RecipeDraft, ...]) -> None:
        self._filing.ask_too(partial(_keep, self._store, drafts), self._on_kept, self._on_failed)

    def _on_kept(self, nothing: None) -> None:
        """What is kept by itself is not told of."""

    @Slot(str)
    def _on_failed(self, sentence: str) -> None:
        self.problem.emit(sentence)

    def _on_saved(self, saved: tuple[Recipe, Path]) -> None:
        recipe, path = saved
        if self.drafts.current == self._saving:
            self.drafts.replace(RecipeDraft(recipe))
        if self.shelf.holds(path):
            self._offer()
            self.keptChanged.emit()
            self.succeeded.emit(f"{recipe.name} is saved, and among your recipes: {path}.")
        else:
            self.succeeded.emit(f"{recipe.name} is saved: {path}.")

    @Slot()
    def _offer(self) -> None:
        if self._editor is not None:
            self._editor.header.offer(tuple(self.own_recipes()), self.drafts.aside)


def _save(recipe: Recipe, path: Path, job: Job) -> tuple[Recipe, Path]:
    """Write one recipe, whole or not at all. Raises RecipeError."""
    try:
        recipe_io.save(recipe, path)
    except OSError as error:
        reason = error.strerror or str(error)
        raise RecipeError(f"{path} cannot be written: {reason}; save it elsewhere") from error
    return recipe, path


def _load(path: Path, job: Job) -> Recipe:
    """Read one recipe. Raises RecipeError and OSError."""
    return recipe_io.load(path)


def _keep(store: DraftStore, drafts: tuple[RecipeDraft, ...], job: Job) -> None:
    store.save(drafts)
