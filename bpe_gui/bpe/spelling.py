"""From a text to the symbols that encoding begins with, and back to places in the text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from bpe_gui.bpe.aligned_text import Normalized, points_of
from bpe_gui.bpe.byte_level import CHARACTER_OF_BYTE
from bpe_gui.bpe.history import NO_TOKEN, BaseVocabulary
from bpe_gui.bpe.kernels.scanning import DROPPED, GAP, WORD
from bpe_gui.bpe.normalize import normalize_aligned
from bpe_gui.bpe.recipe import END_OF_WORD, EndOfWord, Normalizer, Recipe
from bpe_gui.bpe.split import split_words
from bpe_gui.bpe.symbols import MARKED, MARKER


@dataclass(frozen=True, slots=True)
class SpelledText:
    """A text as symbols. Columns of equal length, in text order, but `word_starts`.

    `ids` are the symbols (NO_TOKEN for one outside the alphabet), `keys` what they stand for
    in the normalized text: bytes or characters as `bpe_gui.bpe.symbols` numbers them, or -1
    less the id of a special token. `starts` and `ends` are the bytes of the text's UTF-8 that
    each comes from. `word_starts` are the indexes of the symbols that begin a word,
    ascending, the first of them 0.
    """

    ids: NDArray[np.int32]
    keys: NDArray[np.int32]
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]
    word_starts: NDArray[np.int64]


class Speller:
    """Spells texts with a recipe's alphabet.

    Special tokens are found first, on the text as it is, the leftmost and among those the
    longest, but for reserved ones; what stands between two of them is normalized and split on
    its own. Raises UnicodeEncodeError for a text with lone surrogates, which no encoding can
    hold.
    """

    def __init__(self, recipe: Recipe, base: BaseVocabulary) -> None:
        self._recipe = recipe
        ids = {token: index for index, token in enumerate(recipe.special_tokens)}
        self._specials = {token.encode("utf-8"): ids[token] for token in recipe.found_tokens}
        longest_first = sorted(self._specials, key=len, reverse=True)
        self._special_pattern = (
            re.compile(b"|".join(map(re.escape, longest_first))) if longest_first else None
        )
        self._keys, self._ids = _alphabet(recipe, base)

    def spell(
        self, text: str, *, specials_as_text: bool = False, compiled: bool | None = None
    ) -> SpelledText:
        """Spell a text; empty columns for an empty one.

        With `specials_as_text` the special tokens in it are spelled like any other text.
        """
        data = text.encode("utf-8")
        pieces: list[SpelledText] = []
        done = 0
        for begin, end, special in self.specials(data, specials_as_text=specials_as_text):
            if begin > done:
                pieces.append(self._plain(data[done:begin], done, compiled))
            if end > begin:
                pieces.append(_single(special, begin, end))
            done = end
        return _joined(pieces)

    def specials(
        self, data: bytes, *, specials_as_text: bool = False
    ) -> Iterator[tuple[int, int, int]]:
        """Where special tokens are in UTF-8, as (begin, end, id), and an empty one at the end."""
        if self._special_pattern is not None and not specials_as_text:
            for match in self._special_pattern.finditer(data):
                yield match.start(), match.end(), self._specials[match.group()]
        yield len(data), len(data), NO_TOKEN

    def _plain(self, data: bytes, offset: int, compiled: bool | None) -> SpelledText:
        """Spell what holds no special token."""
        source = NormalizedSource(data, self._recipe.normalizers)
        if not len(source.data):
            return _joined([])
        ends, kinds = split_words(source.data, self._recipe.split, compiled=compiled)
        spelled = self.spell_spans(source.data, ends, kinds)
        starts, stops = source.offsets(spelled.starts, spelled.ends)
        return SpelledText(
            spelled.ids, spelled.keys, starts + offset, stops + offset, spelled.word_starts
        )

    def spell_spans(
        self, data: NDArray[np.uint8], ends: NDArray[np.int64], kinds: NDArray[np.uint8]
    ) -> SpelledText:
        """Spell text that has been normalized and split as `split_words` does it."""
        leads = data & 0xC0 != 0x80
        if self._recipe.byte_level:
            begins = np.arange(len(data))
            keys = data.astype(np.int64)
        else:
            begins = np.flatnonzero(leads)
            text = data.tobytes().decode("utf-8")
            keys = np.frombuffer(text.encode("utf-32-le"), "<u4").astype(np.int64)
        spans = np.searchsorted(ends, begins, side="right")
        stops = np.append(begins[1:], len(data))
        first = (begins == np.append(0, ends[:-1])[spans]) | (kinds[spans] == GAP)
        last = (stops == ends[spans]) & (kinds[spans] == WORD)
        kept = kinds[spans] != DROPPED
        return self._marked(*(column[kept] for column in (keys, begins, stops, first, last)))

    def _marked(
        self,
        keys: NDArray[np.int64],
        starts: NDArray[np.int64],
        ends: NDArray[np.int64],
        first: NDArray[np.bool_],
        last: NDArray[np.bool_],
    ) -> SpelledText:
        """Add the end-of-word markers and look the symbols up."""
        if self._recipe.end_of_word is EndOfWord.JOINED:
            keys = keys + MARKED * last
        elif self._recipe.end_of_word is EndOfWord.OWN:
            places = np.flatnonzero(last) + 1
            keys = np.insert(keys, places, MARKER)
            starts = np.insert(starts, places, ends[places - 1])
            ends = np.insert(ends, places, ends[places - 1])
            first = np.insert(first, places, False)
        places = np.searchsorted(self._keys, keys)
        places[places == len(self._keys)] = 0
        known = self._keys[places] == keys if len(self._keys) else np.zeros(len(keys), np.bool_)
        ids = np.where(known, self._ids[places] if len(self._ids) else 0, NO_TOKEN)
        if self._recipe.unknown_token is not None:
            ids[~known] = self._recipe.unknown_ids[0]
        columns = ids.astype(np.int32), keys.astype(np.int32), starts, ends
        return SpelledText(*columns, np.flatnonzero(first))


class NormalizedSource:
    """A text after normalization, `data`, and the way back to the text itself.

    Both are UTF-8. Raises UnicodeDecodeError if the text is not. `normalized` is what the
    normalizers make of it, if somebody knows already.
    """

    def __init__(
        self,
        text: bytes,
        normalizers: tuple[Normalizer, ...],
        normalized: Normalized | None = None,
    ) -> None:
        self.data = self._source = np.frombuffer(text, np.uint8)
        self._changed = False
        if not normalizers:
            return
        if normalized is None:
            normalized = normalize_aligned(text.decode("utf-8"), normalizers)
        if normalized.origins is None:
            return
        self._changed = True
        self.data = np.frombuffer(normalized.text.encode("utf-8"), np.uint8)
        self._origins, self._stops = normalized.columns()
        self._leads = np.append(self.data & 0xC0 != 0x80, True)
        self._characters = np.cumsum(self._leads) - 1
        self._places = _character_places(self._source)

    def offsets(
        self, starts: NDArray[np.int64], ends: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Which bytes of the text stretches of `data` came from.

        A stretch reaches from where its first character came from to where its last one did
        (see `Normalized`): if it holds a part of a character, from or to the very byte where
        normalization left the character alone, and the whole of it where not. A stretch of no
        length comes from the end of the character before it.
        """
        if not self._changed or not len(starts):
            return starts, ends
        first = self._characters[starts]
        last = self._characters[np.maximum(ends - 1, 0)]
        begin, end = self._places[self._origins[first]], self._places[self._stops[last]]
        has_width = starts < ends
        if not (self._leads[starts].all() and self._leads[ends].all()):
            kept, made_places = self._kept(), _character_places(self.data)
            begin = begin + np.where(kept[first], starts - made_places[first], 0)
            end = end - np.where(kept[last], made_places[last + 1] - ends, 0)
        return np.where(has_width, begin, end), end

    def _kept(self) -> NDArray[np.bool_]:
        """Which characters of `data` normalization left alone: nothing else came from theirs."""
        origins, stops = self._origins, self._stops
        size = len(self._places)
        began = np.cumsum(np.bincount(origins, minlength=size))
        ended = np.cumsum(np.bincount(stops, minlength=size))
        source = points_of(self._source.tobytes().decode("utf-8"))
        made = points_of(self.data.tobytes().decode("utf-8"))
        single = stops - origins == 1
        character = np.where(single, origins, 0)
        alone = (began - ended)[character] == 1
        return np.append((single & alone)[:-1] & (source[character[:-1]] == made), False)


def _character_places(data: NDArray[np.uint8]) -> NDArray[np.int64]:
    """At which byte each character begins, and where the last one ends."""
    return np.append(np.flatnonzero(data & 0xC0 != 0x80), len(data))


@lru_cache(maxsize=16)
def _alphabet(recipe: Recipe, base: BaseVocabulary) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """The symbols' keys, sorted, and their ids. Kept, for each edit of a text spells anew."""
    byte_of = {character: byte for byte, character in enumerate(CHARACTER_OF_BYTE)}
    keys = {}
    for token in base.symbol_ids:
        text = base.texts[token]
        if recipe.byte_level:
            keys[byte_of[text]] = token
        elif recipe.end_of_word is EndOfWord.OWN and text == END_OF_WORD:
            keys[MARKER] = token
        elif recipe.end_of_word is EndOfWord.JOINED and len(text) > 1:
            keys[ord(text[0]) + MARKED] = token
        else:
            keys[ord(text)] = token
    ordered = sorted(keys)
    return (
        np.array(ordered, np.int64),
        np.array([keys[key] for key in ordered], np.int32),
    )


def _single(token: int, start: int, end: int) -> SpelledText:
    """One special token as a text of its own."""
    return SpelledText(
        np.array([token], np.int32),
        np.array([-1 - token], np.int32),
        np.array([start], np.int64),
        np.array([end], np.int64),
        np.zeros(1, np.int64),
    )


def _joined(pieces: list[SpelledText]) -> SpelledText:
    """Pieces one after another."""
    if len(pieces) == 1:
        return pieces[0]
    if not pieces:
        none, empty = np.empty(0, np.int32), np.empty(0, np.int64)
        return SpelledText(none, none, empty, empty, empty)
    offsets = np.cumsum([0, *(len(piece.ids) for piece in pieces)])
    return SpelledText(
        np.concatenate([piece.ids for piece in pieces]),
        np.concatenate([piece.keys for piece in pieces]),
        np.concatenate([piece.starts for piece in pieces]),
        np.concatenate([piece.ends for piece in pieces]),
        np.concatenate([piece.word_starts + offsets[index] for index, piece in enumerate(pieces)]),
    )
