"""The folder of unsaved work: whose each file is, and what is swept up."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest

from bpe_gui.ui.session.session_files import RecoveryFiles

HOST = socket.gethostname()


def test_each_program_has_a_file_of_its_own(tmp_path: Path) -> None:
    one, other = RecoveryFiles(tmp_path), RecoveryFiles(tmp_path)
    for states in (one, other):
        states.ensure_lock()
        states.path.write_text("work")
    assert one.path != other.path
    assert one.abandoned() == other.abandoned() == []
    other.adopt(one.path)
    assert one.path.exists(), "nobody takes the file of a program that is running"
    one.close()
    assert other.abandoned() == [one.path]
    one.path.write_text("work of one")
    other.adopt(one.path)
    assert other.path.read_text() == "work of one"
    assert not one.path.exists()
    other.close()


@pytest.mark.parametrize("host", [HOST, "another-container"])
def test_the_process_that_a_lock_names_may_be_another_one(tmp_path: Path, host: str) -> None:
    """As in a container, where each program has the number of the one before."""
    one, other = RecoveryFiles(tmp_path), RecoveryFiles(tmp_path)
    one.ensure_lock()
    one.path.write_text("work")
    lock = one.path.with_suffix(".lock")
    lock.write_text(lock.read_text().replace(f"{os.getpid()}", "1").replace(HOST, host))
    assert other.abandoned() == [], "it is held all the same"
    one.close()
    lock.write_text(f"{os.getpid()}\nbpe-gui\n{host}\n\n\n")
    assert other.abandoned() == [one.path], "nobody holds it"


def test_the_newest_file_comes_last(tmp_path: Path) -> None:
    for name, moment in (("a", 3), ("b", 1), ("c", 2)):
        path = tmp_path / f"{name}.bpesession"
        path.touch()
        os.utime(path, (moment, moment))
    assert [path.stem for path in RecoveryFiles(tmp_path).abandoned()] == ["b", "c", "a"]


def test_the_lock_of_an_earlier_version_is_none(tmp_path: Path) -> None:
    """It left an empty file behind when it was killed."""
    for ending in ("lock", "bpesession"):
        (tmp_path / f"killed.{ending}").touch()
    states = RecoveryFiles(tmp_path)
    assert [path.name for path in states.abandoned()] == ["killed.bpesession"]


def test_what_killed_windows_leave_half_done_is_swept_up(tmp_path: Path) -> None:
    names = ("a.lock", "b.lock", ".x.bpesession.1234.part", "b.bpesession", "c.lock")
    for name in names:
        (tmp_path / name).touch()
        if name != "c.lock":
            os.utime(tmp_path / name, (1, 1))
    states = RecoveryFiles(tmp_path)
    assert {path.name for path in tmp_path.glob("?.*")} == {"b.bpesession", "c.lock"}
    assert list(tmp_path.glob("*.part")) == []
    assert [path.name for path in states.abandoned()] == ["b.bpesession"]
