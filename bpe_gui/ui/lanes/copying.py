"""Writes tokens of a lane for the clipboard: their ids, their bytes, or the text."""

from __future__ import annotations

from bpe_gui.analysis.visible import visible
from bpe_gui.encodings.alignment import Cut
from bpe_gui.encodings.ours import vocabulary_ids


def ids_of(cut: Cut, first: int, end: int) -> str:
    """Write the ids of some tokens, with spaces between."""
    return " ".join(map(str, vocabulary_ids(cut.encoding, cut.tokens.ids[first:end]).tolist()))


def tokens_of(cut: Cut, first: int, end: int) -> str:
    """Write the text of some tokens, one a line, with nothing hidden."""
    data = cut.text.encode("utf-8")
    starts, ends = cut.tokens.starts[first:end].tolist(), cut.tokens.ends[first:end].tolist()
    return "\n".join(visible(data[a:b]) for a, b in zip(starts, ends, strict=True))


def text_of(cut: Cut, first: int, end: int) -> str:
    """Return the text from the first to the last of some tokens, in whole characters."""
    tokens = cut.tokens
    if first >= end:
        return ""
    start, stop = tokens.char_starts[first:end].min(), tokens.char_ends[first:end].max()
    return cut.text[int(start) : int(stop)]


COPIED = (
    ("Copy ids", "copyLaneIdsAction", "Ctrl+C", ids_of),
    ("Copy tokens, one a line", "copyLaneTokensAction", "Ctrl+Shift+T", tokens_of),
    ("Copy text", "copyLaneTextAction", "Ctrl+Shift+C", text_of),
)
"""The text, object name and key of each action that copies, and what writes the tokens."""
