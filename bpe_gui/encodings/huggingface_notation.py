"""The notation of a tokenizer.json: its tokens, and the characters that it drops without a word."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from bpe_gui.bpe.byte_level import BYTE_OF_CHARACTER, CHARACTER_OF_BYTE, from_printable
from bpe_gui.encodings.base import EncodingError
from bpe_gui.encodings.reading import MAX_GROWTH, longest_replacement

# -- Dropped characters -------------------------------------------------------------------------
#
# A byte-pair model without an unknown token drops the symbols that its vocabulary lacks. Its
# tokens do not tell: what no token covers may also be white space that the pre-tokenizer
# drops, or an accent that a normalizer takes away, and both are meant. So the text is cut
# once more by a twin of the tokenizer that has an unknown token: that stands for exactly
# what the vocabulary lacks, after all other steps have done with the text what they do.

_UNKNOWN = "\0unknown"
"""The twin's unknown token; should a vocabulary have it, a longer one."""

_ALL_BUT_AN_ALPHABET = re.compile(r"\[(?:\^(?:\\x\{[0-9a-f]+\}-?)+|\\s\\S)\]\+")
"""The pattern of the split by which our own files drop what their model does not know, so
that nothing is merged across the gap."""

_END_MARK = re.compile("[\ue000-\uf8ff]")
"""What a normalizer of our own files puts at the end of each word."""


class DroppedCharacters:
    """Finds the characters of texts that a tokenizer leaves out for want of a token."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        state = json.loads(tokenizer.to_str())
        self._twin: Tokenizer | None = None
        if _can_leave_out(state):
            twin = _with_unknown_token(state)
            self._twin = Tokenizer.from_str(json.dumps(twin))
            self._unknown = twin["model"]["vocab"][twin["model"]["unk_token"]]

    def characters(self, text: str, *, specials_as_text: bool = False) -> NDArray[np.int64]:
        """Their indexes, ascending; one of which only some bytes have a token counts as well.

        It takes a second encoding, but none for a tokenizer that has a token for everything.
        """
        if self._twin is None:
            return np.empty(0, np.int64)
        self._twin.encode_special_tokens = specials_as_text
        encoded = self._twin.encode_batch([text], add_special_tokens=False)[0]
        is_unknown = np.array(encoded.ids, np.int64) == self._unknown
        spans = np.array(encoded.offsets, np.int64).reshape(-1, 2)[is_unknown]
        depth = np.zeros(len(text) + 1, np.int64)
        np.add.at(depth, spans[:, 0], 1)
        np.add.at(depth, spans[:, 1], -1)
        return np.flatnonzero(np.cumsum(depth))


def end_mark(normalizer: dict[str, Any] | None) -> str:
    """The character by which files of ours have the unknown token stand for a word's end.

    Empty for all others.
    """
    if normalizer is None:
        return ""
    if _marks_ends_of_words(normalizer):
        return str(normalizer["content"])
    return next(filter(None, map(end_mark, normalizer.get("normalizers", ()))), "")


def _can_leave_out(state: dict[str, Any]) -> bool:
    """Whether there can be something without a token. Other models fail or have one."""
    model = state["model"]
    if model["type"] != "BPE":
        return False
    if _holds(state["pre_tokenizer"], _drops_what_is_unknown):
        return True
    if model["unk_token"] is not None:
        return False
    plain = not model["continuing_subword_prefix"] and not model["end_of_word_suffix"]
    has_all_bytes = plain and model["vocab"].keys() >= set(CHARACTER_OF_BYTE)
    return not (has_all_bytes and _holds(state["pre_tokenizer"], _is_byte_level))


def _with_unknown_token(state: dict[str, Any]) -> dict[str, Any]:
    """The same tokenizer with a token for what has none."""
    taken = [*state["model"]["vocab"].values(), *(added["id"] for added in state["added_tokens"])]
    # The library numbers added tokens anew, from the size of the vocabulary on: keep away.
    free = max(taken, default=0) + len(taken) + 2
    unknown = _UNKNOWN
    while unknown in state["model"]["vocab"]:
        unknown += "\0"
    vocabulary = {**state["model"]["vocab"], unknown: free}
    model = {**state["model"], "vocab": vocabulary, "unk_token": unknown, "fuse_unk": False}
    # Offsets are to be those of all that was read: a post-processor may trim them.
    twin = {**state, "model": model, "post_processor": None}
    if _holds(state["pre_tokenizer"], _drops_what_is_unknown):
        twin["pre_tokenizer"] = _without(state["pre_tokenizer"], _drops_what_is_unknown)
        twin["normalizer"] = _without(state["normalizer"], _marks_ends_of_words)
    return twin


def _drops_what_is_unknown(step: dict[str, Any]) -> bool:
    if step["type"] != "Split" or step["behavior"] != "Removed" or step["invert"]:
        return False
    return bool(_ALL_BUT_AN_ALPHABET.fullmatch(step["pattern"].get("Regex", "")))


def _marks_ends_of_words(step: dict[str, Any]) -> bool:
    is_replacement = step["type"] == "Replace" and "Regex" in step["pattern"]
    return is_replacement and bool(_END_MARK.fullmatch(step["content"]))


def _is_byte_level(step: dict[str, Any]) -> bool:
    return bool(step["type"] == "ByteLevel")


_SEQUENCES = ("pretokenizers", "normalizers")
"""Where a sequence of steps has its steps."""


def _holds(step: dict[str, Any] | None, wanted: Callable[[dict[str, Any]], bool]) -> bool:
    """Whether a step is wanted, or one of those that it is made of."""
    if step is None:
        return False
    parts = [part for name in _SEQUENCES for part in step.get(name, ())]
    return wanted(step) or any(_holds(part, wanted) for part in parts)


def _without(
    step: dict[str, Any] | None, unwanted: Callable[[dict[str, Any]], bool]
) -> dict[str, Any] | None:
    """A step without the unwanted ones that it is or is made of; None if nothing is left."""
    if step is None or unwanted(step):
        return None
    kept = dict(step)
    for name in _SEQUENCES:
        if name in step:
            parts = (_without(part, unwanted) for part in step[name])
            kept[name] = [part for part in parts if part is not None]
    return kept


# -- Tokens as they are written -----------------------------------------------------------------
#
# The vocabulary of such a file is text, in which bytes, spaces and the ends or continuations of
# words are written by conventions that its steps tell: Ġ for a space among GPT-2's printable
# characters, `<0x20>` for a byte, ▁ for a space, `##` before what continues a word, `</w>` after
# what ends one.

State = dict[str, Any]
"""A tokenizer.json, or a part of it, as the `tokenizers` library writes it."""

_PRINTABLE = frozenset(BYTE_OF_CHARACTER)

_STEPS_OF_STEPS = ("normalizers", "pretokenizers", "decoders")
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
    """Whether decoding gives the bytes that byte-level tokens stand for, and does no more."""
    normalizes_to_bytes: bool
    """Whether normalization already writes bytes as GPT-2's printable characters."""

    @classmethod
    def of(cls, state: State) -> Notation:
        """The notation of a tokenizer, by its steps and its model."""
        model, decoder = state["model"], state["decoder"]
        encoding = [*steps(state["normalizer"]), *steps(state["pre_tokenizer"])]
        decoding = list(steps(decoder))
        return cls(
            byte_level=any(step["type"] == "ByteLevel" for step in encoding),
            byte_fallback=bool(model.get("byte_fallback"))
            or any(step["type"] == "ByteFallback" for step in decoding),
            spaces=_space_mark(encoding, decoding),
            prefix=_prefix(model, decoding),
            suffix=_suffix(model, decoding),
            end_mark=end_mark(state["normalizer"]),
            decodes_bytes=[step["type"] for step in decoding] == ["ByteLevel"],
            normalizes_to_bytes=any(
                step["type"] == "ByteLevel" for step in steps(state["normalizer"])
            ),
        )

    def content(self, text: str) -> bytes:
        """The bytes that an ordinary token stands for, without its markers."""
        return self.marked_token_bytes(self._unmarked(text))

    def marked_token_bytes(self, text: str) -> bytes:
        """The bytes of an ordinary token, markers included."""
        if self.byte_level and _PRINTABLE.issuperset(text):
            return from_printable(text)
        if self.spaces:
            text = text.replace(self.spaces, " ")
        return text.encode("utf-8")

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


def printed_bytes(text: str) -> bytes:
    """The bytes that GPT-2's printable characters stand for; of any other text its UTF-8.

    >>> printed_bytes("Ġé"), printed_bytes("日")
    (b' \\xe9', b'\\xe6\\x97\\xa5')
    """
    return from_printable(text) if _PRINTABLE.issuperset(text) else text.encode("utf-8")


def steps(step: State | None) -> Iterator[State]:
    """A step, or all those that it is made of, in their order."""
    if step is None:
        return
    for name in _STEPS_OF_STEPS:
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
