"""Texts about a word and the merges that tokenize it."""

from __future__ import annotations

from collections.abc import Sequence

from bpe_gui.analysis.derivation import WordDerivation
from bpe_gui.analysis.visible import isolated
from bpe_gui.progress import counted
from bpe_gui.ui.tokens.box_pictures import id_text
from bpe_gui.ui.tokens.token_words import label
from bpe_gui.ui.widgets.tables import RIGHT, Heading

NOTHING_LOADED = "Open a corpus to see how a word is tokenized."
NAME, TABLE = "How a word is tokenized", "Merges that cut the word"
NO_WORD = "Click a word in the text to see its merges."
PLAY, PLAY_TIP = "Play", "Play the merges one by one (Space)"
PAUSE, PAUSE_TIP = "Pause", "Pause here (Space)"
HEADINGS = (
    Heading(
        "Merge",
        "The number that the merge had in training, which is its rank.\n"
        "The merges are applied in the order in which they were learned, the first one first.\n"
        "Enter or a click moves the cursor there.",
        RIGHT,
    ),
    Heading("Pair", "The two tokens that are merged"),
    Heading("The word after it", "The tokens of the word after that merge"),
)
_SPOKEN_TOKENS = 60
IDS, SHORT_IDS = "ids for the model", "ids"
"""Of the row with the ids of the tokens: a model reads nothing else."""


def title(derivation: WordDerivation, applied: int, *, brief: bool = False) -> str:
    """Return a word with its numbers of tokens and merges, and why its tokens stay apart, or that
    some of them cannot be read.

    If `brief`, neither the tokens at first nor the reason.
    """
    symbols = len(derivation.symbols)
    left = symbols - applied
    is_final = left > 1 and applied == len(derivation.steps) and derivation.length > 0
    reason = ": no other merge applies" if is_final and not brief else ""
    if derivation.unknown and not brief:
        have, it = ("has", "it") if derivation.unknown == 1 else ("have", "them")
        strangers = counted(derivation.unknown, "unknown character")
        reason = f". {strangers} {have} no id, so a model cannot read {it}"
    merges, now = counted(applied, "merge"), counted(left, "token")
    first = f"{counted(symbols, 'token')} at first"
    told = f"{merges}, {now}" if brief else f"{first}, {now} after {merges}{reason}"
    return f"{isolated(label(derivation.word.encode()))}   {told}"


def tokens_text(labels: Sequence[str], ids: Sequence[int], *, cut: bool) -> str:
    """Tokens with spaces between them, with their ids if there are any."""
    told = [f"{text} {id_text(token)}" for text, token in zip(labels, ids, strict=False)]
    shown = (told or list(labels))[:_SPOKEN_TOKENS]
    before, after = ["…"] * cut, ["…"] * (len(labels) > _SPOKEN_TOKENS)
    # One space only, for the word begins before it.
    return " ".join([*before, "  ".join([*shown, *after])])
