"""A recipe that is being written: what it began as, and what was changed since.

A draft may hold what no recipe may, such as half a regular expression; `problems` says what
keeps it from being one, and where.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from datetime import datetime
from types import MappingProxyType
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from bpe_gui.bpe.recipe import PRESETS, Recipe, RecipeError
from bpe_gui.bpe.recipe_io import fields_from_json, fields_to_json, from_object, to_object

PARTS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "normalizers": ("normalizers",),
        "split": ("split",),
        "symbols": ("symbols",),
        "end of word": ("end_of_word",),
        "alphabet": ("alphabet",),
        "special tokens": ("special_tokens", "reserved_tokens"),
        "unknown token": ("unknown_token",),
        "vocabulary size": ("vocabulary_size",),
        "number of merges": ("merges",),
        "minimum frequency": ("min_frequency",),
        "ties": ("ties",),
    }
)
"""What people call the parts of a recipe, and the fields of each; but its name and description."""

_NAMES = frozenset(known.name for known in fields(Recipe))


@dataclass(frozen=True)
class RecipeDraft:
    """A recipe and changes to it, by the names of its fields.

    A change to what the recipe has anyway is none. `written` is when it was changed last, in
    seconds since 1970, if that is known; drafts that differ in nothing else are equal.

    >>> draft = RecipeDraft(PRESETS["gpt2"]).with_changes(split="digits", min_frequency=1)
    >>> draft.changed_parts
    ('split',)
    >>> draft.recipe().name
    'my gpt2'
    >>> draft.reset("split") == RecipeDraft(PRESETS["gpt2"])
    True
    """

    base: Recipe
    changes: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    written: float | None = field(default=None, compare=False)

    def value(self, name: str) -> Any:
        """What a field holds now."""
        return self.changes.get(name, getattr(self.base, name))

    def with_changes(self, **values: Any) -> RecipeDraft:
        """The draft with other values in some fields."""
        unknown = values.keys() - _NAMES
        if unknown:
            raise KeyError(f"a recipe has no field {min(unknown)!r}")
        changes = {
            name: value
            for name, value in {**self.changes, **values}.items()
            if value != getattr(self.base, name)
        }
        return RecipeDraft(self.base, MappingProxyType(changes))

    def reset(self, part: str) -> RecipeDraft:
        """The draft with a part as it was at first."""
        return self.with_changes(**{name: getattr(self.base, name) for name in PARTS[part]})

    @property
    def changed_parts(self) -> tuple[str, ...]:
        """The parts that are no longer what they were at first."""
        return tuple(part for part, names in PARTS.items() if self.changes.keys() & set(names))

    @property
    def is_changed(self) -> bool:
        """Whether anything is another than at first, be it the name."""
        return bool(self.changes)

    @property
    def name(self) -> str:
        """The name that was given, or one that says what the draft began as."""
        if "name" not in self.changes and self.changed_parts and self.base.name in PRESETS:
            return f"my {self.base.name}"
        return str(self.value("name"))

    @property
    def title(self) -> str:
        """What tells it from other drafts: its name, what was changed, and when."""
        title = f"{self.name}: {self.changed}"
        if self.written is None:
            return title
        when = datetime.fromtimestamp(self.written)
        today = when.date() == datetime.now().date()
        return f"{title}, {when:%H:%M}" if today else f"{title}, {when.day} {when:%b %Y %H:%M}"

    @property
    def changed(self) -> str:
        """What was changed, in a few words."""
        return ", ".join(self.changed_parts) or "its name"

    def recipe(self) -> Recipe:
        """The recipe that the draft is now. Raises RecipeError if it is none."""
        if not self.changes:
            return self.base
        return self.base.with_changes(
            **{**self.changes, "name": self.name, "description": self._description()}
        )

    def _description(self) -> str:
        changed = ", ".join(self.changed_parts)
        if not changed or self.base.name not in PRESETS:
            return self.base.description
        return f"From {self.base.name}, with changes: {changed}"


_LATEST = 1e11
"""Seconds since 1970 that can be told as a date, in whatever time zone."""


class _Draft(msgspec.Struct, forbid_unknown_fields=True):
    """A draft as its file has it; the recipes in it are as `recipe_io` has them."""

    base: dict[str, Any]
    changes: dict[str, Any]
    written: Annotated[float, Meta(ge=0, lt=_LATEST)] | None = None


def drafts_to_json(drafts: tuple[RecipeDraft, ...]) -> str:
    """The text of a file that keeps drafts."""
    written = [
        _Draft(to_object(draft.base), fields_to_json(draft.changes), draft.written)
        for draft in drafts
    ]
    return msgspec.json.format(msgspec.json.encode(written), indent=1).decode() + "\n"


def drafts_from_json(text: str) -> tuple[RecipeDraft, ...]:
    """The drafts in the text of a file. Raises RecipeError with one sentence."""
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
