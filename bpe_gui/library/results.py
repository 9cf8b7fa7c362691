"""What a tokenizer answers: a text as tokens, and the merges."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import overload

from bpe_gui.bpe.history import History
from bpe_gui.bpe.tokenizer import Tokens
from bpe_gui.exporting import notebook
from bpe_gui.progress import counted

_SHOWN = 20
"""Tokens and merges that are shown where nobody asked for all of them."""


@dataclass(frozen=True)
class EncodedText:
    """A text as tokens: lists of equal length, in the order of the text.

    tokens: as the vocabulary spells them: "Ġthe" for " the" of a byte-level tokenizer.
    offsets: the first character of the text that each token covers, and the one after its
        last. A token that covers part of a character has the whole of it, so that the tokens
        that share one overlap.

    Characters that the vocabulary has no token for are in none of the lists. In a notebook they
    are underlined, among the tokens in colours.
    """

    text: str
    ids: list[int]
    tokens: list[str]
    offsets: list[tuple[int, int]]
    _spans: Tokens = field(repr=False, compare=False)
    _closes_word: Callable[[int], bool] | None = field(repr=False, compare=False)

    def __len__(self) -> int:
        return len(self.ids)

    def __repr__(self) -> str:
        more = len(self) - _SHOWN
        shown = ", ".join(map(repr, self.tokens[:_SHOWN]))
        return f"<EncodedText [{shown}{f', ... and {more:,} more' if more > 0 else ''}]>"

    def _repr_html_(self) -> str:
        return notebook.text_in_colours(self.text, self._spans, closes_word=self._closes_word)


@dataclass(frozen=True, slots=True)
class Pair:
    """A pair of tokens that competed for a merge, and how often it occurred then."""

    left: str
    right: str
    count: int


@dataclass(frozen=True, slots=True)
class Merge:
    """A merge. `step` counts from 1; tokens are as the vocabulary spells them.

    count: how often the pair occurred then; None in a tokenizer that was loaded, for no file
        tells that.
    runners_up: the pairs that came after it, the most frequent first, 19 at most; empty in a
        tokenizer that was loaded.
    """

    step: int
    left: str
    right: str
    token: str
    count: int | None
    runners_up: list[Pair]


class MergeHistory(Sequence[Merge]):
    """The merges of a tokenizer, in order; a slice of it is one again.

    >>> from bpe_gui import train
    >>> history = train(["low low lower"], preset="whitespace", merges=2).history
    >>> history[0]
    Merge(step=1, left='l', right='o', token='lo', count=3, runners_up=[Pair(left='o', right='w', \
count=3), Pair(left='w', right='</w>', count=2), Pair(left='w', right='e', count=1), \
Pair(left='e', right='r', count=1), Pair(left='r', right='</w>', count=1)])
    """

    def __init__(self, history: History, steps: range) -> None:
        self._history = history
        self._steps = steps

    @property
    def stopped(self) -> str:
        """Why the training ended: "vocabulary size reached", say; empty if that is not known."""
        return str(self._history.stopped or "")

    def __len__(self) -> int:
        return len(self._steps)

    @overload
    def __getitem__(self, index: int) -> Merge: ...
    @overload
    def __getitem__(self, index: slice) -> MergeHistory: ...
    def __getitem__(self, index: int | slice) -> Merge | MergeHistory:
        if isinstance(index, slice):
            return MergeHistory(self._history, self._steps[index])
        if not -len(self) <= index < len(self):
            raise IndexError(f"there are {counted(len(self), 'merge')}, and none at {index:,}")
        history, step = self._history, self._steps[index]
        text, top = history.id_to_token, history.top(step)
        columns = (column[1:].tolist() for column in (top.left, top.right, top.count))
        return Merge(
            step + 1,
            text(int(history.left[step])),
            text(int(history.right[step])),
            text(int(history.new_id[step])),
            int(history.count[step]) or None,
            [Pair(text(left), text(right), n) for left, right, n in zip(*columns, strict=True)],
        )

    def __repr__(self) -> str:
        whole = len(self) == len(self._history)
        stopped = f": {self.stopped}" if self.stopped and whole else ""
        return f"<MergeHistory {counted(len(self), 'merge')}{stopped}>"

    def _repr_html_(self) -> str:
        rows = (
            (m.step, m.left, m.right, m.token, "" if m.count is None else m.count)
            for m in self[:_SHOWN]
        )
        more = len(self) - _SHOWN
        foot = f"... and {counted(more, 'more merge')}" if more > 0 else ""
        return notebook.table(["step", "left", "right", "token", "count"], rows, foot)
