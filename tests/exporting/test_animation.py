"""Animations are opened again by the libraries of their formats."""

from __future__ import annotations

import errno
import io
import sys
from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

import av
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from bpe_gui.exporting import animation
from bpe_gui.exporting.animation import (
    MAX_FRAMES,
    AcceleratingRange,
    AnimationError,
    Frame,
    FrameRange,
)

WIDTH, HEIGHT = 64, 48
FLAT = ((21, 23, 28), (39, 50, 92), (107, 71, 29), (35, 104, 86), (231, 233, 238))


def drawn(count: int, width: int = WIDTH, height: int = HEIGHT) -> list[Frame]:
    """Bars of flat colours, of which one is longer in each frame."""
    frames = []
    for number in range(count):
        frame = np.empty((height, width, 3), np.uint8)
        frame[:] = FLAT[0]
        for bar, colour in enumerate(FLAT[1:]):
            frame[4 + 8 * bar : 10 + 8 * bar, : 5 + (bar == number % 4) * (3 + number)] = colour
        frames.append(frame)
    return frames


def photograph(seed: int = 0, width: int = WIDTH, height: int = HEIGHT) -> Frame:
    """More colours than a palette has."""
    return np.random.default_rng(seed).integers(0, 256, (height, width, 3), np.uint8)


def opened(path: Path) -> tuple[list[Frame], list[int], dict[str, object]]:
    """The frames of a file, how long each is shown, and what the first one tells."""
    frames, durations = [], []
    with Image.open(path) as image:
        first = dict(image.info)
        for number in range(image.n_frames):
            image.seek(number)
            image.load()
            durations.append(image.info["duration"])
            frames.append(np.asarray(image.convert("RGB")))
    return frames, durations, first


@pytest.mark.parametrize("ending", ["gif", "webp"])
@pytest.mark.parametrize("loop", [True, False])
def test_every_frame_in_its_colours_and_for_its_time(
    tmp_path: Path, ending: str, loop: bool
) -> None:
    path = tmp_path / f"run.{ending}"
    stretch = FrameRange(3, 10, merges=2, frames_a_second=Fraction(4), hold=Fraction(3, 2))
    wanted = drawn(5)
    animation.write_animation(path, iter(wanted), stretch, loop=loop)
    frames, durations, info = opened(path)
    assert durations == [250, 250, 250, 250, 1750]
    assert np.array_equal(frames, wanted)
    assert (info.get("loop") == 0) is loop
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("motion", [True, False])
def test_a_long_run_begins_merge_by_merge_and_gets_ever_faster(motion: bool) -> None:
    stretch = AcceleratingRange(100, 1553, motion=motion)
    frames = [(stretch.position(at), stretch.share(at)) for at in range(len(stretch))]
    states = [position for position, share in frames if share == 1]
    assert states[:21] == list(range(100, 121))
    steps = [after - before for before, after in pairwise(states)]
    assert steps[:-1] == sorted(steps[:-1])
    assert states[-1] == 1553
    assert (frames[1] == (101, pytest.approx(1 / 11))) is motion, "the first merge under way"
    assert 30 < sum(stretch.durations(1000)) / 1000 < 45
    assert len(stretch.durations(100)) == len(stretch.repeats()) == len(frames)


@pytest.mark.parametrize("ending", ["gif", "webp"])
def test_frames_that_do_not_change_are_frames(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"run.{ending}"
    first, second = drawn(2)
    wanted = [first, first, first, second]
    animation.write_animation(path, iter(wanted), FrameRange(0, 3))
    frames, durations, _ = opened(path)
    # The library of WebP lets one frame stay longer instead.
    assert np.array_equal(frames, wanted if ending == "gif" else [first, second])
    assert sum(durations) == 800 + 2000


def test_one_frame_is_an_animation_too(tmp_path: Path) -> None:
    path = tmp_path / "run.webp"
    animation.write_animation(path, iter(drawn(1)), FrameRange(4, 4))
    with Image.open(path) as image:
        assert np.array_equal(np.asarray(image.convert("RGB")), drawn(1)[0])
    path = tmp_path / "run.mp4"
    animation.write_animation(path, iter(drawn(1)), FrameRange(4, 4, hold=Fraction(0)))
    with av.open(str(path)) as film:
        assert len(list(film.decode(video=0))) == 1


def test_a_gif_of_one_frame_and_one_that_goes_back(tmp_path: Path) -> None:
    path = tmp_path / "run.gif"
    animation.write_animation(path, iter(drawn(1)), FrameRange(4, 4))
    assert np.array_equal(opened(path)[0], drawn(1))
    first, second = drawn(2)
    animation.write_animation(path, iter([first, second, first]), FrameRange(0, 2))
    assert np.array_equal(opened(path)[0], [first, second, first])


def test_more_colours_than_a_palette_has_leave_the_flat_ones_exact(tmp_path: Path) -> None:
    path = tmp_path / "run.gif"
    wanted = drawn(2, 200, 200)
    for seed, frame in enumerate(wanted):
        frame[150:, 150:] = photograph(seed, 50, 50)
    animation.write_animation(path, iter(wanted), FrameRange(0, 1))
    frames, _, _ = opened(path)
    for made, meant in zip(frames, wanted, strict=True):
        assert np.array_equal(made[:150], meant[:150])
        far = np.abs(made.astype(int) - meant).max(axis=2)
        assert np.median(far[150:, 150:]) < 64


@given(data=st.data())
def test_a_gif_shows_any_pixels_of_few_colours_exactly(
    data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    width, height = data.draw(st.integers(1, 9)), data.draw(st.integers(1, 9))
    count = data.draw(st.integers(1, 5))
    pixels = st.lists(st.integers(0, 3), min_size=width * height, max_size=width * height)
    colours = np.array(FLAT, np.uint8)
    wanted = [colours[data.draw(pixels)].reshape(height, width, 3) for _ in range(count)]
    path = tmp_path_factory.mktemp("gif") / "run.gif"
    animation.write_animation(path, iter(wanted), FrameRange(0, count - 1))
    assert np.array_equal(opened(path)[0], wanted)


def test_a_film_has_the_frames_the_speed_the_size_and_the_colours(tmp_path: Path) -> None:
    path = tmp_path / "run.mp4"
    stretch = FrameRange(0, 4, frames_a_second=Fraction(5), hold=Fraction(1))
    wanted = drawn(5, 65, 49)
    animation.write_animation(path, iter(wanted), stretch)
    with av.open(str(path)) as film:
        stream = film.streams.video[0]
        frames = [frame.to_ndarray(format="rgb24") for frame in film.decode(stream)]
        assert stream.codec_context.name == "h264"
        assert stream.codec_context.pix_fmt == "yuv420p"
        assert (stream.width, stream.height) == (66, 50)
        assert stream.average_rate == 5
        assert float(stream.duration * stream.time_base) == 2.0
    assert len(frames) == 10
    for number, frame in enumerate(frames):
        meant = wanted[min(number, 4)]
        assert np.abs(frame[:2, :64].astype(int) - meant[:2, :64]).max() <= 4
        far = np.abs(frame[:49, :65].astype(int) - meant).mean()
        assert far < 6


def test_without_its_library_a_film_is_refused_by_the_name_of_the_extra(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setitem(sys.modules, "av", None)
    with pytest.raises(AnimationError, match=r"run \.venv/bin/pip install '\.\[mp4\]' in"):
        animation.check(animation.MP4, 640, 480)
    with pytest.raises(AnimationError, match="GIF and WebP need nothing more"):
        animation.write_animation(tmp_path / "run.mp4", iter(drawn(2)), FrameRange(0, 1))
    animation.check(animation.GIF, 640, 480)
    assert not animation.has_library()
    assert not list(tmp_path.iterdir())


class Disk(io.FileIO):
    """A file on a disk that is full after so many bytes."""

    room = 0

    def write(self, data: Any) -> int:
        self.room -= len(data)
        if self.room < 0:
            raise OSError(errno.ENOSPC, "No space left on device")
        return super().write(data)


@pytest.mark.parametrize("room", [0, 40, 500, 1500])
def test_a_film_for_which_there_is_no_room(tmp_path: Path, room: int) -> None:
    with Disk(tmp_path / "run.mp4", "wb") as disk:
        disk.room = room
        with pytest.raises(OSError, match="No space left on device"):
            animation.write_mp4(disk, iter(drawn(9)), [1] * 9, Fraction(5))


def test_the_library_does_not_tell_of_a_full_disk_by_itself(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    disk = Disk(tmp_path / "run.mp4", "wb")
    disk.room = 40
    # What is buffered is written as one goes to another place.
    with io.BufferedWriter(disk, 1 << 20) as buffered:
        with pytest.raises(OSError, match="No space left on device"):
            animation.write_mp4(buffered, iter(drawn(9)), [1] * 9, Fraction(5))
        disk.room = 1 << 30
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize("ending", ["gif", "webp", "mp4"])
def test_what_is_broken_off_leaves_nothing_and_the_old_file_as_it_was(
    tmp_path: Path, ending: str
) -> None:
    path = tmp_path / f"run.{ending}"
    path.write_bytes(b"old")
    left = drawn(3)

    def frames() -> Iterator[Frame]:
        yield from left
        raise InterruptedError

    with pytest.raises(InterruptedError):
        animation.write_animation(path, frames(), FrameRange(0, 9))
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_names_and_sizes() -> None:
    assert animation.kind_of("a/b.GIF") is animation.GIF
    with pytest.raises(AnimationError, match=r"run\.avi is not the name of an animation"):
        animation.kind_of("run.avi")
    with pytest.raises(AnimationError, match="9,000 by 10 pixels"):
        animation.check(animation.GIF, 9000, 10)


@given(st.integers(0, 500), st.integers(0, 500), st.integers(2, 60))
def test_at_most_so_many_frames(start: int, merges: int, frames: int) -> None:
    stretch = FrameRange.of_at_most(start, start + merges, frames)
    shown = [stretch.position(frame) for frame in range(len(stretch))]
    assert len(shown) <= frames
    assert shown == sorted(set(shown))
    assert (shown[0], shown[-1]) == (start, start + merges)
    assert len(shown) == min(frames, merges + 1) or stretch.merges > 1


@given(st.integers(0, 80), st.fractions(Fraction(1, 10), 50, max_denominator=10))
def test_rounded_times_keep_the_time_of_the_whole(merges: int, rate: Fraction) -> None:
    stretch = FrameRange(0, merges, frames_a_second=rate)
    for unit in (100, 1000):
        durations = stretch.durations(unit)
        assert min(durations) >= 2
        assert abs(sum(durations) - (Fraction(merges + 1) / rate + 2) * unit) <= Fraction(1, 2)
        assert max(durations[:-1], default=0) - min(durations[:-1], default=0) <= 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((5, 4), "not from 5 to 4"),
        ((0, 9, 0), "one merge at least"),
        ((0, 9, 1, Fraction(51)), "between 0.1 and 50 frames a second"),
        ((0, MAX_FRAMES), "use more merges per frame"),
        ((0, 9, 1, Fraction(5), Fraction(61)), "at most a minute"),
    ],
)
def test_what_makes_no_animation(arguments: tuple[int, ...], message: str) -> None:
    with pytest.raises(AnimationError, match=message):
        FrameRange(*arguments)
