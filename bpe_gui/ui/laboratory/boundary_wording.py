"""All sentences of the boundary panel."""

from __future__ import annotations

from bpe_gui.analysis.boundaries import BlockedPair, BlockedPairs
from bpe_gui.analysis.superwords import Superwords, SuperwordToken
from bpe_gui.analysis.visible import visible
from bpe_gui.bpe.history import History
from bpe_gui.bpe.recipe import Recipe
from bpe_gui.progress import megabytes
from bpe_gui.ui.tokens.token_words import label, merge_name, times

_NOTHING_LOADED = "Once a corpus has been read, the pairs that a split keeps apart stand here."
YOUR_PATTERN = "Your pattern"
"""What forbids pairs in the recipe that is being edited."""
NO_NEIGHBOURS = "No word of this corpus has a neighbour, so nothing is kept apart."
NO_SUPERWORDS = "Training without the wall learns no token that lies across it."
STOPPED = "Stopped before the walls were looked at. “Look again” begins anew."
CUTTING = "Cutting the corpus with the edited recipe"
READING = "Reading the corpus once more, to see which words stand side by side"
LEARNING = "Training without the wall"
SHOW_DRAFT = "Show for the edited recipe"
SHOW_RUN = "Show for the run in view"
DRAFT_TIP = (
    "Cut the corpus with the recipe in the editor, and show what its split would forbid "
    "at the beginning; nothing is trained for it"
)

PAIR_HEADERS = ("kept apart", "", "times", "would be")
PAIR_TIPS = (
    "The end of one word and the beginning of the next, with the wall between them.\n"
    "A hollow wall: the split drops the white space that stood there.",
    "Solid: across walls. Pale: within words, where nothing forbids it.\n"
    "The line shows how frequent the pair is that is merged here.",
    "How often the pair stands across a wall: each word that ends with the one and is followed\n"
    "by a word that begins with the other. Two newlines within one word are not counted.\n"
    "After the + how often it also stands within words, where nothing forbids it.",
    "What it would be without the wall, by both numbers of times together. Which merge: the first\n"
    "whose pair was less frequent than this one is now. If there is none, its place among the\n"
    "pairs within words; = with equals.",
)

SUPERWORD_HEADERS = ("merge", "token", "times", "for example")
SUPERWORD_TIPS = (
    "Which merge would make it, counted without the wall",
    "The token, with the walls that it lies across",
    "How often it would be made, from left to right. Where a pair overlaps itself, as in\n"
    "three newlines, that is less often than the pair stands there.",
    "Where it would first be made across a wall",
)


def nothing_loaded(reading: str) -> str:
    """Why there is nothing: a corpus of that name is being read, or none has been."""
    return f"Reading {reading} …" if reading else _NOTHING_LOADED


def not_split(recipe: str) -> str:
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
    """How often a pair is across a boundary, and after a + how often within words, if it does."""
    return f"{pair.across:,} + {pair.within:,}" if pair.within else f"{pair.across:,}"


def forbidder(recipe: str) -> str:
    """What forbids pairs in a run with a recipe."""
    return f"The split of “{recipe}”"


def subject(recipe: Recipe, draft: Recipe | None, *, edited: bool) -> str:
    """Whose boundaries are shown; of a run, whether the edited recipe cuts in another way."""
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


def superword_explained(superword: SuperwordToken) -> str:
    """All that is known of a token that would have been learnt."""
    where = "all" if superword.across == superword.occurrences else f"{superword.across:,}"
    example = f"{visible(superword.before)}[{visible(superword.content)}]{visible(superword.after)}"
    return (
        f"“{label(superword.content)}” would be {merge_name(superword.step)}, made "
        f"{times(superword.occurrences)}, {where} of them across a wall. For example: {example}"
    )


def learnt(found: Superwords) -> str:
    """What the tokens are that are listed, in a few words."""
    text = "First learnt without the wall"
    return text if found.whole else f"{text}, from {scope(found.bytes_read)}"


def _pair(history: History, left: int, right: int) -> str:
    return " + ".join(f"“{label(history.token_bytes(token))}”" for token in (left, right))
