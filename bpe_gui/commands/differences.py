"""`bpe-gui compare --differences`: where encodings differ, with all causes."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, astuple, dataclass, fields, replace
from functools import partial
from typing import Any

from bpe_gui.analysis.visible import isolated, visible, visible_beginning
from bpe_gui.arguments import CommandError
from bpe_gui.bpe.history import NO_TOKEN
from bpe_gui.bpe.kernels.jit import interpreting_unless_ready
from bpe_gui.bpe.kernels.kernel_cache import Kernels
from bpe_gui.bpe.utf8 import characters_of_bytes
from bpe_gui.commands.streams import text_blocks, whole_text, write
from bpe_gui.commands.streams import visible as escaped
from bpe_gui.commands.tokenizers import open_encodings
from bpe_gui.encodings import parallel_texts
from bpe_gui.encodings.alignment import Alignment, CachedEncoder, Cut, align
from bpe_gui.encodings.causes import sentence
from bpe_gui.encodings.difference_kinds import kinds_of
from bpe_gui.encodings.differences import by_weight, groups, has_causes_within
from bpe_gui.exporting.tables import csv_parts
from bpe_gui.progress import counted


@dataclass(frozen=True, slots=True)
class _Row:
    """Hold a cause of a difference between an encoding and the first.

    difference, character: the number of the difference and where it begins, from 1.
    text: the text of the difference; with its bytes in hex if it begins or ends within a character.
    cause: the kind of the cause. start, end: the bytes of the difference, from 0.
    tokens, ids: of the encoding there; first_tokens, first_ids: of the first encoding. Tokens are
        written as their vocabulary has them.
    more_tokens: how many more tokens the encoding has there than the first.
    """

    difference: int
    character: int
    text: str
    encoding: str
    cause: str
    sentence: str
    start: int
    end: int
    more_tokens: int
    tokens: tuple[str, ...]
    ids: tuple[int | None, ...]
    first_tokens: tuple[str, ...]
    first_ids: tuple[int | None, ...]


def list_differences(
    tokenizers: Sequence[str],
    specials: Sequence[str],
    file: str | None,
    output_format: str,
    output: str = "-",
) -> None:
    """Write where encodings differ from the first on a file, or on the built-in story, and why.

    output: a file to write CSV to; - is standard output, in the given format.
    Raises CommandError for fewer than two encodings, and for a text that is too long to be held.
    """
    if len(tokenizers) < 2:
        raise CommandError("--differences takes two encodings or more; name another")
    encodings = open_encodings(tokenizers, specials)
    text = parallel_texts.joined().text if file is None else whole_text(text_blocks(file), file)
    with interpreting_unless_ready(Kernels.ALL):
        alignment = align(text, [CachedEncoder(encoding).encode(text) for encoding in encodings])
        rows = _rows(alignment, tokenizers)
        writers: dict[str, Callable[[Iterator[_Row]], Iterator[str]]]
        writers = {"table": partial(_lines, alignment.data), "csv": _csv, "json": _json}
        write(output, list(writers["csv" if output != "-" else output_format](rows)))


def _rows(alignment: Alignment, names: Sequence[str]) -> Iterator[_Row]:
    """Yield all causes, in the order of the text, those of a difference by importance.

    Differences of a kind are explained once, if nothing around them is a part of the causes.
    """
    characters = characters_of_bytes(alignment.data)
    kinds = kinds_of(alignment).of_difference.tolist()
    known: dict[int, list[_Row]] = {}
    for number, kind in enumerate(kinds):
        rows = known.get(kind)
        if rows is None:
            rows = _explained(alignment, number, names)
            if has_causes_within(alignment, number, 0):
                known[kind] = rows
        start, end = int(alignment.starts[number]), int(alignment.ends[number])
        character = int(characters[start]) + 1
        for row in rows:
            yield replace(
                row, difference=number + 1, character=character, start=start, end=end
            )


def _explained(alignment: Alignment, number: int, names: Sequence[str]) -> list[_Row]:
    """Explain a difference: a row for each cause."""
    start, end = int(alignment.starts[number]), int(alignment.ends[number])
    content = alignment.data[start:end]
    whole = content.decode("utf-8", "replace")
    text = whole if whole.encode() == content else visible(content)
    tokens = [_tokens(cut, start, end) for cut in alignment.cuts]
    rows = []
    for reason in by_weight(groups(alignment, number, 0)):
        for lane, cause in zip(reason.lanes, reason.causes, strict=True):
            described = names[lane], cause.title, sentence(cause, names)
            place = start, end, len(tokens[lane][1]) - len(tokens[0][1])
            rows.append(_Row(number + 1, 0, text, *described, *place, *tokens[lane], *tokens[0]))
    return rows


def _tokens(cut: Cut, start: int, end: int) -> tuple[tuple[str, ...], tuple[int | None, ...]]:
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


def _lines(data: bytes, rows: Iterator[_Row]) -> Iterator[str]:
    """Format for reading: a line per difference, then one for each of its causes; in the end sums.

    The sums are, for every encoding, of differences by their most important cause.
    """
    last = 0
    places: Counter[tuple[str, str]] = Counter()
    more: Counter[tuple[str, str]] = Counter()
    counted_for: set[tuple[int, str]] = set()
    for row in rows:
        if (row.difference, row.encoding) not in counted_for:
            counted_for.add((row.difference, row.encoding))
            places[row.encoding, row.cause] += 1
            more[row.encoding, row.cause] += row.more_tokens
        if row.difference != last:
            last = row.difference
            text = isolated(visible_beginning(data[row.start : row.end]))
            yield f"difference {last:,}, at character {row.character:,}: “{text}”\n"
        yield f"  {row.cause}: {row.sentence}\n"
    if not last:
        yield "no difference\n"
    for (encoding, cause), number in sorted(places.most_common(), key=lambda it: it[0][0]):
        yield (
            f"{encoding}, {cause}: {counted(number, 'difference')}, "
            f"{more[encoding, cause]:+,} tokens\n"
        )


def _csv(rows: Iterator[_Row]) -> Iterator[str]:
    """Format as CSV, with spaces between tokens, whose own spaces are written `\\x20`."""
    header = [field.name for field in fields(_Row)]
    return csv_parts([header, *([*map(_cell, astuple(row))] for row in rows)])


def _cell(value: Any) -> Any:
    if not isinstance(value, tuple):
        return value
    return " ".join("-" if one is None else escaped(str(one)) for one in value)


def _json(rows: Iterator[_Row]) -> Iterator[str]:
    yield json.dumps([asdict(row) for row in rows], ensure_ascii=False, indent=2) + "\n"
