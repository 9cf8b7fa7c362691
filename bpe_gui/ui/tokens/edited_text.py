"""Tokenize a text that is being edited, without starting again at each keystroke."""

from __future__ import annotations

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from bpe_gui.analysis.derivation import word_span
from bpe_gui.analysis.next_merge import merging_tokens, next_pair
from bpe_gui.analysis.space_time import TextSymbols
from bpe_gui.analysis.visible import visible
from bpe_gui.bpe.history import NO_TOKEN, History
from bpe_gui.bpe.pre_tokenize import safe_cut
from bpe_gui.bpe.recipe import EndOfWord
from bpe_gui.bpe.segmentation import MergeTable
from bpe_gui.bpe.tokenizer import StepwiseEncoding, Tokens
from bpe_gui.ui.run.corpus_queries import TokenFrequencies
from bpe_gui.ui.tokens.characters import Characters
from bpe_gui.ui.tokens.colours import TokenColouring, TokenColours, unchanged
from bpe_gui.ui.tokens.tokenized_text import TokenizedText

_SLICE = 8192
"""Characters among which a place to cut a text at is looked for."""
_CONTEXT = 1
"""Characters besides the one at a cut that tell whether a text may be cut there."""


class _Slice(Struct, frozen=True):
    text: str
    size: int
    trace: StepwiseEncoding

    def word(self, number: int) -> str:
        """Return a word by its number in this part of the text."""
        spelled = self.trace.spelled
        begins = np.append(spelled.starts[spelled.word_starts], self.size)
        begin, end = (int(place) for place in begins[number : number + 2])
        return self.text.encode("utf-8")[begin:end].decode("utf-8", errors="replace").strip()


class EditedText:
    """The tokens of one text at every position of a history, while the text changes.

    A long text is traced in slices; an edit traces the slice it falls into. The tokens are
    exactly those of a `StepwiseEncoding` of the whole text.
    """

    def __init__(self, history: History, frequencies: TokenFrequencies | None = None) -> None:
        """`frequencies` are those of the run's tokens, for colours."""
        self.history = history
        self.text = ""
        self._merges = MergeTable(None)
        """The merges that all slices have learned: megabytes, which takes longer than a slice."""
        self._slices: list[_Slice] = []
        self._codes = b""
        self._word_ends = WordEnds(history)
        self._colours = TokenColours()
        self._colouring = TokenColouring(history, frequencies)
        self._cut: TokenizedText | None = None

    def edit(self, text: str) -> None:
        """Use another text.

        Raises UnicodeEncodeError for unpaired surrogates, PatternError if a regex of the recipe
        takes too long; then nothing has changed.
        """
        if text == self.text and self._slices:
            return
        codes = text.encode("utf-32-le")
        # Four bytes a character: a prefix that is a byte longer says nothing.
        before, after = (count // 4 - _CONTEXT for count in unchanged(self._codes, codes))
        head, start = _kept(self._slices, before)
        tail, end = _kept(self._slices[::-1], after)
        middle = text[start : len(text) - end]
        fresh = [self._trace(part) for part in self._parts(middle)]
        self._slices = [*head, *fresh, *tail[::-1]]
        self.text, self._codes = text, codes
        if not self._slices:
            self._slices = [self._trace("")]

    def tokens(self, position: int) -> Tokens:
        """Return the tokens with the merges before a position, also those that came just now."""
        bytes_before = characters_before = 0
        found: list[tuple[Tokens, int, int]] = []
        for part in self._slices:
            part.trace.extend()
            found.append((part.trace.tokens(position), bytes_before, characters_before))
            bytes_before += part.size
            characters_before += len(part.text)
        if len(found) == 1:
            return found[0][0]
        return Tokens(
            np.concatenate([tokens.ids for tokens, _, _ in found]),
            np.concatenate([tokens.starts + size for tokens, size, _ in found]),
            np.concatenate([tokens.ends + size for tokens, size, _ in found]),
            np.concatenate([tokens.char_starts + count for tokens, _, count in found]),
            np.concatenate([tokens.char_ends + count for tokens, _, count in found]),
        )

    def cut(self, position: int) -> TokenizedText:
        """Return the text with its tokens at a position, ready to be laid out.

        It is the same object as the last time if nothing has changed, as after most merges.
        """
        tokens, last = self.tokens(position), self._cut
        same_text = last is not None and last.characters.text == self.text
        if last is not None and same_text:
            if np.array_equal(tokens.ids, last.ids) and np.array_equal(tokens.starts, last.starts):
                return last
            characters = last.characters
        else:
            characters = Characters(self.text)
        self._colours.edit(characters.data)
        colours = self._colours.assign(tokens.starts)
        closes = self._word_ends.of(tokens.ids)
        self._cut = TokenizedText(
            characters, tokens, closes, lambda token: visible(self.history.token_bytes(token)),
            colours, colouring=self._colouring,
        )
        return self._cut

    def symbols(self) -> TextSymbols:
        """Return the symbols of the text, and the merges that removed the boundaries between them.

        The tokens of `cut` begin at those that it names.
        """
        bytes_before = 0
        columns = []
        for part in self._slices:
            part.trace.extend()
            spelled = part.trace.spelled
            begins = np.zeros(len(spelled.ids), np.bool_)
            begins[spelled.word_starts] = True
            offsets = spelled.starts + bytes_before, spelled.ends + bytes_before
            columns.append((spelled.ids, *offsets, begins, part.trace.segmentation.merge_step))
            bytes_before += part.size
        return TextSymbols(*(np.concatenate(column) for column in zip(*columns, strict=True)))

    def merging(self, position: int) -> NDArray[np.bool_]:
        """Tell which tokens the merge after a position puts together; none if there is none."""
        return self.tokens_of(next_pair(self.history, position), position)

    def tokens_of(self, pair: tuple[int, int] | None, position: int) -> NDArray[np.bool_]:
        """Tell which tokens a merge of a pair would put together at a position; None: none."""
        found = []
        for part in self._slices:
            _, ids = part.trace.segmentation.tokens(position)
            if pair is None:
                found.append(np.zeros(len(ids), bool))
            else:
                found.append(merging_tokens(ids, _begins_word(part, position), pair))
        return np.concatenate(found)

    def words_not_in_corpus(self, position: int, most: int) -> tuple[int, list[str]]:
        """Count the words of several tokens where every word of the corpus is a single one.

        Returns also the first of them, at most `most`. There are none elsewhere, and where other
        decisions than the counts of pairs may have kept words split.
        """
        history = self.history
        decided = history.interventions or history.recipe.inherited is not None
        if decided or len(history.top(position)) or not history.tokens[position]:
            return 0, []
        found = 0
        named: list[str] = []
        for part in self._slices:
            begins = _begins_word(part, position)
            lengths = np.diff(np.append(np.flatnonzero(begins), len(begins)))
            split = np.flatnonzero(lengths > 1)
            found += len(split)
            named += [part.word(int(word)) for word in split[: most - len(named)]]
        return found, named

    def word_span(self, place: int) -> tuple[int, int]:
        """Return where the word is that a character belongs to; see `derivation.word_span`."""
        begin = 0
        for part in self._slices:
            if place < begin + len(part.text):
                first, last = word_span(part.text, part.trace.spelled, place - begin)
                return begin + first, begin + last
            begin += len(part.text)
        return place, place

    def _trace(self, text: str) -> _Slice:
        encoding = StepwiseEncoding(self.history, text, table=self._merges)
        return _Slice(text, len(text.encode("utf-8")), encoding)

    def _parts(self, text: str) -> list[str]:
        """Split a text at safe places into parts of some thousand characters."""
        recipe = self.history.recipe
        # A special token that is typed now would make a place within it unsafe, or in the white
        # space that it takes.
        has_blanks = recipe.takes_space or any(
            set(" \n") & set(token) for token in recipe.matched_special_tokens
        )
        parts = []
        start, size = 0, len(text) if has_blanks else _SLICE
        while start + size < len(text):
            data = text[start : start + size].encode("utf-8")
            cut = safe_cut(data, recipe)
            if cut:
                parts.append(data[:cut].decode("utf-8"))
                start += len(parts[-1])
            size = _SLICE if cut else 2 * size
        return [*parts, text[start:]] if start < len(text) else parts


def _begins_word(part: _Slice, position: int) -> NDArray[np.bool_]:
    """Tell which tokens of a part of a text begin a word at a position."""
    first, _ = part.trace.segmentation.tokens(position)
    spelled = part.trace.spelled
    begins = np.zeros(len(spelled.ids), bool)
    begins[spelled.word_starts] = True
    return begins[first]


def _kept(slices: list[_Slice], characters: int) -> tuple[list[_Slice], int]:
    """Return the first slices and their length, if some characters and no more are unchanged.

    The character after them is unchanged, too.
    """
    length = 0
    for place, part in enumerate(slices):
        if length + len(part.text) >= characters:
            return slices[:place], length
        length += len(part.text)
    return slices, length


class WordEnds:
    """Finds for many tokens at once whether they end with the end-of-word marker."""

    def __init__(self, history: History) -> None:
        self._history = history
        self._known: NDArray[np.bool_] = np.empty(0, bool)

    def of(self, ids: NDArray[np.int32]) -> NDArray[np.bool_]:
        """Return whether each of these tokens ends a word; unknown tokens (NO_TOKEN) do not."""
        history = self._history
        if history.recipe.end_of_word is EndOfWord.NONE or not len(ids):
            return np.zeros(len(ids), bool)
        known, size = len(self._known), int(ids.max()) + 1
        if size > known:
            new = np.fromiter((history.ends_word(token) for token in range(known, size)), bool)
            self._known = np.concatenate((self._known, new))
        found = np.zeros(len(ids), bool)
        inside = ids != NO_TOKEN
        found[inside] = self._known[ids[inside]]
        return found
