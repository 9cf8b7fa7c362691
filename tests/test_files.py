"""Writing whole files, finding our own, and what the README promises."""

from __future__ import annotations

import os
import re
import shutil
import stat
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from bpe_gui.files import check_writable, replacing, write_atomically, write_together
from bpe_gui.folders import resource

ROOT = Path(__file__).resolve().parent.parent


def test_a_new_file_holds_all_parts(tmp_path: Path) -> None:
    path = tmp_path / "new"
    write_atomically(path, ["naïve\r\n", "\n"])
    assert path.read_bytes() == "naïve\r\n\n".encode()
    assert list(tmp_path.iterdir()) == [path]


def test_a_failure_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("old")

    def parts() -> Iterator[str]:
        yield "new"
        raise RuntimeError("in the middle")

    with pytest.raises(RuntimeError):
        write_atomically(path, parts())
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no disk that is always full")
def test_a_full_disk_is_told_with_the_name_of_the_file() -> None:
    with pytest.raises(OSError, match="No space left on device: '/dev/full'"):
        write_atomically("/dev/full", "a line\n" * 10_000)


def test_links_and_permissions_stay(tmp_path: Path) -> None:
    path, link = tmp_path / "file", tmp_path / "link"
    path.write_text("old")
    path.chmod(0o640)
    link.symlink_to(path)
    write_atomically(link, "new")
    assert link.is_symlink()
    assert path.read_text() == "new"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_what_is_written_beside_takes_the_place_of_the_target(tmp_path: Path) -> None:
    path, link = tmp_path / "file", tmp_path / "link"
    path.write_text("old")
    path.chmod(0o640)
    link.symlink_to(path)
    with replacing(link) as beside:
        beside.write_bytes(b"new")
        assert path.read_text() == "old"
        assert beside.parent == tmp_path
    assert link.is_symlink()
    assert path.read_text() == "new"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    with pytest.raises(ZeroDivisionError), replacing(path) as beside:
        beside.write_bytes(b"half" * (1 // 0))
    assert path.read_text() == "new"
    assert sorted(tmp_path.iterdir()) == [path, link]


def test_only_a_file_is_replaced(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.gif"
    os.mkfifo(pipe)
    for place in (pipe, tmp_path):
        with pytest.raises(FileExistsError, match="not a regular file") as raised, replacing(place):
            pass
        assert raised.value.filename == str(place)
    missing = tmp_path / "none" / "x"
    with pytest.raises(FileNotFoundError) as raised_, replacing(missing) as beside:
        beside.write_bytes(b"")
    assert raised_.value.filename == str(missing)
    assert list(tmp_path.iterdir()) == [pipe]


def test_what_is_no_file_is_written_to_directly() -> None:
    check_writable("/dev/null")
    write_atomically("/dev/null", "anything")
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)


def test_of_several_files_all_are_written_or_none(tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    write_together([(first, "1"), (second, ["2", "2"])])
    assert (first.read_text(), second.read_text()) == ("1", "22")

    def parts() -> Iterator[str]:
        yield "half"
        raise RuntimeError("gone wrong")

    with pytest.raises(RuntimeError, match="gone wrong"):
        write_together([(first, "new"), (second, parts())])
    with pytest.raises(FileNotFoundError):
        write_together([(first, "new"), (tmp_path / "missing" / "second", "new")])
    assert (first.read_text(), second.read_text()) == ("1", "22")
    assert sorted(tmp_path.iterdir()) == [first, second]


def test_what_cannot_be_written_is_known_beforehand(tmp_path: Path) -> None:
    check_writable(tmp_path / "new")
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(IsADirectoryError, match="is a folder; name a file"):
        check_writable(tmp_path)
    missing = tmp_path / "missing"
    with pytest.raises(FileNotFoundError, match=f"folder {missing} does not exist; create it"):
        check_writable(missing / "deep.html")
    missing.write_text("")
    with pytest.raises(NotADirectoryError, match=f"{missing} is a file and not a folder; name"):
        check_writable(missing / "deep.html")
    # Nobody creates a file here, not even who may write everywhere.
    with pytest.raises(PermissionError, match=r"^/proc/new cannot .* folder /proc takes no"):
        check_writable("/proc/new")


def test_resources_are_found() -> None:
    assert resource("samples").is_dir()
    with pytest.raises(FileNotFoundError, match="missing/file"):
        resource("missing", "file")


@pytest.mark.parametrize("section", ["Run it", "Test it"])
def test_a_command_of_the_readme_is_one_line_with_the_setup(section: str) -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    found = re.search(rf"^## {section}\n.*?^```sh\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    assert found is not None
    assert len(found[1].splitlines()) == 1
    assert found[1].startswith("sh resources/setup.sh")


@pytest.mark.skipif(shutil.which("sh") is None, reason="there is no shell")
def test_the_setup_is_skipped_where_it_was_done_and_refuses_what_it_does_not_know(
    tmp_path: Path,
) -> None:
    """In a copy whose programs are not found: only what calls none of them can succeed."""
    (tmp_path / "resources").mkdir()
    shutil.copy(ROOT / "resources" / "setup.sh", tmp_path / "resources")
    (tmp_path / "pyproject.toml").touch()

    def setup(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = ["sh", str(tmp_path / "resources" / "setup.sh"), *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    os.utime(tmp_path / "pyproject.toml", (1, 1))
    (tmp_path / ".venv").mkdir()
    (tmp_path / ".venv" / "ready-to-run").touch()
    (tmp_path / ".venv" / "ready-to-test").touch()
    assert (setup().returncode, setup("test").returncode) == (0, 0)
    refused = setup("tests")
    assert (refused.returncode, refused.stderr.startswith("usage:")) == (2, True)


def test_images_and_files_that_the_readme_names_exist() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    for target in re.findall(r"\]\((?!https?:)([^)#]+)\)", text):
        assert (ROOT / target).exists(), target
