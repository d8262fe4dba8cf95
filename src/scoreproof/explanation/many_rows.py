"""Many answers explained, each a task of its own: in other processes, or on a cluster."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from scoreproof.checking import Answer
from scoreproof.explanation.explaining import explain
from scoreproof.explanation.explanation import Explanation
from scoreproof.work.pool import Call, pool_of


def explain_each(answers: Iterable[Answer[Any, Any]], *, pool: Any = 1, **options: Any) -> Iterator[Explanation]:
    """The explanations of some answers in their order; the options are those of ``explain``.

    >>> from scoreproof import TestSet, check
    >>> answers = [check(TestSet(10, 20), {"acc": text, "sens": "0.50"}) for text in ("0.95", "0.80")]
    >>> [str(explanation.verdict) for explanation in explain_each(answers, assumptions=False)]
    ['inconsistent', 'consistent']
    """
    calls: Iterator[Call[Explanation]] = ((_explained, (answer, options)) for answer in answers)
    return pool_of(pool, "pool").results(calls)


def _explained(answer: Answer[Any, Any], options: dict[str, Any]) -> Explanation:
    return explain(answer, **options)
