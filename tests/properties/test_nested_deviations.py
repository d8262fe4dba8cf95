"""A ± over nested means: true reports are never flagged, proofs hold for both verifiers, and what cannot be is said."""

from fractions import Fraction
from itertools import islice
from statistics import pstdev, stdev
from typing import Any

import pytest
from benchmarks import fuzz_averages
from hypothesis import given
from hypothesis import strategies as st

import scoreproof as sp
from scoreproof.kinds.binary.engine.averages.points import root_above, square_bounds
from scoreproof.kinds.binary.kind import KIND
from scoreproof_verify.documents import Document
from scoreproof_verify.replay import flattening
from scoreproof_verify.replay.flattening import demands_of
from scoreproof_verify.statement import read_statement

DATASETS = sp.MeanOfScores([sp.KFold(40, 60, 5), sp.KFold(30, 90, 5)])
UNEVEN = sp.MeanOfScores([sp.TestSet(3, 4), sp.MeanOfScores([sp.TestSet(2, 2), sp.TestSet(1, 3), sp.TestSet(2, 1)])])


@pytest.mark.parametrize("seed", range(4))
def test_true_reports_of_nested_means_are_not_flagged(seed: int) -> None:
    for report in islice(fuzz_averages.nested_reports(seed), 6):
        answer = fuzz_averages.judge_true(report, budget=0.5)
        assert answer in ("consistent", "undecided"), answer


small = st.tuples(st.integers(1, 4), st.integers(1, 4))


@given(
    st.lists(st.lists(small, min_size=1, max_size=3), min_size=2, max_size=3).filter(lambda x: max(map(len, x)) > 1),
    st.sampled_from(["acc", "bacc", "ppv", "f1"]),
    st.sampled_from(["parts", "folds"]),
    st.booleans(),
    st.randoms(use_true_random=False),
)
def test_what_true_matrices_give_is_within_what_both_sides_demand(
    sizes: list[list[tuple[int, int]]], name: str, over: str, sample: bool, rng: Any
) -> None:
    """The rows of the engine and the limits of the verifier hold for matrices that give the report."""
    cells = [[(rng.randint(0, p), rng.randint(0, n)) for p, n in part] for part in sizes]
    points = [(p, n, tp, tn) for part, mine in zip(sizes, cells, strict=True)
              for (p, n), (tp, tn) in zip(part, mine, strict=True)]  # fmt: skip
    score = sp.score(name)
    ratios = [score.ratio(tp, n - tn, p - tp, tn) for p, n, tp, tn in points]
    if any(den == 0 for _, den in ratios):
        return
    values = [Fraction(num, den) for num, den in ratios]
    parts, at = [], 0
    for part in sizes:
        parts.append(sum(values[at : at + len(part)]) / len(part))
        at += len(part)
    mean = sum(parts) / len(parts)
    spread = (stdev if sample else pstdev)([float(x) for x in (parts if over == "parts" else values)])
    tree = sp.MeanOfScores(
        [
            sp.MeanOfScores([sp.TestSet(*one) for one in part]) if len(part) > 1 else sp.TestSet(*part[0])
            for part in sizes
        ]
    )
    text = f"{float(mean):.3f} ± {spread:.3f}"
    problem = KIND.problem(tree, {name: text}, spread_over=over, divisor="any", undefined="zero")
    demand = KIND._constraints(problem)
    low, high = square_bounds(demand.targets[0], demand)
    squares = sum((x - demand.targets[0].centre) ** 2 for x in values)
    assert low <= squares
    assert high is None or squares <= high
    statement = demands_of(read_statement(Document(problem.to_dict()), {}), {})
    assert statement.judge(points) is not False


def test_roots_are_rounded_up_alike_on_both_sides() -> None:
    for x in (Fraction(0), Fraction(1, 4), Fraction(2), Fraction(1, 3**40), Fraction(10**9, 7)):
        assert root_above(x) == flattening.root_above(x)
        assert root_above(x) ** 2 >= x


def test_a_deviation_over_the_parts_is_not_one_over_the_sets() -> None:
    text = {"acc": "0.850 ± 0.050"}
    assert sp.check(DATASETS, text, divisor="population", strict=True).notes == (
        "the ± fits as taken over all evaluation sets",
    )
    parts = sp.check(DATASETS, text, spread_over="parts", divisor="population", rounding="nearest", strict=True)
    assert parts.verdict == "consistent"
    near = sp.check(
        sp.MeanOfScores([sp.KFold(10, 10, 2)] * 2), {"acc": "0.825 ± 0.013"}, spread_over="parts", strict=True
    )
    assert near.verdict == "inconsistent"
    wide = sp.check(DATASETS, {"acc": "0.850 ± 0.350"}, spread_over="parts", strict=True)
    assert wide.verdict == "inconsistent"
    assert "means of the parts" in str(sp.verify(wide.certificate or {}))


@pytest.mark.parametrize(
    ("text", "over"),
    [("0.700 ± 0.001", "any"), ("0.951 ± 0.300", "any"), ("0.700 ± 0.200", "parts"), ("0.650 ± 0.010", "folds")],
)
def test_refutations_of_uneven_nested_means_are_verified(text: str, over: str) -> None:
    found = sp.check(UNEVEN, {"acc": text}, spread_over=over, rounding="nearest", undefined="exclude", strict=True)
    assert found.verdict in ("consistent", "inconsistent")
    if found.certificate is not None:
        assert sp.verify(found.certificate)


def test_a_mean_of_one_part_has_no_deviation() -> None:
    with pytest.raises(sp.ScoreproofError, match="at least two parts"):
        sp.check(sp.MeanOfScores([sp.KFold(10, 10, 2)]), {"acc": "0.80 ± 0.01"}, strict=True)
    with pytest.raises(sp.ScoreproofError, match="speaks of parts"):
        sp.check(sp.TestSet(10, 10), {"acc": "0.80"}, minimum={"acc": "0.7"}, strict=True)


def test_a_deviation_that_may_be_of_another_sort_refutes_nothing_by_itself() -> None:
    """Authors also print the mean of the parts' own deviations."""
    datasets = sp.MeanOfScores([sp.KFold(40, 60, 5), sp.KFold(30, 90, 5)])
    assert sp.check(datasets, {"acc": "0.850 ± 0.350"}, spread_over="parts", strict=True).verdict == "inconsistent"
    answer = sp.check(datasets, {"acc": "0.850 ± 0.600"}, strict=True)
    assert answer.verdict == "undecided"
    assert "own deviations" in answer.reason
    report = {"acc": "0.850 ± 0.010", "sens": "0.8000", "spec": "0.99"}
    assert sp.check(datasets, report, rounding="nearest", strict=True).verdict == "inconsistent"


def test_extremes_of_sets_beside_a_deviation_of_parts_are_looked_for() -> None:
    """Points that reach an extreme are drawn aside: what is joined is about the other sets, and it ends in words."""
    nested = sp.MeanOfScores([sp.MeanOfScores([sp.TestSet(0, 2), sp.TestSet(1, 2)]), sp.TestSet(0, 1)])
    options = {"divisor": "each", "spread_over": "parts", "extremes_over": "folds", "maximum": {"acc": "1.000"}}
    refuted = sp.check(nested, {"acc": "0.500 ± 0.502", "spec": "0.501"}, budget=5, **options, strict=True)
    assert refuted.verdict is sp.Verdict.INCONSISTENT
    # one of two right in the first set and all in the others: means of parts 3/4 and 1
    fits = sp.check(nested, {"acc": "0.875 ± 0.177"}, budget=5, **options, strict=True)
    assert fits.verdict is sp.Verdict.CONSISTENT
