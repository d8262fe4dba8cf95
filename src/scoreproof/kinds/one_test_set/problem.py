"""Two rows of scores stated to be on one test set of unknown classes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from scoreproof.errors import InvalidOption
from scoreproof.kinds.printed import short_name
from scoreproof.kinds.unknown_classes.experiment import Total, UnknownClasses
from scoreproof.reported import Claim, Value, read_scores
from scoreproof.reported.claim import claim_from_dict, refuse_spread
from scoreproof.reported.conventions import Undefined, choice


@dataclass(frozen=True, slots=True)
class ScoredRow:
    """The scores of one row; every claim has a name that no claim of the other row has."""

    name: str
    claims: tuple[Claim, ...]

    def __post_init__(self) -> None:
        refuse_spread(self.claims)

    @classmethod
    def of(cls, name: str, claims: Iterable[Claim]) -> ScoredRow:
        """A row whose claims are told apart from another row's by its name."""
        return cls(short_name(name), tuple(replace(claim, name=f"{name}: {claim.name}") for claim in claims))

    def to_dict(self) -> dict[str, Any]:
        return {"name": self.name, "scores": [claim.to_dict() for claim in self.claims]}

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> ScoredRow:
        return cls(document["name"], tuple(map(claim_from_dict, document["scores"])))


@dataclass(frozen=True, slots=True)
class OneTestSetProblem:
    """Two rows, each one confusion matrix, with the same positives and negatives; perhaps their number is known."""

    kind: ClassVar[str] = "one_test_set"
    rows: tuple[ScoredRow, ScoredRow]
    total: tuple[int, int] | None = None
    undefined: Undefined = Undefined.ANY

    def __post_init__(self) -> None:
        names = [claim.name for claim in self.claims]
        if len(set(names)) != len(names):
            raise InvalidOption(f"claims: expected names that tell the two rows apart, got {', '.join(names)}")

    @property
    def claims(self) -> tuple[Claim, ...]:
        return self.rows[0].claims + self.rows[1].claims

    def to_dict(self) -> dict[str, Any]:
        return {
            "rows": [row.to_dict() for row in self.rows],
            "total": None if self.total is None else list(self.total),
            "undefined": str(self.undefined),
        }

    @classmethod
    def from_dict(cls, statement: Mapping[str, Any]) -> OneTestSetProblem:
        first, second = map(ScoredRow.from_dict, statement["rows"])
        total = statement["total"]
        return cls(
            (first, second),
            None if total is None else (total[0], total[1]),
            choice(Undefined, "undefined", statement["undefined"]),
        )

    def with_claims(self, claims: Iterable[Claim]) -> OneTestSetProblem:
        """Other claims; their names say of which row they are."""
        kept = tuple(claims)
        own = [{claim.name for claim in row.claims} for row in self.rows]
        strange = [claim.name for claim in kept if not any(claim.name in names for names in own)]
        if strange:
            raise InvalidOption(f"claims: expected some of {sorted(own[0] | own[1])}, got {', '.join(strange)}")
        first, second = (
            replace(row, claims=tuple(claim for claim in kept if claim.name in names))
            for row, names in zip(self.rows, own, strict=True)
        )
        return replace(self, rows=(first, second))


def one_test_set(
    rows: Mapping[str, Mapping[str, Value | Claim]],
    *,
    total: Total | None = None,
    undefined: str | Undefined = Undefined.ANY,
    rounding: Any = None,
    eps: Any = None,
    digits: Any = None,
    beta: Any = None,
    decimal_comma: bool = False,
) -> OneTestSetProblem:
    """The problem of two rows on one test set, by name; the options are those of ``check``.

    >>> problem = one_test_set({"A": {"acc": "0.90", "sens": "0.80"}, "B": {"acc": "0.85"}})
    >>> [claim.name for claim in problem.claims]
    ['A: acc', 'A: sens', 'B: acc']
    """
    if len(rows) != 2:
        raise InvalidOption(f"rows: expected two that are compared, got {len(rows)}")
    convention = choice(Undefined, "undefined", undefined)
    if convention not in (Undefined.ANY, Undefined.EXCLUDE):
        raise InvalidOption(f"undefined={str(undefined)!r} needs p and n; without them it is 'any' or 'exclude'")
    options = {"rounding": rounding, "eps": eps, "digits": digits, "beta": beta, "decimal_comma": decimal_comma}
    first, second = (ScoredRow.of(name, read_scores(scores, **options)) for name, scores in rows.items())
    return OneTestSetProblem((first, second), UnknownClasses(total=total).totals, convention)
