"""The character that is marked in a pattern is the one that is wrong with it."""

from __future__ import annotations

import re

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from bpe_gui.bpe.patterns import compiled
from bpe_gui.bpe.recipe_error import PatternError


@pytest.mark.parametrize(
    ("pattern", "place", "reason"),
    [
        ("abc(def|x", 3, "the ( at character 4 is not closed"),
        ("((", 1, "the ( at character 2 is not closed"),
        ("(a(b)[)]", 0, "the ( at character 1 is not closed"),
        (r"a(?:b\)", 1, "the ( at character 2 is not closed"),
        ("a(?#b", 1, "the ( at character 2 is not closed"),
        ("[a-", 0, "the [ at character 1 is not closed"),
        ("([", 1, "the [ at character 2 is not closed"),
        ("[^", 0, "the [ at character 1 is not closed"),
        ("[]", 0, "the [ at character 1 is not closed"),
        ("(a+)+$|[bc", 7, "the [ at character 8 is not closed"),
        ("[[:alpha:]", 0, "the [ at character 1 is not closed"),
        ("(?(1)a|b|c)", 8, "missing ) at character 9"),
        ("a)", 1, "unbalanced parenthesis at character 2"),
        (r"\p{Foo}+", 0, "unknown property at character 1"),
        (r"a\P{Script=Foo}", 1, "unknown property value at character 2"),
        (r"[\p{L}\p{^Foo}]", 6, "unknown property at character 7"),
        (r"a[\w[:foo:]]", 4, "unknown property at character 5"),
        (r"a\k<b>", 1, r"bad escape \k at character 2"),
        (r"\\\k", 2, r"bad escape \k at character 3"),
        ("ab\\", 2, "bad escape (end of pattern) at character 3"),
        ("[\\", 1, "bad escape (end of pattern) at character 2"),
        (r"a\xg", 1, r"incomplete escape \x at character 2"),
        (r"a[b\N{foo}]", 3, "undefined character name at character 4"),
        (r"a\L<x>", 1, "undefined named list at character 2"),
        ("[b-dz-a]", 4, "bad character range at character 5"),
        (r"a[\x7a-\x61]", 2, "bad character range at character 3"),
        (r"(a)\2", 3, "invalid group reference at character 4"),
        ("ab(?P=x)", 2, "unknown group at character 3"),
        (r"ab\g<x>", 2, "unknown group at character 3"),
        ("(?P<a>b)(?P<1>c)", 8, "bad character in group name at character 9"),
        ("ab(?P<", 2, "missing group name at character 3"),
        ("ab(?P<x", 2, "missing > at character 3"),
        ("ab(?z)", 2, "unknown extension at character 3"),
        (r"(a\1)", 2, "cannot refer to an open group at character 3"),
        ("ab{2,1}", 2, "min repeat greater than max repeat at character 3"),
        ("*a", 0, "nothing to repeat at character 1"),
        ("a**", 2, "multiple repeat at character 3"),
        ("(?x) ( # [ \n", 6, "missing ) at character 7"),
    ],
)
def test_the_character_to_blame(pattern: str, place: int, reason: str) -> None:
    sentence = re.escape(f"is not a regular expression: {reason}")
    with pytest.raises(PatternError, match=f"{sentence}$") as told:
        compiled(pattern)
    assert (told.value.position, told.value.reason) == (place, reason)


@given(st.text(alphabet="ab()[]{}\\,?:#xpPNgk<>=|*19^-", max_size=15))
def test_any_pattern_that_does_not_compile_has_a_character_to_blame(pattern: str) -> None:
    try:
        regex.compile(pattern)
    except regex.error:
        with pytest.raises(PatternError) as told:
            compiled(pattern)
        assert told.value.position in range(len(pattern))
        assert "position" not in told.value.reason
