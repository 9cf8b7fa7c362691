"""Animated GIFs, a frame at a time: small, with the true colours, and never held whole.

Pillow compresses the pixels. What it would do to the frames of an animation is done here: it
keeps all of them in memory, and shares colours out among them. Each frame holds only what is
new since the frame before, with a palette of its own. The 192 most frequent colours of a frame
are exact, which on our flat surfaces is nearly all; nothing is dithered.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Sequence
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray
from PIL import GifImagePlugin, Image

from bpe_gui.exporting.stretch import Frame

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
    """The least rectangle that holds all that has changed: left, top, and its pixels, with
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
    """At most 255 colours for pixels, and which of them each pixel gets."""
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
    """Colours as rows of red, green and blue."""
    return np.stack([packed >> 16, packed >> 8 & 255, packed & 255], axis=-1).astype(np.uint8)
