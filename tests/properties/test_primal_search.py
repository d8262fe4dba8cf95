"""Looking for witnesses: what each way of looking promises of itself; that what it finds gives the report is judged."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

import scoreproof as sp
from scoreproof.kinds import kind_named
from scoreproof.kinds.binary.engine.averages.constraints import Bound, Constraints
from scoreproof.kinds.binary.engine.averages.fit import fit, random_start
from scoreproof.kinds.binary.engine.averages.integer_rows import dealt_evenly, decide_rows, settled
from scoreproof.kinds.binary.engine.averages.local_search import Choice, diffused, listed, rounded
from scoreproof.kinds.binary.engine.averages.primal_search import Extremes, PrimalSearch
from scoreproof.kinds.binary.engine.averages.sums import Sums
from scoreproof.kinds.binary.experiment.normal import stratified_folds
from scoreproof.solve.integer_rows import IntegerRow, NearestPoints, ReducedBasis
from scoreproof.solve.meet_in_the_middle import join
from scoreproof.work.budget import NEVER, Budget

FIVE = sp.KFold(100, 205, 5)
OPEN = sp.KFold(26, 24, 7, stratified=False)
SMALL = sp.MeanOfScores([sp.TestSet(p, n) for p, n in [(9, 7), (12, 18), (5, 9), (20, 11), (8, 8), (14, 6)]])
REPORTS: dict[str, tuple[sp.Experiment, dict[str, str]]] = {
    "stratified": (FIVE, {"acc": "0.8328", "sens": "0.7600", "f1": "0.7488", "mcc": "0.6246"}),
    "with ±": (FIVE, {"acc": "0.8328 ± 0.0161", "sens": "0.7600 ± 0.0374", "spec": "0.8683 ± 0.0119"}),
    "open": (sp.KFold(101, 204, 5, stratified=False), {"acc": "0.8328", "sens": "0.7600", "ppv": "0.7400"}),
    "tiny open folds with ±": (
        sp.KFold(21, 82, 5, repeats=10, stratified=False),
        {"acc": "0.8020 ± 0.0877", "kappa": "0.3727 ± 0.2612", "ppv": "0.5055 ± 0.2763", "spec": "0.8694 ± 0.0881"},
    ),
    "repeats": (sp.KFold(40, 60, 5, repeats=10), {"sens": "0.8000", "spec": "0.9000", "f1": "0.8200", "npv": "0.8700"}),
}


def _constraints(experiment: sp.Experiment, scores: dict[str, str], **options: object) -> Constraints:
    kind = kind_named("binary")
    read: Constraints = settled(kind._constraints(kind.problem(experiment, scores, **options)))
    return read


@pytest.mark.parametrize("name", REPORTS)
def test_shares_are_the_scores_of_matrices(name: str) -> None:
    """What whole points contribute adds up to means and squares computed with fractions."""
    constraints = _constraints(*REPORTS[name], divisor="sample")
    sums = Sums(constraints, {}, np.nan)
    rng = np.random.default_rng(1)
    rates = fit(sums, random_start(sums, rng, 0.05), 1, NEVER)
    assert rates.miss <= 1
    choice = Choice(sums, diffused(sums, rates, rng, 1), 1)
    assert choice.allowed
    p, tp, tn = choice.points.astype(int).tolist()
    total = choice.shares.sum(axis=1)
    for row, number in zip(sums.rows, total, strict=False):
        score = sums.scores[row.score]
        cells = [(a, int(s) - q - b, q - a, b) for q, a, b, s in zip(p, tp, tn, sums.size, strict=True)]
        values = [float(score.floor(*matrix, 1 << 60) or 0) / 2**60 for matrix in cells]
        if row.square is None:
            expected = sum(values) / len(values)
        else:
            expected = sum((value - float(row.square.centre)) ** 2 for value in values)
        assert number == pytest.approx(expected, abs=1e-9)
    for number, family in enumerate(sums.families):
        assert sum(q for q, mine in zip(p, sums.family, strict=True) if mine == number) == family.p


@pytest.mark.parametrize("name", ["stratified", "with ±", "open", "repeats"])
def test_what_is_found_gives_the_report(name: str) -> None:
    constraints = _constraints(*REPORTS[name])
    search = PrimalSearch(constraints, 0)
    matrices = search.glance(Budget(30)) or search.run(Budget(30))
    assert matrices is not None
    assert constraints.fits(matrices)


def test_a_deviation_over_repeats_is_reached() -> None:
    kind = kind_named("binary")
    scores = {"spec": "0.944 ± 0.009", "npv": "0.958 ± 0.006"}
    problem = kind.problem(sp.KFold(80, 80, 10, repeats=2), scores, spread_over="repeats", rounding="nearest")
    constraints = settled(kind._constraints(problem))
    matrices = PrimalSearch(constraints, 0).run(Budget(60))
    assert matrices is not None
    assert constraints.fits(matrices)
    means = [Fraction(sum(m.tn for m in matrices[at : at + 10]), 80) for at in (0, 10)]
    assert 2 * ((means[0] - means[1]) / 2) ** 2 == pytest.approx(0.009**2, rel=0.12)


def test_squares_of_means_of_repeats_are_sums_about_a_choice() -> None:
    """Exactly for changes of one set, and of two sets of one repeat with the product of both."""
    kind = kind_named("binary")
    scores = {"f1": "0.750 ± 0.050", "gm": "0.800 ± 0.040"}
    constraints = settled(
        kind._constraints(kind.problem(sp.KFold(30, 60, 3, repeats=4), scores, spread_over="repeats"))
    )
    sums = Sums(constraints, {}, np.nan)
    rng = np.random.default_rng(3)

    def squares(points: np.ndarray) -> np.ndarray:
        means = sums.values(sums.everyone, *points).reshape(2, 4, 3).mean(axis=2)
        return ((means - [[0.75], [0.8]]) ** 2).sum(axis=1)

    points = np.stack([sums.p, rng.integers(2, 9, 12), rng.integers(8, 19, 12)])
    choice = Choice(sums, points.copy(), 0)
    assert choice.shares.sum(axis=1)[1::2] == pytest.approx(squares(points))
    tables = [choice.alternatives(place, points[:, [place]] + [[0, 0], [0, 1], [-1, 2]]) for place in (4, 5, 9)]
    half = np.ones(4)
    both = listed(choice, [4, 5, 9], tables, half, 100, rng)
    rest = choice.shares[:, [0, 1, 2, 3, 6, 7, 8, 10, 11]].sum(axis=1)
    for total, picks in zip(both.sums, both.picks, strict=True):
        moved = points.copy()
        for place, (given_points, _), at in zip((4, 5, 9), tables, picks, strict=True):
            moved[:, place] = given_points[:, at]
        assert (total + rest)[1::2] == pytest.approx(squares(moved))
    choice.put(4, tables[0][0][:, 1], tables[0][1][:, 1])
    assert choice.shares.sum(axis=1)[1::2] == pytest.approx(squares(choice.points))


def test_means_of_repeats_that_deviate_widely_have_a_witness() -> None:
    """Folds dealt at random to repeats would never deviate so: the means of repeats are fitted as well."""
    kind = kind_named("binary")
    scores = {
        "kappa": "0.5229 ± 0.0551",
        "mcc": "0.5225 ± 0.0549",
        "ppv": "0.5954 ± 0.0521",
        "sens": "0.6518 ± 0.0477",
        "spec": "0.8880 ± 0.0211",
    }
    constraints = settled(
        kind._constraints(kind.problem(sp.KFold(4003, 16003, 10, repeats=10), scores, spread_over="repeats"))
    )
    matrices = PrimalSearch(constraints, 0).run(Budget(60))
    assert matrices is not None
    assert constraints.fits(matrices)


def test_tiny_repeats_that_deviate_have_a_witness() -> None:
    """Of combinations of a repeat's folds those are joined that change its mean about as it should be changed."""
    kind = kind_named("binary")
    scores = {"sens": "0.8222 ± 0.0509", "spec": "0.7912 ± 0.0286", "f1": "0.6199 ± 0.0126", "gm": "0.8016 ± 0.0121"}
    problem = kind.problem(sp.KFold(60, 244, 10, repeats=3), scores, spread_over="repeats")
    constraints = settled(kind._constraints(problem))
    matrices = PrimalSearch(constraints, 0).run(Budget(60))
    assert matrices is not None
    assert constraints.fits(matrices)


def test_parts_without_bounds_make_no_rows() -> None:
    constraints = _constraints(*REPORTS["stratified"])
    score = constraints.targets[0].score
    opened = replace(constraints, bounds=(Bound(score, (None, None), (0, 1)),))
    sums, plain = Sums(opened, {}, np.nan), Sums(constraints, {}, np.nan)
    assert sums.count == plain.count
    assert np.isfinite(sums.box(0)).all()


@given(some.integers(0, 10**6), some.integers(2, 7), some.integers(0, 3))
@settings(max_examples=40)
def test_a_reduced_basis_spans_the_same_lattice(seed: int, count: int, more: int) -> None:
    rng = np.random.default_rng(seed)
    given_basis = rng.integers(-30, 31, size=(count, count + more)).astype(float) + np.eye(count, count + more) * 200
    basis = ReducedBasis(given_basis.tolist(), NEVER)
    whole = np.array(basis.whole)
    assert np.allclose(whole @ given_basis, np.array(basis.basis))
    assert round(abs(float(np.linalg.det(whole.astype(float))))) == 1
    coefficients = rng.integers(-5, 6, size=count)
    assert basis.nearest((coefficients @ given_basis).tolist()) == coefficients.tolist()


def test_vectors_that_all_but_depend_on_each_other_give_no_number_beyond_all_bounds() -> None:
    assert ReducedBasis([[3.0, 0.0], [6.0, 1e-17]], NEVER).nearest([3e3, 7e3]) == [1000, 0]


@given(some.integers(0, 10**6), some.integers(2, 6), some.integers(1, 4))
@settings(max_examples=60)
def test_the_nearest_point_lies_in_its_box_and_fits_its_rows(seed: int, count: int, number: int) -> None:
    rng = np.random.default_rng(seed)
    planted = rng.integers(0, 500, size=count)
    rows = []
    for _ in range(number):
        a = rng.integers(-90, 91, size=count)
        total, room = int(a @ planted), int(rng.integers(0, 400))
        rows.append(IntegerRow(tuple(map(int, a)), total - room, total + room, ()))
    low, high = [0] * count, [500] * count
    nearest = NearestPoints(rows, low, high)
    point = nearest.point(low, high, planted.tolist())
    if point is not None:
        assert all(0 <= x <= 500 for x in point)
        assert all(row.low <= sum(a * x for a, x in zip(row.a, point, strict=True)) <= row.high for row in rows)
    assert nearest.point(planted.tolist(), planted.tolist(), low) == planted.tolist()


@pytest.mark.parametrize("repeats", [1, 10])
@pytest.mark.parametrize("counts", [(268, 500, 10), (38, 262, 5), (97, 163, 5), (1555, 1816, 10)])
def test_true_means_over_folds_are_met_in_the_first_box(
    counts: tuple[int, int, int], repeats: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("scoreproof.solve.linear_programs.BoxProgram.solve", lambda *_, **__: pytest.fail("a program"))
    names = ("acc", "sens", "spec")
    folds = stratified_folds(*counts) * repeats
    for seed in range(5):
        rng = np.random.default_rng(seed)
        cells = [(tp, n - tn, p - tp, tn) for p, n in folds for tp, tn in [rng.binomial((p, n), (0.8, 0.9)).tolist()]]
        means = {name: sum(sp.score(name)(*of_fold) for of_fold in cells) / len(cells) for name in names}
        texts = {name: f"{mean:.4f}" for name, mean in means.items()}
        wanted = _constraints(sp.KFold(*counts, repeats=repeats, rule="scikit-learn"), texts)
        outcome = decide_rows(wanted, Budget.of(30))
        assert outcome.nodes == 1
        assert outcome.witness is not None
        assert wanted.fits(outcome.witness)


@given(some.integers(0, 10**6), some.integers(1, 5))
@settings(max_examples=40)
def test_a_join_finds_just_the_pairs_that_add_up(seed: int, rows: int) -> None:
    rng = np.random.default_rng(seed)
    first, second = rng.normal(scale=6, size=(60, rows)), rng.normal(scale=6, size=(70, rows))
    second[0] = -first[0]
    close = np.abs(first[:, None] + second[None]).max(axis=2) <= 1
    found = set(zip(*(x.tolist() for x in join(first, second, NEVER, most=10**6)), strict=True))
    assert found == {(int(i), int(j)) for i, j in zip(*np.nonzero(close), strict=True)}
    assert (0, 0) in found


@pytest.mark.parametrize("stratified", [True, False])
def test_drawn_points_reach_the_extremes_and_stay(stratified: bool) -> None:
    """Some given set has each extreme, and keeps its point when the others are fitted and rounded."""
    kind = kind_named("binary")
    problem = kind.problem(
        sp.KFold(38, 71, 9, stratified=stratified),
        {"f1": "0.74 ± 0.12", "ppv": "0.72"},
        maximum={"f1": "0.91"},
        minimum={"ppv": "0.50"},
        divisor="sample",
    )
    whole = Sums(settled(kind._constraints(problem)), {}, np.nan)
    rng = np.random.default_rng(2)
    extremes = Extremes(whole)
    for _ in range(20):
        drawn = extremes.drawn(rng, NEVER)
        assert drawn is not None
        given = np.array([*drawn.fixed])
        assert 1 <= len(given) <= 2
        values = whole.values(given, *np.stack([*drawn.fixed.values()], axis=1))
        for score, low, high in whole.reached:
            assert ((low <= values[score]) & (values[score] <= high)).any()
        rates = fit(drawn, random_start(drawn, rng, 0.05), 1, NEVER)
        for points in (rates.points(drawn), diffused(drawn, rates, rng, 1), rounded(drawn, rates, rng)):
            assert all(np.allclose(np.stack(points)[:, place], point) for place, point in drawn.fixed.items())


def test_a_witness_that_reaches_three_extremes_is_found_at_once() -> None:
    """A set at random rarely has a point with a given extreme; those that have are listed."""
    experiment = sp.MeanOfScores([sp.TestSet(p, n) for p, n in [(9, 7), (12, 18), (5, 9), (20, 11), (8, 8), (14, 6)]])
    answer = sp.check(
        experiment,
        {"f1": "0.511", "f1n": "0.466", "gm": "0.487"},
        minimum={"f1": "0.222"},
        maximum={"f1n": "0.667", "gm": "0.671"},
        rounding="nearest",
        budget=10,
        strict=True,
    )
    assert answer.verdict is sp.Verdict.CONSISTENT


def test_linear_scores_of_many_unlike_sets_are_sought_where_totals_do_not_tell() -> None:
    counts = [(67, 51), (3, 19), (67, 99), (55, 47), (82, 60), (3, 70), (74, 91)]
    parts = [sp.TestSet(p, n) for p, n in counts]
    answer = sp.check(
        sp.MeanOfScores(parts), {"acc": "0.7804"}, minimum={"acc": "0.7273"}, rounding="nearest", budget=60, strict=True
    )
    assert answer.verdict is sp.Verdict.CONSISTENT


def test_open_folds_are_dealt_in_proportion() -> None:
    """Every case once, every fold of its size, whatever the number of data sets."""
    experiment = sp.MeanOfScores([sp.KFold(7 + k, 20 + 3 * k, 4, stratified=False) for k in range(5)])
    kind = kind_named("binary")
    read = kind._constraints(kind.problem(experiment, {"f1": "0.5"}))
    dealt = dealt_evenly(read).form
    assert not dealt.families
    for number, family in enumerate(read.form.families):
        both = [(old, new) for old, new in zip(read.form.sets, dealt.sets, strict=True) if old.family == number]
        assert sum(new.p for _, new in both) == family.p
        assert sum(new.n for _, new in both) == family.n
        assert all(old.size == new.size and min(new.p, new.n) >= 0 for old, new in both)
