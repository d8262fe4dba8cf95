"""Can a test statistic with so many degrees of freedom have a printed p-value?

Tails are monotone in the statistic, so the ends of what it can stand for give the ends of p: of t, z and r on two sides,
on one, or on the other one; of F and χ² the upper tail, of F also both (the test of two variances), and half of it where
there is one degree of freedom, so that the statistic is a square. The tail of t falls and that of χ² rises with the
degrees of freedom; that of F is bounded by the ratio of a larger to a smaller χ² where they are not whole.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from scoreproof.kinds.kind import Decision, Kind
from scoreproof.kinds.printed import Values
from scoreproof.kinds.reported_test.problem import ReportedTestProblem
from scoreproof.kinds.reported_test.tails import MOST, Ends, chi2_tail, ratio_tail
from scoreproof.work.deadline import Deadline

NAMES = {"two": "two-sided", "one": "one-sided", "other": "one-sided, other direction", "upper": "upper tail"}


class ReportedTest(Kind[ReportedTestProblem, Values]):
    """A statistic and its p-value."""

    name = "reported_test"

    def read(self, statement: Mapping[str, Any]) -> ReportedTestProblem:
        return ReportedTestProblem.from_dict(statement)

    def read_witness(self, document: Mapping[str, Any]) -> Values:
        return Values.from_dict(document)

    def decide(self, problem: ReportedTestProblem, *, deadline: Deadline, seed: int) -> Decision[Values]:
        near, far = sizes(problem)
        if out_of_range(problem):
            return Decision(proof={"kind": "range"})
        if problem.p is None:
            return Decision(Values((near,)))
        if too_many(problem):
            return Decision(reason="tails of so many degrees of freedom are not computed")
        ranges = p_ranges(problem, near, far)
        if all(high < problem.p.low or low > problem.p.high for low, high in ranges.values()):
            return Decision(proof={"kind": "tails"})
        return self._witness(problem, near, far)

    def _witness(self, problem: ReportedTestProblem, near: Fraction, far: Fraction | None) -> Decision[Values]:
        """A size of the statistic that has the p-value: p is monotone in it, so it is found by halving."""
        high = far if far is not None else max(near, Fraction(1)) * 10**6
        for name in p_ranges(problem, near, far):
            low, top = near, high
            for _ in range(80):
                for size in (low, top):
                    if self.holds(problem, Values((size,))):
                        return Decision(Values((size,)))
                middle = ((low + top) / 2).limit_denominator(10**12)
                own = p_ranges(problem, middle, middle)[name]
                assert problem.p is not None
                above = own[0] > problem.p.high  # p falls with the size, but on the other side
                low, top = (middle, top) if above is (name != "other") else (low, middle)
                if low >= top:
                    break
        return Decision(reason="the p-value lies at the edge of what its digits stand for")

    def holds(self, problem: ReportedTestProblem, witness: Values) -> bool:
        if out_of_range(problem) or len(witness.values) != 1:
            return False
        (size,), (near, far) = witness.values, sizes(problem)
        if size < near or (far is not None and size > far):
            return False
        if problem.p is None:
            return True
        if too_many(problem):
            return False
        ranges = p_ranges(problem, size, size, inner=True)
        return any(problem.p.low <= low and high <= problem.p.high for low, high in ranges.values())

    def subject(self, problem: ReportedTestProblem) -> str:
        sides = {"any": "", "two": "two-sided ", "one": "one-sided "}[problem.sides]
        return f"a {sides}{problem.test} test{_freedom(problem)}{problem.p.as_bound if problem.p else ''}"

    def because(self, problem: ReportedTestProblem) -> str:
        if out_of_range(problem):
            return "no correlation exceeds 1" if problem.test == "r" else f"{problem.test} is not negative"
        ranges = p_ranges(problem, *sizes(problem))
        return "; ".join(f"{NAMES[name]} p {_said(*ends)}" for name, ends in ranges.items() if name != "other")


def _freedom(problem: ReportedTestProblem) -> str:
    shown = [str(low) if low == high else f"{low} to {high}" for low, high in problem.df]
    return f" with {' and '.join(shown)} degrees of freedom" if shown else ""


def _said(low: Fraction, high: Fraction) -> str:
    first, last = f"{float(low):.3g}", f"{float(high):.3g}"
    return f"is {first}" if first == last else f"lies between {first} and {last}"


def sizes(problem: ReportedTestProblem) -> tuple[Fraction, Fraction | None]:
    """The least and the greatest absolute value that the statistic can stand for; None where there is no greatest."""
    claim = problem.statistic
    if claim is None:
        return Fraction(0), Fraction(1) if problem.test == "r" else None
    if problem.relation == "<":
        return Fraction(0), abs(claim.number.value)
    if problem.relation == ">":
        return abs(claim.number.value), Fraction(1) if problem.test == "r" else None
    ends = sorted((abs(claim.low), abs(claim.high)))
    near = Fraction(0) if claim.low <= 0 <= claim.high else ends[0]
    if problem.test in ("F", "chi2"):
        return max(claim.low, Fraction(0)), claim.high
    return near, min(ends[1], Fraction(1)) if problem.test == "r" else ends[1]


def out_of_range(problem: ReportedTestProblem) -> bool:
    """Whether no such statistic can have this value: a negative F or χ², a correlation beyond 1."""
    near, far = sizes(problem)
    if problem.statistic is None or problem.relation == "<":
        return False
    if problem.test in ("F", "chi2"):
        return far is not None and far < 0
    return problem.test == "r" and near > 1


def too_many(problem: ReportedTestProblem) -> bool:
    """Whether tails are not computed; those of t and r, and of F with one degree, lie between others."""
    if problem.test == "chi2":
        return problem.df[0][1] > MOST
    return problem.test == "F" and problem.df[0] != (1, 1) and sum(high for _, high in problem.df) > 2 * MOST


def p_ranges(
    problem: ReportedTestProblem, near: Fraction, far: Fraction | None, *, inner: bool = False
) -> dict[str, Ends]:
    """By side the fractions between which p lies for sizes from ``near`` to ``far``; of ``inner`` ones df are known.

    Where a witness is judged, any of the degrees of freedom will do: the lower ends are taken.
    """
    df = tuple((max(low, 1), max(low, 1)) if inner else (low, high) for low, high in problem.df)
    lowest = Fraction(0) if far is None else _tail(problem.test, far, df)[0]
    highest = _tail(problem.test, near, df)[1]
    if problem.test in ("F", "chi2"):
        found = {"upper": (lowest, highest)}
        if problem.test == "F" and problem.sides != "one":
            ends = [2 * min(end, 1 - end) for end in (lowest, highest)]
            crosses = 2 * lowest <= 1 <= 2 * highest
            found["two"] = (min(ends), Fraction(1) if crosses else max(ends))
        if problem.df[0][0] <= 1 and problem.sides != "two":
            found["one"] = (lowest / 2, highest / 2)
        return found
    both = {
        "two": (lowest, highest),
        "one": (lowest / 2, highest / 2),
        "other": (1 - highest / 2, 1 - lowest / 2),
    }
    return both if problem.sides == "any" else {n: both[n] for n in both if (n == "two") is (problem.sides == "two")}


def _tail(test: str, size: Fraction, df: tuple[tuple[int, int], ...]) -> Ends:
    """The least and the greatest tail beyond a size, on both sides for t, z and r, over the degrees of freedom."""
    square = size * size
    if test == "z":
        return chi2_tail(square, 1)
    if test == "chi2":
        low, high = df[0]
        return chi2_tail(size, low)[0] if low else Fraction(0), chi2_tail(size, high)[1]
    if test == "F" and df[0] == (1, 1):
        return _t_tail(size, *df[1], scaled=False)
    if test == "F":
        (m1, m2), (k1, k2) = df
        low = ratio_tail(size * m2 / k1, m1, k2)[0] if m1 and k1 else Fraction(0)
        high = ratio_tail(size * m1 / k2, m2, k1)[1] if k1 else Fraction(1)
        return low, high
    if test == "r":
        if square >= 1:
            return Fraction(0), Fraction(0)
        return _t_tail(square / (1 - square), *df[0], scaled=True)
    return _t_tail(square, *df[0], scaled=False)


def _t_tail(square: Fraction, low: int, high: int, *, scaled: bool) -> Ends:
    """The two-sided tail of t at t² = square, or square times the degrees of freedom; it falls with them."""
    least = (
        ratio_tail(square if scaled else square / high, 1, high)[0]
        if high <= MOST
        else chi2_tail(square * high if scaled else square, 1)[0]
    )
    few = min(low, MOST)
    if not few:
        return least, Fraction(1)
    return least, ratio_tail(square * Fraction(low, few) if scaled else square / few, 1, few)[1]


KIND = ReportedTest()
