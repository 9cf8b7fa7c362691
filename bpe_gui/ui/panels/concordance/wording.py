"""Texts about the places of a token or a pair in the corpus."""

from __future__ import annotations

from bpe_gui.analysis.visible import isolated
from bpe_gui.bpe.history import History
from bpe_gui.progress import counted, times
from bpe_gui.ui.tokens.token_words import label, merge_name, pair_text

NOTHING_LOADED = "Open a corpus to see where a token occurs in it."
NOTHING_SELECTED = "Select a token or a pair to see where it occurs in the corpus."
NO_CORPUS = "The corpus of this run is not at hand, so it cannot be searched."
TOO_LONG = "The corpus is one long word, too long to be searched; choose a preset that splits it."
NO_TOKEN_YET = "no token is selected, and none has been made yet"
TABLE = "Places in the corpus"
SEARCHING = "Searching the corpus…"
FAILED = "The corpus cannot be searched"


def name_of(history: History, tokens: tuple[int, ...]) -> str:
    """Name what is looked for."""
    if len(tokens) == 2:
        return pair_text(history, *tokens)
    return isolated(label(history.token_bytes(tokens[0])))


def not_made(name: str) -> str:
    """Say why a token of a later merge has no places, as the end of a sentence."""
    return f"{name} is not made yet at the cursor"


def nowhere(name: str) -> str:
    return f"{name} does not occur in the corpus at the cursor, or only within longer tokens."


def title(name: str, position: int) -> str:
    """Say what is listed, and for which position."""
    at = "before the first merge" if position == 0 else f"after {merge_name(position - 1)}"
    return f"{name} in the corpus, {at}"


def count_text(
    places: int, occurrences: int, *, ended: bool, whole: bool, total: int | None
) -> str:
    """Count the places that are listed.

    occurrences: how often what was found occurs, more than there are places in a table of words;
    ended: whether the search has; whole: whether it looked through all of the corpus; total: how
    many there are, None if that is not known.
    """
    if not ended:
        return f"{counted(places, 'place')} so far"
    if whole:
        often = f", {times(occurrences)}" if occurrences > places else ""
        return counted(places, "place") + often
    known = f" of {total:,}" if total is not None else ""
    return f"The first {places:,}{known} places"
