"""The edited recipe, and undo.

A draft may be no recipe yet, for example with half a regular expression; see `problems`.
"""

from __future__ import annotations

from collections.abc import Mapping
from time import monotonic
from types import MappingProxyType
from typing import Any

from msgspec import Struct
from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QUndoCommand, QUndoStack

from bpe_gui.bpe.recipe import PRESETS, TOKEN_OPTIONS, Recipe, own_pattern

PARTS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "normalizers": ("normalizers",),
        "split": ("split",),
        "symbols": ("symbols",),
        "end of word": ("end_of_word",),
        "alphabet": ("alphabet", "inherited"),
        "byte fallback": ("byte_fallback",),
        "special tokens": ("special_tokens", "reserved_tokens", *TOKEN_OPTIONS),
        "unknown token": ("unknown_token",),
        "vocabulary size": ("vocabulary_size",),
        "number of merges": ("merges",),
        "minimum frequency": ("min_frequency",),
        "ties": ("ties",),
    }
)
"""The parts of a recipe as people call them, with their fields; without name and description."""

_NAMES = frozenset(Recipe.__struct_fields__)


class RecipeDraft(Struct, frozen=True):
    """Hold a recipe and changes to it, by the names of its fields.

    A change to the value that the recipe has is none.

    >>> draft = RecipeDraft(PRESETS["gpt2"]).with_changes(split="digits", min_frequency=1)
    >>> draft.changed_parts
    ('split',)
    >>> draft.recipe().name
    'my gpt2'
    >>> draft.reset("split") == RecipeDraft(PRESETS["gpt2"])
    True
    """

    base: Recipe
    changes: Mapping[str, Any] = MappingProxyType({})

    def value(self, name: str) -> Any:
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
    def name(self) -> str:
        """The name that was written, or one that names the recipe it began as."""
        if "name" not in self.changes and self.changed_parts and self.base.name in PRESETS:
            return f"my {self.base.name}"
        return str(self.value("name"))

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


_PAUSE = 1.5
"""Seconds without a key after which typing begins another step."""


class _Step(QUndoCommand):
    """Replaces the draft by another one."""

    def __init__(self, drafts: Drafts, after: RecipeDraft, typed_in: str = "") -> None:
        super().__init__()
        self._drafts = drafts
        self._before, self._after = drafts.current, after
        self._typed_in = typed_in
        self._when = monotonic()

    def id(self) -> int:
        return 1 if self._typed_in else -1

    def mergeWith(self, other: QUndoCommand) -> bool:
        """Take in what was typed after this in the same place."""
        if (
            not isinstance(other, _Step)
            or other._typed_in != self._typed_in
            or other._when - self._when > _PAUSE
        ):
            return False
        self._after, self._when = other._after, other._when
        return True

    def redo(self) -> None:
        self._drafts.show(self._after)

    def undo(self) -> None:
        self._drafts.show(self._before)


def _typed_in(before: RecipeDraft, after: RecipeDraft) -> str:
    """Return the one place in which two drafts differ, if people type there; else empty."""
    names = before.changes.keys() | after.changes.keys()
    differing = [name for name in names if before.value(name) != after.value(name)]
    if len(differing) != 1:
        return ""
    [name] = differing
    old, new = before.value(name), after.value(name)
    if isinstance(old, tuple) and isinstance(new, tuple) and len(old) == len(new):
        pairs = enumerate(zip(old, new, strict=True))
        places = [place for place, (one, other) in pairs if one != other]
        return f"{name} {places[0]}" if len(places) == 1 else ""
    if name == "split":
        return name if own_pattern(new) is not None else ""
    number = isinstance(old, int) and isinstance(new, int)
    return name if name == "name" or number else ""


class Drafts(QObject):
    """Holds the draft; every change is a step of `undo_stack`."""

    changed = Signal()
    """Another draft is the current one."""
    unsaved = Signal()
    """The draft is to be saved soon: the user has changed something."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.current = RecipeDraft(PRESETS["gpt2"])
        self.undo_stack = QUndoStack(self)

    def follow(self, start: Recipe | RecipeDraft) -> None:
        """Start from a recipe, or go on with a saved draft: there is nothing to undo."""
        self.current = _draft_of(start)
        self.undo_stack.clear()
        self.changed.emit()

    @Slot(object)
    def begin(self, start: Recipe | RecipeDraft) -> None:
        """Start from a recipe, or go on with a draft, in place of this one."""
        draft = _draft_of(start)
        if draft != self.current:
            self.undo_stack.push(_Step(self, draft))

    @Slot(object)
    def change(self, values: Mapping[str, Any]) -> None:
        """Change fields of the draft."""
        draft = self.current.with_changes(**values)
        if draft != self.current:
            self.undo_stack.push(_Step(self, draft, _typed_in(self.current, draft)))

    def show(self, draft: RecipeDraft) -> None:
        """Show another draft, as a step says."""
        self.current = draft
        self.unsaved.emit()
        self.changed.emit()


def _draft_of(start: Recipe | RecipeDraft) -> RecipeDraft:
    return RecipeDraft(start) if isinstance(start, Recipe) else start
