"""A report on encodings, to hand on: numbers, why they differ, what they share, suspicious tokens.

`make_report` gathers what it says; `html_report` and `markdown_report` write it. The HTML is one
file without scripts or anything from the network, light or dark as its reader wishes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from itertools import islice, permutations

import numpy as np
from numpy.typing import NDArray

from bpe_gui.analysis.grouped_counts import LEVEL, RESAMPLINGS
from bpe_gui.analysis.metric_columns import COLUMNS, MISSING, SHORT, Column
from bpe_gui.analysis.metrics import Metrics, metrics_of
from bpe_gui.analysis.visible import visible_beginning, visible_quote
from bpe_gui.bpe.history import NO_TOKEN
from bpe_gui.encodings.base import Encoding, EncodingError, lock_of, remark_about, turn_of_all
from bpe_gui.encodings.differences.alignment import CachedEncoder, Cut, align
from bpe_gui.encodings.differences.cause_sums import CauseSum, explained_kinds, sum_causes
from bpe_gui.encodings.measuring.roundtrip import check_roundtrip
from bpe_gui.encodings.measuring.text_numbers import TextMeasure, TextNumbers
from bpe_gui.encodings.vocabularies.overlap import Shares, needed, overlap, share_text
from bpe_gui.encodings.vocabularies.suspicious import Reason, suspicious
from bpe_gui.encodings.vocabularies.vocabulary import Vocabulary, vocabulary_of
from bpe_gui.progress import counted, listed, percent, signed
from bpe_gui.version import __version__

MAX_TEXT = 1_000_000
"""Bytes of the text whose differences are explained; of a longer one it is the beginning."""

_EXAMPLES = 8
"""Tokens that are shown: suspicious ones for each reason, and those that a vocabulary lacks."""
_SHADES = 8
MOST_PAIRED = 3
"""Vocabularies of which every pair has a row; of more, matrices say what they share."""


@dataclass(frozen=True, slots=True)
class EncodingSummary:
    """Hold what is said of an encoding.

    metrics: None if the text cannot be tokenized, and `lossless` says why; else that says in a few
        words whether the text round-trips.
    remark: what was guessed about its file, or what is left out; "" if nothing.
    """

    name: str
    model: str
    metrics: Metrics | None
    lossless: str
    remark: str


@dataclass(frozen=True, slots=True)
class SuspiciousTokens:
    """Hold the suspicious tokens of an encoding with one reason: examples are text and why."""

    reason: Reason
    count: int
    examples: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Coverage:
    """Hold what one vocabulary has of another's tokens, by their bytes.

    one, other: the names. used: the share of the text's tokens under the first that the other has,
    too; None without a text. merges: how many merges would be enough for the other to have all
    tokens of the first; None if it does not merge. examples: tokens that it lacks, those that the
    text uses most come first.
    """

    one: str
    other: str
    shares: Shares
    used: float | None
    merges: int | None
    examples: tuple[str, ...]


@dataclass(frozen=True)
class Report:
    """Hold a report.

    text: what the text is whose numbers and differences are given.
    causes: for each encoding that tokenizes the text but the first, the sums of its differences
        from the first.
    suspicious: for each encoding.
    overlaps: for each vocabulary and each other one; of more than MOST_PAIRED, for the first and
        each other one, in both directions.
    shared: the tokens that each vocabulary shares with each, in the order of `encodings`.
    columns: the numbers of the encodings.
    """

    text: str
    encodings: tuple[EncodingSummary, ...]
    numbers: tuple[TextNumbers, ...]
    causes: tuple[tuple[CauseSum, ...], ...]
    suspicious: tuple[tuple[SuspiciousTokens, ...], ...]
    overlaps: tuple[Coverage, ...] = ()
    shared: tuple[tuple[int, ...], ...] = ()
    columns: tuple[Column, ...] = COLUMNS
    names: tuple[str, ...] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "names", tuple(one.name for one in self.encodings))

    @property
    def failed(self) -> list[str]:
        """List the encodings that do not tokenize the text, or one of those that have numbers."""
        found = [one.name for one in self.encodings if one.metrics is None]
        for numbers in self.numbers:
            found += [] if numbers.texts.conversation else numbers.failed
        return list(dict.fromkeys(found))


def beginning(text: str) -> str:
    """Return at most MAX_TEXT bytes of a text, to the end of a line or word if there is one."""
    data = text.encode("utf-8")
    if len(data) <= MAX_TEXT:
        return text
    cut = data[:MAX_TEXT].decode("utf-8", "ignore")
    end = max(cut.rfind("\n"), cut.rfind(" ")) + 1
    return cut[: end or len(cut)]


def make_report(
    names: Sequence[str],
    encodings: Sequence[Encoding],
    text: str,
    text_name: str,
    numbers: Sequence[TextNumbers],
    check: Callable[[], None] = lambda: None,
    *,
    specials_as_text: bool = False,
    own: Sequence[Column] = (),
) -> Report:
    """Gather a report on encodings by these names.

    text: what differences are explained on, at most its `beginning`. numbers: of other texts.
    own: columns besides the usual ones. check: called every now and then, and may raise to give
        up.
    """
    shown = beginning(text)
    about = f"{text_name}, {counted(len(shown), 'character')}"
    if len(shown) < len(text):
        about = f"the beginning of {about} of {len(text):,}"
    summaries, cuts, vocabularies, uses, odd = [], [], [], [], []
    for name, encoding in zip(names, encodings, strict=True):
        check()
        cut, metrics = None, None
        with lock_of(encoding).hold():
            vocabulary = vocabulary_of(encoding)
            try:
                cut = CachedEncoder(encoding).encode(shown, specials_as_text=specials_as_text)
            except EncodingError as error:
                lossless = str(error)
            else:
                size = encoding.vocabulary_size
                metrics = metrics_of(shown, cut.tokens, size, cut.unknown_tokens)
                lossless = check_roundtrip(cut).label.partition(";")[0] or "yes"
                cuts.append((name, cut))
            used = None if cut is None else _uses(vocabulary, cut)
            odd.append(_suspicious(vocabulary, used, check))
        vocabularies.append(vocabulary)
        uses.append(used)
        remark = remark_about(encoding)
        summaries.append(EncodingSummary(name, encoding.model, metrics, lossless, remark))
    return Report(
        about, tuple(summaries), tuple(numbers), tuple(_causes(shown, cuts, check)), tuple(odd),
        tuple(_coverages(names, encodings, vocabularies, uses, check)),
        _shared(vocabularies, check), (*COLUMNS, *own),
    )  # fmt: skip


def _causes(
    text: str, cuts: Sequence[tuple[str, Cut]], check: Callable[[], None]
) -> Iterator[tuple[CauseSum, ...]]:
    """Yield why the first encoding tokenizes a text otherwise than each of the others."""
    for name, cut in cuts[1:]:
        alignment = align(text, [cuts[0][1], cut])
        kinds = explained_kinds(alignment, lambda done, total: check())
        yield sum_causes(kinds, (cuts[0][0], name))


def _coverages(
    names: Sequence[str],
    encodings: Sequence[Encoding],
    vocabularies: Sequence[Vocabulary],
    uses: Sequence[NDArray[np.int64] | None],
    check: Callable[[], None],
) -> Iterator[Coverage]:
    """Yield what vocabularies need of each other; of many only the first with all others."""
    for one, other in permutations(range(len(names)), 2):
        if len(names) > MOST_PAIRED and one and other:
            continue
        check()
        with turn_of_all([encodings[one], encodings[other]]):
            found = overlap(vocabularies[one], vocabularies[other])
            need = needed(found, uses[one], check)
            counted_uses = uses[one]
            used = None if counted_uses is None else found.used_share(counted_uses)
        tokens = (visible_beginning(vocabularies[one].marked(row)) for row in need.rows.tolist())
        examples = tuple(islice(tokens, _EXAMPLES))
        yield Coverage(names[one], names[other], found.shares, used, need.merges, examples)


def _shared(
    vocabularies: Sequence[Vocabulary], check: Callable[[], None]
) -> tuple[tuple[int, ...], ...]:
    found = []
    for one in vocabularies:
        check()
        keys = one.ordinary.keys()
        found.append(tuple(len(keys & other.ordinary.keys()) for other in vocabularies))
    return tuple(found)


def _uses(vocabulary: Vocabulary, cut: Cut) -> NDArray[np.int64]:
    """Count how often a text has each token, by its row."""
    ids = cut.tokens.ids[cut.tokens.ids != NO_TOKEN]
    return np.bincount(np.searchsorted(vocabulary.ids, ids), minlength=len(vocabulary))


def _suspicious(
    vocabulary: Vocabulary, uses: NDArray[np.int64] | None, check: Callable[[], None]
) -> tuple[SuspiciousTokens, ...]:
    found = suspicious(vocabulary, uses, check=check)
    tokens = []
    # A text with fewer tokens than the vocabulary cannot have each of them.
    is_long = uses is not None and uses.sum() >= len(vocabulary)
    for reason, mask in (found.masks if is_long else found.telling).items():
        rows = np.flatnonzero(mask)
        examples = tuple(
            (visible_beginning(vocabulary.marked(row)), found.sentence(row, reason))
            for row in rows[:_EXAMPLES].tolist()
        )
        tokens.append(SuspiciousTokens(reason, len(rows), examples))
    return tuple(tokens)


# -- What both formats say ----------------------------------------------------------------------

TITLE = "Encodings compared"

_SHADING = (
    "The stronger the colour, the more tokens a text needs, or the fewer words are single tokens. "
    "The best encoding of a row is bold."
)
_SHORT = (
    f"{SHORT} Rényi efficiencies of texts with fewer tokens than the vocabulary say little."
)
_LOSSY = "* The text does not round-trip; what is dropped or unknown takes few tokens."
_INTERVALS = (
    f"The smaller numbers are where {LEVEL:.0%} of {RESAMPLINGS:,} results are when the lines or "
    "documents of a text are drawn anew, with replacement. Texts without them have fewer than "
    "five lines, or are no sample."
)


def _heading(numbers: TextNumbers, measure: TextMeasure) -> str:
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


def _meaning(numbers: TextNumbers, measure: TextMeasure) -> str:
    """Say what a measure is, if its heading does not."""
    told = numbers.texts.conversation and measure.of_original
    return "" if told else f"{measure.meaning}."


def _title(numbers: TextNumbers) -> str:
    title = numbers.texts.title
    if numbers.texts.parallel and not title.startswith("the "):
        return f"Translations: {title}"
    is_file = "." in title.split(",")[0]
    return title if is_file else title[:1].upper() + title[1:]


def _measures(numbers: TextNumbers) -> list[TextMeasure]:
    """List the measures that are shown: of a conversation only what tells what a template adds."""
    if not numbers.texts.conversation:
        return numbers.measures
    measures = [TextMeasure.TOKENS, TextMeasure.ADDED, TextMeasure.PARITY]
    return [measure for measure in measures if _shown_columns(numbers, measure)]


def _shown_rows(numbers: TextNumbers, measure: TextMeasure) -> list[int]:
    rows = range(len(numbers.texts.texts))
    if measure.of_original:
        return [row for row in rows if numbers.original(row) is not None]
    if numbers.texts.conversation:
        return [row for row in rows if numbers.original(row) is None]
    return list(rows)


def _shown_columns(numbers: TextNumbers, measure: TextMeasure) -> list[int]:
    """List the encodings of which a measure has a number at all."""
    columns, rows = range(len(numbers.encodings)), _shown_rows(numbers, measure)
    return [
        column
        for column in columns
        if any(numbers.value(measure, row, column) is not None for row in rows)
    ]


def _notes(numbers: TextNumbers, rows: Sequence[int]) -> tuple[list[str], list[list[str]]]:
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


def _written(numbers: TextNumbers, measure: TextMeasure, row: int, column: int) -> tuple[str, str]:
    """Write a number, and its interval if it has one."""
    found = numbers.estimate(measure, row, column)
    if found is None:
        return measure.written(None), ""
    mark = "*" if numbers.is_lossy(measure, row, column) else ""
    return f"{measure.written(found.value)}{mark}", measure.interval(found)


def _encoding_rows(report: Report) -> Iterator[tuple[str, str, list[str]]]:
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


def _remarks(report: Report) -> Iterator[str]:
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


def _is_short(report: Report) -> bool:
    measured = (one.metrics for one in report.encodings if one.metrics is not None)
    return any(SHORT in column.cell(metrics) for metrics in measured for column in COLUMNS)


def _has_intervals(report: Report) -> bool:
    return any(text.is_resampled for one in report.numbers for text in one.texts.texts)


def _is_lossy(report: Report) -> bool:
    return any(counts.lossy for one in report.numbers for row in one.counts for counts in row)


# -- HTML ---------------------------------------------------------------------------------------

_POLICY = "default-src 'none'; style-src 'unsafe-inline'"

_LIGHT = (
    "color-scheme:light;--page:#fff;--text:#1b1f24;--muted:#545b64;--line:#d4d8de;"
    "--accent:37 99 235"
)
_DARK = (
    "color-scheme:dark;--page:#16181c;--text:#e8eaed;--muted:#a7adb5;--line:#3a3f47;"
    "--accent:96 156 255"
)
_STYLE = f"""
:root{{{_LIGHT}}}
@media (prefers-color-scheme:dark){{:root{{{_DARK}}}}}
@media print{{:root{{{_LIGHT}}}}}
*{{box-sizing:border-box}}
body{{margin:0;padding:2rem 1.5rem;background:var(--page);color:var(--text);
font:1rem/1.5 system-ui,"Noto Sans","Segoe UI",sans-serif}}
main{{max-width:72rem;margin:auto}}
h1{{font-size:1.6rem;margin:0 0 .25rem}}
h2{{font-size:1.2rem;margin:2.5rem 0 .25rem}}
h3{{font-size:1rem;margin:1.5rem 0 .25rem}}
p{{margin:.25rem 0 .75rem;color:var(--muted);max-width:48rem}}
.wide{{overflow-x:auto}}
table{{border-collapse:collapse;font-variant-numeric:tabular-nums}}
th,td{{padding:.2rem .55rem;border-bottom:1px solid var(--line);text-align:right;
vertical-align:top}}
th{{font-weight:600;max-width:12rem;vertical-align:bottom}}
th bdi{{overflow-wrap:anywhere;display:inline-block;min-width:6rem}}
tbody th bdi{{min-width:9rem}}
tbody th{{font-weight:400;vertical-align:top}}
th:first-child,th.w,td.w{{text-align:left}}
td.w{{min-width:8rem;overflow-wrap:break-word}}td.w bdi{{overflow-wrap:anywhere}}
.n th[scope=row]{{position:sticky;left:0;background:var(--page);max-width:18rem}}
td small{{display:block;font-size:.75em;line-height:1.2}}
th small{{display:block;font-size:.75em;line-height:1.3;color:var(--muted)}}
.l{{background-image:repeating-linear-gradient(135deg,transparent 0 4px,var(--line) 4px 5px)}}
{"".join(
    f".s{shade}{{background-color:rgb(var(--accent) / {.4 * shade / (_SHADES - 1):.3f})}}"
    for shade in range(_SHADES)
)}
@media (max-width:44rem){{body{{padding:1rem .75rem}}th,td{{padding:.2rem .4rem}}
.n tbody th bdi{{min-width:7rem}}
.t thead{{position:absolute;clip-path:inset(50%)}}
.t,.t tbody,.t tr,.t th,.t td{{display:block;text-align:left;max-width:none}}
.t tr{{padding:.4rem 0;border-bottom:1px solid var(--line)}}.t th,.t td{{border:0;padding:0}}
.t th{{font-weight:600}}.t td{{display:grid;grid-template-columns:7rem 1fr;gap:.5rem}}
.t td::before{{content:attr(data-h);color:var(--muted)}}}}
@media print{{body{{padding:0;font-size:8.5pt}}main{{max-width:none}}
.wide{{overflow:visible}}.l{{background-image:none}}
th bdi{{min-width:3rem}}tbody th bdi{{min-width:5rem}}
thead{{display:table-header-group}}tr,h2,h3{{break-inside:avoid}}h2,h3,h2+p,h2+p+p,h2+p+p+p,h3+p,h3+p+p{{break-after:avoid}}
td{{-webkit-print-color-adjust:exact;print-color-adjust:exact}}th,td{{padding:.15rem .35rem}}}}
"""


def _html(text: str) -> str:
    """Write a text for a page: names and quotations keep their own direction."""
    return escape(text.replace("\0", ""))


def _html_name(name: str) -> str:
    """Write a name that may be broken after its punctuation.

    >>> _html_name("llama3/tokenizer.model")
    'llama3/<wbr>tokenizer.<wbr>model'
    """
    return re.sub(r"([/_.-])(?=\w)", r"\1<wbr>", _html(name))


def html_report(report: Report) -> Iterator[str]:
    """Write the report as a page, piece by piece."""
    yield (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{TITLE}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n<main>\n"
        f"<h1>{TITLE}</h1>\n<p>Made by bpe-gui {_html(__version__)}.</p>\n"
    )
    yield f"<h2>Encodings</h2>\n<p>On {_html(report.text)}.</p>\n"
    yield _html_heading(report.names, "")
    for title, meaning, cells in _encoding_rows(report):
        yield _html_row_heading(title, [meaning])
        yield from (f'<td><bdi dir="ltr">{_html(cell)}</bdi></td>' for cell in cells)
        yield "</tr>\n"
    yield "</tbody></table></div>\n"
    yield from (f"<p>{_html(remark)}</p>\n" for remark in _remarks(report))
    yield f"<p>{_SHORT}</p>\n" if _is_short(report) else ""
    for number, numbers in enumerate(report.numbers):
        yield f"<h2>{_html(_title(numbers))}</h2>\n<p>{_SHADING}</p>\n"
        if number == 0:
            yield f"<p>{_INTERVALS}</p>\n" if _has_intervals(report) else ""
            yield f"<p>{_LOSSY}</p>\n" if _is_lossy(report) else ""
        for measure in _measures(numbers):
            yield f"<h3>{_html(_heading(numbers, measure))}</h3>\n"
            yield f"<p>{meaning}</p>\n" if (meaning := _meaning(numbers, measure)) else ""
            yield from _heat_map(numbers, measure)
        yield from (f"<p>{_html(problem)}</p>\n" for problem in numbers.problems)
    yield from _sections(report, _html_part, _html_matrix)
    yield "</main>\n</body>\n</html>\n"


def _heat_map(numbers: TextNumbers, measure: TextMeasure) -> Iterator[str]:
    rows, columns = _shown_rows(numbers, measure), _shown_columns(numbers, measure)
    of_all, of_each = _notes(numbers, rows)
    yield from (f"<p>{_html(note)}.</p>\n" for note in of_all)
    yield _html_heading([numbers.encodings[column] for column in columns], "text")
    for row, notes in zip(rows, of_each, strict=True):
        yield _html_row_heading(numbers.texts.texts[row].name, notes)
        best = numbers.best(measure, row)
        for column in columns:
            number, interval = _written(numbers, measure, row, column)
            cost = numbers.cost(measure, row, column)
            look = "l" if number.endswith("*") else f"s{round((cost or 0) * (_SHADES - 1))}"
            number = f"<b>{number}</b>" if column in best else number
            small = f"<small>{interval}</small>" if interval else ""
            yield f'<td class="{look}">{number}{small}</td>'
        yield "</tr>\n"
    yield "</tbody></table></div>\n"


def _html_heading(names: Sequence[str], first: str) -> str:
    """Begin a table with a column for each encoding."""
    columns = (f'<th scope="col"><bdi>{_html_name(name)}</bdi></th>' for name in names)
    begun = f'<div class="wide"><table class="n">\n<thead><tr><th scope="col">{first}</th>'
    return f"{begun}{''.join(columns)}</tr></thead>\n<tbody>\n"


def _html_row_heading(name: str, notes: Sequence[str]) -> str:
    told = f"<small>{'<br>'.join(map(_html, notes))}</small>" if notes else ""
    return f'<tr><th scope="row"><bdi>{_html_name(name)}</bdi>{told}</th>'


def _html_table(
    headings: Sequence[str], rows: Sequence[Sequence[str]], words: set[int]
) -> Iterator[str]:
    yield '<div class="wide"><table class="t">\n<thead><tr>'
    for number, heading in enumerate(headings):
        left = ' class="w"' if number in words else ""
        yield f'<th scope="col"{left}>{_html(heading).replace("/", "/<wbr>")}</th>'
    yield "</tr></thead>\n<tbody>\n"
    for row in rows:
        yield f'<tr><th scope="row"><bdi>{_html_name(row[0])}</bdi></th>'
        for number, cell in enumerate(row[1:], 1):
            left = ' class="w"' if number in words else ""
            shown = _html_name(cell) if left and " " not in cell else _html(cell)
            heading = escape(headings[number])
            yield f'<td{left} data-h="{heading}"><bdi dir="ltr">{shown}</bdi></td>'
        yield "</tr>\n"
    yield "</tbody></table></div>\n"


def _html_part(
    level: int, title: str, said: str, headings: Sequence[str], rows: Sequence[Sequence[str]],
    words: set[int],
) -> Iterator[str]:  # fmt: skip
    yield f"<h{level}>{_html(title)}</h{level}>\n"
    yield f"<p>{_html(said)}</p>\n" if said else ""
    if rows:
        yield from _html_table(headings, rows, words)


def _html_matrix(
    names: Sequence[str], rows: Sequence[Sequence[str]], shades: Sequence[Sequence[float]]
) -> Iterator[str]:
    yield _html_heading(names, "")
    for (name, *cells), row in zip(rows, shades, strict=True):
        yield _html_row_heading(name, [])
        looks = (f"s{round(shade * (_SHADES - 1))}" for shade in row)
        yield from (
            f'<td class="{look}">{_html(cell)}</td>'
            for cell, look in zip(cells, looks, strict=True)
        )
        yield "</tr>\n"
    yield "</tbody></table></div>\n"


# -- Markdown -----------------------------------------------------------------------------------

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
    yield f"# {TITLE}\n\nMade by bpe-gui {__version__}.\n\n"
    yield f"## Encodings\n\nOn {_markdown(report.text)}.\n\n"
    numbered = [[title, *cells, meaning] for title, meaning, cells in _encoding_rows(report)]
    last = len(report.names) + 1
    yield from _markdown_table(["", *report.names, "meaning"], numbered, words={last})
    yield from (f"{_markdown(remark)}\n\n" for remark in _remarks(report))
    yield f"\\{_SHORT}\n\n" if _is_short(report) else ""
    for number, numbers in enumerate(report.numbers):
        yield f"## {_markdown(_title(numbers))}\n\nThe best of a row is bold.\n\n"
        if number == 0:
            told = _INTERVALS.replace("The smaller numbers", "Numbers in brackets")
            yield f"{told}\n\n" if _has_intervals(report) else ""
            yield f"\\{_LOSSY}\n\n" if _is_lossy(report) else ""
        for measure in _measures(numbers):
            yield f"### {_markdown(_heading(numbers, measure))}\n\n"
            yield f"{meaning}\n\n" if (meaning := _meaning(numbers, measure)) else ""
            yield from _markdown_numbers(numbers, measure)
        yield from (f"{_markdown(problem)}\n\n" for problem in numbers.problems)
    yield from _sections(report, _markdown_part, _markdown_matrix)


def _markdown_numbers(numbers: TextNumbers, measure: TextMeasure) -> Iterator[str]:
    rows, columns = _shown_rows(numbers, measure), _shown_columns(numbers, measure)
    of_all, of_each = _notes(numbers, rows)
    yield from (f"{_markdown(note)}.\n\n" for note in of_all)
    noted = any(of_each)
    names = [_markdown(numbers.encodings[column]) for column in columns]
    yield f"| {' | '.join(['text', *names, *['about the text'] * noted])} |\n"
    yield f"| :--- |{' ---: |' * len(columns)}{' :--- |' * noted}\n"
    for row, notes in zip(rows, of_each, strict=True):
        text, best = numbers.texts.texts[row], numbers.best(measure, row)
        cells = []
        for column in columns:
            number, interval = _written(numbers, measure, row, column)
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


# -- Sections of both ---------------------------------------------------------------------------

_Part = Callable[
    [int, str, str, Sequence[str], Sequence[Sequence[str]], set[int]], Iterator[str]
]
_Matrix = Callable[
    [Sequence[str], Sequence[Sequence[str]], Sequence[Sequence[float]]], Iterator[str]
]
"""Names of columns, rows that begin with a name, and a shade from 0 to 1 for each cell."""


def _sections(report: Report, part: _Part, matrix: _Matrix) -> Iterator[str]:
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


def _differences(report: Report, part: _Part) -> Iterator[str]:
    names = [one.name for one in report.encodings if one.metrics is not None]
    if report.causes:
        said = (
            f"On {report.text}. A difference with several causes counts for the most important "
            "one that does not point the other way. “More tokens” are added up where the encoding "
            "has more than the first one, “fewer tokens” where it has fewer. The examples are the "
            "differences that add most tokens and save most."
        )
        yield from part(2, f"Differences from {names[0]}", said, [], [], set())
    headings = ["cause", "differences", "more tokens", "fewer tokens", "for example", "why"]
    for name, sums in zip(names[1:], report.causes, strict=True):
        rows = [
            [
                one.title,
                f"{one.places:,}",
                signed(one.more_tokens),
                signed(-one.fewer_tokens),
                "  ".join(visible_quote(text) for text, _ in one.examples),
                " ".join(said for _, said in one.examples),
            ]
            for one in sums
        ]
        said = "" if rows else "There is no difference."
        yield from part(3, name, said, headings, rows, {4, 5})


def _overlaps(report: Report, part: _Part, matrix: _Matrix) -> Iterator[str]:
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


def _jaccard(report: Report, matrix: _Matrix) -> Iterator[str]:
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


def _lacking(report: Report, matrix: _Matrix) -> Iterator[str]:
    rows, shades = [], []
    for one, name in enumerate(report.names):
        size = report.shared[one][one]
        lacking = [size - both for both in report.shared[one]]
        cells = [MISSING if other == one else f"{n:,}" for other, n in enumerate(lacking)]
        rows.append([name, f"{size:,}", *cells])
        shades.append([0.0, *(n / size if size else 0.0 for n in lacking)])
    yield from matrix(["all tokens", *report.names], rows, shades)


WRITERS: Mapping[str, Callable[[Report], Iterator[str]]] = {
    ".html": html_report,
    ".htm": html_report,
    ".md": markdown_report,
}
"""How a report is written, by the ending of the file's name in small letters."""
