"""MP4 films (H.264), as slides and browsers play them, by PyAV."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import partial
from importlib.machinery import PathFinder
from importlib.util import find_spec
from typing import BinaryIO

import numpy as np

from bpe_gui.exporting.stretch import AnimationError, Frame

MISSING = (
    "MP4 needs a library that is not installed: pip install '.[mp4]', where the program lies, "
    "adds it; GIF and WebP need nothing more"
)
_OPTIONS = {"crf": "16", "preset": "medium", "tune": "animation"}
"""Letters stay crisp; a still picture takes next to nothing all the same."""


def has_library() -> bool:
    """Whether the library is there that writes films, with what it writes them by.

    It is not loaded for that, which takes several frames. A folder or a file that only has its
    name is not the library.
    """
    package = find_spec("av")
    places = package.submodule_search_locations if package is not None else None
    return places is not None and PathFinder.find_spec("av.container", list(places)) is not None


def write_mp4(
    file: BinaryIO, frames: Iterable[Frame], repeats: Sequence[int], rate: Fraction
) -> None:
    """Write frames of one size, each shown for so many frames of the film, at that rate.

    Players want even widths and heights: a line is added at the right or the bottom where the
    size is odd, which repeats the last one. Raises AnimationError if the library is missing or
    gives up, and the OSError of the file if it cannot be written.
    """
    try:
        import av
    except ImportError:
        raise AnimationError(MISSING) from None
    destination = _Destination(file)
    try:
        _encode(destination, frames, repeats, rate)
    except av.error.FFmpegError as error:
        # The library ends the file also after an error, and tells then that it could not do so.
        raise destination.problem or AnimationError(f"the film cannot be made: {error}") from error


class _Destination:
    """A file for the library, which remembers why it could not be written.

    The library is told of it once. It goes on to end the file, and would print what it is told
    then.
    """

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self.name, self.tell = file.name, file.tell
        self.problem: OSError | None = None

    def write(self, data: bytes) -> int:
        """Write some bytes to the file."""
        return self._do(partial(self._file.write, data), len(data))

    def seek(self, offset: int, whence: int = 0) -> int:
        """Go to a place; what waits to be written before it is written then."""
        return self._do(partial(self._file.seek, offset, whence), offset)

    def _do(self, work: Callable[[], int], otherwise: int) -> int:
        """What some work gives, or would give if there had been no problem before."""
        if self.problem is not None:
            return otherwise
        try:
            return work()
        except OSError as error:
            self.problem = error
            raise


def _encode(
    destination: _Destination, frames: Iterable[Frame], repeats: Sequence[int], rate: Fraction
) -> None:
    import av
    from av.video.reformatter import ColorRange, Colorspace

    with av.open(destination, "w", format="mp4", options={"movflags": "faststart"}) as film:
        stream = film.add_stream("libx264", rate=rate, options=_OPTIONS)
        stream.pix_fmt = "yuv420p"
        context = stream.codec_context
        context.color_primaries = context.color_trc = context.colorspace = _BT709
        context.color_range = ColorRange.MPEG
        number = 0
        for frame, times in zip(frames, repeats, strict=True):
            even = _even(frame)
            if number == 0:
                stream.height, stream.width, _ = even.shape
            picture = av.VideoFrame.from_ndarray(even, format="rgb24").reformat(
                format="yuv420p", dst_colorspace=Colorspace.ITU709, dst_color_range=ColorRange.MPEG
            )
            for _ in range(times):
                picture.pts, picture.time_base = number, 1 / rate
                film.mux(stream.encode(picture))
                number += 1
        film.mux(stream.encode())


_BT709 = 1
"""The number of the colours of high-definition films."""


def _even(frame: Frame) -> Frame:
    """A frame of even width and height."""
    height, width, _ = frame.shape
    if height % 2 or width % 2:
        return np.pad(frame, ((0, height % 2), (0, width % 2), (0, 0)), mode="edge")
    return frame
