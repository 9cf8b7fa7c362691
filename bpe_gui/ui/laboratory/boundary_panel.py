"""The panel of the pairs that a split blocks, and of the tokens that are learned without it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

from msgspec import Struct
from PySide6.QtCore import QSize, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QSplitter, QVBoxLayout

from bpe_gui.analysis.boundaries import BlockedPairs, Boundaries
from bpe_gui.analysis.branches import Branch
from bpe_gui.analysis.segmented_corpus import SegmentedCorpus
from bpe_gui.analysis.superwords import Superwords, learn_superwords
from bpe_gui.analysis.word_bigrams import count_words_and_bigrams
from bpe_gui.bpe.corpus import Corpus
from bpe_gui.bpe.kernels.jit import compiled_by_default
from bpe_gui.bpe.recipe import Recipe
from bpe_gui.bpe.trainer import Trainer
from bpe_gui.exporting.tables import blocked_pair_lines, superword_lines
from bpe_gui.progress import megabytes
from bpe_gui.ui.laboratory import boundary_wording as wording
from bpe_gui.ui.laboratory.boundary_tables import BlockedPairTable, SuperwordTable
from bpe_gui.ui.run.background import BackgroundTask, Job
from bpe_gui.ui.run.context import RunContext
from bpe_gui.ui.run.corpus_queries import check_size
from bpe_gui.ui.run.worker import SMALL_CORPUS
from bpe_gui.ui.theme.text_size import RoomFollower
from bpe_gui.ui.widgets.labels import SteadyLabel
from bpe_gui.ui.widgets.layouts import STYLED, column, filled
from bpe_gui.ui.widgets.naming import named, quiet
from bpe_gui.ui.workspaces.panel import BasePanel

_REPORT_EVERY = 0.1
"""Seconds between two reports of progress."""


class Subject(Struct, eq=False):
    """A run, or a recipe before its first merge, and what was found of its boundaries.

    run: None before a recipe has been counted. boundaries: counted with the first question.
    job: the one that is being done; only its thread uses it.
    The window's thread keeps the rest: the position that was `asked`, whether it is `asking`,
    what was `blocked` and `learned`, the `progress`, and why the search is `waiting` for the
    user: a problem, or that the user has stopped it.
    """

    corpus: Corpus
    recipe: Recipe
    run: Branch | None
    job: Job | None = None
    boundaries: Boundaries | None = None
    asked: int | None = None
    asking: bool = False
    blocked: BlockedPairs | None = None
    learned: Superwords | None = None
    progress: str = ""
    waiting: str = ""

    @property
    def is_split(self) -> bool:
        """Whether the recipe splits the text: else there are no boundaries."""
        return self.recipe.split != "none"

    @property
    def goes_on(self) -> bool:
        """Whether something is still to be found."""
        found = self.blocked is not None and self.learned is not None
        return self.is_split and not self.waiting and not found

    def blocked_pairs(self, position: int, job: Job) -> BlockedPairs | None:
        """Find the pairs that are blocked at a position; None if the run is not as far."""
        self.job, boundaries = job, self.boundaries
        if boundaries is None:
            self._wait_for_kernels(job)
            boundaries = self.boundaries = self._find_boundaries(job)
        boundaries.extend()
        if position > boundaries.length:
            return None
        return boundaries.blocked_pairs(position)

    def superwords(self, job: Job) -> Superwords:
        """Learn the tokens that training without boundaries learns first."""
        self._wait_for_kernels(job)
        return learn_superwords(
            *(self.corpus, self.recipe),
            progress=_reports(job, "{}: merge {:,}.".format, wording.LEARNING),
            cancelled=job.is_cancelled,
        )

    def _find_boundaries(self, job: Job) -> Boundaries:
        if self.run is not None:
            check_size(self.run.words)
        doing = wording.READING if self.run is not None else wording.SPLITTING
        words, bigrams = count_words_and_bigrams(
            *(self.corpus, self.recipe),
            progress=_reports(job, self._how_far, doing),
            cancelled=job.is_cancelled,
        )
        if self.run is None:
            check_size(words)
            self.run = Branch(self.recipe.name, words, Trainer(words, self.recipe).history)
        return Boundaries(
            SegmentedCorpus(self.run.words, self.run.history, cancelled=self._is_cancelled), bigrams
        )

    def _how_far(self, doing: str, bytes_read: int) -> str:
        size = self.corpus.size
        of = f" of {megabytes(size)}" if size is not None else ""
        return f"{doing}: {megabytes(bytes_read)}{of}."

    def _is_cancelled(self) -> bool:
        return self.job is not None and self.job.is_cancelled()

    def _wait_for_kernels(self, job: Job) -> None:
        """Wait until the kernels are compiled; a small corpus needs none, as in training."""
        size = self.corpus.find_size(job.check)
        if (size is None or size > SMALL_CORPUS) and not compiled_by_default():
            job.wait_for_kernels()


def _reports(job: Job, say: Callable[[str, int], str], doing: str) -> Callable[[int], None]:
    """Return a function that reports how far a job is, ten times a second at most."""

    def report(count: int) -> None:
        if job.is_due(_REPORT_EVERY):
            job.report(say(doing, count))

    return report


_ASK_EVERY_MILLISECONDS = 400
"""Time between two searches while the cursor moves fast."""
_DRAFT_MILLISECONDS = 300
"""Time without a change of the edited recipe after which it is searched."""
_NARROW, _LOW = 76, 12
"""Letters of width and lines of height below which parts are hidden."""


class BoundaryPanel(BasePanel):
    """Searches the run in view at its position, or the edited recipe before its first merge.

    The pairs are at the left, the tokens that would be learned at the right. The tokens are the
    same at every position and are searched once, after the first pairs. Nothing is searched
    while the panel is hidden; of several positions in a row, only the last one is.
    """

    room, least_room, least_lines = QSize(760, 320), QSize(320, 150), 12
    tokenSelected = Signal(int)
    """The user has clicked a token, or pressed Enter on it."""

    def __init__(self, run: RunContext) -> None:
        super().__init__("boundaryPanel", wording.TITLE)
        self._branches, self._training = run.branches, run.training
        self._draft: Recipe | None = None
        self._of_draft = False
        """Whether the edited recipe is shown, and not the run in view."""
        self._subject: Subject | None = None
        self._task = BackgroundTask(
            "boundaries",
            self,
            expected=(ValueError, OSError),
            failure="The boundaries could not be looked at",
            gives_way=True,
        )
        self._later = QTimer(self, singleShot=True, interval=_ASK_EVERY_MILLISECONDS)
        self._later.timeout.connect(self._ask)
        self._settling = QTimer(self, singleShot=True, interval=_DRAFT_MILLISECONDS)
        self._settling.timeout.connect(self._begin)
        self._pair_table, self._token_table = BlockedPairTable(self), SuperwordTable(self)
        self._headline = SteadyLabel(self, wraps=True)
        self._pair_note = SteadyLabel(self, wraps=True)
        self._token_note = SteadyLabel(self, wraps=True)
        self._whose = SteadyLabel(self, wraps=True)
        self._draft_button = named(QPushButton(self), "boundaryDraftButton", tip=wording.DRAFT_TIP)
        self._button = named(QPushButton(self), "boundaryButton")
        self._lay_out()
        self._button.clicked.connect(self._on_button)
        self._draft_button.toggled.connect(self._turn_to_draft)
        self._pair_table.tokenSelected.connect(self.tokenSelected)
        self.setFocusProxy(self._pair_table)
        run.player.loaded.connect(self._on_loaded)
        run.training.changed.connect(self._update_texts)
        self._begin()
        RoomFollower(self, self._relayout)

    # -- building --------------------------------------------------------------------------

    def _lay_out(self) -> None:
        self._headline.label.setObjectName("boundarySentence")
        self._pair_note.label.setObjectName("boundaryNote")
        sides = QSplitter(Qt.Orientation.Horizontal, self, childrenCollapsible=False)
        self._sides = named(sides, "boundarySplitter")
        # Without pairs the sentence keeps its place at the top.
        policy = sides.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        sides.setSizePolicy(policy)
        for table, note in (
            (self._pair_table, self._pair_note),
            (self._token_table, self._token_note),
        ):
            self._token_side = column(note, table, stretched=table, spacing=2)
            sides.addWidget(self._token_side)
        self._whose.label.setObjectName("boundarySubject")
        for note in (self._pair_note, self._token_note, self._whose):
            quiet(note.label)
        self._draft_button.setCheckable(True)
        parts = (self._whose, self._button, self._draft_button)
        top = filled(QHBoxLayout(), *parts, stretched=self._whose, spacing=STYLED)
        layout, margins = QVBoxLayout(self), (10, 8, 10, 6)
        filled(layout, top, self._headline, sides, stretched=sides, spacing=6, margins=margins)

    # -- what is shown -----------------------------------------------------------------------

    @Slot()
    def _on_loaded(self) -> None:
        """Show the run in view from its start; the edited recipe stays if its corpus does."""
        self._position = 0
        subject, branches = self._subject, self._branches
        same = subject is not None and subject.corpus is branches.corpus
        if not (self._of_draft and same and branches.shown is not None):
            self._begin()

    def set_recipe(self, recipe: Recipe) -> None:
        """Take another recipe as the edited one."""
        if self._of_draft and recipe != self._draft:
            self._settling.start()
        self._draft = recipe
        self._update_texts()

    def show_position(self, position: int, moving: bool) -> None:
        """Show what is blocked at a position; now and then while the cursor moves fast."""
        self._position = position
        if self._of_draft:
            return
        if not moving:
            self._ask()
        elif not self._later.isActive():
            self._later.start()

    @Slot(bool)
    def _turn_to_draft(self, of_draft: bool) -> None:
        self._of_draft = of_draft
        self._begin()

    @property
    def busy(self) -> bool:
        """Whether a search is under way, or waits until the panel is in view."""
        return self._subject is not None and self._subject.goes_on

    @property
    def sentence(self) -> str:
        """The sentence on top: what is blocked, how far the search is, or why there is nothing."""
        return self._sentences()[0]

    def pair_lines(self) -> Iterator[Sequence[object]] | None:
        """Return the blocked pairs as lines for a file; None before they are known."""
        subject = self._subject
        if subject is None or subject.blocked is None or subject.run is None:
            return None
        return blocked_pair_lines(subject.blocked, subject.run.history)

    def token_lines(self) -> Iterator[Sequence[object]] | None:
        """Return the tokens across boundaries as lines for a file; None before there are any."""
        learned = self._subject.learned if self._subject is not None else None
        return superword_lines(learned.tokens) if learned and learned.tokens else None

    # -- searching -----------------------------------------------------------------------------

    @Slot()
    def _begin(self) -> None:
        self._drop()
        self._settling.stop()
        self._subject = None
        run, corpus = self._branches.shown, self._branches.corpus
        if run is not None and corpus is not None:
            if self._of_draft and self._draft is not None:
                # Where it would stop does not matter before it begins.
                recipe = self._draft.with_changes(vocabulary_size=None, merges=None)
                self._subject = Subject(corpus, recipe, None)
            else:
                self._subject = Subject(corpus, run.history.recipe, run)
        self._pair_table.show_nothing()
        self._token_table.show_tokens(())
        self._ask()
        self._update_texts()

    def _drop(self) -> None:
        self._later.stop()
        self._task.drop()
        if self._subject is not None:
            self._subject.boundaries = None

    @Slot()
    def _ask(self) -> None:
        self._later.stop()
        subject = self._subject
        if subject is None or not subject.is_split or subject.waiting or not self.isVisible():
            return
        position = 0 if self._of_draft else self._position
        if position != subject.asked and not subject.asking:
            first = subject.asked is None
            subject.asked, subject.asking = position, True
            self._submit(partial(subject.blocked_pairs, position), self._on_blocked)
            if first:
                self._submit(subject.superwords, self._on_learned)

    def _submit(self, work: Callable[[Job], Any], done: Callable[[Any], object]) -> None:
        self._task.ask_too(work, done, self._on_failed, self._on_progress)

    @Slot(object)
    def _on_blocked(self, found: BlockedPairs | None) -> None:
        subject = self._subject
        assert subject is not None
        subject.asking = False
        if found is not None and subject.run is not None:
            subject.blocked, subject.progress = found, ""
            self._pair_table.show_pairs(found, subject.run.history, self._blocker(subject))
            self._update_texts()
        self._ask()

    @Slot(object)
    def _on_learned(self, found: Superwords) -> None:
        assert self._subject is not None
        self._subject.learned, self._subject.progress = found, ""
        self._token_table.show_tokens(found.tokens)
        self._update_texts()

    @Slot(object)
    def _on_progress(self, doing: str) -> None:
        assert self._subject is not None
        self._subject.progress = doing
        self._update_texts()

    @Slot(str)
    def _on_failed(self, problem: str) -> None:
        assert self._subject is not None
        self._task.drop()
        self._subject.waiting = problem
        self._update_texts()

    @Slot()
    def _on_button(self) -> None:
        if self._subject is not None and self.busy:
            self._drop()
            self._subject.waiting = wording.STOPPED
            self._update_texts()
        else:
            self._begin()

    # -- texts ---------------------------------------------------------------------------------

    def _blocker(self, subject: Subject) -> str:
        return wording.YOUR_PATTERN if self._of_draft else wording.blocker(subject.recipe.name)

    @Slot()
    def _update_texts(self) -> None:
        sentence, tokens = self._sentences()
        self._headline.set_text(sentence)
        self.setAccessibleDescription(sentence)
        self._token_table.set_message(tokens)
        subject = self._subject
        blocked = subject.blocked if subject is not None else None
        self._sides.setVisible(blocked is None or bool(blocked.pairs))
        whose = pair_note = token_note = ""
        if subject is not None:
            whose = wording.subject(subject.recipe, self._draft, edited=self._of_draft)
            pair_note = wording.counted(subject.blocked) if subject.blocked else ""
            token_note = wording.learned(subject.learned) if subject.learned else ""
        self._whose.set_text(whose)
        self._pair_note.set_text(pair_note)
        self._token_note.set_text(token_note)
        self._token_note.setToolTip(token_note)
        self._draft_button.setText(wording.SHOW_RUN if self._of_draft else wording.SHOW_DRAFT)
        self._draft_button.setEnabled(self._branches.shown is not None and self._draft is not None)
        self._button.setText("Cancel" if self.busy else "Look again")
        self._button.setVisible(self.busy or (subject is not None and bool(subject.waiting)))

    def _sentences(self) -> tuple[str, str]:
        """Return the sentence on top, and the one in the place of the tokens."""
        subject = self._subject
        if subject is None:
            return self._training.reading_or(wording.NOTHING_LOADED), ""
        if not subject.is_split:
            return wording.not_split(subject.recipe.name), ""
        said, found = subject.waiting or subject.progress, subject.blocked
        if found is None or subject.run is None:
            doing = wording.SPLITTING if self._of_draft else wording.READING
            return said or f"{doing}…", ""
        headline = wording.headline(found, subject.run.history, self._blocker(subject))
        if subject.learned is not None:
            return headline, wording.NO_SUPERWORDS
        return headline, said or f"{wording.LEARNING}…"

    def _relayout(self) -> None:
        """Put one table below the other in little width; hide the tokens in little of both."""
        metrics = self.fontMetrics()
        narrow = self.width() < _NARROW * metrics.averageCharWidth()
        low = self.height() < _LOW * metrics.lineSpacing()
        across = Qt.Orientation.Vertical if narrow else Qt.Orientation.Horizontal
        if self._sides.orientation() != across:
            self._sides.setOrientation(across)
        self._token_side.setVisible(not (narrow and low))
        # The editor is not in view on the stage.
        only_rows = narrow and self.presents
        self._draft_button.setVisible(not only_rows)
        self._whose.setVisible(not only_rows)
        self._pair_note.setVisible(not (low or only_rows))
        self._token_note.setVisible(not low)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._ask()

    def hideEvent(self, event: QHideEvent) -> None:
        self._later.stop()
        super().hideEvent(event)
