"""Calls a kernel's machine code, without numba: records go by address, numbers by value."""

import ctypes
from typing import Any

import llvmlite.binding as llvm
import numpy as np

from simcore.errors import KernelError


class Native:
    """A compiled kernel in memory. It lets other threads run while it plays.

    Raises OSError when the machine code calls functions that this process does not have.
    """

    def __init__(self, symbol: str, code: bytes, outside: tuple[str, ...]):
        if not all(map(llvm.address_of_symbol, outside)):
            from simcore.compiler import offer_symbols

            offer_symbols()
        missing = [name for name in outside if not llvm.address_of_symbol(name)]
        if missing:
            raise OSError(f"the kernel needs {', '.join(missing)}")
        self._engine = _empty_engine()
        self._engine.add_object_file(llvm.ObjectFileRef.from_data(code))
        self._engine.finalize_object()
        self._address = self._engine.get_function_address(symbol)

    def __call__(self, *arguments: Any) -> int:
        """Plays; answers what the kernel answers.

        Raises KernelError when a rule or a strategy raised an error.
        """
        answer, error = ctypes.c_int64(), ctypes.c_void_p()
        numbers = [isinstance(argument, int | np.integer) for argument in arguments]
        given = [int(entry) if number else address(entry) for entry, number in zip(arguments, numbers, strict=True)]
        kinds = [ctypes.c_int64 if number else ctypes.c_void_p for number in numbers]
        call = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p, *kinds)(self._address)
        status = call(ctypes.addressof(answer), ctypes.addressof(error), *given)
        if status:
            raise KernelError(f"the kernel stopped with status {status}")
        return answer.value


def address(record: Any) -> int:
    """Where a record's memory begins."""
    return int(np.frombuffer(record, np.uint8).ctypes.data)


def machine() -> str:
    """The processor that code is made for."""
    return f"{llvm.get_process_triple()} {llvm.get_host_cpu_name()} {llvm.get_host_cpu_features().flatten()}"


def _empty_engine() -> llvm.ExecutionEngine:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    target = llvm.Target.from_default_triple().create_target_machine(codemodel="jitdefault")
    return llvm.create_mcjit_compiler(llvm.parse_assembly(""), target)
