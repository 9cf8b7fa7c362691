"""Recipes of one's own, for tests: every step and every split that no preset has, and any mix."""

from __future__ import annotations

from hypothesis import strategies as st

from bpe_gui.bpe.recipe import (
    NORMALIZERS,
    SPLITS,
    Alphabet,
    Prepend,
    Recipe,
    Replace,
    Symbols,
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
)
"""Some skip text, some match no characters, some look around."""

OWN_STEPS = (
    Prepend("▁"),
    Prepend("a é"),
    Replace(r"\s+", " "),
    Replace("a", ""),
    Replace("", "-"),
    Replace(r"b(?=\n)|^", "xy"),
    Replace("e\u0301|é", "e"),
    Replace(r"(?<=\n).", "\u0301"),
)

steps = st.one_of(st.sampled_from(NORMALIZERS), st.sampled_from(OWN_STEPS))
splits = st.sampled_from((*SPLITS, *OWN_SPLITS))


@st.composite
def custom_recipes(draw: st.DrawFn) -> Recipe:
    recipe = Recipe(
        normalizers=tuple(draw(st.lists(steps, max_size=3))),
        split=draw(splits),
        symbols=draw(st.sampled_from(list(Symbols))),
    )
    if recipe.byte_level:
        recipe = recipe.with_changes(alphabet=draw(st.sampled_from(list(Alphabet))))
    return recipe
