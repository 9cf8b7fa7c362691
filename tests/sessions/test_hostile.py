"""Files that somebody has made to do harm: a sentence, in little time and memory, and no trace."""

from __future__ import annotations

import io
import json
import os
import stat
import struct
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bpe_gui.sessions import SessionError, load_session
from bpe_gui.sessions.file import from_bytes, to_bytes
from tests.sessions.damaged import (
    ENTRIES,
    WHOLE,
    npy,
    opened_or_refused,
    refused,
    with_entries,
    with_json,
    zipped,
)
from tests.sessions.made import four_words


def test_a_file_that_is_torn_at_any_byte_is_refused() -> None:
    for end in range(len(WHOLE)):
        with pytest.raises(SessionError):
            from_bytes(WHOLE[:end])


def test_bytes_that_are_missing_or_doubled_anywhere_give_a_session_or_a_sentence() -> None:
    for place in range(0, len(WHOLE), 37):
        opened_or_refused(WHOLE[:place] + WHOLE[place + 1 :])
        opened_or_refused(WHOLE[:place] + WHOLE[place : place + 1] + WHOLE[place:])


def test_an_entry_that_lies_within_another_is_refused() -> None:
    """The list of entries says of one that it begins where another does."""
    data = bytearray(WHOLE)
    begin = struct.unpack_from("<L", data, data.rindex(b"PK\x05\x06") + 16)[0]
    places = []
    while data[begin : begin + 4] == b"PK\x01\x02":
        places.append(begin + 42)
        begin += 46 + struct.unpack_from("<H", data, begin + 28)[0]
    first = struct.unpack_from("<L", data, places[-2])[0]
    struct.pack_into("<L", data, places[-1], first)
    assert "damaged" in refused(bytes(data))


def test_an_entry_that_is_a_link_leads_nowhere(tmp_path: Path) -> None:
    link = zipfile.ZipInfo("run/9/left.npy")
    link.create_system = 3
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    assert "is unknown" in refused(
        zipped(lambda file: file.writestr(link, str(tmp_path)))
    )
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("size", [-1, 0, 2**31, 2**63])
@pytest.mark.parametrize("name", ["merges", "symbols", "corpus_bytes"])
def test_numbers_that_cannot_be_are_refused(name: str, size: int) -> None:
    refused(with_json(lambda found: found["branches"][0].update({name: size})))


@pytest.mark.parametrize(
    "text",
    [
        b'{"a":' * 50_000 + b"1" + b"}" * 50_000,
        b'{"session": 2, "layout": ' + b"[" * 5_000 + b"]" * 5_000 + b"}",
        b'{"session": 1e400}',
        b'{"session": -Infinity}',
        b"\xef\xbb\xbf{}",
        b'{"session": 2}\x00',
        json.dumps({"session": 2, "branches": [{}] * 100_000}).encode(),
    ],
    ids=range(7),
)
def test_json_that_is_made_to_harm_is_refused(text: bytes) -> None:
    refused(with_entries(**{"session.json": text}))


def test_a_layout_that_is_nested_deeply_is_no_harm() -> None:
    layout: Any = 1
    for _ in range(500):
        layout = [layout]
    opened_or_refused(with_json(lambda found: found.update(layout={"docks": layout})))


@pytest.mark.parametrize(
    "change",
    [
        lambda found: found["lockstep"].append(0.5),
        lambda found: found["lockstep"].append(99),
        lambda found: found["lockstep"].append(-1),
        lambda found: found.update(lockstep=[True, False]),
        lambda found: found.update(lockstep=[0] * 11),
        lambda found: found.update(lockstep=[0]),
        lambda found: found.update(saved_as="relative"),
        lambda found: found.update(saved_as="/a\0b"),
        lambda found: found.update(saved_as=7),
        lambda found: found["branches"][0].update(guesses=[[0, 1]]),
        lambda found: found["branches"][0].update(guesses=[[0, 1, -2]]),
        lambda found: found["branches"][0].update(guesses=[[0, 1, True]]),
        lambda found: found["branches"][0].update(guesses=[[0], [0, 1, 2]]),
        lambda found: found["branches"][0].update(guesses=[{}]),
    ],
)
def test_lockstep_guesses_and_paths_that_cannot_be_are_refused(change: Any) -> None:
    refused(with_json(change))


@pytest.mark.parametrize("kind", ["folder", "pipe", "device"])
def test_what_is_no_file_is_not_waited_for(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "odd.bpesession"
    if kind == "folder":
        path.mkdir()
    elif kind == "pipe":
        os.mkfifo(path)
    else:
        path.symlink_to("/dev/zero")
    with pytest.raises(SessionError, match="it is not a file"):
        load_session(path)


@pytest.mark.parametrize("source", ["/dev/zero", "/proc/self/mem", "/", "//../../etc/passwd"])
def test_the_corpus_of_a_session_is_not_opened(source: str) -> None:
    session = from_bytes(
        with_json(lambda found: found["corpus"].update(sample=None, sources=[source]))
    )
    assert session.corpus.sources == (source,)


def test_arrays_can_be_written_to_and_stand_at_even_places() -> None:
    """Also where a header of another length would put them elsewhere."""
    data = npy(np.load(io.BytesIO(ENTRIES["words/counts.npy"])))
    size = struct.unpack_from("<H", data, 8)[0]
    text = data[10 : 10 + size].rstrip() + b"   \n"
    odd = data[:8] + struct.pack("<H", len(text)) + text + data[10 + size :]
    assert (10 + len(text)) % 8
    for session in (from_bytes(with_entries(**{"words/counts.npy": odd})), from_bytes(WHOLE)):
        counts = session.words.counts
        assert counts.flags.aligned
        assert counts.flags.writeable
        assert counts.dtype == np.int64


_READ = """
import re, sys
from pathlib import Path
from bpe_gui.sessions import SessionError, load_session
try:
    load_session(sys.argv[1])
except SessionError as error:
    print(error)
# What the process itself has had at most: the other measure begins with that of its parent.
print(int(re.search(r"VmHWM:\\s+(\\d+)", Path("/proc/self/status").read_text())[1]) >> 10)
"""


def test_the_most_that_a_small_file_unpacks_to_is_within_bounds(tmp_path: Path) -> None:
    """The largest part that is allowed to be there is unpacked once, and not copied."""
    path = tmp_path / "large.bpesession"
    size = 300 << 20
    whole = to_bytes(four_words(lanes=None, lockstep=()))
    path.write_bytes(whole)
    with zipfile.ZipFile(path) as file:
        entries = {name: file.read(name) for name in file.namelist()}
    found = json.loads(entries.pop("session.json"))
    found["bytes_of_words"] = size
    del entries["words/text.npy"]
    header = npy(np.zeros(size, np.uint8))[:128]
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("session.json", json.dumps(found))
        for name, data in entries.items():
            file.writestr(name, data)
        with file.open("words/text.npy", "w") as part:
            part.write(header)
            for _ in range(size >> 20):
                part.write(bytes(1 << 20))
    assert path.stat().st_size < 2 << 20
    done = subprocess.run(
        [sys.executable, "-c", _READ, str(path)],
        capture_output=True, text=True, timeout=300, check=True,
    )
    *said, most = done.stdout.splitlines()
    assert said
    assert int(most) < 300 + 200
