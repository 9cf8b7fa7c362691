"""Check in the background whether the corpus of a session has changed since, and say so."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QObject, Signal, Slot

from bpe_gui.bpe.corpus import STANDARD_INPUT, Corpus
from bpe_gui.bpe.corpus_changes import Changes, changes_since
from bpe_gui.bpe.text_files import FileStamps
from bpe_gui.bpe.words import WordCounts
from bpe_gui.progress import listed
from bpe_gui.ui.run.background import BackgroundTask, Job
from bpe_gui.ui.run.branches import Branches
from bpe_gui.ui.settings.settings import valid_text
from bpe_gui.ui.widgets.message_bar import MessageBar

_ABOUT = "files of the corpus"
"""What its messages are about."""
_MOST_NAMES = 2


class CorpusWatch(QObject):
    """Checks once, when a session has come into view. The message goes when its run does."""

    trainWanted = Signal(list)
    """Files that have changed are to be trained on as they are."""

    def __init__(self, branches: Branches, messages: MessageBar) -> None:
        super().__init__(messages)
        self._branches = branches
        self._messages = messages
        self._words: WordCounts | None = None
        self.task = BackgroundTask("looking at the corpus", self, gives_way=True)
        branches.changed.connect(self._on_branches)
        messages.accepted.connect(self._on_accepted)

    def look(self) -> None:
        """Check whether the corpus of the run in view is as it was, and say so if it is not."""
        self._leave()
        shown, corpus = self._branches.shown, self._branches.corpus
        files = shown.words.files if shown is not None else None
        if shown is None or corpus is None or not files:
            return
        self._words = shown.words
        self.task.ask(partial(_look, files, corpus), self._on_found)

    def close(self) -> None:
        """End the thread; returns when it has ended."""
        self.task.close()

    def _leave(self) -> None:
        """Stop checking, and withdraw the message."""
        self._words = None
        self.task.drop()
        self._messages.withdraw(_ABOUT)

    @Slot()
    def _on_branches(self) -> None:
        shown = self._branches.shown
        if self._words is not None and (shown is None or shown.words is not self._words):
            self._leave()

    def _on_found(self, found: tuple[Changes, bool]) -> None:
        changes, can_train = found
        if changes:
            sentence = changes_sentence(changes, can_train=can_train)
            if can_train:
                self._messages.offer(_ABOUT, sentence, "Train again")
            else:
                self._messages.tell_problem(_ABOUT, sentence)

    @Slot(str)
    def _on_accepted(self, about: str) -> None:
        corpus = self._branches.corpus
        if about == _ABOUT and corpus is not None:
            self.trainWanted.emit(list(corpus.sources))


def _look(files: FileStamps, corpus: Corpus, job: Job) -> tuple[Changes, bool]:
    """Find out how a corpus has changed, and whether all of its files can be read again."""
    changes = changes_since(files, corpus, job.check)
    return changes, all(s != STANDARD_INPUT and os.path.exists(s) for s in corpus.sources)


def changes_sentence(changes: Changes, *, can_train: bool) -> str:
    """Describe which files have changed, and what that means for a session.

    `can_train` tells whether all files of the corpus can be read again.

    >>> changes_sentence(Changes(changed=("/texts/story.txt",)), can_train=True)
    'Since this corpus was read, story.txt has changed: the run shows the text as it was; train \
again to use the new text.'
    """
    facts = [
        f"{_names(paths)} {one if len(paths) == 1 else several}"
        for paths, one, several in (
            (changes.changed, "has changed", "have changed"),
            (changes.missing, "is no longer there", "are no longer there"),
            (changes.new, "is new", "are new"),
        )
        if paths
    ]
    then = "train again to use the new text"
    if not can_train:
        then = "it can be continued with the words in the session"
    return (
        f"Since this corpus was read, {listed(facts)}: the run shows the text as it was; "
        f"{then}."
    )


def _names(paths: Sequence[str]) -> str:
    """Return the names of files; of many the first ones, and the number of the others."""
    names = [_name(path) for path in paths[:_MOST_NAMES]]
    more = len(paths) - len(names)
    return listed(names + ([f"{more:,} more"] if more else []))


def _name(path: str) -> str:
    name = valid_text(os.path.basename(path))
    return "".join(character if character.isprintable() else "�" for character in name)
