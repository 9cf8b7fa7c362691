"""Gives a talk on two screens, and tells on which of them the presenter window was.

Called by `test_presenter`: `python -m tests.ui.tour.talk_on_screens CORPUS TOUR`. The screens are
those of QT_QPA_PLATFORM: the window is on the first. Prints one JSON object.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from tests.ui.driving import child
from tests.ui.stage.stage_on_screen import opened, wait_until


def main(corpus: str, tour: str) -> None:
    """Go through it once."""
    window = opened(corpus)
    stage, touring = window.stage, window.touring
    seen: dict[str, str | None] = {}

    def note(what: str) -> None:
        wait_until(lambda: touring.scene_setting.scene is None)
        presenter = child(stage.show_window, QWidget, "presenter")
        seen[what] = presenter.screen().name() if presenter.isVisible() else None

    def press(key: Qt.Key) -> None:
        QTest.keyClick(stage.show_window, key)

    stage.enter()
    note("stage alone")
    touring.open(Path(tour))
    note("tour")
    press(Qt.Key.Key_S)
    note("stage moved")
    child(stage.show_window, QWidget, "presenter").close()
    note("closed")
    press(Qt.Key.Key_PageDown)
    note("next page")
    press(Qt.Key.Key_N)
    note("asked for")
    stage.leave()
    note("left")
    stage.enter()
    note("entered again")
    window.close()
    print(json.dumps(seen))


if __name__ == "__main__":
    main(*sys.argv[1:])
