"""The parts of a text panel, as its tests look at them."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QLabel, QPlainTextEdit
from pytestqt.qtbot import QtBot

from bpe_gui.bpe.history import History
from bpe_gui.ui.panels.text.panel import TextPanel
from bpe_gui.ui.panels.text.token_view import TokenView
from bpe_gui.ui.tokens.tokenized_text import TokenizedText
from bpe_gui.ui.widgets.motion import MergeMotion
from tests.ui.driving import child, shown
from tests.ui.panels.parts import parts

_NO_BREAK_SPACE = "\u00a0"


@pytest.fixture
def panel(qtbot: QtBot, motion: MergeMotion) -> TextPanel:
    """A panel in a window of its own."""
    return shown(qtbot, TextPanel(parts(motion=motion)), 600, 500)


def editor(panel: TextPanel) -> QPlainTextEdit:
    """Where the text is typed."""
    return child(panel, QPlainTextEdit, "sampleText")


def token_view(panel: TextPanel) -> TokenView:
    """The text in colours."""
    return child(panel, TokenView, "tokenView")


def shown_tokens(panel: TextPanel) -> TokenizedText:
    """The tokens in colours; there must be a run."""
    found = token_view(panel).shown_cut()
    assert found is not None, "the text has no tokens"
    return found[0]


def shown_text(panel: TextPanel) -> str:
    """The text in colours; there must be a run."""
    return shown_tokens(panel).characters.text


def ids(panel: TextPanel) -> str:
    """The ids as they are written."""
    return child(panel, QPlainTextEdit, "tokenIds").toPlainText()


def counts(panel: TextPanel) -> str:
    """What is counted, with plain spaces."""
    return child(panel, QLabel, "textCounts").text().replace(_NO_BREAK_SPACE, " ")


def tokens(panel: TextPanel, history: History) -> list[str]:
    """The tokens of which the ids are written."""
    return [history.id_to_token(int(number)) for number in ids(panel).split()]


def start(panel: TextPanel, history: History, position: int, text: str) -> None:
    """Show a text, cut as it is at a position."""
    panel.set_history(history)
    panel.show_position(position, False)
    panel.sample.set(text)
