"""Names that have no room are elided so that they still differ."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtGui import QFont, QFontMetrics

from bpe_gui.ui.widgets.names import elided_apart

NAMES = [
    f"acme-multilingual-web-mixture-{kind}-sentencepiece-final.model"
    for kind in ("unigram-16k-run-a", "unigram-32k-run-a", "bpe-16k-run-a", "bpe-16k-run-b")
]
GUESSED, LOSSY = " · guess", " · lossy"


@pytest.fixture(scope="module")
def metrics(qapp: object) -> QFontMetrics:
    return QFontMetrics(QFont())


@pytest.mark.parametrize("letters", [8, 12, 20, 30, 60])
@pytest.mark.parametrize("ending", ["", LOSSY, GUESSED + LOSSY])
def test_names_that_differ_in_their_middle_differ_still(
    metrics: QFontMetrics, letters: int, ending: str
) -> None:
    room = metrics.horizontalAdvance("m" * letters + ending)
    names = [name + ending for name in NAMES]
    shown = elided_apart(names, metrics, room, [GUESSED + LOSSY, LOSSY])
    assert len(set(shown)) == len(names)
    assert max(map(metrics.horizontalAdvance, shown)) <= room
    assert all(text.endswith(ending) for text in shown)


def test_what_tells_them_apart_is_shown(metrics: QFontMetrics) -> None:
    room = metrics.horizontalAdvance("…ture-unigram-16k-run-a-sen…")
    shown = elided_apart(NAMES, metrics, room)
    assert ["16k" in shown[0], "32k" in shown[1]] == [True, True]
    assert ["run-a" in shown[2], "run-b" in shown[3]] == [True, True]


def test_a_name_that_is_the_beginning_of_another_is_told_from_it(metrics: QFontMetrics) -> None:
    first = "acme-multilingual-web-mixture-bpe.model"
    room = metrics.horizontalAdvance("acme-mult")
    one, other = elided_apart([first, f"{first} {first[5:]}"], metrics, room)
    assert one != other


@settings(max_examples=settings.default.max_examples * 2)
@given(st.lists(st.text("ab-. ", max_size=40), max_size=5), st.integers(0, 40))
def test_no_name_is_wider_than_its_room_or_elided_without_need(
    metrics: QFontMetrics, names: list[str], letters: int
) -> None:
    room = metrics.horizontalAdvance("…" + "m" * letters)
    for name, shown in zip(names, elided_apart(names, metrics, room), strict=True):
        assert metrics.horizontalAdvance(shown) <= room
        if metrics.horizontalAdvance(name) <= room:
            assert shown == name
