"""A coloured text as a complete web page: no script, no other file, no network.

What is copied from the page is the text as it was: marks, names and bytes in hex are put there
by its style sheet, upon characters that are themselves still there. Only the character NUL,
which no page can hold, is lost. Each token tells its id and its bytes when the mouse is over
it; a table below has the same for the keyboard and for screen readers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from html import escape

from msgspec import Struct

from bpe_gui.analysis.visible import visible
from bpe_gui.bpe.history import NO_TOKEN
from bpe_gui.exporting.coloured_text import (
    ColouredSpan,
    ColouredText,
    PartKind,
    Scheme,
    TextPart,
    tile_of,
)
from bpe_gui.progress import counted

_CLASSES = {PartKind.SPACE: "s", PartKind.TAB: "h", PartKind.NEWLINE: "n", PartKind.MARKER: "w"}
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"

_PAGE_STYLE = """
*{box-sizing:border-box}
body{margin:0;padding:2rem;background:var(--page);color:var(--text);
font:1rem/1.5 system-ui,"Noto Sans","Segoe UI",sans-serif}
main{max-width:60rem;margin:auto}
h1{font-size:1.25rem;margin:0}
p{color:var(--muted);margin:.25rem 0 1.5rem}
summary{cursor:pointer;margin-top:2rem}
summary:focus-visible{outline:2px solid var(--text);outline-offset:2px}
table{border-collapse:collapse;margin-top:.5rem}
th,td{text-align:left;padding:.15rem 1rem .15rem 0;border-bottom:1px solid var(--border)}
td:nth-child(n+3){font-variant-numeric:tabular-nums}
"""

_TEXT_STYLE = """
.text{font-size:1.375rem;line-height:1.8;white-space:pre-wrap;overflow-wrap:anywhere;
unicode-bidi:plaintext;tab-size:4}
.t{border-radius:.25em;padding:var(--head) 1px .1em;margin:0 1px;color:var(--on);
background:left top repeat-x;
-webkit-box-decoration-break:clone;box-decoration-break:clone;
-webkit-print-color-adjust:exact;print-color-adjust:exact}
.t:hover{box-shadow:0 0 0 2px var(--text)}
.u{background:linear-gradient(var(--error),var(--error)) bottom/100% 2px no-repeat var(--raised)}
.s,.h{position:relative}
.s::before,.h::before{position:absolute;left:0;right:0;text-align:center;color:var(--on-muted)}
.h{display:inline-block;min-width:1em}
.h::before{text-align:left}
.s::before{content:"·";content:"·"/""}
.h::before{content:"→";content:"→"/""}
.n::before{content:"¶";content:"¶"/"";color:var(--on-muted);font-size:.74em}
.m,.w{unicode-bidi:isolate}
.m{font-size:0}
.m::before{content:attr(data-m);font-size:1rem}
.w::before{content:attr(data-m);font-size:.74em;color:var(--on-muted)}
.o,.o .s::before,.o .h::before,.o .n::before{color:var(--muted)}
@media (forced-colors:active){.t{outline:1px solid}}
"""

_ELEMENT_STYLE = """
.text{font-size:inherit}
.o,.o .s::before,.o .h::before,.o .n::before{color:inherit}
"""


class About(Struct, frozen=True):
    """What is above a text: a title, and a sentence on how it was cut."""

    title: str
    sentence: str = ""


def html_text(
    text: ColouredText, schemes: Sequence[Scheme], about: About, *, table: bool = True
) -> Iterator[str]:
    """Write the page piece by piece.

    With two schemes, the reader's wish decides between the light and the dark one; with one,
    the page has that. `table` lists the different tokens, with how often each occurs.
    """
    title = escape(_legal(about.title))
    yield (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{title}</title>\n"
        f"<style>{_PAGE_STYLE}{_TEXT_STYLE}{_colours(schemes)}</style>\n</head>\n"
    )
    sentence = f" {escape(_legal(about.sentence))}" if about.sentence else ""
    said = counted(text.tokens, "token")
    yield f"<body>\n<main>\n<h1>{title}</h1>\n<p>{said}.{sentence}</p>\n"
    yield from _text(text)
    if table:
        yield from _table(text)
    yield "</main>\n</body>\n</html>\n"


def html_element(text: ColouredText, scheme: Scheme) -> Iterator[str]:
    """Write the text alone, as an element of any page: its style concerns only itself.

    What is in no token has the colour of the page around it.
    """
    rules = f"{_TEXT_STYLE}{_classes(scheme)}{_ELEMENT_STYLE}"
    yield f'<div class="bpe-gui">\n<style>.bpe-gui{{{_variables(scheme)};{rules}}}</style>\n'
    yield from _text(text)
    yield "</div>\n"


# -- the text ------------------------------------------------------------------------------------


def _text(text: ColouredText) -> Iterator[str]:
    yield '<div class="text" lang="und" dir="auto">'
    for stretch in text.stretches:
        yield _stretch(stretch)
    yield "</div>\n"


def _stretch(stretch: ColouredSpan) -> str:
    inside = "".join(map(_part, stretch.parts))
    if not stretch.in_token:
        return f'<span class="o">{inside}</span>'
    look = "t u" if stretch.id == NO_TOKEN else f"t c{stretch.colour}"
    number = "" if stretch.id == NO_TOKEN else f' data-id="{stretch.id}"'
    return f'<span class="{look}"{number} title="{escape(_legal(stretch.title))}">{inside}</span>'


def _part(part: TextPart) -> str:
    # A bare carriage return would become a line feed.
    text = escape(_legal(part.text), quote=False).replace("\r", "&#13;")
    if part.kind is PartKind.TEXT:
        return text
    if part.kind in (PartKind.NAMED, PartKind.BYTES, PartKind.MARKER):
        look = _CLASSES.get(part.kind, "m")
        return f'<span class="{look}" data-m="{escape(_legal(part.shown))}">{text}</span>'
    return f'<span class="{_CLASSES[part.kind]}">{text}</span>'


def _legal(text: str) -> str:
    """Remove NUL, which a page cannot hold."""
    return text.replace("\0", "")


# -- the table -----------------------------------------------------------------------------------


def _table(text: ColouredText) -> Iterator[str]:
    """List every different token once, in the order in which they first occur."""
    found = Counter((stretch.id, stretch.content) for stretch in text.stretches if stretch.in_token)
    yield "<details>\n<summary>The tokens as a table</summary>\n<table>\n<thead><tr>"
    yield "".join(f'<th scope="col">{name}</th>' for name in ("id", "token", "bytes", "times"))
    yield "</tr></thead>\n<tbody>\n"
    for (token, content), times in found.items():
        name = "none" if token == NO_TOKEN else str(token)
        cells = (name, escape(visible(content)), content.hex(" ").upper(), f"{times:,}")
        yield f"<tr>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>\n"
    yield "</tbody>\n</table>\n</details>\n"


# -- the colours ---------------------------------------------------------------------------------


def _colours(schemes: Sequence[Scheme]) -> str:
    first, *others = sorted(schemes, key=lambda scheme: scheme.dark)
    rules = [f":root{{{_variables(first)}}}"]
    for scheme in others:
        wish = "dark" if scheme.dark else "light"
        rules.append(f"@media (prefers-color-scheme:{wish}){{:root{{{_variables(scheme)}}}}}")
    return "\n".join([*rules, _classes(first)])


def _classes(scheme: Scheme) -> str:
    """Name a class for every fill."""
    return "".join(
        f".c{index}{{background-color:var(--c{index});background-image:var(--p{index})}}\n"
        for index in range(len(scheme.tokens))
    )


def _variables(scheme: Scheme) -> str:
    named = {
        "page": scheme.page,
        "raised": scheme.raised,
        "text": scheme.text,
        "muted": scheme.muted,
        "border": scheme.border,
        "error": scheme.error,
        "on": scheme.token_text,
        "on-muted": scheme.token_muted,
        # Room above the letters for the patterns.
        "head": ".25em" if scheme.patterns else ".1em",
    }
    for index, colour in enumerate(scheme.tokens):
        named[f"c{index}"] = colour
        named[f"p{index}"] = tile_of(scheme, index)
    written = ";".join(f"--{name}:{value}" for name, value in named.items())
    return f"color-scheme:{'dark' if scheme.dark else 'light'};{written}"
