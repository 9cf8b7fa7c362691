"""What Qt has deleted leaves nothing behind in Python."""

from __future__ import annotations

import gc
from pathlib import Path

import shiboken6
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QDialogButtonBox, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from bpe_gui.ui.settings.recent_files import RecentFiles
from bpe_gui.ui.theme import theme as themes
from bpe_gui.ui.theme.theme import DARK, LIGHT
from bpe_gui.ui.widgets.keyboard import go_by_tab
from tests.ui.driving import shown


def left() -> int:
    """Count the wrappers of what has been deleted."""
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    gc.collect()
    wrappers = [each for each in gc.get_objects() if issubclass(type(each), shiboken6.Object)]
    return sum(not shiboken6.isValid(each) for each in wrappers)


def test_colours_and_tab_hold_no_widgets_that_qt_makes_and_deletes(qtbot: QtBot) -> None:
    """As the tabs of docks, which it makes anew with every change of the layout."""
    window = QWidget()
    buttons = QDialogButtonBox()
    QVBoxLayout(window).addWidget(buttons)
    shown(qtbot, window, 300, 100)
    before = left()
    for number in range(10):
        buttons.setStandardButtons(QDialogButtonBox.StandardButton.Ok)
        themes.apply(window, LIGHT if number % 2 else DARK)
        assert go_by_tab(window, [buttons], forward=True)
        buttons.clear()
    assert left() == before


def test_a_menu_that_is_filled_anew_holds_no_former_items(qtbot: QtBot, tmp_path: Path) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    recent = RecentFiles("corpora", "&Recent corpora", "recentCorpora", window)
    before = left()
    for number in range(10):
        recent.note([tmp_path / str(number)])
    assert left() == before
