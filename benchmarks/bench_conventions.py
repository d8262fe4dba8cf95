"""True reports in 63 unsaid conventions: how many does ``check`` call impossible, with and without ``strict``?

Without ``strict`` none may be, unless the registry says of the convention that it is rare. The price of that comes
after: of altered reports that are impossible as stated, how many are still called so. ``SCOREPROOF_REPORTS`` says how
many reports of each sort are asked.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator

from benchmarks.measure import Row
from benchmarks.unsaid import CONVENTIONS, reports
from benchmarks.unsaid.altered import PLAIN, altered
from scoreproof.kinds.conventions import Frequency, registry

REPORTS = int(os.environ.get("SCOREPROOF_REPORTS", "40"))


def rows() -> Iterator[Row]:
    """The share called impossible of each, and how the others were answered; then what stays impossible."""
    entries = {convention.name: convention for convention in registry()}
    for practice in CONVENTIONS:
        admitted: Counter[str] = Counter()
        strict = 0
        for report in reports(practice, REPORTS):
            verdict = report.verdict(strict=False)
            admitted[verdict] += 1
            strict += verdict in ("inconsistent", "question") and report.verdict(strict=True) == "inconsistent"
        rare = entries[practice.entry].frequency is Frequency.RARE
        others = ", ".join(f"{number} {verdict}" for verdict, number in sorted(admitted.items()))
        yield Row(
            f"{practice.kind}: {practice.what}",
            rate=admitted["inconsistent"] / REPORTS,
            promised_rate=None if rare else 0.0,
            note=f"{'rare; ' * rare}{others}; strict: {strict} impossible of {REPORTS}",
        )
    for name in PLAIN:
        verdicts = Counter(report.verdict(strict=False) for report in altered(name, REPORTS))
        impossible = verdicts["inconsistent"] + verdicts["question"]
        yield Row(
            f"one digit changed, {name}",
            rate=verdicts["inconsistent"] / max(impossible, 1),
            note=f"{verdicts['inconsistent']} of {impossible} that are impossible as stated stay so",
        )
