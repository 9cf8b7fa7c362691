"""Compiles kernels with Numba, which is imported here only."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import numba
import numpy as np
from numba.core import types
from numba.core.compiler import Flags, compile_extra
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import cpu_target
from numba.core.types.containers import BaseTuple
from numba.extending import register_jitable
from numba.np import arrayobj

from bpe_gui.bpe.kernels import compiled_registers as compiled_registers  # makes them known
from bpe_gui.bpe.kernels.native import ObjectCode


def compile_helper(function: Callable[..., Any]) -> None:
    """Let kernels call a function, which is compiled into each of them."""
    register_jitable(forceinline=True, _nrt=False)(function)


def compile_kernel(function: Callable[..., Any], arguments: Iterable[Any]) -> ObjectCode:
    """Compile a kernel for arguments of these types. Raises Numba's errors.

    It is compiled without reference counting, for it allocates nothing, and without the wrappers
    by which Python would call it, for `native` calls the function itself.
    """
    flags = Flags()
    flags.nrt = False
    flags.no_cpython_wrapper = True
    flags.no_cfunc_wrapper = True
    flags.noalias = True
    with _indexes_as_they_are():
        result = compile_extra(
            cpu_target.typing_context,
            cpu_target.target_context,
            function,
            tuple(map(_type_of, arguments)),
            None,
            flags,
            {},
        )
    returned = result.signature.return_type
    # Numba has no public way to the object file, which its own cache on disk takes so as well.
    _, _, (code, _) = result.library.serialize_using_object_code()
    return ObjectCode(result.fndesc.llvm_func_name, _count(returned), code)


@contextmanager
def _indexes_as_they_are() -> Iterator[None]:
    """Compile without the test for negative indexes: merging takes a fifth less time.

    Numba has no option for this, so one of its functions is replaced. The lock keeps other threads
    from compiling meanwhile.
    """
    with global_compiler_lock:
        usual = arrayobj.fix_integer_index
        arrayobj.fix_integer_index = _index
        try:
            yield
        finally:
            arrayobj.fix_integer_index = usual


def _index(context: Any, builder: Any, kind: Any, index: Any, size: Any) -> Any:
    return context.cast(builder, index, kind, types.intp)


def _type_of(argument: Any) -> Any:
    if isinstance(argument, np.ndarray):
        # Arrays that may not be written to are compiled as all others are, which is the same code.
        kind: Any = types.Array
        layout = "C" if argument.flags.c_contiguous else "A"
        return kind(numba.from_dtype(argument.dtype), argument.ndim, layout)
    if isinstance(argument, tuple):
        return BaseTuple.from_types(tuple(map(_type_of, argument)), type(argument))
    if isinstance(argument, bool | np.bool_):
        return types.boolean
    return types.float64 if isinstance(argument, float | np.floating) else types.int64


def _count(returned: Any) -> int | None:
    """Count the numbers that are returned, None for nothing."""
    if returned == types.none:
        return None
    parts = list(returned) if isinstance(returned, BaseTuple) else [returned]
    if set(parts) != {types.int64}:
        raise TypeError(f"a kernel returns 64-bit integers, not {returned}")
    return len(parts)
