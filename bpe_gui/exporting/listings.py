"""What the tables of the window hold, all of it, as lines for `tables`: headings first.

Each is made from what nobody changes any more (a history only grows), so that a thread can
write while the window goes on. Tokens stand as `bpe.visible` shows them, whole; numbers are
unrounded, None is an empty cell.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from bpe_gui.bpe.branch import Branch, decided_text
from bpe_gui.bpe.derivation import WordDerivation
from bpe_gui.bpe.history import NO_TOKEN, History
from bpe_gui.bpe.lockstep import FROM_START, MISSING, Lockstep, lockstep
from bpe_gui.bpe.segmented_corpus import SegmentedCorpus
from bpe_gui.bpe.unwalled import Crossing
from bpe_gui.bpe.visible import visible
from bpe_gui.bpe.wall import Forbidden

Lines = Iterator[Sequence[object]]

_WORDS_AT_ONCE = 5000
_WALL = "▏"


def pair_lines(history: History, position: int) -> Lines:
    """The most frequent pairs at a position, the next merge first."""
    yield ["left", "right", "count", "left id", "right id"]
    top = history.top(position)
    for left, right, count in zip(top.left.tolist(), top.right.tolist(), top.count, strict=True):
        names = visible(history.content(left)), visible(history.content(right))
        yield [*names, int(count), left, right]


def vocabulary_lines(history: History, ids: Sequence[int]) -> Lines:
    """Tokens by their ids: the bytes without markers, and the merge that made each."""
    yield ["id", "token", "bytes", "count", "left", "right", "merge"]
    for token in ids:
        content, text = history.content(token), history.bytes_in_text(token)
        begun = [token, visible(content), text.hex(" ")]
        step, parents = history.step(token), history.parents(token)
        if parents is None:
            yield [*begun, None, None, None, None]
            continue
        left, right = (visible(history.content(parent)) for parent in parents)
        yield [*begun, int(history.count[step]), left, right, step + 1]


def word_lines(corpus: SegmentedCorpus, position: int, words: NDArray[np.int64]) -> Lines:
    """Words of a corpus by their indexes, with the tokens that they are cut into."""
    yield ["word", "count", "tokens", "token count", "ids"]
    history, counted = corpus.history, corpus.words

    @cache
    def name(token: int) -> str:
        return "?" if token == NO_TOKEN else visible(history.content(token))

    for begin in range(0, len(words), _WORDS_AT_ONCE):
        part = words[begin : begin + _WORDS_AT_ONCE]
        order = np.argsort(part, kind="stable")
        cut = corpus.cut(position, part[order])
        borders = np.searchsorted(cut.word_of, np.arange(len(part) + 1))
        place_of = np.empty(len(part), np.int64)
        place_of[order] = np.arange(len(part))
        for word, place in zip(part.tolist(), place_of.tolist(), strict=True):
            ids = cut.ids[borders[place] : borders[place + 1]].tolist()
            start, end = (int(edge) for edge in counted.starts[word : word + 2])
            text = visible(counted.text[start:end].tobytes())
            written = " ".join(map(str, ids))
            yield [text, counted.count(word), " ".join(map(name, ids)), len(ids), written]


def derivation_lines(derivation: WordDerivation, position: int) -> Lines:
    """The merges that cut a word, in the order in which they are applied.

    `done` tells which of them are at the position; the tokens are those after each merge.
    """
    yield ["step", "merge", "left", "right", "tokens", "ids", "done"]
    history, done = derivation.history, derivation.rows(position)
    for row in range(len(derivation.steps) + 1):
        first, ids = derivation.tokens(row)
        places = zip(ids.tolist(), first.tolist(), strict=True)
        tokens = " ".join(visible(derivation.content(token, place)) for token, place in places)
        after = [tokens, " ".join(map(str, ids.tolist())), "yes" if row <= done else "no"]
        if row == 0:
            yield [None, None, None, None, *after]
            continue
        step = int(derivation.steps[row - 1])
        pair = (int(history.left[step]), int(history.right[step]))
        left, right = (visible(history.content(token)) for token in pair)
        yield [row, step + 1, left, right, *after]


def branch_lines(branches: Sequence[Branch]) -> Lines:
    """Branches of a run, with what was decided in each."""
    yield ["branch", "merges", "corpus bytes", "tokens", "bytes/token", "stopped", "decided"]
    for branch in branches:
        history = branch.history
        merges = len(history)
        tokens = int(history.tokens[merges])
        decided = "; ".join(decided_text(history, one) for one in history.interventions)
        yield [
            branch.name,
            merges,
            history.corpus_bytes,
            tokens,
            history.corpus_bytes / max(1, tokens),
            None if history.stopped is None else str(history.stopped),
            decided or None,
        ]


def forbidden_lines(found: Forbidden, history: History) -> Lines:
    """Pairs that a split keeps apart."""
    yield ["left", "right", "across walls", "within words", "rank", "tied", "ahead of merge"]
    for pair in found.pairs:
        yield [
            visible(history.content(pair.left)),
            visible(history.content(pair.right)),
            pair.across,
            pair.within,
            pair.rank,
            pair.tied,
            None if pair.ahead_of is None else pair.ahead_of + 1,
        ]


def crossing_lines(crossings: Sequence[Crossing]) -> Lines:
    """Tokens that training without walls learns across them."""
    yield ["merge", "token", "pair count", "times", "across walls", "for example"]
    for crossing in crossings:
        yield [
            crossing.step + 1,
            f" {_WALL} ".join(map(visible, crossing.parts)),
            crossing.pair_count,
            crossing.occurrences,
            crossing.across,
            visible(crossing.before + crossing.content + crossing.after),
        ]


def lockstep_lines(found: Lockstep, names: Sequence[str]) -> Lines:
    """The tokens of runs side by side: by which merge each learnt them.

    Those come first that the first run learnt first, then what only the others have. A token
    that is there from the start of all is left out.
    """
    yield ["token", "bytes", *(f"merge of {name}" for name in names)]
    seen = np.zeros(found.steps.shape[1], np.bool_)
    for run, history in enumerate(found.histories):
        for merge, content in enumerate(found.contents[run].tolist()):
            if seen[content]:
                continue
            seen[content] = True
            token = history.content(int(history.new_id[merge]))
            steps = found.steps[:, content].tolist()
            yield [visible(token), token.hex(" "), *map(_merge_of, steps)]


def side_by_side_lines(histories: Sequence[History], names: Sequence[str]) -> Lines:
    """The same for runs that nobody has set side by side yet."""
    yield from lockstep_lines(lockstep(histories), names)


def _merge_of(step: int) -> int | str | None:
    if step == MISSING:
        return None
    return "from the start" if step == FROM_START else step + 1
