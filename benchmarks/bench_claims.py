"""What re-checking a claim of significance costs, function by function, in processor time.

Each function gets the claims that the fuzzer simulates, which differ from each other, so that nothing is remembered
from the call before; the time is that below which 95 of 100 stay. Then claims that are long to decide.
"""

from __future__ import annotations

import itertools
import time
from collections import defaultdict
from collections.abc import Callable, Iterator

from benchmarks.fuzz_claims import cases
from benchmarks.measure import Row
from scoreproof import claims

CASES = 1300
PROMISED, PROMISED_OPEN = 0.010, 1.0  # seconds; the latter of an interval whose n is not known
LONG: tuple[tuple[str, Callable[[], claims.Recheck]], ...] = (
    ("mcnemar, any method, refuted", lambda: claims.mcnemar("0.93", "0.92", n=300, p="<0.0001", method="any")),
    ("mcnemar, any method, 40 differences", lambda: claims.mcnemar("0.58", "0.57", n=551, p="0.95", method="any")),
    ("mcnemar, any method, 0.90 against 0.80", lambda: claims.mcnemar("0.90", "0.80", n=1000, p="0.9", method="any")),
    ("auc_interval, 5,000 without ties", lambda: claims.auc_interval("0.90 (0.89-0.91)", 2000, 3000, ties="none")),
    ("ranks, a CD that does not fit", lambda: claims.ranks(["3.143", "2.000", "2.893", "1.964"], 14, cd="1.47")),
    ("ranks, ten methods on 100 data sets", lambda: claims.ranks([f"{5 + k / 9:.1f}" for k in range(10)], 100)),
    (
        "ranks, beside printed scores",
        lambda: claims.ranks(["1.5", "1.5"], scores=[["0.9", "0.8"], ["0.7", "0.8"]] * 10),
    ),
    ("spread, ten folds of 1,000", lambda: claims.spread("0.8801 ± 0.0311", 10, sizes=1000)),
    ("p_value, df unknown", lambda: claims.p_value("t", "2.22", None, "0.0832")),
)
OPEN = ("0.912 (0.880-0.938)", "0.91 (0.88-0.94)", "0.655 (0.457-0.841)", "0.9912 (0.9908-0.9917)")


def rows() -> Iterator[Row]:
    """One line for each function, then the long ones."""
    spent: dict[str, list[float]] = defaultdict(list)
    for case in itertools.islice(cases(2), CASES):
        call = getattr(claims, case.function)
        spent[case.function].append(_seconds(lambda: call(*case.arguments, **case.options)))  # noqa: B023
    for name, times in sorted(spent.items()):
        ordered = sorted(times)
        note = f"95 of 100; {len(times)} claims, the longest {ordered[-1] * 1e3:.1f} ms"
        yield Row(name, ordered[int(0.95 * len(times))], promised_seconds=PROMISED, note=note)
    for what, long in LONG:
        found = long()
        yield Row(what, min(_seconds(long) for _ in range(5)), promised_seconds=PROMISED, note=str(found.verdict))
    for text in OPEN:
        spent_on = min(_seconds(lambda: claims.interval(text)) for _ in range(3))  # noqa: B023
        yield Row(f"interval {text}, n unknown", spent_on, promised_seconds=PROMISED_OPEN)


def _seconds(call: Callable[[], object]) -> float:
    start = time.process_time()
    call()
    return time.process_time() - start
