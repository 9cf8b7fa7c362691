"""Runs and texts for the tests of file formats."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import strategies as st

from bpe_gui.bpe.history import BaseVocabulary, History
from bpe_gui.bpe.recipe import PRESETS, Alphabet, Recipe, Ties
from bpe_gui.bpe.tokenizer import Tokens
from bpe_gui.bpe.trainer import Trainer
from bpe_gui.bpe.words import WordCounts, to_initial_ids

INTERESTING = (
    "aabbehlorstwxyzABLTſ'’ \t\n\r\f\v\x1c\x1f\x85\xa0\u2003\u2028\u3000"
    "0123456789²½.,;!?-_/<>(){}\\|$^&~#@\0\x07\x7f\xad\u200b\ufeff\ufffd\ue000\U000f0000"
    "éñüßİıǅʰªΩωдЖאبकิ์ไ漢字한글か゛e\u0301\u0308\u0323\u20dd😀👍🏽\U000e0041\U0010ffff"
)

characters = st.one_of(
    st.sampled_from(INTERESTING),
    st.sampled_from("abc 'st\n"),
    # What the running Python knows, the libraries' Unicode tables know too.
    st.characters(exclude_categories=["Cs", "Cn"], exclude_characters="ʕ"),
)
runs_of_one = st.builds(lambda c, n: c * n, characters, st.integers(1, 40))
texts = st.lists(st.one_of(characters, runs_of_one), max_size=40).map("".join)
corpora = st.lists(st.text(characters, max_size=30).map(lambda text: text * 3), max_size=6)

_SHARED = [folder / "shared/data" for folder in Path(__file__).parents[3:5]]
GPT2_RANKS = next((f for f in _SHARED if f.is_dir()), _SHARED[0]) / "gpt2.tiktoken"
"""GPT-2's real ranks, beside the checkout or beside the folder of worktrees, if anywhere."""

needs_gpt2_ranks = pytest.mark.skipif(
    not GPT2_RANKS.exists(), reason="GPT-2's ranks are not here"
)


def train(recipe: Recipe, documents: list[str], merges: int = 1000) -> History:
    words = WordCounts.from_pairs([(text, 1) for text in documents if text], recipe)
    trainer = Trainer(words, recipe, compiled=False)
    trainer.advance(merges)
    return trainer.history


def byte_recipe(split: str, special_tokens: tuple[str, ...] = (), **changes: object) -> Recipe:
    """All bytes, any split, no bound on the merges."""
    return PRESETS["gpt2"].with_changes(
        name="bytes",
        split=split,
        special_tokens=special_tokens,
        vocabulary_size=None,
        alphabet=Alphabet.BYTES,
        **changes,
    )


@st.composite
def byte_runs(draw: st.DrawFn, splits: tuple[str, ...], specials: tuple[str, ...]) -> History:
    chosen = draw(st.lists(st.sampled_from(specials), unique=True, max_size=2))
    recipe = byte_recipe(
        draw(st.sampled_from(splits)),
        tuple(chosen),
        min_frequency=draw(st.integers(1, 3)),
        ties=draw(st.sampled_from(list(Ties))),
    )
    return train(recipe, draw(corpora), draw(st.integers(0, 60)))


def made_of(recipe: Recipe, merges: list[tuple[int, int, int]]) -> History:
    """A history with these merges (left, right, new id), as no training makes it."""
    base: BaseVocabulary = to_initial_ids(WordCounts.from_pairs([], recipe), recipe).base
    history = History(recipe, base, corpus_bytes=0, tokens=0)
    columns = history.reserve(len(merges))
    for row, (left, right, token) in enumerate(merges):
        columns.left[row], columns.right[row], columns.new_id[row] = left, right, token
    history.commit(len(merges))
    return history


def spans(tokens: Tokens) -> list[list[int]]:
    columns = (tokens.starts, tokens.ends, tokens.char_starts, tokens.char_ends)
    return [column.tolist() for column in columns]
