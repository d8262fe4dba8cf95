"""A report about confusion matrices of two classes: experiment, claims, conventions; and what shows it possible."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from operator import attrgetter, is_not
from typing import Annotated, Any, ClassVar, Unpack, cast

from scoreproof.errors import InvalidOption, InvalidValue
from scoreproof.kinds.binary.experiment import (
    Experiment,
    KFold,
    MeanOfScores,
    ScoreOfMeans,
    TestSet,
    is_unknown,
    normal_form,
    ranged,
    sums_matrices,
)
from scoreproof.kinds.binary.scores import ConfusionMatrix, Score, score
from scoreproof.kinds.statement import ScoresOf, StatedFields
from scoreproof.reported import Claim, Value, read_scores, report
from scoreproof.reported.claim import restricted
from scoreproof.reported.conventions import (
    USUAL,
    Conventions,
    Divisor,
    ExtremesOver,
    Spread,
    SpreadOver,
    Stated,
    Undefined,
    conventions,
    told,
)
from scoreproof.results import Tabular
from scoreproof.validation import exact


@dataclass(frozen=True, slots=True)
class Averages(StatedFields):
    """What was said about the averaging; see ``check`` for each."""

    minimum: Annotated[tuple[Claim, ...], ScoresOf()] = ()
    maximum: Annotated[tuple[Claim, ...], ScoresOf()] = ()
    attained: bool = True
    extremes_over: ExtremesOver = ExtremesOver.PARTS
    spread: Spread = Spread.DEVIATION
    divisor: Divisor = Divisor.ANY
    spread_over: SpreadOver = SpreadOver.ANY
    fold_digits: int | None = None

    def deviating(self, claims: Sequence[Claim]) -> list[Claim]:
        """The claims with a ± that is tested."""
        return [] if self.spread is Spread.IGNORE else [claim for claim in claims if claim.spread is not None]

    def speaks_of_parts(self, claims: Sequence[Claim]) -> str:
        """What only a mean over several parts can have, in words; empty if nothing was said of the kind."""
        for claim in self.deviating(claims):
            return f"the ± of {claim.name} = {claim.text}"
        if self.minimum or self.maximum:
            return "minimum and maximum"
        return "fold_digits" if self.fold_digits is not None else ""


PLAIN = Averages()
_OF_OTHERS = ("ties", "points", "concave", "interpolation", "macro_f1")
_of_others = attrgetter(*_OF_OTHERS)
_of_averages = attrgetter(
    "minimum", "maximum", "attained", "extremes_over", "deviation", "divisor", "spread_over", "fold_digits"
)


@dataclass(frozen=True, slots=True)
class BinaryProblem:
    """Scores of an experiment with two classes; ranges in the experiment are read (see ``with_read_ranges``)."""

    kind: ClassVar[str] = "binary"
    experiment: Experiment
    claims: tuple[Claim, ...]
    undefined: Undefined = Undefined.ANY
    averages: Averages = PLAIN

    def to_dict(self) -> dict[str, Any]:
        statement = {
            "experiment": self.experiment.to_dict(),
            "scores": [claim.to_dict() for claim in self.claims],
            "undefined": self.undefined.value,
        }
        if self.averages is not PLAIN and self.averages != PLAIN:
            return statement | self.averages.to_dict()
        alone = isinstance(self.experiment, TestSet) or sums_matrices(self.experiment)
        return statement if alone else statement | self.averages.to_dict()

    def with_claims(self, claims: Iterable[Claim]) -> BinaryProblem:
        """Other claims; what was said of the parts of scores that are gone goes with them."""
        kept = tuple(claims)
        names = {claim.score.name for claim in kept}
        minimum, maximum = (
            tuple(claim for claim in ends if claim.score.name in names)
            for ends in (self.averages.minimum, self.averages.maximum)
        )
        return replace(self, claims=kept, averages=replace(self.averages, minimum=minimum, maximum=maximum))

    def with_experiment(self, experiment: Experiment) -> BinaryProblem:
        return replace(self, experiment=experiment)

    def with_averages(self, **changes: Any) -> BinaryProblem:
        return replace(self, averages=replace(self.averages, **changes))

    @property
    def about_parts(self) -> str:
        """What it says that one matrix cannot have, in words."""
        return self.averages.speaks_of_parts(self.claims)

    @property
    def one_matrix(self) -> bool:
        """Whether it is about a single confusion matrix and nothing else."""
        experiment = self.experiment
        if isinstance(experiment, TestSet):
            return True
        if is_unknown(experiment):
            return False
        if sums_matrices(experiment):
            return not ranged(experiment)
        if isinstance(experiment, KFold) or (isinstance(experiment, MeanOfScores) and len(experiment.parts) > 1):
            return False  # asked of every problem: thousands of parts are not flattened for it
        form = normal_form(experiment)
        alone = len(form.sets) == 1 and not form.families and not form.ranges and not form.sums
        return alone and not self.about_parts


def binary_problem(
    experiment: Experiment, scores: Mapping[str, Value | Claim], how: Conventions = USUAL, **stated: Unpack[Stated]
) -> BinaryProblem:
    """The problem ``check`` asks."""
    how = told(stated, how)
    claims = read_scores(scores, how)
    averages = PLAIN
    if how is not USUAL:
        if _of_others(how) != _of_others(USUAL):
            taken = frozenset(conventions()) - {*_OF_OTHERS}
            how.refuse_all_but(taken, f"no such option for {experiment}; help(scoreproof.check) lists them")
        least, most, *others = _of_averages(how)
        if any(map(is_not, (least, most, *others), _of_averages(USUAL))):
            averages = Averages(_ends(least, how), _ends(most, how), *others)
    if (averages.minimum or averages.maximum) and _pools_folds(experiment, averages.extremes_over):
        experiment = _bounding_folds(experiment, averages)
        averages = replace(averages, minimum=(), maximum=(), attained=True, extremes_over=ExtremesOver.PARTS)
    read = experiment if isinstance(experiment, TestSet) else with_read_ranges(experiment, how)
    return BinaryProblem(read, claims, how.undefined, averages)


def _ends(given: Any, how: Conventions) -> tuple[Claim, ...]:
    """The extremes that were given, read."""
    nothing = given is None or (isinstance(given, Mapping) and not given)
    return () if nothing else read_scores(given, restricted(how, given))


def _pools_folds(experiment: Experiment, over: ExtremesOver) -> bool:
    """Whether extremes over folds speak of matrices that are added up: of all of them, or within a mean of scores."""
    if isinstance(experiment, ScoreOfMeans) or (isinstance(experiment, KFold) and sums_matrices(experiment)):
        return True
    parts = experiment.parts if isinstance(experiment, MeanOfScores) else ()
    return over is ExtremesOver.FOLDS and any(_pools_folds(part, over) for part in parts)


def _bounding_folds(experiment: Experiment, averages: Averages) -> Experiment:
    """The experiment with its folds' scores between the printed extremes: that some fold attains them is not used."""
    lows = {claim.score.name: claim for claim in averages.minimum}
    highs = {claim.score.name: claim for claim in averages.maximum}
    ranges = {name: (lows.get(name), highs.get(name)) for name in (*lows, *(set(highs) - set(lows)))}

    def bounded(part: Experiment) -> Experiment:
        if isinstance(part, TestSet):
            return ScoreOfMeans((part,), ranges=ranges)
        if isinstance(part, MeanOfScores) and not all(isinstance(inner, TestSet) for inner in part.parts):
            return replace(part, parts=tuple(map(bounded, part.parts)))
        if not isinstance(part, (KFold, MeanOfScores, ScoreOfMeans)) or part.ranges:
            raise InvalidOption("minimum and maximum: expected folds of a known average, without ranges of their own")
        return cast("Experiment", replace(cast("Any", part), ranges=ranges))

    return bounded(experiment)


def with_read_ranges(experiment: Experiment, how: Conventions = USUAL) -> Experiment:
    """The experiment with the ends of its ranges read: texts by the rounding rule, numbers within eps, or as they are.

    What is left are claims, exact numbers, and None for an end that is open.
    """
    rounding, eps = (
        {score(name, how.beta).name: value for name, value in option.items()} if isinstance(option, Mapping) else option
        for option in (how.rounding, how.eps)
    )

    def end(name: str, value: Any) -> Claim | Fraction | None:
        return _read_end(score(name), value, rounding, eps)

    def read(part: Experiment) -> Experiment:
        if isinstance(part, TestSet):
            return part
        if not isinstance(part, KFold):
            part = replace(part, parts=tuple(map(read, part.parts)))
        if isinstance(part, (KFold, MeanOfScores, ScoreOfMeans)) and part.ranges:
            ranges = {score(name).name: (end(name, low), end(name, high)) for name, (low, high) in part.ranges.items()}
            return replace(part, ranges=ranges)
        return part

    return read(experiment)


def _read_end(bounded: Score, value: Any, rounding: Any, eps: Any) -> Claim | Fraction | None:
    if value is None or isinstance(value, (Claim, Fraction)):
        return value
    rule, margin = (option.get(bounded.name) if isinstance(option, Mapping) else option for option in (rounding, eps))
    if isinstance(value, (str, Decimal)) or margin is not None:
        return report(bounded, value, rounding=rule if margin is None else None, eps=margin)
    end = exact(f"ranges of {bounded.name}", value, wanted="a number or the text of one", error=InvalidValue)
    if bounded.range[1] == 1 and 2 <= end <= 100:
        raise InvalidValue(f"ranges of {bounded.name}: at most 1, got {value}; if it is a percentage write '{value}%'")
    return end


@dataclass(frozen=True, slots=True)
class Witness(Tabular):
    """One confusion matrix per evaluation set, together giving the reported scores."""

    matrices: tuple[ConfusionMatrix, ...]

    @property
    def matrix(self) -> ConfusionMatrix:
        """The only matrix, or the sum of all."""
        return ConfusionMatrix(*(sum(cells) for cells in zip(*(m.cells for m in self.matrices), strict=True)))

    @property
    def tp(self) -> int:
        return self.matrix.tp

    @property
    def fp(self) -> int:
        return self.matrix.fp

    @property
    def fn(self) -> int:
        return self.matrix.fn

    @property
    def tn(self) -> int:
        return self.matrix.tn

    def _rows(self) -> list[dict[str, Any]]:
        return [dict(matrix.to_dict()) for matrix in self.matrices]

    def __str__(self) -> str:
        return "; ".join(map(str, self.matrices))
