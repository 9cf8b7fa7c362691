"""Sessions keep the chosen lane and the lane beside it, also while encodings are loaded."""

from __future__ import annotations

from base64 import b64encode
from pathlib import Path

import pytest
from PySide6.QtWidgets import QComboBox
from pytestqt.qtbot import QtBot

from bpe_gui.ui.session.snapshot import restore
from bpe_gui.ui.shell.main_window import MainWindow
from tests.sessions.made import four_words
from tests.ui.compare.compare_workspace import loaded, window
from tests.ui.driving import child
from tests.ui.session.recorded_sessions import second, taken

__all__ = ["second", "window"]

NAMES = ["one", "two", "three"]


@pytest.fixture
def loading(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> MainWindow:
    """A window with three encodings from files."""
    path = tmp_path / "bytes.tiktoken"
    ranks = [f"{b64encode(bytes([n])).decode()} {n}\n" for n in range(256)]
    path.write_text("".join(ranks))
    window.compare.begin_without_lanes()
    for name in NAMES:
        window.compare.loader.load(f"{path}@gpt2", name)
    loaded(qtbot, window)
    return window


def shown(window: MainWindow) -> tuple[str, str, list[str]]:
    """The lane that others are compared with, what is chosen, and the lanes in view."""
    comparison = window.compare.comparison
    assert comparison.result is not None
    return (
        comparison.ready()[comparison.reference].name,
        child(window, QComboBox, "laneChoice").currentText(),
        [lane.encoding.name for lane in comparison.result.aligned],
    )


def choose(window: MainWindow, text: str) -> None:
    box = child(window, QComboBox, "laneChoice")
    index = box.findText(text)
    box.setCurrentIndex(index)
    box.activated.emit(index)


def test_a_session_keeps_what_is_compared_with_what(
    qtbot: QtBot, loading: MainWindow, second: MainWindow
) -> None:
    keys = [lane.key for lane in loading.compare.comparison.lanes]
    for lane, choice, in_view in [
        (2, "The chosen lane and one", ["one", "three"]),
        (0, "The chosen lane and two", ["one", "two"]),
        (1, "Lanes that differ from the chosen one", NAMES),
        (1, "All lanes", NAMES),
    ]:
        loading.compare.numbers.table.select_lane(keys[lane])
        choose(loading, choice)
        loaded(qtbot, loading)
        assert shown(loading) == (NAMES[lane], choice, in_view)
        restore(second.context, taken(loading))
        loaded(qtbot, second)
        assert shown(second) == (NAMES[lane], choice, in_view)


def test_older_and_damaged_sessions_show_all_lanes(qtbot: QtBot, second: MainWindow) -> None:
    for damaged in [None, 3, {"chosen": 7, "beside": "x"}, {"chosen": [], "beside": True}]:
        layout = {"workspace": "compare", "lanes_shown": damaged}
        restore(second.context, four_words(layout=layout))
        loaded(qtbot, second)
        assert child(second, QComboBox, "laneChoice").currentText() == "All lanes", damaged
