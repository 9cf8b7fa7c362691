"""Garbage goes on the thread on which widgets may be destroyed."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from threading import Thread, current_thread

import pytest
from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from bpe_gui.ui.run.background import GarbageCollector


class _Circular:
    """Holds itself, and notes the thread on which it goes."""

    def __init__(self, gone_on: list[Thread]) -> None:
        self.itself = self
        self.gone_on = gone_on

    def __del__(self) -> None:
        self.gone_on.append(current_thread())


@pytest.fixture
def collector(qapp: QObject) -> Iterator[GarbageCollector]:
    gc.enable()
    made = GarbageCollector(qapp)
    yield made
    made.deleteLater()


def _make_many_objects(kept: list[list[int]]) -> None:
    kept.extend([number] for number in range(100_000))


def test_garbage_is_collected_on_this_thread_alone(
    collector: GarbageCollector, qtbot: QtBot
) -> None:
    gone_on: list[Thread] = []
    _Circular(gone_on)
    kept: list[list[int]] = []
    thread = Thread(target=_make_many_objects, args=(kept,))
    thread.start()
    thread.join()
    assert gone_on == []
    qtbot.waitUntil(lambda: gone_on != [])
    assert gone_on == [current_thread()]


def test_what_is_spared_is_not_looked_through(collector: GarbageCollector) -> None:
    spared = [object()]
    assert any(spared is found for found in gc.get_objects())
    collector.spare()
    assert not any(spared is found for found in gc.get_objects())
