"""`bpe-gui compare --texts`, `--parallel`, `--probes`, `--report`: several texts, one by one."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path

from msgspec.structs import replace

from bpe_gui.analysis.metric_columns import Column, Number
from bpe_gui.analysis.metrics import Counts
from bpe_gui.analysis.own_columns import OwnNumbers
from bpe_gui.arguments import CommandError
from bpe_gui.bpe.corpus import CorpusError, CorpusOptions
from bpe_gui.bpe.errors import shown
from bpe_gui.bpe.kernels.jit import interpreting_unless_ready
from bpe_gui.bpe.kernels.kernel_cache import Kernels
from bpe_gui.commands.compare import fitted
from bpe_gui.commands.streams import (
    check_no_overwriting,
    named,
    text_blocks,
    whole_text,
    write,
)
from bpe_gui.commands.tokenizers import check_measured, legend, open_encodings
from bpe_gui.encodings.base import Encoding
from bpe_gui.encodings.chat import read_conversation
from bpe_gui.encodings.measuring.conversations import conversation_texts, example, measure_set
from bpe_gui.encodings.measuring.probes import probes
from bpe_gui.encodings.measuring.several_texts import (
    TextCounts,
    Texts,
    measure_texts,
    read_parallel,
    read_texts,
    story,
)
from bpe_gui.encodings.measuring.text_numbers import INTERVALS, TextMeasure, TextNumbers
from bpe_gui.encodings.parallel_texts import joined
from bpe_gui.encodings.short_names import short_names
from bpe_gui.exporting.tables import csv_parts
from bpe_gui.files import check_writable
from bpe_gui.progress import terminal_bars

_LOSSY = "*"


def compare_texts(parsed: argparse.Namespace) -> None:
    """Write the numbers of encodings on several texts, as `arguments` says.

    Raises CommandError for options that do not go together or name nothing, CorpusError for texts
    that cannot be read.
    """
    if parsed.differences or (parsed.text and not parsed.report):
        raise CommandError(
            "--texts, --parallel, --probes and --report do not go with --differences, nor the "
            "first three with --text; leave some out"
        )
    if parsed.report:
        check_no_overwriting([parsed.report], [*parsed.tokenizers, *(parsed.texts or ())])
        check_writable(parsed.report)
    encodings = open_encodings(parsed.tokenizers, parsed.special)
    numbers = [measured(parsed, texts, encodings) for texts in chosen_texts(parsed)]
    if parsed.report:
        _write_report(parsed, encodings, numbers)
        return
    own, sizes = _own_numbers(parsed), [encoding.vocabulary_size for encoding in encodings]
    writers: dict[str, Callable[[list[TextNumbers]], Iterator[str]]]
    writers = {
        "table": partial(_tables, parsed.tokenizers, own, sizes),
        "csv": partial(_csv, own.columns, sizes),
        "json": partial(_json, own.columns, sizes),
    }
    if parsed.format != "table":
        numbers = [replace(one, encodings=tuple(parsed.tokenizers)) for one in numbers]
    write("-", writers[parsed.format](numbers))
    check_measured(list(dict.fromkeys(name for one in numbers for name in one.failed)))


def chosen_texts(parsed: argparse.Namespace) -> list[Texts]:
    """Read the texts that options name, one set for each option."""
    options = _options(parsed)
    found = []
    if parsed.texts:
        found.append(read_texts(parsed.texts, options))
    if parsed.parallel:
        found.append(read_parallel(parsed.parallel, options))
    if parsed.report and not (found or parsed.probes):
        found.append(story())
    if parsed.probes or (parsed.report and not (parsed.texts or parsed.parallel)):
        found.append(probes())
    if parsed.chat == "-":
        found.append(example())
    elif parsed.chat:
        found.append(conversation_texts(read_conversation(parsed.chat), Path(parsed.chat).name))
    if parsed.reference and not any(texts.parallel for texts in found):
        raise CommandError(
            "--reference is a language of --parallel or of the built-in story; leave it out"
        )
    return found


def _baseline(wanted: str, tokenizers: Sequence[str], names: Sequence[str]) -> int:
    """Find a tokenizer by its argument, or by its name in the output; returns its place."""
    for called in (tokenizers, names):
        if wanted in called:
            return called.index(wanted)
    raise CommandError(f"--baseline {shown(wanted)} is none of the tokenizers; name one of them")


def measured(
    parsed: argparse.Namespace, texts: Texts, encodings: list[Encoding]
) -> TextNumbers:
    """Measure texts under all encodings, with a bar on a terminal."""
    names = tuple(short_names(parsed.tokenizers))
    baseline = 0
    if parsed.baseline is not None:
        baseline = _baseline(parsed.baseline, parsed.tokenizers, names)
    reference = 0
    if parsed.reference and texts.parallel:
        reference = _reference(texts, parsed.reference)
    total = len(encodings) * len(texts.texts)
    rows: Iterable[Sequence[TextCounts]]
    with interpreting_unless_ready(Kernels.ALL), terminal_bars() as tell:
        if texts.conversation:
            rows = zip(
                *(
                    measure_set(encoding, texts, source)
                    for encoding, source in zip(encodings, parsed.tokenizers, strict=True)
                ),
                strict=True,
            )
        else:
            rows = measure_texts(
                encodings, texts.texts, progress=lambda done: tell(done, total, "measuring")
            )
        counts = tuple(map(tuple, rows))
    return TextNumbers(texts, names, counts, reference, baseline)


def _reference(texts: Texts, name: str) -> int:
    try:
        return texts.index_of(name)
    except CorpusError as error:
        raise CommandError(f"--reference: {error}") from None


def _write_report(
    parsed: argparse.Namespace, encodings: list[Encoding], numbers: list[TextNumbers]
) -> None:
    """Write a report, by the ending of its file."""
    from bpe_gui.exporting.report.contents import make_report
    from bpe_gui.exporting.report.writers import WRITERS

    text, name = _text_of_report(parsed, numbers)
    with interpreting_unless_ready(Kernels.ALL):
        own, names = _own_numbers(parsed).columns, short_names(parsed.tokenizers)
        report = make_report(names, encodings, text, name, numbers, own=own)
    write(parsed.report, WRITERS[Path(parsed.report).suffix.lower()](report))
    check_measured(report.failed)


def _text_of_report(parsed: argparse.Namespace, numbers: list[TextNumbers]) -> tuple[str, str]:
    """Return the text whose differences a report explains, and its name.

    Of several texts it is the beginning of each, as long as all together are explained.
    """
    from bpe_gui.exporting.report.contents import MAX_TEXT

    if parsed.text and not Path(parsed.text).is_dir():
        name = named(parsed.text) if parsed.text == "-" else Path(parsed.text).name
        return whole_text(text_blocks(parsed.text), parsed.text), name
    if parsed.text:
        texts = read_texts([parsed.text], _options(parsed)).texts
    elif parsed.texts or parsed.parallel:
        texts = numbers[0].texts.texts
    else:
        return joined().text, "the built-in story"
    share = (MAX_TEXT - (len(texts) - 1)) // len(texts)  # beside the line breaks between them
    # A character that is cut in two at the end is left out.
    beginnings = [text.data[:share].decode("utf-8", "ignore") for text in texts]
    whole = all(len(text.data) <= share for text in texts)
    name = texts[0].name if len(texts) == 1 else f"{len(texts)} texts"
    return "\n".join(beginnings), name if whole else f"the beginning of {name}"


def _options(parsed: argparse.Namespace) -> CorpusOptions:
    return CorpusOptions(encoding=parsed.encoding, replace_errors=parsed.replace_errors)


def _own_numbers(parsed: argparse.Namespace) -> OwnNumbers:
    return OwnNumbers(parsed.price, parsed.context, parsed.width)


# -- output formats --------------------------------------------------------------------------


def _tables(
    tokenizers: list[str], own: OwnNumbers, sizes: list[int], found: list[TextNumbers]
) -> Iterator[str]:
    """Format for reading: a table for each measure, a row for each text.

    The size of an embedding, which is that of the encoding for all texts, is beside its name.
    """
    of_texts, of_encodings = replace(own, width=None).columns, OwnNumbers(width=own.width).columns
    for numbers in found:
        for measure in numbers.measures:
            yield f"{_title(numbers, measure)}:\n"
            yield from _table(numbers, measure)
            yield "\n"
        for column in of_texts:
            yield f"{column.title}:\n"
            yield from _own_table(numbers, column, sizes)
            yield "\n"
    first = found[0]
    for number, (name, size) in enumerate(zip(first.encodings, sizes, strict=True), 1):
        metrics = Counts().metrics(size)
        cells = (f"; {column.title}: {column.cell(metrics)}" for column in of_encodings)
        yield f"({number}) {name}{''.join(cells)}\n"
    problems = dict.fromkeys(problem for numbers in found for problem in numbers.problems)
    yield from (f"{problem}\n" for problem in problems)
    if any(text.is_resampled for numbers in found for text in numbers.texts.texts):
        yield f"{INTERVALS}.\n"
    if any(counts.lossy for numbers in found for row in numbers.counts for counts in row):
        yield f"{_LOSSY} does not round-trip; dropped and unknown text takes few tokens\n"
    yield from legend(tokenizers)


def _title(numbers: TextNumbers, measure: TextMeasure) -> str:
    """Name a measure, and what it compares with."""
    if measure is TextMeasure.RELATIVE:
        return f"tokens, relative to ({numbers.baseline + 1})"
    if measure is not TextMeasure.PARITY:
        return measure
    parallel = numbers.texts.parallel
    name = numbers.texts.names[numbers.reference] if parallel else "the original text"
    return f"tokens, relative to {name}"


def _table(numbers: TextNumbers, measure: TextMeasure) -> Iterator[str]:
    texts, columns = numbers.texts.texts, range(len(numbers.encodings))
    rows = [["", *(f"({column + 1})" for column in columns), "resampled"]]
    for row, text in enumerate(texts):
        cells = [_cell(numbers, measure, row, column) for column in columns]
        if not measure.of_original or numbers.original(row) is not None:
            rows.append([text.name, *cells, text.resampled])
    yield from (f"{line}\n" for line in fitted(rows))


def _cell(numbers: TextNumbers, measure: TextMeasure, row: int, column: int) -> str:
    found = numbers.estimate(measure, row, column)
    if found is None:
        return f"{measure.written(None)} "
    mark = _LOSSY if numbers.is_lossy(measure, row, column) else " "
    written = f"{measure.written(found.value)}{mark}"
    interval = measure.interval(found)
    return f"{written} {interval}" if interval else written


def _own_table(numbers: TextNumbers, column: Column, sizes: list[int]) -> Iterator[str]:
    """Format a number of one's own, which has no interval."""
    rows = [["", *(f"({number})" for number in range(1, len(sizes) + 1))]]
    for text, row in zip(numbers.texts.texts, numbers.counts, strict=True):
        cells = [
            column.written(_own_value(column, counts, size)) + (_LOSSY if counts.lossy else " ")
            for counts, size in zip(row, sizes, strict=True)
        ]
        rows.append([text.name, *cells])
    yield from (f"{line}\n" for line in fitted(rows))


def _own_value(column: Column, counts: TextCounts, size: int) -> Number:
    return None if counts.problem else column.value(counts.counts.metrics(size))


def _csv(own: Sequence[Column], sizes: list[int], found: list[TextNumbers]) -> Iterator[str]:
    for place, numbers in enumerate(found):
        yield from [] if place == 0 else ["\n"]
        yield from csv_parts(_lines(numbers, own, sizes))


def _json(own: Sequence[Column], sizes: list[int], found: list[TextNumbers]) -> Iterator[str]:
    written = []
    for numbers in found:
        heading, *rows = _lines(numbers, own, sizes)
        written += [dict(zip(map(str, heading), row, strict=True)) for row in rows]
    yield json.dumps(written, ensure_ascii=False, indent=2) + "\n"


def _lines(
    numbers: TextNumbers, own: Sequence[Column], sizes: list[int]
) -> Iterator[Sequence[object]]:
    """List all numbers unrounded, headings first, with those of one's own behind them."""
    heading, *lines = numbers.lines()
    yield [*heading, *(column.title for column in own)]
    cells = [
        [_own_value(column, counts, size) for column in own]
        for row in numbers.counts
        for counts, size in zip(row, sizes, strict=True)
    ]
    yield from ([*line, *more] for line, more in zip(lines, cells, strict=True))
