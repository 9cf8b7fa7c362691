"""Text of another size, in the whole program or in one window."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QLabel,
    QLineEdit,
    QMenu,
    QTableView,
    QVBoxLayout,
    QWidget,
)
from pytestqt.qtbot import QtBot

from bpe_gui.ui.main_window import MainWindow
from bpe_gui.ui.text_size import LARGEST, SMALLEST, Zoom, scaled, set_text_scale, text_scale
from bpe_gui.ui.text_sizing import STEPS
from bpe_gui.ui.workspaces import Place


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
    set_text_scale(application, 2)
    assert text_scale(label.font()) == pytest.approx(3)
    assert text_scale(other.font()) == pytest.approx(2)


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


def test_keys_change_the_size_of_all_text(
    application: QApplication, opened: Callable[..., MainWindow], qtbot: QtBot
) -> None:
    window = opened("text.txt", "low lower")
    control = Qt.KeyboardModifier.ControlModifier
    qtbot.waitUntil(window.isActiveWindow)

    def scale_after(key: Qt.Key, modifiers: Qt.KeyboardModifier = control) -> float:
        qtbot.keyClick(window, key, modifiers)
        return round(text_scale(window.vocabulary.font()), 2)

    assert scale_after(Qt.Key.Key_Plus) == 1.1
    assert scale_after(Qt.Key.Key_Equal) == 1.25
    assert scale_after(Qt.Key.Key_Minus) == 1.1
    assert scale_after(Qt.Key.Key_0) == 1.0
    for _ in STEPS:
        qtbot.keyClick(window, Qt.Key.Key_Minus, control)
    assert not window.actions_.smaller_text.isEnabled()
    assert window.text_sizing.scale == STEPS[0]
    sheet = application.styleSheet()
    assert scale_after(Qt.Key.Key_0) == 1.0
    assert application.styleSheet() != sheet


@pytest.mark.parametrize("scale", [0.7, 1.5, 2.0])
def test_rows_have_room_for_their_text(
    application: QApplication, opened: Callable[..., MainWindow], qtbot: QtBot, scale: float
) -> None:
    window = opened("text.txt", "low lower")
    window.workspaces.compare()
    window.workspaces.laboratory()
    window.workspaces.explore()
    qtbot.waitUntil(lambda: window.player.history is not None)
    window.text_sizing.set_scale(scale)
    tables = [table for table in window.findChildren(QTableView) if not table.isHidden()]
    assert len(tables) > 4
    for table in tables:
        rows = table.verticalHeader().defaultSectionSize()
        assert rows >= table.fontMetrics().height(), table.objectName()
    fields = [*window.findChildren(QLineEdit), *window.findChildren(QComboBox)]
    for field in fields:
        if field.isVisible():
            assert field.height() >= field.fontMetrics().height(), field.objectName()


@pytest.mark.parametrize(
    ("scale", "width", "height"), [(1.0, 1024, 700), (1.5, 1280, 800), (3.0, 1920, 1080)]
)
def test_the_window_fits_on_the_screen(
    application: QApplication,
    opened: Callable[..., MainWindow],
    scale: float,
    width: int,
    height: int,
) -> None:
    window = opened("text.txt", "low lower")
    window.text_sizing.set_scale(scale)
    for place in (Place.COMPARE, Place.LABORATORY, Place.EXPLORE):
        window.workspaces.show_place(place)
        least = window.minimumSizeHint()
        assert least.width() <= width
        assert least.height() <= height
