"""A report with areas under curves beside scores of a confusion matrix."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Unpack

from scoreproof.errors import InvalidExperiment, InvalidOption, NotCovered
from scoreproof.kinds.binary.experiment import Experiment, KFold, TestSet, is_unknown, normal_form, sums_matrices
from scoreproof.kinds.binary.kind import KIND as BINARY
from scoreproof.kinds.binary.problem import PLAIN, BinaryProblem, binary_problem
from scoreproof.kinds.binary.scores import Shape
from scoreproof.kinds.kind import Kind
from scoreproof.kinds.unknown_classes.experiment import UnknownClasses
from scoreproof.kinds.unknown_classes.kind import KIND as UNKNOWN
from scoreproof.kinds.unknown_classes.kind import UnknownClassesProblem
from scoreproof.quantities import CURVE
from scoreproof.reported import Claim, Value, read_scores
from scoreproof.reported.claim import claim_from_dict, refuse_spread
from scoreproof.reported.conventions import USUAL, Conventions, Stated, told
from scoreproof.validation import truth

Base = BinaryProblem | UnknownClassesProblem
_PER_SCORE = ("rounding", "eps", "digits")
_OF_TEXTS = (*_PER_SCORE, "decimal_comma")


@dataclass(frozen=True, slots=True)
class CurveProblem:
    """Areas under the curves of one classifier; ``base`` is the report without them, of which there may be nothing.

    ``ties`` says whether cases may have equal scores. Over folds, areas and scores are means over the same folds.
    ``points`` are the claims at further thresholds, each named after its place. ``concave`` says that the curves are
    said to be concave, as hulls and fitted curves are and those of cases need not be.
    """

    kind: ClassVar[str] = "curve"
    base: Base
    areas: tuple[Claim, ...]
    ties: bool = True
    points: tuple[tuple[Claim, ...], ...] = ()
    concave: bool = False

    @property
    def experiment(self) -> Experiment | UnknownClasses:
        return self.base.experiment

    @property
    def base_kind(self) -> Kind[Any, Any]:
        """What decides the report without its areas."""
        return UNKNOWN if isinstance(self.base, UnknownClassesProblem) else BINARY

    @property
    def claims(self) -> tuple[Claim, ...]:
        return (*self.base.claims, *self.areas, *(claim for point in self.points for claim in point))

    @property
    def concave_area(self) -> bool:
        """Whether an area under a concave curve is claimed: of a curve whose area nobody printed nothing is said."""
        return self.concave and bool(self.areas)

    @property
    def test_set(self) -> TestSet | None:
        """The test set of known class counts, if it is one."""
        experiment = self.base.experiment
        return experiment if isinstance(experiment, TestSet) else None

    def to_dict(self) -> dict[str, Any]:
        scores = [claim.to_dict() for claim in (*self.base.claims, *self.areas)]
        statement = self.base.to_dict() | {"scores": scores, "ties": self.ties}
        if self.points:
            statement["points"] = [[claim.to_dict() for claim in point] for point in self.points]
        if self.concave:
            statement["concave"] = True
        return statement

    def with_experiment(self, experiment: Any) -> CurveProblem:
        """The same scores of another experiment of the same sort."""
        return replace(self, base=replace(self.base, experiment=experiment))

    def with_claims(self, claims: Iterable[Claim]) -> CurveProblem:
        kept = tuple(claims)
        areas = tuple(claim for claim in kept if claim.quantity.kind == "curve")
        scores: list[Claim] = []
        points: dict[str, list[Claim]] = {}
        for claim in kept:
            if claim.quantity.kind != "curve":
                placed = _PLACED.search(claim.name)
                (scores if placed is None else points.setdefault(placed[0], [])).append(claim)
        return replace(self, base=self.base.with_claims(scores), areas=areas, points=tuple(map(tuple, points.values())))


def _placed(place: int) -> str:
    """What follows the name of a claim at a further threshold."""
    return f" at threshold {place + 2}"


_PLACED = re.compile(r" at threshold \d+$")


def curve_problem(
    experiment: Any, scores: Mapping[str, Value | Claim], how: Conventions = USUAL, **stated: Unpack[Stated]
) -> CurveProblem:
    """The problem of an experiment with two classes, and areas among its scores.

    ``points`` are scores at further thresholds of the same ranking, ``concave`` says that its curve is concave.

    >>> [str(claim) for claim in curve_problem(TestSet(6, 70), {"AUC": "0.905", "sens": "0.83"}).areas]
    ['AUC = 0.905']
    """
    areas = {name: value for name, value in scores.items() if is_area(name, value)}
    others = {name: value for name, value in scores.items() if name not in areas}
    for name in areas:
        if reason := uncovered(experiment, name):
            raise NotCovered(f"{name}: {reason}; leave it out to check the other scores")
    how = told(stated, how)
    each = {name: _parted(option) for name in _PER_SCORE if isinstance(option := getattr(how, name), Mapping)}
    own = how.only(*_OF_TEXTS).but(**{name: of_areas for name, (of_areas, _) in each.items()})
    rest = told({name: value for name, value in how.stated.items() if name not in ("ties", "points", "concave")})
    rest = rest.but(**{name: of_others for name, (_, of_others) in each.items()})
    read = read_scores(areas, own, kind="curve") if areas else ()
    base = _base(experiment, others, rest)
    further = _points(base, read, how.points, rest.only(*_OF_TEXTS))
    return _covered(CurveProblem(base, read, how.ties, further, how.concave))


def _covered(problem: CurveProblem) -> CurveProblem:
    """The problem; an error where an area of one ranking has a ±, or nothing is known of concave curves."""
    if isinstance(problem.experiment, TestSet | UnknownClasses):
        refuse_spread(problem.areas)
    if not problem.concave:
        return problem
    if not problem.ties:
        raise InvalidOption("ties: a concave curve is of no cases that could be tied; leave it out, or concave")
    beside = [area.name for area in problem.areas if area.quantity.name != "auc"]
    if beside or problem.points:
        what = ", ".join(beside) or "points"
        raise NotCovered(f"{what}: of concave curves the AUC with one threshold is tested; leave it out, or concave")
    return problem


def _points(
    base: Base, areas: Sequence[Claim], points: Sequence[Mapping[str, Value]], how: Conventions
) -> tuple[tuple[Claim, ...], ...]:
    """The claims at further thresholds, named after their places."""
    if not points:
        return ()
    if not isinstance(base.experiment, TestSet) or [area.quantity.name for area in areas] != ["auc"]:
        raise NotCovered("points: several thresholds are tested with an AUC on one test set of known class counts")
    read = [
        tuple(replace(claim, name=f"{claim.name}{_placed(place)}") for claim in read_scores(point, how))
        for place, point in enumerate(points)
    ]
    for claim in (*base.claims, *(claim for point in read for claim in point)):
        if claim.score.shape is not Shape.LINEAR or claim.spread is not None:
            raise NotCovered(
                f"{claim.name}: beside further thresholds only sens, spec, acc, bacc and their complements are tested"
            )
    return tuple(read)


def _parted(option: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """What an option per score says of areas, and what of the others."""
    return (
        {name: value for name, value in option.items() if is_area(name)},
        {name: value for name, value in option.items() if not is_area(name)},
    )


def is_area(name: Any, value: Any = None) -> bool:
    """Whether a score is an area under a curve."""
    if isinstance(value, Claim):
        return value.quantity.kind == "curve"
    return isinstance(name, str) and CURVE.find(name) is not None


def uncovered(experiment: Any, name: str) -> str:
    """Why an area is not tested of an experiment; empty where it is."""
    known = CURVE.find(name)
    if known is not None and known.name != "auc" and not isinstance(experiment, TestSet):
        return f"the {known.title} is tested for one test set of known class counts"
    if isinstance(experiment, UnknownClasses):
        return ""
    if not isinstance(experiment, Experiment):
        raise InvalidExperiment(f"experiment: expected TestSet(p, n), KFold(...) or the like, got {experiment!r}")
    if isinstance(experiment, TestSet):
        return "" if experiment.p and experiment.n else "it needs cases of both classes"
    if is_unknown(experiment):
        return "an unknown way to aggregate leaves open of what it is; say aggregation='mean_of_scores'"
    if _adds_up(experiment):
        return "matrices that are added up do not say whether the area is of pooled scores or a mean over the parts"
    form = normal_form(experiment)
    if any(min(counts) == 0 for each in form.sets for counts in form.class_counts(each)):
        return "a fold may lack a class, and how its area was counted is not known"
    return ""


def _adds_up(experiment: Experiment) -> bool:
    """Whether matrices of an experiment are added up somewhere."""
    if isinstance(experiment, TestSet):
        return False
    parts = () if isinstance(experiment, KFold) else experiment.parts
    return sums_matrices(experiment) or any(map(_adds_up, parts))


def _base(experiment: Any, scores: Mapping[str, Value | Claim], how: Conventions) -> Base:
    """The problem of the other scores."""
    if isinstance(experiment, UnknownClasses):
        if scores:
            return UNKNOWN.problem(experiment, scores, how)
        _refuse_options(how.stated)
        return UnknownClassesProblem(experiment, ())
    if scores:
        return binary_problem(experiment, scores, how)
    _refuse_options(how.but(undefined="any").stated)
    return BinaryProblem(experiment, (), how.undefined, PLAIN)


def _refuse_options(options: Mapping[str, Any]) -> None:
    stated = [
        name for name, value in options.items() if name not in _OF_TEXTS or (isinstance(value, Mapping) and value)
    ]
    if stated:
        raise InvalidOption(f"{', '.join(stated)}: that speaks of scores of confusion matrices, but there are none")


def read_curve_problem(statement: Mapping[str, Any]) -> CurveProblem:
    """The problem a statement describes."""
    areas = [entry for entry in statement["scores"] if is_area(entry["score"])]
    scores = [entry for entry in statement["scores"] if entry not in areas]
    kind = UNKNOWN if statement["experiment"].get("type") == UNKNOWN.name else BINARY
    base: Base = kind.read({**statement, "scores": scores})
    claims = tuple(claim_from_dict(entry, kind="curve") for entry in areas)
    points = tuple(tuple(map(claim_from_dict, point)) for point in statement.get("points", ()))
    concave = truth("concave", statement.get("concave", False))
    return _covered(CurveProblem(base, claims, truth("ties", statement["ties"]), points, concave))
