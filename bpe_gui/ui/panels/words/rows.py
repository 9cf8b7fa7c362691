"""The words of a corpus as rows, tokenized when they are shown."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from msgspec import Struct

from bpe_gui.analysis.next_merge import next_pair
from bpe_gui.analysis.word_list import Marked, WordList
from bpe_gui.bpe.history import NO_TOKEN, History
from bpe_gui.ui.tokens.token_words import visible_start

_MOST_SYMBOLS = 2000
"""Of a longer word only the beginning is tokenized."""
_MOST_BYTES = 200


class WordRow(Struct, frozen=True):
    """One word with its tokens at the position.

    merging: the places in `tokens` of the left tokens of the pairs about to merge, or of the tokens
        that have been made, if `merged`.
    whole: False if the word is so long that `tokens` are only its beginning.
    """

    word: int
    text: str
    count: int
    tokens: tuple[int, ...]
    merging: tuple[int, ...]
    whole: bool
    merged: bool = False

    def ends(self, place: int) -> int:
        """Return the place of the last token of what begins at a place of `merging`."""
        return place if self.merged else place + 1


def cut_rows(
    words: WordList, first: int, last: int, *, marked: Marked | None = None
) -> list[WordRow]:
    """Tokenize the rows from `first` to before `last`: a screen full takes under a millisecond.

    What the merge that the words mark joins, or has joined, is marked, or another merge.
    """
    corpus, position = words.corpus, words.position
    marked = marked or words.query.marked
    made = NO_TOKEN
    if marked is Marked.LAST and position:
        made = int(corpus.history.new_id[position - 1])
    ahead = marked is not Marked.NONE and made == NO_TOKEN
    pair = next_pair(corpus.history, position) if ahead else None
    indexes = words.rows[first:last].tolist()
    short = sorted(word for word in indexes if corpus.symbols_in(word) <= _MOST_SYMBOLS)
    cut = corpus.segmented(position, np.array(short, np.int64))
    tokens = {word: cut.tokens(place).tolist() for place, word in enumerate(short)}
    for word in set(indexes) - set(short):
        tokens[word] = corpus.beginning(position, word, _MOST_SYMBOLS).tolist()
    whole = set(short)
    return [_row(words, word, tokens[word], pair, made, whole=word in whole) for word in indexes]


def _row(
    shown: WordList,
    word: int,
    tokens: list[int],
    pair: tuple[int, int] | None,
    made: int,
    *,
    whole: bool,
) -> WordRow:
    words = shown.corpus.words
    # One byte more than is shown, to know that there is more; the mark of a space has three.
    start, end = (int(place) for place in words.starts[word : word + 2])
    content = words.text[start : min(end, start + 3 * (_MOST_BYTES + 1))].tobytes()
    content = shown.corpus.history.recipe.with_spaces(content)
    merged = made != NO_TOKEN
    places = tuple(place for place, token in enumerate(tokens) if token == made)
    return WordRow(
        word,
        word_text(content),
        words.count(word),
        tuple(tokens),
        places if merged else merging(tokens, pair),
        whole,
        merged,
    )


def merging(tokens: Sequence[int], pair: tuple[int, int] | None) -> tuple[int, ...]:
    """Return the places of the left tokens where a pair is merged in a word, from left to right.

    >>> merging([7, 7, 7, 1], (7, 7))
    (0,)
    """
    if pair is None:
        return ()
    left, right = pair
    found: list[int] = []
    for place in range(len(tokens) - 1):
        taken = bool(found) and found[-1] == place - 1
        if tokens[place] == left and tokens[place + 1] == right and not taken:
            found.append(place)
    return tuple(found)


def word_text(content: bytes) -> str:
    """Write a word or a token, without its end if it is long."""
    return visible_start(content, _MOST_BYTES)


def token_texts(history: History, tokens: Sequence[int]) -> list[str]:
    return [word_text(history.token_bytes(token)) for token in tokens]
