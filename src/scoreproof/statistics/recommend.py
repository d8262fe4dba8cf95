"""Which test? A look into the decision table.

``decision_table.toml`` holds the rules after Rainio, Teuho & Klén (2024, doi:10.1038/s41598-024-56706-x); the first
that fits gives the test and why it fits, what it assumes, what to avoid and why. ``compare`` acts on it.
"""

from __future__ import annotations

import tomllib
from contextlib import suppress
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Literal

from scoreproof.errors import InvalidOption, ScoreproofError
from scoreproof.jsonable import document
from scoreproof.quantities.measures import SYNONYMS, TASKS, MetricFacts, measure
from scoreproof.results import Result, SmallTable
from scoreproof.validation import chosen, whole

_TABLE = tomllib.loads(Path(__file__).with_name("decision_table.toml").read_text(encoding="utf-8"))

PAPER: str = _TABLE["sources"]["paper"]
VALUES: dict[str, str] = _TABLE["values"]
MODELS = ("one", "two", "many")
QUESTIONS = ("better", "variance", "equivalent", "not worse")


@dataclass(frozen=True, slots=True, kw_only=True)
class Advice(Result):
    """A test and the reasons for it.

    ``function`` is what to call in ``scoreproof.statistics``; ``avoid`` and ``instead`` pair other tests with the
    reason, ``then`` is what follows a significant result.
    """

    test: str
    function: str
    why: str
    question: str = "better"
    assumptions: tuple[str, ...] = ()
    avoid: tuple[tuple[str, str], ...] = ()
    instead: tuple[tuple[str, str], ...] = ()
    then: str = ""
    fewest: int | None = None
    effect: str = ""
    source: str = PAPER

    def __str__(self) -> str:
        return f"{self.test} ({self.function}): {self.why}."

    @property
    def size(self) -> str:
        """Below which number of rows nothing can be significant, if there is such a number."""
        few = f"below {self.fewest} values of each model nothing can reach 0.05"
        return "" if self.fewest is None else f"{few}; scoreproof plan says how many are needed"

    def to_dict(self) -> dict[str, Any]:
        others = {key: [{"test": test, "why": why} for test, why in getattr(self, key)] for key in ("avoid", "instead")}
        return document(self, "question test function why assumptions then fewest effect source", **others)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule(Advice):
    """One row of the table. Empty sets of tasks, metrics or values fit all."""

    models: frozenset[str]
    values: frozenset[str] = frozenset()
    metrics: frozenset[str] = frozenset()
    tasks: frozenset[str] = frozenset()
    paired: bool = True

    def to_dict(self) -> dict[str, Any]:
        words = {"models": MODELS, "values": VALUES, "tasks": TASKS, "metrics": sorted(self.metrics)}
        sets = {key: [word for word in known if word in getattr(self, key)] for key, known in words.items()}
        return {**sets, "paired": self.paired, **Advice.to_dict(self)}


def _rule(row: dict[str, Any]) -> Rule:
    """A row as it is read: sets and pairs from lists, usual reasons and sources by their names."""
    row = dict(row)
    for key in {"models", "values", "metrics", "tasks"} & set(row):
        row[key] = frozenset(row[key])
    avoid = [(test, _TABLE["avoid"][test]) if isinstance(test, str) else tuple(test) for test in row.get("avoid", ())]
    row["avoid"], row["instead"] = tuple(avoid), tuple(tuple(pair) for pair in row.get("instead", ()))
    row["assumptions"] = tuple(row.get("assumptions", ()))
    return Rule(**row | {"source": row.get("source", "{paper}").format(**_TABLE["sources"])})


RULES: tuple[Rule, ...] = tuple(_rule(row) for row in _TABLE["rules"])


@dataclass(frozen=True, slots=True, kw_only=True)
class Recommendation(Advice):
    """The test that fits a comparison, and the reasons."""

    task: str | None
    metric: str | None
    models: int
    values: str

    def __str__(self) -> str:
        lines = [f"Use the {Advice.__str__(self)}"]
        if self.assumptions:
            lines.append(f"It assumes: {'; '.join(self.assumptions)}.")
        names = {"avoid": "Avoid", "alternative": "Alternative"}
        lines += [f"{names[label]}: {name} ({why})." for label, name, why in self.others()]
        told = {"Then": self.then, "Size": self.size, "Report": self.effect, "Source": self.source}
        return "\n".join([*lines, *(f"{label}: {text}." for label, text in told.items() if text or label == "Report")])

    def others(self) -> list[tuple[str, str, str]]:
        """Tests to avoid, and alternatives, each with its reason."""
        return [("avoid", *pair) for pair in self.avoid] + [("alternative", *pair) for pair in self.instead]

    def to_dict(self) -> dict[str, Any]:
        return {**document(self, "task metric models values"), **Advice.to_dict(self)}

    def _tables(self) -> list[SmallTable]:
        told = [("then", self.then), ("size", self.size), ("report", self.effect), ("source", self.source)]
        rows = [
            ("use", f"{self.test} ({self.function})"),
            ("why", self.why),
            *(("assumes", a) for a in self.assumptions),
            *((label, f"{name}: {why}") for label, name, why in self.others()),
            *((label, text) for label, text in told if text or label == "report"),
        ]
        return [SmallTable(rows, caption="Recommended test")]


def recommend(
    *,
    task: str | None = None,
    metric: str | None = None,
    models: int = 2,
    values: str = "data sets",
    question: Literal["better", "variance", "equivalent", "not worse"] = "better",
    paired: bool = True,
    human: bool = False,
) -> Recommendation:
    """The test for this comparison.

    ``task`` is binary, multiclass, multilabel, regression, segmentation, detection or retrieval; ``metric``
    any of that task's (synonyms of the score registry are understood); ``values`` says how the values came
    about (the keys of ``scoreproof.statistics.VALUES``); ``question`` asks which is better, which varies more, or
    whether they are equivalent or one not worse. ``human`` marks that one of the models is a person, who cannot be
    retrained for every fold. With one model there is nothing to test, and an interval is recommended.

    >>> recommend(task="binary", metric="auc", models=2, values="one test set").test
    'DeLong test'
    >>> recommend(task="segmentation", metric="dice", models=2, values="per case").function
    'permutation_test'
    >>> recommend(task="binary", metric="accuracy", models=1, values="one test set").test
    'Wilson interval'
    """
    if task is not None:
        chosen("task", task, tuple(TASKS))
    chosen("values", values, tuple(VALUES))
    count = whole("models", models, at_least=1)
    name = None if metric is None else metric_name(metric, task)
    if human and values in ("folds", "5x2 folds"):
        raise InvalidOption(f"values = {values!r} with a human: expected 'one test set' or 'per case'")
    if values in ("one test set", "matrices", "published") and name is None and question == "better":
        raise InvalidOption(f"values = {values!r} needs the metric: expected for instance metric='auc' or 'sens'")
    size = {1: "one", 2: "two"}.get(count, "many")
    for rule in RULES:
        if _fits(rule, task=task, metric=name, size=size, values=values, question=question, paired=paired):
            advice = {field.name: getattr(rule, field.name) for field in fields(Advice)}
            return Recommendation(task=task, metric=name, models=count, values=values, **advice)
    raise InvalidOption(_no_rule(question=question, models=size, paired=paired, values=values, metric=name))


def metric_name(metric: str, task: str | None = None) -> str:
    """The metric's canonical name: the task's own list, synonyms, then the score registry."""
    word = metric.strip().lower().replace("_", "-").replace(" ", "-")
    if task in (None, "multiclass"):
        word = word.removeprefix("macro-").removeprefix("mean-class-")
    word = SYNONYMS.get(word, word)
    known = {m for ms in TASKS.values() for m in ms} if task is None else set(TASKS[task])
    if word in known:
        return word
    from scoreproof.kinds.binary.scores import score

    for spelling in (word.replace("-", "_"), metric.strip()):
        with suppress(ScoreproofError):
            name = score(spelling).name
            if task in (None, "binary", "multiclass") or name in known:
                return name
    where = f"the task {task}" if task else "any task"
    raise InvalidOption(f"metric = {metric!r}: expected a metric of {where}: {', '.join(sorted(known))}")


def is_listed(metric: str | None, task: str | None) -> bool:
    """Whether the decision table knows a metric: a table of scores may be of any other."""
    with suppress(ScoreproofError):
        return metric is not None and bool(metric_name(metric, task))
    return False


def measured(metric: str) -> MetricFacts | None:
    """What the registry of quantities knows of a metric by its name: direction, range, unit, tasks."""
    import scoreproof.kinds.binary.scores
    import scoreproof.kinds.regression.problem  # noqa: F401  both register what they know

    return measure(metric)


def rises(metric: str | None) -> bool | None:
    """Whether a metric is better high; None where its name does not say."""
    known = None if metric is None else measured(metric)
    return None if known is None or known.direction == 0 else known.direction > 0


def _fits(
    rule: Rule, *, task: str | None, metric: str | None, size: str, values: str, question: str, paired: bool
) -> bool:
    return (
        rule.question == ("equivalent" if question == "not worse" else question)
        and rule.paired == paired
        and size in rule.models
        and (not rule.values or values in rule.values)
        and (not rule.tasks or task is None or task in rule.tasks)
        and (not rule.metrics or metric in rule.metrics)
        and not (task is None and metric is None and rule.tasks and not rule.metrics)
    )


def _no_rule(**asked: Any) -> str:
    """Why nothing fits, and what would: the first refusal of the table that holds."""
    holds = (row for row in _TABLE["refusals"] if all(asked[key] in wanted for key, wanted in row["when"].items()))
    return str(next(holds)["says"]).format(**asked)
