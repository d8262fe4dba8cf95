"""A possible row is usually seen to be possible at once.

Printed sensitivity and specificity (or accuracy and one of them) name a confusion matrix up to rounding. If that
matrix, or one next to it, gives every printed score, it is the witness and nothing remains to be searched. The
comparison is in integers; a row without such a matrix goes to the engine, which decides it either way.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from scoreproof.audit.readings import Reading
from scoreproof.audit.result import ReadingVerdict
from scoreproof.experiment import TestSet
from scoreproof.reported import Rounding
from scoreproof.reported.rounding import REACH
from scoreproof.scores import score
from scoreproof.scores.links import RATIO
from scoreproof.verdict import Verdict

_DECIMAL = re.compile(r"([0-9]{1,9})(?:\.([0-9]{1,15}))?(%)?")


class _Demand(NamedTuple):
    """What one printed score asks of a matrix: low <= scale * num / den <= high, with the printed number beside it."""

    ratio: Any
    low: int
    high: int
    scale: int
    units: int
    unit: int

    def share(self, of: int) -> int:
        """The whole number nearest to the printed share of a count."""
        return (2 * self.units * of + self.unit) // (2 * self.unit)


@lru_cache(maxsize=256)
def _ratio(name: str) -> Any:
    """The formula of a score that is its ratio; None for one behind a square root."""
    found = score(name)
    return found.ratio if found.link is RATIO and found.builtin else None


def _demand(name: str, text: str, reach: tuple[int, int]) -> _Demand | None:
    """The demand of a plain number such as 0.8700 or 87.00%; None for other texts and other scores."""
    ratio = _ratio(name)
    match = _DECIMAL.fullmatch(text)
    if ratio is None or match is None:
        return None
    whole, decimals, percent = match.groups()
    units = int(whole + decimals) if decimals else int(whole)
    unit = 10 ** (len(decimals or "") + (2 if percent else 0))
    return _Demand(ratio, 2 * units - reach[0], 2 * units + reach[1], 2 * unit, units, unit)


def seen_at_once(scores: Mapping[str, str], reading: Reading, rule: str) -> ReadingVerdict | None:
    """The verdict ``consistent`` with its witness, or None where more than a look is needed.

    >>> found = seen_at_once({"acc": "0.90", "sens": "0.80", "spec": "0.95"}, Reading("", TestSet(10, 20)), "any")
    >>> found.witness
    {'matrices': [{'tp': 8, 'fp': 1, 'fn': 2, 'tn': 19}]}
    """
    test = reading.experiment
    if not isinstance(test, TestSet):
        return None
    p, n = test.p, test.n
    reach = REACH[Rounding.of(rule)]
    demands: dict[str, _Demand] = {}
    for name, text in scores.items():
        demand = _demand(name, text, reach)
        if demand is None:
            return None
        demands[name] = demand
    for tp, tn in _named(demands, p, n):
        if not (0 <= tp <= p and 0 <= tn <= n):
            continue
        fp, fn = n - tn, p - tp
        for ratio, low, high, scale, _, _ in demands.values():
            num, den = ratio(tp, fp, fn, tn)
            if not den or not low * den <= num * scale <= high * den:
                break
        else:
            return ReadingVerdict(
                reading.label,
                str(test),
                Verdict.CONSISTENT,
                {
                    "experiment": test.to_dict(),
                    "scores": [{"score": name, "text": text, "rounding": rule} for name, text in scores.items()],
                    "undefined": "exclude",
                },
                "",
                {"matrices": [{"tp": tp, "fp": fp, "fn": fn, "tn": tn}]},
            )
    return None


def _named(demands: Mapping[str, _Demand], p: int, n: int) -> Iterator[tuple[int, int]]:
    """The matrices that the printed rates name: the nearest, then those the accuracy would correct it to."""
    sens, spec, acc = demands.get("sens"), demands.get("spec"), demands.get("acc")
    if sens is not None and spec is not None:
        tp, tn = sens.share(p), spec.share(n)
        yield tp, tn
        right = tp + tn if acc is None else acc.share(p + n)
        if right != tp + tn:
            yield tp, right - tp
            yield right - tn, tn
    elif acc is not None and sens is not None:
        tp = sens.share(p)
        yield tp, acc.share(p + n) - tp
    elif acc is not None and spec is not None:
        tn = spec.share(n)
        yield acc.share(p + n) - tn, tn
