"""`bpe-gui encode` and `bpe-gui decode`: between text and ids, with any encoding."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Sequence

from bpe_gui.arguments import PROGRAM, CommandError
from bpe_gui.bpe.history import NO_TOKEN
from bpe_gui.bpe.visible import visible_text
from bpe_gui.commands.streams import (
    ended_by_interrupts,
    named,
    opened,
    read_text,
    visible,
    write,
    write_bytes,
)


def encode(tokenizer: str, file: str, output_format: str) -> None:
    """Write the tokens of a text to standard output.

    Characters for which there is no token are left out, which a warning says.
    """
    encoding = opened(tokenizer)
    text = read_text(file)
    with ended_by_interrupts():
        tokens = encoding.encode(text)
    known = tokens.ids != NO_TOKEN
    ids = tokens.ids[known].tolist()
    texts = [encoding.text(token) for token in ids] if output_format != "ids" else []
    if output_format == "ids":
        line = " ".join(map(str, ids))
    elif output_format == "tokens":
        line = " ".join(map(visible, texts))
    else:
        begins, ends = tokens.char_starts[known], tokens.char_ends[known]
        offsets = list(zip(begins.tolist(), ends.tolist(), strict=True))
        found = {"ids": ids, "tokens": texts, "offsets": offsets}
        line = json.dumps(found, ensure_ascii=False)
    write("-", line + "\n")
    spans = zip(tokens.char_starts[~known].tolist(), tokens.char_ends[~known].tolist(), strict=True)
    missing = sorted({place for start, end in spans for place in range(start, end)})
    if missing:
        print(f"{PROGRAM}: warning: {_left_out(text, missing)}", file=sys.stderr)


def _left_out(text: str, missing: Sequence[int]) -> str:
    """What a warning says of characters at such indexes; their places count from 1.

    >>> _left_out("abc日本", [3, 4])
    '2 characters are not in the vocabulary and were left out, the first "日" at character 4'
    """
    first = f'"{visible_text(text[missing[0]])}" at character {missing[0] + 1:,}'
    if len(missing) == 1:
        return f"1 character is not in the vocabulary and was left out, {first}"
    return (
        f"{len(missing):,} characters are not in the vocabulary and were left out, the first "
        f"{first}"
    )


def decode(tokenizer: str, file: str) -> None:
    """Write the text that ids stand for to standard output, byte for byte."""
    encoding = opened(tokenizer)
    ids = _read_ids(file)
    if NO_TOKEN in ids:  # which means something within the program
        raise CommandError(f"{encoding.name} has no token with the id {NO_TOKEN}")
    data = encoding.decode_bytes(ids)
    write_bytes([data])


def _read_ids(file: str) -> list[int]:
    """Ids separated by white space or commas, as a JSON list, or as `encode` writes JSON."""
    text = read_text(file)
    if text.lstrip().startswith(("[", "{")):
        return _ids_from_json(text, named(file))
    words = re.split(r"[\s,]+", text.strip()) if text.strip() else []
    for word in words:
        if not re.fullmatch(r"[0-9]{1,10}", word):
            raise CommandError(f"{named(file)} should hold ids, but holds {word[:40]!r}")
    return [int(word) for word in words]


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
