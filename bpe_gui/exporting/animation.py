"""Animations, frame by frame: GIF, WebP or MP4, by the ending of the file's name."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache, partial
from importlib.machinery import PathFinder
from importlib.util import find_spec
from itertools import accumulate, pairwise
from math import ceil
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray
from PIL import GifImagePlugin, Image

from bpe_gui.analysis.replay_pace import merges_a_second
from bpe_gui.files import replacing

# -- Which positions are shown, and how long ----------------------------------------------------

Frame = NDArray[np.uint8]
"""One picture of an animation: rows of pixels of red, green and blue."""

MAX_FRAMES = 20_000
"""Of one animation: more than ten minutes at thirty frames a second."""
SLOWEST, FASTEST = Fraction(1, 10), Fraction(50)
"""Frames a second. No viewer shows a GIF faster; many slow down what claims to be."""


_SEEN_A_SECOND = 5
"""Merges a second up to which one sees how each is done; the window does the same."""
_FOLLOWED = 20
"""Steps up to which each is shown for a second."""
_SMOOTH = 25
"""Frames a second, at least, that show a merge under way."""
_MOTION, _MOTION_SHARE = Fraction(2, 5), Fraction(3, 5)
"""Seconds for which a merge is under way, and the part of its time; the lesser is taken."""


class AnimationError(ValueError):
    """What is asked for cannot be animated; the message is one sentence for the user."""


def readable_rate(steps: int) -> Fraction:
    """Return frames a second for a number of equal steps: few are followed one by one.

    >>> [int(readable_rate(steps)) for steps in (15, 50, 300)]
    [1, 3, 5]
    """
    return Fraction(min(max(1, ceil(steps / _FOLLOWED)), _SEEN_A_SECOND))


class FrameRange(Struct, frozen=True):
    """A part of the timeline, from one position to another, both shown.

    merges: how far each frame goes on; the last one goes as far as there is.
    frames_a_second: how many of them are shown in a second.
    hold: seconds that the last frame stays, so that one sees what it came to before an
        animation that repeats begins anew.
    between: frames that show the next merge under way, after each position but the last.
    ticks: the number that the time of a position is divided into; each frame between takes one.

    Raises AnimationError for what makes no animation.
    """

    start: int
    stop: int
    merges: int = 1
    frames_a_second: Fraction = Fraction(5)
    hold: Fraction = Fraction(2)
    between: int = 0
    ticks: int = 1

    def __post_init__(self) -> None:
        if self.start < 0 or self.stop < self.start:
            raise AnimationError(
                f"an animation goes from one merge to a later one, and not from {self.start:,} "
                f"to {self.stop:,}"
            )
        if self.merges < 1:
            raise AnimationError("each frame goes on by one merge at least")
        if not SLOWEST <= self.frames_a_second <= FASTEST:
            raise AnimationError(
                f"an animation has between {float(SLOWEST)} and {FASTEST} frames a second"
            )
        if not 0 <= self.hold <= 60:
            raise AnimationError("the last frame stays for at most a minute")
        if not 0 <= self.between < self.ticks or (self.between and self.merges > 1):
            raise AnimationError("only a single merge is shown under way, within its time")
        if len(self) > MAX_FRAMES:
            raise AnimationError(
                f"that makes {len(self):,} frames, and at most {MAX_FRAMES:,} are written; use "
                "more merges per frame"
            )

    @classmethod
    def of_at_most(cls, start: int, stop: int, frames: int) -> FrameRange:
        """Show the stretch in at most this many frames, equally far apart but for the last.

        >>> FrameRange.of_at_most(0, 100, 11).merges, len(FrameRange.of_at_most(0, 100, 10))
        (10, 10)
        """
        if frames < 2:
            raise AnimationError("an animation has two frames at least")
        merges = max(1, -(-(stop - start) // (frames - 1)))
        return cls(start, stop, merges)

    def with_motion(self) -> FrameRange:
        """Show every merge under way, if each frame is one merge and slow enough to see it.

        >>> moving = FrameRange(0, 9).with_motion()
        >>> moving.between, moving.ticks, len(moving)
        (3, 5, 37)
        """
        if self.merges > 1 or self.frames_a_second > _SEEN_A_SECOND:
            return self
        ticks = ceil(_SMOOTH / self.frames_a_second)
        longest = min(_MOTION, _MOTION_SHARE / self.frames_a_second)
        between = int(longest * ticks * self.frames_a_second)
        moving = replace(self, ticks=ticks)
        return replace(moving, between=between) if between else self

    @property
    def shows_motion(self) -> bool:
        """Whether merges are shown under way."""
        return self.between > 0

    def __len__(self) -> int:
        """Count the frames: one for the start, and the last always at the stop."""
        steps = -(-(self.stop - self.start) // self.merges)
        return steps * (1 + self.between) + 1

    def position(self, frame: int) -> int:
        """Return the position that a frame shows; frames are counted from 0.

        That of a frame which shows a merge under way is the one after the merge.

        >>> [FrameRange(3, 10, merges=3).position(frame) for frame in range(4)]
        [3, 6, 9, 10]
        >>> [FrameRange(0, 1, between=2, ticks=3).position(frame) for frame in range(4)]
        [0, 1, 1, 1]
        """
        step, part = divmod(frame, 1 + self.between)
        return min(self.start + (step + bool(part)) * self.merges, self.stop)

    def share(self, frame: int) -> float:
        """Return how much of the merge to its position a frame shows, above 0 and at most 1.

        >>> [FrameRange(0, 1, between=3, ticks=5).share(frame) for frame in range(5)]
        [1.0, 0.25, 0.5, 0.75, 1.0]
        """
        part = frame % (1 + self.between)
        return part / (1 + self.between) if part else 1.0

    def repeats(self) -> list[int]:
        """Return for how many ticks every frame is shown, without the time that the last stays."""
        each = [self.ticks - self.between, *[1] * self.between]
        return [each[frame % len(each)] for frame in range(len(self) - 1)] + [self.ticks]

    def durations(self, a_second: int) -> list[int]:
        """Return how long every frame is shown, in units of which a second has this many.

        What is rounded in one frame is made up for in the next: the whole keeps its time.

        >>> FrameRange(0, 3, frames_a_second=Fraction(30), hold=Fraction(1)).durations(100)
        [3, 4, 3, 103]
        """
        rate = self.frames_a_second * self.ticks
        ends = [Fraction(passed) / rate for passed in accumulate(self.repeats(), initial=0)]
        ends[-1] += self.hold
        ticks = [round(end * a_second) for end in ends]
        return [after - before for before, after in pairwise(ticks)]


class AcceleratingRange(FrameRange, frozen=True):
    """A part of the timeline that begins slowly and gets ever faster, as a replay in the window.

    Every merge is shown up to five a second, and under way if there is `motion`; then each frame
    goes on by more of them.
    """

    ticks: int = _SMOOTH
    frames_a_second: Fraction = Fraction(1)
    motion: bool = True

    @property
    def shows_motion(self) -> bool:
        return self.motion

    @property
    def _frames(self) -> tuple[_TimedFrame, ...]:
        return _accelerating(self.start, self.stop, self.motion)

    def __len__(self) -> int:
        return len(self._frames)

    def position(self, frame: int) -> int:
        return self._frames[frame].position

    def share(self, frame: int) -> float:
        return self._frames[frame].share

    def repeats(self) -> list[int]:
        return [frame.ticks for frame in self._frames]


class _TimedFrame(NamedTuple):
    """A frame that shows a share of the merge to a position, for some ticks."""

    position: int
    share: float
    ticks: int


@lru_cache(maxsize=4)
def _accelerating(start: int, stop: int, motion: bool) -> tuple[_TimedFrame, ...]:
    found, position = [], start
    while position < stop:
        speed = merges_a_second(position - start)
        if speed > _SEEN_A_SECOND:
            found.append(_TimedFrame(position, 1.0, _SMOOTH // _SEEN_A_SECOND))
            position = min(stop, position + round(speed / _SEEN_A_SECOND))
            continue
        ticks = round(_SMOOTH / speed)
        between = int(min(_MOTION * _SMOOTH, _MOTION_SHARE * ticks)) if motion else 0
        found.append(_TimedFrame(position, 1.0, ticks - between))
        position += 1
        shares = (part / (1 + between) for part in range(1, 1 + between))
        found += [_TimedFrame(position, share, 1) for share in shares]
    return (*found, _TimedFrame(stop, 1.0, _SMOOTH))


# -- GIF ----------------------------------------------------------------------------------------
#
# Pillow compresses the pixels. What it would do to the frames of an animation is done here: it
# keeps all of them in memory, and shares colours out among them. Each frame holds only what is
# new since the frame before, with its palette. The 192 most frequent colours of a frame
# are exact, which on our flat surfaces is nearly all; nothing is dithered.

_EXACT = 192
"""Colours of a frame that are kept as they are; the rest come near what is left."""
_COLOURS = 255
_UNCHANGED = 255
"""The index that lets a pixel of the frame before shine through."""
_LEAVE = 1
"""What becomes of a frame when its time is over: it stays, and the next is drawn over it."""
_FOR_EVER = b"!\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00"
_END = b";"
_TRUE_COLOUR = 0x70
"""Of the screen that is announced: eight bits a colour, and no palette for all frames."""


def write_gif(
    file: BinaryIO, frames: Iterable[Frame], hundredths: Sequence[int], *, loop: bool
) -> None:
    """Write frames, all of one size, and the hundredths of a second that each is shown."""
    before: Frame | None = None
    for frame, duration in zip(frames, hundredths, strict=True):
        if before is None:
            height, width, _ = frame.shape
            file.write(b"GIF89a" + struct.pack("<HHBBB", width, height, _TRUE_COLOUR, 0, 0))
            file.write(_FOR_EVER if loop else b"")
        _write_frame(file, frame, before, duration)
        before = frame
    file.write(_END)


def _write_frame(file: BinaryIO, frame: Frame, before: Frame | None, duration: int) -> None:
    """Write what is new in a frame, at its place."""
    left, top, part, changed = _news(frame, before)
    pixels = part[changed]
    packed = pixels.astype(np.uint32) @ np.array([1 << 16, 1 << 8, 1], np.uint32)
    colours, indices = _indexed(packed)
    image = np.full(changed.shape, _UNCHANGED, np.uint8)
    image[changed] = indices
    picture = Image.fromarray(image)
    palette = np.zeros((256, 3), np.uint8)
    palette[: len(colours)] = _unpacked(colours)
    picture.putpalette(palette.tobytes())
    options = {"transparency": _UNCHANGED, "disposal": _LEAVE, "include_color_table": True}
    for block in GifImagePlugin.getdata(picture, (left, top), duration=duration * 10, **options):
        file.write(block)


def _news(frame: Frame, before: Frame | None) -> tuple[int, int, Frame, NDArray[np.bool_]]:
    """Find the least rectangle that holds all that has changed: left, top, and its pixels, with
    those marked that have. It is one pixel that has not where nothing has."""
    if before is None:
        return 0, 0, frame, np.ones(frame.shape[:2], bool)
    changed = (frame != before).any(axis=2)
    rows, columns = np.flatnonzero(changed.any(axis=1)), np.flatnonzero(changed.any(axis=0))
    if not len(rows):
        return 0, 0, frame[:1, :1], changed[:1, :1]
    top, left = int(rows[0]), int(columns[0])
    box = np.s_[top : int(rows[-1]) + 1, left : int(columns[-1]) + 1]
    return left, top, frame[box], changed[box]


def _indexed(packed: NDArray[np.uint32]) -> tuple[NDArray[np.uint32], NDArray[np.uint8]]:
    """Choose at most 255 colours for pixels, and which of them each pixel gets."""
    colours, inverse, counts = np.unique(packed, return_inverse=True, return_counts=True)
    if len(colours) <= _COLOURS:
        return colours, inverse.astype(np.uint8)
    order = np.argsort(-counts, kind="stable")
    exact, rest = order[:_EXACT], order[_EXACT:]
    # Weighed by how often they occur, without one colour of a photograph outweighing all.
    weighed = np.repeat(np.arange(len(rest)), np.minimum(counts[rest], 16))
    row = _unpacked(colours[rest][weighed])[np.newaxis]
    near = Image.fromarray(row).quantize(
        _COLOURS - _EXACT, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE
    )
    made = np.asarray(near.getpalette(), np.uint32).reshape(-1, 3)
    index_of = np.empty(len(colours), np.uint8)
    index_of[exact] = np.arange(_EXACT)
    index_of[rest[weighed]] = np.asarray(near)[0] + _EXACT
    nearest = made @ np.array([1 << 16, 1 << 8, 1], np.uint32)
    return np.append(colours[exact], nearest), index_of[inverse]


def _unpacked(packed: NDArray[np.uint32]) -> Frame:
    """Split colours into rows of red, green and blue."""
    return np.stack([packed >> 16, packed >> 8 & 255, packed & 255], axis=-1).astype(np.uint8)


# -- MP4 (H.264), by PyAV -----------------------------------------------------------------------

MISSING = (
    "MP4 needs a library that is not installed: run .venv/bin/pip install '.[mp4]' in the "
    "program's folder; GIF and WebP need nothing more"
)
_OPTIONS = {"crf": "16", "preset": "medium", "tune": "animation"}
"""Letters stay crisp; a still picture takes next to nothing all the same."""


def has_library() -> bool:
    """Tell whether the library is there that writes films, with what it writes them by.

    It is not loaded for that, which takes several frames. A folder or a file that only has its
    name is not the library.
    """
    package = find_spec("av")
    places = package.submodule_search_locations if package is not None else None
    return places is not None and PathFinder.find_spec("av.container", list(places)) is not None


def write_mp4(
    file: BinaryIO, frames: Iterable[Frame], repeats: Sequence[int], rate: Fraction
) -> None:
    """Write frames of one size, each shown for a number of frames of the film, at that rate.

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
        problem = AnimationError(f"the animation cannot be made: {error}")
        raise destination.problem or problem from error


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
        """Return what some work gives, or would give if there had been no problem before."""
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
    """Make width and height of a frame even."""
    height, width, _ = frame.shape
    if height % 2 or width % 2:
        return np.pad(frame, ((0, height % 2), (0, width % 2), (0, 0)), mode="edge")
    return frame


# -- WebP, by Pillow ----------------------------------------------------------------------------

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


# -- The format by the ending of the name -------------------------------------------------------

LARGEST_SIDE = 8192
"""Pixels: what a film and a WebP can hold, and more than any screen has."""


class AnimationKind(Struct, frozen=True):
    """A format of animations.

    ending: what the name of its files ends with. title: what people call it.
    """

    ending: str
    title: str


GIF = AnimationKind(".gif", "Animated GIF")
WEBP = AnimationKind(".webp", "Animated WebP")
MP4 = AnimationKind(".mp4", "MP4 video")
KINDS = (GIF, WEBP, MP4)


def kind_of(path: str | Path) -> AnimationKind:
    """Tell the format from the name of a file. Raises AnimationError for any other."""
    ending = Path(path).suffix.lower()
    for kind in KINDS:
        if kind.ending == ending:
            return kind
    raise AnimationError(
        f"{Path(path).name} is not the name of an animation; end it with .gif, .webp or .mp4"
    )


def check(kind: AnimationKind, width: int, height: int) -> None:
    """Raise AnimationError now where `write_animation` could not write that kind later.

    Width and height are in pixels.
    """
    if not (16 <= width <= LARGEST_SIDE and 16 <= height <= LARGEST_SIDE):
        raise AnimationError(
            f"a picture of {width:,} by {height:,} pixels cannot be animated; each side has "
            f"between 16 and {LARGEST_SIDE:,}"
        )
    if kind is MP4 and not has_library():
        raise AnimationError(MISSING)


def write_animation(
    path: str | Path, frames: Iterator[Frame], stretch: FrameRange, *, loop: bool = True
) -> None:
    """Write the frames of a stretch, which are taken one after another as they are needed.

    `loop` tells a GIF or a WebP to begin again at its end; films leave that to the player. The
    file is written beside its place and renamed: if anything fails, or `frames` raises,
    nothing is left behind. Raises AnimationError and OSError.
    """
    kind = kind_of(path)
    with replacing(path) as beside, open(beside, "xb") as file:
        _write(kind, file, frames, stretch, loop=loop)


def _write(
    kind: AnimationKind, file: BinaryIO, frames: Iterator[Frame], stretch: FrameRange, *, loop: bool
) -> None:
    if kind is GIF:
        write_gif(file, frames, stretch.durations(100), loop=loop)
    elif kind is WEBP:
        write_webp(file, frames, stretch.durations(1000), loop=loop)
    else:
        rate, repeats = stretch.frames_a_second * stretch.ticks, stretch.repeats()
        repeats[-1] += round(stretch.hold * rate)
        write_mp4(file, frames, repeats, rate)
