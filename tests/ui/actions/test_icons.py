"""Icons tell whether something can be done, in both schemes."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QSize
from PySide6.QtGui import QIcon, QImage, QPainter
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from bpe_gui.ui.actions.actions import make_actions
from bpe_gui.ui.run.player import Player
from bpe_gui.ui.theme.theme import DARK, LIGHT, Theme
from bpe_gui.ui.timeline.player_bar import PlayerBar
from tests.colour_vision import SEEN, contrast


def strongest(icon: QIcon, mode: QIcon.Mode, ground: str) -> float:
    """The highest contrast of an icon with the ground that it is drawn on."""
    drawn = QImage(16, 16, QImage.Format.Format_RGB32)
    drawn.fill(ground)
    with QPainter(drawn) as painter:
        painter.drawPixmap(0, 0, icon.pixmap(QSize(16, 16), 1.0, mode))
    places = ((x, y) for x in range(16) for y in range(16))
    return max(contrast(drawn.pixelColor(*place).name(), ground) for place in places)


@pytest.mark.parametrize("theme", [DARK, LIGHT], ids=lambda theme: theme.name)
def test_an_icon_is_clearly_fainter_while_it_is_disabled(qtbot: QtBot, theme: Theme) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    actions = make_actions(window)
    PlayerBar(Player(), actions, window)
    shown = (
        actions.home, actions.step_back, actions.play, actions.step, actions.end,
        actions.bookmark, actions.train, actions.pause,
    )  # fmt: skip
    for action in shown:
        enabled = strongest(action.icon(), QIcon.Mode.Normal, theme.window)
        disabled = strongest(action.icon(), QIcon.Mode.Disabled, theme.window)
        assert enabled >= SEEN, action.text()
        assert 1.3 <= disabled <= enabled / 1.5, action.text()
