"""The beginning of a corpus, and what is estimated from it."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest
from hypothesis import example as with_example
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from bpe_gui.analysis.corpus_beginning import Beginning, read_corpus_beginning
from bpe_gui.analysis.forecast import Estimate, Measured, about_size, about_time, measure
from bpe_gui.bpe.corpus import Corpus, CorpusOptions, sample
from bpe_gui.bpe.errors import Cancelled
from bpe_gui.bpe.formats import Texts
from bpe_gui.bpe.recipe import PRESETS, Recipe
from bpe_gui.bpe.regexes import PatternError
from bpe_gui.bpe.trainer import Trainer
from bpe_gui.bpe.words import WordCounts, count_corpus


def never() -> bool:
    return False


def written(tmp_path: Path, text: str, **options: object) -> Corpus:
    path = tmp_path / "corpus.txt"
    path.write_bytes(text.encode())
    return Corpus([path], CorpusOptions(**options))  # type: ignore[arg-type]


def beginning_of(corpus: Corpus, size: int) -> Beginning:
    found = read_corpus_beginning(corpus, never, size)
    assert found is not None
    return found


def estimated(measured: Measured) -> Estimate:
    assert measured.estimate is not None
    return measured.estimate


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
    beginning = beginning_of(corpus, 1000)
    assert beginning.is_whole
    assert beginning.scale == 1
    assert beginning.texts == (("één line", 1), ("and another", 1))
    recipe = PRESETS["gpt2"]
    assert same(beginning.count(recipe, cancelled=never), count_corpus(corpus, recipe))


@pytest.mark.parametrize("size", [1, 100_000, 100_001, 1 << 18, 300_000])
def test_of_a_large_corpus_the_beginning_is_taken(tmp_path: Path, size: int) -> None:
    text = random_words(100_000) + "é" * 400_000
    beginning = beginning_of(written(tmp_path, text), size)
    assert not beginning.is_whole
    [(begun, _)] = beginning.texts
    assert text.startswith(begun)
    assert size - 1 <= beginning.text_size <= size
    assert beginning.scale == pytest.approx(len(text.encode()) / size, rel=0.01)


@given(st.lists(st.text(alphabet="aé中🙂"), min_size=1), st.integers(1, 30))
def test_documents_are_taken_in_order(documents: list[str], size: int) -> None:
    documents = [document for document in documents if document] or ["a"]

    class Given(Corpus):
        def __init__(self) -> None:
            self.word_counts = False

        def find_size(self, *_):  # type: ignore[no-untyped-def]
            return sum(len(document.encode()) for document in documents)

        def blocks(self, *_):  # type: ignore[no-untyped-def]
            yield from Texts(documents).blocks()

    found = beginning_of(Given(), size)
    taken = [text for text, _ in found.texts]
    assert "".join(taken) == "".join(documents).encode()[:size].decode(errors="ignore")
    assert taken[:-1] == documents[: len(taken) - 1]
    assert found.is_whole == (size >= found.corpus_size)


def test_a_table_of_word_counts_is_measured_by_rows(tmp_path: Path) -> None:
    corpus = sample("four-words")
    beginning = beginning_of(corpus, 100)
    assert (beginning.is_whole, beginning.texts[0]) == (True, ("low", 5))
    recipe = PRESETS["whitespace"]
    assert same(beginning.count(recipe, cancelled=never), count_corpus(corpus, recipe))
    table = tmp_path / "words.csv"
    table.write_text("word,count\n" + "".join(f"w{n},{n + 1}\n" for n in range(200_000)))
    large = beginning_of(Corpus([table]), 100)
    assert len(large.texts) == 50_000
    assert not large.is_whole
    assert 3 < large.scale < 5


def test_what_can_be_read_only_once_is_left_alone(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert read_corpus_beginning(Corpus([tmp_path / "pipe"]), never) is None
    assert read_corpus_beginning(Corpus(["-"]), never) is None


def test_a_cancelled_measurement_ends(tmp_path: Path) -> None:
    corpus = written(tmp_path, "some words")
    with pytest.raises(Cancelled):
        read_corpus_beginning(corpus, lambda: True)
    for beginning in (beginning_of(corpus, 100), beginning_of(sample("four-words"), 100)):
        with pytest.raises(Cancelled):
            measure(beginning, PRESETS["gpt2"], lambda: True)


@pytest.mark.parametrize("name", ["gpt2", "raw", "char-bpe"])
def test_memory_is_what_the_run_then_takes(tmp_path: Path, name: str) -> None:
    corpus = written(tmp_path, random_words(150_000))
    recipe = PRESETS[name]
    if recipe.vocabulary_size is not None:
        recipe = recipe.with_changes(vocabulary_size=1000)
    measured = measure(beginning_of(corpus, 200_000), recipe, never)
    assert not measured.beginning.is_whole
    expected = estimated(measured).memory
    trainer = Trainer(count_corpus(corpus, recipe), recipe)
    trainer.advance(1_000_000)
    taken = trainer.memory + trainer.history.memory
    assert taken / 2 < expected < taken * 2


def test_a_small_corpus_is_trained_as_the_recipe_says(tmp_path: Path) -> None:
    corpus = written(tmp_path, random_words(2000))
    recipe = PRESETS["gpt2"].with_changes(vocabulary_size=300)
    beginning = replace(beginning_of(corpus, 1 << 20), seconds=50.0)
    found = estimated(measure(beginning, recipe, never))
    assert found.seconds >= 50, "reading is slower than counting"
    assert found.how == "All 8.0 kB were counted and trained here."
    trainer = Trainer(count_corpus(corpus, recipe), recipe)
    trainer.advance(1_000_000)
    assert found.memory >= trainer.memory


def test_text_counts_by_its_length_and_distinct_words_by_their_growth(tmp_path: Path) -> None:
    text = random_words(20_000)
    whole = Beginning(((text, 1),), len(text), len(text), True, seconds=50.0)
    part = replace(whole, corpus_size=100 * len(text), is_whole=False)
    recipe = PRESETS["gpt2"].with_changes(vocabulary_size=300)
    small, large = (estimated(measure(one, recipe, never)) for one in (whole, part))
    assert large.seconds >= 100 * 50
    assert 2 * small.memory < large.memory < 80 * small.memory
    assert large.how.startswith(f"The first {about_size(len(text))} of ")


def test_rows_of_a_table_grow_with_its_length() -> None:
    rows = tuple((f"w{n}", n + 10) for n in range(1000))
    whole = Beginning(rows, 1000, 1000, True, is_table=True)
    part = replace(whole, corpus_size=100_000, is_whole=False)
    recipe = PRESETS["gpt2"].with_changes(vocabulary_size=300)
    small, large = (estimated(measure(one, recipe, never)) for one in (whole, part))
    assert large.memory > 50 * small.memory


def test_a_vocabulary_that_is_too_small_is_measured_all_the_same(tmp_path: Path) -> None:
    corpus = written(tmp_path, "abcdef")
    recipe = PRESETS["raw"].with_changes(vocabulary_size=3)
    measured = measure(beginning_of(corpus, 100), recipe, never)
    assert (len(measured.symbols.base), measured.estimate) == (6, None)


def test_a_pattern_that_explodes_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bpe_gui.bpe.regexes.SECONDS_A_MATCH", 0.05)
    corpus = written(tmp_path, "a" * 5000 + "b")
    with pytest.raises(PatternError, match="takes too long"):
        measure(beginning_of(corpus, 1 << 20), Recipe(split="regex:(a+)+$"), never)


def test_a_recipe_that_is_slow_is_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bpe_gui.analysis.forecast.COUNTING_LIMIT", 0.0)
    corpus = written(tmp_path, "ab " * 10_000)
    with pytest.raises(PatternError, match="more than 0 s for the first 30 kB"):
        measure(beginning_of(corpus, 1 << 20), Recipe(split="regex:[ab]+| "), never)


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
