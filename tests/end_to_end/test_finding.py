"""Who does not know how asks the command palette, or the help."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QDockWidget,
    QMainWindow,
    QTextBrowser,
    QToolButton,
    QWidget,
)
from pytestqt.qtbot import QtBot

from tests.end_to_end.window import drop, focus, is_enabled, messages, position, write
from tests.ui.driving import act, child


def found(window: QMainWindow) -> list[str]:
    """What the command palette has found."""
    model = child(window, QAbstractItemView, "actionSearchList").model()
    return [str(model.index(row, 0).data()) for row in range(model.rowCount())]


def test_the_command_palette_finds_an_action_and_does_it(
    trained: QMainWindow, qtbot: QtBot
) -> None:
    bookmark = child(trained, QAction, "bookmarkAction").text().replace("&", "")
    strip = focus(qtbot, trained, "timeline")
    control_shift = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    qtbot.keyClick(strip, Qt.Key.Key_P, control_shift)
    palette = child(trained, QWidget, "actionSearch")
    qtbot.waitUntil(palette.isVisible)
    everything = len(found(trained))
    write(qtbot, trained, "actionSearchField", bookmark)
    qtbot.waitUntil(lambda: bookmark in found(trained)[0])
    assert len(found(trained)) < everything
    qtbot.keyClick(child(trained, QWidget, "actionSearchField"), Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: is_enabled(trained, "nextBookmarkAction"))
    assert not palette.isVisible()
    qtbot.waitUntil(strip.hasFocus)


def test_the_command_palette_knows_other_words(trained: QMainWindow, qtbot: QtBot) -> None:
    act(trained, "searchActionsAction")
    palette = child(trained, QWidget, "actionSearch")
    qtbot.waitUntil(palette.isVisible)
    write(qtbot, trained, "actionSearchField", "rewind")
    home = child(trained, QAction, "homeAction").text().replace("&", "")
    qtbot.waitUntil(lambda: any(home in line for line in found(trained)))
    write(qtbot, trained, "actionSearchField", "xyzzy")
    qtbot.waitUntil(lambda: found(trained) == [])
    qtbot.keyClick(child(trained, QWidget, "actionSearchField"), Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: not palette.isVisible())
    assert position(trained) > 0


def test_f1_explains_the_panel_with_the_keyboard(trained: QMainWindow, qtbot: QtBot) -> None:
    page = child(trained, QTextBrowser, "helpText")
    for panel, dock in (("vocabularyTable", "vocabularyDock"), ("pairChart", "pairDock")):
        widget = focus(qtbot, trained, panel)
        qtbot.keyClick(widget, Qt.Key.Key_F1)
        qtbot.waitUntil(page.isVisible)
        title = child(trained, QDockWidget, dock).windowTitle()
        qtbot.waitUntil(lambda: page.toPlainText().startswith(title))  # noqa: B023
        # Escape closes it, and the keyboard is where it was.
        reader = QApplication.focusWidget()
        assert reader is not None
        qtbot.keyClick(reader, Qt.Key.Key_Escape)
        qtbot.waitUntil(lambda: not page.isVisible())
        qtbot.waitUntil(widget.hasFocus)


def test_the_help_is_searched(trained: QMainWindow, qtbot: QtBot) -> None:
    act(trained, "helpKeysAction")
    page = child(trained, QTextBrowser, "helpText")
    qtbot.waitUntil(page.isVisible)
    keys = page.toPlainText()
    write(qtbot, trained, "helpSearch", "byte")
    qtbot.waitUntil(lambda: page.toPlainText() not in ("", keys))
    assert "byte" in page.toPlainText().lower()
    qtbot.mouseClick(child(trained, QWidget, "helpCloseButton"), Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not page.isVisible())


def test_after_the_help_the_timeline_has_the_keys_of_a_message_that_is_gone(
    trained: QMainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    empty = tmp_path / "empty.txt"
    empty.touch()
    drop(trained, empty)
    qtbot.waitUntil(lambda: messages(trained) != [])
    buttons = trained.findChildren(QToolButton)
    [close] = [one for one in buttons if one.accessibleName().startswith("Dismiss")]
    close.setFocus()
    qtbot.keyClick(close, Qt.Key.Key_F1)
    page = child(trained, QTextBrowser, "helpText")
    qtbot.waitUntil(page.hasFocus)
    act(trained, "dismissAction")
    qtbot.waitUntil(lambda: messages(trained) == [])
    qtbot.keyClick(page, Qt.Key.Key_Escape)
    assert child(trained, QWidget, "timeline").hasFocus()
