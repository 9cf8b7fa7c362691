"""Save the trained tokenizer in the background, and check it afterwards."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from itertools import chain
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING

from msgspec import Struct
from PySide6.QtCore import QObject, Slot

from bpe_gui.bpe.corpus import Corpus
from bpe_gui.bpe.history import History
from bpe_gui.bpe.words import WordCounts
from bpe_gui.encodings.base import ExportError
from bpe_gui.encodings.ours import TrainedEncoding
from bpe_gui.exporting.tables import comma_separated
from bpe_gui.progress import counted
from bpe_gui.ui.context.context import Context
from bpe_gui.ui.run.background import BackgroundTask, Job, TaskError
from bpe_gui.ui.widgets.sentences import cannot_be_written

if TYPE_CHECKING:
    # The libraries of all formats are loaded when something is saved, not with the window.
    from bpe_gui.encodings.save import Agreement, Format

_SAVING = "save"


class Saving(Struct, frozen=True, eq=False):
    """What is saved, where, and the texts by which it is checked.

    closing: set when the window closes, and the check is not wanted any more.
    used_in: words; tokens that they do not use are left out. None to save all tokens.
    table: the file for the old and the new ids of what is left then.
    """

    history: History
    position: int
    path: Path
    format: Format
    sample: str
    corpus: Corpus | None
    closing: Event
    used_in: WordCounts | None = None
    table: Path | None = None


class Saver(QObject):
    """Asks where to save the run in view, and shows the result."""

    def __init__(self, context: Context) -> None:
        super().__init__(context.window)
        self._context = context
        self._player = context.player
        context.actions.save.triggered.connect(self.save_all)
        context.actions.save_here.triggered.connect(self.save_here)
        context.actions.save_used.triggered.connect(self.save_used)
        context.compare_controller.saveWanted.connect(self.save_encoding)
        self._closing = Event()
        self._task = BackgroundTask("saving", self, expected=(ExportError,))

    @Slot()
    def save_all(self) -> None:
        """Save all merges of the run in view."""
        self._save(self._player.history, self._player.end)

    @Slot()
    def save_here(self) -> None:
        """Save the merges of the run in view up to the cursor."""
        self._save(self._player.history, self._player.position)

    @Slot()
    def save_used(self) -> None:
        """Save the run in view up to the cursor, without the tokens that its corpus does not use.
        """
        history, branches = self._player.history, self._context.branches.all
        [words] = [branch.words for branch in branches if branch.history is history]
        self._save(history, self._player.position, words)

    @Slot(object)
    def save_encoding(self, encoding: TrainedEncoding) -> None:
        """Save a run that need not be the one in view, at its position."""
        self._save(encoding.history, encoding.position)

    def _save(
        self, history: History | None, position: int, used_in: WordCounts | None = None
    ) -> None:
        from bpe_gui.ui.shell.save_dialog import ask_where

        context = self._context
        if history is None:
            return
        wanted = ask_where(context.window, offers_table=used_in is not None)
        if wanted is None:
            return
        path, known, table = wanted
        of_the_corpus = any(branch.history is history for branch in context.branches.all)
        sample = context.sample_text.text
        corpus = context.branches.corpus if of_the_corpus else None
        context.status.note(f"Saving {path.name} …")
        saving = Saving(
            history, position, path, known, sample, corpus, self._closing, used_in, table
        )
        checked = partial(self._on_checked, saving)
        self._task.ask_too(partial(_save, saving), checked, self._on_failed, context.status.note)

    def close(self) -> None:
        """End the thread; all that is to be saved is complete then, and checked no more."""
        self._closing.set()
        self._task.finish()

    def _on_checked(self, saving: Saving, agreement: Agreement | str) -> None:
        self._context.status.end_note()
        if isinstance(agreement, str):
            self._context.message_bar.tell_success(_SAVING, agreement)
            return
        messages = self._context.message_bar
        sentence = f"{saving.path.name} is saved as {saving.format.title}"
        if agreement.agreed:
            beside = _beside(saving)
            checked = f"Loaded back by {saving.format.reader}, {agreement.sentence}"
            messages.tell_success(_SAVING, f"{sentence}. {checked}.{beside}")
        else:
            messages.tell_problem(_SAVING, f"{sentence}, but {agreement.sentence}.")

    def _on_failed(self, message: str) -> None:
        self._context.status.end_note()
        self._context.message_bar.tell_problem(_SAVING, message)


def _save(saving: Saving, job: Job) -> Agreement | str:
    name = saving.path.name
    job.failure = f"{name} is not saved"
    if saving.used_in is not None:
        return _save_used(saving, saving.used_in, job)
    try:
        saving.format.write(saving.history, saving.path, saving.position)
    except OSError as error:
        raise TaskError(cannot_be_written(saving.path, error)) from error
    job.failure = f"{name} is saved, but could not be checked"
    job.report(f"{name} is saved; loading it back to check it …")
    from bpe_gui.encodings.save import slice_of, verify

    of_the_corpus = () if saving.corpus is None else slice_of(saving.corpus)
    return verify(
        saving.history,
        saving.path,
        chain([saving.sample], of_the_corpus),
        saving.position,
        format_name=saving.format.name,
        cancelled=saving.closing.is_set,
    )


def _save_used(saving: Saving, words: WordCounts, job: Job) -> str:
    """Write only the tokens that some words use; returns what was written, in sentences."""
    from bpe_gui.encodings.convert import convert
    from bpe_gui.encodings.save import slice_of
    from bpe_gui.encodings.smaller import used_in_words

    history, position = saving.history, saving.position
    job.wait_for_kernels()
    cut = used_in_words(history, position, words)
    texts = chain([saving.sample], () if saving.corpus is None else slice_of(saving.corpus))

    def table(ids: Mapping[int, int]) -> list[tuple[Path, str]]:
        if saving.table is None:
            return []
        return [(saving.table, comma_separated(list(cut.table(ids))))]

    try:
        done = convert(cut.encoding, saving.path, texts, saving.format.name, table)
    except OSError as error:
        failed = Path(error.filename or saving.path)
        raise TaskError(cannot_be_written(failed, error)) from error
    tokens = counted(len(cut.ids), "token")
    ids = "" if saving.table is None else f" Their ids are in {saving.table.name}."
    is_new = done.renumbered or (cut.ids[:, 0] != cut.ids[:, 1]).any()
    new = " under new ids" if is_new else ""
    return (
        f"{saving.path.name} is saved as {saving.format.title}, with {tokens}{new}. Loaded back by "
        f"{saving.format.reader}, {counted(done.characters, 'character')} agreed.{ids}"
        f"{_beside(saving)}"
    )


def _beside(saving: Saving) -> str:
    """Return what has to be known besides the file to read it, as a sentence; empty for nothing."""
    if saving.format.name != "tiktoken":
        return ""
    recipe = saving.history.recipe
    said = f" The file does not say how text is split: read it as {saving.path.name}@{recipe.split}"
    specials = ", ".join(recipe.special_tokens)
    return f"{said}, with the special tokens {specials}." if specials else f"{said}."
