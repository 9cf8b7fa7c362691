"""Each kind of cause in words, once."""

from __future__ import annotations

import pytest

from bpe_gui.encodings.base import Model
from bpe_gui.encodings.differences.causes import (
    BY_WEIGHT,
    AddedSpace,
    AddedToken,
    ByteFallback,
    Cause,
    DroppedText,
    EndOfWordMarker,
    MergedToken,
    MergeOrder,
    MissingMerge,
    ModelKind,
    Normalization,
    NotExplained,
    NotKnown,
    SpecialToken,
    SplitBoundary,
    Unknown,
    sentence,
)

HERE = (0, 1, 0, 3)
TH = MergedToken(256, b"th", 0, (b"t", b"h"))
HE = MergedToken(257, b"he", 1_000, (b"h", b"e"))
THE = MergedToken(258, b"the", 2_000, (b"th", b"e"))

SAID: list[tuple[Cause, str]] = [
    (
        Unknown(*HERE, text="ß".encode(), tokens=1, others=0),
        "“ß” is unknown to one, which has no token for it; two knows it.",
    ),
    (
        Unknown(*HERE, text=b"a", anywhere=False, tokens=1, others=0),
        "“a” is unknown to one at this place; two knows it.",
    ),
    (
        Unknown(*HERE, text="한".encode(), falls_back=True, tokens=1, others=0),
        "“한” is unknown to one, which has no token for it; two falls back to its bytes.",
    ),
    (
        Unknown(*HERE, text=b"K", changed=True, tokens=1, others=0),
        "“K” is unknown to one, which has no token for it; two changes it during normalization.",
    ),
    (
        Unknown(*HERE, text="語".encode(), tokens=3, others=1),
        "“語” is 3 unknown tokens in one, 1 in two.",
    ),
    (
        Unknown(*HERE, text="é".encode(), tokens=1, others=1),
        "Different parts of “é” are unknown to one and to two.",
    ),
    (
        Unknown(*HERE, text=b"", tokens=1, others=0),
        "one adds 1 unknown token that stands for no text; two adds 0.",
    ),
    (
        ByteFallback(*HERE, text="مر".encode(), tokens=(220, 136, 219, 180)),
        "one has no token for “\u2068مر\u2069” and falls back to its 4 bytes; two does not.",
    ),
    (
        SpecialToken(*HERE, text=b"<|end|>", token=0, as_text=False),
        "“<|end|>” is a special token in one; two reads it as text.",
    ),
    (
        SpecialToken(*HERE, text=b"<|end|>", token=0, as_text=True),
        "“<|end|>” is a special token in one; two reads special tokens as text.",
    ),
    (
        SpecialToken(*HERE, text=b"<|end|>", token=0, as_text=False, added=True),
        "“<|end|>” is a special token in one; in two it is an added token that is not special.",
    ),
    (
        AddedToken(*HERE, text=b"low", token=0),
        "one has the added token “low” and finds it before any merge; two does not.",
    ),
    (
        Normalization(*HERE, source=b"K", made=b"k"),
        "one changes “K” to “k”; two leaves it as it is.",
    ),
    (
        Normalization(*HERE, source="é".encode(), made="e\u0301".encode(), other_made=b"e"),
        "one changes “é” (U+00E9) to “e\u0301” (U+0065 U+0301); two changes “é” to “e”.",
    ),
    (
        Normalization(*HERE, source="\u0301".encode(), made=b""),
        "one removes “◌\u0301” during normalization; two leaves it as it is.",
    ),
    (
        Normalization(*HERE, source=b"", made=b"_", after=b"l"),
        "one adds “_” before “l”; two leaves it as it is.",
    ),
    (
        SplitBoundary(*HERE, parts=(b"123", b"4")),
        "one splits “1234” into “123” and “4” before any merge; two has it in one token.",
    ),
    (
        ModelKind(*HERE, models=(Model.WORDPIECE, Model.UNIGRAM), lacks=b"he"),
        "one takes the longest piece that fits, from left to right; two takes the most probable "
        "pieces of a word as a whole; two has no token “he”.",
    ),
    (
        ModelKind(*HERE, models=(Model.UNIGRAM, Model.UNIGRAM)),
        "one and two are both Unigram models.",
    ),
    (
        MergeOrder(*HERE, goal=b"he", done=TH, wanted=HE),
        "one merges “t” and “h” into “th” at merge 1, before it could merge “h” and “e” into "
        "“he” at merge 1,001; so it does not reach “he” as two does.",
    ),
    (
        SplitBoundary(*HERE, parts=(b"t", b"he"), read=b"the"),
        "If both read “the”, one splits “the” into “t” and “he” before any merge; two has it in "
        "one token.",
    ),
    (
        MissingMerge(*HERE, missing=(TH,)),
        "one merges “t” and “h” into “th” at merge 1; two has no “th”.",
    ),
    (
        MissingMerge(*HERE, missing=(TH, THE), other_position=0),
        "one merges “t” and “h” into “th” at merge 1, on the way to “the”; two does not have it "
        "yet at merge 0.",
    ),
    (
        MissingMerge(*HERE, missing=(MergedToken(9, b"th"),)),
        "one has a token “th”; two has none.",
    ),
    (
        EndOfWordMarker(*HERE, text=b"low"),
        "one marks the end of a word in “low”, and the marker takes part in its merges; two has "
        "no marker there.",
    ),
    (
        EndOfWordMarker(*HERE, text=b"low", alone=True),
        "In “low” one has the end-of-word marker as a separate symbol, two joined to the last "
        "character.",
    ),
    (
        DroppedText(*HERE, text=b" ", by_normalization=False),
        "one removes “␣” where it splits the text; two keeps it.",
    ),
    (
        DroppedText(*HERE, text=b" ", by_normalization=True, by_both=True),
        "one removes “␣” during normalization; two counts it to the token beside it.",
    ),
    (
        DroppedText(*HERE, text=b" ", by_normalization=True),
        "one removes “␣” during normalization; two keeps it.",
    ),
    (
        AddedSpace(*HERE, text=b" ", after=b"low"),
        "one adds “␣” before “low”; two does not.",
    ),
    (NotKnown(*HERE, text=b"low"), "It is not known why one and two differ in “low”."),
    (
        NotExplained(*HERE, explained=20_000),
        "Only the causes of the 20,000 kinds of differences with most tokens are found.",
    ),
]


@pytest.mark.parametrize(("cause", "said"), SAID)
def test_what_is_said_of_a_cause(cause: Cause, said: str) -> None:
    assert sentence(cause, ("one", "two")) == said


def test_every_kind_of_cause_has_a_sentence_and_a_weight() -> None:
    assert {type(cause) for cause, _ in SAID} == {*BY_WEIGHT}
    assert {kind.__name__ for kind in Cause.__subclasses__()} == {it.__name__ for it in BY_WEIGHT}
