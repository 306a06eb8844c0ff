"""Why a strategy does not compile, in a sentence: the file, the line, and what the compiler disliked."""

import ast
import inspect
import re
from pathlib import Path
from textwrap import dedent
from typing import Any

from simcore.cell import Cell, workspace
from simcore.compiler import answer_type
from simcore.contract import Strategy
from simcore.errors import UsageError

NOISE = re.compile(r"^(Failed in|During|\s*$|File |-+$|\s+<source|- (Resolution|Of which|With)|.*overload)")


def diagnose(cell: Cell, error: Exception) -> UsageError:
    """The first strategy of the roster that does not compile by itself, explained; the game's rules when all do."""
    space = workspace(cell)
    for number, entry in enumerate(cell.kernel.roster):
        hand, parameters = getattr(space.hidden, cell.game.hand)[0], getattr(space.seats.mind[0], f"of_{number}")
        stream = space.seats.seat[0].stream
        kinds = (int, space.table.dtype, int, hand.dtype, parameters.dtype, stream.dtype)
        sentence = _trouble(entry, kinds)
        if sentence:
            return UsageError(sentence)
    return UsageError(
        f"the rules of {cell.game.name} cannot be compiled: {_reason(error)}; "
        "with NUMBA_DISABLE_JIT=1 before the command, Python plays them and names the line"
    )


def _trouble(entry: Strategy, kinds: tuple[Any, ...]) -> str | None:
    """What is wrong with one strategy, or None."""
    function = entry.decide
    name = Path(function.__code__.co_filename).name
    try:
        answer, is_number = answer_type(function, kinds)
    except Exception as error:  # the compiler raises whatever it trips over
        line = _line(function, error)
        return f'{name}, line {line}: strategy "{entry.name}" cannot be compiled: {_reason(error)}'
    if not is_number:
        start = function.__code__.co_firstlineno
        return f'{name}, line {start}: strategy "{entry.name}" answers with {answer}; an action is a whole number'
    return None


def _reason(error: Exception) -> str:
    """The compiler's own words, without its stack of passes."""
    if isinstance(error, KeyError):
        return f"there is no field called {error}"
    lines = [line.strip() for line in str(error).splitlines()]
    words = [line for line in lines if line and not NOISE.match(line)]
    return re.sub(r"\.* Raised from None|\.+$", "", words[0]) if words else type(error).__name__


def _line(function: Any, error: Exception) -> int:
    """The line of the strategy's file that the compiler tripped over, as far as it told."""
    file = Path(function.__code__.co_filename).name
    found = re.findall(r'File "([^"]+)"[^0-9\n]*line (\d+)|at ([^ \n]+) \((\d+)\)', str(error))
    lines = [int(line or other) for path, line, at, other in found if Path(path or at).name == file]
    if lines:
        return lines[0]
    start = int(function.__code__.co_firstlineno)
    named = set(re.findall(r"'(\w+)'", str(error)))
    for node in ast.walk(ast.parse(dedent(inspect.getsource(function)))):
        if getattr(node, "attr", getattr(node, "id", None)) in named and isinstance(node, ast.Attribute | ast.Name):
            return start + node.lineno - 1
    return start
