"""What the JSON of a session cannot say is refused with a sentence."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.sessions.damaged import ENTRIES, opened_or_refused, refused, with_entries, with_json

ODD = (
    *(None, True, -1, 0, 1.5, 10**30, "", "x", "\ud800", [], [[]], {}, {"regex": "("}),
    *("a" * 2_000, "/../../etc/passwd", {"regex": "(?:a{1000}){1000}"}, [{}], float("inf")),
)


def places(found: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The paths of all values in some JSON."""
    inner = (
        found.items() if isinstance(found, dict)
        else enumerate(found) if isinstance(found, list)
        else ()
    )
    return [path, *(place for key, item in inner for place in places(item, (*path, key)))]


PLACES = places(json.loads(ENTRIES["session.json"]))[1:]


@example(("recipe", "normalizers"), "\ud800")
@given(st.sampled_from(PLACES), st.sampled_from(ODD))
def test_odd_json_gives_a_session_or_a_sentence(place: tuple[Any, ...], value: Any) -> None:
    def change(found: Any) -> None:
        for key in place[:-1]:
            found = found[key]
        found[place[-1]] = value

    opened_or_refused(with_json(change))


@given(st.sampled_from(PLACES))
def test_json_that_lacks_something_gives_a_session_or_a_sentence(place: tuple[Any, ...]) -> None:
    def change(found: Any) -> None:
        for key in place[:-1]:
            found = found[key]
        del found[place[-1]]

    opened_or_refused(with_json(change))


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (b"[" * 100_000, "recursion"),
        (b'{"session": ' + b"9" * 10_000 + b"}", "digits"),
        (b'{"session": NaN}', "NaN is not a finite number"),
        (b'{"layout": {"speed": -1e999}}', "-1e999 is not a finite number"),
        (b"[]", "no version"),
        (b"\xff", "utf-8"),
    ],
)
def test_json_that_is_none_is_refused(text: bytes, problem: str) -> None:
    assert problem in refused(with_entries(**{"session.json": text}))


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (lambda found: found["branches"][0].update(merges=10**9), "has the wrong size"),
        (lambda found: found.update(words=2 * 10**9), "has the wrong size"),
        (lambda found: found.update(position=99), "position in view is missing"),
        (lambda found: found.update(shown=2), "position in view is missing"),
        (lambda found: found.update(extra=1), "unknown field `extra`"),
        (lambda found: found["branches"].clear(), "length >= 1 - at `$.branches`"),
        (lambda found: found["branches"][1].update(name="Original"), "have the same name"),
        (lambda found: found["lanes"][2].update(run=7), "a lane shows a run"),
        (lambda found: found["lanes"][2].update(position=70), "a lane shows a run"),
        (lambda found: found["branches"][0].update(stopped="tired"), "at `$.branches[0].stopped`"),
        (lambda found: found["recipe"].update(split={"regex": "("}), "it has an invalid recipe"),
        (
            lambda found: found["recipe"].update(split={"regex": "(?:a{1000}){1000}"}),
            "it has an invalid recipe",
        ),
        (
            lambda found: found["recipe"].update(
                symbols="bytes", end_of_word="none", special_tokens=["é"]
            ),
            "it has an invalid recipe: the special token 'é' is how",
        ),
        (lambda found: found["recipe"].update(min_frequency=2), "do not all have the same recipe"),
        (
            lambda found: found["branches"][1]["interventions"][0].update(left=10**8),
            "about tokens that do not exist",
        ),
        (lambda found: found["corpus"].update(sample="none"), "neither files nor a known sample"),
        (lambda found: found["corpus"].update(sources=[]), "neither files nor a known sample"),
        (lambda found: found.update(files=3), "at `$.files`"),
        (
            lambda found: found["corpus"]["options"].update(encoding="../x"),
            "at `$.corpus.options`",
        ),
    ],
)
def test_what_cannot_be_is_said(change: Callable[[Any], None], problem: str) -> None:
    assert problem in refused(with_json(change))
