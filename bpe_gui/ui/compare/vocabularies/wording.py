"""Texts about the vocabularies of lanes."""

from __future__ import annotations

from bpe_gui.analysis.visible import bytes_text, visible, visible_beginning
from bpe_gui.encodings.base import Model
from bpe_gui.encodings.vocabularies.overlap import share_text
from bpe_gui.encodings.vocabularies.query import Answer, Column
from bpe_gui.encodings.vocabularies.token_facts import CORPUS_SIZE, CorpusPlaces, TokenFacts
from bpe_gui.encodings.vocabularies.vocabulary import KINDS, Vocabulary
from bpe_gui.progress import counted, size_text, times
from bpe_gui.ui.tokens.token_words import merge_name

TEXT = "the text"
NO_LANES = "Add an encoding to see its vocabulary."
NO_MATCH = "No token matches."
PLACEHOLDER = "Search: text, id or bytes"
SEARCH_TIP = "Find tokens by their text, their id (220), or their bytes in hex (E2 80)"
FILTER_TIP = "Show only tokens of a kind, script or length, shared or suspicious ones"
MATRIX = "Shared tokens of each two encodings"
LEGEND = (
    "How much two vocabularies share: tokens in both, divided by tokens in either. The diagonal "
    "counts tokens with different bytes."
)
FACTS = "Lengths, scripts and kinds"
LIST_THESE = "A click lists them; another one lists all"
GATHERING = "Reading the token…"
PLACES_IN_TEXT = "Places in the text"
PLACES_IN_CORPUS = "Places in the corpus"
NO_LIFE = "Only tokens that a merge made have a life."
LIFE_IN_EXPLORE = (
    "A life is counted in a corpus. Choose “Open in Explore” for this encoding in the table of "
    "numbers; then “The selected token” shows it."
)
VARIANTS = "The same form:"
NEIGHBOURS = "Used about as often:"
HEADINGS = {
    Column.ID: "id",
    Column.TOKEN: "token",
    Column.BYTES: "bytes",
    Column.KIND: "kind",
    Column.SCRIPTS: "script",
    Column.USES: "in text",
    Column.OTHER_ID: "in the other",
    Column.WHY: "suspicious",
}
TIPS = {
    Column.ID: "The id of the token",
    Column.TOKEN: "The token, with marks for spaces, newlines and parts of characters",
    Column.BYTES: "How many bytes the token has",
    Column.KIND: "What the token is: word, piece, space-initial, digits, code, byte or special",
    Column.SCRIPTS: "The scripts of its letters",
    Column.USES: "How often the compared text, or the measured corpus, has the token",
    Column.OTHER_ID: "The id of the same bytes in the other encoding, or the tokens that it writes",
    Column.WHY: "Why the token is suspicious",
}


def reading(done: int, total: int) -> str:
    """Say how many vocabularies have been read.

    >>> reading(0, 1), reading(2, 12)
    ('Reading the vocabulary…', 'Reading the vocabularies: 2 of 12…')
    """
    if total == 1:
        return "Reading the vocabulary…"
    return f"Reading the vocabularies: {done} of {total}…"


def parts(one: str, other: str) -> tuple[str, str, str]:
    """Name the lists of tokens of two encodings, in the order of `Part`."""
    return "in both", f"only in {one}", f"only in {other}"


def about(answer: Answer) -> str:
    """Say which tokens are listed, and how much two vocabularies share."""
    shown, size = len(answer.rows), len(answer.source)
    if answer.overlap is None:
        of = "" if shown == size else f"{shown:,} of "
        uses = "" if answer.found.text == TEXT else f", uses in {answer.found.text}"
        return f"{answer.source.name}: {of}{counted(size, 'token')}{uses}"
    said = f"Jaccard {share_text(answer.overlap.shares.jaccard)}"
    if answer.need is not None and answer.need.merges is not None and answer.target is not None:
        merges = counted(answer.need.merges, "merge")
        said += f"; {answer.target.name} needs at most {merges} for all of these"
    elif answer.by_use is not None:
        said += f", by use in {answer.found.text} {share_text(answer.by_use)}"
    return f"{said}; {shown:,} listed" if shown < answer.overlap.sizes[answer.query.part] else said


def facts(found: TokenFacts, corpus: CorpusPlaces | None = None) -> str:
    """Say what a token is, in a line. corpus: what was found in it, if the text has no place."""
    vocabulary, row = found.found.vocabulary, found.row
    said = [f"id {found.token:,}", bytes_text(found.content, 12), kind_of(vocabulary, row)]
    said += vocabulary.properties.script_names(row)
    if found.merge is not None:
        said.append(merge_name(found.merge.rank))
    if found.rank is None:
        said.append(_nowhere(corpus))
    else:
        said.append(f"{times(found.uses)} in the text, rank {found.rank:,} of {found.used:,}")
    return " · ".join(said)


def _nowhere(corpus: CorpusPlaces | None) -> str:
    if corpus is None or corpus.places:
        return "not in the text"
    if corpus.is_whole:
        return "neither in the text nor in the corpus"
    return f"neither in the text nor in the first {size_text(CORPUS_SIZE)} of the corpus"


def ids(found: TokenFacts) -> str:
    """Name the ids of the same bytes in other encodings, or how they write them."""
    has = [f"{one.token:,} in {one.name}" for one in found.others if one.token is not None]
    said = [f"id {', '.join(has)}"] if has else []
    for one in found.others:
        if one.token is None:
            parts = " + ".join(f"“{visible_beginning(part) or '?'}”" for part in one.parts)
            said.append(f"not in {one.name}{', which writes ' * bool(parts)}{parts}")
    return "; ".join(said)


def no_tree(found: TokenFacts) -> str:
    """Say why a token has no merges behind it."""
    encoding = found.encoding
    if encoding.model is Model.BPE:
        return "No merge made this token."
    return f"{encoding.name} finds its tokens by {encoding.model}, without merges."


def node_tip(found: TokenFacts, node: int) -> str:
    """Tell all about a node of a tree."""
    assert found.tree is not None
    token, step = found.tree.tokens[node], found.tree.steps[node]
    content = found.contents[token]
    said = f"“{visible_beginning(found.marked(token))}”, id {token:,}, {bytes_text(content, 12)}"
    return said if step < 0 else f"{said}\n{merge_name(step)}"


def cell(one: str, other: str, share: float, both: int) -> str:
    """Say what a cell of the matrix stands for."""
    if one == other:
        return f"{one}: {counted(both, 'token')} of different bytes, without special ones"
    return f"{one} and {other} share {counted(both, 'token')}: Jaccard {share_text(share)}"


def cells(answer: Answer, row: int) -> tuple[str, ...]:
    """Return the texts of a row of the table, by its row in the vocabulary."""
    source, found = answer.source, answer.found
    content = source.contents[row]
    uses = answer.uses
    return (
        str(source.ids[row]),
        visible_beginning(source.marked(row)),
        str(len(content)),
        kind_of(source, row),
        " ".join(source.properties.script_names(row)) or "–",
        "–" if uses is None else f"{uses[row]:,}",
        _in_the_other(answer, row),
        ", ".join(found.telling_reasons(row)),
    )


def _in_the_other(answer: Answer, row: int) -> str:
    """Return the id of a token in the other vocabulary, or the tokens that are written there."""
    target = answer.target
    if answer.need is None or target is None:
        return "" if answer.other_ids is None else str(answer.other_ids[row])
    parts = answer.parts.get(row, [])
    rows = map(target.row_of, parts)
    return " + ".join("?" if r is None else visible_beginning(target.marked(r)) for r in rows)


def kind_of(source: Vocabulary, row: int) -> str:
    """Name the kind of a token."""
    return KINDS[source.kinds[row]].value


def tip(answer: Answer, row: int) -> str:
    """Tell all about a token in lines: its text, its bytes, and each reason for suspicion."""
    source = answer.source
    content = source.contents[row]
    lines = [
        f"“{visible(source.marked(row)[:200])}”, id {source.ids[row]:,}",
        bytes_text(content, 32),
        KINDS[source.kinds[row]].description,
    ]
    sentences = (answer.found.sentence(row, reason) for reason in answer.found.reasons(row))
    return "\n".join([*lines, *(f"{sentence}." for sentence in sentences)])
