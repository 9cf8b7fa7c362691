"""Texts about the vocabularies of lanes."""

from __future__ import annotations

from bpe_gui.analysis.visible import visible, visible_beginning
from bpe_gui.encodings.vocabularies.suspicious import Reason
from bpe_gui.encodings.vocabularies.vocabulary import KINDS, Vocabulary
from bpe_gui.progress import counted
from bpe_gui.ui.compare.vocabularies.query import Answer, Column

NO_LANES = "Add an encoding to see its vocabulary."
READING = "Reading the vocabularies…"
NO_MATCH = "No token matches."
PLACEHOLDER = "Search: text, id or bytes"
SEARCH_TIP = "Find tokens by their text, their id (220), or their bytes in hex (E2 80)"
FILTER_TIP = "Show only tokens of a kind, script or length, or suspicious ones"
MATRIX = "Shared tokens of each two encodings"
FACTS = "Lengths, scripts and kinds"
HEADINGS = {
    Column.ID: "id",
    Column.TOKEN: "token",
    Column.BYTES: "bytes",
    Column.KIND: "kind",
    Column.SCRIPTS: "script",
    Column.USES: "in text",
    Column.OTHER_ID: "other id",
    Column.WHY: "suspicious",
}
TIPS = {
    Column.ID: "The id of the token",
    Column.TOKEN: "The token, with marks for spaces, newlines and parts of characters",
    Column.BYTES: "The bytes of the token in hex; sorted by their number",
    Column.KIND: "What the token is: word, piece, space-initial, digits, code, byte or special",
    Column.SCRIPTS: "The scripts of its letters",
    Column.USES: "How often the compared text has the token",
    Column.OTHER_ID: "The id of the same bytes in the other encoding",
    Column.WHY: "Why the token is suspicious",
}


def parts(one: str, other: str) -> tuple[str, str, str]:
    """Name the lists of tokens of two encodings, in the order of `Part`."""
    return "in both", f"only in {one}", f"only in {other}"


def about(answer: Answer) -> str:
    """Say which tokens are listed, and how much two vocabularies share."""
    shown, size = len(answer.rows), len(answer.source)
    if answer.overlap is None:
        of = "" if shown == size else f"{shown:,} of "
        return f"{answer.source.name}: {of}{counted(size, 'token')}"
    shares = answer.overlap.shares
    one, other = answer.overlap.one.name, answer.overlap.other.name
    return f"{one} and {other}: Jaccard {shares.jaccard:.3f}, {shown:,} listed"


def cell(one: str, other: str, share: float, both: int) -> str:
    """Say what a cell of the matrix stands for."""
    if one == other:
        return f"{one}: {counted(both, 'token')}"
    return f"{one} and {other} share {counted(both, 'token')}: Jaccard {share:.3f}"


def cells(answer: Answer, row: int) -> tuple[str, ...]:
    """Return the texts of a row of the table, by its row in the vocabulary."""
    source, found = answer.source, answer.found
    content = source.contents[row]
    uses, other_ids = answer.uses, answer.other_ids
    return (
        str(source.ids[row]),
        visible_beginning(content),
        content[:32].hex(" ").upper() + "…" * (len(content) > 32),
        kind_of(source, row),
        " ".join(source.properties.script_names(row)) or "–",
        "–" if uses is None else f"{uses[row]:,}",
        "" if other_ids is None else str(other_ids[row]),
        ", ".join(reason for reason in found.reasons(row) if reason is not Reason.UNUSED),
    )


def kind_of(source: Vocabulary, row: int) -> str:
    """Name the kind of a token."""
    return KINDS[source.kinds[row]].value


def tip(answer: Answer, row: int) -> str:
    """Tell all about a token in lines: its text, its bytes, and each reason for suspicion."""
    source = answer.source
    content = source.contents[row]
    lines = [
        f"“{visible(content[:200])}”, id {source.ids[row]:,}, {counted(len(content), 'byte')}",
        KINDS[source.kinds[row]].description,
    ]
    sentences = (answer.found.sentence(row, reason) for reason in answer.found.reasons(row))
    return "\n".join([*lines, *(f"{sentence}." for sentence in sentences)])
