"""The folder of last states: which of them stay, for how long, and what is swept up."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from bpe_gui.ui.session.autosave_folder import AutosaveFolder


def test_only_some_states_are_kept_aside(tmp_path: Path) -> None:
    states = AutosaveFolder(tmp_path)
    for number in range(14):
        path = tmp_path / f"{number:02}.bpesession"
        path.write_text(str(number))
        os.utime(path, (number, number))
    assert [int(path.stem) for path in states.abandoned()] == list(range(13, -1, -1))
    for path in states.abandoned():
        # Also the oldest of all is there for whoever wants it now.
        assert states.claim(path).exists()
    assert [int(path.stem) for path in states.claimed()] == [13, 12, 11, 10, 9, 8, 7, 6, 5, 0]
    with pytest.raises(FileNotFoundError):
        states.claim(tmp_path / "03.bpesession")
    states.close()


def test_a_state_that_is_put_aside_keeps_its_time(tmp_path: Path) -> None:
    states = AutosaveFolder(tmp_path)
    path = tmp_path / "old.bpesession"
    path.touch()
    os.utime(path, (1_000, 1_000))
    claimed = states.claim(path)
    assert states.claim(claimed) == claimed
    assert claimed.stat().st_mtime == 1_000
    states.close()


def test_the_lock_of_an_earlier_version_is_none(tmp_path: Path) -> None:
    """It left an empty file behind when it was killed."""
    for ending in ("lock", "bpesession"):
        (tmp_path / f"killed.{ending}").touch()
    states = AutosaveFolder(tmp_path)
    assert [path.name for path in states.abandoned()] == ["killed.bpesession"]
    states.close()


def test_what_killed_windows_leave_half_done_is_swept_up(tmp_path: Path) -> None:
    names = ("a.lock", "b.lock", ".x.bpesession.1234.part", "b.bpesession", "c.lock")
    for name in names:
        (tmp_path / name).touch()
        if name != "c.lock":
            os.utime(tmp_path / name, (1, 1))
    states = AutosaveFolder(tmp_path)
    assert {path.name for path in tmp_path.glob("?.*")} == {"b.bpesession", "c.lock"}
    assert list(tmp_path.glob("*.part")) == []
    assert [path.name for path in states.abandoned()] == ["b.bpesession"]
    states.close()
