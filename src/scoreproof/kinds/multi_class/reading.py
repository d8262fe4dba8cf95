"""From an experiment on several classes and the scores as given to a problem."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from scoreproof.errors import DuplicateScore, InvalidExperiment, InvalidOption, InvalidValue
from scoreproof.kinds.multi_class.forms import FORMS, form_named
from scoreproof.kinds.multi_class.problem import (
    ClassesProblem,
    MacroF1,
    in_order,
    read_conventions,
    require_plain,
)
from scoreproof.kinds.multi_class.quantities import WHOLE, ClassesScore, Kind, of_average, of_class, of_whole, parsed
from scoreproof.reported import Claim, report
from scoreproof.reported.conventions import Undefined
from scoreproof.validation import shown

_OPTIONS = ("rounding", "eps", "digits")


def classes_problem(
    names: Sequence[str],
    counts: Sequence[Sequence[int]],
    scores: Mapping[str, Any],
    *,
    exclusive: bool = True,
    total: Sequence[int] | None = None,
    undefined: Any = Undefined.ANY,
    macro_f1: Any = MacroF1.ANY,
    rounding: Any = None,
    eps: Any = None,
    digits: Any = None,
    decimal_comma: bool = False,
    **unknown: Any,
) -> ClassesProblem:
    """The problem of a report: a score maps to its text, or to a text for each class, listed or by name.

    >>> problem = classes_problem(["cat", "dog", "cow"], [[5, 7, 3]], {"sens": {"dog": "0.71"}, "macro f1": "0.80"})
    >>> [str(claim) for claim in problem.claims]
    ['recall of dog = 0.71', 'macro F1 = 0.80']
    """
    if unknown:
        raise InvalidOption(
            f"{', '.join(unknown)}: not an option of reports on several classes; these are rounding, eps, digits, "
            "undefined, macro_f1, decimal_comma"
        )
    if not isinstance(scores, Mapping) or not scores:
        raise InvalidValue(f"scores: expected a mapping such as {{'macro f1': '0.90'}}, got {shown(scores)}")
    if len(set(names)) != len(names):
        twice = next(name for name in names if list(names).count(name) > 1)
        raise InvalidExperiment(f"classes: every class needs a name of its own, but {twice!r} is there twice")
    reader = _Reader(names, "multi_class" if exclusive else "multi_label", rounding, eps, digits, decimal_comma)
    for name, value in scores.items():
        reader.admit(name, value)
    reader.refuse_leftovers()
    convention, of_f1 = read_conventions(undefined, macro_f1)
    return ClassesProblem(
        tuple(names),
        tuple(tuple(own) for own in counts),
        in_order(reader.claims),
        convention,
        of_f1,
        exclusive,
        None if total is None else tuple(total),
    )


class _Reader:
    """Claims by what they are about; an option is one for all, or a mapping from the names that were given."""

    def __init__(self, names: Sequence[str], kind: Kind, rounding: Any, eps: Any, digits: Any, comma: bool) -> None:
        self.names, self.kind, self.comma = names, kind, comma
        self.given = dict(zip(_OPTIONS, (rounding, eps, digits), strict=True))
        self.used: set[tuple[str, str]] = set()
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
            own = {}
            for what, given in self.given.items():
                if isinstance(given, Mapping):
                    own[what] = given.get(name)
                    self.used.add((what, name))
                else:
                    own[what] = given
            claim = report(quantity, value, decimal_comma=self.comma, **own)
        self.claims.append(require_plain(claim))

    def refuse_leftovers(self) -> None:
        for what, given in self.given.items():
            if isinstance(given, Mapping):
                extra = [str(name) for name in given if (what, name) not in self.used]
                if extra:
                    raise InvalidOption(f"{what}: given for {', '.join(extra)}, which is not among the reported scores")
