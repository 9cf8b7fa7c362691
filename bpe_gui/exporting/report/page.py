"""Writes a report as a web page: one file without scripts or anything from the network.

It is light or dark as its reader wishes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from html import escape
from itertools import pairwise

from bpe_gui.analysis.elided_names import elided_to_letters
from bpe_gui.encodings.measuring.text_numbers import TextMeasure, TextNumbers
from bpe_gui.exporting.report import wording
from bpe_gui.exporting.report.contents import Report
from bpe_gui.exporting.report.sections import sections
from bpe_gui.version import __version__

_SHADES = 8
_MOST_COLUMNS = 12
"""Encodings that a table has side by side: more do not fit on paper."""
_LETTERS, _LETTERS_OF_MANY = 30, 24
"""Letters of a name at the head of one of a few columns, or of more than _FEW: a longer one would
take the others' room on paper."""
_FEW = 8
"""Encodings beside which there is room for what their numbers mean on an upright page."""
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
nav ul{{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;list-style:none;margin:0;padding:0}}
a{{color:inherit}}
p{{margin:.25rem 0 .75rem;color:var(--muted);max-width:48rem}}
.wide{{overflow-x:auto}}.wide+.wide{{margin-top:1rem}}
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
th bdi{{min-width:3rem}}tbody th bdi{{min-width:5rem}}.n th[scope=row]{{max-width:13rem}}
thead{{display:table-header-group}}tr,h2,h3{{break-inside:avoid}}h2,h3,h2+p,h2+p+p,h2+p+p+p,h3+p,h3+p+p{{break-after:avoid}}
td{{-webkit-print-color-adjust:exact;print-color-adjust:exact}}th,td{{padding:.15rem .35rem}}}}
"""


_STYLE_OF_MANY = """@page{size:landscape}
@media print{.n th bdi{min-width:3.6rem}.n tbody th small{min-width:12rem}}
"""
"""What is added for more than _FEW encodings: across a page the first column has room, too."""


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
    style = _STYLE + _STYLE_OF_MANY if len(report.names) > _FEW else _STYLE
    yield (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{wording.TITLE}</title>\n<style>{style}</style>\n</head>\n<body>\n<main>\n"
        f"<h1>{wording.TITLE}</h1>\n<p>Made by bpe-gui {_html(__version__)}.</p>\n"
    )
    first, *others = "".join(_parts(report)).split("<h2>")
    titles = [part.partition("</h2>")[0] for part in others]
    links = (f'<li><a href="#part{n}">{title}</a></li>' for n, title in enumerate(titles, 1))
    yield f'<nav aria-label="Contents"><ul>{"".join(links)}</ul></nav>\n{first}'
    yield from (f'<h2 id="part{n}">{part}' for n, part in enumerate(others, 1))
    yield "</main>\n</body>\n</html>\n"


def _parts(report: Report) -> Iterator[str]:
    """Write the parts of the page, each with a heading of the second level."""
    yield f"<h2>Encodings</h2>\n<p>On {_html(report.text)}.</p>\n"
    rows = [
        (title, [meaning], [f'<td><bdi dir="ltr">{_html(cell)}</bdi></td>' for cell in cells])
        for title, meaning, cells in wording.encoding_rows(report)
    ]
    yield from _html_numbers("", report.names, rows)
    for head, name in zip(_heads(report.names), report.names, strict=True):
        if head != name:
            yield f"<p><bdi>{_html(head)}</bdi> = <bdi>{_html_name(name)}</bdi></p>\n"
    yield from (f"<p>{_html(remark)}</p>\n" for remark in wording.remarks(report))
    yield f"<p>{wording.SHORT_NOTE}</p>\n" if wording.is_short(report) else ""
    for number, numbers in enumerate(report.numbers):
        yield f"<h2>{_html(wording.title(numbers))}</h2>\n<p>{wording.SHADING}</p>\n"
        if number == 0:
            yield f"<p>{wording.INTERVALS}</p>\n" if wording.has_intervals(report) else ""
            yield f"<p>{wording.LOSSY}</p>\n" if wording.is_lossy(report) else ""
        for measure in wording.measures(numbers):
            yield f"<h3>{_html(wording.heading(numbers, measure))}</h3>\n"
            yield f"<p>{meaning}</p>\n" if (meaning := wording.meaning(numbers, measure)) else ""
            yield from _heat_map(numbers, measure)
        yield from (f"<p>{_html(problem)}</p>\n" for problem in numbers.problems)
    yield from sections(report, _html_part, _html_matrix)


def _heat_map(numbers: TextNumbers, measure: TextMeasure) -> Iterator[str]:
    rows, columns = wording.shown_rows(numbers, measure), wording.shown_columns(numbers, measure)
    of_all, of_each = wording.notes(numbers, rows)
    yield from (f"<p>{_html(note)}.</p>\n" for note in of_all)
    written = []
    for row, notes in zip(rows, of_each, strict=True):
        best = numbers.best(measure, row)
        cells = []
        for column in columns:
            number, interval = wording.written(numbers, measure, row, column)
            cost = numbers.cost(measure, row, column)
            look = "l" if number.endswith("*") else f"s{round((cost or 0) * (_SHADES - 1))}"
            number = f"<b>{number}</b>" if column in best else number
            small = f"<small>{interval}</small>" if interval else ""
            cells.append(f'<td class="{look}">{number}{small}</td>')
        written.append((numbers.texts.texts[row].name, notes, cells))
    yield from _html_numbers("text", [numbers.encodings[column] for column in columns], written)


def _html_numbers(
    first: str, names: Sequence[str], rows: Sequence[tuple[str, Sequence[str], Sequence[str]]]
) -> Iterator[str]:
    """Write a table with a column for each encoding; of many, tables one below the other.

    first: the heading of the first column, which each table has. rows: name, notes, and the cells.
    """
    heads = _heads(names)
    for begin, end in _blocks(len(names)):
        shown = zip(heads[begin:end], names[begin:end], strict=True)
        headings = (
            f'<th scope="col" title="{_html(name)}"><bdi>{_html_name(head)}</bdi></th>'
            for head, name in shown
        )
        yield f'<div class="wide"><table class="n">\n<thead><tr><th scope="col">{first}</th>'
        yield f"{''.join(headings)}</tr></thead>\n<tbody>\n"
        for name, notes, cells in rows:
            told = f"<small>{'<br>'.join(map(_html, notes))}</small>" if notes and not begin else ""
            yield f'<tr><th scope="row"><bdi>{_html_name(name)}</bdi>{told}</th>'
            yield from cells[begin:end]
            yield "</tr>\n"
        yield "</tbody></table></div>\n"


def _heads(names: Sequence[str]) -> list[str]:
    return elided_to_letters(names, _LETTERS if len(names) <= _FEW else _LETTERS_OF_MANY)


def _blocks(columns: int) -> Iterator[tuple[int, int]]:
    """Divide columns into as few blocks as can be, one at least, with about as many in each.

    >>> list(_blocks(0)), list(_blocks(12)), list(_blocks(26))
    ([(0, 0)], [(0, 12)], [(0, 8), (8, 17), (17, 26)])
    """
    blocks = max(-(-columns // _MOST_COLUMNS), 1)
    borders = [block * columns // blocks for block in range(blocks + 1)]
    return pairwise(borders)


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
    written: list[tuple[str, list[str], list[str]]] = []
    heads = _heads([name for name, *_ in rows])
    for head, (_, *cells), row in zip(heads, rows, shades, strict=True):
        looks = (f"s{round(shade * (_SHADES - 1))}" for shade in row)
        shaded = [
            f'<td class="{look}">{_html(cell)}</td>'
            for cell, look in zip(cells, looks, strict=True)
        ]
        written.append((head, [], shaded))
    yield from _html_numbers("", names, written)
