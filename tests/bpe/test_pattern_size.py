"""Patterns that would take all memory when they are compiled are told apart beforehand."""

from __future__ import annotations

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from bpe_gui.bpe.pattern_size import LARGEST, too_large_at
from bpe_gui.bpe.patterns import compiled
from bpe_gui.bpe.recipe_error import PatternError
from bpe_gui.bpe.scripts import SCRIPTS_PATTERN
from bpe_gui.bpe.split import PATTERNS

ATOMS = ("a", "[bc]", "[]x(]", "[^)]", r"\p{L}", r"\)", "(?#()", ".", "é|")


@st.composite
def repeated(draw: st.DrawFn) -> tuple[str, int]:
    """A pattern of nested repeats, and the number of elements it has at least, written out."""
    pattern, size = draw(st.sampled_from(ATOMS)), 1
    for _ in range(draw(st.integers(0, 4))):
        count = draw(st.integers(0, 300))
        kind = draw(st.sampled_from(["{%d}", "{%d,}", "{%d,999}"]))
        around = draw(st.sampled_from(["(?:%s)", "(%s)", "(?P<n>%s)", "(?=%s)", "(?>%s)"]))
        before = draw(st.sampled_from(["", "a", "[)]", "(?#()", r"\("]))
        pattern = (around % (before + pattern)) + kind % count
        size *= max(count, 1)
    return pattern, size


@given(repeated())
def test_no_pattern_that_becomes_too_large_passes(made: tuple[str, int]) -> None:
    pattern, size = made
    if size > LARGEST:
        assert too_large_at(pattern) is not None


@pytest.mark.parametrize(
    ("pattern", "place"),
    [
        ("a{1000000}", 1),
        ("é(?:ab{1000}){5000}", 13),
        ("(?x)(?: a{1000} # (\n ){1000}", 22),
        ("(?V1)(?:a{1000}[[b](]){1000}", 22),
        ("a{9999999999999999999999}", 1),
        ("(?:[]){99999}]b{400}){400}", 21),
    ],
)
def test_the_count_to_blame_is_told(pattern: str, place: int) -> None:
    with pytest.raises(PatternError, match="repeats so often") as told:
        compiled(pattern)
    assert told.value.position == place


@pytest.mark.parametrize(
    "pattern",
    [
        *PATTERNS.values(),
        SCRIPTS_PATTERN,
        r"\d{1,3}(?:,\d{3})*|\d{4}-\d{2}-\d{2}",
        "a{0,1000000}",
        "(?:a{,100000}b?)*",
        r"[{1000000}]{3}",
        "{1000000",
        r"\p{N}{1,3}+",
        ")",
        "(",
        "",
    ],
)
def test_patterns_in_use_pass(pattern: str) -> None:
    assert too_large_at(pattern) is None


@given(st.text(alphabet="a()[]{}\\,?:#x|*19^", max_size=30))
def test_any_text_is_looked_through(pattern: str) -> None:
    if too_large_at(pattern) is None:
        try:
            regex.compile(pattern)
        except regex.error:
            return
