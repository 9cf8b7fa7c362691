"""The runs of all presets on one corpus, trained in the background for a picture."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from bpe_gui.bpe.corpus import Corpus
from bpe_gui.bpe.errors import PatternError
from bpe_gui.bpe.history import History
from bpe_gui.bpe.recipe import PRESETS, RecipeError
from bpe_gui.bpe.text_files import CorpusError
from bpe_gui.bpe.training import train_corpus
from bpe_gui.ui.panels.space_time import wording
from bpe_gui.ui.run.background import BackgroundTask, Job

MOST_ENTRIES = 20_000
"""The largest vocabulary that is trained: eight runs are kept at once."""
_MOST_UNSPLIT = 40_000_000
"""The largest corpus, in bytes, that a preset trains as one word: it takes 50 times the memory."""


class RecipeRuns(QObject):
    """Trains every preset on a corpus to one size, one after the other; keeps those of one corpus.
    """

    changed = Signal()
    """Another preset is being trained, or the last one is done."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.task = BackgroundTask(
            "presets", self, expected=(CorpusError, PatternError), failure=wording.NOT_TRAINED,
            gives_way=True,
        )  # fmt: skip
        self.histories: dict[str, History] = {}
        """The runs that are done, by the names of their presets."""
        self.under_way = ""
        """The name of the preset that is being trained; empty if none is."""
        self.problem = ""
        """Why the presets cannot be trained, in one sentence."""
        self._wanted: tuple[Corpus, int] | None = None
        self._tried: set[str] = set()

    @property
    def left_out(self) -> list[str]:
        """The presets that cannot be trained on this corpus to this size."""
        return [name for name in PRESETS if name in self._tried and name not in self.histories]

    def want(self, corpus: Corpus, entries: int) -> None:
        """Train the presets that are not yet, unless that is being done."""
        if self._wanted is None or self._wanted[0] is not corpus or self._wanted[1] != entries:
            self.forget()
            self._wanted = corpus, entries
        names = [name for name in PRESETS if name not in self._tried]
        if not names or not self.task.at_rest or self.problem:
            return
        self.under_way = names[0]

        def train(job: Job) -> None:
            for name in names:
                job.check()
                job.report((name, None))
                job.report((name, _trained(corpus, name, entries, job)))

        self.task.ask(train, self._on_done, self._on_failed, self._on_progress)

    def stop(self) -> None:
        """Stop training; what is done is kept."""
        self.task.drop()
        self.under_way = ""

    def keep_those_of(self, corpus: Corpus | None) -> None:
        """Stop training, and forget all runs, unless they are of this corpus."""
        if self._wanted is not None and self._wanted[0] is not corpus:
            self.forget()

    def forget(self) -> None:
        """Stop training, and forget all runs."""
        self.stop()
        self._wanted, self.problem = None, ""
        self.histories, self._tried = {}, set()

    def _on_progress(self, told: tuple[str, History | None]) -> None:
        name, history = told
        if history is not None:
            self._tried.add(name)
            if len(history):
                self.histories[name] = history
        self.under_way = name
        self.changed.emit()

    def _on_done(self, _: object) -> None:
        self._tried.update(PRESETS)
        self.under_way = ""
        self.changed.emit()

    def _on_failed(self, problem: str) -> None:
        self.problem, self.under_way = problem, ""
        self.changed.emit()


def _trained(corpus: Corpus, name: str, entries: int, job: Job) -> History | None:
    """Train one preset; None if the corpus is too large for it, or has more symbols than this."""

    def go_on(*_: object) -> None:
        job.check()

    is_unsplit = PRESETS[name].split == "none"
    if is_unsplit and (corpus.size is None or corpus.size > _MOST_UNSPLIT):
        return None
    try:
        recipe = PRESETS[name].with_changes(vocabulary_size=entries)
        return train_corpus(corpus, recipe, go_on)
    except RecipeError:
        return None
