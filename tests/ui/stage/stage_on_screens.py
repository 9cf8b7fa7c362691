"""Takes the stage from one screen to another, and tells where it was and how large its type.

Called by `test_stage_screens`: `python -m tests.ui.stage.stage_on_screens CORPUS`. The screens are
those of QT_QPA_PLATFORM: the window is on the first. Prints one JSON object.
"""

from __future__ import annotations

import json
import sys
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton

from tests.ui.stage.stage_on_screen import opened, wait_until
from tests.ui.stage.stages import is_at_rest


def main(corpus: str) -> None:
    """Go through it once."""
    window = opened(corpus)
    stage, application = window.stage, QGuiApplication.instance()
    assert isinstance(application, QGuiApplication)
    seen: dict[str, Any] = {}

    def note(what: str) -> None:
        wait_until(lambda: is_at_rest(window))
        show = stage.show_window
        panels = (window.explore.pair_chart, window.explore.text_panel)
        seen[what] = {
            "screen": show.screen().name(),
            "area": show.geometry().getRect(),
            "full": show.isFullScreen() and show.isVisible(),
            "type": show.board.fontInfo().pixelSize(),
            "chosen": stage.choice["screen"],
            "panels": [panel.window() is show for panel in panels],
        }

    def press(key: Qt.Key) -> None:
        QTest.keyClick(stage.show_window, key)

    stage.enter()
    note("first")
    press(Qt.Key.Key_S)
    note("next")
    press(Qt.Key.Key_C)
    button = stage.show_window.findChild(QPushButton, "stageScreen")
    assert button is not None
    seen["button"] = button.text() if button.isVisible() else ""
    stage.leave()
    stage.enter()
    note("again")
    button.click()
    note("by the button")
    # Qt has the screen no longer among its own when it says so.
    screens = QGuiApplication.screens()
    QGuiApplication.screens = staticmethod(lambda: screens[:1])  # type: ignore[method-assign]
    application.screenRemoved.emit(screens[1])
    note("unplugged")
    QGuiApplication.screens = staticmethod(lambda: screens)  # type: ignore[method-assign]
    application.screenAdded.emit(screens[1])
    note("plugged in")
    stage.choice = {"panels": ["text"], "layout": 1, "screen": "of last year"}
    stage.leave()
    stage.enter()
    note("gone")
    window.close()
    print(json.dumps(seen))


if __name__ == "__main__":
    main(*sys.argv[1:])
