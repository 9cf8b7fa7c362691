"""Things stand still where the desktop wishes it, or the user."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QApplication,
    QMainWindow,
    QProxyStyle,
    QStyle,
    QStyleHintReturn,
    QStyleOption,
    QWidget,
)
from pytestqt.qtbot import QtBot

from bpe_gui import app
from bpe_gui.ui.shell.main_window import MainWindow
from bpe_gui.ui.widgets.motion import ProgressBar
from tests.ui.driving import child


class StillStyle(QProxyStyle):
    """The style of a desktop that asks programs not to move what they show."""

    def styleHint(
        self,
        hint: QStyle.StyleHint,
        option: QStyleOption | None = None,
        widget: QWidget | None = None,
        data: QStyleHintReturn | None = None,
    ) -> int:
        if hint is QStyle.StyleHint.SH_Widget_Animation_Duration:
            return 0
        return super().styleHint(hint, option, widget, data)


def test_the_wish_of_the_desktop_is_followed_until_the_user_chooses(
    opened: Callable[..., MainWindow], monkeypatch: pytest.MonkeyPatch
) -> None:
    style = StillStyle("Fusion")
    monkeypatch.setattr(QApplication, "style", lambda: style)
    window = opened("text.txt", "low lower newest widest")
    animate = child(window, QAction, "animateAction")
    assert not animate.isChecked()
    assert not window.isAnimated()
    animate.trigger()
    assert window.isAnimated()
    window.close()
    window = app.create([])[1]
    assert child(window, QAction, "animateAction").isChecked()
    child(window, QAction, "resetSettingsAction").trigger()
    assert not child(window, QAction, "animateAction").isChecked()
    window.close()
    window.deleteLater()


class Paints(QObject):
    """Counts how often a widget is painted."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        self.times = 0
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        self.times += event.type() == QEvent.Type.Paint
        return False


def test_a_bar_that_knows_no_end_stands_still_where_nothing_moves(qtbot: QtBot) -> None:
    window = QMainWindow()
    qtbot.addWidget(window)
    bar = ProgressBar()
    window.setCentralWidget(bar)
    window.setAnimated(True)
    paints = Paints(bar)
    window.show()
    bar.show_share(None)
    qtbot.waitUntil(lambda: paints.times >= 5)  # the style moves it, by itself
    window.setAnimated(False)
    bar.show_share(None)
    assert (bar.value(), bar.maximum() > 0) == (0, True)
    bar.show_share(0.5)
    assert bar.value() == bar.maximum() / 2


def test_all_bars_of_the_window_keep_still(opened: Callable[..., MainWindow]) -> None:
    window = opened("text.txt", "low lower")
    window.actions_.animate.setChecked(False)
    while window.after_first_frame.do_next():
        pass
    bars = window.findChildren(ProgressBar)
    assert {bar.objectName() for bar in bars} >= {
        "progressBar", "exportBar", "measureProgress",
    }  # fmt: skip
    for bar in bars:
        bar.show_share(None)
        assert bar.maximum() > 0
