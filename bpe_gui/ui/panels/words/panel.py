"""The words of the corpus with their counts, tokenized at the position."""

from __future__ import annotations

from msgspec.structs import replace
from PySide6.QtCore import QSignalBlocker, QSize, Qt, Slot
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QHBoxLayout

from bpe_gui.analysis.word_list import Marked, WordFilter, WordList, WordQuery, WordSort
from bpe_gui.bpe.history import History
from bpe_gui.ui.panels.words import wording
from bpe_gui.ui.panels.words.rows import token_texts
from bpe_gui.ui.panels.words.table import WordsModel, WordsTable
from bpe_gui.ui.theme.text_size import RoomFollower
from bpe_gui.ui.widgets.boxes import ElidingComboBox
from bpe_gui.ui.widgets.labels import SteadyLabel
from bpe_gui.ui.widgets.naming import named, quiet
from bpe_gui.ui.widgets.search_tools import SearchField, SearchRow
from bpe_gui.ui.workspaces.panel import BasePanel
from bpe_gui.ui.workspaces.panel_spec import PanelParts

_LOW = 10
"""A panel on the stage of fewer lines shows only words."""


class WordsPanel(BasePanel):
    """Shows all words, with the next merge in view: its pair is outlined.

    Until the queries have answered for a position, the panel shows the last one that was
    answered, and its number.

    While the next merge is guessed, it is not marked here: see `mark_next`.
    """

    room = QSize(520, 280)

    def __init__(self, parts: PanelParts) -> None:
        super().__init__("wordsPanel", "Words", parts.parent)
        self._queries = parts.queries
        self._query = WordQuery()
        self._problem = ""
        self._marks, self._tells_last = True, False
        self.model = WordsModel(self)
        """The rows that are shown."""
        texts = wording.SEARCHED, wording.SEARCH, wording.SEARCH_TIP
        self._search = SearchField("wordsSearch", *texts, self)
        self._search.textChanged.connect(self._on_search)
        self._search.downPressed.connect(self.setFocus)  # the table has it for the panel
        self._order = self._make_order()
        self._motion = parts.motion
        table = WordsTable(self.model, self, parts.frequencies, parts.motion)
        self._table = named(table, "wordsTable", "Words")
        self._table.tokenSelected.connect(self.tokenSelected)
        self._table.selectionModel().currentRowChanged.connect(self._describe)
        self._count, self._place = SteadyLabel(self), SteadyLabel(self)
        self._coming: WordList | None = None
        self._motion.joined.connect(self._update_text)
        self._motion.ended.connect(self._show_coming)
        self._lay_out()
        self._update_text()
        parts.queries.wordsCut.connect(self.set_words)
        parts.queries.failed.connect(self.set_problem)

    def minimumSizeHint(self) -> QSize:
        return QSize(220, max(140, self._column.minimumSize().height()))

    # -- building -----------------------------------------------------------------------------

    def _make_order(self) -> ElidingComboBox:
        order = named(ElidingComboBox(self), "wordsOrder", wording.ORDER, wording.ORDER)
        for sort, name in wording.ORDERS.items():
            order.addItem(name, sort)
        order.currentIndexChanged.connect(self._on_order)
        return order

    def _lay_out(self) -> None:
        bottom = QHBoxLayout()
        bottom.setContentsMargins(10, 4, 10, 6)
        for label in (self._count, self._place):
            quiet(label.label)
        self._place.label.setAlignment(Qt.AlignmentFlag.AlignRight)
        bottom.addWidget(self._count, 3)
        bottom.addWidget(self._place, 2)
        search = SearchRow(self._search, self._order, self)
        self._column = self.fill(search, self._table, bottom, main=self._table)
        RoomFollower(self, self._leave_out)

    def _leave_out(self) -> None:
        """On the stage hide what is below the words if that is low, and most of it otherwise."""
        low = self.presents and self.height() < _LOW * self.fontMetrics().lineSpacing()
        for label in (self._count, self._place):
            label.setHidden(low)
        self._update_text()

    # -- what is shown --------------------------------------------------------------------------

    def set_history(self, history: History | None) -> None:
        super().set_history(history)
        self._problem = ""
        self._coming = None
        if self._query.filter.tokens:
            self._search.clear()
        self._table.set_history(history)
        self.model.show(None)
        self._update_text()

    def show_position(self, position: int, moving: bool) -> None:
        if self._history is None:
            return
        self._position = position
        self._table.show_position(position, moving)
        if not moving:
            self._update_text()
        if not self._is_shown():
            self._ask()

    def tell_last(self, last: bool) -> None:
        """Mark the words of the last merge instead of the next, and what it has made in them."""
        self._tells_last = last
        self._mark()

    def select_token(self, token: int) -> None:
        self._table.select_token(token)

    def select_pair(self, left: int, right: int) -> None:
        """Outline a pair wherever it occurs, instead of a token. Emits nothing."""
        self._table.select_pair(left, right)

    @Slot(object)
    def set_words(self, words: WordList) -> None:
        """Show the words of a position, unless they are of another run or filter."""
        if words.corpus.history is not self._history or words.query != self._query:
            return
        if self.model.words is None:
            self._table.fit_to(words)
        shown = self.model.words
        stays = shown is not None and shown.query == words.query
        if stays and self._marks and self._motion.shows(words.position):
            self._coming = words
        else:
            self._coming = None
            self._show_words(words)

    @Slot()
    def _show_coming(self) -> None:
        """Show the words after a merge, whose pairs have been seen to become one."""
        words, self._coming = self._coming, None
        if words is not None and words.corpus.history is self._history:
            self._show_words(words)

    def _show_words(self, words: WordList) -> None:
        stays = self.model.words is not None and self.model.words.query == words.query
        self.model.show(words)
        if not stays:
            self._table.scrollToTop()
        if words.touched and words.query.sort is WordSort.TOUCHED and not words.leading:
            self._table.show_merge()
        self._update_text()

    @Slot(str)
    def set_problem(self, problem: str) -> None:
        """Show why there are no words, until another run is shown."""
        self._problem = problem
        self._update_text()

    def mark_next(self, marks: bool) -> None:
        """Show the words of the next merge first and outlined, or among the others."""
        self._marks = marks
        self._mark()

    def _mark(self) -> None:
        told = Marked.LAST if self._tells_last else Marked.NEXT
        marked = told if self._marks else Marked.NONE
        if marked is self._query.marked:
            return
        self._query = replace(self._query, marked=marked)
        self._coming = None
        if marked is Marked.NONE:
            # The marks must not stay until the answer arrives.
            self.model.show(None)
            self._update_text()
        self._ask()

    def set_filter(self, *tokens: int) -> None:
        """Show the words that hold these tokens side by side; all if there are none."""
        if self._history is None:
            return
        text = " ".join(token_texts(self._history, tokens))
        with QSignalBlocker(self._search):
            self._search.setText(text)
        self._change(replace(self._query, filter=WordFilter(text, tokens)))

    # -- asking -----------------------------------------------------------------------------------

    def _is_shown(self) -> bool:
        words = self.model.words if self._coming is None else self._coming
        return words is not None and (words.position, words.query) == (self._position, self._query)

    @Slot()
    def _ask(self) -> None:
        if self._history is not None and self.isVisible():
            self._queries.cut_words(self._position, self._query)

    def _change(self, query: WordQuery) -> None:
        if query != self._query:
            self._query = query
            self._ask()

    @Slot()
    def _update_text(self) -> None:
        words, position = self.model.words, self._table.shown_position
        if self._history is None or words is None or position is None:
            waiting = self._problem or wording.WAITING
            message = wording.NOTHING_LOADED if self._history is None else waiting
            self._table.set_message(message)
            self._count.set_text("")
            self._place.set_text("")
            return
        self._table.set_message(wording.NO_MATCH if len(words.corpus.words) else wording.NO_WORDS)
        self._count.set_text(wording.summary(words, position, brief=self.presents))
        self._count.setToolTip(wording.summary(words, position))
        self._place.set_text(wording.place(position))
        self._describe()

    @Slot()
    def _describe(self) -> None:
        row = self._table.currentIndex().row()
        inside = 0 <= row < self.model.rowCount()
        text = self.model.spoken(row) if inside else self._count.text()
        if self._table.accessibleDescription() != text:
            self._table.setAccessibleDescription(text)

    # -- what the user does ----------------------------------------------------------------------

    @Slot(str)
    def _on_search(self, text: str) -> None:
        self._change(replace(self._query, filter=WordFilter(text)))

    @Slot(int)
    def _on_order(self, index: int) -> None:
        self._change(replace(self._query, sort=WordSort(self._order.currentData())))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if not self._is_shown():
            self._ask()
