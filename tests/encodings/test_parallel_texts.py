"""The parallel text: the same in all languages, each in its script, cleanly written."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter

import pytest
import regex

from bpe_gui.encodings.parallel_texts import Language, joined, languages

SCRIPTS = {
    "ru": "Cyrillic",
    "el": "Greek",
    "ar": "Arabic",
    "he": "Hebrew",
    "hi": "Devanagari",
    "bn": "Bengali",
    "zh": "Han",
    "ja": "Hiragana|Katakana|Han",
    "ko": "Hangul",
    "th": "Thai",
}
"""Those that are not written in Latin letters."""

each_language = pytest.mark.parametrize("language", languages().values(), ids=languages())


def test_there_are_many_languages_and_scripts() -> None:
    assert next(iter(languages())) == "en"
    assert len(languages()) >= 12
    assert SCRIPTS.keys() < languages().keys()
    for what in ("name", "own_name", "sentences"):
        counts = Counter(getattr(language, what) for language in languages().values())
        assert set(counts.values()) == {1}, what


@each_language
def test_the_story_has_as_many_sentences_in_each(language: Language) -> None:
    assert len(language.sentences) == len(languages()["en"].sentences)
    assert 8 <= len(language.sentences) <= 12
    assert language.text.split("\n") == list(language.sentences)


@each_language
def test_it_is_cleanly_written(language: Language) -> None:
    for sentence in (language.name, language.own_name, *language.sentences):
        assert sentence == unicodedata.normalize("NFC", sentence)
        assert sentence == sentence.strip()
        assert sentence
        assert "  " not in sentence
        stray = [c for c in sentence if unicodedata.category(c) in {"Cc", "Cf", "Co", "Cn", "Zl"}]
        assert not stray


@each_language
def test_each_is_written_in_its_own_script(language: Language) -> None:
    scripts = SCRIPTS.get(language.code, "Latin")
    own = "".join(rf"\p{{Script={name}}}" for name in scripts.split("|"))
    for text in (language.own_name, language.text):
        letters = "".join(regex.findall(r"\p{L}", text))
        assert letters
        assert not regex.sub(rf"[{own}]|\p{{Script=Common}}", "", letters)


@each_language
def test_each_holds_the_number_and_the_quotation(language: Language) -> None:
    numbers = [[int(n) for n in re.findall(r"\d+", sentence)] for sentence in language.sentences]
    assert numbers == [[12] if place == 3 else [] for place in range(len(numbers))]
    quoted = ["!" in sentence or "！" in sentence for sentence in language.sentences]
    assert quoted == [place == 5 for place in range(len(quoted))]
    assert re.search("[“”„«»「」\"]", language.sentences[5])


@pytest.mark.parametrize("codes", [None, ["th", "en", "zh"], ["fr"], []])
def test_stretches_of_the_joined_text(codes: list[str] | None) -> None:
    whole = joined(codes)
    wanted = list(languages()) if codes is None else codes
    assert list(whole.stretches) == wanted
    data = whole.text.encode()
    for code, stretch in whole.stretches.items():
        assert data[stretch.start : stretch.end].decode() == languages()[code].text
        assert whole.text[stretch.char_start : stretch.char_end] == languages()[code].text
    assert whole.text == "\n\n".join(languages()[code].text for code in wanted)


def test_a_language_that_is_not_there() -> None:
    with pytest.raises(KeyError):
        joined(["tlh"])
