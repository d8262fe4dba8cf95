"""Long random runs of reports on several classes: against all matrices there are, and of true scikit-learn reports.

``python -m benchmarks.fuzz_multiclass --cases 5000 --reports 20000 --seed 1 --journal FILE`` prints what disagreed and
what stayed undecided; the exit status is 1 if anything disagreed. Case number i of a seed is always the same, and with
the journal of an interrupted run what is done is left out.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from tests.class_reports import Counts, all_matrices, random_report

import scoreproof as sp
from benchmarks.recorded import record
from benchmarks.resuming import counted
from scoreproof.errors import InvalidValue
from scoreproof.papers.table_semantics import report_problem
from scoreproof_verify import verify_certificate

SIZES = [(3, 2, 4), (4, 4, 4), (1, 6, 3), (0, 4, 5), (2, 2, 3, 2), (6, 5, 1), (3, 3, 0, 3), (5, 2, 2), (1, 1, 8)]
_SECONDS = 10.0


def decided(ask: Callable[[float], Any]) -> Any:
    """An answer that had so many seconds of the processor, if it is undecided: budgets are those of a clock, and long
    runs get little of a machine with other work."""
    start = time.process_time()
    answer = ask(_SECONDS)
    while answer.verdict == "undecided" and time.process_time() - start < _SECONDS:
        answer = ask(20 * _SECONDS)
    return answer


def against_brute_force(number: int, seed: int) -> str:
    """One random or moved report against every matrix; in words what became of it."""
    rng = random.Random(f"{seed} {number}")
    every = all_matrices(rng.choice(SIZES))
    report = random_report(rng, rng.choice(every))
    if not report.texts:
        return "empty"
    try:
        answer = decided(
            lambda budget: sp.check(
                sp.MultiClass(report.n), report.scores, budget=budget, **report.options, strict=True
            )
        )
    except InvalidValue:
        return "refused"
    if answer.verdict == "undecided":
        return "undecided"
    if answer.witness is not None and len(report.n) > 2:
        tried: Sequence[Counts] = [Counts(report.n, tuple(answer.witness.counts[0]), sum(report.n))]  # what is shown
    else:
        tried = every
    possible = any(map(report.given_by, tried))
    if (answer.verdict == "consistent") != possible:
        return f"WRONG: {report} is {'possible' if possible else 'impossible'}"
    if answer.certificate is not None and not verify_certificate(answer.certificate):  # however long it takes
        return f"WRONG: the certificate of {report} does not hold"
    return str(answer.verdict)


def printed_report(number: int, seed: int) -> str:
    """What scikit-learn prints for random predictions: 3 to 50 classes, up to 10^5 cases, classes never predicted."""
    from sklearn.metrics import classification_report

    rng = np.random.default_rng([seed, number])
    k = int(rng.integers(3, 51))
    total = int(10 ** rng.uniform(1.3, 5))
    truth = rng.choice(k, size=total, p=rng.dirichlet(np.full(k, rng.choice([0.5, 2, 20]))))
    said = np.where(rng.random(total) < rng.uniform(0.1, 0.999), truth, rng.integers(0, k, size=total))
    if rng.random() < 0.3:
        said[said == 0] = 1
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        text = classification_report(
            truth, said, digits=int(rng.integers(2, 5)), zero_division=int(rng.integers(2)), labels=range(k)
        )
    return str(text)


def true_report(number: int, seed: int) -> str:
    problem = report_problem(printed_report(number, seed))
    answer = decided(lambda budget: sp.ask(problem, budget=budget))
    return (
        f"WRONG: report {number} of seed {seed} is flagged" if answer.verdict == "inconsistent" else str(answer.verdict)
    )


RUNS: dict[str, Callable[[int, int], str]] = {"against brute force": against_brute_force, "true reports": true_report}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=5000)
    parser.add_argument("--reports", type=int, default=20000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--journal", type=Path)
    given = parser.parse_args()
    out = Console()
    wrong = 0
    for what, count in zip(RUNS, (given.cases, given.reports), strict=True):
        if not count:
            continue
        seen = counted(what, RUNS[what], count, given.seed, given.journal)
        for word in seen:
            if word.startswith("WRONG"):
                out.print(word, markup=False)
        flaws = sum(number for word, number in seen.items() if word.startswith("WRONG"))
        told = {word: number for word, number in seen.items() if not word.startswith("WRONG")}
        out.print(f"{what}: {told}, {flaws} wrong", markup=False)
        record(f"several classes, {what}", count, f"{flaws} wrong, {seen['undecided']} undecided")
        wrong += flaws
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
