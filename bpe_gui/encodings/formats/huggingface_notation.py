"""The notation of a tokenizer.json: how it spells tokens, and which characters it drops."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Callable, Iterator
from typing import Any

import msgspec
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray
from tokenizers import Tokenizer

from bpe_gui.bpe.byte_level import BYTE_OF_CHARACTER, CHARACTER_OF_BYTE, from_printable
from bpe_gui.encodings.base import EncodingError
from bpe_gui.encodings.formats.untrusted_files import MAX_GROWTH, longest_replacement

# -- Dropped characters -------------------------------------------------------------------------
#
# A byte-pair model without an unknown token drops the symbols that its vocabulary lacks. Its
# tokens do not show this: text that no token covers may also be white space that the pre-tokenizer
# drops, or an accent that a normalizer removes, both on purpose. So the text is encoded once more
# by a twin of the tokenizer with an unknown token, which stands for exactly the symbols that the
# vocabulary lacks after all other steps.

_UNKNOWN = "\0unknown"
"""The twin's unknown token; should a vocabulary have it, a longer one."""

_ALL_BUT_AN_ALPHABET = re.compile(r"\[(?:\^(?:\\x\{[0-9a-f]+\}-?)+|\\s\\S)\]\+")
"""The pattern of the split by which our own files drop characters that their model does not know,
so that nothing is merged across the gap."""

_END_MARK = re.compile("[\ue000-\uf8ff]")
"""The character that a normalizer of our own files puts at the end of every word."""


class DroppedCharacters:
    """Find the characters of texts that a tokenizer drops because it has no token for them."""

    def __init__(self, tokenizer: Tokenizer, state: State) -> None:
        """Take a tokenizer and its state, whose model need not have its vocabulary and merges."""
        self._twin: Tokenizer | None = None
        if _can_drop(state, tokenizer.model.token_to_id):
            twin = _with_unknown_token(msgspec.json.decode(tokenizer.to_str()))
            self._twin = Tokenizer.from_str(json.dumps(twin))
            self._unknown = twin["model"]["vocab"][twin["model"]["unk_token"]]

    def characters(self, text: str, *, specials_as_text: bool = False) -> NDArray[np.int64]:
        """Find the indexes of dropped characters, ascending, by encoding the text once more.

        A character counts even if some of its bytes have tokens. Returns an empty array at once if
        the tokenizer has a token for everything.
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
    """Find the character that marks the end of a word in our own files; empty for other files."""
    marks = (step["content"] for step in steps(normalizer) if _marks_ends_of_words(step))
    return str(next(marks, ""))


def _can_drop(state: State, id_of: Callable[[str], int | None]) -> bool:
    """Tell whether text can be dropped for want of a token. Only BPE models do so."""
    model = state["model"]
    if model["type"] != "BPE":
        return False
    if any(map(_drops_unknown, steps(state["pre_tokenizer"]))):
        return True
    if model["unk_token"] is not None:
        return False
    plain = not model["continuing_subword_prefix"] and not model["end_of_word_suffix"]
    has_all_bytes = plain and None not in map(id_of, CHARACTER_OF_BYTE)
    byte_level = any(step["type"] == "ByteLevel" for step in steps(state["pre_tokenizer"]))
    return not (has_all_bytes and byte_level)


def _with_unknown_token(state: State) -> State:
    """Copy a tokenizer, with a token for text that has none."""
    taken = [*state["model"]["vocab"].values(), *(added["id"] for added in state["added_tokens"])]
    # The library numbers added tokens anew, from the size of the vocabulary on: avoid those ids.
    free = max(taken, default=0) + len(taken) + 2
    unknown = _UNKNOWN
    while unknown in state["model"]["vocab"]:
        unknown += "\0"
    vocabulary = {**state["model"]["vocab"], unknown: free}
    model = {**state["model"], "vocab": vocabulary, "unk_token": unknown, "fuse_unk": False}
    # A post-processor may trim the offsets, which must cover all the text.
    twin = {**state, "model": model, "post_processor": None}
    if any(map(_drops_unknown, steps(state["pre_tokenizer"]))):
        twin["pre_tokenizer"] = _without(state["pre_tokenizer"], _drops_unknown)
        twin["normalizer"] = _without(state["normalizer"], _marks_ends_of_words)
    return twin


def _drops_unknown(step: dict[str, Any]) -> bool:
    if step["type"] != "Split" or step["behavior"] != "Removed" or step["invert"]:
        return False
    return bool(_ALL_BUT_AN_ALPHABET.fullmatch(step["pattern"].get("Regex", "")))


def _marks_ends_of_words(step: dict[str, Any]) -> bool:
    is_replacement = step["type"] == "Replace" and "Regex" in step["pattern"]
    return is_replacement and bool(_END_MARK.fullmatch(step["content"]))


def _without(
    step: dict[str, Any] | None, unwanted: Callable[[dict[str, Any]], bool]
) -> dict[str, Any] | None:
    """Remove the steps for which a predicate is true; None if nothing is left."""
    if step is None or unwanted(step):
        return None
    copy = dict(step)
    for name in _STEPS_OF_STEPS:
        if name in step:
            parts = (_without(part, unwanted) for part in step[name])
            copy[name] = [part for part in parts if part is not None]
    return copy


# -- How tokens are spelled ---------------------------------------------------------------------
#
# The vocabulary of such a file is text. Its steps tell the conventions for bytes, spaces and the
# ends or continuations of words: Ġ for a space among GPT-2's printable characters, `<0x20>` for a
# byte, ▁ for a space, `##` before the continuation of a word, `</w>` after the end of one.

State = dict[str, Any]
"""A tokenizer.json, or a part of it, as the `tokenizers` library writes it."""

_PRINTABLE = frozenset(BYTE_OF_CHARACTER)

_STEPS_OF_STEPS = ("normalizers", "pretokenizers", "decoders")
"""The keys under which a sequence of steps has its steps."""


class Notation(Struct, frozen=True):
    """Spell and read the tokens of a vocabulary. Any of the strings may be empty.

    spaces: the character for a space.
    prefix: the marker before the continuation of a word; suffix: the one after its end.
    end_mark: the character that normalization puts at the ends of words in our own files.

    >>> state = {"model": {"end_of_word_suffix": "</w>"}, "decoder": None}
    >>> notation = Notation.of({**state, "normalizer": None, "pre_tokenizer": None})
    >>> notation.content("est</w>"), notation.marked_token_bytes("est</w>")
    (b'est', b'est</w>')
    """

    byte_level: bool
    byte_fallback: bool
    spaces: str
    prefix: str
    suffix: str
    end_mark: str
    decodes_bytes: bool
    """Whether decoding turns byte-level tokens into bytes and does nothing else."""
    normalizes_to_bytes: bool
    """Whether normalization already spells bytes as GPT-2's printable characters."""

    @classmethod
    def of(cls, state: State) -> Notation:
        """Find the notation of a tokenizer by its steps and its model."""
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
        """Return the bytes that an ordinary token stands for, without its markers."""
        return self.marked_token_bytes(self._unmarked(text))

    def marked_token_bytes(self, text: str) -> bytes:
        """Return the bytes of an ordinary token, markers included."""
        if self.byte_level and _PRINTABLE.issuperset(text):
            return from_printable(text)
        if self.spaces:
            text = text.replace(self.spaces, " ")
        return text.encode("utf-8")

    def plain(self, normalized: str) -> str:
        """Undo the notation in a normalized text: bytes, spaces and ends of words."""
        if self.normalizes_to_bytes:
            return from_printable(normalized).decode("utf-8", "replace")
        text = normalized.replace(self.end_mark, "") if self.end_mark else normalized
        return text.replace(self.spaces, " ") if self.spaces else text

    def _unmarked(self, text: str) -> str:
        if self.suffix and text.endswith(self.suffix):
            text = text.removesuffix(self.suffix)
        # A token that is only the prefix continues nothing.
        if self.prefix and text != self.prefix:
            text = text.removeprefix(self.prefix)
        return text


def printed_bytes(text: str) -> bytes:
    """Turn GPT-2's printable characters into bytes; any other text into its UTF-8.

    >>> printed_bytes("Ġé"), printed_bytes("日")
    (b' \\xe9', b'\\xe6\\x97\\xa5')
    """
    return from_printable(text) if _PRINTABLE.issuperset(text) else text.encode("utf-8")


def steps(step: State | None) -> Iterator[State]:
    """Flatten a sequence of steps, in order.

    >>> [step["type"] for step in steps({"normalizers": [{"type": "NFD"}, {"type": "Strip"}]})]
    ['NFD', 'Strip']
    """
    if step is None:
        return
    for name in _STEPS_OF_STEPS:
        if name in step:
            for part in step[name]:
                yield from steps(part)
            return
    yield step


def check(state: State, name: str) -> None:
    """Check that no steps can make a text grow beyond all bounds. Raises EncodingError."""
    for part in ("normalizer", "decoder"):
        growth = 1.0
        for step in steps(state[part]):
            growth *= _growth(step)
        if growth > MAX_GROWTH:
            raise EncodingError(
                f"{name} has replacements that could make a text more than {MAX_GROWTH:,} times "
                "as long, which is refused; choose another file"
            )


def _growth(step: State) -> float:
    """Bound how many times as long a step can make a text; 1 for steps of unknown kinds."""
    if step["type"] == "Prepend":  # once after every added token
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
