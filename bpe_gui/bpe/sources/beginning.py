"""The beginning of a file as a text to look at, read as a corpus is."""

from __future__ import annotations

from pathlib import Path

from bpe_gui.bpe.sources.base import CorpusError, CorpusOptions
from bpe_gui.bpe.sources.decoding import decode, find_encoding
from bpe_gui.bpe.sources.listing import Place
from bpe_gui.bpe.sources.reading import open_file


def read_beginning(
    path: str | Path, most: int, options: CorpusOptions | None = None
) -> tuple[str, bool]:
    """The first characters of a file, `most` bytes of UTF-8 at the most, and whether that is all.

    Gzip is unpacked, and a byte-order mark says the encoding unless the options name one; line
    ends stay as they are. What follows is not read, and may be damaged. Raises CorpusError for
    what is no file, cannot be read or does not decode.
    """
    path = Path(path)
    if path.exists() and not path.is_file():
        raise CorpusError(f"{path} is no file that can be shown; save its text to a file first")
    options = options or CorpusOptions()
    parts: list[bytes] = []
    size = 0
    with open_file(Place(path)) as opened:
        for piece in decode(opened, find_encoding(opened.head, options.encoding), options):
            parts.append(piece.data)
            size += len(piece.data)
            if size > most:
                break
    data = b"".join(parts)
    # Only a character that the limit cuts apart is left out: what was decoded is valid.
    return data[:most].decode("utf-8", "ignore"), len(data) <= most
