"""What moves by itself, where the window is animated: movements, and bars without an end."""

from __future__ import annotations

from PySide6.QtCore import QEasingCurve, QElapsedTimer, QObject, QVariantAnimation, Signal, Slot
from PySide6.QtWidgets import QMainWindow, QProgressBar, QWidget

_HELD = "heldMotion"
"""The property of a window in which movements are held: how far they are."""
_MILLISECONDS, _LEAST_MILLISECONDS = 320, 60
_SHARE = 0.6
"""A movement takes at most this share of the time since the last one began, so that it ends before
the next one begins."""
_STEPS = 1000
"""Of a progress bar."""


def is_animated(widget: QWidget) -> bool:
    """Tell whether the main window that holds a widget may move things by itself."""
    holder: QWidget | None = widget
    while holder is not None and not isinstance(holder, QMainWindow):
        holder = holder.parentWidget()
    return holder is None or holder.isAnimated()


def hold_motions(window: QMainWindow, share: float) -> None:
    """Show all movements in a window as far as `share` from now on, for a picture of it.

    With 1 those that are under way are over, and others are over as soon as they begin.
    """
    window.setProperty(_HELD, share)
    for motion in window.findChildren(Motion):
        if motion.is_held:
            motion.hold(share)


class Motion(QObject):
    """Goes from 0 to 1, where it stays, while its widget is drawn again and again.

    Where nothing may move by itself, or nobody looks, it is over at once. Where pictures are taken
    it stays where `hold_motions` lets it be.
    """

    ended = Signal()
    """It has come to its end, or was over at once."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        self._widget = widget
        self._held: float | None = None
        self._since = QElapsedTimer()
        self._animation = QVariantAnimation(self)
        self._animation.setEasingCurve(QEasingCurve.Type.InOutQuad)
        self._animation.setStartValue(0.0)
        self._animation.setEndValue(1.0)
        self._animation.valueChanged.connect(self._draw)
        self._animation.finished.connect(self.end)

    @property
    def goes_on(self) -> bool:
        """Whether it is under way."""
        stopped = self._animation.state() is QVariantAnimation.State.Stopped
        return self.is_held or not stopped

    @property
    def is_held(self) -> bool:
        """Whether it is under way, but does not go on by itself."""
        return self._held is not None

    @property
    def share(self) -> float:
        """How much of it is done, from 0 to 1."""
        if self._held is not None:
            return self._animation.easingCurve().valueForProgress(self._held)
        return float(self._animation.currentValue()) if self.goes_on else 1.0

    def begin(self) -> None:
        """Begin anew."""
        self._animation.stop()
        since = self._since.elapsed() if self._since.isValid() else _MILLISECONDS / _SHARE
        self._since.start()
        duration = max(_LEAST_MILLISECONDS, min(_MILLISECONDS, round(_SHARE * since)))
        self._animation.setDuration(duration)
        held = self._widget.window().property(_HELD)
        if held is not None:
            self.hold(float(held))
        elif self._widget.isVisible() and is_animated(self._widget):
            self._animation.start()
        else:
            self.ended.emit()

    def hold(self, share: float) -> None:
        """Be as far as that, and stay there; with 1, be over."""
        if share < 1:
            self._held = share
            self._draw()
        else:
            self.end()

    def cut_short(self) -> None:
        """Be over, if it is under way."""
        if self.goes_on:
            self.end()

    @Slot()
    def end(self) -> None:
        """Be over."""
        self._held = None
        self._animation.stop()
        self._draw()
        self.ended.emit()

    @Slot()
    def _draw(self) -> None:
        self._widget.update()


class ProgressBar(QProgressBar):
    """A bar without text. While the amount of work is unknown, it moves or is empty."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, textVisible=False)

    def show_share(self, share: float | None) -> None:
        """Show how much is done, from 0 to 1; None if that is unknown."""
        # Left to itself the bar repaints at once, and everything else that waits with it.
        self.setUpdatesEnabled(False)
        self.setRange(0, 0 if share is None and is_animated(self) else _STEPS)
        self.setValue(round((share or 0) * _STEPS))
        self.setUpdatesEnabled(True)
