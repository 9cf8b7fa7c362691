"""The recipe that is being written, and those that were left unsaved for another."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from time import monotonic, time
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal, Slot
from PySide6.QtGui import QUndoCommand, QUndoStack

from bpe_gui.bpe.recipe import PRESETS, Recipe, own_pattern
from bpe_gui.ui.laboratory.recipe_draft import RecipeDraft

_MOST_ASIDE = 50
"""Unsaved recipes that are kept beside the one that is being written."""

_KEEP_AFTER = 400
"""Milliseconds without another change after which all are to be written down."""


_PAUSE = 1.5
"""Seconds between two keys after which what is typed is another step."""


class _Step(QUndoCommand):
    """Another draft in the place of one."""

    def __init__(self, drafts: Drafts, after: RecipeDraft, *, leaves: bool) -> None:
        """With `leaves`, unsaved changes of the draft before are left aside."""
        super().__init__()
        self._drafts = drafts
        self._before, self._after = drafts.current, after
        self._leaves = leaves
        self._typed_in = "" if leaves else _typed_in(self._before, after)
        self._when = monotonic()

    def id(self) -> int:
        return 1 if self._typed_in else -1

    def mergeWith(self, other: QUndoCommand) -> bool:
        """Take in what was typed on in the same place."""
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
    """The one place in which two drafts differ, if it is one where people type; else empty."""
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
    """Holds drafts, so that no change is lost when another recipe is begun.

    Each change is a step of `undo_stack`, that to another recipe too.
    """

    changed = Signal()
    """The draft is another one."""
    asideChanged = Signal()
    """Another draft was left, or taken up again."""
    toBeKept = Signal(object)
    """A tuple of all drafts, to be written down."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.current = RecipeDraft(PRESETS["gpt2"])
        self.aside: tuple[RecipeDraft, ...] = ()
        self.undo_stack = QUndoStack(self)
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(_KEEP_AFTER)
        self._later.timeout.connect(self.keep_now)

    def restore(self, drafts: Sequence[RecipeDraft]) -> None:
        """Go on with what was written down: the draft, and those aside, if any."""
        self.current, self.aside = drafts[0], _each_once(drafts[1:], but=drafts[0])
        self.undo_stack.clear()
        self.asideChanged.emit()
        self.changed.emit()

    def follow(self, recipe: Recipe) -> None:
        """Start from a recipe in place of one without changes: nothing to undo, or to keep."""
        self.current = RecipeDraft(recipe)
        self.undo_stack.clear()
        self.changed.emit()

    def begin(self, recipe: Recipe) -> None:
        """Start from a recipe; unsaved changes of the draft are left aside."""
        self._set(RecipeDraft(recipe), leaves=True)

    def go_on_with(self, draft: RecipeDraft) -> None:
        """Go on with a draft from elsewhere; unsaved changes of this one are left aside."""
        self._set(draft, leaves=True)

    @Slot(object)
    def change(self, values: Mapping[str, Any]) -> None:
        """Change fields of the draft."""
        self._set(replace(self.current.with_changes(**values), written=time()))

    def replace(self, draft: RecipeDraft) -> None:
        """Have another draft in the place of this one, which is not left aside."""
        self._set(replace(draft, written=time()))

    def delete(self, draft: RecipeDraft) -> None:
        """Delete a draft that was left, for good."""
        self.aside = tuple(one for one in self.aside if one != draft)
        self._later.start()
        self.asideChanged.emit()

    @Slot()
    def keep_now(self) -> None:
        """Have all drafts written down, if that is still to be done."""
        self._later.stop()
        self.toBeKept.emit((self.current, *self.aside))

    def flush(self) -> None:
        """Have them written down now rather than soon."""
        if self._later.isActive():
            self.keep_now()

    def _set(self, draft: RecipeDraft, *, leaves: bool = False) -> None:
        if draft != self.current:
            self.undo_stack.push(_Step(self, draft, leaves=leaves))

    def show(self, draft: RecipeDraft, *, leaves: bool = False) -> None:
        """Have another draft, as a step says; with `leaves`, what is unsaved is left aside."""
        left = (self.current,) if leaves and self.current.is_changed else ()
        aside = _each_once((*left, *self.aside), but=draft)[:_MOST_ASIDE]
        self.current = draft
        if aside != self.aside:
            self.aside = aside
            self.asideChanged.emit()
        self._later.start()
        self.changed.emit()


def _each_once(drafts: Iterable[RecipeDraft], *, but: RecipeDraft) -> tuple[RecipeDraft, ...]:
    """Drafts without those that are as one before them, or as the one that is written."""
    found: list[RecipeDraft] = []
    for draft in drafts:
        if draft != but and draft not in found:
            found.append(draft)
    return tuple(found)
