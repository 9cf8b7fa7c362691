"""Compiles kernels with Numba, which is imported here only, and keeps them on disk.

The folder is told to each kernel's own cache: Numba's setting `numba.config.CACHE_DIR` would
move the caches of all other code in the process as well.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import numba
from numba.core.caching import CompileResultCacheImpl, FunctionCache
from numba.extending import register_jitable

from bpe_gui.bpe.kernels import compiled_registers as compiled_registers  # makes them known


def compile_helper(function: Callable[..., Any]) -> None:
    """Let kernels call a function, which is compiled into each of them."""
    register_jitable(forceinline=True, _nrt=False)(function)


def compile_kernel(
    function: Callable[..., Any], folder: Path, check: Callable[[], None]
) -> Callable[..., Any]:
    """Return the compiled form of a kernel, which is kept in a folder once it has been called.

    `check` is called before it is compiled because that folder does not have it, and may raise.
    """
    dispatcher = numba.njit(nogil=True, _nrt=False)(function)
    dispatcher._cache = _KernelCache(function, folder, check)
    compiled: Callable[..., Any] = dispatcher
    return compiled


class _KernelCache(FunctionCache):
    """Numba's cache of a function, in a folder of ours."""

    def __init__(
        self, function: Callable[..., Any], folder: Path, check: Callable[[], None]
    ) -> None:
        self._impl_class = _in_folder(folder)
        self._check = check
        super().__init__(function)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        found = None
        with suppress(OSError):  # it may not be for us to read
            try:
                found = super().load_overload(sig, target_context)
            except (EOFError, pickle.UnpicklingError):
                # The machine went down while it was written.
                self.flush()
        if found is None:
            self._check()
        return found

    def save_overload(self, sig: Any, data: Any) -> None:
        # Where nothing can be written it is compiled again next time: slower, not wrong.
        with suppress(OSError):
            super().save_overload(sig, data)


def _in_folder(folder: Path) -> type[CompileResultCacheImpl]:
    """Tell how Numba turns what is compiled into files, with our folder for their place."""

    class Files(CompileResultCacheImpl):
        _locator_classes = (_Locator(folder),)

    return Files


class _Locator:
    """Tells Numba where the files of a kernel are. The name of the folder says how fresh."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def from_function(self, py_func: Callable[..., Any], py_file: str) -> _Locator:
        self._py_file = py_file
        return self

    def ensure_cache_path(self) -> None:
        self._folder.mkdir(parents=True, exist_ok=True)

    def get_cache_path(self) -> str:
        return str(self._folder)

    def get_source_stamp(self) -> str:
        return self._folder.name

    def get_disambiguator(self) -> str:
        return "kernel"
