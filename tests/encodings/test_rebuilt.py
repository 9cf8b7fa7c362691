"""Foreign encodings are measured by our kernels, as long as their library agrees."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import AddedToken, Tokenizer, models, normalizers, pre_tokenizers, trainers

from bpe_gui.analysis.grouped_counts import TOKENS
from bpe_gui.analysis.metrics import Counts, Metrics
from bpe_gui.bpe.corpus import Block
from bpe_gui.bpe.tokenizer import Tokens
from bpe_gui.encodings import rebuilt as module
from bpe_gui.encodings import save
from bpe_gui.encodings.base import Encoding
from bpe_gui.encodings.differences.alignment import CachedEncoder
from bpe_gui.encodings.formats.huggingface import HuggingFaceEncoding
from bpe_gui.encodings.import_history import history_with_ids
from bpe_gui.encodings.load import open_encoding
from bpe_gui.encodings.measuring import measure as measuring
from bpe_gui.encodings.measuring.measure import Document, measure, measure_groups
from bpe_gui.encodings.rebuilt import Samples, rebuilt
from tests.encodings.runs import GPT2_RANKS, byte_recipe, needs_gpt2_ranks, texts, train
from tests.encodings.test_fallback_runs import KINDS, MODELS, library, sentencepiece_run

LINES = "low lower newest widest été über 12345 don't\n"


def by_the_library(
    encoding: Encoding, documents: Sequence[str], as_text: bool = False
) -> Metrics:
    """What the library alone makes of documents."""
    counts = Counts()
    unknown = {
        token: encoding.token_bytes(token) for token in encoding.ids if encoding.is_unknown(token)
    }
    for document in documents:
        data = document.encode("utf-8")
        tokens = encoding.encode(document, specials_as_text=as_text)
        counts.add(data, np.array([len(data)]), tokens, unknown)
    return counts.metrics(encoding.vocabulary_size)


def measured(encoding: Encoding, blocks: Sequence[str]) -> Metrics:
    return measure(encoding, Document([block.encode() for block in blocks], "the text")).metrics


class Documents(Document):
    """Several documents that come in one block."""

    def __init__(self, documents: list[str]) -> None:
        super().__init__((), "the documents")
        self._documents = documents

    def blocks(self, waiting: Callable[[], None] | None = None) -> Generator[Block, None, None]:
        parts = [document.encode() for document in self._documents]
        ends = np.cumsum([len(part) for part in parts], dtype=np.int64)
        yield Block(b"".join(parts), ends, int(ends[-1]) if parts else 0)


class Asked(HuggingFaceEncoding):
    """Notes what it is asked for, and has another id for one character."""

    odd = "\0"

    def __init__(self, tokenizer: Tokenizer, name: str) -> None:
        super().__init__(tokenizer, name)
        self.asked = 0

    def encode(self, text: str, *, specials_as_text: bool = False) -> Tokens:
        self.asked += len(text.encode("utf-8"))
        tokens = super().encode(text, specials_as_text=specials_as_text)
        if self.odd in text:
            tokens.ids[:] = 0
        return tokens


def library_of(split: pre_tokenizers.PreTokenizer | None = None) -> Tokenizer:
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = split or pre_tokenizers.ByteLevel(add_prefix_space=False)
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(vocab_size=300, initial_alphabet=alphabet, show_progress=False)
    tokenizer.train_from_iterator([LINES], trainer)
    return tokenizer


@pytest.fixture
def few_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "CHECKED", 100)


@pytest.mark.parametrize("name", ["run.json", "run.tiktoken@gpt2", "run.model"])
@settings(max_examples=settings.default.max_examples // 3)
@given(text=texts)
def test_the_numbers_are_those_of_the_library(
    tmp_path_factory: pytest.TempPathFactory, name: str, text: str
) -> None:
    file, _, _ = name.partition("@")
    path = tmp_path_factory.mktemp("saved") / file
    history = train(byte_recipe("gpt2"), [text, LINES * 3], 60)
    save.format_of(path).write(history, path, None)
    encoding = open_encoding(f"{path}{name.removeprefix(file)}")
    assert rebuilt(encoding) is not None
    assert measured(encoding, [text, LINES]) == by_the_library(encoding, [text + LINES])


@pytest.fixture
def built_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The merges of an encoding are found once: that takes longer than to encode with them."""
    monkeypatch.setattr(module, "history_with_ids", cache(history_with_ids))


@cache
def of_library(kind: str) -> HuggingFaceEncoding:
    """An encoding of a library, with the steps of models in use or those of GPT-2."""
    if kind == "prefix space":
        made = library_of(pre_tokenizers.ByteLevel(add_prefix_space=True))
    else:
        made = library_of() if kind == "bytes" else library(kind, [LINES])
    return HuggingFaceEncoding(made, kind)


parts = st.lists(st.sampled_from(["", " ", "▁", "<s>", "</s>", "low", "  low er\n"]), max_size=5)
hostile = st.text("▁ <s>\nlow é中\u0301", max_size=12) | parts.map("".join) | texts


@pytest.mark.usefixtures("few_checked", "built_once")
@pytest.mark.parametrize("kind", [*KINDS, "prefix space", *sorted(MODELS.keys() - {"squeezed"})])
@settings(max_examples=settings.default.max_examples // 2)
@given(documents=st.lists(hostile, max_size=8), as_text=st.booleans(), piece=st.integers(1, 60))
def test_short_documents_are_counted_as_the_library_does_one_by_one(
    kind: str, documents: list[str], as_text: bool, piece: int
) -> None:
    encoding: Encoding = sentencepiece_run(kind)[0] if kind in MODELS else of_library(kind)
    # Symbols of its users are found in any case.
    as_text = as_text and kind != "symbols"
    made = rebuilt(encoding, specials_as_text=as_text)
    assert made is not None
    sizes = [len(document.encode()) for document in documents]
    ends, data = np.cumsum(sizes, dtype=np.int64), "".join(documents).encode()
    found = made.encode_documents(data, ends)
    assert found is not None, "the library is asked for all"
    first, tokens = found
    end, tokens_of = 0, []
    for number, document in enumerate(documents):
        expected = encoding.encode(document, specials_as_text=as_text)
        own = slice(first[number], first[number + 1])
        assert tokens.ids[own].tolist() == expected.ids.tolist()
        assert tokens.starts[own].tolist() == (expected.starts + end).tolist()
        assert tokens.ends[own].tolist() == (expected.ends + end).tolist()
        end += sizes[number]
        tokens_of += [len(expected)] * bool(document)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(measuring, "PIECE", piece)
        patch.setattr(measuring, "_WORTH_REBUILDING", 0)
        if data:
            own_ends = np.unique(ends[ends > 0])
            groups = measure_groups(
                encoding, data, own_ends, own_ends, name=kind, specials_as_text=as_text
            )
            assert groups.groups[:, TOKENS].tolist() == tokens_of
        numbers = measure(encoding, Documents(documents), specials_as_text=as_text).metrics
    assert numbers == by_the_library(encoding, documents, as_text)


@pytest.mark.parametrize("model", ["unigram", "word pieces", "squeezed", "symbols"])
@settings(max_examples=settings.default.max_examples // 2)
@given(documents=st.lists(hostile, max_size=8), as_text=st.booleans(), together=st.integers(1, 60))
def test_what_only_a_library_does_is_counted_as_one_by_one(
    model: str, documents: list[str], as_text: bool, together: int
) -> None:
    encoding: Encoding
    if model in MODELS:
        encoding = sentencepiece_run(model)[0]
        as_text = as_text or model == "symbols"
    else:
        made = unigram() if model == "unigram" else word_pieces()
        encoding = HuggingFaceEncoding(made, model)
    assert rebuilt(encoding, specials_as_text=as_text) is None
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(measuring, "_TOGETHER", together)
        numbers = measure(encoding, Documents(documents), specials_as_text=as_text).metrics
        sizes = [len(document.encode()) for document in documents if document]
        ends = np.cumsum(sizes, dtype=np.int64)
        groups = measure_groups(
            encoding, "".join(documents).encode(), ends, ends, name="groups",
            specials_as_text=as_text,
        )  # fmt: skip
    assert numbers == by_the_library(encoding, documents, as_text)
    tokens = [
        len(encoding.encode(document, specials_as_text=as_text))
        for document in documents if document
    ]  # fmt: skip
    assert groups.groups[:, TOKENS].tolist() == tokens


@cache
def word_pieces() -> Tokenizer:
    made = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    made.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    made.train_from_iterator([LINES], trainers.WordPieceTrainer(
        vocab_size=60, special_tokens=["[UNK]", "<s>"], show_progress=False,
    ))  # fmt: skip
    return made


@cache
def unigram() -> Tokenizer:
    made = Tokenizer(models.Unigram())
    made.pre_tokenizer = pre_tokenizers.Metaspace()
    made.train_from_iterator([LINES], trainers.UnigramTrainer(
        vocab_size=40, special_tokens=["[UNK]", "<s>"], unk_token="[UNK]", show_progress=False,
    ))  # fmt: skip
    return made


@pytest.mark.parametrize("kind", [*KINDS, "prefix space", "bytes"])
@settings(max_examples=settings.default.max_examples // 2)
@given(
    documents=st.lists(hostile | st.just("low er"), max_size=8),
    piece=st.integers(1, 60),
    as_text=st.booleans(),
)
def test_pieces_of_a_text_are_cut_like_the_whole(
    kind: str, documents: list[str], piece: int, as_text: bool
) -> None:
    encoder = CachedEncoder(of_library(kind))
    text = " ".join(documents)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(measuring, "PIECE", piece)
        blocks = (character.encode() for character in text)
        found = encoder.encode_pieces(
            measuring.pieces(encoder.encoding, blocks, kind, specials_as_text=as_text),
            specials_as_text=as_text,
        )
    expected = encoder.encode(text, specials_as_text=as_text)
    for name in ("ids", "starts", "ends", "char_starts", "char_ends"):
        assert getattr(found.tokens, name).tolist() == getattr(expected.tokens, name).tolist()
    assert found.text == text
    assert found.words is not None
    assert expected.words is not None
    assert found.words.tolist() == expected.words.tolist()


@needs_gpt2_ranks
def test_gpt2_itself() -> None:
    text = "".join(chr(point) for point in range(0x20, 0x2FA20) if not 0xD800 <= point < 0xE000)
    encoding = open_encoding(f"{GPT2_RANKS}@gpt2")
    assert measured(encoding, [text]) == by_the_library(encoding, [text])


@pytest.mark.usefixtures("few_checked")
def test_the_library_is_asked_for_the_beginning_alone() -> None:
    encoding = Asked(library_of(), "library")
    text = LINES * 6_000
    numbers = measured(encoding, [text])
    assert encoding.asked < 20_000
    assert numbers == by_the_library(encoding, [text])


@pytest.mark.usefixtures("few_checked")
def test_a_difference_at_a_character_that_comes_late_is_found() -> None:
    encoding = Asked(library_of(), "library")
    encoding.odd = "ж"
    begin, end = LINES * 6_000, "a line with ж in it\n" * 6_000
    numbers = measured(encoding, [begin, end, begin])
    assert encoding.asked > len(end) + len(begin)
    # The odd id is that of all tokens from the piece on in which the character comes.
    used = by_the_library(HuggingFaceEncoding(library_of(), "same"), [begin]).vocabulary_used
    assert numbers.vocabulary_used == used + 1


common = "".join(map(chr, [9, 10, *range(32, 127)]))
pieces = st.lists(texts | texts.map(lambda text: common + text * 20), min_size=1, max_size=4)


@pytest.mark.usefixtures("few_checked")
@given(blocks=pieces)
def test_each_character_is_in_a_sample_of_its_own_line(blocks: list[str]) -> None:
    choosing = Samples()
    seen: set[str] = set()
    for block in blocks:
        data = block.encode("utf-8")
        samples = choosing.take(data, np.array([len(data)]))
        assert all(sample in data for sample in samples)
        seen.update(*(sample.decode("utf-8") for sample in samples))
        assert seen >= set(block)


@pytest.mark.parametrize(
    "added",
    [
        AddedToken("<a>", lstrip=True),
        AddedToken("<a>", rstrip=True),
        AddedToken("<a>", single_word=True),
        AddedToken("<A>", normalized=True),
    ],
    ids=["left", "right", "word", "normalized"],
)
def test_added_tokens_are_found_in_their_own_way(
    added: AddedToken,
) -> None:
    tokenizer = library_of()
    tokenizer.normalizer = normalizers.Lowercase()
    tokenizer.add_special_tokens([added])
    encoding = HuggingFaceEncoding(tokenizer, "library")
    assert rebuilt(encoding) is not None
    text = f"low <a> low<a> {LINES} a<A>b <A>"
    assert measured(encoding, [text]) == by_the_library(encoding, [text])


def test_special_tokens_are_found() -> None:
    tokenizer = library_of()
    tokenizer.add_special_tokens(["<|end|>", "<|end|>>"])
    encoding = HuggingFaceEncoding(tokenizer, "library")
    assert rebuilt(encoding) is not None
    text = f"low<|end|>>lower <|end|>{LINES}"
    assert measured(encoding, [text]) == by_the_library(encoding, [text])


def test_what_is_no_byte_pair_encoding_is_left_to_the_library(tmp_path: Path) -> None:
    tokenizer = Tokenizer(models.WordLevel({"low": 0, "?": 1}, unk_token="?"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    assert rebuilt(HuggingFaceEncoding(tokenizer, "library")) is None
