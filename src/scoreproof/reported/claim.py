"""A score as reported: which score, the text, and the closed interval of true values the text allows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from fractions import Fraction
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Self, Unpack, cast

from scoreproof.errors import DuplicateScore, InvalidOption, InvalidValue
from scoreproof.quantities import Quantity, quantity
from scoreproof.reported.conventions import USUAL, Conventions, Stated, told
from scoreproof.reported.number import Printed, Rounding, interval, read_number, read_text
from scoreproof.results import Result
from scoreproof.validation import exact, shown, whole

if TYPE_CHECKING:
    from scoreproof.kinds.binary.scores import Score

Value = str | Decimal | float | int | Fraction
PerScore = Any  # one value for every score, or a mapping from score names to values


@dataclass(frozen=True, slots=True)
class Claim(Result):
    """One reported score.

    ``low`` and ``high`` bound the true value; ``rounding`` says by which rule, unless an explicit ``eps`` was
    given. ``spread`` is what follows a ±.
    """

    quantity: Quantity
    name: str
    text: str
    number: Printed
    low: Fraction
    high: Fraction
    rounding: Rounding | None
    eps: Fraction | None = None
    spread: Printed | None = None
    #: numerators and denominators of both ends: comparing fractions takes ten times as long as comparing these
    ends: tuple[int, int, int, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "ends", (*self.low.as_integer_ratio(), *self.high.as_integer_ratio()))

    @property
    def score(self) -> Score:
        """The quantity as a score of a confusion matrix, for who knows that it is one."""
        return cast("Score", self.quantity)

    @property
    def beyond_range(self) -> str | None:
        """In words, that no value of this score prints like that; None if one may."""
        if self.quantity.builtin and 0 <= self.number.units <= self.number.scale:
            return None  # every built-in score has values from 0 to 1
        least, most = self.quantity.range
        if most is not None and _above(self.low, most):
            return f"{self.name} = {self.text}, but {self.quantity.title} is never above {most}"
        if least is not None and _above(least, self.high):
            return f"{self.name} = {self.text}, but {self.quantity.title} is never below {least}"
        return None

    def to_dict(self) -> dict[str, Any]:
        """The statement a certificate carries: enough to derive the interval again from the text."""
        statement: dict[str, Any] = {"score": self.quantity.name, "text": self.text}
        if self.name != self.quantity.name:
            statement["name"] = self.name
        if self.eps is not None:
            statement["eps"] = str(self.eps)
        else:
            statement["rounding"] = str(self.rounding)
        return statement

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> Self:
        """The claim a statement describes, whatever the kind of problem it belongs to."""
        return cast("Self", claim_from_dict(document, kind=None))

    def __str__(self) -> str:
        return f"{self.name} = {self.text}"


def _above(value: Fraction, other: Fraction) -> bool:
    """Whether it is larger; fractions compare themselves much more slowly."""
    return value.numerator * other.denominator > other.numerator * value.denominator


_MOST_DIGITS = 100


def report(
    name: str | Quantity,
    value: Value,
    *,
    rounding: str | Rounding | None = Rounding.ANY,
    eps: Value | None = None,
    digits: int | None = None,
    beta: Any = None,
    decimal_comma: bool = False,
) -> Claim:
    """Read one reported score; what its digits may stand for is said as in ``check``.

    >>> report("accuracy", "0.90", rounding="nearest").high
    Fraction(181, 200)
    >>> report("acc", 0.9)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    scoreproof.errors.InvalidValue: acc: 0.9 does not say how it was rounded: 0.9 and 0.90 are different reports. ...
    """
    return _reported(quantity(name, beta), str(name), value, rounding, eps, digits, decimal_comma)


def _reported(
    quantity: Quantity,
    label: str,
    value: Value,
    rounding: str | Rounding | None,
    eps: Value | None,
    digits: int | None,
    decimal_comma: bool,
) -> Claim:
    if eps is not None and rounding is not None and Rounding.of(rounding) is not Rounding.ANY:
        raise InvalidOption(
            f"{label}: rounding={shown(rounding)} and eps={shown(eps)} contradict each other; give one of them"
        )
    if digits is not None:
        digits = whole(f"{label}: digits", digits, at_most=_MOST_DIGITS)
    if isinstance(value, str):
        cell = read_text(label, value, decimal_comma=decimal_comma)
    else:
        cell = read_number(label, value, digits=digits, with_eps=eps is not None)
    if cell.bracket is not None:
        raise InvalidValue(
            f"{label}: in {cell.text!r} the bracket may hold a standard deviation, a standard error or a half-width; "
            f"write it with ± if it is the standard deviation over the folds, or leave it out"
        )
    rule = None if eps is not None else Rounding.of(rounding if rounding is not None else Rounding.ANY)
    margin = None if eps is None else _eps(label, eps)
    if rule is not None:
        low, high = interval(cell.number.units, cell.number.scale, rule)
    else:
        assert margin is not None
        low, high = cell.number.value - margin, cell.number.value + margin
    units, scale = abs(cell.number.units), cell.number.scale
    if 2 * scale <= units <= 100 * scale and quantity.range[1] == 1 and "%" not in cell.text and low > 1:
        raise InvalidValue(
            f"{label}: {quantity.title} is at most 1, got {cell.text}; if it is a percentage write '{cell.text}%'"
        )
    return Claim(quantity, label, cell.text, cell.number, low, high, rule, margin, cell.spread)


def claim_from_dict(entry: Mapping[str, Any], *, kind: str | None = "binary") -> Claim:
    """The claim a statement describes: ``claim_from_dict(claim.to_dict()) == claim``."""
    if not isinstance(entry, Mapping) or "text" not in entry or "score" not in entry:
        raise InvalidValue(f"a claim: expected an object with 'score' and 'text', got {shown(entry)}")
    text, eps = str(entry["text"]), entry.get("eps")
    value = exact("text", text) if eps is not None and "/" in text.replace("+/-", "±") else text
    claim = report(
        quantity(entry["score"], kind=kind), value, rounding=entry.get("rounding"), eps=eps, decimal_comma="," in text
    )
    return replace(claim, name=str(entry.get("name", claim.quantity.name)), text=text)


def alone(text: str) -> str:
    """A printed value without what follows a ±; its percent sign may stand behind that.

    >>> alone("0.90 ± 0.02"), alone("80.0 ± 1.5%")
    ('0.90', '80.0%')
    """
    value, _, after = text.partition("±")
    return value.strip() + ("%" if "%" in after and "%" not in value else "") if after else text


def without_spread(claim: Claim) -> Claim:
    """The claim about the value alone."""
    return claim if claim.spread is None else replace(claim, text=alone(claim.text), spread=None)


def leaves_room(claim: Claim) -> bool:
    """Whether a value alone, its text leaves room on both sides: what is close to it prints like that, too."""
    return claim.spread is None and claim.low < claim.number.value < claim.high


def refuse_spread(claims: Iterable[Claim]) -> None:
    """An error where a value of one evaluation has a ±: it is a mean over several then."""
    for claim in claims:
        if claim.spread is not None:
            raise InvalidValue(f"{claim.name}: {claim.text!r} has a ±, but this is one evaluation; leave the ± out")


def spread_interval(claim: Claim) -> tuple[Fraction, Fraction]:
    """The interval of what follows the ± of a claim that has one; its lower end may lie below 0."""
    assert claim.spread is not None
    if claim.spread.units < 0:
        raise InvalidValue(f"{claim.name}: a ± cannot be negative, got {claim.text!r}")
    if claim.eps is not None:
        return claim.spread.value - claim.eps, claim.spread.value + claim.eps
    return interval(claim.spread.units, claim.spread.scale, claim.rounding or Rounding.ANY)


def _eps(name: str, eps: Value) -> Fraction:
    margin = exact(f"{name}: eps", eps, wanted="a number not below 0")
    if margin < 0:
        raise InvalidOption(f"{name}: eps: expected a number not below 0, got {shown(eps)}")
    return margin


def read_scores(
    scores: Mapping[str, Value | Claim], how: Conventions = USUAL, *, kind: str = "binary", **stated: Unpack[Stated]
) -> tuple[Claim, ...]:
    """Read all scores of a report; conventions hold for all scores, or are mappings from score names.

    Names are those of the quantities of a kind.

    >>> [str(claim) for claim in read_scores({"acc": "0.90", "recall": "80%"}, rounding={"acc": "nearest"})]
    ['acc = 0.90', 'recall = 80%']
    """
    _require_scores(scores)
    how = told(stated, how)
    plain = _is_plain(how)
    kept = _READ.get(how.rounding) if plain and how.eps is None and kind == "binary" else None
    texts = kept is not None and set(map(type, scores.values())) == {str}
    known = list(map(kept.get, scores.items())) if kept and texts else [None] * len(scores)  # type: ignore[arg-type]
    if all(known) and len(set(map(_NAME, known))) == len(known):
        return tuple(filter(None, known))
    return _read_each(scores, known, how, {} if plain else _per_score(how, kind), kind, kept)


def _read_each(
    scores: Mapping[str, Value | Claim],
    known: Sequence[Claim | None],
    how: Conventions,
    per_score: Mapping[str, Mapping[str, Any]],
    kind: str,
    kept: dict[tuple[str, str], Claim] | None,
) -> tuple[Claim, ...]:
    """The scores that are not known yet are read, and kept where their texts alone say what they stand for."""
    claims: list[Claim] = []
    first: dict[str, str] = {}
    for (name, value), claim in zip(scores.items(), known, strict=True):
        if claim is None:
            claim = value if isinstance(value, Claim) else _claim(name, value, how, per_score, kind)
            if kept is not None and claim.quantity.builtin and isinstance(value, str) and len(kept) < _MOST_READ:
                kept[name, value] = claim
        if (earlier := first.setdefault(claim.quantity.name, str(name))) != str(name):
            raise DuplicateScore(f"{name!r} and {earlier!r} are one score ({claim.quantity.title}); report it once")
        claims.append(claim)
    for what, given in per_score.items():
        if extra := [name for name in given if name not in first]:
            raise InvalidOption(f"{what}: given for {', '.join(extra)}, which is not among the reported scores")
    return tuple(claims)


def _require_scores(scores: Any) -> None:
    if scores.__class__ is not dict and not isinstance(scores, Mapping):
        raise InvalidValue(f"scores: expected a mapping such as {{'acc': '0.90'}}, got {type(scores).__name__}")
    if not scores:
        raise InvalidValue("scores: at least one reported score is needed, got none")


def _claim(name: str, value: Value, how: Conventions, per_score: Mapping[str, Mapping[str, Any]], kind: str) -> Claim:
    named = quantity(name, how.beta, kind=kind)
    rounding, eps, digits = (
        per_score[what].get(named.name) if what in per_score else getattr(how, what) for what in _PER_SCORE
    )
    return _reported(named, str(name), value, rounding, eps, digits, how.decimal_comma)


def _is_plain(how: Conventions) -> bool:
    """Whether a text alone says what it stands for."""
    plain = how.eps.__class__ in _PLAIN and how.rounding.__class__ in _PLAIN and how.digits is None
    return plain and how.beta is None and not how.decimal_comma


# Tables print the same texts again and again; what a text of a built-in score stands for never changes.
_READ: dict[Any, dict[tuple[str, str], Claim]] = {rule: {} for rule in Rounding}
_MOST_READ = 100_000
_PLAIN = (str, type(None), Rounding)
_NAME = attrgetter("quantity.name")
_PER_SCORE = ("rounding", "eps", "digits")


def restrict(option: PerScore, scores: Mapping[str, Any], beta: Any = None) -> PerScore:
    """An option per score, less what it says of other scores; a name and its synonyms are one score."""
    if not isinstance(option, Mapping):
        return option
    wanted = {
        value.quantity.name if isinstance(value, Claim) else quantity(name, beta).name for name, value in scores.items()
    }
    return {name: value for name, value in option.items() if quantity(name, beta).name in wanted}


def restricted(how: Conventions, scores: Mapping[str, Any]) -> Conventions:
    """The conventions, less what those per score say of other scores."""
    per_score = {name: given for name in _PER_SCORE if isinstance(given := getattr(how, name), Mapping)}
    return how.but(**{name: restrict(given, scores, how.beta) for name, given in per_score.items()})


def _per_score(how: Conventions, kind: str) -> dict[str, dict[str, Any]]:
    """The options that were given per score, by the names of the quantities."""
    return {
        what: {quantity(name, how.beta, kind=kind).name: value for name, value in given.items()}
        for what in _PER_SCORE
        if isinstance(given := getattr(how, what), Mapping)
    }
