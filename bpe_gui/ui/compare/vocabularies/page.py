"""The tab of vocabularies: how much they share, the tokens of one or two, and what they are."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray
from PySide6.QtCore import Qt, QTimer, Signal, Slot
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget

from bpe_gui.analysis.token_properties import SCRIPTS
from bpe_gui.encodings.base import Encoding, EncodingError
from bpe_gui.encodings.measuring.file_measuring import FileNumbers
from bpe_gui.encodings.vocabularies.query import (
    ANY_REASON,
    IN_ALL,
    IN_NO_OTHER,
    LENGTHS,
    VARIANTS,
    Answer,
    Column,
    Histogram,
    Part,
    Query,
    Reader,
    identity,
    source_of,
)
from bpe_gui.encodings.vocabularies.suspicious import Reason
from bpe_gui.encodings.vocabularies.vocabulary import Kind
from bpe_gui.ui.actions.widget_actions import add_action
from bpe_gui.ui.compare.vocabularies import wording
from bpe_gui.ui.compare.vocabularies.facts import VocabularyFacts
from bpe_gui.ui.compare.vocabularies.matrix import OverlapMatrix
from bpe_gui.ui.compare.vocabularies.table import TokensModel, TokensTable
from bpe_gui.ui.run.background import BackgroundTask
from bpe_gui.ui.theme.text_size import RoomFollower, scaled
from bpe_gui.ui.widgets.boxes import ElidingComboBox
from bpe_gui.ui.widgets.layouts import filled
from bpe_gui.ui.widgets.naming import named
from bpe_gui.ui.widgets.presenting import Presentable
from bpe_gui.ui.widgets.search_tools import ChoiceMenu, SearchField
from bpe_gui.ui.widgets.tables import SortKeys
from bpe_gui.ui.widgets.veil import Veil

_SETTLING = 400
"""Milliseconds after the last change before it is asked for: a playing run changes more often."""
_DIMMED_AFTER = 500
"""Milliseconds after which what is listed of another question is dimmed."""
_FILTER_KEY = "Ctrl+U"
_PART_LETTERS = 16
_LISTED = frozenset(map(str, (*Kind, *SCRIPTS, *Reason)))
"""The names of bars by which tokens are filtered."""
_FACTS_FROM, _FACTS, _MATRIX = 860, 230, 0.36
"""The width from which there is room for facts, theirs, and the share that the matrix may have."""
_MATRIX_IN_FIGURE = 0.55


class VocabulariesPage(Presentable, QWidget):
    """Shows the vocabularies of lanes. Works only while it is in sight.

    The lane chosen in the other views, or a cell of the matrix, decides what is listed: all tokens
    of one encoding, or what two share and what only one has.
    """

    tokenOpened = Signal(object, int)
    """The Suspicious tokens of a vocabulary, and the id of a token whose page is wanted."""
    aboutChanged = Signal()
    """What is listed is said in other words now."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("vocabularies")
        self._encodings: dict[int, Encoding] = {}
        self._ids: dict[int, NDArray[np.int32]] = {}
        self._corpus: FileNumbers | None = None
        self._one = 0
        self._other: int | None = None
        self._stale = True
        self._alone = False
        """Whether what is listed is of one lane, and the others are still read."""
        self._reader = Reader()
        self._read: set[object] = set()
        """Of which encodings and runs something may have been read."""
        self.task = BackgroundTask(
            "vocabularies", self, expected=(EncodingError,), failure="Reading a vocabulary failed",
            gives_way=True,
        )  # fmt: skip
        self.model = TokensModel(self)
        self.table = TokensTable(self.model)
        self.matrix, self.facts = OverlapMatrix(), VocabularyFacts()
        self.about = ""
        """Which tokens are listed, in a few words."""
        self._search = SearchField(
            "tokensSearch", "Search the tokens", wording.PLACEHOLDER, wording.SEARCH_TIP, self
        )
        self._filter = self._make_filter()
        self._part = named(ElidingComboBox(), "tokensPart", "Which tokens of the two are listed")
        self.controls = QWidget(self)
        """The search, and what is listed, which are shown beside the tabs."""
        self._settle = QTimer(self, singleShot=True, interval=_SETTLING)
        self._slow = QTimer(self, singleShot=True, interval=_DIMMED_AFTER)
        self._veils = [Veil(each.viewport()) for each in (self.table, self.facts)]
        self._build()

    def _make_filter(self) -> ChoiceMenu:
        filters = ChoiceMenu("Filter the tokens", self)
        tip = f"{wording.FILTER_TIP} ({_FILTER_KEY})"
        named(filters, "tokensFilter", "Filter the tokens", tip)

        def entry(name: str, tip: str) -> tuple[str, str, str, str]:
            return name, name, tip, f"tokens{name.title().replace(' ', '')}Action"

        filters.add_one_of("&Kind", [entry(kind, kind.description) for kind in Kind])
        scripts = [entry(name, f"Tokens with {name} letters") for name in SCRIPTS]
        filters.add_one_of("S&cript", scripts)
        filters.add_one_of("&Length", [entry(name, f"Tokens of {name}") for name in LENGTHS])
        filters.add_one_of("&Encodings", [
            entry(IN_ALL, "Tokens that all encodings have, by their bytes"),
            entry(IN_NO_OTHER, "Tokens that no other encoding has, by their bytes"),
        ])  # fmt: skip
        suspicions = [ANY_REASON, *Reason]
        filters.add_one_of("S&uspicious", [entry(r, f"Suspicious tokens: {r}") for r in suspicions])
        name, _, tip, action = entry(
            VARIANTS, "Tokens that differ from others in case and space alone"
        )
        filters.add(name, "&Variants of a form", tip, action)
        filters.add_clear("Show &all", "tokensAllAction")
        words = "kind script length shared suspicious unreachable unused residue mixed"
        add_action(
            self, "Filter the &tokens…", "filterTokensAction", [_FILTER_KEY], filters.showMenu,
            keywords=words, inside=True,
        )  # fmt: skip
        return filters

    def _build(self) -> None:
        parts = (self._part, self._search, self._filter)
        filled(QHBoxLayout(self.controls), *parts, stretched=self._search, spacing=4)
        self.controls.hide()
        self.controls.addActions(self.actions())  # their keys, while one searches
        self._part.set_letters(_PART_LETTERS)
        filled(QHBoxLayout(self), self.matrix, self.table, self.facts, stretched=self.table)
        SortKeys(self.table, "Tokens")
        self._settle.timeout.connect(self._ask)
        self._slow.timeout.connect(self._on_slow)
        self.matrix.cellChosen.connect(self._on_cell)
        self.facts.barChosen.connect(self._on_bar)
        self._search.textChanged.connect(self._change)
        self._search.downPressed.connect(self.table.setFocus)
        self._filter.changed.connect(self._on_filter)
        self._part.activated.connect(self._change)
        self.table.horizontalHeader().sortIndicatorChanged.connect(self._change)
        self.table.tokenOpened.connect(self._on_opened)
        self.setFocusProxy(self.table)
        RoomFollower(self, self._fit)
        self._show_parts()
        self.table.set_message(wording.NO_LANES)

    def _fit(self) -> None:
        width, font = self.width(), self.font()
        answered = self.model.answer is not None
        self.matrix.setVisible(answered and not self._alone)
        self.facts.setVisible(answered and width >= scaled(_FACTS_FROM, font))
        self.facts.setFixedWidth(scaled(_FACTS, font))
        self.matrix.presents = self.presents
        hint = self.matrix.sizeHint().width()
        # An audience cannot read an elided name in its tooltip.
        most = _MATRIX_IN_FIGURE if self.presents else _MATRIX
        self.matrix.setFixedWidth(max(self.matrix.minimumSizeHint().width(),
                                      min(hint, int(width * most))))  # fmt: skip

    def set_lanes(
        self, encodings: Mapping[int, Encoding], ids: Mapping[int, NDArray[np.int32]]
    ) -> None:
        """Show the vocabularies of these encodings, by the keys of their lanes.

        ids: the tokens of the compared text, by key; lanes without any are left out.
        """
        if _same(self._encodings, encodings) and _same(self._ids, ids):
            return
        self._encodings, self._ids = dict(encodings), dict(ids)
        if self._one not in encodings:
            self._one, self._other = next(iter(encodings), 0), None
        if self._other not in encodings:
            self._other = None
        self._later()

    def set_corpus(self, corpus: FileNumbers | None) -> None:
        """Count uses in a corpus that was measured; None for the compared text."""
        if corpus is not self._corpus:
            self._corpus = corpus
            self._later()

    def _histograms(self) -> dict[int, Histogram]:
        """Return how often each token is used, by lane; in a corpus by what was measured."""
        if self._corpus is None:
            return {key: (ids, None) for key, ids in self._ids.items()}
        measured = self._corpus.request.encodings
        return {
            key: one.counts.histogram()
            for key, one in self._corpus.measured.items()
            if key in self._encodings and identity(measured[key]) == identity(self._encodings[key])
        }

    @Slot(int)
    def choose_lane(self, key: int) -> None:
        """List all tokens of a lane, unless it is one of the two that are listed."""
        if key in self._encodings and key not in (self._one, self._other):
            self._one, self._other = key, None
            self._change()

    def _later(self) -> None:
        self._stale = True
        if self.isVisible():
            self._settle.start()
            return
        sources = set(map(source_of, self._encodings.values()))
        if not self._read <= sources:
            # What is listed, and what was read, would keep encodings that are no lanes any more.
            self._read &= sources
            self._show(None)
            self.task.ask(lambda _: self._reader.keep_only(sources))

    @Slot()
    def _change(self) -> None:
        self._stale = True
        self._show_parts()
        if self.isVisible():
            self._ask()

    @Slot()
    def _on_filter(self) -> None:
        """List other tokens: of suspicious ones the gravest first, else by their ids."""
        header = self.table.horizontalHeader()
        suspicious = ANY_REASON in self._filter.chosen
        before, by = (Column.ID, Column.WHY) if suspicious else (Column.WHY, Column.ID)
        if header.sortIndicatorSection() == before:
            header.setSortIndicator(by, Qt.SortOrder.AscendingOrder)  # which is a change, too
        else:
            self._change()

    @Slot(int, int)
    def _on_cell(self, one: int, other: int) -> None:
        keys = list(self._encodings)
        if max(one, other) < len(keys):
            self._one, self._other = keys[one], keys[other] if other != one else None
            self._change()

    @Slot(str)
    def _on_bar(self, name: str) -> None:
        """List the tokens of a bar alone, or all again."""
        self._filter.set_chosen(() if self._filter.chosen == (name,) else (name,))

    def _show_parts(self) -> None:
        self._part.setVisible(self._other is not None)
        if self._other is None:
            return
        names = wording.parts(*(self._encodings[key].name for key in (self._one, self._other)))
        if not self._part.count():
            self._part.addItems(names)
        answer, sizes = self.model.answer, None
        if answer is not None and answer.overlap is not None:
            is_this = answer.query.choices[:2] == (self._one, self._other)
            sizes = answer.overlap.sizes if is_this else None
        for place, name in enumerate(names):
            size = "" if sizes is None else f"{sizes[place]:,} "
            self._part.setItemText(place, f"{size}{name}")

    @Slot()
    def _ask(self) -> None:
        self._settle.stop()
        self._stale = False
        if not self._encodings:
            self.task.drop()
            self._show(None)
            return
        header = self.table.horizontalHeader()
        query = Query(
            dict(self._encodings),
            wording.TEXT if self._corpus is None else self._corpus.name,
            self._histograms(), self._one, self._other,
            Part(max(self._part.currentIndex(), 0)), self._search.text(), self._filter.chosen,
            Column(header.sortIndicatorSection()),
            header.sortIndicatorOrder() is Qt.SortOrder.DescendingOrder,
        )  # fmt: skip
        self._read = set(map(source_of, self._encodings.values()))
        self.task.drop()
        if self.model.answer is None:
            self.table.set_message(wording.reading(0, len(self._encodings)))
            if self._other is None and not query.filters and len(query.encodings) > 1:
                # What is listed needs one vocabulary, and to read all may take ten seconds.
                alone = replace(query, encodings={self._one: self._encodings[self._one]})
                self.task.ask(lambda job: self._reader.answer(alone, job.check), self._show_alone)
        elif not self._slow.isActive():
            self._slow.start()
        self.task.ask_too(
            lambda job: self._reader.answer(query, job.check, job.report),
            self._show, self._on_failed, self._on_read,
        )  # fmt: skip

    @Slot(object)
    def _on_read(self, progress: tuple[int, int]) -> None:
        """Say how many vocabularies are read, until the first answer about all of them."""
        said = wording.reading(*progress)
        if self.model.answer is None:
            self.table.set_message(said)
        elif self._alone:
            self._set_about(said)

    def _show_alone(self, answer: Answer) -> None:
        """List the tokens of one vocabulary while the others are read."""
        self._show(answer, alone=True)

    @Slot()
    def _on_slow(self) -> None:
        for veil in self._veils:
            veil.lay(True)

    def _unveil(self) -> None:
        self._slow.stop()
        for veil in self._veils:
            veil.lay(False)

    def _show(self, answer: Answer | None, *, alone: bool = False) -> None:
        self._unveil()
        self._alone = alone
        before = self.model.answer
        bar, row = self.table.verticalScrollBar(), self.table.currentIndex().row()
        place = bar.value()
        self.model.show(answer)
        if before and answer and before.query.choices == answer.query.choices:
            self.table.setCurrentIndex(self.model.index(row, Column.TOKEN))
            bar.setValue(place)
        if answer is None:
            self.table.set_message(wording.NO_LANES)
            self.matrix.set_matrix((), (), np.empty((0, 0)))
            self.facts.set_groups(())
            self._set_about("")
            self._fit()
            return
        self.table.set_message(wording.NO_MATCH)
        read = answer.vocabularies
        names = tuple(answer.query.encodings[key].name for key in read)
        sizes = tuple(len(vocabulary.ordinary) for vocabulary in read.values())
        self.matrix.set_matrix(names, sizes, answer.matrix)
        keys, query = list(read), answer.query
        other = query.one if query.other is None else query.other
        self.matrix.set_chosen(keys.index(query.one), keys.index(other))
        one_name, other_name = (query.encodings[key].name for key in (query.one, other))
        of_pair = wording.parts(one_name, other_name) if answer.overlap else ()
        listed = (read[query.one], read[other])
        self._filter.offer({name for each in listed for name in each.scripts}, SCRIPTS)
        self.facts.set_groups(answer.groups, of_pair, () if of_pair else _LISTED)
        self._show_parts()
        self._set_about(wording.about(answer))
        self._fit()

    def _set_about(self, about: str) -> None:
        if about != self.about:
            self.about = about
            self.aboutChanged.emit()

    def _on_failed(self, message: str) -> None:
        self._unveil()
        self.model.show(None)
        self.table.set_message(message)
        self._fit()

    @Slot(int)
    def _on_opened(self, row: int) -> None:
        answer = self.model.answer
        if answer is not None:
            self.tokenOpened.emit(answer.found, int(answer.source.ids[row]))

    @property
    def at_rest(self) -> bool:
        """Whether what is in sight is up to date."""
        return self.task.at_rest and not (self.isVisible() and self._stale)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._stale:
            self._settle.start(0)


def _same(some: Mapping[int, object], others: Mapping[int, object]) -> bool:
    return list(some) == list(others) and all(some[key] is others[key] for key in some)
