"""Recipes and drafts to and from files, on a thread of their own."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, QThread, Signal, Slot

from bpe_gui.bpe import recipe_io
from bpe_gui.bpe.recipe import Recipe, RecipeError
from bpe_gui.ui.laboratory.draft_store import DraftStore
from bpe_gui.ui.laboratory.recipe_draft import RecipeDraft
from bpe_gui.ui.run.thread_ending import end_when_done
from bpe_gui.ui.widgets.sentences import as_sentence


class FileWorker(QObject):
    """Reads and writes, on the thread that it lives in."""

    saved = Signal(object, object)
    """A Recipe is complete in a file: its Path."""
    loaded = Signal(object, object)
    """A Recipe was read from a Path."""
    failed = Signal(str)
    """A file could not be read or written; one sentence for the user."""

    def __init__(self, store: DraftStore) -> None:
        super().__init__()
        self._store = store

    @Slot(object, object)
    def save(self, recipe: Recipe, path: Path) -> None:
        """Write one recipe, whole or not at all."""
        try:
            recipe_io.save(recipe, path)
        except OSError as error:
            reason = error.strerror or str(error)
            self.failed.emit(f"{path} cannot be written: {reason}; save it elsewhere.")
        else:
            self.saved.emit(recipe, path)

    @Slot(object)
    def load(self, path: Path) -> None:
        """Read one recipe."""
        try:
            recipe = recipe_io.load(path)
        except (RecipeError, OSError) as error:
            self.failed.emit(as_sentence(error))
        else:
            self.loaded.emit(recipe, path)

    @Slot(object)
    def keep(self, drafts: tuple[RecipeDraft, ...]) -> None:
        """Write the drafts."""
        try:
            self._store.save(drafts)
        except OSError as error:
            reason = error.strerror or str(error)
            self.failed.emit(f"The unsaved recipe cannot be kept in {self._store.path}: {reason}.")


class Filing(QObject):
    """Owns the thread."""

    saved = Signal(object, object)
    """A Recipe is complete in a file: its Path."""
    loaded = Signal(object, object)
    """A Recipe was read from a Path."""
    failed = Signal(str)
    """A file could not be read or written; one sentence for the user."""

    _save = Signal(object, object)
    _load = Signal(object)
    _keep = Signal(object)

    def __init__(self, store: DraftStore, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._thread = QThread()
        self._thread.setObjectName("recipe files")
        self._worker = FileWorker(store)
        self._worker.moveToThread(self._thread)
        self._save.connect(self._worker.save)
        self._load.connect(self._worker.load)
        self._keep.connect(self._worker.keep)
        self._worker.saved.connect(self.saved)
        self._worker.loaded.connect(self.loaded)
        self._worker.failed.connect(self.failed)
        self._thread.start()

    def save(self, recipe: Recipe, path: Path) -> None:
        """Write a recipe; `saved` or `failed` answers."""
        self._save.emit(recipe, path)

    def load(self, path: Path) -> None:
        """Read a recipe; `loaded` or `failed` answers."""
        self._load.emit(path)

    def keep(self, drafts: tuple[RecipeDraft, ...]) -> None:
        """Write the drafts; `failed` answers if that is not possible."""
        self._keep.emit(drafts)

    def close(self) -> None:
        """End the thread; returns when all that is to be written is complete."""
        end_when_done(self._thread)
