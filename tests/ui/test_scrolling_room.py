"""Room for a panel that may be less than the panel needs."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from bpe_gui.ui.widgets.shrinkable_scroll_area import ShrinkableScrollArea
from tests.ui.widgets import shown


class Undecided(QWidget):
    """Asks for more room where it has little, and for little where it has more."""

    def minimumSizeHint(self) -> QSize:
        return QSize(100, 600 if self.height() < 500 else 100)


def test_a_panel_that_never_has_the_room_it_asks_for_is_left_as_it_is(qtbot: QtBot) -> None:
    room = ShrinkableScrollArea(Undecided(), QSize(80, 80))
    window = QWidget()
    column = QVBoxLayout(window)
    column.addWidget(room)
    shown(qtbot, window, 300, 200)
    for height in (400, 150, 700, 300):
        window.resize(300, height)
        assert room.panel.height() > 0
    assert room.panel.isVisible()
