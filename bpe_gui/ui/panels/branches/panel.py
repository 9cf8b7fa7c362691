"""What if: the branches of a run, and how two of them differ."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from weakref import WeakSet

from PySide6.QtCore import QMargins, QSignalBlocker, Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QLabel, QScrollArea, QVBoxLayout, QWidget

from bpe_gui.analysis.branches import Branch, BranchComparison, sentence
from bpe_gui.bpe.history import History
from bpe_gui.exporting.tables import branch_lines, side_by_side_lines
from bpe_gui.ui.panels.branches import wording
from bpe_gui.ui.panels.branches.table import BranchesView, BranchTable
from bpe_gui.ui.theme.text_size import FontFollower, RoomFollower, scaled
from bpe_gui.ui.theme.theme import Theme, ThemeFollower
from bpe_gui.ui.tokens.token_chips import TokenChips, merge_chip
from bpe_gui.ui.widgets.boxes import ComboBox
from bpe_gui.ui.widgets.labels import LinkLabel
from bpe_gui.ui.widgets.layouts import STYLED, filled, scrolled
from bpe_gui.ui.widgets.naming import named
from bpe_gui.ui.widgets.presenting import Presentable
from bpe_gui.ui.workspaces.panel import BasePanel
from bpe_gui.ui.workspaces.panel_spec import PanelParts

_FEWEST_ROWS, _MOST_ROWS = 1, 6
"""Rows of tokens of each branch."""


class ComparisonView(Presentable, QScrollArea):
    """Shows where two branches diverge, and the tokens that only one of them has.

    The merge at which they diverge and every token can be clicked, or reached with Tab, but not by
    an audience.
    """

    placeChosen = Signal(int, int, int)
    """0 or 1 for the first or second branch, a position to go to, and a token or NO_TOKEN."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("branchComparisonArea")
        self._shown: tuple[BranchComparison, Branch, Branch] | str = ""
        self._inside = inside = QWidget(self)
        self._is_fitting = False
        self._text = LinkLabel("branchComparison", inside)
        self._text.linkActivated.connect(self._go)
        self._sides: list[tuple[LinkLabel, TokenChips]] = []
        for side, name in enumerate(("first", "second")):
            text = LinkLabel(f"{name}Branch", inside)
            text.linkActivated.connect(self._go)
            chips = TokenChips(f"{name}BranchTokens", "", inside, keeps_rows=False)
            chips.tokenChosen.connect(partial(self._choose_token, side))
            self._sides.append((text, chips))
        both = (filled(QVBoxLayout(), *side, spacing=3) for side in self._sides)
        filled(QVBoxLayout(inside), self._text, *both, None, spacing=2, margins=(0, 0, 4, 0))
        self.setAccessibleName(wording.COMPARED)
        policy = self.focusPolicy()
        scrolled(self, inside)
        self.setFocusPolicy(policy)
        # The panel's background shows through.
        self.viewport().setAutoFillBackground(False)
        inside.setAutoFillBackground(False)
        ThemeFollower(self, self._take_colours)
        FontFollower(self, self._write)
        RoomFollower(self, self._fit)
        # Lines break elsewhere where another width comes later.
        RoomFollower(inside, self._fit)

    def _take_colours(self, theme: Theme) -> None:
        self._theme = theme
        self._write()

    def tell(self, comparison: BranchComparison, first: Branch, second: Branch) -> None:
        self._shown = comparison, first, second
        self._write()

    def say(self, message: str) -> None:
        self._shown = message
        self._write()

    def _write(self) -> None:
        if isinstance(self._shown, str):
            self._text.setText(wording.quiet(self._shown, self._theme))
            for text, chips in self._sides:
                text.hide()
                chips.hide()
            return
        comparison, *branches = self._shown
        links = not self.presents
        self._text.setText(wording.where_they_part(comparison, self._theme, links=links))
        tokens = (comparison.first_tokens, comparison.second_tokens)
        totals = (comparison.only_first, comparison.only_second)
        for side, (text, chips) in enumerate(self._sides):
            history, total = branches[side].history, totals[side]
            told = wording.of_side(side, branches[side], comparison, self._theme, links=links)
            text.setText(told)
            text.show()
            made = [merge_chip(history, history.step(token)) for token in tokens[side]]
            chips.set_tokens(f"{total:,} only here:", made, total)
            chips.setAccessibleName(wording.only_in(branches[side]))
            chips.setVisible(total > 0)
        self._fit()

    def _fit(self) -> None:
        """Give the tokens as many rows as fit below what is written."""
        if self._is_fitting:
            return  # their rows have changed the room
        self._is_fitting = True
        growing = [chips for _, chips in self._sides]
        for chips in growing:
            chips.set_rows(_FEWEST_ROWS)
        for rows in range(_FEWEST_ROWS + 1, _MOST_ROWS + 1):
            for chips in [each for each in growing if not each.shows_all]:
                chips.set_rows(rows)
                if not self._has_room:
                    chips.set_rows(rows - 1)
                    growing.remove(chips)
        self._is_fitting = False
        self._cut_no_line()

    @property
    def _has_room(self) -> bool:
        layout = self._inside.layout()
        assert layout is not None, "it was filled"
        layout.activate()
        return layout.totalHeightForWidth(self.viewport().width()) <= self.height()

    def _cut_no_line(self) -> None:
        """Leave as much free below as the last line has no room for, where not all is in view."""
        if (layout := self._inside.layout()) is not None:
            layout.activate()
        most, ends = self.height(), [0]
        for text in (self._text, *(text for text, _ in self._sides)):
            ends += _ends_of_lines(text) if text.isVisibleTo(self._inside) else []
        for _, chips in self._sides:
            ends += [chips.geometry().bottom() + 1] if chips.isVisibleTo(self._inside) else []
        whole = max((end for end in ends if end <= most), default=0)
        free = most - whole if whole < max(ends) else 0
        margins = QMargins(0, 0, 0, free if whole else 0)
        if margins != self.viewportMargins():
            self.setViewportMargins(margins)

    @Slot(str)
    def _go(self, link: str) -> None:
        self.placeChosen.emit(*map(int, link.split()))

    def _choose_token(self, side: int, token: int) -> None:
        assert not isinstance(self._shown, str), "there are tokens of two branches"
        _, *branches = self._shown
        self.placeChosen.emit(side, branches[side].history.step(token) + 1, token)


def _ends_of_lines(text: QLabel) -> list[int]:
    """Return where each line of a label ends, in pixels of what it is in."""
    lines = max(1, round(text.height() / text.fontMetrics().lineSpacing()))
    return [text.y() + (line + 1) * text.height() // lines for line in range(lines)]


_ROW_PADDING = 6
_CHOICE = 190
"""The width that the box of the other branch and its label need, in pixels for plain text."""


class BranchesPanel(BasePanel):
    """Lists the branches in a `table`, and compares two of them."""

    placeChosen = Signal(int, int, int)
    """The number of a branch, a position in it, and a token to select or NO_TOKEN."""

    def __init__(self, parts: PanelParts) -> None:
        super().__init__("branchesPanel", "What if", parts.parent)
        self._queries = parts.queries
        self._queries.compared.connect(self.set_comparison)
        self._branches: Sequence[Branch] = ()
        self._shown: Branch | None = None
        self._viewed: WeakSet[Branch] = WeakSet()
        self._asked: tuple[History, int, History, int] | None = None
        self._comparison: BranchComparison | None = None
        self.model = BranchTable(self)
        self.table = BranchesView(self.model, self)
        self._other = named(ComboBox(self), "comparedBranch", wording.OTHER)
        self._other.currentIndexChanged.connect(self._compare)
        self._view = ComparisonView(self)
        self._view.placeChosen.connect(self._choose_place)
        self._against = QWidget(self)
        self._lay_out()
        self._update_text()
        FontFollower(self.table, self._fit_to_font)

    def _lay_out(self) -> None:
        label, other = QLabel("Compare&d with", self._against), self._other
        label.setBuddy(other)
        self._choice = filled(
            QHBoxLayout(self._against), label, other, stretched=other, spacing=STYLED
        )
        parts, margins = (self._against, self._view), (10, 6, 6, 6)
        below = filled(QVBoxLayout(), *parts, stretched=self._view, spacing=6, margins=margins)
        self._below = below
        self.fill(self.table, below, main=self.table, grows=below)

    def set_branches(self, branches: Sequence[Branch], shown: Branch | None) -> None:
        """List these branches, of which one is shown everywhere."""
        compared = self._compared()
        if shown is not None and (shown not in self._viewed or compared is shown):
            # It is compared with the one that it was made from, or that one came from.
            compared = self._shown
            self._viewed.add(shown)
        self._branches, self._shown = tuple(branches), shown
        self.model.set_branches(branches, shown)
        if shown is not None:
            self.table.selectRow(self._branches.index(shown))
            self.table.scrollTo(self.table.currentIndex())
        self._offer(compared)
        self._compare()

    @property
    def emptiness(self) -> str:
        """Why there is nothing to compare; empty if there is."""
        return "" if len(self._branches) > 1 else wording.NO_BRANCHES

    def lines(self) -> Iterator[Sequence[object]] | None:
        """Return the branches as lines for a file; None without a run."""
        return branch_lines(self._branches) if self._branches else None

    def token_lines(self) -> Iterator[Sequence[object]] | None:
        """Return the tokens of the branches side by side; None without a run."""
        if not self._branches:
            return None
        histories = [branch.history for branch in self._branches]
        return side_by_side_lines(histories, [branch.name for branch in self._branches])

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_table()

    def _fit_table(self) -> None:
        """Fit the rows, and put the box below its label where both have no room in one line."""
        needed = scaled(_CHOICE, self.font())
        across, down = QBoxLayout.Direction.LeftToRight, QBoxLayout.Direction.TopToBottom
        self._choice.setDirection(across if self.width() >= needed else down)
        self.table.fit(self.width(), self.height(), self._below.minimumSize().height())

    def _fit_to_font(self) -> None:
        rows = self.table.verticalHeader()
        rows.setDefaultSectionSize(self.table.fontMetrics().height() + _ROW_PADDING)
        self._fit_table()

    def show_position(self, position: int, moving: bool) -> None:
        """Keep up with a training; compare when it rests."""
        self.model.refresh()
        if not moving and self._ask():
            self._update_text()

    @Slot(object, object, object)
    def set_comparison(self, first: History, second: History, comparison: BranchComparison) -> None:
        """Take the answer about two histories; dropped if others are compared by now."""
        asked = self._asked
        if asked is not None and (asked[0], asked[2]) == (first, second):
            self._comparison = comparison
            self._update_text()

    def _offer(self, compared: Branch | None) -> None:
        """Offer all but the branch that is shown; stay with the one compared, if it is there."""
        with QSignalBlocker(self._other):
            self._other.clear()
            for number, branch in enumerate(self._branches):
                if branch is not self._shown:
                    self._other.addItem(branch.name, number)
                    if branch is compared:
                        self._other.setCurrentIndex(self._other.count() - 1)
        several = len(self._branches) > 1
        self._fit_table()
        self._against.setVisible(several)
        self.table.setVisible(several)

    def _compared(self) -> Branch | None:
        number = self._other.currentData()
        return self._branches[number] if number is not None else None

    @Slot()
    def _compare(self) -> None:
        self._ask()
        self._update_text()

    def _ask(self) -> bool:
        """Ask how the two branches differ; return False if that is known or nothing is compared."""
        other = self._compared()
        if self._shown is None or other is None:
            self._asked = self._comparison = None
            return False
        first, second = self._shown.history, other.history
        asked = (first, len(first), second, len(second))
        if asked == self._asked:
            return False
        self._asked = asked
        self._comparison = None
        self._queries.compare(first, second)
        return True

    def _update_text(self) -> None:
        other, comparison = self._compared(), self._comparison
        if self._shown is None:
            text = wording.NOTHING_LOADED
        elif other is None:
            text = wording.HOW
        elif comparison is None:
            text = wording.WAITING
        else:
            self._view.tell(comparison, self._shown, other)
            self.setAccessibleDescription(sentence(comparison, self._shown.name, other.name))
            return
        self._view.say(text)
        self.setAccessibleDescription(text)

    @Slot(int, int, int)
    def _choose_place(self, side: int, position: int, token: int) -> None:
        branch = self._compared() if side else self._shown
        if branch is not None:
            self.placeChosen.emit(self._branches.index(branch), position, token)
