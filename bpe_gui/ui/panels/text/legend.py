"""The meaning of the colours of tokens, where they are a scale."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QWidget

from bpe_gui.bpe.history import History
from bpe_gui.ui.theme.theme import Theme, ThemeFollower, theme_of
from bpe_gui.ui.tokens.colouring import legend

_SPACE = "\u00a0"


class Legend(QLabel):
    """Shows the steps of the scale in their colours, the least first; hidden if there is none."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("colourLegend")
        self.setTextFormat(Qt.TextFormat.RichText)
        self._history: History | None = None
        ThemeFollower(self, self._write)

    def set_history(self, history: History | None) -> None:
        self._history = history
        self._write(theme_of(self))

    def _write(self, theme: Theme) -> None:
        steps = legend(theme.colour_by, self._history)
        fields = (
            f'<span style="background-color:{colour}; color:{theme.token_text}">'
            f"{_SPACE}{step.replace(' ', _SPACE)}{_SPACE}</span>"
            for colour, step in zip(theme.token_fills.scale, steps, strict=False)
        )
        self.setText("".join(fields))
        self.setAccessibleName(f"Colours, from little to much: {', '.join(steps)}")
        self.setVisible(bool(steps))
