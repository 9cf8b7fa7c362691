"""A page with a coloured text: parsed, it gives the text back, and asks for nothing else."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import given

from bpe_gui.exporting.coloured_text import ColouredText, PartKind, Scheme, coloured_text, rgb
from bpe_gui.exporting.html_text import About, html_text
from tests.browser import MISSING, PROGRAM, Browser
from tests.exporting.cut_texts import DARK, LIGHT, cut_texts, in_turns, tokens_at

VOID = ("meta", "!doctype")


class Page(HTMLParser):
    """What a page says: the text, what is shown besides, the tokens, and what it links to."""

    def __init__(self, written: str) -> None:
        super().__init__(convert_charrefs=True)
        self.text = self.title = self.style = ""
        self.shown: list[str] = []
        self.tokens: list[dict[str, str | None]] = []
        self.links: list[str] = []
        self._open: list[tuple[str, str]] = []
        self.feed(written)
        self.close()
        assert not self._open, "all elements are closed"

    @property
    def looks(self) -> list[str]:
        """The colour of each token, by its class."""
        return [str(token["class"]).split(" ")[1] for token in self.tokens]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.links += [value for name, value in attrs if name in ("src", "href") and value]
        if tag in VOID:
            return
        look = given.get("class") or ""
        self._open.append((tag, look))
        if look.split(" ")[0] == "t":
            self.tokens.append(given)
        if "data-m" in given:
            self.shown.append(given["data-m"] or "")

    def handle_endtag(self, tag: str) -> None:
        opened, _ = self._open.pop()
        assert opened == tag

    def handle_data(self, data: str) -> None:
        if ("div", "text") in self._open:
            self.text += data
        elif self._open and self._open[-1][0] in ("title", "style"):
            name = self._open[-1][0]
            setattr(self, name, getattr(self, name) + data)


def page(text: ColouredText, *schemes: Scheme, about: About | None = None) -> Page:
    return Page("".join(html_text(text, schemes or (LIGHT, DARK), about or About("Text"))))


@given(cut_texts())
def test_the_text_of_the_page_is_the_text_but_for_nul(text: ColouredText) -> None:
    read = page(text)
    assert read.text == text.text.replace("\0", "")
    assert len(read.tokens) == text.tokens
    named = (PartKind.NAMED, PartKind.BYTES, PartKind.MARKER)
    parts = [part for stretch in text.stretches for part in stretch.parts]
    assert read.shown == [part.shown for part in parts if part.kind in named]
    assert not read.links


def test_tokens_tell_what_they_are() -> None:
    text = " the<b>"
    read = page(coloured_text(text, tokens_at(text, [4], [499, -1]), [3, 0]))
    assert read.tokens == [
        {
            "class": "t c3",
            "data-id": "499",
            "title": "␣the · id 499 · 4 bytes: 0x20 0x74 0x68 0x65",
        },
        {"class": "t u", "title": "<b> · not in the vocabulary · 3 bytes"},
    ]


def test_it_asks_for_nothing_and_runs_nothing() -> None:
    text = in_turns("a", tokens_at("a", [], [1]))
    written = "".join(html_text(text, (LIGHT, DARK), About("</title><script>x()</script>")))
    assert "<script" not in written
    assert "default-src 'none'" in written
    assert not re.search(r"url\((?!\"data:image/svg)", written)
    assert Page(written).title == "</title><script>x()</script>"


@pytest.mark.parametrize("only", [LIGHT, DARK])
def test_a_chosen_scheme_is_the_only_one(only: Scheme) -> None:
    text = in_turns("a", tokens_at("a", [], [1]))
    style = page(text, only).style
    assert "prefers-color-scheme" not in style
    assert f"--page:{only.page}" in style
    both = page(text).style
    assert both.index(LIGHT.page) < both.index("@media (prefers-color-scheme:dark)")


def test_the_table_has_each_token_once() -> None:
    text = in_turns("abab", tokens_at("abab", [1, 2, 3], [1, 2, 1, 2]))
    written = "".join(html_text(text, (LIGHT,), About("Text", "Cut by hand.")))
    assert "<p>4 tokens. Cut by hand.</p>" in written
    assert "<tr><td>1</td><td>a</td><td>61</td><td>2</td></tr>" in written
    assert written.count("<tr>") == 3
    assert "<table>" not in "".join(html_text(text, (LIGHT,), About("Text"), table=False))


# -- in a browser --------------------------------------------------------------------------------

in_a_browser = pytest.mark.skipif(PROGRAM is None, reason=MISSING)
ODDITIES = "Où? – 在哪里 e\u0301 👩‍👧 שלום\ta\x07b <i>&amp; \u202ebc\u202c\n\n  end"

SELECTED = """(() => {
    const text = document.querySelector('.text'), range = document.createRange();
    range.selectNodeContents(text);
    getSelection().removeAllRanges(); getSelection().addRange(range);
    return getSelection().toString();
})()"""
BEFORE = """[...document.querySelectorAll('.m')].map(
    part => getComputedStyle(part, '::before').content)"""


def show(shown: Browser, tmp_path: Path, text: ColouredText, *, dark: bool = False) -> None:
    path = tmp_path / "text.html"
    written = html_text(text, (LIGHT, DARK), About("A text"))
    path.write_bytes("".join(written).encode("utf-8"))
    shown.open(path, dark=dark)
    assert shown.errors == []
    asked = [request for request in shown.requests if not request.startswith("data:")]
    assert asked == [path.as_uri()], "what it has is within it"


@in_a_browser
def test_what_is_copied_is_the_text(shown: Browser, tmp_path: Path) -> None:
    tokens = tokens_at(ODDITIES, [1, 2, 7, 9, 20, 33], list(range(20)))
    show(shown, tmp_path, in_turns(ODDITIES, tokens))
    content = shown.evaluate("document.querySelector('.text').textContent")
    assert content == ODDITIES
    assert shown.evaluate(SELECTED) == ODDITIES
    assert '"‹BEL›"' in shown.evaluate(BEFORE)
    assert '"0xE2 0x80"' in shown.evaluate(BEFORE)


@in_a_browser
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_the_reader_wishes_for_the_scheme(shown: Browser, tmp_path: Path, dark: bool) -> None:
    show(shown, tmp_path, in_turns("ab", tokens_at("ab", [1], [1, 2])), dark=dark)
    scheme = DARK if dark else LIGHT

    def colour(of: str, what: str) -> list[int]:
        expression = f"getComputedStyle(document.querySelector('{of}'))['{what}']"
        return [int(part) for part in re.findall(r"\d+", shown.evaluate(expression))[:3]]

    assert colour("body", "background-color") == list(rgb(scheme.page))
    assert colour(".c1", "background-color") == list(rgb(scheme.tokens[1]))
    assert colour(".c1", "color") == list(rgb(scheme.token_text))


@in_a_browser
def test_tokens_have_shapes_and_the_table_opens_by_key(shown: Browser, tmp_path: Path) -> None:
    show(shown, tmp_path, in_turns("the cat", tokens_at("the cat", [3], [1, 2])))
    boxes = shown.evaluate(
        "[...document.querySelectorAll('.t')].map(t => t.getBoundingClientRect().toJSON())"
    )
    assert boxes[0]["right"] < boxes[1]["left"], "there is room between two tokens"
    assert not shown.evaluate("document.querySelector('table').checkVisibility()")
    shown.press("Tab")
    shown.press(" ", "Space")
    assert shown.evaluate("document.querySelector('table').checkVisibility()")
