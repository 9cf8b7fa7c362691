"""What a screen reader is told, for everything in the window, read as one who sees nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import groupby

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QAccessibleInterface
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QDialog,
    QLabel,
    QLineEdit,
    QTabWidget,
    QWidget,
)
from pytestqt.qtbot import QtBot

from bpe_gui.ui.actions import action_words
from bpe_gui.ui.export.animation_dialog import AnimationDialog
from bpe_gui.ui.export.hidden_panels import AnimationChoice
from bpe_gui.ui.shell.main_window import MainWindow
from bpe_gui.ui.timeline.timeline import Timeline
from bpe_gui.ui.workspaces.workspaces import WorkspaceId
from tests.ui.driving import child

Opened = Callable[..., MainWindow]
NAME, TOLD = QAccessible.Text.Name, QAccessible.Text.Description
SAYS_NOTHING = {QAccessible.Role.NoRole, QAccessible.Role.Window}


@pytest.fixture
def window(with_words: MainWindow) -> MainWindow:
    with_words.resize(1280, 800)
    return with_words


@pytest.fixture
def said(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What is announced, wherever the keyboard is."""
    heard: list[str] = []

    class Heard:
        @staticmethod
        def updateAccessibility(event: QAccessibleAnnouncementEvent) -> None:
            heard.append(event.message())

    monkeypatch.setattr(action_words, "QAccessible", Heard)
    return heard


def interface(widget: QWidget) -> QAccessibleInterface:
    return QAccessible.queryAccessibleInterface(widget)


def label_of(widget: QWidget) -> str:
    """The text of the label that belongs to a widget."""
    found = interface(widget).relations(QAccessible.RelationFlag.Label)
    return " ".join(one.text(NAME) for one, _ in found)


def usable(parent: QWidget) -> Iterator[QWidget]:
    """What one can come to with the keyboard, or press."""
    for widget in parent.findChildren(QWidget):
        if (
            widget.isVisible()
            and widget.focusProxy() is None
            and not widget.objectName().startswith("qt_s")
            and not isinstance(widget.parent(), QAbstractSpinBox | QComboBox)
            and (
                widget.focusPolicy() & Qt.FocusPolicy.TabFocus
                or isinstance(widget, QAbstractButton)
            )
        ):
            yield widget


def check(parent: QWidget) -> int:
    """Each has a name that says what it is, and of which two in one place differ."""
    seen = 0
    called: dict[tuple[QWidget, str], QWidget] = {}
    for widget in usable(parent):
        about = interface(widget)
        name = about.text(NAME).strip()
        assert name, widget
        assert name != widget.objectName(), widget
        assert about.role() not in SAYS_NOTHING, widget
        assert about.text(TOLD) == about.text(TOLD).strip(), widget
        if isinstance(widget, QComboBox):
            # On Linux the name that Qt tells of a box is what is chosen in it.
            assert widget.accessibleName(), widget
            assert label_of(widget) or about.text(TOLD), f"{widget} says only what is chosen"
            name = widget.accessibleName()
        place = widget.parentWidget(), f"{type(widget).__name__} {name}"
        assert place not in called, f"{widget} and {called.get(place)} are both called {name}"
        called[place] = widget
        seen += 1
    return seen


def check_all_that_can_have_the_keyboard_has_a_name(window: MainWindow, qtbot: QtBot) -> None:
    names = {WorkspaceId.COMPARE: "numbersTabs", WorkspaceId.LABORATORY: "laboratoryTabs"}
    for place, name in names.items():
        getattr(window.workspaces, place.name.lower())()
        for button in window.findChildren(QAbstractButton):
            if button.objectName().endswith("Section"):
                button.setChecked(True)
        tabs = child(window, QTabWidget, name)
        for index in range(tabs.count()):
            tabs.setCurrentIndex(index)
            qtbot.waitUntil(lambda: nameless(window) == [])
    window.workspaces.explore()
    for dock in window.explore.docks.values():
        dock.raise_()
        qtbot.waitUntil(lambda: nameless(window) == [])
    window.actions_.present.trigger()
    qtbot.waitUntil(lambda: nameless(window.stage.show_window) == [])
    window.stage.leave()


def nameless(parent: QWidget) -> list[QWidget]:
    """What can have the keyboard and has no name for people, and buttons without an object name.

    What a list or a line of text is made of has the name of that.
    """
    return [
        widget
        for widget in parent.findChildren(QWidget)
        if widget.isVisible()
        and not isinstance(widget.parent(), QComboBox | QLineEdit)
        and (widget.focusProxy() is None or isinstance(widget, QTabWidget | QLineEdit))
        and (
            (widget.focusPolicy() and not interface(widget).text(NAME).strip())
            or (isinstance(widget, QAbstractButton) and not widget.objectName())
        )
    ]


def check_all_says_what_it_is_in(window: MainWindow, place: WorkspaceId, qtbot: QtBot) -> None:
    getattr(window.workspaces, place.name.lower())()
    if place is WorkspaceId.EXPLORE:
        for dock in window.explore.docks.values():
            dock.raise_()
            assert check(window) > 20
        window.actions_.guess.trigger()
        assert check(window) > 10
        window.actions_.guess.trigger()
        return
    names = {WorkspaceId.COMPARE: "numbersTabs", WorkspaceId.LABORATORY: "laboratoryTabs"}
    tabs = child(window, QTabWidget, names[place])
    for index in range(tabs.count()):
        tabs.setCurrentIndex(index)
        assert check(window) > 15


def check_everything_says_what_it_is(window: MainWindow, qtbot: QtBot) -> None:
    for place in WorkspaceId:
        check_all_says_what_it_is_in(window, place, qtbot)


def test_the_help_and_the_tour_say_what_they_are(window: MainWindow, qtbot: QtBot) -> None:
    window.helping.open("overview")
    window.actions_.tour.trigger()
    title = child(window, QLabel, "tourTitle")
    qtbot.waitUntil(lambda: bool(title.text()))
    assert check(window) > 20


def check_the_stage_says_what_it_is(window: MainWindow, qtbot: QtBot) -> None:
    window.actions_.choose_panels.trigger()
    assert check(window.stage.show_window) > 10
    window.stage.leave()


def check_dialogs_say_what_they_are(window: MainWindow, qtbot: QtBot) -> None:
    dialogs: list[QDialog] = [AnimationDialog(AnimationChoice(), 10, window)]
    dialogs += [window.helping.search]
    for dialog in dialogs:
        qtbot.addWidget(dialog)
        dialog.show()
        assert dialog.windowTitle()
        assert check(dialog) >= (1 if dialog is window.helping.search else 8)
        dialog.close()


def check_menus_name_all_that_is_in_them(window: MainWindow) -> None:
    for menu in window.menuBar().actions():
        texts = [a.text().replace("&", "") for a in menu.menu().actions() if not a.isSeparator()]
        assert all(text.strip() for text in texts)
        assert len(set(texts)) == len(texts), menu.text()


def check_letters_of_menus_and_labels_are_not_given_twice(window: MainWindow) -> None:
    for place in WorkspaceId:
        getattr(window.workspaces, place.name.lower())()
        letters = sorted(
            interface(widget).text(QAccessible.Text.Accelerator)
            for widget in usable(window)
            if interface(widget).text(QAccessible.Text.Accelerator).startswith("Alt+")
        )
        menus = sorted(
            f"Alt+{text[text.index('&') + 1].upper()}"
            for text in (action.text() for action in window.menuBar().actions())
        )
        for letter, same in groupby(sorted([*letters, *menus])):
            assert len(list(same)) == 1, f"{letter} in {place.name}"
    window.workspaces.explore()


def check_cells_can_be_read_of(window: MainWindow, name: str, qtbot: QtBot) -> None:
    model = child(window, QAbstractItemView, name).model()
    qtbot.waitUntil(lambda: model.rowCount() > 0)
    for column in range(model.columnCount()):
        cell = model.index(0, column)
        spoken = cell.data(Qt.ItemDataRole.AccessibleTextRole) or cell.data()
        assert spoken not in (None, ""), column
        assert model.headerData(column, Qt.Orientation.Horizontal), column


def check_cells_of_tables_can_be_read(window: MainWindow, qtbot: QtBot) -> None:
    for name in ["vocabularyTable", "wordsTable"]:
        check_cells_can_be_read_of(window, name, qtbot)


def check_the_timeline_tells_its_value(window: MainWindow, qtbot: QtBot) -> None:
    timeline = child(window, Timeline, "timeline")
    window.player.scrub(2)
    qtbot.waitUntil(lambda: timeline.value() == 2)
    about = interface(timeline)
    assert about.role() is QAccessible.Role.Slider
    assert about.valueInterface().currentValue() == 2
    assert about.valueInterface().maximumValue() == window.player.end
    qtbot.waitUntil(lambda: about.text(TOLD).startswith("merge 2:"))


def check_a_button_is_called_what_it_does_now(window: MainWindow, qtbot: QtBot) -> None:
    buttons = [
        button
        for button in window.player_bar.findChildren(QAbstractButton)
        if interface(button).text(NAME) == "Play"
    ]
    assert len(buttons) == 1
    window.player.scrub(0)
    window.actions_.play.trigger()
    assert [interface(button).text(NAME) for button in buttons] == ["Hold"]
    window.actions_.play.trigger()


def test_the_end_of_a_run_is_announced(
    opened: Opened, said: list[str], qtbot: QtBot
) -> None:
    window = opened("words.txt", "low lower lowest newest " * 9)
    qtbot.waitUntil(lambda: any("different pairs" in sentence for sentence in said))
    window.actions_.train.trigger()
    qtbot.waitUntil(lambda: any(sentence.startswith("Done") for sentence in said))
    assert len(said) == len(set(said)), said


def test_what_goes_wrong_is_announced(
    window: MainWindow, said: list[str], qtbot: QtBot
) -> None:
    qtbot.waitUntil(lambda: window.status.text.startswith("Done"))
    said.clear()
    window.message_bar.show_message("The file cannot be read.")
    assert said == ["The file cannot be read."]


def check_what_the_keyboard_is_on_is_told_anew(window: MainWindow, qtbot: QtBot) -> None:
    tokens = child(window, QWidget, "tokenView")
    tokens.setFocus()
    heard = []
    for _ in range(3):
        qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Right)
        heard.append(interface(tokens).text(TOLD))
    assert all(f"Token {n} of" in text for n, text in enumerate(heard, 1))


def test_all_is_said_to_a_screen_reader(window: MainWindow, qtbot: QtBot) -> None:
    check_what_the_keyboard_is_on_is_told_anew(window, qtbot)
    check_letters_of_menus_and_labels_are_not_given_twice(window)
    check_menus_name_all_that_is_in_them(window)
    check_cells_of_tables_can_be_read(window, qtbot)
    check_the_timeline_tells_its_value(window, qtbot)
    check_a_button_is_called_what_it_does_now(window, qtbot)
    check_all_that_can_have_the_keyboard_has_a_name(window, qtbot)
    check_everything_says_what_it_is(window, qtbot)
    check_dialogs_say_what_they_are(window, qtbot)
    check_the_stage_says_what_it_is(window, qtbot)
