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


def _pick(builder: Any, cards: Any, place: Any) -> Any:
    if llvm.get_host_cpu_features().get("bmi2"):
        bit = builder.shl(ir.Constant(WORD, 1), place)
        return _call(builder, "llvm.x86.bmi.pdep.64", bit, cards)
    start, test, step, end = builder.block, *(builder.append_basic_block() for _ in range(3))
    builder.branch(test)
    builder.position_at_end(test)
    rest, left = builder.phi(WORD), builder.phi(WORD)
    builder.cbranch(builder.icmp_signed(">", left, ir.Constant(WORD, 0)), step, end)
    builder.position_at_end(step)
    for phi, first, next_one in (
        (rest, cards, builder.and_(rest, builder.sub(rest, ir.Constant(WORD, 1)))),
        (left, place, builder.sub(left, ir.Constant(WORD, 1))),
    ):
        phi.add_incoming(first, start)
        phi.add_incoming(next_one, step)
    builder.branch(test)
    builder.position_at_end(end)
    return builder.and_(rest, builder.sub(ir.Constant(WORD, 0), rest))


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
def _pick_of(typing: Any, cards: Any, place: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return _pick(builder, *arguments)

    return types.int64(types.int64, types.int64), build


IN_KERNELS = {bits.size: _size_of, bits.lowest: _lowest_of, bits.pick: _pick_of}
