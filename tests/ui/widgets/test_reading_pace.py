"""What is read changes at once, or seldom while much happens, but always in the end."""

from __future__ import annotations

from PySide6.QtCore import QTimer
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


def test_two_that_began_at_different_times_write_the_same_changes(qtbot: QtBot) -> None:
    paces = [ReadingPace(milliseconds=200), ReadingPace(milliseconds=200)]
    written: list[list[int]] = [[], []]
    number = 0
    for pace, numbers in zip(paces, written, strict=True):
        pace.due.connect(lambda numbers=numbers: numbers.append(number))

    def change() -> None:
        nonlocal number
        number += 1
        for pace, begin in zip(paces, (0, 25), strict=True):
            if number > begin:
                pace.ask(busy=True)

    timer = QTimer(interval=4)
    timer.timeout.connect(change)
    timer.start()
    qtbot.waitUntil(lambda: len(written[1]) >= 5)
    timer.stop()
    for pace in paces:
        pace.drop()
    for later in written[1][2:]:
        assert min(abs(later - one) for one in written[0]) <= 2
