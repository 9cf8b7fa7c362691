"""The codes of subword-nmt and fastBPE: merges of characters, one a line, the first merge first.

A line of fastBPE also has how often the pair occurred. Words are what is between spaces and
newlines. Since version 0.2 of subword-nmt, and in fastBPE, the end-of-word marker is part of the
last character; in version 0.1 it is a separate symbol. Codes have no ids: here the token for
unknown characters has the id 0, then come the characters and the merges.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from tokenizers import Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers

from bpe_gui.bpe.errors import shown
from bpe_gui.encodings.base import EncodingError, wrap_rust_errors
from bpe_gui.encodings.formats.huggingface import HuggingFaceEncoding
from bpe_gui.encodings.formats.huggingface_export import code_point_class
from bpe_gui.encodings.formats.untrusted_files import MAX_TOKENS, read_bounded, to_text

FORMAT = "codes of subword-nmt or fastBPE"

END_OF_WORD = "</w>"
UNKNOWN = "<unk>"
_VERSION = "#version:"
_LINE = re.compile(r"[^ \n]+ [^ \n]+(?: [0-9]+)? ?\r?")

_SPACES = r" \r\n"
_ENDS_OF_WORDS = rf"(?<=[^{_SPACES}])(?![^{_SPACES}])"


def looks_like(data: bytes) -> bool:
    r"""Tell whether a file that begins with these bytes has codes: pairs, some at ends of words.

    >>> looks_like(b"#version: 0.2\ne s\nes t</w>\n"), looks_like(b"t h 12\nth e</w> 9\n")
    (True, True)
    >>> looks_like(b"the cat\nsat down\n")
    False
    """
    lines = data.decode("utf-8", "ignore").split("\n")
    if lines[0].startswith(_VERSION):
        del lines[0]
    whole = lines[:-1] if len(lines) > 1 else lines
    is_paired = bool(whole) and all(_LINE.fullmatch(line) for line in whole)
    return is_paired and any(
        part.endswith(END_OF_WORD) for line in whole for part in line.split()[:2]
    )


def read(path: str | Path, *, name: str = "") -> HuggingFaceEncoding:
    """Load codes. Raises EncodingError with the line; OSError if the file is unreadable."""
    lines = to_text(read_bounded(path), path, FORMAT).rstrip("\n").split("\n")
    has_version = lines[0].startswith(_VERSION)
    merges: dict[tuple[str, str], None] = {}  # of those that are there twice the first counts
    for number, line in enumerate(lines, start=1):
        if has_version and number == 1:
            continue
        if not _LINE.fullmatch(line):
            raise EncodingError(
                f"{path}, line {number:,}: expected two tokens and a space, found {shown(line)}"
            )
        left, right = line.split(" ")[:2]
        merges.setdefault((left, right.removesuffix("\r")))
    if len(merges) > MAX_TOKENS:
        raise EncodingError(f"{path} has more than {MAX_TOKENS:,} merges")
    is_separate = any(right == END_OF_WORD for _, right in merges)
    make = _with_separate_ends if is_separate else _with_joined_ends
    with wrap_rust_errors(f"{path} cannot be read"):
        return HuggingFaceEncoding(make(list(merges)), name or Path(path).name)


def _characters(merges: Sequence[tuple[str, str]]) -> list[str]:
    parts = (part.removesuffix(END_OF_WORD) for pair in merges for part in pair)
    return sorted(set().union(*map(set, parts)))


def _vocabulary(symbols: Sequence[str], merges: Sequence[tuple[str, str]]) -> dict[str, int]:
    parts = [text for left, right in merges for text in (left, right, left + right)]
    texts = dict.fromkeys([*symbols, *parts])
    return {text: token for token, text in enumerate(texts)}


def _with_joined_ends(merges: Sequence[tuple[str, str]]) -> Tokenizer:
    known = _characters(merges)
    symbols = [UNKNOWN, *known, *(character + END_OF_WORD for character in known)]
    tokenizer = Tokenizer(
        models.BPE(
            vocab=_vocabulary(symbols, merges),
            merges=list(merges),
            unk_token=UNKNOWN,
            end_of_word_suffix=END_OF_WORD,
        )
    )
    tokenizer.pre_tokenizer = pre_tokenizers.Split(Regex(f"[{_SPACES}]+"), "removed")
    tokenizer.decoder = decoders.BPEDecoder(suffix=END_OF_WORD)
    return tokenizer


def _with_separate_ends(merges: Sequence[tuple[str, str]]) -> Tokenizer:
    """Build a tokenizer that puts a character at the end of every word, which is unknown.

    The model's unknown token is the marker; all other unknown characters are dropped before.
    """
    known = _characters(merges)
    free = (chr(point) for point in range(0xE000, 0xF900) if chr(point) not in known)
    mark, stand_in = next(free), next(free)
    tokenizer = Tokenizer(
        models.BPE(
            vocab=_vocabulary([END_OF_WORD, *known], merges),
            merges=list(merges),
            unk_token=END_OF_WORD,
        )
    )
    tokenizer.normalizer = normalizers.Sequence(
        [normalizers.Replace(mark, stand_in), normalizers.Replace(Regex(_ENDS_OF_WORDS), mark)]
    )
    alphabet = code_point_class(map(ord, (*known, mark)))
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex(f"[{_SPACES}]+"), "removed"),
            pre_tokenizers.Split(Regex(f"[^{alphabet}]+"), "removed"),
        ]
    )
    tokenizer.decoder = decoders.BPEDecoder(suffix=END_OF_WORD)
    return tokenizer
