"""A report that can be asked again: with fewer scores, other texts, another experiment or other options."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from scoreproof.asking import Verdict
from scoreproof.asking.answer import CheckResult
from scoreproof.asking.check import check
from scoreproof.errors import InvalidOption, InvalidValue
from scoreproof.kinds.binary.experiment import Experiment, sums_matrices
from scoreproof.kinds.binary.scores import score
from scoreproof.reported import Claim, report
from scoreproof.work.deadline import Deadline

if TYPE_CHECKING:
    from scoreproof.reconstruction.result import Reconstruction


_TIGHTNESS = 0.01  # of ranges when the class counts are unknown: enough to say where a score would have to lie


@dataclass(frozen=True, slots=True)
class Question:
    """What was asked: the scores as reported, the experiment (None if the class counts are unknown), the options."""

    reported: tuple[Claim, ...]
    experiment: Experiment | None
    options: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, result: CheckResult | Reconstruction) -> Question:
        """The question a result answers."""
        if isinstance(result, CheckResult):
            return cls(result.reported, result.experiment, dict(result.asked))
        if not hasattr(result, "classes"):
            raise InvalidOption(f"explain: expected the result of check or reconstruct, got {type(result).__name__}")
        if result.classes is not None:
            from scoreproof.kinds.binary.experiment import TestSet

            return cls(result.reported, TestSet(*result.classes), {"undefined": result.undefined})
        return cls(result.reported, None, {"total": result.total, "prevalence": result.prevalence})

    @property
    def one_matrix(self) -> bool:
        """Whether the scores come from one confusion matrix of known class counts."""
        return self.experiment is not None and sums_matrices(self.experiment)

    @property
    def subject(self) -> str:
        """Of what the scores are said to be, in words."""
        if self.experiment is not None:
            return str(self.experiment)
        total = self.options.get("total")
        if total is None:
            return "one test set of any size"
        return f"one test set of {total[0]} cases" if total[0] == total[1] else f"{total[0]} to {total[1]} cases"

    def with_scores(self, reported: Iterable[Claim]) -> Question:
        return replace(self, reported=tuple(reported))

    def with_experiment(self, experiment: Experiment) -> Question:
        return replace(self, experiment=experiment)

    def with_options(self, **options: Any) -> Question:
        return replace(self, options={**self.options, **options})

    def ask(self, budget: float) -> CheckResult | Reconstruction:
        """The full check of this question."""
        scores: dict[str, Any] = {one.name: one for one in self.reported}
        if self.experiment is None:
            from scoreproof.reconstruction import reconstruct

            options = {key: value for key, value in self.options.items() if value is not None}
            return reconstruct(scores, budget=budget, tightness=_TIGHTNESS, **options)
        deadline = Deadline(budget)
        answer = check(self.experiment, scores, budget=budget, **self._applicable())
        known = [one for one in self.reported if one.score.builtin]
        if answer.verdict is Verdict.UNDECIDED and 0 < len(known) < len(self.reported):
            # The verifier does not know scores made up on the spot; those it knows may be impossible by themselves.
            weaker = self.with_scores(known).ask(deadline.budget(budget))
            return weaker if weaker.verdict is Verdict.INCONSISTENT else answer
        return answer

    def _applicable(self) -> dict[str, Any]:
        """The options that speak of the scores at hand."""
        kept = {one.score.name for one in self.reported}
        options = dict(self.options)
        for key in ("minimum", "maximum"):
            extremes = options.pop(key, None) or ()
            named = {one.name: one for one in extremes if one.score.name in kept}
            if named:
                options[key] = named
        for key in ("rounding", "eps"):
            if isinstance(options.get(key), Mapping):
                options[key] = {name: rule for name, rule in options[key].items() if score(name).name in kept}
        return options


def rewritten(one: Claim, text: str, *, like: Claim | None = None) -> Claim | None:
    """The same score with another text, read by the same rule (or that of another score's text).

    None if no such value can be reported.
    """
    source = like or one
    rule = {"rounding": source.rounding} if source.eps is None else {"eps": source.eps}
    try:
        changed = report(one.score, text, **rule)
    except InvalidValue:
        return None
    if changed.beyond_range:
        return None
    return replace(changed, name=one.name)
