"""A whole leaderboard, read soberly: who could be the best, how good are they really, and what did the public board do?

The highest score of a board is an expected optimistic result rather than the state of the art (Møllersen and Holsbø
2023, arXiv:2303.07272). From the list of scores and the size of the test set this module says which entries cannot be
told from the top, what the winner's score is worth, and how the ranking looks once chance is accounted for. Whoever
tops the public board was partly lucky, so a drop on the private one is expected even without overfitting: the
reliability of the public scores (the share of their variance that is not sampling noise) says how large a drop (compare
Roelofs et al., "A meta-analysis of overfitting in machine learning", 2019).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from scoreproof.arrays import Floats
from scoreproof.errors import InvalidOption, InvalidValue
from scoreproof.jsonable import document
from scoreproof.results import Result, SmallTable, Tabular
from scoreproof.sota.accuracy import best_of
from scoreproof.sota.law import MOST_CASES, count, decimals, dependence, fits_cases, number
from scoreproof.sota.questions import AdjustedEstimate, adjusted_estimate, widest_margin
from scoreproof.sota.shrinkage import LONG_BOARD, Prior, Shrunken, shrink
from scoreproof.validation import Share

Variance = Callable[[float], float]


@dataclass(frozen=True, slots=True)
class Regression(Result):
    """How private scores follow public ones."""

    entries: int
    mean_public: float
    mean_private: float
    slope: float
    slope_se: float | None
    intercept: float
    correlation: float | None
    reliability: float | None  #: the slope that sampling noise of the public scores alone would leave
    top_public: float
    top_private: float  #: the private score of the entry that leads the public board
    top_expected: float | None  #: what regression to the mean predicts for it
    shift_z: float | None  #: the average change, in standard errors of one entry on two test sets

    _told = "* top_drop unexplained_drop"

    @property
    def top_drop(self) -> float:
        return self.top_public - self.top_private

    @property
    def unexplained_drop(self) -> float | None:
        """What the public leader lost beyond regression to the mean (negative: it lost less)."""
        return None if self.top_expected is None else self.top_expected - self.top_private

    def __str__(self) -> str:
        text = (
            f"Private scores follow public ones with slope {self.slope:.3f} over {self.entries:,} entries; "
            f"the public leader went from {self.top_public:.4f} to {self.top_private:.4f}"
        )
        if self.top_expected is None:
            return f"{text}."
        return (
            f"{text}, where regression to the mean predicts {self.top_expected:.4f} "
            f"(reliability of the public scores {self.reliability:.3f})."
        )


def regression(
    public: Floats, private: Floats, private_variance: Variance, public_variance: Variance | None = None
) -> Regression:
    """The regression of private on public scores, entry by entry; variances are those of one score, by its value."""
    if len(public) < 3:
        raise InvalidOption(f"public: a regression needs at least 3 entries, got {len(public)}")
    centred = public - public.mean()
    spread = float(centred @ centred)
    if spread <= 0:
        raise InvalidOption("public: all public scores are equal, so nothing can be regressed on them")
    slope = float(centred @ private) / spread
    intercept = float(private.mean()) - slope * float(public.mean())
    residual = private - intercept - slope * public
    leader = int(np.argmax(public))
    reliability = expected = shift = None
    if public_variance is not None:
        noise = float(np.mean([public_variance(float(a)) for a in public]))
        reliability = min(1.0, max(0.0, 1 - noise / (spread / (len(public) - 1))))
        expected = float(private.mean() + reliability * centred[leader])
        # All entries share the two test sets, so the average is as uncertain as one entry at worst.
        level = (float(public.mean()) + float(private.mean())) / 2
        se = math.sqrt(public_variance(level) + private_variance(level))
        shift = None if se == 0 else (float(private.mean()) - float(public.mean())) / se
    rest = private - private.mean()
    both = math.sqrt(spread * float(rest @ rest))
    slope_se = math.sqrt(float(residual @ residual) / (len(public) - 2) / spread)
    correlation = float(centred @ rest) / both if both > 0 else None
    means, top = (float(public.mean()), float(private.mean())), (float(public[leader]), float(private[leader]))
    line = slope, slope_se, intercept
    return Regression(len(public), *means, *line, correlation, reliability, *top, expected, shift)


MOST_ENTRIES = 20_000


@dataclass(frozen=True, slots=True)
class Entry(Result):
    """One line of the board."""

    rank: int  #: by score; equal scores share it
    name: str
    score: float
    shrunken: float  #: posterior mean of the true accuracy
    low: float
    high: float
    expected_rank: float
    chance_best: float
    indistinguishable: bool  #: could be the truly best at the confidence asked for


@dataclass(frozen=True, slots=True, kw_only=True)
class Board(Tabular):
    """What every leaderboard is read for; entries in the order of the shrunken ranking."""

    alpha: float
    entries: tuple[Entry, ...]
    indistinguishable: int  #: entries, the winner included, among which the truly best one is
    prior: Prior
    shrinkage: float
    regression: Regression | None

    @property
    def top(self) -> Entry:
        """The entry with the highest score."""
        return min(self.entries, key=lambda entry: entry.rank)

    def _sentences(self, cases: str, margin: float, score: str, winner: tuple[float, float, float]) -> str:
        """Who could be the best, and what the winner's score is worth: its estimate and both limits."""
        top = self.top
        return (
            f"{self.indistinguishable:,} of {len(self.entries):,} entries cannot be told from the top on {cases} cases "
            f"(within {margin:.4f} of {score}{top.score:.4f}, {100 * (1 - self.alpha):g}% confidence). The winner's "
            f"{top.score:.4f} shrinks to {top.shrunken:.4f}; were all entries equally good, it would stand for "
            "{:.4f} ({:.4f} to {:.4f}).".format(*winner)
        )

    def _rows(self) -> list[dict[str, Any]]:
        return [entry.to_dict() for entry in self.entries]

    def _tables(self) -> list[SmallTable]:
        shown = [(e, f"{e.score:.4f}", f"{e.shrunken:.4f}", f"{e.expected_rank:.1f}") for e in self.entries[:50]]
        rows = [(e.name, e.rank, *texts, "yes" if e.indistinguishable else "no") for e, *texts in shown]
        return [SmallTable(rows, ("entry", "rank", "score", "shrunken", "expected rank", "could be best"))]


@dataclass(frozen=True, slots=True, kw_only=True)
class Leaderboard(Board):
    """What a leaderboard's accuracies are worth."""

    n: int
    margin: int  #: correct cases by which the indistinguishable may trail the top
    winner: AdjustedEstimate  #: as if all entries were equally good: the most sceptical reading
    expected_best: float  #: the best score expected if the shrunken accuracies were the truth
    dependence: str | None
    misfits: int = 0  #: scores that no whole number of cases gives, by their digits

    _told = "cases=n entries alpha indistinguishable margin_cases=margin winner expected_best prior shrinkage *"

    def to_dict(self) -> dict[str, Any]:
        more = {"margin": self.margin / self.n, "winner_shrunken": self.top.shrunken}
        return document(self, self._told, **more)

    def __str__(self) -> str:
        winner = self.winner.estimate, self.winner.low, self.winner.high
        text = self._sentences(f"{self.n:,}", self.margin / self.n, "", winner)
        if self.misfits:
            text += (
                f" {self.misfits:,} scores are those of no whole number of {self.n:,} cases and were taken as the "
                "nearest: check the size of the test set, and that the scores are accuracies."
            )
        return text if self.regression is None else f"{text} {self.regression}"


def leaderboard(
    scores: Sequence[float],
    n: int,
    *,
    names: Sequence[str] | None = None,
    public: Sequence[float] | None = None,
    public_cases: int | None = None,
    alpha: Share = 0.05,
    prior: Literal["auto", "beta", "spline"] = "auto",
    percent: bool = False,
    sort: bool = False,
    p_dep: float | None = None,
    correlation: float | None = None,
) -> Leaderboard:
    """Read a leaderboard of accuracies on n cases, best first.

    ``scores`` are proportions; ``percent=True`` reads percentages, ``sort=True`` sorts. ``public`` and ``public_cases``
    are the scores of the same entries on the public test set, and its size. ``prior`` says how the true accuracies are
    distributed: ``beta``, ``spline``, or ``auto`` (``spline`` from 50 entries on). ``p_dep`` or ``correlation`` is the
    dependence between the entries, as in ``best_of``; it narrows the margin, and independence is the cautious choice.

    >>> board = leaderboard([0.95, 0.949, 0.945, 0.93, 0.90], 1000)
    >>> board.indistinguishable, round(board.top.shrunken, 3)
    (4, 0.947)
    """
    n = count("n", n, most=MOST_CASES)
    board = scored_board(scores, names, public, percent=percent, sort=sort, prior=prior)
    if public_cases is not None:
        if public is None:
            raise InvalidOption("public_cases: given without public scores; expected public= with it")
        count("public_cases", public_cases, most=MOST_CASES)
    correct = np.rint(board.ordered * n).astype(np.int64)
    model, m = dependence(p_dep, correlation), len(correct)
    winner = adjusted_estimate(float(correct[0]) / n, m, n, alpha=alpha, p_dep=p_dep, correlation=correlation)
    behind = widest_margin(m, n, winner.low, winner.naive_high, alpha=alpha, model=model)
    posterior = shrink(correct, n, board.prior, alpha)
    distinct, many = np.unique(np.clip(posterior.mean, 0, 1), return_counts=True)

    def of(cases: int) -> Variance:
        return lambda accuracy: accuracy * (1 - accuracy) / cases

    more: dict[str, Any] = {"n": n, "margin": behind, "winner": winner}
    more |= {"expected_best": best_of(many.tolist(), n, distinct.tolist()).mean}
    more |= {"misfits": sum(not fits_cases(float(v), n, decimals(float(v))) for v in board.values)}
    more |= board.regressed(of(n), of(public_cases) if public_cases else None)
    shared = board.ranked(correct, correct >= correct[0] - behind, posterior, alpha)
    return Leaderboard(**shared, **more, dependence=None if model is None else str(model))


@dataclass(frozen=True, slots=True, eq=False)
class ScoredBoard:
    """The scores of a board and of its public part, checked, with the order from the best down."""

    values: Floats
    names: list[str]
    public: Floats | None
    prior: Prior
    order: list[int]

    @property
    def ordered(self) -> Floats:
        return self.values[self.order]

    def regressed(self, variance: Variance, public_variance: Variance | None) -> dict[str, Regression | None]:
        """How the scores follow the public ones, where there are any."""
        public = self.public
        return {"regression": None if public is None else regression(public, self.values, variance, public_variance)}

    def ranked(
        self, shown: NDArray[Any], close: NDArray[np.bool_], posterior: Shrunken, alpha: float
    ) -> dict[str, Any]:
        """What every board holds: the entries by their expected rank; equal scores as ``shown`` share a rank."""
        ranks = 1 + np.searchsorted(-shown, -shown, side="left")
        told = (posterior.mean, posterior.low, posterior.high, posterior.expected_rank, posterior.chance_best)
        numbers: list[tuple[float, float, float, float, float]] = np.column_stack(told).tolist()
        entries = [
            Entry(int(ranks[i]), self.names[j], float(self.values[j]), *numbers[i], bool(close[i]))
            for i, j in enumerate(self.order)
        ]
        ordered = tuple(sorted(entries, key=lambda entry: entry.expected_rank))
        more = {"prior": posterior.prior, "shrinkage": posterior.shrinkage, "indistinguishable": int(close.sum())}
        return {"alpha": alpha, "entries": ordered, **more}


def scored_board(
    scores: Sequence[float],
    names: Sequence[str] | None,
    public: Sequence[float] | None,
    *,
    percent: bool,
    sort: bool,
    prior: str,
) -> ScoredBoard:
    """A board as it was given: scores, names (or #1, #2, ...), public scores of the same entries.

    A board that is not sorted is an error unless sorting was asked for; the prior ``auto`` is the spline for long ones.
    """
    values = proportions("scores", scores, percent)
    others = None if public is None else proportions("public", public, percent)
    for what, given in (("names", names), ("public", others)):
        if given is not None and len(given) != len(values):
            raise InvalidOption(f"{what}: {len(given)} {what} but {len(values)} scores; they must pair up")
    rises = np.flatnonzero(np.diff(values) > 0)
    if len(rises) and not sort:
        i = int(rises[0])
        raise InvalidValue(
            f"scores[{i + 1}]: {values[i + 1]:g} stands below {values[i]:g}; a leaderboard lists the best "
            "first: sort it, or say sort=True (--sort)"
        )
    labels = [f"#{i + 1}" for i in range(len(values))] if names is None else [str(name) for name in names]
    long = prior == "spline" or (prior == "auto" and len(values) >= LONG_BOARD)
    order = [int(i) for i in np.argsort(-values, kind="stable")]
    return ScoredBoard(values, labels, others, "spline" if long else "beta", order)


def proportions(name: str, scores: Sequence[float], percent: bool) -> Floats:
    """Scores between 0 and 1; percentages only where they are announced."""
    if isinstance(scores, str) or not hasattr(scores, "__len__"):
        raise InvalidValue(f"{name}: expected a list of scores, got {scores!r}")
    if not 0 < len(scores) <= MOST_ENTRIES:
        raise InvalidValue(f"{name}: expected between 1 and {MOST_ENTRIES:,} scores, got {len(scores)}")
    values = np.array([number(f"{name}[{i}]", score) for i, score in enumerate(scores)])
    if percent:
        if values.max() <= 1:
            raise InvalidOption(f"{name}: percent with a largest score of {values.max():g}; these are proportions")
        values = values / 100
    worst = int(np.argmax(np.abs(values - 0.5)))
    if not 0 <= values[worst] <= 1:
        if values.min() >= 0 and values.max() <= 100:
            raise InvalidValue(f"{name}[{worst}]: {values[worst]:g} is no proportion; percent=True (--percent)?")
        raise InvalidValue(f"{name}[{worst}]: expected a proportion between 0 and 1, got {values[worst]:g}")
    return values
