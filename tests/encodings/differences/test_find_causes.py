"""Differences of two encodings: which causes are found, and for which lanes they hold."""

from __future__ import annotations

import tracemalloc
import unicodedata
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from tokenizers import AddedToken, Regex, models, normalizers, pre_tokenizers
from tokenizers import Tokenizer as LibraryTokenizer
from tokenizers.pre_tokenizers import ByteLevel

from bpe_gui.bpe.history import History
from bpe_gui.bpe.recipe import Prepend, Recipe, Replace, Symbols, preset
from bpe_gui.bpe.tokenizer import Tokens
from bpe_gui.encodings.base import Encoding, Model, RankedMerge
from bpe_gui.encodings.differences.alignment import align
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
    NotKnown,
    SpecialToken,
    SplitBoundary,
    Unknown,
    sentence,
)
from bpe_gui.encodings.differences.find_causes import by_weight, causes, groups, lane_names
from bpe_gui.encodings.formats import sentencepiece_models
from bpe_gui.encodings.formats.huggingface import HuggingFaceEncoding
from bpe_gui.encodings.formats.sentencepiece_models import PieceType
from bpe_gui.encodings.ours import TrainedEncoding
from tests.bpe.test_trainer import FOUR_WORDS, corpora, texts
from tests.encodings.differences.explained import all_causes, kinds, over, run, why
from tests.encodings.differences.test_alignment import some_lanes
from tests.encodings.test_added_tokens import library as added_library

GPT2 = preset("gpt2").with_changes(vocabulary_size=None, merges=60, name="words")


def only(text: str, first: Encoding, second: Encoding) -> tuple[type, dict[str, object]]:
    """The only cause of the only difference: its kind, and its fields but for the place."""
    ((found,),) = why(text, first, second)
    own = found.__struct_fields__[len(Cause.__struct_fields__) :]
    return type(found), {name: getattr(found, name) for name in own}


def test_two_positions_of_a_run() -> None:
    whole = run(GPT2, [("he", 9), ("the", 5)])
    for before, contents in ((1, [b"the"]), (0, [b"he", b"the"])):
        (found,) = all_causes("the", whole.at(before), whole.at(2))
        assert isinstance(found, MissingMerge)
        assert [made.content for made in found.missing] == contents
        assert found.other_position == before
        assert [fact.rank for fact in found.facts] == [made.rank for made in found.missing]


def test_a_merge_that_the_other_lacks() -> None:
    other = run(GPT2.with_changes(name="other"), [("xyz", 1)])
    (found,) = all_causes("the", run(GPT2, [("th th th the the", 1)]), other)
    assert isinstance(found, MissingMerge)
    assert (found.lane, found.other_position) == (0, None)
    assert next((m.content, m.rank, m.parts) for m in found.missing) == (b"th", 0, (b"t", b"h"))


def test_the_order_of_merges() -> None:
    first = run(GPT2, [("he", 9), ("th", 5), ("the", 1)])
    second = run(GPT2, [("th", 9), ("he", 5), ("the", 1)])
    (found,) = all_causes("the", first.at(2), second.at(2))
    assert isinstance(found, MergeOrder)
    assert (found.lane, found.goal) == (0, b"th")
    assert [(it.content, it.rank) for it in (found.done, found.wanted)] == [(b"he", 0), (b"th", 1)]


def test_a_merge_that_comes_first_on_the_right() -> None:
    recipe = preset("raw").with_changes(merges=2)
    first, second = (
        run(recipe, [("aa", counts[0]), ("ba", counts[1])]) for counts in ((9, 5), (5, 9))
    )
    (found,) = all_causes("baa", first, second)
    assert isinstance(found, MergeOrder)
    assert (found.lane, found.done.content, found.wanted.content) == (0, b"aa", b"ba")


def test_another_split_pattern() -> None:
    corpus = [("1234 1234", 5)]
    one = run(preset("gpt4").with_changes(vocabulary_size=None, name="threes"), corpus)
    split, lacked = all_causes("1234", one, run(GPT2, corpus))
    assert isinstance(split, SplitBoundary)
    assert split.parts == (b"123", b"4")
    # Never together in a word, the two were never merged.
    assert isinstance(lacked, MissingMerge)
    assert lacked.lane == 1


def test_dropped_white_space_and_markers() -> None:
    one = run(preset("whitespace"))
    found = kinds("a b", one, run(GPT2).at(0))
    assert found == [[EndOfWordMarker], [DroppedText], [EndOfWordMarker]]


def test_what_is_dropped_where_the_text_is_split_is_no_boundary() -> None:
    """A space before a word in one token, and no space at all."""
    bert = library(models.WordPiece({"[UNK]": 0, "low": 1}, unk_token="[UNK]"), "bert")
    assert kinds("low low", bert, run(GPT2, [("low low low", 9)])) == [[DroppedText]]


def library(
    model: models.Model, name: str, special: str = "", **steps: object
) -> HuggingFaceEncoding:
    """A tokenizer of the library that splits at white space, or by other steps."""
    made = LibraryTokenizer(model)
    made.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    for step, value in steps.items():
        setattr(made, step, value)
    if special:
        made.add_special_tokens([special])
    return HuggingFaceEncoding(made, name)


def like_bert() -> HuggingFaceEncoding:
    vocabulary = {"[UNK]": 0, "x": 1, "ub": 2, "##er": 3, "你": 4}
    model = models.WordPiece(vocabulary, unk_token="[UNK]")
    normalizer = normalizers.BertNormalizer(lowercase=True)
    return library(
        model, "bert", normalizer=normalizer, pre_tokenizer=pre_tokenizers.BertPreTokenizer()
    )


def like_llama(*steps: normalizers.Normalizer, special: str = "") -> HuggingFaceEncoding:
    """Characters, and bytes for those that it does not have; spaces are written as signs."""
    fallback = [f"<0x{byte:02X}>" for byte in range(256)]
    tokens = {token: number for number, token in enumerate(["<unk>", *fallback, *"▁xÜberlow"])}
    model = models.BPE(tokens, [], unk_token="<unk>", byte_fallback=True, fuse_unk=True)
    return library(
        model,
        "llama",
        normalizer=normalizers.Sequence(
            [*steps, normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")]
        ),
        pre_tokenizer=None,
        special=special,
    )


def test_all_causes_are_found_and_the_severest_is_first() -> None:
    words = run(GPT2, [(" Über 한국어 你好", 9)])
    found = why("x Über 한국어", words, like_bert())
    assert [[type(cause) for cause in those] for those in found] == [
        [Normalization, ModelKind, DroppedText],
        [Unknown, Normalization, DroppedText],
    ]
    changed = found[0][0]
    assert isinstance(changed, Normalization)
    assert (changed.source, changed.made) == ("Ü".encode(), b"u")


def test_bytes_of_a_normalized_character_are_no_cause_by_themselves() -> None:
    steps = {"normalizer": normalizers.BertNormalizer(lowercase=True)}
    bert = library(models.WordPiece({"[UNK]": 0, "u": 1}, unk_token="[UNK]"), "bert", **steps)
    (found,) = why("Ü", run(GPT2, [("low", 9)]), bert)
    assert [type(cause) for cause in found] == [Normalization]


def test_text_without_a_token_that_is_spelled_by_its_bytes() -> None:
    words = run(GPT2, [("مر مر", 9)])
    found = [it for it in all_causes("low مر", words, like_llama()) if it.lane == 1]
    fallback = [it for it in found if isinstance(it, ByteFallback)]
    assert b"".join(it.text for it in fallback) == "مر".encode()
    tokens = [token for it in fallback for token in it.tokens]
    texts = [like_llama().id_to_token(token) for token in tokens]
    assert texts == ["<0xD9>", "<0x85>", "<0xD8>", "<0xB1>"]
    assert not [it for it in found if isinstance(it, Normalization | Unknown)]


def test_bytes_that_are_tokens_of_both_belong_to_the_character_too() -> None:
    """The last byte is a token in both; it is the character that one lacks."""
    words = run(GPT2, [("한", 9)]).at(1)
    found = all_causes("한", words, like_llama())
    assert [it.text for it in found if isinstance(it, ByteFallback)] == ["한".encode()]


@pytest.mark.parametrize("text", ["½", "①½", "x㍿", unicodedata.normalize("NFD", "x한국 é")])
def test_bytes_spell_the_text_that_normalization_has_made(text: str) -> None:
    words, normalizing = run(GPT2, [(text, 9)]), like_llama(normalizers.NFKC())
    found = [it for it in all_causes(text, words, normalizing) if isinstance(it, ByteFallback)]
    made = unicodedata.normalize("NFKC", text).replace("x", "").replace(" ", "")
    assert b"".join(it.text for it in found).decode() == made
    for cause in found:
        assert b"".join(map(normalizing.token_bytes, cause.tokens)) == cause.text


def test_bytes_are_no_cause_where_the_other_has_bytes_or_a_special_token() -> None:
    text = "x<s> ½"
    plain = like_llama()
    assert kinds(text, plain, like_llama(special="<s>")) == [[SpecialToken, AddedSpace]]
    assert kinds(text, plain, like_llama(normalizers.NFKC())) == [[Normalization]]
    twice = run(GPT2, [("éééé", 9)])
    assert ByteFallback in [kind for those in kinds("xéé", plain, twice) for kind in those]


def test_a_space_that_is_added_is_no_part_of_another_change() -> None:
    words = run(GPT2, [("½ ﬁ", 9)])
    plain, normalizing = like_llama(), like_llama(normalizers.NFKC())
    found = [it for it in all_causes("½", words, normalizing) if isinstance(it, AddedSpace)]
    assert [it.after for it in found] == ["½".encode()]
    ((cause,),) = why("½", plain, normalizing)
    assert isinstance(cause, Normalization)
    assert (cause.source, cause.made) == ("½".encode(), "1\u20442".encode())
    assert "(U+00BD)" in sentence(cause, ["one", "other"])


def test_normalization() -> None:
    kept = run(preset("raw").with_changes(merges=0), [("é e\u0301", 5)])
    bare = run(preset("lines").with_changes(merges=0), [("é e\u0301", 5)])
    for text, source, made in (("é", "é", "e"), ("e\u0301", "\u0301", "")):
        kind, fields = only(text, kept, bare)
        assert (kind, fields["source"], fields["made"]) == (
            Normalization,
            source.encode(),
            made.encode(),
        )


PUT_IN = Recipe(normalizers=(Prepend("▁"),), split="none", symbols=Symbols.CHARACTERS, name="one")


def test_merges_with_what_is_put_in() -> None:
    """It stands nowhere in the text, where both have the same borders."""
    one = run(PUT_IN, [("a", 3)])
    other = run(PUT_IN.with_changes(name="other"), [("a", 3)]).at(0)
    other = TrainedEncoding(History(other.history.recipe, other.history.base, 1, 1))
    (found,) = all_causes("a", one, other)
    assert isinstance(found, MissingMerge)
    assert found.missing[0].parts == ("▁".encode(), b"a")
    apart = run(PUT_IN.with_changes(name="apart", split="regex:▁|a+"), [("a▁", 1)])
    assert kinds("a", one, apart) == [[MissingMerge]]
    knows = run(PUT_IN.with_changes(normalizers=(), split="regex:▁a|▁|a+"), [("▁a", 3)]).history
    splits = TrainedEncoding(
        History.of_columns(apart.history.recipe, knows.base, 1, knows.columns(2), None)
    )
    assert len(splits.history) == 1
    assert kinds("a", one, splits) == [[SplitBoundary]]


def test_what_is_put_in_and_unknown() -> None:
    one = run(PUT_IN, [("a", 3)])
    lacking = run(PUT_IN.with_changes(normalizers=(), name="lacking"), [("a", 3)]).history
    lacks = TrainedEncoding(History(PUT_IN.with_changes(name="lacking"), lacking.base, 1, 1))
    found, lacked = all_causes("a", one, lacks)
    assert isinstance(found, Unknown)
    assert (found.lane, found.tokens, found.others) == (1, 1, 0)
    assert isinstance(lacked, MissingMerge)


def test_what_is_put_in_may_be_joined_with_what_stands_after_it() -> None:
    """The border before it, which both have in the text, is none in what they read."""
    dashes = PUT_IN.with_changes(normalizers=(Replace("(?<=b)(?=a)", "-"),))
    one = run(dashes, [("ba", 3), ("-a", 9)]).at(1)
    other = run(dashes.with_changes(name="other", merges=0), [("ba", 1)])
    assert [one.history.id_to_token(token) for token in one.encode("ba").ids.tolist()] == [
        "b",
        "-a",
    ]
    assert kinds("ba", one, other) == [[MissingMerge], [MissingMerge]]


def test_a_space_that_is_added() -> None:
    one = run(preset("gpt2").with_changes(merges=0))
    alphabet = {token: index for index, token in enumerate(ByteLevel.alphabet())}
    adding = library(models.BPE(alphabet, []), "adding", pre_tokenizer=ByteLevel())
    kind, fields = only("low", one, adding)
    assert (kind, fields["text"], fields["after"]) == (AddedSpace, b" ", b"l")


def test_an_unknown_character() -> None:
    one = run(preset("raw").with_changes(merges=0))
    kind, fields = only("aß", one, run(GPT2).at(0))
    assert (kind, fields["text"], fields["anywhere"]) == (Unknown, "ß".encode(), True)


def test_a_character_that_one_does_not_know_and_the_other_writes_in_bytes() -> None:
    unknowing = library(models.BPE({"[UNK]": 0, "a": 1}, [], unk_token="[UNK]"), "unknowing")
    bytes_of = {f"<0x{byte:02X}>": byte + 2 for byte in range(256)}
    falling = models.BPE({"[UNK]": 0, "a": 1, **bytes_of}, [], byte_fallback=True)
    found = all_causes("a한", unknowing, library(falling, "falling"))
    assert [it.falls_back for it in found if isinstance(it, Unknown)] == [True]
    knowing = library(models.BPE({"a": 0, "한": 1}, []), "knowing")
    found = all_causes("a한", unknowing, knowing)
    assert [it.falls_back for it in found if isinstance(it, Unknown)] == [False]


def test_what_is_a_special_token_in_the_other_is_not_there_for_what_is_unknown() -> None:
    unknowing = library(models.BPE({"[UNK]": 0, "a": 1, "s": 2}, [], unk_token="[UNK]"), "one")
    special = run(GPT2.with_changes(special_tokens=("<s>",), name="special"))
    assert kinds("a<s>a", special, unknowing) == [[SpecialToken]]
    assert kinds("a<s>a", unknowing, special) == [[SpecialToken]]


def test_the_same_tokens_of_another_part_of_the_text_have_no_model_as_cause() -> None:
    """SentencePiece counts all of the spaces to a token, and the library the last one alone."""
    model = sentencepiece_models.from_pieces(
        ["<unk>", "▁", "a", "▁a"], [0.0, -2.0, -2.0, -1.0],
        [PieceType.UNKNOWN, *[PieceType.NORMAL] * 3],
        name="model", path="model", unigram=True, squeeze_spaces=True,
    )  # fmt: skip
    scored = [("<unk>", 0.0), ("▁", -2.0), ("a", -2.0), ("▁a", -1.0)]
    squeezes = normalizers.Replace(Regex(" {2,}"), " ")
    steps = {"normalizer": squeezes, "pre_tokenizer": pre_tokenizers.Metaspace()}
    file = library(models.Unigram(scored, 0), "file", **steps)
    assert file.encode("a  a").ids.tolist() == model.encode("a  a").ids.tolist() == [3, 3]
    (found,) = all_causes("a  a", model, file)
    assert isinstance(found, DroppedText)
    assert (found.lane, found.text, found.by_both) == (1, b" ", True)
    (found,) = all_causes(" a", model, file)
    assert isinstance(found, DroppedText)
    assert (found.lane, found.text, found.by_both) == (0, b" ", False)


def test_merges_of_equal_scores_lead_from_the_shorter_token_to_the_longer_one() -> None:
    """Llama 2 and Mistral give all runs of spaces one score."""
    spaces = ["▁" * size for size in (4, 2, 3, 1)]
    model = sentencepiece_models.from_pieces(
        ["<unk>", *spaces, "a"], [0.0, -9.0, -9.0, -9.0, -9.0, -9.0],
        [PieceType.UNKNOWN, *[PieceType.NORMAL] * 5],
        name="model", path="model", space_before=False,
    )  # fmt: skip
    plain = library(models.BPE({" ": 0, "a": 1}, []), "plain")
    found = [it for it in all_causes("a    a", model, plain) if isinstance(it, MissingMerge)]
    assert [[made.content for made in it.missing] for it in found] == [[b"  ", b"   ", b"    "]]


def test_spaces_that_one_squeezes_and_the_other_drops_are_not_kept_by_it() -> None:
    model = sentencepiece_models.from_pieces(
        ["<unk>", "▁", "a"], [0.0, -2.0, -2.0], [PieceType.UNKNOWN, *[PieceType.NORMAL] * 2],
        name="model", path="model", squeeze_spaces=True, space_before=False,
    )  # fmt: skip
    drops = library(models.BPE({"a": 0}, []), "drops")
    for first, second in ((drops, model), (model, drops)):
        (found,) = all_causes("a  a", first, second)
        assert isinstance(found, DroppedText)
        assert (found.text, found.by_normalization) == (b"  ", False)


def spaced_model(name: str, *, space_before: bool, squeeze_spaces: bool) -> Encoding:
    return sentencepiece_models.from_pieces(
        ["<unk>", "▁", "a"], [0.0, -2.0, -2.0], [PieceType.UNKNOWN, *[PieceType.NORMAL] * 2],
        name=name, path=name, space_before=space_before, squeeze_spaces=squeeze_spaces,
    )  # fmt: skip


@pytest.mark.parametrize("text", [" a", "  a"])
def test_a_space_that_one_adds_for_those_that_both_remove(text: str) -> None:
    adds = spaced_model("adds", space_before=True, squeeze_spaces=True)
    removes = spaced_model("removes", space_before=False, squeeze_spaces=True)
    for first, second in ((adds, removes), (removes, adds)):
        (found,) = all_causes(text, first, second)
        assert isinstance(found, AddedSpace)
        assert (found.lane, found.after) == (int(second is adds), b"a")


def test_white_space_that_one_removes_is_told_as_a_whole() -> None:
    removes = spaced_model("removes", space_before=False, squeeze_spaces=True)
    keeps = spaced_model("keeps", space_before=False, squeeze_spaces=False)
    for number, text in ((2, "  a"), (3, "   a")):
        (found,) = all_causes(text, removes, keeps)
        assert isinstance(found, DroppedText)
        assert (found.lane, found.text) == (0, b" " * number)


def test_a_literal_mark_of_a_space_that_one_removes() -> None:
    keeps = spaced_model("keeps", space_before=False, squeeze_spaces=False)
    strips = library(
        models.BPE({"▁": 0, "a": 1}, []), "strips",
        normalizer=normalizers.Replace(Regex("^[ ▁]+"), ""),
        pre_tokenizer=pre_tokenizers.Metaspace(),
    )  # fmt: skip
    (found,) = all_causes("▁a", keeps, strips)
    assert isinstance(found, DroppedText)
    assert (found.lane, found.text, found.by_normalization) == (1, "▁".encode(), True)


def test_what_the_other_changes_to_something_that_it_knows() -> None:
    unknowing = library(models.BPE({"[UNK]": 0, "a": 1}, [], unk_token="[UNK]"), "unknowing")
    lower = library(models.BPE({"a": 0, "k": 1}, []), "lower", normalizer=normalizers.Lowercase())
    cased = library(models.BPE({"a": 0, "K": 1}, []), "cased")
    for other, changed in ((lower, True), (cased, False)):
        found = all_causes("aK", unknowing, other)[0]
        assert isinstance(found, Unknown)
        assert found.changed is changed


def test_a_character_that_is_known_only_at_other_places() -> None:
    recipe = preset("char-bpe").with_changes(min_frequency=0, name="joined", merges=0)
    one, other = run(recipe, [("ab", 3)]), run(recipe.with_changes(name="other"), [("ab ba", 3)])
    for text in ("a", "ba"):
        found = all_causes(text, one, other)[0]
        assert isinstance(found, Unknown)
        assert not found.anywhere


def test_a_special_token() -> None:
    special = run(GPT2.with_changes(special_tokens=("<|end|>",), name="special"))
    plain = run(GPT2)
    found = over("a<|end|>b", special, plain, special, specials_as_text=[2])
    assert found.differences == 1
    for other, as_text in ((1, False), (2, True)):
        (cause,) = causes(found, 0, 0, other)
        assert isinstance(cause, SpecialToken)
        assert (cause.text, cause.as_text) == (b"<|end|>", as_text)
    assert lane_names(found) == ("special (lane 1)", "words", "special (lane 3)")
    assert [group.lanes for group in groups(found, 0, 2)] == [(1, 2), (0,)]
    own, others = groups(found, 0, 0)
    assert (own.lanes, own.reasons) == ((0,), ())
    assert [reason.lanes for reason in others.reasons] == [(1,), (2,)], "not for one reason"


@given(corpus=corpora, text=texts, data=st.data())
def test_each_lane_that_differs_from_the_reference_has_its_reasons(
    corpus: list[tuple[str, int]], text: str, data: st.DataObject
) -> None:
    found = align(text, some_lanes(data, corpus, text))
    for number in range(found.differences):
        for reference in range(len(found.cuts)):
            own, *others = groups(found, number, reference)
            assert reference in own.lanes
            assert own.reasons == ()
            for group in others:
                for lane in group.lanes:
                    told = {reason.causes[reason.lanes.index(lane)]
                            for reason in group.reasons if lane in reason.lanes}  # fmt: skip
                    expected = causes(found, number, reference, lane)
                    names = lane_names(found)
                    assert {sentence(it, names) for it in told} == {
                        sentence(it, names) for it in expected
                    }


def test_what_holds_for_several_lanes_is_told_once() -> None:
    whole, plain = run(GPT2), run(GPT2.with_changes(name="other"), [("xyz", 3)])
    _, others = groups(over("trained", whole, plain.at(0), plain), 0, 0)
    assert [reason.lanes for reason in others.reasons] == [(1, 2)] * len(others.reasons)


def test_what_holds_for_lanes_with_different_tokens_is_told_once() -> None:
    """Both other lanes have the special token as text, and tokenize that differently."""
    special = run(GPT2.with_changes(special_tokens=("<|end|>",), name="special"))
    plain, other = run(GPT2), run(GPT2.with_changes(name="other"), [("<|end|>", 9)])
    found = groups(over("a<|end|>b", special, plain, other), 0, 0)
    assert len(found) == 3
    (reason,) = [it for it in by_weight(found) if isinstance(it.causes[0], SpecialToken)]
    assert sorted(reason.lanes) == [1, 2]
    assert len(reason.causes) == 2


def test_lanes_that_agree_have_no_cause() -> None:
    whole = run(GPT2)
    found = over("trained", whole, whole.at(0), whole.at(60))
    assert causes(found, 0, 0, 2) == ()
    assert causes(found, 0, 0, 1)


def test_a_marker_of_its_own_and_one_joined_to_the_last_character() -> None:
    one = run(preset("whitespace").with_changes(merges=1), [("aaa", 1)])
    joined = preset("char-bpe").with_changes(merges=1, min_frequency=1)
    found = all_causes("aa", one, run(joined, [("aaa", 1)]))
    assert [it.alone for it in found if isinstance(it, EndOfWordMarker)] == [True]


def test_the_marker_that_was_joined() -> None:
    whole = run(preset("whitespace"), FOUR_WORDS)
    (found,) = all_causes("lowest", whole.at(2), whole.at(3))
    assert isinstance(found, MissingMerge)
    assert [made.content for made in found.missing] == [b"est</w>"]


class Listed:
    """An encoding that takes the longest of its tokens that fits, and tells little of itself."""

    vocabulary_size = 0

    def __init__(self, name: str, model: Model, *contents: str) -> None:
        self.name = name
        self.model = model
        self._contents = [content.encode() for content in contents]

    def encode(self, text: str, *, specials_as_text: bool = False) -> Tokens:
        data, place = text.encode(), 0
        ids: list[int] = []
        starts: list[int] = []
        while place < len(data):
            fits = [c for c in self._contents if data.startswith(c, place)]
            content = max(fits, key=len)
            ids.append(self._contents.index(content))
            starts.append(place)
            place += len(content)
        ends = np.array([*starts[1:], len(data)], np.int64)[: len(ids)]
        begins = np.array(starts, np.int64)
        return Tokens(np.array(ids, np.int32), begins, ends, begins, ends)

    def decode(self, ids: Sequence[int]) -> str:
        return self.decode_bytes(ids).decode()

    def decode_bytes(self, ids: Sequence[int]) -> bytes:
        return b"".join(self._contents[token] for token in ids)

    def id_to_token(self, token: int) -> str:
        return self._contents[token].decode()

    def token_bytes(self, token: int) -> bytes:
        return self._contents[token]

    def is_special(self, token: int) -> bool:
        return False

    def is_unknown(self, token: int) -> bool:
        return False

    def is_fallback_byte(self, token: int) -> bool:
        return False

    def token_to_id(self, content: bytes) -> int | None:
        return self._contents.index(content) if content in self._contents else None

    def merge(self, token: int) -> RankedMerge | None:
        return None

    def words(self, text: str, *, specials_as_text: bool = False) -> NDArray[np.int64] | None:
        return None

    def normalized(self, text: str) -> str:
        return text


def test_other_models() -> None:
    pieces = Listed("pieces", Model.WORDPIECE, "t", "h", "e", "he")
    likely = Listed("likely", Model.UNIGRAM, "t", "h", "e", "th")
    for one in (pieces, Listed("same", Model.UNIGRAM, "t", "h", "e")):
        kind, fields = only("the", likely, one)
        assert (kind, fields["models"]) == (ModelKind, (Model.UNIGRAM, one.model))
        assert fields["lacks"] == b"th"


def test_what_is_unknown_to_both_and_marked_by_one() -> None:
    words = {"[UNK]": 0, "the": 1, "low": 2}
    pieces = library(models.WordPiece(words, unk_token="[UNK]"), "pieces")
    marking = run(preset("whitespace"))
    for encodings in ((marking, pieces), (pieces, marking)):
        (found,) = why("語 low", *encodings)[0]
        assert isinstance(found, EndOfWordMarker)
        assert found.lane == encodings.index(marking)


def test_merges_that_are_not_told() -> None:
    one = Listed("one", Model.BPE, "t", "h", "e", "he")
    other = Listed("other", Model.BPE, "t", "h", "e", "th")
    assert {type(cause) for cause in all_causes("the", one, other)} == {MissingMerge}
    both = Listed("both", Model.BPE, "t", "h", "e", "th", "he")
    other.encode = Listed("t", Model.BPE, "t", "h", "e").encode  # type: ignore[method-assign]
    assert kinds("th", both, other) == [[NotKnown]]


@pytest.mark.parametrize(
    ("normalizer", "text", "source", "made"),
    [
        (normalizers.NFC(), "cafe\u0301", "e\u0301", "é"),
        (normalizers.NFD(), "naïve", "ï", "i\u0308"),
        (normalizers.NFKC(), "a ﬁne", "ﬁ", "fi"),
        (normalizers.Lowercase(), "a Kk", "K", "k"),
        (normalizers.Prepend("_"), "low", "", "_"),
    ],
)
def test_a_library_that_normalizes_is_told_by_the_part_that_it_changes(
    normalizer: normalizers.Normalizer, text: str, source: str, made: str
) -> None:
    """All in one difference, with the letter's marks."""
    alphabet = {token: index for index, token in enumerate(ByteLevel.alphabet())}
    model, splits = models.BPE(vocab=alphabet, merges=[]), ByteLevel(add_prefix_space=False)
    changing = library(model, "other", normalizer=normalizer, pre_tokenizer=splits)
    kind, fields = only(text, run(preset("gpt2")).at(0), changing)
    assert (kind, fields["source"], fields["made"]) == (
        Normalization,
        source.encode(),
        made.encode(),
    )


def test_what_is_unknown_to_one_may_be_removed_by_the_other() -> None:
    """Neither knows the text: it is no cause that it is unknown."""
    reads, drops = run(preset("whitespace"), []), run(preset("lines"), [])
    assert kinds("\u0301", reads, drops) == [[Normalization]]
    splits = run(preset("raw").with_changes(split="matches:[a-z]+"), [])
    assert kinds(";", reads, splits) == [[DroppedText]]


def test_a_character_left_out_without_a_reason() -> None:
    """The library tells neither words nor why nothing stands there."""

    class Gap(Listed):
        def encode(self, text: str, *, specials_as_text: bool = False) -> Tokens:
            whole = super().encode(text)
            kept = whole.ids != 0
            return Tokens(*(getattr(whole, name)[kept] for name in Tokens.__struct_fields__))

    gap, whole = (kind("gap", Model.BPE, "-", "a", "b") for kind in (Gap, Listed))
    assert kinds("a-b", gap, whole) == [[NotKnown]]


def test_of_a_long_difference_the_beginning_is_normalized() -> None:
    """It is in one token of one of them, an unknown one for example."""
    asked: list[str] = []

    class Asked(Listed):
        def normalized(self, text: str) -> str:
            asked.append(text)
            return text.lower()

    text = "A" * 50_000
    one, other = Asked("one", Model.WORD_LEVEL, text.lower()), Listed("other", Model.BPE, "A", "a")
    one.encode = Listed("", Model.BPE, text).encode  # type: ignore[method-assign]
    assert Normalization in kinds(text, one, other)[0]
    assert max(map(len, asked)) < 1_000


@pytest.mark.parametrize("steps", [(), ("lowercase",), (Prepend(" "), "lowercase")])
def test_explaining_a_difference_takes_no_memory_for_the_text_around_it(
    steps: tuple[Any, ...],
) -> None:
    """Else a long text takes quadratic time: it would be read for each of its differences."""
    whole = run(GPT2, [("he", 9), ("the", 5)])
    other = run(GPT2.with_changes(normalizers=steps), [("the", 5)])
    aligned = over("The é " * 20_000, whole, other.at(0))
    first, last = 0, aligned.differences - 1
    assert all(causes(aligned, it, 0, 1) for it in (first, last))  # what is kept is made now
    for place in (first, first + 1, last):
        tracemalloc.start()
        try:
            assert causes(aligned, place, 0, 1)
            peak = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
        assert peak < len(aligned.data) / 2


@pytest.mark.parametrize(
    ("option", "text", "parts"),
    [
        ("lstrip_tokens", "a <m>b", (b" ", b"<m>")),
        ("rstrip_tokens", "a<m>\u3000b", (b"<m>", "\u3000".encode())),
    ],
)
def test_the_space_that_a_special_token_takes_is_split_by_others(
    option: str, text: str, parts: tuple[bytes, ...]
) -> None:
    plain = GPT2.with_changes(special_tokens=("<m>",))
    taking = run(plain.with_changes(**{option: ("<m>",)}))
    [[cause]] = why(text, taking, run(plain))
    assert isinstance(cause, SplitBoundary)
    assert cause.parts == parts
    spans = [ends.tolist() for ends in over(text, taking).cuts[0].special_spans]
    assert text.encode()[spans[0][0] : spans[1][0]] == b"".join(parts)


def test_no_merge_is_made_across_a_special_token_that_both_have() -> None:
    """With or without its space: the other would not merge its end with what follows either."""
    symbols = {letter: token for token, letter in enumerate("<sS> a")}
    taking = LibraryTokenizer(models.BPE(symbols, []))
    taking.add_special_tokens([AddedToken("<s>", rstrip=True)])
    lowered = LibraryTokenizer(models.BPE({**symbols, "> ": 6}, [(">", " ")]))
    lowered.normalizer = normalizers.Lowercase()
    lowered.add_special_tokens(["<s>"])
    both = HuggingFaceEncoding(taking, "taking"), HuggingFaceEncoding(lowered, "lowered")
    found = all_causes("<S><s> aa", *both)
    assert [type(cause) for cause in found] == [Normalization, SplitBoundary]
    assert found[1].read is None
    assert "> " in lowered.encode("a> a").tokens, "it would merge them elsewhere"


def test_nothing_is_added_before_a_special_token_that_begins_a_text() -> None:
    found = all_causes("<s>", like_llama(special="<s>"), like_llama())
    assert [cause.lane for cause in found if isinstance(cause, AddedSpace)] == [1]


def test_a_space_that_both_add_is_no_cause() -> None:
    """One adds it where it normalizes the text, the other before it splits it."""
    prefixed = HuggingFaceEncoding(added_library("bytes, prefix", []), "prefixed")
    lowered = run(GPT2.with_changes(normalizers=("lowercase", Prepend(" "))))
    found = [type(cause) for cause in all_causes("Low", prefixed, lowered)]
    assert Normalization in found
    assert AddedSpace not in found
