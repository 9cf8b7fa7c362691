"""List everything that can be done in the window: actions, places to go, choices."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial

from msgspec import Struct
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QComboBox, QDockWidget, QMenu, QMenuBar, QWidget

from bpe_gui.ui.actions.action_words import disabled_reason, keys_of, keywords_of
from bpe_gui.ui.help.matching import Wording
from bpe_gui.ui.help.pages import Page

_QTS_OWN = ("_q_", "qt_")
SUBMENU = " › "
_ABSENT = "What it is for is not in view."
_UNKNOWN = "Nothing that it could be done to is there."


class Entry(Struct, frozen=True, eq=False):
    """One thing that can be done, as it is now.

    `name` identifies it and stays the same. `hindrance` is a sentence on why it is disabled, empty
    if it is not. `checked` is None for what is neither on nor off.
    """

    name: str
    wording: Wording
    hindrance: str
    checked: bool | None
    run: Callable[[], None]

    @property
    def spoken(self) -> str:
        """All of it in words."""
        text, place, keys, tip, _ = self.wording
        state = {True: "on", False: "off", None: ""}[self.checked]
        told = [", ".join(filter(None, (text, state, keys))), place, tip]
        if self.hindrance:
            told.append(f"Not now: {self.hindrance}")
        return ". ".join(part.rstrip(".") for part in told if part) + "."


def entries_of(
    window: QWidget, bar: QMenuBar, going: Sequence[QAction], boxes: Iterable[QComboBox]
) -> list[Entry]:
    """List what can be done: the menus in their order, then the rest, then places and choices.

    `going` are actions that lead somewhere. `boxes` are listed item by item.
    """
    listed: dict[QAction, str] = dict(_in_menus(bar.actions(), ()))
    entries = [_of_action(action, place, "") for action, place in listed.items()]
    leading = set(going)
    for action in window.findChildren(QAction):
        if action not in listed and action not in leading and _is_for_people(action):
            place, absence = _belonging(action.parent())
            entries.append(_of_action(action, place, absence))
    entries += [_of_action(action, "Go to", "") for action in going]
    for box in boxes:
        entries += _choices(box)
    return entries


def plain(text: str) -> str:
    """Return the text of an action without the mark of its letter in the menu."""
    return text.replace("&&", "\0").replace("&", "").replace("\0", "&")


def _in_menus(
    actions: Iterable[QAction], path: tuple[str, ...]
) -> Iterator[tuple[QAction, str]]:
    for action in actions:
        menu = action.menu()
        if isinstance(menu, QMenu):
            if action.shortcuts():  # a list that can be opened by its key
                yield action, SUBMENU.join(path)
            yield from _in_menus(menu.actions(), (*path, plain(action.text())))
        elif not action.isSeparator() and action.text() and not _only_says(action):
            yield action, SUBMENU.join(path)


def _only_says(action: QAction) -> bool:
    """Tell whether an action only says that a menu is empty."""
    return not action.isEnabled() and not action.objectName()


def _is_for_people(action: QAction) -> bool:
    named = action.objectName() and not action.objectName().startswith(_QTS_OWN)
    called = action.isVisible() and action.text() and not isinstance(action.menu(), QMenu)
    return bool(named and called)


def _belonging(parent: object) -> tuple[str, str]:
    """Return the menu or panel of an action that is in no menu of the bar.

    Also returns why the action is disabled, empty if its panel is in view.
    """
    if isinstance(parent, QMenu):
        return plain(parent.title()), ""
    if not isinstance(parent, QWidget) or parent.isWindow():
        return "", ""
    name = parent.accessibleName()
    return name, "" if parent.isVisible() else f"“{name}” is not in view." if name else _ABSENT


def _of_action(action: QAction, place: str, absence: str) -> Entry:
    tip = action.statusTip() if action.statusTip() != action.text() else ""
    text = plain(action.text())
    if isinstance(action.parent(), QDockWidget):
        # In a menu the mark before it says that it is shown, and that choosing it hides it.
        text = f"Hide “{text}”" if action.isChecked() else f"Show “{text}” again"
    elif action.actionGroup() is not None and SUBMENU in place:
        text = f"{place.split(SUBMENU)[-1]}: {text}"
    wording = Wording(text, place, keys_of(action), tip, keywords_of(action))
    name = action.objectName() or f"{place} › {wording.text}"
    checked = action.isChecked() if action.isCheckable() else None
    hindrance = absence if action.isEnabled() else disabled_reason(action) or absence or _UNKNOWN
    return Entry(name, wording, hindrance, checked, action.trigger)


def of_page(page: Page, read: Callable[[str], None]) -> Entry:
    """Return the entry of a page of the help, which `read` opens by its name."""
    wording = Wording(f"Help: {page.title}", "Help", "", "Read this page", "page about manual")
    return Entry(f"page › {page.name}", wording, "", None, partial(read, page.name))


def _choices(box: QComboBox) -> Iterator[Entry]:
    for index in range(box.count()):
        item = box.model().index(index, 0)
        if not box.model().flags(item) & Qt.ItemFlag.ItemIsEnabled:
            continue
        title = box.accessibleName()
        wording = Wording(f"{title}: {box.itemText(index)}", "", "", "")
        checked = index == box.currentIndex()
        name = f"{box.objectName()} › {box.itemText(index)}"
        yield Entry(name, wording, "", checked, partial(box.setCurrentIndex, index))
