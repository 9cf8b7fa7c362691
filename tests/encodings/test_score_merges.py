"""Merges told by scores: they are those that SentencePiece does, wherever a piece stands."""

from __future__ import annotations

import struct
import tempfile
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from hypothesis import example, given, settings
from hypothesis import strategies as st

from bpe_gui.encodings.base import RankedMerge
from bpe_gui.encodings.differences.causes import MergeOrder, MissingMerge
from bpe_gui.encodings.formats import sentencepiece_models
from bpe_gui.encodings.formats.sentencepiece_models import PieceType, SentencePieceEncoding
from tests.encodings.differences.explained import all_causes

LETTERS = "abc"

Piece = tuple[str, float, PieceType]


def varint(number: int) -> bytes:
    parts = []
    while number >= 0x80:
        parts.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*parts, number])


def field(number: int, data: bytes) -> bytes:
    return varint(number << 3 | 2) + varint(len(data)) + data


def piece(text: str, score: float, kind: PieceType) -> bytes:
    return field(
        1, field(1, text.encode()) + b"\x15" + struct.pack("<f", score) + b"\x18" + varint(kind)
    )


def model(pieces: list[Piece], kind: int = 2) -> bytes:
    """A model that changes nothing of a text before it merges."""
    whole = [("<unk>", 0.0, PieceType.UNKNOWN), *pieces]
    trainer = b"\x18" + varint(kind) + varint(35 << 3) + b"\0"
    # Neither a space before the text, nor fewer spaces, nor other characters for them.
    normalizer = b"\x18\0\x20\0\x28\0"
    return b"".join(piece(*one) for one in whole) + field(2, trainer) + field(3, normalizer)


def encoding_of(pieces: list[Piece], name: str = "any", kind: int = 2) -> SentencePieceEncoding:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "any.model"
        path.write_bytes(model(pieces, kind))
        return sentencepiece_models.read(path, name=name)


def ordered(*merged: str) -> list[Piece]:
    """A model as it is trained: merges in their order, then single letters."""
    texts = [*merged, *sorted(set("".join(merged)))]
    return [(text, -float(rank), PieceType.NORMAL) for rank, text in enumerate(texts)]


@dataclass(frozen=True)
class Symbol:
    """Something that stood at a place, and what it was merged from."""

    text: str
    start: int
    parts: tuple[Symbol, Symbol] | None = None
    found_whole: bool = False


def merged_slowly(text: str, pieces: list[Piece]) -> list[Symbol]:
    """What is merged, by looking through all neighbours each time."""
    scores = {text: score for text, score, _ in pieces}
    whole = sorted((t for t, _, k in pieces if k is PieceType.USER_DEFINED), key=len, reverse=True)
    symbols: list[Symbol] = []
    place = 0
    while place < len(text):
        found = next((t for t in whole if text.startswith(t, place)), None)
        symbols.append(Symbol(found or text[place], place, None, found is not None))
        place += len(symbols[-1].text)
    while True:
        joined = [
            Symbol(one.text + other.text, one.start, (one, other))
            for one, other in pairwise(symbols)
            if not one.found_whole and not other.found_whole and one.text + other.text in scores
        ]
        if not joined:
            return symbols
        best = max(joined, key=lambda symbol: (scores[symbol.text], -symbol.start))
        assert best.parts is not None
        index = symbols.index(best.parts[0])
        symbols[index : index + 2] = [best]


def with_parts(symbol: Symbol) -> list[Symbol]:
    found = [symbol]
    for part in symbol.parts or ():
        found += with_parts(part)
    return found


def taken_apart(symbol: Symbol, kinds: dict[str, PieceType]) -> list[Symbol]:
    if kinds[symbol.text] is not PieceType.UNUSED or symbol.parts is None:
        return [symbol]
    return [part for half in symbol.parts for part in taken_apart(half, kinds)]


several = st.text(LETTERS, min_size=2, max_size=5)
words = st.text(LETTERS, max_size=14)


@st.composite
def piece_lists(draw: st.DrawFn) -> list[Piece]:
    """Any scores: equal ones, and parts with worse scores than what they become."""
    kinds = st.sampled_from(
        [PieceType.NORMAL] * 5 + [PieceType.UNUSED, PieceType.USER_DEFINED]
    )
    texts = draw(st.lists(several, max_size=14, unique=True))
    drawn = [(text, float(draw(st.integers(-6, 0))), draw(kinds)) for text in texts]
    return drawn + [(letter, -100.0, PieceType.NORMAL) for letter in LETTERS]


@given(pieces=piece_lists(), text=words, as_text=st.booleans())
def test_merges_are_those_that_made_the_librarys_pieces(
    pieces: list[Piece], text: str, as_text: bool
) -> None:
    encoding = encoding_of(pieces)
    kinds = {text: kind for text, _, kind in pieces}
    symbols = [
        part
        for symbol in merged_slowly(text, pieces)
        for part in taken_apart(symbol, kinds)
    ]
    ids = encoding.encode(text, specials_as_text=as_text).ids.tolist()
    assert [encoding.id_to_token(token) for token in ids] == [symbol.text for symbol in symbols]
    by_text = {encoding.id_to_token(token): token for token in range(encoding.vocabulary_size)}
    scores = {text: score for text, score, _ in pieces}
    told: dict[int, float] = {}
    for symbol in (part for whole in symbols for part in with_parts(whole)):
        merge = encoding.merge(by_text[symbol.text])
        texts = [symbol.text, *(part.text for part in symbol.parts or ())]
        if symbol.parts is None or any(kinds[one] is not PieceType.NORMAL for one in texts):
            assert merge is None
            continue
        assert merge is not None
        assert [encoding.id_to_token(part) for part in (merge.left, merge.right)] == texts[1:]
        told[merge.rank] = scores[symbol.text]
    assert [told[rank] for rank in sorted(told)] == sorted(told.values(), reverse=True)


@given(pieces=piece_lists())
def test_what_no_merges_lead_to_has_none(pieces: list[Piece]) -> None:
    encoding = encoding_of(pieces)
    for token, (text, _, kind) in enumerate(pieces, start=1):
        alone = merged_slowly(text, [(text, score, PieceType.NORMAL) for text, score, _ in pieces])
        if kind is not PieceType.NORMAL or len(alone) > 1 or len(text) == 1:
            assert encoding.merge(token) is None


def test_a_chain_of_merges() -> None:
    encoding = encoding_of(ordered("bc", "ab", "abc"))
    assert [encoding.merge(token) for token in range(1, 7)] == [
        RankedMerge(0, 5, 6), RankedMerge(1, 4, 5), RankedMerge(2, 4, 1), None, None, None,
    ]


def test_other_models_and_scores_that_are_no_numbers_have_no_merges() -> None:
    pieces = ordered("ab", "abc")
    assert encoding_of(pieces).merge(1) == RankedMerge(0, 3, 4)
    assert encoding_of(pieces, kind=1).merge(1) is None
    assert encoding_of(pieces, kind=4).merge(1) is None
    assert encoding_of([*pieces, ("bc", float("nan"), PieceType.NORMAL)]).merge(1) is None


# -- causes that speak of them ---------------------------------------------------------------


def test_a_merge_that_one_lacks_is_told_with_its_step() -> None:
    for first, second, expected in (
        (ordered("ab", "abc"), ordered("ab", "bc"), [(b"abc", 1)]),
        (ordered("bc", "abc"), ordered("ca", "bb"), [(b"bc", 0), (b"abc", 1)]),
    ):
        (found,) = all_causes("abc", encoding_of(first, "one"), encoding_of(second, "other"))
        assert isinstance(found, MissingMerge)
        assert [(made.content, made.rank) for made in found.missing] == expected


def test_the_order_of_merges_is_told() -> None:
    one, other = encoding_of(ordered("ab", "bc")), encoding_of(ordered("ca", "bc", "ab"))
    (found,) = all_causes("abc", one, other)
    assert isinstance(found, MergeOrder)
    assert (found.lane, found.done.content, found.wanted.content) == (1, b"bc", b"ab")


LETTER_PIECES = [(letter, -100.0, PieceType.NORMAL) for letter in LETTERS]


# One in seven has causes to check.
@settings(max_examples=7 * settings.default.max_examples)
@given(first=piece_lists(), second=piece_lists(), text=words)
@example(
    first=[("ca", 0.0, PieceType.NORMAL), *LETTER_PIECES],
    second=[
        *(("ac", -1.0, PieceType.NORMAL), ("ca", 0.0, PieceType.USER_DEFINED)), *LETTER_PIECES
    ],
    text="aca",
).via("ca is found before ac could be merged")
def test_what_is_claimed_of_merges_is_true(
    first: list[Piece], second: list[Piece], text: str
) -> None:
    lanes = [encoding_of(first, "one"), encoding_of(second, "other")]
    causes = [c for c in all_causes(text, *lanes) if isinstance(c, MissingMerge | MergeOrder)]
    for found in causes:
        mine, theirs = lanes[found.lane], lanes[found.other]
        pieces, read = (first, second)[found.lane], found.read and found.read.decode()
        start, end = (found.start, found.end) if read is None else (0, len(read))
        stood = [
            part.text
            for symbol in merged_slowly(read or text, pieces)
            for part in with_parts(symbol)
            if start <= part.start and part.start + len(part.text) <= end
        ]
        if isinstance(found, MissingMerge):
            assert {mine.id_to_token(made.token) for made in found.missing} <= {*stood}
            assert all(
                theirs.token_to_id(mine.token_bytes(made.token)) is None for made in found.missing
            )
        else:
            assert mine.id_to_token(found.done.token) in stood
            assert found.done.rank is not None
            assert found.wanted.rank is not None
            assert found.done.rank < found.wanted.rank
