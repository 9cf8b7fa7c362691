"""The pairs that the boundaries of a split block, and what would be learned without them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

from PySide6.QtCore import QSize, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QHideEvent, QPalette, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QSplitter, QVBoxLayout, QWidget

from bpe_gui.analysis.boundaries import BlockedPairs
from bpe_gui.analysis.branches import Branch
from bpe_gui.analysis.superwords import Superwords
from bpe_gui.bpe.corpus import Corpus
from bpe_gui.bpe.recipe import Recipe
from bpe_gui.exporting.tables import blocked_pair_lines, superword_lines
from bpe_gui.ui.laboratory import boundary_wording as wording
from bpe_gui.ui.laboratory.boundary_search import Subject
from bpe_gui.ui.laboratory.boundary_tables import BlockedPairTable, SuperwordTable
from bpe_gui.ui.run.background import BackgroundTask, Job
from bpe_gui.ui.theme.text_size import RoomFollower
from bpe_gui.ui.widgets.labels import SteadyLabel

_ASK_EVERY_MILLISECONDS = 400
"""How often another position is asked about while the cursor moves fast."""
_DRAFT_MILLISECONDS = 300
"""How long the edited recipe rests before its boundaries are looked at."""
_NARROW, _LOW = 50, 12
"""Letters of width and lines of height below which parts are left out."""


class BoundaryPanel(QWidget):
    """Looks at the boundaries of the run in view at its position, or of the edited recipe at its
    beginning, where no merges count; only while it is in sight itself.

    A sentence on top, the pairs at the left, the tokens that would be learned at the right. These
    are looked for after the pairs, and are the same at every position. Of the questions for a
    position one is being answered and the newest waits.
    """

    presents = False
    """Whether an audience looks on."""
    tokenSelected = Signal(int)
    """A token that the user clicked, or pressed Enter on."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("wallPanel")
        self.setAccessibleName(wording.TITLE)
        self._reading = ""
        self._run: Branch | None = None
        self._corpus: Corpus | None = None
        self._draft: Recipe | None = None
        self._of_draft = False
        """Whether the edited recipe is looked at, and not the run in view."""
        self._begun: Branch | None = None
        """The run of the edited recipe, which has no merges."""
        self._position = 0
        self._asked: int | None = None
        self._looking = False
        self._progress = ""
        self._problem = ""
        self._stopped = False
        self._subject: Subject | None = None
        self._blocked: BlockedPairs | None = None
        self._superwords: Superwords | None = None
        self._task = BackgroundTask(
            "boundaries",
            self,
            expected=(ValueError, OSError),
            failure="The boundaries could not be looked at",
            gives_way=True,
        )
        self._later = self._timer(_ASK_EVERY_MILLISECONDS, self._ask)
        self._settling = self._timer(_DRAFT_MILLISECONDS, self._begin)
        self._pair_table, self._token_table = BlockedPairTable(self), SuperwordTable(self)
        self._headline = SteadyLabel(self, wraps=True)
        self._pair_note = SteadyLabel(self, wraps=True)
        self._token_note = SteadyLabel(self, wraps=True)
        self._whose = SteadyLabel(self, wraps=True)
        self._draft_button = QPushButton(wording.SHOW_DRAFT, self)
        self._button = QPushButton("Cancel", self)
        self._lay_out()
        self._button.clicked.connect(self._on_button)
        self._draft_button.toggled.connect(self._turn_to_draft)
        self._pair_table.tokenSelected.connect(self.tokenSelected)
        self.setBackgroundRole(QPalette.ColorRole.Base)
        self.setAutoFillBackground(True)
        self.setFocusProxy(self._pair_table)
        self._update_texts()
        RoomFollower(self, self._share)

    def sizeHint(self) -> QSize:
        return QSize(760, 320)

    def minimumSizeHint(self) -> QSize:
        return QSize(320, 150)

    # -- building --------------------------------------------------------------------------

    def _timer(self, milliseconds: int, do: Callable[[], None]) -> QTimer:
        timer = QTimer(self)
        timer.setSingleShot(True)
        timer.setInterval(milliseconds)
        timer.timeout.connect(do)
        return timer

    def _lay_out(self) -> None:
        self._headline.label.setObjectName("wallSentence")
        self._pair_note.label.setObjectName("wallNote")
        for note in (self._pair_note, self._token_note):
            note.label.setProperty("quiet", True)
        self._sides = sides = QSplitter(Qt.Orientation.Horizontal, self)
        # Without pairs the sentence keeps its place at the top.
        policy = sides.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        sides.setSizePolicy(policy)
        sides.setObjectName("wallSplitter")
        sides.setChildrenCollapsible(False)
        for table, note in (
            (self._pair_table, self._pair_note),
            (self._token_table, self._token_note),
        ):
            side = QWidget(sides)
            column = QVBoxLayout(side)
            column.setContentsMargins(0, 0, 0, 0)
            column.setSpacing(2)
            column.addWidget(note)
            column.addWidget(table, 1)
        self._token_side = side
        self._button.setObjectName("wallButton")
        self._whose.label.setObjectName("wallSubject")
        self._whose.label.setProperty("quiet", True)
        self._draft_button.setObjectName("wallDraftButton")
        self._draft_button.setCheckable(True)
        self._draft_button.setToolTip(wording.DRAFT_TIP)
        top = QHBoxLayout()
        top.addWidget(self._whose, 1)
        top.addWidget(self._button)
        top.addWidget(self._draft_button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(10, 8, 10, 6)
        layout.setSpacing(6)
        layout.addLayout(top)
        layout.addWidget(self._headline)
        layout.addWidget(sides, 1)

    # -- what is looked at -----------------------------------------------------------------

    def set_run(self, run: Branch | None, corpus: Corpus | None) -> None:
        """Look at another run from its start, or at none; at the draft only on its corpus."""
        same = corpus is not None and corpus is self._corpus
        self._run, self._corpus, self._position = run, corpus, 0
        if not (same and self._of_draft):
            self._begin()

    def set_recipe(self, recipe: Recipe) -> None:
        """Offer another recipe as the edited one; show it if that is what is looked at."""
        self._draft = recipe
        if self._of_draft:
            self._settling.start()
        self._update_texts()

    def show_position(self, position: int, moving: bool) -> None:
        """Show what is blocked at a position. While the cursor moves fast, not at every one."""
        self._position = position
        if self._of_draft:
            return
        if not moving:
            self._ask()
        elif not self._later.isActive():
            self._later.start()

    def set_reading(self, corpus: str) -> None:
        """Say that a corpus of that name is being read, while there is no run."""
        self._reading = corpus
        self._update_texts()

    def close_threads(self) -> None:
        """End what goes on in the background."""
        self._drop()
        self._settling.stop()
        self._task.close()

    @Slot(bool)
    def _turn_to_draft(self, of_draft: bool) -> None:
        """Look at the boundaries of the edited recipe, or at those of the run in view."""
        self._of_draft = of_draft
        self._begin()

    @property
    def _recipe(self) -> Recipe | None:
        """Whose boundaries are looked at, if there is a corpus."""
        if self._run is None:
            return None
        return self._draft if self._of_draft else self._run.history.recipe

    @property
    def _told(self) -> Branch | None:
        """The run that is spoken of; None while the edited recipe has none yet."""
        return self._begun if self._of_draft else self._run

    @property
    def _has_boundaries(self) -> bool:
        recipe = self._recipe
        return recipe is not None and recipe.split != "none"

    @property
    def busy(self) -> bool:
        """Whether something is being found out that takes a while."""
        if not self._has_boundaries or self._stopped or self._problem:
            return False
        return self._blocked is None or self._superwords is None

    # -- asking ----------------------------------------------------------------------------

    @Slot()
    def _begin(self) -> None:
        """Forget what was found out, and begin again if somebody looks."""
        self._drop()
        self._settling.stop()
        self._stopped = False
        self._problem = self._progress = ""
        self._asked = self._begun = None
        self._superwords = None
        self._show_blocked(None)
        self._token_table.show_tokens(())
        run, corpus = self._run, self._corpus
        if run is not None and corpus is not None:
            if self._of_draft and self._draft is not None:
                # Where it would stop does not matter before it begins.
                recipe = self._draft.with_changes(vocabulary_size=None, merges=None)
                self._subject = Subject(corpus, recipe, None)
            else:
                self._subject = Subject(corpus, run.history.recipe, run)
        self._ask()
        self._update_texts()

    def _drop(self) -> None:
        """Ask nothing more, and give back the memory that it took."""
        self._later.stop()
        self._looking = False
        self._task.drop()
        if self._subject is not None:
            self._subject.dropped.set()
            self._subject = None

    @Slot()
    def _ask(self) -> None:
        self._later.stop()
        subject = self._subject
        if not self._has_boundaries or subject is None or self._problem or not self.isVisible():
            return
        position = 0 if self._of_draft else self._position
        if position != self._asked and not self._looking:
            first, self._asked, self._looking = self._asked is None, position, True
            self._submit(partial(subject.blocked_pairs, position), self._on_blocked)
            if first:
                self._submit(subject.superwords, self._on_learned)

    def _submit(self, work: Callable[[Job], Any], done: Callable[[Any], object]) -> None:
        self._task.ask_too(work, done, self._on_failed, self._on_progress)

    @Slot(object)
    def _on_blocked(self, found: BlockedPairs | None) -> None:
        assert self._subject is not None
        self._looking = False
        if found is not None:
            self._begun = self._subject.run
            self._progress = ""
            self._show_blocked(found)
            self._update_texts()
        self._ask()

    @Slot(object)
    def _on_learned(self, found: Superwords) -> None:
        self._superwords = found
        self._progress = ""
        self._token_table.show_tokens(found.tokens)
        self._update_texts()

    @Slot(object)
    def _on_progress(self, doing: str) -> None:
        self._progress = doing
        self._update_texts()

    @Slot(str)
    def _on_failed(self, problem: str) -> None:
        self._task.drop()
        self._problem = problem
        self._update_texts()

    @Slot()
    def _on_button(self) -> None:
        """Give up what goes on, or begin it again."""
        if self.busy:
            self._stopped = True
            self._drop()
            self._update_texts()
        else:
            self._begin()

    # -- what is shown ---------------------------------------------------------------------

    def pair_lines(self) -> Iterator[Sequence[object]] | None:
        """The blocked pairs as lines for a file; None before they are known."""
        found, run = self._blocked, self._told
        return blocked_pair_lines(found, run.history) if found and run is not None else None

    def token_lines(self) -> Iterator[Sequence[object]] | None:
        """The tokens across boundaries as lines for a file; None before there are any."""
        learned = self._superwords
        return superword_lines(learned.tokens) if learned and learned.tokens else None

    @property
    def _by(self) -> str:
        """What blocks the pairs."""
        recipe = self._recipe
        assert recipe is not None
        return wording.YOUR_PATTERN if self._of_draft else wording.blocker(recipe.name)

    def _show_blocked(self, found: BlockedPairs | None) -> None:
        self._blocked, run = found, self._told
        if found is None or run is None:
            self._pair_table.show_nothing()
        else:
            self._pair_table.show_pairs(found, run.history, self._by)

    @Slot()
    def _update_texts(self) -> None:
        """Say what is shown, what goes on, and why nothing is shown."""
        blocked, learned, recipe = self._blocked, self._superwords, self._recipe
        sentence, tokens = self._sentences()
        self._headline.set_text(sentence)
        self.setAccessibleDescription(sentence)
        self._token_table.set_message(tokens)
        self._sides.setVisible(blocked is None or bool(blocked.pairs))
        self._pair_note.set_text(wording.counted(blocked) if blocked else "")
        note = wording.learned(learned) if learned is not None else ""
        self._token_note.set_text(note)
        self._token_note.setToolTip(note)
        whose = ""
        if recipe is not None:
            whose = wording.subject(recipe, self._draft, edited=self._of_draft)
        self._whose.set_text(whose)
        self._draft_button.setText(wording.SHOW_RUN if self._of_draft else wording.SHOW_DRAFT)
        self._draft_button.setEnabled(self._run is not None and self._draft is not None)
        self._button.setText("Cancel" if self.busy else "Look again")
        self._button.setVisible(self.busy or self._stopped or bool(self._problem))

    @property
    def sentence(self) -> str:
        """The sentence on top: what is blocked, what goes on, or why there is nothing."""
        return self._sentences()[0]

    def _sentences(self) -> tuple[str, str]:
        """The sentence on top, and the one in the place of the tokens."""
        if self._recipe is None:
            return wording.nothing_loaded(self._reading), ""
        if not self._has_boundaries:
            return wording.not_split(self._recipe.name), ""
        found, run = self._blocked, self._told
        waiting = wording.STOPPED if self._stopped else self._problem or self._progress
        if not waiting:
            begun = wording.READING if run is not None else wording.SPLITTING
            waiting = f"{begun if found is None else wording.LEARNING}…"
        if found is None or run is None:
            return waiting, ""
        headline = wording.headline(found, run.history, self._by)
        return headline, waiting if self._superwords is None else wording.NO_SUPERWORDS

    def _share(self) -> None:
        """Where there is little width, one table is below the other; where there is little of
        both, the pairs and their sentence are alone."""
        metrics = self.fontMetrics()
        narrow = self.width() < _NARROW * metrics.averageCharWidth()
        low = self.height() < _LOW * metrics.lineSpacing()
        across = Qt.Orientation.Vertical if narrow else Qt.Orientation.Horizontal
        if self._sides.orientation() != across:
            self._sides.setOrientation(across)
        self._token_side.setVisible(not (narrow and low))
        # On the stage the rows have the room: the editor is not to be seen there.
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
