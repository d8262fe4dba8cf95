"""What published numbers alone allow: counts behind a printed rate, and the cautious end of McNemar's range.

Two models on one test set share cases nobody printed. The rates bound how many only one of them gets right, so
McNemar's p lies in a range (``mcnemar_range``); its upper end is a test in its own right, which never calls
identical models different more often than it should.
"""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal, InvalidOperation
from fractions import Fraction

from scoreproof.arrays import whole
from scoreproof.errors import InvalidValue
from scoreproof.statistics.mcnemar import mcnemar_p
from scoreproof.statistics.mcnemar_range import overlaps
from scoreproof.statistics.result import Effect, TestResult
from scoreproof.statistics.wording import bare_p


def counts_behind(text: str | float, n: int, *, name: str = "rate") -> list[int]:
    """The whole numbers of cases a printed rate can stand for, rounded any way; a percentage needs its sign.

    >>> counts_behind("0.847", 300), counts_behind("84.7%", 300)
    ([254], [254])
    """
    whole("n", n, at_least=1)
    word = str(text).strip()
    percent = word.endswith("%")
    try:
        value = Decimal(word.removesuffix("%").strip())
    except InvalidOperation:
        raise InvalidValue(f"{name} = {text!r}: expected a rate such as 0.847 or 84.7%") from None
    exponent = value.as_tuple().exponent
    unit = Fraction(10) ** (exponent if isinstance(exponent, int) and exponent < 0 else 0)
    scale = 100 if percent else 1
    if not value.is_finite() or not 0 <= value <= scale:
        raise InvalidValue(f"{name} = {text!r}: expected a rate between 0 and 1, or a percentage with its sign")
    centre = Fraction(value) / scale * n
    reach = unit / scale * n
    first, last = -((reach - centre) // 1), (centre + reach) // 1
    found = [k for k in range(max(0, int(first)), min(n, int(last)) + 1) if abs(k - centre) < reach]
    if not found:
        raise InvalidValue(f"{name} = {text!r} of {n} cases: no whole number of cases gives it; check both numbers")
    return found


def attainable_mcnemar(
    first: Iterable[tuple[int, ...]], second: Iterable[tuple[int, ...]], totals: tuple[int, ...], *, score: str
) -> TestResult:
    """McNemar's test from correct cases alone: p is the largest that the overlap of the two models allows.

    Both sides hold the correct cases of each class, once for every count that the printed rates allow; the most
    cautious combination counts.

    >>> found = attainable_mcnemar([(261,)], [(226,)], (300,), score="sensitivity")
    >>> f"{found.p_value:.2e}", found.details["b"], found.details["c"]
    ('1.28e-03', 74, 39)
    """
    ends = []
    for mine in first:
        for other in second:
            few, most = overlaps(zip(mine, other, totals, strict=True))
            low, high = (mcnemar_p(*pair, "exact") for pair in (few, most))
            ends.append((max(low, high), min(low, high), most, (sum(mine) - sum(other)) / sum(totals)))
    p, _, (b, c), difference = max(ends)
    lowest = min(low for _, low, _, _ in ends)
    return TestResult(
        test="McNemar test, cautious end",
        method=f"exact binomial, largest p the overlap allows; the smallest is {bare_p(lowest)}",
        statistic_name="b : c",
        statistic=b,
        p_value=p,
        effects=(Effect(f"difference in {score}", difference),),
        notes=(_OVERLAP,),
        details={"b": b, "c": c, "p_low": lowest, "shown": f"{b} : {c}"},
        inputs={"totals": totals, "score": score},
    )


_OVERLAP = "how often the models are right on the same cases was not published: p is the largest this allows"
