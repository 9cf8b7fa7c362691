"""The sections of a report that are the same in each of its formats."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from bpe_gui.analysis.metric_columns import MISSING
from bpe_gui.analysis.visible import isolated, visible_quote
from bpe_gui.encodings.vocabularies.overlap import share_text
from bpe_gui.exporting.report.contents import MOST_PAIRED, Report
from bpe_gui.progress import percent, signed

Part = Callable[
    [int, str, str, Sequence[str], Sequence[Sequence[str]], set[int]], Iterator[str]
]
Matrix = Callable[
    [Sequence[str], Sequence[Sequence[str]], Sequence[Sequence[float]]], Iterator[str]
]
"""Names of columns, rows that begin with a name, and a shade from 0 to 1 for each cell."""


def sections(report: Report, part: Part, matrix: Matrix) -> Iterator[str]:
    """Write differences by cause, what vocabularies share, and suspicious tokens."""
    yield from _differences(report, part)
    if report.overlaps:
        yield from _overlaps(report, part, matrix)
    said = (
        "Tokens that a vocabulary might be better without. Unused tokens and residues are those of "
        "the text above; unused ones are left out if it has fewer tokens than the vocabulary."
    )
    yield from part(2, "Suspicious tokens", said, [], [], set())
    headings = ["reason", "tokens", "for example", "why the first"]
    for name, found in zip(report.names, report.suspicious, strict=True):
        rows = [
            [
                one.reason,
                f"{one.count:,}",
                "  ".join(token for token, _ in one.examples),
                one.examples[0][1],
            ]
            for one in found
            if one.count
        ]
        said = "" if rows else "There are none."
        yield from part(3, name, said, headings, rows, {2, 3})


def _differences(report: Report, part: Part) -> Iterator[str]:
    names = [one.name for one in report.encodings if one.metrics is not None]
    if report.causes:
        said = (
            f"On {report.text}. A difference with several causes counts for the most important "
            "one that does not point the other way. “Same count” are the differences in which both "
            "have as many tokens. “More tokens” are added up where the encoding has more than the "
            "first one, “fewer tokens” where it has fewer. The examples are the differences that "
            "add most tokens and save most."
        )
        yield from part(2, f"Differences from {names[0]}", said, [], [], set())
    headings = [
        *("cause", "differences", "same count", "more tokens", "fewer tokens"),
        *("for example", "why"),
    ]
    for name, sums in zip(names[1:], report.causes, strict=True):
        rows = [
            [
                one.title,
                f"{one.places:,}",
                f"{one.places - one.uneven:,}",
                signed(one.more_tokens),
                signed(-one.fewer_tokens),
                " ".join(f"“{isolated(visible_quote(text))}”" for text, _ in one.examples),
                " ".join(said for _, said in one.examples),
            ]
            for one in sums
        ]
        said = "" if rows else "There is no difference."
        yield from part(3, name, said, headings, rows, {5, 6})


def _overlaps(report: Report, part: Part, matrix: Matrix) -> Iterator[str]:
    jaccard = "The Jaccard index divides the tokens that two vocabularies share by all of both."
    said = "Tokens are compared by their bytes, without special tokens."
    paired = len(report.names) <= MOST_PAIRED
    covered = (
        "“By use” is the share of the text's tokens under A that B has, too. To cover A, B needs "
        "the tokens that only A has. The number of merges for that is an upper bound: it includes "
        "merges that only lead to these tokens, and fewer may be enough. Of these tokens the text "
        "uses the examples most."
    )
    title = "Overlap of the vocabularies"
    if paired:
        said = f"{said} {jaccard} {covered}"
    else:
        yield from part(2, title, said, [], [], set())
        yield from part(3, "Jaccard index", jaccard, [], [], set())
        yield from _jaccard(report, matrix)
        lacked = "How many tokens the vocabulary of each row has that those of the columns lack."
        yield from part(3, "Tokens that the other lacks", lacked, [], [], set())
        yield from _lacking(report, matrix)
        title, said = f"{report.names[0]} and each other", covered
    headings = [
        "A", "B", "Jaccard", "by use", "shared", "only in A", "only in B",
        "merges for B to cover A, at most", "B lacks, for example",
    ]  # fmt: skip
    rows = []
    for one in report.overlaps:
        counts = [one.shares.both, one.shares.only_one, one.shares.only_other]
        rows.append(
            [
                one.one,
                one.other,
                share_text(one.shares.jaccard),
                MISSING if one.used is None else percent(one.used),
                *(f"{count:,}" for count in counts),
                MISSING if one.merges is None else f"{one.merges:,}",
                "  ".join(one.examples),
            ]
        )
    yield from part(2 if paired else 3, title, said, headings, rows, {1, 8})


def _jaccard(report: Report, matrix: Matrix) -> Iterator[str]:
    rows, shades = [], []
    for one, name in enumerate(report.names):
        found = []
        for other, both in enumerate(report.shared[one]):
            every = report.shared[one][one] + report.shared[other][other] - both
            found.append(both / every if every else 1.0)
        cells = [MISSING if other == one else share_text(n) for other, n in enumerate(found)]
        rows.append([name, *cells])
        shades.append([0.0 if other == one else n for other, n in enumerate(found)])
    yield from matrix(report.names, rows, shades)


def _lacking(report: Report, matrix: Matrix) -> Iterator[str]:
    rows, shades = [], []
    for one, name in enumerate(report.names):
        size = report.shared[one][one]
        lacking = [size - both for both in report.shared[one]]
        cells = [MISSING if other == one else f"{n:,}" for other, n in enumerate(lacking)]
        rows.append([name, f"{size:,}", *cells])
        shades.append([0.0, *(n / size if size else 0.0 for n in lacking)])
    yield from matrix(["all tokens", *report.names], rows, shades)
