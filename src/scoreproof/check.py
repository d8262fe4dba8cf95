"""The check: an experiment and the scores reported for it, decided."""

from __future__ import annotations

import html
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from scoreproof._version import __version__
from scoreproof.engine.bands import band
from scoreproof.engine.rectangles import decide
from scoreproof.engine.solutions import Solutions
from scoreproof.errors import InvalidExperiment, InvalidOption, InvalidValue
from scoreproof.experiment import (
    Experiment,
    KFold,
    MeanOfScores,
    ScoreOfMeans,
    TestSet,
    sums_matrices,
    total_counts,
)
from scoreproof.reported import Reported, Value, read_scores
from scoreproof.scores import ConfusionMatrix
from scoreproof.verdict import Certificate, Verdict, Witness, certify


class Undefined(StrEnum):
    """What a 0/0 score counts as: nothing that could be reported, zero, or a fold left out of the mean."""

    EXCLUDE = "exclude"
    ZERO = "zero"
    SKIP = "skip"

    @classmethod
    def of(cls, name: str | Undefined) -> Undefined:
        try:
            return cls(name)
        except ValueError:
            raise InvalidOption(f"undefined: expected one of {', '.join(cls)}; got {name!r}") from None


@dataclass(frozen=True, slots=True)
class CheckResult:
    """The verdict on one report, with what proves it.

    ``witness`` is set if the report is consistent, ``certificate`` if it is inconsistent. ``reason`` says what was
    tried if it is undecided, and why it is inconsistent where one sentence can.
    """

    verdict: Verdict
    experiment: Experiment
    reported: tuple[Reported, ...]
    undefined: Undefined
    witness: Witness | None = None
    reason: str = ""
    version: str = __version__
    _proof: Any = field(default=None, repr=False, compare=False)

    @property
    def certificate(self) -> Certificate | None:
        """The proof of inconsistency, a JSON-able document that ``verify`` re-checks."""
        return None if self._proof is None else certify(self.statement(), self._proof, self.version)

    def statement(self) -> dict[str, Any]:
        """The problem as stated: experiment, texts as reported, rounding, treatment of undefined scores."""
        return {
            "experiment": self.experiment.to_dict(),
            "scores": [one.to_dict() for one in self.reported],
            "undefined": str(self.undefined),
        }

    def solutions(self, *, most_rows: int = 2_000_000) -> Solutions:
        """All confusion matrices that fit, in compact form; regions beyond ``most_rows`` rows get bounds instead."""
        p, n = total_counts(self.experiment)
        bands = [band(index, one, p, n) for index, one in enumerate(self.reported)]
        return Solutions(bands, zero=self.undefined is Undefined.ZERO, most_rows=most_rows)

    def to_dict(self) -> dict[str, Any]:
        return {
            "verdict": str(self.verdict),
            **self.statement(),
            "witness": None if self.witness is None else self.witness.to_dict(),
            "certificate": self.certificate,
            "reason": self.reason,
            "version": self.version,
        }

    def to_json(self, *, indent: int | None = None) -> str:
        return json.dumps(self.to_dict(), indent=indent, ensure_ascii=False)

    def __str__(self) -> str:
        report = ", ".join(map(str, self.reported))
        if self.verdict is Verdict.CONSISTENT:
            return f"consistent: {report} can come from {self.experiment}, for example {self.witness}"
        if self.verdict is Verdict.INCONSISTENT:
            because = f" ({self.reason})" if self.reason else ""
            return f"inconsistent: {report} cannot come from {self.experiment}{because}"
        return f"undecided: {report} from {self.experiment} ({self.reason}); this is no sign of a mistake"

    def _repr_html_(self) -> str:
        colour = {"consistent": "#1a7f37", "inconsistent": "#b42318", "undecided": "#8a6d00"}[self.verdict]
        verdict, _, words = str(self).partition(": ")
        return f'<p><strong style="color:{colour}">{html.escape(verdict)}</strong>: {html.escape(words)}</p>'


def check(
    experiment: Experiment,
    scores: Mapping[str, Value | Reported],
    *,
    rounding: Any = None,
    eps: Any = None,
    digits: Any = None,
    beta: Any = None,
    undefined: str | Undefined = Undefined.EXCLUDE,
    decimal_comma: bool = False,
    budget: float = 30.0,
) -> CheckResult:
    """Decide whether an experiment can have produced the reported scores.

    ``scores`` maps score names to the texts that were printed. ``rounding`` (``"any"``, ``"nearest"``, ``"floor"``,
    ``"ceil"``) or ``eps`` says how far a printed value may be from the true one, for all scores or as a mapping from
    names. ``undefined`` says what a 0/0 score counts as. ``budget`` is the time in seconds after which the answer is
    ``undecided``.

    >>> from scoreproof import TestSet, check, verify
    >>> result = check(TestSet(p=1000, n=6000), {"acc": "0.6801", "npv": "0.9401", "f1": "0.4004"})
    >>> result.verdict
    <Verdict.INCONSISTENT: 'inconsistent'>
    >>> bool(verify(result.certificate))
    True
    >>> mended = check(TestSet(p=1000, n=6000), {"acc": "0.6821", "npv": "0.9401", "f1": "0.4004"})
    >>> [(m.tp, m.tn) for m in mended.solutions().matrices()]
    [(743, 4031), (743, 4032)]
    """
    if not isinstance(experiment, (TestSet, KFold, ScoreOfMeans, MeanOfScores)):
        raise InvalidExperiment(
            f"experiment: expected TestSet(p, n), KFold(...) or another experiment, got {experiment!r}"
        )
    reported = read_scores(scores, rounding=rounding, eps=eps, digits=digits, beta=beta, decimal_comma=decimal_comma)
    treatment = Undefined.of(undefined)
    if not sums_matrices(experiment):
        raise InvalidExperiment("means of scores are not supported yet")
    for one in reported:
        if one.spread is not None:
            raise InvalidValue(
                f"{one.name}: {one.text!r} has a ±, but {experiment} gives one value without a spread; leave the ± out"
            )
    p, n = total_counts(experiment)
    bands = [band(index, one, p, n) for index, one in enumerate(reported)]
    found = decide(bands, zero=treatment is Undefined.ZERO, budget=budget)
    if found.cell is not None:
        tp, tn = found.cell
        witness = Witness((ConfusionMatrix(tp, n - tn, p - tp, tn),))
        return CheckResult(Verdict.CONSISTENT, experiment, reported, treatment, witness)
    if found.proof is not None:
        proof = {"kind": "rectangles", "steps": found.proof}
        reason = _plain_reason(reported, p, n)
        return CheckResult(Verdict.INCONSISTENT, experiment, reported, treatment, reason=reason, _proof=proof)
    return CheckResult(Verdict.UNDECIDED, experiment, reported, treatment, reason=found.reason)


def _plain_reason(reported: tuple[Reported, ...], p: int, n: int) -> str:
    """Why nothing fits, where one sentence says it all."""
    for one in reported:
        if one.beyond_range:
            return one.beyond_range
        if band(0, one, p, n).nowhere_defined:
            missing = "positives" if p == 0 else "negatives"
            return f"{one.name} is reported, but {one.score.title} is undefined without {missing}"
    return ""
