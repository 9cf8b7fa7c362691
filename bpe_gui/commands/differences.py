"""`bpe-gui compare --differences`: where encodings differ, with all causes."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, astuple, dataclass, fields
from functools import partial

from bpe_gui.analysis.visible import isolated, visible, visible_beginning
from bpe_gui.arguments import CommandError
from bpe_gui.bpe.kernels.jit import interpreting_unless_ready
from bpe_gui.bpe.kernels.kernel_cache import Kernels
from bpe_gui.bpe.utf8 import characters_of_bytes
from bpe_gui.commands.streams import text_blocks, whole_text, write
from bpe_gui.commands.tokenizers import open_encodings
from bpe_gui.encodings import parallel_texts
from bpe_gui.encodings.alignment import Alignment, CachedEncoder, align
from bpe_gui.encodings.causes import sentence
from bpe_gui.encodings.differences import groups
from bpe_gui.exporting.tables import csv_parts


@dataclass(frozen=True, slots=True)
class _Row:
    """Hold a cause of a difference between an encoding and the first.

    difference, character: the number of the difference and where it begins, from 1.
    text: the text of the difference; with its bytes in hex if it begins or ends within a character.
    cause: the kind of the cause. start, end: the bytes of the difference, from 0.
    """

    difference: int
    character: int
    text: str
    encoding: str
    cause: str
    sentence: str
    start: int
    end: int


def list_differences(
    tokenizers: Sequence[str], specials: Sequence[str], file: str | None, output_format: str
) -> None:
    """Write where encodings differ from the first on a file, or on the built-in story, and why.

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
        write("-", list(writers[output_format](rows)))


def _rows(alignment: Alignment, names: Sequence[str]) -> Iterator[_Row]:
    """Yield all causes, in the order of the text, those of a difference by importance."""
    characters = characters_of_bytes(alignment.data)
    for number in range(alignment.differences):
        start, end = int(alignment.starts[number]), int(alignment.ends[number])
        character = int(characters[start]) + 1
        content = alignment.data[start:end]
        whole = content.decode("utf-8", "replace")
        text = whole if whole.encode() == content else visible(content)
        for group in groups(alignment, number, 0):
            for reason in group.reasons:
                for lane, cause in zip(reason.lanes, reason.causes, strict=True):
                    described = names[lane], cause.title, sentence(cause, names)
                    yield _Row(number + 1, character, text, *described, start, end)


def _lines(data: bytes, rows: Iterator[_Row]) -> Iterator[str]:
    """Format for reading: a line per difference, then one for each of its causes."""
    last = 0
    for row in rows:
        if row.difference != last:
            last = row.difference
            text = isolated(visible_beginning(data[row.start : row.end]))
            yield f"difference {last:,}, at character {row.character:,}: “{text}”\n"
        yield f"  {row.cause}: {row.sentence}\n"
    if not last:
        yield "no difference\n"


def _csv(rows: Iterator[_Row]) -> Iterator[str]:
    header = [field.name for field in fields(_Row)]
    return csv_parts([header, *map(astuple, rows)])


def _json(rows: Iterator[_Row]) -> Iterator[str]:
    yield json.dumps([asdict(row) for row in rows], ensure_ascii=False, indent=2) + "\n"
