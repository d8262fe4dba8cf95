"""The rules of ``decision_table.toml``, and its words for tasks, metrics and values.

Both follow Rainio, Teuho & Klén (2024, doi:10.1038/s41598-024-56706-x).
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from importlib import resources
from typing import Any

from scoreproof.jsonable import document

_TABLE = tomllib.loads((resources.files("scoreproof.statistics") / "decision_table.toml").read_text(encoding="utf-8"))

PAPER: str = _TABLE["sources"]["paper"]
TASKS: dict[str, tuple[str, ...]] = {task: tuple(metrics) for task, metrics in _TABLE["tasks"].items()}
VALUES: dict[str, str] = _TABLE["values"]
SYNONYMS: dict[str, str] = _TABLE["synonyms"]
LOW_IS_GOOD = frozenset(_TABLE["low_is_good"])
MODELS = ("one", "two", "many")
QUESTIONS = ("better", "variance")


@dataclass(frozen=True, slots=True, kw_only=True)
class Advice:
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
    effect: str = ""
    source: str = PAPER

    def to_dict(self) -> dict[str, Any]:
        others = {key: [{"test": test, "why": why} for test, why in getattr(self, key)] for key in ("avoid", "instead")}
        return document(self, "question test function why assumptions then effect source", **others)


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
