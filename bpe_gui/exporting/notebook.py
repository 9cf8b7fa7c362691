"""What a notebook shows: a text in the colours of its tokens, and merges as a table."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from html import escape

from bpe_gui.analysis.visible import visible_text
from bpe_gui.bpe.tokenizer import Tokens
from bpe_gui.exporting.coloured_text import Scheme, coloured_text
from bpe_gui.exporting.html_text import html_element
from bpe_gui.progress import counted

MAX_TOKENS = 2000
"""Tokens that are shown of a text: a notebook keeps all that it shows."""

COLOURS = Scheme(
    name="light", dark=False,
    page="#ffffff", raised="#e9ebef", text="#1b1f27", muted="#565e6c", border="#c3c8d1",
    error="#b3261e",
    tokens=("#a1ccf6", "#fadda9", "#d0f2dc", "#f1b3c5", "#a1e8fc", "#cecb92"),
    token_text="#1b1f27", token_muted="#3a404c",
    of_tokens=(
        "#eda9ad", "#9ee2c4", "#f2dafe", "#c5c184", "#b3d4fe", "#feddce",
        "#7ccece", "#f9bcdd", "#cef1bb", "#b8b7f0", "#f1ca95", "#c1edfe",
        "#e3e5ea",
    ),
)  # fmt: skip
"""Those of the window, light. What is on tokens can be read on pages of any colour."""


def text_in_colours(
    text: str,
    tokens: Tokens,
    *,
    closes_word: Callable[[int], bool] | None = None,
    token_bytes: Callable[[int], bytes] | None = None,
) -> str:
    """Write a text and its tokens as an element of HTML; of a long one the first `MAX_TOKENS`.

    `closes_word` and `token_bytes` are as for `coloured_text`.
    """
    if not text:
        return "<p>no tokens</p>\n"
    more = len(tokens) - MAX_TOKENS
    if more > 0:
        tokens = Tokens(
            tokens.ids[:MAX_TOKENS],
            tokens.starts[:MAX_TOKENS],
            tokens.ends[:MAX_TOKENS],
            tokens.char_starts[:MAX_TOKENS],
            tokens.char_ends[:MAX_TOKENS],
        )
        text = text[: int(tokens.char_ends[-1])]
    colours = [number % len(COLOURS.tokens) for number in range(len(tokens))]
    coloured = coloured_text(
        text, tokens, colours, closes_word=closes_word, token_bytes=token_bytes
    )
    written = "".join(html_element(coloured, COLOURS))
    return f"{written}<p>... and {counted(more, 'more token')}</p>\n" if more > 0 else written


def table(headings: Sequence[str], rows: Iterable[Sequence[object]], foot: str = "") -> str:
    r"""Write rows as a table of HTML, with a sentence below it.

    Numbers have separators, and white space in texts is shown as `visible` shows it.

    >>> print(table(["n", "token"], [[1000, "<b> "]]).replace("<tr>", "\n<tr>"))
    <table>
    <tr><th>n</th><th>token</th></tr>
    <tr><td style="text-align: right">1,000</td><td>&lt;b&gt;␣</td></tr></table>
    """
    head = "".join(f"<th>{escape(heading)}</th>" for heading in headings)
    body = "".join(f"<tr>{''.join(map(_cell, row))}</tr>" for row in rows)
    return f"<table><tr>{head}</tr>{body}</table>{f'<p>{escape(foot)}</p>' if foot else ''}"


def _cell(value: object) -> str:
    if isinstance(value, int):
        return f'<td style="text-align: right">{value:,}</td>'
    return f"<td>{escape(visible_text(str(value)))}</td>"
