"""The parts of patterns are told apart as the `regex` module tells them."""

from __future__ import annotations

from unittest.mock import patch

import pytest
import regex
from hypothesis import assume, example, given
from hypothesis import strategies as st
from regex import _regex_core

from bpe_gui.bpe.pattern_parts import Kind, call_at, other_syntax, parts
from bpe_gui.bpe.patterns import compiled
from bpe_gui.bpe.recipe_error import PatternError

pieces = st.sampled_from(
    [
        *("a", "R", "(", "(?", ")", ")", "[", "]", "^", "-", "\\", "|", "?", "*", "0", "&x)", "#"),
        *("(?R)", "(?1)", "(?P>x)", "(?P&x)", "(?&x)", "(?-1)", "(?+1)", "(?P<x>", "(?#", "(?:"),
        *("[:alpha:]", "[:", ":]", "[:^sc=Latin:]", "[:a= :]", "{2}", "{", r"\p{L}", r"\N{COMMA}"),
    ]
)
patterns = st.lists(pieces, max_size=12).map("".join)


def calls_of(pattern: str) -> int:
    """How many calls the `regex` module itself finds in a pattern."""
    found = 0

    class Call(_regex_core.CallGroup):  # type: ignore[misc]
        def __init__(self, *arguments: object) -> None:
            nonlocal found
            found += 1
            super().__init__(*arguments)

    with patch.object(_regex_core, "CallGroup", Call):
        regex.compile(pattern, cache_pattern=False)
    return found


@given(patterns)
@example(r"(?#\)[)(?R)]")
@example("[[:a= :](?R)]")
@example("[[:alpha:](?R)]")
@example("[]a](?R)")
@example("[^](?R)]")
def test_calls_are_those_that_the_module_finds(pattern: str) -> None:
    try:
        expected = calls_of(pattern) > 0
    except (regex.error, RecursionError):
        assume(False)
    assert (call_at(pattern) is not None) == expected


@given(patterns)
def test_parts_have_no_gaps(pattern: str) -> None:
    found = list(parts(pattern))
    ends = [0, *(part.end for part in found)]
    assert [*(part.start for part in found), len(pattern)] == ends
    assert all(part.kind is not Kind.UNCLOSED for part in found[:-1])


@pytest.mark.parametrize(
    "pattern", [r"\(?Return|[\s\S]", r"\(?R\w+", "[(?R]+|a", r"\(?0", r"(?#(?R)a"]
)
def test_what_only_looks_like_a_call_is_none(pattern: str) -> None:
    assert call_at(pattern) is None
    assert compiled(pattern).pattern == pattern


@pytest.mark.parametrize(
    ("pattern", "place"),
    [
        ("a(?R)?", 1),
        ("(?P<x>a(?P&x)?)", 7),
        ("(?P<x>a(?P>x)?)", 7),
        ("(?<x>a(?&x)?)", 6),
        ("(a(?1)?)", 2),
        ("((?-1)?a)", 1),
        ("(a(?+1)?(b))", 2),
        ("(?x)(?P<x>a(?P # [\n &x)?)", 11),
        ("(?x) # [\n a(?R)?", 11),
    ],
)
def test_patterns_that_call_themselves_are_refused(pattern: str, place: int) -> None:
    with pytest.raises(PatternError, match="calls itself") as told:
        compiled(pattern)
    assert told.value.position == place


def test_another_syntax_is_told_by_its_flag() -> None:
    assert other_syntax("a(?x) b")
    assert other_syntax("(?iV1)[[a]]")
    assert not other_syntax(r"(?i)\(?x[(?x)](?#(?V1")
