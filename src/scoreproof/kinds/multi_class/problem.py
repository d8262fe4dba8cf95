"""What a report on several classes says: classes with their cases, printed scores, conventions.

``counts`` holds one tuple of class counts for each evaluation set; the scores of several sets were averaged. Where
classes exclude each other (``exclusive``) every set is one confusion matrix; labels that do not are binary decisions
each, and ``total`` is how many cases a set has, if that is known.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, cast

from scoreproof.errors import InvalidExperiment, InvalidOption, InvalidValue
from scoreproof.kinds.multi_class.forms import form_named
from scoreproof.kinds.multi_class.quantities import ClassesScore, Kind, of_average, of_class, of_whole
from scoreproof.reported import Claim, report
from scoreproof.reported.conventions import Undefined, choice
from scoreproof.validation import chosen, exact


class MacroF1(StrEnum):
    """What an F-score averaged over classes is: the mean of the classes' scores, or that of the mean precision and
    recall; both are in use (Opitz and Burst 2019, arXiv:1911.03347), and by default both are admitted."""

    ANY = "any"
    MEAN = "mean"
    OF_MEANS = "of means"


@dataclass(frozen=True, slots=True)
class ClassesProblem:
    """Scores of one confusion matrix of several classes, or averages over several matrices."""

    classes: tuple[str, ...]
    counts: tuple[tuple[int, ...], ...]
    claims: tuple[Claim, ...]
    undefined: Undefined = Undefined.ANY
    macro_f1: MacroF1 = MacroF1.ANY
    exclusive: bool = True
    total: tuple[int, ...] | None = None

    @property
    def kind(self) -> str:
        return "multi_class" if self.exclusive else "multi_label"

    @property
    def totals(self) -> tuple[int | None, ...]:
        """The cases of every set, None where that is not known."""
        if self.exclusive:
            return tuple(map(sum, self.counts))
        return self.total if self.total is not None else (None,) * len(self.counts)

    def to_dict(self) -> dict[str, Any]:
        statement: dict[str, Any] = {
            "classes": [
                {"name": name, "counts": [own[place] for own in self.counts]} for place, name in enumerate(self.classes)
            ],
            "scores": [_stated(claim) for claim in self.claims],
            "undefined": self.undefined.value,
            "macro_f1": self.macro_f1.value,
        }
        if not self.exclusive:
            statement["total"] = None if self.total is None else list(self.total)
        return statement

    def with_claims(self, claims: Iterable[Claim]) -> ClassesProblem:
        return replace(self, claims=in_order(claims))

    def with_experiment(self, experiment: Any) -> ClassesProblem:
        """The same report of another experiment on as many classes."""
        from scoreproof.kinds.multi_class.folds import sets_of

        counts = sets_of(experiment)[1] if self.exclusive else [experiment.sizes]
        if any(len(own) != len(self.classes) for own in counts):
            raise InvalidExperiment(f"experiment: expected {len(self.classes)} classes, as reported; got {experiment}")
        total = None if self.exclusive or experiment.total is None else (experiment.total,)
        return replace(self, counts=tuple(counts), total=total)

    def with_counts(self, counts: Sequence[Sequence[int]]) -> ClassesProblem:
        """The same with other class counts."""
        return replace(self, counts=tuple(map(tuple, counts)))


def asked_of(claim: Claim) -> ClassesScore:
    """What a claim of such a report is about."""
    return cast(ClassesScore, claim.quantity)


def averages_f1(problem: ClassesProblem) -> bool:
    """Whether an F-score averaged over classes is reported, which has two meanings."""
    return any(
        asked_of(claim).average in ("macro", "weighted") and form_named(asked_of(claim).score).harmonic
        for claim in problem.claims
    )


def in_order(claims: Iterable[Claim]) -> tuple[Claim, ...]:
    """Classes first, then the whole, then averages."""
    return tuple(sorted(claims, key=lambda claim: asked_of(claim).order))


def read_conventions(undefined: Any, macro_f1: Any) -> tuple[Undefined, MacroF1]:
    """The conventions by their names."""
    return choice(Undefined, "undefined", undefined), chosen("macro_f1", macro_f1, MacroF1)


def require_plain(claim: Claim) -> Claim:
    """The claim, if it has no ±."""
    if claim.spread is not None:
        raise InvalidValue(
            f"{claim.name}: {claim.text!r} has a ±; of several classes only the value itself is tested, so leave the ± "
            "out"
        )
    return claim


def _stated(claim: Claim) -> dict[str, Any]:
    about = asked_of(claim)
    stated = claim.to_dict() | {"score": about.score}
    stated.pop("name", None)
    if about.place is not None:
        stated["class"] = about.place
    elif about.average:
        stated["average"] = about.average
    return stated


def problem_from_dict(statement: Mapping[str, Any], kind: Kind) -> ClassesProblem:
    """The problem a statement describes."""
    classes = statement["classes"]
    names = tuple(str(part["name"]) for part in classes)
    counts = tuple(zip(*(part["counts"] for part in classes), strict=True))
    claims = []
    for stated in statement["scores"]:
        if stated.get("class") is not None:
            quantity = of_class(stated["score"], stated["class"], names[stated["class"]], kind)
        elif stated.get("average"):
            quantity = of_average(stated["score"], stated["average"], kind)
        else:
            quantity = of_whole(stated["score"], kind)
        text, eps = str(stated["text"]), stated.get("eps")
        value = exact("text", text) if eps is not None and "/" in text.replace("+/-", "±") else text
        claim = report(quantity, value, rounding=stated.get("rounding"), eps=eps, decimal_comma="," in text)
        claims.append(replace(claim, text=text))
    undefined, macro_f1 = read_conventions(statement["undefined"], statement["macro_f1"])
    total = statement.get("total")
    if kind == "multi_class" and "total" in statement:
        raise InvalidOption("total: of classes that exclude each other it is the sum of their cases")
    return ClassesProblem(
        names,
        counts,
        in_order(claims),
        undefined,
        macro_f1,
        kind == "multi_class",
        None if total is None else tuple(total),
    )
