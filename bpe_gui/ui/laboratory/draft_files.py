"""The draft of a recipe as JSON."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from bpe_gui.bpe.recipe import RecipeError
from bpe_gui.bpe.recipe_io import fields_from_json, fields_to_json, from_object, to_object
from bpe_gui.files import write_atomically
from bpe_gui.ui.laboratory.drafts import RecipeDraft

MAX_BYTES = 16 << 20
"""The largest file that is read."""


class _Draft(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """Mirror a draft in JSON, with recipes as `recipe_io` writes them.

    written: the time of the last change in files of earlier versions; ignored.
    """

    base: dict[str, Any]
    changes: dict[str, Any]
    written: float | None = None


def draft_to_object(draft: RecipeDraft) -> dict[str, Any] | None:
    """Return a draft as an object of JSON; None for one that goes on from an encoding, whose merges
    no recipe in JSON has.
    """
    if draft.base.inherited is not None:
        return None
    return {"base": to_object(draft.base), "changes": fields_to_json(draft.changes)}


def draft_from_object(found: object) -> RecipeDraft:
    """Parse what `draft_to_object` has written. Raises RecipeError with one sentence."""
    try:
        draft = msgspec.convert(found, _Draft)
    except (msgspec.ValidationError, RecursionError):
        raise RecipeError("it does not hold the draft of a recipe") from None
    return RecipeDraft(from_object(draft.base)).with_changes(**fields_from_json(draft.changes))


def save_draft(path: Path, draft: RecipeDraft) -> None:
    """Save the draft in a file. Raises RecipeError."""
    # Earlier versions kept several drafts.
    drafts = [found] if (found := draft_to_object(draft)) is not None else []
    text = msgspec.json.format(msgspec.json.encode(drafts), indent=1).decode()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, f"{text}\n")
    except OSError as error:
        reason = error.strerror or str(error)
        raise RecipeError(f"the unsaved recipe cannot be kept in {path}: {reason}") from error


def load_draft(path: Path) -> RecipeDraft | None:
    """Load the draft of a file; None if there is no file.

    Raises OSError, and RecipeError if it is damaged: it is renamed, and the sentence says how.
    """
    with open(path, "rb") as file:
        data = file.read(MAX_BYTES + 1)
    try:
        if len(data) > MAX_BYTES:
            raise RecipeError(f"it is larger than {MAX_BYTES >> 20} MB")
        return _parsed(data)
    except RecipeError as error:
        damaged = path.with_name(f"{path.stem}.damaged{path.suffix}")
        path.replace(damaged)
        said = f"the unsaved recipe is damaged, and kept as {damaged}: {error}"
        raise RecipeError(said) from None


def _parsed(data: bytes) -> RecipeDraft | None:
    try:
        found = msgspec.json.decode(data, type=list[Any])
    except (msgspec.DecodeError, RecursionError) as error:
        raise RecipeError(f"it is not JSON of a draft: {error}") from None
    return draft_from_object(found[0]) if found else None
