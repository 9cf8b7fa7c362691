"""Show how two branches differ: at which merge they diverge, and which tokens only one has."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QScrollArea, QVBoxLayout, QWidget

from bpe_gui.analysis.branches import Branch, BranchComparison
from bpe_gui.ui.panels.branches import wording
from bpe_gui.ui.theme.text_size import RoomFollower
from bpe_gui.ui.theme.theme import Theme, ThemeFollower
from bpe_gui.ui.tokens.token_chips import TokenChips, merge_chip
from bpe_gui.ui.widgets.box_layouts import filled, scrolled
from bpe_gui.ui.widgets.labels import LinkLabel

_FEWEST_ROWS, _MOST_ROWS = 1, 6
"""Rows of tokens of each branch."""
_HEIGHT_OF_TEXT, _HEIGHT_OF_ROW = 140, 26
"""Pixels: of all that is written, and of a row of tokens."""


class ComparisonView(QScrollArea):
    """Shows where two branches diverge, and the tokens that only one of them has.

    The merge at which they diverge and every token can be clicked, or reached with Tab.
    """

    placeChosen = Signal(int, int, int)
    """0 or 1 for the first or second branch, a position to go to, and a token or NO_TOKEN."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shown: tuple[BranchComparison, Branch, Branch] | str = ""
        inside = QWidget(self)
        self._text = LinkLabel("branchComparison", self)
        self._text.linkActivated.connect(self._go)
        self._sides: list[tuple[LinkLabel, TokenChips]] = []
        for side, name in enumerate(("first", "second")):
            text = LinkLabel(f"{name}Branch", inside)
            text.linkActivated.connect(self._go)
            chips = TokenChips(f"{name}BranchTokens", "", inside)
            chips.tokenChosen.connect(partial(self._choose_token, side))
            self._sides.append((text, chips))
        both = (filled(QVBoxLayout(), *side, spacing=3) for side in self._sides)
        filled(QVBoxLayout(inside), self._text, *both, None, spacing=6, margins=(0, 0, 4, 0))
        self.setAccessibleName("What two branches have and have not in common")
        policy = self.focusPolicy()
        scrolled(self, inside)
        self.setFocusPolicy(policy)
        # The panel's background shows through.
        self.viewport().setAutoFillBackground(False)
        inside.setAutoFillBackground(False)
        ThemeFollower(self, self._take_colours)
        RoomFollower(self, self._fit)

    def _take_colours(self, theme: Theme) -> None:
        self._theme = theme
        self._write()

    def tell(self, comparison: BranchComparison, first: Branch, second: Branch) -> None:
        """Show how two branches differ."""
        self._shown = comparison, first, second
        self._write()

    def say(self, message: str) -> None:
        """Show a sentence and nothing else."""
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
        self._text.setText(wording.where_they_part(comparison, self._theme))
        tokens = (comparison.first_tokens, comparison.second_tokens)
        totals = (comparison.only_first, comparison.only_second)
        for side, (text, chips) in enumerate(self._sides):
            history, total = branches[side].history, totals[side]
            text.setText(wording.of_side(side, branches[side], comparison, self._theme))
            text.show()
            made = [merge_chip(history, history.step(token)) for token in tokens[side]]
            chips.set_tokens(f"{total:,} only here:", made, total)
            chips.setAccessibleName(f"Tokens that only “{branches[side].name}” has")
            chips.setVisible(total > 0)

    def _fit(self) -> None:
        self.setViewportMargins(0, 0, 0, self.height() % self.fontMetrics().lineSpacing())
        rows = (self.viewport().height() - _HEIGHT_OF_TEXT) // (len(self._sides) * _HEIGHT_OF_ROW)
        for _, chips in self._sides:
            chips.set_rows(min(max(rows, _FEWEST_ROWS), _MOST_ROWS))

    @Slot(str)
    def _go(self, link: str) -> None:
        self.placeChosen.emit(*map(int, link.split()))

    def _choose_token(self, side: int, token: int) -> None:
        assert not isinstance(self._shown, str), "there are tokens of two branches"
        _, *branches = self._shown
        self.placeChosen.emit(side, branches[side].history.step(token) + 1, token)
