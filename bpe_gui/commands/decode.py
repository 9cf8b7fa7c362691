"""`bpe-gui decode`: turn ids into text with any encoding."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from bpe_gui.arguments import CommandError
from bpe_gui.bpe.errors import shown
from bpe_gui.commands.streams import named, text_blocks, whole_text, write_bytes
from bpe_gui.commands.tokenizers import open_encodings
from bpe_gui.encodings.formats.untrusted_files import MAX_ID
from bpe_gui.encodings.measuring.measure import decoded

_MAX_DIGITS = 10


def decode(tokenizer: str, specials: Sequence[str], file: str) -> None:
    """Write the text that ids stand for to standard output, byte for byte."""
    [encoding] = open_encodings([tokenizer], specials)
    write_bytes(decoded(encoding, _checked(_read_ids(file), encoding.name), named(file)))


def _checked(parts: Iterable[list[int]], encoding_name: str) -> Iterator[list[int]]:
    """Check ids as they pass. Raises CommandError for numbers that no encoding has as an id."""
    for ids in parts:
        for extreme in (min(ids), max(ids)):
            if not 0 <= extreme <= MAX_ID:
                raise CommandError(f"{encoding_name} has no token with the id {extreme}")
        yield ids


def _read_ids(file: str) -> Iterator[list[int]]:
    """Read ids, separated by white space or commas, or as JSON: a list, or the output of `encode`.

    Ids are yielded as they are read, except JSON, which is held whole; no part is empty.
    """
    blocks = text_blocks(file)
    first = next((block for block in blocks if not block.isspace()), b"")
    blocks = chain([first], blocks)
    if first.lstrip().startswith((b"[", b"{")):
        ids = _ids_from_json(whole_text(blocks, file), named(file))
        return iter([ids] if ids else [])
    return _plain_ids((block.decode("utf-8") for block in blocks), named(file))


def _plain_ids(blocks: Iterable[str], name: str) -> Iterator[list[int]]:
    rest = block = ""
    for following in chain(blocks, [None]):
        words = (rest + block).replace(",", " ").split()
        ids = _numbers(words, name)
        # The last word may go on in the next block.
        goes_on = bool(words) and following is not None and block[-1].isdigit()
        rest = words[-1] if goes_on else ""
        if goes_on:
            ids.pop()
        if ids:
            yield ids
        block = following or ""


def _numbers(words: Sequence[str], name: str) -> list[int]:
    for word in words:
        if not (word.isascii() and word.isdigit() and len(word) <= _MAX_DIGITS):
            raise CommandError(f"{name} should hold ids, but holds {shown(word)}")
    return list(map(int, words))


def _ids_from_json(text: str, name: str) -> list[int]:
    try:
        found = json.loads(text)
    except (json.JSONDecodeError, RecursionError) as error:
        raise CommandError(f"{name} is neither a list of ids nor JSON: {error}") from None
    except ValueError:  # Python's own bound
        raise CommandError(f"{name} has a number of thousands of digits, which is no id") from None
    if isinstance(found, dict):
        found = found.get("ids")
    if not isinstance(found, list) or not all(type(token) is int for token in found):
        raise CommandError(f"{name} should hold a JSON list of ids, or an object with one as ids")
    return found
