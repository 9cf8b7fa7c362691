"""All sentences of the boundary panel."""

from __future__ import annotations

from bpe_gui.analysis.boundaries import BlockedPair, BlockedPairs
from bpe_gui.analysis.superwords import Superwords, SuperwordToken
from bpe_gui.analysis.visible import visible
from bpe_gui.bpe.history import History
from bpe_gui.bpe.recipe import Recipe
from bpe_gui.progress import megabytes, ordinal, times
from bpe_gui.ui.tokens.token_words import label, merge_name

NOTHING_LOADED = "Open a corpus to see the pairs that its split blocks."
YOUR_PATTERN = "Your pattern"
"""The name of what blocks pairs in the edited recipe."""
NO_NEIGHBOURS = "No word of this corpus follows another, so no pair is blocked."
NO_SUPERWORDS = "Training without the split learns no token across a boundary."
STOPPED = "Stopped before the boundaries were examined. “Look again” starts over."
SPLITTING = "Splitting the corpus with the edited recipe"
READING = "Reading the corpus again, to see which words follow each other"
LEARNING = "Training without the split"
SHOW_DRAFT = "Show for the edited recipe"
SHOW_RUN = "Show for the run in view"
DRAFT_TIP = (
    "Split the corpus with the recipe in the editor, and show which pairs that blocks at the "
    "start; nothing is trained"
)

TITLE = "Merges blocked by the split"
PAIR_TABLE = "Pairs that the split blocks"
PAIR_HEADERS = ("pair", "line: merged", "times", "rank without split")
PAIR_TIPS = (
    "The end of one word and the beginning of the next, with the boundary between them.\n"
    "A hollow boundary: the split drops the white space there.",
    "Solid: across boundaries. Pale: within words, where nothing blocks the pair.\n"
    "The line shows the frequency of the pair that is merged here.",
    "How often the pair occurs across a boundary: a word that ends with the first token is\n"
    "followed by a word that begins with the second. Newlines within one word are not counted.\n"
    "After the +: how often it also occurs within words, where nothing blocks it.",
    "The rank by the sum of both counts: the first merge whose pair was less frequent than this\n"
    "one is now. If there is none, the rank among the pairs within words; = marks ties.",
)

SUPERWORD_TABLE = "Tokens that training without the split learns"
SUPERWORD_HEADERS = ("merge", "token", "times", "example")
SUPERWORD_TIPS = (
    "Which merge would make it, counted without the split",
    "The token, with the boundaries within it",
    "How often it would be made, from left to right. Where a pair overlaps itself, as in\n"
    "three newlines, that is less than the count of the pair.",
    "Where it would first be made across a boundary",
)


def not_split(recipe: str) -> str:
    """Explain why a recipe that does not split blocks nothing."""
    return f"There are no boundaries: the recipe “{recipe}” does not split the text."


def is_winner(found: BlockedPairs, pair: BlockedPair) -> bool:
    """Tell whether a pair is the one that is merged at the position anyway."""
    return found.winner is not None and (pair.left, pair.right) == found.winner[:2]


def rank(found: BlockedPairs, pair: BlockedPair) -> str:
    """Return which merge a pair would have been, or its rank among those within words."""
    if is_winner(found, pair):
        return "merged"
    if pair.ahead_of is not None:
        return merge_name(pair.ahead_of)
    return f"{'=' if pair.tied else ''}{ordinal(pair.rank)}"


def occurrences(pair: BlockedPair) -> str:
    """Return how often a pair occurs across boundaries, and after a + how often within words."""
    return f"{pair.across:,} + {pair.within:,}" if pair.within else f"{pair.across:,}"


def blocker(recipe: str) -> str:
    """Name what blocks pairs in a run with a recipe."""
    return f"The split of “{recipe}”"


def subject(recipe: Recipe, draft: Recipe | None, *, edited: bool) -> str:
    """Name the shown recipe; of a run, tell whether the edited recipe splits differently."""
    if edited:
        return f"The edited recipe, “{recipe.name}”, before its first merge"
    text = f"The run in view, recipe “{recipe.name}”"
    if draft is None or (draft.normalizers, draft.split) == (recipe.normalizers, recipe.split):
        return text
    return f"{text}; the edited one splits differently"


def headline(found: BlockedPairs, history: History, by: str) -> str:
    """Describe the most frequent pair in two sentences; `by` blocks it.

    The pair that is merged anyway is skipped if there is another.
    """
    if not found.pairs:
        return NO_NEIGHBOURS
    others = [pair for pair in found.pairs if not is_winner(found, pair)]
    return explained(found, others[0] if others else found.pairs[0], history, by)


def explained(found: BlockedPairs, pair: BlockedPair, history: History, by: str) -> str:
    """Describe a pair, and what it would be without the split."""
    met = "follow each other" if pair.apart == pair.across else "are adjacent"
    where = "" if found.whole else f" in {scope(found.bytes_read)}"
    begin = f"{_pair(history, pair.left, pair.right)} {met} {times(pair.across)}{where}"
    if pair.apart == pair.across:
        begin += ", with white space between that the split drops"
    elif pair.apart:
        begin += f", {pair.apart:,} of these with white space between that the split drops"
    return f"{begin}: {_verdict(found, pair, history, by)}"


def _verdict(found: BlockedPairs, pair: BlockedPair, history: History, by: str) -> str:
    if is_winner(found, pair):
        return f"within words, where it occurs {times(pair.within)}, it is merged here anyway."
    blocked = f"{by} blocks it."
    within = f", with the {pair.within:,} within words" if pair.within else ""
    if pair.ahead_of is not None:
        step = pair.ahead_of
        beaten = _pair(history, int(history.left[step]), int(history.right[step]))
        return (
            f"so frequent{within} it would have been {merge_name(step)}, before {beaten} with "
            f"{int(history.count[step]):,}. {blocked}"
        )
    if found.winner is None:
        return f"no pair is left within words. {blocked}"
    left, right, count = found.winner
    winner = f"{_pair(history, left, right)} with {count:,}"
    if pair.rank > 1:
        return f"that would be the {ordinal(pair.rank)} most frequent pair{within}. {blocked}"
    if pair.tied:
        return f"that would be as frequent as {winner}{within}. {blocked}"
    merge = "the first merge" if found.position == 0 else merge_name(found.position)
    return f"that would be {merge}{within}, before {winner}. {blocked}"


def counted(found: BlockedPairs) -> str:
    """Return the number of blocked pairs, and the position."""
    place = f"at merge {found.position:,}" if found.position else "at the start"
    text = f"{found.across:,} neighbours in {found.distinct:,} pairs, {place}"
    return text if found.whole else f"{text}, {scope(found.bytes_read)}"


def scope(bytes_read: int) -> str:
    """Name the part of the corpus that was read."""
    return f"the first {megabytes(bytes_read)} of the corpus"


def superword_explained(superword: SuperwordToken) -> str:
    """Describe a token that would have been learned."""
    where = "all" if superword.across == superword.occurrences else f"{superword.across:,}"
    example = f"{visible(superword.before)}[{visible(superword.content)}]{visible(superword.after)}"
    return (
        f"“{label(superword.content)}” would be {merge_name(superword.step)}, made "
        f"{times(superword.occurrences)}, {where} of them across a boundary. For example: {example}"
    )


def learned(found: Superwords) -> str:
    """Return the heading of the tokens."""
    text = "Learned first without the split"
    return text if found.whole else f"{text}, from {scope(found.bytes_read)}"


def _pair(history: History, left: int, right: int) -> str:
    return " + ".join(f"“{label(history.token_bytes(token))}”" for token in (left, right))
