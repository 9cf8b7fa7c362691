"""Recipes and drafts to and from files; what fails is told in one sentence."""

from __future__ import annotations

from pathlib import Path

from bpe_gui.bpe import recipe_io
from bpe_gui.bpe.recipe import Recipe, RecipeError
from bpe_gui.ui.laboratory.draft_store import DraftStore
from bpe_gui.ui.laboratory.recipe_draft import RecipeDraft
from bpe_gui.ui.run.background import Job


def save(recipe: Recipe, path: Path, job: Job) -> tuple[Recipe, Path]:
    """Write one recipe, whole or not at all. Raises RecipeError."""
    try:
        recipe_io.save(recipe, path)
    except OSError as error:
        reason = error.strerror or str(error)
        raise RecipeError(f"{path} cannot be written: {reason}; save it elsewhere") from error
    return recipe, path


def load(path: Path, job: Job) -> Recipe:
    """Read one recipe. Raises RecipeError and OSError."""
    return recipe_io.load(path)


def keep(store: DraftStore, drafts: tuple[RecipeDraft, ...], job: Job) -> None:
    """Write the drafts. Raises RecipeError."""
    try:
        store.save(drafts)
    except OSError as error:
        reason = error.strerror or str(error)
        raise RecipeError(
            f"the unsaved recipe cannot be kept in {store.path}: {reason}"
        ) from error
