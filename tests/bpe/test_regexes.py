"""Regexes from outside end in time, and say whose time they took."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Thread
from time import thread_time
from typing import cast

import pytest
import regex
from hypothesis import example, given
from hypothesis import strategies as st

from bpe_gui.bpe import regexes
from bpe_gui.bpe.corpus import Corpus
from bpe_gui.bpe.errors import Cancelled, PatternError, PatternTimeoutError
from bpe_gui.bpe.pre_tokenize import PATTERNS, SCRIPTS_PATTERN
from bpe_gui.bpe.recipe import Recipe, Replace
from bpe_gui.bpe.regexes import compiled, spans, timeout
from bpe_gui.bpe.words import count_corpus

EXPLODING = "(?:a|aa)+b"
LONG = "a" * 250_000
LONGER = "a" * 20_000_000
"""No machine matches so many characters, one by one, within a tenth of a second."""

TEXTS = st.text(st.sampled_from("aab \n\r\u0301é👍🏽"), max_size=12)
PARTS = (
    *("a", "b", ".", r"\s", r"\w", r"\X", "[^a]", "$", "^", r"\b", r"\B", r"\G", r"\K", "é", "(b)"),
    *("(?<=a)", "(?<!a)", "(?=b)", "(?!a)", "(?<=[a-b])", "(?<=^a)", r"(?<=\X)", "(?<=a|é.)", "|"),
    *("a*", "a+?", "b?", r"\s*+", ".{2}", "(?:aa){e<=1}", "(?m:^)", "(?i:B)", "(?>a|aa)"),
)
"""What patterns are made of: much that is empty, or looks at what is before it."""
PATTERNS_OF_PARTS = st.lists(st.sampled_from(PARTS), min_size=1, max_size=5).map("".join)


class SlowPattern:
    """A pattern on a machine so slow that a match, or seeing that there is none, takes 50 ms."""

    def __init__(self, pattern: str) -> None:
        self.pattern = pattern

    def finditer(
        self, text: str, pos: int, *, timeout: float, concurrent: bool
    ) -> Iterator[regex.Match[str]]:
        left = round(timeout / 0.05)
        for match in compiled(self.pattern).finditer(text, pos, concurrent=concurrent):
            left -= 1
            if left < 0:
                raise TimeoutError
            yield match
        if left < 1:
            raise TimeoutError


class GivenUpError(Exception):
    """What a test's check raises."""


def found(pattern: str, text: str) -> int:
    return len(spans(compiled(pattern), text))


@given(PATTERNS_OF_PARTS, TEXTS)
@example("a*", "aab")
@example(r"\b", "a b")
@example(r"(?<=a)b?", "abab")
@example(r"\Ga?", "aab")
@example("(?r)a", "ba")
def test_the_matches_are_those_of_the_module_however_often_time_is_over(
    pattern: str, text: str
) -> None:
    slow = cast("regex.Pattern[str]", SlowPattern(pattern))
    for group in range(compiled(pattern).groups + 1):
        expected = [list(match.span(group)) for match in compiled(pattern).finditer(text)]
        assert spans(compiled(pattern), text, group=group).tolist() == expected
        assert spans(slow, text, group=group).tolist() == expected


@pytest.fixture(params=[0.2, 50])
def times_slower(request: pytest.FixtureRequest) -> Iterator[float]:
    """How many times slower a machine is, whose slowness has not been measured yet."""
    regexes.slowness.cache_clear()
    yield request.param
    regexes.slowness.cache_clear()


@pytest.mark.parametrize(
    ("seconds", "is_refused"),
    [
        (lambda _: 20e-6, False),
        (lambda place: 0.5 * (place % 10_000 == 0), False),
        (lambda place: 0.8 * (place == 19_999), False),
        (lambda _: 1e-3, True),
        (lambda _: 0.5, True),
        (lambda place: 2.0 * (place == 19_999), True),
    ],
)
def test_what_is_refused_does_not_depend_on_the_machine(
    seconds: Callable[[int], float],
    is_refused: bool,
    times_slower: float,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Machine(SlowPattern):
        """Takes some time for the match at a place, before it finds it."""

        now = 0.0

        def finditer(
            self, text: str, pos: int, *, timeout: float, concurrent: bool
        ) -> Iterator[regex.Match[str]]:
            until = self.now + timeout
            for match in compiled(self.pattern).finditer(text, pos, concurrent=concurrent):
                self.now += times_slower * seconds(match.start())
                if self.now >= until:
                    self.now = until
                    raise TimeoutError
                yield match

    machine = Machine(".")
    monkeypatch.setattr(regexes, "slowness", lambda: times_slower)
    monkeypatch.setattr(regexes, "processor_time", lambda: machine.now)
    pattern = cast("regex.Pattern[str]", machine)
    if is_refused:
        with pytest.raises(PatternTimeoutError):
            spans(pattern, "a" * 20_000)
    else:
        assert len(spans(pattern, "a" * 20_000)) == 20_000


def test_matches_that_are_all_slow_are_refused_on_every_machine(
    times_slower: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(regexes, "processor_time", lambda: times_slower * thread_time())
    monkeypatch.setattr(regexes, "SECONDS_A_MATCH", 0.25)
    with pytest.raises(PatternTimeoutError, match=r"'\(a\+\)\+b\|\.' takes too long for this text"):
        found("(a+)+b|.", "a" * 5000 + "!")


@pytest.mark.parametrize(("pattern", "matches"), [("a", len(LONG)), ("", len(LONG) + 1), ("b", 0)])
def test_many_matches_are_refused_on_no_machine(
    pattern: str, matches: int, times_slower: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(regexes, "processor_time", lambda: times_slower * thread_time())
    assert found(pattern, LONG) == matches


def test_the_place_that_takes_too_long_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(regexes, "SECONDS_A_MATCH", 0.05)
    with pytest.raises(PatternTimeoutError, match=r"this text at character 1,001, 'aaaa"):
        found(rf"{EXPLODING}|\w", "x" * 1000 + "a" * 5000)


@pytest.mark.parametrize(
    ("pattern", "text"), [("(?r)a", "aa"), (r"(?<=\Ka)", "aa"), (r"(?=a\K)", "a")]
)
def test_matches_that_do_not_follow_one_another_are_refused(pattern: str, text: str) -> None:
    with pytest.raises(PatternError, match="does not match from left to right"):
        found(pattern, text)


def test_a_match_that_takes_too_much_memory_is_given_up() -> None:
    class Large(SlowPattern):
        def finditer(self, *_: object, **__: object) -> Iterator[regex.Match[str]]:
            raise MemoryError

    with pytest.raises(PatternError, match="'a' takes too much memory for this text, 'aaa'"):
        spans(cast("regex.Pattern[str]", Large("a")), "aaa")


@pytest.mark.parametrize(("pattern", "text"), [(EXPLODING, LONG), ("a", LONGER)])
def test_a_thread_that_must_not_wait_does_not(pattern: str, text: str) -> None:
    with timeout(0.01), pytest.raises(PatternTimeoutError, match="takes too long"):
        found(pattern, text)
    assert found("a", "aaa") == 3, "it is over"


def test_a_watch_within_another_makes_the_time_only_shorter() -> None:
    with timeout(0), timeout(100), pytest.raises(PatternTimeoutError):
        found("a", "aaa")
    with timeout(0), pytest.raises(PatternTimeoutError):
        found("a", "aaa")


def test_only_its_own_thread_is_watched() -> None:
    counts: list[int] = []
    with timeout(0):
        thread = Thread(target=lambda: counts.append(found("a", "aaa")))
        thread.start()
        thread.join()
    assert counts == [3]


@pytest.mark.parametrize(("pattern", "text"), [(EXPLODING, "a" * 5000), ("a", LONGER)])
def test_somebody_is_asked_while_matching_goes_on(pattern: str, text: str) -> None:
    asked = 0

    def check() -> None:
        nonlocal asked
        asked += 1
        if asked == 2:
            raise GivenUpError

    with timeout(check=check), pytest.raises(GivenUpError):
        found(pattern, text)


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
    asked = 0

    def cancelled() -> bool:
        nonlocal asked
        asked += 1
        return asked > 3

    with pytest.raises(Cancelled):
        count_corpus(Corpus([path]), recipe, cancelled=cancelled, threads=threads)


# -- what does not compile -------------------------------------------------------------------


@pytest.mark.parametrize(
    "pattern",
    [
        "a{99999999}",
        r"\w{1000000,}",
        "a{9999}{9999}",
        "[a-z]{999999999999999999999}",
        "(?:(?:ab{99}){99}){99}",
        r"(?:\p{L}{500}){500}",
        "é(?:ab{1000}){5000}",
        "(?x)(?: a{ 1000 } # )\n ){1000}",
        "(?x)(?: a{1000}) # a\n {1000}",
    ],
)
def test_patterns_that_would_take_all_memory_are_refused(pattern: str) -> None:
    with pytest.raises(PatternError, match="repeats so often that it has") as told:
        compiled(pattern)
    assert told.value.position == pattern.rindex("{")


@pytest.mark.parametrize(
    "pattern",
    [
        *PATTERNS.values(),
        SCRIPTS_PATTERN,
        "a{0,99999999}",
        r"\d{1,3}(?:,\d{3})*|\d{4}-\d{2}-\d{2}",
        "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}",
        r"(?:\d{1,3}\.){3}\d{1,3}|\(?0\d{3}\)?",
    ],
)
def test_patterns_in_use_are_not_refused(pattern: str) -> None:
    assert compiled(pattern).pattern == pattern


@pytest.mark.parametrize(
    ("pattern", "place"),
    [("a(?R)?", 1), ("(?P<x>a(?P&x)?)", 7), ("(?<x>a(?&x)?)", 6), ("(a(?1)?)", 2)],
)
def test_patterns_that_call_themselves_are_refused(pattern: str, place: int) -> None:
    with pytest.raises(PatternError, match="calls itself") as told:
        compiled(pattern)
    assert told.value.position == place


@pytest.mark.parametrize(
    ("pattern", "place", "reason"),
    [
        ("abc(def|x", 8, "missing ) at character 9"),
        ("a)", 1, "unbalanced parenthesis at character 2"),
        ("*a", 0, "nothing to repeat at character 1"),
        ("a**", 2, "multiple repeat at character 3"),
    ],
)
def test_the_character_where_compiling_stumbled(pattern: str, place: int, reason: str) -> None:
    with pytest.raises(
        PatternError, match=f"is not a regular expression: {regex.escape(reason)}$"
    ) as told:
        compiled(pattern)
    assert (told.value.position, told.value.reason) == (place, reason)


@given(st.text(alphabet="ab()[]{}\\,?:#xpPNgk<>=|*19^-", max_size=15))
def test_any_pattern_compiles_or_is_refused_with_a_place_in_it(pattern: str) -> None:
    try:
        compiled(pattern)
    except PatternError as error:
        place = error.position
    else:
        return
    assert place in range(len(pattern))
