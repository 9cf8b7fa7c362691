"""A movement that is over in a fraction of a second."""

from __future__ import annotations

from PySide6.QtCore import QEasingCurve, QObject, QVariantAnimation, Signal, Slot
from PySide6.QtWidgets import QMainWindow, QWidget

_MILLISECONDS = 320
"""Playing at more than three merges a second cuts it short."""


def is_animated(widget: QWidget) -> bool:
    """Tell whether the main window that holds a widget may move things by itself."""
    holder: QWidget | None = widget
    while holder is not None and not isinstance(holder, QMainWindow):
        holder = holder.parentWidget()
    return holder is None or holder.isAnimated()


class Motion(QObject):
    """Goes from 0 to 1, where it stays, while its widget is drawn again and again.

    Where nothing may move by itself, or nobody looks, it is over at once.
    """

    ended = Signal()
    """It has come to its end, or was over at once."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        self._widget = widget
        self._animation = QVariantAnimation(self)
        self._animation.setDuration(_MILLISECONDS)
        self._animation.setEasingCurve(QEasingCurve.Type.InOutQuad)
        self._animation.setStartValue(0.0)
        self._animation.setEndValue(1.0)
        self._animation.valueChanged.connect(self._draw)
        self._animation.finished.connect(self.end)

    @property
    def goes_on(self) -> bool:
        """Whether it is under way."""
        return self._animation.state() is not QVariantAnimation.State.Stopped

    @property
    def share(self) -> float:
        """How much of it is done, from 0 to 1."""
        return float(self._animation.currentValue()) if self.goes_on else 1.0

    def begin(self) -> None:
        """Begin anew."""
        self._animation.stop()
        if self._widget.isVisible() and is_animated(self._widget):
            self._animation.start()
        else:
            self.ended.emit()

    @Slot()
    def end(self) -> None:
        """Be over."""
        self._animation.stop()
        self._draw()
        self.ended.emit()

    @Slot()
    def _draw(self) -> None:
        self._widget.update()
