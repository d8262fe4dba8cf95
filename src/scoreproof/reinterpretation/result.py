"""What a re-interpretation says, and how it prints."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from importlib import import_module
from typing import TYPE_CHECKING, Any, Self

from scoreproof.jsonable import document, rebuilt
from scoreproof.kinds.binary.scores import ConfusionMatrix, score
from scoreproof.notebook import html_list
from scoreproof.reconstruction.result import Reconstruction
from scoreproof.reinterpretation.chance import Baseline
from scoreproof.reinterpretation.costs import CellCosts, Preference
from scoreproof.reinterpretation.ranking import ClaimedBest, Rank
from scoreproof.reinterpretation.testset import SameTestSet
from scoreproof.reported import Claim
from scoreproof.results import Result, SmallTable, Tabular
from scoreproof.validation import declared

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True, slots=True)
class Finding(Result):
    """One thing a reader should know, in plain words; ``kind`` says what it is about, ``about`` which methods."""

    kind: str
    words: str
    about: tuple[str, ...] = ()
    grave: bool = False

    def __str__(self) -> str:
        return self.words


@dataclass(frozen=True, slots=True)
class MethodReading(Result):
    """One row of the table: what follows from it, or why it could not be read.

    ``contradicted`` holds the reported scores that the given matrix does not have.
    """

    name: str
    reconstruction: Reconstruction | None
    problem: str = ""
    notes: tuple[str, ...] = ()
    matrix: ConfusionMatrix | None = None
    contradicted: tuple[Claim, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        return document(self, "name problem notes matrix contradicted reconstruction", problem=self.problem or None)

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> Self:
        return rebuilt(cls, {**document, "problem": document["problem"] or ""})

    def __str__(self) -> str:
        return f"{self.name}: {self.reconstruction or self.problem}"


@dataclass(frozen=True, slots=True)
class Reinterpretation(Tabular):
    """A table re-read. ``ranks`` maps score names to the ranks of all methods under them; ``standing`` says for the
    claim under which scores its method is certainly, possibly or certainly not the best; ``costs`` ranks the methods
    at the given cost ratio or cell costs, and ``affordable`` says who stays within the budget."""

    readings: tuple[MethodReading, ...]
    ignored: tuple[str, ...]
    same_test_set: SameTestSet | None
    baselines: dict[str, tuple[Baseline, ...]]
    ranks: dict[str, tuple[Rank, ...]]
    dominance: tuple[tuple[str, str], ...]
    preferences: tuple[Preference, ...]
    claim: ClaimedBest | None
    standing: dict[str, str]
    cost_ratio: Fraction | None
    costs: tuple[Rank, ...]
    cell_costs: CellCosts | None = None
    cost_budget: Fraction | None = None
    affordable: dict[str, str] = field(default_factory=dict)
    findings: tuple[Finding, ...] = ()
    _told = "methods=readings ignored_columns=ignored *"
    _errors: dict[str, tuple[tuple[Fraction, Fraction], ...]] = field(default_factory=dict, repr=False, compare=False)

    @declared
    def with_findings(self, findings: tuple[Finding, ...]) -> Reinterpretation:
        """The same with its findings in words."""
        return replace(self, findings=findings)

    def __getitem__(self, name: str) -> MethodReading:
        for reading in self.readings:
            if reading.name == name:
                return reading
        raise KeyError(name)

    def rank_figure(self, name: str) -> Figure:
        """The ranges of one score, method by method, in the order of their ranks."""
        from scoreproof.reinterpretation.figure import rank_figure

        return rank_figure(self, name)

    def cost_figure(self) -> Figure:
        """The cost of every method against the cost ratio, as bands."""
        from scoreproof.reinterpretation.figure import cost_figure

        return cost_figure(self)

    def to_html(self) -> str:
        """A page of its own, with everything on it and nothing loaded from elsewhere."""
        page: str = import_module("scoreproof.pages").reinterpretation_page(self)
        return page

    def to_dict(self) -> dict[str, Any]:
        claim = None if self.claim is None else {"best": self.claim.method, "by": self.claim.by.name}
        return document(self, self._told, claim=claim)

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> Self:
        """The re-interpretation a document describes, with its numbers as floats; the figure of costs is lost."""
        claim = document["claim"]
        plain = rebuilt(cls, {**document, "claim": None})
        return plain if claim is None else replace(plain, claim=ClaimedBest(claim["best"], score(claim["by"])))

    def _rows(self) -> list[dict[str, Any]]:
        return [
            {"score": name, **document(rank, "method best worst is_best"), **rank.value.to_dict()}
            for name, ranks in self.ranks.items()
            for rank in ranks
        ]

    def _tables(self) -> list[SmallTable]:
        rows = [
            (rank.method, name, rank.value, f"{rank.best} to {rank.worst}", rank.is_best)
            for name, ranks in self.ranks.items()
            for rank in ranks
        ]
        return [SmallTable(rows, ("method", "score", "value", "rank", "best"))] if rows else []

    def __str__(self) -> str:
        return "\n".join(f"- {finding}" for finding in self.findings)

    def _repr_html_(self) -> str:
        return html_list(self.findings)
