"""Say what a run has gained, and at which price."""

from __future__ import annotations

from bpe_gui.bpe.history import History


def outcome(history: History) -> str:
    """Compare the corpus and the vocabulary after the last merge of a run with those before it.

    It ends with the entries, and without a full stop: what they cost may follow.
    """
    tokens = f"{int(history.tokens[0]):,} → {int(history.tokens[-1]):,}"
    entries = f"{history.vocabulary_size(0):,} → {history.vocabulary_size(len(history)):,}"
    return (
        f"The corpus has fewer tokens now: {tokens}. The price is a larger vocabulary: {entries} "
        "entries"
    )
