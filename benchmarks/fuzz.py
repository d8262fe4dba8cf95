"""Long random runs against the oracle: no false alarm, no miss, every certificate holds (``make fuzz``)."""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
from rich.console import Console
from rich.progress import Progress

import scoreproof as sp
from benchmarks import fuzz_averages as averages
from benchmarks import fuzz_claims, oracle, tiny_means
from benchmarks import fuzz_without_counts as without_counts
from benchmarks.recorded import record

_HALVES = {"any": (2, 2), "nearest": (1, 1), "floor": (0, 2), "ceil": (2, 0)}
_PRINTED_AS = {
    "any": ("half_up", "half_even", "floor", "ceil"),
    "nearest": ("half_up", "half_even"),
    "floor": ("floor",),
    "ceil": ("ceil",),
}
Case = tuple[int, int, dict[str, str], str]


def bounds(text: str, rounding: str) -> oracle.Bounds:
    """The oracle's own reading of a text: its value give or take what the rule allows."""
    exact = Decimal(text)
    machine = _believed(exact)
    if machine is not None:
        return Fraction(exact) - machine, Fraction(exact) + machine
    half = Fraction(1, 2 * 10 ** -int(exact.as_tuple().exponent))
    below, above = _HALVES[rounding]
    return Fraction(exact) - below * half, Fraction(exact) + above * half


def _believed(exact: Decimal) -> Fraction | None:
    """How far the print of a machine number is believed, asked of numpy; None for an ordinary decimal."""
    digits, places = len(exact.as_tuple().digits), -int(exact.as_tuple().exponent)
    both = (float(exact), float(100 * exact))
    if not exact or digits < 6:
        return None
    shortened = [(f"{np.float32(x):.{places - 2 * k}f}", f"{100**k * exact:f}") for k, x in enumerate(both)]
    if any(abs(x) < 60_000 and float(np.float16(x)) == x for x in both):
        kept = 3
    elif (digits >= 9 and any(float(np.float32(x)) == x for x in both)) or (
        digits >= 7 and abs(exact) <= 1 and any(Decimal(made) == Decimal(given) for made, given in shortened)
    ):
        kept = 6
    elif digits >= 15:
        kept = 13
    else:
        return None
    return Fraction(10) ** max(exact.adjusted() + 1 - kept, -kept)


def true_report(rng: random.Random, p: int, n: int, most: int = 8) -> tuple[dict[str, str], str] | None:
    """Scores of a random matrix, printed; None if too few of them are defined."""
    tp = rng.choice([0, p, rng.randint(0, p), rng.randint(0, p), rng.randint((p + 1) // 2, p)])
    tn = rng.choice([0, n, rng.randint(0, n), rng.randint(0, n), rng.randint((n + 1) // 2, n)])
    rounding = rng.choice(list(_PRINTED_AS))
    digits = rng.randint(2, 5)
    report: dict[str, str] = {}
    for name in rng.sample(oracle.TWENTY, rng.randint(2, most)):
        exact = oracle.value(name, tp, n - tn, p - tp, tn)
        if exact is not None:
            report[name] = oracle.printed(exact, digits, rng.choice(_PRINTED_AS[rounding]))
    return (report, rounding) if len(report) > 1 else None


def true_cases(seed: int) -> Iterator[Case]:
    """Reports of true matrices: p, n from 1 to 5,000, some to 10^6."""
    rng = random.Random(seed)
    while True:
        top = rng.choice([5, 60, 500, 5000, 5000, 10**6])
        p, n = rng.randint(1, top), rng.randint(1, top)
        made = true_report(rng, p, n)
        if made is not None:
            yield p, n, *made


def moved_cases(seed: int) -> Iterator[Case]:
    """Reports with p, n up to 60 in which some values are moved by a few units of the last digit."""
    rng = random.Random(seed)
    while True:
        p, n = rng.randint(1, 60), rng.randint(1, 60)
        made = true_report(rng, p, n, most=6)
        if made is None:
            continue
        report, rounding = made
        for name in rng.sample(list(report), rng.randint(1, len(report))):
            exact = Decimal(report[name])
            unit = Decimal(1).scaleb(int(exact.as_tuple().exponent))
            report[name] = f"{exact + rng.choice([-20, -3, -2, -1, 1, 2, 3, 20]) * unit:f}"
        yield p, n, report, rounding


def judge_true(case: Case) -> str:
    """'consistent', or what went wrong with a true report."""
    p, n, report, rounding = case
    result = sp.check(sp.TestSet(p, n), report, rounding=rounding, strict=True)
    return str(result.verdict) if result.verdict is sp.Verdict.CONSISTENT else f"FALSE ALARM {case}"


def judge_moved(case: Case) -> str:
    """The verdict if brute force agrees and the certificate holds; what went wrong otherwise."""
    p, n, report, rounding = case
    limits = {name: bounds(text, rounding) for name, text in report.items()}
    defined = bool(oracle.feasible(p, n, limits).any())
    for undefined, possible in (("exclude", defined), ("any", defined or oracle.feasible_with_zeros(p, n, limits))):
        result = sp.check(sp.TestSet(p, n), report, rounding=rounding, undefined=undefined, strict=True)
        if (result.verdict is sp.Verdict.CONSISTENT) is not possible:
            return f"WRONG: {result.verdict} {undefined} {case}"
        if result.verdict is sp.Verdict.INCONSISTENT and not sp.verify(result.certificate or {}):
            return f"CERTIFICATE REJECTED {case}"
    return str(result.verdict)


def main() -> int:
    """Run both kinds and print the tallies; status 1 if anything went wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--cases",
        type=int,
        default=200_000,
        help="true reports; a quarter as many moved ones, a tenth as many true means, reports without counts and "
        "claims, a fortieth as many tiny means",
    )
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    console = Console()
    wrong: list[str] = []
    runs: tuple[tuple[str, Callable[[int], Iterator[Any]], Callable[[Any], str], int], ...] = (
        ("true reports, never to be flagged", true_cases, judge_true, options.cases),
        ("moved reports against brute force", moved_cases, judge_moved, options.cases // 4),
        ("true means, never to be flagged", averages.true_reports, averages.judge_true, options.cases // 10),
        ("tiny means against trying everything", tiny_means.reports, tiny_means.judge, options.cases // 40),
        ("true averages without counts", without_counts.averages, without_counts.judge, options.cases // 10),
        ("true errors of predicted numbers", without_counts.errors, without_counts.judge, options.cases // 10),
        ("true pairs of models on one test set", without_counts.pairs, without_counts.judge, options.cases // 10),
        ("claims of significance, true and false", fuzz_claims.cases, fuzz_claims.judge, options.cases // 10),
    )
    for title, make, judge, cases in runs:
        tally: Counter[str] = Counter()
        with Progress(console=console) as progress:
            task = progress.add_task(title, total=cases)
            for number, case in enumerate(make(options.seed)):
                if number == cases:
                    break
                answer = judge(case)
                if answer[0].isupper():
                    wrong.append(answer)
                    console.print(answer)
                tally[answer if not answer[0].isupper() else "wrong"] += 1
                if number % 100 == 99:
                    progress.update(task, completed=number + 1)
            progress.update(task, completed=cases)
        console.print(f"{title}: {cases} cases, seed {options.seed}: {dict(tally)}")
        record(title, cases, f"{tally['wrong']} wrong, {tally['undecided']} undecided")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
