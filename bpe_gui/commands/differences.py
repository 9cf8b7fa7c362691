"""`bpe-gui compare --differences`: where encodings differ, with all causes."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any

import msgspec
from msgspec import Struct

from bpe_gui.analysis.visible import isolated, visible, visible_quote
from bpe_gui.arguments import CommandError
from bpe_gui.bpe.history import NO_TOKEN
from bpe_gui.bpe.kernels.jit import interpreting_unless_ready
from bpe_gui.bpe.kernels.kernel_cache import Kernels
from bpe_gui.bpe.utf8 import characters_of_bytes
from bpe_gui.commands.streams import check_no_overwriting, text_blocks, whole_text, write
from bpe_gui.commands.streams import visible as escaped
from bpe_gui.commands.tokenizers import legend, open_encodings
from bpe_gui.encodings import parallel_texts
from bpe_gui.encodings.differences.alignment import Alignment, CachedEncoder, Cut, align
from bpe_gui.encodings.differences.cause_sums import explained_kinds, sum_causes
from bpe_gui.encodings.differences.causes import NotExplained, sentence
from bpe_gui.encodings.differences.explained import ExplainedDifferences, LaneCause
from bpe_gui.encodings.differences.find_causes import counted_place
from bpe_gui.encodings.differences.kinds import kinds_of
from bpe_gui.encodings.measuring.long_texts import encode_long
from bpe_gui.encodings.short_names import short_names
from bpe_gui.exporting.tables import comma_separated
from bpe_gui.exporting.terminal_text import wrapped
from bpe_gui.files import check_writable
from bpe_gui.progress import counted, in_some, more, more_and_fewer, terminal_bars, times

_MOST_KINDS = 20
"""Kinds of differences that the table lists for each encoding, in two lines each."""


class _CauseRow(Struct, frozen=True, eq=False, dict=True):
    """Hold a cause of a difference between an encoding and the first, without its place.

    text: the text of the difference; with its bytes in hex if it begins or ends within a character.
    cause: the kind of the cause. more_tokens: how many more tokens the encoding has there than the
        first. counted: whether they are counted for this cause; see `counted_cause`.
    tokens, ids: of the encoding there; first_tokens, first_ids: of the first encoding. Tokens are
        written as their vocabulary has them.
    """

    text: str
    encoding: str
    cause: str
    sentence: str
    more_tokens: int
    counted: bool
    tokens: tuple[str, ...]
    ids: tuple[int | None, ...]
    first_tokens: tuple[str, ...]
    first_ids: tuple[int | None, ...]

    @cached_property
    def cells(self) -> tuple[str, str]:
        """Write the cells before and behind the place of the difference as CSV."""
        row = [_cell(getattr(self, name)) for name in self.__struct_fields__]
        parts = row[:_BEFORE_PLACE], row[_BEFORE_PLACE:]
        before, behind = (comma_separated([part]) for part in parts)
        return before.removesuffix("\n"), behind.removesuffix("\n")


_BEFORE_PLACE = 4
"""Columns of `_CauseRow` that are before the place of the difference in a table."""
_HEADINGS = (
    *("difference", "character", "text", "encoding", "cause", "sentence", "start", "end"),
    *("more_tokens", "counted", "tokens", "ids", "first_tokens", "first_ids"),
)
_LINES_AT_ONCE = 1000
_MOST_KNOWN = 20_000


class _Difference(Struct, frozen=True):
    """Hold a difference and its causes, those of most weight first.

    number, character: the number of the difference and where it begins, from 1.
    start, end: the bytes of the difference, from 0.
    """

    number: int
    character: int
    start: int
    end: int
    causes: list[_CauseRow]


def list_differences(
    tokenizers: Sequence[str],
    specials: Sequence[str],
    file: str | None,
    output_format: str,
    output: str = "-",
) -> None:
    """Write where encodings differ from the first on a file, or on the built-in story, and why.

    output: a file to write CSV to; - is standard output, in the given format. The table has sums
        and the costliest kinds, the other formats have each difference.
    Raises CommandError for fewer than two encodings, and for a text that is too long to be held.
    """
    if len(tokenizers) < 2:
        raise CommandError("--differences takes two encodings or more; name another")
    if output != "-":
        check_no_overwriting([output], [*tokenizers, file])
        check_writable(output)
    encodings = open_encodings(tokenizers, specials)
    text = parallel_texts.joined().text if file is None else whole_text(text_blocks(file), file)
    with interpreting_unless_ready(Kernels.ALL), terminal_bars() as tell:
        cuts = [encode_long(CachedEncoder(encoding), text) for encoding in encodings]

        def progress(done: int, total: int) -> None:
            tell(done, total, "explaining")

        if output == "-" and output_format == "table":
            lines = list(_lines(text, cuts, tokenizers, progress))
        else:
            rows = _rows(align(text, cuts), tokenizers, progress)
            if output != "-":
                write(output, _csv(rows))  # as they are found: all together may take gigabytes
                return
            lines = list(_json(rows) if output_format == "json" else _csv(rows))
    write(output, lines)


def _rows(
    alignment: Alignment,
    tokenizers: Sequence[str],
    progress: Callable[[int, int], object],
) -> Iterator[_Difference]:
    """Yield all differences with their causes, in the order of the text."""
    characters = characters_of_bytes(alignment.data)[alignment.starts] + 1
    kinds = kinds_of(alignment).of_difference
    columns = (it.tolist() for it in (kinds, characters, alignment.starts, alignment.ends))
    known: dict[tuple[int, tuple[LaneCause, ...]], list[_CauseRow]] = {}
    explained = ExplainedDifferences(
        alignment, short_names(tokenizers), lambda: progress(0, len(kinds))
    )
    for number, (kind, character, start, end) in enumerate(zip(*columns, strict=True)):
        progress(number + 1, len(kinds))
        causes = explained.causes(number)
        if (rows := known.get((kind, causes))) is None:
            if len(known) >= _MOST_KNOWN:
                known.clear()
            rows = known[kind, causes] = _cause_rows(alignment, number, causes, tokenizers)
        yield _Difference(number + 1, character, start, end, rows)


def _cause_rows(
    alignment: Alignment, number: int, causes: Sequence[LaneCause], tokenizers: Sequence[str]
) -> list[_CauseRow]:
    """Describe the causes of a difference."""
    start, end = int(alignment.starts[number]), int(alignment.ends[number])
    content = alignment.data[start:end]
    whole = content.decode("utf-8", "replace")
    text = whole if whole.encode() == content else visible(content)
    first, *others = (_tokens(cut, start, end) for cut in alignment.cuts)
    of_lanes: dict[int, list[LaneCause]] = {}
    for it in causes:
        of_lanes.setdefault(it.lane, []).append(it)
    rows = []
    for it in causes:
        own, alike = others[it.lane - 1], of_lanes[it.lane]
        more_tokens = len(own[1]) - len(first[1])
        counted = alike[counted_place([one.effect for one in alike], more_tokens)]
        cause = tokenizers[it.lane], it.title, it.sentence
        rows.append(_CauseRow(text, *cause, more_tokens, it is counted, *own, *first))
    return rows


_Tokens = tuple[tuple[str, ...], tuple[int | None, ...]]
"""Tokens as the vocabulary writes them, and their ids."""


def _tokens(cut: Cut, start: int, end: int) -> _Tokens:
    """Return the tokens between two borders as the vocabulary writes them, and their ids.

    Text without a token is written itself, with None.
    """
    tokens, ids = [], []
    for place in cut.within(start, end).tolist():
        token = int(cut.tokens.ids[place])
        if token == NO_TOKEN:
            first, after = int(cut.tokens.char_starts[place]), int(cut.tokens.char_ends[place])
            tokens.append(cut.text[first:after])
        else:
            tokens.append(cut.encoding.id_to_token(token))
        ids.append(None if token == NO_TOKEN else token)
    return tuple(tokens), tuple(ids)


def _lines(
    text: str,
    cuts: Sequence[Cut],
    tokenizers: Sequence[str],
    progress: Callable[[int, int], object],
) -> Iterator[str]:
    """Format for reading: for each encoding but the first sums by cause, then the costliest kinds.

    A difference counts for one of its causes; see `counted_cause`.
    """
    names = short_names(tokenizers)
    some = False
    for cut, name in zip(cuts[1:], names[1:], strict=True):
        both = names[0], name
        kinds = list(explained_kinds(align(text, [cuts[0], cut]), progress))
        if not kinds:
            yield "no difference\n" if len(cuts) == 2 else f"{name}: no difference\n"
            continue
        some = True
        for one in sum_causes(kinds, both):
            yield (
                f"{name}, {one.title}: {counted(one.places, 'difference')}, "
                f"{more_and_fewer(one.more_tokens, one.fewer_tokens, 'token')}"
                f"{in_some(one.uneven, one.places)}\n"
            )
        if isinstance(kinds[-1].cause, NotExplained):
            yield wrapped(f"  {sentence(kinds[-1].cause, both)}")
        listed = min(len(kinds), _MOST_KINDS)
        many = counted(len(kinds), "kind")
        yield f"\n{many} of differences from {names[0]}, by their tokens:\n"
        for kind in kinds[:listed]:
            shown = isolated(visible_quote(kind.content))
            yield f"{times(kind.places):>12}  {more(kind.more_tokens, 'token'):>15}  “{shown}”\n"
            yield wrapped(f"    {kind.cause.title}: {sentence(kind.cause, both)}")
        if listed < len(kinds):
            yield f"  ... and {counted(len(kinds) - listed, 'more kind')}\n"
        yield "\n"
    if some:
        yield "--differences FILE.csv lists every difference, with all its causes.\n"
        yield from legend(tokenizers)


def _csv(differences: Iterable[_Difference]) -> Iterator[str]:
    """Format as CSV, with spaces between tokens, whose own spaces are written `\\x20`."""
    waiting = [comma_separated([_HEADINGS])]
    for it in differences:
        for cause in it.causes:
            before, behind = cause.cells
            waiting.append(
                f"{it.number},{it.character},{before},{it.start},{it.end},{behind}\n"
            )
        if len(waiting) >= _LINES_AT_ONCE:
            yield "".join(waiting)
            waiting.clear()
    yield "".join(waiting)


def _cell(value: Any) -> Any:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if not isinstance(value, tuple):
        return value
    return " ".join("-" if one is None else escaped(str(one)) for one in value)


def _json(differences: Iterable[_Difference]) -> Iterator[str]:
    rows = []
    for it in differences:
        place = msgspec.to_builtins(it)
        for cause in place.pop("causes"):
            values = {"difference": it.number, **place, **cause}
            rows.append({name: values[name] for name in _HEADINGS})
    yield json.dumps(rows, ensure_ascii=False, indent=2) + "\n"
