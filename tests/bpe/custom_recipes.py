"""Recipes of one's own, for tests: every step and every split that no preset has, and any mix."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from bpe_gui.bpe.pre_tokenize import split_before
from bpe_gui.bpe.recipe import (
    NORMALIZERS,
    REGEX,
    SPLITS,
    Alphabet,
    EndOfWord,
    Prepend,
    PrependOnce,
    Recipe,
    Replace,
    Symbols,
    put_before,
    sequence_of,
)

OWN_SPLITS = (
    r"regex:\w+|[^\w\s]",
    r"regex: ?\p{L}+|\d",
    "regex:a*",
    "regex:|ab",
    r"regex:(?<=b)a|\n+",
    r"regex:(a|b)+(?=\s)|é",
    "regex:.",
    r"regex:\p{Lu}?\p{Ll}+$|[\s\S]",
    r"matches:\w+|[^\w\s]+",
    r"matches:'s|\p{L}+|\p{N}|[^\s\p{L}\p{N}]+",
    "matches:a*|(?<=b)é",
    split_before("▁"),
    split_before("."),
)
"""Some skip or drop text, some match no characters, some look around."""

SEQUENCES = (
    sequence_of(["digits", "gpt2"]),
    sequence_of([r"regex:\p{N}{1,3}", "regex:[b中]+", r"regex:[\r\n]|\s?\p{L}+|\s+(?!\S)|\s+"]),
    sequence_of(["regex:a*"]),
    sequence_of(["scripts", "punctuation", "cl100k", "lines"]),
)
"""Splits in several steps."""

MATCHED_SPLITS = ("punctuation", "digits", "digits-3", "scripts")
"""Those with a name that are done by matching a regex."""

OWN_STEPS = (
    Prepend("▁"),
    Prepend("a é"),
    PrependOnce("▁"),
    PrependOnce("a"),
    Replace(" ", "▁"),
    Replace(r"\.", "▁"),
    put_before("▁"),
    put_before(" "),
    Replace(r"\s+", " "),
    Replace("a", ""),
    Replace("", "-"),
    Replace(r"b(?=\n)|^", "xy"),
    Replace("e\u0301|é", "e"),
    Replace(r"(?<=\n).", "\u0301"),
)

steps = st.one_of(st.sampled_from(NORMALIZERS), st.sampled_from(OWN_STEPS))
splits = st.sampled_from((*SPLITS, *OWN_SPLITS, *SEQUENCES))


NO_SPECIALS: Any = {"special_tokens": (), "reserved_tokens": (), "unknown_token": None}
"""What makes a recipe one without special tokens."""

TELLING = "aeAΣéİﬁ½中ठि\u0301\u0323\u1100\u1161 \n.1\x00"
"""Characters that normalizers and splits of one's own tell apart."""


@st.composite
def custom_recipes(draw: st.DrawFn) -> Recipe:
    recipe = Recipe(
        normalizers=tuple(draw(st.lists(steps, max_size=3))),
        split=draw(splits),
        symbols=draw(st.sampled_from(list(Symbols))),
    )
    may_end = not recipe.split.startswith(REGEX) and recipe.split != "categories"
    if recipe.byte_level:
        recipe = recipe.with_changes(alphabet=draw(st.sampled_from(list(Alphabet))))
        if may_end and draw(st.booleans()):
            recipe = recipe.with_changes(end_of_word=EndOfWord.JOINED)
        return recipe
    if draw(st.booleans()):
        recipe = recipe.with_changes(special_tokens=("<unk>",), unknown_token="<unk>")
    if may_end:
        recipe = recipe.with_changes(end_of_word=draw(st.sampled_from(list(EndOfWord))))
    return recipe
