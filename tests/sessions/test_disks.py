"""Disks that are full, folders that are gone, and others who read and write at the same time."""

from __future__ import annotations

import os
import resource
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from bpe_gui.bpe.errors import Cancelled
from bpe_gui.sessions import load_session, save_session
from bpe_gui.sessions.file import equal_sessions
from bpe_gui.ui.session.session_files import RecoveryFiles
from tests.sessions.damaged import tiny_of_version
from tests.sessions.made import four_words


@contextmanager
def full_disk(room: int) -> Iterator[None]:
    """No file can be longer, as where there is no more room."""
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (room, limits[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)


@pytest.mark.parametrize("room", [0, 1, 4096])
def test_a_session_that_finds_no_room_leaves_what_was_there(tmp_path: Path, room: int) -> None:
    path = tmp_path / "talk.bpesession"
    save_session(path, four_words())
    before = path.read_bytes()
    assert len(before) > room
    with full_disk(room), pytest.raises(OSError, match="File too large"):
        save_session(path, four_words(text=os.urandom(5_000).hex()))
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("calls", [1, 2, 5, 20, -1])
def test_saving_that_is_given_up_leaves_what_was_there(tmp_path: Path, calls: int) -> None:
    path = tmp_path / "talk.bpesession"
    save_session(path, four_words(text="before"))
    before = path.read_bytes()
    count = 0

    def check() -> None:
        nonlocal count
        count += 1
        if count == calls:
            raise Cancelled

    if calls < 0:  # the last one
        save_session(tmp_path / "all.bpesession", four_words(text="after"), check)
        (tmp_path / "all.bpesession").unlink()
        calls, count = count, 0
    with pytest.raises(Cancelled):
        save_session(path, four_words(text="after"), check)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_who_reads_while_another_saves_has_the_one_or_the_other(tmp_path: Path) -> None:
    path = tmp_path / "talk.bpesession"
    save_session(path, four_words(text="before"))
    before = path.read_bytes()
    with open(path, "rb") as reader:
        begin = reader.read(1_000)
        save_session(path, four_words(text="after"))
        assert begin + reader.read() == before
    assert load_session(path).text == "after"


def test_a_folder_that_is_taken_away_is_made_again_and_held(tmp_path: Path) -> None:
    folder = tmp_path / "sessions"
    states = RecoveryFiles(folder)
    states.ensure_lock()
    shutil.rmtree(folder)
    states.ensure_lock()
    save_session(states.path, four_words())
    other = RecoveryFiles(folder)
    assert other.abandoned() == []
    states.close()
    assert other.abandoned() == [states.path]
    other.close()
    shutil.rmtree(folder)
    folder.touch()
    third = RecoveryFiles(tmp_path / "others")
    third.ensure_lock()
    shutil.rmtree(tmp_path / "others")
    (tmp_path / "others").touch()
    for _ in range(2):
        with pytest.raises(OSError, match="others"):
            third.ensure_lock()
    third.close()


def test_what_looks_otherwise_holds_the_same(tmp_path: Path) -> None:
    names = [tmp_path / f"{number}.bpesession" for number in range(4)]
    looks = {"theme": "dark", "draft": 1}
    for path, changes in zip(
        names,
        (
            {"layout": looks},
            {"layout": {**looks, "theme": "light", "docks": 7}, "saved_as": "/x.bpesession"},
            {"layout": {**looks, "draft": 2}},
            {"layout": looks, "text": "another"},
        ),
        strict=True,
    ):
        save_session(path, four_words(**changes))
    assert equal_sessions(names[0], names[1], ["draft"])
    assert not equal_sessions(names[0], names[2], ["draft"])
    assert not equal_sessions(names[0], names[3], ["draft"])
    assert not equal_sessions(names[0], tmp_path / "missing", [])
    assert not equal_sessions(tmp_path, tmp_path, [])
    older, newer = tmp_path / "older", tmp_path / "newer"
    for version in (2, 3):
        older.write_bytes(tiny_of_version(version))
        save_session(newer, load_session(older))
        assert equal_sessions(older, newer, [])
    torn = tmp_path / "torn"
    torn.write_bytes(names[0].read_bytes()[:-1])
    assert not equal_sessions(torn, torn, [])
