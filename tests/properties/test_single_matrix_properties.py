"""Properties of the check on one matrix: truth is never flagged, proofs hold, altered proofs do not."""

from __future__ import annotations

import copy
import json
from fractions import Fraction
from typing import Any

import pytest
from benchmarks import oracle
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import scoreproof as sp
from scoreproof.kinds.binary.engine.bands import band
from scoreproof.kinds.binary.engine.solutions import Solutions, count_points, floor_sum
from scoreproof_verify import digest

NAMES = [one.name for one in sp.known_scores() if one.builtin] + ["f2", "f0.5", "f2n"]
RULES = {"any": ("nearest", "floor", "ceil"), "nearest": ("nearest",), "floor": ("floor",), "ceil": ("ceil",)}


@st.composite
def true_reports(draw: st.DrawFn, most: int = 400) -> tuple[sp.ConfusionMatrix, dict[str, str], str]:
    p, n = draw(st.integers(1, most)), draw(st.integers(1, most))
    tp, tn = draw(st.integers(0, p)), draw(st.integers(0, n))
    matrix = sp.ConfusionMatrix(tp, n - tn, p - tp, tn)
    rounding = draw(st.sampled_from(list(RULES)))
    report = {}
    for name in draw(st.lists(st.sampled_from(NAMES), min_size=1, max_size=8, unique=True)):
        how = draw(st.sampled_from(RULES[rounding]))
        text = sp.score(name).text(*matrix.cells, digits=draw(st.integers(0, 6)), rounding=how)
        if text is not None:
            report[name] = text
    assume(report)
    return matrix, report, rounding


@given(true_reports())
@settings(max_examples=400)
def test_a_true_report_is_never_flagged(made: tuple[sp.ConfusionMatrix, dict[str, str], str]) -> None:
    matrix, report, rounding = made
    result = sp.check(sp.TestSet(matrix.p, matrix.n), report, rounding=rounding, strict=True)
    assert result.verdict is sp.Verdict.CONSISTENT
    for one in result.claims:
        assert one.score.compare(*result.witness.matrix.cells, one.low) >= 0
        assert one.score.compare(*result.witness.matrix.cells, one.high) <= 0


@given(true_reports(most=10**15), st.integers(10**9, 10**15))
@settings(max_examples=150)
def test_huge_true_reports_are_never_flagged(made: tuple[sp.ConfusionMatrix, dict[str, str], str], more: int) -> None:
    matrix, report, rounding = made
    result = sp.check(sp.TestSet(matrix.p, matrix.n), report, rounding=rounding, budget=2, strict=True)
    assert result.verdict is not sp.Verdict.INCONSISTENT
    assert more > 0


@given(true_reports(most=25))
@settings(max_examples=250)
def test_solutions_are_exactly_the_cells_brute_force_finds(
    made: tuple[sp.ConfusionMatrix, dict[str, str], str],
) -> None:
    matrix, report, rounding = made
    p, n = matrix.p, matrix.n
    result = sp.check(sp.TestSet(p, n), report, rounding=rounding, undefined="exclude", strict=True)
    expected = {
        (tp, tn)
        for tp in range(p + 1)
        for tn in range(n + 1)
        if all(
            one.score.compare(tp, n - tn, p - tp, tn, bound) in (0, sign)
            for one in result.claims
            for bound, sign in ((one.low, 1), (one.high, -1))
        )
    }
    solutions = result.solutions()
    found = [(m.tp, m.tn) for m in solutions.matrices()]
    assert len(found) == len(set(found))
    assert set(found) == expected
    assert solutions.count == len(expected)
    assert (matrix.tp, matrix.tn) in expected
    for what in ("tp", "fn"):
        values = [{"tp": tp, "fn": p - tp}[what] for tp, _ in expected]
        span = solutions.range(what)
        assert (span.low, span.high) == (min(values), max(values))
    for name in ("acc", "mcc", "ppv", "lrn"):
        values = [
            sp.score(name)(tp, n - tn, p - tp, tn)
            for tp, tn in expected
            if sp.score(name).ratio(tp, n - tn, p - tp, tn)[1]
        ]
        span = solutions.range(name)
        if values:
            assert float(span.low) == pytest.approx(min(values), abs=1e-9)
            assert span.high is None or float(span.high) == pytest.approx(max(values), abs=1e-9)


@given(st.sampled_from(NAMES), st.integers(1, 60), st.integers(1, 60), st.data())
def test_scores_agree_with_their_textbook_definitions(name: str, p: int, n: int, drawn: st.DataObject) -> None:
    assume(name in oracle.TWENTY)
    tp, tn = drawn.draw(st.integers(0, p)), drawn.draw(st.integers(0, n))
    cells = (tp, n - tn, p - tp, tn)
    exact = oracle.value(name, *cells)
    score = sp.score(name)
    if exact is None:
        assert score.text(*cells, digits=4) is None
        return
    for how, rule in (("half_up", "nearest"), ("floor", "floor"), ("ceil", "ceil")):
        assert Fraction(score.text(*cells, digits=6, rounding=rule)) == Fraction(oracle.printed(exact, 6, how))
    assert score(*cells) == pytest.approx(float(exact), rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("score", list(sp.known_scores()), ids=str)
def test_every_score_is_monotone_where_it_is_defined(score: sp.Score) -> None:
    for p in range(9):
        for n in range(9):
            if p + n == 0:
                continue
            at = {(tp, tn): score.ratio(tp, n - tn, p - tp, tn) for tp in range(p + 1) for tn in range(n + 1)}
            for (tp, tn), (num, den) in at.items():
                assert den >= 0
                for step in ((tp + 1, tn), (tp, tn + 1)):
                    if step in at:
                        assert (at[step][0] * den - num * at[step][1]) * score.direction >= 0


@given(st.integers(0, 30), st.integers(-50, 50), st.integers(-50, 50), st.integers(1, 30))
def test_floor_sum(terms: int, a: int, b: int, m: int) -> None:
    assert floor_sum(terms, a, b, m) == sum((a * i + b) // m for i in range(terms))


half_planes = st.lists(
    st.tuples(st.integers(0, 9), st.integers(0, 9), st.integers(-5, 120)).filter(lambda h: h[0] + h[1] > 0),
    max_size=4,
)


@given(half_planes, half_planes, st.integers(0, 12), st.integers(0, 12))
def test_lattice_points_between_lines(lowers: list, uppers: list, width: int, height: int) -> None:
    expected = sum(
        all(a * x + b * y >= r for a, b, r in lowers) and all(a * x + b * y <= r for a, b, r in uppers)
        for x in range(width + 1)
        for y in range(height + 1)
    )
    assert count_points(lowers, uppers, width, height) == expected


@given(true_reports(most=60), st.sampled_from(["exclude", "zero"]), st.data())
@settings(max_examples=300)
def test_both_treatments_of_undefined_scores_against_brute_force(
    made: tuple[sp.ConfusionMatrix, dict[str, str], str], undefined: str, drawn: st.DataObject
) -> None:
    matrix, report, rounding = made
    p = drawn.draw(st.sampled_from([0, 1, 2, min(matrix.p, 12)]))
    n = drawn.draw(st.sampled_from([0, 1, 2, min(matrix.n, 12)]))
    assume(p + n > 0)
    result = sp.check(sp.TestSet(p, n), report, rounding=rounding, undefined=undefined, strict=True)

    def allowed(one: sp.Claim, tp: int, tn: int) -> bool:
        num, den = one.score.ratio(tp, n - tn, p - tp, tn)
        if den == 0:
            return num == 0 and undefined == "zero" and one.low <= 0 <= one.high
        return one.low <= one.score.enclose(tp, n - tn, p - tp, tn, 10**9)[1] and (
            one.score.compare(tp, n - tn, p - tp, tn, one.low) >= 0
            and one.score.compare(tp, n - tn, p - tp, tn, one.high) <= 0
        )

    cells = [(x, y) for x in range(p + 1) for y in range(n + 1) if all(allowed(one, x, y) for one in result.claims)]
    assert (result.verdict == "consistent") == bool(cells)
    assert sorted((m.tp, m.tn) for m in result.solutions().matrices()) == cells
    assert result.solutions().count == len(cells)
    if result.certificate:
        assert sp.verify(result.certificate), sp.verify(result.certificate).words


def _impossible() -> list[dict[str, Any]]:
    """Certificates of several shapes: trims only, cuts, pairs, signed roots, undefined corners."""
    reports = [
        (1000, 6000, {"acc": "0.6801", "npv": "0.9401", "f1": "0.4004"}, "exclude"),
        (40, 70, {"mcc": "0.5012", "upm": "0.9034"}, "exclude"),
        (10**9, 10**9, {"bm": "0.5000", "acc": "0.7503"}, "exclude"),
        (10**12, 10**12, {"mk": "0.3737", "dor": "4.8065"}, "exclude"),
        (10**6, 10**6, {"gm": "0.9005", "bacc": "0.9000"}, "exclude"),
        (5, 7, {"ppv": "0.50", "mcc": "0.91"}, "zero"),
    ]
    certificates = []
    for p, n, scores, undefined in reports:
        result = sp.check(sp.TestSet(p, n), scores, undefined=undefined, strict=True)
        assert result.verdict == "inconsistent", (scores, result)
        certificates.append(result.certificate)
    return certificates


CERTIFICATES = _impossible()


def _sealed(certificate: dict[str, Any]) -> dict[str, Any]:
    certificate["digest"] = digest(certificate["kind"], certificate["statement"], certificate["proof"])
    return certificate


@pytest.mark.parametrize("number", range(len(CERTIFICATES)))
def test_certificates_survive_json(number: int) -> None:
    assert sp.verify(json.loads(json.dumps(CERTIFICATES[number])))


def _steps(certificate: dict[str, Any]) -> list[Any]:
    return certificate["proof"]["steps"]


ALTERATIONS = {
    "last step dropped": lambda c: _steps(c).pop(),
    "first step dropped": lambda c: _steps(c).pop(0),
    "a step too many": lambda c: _steps(c).append(["out", 0]),
    "no steps": lambda c: _steps(c).clear(),
    "interval widened": lambda c: [one.update(eps="0.5") or one.pop("rounding") for one in c["statement"]["scores"]],
    "other text": lambda c: [one.update(text="0.75") for one in c["statement"]["scores"]],
    "scores exchanged": lambda c: c["statement"]["scores"].reverse(),
    "score unknown": lambda c: c["statement"]["scores"][0].update(score="nonsense"),
    "score removed": lambda c: c["statement"]["scores"].pop(),
    "score doubled": lambda c: c["statement"]["scores"].append(c["statement"]["scores"][0]),
    "more positives": lambda c: c["statement"]["experiment"].update(p=7 * c["statement"]["experiment"]["p"]),
    "fewer negatives": lambda c: c["statement"]["experiment"].update(n=0),
    "p not a number": lambda c: c["statement"]["experiment"].update(p="1000"),
    "unknown rounding": lambda c: c["statement"]["scores"][0].update(rounding="guess"),
    "unknown key": lambda c: c["statement"].update(comment="trust me"),
    "unknown treatment": lambda c: c["statement"].update(undefined="ignore"),
    "other kind": lambda c: c["proof"].update(kind="faith"),
    "reason out of range": lambda c: _steps(c).__setitem__(-1, ["out", 99]),
    "reason negative": lambda c: _steps(c).__setitem__(-1, ["out", -1]),
    "step malformed": lambda c: _steps(c).__setitem__(0, "out"),
    "experiment of means": lambda c: c["statement"].update(experiment={"type": "mean_of_scores", "parts": [c["statement"]["experiment"]] * 2}),
}  # fmt: skip


@pytest.mark.parametrize("alteration", ALTERATIONS)
@pytest.mark.parametrize("number", range(len(CERTIFICATES)))
def test_an_altered_certificate_is_rejected_even_if_resealed(number: int, alteration: str) -> None:
    altered = copy.deepcopy(CERTIFICATES[number])
    ALTERATIONS[alteration](altered)
    if altered == CERTIFICATES[number]:
        pytest.fail("the alteration changed nothing")
    assert not sp.verify(altered)
    assert not sp.verify(_sealed(altered))


HARMLESS = {  # a redundant trim may go, and another report may be impossible for the same reason: the digest notices
    "middle step dropped": lambda c: _steps(c).pop(len(_steps(c)) // 2),
    "score renamed": lambda c: c["statement"]["scores"][-1].update(score="sens"),
    "one more positive": lambda c: c["statement"]["experiment"].update(p=c["statement"]["experiment"]["p"] + 1),
    "interval a little wider": lambda c: c["statement"]["scores"][0].update(
        text=c["statement"]["scores"][0]["text"][:-1]
    ),
}


@pytest.mark.parametrize("alteration", HARMLESS)
@pytest.mark.parametrize("number", range(len(CERTIFICATES)))
def test_an_alteration_that_may_leave_a_proof_is_noticed(number: int, alteration: str) -> None:
    altered = copy.deepcopy(CERTIFICATES[number])
    HARMLESS[alteration](altered)
    assert altered != CERTIFICATES[number]
    assert not sp.verify(altered)


@given(st.integers(0, len(CERTIFICATES) - 1), st.data())
@settings(max_examples=200)
def test_a_certificate_with_any_step_changed_is_noticed(number: int, drawn: st.DataObject) -> None:
    altered = copy.deepcopy(CERTIFICATES[number])
    steps = _steps(altered)
    step = drawn.draw(st.integers(0, len(steps) - 1))
    place = drawn.draw(st.integers(0, len(steps[step]) - 1))
    old = steps[step][place]
    steps[step][place] = old + drawn.draw(st.sampled_from([-1, 1, 1000])) if isinstance(old, int) else "?"
    assert not sp.verify(altered)


def test_a_wrongly_trimmed_cell_is_noticed() -> None:
    """A trim that takes one allowed cell too many must not pass, whatever the digest."""
    certificate = copy.deepcopy(CERTIFICATES[0])
    axis, side, value = _steps(certificate)[0][1:4]
    assert (axis, side) == ("tn", "below")
    _steps(certificate)[0][3] = value + 1
    assert not sp.verify(_sealed(certificate))


def test_counting_without_walking() -> None:
    reported = sp.check(sp.TestSet(10**15, 10**15), {"acc": "0.80", "f1": "0.79"}, strict=True).claims
    solutions = Solutions([band(i, one, 10**15, 10**15) for i, one in enumerate(reported)])
    assert solutions.count > 10**26
    curved = sp.check(sp.TestSet(10**9, 10**9), {"mcc": "0.80"}, strict=True).solutions()
    assert curved.count is None
    least, most = curved.count_bounds
    assert 0 < least < most < (10**9 + 1) ** 2
