"""What the walls forbid, in words."""

from __future__ import annotations

from bpe_gui.analysis.boundaries import BlockedPair, BlockedPairs
from bpe_gui.analysis.superwords import Superwords, SuperwordToken
from bpe_gui.analysis.visible import visible
from bpe_gui.bpe.history import History
from bpe_gui.bpe.recipe import Recipe
from bpe_gui.progress import megabytes
from bpe_gui.ui.tokens.token_words import label, merge_name, times

_NOTHING_LOADED = (
    "Once a corpus has been read, the pairs that a split keeps apart stand here."
)
YOUR_PATTERN = "Your pattern"
"""What forbids pairs in the recipe that is being edited."""
NO_NEIGHBOURS = "No word of this corpus has a neighbour, so nothing is kept apart."
NO_CROSSINGS = "Training without the wall learns no token that lies across it."


def nothing_loaded(reading: str) -> str:
    """Why there is nothing: a corpus of that name is being read, or none has been."""
    return f"Reading {reading} …" if reading else _NOTHING_LOADED


def no_wall(recipe: str) -> str:
    """Why nothing is forbidden by a recipe that does not split."""
    return f"There is no wall: the recipe “{recipe}” does not split the text, and forbids no pair."


def ordinal(number: int) -> str:
    """A rank as people say it.

    >>> [ordinal(number) for number in (1, 2, 3, 4, 11, 21, 112, 1003)]
    ['1st', '2nd', '3rd', '4th', '11th', '21st', '112th', '1,003rd']
    """
    ending = {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number:,}{'th' if number % 100 in (11, 12, 13) else ending}"


def is_winner(found: BlockedPairs, pair: BlockedPair) -> bool:
    """Whether a pair is the one that is merged at the position anyway."""
    return found.winner is not None and (pair.left, pair.right) == found.winner[:2]


def standing(found: BlockedPairs, pair: BlockedPair) -> str:
    """Where a pair would have been merged, or stands among those within words, in a word or two."""
    if is_winner(found, pair):
        return "merged"
    if pair.ahead_of is not None:
        return merge_name(pair.ahead_of)
    return f"{'=' if pair.tied else ''}{ordinal(pair.rank)}"


def stands(pair: BlockedPair) -> str:
    """How often a pair stands across a wall, and after a + how often within words, if it does."""
    return f"{pair.across:,} + {pair.within:,}" if pair.within else f"{pair.across:,}"


def forbidder(recipe: str) -> str:
    """What forbids pairs in a run with a recipe."""
    return f"The split of “{recipe}”"


def subject(recipe: Recipe, draft: Recipe | None, *, edited: bool) -> str:
    """Whose walls are shown; of a run, whether the edited recipe cuts in another way."""
    if edited:
        return f"The edited recipe, “{recipe.name}”, before its first merge"
    text = f"The run in view, recipe “{recipe.name}”"
    if draft is None or (draft.normalizers, draft.split) == (recipe.normalizers, recipe.split):
        return text
    return f"{text}; the edited one cuts otherwise"


def headline(found: BlockedPairs, history: History, by: str) -> str:
    """What the most frequent of the pairs would be, in two sentences; `by` forbids it.

    The pair that is merged anyway is passed over if there is another.
    """
    if not found.pairs:
        return NO_NEIGHBOURS
    others = [pair for pair in found.pairs if not is_winner(found, pair)]
    return explained(found, others[0] if others else found.pairs[0], history, by)


def explained(found: BlockedPairs, pair: BlockedPair, history: History, by: str) -> str:
    """What becomes of a pair, and what would if the split did not keep it apart."""
    met = "follow each other" if pair.apart == pair.across else "stand side by side"
    where = "" if found.whole else f" in {scope(found.bytes_read)}"
    begin = f"{_pair(history, pair.left, pair.right)} {met} {times(pair.across)}{where}"
    if pair.apart == pair.across:
        begin += ", with white space between that the split drops"
    elif pair.apart:
        begin += f", {pair.apart:,} of these with white space between that the split drops"
    return f"{begin}: {_verdict(found, pair, history, by)}"


def _verdict(found: BlockedPairs, pair: BlockedPair, history: History, by: str) -> str:
    if is_winner(found, pair):
        return f"within words, where it stands {times(pair.within)}, it is merged here anyway."
    forbids = f"{by} forbids it."
    within = f", with the {pair.within:,} within words" if pair.within else ""
    if pair.ahead_of is not None:
        step = pair.ahead_of
        beaten = _pair(history, int(history.left[step]), int(history.right[step]))
        return (
            f"so frequent{within} it would have been {merge_name(step)}, before {beaten} with "
            f"{int(history.count[step]):,}. {forbids}"
        )
    if found.winner is None:
        return f"no pair is left within words. {forbids}"
    left, right, count = found.winner
    winner = f"{_pair(history, left, right)} with {count:,}"
    if pair.rank > 1:
        return f"that would be the {ordinal(pair.rank)} most frequent pair{within}. {forbids}"
    if pair.tied:
        return f"that would be as frequent as {winner}{within}. {forbids}"
    merge = "the first merge" if found.position == 0 else merge_name(found.position)
    return f"that would be {merge}{within}, before {winner}. {forbids}"


def scope(bytes_read: int) -> str:
    """Of which part of the corpus the numbers speak, if not of the whole."""
    return f"the first {megabytes(bytes_read)} of the corpus"


def crossing_explained(crossing: SuperwordToken) -> str:
    """All that is known of a token that would have been learnt."""
    where = "all" if crossing.across == crossing.occurrences else f"{crossing.across:,}"
    example = f"{visible(crossing.before)}[{visible(crossing.content)}]{visible(crossing.after)}"
    return (
        f"“{label(crossing.content)}” would be {merge_name(crossing.step)}, made "
        f"{times(crossing.occurrences)}, {where} of them across a wall. For example: {example}"
    )


def learnt(found: Superwords) -> str:
    """What the tokens are that are listed, in a few words."""
    text = "First learnt without the wall"
    return text if found.whole else f"{text}, from {scope(found.bytes_read)}"


def _pair(history: History, left: int, right: int) -> str:
    return " + ".join(f"“{label(history.token_bytes(token))}”" for token in (left, right))
