"""From a kernel's rules to machine code; with `instructions`, all that imports numba, which a cached kernel needs not.

numba compiles every function by itself and optimises it again in each function that calls it. A kernel is many small
functions deep, so here all of them are linked first and optimised once, as one piece.
"""

import gc
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from unittest.mock import patch

import numba
import numpy as np
from numba.core.codegen import CPUCodeLibrary
from numba.core.compiler import Compiler
from numba.core.compiler_lock import global_compiler_lock
from numba.core.cpu import CPUContext

from simcore.contract import rule
from simcore.instructions import IN_KERNELS
from simcore.plain import is_rule, rebuild

OURS = "rule "  # marks the functions that are linked and not compiled by themselves


@dataclass(frozen=True)
class MachineCode:
    """A compiled kernel: an object file, the function in it, and what it uses from outside.

    keeps: whether another process may use it; not when it holds the address of a large table.
    """

    symbol: str
    code: bytes
    outside: tuple[str, ...]
    keeps: bool


def compile_kernel(function: Callable[..., Any], kinds: Sequence[np.dtype | type]) -> MachineCode:
    """Machine code of a rule for arguments of these kinds: a record's dtype, or int.

    Raises numba's errors for what it cannot compile.
    """
    signature, dispatcher = _types(kinds), rebuild(function, IN_KERNELS, _dispatcher)
    with global_compiler_lock:
        with _one_piece():
            dispatcher.compile(signature)  # type: ignore[attr-defined]
            made = dispatcher.overloads[signature]  # type: ignore[attr-defined]
            made.library._ensure_finalized()  # links
        made.library._optimize_final_module()
        module = made.library._final_module
        code = made.library.codegen._tm.emit_object(module)
    variables = list(module.global_variables)
    used = [entry.name for entry in (*module.functions, *variables) if entry.is_declaration]
    outside = tuple(name for name in used if not name.startswith("llvm."))
    keeps = not any(entry.name.startswith("numba.dynamic.globals") for entry in variables)
    return MachineCode(made.fndesc.llvm_func_name, code, outside, keeps)


def jit(function: Callable[..., Any]) -> Any:
    """A function that calls rules, compiled for Python to call: for a notebook or a test, not for kernels."""
    marked = function if is_rule(function) else rule(function)
    return rebuild(marked, IN_KERNELS, lambda original, twin: numba.njit(error_model="numpy")(twin))


def answer_type(function: Callable[..., Any], kinds: Sequence[np.dtype | type]) -> tuple[str, bool]:
    """What a rule answers with for arguments of these kinds: the type's name, and whether it is a whole number.

    Raises numba's errors for what it cannot compile.
    """
    signature, dispatcher = _types(kinds), rebuild(function, IN_KERNELS, _dispatcher)
    with global_compiler_lock, _one_piece():
        dispatcher.compile(signature)  # type: ignore[attr-defined]
    answer = dispatcher.overloads[signature].signature.return_type  # type: ignore[attr-defined]
    return str(answer), isinstance(answer, numba.types.Integer | numba.types.Boolean)


def offer_symbols() -> None:
    """Lets machine code find numba's helpers, which a strategy that makes arrays or raises an error calls."""
    from numba.core.registry import cpu_target
    from numba.core.runtime.nrt import rtsys

    rtsys.initialize(cpu_target.target_context)


def _types(kinds: Sequence[np.dtype | type]) -> tuple[Any, ...]:
    return tuple(numba.int64 if kind is int else numba.from_dtype(kind) for kind in kinds)


def _dispatcher(original: Any, twin: Any) -> Any:
    twin.__qualname__ = OURS + original.__qualname__
    options: dict[str, Any] = {"error_model": "numpy", "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
    if original.inlined:
        options["forceinline"] = True
    if getattr(original, "apart", False):
        options["pipeline_class"] = _Apart
    return numba.njit(**options)(twin)


class _Apart(Compiler):
    """Compiles a function whose records do not overlap: what it wrote to one, it need not read again from another."""

    def __init__(self, typing: Any, target: Any, library: Any, args: Any, answer: Any, flags: Any, *rest: Any):
        flags.noalias = True
        super().__init__(typing, target, library, args, answer, flags, *rest)


@contextmanager
def _one_piece() -> Iterator[None]:
    """Leaves our own functions as they were written down, for the caller to optimise together."""
    optimise, finish = CPUCodeLibrary._optimize_final_module, CPUCodeLibrary._finalize_final_module
    executable, collects = CPUContext.get_executable, gc.isenabled()

    def is_ours(library: Any) -> bool:
        return OURS in library.name

    def leave(library: Any) -> None:
        if not is_ours(library):
            optimise(library)

    def close(library: Any) -> None:
        if is_ours(library):
            library._finalized = True
        else:
            finish(library)

    def entry(context: Any, library: Any, description: Any, environment: Any) -> Any:
        # an entry for Python, which nobody calls; numba wants a built-in function of its own for each
        return [].append if is_ours(library) else executable(context, library, description, environment)

    with (
        patch.object(CPUCodeLibrary, "_optimize_final_module", leave),
        patch.object(CPUCodeLibrary, "_finalize_final_module", close),
        patch.object(CPUContext, "get_executable", entry),
    ):
        gc.disable()  # millions of small objects, all of them needed: a tenth of the time
        try:
            yield
        finally:
            if collects:
                gc.enable()
