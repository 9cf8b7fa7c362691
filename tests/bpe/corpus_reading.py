"""What the tests of reading a corpus share."""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from pathlib import Path

import pytest

from bpe_gui.bpe.corpus import Block, Corpus, CorpusError, CorpusOptions
from bpe_gui.bpe.text_files import OpenedFile, Piece, decode, find_encoding


def documents_of(blocks: Iterable[Block]) -> list[bytes]:
    """Put documents together again, and check what every reader of blocks relies on."""
    documents: list[bytes] = []
    open_document = b""
    bytes_read = 0
    for block in blocks:
        block.text.decode("utf-8")
        assert block.bytes_read >= bytes_read
        bytes_read = block.bytes_read
        begin = 0
        for end in block.document_ends.tolist():
            assert begin <= end <= len(block.text)
            documents.append(open_document + block.text[begin:end])
            open_document = b""
            begin = end
        open_document += block.text[begin:]
    assert not open_document, "the last document has no end"
    return documents


def read_corpus(
    sources: Sequence[str | Path] | Path,
    options: CorpusOptions | None = None,
    block_size: int | None = None,
) -> list[str]:
    """All documents of a corpus."""
    corpus = Corpus([sources] if isinstance(sources, Path) else sources, options)
    if block_size is not None:
        corpus._block_size = block_size
    return [document.decode("utf-8") for document in documents_of(corpus.blocks())]


def opened(data: bytes, block_size: int = 1 << 18) -> OpenedFile:
    """Bytes as if they were the file "data"."""
    return OpenedFile("data", io.BytesIO(data).read, block_size)


def pieces_of(data: bytes, block_size: int) -> list[Piece]:
    """Bytes cut into pieces, with no regard to characters."""
    return list(opened(data, block_size).pieces(0))


def decoded(data: bytes, options: CorpusOptions, block_size: int) -> bytes:
    """The content of a file with those bytes, as UTF-8."""
    file = opened(data, block_size)
    pieces = list(decode(file, find_encoding(file.head, options.encoding), options))
    for piece in pieces:
        piece.data.decode("utf-8")  # cut between characters
    assert [piece.final for piece in pieces] == [False] * (len(pieces) - 1) + [True]
    return b"".join(piece.data for piece in pieces)


def write(path: Path, content: str | bytes) -> Path:
    """Write a file, and the folders that it stands in."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def error_of(sources: Sequence[str | Path], options: CorpusOptions | None = None) -> str:
    """The message of the error, which has to be one sentence on one line."""
    with pytest.raises(CorpusError) as error:
        read_corpus(sources, options)
    message = str(error.value)
    assert "\n" not in message
    return message


def written(folder: Path, text: str) -> Corpus:
    """A corpus of one file with this text."""
    file = folder / "corpus.txt"
    file.write_text(text, encoding="utf-8")
    return Corpus([file])
