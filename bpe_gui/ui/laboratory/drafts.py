"""The recipe that is being written, those that were left unsaved for another, and their file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from time import time
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from bpe_gui.bpe.recipe import PRESETS, Recipe, RecipeError
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


_MOST_ASIDE = 50
"""Unsaved recipes that are kept beside the one that is being written."""

_KEEP_AFTER = 400
"""Milliseconds without another change after which all are to be written down."""


class Drafts(QObject):
    """Holds drafts, so that no change is lost when another recipe is begun."""

    changed = Signal()
    """The draft is another one."""
    aside_changed = Signal()
    """Another draft was left, or taken up again."""
    to_be_kept = Signal(object)
    """A tuple of all drafts, to be written down."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.current = RecipeDraft(PRESETS["gpt2"])
        self.aside: tuple[RecipeDraft, ...] = ()
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(_KEEP_AFTER)
        self._later.timeout.connect(self.keep_now)

    def restore(self, drafts: Sequence[RecipeDraft]) -> None:
        """Go on with what was written down: the draft, and those aside, if any."""
        self.current, self.aside = drafts[0], _each_once(drafts[1:], but=drafts[0])
        self.aside_changed.emit()
        self.changed.emit()

    def begin(self, recipe: Recipe) -> None:
        """Start from a recipe; unsaved changes of the draft are left aside."""
        self._leave()
        self._set(RecipeDraft(recipe))

    def take_up(self, place: int) -> None:
        """Go on with a draft that was left; this one is left in its place."""
        draft = self.aside[place]
        self.aside = (*self.aside[:place], *self.aside[place + 1 :])
        self._leave()
        self.aside_changed.emit()
        self._set(draft)

    def go_on_with(self, draft: RecipeDraft) -> None:
        """Go on with a draft from elsewhere; unsaved changes of this one are left aside."""
        if draft != self.current:
            self._leave()
            self._set(draft)

    def change(self, values: Mapping[str, Any]) -> None:
        """Change fields of the draft."""
        self._set(replace(self.current.with_changes(**values), written=time()))

    def replace(self, draft: RecipeDraft) -> None:
        """Have another draft in the place of this one, which is not left aside."""
        self._set(replace(draft, written=time()))

    def delete(self, place: int) -> None:
        """Be rid of a draft that was left, for good."""
        self.aside = (*self.aside[:place], *self.aside[place + 1 :])
        self._later.start()
        self.aside_changed.emit()

    @Slot()
    def keep_now(self) -> None:
        """Have all drafts written down, if that is still to be done."""
        self._later.stop()
        self.to_be_kept.emit((self.current, *self.aside))

    def flush(self) -> None:
        """Have them written down now rather than soon."""
        if self._later.isActive():
            self.keep_now()

    def _leave(self) -> None:
        if self.current.is_changed and self.current not in self.aside:
            self.aside = (self.current, *self.aside)[:_MOST_ASIDE]
            self.aside_changed.emit()

    def _set(self, draft: RecipeDraft) -> None:
        if draft != self.current:
            self.current = draft
            self.aside = _each_once(self.aside, but=draft)
            self._later.start()
            self.changed.emit()


def _each_once(drafts: Iterable[RecipeDraft], *, but: RecipeDraft) -> tuple[RecipeDraft, ...]:
    """Drafts without those that are as one before them, or as the one that is written."""
    found: list[RecipeDraft] = []
    for draft in drafts:
        if draft != but and draft not in found:
            found.append(draft)
    return tuple(found)
