"""What a console and a notebook show of tokenizers, encoded texts and histories."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from tokenizers import Tokenizer as LibraryTokenizer
from tokenizers import decoders, models, normalizers

from bpe_gui import load, train
from bpe_gui.exporting import notebook
from bpe_gui.exporting.coloured_text import rgb
from bpe_gui.library import Tokenizer
from bpe_gui.ui.export.schemes import scheme_of
from bpe_gui.ui.theme.theme import LIGHT
from tests.browser import MISSING, PROGRAM, Browser, browser

EVIL = '<script>alert(1)</script> & "low" \'low\' </style> 漢'


class Element(HTMLParser):
    """What an element of a page says, and of which tags it is made."""

    def __init__(self, written: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[str] = []
        self.text = ""
        self._open: list[str] = []
        self.feed(written)
        self.close()
        assert not self._open, "all elements are closed"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "style" not in self._open and data != "\n":
            self.text += data


def test_all_is_shown_on_one_line(tokenizer: Tokenizer) -> None:
    assert repr(tokenizer) == "<Tokenizer 'gpt2': 300 tokens>"
    assert repr(tokenizer.at(1)) == "<Tokenizer 'gpt2 at 1 merge': 258 tokens>"
    assert repr(tokenizer.encode(" the\n")) == "<EncodedText ['Ġthe', 'Ċ']>"
    long = repr(tokenizer.encode(" the\n" * 100))
    assert long.endswith(", 'Ġthe', 'Ċ', ... and 180 more]>")
    assert repr(tokenizer.history) == "<MergeHistory 43 merges: vocabulary size reached>"
    assert repr(tokenizer.history[3:5]) == "<MergeHistory 2 merges>"


def test_a_space_that_is_put_before_a_text_is_shown_as_one(tmp_path: Path) -> None:
    made = models.BPE({"[UNK]": 0, "▁": 1, "x": 2}, [], unk_token="[UNK]")
    library = LibraryTokenizer(made)
    library.normalizer = normalizers.Prepend("▁")
    library.decoder = decoders.Replace("▁", " ")
    library.save(str(tmp_path / "x.json"))
    written = load(tmp_path / "x.json").encode("éx")._repr_html_()
    assert re.findall('title="([^"]*)"', written) == [
        *("␣ · id 1 · 1 byte: 0x20", "é · id 0 · 2 bytes: 0xC3 0xA9", "x · id 2 · 1 byte"),
    ]
    assert re.findall('data-m="([^"]*)"', written) == ["␣"]


def test_a_text_is_shown_in_colours_and_escaped(tokenizer: Tokenizer) -> None:
    encoded = tokenizer.encode(EVIL)
    written = encoded._repr_html_()
    found = Element(written)
    assert found.text == EVIL
    assert set(found.tags) == {"div", "style", "span"}
    assert written.count("data-id=") == len(encoded)


def test_what_is_not_in_the_vocabulary_is_shown(tokenizer: Tokenizer) -> None:
    encoded = train(["low low"], preset="whitespace", merges=3).encode("low lXw")
    assert "not in the vocabulary" in encoded._repr_html_()
    assert 'data-m="&lt;/w&gt;"' in encoded._repr_html_()


def test_of_a_long_text_the_beginning_is_shown(tokenizer: Tokenizer) -> None:
    encoded = tokenizer.encode("漢 the best" * 1000)
    found = Element(encoded._repr_html_())
    more = len(encoded) - notebook.MAX_TOKENS
    assert found.text.endswith(f"... and {more:,} more tokens")
    assert encoded.text.startswith(found.text.partition("...")[0])


def test_a_history_is_a_small_table() -> None:
    history = train(["<b><b><b>&&"], preset="raw", merges=30).history
    written = history[:2]._repr_html_()
    assert Element(written).text == "stepleftrighttokencount" + "1<b<b3" + "2<b><b>3"
    assert "<b>" not in written
    long = train(["".join(map(chr, range(33, 300))) * 2], preset="raw", merges=50).history
    found = Element(long._repr_html_())
    assert found.tags.count("tr") == 21
    assert found.text.endswith("... and 30 more merges")


def test_white_space_is_shown_and_an_empty_text_too(tokenizer: Tokenizer) -> None:
    history = train([" a\t \n a\t \n"], preset="raw", merges=2).history
    assert Element(history[1:]._repr_html_()).text == "stepleftrighttokencount" + "2␣a⇥␣a⇥2"
    assert Element(tokenizer.encode("")._repr_html_()).text == "no tokens"


def test_the_colours_are_those_of_the_window() -> None:
    assert scheme_of(LIGHT) == notebook.COLOURS


@pytest.mark.skipif(PROGRAM is None, reason=MISSING)
def test_a_browser_takes_the_style_for_the_text_alone(tokenizer: Tokenizer, tmp_path: Path) -> None:
    element = tokenizer.encode("the age")._repr_html_()
    page = f'<!DOCTYPE html><meta charset="utf-8"><p class="t c1">other</p>{element}'
    (tmp_path / "page.html").write_text(page, "utf-8")

    def colour(shown: Browser, of: str) -> str:
        found = shown.evaluate(f"getComputedStyle(document.querySelector('{of}')).backgroundColor")
        return str(found)

    with browser(tmp_path / "profile") as shown:
        shown.open(tmp_path / "page.html")
        assert shown.evaluate("document.querySelector('.bpe-gui .text').innerText") == "the age"
        mark = "getComputedStyle(document.querySelector('.bpe-gui .s'), '::before').content"
        assert "·" in shown.evaluate(mark)
        assert colour(shown, ".bpe-gui .c1") == f"rgb{rgb(notebook.COLOURS.tokens[1])}"
        assert colour(shown, "p") == "rgba(0, 0, 0, 0)"
        assert shown.errors == []
