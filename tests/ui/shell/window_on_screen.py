"""Opens the program as its own process, and prints how large its window is, and its screen.

Called by `test_real_window`: `python -m tests.ui.shell.window_on_screen`.
"""

from __future__ import annotations

import json

from PySide6.QtTest import QTest

from bpe_gui import app


def main() -> None:
    """Open and close a window."""
    _, window = app.create()
    QTest.qWaitForWindowExposed(window)
    screen = window.screen().availableGeometry()
    seen = {"window": window.geometry().getRect(), "screen": screen.getRect()}
    window.close()
    print(json.dumps(seen))


if __name__ == "__main__":
    main()
