"""Text of another size, in the whole program or in one window."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from PySide6.QtWidgets import QApplication, QLabel, QMenu, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from bpe_gui.ui.main_window import MainWindow
from bpe_gui.ui.text_size import LARGEST, SMALLEST, Zoom, scaled, set_text_scale, text_scale


@pytest.fixture
def application(qapp: QApplication) -> Iterator[QApplication]:
    """The application, which writes plainly in the end."""
    yield qapp
    set_text_scale(qapp, 1)


@pytest.fixture
def label(qtbot: QtBot) -> Iterator[QLabel]:
    """A label in a panel."""
    panel = QWidget()
    qtbot.addWidget(panel)
    label = QLabel("text")
    QVBoxLayout(panel).addWidget(label)
    panel.show()
    yield label
    panel.hide()


def test_all_of_a_window_is_written_larger(
    application: QApplication, opened: Callable[..., MainWindow]
) -> None:
    window = opened("text.txt", "low lower")
    view = window.text_panel.findChild(QWidget, "tokenView")
    assert isinstance(view, QWidget)
    before = {part: text_scale(part.font()) for part in (window.controls, window.curves, view)}
    for factor in (2.0, 0.7, 1.0):
        set_text_scale(application, factor)
        for part, scale in before.items():
            assert text_scale(part.font()) == pytest.approx(scale * factor, rel=0.01)


def test_windows_that_come_later_are_written_as_large(
    application: QApplication, qtbot: QtBot
) -> None:
    set_text_scale(application, 1.5)
    menu = QMenu()
    qtbot.addWidget(menu)
    assert text_scale(menu.font()) == pytest.approx(1.5)


def test_one_window_may_write_larger_than_another(
    application: QApplication, label: QLabel, qtbot: QtBot
) -> None:
    other = QLabel("other")
    qtbot.addWidget(other)
    set_text_scale(label.window(), 3)
    assert text_scale(label.font()) == pytest.approx(3)
    assert text_scale(other.font()) == pytest.approx(1)
    assert scaled(10, label.font()) == 30


def test_factors_do_not_add_up_and_have_bounds(
    application: QApplication, label: QLabel
) -> None:
    for asked, factor in ((2, 2), (2, 2), (0.01, SMALLEST), (1e9, LARGEST), (1, 1)):
        set_text_scale(application, asked)
        assert text_scale(label.font()) == pytest.approx(factor)


def test_a_zoomed_view_keeps_its_proportion(application: QApplication, label: QLabel) -> None:
    zoom = Zoom(label.window(), label)
    zoom.zoom(2)
    zoomed = text_scale(label.font())
    assert zoomed == pytest.approx(1.1**3, rel=0.01)
    set_text_scale(application, 2)
    assert text_scale(label.font()) == pytest.approx(2 * zoomed, rel=0.01)
    zoom.zoom(-1000)
    assert label.font().pointSizeF() == pytest.approx(6)
    zoom.zoom(1000)
    assert label.font().pointSizeF() == pytest.approx(180)
