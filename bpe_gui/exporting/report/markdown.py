"""Writes a report in Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from bpe_gui.encodings.measuring.text_numbers import TextMeasure, TextNumbers
from bpe_gui.exporting.report import wording
from bpe_gui.exporting.report.contents import Report
from bpe_gui.exporting.report.sections import sections
from bpe_gui.version import __version__

_MARKED = {
    ord(character): f"&#{ord(character)};" for character in "|`*\\<>&[]~"
} | {0x0A: " ", 0x0D: " ", 0: ""}
_EMPHASIS = re.compile(r"(?<![^\W_])_|_(?![^\W_])")
"""Underscores that are not within a word."""


def _markdown(text: str) -> str:
    r"""Write a text for a cell in every dialect of Markdown.

    >>> _markdown("a|b\n<c>"), _markdown("_a_b")
    ('a&#124;b &#60;c&#62;', '&#95;a_b')
    """
    return _EMPHASIS.sub("&#95;", text.translate(_MARKED))


def markdown_report(report: Report) -> Iterator[str]:
    """Write the report in Markdown, piece by piece."""
    yield f"# {wording.TITLE}\n\nMade by bpe-gui {__version__}.\n\n"
    yield f"## Encodings\n\nOn {_markdown(report.text)}.\n\n"
    numbered = [[title, *cells, meaning] for title, meaning, cells in wording.encoding_rows(report)]
    last = len(report.names) + 1
    yield from _markdown_table(["", *report.names, "meaning"], numbered, words={last})
    yield from (f"{_markdown(remark)}\n\n" for remark in wording.remarks(report))
    yield f"\\{wording.SHORT_NOTE}\n\n" if wording.is_short(report) else ""
    for number, numbers in enumerate(report.numbers):
        yield f"## {_markdown(wording.title(numbers))}\n\nThe best of a row is bold.\n\n"
        if number == 0:
            told = wording.INTERVALS.replace("The smaller numbers", "Numbers in brackets")
            yield f"{told}\n\n" if wording.has_intervals(report) else ""
            yield f"\\{wording.LOSSY}\n\n" if wording.is_lossy(report) else ""
        for measure in wording.measures(numbers):
            yield f"### {_markdown(wording.heading(numbers, measure))}\n\n"
            yield f"{meaning}\n\n" if (meaning := wording.meaning(numbers, measure)) else ""
            yield from _markdown_numbers(numbers, measure)
        yield from (f"{_markdown(problem)}\n\n" for problem in numbers.problems)
    yield from sections(report, _markdown_part, _markdown_matrix)


def _markdown_numbers(numbers: TextNumbers, measure: TextMeasure) -> Iterator[str]:
    rows, columns = wording.shown_rows(numbers, measure), wording.shown_columns(numbers, measure)
    of_all, of_each = wording.notes(numbers, rows)
    yield from (f"{_markdown(note)}.\n\n" for note in of_all)
    noted = any(of_each)
    names = [_markdown(numbers.encodings[column]) for column in columns]
    yield f"| {' | '.join(['text', *names, *['about the text'] * noted])} |\n"
    yield f"| :--- |{' ---: |' * len(columns)}{' :--- |' * noted}\n"
    for row, notes in zip(rows, of_each, strict=True):
        text, best = numbers.texts.texts[row], numbers.best(measure, row)
        cells = []
        for column in columns:
            number, interval = wording.written(numbers, measure, row, column)
            number = number.replace("*", "\\*")
            number = f"**{number}**" if column in best else number
            cells.append(f"{number} ({interval})" if interval else number)
        cells += [_markdown("; ".join(notes))] * noted
        yield f"| {_markdown(text.name)} | {' | '.join(cells)} |\n"
    yield "\n"


def _markdown_table(
    headings: Sequence[str], rows: Sequence[Sequence[str]], words: set[int]
) -> Iterator[str]:
    yield f"| {' | '.join(map(_markdown, headings))} |\n"
    left = [":---" if number in words or number == 0 else "---:" for number in range(len(headings))]
    yield f"| {' | '.join(left)} |\n"
    for row in rows:
        yield f"| {' | '.join(map(_markdown, row))} |\n"
    yield "\n"


def _markdown_part(
    level: int, title: str, said: str, headings: Sequence[str], rows: Sequence[Sequence[str]],
    words: set[int],
) -> Iterator[str]:  # fmt: skip
    yield f"{'#' * level} {_markdown(title)}\n\n"
    yield f"{_markdown(said)}\n\n" if said else ""
    if rows:
        yield from _markdown_table(headings, rows, words)


def _markdown_matrix(
    names: Sequence[str], rows: Sequence[Sequence[str]], shades: Sequence[Sequence[float]]
) -> Iterator[str]:
    yield from _markdown_table(["", *names], rows, words=set())
