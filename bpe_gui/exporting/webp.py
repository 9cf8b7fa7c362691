"""Animated WebP: every pixel as it was drawn, by Pillow."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, BinaryIO

from PIL import Image

from bpe_gui.exporting.stretch import Frame

_EFFORT = 2
"""Of 0 to 6. More takes several times as long, for a file that is some percent smaller."""


def write_webp(
    file: BinaryIO, frames: Iterator[Frame], milliseconds: Sequence[int], *, loop: bool
) -> None:
    """Write frames, all of one size, and the milliseconds that each is shown."""
    first = Image.fromarray(next(frames))
    rest: Any = [_Rest(frames, len(milliseconds) - 1)] if len(milliseconds) > 1 else []
    first.save(
        file,
        "WEBP",
        save_all=True,
        append_images=rest,
        duration=list(milliseconds),
        loop=0 if loop else 1,
        lossless=True,
        quality=50,
        method=_EFFORT,
    )


class _Rest:
    """The frames after the first, as one image of several frames, of which one is held.

    Pillow takes lists of images, which for a long animation would be all of the memory. What it
    asks of an image that it goes through is the number of its frames, to seek the next, and then
    that frame.
    """

    def __init__(self, frames: Iterator[Frame], count: int) -> None:
        self.n_frames = count
        self._frames = frames
        self._shown: Image.Image | None = None

    def seek(self, frame: int) -> None:
        """Go on to the next frame: they are asked for in their order, and each once."""
        self._shown = Image.fromarray(next(self._frames))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._shown, name)
