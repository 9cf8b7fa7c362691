"""Where compiled kernels are kept on disk, and whether all of them are there."""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
import time
from contextlib import suppress
from enum import StrEnum
from functools import cache
from pathlib import Path
from tempfile import TemporaryFile

import numpy as np
import platformdirs

from bpe_gui.files import write_atomically


class Kernels(StrEnum):
    """Kernels that are compiled together. The value names the file that lists theirs."""

    ENGINE = "ready-engine"
    """Those that counting, training and encoding take."""
    ALL = "ready"
    """Those of the analyses, too, as a window needs them."""


_DAY = 24 * 3600
_UNUSED_SECONDS = 60 * _DAY
"""After so long without use kernels are removed: checkouts and machines take turns."""


def folder() -> Path:
    """Tell where compiled kernels are kept: one folder for each state of all that they depend on.

    It lies in NUMBA_CACHE_DIR if that is set, else among the user's caches.
    """
    chosen = os.environ.get("NUMBA_CACHE_DIR")
    root = chosen or platformdirs.user_cache_dir(appauthor=False)
    return Path(root) / "bpe-gui" / f"kernels-{_digest()}"


@cache
def _digest() -> str:
    """Hash the sources of the kernels, what compiles them, and the processor.

    Numba itself only notices changes in the file of the kernel, not in the files of the
    functions that it calls.
    """
    # Loaded by Numba in any case; a program that needs no kernel does without.
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
    """Tell whether kernels are in the cache, compiled by whichever process.

    Numba is not imported for it, but llvmlite is, which takes some 20 ms.
    """
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
        names = sorted(path.name for path in folder().glob("*.nb[ci]"))
        if names:
            write_atomically(folder() / part, "\n".join(names))
    except OSError:
        # Without the note the kernels are compiled again next time: slower, not wrong.
        return
    _remove_unused()


def note_use() -> None:
    """Keep the kernels from being removed, for they are in use."""
    with suppress(OSError):  # a cache may be for reading only
        if time.time() - folder().stat().st_mtime > _DAY:
            os.utime(folder())


def _remove_unused() -> None:
    """Remove kernels for other sources, versions and processors that nobody used for long.

    A program that wants them after all compiles them anew.
    """
    for other in folder().parent.glob("kernels-*"):
        # Another program may be at the same work, or have a file open.
        with suppress(OSError):
            if other != folder() and time.time() - other.stat().st_mtime > _UNUSED_SECONDS:
                shutil.rmtree(other)
