"""Settings by themselves: their file, which others change too, and what is not in it."""

from __future__ import annotations

import json
import resource
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QByteArray
from pytestqt.qtbot import QtBot

from bpe_gui.ui.run.background import all_at_rest
from bpe_gui.ui.settings.settings import FILE, OLD_FILE, Settings
from bpe_gui.ui.settings.window_state import decoded, encoded


class Thing:
    """Something that can be chosen: a whole number from 0 to 9."""

    def __init__(self, settings: Settings, number: int = 0, name: str = "thing") -> None:
        self.number = number
        settings.bind(name, lambda: self.number, self.choose)

    def choose(self, number: Any) -> None:
        if number not in range(10):
            raise ValueError(number)
        self.number = number


def stored(folder: Path, default: int = 0, name: str = "thing") -> int:
    """What the next start of the program makes of the file."""
    return Thing(Settings(folder), default, name).number


@contextmanager
def full_disk() -> Iterator[None]:
    """No file can be longer, as where there is no more room."""
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, limits[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)


def save(settings: Settings, qtbot: QtBot) -> None:
    """Save, and wait until it is written."""
    settings.save()
    qtbot.waitUntil(lambda: all_at_rest(settings))


def test_only_what_the_user_chooses_is_stored(tmp_path: Path) -> None:
    """Not what a window begins with, nor what its command line asks for."""
    for chosen, asked, expected in ((None, None, 5), (4, None, 4), (None, 8, 4), (6, 9, 6)):
        settings = Settings(tmp_path)
        thing = Thing(settings)
        thing.number = thing.number if asked is None else asked
        settings.begin()
        thing.number = thing.number if chosen is None else chosen
        settings.close()
        assert stored(tmp_path, 5) == expected


@given(st.binary(max_size=300))
def test_no_file_does_harm(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    folder = tmp_path_factory.mktemp("settings")
    (folder / FILE).write_bytes(b"[General]\nthing=" + data)
    settings = Settings(folder)
    thing = Thing(settings)
    assert thing.number in range(10)
    thing.number = 9 - thing.number
    settings.close()
    assert stored(folder) == thing.number


@pytest.mark.qt_log_ignore("QVariant::load")
@pytest.mark.parametrize(
    "value",
    [
        "@Variant(\\0\\0\\0\\x7f)",
        "1, 2",
        "1e999",
        "NaN",
        "9" * 5_000,
        "[" * 100_000,
        "{}",
        '\\"1\\"',
    ],
)
def test_a_value_that_makes_no_sense_is_ignored(tmp_path: Path, value: str) -> None:
    (tmp_path / FILE).write_text(f"[General]\nother=3\nthing={value}\n")
    assert stored(tmp_path, 5) == 5
    assert stored(tmp_path, name="other") == 3


def test_windows_keep_what_others_have_chosen_meanwhile(
    tmp_path: Path, qtbot: QtBot
) -> None:
    first, second = Settings(tmp_path), Settings(tmp_path)
    one, other = Thing(first, name="one"), Thing(second, name="other")
    one.number, other.number = 3, 4
    first.close()
    second.close()
    assert (stored(tmp_path, name="one"), stored(tmp_path, name="other")) == (3, 4)
    third, fourth = Settings(tmp_path), Settings(tmp_path)
    Thing(third, name="one").number = 5
    Thing(fourth, name="other").number = 6
    save(fourth, qtbot)
    save(third, qtbot)
    third.reset()
    save(third, qtbot)
    assert (stored(tmp_path, name="one"), stored(tmp_path, name="other")) == (0, 0)


def test_a_reset_is_undone_with_all_that_was_stored(tmp_path: Path, qtbot: QtBot) -> None:
    (tmp_path / FILE).write_text("[General]\nthing=4\nlater=1\n")
    settings = Settings(tmp_path)
    thing = Thing(settings, 2)
    settings.reset()
    save(settings, qtbot)
    assert (thing.number, stored(tmp_path), stored(tmp_path, name="later")) == (2, 0, 0)
    settings.undo_reset()
    save(settings, qtbot)
    assert (thing.number, stored(tmp_path), stored(tmp_path, name="later")) == (4, 4, 1)


def test_a_reset_sets_only_what_it_changes(tmp_path: Path) -> None:
    """To arrange docks where they are already takes long and would show Explore in between."""
    settings = Settings(tmp_path)
    values = {"changed": 3, "left alone": 3}
    was_set = []

    def choose(name: str, value: int) -> None:
        values[name] = value
        was_set.append(name)

    for name in values:
        settings.bind(name, partial(values.get, name), partial(choose, name))
    values["changed"] = 5
    settings.reset()
    settings.undo_reset()
    assert was_set == ["changed", "changed"]
    assert values == {"changed": 5, "left alone": 3}


def test_a_folder_that_cannot_be_made_is_told_once_until_it_can_be(
    tmp_path: Path, qtbot: QtBot, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "folder"
    folder.touch()
    settings = Settings(folder)
    told: list[str] = []
    settings.failed.connect(told.append)
    thing = Thing(settings)
    for thing.number in (3, 4):
        save(settings, qtbot)
    assert told == [f"{folder / FILE} cannot be written"]
    folder.unlink()
    save(settings, qtbot)
    assert told[1:] == [""]
    assert stored(folder) == 4


def test_a_folder_that_cannot_be_made_is_told_on_the_terminal_at_the_end(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "folder"
    folder.touch()
    settings = Settings(folder)
    Thing(settings).number = 3
    settings.close()
    assert "what you chose is not remembered: " in capsys.readouterr().err


def test_what_is_chosen_while_the_file_is_written_is_written_too(
    tmp_path: Path, qtbot: QtBot
) -> None:
    settings = Settings(tmp_path)
    thing = Thing(settings)
    for thing.number in (3, 4, 5):
        settings.save()
    qtbot.waitUntil(lambda: all_at_rest(settings))
    assert stored(tmp_path) == 5


def test_a_full_disk_leaves_what_was_there(tmp_path: Path, qtbot: QtBot) -> None:
    settings = Settings(tmp_path)
    thing = Thing(settings)
    thing.number = 3
    save(settings, qtbot)
    before = (tmp_path / FILE).read_bytes()
    thing.number = 4
    with full_disk(), qtbot.waitSignal(settings.failed) as signal:
        settings.save()
    assert signal.args == [f"{tmp_path / FILE} cannot be written"]
    assert (tmp_path / FILE).read_bytes() == before
    with qtbot.waitSignal(settings.failed) as signal:
        settings.save()
    assert signal.args == [""]
    assert stored(tmp_path) == 4
    assert [path.name for path in tmp_path.iterdir()] == [FILE]


def test_the_file_of_earlier_versions_is_read_once_and_left_alone(tmp_path: Path) -> None:
    old = tmp_path / OLD_FILE
    old.write_text("[General]\nthing=3\nother=4\n")
    before = old.read_bytes()
    settings = Settings(tmp_path)
    thing = Thing(settings)
    assert thing.number == 3
    settings.close()
    assert (stored(tmp_path), stored(tmp_path, name="other")) == (3, 4)
    assert old.read_bytes() == before
    settings = Settings(tmp_path)
    Thing(settings)
    settings.reset()
    settings.close()
    assert stored(tmp_path) == 0


@given(st.binary(), st.integers(min_value=0), st.integers(1, 255))
def test_damaged_bytes_never_come_to_qt(data: bytes, place: int, change: int) -> None:
    text = encoded(QByteArray(data))
    assert json.loads(json.dumps(text)) == text
    assert decoded(text).data() == data
    damaged = bytearray(text.encode())
    damaged[place % len(damaged)] ^= change
    try:
        read = decoded(damaged.decode("latin-1")).data()
    except ValueError:
        return
    assert read == data, "a bit of the text that stands for nothing"
