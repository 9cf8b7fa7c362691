"""Texts in pieces: their tokens one after another are those of the whole text."""

from __future__ import annotations

from itertools import cycle
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import Tokenizer as LibraryTokenizer

from bpe_gui.bpe.recipe import PRESETS, Alphabet
from bpe_gui.encodings.base import Encoding, EncodingError
from bpe_gui.encodings.formats import gpt2, huggingface_export, minbpe, tiktoken_ranks
from bpe_gui.encodings.formats.huggingface import HuggingFaceEncoding
from bpe_gui.encodings.measuring import measure as module
from bpe_gui.encodings.measuring.measure import pieces
from bpe_gui.encodings.ours import TrainedEncoding
from tests.bpe.test_pre_tokenize import TEXTS
from tests.bpe.test_trainer import trained

SPECIALS = ("a b", "<|end of text|>", "\n", " 1")


def of_preset(name: str) -> Encoding:
    recipe = PRESETS[name]
    recipe = recipe.with_changes(special_tokens=(*recipe.special_tokens, *SPECIALS))
    history = trained([("abba a\nb 's 12 ab low lower lowest é中", 3)], recipe).history
    library = LibraryTokenizer.from_str(huggingface_export.to_json(history))
    return HuggingFaceEncoding(library, name)


def all_encodings(folder: Path) -> dict[str, Encoding]:
    """One of each format, in files, and one of the window's."""
    recipe = PRESETS["gpt2"].with_changes(
        special_tokens=("<a>", "<|end|>"), alphabet=Alphabet.BYTES
    )
    history = trained([("abba a\nb 's 12 ab low lower lowest é中", 3)], recipe).history
    ranks, model = folder / "x.tiktoken", folder / "x.model"
    tiktoken_ranks.write(history, ranks)
    minbpe.write(history, model)
    gpt2.write(history, folder)
    specials = {text: 100_000 + index for index, text in enumerate(SPECIALS)}
    return {
        "ranks": tiktoken_ranks.read(ranks, "gpt2", specials),
        "ranks by a regex": tiktoken_ranks.read(ranks, r"\w+|\W", specials),
        "minbpe": minbpe.read(model, compiled=False),
        "vocab.json": gpt2.read(folder),
        "the run": TrainedEncoding(history),
        **{name: of_preset(name) for name in PRESETS},
    }


@pytest.fixture(scope="module")
def encodings(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Encoding]:
    return all_encodings(tmp_path_factory.mktemp("encodings"))


NAMES = ("ranks", "ranks by a regex", "minbpe", "vocab.json", "the run", *PRESETS)


def in_blocks(text: str, sizes: list[int]) -> list[bytes]:
    """A text cut anywhere between two characters."""
    blocks, done = [], 0
    for size in cycle(sizes):
        if done >= len(text):
            return blocks
        blocks.append(text[done : done + size].encode())
        done += size


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=settings.default.max_examples // 3)
@given(
    texts=st.lists(TEXTS | st.sampled_from(["<|end|>", *SPECIALS]), max_size=6),
    sizes=st.lists(st.integers(1, 9), min_size=1, max_size=5),
    piece=st.sampled_from([1, 5, 20]),
)
def test_the_tokens_are_those_of_the_whole(
    name: str, encodings: dict[str, Encoding], texts: list[str], sizes: list[int], piece: int
) -> None:
    encoding = encodings[name]
    text = "".join(texts)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "PIECE", piece)
        found = list(pieces(encoding, in_blocks(text, sizes), "it"))
    assert "".join(found) == text
    assert all(found)
    expected = encoding.encode(text)
    rows = []
    done = 0
    for part in found:
        tokens = encoding.encode(part)
        columns = (tokens.ids, tokens.char_starts + done, tokens.char_ends + done)
        rows += zip(*(column.tolist() for column in columns), strict=True)
        done += len(part)
    columns = (expected.ids, expected.char_starts, expected.char_ends)
    assert rows == list(zip(*(column.tolist() for column in columns), strict=True))


@pytest.mark.parametrize("name", NAMES)
def test_little_is_held(
    name: str, encodings: dict[str, Encoding], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "PIECE", 1000)
    monkeypatch.setattr(module, "MAX_WHOLE", 5000)
    blocks = in_blocks("low lower\nlowest " * 1000, [100])
    if name in ("raw", "ranks by a regex"):
        with pytest.raises(EncodingError, match="it has more than 0 MB without a place where"):
            list(pieces(encodings[name], blocks, "it"))
        assert list(pieces(encodings[name], blocks[:50], "it")) == [b"".join(blocks[:50]).decode()]
    else:
        sizes = [len(piece) for piece in pieces(encodings[name], blocks, "it")]
        assert len(sizes) >= 15
        assert max(sizes) <= 1100


class Asked:
    """An encoding that notes how much it was asked to cut, and finds one late place."""

    name = "asked"

    def __init__(self) -> None:
        self.sizes: list[int] = []

    def safe_cut(self, data: bytes, *, specials_as_text: bool = False) -> int:
        self.sizes.append(len(data))
        return max(data.rfind(b" "), 0)


def test_a_long_word_is_not_looked_at_again_and_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PIECE", 10)
    encoding: Any = Asked()
    found = list(pieces(encoding, in_blocks("a" * 5000 + " b" * 10, [1]), "it"))
    assert "".join(found) == "a" * 5000 + " b" * 10
    assert sum(encoding.sizes) < 25_000
