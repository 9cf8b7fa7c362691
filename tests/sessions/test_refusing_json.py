"""What the JSON of a session cannot say is refused with a sentence."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_gui.bpe.recipe import preset
from bpe_gui.bpe.words import WordCounts
from tests.sessions.damaged import ENTRIES, opened_or_refused, refused, with_entries, with_json
from tests.sessions.made import FOUR_WORDS, trained

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
        (b"[" * 100_000, "nested too deeply"),
        (b'{"session": 1, "session": 1}', "a key twice"),
        (b'{"session": ' + b"9" * 10_000 + b"}", "damaged"),
        (b'{"session": NaN}', "a number that is none"),
        (b'{"layout": {"speed": -1e999}}', "a number that is none (-1e999)"),
        (b"[]", "no object"),
        (b"\xff", "damaged"),
    ],
)
def test_json_that_is_none_is_refused(text: bytes, problem: str) -> None:
    assert problem in refused(with_entries(**{"session.json": text}))


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (lambda found: found["branches"][0].update(merges=10**9), "size that it must have"),
        (lambda found: found.update(words=2 * 10**9), "size that it must have"),
        (lambda found: found.update(position=99), "'position' in its JSON must be"),
        (lambda found: found.update(shown=2), "'shown' in its JSON must be"),
        (lambda found: found.update(extra=1), "has 'extra', which no session has"),
        (lambda found: found["branches"].clear(), "no run"),
        (lambda found: found["branches"][1].update(name="Original"), "two branches of one name"),
        (lambda found: found["lanes"][2].update(run=7), "'run' in a lane"),
        (lambda found: found["lanes"][2].update(position=70), "'position' in a lane"),
        (lambda found: found["branches"][0].update(stopped="merges"), "without a reason"),
        (lambda found: found["branches"][0].update(stopped="tired"), "none of the reasons"),
        (lambda found: found["recipe"].update(split={"regex": "("}), "a recipe in it cannot"),
        (
            lambda found: found["recipe"].update(split={"regex": "(?:a{1000}){1000}"}),
            "a recipe in it cannot",
        ),
        (lambda found: found["recipe"].update(min_frequency=2), "not all of one recipe"),
        (
            lambda found: found["branches"][0]["recipe"].update(vocabulary_size=12),
            "goes on after its recipe",
        ),
        (
            lambda found: found["branches"][1]["interventions"][0].update(left=10**8),
            "about tokens that are not there",
        ),
        (
            lambda found: found["branches"][1]["interventions"][0].update(decision="force"),
            "not been merged",
        ),
        (lambda found: found["corpus"].update(sample="none"), "neither files nor a sample"),
        (lambda found: found["corpus"].update(sources=[]), "neither files nor a sample"),
        (
            lambda found: found["corpus"].update(sample="four-words", sources=[]),
            "its sample was read from files",
        ),
        (lambda found: found.pop("files"), "lacks 'files'"),
        (lambda found: found.update(files=3), "the files of its corpus is no JSON object"),
        (lambda found: found["files"].update(number=-1), "'number' in what it says of the files"),
        (lambda found: found["files"].update(number=10**30), "'number' in what it says"),
        (lambda found: found["files"].update(number=2.0), "'number' in what it says"),
        (lambda found: found["files"].update(bytes_of_names="9"), "'bytes_of_names' in what it"),
        (lambda found: found["files"].update(number=10**9), "size that it must have"),
        (lambda found: found["files"].update(extra=1), "has 'extra', which no session has"),
        (lambda found: found.update(files=None), "names.npy that belongs to nothing"),
        (
            lambda found: found["corpus"]["options"].update(encoding="../x"),
            "cannot be read as it says",
        ),
    ],
)
def test_what_cannot_be_is_said(change: Callable[[Any], None], problem: str) -> None:
    assert problem in refused(with_json(change))


def test_a_merge_of_a_pair_that_was_forbidden_is_refused() -> None:
    def change(found: Any) -> None:
        recipe = preset("whitespace")
        run = trained(WordCounts.from_pairs(FOUR_WORDS, recipe), recipe, 4)
        pair = int(run.left[2]), int(run.right[2])
        found["branches"][0]["interventions"] = [
            {"step": 2, "decision": "forbid", "left": pair[0], "right": pair[1]}
        ]

    assert "a pair that is forbidden has been merged" in refused(with_json(change))
