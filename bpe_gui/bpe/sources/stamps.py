"""What files were when they were read, so that it can be told later whether they still are."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class FileStamp(NamedTuple):
    """A file as it was when it was read.

    path: absolute. size: bytes that were read, as they are stored. modified: when it had been
    changed last as the reading began, in nanoseconds of the system's clock. checksum: the CRC-32
    of the bytes that were read.
    """

    path: str
    size: int
    modified: int
    checksum: int


@dataclass(frozen=True, slots=True, eq=False)
class FileStamps:
    """Many files as they were, in the order in which they were read: a column for each fact.

    names: the bytes of all paths, each with a NUL behind it, for not every path is a text.
    """

    names: NDArray[np.uint8]
    sizes: NDArray[np.int64]
    modified: NDArray[np.int64]
    checksums: NDArray[np.uint32]

    def __len__(self) -> int:
        return len(self.sizes)

    def __iter__(self) -> Iterator[FileStamp]:
        paths = self.names.tobytes().split(b"\0")[:-1]
        columns = (column.tolist() for column in (self.sizes, self.modified, self.checksums))
        for path, *facts in zip(paths, *columns, strict=True):
            yield FileStamp(os.fsdecode(path), *facts)

    @classmethod
    def of(cls, stamps: Iterable[FileStamp]) -> FileStamps:
        """The columns of some stamps.

        >>> list(FileStamps.of([FileStamp("/a.txt", 2, 7, 9)]))
        [FileStamp(path='/a.txt', size=2, modified=7, checksum=9)]
        """
        known = list(stamps)
        names = b"".join(os.fsencode(stamp.path) + b"\0" for stamp in known)
        return cls(
            np.frombuffer(names, np.uint8),
            np.array([stamp.size for stamp in known], np.int64),
            np.array([stamp.modified for stamp in known], np.int64),
            np.array([stamp.checksum for stamp in known], np.uint32),
        )
