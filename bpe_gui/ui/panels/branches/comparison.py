"""How two branches differ, to read and to click on: where they part, and what only one has."""

from __future__ import annotations

from html import escape

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QVBoxLayout, QWidget

from bpe_gui.analysis.branches import Branch, BranchComparison
from bpe_gui.bpe.history import NO_TOKEN, History
from bpe_gui.progress import counted, times
from bpe_gui.ui.theme.theme import Theme, ThemeFollower
from bpe_gui.ui.tokens.token_chips import Chip, TokenChips
from bpe_gui.ui.tokens.token_words import label, merge_name, merge_sentence, pair_text
from bpe_gui.ui.widgets.labels import LinkLabel

_LONGEST_CHIP = 16
_FEWEST_ROWS, _MOST_ROWS = 1, 6
"""Rows of tokens of each branch."""
_HEIGHT_OF_TEXT, _HEIGHT_OF_ROW = 140, 26
"""Pixels: of all that is written, and of a row of tokens."""


class ComparisonView(QScrollArea):
    """Says where two branches part, and sets one below the other what each has alone.

    The merge at which they part and every token can be clicked, or reached with Tab.
    """

    placeChosen = Signal(bool, int, int)
    """Whether it is in the second branch, a position to go to, and a token or NO_TOKEN."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._told: tuple[BranchComparison, Branch, Branch] | str = ""
        self._text = LinkLabel("branchComparison", self)
        self._text.linkActivated.connect(self._go)
        self._sides = (_Side("first", self), _Side("second", self))
        self._sides[0].placeChosen.connect(self._choose_first)
        self._sides[1].placeChosen.connect(self._choose_second)
        inside = QWidget(self)
        layout = QVBoxLayout(inside)
        layout.setContentsMargins(0, 0, 4, 0)
        layout.setSpacing(6)
        layout.addWidget(self._text)
        for side in self._sides:
            layout.addWidget(side)
        layout.addStretch(1)
        self.setAccessibleName("What two branches have and have not in common")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setWidget(inside)
        # The panel's background shows through.
        self.viewport().setAutoFillBackground(False)
        inside.setAutoFillBackground(False)
        ThemeFollower(self, self._take_colours)

    def _take_colours(self, theme: Theme) -> None:
        self._theme = theme
        self._write()

    def tell(self, comparison: BranchComparison, first: Branch, second: Branch) -> None:
        """Set out how two branches differ."""
        self._told = comparison, first, second
        self._write()

    def say(self, message: str) -> None:
        """Show a sentence and nothing else."""
        self._told = message
        for side in self._sides:
            side.hide()
        self._write()

    def _write(self) -> None:
        theme = self._theme
        if isinstance(self._told, str):
            message = escape(self._told)
            self._text.setText(f'<span style="color:{theme.muted}">{message}</span>')
            return
        comparison, first, second = self._told
        step = comparison.parts_at
        merges = counted(comparison.merges, "merge")
        text = f"They are the same for their first {merges}."
        if step is not None:
            place = _link(merge_name(step), step + 1, NO_TOKEN, theme)
            text = f"They part at {place}. After {merges}:"
        self._text.setText(text)
        one, other = comparison.bytes_per_token
        self._sides[0].tell(
            theme, first, step, comparison.first_tokens, comparison.only_first, _per_token(one)
        )
        self._sides[1].tell(
            theme, second, step, comparison.second_tokens, comparison.only_second,
            f"{_per_token(other)}, {_difference(one, other)}",
        )  # fmt: skip

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Where there is room, more tokens have it."""
        super().resizeEvent(event)
        rows = (self.viewport().height() - _HEIGHT_OF_TEXT) // (len(self._sides) * _HEIGHT_OF_ROW)
        for side in self._sides:
            side.set_rows(min(max(rows, _FEWEST_ROWS), _MOST_ROWS))

    @Slot(str)
    def _go(self, link: str) -> None:
        self.placeChosen.emit(False, *_place(link))

    @Slot(int, int)
    def _choose_first(self, position: int, token: int) -> None:
        self.placeChosen.emit(False, position, token)

    @Slot(int, int)
    def _choose_second(self, position: int, token: int) -> None:
        self.placeChosen.emit(True, position, token)


class _Side(QWidget):
    """One of the branches: its name, its bytes per token, its own merge, its own tokens."""

    placeChosen = Signal(int, int)
    """A position of the branch, and a token of it or NO_TOKEN."""

    def __init__(self, name: str, parent: QWidget) -> None:
        super().__init__(parent)
        self._history: History | None = None
        self._text = LinkLabel(f"{name}Branch", self)
        self._text.linkActivated.connect(self._go)
        self._chips = TokenChips(self)
        self._chips.setObjectName(f"{name}BranchTokens")
        self._chips.tokenChosen.connect(self._choose)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(3)
        layout.addWidget(self._text)
        layout.addWidget(self._chips)
        self.hide()

    def set_rows(self, rows: int) -> None:
        """Give the tokens room for so many rows."""
        self._chips.set_rows(rows)

    def tell(
        self, theme: Theme, branch: Branch, step: int | None, tokens: tuple[int, ...], total: int,
        numbers: str,
    ) -> None:  # fmt: skip
        """Show a branch with the step of its own from which on it differs, if it does."""
        history = self._history = branch.history
        text = f"<b>{escape(branch.name)}</b>"
        text += f' <span style="color:{theme.muted}">· {escape(numbers)}</span>'
        if step is not None:
            left, right = int(history.left[step]), int(history.right[step])
            new = int(history.new_id[step])
            pair = f"{pair_text(history, left, right)} → {label(history.token_bytes(new))}"
            count = times(int(history.count[step]))
            text += f"<br>{_link(merge_name(step), step + 1, new, theme)}: "
            text += f'{escape(pair)} <span style="color:{theme.muted}">{count}</span>'
        self._text.setText(text)
        self._chips.setAccessibleName(f"Tokens that only “{branch.name}” has")
        self._chips.set_tokens(
            f"{total:,} only here:", [_chip(history, token) for token in tokens], total
        )
        self._chips.setVisible(total > 0)
        self.show()

    @Slot(str)
    def _go(self, link: str) -> None:
        self.placeChosen.emit(*_place(link))

    @Slot(int)
    def _choose(self, token: int) -> None:
        assert self._history is not None, "there are tokens of a history"
        self.placeChosen.emit(self._history.step(token) + 1, token)


def _chip(history: History, token: int) -> Chip:
    tip = f"id {token:,}, {merge_sentence(history, history.step(token))}"
    return Chip(token, label(history.token_bytes(token), _LONGEST_CHIP), tip)


def _link(text: str, position: int, token: int, theme: Theme) -> str:
    return f'<a style="color:{theme.accent}" href="{position} {token}">{escape(text)}</a>'


def _place(link: str) -> tuple[int, int]:
    position, token = link.split()
    return int(position), int(token)


def _per_token(value: float) -> str:
    return f"{value:.4f} bytes per token"


def _difference(one: float, other: float) -> str:
    """By how much the second is greater or smaller, in per cent."""
    if f"{one:.4f}" == f"{other:.4f}":
        return "the same"
    percent = 100 * (other / one - 1)
    return f"{abs(percent):.2g} % {'more' if percent > 0 else 'fewer'}"
