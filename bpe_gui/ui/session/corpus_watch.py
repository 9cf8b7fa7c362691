"""Whether the corpus of a session is still what it was: looked at in the background, and said."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QObject, Signal, Slot

from bpe_gui.bpe.corpus import STANDARD_INPUT, Corpus
from bpe_gui.bpe.corpus_changes import Changes, changes_since
from bpe_gui.bpe.text_files import FileStamps
from bpe_gui.bpe.words import WordCounts
from bpe_gui.ui.run.background import BackgroundTask, Job
from bpe_gui.ui.run.branches import Branches
from bpe_gui.ui.settings.settings import valid_text
from bpe_gui.ui.widgets.message_bar import MessageBar

_ABOUT = "files of the corpus"
"""What messages are about that tell of it."""
_MOST_NAMES = 2


class CorpusWatch(QObject):
    """Looks once, when a session has come into view. What it says goes when the words do."""

    trainWanted = Signal(list)
    """Files that have changed are to be trained on as they are."""

    def __init__(self, branches: Branches, messages: MessageBar) -> None:
        super().__init__(messages)
        self._branches = branches
        self._messages = messages
        self._words: WordCounts | None = None
        self._looking = BackgroundTask("looking at the corpus", self, gives_way=True)
        branches.changed.connect(self._on_branches)
        messages.accepted.connect(self._on_accepted)

    @property
    def at_rest(self) -> bool:
        """Whether nothing is being looked at."""
        return self._looking.at_rest

    def look(self) -> None:
        """Look whether the corpus of the run in view is as it was, and say so if it is not."""
        self._leave()
        shown, corpus = self._branches.shown, self._branches.corpus
        files = shown.words.files if shown is not None else None
        if shown is None or corpus is None or not files:
            return
        self._words = shown.words
        self._looking.ask(partial(_look, files, corpus), self._on_found, self._on_failed)

    def close(self) -> None:
        """End the thread; returns when it has ended."""
        self._looking.close()

    def _leave(self) -> None:
        """Look no longer, and say no longer what was seen."""
        self._words = None
        self._looking.drop()
        self._messages.withdraw(_ABOUT)

    @Slot()
    def _on_branches(self) -> None:
        shown = self._branches.shown
        if self._words is not None and (shown is None or shown.words is not self._words):
            self._leave()

    def _on_failed(self, sentence: str) -> None:
        """Nothing is known of the corpus then, as without the look."""

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
    """What has become of a corpus, and whether all that it was made of can be read again."""
    changes = changes_since(files, corpus, job.check)
    return changes, all(s != STANDARD_INPUT and os.path.exists(s) for s in corpus.sources)


def changes_sentence(changes: Changes, *, can_train: bool) -> str:
    """Which files are known to be others, and what that means for a session.

    `can_train` is whether all that the corpus was made of can be read again.

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
        f"Since this corpus was read, {_listed(facts)}: the run shows the text as it was; "
        f"{then}."
    )


def _names(paths: Sequence[str]) -> str:
    """What some files are called; of many the first ones, and how many others there are."""
    names = [_name(path) for path in paths[:_MOST_NAMES]]
    more = len(paths) - len(names)
    return _listed(names + ([f"{more:,} more"] if more else []))


def _name(path: str) -> str:
    name = valid_text(os.path.basename(path))
    return "".join(character if character.isprintable() else "�" for character in name)


def _listed(parts: Sequence[str]) -> str:
    """Parts of a sentence one after another.

    >>> _listed(["a"]), _listed(["a", "b"]), _listed(["a", "b", "c"])
    ('a', 'a and b', 'a, b and c')
    """
    *first, last = parts
    return f"{', '.join(first)} and {last}" if first else last
