"""The vocabulary at a position: searched, sorted, and following the newest token."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtCore import QModelIndex, QSize, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QHideEvent
from PySide6.QtWidgets import QAbstractItemView, QHBoxLayout, QToolButton, QWidget

from bpe_gui.bpe.history import NO_TOKEN, History
from bpe_gui.progress import counted
from bpe_gui.ui.panels.vocabulary import wording
from bpe_gui.ui.panels.vocabulary.columns import ID, TOKEN
from bpe_gui.ui.panels.vocabulary.model import VocabularyModel
from bpe_gui.ui.panels.vocabulary.table import VocabularyTable
from bpe_gui.ui.theme.text_size import FontFollower
from bpe_gui.ui.widgets.labels import SteadyLabel
from bpe_gui.ui.widgets.search_field import SearchField, SearchRow
from bpe_gui.ui.widgets.sort_keys import SortKeys
from bpe_gui.ui.workspaces.panel import BasePanel
from bpe_gui.ui.workspaces.panel_spec import PanelSpec, RefreshInterval


class Vocabulary(BasePanel):
    """All tokens that exist at a position, with their bytes, counts and parents.

    The newest token is kept in view until the user scrolls, sorts, selects a row or turns
    `Follow` off.
    """

    tokenSelected = Signal(int)
    """The id of the token in the row that the user has just selected."""

    room = QSize(420, 480)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("vocabulary", "Vocabulary", parent)
        self._token = NO_TOKEN
        self._updating = self._stays = self._awaited = False
        self.model = VocabularyModel(self)
        """The rows that are shown."""
        self._search = SearchField(
            "vocabularySearch", "Search the vocabulary", "Search tokens", wording.SEARCH_TIP, self
        )
        self._search.textChanged.connect(self._search_changed)
        self._search.downPressed.connect(self.setFocus)  # the table has it for the panel
        self._follow = self._make_follow()
        self._table = self._make_table()
        self._count = SteadyLabel(self)
        self._count.label.setProperty("quiet", True)
        self._search_timer = QTimer(self, interval=0)
        self._search_timer.timeout.connect(self._change)
        self._lay_out()
        FontFollower(self, self._fit)
        self._update_text()

    def minimumSizeHint(self) -> QSize:
        return QSize(240, max(160, self._column.minimumSize().height()))

    # -- building --------------------------------------------------------------------------

    def _make_follow(self) -> QToolButton:
        follow = QToolButton(self)
        follow.setObjectName("followNewest")
        follow.setText("Follow")
        follow.setAccessibleName("Follow the newest token")
        follow.setToolTip("Keep the newest token in view")
        follow.setCheckable(True)
        follow.setChecked(True)
        follow.toggled.connect(self._follow_toggled)
        return follow

    def _make_table(self) -> VocabularyTable:
        table = VocabularyTable(self.model, self)
        table.setObjectName("vocabularyTable")
        table.setAccessibleName("Vocabulary")
        table.horizontalHeader().sortIndicatorChanged.connect(self._sort_changed)
        SortKeys(table, "Vocabulary")
        table.selectionModel().currentRowChanged.connect(self._current_changed)
        table.verticalScrollBar().actionTriggered.connect(self._scrolled)
        table.verticalScrollBar().rangeChanged.connect(self._room_changed)
        table.clicked.connect(self._clicked)
        return table

    def _lay_out(self) -> None:
        bottom = QHBoxLayout()
        bottom.setContentsMargins(10, 4, 8, 6)
        bottom.addWidget(self._count)
        search = SearchRow(self._search, self._follow, self)
        self._column = self.fill(search, self._table, bottom, main=self._table)

    # -- what is shown -----------------------------------------------------------------------

    def set_history(self, history: History | None) -> None:
        """Show another run from its start, or none. Search and sorting stay."""
        super().set_history(history)
        self._token = NO_TOKEN
        with self._updates():
            self.model.set_history(history)
            self._fit()

    def show_position(self, position: int, moving: bool) -> None:
        """Show the tokens that exist at another position."""
        self._position = position
        self._change()

    def select_token(self, token: int) -> None:
        """Show the row of a token, and stay there. Emits nothing.

        A search that hides it is cleared. A token that does not exist at the position is
        selected as soon as it does.
        """
        self._token = token
        if token != NO_TOKEN and token < self.model.size and self.model.row_of(token) is None:
            self._search.clear()
        row = self.model.row_of(token)
        if row is not None:
            self._follow.setChecked(False)
        self._reselect()
        self._stays = row is not None
        self._awaited = row is None and token != NO_TOKEN
        if row is not None:
            self._show_row(row)

    def _show_row(self, row: int) -> None:
        index = self.model.index(row, TOKEN)
        self._table.scrollTo(index, QAbstractItemView.ScrollHint.PositionAtCenter)

    def follow_newest(self) -> None:
        """Keep the newest token in view, as at first."""
        self._follow.setChecked(True)

    def _fit(self) -> None:
        counts = self._history.top(0).count.tolist() if self._history is not None else []
        # Counts only fall from merge to merge.
        self._table.fit(max(counts, default=0))

    @Slot()
    def _change(self) -> None:
        """Bring the model to a position, or on with its search; keep the view where it is."""
        bar = self._table.verticalScrollBar()
        place = bar.value()
        with self._updates():
            self.model.set_position(self._position)
            if not self._follow.isChecked() and bar.value() != place:
                bar.setValue(place)
        # The newest token has the accent, also where no row has come or gone.
        self._table.viewport().update()

    @contextmanager
    def _updates(self) -> Iterator[None]:
        """Change the rows; a row that becomes current then is no choice of the user."""
        self._updating = True
        yield
        self._updating = False
        self._reselect()
        if self._follow.isChecked():
            self._table.scrollToBottom()
        elif self._awaited:
            self._show_awaited()
        if self.model.searching:
            if not self._search_timer.isActive():
                self._search_timer.start()
        else:
            self._search_timer.stop()
        self._update_text()

    def _show_awaited(self) -> None:
        """Show the row of the token that was chosen before it existed, once it does."""
        row = self.model.row_of(self._token)
        if row is not None:
            self._awaited, self._stays = False, True
            self._show_row(row)

    def _reselect(self) -> None:
        """Select the row of the selected token, without a signal."""
        index = self._table.currentIndex()
        if not index.isValid() or self.model.token_at(index.row()) != self._token:
            self._updating = True
            self._table.show_current(self.model.row_of(self._token))
            self._updating = False

    def _update_text(self) -> None:
        """Write how many tokens there are, or why none are shown."""
        size, shown = self.model.size, self.model.rowCount()
        if self._history is None:
            self._count.set_text("")
            self._table.set_message(wording.NOTHING_LOADED)
            return
        text = counted(size, "token")
        if self.model.search_text:
            text += f", {shown:,} shown"
            searching = self.model.searching
            self._table.set_message(wording.SEARCHING if searching else wording.NO_MATCH)
        else:
            self._table.set_message(wording.EMPTY_CORPUS)
        self._count.set_text(text)

    # -- what the user does --------------------------------------------------------------------

    @Slot(str)
    def _search_changed(self, text: str) -> None:
        with self._updates():
            self.model.set_search(text)

    @Slot(int, Qt.SortOrder)
    def _sort_changed(self, column: int, order: Qt.SortOrder) -> None:
        with self._updates():
            self.model.sort(column, order)
            if not self.model.in_order_of_ids:
                self._follow.setChecked(False)
                self._table.scrollToTop()

    @Slot(bool)
    def _follow_toggled(self, follow: bool) -> None:
        if not follow:
            return
        if not self.model.in_order_of_ids:
            columns = self._table.horizontalHeader()
            columns.setSortIndicator(ID, Qt.SortOrder.AscendingOrder)
        self._table.scrollToBottom()

    @Slot(int)
    def _scrolled(self, action: int) -> None:
        """Stop following when the user scrolls, by mouse, wheel or keyboard."""
        self._stays = self._awaited = False
        bar = self._table.verticalScrollBar()
        if bar.sliderPosition() < bar.maximum():
            self._follow.setChecked(False)

    @Slot()
    def _room_changed(self) -> None:
        """Keep the newest or the selected row in view in another height."""
        if self._follow.isChecked():
            self._table.scrollToBottom()
        elif self._stays:
            self._table.scrollTo(self._table.currentIndex())

    @Slot(QModelIndex, QModelIndex)
    def _current_changed(self, current: QModelIndex, previous: QModelIndex) -> None:
        if self._updating or not current.isValid():
            return
        self._choose(self.model.token_at(current.row()))

    @Slot(QModelIndex)
    def _clicked(self, index: QModelIndex) -> None:
        """Select the current row again when it is clicked."""
        token = self.model.token_at(index.row())
        if token != self._token:
            self._choose(token)

    def _choose(self, token: int) -> None:
        self._token = token
        if self.model.row_of(token) != self.model.rowCount() - 1:
            self._follow.setChecked(False)
        self.tokenSelected.emit(token)

    # -- events ----------------------------------------------------------------------------------

    def hideEvent(self, event: QHideEvent) -> None:
        """Stop the search; it continues with the next position shown."""
        self._search_timer.stop()
        super().hideEvent(event)


VOCABULARY = PanelSpec(
    name="vocabulary",
    title="Vocabulary",
    make=lambda parts: Vocabulary(parts.parent),
    area=(2, 0),
    refresh=RefreshInterval(0.2, 0.2),
    help_page="vocabulary",
    keywords="tokens list ids table",
    dock="vocabularyDock",
    tour_places={"vocabulary": ""},
    choices=("vocabularySearch", "vocabularyTable", "followNewest"),
    tables={"The vocabulary": lambda panel: panel.model.lines()},
)
