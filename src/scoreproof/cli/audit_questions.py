"""``scoreproof audit --ask``: what the text of a paper does not settle, asked one by one; Enter accepts a proposal.

What a person answers is no longer assumed. ``unknown`` leaves a question open, with all that the text proposes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import typer

from scoreproof.audits.papers import PARTS, Proposed, experiments_of, of_one_experiment
from scoreproof.audits.proposals import resting_on
from scoreproof.cli.output import note
from scoreproof.documents.meaning.counts import read_count
from scoreproof.results import plain

_NAME = "as answered"
_UNKNOWN = "unknown"
_BESIDE = ("repeats", "stratified", "aggregation")


def answered(proposed: Proposed) -> Proposed:
    """The specification with the answers in it."""
    content = {**proposed.content}
    tables = [{**table} for table in content["tables"]]
    tested = [table for table in tables if "untested" not in table]
    if len(tested) > 1:
        _choose(tested)
    dataset, folds, proposal = _sizes(content)
    if dataset is None:
        return proposed.with_content({**content, "tables": tables})
    experiment: dict[str, Any] = {"dataset": _NAME, **_folds(folds)}
    tables = [table if "untested" in table else _answered(table, proposal) for table in tables]
    used = {name for table in tables for name in experiments_of(table)}
    datasets = {name: known for name, known in content["datasets"].items() if name in used}
    experiments = {name: known for name, known in content["experiments"].items() if name in used}
    datasets, experiments = {**datasets, _NAME: dataset}, {**experiments, _NAME: experiment}
    return proposed.with_content({**content, "datasets": datasets, "experiments": experiments, "tables": tables})


def _answered(table: dict[str, Any], proposal: str) -> dict[str, Any]:
    """A table of the experiment that was answered; a proposal is accepted for the rows and columns that it is of."""
    if not proposal or not any(key in table for key in PARTS[1:]):
        return of_one_experiment(table, _NAME)

    def accepted(names: list[str]) -> list[str]:
        return [_NAME] if proposal in names else names

    parts = {key: {label: accepted(names) for label, names in table[key].items()} for key in PARTS[1:] if key in table}
    return {**table, "experiment": accepted(table["experiment"]), **parts}


def _asked(question: str, default: str) -> str:
    return str(typer.prompt(plain(question), default=default, err=True)).strip()


def _choose(tables: Sequence[dict[str, Any]]) -> None:
    """Which tables are audited; the others are left out with that reason."""
    for number, table in enumerate(tables, 1):
        typer.echo(f"  {number}: {plain(table['name'])}", err=True)
    while True:
        chosen = _asked("Which tables (numbers, or all)", "all")
        numbers = {int(word) for word in chosen.replace(",", " ").split() if word.isdigit()}
        if chosen == "all" or (numbers and numbers <= set(range(1, len(tables) + 1))):
            break
        note(f"expected numbers from 1 to {len(tables)}, or all; got {chosen!r}")
    for number, table in enumerate(tables, 1):
        if chosen != "all" and number not in numbers:
            for key in PARTS:
                table.pop(key, None)
            table["untested"] = "not asked for"


def _sizes(content: dict[str, Any]) -> tuple[dict[str, Any] | None, dict[str, Any], str]:
    """The data set somebody stands for, the design and the name of its proposal; None where it stays open."""
    offered = [
        (name, content["datasets"][name], stated)
        for name, stated in content["experiments"].items()
        if content["datasets"].get(name, {"p": _UNKNOWN}).get("p") != _UNKNOWN  # queries and objects are not asked for
    ]
    for number, (name, _, stated) in enumerate(offered, 1):
        said = next((told["sentence"] for told in resting_on(content["extracted"], name)), "")
        typer.echo(plain(f"  {number}: {stated['assumed']}{f' ({said!r})' if said else ''}"), err=True)
    default = "1" if offered else _UNKNOWN
    while True:
        words = _asked(
            "Evaluated on (a number above, positives and negatives such as 38+262, more classes such as 50+70+30, "
            "all cases, or unknown)",
            default,
        )
        if words == _UNKNOWN:
            return None, {}, ""
        if words.isdigit() and 1 <= int(words) <= len(offered):
            name, dataset, stated = offered[int(words) - 1]
            return _with_positive(dataset), stated, name
        counts = [read_count(part.strip()) for part in words.split("+")]
        if len(counts) == 2 and counts[0] is not None and counts[1] is not None:
            return {"p": counts[0], "n": counts[1]}, {}, ""
        if len(counts) == 1 and counts[0] is not None:
            return {"total": counts[0]}, {}, ""
        if len(counts) > 2 and None not in counts:
            return {"classes": {f"class {number}": count for number, count in enumerate(counts, 1)}}, {}, ""
        note(f"expected such as 1, 38+262, 300 or unknown; got {words!r}")


def _with_positive(dataset: dict[str, Any]) -> dict[str, Any]:
    if "positive" not in dataset:  # a total, or more than two classes
        return dataset
    names = [*dataset["classes"], _UNKNOWN]
    while True:
        name = _asked(f"Positive class ({', '.join(names)})", _UNKNOWN)
        if name in names:
            return {**dataset, "positive": name}
        note(f"expected one of {', '.join(names)}; got {name!r}")


def _folds(stated: dict[str, Any]) -> dict[str, Any]:
    """Folds and their averaging as somebody says; what was proposed beside them stays."""
    while True:
        words = _asked("Folds of a cross-validation (0 for one test set, or unknown)", str(stated.get("folds", 0)))
        if words == "0":
            return {}
        if words == _UNKNOWN or (words.isdigit() and int(words) > 1):
            break
        note(f"expected a number such as 5, 0 or unknown; got {words!r}")
    kept: dict[str, Any] = {name: stated[name] for name in _BESIDE if name in stated}
    return {"folds": int(words) if words.isdigit() else words, **kept}
