"""Saving the tokenizer that was trained: in the background, and checked afterwards."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QThread, Signal, Slot
from PySide6.QtWidgets import QWidget

from bpe_gui.bpe.corpus import Corpus
from bpe_gui.bpe.history import History
from bpe_gui.encodings.base import ExportError
from bpe_gui.encodings.ours import TrainedEncoding
from bpe_gui.ui.actions.actions import Actions
from bpe_gui.ui.run.branches import Branches
from bpe_gui.ui.run.player import Player
from bpe_gui.ui.run.sample_text import SampleText
from bpe_gui.ui.run.thread_ending import end_when_done
from bpe_gui.ui.widgets.sentences import as_sentence

if TYPE_CHECKING:
    # The libraries of all formats are loaded when something is saved, not with the window.
    from bpe_gui.encodings.save import Agreement, Format

_SAVING = "save"


@dataclass(frozen=True, eq=False)
class SaveJob:
    """What is saved, where, and the texts by which it is checked."""

    history: History
    position: int
    path: Path
    format: Format
    sample: str
    corpus: Corpus | None


class SaveWorker(QObject):
    """Writes files and loads them back, on the thread that it lives in."""

    saved = Signal(object)
    """A SaveJob whose file is complete; the check begins."""
    checked = Signal(object, object)
    """A SaveJob and its Agreement."""
    failed = Signal(object, str)
    """A SaveJob that wrote nothing, or whose file cannot be checked, and why: one sentence for
    the user."""

    def __init__(self, cancelled: Event) -> None:
        super().__init__()
        self._cancelled = cancelled

    @Slot(object)
    def save(self, job: SaveJob) -> None:
        """Write one file, whole or not at all, and check it."""
        try:
            job.format.write(job.history, job.path, job.position)
        except ExportError as error:
            self.failed.emit(job, as_sentence(error))
            return
        except OSError as error:
            reason = error.strerror or str(error)
            self.failed.emit(job, f"{job.path} cannot be written: {reason}; save it elsewhere.")
            return
        except Exception as error:  # the window lives on whatever it dies of
            self.failed.emit(job, f"{job.path.name} is not saved {_unexpected(error)}")
            raise
        self.saved.emit(job)
        try:
            self.checked.emit(job, self._check(job))
        except Exception as error:
            said = f"{job.path.name} is saved, but could not be checked"
            self.failed.emit(job, f"{said} {_unexpected(error)}")
            raise

    def _check(self, job: SaveJob) -> Agreement:
        from bpe_gui.encodings.save import slice_of, verify

        of_the_corpus = () if job.corpus is None else slice_of(job.corpus)
        return verify(
            job.history,
            job.path,
            chain([job.sample], of_the_corpus),
            job.position,
            format_name=job.format.name,
            cancelled=self._cancelled.is_set,
        )


class Saver(QObject):
    """Asks where to save the run in view, and tells what became of it."""

    succeeded = Signal(str, str)
    """What was done (saving), and that a file was saved and gives the same ids when it is loaded
    back: a sentence that says so."""
    problem = Signal(str, str)
    """The same, and that nothing was saved, or what was saved differs: one sentence."""
    saving = Signal(str)
    """What is being saved or checked at the moment, in a few words; empty when it is done."""

    _submitted = Signal(object)

    def __init__(
        self,
        player: Player,
        branches: Branches,
        sample_text: SampleText,
        actions: Actions,
        window: QWidget,
    ) -> None:
        super().__init__(window)
        self._player = player
        self._branches = branches
        self._sample_text = sample_text
        self._actions = (actions.save, actions.save_here)
        self._window = window
        actions.save.triggered.connect(self.save_all)
        actions.save_here.triggered.connect(self.save_here)
        player.loaded.connect(self._enable)
        self._enable()
        self._cancelled = Event()
        self._thread = QThread()
        self._thread.setObjectName("saving")
        self._worker = SaveWorker(self._cancelled)
        self._worker.moveToThread(self._thread)
        self._submitted.connect(self._worker.save)
        self._worker.saved.connect(self._on_saved)
        self._worker.checked.connect(self._on_checked)
        self._worker.failed.connect(self._on_failed)
        self._thread.start()

    @Slot()
    def save_all(self) -> None:
        """Save all that the run in view has learnt."""
        self._save(self._player.history, self._player.end)

    @Slot()
    def save_here(self) -> None:
        """Save what the run in view had learnt at the cursor."""
        self._save(self._player.history, self._player.position)

    @Slot(object)
    def save_encoding(self, encoding: TrainedEncoding) -> None:
        """Save a run that need not be the one in view, at its position."""
        self._save(encoding.history, encoding.position)

    @Slot()
    def _enable(self) -> None:
        for action in self._actions:
            action.setEnabled(self._player.history is not None)

    def _save(self, history: History | None, position: int) -> None:
        """Let the user name a file and choose its format, and save."""
        from bpe_gui.ui.widgets.save_dialog import ask_where

        wanted = ask_where(self._window) if history is not None else None
        if history is None or wanted is None:
            return
        path, known = wanted
        of_the_corpus = any(branch.history is history for branch in self._branches.all)
        sample = self._sample_text.text
        corpus = self._branches.corpus if of_the_corpus else None
        self.saving.emit(f"Saving {path.name} …")
        self._submitted.emit(SaveJob(history, position, path, known, sample, corpus))

    def close(self) -> None:
        """End the thread; all that is to be saved is complete then, and checked no more."""
        self._cancelled.set()
        end_when_done(self._thread)

    @Slot(object)
    def _on_saved(self, job: SaveJob) -> None:
        self.saving.emit(f"{job.path.name} is saved; loading it back to check it …")

    @Slot(object, object)
    def _on_checked(self, job: SaveJob, agreement: Agreement) -> None:
        self.saving.emit("")
        sentence = f"{job.path.name} is saved as {job.format.title}"
        if agreement.agreed:
            beside = _beside(job)
            checked = f"Loaded back by {job.format.reader}, {agreement.sentence}"
            self.succeeded.emit(_SAVING, f"{sentence}. {checked}.{beside}")
        else:
            self.problem.emit(_SAVING, f"{sentence}, but {agreement.sentence}.")

    @Slot(object, str)
    def _on_failed(self, job: SaveJob, message: str) -> None:
        self.saving.emit("")
        self.problem.emit(_SAVING, message)


def _unexpected(error: Exception) -> str:
    """The end of a sentence about what nobody has foreseen."""
    return f"({type(error).__name__}: {error}); try again, and report it if it comes back."


def _beside(job: SaveJob) -> str:
    """What has to be known besides the file to read it, as a sentence; empty for nothing."""
    if job.format.name != "tiktoken":
        return ""
    recipe = job.history.recipe
    said = f" The file does not say how text is split: read it as {job.path.name}@{recipe.split}"
    specials = ", ".join(recipe.special_tokens)
    return f"{said}, with the special tokens {specials}." if specials else f"{said}."
