"""The vocabulary at a position: searched, sorted, and following the newest token."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QModelIndex, QSize, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QAbstractItemView, QHBoxLayout, QToolButton, QWidget

from bpe_gui.bpe.history import NO_TOKEN, History
from bpe_gui.bpe.tokenizer import StepwiseEncoding
from bpe_gui.ui.actions.action_words import announce
from bpe_gui.ui.actions.widget_actions import add_action
from bpe_gui.ui.panels.vocabulary import wording
from bpe_gui.ui.panels.vocabulary.columns import ID, TOKEN
from bpe_gui.ui.panels.vocabulary.filters import FILTERS, REGEX, SCRIPTS, UNUSED, TokenFilter
from bpe_gui.ui.panels.vocabulary.model import VocabularyModel
from bpe_gui.ui.panels.vocabulary.table import VocabularyTable
from bpe_gui.ui.run.background import BackgroundTask, Job
from bpe_gui.ui.theme.text_size import FontFollower, RoomFollower
from bpe_gui.ui.widgets.labels import SteadyLabel
from bpe_gui.ui.widgets.layouts import filled
from bpe_gui.ui.widgets.naming import named, quiet
from bpe_gui.ui.widgets.search_tools import ChoiceMenu, SearchField, SearchRow
from bpe_gui.ui.widgets.tables import SortKeys
from bpe_gui.ui.workspaces.panel import BasePanel
from bpe_gui.ui.workspaces.panel_spec import PanelParts

_FILTER_KEY = "Ctrl+U"


class VocabularyPanel(BasePanel):
    """All tokens that exist at a position, with their bytes, counts and parents.

    The newest token is kept in view until the user scrolls, sorts, selects a row or turns
    `Follow` off, but not while only some tokens are shown. After the step of one merge its token
    appears when other panels have animated it.
    """

    pageWanted = Signal(int)
    """The id of a token that was double-clicked, or Enter pressed on: its page is wanted."""

    room = QSize(420, 480)

    def __init__(self, parts: PanelParts) -> None:
        super().__init__("vocabulary", "Vocabulary", parts.parent)
        self.task = BackgroundTask("vocabulary", self)
        self._sample, self._queries = parts.sample_text, parts.queries
        self._used = _UsedTokens()
        self._used_for: tuple[History | None, int, str] = (None, 0, "")
        self._symbols_known = False
        self._token = NO_TOKEN
        self._updating = self._stays = self._awaited = False
        self.model = VocabularyModel(self)
        """The rows that are shown."""
        self._search = SearchField(
            "vocabularySearch", wording.SEARCH, wording.PLACEHOLDER,
            wording.SEARCH_TIP, self,
        )  # fmt: skip
        self._search.textChanged.connect(self._search_changed)
        self._search.downPressed.connect(self.setFocus)  # the table has it for the panel
        self._filter = self._make_filter()
        self._follow = self._make_follow()
        self._table = self._make_table()
        self._count = SteadyLabel(self)
        quiet(named(self._count.label, "vocabularyCount"))
        self._motion = parts.motion
        self._motion.joined.connect(self._show_merged)
        self._waits = False
        """Whether the token of a merge that is under way is still to be shown."""
        self._search_timer = QTimer(self, interval=0)
        self._search_timer.timeout.connect(self._change)
        self._lay_out()
        self._sample.changed.connect(self._find_used)
        self._queries.symbolsCounted.connect(self.set_symbol_counts)
        FontFollower(self, self._fit)
        RoomFollower(self._table.viewport(), self._update_text)
        self._update_text()

    def minimumSizeHint(self) -> QSize:
        return QSize(240, max(140, self._column.minimumSize().height()))

    # -- building --------------------------------------------------------------------------

    def _make_filter(self) -> ChoiceMenu:
        filters = ChoiceMenu(wording.FILTERS, self)
        tip = f"{wording.FILTER_TIP} ({_FILTER_KEY})"
        named(filters, "vocabularyFilter", wording.FILTERS, tip)
        filters.add(REGEX, wording.REGEX_TITLE, wording.REGEX_TIP, "filterRegexAction")
        filters.menu().addSeparator()
        for one in FILTERS:
            filters.add(*_entry(one))
        filters.add_one_of("S&cript", [_entry(one) for one in SCRIPTS])
        filters.add_clear(wording.ALL_TITLE, "showAllTokensAction")
        filters.changed.connect(self._filter_changed)
        add_action(
            self, wording.OPEN_FILTERS, "filterVocabularyAction", [_FILTER_KEY], filters.showMenu,
            keywords="script digits residue unused only tokens pattern", inside=True,
        )  # fmt: skip
        return filters

    def _make_follow(self) -> QToolButton:
        follow = QToolButton(self)
        follow.setText("Follow")
        follow.setCheckable(True)
        follow.setChecked(True)
        # A click takes the keyboard from the search, in which Space would be typed.
        follow.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        named(follow, "followNewest", wording.FOLLOW, wording.FOLLOW_TIP)
        follow.toggled.connect(self._follow_toggled)
        return follow

    def _make_table(self) -> VocabularyTable:
        table = named(VocabularyTable(self.model, self), "vocabularyTable", "Vocabulary")
        table.horizontalHeader().sortIndicatorChanged.connect(self._sort_changed)
        SortKeys(table, "Vocabulary")
        table.selectionModel().currentRowChanged.connect(self._current_changed)
        table.verticalScrollBar().actionTriggered.connect(self._scrolled)
        table.verticalScrollBar().rangeChanged.connect(self._room_changed)
        table.verticalScrollBar().valueChanged.connect(self._update_text)
        table.clicked.connect(self._clicked)
        table.doubleClicked.connect(self._open_page)
        add_action(
            table, wording.OPEN_PAGE, "openTokenPageAction", ["Return", "Enter"], self._open_page,
            keywords="token details ids tree neighbours examples life",
        )  # fmt: skip
        return table

    def _lay_out(self) -> None:
        bottom = filled(QHBoxLayout(), self._count, margins=(10, 4, 8, 6))
        tools = QWidget(self)
        filled(QHBoxLayout(tools), self._filter, self._follow, spacing=2)
        search = SearchRow(self._search, tools, self)
        self._column = self.fill(search, self._table, bottom, main=self._table)

    # -- what is shown -----------------------------------------------------------------------

    def set_history(self, history: History | None) -> None:
        self._waits = False
        super().set_history(history)
        self._token = NO_TOKEN
        self._symbols_known = False
        with self._updates():
            self.model.set_history(history)
            self._fit()

    def show_position(self, position: int, moving: bool) -> None:
        self._position = position
        self._waits = self._motion.precedes(position)
        if not self._waits:
            self._show()
        if not moving:
            self._ask_symbols()

    @Slot()
    def _show_merged(self) -> None:
        if self._waits:
            self._waits = False
            self._show()

    def _show(self) -> None:
        self._change()
        self._find_used()

    @Slot(object, object)
    def set_symbol_counts(self, history: History, counts: NDArray[np.int64]) -> None:
        """Take how often each token from the start occurs before the first merge of a run."""
        if history is self._history:
            self._symbols_known = True
            with self._updates():
                self.model.set_symbol_counts(counts)
                self._fit()
            self._table.viewport().update()

    def _ask_symbols(self) -> None:
        if self._history is not None and not self._symbols_known and self.isVisible():
            self._symbols_known = True
            self._queries.count_symbols()

    def select_token(self, token: int) -> None:
        """Show the row of a token, and stay there. Emits nothing.

        A search and filters that hide it are cleared. A token that does not exist at the position
        is selected as soon as it does.
        """
        self._token = token
        if token != NO_TOKEN and token < self.model.size and self.model.row_of(token) is None:
            self._search.clear()
            if self.model.row_of(token) is None:
                self._filter.set_chosen({REGEX}.intersection(self._filter.chosen))
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
        greatest = max(counts, default=0)
        # Counts only fall from merge to merge; a token is at most as frequent as its pair was.
        self._table.fit(greatest, max(greatest, self.model.greatest_symbol_count))

    @property
    def _follows(self) -> bool:
        """Whether the newest token is kept in view: a list that is searched stands still."""
        return self._follow.isChecked() and not self.model.narrowed

    def _scroll_to_newest(self) -> None:
        """Show the newest token; before the first merge none is new, and the list begins on top."""
        if self.model.newest_row() is None:
            self._table.scrollToTop()
        else:
            self._table.scrollToBottom()

    @Slot()
    def _change(self) -> None:
        """Bring the model to a position, or on with its search; keep the view where it is."""
        bar = self._table.verticalScrollBar()
        place = bar.value()
        with self._updates():
            self.model.set_position(self._position)
            if not self._follows and bar.value() != place:
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
        if self._follows:
            self._scroll_to_newest()
        elif self._awaited and (row := self.model.row_of(self._token)) is not None:
            self._awaited, self._stays = False, True
            self._show_row(row)
        if self.model.searching:
            if not self._search_timer.isActive():
                self._search_timer.start()
        else:
            self._search_timer.stop()
        self._update_text()

    def _reselect(self) -> None:
        index = self._table.currentIndex()
        if not index.isValid() or self.model.token_at(index.row()) != self._token:
            self._updating = True
            self._table.show_current(self.model.row_of(self._token))
            self._updating = False

    @Slot()
    def _update_text(self) -> None:
        """Say how many tokens there are, and on the stage how many are shown, in place of a bar."""
        size, shown = self.model.size, self.model.rowCount()
        presents, policy = self._table.presents, Qt.ScrollBarPolicy
        self._table.setVerticalScrollBarPolicy(
            policy.ScrollBarAlwaysOff if presents else policy.ScrollBarAsNeeded
        )
        seen = self._table.rows_in_view
        in_sight = min(seen.stop, shown) - seen.start if presents else shown
        if self._history is None:
            self._count.set_text("")
            self._table.set_message(wording.NOTHING_LOADED)
            return
        if not self.model.narrowed:
            self._table.set_message(wording.EMPTY_CORPUS)
            self._count.set_text(wording.part(in_sight, size) or wording.whole(size, self._history))
            return
        searching = self.model.searching or self._used_is_old
        message = wording.SEARCHING if searching else self.model.problem or wording.NO_MATCH
        self._table.set_message(message)
        phrases = [one.phrase for one in self.model.filters]
        text = wording.summary(shown, size, phrases, searching=searching)
        if part := wording.part(in_sight, shown):
            text = f"{part}, {text}"
        self._count.set_text(text)
        self._count.setToolTip(text)

    # -- what the text has ---------------------------------------------------------------------

    @property
    def _used_is_old(self) -> bool:
        """Whether the tokens of the text are wanted, and not known for what is shown."""
        now = self._history, self._position, self._sample.text
        wanted = UNUSED in self.model.choices and self._history is not None
        return wanted and self._used_for != now

    @Slot()
    def _find_used(self) -> None:
        """Find the tokens of the text in the background; what is under way is finished first."""
        history = self._history
        if history is None or not self._used_is_old or not self.task.at_rest:
            return
        if self.isVisible():
            asked = history, self._position, self._sample.text
            self.task.ask(partial(self._used.find, *asked), self._on_used, self._on_failed)

    def _on_used(self, answer: tuple[History, int, str, NDArray[np.int64]]) -> None:
        history, position, text, tokens = answer
        if history is self._history:
            self._take_used((history, position, text), tokens)
        self._find_used()

    def _on_failed(self, problem: str) -> None:
        self._take_used((self._history, self._position, self._sample.text), None)
        self._table.set_message(problem)

    def _take_used(
        self, asked: tuple[History | None, int, str], tokens: NDArray[np.int64] | None
    ) -> None:
        self._used_for = asked
        bar = self._table.verticalScrollBar()
        place = bar.value()
        with self._updates():
            self.model.set_used(tokens)
            bar.setValue(place)

    # -- what the user does --------------------------------------------------------------------

    @Slot(str)
    def _search_changed(self, text: str) -> None:
        with self._updates():
            self.model.set_search(text)
        self._show_beginning()

    @Slot()
    def _filter_changed(self) -> None:
        names = self._filter.chosen
        is_regex = REGEX in names
        self._search.setPlaceholderText(
            wording.REGEX_PLACEHOLDER if is_regex else wording.PLACEHOLDER
        )
        with self._updates():
            self.model.set_choices(names)
        self._show_beginning()
        self._find_used()
        announce(self._table, self._count.text())

    def _show_beginning(self) -> None:
        """Begin with the best match; where all tokens are shown again, with the selected one."""
        if self.model.narrowed:
            self._table.scrollToTop()
            return
        row = self.model.row_of(self._token)
        if row is not None and not self._follow.isChecked():
            self._show_row(row)

    @Slot(int, Qt.SortOrder)
    def _sort_changed(self, column: int, order: Qt.SortOrder) -> None:
        with self._updates():
            self.model.sort(column, order)
            if not self.model.sorted_by_id:
                self._follow.setChecked(False)
                self._table.scrollToTop()

    @Slot(bool)
    def _follow_toggled(self, follow: bool) -> None:
        if not follow:
            return
        if not self.model.sorted_by_id:
            columns = self._table.horizontalHeader()
            columns.setSortIndicator(ID, Qt.SortOrder.AscendingOrder)
        if self._follows:
            self._scroll_to_newest()

    @Slot(int)
    def _scrolled(self, action: int) -> None:
        """Stop following when the user scrolls, by mouse, wheel or keyboard."""
        self._stays = self._awaited = False
        bar = self._table.verticalScrollBar()
        scrolls_away = self.model.newest_row() is not None and bar.sliderPosition() < bar.maximum()
        if self._follows and scrolls_away:
            self._follow.setChecked(False)

    @Slot()
    def _room_changed(self) -> None:
        # Before the first merge the list stays where the user has scrolled.
        if self._follows and self.model.newest_row() is not None:
            self._scroll_to_newest()
        elif self._stays:
            self._table.scrollTo(self._table.currentIndex())

    @Slot(QModelIndex, QModelIndex)
    def _current_changed(self, current: QModelIndex, previous: QModelIndex) -> None:
        if self._updating or not current.isValid():
            return
        self._choose(self.model.token_at(current.row()))

    @Slot(QModelIndex)
    def _clicked(self, index: QModelIndex) -> None:
        token = self.model.token_at(index.row())
        if token != self._token:
            self._choose(token)

    @Slot()
    def _open_page(self) -> None:
        index = self._table.currentIndex()
        if index.isValid():
            self.pageWanted.emit(self.model.token_at(index.row()))

    def _choose(self, token: int) -> None:
        self._token = token
        if token != self.model.size - 1:
            self._follow.setChecked(False)
        self.tokenSelected.emit(token)

    # -- events ----------------------------------------------------------------------------------

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._find_used()
        self._ask_symbols()

    def hideEvent(self, event: QHideEvent) -> None:
        self._search_timer.stop()
        super().hideEvent(event)


class _UsedTokens:
    """Finds the tokens that a text has, at one position after another; for one thread."""

    def __init__(self) -> None:
        self._encoding: StepwiseEncoding | None = None

    def find(
        self, history: History, position: int, text: str, job: Job
    ) -> tuple[History, int, str, NDArray[np.int64]]:
        """Return what was asked, and the ids of the tokens of the text, ascending."""
        known = self._encoding
        if known is None or known.history is not history or known.text != text:
            known = self._encoding = StepwiseEncoding(history, text)
        known.extend()
        ids = known.byte_tokens(position).ids
        return history, position, text, np.unique(ids[ids != NO_TOKEN]).astype(np.int64)


def _entry(one: TokenFilter) -> tuple[str, str, str, str]:
    return one.name, one.title, one.tip, f"filter{one.name.title()}Action"
