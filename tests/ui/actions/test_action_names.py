"""Every action of the window has a name, a key of its own or a way to it by keyboard, and a tip."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from msgspec.structs import asdict
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QAbstractButton, QMenu, QToolButton, QWidget

from bpe_gui.ui.actions.action_words import disabled_reason, keys_of
from bpe_gui.ui.help.entries import plain
from bpe_gui.ui.shell.main_window import MainWindow
from tests.ui.help.searched_actions import window

__all__ = ["window"]


def in_menus(menu: QWidget) -> Iterator[QAction]:
    for action in menu.actions():
        inner = action.menu()
        if isinstance(inner, QMenu):
            yield from in_menus(inner)
        elif not action.isSeparator() and (action.isEnabled() or action.objectName()):
            yield action


def for_people(window: MainWindow) -> list[QAction]:
    """All actions but those that Qt makes for its own widgets, and the lines in menus.

    Of what shows and hides docks and bars only that counts which stands in a menu.
    """
    within_menus = set(in_menus(window.menuBar()))
    bars = [
        bar.toggleViewAction()
        for bar in window.findChildren(QWidget)
        if hasattr(bar, "toggleViewAction")
    ]
    return [
        action
        for action in window.findChildren(QAction)
        if (action not in bars or action in within_menus)
        and action.isVisible()
        and not action.isSeparator()
        and not isinstance(action.menu(), QMenu)
        and not action.objectName().startswith("_q_")
        and action.text()
    ]


def check_every_action_can_be_reached_by_keyboard_and_is_in_the_list(window: MainWindow) -> None:
    within_menus = set(in_menus(window.menuBar()))
    listed = {entry.name for entry in window.helping.entries()}
    leading = set(window.helping.navigator.actions)
    by_tab = [
        button
        for button in window.findChildren(QAbstractButton)
        if button.focusPolicy() & Qt.FocusPolicy.TabFocus
    ]
    for action in for_people(window):
        assert plain(action.text()).strip(), action
        if action in within_menus or isinstance(action.parent(), QMenu):
            assert not action.objectName() or action.objectName() in listed
            continue
        assert action.objectName() in listed, action.text()
        reached = keys_of(action) or action in leading
        is_button = any(
            button.toolTip().startswith(action.text())
            or (isinstance(button, QToolButton) and button.defaultAction() is action)
            for button in by_tab
        )
        assert reached or is_button, action.text()
    assert within_menus, "the menus are filled"
    texts = [entry.wording.text for entry in window.helping.entries()]
    assert all(
        any(plain(action.text()) in text for text in texts) for action in within_menus
    )


def check_entries_have_names_of_their_own(window: MainWindow) -> None:
    names = [entry.name for entry in window.helping.entries()]
    assert len(set(names)) == len(names)


def check_every_action_of_the_window_says_what_it_does(window: MainWindow) -> None:
    for action in asdict(window.actions_).values():
        assert action.statusTip(), action.text()
        assert not action.statusTip().endswith("."), action.text()
        assert action.objectName().endswith("Action")


def is_within(outer: QAction, inner: QAction) -> bool:
    """Whether both actions may get a key that is pressed where the inner one works."""
    if outer.shortcutContext() == Qt.ShortcutContext.WindowShortcut:
        return True
    one, other = outer.parent(), inner.parent()
    if one is other:
        return True
    return isinstance(one, QWidget) and isinstance(other, QWidget) and one.isAncestorOf(other)


def check_no_two_actions_share_a_key_in_one_place(window: MainWindow) -> None:
    with_keys = [
        (action, key) for action in for_people(window) for key in action.shortcuts() if key
    ]
    assert len(with_keys) > 30
    for (one, key), (other, same) in combinations(with_keys, 2):
        if one is not other and key.matches(same) == QKeySequence.SequenceMatch.ExactMatch:
            met = is_within(one, other) or is_within(other, one)
            assert not met, f"{one.text()} and {other.text()}: {key.toString()}"


def check_no_key_is_one_that_desktops_and_keyboards_take(window: MainWindow) -> None:
    """With Ctrl and Alt desktops have keys of their own, and Windows writes letters by them."""
    for action in for_people(window):
        for key in action.shortcuts():
            assert "Ctrl+Alt+" not in key.toString(), action.text()
            assert "Meta+" not in key.toString(), action.text()


def check_what_is_greyed_says_why(window: MainWindow) -> None:
    greyed = [entry for entry in window.helping.entries() if entry.hindrance]
    assert greyed
    for entry in greyed:
        assert entry.hindrance.endswith("."), entry
        assert f"Not now: {entry.hindrance}" in entry.spoken
    own = [action for action in asdict(window.actions_).values() if not action.isEnabled()]
    assert own
    assert all(disabled_reason(action) for action in own)


def check_every_menu_fits_into_a_low_window_in_one_column(window: MainWindow) -> None:
    for menu in window.menuBar().findChildren(QMenu):
        assert menu.sizeHint().height() <= 700, menu.title()
        assert len({menu.actionGeometry(action).left() for action in menu.actions()}) <= 1


def test_actions_are_named_explained_and_reached(window: MainWindow) -> None:
    check_every_action_of_the_window_says_what_it_does(window)
    check_entries_have_names_of_their_own(window)
    check_no_two_actions_share_a_key_in_one_place(window)
    check_every_action_can_be_reached_by_keyboard_and_is_in_the_list(window)
    check_what_is_greyed_says_why(window)
    check_every_menu_fits_into_a_low_window_in_one_column(window)
    check_no_key_is_one_that_desktops_and_keyboards_take(window)
