"""With a known total the matrices and ranges are those of brute force over every matrix of that total."""

from __future__ import annotations

import random
from decimal import Decimal
from fractions import Fraction

import numpy as np
from benchmarks import oracle

import scoreproof as sp

CASES = 150
_HOW = {"nearest": "half_up", "any": "floor", "floor": "floor", "ceil": "ceil"}
_RANGED = ("acc", "sens", "spec", "ppv", "npv", "f1", "mcc", "kappa", "bacc", "mk", "gm", "ji")


def bounds(text: str, rounding: str) -> tuple[Fraction, Fraction]:
    exact, unit = Fraction(text), Fraction(1, 10 ** len(text.partition(".")[2]))
    below, above = {"nearest": (1, 1), "any": (2, 2), "floor": (0, 2), "ceil": (2, 0)}[rounding]
    return exact - below * unit / 2, exact + above * unit / 2


def exhaustive(total: int, report: dict[str, str], rounding: str) -> set[tuple[int, int, int, int]]:
    """Every matrix of this total that has the reported scores, by looking at all of them."""
    limits = {name: bounds(text, rounding) for name, text in report.items()}
    found = set()
    for p in range(total + 1):
        n = total - p
        for tp, tn in np.argwhere(oracle.feasible(p, n, limits)).tolist():
            found.add((tp, n - tn, p - tp, tn))
    return found


def small_report(rng: random.Random) -> tuple[int, dict[str, str], str] | None:
    total = rng.randint(1, 24)
    p = rng.randint(0, total)
    tp, tn = rng.randint(0, p), rng.randint(0, total - p)
    rounding = rng.choice(list(_HOW))
    report = {}
    for name in rng.sample(oracle.TWENTY, rng.randint(1, 4)):
        exact = oracle.value(name, tp, total - p - tn, p - tp, tn)
        if exact is not None:
            report[name] = oracle.printed(exact, rng.randint(1, 3), _HOW[rounding])
    if report and rng.random() < 0.3:
        name = rng.choice(list(report))
        text = Decimal(report[name])
        report[name] = f"{text + rng.choice([-3, -1, 1, 3]) * Decimal(1).scaleb(int(text.as_tuple().exponent)):f}"
    return (total, report, rounding) if report else None


def agrees(total: int, report: dict[str, str], rounding: str) -> str:
    """'ok', 'inconsistent', or where a reconstruction and brute force part."""
    truth = exhaustive(total, report, rounding)
    found = sp.reconstruct(report, total=total, rounding=rounding)
    if (found.verdict == "consistent") is not bool(truth):
        return f"verdict {found.verdict}"
    if not truth:
        return "inconsistent" if sp.verify(found.certificate or {}) else "certificate"
    if {matrix.cells for matrix in found.matrices()} != truth:
        return "matrices"
    if {group.p for group in found.groups or ()} != {tp + fn for tp, _, fn, _ in truth}:
        return "admissible p"
    for k, name in enumerate(("tp", "fp", "fn", "tn")):
        if (found.ranges[name].low, found.ranges[name].high) != (min(c[k] for c in truth), max(c[k] for c in truth)):
            return name
    for name in _RANGED:
        values = [value for cells in truth if (value := oracle.value(name, *cells)) is not None]
        span = found.ranges.get(name)
        if (span is None) is not (not values):
            return f"{name} {span} {values}"
        if span is not None and span.high is not None:
            near = Fraction(1, 10**11)
            if abs(Fraction(min(values)) - span.low) > near or abs(Fraction(max(values)) - span.high) > near:
                return f"{name} {span}"
    return "ok"


def test_small_totals_equal_brute_force() -> None:
    rng = random.Random(11)
    tally: dict[str, int] = {}
    while sum(tally.values()) < CASES:
        made = small_report(rng)
        if made is not None:
            answer = agrees(*made)
            assert answer in ("ok", "inconsistent"), (made, answer)
            tally[answer] = tally.get(answer, 0) + 1
    assert tally["ok"] > CASES // 2
    assert tally["inconsistent"] > 5
