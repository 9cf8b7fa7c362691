"""The tokenizers that a command is given, and the special tokens for rank files."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence

from bpe_gui.arguments import CommandError
from bpe_gui.bpe.errors import shown
from bpe_gui.encodings.base import Encoding, Guessed, LeavesOut
from bpe_gui.encodings.formats.rank_families import KNOWN_SPECIAL_TOKENS
from bpe_gui.encodings.formats.untrusted_files import MAX_ID, to_number
from bpe_gui.encodings.load import ONLY_FOR_RANKS, open_encoding, takes_special_tokens
from bpe_gui.encodings.short_names import short_names
from bpe_gui.progress import listed, terminal_bars

_NAMED: Mapping[str, Mapping[str, int]] = {**KNOWN_SPECIAL_TOKENS, "none": {}}


_REMEDY = ", and another split may follow the name of the file after an @"


def open_encodings(tokenizers: Sequence[str], specials: Sequence[str]) -> list[Encoding]:
    """Load the named encodings, with a bar on a terminal for downloads.

    specials: the values of --special: TOKEN=ID (the token may contain equals signs), or the name of
        an encoding of tiktoken for all its special tokens.
    Raises CommandError for invalid values, and if none of the encodings is a rank file.
    """
    chosen = _special_tokens(specials) if specials else None
    with terminal_bars() as bars:
        encodings = [
            open_encoding(tokenizer, special_tokens=chosen, progress=bars)
            for tokenizer in tokenizers
        ]
    for tokenizer, encoding in dict(zip(tokenizers, encodings, strict=True)).items():
        if isinstance(encoding, Guessed) and encoding.guess:
            remedy = _REMEDY if takes_special_tokens(tokenizer) else ""
            print(f"{tokenizer}: {encoding.guess}; this is a guess{remedy}", file=sys.stderr)
        if isinstance(encoding, LeavesOut) and encoding.left_out:
            print(f"{tokenizer}: {encoding.left_out}", file=sys.stderr)
    if specials and not any(map(takes_special_tokens, tokenizers)):
        raise CommandError(f"--special {ONLY_FOR_RANKS}")
    return encodings


def legend(tokenizers: Sequence[str]) -> Iterator[str]:
    """Say in a line each what the short names of tokenizers stand for, if they are shorter."""
    for name, tokenizer in zip(short_names(tokenizers), tokenizers, strict=True):
        if name != tokenizer:
            yield f"{name} = {tokenizer}\n"


def check_measured(failed: Sequence[str]) -> None:
    """Raise CommandError if there are encodings that failed, whose reasons have been written."""
    if failed:
        raise CommandError(f"{listed(failed)} could not be measured; the output says why")


def _special_tokens(specials: Sequence[str]) -> dict[str, int]:
    found: dict[str, int] = {}
    for item in specials:
        for text, token in _parse_special(item).items():
            if found.setdefault(text, token) != token:
                raise CommandError(
                    f"--special gives the token {shown(text)} two ids, {found[text]} and {token}; "
                    "leave one of them out"
                )
    return found


def _parse_special(item: str) -> Mapping[str, int]:
    """Parse one value of --special. Raises CommandError.

    >>> _parse_special("<end>=5"), _parse_special("none")
    ({'<end>': 5}, {})
    """
    text, equals, digits = item.rpartition("=")
    if not equals and item in _NAMED:
        return _NAMED[item]
    token = to_number(digits) if equals else None
    if token is None:
        raise CommandError(
            f"--special takes a token, an equals sign and an id up to {MAX_ID:,}, like "
            f"'<|endoftext|>=50256', or one of {', '.join(_NAMED)}, but not {shown(item)}"
        )
    return {text: token}
