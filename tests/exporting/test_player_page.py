"""The page that plays a run, in a real browser, with its slider moved."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bpe_gui.analysis.token_colours import token_colours
from bpe_gui.analysis.visible import visible, visible_pair
from bpe_gui.bpe.corpus import Corpus, sample
from bpe_gui.bpe.history import Decision, History, Intervention
from bpe_gui.bpe.recipe import Recipe, preset
from bpe_gui.bpe.tokenizer import Tokenizer
from bpe_gui.bpe.trainer import Trainer
from bpe_gui.bpe.training import train_corpus
from bpe_gui.bpe.words import WordCounts
from bpe_gui.exporting import player_page
from bpe_gui.exporting.player_page import PageError, changes
from bpe_gui.folders import resource
from bpe_gui.ui.export.schemes import both_schemes
from bpe_gui.ui.panels.pairs.rows import scale_of, steady_end
from bpe_gui.ui.run.sample_text import TEXTS_OF_SAMPLES
from bpe_gui.ui.theme.theme import DARK, LIGHT, Theme
from bpe_gui.ui.theme.token_palettes import PALETTES, TokenPalette
from bpe_gui.ui.timeline.strip import TimeScale
from tests.browser import MISSING, PROGRAM, Browser
from tests.ui.histories import FOUR_WORDS, byte_level, four_words, invented, trained

in_a_browser = pytest.mark.skipif(PROGRAM is None, reason=MISSING)

HOSTILE = "</script><script>alert(1)</script><!-- ]]> &amp; \u2028 @data@ ${x} '\"\\"
TEXT = "low lower\nnewest widest\n\nlow"
SCRIPTS = "Où? 在哪里 шестой е\u0301 न\u0941 👩‍👩‍👧 שלום\t\x07\u00a0«x»\r\n  end"

QUIET = str.maketrans("␣↵⇥", "·¶→")
"""What the text panel writes for spaces and line ends."""

TOKENS = """[...document.querySelectorAll('#text [data-id]')].map(
    token => [Number(token.dataset.id), token.textContent])"""
LEAP = """(() => { document.dispatchEvent(
    new KeyboardEvent('keydown', { key: '%s', shiftKey: true, bubbles: true }));
    return document.getElementById('place').textContent; })()"""
GO = """new Promise(done => { addEventListener('hashchange', done); location.hash = '%s'; })
    .then(() => 0)"""
MOVE = """(() => { const slider = document.getElementById('slider'); slider.value = %d;
    slider.dispatchEvent(new Event('input', { bubbles: true })); })()"""


def text_of(shown: Browser, name: str) -> str:
    return str(shown.evaluate(f"document.getElementById('{name}').textContent"))


def open_page(shown: Browser, tmp_path: Path, page: str, **wishes: bool) -> None:
    path = tmp_path / "run.html"
    path.write_text(page, encoding="utf-8")
    shown.open(path, **wishes)
    assert shown.errors == []
    # Pictures within the page are no requests.
    assert [url for url in shown.requests if not url.startswith("data:")] == [path.as_uri()]


def data_in(page: str) -> dict[str, Any]:
    """What the page knows."""
    found = re.search(r'<script id="run" type="application/json">(.*?)</script>', page, re.S)
    assert found is not None
    return dict(json.loads(found[1]))


def joined() -> History:
    """A run in which the end of a word is joined to its last character."""
    return trained([("low", 5), ("lower", 2), ("newest", 6)], preset("char-bpe"), 6)


def lower() -> History:
    """A run whose recipe changes the text before it is cut."""
    recipe = Recipe(name="lower", normalizers=("nfd", "lowercase"), split="gpt2")
    return trained([("low", 5), ("lower", 2), ("newest", 6)], recipe)


RUNS = {
    "characters": (four_words, TEXT),
    "joined": (joined, TEXT),
    "bytes": (lambda: byte_level(SCRIPTS * 3 + TEXT), SCRIPTS + TEXT),
    "normalized": (lower, "Lower LÓW newest"),
    "unknown": (four_words, "Жжow <low>"),
    "hostile": (lambda: byte_level(HOSTILE * 2), HOSTILE),
    "empty": (four_words, ""),
}


@in_a_browser
@pytest.mark.parametrize("name", RUNS)
def test_at_every_position_the_text_is_cut_as_we_cut_it(
    shown: Browser, tmp_path: Path, name: str
) -> None:
    make, text = RUNS[name]
    history = make()
    open_page(shown, tmp_path, player_page.player_page(history, text, title=HOSTILE))
    assert text_of(shown, "about")
    assert shown.evaluate("document.getElementsByTagName('h1')[0].textContent") == HOSTILE
    step = max(1, len(history) // 12)
    for position in {*range(0, len(history), step), len(history)}:
        shown.evaluate(MOVE % position)
        tokens = Tokenizer(history, position).encode(text)
        assert [token for token, _ in shown.evaluate(TOKENS)] == tokens.ids.tolist()
    assert shown.errors == []


@in_a_browser
def test_tokens_are_written_as_everywhere(shown: Browser, tmp_path: Path) -> None:
    history = byte_level(SCRIPTS * 3)
    open_page(shown, tmp_path, player_page.player_page(history, SCRIPTS))
    for position in range(len(history) + 1):
        shown.evaluate(MOVE % position)
        for token, written in shown.evaluate(TOKENS):
            assert written == visible(history.token_bytes(token)).translate(QUIET)


@in_a_browser
def test_the_signs_in_the_text_are_explained(shown: Browser, tmp_path: Path) -> None:
    counts = "document.getElementById('text-counts').textContent.replaceAll('\\u00a0', ' ')"
    for history, text, told in (
        (four_words(), "low Ж", "1 unknown character, </w> = word end"),
        (byte_level("low lower"), "low lower", "bytes per token, · = space"),
        (byte_level("low"), "low", "bytes per token"),
    ):
        open_page(shown, tmp_path, player_page.player_page(history, text))
        assert shown.evaluate(counts).endswith(told)


@in_a_browser
def test_pairs_merges_and_numbers_at_every_position(shown: Browser, tmp_path: Path) -> None:
    history = four_words()
    open_page(shown, tmp_path, player_page.player_page(history, TEXT))
    rows = """[...document.querySelectorAll('#pairs li')].map(row => [
        Number(row.dataset.left), Number(row.dataset.right), row.className,
        row.children[1].textContent, row.children[3].textContent])"""
    # Backwards too: what a position shows does not depend on how one came there.
    for position in [*range(len(history) + 1), *reversed(range(len(history) + 1))]:
        shown.evaluate(MOVE % position)
        top = history.top(position)
        assert shown.evaluate(rows) == [
            [left, right, "" if rank else "winner", written(history, left, right), str(count)]
            for rank, (left, right, count) in enumerate(
                zip(top.left.tolist(), top.right.tolist(), top.count.tolist(), strict=True)
            )
        ]
        newest = shown.evaluate(
            "[...document.querySelectorAll('#merges tr')].map(row => row.textContent)"
        )
        assert len(newest) == min(position, 12)
        if position:
            left, right = int(history.left[position - 1]), int(history.right[position - 1])
            made, count = int(history.new_id[position - 1]), int(history.count[position - 1])
            token = visible(history.token_bytes(made))
            assert newest[0] == f"{position}{token}{written(history, left, right)}{made}{count}"
        assert text_of(shown, "tokens") == str(history.tokens[position])
        assert text_of(shown, "distinct") == str(history.distinct[position])
        assert text_of(shown, "vocabulary") == str(history.vocabulary_size(position))
        ratio = history.corpus_bytes / history.tokens[position]
        assert text_of(shown, "bytes-per-token") == f"{ratio:.2f}"
    assert text_of(shown, "place") == "0 / 15"


def written(history: History, left: int, right: int) -> str:
    """A pair as the page writes it: each token keeps its place in every script."""
    shown = [visible(history.token_bytes(token)) for token in (left, right)]
    assert visible_pair(*(history.token_bytes(token) for token in (left, right))) == " + ".join(
        shown
    )
    return " + ".join(f"\u2068{token}\u2069" for token in shown)


@in_a_browser
def test_keys_and_buttons_move_and_play(shown: Browser, tmp_path: Path) -> None:
    history = four_words()
    open_page(shown, tmp_path, player_page.player_page(history, TEXT, start=2, stop=9))
    place = "document.getElementById('place').textContent"
    assert shown.evaluate(place) == "2 / 9"
    for key, expected in (
        ("ArrowRight", "3 / 9"),
        ("ArrowRight", "4 / 9"),
        ("ArrowLeft", "3 / 9"),
        ("End", "9 / 9"),
        ("ArrowRight", "9 / 9"),
        ("Home", "2 / 9"),
        ("ArrowLeft", "2 / 9"),
        ("PageDown", "3 / 9"),
        ("PageDown", "4 / 9"),
        ("PageUp", "3 / 9"),
        ("Home", "2 / 9"),
    ):
        shown.press(key)
        assert shown.evaluate(place) == expected
    shown.evaluate("document.getElementById('step').click()")
    assert shown.evaluate(place) == "3 / 9"
    assert shown.evaluate(LEAP % "ArrowRight") == "4 / 9"
    assert shown.evaluate(LEAP % "ArrowLeft") == "3 / 9"
    story = "Merge 3: \u2068est\u2069 + \u2068</w>\u2069 → \u2068est</w>\u2069, 9 times"
    assert text_of(shown, "story") == story
    assert shown.evaluate("document.getElementById('slider').ariaValueText") == story
    shown.press(" ", "Space")
    assert text_of(shown, "play") == "Pause"
    assert shown.evaluate("document.getElementById('story').ariaLive") == "off"
    for _ in range(4):
        shown.press("+")
    shown.wait_for(f"{place} === '9 / 9'")
    assert text_of(shown, "play") == "Play"
    for _ in range(8):  # it is not at its end again before the second key
        shown.press("-")
    shown.press(" ", "Space")
    shown.press(" ", "Space")
    assert text_of(shown, "play") == "Play"
    assert shown.evaluate("document.getElementById('story').ariaLive") == "polite"
    assert shown.evaluate("Number(document.getElementById('slider').value)") < 9


@in_a_browser
def test_the_slider_by_mouse_and_by_keys_of_its_own(shown: Browser, tmp_path: Path) -> None:
    history = four_words()
    open_page(shown, tmp_path, player_page.player_page(history, TEXT))
    box = shown.evaluate(
        "(({ left, top, width, height }) => [left, top, width, height])"
        "(document.getElementById('slider').getBoundingClientRect())"
    )
    shown.click(box[0] + box[2] * 0.5, box[1] + box[3] / 2)
    middle = shown.evaluate("Number(document.getElementById('slider').value)")
    assert middle in (7, 8)
    assert text_of(shown, "story").startswith(f"Merge {middle}:")
    shown.press("ArrowRight")
    assert text_of(shown, "story").startswith(f"Merge {middle + 1}:")


@in_a_browser
@pytest.mark.parametrize("start", [0, 7])
def test_the_slider_of_a_long_run_is_that_of_the_timeline(
    shown: Browser, tmp_path: Path, start: int
) -> None:
    history = invented(1000)
    open_page(shown, tmp_path, player_page.player_page(history, TEXT, start=start))
    box = shown.evaluate(
        "(({ left, top, width, height }) => [left, top, width, height])"
        "(document.getElementById('slider').getBoundingClientRect())"
    )
    scale = TimeScale(1000 - start, logarithmic=True)
    for share in (0.25, 0.5, 0.75):
        shown.click(box[0] + box[2] * share, box[1] + box[3] / 2)
        position = int(text_of(shown, "place").split(" / ")[0].replace(",", "")) - start
        # The knob has a width, for which the middle of the slider alone is exact.
        assert scale.place(position) == pytest.approx(share, abs=0.02)
    for key, by in (("ArrowRight", 1), ("ArrowUp", 2), ("ArrowDown", 1), ("ArrowLeft", 0)):
        shown.press(key)
        assert text_of(shown, "place") == f"{start + position + by:,} / 1,000"
    shown.press("End")
    assert text_of(shown, "place") == "1,000 / 1,000"
    shown.press("Home")
    assert text_of(shown, "place") == f"{start} / 1,000"
    shown.evaluate("location.hash = 'merge=120'")
    shown.wait_for("document.getElementById('place').textContent === '120 / 1,000'")
    share = shown.evaluate("(s => (s.value - s.min) / (s.max - s.min))"
        "(document.getElementById('slider'))")  # fmt: skip
    assert share == pytest.approx(scale.place(120 - start), abs=1e-3)


ROWS_OF_WORDS = """(() => {
    const rows = {};
    for (const token of document.querySelectorAll('#text [data-id]')) {
        for (const box of token.getClientRects()) {
            const row = Math.round(box.bottom);
            rows[row] = (rows[row] ?? '') + token.textContent;
        }
    }
    return Object.values(rows); })()"""


@in_a_browser
@pytest.mark.parametrize("make", [byte_level, lambda _: four_words()], ids=["bytes", "spaces"])
def test_lines_break_between_words(
    shown: Browser, tmp_path: Path, make: Callable[[str], History]
) -> None:
    words = ["low", "lower", "newest", "widest"]
    history = make("low lower newest widest " * 3)
    open_page(shown, tmp_path, player_page.player_page(history, " ".join(words * 20)))
    shown.resize(1280, 720)
    for position in (0, 4, len(history)):
        shown.evaluate(MOVE % position)
        rows = shown.evaluate(ROWS_OF_WORDS)
        assert len(rows) > 3
        for row in rows:
            whole = row.replace("</w>", " ").replace("·", " ").split()
            assert position == 0 or "".join(whole) in "".join(words * 20)
            assert whole[0] in words, row
            assert whole[-1] in words, row


@in_a_browser
def test_lines_break_after_a_line_end_within_a_token(shown: Browser, tmp_path: Path) -> None:
    """As in the text panel, whatever a token holds before and behind it."""
    text = "if a:\n    return\n\n\n    x"
    indented = [("if", 2), (" a", 2), (":", 2), ("\n   ", 9), (" return", 5), ("\n\n\n   ", 8)]
    history = trained(indented, preset("gpt2"))
    open_page(shown, tmp_path, player_page.player_page(history, text))
    for position in (0, len(history)):
        shown.evaluate(MOVE % position)
        rows = "".join(shown.evaluate(ROWS_OF_CHARACTERS)).split("|")
        assert rows == ["if·a:¶", "····return¶", "¶", "¶", "····x"]
    assert any("¶···" in written for _, written in shown.evaluate(TOKENS))


ROWS_OF_CHARACTERS = """(() => {
    let bottom = null;
    const rows = [], range = document.createRange();
    const texts = document.createTreeWalker(document.getElementById('text'), NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
        const { data } = texts.currentNode;
        for (let i = 0; i < data.length; i++) {
            range.setStart(texts.currentNode, i);
            range.setEnd(texts.currentNode, i + 1);
            const box = range.getBoundingClientRect();
            if (bottom !== null && box.top > bottom - 4) rows.push('|');
            bottom = box.bottom;
            rows.push(data[i]);
        }
    }
    return rows; })()"""


@given(st.data())
def test_the_part_that_a_page_plays_is_called_what_it_is(data: st.DataObject) -> None:
    history = four_words()
    start = data.draw(st.integers(0, len(history)))
    stop = data.draw(st.integers(start, len(history)))
    said = data_in(player_page.player_page(history, TEXT, start=start, stop=stop))["about"]
    numbers = [int(number) for number in re.findall(r"[0-9]+", said.split(", ")[1])]
    if start == stop:
        assert numbers == ([start] if start else [])
        assert ("before the first merge" if start == 0 else f"after {start}") in said
    elif start == 0:
        assert numbers == [stop]
    else:
        assert numbers == ([start + 1, stop] if stop > start + 1 else [stop])
    assert (" 1 merges" in said, "merges 1 to" in said) == (False, False)


@in_a_browser
def test_a_page_of_one_position_plays_nothing(shown: Browser, tmp_path: Path) -> None:
    page = player_page.player_page(four_words(), TEXT, start=3, stop=3)
    open_page(shown, tmp_path, page)
    assert ", after 3 merges, " in text_of(shown, "about")
    assert text_of(shown, "place") == "3 / 3"
    for name in ("slider", "play", "home", "back", "step", "end"):
        assert shown.evaluate(f"document.getElementById('{name}').disabled")


@in_a_browser
@pytest.mark.parametrize("decisions", [0, 1, 2])
def test_a_branch_is_called_one(shown: Browser, tmp_path: Path, decisions: int) -> None:
    top = four_words().top(0)
    pairs = zip(top.left.tolist(), top.right.tolist(), strict=True)
    decided = [Intervention(0, Decision.FORBID, *pair) for pair in pairs][:decisions]
    words = WordCounts.from_pairs(list(FOUR_WORDS), preset("whitespace"))
    trainer = Trainer(words, preset("whitespace"), interventions=decided, compiled=False)
    trainer.advance(5)
    open_page(shown, tmp_path, player_page.player_page(trainer.history, TEXT))
    said = text_of(shown, "about").split(", ")[:-2]
    assert said == [
        ["Recipe whitespace"],
        ["Recipe whitespace", "a branch: without e + s at merge 1"],
        ["Recipe whitespace", "a branch: without e + s at merge 1 and 1 other decision"],
    ][decisions]


@in_a_browser
def test_letters_are_as_large_as_the_screen_lets_them_be(shown: Browser, tmp_path: Path) -> None:
    """In the size at which a stage is read from the back row, and the page is not to be moved."""
    open_page(shown, tmp_path, player_page.player_page(four_words(), TEXT * 40))
    size = "parseFloat(getComputedStyle(document.getElementById('text')).fontSize)"
    for width, height in ((1280, 720), (1920, 1080), (3840, 2160)):
        shown.resize(width, height)
        assert shown.evaluate(size) > 0.033 * height
        assert shown.evaluate("document.documentElement.scrollHeight") == height
        small = shown.evaluate(
            "Math.min(...[...document.querySelectorAll('button, th, td, dt, dd, p, li, select')]"
            ".filter(part => part.textContent)"
            ".map(part => parseFloat(getComputedStyle(part).fontSize)))"
        )
        assert small > 0.018 * height
        below = "document.querySelector('%s').getBoundingClientRect().bottom"
        typed = shown.evaluate(below % "#typed")
        assert typed < shown.evaluate(below % "main"), "one's own text can be typed"


@in_a_browser
def test_the_names_of_the_leading_pair_are_whole(shown: Browser, tmp_path: Path) -> None:
    """Where there is room for them beside the number: the bars have what is left."""
    history = trained([("newest", 600), ("younger", 500), ("low", 300)], preset("whitespace"))
    open_page(shown, tmp_path, player_page.player_page(history, TEXT))
    leading = """(() => { const pair = document.querySelector('#pairs .winner .pair');
        return pair === null || pair.scrollWidth <= pair.clientWidth; })()"""
    edges = """[1, 2, 3].map(column => new Set([...document.querySelectorAll('#pairs li')].map(
        row => row.children[column].getBoundingClientRect().left)).size)"""
    for width, height in ((1280, 720), (1280, 800), (1920, 1080)):
        shown.resize(width, height)
        for position in range(len(history) + 1):
            shown.evaluate(MOVE % position)
            assert shown.evaluate(leading), (width, position)
            if position < len(history):
                assert shown.evaluate(edges) == [1, 1, 1]


@in_a_browser
def test_both_schemes_no_motion_and_names_for_all_controls(shown: Browser, tmp_path: Path) -> None:
    page = player_page.player_page(four_words(), TEXT)
    background = "getComputedStyle(document.body).backgroundColor"
    moves = "getComputedStyle(document.querySelector('.bar')).transitionDuration"
    for theme in (DARK, LIGHT):
        open_page(shown, tmp_path, page, dark=theme.dark, still=theme.dark)
        rgb = tuple(int(theme.window[place : place + 2], 16) for place in (1, 3, 5))
        assert shown.evaluate(background) == f"rgb{rgb}"
        assert shown.evaluate(moves) == ("0s" if theme.dark else "0.12s")
    controls = {"button", "slider", "combobox", "list", "region", "group", "toolbar"}
    nodes = shown.call("Accessibility.getFullAXTree")["nodes"]
    found = {
        role: [node["name"]["value"] for node in nodes if node.get("role", {}).get("value") == role]
        for role in controls
    }
    assert len(found["button"]) == 5
    assert len(found["slider"]) == len(found["combobox"]) == len(found["toolbar"]) == 1
    assert all(all(names) for role, names in found.items() if role != "list")


@in_a_browser
@pytest.mark.parametrize("palette", PALETTES, ids=lambda palette: palette.name)
def test_tokens_are_told_apart_as_was_chosen(
    shown: Browser, tmp_path: Path, palette: TokenPalette
) -> None:
    schemes = both_schemes(palette)
    page = player_page.player_page(four_words(), TEXT, schemes=schemes)
    style = "getComputedStyle(document.querySelector('[data-colour=\"1\"]'))"
    for scheme in schemes:
        open_page(shown, tmp_path, page, dark=scheme.dark)
        fill = tuple(int(scheme.of_tokens[1][place : place + 2], 16) for place in (1, 3, 5))
        assert shown.evaluate(f"{style}.backgroundColor") == f"rgb{fill}"
        image = shown.evaluate(f"{style}.backgroundImage")
        assert image.startswith("url(") if scheme.patterns else image == "none"


@in_a_browser
def test_the_same_token_has_the_same_colour(shown: Browser, tmp_path: Path) -> None:
    history = four_words()
    size = history.vocabulary_size(len(history))
    colours = token_colours(history, np.arange(size)).tolist()
    open_page(shown, tmp_path, player_page.player_page(history, TEXT))
    for position in range(len(history) + 1):
        shown.evaluate(MOVE % position)
        for token, colour in shown.evaluate(
            "[...document.querySelectorAll('[data-id][data-colour]')].map("
            "token => [Number(token.dataset.id), Number(token.dataset.colour)])"
        ):
            assert colour == colours[token]


@in_a_browser
def test_the_address_says_where_it_begins_and_that_it_is_in_a_slide(
    shown: Browser, tmp_path: Path
) -> None:
    open_page(shown, tmp_path, player_page.player_page(four_words(), TEXT))
    seen = """[...document.querySelectorAll('header, section, button, select, #text, #slider')]
        .filter(part => part.getClientRects().length).map(part => part.id || part.localName)"""
    for hash_, place in (("merge=7", "7 / 15"), ("merge=99", "15 / 15"), ("merge=x", "15 / 15")):
        shown.evaluate(GO % hash_)
        assert text_of(shown, "place") == place
    shown.evaluate(GO % "embed&merge=3")
    assert text_of(shown, "place") == "3 / 15"
    assert shown.evaluate(seen) == ["section", "text", "play", "slider"]
    shown.resize(390, 300)
    # The buttons of the page itself would take a second row.
    assert shown.evaluate("new Set([...document.querySelectorAll('#play, #slider, #place')].map("
        "part => Math.round(part.getBoundingClientRect().bottom / 40))).size") == 1, "one row"


@in_a_browser
def test_letters_are_as_large_as_the_text_leaves_room_for(shown: Browser, tmp_path: Path) -> None:
    open_page(shown, tmp_path, player_page.player_page(four_words(), "low lower " * 4))
    size = "parseFloat(getComputedStyle(document.getElementById('text')).fontSize)"
    hidden = """[...document.querySelectorAll('section')].filter(one => one.offsetParent
        && (one.scrollHeight > one.clientHeight || one.scrollWidth > one.clientWidth)).length"""
    for hash_ in ("", "embed"):
        shown.evaluate(f"new Promise(done => {{ location.hash = '{hash_}'; setTimeout(done); }})")
        for width, height in ((1280, 720), (1920, 1080), (1024, 700)):
            shown.resize(width, height)
            shown.evaluate("new Promise(requestAnimationFrame)")
            assert shown.evaluate(hidden) == 0, "no scroll bar"
    large = shown.evaluate(size)
    assert large > 30, "in a slide"
    shown.evaluate("""document.getElementById('typed').value = 'low lower '.repeat(60);
        document.getElementById('typed').dispatchEvent(new Event('input'))""")
    assert shown.evaluate(size) < large


@in_a_browser
def test_large_counts_have_room(shown: Browser, tmp_path: Path) -> None:
    words = [(word, 12_345) for word in ("there", "thing", "\u3042")]
    history = trained(words, preset("gpt2"))
    open_page(shown, tmp_path, player_page.player_page(history, TEXT))
    shown.evaluate(GO % "merge=3")
    section = "document.getElementById('merges').closest('section')"
    for width, height in ((1280, 720), (1920, 1080), (1024, 700)):
        shown.resize(width, height)
        assert shown.evaluate(f"{section}.scrollWidth - {section}.clientWidth") <= 0


@in_a_browser
def test_a_sentence_is_in_sight_before_the_first_merge(shown: Browser, tmp_path: Path) -> None:
    open_page(shown, tmp_path, player_page.player_page(four_words(), "low lower newest " * 5))
    shown.resize(1280, 720)
    shown.evaluate("new Promise(requestAnimationFrame)")
    section = "document.getElementById('text').parentElement"
    assert shown.evaluate(f"{section}.scrollHeight - {section}.clientHeight") <= 0


@in_a_browser
def test_it_begins_slowly_and_gets_ever_faster_as_in_the_window(
    shown: Browser, tmp_path: Path
) -> None:
    open_page(shown, tmp_path, player_page.player_page(invented(100), TEXT))
    speed = "document.getElementById('speed')"
    chosen = f"{speed}.selectedOptions[0].textContent"
    for position, faster in ((0, "1 in 2 seconds"), (9, "2 a second"), (60, "20 a second")):
        shown.evaluate(f"{speed}.value = 0")
        shown.evaluate(GO % f"merge={position}")
        assert shown.evaluate(chosen) == "Ever faster"
        shown.press("+")
        assert shown.evaluate(chosen) == faster


@in_a_browser
def test_the_text_of_a_story_is_in_sight_on_a_laptop(shown: Browser, tmp_path: Path) -> None:
    history = train_corpus(sample("story-english"), preset("whitespace"), lambda *_: None)
    text = TEXTS_OF_SAMPLES["story-english"]
    open_page(shown, tmp_path, player_page.player_page(history, text))
    section = "document.getElementById('text').parentElement"
    last = """(() => {
        const [before, end] = [...document.querySelectorAll('#text .token')].slice(-2);
        return end.getBoundingClientRect().top - before.getBoundingClientRect().top; })()"""
    for width, height in ((1280, 720), (1366, 640), (1024, 700)):
        shown.resize(width, height)
        shown.evaluate("new Promise(requestAnimationFrame)")
        assert shown.evaluate(f"{section}.scrollHeight - {section}.clientHeight") <= 0
        assert shown.evaluate(last) == 0, "the end of a word is in the line of the word"
    shown.resize(1280, 720)
    shown.evaluate(GO % "merge=60")
    lines = """Math.max(...[...document.querySelectorAll('#merges td:nth-child(2)')].map(cell => {
        const range = document.createRange(); range.selectNodeContents(cell);
        return range.getClientRects().length; }))"""
    assert shown.evaluate(lines) == 1, "no token is broken"


@in_a_browser
def test_bars_have_a_third_of_the_chart_and_all_pairs_are_in_sight(
    shown: Browser, tmp_path: Path
) -> None:
    history = byte_level("the cat sat on the mat and the dog sat on the log while it rained " * 3)
    open_page(shown, tmp_path, player_page.player_page(history, "the cat"))
    shown.resize(1280, 720)
    box = "document.querySelector('%s').getBoundingClientRect().%s"
    assert shown.evaluate("document.querySelectorAll('#pairs li').length") == 20
    inner = shown.evaluate(box % ("#pairs", "width"))
    assert shown.evaluate(box % ("#pairs .winner .bar", "width")) > 0.3 * inner
    last = shown.evaluate(box % ("#pairs li:last-child", "bottom"))
    assert last <= shown.evaluate(box % ("section", "bottom"))


@in_a_browser
def test_on_a_phone_the_text_is_in_sight(shown: Browser, tmp_path: Path) -> None:
    open_page(shown, tmp_path, player_page.player_page(four_words(), TEXT))
    shown.resize(390, 844)
    box = "document.getElementById('%s').getBoundingClientRect().%s"
    assert shown.evaluate(box % ("text", "bottom")) < shown.evaluate(box % ("story", "top")) < 844
    assert shown.evaluate("document.documentElement.scrollWidth") <= 390


@in_a_browser
def test_a_page_can_fetch_nothing_and_run_nothing_else(shown: Browser, tmp_path: Path) -> None:
    open_page(shown, tmp_path, player_page.player_page(four_words(), TEXT))
    tries = """(async () => {
        const refusals = [];
        document.addEventListener('securitypolicyviolation',
            event => refusals.push(event.effectiveDirective));
        const made = document.createElement('script');
        made.textContent = 'window.broken = true';
        document.body.append(made);
        const image = new Image();
        const refused = new Promise(done => { image.onerror = () => done(true); });
        image.src = 'https://example.org/x.png';
        document.body.append(image);
        const fetched = await fetch('https://example.org/').then(() => true, () => false);
        return [Boolean(window.broken), fetched, await refused, refusals.sort()];
    })()"""
    refusals = ["connect-src", "img-src", "script-src-elem"]
    assert shown.evaluate(tries) == [False, False, True, refusals]


@in_a_browser
def test_a_small_window_and_a_large_run(shown: Browser, tmp_path: Path) -> None:
    history = invented(3000)
    page = player_page.player_page(history, SCRIPTS * 20)
    assert len(page.encode()) < 2_000_000
    shown.resize(1024, 700)
    open_page(shown, tmp_path, page)
    wide = "document.documentElement.scrollWidth <= innerWidth"
    assert shown.evaluate(wide)
    for position in (3000, 1, 63, 64, 65, 2047, 130):
        shown.evaluate(GO % f"merge={position}")
        pairs = shown.evaluate(
            "[...document.querySelectorAll('#pairs li')].map(row => Number(row.dataset.left))"
        )
        assert pairs == history.top(position).left.tolist()
    shown.resize(360, 640)
    assert shown.evaluate(wide)


# -- without a browser ---------------------------------------------------------------------


ROWS = st.lists(
    st.tuples(st.integers(0, 9), st.integers(0, 9), st.integers(1, 9)), max_size=20, unique=True
)


@given(ROWS, ROWS)
def test_pairs_follow_from_those_before(
    before: list[tuple[int, int, int]], after: list[tuple[int, int, int]]
) -> None:
    told = changes(before, after)
    pairs: list[tuple[int, ...]] = []
    while told:
        if told[0] < 0:
            first, length = divmod(-1 - told.pop(0), 32)
            pairs += before[first : first + length]
        else:
            pairs.append(tuple(told[:3]))
            del told[:3]
    assert pairs == after


@given(st.text(max_size=30))
def test_no_text_breaks_out_of_its_place(text: str) -> None:
    page = player_page.player_page(four_words(3), text + HOSTILE, title=text + HOSTILE)
    assert page.count("<script") == page.count("</script>") == 2
    assert data_in(page)["text"]["shown"] == text + HOSTILE


def test_half_characters_and_a_long_text() -> None:
    page = player_page.player_page(four_words(), "\ud800" + "low " * 2000)
    shown = data_in(page)["text"]
    assert shown["shown"].startswith("\ufffdlow low")
    assert len(shown["shown"]) == player_page.MAX_TEXT
    assert shown["note"] == "The first 5,000 of 8,001 characters."


def test_what_cannot_be_played(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(PageError, match="the run has 15 merges: a part of it from 3 to 2"):
        player_page.player_page(four_words(), "", start=3, stop=2)
    with pytest.raises(PageError, match="from 0 to 16"):
        player_page.player_page(four_words(), "", stop=16)
    monkeypatch.setattr(player_page, "MAX_BYTES", 1000)
    with pytest.raises(PageError, match=r"that plays 15 merges would have .* kB, and 1,000"):
        player_page.player_page(four_words(), "")


def test_the_colours_are_those_of_the_schemes() -> None:
    style = resource("player", "player.css").read_text()
    light, dark = style.split("prefers-color-scheme: dark")
    for theme, part in ((LIGHT, light), (DARK, dark.split("box-sizing")[0])):
        found = dict(re.findall(r"--([a-z0-9-]+): (#[0-9a-f]{6});", part))
        assert found == expected_colours(theme)


def expected_colours(theme: Theme) -> dict[str, str]:
    names = ("window", "panel", "raised", "text", "muted", "accent", "error", "grid", "border")
    colours = {name: getattr(theme, name) for name in names}
    fills = theme.token_fills.of_tokens
    colours |= {f"token-{number}": colour for number, colour in enumerate(fills)}
    return {
        **colours,
        "on-accent": theme.on_accent,
        "token-text": theme.token_text,
        "token-muted": theme.token_muted,
    }


def test_the_page_says_what_it_needs() -> None:
    page = player_page.player_page(four_words(), TEXT)
    assert "default-src 'none'" in page
    assert unicodedata.is_normalized("NFC", page)
    assert not re.search(r"@(policy|version|title|style|script|data)@", page)
    assert not re.search(r"(src|href)=", page)


# -- a text of one's own -----------------------------------------------------------------------

TYPE = """(() => { const typed = document.getElementById('typed'); typed.value = %s;
    typed.dispatchEvent(new Event('input', { bubbles: true })); })()"""
ODD = "sſ’ǅʰªÀàनु٣²½ \t\n\r\u0085\u00a0\u2028\ufeff\x1c\x00.,!/_-€🙂שк中"
CASES = st.sampled_from(f"aAeEtThlow'{ODD}")
TYPED = st.lists(CASES | st.characters(exclude_categories=("Cs",)), max_size=30).map("".join)
CORPUS = "The cat's hat isn't THE hat we'Ll see; it'S 12345 l'été  où:\r\n\n  ९९९ אבג €uro/x\n" * 3


@in_a_browser
@pytest.mark.parametrize("split", ["gpt2", "cl100k", "o200k", "whitespace", "none"])
def test_a_typed_text_is_tokenized_as_we_do_it(
    shown: Browser, tmp_path: Path, split: str
) -> None:
    recipe = Recipe(name=split, split=split, merges=60)
    if split == "whitespace":
        recipe = preset("whitespace").with_changes(vocabulary_size=None, merges=60)
    (tmp_path / "corpus.txt").write_text(CORPUS, encoding="utf-8", newline="")
    history = train_corpus(Corpus([tmp_path / "corpus.txt"]), recipe, lambda *_: None)
    open_page(shown, tmp_path, player_page.player_page(history, "the cat"))

    @settings(max_examples=settings.default.max_examples // 3)
    @given(TYPED, st.integers(0, len(history)))
    @example(CORPUS, len(history))
    @example("it'ſ aaaaa\n\n/ \n", 50)
    def check(text: str, position: int) -> None:
        # So a browser has what is typed.
        text = text.replace("\r\n", "\n").replace("\r", "\n")
        shown.evaluate(TYPE % json.dumps(text))
        shown.evaluate(MOVE % position)
        tokens = Tokenizer(history, position).encode(text)
        assert [token for token, _ in shown.evaluate(TOKENS)] == tokens.ids.tolist()

    check()
    assert shown.errors == []


@in_a_browser
@pytest.mark.parametrize("name", ["joined", "normalized"])
def test_where_it_cannot_be_done_exactly_nothing_is_typed(
    shown: Browser, tmp_path: Path, name: str
) -> None:
    make, text = RUNS[name]
    open_page(shown, tmp_path, player_page.player_page(make(), text))
    hidden = "['own', 'no-typing'].map(name => document.getElementById(name).hidden)"
    assert shown.evaluate(hidden) == [True, False]


@in_a_browser
@pytest.mark.parametrize("still", [True, False])
def test_a_new_token_slides_together_on_a_step(
    shown: Browser, tmp_path: Path, still: bool
) -> None:
    page = player_page.player_page(four_words(), TEXT)
    open_page(shown, tmp_path, page, still=still)
    press = "document.dispatchEvent(new KeyboardEvent('keydown', { key: '%s', bubbles: true }))"
    moving = """[[...document.querySelectorAll('.joins')].map(token => token.textContent),
        document.getAnimations().length > 0]"""
    assert shown.evaluate(moving)[0] == []
    shown.evaluate(press % "ArrowRight")
    words, animated = shown.evaluate(moving)
    assert words == ["es", "es"]
    assert animated is not still
    shown.evaluate(press % "End")
    assert shown.evaluate(moving)[0] == [], "a leap is no step"


@in_a_browser
@pytest.mark.parametrize("position", [1, 2], ids=["es + t", "est + </w>"])
def test_a_new_token_begins_as_the_two_that_it_is_made_of(
    shown: Browser, tmp_path: Path, position: int
) -> None:
    """Where they were and with their colours; at its end it is where it stays."""
    history = four_words()
    open_page(shown, tmp_path, player_page.player_page(history, "newest"), still=False)
    boxes = """[...document.querySelectorAll('%s')].map(token => {
        const { left, right } = token.getBoundingClientRect();
        return [token.textContent, getComputedStyle(token).backgroundColor,
            Math.round(left), Math.round(right)]; })"""
    at = "document.getAnimations().forEach(motion => { motion.pause(); motion.currentTime = %d; })"
    press = "document.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight' })); "
    for place in (len(history), position):  # no step
        shown.evaluate(MOVE % place)
    pair = [history.id_to_token(side[position]) for side in (history.left, history.right)]
    parts = [box for box in shown.evaluate(boxes % ".token") if box[0] in pair]
    assert len(parts) == 2
    shown.evaluate(press + at % 0)
    assert shown.evaluate(boxes % ".part") == parts
    shown.evaluate(at % 399)
    moved = shown.evaluate(boxes % ".joins")
    shown.evaluate(MOVE % (position + 1))
    assert moved == [box for box in shown.evaluate(boxes % ".token") if box[0] == "".join(pair)]


@in_a_browser
def test_the_star_is_explained_while_a_merge_follows(shown: Browser, tmp_path: Path) -> None:
    words = WordCounts.from_pairs(list(FOUR_WORDS), preset("whitespace"))
    trainer = Trainer(words, preset("whitespace"), compiled=False)
    trainer.advance(10_000)
    history = trainer.history
    open_page(shown, tmp_path, player_page.player_page(history, TEXT))
    seen = "!document.getElementById('next').hidden"
    assert shown.evaluate(seen)
    shown.evaluate(MOVE % len(history))
    assert not shown.evaluate(seen)


@in_a_browser
@pytest.mark.parametrize("still", [True, False])
def test_the_bar_of_a_merged_pair_drains_into_what_is_new(
    shown: Browser, tmp_path: Path, still: bool
) -> None:
    open_page(shown, tmp_path, player_page.player_page(four_words(), TEXT), still=still)
    press = "document.dispatchEvent(new KeyboardEvent('keydown', { key: '%s', bubbles: true }))"
    pairs = """[...document.querySelectorAll('#pairs li')].map(row =>
        [Number(row.dataset.left), Number(row.dataset.right), row.lastChild.textContent])"""
    counters = """['place', 'text-counts', 'merges', 'vocabulary', 'tokens'].map(id =>
        document.getElementById(id).textContent)"""
    drops = "document.querySelectorAll('#pairs .drop').length"
    before, counted = shown.evaluate(pairs), shown.evaluate(counters)
    shown.evaluate(f"""(() => {{ window.told = [];
        const place = document.getElementById('place');
        new MutationObserver(() => window.told.push([place.textContent, {drops}]))
            .observe(place, {{ childList: true }}); }})()""")
    # In one breath: what is seen is over after a moment.
    pressed = press % "ArrowRight"
    star = "document.getElementById('next').textContent"
    assert shown.evaluate(star) == "★ merged next"
    during, then, made, starred = shown.evaluate(
        f"({pressed}, [{pairs}, {counters}, {drops}, {star}])"
    )
    top = four_words().top(1)
    after = [list(pair) for pair in zip(top.left.tolist(), top.right.tolist(), strict=True)]
    if not still:
        assert [row[:2] for row in during] == [row[:2] for row in before]
        assert [row[2] for row in during[:4]] == ["9→0", "9→0", "9", "8→2"], "none halfway"
        assert then == counted
        assert made == 3, "es + t, w + es and d + es"
        assert starred == "★ merged now"
    shown.wait_for(f"JSON.stringify({pairs}.map(row => row.slice(0, 2))) === '{_json(after)}'")
    assert shown.evaluate(drops) == 0
    assert shown.evaluate(star) == "★ merged next"
    if not still:
        assert ["1 / 15", 3] in shown.evaluate("window.told"), "the numbers change with the tokens"
    assert all(now != then for now, then in zip(shown.evaluate(counters), counted, strict=True))
    shown.evaluate(press % "End")
    assert shown.evaluate(drops) == 0, "a leap is no step"


@in_a_browser
def test_counts_before_and_after_a_merge_are_beside_each_other(
    shown: Browser, tmp_path: Path
) -> None:
    history = trained([("newest", 2000), ("low", 500)], preset("whitespace"))
    open_page(shown, tmp_path, player_page.player_page(history, TEXT), still=False)
    gaps = shown.evaluate("""(() => {
        document.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true }));
        return [...document.querySelectorAll('#pairs .before')].map(before => {
            const after = document.createRange();
            after.selectNode(before.nextSibling);
            return after.getBoundingClientRect().left - before.getBoundingClientRect().right;
        }); })()""")
    assert gaps
    assert all(abs(gap) < 1 for gap in gaps)


@in_a_browser
def test_nothing_that_moves_is_seen_above_the_controls(shown: Browser, tmp_path: Path) -> None:
    shown.resize(900, 500)
    open_page(shown, tmp_path, player_page.player_page(four_words(), TEXT), still=False)
    above = shown.evaluate("""(() => {
        document.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true }));
        const top = document.querySelector('footer').getBoundingClientRect().top;
        const inside = (box) => [box.left + box.width / 2, box.bottom - 3];
        return [...document.querySelectorAll('#pairs .before')]
            .map(one => [one, ...inside(one.getBoundingClientRect())])
            .filter(([one, x, y]) => y > top && y < innerHeight)
            .map(([one, x, y]) => document.elementFromPoint(x, y) === one); })()""")
    assert above
    assert not any(above)


@in_a_browser
def test_the_scale_of_the_bars_is_kept_as_in_the_window(shown: Browser, tmp_path: Path) -> None:
    history = four_words()
    open_page(shown, tmp_path, player_page.player_page(history, "low"))
    leader = """(() => { const bar = document.querySelector('#pairs .bar');
        return bar.getBoundingClientRect().width
            / bar.parentElement.getBoundingClientRect().width; })()"""
    shown.press("End")
    for position in reversed(range(len(history))):
        shown.press("ArrowLeft")
        count = int(history.top(position).count[0])
        drawn = scale_of([count], steady_end(history, position)).length(count)
        assert shown.evaluate(leader) == pytest.approx(drawn, abs=0.02), position


def _json(pairs: list[list[int]]) -> str:
    return json.dumps(pairs, separators=(",", ":"))


@in_a_browser
def test_bars_of_counts_that_are_alike_are_in_proportion(shown: Browser, tmp_path: Path) -> None:
    counts = (238, 210, 184)
    history = trained(
        [("ab", counts[0]), ("cd", counts[1]), ("ef", counts[2])], preset("whitespace")
    )
    scale = scale_of(history.top(0).count.tolist())
    open_page(shown, tmp_path, player_page.player_page(history, "ab cd ef"))
    lengths = """[...document.querySelectorAll('#pairs .bar')].map(bar =>
        bar.getBoundingClientRect().width / bar.parentElement.getBoundingClientRect().width)"""
    drawn = [scale.length(count) for count in history.top(0).count.tolist()]
    assert shown.evaluate(lengths) == pytest.approx(drawn, abs=0.02)
