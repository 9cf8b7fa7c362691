"""Where compiled kernels, and tables that take long to make, are kept on disk."""

from __future__ import annotations

import os
import shutil
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from enum import StrEnum
from functools import cache
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any
from zlib import crc32

import numpy as np
import platformdirs

from bpe_gui.bpe.kernels.native import Kind
from bpe_gui.files import write_atomically


class Kernels(StrEnum):
    """Kernels that are compiled together. The value names the file that lists theirs."""

    ENGINE = "ready-engine"
    """Those that counting, training and encoding take."""
    ALL = "ready"
    """Those of the analyses, too, as a window needs them."""


_ENDING = ".kernel"
_CHECKSUM = 4
"""Bytes of the checksum at the beginning of a file."""

_DAY = 24 * 3600
_UNUSED_SECONDS = 60 * _DAY
"""After so long without use kernels are removed: checkouts and machines take turns."""


def folder() -> Path:
    """Tell where compiled kernels are kept: one folder for each state of all that they depend on.

    It lies in NUMBA_CACHE_DIR if that is set, else among the user's caches.
    """
    return _root() / f"kernels-{_digest()}"


def tables() -> Path:
    """Tell where tables are kept, which are the same for every processor.

    Their names tell what they depend on. To find them takes no LLVM, which takes long to load.
    """
    return _root() / "tables"


def _root() -> Path:
    chosen = os.environ.get("NUMBA_CACHE_DIR")
    return Path(chosen or platformdirs.user_cache_dir(appauthor=False)) / "bpe-gui"


@cache
def _digest() -> str:
    """Hash the sources of the kernels, what compiles them, and the processor."""
    # Loaded when kernels are looked for: a window is in view before.
    import hashlib
    from importlib.metadata import version

    from llvmlite import binding

    digest = hashlib.sha256()
    for source in sorted(Path(__file__).parents[2].glob("*/kernels/*.py")):
        digest.update(source.read_bytes())
    try:
        features = binding.get_host_cpu_features().flatten()
    except RuntimeError:  # LLVM cannot tell those of this processor
        features = ""
    made_by = (
        sys.version,
        version("numba"),
        version("llvmlite"),
        np.__version__,
        binding.get_default_triple(),
        os.environ.get("NUMBA_CPU_NAME") or binding.get_host_cpu_name(),
        os.environ.get("NUMBA_CPU_FEATURES", features),
    )
    digest.update(repr(made_by).encode())
    return digest.hexdigest()[:16]


def is_ready(part: Kernels) -> bool:
    """Tell whether kernels are in the cache, compiled by whichever process."""
    try:
        noted = (folder() / part).read_text("utf-8").split("\n")
        return set(noted) <= set(os.listdir(folder()))
    except OSError:
        return False


def is_writable() -> bool:
    """Tell whether kernels that are compiled can be kept; makes their folder."""
    try:
        folder().mkdir(parents=True, exist_ok=True)
        with TemporaryFile(dir=folder()):
            return True
    except OSError:
        return False


def mark_ready(part: Kernels) -> None:
    """Note that kernels are in the cache, and remove those that nobody used for long.

    Where nothing can be written, it is not noted.
    """
    try:
        names = sorted(path.name for path in folder().glob(f"*{_ENDING}"))
        if names:
            write_atomically(folder() / part, "\n".join(names))
    except OSError:
        # Without the note the kernels are compiled again next time: slower, not wrong.
        return
    _remove_unused()


def name_of(function: Callable[..., Any], kind: Kind) -> str:
    """Name the file of a kernel that is compiled for arguments of some kind."""
    module = function.__module__.rpartition(".")[2]
    types = repr([part.__qualname__ if isinstance(part, type) else part for part in kind])
    from hashlib import sha256

    digest = sha256(types.encode()).hexdigest()[:12]
    return f"{module}.{function.__name__}-{digest}{_ENDING}"


def find(path: Path) -> bytes | None:
    """Return what `keep` has written to a path, None if nothing or not all of it is there.

    The folder is kept from being removed, for it is in use.
    """
    try:
        stored = path.read_bytes()
    except OSError:
        return None
    with suppress(OSError):  # a cache may be for reading only
        if time.time() - path.parent.stat().st_mtime > _DAY:
            os.utime(path.parent)
    content = stored[_CHECKSUM:]
    return content if crc32(content).to_bytes(_CHECKSUM, "little") == stored[:_CHECKSUM] else None


def keep(path: Path, content: bytes) -> None:
    """Write a file in one of the folders, with a checksum.

    Where nothing can be written it is made again next time: slower, not wrong.
    """
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        checksum = crc32(content).to_bytes(_CHECKSUM, "little")
        write_atomically(path, checksum + content)


def _remove_unused() -> None:
    """Remove kernels for other sources, versions and processors that nobody used for long.

    A program that wants them after all compiles them anew.
    """
    for other in folder().parent.glob("kernels-*"):
        # Another program may be at the same work, or have a file open.
        with suppress(OSError):
            if other != folder() and time.time() - other.stat().st_mtime > _UNUSED_SECONDS:
                shutil.rmtree(other)
