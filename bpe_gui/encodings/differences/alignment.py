"""Several encodings of one text, aligned by byte, and where they differ.

A *lane* is one of the encodings with its tokens. A *border* of a lane is a byte offset at which
one of its tokens begins or ends and which no token crosses; the beginning and the end of the text
are borders of every lane. A *segment* lies between two consecutive borders that all lanes share,
and is a *difference* unless all lanes agree there.

Lanes agree if they have the same borders, equally many tokens, the same token bytes (normalization
may change them), cover the same text, and either all or none have special tokens, and unknown
ones. An empty token, such as a marker of the end of a word, belongs to the text before it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from bpe_gui.bpe.history import NO_TOKEN
from bpe_gui.bpe.normalize import WHITE_SPACE
from bpe_gui.bpe.recipe import END_OF_WORD
from bpe_gui.bpe.tokenizer import Tokens
from bpe_gui.bpe.utf8 import characters_of_bytes
from bpe_gui.encodings.base import (
    Encoding,
    continued,
    finds_added_tokens,
    marks_ends_of_words,
    normalizes_parts,
)


class Cut(Struct, frozen=True, eq=False, dict=True, weakref=True):
    """Hold one encoding's tokens of a text, as columns with one entry per token, in text order.

    contents: the bytes of all tokens, concatenated; lengths: the bytes of each, 0 if it is unknown.
    special: whether a token is special and the text spells it out.
    added: whether it is not special, but found before the text is split, too.
    unknown: whether a token stands for text that the vocabulary has no token for. The vocabulary's
        unknown token does not count where the text spells it out.
    closes: whether a token ends with a marker of the end of a word.
    known_words: where words begin, if that is known already.
    """

    encoding: Encoding
    text: str
    specials_as_text: bool
    tokens: Tokens
    contents: NDArray[np.uint8]
    lengths: NDArray[np.int64]
    special: NDArray[np.bool_]
    added: NDArray[np.bool_]
    unknown: NDArray[np.bool_]
    closes: NDArray[np.bool_]
    known_words: NDArray[np.int64] | None = None

    def __len__(self) -> int:
        return len(self.tokens)

    @cached_property
    def offsets(self) -> NDArray[np.int64]:
        """List where the bytes of every token begin in `contents`, and where the last one ends."""
        return np.append(0, np.cumsum(self.lengths))

    @cached_property
    def special_places(self) -> NDArray[np.int64]:
        """List the indexes of the special and the added tokens, ascending."""
        return np.flatnonzero(self.special | self.added)

    def content(self, place: int, end: int | None = None) -> bytes:
        """Return the bytes of a token, or of those up to another one, by their indexes."""
        after = place + 1 if end is None else end
        return self.contents[self.offsets[place] : self.offsets[after]].tobytes()

    @property
    def unknown_tokens(self) -> dict[int, bytes]:
        """Map the unknown tokens, except NO_TOKEN, to their bytes, for `analysis.metrics`."""
        found = np.unique(self.tokens.ids[self.unknown]).tolist()
        return {token: self.encoding.token_bytes(token) for token in found if token != NO_TOKEN}

    @cached_property
    def normalized_parts(self) -> NDArray[np.int64]:
        """List where parts of the text that are normalized by themselves begin and end, as
        characters: what is between special and added tokens, if these are found before.
        """
        encoding, end = self.encoding, len(self.text)
        if not normalizes_parts(encoding) or not len(self.special_places):
            return np.array([[0, end]], np.int64)
        tokens = self.tokens
        places = [
            place for place in self.special_places.tolist()
            if not encoding.is_found_normalized(int(tokens.ids[place]))
        ]  # fmt: skip
        begins = np.append(0, tokens.char_ends[places])
        return np.stack([begins, np.append(tokens.char_starts[places], end)], axis=1)

    @cached_property
    def special_spans(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """List where the special and the added tokens begin and end, ascending."""
        return self.tokens.starts[self.special_places], self.tokens.ends[self.special_places]

    def within(self, start: int, end: int) -> NDArray[np.int64]:
        """Find the tokens between two borders, given as byte offsets; returns their indexes."""
        places = self.range_within(start, end)
        return np.arange(places.start, places.stop)

    def range_within(self, start: int, end: int) -> range:
        """Do as `within`."""
        starts, ends = self.tokens.starts, self.tokens.ends
        # An empty token belongs to the text before it.
        before = ends.searchsorted(start, "right") if start > 0 else 0
        first = max(int(starts.searchsorted(start)), int(before))
        return range(first, max(int(ends.searchsorted(end, "right")), first))

    def fallback_bytes(self, place: int) -> range:
        """Find the tokens, as indexes, of the bytes of the character that a token is a byte of.

        The range is empty if the token is no fallback byte, or if the text spells it: "<0xE2>".
        """
        if not self._is_fallback(place):
            return range(0)
        first, end = place, place + 1
        while self._continues(first) and self._is_fallback(first - 1):
            first -= 1
        while self._continues(end) and self._is_fallback(end):
            end += 1
        return range(first, end)

    def _is_fallback(self, place: int) -> bool:
        token = int(self.tokens.ids[place])
        if place < 0 or not self.encoding.is_fallback_byte(token):
            return False
        start, end = int(self.tokens.char_starts[place]), int(self.tokens.char_ends[place])
        return self.text[start:end] != self.encoding.id_to_token(token)

    def _continues(self, place: int) -> bool:
        """Tell whether a token begins with a byte within a character."""
        begin = self.offsets[place : place + 1]
        return 0 < place < len(self) and bool((self.contents[begin] & 0xC0 == 0x80).all())

    @cached_property
    def words(self) -> NDArray[np.int64] | None:
        """Find where pre-tokenization begins a word; see `Encoding.words`."""
        if self.known_words is not None:
            return self.known_words
        return self.encoding.words(self.text, specials_as_text=self.specials_as_text)

_COLUMNS = ("ids", "starts", "ends", "char_starts", "char_ends")

_AROUND = 100
"""Characters before and behind a place that are looked at to tell whether a word begins there."""


class CachedEncoder:
    """Tokenize texts with one encoding, and cache what it tells about every token."""

    def __init__(self, encoding: Encoding) -> None:
        self.encoding = encoding
        unknown = _Facts(b"", special=False, added=False, unknown=True, closes=False)
        self._known = {NO_TOKEN: unknown}

    def encode(self, text: str, *, specials_as_text: bool = False) -> Cut:
        """Tokenize a text. Raises UnicodeEncodeError for lone surrogates."""
        tokens = self.encoding.encode(text, specials_as_text=specials_as_text)
        return self._cut(text, tokens, specials_as_text)

    def encode_pieces(
        self, pieces: Iterable[str], *, specials_as_text: bool = False, find_words: bool = True
    ) -> Cut:
        """Tokenize a text that comes in pieces, as `measure.pieces` makes them.

        find_words: whether its words are found at once, not when they are asked for.

        A library takes 100 to 240 times the memory of what it tokenizes at once.
        """
        texts: list[str] = []
        found: list[Tokens] = []
        words: list[NDArray[np.int64]] = []
        size = characters = 0
        for text in pieces:
            encoding = continued(self.encoding) if texts else self.encoding
            tokens = encoding.encode(text, specials_as_text=specials_as_text)
            places = tokens.starts + size, tokens.ends + size
            of_characters = tokens.char_starts + characters, tokens.char_ends + characters
            found.append(Tokens(tokens.ids, *places, *of_characters))
            begins = None
            if find_words:
                begins = encoding.words(text, specials_as_text=specials_as_text)
            if begins is not None:
                if texts and not self._begins_word(texts[-1], text, specials_as_text):
                    begins = begins[begins > 0]
                words.append(begins + size)
            texts.append(text)
            size += len(text.encode("utf-8"))
            characters += len(text)
        if not texts:
            return self.encode("", specials_as_text=specials_as_text)
        columns = (np.concatenate([getattr(one, name) for one in found]) for name in _COLUMNS)
        known = np.concatenate(words) if words else None
        return self._cut("".join(texts), Tokens(*columns), specials_as_text, known)

    def _begins_word(self, before: str, behind: str, specials_as_text: bool) -> bool:
        """Tell whether a word begins between two pieces of a text: some encodings do not split."""
        before, behind = before[-_AROUND:], behind[:_AROUND]
        begins = self.encoding.words(before + behind, specials_as_text=specials_as_text)
        return begins is not None and len(before.encode("utf-8")) in begins

    def _cut(
        self,
        text: str,
        tokens: Tokens,
        specials_as_text: bool,
        known_words: NDArray[np.int64] | None = None,
    ) -> Cut:
        kinds, kind = np.unique(tokens.ids, return_inverse=True)
        facts = [self._facts(token) for token in kinds.tolist()]
        is_special = np.array([fact.special for fact in facts], np.bool_)[kind]
        is_added = np.array([fact.added for fact in facts], np.bool_)[kind]
        is_unknown = np.array([fact.unknown for fact in facts], np.bool_)[kind]
        spelled = np.zeros(len(tokens), np.bool_)
        data = text.encode("utf-8")
        for place in np.flatnonzero(is_special | is_added | is_unknown).tolist():
            written = data[tokens.starts[place] : tokens.ends[place]]
            fact = facts[kind[place]]
            # Some of these tokens take the white space beside them.
            forms = written, _stripped(written)
            spelled[place] = bool(fact.content) and (
                (fact.content in written and _stripped(fact.content) == forms[1])
                or self._spells_normalized(int(kinds[kind[place]]), forms)
            )
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
            added=is_added & spelled,
            unknown=unknown,
            closes=np.array([fact.closes for fact in facts], np.bool_)[kind],
            known_words=known_words,
        )

    def _spells_normalized(self, token: int, forms: Iterable[bytes]) -> bool:
        """Tell whether one of some texts becomes a special or added token when it is normalized.
        """
        encoding, facts = self.encoding, self._facts(token)
        if not (facts.special or facts.added):
            return False
        special = encoding.id_to_token(token)
        if not normalizes_parts(encoding) or not encoding.is_found_normalized(token):
            return False
        wanted = encoding.normalized_part(special)
        made = [encoding.normalized_part(form.decode("utf-8", "replace")) for form in forms]
        return any(wanted in form and form.strip() == wanted.strip() for form in made)

    def _facts(self, token: int) -> _Facts:
        facts = self._known.get(token)
        if facts is None:
            encoding = self.encoding
            content = encoding.token_bytes(token)
            facts = self._known[token] = _Facts(
                content,
                special=encoding.is_special(token),
                added=finds_added_tokens(encoding) and encoding.is_added(token),
                unknown=encoding.is_unknown(token),
                closes=marks_ends_of_words(encoding)
                and _ends_with_marker(content, encoding.marked_token_bytes(token)),
            )
        return facts


def _stripped(written: bytes) -> bytes:
    """Return UTF-8 without the white space at its ends."""
    return written.decode("utf-8", "surrogateescape").strip(WHITE_SPACE).encode(
        "utf-8", "surrogateescape"
    )


def _ends_with_marker(content: bytes, marked: bytes) -> bool:
    """Tell whether a token's marker follows its bytes; one before them continues a word.

    >>> _ends_with_marker(b"low", b"low</w>"), _ends_with_marker(b"est", b"##est")
    (True, False)
    >>> _ends_with_marker(b">", b"></w>")
    True
    """
    if marked == content + END_OF_WORD.encode():
        return True
    return len(marked) > len(content) and marked.startswith(content) and not (
        content and marked.endswith(content)
    )


class _Facts(Struct, frozen=True):
    """Hold what an encoding tells about one of its tokens."""

    content: bytes
    special: bool
    added: bool
    unknown: bool
    closes: bool


class Alignment(Struct, frozen=True, eq=False, dict=True):
    """Hold the lanes of one text and their differences. `align` makes it.

    data: the text's UTF-8.
    borders: shape (lanes, bytes + 1): whether a lane has a border before a byte, or at the end.
    shared: the positions at which every lane has one, ascending, the ends of the text included.
    partial: those at which only some have one, ascending.
    starts, ends: the differences, in text order, half-open; each lies between two consecutive
        shared borders.
    """

    text: str
    data: bytes
    cuts: tuple[Cut, ...]
    borders: NDArray[np.bool_]
    shared: NDArray[np.int64]
    partial: NDArray[np.int64]
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]

    @cached_property
    def characters(self) -> NDArray[np.signedinteger]:
        """Tell the character of every byte, see `characters_of_bytes`."""
        return characters_of_bytes(self.data)

    @property
    def differences(self) -> int:
        """Count the differences."""
        return len(self.starts)

    def next_difference(self, position: int) -> int | None:
        """Find the first difference that begins after a byte offset (-1 finds the very first).

        Returns its index, or None.
        """
        found = int(np.searchsorted(self.starts, position, side="right"))
        return found if found < len(self.starts) else None

    def previous_difference(self, position: int) -> int | None:
        """Find the last difference that begins before a byte offset; its index, or None."""
        found = int(np.searchsorted(self.starts, position)) - 1
        return found if found >= 0 else None

    def difference_at(self, position: int) -> int | None:
        """Find the difference that contains the byte at an offset; its index, or None."""
        found = int(np.searchsorted(self.starts, position, side="right")) - 1
        return found if found >= 0 and position < self.ends[found] else None

    def agree(self, first: int, second: int, start: int, end: int) -> bool:
        """Tell whether two lanes agree between two offsets at which both have a border."""
        return self._key(first, start, end) == self._key(second, start, end)

    def groups(self, difference: int) -> tuple[tuple[int, ...], ...]:
        """Group the lanes that agree in a difference: largest group first, ties by lane number."""
        start, end = int(self.starts[difference]), int(self.ends[difference])
        groups: dict[object, list[int]] = {}
        for lane in range(len(self.cuts)):
            groups.setdefault(self._key(lane, start, end), []).append(lane)
        return tuple(sorted(map(tuple, groups.values()), key=lambda lanes: (-len(lanes), lanes)))

    def _key(self, lane: int, start: int, end: int) -> tuple[object, ...]:
        """Collect all that lanes are compared by between two of their borders."""
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
        """Mark the bytes that a lane's tokens cover between two of its borders."""
        covered = np.zeros(end - start, np.bool_)
        tokens = self.cuts[lane].tokens
        for place in self.cuts[lane].within(start, end).tolist():
            covered[tokens.starts[place] - start : tokens.ends[place] - start] = True
        return covered

    def content(self, lane: int, tokens: NDArray[np.int64]) -> bytes:
        """Concatenate the bytes of some of a lane's tokens, given by their indexes."""
        cut = self.cuts[lane]
        return b"".join(map(cut.content, tokens.tolist()))


def align(text: str, cuts: Sequence[Cut]) -> Alignment:
    """Align the tokens of several encodings of one text, in time linear in its length.

    Raises ValueError if `cuts` is empty, or if one of them is of another text.

    >>> from bpe_gui.bpe.history import BaseVocabulary, History
    >>> from bpe_gui.bpe.recipe import preset
    >>> from bpe_gui.encodings.ours import TrainedEncoding
    >>> base = BaseVocabulary.of(preset("raw"), "low")
    >>> run = TrainedEncoding(History.from_merges(preset("raw"), base, [(0, 1, 3)]))
    >>> cuts = [CachedEncoder(encoding).encode("low") for encoding in (run, run.at(0))]
    >>> found = align("low", cuts)
    >>> found.starts.tolist(), found.ends.tolist()
    ([0], [2])
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
    segment_of_byte = np.cumsum(is_shared)[:-1] - 1
    differs = np.zeros(len(shared) - 1, np.bool_)
    differs[segment_of_byte[partial]] = True
    if len(data):
        segments = [
            _Segments(cut, covering, segment_of_byte)
            for cut, covering in zip(cuts, coverings, strict=True)
        ]
        for other in segments[1:]:
            differs |= segments[0].differ(other)
    found = np.flatnonzero(differs)
    return Alignment(
        text, data, tuple(cuts), borders, shared, partial, shared[found], shared[found + 1]
    )


class _Covering:
    """Find which bytes the tokens of a lane cover, and where its borders are."""

    def __init__(self, tokens: Tokens, size: int) -> None:
        has_width = tokens.ends > tokens.starts
        starts, ends = tokens.starts[has_width], tokens.ends[has_width]
        begun = np.bincount(starts, minlength=size + 1)
        ended = np.bincount(ends, minlength=size + 1)
        depth = np.cumsum(begun - ended)
        # Tokens that are open before an offset and do not end there cross it.
        crossing = np.append(0, depth[:-1]) - ended
        self.covered = depth[:-1] > 0
        self.borders = ((begun > 0) | (ended > 0)) & (crossing == 0)
        self.borders[[0, -1]] = True


class _Segments:
    """Hold a lane's tokens between shared borders, as columns with one entry per segment."""

    def __init__(self, cut: Cut, covering: _Covering, segment_of_byte: NDArray[np.int64]) -> None:
        count = int(segment_of_byte[-1]) + 1
        tokens = cut.tokens
        is_empty = tokens.ends == tokens.starts
        segment = segment_of_byte[np.maximum(tokens.starts - is_empty, 0)]
        self.counts = (
            np.bincount(segment, minlength=count),
            np.bincount(segment[cut.special], minlength=count) > 0,
            np.bincount(segment[cut.unknown], minlength=count) > 0,
            np.bincount(segment_of_byte[covering.covered], minlength=count),
            # Exact: sums of lengths are far below 2**53.
            np.bincount(segment, weights=cut.lengths, minlength=count),
        )
        self.contents = cut.contents
        self.segment_of_content = np.repeat(segment, cut.lengths)

    def differ(self, other: _Segments) -> NDArray[np.bool_]:
        """Mark the segments in which two lanes disagree in anything but borders."""
        differs = np.zeros(len(self.counts[0]), np.bool_)
        for mine, theirs in zip(self.counts, other.counts, strict=True):
            differs |= mine != theirs
        alike = ~differs
        compared = alike[self.segment_of_content]
        mine = self.contents[compared]
        theirs = other.contents[alike[other.segment_of_content]]
        differs[self.segment_of_content[compared][mine != theirs]] = True
        return differs
