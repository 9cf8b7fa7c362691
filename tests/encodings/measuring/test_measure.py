"""Measuring files and folders: what measuring each document whole gives."""

from __future__ import annotations

import gzip
import tracemalloc
from collections.abc import Iterator
from functools import cache
from itertools import cycle
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bpe_gui.analysis.metrics import Counts, Metrics
from bpe_gui.bpe import tokenizer
from bpe_gui.bpe.corpus import Block, Corpus, CorpusError, CorpusOptions
from bpe_gui.bpe.errors import Cancelled
from bpe_gui.bpe.history import NO_TOKEN, History
from bpe_gui.bpe.recipe import PRESETS, Recipe, preset
from bpe_gui.bpe.tokenizer import Tokenizer, Tokens
from bpe_gui.encodings.base import EncodingError, Model
from bpe_gui.encodings.measuring import measure as module
from bpe_gui.encodings.measuring.measure import measure
from bpe_gui.encodings.ours import TrainedEncoding
from tests.bpe.custom_recipes import TELLING, custom_recipes
from tests.bpe.test_pre_tokenize import TEXTS
from tests.bpe.test_trainer import trained

TELLING_TEXTS = st.text(st.sampled_from(TELLING), max_size=30)
LEARNED = [("abba a\nb 's 12 ab low lower lowest é中", 3)]


class Stream:
    """Documents as a corpus gives them out, cut into blocks between any two characters."""

    word_counts = False
    name = "the texts"

    def __init__(self, documents: list[str], sizes: list[int]) -> None:
        self._text = "".join(documents)
        self._ends = np.cumsum([len(document) for document in documents]).tolist()
        self._sizes = sizes
        self.skipped_files: dict[str, int] = {}

    def blocks(self, waiting: Any = None) -> Iterator[Block]:
        done = 0
        sizes = cycle(self._sizes)
        while done < len(self._text):
            end = done + next(sizes)
            piece = self._text[done:end]
            ends = [len(self._text[done:e].encode()) for e in self._ends if done < e <= end]
            done = end
            yield Block(piece.encode(), np.array(ends, np.int64), done)


class Characters:
    """An encoding with a token for each character but a few, and no word on safe cuts."""

    name = "characters"
    model = Model.WORD_LEVEL
    vocabulary_size = 129
    unknown = 128

    def __init__(self) -> None:
        self.asked: list[str] = []

    def encode(self, text: str, *, specials_as_text: bool = False) -> Tokens:
        self.asked.append(text)
        ids = [ord(c) if c.isascii() else self.unknown if c == "é" else NO_TOKEN for c in text]
        ends = np.cumsum([len(c.encode()) for c in text]).astype(np.int64)
        starts = np.append(0, ends)[:-1]
        places = np.arange(len(text))
        return Tokens(np.array(ids, np.int32), starts, ends, places, places + 1)

    def is_unknown(self, token: int) -> bool:
        return token in (self.unknown, NO_TOKEN)

    def token_bytes(self, token: int) -> bytes:
        return b"[UNK]" if token == self.unknown else bytes([token])


def whole(history: History, documents: list[str]) -> Metrics:
    """Each document encoded by itself."""
    counts = Counts()
    unknown = {token: history.bytes_in_text(token) for token in history.recipe.unknown_ids}
    for document in documents:
        data = document.encode()
        tokens = Tokenizer(history).encode(document)
        counts.add(data, np.array([len(data)]), tokens, unknown)
    return counts.metrics(history.vocabulary_size(len(history)))


@cache
def encoding_of(name: str, **changes: Any) -> Any:
    """A preset trained on little, or the foreign one."""
    if name == "foreign":
        return Characters()
    return TrainedEncoding(trained(LEARNED, preset(name).with_changes(**changes)).history)


@pytest.mark.parametrize("name", PRESETS)
@settings(max_examples=settings.default.max_examples // 3)
@given(documents=st.lists(TEXTS.filter(bool), min_size=1, max_size=4), data=st.data())
def test_ours_is_exact_in_blocks_of_any_size(
    name: str, documents: list[str], data: st.DataObject
) -> None:
    encoding = encoding_of(name)
    sizes = data.draw(st.lists(st.integers(1, 20), min_size=1, max_size=8))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "PIECE", data.draw(st.sampled_from([1, 4, 16, 1000])))
        found = measure(encoding, Stream(documents, sizes))
    assert found.metrics == whole(encoding.history, documents)
    assert found.documents == len(documents)


@given(
    recipe=custom_recipes(),
    documents=st.lists((TEXTS | TELLING_TEXTS).filter(bool), min_size=1, max_size=4),
    data=st.data(),
)
def test_recipes_of_ones_own_are_measured_exactly(
    recipe: Recipe, documents: list[str], data: st.DataObject
) -> None:
    encoding = TrainedEncoding(trained([*LEARNED, (documents[0], 2)], recipe).history)
    sizes = data.draw(st.lists(st.integers(1, 20), min_size=1, max_size=8))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "PIECE", data.draw(st.sampled_from([1, 4, 16, 1000])))
        found = measure(encoding, Stream(documents, sizes))
    assert found.metrics == whole(encoding.history, documents)


@given(document=TEXTS, sizes=st.lists(st.integers(1, 20), min_size=1, max_size=4))
def test_several_encodings_are_measured_in_one_reading(document: str, sizes: list[int]) -> None:
    encodings = [encoding_of(name) for name in ("gpt2", "whitespace", "foreign")]
    blocks = [block.text for block in Stream([document], sizes).blocks()]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "PIECE", 8)
        found = module.measure_all(encodings, module.Document(iter(blocks), "it"))
        each = [measure(encoding, Stream([document or " "], [100])) for encoding in encodings]
    assert [one.documents for one in found] == [1, 1, 1]
    if document:
        assert [one.metrics for one in found] == [one.metrics for one in each]


@given(documents=st.lists(TEXTS.filter(bool), min_size=1, max_size=4), size=st.integers(1, 9))
def test_special_tokens_are_not_cut(documents: list[str], size: int) -> None:
    encoding = encoding_of("gpt2", special_tokens=("a\nb", "a\nbc", "1 1", "\n"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "PIECE", 1)
        found = measure(encoding, Stream(documents, [size]))
        as_text = measure(encoding, Stream(documents, [size]), specials_as_text=True)
    assert found.metrics == whole(encoding.history, documents)
    counts = Counts()
    for document in documents:
        data = document.encode()
        tokens = encoding.encode(document, specials_as_text=True)
        counts.add(data, np.array([len(data)]), tokens)
    assert as_text.metrics == counts.metrics(encoding.vocabulary_size)


def test_a_position_of_a_run() -> None:
    encoding = encoding_of("gpt2", vocabulary_size=270)
    stream = Stream(["low lower lowest"], [100])
    assert measure(encoding.at(0), stream).metrics.tokens == 16
    assert measure(encoding, stream).metrics.tokens < 16


@given(documents=st.lists(TEXTS.filter(bool), min_size=1, max_size=4), size=st.integers(1, 9))
def test_a_foreign_encoding_is_asked_for_whole_documents(
    documents: list[str], size: int
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "PIECE", 1)
        encoding = Characters()
        found = measure(encoding, Stream(documents, [size]))
    assert encoding.asked == documents
    text = "".join(documents)
    assert found.metrics.tokens == found.metrics.characters == len(text)
    assert found.metrics.unknowns == sum(not character.isascii() for character in text)


@pytest.mark.parametrize("name", ["raw", "foreign"])
def test_a_document_too_long_to_be_held_is_refused(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "PIECE", 10)
    monkeypatch.setattr(module, "MAX_WHOLE", 100)
    encoding = encoding_of(name)
    short = "low lower lowest " * 5
    assert measure(encoding, Stream([short] * 10, [30])).documents == 10
    with pytest.raises(EncodingError, match="the texts has more than 0 MB without a place"):
        measure(encoding, Stream([short, short * 2], [30]))


def test_the_formats_of_a_corpus(tmp_path: Path) -> None:
    text = "low lower\nlowest 中 é\n"
    (tmp_path / "a.txt").write_text(text)
    (tmp_path / "b.txt.gz").write_bytes(gzip.compress(text.encode()))
    (tmp_path / "c.jsonl").write_text('{"text": "low lower"}\n{"text": "lowest"}\n')
    encoding = encoding_of("gpt4")
    expected = whole(encoding.history, [text, text, "low lower", "lowest"])
    found = measure(encoding, Corpus([tmp_path]))
    assert found.metrics == expected
    assert found.documents == 4
    lines = measure(encoding, Corpus([tmp_path / "a.txt"], CorpusOptions(documents="line")))
    assert lines.metrics == whole(encoding.history, text.splitlines())


@pytest.mark.parametrize("name", ["gpt2", "foreign"])
def test_a_table_of_word_counts(name: str, tmp_path: Path) -> None:
    encoding = encoding_of(name)
    table = tmp_path / "words.csv"
    table.write_text("word,count\nlow,5\nnewest,6\n")
    found = measure(encoding, Corpus([table]))
    one = measure(encoding, Stream(["low"] * 5 + ["newest"] * 6, [1000]))
    assert (found.metrics, found.documents) == (one.metrics, one.documents)
    assert found.metrics.words == 11


def test_what_cannot_be_read_is_said(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match="nowhere"):
        measure(encoding_of("gpt2"), Corpus([tmp_path / "nowhere.txt"]))


def test_progress_reaches_the_size_of_the_file(tmp_path: Path) -> None:
    file = tmp_path / "text"
    file.write_text("low lower lowest\n" * 200_000)
    told: list[int] = []
    measure(encoding_of("gpt2"), Corpus([file]), progress=told.append)
    assert told == sorted(told)
    assert told[-1] == file.stat().st_size
    assert len(told) >= 3


@pytest.mark.parametrize("name", ["gpt2", "foreign"])
@pytest.mark.parametrize("answers", [0, 3])
def test_can_be_given_up(name: str, answers: int) -> None:
    left = iter([False] * answers)
    with pytest.raises(Cancelled):
        measure(
            encoding_of(name),
            Stream(["low lower "] * 10, [10]),
            cancelled=lambda: next(left, True),
        )


@pytest.mark.parametrize("name", ["gpt2", "lines"])
def test_memory_does_not_grow_with_the_text(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A stream of words that never come again, one document without an end."""
    monkeypatch.setattr(module, "PIECE", 1 << 14)
    monkeypatch.setattr(tokenizer, "MAX_WORDS", 1 << 11)
    encoding = encoding_of(name)

    class Endless:
        word_counts = False
        name = "endless"
        skipped_files: ClassVar[dict[str, int]] = {}

        def __init__(self, blocks: int) -> None:
            self._blocks = blocks

        def blocks(self, waiting: Any = None) -> Iterator[Block]:
            for index in range(self._blocks):
                words = range(index * 2048, (index + 1) * 2048)
                text = " ".join(f"x{word}y" for word in words).encode() + b"\n"
                last = index == self._blocks - 1
                ends = np.array([len(text)] if last else [], np.int64)
                yield Block(text, ends, (index + 1) * len(text))

    measure(encoding, Endless(2))

    def peak(blocks: int) -> int:
        tracemalloc.start()
        measure(encoding, Endless(blocks))
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return most

    few, many = peak(8), peak(40)
    assert many < 1.2 * few
