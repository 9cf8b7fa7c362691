"""Several encodings over one text, aligned to the byte, and where they differ.

A border of a lane is a byte position at which one of its tokens begins or ends and which no
token reaches across; the beginning and the end of the text are borders of every lane. Between
two consecutive borders that all lanes share lies a stretch that each of them cuts in its own
way; where they do not all do the same, it is a difference.

What counts as the same: the same borders, as many tokens, the same bytes read (normalization
may change them), the same text covered, and special and unknown tokens in the same stretches.
An empty token, such as a marker of the end of a word, belongs to the text before it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from bpe_gui.bpe.history import NO_TOKEN
from bpe_gui.bpe.recipe import END_OF_WORD
from bpe_gui.bpe.tokenizer import Tokens
from bpe_gui.encodings.base import Encoding, MarksEndsOfWords


@dataclass(frozen=True, eq=False)
class Cut:
    """A text as one encoding cuts it. Columns with one entry a token, in the tokens' order.

    contents: the bytes that the tokens stand for, one after another; lengths: how many each,
        none for unknown ones.
    special: tokens that the text spells out and that were found as special.
    unknown: tokens that stand for text that the vocabulary has none for. What the vocabulary
        calls its unknown token is none where the text spells it out.
    closes: tokens that end with a marker of the end of a word.
    """

    encoding: Encoding
    text: str
    specials_as_text: bool
    tokens: Tokens
    contents: NDArray[np.uint8] = field(repr=False)
    lengths: NDArray[np.int64] = field(repr=False)
    special: NDArray[np.bool_] = field(repr=False)
    unknown: NDArray[np.bool_] = field(repr=False)
    closes: NDArray[np.bool_] = field(repr=False)

    def __len__(self) -> int:
        return len(self.tokens)

    @cached_property
    def offsets(self) -> NDArray[np.int64]:
        """Where the bytes of each token begin in `contents`, and the end of the last."""
        return np.append(0, np.cumsum(self.lengths))

    @property
    def unknown_tokens(self) -> dict[int, bytes]:
        """The unknown tokens among them, NO_TOKEN apart, as `bpe.metrics` wants them."""
        found = np.unique(self.tokens.ids[self.unknown]).tolist()
        return {token: self.encoding.token_bytes(token) for token in found if token != NO_TOKEN}

    def within(self, start: int, end: int) -> NDArray[np.int64]:
        """The indexes of the tokens between two borders, in their order."""
        starts, ends = self.tokens.starts, self.tokens.ends
        low = int(np.searchsorted(starts, start))
        high = int(np.searchsorted(ends, end, side="right"))
        places = np.arange(low, high)
        # An empty token belongs to the text before it.
        return places[(ends[low:high] > start) | (start == 0)]

    @cached_property
    def words(self) -> NDArray[np.int64] | None:
        """Where pre-tokenization begins a word; None where the encoding does not tell."""
        return self.encoding.words(self.text, specials_as_text=self.specials_as_text)


class CachedEncoder:
    """Cuts texts with one encoding, and keeps what it was told about the tokens."""

    def __init__(self, encoding: Encoding) -> None:
        self.encoding = encoding
        self._known = {NO_TOKEN: _Facts(b"", special=False, unknown=True, closes=False)}

    def cut(self, text: str, *, specials_as_text: bool = False) -> Cut:
        """Cut a text. Raises UnicodeEncodeError for lone surrogates."""
        tokens = self.encoding.encode(text, specials_as_text=specials_as_text)
        kinds, kind = np.unique(tokens.ids, return_inverse=True)
        facts = [self._facts(token) for token in kinds.tolist()]
        is_special = np.array([fact.special for fact in facts], np.bool_)[kind]
        is_unknown = np.array([fact.unknown for fact in facts], np.bool_)[kind]
        spelled = np.zeros(len(tokens), np.bool_)
        data = text.encode("utf-8")
        for place in np.flatnonzero(is_special | is_unknown).tolist():
            written = data[tokens.starts[place] : tokens.ends[place]]
            spelled[place] = bool(written) and written == facts[kind[place]].content
        unknown = is_unknown & ~spelled
        contents = [fact.content for fact in facts]
        sizes = np.array([len(content) for content in contents], np.int64)
        lengths = np.where(unknown, 0, sizes[kind])
        row = np.frombuffer(b"".join(contents), np.uint8)
        shifts = (np.cumsum(sizes) - sizes)[kind] - (np.cumsum(lengths) - lengths)
        return Cut(
            self.encoding,
            text,
            specials_as_text,
            tokens,
            contents=row[np.repeat(shifts, lengths) + np.arange(int(lengths.sum()))],
            lengths=lengths,
            special=is_special & spelled & (not specials_as_text),
            unknown=unknown,
            closes=np.array([fact.closes for fact in facts], np.bool_)[kind],
        )

    def _facts(self, token: int) -> _Facts:
        facts = self._known.get(token)
        if facts is None:
            encoding = self.encoding
            content = encoding.token_bytes(token)
            facts = self._known[token] = _Facts(
                content,
                special=encoding.is_special(token),
                unknown=encoding.is_unknown(token),
                closes=isinstance(encoding, MarksEndsOfWords)
                and _is_marked_behind(content, encoding.marked_token_bytes(token)),
            )
        return facts


def _is_marked_behind(content: bytes, marked: bytes) -> bool:
    """Whether a marker stands behind a content; one that stands before it continues a word.

    >>> _is_marked_behind(b"low", b"low</w>"), _is_marked_behind(b"est", b"##est")
    (True, False)
    >>> _is_marked_behind(b">", b"></w>")
    True
    """
    if marked == content + END_OF_WORD.encode():
        return True
    return len(marked) > len(content) and marked.startswith(content) and not (
        content and marked.endswith(content)
    )


@dataclass(frozen=True, slots=True)
class _Facts:
    """What an encoding tells of one of its tokens."""

    content: bytes
    special: bool
    unknown: bool
    closes: bool


@dataclass(frozen=True, eq=False)
class Alignment:
    """Lanes over one text.

    data: the text's UTF-8.
    borders: shape (lanes, bytes + 1): whether a lane has a border before a byte, or at the end.
    shared: the positions at which every lane has one, ascending, the ends of the text included.
    partial: those at which only some have one, ascending.
    starts, ends: the differences, in text order, half-open; each lies between two consecutive
        shared borders.
    """

    text: str
    data: bytes = field(repr=False)
    cuts: tuple[Cut, ...]
    borders: NDArray[np.bool_]
    shared: NDArray[np.int64]
    partial: NDArray[np.int64]
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]

    @property
    def differences(self) -> int:
        """How many differences there are."""
        return len(self.starts)

    def next_difference(self, position: int) -> int | None:
        """The first difference that begins after a byte position; -1 finds the very first."""
        found = int(np.searchsorted(self.starts, position, side="right"))
        return found if found < len(self.starts) else None

    def previous_difference(self, position: int) -> int | None:
        """The last difference that begins before a byte position."""
        found = int(np.searchsorted(self.starts, position)) - 1
        return found if found >= 0 else None

    def difference_at(self, position: int) -> int | None:
        """The difference that the byte at a position belongs to."""
        found = int(np.searchsorted(self.starts, position, side="right")) - 1
        return found if found >= 0 and position < self.ends[found] else None

    def lanes_with_border(self, position: int) -> tuple[int, ...]:
        """Which lanes have a border at a position; IndexError outside the text."""
        if not 0 <= position <= len(self.data):
            raise IndexError(f"position {position} is outside 0..{len(self.data)}")
        return tuple(np.flatnonzero(self.borders[:, position]).tolist())

    def agree(self, first: int, second: int, start: int, end: int) -> bool:
        """Whether two lanes do the same between two positions at which both have a border."""
        return self._reading(first, start, end) == self._reading(second, start, end)

    def groups(self, difference: int) -> tuple[tuple[int, ...], ...]:
        """The lanes that agree in a difference, the largest group first, then by their lanes."""
        start, end = int(self.starts[difference]), int(self.ends[difference])
        groups: dict[object, list[int]] = {}
        for lane in range(len(self.cuts)):
            groups.setdefault(self._reading(lane, start, end), []).append(lane)
        return tuple(sorted(map(tuple, groups.values()), key=lambda lanes: (-len(lanes), lanes)))

    def differing_from(self, difference: int, lane: int) -> tuple[int, ...]:
        """Which of the other lanes a lane differs from in a difference."""
        own = next(group for group in self.groups(difference) if lane in group)
        return tuple(other for other in range(len(self.cuts)) if other not in own)

    def _reading(self, lane: int, start: int, end: int) -> tuple[object, ...]:
        """All by which lanes are told apart between two borders of them."""
        cut = self.cuts[lane]
        within = cut.within(start, end)
        return (
            self.borders[lane, start : end + 1].tobytes(),
            len(within),
            self.content(lane, within),
            self.covered(lane, start, end).tobytes(),
            bool(cut.special[within].any()),
            bool(cut.unknown[within].any()),
        )

    def covered(self, lane: int, start: int, end: int) -> NDArray[np.bool_]:
        """Which bytes between two borders of a lane its tokens cover."""
        covered = np.zeros(end - start, np.bool_)
        tokens = self.cuts[lane].tokens
        for place in self.cuts[lane].within(start, end).tolist():
            covered[tokens.starts[place] - start : tokens.ends[place] - start] = True
        return covered

    def content(self, lane: int, tokens: NDArray[np.int64]) -> bytes:
        """The bytes that some of a lane's tokens stand for, one after another."""
        cut = self.cuts[lane]
        spans = zip(cut.offsets[tokens].tolist(), cut.offsets[tokens + 1].tolist(), strict=True)
        return b"".join(cut.contents[start:end].tobytes() for start, end in spans)


def align(text: str, cuts: Sequence[Cut]) -> Alignment:
    """Align lanes over a text, in time linear in its length. There must be at least one.

    Raises ValueError if there is none, or if a lane has cut another text.
    """
    if not cuts:
        raise ValueError("there is no lane to align; give at least one")
    if any(cut.text != text for cut in cuts):
        raise ValueError("the lanes have not all cut the same text")
    data = text.encode("utf-8")
    coverings = [_Covering(cut.tokens, len(data)) for cut in cuts]
    borders = np.array([covering.borders for covering in coverings])
    is_shared = borders.all(axis=0)
    is_partial = borders.any(axis=0) & ~is_shared
    shared, partial = np.flatnonzero(is_shared), np.flatnonzero(is_partial)
    piece_of_byte = np.cumsum(is_shared)[:-1] - 1
    differs = np.zeros(len(shared) - 1, np.bool_)
    differs[piece_of_byte[partial]] = True
    if len(data):
        pieces = [
            _Pieces(cut, covering, piece_of_byte)
            for cut, covering in zip(cuts, coverings, strict=True)
        ]
        for other in pieces[1:]:
            differs |= pieces[0].differ(other)
    found = np.flatnonzero(differs)
    return Alignment(
        text, data, tuple(cuts), borders, shared, partial, shared[found], shared[found + 1]
    )


class _Covering:
    """Which bytes the tokens of a lane cover, and where its borders are."""

    def __init__(self, tokens: Tokens, size: int) -> None:
        has_width = tokens.ends > tokens.starts
        starts, ends = tokens.starts[has_width], tokens.ends[has_width]
        begun = np.bincount(starts, minlength=size + 1)
        ended = np.bincount(ends, minlength=size + 1)
        depth = np.cumsum(begun - ended)
        # What is open before a position less what ends there reaches across it.
        reaching = np.append(0, depth[:-1]) - ended
        self.covered = depth[:-1] > 0
        self.borders = ((begun > 0) | (ended > 0)) & (reaching == 0)
        self.borders[[0, -1]] = True


class _Pieces:
    """What a lane makes of the stretches between shared borders, as columns by stretch."""

    def __init__(self, cut: Cut, covering: _Covering, piece_of_byte: NDArray[np.int64]) -> None:
        count = int(piece_of_byte[-1]) + 1
        tokens = cut.tokens
        is_empty = tokens.ends == tokens.starts
        piece = piece_of_byte[np.maximum(tokens.starts - is_empty, 0)]
        self.counts = (
            np.bincount(piece, minlength=count),
            np.bincount(piece[cut.special], minlength=count) > 0,
            np.bincount(piece[cut.unknown], minlength=count) > 0,
            np.bincount(piece_of_byte[covering.covered], minlength=count),
            # Exact: sums of lengths are far below 2**53.
            np.bincount(piece, weights=cut.lengths, minlength=count),
        )
        self.contents = cut.contents
        self.piece_of_content = np.repeat(piece, cut.lengths)

    def differ(self, other: _Pieces) -> NDArray[np.bool_]:
        """In which stretches something but the borders is not the same."""
        differs = np.zeros(len(self.counts[0]), np.bool_)
        for mine, theirs in zip(self.counts, other.counts, strict=True):
            differs |= mine != theirs
        alike = ~differs
        compared = alike[self.piece_of_content]
        mine = self.contents[compared]
        theirs = other.contents[alike[other.piece_of_content]]
        differs[self.piece_of_content[compared][mine != theirs]] = True
        return differs
