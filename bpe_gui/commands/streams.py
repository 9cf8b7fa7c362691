"""Input and output of the commands: files, standard input and standard output."""

from __future__ import annotations

import codecs
import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, redirect_stderr
from io import RawIOBase
from typing import BinaryIO

from bpe_gui.arguments import CommandError
from bpe_gui.bpe.remote_files import RemoteFile, Url, path_or_url
from bpe_gui.bpe.text_files import find_encoding
from bpe_gui.files import naming, reading, write_atomically

BLOCK = 1 << 18
"""Bytes that are read at once."""

MAX_HELD = 64 << 20
"""Bytes of a text that is held whole, so that an endless one does not fill all memory."""


@contextmanager
def silent_libraries() -> Iterator[None]:
    """Keep what libraries in Rust and C++ print themselves off standard error; ours gets there."""
    with open(os.devnull, "wb") as nowhere:  # is standard error if that was closed
        own = os.dup(2)
        with open(own, "w", encoding="utf-8", errors="backslashreplace") as ours:
            os.dup2(nowhere.fileno(), 2)
            try:
                with redirect_stderr(ours):
                    yield
            finally:
                os.dup2(own, 2)


def text_blocks(file: str) -> Iterator[bytes]:
    """Read the text of a file or URL as training does, in UTF-8 or as its byte-order mark says.

    Yields UTF-8, in blocks of whole characters, none of them empty. Raises CommandError for bytes
    that are not text.
    """
    path = path_or_url(file)
    if isinstance(path, Url):
        with naming(file), RemoteFile(path, streams=True) as stream:
            yield from _decoded(stream, file)
    elif file != "-":
        with reading(file) as stream:
            yield from _decoded(stream, file)
    else:
        with naming(named(file)):
            yield from _decoded(sys.stdin.buffer, file)


def _decoded(stream: BinaryIO | RawIOBase, file: str) -> Iterator[bytes]:
    data = stream.read(BLOCK) or b""
    encoding = find_encoding(data, None)
    decoder = codecs.getincrementaldecoder(encoding.name)()
    done = encoding.mark_size
    data = data[done:]
    while True:
        final = not data
        try:
            text = decoder.decode(data, final)
        except UnicodeDecodeError as error:
            # Bytes that the decoder has held back from earlier data precede this data.
            place = done + len(data) - len(error.object) + error.start
            raise CommandError(
                f"{named(file)} is not {encoding.name.upper()} text: byte "
                f"{error.object[error.start]:#04x} at offset {place}"
            ) from None
        if text:
            yield text.encode("utf-8")
        if final:
            return
        done += len(data)
        data = stream.read(BLOCK) or b""


def whole_text(blocks: Iterable[bytes], file: str) -> str:
    """Join blocks to a text. Raises CommandError if it is too long to be held."""
    held = []
    size = 0
    for block in blocks:
        held.append(block)
        size += len(block)
        if size > MAX_HELD:
            raise CommandError(
                f"{named(file)} has more than {MAX_HELD >> 20} MB, which is too much at once; "
                "split it into several files"
            )
    return b"".join(held).decode("utf-8")


def named(file: str) -> str:
    """Name a file in messages.

    >>> named("-"), named("novel.txt")
    ('standard input', 'novel.txt')
    """
    return "standard input" if file == "-" else file


def check_no_overwriting(outputs: Iterable[str | None], inputs: Iterable[str | None]) -> None:
    """Check that no output is the file of an input. Raises CommandError."""
    existing = [output for output in outputs if output is not None and os.path.isfile(output)]
    for source in inputs:
        if source is None or not os.path.exists(source):
            continue
        for output in existing:
            if os.path.samefile(source, output):
                raise CommandError(f"{output} would overwrite the input; name another file")


def write(path: str, parts: str | Iterable[str]) -> None:
    """Write UTF-8 text to a file, whole or not at all, or to standard output."""
    if path != "-":
        write_atomically(path, parts)
        return
    # The name of a file may have bytes that are not UTF-8: they are escaped, in JSON too.
    write_bytes(
        part.encode("utf-8", "backslashreplace")
        for part in ([parts] if isinstance(parts, str) else parts)
    )


def write_bytes(parts: Iterable[bytes]) -> None:
    """Write bytes to standard output."""
    sys.stdout.flush()
    for part in parts:
        with naming("standard output"):
            sys.stdout.buffer.write(part)
    with naming("standard output"):
        sys.stdout.buffer.flush()


def visible(token: str) -> str:
    r"""Escape white space and control characters of a token, to show it within a line.

    >>> visible("a\n b")
    'a\\n\\x20b'
    """
    if token.isprintable() and " " not in token:
        return token
    return "".join(
        c if c.isprintable() and c != " " else "\\x20" if c == " " else ascii(c)[1:-1]
        for c in token
    )
