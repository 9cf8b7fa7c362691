"""The pairs that boundaries block, recounted over the documents."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bpe_gui.analysis.boundaries import MAX_PAIRS, BlockedPairs, Boundaries, BoundaryError
from bpe_gui.analysis.segmented_corpus import SegmentedCorpus
from bpe_gui.analysis.word_bigrams import WordBigramCounter, WordBigrams, count_words_and_bigrams
from bpe_gui.bpe.corpus import Corpus, CorpusError, sample
from bpe_gui.bpe.errors import Cancelled
from bpe_gui.bpe.history import Decision, Intervention
from bpe_gui.bpe.normalize import normalize
from bpe_gui.bpe.recipe import MATCHES, PRESETS, Recipe, preset
from bpe_gui.bpe.trainer import Trainer
from bpe_gui.bpe.words import WordCounts, count_corpus
from tests import oracle
from tests.bpe.corpus_reading import written
from tests.bpe.custom_recipes import custom_recipes
from tests.bpe.test_pre_tokenize import TEXTS
from tests.bpe.test_trainer import corpora, recipes


def cut_documents(
    corpus: list[tuple[str, int]], recipe: Recipe, position: int
) -> list[tuple[list[list[int]], list[bool], int]]:
    """Of each document the words as tokens, whether something is dropped before each, its count."""
    run = oracle.train(corpus, recipe.with_changes(merges=position))
    found = []
    for document, count in corpus:
        text, end = normalize(document, recipe.normalizers), 0
        words, apart = [], []
        for word in oracle.words_of(document, recipe):
            tokens = [run.vocabulary.index(symbol) for symbol in oracle.symbols_of(word, recipe)]
            for left, right, new in run.merges:
                oracle.merge(tokens, left, right, new)
            words.append(tokens)
            if recipe.split in ("whitespace", "bert") or recipe.split.startswith(MATCHES):
                begin = text.index(word, end)
                apart.append(begin > end)
                end = begin + len(word)
            else:
                apart.append(False)
        found.append((words, apart, count))
    return found


def fed(
    corpus: list[tuple[str, int]], recipe: Recipe, most: int = 1 << 22, compiled: bool = True
) -> WordBigrams:
    counter = WordBigramCounter(recipe, max_bigrams=most, compiled=compiled)
    for document, count in corpus:
        counter.add_text(document, count)
    counter.end()
    return counter.found(whole=True)


def count_bigrams(corpus: Corpus, recipe: Recipe, **options: Any) -> WordBigrams:
    return count_words_and_bigrams(corpus, recipe, **options)[1]


def boundaries_of(
    corpus: list[tuple[str, int]], recipe: Recipe, compiled: bool = True
) -> Boundaries:
    words = WordCounts.from_pairs(corpus, recipe)
    trainer = Trainer(words, recipe)
    trainer.advance(20)
    cut = SegmentedCorpus(words, trainer.history, compiled=compiled)
    return Boundaries(cut, fed(corpus, recipe, compiled=compiled))


def assert_equals_oracle(
    found: BlockedPairs,
    corpus: list[tuple[str, int]],
    recipe: Recipe,
    position: int,
    merged: list[int],
) -> None:
    across: Counter[tuple[int, int]] = Counter()
    apart: Counter[tuple[int, int]] = Counter()
    within: Counter[tuple[int, int]] = Counter()
    for words, gaps, count in cut_documents(corpus, recipe, position):
        for word in words:
            for pair in pairwise(word):
                within[pair] += count
        for (before, after), gap in zip(pairwise(words), gaps[1:], strict=True):
            across[before[-1], after[0]] += count
            apart[before[-1], after[0]] += count * gap
    assert found.distinct == len(across)
    assert found.across == across.total()
    shown = {(pair.left, pair.right): pair for pair in found.pairs}
    assert [pair.across for pair in found.pairs] == sorted(across.values(), reverse=True)
    for pair, count in across.items():
        row = shown[pair]
        assert (row.across, row.apart, row.within) == (count, apart[pair], within[pair])
        rivals = [number for other, number in within.items() if other != pair]
        total = count + within[pair]
        assert row.count == total
        assert row.rank == 1 + sum(number > total for number in rivals)
        assert row.tied == sum(number == total for number in rivals)
        rarer = [step for step in range(position) if merged[step] < total]
        assert row.ahead_of == (rarer[0] if rarer else None)
    if found.winner is not None:
        assert found.winner[2] == within[found.winner[:2]] == max(within.values())


@pytest.mark.parametrize("compiled", [False, True])
@given(corpus=corpora, recipe=recipes(), data=st.data())
def test_equals_the_oracle(
    compiled: bool, corpus: list[tuple[str, int]], recipe: Recipe, data: st.DataObject
) -> None:
    boundaries = boundaries_of(corpus, recipe, compiled)
    position = data.draw(st.integers(0, boundaries.length))
    merged = boundaries.history.count.tolist()
    assert_equals_oracle(boundaries.blocked_pairs(position), corpus, recipe, position, merged)


@settings(max_examples=2 * settings.default.max_examples)
@given(
    recipe=st.sampled_from(list(PRESETS.values())) | custom_recipes(),
    documents=st.lists(TEXTS, max_size=4),
    data=st.data(),
)
def test_pieces_do_not_matter(recipe: Recipe, documents: list[str], data: st.DataObject) -> None:
    counter = WordBigramCounter(recipe, block=data.draw(st.sampled_from([1, 2, 8, 1000])))
    text = "".join(documents)
    ends = np.cumsum([len(document) for document in documents]).tolist()
    cuts = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=5)))
    for begin, end in zip([0, *cuts], [*cuts, len(text)], strict=True):
        inside = [len(text[begin:e].encode()) for e in ends if begin < e <= end]
        counter.feed(text[begin:end].encode(), np.array(inside, np.int64))
    counter.end()
    found = counter.found(whole=True)
    expected = fed([(document, 1) for document in documents], recipe)
    assert rows(found) == rows(expected)
    assert found.occurrences.tolist() == expected.occurrences.tolist()
    counted = WordCounts.from_pairs([(document, 1) for document in documents], recipe)
    assert list(counter.words().items()) == list(counted.items())
    assert found.bytes_read == len(text.encode())


def rows(bigrams: WordBigrams) -> list[tuple[int, ...]]:
    columns = bigrams.left, bigrams.right, bigrams.apart, bigrams.count
    return list(zip(*(column.tolist() for column in columns), strict=True))


def test_a_full_stop_before_a_newline() -> None:
    recipe = preset("gpt2")
    corpus = [("One.\nTwo.\nThree\n.", 3)]
    boundaries = boundaries_of(corpus, recipe)
    found = boundaries.blocked_pairs(0)
    history = boundaries.history
    pair = found.pairs[0]
    assert (history.token_bytes(pair.left), history.token_bytes(pair.right)) == (b".", b"\n")
    assert (pair.across, pair.within, pair.apart) == (6, 0, 0)
    assert found.winner is not None
    assert found.winner[2] == 3
    assert (pair.rank, pair.tied) == (1, 0)
    assert found.whole


def test_dropped_white_space_is_told_apart() -> None:
    boundaries = boundaries_of([("low low, low", 1)], preset("char-bpe"))
    history = boundaries.history
    found = {
        (history.id_to_token(pair.left), history.id_to_token(pair.right)): (pair.across, pair.apart)
        for pair in boundaries.blocked_pairs(0).pairs
    }
    assert found == {("w</w>", "l"): (1, 1), ("w</w>", ",</w>"): (1, 0), (",</w>", "l"): (1, 1)}


def test_without_boundaries_nothing_is_blocked() -> None:
    boundaries = boundaries_of([("no boundaries here", 2), ("none", 1)], preset("raw"))
    assert boundaries.blocked_pairs(0).pairs == ()
    assert boundaries.blocked_pairs(0).distinct == 0


def test_a_pair_that_is_forbidden_by_hand_is_no_rival() -> None:
    recipe = preset("gpt2")
    corpus = [("ab ab ab ab. a", 1)]
    words = WordCounts.from_pairs(corpus, recipe)
    ids = {letter: trainer_id(words, recipe, letter) for letter in (b"a", b"b", b" ")}
    decided = [
        Intervention(0, Decision.FORBID, ids[b" "], ids[b"a"]),
        Intervention(0, Decision.FORBID, ids[b"a"], ids[b"b"]),
    ]
    trainer = Trainer(words, recipe, interventions=decided)
    boundaries = Boundaries(SegmentedCorpus(words, trainer.history), fed(corpus, recipe))
    found = boundaries.blocked_pairs(0)
    assert (found.pairs[0].left, found.pairs[0].right) == (ids[b"b"], ids[b" "])
    assert found.pairs[0].rank == 1
    assert found.winner is None


def trainer_id(words: WordCounts, recipe: Recipe, content: bytes) -> int:
    base = Trainer(words, recipe).history.base
    return base.contents.index(content)


def test_only_so_many_are_listed(tmp_path: Path) -> None:
    letters = [chr(0x4E00 + index) for index in range(MAX_PAIRS + 50)]
    text = " ".join(letters)
    boundaries = boundaries_of([(text, 1)], preset("lines"))
    found = boundaries.blocked_pairs(0)
    assert len(found.pairs) == MAX_PAIRS
    assert found.distinct == 2 * (len(letters) - 1)


def test_words_have_the_numbers_of_training(tmp_path: Path) -> None:
    text = " ".join(f"word{index % 500} x{index}." for index in range(60_000))
    for name in ("gpt2", "whitespace", "char-bpe"):
        corpus = written(tmp_path, text)
        counted = count_corpus(corpus, preset(name))
        seen: list[int] = []
        found = count_bigrams(corpus, preset(name), progress=seen.append)
        assert found.occurrences.tolist() == counted.counts.tolist()
        assert found.whole
        assert found.bytes_read == seen[-1] == len(text)


def test_of_too_many_neighbours_the_first_part_is_counted(tmp_path: Path) -> None:
    text = " ".join(f"a{index}x b{index % 7}" for index in range(300_000))
    corpus, recipe = written(tmp_path, text), preset("gpt2").with_changes(merges=5)
    words = count_corpus(corpus, recipe)
    found = count_bigrams(corpus, recipe, max_bigrams=1000)
    assert not found.whole
    assert len(found) >= 1000
    assert 0 < found.bytes_read < len(text)
    trainer = Trainer(words, recipe)
    trainer.advance(5)
    shown = Boundaries(SegmentedCorpus(words, trainer.history), found).blocked_pairs(0)
    assert not shown.whole
    assert all(pair.ahead_of is None for pair in shown.pairs), "merges count in the whole corpus"
    # The numbers are those of the part that was read.
    expected = boundaries_of([(text[: found.bytes_read], 1)], recipe).blocked_pairs(0)
    assert shown.pairs == expected.pairs


def test_another_corpus_than_that_of_the_run_is_noticed(tmp_path: Path) -> None:
    recipe = preset("gpt2")
    words = count_corpus(written(tmp_path, "one two three"), recipe)
    cut = SegmentedCorpus(words, Trainer(words, recipe).history)
    for text in ("one two", "one two three four", "one two two three"):
        found = count_bigrams(written(tmp_path, text), recipe)
        with pytest.raises(BoundaryError, match="has changed since"):
            Boundaries(cut, found)


def test_counting_can_be_given_up(tmp_path: Path) -> None:
    with pytest.raises(Cancelled):
        count_bigrams(written(tmp_path, "a b"), preset("gpt2"), cancelled=lambda: True)
    with pytest.raises(CorpusError):
        count_bigrams(Corpus([tmp_path / "missing.txt"]), preset("gpt2"))


def test_word_counts_have_neighbours_within_a_row() -> None:
    found = count_bigrams(sample("four-words"), preset("gpt2"))
    assert len(found) == 0
    assert found.occurrences.tolist() == [5, 2, 6, 3]
