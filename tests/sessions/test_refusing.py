"""Damaged, newer and hostile files: each is refused with a sentence, in little time and memory."""

from __future__ import annotations

import io
import json
import struct
import tracemalloc
import zipfile
import zlib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_gui.bpe.history import History
from bpe_gui.bpe.recipe import preset
from bpe_gui.bpe.words import WordCounts
from bpe_gui.sessions import Session, SessionError, read_session
from bpe_gui.sessions.archive import pack
from bpe_gui.sessions.arrays import to_npy
from bpe_gui.sessions.reading import from_bytes
from bpe_gui.sessions.writing import to_bytes
from tests.sessions.made import FOUR_WORDS, four_words, of_files, trained

WHOLE = to_bytes(of_files())

Entries = dict[str, bytes]


def entries_of(data: bytes) -> Entries:
    with zipfile.ZipFile(io.BytesIO(data)) as file:
        return {name: file.read(name) for name in file.namelist()}


ENTRIES = entries_of(WHOLE)


def refused(data: bytes) -> str:
    with pytest.raises(SessionError) as caught:
        from_bytes(data)
    message = str(caught.value)
    assert "\n" not in message
    assert len(message) < 400
    return message


def with_entries(**changes: bytes | None) -> bytes:
    """The session with other entries; dots and slashes in names are written as two lines."""
    entries: dict[str, bytes | None] = {**ENTRIES, **changes}
    return packed({name: data for name, data in entries.items() if data is not None})


def packed(entries: Entries) -> bytes:
    return pack((name, [data]) for name, data in entries.items())


def with_json(change: Callable[[Any], None]) -> bytes:
    found = json.loads(ENTRIES["session.json"])
    change(found)
    return with_entries(**{"session.json": json.dumps(found).encode()})


def npy(array: np.ndarray[Any, Any]) -> bytes:
    return b"".join(to_npy(array))


def with_array(name: str, change: Callable[[np.ndarray[Any, Any]], Any]) -> bytes:
    array = np.load(io.BytesIO(ENTRIES[name]))
    changed = change(array)
    return with_entries(**{name: npy(array if changed is None else changed)})


# -- the file ----------------------------------------------------------------------------------


def test_a_sentence_names_the_file_and_what_to_do(tmp_path: Path) -> None:
    path = tmp_path / "torn.bpesession"
    path.write_bytes(WHOLE[: len(WHOLE) // 2])
    with pytest.raises(SessionError) as caught:
        read_session(path)
    assert str(caught.value) == (
        f"{path} cannot be opened as a session: its end is missing; open another copy of it"
    )
    with pytest.raises(SessionError, match="is no file; name the file of a session"):
        read_session(tmp_path)
    with pytest.raises(FileNotFoundError):
        read_session(tmp_path / "missing")
    assert list(tmp_path.iterdir()) == [path]


def test_a_newer_version_is_no_damage() -> None:
    assert refused(with_json(lambda found: found.update(session=4))) == (
        "it is of version 4 of the format, and this program reads versions up to 3; use a newer "
        "program"
    )
    assert "version" in refused(with_json(lambda found: found.update(session=10**400)))


FILES = ("names", "sizes", "modified", "checksums")


def of_version(version: int, **more: object) -> bytes:
    """The session as an older version of the program wrote it, with more in its JSON."""
    found = json.loads(ENTRIES["session.json"])
    del found["files"]
    if version < 2:
        del found["lockstep"], found["saved_as"]
        for branch in found["branches"]:
            del branch["guesses"]
    said = json.dumps({**found, "session": version, **more}).encode()
    without = dict.fromkeys(f"files/{name}.npy" for name in FILES)
    return with_entries(**{"session.json": said, **without})


def test_an_older_version_is_read_and_has_nothing_of_a_newer_one() -> None:
    session = from_bytes(of_version(1))
    assert (session.position, session.lockstep, session.saved_as) == (3, (), None)
    assert [branch.guesses for branch in session.branches] == [(), ()]
    assert session.words.files is None
    assert "'lockstep', which no session has" in refused(of_version(1, lockstep=[]))
    session = from_bytes(of_version(2))
    assert (len(session.lockstep), len(session.branches[0].guesses)) == (2, 2)
    assert session.words.files is None
    assert "'files', which no session has" in refused(of_version(2, files=None))
    # Written anew it is one of this version, which knows of no files.
    again = to_bytes(session)
    assert json.loads(entries_of(again)["session.json"])["session"] == 3
    assert from_bytes(again).words.files is None


@pytest.mark.parametrize("version", [0, -1, True, "1", None, 1.0])
def test_a_version_that_is_none_is_refused(version: object) -> None:
    said = refused(with_json(lambda found: found.update(session=version)))
    assert said.startswith("the version of its format is no whole number from 1 up; ")


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
def test_what_stands_before_or_after_is_refused(before: bytes, after: bytes) -> None:
    if before or after:
        refused(before + WHOLE + after)


@given(st.permutations(list(ENTRIES)))
def test_swapped_entries_give_a_session_or_a_sentence(names: list[str]) -> None:
    opened_or_refused(packed(dict(zip(names, ENTRIES.values(), strict=True))))


def opened_or_refused(data: bytes) -> None:
    """Nothing else may come of it; and a session that is opened answers every question."""
    try:
        session = from_bytes(data)
    except SessionError:
        return
    assert isinstance(session, Session)
    for branch in session.branches:
        answer_all(branch.history)
    assert from_bytes(to_bytes(session)).position == session.position


def answer_all(history: History) -> None:
    for token in range(history.vocabulary_size(len(history))):
        history.content(token)
        history.ends_word(token)
        history.parents(token)
    for position in range(len(history) + 1):
        top = history.top(position)
        assert all(history.text(token) for token in (*top.left.tolist(), *top.right.tolist()))


# -- the zip -----------------------------------------------------------------------------------


def zipped(
    change: Callable[[zipfile.ZipFile], None], *, compression: int = zipfile.ZIP_DEFLATED
) -> bytes:
    """The session's entries with something more in the zip."""
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", compression) as file:
        for name, data in ENTRIES.items():
            file.writestr(name, data)
        change(file)
    return written.getvalue()


@pytest.mark.parametrize(
    "name", ["../evil.npy", "/etc/passwd", "run/../../x.npy", "C:\\x.npy", "a\0.npy", "x", "run/"]
)
def test_names_that_climb_or_are_unknown_are_refused(name: str) -> None:
    data = zipped(lambda file: file.writestr("run/9/other.npy", b"evil"))
    placeholder, wanted = b"run/9/other.npy", name.encode().ljust(15, b"_")
    assert refused(data.replace(placeholder, wanted)).startswith("it has a part that no session")


def test_a_part_that_belongs_to_nothing_is_refused() -> None:
    data = zipped(lambda file: file.writestr("run/9/left.npy", b"more"))
    assert "part run/9/left.npy that belongs to nothing" in refused(data)


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_a_part_that_is_there_twice_is_refused() -> None:
    data = zipped(lambda file: file.writestr("text.txt", b"again"))
    assert "text.txt is there twice" in refused(data)


@pytest.mark.parametrize("name", list(ENTRIES))
def test_a_part_that_is_missing_is_named(name: str) -> None:
    assert f"its part {name} is missing" in refused(with_entries(**{name: None}))


@pytest.mark.parametrize("compression", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_other_ways_of_packing_are_refused(compression: int) -> None:
    data = zipped(lambda file: None, compression=compression)
    assert "packed in a way that sessions are not" in refused(data)


def test_a_wrong_checksum_is_told() -> None:
    damaged = bytearray(zipped(lambda file: None, compression=zipfile.ZIP_STORED))
    place = damaged.index("the lowest 🙂".encode())
    damaged[place] ^= 1
    assert "its part text.txt is damaged" in refused(bytes(damaged))


def test_a_great_many_parts_are_refused_before_they_are_listed() -> None:
    def add(file: zipfile.ZipFile) -> None:
        for number in range(4000):
            file.writestr(f"run/{number % 1000}/{'x' * (1 + number // 1000)}.npy", b"")

    assert "more parts than a session can have" in refused(zipped(add))


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


# -- the arrays --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "changed",
    [
        lambda array: array.astype(np.int64),
        lambda array: array.astype(np.float32),
        lambda array: array[:-1],
        lambda array: np.append(array, array[-1:]),
        lambda array: array.reshape(1, -1),
        lambda array: array.astype(">i4").view(np.int32),
    ],
)
def test_wrong_types_and_shapes_are_refused(changed: Callable[[Any], Any]) -> None:
    refused(with_array("run/0/left.npy", changed))


def header(text: str) -> bytes:
    padded = text.encode().ljust(117) + b"\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(padded)) + padded


@pytest.mark.parametrize(
    "text",
    [
        "{'descr': '|O', 'fortran_order': False, 'shape': (13,), }",
        "{'descr': '<i4', 'fortran_order': True, 'shape': (13,), }",
        "{'descr': '<i4', 'fortran_order': False, 'shape': (99999999999999,), }",
        "{'descr': '<i4', 'fortran_order': False, 'shape': (-1,), }",
        "{'descr': [('a', '<i4')], 'fortran_order': False, 'shape': (13,), }",
        "__import__('os').system('true')",
        "((((((((((",
    ],
)
def test_headers_are_never_evaluated(text: str) -> None:
    size = len(np.load(io.BytesIO(ENTRIES["run/0/left.npy"])))
    data = header(text.replace("13", str(size))) + bytes(4 * size)
    assert "run/0/left.npy is no" in refused(with_entries(**{"run/0/left.npy": data}))


def test_objects_are_never_loaded() -> None:
    written = io.BytesIO()
    np.save(written, np.array([{}], object), allow_pickle=True)
    refused(with_entries(**{"run/0/left.npy": written.getvalue()}))


def put(value: int, place: int = -1) -> Callable[[Any], None]:
    def change(array: Any) -> None:
        array.reshape(-1)[place] = value

    return change


@pytest.mark.parametrize(
    ("name", "change", "problem"),
    [
        ("left", put(10**6), "of tokens that are not there yet"),
        ("right", put(-1, 0), "of tokens that are not there yet"),
        ("left", put(11, 0), "of tokens that are not there yet"),
        ("new_id", put(5, 0), "does not make the next token"),
        ("new_id", put(-1), "does not make the next token"),
        ("count", put(-3), "does too much"),
        ("count", put(2**62, 0), "occurs too often"),
        ("count", put(10, 0), "not of the pair that leads"),
        ("tokens", put(-5), "fewer than no tokens"),
        ("tokens", put(10, 1), "leaves the corpus as long"),
        ("tokens", put(2**61, 0), "fewer than no tokens"),
        ("distinct", put(-1), "distinct pairs cannot be"),
        ("distinct", put(2**40), "distinct pairs cannot be"),
        ("top_left", put(-1, 0), "stands after a gap"),
        ("top_left", put(999, 0), "candidates is of tokens that are not there yet"),
        ("top_right", put(-7, 0), "candidates is of tokens that are not there yet"),
        ("top_right", put(1, 19), "half a pair"),
        ("top_count", put(0, 0), "does not occur"),
        ("top_count", put(1, 0), "not in order"),
        ("top_count", put(2**60, 0), "occurs too often"),
        ("symbols", put(200), "other words"),
        ("symbols", put(-200), "none that the recipe has"),
        ("symbols", put(0xD800), "none that the recipe has"),
    ],
)
def test_histories_that_do_not_hang_together_are_refused(
    name: str, change: Callable[[Any], None], problem: str
) -> None:
    assert problem in refused(with_array(f"run/0/{name}.npy", change))


@pytest.mark.parametrize(
    ("name", "change", "problem"),
    [
        ("starts", put(-1, 1), "has no end"),
        ("starts", put(2**62, 1), "has no end"),
        ("starts", put(1, 0), "do not fill"),
        ("counts", put(0), "does not occur"),
        ("counts", put(-(2**63)), "does not occur"),
        ("counts", put(2**62), "too often"),
        ("counts", put(7), "other words"),
        ("text", put(0xFF), "no UTF-8"),
        ("text", put(0x80, 0), "within a character"),
        ("text", put(ord("z")), "other words"),
    ],
)
def test_words_that_do_not_hang_together_are_refused(
    name: str, change: Callable[[Any], None], problem: str
) -> None:
    assert problem in refused(with_array(f"words/{name}.npy", change))


@pytest.mark.parametrize(
    ("name", "change", "problem"),
    [
        ("sizes", put(-1), "has no size"),
        ("sizes", put(-(2**63), 0), "has no size"),
        ("sizes", put(2**62), "has no size"),
        ("names", put(ord("x")), "has not a name for each file"),
        ("names", put(0, 3), "has not a name for each file"),
        ("names", put(ord("x"), 0), "no absolute path"),
        ("names", lambda names: names * 0, "has not a name for each file"),
        ("checksums", lambda sums: sums.astype(np.int32), "3 numbers of type uint32"),
        ("modified", lambda times: times.astype(np.float64), "no array of numbers"),
        ("modified", lambda times: times.reshape(3, 1), "not an array of 3 numbers"),
    ],
)
def test_files_that_cannot_be_are_refused(
    name: str, change: Callable[[Any], Any], problem: str
) -> None:
    assert problem in refused(with_array(f"files/{name}.npy", change))


def test_tokens_that_double_forever_are_refused() -> None:
    """Sixty merges of a token with itself would be a token of more bytes than there are."""
    recipe = preset("raw").with_changes(vocabulary_size=None, merges=60)
    words = WordCounts.from_pairs([("a" * 64, 1 << 40)], recipe)
    run = trained(words, recipe)
    session = four_words(recipe=recipe, words=words, lanes=None, shown=0, position=0)
    parts = {name: getattr(session, name) for name in Session.__dataclass_fields__}
    branch = session.branches[0]
    short = Session(**{**parts, "branches": (type(branch)("Original", run),)})
    entries = entries_of(to_bytes(short))
    found = json.loads(entries["session.json"])
    found["branches"][0]["merges"] = 60
    found["branches"][0]["stopped"] = None
    steps = np.arange(60)
    columns = {
        "left": steps.astype(np.int32),
        "right": steps.astype(np.int32),
        "new_id": (steps + 1).astype(np.int32),
        "count": np.full(60, 2, np.int64),
        "tokens": (64 << 40) - np.arange(61),
        "distinct": np.ones(61, np.int64),
    }
    for name, kind in (("left", np.int32), ("right", np.int32), ("count", np.int64)):
        top = np.full((61, 20), -1 if name != "count" else 0, kind)
        top[:60, 0] = columns[name]
        top[60, 0] = 60 if name != "count" else 2
        columns[f"top_{name}"] = top
    entries |= {f"run/0/{name}.npy": npy(array) for name, array in columns.items()}
    entries["session.json"] = json.dumps(found).encode()
    assert "longer together than can be shown" in refused(packed(entries))


# -- the JSON ----------------------------------------------------------------------------------

ODD = (
    *(None, True, -1, 0, 1.5, 10**30, "", "x", "\ud800", [], [[]], {}, {"regex": "("}),
    *("a" * 2_000, "/../../etc/passwd", {"regex": "(?:a{1000}){1000}"}, [{}], float("inf")),
)


def places(found: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The paths of all values in some JSON."""
    inner = (
        found.items() if isinstance(found, dict)
        else enumerate(found) if isinstance(found, list)
        else ()
    )
    return [path, *(place for key, item in inner for place in places(item, (*path, key)))]


PLACES = places(json.loads(ENTRIES["session.json"]))[1:]


@given(st.sampled_from(PLACES), st.sampled_from(ODD))
def test_odd_json_gives_a_session_or_a_sentence(place: tuple[Any, ...], value: Any) -> None:
    def change(found: Any) -> None:
        for key in place[:-1]:
            found = found[key]
        found[place[-1]] = value

    opened_or_refused(with_json(change))


@given(st.sampled_from(PLACES))
def test_json_that_lacks_something_gives_a_session_or_a_sentence(place: tuple[Any, ...]) -> None:
    def change(found: Any) -> None:
        for key in place[:-1]:
            found = found[key]
        del found[place[-1]]

    opened_or_refused(with_json(change))


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (b"[" * 100_000, "nested too deeply"),
        (b'{"session": 1, "session": 1}', "a key twice"),
        (b'{"session": ' + b"9" * 10_000 + b"}", "damaged"),
        (b'{"session": NaN}', "a number that is none"),
        (b'{"layout": {"speed": -1e999}}', "a number that is none (-1e999)"),
        (b"[]", "no object"),
        (b"\xff", "damaged"),
    ],
)
def test_json_that_is_none_is_refused(text: bytes, problem: str) -> None:
    assert problem in refused(with_entries(**{"session.json": text}))


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (lambda found: found["branches"][0].update(merges=10**9), "size that it must have"),
        (lambda found: found.update(words=2 * 10**9), "size that it must have"),
        (lambda found: found.update(position=99), "'position' in its JSON must be"),
        (lambda found: found.update(shown=2), "'shown' in its JSON must be"),
        (lambda found: found.update(extra=1), "has 'extra', which no session has"),
        (lambda found: found["branches"].clear(), "no run"),
        (lambda found: found["branches"][1].update(name="Original"), "two branches of one name"),
        (lambda found: found["lanes"][2].update(run=7), "'run' in a lane"),
        (lambda found: found["lanes"][2].update(position=70), "'position' in a lane"),
        (lambda found: found["branches"][0].update(stopped="merges"), "without a reason"),
        (lambda found: found["branches"][0].update(stopped="tired"), "none of the reasons"),
        (lambda found: found["recipe"].update(split={"regex": "("}), "a recipe in it cannot"),
        (
            lambda found: found["recipe"].update(split={"regex": "(?:a{1000}){1000}"}),
            "a recipe in it cannot",
        ),
        (lambda found: found["recipe"].update(min_frequency=2), "not all of one recipe"),
        (
            lambda found: found["branches"][0]["recipe"].update(vocabulary_size=12),
            "goes on after its recipe",
        ),
        (
            lambda found: found["branches"][1]["interventions"][0].update(left=10**8),
            "about tokens that are not there",
        ),
        (
            lambda found: found["branches"][1]["interventions"][0].update(decision="force"),
            "not been merged",
        ),
        (lambda found: found["corpus"].update(sample="none"), "neither files nor a sample"),
        (lambda found: found["corpus"].update(sources=[]), "neither files nor a sample"),
        (
            lambda found: found["corpus"].update(sample="four-words", sources=[]),
            "its sample was read from files",
        ),
        (lambda found: found.pop("files"), "lacks 'files'"),
        (lambda found: found.update(files=3), "the files of its corpus is no JSON object"),
        (lambda found: found["files"].update(number=-1), "'number' in what it says of the files"),
        (lambda found: found["files"].update(number=10**30), "'number' in what it says"),
        (lambda found: found["files"].update(number=2.0), "'number' in what it says"),
        (lambda found: found["files"].update(bytes_of_names="9"), "'bytes_of_names' in what it"),
        (lambda found: found["files"].update(number=10**9), "size that it must have"),
        (lambda found: found["files"].update(extra=1), "has 'extra', which no session has"),
        (lambda found: found.update(files=None), "names.npy that belongs to nothing"),
        (
            lambda found: found["corpus"]["options"].update(encoding="../x"),
            "cannot be read as it says",
        ),
    ],
)
def test_what_cannot_be_is_said(change: Callable[[Any], None], problem: str) -> None:
    assert problem in refused(with_json(change))


def test_a_merge_of_a_pair_that_was_forbidden_is_refused() -> None:
    def change(found: Any) -> None:
        recipe = preset("whitespace")
        run = trained(WordCounts.from_pairs(FOUR_WORDS, recipe), recipe, 4)
        pair = int(run.left[2]), int(run.right[2])
        found["branches"][0]["interventions"] = [
            {"step": 2, "decision": "forbid", "left": pair[0], "right": pair[1]}
        ]

    assert "a pair that is forbidden has been merged" in refused(with_json(change))


ARRAYS = [name for name in ENTRIES if name.endswith(".npy")]


@given(st.data())
def test_any_numbers_in_the_columns_give_a_session_or_a_sentence(data: st.DataObject) -> None:
    entries = dict(ENTRIES)
    for _ in range(data.draw(st.integers(1, 3))):
        name = data.draw(st.sampled_from(ARRAYS))
        array = np.load(io.BytesIO(entries[name]))
        if not array.size:
            continue
        bounds = np.iinfo(array.dtype)
        near = st.sampled_from(sorted({0, 1, 5, 255, int(bounds.min), int(bounds.max)}))
        place = data.draw(st.integers(0, array.size - 1))
        other = int(array.reshape(-1)[data.draw(st.integers(0, array.size - 1))])
        value = data.draw(near | st.just(other) | st.integers(-2, 12))
        array.reshape(-1)[place] = min(max(value, bounds.min), bounds.max)
        entries[name] = npy(array)
    opened_or_refused(packed(entries))
