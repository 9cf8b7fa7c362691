"""Rows and columns share their room among what is stretched, and their parts have names."""

from __future__ import annotations

from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout
from pytestqt.qtbot import QtBot

from bpe_gui.ui.widgets.layouts import column, filled, row
from bpe_gui.ui.widgets.naming import centred, named, quiet
from tests.ui.driving import child, shown


def test_what_is_stretched_takes_what_the_others_leave(qtbot: QtBot) -> None:
    first, wide, last = QPushButton("a"), QPushButton("b"), QPushButton("c")
    box = shown(qtbot, row(first, wide, last, stretched=wide, spacing=3), 600, 40)
    assert first.x() == 0
    assert wide.x() == first.width() + 3
    assert last.x() + last.width() == box.width()
    assert first.width() == first.sizeHint().width()


def test_empty_space_and_texts_are_parts_too(qtbot: QtBot) -> None:
    button = QPushButton("a")
    box = shown(qtbot, row("before", None, button), 600, 40)
    assert [label.text() for label in box.findChildren(QLabel)] == ["before"]
    assert button.x() + button.width() == box.width()


def test_boxes_hold_boxes(qtbot: QtBot) -> None:
    button = QPushButton("a")
    inner = filled(QHBoxLayout(), button, margins=(5, 6, 0, 0))
    box = shown(qtbot, column(inner, QLabel("below"), stretched=inner), 300, 200)
    assert (button.x(), button.y()) == (5, 6)
    assert isinstance(box.layout(), QVBoxLayout)


def test_a_widget_has_its_names(qtbot: QtBot) -> None:
    box = shown(qtbot, row(named(QPushButton("a"), "theButton", "spoken", "tip")), 100, 40)
    button = child(box, QPushButton, "theButton")
    assert (button.accessibleName(), button.toolTip()) == ("spoken", "tip")
    assert quiet(QLabel()).property("quiet")
    assert centred(QLabel()).wordWrap()
