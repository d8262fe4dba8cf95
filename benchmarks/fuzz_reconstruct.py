"""Long agreement runs of the reconstruction: ``python -m benchmarks.fuzz_reconstruct --cases 20000``.

Random matrices are scored, rounded and reconstructed, from their total and from nothing. The truth must lie inside
every range and among the matrices that are listed; reports that were moved must be decided, and certificates must
hold. Small totals are compared with brute force over every matrix. Run it when an engine changes.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from decimal import Decimal
from fractions import Fraction

from rich.console import Console
from rich.progress import Progress

import scoreproof as sp
from benchmarks import oracle

Cells = tuple[int, int, int, int]
Case = tuple[Cells, dict[str, str], str]

_HOW = {
    "nearest": ("half_up", "half_even"),
    "any": ("half_up", "floor", "ceil"),
    "floor": ("floor",),
    "ceil": ("ceil",),
}
_COUNTS = (1, 2, *(3, 4, 5, 6) * 5)  # of scores in a report; the fewer, the larger and slower the region
_SLACK = Decimal("1e-40")  # of the oracle's own 60 digits


def cases(seed: int, largest: int) -> Iterator[Case]:
    """Random matrices with totals up to ``largest`` and one to six of their scores, rounded."""
    rng = random.Random(seed)
    while True:
        total = rng.randint(1, rng.choice([30, 300, largest]))
        p = rng.choice([rng.randint(0, total), rng.randint(0, total), total // 2, rng.randint(0, max(1, total // 20))])
        p = min(p, total)
        tp = rng.choice([rng.randint(0, p), rng.randint((p + 1) // 2, p), p, 0])
        tn = rng.choice([rng.randint(0, total - p), rng.randint((total - p + 1) // 2, total - p), total - p])
        cells = tp, total - p - tn, p - tp, tn
        rounding = rng.choice(list(_HOW))
        digits = rng.randint(2, 4)
        report = {}
        for name in rng.sample(oracle.TWENTY, rng.choice(_COUNTS)):
            exact = oracle.value(name, *cells)
            if exact is not None and exact.is_finite():
                report[name] = oracle.printed(exact, digits, rng.choice(_HOW[rounding]))
        if report:
            yield cells, report, rounding


def outside(found: sp.Reconstruction, cells: Cells) -> str | None:
    """The name of a range that the truth escapes; None if it escapes none."""
    total = sum(cells)
    scale = 1 if found.known != "rates" else total
    truths = {name: Fraction(cell, scale) for name, cell in zip(("tp", "fp", "fn", "tn"), cells, strict=True)}
    truths["prevalence"] = Fraction(cells[0] + cells[2], total)
    for name, truth in truths.items():
        if name not in found.ranges or not found.ranges[name].holds(truth):
            return name
    for name in oracle.TWENTY:
        exact = oracle.value(name, *cells)
        if exact is None or not exact.is_finite() or name in ("f2", "f2n"):
            continue
        span = found.ranges.get(name)
        if span is None or Fraction(exact + _SLACK) < span.low:
            return name
        if span.high is not None and Fraction(exact - _SLACK) > span.high:
            return name
    return None


def judge_rates(case: Case) -> str:
    """A true report without any count: consistent or undecided, and the truth inside every range."""
    cells, report, rounding = case
    sharp = sum(cells) % 50 == 0  # soundness does not depend on tightness, time does
    found = sp.reconstruct(report, rounding=rounding, tightness=1e-4 if sharp else 0.05)
    if found.verdict == "inconsistent":
        return f"FALSE ALARM {case}"
    if found.verdict == "consistent":
        escaped = outside(found, cells)
        if escaped:
            return f"ESCAPED {escaped} {case}"
    return str(found.verdict)


def judge_total(case: Case) -> str:
    """A true report with its total: consistent, the truth inside every range and among the matrices."""
    cells, report, rounding = case
    found = sp.reconstruct(report, total=sum(cells), rounding=rounding)
    if found.verdict != "consistent":
        return f"FALSE ALARM {found.verdict} {case}"
    escaped = outside(found, cells)
    if escaped:
        return f"ESCAPED {escaped} {case}"
    if found.groups is not None:
        tp, _, fn, tn = cells
        blocks = (block for group in found.groups if group.p == tp + fn for block in group.solutions)
        if not any(b.tp[0] <= tp <= b.tp[1] and b.tn[0] <= tn <= b.tn[1] for b in blocks):
            return f"NOT LISTED {case}"
    return "consistent"


def judge_moved(case: Case) -> str:
    """A report with one value moved: whatever the verdict, its certificate or witness must hold."""
    cells, report, rounding = case
    name = sorted(report)[sum(cells) % len(report)]
    moved = Decimal(report[name])
    unit = Decimal(1).scaleb(int(moved.as_tuple().exponent))
    report = {**report, name: f"{moved + (3 + sum(cells) % 40) * unit:f}"}
    try:
        found = sp.reconstruct(report, rounding=rounding, total=sum(cells) if cells[0] % 2 else None)
    except sp.ScoreproofError:
        return "refused"
    if found.verdict == "inconsistent" and not sp.verify(found.certificate or {}):
        return f"CERTIFICATE REJECTED {case}"
    if found.verdict == "consistent" and found.witness is not None:
        matrix = found.witness.matrix
        kept = sp.check(sp.TestSet(matrix.p, matrix.n), report, rounding=rounding, strict=True)
        if kept.verdict != "consistent":
            return f"WITNESS FAILS {case}"
    return str(found.verdict)


def main() -> int:
    """Run all kinds and print the tallies; status 1 if anything went wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=20_000)
    parser.add_argument("--largest", type=int, default=5_000, help="largest total")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", choices=("rates", "total", "moved"), help="one kind of run")
    options = parser.parse_args()
    console = Console()
    wrong = 0
    runs: dict[str, tuple[str, Callable[[Case], str], int]] = {
        "rates": ("true reports, nothing known", judge_rates, options.cases),
        "total": ("true reports, total known", judge_total, options.cases),
        "moved": ("moved reports", judge_moved, options.cases // 4),
    }
    for title, judge, count in [runs[options.only]] if options.only else runs.values():
        tally: Counter[str] = Counter()
        with Progress(console=console, redirect_stderr=False) as progress:
            task = progress.add_task(title, total=count)
            for number, case in enumerate(cases(options.seed, options.largest)):
                if number == count:
                    break
                answer = judge(case)
                if answer[0].isupper():
                    wrong += 1
                    console.print(answer)
                tally[answer if not answer[0].isupper() else "wrong"] += 1
                progress.advance(task)
                if number % 1000 == 999 and not console.is_terminal:
                    print(f"{title}: {number + 1} cases, {dict(tally)}", file=sys.stderr, flush=True)
        console.print(f"{title}: {count} cases, seed {options.seed}: {dict(tally)}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
