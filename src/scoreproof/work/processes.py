"""Work shared out to several processes, which leave Ctrl-C to the first one."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from scoreproof.limits import Limits, current, within

Result = TypeVar("Result")
Call = tuple[Callable[..., Result], tuple[Any, ...]]


def spread(calls: Iterable[Call[Result]], workers: int, *, ahead: int = 2) -> Iterator[Result]:
    """The results of some calls in order; ``ahead`` calls per process wait beside the one it is at.

    >>> list(spread([(pow, (2, n)) for n in range(4)], 1))
    [1, 2, 4, 8]
    """
    if workers <= 1:
        for function, arguments in calls:
            yield function(*arguments)
        return
    from joblib import Parallel, delayed

    parallel = Parallel(n_jobs=workers, return_as="generator", batch_size=1, pre_dispatch=f"{1 + ahead}*n_jobs")
    limits = current()
    with _unheard_interrupts():
        results = parallel(delayed(_limited)(limits, function, arguments) for function, arguments in calls)
    yield from results


def _limited(limits: Limits, function: Callable[..., Result], arguments: tuple[Any, ...]) -> Result:
    """A call in another process, under the limits of this one."""
    with within(limits):
        return function(*arguments)


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
