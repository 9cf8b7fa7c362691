"""A recipe that is being edited: the recipe it began as, and the changes since.

A draft may be no recipe yet, for example with half a regular expression; see `problems`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from datetime import datetime
from types import MappingProxyType
from typing import Any

from bpe_gui.bpe.recipe import PRESETS, Recipe

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
