"""What is known by now of the walls that somebody looks at, and what is being found out."""

from __future__ import annotations

from PySide6.QtCore import QElapsedTimer, QObject, QTimer, Signal, Slot

from bpe_gui.analysis.boundaries import BlockedPairs
from bpe_gui.analysis.superwords import Superwords
from bpe_gui.bpe.recipe import Recipe
from bpe_gui.progress import megabytes
from bpe_gui.ui.laboratory.boundary_worker import BoundaryWorker
from bpe_gui.ui.laboratory.run import Run

_ASK_EVERY_MILLISECONDS = 400
"""How often another position is asked about while the cursor moves fast."""

_DRAFT_MILLISECONDS = 300
"""How long the edited recipe rests before its walls are looked at."""

_CUTTING = "Cutting the corpus with the edited recipe"
_READING = "Reading the corpus once more, to see which words stand side by side"
_LEARNING = "Training without the wall"


class WallSearch(QObject):
    """Looks at the walls of the run in view at its position, or of the edited recipe at its start.

    forbidden, unwalled: what was found out, None as long as it was not. The second is looked
    for after the first, and is the same at every position.
    problem: why there is no more, one sentence; empty if nothing is wrong.
    stopped: whether the user gave it up.
    """

    changed = Signal()
    """Anything of this is new."""
    pairs_changed = Signal()
    """`forbidden` is another one."""
    tokens_changed = Signal()
    """`unwalled` is another one."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.forbidden: BlockedPairs | None = None
        self.unwalled: Superwords | None = None
        self.problem = ""
        self.stopped = False
        self.draft: Recipe | None = None
        """The edited recipe."""
        self.of_draft = False
        """Whether its walls are looked at, and not those of the run in view."""
        self._run: Run | None = None
        self._begun: Run | None = None
        self._position = 0
        self._asked: int | None = None
        self._asked_for_tokens = False
        self._progress = ""
        self._in_sight = False
        self._watch = BoundaryWorker(self)
        self._since_asked = QElapsedTimer()
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.timeout.connect(self._ask)
        self._settling = QTimer(self)
        self._settling.setSingleShot(True)
        self._settling.setInterval(_DRAFT_MILLISECONDS)
        self._settling.timeout.connect(self.begin)
        self._watch.reading.connect(self._on_reading)
        self._watch.begun.connect(self._on_begun)
        self._watch.forbidden.connect(self._on_forbidden)
        self._watch.learning.connect(self._on_learning)
        self._watch.learnt.connect(self._on_learnt)
        self._watch.failed.connect(self._on_failed)

    # -- what is looked at -------------------------------------------------------------------

    @property
    def recipe(self) -> Recipe | None:
        """Whose walls are looked at, if there is a corpus."""
        if self._run is None:
            return None
        return self.draft if self.of_draft else self._run.history.recipe

    @property
    def run(self) -> Run | None:
        """The run that is spoken of; None while the edited recipe has none yet."""
        return self._begun if self.of_draft else self._run

    @property
    def has_run_in_view(self) -> bool:
        """Whether there is a run in view, and with it a corpus."""
        return self._run is not None

    @property
    def has_wall(self) -> bool:
        """Whether there is a recipe, and one that splits."""
        return self.recipe is not None and self.recipe.split != "none"

    @property
    def busy(self) -> bool:
        """Whether something is being found out that takes a while."""
        if not self.has_wall or self.stopped or self.problem:
            return False
        return self.forbidden is None or self.unwalled is None

    @property
    def doing(self) -> str:
        """What goes on while it is busy, one sentence."""
        if self._progress:
            return self._progress
        if self.forbidden is not None:
            return f"{_LEARNING}…"
        return f"{_READING if self.run is not None else _CUTTING}…"

    # -- what is asked for -------------------------------------------------------------------

    def set_run(self, run: Run | None) -> None:
        """Look at another run from its start, or at none; at the draft only on its corpus."""
        before, self._run = self._run, run
        self._position = 0
        same = before is not None and run is not None and before.corpus is run.corpus
        if not (same and self.of_draft):
            self.begin()

    def set_draft(self, recipe: Recipe) -> None:
        """Another recipe is edited; look at it if that is what is looked at."""
        self.draft = recipe
        if self.of_draft:
            self._settling.start()
        self.changed.emit()

    def set_position(self, position: int, live: bool) -> None:
        """Look at a position of the run. While the cursor moves fast, not at every one."""
        self._position = position
        if self.of_draft:
            return
        wait = 0
        if live and self._since_asked.isValid():
            wait = _ASK_EVERY_MILLISECONDS - self._since_asked.elapsed()
        if wait <= 0:
            self._ask()
        elif not self._later.isActive():
            self._later.start(wait)

    def set_in_sight(self, in_sight: bool) -> None:
        """Somebody looks on, or nobody: then nothing more is asked."""
        self._in_sight = in_sight
        if in_sight:
            self._ask()
        else:
            self._later.stop()

    @Slot(bool)
    def turn_to_draft(self, of_draft: bool) -> None:
        """Look at the walls of the edited recipe, or at those of the run in view."""
        self.of_draft = of_draft
        self.begin()

    @Slot()
    def begin(self) -> None:
        """Forget what was found out, and begin again if somebody looks."""
        self.stopped = False
        self.problem = ""
        self.forbidden = None
        self.unwalled = None
        self._progress = ""
        self._asked = None
        self._asked_for_tokens = False
        self._later.stop()
        self._settling.stop()
        self._begun = None
        if self.of_draft and self._run is not None and self.draft is not None:
            self._watch.set_recipe(self._run.corpus, self.draft)
        else:
            self._watch.set_run(self._run)
        self.pairs_changed.emit()
        self.tokens_changed.emit()
        self._ask()
        self.changed.emit()

    def stop(self) -> None:
        """Give up what goes on."""
        self.stopped = True
        self._later.stop()
        self._watch.set_run(None)
        self.changed.emit()

    def close(self) -> None:
        """End what goes on in the background."""
        self._later.stop()
        self._settling.stop()
        self._watch.close()

    @Slot()
    def _ask(self) -> None:
        self._later.stop()
        if not self.has_wall or self.stopped or self.problem or not self._in_sight:
            return
        position = 0 if self.of_draft else self._position
        if self._asked != position:
            self._asked = position
            self._since_asked.start()
            self._watch.ask(position)

    # -- answers -----------------------------------------------------------------------------

    @Slot(object)
    def _on_reading(self, bytes_read: int) -> None:
        assert self._run is not None
        size = self._run.corpus.size
        of = f" of {megabytes(size)}" if size is not None else ""
        doing = _READING if self.run is not None else _CUTTING
        self._progress = f"{doing}: {megabytes(bytes_read)}{of}."
        self.changed.emit()

    @Slot(object)
    def _on_begun(self, run: Run) -> None:
        self._begun = run

    @Slot(object)
    def _on_forbidden(self, found: BlockedPairs) -> None:
        self.forbidden = found
        self._progress = ""
        self.pairs_changed.emit()
        if not self._asked_for_tokens:
            self._asked_for_tokens = True
            self._watch.ask_for_tokens()
        self.changed.emit()

    @Slot(int)
    def _on_learning(self, merges: int) -> None:
        self._progress = f"{_LEARNING}: merge {merges:,}."
        self.changed.emit()

    @Slot(object)
    def _on_learnt(self, found: Superwords) -> None:
        self.unwalled = found
        self._progress = ""
        self.tokens_changed.emit()
        self.changed.emit()

    @Slot(str)
    def _on_failed(self, problem: str) -> None:
        self.problem = problem
        self.changed.emit()
