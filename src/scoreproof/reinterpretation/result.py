"""What a re-interpretation says, and how it prints."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from fractions import Fraction
from importlib import import_module
from typing import TYPE_CHECKING, Any

from scoreproof.kinds.binary.scores import ConfusionMatrix
from scoreproof.notebook import html_list
from scoreproof.reconstruction.result import Reconstruction
from scoreproof.reinterpretation.chance import Baseline
from scoreproof.reinterpretation.costs import CellCosts, Preference
from scoreproof.reinterpretation.ranking import ClaimedBest, Rank
from scoreproof.reinterpretation.testset import SameTestSet
from scoreproof.reported import Claim

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing a reader should know, in plain words; ``kind`` says what it is about, ``about`` which methods."""

    kind: str
    words: str
    about: tuple[str, ...] = ()
    grave: bool = False

    def __str__(self) -> str:
        return self.words

    def to_dict(self) -> dict[str, Any]:
        return {"kind": self.kind, "words": self.words, "about": list(self.about), "grave": self.grave}


@dataclass(frozen=True, slots=True)
class MethodReading:
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
        return {
            "name": self.name,
            "problem": self.problem or None,
            "notes": list(self.notes),
            "matrix": None if self.matrix is None else self.matrix.to_dict(),
            "contradicted": [one.to_dict() for one in self.contradicted],
            "reconstruction": None if self.reconstruction is None else self.reconstruction.to_dict(),
        }


@dataclass(frozen=True, slots=True)
class Reinterpretation:
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
    _errors: dict[str, tuple[tuple[Fraction, Fraction], ...]] = field(default_factory=dict, repr=False, compare=False)

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
        return {
            "methods": [one.to_dict() for one in self.readings],
            "ignored_columns": list(self.ignored),
            "same_test_set": None if self.same_test_set is None else self.same_test_set.to_dict(),
            "baselines": {name: [one.to_dict() for one in rows] for name, rows in self.baselines.items()},
            "ranks": {name: [one.to_dict() for one in rows] for name, rows in self.ranks.items()},
            "dominance": [list(pair) for pair in self.dominance],
            "preferences": [one.to_dict() for one in self.preferences],
            "claim": None if self.claim is None else {"best": self.claim.method, "by": self.claim.by.name},
            "standing": self.standing,
            "cost_ratio": None if self.cost_ratio is None else float(self.cost_ratio),
            "costs": [one.to_dict() for one in self.costs],
            "cell_costs": None if self.cell_costs is None else self.cell_costs.to_dict(),
            "cost_budget": None if self.cost_budget is None else float(self.cost_budget),
            "affordable": self.affordable,
            "findings": [one.to_dict() for one in self.findings],
        }

    def to_json(self, *, indent: int | None = None) -> str:
        return json.dumps(self.to_dict(), indent=indent, ensure_ascii=False)

    def __str__(self) -> str:
        return "\n".join(f"- {finding}" for finding in self.findings)

    def _repr_html_(self) -> str:
        return html_list(self.findings)
