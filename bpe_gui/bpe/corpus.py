"""A corpus: the texts to train on, read piece by piece from wherever they are.

Sources are paths or URLs: text files, folders with text files, compressed files of these, JSON
Lines (.jsonl, .ndjson), Parquet and Arrow files, and tables of word counts (.csv, .tsv, .tab,
.parquet); or standard input ("-"). Nothing is opened before it is needed, and the text is never
held whole.

>>> list(sample("four-words").counted_words())
[('low', 5), ('lower', 2), ('newest', 6), ('widest', 3)]
"""

from __future__ import annotations

import sysconfig
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path, PurePath
from types import MappingProxyType

from msgspec import Struct

from bpe_gui.bpe.columnar import column_documents, is_columnar, is_word_table, word_rows
from bpe_gui.bpe.compression import ENDINGS as COMPRESSED_ENDINGS
from bpe_gui.bpe.errors import shown
from bpe_gui.bpe.formats import MAX_TOTAL, json_records, lines, read_word_counts, whole_file
from bpe_gui.bpe.likely_encodings import likely_encodings
from bpe_gui.bpe.partitions import Part
from bpe_gui.bpe.remote_files import Url, path_or_url
from bpe_gui.bpe.text_files import (
    BLOCK_SIZE,
    STANDARD_INPUT,
    Block,
    CorpusError,
    CorpusOptions,
    FolderRules,
    Hint,
    OpenedFile,
    Piece,
    Place,
    decode,
    file_size,
    find_encoding,
    find_files,
    is_beyond_ascii_utf8,
    is_binary,
    is_folder,
    open_file,
)
from bpe_gui.folders import resource

__all__ = [
    "SAMPLES",
    "STANDARD_INPUT",
    "Block",
    "Corpus",
    "CorpusError",
    "CorpusOptions",
    "Hint",
    "SampleInfo",
    "sample",
]

_WORD_COUNT_ENDINGS = (".csv", ".tsv", ".tab")
_FILES_NAMED = 3
"""How many of the files that are left out a sentence names."""
_JSON_LINES_ENDINGS = (".jsonl", ".ndjson")


class Corpus:
    """Sources in a given order, to be streamed as often as wanted (standard input once).

    sources: paths of files and folders, or their URLs as str; the str "-" is standard input.
        What is in a folder is read in the order of the names; files that are no text, hidden
        files and hidden folders are left out.

    name: what to call the corpus in titles: "tinyshakespeare.txt", "3 files".
    input_is_past: whether standard input is that of an earlier program, which is over.
    word_counts: whether the sources are tables of word counts, which come out of
        `counted_words` instead of `blocks`. Such tables cannot be mixed with texts; within
        a folder they count as texts.

    Raises CorpusError if there is no source, if standard input is named twice, or for
    texts mixed with word counts as text. All else that is wrong shows when the corpus is read.
    """

    def __init__(
        self,
        sources: Sequence[str | Path | Url],
        options: CorpusOptions | None = None,
        *,
        name: str | None = None,
        input_is_past: bool = False,
        folder_rules: FolderRules | None = None,
    ) -> None:
        if not sources:
            raise CorpusError("there is nothing to read; name a file or a folder")
        self._sources = [None if s == STANDARD_INPUT else path_or_url(s) for s in sources]
        if self._sources.count(None) > 1:
            raise CorpusError("standard input can be read only once; name - a single time")
        self.options = options or CorpusOptions()
        self.sample: str | None = None
        """Which of `SAMPLES` it is."""
        self._folder_rules = folder_rules or FolderRules()
        self._block_size = BLOCK_SIZE
        self._size: tuple[int | None] | None = None
        """None before it was found out."""
        self.name = name or _title(self._sources)
        self._standard_input_read = input_is_past
        self.skipped_files: dict[str, int] = {}
        """The files in folders that were found to be no text when the blocks were last read:
        their names, and how many bytes each has."""
        self.misread_files: list[str] = []
        """The files that begin as UTF-8 does, beyond ASCII, and were last read as something else
        because the options say so."""
        self.other_encodings: set[str] = set()
        """What files are written in that were last read, if not in UTF-8."""
        self.likely_encodings: tuple[str, ...] = ()
        """In which encodings the file may be written that could not be decoded last, the most
        likely first."""
        if not any(source and source.suffix.lower() == ".parquet" for source in self._sources):
            _ = self.word_counts  # The names tell it, so a mixture is refused now.

    @cached_property
    def word_counts(self) -> bool:
        """Tell whether it is tables of word counts. The columns of Parquet files are read for that.

        Raises CorpusError for texts mixed with word counts.
        """
        tables = [s for s in self._sources if s is not None and _is_table(s)]
        if tables and len(tables) < len(self._sources):
            raise CorpusError(
                f"{tables[0]} holds word counts, which cannot be mixed with texts; "
                "read it alone, or with other word counts"
            )
        return bool(tables)

    @property
    def sources(self) -> tuple[str, ...]:
        """Return the paths that it was made of, and "-" for standard input."""
        return tuple(STANDARD_INPUT if s is None else str(s) for s in self._sources)

    @property
    def size(self) -> int | None:
        """Count the bytes to be read in all, as they are stored; None if that is not known (pipes).

        Looks through the folders, which may take a while (see `find_size`); afterwards it is
        remembered. Raises CorpusError for a missing source.
        """
        return self.find_size()

    def find_size(self, check: Callable[[], None] | None = None) -> int | None:
        """Do as `size`. `check` is called for each file, and may raise to give it up."""
        if self._size is None:
            self._size = (self._added_up(check),)
        return self._size[0]

    def _added_up(self, check: Callable[[], None] | None) -> int | None:
        total = 0
        for source in self._sources:
            for place in self._places(source):
                if check is not None:
                    check()
                size = file_size(place)
                if size is None:
                    return None
                total += size
        return total

    def blocks(
        self, waiting: Callable[[], None] | None = None
    ) -> Generator[Block, None, None]:
        """Yield the text of all sources, in order, in blocks of some hundred kilobytes.

        A block holds pieces of one file only; it may cut a document between any two
        characters, but each document that begins also ends. Close the generator to stop
        early; this closes the file that is open. `waiting` is for giving up while there is
        nothing to read; see `open_file`.

        Raises CorpusError, with one sentence, for what is missing, unreadable, damaged
        or no text, for a folder without text files, if there is no text in all, and if
        standard input has been read before.
        """
        if self.word_counts:
            raise RuntimeError("word counts have no blocks of text; use counted_words()")
        before = 0
        has_text = False
        self.skipped_files = {}
        self._forget_encodings()
        for source in self._sources:
            found = False
            self._note_standard_input(source)
            for place in self._places(source):
                done = 0
                for block in self.file_blocks(place, waiting=waiting):
                    has_text = has_text or bool(block.text)
                    done = block.bytes_read
                    yield Block(block.text, block.document_ends, before + done)
                skipped = self.skipped_files.get(place.label)
                found = found or skipped is None
                before += done if skipped is None else skipped
            if not found:
                raise no_text_files(source)
        if not has_text:
            raise self.no_text()

    def file_blocks(
        self,
        place: Place,
        *,
        part: Part | None = None,
        waiting: Callable[[], None] | None = None,
    ) -> Generator[Block, None, None]:
        """Yield the text of one file, or of a part of it.

        All parts one after another are the file, and have the same words; what cannot be cut is in
        the first. For a file of a folder that is no text there are no blocks: it is noted in
        `skipped_files`. Otherwise as `blocks`; `bytes_read` counts those of this file.
        """
        with open_file(place, self._block_size, waiting, streams=part is None) as opened:
            if not self._is_wanted(place, opened):
                self.skipped_files[place.label] = file_size(place) or 0
                return
            yield from self._documents(place, opened, part)

    def no_text(self) -> CorpusError:
        """Return the error for a corpus that has no text in all."""
        return CorpusError(f"{self._named}: there is no text in it; name something to read")

    def counted_words(
        self,
        progress: Callable[[int], object] | None = None,
        waiting: Callable[[], None] | None = None,
    ) -> Generator[tuple[str, int], None, None]:
        """Yield the rows of all tables: words and how often they occur, in order.

        A word that comes several times counts for the sum; it is for the reader to add.
        `progress` is called with the bytes read so far, for each piece that is read;
        `waiting` is as for `blocks`.
        Only if `word_counts`. Raises CorpusError as `blocks` does.
        """
        if not self.word_counts:
            raise RuntimeError("a text has no counted words; use blocks()")
        before = 0
        total = 0
        self._forget_encodings()

        def report(bytes_read: int) -> None:
            if progress is not None:
                progress(before + bytes_read)

        for source in self._sources:
            for place in self._places(source):
                with open_file(place, self._block_size, waiting) as opened:
                    if place.path is not None and is_columnar(opened.head):
                        opened.count_as_read()
                        total = yield from _parquet_words(place.path, total, report)
                        before += opened.bytes_read
                        continue
                    pieces = self._decoded(place, opened)
                    tabs = _ending(source) != ".csv"
                    total = yield from read_word_counts(
                        pieces, place.label, tabs=tabs, total=total, progress=report
                    )
                    before += opened.bytes_read
        if not total:
            raise CorpusError(f"{self._named}: there are no words in it; add rows below the header")

    @property
    def warning(self) -> str:
        """Say what may be wrong with what was last read, in sentences; empty if nothing is.

        It names files that were left out, and files that are read by another encoding than theirs.
        Of a sample files are left out on purpose.
        """
        if self.sample is not None:
            return ""
        sentences = [without_files(self.skipped_files)]
        if self.misread_files:
            names = [Path(name).name for name in self.misread_files]
            more = f" and {len(names) - 1:,} more" if len(names) > 1 else ""
            are = "are" if more else "is"
            sentences.append(
                f"{names[0]}{more} {are} UTF-8, but {are} read as {self.options.encoding}."
            )
        return " ".join(filter(None, sentences))

    @property
    def _named(self) -> str:
        """What to call it in errors: a single file or folder as the user named it."""
        return str(self._sources[0] or self.name) if len(self._sources) == 1 else self.name

    def files(self) -> list[list[Place]]:
        """List the files of each source. Raises CorpusError as `blocks` does."""
        return [list(self._places(source)) for source in self._sources]

    def _forget_encodings(self) -> None:
        self.misread_files, self.other_encodings, self.likely_encodings = [], set(), ()

    def _places(self, source: Path | Url | None) -> Iterator[Place]:
        if source is None:
            return iter((Place(None),))
        return find_files(source, self._folder_rules)

    def _note_standard_input(self, source: Path | Url | None) -> None:
        """Note that standard input is read, so that its end does not look like no text."""
        if source is not None:
            return
        if self._standard_input_read:
            raise CorpusError(
                "standard input can be read only once; to read it in another way, write it "
                "to a file and open that"
            )
        self._standard_input_read = True

    def _is_wanted(self, place: Place, opened: OpenedFile) -> bool:
        """Tell whether an opened file is to be read: in folders, not all of them are."""
        if not place.in_folder or is_columnar(opened.head):
            return True
        if is_binary(opened.head, find_encoding(opened.head, self.options.encoding)):
            return False
        return not self._folder_rules.skip_undecodable or _is_utf8(place)

    def _decoded(
        self,
        place: Place,
        opened: OpenedFile,
        part: Part | None = None,
    ) -> Iterator[Piece]:
        encoding = find_encoding(opened.head, self.options.encoding)
        if is_binary(opened.head, encoding):
            raise self._undecodable(
                CorpusError(
                    f"{place.label} is not a text file, because it has NUL bytes",
                    "name a text",
                    Hint.NAME_ENCODING,
                    encodings=likely_encodings(opened.head, refused=encoding.name),
                )
            )
        if encoding.name != "utf-8":
            self.other_encodings.add(encoding.name)
            if is_beyond_ascii_utf8(opened.head):
                self.misread_files.append(place.label)
        between = None
        if part is not None and (opened.compression is not None or encoding.name != "utf-8"):
            if part.begin:
                return
        elif part is not None:
            by_line = self.options.documents == "line" or _is_json_lines(place)
            begin, end = part.between(opened, by_line=by_line)
            between = max(begin, encoding.mark_size), end
        try:
            yield from decode(opened, encoding, self.options, between)
        except CorpusError as error:
            raise self._undecodable(error) from None

    def _undecodable(self, error: CorpusError) -> CorpusError:
        """Note the encodings that an error names as likely, and return it."""
        self.likely_encodings = error.encodings
        return error

    def _documents(self, place: Place, opened: OpenedFile, part: Part | None) -> Iterator[Block]:
        if is_columnar(opened.head) and opened.compression is None:
            if place.path is None:
                raise CorpusError(
                    "standard input cannot be read as a Parquet or Arrow file, which is not read "
                    "from start to end; write it to a file and open that"
                )
            opened.count_as_read()
            return column_documents(
                place.path,
                opened.head,
                self.options.json_field,
                replace_errors=self.options.replace_errors,
                part=part,
            )
        pieces = self._decoded(place, opened, part)
        if _is_json_lines(place):
            after = f", after byte {part.begin:,}" if part is not None and part.begin else ""
            return json_records(
                pieces,
                place.label + after,
                self.options.json_field,
                replace_errors=self.options.replace_errors,
                block_size=self._block_size,
            )
        return lines(pieces) if self.options.documents == "line" else whole_file(pieces)


def no_text_files(folder: object) -> CorpusError:
    """Return the error for a folder of which nothing can be read."""
    return CorpusError(f"the folder {folder} has no text files; name another one")


def _is_json_lines(place: Place) -> bool:
    return _ending(place.path) in _JSON_LINES_ENDINGS


def _is_table(path: Path | Url) -> bool:
    """Tell whether a file is a table of word counts, by its name or, of Parquet, its columns."""
    return (_ending(path) in _WORD_COUNT_ENDINGS and not is_folder(path)) or is_word_table(path)


def _parquet_words(
    path: Path | Url, total: int, report: Callable[[int], None]
) -> Generator[tuple[str, int], None, int]:
    """Yield words and counts as `read_word_counts` does."""
    size = file_size(Place(path)) or 0
    for rows, share in word_rows(path):
        ends = zip(rows.starts[:-1].tolist(), rows.starts[1:].tolist(), strict=True)
        data = rows.text.tobytes()
        for (begin, end), count in zip(ends, rows.counts.tolist(), strict=True):
            total += count * (end - begin + 1)
            if total > MAX_TOTAL:
                raise CorpusError(f"{path}: the counts add up to too much; divide them")
            try:
                word = data[begin:end].decode("utf-8")
            except UnicodeDecodeError:
                raise CorpusError(
                    f"{path}: the word {shown(data[begin:end])} is no UTF-8, and belongs to words "
                    "that were split otherwise; count the corpus again with this recipe"
                ) from None
            yield word, count
        report(int(share * size))
    return total


def _title(sources: Sequence[Path | Url | None]) -> str:
    if len(sources) > 1:
        only_files = not any(source and is_folder(source) for source in sources)
        return f"{len(sources)} {'files' if only_files else 'sources'}"
    source = sources[0]
    if source is None:
        return "standard input"
    if isinstance(source, Url):
        return source.name or str(source)
    return source.name or source.resolve().name or str(source)


def _ending(path: Path | Url | None) -> str:
    """Return the ending of a file's name that tells its format: .jsonl of records.jsonl.gz."""
    if path is None:
        return ""
    name = PurePath(path.name.lower())
    return PurePath(name.stem).suffix if name.suffix in COMPRESSED_ENDINGS else name.suffix


def _is_utf8(place: Place) -> bool:
    """Tell whether all of a file can be decoded. For small files: it is read an extra time."""
    with open_file(place) as opened:
        encoding = find_encoding(opened.head, None)
        try:
            for _ in decode(opened, encoding, CorpusOptions(), guesses=False):
                pass
        except CorpusError:
            return False
    return True


def without_files(skipped_files: Mapping[str, int]) -> str:
    """Return a sentence on files that were not read; empty if there are none.

    >>> without_files({"a.png": 3, "b.zip": 5})
    '2 files are not text and were skipped: a.png, b.zip.'
    """
    names = [Path(name).name for name in skipped_files]
    if not names:
        return ""
    shown = ", ".join(names[:_FILES_NAMED]) + (", ..." if len(names) > _FILES_NAMED else "")
    if len(names) == 1:
        return f"1 file is not text and was skipped: {shown}."
    return f"{len(names):,} files are not text and were skipped: {shown}."


# -- samples -------------------------------------------------------------------------------


class SampleInfo(Struct, frozen=True):
    """How a sample presents itself.

    file: what it is called in the folder of the samples; None for what every machine has.
    """

    title: str
    description: str
    file: str | None


SAMPLES: Mapping[str, SampleInfo] = MappingProxyType(
    {
        "four-words": SampleInfo(
            "Four words",
            "low 5 times, lower 2, newest 6, widest 3: the classic example, small enough to "
            "follow by hand",
            "four-words.csv",
        ),
        "story-english": SampleInfo(
            "A story in English",
            "The Clock in the Harbour: 3,200 words of plain prose, to see words grow",
            "story-english.txt",
        ),
        "story-russian": SampleInfo(
            "The same story in Russian",
            "Часы в гавани: a letter of Cyrillic is two bytes, so the first merges make letters",
            "story-russian.txt",
        ),
        "scripts": SampleInfo(
            "Many scripts",
            "A page of short texts in many scripts, with emoji, code and numbers",
            "scripts.txt",
        ),
        "python-stdlib": SampleInfo(
            "Python's standard library",
            "The source code of the Python that runs this program: real text, megabytes of it",
            None,
        ),
    }
)
"""The corpora that come with the program, or that every machine has, by name."""


def sample(name: str, options: CorpusOptions | None = None) -> Corpus:
    """Return one of `SAMPLES`. Raises CorpusError naming the known ones.

    The standard library's files that are not UTF-8 (some of its tests are not, on
    purpose) are left out.
    """
    if name not in SAMPLES:
        raise CorpusError(f"unknown sample {name!r}; the samples are {', '.join(SAMPLES)}")
    info = SAMPLES[name]
    if info.file is None:
        rules = FolderRules(
            suffix=".py",
            skipped_folders=frozenset({"site-packages", "dist-packages", "__pycache__"}),
            skip_undecodable=True,
        )
        folder = sysconfig.get_path("stdlib")
        corpus = Corpus([folder], options, name=info.title, folder_rules=rules)
    else:
        corpus = Corpus([resource("samples", info.file)], options, name=info.title)
    corpus.sample = name
    return corpus
