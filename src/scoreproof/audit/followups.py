"""What is asked about a row once its verdict is known: why it does not fit, and how strong the test was.

The user's own hypotheses are tried here, each as a check under another experiment. Explanations and strengths come from
``scoreproof.explain`` and ``scoreproof.power``; this is the only module of the audit that knows them.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import ModuleType
from typing import Any

from scoreproof.audit.readings import Reading, UnknownClasses
from scoreproof.audit.result import Outcome, RowResult, TableResult
from scoreproof.audit.task import Task, audit_row, checked
from scoreproof.errors import ScoreproofError

Explanation = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """Another experiment that might explain a row, in all its readings."""

    name: str
    label: str
    readings: tuple[Reading, ...]
    instead_of: tuple[str, ...] = ()

    def about(self, task: Task) -> bool:
        """Whether it could replace the experiment of a row."""
        return not self.instead_of or bool({*self.instead_of} & {*task.experiment.split(", ")})


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which questions to ask, and how long each may take."""

    explain: bool
    strength: bool
    budget: float
    seed: int
    hypotheses: tuple[Hypothesis, ...] = ()

    def __bool__(self) -> bool:
        return self.explain or self.strength


def follow_up(task: Task, row: RowResult, wanted: Wanted) -> RowResult:
    """The row with its explanation and its strength, where these can be had."""
    if wanted.explain and row.outcome is Outcome.INCONSISTENT:
        row = replace(row, explanation=explanation(task, wanted))
    if wanted.strength and row.outcome in (Outcome.CONSISTENT, Outcome.INCONSISTENT):
        row = replace(row, strength=strength(task, wanted))
    return row


def explanation(task: Task, wanted: Wanted) -> Explanation | None:
    """Why a row does not fit: what the explanation package finds, and the user's hypotheses."""
    found = _of_package(task, wanted)
    own = [_tried(task, one, wanted) for one in wanted.hypotheses if one.about(task)]
    if found is None and not own:
        return None
    document: Explanation = found if found is not None else _blank(task)
    names = {one["name"] for one in own}
    document["hypotheses"] = [*own, *(one for one in document["hypotheses"] if one["name"] not in names)]
    fitting = [one["label"] for one in own if one["answer"] == "fits"]
    if fitting:
        sentence = f"The scores fit under another assumption: {'; '.join(fitting)}."
        document["conjectured"] = [sentence, *document["conjectured"]]
        if not document["summary"]:
            document["summary"] = sentence
    elif not document["summary"]:
        document["summary"] = "None of the hypotheses of the specification explains the scores."
    return document


def _blank(task: Task) -> Explanation:
    return {
        "summary": "",
        "conflicts": [],
        "repairs": [],
        "hypotheses": [],
        "proved": [],
        "conjectured": [],
        "complete": True,
        "untried": [],
        "experiment": str(task.readings[0].experiment),
    }


def _of_package(task: Task, wanted: Wanted) -> Explanation | None:
    explain = _named("scoreproof.explain", "explain")
    reading = _known(task)
    if explain is None or reading is None:
        return None
    try:
        result = checked(task, reading, budget=wanted.budget, seed=wanted.seed)
        found: Explanation = dict(explain(result, budget=wanted.budget).to_dict())
    except ScoreproofError:
        return None  # the verdict stands without its explanation
    return {**_blank(task), **found}


def strength(task: Task, wanted: Wanted) -> dict[str, Any] | None:
    """How many of the possible reports with these digits would have passed."""
    measure = _named("scoreproof.power", "strength")
    reading = _known(task)
    if measure is None or reading is None:
        return None
    try:
        result = checked(task, reading, budget=wanted.budget, seed=wanted.seed)
        found = measure(result, budget=wanted.budget, seed=wanted.seed)
        return dict(found if isinstance(found, Mapping) else found.to_dict())
    except ScoreproofError:
        return None


def _known(task: Task) -> Reading | None:
    """The first reading with class counts."""
    return next((one for one in task.readings if not isinstance(one.experiment, UnknownClasses)), None)


def _tried(task: Task, hypothesis: Hypothesis, wanted: Wanted) -> dict[str, str]:
    row = audit_row(replace(task, readings=hypothesis.readings), budget=wanted.budget, seed=wanted.seed)
    answer = {Outcome.CONSISTENT: "fits", Outcome.INCONSISTENT: "does not fit"}.get(row.outcome, "undecided")
    label = hypothesis.label or hypothesis.name
    ways = f" ({'; '.join(row.fitting())})" if row.fitting() else ""
    verb = {"fits": "the scores are possible", "does not fit": "the scores are impossible as well"}.get(
        answer, "it could not be decided whether the scores are possible"
    )
    return {
        "name": hypothesis.name,
        "label": label,
        "answer": answer,
        "words": f"With {label} {verb}{ways}.",
    }


def explain_table(table: TableResult) -> Explanation | None:
    """Which hypothesis explains all inconsistent rows of a table at once."""
    rows = [row for row in table.rows if row.outcome is Outcome.INCONSISTENT and row.explanation]
    if not rows:
        return None
    tried: dict[str, Explanation] = {}
    for row in rows:
        assert row.explanation is not None
        for one in row.explanation["hypotheses"]:
            entry = tried.setdefault(
                one["name"], {"name": one["name"], "label": one["label"], "words": "", "fits": [], "open": []}
            )
            if one["answer"] != "does not fit":
                entry["fits" if one["answer"] == "fits" else "open"].append(row.label)
    labels = [row.label for row in rows]
    for entry in tried.values():
        entry["words"] = f"{entry['label']}: fits {len(entry['fits'])} of the {len(labels)} inconsistent rows"
    whole = [entry["label"] for entry in tried.values() if len(entry["fits"]) == len(labels)]
    some = [entry["label"] for entry in tried.values() if entry["fits"]]
    if whole:
        words = f"{_rows(len(labels))} would be explained by: {'; '.join(whole)}."
    elif some:
        words = f"No hypothesis explains all {len(labels)} inconsistent rows; some are explained by: {'; '.join(some)}."
    else:
        words = "No hypothesis that was tried explains an inconsistent row." if tried else ""
    if not tried:
        return None
    return {"rows": labels, "hypotheses": list(tried.values()), "explains_all": whole, "words": words}


def _rows(count: int) -> str:
    return "The inconsistent row" if count == 1 else f"All {count} inconsistent rows"


def _named(module: str, name: str) -> Callable[..., Any] | None:
    """A function of a package that may not be there."""
    found = _module(module)
    function = None if found is None else getattr(found, name, None)
    return function if callable(function) else None


def _module(name: str) -> ModuleType | None:
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError:
        return None


def chosen(rows: Sequence[RowResult], explain: bool | str, strong: bool | str, most: int) -> tuple[set[int], set[int]]:
    """Which rows to explain and to weigh: all, none, or the first ``most`` of a long paper (``auto``)."""
    wrong = [index for index, row in enumerate(rows) if row.outcome is Outcome.INCONSISTENT]
    decided = [index for index, row in enumerate(rows) if row.outcome in (Outcome.CONSISTENT, Outcome.INCONSISTENT)]

    def some(wanted: bool | str, indices: list[int]) -> set[int]:
        if wanted == "auto":
            return set(indices[:most])
        return set(indices) if wanted else set()

    return some(explain, wrong), some(strong, decided)
