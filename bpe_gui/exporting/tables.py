"""Tables as they leave the program: merges, and what the window's tables hold."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from html import escape
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from bpe_gui.analysis.branches import Branch, decided_text
from bpe_gui.analysis.compare_runs import FROM_START, MISSING, Lockstep, lockstep
from bpe_gui.analysis.visible import visible
from bpe_gui.bpe.history import NO_TOKEN, History

if TYPE_CHECKING:
    from bpe_gui.analysis.boundaries import BlockedPairs
    from bpe_gui.analysis.derivation import WordDerivation
    from bpe_gui.analysis.segmented_corpus import SegmentedCorpus
    from bpe_gui.analysis.superwords import SuperwordToken

# -- Cells and lines ----------------------------------------------------------------------------
#
# A spreadsheet takes a cell that begins with ``=``, ``+``, ``-`` or ``@`` for a formula, and runs
# it. Tokens and names of files may begin so. Such a text gets an apostrophe in front, unless it is
# a number; one that has apostrophes before such a character already gets one more, so that
# a reader knows which to take away. Numbers are written as they are, None is an empty cell.

Cell = object
"""What is in a table: numbers, texts, truth values, or None where there is nothing."""

_GUARD = "'"
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
_LINES_AT_ONCE = 1000
_BOTH_ENDS = "\r\n"


def comma_separated(lines: Iterable[Sequence[Cell]]) -> str:
    r"""Write rows as CSV, cells quoted where needed.

    >>> comma_separated([["token", "count"], ["=a,b", 12], [None, -1.5]])
    'token,count\n"\'=a,b",12\n,-1.5\n'
    """
    return "".join(csv_parts(lines))


def csv_parts(lines: Iterable[Sequence[Cell]]) -> Iterator[str]:
    """Write rows as CSV piece by piece, for tables that are made meanwhile."""
    out = io.StringIO()
    # It puts cells in quotes for what ends a line: told of both, it does so for either.
    writer = csv.writer(out, lineterminator=_BOTH_ENDS)
    waiting: list[str] = []
    for line in lines:
        writer.writerow([guarded(cell) for cell in line])
        waiting.append(out.getvalue().removesuffix(_BOTH_ENDS) + "\n")
        out.seek(0)
        out.truncate()
        if len(waiting) == _LINES_AT_ONCE:
            yield "".join(waiting)
            waiting.clear()
    yield "".join(waiting)


def tab_separated(lines: Iterable[Sequence[Cell]]) -> str:
    """Write rows as a spreadsheet takes them from the clipboard; None is an empty cell.

    White space in cells is one space.

    >>> tab_separated([["a", "b c"], [1.25, "2\\t3"]])
    'a\\tb c\\n1.25\\t2 3'
    """
    return "\n".join(
        "\t".join("" if cell is None else " ".join(str(guarded(cell)).split()) for cell in line)
        for line in lines
    )


def guarded(cell: Cell) -> Cell:
    """Keep a cell from being taken for a formula.

    >>> guarded("=1+1"), guarded("'=x"), guarded("-12"), guarded("es"), guarded(-12)
    ("'=1+1", "''=x", '-12', 'es', -12)
    """
    if isinstance(cell, str) and cell.lstrip(_GUARD).startswith(_FORMULA) and not _is_number(cell):
        return _GUARD + cell
    return cell


def _is_number(text: str) -> bool:
    """Tell whether a text is a plain number; "-inf" and "+1_0" are none that a spreadsheet
    reads.
    """
    digits = text[1:].replace(".", "", 1)
    return text[0] in "+-" and digits.isascii() and digits.isdigit()


# -- The merges of a run, for Markdown or a spreadsheet -----------------------------------------

_HEADINGS = ("rank", "left", "right", "token", "count", "id")
_NEEDS_CARE = frozenset("|`\\")
"""What ends a cell or a code span in Markdown, or might."""


class MergeRow(Struct, frozen=True):
    """One merge. `rank` counts from 1; `count` is how often the pair occurred then.

    `left`, `right` and `token` are what `History.content` gives: bytes, which need be no whole
    characters, with an end-of-word marker where there is one.
    """

    rank: int
    left: bytes
    right: bytes
    token: bytes
    count: int
    id: int


def merges_of(history: History, position: int | None = None) -> Iterator[MergeRow]:
    """List the merges before a position (default: all), the first one first.

    Tokens are spelled out one after another, and a history may be asked from any thread.
    """
    end = len(history) if position is None else position
    content = history.token_bytes
    columns = (history.left, history.right, history.new_id, history.count)
    rows = zip(*(column[:end].tolist() for column in columns), strict=True)
    for rank, (left, right, new, count) in enumerate(rows, 1):
        sides = content(left), content(right), content(new)
        yield MergeRow(rank, *sides, count, history.own_id(new))


def merges_as_csv(merges: Iterable[MergeRow]) -> Iterator[str]:
    """Write merges as CSV, piece by piece: the columns of the table, and the token in hex.

    Tokens are written as `bpe.visible` shows them, so no cell has a line end in it; what looks
    like a formula is guarded as `tables` says. The bytes are exact.
    """
    yield from csv_parts([[*_HEADINGS, "bytes"]])
    yield from csv_parts(
        [
            merge.rank,
            visible(merge.left),
            visible(merge.right),
            visible(merge.token),
            merge.count,
            merge.id,
            merge.token.hex(" "),
        ]
        for merge in merges
    )


def merges_as_markdown(merges: Iterable[MergeRow]) -> Iterator[str]:
    """Write merges as a table in Markdown, line by line, with numbers to the right."""
    yield f"| {' | '.join(_HEADINGS)} |\n"
    yield "| ---: | :--- | :--- | :--- | ---: | ---: |\n"
    for merge in merges:
        tokens = map(in_markdown, (merge.left, merge.right, merge.token))
        yield f"| {merge.rank} | {' | '.join(tokens)} | {merge.count} | {merge.id} |\n"


def in_markdown(token: bytes) -> str:
    """Write a token as code in a cell of a table, in every dialect of Markdown.

    >>> in_markdown(b" the"), in_markdown(b"a|b")
    ('`␣the`', '<code>a&#124;b</code>')
    """
    shown = visible(token)
    if not _NEEDS_CARE & set(shown):
        return f"`{shown}`" if shown else ""
    safe = escape(shown, quote=False)
    for character in sorted(_NEEDS_CARE | set("*_[]~")):
        safe = safe.replace(character, f"&#{ord(character)};")
    return f"<code>{safe}</code>"


# -- What the tables of the window hold, headings first -----------------------------------------
#
# Each is made from what nobody changes any more (a history only grows), so that a thread can
# write while the window goes on. Tokens are as `bpe.visible` shows them, whole; numbers are
# unrounded, None is an empty cell.

Lines = Iterator[Sequence[object]]

_WORDS_AT_ONCE = 5000
_BOUNDARY = "▏"


def pair_lines(history: History, position: int) -> Lines:
    """List the most frequent pairs at a position, the next merge first."""
    yield ["left", "right", "count", "left id", "right id"]
    top = history.top(position)
    for left, right, count in zip(top.left.tolist(), top.right.tolist(), top.count, strict=True):
        names = visible(history.token_bytes(left)), visible(history.token_bytes(right))
        yield [*names, int(count), history.own_id(left), history.own_id(right)]


def vocabulary_lines(
    history: History, ids: Sequence[int], counts_now: Sequence[int | None]
) -> Lines:
    """List tokens by their ids: the bytes without markers, and the merge that made each.

    counts_now: how often each of them occurs in the corpus at the position; None where nobody
    knows.
    """
    yield ["id", "token", "bytes", "count", "count now", "left", "right", "merge"]
    for token, now in zip(ids, counts_now, strict=True):
        content, text = history.token_bytes(token), history.bytes_in_text(token)
        begun = [history.own_id(token), visible(content), text.hex(" ")]
        step, parents = history.step(token), history.parents(token)
        if parents is None:
            yield [*begun, None, now, None, None, None]
            continue
        left, right = (visible(history.token_bytes(parent)) for parent in parents)
        yield [*begun, int(history.count[step]), now, left, right, step + 1]


def word_lines(corpus: SegmentedCorpus, position: int, words: NDArray[np.int64]) -> Lines:
    """List words of a corpus by their indexes, with their tokens."""
    yield ["word", "count", "tokens", "token count", "ids"]
    history, counted = corpus.history, corpus.words

    @cache
    def name(token: int) -> str:
        return "?" if token == NO_TOKEN else visible(history.token_bytes(token))

    for begin in range(0, len(words), _WORDS_AT_ONCE):
        part = words[begin : begin + _WORDS_AT_ONCE]
        order = np.argsort(part, kind="stable")
        cut = corpus.segmented(position, part[order])
        borders = np.searchsorted(cut.word_of, np.arange(len(part) + 1))
        place_of = np.empty(len(part), np.int64)
        place_of[order] = np.arange(len(part))
        for word, place in zip(part.tolist(), place_of.tolist(), strict=True):
            ids = cut.ids[borders[place] : borders[place + 1]].tolist()
            start, end = (int(edge) for edge in counted.starts[word : word + 2])
            text = visible(counted.text[start:end].tobytes())
            written = " ".join(map(str, ids))
            yield [text, counted.count(word), " ".join(map(name, ids)), len(ids), written]


def derivation_lines(derivation: WordDerivation, position: int) -> Lines:
    """List the merges that tokenize a word, in the order in which they are applied.

    `done` tells which of them are at the position; the tokens are those after each merge.
    """
    yield ["step", "merge", "left", "right", "tokens", "ids", "done"]
    history, done = derivation.history, derivation.rows(position)
    for row in range(len(derivation.steps) + 1):
        first, ids = derivation.tokens(row)
        places = zip(ids.tolist(), first.tolist(), strict=True)
        tokens = " ".join(visible(derivation.content(token, place)) for token, place in places)
        after = [tokens, " ".join(map(str, ids.tolist())), "yes" if row <= done else "no"]
        if row == 0:
            yield [None, None, None, None, *after]
            continue
        step = int(derivation.steps[row - 1])
        pair = (int(history.left[step]), int(history.right[step]))
        left, right = (visible(history.token_bytes(token)) for token in pair)
        yield [row, step + 1, left, right, *after]


def branch_lines(branches: Sequence[Branch]) -> Lines:
    """List branches of a run, with what was decided in each."""
    yield ["branch", "merges", "corpus bytes", "tokens", "bytes/token", "stopped", "decided"]
    for branch in branches:
        history = branch.history
        merges = len(history)
        tokens = int(history.tokens[merges])
        decided = "; ".join(decided_text(history, one) for one in history.interventions)
        yield [
            branch.name,
            merges,
            history.corpus_bytes,
            tokens,
            history.corpus_bytes / max(1, tokens),
            None if history.stopped is None else str(history.stopped),
            decided or None,
        ]


def blocked_pair_lines(found: BlockedPairs, history: History) -> Lines:
    """List the pairs that a split blocks."""
    yield ["left", "right", "across boundaries", "within words", "rank", "tied", "ahead of merge"]
    for pair in found.pairs:
        yield [
            visible(history.token_bytes(pair.left)),
            visible(history.token_bytes(pair.right)),
            pair.across,
            pair.within,
            pair.rank,
            pair.tied,
            None if pair.ahead_of is None else pair.ahead_of + 1,
        ]


def superword_lines(tokens: Sequence[SuperwordToken]) -> Lines:
    """List the tokens across split boundaries that training without them learns."""
    yield ["merge", "token", "pair count", "times", "across boundaries", "for example"]
    for token in tokens:
        yield [
            token.step + 1,
            f" {_BOUNDARY} ".join(map(visible, token.parts)),
            token.pair_count,
            token.occurrences,
            token.across,
            visible(token.before + token.content + token.after),
        ]


def lockstep_lines(found: Lockstep, names: Sequence[str]) -> Lines:
    """List the tokens of runs side by side: by which merge each run learned them.

    Those come first that the first run learnt first, then what only the others have. A token
    that is there from the start of all is left out.
    """
    yield ["token", "bytes", *(f"merge of {name}" for name in names)]
    seen = np.zeros(found.steps.shape[1], np.bool_)
    for run, history in enumerate(found.histories):
        for merge, content in enumerate(found.contents[run].tolist()):
            if seen[content]:
                continue
            seen[content] = True
            token = history.token_bytes(int(history.new_id[merge]))
            steps = found.steps[:, content].tolist()
            yield [visible(token), token.hex(" "), *map(_merge_of, steps)]


def side_by_side_lines(histories: Sequence[History], names: Sequence[str]) -> Lines:
    """Set runs side by side, and list their tokens."""
    yield from lockstep_lines(lockstep(histories), names)


def _merge_of(step: int) -> int | str | None:
    if step == MISSING:
        return None
    return "from the start" if step == FROM_START else step + 1
