"""Where docks stand, as a tree: the same again, and nothing to Qt that is none."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QByteArray, Qt
from PySide6.QtWidgets import QDockWidget, QLabel, QMainWindow
from pytestqt.qtbot import QtBot

from bpe_gui.ui.settings.dock_tree import Tree, TreeError, state_of, tree_of

NAMES = [f"dock{number}" for number in range(6)]

# The offscreen platform says so of each dock that floats.
pytestmark = pytest.mark.qt_log_ignore("does not support", extend=True)

ACROSS, DOWN = Qt.Orientation.Horizontal, Qt.Orientation.Vertical


def docked(qtbot: QtBot) -> QMainWindow:
    window = QMainWindow()
    qtbot.addWidget(window)
    for name in NAMES:
        dock = QDockWidget(name, window)
        dock.setObjectName(name)
        dock.setWidget(QLabel(name))
        window.addDockWidget(Qt.DockWidgetArea.LeftDockWidgetArea, dock)
    window.setDockNestingEnabled(True)
    bar = window.addToolBar("bar")
    bar.setObjectName("bar")
    window.resize(900, 700)
    window.show()
    qtbot.waitExposed(window)
    return window


def docks(window: QMainWindow) -> list[QDockWidget]:
    return [window.findChild(QDockWidget, name) for name in NAMES]


def arranged(window: QMainWindow) -> QMainWindow:
    """Six docks: side by side, below each other, behind each other, hidden, and floating."""
    first, second, third, fourth, fifth, sixth = docks(window)
    window.splitDockWidget(first, second, ACROSS)
    window.splitDockWidget(second, third, DOWN)
    window.tabifyDockWidget(third, fourth)
    window.addDockWidget(Qt.DockWidgetArea.RightDockWidgetArea, fifth)
    window.resizeDocks([first, second], [150, 350], ACROSS)
    fifth.hide()
    third.raise_()
    sixth.setFloating(True)
    return window


def state(window: QMainWindow) -> bytes:
    return bytes(window.saveState().data())


@pytest.fixture
def window(qtbot: QtBot) -> QMainWindow:
    return arranged(docked(qtbot))


def test_docks_stand_where_they_stood(window: QMainWindow, qtbot: QtBot) -> None:
    tree = tree_of(state(window))
    assert json.loads(json.dumps(tree)) == tree
    other = docked(qtbot)
    other.restoreState(QByteArray(state_of(tree, state(other), NAMES)))
    own, found = docks(window), docks(other)
    assert [dock.isHidden() for dock in found] == [dock.isHidden() for dock in own]
    assert [dock.isFloating() for dock in found] == [dock.isFloating() for dock in own]
    assert [dock.geometry() for dock in found[:3]] == [dock.geometry() for dock in own[:3]]
    assert other.tabifiedDockWidgets(found[2]) == [found[3]]
    assert not found[2].visibleRegion().isEmpty()


def test_all_else_of_a_window_stays_as_it_is(window: QMainWindow) -> None:
    present = state(window)
    assert state_of(tree_of(present), present, NAMES)[-40:] == present[-40:]


@pytest.mark.parametrize("damaged", [b"", b"\0" * 9, b"\0\0\0\xff\0\0\0\0\xfd\x7f\xff\xff\xff"])
def test_what_qt_does_not_write_has_no_tree(damaged: bytes) -> None:
    with pytest.raises(TreeError):
        tree_of(damaged)


@given(st.data())
def test_torn_bytes_have_no_tree_or_another(data: st.DataObject) -> None:
    torn = bytearray(PRESENT)
    torn[data.draw(st.integers(0, len(torn) - 1))] = data.draw(st.integers(0, 255))
    try:
        tree_of(bytes(torn[: data.draw(st.integers(0, len(torn)))]))
    except TreeError:
        return


PRESENT = bytes.fromhex(
    "000000ff00000000fd0000000100000000000000c80000006bfc0200000002fb0000000a0064006f0063006b0030"
    "0100000000000000240000002400fffffffc0000002a000000410000004101000000fa000000010100000002fb00"
    "00000a0064006f0063006b00310100000000ffffffff0000002400fffffffb0000000a0064006f0063006b003201"
    "00000000ffffffff0000002400ffffff000000000000006b0000000400000004000000080000000800000000"
)
TREE = tree_of(PRESENT)


def places(found: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield path
    inner = (
        found.items() if isinstance(found, dict)
        else enumerate(found) if isinstance(found, list)
        else ()
    )
    for key, item in inner:
        yield from places(item, (*path, key))


ODD = (None, True, -1, 0, 7, 10**12, 1.5, "", "dock1", "dock9", [], [1], {}, TREE[0]["group"])


def changed(data: st.DataObject) -> Tree:
    tree = copy.deepcopy(TREE)
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.sampled_from(list(places(tree))[1:] or [()]))
        found: Any = tree
        for key in place[:-1]:
            found = found[key]
        if place:
            found[place[-1]] = copy.deepcopy(data.draw(st.sampled_from(ODD)))
    return tree


@given(st.data())
def test_a_tree_that_is_none_is_refused_and_any_other_comes_back(data: st.DataObject) -> None:
    tree = changed(data)
    try:
        written = state_of(tree, PRESENT, NAMES)
    except TreeError:
        return
    again = tree_of(written)
    assert state_of(again, PRESENT, NAMES) == written


@given(st.data())
def test_qt_survives_every_tree_that_is_not_refused(qapp: object, data: st.DataObject) -> None:
    try:
        written = state_of(changed(data), PRESENT, NAMES)
    except TreeError:
        return
    window = QMainWindow()
    for name in NAMES[:3]:
        dock = QDockWidget(name, window)
        dock.setObjectName(name)
        window.addDockWidget(Qt.DockWidgetArea.LeftDockWidgetArea, dock)
    window.restoreState(QByteArray(written))
    tree_of(bytes(window.saveState().data()))
    window.deleteLater()


@pytest.mark.parametrize(
    "tree",
    [
        None,
        {},
        [{}],
        [{"area": 4, "size": [1, 1], "group": TREE[0]["group"]}],
        [TREE[0], TREE[0]],
        [{"area": 0, "size": [1], "group": TREE[0]["group"]}],
        [{"area": 0, "size": [1, 1], "group": {"down": True, "tab": None, "items": []}}],
    ],
)
def test_trees_of_other_shapes_are_refused(tree: object) -> None:
    with pytest.raises(TreeError):
        state_of(tree, PRESENT, NAMES)


def test_a_tree_that_goes_too_deep_is_refused() -> None:
    group: dict[str, Any] = {"down": True, "tab": None, "items": [{"dock": "dock0"}]}
    for _ in range(500):
        group = {"down": True, "tab": None, "items": [{"at": [0, 1], "group": group}]}
    with pytest.raises(TreeError, match="nested too deeply"):
        state_of([{"area": 0, "size": [1, 1], "group": group}], PRESENT, NAMES)
