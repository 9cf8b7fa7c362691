"""What the right button offers, a key offers too, and F1 helps in dialogs as well."""

from __future__ import annotations

from functools import partial

import pytest
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QContextMenuEvent, QShortcut
from PySide6.QtWidgets import QApplication, QDialog, QLineEdit, QTextBrowser, QWidget
from pytestqt.qtbot import QtBot

from bpe_gui.ui.export.animation_dialog import AnimationDialog
from bpe_gui.ui.export.hidden_panels import AnimationChoice
from bpe_gui.ui.help.helping import PAGES_OF_DIALOGS
from bpe_gui.ui.shell.main_window import MainWindow
from tests.ui.driving import active, child

SHIFT = Qt.KeyboardModifier.ShiftModifier


@pytest.fixture
def window(with_words: MainWindow) -> MainWindow:
    with_words.player.scrub(2)
    return with_words


class Asked(QObject):
    """Notes that a widget is asked for its menu, and by what; no menu opens."""

    def __init__(self) -> None:
        super().__init__()
        self.reasons: list[QContextMenuEvent.Reason] = []

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QContextMenuEvent):
            self.reasons.append(event.reason())
            return True
        return False


def test_each_menu_of_a_panel_opens_by_key(window: MainWindow, qtbot: QtBot) -> None:
    names = ("pairChart", "timeline", "tokenView", "wordsTable", "vocabularyTable", "treeCanvas")
    for name in names:
        widget = child(window, QWidget, name)
        widget.setFocus()
        asked = Asked()
        widget.installEventFilter(asked)
        qtbot.keyClick(widget, Qt.Key.Key_F10, SHIFT)
        assert asked.reasons == [QContextMenuEvent.Reason.Keyboard], name


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


def test_the_focus_may_move_within_a_dialog_that_is_deleted(
    window: MainWindow, qtbot: QtBot, qapp: QApplication
) -> None:
    """As where the open list of a box is deleted with its dialog."""
    window.focus_rings.use_keyboard()
    dialog = QDialog(window)
    dialog.setObjectName("saveDialog")
    first, second = QLineEdit(dialog), QLineEdit(dialog)
    active(qtbot, shown(dialog))
    dialog.reject()
    moved = partial(qapp.focusChanged.emit, None, second)
    first.destroyed.connect(moved)
    with qtbot.waitSignal(dialog.destroyed):
        dialog.deleteLater()


def shown(dialog: QDialog) -> QDialog:
    dialog.show()
    return dialog


def test_every_dialog_with_help_has_a_page(window: MainWindow) -> None:
    assert set(PAGES_OF_DIALOGS.values()) <= set(window.helping.pages)
