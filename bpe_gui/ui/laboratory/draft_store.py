"""The file that keeps unsaved recipes from one start of the program to the next."""

from __future__ import annotations

from pathlib import Path

from bpe_gui.bpe.recipe import RecipeError
from bpe_gui.files import write_atomically
from bpe_gui.ui.laboratory.recipe_draft import RecipeDraft, drafts_from_json, drafts_to_json

MAX_BYTES = 16 << 20
"""The largest file that is read."""


class DraftStore:
    """Reads and writes that file; a damaged one is put aside, not written over."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def load(self) -> tuple[RecipeDraft, ...]:
        """The drafts that were kept last; none if none ever were.

        Raises RecipeError, with one sentence that says where the file is now, if it is
        damaged, and OSError.
        """
        if not self.path.exists():
            return ()
        with open(self.path, "rb") as file:
            data = file.read(MAX_BYTES + 1)
        try:
            if len(data) > MAX_BYTES:
                raise RecipeError(f"it is larger than {MAX_BYTES >> 20} MB")
            return drafts_from_json(data.decode("utf-8"))
        except UnicodeDecodeError:
            reason = "it is not UTF-8 text"
        except RecipeError as error:
            reason = str(error)
        aside = self.path.with_name(f"{self.path.stem}.damaged{self.path.suffix}")
        self.path.replace(aside)
        raise RecipeError(f"the unsaved recipes are damaged, and kept as {aside}: {reason}")

    def save(self, drafts: tuple[RecipeDraft, ...]) -> None:
        """Keep drafts in place of those that were kept before. Raises OSError."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(self.path, drafts_to_json(drafts))
