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

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from bpe_gui.bpe.kernels import kernel_cache

Bytes: TypeAlias = NDArray[np.uint8]
Shorts: TypeAlias = NDArray[np.uint16]
Ints: TypeAlias = NDArray[np.int32]
Longs: TypeAlias = NDArray[np.int64]
UnsignedLongs: TypeAlias = NDArray[np.uint64]
Floats: TypeAlias = NDArray[np.float64]
Flags: TypeAlias = NDArray[np.bool_]
Integer: TypeAlias = Any
"""An int or a numpy integer where a kernel is interpreted, a machine integer when compiled."""

_Function = TypeVar("_Function", bound=Callable[..., Any])

_helpers: list[Callable[..., Any]] = []
_registered = 0
_lock = threading.Lock()
_interpreting = 0
_default = threading.Event()
_default.set()


class NotCompiledError(Exception):
    """A kernel is not in the cache, and must not be compiled in this process now."""


def within_kernels(function: _Function) -> _Function:
    """Mark a plain function as callable from kernels, compiled along with them.

    It is inlined wherever it is called (Numba's `forceinline`): then it costs nothing to cut a
    kernel into functions, be they nested or return tuples. Where it is only called, each array is
    passed as seven arguments, and counting the words of 20 MB of source code took 15 ns a word
    instead of 7. What is inlined into two kernels is compiled twice: what takes long to compile is
    a kernel of its own that is called for many words at once.
    """
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
        """Return the compiled form; the first call of it compiles or loads from the cache.

        Within a block of `interpreting` that call only loads, or raises NotCompiledError.
        """
        with _lock:
            if self._compiled is None:
                self._compiled = _compile(self.interpreted)
        return self._compiled

    def form(self, compiled: bool | None) -> Callable[..., Any]:
        """Return the compiled or the interpreted form; None leaves it to `compiled_by_default`."""
        if compiled is None:
            compiled = compiled_by_default()
        return self.compiled if compiled else self.interpreted


def compiled_by_default() -> bool:
    """Tell whether kernels are compiled where the caller does not say."""
    return _default.is_set()


@contextmanager
def interpreting() -> Iterator[None]:
    """Let work that is not told otherwise take the interpreted form within the block, on all
    threads.

    For a window until its kernels are loaded, which must not wait for a compiler while small
    inputs can be served; for a command that has little to do. Blocks may overlap.
    """
    global _interpreting
    with _lock:
        _interpreting += 1
        _default.clear()
    try:
        yield
    finally:
        with _lock:
            _interpreting -= 1
            if _interpreting == 0:
                _default.set()


def wait_until_loaded(timeout: float) -> bool:
    """Wait up to that many seconds for the end of `interpreting`; returns whether it came."""
    return _default.wait(timeout)


def _compile(function: Callable[..., Any]) -> Callable[..., Any]:
    global _registered
    from bpe_gui.bpe.kernels.compiling import compile_helper, compile_kernel

    while _registered < len(_helpers):
        compile_helper(_helpers[_registered])
        _registered += 1
    kernel_cache.note_use()
    return compile_kernel(function, kernel_cache.folder(), _check_may_compile)


def _check_may_compile() -> None:
    if not compiled_by_default():
        raise NotCompiledError(f"not all kernels are in {kernel_cache.folder()}")
