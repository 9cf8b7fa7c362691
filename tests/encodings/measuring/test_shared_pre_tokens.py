"""Encodings measured on the different pre-tokens of a corpus, which is counted once for them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from threading import Thread

import pytest
import regex
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bpe_gui.bpe.corpus import Block, Corpus
from bpe_gui.bpe.errors import Cancelled
from bpe_gui.bpe.recipe import Recipe, preset
from bpe_gui.encodings.measuring.measure import Document, measure, measure_all
from bpe_gui.encodings.measuring.shared_pre_tokens import SharedPreTokens
from bpe_gui.encodings.ours import TrainedEncoding
from tests.bpe.custom_recipes import custom_recipes
from tests.bpe.test_pre_tokenize import TEXTS
from tests.bpe.test_trainer import trained
from tests.encodings.measuring.test_measure import (
    LEARNED,
    TELLING_TEXTS,
    Stream,
    encoding_of,
    whole,
)
from tests.encodings.runs import byte_recipe

DOCUMENTS = st.lists((TEXTS | TELLING_TEXTS).filter(bool), min_size=1, max_size=4)
SIZES = st.lists(st.integers(1, 20), min_size=1, max_size=8)
NOT_READ = Document(iter(()), "a text that nobody needs")


@pytest.mark.parametrize("name", ["gpt2", "gpt4", "o200k", "categories"])
@settings(max_examples=settings.default.max_examples // 3)
@given(documents=DOCUMENTS, sizes=SIZES)
def test_pre_tokens_tell_all_of_a_text(name: str, documents: list[str], sizes: list[int]) -> None:
    encoding = encoding_of(name)
    # These separate words for Python, and are no white space for a regex.
    without = dict.fromkeys(range(0x1C, 0x20), "-")
    documents = [document.translate(without) for document in documents]
    if name == "o200k":
        # A pre-token goes on with a slash after a newline: it reaches into two words.
        documents = [regex.sub(r"(?<=[\r\n])/", "-", document) for document in documents]
    shared = SharedPreTokens(Stream(documents, sizes))  # type: ignore[arg-type]
    found = measure(encoding, NOT_READ, shared=shared)
    assert found.metrics == whole(encoding.history, documents)
    assert found.documents == len(documents)


@example(recipe=byte_recipe("punctuation"), documents=["0:1 a", "-b"], sizes=[1])
@example(recipe=byte_recipe("matches:a*|(?<=b)é"), documents=["0"], sizes=[1])
@given(recipe=custom_recipes(), documents=DOCUMENTS, sizes=SIZES)
def test_any_recipe_is_measured_exactly(
    recipe: Recipe, documents: list[str], sizes: list[int]
) -> None:
    encoding = TrainedEncoding(trained([*LEARNED, (documents[0], 2)], recipe).history)
    corpus = Stream(documents, sizes)
    shared = SharedPreTokens(corpus)  # type: ignore[arg-type]
    found = measure(encoding, corpus, shared=shared)  # type: ignore[arg-type]
    assert found.metrics == whole(encoding.history, documents)


@settings(max_examples=2 * settings.default.max_examples)
@given(
    documents=DOCUMENTS,
    sizes=SIZES,
    special=st.sampled_from(["low", "'s", "中", "b b"]),
    as_text=st.booleans(),
)
def test_special_tokens_are_found(
    documents: list[str], sizes: list[int], special: str, as_text: bool
) -> None:
    corpus = Stream(documents, sizes)
    encoding = encoding_of("gpt2", special_tokens=(special,))
    shared = SharedPreTokens(corpus)  # type: ignore[arg-type]
    options = {"specials_as_text": as_text}
    alone = measure(encoding, corpus, **options)  # type: ignore[arg-type]
    found = measure(encoding, corpus, shared=shared, **options)  # type: ignore[arg-type]
    assert found.metrics == alone.metrics


class ReadOnce(Stream):
    """A corpus that may be read a single time."""

    readings = 0

    def blocks(self, waiting: object = None) -> Iterator[Block]:
        type(self).readings += 1
        return super().blocks(waiting)


def test_encodings_that_split_alike_share_one_reading(tmp_path: Path) -> None:
    encodings = [encoding_of("gpt2", vocabulary_size=256 + merges) for merges in range(5)]
    shared = SharedPreTokens(ReadOnce(["the tent, the sea"], [4]))  # type: ignore[arg-type]
    found = measure_all(encodings, NOT_READ, shared=shared)
    assert ReadOnce.readings == 1
    assert [one.metrics for one in found] == [
        whole(encoding.history, ["the tent, the sea"]) for encoding in encodings
    ]


@given(documents=DOCUMENTS, sizes=SIZES)
def test_all_positions_of_a_run_share_what_its_merges_do(
    documents: list[str], sizes: list[int]
) -> None:
    history = encoding_of("gpt2").history
    positions = (len(history), 0, len(history) // 2)
    shared = SharedPreTokens(Stream(documents, sizes))  # type: ignore[arg-type]
    encodings = [TrainedEncoding(history, position) for position in positions]
    found = measure_all(encodings, Stream(documents, sizes), shared=shared)  # type: ignore[arg-type]
    assert [one.metrics for one in found] == [
        whole(history.until(position), documents) for position in positions
    ]


def test_threads_that_ask_at_once_share_one_reading(tmp_path: Path) -> None:
    file = tmp_path / "lines.txt"
    file.write_text("low lower lowest, é\n" * 9)
    shared = SharedPreTokens(Corpus([file]))
    recipe = preset("gpt2")
    found: list[object] = []

    def ask() -> None:
        found.append(shared.of(recipe, (), check=lambda: None, progress=lambda done: None))

    threads = [Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found[0] is not None
    assert all(one is found[0] for one in found)


def test_can_be_given_up(tmp_path: Path) -> None:
    file = tmp_path / "lines.txt"
    file.write_text("low lower lowest\n" * 9)
    with pytest.raises(Cancelled):
        measure(encoding_of("gpt2"), Corpus([file]), cancelled=lambda: True)
