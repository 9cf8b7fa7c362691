"""A program that stops at the first complete frame, and tells what has been loaded by then."""

from __future__ import annotations

import json
import sys

from PySide6.QtCore import QEventLoop

from bpe_gui import app


def main() -> None:
    _, window = app.create()
    explore, loop = window.explore, QEventLoop()
    while window.player.history is None or not (explore.scheduler.up_to_date and explore.at_rest):
        for signal in (explore.scheduler.drew, explore.rested):
            signal.connect(loop.quit)
        loop.exec()
    print(json.dumps(sorted(sys.modules)))
    window.close()


if __name__ == "__main__":
    main()
