"""The rows of tables as tasks, each made when it is asked for: a long table is never held twice."""

from __future__ import annotations

import bisect
import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import overload

from scoreproof.audits.task import Task
from scoreproof.documents import Report


@dataclass(frozen=True, slots=True)
class Tasks(Sequence[Task]):
    """The rows of one table."""

    make: Callable[[Report], Task]
    reports: Sequence[Report]

    @overload
    def __getitem__(self, index: int) -> Task: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Task]: ...
    def __getitem__(self, index: int | slice) -> Task | Sequence[Task]:
        if isinstance(index, slice):
            return [self.make(one) for one in self.reports[index]]
        return self.make(self.reports[index])

    def __len__(self) -> int:
        return len(self.reports)

    def __iter__(self) -> Iterator[Task]:
        return map(self.make, self.reports)


class Joined(Sequence[Task]):
    """The tasks of all tables, one after the other."""

    def __init__(self, parts: Sequence[Sequence[Task]]) -> None:
        self._parts = parts
        self._ends = list(itertools.accumulate(map(len, parts)))

    @overload
    def __getitem__(self, index: int) -> Task: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Task]: ...
    def __getitem__(self, index: int | slice) -> Task | Sequence[Task]:
        if isinstance(index, slice):
            return [self[one] for one in range(*index.indices(len(self)))]
        part = bisect.bisect_right(self._ends, index)
        if not index >= 0 or part == len(self._parts):
            raise IndexError(index)
        return self._parts[part][index - (self._ends[part - 1] if part else 0)]

    def __len__(self) -> int:
        return self._ends[-1] if self._ends else 0

    def __iter__(self) -> Iterator[Task]:
        return itertools.chain.from_iterable(self._parts)
