"""RWKV's vocabulary is read, and cuts texts, as RWKV's own tokenizer does."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_gui.bpe.history import NO_TOKEN
from bpe_gui.encodings.base import Encoding, EncodingError, ExportError, Model
from bpe_gui.encodings.differences.causes import ModelKind, sentence
from bpe_gui.encodings.formats.rwkv import LongestMatchEncoding
from bpe_gui.encodings.import_history import history_of
from bpe_gui.encodings.load import Format, open_encoding, recognise
from tests.encodings.differences.explained import all_causes
from tests.encodings.makers import HARD, file_of, module_of, texts

LINES = [r"1 '\x00' 1", "2 'l' 1", "7 'low' 3", "9 'lo' 2", '3 "\'s" 2', r"4 b'\xc3' 1"]
LINES += [r"11 'é\n' 3", "12 ' ' 1", "13 'o' 1", "14 'w' 1", r"15 b'\xa9' 1", "16 'lowe' 4"]


def written(path: Path, lines: list[str], end: str = "\n") -> Path:
    path.write_bytes("".join(line + end for line in lines).encode("utf-8"))
    return path


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_the_longest_token_that_fits_is_taken(tmp_path: Path, end: str) -> None:
    path = written(tmp_path / "vocabulary", LINES, end)
    assert recognise(path) is Format.RWKV
    encoding = open_encoding(path)
    assert encoding.model is Model.LONGEST_MATCH
    assert encoding.vocabulary_size == 12
    text = "lowx low's é\né lol"
    tokens = encoding.encode(text)
    expected = [7, NO_TOKEN, 12, 7, 3, 12, 11, 4, 15, 12, 9, 2]
    assert tokens.ids.tolist() == expected
    assert np.array_equal(tokens.starts[1:], tokens.ends[:-1])
    assert tokens.ends[-1] == len(text.encode())
    assert encoding.decode(expected) == text.replace("x", "")
    assert encoding.id_to_token(11) == "é\n"
    assert encoding.id_to_token(4) == "Ã"
    assert encoding.token_to_id("é\n".encode()) == 11
    with pytest.raises(EncodingError, match="no token with the id 5"):
        encoding.decode([5])
    with pytest.raises(ExportError, match="has no merges, because it is longest match"):
        history_of(encoding)


def naive(tokens: dict[bytes, int], data: bytes) -> Iterator[int]:
    while data:
        sizes = [size for size in range(len(data), 0, -1) if data[:size] in tokens]
        yield tokens[data[: sizes[0]]] if sizes else NO_TOKEN
        data = data[sizes[0] if sizes else 1 :]


@given(
    st.lists(st.text("abé", min_size=1, max_size=5), min_size=1, unique=True), st.text("abéc")
)
@pytest.mark.parametrize("compiled", [False, True])
def test_any_vocabulary_cuts_as_the_definition_says(
    compiled: bool, contents: list[str], text: str
) -> None:
    tokens = {content.encode(): 3 * number for number, content in enumerate(contents)}
    encoding = LongestMatchEncoding(tokens, "x")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("bpe_gui.bpe.kernels.jit.compiled_by_default", lambda: compiled)
        assert encoding.encode(text).ids.tolist() == list(naive(tokens, text.encode()))


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("5", "expected an id"),
        ("5 'a'", "expected an id"),
        ("99999999999 'a' 1", "expected an id"),
        ("5 'ab' 1", "has 2 bytes, and the line says 1"),
        ("5 '' 0", "has 0 bytes"),
        ("5 __import__('os') 1", "is not a text or bytes in Python's form"),
        ("5 'a'+'b' 2", "is not a text or bytes in Python's form"),
        ("5 ('a' 'b') 2", "is not a text or bytes in Python's form"),
        ("5 f'{1}' 1", "is not a text or bytes in Python's form"),
        (r"5 '\d' 2", "is not a text or bytes in Python's form"),
        (r"5 '\N{DIGIT ONE}' 1", "is not a text or bytes in Python's form"),
        (r"5 b'\u0041' 6", "is not a text or bytes in Python's form"),
        ("5 b'é' 2", "is not a text or bytes in Python's form"),
        (r"5 '\ud800' 3", "is not valid Unicode text"),
        (r"5 '\U00110000' 3", "is not valid Unicode text"),
        ("5 'low' 3", "is there twice"),
        ("7 'q' 1", "is there twice"),
        ("5 '" + "a" * 20_000 + "' 20000", "expected an id"),
    ],
)
def test_broken_lines_are_named(tmp_path: Path, line: str, why: str) -> None:
    filler = [f"{number} 'x{number}' {1 + len(str(number))}" for number in range(100, 600)]
    path = written(tmp_path / "vocabulary", [*LINES, *filler, line])
    with pytest.raises(EncodingError) as caught:
        open_encoding(path)
    if why != "'5":
        assert "vocabulary, line 513: " in str(caught.value)
        assert why in str(caught.value)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 600


def test_a_difference_from_merges_is_explained_by_the_models(tmp_path: Path) -> None:
    rwkv = open_encoding(written(tmp_path / "vocabulary", LINES))
    codes = open_encoding(written(tmp_path / "codes", ["l o", "w s</w>"]))
    cause, *_ = all_causes("low", rwkv, codes)
    assert isinstance(cause, ModelKind)
    assert "takes the longest token that fits" in sentence(cause, ("vocabulary", "codes"))


# -- RWKV's own ----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def both() -> tuple[Encoding, Any]:
    path = file_of("rwkv", "rwkv_vocab_v20230424.txt")
    library = module_of("rwkv", "rwkv_tokenizer").TRIE_TOKENIZER(str(path))
    encoding = open_encoding(path)
    assert encoding.vocabulary_size == len(library.idx2token)
    for token, content in library.idx2token.items():
        assert encoding.token_bytes(token) == content
    return encoding, library


def test_hard_texts_have_the_ids_of_rwkv(both: tuple[Encoding, Any]) -> None:
    encoding, library = both
    for text in HARD:
        tokens = encoding.encode(text)
        assert tokens.ids.tolist() == library.encode(text)
        assert encoding.decode(tokens.ids.tolist()) == text


@given(text=texts)
def test_any_text_has_the_ids_of_rwkv(both: tuple[Encoding, Any], text: str) -> None:
    encoding, library = both
    assert encoding.encode(text).ids.tolist() == library.encode(text)
