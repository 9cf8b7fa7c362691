"""Normalization against Hugging Face's library and Python's unicodedata."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers.normalizers import BertNormalizer

from bpe_gui.bpe import normalize as module
from bpe_gui.bpe.normalize import STEPS, normalize, normalize_aligned
from bpe_gui.bpe.recipe import NORMALIZERS, PRESETS

SURROGATES = range(0xD800, 0xE000)


LIBRARY = BertNormalizer(
    clean_text=True, handle_chinese_chars=True, strip_accents=False, lowercase=False
)


def _all_characters() -> Iterator[str]:
    """Every code point that a Rust string can hold, 2048 at a time."""
    for start in range(0, 0x110000, 0x800):
        if start not in SURROGATES:
            yield "".join(map(chr, range(start, start + 0x800)))


# Letters with several marks, Hangul, ideographs, controls, emoji and format characters.
INTERESTING = (
    "aZ é\u1e69\u0323\u0307\u0301\u0345q\u0327각힣中𠀀\uf900\t\n\r\x00\x85\u3000\ufffd\xad\u200d👍"
)
TEXTS = st.text(st.one_of(st.sampled_from(INTERESTING), st.characters(codec="utf-8")))
STEP_LISTS = st.lists(st.sampled_from(NORMALIZERS), max_size=3).map(tuple)


def test_steps_are_those_that_recipes_may_name() -> None:
    assert tuple(STEPS) == NORMALIZERS
    assert tuple(module._ALIGNED) == NORMALIZERS


def test_bert_steps_equal_the_library_on_every_code_point() -> None:
    names = PRESETS["char-bpe"].normalizers
    assert names == ("bert-clean", "bert-chinese")
    for characters in _all_characters():
        # A letter between the characters shows where a removed one would have been.
        spaced = "x".join(characters)
        expected = LIBRARY.normalize_str(spaced)
        assert normalize(spaced, names) == expected
        assert normalize_aligned(spaced, names).text == expected


@given(TEXTS)
def test_bert_steps_equal_the_library_on_any_text(text: str) -> None:
    expected = LIBRARY.normalize_str(text)
    assert normalize(text, ("bert-clean", "bert-chinese")) == expected


def test_nfd_and_remove_mn_equal_unicodedata_on_every_code_point() -> None:
    for characters in _all_characters():
        expected = unicodedata.normalize("NFD", characters)
        assert normalize(characters, ("nfd",)) == expected
        assert normalize_aligned(characters, ("nfd",)).text == expected
        bare = "".join(c for c in characters if unicodedata.category(c) != "Mn")
        assert normalize(characters, ("remove-mn",)) == bare
        assert normalize_aligned(characters, ("remove-mn",)).text == bare


def test_lines_preset_takes_accents_off() -> None:
    assert normalize("Crème brûlée, Ångström, Việt Nam", PRESETS["lines"].normalizers) == (
        "Creme brulee, Angstrom, Viet Nam"
    )


@given(st.text(st.sampled_from(INTERESTING)) | st.text())
def test_nfd_equals_unicodedata_on_any_text(text: str) -> None:
    expected = unicodedata.normalize("NFD", text)
    assert normalize(text, ("nfd",)) == expected
    assert normalize_aligned(text, ("nfd",)).text == expected


@given(TEXTS, STEP_LISTS)
def test_aligned_gives_the_same_text_and_well_formed_origins(
    text: str, names: tuple[str, ...]
) -> None:
    aligned = normalize_aligned(text, names)
    assert aligned.text == normalize(text, names)
    if aligned.origins is None:
        assert aligned.text == text
        return
    assert aligned.origins.dtype == np.int64
    assert len(aligned.origins) == len(aligned.text) + 1
    assert aligned.origins[-1] == len(text)
    assert all(0 <= origin < len(text) for origin in aligned.origins[:-1])
    # Each source character made what it makes alone, whatever the order.
    made: dict[int, list[str]] = {}
    for origin, character in zip(aligned.origins[:-1].tolist(), aligned.text, strict=True):
        made.setdefault(origin, []).append(character)
    for index, character in enumerate(text):
        assert sorted(made.get(index, [])) == sorted(normalize(character, names))


@given(st.text(st.sampled_from(INTERESTING)) | st.text())
def test_marks_of_equal_class_keep_their_order(text: str) -> None:
    """Within a run of marks, those of one class stay in the order of their sources."""
    aligned = normalize_aligned(text, ("nfd",))
    if aligned.origins is None:
        return
    last: dict[int, int] = {}
    for origin, character in zip(aligned.origins.tolist(), aligned.text, strict=False):
        combining = unicodedata.combining(character)
        if combining == 0:
            last.clear()
        assert origin >= last.get(combining, 0)
        last[combining] = origin


def test_origins_of_each_step() -> None:
    def origins(text: str, *names: str) -> list[int] | None:
        found = normalize_aligned(text, names).origins
        return None if found is None else found.tolist()

    assert origins("a\x00\tb", "bert-clean") == [0, 2, 3, 4]
    assert origins("a中b", "bert-chinese") == [0, 1, 1, 1, 2, 3]
    assert origins("中", "bert-chinese") == [0, 0, 0, 1]
    assert origins("é!", "nfd") == [0, 0, 1, 2]
    # U+0323 (below, class 220) moves before U+0307 (above, class 230).
    assert normalize("q\u0307\u0323", ("nfd",)) == "q\u0323\u0307"
    assert origins("q\u0307\u0323", "nfd") == [0, 2, 1, 3]
    # Also when the mark that moves comes out of a composed letter: ḋ is d + U+0307.
    assert origins("ḋ\u0323", "nfd") == [0, 1, 0, 2]
    assert origins("a\u0301b", "remove-mn") == [0, 2, 3]
    assert origins("\x00é\x00b", "bert-clean", "nfd", "remove-mn") == [1, 3, 4]
    assert origins("각", "nfd") == [0, 0, 0, 1]


@pytest.mark.parametrize("names", [(), *((name,) for name in NORMALIZERS), NORMALIZERS])
def test_nothing_changes_in_plain_text(names: tuple[str, ...]) -> None:
    for text in ("", "plain text.", "γνώση".replace("ώ", "ω"), "\u0b95"):
        assert normalize(text, names) == text
        assert normalize_aligned(text, names).origins is None


def test_lone_surrogates_stay() -> None:
    assert normalize("\ud800é\udfff", NORMALIZERS) == "\ud800e\udfff"
    assert normalize_aligned("\ud800é\udfff", NORMALIZERS).text == "\ud800e\udfff"


def test_unknown_step_is_named() -> None:
    for function in (normalize, normalize_aligned):
        with pytest.raises(ValueError, match=re.escape("'nfc'; the known ones are bert-clean")):
            function("text", ("nfd", "nfc"))


@given(st.lists(TEXTS), st.sampled_from(NORMALIZERS))
def test_pieces_that_begin_with_an_ascii_character_join_up(pieces: list[str], name: str) -> None:
    pieces = [" " + piece for piece in pieces]
    joined = "".join([normalize(piece, (name,)) for piece in pieces])
    assert joined == normalize("".join(pieces), (name,))


@given(st.text(st.sampled_from("ab é\u0323\u0307ṩ"), max_size=40))
def test_long_texts_are_decomposed_in_parts(text: str) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_PART", 3)
        assert normalize(text, ("nfd",)) == unicodedata.normalize("NFD", text)
