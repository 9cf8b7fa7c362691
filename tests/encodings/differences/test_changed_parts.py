"""The parts that normalization changes, put back into the text, are what it makes of it."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import AddedToken, Tokenizer, models, normalizers, pre_tokenizers

from bpe_gui.encodings.differences.alignment import CachedEncoder, align
from bpe_gui.encodings.differences.causes import sentence
from bpe_gui.encodings.differences.changed_parts import ChangedPart, changed_parts
from bpe_gui.encodings.differences.find_causes import causes, lane_names
from bpe_gui.encodings.formats.huggingface import HuggingFaceEncoding
from bpe_gui.encodings.regex_words import composed_end

CHANGES: dict[str, Callable[[str], str]] = {
    "NFC": lambda text: unicodedata.normalize("NFC", text),
    "NFD": lambda text: unicodedata.normalize("NFD", text),
    "NFKC": lambda text: unicodedata.normalize("NFKC", text),
    "lower": str.lower,
    "strip": str.strip,
    "prepend": lambda text: f" {text}" if text else "",
    "prepend and lower": lambda text: f"▁{text.lower()}" if text else "",
    "squeeze": lambda text: " ".join(text.split()),
    "sentencepiece": lambda text: "".join(
        f" {word}" for word in unicodedata.normalize("NFKC", text).split()
    ),
}
texts = st.text(
    st.one_of(
        st.sampled_from("aeA É\u0301\u0308\u0327ﬁ①ｱﾟ한\u1112\u1161\u11ab  İΣ"), st.characters()
    ),
    max_size=20,
)


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
@given(text=texts)
def test_parts_put_into_the_text_make_the_normalized_one(
    change: Callable[[str], str], text: str
) -> None:
    made = text
    for part in reversed(changed_parts(text, 0, len(text), change)):
        made = made[: part.start] + part.made + made[part.end :]
    assert made == change(text)


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
@given(text=texts, data=st.data())
def test_parts_of_a_range_are_those_of_the_whole_text_that_overlap_it(
    change: Callable[[str], str], text: str, data: st.DataObject
) -> None:
    end = data.draw(st.integers(0, len(text)))
    start = data.draw(st.integers(0, end))
    overlapping = [
        part
        for part in changed_parts(text, 0, len(text), change)
        if (part.start < end and part.end > start) or part.start == part.end == start
    ]
    assert changed_parts(text, start, end, change) == overlapping


@pytest.mark.parametrize(
    ("change", "text", "expected"),
    [
        ("NFC", "cafe\u0301s", [ChangedPart(3, 5, "é")]),
        ("NFD", "naïve", [ChangedPart(2, 3, "i\u0308")]),
        ("NFKC", "a ﬁne", [ChangedPart(2, 3, "fi")]),
        ("lower", "The KING", [ChangedPart(0, 1, "t"), ChangedPart(4, 8, "king")]),
        ("prepend", "ab", [ChangedPart(0, 0, " ")]),
        ("strip", " ab", [ChangedPart(0, 1, "")]),
        ("NFC", "plain", []),
        ("prepend", "¨", [ChangedPart(0, 0, " ")]),
        (
            "sentencepiece",
            "½ ①\té",
            [
                *(ChangedPart(0, 0, " "), ChangedPart(0, 1, "1\u20442"), ChangedPart(2, 3, "1")),
                ChangedPart(3, 4, " "),
            ],
        ),
        (
            "sentencepiece",
            "a  b ",
            [*(ChangedPart(0, 0, " "), ChangedPart(2, 3, "")), ChangedPart(4, 5, "")],
        ),
        ("squeeze", "Å ﬁ  b", [ChangedPart(4, 5, "")]),
    ],
)
def test_a_part_is_no_longer_than_it_must_be(
    change: str, text: str, expected: list[ChangedPart]
) -> None:
    assert changed_parts(text, 0, len(text), CHANGES[change]) == expected


def test_a_space_behind_a_word_is_that_of_the_text() -> None:
    """SentencePiece can treat white space as a suffix, and adds one at the end of a text."""

    def suffix(text: str) -> str:
        return "".join(f"{word} " for word in text.split())

    assert changed_parts("a the", 0, 5, suffix) == []
    assert changed_parts("the  a", 0, 6, suffix) == [ChangedPart(4, 5, "")]


@pytest.mark.parametrize("text", ["ÉÀÈÉ ÀÉ ÈÈÀ É", "ﬁﬁ ﬁﬁﬁ ﬁ", "한국 국한 한", "中国 国中国 中"])
def test_characters_that_are_normalized_by_themselves_are_asked_for_once(text: str) -> None:
    bert = normalizers.Sequence([normalizers.NFKC(), normalizers.BertNormalizer(lowercase=True)])
    asked = []

    def normalize(part: str) -> str:
        asked.append(part)
        return bert.normalize_str(part)

    assert changed_parts(text, 0, len(text), normalize)
    assert len(asked) <= len(set(text)) + 2


def test_only_what_is_near_is_looked_at() -> None:
    asked: list[str] = []

    def lower(text: str) -> str:
        asked.append(text)
        return text.lower()

    text = "x" * 5000 + "Yes" + "x" * 5000
    assert changed_parts(text, 5000, 5003, lower) == [ChangedPart(5000, 5001, "y")]
    assert max(map(len, asked)) < 100
    assert changed_parts(text, 4000, 4003, lower) == []


@pytest.mark.parametrize(
    ("text", "place", "end"),
    [
        ("e\u0301\u0323x", 1, 3),
        ("ex", 1, 1),
        ("\u0301", 0, 0),
        ("x\u0301", 1, 1),  # there is no such letter
        ("\u1112\u1161\u11ab", 1, 3),
    ],
)
def test_marks_end_where_nothing_more_becomes_one_with_the_letter(
    text: str, place: int, end: int
) -> None:
    assert composed_end(text, place, CHANGES["NFC"]) == end


def test_marks_that_are_dropped_become_one_with_nothing() -> None:
    def without(text: str) -> str:
        return text.replace("\u0301", "")

    assert composed_end("e\u0301", 1, without) == 1


def with_special(
    normalizer: normalizers.Normalizer | None, *, normalized: bool = False
) -> HuggingFaceEncoding:
    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    library = Tokenizer(models.BPE({letter: token for token, letter in enumerate(letters)}, []))
    library.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    if normalizer is not None:
        library.normalizer = normalizer
    library.add_special_tokens([AddedToken("<s>", normalized=normalized)])
    return HuggingFaceEncoding(library, "normalizing" if normalizer else "plain")


def said_of(text: str, *encodings: HuggingFaceEncoding) -> list[str]:
    alignment = align(text, [CachedEncoder(encoding).encode(text) for encoding in encodings])
    names = dict(enumerate(lane_names(alignment)))
    return [
        sentence(cause, names)
        for difference in range(len(alignment.starts))
        for cause in causes(alignment, difference, 0, 1)
    ]


def test_what_is_behind_a_special_token_is_normalized_by_itself() -> None:
    plain = with_special(None)
    removed = "normalizing removes “␣” during normalization; plain keeps it."
    assert said_of("x <s> b c", plain, with_special(normalizers.Strip())) == [removed, removed]
    assert said_of("x<s> b", plain, with_special(normalizers.Prepend("a"))) == [
        "normalizing adds “a” before “x”; plain leaves it as it is.",
        "normalizing adds “a” before “␣”; plain leaves it as it is.",
    ]
    without = with_special(normalizers.Prepend("a"))
    assert said_of("x<s> b", without, with_special(normalizers.Prepend("a"))) == []


def test_a_special_token_of_normalized_text_is_one_however_it_is_written() -> None:
    lowercase = with_special(normalizers.Lowercase(), normalized=True)
    assert "“<S>” is a special token in normalizing; plain reads it as text." in said_of(
        "B<S>B", with_special(None), lowercase
    )
    cut = CachedEncoder(lowercase).encode("b<S>b")
    assert cut.special.tolist() == [False, True, False]
