"""The edited recipe, other unsaved recipes, and undo."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from time import monotonic, time
from typing import Any

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QUndoCommand, QUndoStack

from bpe_gui.bpe.recipe import PRESETS, Recipe, own_pattern
from bpe_gui.ui.laboratory.recipe_draft import RecipeDraft

_MOST_ASIDE = 50
"""Unsaved recipes that are kept beside the edited one."""
_PAUSE = 1.5
"""Seconds without a key after which typing begins another step."""


class _Step(QUndoCommand):
    """Replaces the draft by another one."""

    def __init__(self, drafts: Drafts, after: RecipeDraft, *, leaves: bool) -> None:
        """With `leaves`, unsaved changes of the draft before are kept aside."""
        super().__init__()
        self._drafts = drafts
        self._before, self._after = drafts.current, after
        self._leaves = leaves
        self._typed_in = "" if leaves else _typed_in(self._before, after)
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
        self._drafts.show(self._after, leaves=self._leaves)

    def undo(self) -> None:
        self._drafts.show(self._before)


def _typed_in(before: RecipeDraft, after: RecipeDraft) -> str:
    """Return the one place in which two drafts differ, if people type there; else empty."""
    names = before.changes.keys() | after.changes.keys()
    differing = [name for name in names if before.value(name) != after.value(name)]
    if len(differing) != 1 or before.base != after.base:
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
    """Holds the draft and other unsaved ones; every change is a step of `undo_stack`."""

    changed = Signal()
    """Another draft is the current one."""
    asideChanged = Signal()
    """The drafts aside have changed."""
    unsaved = Signal()
    """All drafts are to be saved soon: the user has changed something."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.current = RecipeDraft(PRESETS["gpt2"])
        self.aside: tuple[RecipeDraft, ...] = ()
        self.undo_stack = QUndoStack(self)

    def restore(self, drafts: Sequence[RecipeDraft]) -> None:
        """Go on with saved drafts: the current one, and those aside."""
        self.current, self.aside = drafts[0], _each_once(drafts[1:], but=drafts[0])
        self.undo_stack.clear()
        self.asideChanged.emit()
        self.changed.emit()

    def follow(self, recipe: Recipe) -> None:
        """Start from a recipe in place of one without changes: there is nothing to undo."""
        self.current = RecipeDraft(recipe)
        self.undo_stack.clear()
        self.changed.emit()

    @Slot(object)
    def begin(self, start: Recipe | RecipeDraft) -> None:
        """Start from a recipe, or go on with a draft; unsaved changes of another are kept aside."""
        draft = RecipeDraft(start) if isinstance(start, Recipe) else start
        self._set(draft, leaves=True)

    @Slot(object)
    def change(self, values: Mapping[str, Any]) -> None:
        """Change fields of the draft."""
        self._set(replace(self.current.with_changes(**values), written=time()))

    def replace(self, draft: RecipeDraft) -> None:
        """Put another draft in the place of this one, which is not kept aside."""
        self._set(replace(draft, written=time()))

    def delete(self, draft: RecipeDraft) -> None:
        """Delete a draft that is aside."""
        self.aside = tuple(one for one in self.aside if one != draft)
        self.unsaved.emit()
        self.asideChanged.emit()

    def _set(self, draft: RecipeDraft, *, leaves: bool = False) -> None:
        if draft != self.current:
            self.undo_stack.push(_Step(self, draft, leaves=leaves))

    def show(self, draft: RecipeDraft, *, leaves: bool = False) -> None:
        """Show another draft, as a step says; with `leaves`, unsaved changes are kept aside."""
        left = (self.current,) if leaves and self.current.is_changed else ()
        aside = _each_once((*left, *self.aside), but=draft)[:_MOST_ASIDE]
        self.current = draft
        if aside != self.aside:
            self.aside = aside
            self.asideChanged.emit()
        self.unsaved.emit()
        self.changed.emit()


def _each_once(drafts: Iterable[RecipeDraft], *, but: RecipeDraft) -> tuple[RecipeDraft, ...]:
    """Return drafts without repetitions, and without the current one."""
    found: list[RecipeDraft] = []
    for draft in drafts:
        if draft != but and draft not in found:
            found.append(draft)
    return tuple(found)
