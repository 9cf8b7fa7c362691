"""The lines of tables, against what the engine says of the same."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from bpe_gui.analysis.branches import Branch
from bpe_gui.analysis.compare_runs import lockstep
from bpe_gui.analysis.derivation import WordDerivation
from bpe_gui.analysis.segmented_corpus import SegmentedCorpus
from bpe_gui.analysis.visible import visible
from bpe_gui.bpe.history import History
from bpe_gui.bpe.recipe import PRESETS, preset
from bpe_gui.bpe.tokenizer import Tokenizer
from bpe_gui.bpe.trainer import Trainer
from bpe_gui.bpe.words import WordCounts
from bpe_gui.exporting import tables
from tests.ui.histories import FOUR_WORDS, four_words


def run_of(pairs: list[tuple[str, int]], name: str = "gpt2") -> tuple[WordCounts, History]:
    recipe = PRESETS[name]
    words = WordCounts.from_pairs(pairs, recipe)
    trainer = Trainer(words, recipe, compiled=False)
    trainer.advance(200)
    return words, trainer.history


def test_the_pairs_are_those_that_compete() -> None:
    heading, *lines = tables.pair_lines(four_words(), 0)
    assert heading == ["left", "right", "count", "left id", "right id"]
    assert lines[0][:3] == ["e", "s", 9]


def test_the_vocabulary_tells_where_tokens_come_from() -> None:
    history = four_words()
    lines = list(tables.vocabulary_lines(history, [0, 13], [None, 9]))
    assert lines[1] == [0, "</w>", "", None, None, None, None, None]
    assert lines[2] == [13, "est</w>", "65 73 74", 9, 9, "est", "</w>", 3]


@settings(max_examples=settings.default.max_examples // 2)
@given(
    st.dictionaries(st.text("ab é–\n", min_size=1, max_size=6), st.integers(1, 9), min_size=1),
    st.data(),
)
def test_words_stand_in_the_order_asked_for_as_the_tokenizer_cuts_them(
    counts: dict[str, int], data: st.DataObject
) -> None:
    recipe = PRESETS["gpt2"].with_changes(split="none")
    words = WordCounts.from_pairs(list(counts.items()), recipe)
    trainer = Trainer(words, recipe, compiled=False)
    trainer.advance(50)
    history = trainer.history
    position = data.draw(st.integers(0, len(history)))
    order = data.draw(st.permutations(range(len(words))))
    corpus = SegmentedCorpus(words, history, compiled=False)
    _, *lines = tables.word_lines(corpus, position, np.array(order, np.int64))
    tokenizer = Tokenizer(history, position, compiled=False)
    texts = list(counts)
    for word, line in zip(order, lines, strict=True):
        ids = tokenizer.encode(texts[word]).ids.tolist()
        names = " ".join(visible(history.token_bytes(token)) for token in ids)
        assert line == [
            visible(texts[word].encode()), counts[texts[word]], names, len(ids),
            " ".join(map(str, ids)),
        ]  # fmt: skip


def test_the_derivation_of_a_word_goes_from_its_symbols_to_its_tokens() -> None:
    derivation = WordDerivation(four_words(), "lower", compiled=False)
    heading, *lines = tables.derivation_lines(derivation, 5)
    assert heading[-1] == "done"
    assert lines[0][4] == "l o w e r </w>"
    assert [line[1] for line in lines[1:3]] == [4, 5]
    assert [line[-1] for line in lines[:4]] == ["yes", "yes", "yes", "no"]
    assert lines[-1][4] == "lower</w>"


def test_runs_side_by_side_have_each_token_once() -> None:
    _, first = run_of([("lower", 5), ("newest", 3)])
    _, second = run_of([("newest", 5), ("slower", 3)])
    _, *lines = tables.lockstep_lines(lockstep([first, second], compiled=False), ["a", "b"])
    tokens = [line[0] for line in lines]
    assert len(tokens) == len(set(tokens))
    for token, _, one, other in lines:
        for history, merge in ((first, one), (second, other)):
            made = [visible(history.token_bytes(int(new))) for new in history.new_id]
            assert (made.index(str(token)) + 1 if token in made else None) == merge


def test_branches_tell_what_was_decided() -> None:
    words = WordCounts.from_pairs(list(FOUR_WORDS), preset("whitespace"))
    history = four_words()
    _, line = tables.branch_lines([Branch("trunk", words, history)])
    assert line[:2] == ["trunk", len(history)]
    assert line[4] == history.corpus_bytes / int(history.tokens[-1])
    assert line[5:] == ["no pair is left to merge", None]
