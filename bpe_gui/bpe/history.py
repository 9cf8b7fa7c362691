"""The merge history: the one truth that every view draws from.

A position is a number of merges done, from 0 (nothing merged) to `len(history)`. Two
kinds of columns are kept:

- one row per merge (`left`, `right`, `new_id`, `count`): merge k turns position k into
  position k + 1;
- one row per position (`tokens`, `distinct`, `top`): what the corpus looks like after k
  merges, and which pairs compete for merge k. The winner is the first of them, so
  `top(k)` leads with merge k, and `top(len(history))` shows who would be next. Only where
  somebody forced a merge is it another; see `next_pair`.

The trainer's thread appends, any thread may read: rows are written first and counted
afterwards, and what is counted never changes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from threading import Lock
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from bpe_gui.bpe.kernels.merging import TOP as TOP
from bpe_gui.bpe.recipe import END_OF_WORD, EndOfWord, Recipe
from bpe_gui.bpe.vocabulary import BaseVocabulary as BaseVocabulary

# -- Decisions of a what-if branch --------------------------------------------------------------


class Decision(StrEnum):
    """What is decided about a pair."""

    FORBID = "forbid"
    """It is not merged, at this step or any later one."""
    FORCE = "force"
    """It is merged at this step, though another may be more frequent."""


class InterventionError(ValueError):
    """A decision that cannot be followed; the message is one sentence for the user."""


class Intervention(Struct, frozen=True):
    """A decision about a pair of token ids at a step, counted from 0.

    The pair must be among the most frequent ones that the history keeps for the step. Raises
    InterventionError for a step before the first.
    """

    step: int
    decision: Decision
    left: int
    right: int

    def __post_init__(self) -> None:
        if self.step < 0:
            raise InterventionError(f"step {self.step} is before the first merge; count from 0")


# -- The record ---------------------------------------------------------------------------------

NO_TOKEN = -1
"""Stands where there is no token id: an unknown character, an empty place in `top`."""

_MARKER = END_OF_WORD.encode()

_NOT_BEGUN = -1
"""Where a token begins that is still to be spelled."""


class StopReason(StrEnum):
    """Why a training run ended. The value is a sentence fit for the status bar."""

    VOCABULARY_SIZE = "vocabulary size reached"
    MERGES = "number of merges reached"
    MIN_FREQUENCY = "no pair is frequent enough"
    NO_PAIR = "no pair is left to merge"


class TopPairs(Struct, frozen=True):
    """The most frequent pairs at one position, the winner first.

    Columns of equal length (at most `TOP`): token ids and 64-bit counts, sorted by
    count and, among equals, by the recipe's rule for ties.
    """

    left: NDArray[np.int32]
    right: NDArray[np.int32]
    count: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.left)


class Columns(Struct):
    """The raw storage of a history, written by the trainer only."""

    left: NDArray[np.int32]
    right: NDArray[np.int32]
    new_id: NDArray[np.int32]
    count: NDArray[np.int64]
    tokens: NDArray[np.int64]
    distinct: NDArray[np.int64]
    top_left: NDArray[np.int32]
    top_right: NDArray[np.int32]
    top_count: NDArray[np.int64]

    @classmethod
    def empty(cls, rows: int) -> Columns:
        """Make room for that many rows, zeros, of which no memory is taken until they are written.
        """
        return cls(
            left=np.zeros(rows, np.int32),
            right=np.zeros(rows, np.int32),
            new_id=np.zeros(rows, np.int32),
            count=np.zeros(rows, np.int64),
            tokens=np.zeros(rows, np.int64),
            distinct=np.zeros(rows, np.int64),
            top_left=np.zeros((rows, TOP), np.int32),
            top_right=np.zeros((rows, TOP), np.int32),
            top_count=np.zeros((rows, TOP), np.int64),
        )

    def copy_from(self, other: Columns, rows: int) -> None:
        """Take over the first rows of another storage."""
        for name in self.__struct_fields__:
            getattr(self, name)[:rows] = getattr(other, name)[:rows]


class History:
    """An append-only record of the merges of one run. See the module's description.

    `len(history)` is the number of merges done so far. `corpus_bytes` is the size in
    bytes of the words that are trained on, the numerator of bytes per token.
    `interventions` are the decisions by which the run departs from its recipe, none but in
    a what-if branch, in the order of their steps. `saved_by_new_symbols` is by how many tokens the
    new symbols of a run that goes on from an encoding shorten the corpus, before any merge.
    """

    def __init__(
        self,
        recipe: Recipe,
        base: BaseVocabulary,
        corpus_bytes: int,
        tokens: int,
        interventions: tuple[Intervention, ...] = (),
    ) -> None:
        self.recipe = recipe
        self.interventions = interventions
        self.base = base
        self.corpus_bytes = corpus_bytes
        self.saved_by_new_symbols = 0
        self.stopped: StopReason | None = None
        self._length = 0
        self._columns = Columns.empty(1024)
        self._columns.tokens[0] = tokens
        self._texts = dict(enumerate(base.texts))
        self._contents = dict(enumerate(base.contents))
        self._beginnings: dict[int, bytes] = {}
        self._ends_word = {
            index: index >= base.special and _is_marked(text, recipe)
            for index, text in enumerate(base.texts)
        }
        self._steps = np.full(len(base), -1, np.int32)
        self._fallback_bytes = base.fallback_bytes(recipe)
        self._known = len(base)
        self._own_ids = None if recipe.inherited is None else _inherited_ids(recipe, base)
        self._noted = 0
        self._lock = Lock()

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "_lock"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state, _lock=Lock())

    @classmethod
    def from_merges(
        cls,
        recipe: Recipe,
        base: BaseVocabulary,
        merges: Sequence[tuple[int, int, int]] | NDArray[np.int32],
    ) -> History:
        """Make the history of merges that were trained elsewhere.

        Each of the merges, or row of an array of shape (merges, 3), has three ids: left, right
        and new. All counts are 0, for nothing is known of the corpus, and no pair competes with
        a merge. Nothing is checked.

        >>> recipe = Recipe(name="two merges", split="none")
        >>> base = BaseVocabulary.of(recipe, "ab")
        >>> history = History.from_merges(recipe, base, [(0, 1, 2), (2, 2, 3)])
        >>> len(history), history.id_to_token(3)
        (2, 'abab')
        """
        history = cls(recipe, base, corpus_bytes=0, tokens=0)
        columns, rows = history.reserve(len(merges)), len(merges)
        ids = np.asarray(merges, np.int32).reshape(rows, 3)
        columns.left[:rows], columns.right[:rows], columns.new_id[:rows] = ids.T
        columns.top_left[: rows + 1] = columns.top_right[: rows + 1] = NO_TOKEN
        history.commit(rows)
        return history

    @classmethod
    def of_columns(
        cls,
        recipe: Recipe,
        base: BaseVocabulary,
        corpus_bytes: int,
        columns: Columns,
        stopped: StopReason | None,
        interventions: tuple[Intervention, ...] = (),
    ) -> History:
        """Return a run as it was recorded, which does not grow any more.

        `columns` has a row for each position, one more than there are merges: in the columns
        of merges the last row means nothing. Nothing is checked.
        """
        history = cls(recipe, base, corpus_bytes, 0, interventions)
        history._columns = columns
        history._length = len(columns.left) - 1
        history.stopped = stopped
        return history

    def until(self, merges: int) -> History:
        """Return the run with its first `merges` merges, whatever more is appended to it.

        Shares what is recorded. It has stopped if this one has, with those merges.
        """
        columns = self.columns(merges + 1)
        stopped = self.stopped if merges == self._length else None
        history = History.of_columns(
            self.recipe, self.base, self.corpus_bytes, columns, stopped, self.interventions
        )
        history.saved_by_new_symbols = self.saved_by_new_symbols
        return history

    def __len__(self) -> int:
        return self._length

    @property
    def memory(self) -> int:
        """Count the bytes of its columns, as far as they are written."""
        columns = self.columns(self._length + 1)
        return sum(getattr(columns, name).nbytes for name in Columns.__struct_fields__)

    def equals(self, other: History) -> bool:
        """Tell whether another run comes to the same encoding: by the same recipe but for the size
        of its vocabulary, from the same symbols, by the same merges."""
        return (
            self.recipe.same_but(other.recipe, "vocabulary_size")
            and self.base == other.base
            and np.array_equal(self.left, other.left)
            and np.array_equal(self.right, other.right)
        )

    # -- for the trainer ------------------------------------------------------------

    def reserve(self, merges: int) -> Columns:
        """Make room for that many more merges and the position after them."""
        rows = self._length + merges + 1
        if rows > len(self._columns.left):
            grown = Columns.empty(max(rows, len(self._columns.left) * 3 // 2))
            grown.copy_from(self._columns, self._length + 1)
            self._columns = grown
        return self._columns

    def give_back_rows(self) -> None:
        """Give back most of what was reserved, if more is reserved than written."""
        rows = self._length + 1
        if 2 * rows < len(self._columns.left):
            written = Columns.empty(rows)
            written.copy_from(self._columns, rows)
            self._columns = written

    def commit(self, merges: int) -> None:
        """Count merges whose rows, and the position row after them, have been written."""
        self._length += merges

    # -- columns ----------------------------------------------------------------------

    def columns(self, rows: int) -> Columns:
        """Return the first rows of all columns, one for each position, to be written down.

        In the columns of merges the row of the last position means nothing.
        """
        return Columns(*(getattr(self._columns, name)[:rows] for name in Columns.__struct_fields__))

    @property
    def left(self) -> NDArray[np.int32]:
        """Return the left id of each merge."""
        length = self._length
        return self._columns.left[:length]

    @property
    def right(self) -> NDArray[np.int32]:
        """Return the right id of each merge."""
        length = self._length
        return self._columns.right[:length]

    @property
    def new_id(self) -> NDArray[np.int32]:
        """Return the id of the token that each merge makes."""
        length = self._length
        return self._columns.new_id[:length]

    @property
    def count(self) -> NDArray[np.int64]:
        """Return the frequency of each merged pair at the moment of the choice."""
        length = self._length
        return self._columns.count[:length]

    @property
    def tokens(self) -> NDArray[np.int64]:
        """Return tokens in the corpus at each position, one row more than there are merges."""
        length = self._length
        return self._columns.tokens[: length + 1]

    @property
    def distinct(self) -> NDArray[np.int64]:
        """Number of distinct pairs in the corpus at each position, as `tokens`."""
        length = self._length
        return self._columns.distinct[: length + 1]

    def top(self, position: int) -> TopPairs:
        """Find the most frequent pairs at a position, the next merge first.

        Empty where no pair is left. Raises IndexError outside 0..len(history).
        """
        if not 0 <= position <= self._length:
            raise IndexError(f"position {position} is outside 0..{self._length}")
        columns = self._columns
        found = int(np.count_nonzero(columns.top_left[position] != NO_TOKEN))
        return TopPairs(
            columns.top_left[position, :found],
            columns.top_right[position, :found],
            columns.top_count[position, :found],
        )

    def next_pair(self, position: int) -> tuple[int, int] | None:
        """Return the pair that is merged at a position, or would be if the run went on.

        The first of `top(position)`, but where another was forced. None where no pair is
        left. Raises IndexError outside 0..len(history).
        """
        top = self.top(position)
        if position < self._length:
            return int(self._columns.left[position]), int(self._columns.right[position])
        return (int(top.left[0]), int(top.right[0])) if len(top) else None

    # -- the vocabulary ----------------------------------------------------------------

    def vocabulary_size(self, position: int) -> int:
        """Count the vocabulary entries at a position, special tokens included."""
        if position == 0:
            return len(self.base)
        return max(len(self.base), int(self._columns.new_id[:position].max()) + 1)

    def merged_id(self, position: int, left: int, right: int) -> int:
        """Return the id of what merging a pair at a position would make.

        It is that of the special token that the two spell, or else the next free one.

        >>> recipe = Recipe(name="one merge", split="none", special_tokens=("ab",))
        >>> history = History(recipe, BaseVocabulary.of(recipe, "ab"), 0, 0)
        >>> history.merged_id(0, 1, 2), history.merged_id(0, 2, 1)
        (0, 3)
        """
        text = self.id_to_token(left) + self.id_to_token(right)
        specials = self.recipe.special_tokens
        return specials.index(text) if text in specials else self.vocabulary_size(position)

    def own_ids(self, tokens: NDArray[np.int32]) -> NDArray[np.int32]:
        """Return the ids that the vocabulary has for tokens: those of the run, unless it goes on
        from an encoding, whose ids all its tokens keep. NO_TOKEN stays NO_TOKEN.
        """
        if self._own_ids is None:
            return tokens
        known, next_id = self._own_ids
        is_old = (tokens >= 0) & (tokens < len(known))
        found = np.where(tokens < 0, tokens, tokens + (next_id - len(known)))
        found[is_old] = known[tokens[is_old]]
        return found.astype(np.int32)

    def from_own_id(self, number: int) -> int:
        """Find the token to which the vocabulary gives an id, or NO_TOKEN; see `own_ids`. A token
        that is still to be made is found, too.
        """
        if self._own_ids is None or number < 0:
            return number
        known, next_id = self._own_ids
        found = np.flatnonzero(known == number)
        if len(found):
            return int(found[0])
        return number - next_id + len(known) if number >= next_id else NO_TOKEN

    def encoding_of(self, step: int) -> str:
        """Return the name of the encoding that a merge was taken over from; empty if it was
        trained.
        """
        inherited = self.recipe.inherited
        return inherited.name if inherited is not None and step < len(inherited) else ""

    @property
    def new_symbols(self) -> int:
        """Count the single symbols that the encoding does not have from which the run goes on."""
        if self.recipe.inherited is None or self._own_ids is None:
            return 0
        return len(self._own_ids[0]) - self.recipe.inherited.vocabulary_size

    def own_id(self, token: int) -> int:
        """Return the id that the vocabulary has for a token; see `own_ids`."""
        return int(self.own_ids(np.array([token], np.int32))[0])

    def id_to_token(self, token: int) -> str:
        """Return a token as the vocabulary writes it. Raises IndexError for an unknown id."""
        if token not in self._texts:
            self._texts[token] = self._spelled(token, self._texts).decode("utf-8")
        return self._texts[token]

    def texts(self, position: int) -> list[str]:
        """Spell all tokens of the vocabulary at a position, in the order of their ids.

        >>> from bpe_gui.bpe.recipe import preset
        >>> base = BaseVocabulary.of(preset("raw"), "low")
        >>> History.from_merges(preset("raw"), base, [(0, 1, 3), (3, 2, 4)]).texts(1)
        ['l', 'o', 'w', 'lo']
        """
        columns = (self._columns.left, self._columns.right, self._columns.new_id)
        base = self.base.texts
        spelled = [*base, *[""] * (self.vocabulary_size(position) - len(base))]
        for left, right, new in zip(*(side[:position].tolist() for side in columns), strict=True):
            if not spelled[new]:  # several merges may make one token
                spelled[new] = spelled[left] + spelled[right]
        return spelled

    def token_bytes(self, token: int) -> bytes:
        """Return the bytes that a token stands for. Raises IndexError for an unknown id."""
        if token not in self._contents:
            self._contents[token] = bytes(self._spelled(token, self._contents))
        return self._contents[token]

    def beginning(self, token: int, size: int) -> bytes:
        """Find the first bytes that a token stands for, `size` at most: a token may be as long as
        the corpus, and made in as many merges. Raises IndexError for an unknown id.

        A token that begins with one that was asked for before begins as that does.
        """
        self.step(token)
        steps, left, right, contents = self._steps, self.left, self.right, self._contents
        spelled = bytearray()
        waiting = [token]
        while waiting and len(spelled) < size:
            part = waiting.pop()
            while part not in contents:
                if not spelled and len(known := self._beginnings.get(part, b"")) >= size:
                    return known[:size]
                step = steps[part]
                waiting.append(int(right[step]))
                part = int(left[step])
            spelled += contents[part][:size]
        begins = bytes(spelled[:size])
        if len(begins) == size:
            self._beginnings[token] = begins
        return begins

    def bytes_in_text(self, token: int) -> bytes:
        """Return the bytes that a token stands for, without an end-of-word marker: that is no text.

        Raises IndexError for an unknown id.
        """
        content = self.token_bytes(token)
        return content.removesuffix(_MARKER) if self.ends_word(token) else content

    def step(self, token: int) -> int:
        """Find the merge that made a token, or -1 for one that was there from the start.

        Of several merges that made the same token, the last. Raises IndexError for an
        unknown id.
        """
        self._note_steps()
        if not 0 <= token < self._known:
            raise IndexError(f"there is no token {token}")
        return int(self._steps[token])

    def parents(self, token: int) -> tuple[int, int] | None:
        """Return the pair that a token was merged from; None for one from the start."""
        step = self.step(token)
        if step < 0:
            return None
        return int(self._columns.left[step]), int(self._columns.right[step])

    def is_special(self, token: int) -> bool:
        """Tell whether the id belongs to a special token."""
        return 0 <= token < self.base.special

    def is_fallback_byte(self, token: int) -> bool:
        """Tell whether it is a byte that characters outside the alphabet become."""
        return token in self._fallback_bytes

    def ends_word(self, token: int) -> bool:
        """Tell whether the token ends with the end-of-word marker. Raises IndexError, as `step`."""
        passed = []
        while (ends := self._ends_word.get(token)) is None:
            passed.append(token)
            parents = self.parents(token)
            assert parents is not None, "all tokens from the start are known"
            token = parents[1]
        self._ends_word.update(dict.fromkeys(passed, ends))
        return ends

    def _spelled(self, token: int, known: Mapping[int, str] | Mapping[int, bytes]) -> bytearray:
        """Return a token put together from what it was merged from, in UTF-8 if texts are known.

        Only what is asked for is spelled out: a training makes tokens faster than anyone
        can look at them. What occurs in it again is copied from where it is already, so that
        a token takes as long as there are different ones in it. Any thread may ask; what two
        find out at once is the same.
        """
        spelled = bytearray()
        places: dict[int, tuple[int, int]] = {}
        waiting = [(token, _NOT_BEGUN)]
        while waiting:
            part, begin = waiting.pop()
            if begin != _NOT_BEGUN:
                places[part] = begin, len(spelled)
            elif part in places:
                first, last = places[part]
                spelled += spelled[first:last]
            elif part in known:
                piece = known[part]
                spelled += piece.encode("utf-8") if isinstance(piece, str) else piece
            else:
                parents = self.parents(part)
                assert parents is not None, "all tokens from the start are known"
                left, right = parents
                waiting += [(part, len(spelled)), (right, _NOT_BEGUN), (left, _NOT_BEGUN)]
        return spelled

    def _note_steps(self) -> None:
        """Take down which tokens the merges made that came since the last call."""
        if self._noted == self._length:
            return
        with self._lock:
            length = self._length
            made = self._columns.new_id[self._noted : length]
            known = max(self._known, int(made.max(initial=-1)) + 1)
            if known > len(self._steps):
                steps = np.full(2 * known, -1, np.int32)
                steps[: self._known] = self._steps[: self._known]
                self._steps = steps
            self._steps[made] = np.arange(self._noted, length, dtype=np.int32)
            self._known = known
            self._noted = length


def _inherited_ids(recipe: Recipe, base: BaseVocabulary) -> tuple[NDArray[np.int32], int]:
    """Return the ids that an encoding has for the tokens of a run that goes on from it, and the
    next one. Symbols that it does not have get the first new ones.
    """
    inherited = recipe.inherited
    assert inherited is not None
    former = BaseVocabulary.of(recipe, inherited.symbols)
    ids = inherited.ids
    known = dict(zip(former.texts, ids.tolist(), strict=False))
    next_id = inherited.first_new_id
    own = []
    for text in base.texts:
        if text not in known:
            known[text] = next_id
            next_id += 1
        own.append(known[text])
    return np.append(np.array(own, np.int32), ids[len(former) :]).astype(np.int32), next_id


def inherited_merges(recipe: Recipe, base: BaseVocabulary) -> NDArray[np.int32]:
    """Return the merges that a run begins with, rows of (left, right, merged) in its own ids."""
    inherited = recipe.inherited
    if inherited is None:
        return np.empty((0, 3), np.int32)
    former = BaseVocabulary.of(recipe, inherited.symbols)
    if former.texts == base.texts:
        return inherited.merges
    place = {text: token for token, text in enumerate(base.texts)}
    numbers = np.arange(inherited.vocabulary_size) + (len(base) - len(former))
    numbers[: len(former)] = [place[text] for text in former.texts]
    return numbers[inherited.merges].astype(np.int32)


def _is_marked(symbol: str, recipe: Recipe) -> bool:
    """Tell whether a symbol of the alphabet is or ends with the end-of-word marker."""
    if recipe.end_of_word is EndOfWord.OWN:
        return symbol == END_OF_WORD
    return recipe.end_of_word is EndOfWord.JOINED and len(symbol) > 1
