"""Remember what was opened last, in a menu with numbered items, the newest first."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget

from bpe_gui.ui.settings.settings import valid_text

MOST = 10
"""So many are remembered."""
_LONGEST = 60
"""Characters of a path that are shown, but for its name, which is shown whole."""
_ENOUGH = 1000
"""Files of one corpus that are remembered; of more it is a folder that one opens."""

Entry = tuple[str, ...]
"""What was opened at once: absolute paths of files and folders."""


class RecentFiles(QObject):
    """Remembers what was opened, and opens it again."""

    wanted = Signal(list)
    """Paths that are to be opened again."""
    gone = Signal(str)
    """One sentence: what was to be opened is no longer there."""
    changed = Signal()
    """Others are remembered now, or in another order, for one was opened or all are cleared."""

    def __init__(self, kind: str, title: str, name: str, parent: QWidget) -> None:
        """`kind` names them in sentences, in the plural; `name` is for automation."""
        super().__init__(parent)
        self._kind = kind
        self._entries: list[Entry] = []
        self.menu = QMenu(title, parent, toolTipsVisible=True)
        self.menu.setObjectName(f"{name}Menu")
        self.menu.triggered.connect(self._on_action)
        self._name = name
        self._fill()

    @property
    def entries(self) -> list[list[str]]:
        """What was opened, newest first, as JSON can hold it."""
        return [list(entry) for entry in self._entries]

    def set_entries(self, entries: object) -> None:
        """Take stored entries. Raises ValueError for what is no list of paths."""
        if not isinstance(entries, list) or len(entries) > MOST:
            raise ValueError("no list of what was opened")
        self._entries = [_checked(entry) for entry in entries]
        self._fill()

    @Slot(list)
    def note(self, paths: Sequence[str | Path]) -> None:
        """Put what has been opened first."""
        entry = tuple(os.path.abspath(path) for path in paths)
        if entry and len(entry) <= _ENOUGH and self._entries[:1] != [entry]:
            self._take([entry, *(known for known in self._entries if known != entry)])

    @Slot()
    def clear(self) -> None:
        """Forget what was opened."""
        self._take([])

    @Slot(QAction)
    def _on_action(self, action: QAction) -> None:
        if action.data() is None:
            self.clear()
            return
        entry: Entry = tuple(action.data())
        missing = [path for path in entry if not os.path.exists(path)]
        if not missing:
            self.wanted.emit(list(entry))
            return
        self._take([known for known in self._entries if known != entry])
        others = f" and {len(missing) - 1:,} more" if len(missing) > 1 else ""
        self.gone.emit(
            f"{valid_text(missing[0])}{others} cannot be found any more, so it is no longer "
            f"among the recent {self._kind}."
        )

    def _take(self, entries: list[Entry]) -> None:
        self._entries = entries[:MOST]
        self._fill()
        self.changed.emit()

    def _fill(self) -> None:
        for action in self.menu.actions():
            self.menu.removeAction(action)
            action.deleteLater()
        for number, entry in enumerate(self._entries, 1):
            action = self._add(numbered(number, shown(entry)))
            action.setObjectName(f"{self._name}{number}Action")
            action.setData(list(entry))
            tip = "\n".join(valid_text(path) for path in entry[:MOST])
            action.setToolTip(tip + ("\n…" if len(entry) > MOST else ""))
            action.setStatusTip(f"Open again: {valid_text(entry[0])}")
        if not self._entries:
            none = self._add("None so far")
            none.setEnabled(False)
            return
        self._add("").setSeparator(True)
        clear = self._add("&Clear")
        clear.setObjectName(f"{self._name}ClearAction")
        clear.setStatusTip(f"Forget the recent {self._kind}")

    def _add(self, text: str) -> QAction:
        # The menu would hold an action for good that it makes itself.
        action = QAction(text, self.menu)
        self.menu.addAction(action)
        return action


def numbered(number: int, text: str) -> str:
    """Write a text in a menu behind the number that chooses it: 1 to 9, then the 0 of 10.

    >>> numbered(1, "R&D"), numbered(10, "Words"), numbered(11, "More")
    ('&1 R&&D', '1&0 Words', '11 More')
    """
    key = f"&{number}" if number < 10 else "1&0" if number == 10 else f"{number}"
    return f"{key} {text.replace('&', '&&')}"


def _checked(entry: object) -> Entry:
    if not isinstance(entry, list) or not 0 < len(entry) <= _ENOUGH:
        raise ValueError("nothing was opened, or too much")
    for path in entry:
        if not isinstance(path, str) or "\0" in path or not os.path.isabs(path):
            raise ValueError(f"{path!r} is no path")
    return tuple(entry)


def shown(entry: Entry) -> str:
    """Write an entry for a menu: the name first, because one looks for that.

    >>> shown(("/texts/a.txt", "/texts/b.txt"))
    'a.txt and 1 more — /texts'
    """
    path = Path(valid_text(entry[0]))
    more = f" and {len(entry) - 1:,} more" if len(entry) > 1 else ""
    text = f"{path.name or path}{more} — {shortened(path.parent)}"
    return "".join(character if character.isprintable() else "�" for character in text)


def shortened(folder: Path) -> str:
    """Write a folder as people do, without its middle if it is long.

    >>> shortened(Path("/data") / ("deep/" * 20) / "texts")
    '/data/…/deep/deep/deep/deep/deep/deep/deep/deep/deep/texts'
    """
    home = Path.home()
    parts = folder.parts
    if home != Path("/") and folder.is_relative_to(home):
        parts = ("~", *folder.relative_to(home).parts)
    whole = os.path.join(*parts) if parts else str(folder)
    if len(whole) <= _LONGEST:
        return whole
    first = parts[:2] if parts[0] == "/" else parts[:1]
    begin = os.path.join(*first, "…")
    last = parts[-1]
    for part in reversed(parts[len(first) : -1]):
        if len(begin) + len(part) + len(last) + 2 > _LONGEST:
            break
        last = os.path.join(part, last)
    return os.path.join(begin, last)
