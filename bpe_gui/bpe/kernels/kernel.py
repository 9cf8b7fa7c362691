"""How the heavy loops are compiled: Numba, without the GIL, cached on disk.

A kernel is written once, as plain Python over numpy arrays, and has two forms that give
the same results: `interpreted` starts at once and serves small inputs, `compiled` is
some hundred times faster but has to be compiled (seconds, once per machine) or loaded
from the cache. Numba itself is imported with the first compiled kernel, so that a
program that needs none starts quickly.

Kernels stay within what both forms share: scalars read from arrays are widened with
`np.int64(...)`, and hashes are masked before they could overflow. They allocate nothing
and their caller holds every array during the call, so they are compiled without
reference counting (`_nrt=False`), which alone makes them four times faster.
"""

from __future__ import annotations

import hashlib
import os
import threading
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

import numpy as np
import platformdirs
from numpy.typing import NDArray

Bytes: TypeAlias = NDArray[np.uint8]
Shorts: TypeAlias = NDArray[np.uint16]
Ints: TypeAlias = NDArray[np.int32]
Longs: TypeAlias = NDArray[np.int64]
Floats: TypeAlias = NDArray[np.float64]
Flags: TypeAlias = NDArray[np.bool_]
Integer: TypeAlias = Any
"""An int or a numpy integer where a kernel is interpreted, a machine integer when compiled."""

_Function = TypeVar("_Function", bound=Callable[..., Any])

_helpers: list[Callable[..., Any]] = []
_registered = 0
_lock = threading.Lock()
_default = threading.Event()
_default.set()


def within_kernels(function: _Function) -> _Function:
    """Mark a plain function as callable from kernels, compiled along with them."""
    _helpers.append(function)
    return function


class Kernel:
    """A loop with an interpreted and a compiled form."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.interpreted = function
        self.__doc__ = function.__doc__
        self._compiled: Callable[..., Any] | None = None

    @property
    def compiled(self) -> Callable[..., Any]:
        """The compiled form; the first call of it compiles or loads from the cache."""
        if self._compiled is None:
            with _lock:
                self._compiled = _compile(self.interpreted)
        return self._compiled

    def form(self, compiled: bool | None) -> Callable[..., Any]:
        """The compiled or the interpreted form; None leaves it to `compiled_by_default`."""
        if compiled is None:
            compiled = compiled_by_default()
        return self.compiled if compiled else self.interpreted


@cache
def cache_folder() -> Path:
    """Where compiled kernels are kept: one folder for each state of this package's sources.

    Numba itself only notices changes in the file of the kernel, not in the files of the
    functions that it calls; a folder named after all of them cannot go stale.
    """
    digest = hashlib.sha256()
    for source in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(source.read_bytes())
    name = f"kernels-{digest.hexdigest()[:16]}"
    return Path(platformdirs.user_cache_dir("bpe-gui", appauthor=False)) / name


def compiled_by_default() -> bool:
    """Whether work that is not told which form of the kernels to use takes the compiled one."""
    return _default.is_set()


def interpret_until_loaded() -> None:
    """Let work take the interpreted form until `loaded` is called.

    For a window, which must not wait for a compiler: small inputs are served at once.
    """
    _default.clear()


def loaded() -> None:
    """From now on work takes the compiled form."""
    _default.set()


def wait_until_loaded(timeout: float) -> bool:
    """Wait up to that many seconds for `loaded`; returns whether it has been called."""
    return _default.wait(timeout)


def mark_ready() -> None:
    """Note that all kernels are in the cache. Where nothing can be written, it is not noted."""
    folder = cache_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "ready").touch()
    except OSError:
        # Without the note the kernels are compiled again next time: slower, not wrong.
        return


def is_ready() -> bool:
    """Whether all kernels have been compiled for this source, by whichever process."""
    return (cache_folder() / "ready").exists()


def _compile(function: Callable[..., Any]) -> Callable[..., Any]:
    global _registered
    import numba
    from numba.extending import register_jitable

    if not os.environ.get("NUMBA_CACHE_DIR"):
        numba.config.CACHE_DIR = str(cache_folder())
    while _registered < len(_helpers):
        register_jitable(forceinline=True, _nrt=False)(_helpers[_registered])
        _registered += 1
    compiled: Callable[..., Any] = numba.njit(nogil=True, cache=True, _nrt=False)(function)
    return compiled
