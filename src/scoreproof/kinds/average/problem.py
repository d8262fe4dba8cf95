"""A printed mean or standard deviation, and the printed rows it is said to be of."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from typing import Any, ClassVar

from scoreproof.errors import InvalidOption, InvalidValue
from scoreproof.kinds.printed import entry, from_entry, measured, printed, unknown
from scoreproof.quantities import Quantity
from scoreproof.reported import Claim, Value
from scoreproof.reported.conventions import Divisor, choice

MOST_ROWS = 10_000


class Statistic(StrEnum):
    """What the printed value is of the rows."""

    MEAN = "mean"
    DEVIATION = "deviation"

    def of(self, quantity: Quantity) -> Quantity:
        """The quantity of which a value is printed: a deviation has another range than what deviates."""
        if self is Statistic.MEAN:
            return quantity
        least, most = quantity.range
        return unknown(f"standard deviation of {quantity.name}", least=Fraction(0), most=most if least == 0 else None)


def _divisor(name: str | Divisor) -> Divisor:
    """By what it was divided; of one deviation, ``each`` says no more than ``any``."""
    stated = choice(Divisor, "divisor", name)
    return Divisor.ANY if stated is Divisor.EACH else stated


@dataclass(frozen=True, slots=True)
class AverageProblem:
    """Rows as printed, and at most one printed statistic of them; ``weights`` are whole numbers, one for each row."""

    kind: ClassVar[str] = "average"
    quantity: Quantity
    rows: tuple[Claim, ...]
    claims: tuple[Claim, ...]
    statistic: Statistic = Statistic.MEAN
    weights: tuple[int, ...] | None = None
    divisor: Divisor = Divisor.ANY

    def __post_init__(self) -> None:
        fewest = 1 if self.statistic is Statistic.MEAN else 2
        if not fewest <= len(self.rows) <= MOST_ROWS:
            raise InvalidOption(f"rows: expected {fewest} to {MOST_ROWS} for a {self.statistic}, got {len(self.rows)}")
        if len(self.claims) > 1:
            raise InvalidOption(f"claims: expected one {self.statistic} of the rows, got {len(self.claims)}")
        if self.statistic is Statistic.DEVIATION and any(claim.high < 0 for claim in self.claims):
            raise InvalidValue(f"{self.claims[0]}: a standard deviation is not negative")
        if self.weights is not None:
            self._check_weights(self.weights)

    def _check_weights(self, weights: Sequence[int]) -> None:
        if self.statistic is Statistic.DEVIATION:
            raise InvalidOption("weights: expected none for a standard deviation; only a mean may be weighted")
        whole = all(isinstance(weight, int) and not isinstance(weight, bool) and weight >= 0 for weight in weights)
        if len(weights) != len(self.rows) or not whole or sum(weights) == 0:
            raise InvalidOption(
                f"weights: expected a whole number not below 0 for each of the {len(self.rows)} rows, and not only "
                f"zeros; got {list(weights)!r}"
            )

    def to_dict(self) -> dict[str, Any]:
        return {
            "quantity": self.quantity.name,
            "rows": [entry(row) for row in self.rows],
            "weights": None if self.weights is None else list(self.weights),
            "statistic": str(self.statistic),
            "divisor": str(self.divisor),
            "claim": entry(self.claims[0]) if self.claims else None,
        }

    @classmethod
    def from_dict(cls, statement: Mapping[str, Any]) -> AverageProblem:
        quantity = measured(statement["quantity"])
        statistic, weights, claim = Statistic(statement["statistic"]), statement["weights"], statement["claim"]
        return cls(
            quantity,
            tuple(from_entry(quantity, row, mean=True) for row in statement["rows"]),
            () if claim is None else (from_entry(statistic.of(quantity), claim, mean=statistic is Statistic.MEAN),),
            statistic,
            None if weights is None else tuple(weights),
            _divisor(statement["divisor"]),
        )

    def with_claims(self, claims: Iterable[Claim]) -> AverageProblem:
        return replace(self, claims=tuple(claims))


def printed_average(
    quantity: str,
    rows: Sequence[Value | Claim] | Mapping[str, Value | Claim],
    value: Value | Claim,
    *,
    statistic: str | Statistic = Statistic.MEAN,
    weights: Sequence[int] | None = None,
    divisor: str | Divisor = Divisor.ANY,
    rounding: Any = None,
    eps: Any = None,
    decimal_comma: bool = False,
) -> AverageProblem:
    """The problem of a printed mean or deviation; ``rows`` may be named.

    Of a mean "0.84 ± 0.03" the part before the ± counts, of a deviation the part behind it.

    >>> problem = printed_average("acc", ["0.90", "0.92", "0.95"], "0.94", rounding="nearest")
    >>> str(problem.claims[0])
    'mean acc = 0.94'
    """
    try:
        what = Statistic(statistic)
    except ValueError:
        raise InvalidOption(f"statistic: expected one of {', '.join(Statistic)}; got {statistic!r}") from None
    known = measured(quantity)
    options = {"rounding": rounding, "eps": eps, "decimal_comma": decimal_comma}
    named = rows.items() if isinstance(rows, Mapping) else ((known.name, row) for row in rows)
    label = f"mean {quantity}" if what is Statistic.MEAN else f"standard deviation of {quantity}"
    text = behind_sign(value) if what is Statistic.DEVIATION and isinstance(value, str) else value
    return AverageProblem(
        known,
        tuple(printed(known, row, name, **options) for name, row in named),
        (printed(what.of(known), text, label, **options),),
        what,
        None if weights is None else tuple(weights),
        _divisor(divisor) if what is Statistic.DEVIATION else Divisor.ANY,
    )


def behind_sign(text: str) -> str:
    """What follows a ±, in percent if what stands before it is; all of the text if there is none.

    >>> behind_sign("84.1% ± 3.2"), behind_sign("0.03")
    ('3.2%', '0.03')
    """
    for sign in ("±", "+/-", "+-", "\\pm"):
        before, found, after = text.partition(sign)
        if found:
            return after.strip() + ("%" if "%" in before and "%" not in after else "")
    return text
