"""The meaning of the colours of tokens, where they are a scale."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QWidget

from bpe_gui.ui.theme.theme import Theme, ThemeFollower
from bpe_gui.ui.tokens.colouring import LEGENDS

_SPACE = "\u00a0"


class Legend(QLabel):
    """Shows the steps of the scale in their colours, the least first; hidden if there is none."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("colourLegend")
        self.setTextFormat(Qt.TextFormat.RichText)
        ThemeFollower(self, self._write)

    def _write(self, theme: Theme) -> None:
        steps = LEGENDS.get(theme.colour_by, ())
        fields = (
            f'<span style="background-color:{colour}; color:{theme.token_text}">'
            f"{_SPACE}{step.replace(' ', _SPACE)}{_SPACE}</span>"
            for colour, step in zip(theme.token_fills.scale, steps, strict=False)
        )
        self.setText("".join(fields))
        self.setAccessibleName(f"Colours, from little to much: {', '.join(steps)}")
        self.setVisible(bool(steps))
