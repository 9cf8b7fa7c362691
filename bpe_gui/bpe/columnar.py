"""Parquet and Arrow files: a column of texts, each of them a document, or words with counts.

pyarrow reads them, which is not installed with the program: it is a part of the extra `data`.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from bpe_gui.bpe.errors import shown
from bpe_gui.bpe.formats import MAX_COUNT, limited
from bpe_gui.bpe.partitions import Part
from bpe_gui.bpe.remote_files import RemoteFile, Url, is_seekable
from bpe_gui.bpe.text_files import BLOCK_SIZE, Block, CorpusError, Hint
from bpe_gui.files import replacing

if TYPE_CHECKING:
    import pyarrow

_PARQUET, _ARROW, _ARROW_STREAM = b"PAR1", b"ARROW1\0\0", b"\xff\xff\xff\xff"
_ROWS = 1024
"""Texts of a Parquet file that are read at once."""
_NAMES_SHOWN = 5


def is_columnar(head: bytes) -> bool:
    """Tell whether a file that begins so is a Parquet or Arrow file.

    >>> is_columnar(b"PAR1..."), is_columnar(b"PART ONE")
    (True, False)
    """
    return head.startswith((_PARQUET, _ARROW, _ARROW_STREAM))


def column_documents(
    path: Path | Url,
    head: bytes,
    column: str,
    *,
    replace_errors: bool = False,
    part: Part | None = None,
) -> Iterator[Block]:
    """Yield a document for each text in a column; rows without a text are left out.

    The file is streamed, by parts of row groups or by record batches; a `part` has its share of
    these. `head` is how it begins; it tells the format. `bytes_read` of the blocks is the share of
    the rows read so far.

    Raises CorpusError, with one sentence, if pyarrow is missing, for what is damaged or has no such
    column, and for a column of something else or of bytes that are no UTF-8, unless
    `replace_errors`.
    """
    _pyarrow(f"{path} is a Parquet or Arrow file")
    maps = not head.startswith(_PARQUET)
    with _naming_damage(path), _opened(path, maps=maps) as file:
        size = file.size()
        for batch, done in _batches(file, head, path, column, part):
            text, ends = _texts(batch.column(0), column, path, replace_errors)
            yield from limited(Block(text, ends, int(done * size)), 4 * BLOCK_SIZE)
        yield Block(b"", np.empty(0, np.int64), size)


# -- Tables of word counts ----------------------------------------------------------------------

_RECIPE = b"bpe-gui recipe"
"""The key in a file's metadata under which the recipe is that its words were split by."""

_WORD, _COUNT = "word", "count"


def is_word_table(path: Path | Url) -> bool:
    """Tell whether a file is a table of words and counts as Parquet, by its name and its columns.

    False if it cannot be told; what is no regular file, such as a pipe, is not opened.
    """
    if path.suffix.lower() != ".parquet" or not (isinstance(path, Url) or path.is_file()):
        return False
    try:
        from pyarrow import parquet

        with _opened(path) as file:
            return {_WORD, _COUNT} <= set(parquet.read_schema(file).names)
    except (ImportError, OSError, ValueError, NotImplementedError):
        # Whoever reads the file says what is wrong with it. pyarrow's errors are some of these.
        return False


def check_writing_words(path: str | Path) -> None:
    """Raise CorpusError if `write_words` lacks pyarrow, which is to be known before counting."""
    _pyarrow(f"{path} is to be a Parquet file")


def write_words(
    path: str | Path,
    text: NDArray[np.uint8],
    starts: NDArray[np.int64],
    counts: NDArray[np.int64],
    recipe: str,
) -> None:
    """Write words with their counts, in this order, and the recipe that they were split by as JSON.

    Word w is `text[starts[w]:starts[w + 1]]`. Raises CorpusError if pyarrow is missing, OSError.
    """
    check_writing_words(path)
    import pyarrow as pa
    from pyarrow import parquet

    buffers = [None, pa.py_buffer(starts), pa.py_buffer(text)]
    words = pa.LargeBinaryArray.from_buffers(pa.large_binary(), len(counts), buffers)
    table = pa.table({_WORD: words, _COUNT: pa.array(counts)})
    with replacing(path) as beside:
        try:
            parquet.write_table(table.replace_schema_metadata({_RECIPE: recipe}), beside)
        except OSError as error:
            if error.errno is not None:  # pyarrow wraps up what the system says
                error.strerror = os.strerror(error.errno)
            raise


class WordRows(Struct, frozen=True):
    """Some rows of a table: words as `write_words` takes them, and their counts."""

    text: NDArray[np.uint8]
    starts: NDArray[np.int64]
    counts: NDArray[np.int64]


def recipe_of_words(path: Path | Url) -> str | None:
    """Return the recipe, as JSON, that the words of a table were split by; None if it has none."""
    from pyarrow import parquet

    with _opened(path) as file:
        metadata = parquet.read_schema(file).metadata or {}
    recipe: bytes | None = metadata.get(_RECIPE)
    return None if recipe is None else recipe.decode("utf-8", "replace")


def word_rows(path: Path | Url) -> Iterator[tuple[WordRows, float]]:
    """Yield the rows of a table of word counts, and which share has been read with each batch.

    Raises CorpusError for what is damaged, and for a row that is not a word and a whole number
    from 1 to `MAX_COUNT`.
    """
    pa = _pyarrow(f"{path} is a Parquet file")
    from pyarrow import parquet

    with (
        _naming_damage(path),
        _opened(path) as source,
        parquet.ParquetFile(source, pre_buffer=False) as file,
    ):
        rows, done = file.metadata.num_rows, 0
        for batch in file.iter_batches(1 << 16, columns=[_WORD, _COUNT]):
            words, numbers = batch.column(_WORD), batch.column(_COUNT)
            try:
                words, numbers = words.cast(pa.large_binary()), numbers.cast(pa.int64())
            except (pa.ArrowNotImplementedError, pa.ArrowInvalid):
                raise CorpusError(
                    f"{path}: the columns {_WORD} and {_COUNT} hold no words and whole numbers but "
                    f"{words.type} and {numbers.type}; give them these types"
                ) from None
            counts = numbers.fill_null(0).to_numpy(zero_copy_only=False).astype(np.int64)
            text, starts = _content(words.fill_null(b""))
            wrong = np.flatnonzero((counts < 1) | (counts > MAX_COUNT) | (np.diff(starts) == 0))
            if len(wrong):
                raise CorpusError(
                    f"{path}, row {done + int(wrong[0]) + 1:,}: a row is a word and a whole number "
                    f"from 1 to {MAX_COUNT}"
                )
            done += batch.num_rows
            yield WordRows(text, starts, counts), done / rows


def _content(array: pyarrow.Array) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Return values one after another, and where each begins and the last ends."""
    if not len(array):
        return np.empty(0, np.uint8), np.zeros(1, np.int64)
    _, places, content = array.buffers()
    begins = np.frombuffer(places, np.int64)[array.offset : array.offset + len(array) + 1]
    data = np.frombuffer(content, np.uint8) if content is not None else np.empty(0, np.uint8)
    return data[begins[0] : begins[-1]], begins - begins[0]


# -- What both have in common -------------------------------------------------------------------


def _pyarrow(why: str) -> Any:
    """Import pyarrow. Raises CorpusError, which begins with why it is needed."""
    try:
        import pyarrow
    except ImportError:
        raise CorpusError(
            f"{why}, and the library for that is missing; install pyarrow, for example by "
            "pip install 'bpe-gui[data]'"
        ) from None
    return pyarrow


@contextmanager
def _naming_damage(path: Path | Url) -> Iterator[None]:
    """Turn errors of pyarrow into a CorpusError that names the file."""
    import pyarrow as pa

    try:
        yield
    except (pa.ArrowException, OSError) as error:
        reason = str(error).strip().partition("\n")[0].rstrip(".")
        raise CorpusError(f"{path} cannot be read: {reason}; get the file again") from None


@contextmanager
def _opened(path: Path | Url, *, maps: bool = False) -> Iterator[Any]:
    """Open a file for pyarrow; one that is here may be mapped into memory."""
    import pyarrow as pa

    if isinstance(path, Url):
        if not is_seekable(path):
            raise CorpusError(
                f"{path} cannot be read: its server sends files from the start only, and this one "
                "is read from its end on; download it first"
            )
        with pa.PythonFile(RemoteFile(path)) as file:
            yield file
    else:
        with pa.memory_map(str(path)) if maps else pa.OSFile(str(path)) as file:
            yield file


def _batches(
    source: Any, head: bytes, path: Path | Url, column: str, part: Part | None
) -> Iterator[tuple[pyarrow.RecordBatch, float]]:
    """Yield batches of one column, and which share of the file has been read with each."""
    import pyarrow as pa

    def wanted(number: int) -> range:
        return range(number) if part is None else part.share(number)

    if head.startswith(_PARQUET):
        from pyarrow import parquet

        with parquet.ParquetFile(source, pre_buffer=False) as file:
            _check_column(column, file.schema_arrow.names, path)
            rows, done = file.metadata.num_rows, 0
            groups = list(wanted(file.num_row_groups))
            for batch in file.iter_batches(_ROWS, groups, columns=[column]):
                done += batch.num_rows
                yield batch, done / rows
    else:
        if head.startswith(_ARROW):
            reader = pa.ipc.open_file(source)
            batches = map(reader.get_batch, wanted(reader.num_record_batches))
        else:
            reader = pa.ipc.open_stream(source)
            batches = reader if part is None or part.begin == 0 else iter(())
        _check_column(column, reader.schema.names, path)
        for batch in batches:
            yield batch.select([column]), source.tell() / source.size()


def _check_column(column: str, names: list[str], path: Path | Url) -> None:
    if column in names:
        return
    listed = ", ".join(shown(name) for name in names[:_NAMES_SHOWN])
    more = ", ..." if len(names) > _NAMES_SHOWN else ""
    has = f"but there is {listed}{more}" if names else "for the file has none"
    raise CorpusError(f"{path}: there is no column {shown(column)}, {has}", Hint.NAME_FIELD)


def _texts(
    array: pyarrow.Array, column: str, path: Path | Url, replace_errors: bool
) -> tuple[bytes, NDArray[np.int64]]:
    """Return texts one after another as UTF-8, and where each ends."""
    import pyarrow as pa

    if pa.types.is_dictionary(array.type):
        array = array.dictionary_decode()
    try:
        texts = array.drop_null().cast(pa.large_binary())
        if not replace_errors:
            texts = texts.cast(pa.large_string())
            texts.validate(full=True)
    except (pa.ArrowNotImplementedError, pa.ArrowInvalid) as error:
        if isinstance(error, pa.ArrowInvalid):
            raise CorpusError(
                f"{path}: the column {shown(column)} has bytes that are no UTF-8", Hint.REPLACE
            ) from None
        raise CorpusError(
            f"{path}: the column {shown(column)} holds no text but {array.type}", Hint.NAME_FIELD
        ) from None
    if replace_errors:
        encoded = [text.decode("utf-8", "replace").encode() for text in texts.to_pylist()]
        return b"".join(encoded), np.cumsum([len(text) for text in encoded], dtype=np.int64)
    content, starts = _content(texts)
    return content.tobytes(), starts[1:]
