"""Records animations: draws frames one at a time between other events, writes on a thread."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from queue import SimpleQueue

import numpy as np
from msgspec import Struct, field
from PySide6.QtCore import QElapsedTimer, QObject, QTimer, Signal, Slot
from PySide6.QtGui import QImage

from bpe_gui.exporting.animation import AnimationError, Frame, FrameRange, write_animation
from bpe_gui.ui.export.hidden_panels import HiddenPanels
from bpe_gui.ui.export.picture import PictureError
from bpe_gui.ui.run.background import BackgroundTask, Job, TaskError
from bpe_gui.ui.widgets.sentences import as_sentence, cannot_be_written

_AHEAD = 3
"""The frames that may be drawn ahead of writing: more would only fill the memory."""
_LONGEST_REST = 60
"""The longest pause after a frame, in milliseconds, which the window has for itself."""


class Animation(Struct, frozen=True, eq=False):
    """A file that is being made, and the frames that are still to be written to it."""

    path: Path
    stretch: FrameRange
    loop: bool
    frames: SimpleQueue[QImage | None] = field(default_factory=SimpleQueue)


class AnimationRecorder(QObject):
    """Makes one animation at a time, off the screen.

    Frames are drawn on the window's thread, one whenever nothing else is to be done there, and
    only a few more than are written: the memory is that of a few frames, however long the
    animation is, and the window stays usable.
    """

    progressed = Signal(int, int)
    """The number of frames that are drawn, and of all."""
    finished = Signal(object)
    """The Animation that is complete now."""
    failed = Signal(str)
    """Nothing was written; one sentence why, empty if it was cancelled."""

    def __init__(self, parent: QObject | None = None, *, polite: bool = True) -> None:
        """Make a recorder, which leaves half of the time to the window if it is `polite`."""
        super().__init__(parent)
        self._polite = polite
        self._animation: Animation | None = None
        self._job: Job | None = None
        self._panels: HiddenPanels | None = None
        self._drawn = 0
        self._drawing = self._written = False
        self._problem = ""
        self._cost = QElapsedTimer()
        self._next = QTimer(self, singleShot=True)
        self._next.timeout.connect(self._draw)
        failure = "The animation could not be written"
        expected = (AnimationError,)
        self._task = BackgroundTask("animation", self, expected=expected, failure=failure)
        self._task.rested.connect(self._on_rested)

    @property
    def busy(self) -> bool:
        """Whether an animation is being made, or one that was cancelled has not ended yet."""
        return self._animation is not None

    def start(
        self, path: Path, panels: HiddenPanels, stretch: FrameRange, *, loop: bool = True
    ) -> None:
        """Begin an animation of panels, which are closed when it ends."""
        assert self._animation is None, "one at a time"
        self._panels, self._animation = panels, Animation(path, stretch, loop)
        self._problem, self._drawing, self._written = "", False, False
        self._drawn = 0
        panels.drawn.connect(self._on_drawn)
        write = partial(_write, self._animation)
        self._job = self._task.ask_too(write, self._on_written, self._on_problem, self._on_taken)
        self._draw()

    @Slot()
    def cancel(self) -> None:
        """Cancel what is being made; `failed` is emitted when nothing of it is left."""
        if self._animation is not None and self._job is not None:
            self._job.cancel()
            self._animation.frames.put(None)
            self._close_panels()

    @Slot()
    def _draw(self) -> None:
        """Ask for the next frame, unless enough of them wait to be written."""
        animation, panels = self._animation, self._panels
        if animation is None or panels is None or self._drawing or self._next.isActive():
            return
        if self._drawn < len(animation.stretch) and animation.frames.qsize() < _AHEAD:
            self._drawing = True
            self._cost.start()
            stretch, frame = animation.stretch, self._drawn
            panels.ask(stretch.position(frame), stretch.share(frame))

    @Slot()
    def _on_drawn(self) -> None:
        animation, panels = self._animation, self._panels
        if animation is None or panels is None:
            return
        try:
            animation.frames.put(panels.picture())
        except PictureError as error:
            self._problem = as_sentence(error)
            self.cancel()
            return
        self._drawn += 1
        self._drawing = False
        self.progressed.emit(self._drawn, len(animation.stretch))
        self._next.start(min(self._cost.elapsed(), _LONGEST_REST) if self._polite else 0)

    def _on_taken(self, _: None) -> None:
        self._draw()

    def _on_written(self, _: None) -> None:
        self._written = True

    def _on_problem(self, sentence: str) -> None:
        self._problem = sentence

    @Slot()
    def _on_rested(self) -> None:
        animation, self._animation = self._animation, None
        self._close_panels()
        if self._written:
            self.finished.emit(animation)
        else:
            self.failed.emit(self._problem)

    def _close_panels(self) -> None:
        self._next.stop()
        if self._panels is not None:
            self._panels.close()
        self._panels = None


def _write(animation: Animation, job: Job) -> None:
    """Write an animation, whole or not at all; report every frame taken. Raises AnimationError."""
    try:
        frames = _frames(animation, job)
        write_animation(animation.path, frames, animation.stretch, loop=animation.loop)
    except OSError as error:
        raise TaskError(cannot_be_written(animation.path, error)) from error


def _frames(animation: Animation, job: Job) -> Iterator[Frame]:
    for _ in range(len(animation.stretch)):
        image = animation.frames.get()
        job.check()
        assert image is not None, "there are pictures as long as it is wanted"
        job.report(None)
        yield pixels(image)


def pixels(image: QImage) -> Frame:
    """Return the pixels of a picture as rows of red, green and blue; its scale is ignored."""
    image = image.convertToFormat(QImage.Format.Format_RGB888)
    rows = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), -1)
    # Qt pads each line to whole words.
    return rows[:, : image.width() * 3].reshape(image.height(), image.width(), 3).copy()
