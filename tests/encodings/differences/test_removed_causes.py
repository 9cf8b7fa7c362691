"""A difference is gone when its causes are: each is removed by building the encoding anew."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any
from unicodedata import normalize

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Regex, models, normalizers, pre_tokenizers
from tokenizers import Tokenizer as LibraryTokenizer

from bpe_gui.bpe.recipe import EndOfWord, Recipe, Symbols, preset
from bpe_gui.encodings.base import Encoding
from bpe_gui.encodings.differences.causes import (
    AddedSpace,
    ByteFallback,
    Cause,
    DroppedText,
    EndOfWordMarker,
    MergeOrder,
    MissingMerge,
    ModelKind,
    Normalization,
    SpecialToken,
    SplitBoundary,
    Unknown,
    sentence,
)
from bpe_gui.encodings.formats.huggingface import HuggingFaceEncoding
from tests.encodings.differences.explained import all_causes, run

Merges = list[tuple[str, str]]

BYTES = [f"<0x{byte:02X}>" for byte in range(256)]


def merging(
    merges: Merges, letters: str = "abcd ", tokens: tuple[str, ...] = (), **steps: Any
) -> HuggingFaceEncoding:
    """A tokenizer of the library that knows some letters and does these merges."""
    texts = dict.fromkeys([*letters, *(left + right for left, right in merges), *tokens])
    vocabulary = {text: number for number, text in enumerate(texts)}
    return library(models.BPE(vocabulary, merges, byte_fallback="<0x00>" in tokens), **steps)


def library(model: models.Model, **steps: Any) -> HuggingFaceEncoding:
    made = LibraryTokenizer(model)
    for step, value in steps.items():
        setattr(made, step, value)
    return HuggingFaceEncoding(made, "one")


def words(text: str, recipe: Recipe, **changes: object) -> Encoding:
    """A run that has learned the words of a text."""
    return run(recipe.with_changes(vocabulary_size=None, **changes), [(text, 3)])


@dataclass(frozen=True)
class Removal:
    """Two encodings that differ in a text for one cause, and the first without that."""

    kind: type[Cause]
    text: str
    one: Encoding
    other: Encoding
    mended: Encoding


RAW, GPT2 = preset("raw"), preset("gpt2")
AB = [("a", "b")]
BERT = Recipe(split="bert", symbols=Symbols.CHARACTERS, name="bert")

REMOVALS = [
    Removal(
        Unknown,
        "aß",
        words("a", RAW),
        words("aß", RAW, merges=0),
        words("a ß", RAW, merges=0),
    ),
    Removal(
        ByteFallback,
        "aם",
        merging([], tokens=(*BYTES,)),
        merging([], "abcd ם"),
        merging([], "abcd ם", tokens=(*BYTES,)),
    ),
    Removal(
        SpecialToken,
        "a<|x|>",
        words("a", GPT2, special_tokens=("<|x|>",)),
        words("a", GPT2),
        words("a", GPT2, special_tokens=("<|y|>",)),
    ),
    Removal(
        Normalization,
        "aB",
        words("ab Ab aB", RAW, merges=0, normalizers=("lowercase",)),
        words("ab Ab aB", RAW, merges=0),
        words("ab Ab aB", RAW, merges=0, normalizers=()),
    ),
    Removal(
        SplitBoundary,
        "ab",
        merging(AB, pre_tokenizer=pre_tokenizers.Split("a", "isolated")),
        merging(AB),
        merging(AB),
    ),
    Removal(
        ModelKind,
        "abc",
        library(models.WordPiece({"[UNK]": 0, "a": 1, "b": 2, "##bc": 3}, unk_token="[UNK]")),
        merging([*AB, ("ab", "c")]),
        merging([("a", "b"), ("ab", "c")]),
    ),
    Removal(
        MergeOrder,
        "abc",
        merging([("b", "c"), ("a", "b")]),
        merging([("a", "b"), ("b", "c")]),
        merging([("a", "b"), ("b", "c")]),
    ),
    Removal(MissingMerge, "ab", merging(AB), merging([]), merging([])),
    Removal(
        EndOfWordMarker,
        "ab",
        words("ab", RAW, split="whitespace", end_of_word=EndOfWord.OWN, merges=0),
        words("ab", RAW, split="whitespace", merges=0),
        words("ab", RAW, split="whitespace", end_of_word=EndOfWord.NONE, merges=0),
    ),
    Removal(
        DroppedText,
        "a b",
        words("a b", BERT, merges=0),
        words("a b", RAW, merges=0),
        words("a b", BERT, merges=0, split="none"),
    ),
    Removal(
        DroppedText,
        "a;;b",
        words("a;;b", RAW, merges=0, split="matches:[a-z]"),
        words("a;;b", RAW, merges=0),
        words("a;;b", RAW, merges=0, split="regex:[a-z]"),
    ),
    Removal(
        AddedSpace,
        "ab",
        merging([], normalizer=normalizers.Prepend(" ")),
        merging([]),
        merging([], normalizer=None),
    ),
]


@pytest.mark.parametrize("it", REMOVALS, ids=lambda it: it.kind.__name__)
def test_without_its_cause_the_difference_is_gone(it: Removal) -> None:
    found = all_causes(it.text, it.one, it.other)
    assert found
    assert {type(cause) for cause in found} == {it.kind}
    assert all_causes(it.text, it.mended, it.other) == []


def test_how_dropped_white_space_is_normalized_before_is_no_cause() -> None:
    """A line feed becomes a space, which is dropped as the line feed would be."""
    steps: dict[str, Any] = {"pre_tokenizer": pre_tokenizers.WhitespaceSplit()}
    drops = merging([], "ab\n ", normalizer=normalizers.Replace("\n", " "), **steps)
    kept = merging([], "ab\n ")
    for text in ("a\nb", "a\n b", "a\n\nb"):
        for lanes in ((drops, kept), (kept, drops)):
            assert {type(cause) for cause in all_causes(text, *lanes)} == {DroppedText}
        assert all_causes(text, drops, merging([], "ab\n ", **steps)) == []


@pytest.mark.parametrize("letters", ["abcd", "abcd\n"])
def test_a_byte_of_ascii_is_no_cause_beside_others(letters: str) -> None:
    """With a token for the line feed in place of its byte, nothing changes."""
    found = all_causes("a\n", merging([], letters, (*BYTES,)), merging([("a", "\n")], "a\n"))
    assert {type(cause) for cause in found} == {MissingMerge}


def test_one_cause_of_several_is_removed_and_the_others_stay() -> None:
    """A word in lower case, without the space before it, to which a merge is missing."""
    one: dict[str, Any] = {
        "normalizer": normalizers.Lowercase(),
        "pre_tokenizer": pre_tokenizers.WhitespaceSplit(),
    }
    other = merging([*AB, (" ", "ab"), ("A", "b"), (" ", "Ab")], "abA ")
    steps: list[tuple[str, set[type[Cause]]]] = [
        ("", {Normalization, MissingMerge, DroppedText}),
        ("normalizer", {MissingMerge, DroppedText}),
        ("pre_tokenizer", {MissingMerge}),
    ]
    for removed, kinds in steps:
        one[removed] = None
        steps_left = {step: value for step, value in one.items() if value is not None}
        found = all_causes("a Ab", merging([], "abA ", **steps_left), other)
        assert {type(cause) for cause in found} == kinds


LOW = [("l", "o"), ("lo", "w")]
WHOLE = {"[UNK]": 0, "low": 1, "uber": 2}
HAN = normalize("NFD", "한국")
OURS = words("low lower lowest Über", GPT2, merges=8)


def like_bert(*, normalizing: bool = True, vocabulary: dict[str, int] = WHOLE) -> Encoding:
    """Whole words, which may be normalized before."""
    steps: dict[str, Any] = {"pre_tokenizer": pre_tokenizers.WhitespaceSplit()}
    if normalizing:
        each = [normalizers.NFD(), normalizers.Lowercase(), normalizers.StripAccents()]
        steps["normalizer"] = normalizers.Sequence(each)
    return library(models.WordLevel(vocabulary, unk_token="[UNK]"), **steps)


def like_llama(merges: Merges, *, prepending: bool) -> Encoding:
    """Merges with the sign that is written for a space, and put in before the text."""
    each = [normalizers.Prepend("▁")] * prepending + [normalizers.Replace(" ", "▁")]
    normalizer = normalizers.Sequence(each)
    return merging(merges, "lowerÜb▁", tokens=(*BYTES,), normalizer=normalizer)


@dataclass(frozen=True)
class Steps:
    """Two encodings, the causes of how they differ in a text, and the first with one more of
    these removed at each step, with those that are left."""

    text: str
    other: Encoding
    steps: list[tuple[Encoding, set[type[Cause]]]]


STEPS = {
    "normalization and model": Steps(
        "Über",
        OURS,
        [
            (like_bert(), {Normalization, ModelKind}),
            (like_bert(normalizing=False, vocabulary={**WHOLE, "Über": 3}), {ModelKind}),
            (OURS, set()),
        ],
    ),
    "unknown, normalization and model": Steps(
        "한국",
        OURS,
        [
            (like_bert(), {Unknown, Normalization, ModelKind}),
            (like_bert(vocabulary={**WHOLE, HAN: 3}), {Normalization, ModelKind}),
            (like_bert(normalizing=False, vocabulary={**WHOLE, "한국": 3}), {ModelKind}),
            (OURS, set()),
        ],
    ),
    "added space, merge order and missing merge": Steps(
        "low",
        merging(LOW, "lowerÜb "),
        [
            (like_llama([("o", "w"), ("▁", "l"), ("▁l", "ow"), ("l", "o")], prepending=True),
             {MergeOrder, MissingMerge, AddedSpace}),
            (like_llama([("o", "w"), ("▁", "l"), ("▁l", "ow"), ("l", "o")], prepending=False),
             {MergeOrder, MissingMerge}),
            (like_llama([("l", "o"), ("o", "w"), ("▁", "l")], prepending=False), {MissingMerge}),
            (like_llama(LOW, prepending=False), set()),
        ],
    ),
    "unknown, normalization and missing merge": Steps(
        "aBß",
        merging([("a", "B"), ("aB", "ß")], "abBß"),
        [
            (merging([], "ab", normalizer=normalizers.Lowercase()),
             {Unknown, Normalization, MissingMerge}),
            (merging([], "abß", normalizer=normalizers.Lowercase()), {Normalization, MissingMerge}),
            (merging([], "abBß"), {MissingMerge}),
            (merging([("a", "B"), ("aB", "ß")], "abBß"), set()),
        ],
    ),
    "split and merge order": Steps(
        "abc",
        merging([("a", "b"), ("b", "c"), ("ab", "c")]),
        [
            (merging([("b", "c"), ("a", "b"), ("ab", "c")],
                     pre_tokenizer=pre_tokenizers.Split("c", "isolated")),
             {SplitBoundary, MergeOrder}),
            (merging([("b", "c"), ("a", "b"), ("ab", "c")]), {MergeOrder}),
            (merging([("a", "b"), ("b", "c"), ("ab", "c")]), set()),
        ],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", STEPS)
def test_without_all_its_causes_a_difference_is_gone(name: str) -> None:
    """One is removed after the other; those that are left were told from the beginning."""
    it = STEPS[name]
    for one, left in it.steps:
        assert {type(cause) for cause in all_causes(it.text, one, it.other)} == left


@st.composite
def merge_lists(draw: st.DrawFn) -> Merges:
    """Merges of letters and of what was merged before, in their order."""
    tokens, merges = [*"abc"], []
    for _ in range(draw(st.integers(1, 8))):
        left, right = draw(st.sampled_from(tokens)), draw(st.sampled_from(tokens))
        if left + right not in tokens:
            tokens.append(left + right)
            merges.append((left, right))
    return merges


@given(merges=merge_lists(), text=st.text("abc", max_size=20), data=st.data())
def test_with_all_missing_merges_put_in_no_difference_is_left(
    merges: Merges, text: str, data: st.DataObject
) -> None:
    """One lane lacks some of the merges of the other; each cause names some that are lacked."""
    lacked = set(data.draw(st.lists(st.sampled_from(merges))))
    made: set[str] = {"a", "b", "c"}
    fewer: Merges = []
    for left, right in merges:
        if (left, right) not in lacked and {left, right} <= made:
            fewer.append((left, right))
            made.add(left + right)
    whole = merging(merges)
    while found := all_causes(text, whole, merging(fewer)):
        assert {type(cause) for cause in found} <= {MissingMerge, MergeOrder}
        named = {
            token.content.decode()
            for cause in found
            if cause.lane == 0 and isinstance(cause, MissingMerge | MergeOrder)
            # What one does first may be what the other lacks.
            for token in (cause.missing if isinstance(cause, MissingMerge) else (cause.done,))
        }
        added = [m for m in merges if "".join(m) in named and m not in fewer]
        assert added, "each time some merges are named that are still missing"
        fewer = [m for m in merges if m in fewer or m in added]


@given(merges=merge_lists(), data=st.data())
def test_merges_in_another_order_differ_by_their_order_alone(
    merges: Merges, data: st.DataObject
) -> None:
    """Each cause names two merges that are in this order in its lane."""
    other = data.draw(st.permutations(merges))
    tokens = st.sampled_from(["a", "b", "c", *map("".join, merges)])
    text = "".join(data.draw(st.lists(tokens, max_size=5)))
    found = all_causes(text, merging(merges), merging(other))
    assert {type(cause) for cause in found} <= {MergeOrder}
    for cause in found:
        assert isinstance(cause, MergeOrder)
        assert cause.done.rank is not None
        assert cause.wanted.rank is not None
        order = (merges, other)[cause.lane]
        assert order[cause.done.rank] == tuple(part.decode() for part in cause.done.parts)
        done_in_turn = ranks_done(text[cause.start : cause.end], order)
        assert cause.done.rank in done_in_turn
        if cause.late is None:
            assert cause.done.rank < cause.wanted.rank
        else:
            assert cause.late.rank is not None
            assert cause.late.rank > cause.done.rank >= cause.wanted.rank
            assert cause.late.rank in done_in_turn[done_in_turn.index(cause.done.rank) :]


def ranks_done(text: str, merges: Merges) -> list[int]:
    """The ranks of the merges of a text in the order in which they are done."""
    tokens, ranks = list(text), []
    while found := [
        (merges.index(pair), place) for place, pair in enumerate(pairwise(tokens)) if pair in merges
    ]:
        rank, place = min(found)
        tokens[place : place + 2] = ["".join(merges[rank])]
        ranks.append(rank)
    return ranks


def test_a_token_that_is_made_too_late_for_an_earlier_merge_is_told() -> None:
    """Merges out of order: “pan” is the first, but “pa” is there only after “ny”."""
    in_order = merging([("p", "a"), ("pa", "n"), ("n", "y"), ("pan", "y")], "pany")
    late = merging([("pa", "n"), ("n", "y"), ("p", "a"), ("pan", "y")], "pany")
    (cause,) = all_causes("pany", in_order, late)
    assert sentence(cause, ["one", "two"]) == (
        "two merges “n” and “y” into “ny” at merge 2, before it merges “p” and “a” into “pa” at "
        "merge 3; so it cannot merge “pa” and “n” into “pan” at merge 1 and does not reach “pan” "
        "as one does."
    )


def test_what_the_same_merge_further_left_prevents_is_explained_by_the_other_lane() -> None:
    """In the first every “bb” is made from the left; in the second “bbb” is made before."""
    others: Merges = [("bb", "bb"), ("bbb", "bbb")]
    one = merging([("b", "b"), ("bb", "b"), *others])
    two = merging([("bb", "b"), ("b", "b"), *others])
    (cause,) = all_causes("bbbbbb", one, two)
    assert isinstance(cause, MergeOrder)
    assert (cause.lane, cause.done.content, cause.wanted.content) == (1, b"bbb", b"bb")


@given(
    merges=st.lists(merge_lists(), min_size=2, max_size=2),
    text=st.text("abcAB ", max_size=12),
    normalizer=st.sampled_from([normalizers.Lowercase(), normalizers.Prepend(" ")]),
)
def test_merges_that_differ_without_normalization_are_told(
    merges: list[Merges], text: str, normalizer: normalizers.Normalizer
) -> None:
    """Whatever is told of merges when it is removed was told before."""
    one, other = (merging(those, "abcAB ") for those in merges)
    before = all_causes(text, merging(merges[0], "abcAB ", normalizer=normalizer), other)
    assert _merges_told(all_causes(text, one, other)) <= _merges_told(before)


SPLITS = st.sampled_from(["a", "b", "ab", "[bc]", "c+"])


@given(merges=merge_lists(), text=st.text("abc", max_size=16), pattern=SPLITS)
def test_with_the_split_of_the_other_no_difference_is_left(
    merges: Merges, text: str, pattern: str
) -> None:
    """Where merges are alike, every difference has the split among its causes."""
    split = pre_tokenizers.Split(Regex(pattern), "isolated")
    one, other = merging(merges, pre_tokenizer=split), merging(merges)
    found = all_causes(text, one, other)
    splits = [cause for cause in found if isinstance(cause, SplitBoundary)]
    assert {(cause.start, cause.end) for cause in found} == {(s.start, s.end) for s in splits}
    begins = one.words(text)
    assert begins is not None
    for cause in splits:
        start = text.encode().index(b"".join(cause.parts), cause.start)
        assert start + len(cause.parts[0]) in begins.tolist()
    assert all_causes(text, merging(merges), other) == []


def _merges_told(causes: list[Cause]) -> set[tuple[type[Cause], frozenset[bytes]]]:
    told: set[tuple[type[Cause], frozenset[bytes]]] = set()
    for cause in causes:
        if isinstance(cause, MissingMerge):
            told |= {(MissingMerge, frozenset([made.content])) for made in cause.missing}
        elif isinstance(cause, MergeOrder):
            told.add((MergeOrder, frozenset((cause.done.content, cause.wanted.content))))
    return told
