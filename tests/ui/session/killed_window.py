"""A window in a process of its own, which is killed while it trains, or finds what was left.

Called by `test_session_after_kill`: `python -m tests.ui.session.killed_window train CORPUS` prints
how many merges each state on the disk has, until it is killed; `... restart` opens what is offered.
"""

from __future__ import annotations

import json
import sys

from PySide6.QtCore import QEventLoop, QObject, QTimer, Slot
from PySide6.QtWidgets import QToolButton

from bpe_gui import app
from bpe_gui.sessions import load_session
from bpe_gui.ui.run.training import Phase
from bpe_gui.ui.run.worker import TrainingControl
from bpe_gui.ui.shell.main_window import MainWindow

_AT_ONCE = 20
"""Merges from one state to the next: the run is under way all the time, and never at its end."""


class Teller(QObject):
    """Tells of each state that is written, and lets the training go on."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self.orders: TrainingControl | None = None
        window.session_keeper.autosave.timer.setInterval(50)
        self.path = window.session_keeper.recovery_files.path
        window.session_keeper.files.rested.connect(self.on_written)

    @Slot()
    def on_written(self) -> None:
        if not self.path.exists():
            return
        merges = len(load_session(self.path).branches[0].history)
        print(json.dumps({"merges": merges}), flush=True)
        if self.orders is not None:
            self.orders.step(_AT_ONCE)


def train(corpus: str) -> None:
    """Train in small portions, each as soon as the state of the one before is written."""
    told: list[TrainingControl] = []

    def portion(orders: TrainingControl) -> None:
        told.append(orders)
        orders.step(_AT_ONCE)

    TrainingControl.train = portion  # type: ignore[method-assign]
    application, window = app.create(["open", corpus, "--vocab-size", "5000", "--start"])
    Teller(window).orders = told[0]
    application.exec()


def restart() -> None:
    """Open what is offered, and train it on."""
    _, window = app.create()
    loop = QEventLoop()
    look = QTimer()
    look.timeout.connect(loop.quit)
    look.start(20)
    while not window.message_bar.text or window.player.history is None:
        loop.exec()
    offered = window.message_bar.text
    buttons = window.message_bar.findChildren(QToolButton)
    next(button for button in buttons if button.text() == "Restore").click()
    while window.player.end == 0:
        loop.exec()
    merges, position = window.player.end, window.player.position
    window.actions_.train.trigger()
    while window.training.phase is not Phase.FINISHED:
        loop.exec()
    seen = {"offered": offered, "merges": merges, "position": position}
    print(json.dumps({**seen, "trained_on": window.player.end}))
    look.stop()
    window.close()


def choose(corpus: str) -> None:
    """Choose, and say so."""
    application, window = app.create(["open", corpus])
    loop = QEventLoop()
    window.training.prepared.connect(loop.quit)
    loop.exec()
    window.theme_choice.choose("light")
    window.text_sizing.set_scale(1.5)
    window.palette_choice.choose("strong")
    window.explore.docks["treeDock"].hide()
    print(json.dumps("chosen"), flush=True)
    application.exec()


if __name__ == "__main__":
    command, *arguments = sys.argv[1:]
    {"train": train, "restart": restart, "choose": choose}[command](*arguments)
