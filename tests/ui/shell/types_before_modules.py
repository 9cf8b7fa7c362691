"""A program that tells which types of Qt are not there when another thread begins with modules.

PySide makes a type when it is first asked for; two threads that ask for one at once crash.
"""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Sequence
from types import ModuleType

from PySide6 import QtCore, QtGui, QtWidgets
from PySide6.QtCore import QEventLoop, QTimer

from bpe_gui import app

_LOOK = 20
"""Milliseconds from one look at what has been found to the next."""


class Finder:
    """Sees every import of a module, and finds none."""

    def __init__(self) -> None:
        self.missing: list[str] | None = None

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> None:
        elsewhere = threading.current_thread() is not threading.main_thread()
        if self.missing is None and elsewhere and name.startswith("bpe_gui.ui."):
            self.missing = [
                f"{module.__name__}.{name}"
                for module in (QtCore, QtGui, QtWidgets)
                for name in set(dir(module)) - set(vars(module))
            ]


def main() -> None:
    finder = Finder()
    sys.meta_path.insert(0, finder)
    _, window = app.create()
    loop, timer = QEventLoop(), QTimer(interval=_LOOK)
    timer.timeout.connect(lambda: finder.missing is not None and loop.quit())
    timer.start()
    loop.exec()
    print(json.dumps(finder.missing))
    window.close()


if __name__ == "__main__":
    main()
