"""Animations exported in tests: asked for with and without the dialogs, and read again."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QMainWindow
from pytestqt.qtbot import QtBot

from bpe_gui.exporting.animation import Frame
from bpe_gui.ui.export.animation_recorder import pixels
from bpe_gui.ui.export.hidden_panels import AnimationChoice, RenderState
from bpe_gui.ui.export.picture import picture_of
from bpe_gui.ui.panels.pairs.panel import PairChart
from bpe_gui.ui.run.training import Phase
from bpe_gui.ui.shell.main_window import MainWindow
from bpe_gui.ui.theme.theme import DARK, Theme, palette
from tests.ui.panels.parts import parts

TEXT = "the cat sat on the mat and the hat\n" * 30
Opened = Callable[..., MainWindow]

SMALL = AnimationChoice(
    panels=("pairs",), width=640, height=480, stop=12, caption=False, text=1.0, motion=False,
    frames_a_second=Fraction(5),
)  # fmt: skip


@pytest.fixture
def window(qtbot: QtBot, opened: Opened) -> MainWindow:
    """A window with a run that has been trained to its end, at rest."""
    window = opened("story.txt", TEXT, "--start")
    qtbot.waitUntil(lambda: window.training.phase is Phase.FINISHED)
    qtbot.waitUntil(lambda: window.explore.scheduler.up_to_date and window.explore.at_rest)
    return window


def hidden_window() -> QMainWindow:
    """The window of the hidden panels that are at work."""
    [found] = (
        each for each in QApplication.topLevelWidgets()
        if each.objectName() == "hiddenWindow" and each.isVisible()
    )  # fmt: skip
    assert isinstance(found, QMainWindow)
    return found


def said(qtbot: QtBot, window: MainWindow) -> str:
    """What the window says when an export has ended."""
    qtbot.waitUntil(lambda: not window.animating.busy)
    return window.message_bar.text


def made(qtbot: QtBot, window: MainWindow, path: Path, choice: AnimationChoice) -> str:
    """Export without the dialogs; what the window says of it."""
    begin(window, path, choice)
    return said(qtbot, window)


def begin(window: MainWindow, path: Path, choice: AnimationChoice) -> None:
    """Begin to export what the window shows, without the dialogs."""
    scene = RenderState.of(window.context)
    assert scene is not None
    window.animating.begin(path, choice, scene, window.animating.hidden_panels(scene, choice))


def frames_of(path: Path) -> tuple[list[Frame], list[int]]:
    """The frames of a file, and how many milliseconds each is shown."""
    frames, durations = [], []
    with Image.open(path) as image:
        for number in range(image.n_frames):
            image.seek(number)
            image.load()
            durations.append(image.info["duration"])
            frames.append(np.asarray(image.convert("RGB")))
    return frames, durations


def chart(window: MainWindow, position: int, theme: Theme = DARK, scale: int = 1) -> Frame:
    """The chart as a window of its own shows it, at rest."""
    alone = PairChart(parts())
    alone.set_animated(False)
    alone.setPalette(palette(theme))
    alone.set_history(window.player.history)
    alone.show_position(position, False)
    alone.setAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen)
    alone.resize(640, 480)
    alone.show()
    drawn = pixels(picture_of(alone, scale))
    alone.close()
    alone.deleteLater()
    return drawn


def nearly(frame: Frame, meant: Frame) -> bool:
    """Whether a frame of a GIF, which has 255 colours, is the one that is meant."""
    far = np.abs(frame.astype(int) - meant).max(axis=2)
    return bool((far == 0).mean() > 0.995 and far.max() < 64)
