"""The results of a tokenizer: a text as tokens, and the merges."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import eq
from typing import overload

from msgspec import Struct

from bpe_gui.bpe.history import History
from bpe_gui.bpe.tokenizer import Tokens
from bpe_gui.exporting import notebook
from bpe_gui.progress import counted

_MAX_SHOWN = 20
"""Tokens and merges that `repr` and notebooks show."""


class EncodedText(Struct, frozen=True):
    """Hold a text as tokens: lists of equal length, in the order of the text.

    tokens: as the vocabulary spells them: "Ġthe" for " the" of a byte-level tokenizer.
    offsets: the first character of the text that each token covers, and the one after its last.
        Tokens that share a character overlap: each has the whole of it.

    Characters without a token are in none of the lists. A notebook shows the tokens in colours, and
    these characters underlined.
    """

    text: str
    ids: list[int]
    tokens: list[str]
    offsets: list[tuple[int, int]]
    _spans: Tokens
    _closes_word: Callable[[int], bool] | None
    _token_bytes: Callable[[int], bytes]

    def __len__(self) -> int:
        return len(self.ids)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, EncodedText) and (
            (self.text, self.ids, self.tokens, self.offsets)
            == (other.text, other.ids, other.tokens, other.offsets)
        )

    def __repr__(self) -> str:
        more = len(self) - _MAX_SHOWN
        shown = ", ".join(map(repr, self.tokens[:_MAX_SHOWN]))
        return f"<EncodedText [{shown}{f', ... and {more:,} more' if more > 0 else ''}]>"

    def _repr_html_(self) -> str:
        return notebook.text_in_colours(
            self.text,
            self._spans,
            closes_word=self._closes_word,
            token_bytes=self._token_bytes,
        )


class Pair(Struct, frozen=True):
    """Describe a pair of tokens that competed for a merge, and how often it occurred then."""

    left: str
    right: str
    count: int


class Merge(Struct, frozen=True):
    """Describe a merge. `step` counts from 1; tokens are as the vocabulary spells them.

    count: how often the pair occurred then; None in a tokenizer that was loaded, because files do
        not hold it.
    runners_up: at most 19 other pairs, the most frequent first; empty in a tokenizer that was
        loaded.
    """

    step: int
    left: str
    right: str
    token: str
    count: int | None
    runners_up: list[Pair]


class MergeHistory(Sequence[Merge]):
    """List the merges of a tokenizer, in order; a slice is a MergeHistory again.

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
        """Say why the training ended, like "vocabulary size reached"; empty if it is not known."""
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
        if not hasattr(index, "__index__"):
            raise TypeError(f"merges are found by their number, not by {type(index).__name__}")
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

    def __eq__(self, other: object) -> bool:
        """Tell whether all merges are equal, and all that is known about them."""
        if not isinstance(other, MergeHistory):
            return NotImplemented
        if self._history is other._history and self._steps == other._steps:
            return True
        return len(self) == len(other) and all(map(eq, self, other))

    def __repr__(self) -> str:
        whole = len(self) == len(self._history)
        stopped = f": {self.stopped}" if self.stopped and whole else ""
        return f"<MergeHistory {counted(len(self), 'merge')}{stopped}>"

    def _repr_html_(self) -> str:
        rows = (
            (m.step, m.left, m.right, m.token, "" if m.count is None else m.count)
            for m in self[:_MAX_SHOWN]
        )
        more = len(self) - _MAX_SHOWN
        foot = f"... and {counted(more, 'more merge')}" if more > 0 else ""
        return notebook.table(["step", "left", "right", "token", "count"], rows, foot)
