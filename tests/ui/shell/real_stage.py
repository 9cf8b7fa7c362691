"""Goes on the stage of a real screen and back, as its own process, without a window manager.

Called by `test_real_window`: `python -m tests.ui.shell.real_stage CORPUS`. Prints what it saw as
one JSON object.
"""

from __future__ import annotations

import json
import sys

from PySide6.QtCore import QEventLoop, QObject, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from tests.ui.stage.stage_on_screen import opened


def until_active(widget: QWidget) -> None:
    """Wait, for some seconds at most, until a window has the keyboard."""
    loop, poll = QEventLoop(), QTimer()
    poll.timeout.connect(_Look(widget, loop).look)
    poll.start(20)
    QTimer.singleShot(10_000, loop.quit)
    loop.exec()
    poll.stop()


class _Look(QObject):
    def __init__(self, widget: QWidget, loop: QEventLoop) -> None:
        super().__init__(loop)
        self._widget, self._loop = widget, loop

    def look(self) -> None:
        """Stop waiting if it is so."""
        if self._widget.isActiveWindow():
            self._loop.quit()


def main(corpus: str) -> None:
    """Go through it once."""
    window = opened(corpus)
    window.activateWindow()
    until_active(window)
    before = window.geometry().getRect()
    QTest.keyClick(window, Qt.Key.Key_F11)
    show = window.stage.show_window
    until_active(show)
    seen = {
        "active": show.isActiveWindow(),
        "area": show.geometry().getRect(),
        "screen": show.screen().geometry().getRect(),
        "position": window.player.position,
    }
    QTest.keyClick(show, Qt.Key.Key_PageDown)
    seen["next"] = window.player.position
    QTest.keyClick(show, Qt.Key.Key_Escape)
    until_active(window)
    seen |= {
        "left": not show.isVisible(),
        "back": window.isActiveWindow(),
        "same": before == window.geometry().getRect(),
    }
    window.close()
    print(json.dumps(seen))


if __name__ == "__main__":
    main(*sys.argv[1:])
