"""What is written below a text: its counts, and the ids of its tokens."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from bpe_gui.analysis.visible import visible_text
from bpe_gui.bpe.history import NO_TOKEN
from bpe_gui.bpe.recipe import END_OF_WORD
from bpe_gui.progress import counted
from bpe_gui.ui.tokens.token_words import shortened

PLACEHOLDER = "Type or paste any text to see its tokens"
WHY_COUNTED = (
    "Fewer tokens are better: more text fits into a model’s context, and API users pay per token.\n"
    "GPT-2 and later models keep a space with the word after it: joining the tokens gives back the "
    "text exactly.\n"
    f"Where words end with {END_OF_WORD}, est at the end of a word is another token than est "
    "inside one."
)
IDS = "The ids of the tokens"
IDS_TIP = "Show the ids of the tokens below the text, or hide them"
COPY_TIP = "Copy the ids of all tokens of the text"
COLOURS_TIP = "Choose what the colours of tokens show"
NO_TEXT = "Nothing to show yet: type or paste a text above."
COPY_TEXT, COPY_IDS, SELECT_ALL = "Copy text\tCtrl+C", "Copy ids", "Select all\tCtrl+A"
HOW_TO_GO = "The arrow keys go from token to token."
AGAIN = "Trying again with more time…"
UNCUT = "No tokens yet. Train on a corpus to see them in colour."

_GAP = "   "
_NO_BREAK, _JOINED = "\u00a0", "\u2060"
_WHY_ENDS = f"{END_OF_WORD} = word end"
_SHOWN_IDS = 300
MOST_SPLIT = 5
"""How many words are named that are not in the corpus; the others are counted."""
_LONGEST_WORD = 16
"""Characters of such a word that are shown."""
"""Laying out more of them would take longer than a frame lasts."""


def counts_of(
    text: str, ids: NDArray[np.int32] | None, *, brief: bool = False, marks_ends: bool = False
) -> str:
    """Return the counts of a text, and those of its tokens, if there are any.

    brief: only how many tokens there are, and how long. marks_ends: say why words end with a
    mark.

    >>> counts_of("low", np.array([7])).replace("\\u00a0", " ")
    '3 characters   3 bytes   1 token in this text   3.00 bytes per token'
    >>> counts_of("a b", np.array([7, 8])).replace("\\u00a0", " ")
    '3 characters   3 bytes   2 tokens in this text   1.50 bytes per token   · = space'
    """
    size = len(text.encode("utf-8"))
    counts = [counted(len(text), "character"), counted(size, "byte")]
    unknown = 0
    if ids is not None:
        tokens = counted(len(ids), "token")
        # The status bar and the welcome count those of the corpus.
        counts = [tokens] if brief else [*counts, f"{tokens} in this text"]
        if len(ids):
            counts.append(f"{size / len(ids):.2f} bytes per token")
        unknown = int(np.count_nonzero(ids == NO_TOKEN))
    # Where a mark says where words end, little is asked about the dot, and room is scarce.
    if not marks_ends and ids is not None and " " in text and not brief:
        counts.append("· = space")
    counts = [count.replace(" ", _NO_BREAK) for count in counts]
    if marks_ends and not brief:
        counts.append(_WHY_ENDS.replace("/", f"/{_JOINED}").replace(" ", _NO_BREAK))
    if unknown and not brief:
        # The longest of them may be wider than the panel.
        counts.append(counted(unknown, "unknown character").replace(" ", _NO_BREAK, 1))
    return _GAP.join(counts)


def after_merge(position: int) -> str:
    """Say which merge was the last before the tokens that are shown."""
    return f"after merge {position:,}".replace(" ", _NO_BREAK)


def not_in_corpus(words: int, first: Sequence[str]) -> str:
    """Say which words take several tokens where every word of the corpus is a single one, and why.

    >>> not_in_corpus(1, ["lowest"])
    'not\xa0in\xa0the\xa0corpus,\xa0so\xa0split: “lowest”'
    >>> not_in_corpus(6, ["wide", "wider"]).partition(": ")[2]
    '“wide” “wider” and 4 more words'
    """
    named = " ".join(f"“{shortened(visible_text(word), _LONGEST_WORD)}”" for word in first)
    more = f" and {counted(words - len(first), 'more word')}" if words > len(first) else ""
    return f"{'not in the corpus, so split:'.replace(' ', _NO_BREAK)} {named}{more}"


def colours_of(steps: Sequence[str]) -> str:
    """Return the steps of the colours for a screen reader."""
    return f"Colours, from little to much: {', '.join(steps)}"


def ids_of(ids: NDArray[np.int32]) -> str:
    """Ids with spaces between them; a question mark where the vocabulary has no token."""
    return " ".join(map(str, ids.tolist())).replace(str(NO_TOKEN), "?")


def first_ids_of(ids: NDArray[np.int32]) -> str:
    """As `ids_of`, but of many only the first, and how many more there are."""
    written = ids_of(ids[:_SHOWN_IDS])
    if len(ids) > _SHOWN_IDS:
        written += f" … and {len(ids) - _SHOWN_IDS:,} more: “Copy ids” copies all"
    return written
