"""Damaged, newer and hostile files: each is refused with a sentence, in little time and memory."""

from __future__ import annotations

import json
import re
import struct
import tracemalloc
import zipfile
import zlib
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_gui.bpe.history import StopReason
from bpe_gui.sessions import FollowingLane, NamedLane, SessionError, load_session
from bpe_gui.sessions.file import from_bytes, to_bytes
from tests.sessions.damaged import (
    ENTRIES,
    WHOLE,
    entries_of,
    opened_or_refused,
    packed,
    refused,
    tiny_of_version,
    with_entries,
    with_json,
    zipped,
)

# -- the file ----------------------------------------------------------------------------------


def test_a_sentence_names_the_file_and_what_to_do(tmp_path: Path) -> None:
    path = tmp_path / "torn.bpesession"
    path.write_bytes(WHOLE[: len(WHOLE) // 2])
    with pytest.raises(SessionError) as caught:
        load_session(path)
    assert str(caught.value) == (
        f"{path} cannot be opened as a session: it is truncated or damaged, or not a session; try "
        "another copy"
    )
    with pytest.raises(SessionError, match="is not a file; name a session file"):
        load_session(tmp_path)
    with pytest.raises(FileNotFoundError):
        load_session(tmp_path / "missing")
    assert list(tmp_path.iterdir()) == [path]


def test_a_newer_version_is_no_damage() -> None:
    for version in (9, 10**400):
        assert refused(with_json(lambda found, version=version: found.update(session=version))) == (
            "it was made by a newer bpe-gui; please update"
        )


@pytest.mark.parametrize("version", [1, 2, 3, 4, 5, 6])
def test_files_of_each_version_are_opened(version: int) -> None:
    session = from_bytes(tiny_of_version(version))
    assert [branch.name for branch in session.branches] == ["Original"]
    run = session.branches[0].history
    assert [run.id_to_token(token) for token in range(run.vocabulary_size(1))] == ["a", "b", "ab"]
    assert (len(run), run.stopped, session.position) == (1, StopReason.MERGES, 1)
    assert list(session.words.items()) == [(b"ab", 3), (b"b", 1)]
    assert session.branches[0].bookmarks == ((1, "ab"),)
    assert session.branches[0].guesses == (((0, (0, 1)),) if version > 1 else ())
    assert len(session.lockstep) == (2 if version > 1 else 0)
    assert session.saved_as == ("/texts/ab.bpesession" if version > 1 else None)
    assert (session.lanes, session.text) == ((FollowingLane(10), NamedLane("a", "gpt2")), "abba")
    # Written anew it is one of this version.
    again = to_bytes(session)
    assert json.loads(entries_of(again)["session.json"])["session"] == 4
    assert not [name for name in entries_of(again) if name.startswith("files/")]
    assert list(from_bytes(again).words.items()) == list(session.words.items())


@pytest.mark.parametrize("version", [0, -1, True, "1", None, 1.0])
def test_a_version_that_is_none_is_refused(version: object) -> None:
    said = refused(with_json(lambda found: found.update(session=version)))
    assert said.startswith("session.json has no version of the format; ")


@pytest.mark.parametrize("data", [b"", b"PK", b"PK\x05\x06" + bytes(18), b"{}", bytes(10_000)])
def test_what_is_no_session_is_refused(data: bytes) -> None:
    refused(data)


@given(st.data())
def test_flipped_bits_give_a_session_or_a_sentence(data: st.DataObject) -> None:
    damaged = bytearray(WHOLE)
    for _ in range(data.draw(st.integers(1, 4))):
        damaged[data.draw(st.integers(0, len(WHOLE) - 1))] ^= 1 << data.draw(st.integers(0, 7))
    opened_or_refused(bytes(damaged))


@given(st.data())
def test_a_torn_file_is_refused(data: st.DataObject) -> None:
    begin = data.draw(st.sampled_from([0, 0, 0, 1, 10]))
    end = data.draw(st.integers(0, len(WHOLE) - 1))
    refused(WHOLE[begin:end])


@given(st.binary(max_size=200), st.binary(max_size=200))
def test_what_stands_before_or_after_changes_nothing(before: bytes, after: bytes) -> None:
    opened_or_refused(before + WHOLE + after)


@given(st.permutations(list(ENTRIES)))
def test_swapped_entries_give_a_session_or_a_sentence(names: list[str]) -> None:
    opened_or_refused(packed(dict(zip(names, ENTRIES.values(), strict=True))))


# -- the zip -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name", ["../evil.npy", "/etc/passwd", "run/../../x.npy", "C:\\x.npy", "a\0.npy", "x", "run/"]
)
def test_names_that_climb_or_are_unknown_are_refused(name: str) -> None:
    data = zipped(lambda file: file.writestr("run/9/other.npy", b"evil"))
    placeholder, wanted = b"run/9/other.npy", name.encode().ljust(15, b"_")
    refused(data.replace(placeholder, wanted))


def test_a_part_that_belongs_to_nothing_is_refused() -> None:
    data = zipped(lambda file: file.writestr("run/9/left.npy", b"more"))
    assert "its part 'run/9/left.npy' is unknown" in refused(data)


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_a_part_that_is_there_twice_is_refused() -> None:
    data = zipped(lambda file: file.writestr("text.txt", b"again"))
    assert "it is a zip file, but not one of a session" in refused(data)


@pytest.mark.parametrize("name", list(ENTRIES))
def test_a_part_that_is_missing_is_named(name: str) -> None:
    assert re.search(f"its part '?{name}'? is missing", refused(with_entries(**{name: None})))


@pytest.mark.parametrize("compression", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_other_ways_of_packing_are_refused(compression: int) -> None:
    data = zipped(lambda file: None, compression=compression)
    assert "zip" in refused(data)


def test_a_wrong_checksum_is_told() -> None:
    damaged = bytearray(zipped(lambda file: None, compression=zipfile.ZIP_STORED))
    place = damaged.index("the lowest 🙂".encode())
    damaged[place] ^= 1
    assert "its part text.txt is damaged" in refused(bytes(damaged))


def test_a_great_many_parts_are_refused_before_they_are_listed() -> None:
    def add(file: zipfile.ZipFile) -> None:
        for number in range(4000):
            file.writestr(f"run/{number % 1000}/{'x' * (1 + number // 1000)}.npy", b"")

    assert "larger than a session can be" in refused(zipped(add))


@cache
def zeros(size: int) -> bytes:
    """So many zeros, packed."""
    packer = zlib.compressobj(1, zlib.DEFLATED, -15)
    parts = [packer.compress(bytes(1 << 20)) for _ in range(size >> 20)]
    return b"".join((*parts, packer.flush()))


def bomb(size: int, declared: int | None = None) -> bytes:
    """A session of which the text unpacks to so many bytes, whatever it says that it has."""
    packed = zeros(size)
    others = with_entries(**{"text.txt": None})
    end = others.rindex(b"PK\x05\x06")
    begin = struct.unpack_from("<L", others, end + 16)[0]
    count = struct.unpack_from("<H", others, end + 10)[0]
    says = size if declared is None else declared
    common = struct.pack("<3HLLLL2H", 0, 8, 0, 0x21, 0, len(packed), says, 8, 0)
    local = b"PK\x03\x04" + struct.pack("<H", 20) + common + b"text.txt" + packed
    directory = (
        others[begin:end]
        + b"PK\x01\x02"
        + struct.pack("<2H", 20, 20)
        + common
        + struct.pack("<3HLL", 0, 0, 0, 0, begin)
        + b"text.txt"
    )
    last = struct.pack(
        "<4s4H2LH", b"PK\x05\x06", 0, 0, count + 1, count + 1, len(directory),
        begin + len(local), 0,
    )
    return others[:begin] + local + directory + last


@pytest.mark.parametrize("declared", [None, 100, 60 << 20])
def test_a_bomb_takes_no_memory(declared: int | None) -> None:
    data = bomb(512 << 20, declared)
    assert len(data) < 3_000_000
    tracemalloc.start()
    refused(data)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 70 << 20
