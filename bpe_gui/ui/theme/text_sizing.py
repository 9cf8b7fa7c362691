"""The size of all text, by keys."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QApplication

from bpe_gui.ui.actions.actions import Actions
from bpe_gui.ui.theme.text_size import set_text_scale, text_scale

STEPS = (0.7, 0.8, 0.9, 1.0, 1.1, 1.25, 1.5, 1.75, 2.0, 2.5, 3.0)
"""How many times as large as the desktop asks for; keys go from one to the next."""


class TextSizing(QObject):
    """Writes larger or smaller in the whole program."""

    changed = Signal(float)
    """All text is so many times as large now as the desktop asks for."""

    def __init__(self, actions: Actions, parent: QObject) -> None:
        super().__init__(parent)
        self._scale = 1.0
        self._larger, self._smaller = actions.larger_text, actions.smaller_text
        self._plain = actions.plain_text
        self._larger.triggered.connect(self.write_larger)
        self._smaller.triggered.connect(self.write_smaller)
        self._plain.triggered.connect(self.write_plainly)
        self._enable()
        if text_scale(QApplication.font()) != 1.0:  # by a window that was there before
            self._write()

    @property
    def scale(self) -> float:
        """How many times as large text is as the desktop asks for."""
        return self._scale

    def set_scale(self, scale: float) -> None:
        """Write in another size. Raises ValueError for one beyond all steps."""
        if not STEPS[0] <= scale <= STEPS[-1]:
            raise ValueError(f"text cannot be {scale} times as large as usual")
        if scale == self._scale:
            return
        self._scale = scale
        self._write()
        self._enable()
        self.changed.emit(scale)

    @Slot()
    def write_larger(self) -> None:
        """Go to the next step above, if there is one."""
        self.set_scale(min((step for step in STEPS if step > self._scale), default=STEPS[-1]))

    @Slot()
    def write_smaller(self) -> None:
        """Go to the next step below, if there is one."""
        self.set_scale(max((step for step in STEPS if step < self._scale), default=STEPS[0]))

    @Slot()
    def write_plainly(self) -> None:
        """Write as large as the desktop asks for."""
        self.set_scale(1.0)

    def _write(self) -> None:
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        set_text_scale(application, self._scale)

    def _enable(self) -> None:
        self._larger.setEnabled(self._scale < STEPS[-1])
        self._smaller.setEnabled(self._scale > STEPS[0])
