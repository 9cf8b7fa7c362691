"""The folder of last states: which of them stay, for how long, and what is swept up."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from bpe_gui.sessions.autosaves import AutosaveFolder


def test_only_some_states_are_kept_aside(tmp_path: Path) -> None:
    states = AutosaveFolder(tmp_path)
    for number in range(9):
        path = tmp_path / f"{number}.bpesession"
        path.write_text(str(number))
        os.utime(path, (number, number))
    assert [path.stem for path in states.abandoned()] == list("876543210")
    for path in states.abandoned():
        states.claim(path)
    assert len(list((tmp_path / "aside").iterdir())) == 5
    with pytest.raises(FileNotFoundError):
        states.claim(tmp_path / "3.bpesession")
    states.close()


def test_a_state_that_is_put_aside_keeps_its_time(tmp_path: Path) -> None:
    states = AutosaveFolder(tmp_path)
    for name, moment in (("old", 1_000), ("new", 2_000)):
        path = tmp_path / f"{name}.bpesession"
        path.touch()
        os.utime(path, (moment, moment))
    new, old = states.abandoned()
    new, old = states.claim(new), states.claim(old)
    assert states.claim(old) == old
    assert [path.stat().st_mtime for path in (old, new)] == [1_000, 2_000]
    assert states.claimed() == [new, old]
    # The older one was used last, and outlives what came before.
    for number in range(3):
        states.claim(_left(tmp_path / f"{number}.bpesession"))
    states.claim(old)
    states.claim(_left(tmp_path / "3.bpesession"))
    assert old.exists()
    assert not new.exists()
    states.close()


def _left(path: Path) -> Path:
    path.touch()
    return path


def test_what_killed_windows_leave_half_done_is_swept_up(tmp_path: Path) -> None:
    names = ("a.lock", "b.lock", ".x.bpesession.1234.part", "b.bpesession", "c.lock")
    for name in names:
        (tmp_path / name).touch()
        if name != "c.lock":
            os.utime(tmp_path / name, (1, 1))
    states = AutosaveFolder(tmp_path)
    assert {path.name for path in tmp_path.glob("?.*")} == {"b.lock", "b.bpesession", "c.lock"}
    assert list(tmp_path.glob("*.part")) == []
    assert [path.name for path in states.abandoned()] == ["b.bpesession"]
    states.close()
