"""What a reconstruction says, and how it prints."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Self

from scoreproof.asking import Answer, Certificate, Verdict, Witness
from scoreproof.jsonable import document, rebuilt
from scoreproof.kinds.binary.engine.rectangles import filler
from scoreproof.kinds.binary.engine.solutions import Block
from scoreproof.kinds.binary.experiment import TestSet
from scoreproof.kinds.binary.scores import ConfusionMatrix
from scoreproof.kinds.unknown_classes.experiment import UnknownClasses
from scoreproof.kinds.unknown_classes.forms import Vector
from scoreproof.kinds.unknown_classes.ranges import Range, above, below
from scoreproof.kinds.unknown_classes.rates import Group
from scoreproof.kinds.unknown_classes.smallest import Smallest
from scoreproof.reported import Claim
from scoreproof.results import SmallTable, Tabular

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from scoreproof.explanation import Explanation


@dataclass(frozen=True, slots=True)
class Reconstruction(Tabular):
    """All that follows from reported scores.

    ``ranges`` maps tp, fp, fn, tn (counts if a total is known, rates otherwise), prevalence and every score to its
    guaranteed range. ``groups`` holds the class counts that fit, where they were listed; ``smallest`` the smallest
    totals that fit, where none is known. ``open_questions`` says in words what the scores leave undetermined.
    """

    answer: Answer[Any, Any]
    ranges: dict[str, Range] = field(hash=False)
    groups: tuple[Group, ...] | None = None
    smallest: Smallest | None = None
    open_questions: tuple[str, ...] = ()
    _cover: tuple[tuple[Vector, ...], ...] = field(default=(), repr=False, compare=False)

    @property
    def verdict(self) -> Verdict:
        return self.answer.verdict

    @property
    def claims(self) -> tuple[Claim, ...]:
        """What was reported."""
        return self.answer.claims

    @property
    def witness(self) -> Witness | None:
        """The smallest matrix that fits, where that was looked for; otherwise one that does."""
        if self.smallest is not None and self.smallest.matrices:
            return Witness(self.smallest.matrices[:1])
        witness: Witness | None = self.answer.witness
        return witness

    @property
    def reason(self) -> str:
        return self.answer.reason

    @property
    def notes(self) -> tuple[str, ...]:
        return self.answer.notes

    @property
    def classes(self) -> tuple[int, int] | None:
        """The class counts, if they were given."""
        experiment = self.answer.problem.experiment
        return (experiment.p, experiment.n) if isinstance(experiment, TestSet) else None

    @property
    def total(self) -> tuple[int, int] | None:
        """The fewest and the most cases, if that is what was given."""
        experiment = self.answer.problem.experiment
        return experiment.totals if isinstance(experiment, UnknownClasses) else None

    @property
    def prevalence(self) -> Claim | None:
        """The prevalence as printed, if it was."""
        experiment = self.answer.problem.experiment
        return experiment.claim if isinstance(experiment, UnknownClasses) else None

    @property
    def known(self) -> str:
        """What was known besides the scores: "counts", "total" or "rates" (nothing)."""
        return "counts" if self.classes else "total" if self.total else "rates"

    @property
    def certificate(self) -> Certificate | None:
        """The proof of inconsistency, a JSON-able document that ``verify`` re-checks."""
        return self.answer.certificate

    def explain(self, **options: Any) -> Explanation:
        """Why it is impossible and what would make it possible; the options are those of ``explanation.explain``."""
        return self.answer.explain(**options)

    @property
    def admissible_p(self) -> tuple[int, ...] | None:
        """The numbers of positives that fit; None if they were not listed."""
        return None if self.groups is None else tuple(sorted({group.p for group in self.groups}))

    def matrices(self) -> Iterator[ConfusionMatrix]:
        """Every confusion matrix that fits, group by group."""
        for group in self.groups or ():
            yield from group.solutions.matrices()

    def blocks(self) -> Iterator[tuple[Group, Block]]:
        """Every confusion matrix that fits, in compact form."""
        for group in self.groups or ():
            for block in group.solutions:
                yield group, block

    @property
    def count(self) -> int | None:
        """How many matrices fit; None if they were not listed."""
        if self.groups is None:
            return None
        counted = [group.solutions.count for group in self.groups]
        return None if any(one is None for one in counted) else sum(one or 0 for one in counted)

    def corners(self) -> Iterator[Vector]:
        """Cells (tp, fp, fn, tn), up to a factor, of which all that is admissible is a mixture."""
        if self._cover:
            yield from dict.fromkeys(ray for cone in self._cover for ray in cone)
            return
        for group, block in self.blocks():
            for tp in set(block.tp):
                for tn in set(block.tn):
                    yield tp, group.n - tn, group.p - tp, tn

    def figure(self) -> Figure:
        """The admissible region with the band of each score: (tp, tn) if counts are known, (sens, spec) otherwise."""
        from scoreproof.reconstruction.figure import region_figure

        return region_figure(self)

    def to_dict(self) -> dict[str, Any]:
        told: dict[str, Any] = {
            **self.answer.to_dict(),
            "known": self.known,
            "ranges": {name: span.to_dict() for name, span in self.ranges.items()},
            "open_questions": list(self.open_questions),
        }
        if self.groups is not None:
            told["groups"] = [document(group, "p n example") for group in self.groups]
        if self.smallest is not None:
            told["smallest"] = document(self.smallest, "matrices totals searched")
        return told

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> Self:
        """The reconstruction a document describes, its ranges as wide as their floats; the figure of rates is lost."""
        own = ("known", "ranges", "open_questions", "groups", "smallest")
        answer = Answer.from_dict({key: value for key, value in document.items() if key not in own})
        zero = filler(answer.problem.undefined) if isinstance(answer.problem.experiment, TestSet) else None
        groups, smallest = document.get("groups"), document.get("smallest")
        return cls(
            answer,
            {name: rebuilt(Range, span) for name, span in document["ranges"].items()},
            None
            if groups is None
            else tuple(
                Group(one["p"], one["n"], ConfusionMatrix(**one["example"]), answer.claims, zero) for one in groups
            ),
            None if smallest is None else rebuilt(Smallest, smallest),
            tuple(document["open_questions"]),
        )

    def setting(self) -> str:
        """What was known besides the scores, in words."""
        words = "of any size"
        if self.classes:
            words = f"with {self.classes[0]} positives and {self.classes[1]} negatives"
        elif self.total:
            low, high = self.total
            words = f"of {low} cases" if low == high else f"of {low} to {high} cases"
        return words + (f" and prevalence {self.prevalence.text}" if self.prevalence else "")

    def __str__(self) -> str:
        report = ", ".join(map(str, self.claims))
        if self.verdict is Verdict.INCONSISTENT:
            because = f" ({self.reason})" if self.reason else ""
            return f"inconsistent: no confusion matrix {self.setting()} has {report}{because}"
        if self.verdict is Verdict.UNDECIDED:
            return f"undecided: {report} {self.setting()} ({self.reason}); this is no sign of a mistake"
        shown = [f"{name} {self.ranges[name]}" for name in ("prevalence", "mcc") if name in self.ranges]
        notes = "".join(f". Note: {note}" for note in self.notes)
        return f"consistent: {report} {self.setting()}{'; ' * bool(shown)}{', '.join(shown)}{notes}"

    def _rows(self) -> list[dict[str, Any]]:
        return [{"quantity": name, **span.to_dict()} for name, span in self.ranges.items()]

    def _tables(self) -> list[SmallTable]:
        rows = [(name, below(span.low), above(span.high)) for name, span in self.ranges.items()]
        return [SmallTable(rows, ("", "at least", "at most"))] if rows else []
