"""Drafts of recipes as JSON."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from bpe_gui.bpe.recipe import RecipeError
from bpe_gui.bpe.recipe_io import fields_from_json, fields_to_json, from_object, to_object
from bpe_gui.ui.laboratory.drafts import RecipeDraft

_LATEST = 1e11
"""Seconds since 1970 that make a date in every time zone."""


class _Draft(msgspec.Struct, forbid_unknown_fields=True):
    """Mirror a draft in its file, with recipes as `recipe_io` writes them."""

    base: dict[str, Any]
    changes: dict[str, Any]
    written: Annotated[float, Meta(ge=0, lt=_LATEST)] | None = None


def drafts_to_json(drafts: tuple[RecipeDraft, ...]) -> str:
    """Return the text of a file of drafts."""
    written = [
        _Draft(to_object(draft.base), fields_to_json(draft.changes), draft.written)
        for draft in drafts
    ]
    return msgspec.json.format(msgspec.json.encode(written), indent=1).decode() + "\n"


def drafts_from_json(text: str) -> tuple[RecipeDraft, ...]:
    """Parse the text of a file of drafts. Raises RecipeError with one sentence."""
    try:
        found = msgspec.json.decode(text, type=list[_Draft])
    except RecursionError:
        raise RecipeError("it is nested too deeply") from None
    except msgspec.ValidationError:
        raise RecipeError("it does not hold drafts of recipes") from None
    except msgspec.DecodeError as error:
        raise RecipeError(f"it is not JSON: {error}") from None
    return tuple(
        replace(
            RecipeDraft(from_object(draft.base)).with_changes(**fields_from_json(draft.changes)),
            written=draft.written,
        )
        for draft in found
    )
