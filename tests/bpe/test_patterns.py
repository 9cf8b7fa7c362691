"""Regexes from outside end in time, and say whose time they took."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from threading import Thread

import pytest

from bpe_gui.bpe.corpus import Corpus
from bpe_gui.bpe.patterns import compiled, deadline, matches, watched
from bpe_gui.bpe.recipe import Recipe, Replace
from bpe_gui.bpe.recipe_error import PatternError, PatternTimeoutError
from bpe_gui.bpe.split import PATTERNS, matched_pattern
from bpe_gui.bpe.words import CountingCancelled, count_corpus

EXPLODING = "(?:a|aa)+b"
LONG = "a" * 3_000_000


class GivenUpError(Exception):
    """What a test's check raises."""


def found(pattern: str, text: str) -> int:
    return sum(1 for _ in matches(compiled(pattern), text, deadline(len(text))))


def seconds(what: Callable[[], object]) -> float:
    begin = time.monotonic()
    what()
    return time.monotonic() - begin


def test_one_match_that_takes_too_long_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bpe_gui.bpe.patterns._SECONDS_A_MATCH", 0.05)

    def match() -> None:
        with pytest.raises(PatternTimeoutError, match=r"takes too long for this text, 'aaaa"):
            found(EXPLODING, "a" * 5000)

    assert seconds(match) < 2


def test_the_place_that_takes_too_long_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bpe_gui.bpe.patterns._SECONDS_A_MATCH", 0.05)
    with pytest.raises(PatternTimeoutError, match=r"this text at character 1,001, 'aaaa"):
        found(rf"{EXPLODING}|\w", "x" * 1000 + "a" * 5000)


@pytest.mark.parametrize("pattern", [EXPLODING, "a"])
def test_a_thread_that_must_not_wait_does_not(pattern: str) -> None:
    def match() -> None:
        with watched(0.05), pytest.raises(PatternTimeoutError, match="takes too long"):
            found(pattern, LONG)

    assert seconds(match) < 1
    assert found("a", "aaa") == 3, "it is over"


def test_a_watch_within_another_makes_the_time_only_shorter() -> None:
    def match() -> None:
        with watched(0.05), watched(100), pytest.raises(PatternTimeoutError):
            found("a", LONG)

    assert seconds(match) < 1
    with watched(0), pytest.raises(PatternTimeoutError):
        found("a", "aaa")


def test_only_its_own_thread_is_watched() -> None:
    counts: list[int] = []
    with watched(0):
        thread = Thread(target=lambda: counts.append(found("a", "aaa")))
        thread.start()
        thread.join()
    assert counts == [3]


def test_somebody_is_asked_between_matches() -> None:
    asked = 0

    def check() -> None:
        nonlocal asked
        asked += 1
        if asked == 2:
            raise GivenUpError

    with watched(check=check), pytest.raises(GivenUpError):
        found("a", LONG)


@pytest.mark.parametrize(
    "recipe",
    [Recipe(split="regex:a"), Recipe(normalizers=(Replace("a", "b"),)), Recipe(split="digits")],
)
@pytest.mark.parametrize("threads", [1, 2])
def test_reading_a_corpus_is_given_up_while_a_regex_is_matched(
    recipe: Recipe, threads: int, tmp_path: Path
) -> None:
    path = tmp_path / "corpus.txt"
    path.write_text("a1" * 5_000_000)
    begin = time.monotonic()
    with pytest.raises(CountingCancelled):
        count_corpus(
            Corpus([path]),
            recipe,
            cancelled=lambda: time.monotonic() > begin + 0.3,
            threads=threads,
        )
    assert time.monotonic() - begin < 2


@pytest.mark.parametrize(
    "pattern",
    ["a{99999999}", "(?:(?:ab{99}){99}){99}", "[a-z]{999999999999999999999}", r"\w{1000000,}"],
)
def test_patterns_that_would_take_all_memory_are_refused(pattern: str) -> None:
    with pytest.raises(PatternError, match="repeats so often that it has"):
        compiled(pattern)


def test_patterns_in_use_are_not_refused() -> None:
    for pattern in (*PATTERNS.values(), matched_pattern("scripts"), "a{0,99999999}"):
        assert pattern is not None
        assert compiled(pattern).pattern == pattern
    assert compiled(r"\{99999999}[{99999999}]").fullmatch("{99999999}{")
