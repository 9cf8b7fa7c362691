"""The pairs that the boundaries of a split block, and what would be learned without them.

The boundaries are those of the run in view, at its position, or those of the edited recipe at its
beginning, where no merges count.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtGui import QHideEvent, QPalette, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QSplitter, QVBoxLayout, QWidget

from bpe_gui.analysis.boundaries import BlockedPairs
from bpe_gui.analysis.branches import Branch
from bpe_gui.analysis.superwords import SuperwordToken
from bpe_gui.bpe.corpus import Corpus
from bpe_gui.bpe.recipe import Recipe
from bpe_gui.exporting.tables import blocked_pair_lines, superword_lines
from bpe_gui.ui.laboratory import boundary_wording as wording
from bpe_gui.ui.laboratory.boundary_search import BoundarySearch
from bpe_gui.ui.laboratory.boundary_tables import BlockedPairTable, SuperwordTable
from bpe_gui.ui.theme.text_size import RoomFollower
from bpe_gui.ui.widgets.labels import SteadyLabel

_NARROW, _LOW = 50, 12
"""Letters of width and lines of height below which parts are left out."""


class BoundaryPanel(QWidget):
    """Looks at the boundaries of a run or of the edited recipe, once it is in sight itself.

    A sentence on top, the pairs at the left, the tokens that would be learned at the right.
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
        self._search = BoundarySearch(self)
        self._blocked: BlockedPairs | None = None
        self._tokens: tuple[SuperwordToken, ...] = ()
        self._pair_table, self._token_table = BlockedPairTable(self), SuperwordTable(self)
        self._headline = SteadyLabel(self, wraps=True)
        self._pair_note = SteadyLabel(self, wraps=True)
        self._token_note = SteadyLabel(self, wraps=True)
        self._subject = SteadyLabel(self, wraps=True)
        self._of_draft = QPushButton(wording.SHOW_DRAFT, self)
        self._button = QPushButton("Cancel", self)
        self._lay_out()
        self._connect()
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

    def _lay_out(self) -> None:
        self._headline.label.setObjectName("wallSentence")
        self._pair_note.label.setObjectName("wallNote")
        for note in (self._pair_note, self._token_note):
            note.label.setProperty("quiet", True)
        self._sides = sides = QSplitter(Qt.Orientation.Horizontal, self)
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
        self._subject.label.setObjectName("wallSubject")
        self._subject.label.setProperty("quiet", True)
        self._of_draft.setObjectName("wallDraftButton")
        self._of_draft.setCheckable(True)
        self._of_draft.setToolTip(wording.DRAFT_TIP)
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
        self._search.changed.connect(self._follow)
        self._button.clicked.connect(self._on_button)
        self._of_draft.toggled.connect(self._search.turn_to_draft)
        self._pair_table.tokenSelected.connect(self.tokenSelected)

    # -- what is shown ---------------------------------------------------------------------

    def set_run(self, run: Branch | None, corpus: Corpus | None) -> None:
        """Look at another run from its start, or at none; at the draft only on its corpus."""
        self._search.set_run(run, corpus)

    def show_position(self, position: int, moving: bool) -> None:
        """Show what is blocked at a position. While the cursor moves fast, not at every one."""
        self._search.set_position(position, moving)

    def set_reading(self, corpus: str) -> None:
        """Say that a corpus of that name is being read, while there is no run."""
        self._reading = corpus
        self._update_texts()

    def set_recipe(self, recipe: Recipe) -> None:
        """Offer another recipe as the edited one; show it if that is what is looked at."""
        self._search.set_draft(recipe)

    def close_threads(self) -> None:
        """End what goes on in the background."""
        self._search.close()

    def pair_lines(self) -> Iterator[Sequence[object]] | None:
        """The blocked pairs as lines for a file; None before they are known."""
        found, run = self._search.blocked, self._search.run
        return blocked_pair_lines(found, run.history) if found and run is not None else None

    def token_lines(self) -> Iterator[Sequence[object]] | None:
        """The tokens across boundaries as lines for a file; None before there are any."""
        return superword_lines(self._tokens) if self._tokens else None

    @property
    def busy(self) -> bool:
        """Whether something is being found out that takes a while."""
        return self._search.busy

    @property
    def _by(self) -> str:
        """What blocks the pairs."""
        recipe = self._search.recipe
        assert recipe is not None
        edited = self._search.of_draft
        return wording.YOUR_PATTERN if edited else wording.blocker(recipe.name)

    @Slot()
    def _follow(self) -> None:
        """Show what is known by now."""
        found, run, learned = self._search.blocked, self._search.run, self._search.superwords
        if found is not self._blocked:
            self._blocked = found
            if found is None or run is None:
                self._pair_table.show_nothing()
            else:
                self._pair_table.show_pairs(found, run.history, self._by)
        tokens = learned.tokens if learned is not None else ()
        if tokens is not self._tokens:
            self._tokens = tokens
            self._token_table.show_tokens(tokens)
        self._update_texts()

    @Slot()
    def _on_button(self) -> None:
        """Give up what goes on, or begin it again."""
        if self._search.busy:
            self._search.stop()
        else:
            self._search.begin()

    # -- saying it -------------------------------------------------------------------------

    @Slot()
    def _update_texts(self) -> None:
        """Say what is shown, what goes on, and why nothing is shown."""
        search = self._search
        sentence, tokens = self._sentences()
        self._headline.set_text(sentence)
        self.setAccessibleDescription(sentence)
        self._token_table.set_message(tokens)
        self._pair_note.set_text(wording.counted(search.blocked) if search.blocked else "")
        learned = wording.learned(search.superwords) if search.superwords is not None else ""
        self._token_note.set_text(learned)
        self._token_note.setToolTip(learned)
        whose, recipe = "", search.recipe
        if recipe is not None:
            whose = wording.subject(recipe, search.draft, edited=search.of_draft)
        self._subject.set_text(whose)
        self._of_draft.setText(wording.SHOW_RUN if search.of_draft else wording.SHOW_DRAFT)
        self._of_draft.setEnabled(search.has_run_in_view and search.draft is not None)
        self._button.setText("Cancel" if search.busy else "Look again")
        self._button.setVisible(search.busy or search.stopped or bool(search.problem))

    @property
    def sentence(self) -> str:
        """The sentence on top: what is blocked, what goes on, or why there is nothing."""
        return self._sentences()[0]

    def _sentences(self) -> tuple[str, str]:
        """The sentence on top, and the one in the place of the tokens."""
        search = self._search
        if search.recipe is None:
            return wording.nothing_loaded(self._reading), ""
        if not search.has_boundaries:
            return wording.not_split(search.recipe.name), ""
        waiting = wording.STOPPED if search.stopped else search.problem or search.doing
        found, run = search.blocked, search.run
        if found is None or run is None:
            return waiting, ""
        headline = wording.headline(found, run.history, self._by)
        return headline, waiting if search.superwords is None else wording.NO_SUPERWORDS

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
        self._of_draft.setVisible(not only_rows)
        self._subject.setVisible(not only_rows)
        self._pair_note.setVisible(not (low or only_rows))
        self._token_note.setVisible(not low)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._search.set_in_sight(True)

    def hideEvent(self, event: QHideEvent) -> None:
        self._search.set_in_sight(False)
        super().hideEvent(event)
