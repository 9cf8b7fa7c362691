"""Calls compiled kernels: LLVM links their object code, ctypes calls it without the GIL.

Numba is not needed for that, only to compile: loading a kernel takes some milliseconds, importing
Numba a third of a second. What is called is the function as Numba compiles it (its own calling
convention, that of its targets for processors): it takes a place for the result, a place for an
error, and each argument as plain numbers, arrays as seven of them or more.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterable
from functools import cache
from typing import Any, TypeAlias

import numpy as np
from msgspec import Struct

Kind: TypeAlias = tuple[Any, ...]
"""The types of the arguments of a call: it tells for which of them a kernel has to be compiled."""


class ObjectCode(Struct, frozen=True):
    """A kernel that is compiled for one kind of arguments.

    symbol: the name of its function. results: how many numbers it returns, None if it returns
    nothing, 1 for a number that is no tuple. code: an object file of this machine.
    """

    symbol: str
    results: int | None
    code: bytes

    def to_bytes(self) -> bytes:
        """Return what a file holds: a line with the facts, then the object file."""
        return f"{self.symbol} {self.results}\n".encode() + self.code

    @classmethod
    def from_bytes(cls, data: bytes) -> ObjectCode:
        """Take what `to_bytes` has made.

        >>> ObjectCode.from_bytes(ObjectCode("link", None, b"...").to_bytes())
        ObjectCode(symbol='link', results=None, code=b'...')
        """
        facts, _, code = data.partition(b"\n")
        symbol, results = facts.decode().split(" ")
        return cls(symbol, None if results == "None" else int(results), code)


def flatten(arguments: Iterable[Any], kind: list[Any], numbers: list[Any]) -> None:
    """Add to `numbers` what a kernel takes for some arguments, and their types to `kind`.

    Arguments are arrays, ints, floats and bools of Python's or numpy's, and tuples of these.

    >>> kind, numbers = [], []
    >>> flatten((2, 0.5, np.zeros((3, 2), np.int32)), kind, numbers)
    >>> kind
    ['int', 'float', ('i', 2, True)]
    >>> numbers[:6], numbers[7:]
    ([2, 0.5, 0, 0, 6, 4], [3, 2, 8, 4])
    """
    for argument in arguments:
        if isinstance(argument, np.ndarray):
            kind.append((argument.dtype.char, argument.ndim, argument.flags.c_contiguous))
            # No owner and nobody who frees it: the caller holds the array.
            numbers += 0, 0, argument.size, argument.itemsize, argument.ctypes.data
            numbers += argument.shape
            numbers += argument.strides
        elif isinstance(argument, tuple):
            kind += type(argument), len(argument)
            flatten(argument, kind, numbers)
        elif isinstance(argument, bool | np.bool_):
            kind.append("bool")
            numbers.append(bool(argument))
        elif isinstance(argument, int | np.integer):
            kind.append("int")
            numbers.append(int(argument))
        elif isinstance(argument, float | np.floating):
            kind.append("float")
            numbers.append(float(argument))
        else:
            raise TypeError(f"a kernel takes no {type(argument).__name__}")


class NativeKernel:
    """A kernel in memory, for one kind of arguments."""

    def __init__(self, compiled: ObjectCode, numbers: Iterable[Any]) -> None:
        """Link it. `numbers` are those of a first call: they tell the types in which C has them."""
        from llvmlite import binding

        _initialize()
        # An engine owns its machine, and takes it away with itself.
        machine = binding.Target.from_default_triple().create_target_machine()
        engine = binding.create_mcjit_compiler(binding.parse_assembly(""), machine)
        engine.add_object_file(binding.object_file.ObjectFileRef.from_data(compiled.code))
        engine.finalize_object()
        self._engine = engine  # holds the code in memory
        self._name = compiled.symbol
        self._results = compiled.results
        self._room = ctypes.c_int64 * (compiled.results or 1)
        types = [_C_TYPES[type(number)] for number in numbers]
        prototype = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p, *types)
        self._function = prototype(engine.get_function_address(compiled.symbol))

    def __call__(self, numbers: Iterable[Any]) -> Any:
        """Call it with what `flatten` makes of its arguments."""
        results = self._room()
        error = ctypes.c_void_p()
        failed = self._function(ctypes.addressof(results), ctypes.addressof(error), *numbers)
        if failed:
            raise RuntimeError(f"the kernel {self._name} has ended with the status {failed}")
        if self._results is None:
            return None
        return results[0] if self._results == 1 else tuple(results)


_C_TYPES: dict[type, Any] = {int: ctypes.c_int64, float: ctypes.c_double, bool: ctypes.c_bool}


@cache
def _initialize() -> None:
    from llvmlite import binding

    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
