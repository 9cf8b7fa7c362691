"""A recipe that is being edited: the recipe it began as, and the changes since.

A draft may be no recipe yet, for example with half a regular expression; see `problems`.
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
"""The parts of a recipe as people call them, with their fields; without name and description."""

_NAMES = frozenset(known.name for known in fields(Recipe))


@dataclass(frozen=True)
class RecipeDraft:
    """Hold a recipe and changes to it, by the names of its fields.

    A change to the value that the recipe has is none. `written` is the time of the last change in
    seconds since 1970, if known; drafts that differ in nothing else are equal.

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
        """Return the value of a field."""
        return self.changes.get(name, getattr(self.base, name))

    def with_changes(self, **values: Any) -> RecipeDraft:
        """Return the draft with other values in some fields."""
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
        """Return the draft with a part as the recipe has it."""
        return self.with_changes(**{name: getattr(self.base, name) for name in PARTS[part]})

    @property
    def changed_parts(self) -> tuple[str, ...]:
        """The parts that differ from the recipe."""
        return tuple(part for part, names in PARTS.items() if self.changes.keys() & set(names))

    @property
    def is_changed(self) -> bool:
        """Whether anything differs from the recipe, even only the name."""
        return bool(self.changes)

    @property
    def name(self) -> str:
        """The name that was written, or one that names the recipe it began as."""
        if "name" not in self.changes and self.changed_parts and self.base.name in PRESETS:
            return f"my {self.base.name}"
        return str(self.value("name"))

    @property
    def title(self) -> str:
        """The name, what was changed, and when: it tells drafts apart."""
        title = f"{self.name}: {self.changed}"
        if self.written is None:
            return title
        when = datetime.fromtimestamp(self.written)
        today = when.date() == datetime.now().date()
        return f"{title}, {when:%H:%M}" if today else f"{title}, {when.day} {when:%b %Y %H:%M}"

    @property
    def changed(self) -> str:
        """The changed parts in a few words."""
        return ", ".join(self.changed_parts) or "its name"

    def recipe(self) -> Recipe:
        """Return the draft as a recipe. Raises RecipeError if it is none."""
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
