"""Hugging Face's tokenizer.json of any model, read by the library that defines it."""

from __future__ import annotations

import codecs
import json
import operator
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import groupby
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray
from tokenizers import AddedToken, PreTokenizedString, Regex, Tokenizer, models
from tokenizers import Encoding as LibraryTokens
from tokenizers.decoders import Decoder
from tokenizers.normalizers import Normalizer
from tokenizers.pre_tokenizers import Split

from bpe_gui.bpe.errors import shown
from bpe_gui.bpe.history import NO_TOKEN
from bpe_gui.bpe.tokenizer import Tokens
from bpe_gui.bpe.utf8 import bytes_of_characters, character_spans, characters_of_bytes
from bpe_gui.encodings.base import (
    EncodingError,
    Model,
    RankedMerge,
    join_token_bytes,
    no_such_token,
    wrap_rust_errors,
)
from bpe_gui.encodings.formats.huggingface_cuts import (
    cuts_behind_newlines,
    cuts_between_letters,
    letters_behind_newlines,
    marks_spaces,
    prepends_mark,
    safe_cuts,
)
from bpe_gui.encodings.formats.huggingface_notation import (
    DroppedCharacters,
    Notation,
    State,
    check,
    printed_bytes,
)
from bpe_gui.encodings.formats.sentencepiece_models import ScoreMerges
from bpe_gui.encodings.formats.tokenizer_config import TokenizerConfig, config_beside
from bpe_gui.encodings.formats.untrusted_files import (
    MAX_ID,
    MAX_TOKENS,
    count_keys,
    read_bounded,
    to_object,
    to_text,
)
from bpe_gui.encodings.regex_words import SPACES, byte_spans, composed_end, leading_spaces

# -- Bytes of a decoded text --------------------------------------------------------------------
#
# Its decoder of fallback bytes writes one U+FFFD for each byte of a run that is not UTF-8 as a
# whole.

_BYTE = re.compile("<0x([0-9A-Fa-f]{2})>")

_STAND_INS = 0x10FF00
"""Private characters, one for each byte: decoders leave them as they are."""

_REPLACED = {_STAND_INS + byte: "\ufffd" for byte in range(256)}

_ESCAPED = {
    _STAND_INS + byte: bytes([byte]).decode("ascii", "surrogateescape") for byte in range(256)
}


def bytes_of_decoded(text: str, tokens: Iterable[str], decoder: Decoder | None) -> bytes:
    """Put the bytes of tokens back into what the decoder made of them.

    `text` is that, `tokens` are as the vocabulary writes them. Where the bytes cannot be told, it
    is the UTF-8 of the text.

    >>> from tokenizers.decoders import ByteFallback
    >>> bytes_of_decoded("a\\ufffd", ["a", "<0xE2>"], ByteFallback())
    b'a\\xe2'
    """
    if decoder is None or "\ufffd" not in text:
        return text.encode("utf-8")
    marked = str(decoder.decode(list(_with_stand_ins(tokens))))
    # Other steps may have changed the bytes, and the text may have such characters itself.
    if marked.translate(_REPLACED) != text:
        return text.encode("utf-8")
    return marked.translate(_ESCAPED).encode("utf-8", "surrogateescape")


def _with_stand_ins(tokens: Iterable[str]) -> Iterator[str]:
    """Return the tokens, with runs of bytes that are not UTF-8 written so that no decoder reads
    them.
    """
    for is_byte, group in groupby(tokens, lambda text: _BYTE.fullmatch(text) is not None):
        run = list(group)
        values = [int(text[3:5], 16) for text in run] if is_byte else []
        try:
            bytes(values).decode("utf-8")
            yield from run
        except UnicodeDecodeError:
            yield from (chr(_STAND_INS + value) for value in values)


# -- Characters that a Unigram model does not know ----------------------------------------------
#
# A model of the `tokenizers` library makes one run of all neighbours that have no token, and gives
# the place of the whole run to each of its bytes. That is enough where the bytes spell the text;
# where it was normalized, the run is normalized once more, character by character.

_EACH_CHARACTER = Split(Regex(r"[\s\S]"), "isolated")


def offsets_in_runs(
    text: str,
    offsets: NDArray[np.int64],
    byte_values: NDArray[np.int64],
    normalizer: Normalizer,
) -> NDArray[np.int64]:
    """Narrow the offsets of bytes to their characters.

    Each row of `offsets` is where a token begins and ends, in characters of the text, and
    `byte_values` has the byte that it falls back to, or -1. A run keeps its offsets if
    normalization by itself does not make it of its part of the text.
    """
    narrowed, following = offsets.copy(), np.append(offsets[1:, 0], len(text))
    tokens = np.flatnonzero((byte_values >= 0) & (offsets[:, 1] - offsets[:, 0] > 1))
    same = (np.diff(tokens) == 1) & (offsets[tokens[1:]] == offsets[tokens[:-1]]).all(axis=1)
    for run in np.split(tokens, np.flatnonzero(~same) + 1) if len(tokens) else ():
        # Marks that are composed with the last letter are outside of the library's offsets.
        start, end = int(offsets[run[0], 0]), max(offsets[run[-1], 1], following[run[-1]])
        made = bytes(byte_values[run].tolist()).decode("utf-8", "replace")
        characters = _characters(text[start:end], normalizer)
        first = "".join([character for character, _ in characters]).find(made)
        if first >= 0:
            places = [place for _, place in characters[first : first + len(made)]]
            sizes = [len(character.encode("utf-8")) for character in made]
            narrowed[run] = start + np.repeat(places, sizes, axis=0)
    return narrowed


def _characters(text: str, normalizer: Normalizer) -> list[tuple[str, tuple[int, int]]]:
    """Return the characters that a text is normalized to, and the part of it that each is made
    of.
    """
    normalized = PreTokenizedString(text)
    normalized.normalize(normalizer.normalize)
    _EACH_CHARACTER.pre_tokenize(normalized)
    return [(character, place) for character, place, _ in normalized.get_splits("original", "char")]


# -- The encoding -------------------------------------------------------------------------------
#
# `bpe_gui.encodings.formats.huggingface_export` writes such files.

_MODELS = {
    "BPE": Model.BPE,
    "WordPiece": Model.WORDPIECE,
    "Unigram": Model.UNIGRAM,
    "WordLevel": Model.WORD_LEVEL,
}


def read(path: str | Path, name: str = "") -> HuggingFaceEncoding:
    """Load a tokenizer.json, with the tokens that a tokenizer_config.json in its folder adds to it.

    Raises EncodingError if it is none, OSError if unreadable.
    """
    data = read_bounded(path)
    text = to_text(data, path, "a tokenizer.json")
    try:
        with wrap_rust_errors(
            f"{path} is not a tokenizer.json that the tokenizers library can read"
        ):
            tokenizer = Tokenizer.from_str(text)
    except EncodingError:
        to_object(text, path, "a tokenizer.json")  # often tells more
        raise
    if not _has_each_key_once(data, tokenizer):
        to_object(text, path, "a tokenizer.json")
    _add_configured(tokenizer, config_beside(path) or TokenizerConfig())
    return HuggingFaceEncoding(tokenizer, name or Path(path).name)


def _add_configured(tokenizer: Tokenizer, config: TokenizerConfig) -> None:
    """Add the tokens of a configuration that a tokenizer lacks, if their ids go on from its own."""
    if not config.added_tokens_decoder:
        return
    known = tokenizer.get_vocab(with_added_tokens=True)
    missing = [(i, token) for i, token in config.added_tokens.items() if token.content not in known]
    first = max(known.values(), default=-1) + 1
    if sorted(i for i, _ in missing) != list(range(first, first + len(missing))):
        return  # it belongs to another file
    for _, token in sorted(missing, key=operator.itemgetter(0)):
        options = msgspec.structs.asdict(token)
        added = AddedToken(options.pop("content"), **options)
        (tokenizer.add_special_tokens if token.special else tokenizer.add_tokens)([added])


def _has_each_key_once(data: bytes, tokenizer: Tokenizer) -> bool:
    """Tell whether what the library has read of a file has all of its keys; False if in doubt.

    No objects are made of its vocabulary, which has nearly all of them, and of its merges.
    """
    try:
        parts = _parts(data.removeprefix(codecs.BOM_UTF8))
        model = _parts(parts.pop("model"))
        keys = len(parts) + 1 + len(model)
        if bytes(memoryview(model.pop("vocab"))[:1]) == b"{":
            keys += int(tokenizer.get_vocab_size(with_added_tokens=False))
        model.pop("merges", None)  # lists of texts
        for part in (*parts.values(), *model.values()):
            keys += _count_distinct(msgspec.json.decode(part))
    except (KeyError, RecursionError, msgspec.DecodeError):
        return False
    return keys == count_keys(data)


def _count_distinct(value: Any) -> int:
    """Count the keys of all objects in a value that was read from JSON."""
    if isinstance(value, dict):
        return len(value) + sum(map(_count_distinct, value.values()))
    return sum(map(_count_distinct, value)) if isinstance(value, list) else 0


class HuggingFaceEncoding:
    """A tokenizer of the `tokenizers` library. See `base.Encoding`.

    Truncation, padding, post-processing and chance (dropout) are off: what is shown is how
    the text itself is cut. Added tokens that are not special are found in any case.

    state: all of it but vocabulary, merges and added tokens, as the library writes it.
    guess: what of it was guessed, in one clause; empty if nothing was.
    left_out: what its maker's own library does besides, in one clause; empty if nothing.
    notation: how its tokens are written. added_tokens: those found in texts before all else.

    Byte offsets are exact where tokens spell their part of the text byte for byte, else those
    of the characters that the library names. Raises EncodingError for a tokenizer that asks
    for what cannot be done in bounded memory, or has ids beyond 32 bits.
    """

    def __init__(
        self, tokenizer: Tokenizer, name: str, *, guess: str = "", left_out: str = ""
    ) -> None:
        self.name = name
        self.guess = guess
        self.left_out = left_out
        self._tokenizer = tokenizer
        with wrap_rust_errors(f"{name} cannot be used"):
            self._vocabulary: dict[str, int] = tokenizer.get_vocab(with_added_tokens=True)
            _check_ids(self._vocabulary, name)
            self.state, self._written_merges = _state_and_merges(tokenizer)
        tokenizer.no_truncation()
        tokenizer.no_padding()
        self.template_tokens: int = tokenizer.num_special_tokens_to_add(False)
        """How many tokens its template adds to a text for a model; none of them is in `encode`."""
        # All that it could do without adding special tokens is to trim offsets.
        tokenizer.post_processor = None
        _leave_nothing_to_chance(tokenizer)
        check(self.state, name)
        self.model = _MODELS[self.state["model"]["type"]]
        self.notation = Notation.of(self.state)
        self.added_tokens = tokenizer.get_added_tokens_decoder()
        self._contents: dict[int, bytes] = {}
        self._last: tuple[str, bool, LibraryTokens] | None = None

    @property
    def vocabulary_size(self) -> int:
        """Tell how many tokens there are, added ones included."""
        return int(self._tokenizer.get_vocab_size(with_added_tokens=True))

    @property
    def ids(self) -> list[int]:
        """Return the ids of all tokens, added ones included, ascending."""
        return sorted(self._vocabulary.values())

    def encode(self, text: str, *, specials_as_text: bool = False) -> Tokens:
        """Cut a text; no special tokens are put around it, those in it are found.

        A character that the library leaves out for want of a token is there as NO_TOKEN.
        Raises EncodingError if the library cannot cut it.
        """
        data = text.encode("utf-8")
        encoded = self._encoded(text, specials_as_text)
        ids = np.array(encoded.ids, np.int32)
        starts, ends = self._places(data, encoded, ids)
        missing = self.dropped_characters(text, specials_as_text=specials_as_text)
        if len(missing):
            places = bytes_of_characters(data)
            if self.notation.end_mark:
                # The library puts the end of a word at the place of its last character.
                at = np.minimum(np.searchsorted(places[missing], starts), len(missing) - 1)
                is_there = (places[missing[at]] == starts) & (starts < ends)
                starts = np.where(is_there, ends, starts)
            starts = np.concatenate((starts, places[missing]))
            ends = np.concatenate((ends, places[missing + 1]))
            ids = np.concatenate((ids, np.full(len(missing), NO_TOKEN, np.int32)))
            order = np.argsort(starts, kind="stable")
            ids, starts = ids[order], starts[order]
            # Tokens that the library has merged across the gap reach beyond it.
            ends = np.maximum.accumulate(ends[order])
        return Tokens(ids, starts, ends, *character_spans(characters_of_bytes(data), starts, ends))

    def encode_all(
        self, texts: Sequence[str], *, specials_as_text: bool = False
    ) -> Iterator[Tokens]:
        """Cut texts as `encode` does, the library all of them at once, on all processors."""
        with wrap_rust_errors(f"{self.name} cannot encode these texts"):
            self._tokenizer.encode_special_tokens = specials_as_text
            found = self._tokenizer.encode_batch(list(texts), add_special_tokens=False)
        for text, encoded in zip(texts, found, strict=True):
            self._last = (text, specials_as_text, encoded)
            yield self.encode(text, specials_as_text=specials_as_text)

    def encode_batch(self, texts: Sequence[str]) -> list[list[int]]:
        """Tokenize short texts; see `base.EncodesBatches`."""
        with wrap_rust_errors(f"{self.name} cannot encode these texts"):
            self._tokenizer.encode_special_tokens = True
            found = self._tokenizer.encode_batch_fast(list(texts), add_special_tokens=False)
        return [encoded.ids for encoded in found]

    def dropped_characters(self, text: str, *, specials_as_text: bool = False) -> NDArray[np.int64]:
        """Return the characters of a text that have no token and are left out, by index.

        Not what the tokenizer drops by design: white space between words, say.
        """
        with wrap_rust_errors(f"{self.name} cannot encode this text"):
            return self._dropped.characters(text, specials_as_text=specials_as_text)

    @property
    def decodes_apart(self) -> bool:
        """Tell whether each token is decoded by itself; see `measure.DecodesApart`."""
        return self.notation.decodes_bytes

    def safe_cut(self, data: bytes, *, specials_as_text: bool = False) -> int:
        """Find where a text can be cut; see `base.KnowsSafeCuts`. 0 where steps look across."""
        return self._last_safe_cut(data)

    @cached_property
    def continued(self) -> HuggingFaceEncoding:
        """The encoding for the rest of a text, which begins where `safe_cut` tells."""
        return self if self._last_cut_of_unsplit is None else _RestOfText(self)

    def decode(self, ids: Sequence[int]) -> str:
        """Return the text of ids, special tokens included; NO_TOKEN is left out.

        It is what the library makes of them. Raises EncodingError for unknown ids.
        """
        if self.notation.decodes_bytes:
            return self.decode_bytes(ids).decode("utf-8", "replace")
        known = self._known(ids)
        with wrap_rust_errors(f"{self.name} cannot decode these ids"):
            return str(self._tokenizer.decode_batch([known], skip_special_tokens=False)[0])

    def decode_bytes(self, ids: Sequence[int]) -> bytes:
        """Return the bytes of ids, also where they are not whole characters."""
        known = self._known(ids)
        if self.notation.decodes_bytes:
            return join_token_bytes(known, lambda token: printed_bytes(self.id_to_token(token)))
        text, tokens = self.decode(known), map(self.id_to_token, known)
        with wrap_rust_errors(f"{self.name} cannot decode these ids"):
            return bytes_of_decoded(text, tokens, self._tokenizer.decoder)

    def id_to_token(self, token: int) -> str:
        """Return a token as the vocabulary writes it. Raises EncodingError for an unknown id."""
        text = self._tokenizer.id_to_token(token) if 0 <= token <= MAX_ID else None
        if text is None:
            raise no_such_token(self, token)
        return str(text)

    def token_bytes(self, token: int) -> bytes:
        """Return the bytes that a token stands for, without markers of words' ends and the like."""
        content = self._contents.get(token)
        if content is None:
            text = self.id_to_token(token)
            content = self._whole(token, text) or self.notation.content(text)
            self._contents[token] = content
        return content

    def marked_token_bytes(self, token: int) -> bytes:
        """Return the bytes of a token with its markers. Raises EncodingError for an unknown id."""
        text = self.id_to_token(token)
        return self._whole(token, text) or self.notation.marked_token_bytes(text)

    def is_special(self, token: int) -> bool:
        """Tell whether it is an added token that is special, and no byte to fall back to."""
        added = self.added_tokens.get(token)
        return added is not None and bool(added.special) and not self.is_fallback_byte(token)

    def is_added(self, token: int) -> bool:
        """Tell whether it is an added token that is not special, and not merged anywhere."""
        added = self.added_tokens.get(token)
        if added is None or added.special or self.is_fallback_byte(token):
            return False
        if not added.normalized and self._is_made_of_spaces(token):
            return False
        # One that is a word by itself may be merged within another word.
        return not (added.single_word and self._tokenizer.model.token_to_id(added.content) == token)

    def is_unknown(self, token: int) -> bool:
        """Tell whether it is no token, or the model's unknown token."""
        return token in (NO_TOKEN, self._unknown)

    def is_fallback_byte(self, token: int) -> bool:
        """Tell whether it is a byte that the model takes for a character without a token."""
        return token in self._fallback_bytes

    def token_to_id(self, content: bytes) -> int | None:
        """Find the ordinary token with these bytes; of several the lowest id, bytes last."""
        return self._by_content.get(content)

    def marked_token_to_id(self, content: bytes) -> int | None:
        """Find the ordinary token with these bytes, its markers included; see `token_to_id`."""
        return self._by_marked_content.get(content)

    def merge(self, token: int) -> RankedMerge | None:
        """Tell which merge made a token; None for one that was not merged, or in other models."""
        text = self.id_to_token(token)
        merges = self._merges.get(token, [])
        if len(merges) < 2:
            return merges[0] if merges else None
        made = self._greedy_merges.merge(text)
        return made if made in merges else merges[0]

    def words(self, text: str, *, specials_as_text: bool = False) -> NDArray[np.int64]:
        """Find where words begin that have tokens, in bytes of the text's UTF-8."""
        data = text.encode("utf-8")
        encoded = self._encoded(text, specials_as_text)
        self._last = None  # of 5 MB they take 560 MB, and they have told all that is asked of them
        numbers = np.array([-1 if word is None else word for word in encoded.word_ids], np.int64)
        starts, _ = self._places(data, encoded, np.array(encoded.ids, np.int32))
        return np.unique(starts[np.flatnonzero(np.diff(numbers, prepend=-2))])

    def normalized(self, text: str) -> str:
        """Return the text as the normalizer leaves it, spaces written as spaces."""
        text.encode("utf-8")
        if self._tokenizer.normalizer is None:
            return text
        with wrap_rust_errors(f"{self.name} cannot normalize this text"):
            return self.notation.plain(self._tokenizer.normalizer.normalize_str(text))

    def is_found_normalized(self, token: int) -> bool:
        """Tell whether a special or added token is found after normalization."""
        return bool(self.added_tokens[token].normalized)

    def normalized_part(self, text: str) -> str:
        """Normalize a part behind a special token, as any text."""
        return self.normalized(text)

    # -- what the library is asked -----------------------------------------------------------

    def _encoded(self, text: str, specials_as_text: bool) -> LibraryTokens:
        """Return the library's tokens of a text; the last ones are kept until `words` reads them.
        """
        if self._last is not None and self._last[:2] == (text, specials_as_text):
            return self._last[2]
        with wrap_rust_errors(f"{self.name} cannot encode this text"):
            self._tokenizer.encode_special_tokens = specials_as_text
            # A batch of one, for only then does the library let go of the interpreter.
            encoded = self._tokenizer.encode_batch([text], add_special_tokens=False)[0]
        self._last = (text, specials_as_text, encoded)
        return encoded

    def _places(
        self, data: bytes, encoded: LibraryTokens, ids: NDArray[np.int32]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Find where tokens begin and end, in bytes."""
        kinds, which = np.unique(ids, return_inverse=True)
        contents = [self.token_bytes(token) for token in kinds.tolist()]
        lengths = np.array([len(content) for content in contents], np.int64)
        # A space may be dropped where another is put in, and then all is spelled by chance.
        exact = not self.notation.spaces
        if exact and b"".join([contents[index] for index in which.tolist()]) == data:
            each = lengths[which] if len(ids) else np.empty(0, np.int64)
            ends = np.cumsum(each)
            return ends - each, ends
        offsets = np.array(encoded.offsets, np.int64).reshape(-1, 2)
        normalizer = self._tokenizer.normalizer
        if self.model is Model.UNIGRAM and self._fallback_bytes and normalizer is not None:
            values = np.array([self._fallback_bytes.get(kind, -1) for kind in kinds.tolist()])
            text = data.decode("utf-8")
            with wrap_rust_errors(f"{self.name} cannot encode this text"):
                offsets = offsets_in_runs(text, offsets, values[which], normalizer)
        begins, stops = offsets[:, 0], self._with_composed(data, offsets)
        for token in self._added_before(data.decode("utf-8"), offsets, contents, which):
            stops[token] = begins[token]
        return byte_spans(data, begins, stops, contents, which)

    def _added_before(
        self,
        text: str,
        offsets: NDArray[np.int64],
        contents: list[bytes],
        which: NDArray[np.int64],
    ) -> Iterator[int]:
        """Find tokens of spaces that are put before a text, and so are not at any place of it.

        The library gives them the place of the character that follows.
        """
        blank = np.array([content != b"" and not content.strip(b" ") for content in contents], bool)
        tokens = np.flatnonzero(blank[which]) if blank.any() else which[:0]
        if not len(tokens):
            return
        begins, ends = offsets[:, 0], offsets[:, 1]
        shares = np.append(begins[1:] == begins[:-1], False)[tokens]
        after = np.append(0, ends)[tokens] <= begins[tokens]
        # Most spaces are in the text as they are.
        codes = np.frombuffer(text.encode("utf-32-le"), np.uint32)
        is_space = np.append(np.isin(codes, list(map(ord, SPACES))), True)[begins[tokens]]
        likely = after & (ends[tokens] > begins[tokens]) & (shares | ~is_space)
        for token, is_shared in zip(tokens[likely].tolist(), shares[likely].tolist(), strict=True):
            begin, end = offsets[token].tolist()
            made = contents[which[token]]
            if is_shared:
                end, made = int(ends[token + 1]), made + contents[which[token + 1]]
            # What ends a text may be stripped, but this has a token.
            own = leading_spaces(f"{text[begin:end]}x", self.normalized)
            added = len(made) - len(made.lstrip(b" ")) - (len(made) if own is None else own)
            if added >= len(contents[which[token]]):
                yield token

    def _with_composed(self, data: bytes, offsets: NDArray[np.int64]) -> NDArray[np.int64]:
        """Find where tokens end, in characters, the marks included that normalization has composed
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

    def _whole(self, token: int, text: str) -> bytes | None:
        """Return the bytes of a token that has no markers: one that is added, or falls back to a
        byte.
        """
        if token in self._fallback_bytes:
            return bytes([self._fallback_bytes[token]])
        if token not in self.added_tokens:
            return None
        # The library writes one that it looks for in normalized text as normalization does.
        as_read = text == self.added_tokens[token].content and not self._is_made_of_spaces(token)
        return (text if as_read else self.notation.plain(text)).encode("utf-8")

    def _is_made_of_spaces(self, token: int) -> bool:
        """Tell whether spaces of a text become an added token whose name has the mark for them: by
        the model, as Gemma's, or because it is looked for in normalized text.
        """
        added, mark = self.added_tokens[token], self.notation.spaces
        if not mark or mark not in added.content:
            return False
        return bool(added.normalized) or self._tokenizer.model.token_to_id(added.content) == token

    def _lowest_by(self, content: Callable[[int], bytes]) -> dict[bytes, int]:
        """Map the bytes of ordinary tokens to their ids, to the lowest one if several are alike.

        Added tokens that merges make are among them.
        """
        made = self.added_symbols().values()
        merged = {token for token in self.added_tokens if token in self._merges or token in made}
        ordinary = sorted([*(token for token, _ in self.ordinary()), *merged])
        last = self._fallback_bytes
        in_order = [*(token for token in ordinary if token not in last), *sorted(last)]
        return {content(token): token for token in reversed(in_order)}

    def _known(self, ids: Sequence[int]) -> list[int]:
        """Return ids without NO_TOKEN. Raises EncodingError for an unknown one."""
        for token in dict.fromkeys(ids):
            if token != NO_TOKEN:
                self.id_to_token(token)
        return [token for token in ids if token != NO_TOKEN]

    @cached_property
    def _dropped(self) -> DroppedCharacters:
        return DroppedCharacters(self._tokenizer, self.state)

    @cached_property
    def _last_safe_cut(self) -> Callable[[bytes], int]:
        if self._last_cut_of_unsplit is not None:
            return self._last_cut_of_unsplit
        normalizer = self._tokenizer.normalizer
        normalize = str if normalizer is None else normalizer.normalize_str
        return safe_cuts(self.state, self.added_tokens.values(), normalize)

    @cached_property
    def _last_cut_of_unsplit(self) -> Callable[[bytes], int] | None:
        """Return what finds places in texts that are not split; None if they are, or none is known.
        """
        added = self.added_tokens
        names = [text for text, token in self._vocabulary.items() if token not in added]
        if marks_spaces(self.state, names):
            return cuts_between_letters(added.values())
        letters = letters_behind_newlines(self.state, names)
        return cuts_behind_newlines(letters, added.values()) if letters else None

    @cached_property
    def _unknown(self) -> int:
        """Return the id of the unknown token; NO_TOKEN if there is none."""
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
    def _fallback_bytes(self) -> dict[int, int]:
        """Return the bytes that tokens stand for, none if the model does not fall back to bytes.

        Files may have them as added tokens, too.
        """
        if not self.state["model"].get("byte_fallback"):
            return {}
        model = self._tokenizer.model
        found = {model.token_to_id(f"<0x{byte:02X}>"): byte for byte in range(256)}
        return {token: byte for token, byte in found.items() if token is not None}

    @cached_property
    def _by_content(self) -> dict[bytes, int]:
        return self._lowest_by(self.token_bytes)

    @cached_property
    def _by_marked_content(self) -> dict[bytes, int]:
        return self._lowest_by(self.marked_token_bytes)

    @cached_property
    def _merges(self) -> dict[int, list[RankedMerge]]:
        """Return the merges that make each token.

        Ranks count tokens, not the rules of the file: converted SentencePiece models have a rule
        for each way in which a token can be made.
        """
        found: dict[int, list[RankedMerge]] = {}
        for left, right, token in self.merges():
            same = found.setdefault(token, [])
            same.append(RankedMerge(same[0].rank if same else len(found) - 1, left, right))
        return found

    @cached_property
    def _greedy_merges(self) -> ScoreMerges:
        """What finds, of several merges that make a token, the one that is done."""
        ids = {text: token for token, text in self.ordinary()}
        ranks = ((text, self._merges[token][0].rank) for text, token in ids.items()
                 if token in self._merges)  # fmt: skip
        return ScoreMerges({text: -float(rank) for text, rank in ranks}, ids)

    def to_json(self) -> str:
        """Return the tokenizer.json that was read, with all that is off here."""
        return json.dumps(self.whole_state(), ensure_ascii=False, indent=2)

    def whole_state(self) -> State:
        """Return what `to_json` writes, the vocabulary and the merges included."""
        state = json.loads(self._tokenizer.to_str())
        return {**state, **self.state, "model": {**state["model"], **self.state["model"]}}

    def merges(self) -> list[tuple[int, int, int]]:
        """Return all merges in their order: two tokens, and what they are merged to."""
        return [(left, right, made) for left, right, made in self.merge_rows.tolist()]

    @cached_property
    def merge_rows(self) -> NDArray[np.int32]:
        """All merges in their order, a row for each, of shape (merges, 3); see `merges`."""
        if self.model is not Model.BPE:
            return np.empty((0, 3), np.int32)
        merges = msgspec.json.decode(self._written_merges, type=list[tuple[str, str]])
        if not merges:
            return np.empty((0, 3), np.int32)
        lefts, rights = zip(*merges, strict=True)
        prefix = len((self.state["model"]["continuing_subword_prefix"] or "").encode("utf-8"))
        rests: Iterable[str] = rights
        if prefix:
            rests = (rest.encode("utf-8")[prefix:].decode("utf-8", "replace") for rest in rights)
        made = map(operator.add, lefts, rests)
        number = self._vocabulary.__getitem__
        columns = [np.fromiter(map(number, texts), np.int32) for texts in (lefts, rights, made)]
        return np.stack(columns, axis=1)

    def unmerged(self, merges: NDArray[np.integer[Any]] | None = None) -> dict[str, int]:
        """Return the ordinary tokens that no merge makes, with their ids, ascending.

        merges: those that count, as `merge_rows` has them; all if none are given.
        """
        rows = self.merge_rows if merges is None else merges
        ids = np.fromiter(self._vocabulary.values(), np.int64)
        is_made = np.zeros(int(ids.max(initial=-1)) + 1, np.bool_)
        is_made[rows[:, 2]] = True
        texts = list(self._vocabulary)
        places = np.flatnonzero(~is_made[ids])
        in_order = places[np.argsort(ids[places])].tolist()
        found = ((texts[place], int(ids[place])) for place in in_order)
        return {text: token for text, token in found if token not in self.added_tokens}

    def added_symbols(self) -> dict[str, int]:
        """Return the added tokens that text becomes character by character too, with their ids."""
        found = self.added_tokens.items()
        of_model = self._tokenizer.model.token_to_id
        return {
            added.content: token for token, added in found
            if len(added.content) == 1 and of_model(added.content) == token
        }  # fmt: skip

    def taken_whole(self) -> int | None:
        """Return the first ordinary token that a word can be although merges do not make it.

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
        """Return ids and texts of the tokens that are not added, ascending."""
        added = self.added_tokens
        ordinary = [
            (token, text) for text, token in self._vocabulary.items() if token not in added
        ]
        ordinary.sort()
        return ordinary


class _RestOfText(HuggingFaceEncoding):
    """Encodes the rest of a text that is not split, from a space or from behind a newline on.

    The library puts a space before every text, and there may be more texts: one behind every added
    token. So it gets the text without its first space, and puts that before it; or with the newline
    before it, whose tokens are left out.
    """

    def __init__(self, whole: HuggingFaceEncoding) -> None:
        vars(self).update(vars(whole))
        vars(self)["continued"] = self

    def encode(self, text: str, *, specials_as_text: bool = False) -> Tokens:
        """Tokenize a text that begins with a space and a letter, or with a letter behind a newline.
        """
        if not text.startswith(" "):
            return self._without_newline("\n" + text, specials_as_text)
        if not prepends_mark(self.state):
            return super().encode(text, specials_as_text=specials_as_text)
        found = super().encode(text[1:], specials_as_text=specials_as_text)
        starts, ends = found.starts + 1, found.ends + 1
        starts[:1] = 0
        characters = characters_of_bytes(text.encode("utf-8"))
        return Tokens(found.ids, starts, ends, *character_spans(characters, starts, ends))

    def _without_newline(self, text: str, specials_as_text: bool) -> Tokens:
        found = super().encode(text, specials_as_text=specials_as_text)
        behind = found.starts > 0
        columns = (found.starts, found.ends, found.char_starts, found.char_ends)
        return Tokens(found.ids[behind], *(column[behind] - 1 for column in columns))


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


def _check_ids(vocabulary: Mapping[str, int], name: str) -> None:
    """Raise EncodingError for ids that two tokens share, or that leave such gaps that the
    library would count for a minute."""
    largest = max(vocabulary.values(), default=0)
    if largest >= MAX_TOKENS:
        raise EncodingError(
            f"{name} has the id {largest:,}, and ids have to be below {MAX_TOKENS:,}"
        )
    if len(set(vocabulary.values())) == len(vocabulary):
        return
    texts = {token: text for text, token in vocabulary.items()}
    for text, token in vocabulary.items():
        if texts[token] != text:
            raise EncodingError(
                f"in {name} both {shown(text)} and {shown(texts[token])} have the id {token}"
            )


def _state_and_merges(tokenizer: Tokenizer) -> tuple[State, msgspec.Raw]:
    """Return the steps of a tokenizer with the options of its model, and its merges as JSON."""
    state = _parts(tokenizer.to_str())
    model = _parts(state.pop("model"))
    del state["added_tokens"], model["vocab"]
    merges = model.pop("merges", msgspec.Raw(b"[]")).copy()
    return {**_decoded(state), "model": _decoded(model)}, merges


def _parts(written: str | bytes | msgspec.Raw) -> dict[str, msgspec.Raw]:
    """Return the values of a JSON object, still as JSON: what is long there is not wanted."""
    return msgspec.json.decode(written, type=dict[str, msgspec.Raw])


def _decoded(parts: dict[str, msgspec.Raw]) -> State:
    return {name: msgspec.json.decode(part) for name, part in parts.items()}
