"""What the right button offers, a key offers too, and F1 helps in dialogs as well."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import QObject, Qt, QTimer, Slot
from PySide6.QtGui import QShortcut
from PySide6.QtWidgets import QApplication, QDialog, QMenu, QTextBrowser, QWidget
from pytestqt.qtbot import QtBot

from bpe_gui.ui.exporting.animation_choice import AnimationChoice
from bpe_gui.ui.exporting.animation_dialog import AnimationDialog
from bpe_gui.ui.help.places import PAGES_OF_DIALOGS
from bpe_gui.ui.main_window import MainWindow
from tests.ui.widgets import active, child

Opened = Callable[..., MainWindow]
SHIFT = Qt.KeyboardModifier.ShiftModifier


@pytest.fixture
def window(qtbot: QtBot, opened: Opened) -> MainWindow:
    window = opened("words.txt", "low lower lowest newest " * 9, "--start")
    qtbot.waitUntil(lambda: window.player.end > 3)
    window.player.scrub(2)
    return active(qtbot, window)


class Closer(QObject):
    """Closes the menu that opens, and notes what was in it."""

    def __init__(self) -> None:
        super().__init__()
        self.offered: list[str] = []
        self._look = QTimer(self)
        self._look.timeout.connect(self._on_look)
        self._look.start(10)

    @Slot()
    def _on_look(self) -> None:
        menu = QApplication.activePopupWidget()
        if isinstance(menu, QMenu):
            self.offered = [action.text() for action in menu.actions()]
            self._look.stop()
            menu.close()


@pytest.mark.no_qt_log  # Off the screen menus cannot be raised.
@pytest.mark.parametrize(
    ("name", "offers"),
    [
        ("pairChart", "What if"),
        ("timeline", "Bookmark"),
        ("tokenView", "Copy"),
        ("wordsTable", "Export"),
        ("vocabularyTable", "Export"),
    ],
)
def test_each_menu_of_a_panel_opens_by_key(
    window: MainWindow, name: str, offers: str, qtbot: QtBot
) -> None:
    widget = child(window, QWidget, name)
    widget.setFocus()
    closer = Closer()
    qtbot.keyClick(widget, Qt.Key.Key_F10, SHIFT)
    qtbot.waitUntil(lambda: bool(closer.offered))
    assert any(offers in text.replace("&", "") for text in closer.offered), closer.offered


def test_f1_shows_the_page_about_a_dialog(window: MainWindow, qtbot: QtBot) -> None:
    dialog = AnimationDialog(AnimationChoice(), 10, window)
    qtbot.addWidget(dialog)
    active(qtbot, shown(dialog))
    qtbot.keyClick(dialog, Qt.Key.Key_Tab)
    qtbot.waitUntil(lambda: dialog.findChild(QShortcut, "dialogHelp") is not None)
    qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_F1)
    page = child(dialog, QDialog, "dialogHelp")
    text = child(page, QTextBrowser, "dialogHelpText").toPlainText()
    assert text.startswith("Pictures, tables and texts")
    assert "](" not in text
    qtbot.keyClick(page, Qt.Key.Key_Escape)
    assert not page.isVisible()
    assert dialog.isVisible()
    dialog.close()


def shown(dialog: QDialog) -> QDialog:
    dialog.show()
    return dialog


def test_every_dialog_with_help_has_a_page(window: MainWindow) -> None:
    assert set(PAGES_OF_DIALOGS.values()) <= set(window.helping.manual.pages)
