"""The compiled forms of `registers`. Numba and LLVM are imported here; see `compiling`.

LLVM turns a comparison of 64 bytes into the widest instructions that the processor has.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np
from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic, overload

from bpe_gui.bpe.kernels import registers

_BYTE, _INT, _LONG = ir.IntType(8), ir.IntType(32), ir.IntType(64)
_FIRST, _SECOND = np.uint64(registers._FIRST), np.uint64(registers._SECOND)
_62_BITS = np.uint64(registers._62_BITS)
_ALL = np.uint64(0xFFFFFFFFFFFFFFFF)
_WINDOW = registers.WINDOW


_Form = TypeVar("_Form", bound=Callable[..., Any])


def _compiled(function: Callable[..., Any]) -> Callable[[_Form], _Form]:
    """Give a function of `registers` the compiled form that follows."""

    def note(form: _Form) -> _Form:
        options = {"_nrt": False, "forceinline": True}
        overload(function, jit_options=options, strict=False)(lambda *arguments: form)
        return form

    return note


def _at(context: Any, builder: Any, signature: Any, arguments: Any, kind: ir.Type) -> Any:
    """Load what is at an index of an array of bytes, wherever in memory that is."""
    data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
    place = builder.bitcast(builder.gep(data, [arguments[1]]), kind.as_pointer())
    loaded = builder.load(place)
    loaded.align = 1
    return loaded


@intrinsic
def _eight(typing: Any, text: Any, i: Any) -> Any:
    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return _at(context, builder, signature, arguments, _LONG)

    return types.uint64(text, types.int64), code


@intrinsic
def _between(typing: Any, text: Any, i: Any, low: Any, high: Any) -> Any:
    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        vector = ir.VectorType(_BYTE, _WINDOW)
        window = _at(context, builder, signature, arguments, vector)
        low, high = (
            _repeated(builder, builder.trunc(bound, _BYTE)) for bound in arguments[2:]
        )
        # Below `low` the difference wraps round, and is larger than any that is within.
        within = builder.icmp_unsigned("<=", builder.sub(window, low), builder.sub(high, low))
        return builder.bitcast(within, _LONG)

    return types.uint64(text, types.int64, types.int64, types.int64), code


def _repeated(builder: Any, byte: Any) -> Any:
    vector = ir.VectorType(_BYTE, _WINDOW)
    one = builder.insert_element(ir.Constant(vector, ir.Undefined), byte, _INT(0))
    everywhere = ir.Constant(ir.VectorType(_INT, _WINDOW), [0] * _WINDOW)
    return builder.shuffle_vector(one, ir.Constant(vector, ir.Undefined), everywhere)


@intrinsic
def _lowest(typing: Any, marks: Any) -> Any:
    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.IntType(1)(1))

    return types.int64(types.uint64), code


@intrinsic
def _fetch(typing: Any, rows: Any, i: Any) -> Any:
    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array = context.make_array(signature.args[0])(context, builder, arguments[0])
        offset = builder.mul(arguments[1], builder.extract_value(array.strides, 0))
        data = builder.bitcast(array.data, _BYTE.as_pointer())
        place = builder.gep(data, [offset])
        kind = ir.FunctionType(ir.VoidType(), [place.type, _INT, _INT, _INT])
        function = builder.module.declare_intrinsic("llvm.prefetch", [place.type], kind)
        # To be read, and kept in all caches; data, and not instructions.
        builder.call(function, [place, _INT(0), _INT(3), _INT(1)])
        return context.get_dummy_value()

    return types.none(rows, types.int64), code


@_compiled(registers.prefetch)
def _prefetch(rows: Any, i: Any) -> None:
    _fetch(rows, i)


@_compiled(registers.has_window)
def _has_window(text: Any, i: Any) -> Any:
    return i + _WINDOW <= len(text)


@_compiled(registers.marked_between)
def _marked_between(text: Any, i: Any, low: Any, high: Any) -> Any:
    return _between(text, i, low, high)


@_compiled(registers.first_mark)
def _first_mark(marks: Any) -> Any:
    return _lowest(marks)


@_compiled(registers.up_to_eight)
def _up_to_eight(text: Any, i: Any, count: Any) -> Any:
    if i + 8 <= len(text):
        return _eight(text, i) & _ALL >> np.uint64(64 - 8 * count)
    value = np.uint64(0)
    for k in range(count):
        value |= np.uint64(text[i + k]) << np.uint64(8 * k)
    return value


@_compiled(registers.up_to_sixteen)
def _up_to_sixteen(text: Any, i: Any, count: Any) -> Any:
    if i + 16 <= len(text):
        # Whether there are more than eight no processor can guess: so nothing depends on it here.
        # A number is shifted twice by half of the bits, for it must not be by all 64 at once.
        low_half = np.uint64(4 * min(count, 8))
        high_half = np.uint64(4 * max(count - 8, 0))
        low = _eight(text, i) & ~(_ALL << low_half << low_half)
        high = _eight(text, i + 8) & ~(_ALL << high_half << high_half)
        return low, high
    low = registers.up_to_eight(text, i, min(count, 8))
    if count <= 8:
        return low, np.uint64(0)
    return low, registers.up_to_eight(text, i + 8, count - 8)


@_compiled(registers.mixed)
def _mixed(low: Any, high: Any, length: Any) -> Any:
    value = (np.uint64(low) ^ np.uint64(high) * _SECOND ^ np.uint64(length)) * _FIRST
    return np.int64((value ^ value >> np.uint64(32)) & _62_BITS)


@_compiled(registers.mixed_in)
def _mixed_in(state: Any, eight: Any) -> Any:
    value = (np.uint64(state) ^ np.uint64(eight)) * _FIRST
    return value ^ value >> np.uint64(29)
