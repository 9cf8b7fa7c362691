"""Histories of one merge whose candidates are given, for the guessing game."""

from __future__ import annotations

from collections.abc import Sequence

from bpe_gui.bpe.byte_level import CHARACTER_OF_BYTE
from bpe_gui.bpe.history import NO_TOKEN, BaseVocabulary, History
from bpe_gui.bpe.recipe import preset
from bpe_gui.ui.panels.guess.game import Question, question_at

Ranked = Sequence[tuple[int, int, int]]
"""Left id, right id and count of the pairs at a position, the winner first."""


def byte(character: str) -> int:
    """The id of a byte in these histories."""
    base = BaseVocabulary.of(preset("gpt2"), CHARACTER_OF_BYTE)
    return base.contents.index(character.encode())


def asked(history: History, position: int) -> Question:
    """The question at a position, which must have one."""
    question = question_at(history, position)
    assert question is not None
    return question


def offered(ranked: Ranked, *, merged: int = 0, corpus_bytes: int = 100_000) -> History:
    """A byte-level history with these pairs at its start, of which one was merged."""
    recipe = preset("gpt2")
    base = BaseVocabulary.of(recipe, CHARACTER_OF_BYTE)
    history = History(recipe, base, corpus_bytes, corpus_bytes)
    columns = history.reserve(1)
    columns.top_left[:2] = columns.top_right[:2] = NO_TOKEN
    for rank, (left, right, count) in enumerate(ranked):
        columns.top_left[0, rank] = left
        columns.top_right[0, rank] = right
        columns.top_count[0, rank] = count
    left, right, count = ranked[merged]
    columns.left[0], columns.right[0], columns.count[0] = left, right, count
    columns.new_id[0] = len(base)
    columns.tokens[1] = corpus_bytes - count
    history.commit(1)
    return history
