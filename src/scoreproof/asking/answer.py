"""What a check returns."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol

from scoreproof._version import __version__
from scoreproof.asking import Certificate, Verdict, Witness, certify
from scoreproof.errors import InvalidExperiment
from scoreproof.kinds.binary.engine.bands import band
from scoreproof.kinds.binary.engine.rectangles import filler
from scoreproof.kinds.binary.engine.solutions import Solutions
from scoreproof.kinds.binary.experiment import Experiment, sums_matrices, total_counts
from scoreproof.notebook import html_verdict
from scoreproof.reported import Reported
from scoreproof.reported.conventions import Undefined

if TYPE_CHECKING:
    from scoreproof.detectability import Strength
    from scoreproof.explanation import Explanation


class Asked(Protocol):
    """The question a result answers, so that it can be asked again with something changed."""

    def options(self) -> dict[str, Any]:
        """The options of ``check`` it was asked with."""


@dataclass(frozen=True, slots=True)
class CheckResult:
    """The verdict on one report, with what proves it.

    ``witness`` is set if the report is consistent, ``certificate`` if it is inconsistent. ``reason`` says what was
    tried if it is undecided, and why it is inconsistent where one sentence can. ``readings`` holds one result for
    each way an experiment of unknown aggregation can be read. ``notes`` say what a reader should know beside the
    verdict: conventions that were needed, values whose few digits exclude little.
    """

    verdict: Verdict
    experiment: Experiment
    reported: tuple[Reported, ...]
    undefined: Undefined
    witness: Witness | None = None
    reason: str = ""
    readings: tuple[CheckResult, ...] = ()
    notes: tuple[str, ...] = ()
    version: str = __version__
    _stated: dict[str, Any] = field(default_factory=dict, repr=False, compare=False)
    _proof: dict[str, Any] | None = field(default=None, repr=False, compare=False)
    _asked: Asked | None = field(default=None, repr=False, compare=False)

    @property
    def certificate(self) -> Certificate | None:
        """The proof of inconsistency, a JSON-able document that ``verify`` re-checks."""
        if self.verdict is not Verdict.INCONSISTENT or self._proof is None:
            return None
        return certify(self.statement(), self._proof, self.version)

    def statement(self) -> dict[str, Any]:
        """The problem as stated: experiment, texts as reported, rounding, treatment of undefined scores."""
        return {
            "experiment": self.experiment.to_dict(),
            "scores": [one.to_dict() for one in self.reported],
            "undefined": str(self.undefined),
            **self._stated,
        }

    def solutions(self, *, most_rows: int = 2_000_000) -> Solutions:
        """All confusion matrices that fit, in compact form; regions beyond ``most_rows`` rows get bounds instead.

        Where any treatment of 0/0 is admitted, the matrices that need it counted as zero are among them.
        """
        if not sums_matrices(self.experiment):
            raise InvalidExperiment(
                "solutions() lists the matrices of an experiment with one confusion matrix; for a mean of scores "
                "there is one witness"
            )
        p, n = total_counts(self.experiment)
        bands = [band(index, one, p, n) for index, one in enumerate(self.reported)]
        return Solutions(bands, filler=filler(self.undefined), most_rows=most_rows)

    @property
    def asked(self) -> dict[str, Any]:
        """The options of the check, for follow-up questions."""
        return {} if self._asked is None else self._asked.options()

    def explain(self, **options: Any) -> Explanation:
        """Why it is impossible and what would make it possible; the options are those of ``scoreproof.explanation``."""
        explanation: Explanation = import_module("scoreproof.explanation").explain(self, **options)
        return explanation

    @property
    def strength(self) -> Strength:
        """How surprising a pass is: the share of reports like this one that the same check would let pass."""
        found: Strength = import_module("scoreproof.detectability").strength(self)
        return found

    def to_dict(self) -> dict[str, Any]:
        document = {
            "verdict": str(self.verdict),
            **self.statement(),
            "witness": None if self.witness is None else self.witness.to_dict(),
            "certificate": self.certificate,
            "reason": self.reason,
            "notes": list(self.notes),
            "version": self.version,
        }
        if self.readings:
            document["readings"] = [
                {"verdict": str(one.verdict), "experiment": one.experiment.to_dict(), "reason": one.reason}
                for one in self.readings
            ]
        return document

    def to_json(self, *, indent: int | None = None) -> str:
        return json.dumps(self.to_dict(), indent=indent, ensure_ascii=False)

    def __str__(self) -> str:
        report = ", ".join(map(str, self.reported))
        notes = "".join(f". Note: {note}" for note in self.notes)
        if self.verdict is Verdict.CONSISTENT:
            return f"consistent: {report} can come from {self.experiment}, for example {self.witness}{notes}"
        if self.verdict is Verdict.INCONSISTENT:
            because = f" ({self.reason})" if self.reason else ""
            return f"inconsistent: {report} cannot come from {self.experiment}{because}{notes}"
        return f"undecided: {report} from {self.experiment} ({self.reason}); this is no sign of a mistake{notes}"

    def _repr_html_(self) -> str:
        return html_verdict(self)
