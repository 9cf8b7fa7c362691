"""Which characters of a text a tokenizer of the `tokenizers` library silently leaves out.

A byte-pair model without an unknown token drops the symbols that its vocabulary lacks. Its
tokens do not tell: what no token covers may also be white space that the pre-tokenizer
drops, or an accent that a normalizer takes away, and both are meant. So the text is cut
once more by a twin of the tokenizer that has an unknown token: that stands for exactly
what the vocabulary lacks, after all other steps have done with the text what they do.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from bpe_gui.bpe.byte_level import CHARACTER_OF_BYTE

_UNKNOWN = "\0unknown"
"""The twin's unknown token; should a vocabulary have it, a longer one."""

_ALL_BUT_AN_ALPHABET = re.compile(r"\[(?:\^(?:\\x\{[0-9a-f]+\}-?)+|\\s\\S)\]\+")
"""The pattern of the split by which our own files drop what their model does not know, so
that nothing is merged across the gap."""

_END_MARK = re.compile("[\ue000-\uf8ff]")
"""What a normalizer of our own files puts at the end of each word."""


class LeftOut:
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
