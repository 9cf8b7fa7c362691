"""Several texts, each measured by itself under several encodings: a row a text, a column each.

A text is what a file or a folder holds, a language of a parallel corpus, or a probe. Its numbers
are those of the whole text, as if it were measured alone. Their intervals come from resampling its
documents, or its lines if it has few documents; see `analysis.grouped_counts`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from functools import cache
from pathlib import Path

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from bpe_gui.analysis.grouped_counts import LEAST_GROUPS, GroupedCounts
from bpe_gui.bpe.corpus import Corpus, CorpusError, CorpusOptions
from bpe_gui.bpe.errors import Cancelled
from bpe_gui.encodings.base import Encoding, EncodingError, lock_of
from bpe_gui.encodings.chat import Conversation
from bpe_gui.encodings.differences.alignment import CachedEncoder, Cut
from bpe_gui.encodings.measuring.measure import measure_groups
from bpe_gui.encodings.measuring.roundtrip import check_roundtrip
from bpe_gui.encodings.parallel_texts import languages
from bpe_gui.progress import counted

MAX_TEXT = 64 << 20
"""Bytes of a text, which is held whole."""

MAX_TEXTS = 1000

_ENOUGH = 20
"""Documents that a text has at least if these are resampled, and not its lines."""

_MOST_GROUPS = 500
"""Groups of a text: more lines than that are resampled several at a time."""

_ENGLISH = re.compile(r"en(g|glish)?([-_.].*)?", re.IGNORECASE)
"""Names of English in parallel corpora: "en", "eng_Latn"."""

_CHECKED = 100_000
"""Bytes at the beginning of a text that are decoded again."""


class Text(Struct, frozen=True, eq=False):
    """Hold a text that is a row of the comparison.

    data, document_ends: documents in UTF-8, one after another, and where they end.
    group_ends: where the groups end that are resampled.
    units, unit: how many documents it has, and what one is called: "line", "document".
    meaning: what it is for, in a sentence; empty for files.
    original: the name of the text that it is a variant of, line by line; empty if of none.
    """

    name: str
    data: bytes
    document_ends: NDArray[np.int64]
    group_ends: NDArray[np.int64]
    units: int
    unit: str
    meaning: str = ""
    original: str = ""

    @property
    def is_resampled(self) -> bool:
        """Whether it has enough lines or documents to be resampled."""
        return len(self.group_ends) >= LEAST_GROUPS

    @property
    def resampled(self) -> str:
        """Say what is resampled.

        >>> text_of("a", "x\\n" * 7).resampled, text_of("a", "x\\ny").resampled
        ('7 lines', '2 lines, not resampled')
        """
        groups = len(self.group_ends)
        many = counted(self.units, self.unit)
        if not self.is_resampled:
            return f"{many}, not resampled"
        return many if groups >= self.units else f"{many} in {groups:,} groups"


class Texts(Struct, frozen=True):
    """Hold the texts to compare on.

    title: what they are: "3 files", "the built-in story".
    parallel: whether they are translations of one another, line by line.
    conversation: the one whose texts they are, if any; see `conversations`.
    note: how they were read, in a sentence without a full stop; empty if that is clear.
    """

    title: str
    texts: tuple[Text, ...]
    parallel: bool = False
    conversation: Conversation | None = None
    note: str = ""

    @property
    def names(self) -> list[str]:
        """Return the names of all texts."""
        return [text.name for text in self.texts]

    def index_of(self, name: str) -> int:
        """Find a text by its name, in any case. Raises CorpusError for none."""
        folded = [one.casefold() for one in self.names]
        if name.casefold() not in folded:
            known = ", ".join(self.names)
            raise CorpusError(f"there is no text {name}; the texts are {known}")
        return folded.index(name.casefold())


def text_of(name: str, text: str, meaning: str = "", original: str = "") -> Text:
    """Make a text of one document, whose lines are resampled."""
    data = text.encode("utf-8")
    made = _of_documents(name, data, np.array([len(data)], np.int64))
    return replace(made, meaning=meaning, original=original)


def _of_documents(
    name: str, data: bytes, document_ends: NDArray[np.int64], *, every_line: bool = False
) -> Text:
    """Make a text of concatenated documents.

    `every_line`: resample lines whatever the documents are, empty ones too.
    """
    kept = document_ends[np.diff(document_ends, prepend=0) > 0]
    units, unit = kept, "document"
    if every_line or len(kept) < _ENOUGH:
        units, unit = _line_ends(data, kept, empty=every_line), "line"
    groups = units
    if len(units) > _MOST_GROUPS:
        size = -(-len(units) // _MOST_GROUPS)
        groups = np.append(units[size - 1 : -1 : size], units[-1])
    return Text(name, data, kept, groups, len(units), unit)


def _line_ends(data: bytes, document_ends: NDArray[np.int64], *, empty: bool) -> NDArray[np.int64]:
    """Find where lines end, each with its newline; empty ones belong to the line before them."""
    newlines = np.flatnonzero(np.frombuffer(data, np.uint8) == 0x0A) + 1
    ends: NDArray[np.int64] = np.union1d(newlines, document_ends).astype(np.int64)
    if empty or not len(ends):
        return ends
    starts = np.append(0, ends[:-1])
    blank = [not data[start:end].strip() for start, end in zip(starts, ends, strict=True)]
    # A line ends where the next line that has something begins.
    full = ~np.array(blank)
    kept: NDArray[np.bool_] = np.append(full[1:], True)
    kept[: int(np.argmax(full))] = False
    return ends[kept]


# -- Reading ------------------------------------------------------------------------------------


def read_texts(paths: Sequence[str], options: CorpusOptions | None = None) -> Texts:
    """Read files and folders, each a text; of a single folder each entry is a text.

    Raises CorpusError for what is no text, is empty or has more than MAX_TEXT bytes; entries of a
    single folder that are no texts are passed over, which the title says.
    """
    sources = list(map(str, paths))
    title = f"{len(sources)} texts"
    if len(sources) == 1 and Path(sources[0]).is_dir():
        return _read_entries(Path(sources[0]), options)
    if len(sources) == 1:
        title = Path(sources[0]).name
    names = _short_names(sources)
    texts = tuple(_read(source, name, options) for source, name in zip(sources, names, strict=True))
    return Texts(title, texts)


def _read_entries(folder: Path, options: CorpusOptions | None) -> Texts:
    sources = _entries(folder)
    texts, skipped = [], 0
    for source, name in zip(sources, _short_names(sources), strict=True):
        try:
            texts.append(_read(source, name, options))
        except CorpusError:
            if len(texts) + skipped + 1 == len(sources) and not texts:
                raise
            skipped += 1
    title = folder.resolve().name
    return Texts(f"{title}, {skipped:,} without text" if skipped else title, tuple(texts))


def read_parallel(path: str, options: CorpusOptions | None = None) -> Texts:
    """Read a parallel corpus: a folder with a file for each language, or a TSV with a column each.

    Line k of each file has the same meaning. The first line of a TSV names the languages. English
    comes first, if it is there: others are compared with the first. Each line ends with a newline,
    also the last one.
    Raises CorpusError if lines are missing in one of them, and as `read_texts` does.
    """
    place = Path(path)
    if place.is_dir():
        sources = _entries(place)
        names = _short_names(sources)
        read = [
            (name, _data(source, options)[0].replace(b"\r\n", b"\n").removesuffix(b"\n") + b"\n")
            for name, source in zip(names, sources, strict=True)
        ]
    else:
        read = _columns(path, options)
    read.sort(key=lambda language: _ENGLISH.fullmatch(language[0]) is None)
    texts = []
    for name, data in read:
        ends = np.array([len(data)], np.int64)
        texts.append(_of_documents(name, data, ends, every_line=True))
    if len(texts) < 2:
        raise CorpusError(f"{path} has one language; a parallel corpus has two or more")
    lines = [text.units for text in texts]
    if len(set(lines)) > 1:
        usual = lines[0]
        other = next(place for place, many in enumerate(lines) if many != usual)
        raise CorpusError(
            f"{path} is not parallel: {texts[0].name} has {counted(usual, 'line')}, "
            f"{texts[other].name} has {lines[other]:,}; give all the same number of lines"
        )
    return Texts(place.name or str(place), tuple(texts), parallel=True)


@cache
def story() -> Texts:
    """Return the built-in story, a text for each language, English first."""
    found = []
    for language in languages().values():
        made = text_of(language.name, language.text)
        found.append(replace(made, unit="sentence"))
    return Texts("the built-in story", tuple(found), parallel=True)


def _entries(folder: Path) -> list[str]:
    """List the visible entries of a folder by name. Raises CorpusError if there is none."""
    found = sorted(str(entry) for entry in folder.iterdir() if not entry.name.startswith("."))
    if not found:
        raise CorpusError(f"the folder {folder} is empty; name another one")
    if len(found) > MAX_TEXTS:
        raise CorpusError(
            f"{folder} has {len(found):,} entries, and at most {MAX_TEXTS:,} texts are compared; "
            "name some of them"
        )
    return found


def _short_names(sources: Sequence[str]) -> list[str]:
    """Name texts by their files, as short as they differ.

    >>> _short_names(["x/fr.txt", "x/en.txt"]), _short_names(["a/t.txt", "b/t.txt"])
    (['fr', 'en'], ['a/t.txt', 'b/t.txt'])
    """
    ways: list[Callable[[Path], str]] = [
        lambda path: path.name.partition(".")[0] or path.name,
        lambda path: path.name,
        lambda path: f"{path.parent.name}/{path.name}",
    ]
    for way in ways:
        names = [way(Path(source)) for source in sources]
        if len(set(names)) == len(names):
            return names
    return list(sources)


def _read(source: str, name: str, options: CorpusOptions | None) -> Text:
    data, ends = _data(source, options)
    return _of_documents(name, data, ends)


def _data(source: str, options: CorpusOptions | None) -> tuple[bytes, NDArray[np.int64]]:
    """Read all documents of a file or folder. Raises CorpusError."""
    corpus = Corpus([source], options)
    if corpus.word_counts:
        raise CorpusError(f"{source} is a table of word counts; name a text")
    parts, ends, size = [], [np.empty(0, np.int64)], 0
    with closing(corpus.blocks()) as blocks:
        for block in blocks:
            parts.append(block.text)
            ends.append(block.document_ends + size)
            size += len(block.text)
            if size > MAX_TEXT:
                raise CorpusError(
                    f"{source} has more than {MAX_TEXT >> 20} MB, which is too much for one of "
                    "several texts; measure it alone, or name a part of it"
                )
    data = b"".join(parts)
    if not data.strip():
        raise CorpusError(f"{source} has no text; name another file")
    return data, np.concatenate(ends)


def _columns(path: str, options: CorpusOptions | None) -> list[tuple[str, bytes]]:
    """Read the columns of a TSV. Raises CorpusError for a line that lacks some."""
    # Read as text, not as a table of word counts, which a TSV is elsewhere.
    from bpe_gui.bpe.text_files import Place, decode, find_encoding, open_file

    with open_file(Place(Path(path))) as opened:
        encoding = find_encoding(opened.head, options.encoding if options else None)
        data = b"".join(p.data for p in decode(opened, encoding, options or CorpusOptions()))
    lines = data.decode("utf-8").removesuffix("\n").replace("\r\n", "\n").split("\n")
    rows = [line.split("\t") for line in lines]
    names = [name.strip() for name in rows[0]]
    if len(set(names)) < len(names) or "" in names:
        raise CorpusError(
            f"{path}, line 1: the first line names each language once, with a tab between; "
            "name them so"
        )
    for number, row in enumerate(rows, 1):
        if len(row) != len(names):
            raise CorpusError(
                f"{path}, line {number:,}: it has {counted(len(row), 'column')}, the first line "
                f"has {len(names)}; add or remove tabs"
            )
    if len(rows) < 2:
        raise CorpusError(f"{path} has no lines below the names; add some")
    columns = [
        "".join(f"{row[column]}\n" for row in rows[1:]) for column in range(len(names))
    ]
    return [(name, text.encode("utf-8")) for name, text in zip(names, columns, strict=True)]


# -- Measuring ----------------------------------------------------------------------------------


class TextCounts(Struct, frozen=True):
    """Hold what an encoding makes of a text.

    lossy: whether the text is known not to round-trip.
    problem: why there are no counts; empty if there are.
    decoded: whether all of the text was decoded, and not its beginning alone.
    """

    counts: GroupedCounts
    lossy: bool
    problem: str = ""
    decoded: bool = True


def counts_of(cut: Cut, text: Text) -> TextCounts:
    """Count what was made of a text that is one document, without tokenizing it again."""
    counts = GroupedCounts(text.group_ends)
    counts.add(text.data, text.document_ends, cut.tokens, cut.unknown_tokens)
    return TextCounts(counts, not check_roundtrip(cut).is_lossless)


def measure_text(
    encoding: Encoding,
    text: Text,
    *,
    specials_as_text: bool = False,
    check: Callable[[], None] | None = None,
) -> TextCounts:
    """Measure one text by itself.

    `check` is called every now and then, and may raise to give up. Raises EncodingError.
    """
    with lock_of(encoding).hold():
        counts = measure_groups(
            encoding,
            text.data,
            text.document_ends,
            text.group_ends,
            name=text.name,
            specials_as_text=specials_as_text,
            check=check,
        )
        if counts.metrics(encoding.vocabulary_size).unknowns:
            return TextCounts(counts, True)
        encoder, start = CachedEncoder(encoding), 0
        for end in text.document_ends.tolist():
            if start >= _CHECKED:
                break
            beginning = text.data[start : min(end, _CHECKED)].decode("utf-8", "ignore")
            cut = encoder.encode(beginning, specials_as_text=specials_as_text)
            if not check_roundtrip(cut).is_lossless:
                return TextCounts(counts, True)
            start = end
        return TextCounts(counts, False, decoded=len(text.data) <= _CHECKED)


def measure_texts(
    encodings: Sequence[Encoding],
    texts: Iterable[Text],
    *,
    specials_as_text: bool = False,
    progress: Callable[[int], object] | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> list[list[TextCounts]]:
    """Measure each text under each encoding: a list for each text.

    Counts of a text that an encoding cannot measure say why. `progress` is called with how many of
    all these are done. Raises Cancelled when `cancelled` says so.
    """

    def check() -> None:
        if cancelled is not None and cancelled():
            raise Cancelled

    found, done = [], 0
    for text in texts:
        row = []
        for encoding in encodings:
            check()
            try:
                counts = measure_text(
                    encoding, text, specials_as_text=specials_as_text, check=check
                )
            except EncodingError as error:
                counts = TextCounts(GroupedCounts(text.group_ends), False, str(error))
            row.append(counts)
            done += 1
            if progress is not None:
                progress(done)
        found.append(row)
    return found
