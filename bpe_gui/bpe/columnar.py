"""Parquet and Arrow files: a column of texts, each of them a document.

pyarrow reads them, which is not installed with the program: it is a part of the extra `data`.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from bpe_gui.bpe.errors import shown
from bpe_gui.bpe.formats import limited
from bpe_gui.bpe.text_files import BLOCK_SIZE, Block, CorpusError, Hint

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
    path: Path, head: bytes, column: str, *, replace_errors: bool = False
) -> Iterator[Block]:
    """Yield a document for each text in a column; rows without a text are left out.

    The file is streamed, by parts of row groups or by record batches. `head` is how it begins; it
    tells the format. `bytes_read` of the blocks is the share of the rows read so far.

    Raises CorpusError, with one sentence, if pyarrow is missing, for what is damaged or has no such
    column, and for a column of something else or of bytes that are no UTF-8, unless
    `replace_errors`.
    """
    try:
        import pyarrow as pa
    except ImportError:
        raise CorpusError(
            f"{path} is a Parquet or Arrow file, and the library is missing that reads it; install "
            "pyarrow, for example by pip install 'bpe-gui[data]'"
        ) from None
    size = path.stat().st_size
    try:
        for batch, share in _batches(path, head, column):
            text, ends = _texts(batch.column(0), column, path, replace_errors)
            yield from limited(Block(text, ends, int(share * size)), 4 * BLOCK_SIZE)
        yield Block(b"", np.empty(0, np.int64), size)
    except (pa.ArrowException, OSError) as error:
        reason = str(error).strip().partition("\n")[0].rstrip(".")
        raise CorpusError(f"{path} cannot be read: {reason}; get the file again") from None


def _batches(
    path: Path, head: bytes, column: str
) -> Iterator[tuple[pyarrow.RecordBatch, float]]:
    """Yield batches of one column, and which share of the file has been read with each."""
    import pyarrow as pa

    if head.startswith(_PARQUET):
        from pyarrow import parquet

        with parquet.ParquetFile(path, pre_buffer=False) as file:
            _check_column(column, file.schema_arrow.names, path)
            rows, done = file.metadata.num_rows, 0
            for batch in file.iter_batches(_ROWS, columns=[column]):
                done += batch.num_rows
                yield batch, done / rows
        return
    with pa.memory_map(str(path)) as source:
        if head.startswith(_ARROW):
            reader = pa.ipc.open_file(source)
            batches = map(reader.get_batch, range(reader.num_record_batches))
        else:
            reader = batches = pa.ipc.open_stream(source)
        _check_column(column, reader.schema.names, path)
        for batch in batches:
            yield batch.select([column]), source.tell() / source.size()


def _check_column(column: str, names: list[str], path: Path) -> None:
    if column in names:
        return
    listed = ", ".join(shown(name) for name in names[:_NAMES_SHOWN])
    more = ", ..." if len(names) > _NAMES_SHOWN else ""
    has = f"but there is {listed}{more}" if names else "for the file has none"
    raise CorpusError(f"{path}: there is no column {shown(column)}, {has}", Hint.NAME_FIELD)


def _texts(
    array: pyarrow.Array, column: str, path: Path, replace_errors: bool
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
    if not len(texts):
        return b"", np.empty(0, np.int64)
    _, places, content = texts.buffers()
    begins = np.frombuffer(places, np.int64)[texts.offset : texts.offset + len(texts) + 1]
    return content[begins[0] : begins[-1]].to_pybytes(), begins[1:] - begins[0]
