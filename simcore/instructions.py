"""What `simcore.bits` is in a kernel: single instructions instead of loops, with the same answers."""

from typing import Any

import llvmlite.binding as llvm
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from simcore import bits

WORD = ir.IntType(64)


def _call(builder: Any, name: str, *arguments: Any) -> Any:
    """Calls an LLVM intrinsic on 64-bit words."""
    kinds = [argument.type for argument in arguments]
    function = builder.module.declare_intrinsic(name, (), ir.FunctionType(WORD, kinds))
    return builder.call(function, arguments)


def _lowest(builder: Any, cards: Any) -> Any:
    return _call(builder, "llvm.cttz.i64", cards, ir.Constant(ir.IntType(1), 1))


def _nth(builder: Any, cards: Any, place: Any) -> Any:
    if llvm.get_host_cpu_features().get("bmi2"):
        bit = builder.shl(ir.Constant(WORD, 1), place)
        return _lowest(builder, _call(builder, "llvm.x86.bmi.pdep.64", bit, cards))
    start, loop, end = builder.block, builder.append_basic_block(), builder.append_basic_block()
    builder.branch(loop)
    builder.position_at_end(loop)
    rest, left = builder.phi(WORD), builder.phi(WORD)
    rest.add_incoming(cards, start)
    left.add_incoming(place, start)
    rest.add_incoming(builder.and_(rest, builder.sub(rest, ir.Constant(WORD, 1))), loop)
    left.add_incoming(builder.sub(left, ir.Constant(WORD, 1)), loop)
    builder.cbranch(builder.icmp_signed(">", left, ir.Constant(WORD, 0)), loop, end)
    builder.position_at_end(end)
    return _lowest(builder, rest)


@intrinsic
def _size_of(typing: Any, cards: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return _call(builder, "llvm.ctpop.i64", *arguments)

    return types.int64(types.int64), build


@intrinsic
def _lowest_of(typing: Any, cards: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return _lowest(builder, *arguments)

    return types.int64(types.int64), build


@intrinsic
def _nth_of(typing: Any, cards: Any, place: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return _nth(builder, *arguments)

    return types.int64(types.int64, types.int64), build


IN_KERNELS = {bits.size: _size_of, bits.lowest: _lowest_of, bits.nth: _nth_of}
