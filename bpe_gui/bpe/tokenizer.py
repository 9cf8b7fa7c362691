"""Encoding and decoding with the merges before any position of a history."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import lru_cache, partial
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from bpe_gui.bpe.byte_level import CHARACTER_OF_BYTE
from bpe_gui.bpe.history import NO_TOKEN, BaseVocabulary, History
from bpe_gui.bpe.kernels.scanning import DROPPED, UNMATCHED, WORD
from bpe_gui.bpe.kernels.segmenting import lay_out, lay_out_ids
from bpe_gui.bpe.normalize import Normalized, normalize_aligned, points_of
from bpe_gui.bpe.normalize_sections import (
    AS_IT_IS,
    FIRST,
    LATER,
    REST,
    normalize_sections,
)
from bpe_gui.bpe.pre_tokenize import for_scanner, safe_cut
from bpe_gui.bpe.recipe import END_OF_WORD, EndOfWord, Normalizer, Recipe
from bpe_gui.bpe.segmentation import MergeTable, Segmentation
from bpe_gui.bpe.special_tokens import NO_SPECIAL_TOKENS, SPECIAL, SpecialTokens
from bpe_gui.bpe.utf8 import (
    bytes_of_characters,
    character_spans,
    characters_before,
    characters_of_bytes,
)
from bpe_gui.bpe.words import (
    END_OF_WORD_KEY,
    END_OF_WORD_SUFFIX_KEY,
    FALLBACK_KEY,
    WordTable,
    find_whole_words,
    grown,
    symbol_key,
    within_none,
)

# -- From a text to initial ids -----------------------------------------------------------------


class PreTokenizedText(Struct, frozen=True):
    """A text as symbols. Columns of equal length, in text order, but `word_starts`.

    `ids` are the symbols (NO_TOKEN for one outside the alphabet that does not fall back to bytes),
    `keys` what they stand for in the normalized text: bytes or characters as `bpe_gui.bpe.words`
    numbers them, or -1 less the id of a special token or of a whole word. `starts` and `ends` are
    the bytes of the text's UTF-8 that each comes from. `word_starts` are the indexes of the symbols
    that begin a word, ascending, the first of them 0.
    """

    ids: NDArray[np.int32]
    keys: NDArray[np.int32]
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]
    word_starts: NDArray[np.int64]


class PreTokenizer:
    """Spells texts with a recipe's alphabet.

    Special tokens are found first, on the text as it is; see `special_tokens`. What is
    between two of them is normalized, special tokens of normalized texts are found there, and what
    is between these is split on its own. Raises UnicodeEncodeError for a text with lone surrogates,
    which no encoding can hold.
    """

    def __init__(self, recipe: Recipe, base: BaseVocabulary) -> None:
        self._recipe = recipe
        self._special_tokens = SpecialTokens.of(partial(getattr, recipe))
        self._keys, self._ids = _alphabet(recipe, base)
        self._whole_words = base.whole_words(recipe)
        self._falls_back = bool(base.fallback_bytes(recipe))
        has_all_bytes = recipe.byte_level and len(self._keys) == len(CHARACTER_OF_BYTE)
        self._spells_each_byte = has_all_bytes and recipe.end_of_word is EndOfWord.NONE

    def pre_tokenize(
        self, text: str, *, specials_as_text: bool = False, compiled: bool | None = None
    ) -> PreTokenizedText:
        """Spell a text; empty columns for an empty one.

        With `specials_as_text` the special tokens in it are spelled like any other text.
        """
        data = text.encode("utf-8")
        pieces: list[PreTokenizedText] = []
        done = 0
        for begin, end, special in self.specials(data, specials_as_text=specials_as_text):
            if begin > done:
                pieces.append(self._plain(data[done:begin], done, specials_as_text, compiled))
            if end > begin:
                pieces.append(_single(special, begin, end))
            done = end
        return _joined(pieces)

    def specials(
        self, data: bytes, *, specials_as_text: bool = False
    ) -> Iterator[tuple[int, int, int]]:
        """Tell where special tokens are in UTF-8, as (begin, end, id), and an empty one at the end.
        """
        if not specials_as_text:
            yield from self._special_tokens.in_text.find(data)
        yield len(data), len(data), NO_TOKEN

    def special_tokens(self, *, specials_as_text: bool = False) -> SpecialTokens:
        """Return what finds special tokens."""
        return NO_SPECIAL_TOKENS if specials_as_text else self._special_tokens

    def split(
        self,
        data: NDArray[np.uint8],
        *,
        specials_as_text: bool = False,
        compiled: bool | None = None,
    ) -> tuple[NDArray[np.int64], NDArray[np.uint8]]:
        """Split a normalized text as `split_words` does it, with the special tokens that are found
        there as words of the kind `SPECIAL`.
        """
        tokens = self.special_tokens(specials_as_text=specials_as_text)
        return tokens.split_normalized(data, self._recipe.split, compiled=compiled)

    def _plain(
        self, data: bytes, offset: int, specials_as_text: bool, compiled: bool | None
    ) -> PreTokenizedText:
        """Spell what is between the special tokens of a text."""
        source = NormalizedText(data, self._recipe.normalizers, is_first=not offset)
        if not len(source.data):
            return _joined([])
        ends, kinds = self.split(
            source.data, specials_as_text=specials_as_text, compiled=compiled
        )
        spelled = self.pre_tokenize_spans(source.data, ends, kinds)
        starts, stops = source.offsets(spelled.starts, spelled.ends)
        return PreTokenizedText(
            spelled.ids, spelled.keys, starts + offset, stops + offset, spelled.word_starts
        )

    def pre_tokenize_spans(
        self, data: NDArray[np.uint8], ends: NDArray[np.int64], kinds: NDArray[np.uint8]
    ) -> PreTokenizedText:
        """Spell text that has been normalized and split as `split` does it."""
        spelled = self._symbols(data, ends, kinds)
        if not self._whole_words and not (kinds == SPECIAL).any():
            return spelled
        begins = np.append(0, ends[:-1])[: len(ends)]
        found, tokens = self._whole(data, begins, ends, kinds)
        places = np.searchsorted(spelled.starts, begins[found])
        kept = within_none(
            len(spelled.ids), places + 1, np.searchsorted(spelled.starts, ends[found])
        )
        spelled.ids[places], spelled.keys[places] = tokens, -1 - tokens
        stops = spelled.ends.copy()
        stops[places] = ends[found]
        return PreTokenizedText(
            spelled.ids[kept],
            spelled.keys[kept],
            spelled.starts[kept],
            stops[kept],
            np.append(0, np.cumsum(kept))[spelled.word_starts],
        )

    def _whole(
        self,
        data: NDArray[np.uint8],
        begins: NDArray[np.int64],
        ends: NDArray[np.int64],
        kinds: NDArray[np.uint8],
    ) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
        """Find the words that are one symbol, special tokens among them, and these symbols."""
        found, tokens = find_whole_words(data, begins, ends, self._whole_words)
        is_word = kinds[found] == WORD
        special = np.flatnonzero(kinds == SPECIAL)
        find = self._special_tokens.in_normalized.find
        ids = [
            next(find(data[begin:end].tobytes()))[2]
            for begin, end in zip(begins[special], ends[special], strict=True)
        ]
        found = np.append(found[is_word], special)
        order = np.argsort(found)
        return found[order], np.append(tokens[is_word], ids).astype(np.int32)[order]

    def _symbols(
        self, data: NDArray[np.uint8], ends: NDArray[np.int64], kinds: NDArray[np.uint8]
    ) -> PreTokenizedText:
        """Spell words without regard to those that are symbols as a whole."""
        if self._spells_each_byte and (kinds == WORD).all():
            begins = np.arange(len(data) + 1)
            starts = np.append(0, ends[:-1])[: len(ends)]
            return PreTokenizedText(
                self._ids[data], data.astype(np.int32), begins[:-1], begins[1:], starts
            )
        if self._recipe.byte_level:
            begins = np.arange(len(data))
            keys = data.astype(np.int64)
        else:
            begins = bytes_of_characters(data)[:-1]
            text = data.tobytes().decode("utf-8")
            keys = np.frombuffer(text.encode("utf-32-le"), "<u4").astype(np.int64)
        counts = np.diff(np.searchsorted(begins, ends), prepend=0)
        spans = np.repeat(np.arange(len(ends)), counts)
        stops = np.append(begins[1:], len(data))[: len(begins)]
        first = (begins == np.append(0, ends[:-1])[spans]) | (kinds[spans] == UNMATCHED)
        last = (stops == ends[spans]) & (kinds[spans] == WORD)
        columns = keys, begins, stops, first, last
        kept = kinds[spans] != DROPPED
        if not kept.all():
            columns = tuple(column[kept] for column in columns)
        return self._marked(*(self._fallen_back(data, *columns) if self._falls_back else columns))

    def _fallen_back(
        self,
        data: NDArray[np.uint8],
        keys: NDArray[np.int64],
        starts: NDArray[np.int64],
        ends: NDArray[np.int64],
        first: NDArray[np.bool_],
        last: NDArray[np.bool_],
    ) -> tuple[NDArray[Any], ...]:
        """Replace the characters outside the alphabet by their bytes."""
        unknown = ~np.isin(keys, self._keys)
        if not unknown.any():
            return keys, starts, ends, first, last
        sizes = np.where(unknown, ends - starts, 1)
        places = np.repeat(np.arange(len(keys)), sizes)
        within = np.arange(len(places)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        starts, is_byte = starts[places] + within, unknown[places]
        keys = np.where(is_byte, data[starts].astype(np.int64) + FALLBACK_KEY, keys[places])
        ends = np.where(is_byte, starts + 1, ends[places])
        return keys, starts, ends, first[places] & (within == 0), last[places]

    def _marked(
        self,
        keys: NDArray[np.int64],
        starts: NDArray[np.int64],
        ends: NDArray[np.int64],
        first: NDArray[np.bool_],
        last: NDArray[np.bool_],
    ) -> PreTokenizedText:
        """Add the end-of-word markers and look the symbols up."""
        if self._recipe.end_of_word is EndOfWord.JOINED:
            keys = keys + END_OF_WORD_SUFFIX_KEY * last
        elif self._recipe.end_of_word is EndOfWord.OWN:
            places = np.flatnonzero(last) + 1
            keys = np.insert(keys, places, END_OF_WORD_KEY)
            starts = np.insert(starts, places, ends[places - 1])
            ends = np.insert(ends, places, ends[places - 1])
            first = np.insert(first, places, False)
        if self._spells_each_byte:
            places = keys  # all bytes, so each is where its own number says
        else:
            places = np.searchsorted(self._keys, keys)
            places[places == len(self._keys)] = 0
        known = self._keys[places] == keys if len(self._keys) else np.zeros(len(keys), np.bool_)
        ids = np.where(known, self._ids[places] if len(self._ids) else 0, NO_TOKEN)
        if self._recipe.unknown_token is not None:
            ids[~known] = self._recipe.unknown_ids[0]
        columns = ids.astype(np.int32), keys.astype(np.int32), starts, ends
        return PreTokenizedText(*columns, np.flatnonzero(first))


class NormalizedText:
    """A text after normalization, `data`, and the way back to the text itself.

    Both are UTF-8. Raises UnicodeDecodeError if the text is not. `normalized` is what the
    normalizers make of it, if somebody knows already; `is_first` tells that it begins a document.
    """

    def __init__(
        self,
        text: bytes,
        normalizers: tuple[Normalizer, ...],
        normalized: Normalized | None = None,
        *,
        is_first: bool = True,
    ) -> None:
        self.data = self._source = np.frombuffer(text, np.uint8)
        self._changed = False
        if not normalizers:
            return
        if normalized is None:
            normalized = normalize_aligned(text.decode("utf-8"), normalizers, is_first=is_first)
        if normalized.starts is None:
            return
        self._changed = True
        self.data = np.frombuffer(normalized.text.encode("utf-8"), np.uint8)
        self._source_starts, self._source_ends = normalized.columns()
        self._characters = characters_of_bytes(self.data)
        self._places = bytes_of_characters(self._source)
        self._made_places = bytes_of_characters(self.data)

    def offsets(
        self, starts: NDArray[np.int64], ends: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Tell which bytes of the text stretches of `data` came from.

        A stretch reaches from where its first character came from to where its last one did
        (see `Normalized`): if it holds a part of a character, from or to the very byte where
        normalization left the character alone, and the whole of it where not. A stretch of no
        length comes from the end of the character before it.
        """
        if not self._changed or not len(starts):
            return starts, ends
        first = self._characters[starts]
        last = self._characters[np.maximum(ends - 1, 0)]
        starts_within = starts - self._made_places[first]
        ends_within = self._made_places[last + 1] - ends
        begin, end = self._places[self._source_starts[first]], self._places[self._source_ends[last]]
        has_width = starts < ends
        if starts_within.any() or ends_within[has_width].any():
            kept = self._kept()
            begin = begin + np.where(kept[first], starts_within, 0)
            end = end - np.where(kept[last], ends_within, 0)
        return np.where(has_width, begin, end), end

    def _kept(self) -> NDArray[np.bool_]:
        """Tell which characters of `data` normalization left alone: nothing else came from theirs.
        """
        starts, ends = self._source_starts, self._source_ends
        size = len(self._places)
        began = np.cumsum(np.bincount(starts, minlength=size))
        ended = np.cumsum(np.bincount(ends, minlength=size))
        source = points_of(self._source.tobytes().decode("utf-8"))
        made = points_of(self.data.tobytes().decode("utf-8"))
        single = ends - starts == 1
        character = np.where(single, starts, 0)
        alone = (began - ended)[character] == 1
        return np.append((single & alone)[:-1] & (source[character[:-1]] == made), False)


@lru_cache(maxsize=16)
def _alphabet(recipe: Recipe, base: BaseVocabulary) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Return the symbols' keys, sorted, and their ids. Kept, for each edit of a text spells anew.
    """
    keys = {}
    for token in base.symbol_ids:
        text = base.texts[token]
        if len(text) == 1 or not recipe.symbols_may_be_words:  # others are whole words
            keys[symbol_key(text, recipe)] = token
    ordered = sorted(keys)
    return (
        np.array(ordered, np.int64),
        np.array([keys[key] for key in ordered], np.int32),
    )


def _single(token: int, start: int, end: int) -> PreTokenizedText:
    """Return one special token as a separate text."""
    return PreTokenizedText(
        np.array([token], np.int32),
        np.array([-1 - token], np.int32),
        np.array([start], np.int64),
        np.array([end], np.int64),
        np.zeros(1, np.int64),
    )


def _joined(pieces: list[PreTokenizedText]) -> PreTokenizedText:
    """Join pieces one after another."""
    if len(pieces) == 1:
        return pieces[0]
    if not pieces:
        none, empty = np.empty(0, np.int32), np.empty(0, np.int64)
        return PreTokenizedText(none, none, empty, empty, empty)
    offsets = np.cumsum([0, *(len(piece.ids) for piece in pieces)])
    return PreTokenizedText(
        np.concatenate([piece.ids for piece in pieces]),
        np.concatenate([piece.keys for piece in pieces]),
        np.concatenate([piece.starts for piece in pieces]),
        np.concatenate([piece.ends for piece in pieces]),
        np.concatenate([piece.word_starts + offsets[index] for index, piece in enumerate(pieces)]),
    )


# -- Encoding with a memory of words ------------------------------------------------------------
#
# Most of a text is words that came before. Each word is looked up by its bytes; those that
# are new are spelled and segmented together, and all are then laid out in the order of the
# text.

_WORDS_AT_ONCE = 1 << 18
MAX_WORDS = 1 << 19
MAX_BYTES = 1 << 25
"""Beyond these the words met are forgotten, so that memory is bounded."""


class ByteTokens(Struct, frozen=True):
    """UTF-8 cut into tokens: columns of equal length, in text order.

    `ids` are NO_TOKEN for symbols outside the alphabet, `starts` and `ends` bytes.
    """

    ids: NDArray[np.int32]
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.ids)

    @classmethod
    def joined(cls, parts: list[ByteTokens]) -> ByteTokens:
        """Join parts one after another; their offsets are taken as they are."""
        if len(parts) == 1:
            return parts[0]
        if not parts:
            return cls(np.empty(0, np.int32), np.empty(0, np.int64), np.empty(0, np.int64))
        return cls(
            np.concatenate([part.ids for part in parts]),
            np.concatenate([part.starts for part in parts]),
            np.concatenate([part.ends for part in parts]),
        )


class _Memory:
    """The tokens of the words of a table: how many are `known`, and the first token of each.

    Both arrays are longer than what is in them.
    """

    def __init__(self) -> None:
        self.known = 0
        self.tokens = ByteTokens.joined([])
        self.first_tokens = np.zeros(1, np.int64)

    def add(self, ends: NDArray[np.int64], first: NDArray[np.int64], cut: ByteTokens) -> None:
        """Add concatenated words, with what `WordCache.cut` makes of them."""
        known, words = self.known, self.known + len(ends)
        begins = np.repeat(np.append(0, ends[:-1]), np.diff(first))
        self.first_tokens = grown(self.first_tokens, words + 1)
        begin = int(self.first_tokens[known])
        self.first_tokens[known : words + 1] = begin + first
        end = begin + len(cut)
        tokens = self.tokens
        self.tokens = tokens = ByteTokens(
            grown(tokens.ids, end), grown(tokens.starts, end), grown(tokens.ends, end)
        )
        tokens.ids[begin:end] = cut.ids
        tokens.starts[begin:end] = cut.starts - begins
        tokens.ends[begin:end] = cut.ends - begins
        self.known = words


class _Found(Struct, frozen=True):
    """Words of a text: their numbers, where each begins if that was asked for, and the bytes of
    those that are new to a memory, one after another, with where each ends.
    """

    words: NDArray[np.int32]
    places: NDArray[np.int64]
    new: NDArray[np.uint8]
    new_ends: NDArray[np.int64]
    memory: _Memory


class CutPreTokens:
    """Pre-tokens, concatenated in normalized UTF-8, cut at every position.

    `ends` are where they end. `table` and `compiled` are as for `Segmentation`.
    """

    def __init__(
        self,
        history: History,
        data: NDArray[np.uint8],
        ends: NDArray[np.int64],
        *,
        speller: PreTokenizer | None = None,
        table: MergeTable | None = None,
        compiled: bool | None = None,
    ) -> None:
        speller = speller or PreTokenizer(history.recipe, history.base)
        # What is skipped is spelled as words are: a recipe that marks their ends skips nothing.
        self._spelled = speller.pre_tokenize_spans(data, ends, np.full(len(ends), WORD, np.uint8))
        self._begins_word = np.zeros(len(self._spelled.ids), np.bool_)
        self._begins_word[self._spelled.word_starts] = True
        self._segmentation = Segmentation(
            history, self._spelled.ids, self._spelled.word_starts, table=table, compiled=compiled
        )

    def extend(self) -> None:
        """Take in the merges that the history has had since."""
        self._segmentation.extend()

    def tokens(self, position: int) -> tuple[NDArray[np.int64], ByteTokens]:
        """Return the first token of each pre-token, with one entry more, and the tokens.

        Raises IndexError if the position is beyond the merges taken in.
        """
        spelled = self._spelled
        first, ids = self._segmentation.tokens(position)
        last = np.append(first[1:], len(spelled.ids)) - 1
        # No merge goes across the beginning of a word.
        begins = np.append(np.flatnonzero(self._begins_word[first]), len(first))
        return begins, ByteTokens(ids, spelled.starts[first], spelled.ends[last])


class WordCache:
    """Cuts normalized text without special tokens with the merges before a position."""

    def __init__(
        self, history: History, position: int, *, compiled: bool | None = None
    ) -> None:
        self._history = history
        self._position = position
        self._compiled = compiled
        self._speller = PreTokenizer(history.recipe, history.base)
        self._merges = MergeTable(compiled)
        self._forget()

    def encode_bytes(self, data: NDArray[np.uint8], document_ends: NDArray[np.int64]) -> ByteTokens:
        """Cut concatenated documents, the last of them ending with `data`.

        Raises PatternError if the recipe's regex takes too long.
        """
        with self._finding(data, document_ends) as words:
            return ByteTokens.joined(list(map(self._laid_out, words)))

    def encode_ids(
        self, data: NDArray[np.uint8], document_ends: NDArray[np.int64]
    ) -> NDArray[np.int32]:
        """Do as `encode_bytes`, but for where the tokens are."""
        # A symbol for each byte and a marker for each word; only what is written takes memory.
        ids = np.empty(2 * len(data), np.int32)
        size = 0
        failed = False

        def lay_out(found: _Found) -> None:
            nonlocal size, failed
            if failed:  # words of those before have no tokens
                return
            failed = True
            self._learn(found)
            kernel, memory = lay_out_ids.form(self._compiled), found.memory
            written = kernel(found.words, memory.first_tokens, memory.tokens.ids, ids[size:])
            size += int(written)
            failed = False

        with self._finding(data, document_ends, places=False) as words:
            if len(data) <= _WORDS_AT_ONCE:
                for found in words:
                    lay_out(found)
            else:
                # They are cut and laid out, one after another, while the next ones are found.
                with ThreadPoolExecutor(1, "lay-out-ids") as pool:
                    for _ in pool.map(lay_out, words):
                        pass
        return ids[:size]

    @contextmanager
    def _finding(
        self, data: NDArray[np.uint8], document_ends: NDArray[np.int64], *, places: bool = True
    ) -> Iterator[Iterator[_Found]]:
        """Find the words of documents; those that are new are to be learned in the block.

        If that fails all is forgotten, for then words are known that have no tokens.
        """
        try:
            yield self._find(data, document_ends, places)
        except BaseException:
            self._forget()
            raise

    def _find(
        self, data: NDArray[np.uint8], document_ends: NDArray[np.int64], with_places: bool
    ) -> Iterator[_Found]:
        split, document_ends = for_scanner(data, document_ends, self._history.recipe)
        done = 0
        while done < len(data):
            if len(self._table) > MAX_WORDS or self._table.text_size > MAX_BYTES:
                self._forget()
            words = np.empty(min(len(data) - done, _WORDS_AT_ONCE), np.int32)
            places = np.empty(len(words) if with_places else 0, np.int64)
            known = len(self._table)
            done, found = self._table.find(split, data, document_ends, done, words, places)
            new = self._table.words_from(known)
            yield _Found(words[:found], places[:found], *new, self._memory)

    def _forget(self) -> None:
        self._table = WordTable(self._compiled)
        self._memory = _Memory()

    def _learn(self, found: _Found) -> None:
        """Cut the words that were met for the first time."""
        if len(found.new_ends):
            found.memory.add(found.new_ends, *self.cut(found.new, found.new_ends))

    def cut(
        self, data: NDArray[np.uint8], ends: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], ByteTokens]:
        """Cut concatenated pre-tokens, in normalized UTF-8.

        Returns the first token of each, with one entry more, and the tokens.
        """
        return CutPreTokens(
            self._history,
            data,
            ends,
            speller=self._speller,
            table=self._merges,
            compiled=self._compiled,
        ).tokens(self._position)

    def _laid_out(self, found: _Found) -> ByteTokens:
        """Return the tokens of words, in the order of the text."""
        self._learn(found)
        memory, words = found.memory, found.words
        size = int(np.diff(memory.first_tokens[: memory.known + 1])[words].sum())
        cut = ByteTokens(
            np.empty(size, np.int32), np.empty(size, np.int64), np.empty(size, np.int64)
        )
        tokens = memory.tokens
        lay_out.form(self._compiled)(
            words,
            found.places,
            memory.first_tokens,
            tokens.ids,
            tokens.starts,
            tokens.ends,
            cut.ids,
            cut.starts,
            cut.ends,
        )
        return cut


# -- Texts and bytes, encoded and decoded -------------------------------------------------------


class UnknownTokenError(ValueError):
    """An id that the vocabulary does not have; the message is one sentence."""


class Tokens(Struct, frozen=True):
    """A text cut into tokens: columns of equal length, in text order.

    `ids` are NO_TOKEN for characters outside the alphabet. `starts` and `ends` are byte
    offsets into the text's UTF-8, `char_starts` and `char_ends` the characters that those
    bytes belong to: a token that holds part of a character covers the whole of it there.
    Text that the recipe drops (white space, say) is covered by no token.
    """

    ids: NDArray[np.int32]
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]
    char_starts: NDArray[np.int64]
    char_ends: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.ids)


class StepwiseEncoding:
    """How one text is cut at every position of a history.

    The text is encoded once with all merges; what is kept is the step at which each
    border between two symbols vanished, and so any position is a matter of a few array
    operations. `extend` takes in merges that came since, from where it is.
    """

    def __init__(
        self,
        history: History,
        text: str,
        *,
        specials_as_text: bool = False,
        table: MergeTable | None = None,
        compiled: bool | None = None,
    ) -> None:
        """`table` is as for `Segmentation`."""
        self.history = history
        self.text = text
        spelled = PreTokenizer(history.recipe, history.base).pre_tokenize(
            text, specials_as_text=specials_as_text, compiled=compiled
        )
        self.spelled = spelled
        self.segmentation = Segmentation(
            history, spelled.ids, spelled.word_starts, table=table, compiled=compiled
        )
        self._characters = characters_of_bytes(text.encode("utf-8"))

    def extend(self) -> None:
        """Take in the merges that the history has had since."""
        self.segmentation.extend()

    def tokens(self, position: int) -> Tokens:
        """Return the tokens with the merges before a position.

        Raises IndexError if the position is beyond the merges taken in.
        """
        cut = self.byte_tokens(position)
        offsets = character_spans(self._characters, cut.starts, cut.ends)
        return Tokens(cut.ids, cut.starts, cut.ends, *offsets)

    def byte_tokens(self, position: int) -> ByteTokens:
        """Do as `tokens`, in bytes only."""
        first, ids = self.segmentation.tokens(position)
        spelled = self.spelled
        last = np.append(first[1:], len(spelled.ends)) - 1 if len(first) else first
        return ByteTokens(ids, spelled.starts[first], spelled.ends[last])


_DECODED = 1 << 14
"""Tokens that are decoded at once."""


class Decoder:
    """Gives back the bytes of tokens, at every position of a history; remembers those it met."""

    def __init__(self, history: History) -> None:
        self._history = history
        self._contents: dict[int, bytes] = {NO_TOKEN: b""}

    def decode_bytes(self, ids: Sequence[int], position: int) -> bytes:
        """Return the bytes that tokens stand for.

        An end-of-word marker becomes a space, but for the last. Unknown characters
        (NO_TOKEN) are left out. Raises UnknownTokenError for ids that the vocabulary
        does not have at the position.
        """
        size = self._history.vocabulary_size(position)
        # In slices, for other threads wait while one is joined.
        slices = (ids[begin : begin + _DECODED] for begin in range(0, len(ids), _DECODED))
        whole = b"".join([self._joined(part, size) for part in slices])
        ends_word = len(ids) > 0 and ids[-1] != NO_TOKEN and self._history.ends_word(ids[-1])
        return whole[:-1] if ends_word else whole

    def _joined(self, ids: Sequence[int], size: int) -> bytes:
        """Return the contents of tokens one after another, of a vocabulary of that size."""
        # A text has few tokens that differ: each is looked up once.
        for token in dict.fromkeys(ids):
            if not 0 <= token < size and token != NO_TOKEN:
                raise UnknownTokenError(
                    f"the id {token} is not in the vocabulary, whose ids go from 0 to {size - 1}"
                )
            if token not in self._contents:
                self._contents[token] = self._content(token)
        return b"".join(map(self._contents.__getitem__, ids))

    def _content(self, token: int) -> bytes:
        """Return the bytes of one token, with a space for an end-of-word marker."""
        content = self._history.token_bytes(token)
        if self._history.ends_word(token):
            return content.removesuffix(END_OF_WORD.encode()) + b" "
        return content


def _first_tokens(tokens: ByteTokens, document_ends: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the first token of each document, with one entry more."""
    # A marker of a word's end belongs to the text before it.
    places = np.where(tokens.ends > tokens.starts, tokens.starts, tokens.starts - 1)
    return np.searchsorted(places, np.append(0, document_ends))


def _with_singles(
    first: NDArray[np.int64],
    tokens: ByteTokens,
    sections: NDArray[np.int64],
    singles: ByteTokens,
) -> tuple[NDArray[np.int64], ByteTokens]:
    """Put a single token in the place of those that each of some sections has.

    `first` is the first token of each section, with one entry more; returned as it is then.
    """
    kept = within_none(len(tokens), first[sections], first[sections + 1])
    counts = np.diff(first)
    counts[sections] = 1
    made = np.append(0, np.cumsum(counts))
    places = made[sections] - np.arange(len(sections))
    return made, ByteTokens(
        np.insert(tokens.ids[kept], places, singles.ids),
        np.insert(tokens.starts[kept], places, singles.starts),
        np.insert(tokens.ends[kept], places, singles.ends),
    )


class Tokenizer:
    """The encoding that consists of the merges before a position (default: all so far).

    Encoding is by lowest rank first within each pre-tokenized word. Byte-level recipes that drop
    nothing give back every text: decode(encode(text).ids) == text. The words that were met are
    remembered, so one thread at a time may encode.
    """

    def __init__(
        self, history: History, position: int | None = None, *, compiled: bool | None = None
    ) -> None:
        self.history = history
        self.position = len(history) if position is None else position
        self._compiled = compiled
        self._speller = PreTokenizer(history.recipe, history.base)
        self._decoder = Decoder(history)
        self._words = WordCache(history, self.position, compiled=compiled)

    def encode(self, text: str, *, specials_as_text: bool = False) -> Tokens:
        """Cut a text into tokens. Raises UnicodeEncodeError for lone surrogates.

        >>> from bpe_gui.bpe.recipe import preset
        >>> base = BaseVocabulary.of(preset("raw"), "low")
        >>> history = History.from_merges(preset("raw"), base, [(0, 1, 3)])
        >>> tokens = Tokenizer(history).encode("low")
        >>> tokens.ids.tolist(), tokens.starts.tolist(), tokens.ends.tolist()
        ([3, 2], [0, 2], [2, 3])
        """
        data = text.encode("utf-8")
        _, cut = self._encode_documents(data, np.array([len(data)]), specials_as_text)
        if text.isascii():
            return Tokens(cut.ids, cut.starts, cut.ends, cut.starts, cut.ends)
        spans = character_spans(characters_of_bytes(data), cut.starts, cut.ends)
        return Tokens(cut.ids, cut.starts, cut.ends, *spans)

    def encode_ids(self, text: str, *, specials_as_text: bool = False) -> NDArray[np.int32]:
        """Cut a text into the ids of its tokens: as `encode`, in half of its time if nothing is
        normalized.

        >>> from bpe_gui.bpe.recipe import preset
        >>> base = BaseVocabulary.of(preset("raw"), "low")
        >>> history = History.from_merges(preset("raw"), base, [(0, 1, 3)])
        >>> Tokenizer(history).encode_ids("low").tolist()
        [3, 2]
        """
        if not self._is_plain(specials_as_text):
            return self.encode(text, specials_as_text=specials_as_text).ids
        data = np.frombuffer(text.encode("utf-8"), np.uint8)
        return self._words.encode_ids(data, np.array([len(data)]))

    def encode_documents(
        self,
        data: bytes,
        document_ends: NDArray[np.int64],
        *,
        specials_as_text: bool = False,
        continues: bool = False,
    ) -> tuple[NDArray[np.int64], ByteTokens]:
        """Cut concatenated documents, in UTF-8.

        `document_ends` ascend, the last of them is the end of `data`. `continues` tells that the
        first document has begun elsewhere, so that nothing is put before it. Returns the first
        token of each, with one entry more, and the tokens. Raises UnicodeDecodeError for what is
        no UTF-8, but for recipes of bytes that neither normalize nor split by a regex.
        """
        if not self.history.recipe.byte_level:
            data.decode("utf-8")
        return self._encode_documents(data, document_ends, specials_as_text, continues=continues)

    def _encode_documents(
        self,
        data: bytes,
        document_ends: NDArray[np.int64],
        specials_as_text: bool,
        *,
        continues: bool = False,
    ) -> tuple[NDArray[np.int64], ByteTokens]:
        """Do as `encode_documents`, of what is known to be UTF-8 if that matters."""
        if self._is_plain(specials_as_text):
            tokens = self._words.encode_bytes(np.frombuffer(data, np.uint8), document_ends)
            return _first_tokens(tokens, document_ends), tokens
        finder = self._speller.special_tokens(specials_as_text=specials_as_text)
        none = np.full(len(document_ends), NO_TOKEN, np.int32)
        ends, special, first = finder.in_text.divide(data, document_ends, none)
        source, made_ends = self._normalized(data, ends, special, first[:-1], continues)
        ends_in_text = ends, special
        ends, special, of_section = finder.in_normalized.divide(
            source.data.tobytes(), made_ends, special
        )
        cut = self._words.encode_bytes(source.data, ends)
        first_tokens = _first_tokens(cut, ends)
        starts, stops = source.offsets(cut.starts, cut.ends)
        tokens = ByteTokens(cut.ids, starts, stops)
        found = np.flatnonzero(special != NO_TOKEN)
        if len(found):
            places = source.offsets(np.append(0, ends)[found], ends[found])
            as_read = np.flatnonzero(ends_in_text[1] != NO_TOKEN)
            rows = np.searchsorted(found, of_section[as_read])
            places[0][rows] = np.append(0, ends_in_text[0])[as_read]
            places[1][rows] = ends_in_text[0][as_read]
            singles = ByteTokens(special[found], *places)
            first_tokens, tokens = _with_singles(first_tokens, tokens, found, singles)
        return first_tokens[of_section[first]], tokens

    def _normalized(
        self,
        data: bytes,
        ends: NDArray[np.int64],
        special: NDArray[np.int32],
        first: NDArray[np.int64],
        continues: bool,
    ) -> tuple[NormalizedText, NDArray[np.int64]]:
        """Normalize the sections of documents that are no special tokens.

        `first` are those that begin documents. Returns also where they end then.
        """
        steps = self.history.recipe.normalizers
        if not steps:
            return NormalizedText(data, ()), ends
        kinds = np.full(len(ends), LATER, np.uint8)
        kinds[first[first < len(ends)]] = FIRST
        if continues:
            kinds[:1] = REST
        kinds[special != NO_TOKEN] = AS_IT_IS
        made, made_ends = normalize_sections(
            data.decode("utf-8"), characters_before(data, ends), kinds, steps
        )
        source = NormalizedText(data, steps, made)
        return source, bytes_of_characters(source.data)[made_ends]

    def encode_pre_tokens(
        self, data: NDArray[np.uint8], ends: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], ByteTokens]:
        """Cut concatenated pre-tokens; see `WordCache.cut`."""
        return self._words.cut(data, ends)

    def _is_plain(self, specials_as_text: bool) -> bool:
        """Tell whether texts are split as they are."""
        recipe = self.history.recipe
        no_specials = specials_as_text or not recipe.matched_special_tokens
        return no_specials and not recipe.normalizers

    def safe_cut(self, data: bytes, *, specials_as_text: bool = False) -> int:
        """Find the last byte before which the tokens do not depend on what comes after it, and
        from which on they do not depend on what comes before; 0 if none is certain.

        Whatever may follow on `data`: it need not be the end of a document. Such a place is
        never within a word between white space.
        """
        recipe = self.history.recipe
        if any(map(str.isspace, "".join(recipe.normalized_tokens))):
            return 0  # other white space may become theirs
        tokens = () if specials_as_text else recipe.matched_special_tokens
        # Behind some of them a cut would keep white space from them.
        taking = [token + space for token in recipe.rstrip_tokens for space in " \n"]
        specials = [token.encode("utf-8") for token in (*tokens, *taking)]
        return safe_cut(data, recipe, specials=specials, compiled=self._compiled)

    def decode_bytes(self, ids: Sequence[int]) -> bytes:
        """Return the bytes that the tokens stand for; see `Decoder.decode_bytes`."""
        return self._decoder.decode_bytes(ids, self.position)

    def decode(self, ids: Sequence[int]) -> str:
        """Return the text of the tokens; bytes that are no UTF-8 become U+FFFD.

        >>> from bpe_gui.bpe.recipe import preset
        >>> base = BaseVocabulary.of(preset("raw"), "low")
        >>> Tokenizer(History.from_merges(preset("raw"), base, [(0, 1, 3)])).decode([3, 2])
        'low'
        """
        return self.decode_bytes(ids).decode("utf-8", "replace")
