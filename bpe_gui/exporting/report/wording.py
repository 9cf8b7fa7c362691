"""What a report says in each of its formats."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bpe_gui.analysis.grouped_counts import LEVEL, RESAMPLINGS
from bpe_gui.analysis.metric_columns import COLUMNS, MISSING, SHORT
from bpe_gui.encodings.measuring.text_numbers import TextMeasure, TextNumbers
from bpe_gui.exporting.report.contents import Report
from bpe_gui.progress import listed

TITLE = "Encodings compared"

SHADING = (
    "The stronger the colour, the more tokens a text needs, or the fewer words are single tokens. "
    "The best encoding of a row is bold."
)
SHORT_NOTE = (
    f"{SHORT} Rényi efficiencies of texts with fewer tokens than the vocabulary say little."
)
LOSSY = "* The text does not round-trip; what is dropped or unknown takes few tokens."
INTERVALS = (
    f"The smaller numbers are where {LEVEL:.0%} of {RESAMPLINGS:,} results are when the lines or "
    "documents of a text are drawn anew, with replacement. Texts without them have fewer than "
    "five lines, or are no sample."
)


def heading(numbers: TextNumbers, measure: TextMeasure) -> str:
    if numbers.texts.conversation and measure.of_original:
        return _OF_TEMPLATES[measure]
    if measure is TextMeasure.RELATIVE:
        return f"Tokens, relative to {numbers.encodings[numbers.baseline]}"
    if measure is TextMeasure.PARITY and numbers.texts.parallel:
        return f"Tokens, relative to {numbers.texts.names[numbers.reference]}"
    if measure is TextMeasure.PARITY:
        return "Tokens, relative to the original text"
    return measure.value[0].upper() + measure.value[1:]


_OF_TEMPLATES = {
    TextMeasure.ADDED: "Tokens that the chat template adds",
    TextMeasure.PARITY: "Tokens with the chat template, relative to those without",
}


def meaning(numbers: TextNumbers, measure: TextMeasure) -> str:
    """Say what a measure is, if its heading does not."""
    told = numbers.texts.conversation and measure.of_original
    return "" if told else f"{measure.meaning}."


def title(numbers: TextNumbers) -> str:
    title = numbers.texts.title
    if numbers.texts.parallel and not title.startswith("the "):
        return f"Translations: {title}"
    is_file = "." in title.split(",")[0]
    return title if is_file else title[:1].upper() + title[1:]


def measures(numbers: TextNumbers) -> list[TextMeasure]:
    """List the measures that are shown: of a conversation only what tells what a template adds."""
    if not numbers.texts.conversation:
        return numbers.measures
    measures = [TextMeasure.TOKENS, TextMeasure.ADDED, TextMeasure.PARITY]
    return [measure for measure in measures if shown_columns(numbers, measure)]


def shown_rows(numbers: TextNumbers, measure: TextMeasure) -> list[int]:
    rows = range(len(numbers.texts.texts))
    if measure.of_original:
        return [row for row in rows if numbers.original(row) is not None]
    if numbers.texts.conversation:
        return [row for row in rows if numbers.original(row) is None]
    return list(rows)


def shown_columns(numbers: TextNumbers, measure: TextMeasure) -> list[int]:
    """List the encodings of which a measure has a number at all."""
    columns, rows = range(len(numbers.encodings)), shown_rows(numbers, measure)
    return [
        column
        for column in columns
        if any(numbers.value(measure, row, column) is not None for row in rows)
    ]


def notes(numbers: TextNumbers, rows: Sequence[int]) -> tuple[list[str], list[list[str]]]:
    """List what is said of all texts alike, and what of each."""
    texts = [numbers.texts.texts[row] for row in rows]
    meanings = ["" if numbers.texts.conversation else text.meaning for text in texts]
    kinds = [meanings, [text.resampled for text in texts]]
    alike = [len({*notes}) == 1 for notes in kinds]
    of_all = [
        f"{begin}{notes[0]}"
        for begin, notes, same in zip(("", "Resampled of each text: "), kinds, alike, strict=True)
        if same and notes[0] and not notes[0].endswith("not resampled")
    ]
    of_each = [
        [note for note, same in zip(notes, alike, strict=True) if note and not same]
        for notes in zip(*kinds, strict=True)
    ]
    return of_all, of_each


def written(numbers: TextNumbers, measure: TextMeasure, row: int, column: int) -> tuple[str, str]:
    """Write a number, and its interval if it has one."""
    found = numbers.estimate(measure, row, column)
    if found is None:
        return measure.written(None), ""
    mark = "*" if numbers.is_lossy(measure, row, column) else ""
    return f"{measure.written(found.value)}{mark}", measure.interval(found)


def encoding_rows(report: Report) -> Iterator[tuple[str, str, list[str]]]:
    """List the numbers of the encodings: what each is, what it means, and one for each encoding."""
    yield "model", "How it finds the tokens of a word", [one.model for one in report.encodings]
    for column in report.columns:
        cells = [
            MISSING if one.metrics is None else column.cell(one.metrics)
            for one in report.encodings
        ]
        # What the mark of a short text means is said below the table.
        yield column.title, column.meaning.partition(f". {SHORT} means")[0], cells
    lossless = [
        MISSING if one.metrics is None else one.lossless.partition(": ")[0]
        for one in report.encodings
    ]
    yield "lossless", "Whether decoding gives the text back", lossless


def remarks(report: Report) -> Iterator[str]:
    """Say what is lost of the text, what has no numbers and why, and remarks on encodings."""
    for one in report.encodings:
        if one.metrics is None:
            yield f"{one.name}: {one.lossless}"
        elif ": " in one.lossless:
            yield f"{one.name} is {one.lossless}."
    remarks: dict[str, list[str]] = {}
    for one in report.encodings:
        if one.remark:
            remarks.setdefault(one.remark, []).append(one.name)
    yield from (f"{listed(names)}: {remark}." for remark, names in remarks.items())


def is_short(report: Report) -> bool:
    measured = (one.metrics for one in report.encodings if one.metrics is not None)
    return any(SHORT in column.cell(metrics) for metrics in measured for column in COLUMNS)


def has_intervals(report: Report) -> bool:
    return any(text.is_resampled for one in report.numbers for text in one.texts.texts)


def is_lossy(report: Report) -> bool:
    return any(counts.lossy for one in report.numbers for row in one.counts for counts in row)
