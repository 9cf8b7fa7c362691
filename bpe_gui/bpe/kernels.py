"""How the heavy loops are compiled: Numba, without the GIL, cached on disk.

A kernel is written once, as plain Python over numpy arrays, and has two forms that give
the same results: `interpreted` starts at once and serves small inputs, `compiled` is
some hundred times faster but has to be compiled (seconds, once per machine) or loaded
from the cache. Numba itself is imported with the first compiled kernel, so that a
program that needs none starts quickly.

Kernels stay within what both forms share: scalars read from arrays are widened with
`np.int64(...)`, and hashes are masked before they could overflow.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any, TypeVar

_Function = TypeVar("_Function", bound=Callable[..., Any])

_helpers: list[Callable[..., Any]] = []
_registered = 0


def within_kernels(function: _Function) -> _Function:
    """Mark a plain function as callable from kernels, compiled along with them."""
    _helpers.append(function)
    return function


class Kernel:
    """A loop with an interpreted and a compiled form."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.interpreted = function
        self.__doc__ = function.__doc__

    @cached_property
    def compiled(self) -> Callable[..., Any]:
        """The compiled form; the first call of it compiles or loads from the cache."""
        import numba

        _register_helpers()
        compiled: Callable[..., Any] = numba.njit(nogil=True, cache=True)(self.interpreted)
        return compiled

    def form(self, compiled: bool) -> Callable[..., Any]:
        """The compiled form if so wished, else the interpreted one."""
        return self.compiled if compiled else self.interpreted


def _register_helpers() -> None:
    global _registered
    from numba.extending import register_jitable

    while _registered < len(_helpers):
        register_jitable(_helpers[_registered])
        _registered += 1
