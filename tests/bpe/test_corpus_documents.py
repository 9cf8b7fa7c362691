"""Where documents end: files, lines, JSON Lines records."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_gui.bpe import formats
from bpe_gui.bpe.corpus import Block, CorpusError
from bpe_gui.bpe.formats import json_records, lines, whole_file

from .corpus_reading import documents_of, pieces_of

BLOCK_SIZES = st.integers(1, 7)


@given(st.text(), BLOCK_SIZES)
def test_a_file_is_one_document(text: str, block_size: int) -> None:
    pieces = pieces_of(text.encode(), block_size)
    assert b"".join(block.text for block in whole_file(pieces)) == text.encode()
    ends = [(len(b.text), b.document_ends.tolist()) for b in whole_file(pieces)]
    assert all(not found for _, found in ends[:-1])
    assert ends[-1][1] == [ends[-1][0]]


def read_lines(data: bytes, block_size: int) -> list[bytes]:
    """The documents, for pieces that may also be cut within characters."""
    blocks = list(lines(pieces_of(data, block_size)))
    whole = b"".join(block.text for block in blocks)
    offsets = np.cumsum([0, *(len(block.text) for block in blocks)])
    ends = [
        int(offset) + end
        for offset, block in zip(offsets, blocks, strict=False)
        for end in block.document_ends.tolist()
    ]
    assert ends == sorted(ends)
    assert (ends[-1] if ends else 0) == len(whole)
    return [whole[begin:end] for begin, end in zip([0, *ends], ends, strict=False)]


@given(st.text(st.sampled_from("ab\r\né\u2028\x0b\x85")), BLOCK_SIZES)
def test_lines_end_at_universal_newlines(text: str, block_size: int) -> None:
    expected = re.split(r"\r\n|\r|\n", text)
    if expected[-1] == "":
        expected.pop()
    assert read_lines(text.encode(), block_size) == [line.encode() for line in expected]


@pytest.mark.parametrize("block_size", range(1, 9))
def test_a_line_ending_cut_in_two(block_size: int) -> None:
    found = read_lines(b"ab\r\n\r\nc\r\r\n\nd", block_size)
    assert found == [b"ab", b"", b"c", b"", b"", b"d"]


def test_line_ends_of_one_block() -> None:
    (block,) = lines(pieces_of(b"one\n\r\ntwo\rlast", 100))
    assert block.text == b"onetwolast"
    assert block.document_ends.dtype == np.int64
    assert block.document_ends.tolist() == [3, 3, 6, 10]


def records(data: bytes, block_size: int = 1 << 18, **options: bool) -> list[bytes]:
    pieces = pieces_of(data, block_size)
    blocks = list(json_records(pieces, "data", "text", block_size=block_size, **options))
    assert all(len(block.text) <= 4 * block_size + 3 for block in blocks)
    return documents_of(blocks)


JSON_TEXTS = st.lists(st.text(st.sampled_from('az"\\\n\0é中👍') | st.characters(codec="utf-8")))


@given(JSON_TEXTS, BLOCK_SIZES, st.booleans(), st.sampled_from(["\n", "\r\n", "\n\n \r\n"]))
def test_each_json_record_is_a_document(
    texts: list[str], block_size: int, ascii_only: bool, ending: str
) -> None:
    written = [json.dumps({"id": 1, "text": text}, ensure_ascii=ascii_only) for text in texts]
    expected = [text.encode() for text in texts]
    assert records(ending.join(written).encode(), block_size) == expected
    assert records((ending.join(written) + ending).encode(), block_size) == expected


@given(
    st.lists(st.text(st.sampled_from("aé中👍"), max_size=30)),
    st.integers(1, 7),
)
def test_long_records_come_in_several_blocks(texts: list[str], size: int) -> None:
    data = "\n".join(json.dumps({"text": text}) for text in texts).encode()
    blocks = list(json_records(pieces_of(data, 1000), "data", "text", block_size=size))
    assert documents_of(blocks) == [text.encode() for text in texts]
    assert all(len(block.text) <= 4 * size + 3 for block in blocks)


def test_pairs_of_surrogates_are_one_character() -> None:
    assert records(rb'{"text": "\ud83d\udc4d"}') == ["👍".encode()]


def test_half_a_surrogate_pair_is_an_error_or_replaced() -> None:
    data = b'{"text": "fine"}\n{"text": "a\\ud83db"}\n'
    with pytest.raises(CorpusError, match=r"^data, line 2: the text holds half of a surrogate"):
        records(data)
    assert records(data, replace_errors=True) == [b"fine", "a\ufffdb".encode()]


@pytest.mark.parametrize("block_size", [3, 1000])
@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b'{"text": "a"', r"this is no JSON \(Expecting ',' delimiter at column 13\)"),
        (b"text", r"this is no JSON \(Expecting value at column 1\)"),
        (b'{"text": "a\tb"}', r"this is no JSON \(Invalid control character at"),
        (b'{"text": "a"} {"text": "b"}', "there is more after the record, from column 14 on"),
        (b'"text"', r'the record is no object like {"text": "..."}'),
        (b'["text"]', "the record is no object"),
        (b"{}", "there is no field 'text', for the record is empty$"),
        (
            b'{"content": "", "a": 1}',
            "there is no field 'text', but there is 'content', 'a'; name the one that holds",
        ),
        (b'{"text": null}', "the field 'text' holds no text but null"),
        (b'{"text": true}', "the field 'text' holds no text but true or false"),
        (b'{"text": 7}', "the field 'text' holds no text but a number"),
        (b'{"text": 1.5}', ".*a number"),
        (b'{"text": ["a"]}', "the field 'text' holds no text but a list"),
        (b'{"text": {}}', "the field 'text' holds no text but an object"),
        (b'{"text": ' + b"1" * 5000 + b"}", "this JSON cannot be read"),
        (b'\xef\xbb\xbf{"text": "a"}', "this is no JSON"),
    ],
)
def test_bad_records_are_named_by_their_line(line: bytes, message: str, block_size: int) -> None:
    with pytest.raises(CorpusError, match=f"^data, line 3: {message}"):
        records(b'{"text": "ok"}\n\n' + line + b'\n{"text": "ok"}', block_size)


def test_deeply_nested_json_is_an_error() -> None:
    with pytest.raises(CorpusError, match=r"^data, line 1: this JSON is nested too deeply"):
        records(b'{"text": ' + b"[" * 100_000)


@pytest.mark.parametrize("block_size", [3, 50])
def test_a_record_is_not_held_however_long_it_is(
    block_size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    longest = b'{"text": "%s"}' % (b"a" * 100)
    monkeypatch.setattr(formats, "MAX_RECORD", len(longest))
    assert records(longest + b"\n" + longest, block_size) == [b"a" * 100] * 2
    with pytest.raises(CorpusError, match=r"^data, line 2: the record is longer than 112 bytes; "):
        records(longest + b"\n" + longest.replace(b"aa", b"aaa", 1), block_size)


def test_many_field_names_are_cut_short() -> None:
    data = json.dumps(dict.fromkeys("abcdefg", 1)).encode()
    with pytest.raises(CorpusError, match=r" 'a', 'b', 'c', 'd', 'e', \.\.\.;"):
        records(data)


def test_blocks_cannot_be_changed() -> None:
    block = Block(b"a", np.array([1], np.int64), 1)
    with pytest.raises(AttributeError):
        block.text = b"b"  # type: ignore[misc]
