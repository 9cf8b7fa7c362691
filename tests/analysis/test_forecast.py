"""Slices of corpora, and what is estimated from them."""

from __future__ import annotations

import os
import random
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example as with_example
from hypothesis import given
from hypothesis import strategies as st

from bpe_gui.analysis.corpus_slice import CorpusSlice, read_slice
from bpe_gui.analysis.forecast import (
    Estimate,
    Measured,
    Training,
    about_size,
    about_time,
    estimate,
    measure,
)
from bpe_gui.bpe.corpus import Corpus, CorpusOptions, sample
from bpe_gui.bpe.errors import Cancelled
from bpe_gui.bpe.recipe import PRESETS, Recipe
from bpe_gui.bpe.regexes import PatternError
from bpe_gui.bpe.trainer import Trainer
from bpe_gui.bpe.words import WordCounts, count_corpus, to_initial_ids


def never() -> bool:
    return False


def nothing() -> None:
    """Nobody gives it up."""


def written(tmp_path: Path, text: str, **options: object) -> Corpus:
    path = tmp_path / "corpus.txt"
    path.write_bytes(text.encode())
    return Corpus([path], CorpusOptions(**options))  # type: ignore[arg-type]


def slice_of(corpus: Corpus, size: int) -> CorpusSlice:
    found = read_slice(corpus, never, size)
    assert found is not None
    return found


def estimated(measured: Measured) -> Estimate:
    found = estimate(measured)
    assert found is not None
    return found


def same(one: WordCounts, other: WordCounts) -> bool:
    return list(one.items()) == list(other.items())


def random_words(count: int) -> str:
    """Text like a language's: few words often, many seldom."""
    chance = random.Random(1)
    letters = "etaoinshrdlu"
    return " ".join(
        "".join(chance.choices(letters, k=1 + int(chance.paretovariate(1.2)) % 9))
        for _ in range(count)
    )


def test_a_small_corpus_is_measured_whole(tmp_path: Path) -> None:
    corpus = written(tmp_path, "één line\nand another\n", documents="line")
    part = slice_of(corpus, 1000)
    assert part.whole
    assert part.times == 1
    assert list(part.documents()) == ["één line", "and another"]
    recipe = PRESETS["gpt2"]
    assert same(part.count(recipe, check=nothing), count_corpus(corpus, recipe))


def test_the_slice_of_a_large_corpus_is_its_beginning(tmp_path: Path) -> None:
    text = random_words(200_000)
    corpus = written(tmp_path, text)
    part = slice_of(corpus, 100_000)
    assert not part.whole
    assert text.encode().startswith(part.text)
    assert part.times == pytest.approx(len(text) / len(part.text), rel=0.01)
    assert part.whole_text == pytest.approx(len(text), rel=0.01)


def test_a_table_of_word_counts_is_measured_by_rows(tmp_path: Path) -> None:
    corpus = sample("four-words")
    part = slice_of(corpus, 100)
    assert (part.whole, part.rows[0]) == (True, ("low", 5))
    recipe = PRESETS["whitespace"]
    assert same(part.count(recipe, check=nothing), count_corpus(corpus, recipe))
    table = tmp_path / "words.csv"
    table.write_text("word,count\n" + "".join(f"w{n},{n + 1}\n" for n in range(200_000)))
    large = slice_of(Corpus([table]), 100)
    assert len(large.rows) == 50_000
    assert not large.whole
    assert 3 < large.times < 5
    half = large.first(1 << 20)
    assert len(half.rows) == 25_000
    assert half.times == pytest.approx(2 * large.times, rel=0.01)


def test_what_can_be_read_only_once_is_left_alone(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert read_slice(Corpus([tmp_path / "pipe"]), never) is None
    assert read_slice(Corpus(["-"]), never) is None


@given(st.text(alphabet="aé中🙂\n", min_size=1), st.integers(0, 200), st.data())
def test_the_first_part_of_a_slice(text: str, size: int, data: st.DataObject) -> None:
    encoded = text.encode()
    cuts = data.draw(st.lists(st.integers(0, len(text)), max_size=4, unique=True).map(sorted))
    ends = np.unique([len(text[:cut].encode()) for cut in (*cuts, len(text))])
    whole = CorpusSlice(encoded, ends, len(encoded), len(encoded), True)
    part = whole.first(size)
    assert len(part.text) <= max(size, 0) or part is whole
    assert len(encoded) - len(part.text) < 4 or len(part.text) > size - 4
    assert "".join(part.documents()) == part.text.decode()
    assert "".join(whole.documents()) == text
    assert text.startswith(part.text.decode())


def test_a_cancelled_measurement_ends(tmp_path: Path) -> None:
    corpus = written(tmp_path, "some words")
    with pytest.raises(Cancelled):
        read_slice(corpus, lambda: True)
    part = slice_of(corpus, 100)
    with pytest.raises(Cancelled):
        measure(part, PRESETS["gpt2"], lambda: True)


@pytest.mark.parametrize("name", ["gpt2", "raw", "char-bpe"])
def test_memory_is_what_the_run_then_takes(tmp_path: Path, name: str) -> None:
    corpus = written(tmp_path, random_words(150_000))
    recipe = PRESETS[name]
    if recipe.vocabulary_size is not None:
        recipe = recipe.with_changes(vocabulary_size=1000)
    measured = measure(slice_of(corpus, 200_000), recipe, never)
    assert not measured.slice.whole
    expected = estimated(measured).memory
    trainer = Trainer(count_corpus(corpus, recipe), recipe)
    trainer.advance(1_000_000)
    taken = trainer.memory + trainer.history.memory
    assert taken / 2 < expected < taken * 2


def test_a_small_corpus_is_trained_as_the_recipe_says(tmp_path: Path) -> None:
    corpus = written(tmp_path, random_words(2000))
    recipe = PRESETS["gpt2"].with_changes(vocabulary_size=300)
    measured = measure(slice_of(corpus, 1 << 20), recipe, never)
    assert measured.growth == 1.0
    training = measured.training
    assert training is not None
    assert (training.merges, training.merges_left) == (44, 0)
    found = estimated(measured)
    assert found.seconds == max(measured.counting, measured.slice.reading) + training.seconds
    assert found.how == "All 8.0 kB were counted and trained here."


def test_a_vocabulary_that_is_too_small_is_measured_all_the_same(tmp_path: Path) -> None:
    corpus = written(tmp_path, "abcdef")
    recipe = PRESETS["raw"].with_changes(vocabulary_size=3)
    measured = measure(slice_of(corpus, 100), recipe, never)
    assert (len(measured.symbols.base), measured.training) == (6, None)
    assert estimate(measured) is None


def test_a_pattern_that_explodes_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bpe_gui.bpe.regexes.SECONDS_A_MATCH", 0.05)
    corpus = written(tmp_path, "a" * 5000 + "b")
    with pytest.raises(PatternError, match="takes too long"):
        measure(slice_of(corpus, 100), Recipe(split="regex:(a+)+$"), never)


def test_a_recipe_that_is_slow_is_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bpe_gui.analysis.forecast._LONGEST_SLICE", 0.0)
    corpus = written(tmp_path, "ab " * 10_000)
    with pytest.raises(PatternError, match="more than 0 s for the first"):
        measure(slice_of(corpus, 100), Recipe(split="regex:[ab]+| "), never)


def example() -> Measured:
    """A hundredth of a corpus: counted in 1 s, trained in 3 s with 100 merges left."""
    part = CorpusSlice(b"", np.empty(0, np.int64), 1, 100, False)
    training = Training(3.0, 100, 100, 0.01, 1000, 8.0)
    words = WordCounts.from_pairs([("a", 1)], Recipe(), compiled=False)
    return Measured(part, words, to_initial_ids(words, Recipe()), 0.5, 1.0, training)


def test_text_counts_by_its_length_and_distinct_words_by_their_growth() -> None:
    found = estimated(example())
    # 100 times the text has 10 times the distinct words; a merge takes as one over its rank.
    assert found.seconds == pytest.approx(100 * 1.0 + 10 * (3.0 + 100 * 0.01 * np.log(2)))
    assert found.memory == 10 * 1000 + 200 * 8
    assert "1 bytes of 100 bytes were counted" in found.how
    assert "for 100 merges" in found.how


@given(st.floats(0, 1e9))
@with_example(99.6)
@with_example(999.5)
@with_example(5_999.0)
@with_example(999_999.0)
def test_times_and_sizes_are_short(number: float) -> None:
    assert len(about_time(number)) <= 18
    assert "e+" not in about_time(number)
    assert len(about_size(number)) <= 9
    assert "," not in about_size(number)
