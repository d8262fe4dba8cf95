"""What a report on several classes says, and how it is read from an experiment and scores.

``counts`` holds one tuple of class counts for each evaluation set; the scores of several sets were averaged. Where
classes exclude each other (``exclusive``) every set is one confusion matrix; labels that do not are binary decisions
each, and ``total`` is how many cases a set has, if that is known.

Two classes are a binary problem, with the second as the positive one (as scikit-learn sorts 0 and 1).

Recall of the second class is sensitivity, that of the first specificity, their mean balanced accuracy. Reports that
have more than binary scores (macro precision, F1 of the first class), and those on which the two kinds differ because a
0/0 may be printed as 1, stay with the kind of several classes, which is as exact and only slower on large sets.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self, Unpack, cast

from scoreproof.errors import DuplicateScore, InvalidExperiment, InvalidOption, InvalidValue
from scoreproof.kinds.binary.experiment import MeanOfScores, TestSet
from scoreproof.kinds.binary.kind import KIND as BINARY
from scoreproof.kinds.binary.problem import BinaryProblem
from scoreproof.kinds.binary.scores import score
from scoreproof.kinds.multi_class.quantities import (
    FORMS,
    WHOLE,
    ClassesScore,
    Kind,
    form_named,
    of_average,
    of_class,
    of_whole,
    parsed,
)
from scoreproof.reported import Claim, report
from scoreproof.reported.claim import claim_from_dict
from scoreproof.reported.conventions import USUAL, Conventions, MacroF1, Stated, Undefined, told
from scoreproof.validation import chosen, shown


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
        from scoreproof.kinds.multi_class.experiment import sets_of

        counts = sets_of(experiment)[1] if self.exclusive else [experiment.sizes]
        if any(len(own) != len(self.classes) for own in counts):
            raise InvalidExperiment(f"experiment: expected {len(self.classes)} classes, as reported; got {experiment}")
        total = None if self.exclusive or experiment.total is None else (experiment.total,)
        return replace(self, counts=tuple(counts), total=total)

    def with_counts(self, counts: Sequence[Sequence[int]]) -> ClassesProblem:
        """The same with other class counts."""
        return replace(self, counts=tuple(map(tuple, counts)))


class OfReport:
    """A problem whose claims are those of a report on several classes, with more known of the classes, or less."""

    __slots__ = ()
    report: ClassesProblem

    @property
    def claims(self) -> tuple[Claim, ...]:
        return self.report.claims

    @property
    def classes(self) -> tuple[str, ...]:
        return self.report.classes

    def with_claims(self, claims: Iterable[Claim]) -> Self:
        problem: Any = self
        return replace(problem, report=self.report.with_claims(claims))  # type: ignore[no-any-return]


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
        claims.append(claim_from_dict({**stated, "score": quantity}))
    total = statement.get("total")
    if kind == "multi_class" and "total" in statement:
        raise InvalidOption("total: of classes that exclude each other it is the sum of their cases")
    return ClassesProblem(
        names,
        counts,
        in_order(claims),
        chosen("undefined", statement["undefined"], Undefined),
        chosen("macro_f1", statement["macro_f1"], MacroF1),
        kind == "multi_class",
        None if total is None else tuple(total),
    )


_SECOND = {name: name for name in ("sens", "fnr", "ppv", "fdr", "f1", "spec", "fpr", "npv", "for", "acc", "err", "ji")}
_FIRST = {"sens": "spec", "fnr": "fpr", "ppv": "npv", "fdr": "for", "spec": "sens", "fpr": "fnr", "npv": "ppv"}
_FIRST |= {"for": "fdr", "acc": "acc", "err": "err"}
_AVERAGED = {("sens", "macro"): "bacc", ("spec", "macro"): "bacc", ("acc", "macro"): "acc", ("sens", "weighted"): "acc"}
_AVERAGED |= {(name, "micro"): "acc" for name in ("sens", "ppv", "f1", "spec", "npv", "acc")}
_DEFINED = frozenset({"acc", "err", "sens", "fnr", "spec", "fpr", "bacc"})  # never 0/0 where both classes have cases
_CONVENTIONS = (Undefined.ANY, Undefined.ZERO, Undefined.EXCLUDE)


def binary_problem(problem: ClassesProblem) -> BinaryProblem | None:
    """The same report as a binary one; None where it is not."""
    if len(problem.classes) != 2 or problem.undefined not in _CONVENTIONS or not all(map(all, problem.counts)):
        return None
    claims: dict[str, Any] = {}
    for claim in problem.claims:
        name = _name(asked_of(claim))
        if name is None or name in claims:
            return None
        if name not in _DEFINED and (len(problem.counts) > 1 or claim.high >= 1):
            return None
        claims[name] = replace(claim, quantity=score(name), name=name)
    if {"acc", "err"} <= set(claims):
        return None
    sets = [TestSet(second, first) for first, second in problem.counts]
    return BINARY.problem(sets[0] if len(sets) == 1 else MeanOfScores(sets), claims, undefined=problem.undefined)


def _name(about: ClassesScore) -> str | None:
    if about.place is not None:
        return (_FIRST, _SECOND)[about.place].get(about.score)
    if about.average:
        return _AVERAGED.get((about.score, about.average))
    return about.score


_OPTIONS = ("rounding", "eps", "digits")
_TAKEN = (*_OPTIONS, "undefined", "macro_f1", "decimal_comma")


def classes_problem(
    names: Sequence[str],
    counts: Sequence[Sequence[int]],
    scores: Mapping[str, Any],
    how: Conventions = USUAL,
    *,
    exclusive: bool = True,
    total: Sequence[int] | None = None,
    **stated: Unpack[Stated],
) -> ClassesProblem:
    """The problem of a report: a score maps to its text, or to a text for each class, listed or by name.

    >>> problem = classes_problem(["cat", "dog", "cow"], [[5, 7, 3]], {"sens": {"dog": "0.71"}, "macro f1": "0.80"})
    >>> [str(claim) for claim in problem.claims]
    ['recall of dog = 0.71', 'macro F1 = 0.80']
    """
    how = told(stated, how)
    how.refuse_all_but(_TAKEN, f"not an option of reports on several classes; these are {', '.join(_TAKEN)}")
    if not isinstance(scores, Mapping) or not scores:
        raise InvalidValue(f"scores: expected a mapping such as {{'macro f1': '0.90'}}, got {shown(scores)}")
    if len(set(names)) != len(names):
        twice = next(name for name in names if list(names).count(name) > 1)
        raise InvalidExperiment(f"classes: every class needs a name of its own, but {twice!r} is there twice")
    reader = _Reader(names, "multi_class" if exclusive else "multi_label", how)
    for name, value in scores.items():
        reader.admit(name, value)
    for what, given in reader.given.items():
        if extra := [str(name) for name in given if name not in scores] if isinstance(given, Mapping) else []:
            raise InvalidOption(f"{what}: given for {', '.join(extra)}, which is not among the reported scores")
    return ClassesProblem(
        tuple(names),
        tuple(tuple(own) for own in counts),
        in_order(reader.claims),
        how.undefined,
        how.macro_f1,
        exclusive,
        None if total is None else tuple(total),
    )


class _Reader:
    """Claims by what they are about; an option is one for all, or a mapping from the names that were given."""

    def __init__(self, names: Sequence[str], kind: Kind, how: Conventions) -> None:
        self.names, self.kind, self.comma = names, kind, how.decimal_comma
        self.given = {name: getattr(how, name) for name in _OPTIONS}
        self.claims: list[Claim] = []
        self._first: dict[ClassesScore, str] = {}

    def admit(self, name: str, value: Any) -> None:
        score, average = parsed(name)
        if isinstance(value, Mapping) or (isinstance(value, Sequence) and not isinstance(value, str)):
            if average:
                raise InvalidValue(f"{name}: an average over classes is one value, got {shown(value)}")
            for place, own in self._by_class(name, value):
                self._read(name, of_class(form_named(score).name, place, self.names[place], self.kind), own)
            return
        if average:
            self._read(name, of_average(score, average, self.kind), value)
        elif score in WHOLE and self.kind == "multi_class":
            self._read(name, of_whole(score, self.kind), value)
        elif score in FORMS or form_named(score):
            raise InvalidValue(
                f"{name}: of several classes this is one value for each, in a list, or an average: say which, 'macro "
                f"{name}', 'weighted {name}' or 'micro {name}'"
            )

    def _by_class(self, name: str, value: Any) -> list[tuple[int, Any]]:
        if isinstance(value, Mapping):
            strange = [str(key) for key in value if key not in self.names]
            if strange:
                raise InvalidValue(f"{name}: no class is called {strange[0]!r}; there are {', '.join(self.names[:9])}")
            return [(list(self.names).index(key), own) for key, own in value.items() if own is not None]
        if len(value) != len(self.names):
            raise InvalidValue(f"{name}: expected {len(self.names)} values, one for each class, got {len(value)}")
        return [(place, own) for place, own in enumerate(value) if own is not None]

    def _read(self, name: str, quantity: ClassesScore, value: Any) -> None:
        if quantity in self._first:
            raise DuplicateScore(
                f"{name!r} and {self._first[quantity]!r} are one score ({quantity.title}); report it once"
            )
        self._first[quantity] = name
        if isinstance(value, Claim):
            claim = replace(value, quantity=quantity, name=quantity.name)
        else:
            options = self.given.items()
            own = {what: given.get(name) if isinstance(given, Mapping) else given for what, given in options}
            claim = report(quantity, value, decimal_comma=self.comma, **own)
        if claim.spread is not None:
            only = "of several classes only the value itself is tested, so leave the ± out"
            raise InvalidValue(f"{claim.name}: {claim.text!r} has a ±; {only}")
        self.claims.append(claim)
