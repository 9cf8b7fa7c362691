"""Why a merge was done: from which words, against which rivals, and what came of it."""

from __future__ import annotations

from types import MappingProxyType

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from bpe_gui.analysis.segmented_corpus import Merged, PairCounts, SegmentedCorpus
from bpe_gui.analysis.visible import visible_quote
from bpe_gui.bpe.history import (
    NO_TOKEN,
    TOP,
    Columns,
    Decision,
    History,
    StopReason,
    TopPairs,
)
from bpe_gui.bpe.recipe import Ties
from bpe_gui.bpe.words import WordCounts

MOST_PLACED = 12
"""Of how many tied pairs the first occurrence is searched."""
_FIRST_WORDS = 1024
"""In how many words it is searched first: most are near."""
_MOST_BYTES = 4 << 20
"""Bytes of all words up to which pairs are searched and counted in them. There are more where whole
texts are words: of 20 MB that would take seconds and a gigabyte."""


class Share(Struct, frozen=True):
    """What one word gives to the count of a pair: `occurrences` times `word_count`."""

    word: int
    """Index into the corpus's words."""
    text: bytes
    word_count: int
    occurrences: int

    @property
    def total(self) -> int:
        """Return the word's part of the pair's count."""
        return self.word_count * self.occurrences


class Change(Struct, frozen=True):
    """A pair whose count a merge has changed, and by how much (negative: lost).

    before: the count before the merge, of pairs that lost occurrences; None where the words are
        so large that it is not counted.
    """

    left: int
    right: int
    amount: int
    before: int | None = None


class Place(Struct, frozen=True):
    """The first word of a corpus that holds a pair.

    word: index into the corpus's words, which are in the order of their first appearance.
    """

    word: int
    text: bytes


class Explanation(Struct, frozen=True):
    """All that can be said of one merge, exactly.

    step: the merge, counted from 0; it leads from position `step` to `step + 1`.
    shares: the words that the count comes from, the largest share first; their totals add
        up to `count`.
    runner_up: the most frequent other pair at that moment, None if there was none.
    tied: the other pairs with the same count, in the order of the rule for ties.
    first_places: where the merged pair occurs first and where the first `MOST_PLACED` of `tied` do;
        empty if their order did not decide, or if the words are so large that it is not searched.
    lost, gained: pairs of neighbours that became rarer, and pairs with the new token, the
        largest change first.
    saved: by how many tokens the corpus became shorter.
    stopped: why the run ended, if this was its last merge.
    forced: somebody chose this pair, though the counts led with another.
    forbidden: how many pairs somebody has forbidden by then; they take no part in all this.
    given: the name of the encoding that the merge was taken over from; empty if it was trained.
    """

    step: int
    left: int
    right: int
    new_id: int
    count: int
    shares: tuple[Share, ...]
    runner_up: Change | None
    tied: tuple[tuple[int, int], ...]
    ties: Ties
    lost: tuple[Change, ...]
    gained: tuple[Change, ...]
    saved: int
    stopped: StopReason | None
    forced: bool = False
    forbidden: int = 0
    given: str = ""
    first_places: tuple[Place, ...] = ()

    @property
    def margin(self) -> int | None:
        """Tell how much more often the pair occurred than the runner-up."""
        return None if self.runner_up is None else self.count - self.runner_up.amount


def explain_next(words: WordCounts, history: History) -> Explanation | None:
    """Explain the merge that would come next after all merges of a history; None if none would.

    >>> from bpe_gui.bpe.recipe import preset
    >>> from bpe_gui.bpe.trainer import Trainer
    >>> words = WordCounts.from_pairs([("low", 5), ("lower", 2)], preset("whitespace"))
    >>> trainer = Trainer(words, preset("whitespace"))
    >>> trainer.advance(1)
    1
    >>> found = explain_next(words, trainer.history)
    >>> found.step, found.count, found.saved, [share.text for share in found.shares]
    (1, 7, 7, [b'low', b'lower'])
    """
    length = len(history)
    top, pair = history.top(length), history.next_pair(length)
    if pair is None:
        return None
    columns = Columns.empty(length + 2)
    columns.copy_from(history.columns(length + 1), length + 1)
    columns.left[length], columns.right[length] = pair
    columns.new_id[length] = history.merged_id(length, *pair)
    columns.count[length] = top.count[0]
    columns.top_left[length + 1] = columns.top_right[length + 1] = NO_TOKEN
    merged = History.of_columns(
        history.recipe, history.base, history.corpus_bytes, columns, None, history.interventions
    )
    corpus = SegmentedCorpus(words, merged)
    columns.tokens[length + 1] = corpus.token_counts(length + 1).sum()
    return explain(corpus, length)


def explain(corpus: SegmentedCorpus, step: int) -> Explanation:
    """Explain a merge by looking at the corpus before and after it.

    Takes some milliseconds for a megabyte of unique words. Raises IndexError for a merge
    that the corpus has not taken in.

    >>> from bpe_gui.bpe.recipe import preset
    >>> from bpe_gui.bpe.trainer import Trainer
    >>> from bpe_gui.bpe.words import WordCounts
    >>> words = WordCounts.from_pairs([("low", 5), ("lower", 2)], preset("whitespace"))
    >>> trainer = Trainer(words, preset("whitespace"))
    >>> trainer.advance(1)
    1
    >>> found = explain(SegmentedCorpus(words, trainer.history), 0)
    >>> found.count, found.saved, [(share.text, share.total) for share in found.shares]
    (7, 7, [(b'low', 5), (b'lower', 2)])
    """
    merged = corpus.merged_at(step)
    history = corpus.history
    left, right = int(history.left[step]), int(history.right[step])
    changes = _changes(merged.changes)
    last = step == len(history) - 1
    given = history.encoding_of(step)
    forced = not given and _winner(history, step) != (left, right)
    tied = _tied(corpus, step, left, right)
    by_order = history.recipe.ties is Ties.FIRST_SEEN and not given and not forced
    placed = tied[:MOST_PLACED] if by_order and len(corpus.words.text) <= _MOST_BYTES else ()
    return Explanation(
        step=step,
        left=left,
        right=right,
        new_id=int(history.new_id[step]),
        count=int(history.count[step]),
        shares=_shares(corpus, merged),
        runner_up=_runner_up(history, step, left, right),
        tied=tied,
        ties=history.recipe.ties,
        lost=_lost(corpus, step, changes, (left, right)),
        gained=tuple(c for c in changes if c.amount > 0),
        saved=int(history.tokens[step] - history.tokens[step + 1]),
        stopped=history.stopped if last else None,
        forced=forced,
        forbidden=len(forbidden_pairs(history, step)),
        given=given,
        first_places=_first_places(corpus, step, merged, placed) if placed else (),
    )


def _first_places(
    corpus: SegmentedCorpus, step: int, merged: Merged, tied: tuple[tuple[int, int], ...]
) -> tuple[Place, ...]:
    """Find the words in which pairs occur first: the merged one, then those that come after it.

    None where one occurs nowhere: the run of a session may be of other words than it says.
    """
    if not len(merged.words):
        return ()
    first = int(merged.words[0])
    found: dict[tuple[int, int], int] = {}
    begin, size, words = first, _FIRST_WORDS, len(corpus.words)
    while len(found) < len(tied) and begin < words:
        cut = corpus.segmented(step, np.arange(begin, min(begin + size, words)))
        within = cut.word_of[1:] == cut.word_of[:-1]
        for left, right in tied:
            if (left, right) not in found:
                places = np.flatnonzero(within & (cut.ids[:-1] == left) & (cut.ids[1:] == right))
                if len(places):
                    found[left, right] = int(cut.words[cut.word_of[places[0]]])
        begin, size = begin + size, size * 4
    if len(found) < len(tied):
        return ()
    text = corpus.history.recipe.with_spaces
    places_of = [first, *(found[pair] for pair in tied)]
    return tuple(Place(word, text(corpus.words.word(word))) for word in places_of)


def _shares(corpus: SegmentedCorpus, merged: Merged) -> tuple[Share, ...]:
    totals = merged.occurrences * corpus.words.counts[merged.words]
    order = np.argsort(-totals, kind="stable")
    return tuple(
        Share(
            int(merged.words[place]),
            corpus.history.recipe.with_spaces(corpus.words.word(int(merged.words[place]))),
            corpus.words.count(int(merged.words[place])),
            int(merged.occurrences[place]),
        )
        for place in order.tolist()
    )


def _runner_up(history: History, step: int, left: int, right: int) -> Change | None:
    top = history.top(step)
    for place in range(len(top)):
        pair = int(top.left[place]), int(top.right[place])
        if pair != (left, right):
            return Change(*pair, int(top.count[place]))
    return None


def _winner(history: History, step: int) -> tuple[int, int]:
    top = history.top(step)
    return int(top.left[0]), int(top.right[0])


def forbidden_pairs(history: History, step: int) -> dict[tuple[int, int], int]:
    """Return the pairs that may not be merged at a step, and the steps from which they may not."""
    return {
        (decided.left, decided.right): decided.step
        for decided in history.interventions
        if decided.decision is Decision.FORBID and decided.step <= step
    }


def _tied(
    corpus: SegmentedCorpus, step: int, left: int, right: int
) -> tuple[tuple[int, int], ...]:
    """Return the other pairs with the same count: all of them, also where the history keeps fewer.
    """
    history = corpus.history
    pairs: TopPairs | PairCounts = history.top(step)
    count = history.count[step]
    if len(pairs) == TOP and pairs.count[-1] == count:
        pairs = corpus.pairs(step)
    equal = np.flatnonzero(pairs.count == count).tolist()
    found = [(int(pairs.left[place]), int(pairs.right[place])) for place in equal]
    if history.recipe.ties is Ties.LOWEST_ID:
        found.sort()
    # What was forbidden takes no part, however frequent it is.
    out = forbidden_pairs(history, step)
    return tuple(pair for pair in found if pair != (left, right) and pair not in out)


def _changes(pairs: PairCounts) -> list[Change]:
    changed = np.flatnonzero(pairs.count)
    order = changed[np.argsort(-np.abs(pairs.count[changed]), kind="stable")]
    return [
        Change(int(pairs.left[place]), int(pairs.right[place]), int(pairs.count[place]))
        for place in order.tolist()
    ]


def _lost(
    corpus: SegmentedCorpus, step: int, changes: list[Change], merged: tuple[int, int]
) -> tuple[Change, ...]:
    """Return the changes of pairs other than the merged one that lost, with their counts before."""
    lost = [c for c in changes if c.amount < 0 and (c.left, c.right) != merged]
    if not lost or len(corpus.words.text) > _MOST_BYTES:
        return tuple(lost)
    keys = np.array([c.left << 32 | c.right for c in lost], np.int64)
    counted = corpus.pairs(step)
    all_keys = counted.left.astype(np.int64) << 32 | counted.right
    found = np.isin(all_keys, keys)
    before = dict(zip(all_keys[found].tolist(), counted.count[found].tolist(), strict=True))
    return tuple(
        replace(c, before=before[key]) for c, key in zip(lost, keys.tolist(), strict=True)
    )


TIE_BREAKERS = MappingProxyType(
    {Ties.FIRST_SEEN: "first occurrence", Ties.LOWEST_ID: "the lowest ids"}
)
"""What decides between pairs that are equally frequent, by the recipe's rule."""


def sentence(explanation: Explanation, history: History) -> str:
    """Describe the merge in one plain sentence that can be read aloud.

    >>> from bpe_gui.bpe.recipe import preset
    >>> from bpe_gui.bpe.trainer import Trainer
    >>> from bpe_gui.bpe.words import WordCounts
    >>> words = WordCounts.from_pairs([("low", 5), ("lower", 2)], preset("whitespace"))
    >>> trainer = Trainer(words, preset("whitespace"))
    >>> trainer.advance(1)
    1
    >>> sentence(explain(SegmentedCorpus(words, trainer.history), 0), trainer.history)
    '“l” and “o” are neighbours 7 times in the corpus, as often as one other pair; the tie is \
broken by first occurrence, so they become “lo”.'
    """
    left, right, new = (
        f"“{visible_quote(history.token_bytes(token))}”"
        for token in (explanation.left, explanation.right, explanation.new_id)
    )
    times = "once" if explanation.count == 1 else f"{explanation.count:,} times"
    if explanation.given:
        often = f"neighbours {times}" if explanation.count else "never neighbours"
        return (
            f"Merge {explanation.step + 1:,} of {explanation.given} makes {new} of {left} and "
            f"{right}, which are {often} in this corpus."
        )
    begin = f"{left} and {right} are neighbours {times} in the corpus"
    others = len(explanation.tied)
    if explanation.forced:
        reason = f"{begin} and were chosen by hand over a pair that comes before them"
    elif others:
        more = "one other pair" if others == 1 else f"{others:,} other pairs"
        rule = TIE_BREAKERS[explanation.ties]
        reason = f"{begin}, as often as {more}; the tie is broken by {rule}"
    elif explanation.runner_up is None:
        reason = f"{begin} and are the only pair left"
    else:
        allowed = " that is allowed" if explanation.forbidden else ""
        reason = f"{begin}, more often than any other pair{allowed}"
    return f"{reason}, so they become {new}."
