"""What the wall forbids: the pairs that a split keeps apart, and what would be learnt without.

The walls are those of the run in view, at its position, or those of the edited recipe at its
beginning, where no merges count.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtGui import QHideEvent, QPalette, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QSplitter, QVBoxLayout, QWidget

from bpe_gui.bpe.history import History
from bpe_gui.bpe.recipe import Recipe
from bpe_gui.ui.laboratory import wall_sentences as sentences
from bpe_gui.ui.laboratory.crossing_table import CrossingTable
from bpe_gui.ui.laboratory.forbidden_table import ForbiddenTable
from bpe_gui.ui.laboratory.run import Run
from bpe_gui.ui.laboratory.wall_models import CrossingModel, ForbiddenModel
from bpe_gui.ui.laboratory.wall_search import WallSearch
from bpe_gui.ui.laboratory.walled_table import WalledTable
from bpe_gui.ui.theme.theme import DARK, Theme
from bpe_gui.ui.widgets.on_stage import is_on_stage
from bpe_gui.ui.widgets.room_follower import RoomFollower
from bpe_gui.ui.widgets.steady_label import SteadyLabel

_STOPPED = "Stopped before the walls were looked at. “Look again” begins anew."
_NARROW, _LOW = 50, 12
"""Letters in the width and lines in the height, from which on there is room."""


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
        self._reading = ""
        self._search = WallSearch(self)
        self._pairs, self._tokens = ForbiddenModel(self), CrossingModel(self)
        self._pair_table = ForbiddenTable(self._pairs, self)
        self._token_table = CrossingTable(self._tokens, self)
        self._headline = SteadyLabel(self, wraps=True)
        self._pair_note = SteadyLabel(self, wraps=True)
        self._token_note = SteadyLabel(self, wraps=True)
        self._subject = SteadyLabel(self, wraps=True)
        self._of_draft = QPushButton("Show for the edited recipe", self)
        self._button = QPushButton("Cancel", self)
        self._lay_out()
        self._connect()
        self.setBackgroundRole(QPalette.ColorRole.Base)
        self.setAutoFillBackground(True)
        self.setFocusProxy(self._pair_table)
        self.set_theme(DARK)
        self._tell()
        RoomFollower(self, self._share)

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
        self._search.changed.connect(self._tell)
        self._search.pairs_changed.connect(self._show_pairs)
        self._search.tokens_changed.connect(self._show_tokens)
        self._button.clicked.connect(self._on_button)
        self._of_draft.toggled.connect(self._search.turn_to_draft)
        self._pair_table.tokenSelected.connect(self.tokenSelected)
        for table in (self._pair_table, self._token_table):
            table.rowDescribed.connect(table.setAccessibleDescription)

    # -- what is shown ---------------------------------------------------------------------

    def set_run(self, run: Run | None) -> None:
        """Look at another run from its start, or at none; at the draft only on its corpus."""
        self._search.set_run(run)

    def show_position(self, position: int, live: bool) -> None:
        """Show what is forbidden at a position. While the cursor moves fast, not at every one."""
        self._search.set_position(position, live)

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
        self._search.set_draft(recipe)

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
        self._search.close()

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
        return self._search.busy

    @property
    def _by(self) -> str:
        """What forbids the pairs."""
        recipe = self._search.recipe
        assert recipe is not None
        edited = self._search.of_draft
        return sentences.YOUR_PATTERN if edited else sentences.forbidder(recipe.name)

    @Slot()
    def _show_pairs(self) -> None:
        found, run = self._search.forbidden, self._search.run
        if found is None or run is None:
            self._pairs.show(None, None)
        else:
            self._pairs.show(found, run.history, self._by)
        self._pair_table.follow()

    @Slot()
    def _show_tokens(self) -> None:
        found = self._search.unwalled
        self._tokens.show(found.tokens if found is not None else ())
        self._token_table.follow()

    @Slot()
    def _on_button(self) -> None:
        """Give up what goes on, or begin it again."""
        if self._search.busy:
            self._search.stop()
        else:
            self._search.begin()

    # -- saying it -------------------------------------------------------------------------

    @Slot()
    def _tell(self) -> None:
        """Say what is shown, what goes on, and why nothing is shown."""
        search = self._search
        sentence, tokens = self._sentences()
        self._headline.set_text(sentence)
        self.setAccessibleDescription(sentence)
        self._token_table.set_message(tokens)
        for table in self._tables:
            table.horizontalHeader().setVisible(table.model().rowCount() > 0)
        self._pair_note.set_text(self._pair_summary())
        learnt = sentences.learnt(search.unwalled) if search.unwalled is not None else ""
        self._token_note.set_text(learnt)
        self._token_note.setToolTip(learnt)
        whose, recipe = "", search.recipe
        if recipe is not None:
            whose = sentences.subject(recipe, search.draft, edited=search.of_draft)
        self._subject.set_text(whose)
        view = "Show for the run in view"
        self._of_draft.setText(view if search.of_draft else "Show for the edited recipe")
        self._of_draft.setEnabled(search.has_run_in_view and search.draft is not None)
        self._button.setText("Cancel" if search.busy else "Look again")
        self._button.setVisible(search.busy or search.stopped or bool(search.problem))

    @property
    def sentence(self) -> str:
        """The sentence on top: what is forbidden, what goes on, or why there is nothing."""
        return self._sentences()[0]

    def _sentences(self) -> tuple[str, str]:
        """The sentence on top, and the one in the place of the tokens."""
        search = self._search
        if search.recipe is None:
            return sentences.nothing_loaded(self._reading), ""
        if not search.has_wall:
            return sentences.no_wall(search.recipe.name), ""
        waiting = _STOPPED if search.stopped else search.problem or search.doing
        found, run = search.forbidden, search.run
        if found is None or run is None:
            return waiting, ""
        headline = sentences.headline(found, run.history, self._by)
        return headline, waiting if search.unwalled is None else sentences.NO_CROSSINGS

    def _pair_summary(self) -> str:
        found = self._search.forbidden
        if found is None:
            return ""
        place = f"at merge {found.position:,}" if found.position else "at the start"
        text = f"{found.across:,} neighbours in {found.distinct:,} pairs, {place}"
        return text if found.whole else f"{text}, {sentences.scope(found.bytes_read)}"

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
        only_rows = narrow and is_on_stage(self)
        self._of_draft.setVisible(not only_rows)
        self._subject.setVisible(not only_rows)
        self._pair_note.setVisible(not (low or only_rows))
        self._token_note.setVisible(not low)

    def showEvent(self, event: QShowEvent) -> None:
        """Ask for what was not asked for unseen."""
        super().showEvent(event)
        self._search.set_in_sight(True)

    def hideEvent(self, event: QHideEvent) -> None:
        """Nothing is asked unseen."""
        self._search.set_in_sight(False)
        super().hideEvent(event)
