"""Intervals, p-values, ranks and spreads as problems: true ones are never flagged, and no forgery passes."""

from __future__ import annotations

import json
import pickle
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise, permutations, product
from math import comb
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some
from scipy import stats
from tests.forgery import RULES, alterations, certificate_of, printed_as, root_printed_as, sealed

import scoreproof as sp
from scoreproof.checking import Answer, ask
from scoreproof.errors import ScoreproofError
from scoreproof.kinds import read_problem
from scoreproof.kinds.paired_counts import METHODS, RATE, PairedCountsProblem, RatePair, p_bounds
from scoreproof.kinds.proportion_interval import LIMIT, PROPORTION, ProportionIntervalProblem
from scoreproof.kinds.rank_sums import MEAN_RANK, STATISTIC, MeanRanksProblem, SignPatternsProblem
from scoreproof.kinds.reported_test import STATISTIC as TEST_STATISTIC
from scoreproof.kinds.reported_test import ReportedTestProblem, chi2_tail
from scoreproof.kinds.value_spread import DEVIATION, MEAN, ValueSpreadProblem
from scoreproof.quantities import Quantity
from scoreproof.reported import Claim, report
from scoreproof.reported.printed_text import read_p


def named(quantity: Quantity, name: str, text: str, **options: Any) -> Claim:
    return replace(report(quantity, text, **options), name=name)


def limits(value: str, low: str, high: str, n: int | None, method: str = "clopper-pearson", **options: Any) -> Any:
    parts = ((PROPORTION, "value", value), (LIMIT, "low", low), (LIMIT, "high", high))
    return ProportionIntervalProblem(tuple(named(*part, **options) for part in parts), n, "0.95", method)


def rates(a: str, b: str, n: int, p: str, methods: tuple[str, ...] = METHODS, **options: Any) -> PairedCountsProblem:
    pair = RatePair(n, named(RATE, "a", a, **options), named(RATE, "b", b, **options))
    return PairedCountsProblem((pair,), read_p(p), methods)


def ranked(texts: list[str], sets: int, ties: bool = True, **options: Any) -> MeanRanksProblem:
    claims = tuple(named(MEAN_RANK, f"method {k}", text, **options) for k, text in enumerate(texts))
    return MeanRanksProblem(claims, len(texts), sets, ties)


def reported(
    test: str, df: tuple[tuple[int, int], ...], value: str, p: str | None, relation: str = "=", **options: Any
) -> ReportedTestProblem:
    statistic = named(TEST_STATISTIC, "statistic", value)
    return ReportedTestProblem(test, df, statistic, None if p is None else read_p(p), relation, **options)


def spread(mean: str, sd: str, k: int, *, rounding: str = "any", **options: Any) -> ValueSpreadProblem:
    return ValueSpreadProblem(
        (named(MEAN, "mean", mean, rounding=rounding), named(DEVIATION, "sd", sd, rounding=rounding)), k, **options
    )


TWO_CLASSES = PairedCountsProblem(
    (
        RatePair(30, named(RATE, "sens of a", "0.90"), named(RATE, "sens of b", "0.87")),
        RatePair(20, named(RATE, "spec of a", "0.85"), named(RATE, "spec of b", "0.80")),
    ),
    read_p("< 0.001"),
)
REFUTED: dict[str, Any] = {
    "outside": limits("0.955", "0.926", "0.949", None, "any"),
    "no count": limits("0.913", "0.700", "0.990", 35, "any"),
    "other n": limits("0.912", "0.880", "0.938", 500),
    "limit at 1": limits("1.00", "0.90", "0.99", 20),
    "nearest": limits("0.912", "0.880", "0.939", 400, rounding="nearest"),
    "mcnemar": rates("0.93", "0.92", 200, "<0.05", ("exact",)),
    "mcnemar by any method": rates("0.930", "0.925", 200, "p < 0.05"),
    "not above": rates("0.95", "0.90", 1000, "> 0.05", ("exact", "chi2")),
    "a value between": rates("0.763", "0.763", 38, "0.613", tuple(m for m in METHODS if "one" not in m)),
    "one-sided at no difference": rates("0.5000", "0.5000", 10, "0.70", ("exact, one-sided",)),
    "no counts": rates("0.9333", "0.92", 200, "0.5"),
    "two classes": TWO_CLASSES,
    "t": reported("t", ((28, 28),), "1.20", ".02"),
    "Welch's t": reported("t", ((27, 28),), "-2.20", "< .01", sides="two"),
    "z": reported("z", (), "2.58", "> .05", sides="two"),
    "F": reported("F", ((2, 2), (57, 57)), "3.20", ".20"),
    "F of variances": reported("F", ((190, 190), (190, 190)), "1.10", ".04", sides="two"),
    "small F": reported("F", ((1, 1), (38, 38)), "1", "< .05", "<", sides="one"),
    "chi2": reported("chi2", ((1, 1),), "3.89", ".48"),
    "large chi2": reported("chi2", ((3, 3),), "5000", "= .5", ">"),
    "many degrees": reported("t", ((50000, 50000),), "1.20", "< .05"),
    "correlation": reported("r", ((28, 28),), ".45", ".20"),
    "no correlation": reported("r", ((28, 28),), "1.45", ".20"),
    "negative F": reported("F", ((1, 1), (28, 28)), "-2.20", None),
    "five folds": SignPatternsProblem(5, read_p("<0.05"), None, "two"),
    "no such multiple": SignPatternsProblem(5, read_p("0.045"), None, "any"),
    "sum of ranks": SignPatternsProblem(5, read_p("0.0078"), named(STATISTIC, "W", "28")),
    "no mean rank": ranked(["1.50", "2.03", "2.50"], 10),
    "total": ranked(["1.50", "2.00", "2.60"], 10),
    "best": ranked(["1.20", "1.20", "3.60", "4.00"], 10),
    "worst": ranked(["4.00", "3.80", "1.00", "1.20"], 10),
    "no ties": ranked(["1.25", "1.75"], 10, ties=False),
    "too wide": spread("0.99", "0.08", 5),
    "mean beyond": spread("1.20", "0.08", 5),
    "error too wide": spread("0.95", "0.09", 5, spread="error"),
    "percent": spread("95.0", "40.0", 3, least=Fraction(0), most=Fraction(100)),
    "shares": spread("0.884", "0.031", 5, cases=20),
    "shares below 0": spread("0.58", "-0.104", 4, cases=10, spread="error", rounding="nearest"),
    "error of shares": spread("0.8800", "0.0110", 5, cases=20, spread="either", rounding="nearest"),
}


def answered(name: str) -> Answer[Any, Any]:
    answer = ask(REFUTED[name])
    assert answer.verdict == "inconsistent", str(answer)
    return answer


@pytest.mark.parametrize("name", list(REFUTED))
def test_it_is_refuted_in_words_and_verified(name: str) -> None:
    answer = answered(name)
    assert answer.reason
    verified = sp.verify(certificate_of(answer))
    assert verified, verified.words
    assert verified.words.startswith("Proved: ")


@pytest.mark.parametrize("name", list(REFUTED))
def test_round_trips(name: str) -> None:
    problem = REFUTED[name]
    assert read_problem(problem.kind, json.loads(json.dumps(problem.to_dict()))) == problem
    assert pickle.loads(pickle.dumps(problem)) == problem
    assert hash(pickle.loads(pickle.dumps(problem))) == hash(problem)
    answer = answered(name)
    assert Answer.from_dict(json.loads(answer.to_json())) == answer
    without = problem.with_claims(())
    assert ask(without).verdict in ("consistent", "undecided")
    assert Answer.from_dict(json.loads(ask(without).to_json())) == ask(without)


@pytest.mark.parametrize("name", list(REFUTED))
def test_altered_statements_prove_nothing_that_is_possible(name: str) -> None:
    document = certificate_of(answered(name))
    tried = 0
    for statement in alterations(document["statement"]):
        if sp.verify(sealed(document["kind"], statement, document["proof"])):
            try:
                again = read_problem(document["kind"], statement)
            except ScoreproofError:
                continue  # 10.90 is no proportion
            assert ask(again).verdict == "inconsistent", statement
        tried += 1
    assert tried > 20


@pytest.mark.parametrize("name", list(REFUTED))
def test_altered_proofs_are_rejected(name: str) -> None:
    document = certificate_of(answered(name))
    assert not sp.verify({**document, "digest": "0" * 64})
    for proof in alterations(document["proof"]):
        if sp.verify(sealed(document["kind"], document["statement"], proof)):
            # Another cut, or another set of methods, may prove the same; what it proves is as true.
            assert document["proof"]["kind"] in ("cuts", "tails", "best", "worst", "fraction"), proof


@pytest.mark.parametrize("kind", sorted({problem.kind for problem in REFUTED.values()}))
def test_no_proof_of_another_problem_fits_a_possible_one(kind: str) -> None:
    possible: dict[str, list[Any]] = {
        "proportion_interval": [limits("0.912", "0.880", "0.938", 400), limits("1.00", "0.83", "1.00", 20)],
        "paired_counts": [rates("0.93", "0.92", 200, "0.5"), rates("0.95", "0.90", 1000, "<0.05")],
        "reported_test": [
            reported("t", ((28, 28),), "2.20", ".036"),
            reported("r", ((30, 30),), ".45", "< .01"),
            reported("F", ((2, 2), (57, 57)), "3.20", ".048"),
        ],
        "sign_patterns": [SignPatternsProblem(6, read_p("0.03"), None, "two")],
        "mean_ranks": [ranked(["1.50", "2.00", "2.50"], 10), ranked(["1.0", "2.0", "3.0"], 7, ties=False)],
        "value_spread": [spread("0.99", "0.02", 5), spread("0.880", "0.031", 5, cases=100)],
    }
    proofs = [certificate_of(answered(n))["proof"] for n, problem in REFUTED.items() if problem.kind == kind]
    for problem in possible[kind]:
        assert ask(problem).verdict == "consistent", str(ask(problem))
        for proof in proofs:
            assert not sp.verify(sealed(kind, problem.to_dict(), proof)), proof


# ------------------------------------------------------------------------------------------- true reports, never flagged
@settings(max_examples=150, deadline=None)
@given(
    some.sampled_from(("t", "z", "r", "chi2", "F")),
    some.floats(0, 30),
    some.tuples(some.integers(1, 40), some.integers(1, 900)),
    some.integers(1, 4),
    some.sampled_from(RULES),
)
def test_true_p_values_of_tests_are_never_flagged(
    test: str, x: float, df: tuple[int, int], digits: int, rule: str
) -> None:
    size = min(x / 30, 0.999) if test == "r" else x
    tails = {
        "t": lambda: 2 * stats.t.sf(size, df[1]),
        "z": lambda: 2 * stats.norm.sf(size),
        "r": lambda: 2 * stats.t.sf(size * (df[1] / (1 - size * size)) ** 0.5, df[1]),
        "chi2": lambda: stats.chi2.sf(size, df[0]),
        "F": lambda: stats.f.sf(size, *df),
    }
    spans = {"z": (), "chi2": ((df[0], df[0]),), "F": tuple((k, k) for k in df)}.get(test, ((df[1], df[1]),))
    text, p = (printed_as(Fraction(float(v)), digits, rule) for v in (size, tails[test]()))
    answer = ask(reported(test, spans, text, p))
    assert answer.verdict == "consistent", (test, spans, text, p, answer.reason)


@settings(max_examples=150, deadline=None)
@given(
    some.sampled_from(("t", "z", "r")),
    some.floats(-9, 9).filter(lambda x: abs(x) > 0.01),
    some.floats(0.01, 0.99),
    some.sampled_from("<>"),
    some.integers(1, 60),
    some.sampled_from(("two", "one", "any")),
)
def test_true_p_values_beside_a_bound_are_never_flagged(
    test: str, x: float, share: float, relation: str, df: int, sides: str
) -> None:
    """All t < -4, p < .001: a bound below 0 leaves sizes above it open, one above 0 is a bound of the size."""
    value = x / 10 if test == "r" else x
    above = value * share, value * (1 + share)
    bound = (max if relation == "<" else min)(above)
    t = value * (df / (1 - value * value)) ** 0.5 if test == "r" else value
    tail = stats.norm.sf(abs(t)) if test == "z" else stats.t.sf(abs(t), df)
    text, p = f"{bound:.6f}", f"= {tail if sides == 'one' else 2 * tail:.12f}"
    if (value > bound) == (relation == "<"):  # printed up or down
        return
    problem = reported(test, () if test == "z" else ((df, df),), text, p, relation, sides=sides)
    assert ask(problem).verdict == "consistent", (test, value, text, p)
    assert not sp.verify(sealed("reported_test", problem.to_dict(), {"kind": "tails"}))
    assert not sp.verify(sealed("reported_test", problem.to_dict(), {"kind": "range"}))


@settings(max_examples=120, deadline=None)
@given(some.integers(1, 600), some.data(), some.integers(2, 4), some.sampled_from(RULES))
def test_true_clopper_pearson_limits_are_never_flagged(n: int, data: some.DataObject, digits: int, rule: str) -> None:
    x = data.draw(some.integers(0, n))
    found = stats.binomtest(x, n).proportion_ci(method="exact")
    texts = [printed_as(Fraction(v), digits, rule) for v in (Fraction(x, n), Fraction(found.low), Fraction(found.high))]
    for rounding in ("any", rule):
        answer = ask(limits(*texts, n, rounding=rounding))
        if answer.verdict != "consistent":  # a float limit that lies within 1e-9 of a printed digit's border
            edges = [abs(float(v) * 10**digits * 2 % 1 - 0.5) for v in (found.low, found.high)]
            assert min(abs(edge - 0.5) for edge in edges) < 1e-6, (x, n, texts)


@settings(max_examples=120, deadline=None)
@given(some.integers(1, 60), some.data(), some.integers(2, 3), some.sampled_from(RULES), some.sampled_from(METHODS))
def test_true_mcnemar_p_values_are_never_flagged(
    n: int, data: some.DataObject, digits: int, rule: str, method: str
) -> None:
    b = data.draw(some.integers(0, n))
    c = data.draw(some.integers(0, n - b))
    both = data.draw(some.integers(0, n - b - c))
    p = p_bounds(method, b, c)[0]
    texts = [printed_as(Fraction(right + both, n), digits, rule) for right in (b, c)]
    for bound in (printed_as(p, 3, rule), f"< {printed_as(p, 3, 'ceil')}", f"> {printed_as(p, 3, 'floor')}"):
        answer = ask(rates(*texts, n, bound, data.draw(some.sampled_from(((method,), METHODS)))))
        assert answer.verdict == "consistent", (b, c, both, n, str(answer))


@settings(max_examples=60, deadline=None)
@given(some.lists(some.integers(-4, 4), min_size=2, max_size=9), some.sampled_from(("any", "two")))
def test_true_exact_p_values_over_pairs_are_never_flagged(differences: list[int], sides: str) -> None:
    moved = [d for d in differences if d]
    if not moved:
        return
    ranks = stats.rankdata(np.abs(moved))
    seen = abs(float((ranks * np.sign(moved)).sum()))
    patterns = np.array(list(product((-1, 1), repeat=len(moved)))) @ ranks
    p = Fraction(int((np.abs(patterns) >= seen - 1e-9).sum()), 2 ** len(moved))
    assert ask(SignPatternsProblem(len(differences), read_p(printed_as(p, 3, "nearest")), None, sides)).verdict == (
        "consistent"
    )


@settings(max_examples=100, deadline=None)
@given(some.integers(2, 6), some.integers(1, 15), some.randoms(use_true_random=False), some.sampled_from(RULES))
def test_true_mean_ranks_are_never_flagged(methods: int, sets: int, random: Any, rule: str) -> None:
    levels = random.choice([2, 5, 1000])
    ranks = np.array([stats.rankdata([random.randrange(levels) for _ in range(methods)]) for _ in range(sets)])
    means = [Fraction(int(2 * total), 2 * sets) for total in ranks.sum(axis=0)]
    digits = random.randint(1, 3)
    answer = ask(ranked([printed_as(mean, digits, rule) for mean in means], sets))
    assert answer.verdict == "consistent", str(answer)


@settings(max_examples=100, deadline=None)
@given(some.lists(some.fractions(0, 1, max_denominator=60), min_size=2, max_size=8), some.data())
def test_true_spreads_are_never_flagged(values: list[Fraction], data: some.DataObject) -> None:
    k, rule, digits = len(values), data.draw(some.sampled_from(RULES)), data.draw(some.integers(2, 4))
    mean = sum(values, Fraction(0)) / k
    squares = sum((value - mean) ** 2 for value in values)
    meaning, divisor = data.draw(some.sampled_from((("deviation", k), ("deviation", k - 1), ("error", k * (k - 1)))))
    texts = printed_as(mean, digits, rule), root_printed_as(squares / divisor, digits, rule)
    assert ask(spread(*texts, k, spread=meaning)).verdict == "consistent"


@settings(max_examples=100, deadline=None)
@given(some.integers(2, 6), some.integers(1, 60), some.data())
def test_true_spreads_of_shares_are_never_flagged(k: int, n: int, data: some.DataObject) -> None:
    counts = data.draw(some.lists(some.integers(max(0, n - 12), n), min_size=k, max_size=k))
    rule, digits = data.draw(some.sampled_from(RULES)), data.draw(some.integers(2, 4))
    mean = Fraction(sum(counts), k * n)
    squares = sum((Fraction(count, n) - mean) ** 2 for count in counts) / data.draw(some.sampled_from((k, k - 1)))
    texts = printed_as(mean, digits, rule), root_printed_as(squares, digits, rule)
    for rounding in ("any", rule):
        assert ask(spread(*texts, k, cases=n, rounding=rounding)).verdict == "consistent"


# ------------------------------------------------------------------------------------------------------------ brute force
def test_spreads_of_three_folds_of_six_agree_with_trying_all() -> None:
    k, n, attained = 3, 6, set()
    for counts in product(range(n + 1), repeat=k):
        mean = Fraction(sum(counts), k * n)
        squares = sum((Fraction(count, n) - mean) ** 2 for count in counts)
        for m, divisor in product((int(mean * 100), int(mean * 100) + 1), (k, k - 1)):
            for s in range(61):
                ends = Fraction(2 * s - 1, 200), Fraction(2 * s + 1, 200)
                inside = max(ends[0], Fraction(0)) ** 2 * divisor <= squares <= ends[1] ** 2 * divisor
                if inside and abs(mean - Fraction(m, 100)) <= Fraction(1, 200):
                    attained.add((m, s))
    for m, s in product(range(0, 101, 3), range(0, 61, 4)):
        verdict = ask(spread(f"{m / 100:.2f}", f"{s / 100:.2f}", k, cases=n, rounding="nearest")).verdict
        assert (verdict == "consistent") is ((m, s) in attained), (m, s)


@pytest.mark.parametrize(("methods", "sets"), [(3, 2), (3, 3), (4, 2)])
def test_sums_of_ranks_agree_with_all_rankings(methods: int, sets: int) -> None:
    sums = {(0,) * methods}
    for _ in range(sets):
        sums = {
            tuple(a + b for a, b in zip(total, own, strict=True))
            for total in sums
            for own in permutations(range(1, methods + 1))
        }
    for totals in product(range(sets, sets * methods + 1), repeat=methods):
        texts = [printed_as(Fraction(total, sets), 4, "nearest") for total in totals]
        verdict = ask(ranked(texts, sets, ties=False, rounding="nearest")).verdict
        assert (verdict == "consistent") is (totals in sums), totals


@pytest.mark.parametrize(("p", "n"), [(3, 3), (2, 4)])
def test_p_values_of_two_classes_agree_with_all_pairs_of_predictions(p: int, n: int) -> None:
    seen: dict[tuple[int, ...], set[tuple[int, int]]] = {}
    positive = (1 << p) - 1
    for one, other in product(range(1 << (p + n)), repeat=2):
        key = tuple((who & part).bit_count() for part in (positive, ~positive) for who in (one, other))
        seen.setdefault(key, set()).add(((one & ~other).bit_count(), (other & ~one).bit_count()))
    for (a, b, c, d), pairs in list(seen.items())[::3]:
        problem = PairedCountsProblem(
            tuple(
                RatePair(
                    size,
                    named(RATE, f"{size} a{part}", Fraction(x, size), eps="0"),
                    named(RATE, f"b{part}", Fraction(y, size), eps="0"),
                )
                for part, (x, y, size) in enumerate(((a, b, p), (c, d, n)))
            ),
            read_p("0.5"),
        )
        for text in ("0.25", "0.50", "0.63", "1.00"):
            asked = replace(problem, p=read_p(text, rounding="nearest"), methods=("exact", "chi2"))
            low, high = asked.p.low, asked.p.high  # type: ignore[union-attr]
            fits = any(
                bounds[1] >= low and bounds[0] <= high
                for x, y in pairs
                for bounds in (p_bounds("exact", x, y), p_bounds("chi2", x, y))
            )
            assert (ask(asked).verdict == "consistent") is fits, (a, b, c, d, text)


def test_p_rises_with_the_discordant_cases() -> None:
    for method, d in product(METHODS, range(6)):
        bounds = [p_bounds(method, c + d, c) for c in range(0 if d else 1, 40)]
        for before, after in pairwise(bounds):
            if d == 0 and method == "exact, one-sided":
                assert after[1] < before[0]
            else:
                assert after[1] >= before[0]


def test_tails_of_chi_square_are_enclosed() -> None:
    for k in range(1, 900, 7):
        low, high = chi2_tail(Fraction(k, 13), 1)
        true = float(stats.chi2.sf(k / 13, 1))
        assert 0 < high - low < Fraction(1, 10**20)
        assert float(low) == pytest.approx(true, rel=1e-7)


def test_the_smallest_significant_differences() -> None:
    """With nothing on the other side: exact 6, 8, 11 at .05, .01, .001, and so on."""
    least = {
        method: [
            next(b for b in range(1, 30) if p_bounds(method, b, 0)[1] < Fraction(level))
            for level in ("0.05", "0.01", "0.001")
        ]
        for method in METHODS
    }
    assert least["exact"] == [6, 8, 11]
    assert least["chi2-corrected"] == [6, 9, 13]
    assert least["mid-p"] == least["exact, one-sided"] == [5, 7, 10]
    assert least["chi2"] == [4, 7, 11]
    assert p_bounds("exact", 6, 0)[0] == Fraction(2 * comb(6, 0), 2**6)


def test_no_values_have_a_spread_below_zero() -> None:
    for problem in (spread("0.58", "-0.104", 4), spread("0.58", "-0.104", 4, cases=10)):
        assert ask(problem, budget=20).verdict != "consistent"
