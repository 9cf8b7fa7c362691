"""Texts about words and their tokens: in the panel, in tooltips, for screen readers."""

from __future__ import annotations

from bpe_gui.analysis.word_list import WordList, WordSort
from bpe_gui.progress import counted, times
from bpe_gui.ui.panels.words.rows import WordRow, token_texts

SEARCH = "Token (es) or pair (e s)"
SEARCHED, ORDER = "Words with a token or a pair", "Order of the words"
SEARCH_TIP = (
    "One token, or neighbouring tokens with a space between them.\n"
    "Write a space within a token as it is shown: ␣the."
)
ORDERS = {
    WordSort.TOUCHED: "Merge in view",
    WordSort.COUNT: "Most frequent first",
    WordSort.CORPUS: "As in the corpus",
}
NOTHING_LOADED = "Open a corpus to see its words as tokens."
WAITING = "Looking through the words…"
NO_MATCH = "No word matches."
NO_WORDS = "The corpus is empty: there are no words."
UNSPLIT = ": nothing is split, see Concordance"
_MOST_SPOKEN = 40


def spoken(words: WordList, row: WordRow) -> str:
    history = words.corpus.history
    names = token_texts(history, row.tokens[:_MOST_SPOKEN])
    if len(row.tokens) > _MOST_SPOKEN or not row.whole:
        names.append("and so on")
    text = f"{row.text}, {times(row.count)}: {', '.join(names)}."
    if row.merging and row.merged:
        [made] = token_texts(history, row.tokens[row.merging[0] :][:1])
        text += f" {made} has just been made."
    elif row.merging:
        left, right = token_texts(history, row.tokens[row.merging[0] :][:2])
        text += f" {left} and {right} are about to merge."
    return text


def place(position: int) -> str:
    """Name the position of the run at which the words are shown."""
    return f"at merge {position:,}" if position else "at the start"


def summary(words: WordList, position: int, *, brief: bool = False) -> str:
    """Return the number of words that are shown, and what they have in common.

    `position` is theirs, or the next one once the tokens of a merge under way have joined.

    If `brief`, without the number of those that the merge changes whose pair is outlined, and
    without that of the tokens in the corpus.
    """
    total, shown = len(words.corpus.words), len(words.rows)
    # By its number: the reasons may call it the last one, while it is seen.
    merge = words.position + (not words.marks_last)
    touched = f", {words.touched:,} in merge {merge:,}" if words.touched else ""
    if brief or (words.marks_last and position != words.position):
        touched = ""
    if not words.query.filter:
        history = words.corpus.history
        if brief:
            rest = ""
        elif history.recipe.split == "none":
            rest = UNSPLIT
        else:
            # Each word counts as often as it occurs: the sample text has fewer tokens.
            tokens = counted(int(history.tokens[position]), "token")
            rest = f"; {tokens} in the corpus (words × counts)"
        return f"{counted(total, 'word')}{touched}{rest}"
    parts = words.query.filter.parts
    named = " ".join(parts)
    of_all = f"{shown:,} of {total:,} words"
    if words.missing and len(parts) == 1:
        contain = "contains" if shown == 1 else "contain"
        return f"{of_all} {contain} “{named}”, which is not a token here{touched}"
    if words.missing:
        missing = " and ".join(f"“{part}”" for part in dict.fromkeys(words.missing))
        return f"{of_all}: {missing} {'is' if len(words.missing) == 1 else 'are'} not a token here"
    hold = "holds" if shown == 1 else "hold"
    return f"{of_all} {hold} “{named}”{touched}"
