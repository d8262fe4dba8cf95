"""Why a report is impossible and what would make it possible, in words that accuse nobody.

What is tried beside repairs are the conventions of the registry and what the user has in mind. Such an assumption fits
if one of its variants does, which a witness shows; it does not fit if an engine refutes every one, which is not
verified, since nobody is accused by it; and it is undecided otherwise. One that fits is a possibility, not a finding.

Rows of a table share an experiment, so an explanation that holds for all of them at once is worth more than one per
row. A variant (seven folds, p raised to 244, two columns exchanged) is dropped as soon as one row refutes it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any, Self

from scoreproof.checking import Answer, Verdict
from scoreproof.checking.answer import Fit, Tried
from scoreproof.checking.check import Assumed, asked, try_all
from scoreproof.errors import InvalidOption, ScoreproofError
from scoreproof.insight.conflicts import Conflict, minimal_conflicts, proved_conflicts, told_of
from scoreproof.insight.repairs import Repair, Slip, candidates, nearest_repairs
from scoreproof.jsonable import Jsonable, rebuilt
from scoreproof.kinds import kind_named
from scoreproof.kinds.binary.assumptions import Designs, other_design
from scoreproof.kinds.binary.assumptions import oversampled as oversampled_to
from scoreproof.kinds.binary.experiment import Experiment, total_counts
from scoreproof.kinds.conventions import Convention, conventions_of
from scoreproof.kinds.kind import Assumption, Problem, Variant, in_place
from scoreproof.markup import html_words
from scoreproof.results import Result, Tabular
from scoreproof.validation import shown, whole
from scoreproof.work.budget import Budget

if TYPE_CHECKING:
    from scoreproof.findings import Finding
    from scoreproof.insight.reconstruction import Reconstruction

_MOST_REPAIRS = 10
_SHARE = 0.4  # of the remaining time that one hypothesis about a table may use
_MOVED = (Slip.EXCHANGED, Slip.EXCHANGED_PAIR, Slip.SHIFTED)


@dataclass(frozen=True, slots=True)
class Explanation(Result):
    """What is proved about a report, and what may lie behind it.

    ``conflicts`` are proved. ``repairs`` and ``hypotheses`` are conjecture: each fits, none is known to be what
    happened. ``untried`` names what the budget did not reach; ``reading`` the one of several readings that is
    explained; ``kind`` is that of the problem, ``numbers`` how many were reported.
    """

    verdict: Verdict
    report: str
    experiment: str
    conflicts: tuple[Conflict, ...] = ()
    repairs: tuple[Repair, ...] = ()
    hypotheses: tuple[Tried, ...] = ()
    untried: tuple[str, ...] = ()
    kind: str = "binary"
    reading: str = ""
    numbers: int = 0
    _answer: Answer[Any, Any] | None = field(default=None, repr=False, compare=False)

    _told = "verdict report experiment summary * complete"

    @property
    def complete(self) -> bool:
        """Whether everything was tried within the budget."""
        return not self.untried

    @property
    def fitting(self) -> tuple[Tried, ...]:
        """The hypotheses under which the report would be possible."""
        return tuple(tried for tried in self.hypotheses if tried.answer is Fit.FITS)

    @property
    def summary(self) -> str:
        """One sentence for a reviewer."""
        if self.verdict is Verdict.CONSISTENT:
            return f"Nothing to explain: {self.report} can come from {self.experiment}."
        if self.verdict is Verdict.UNDECIDED:
            return f"Not decided whether {self.report} can come from {self.experiment}; there is no sign of a mistake."
        read = f"Read as {self.reading}: " if self.reading else ""
        return f"{read}{'; '.join(filter(None, (self.headline, self.repair)))}."

    @property
    def headline(self) -> str:
        """The smallest conflict, which is proved, with its numbers."""
        return self.conflicts[0].words if self.conflicts else f"{self.report} cannot come from {self.experiment}"

    @property
    def repair(self) -> str:
        """The nearest report that would fit, or the first assumption under which this one does; no proof of either."""
        if self.repairs:
            return self.repairs[0].sentence(self.numbers)
        return f"it would fit if {self.fitting[0].condition}" if self.fitting else ""

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What is explained as a finding; none where nothing is impossible, or the explanation comes from a file."""
        return () if self._answer is None else import_module("scoreproof.findings").of_answer(self._answer, self)

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> Self:
        repairs = tuple(Repair.read(repair, document["kind"]) for repair in document["repairs"])
        return rebuilt(cls, {**document, "repairs": repairs})

    def __str__(self) -> str:
        """The card, then what else was found."""
        lines = [finding.text() for finding in self.findings] or [self.summary]
        lines += [f"{title}: {'; '.join(items)}" for finding in self.findings for title, items in finding.details]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        return "".join(finding._repr_html_() for finding in self.findings) or html_words(self.summary)


def explain(
    result: Answer[Any, Any] | Reconstruction,
    *,
    hypotheses: Mapping[str, Experiment] | Iterable[Assumed] = (),
    oversampled: Iterable[int] = (),
    catalogue: Iterable[str] = (),
    assumptions: bool | Collection[str] = True,
    budget: float | Budget = 5.0,
) -> Explanation:
    """Why a report is impossible, and what would make it possible.

    ``hypotheses`` are experiments of one's own to try first, by name; ``oversampled`` the sizes the paper says the
    smaller class was raised to; ``catalogue`` the names of known data whose readings are to be tried;
    ``assumptions`` names the usual other assumptions to try, all by default, none with False. What the ``budget`` of
    seconds does not reach is listed in ``untried``.

    >>> from scoreproof import TestSet, check
    >>> result = check(TestSet(p=1000, n=6000), {"acc": "0.6801", "npv": "0.9401", "f1": "0.4004"})
    >>> why = explain(result, assumptions=["oversampled", "classes exchanged"])
    >>> print(why.repairs[0])
    acc = 0.6821 instead of 0.6801 (one digit changed)
    >>> why.conflicts[0].scores
    ('acc', 'npv', 'f1')
    """
    deadline = Budget.steady(budget)
    answer = result if isinstance(result, Answer) else getattr(result, "answer", None)
    if not isinstance(answer, Answer):
        raise InvalidOption(f"explain: expected the result of check or reconstruct, got {type(result).__name__}")
    problem, kind = answer.problem, kind_named(answer.problem.kind)
    report, subject = ", ".join(map(str, problem.claims)) or "what was printed", kind.subject(problem)
    if not answer.verdict.impossible:
        return Explanation(answer.verdict, report, subject, kind=problem.kind)
    own = own_hypotheses(hypotheses)
    others = _chosen(usual_assumptions(problem, oversampled, catalogue), assumptions)
    conflicts = minimal_conflicts(problem, deadline.part(0.3))
    told = proved_conflicts(answer, conflicts, deadline.part(0.2))
    tried, late = try_all(problem, own, deadline.part(0.5))
    repairs, all_repairs = nearest_repairs(problem, conflicts, _MOST_REPAIRS, deadline.part(0.45))
    if told and repairs and len(repairs[0].changes) == 1:
        told = (told_of(told[0], problem, repairs[0].changes[0].score, deadline.part(0.2)), *told[1:])
    usual, untried = try_all(problem, others, deadline)
    missing = [] if conflicts.complete else ["some smaller conflicts"]
    missing += ["some further conflicts"] if len(conflicts.minimal) > len(told) else []
    missing += [] if all_repairs else ["some repairs"]
    missing += [assumption.label for assumption in (*tried, *usual) if assumption.untried]
    tried, left, numbers = (*tried, *usual), (*missing, *late, *untried), len(problem.claims)
    return Explanation(
        answer.verdict, report, subject, told, repairs, tried, left, problem.kind, numbers=numbers, _answer=answer
    )


def _chosen(usual: list[Assumed], wanted: bool | Collection[str]) -> list[Assumed]:
    if isinstance(wanted, bool):
        return usual if wanted else []
    given = _several("assumptions", wanted, "True, False or a list of names")
    names = [hypothesis.name for hypothesis in usual]
    unknown = ", ".join(str(name) for name in given if not isinstance(name, str) or name not in names)
    if unknown and usual:
        raise InvalidOption(f"assumptions: expected True, False or a list of {', '.join(names)}; got {unknown}")
    return [hypothesis for hypothesis in usual if hypothesis.name in given]


def usual_assumptions(problem: Problem, oversampled: Any, catalogue: Any) -> list[Assumed]:
    """What the registry has for a problem, and what the user names: sizes of a class, entries of the catalogue."""
    sizes = _several("oversampled", oversampled, "a list of sizes such as [244]")
    raised = tuple(whole("oversampled", size, at_least=1) for size in sizes)
    given = _several("catalogue", catalogue, "a list of names such as ['drive']")
    names = {import_module("scoreproof.catalog").entry(str(name)).name for name in given}
    usual: dict[str, Assumed] = {known.name: known for known in conventions_of(problem, rare=True)}
    if raised and "oversampled" in usual:
        label = usual["oversampled"].label
        usual["oversampled"] = _design("oversampled", label, lambda e: oversampled_to(e, raised))
    if "nearby counts" in usual:
        known = "another reading of known data"
        usual["catalogue"] = _design("catalogue", known, partial(_catalogue_readings, names=names))
    return list(usual.values())


def _design(name: str, label: str, experiments: Designs) -> Assumed:
    """That the experiment was another one, which a function gives."""
    change = partial(other_design, experiments=experiments)

    def variants(problem: Any) -> Iterable[Variant[Any]]:
        curve = problem.kind == "curve"  # whose module is heavy
        return import_module("scoreproof.kinds.curve.kind").beside(problem, change) if curve else change(problem)

    return Assumption(name, label, variants)


def own_hypotheses(given: Any) -> list[Assumed]:
    """The user's hypotheses: a mapping from names to experiments, or hypotheses ready made.

    >>> from scoreproof import KFold
    >>> [own.label for own in own_hypotheses({"oversampled": KFold(p=244, n=262, k=5)})]
    ['oversampled: 5 stratified folds of p=244, n=262, mean of scores']
    """
    expected = "a mapping from names to experiments"
    if not isinstance(given, Mapping):
        ready = _several("hypotheses", given, expected)
        for each in ready:
            if not isinstance(each, Assumption | Convention):
                raise InvalidOption(f"hypotheses: expected {expected}, got {shown(each)} in a list")
        return ready

    def variants(experiment: Any, problem: Any) -> list[Variant[Any]]:
        changed = in_place(problem, experiment)
        return [] if changed is None else [Variant("", changed)]

    for name, experiment in given.items():
        if not isinstance(getattr(experiment, "kind", None), str):
            raise InvalidOption(f"hypotheses: expected an experiment for {shown(name)}, got {shown(experiment)}")
    return [Assumption(str(name), f"{name}: {each}", partial(variants, each)) for name, each in given.items()]


def _several(what: str, given: Any, expected: str) -> list[Any]:
    if isinstance(given, (str, bytes)) or not isinstance(given, Iterable) or getattr(given, "ndim", 1) == 0:
        raise InvalidOption(f"{what}: expected {expected}, got {shown(given)}")
    return list(given)


def _catalogue_readings(experiment: Experiment, names: Collection[str]) -> Iterator[tuple[str, Experiment]]:
    """Other readings of known data: of the entries named, and of those with exactly the stated class counts."""
    counts = total_counts(experiment)
    for known in import_module("scoreproof.catalog").entries():
        matching = {dataset.item for dataset in known.sets if (dataset.p, dataset.n) in (counts, counts[::-1])}
        chosen = [None if item is None else [item] for item in sorted(matching)]
        for items in [None, *chosen] if known.name in names else chosen:
            try:
                readings = known.readings(items=items)
            except ScoreproofError:
                continue
            for reading in readings:
                if reading.experiment != experiment:
                    yield f"{known.name}: {reading.label}", reading.experiment


@dataclass(frozen=True, slots=True)
class TableHypothesis(Jsonable):
    """An assumption that no row refutes; ``fits`` are the rows it was shown to fit, ``open`` those not decided."""

    name: str
    label: str
    fits: tuple[str, ...]
    open: tuple[str, ...] = ()

    _told = "* words"
    words = property(str)

    explains_all = property(lambda self: not self.open)

    def __str__(self) -> str:
        if self.explains_all:
            return f"{self.label}: fits all {len(self.fits)} rows"
        return f"{self.label}: fits {len(self.fits)} rows, {len(self.open)} not decided"


@dataclass(frozen=True, slots=True)
class TableExplanation(Tabular):
    """The assumptions that fit every row of a table, and how many were tried."""

    rows: tuple[str, ...]
    inconsistent: tuple[str, ...]
    hypotheses: tuple[TableHypothesis, ...]
    tried: int
    untried: tuple[str, ...] = ()

    _told = "* explains_all words"
    words = property(str)

    @property
    def explains_all(self) -> tuple[str, ...]:
        """The labels of the hypotheses that alone make every row possible."""
        return tuple(hypothesis.label for hypothesis in self.hypotheses if hypothesis.explains_all)

    def _rows(self) -> list[dict[str, Any]]:
        return [hypothesis.to_dict() for hypothesis in self.hypotheses]

    def __str__(self) -> str:
        if not self.inconsistent:
            return "Nothing to explain: no row is inconsistent with the stated experiment."
        wrong = f"{len(self.inconsistent)} of {len(self.rows)} rows do not fit the stated experiment"
        which = "; ".join(self.explains_all)
        fits = f"all rows would fit if {which}" if which else f"none of {self.tried} other assumptions fits all rows"
        return f"{wrong}; {fits}. A fit is a possibility, not a finding."


def explain_table(
    results: Mapping[str, Answer[Any, Any]],
    *,
    hypotheses: Mapping[str, Experiment] | Iterable[Assumed] = (),
    oversampled: Iterable[int] = (),
    catalogue: Iterable[str] = (),
    budget: float | Budget = 10.0,
) -> TableExplanation:
    """The assumptions that alone explain all rows; ``results`` are their checks by label, the rest as in ``explain``.

    >>> from scoreproof import KFold, check
    >>> stated = KFold(p=30, n=60, k=5, aggregation="score_of_means")
    >>> rows = {"A": {"acc": "0.787", "sens": "0.700"}, "B": {"acc": "0.853", "sens": "0.750"}}
    >>> result = explain_table({name: check(stated, row) for name, row in rows.items()}, oversampled=[60])
    >>> result.inconsistent
    ('A', 'B')
    """
    deadline = Budget.steady(budget)
    if not isinstance(results, Mapping) or not all(isinstance(answer, Answer) for answer in results.values()):
        raise InvalidOption("results: expected a mapping from row labels to results of check")
    rows = {str(label): result for label, result in results.items()}
    wrong = tuple(label for label, answer in rows.items() if answer.verdict.impossible)
    if not wrong:
        return TableExplanation(tuple(rows), (), (), 0)
    ordered = sorted(rows, key=lambda label: label not in wrong)  # rows that do not fit as stated refute soonest
    problems: dict[str, Problem] = {label: rows[label].problem for label in ordered}
    explaining: list[TableHypothesis] = []
    untried: list[str] = []
    tried = 0
    usual = usual_assumptions(problems[wrong[0]], oversampled, catalogue)
    moved: Assumed = Assumption("columns moved", "columns exchanged or shifted", _columns_moved)
    for hypothesis in (*own_hypotheses(hypotheses), moved, *usual):
        if deadline.passed:
            untried.append(hypothesis.label)
            continue
        number, fitting = _fits_all(hypothesis, problems, deadline.part(_SHARE))
        tried += number
        explaining += fitting
    ranked = sorted(explaining, key=lambda hypothesis: not hypothesis.explains_all)
    return TableExplanation(tuple(rows), wrong, tuple(ranked), tried, tuple(untried))


def _columns_moved(problem: Problem) -> Iterator[Variant[Problem]]:
    """The reports with two columns exchanged, or some shifted; the label means the same in every row."""
    for candidate in candidates(problem.claims):
        if candidate.slip in _MOVED:
            names = ", ".join(problem.claims[index].name for index in candidate.changed)
            first, second = candidate.changed[:2]
            right = candidate.reported[first].text == problem.claims[second].text
            how = (
                "exchanged" if len(candidate.changed) == 2 else f"shifted to the {'right' if right else 'left'} by one"
            )
            yield Variant(f"{names} {how}", problem.with_claims(candidate.reported))


def _fits_all(
    hypothesis: Assumed, problems: Mapping[str, Problem], deadline: Budget
) -> tuple[int, list[TableHypothesis]]:
    """How many variants of a hypothesis were tried, and those that no row refutes."""
    alive: dict[str, tuple[list[str], list[str]]] | None = None  # by label the rows that fit, and those not decided
    tried = 0
    for row, problem in problems.items():
        answers: dict[str, Fit] = {}
        for variant in hypothesis.variants(problem):
            if deadline.passed:
                break
            label = variant.label
            if (alive is None or label in alive) and answers.get(label, Fit.DOES_NOT_FIT) is Fit.DOES_NOT_FIT:
                tried += alive is None
                answers[label] = Fit.DOES_NOT_FIT
                with suppress(ScoreproofError):  # what cannot be asked of this row cannot explain it
                    answers[label] = asked(variant, deadline).answer
        alive = {label: ([], []) for label in answers} if alive is None else alive
        missing = Fit.UNDECIDED if deadline.passed else Fit.DOES_NOT_FIT
        for label, rows in list(alive.items()):
            answer = answers.get(label, missing)
            if answer is Fit.DOES_NOT_FIT:
                del alive[label]
            else:
                rows[answer is not Fit.FITS].append(row)
        if not alive:
            break
    return tried, [
        TableHypothesis(
            hypothesis.name, f"{hypothesis.label}: {label}" if label else hypothesis.label, *map(tuple, rows)
        )
        for label, rows in sorted((alive or {}).items())
        if rows[0]
    ]
