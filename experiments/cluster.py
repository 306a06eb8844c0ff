"""Sweeps on other processes and machines: a crew of Dask workers, which play ranges of deals for one driver.

The driver hands out, merges in the order of the deals, stops and writes exactly as with threads: the workers are a crew
of the engine. A task that is lost with its worker is played again by another one, to the same integers.
"""

import asyncio
import logging
import signal
import socket
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread, current_thread, main_thread
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from experiments import cluster_worker as worker
from simcore.cell import Cell
from simcore.crew import Chunk, Failed, Player
from simcore.engine import Failure, Run, run_each
from simcore.errors import IllegalAction, UsageError
from simcore.sequential import StoppingRule
from simcore.store import Planned

if TYPE_CHECKING:
    from distributed import Client, Future, LocalCluster

TASK_SECONDS = (0.4, 1.0)  # a task is shorter than a second only where all workers share what is left of a cell
DRIVER_SECONDS = 0.005  # what a task costs the driver, which must keep up with all workers
CONNECT_SECONDS = 6
ANSWER_SECONDS = 5  # of a worker that is asked; the first time, it has to import simcore and numba
PATIENCE_SECONDS = 60  # without any worker
SLOTS_SECONDS = 1.0  # between looks at how many workers there are
KEPT = "finished cells are kept, go on with --resume"


@dataclass(frozen=True)
class Cluster:
    """Where to play: at a scheduler's address, or in new worker processes on this machine; and with which plug-ins.

    Raises UsageError when it is not exactly one of both.
    """

    address: str | None = None
    workers: int | None = None
    plugins: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if (self.address is None) == (self.workers is None):
            raise UsageError("--cluster and --workers: choose one")
        if self.workers is not None and not 1 <= self.workers <= 1024:
            raise UsageError(f"--workers {self.workers}: give a whole number from 1 to 1024")

    @property
    def option(self) -> str:
        """How the command line says it."""
        return f"--workers {self.workers}" if self.address is None else f"--cluster {self.address}"


@contextmanager
def connected(cluster: Cluster) -> Iterator["Workers"]:
    """The workers of a cluster, ready to play.

    Raises UsageError, in one sentence, where Dask is missing, nobody answers, there are no workers, or these have other
    versions than this process.
    """
    try:
        import distributed  # noqa: F401
    except ImportError:
        raise UsageError(f'{cluster.option}: it needs Dask: pip install "simcore[distributed]"') from None
    with _quiet(), _scheduler(cluster) as address:
        client = _client(cluster, address)
        try:
            workers = Workers(client, cluster)
            workers.check()
            yield workers
        finally:
            with _undisturbed(), suppress(Exception):  # the scheduler may be gone
                client.close()


@contextmanager
def _quiet() -> Iterator[None]:
    """Dask logs every lost connection; what matters of it is said in sentences."""
    logger = logging.getLogger("distributed")
    before = logger.level
    logger.setLevel(logging.CRITICAL + 1)
    try:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", module="distributed")
            yield
    finally:
        logger.setLevel(before)


@contextmanager
def _scheduler(cluster: Cluster) -> Iterator[str]:
    """The address of a scheduler: the one given, or one in this process, on loopback, with its workers."""
    if cluster.address is not None:
        yield cluster.address
        return
    import dask

    with TemporaryDirectory(prefix="simcore-", ignore_cleanup_errors=True) as folder:
        settings = {"temporary-directory": folder, "distributed.worker.profile.enabled": False}
        try:
            with _undisturbed(), dask.config.set(settings):
                local = _local(cluster.workers)
        except (OSError, RuntimeError) as error:
            raise UsageError(f"{cluster.option}: they cannot be started ({error})") from error
        try:
            yield str(local.scheduler_address)
        finally:
            with _undisturbed(), suppress(Exception):  # as for the client: how the sweep ended is said, not this
                local.close()


def _local(workers: int | None) -> "LocalCluster":
    """A scheduler in this process and its workers, one thread each, which nobody reaches from another machine."""
    from distributed import LocalCluster

    return LocalCluster(
        n_workers=workers,
        threads_per_worker=1,
        host="127.0.0.1",
        dashboard_address="127.0.0.1:0",
        worker_dashboard_address="127.0.0.1:0",
        memory_limit=0,
        silence_logs=logging.CRITICAL,
        preload=[worker.__name__],
    )


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Ctrl-C is not heard here for a second or two, and never by processes that are begun in it."""
    if current_thread() is not main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _client(cluster: Cluster, address: str) -> "Client":
    from distributed import Client

    end = time.monotonic() + CONNECT_SECONDS
    try:
        _resolve(address)
        asyncio.run(asyncio.wait_for(_reach(address), end - time.monotonic()))
        left = max(1.0, end - time.monotonic())
        return Client(address, timeout=left, set_as_default=False, name="simcore")
    except Exception as error:  # a wrong address, the network, or whatever answers there
        why = str(error) or "it is silent"
        sentence = f"{cluster.option}: no Dask scheduler answers there ({why}); start one with: dask scheduler"
        raise UsageError(sentence) from error


def _resolve(address: str) -> None:
    """Looks the host's name up once, on a thread that nobody has to wait for: what comes after finds it at once.

    Raises TimeoutError when that takes too long; a name that does not exist is told by whoever connects.
    """

    def look_up() -> None:
        with suppress(OSError, UnicodeError):
            socket.getaddrinfo(host, None)

    host = urlsplit(address if "://" in address else f"//{address}").hostname
    if host:
        thread = Thread(target=look_up, daemon=True)
        thread.start()
        thread.join(CONNECT_SECONDS - 1)
        if thread.is_alive():
            raise TimeoutError(f"the name {host} is not found in time")


async def _reach(address: str) -> None:
    """Asks once who is there; a client that meets somebody else leaves more behind than an error."""
    from distributed.comm.core import connect
    from distributed.core import send_recv
    from distributed.security import Security

    comm = await connect(address, timeout=CONNECT_SECONDS, **Security().get_connection_args("client"))
    try:
        who = await send_recv(comm, op="identity")
    finally:
        comm.abort()
    if "workers" not in who:
        raise ValueError(f"it is a {who.get('type')}")


class Workers:
    """A crew of the workers that a scheduler has, few or many, also those that join later."""

    def __init__(self, client: "Client", cluster: Cluster) -> None:
        self._client, self._cluster = client, cluster
        plugins = tuple(str(Path(path).resolve()) for path in cluster.plugins)
        self._words = lru_cache(worker.CELLS)(lambda cell: worker.Words.of(cell, plugins))
        self._slots, self._looked = 1, 0.0

    def check(self) -> None:
        """Refuses workers that are not there, or that are not what this process is."""
        with suppress(TimeoutError):
            self._client.wait_for_workers(1, timeout=CONNECT_SECONDS / 2)
        answers: dict[str, Any] = self._client.sync(self._answers)
        if not answers:
            raise UsageError(f"{self._cluster.option}: the scheduler has no workers; start some with: dask worker")
        silent = [address for address, answer in answers.items() if isinstance(answer, TimeoutError)]
        if silent:
            who = f"worker {silent[0]}" if len(silent) == 1 else f"workers {', '.join(silent)}"
            told = f"no answer for {2 * ANSWER_SECONDS} s; end it or let it go on"
            raise UsageError(f"{self._cluster.option}: {who}: {told}")
        for address, answer in answers.items():
            if isinstance(answer, Exception):
                answer = f"it cannot play ({type(answer).__name__}: {answer}); install simcore[distributed] there"
            if answer:
                raise UsageError(f"{self._cluster.option}: worker {address}: {answer}")

    async def _answers(self) -> dict[str, Any]:
        """What each worker says of its versions. If it takes too long, each is asked alone, to know who is silent."""
        with suppress(TimeoutError):
            return await self._asked(None)
        names = list(await self._client.nthreads())
        alone = await asyncio.gather(*(self._asked([name]) for name in names), return_exceptions=True)
        return {
            name: answer.get(name, TimeoutError()) if isinstance(answer, dict) else answer
            for name, answer in zip(names, alone, strict=True)
        }

    async def _asked(self, names: list[str] | None) -> dict[str, Any]:
        driver = tuple(worker.all_versions().items())
        asked = self._client.run(worker.other_version, driver, workers=names, on_error="return")
        return await asyncio.wait_for(asked, ANSWER_SECONDS)

    @property
    def seconds(self) -> tuple[float, float]:
        """What a task takes at least and at most: so much that the driver keeps up with all workers.

        With the longest it is busy for half of the time, with the shortest for all of it.
        """
        least, most = TASK_SECONDS
        busy = DRIVER_SECONDS * self.slots
        return max(least, busy), max(most, 2 * busy)

    @property
    def slots(self) -> int:
        """Tasks that all workers work on at once."""
        if time.monotonic() - self._looked > SLOTS_SECONDS:
            with suppress(Exception):  # the scheduler may be gone, which the tasks will tell
                self._slots = max(1, sum(self._client.nthreads().values()))
            self._looked = time.monotonic()
        return self._slots

    def submit(self, player: Player, first: int, sizes: Sequence[int]) -> "Task":
        """Begins to play a cell from a deal on: a chunk for each size."""
        try:
            future = self._client.submit(worker.play, self._words(player.cell), first, sizes, pure=False)
        except Exception as error:  # whatever Dask raises without a scheduler
            raise self.gone() from error
        return Task(self, future, player.cell, first, sum(sizes))

    def has_any(self) -> bool:
        """Whether there is any worker."""
        with suppress(Exception):
            return bool(self._client.nthreads())
        return False

    def is_gone(self) -> bool:
        """Whether the scheduler is."""
        return self._client.status in ("closing", "closed")

    def gone(self) -> UsageError:
        """The sentence for a scheduler that is."""
        return UsageError(f"{self._cluster.option}: the scheduler is gone; {KEPT}")

    def none_left(self) -> UsageError:
        """The sentence for a scheduler that has no worker and gets none."""
        return UsageError(f"{self._cluster.option}: there was no worker for {PATIENCE_SECONDS} s; {KEPT}")

    def player(self, until: StoppingRule | None) -> Callable[..., Iterator[Run | Failure]]:
        """How a sweep plays its cells with this crew."""

        def play(cells: Sequence[Planned], progress: Callable[[int, int, int], None]) -> Iterator[Run | Failure]:
            return run_each((entry.cell for entry in cells), None, progress, until, crew=self)

        return play


class CrewLost(IllegalAction):
    """Workers died one after the other over the same deals: of a strategy, of a rule, or of their machines."""


class Task:
    """A range of deals that is played somewhere."""

    def __init__(self, workers: Workers, future: "Future[Any]", cell: Cell, first: int, deals: int) -> None:
        self._workers, self._future, self._cell, self._first, self._deals = workers, future, cell, first, deals

    def result(self) -> list[Chunk | Failed]:
        """Waits for its sums; they end with what a strategy did wrong, and there are none where no worker survives.

        Raises UsageError for a worker that refuses, and when scheduler or workers are gone.
        """
        from distributed import CancelledError, KilledWorker
        from distributed.comm.core import CommClosedError

        try:
            answer = self._answer()
        except KilledWorker as error:
            died = (
                f"{error.allowed_failures + 1} workers died over deals {self._first} to {self._first + self._deals - 1}"
            )
            return [Failed(CrewLost(f"{died}: a strategy ends the process, or there is too little memory"))]
        except (CancelledError, CommClosedError) as error:
            raise self._workers.gone() from error
        if isinstance(answer, worker.Refused):
            raise UsageError(f"{answer.reason}; {KEPT}")
        return list(worker.chunks(self._cell, self._first, answer))

    def _answer(self) -> Any:
        """What came back; looks around now and then while nothing does."""
        alone = None
        while True:
            with suppress(TimeoutError):
                return self._future.result(timeout=2)
            if self._workers.is_gone():
                raise self._workers.gone()
            now = time.monotonic()
            alone = None if self._workers.has_any() else alone or now
            if alone and now - alone > PATIENCE_SECONDS:
                raise self._workers.none_left()
