"""The file of a session: an untrusted zip to load, saved whole or not at all.

Nothing is ever unpacked to a file. The names and sizes of all entries are checked before anything
is decompressed.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from math import prod
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from bpe_gui.bpe.history import History
from bpe_gui.bpe.new_symbols import saved_by_new_symbols
from bpe_gui.bpe.words import WordCounts
from bpe_gui.files import reading, write_atomically
from bpe_gui.progress import counted
from bpe_gui.sessions import schema
from bpe_gui.sessions.arrays import (
    OBSOLETE,
    TEXT_OF_WORDS,
    Arrays,
    array_types,
    arrays_of,
    history_from,
    inherited_from,
    words_from,
)
from bpe_gui.sessions.recognition import HEADER as _JSON
from bpe_gui.sessions.recognition import SessionError
from bpe_gui.sessions.schema import SessionHeader
from bpe_gui.sessions.session import PastRun, RunLane, Session
from bpe_gui.sessions.validate import (
    check_history,
    check_on_words,
    check_words,
)

MAX_FILE = 1 << 29
"""The largest file, in bytes."""

MAX_JSON = 16 << 20
"""The largest JSON in it, in bytes."""

MAX_TEXT = 64 << 20
"""The largest sample text, in bytes."""

_MAX_ENTRIES = 3_000

_LEVEL = 1
"""The level of compression: the next one takes twice the time and saves a few percent."""

_MAX_PACKED_TEXT = 4 << 20
"""Bytes of the text of words up to which it is compressed. There is more where words are long, and
of 20 MB that takes a second and saves little more than half."""

_MAX_NPY_HEADER = 1024

_TEXT = "text.txt"

_PAST = "past/{}.bpesession"
"""The part of a run that has made way, by its number: a session without such parts."""


def _max_unpacked(packed: int) -> int:
    """Bound the total size of the entries in a file of `packed` bytes."""
    return min(2 << 30, (64 << 20) + 300 * packed)


# -- loading -----------------------------------------------------------------------------------


def load_session(path: str | Path) -> Session:
    """Load the session in a file.

    No file that the session names is opened. May take a second; any thread may call it. Raises
    SessionError, one sentence that names the file and says what is wrong with it, and OSError if
    the file is missing or unreadable.
    """
    try:
        return from_bytes(_read(path))
    except SessionError as error:
        raise SessionError(f"{path} cannot be opened as a session: {error}") from None


def from_bytes(data: bytes) -> Session:
    """Load a session from the bytes of a file. Raises SessionError, which says what is wrong."""
    try:
        archive = _Archive(data)
        session = _load(archive)
        past = archive.header().past
        inner = [archive.read(_PAST.format(number), MAX_FILE) for number in range(len(past))]
        room = _max_unpacked(len(data)) - archive.unpacked
        return replace(session, past=_load_past(past, inner, room))
    except schema.NewerVersionError:
        raise
    except SessionError as error:
        raise SessionError(f"{error}; try another copy") from None
    except MemoryError:
        raise SessionError("there is not enough memory for it; close other programs") from None


def _load(archive: _Archive) -> Session:
    return _build(archive.header(), archive.array, archive.read(_TEXT, MAX_TEXT))


def _load_past(names: Sequence[str], inner: Sequence[bytes], room: int) -> tuple[PastRun, ...]:
    """Load the runs that have made way; together they unpack to no more than `room` bytes."""
    found = []
    for name, data in zip(names, inner, strict=True):
        archive = _Archive(data)
        room -= archive.unpacked
        if room < 0 or archive.header().past:
            raise SessionError("its past runs are larger than they can be")
        found.append(PastRun(name, _load(archive), data))
    return tuple(found)


def _read(path: str | Path) -> bytes:
    path = Path(path)
    if not path.is_file():
        path.stat()  # raises FileNotFoundError if it is missing
        raise SessionError("it is not a file; name a session file")
    with reading(path) as file:
        return file.read(MAX_FILE + 1)


def _build(
    header: SessionHeader, arrays: Arrays, text: bytes, words: WordCounts | None = None
) -> Session:
    """Build a session of its parts. Raises SessionError if they are inconsistent.

    words: those of the arrays, if they are there already.
    """
    encodings = [inherited_from(arrays, n, each) for n, each in enumerate(header.inherited)]
    recipe = schema.recipe_of(header.recipe, encodings)
    words = words_from(arrays) if words is None else words
    symbols = check_words(words, schema.recipe_of(header.branches[0].recipe, encodings))
    runs = []
    for number, run in enumerate(header.runs):
        history = history_from(arrays, number, run, encodings)
        if number < len(header.branches):
            check_history(history, symbols.longest)
            check_on_words(history, words, symbols)
            history.saved_by_new_symbols = saved_by_new_symbols(
                words, history.recipe, history.base
            )
            if not history.recipe.same_but(recipe, "vocabulary_size"):
                raise SessionError("its branches do not all have the same recipe")
        else:
            check_history(history)
        runs.append(history)
    try:
        sample_text = text.decode("utf-8")
    except UnicodeDecodeError:
        raise SessionError(f"its part {_TEXT} is not UTF-8") from None
    return Session(
        corpus=header.corpus,
        words=words,
        recipe=recipe,
        branches=tuple(map(schema.branch_of, header.branches, runs)),
        shown=header.shown,
        position=header.position,
        text=sample_text,
        lanes=None
        if header.lanes is None
        else tuple(schema.lane_of(lane, runs) for lane in header.lanes),
        lockstep=tuple(runs[number] for number in header.lockstep),
        saved_as=header.saved_as,
        layout=header.layout,
    )


class _Archive:
    """Read the parts of a file, given as bytes. Raises SessionError if it is not a zip file.

    checksums: the unpacked size of every part and its CRC-32, by its name. unpacked: all sizes.
    """

    def __init__(self, data: bytes) -> None:
        if len(data) > MAX_FILE or data.count(b"PK\x01\x02") > _MAX_ENTRIES:
            raise SessionError("it is larger than a session can be")
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(data))
        except Exception:  # the library raises errors of many kinds
            raise SessionError("it is truncated or damaged, or not a session") from None
        entries = self._zip.infolist()
        self.checksums = {entry.filename: (entry.file_size, entry.CRC) for entry in entries}
        known = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
        packed_so = all(entry.compress_type in known for entry in entries)
        if len(self.checksums) < len(entries) or not packed_so:
            raise SessionError("it is a zip file, but not one of a session")
        self.unpacked = sum(entry.file_size for entry in entries)
        if self.unpacked > _max_unpacked(len(data)):
            raise SessionError("it would take far more memory than a session of its size")

    def header(self) -> SessionHeader:
        """Parse the JSON, and check that the file has exactly the parts that it asks for."""
        header = schema.parse(self.read(_JSON, MAX_JSON))
        self._types = {f"{name}.npy": kind for name, kind in array_types(header).items()}
        past = map(_PAST.format, range(len(header.past)))
        known = {name for name in self.checksums if not name.startswith(OBSOLETE)}
        for name in sorted({_JSON, _TEXT, *self._types, *past} ^ known):
            problem = "unknown" if name in self.checksums else "missing"
            raise SessionError(f"its part {name[:80]!a} is {problem}")
        return header

    def read(self, name: str, max_size: int) -> bytes:
        """Read a part. Raises SessionError if it is missing, too large, or damaged."""
        size, _ = self.checksums.get(name, (0, 0))
        if name not in self.checksums or size > max_size:
            raise SessionError(f"its part {name} is missing or too large")
        with _damage_of(name), self._zip.open(name) as part:
            return part.read(size)  # at most the declared size

    def array(self, name: str) -> NDArray[Any]:
        """Read an array of the type and shape that the JSON asks for.

        Its size is checked before any memory is allocated. Raises SessionError.
        """
        name = f"{name}.npy"
        dtype, shape = self._types[name]
        size = self.checksums[name][0] - dtype.itemsize * prod(shape)
        if not 0 < size <= _MAX_NPY_HEADER:
            raise SessionError(f"its part {name} has the wrong size")
        expected = (shape, False, dtype.newbyteorder("<"))
        with _damage_of(name), self._zip.open(name) as part:
            version = np.lib.format.read_magic(part)
            if version == (1, 0) and np.lib.format.read_array_header_1_0(part) == expected:
                part.seek(0)
                array: NDArray[Any] = np.load(part, allow_pickle=False)
                return array.astype(dtype, copy=False)
        raise SessionError(f"its part {name} is not an array of {shape} {dtype.name} numbers")


@contextmanager
def _damage_of(name: str) -> Iterator[None]:
    """Turn any error of the libraries into a SessionError that says that a part is damaged."""
    try:
        yield
    except MemoryError:
        raise
    except Exception:
        raise SessionError(f"its part {name} is damaged") from None


# -- saving ------------------------------------------------------------------------------------


def save_session(
    path: str | Path, session: Session, check: Callable[[], object] = lambda: None
) -> None:
    """Write a session to a file, whole or not at all.

    The runs may grow meanwhile: their present merges are saved. Any thread may call it; packing
    releases the interpreter's lock. `check` is called before each part, and may raise to give it
    up. Raises OSError, and SessionError for a session that could not be opened again; then the
    file stays as it was.
    """
    write_atomically(path, to_bytes(session, check))


def to_bytes(session: Session, check: Callable[[], object] = lambda: None) -> bytes:
    """Serialize a session, and validate its parts as loading does; `check` as in `save_session`.

    Raises SessionError for a session that could not be opened again.
    """
    runs = _runs_now(session)
    header = schema.dump(schema.header_of(session, runs))
    text = session.text.encode("utf-8", "replace")
    if len(header) > MAX_JSON or len(text) > MAX_TEXT:
        raise _too_large()
    encodings = schema.inherited_by(session, runs.values())
    arrays = arrays_of(session.words, runs.values(), encodings)

    def array(name: str) -> NDArray[Any]:
        check()
        return arrays[name]

    try:
        _build(schema.parse(header), array, text, session.words)
    except SessionError as error:
        raise SessionError(
            f"the session would not open again: {error}; save the tokenizer instead"
        ) from None
    parts = {_JSON: header, _TEXT: text}
    for number, past in enumerate(session.past):
        if past.packed is None:
            past.packed = to_bytes(past.session, check)
        parts[_PAST.format(number)] = past.packed
    data = _pack(parts, arrays, check)
    check()
    try:
        inner = sum(_Archive(each.packed).unpacked for each in session.past if each.packed)
        if _Archive(data).unpacked + inner > _max_unpacked(len(data)):
            raise _too_large()
    except SessionError:
        raise _too_large() from None
    return data


def _runs_now(session: Session) -> dict[int, History]:
    """Collect the runs of a session as they are now, each once: the branches, then the others."""
    of_lanes = [lane.history for lane in session.lanes or () if isinstance(lane, RunLane)]
    branches = [branch.history for branch in session.branches]
    return {
        id(history): history.until(len(history))
        for history in (*branches, *of_lanes, *session.lockstep)
    }


def _too_large() -> SessionError:
    return SessionError(
        "the session is too large to be opened again; save the tokenizer instead, or remove "
        "branches and lanes"
    )


def _pack(
    texts: Mapping[str, bytes],
    arrays: Mapping[str, NDArray[Any]],
    check: Callable[[], object],
) -> bytes:
    """Pack the parts as a zip file. Other threads run meanwhile.

    Entries have no date: the same session makes the same file.
    """
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, compresslevel=_LEVEL) as file:
        for name, data in texts.items():
            # A session in it, which is packed already, is stored.
            with file.open(name if name in (_JSON, _TEXT) else zipfile.ZipInfo(name), "w") as part:
                part.write(data)
        for name, array in arrays.items():
            check()
            little = array.astype(array.dtype.newbyteorder("<"), order="C", copy=False)
            plain = name == TEXT_OF_WORDS and array.nbytes > _MAX_PACKED_TEXT
            entry = f"{name}.npy"
            with file.open(zipfile.ZipInfo(entry) if plain else entry, "w") as part:
                header = np.lib.format.header_data_from_array_1_0(little)
                np.lib.format.write_array_header_1_0(part, header)
                part.write(little.reshape(-1).data)
    return packed.getvalue()


# -- summaries, without loading all of a file --------------------------------------------------


class Summary(Struct, frozen=True):
    """Summarize a session.

    corpus: its name. merges: those of the run in view. branches: the number of other branches.
    saved_as: for an autosave the path of the file that the session was saved in, else None.
    """

    corpus: str
    merges: int
    branches: int
    saved_as: str | None = None

    def __str__(self) -> str:
        """Put the summary into a few words.

        >>> str(Summary("story.txt", 1234, 2))
        'story.txt with 1,234 merges and 2 branches'
        """
        text = f"{self.corpus} with {counted(self.merges, 'merge')}"
        branches = counted(self.branches, "branch", "branches")
        return f"{text} and {branches}" if self.branches else text


def summary_of(path: Path) -> Summary:
    """Summarize a session file without reading its arrays, which may be damaged.

    Raises SessionError and OSError, as `load_session` does.
    """
    header = _Archive(_read(path)).header()
    merges = header.branches[header.shown].merges
    return Summary(header.corpus.name, merges, len(header.branches) - 1, header.saved_as)


def equal_sessions(one: Path, other: Path, of_layout: Collection[str]) -> bool:
    """Tell whether two files hold the same session, without unpacking arrays.

    of_layout: the keys of the layout that count. Where the session was saved does not count, nor
        the version of the format.
    Arrays are equal if their sizes and checksums are. Unreadable files are never equal.
    """
    try:
        return _compared_parts(one, of_layout) == _compared_parts(other, of_layout)
    except (OSError, SessionError):
        return False


def _compared_parts(path: Path, of_layout: Collection[str]) -> object:
    """Collect the parts of a file that count for equality."""
    archive = _Archive(_read(path))
    header = archive.header()
    layout = {key: header.layout.get(key) for key in of_layout}
    ignored = (_JSON, OBSOLETE)
    parts = {name: sums for name, sums in archive.checksums.items() if not name.startswith(ignored)}
    return parts, msgspec.structs.replace(
        header, session=schema.VERSION, files=None, saved_as=None, layout=layout
    )
