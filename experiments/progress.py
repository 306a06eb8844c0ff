"""Progress on stderr: a bar at a terminal, a plain line every ten seconds elsewhere."""

import sys
import time
from types import TracebackType

LINE_SECONDS = 10.0
BAR_SECONDS = 0.1
BAR = 30


class Progress:
    """Called with games done and games asked; quiet for runs that end at once."""

    def __init__(self, label: str, quiet: bool) -> None:
        self.label, self._quiet = label, quiet
        self._bar = sys.stderr.isatty()
        self._start = self._last = 0.0
        self._before = 0
        self._drawn = False

    def __enter__(self) -> "Progress":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._erase()

    def note(self, text: str) -> None:
        """A line above the bar."""
        if not self._quiet:
            self._erase()
            print(text, file=sys.stderr, flush=True)

    def __call__(self, done: int, asked: int) -> None:
        """Shows how far the run is, at most ten times a second at a terminal."""
        now = time.perf_counter()
        if not self._start:  # the first chunk: compiling is over
            self._start, self._last, self._before = now, now, done
        if self._quiet or now - self._last < (BAR_SECONDS if self._bar else LINE_SECONDS):
            return
        self._last = now
        rate = (done - self._before) / (now - self._start)
        left = (asked - done) / rate if rate else 0.0
        text = f"{self.label}: {100 * done / asked:3.0f} %, {rate:,.0f} games/s, {left:.0f} s left"
        if self._bar:
            filled = BAR * done // asked
            print(f"\r\033[K[{'#' * filled}{'.' * (BAR - filled)}] {text}", end="", file=sys.stderr, flush=True)
            self._drawn = True
        else:
            print(text, file=sys.stderr, flush=True)

    def _erase(self) -> None:
        if self._drawn:
            print("\r\033[K", end="", file=sys.stderr, flush=True)
            self._drawn = False
