"""The words that are shown while a recipe is written are those that training sees."""

from __future__ import annotations

from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_gui.analysis.word_preview import MAX_TEXT, Piece, PieceKind, preview_words
from bpe_gui.bpe.normalize import normalize
from bpe_gui.bpe.recipe import Recipe, Replace
from bpe_gui.bpe.regexes import PatternError
from bpe_gui.bpe.special_tokens import SpecialTokens
from bpe_gui.bpe.words import WordCounts
from tests.bpe.custom_recipes import custom_recipes


@given(st.text(alphabet="ab éA1.\n\u0301中", max_size=40), custom_recipes())
def test_the_words_are_those_that_are_counted(text: str, recipe: Recipe) -> None:
    made = preview_words(text, recipe.normalizers, recipe.split)
    counted: dict[bytes, int] = dict(WordCounts.from_pairs([(text, 1)], recipe).items())
    for piece in made.pieces:
        if piece.kind is PieceKind.WORD:
            counted[piece.text.encode()] -= 1
    # What is left is what a split skips, in single symbols; no word of those is taken twice.
    skipped = sum(len(p.text.encode()) for p in made.pieces if p.kind is PieceKind.SKIPPED)
    assert min(counted.values(), default=0) >= 0
    assert sum(len(word) * count for word, count in counted.items()) == skipped
    assert made.words == sum(piece.kind is PieceKind.WORD for piece in made.pieces)
    kept = normalize(text, recipe.normalizers) if text else ""
    assert "".join(piece.text for piece in made.pieces) == kept


def test_special_tokens_are_found_first() -> None:
    recipe = Recipe(special_tokens=("<s>", "<s></s>"))
    specials = SpecialTokens.of(partial(getattr, recipe))
    made = preview_words("a<s>b<s></s>", (), "none", specials)
    assert made.pieces == (
        Piece("a", PieceKind.WORD),
        Piece("<s>", PieceKind.SPECIAL),
        Piece("b", PieceKind.WORD),
        Piece("<s></s>", PieceKind.SPECIAL),
    )


def test_a_long_text_is_looked_at_in_part() -> None:
    made = preview_words("ab " * MAX_TEXT, (), "gpt2")
    assert made.shortened
    assert made.words == MAX_TEXT // 3 + 1
    assert len(made.pieces) < made.words


@pytest.mark.parametrize("explodes", ["split", "step"])
def test_a_pattern_that_explodes_is_given_up(explodes: str) -> None:
    text, pattern = "a" * 4000 + "b", "(a+)+$"
    steps = (Replace(pattern, ""),) if explodes == "step" else ()
    split = f"regex:{pattern}" if explodes == "split" else "gpt2"
    with pytest.raises(PatternError) as told:
        preview_words(text, steps, split, seconds=0.05)
    assert pattern in str(told.value)
    assert "aaa" in str(told.value)
