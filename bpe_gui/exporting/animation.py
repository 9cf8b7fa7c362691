"""Writing an animation frame by frame: GIF, WebP or MP4, by the ending of the file's name."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from bpe_gui.exporting.stretch import AnimationError, Frame, Stretch
from bpe_gui.files import replacing

LARGEST_SIDE = 8192
"""Pixels: what a film and a WebP can hold, and more than any screen has."""


@dataclass(frozen=True, slots=True)
class AnimationKind:
    """A format of animations.

    ending: what the name of its files ends with. title: what people call it.
    """

    ending: str
    title: str


GIF = AnimationKind(".gif", "Animated GIF")
WEBP = AnimationKind(".webp", "Animated WebP")
MP4 = AnimationKind(".mp4", "MP4 film")
KINDS = (GIF, WEBP, MP4)


def kind_of(path: str | Path) -> AnimationKind:
    """The format that the name of a file stands for. Raises AnimationError for any other."""
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
    if kind is MP4:
        from bpe_gui.exporting.mp4 import MISSING, has_library

        if not has_library():
            raise AnimationError(MISSING)


def write_animation(
    path: str | Path, frames: Iterator[Frame], stretch: Stretch, *, loop: bool = True
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
    kind: AnimationKind, file: BinaryIO, frames: Iterator[Frame], stretch: Stretch, *, loop: bool
) -> None:
    if kind is GIF:
        from bpe_gui.exporting.gif import write_gif

        write_gif(file, frames, stretch.durations(100), loop=loop)
    elif kind is WEBP:
        from bpe_gui.exporting.webp import write_webp

        write_webp(file, frames, stretch.durations(1000), loop=loop)
    else:
        from bpe_gui.exporting.mp4 import write_mp4

        rate = stretch.frames_a_second
        held = 1 + round(stretch.hold * rate)
        write_mp4(file, frames, [1] * (len(stretch) - 1) + [held], rate)
