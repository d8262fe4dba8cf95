"""Inequalities of Cauchy and Schwarz, of power means and of the median between errors, and between means of them.

The problem of reported errors: an experiment, the interval of every quantity, and the relations between these.
Each relation says that one number is at most another; it is broken if the least the claims leave to the first is above
the most they leave to the second. Squares are compared instead of roots. On one set: |bias| <= mae <= rmse <= max and
rmse² <= n mae² (Cauchy and Schwarz), mse <= mae max, mae >= h medae / n with h = floor(n/2) + 1 cases at least as far
off as the median; R² = 1 - mse / variance <= EV = R² + bias² / variance <= r² (the best linear recalibration explains
no less than none). Of means over folds those remain that are linear in each fold, or follow from mean(x)² <= mean(x²);
and mean(MSE) = mean(RMSE)² + variance of the RMSE, exactly.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor
from typing import Annotated, Any, ClassVar, Unpack

from scoreproof.errors import InvalidExperiment, NotCovered
from scoreproof.kinds.statement import Described, ScoresOf, Span, SpreadMeans
from scoreproof.quantities.task_quantities import KIND_NAME
from scoreproof.reported import Claim, Value, read_scores
from scoreproof.reported.conventions import USUAL, Conventions, Divisor, Spread, Stated, told
from scoreproof.validation import shown

_LARGEST = 10**12
UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Regression(Described):
    """One evaluation of predicted numbers on ``n`` cases (None: not known).

    With ``folds`` every value is a mean over so many evaluations (folds or runs; "unknown": over some, or of one) of at
    most ``n`` cases each. ``predictors`` is what an adjusted R² was adjusted for. ``integers`` says that true and
    predicted values are whole numbers.

    >>> str(Regression(100)), str(Regression(folds=10))
    ('one evaluation on 100 cases', 'means over 10 evaluations')
    """

    kind: ClassVar[str] = "regression"
    n: int | None = None
    folds: int | str | None = None
    predictors: int | None = None
    integers: bool = False

    def __post_init__(self) -> None:
        for name, least in (("n", 1), ("folds", 2), ("predictors", 0)):
            value = getattr(self, name)
            if value is None or (name == "folds" and isinstance(value, str) and value == UNKNOWN):
                continue
            if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= _LARGEST:
                raise InvalidExperiment(f"{name}: expected a whole number from {least} or nothing, got {shown(value)}")
        if not isinstance(self.integers, bool):
            raise InvalidExperiment(f"integers: expected True or False, got {shown(self.integers)}")
        if self.integers and (self.n is None or self.folds is not None):
            raise InvalidExperiment(
                "integers: whole numbers say something of one evaluation on n cases; give n, no folds"
            )
        if self.predictors is not None and (self.n is None or self.folds is not None):
            raise InvalidExperiment(
                "predictors: an adjusted R² is compared on one evaluation of n cases; give n, no folds"
            )
        if self.predictors is not None and self.n is not None and self.predictors > self.n - 2:
            raise InvalidExperiment(f"predictors: expected at most n - 2 = {self.n - 2}, got {self.predictors}")

    def __str__(self) -> str:
        cases = "" if self.n is None else f" on {self.n} cases"
        whole = " of whole numbers" if self.integers else ""
        if self.folds is None:
            return f"one evaluation{cases}{whole}" if cases or whole else "one evaluation on an unknown number of cases"
        if self.folds == UNKNOWN:
            return "one evaluation, or means over several" + (f" of at most {self.n} cases" if self.n else "")
        return f"means over {self.folds} evaluations" + (f" of at most {self.n} cases" if self.n else "")


def squared(span: Span) -> Span:
    """The squares of a span."""
    ends = span[0] ** 2, span[1] ** 2
    return (Fraction(0) if span[0] < 0 < span[1] else min(ends)), max(ends)


@dataclass(frozen=True, slots=True)
class RegressionProblem(SpreadMeans):
    """Errors of one evaluation, or means of them over several."""

    kind: ClassVar[str] = KIND_NAME
    experiment: Regression
    claims: Annotated[tuple[Claim, ...], ScoresOf(KIND_NAME)]
    spread: Spread = Spread.DEVIATION
    divisor: Divisor = Divisor.ANY

    @property
    def spans(self) -> dict[str, Span]:
        """The interval of every claimed quantity, within its range."""
        spans: dict[str, Span] = {}
        for claim in self.claims:
            least, most = claim.quantity.range
            low = claim.low if least is None else max(claim.low, least)
            spans[claim.quantity.name] = low, claim.high if most is None else min(claim.high, most)
        return spans

    @property
    def adjustment(self) -> Fraction:
        """By what 1 - R² is multiplied for the adjusted R²; of no known number of predictors 1."""
        n, predictors = self.experiment.n, self.experiment.predictors
        return Fraction(1) if n is None or predictors is None else Fraction(n - 1, n - predictors - 1)

    @property
    def number(self) -> int | None:
        return self.experiment.folds if isinstance(self.experiment.folds, int) else None


def regression(
    experiment: Any, scores: Mapping[str, Value | Claim], how: Conventions = USUAL, **stated: Unpack[Stated]
) -> RegressionProblem:
    """The problem of reported errors.

    >>> problem = regression(Regression(100), {"MAE": "1.20", "RMSE": "1.85", "R²": "0.71"})
    >>> [claim.quantity.name for claim in problem.claims]
    ['mae', 'rmse', 'r2']
    """
    how = told(stated, how)
    how.refuse_all_but(
        ("rounding", "eps", "digits", "decimal_comma", "spread", "divisor"),
        "not used for predicted numbers; leave it out",
    )
    problem = RegressionProblem(experiment, read_scores(scores, how, kind=KIND_NAME), how.deviation, how.divisor)
    single = (
        "so it is a mean over evaluations: say Regression(folds=...), 'unknown' if their number is not known; or leave "
        "the ± out"
    )
    problem.check_spreads(single if experiment.folds is None else "", "the number of folds")
    if "adjusted_r2" in problem.spans and experiment.predictors is None:
        raise NotCovered(
            "adjusted_r2: what it was adjusted for is not said; give Regression(n, predictors=...), or leave it out"
        )
    return problem


_ZERO, _UNIT = Fraction(0), Fraction(1)


@dataclass(frozen=True, slots=True)
class ErrorRelation:
    """Left is at most right; ``least`` is the least left can be, ``most`` the most right can be."""

    name: str
    words: str
    least: Fraction
    most: Fraction


def broken(problem: RegressionProblem) -> ErrorRelation | None:
    """The first relation that the claims break; None if they break none."""
    for claim in problem.claims:
        if claim.beyond_range:
            return ErrorRelation("range", claim.beyond_range, _UNIT, _ZERO)
    known = _of_folds(problem) if problem.experiment.folds is not None else _of_one(problem)
    return next((relation for relation in known if relation.least > relation.most), None)


def _sources(problem: RegressionProblem) -> dict[str, Span]:
    """What the mean squared error follows from."""
    spans = problem.spans
    sources = {"mse": spans["mse"]} if "mse" in spans else {}
    if "rmse" in spans:
        sources["rmse²"] = squared(spans["rmse"])
    if "r2" in spans and "variance" in spans:
        (low, high), (least, most) = spans["r2"], spans["variance"]
        sources["(1 - R²) variance"] = (1 - high) * least, (1 - low) * most
    return sources


def square_span(problem: RegressionProblem) -> Span | None:
    """Where the mean squared error of one evaluation lies, by everything that says so; None if nothing does."""
    sources = _sources(problem).values()
    if not sources:
        return None
    return max(low for low, _ in sources), min(high for _, high in sources)


def _of_one(problem: RegressionProblem) -> Iterator[ErrorRelation]:
    sources = list(_sources(problem).items())
    for source, (low, _) in sources:
        for other, (_, high) in sources:
            if source != other:
                name = "variance" if "variance" in source + other else "rmse"
                yield ErrorRelation(name, f"{source} and {other} are the same, but differ", low, high)
    spans = problem.spans
    square = square_span(problem)
    yield from _of_sizes(problem, square, square)
    if square is not None and "mae" in spans and "maxe" in spans:
        yield ErrorRelation(
            "mae times max", "mse is at most mae times max", square[0], spans["mae"][1] * spans["maxe"][1]
        )
    yield from _of_shares(problem, square)
    yield from _triple(problem, square)
    yield from _whole_numbers(problem, square)
    if "r" in spans:
        most = squared(spans["r"])[1]
        for name in ("r2", "ev"):
            if name in spans:
                title = "R²" if name == "r2" else "the explained variance"
                yield ErrorRelation(
                    "correlation", f"{title} is at most the square of the correlation", spans[name][0], most
                )


def _of_sizes(problem: RegressionProblem, square: Span | None, root: Span | None) -> Iterator[ErrorRelation]:
    """Relations between errors of which each side is linear in every fold; ``root`` is the square of the mean RMSE.

    Of several folds ``square`` holds what bounds squares of means from above.
    """
    spans, n = problem.spans, problem.experiment.n
    (mae_low, mae), (top_low, top), (median, median_high) = (
        spans.get(name, (None, None)) for name in ("mae", "maxe", "medae")
    )
    (r2, _), (_, ev) = (spans.get(name, (None, None)) for name in ("r2", "ev"))
    bias = squared(spans["bias"])[0] if "bias" in spans else None
    square_high, root_low = None if square is None else square[1], None if root is None else root[0]
    half = Fraction(n // 2 + 1, n) if n is not None and problem.experiment.folds is None else Fraction(1, 2)
    middle = None if median_high is None or top is None else (median_high + top) / 2
    known: tuple[tuple[str, str, Fraction | None, Fraction | None], ...] = (
        ("mae and rmse", "mae is at most rmse", _power(mae_low), square_high),
        ("root of n", "rmse is at most the root of n times mae", root_low, _times(n, _power(mae))),
        ("mae and max", "mae is at most the largest error", mae_low, top),
        ("n times mae", "the largest error is at most n times mae", top_low, _times(n, mae)),
        ("rmse and max", "rmse is at most the largest error", root_low, _power(top)),
        ("n times mse", "the largest error is at most the root of n times rmse", _power(top_low),
         _times(n, square_high)),
        ("bias and mae", "the mean error is at most mae", bias, _power(mae)),
        ("bias and rmse", "the mean error is at most rmse", bias, square_high),
        ("median and mae", "half of the errors are at least the median", _times(half, median), mae),
        ("median and rmse", "half of the errors are at least the median", _times(half, _power(median)), square_high),
        ("median and max", "the median error is at most the largest", median, top),
        ("median, mae and max", "mae is at most the middle of the median and the largest error", mae_low, middle),
        ("r2 and ev", "R² is at most the explained variance", r2, ev),
    )  # fmt: skip
    for name, words, least, most in known:
        if least is not None and most is not None:
            yield ErrorRelation(name, words, least, most)


def _power(value: Fraction | None) -> Fraction | None:
    return None if value is None else value**2


def _times(factor: int | Fraction | None, value: Fraction | None) -> Fraction | None:
    return None if factor is None or value is None else factor * value


def _of_shares(problem: RegressionProblem, square: Span | None) -> Iterator[ErrorRelation]:
    """Explained variance by the bias; the adjusted R² by its definition."""
    spans, n, predictors = problem.spans, problem.experiment.n, problem.experiment.predictors
    if "r2" in spans and "ev" in spans and "bias" in spans and square is not None:
        (r_low, r_high), (e_low, e_high), (b_low, b_high) = spans["r2"], spans["ev"], squared(spans["bias"])
        words = "(explained variance - R²) mse is bias² (1 - R²)"
        gap_low, gap_high = e_low - r_high, e_high - r_low
        yield ErrorRelation("bias and ev", words, min(gap_low * square[0], gap_low * square[1]), b_high * (1 - r_low))
        yield ErrorRelation("bias and ev", words, b_low * (1 - r_high), max(gap_high * square[0], gap_high * square[1]))
    if "adjusted_r2" in spans and "r2" in spans and n is not None and predictors is not None:
        low, high = (1 - (1 - end) * problem.adjustment for end in spans["r2"])
        words = f"the adjusted R² of {n} cases and {predictors} predictors is 1 - (1 - R²) {problem.adjustment}"
        yield ErrorRelation("adjusted", words, low, spans["adjusted_r2"][1])
        yield ErrorRelation("adjusted", words, spans["adjusted_r2"][0], high)


def _triple(problem: RegressionProblem, square: Span | None) -> Iterator[ErrorRelation]:
    """Of n errors with this mean and this largest one the mean square lies between two ends, both attained.

    It is least if all errors but the largest are alike, and largest if as many as possible are as large as the largest.
    """
    spans, n = problem.spans, problem.experiment.n
    if n is None or n < 2 or square is None or "mae" not in spans or "maxe" not in spans:
        return
    (a_low, a_high), (m_low, m_high) = spans["mae"], spans["maxe"]
    if a_low > m_high or m_low > n * a_high or a_high <= 0:
        return  # said by simpler relations
    mean = max(a_low, m_low / n)
    top = max(m_low, mean)
    least = (top**2 + (n * mean - top) ** 2 / (n - 1)) / n
    yield ErrorRelation(
        "mae, rmse and max", f"of {n} errors rmse is too small for mae and the largest", least, square[1]
    )
    top = min(m_high, n * a_high)
    full = floor(n * a_high / top)
    rest = n * a_high - full * top
    most = (full * top**2 + rest**2) / n if full < n else top**2
    yield ErrorRelation(
        "mae, rmse and max", f"of {n} errors rmse is too large for mae and the largest", square[0], most
    )


def _whole_numbers(problem: RegressionProblem, square: Span | None) -> Iterator[ErrorRelation]:
    """Whole errors: their sum, their signed sum and the sum of squares are whole numbers, all even or all odd."""
    spans, n = problem.spans, problem.experiment.n
    if not problem.experiment.integers or n is None:
        return
    sums = {name: spans[name] for name in ("mae", "bias") if name in spans} | ({"mse": square} if square else {})
    odd_or_even = {0, 1}
    for name, (low, high) in sums.items():
        first, last = ceil(n * low), floor(n * high)
        if first > last:
            yield ErrorRelation("whole numbers", f"n times {name} is no whole number", Fraction(first), Fraction(last))
        if first == last:
            odd_or_even &= {first % 2}
    if not odd_or_even:
        words = f"the sums behind {', '.join(sums)} are all even or all odd, but differ"
        yield ErrorRelation("parity", words, _UNIT, _ZERO)
    for name, step in (("maxe", 1), ("medae", 2)):
        if name in spans:
            low, high = spans[name]
            if ceil(step * low) > floor(step * high):
                words = f"{name} is no multiple of 1/{step}"
                yield ErrorRelation("whole numbers", words, Fraction(ceil(step * low)), Fraction(floor(step * high)))


def _of_folds(problem: RegressionProblem) -> Iterator[ErrorRelation]:
    """Relations between means over folds."""
    spans, folds = problem.spans, problem.experiment.folds
    root = None if "rmse" not in spans else squared(spans["rmse"])
    ends = [span[1] for span in (root, spans.get("mse")) if span is not None]
    square = None if not ends else (_ZERO, min(ends))
    yield from _of_sizes(problem, square, root)
    if root is None or "mse" not in spans:
        return
    low, high = spans["mse"]
    yield ErrorRelation("mean squares", "the square of the mean rmse is at most the mean mse", root[0], high)
    if isinstance(folds, int):
        words = f"the mean mse of {folds} folds is at most {folds} times the square of the mean rmse"
        yield ErrorRelation("mean squares", words, low, folds * root[1])
    claim = next(claim for claim in problem.claims if claim.quantity.name == "rmse")
    variance = problem.variance(claim)
    if variance is not None:
        words = "the mean mse is the square of the mean rmse plus the variance of the rmse"
        yield ErrorRelation("variance of rmse", words, root[0] + variance[0], high)
        yield ErrorRelation("variance of rmse", words, low, root[1] + variance[1])
