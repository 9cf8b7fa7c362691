"""How the heavy loops are compiled: Numba, without the GIL, kept on disk.

A kernel is written once, as plain Python over numpy arrays, and has two forms that give
the same results: `interpreted` starts at once and serves small inputs, `compiled` is
some hundred times faster but has to be compiled (seconds, once per machine) or loaded
from disk (milliseconds, without Numba).

Kernels stay within what both forms share: scalars read from arrays are widened with
`np.int64(...)`, and hashes are masked before they could overflow. They allocate nothing
and their caller holds every array during the call, so they are compiled without
reference counting, which alone makes them four times faster. They return nothing, an
integer or a tuple of integers, use no negative index, and write only to arrays that may be written
to and overlap no other array of the call: nobody checks.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from bpe_gui.bpe.kernels import kernel_cache
from bpe_gui.bpe.kernels.kernel_cache import Kernels
from bpe_gui.bpe.kernels.native import Kind, NativeKernel, ObjectCode, flatten

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
        self._natives: dict[Kind, NativeKernel] = {}

    def compiled(self, *arguments: Any) -> Any:
        """Call the compiled form, which is compiled or loaded with the first call of its kind."""
        kind: list[Any] = []
        numbers: list[Any] = []
        flatten(arguments, kind, numbers)
        key = tuple(kind)
        native = self._natives.get(key)
        if native is None:
            with _lock:
                native = self._natives.get(key)
                if native is None:
                    code = _compiled(self.interpreted, key, arguments)
                    native = self._natives[key] = NativeKernel(code, numbers)
        return native(numbers)

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


def interpreting_unless_ready(part: Kernels) -> AbstractContextManager[None]:
    """Return a block that is one of `interpreting` where kernels are yet to be compiled."""
    return nullcontext() if kernel_cache.is_ready(part) else interpreting()


def wait_until_loaded(timeout: float) -> bool:
    """Wait up to that many seconds for the end of `interpreting`; returns whether it came."""
    return _default.wait(timeout)


def _compiled(function: Callable[..., Any], kind: Kind, arguments: tuple[Any, ...]) -> ObjectCode:
    """Find the code of a kernel on disk, or compile it and keep it there."""
    global _registered
    path = kernel_cache.folder() / kernel_cache.name_of(function, kind)
    found = kernel_cache.find(path)
    if found is not None:
        return ObjectCode.from_bytes(found)
    from bpe_gui.bpe.kernels.compiling import compile_helper, compile_kernel

    while _registered < len(_helpers):
        compile_helper(_helpers[_registered])
        _registered += 1
    code = compile_kernel(function, arguments)
    kernel_cache.keep(path, code.to_bytes())
    return code
