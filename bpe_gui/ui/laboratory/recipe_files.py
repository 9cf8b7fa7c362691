"""The files of the recipe editor: saved recipes and the draft."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal, Slot
from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget

from bpe_gui.bpe.recipe import Recipe, RecipeError
from bpe_gui.ui.laboratory.drafts import Drafts, RecipeDraft
from bpe_gui.ui.run.background import BackgroundTask, Job
from bpe_gui.ui.widgets.message_bar import RUN, MessageBar
from bpe_gui.ui.widgets.sentences import as_sentence

# -- the shelf -------------------------------------------------------------------------------------

ENDING = ".json"
"""The ending of all recipe files."""

_LONGEST_STEM = 80
"""Characters of a file's name: at four bytes each, within the limit of file systems."""

_UNFIT = re.compile(r'[\x00-\x1f\x7f/\\:*?"<>|]+|^[. ]+|[. ]+$')
"""Characters that some system forbids in the name of a file."""


def load_recipe(path: Path) -> Recipe:
    """Load the recipe in a file. Raises RecipeError and OSError."""
    # What reads JSON is loaded with the first file, not with the window.
    from bpe_gui.bpe import recipe_io

    return recipe_io.load(path)


class RecipeShelf:
    """Finds the recipes of a folder, which exists once the first recipe is saved."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def load(self) -> tuple[dict[str, Recipe], list[str]]:
        """Load all recipes by their names, sorted; return also the problems of bad files."""
        found: dict[str, Recipe] = {}
        problems: list[str] = []
        try:
            files = self._files()
        except OSError as error:
            return {}, [f"{self.folder} cannot be read: {error.strerror or error}"]
        for path in files:
            try:
                recipe = load_recipe(path)
            except RecipeError as error:
                problems.append(str(error))
            except OSError as error:
                problems.append(f"{path} cannot be read: {error.strerror or error}")
            else:
                if recipe.name in found:
                    problems.append(
                        f"{path} holds another recipe named {recipe.name!r}, which is not "
                        "offered; give it another name"
                    )
                found.setdefault(recipe.name, recipe)
        return dict(sorted(found.items())), problems

    def path_for(self, name: str) -> Path:
        """Return the file of a recipe by its name, or one to save it in. Raises OSError."""
        taken = {path: _name_in(path) for path in self._files()}
        for path, held in taken.items():
            if held == name:
                return path
        stem = _UNFIT.sub("_", name)[:_LONGEST_STEM] or "recipe"
        path, number = self.folder / f"{stem}{ENDING}", 2
        while path in taken:
            path = self.folder / f"{stem} {number}{ENDING}"
            number += 1
        return path

    def delete(self, name: str) -> None:
        """Delete the file of a recipe by its name, if there is one. Raises OSError."""
        for path in self._files():
            if _name_in(path) == name:
                path.unlink()
                return

    def holds(self, path: Path) -> bool:
        """Tell whether a file is in the folder."""
        return path.parent.resolve() == self.folder.resolve() and path.name.endswith(ENDING)

    def _files(self) -> list[Path]:
        if not self.folder.exists():
            return []
        return sorted(path for path in self.folder.iterdir() if path.name.endswith(ENDING))


def _name_in(path: Path) -> str | None:
    try:
        return load_recipe(path).name
    except (RecipeError, OSError):
        return None


# -- the files of the editor -----------------------------------------------------------------------

_FILTER = f"Recipes (*{ENDING});;All files (*)"
_SAVE_AFTER = 400
"""Milliseconds without a change after which the draft is saved."""


class RecipeFiles(QObject):
    """Saves recipes and the draft in files, and asks the user where to save and what to load.

    chosen: the recipe that is chosen in the toolbar, with its size and ties.
    """

    keptChanged = Signal()
    """A recipe has been saved or deleted."""

    def __init__(self, folder: Path, message_bar: MessageBar, parent: QWidget) -> None:
        super().__init__(parent)
        self._window = parent
        self._message_bar = message_bar
        self.shelf = RecipeShelf(folder / "recipes")
        self.drafts = Drafts(self)
        self._path = folder / "drafts.json"
        self._filing = BackgroundTask(
            "recipe files",
            self,
            expected=(RecipeError, OSError),
            failure="Recipes could not be read or written",
        )
        self._saving: RecipeDraft | None = None
        self.chosen = self.drafts.current.base
        self._later = QTimer(self, singleShot=True, interval=_SAVE_AFTER)
        self._later.timeout.connect(self._save_draft)
        self.drafts.unsaved.connect(self._later.start)

    def own_recipes(self) -> Iterable[Recipe]:
        """Return the saved recipes."""
        return self.shelf.load()[0].values()

    @property
    def draft(self) -> RecipeDraft | None:
        """The edited recipe; None if it is the one that is chosen in the toolbar."""
        draft = self.drafts.current
        return None if draft == RecipeDraft(self.chosen) else draft

    def restore(self) -> None:
        """Go on with the saved draft, if there is one. Raises RecipeError and OSError."""
        if self._path.exists():
            # What reads JSON is loaded with the first file, not with the window.
            from bpe_gui.ui.laboratory.draft_files import load_draft

            saved = load_draft(self._path)
            if saved is not None and saved.changes:
                self.drafts.follow(saved)

    def load(self, path: Path) -> None:
        """Start from the recipe in a file."""
        self._filing.ask_too(
            lambda job: load_recipe(path), self.drafts.begin, self._message_bar.show_message
        )

    def set_chosen(self, recipe: Recipe) -> None:
        """Follow the choice in the toolbar, unless the draft is another recipe or has changes."""
        before, self.chosen = self.chosen, recipe
        if self.drafts.current == RecipeDraft(before) and recipe != before:
            self.drafts.follow(recipe)

    @Slot()
    def ask_what_to_load(self) -> None:
        """Let the user pick a recipe file, and start from it."""
        name, _ = QFileDialog.getOpenFileName(
            self._window, "Load a recipe", str(self.shelf.folder), _FILTER
        )
        if name:
            self.load(Path(name))

    def close(self) -> None:
        """Save what is still to be saved, and end the thread."""
        if self._later.isActive():
            self._later.stop()
            self._save_draft()
        self._filing.finish()

    @Slot(object)
    def ask_where(self, recipe: Recipe) -> None:
        """Let the user say where to save; a file among the saved recipes is offered."""
        try:
            self.shelf.folder.mkdir(parents=True, exist_ok=True)
            offered = self.shelf.path_for(recipe.name)
        except OSError as error:
            self._message_bar.show_message(as_sentence(error))
            offered = Path(f"recipe{ENDING}")
        name, _ = QFileDialog.getSaveFileName(
            self._window, "Save the recipe", str(offered), _FILTER
        )
        if not name:
            return
        path = Path(name)
        if not path.suffix:
            path = path.with_name(path.name + ENDING)
        self._saving = self.drafts.current
        if path.stem != offered.stem and "name" not in self._saving.changes:
            recipe = recipe.with_changes(name=path.stem)
        self._filing.ask_too(
            partial(_save, recipe, path), self._on_saved, self._message_bar.show_message
        )

    @Slot(object)
    def delete(self, recipe: Recipe) -> None:
        """Delete a saved recipe with its file, if the user confirms."""
        question = f"Delete {recipe.name} and its file? This cannot be undone."
        buttons = QMessageBox.StandardButton
        answer = QMessageBox.question(
            self._window, "Delete a recipe", question, buttons.Yes | buttons.No, buttons.No
        )
        if answer != buttons.Yes:
            return
        try:
            self.shelf.delete(recipe.name)
        except OSError as error:
            self._message_bar.show_message(as_sentence(error))
        self.keptChanged.emit()

    @Slot()
    def _save_draft(self) -> None:
        work = partial(_save_draft, self._path, self.drafts.current)
        self._filing.ask_too(work, None, self._message_bar.show_message)

    def _on_saved(self, saved: tuple[Recipe, Path]) -> None:
        recipe, path = saved
        if self.drafts.current == self._saving:
            self.drafts.begin(recipe)
        if self.shelf.holds(path):
            self.keptChanged.emit()
            said = f"{recipe.name} is saved, and among your recipes: {path}."
        else:
            said = f"{recipe.name} is saved: {path}."
        self._message_bar.tell_success(RUN, said)


def _save(recipe: Recipe, path: Path, job: Job) -> tuple[Recipe, Path]:
    from bpe_gui.bpe import recipe_io

    try:
        recipe_io.save(recipe, path)
    except OSError as error:
        reason = error.strerror or str(error)
        raise RecipeError(f"{path} cannot be written: {reason}; save it elsewhere") from error
    return recipe, path


def _save_draft(path: Path, draft: RecipeDraft, job: Job) -> None:
    from bpe_gui.ui.laboratory.draft_files import save_draft

    save_draft(path, draft)
