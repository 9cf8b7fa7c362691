"""Tokens are shown so that nothing of them is hidden."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_gui.analysis.visible import visible, visible_character, visible_pair, visible_text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("", ""),
        ("the", "the"),
        (" the", "␣the"),
        ("a\n\tb\r\n", "a↵⇥b‹CR›↵"),
        ("\x00\x1b\x7f", "‹NUL›‹ESC›‹DEL›"),
        ("é ü", "é␣ü"),
        ("e\u0301", "e\u0301"),
        ("\u0301", "◌\u0301"),
        ("\u0301\u0302", "◌\u0301\u0302"),
        (" \u0301", "␣◌\u0301"),
        ("\u200d\u0301", "‹ZWJ›◌\u0301"),
        ("👩\u200d👧", "👩‹ZWJ›👧"),
        ("❤\ufe0f", "❤‹VS16›"),
        ("a\u00a0b\u202eb", "a‹NBSP›b‹RLO›b"),
        ("\u3000", "‹IDSP›"),
        ("\ufeff", "‹BOM›"),
        ("\ue000", "‹U+E000›"),
        ("\ud800", "‹U+D800›"),
        ("\x81\x85", "‹U+0081›‹NEL›"),
        ("\U0010ffff", "‹U+10FFFF›"),
        ("␣↵", "‹U+2423›‹U+21B5›"),
        ("\U000e0067\U000e0020", "‹TAG g›‹TAG ␣›"),
        ("\U000e0100", "‹VS17›"),
        ("कि", "कि"),
        ("\u093f", "◌\u093f"),
        ("س ل", "س␣ل"),
    ],
)
def test_texts(text: str, shown: str) -> None:
    assert visible_text(text) == shown


@pytest.mark.parametrize(
    ("content", "shown"),
    [
        (b"", ""),
        (b" the", "␣the"),
        ("–".encode()[:2], "0xE2 0x80"),
        ("–".encode()[1:], "0x80 0x93"),
        (b"a\xe2\x80b\xffc", "a 0xE2 0x80 b 0xFF c"),
        ("👩".encode()[:3] + "é".encode(), "0xF0 0x9F 0x91 é"),
        (b"\xed\xa0\x80", "0xED 0xA0 0x80"),
        (b"\xf0\x9f\xff\xe2", "0xF0 0x9F 0xFF 0xE2"),
        (b"\xff\xcc\x81", "0xFF ◌\u0301"),
    ],
)
def test_bytes(content: bytes, shown: str) -> None:
    assert visible(content) == shown


def test_a_combining_mark_has_no_looks_of_its_own() -> None:
    assert visible_character("\u0301") is None
    assert visible_character("x") == "x"
    assert visible_character("\n") == "↵"


@given(st.binary(max_size=30))
def test_bytes_never_raise_and_hide_nothing(content: bytes) -> None:
    shown = visible(content)
    assert bool(shown) == bool(content)
    assert not any(unicodedata.category(c) in ("Cc", "Cf", "Zl", "Zp") for c in shown)


@given(st.text(max_size=30))
def test_texts_are_shown_without_anything_invisible(text: str) -> None:
    shown = visible_text(text)
    for character in shown:
        # A space occurs only within a name; see the marks that have one.
        assert unicodedata.category(character) not in ("Cc", "Cf", "Cs", "Co", "Zl", "Zp")
    assert "\u00a0" not in shown
    assert len(shown) >= len(text)


@given(st.text(alphabet=st.characters(codec="utf-8"), max_size=30))
def test_text_and_its_bytes_look_the_same(text: str) -> None:
    assert visible(text.encode()) == visible_text(text)


@given(st.text(alphabet=st.characters(codec="ascii"), max_size=30))
def test_ascii_is_shown_character_by_character(text: str) -> None:
    """The fast way for ASCII agrees with the marks of the single characters."""
    assert visible_text(text) == "".join(str(visible_character(c)) for c in text)
    assert " " not in visible_text(text)


def test_pairs_keep_their_order_on_the_screen() -> None:
    assert visible_pair(b" t", b"he") == "␣t + he"
    assert visible_pair("ж".encode(), b"\xd0") == "ж + 0xD0"
    assert visible_pair("س".encode(), "ل".encode()) == "\u2068س\u2069 + \u2068ل\u2069"
    assert visible_pair(b"1", "ש".encode()) == "\u20681\u2069 + \u2068ש\u2069"


def test_an_enclosing_mark_with_nothing_in_it_has_its_number() -> None:
    assert visible("1\ufe0f\u20e3".encode()) == "1‹VS16›‹U+20E3›"
    assert visible("1\u20e3".encode()) == "1\u20e3"
