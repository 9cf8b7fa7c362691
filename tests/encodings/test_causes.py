"""Causes of differences: which there are, and what is said of them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from tokenizers import Tokenizer as LibraryTokenizer
from tokenizers import models, normalizers, pre_tokenizers
from tokenizers.pre_tokenizers import ByteLevel

from bpe_gui.bpe.history import History
from bpe_gui.bpe.recipe import Prepend, Recipe, Replace, Symbols, preset
from bpe_gui.bpe.tokenizer import Tokens
from bpe_gui.encodings.alignment import align
from bpe_gui.encodings.base import Merge, Model
from bpe_gui.encodings.cause import CauseKind
from bpe_gui.encodings.causes import cause, groups
from bpe_gui.encodings.huggingface import HuggingFaceEncoding
from bpe_gui.encodings.trained import TrainedEncoding
from tests.bpe.test_trainer import FOUR_WORDS, corpora, texts
from tests.encodings.explained import over, run, why
from tests.encodings.test_alignment import some_lanes

GPT2 = preset("gpt2").with_changes(vocabulary_size=None, merges=60, name="words")


def test_two_positions_of_a_run() -> None:
    whole = run(GPT2, [("he", 9), ("the", 5)])
    assert why("the", whole.at(1), whole.at(2)) == [
        (
            CauseKind.MERGE_MISSING,
            "The run at 2 merges has “the” since merge 2; at 1 it does not exist yet.",
        )
    ]
    assert why("the", whole.at(0), whole.at(2)) == [
        (
            CauseKind.MERGE_MISSING,
            "The run at 2 merges has “he” since merge 1, on the way to “the”; at 0 it does not "
            "exist yet.",
        )
    ]


def test_a_merge_that_the_other_lacks() -> None:
    corpus = [("th th th the the", 1)]
    other = run(GPT2.with_changes(name="other"), [("xyz", 1)])
    assert why("the", run(GPT2, corpus), other) == [
        (
            CauseKind.MERGE_MISSING,
            "words merged “t” and “h” to “th” at merge 1; other has no “th”.",
        )
    ]


def test_the_order_of_merges() -> None:
    first = run(GPT2.with_changes(name="first"), [("he", 9), ("th", 5), ("the", 1)])
    second = run(GPT2.with_changes(name="second"), [("th", 9), ("he", 5), ("the", 1)])
    assert why("the", first.at(2), second.at(2)) == [
        (
            CauseKind.MERGE_ORDER,
            "first and second both know “th”, but first merges “h” and “e” to “he” at merge 1, "
            "before “t” and “h” to “th” at merge 2, and so does not come to “th” here.",
        )
    ]


def test_a_merge_that_comes_first_on_the_right() -> None:
    recipe = preset("raw").with_changes(merges=2)
    first = run(recipe.with_changes(name="first"), [("aa", 9), ("ba", 5)])
    second = run(recipe.with_changes(name="second"), [("ba", 9), ("aa", 5)])
    assert why("baa", first, second) == [
        (
            CauseKind.MERGE_ORDER,
            "first and second both know “ba”, but first merges “a” and “a” to “aa” at merge 1, "
            "before “b” and “a” to “ba” at merge 2, and so does not come to “ba” here.",
        )
    ]


def test_another_split_pattern() -> None:
    corpus = [("1234 1234", 5)]
    one = run(preset("gpt4").with_changes(vocabulary_size=None, name="threes"), corpus)
    other = run(GPT2, corpus)
    assert why("1234", one, other) == [
        (
            CauseKind.SPLIT_PATTERN,
            "threes cuts between “123” and “4” before any merge; the token “1234” of words "
            "reaches across.",
        )
    ]


def test_dropped_white_space() -> None:
    one = run(preset("whitespace"))
    assert why("a b", one, run(GPT2).at(0)) == [
        (CauseKind.END_OF_WORD, "whitespace marks an end of a word in “a”, and the marker takes "
         "part in its merges; words has none there."),
        (CauseKind.SPLIT_PATTERN,
         "whitespace drops “␣” where it cuts the text into words; words keeps it, in “␣”."),
        (CauseKind.END_OF_WORD, "whitespace marks an end of a word in “b”, and the marker takes "
         "part in its merges; words has none there."),
    ]  # fmt: skip


def test_normalization() -> None:
    corpus = [("é e", 5)]
    kept = run(preset("raw").with_changes(merges=0), corpus)
    bare = run(preset("lines").with_changes(merges=0), corpus)
    assert why("é", bare, kept) == [
        (CauseKind.NORMALIZATION, "lines reads “é” as “e”; raw leaves it as it is.")
    ]
    decomposed = [("e\u0301", 5)]
    kept = run(preset("raw").with_changes(merges=0), decomposed)
    assert why("e\u0301", kept, bare) == [
        (
            CauseKind.NORMALIZATION,
            "lines takes “◌\u0301” out of the text before it is cut; raw keeps it, in “◌\u0301”.",
        )
    ]


PUT_IN = Recipe(normalizers=(Prepend("▁"),), split="none", symbols=Symbols.CHARACTERS, name="one")


def test_merges_with_what_is_put_in() -> None:
    """It stands nowhere in the text, where both have the same borders."""
    one = run(PUT_IN, [("a", 3)])
    other = run(PUT_IN.with_changes(name="other"), [("a", 3)]).at(0)
    other = TrainedEncoding(History(other.history.recipe, other.history.base, 1, 1))
    assert why("a", one, other) == [
        (CauseKind.MERGE_MISSING, "one merged “▁” and “a” to “▁a” at merge 1; other has no “▁a”.")
    ]
    apart = run(PUT_IN.with_changes(name="apart", split="regex:▁|a+"), [("a▁", 1)])
    assert why("a", one, apart) == [
        (
            CauseKind.SPLIT_PATTERN,
            "apart cuts between “▁” and “a” before any merge; the token “▁a” of one reaches "
            "across.",
        )
    ]


def test_what_is_put_in_and_unknown() -> None:
    one = run(PUT_IN, [("a", 3)])
    lacking = run(PUT_IN.with_changes(normalizers=(), name="lacking"), [("a", 3)]).history
    recipe = PUT_IN.with_changes(name="lacking")
    lacks = TrainedEncoding(History(recipe, lacking.base, 1, 1))
    assert why("a", one, lacks) == [
        (
            CauseKind.UNKNOWN_CHARACTER,
            "“▁”, made of “a”, is unknown to lacking, which has no token for it; one knows it.",
        )
    ]


def test_what_is_put_in_may_be_joined_with_what_stands_after_it() -> None:
    """The border before it, which both have in the text, is none in what they read."""
    dashes = PUT_IN.with_changes(normalizers=(Replace("(?<=b)(?=a)", "-"),))
    one = run(dashes, [("ba", 3), ("-a", 9)]).at(1)
    other = run(dashes.with_changes(name="other", merges=0), [("ba", 1)])
    assert [one.history.text(token) for token in one.encode("ba").ids.tolist()] == ["b", "-a"]
    assert why("ba", one, other) == 2 * [
        (CauseKind.MERGE_MISSING, "one merged “-” and “a” to “-a” at merge 1; other has no “-a”.")
    ]


def test_an_unknown_character() -> None:
    one = run(preset("raw").with_changes(merges=0))
    assert why("aß", one, run(GPT2).at(0)) == [
        (
            CauseKind.UNKNOWN_CHARACTER,
            "“ß” is unknown to raw, which has no token for it; words knows it.",
        )
    ]


def test_a_character_that_is_known_only_within_words() -> None:
    recipe = preset("char-bpe").with_changes(min_frequency=0, name="joined", merges=0)
    one, other = run(recipe, [("ab", 3)]), run(recipe.with_changes(name="other"), [("ab ba", 3)])
    assert why("a", one, other) == [
        (
            CauseKind.UNKNOWN_CHARACTER,
            "“a” is unknown to joined at the end of a word; other knows it.",
        )
    ]
    assert why("ba", one, other)[0] == (
        CauseKind.UNKNOWN_CHARACTER,
        "“b” is unknown to joined before the end of a word; other knows it.",
    )


def test_a_special_token() -> None:
    special = run(GPT2.with_changes(special_tokens=("<|end|>",), name="special"))
    plain = run(GPT2)
    found = over("a<|end|>b", special, plain, special, specials_as_text=[2])
    assert found.differences == 1
    sentences = [cause(found, 0, 0, other) for other in (1, 2)]
    assert [c.sentence for c in sentences if c is not None] == [
        "“<|end|>” is a special token in special; words does not take it for one.",
        "“<|end|>” is a special token in special (lane 1); special (lane 3) reads special tokens "
        "as text.",
    ]
    assert [group.lanes for group in groups(found, 0, 2)] == [(1, 2), (0,)]
    assert [group.lanes for group in groups(found, 0, 0)] == [(0,), (1, 2)]
    own, others = groups(found, 0, 0)
    assert own.reasons == ()
    assert [reason.lanes for reason in others.reasons] == [(1,), (2,)], "not for one reason"
    assert [reason.causes for reason in others.reasons] == [
        (cause(found, 0, 0, 1),),
        (cause(found, 0, 0, 2),),
    ]


@given(corpus=corpora, text=texts, data=st.data())
def test_each_lane_that_differs_from_the_reference_has_its_reason(
    corpus: list[tuple[str, int]], text: str, data: st.DataObject
) -> None:
    found = align(text, some_lanes(data, corpus, text))
    for number in range(found.differences):
        for reference in range(len(found.cuts)):
            own, *others = groups(found, number, reference)
            assert reference in own.lanes
            assert own.reasons == ()
            for group in others:
                told = [lane for reason in group.reasons for lane in reason.lanes]
                assert sorted(told) == [*group.lanes]
                for reason in group.reasons:
                    expected = [cause(found, number, reference, lane) for lane in reason.lanes]
                    assert [*reason.causes] == expected
                    assert len({c.pattern for c in reason.causes}) == 1


def test_what_holds_for_several_lanes_is_told_once() -> None:
    whole, plain = run(GPT2), run(GPT2.with_changes(name="other"), [("xyz", 3)])
    found = over("trained", whole, plain.at(0), plain)
    _, others = groups(found, 0, 0)
    assert [reason.lanes for reason in others.reasons] == [(1, 2)]
    sentences = [c.sentence for c in others.reasons[0].causes]
    assert sentences[0].replace("other (lane 2)", "other") == sentences[1]


def test_lanes_that_agree_have_no_cause() -> None:
    whole = run(GPT2)
    found = over("trained", whole, whole.at(0), whole.at(60))
    assert cause(found, 0, 0, 2) is None
    assert cause(found, 0, 0, 1) is not None


def test_a_marker_of_its_own_and_one_joined_to_the_last_character() -> None:
    one = run(preset("whitespace").with_changes(merges=1), [("aaa", 1)])
    joined = preset("char-bpe").with_changes(merges=1, min_frequency=1)
    assert why("aa", one, run(joined, [("aaa", 1)])) == [
        (
            CauseKind.END_OF_WORD,
            "whitespace has the marker of a word's end as a symbol of its own in “aa”, char-bpe "
            "joined to the last character.",
        )
    ]


def test_the_marker_that_was_joined() -> None:
    whole = run(preset("whitespace"), FOUR_WORDS)
    assert why("lowest", whole.at(2), whole.at(3)) == [
        (
            CauseKind.MERGE_MISSING,
            "The run at 3 merges has “est</w>” since merge 3; at 2 it does not exist yet.",
        )
    ]


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

    def text(self, token: int) -> str:
        return self._contents[token].decode()

    def content(self, token: int) -> bytes:
        return self._contents[token]

    def is_special(self, token: int) -> bool:
        return False

    def is_unknown(self, token: int) -> bool:
        return False

    def find(self, content: bytes) -> int | None:
        return self._contents.index(content) if content in self._contents else None

    def merge(self, token: int) -> Merge | None:
        return None

    def words(self, text: str, *, specials_as_text: bool = False) -> NDArray[np.int64] | None:
        return None

    def normalized(self, text: str) -> str:
        return text


def test_other_models() -> None:
    pieces = Listed("pieces", Model.WORDPIECE, "t", "h", "e", "he")
    likely = Listed("likely", Model.UNIGRAM, "t", "h", "e", "th")
    assert why("the", pieces, likely) == [
        (
            CauseKind.MODEL,
            "pieces is a WordPiece model, taking the longest piece that fits, from left to "
            "right; likely is a Unigram model, looking for the most probable pieces of a word "
            "as a whole; likely has no token “he”.",
        )
    ]
    assert why("the", likely, Listed("same", Model.UNIGRAM, "t", "h", "e")) == [
        (
            CauseKind.MODEL,
            "likely and same are Unigram models, looking for the most probable pieces of a "
            "word as a whole; same has no token “th”.",
        )
    ]


def test_what_is_unknown_to_both_and_marked_by_one() -> None:
    words = {"[UNK]": 0, "the": 1, "low": 2}
    library = LibraryTokenizer(models.WordPiece(words, unk_token="[UNK]"))
    library.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    pieces = HuggingFaceEncoding(library, "pieces")
    marking = run(preset("whitespace"))
    sentence = "whitespace marks an end of a word in “語”; pieces has no mark there."
    for encodings in ((marking, pieces), (pieces, marking)):
        found = why("語 low", *encodings)
        assert found[0] == (CauseKind.END_OF_WORD, sentence)


def test_merges_that_are_not_told() -> None:
    one = Listed("one", Model.BPE, "t", "h", "e", "he")
    other = Listed("other", Model.BPE, "t", "h", "e", "th")
    assert why("the", one, other) == [
        (CauseKind.MERGE_MISSING, "other has a token “th”; one has none.")
    ]
    both = Listed("both", Model.BPE, "t", "h", "e", "th", "he")
    assert why("the", both, Listed("late", Model.BPE, "t", "h", "e", "he", "th", "the"))[0][0] is (
        CauseKind.MERGE_MISSING
    )
    other.encode = Listed("t", Model.BPE, "t", "h", "e").encode  # type: ignore[method-assign]
    kind, sentence = why("th", both, other)[0]
    assert kind is CauseKind.NOT_KNOWN
    assert sentence == (
        "both and other treat “th” differently; why cannot be told from what is known of them."
    )


@pytest.mark.parametrize(
    ("normalizer", "text", "sentence"),
    [
        (normalizers.NFC(), "cafe\u0301", "reads “e\u0301” (U+0065 U+0301) as “é” (U+00E9)"),
        (normalizers.NFD(), "naïve", "reads “ï” (U+00EF) as “i\u0308” (U+0069 U+0308)"),
        (normalizers.NFKC(), "a ﬁne", "reads “ﬁ” (U+FB01) as “fi” (U+0066 U+0069)"),
        (normalizers.Lowercase(), "a Kk", "reads “K” as “k”"),
        (normalizers.Prepend("_"), "low", "puts “_” in before “l”"),
    ],
)
def test_a_library_that_normalizes_is_told_by_the_part_that_it_changes(
    normalizer: normalizers.Normalizer, text: str, sentence: str
) -> None:
    """All in one difference, with the letter's marks."""
    alphabet = {token: index for index, token in enumerate(ByteLevel.alphabet())}
    library = LibraryTokenizer(models.BPE(vocab=alphabet, merges=[]))
    library.normalizer = normalizer
    library.pre_tokenizer = ByteLevel(add_prefix_space=False)
    changing = HuggingFaceEncoding(library, "the other")
    found = why(text, run(preset("gpt2")), changing)
    assert found == [(CauseKind.NORMALIZATION, f"the other {sentence}; gpt2 leaves it as it is.")]


def test_a_character_left_out_without_a_reason() -> None:
    """The library tells neither words nor why nothing stands there."""

    class Gap(Listed):
        def encode(self, text: str, *, specials_as_text: bool = False) -> Tokens:
            whole = super().encode(text)
            kept = whole.ids != 0
            return Tokens(*(getattr(whole, name)[kept] for name in Tokens.__slots__))

    gap, whole = (kind("gap", Model.BPE, "-", "a", "b") for kind in (Gap, Listed))
    whole.name = "whole"
    assert why("a-b", gap, whole) == [
        (
            CauseKind.NOT_KNOWN,
            "gap has nothing for “-” and does not tell why; whole keeps it, in “-”.",
        )
    ]
