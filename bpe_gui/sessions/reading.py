"""Reading a session: all of it is looked at before any of it is believed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bpe_gui.bpe.corpus import SAMPLES, CorpusError, CorpusOptions
from bpe_gui.bpe.history import History
from bpe_gui.bpe.recipe import MAX_NUMBER, Recipe
from bpe_gui.bpe.sources.stamps import FileStamps
from bpe_gui.bpe.words import WordCounts
from bpe_gui.sessions import limits
from bpe_gui.sessions.archive import Archive
from bpe_gui.sessions.arrays import from_npy, npy_size
from bpe_gui.sessions.checking import (
    check_files,
    check_history,
    check_on_words,
    check_words,
)
from bpe_gui.sessions.history_arrays import KINDS, SYMBOLS, base_of, columns_of, shape_of
from bpe_gui.sessions.json_values import Values, checked_path, parse
from bpe_gui.sessions.lanes_in_json import lane_from_json
from bpe_gui.sessions.layout_of_file import (
    FILE_ARRAYS,
    JSON_ENTRY,
    TEXT_ENTRY,
    VERSION,
    VERSION_KEY,
    WORD_ARRAYS,
    files_entry,
    run_entry,
    words_entry,
)
from bpe_gui.sessions.runs_in_json import RunHeader, recipe_from_json, take_run
from bpe_gui.sessions.session import (
    CorpusReference,
    Guess,
    KeptBranch,
    LaneReference,
    Session,
    SessionError,
)


def read_session(path: str | Path) -> Session:
    """The session in a file.

    Nothing that the file names is opened. May take a second; it may be called on any thread.
    Raises SessionError, one sentence that names the file and says what is wrong with it, and
    OSError for a file that is not there or unreadable.
    """
    if not Path(path).is_file():
        Path(path).stat()  # says if it is not there
        raise SessionError(f"{path} is no file; name the file of a session")
    with open(path, "rb") as file:
        data = file.read(limits.MAX_FILE + 1)
    try:
        return from_bytes(data)
    except SessionError as error:
        raise SessionError(f"{path} cannot be opened as a session: {error}") from None


def from_bytes(data: bytes) -> Session:
    """The session in the bytes of a file. Raises SessionError with what is wrong with it."""
    if len(data) > limits.MAX_FILE:
        raise SessionError(f"it is larger than {limits.MAX_FILE >> 20} MB")
    try:
        return whole(data)
    except _NewerError:
        raise
    except SessionError as error:
        raise SessionError(f"{error}; open another copy of it") from None
    except MemoryError:
        raise SessionError("there is not enough memory for it; close other programs") from None


def whole(data: bytes) -> Session:
    """The same, for who has just made these bytes.

    Raises SessionError with what is wrong with them, and not with what to do.
    """
    return _Reader(Archive(data)).session()


_Shapes = Mapping[str, tuple[int, ...]]
"""The shapes of arrays, by their names."""


class _NewerError(SessionError):
    """A file that is not damaged, but of another version."""


@dataclass(frozen=True)
class _Run:
    """A run that was read, and the symbols that it began with, as numbers."""

    history: History
    symbols: NDArray[np.int32]


class _Reader:
    """Reads the parts of one file, each when what it depends on is known."""

    def __init__(self, archive: Archive) -> None:
        self._archive = archive

    def session(self) -> Session:
        """All of it."""
        values = Values(parse(self._bytes(JSON_ENTRY, limits.MAX_JSON)), "its JSON")
        version = _version(values.take(VERSION_KEY))
        corpus = _corpus(values.take("corpus"))
        recipe = recipe_from_json(values.take("recipe"))
        listed = values.sequence("branches", limits.MAX_RUNS)
        named = [_branch(item, version) for item in listed]
        if not named or len({branch.name for branch in named}) < len(named):
            raise SessionError("it has no run, or two branches of one name")
        others = [_other(item) for item in values.sequence("other_runs", limits.MAX_RUNS)]
        headers = [branch.header for branch in named] + others
        shapes = _shapes_of_words(values)
        files_shapes = _shapes_of_files(values, corpus) if version > 2 else {}
        self._check_parts(shapes, files_shapes, headers)
        words = self._words(shapes, files_shapes)
        symbols = check_words(words, named[0].header.recipe)
        runs = [
            self._run(number, header, symbols.longest if number < len(named) else limits.MAX_TOKEN)
            for number, header in enumerate(headers)
        ]
        for run in runs[: len(named)]:
            _check_same_but_size(run.history.recipe, recipe)
            check_on_words(run.history, run.symbols, words, symbols)
        histories = [run.history for run in runs]
        branches = tuple(
            KeptBranch(branch.name, history, branch.bookmarks, branch.guesses)
            for branch, history in zip(named, histories, strict=False)
        )
        shown = values.integer("shown", 0, len(branches) - 1)
        found = Session(
            corpus=corpus,
            words=words,
            recipe=recipe,
            branches=branches,
            shown=shown,
            position=values.integer("position", 0, len(histories[shown])),
            text=self._text(),
            lanes=_lanes(values, histories),
            lockstep=_lockstep(values, histories) if version > 1 else (),
            saved_as=_saved_as(values) if version > 1 else None,
            layout=values.mapping("layout"),
        )
        values.end()
        return found

    def _bytes(self, name: str, most: int) -> bytearray:
        size = self._archive.sizes.get(name)
        if size is None:
            raise SessionError(f"its part {name} is missing")
        if size > most:
            raise SessionError(f"its part {name} is larger than any session's")
        return self._archive.read(name)

    def _text(self) -> str:
        try:
            return self._bytes(TEXT_ENTRY, limits.MAX_TEXT).decode("utf-8")
        except UnicodeDecodeError:
            raise SessionError(f"its part {TEXT_ENTRY} is no UTF-8 text") from None

    def _check_parts(self, words: _Shapes, files: _Shapes, headers: list[RunHeader]) -> None:
        """All parts are there, of the sizes that they must have, and no others."""
        expected = {
            entry(name): npy_size(shape, kinds[name])
            for entry, kinds, shapes in (
                (words_entry, WORD_ARRAYS, words),
                (files_entry, FILE_ARRAYS, files),
            )
            for name, shape in shapes.items()
        }
        for number, header in enumerate(headers):
            for name, kind in KINDS.items():
                shape = shape_of(name, header.merges, header.symbols)
                expected[run_entry(number, name)] = npy_size(shape, kind)
        sizes = self._archive.sizes
        for name, possible in expected.items():
            if name not in sizes:
                raise SessionError(f"its part {name} is missing")
            if sizes[name] not in possible:
                raise SessionError(f"its part {name} has not the size that it must have")
        for name in sizes:
            if name not in expected and name not in (JSON_ENTRY, TEXT_ENTRY):
                raise SessionError(f"it has a part {name} that belongs to nothing in it")

    def _arrays(
        self, shapes: _Shapes, kinds: Mapping[str, type[np.generic]], entry: Callable[[str], str]
    ) -> dict[str, NDArray[Any]]:
        """The arrays of these shapes, by their names, each out of its entry."""
        return {
            name: from_npy(entry(name), self._archive.read(entry(name)), shape, kinds[name])
            for name, shape in shapes.items()
        }

    def _words(self, shapes: _Shapes, files: _Shapes) -> WordCounts:
        """The words, with what is known of the files that they were counted from."""
        arrays = self._arrays(shapes, WORD_ARRAYS, words_entry)
        words = WordCounts(arrays["text"], arrays["starts"], arrays["counts"])
        if files:
            words.files = FileStamps(**self._arrays(files, FILE_ARRAYS, files_entry))
            check_files(words.files)
        return words

    def _run(self, number: int, header: RunHeader, longest: int) -> _Run:
        """A run, of which no token can be longer than that."""
        shapes = {name: shape_of(name, header.merges, header.symbols) for name in KINDS}
        arrays = self._arrays(shapes, KINDS, partial(run_entry, number))
        symbols = arrays.pop(SYMBOLS)
        base = base_of(header.recipe, symbols)
        columns = columns_of(arrays, header.merges)
        check_history(header.recipe, base, columns, header.interventions, header.stopped, longest)
        history = History.of_columns(
            *(header.recipe, base, header.corpus_bytes, columns),
            *(header.stopped, header.interventions),
        )
        return _Run(history, symbols)


# -- what the JSON says ------------------------------------------------------------------------


def _version(version: Any) -> int:
    """The version of the format. Raises SessionError for what is none, or newer than this."""
    if type(version) is not int or version < 1:
        raise SessionError("the version of its format is no whole number from 1 up")
    if version > VERSION:
        raise _NewerError(
            f"it is of version {version if version < 10**6 else 'unknown'} of the format, and this "
            f"program reads versions up to {VERSION}; use a newer program"
        )
    return version


def _corpus(found: Any) -> CorpusReference:
    values = Values(found, "its corpus")
    name = values.text("name", limits.LONGEST_NAME)
    sources = tuple(
        checked_path(source, "a source of its corpus", limits.LONGEST_SPEC)
        for source in values.sequence("sources", limits.MAX_SOURCES)
    )
    sample = values.optional_text("sample", limits.LONGEST_NAME)
    options = _options(values.take("options"))
    values.end()
    if (sample is None) is not bool(sources) or (sample is not None and sample not in SAMPLES):
        raise SessionError("its corpus is neither files nor a sample that is known")
    if any("\0" in source or not source for source in sources):
        raise SessionError("a source of its corpus is no name of a file")
    return CorpusReference(name, sources, sample, options)


def _options(found: Any) -> CorpusOptions:
    values = Values(found, "the options of its corpus")
    documents = values.text("documents", 10)
    encoding = values.optional_text("encoding", 100)
    replaces = values.truth("replace_errors")
    field = values.text("json_field", limits.LONGEST_NAME)
    values.end()
    try:
        return CorpusOptions("line" if documents == "line" else "file", encoding, replaces, field)
    except CorpusError as error:
        raise SessionError(f"its corpus cannot be read as it says: {error}") from None


def _shapes_of_files(values: Values, corpus: CorpusReference) -> _Shapes:
    """Those of what the files of the corpus were; none where that is not known."""
    said = values.take("files")
    if said is None:
        return {}
    if corpus.sample is not None:
        raise SessionError("its sample was read from files")
    files = Values(said, "what it says of the files of its corpus")
    number = files.integer("number", 0, MAX_NUMBER)
    size = files.integer("bytes_of_names", 0, MAX_NUMBER)
    files.end()
    return {name: (size if name == "names" else number,) for name in FILE_ARRAYS}


def _shapes_of_words(values: Values) -> _Shapes:
    words = values.integer("words", 0, MAX_NUMBER)
    size = values.integer("bytes_of_words", 0, MAX_NUMBER)
    return {"text": (size,), "starts": (words + 1,), "counts": (words,)}


@dataclass(frozen=True, slots=True)
class _NamedRun:
    name: str
    bookmarks: tuple[tuple[int, str], ...]
    guesses: tuple[Guess, ...]
    header: RunHeader


def _branch(found: Any, version: int) -> _NamedRun:
    values = Values(found, "a branch")
    name = values.text("name", limits.LONGEST_NAME)
    bookmarks = [_bookmark(item) for item in values.sequence("bookmarks", limits.MAX_BOOKMARKS)]
    listed = values.sequence("guesses", limits.MAX_GUESSES) if version > 1 else []
    guesses = [_guess(item) for item in listed]
    header = take_run(values)
    values.end()
    if len({position for position, _ in bookmarks}) < len(bookmarks):
        raise SessionError("a branch has two bookmarks at one position")
    if len({position for position, _ in guesses}) < len(guesses):
        raise SessionError("a branch has two guesses at one position")
    return _NamedRun(name, tuple(bookmarks), tuple(guesses), header)


def _bookmark(found: Any) -> tuple[int, str]:
    values = Values(found, "a bookmark")
    bookmark = values.integer("position", 0, MAX_NUMBER), values.text("name", limits.LONGEST_NAME)
    values.end()
    return bookmark


def _guess(found: Any) -> Guess:
    """A position, and the two tokens that were guessed there if any were."""
    numbers = found if isinstance(found, list) else []
    if len(numbers) not in (1, 3) or not all(
        type(number) is int and 0 <= number <= MAX_NUMBER for number in numbers
    ):
        raise SessionError("a guess is no position with a pair of tokens")
    position, *pair = numbers
    return position, (pair[0], pair[1]) if pair else None


def _lanes(values: Values, runs: Sequence[History]) -> tuple[LaneReference, ...] | None:
    """The encodings that are compared; None for those that a new window begins with."""
    found = values.optional_sequence("lanes", limits.MAX_LANES)
    return None if found is None else tuple(lane_from_json(item, runs) for item in found)


def _lockstep(values: Values, runs: Sequence[History]) -> tuple[History, ...]:
    """The runs that stand side by side."""
    numbers = values.sequence("lockstep", limits.MAX_LOCKSTEP)
    if not all(type(number) is int and 0 <= number < len(runs) for number in numbers):
        raise SessionError("a run that stands beside another is none of those in it")
    if len(numbers) == 1:
        raise SessionError("one run alone stands side by side")
    return tuple(runs[number] for number in numbers)


def _saved_as(values: Values) -> str | None:
    path = values.optional_text("saved_as", limits.LONGEST_SPEC)
    if path is not None and ("\0" in path or not path.startswith("/")):
        raise SessionError("what it was saved as is no name of a file")
    return path


def _other(found: Any) -> RunHeader:
    values = Values(found, "a run of a lane")
    header = take_run(values)
    values.end()
    return header


def _check_same_but_size(recipe: Recipe, chosen: Recipe) -> None:
    """All branches have the recipe that is chosen but for the size of the vocabulary."""
    if recipe.with_changes(vocabulary_size=None) != chosen.with_changes(vocabulary_size=None):
        raise SessionError("its branches are not all of one recipe")
