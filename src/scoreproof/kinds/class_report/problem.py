"""What a classification report says: classes with supports, their printed scores, the accuracy and the averages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from functools import lru_cache
from typing import Any, ClassVar, cast

from scoreproof.errors import DuplicateScore, InvalidExperiment, InvalidOption, InvalidValue
from scoreproof.kinds.binary.scores import score
from scoreproof.quantities import Quantity
from scoreproof.reported import Claim, Value, report
from scoreproof.reported.conventions import Undefined, choice

FEWEST_CLASSES, MOST_CLASSES = 2, 1_000
MOST_CASES = 10**9
WORDS = {"ppv": "precision", "sens": "recall", "f1": "F1"}
AVERAGES = ("macro", "weighted")
_LONGEST_NAME = 200


class AveragesOf(StrEnum):
    """Of what an average over classes was taken: the scores, or (``any``) perhaps printed values; see ``model``."""

    ANY = "any"
    SCORES = "scores"


@dataclass(frozen=True, slots=True)
class ReportScore(Quantity):
    """A score of one class (``place`` is its number), an average over classes, or the accuracy (neither)."""

    score: str = "acc"
    place: int | None = None
    average: str = ""

    @property
    def order(self) -> tuple[int, int, int]:
        """Where it stands in a report: classes, accuracy, averages."""
        group = AVERAGES.index(self.average) + 2 if self.average else 0 if self.place is not None else 1
        return group, self.place or 0, [*WORDS, "acc"].index(self.score)


@dataclass(frozen=True, slots=True)
class ReportedClass:
    """A class and its support, the number of its cases."""

    name: str
    support: int


@dataclass(frozen=True, slots=True)
class ClassReportProblem:
    """Scores of the classes of one confusion matrix whose row sums are the supports."""

    kind: ClassVar[str] = "class_report"
    classes: tuple[ReportedClass, ...]
    claims: tuple[Claim, ...]
    undefined: Undefined = Undefined.ANY
    averages_of: AveragesOf = AveragesOf.ANY

    @property
    def total(self) -> int:
        """The number of cases."""
        return sum(part.support for part in self.classes)

    def to_dict(self) -> dict[str, Any]:
        classes: list[dict[str, Any]] = [
            {"name": part.name, "support": part.support, "scores": []} for part in self.classes
        ]
        averages: dict[str, list[dict[str, Any]]] = {}
        statement: dict[str, Any] = {"classes": classes}
        for claim in self.claims:
            stated = claim.to_dict() | {"score": asked_of(claim).score}
            stated.pop("name", None)
            place, average = asked_of(claim).place, asked_of(claim).average
            if place is not None:
                classes[place]["scores"].append(stated)
            elif average:
                averages.setdefault(average, []).append(stated)
            else:
                statement["accuracy"] = stated
        return statement | {
            "averages": averages,
            "averages_of": self.averages_of.value,
            "undefined": self.undefined.value,
        }

    def with_claims(self, claims: Iterable[Claim]) -> ClassReportProblem:
        return replace(self, claims=_in_order(claims))


def asked_of(claim: Claim) -> ReportScore:
    """What a claim of a class report is about."""
    return cast(ReportScore, claim.quantity)


def _in_order(claims: Iterable[Claim]) -> tuple[Claim, ...]:
    return tuple(sorted(claims, key=lambda claim: asked_of(claim).order))


def class_report(
    classes: Iterable[tuple[str, int, Mapping[str, Value | Claim]]],
    *,
    accuracy: Value | None = None,
    macro: Mapping[str, Value] | None = None,
    weighted: Mapping[str, Value] | None = None,
    undefined: str | Undefined = Undefined.ANY,
    averages_of: str | AveragesOf = AveragesOf.ANY,
    rounding: Any = None,
    eps: Any = None,
    digits: Any = None,
    decimal_comma: bool = False,
) -> ClassReportProblem:
    """The problem a classification report poses: each class is its name, its support and its printed scores.

    Scores are precision, recall and F1 under any of their names, any subset of them. ``rounding``, ``eps`` and
    ``digits`` are those of ``check``: one for all, or a mapping from scores (``acc`` is the accuracy).

    >>> scores = {"precision": "0.50", "recall": "1.00"}
    >>> problem = class_report([(name, 10, scores) for name in ("cat", "cow", "dog")], accuracy="1.00")
    >>> problem.total, str(problem.claims[0])
    (30, 'precision of cat = 0.50')
    """
    options = {
        name: {score(key).name: value for key, value in given.items()} if isinstance(given, Mapping) else given
        for name, given in (("rounding", rounding), ("eps", eps), ("digits", digits))
    }
    parts: list[ReportedClass] = []
    claims: list[Claim] = []

    def read(quantity: ReportScore, value: Value | Claim) -> None:
        if isinstance(value, Claim):
            claims.append(replace(value, quantity=quantity, name=quantity.name))
        else:
            own = {
                key: given.get(quantity.score) if isinstance(given, Mapping) else given
                for key, given in options.items()
            }
            claims.append(report(quantity, value, decimal_comma=decimal_comma, **own))
        if claims[-1].spread is not None:
            raise InvalidValue(
                f"{quantity.name}: {claims[-1].text!r} has a ±, so it is a mean over runs, but this is about one "
                "confusion matrix; leave the ± out to treat the value as that of one matrix"
            )

    for place, (name, support, scores) in enumerate(classes):
        parts.append(ReportedClass(_name(name), _support(name, support)))
        for key, value in _read_names(scores, f"class {name!r}").items():
            read(of_class(key, place, str(name)), value)
    if accuracy is not None:
        read(ACCURACY, accuracy)
    for average, scores_of in zip(AVERAGES, (macro, weighted), strict=True):
        for key, value in _read_names(scores_of or {}, average).items():
            read(of_average(key, average), value)
    convention = choice(Undefined, "undefined", undefined)
    if convention not in (Undefined.ANY, Undefined.ZERO, Undefined.ONE):
        raise InvalidOption(f"undefined: in a class report it is 'any', 'zero' or 'one'; got {str(undefined)!r}")
    try:
        averaged = AveragesOf(averages_of)
    except ValueError:
        raise InvalidOption(f"averages_of: expected one of {', '.join(AveragesOf)}; got {averages_of!r}") from None
    _check_classes(parts)
    return ClassReportProblem(tuple(parts), _in_order(claims), convention, averaged)


def problem_from_dict(statement: Mapping[str, Any]) -> ClassReportProblem:
    """The problem a statement describes."""

    def entry(stated: Mapping[str, Any], quantity: ReportScore) -> Claim:
        text, eps = str(stated["text"]), stated.get("eps")
        value = Fraction(text) if eps is not None and "/" in text else text
        claim = report(quantity, value, rounding=stated.get("rounding"), eps=eps, decimal_comma="," in text)
        return replace(claim, text=text)

    classes = tuple(ReportedClass(_name(part["name"]), part["support"]) for part in statement["classes"])
    claims = [
        entry(stated, of_class(stated["score"], place, part["name"]))
        for place, part in enumerate(statement["classes"])
        for stated in part["scores"]
    ]
    if statement.get("accuracy") is not None:
        claims.append(entry(statement["accuracy"], ACCURACY))
    for average, entries in statement["averages"].items():
        claims += [entry(stated, of_average(stated["score"], average)) for stated in entries]
    return ClassReportProblem(
        classes,
        _in_order(claims),
        choice(Undefined, "undefined", statement["undefined"]),
        AveragesOf(statement["averages_of"]),
    )


ACCURACY = ReportScore("accuracy", "accuracy", kind="class_report")


@lru_cache(maxsize=4096)
def of_class(key: str, place: int, name: str) -> ReportScore:
    """The score of one class."""
    words = f"{WORDS[key]} of {name}"
    return ReportScore(words, words, kind="class_report", score=key, place=place)


@lru_cache(maxsize=16)
def of_average(key: str, average: str) -> ReportScore:
    """The average of a score over the classes: the plain mean, or that weighted by support."""
    words = f"{average} {WORDS[key]}"
    return ReportScore(words, words, kind="class_report", score=key, average=average)


def _read_names(scores: Mapping[str, Any], owner: str) -> dict[str, Any]:
    """Scores by the names the kind uses."""
    read: dict[str, Any] = {}
    for name, value in scores.items():
        key = score(name).name
        if key not in WORDS:
            raise InvalidOption(f"{owner}: expected precision, recall or F1 of a class, got {name!r}")
        if key in read:
            raise DuplicateScore(f"{owner}: {WORDS[key]} is given twice; report it once")
        read[key] = value
    return read


def _name(name: Any) -> str:
    if not isinstance(name, str) or len(name) > _LONGEST_NAME:
        raise InvalidExperiment(f"class: expected a name of at most {_LONGEST_NAME} letters, got {name!r:.60}")
    return name


def _support(name: str, support: Any) -> int:
    if isinstance(support, bool) or not isinstance(support, int) or support < 0:
        raise InvalidExperiment(f"class {name!r}: expected its support, a whole number not below 0, got {support!r}")
    return support


def _check_classes(parts: Sequence[ReportedClass]) -> None:
    if not FEWEST_CLASSES <= len(parts) <= MOST_CLASSES:
        raise InvalidExperiment(f"classes: expected {FEWEST_CLASSES} to {MOST_CLASSES}, got {len(parts)}")
    names = [part.name for part in parts]
    if len(set(names)) != len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise InvalidExperiment(f"classes: every class needs a name of its own, but {twice!r} is there twice")
    total = sum(part.support for part in parts)
    if not 1 <= total <= MOST_CASES:
        raise InvalidExperiment(f"classes: expected 1 to {MOST_CASES} cases in all, got {total}")
