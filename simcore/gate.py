"""The gate as a whole: baselines in, a verdict for each and an exit code out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from simcore.baseline import Incomparable, read
from simcore.drift import ALIKE, DRIFT, PASS, SAME, UNDECIDED, Checked, Checks, Note, check, opened
from simcore.engine import check_threads
from simcore.errors import UsageError
from simcore.first_difference import First, first_difference

CODES = {SAME: 0, ALIKE: 0, PASS: 0, DRIFT: 1, UNDECIDED: 3}
INCONCLUSIVE, CANNOT_COMPARE, NOT_EXACT = 3, 4, 5
WORST_FIRST = (1, NOT_EXACT, CANNOT_COMPARE, INCONCLUSIVE)  # the exit code of several files is the first of these


@dataclass(frozen=True)
class Verdict:
    """What is said of one file: the checks with the first differences, or why there are none; and the exit code.

    is_exact: other games fail, whatever they come to.
    """

    path: str
    code: int
    checks: Checks | None = None
    firsts: Mapping[str, First] | None = None
    problem: str = ""
    is_exact: bool = False

    def is_excusable(self) -> bool:
        """Whether nothing worse is wrong than that games were too few: all that is open was at least measured."""
        cells = self.checks.cells if self.checks else []
        is_measured = all(cell.drifts for cell in cells if cell.answer == UNDECIDED)
        return self.code == INCONCLUSIVE and is_measured and not self.is_exact

    def has_failed(self, cell: Checked) -> bool:
        """Whether a cell drifts, or is not the same to the last card where it must be."""
        return cell.answer == DRIFT or (self.is_exact and bool(cell.differs))


def verdicts(
    paths: Sequence[str],
    tolerance: float | None = None,
    max_games: int | None = None,
    exact: bool = False,
    threads: int | None = None,
    note: Note | None = None,
) -> list[Verdict]:
    """Checks baselines together; arguments as in `opened` and `check`.

    Raises UsageError for a tolerance or a number of threads that there cannot be.
    """
    check_threads(threads)
    if tolerance is not None and not 0 < tolerance < 1:
        raise UsageError(f"tolerance={tolerance}: give a share of the wins between 0 and 1, such as 0.005")
    able: dict[str, Checks] = {}
    problems: dict[str, str] = {}
    for path in dict.fromkeys(paths):
        try:
            able[path] = opened(read(path), tolerance)
        except Incomparable as error:
            problems[path] = str(error)
    if able:
        check(list(able.values()), max_games, exact, threads, note)
    return [
        Verdict(path, CANNOT_COMPARE, problem=problems[path])
        if path in problems
        else _verdict(able[path], exact, threads)
        for path in dict.fromkeys(paths)
    ]


def _verdict(found: Checks, exact: bool, threads: int | None) -> Verdict:
    firsts = {cell.label: first for cell in found.cells if (first := first_difference(cell, threads)) is not None}
    code = CODES[found.answer]
    if exact and code != 1 and any(cell.differs for cell in found.cells):
        code = NOT_EXACT
    return Verdict(found.baseline.path, code, found, firsts, is_exact=exact)


def exit_code(found: Sequence[Verdict], allow_inconclusive: bool = False) -> int:
    """The exit code of several files: 0 when nothing is wrong with any of them."""
    codes = {verdict.code for verdict in found if not (allow_inconclusive and verdict.is_excusable())}
    return next((code for code in WORST_FIRST if code in codes), 0)
