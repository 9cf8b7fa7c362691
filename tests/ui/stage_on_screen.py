"""Puts the program on the stage of a screen of some size, and measures what is written there.

Called by `test_stage_type`: `python -m tests.ui.stage_on_screen CORPUS [PICTURES]`. The
screen is that of QT_QPA_PLATFORM. Prints one JSON object: the size of the screen, and for
each panel how large the texts are: the height of an x as a share of that of the screen.
With PICTURES, a folder, the four layouts are put there in both schemes.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from xml.etree import ElementTree

from PySide6.QtCore import QEventLoop, QTimer
from PySide6.QtGui import QFont, QFontMetricsF
from PySide6.QtWidgets import QWidget

from bpe_gui import app
from bpe_gui.ui.exporting.picture import drawing_of
from bpe_gui.ui.main_window import MainWindow
from bpe_gui.ui.training import Phase


def wait(milliseconds: int) -> None:
    """Let the program go on for a while."""
    loop = QEventLoop()
    QTimer.singleShot(milliseconds, loop.quit)
    loop.exec()


def opened(corpus: str) -> MainWindow:
    """The window, with a run that is trained to its end."""
    _, window = app.create(["open", corpus, "--preset", "whitespace", "--start"])
    loop = QEventLoop()
    window.training.changed.connect(loop.quit)
    QTimer.singleShot(60_000, loop.quit)
    while window.training.phase is not Phase.FINISHED:
        loop.exec()
    window.player.scrub(7)
    window.workspace.select_token(int(window.player.history.new_id[6]))
    return window


def shares(widget: QWidget, screen_height: int) -> list[tuple[float, str]]:
    """The texts that a widget paints, and how high an x of each is in shares of the screen."""
    ratio = QFontMetricsF(_sized(widget.font(), 1000)).xHeight() / 1000
    found = []
    for text in ElementTree.fromstring(drawing_of(widget, "stage")).iter():
        if text.tag.endswith("text") and "".join(text.itertext()).strip():
            size = float(text.attrib["font-size"].removesuffix("px"))
            found.append((size * ratio / screen_height, "".join(text.itertext())))
    return sorted(found)


def _sized(font: QFont, pixels: int) -> QFont:
    sized = QFont(font)
    sized.setPixelSize(pixels)
    return sized


def main(corpus: str, pictures: str = "") -> None:
    """Measure all panels, each alone on the stage."""
    window = opened(corpus)
    stage = window.stage
    stage.enter()
    show = stage.show_window
    if pictures:
        _take_pictures(window, Path(pictures))
    found = {}
    for name in stage.names:
        stage.choice = {"panels": [name], "layout": 1}
        wait(300)
        found[name] = shares(show.board, show.height())
    screen = show.screen()
    size = [show.width(), show.height(), screen.devicePixelRatio()]
    window.close()
    print(json.dumps({"size": size, "texts": found}))


def _take_pictures(window: MainWindow, folder: Path) -> None:
    stage = window.stage
    for scheme in ("dark", "light"):
        for panels in (
            ["text"],
            ["pairs", "text"],
            ["pairs", "text", "why"],
            ["pairs", "text", "why", "words"],
        ):
            stage.choice = {"panels": panels, "layout": len(panels), "scheme": scheme}
            wait(400)
            picture = folder / f"{scheme}-{len(panels)}.png"
            stage.show_window.grab().save(str(picture))


if __name__ == "__main__":
    main(*sys.argv[1:])
