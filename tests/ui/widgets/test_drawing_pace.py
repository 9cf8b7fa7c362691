"""How often what takes long to draw is drawn anew."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from bpe_gui.ui.widgets.pace import DrawingPace

pytestmark = pytest.mark.usefixtures("qapp")


def test_what_is_cheap_is_drawn_after_the_events_that_wait(qtbot: QtBot) -> None:
    pace = DrawingPace()
    pace.note(1)
    assert not pace.is_costly
    with qtbot.waitSignal(pace.due):
        pace.ask()
        pace.ask()
        assert pace.waits
    assert not pace.waits


def test_drawing_rests_for_twice_the_time_that_it_took() -> None:
    pace = DrawingPace()
    assert pace.rest == 0
    pace.note(1_000_000)
    assert pace.is_costly
    assert 1_000_000 < pace.rest <= 2_000_000
    pace.ask()
    assert pace.waits
    pace.drop()
    assert not pace.waits


def test_the_shortest_rest_counts(qtbot: QtBot) -> None:
    pace = DrawingPace()
    pace.note(1_000_000)
    pace.ask()
    pace.note(1)
    with qtbot.waitSignal(pace.due):
        pace.ask()
