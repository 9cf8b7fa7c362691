"""Drives the program in a real window, as its own process: open, train, type, look, close.

Called by `test_real_window`: `python -m tests.ui.shell.real_window CORPUS PICTURE`. Prints what
it saw as one JSON object.
"""

from __future__ import annotations

import json
import sys

from PySide6.QtCore import QEventLoop, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialog, QPlainTextEdit, QPushButton, QWidget

from bpe_gui import app
from bpe_gui.analysis.own_columns import OwnNumbers
from bpe_gui.ui.compare.own_numbers_dialog import OwnNumbersDialog
from bpe_gui.ui.run.training import Phase

TYPED = "the hat sat"


def main(corpus: str, picture: str) -> None:
    """Go through it once."""
    application, window = app.create(["open", corpus, "--vocab-size", "300", "--start"])
    loop = QEventLoop()
    give_up = QTimer()
    give_up.setSingleShot(True)
    give_up.timeout.connect(loop.quit)
    give_up.start(120_000)
    window.training.changed.connect(loop.quit)
    while window.training.phase is not Phase.FINISHED and give_up.isActive():
        loop.exec()
    QTest.qWaitForWindowExposed(window)
    editor = window.findChild(QPlainTextEdit, "sampleText")
    view = window.findChild(QWidget, "tokenView")
    assert editor is not None
    assert view is not None
    editor.setFocus()
    editor.selectAll()
    QTest.keyClicks(editor, TYPED)
    QTimer.singleShot(1000, loop.quit)
    loop.exec()
    screen = QGuiApplication.primaryScreen()
    screen.grabWindow(0).save(picture)
    corner = view.mapToGlobal(view.rect().topLeft())
    seen = {
        "platform": application.platformName(),
        "status": window.status.text,
        "text": window.sample_text.text,
        "tokens": list(window.theme_choice.theme.token_fills.of_tokens),
        "buttons": buttons_of_a_dialog(OwnNumbersDialog(OwnNumbers(), window)),
        "view": [corner.x(), corner.y(), view.width(), view.height()],
    }
    window.close()
    print(json.dumps(seen))


def buttons_of_a_dialog(dialog: QDialog) -> dict[str, bool]:
    """Which buttons a dialog of the window has, and whether they have a picture."""
    dialog.show()
    QTest.qWaitForWindowExposed(dialog)
    return {one.text(): not one.icon().isNull() for one in dialog.findChildren(QPushButton)}


if __name__ == "__main__":
    main(*sys.argv[1:])
