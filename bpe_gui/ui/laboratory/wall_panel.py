"""What the wall forbids: the pairs that a split keeps apart, and what would be learnt without.

The walls are those of the run in view, at its position, or those of the edited recipe at its
beginning, where no merges count.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from PySide6.QtCore import QElapsedTimer, QSize, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QHideEvent, QPalette, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QSplitter, QVBoxLayout, QWidget

from bpe_gui.bpe.history import History
from bpe_gui.bpe.recipe import Recipe
from bpe_gui.bpe.unwalled import Unwalled
from bpe_gui.bpe.wall import Forbidden
from bpe_gui.progress import megabytes
from bpe_gui.ui.laboratory import wall_sentences as sentences
from bpe_gui.ui.laboratory.run import Run
from bpe_gui.ui.laboratory.wall_models import CrossingModel, ForbiddenModel
from bpe_gui.ui.laboratory.wall_tables import CrossingTable, ForbiddenTable, WalledTable
from bpe_gui.ui.laboratory.wall_watch import WallWatch
from bpe_gui.ui.steady_label import SteadyLabel
from bpe_gui.ui.theme import DARK, Theme

_ASK_EVERY_MILLISECONDS = 400
"""How often another position is asked about while the cursor moves fast."""

_DRAFT_MILLISECONDS = 300
"""How long the edited recipe rests before its walls are looked at."""

_CUTTING = "Cutting the corpus with the edited recipe"
_READING = "Reading the corpus once more, to see which words stand side by side"
_LEARNING = "Training without the wall"
_STOPPED = "Stopped before the walls were looked at. “Look again” begins anew."


class WallPanel(QWidget):
    """Looks at the walls of the run in view, or of the edited recipe, once it is in sight itself.

    A sentence on top, the pairs at the left, the tokens that would be learnt at the right.
    """

    tokenSelected = Signal(int)
    """A token that the user clicked, or pressed Enter on."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("wallPanel")
        self.setAccessibleName("What the wall forbids")
        self._run: Run | None = None
        self._reading = ""
        self._draft: Recipe | None = None
        self._drafted: Run | None = None
        self._position = 0
        self._asked: int | None = None
        self._stopped = False
        self._problem = ""
        self._progress = ""
        self._found: Forbidden | None = None
        self._learnt: Unwalled | None = None
        self._learning = False
        self._watch = WallWatch(self)
        self._pairs, self._tokens = ForbiddenModel(self), CrossingModel(self)
        self._pair_table = ForbiddenTable(self._pairs, self)
        self._token_table = CrossingTable(self._tokens, self)
        self._headline = SteadyLabel(self, wraps=True)
        self._pair_note, self._token_note = SteadyLabel(self), SteadyLabel(self)
        self._subject = SteadyLabel(self)
        self._of_draft = QPushButton("Show for the edited recipe", self)
        self._button = QPushButton("Cancel", self)
        self._since_asked = QElapsedTimer()
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.timeout.connect(self._ask)
        self._settling = QTimer(self)
        self._settling.setSingleShot(True)
        self._settling.setInterval(_DRAFT_MILLISECONDS)
        self._settling.timeout.connect(self._begin_anew)
        self._lay_out()
        self._connect()
        self.setBackgroundRole(QPalette.ColorRole.Base)
        self.setAutoFillBackground(True)
        self.setFocusProxy(self._pair_table)
        self.set_theme(DARK)
        self._tell()

    def sizeHint(self) -> QSize:
        """Room for a dozen rows on both sides."""
        return QSize(760, 320)

    def minimumSizeHint(self) -> QSize:
        """The least that shows a few rows."""
        return QSize(320, 150)

    # -- building --------------------------------------------------------------------------

    def _lay_out(self) -> None:
        self._headline.label.setObjectName("wallSentence")
        self._pair_note.label.setObjectName("wallNote")
        for note in (self._pair_note, self._token_note):
            note.label.setProperty("quiet", True)
        sides = QSplitter(Qt.Orientation.Horizontal, self)
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
        self._button.setObjectName("wallButton")
        self._subject.label.setObjectName("wallSubject")
        self._subject.label.setProperty("quiet", True)
        self._of_draft.setObjectName("wallDraftButton")
        self._of_draft.setCheckable(True)
        self._of_draft.setToolTip(
            "Cut the corpus with the recipe in the editor, and show what its split would forbid "
            "at the beginning; nothing is trained for it"
        )
        top = QHBoxLayout()
        top.addWidget(self._subject, 1)
        top.addWidget(self._button)
        top.addWidget(self._of_draft)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(10, 8, 10, 6)
        layout.setSpacing(6)
        layout.addLayout(top)
        layout.addWidget(self._headline)
        layout.addWidget(sides, 1)

    def _connect(self) -> None:
        self._watch.reading.connect(self._on_reading)
        self._watch.begun.connect(self._on_begun)
        self._watch.forbidden.connect(self._on_forbidden)
        self._watch.learning.connect(self._on_learning)
        self._watch.learnt.connect(self._on_learnt)
        self._watch.failed.connect(self._on_failed)
        self._button.clicked.connect(self._on_button)
        self._of_draft.toggled.connect(self._begin_anew)
        self._pair_table.tokenSelected.connect(self.tokenSelected)
        for table in (self._pair_table, self._token_table):
            table.rowDescribed.connect(table.setAccessibleDescription)

    # -- what is shown ---------------------------------------------------------------------

    def set_run(self, run: Run | None) -> None:
        """Look at another run from its start, or at none; at the draft only on its corpus."""
        before, self._run = self._run, run
        self._position = 0
        same = before is not None and run is not None and before.corpus is run.corpus
        if not (same and self._of_draft.isChecked()):
            self._begin_anew()

    def show_position(self, position: int, live: bool) -> None:
        """Show what is forbidden at a position. While the cursor moves fast, not at every one."""
        self._position = position
        if self._of_draft.isChecked():
            return
        wait = 0
        if live and self._since_asked.isValid():
            wait = _ASK_EVERY_MILLISECONDS - self._since_asked.elapsed()
        if wait <= 0:
            self._ask()
        elif not self._later.isActive():
            self._later.start(wait)

    def set_reading(self, corpus: str) -> None:
        """Say that a corpus of that name is being read, while there is no run."""
        self._reading = corpus
        self._tell()

    def set_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        for table in self._tables:
            table.set_theme(theme)

    def set_recipe(self, recipe: Recipe) -> None:
        """Offer another recipe as the edited one; show it if that is what is looked at."""
        self._draft = recipe
        if self._of_draft.isChecked():
            self._settling.start()
        self._tell()

    def set_text(self, text: str) -> None:
        """Nothing to do: it is the corpus that is looked at."""

    def set_history(self, history: History | None) -> None:
        """Nothing to do: `set_run` tells more."""

    def select_token(self, token: int) -> None:
        """Nothing to do: tokens are chosen here, not marked."""

    def set_active(self, active: bool) -> None:
        """Nothing to do: what is out of sight asks nothing anyway."""

    def close_threads(self) -> None:
        """End what goes on in the background."""
        self._later.stop()
        self._settling.stop()
        self._watch.close()

    def forbidden_lines(self) -> Iterator[Sequence[object]] | None:
        """The pairs that are kept apart as lines for a file; None before they are known."""
        return self._pairs.lines()

    def crossing_lines(self) -> Iterator[Sequence[object]] | None:
        """The tokens across walls as lines for a file; None before there are any."""
        return self._tokens.lines()

    @property
    def _tables(self) -> tuple[WalledTable, ...]:
        return self._pair_table, self._token_table

    @property
    def busy(self) -> bool:
        """Whether something is being found out that takes a while."""
        if not self._has_wall or self._stopped or self._problem:
            return False
        return self._found is None or self._learnt is None

    @property
    def _recipe(self) -> Recipe | None:
        """Whose walls are looked at, if there is a corpus."""
        if self._run is None:
            return None
        return self._draft if self._of_draft.isChecked() else self._run.history.recipe

    @property
    def _looked_at(self) -> Run | None:
        """The run that is spoken of; None while the draft has none yet."""
        return self._drafted if self._of_draft.isChecked() else self._run

    @property
    def _has_wall(self) -> bool:
        return self._recipe is not None and self._recipe.split != "none"

    @property
    def _by(self) -> str:
        """What forbids the pairs."""
        assert self._recipe is not None
        edited = self._of_draft.isChecked()
        return sentences.YOUR_PATTERN if edited else sentences.forbidder(self._recipe.name)

    @Slot()
    def _begin_anew(self) -> None:
        """Forget what was found out, and begin again if somebody looks."""
        self._stopped = False
        self._problem = ""
        self._progress = ""
        self._asked = None
        self._found = None
        self._learnt = None
        self._learning = False
        self._later.stop()
        self._settling.stop()
        self._drafted = None
        if self._of_draft.isChecked() and self._run is not None and self._draft is not None:
            self._watch.set_recipe(self._run.corpus, self._draft)
        else:
            self._watch.set_run(self._run)
        self._pairs.show(None, None)
        self._pair_table.follow()
        self._tokens.show(())
        self._ask()
        self._tell()

    @Slot()
    def _ask(self) -> None:
        self._later.stop()
        if not self._has_wall or self._stopped or self._problem or not self.isVisible():
            return
        position = 0 if self._of_draft.isChecked() else self._position
        if self._asked != position:
            self._asked = position
            self._since_asked.start()
            self._watch.ask(position)

    # -- answers ---------------------------------------------------------------------------

    @Slot(object)
    def _on_reading(self, bytes_read: int) -> None:
        assert self._run is not None
        size = self._run.corpus.size
        of = f" of {megabytes(size)}" if size is not None else ""
        doing = _READING if self._looked_at is not None else _CUTTING
        self._progress = f"{doing}: {megabytes(bytes_read)}{of}."
        self._tell()

    @Slot(object)
    def _on_begun(self, run: Run) -> None:
        self._drafted = run

    @Slot(object)
    def _on_forbidden(self, found: Forbidden) -> None:
        assert self._looked_at is not None
        self._found = found
        self._progress = ""
        self._pairs.show(found, self._looked_at.history, self._by)
        self._pair_table.follow()
        if not self._learning:
            self._learning = True
            self._watch.ask_for_tokens()
        self._tell()

    @Slot(int)
    def _on_learning(self, merges: int) -> None:
        self._progress = f"{_LEARNING}: merge {merges:,}."
        self._tell()

    @Slot(object)
    def _on_learnt(self, found: Unwalled) -> None:
        self._learnt = found
        self._progress = ""
        self._tokens.show(found.crossings)
        self._token_table.follow()
        self._tell()

    @Slot(str)
    def _on_failed(self, problem: str) -> None:
        self._problem = problem
        self._tell()

    @Slot()
    def _on_button(self) -> None:
        """Give up what goes on, or begin it again."""
        if not self.busy:
            self._begin_anew()
            return
        self._stopped = True
        self._later.stop()
        self._watch.set_run(None)
        self._tell()

    # -- saying it -------------------------------------------------------------------------

    def _tell(self) -> None:
        """Say what is shown, what goes on, and why nothing is shown."""
        sentence, tokens = self._sentences()
        self._headline.set_text(sentence)
        self.setAccessibleDescription(sentence)
        self._token_table.set_message(tokens)
        for table in self._tables:
            table.horizontalHeader().setVisible(table.model().rowCount() > 0)
        self._pair_note.set_text(self._pair_summary())
        learnt = sentences.learnt(self._learnt) if self._learnt is not None else ""
        self._token_note.set_text(learnt)
        self._token_note.setToolTip(learnt)
        edited = self._of_draft.isChecked()
        whose = ""
        if self._recipe is not None:
            whose = sentences.subject(self._recipe, self._draft, edited=edited)
        self._subject.set_text(whose)
        view = "Show for the run in view"
        self._of_draft.setText(view if edited else "Show for the edited recipe")
        self._of_draft.setEnabled(self._run is not None and self._draft is not None)
        self._button.setText("Cancel" if self.busy else "Look again")
        self._button.setVisible(self.busy or self._stopped or bool(self._problem))

    def _sentences(self) -> tuple[str, str]:
        """The sentence on top, and the one in the place of the tokens."""
        if self._recipe is None:
            return sentences.nothing_loaded(self._reading), ""
        if not self._has_wall:
            return sentences.no_wall(self._recipe.name), ""
        run = self._looked_at
        busy = self._progress or f"{_READING if run is not None else _CUTTING}…"
        waiting = _STOPPED if self._stopped else self._problem or busy
        if self._found is None or run is None:
            return waiting, ""
        headline = sentences.headline(self._found, run.history, self._by)
        if self._learnt is None:
            return headline, waiting if self._stopped else self._problem or f"{_LEARNING}…"
        return headline, sentences.NO_CROSSINGS

    def _pair_summary(self) -> str:
        found = self._found
        if found is None:
            return ""
        place = f"at merge {found.position:,}" if found.position else "at the start"
        text = f"{found.across:,} neighbours in {found.distinct:,} pairs, {place}"
        return text if found.whole else f"{text}, {sentences.scope(found.bytes_read)}"

    def showEvent(self, event: QShowEvent) -> None:
        """Ask for what was not asked for unseen."""
        super().showEvent(event)
        self._ask()

    def hideEvent(self, event: QHideEvent) -> None:
        """Nothing is asked unseen."""
        self._later.stop()
        super().hideEvent(event)
