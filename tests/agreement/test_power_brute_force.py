"""Exact power and strength against trying everything with other code; simulation against the exact sum."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from itertools import product
from random import Random

import pytest
from benchmarks import oracle

from scoreproof.checking.check import check
from scoreproof.insight import strength_of_pass as passing
from scoreproof.insight.deviations import LastDigit, OtherCounts, OtherExperiment
from scoreproof.insight.outcomes import PlausibleClassifier, mean_units
from scoreproof.insight.power_analysis import power
from scoreproof.insight.strength_of_pass import strength
from scoreproof.kinds.binary.experiment import KFold, TestSet
from scoreproof.kinds.binary.scores import ConfusionMatrix, score
from scoreproof.reported import Rounding, report
from scoreproof.reported.conventions import Undefined

PRINTED = {"any": "half_up", "nearest": "half_up", "floor": "floor", "ceil": "ceil"}
CASES = [
    ((5, 7), ["acc", "sens"], "any"),
    ((5, 7), ["acc", "mcc"], "nearest"),
    ((6, 4), ["f1", "kappa", "npv"], "floor"),
    ((8, 3), ["gm", "ppv"], "ceil"),
    ((4, 9), ["lrp", "bacc"], "nearest"),
    ((6, 6), ["dor", "pt"], "any"),
    ((7, 5), ["fm", "upm", "ji"], "nearest"),
]


def reports(p: int, n: int, names: list[str], digits: int, rounding: str) -> Iterator[tuple[int, ...]]:
    """The printed report of every matrix in which all scores are defined, in units of the last digit."""
    for tp, tn in product(range(p + 1), range(n + 1)):
        values = [oracle.value(name, tp, n - tn, p - tp, tn) for name in names]
        if all(value is not None and value.is_finite() for value in values):
            yield tuple(
                int(Decimal(oracle.printed(value, digits, PRINTED[rounding])).scaleb(digits))
                for value in values
                if value is not None
            )


def fits(p: int, n: int, names: list[str], units: tuple[int, ...], digits: int, rounding: str) -> bool:
    below, above = {"any": (2, 2), "nearest": (1, 1), "floor": (0, 2), "ceil": (2, 0)}[rounding]
    half = 2 * 10**digits
    bounds = {
        name: (Fraction(2 * unit - below, half), Fraction(2 * unit + above, half))
        for name, unit in zip(names, units, strict=True)
    }
    return bool(oracle.feasible(p, n, bounds).any())


@pytest.mark.parametrize("digits", [1, 2])
@pytest.mark.parametrize(("counts", "names", "rounding"), CASES)
def test_last_digit(counts: tuple[int, int], names: list[str], rounding: str, digits: int) -> None:
    noticed, total = Fraction(0), 0
    for units in reports(*counts, names, digits, rounding):
        total += 1
        for place, name in enumerate(names):
            least, most = score(name).range
            slips = [units[place] + step for step in (-1, 1)]
            kept = [
                slip
                for slip in slips
                if (least is None or slip >= least * 10**digits) and (most is None or slip <= most * 10**digits)
            ]
            for slip in kept:
                altered = (*units[:place], slip, *units[place + 1 :])
                missed = fits(*counts, names, altered, digits, rounding)
                noticed += Fraction(not missed, len(names) * len(kept))
    found = power(TestSet(*counts), names, digits, deviation=LastDigit(), rounding=rounding, exact=True)
    assert found.trials == total
    assert found.power == pytest.approx(float(noticed / total), abs=1e-12)


@pytest.mark.parametrize(("counts", "names", "rounding"), CASES[:4])
def test_other_counts(counts: tuple[int, int], names: list[str], rounding: str) -> None:
    p, n = counts
    true = list(reports(p + 1, n, names, 2, rounding))
    missed = sum(fits(p, n, names, units, 2, rounding) for units in true)
    found = power(TestSet(p, n), names, 2, deviation=OtherCounts(p=p + 1), rounding=rounding, exact=True)
    assert found.power == pytest.approx(1 - missed / len(true), abs=1e-12)


@pytest.mark.parametrize("classifier", ["any", PlausibleClassifier(0.6, 0.9)])
def test_simulation_agrees_with_the_exact_sum(classifier: str | PlausibleClassifier) -> None:
    options = {"deviation": LastDigit("f1"), "rounding": "nearest", "classifier": classifier, "jobs": 1}
    for seed in range(3):
        drawn = power(
            TestSet(23, 31), ["acc", "f1", "mcc"], 2, trials=400, exact=False, level=0.999, seed=seed, **options
        )
        exact = power(TestSet(23, 31), ["acc", "f1", "mcc"], 2, exact=True, **options)
        assert drawn.undecided == 0
        assert drawn.low <= exact.power <= drawn.high


def test_tiny_folds_against_all_of_their_outcomes() -> None:
    """Two folds of (2, 2): every pair of matrices is listed, and a report is tested by listing them again."""
    folds = list(product(range(3), repeat=4))
    truth = [Fraction(a + b, 8) + Fraction(c + d, 8) for a, b, c, d in folds]
    passing_means = set(truth)
    performed = [
        Fraction(a + b, 10) + Fraction(c + d, 10)
        for a, c in product(range(3), repeat=2)
        for b, d in product(range(4), repeat=2)
    ]

    def printed(value: Fraction) -> int:
        return int(value * 100 + Fraction(1, 2))

    noticed = [
        all(abs(mean - Fraction(printed(value), 100)) > Fraction(1, 200) for mean in passing_means)
        for value in performed
    ]
    expected = sum(noticed) / len(noticed)
    found = power(
        KFold(p=4, n=4, k=2),
        "acc",
        2,
        deviation=OtherExperiment(KFold(p=4, n=6, k=2)),
        rounding="nearest",
        trials=400,
        level=0.999,
        jobs=1,
    )
    assert found.low <= expected <= found.high
    assert 0.2 < expected < 1


def test_printed_means_against_decimals() -> None:
    luck = Random(11)
    for _ in range(300):
        name = luck.choice(["acc", "f1", "mcc", "gm", "pt", "kappa"])
        cells = [tuple(luck.randint(1, 9) for _ in range(4)) for _ in range(3)]
        digits, rule = luck.choice([1, 3, 5]), luck.choice(list(PRINTED))
        values = [oracle.value(name, *one) for one in cells]
        mean = sum(value for value in values if value is not None) / 3
        expected = int(Decimal(oracle.printed(Decimal(mean), digits, PRINTED[rule])).scaleb(digits))
        if mean < 0 and PRINTED[rule] == "half_up":
            expected = int((Decimal(mean).scaleb(digits) + Decimal("0.5")).to_integral_value("ROUND_FLOOR"))
        sets = [(Fraction(1, 3), ConfusionMatrix(*one)) for one in cells]
        found = mean_units(score(name), sets, 10**digits, Rounding.of(rule), Undefined.EXCLUDE)
        assert found == expected


@pytest.mark.parametrize(
    ("counts", "texts", "rounding"),
    [
        ((20, 30), {"acc": "0.82", "sens": "0.75"}, "any"),
        ((20, 30), {"acc": "0.82", "f1": "0.77"}, "nearest"),
        ((12, 9), {"mcc": "0.62", "npv": "0.98"}, "nearest"),
        ((40, 25), {"kappa": "-0.03", "ppv": "0.61"}, "floor"),
        ((15, 15), {"lrp": "3.0", "gm": "0.7"}, "any"),
    ],
)
def test_strength_by_checking_every_report(counts: tuple[int, int], texts: dict[str, str], rounding: str) -> None:
    ranges = []
    for name, text in texts.items():
        digits = len(text.partition(".")[2])
        reach = Decimal("0.05") if name != "lrp" else max(Decimal("0.05") * Decimal(text), Decimal("0.1"))
        unit = Decimal(1).scaleb(-digits)
        steps = [Decimal(text) + step * unit for step in range(-10, 11)]
        top = Decimal(1) if name != "lrp" else Decimal(99)
        ranges.append([f"{v:.{digits}f}" for v in steps if abs(v - Decimal(text)) <= reach and v <= top])
    passed = total = 0
    for values in product(*ranges):
        total += 1
        given = {name: report(name, value, rounding=rounding) for name, value in zip(texts, values, strict=True)}
        passed += check(TestSet(*counts), given, strict=True).verdict == "consistent"
    found = strength(check(TestSet(*counts), texts, rounding=rounding, strict=True))
    assert found.exact
    assert found.reports == total
    assert found.fraction == pytest.approx(passed / total, abs=1e-12)


def test_a_sample_of_matrices_agrees_with_the_count(monkeypatch: pytest.MonkeyPatch) -> None:
    result = check(TestSet(150, 260), {"acc": "0.812", "f1": "0.747", "spec": "0.825"}, rounding="nearest", strict=True)
    exact = strength(result)
    assert exact.method == "count"
    monkeypatch.setattr(passing, "_MOST_CELLS", 0)
    inside = 0
    for seed in range(20):
        drawn = strength(result, seed=seed)
        assert drawn.method == "sample of matrices"
        inside += drawn.low <= exact.fraction <= drawn.high
    assert inside >= 17
