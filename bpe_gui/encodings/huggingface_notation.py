"""How a tokenizer.json writes its tokens, and what it asks of whoever loads it.

The vocabulary of such a file is text, in which bytes, spaces and the ends or continuations of
words are written by conventions that its steps tell: Ġ for a space among GPT-2's printable
characters, `<0x20>` for a byte, ▁ for a space, `##` before what continues a word, `</w>` after
what ends one.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from bpe_gui.bpe.byte_level import BYTE_OF_CHARACTER, from_printable
from bpe_gui.encodings.base import EncodingError
from bpe_gui.encodings.left_out import end_mark
from bpe_gui.encodings.reading import MAX_GROWTH, longest_replacement

State = dict[str, Any]
"""A tokenizer.json, or a part of it, as the `tokenizers` library writes it."""

_BYTE = re.compile("<0x([0-9A-F]{2})>")

_PRINTABLE = frozenset(BYTE_OF_CHARACTER)

_SEQUENCES = ("normalizers", "pretokenizers", "decoders")
"""Where a sequence of steps has its steps."""

@dataclass(frozen=True, slots=True)
class Notation:
    """What the tokens of a vocabulary are to be read by.

    spaces: a character that stands for a space, or nothing.
    prefix: before what continues a word; suffix: after what ends one; or nothing.
    end_mark: what normalization puts at the ends of words in files of ours, or nothing.
    """

    byte_level: bool
    byte_fallback: bool
    spaces: str
    prefix: str
    suffix: str
    end_mark: str
    decodes_bytes: bool
    """Whether decoding gives the bytes that byte-level tokens stand for."""
    normalizes_to_bytes: bool
    """Whether normalization already writes bytes as GPT-2's printable characters."""

    @classmethod
    def of(cls, state: State) -> Notation:
        """The notation of a tokenizer, by its steps and its model."""
        model, decoder = state["model"], state["decoder"]
        encoding = [*steps(state["normalizer"]), *steps(state["pre_tokenizer"])]
        decoding = list(steps(decoder))
        decodes_bytes = any(step["type"] == "ByteLevel" for step in decoding)
        return cls(
            byte_level=decodes_bytes or any(step["type"] == "ByteLevel" for step in encoding),
            byte_fallback=bool(model.get("byte_fallback"))
            or any(step["type"] == "ByteFallback" for step in decoding),
            spaces=_space_mark(encoding, decoding),
            prefix=_prefix(model, decoding),
            suffix=_suffix(model, decoding),
            end_mark=end_mark(state["normalizer"]),
            decodes_bytes=decodes_bytes,
            normalizes_to_bytes=any(
                step["type"] == "ByteLevel" for step in steps(state["normalizer"])
            ),
        )

    def content(self, text: str) -> bytes:
        """The bytes that an ordinary token stands for, without its markers."""
        return self.marked_content(self._unmarked(text))

    def marked_content(self, text: str) -> bytes:
        """The bytes of an ordinary token, markers included."""
        if self.byte_level and _PRINTABLE.issuperset(text):
            return from_printable(text)
        if self.byte_fallback and (byte := _BYTE.fullmatch(text)) is not None:
            return bytes([int(byte[1], 16)])
        if self.spaces:
            text = text.replace(self.spaces, " ")
        return text.encode("utf-8")

    def is_byte(self, text: str) -> bool:
        """Whether an ordinary token stands for a byte of a character that has no token."""
        return self.byte_fallback and _BYTE.fullmatch(text) is not None

    def plain(self, normalized: str) -> str:
        """A normalized text with what normalization has written by the notation put back."""
        if self.normalizes_to_bytes:
            return from_printable(normalized).decode("utf-8", "replace")
        text = normalized.replace(self.end_mark, "") if self.end_mark else normalized
        return text.replace(self.spaces, " ") if self.spaces else text

    def _unmarked(self, text: str) -> str:
        if self.suffix and text.endswith(self.suffix):
            text = text.removesuffix(self.suffix)
        # What is nothing but the prefix continues nothing.
        if self.prefix and text != self.prefix:
            text = text.removeprefix(self.prefix)
        return text


def steps(step: State | None) -> Iterator[State]:
    """A step, or all those that it is made of, in their order."""
    if step is None:
        return
    for name in _SEQUENCES:
        if name in step:
            for part in step[name]:
                yield from steps(part)
            return
    yield step


def check(state: State, name: str) -> None:
    """Raise EncodingError for steps that would make a text grow beyond all bounds."""
    for part in ("normalizer", "decoder"):
        growth = 1.0
        for step in steps(state[part]):
            growth *= _growth(step)
        if growth > MAX_GROWTH:
            raise EncodingError(
                f"{name} asks for replacements that could make a text more than {MAX_GROWTH:,} "
                "times as long, which is not done; choose another file"
            )


def _growth(step: State) -> float:
    """How many times as long a step can make a text; those that are not known by 1."""
    if step["type"] == "Prepend":  # which it does between any two added tokens
        return 1.0 + len(step["prepend"])
    if step["type"] == "Precompiled":
        return 1.0 + longest_replacement(base64.b64decode(step["precompiled_charsmap"]))
    if step["type"] != "Replace":
        return 1.0
    content, pattern = len(step["content"]), step["pattern"]
    if "String" in pattern:
        return max(1.0, content / max(1, len(pattern["String"])))
    return 1.0 + content  # it may match between any two characters


def _space_mark(encoding: list[State], decoding: list[State]) -> str:
    for step in (*encoding, *decoding):
        if step["type"] == "Metaspace":
            return str(step["replacement"])
    for step in decoding:
        if step["type"] == "Replace" and step["content"] == " ":
            mark = step["pattern"].get("String", "")
            if len(mark) == 1:
                return str(mark)
    for step in encoding:
        is_replacement = step["type"] == "Replace" and step["pattern"].get("String") == " "
        if is_replacement and len(step["content"]) == 1:
            return str(step["content"])
    return ""


def _prefix(model: State, decoding: list[State]) -> str:
    if model.get("continuing_subword_prefix"):
        return str(model["continuing_subword_prefix"])
    return next((str(step["prefix"]) for step in decoding if step["type"] == "WordPiece"), "")


def _suffix(model: State, decoding: list[State]) -> str:
    if model.get("end_of_word_suffix"):
        return str(model["end_of_word_suffix"])
    return next((str(step["suffix"]) for step in decoding if step["type"] == "BPEDecoder"), "")
