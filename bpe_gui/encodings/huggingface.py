"""Hugging Face's tokenizer.json of any model, read by the library that defines it.

`bpe_gui.encodings.huggingface_export` writes such files.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from tokenizers import Encoding as LibraryTokens
from tokenizers import Tokenizer, models

from bpe_gui.bpe.history import NO_TOKEN
from bpe_gui.bpe.tokenizer import Tokens
from bpe_gui.encodings.base import EncodingError, Merge, Model, joined_contents
from bpe_gui.encodings.changed_parts import composed_end
from bpe_gui.encodings.huggingface_cuts import SafeCuts
from bpe_gui.encodings.huggingface_notation import Notation, State, check
from bpe_gui.encodings.left_out import LeftOut
from bpe_gui.encodings.panics import told_as
from bpe_gui.encodings.reading import MAX_ID, MAX_TOKENS, read_bounded, shown, to_object, to_text
from bpe_gui.encodings.spans import byte_spans, character_bytes, character_spans

_MODELS = {
    "BPE": Model.BPE,
    "WordPiece": Model.WORDPIECE,
    "Unigram": Model.UNIGRAM,
    "WordLevel": Model.WORD_LEVEL,
}


def read(path: str | Path, name: str = "") -> HuggingFaceEncoding:
    """Load a tokenizer.json. Raises EncodingError if it is none, OSError if unreadable."""
    text = to_text(read_bounded(path), path, "a tokenizer.json")
    to_object(text, path, "a tokenizer.json")
    with told_as(f"{path} is not a tokenizer.json that the tokenizers library can read"):
        tokenizer = Tokenizer.from_str(text)
    return HuggingFaceEncoding(tokenizer, name or Path(path).name)


class HuggingFaceEncoding:
    """A tokenizer of the `tokenizers` library. See `base.Encoding`.

    Truncation, padding, post-processing and chance (dropout) are off: what is shown is how
    the text itself is cut. Added tokens that are not special are found in any case.

    state: all of it but vocabulary, merges and added tokens, as the library writes it.
    notation: how its tokens are written. added_tokens: those found in texts before all else.

    Byte offsets are exact where tokens spell their part of the text byte for byte, else those
    of the characters that the library names. Raises EncodingError for a tokenizer that asks
    for what cannot be done in bounded memory, or has ids beyond 32 bits.
    """

    def __init__(self, tokenizer: Tokenizer, name: str) -> None:
        self.name = name
        self._tokenizer = tokenizer
        with told_as(f"{name} cannot be used"):
            _check_ids(tokenizer, name)
            self.state = _state_without_vocabulary(tokenizer)
        tokenizer.no_truncation()
        tokenizer.no_padding()
        # All that it could do without adding special tokens is to trim offsets.
        tokenizer.post_processor = None
        _leave_nothing_to_chance(tokenizer)
        check(self.state, name)
        self.model = _MODELS[self.state["model"]["type"]]
        self.notation = Notation.of(self.state)
        self.added_tokens = tokenizer.get_added_tokens_decoder()
        self._last: tuple[str, bool, LibraryTokens] | None = None

    @property
    def vocabulary_size(self) -> int:
        """How many tokens there are, added ones included."""
        return int(self._tokenizer.get_vocab_size(with_added_tokens=True))

    def encode(self, text: str, *, specials_as_text: bool = False) -> Tokens:
        """Cut a text; no special tokens are put around it, those in it are found.

        A character that the library leaves out for want of a token is there as NO_TOKEN.
        Raises EncodingError if the library cannot cut it.
        """
        data = text.encode("utf-8")
        encoded = self._encoded(text, specials_as_text)
        ids = np.array(encoded.ids, np.int32)
        starts, ends = self._places(data, encoded, ids)
        missing = self.left_out(text, specials_as_text=specials_as_text)
        if len(missing):
            places = character_bytes(data)
            starts = np.concatenate((starts, places[missing]))
            ends = np.concatenate((ends, places[missing + 1]))
            ids = np.concatenate((ids, np.full(len(missing), NO_TOKEN, np.int32)))
            order = np.argsort(starts, kind="stable")
            ids, starts = ids[order], starts[order]
            # Tokens that the library has merged across the gap reach beyond it.
            ends = np.maximum.accumulate(ends[order])
        return Tokens(ids, starts, ends, *character_spans(data, starts, ends))

    def left_out(self, text: str, *, specials_as_text: bool = False) -> NDArray[np.int64]:
        """The characters of a text that have no token and are left out, by index.

        Not what the tokenizer drops by design: white space between words, say.
        """
        with told_as(f"{self.name} cannot cut this text"):
            return self._left_out.characters(text, specials_as_text=specials_as_text)

    @property
    def decodes_apart(self) -> bool:
        """Whether each token is decoded by itself; see `pieces.DecodesApart`."""
        return self.notation.decodes_bytes

    def safe_cut(self, data: bytes, *, specials_as_text: bool = False) -> int:
        """Where a text can be cut; see `measuring.KnowsSafeCuts`. 0 where steps look across."""
        return self._safe_cuts.last(data)

    def decode(self, ids: Sequence[int]) -> str:
        """The text of ids, special tokens included; NO_TOKEN is left out.

        Raises EncodingError for unknown ids.
        """
        if self.notation.decodes_bytes:
            return self.decode_bytes(ids).decode("utf-8", "replace")
        known = self._known(ids)
        with told_as(f"{self.name} cannot decode these ids"):
            return str(self._tokenizer.decode_batch([known], skip_special_tokens=False)[0])

    def decode_bytes(self, ids: Sequence[int]) -> bytes:
        """The bytes of ids, also where they are not whole characters."""
        known = self._known(ids)
        if self.notation.decodes_bytes:
            return joined_contents(known, self.content)
        text = self.decode(known)
        if "\ufffd" not in text or not self.notation.byte_fallback:
            return text.encode("utf-8")
        # The library gives U+FFFD for bytes that are no characters: here are the bytes.
        whole = joined_contents(known, self.content)
        return whole[1:] if whole.startswith(b" ") and not text.startswith(" ") else whole

    def text(self, token: int) -> str:
        """A token as the vocabulary writes it. Raises EncodingError for an unknown id."""
        text = self._tokenizer.id_to_token(token) if 0 <= token <= MAX_ID else None
        if text is None:
            raise EncodingError(
                f"{self.name} has no token with the id {token}; its vocabulary has "
                f"{self.vocabulary_size:,} tokens"
            )
        return str(text)

    def content(self, token: int) -> bytes:
        """The bytes that a token stands for, without markers of words' ends and the like."""
        text = self.text(token)
        added = token in self.added_tokens
        return text.encode("utf-8") if added else self.notation.content(text)

    def marked_content(self, token: int) -> bytes:
        """The bytes of a token with its markers. Raises EncodingError for an unknown id."""
        text = self.text(token)
        added = token in self.added_tokens
        return text.encode("utf-8") if added else self.notation.marked_content(text)

    def is_special(self, token: int) -> bool:
        """Whether it is an added token that is special."""
        return token in self.added_tokens and bool(self.added_tokens[token].special)

    def is_unknown(self, token: int) -> bool:
        """Whether it is no token, or the model's unknown token."""
        return token in (NO_TOKEN, self._unknown)

    def find(self, content: bytes) -> int | None:
        """The ordinary token with this content; of several the lowest id."""
        return self._by_content.get(content)

    def find_marked(self, content: bytes) -> int | None:
        """As `find`, for content with its markers."""
        return self._by_marked_content.get(content)

    def merge(self, token: int) -> Merge | None:
        """Which merge made a token; None for one that was not merged, or in other models."""
        self.text(token)
        return self._merges.get(token)

    def words(self, text: str, *, specials_as_text: bool = False) -> NDArray[np.int64]:
        """Where words begin that have tokens, in bytes of the text's UTF-8."""
        data = text.encode("utf-8")
        encoded = self._encoded(text, specials_as_text)
        numbers = np.array([-1 if word is None else word for word in encoded.word_ids], np.int64)
        starts, _ = self._places(data, encoded, np.array(encoded.ids, np.int32))
        return np.unique(starts[np.flatnonzero(np.diff(numbers, prepend=-2))])

    def normalized(self, text: str) -> str:
        """The text as the normalizer leaves it, spaces written as spaces."""
        text.encode("utf-8")
        if self._tokenizer.normalizer is None:
            return text
        with told_as(f"{self.name} cannot normalize this text"):
            return self.notation.plain(self._tokenizer.normalizer.normalize_str(text))

    # -- what the library is asked -----------------------------------------------------------

    def _encoded(self, text: str, specials_as_text: bool) -> LibraryTokens:
        """The library's tokens of a text; those of the last one are kept."""
        if self._last is not None and self._last[:2] == (text, specials_as_text):
            return self._last[2]
        with told_as(f"{self.name} cannot cut this text"):
            self._tokenizer.encode_special_tokens = specials_as_text
            # A batch of one, for only then does the library let go of the interpreter.
            encoded = self._tokenizer.encode_batch([text], add_special_tokens=False)[0]
        self._last = (text, specials_as_text, encoded)
        return encoded

    def _places(
        self, data: bytes, encoded: LibraryTokens, ids: NDArray[np.int32]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Where tokens begin and end, in bytes."""
        kinds, which = np.unique(ids, return_inverse=True)
        contents = [self.content(token) for token in kinds.tolist()]
        lengths = np.array([len(content) for content in contents], np.int64)
        # A space may be dropped where another is put in, and then all is spelled by chance.
        exact = not self.notation.spaces
        if exact and b"".join([contents[index] for index in which.tolist()]) == data:
            each = lengths[which] if len(ids) else np.empty(0, np.int64)
            ends = np.cumsum(each)
            return ends - each, ends
        offsets = np.array(encoded.offsets, np.int64).reshape(-1, 2)
        begins, stops = offsets[:, 0], self._with_composed(data, offsets)
        return byte_spans(data, begins, stops, contents, which)

    def _with_composed(self, data: bytes, offsets: NDArray[np.int64]) -> NDArray[np.int64]:
        """Where tokens end, in characters, the marks included that normalization has composed
        with what they hold: the library counts these to no token."""
        stops = offsets[:, 1].copy()
        if self._tokenizer.normalizer is None or data.isascii():
            return stops
        text = data.decode("utf-8")
        gaps = np.flatnonzero(np.append(offsets[1:, 0], len(text)) > stops)
        for token in gaps.tolist():
            stops[token] = composed_end(text, int(stops[token]), self.normalized)
        # Tokens of the bytes of one letter all have its marks.
        for token in gaps[::-1].tolist():
            same = token
            while same and offsets[same - 1, 1] == offsets[token, 1]:
                same -= 1
                stops[same] = stops[token]
        return stops

    def _known(self, ids: Sequence[int]) -> list[int]:
        """Ids without NO_TOKEN. Raises EncodingError for an unknown one."""
        for token in dict.fromkeys(ids):
            if token != NO_TOKEN:
                self.text(token)
        return [token for token in ids if token != NO_TOKEN]

    @cached_property
    def _left_out(self) -> LeftOut:
        return LeftOut(self._tokenizer)

    @cached_property
    def _safe_cuts(self) -> SafeCuts:
        return SafeCuts(self.state, self.added_tokens, self._tokenizer.normalizer)

    @cached_property
    def _unknown(self) -> int:
        """The id of the unknown token; NO_TOKEN if there is none."""
        model = self.state["model"]
        if self.notation.end_mark:
            return NO_TOKEN  # the model takes ends of words for it
        if model["type"] == "Unigram":
            return NO_TOKEN if model["unk_id"] is None else int(model["unk_id"])
        if model["unk_token"] is None:
            return NO_TOKEN
        token = self._tokenizer.token_to_id(model["unk_token"])
        return NO_TOKEN if token is None else int(token)

    @cached_property
    def _by_content(self) -> dict[bytes, int]:
        found: dict[bytes, int] = {}
        for token, text in self.ordinary():
            found.setdefault(self.notation.content(text), token)
        return found

    @cached_property
    def _by_marked_content(self) -> dict[bytes, int]:
        found: dict[bytes, int] = {}
        for token, text in self.ordinary():
            found.setdefault(self.notation.marked_content(text), token)
        return found

    @cached_property
    def _merges(self) -> dict[int, Merge]:
        """The merge that made each token, of several the first."""
        found: dict[int, Merge] = {}
        for rank, (left, right, token) in enumerate(self.merges()):
            found.setdefault(token, Merge(rank, left, right))
        return found

    def to_json(self) -> str:
        """The tokenizer.json that was read, with all that is off here."""
        state = json.loads(self._tokenizer.to_str())
        model = {**state["model"], **self.state["model"]}
        return json.dumps({**state, **self.state, "model": model}, ensure_ascii=False, indent=2)

    def merges(self) -> list[tuple[int, int, int]]:
        """All merges in their order: two tokens, and what they are merged to."""
        model = json.loads(self._tokenizer.to_str())["model"]
        if self.model is not Model.BPE:
            return []
        vocabulary: dict[str, int] = model["vocab"]
        prefix = len((model.get("continuing_subword_prefix") or "").encode("utf-8"))
        found = []
        for left, right in model["merges"]:
            joined = left + right.encode("utf-8")[prefix:].decode("utf-8", "replace")
            found.append((vocabulary[left], vocabulary[right], vocabulary[joined]))
        return found

    def taken_whole(self) -> int | None:
        """The first ordinary token that a word can be although merges do not make it.

        There are such only in byte-pair models that look for whole words first.
        """
        if not self.state["model"].get("ignore_merges"):
            return None
        merging = Tokenizer.from_str(self._tokenizer.to_str()).model
        merging.ignore_merges = False
        for token, text in self.ordinary():
            if [part.id for part in merging.tokenize(text)] != [token]:
                return token
        return None

    def ordinary(self) -> list[tuple[int, str]]:
        """Ids and texts of the tokens that are not added, ascending."""
        vocabulary = self._tokenizer.get_vocab(with_added_tokens=False)
        ordinary = ((token, text) for text, token in vocabulary.items())
        return sorted(row for row in ordinary if row[0] not in self.added_tokens)


def _leave_nothing_to_chance(tokenizer: Tokenizer) -> None:
    """Switch off what makes the library cut the same text in different ways."""
    model = tokenizer.model
    if isinstance(model, models.BPE):
        model.dropout = None
    if isinstance(model, models.Unigram):
        # Only newer versions of the library have these.
        for option in ("alpha", "nbest_size"):
            if getattr(model, option, None) is not None:
                setattr(model, option, None)


def _check_ids(tokenizer: Tokenizer, name: str) -> None:
    """Raise EncodingError for ids that two tokens share, or that leave such gaps that the
    library would count for a minute."""
    vocabulary = tokenizer.get_vocab(with_added_tokens=True)
    texts = {token: text for text, token in vocabulary.items()}
    if max(texts, default=0) >= MAX_TOKENS:
        raise EncodingError(
            f"{name} has the id {max(texts):,}, and ids have to be below {MAX_TOKENS:,}"
        )
    for text, token in vocabulary.items() if len(texts) < len(vocabulary) else ():
        if texts[token] != text:
            raise EncodingError(
                f"in {name} both {shown(text)} and {shown(texts[token])} have the id {token}"
            )


def _state_without_vocabulary(tokenizer: Tokenizer) -> State:
    """The steps of a tokenizer and the options of its model."""
    state: State = json.loads(tokenizer.to_str())
    model = {key: value for key, value in state["model"].items() if key not in ("vocab", "merges")}
    del state["added_tokens"]
    return {**state, "model": model}
