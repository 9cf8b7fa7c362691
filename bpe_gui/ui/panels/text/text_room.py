"""How the parts of the text panel share its height."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Signal
from PySide6.QtWidgets import QWidget

from bpe_gui.ui.theme.text_size import text_scale

_PADDING = 16
"""What a field needs around its lines."""
_LEAST_EDITOR = 44
_LARGE = 1.5
"""From this text scale on one line of ids must do."""
_ROOMY = 10
"""So many lines of its text a panel is high at least that has room for everything."""


class TextRoom(QObject):
    """Gives text and ids their lines; where there are few, they are for the text alone."""

    changed = Signal()
    """There is room for all now, or no longer; or the little room there is has changed."""

    def __init__(self, panel: QWidget, text: QWidget, ids: QWidget, copy: QWidget) -> None:
        """`copy` belongs to the ids."""
        super().__init__(panel)
        self._panel = panel
        self._text, self._ids, self._copy = text, ids, copy
        self.roomy = True
        """Whether there is room for all."""
        self._fit_lines()
        panel.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow another size of the panel, and of its text."""
        if event.type() == QEvent.Type.FontChange:
            self._fit_lines()
        elif event.type() == QEvent.Type.Resize:
            self._share()
        return False

    def _fit_lines(self) -> None:
        line = self._panel.fontMetrics().lineSpacing()
        lines = 2 if text_scale(self._panel.font()) < _LARGE else 1
        self._ids.setMinimumHeight(lines * line + _PADDING)
        self._text.setMinimumHeight(max(_LEAST_EDITOR, line + _PADDING))
        self._share()

    def _share(self) -> None:
        before = self.roomy
        self.roomy = self._panel.height() >= _ROOMY * self._panel.fontMetrics().lineSpacing()
        self._ids.setVisible(self.roomy)
        self._copy.setVisible(self.roomy)
        if not (self.roomy and before):
            self.changed.emit()
