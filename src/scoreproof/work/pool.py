"""The one seam through which work leaves this process: here, several processes, or a cluster of machines.

A pool takes calls and gives their results, in order or as they finish. Processes are joblib's; a cluster is Dask's,
through joblib. Limits travel with every call, and so does whatever else was packed (``travels``): scores of one's own.
Calls that take milliseconds are sent several at once (joblib finds out how many), long ones one by one. The task of a
worker that died is done again; workers that keep dying at the same tasks are an error.
"""

from __future__ import annotations

import gc
import os
import pickle
import re
import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, TypeVar

from scoreproof._version import __version__
from scoreproof.errors import InvalidOption, MissingExtra, WorkersDied
from scoreproof.limits import Limits, current, within
from scoreproof.validation import process_count, shown

Result = TypeVar("Result")
Call = tuple[Callable[..., Result], tuple[Any, ...]]
Packed = tuple[Call[None], ...]
_MOST_DEATHS = 3  # of workers, one after the other, without a result in between
_ADDRESS = re.compile(r"(?:tcp|tls|ws|wss)://\S+:\d+")
_CONNECT = 10  # seconds until a cluster is given up
_PACKERS: list[Callable[[], Call[None] | None]] = []
_ALONE = threading.Lock()  # a cluster's worker may have threads, which would only wait for each other


def travels(pack: Callable[[], Call[None] | None]) -> None:
    """Before the first task in another process, the call that ``pack`` gives is made there."""
    _PACKERS.append(pack)


@dataclass(frozen=True, slots=True)
class Pool:
    """So many processes of this machine, one being this process itself; or the workers of the Dask cluster of a client.

    >>> list(Pool(1).results((pow, (2, n)) for n in range(4)))
    [1, 2, 4, 8]
    """

    workers: int = 1
    client: Any = field(default=None, repr=False)

    @property
    def here(self) -> bool:
        """Whether nothing leaves this process."""
        return self.client is None and self.workers <= 1

    @property
    def size(self) -> int:
        """How many calls are worked on at once."""
        return self.workers if self.client is None else max(1, int(sum(self.client.ncores().values())))

    def at_most(self, calls: int) -> Pool:
        """The pool with no more processes than there are calls; a cluster as it is."""
        return Pool(max(1, min(self.workers, calls))) if self.client is None else self

    def results(self, calls: Iterable[Call[Result]], *, ahead: int = 2) -> Iterator[Result]:
        """The results in the order of the calls; ``ahead`` calls per worker wait beside the one it is at."""
        waiting: dict[int, Result] = {}
        wanted = 0
        for index, result in self.as_finished(calls, ahead=ahead):
            waiting[index] = result
            while wanted in waiting:
                yield waiting.pop(wanted)
                wanted += 1

    def as_finished(self, calls: Iterable[Call[Result]], *, ahead: int = 2) -> Iterator[tuple[int, Result]]:
        """The results as they come, each with the number of its call."""
        if self.here:
            for index, (function, arguments) in enumerate(calls):
                yield index, function(*arguments)
            return
        try:
            yield from self._elsewhere(calls, ahead)
        except ModuleNotFoundError as error:
            if self.client is None:
                raise
            raise InvalidOption(
                f"cluster: its workers lack a part of scoreproof ({error}); install the same scoreproof "
                f"({__version__}) on every machine"
            ) from None

    def _elsewhere(self, calls: Iterable[Call[Result]], ahead: int) -> Iterator[tuple[int, Result]]:
        from joblib import delayed
        from joblib.externals.loky.process_executor import BrokenProcessPool, ShutdownExecutorError

        packed, limits = _packed(), current()
        fresh = enumerate(calls)
        pending: dict[int, Call[Result]] = {}
        deaths = 0
        while True:
            again = list(pending.items())

            def tasks(again: list[tuple[int, Call[Result]]] = again) -> Iterator[Any]:
                for index, call in chain(again, fresh):
                    pending[index] = call
                    yield delayed(_done)(__version__, limits, packed, index, _sealed(call) if packed else call)

            try:
                with _unheard_interrupts():
                    finished = self._parallel(ahead)(tasks())
                for index, result in finished:
                    del pending[index]
                    deaths = 0
                    yield index, result
                return
            except (BrokenProcessPool, ShutdownExecutorError, *_cluster_deaths(self.client)):
                deaths += 1
                if self.client is not None or deaths >= _MOST_DEATHS:
                    raise WorkersDied(
                        f"{_MOST_DEATHS} worker processes died one after the other, most likely for want of memory; "
                        "what is done is kept where it is kept at all: use fewer workers, or a machine with more memory"
                    ) from None

    def _parallel(self, ahead: int) -> Any:
        from joblib import Parallel, parallel_config

        with nullcontext() if self.client is None else parallel_config(backend="dask", client=self.client):
            return Parallel(
                n_jobs=self.workers if self.client is None else -1,
                return_as="generator_unordered",
                batch_size="auto",
                pre_dispatch=f"{1 + ahead}*n_jobs",
            )


def _cluster_deaths(client: Any) -> tuple[type[Exception], ...]:
    """What a cluster raises when a task's workers died again and again."""
    if client is None:
        return ()
    from distributed.scheduler import KilledWorker

    return (KilledWorker,)


def pool_of(given: Any, what: str = "jobs") -> Pool:
    """The pool that is meant: a pool, a number of processes, the address of a cluster, a Dask client.

    >>> pool_of(2)
    Pool(workers=2)
    >>> pool_of("8786", "pool")
    Traceback (most recent call last):
    ...
    scoreproof.errors.InvalidOption: pool: expected a number of processes or the address of a Dask scheduler such as \
tcp://10.0.0.1:8786, got '8786'
    """
    if isinstance(given, Pool):
        return given
    if hasattr(given, "scheduler_info") and hasattr(given, "ncores"):
        return Pool(client=given)
    return _connected(given, what) if isinstance(given, str) else Pool(process_count(what, given))


def _connected(address: str, what: str) -> Pool:
    if not _ADDRESS.fullmatch(address):
        raise InvalidOption(
            f"{what}: expected a number of processes or the address of a Dask scheduler such as tcp://10.0.0.1:8786, "
            f"got {shown(address)}"
        )
    try:
        from distributed import Client
    except ImportError:
        raise MissingExtra("cluster: a cluster needs an optional part: pip install 'scoreproof[cluster]'") from None
    try:
        connect: Any = Client  # which has no types
        return Pool(client=connect(address, timeout=_CONNECT, set_as_default=False))
    except (OSError, TimeoutError, ValueError) as error:
        why = str(error).splitlines()[0][:120] if str(error) else type(error).__name__
        raise InvalidOption(f"{what}: no Dask scheduler answers at {address} ({why})") from None


def _packed() -> Packed:
    """What other processes must know before they begin."""
    return tuple(call for pack in _PACKERS if (call := pack()) is not None)


def _sealed(call: Call[Any]) -> Any:
    """A call that is opened only after the luggage: its arguments may be about scores of one's own."""
    import cloudpickle

    return cloudpickle.dumps(call)


def _done(version: str, limits: Limits, packed: Packed, index: int, call: Call[Result] | bytes) -> tuple[int, Result]:
    """A call in another process, under the limits of the first one."""
    if version != __version__:
        raise InvalidOption(
            f"cluster: a worker has scoreproof {__version__}, but {version} asks; install the same on every machine"
        )
    with _ALONE, within(limits):
        for unpack, given in packed:
            unpack(*given)
        function, arguments = pickle.loads(call) if isinstance(call, bytes) else call
        return index, function(*arguments)


@contextmanager
def _unheard_interrupts() -> Iterator[None]:
    """Processes started inside inherit that Ctrl-C is ignored; here it is heard again afterwards."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def all_cores() -> Pool:
    """As many processes as this machine has cores."""
    return Pool(os.cpu_count() or 1)


def told(progress: Callable[..., Any], *how_far: int | str) -> None:
    """Call a progress function of the caller's; what goes wrong in it is said to be the caller's.

    >>> told(print, 3, 10)
    3 10
    >>> told(3, 3, 10)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    scoreproof.errors.InvalidOption: progress: expected a function of 2 arguments, got TypeError: ...
    """
    try:
        progress(*how_far)
    except Exception as error:
        words = f"{type(error).__name__}: {error}"
        raise InvalidOption(f"progress: expected a function of {len(how_far)} arguments, got {words}") from error


@contextmanager
def gc_paused() -> Iterator[None]:
    """Python's search for cycles rests inside, and what was made goes to the oldest generation without being walked.

    Cells, reports, tasks and results are trees of plain data. While thousands of them are made, the collector would
    walk all of them again and again and find nothing; that takes longer than the audit itself.
    """
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        if gc.get_freeze_count() == 0:  # whoever froze objects wants them to stay frozen
            gc.freeze()
            gc.unfreeze()
        gc.enable()
