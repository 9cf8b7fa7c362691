"""What is read changes at once, or seldom while much happens, but always in the end."""

from __future__ import annotations

from pytestqt.qtbot import QtBot

from bpe_gui.ui.widgets.pace import ReadingPace


def test_at_rest_each_change_is_written_at_once(qtbot: QtBot) -> None:
    pace, written = ReadingPace(), []
    pace.due.connect(lambda: written.append(1))
    for _ in range(5):
        pace.ask(busy=False)
    assert len(written) == 5
    assert not pace.waits


def test_of_many_changes_the_first_and_the_last_are_written(qtbot: QtBot) -> None:
    pace, written = ReadingPace(milliseconds=60), []
    pace.due.connect(lambda: written.append(number))
    for number in range(100):  # noqa: B007
        pace.ask(busy=True)
    assert written == [0]
    assert pace.waits
    qtbot.waitUntil(lambda: not pace.waits)
    assert written == [0, 99]


def test_who_comes_to_rest_waits_no_longer(qtbot: QtBot) -> None:
    pace, written = ReadingPace(), []
    pace.due.connect(lambda: written.append(1))
    pace.ask(busy=True)
    pace.ask(busy=True)
    pace.ask(busy=False)
    assert len(written) == 2
    assert not pace.waits


def test_what_waits_can_be_dropped(qtbot: QtBot) -> None:
    pace, written = ReadingPace(milliseconds=10), []
    pace.due.connect(lambda: written.append(1))
    pace.ask(busy=True)
    pace.ask(busy=True)
    pace.drop()
    assert not pace.waits
    assert len(written) == 1
