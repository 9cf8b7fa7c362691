"""The files of recipes and of drafts."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from bpe_gui.bpe import recipe_io
from bpe_gui.bpe.recipe import Recipe, RecipeError
from bpe_gui.files import write_atomically
from bpe_gui.ui.laboratory.recipe_draft import RecipeDraft, drafts_from_json, drafts_to_json

ENDING = ".json"
"""The ending of all recipe files."""

_LONGEST_STEM = 80
"""Characters of a file's name: at four bytes each, within the limit of file systems."""

_UNFIT = re.compile(r'[\x00-\x1f\x7f/\\:*?"<>|]+|^[. ]+|[. ]+$')
"""Characters that some system forbids in the name of a file."""


@dataclass(frozen=True)
class KeptRecipes:
    """List the recipes of a folder by their names, sorted, and a sentence for every bad file."""

    recipes: dict[str, Recipe]
    problems: tuple[str, ...]


class RecipeShelf:
    """Finds the recipes of a folder, which exists once the first recipe is saved."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def kept(self) -> KeptRecipes:
        """Load all recipes, and return the problems of the other files."""
        found: dict[str, Recipe] = {}
        problems: list[str] = []
        try:
            files = self._files()
        except OSError as error:
            return KeptRecipes({}, (f"{self.folder} cannot be read: {error.strerror or error}",))
        for path in files:
            try:
                recipe = recipe_io.load(path)
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
        return KeptRecipes(dict(sorted(found.items())), tuple(problems))

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
        """Whether a file is in the folder."""
        return path.parent.resolve() == self.folder.resolve() and path.name.endswith(ENDING)

    def _files(self) -> list[Path]:
        if not self.folder.exists():
            return []
        return sorted(path for path in self.folder.iterdir() if path.name.endswith(ENDING))


def _name_in(path: Path) -> str | None:
    """Return the name of the recipe in a file, None if it holds none."""
    try:
        return recipe_io.load(path).name
    except (RecipeError, OSError):
        return None


MAX_BYTES = 16 << 20
"""The largest file of drafts that is read."""


def load_drafts(path: Path) -> tuple[RecipeDraft, ...]:
    """Load the drafts of a file; none if there is no file.

    Raises OSError, and RecipeError if it is damaged: it is renamed, and the sentence says how.
    """
    if not path.exists():
        return ()
    with open(path, "rb") as file:
        data = file.read(MAX_BYTES + 1)
    try:
        if len(data) > MAX_BYTES:
            raise RecipeError(f"it is larger than {MAX_BYTES >> 20} MB")
        return drafts_from_json(data.decode("utf-8"))
    except UnicodeDecodeError:
        reason = "it is not UTF-8 text"
    except RecipeError as error:
        reason = str(error)
    aside = path.with_name(f"{path.stem}.damaged{path.suffix}")
    path.replace(aside)
    raise RecipeError(f"the unsaved recipes are damaged, and kept as {aside}: {reason}")


def save_drafts(path: Path, drafts: tuple[RecipeDraft, ...]) -> None:
    """Save drafts in a file. Raises RecipeError."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, drafts_to_json(drafts))
    except OSError as error:
        reason = error.strerror or str(error)
        raise RecipeError(f"the unsaved recipe cannot be kept in {path}: {reason}") from error
