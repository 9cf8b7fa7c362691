"""The tokens that cross boundaries, found by merging documents as they are written."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_gui.analysis.superwords import Superwords, learn_superwords, without_boundaries
from bpe_gui.bpe.corpus import Corpus, sample
from bpe_gui.bpe.errors import Cancelled
from bpe_gui.bpe.normalize import normalize
from bpe_gui.bpe.recipe import MATCHES, PRESETS, Recipe, preset
from bpe_gui.bpe.text_files import CorpusError
from tests import oracle
from tests.bpe.corpus_reading import written
from tests.bpe.custom_recipes import custom_recipes
from tests.bpe.test_pre_tokenize import TEXTS


class Given(Corpus):
    """Documents with counts, as a table of word counts gives them."""

    def __init__(self, documents: list[tuple[str, int]]) -> None:
        self.word_counts = True
        self._rows = documents

    def find_size(self, *_):  # type: ignore[no-untyped-def]
        return 1

    def counted_words(self, *_):  # type: ignore[no-untyped-def]
        yield from self._rows


def units(text: str, recipe: Recipe) -> list[bytes]:
    """The symbols of a text, as bytes."""
    if recipe.byte_level:
        return [bytes([byte]) for byte in text.encode("utf-8", "surrogateescape")]
    return [character.encode("utf-8") for character in text]


def boundaries_of(text: str, recipe: Recipe) -> set[int]:
    """Before which symbols of a normalized document there is a boundary."""
    words = oracle.words_of(text, recipe.with_changes(normalizers=()))
    boundaries, end, passed = set(), 0, 0
    for word in words:
        begin = end
        if recipe.split in ("whitespace", "bert") or recipe.split.startswith(MATCHES):
            place = text.index(word, passed)
            begin = len(units(text[:place], recipe))
            passed = place + len(word)
        boundaries |= {*range(end, begin + 1), begin + len(units(word, recipe))}
        end = begin + len(units(word, recipe))
    return boundaries | set(range(end, len(units(text, recipe)) + 1))


def expected_rows(
    documents: list[tuple[str, int]], recipe: Recipe
) -> list[tuple[int, int, int, tuple[bytes, ...]]]:
    """Step, occurrences, those across, and parts of the first, of the tokens across boundaries."""
    run = oracle.train(documents, without_boundaries(recipe))
    counts: dict[str, int] = {}
    for document, count in documents:
        text = normalize(document, recipe.normalizers)
        counts[text] = counts.get(text, 0) + count
    texts = [
        (units(text, recipe), boundaries_of(text, recipe), n) for text, n in counts.items() if text
    ]
    spelled = [
        [
            run.vocabulary.index(symbol)
            for symbol in oracle.symbols_of(text, without_boundaries(recipe))
        ]
        for text in counts
        if text
    ]
    # Tokens as (id, first symbol, end).
    tokens = [[(token, i, i + 1) for i, token in enumerate(word)] for word in spelled]
    found = []
    for step, (left, right, new) in enumerate(run.merges):
        made, across, parts = 0, 0, None
        for (symbols, boundaries, count), row in zip(texts, tokens, strict=True):
            i = 0
            while i < len(row) - 1:
                if (row[i][0], row[i + 1][0]) == (left, right):
                    begin, end = row[i][1], row[i + 1][2]
                    row[i : i + 2] = [(new, begin, end)]
                    made += count
                    cuts = [begin, *(w for w in sorted(boundaries) if begin < w < end), end]
                    if len(cuts) > 2:
                        across += count
                        parts = parts or tuple(
                            b"".join(symbols[a:b]) for a, b in itertools.pairwise(cuts)
                        )
                i += 1
        if parts is not None and 2 * across >= made:
            found.append((step, made, across, parts))
    return found


def rows(found: Superwords) -> list[tuple[int, int, int, tuple[bytes, ...]]]:
    return [(c.step, c.occurrences, c.across, c.parts) for c in found.tokens]


@pytest.mark.parametrize("compiled", [False, True])
@given(
    recipe=st.sampled_from(list(PRESETS.values())) | custom_recipes(),
    documents=st.lists(st.tuples(TEXTS, st.integers(1, 4)), min_size=1, max_size=4),
)
def test_equals_the_oracle(
    compiled: bool, recipe: Recipe, documents: list[tuple[str, int]]
) -> None:
    found = learn_superwords(Given(documents), recipe, wanted=10_000, compiled=compiled)
    assert rows(found) == expected_rows(documents, recipe)
    assert found.whole
    text = [normalize(document, recipe.normalizers).encode("utf-8") for document, _ in documents]
    for token in found.tokens:
        shown = token.before + token.content + token.after
        assert any(shown in document for document in text)
        if not recipe.byte_level:
            token.before.decode("utf-8")
            token.after.decode("utf-8")


def test_the_first_tokens_of_an_english_text(tmp_path: Path) -> None:
    corpus = written(tmp_path, "One day, the end. One day, the end. One more.")
    seen: list[int] = []
    found = learn_superwords(corpus, preset("gpt2"), wanted=2, progress=seen.append)
    first = found.tokens[0]
    assert first.parts == (b"e", b" ")
    assert (first.pair_count, first.occurrences, first.across) == (5, 5, 5)
    assert (first.before, first.after) == (b"On", b"day, the end. One day, t")
    assert len(found.tokens) == 2
    assert seen == [0]
    assert found.bytes_read == 45


def test_of_a_long_text_the_beginning_is_taken(tmp_path: Path) -> None:
    corpus = written(tmp_path, "é, è. " * 1000)
    for size in (101, 102, 1000):
        found = learn_superwords(corpus, preset("gpt2"), max_bytes=size)
        assert size - 1 <= found.bytes_read <= size
        assert not found.whole
    assert learn_superwords(corpus, preset("gpt2")).whole


def test_no_boundaries_are_found_where_there_are_none() -> None:
    assert learn_superwords(sample("four-words"), preset("gpt2")).tokens == ()


def test_what_can_be_read_only_once_is_an_error() -> None:
    with pytest.raises(CorpusError, match="only once"):
        learn_superwords(Corpus(["-"]), preset("gpt2"))


def test_it_can_be_given_up(tmp_path: Path) -> None:
    with pytest.raises(Cancelled):
        learn_superwords(written(tmp_path, "a b"), preset("gpt2"), cancelled=lambda: True)
    asked = iter([False] * 3 + [True])
    corpus = written(tmp_path, " ".join(f"{n * n}" for n in range(1000)))
    with pytest.raises(Cancelled):
        learn_superwords(corpus, preset("raw"), cancelled=lambda: next(asked))
