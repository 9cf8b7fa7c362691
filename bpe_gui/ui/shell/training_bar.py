"""What is to be trained, and the buttons that do it, in a bar as narrow as need be."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget

from bpe_gui.ui.actions.actions import Actions
from bpe_gui.ui.widgets.box_row import BoxRow
from bpe_gui.ui.widgets.steady_button import SteadyButton

_WORDS = Qt.ToolButtonStyle.ToolButtonTextBesideIcon
_ICON = Qt.ToolButtonStyle.ToolButtonIconOnly
_GAP, _EDGE = 6, 4


class TrainingBar(QWidget):
    """In a narrow window, or in large text, labels go first, then the words of the buttons."""

    def __init__(self, controls: BoxRow, actions: Actions) -> None:
        super().__init__()
        self._controls = controls
        self._buttons = [SteadyButton(act, _WORDS, self) for act in (actions.train, actions.pause)]
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, _EDGE, 0)
        row.setSpacing(_GAP)
        row.addWidget(controls)
        row.addStretch(1)
        for button in self._buttons:
            row.addWidget(button)

    def minimumSizeHint(self) -> QSize:
        """As narrow as can be."""
        height = super().minimumSizeHint().height()
        width = self._controls.minimumSizeHint().width() + self._room_for(_ICON)
        return QSize(width, height)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show as much as has room."""
        super().resizeEvent(event)
        worded = self.width() - self._room_for(_WORDS)
        roomy = worded >= self._controls.usual_width(labelled=False)
        for button in self._buttons:
            button.set_style(_WORDS if roomy else _ICON)
        self._controls.fit(worded if roomy else self.width() - self._room_for(_ICON))

    def _room_for(self, style: Qt.ToolButtonStyle) -> int:
        """What buttons of a style take of the width, with the gaps."""
        buttons = sum(button.width_with(style) for button in self._buttons)
        return buttons + _GAP * (len(self._buttons) + 1) + _EDGE
