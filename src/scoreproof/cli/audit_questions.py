"""``scoreproof audit --ask``: what the text of a paper does not settle, asked of each table; Enter accepts a proposal.

Sizes belong to a table, or to those of its rows and groups of columns that are of other data: each has a question of
its own. What a person answers is no longer assumed. ``unknown`` leaves it open, with all that the text proposes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import typer

from scoreproof.cli.output import note
from scoreproof.papers.collecting import PARTS, Proposed, experiments_of, find_table
from scoreproof.papers.proposals import resting_on
from scoreproof.papers.table_semantics.cells import read_count
from scoreproof.results import plain

_UNKNOWN = "unknown"
_BESIDE = ("repeats", "stratified", "aggregation")


@dataclass(frozen=True, slots=True)
class _Part:
    """Rows or groups of columns of a table that are tried with the same experiments, or all of the table."""

    name: str
    names: list[str]
    places: list[tuple[str, str]]  # under which keys and labels of the table they stand


def answered(proposed: Proposed) -> Proposed:
    """The specification with the answers in it."""
    content = {**proposed.content}
    tables = [{**table, **{key: {**table[key]} for key in PARTS[1:] if key in table}} for table in content["tables"]]
    tested = [table for table in tables if "untested" not in table]
    if len(tested) > 1:
        _choose(tested)
    datasets, experiments = {**content["datasets"]}, {**content["experiments"]}
    asked = [(index, table) for index, table in enumerate(tables) if "untested" not in table]
    shared = [name for _, table in asked for name in set(experiments_of(table))]
    for index, table in asked:
        caption = find_table(proposed.specification, index, proposed.documents).caption
        for part in _parts(table):
            about = caption.removeprefix(table["name"]).lstrip(".: ")
            typer.echo(plain(f"{part.name}{f': {about}' if about else ''}"), err=True)
            alone = [name for name in part.names if shared.count(name) == 1 or _is_said_in(content, name, caption)]
            dataset, stated = _sizes(content, part.names, alone)
            if dataset is None:
                continue
            name = f"{part.name} as answered"
            while name in experiments:  # another table of this name
                name += "'"
            datasets[name], experiments[name] = dataset, {"dataset": name, **_design(stated)}
            for key, label in part.places:
                if label:
                    table[key][label] = [name]
                else:
                    table[key] = [name]
    used = {name for table in tables for name in experiments_of(table)}
    datasets = {name: known for name, known in datasets.items() if name in used}
    experiments = {name: known for name, known in experiments.items() if name in used}
    return proposed.with_content({**content, "datasets": datasets, "experiments": experiments, "tables": tables})


def _parts(table: dict[str, Any]) -> Iterator[_Part]:
    """What of a table is asked about: its rows and groups of different data, those of the same proposals together."""
    name = table["name"]
    labels: dict[tuple[str, ...], list[tuple[str, str]]] = {}
    for key in PARTS[1:]:
        for label, names in table.get(key, {}).items():
            labels.setdefault(tuple(names), []).append((key, label))
    if not labels:
        yield _Part(name, table["experiment"], [("experiment", "")])
        return
    for names, places in labels.items():
        more = f" and {len(places) - 1} more" if len(places) > 1 else ""
        yield _Part(f"{name}, {places[0][1]}{more}", list(names), places)
    if tuple(table["experiment"]) not in labels:
        yield _Part(f"{name}, all else", table["experiment"], [("experiment", "")])


def _is_said_in(content: dict[str, Any], name: str, caption: str) -> bool:
    """Whether a sentence that a proposal rests on stands in a caption."""
    return any(extraction["sentence"] in caption for extraction in resting_on(content["extracted"], name))


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


def _sizes(
    content: dict[str, Any], names: Sequence[str], alone: Sequence[str]
) -> tuple[dict[str, Any] | None, dict[str, Any]]:
    """The data set somebody stands for, and what was proposed beside it; None where it stays open.

    Enter accepts the only proposal, if it is ``alone`` of this table: what the text says once, of whichever table, and
    one of several sizes are for a person to choose.
    """
    offered = [
        (name, content["datasets"][name], content["experiments"][name])
        for name in names
        if content["datasets"].get(name, {"p": _UNKNOWN}).get("p") != _UNKNOWN  # queries and objects are not asked for
    ]
    for number, (name, _, stated) in enumerate(offered, 1):
        sentence = next((told["sentence"] for told in resting_on(content["extracted"], name)), "")
        typer.echo(plain(f"  {number}: {stated['assumed']}{f' ({sentence!r})' if sentence else ''}"), err=True)
    default = "1" if len(offered) == 1 and offered[0][0] in alone else _UNKNOWN
    while True:
        words = _asked(
            "Evaluated on (a number above, positives and negatives such as 38+262, more classes such as 50+70+30, "
            "all cases, or unknown)",
            default,
        )
        if words == _UNKNOWN:
            return None, {}
        if words.isdigit() and 1 <= int(words) <= len(offered):
            _, dataset, stated = offered[int(words) - 1]
            return _with_positive(dataset), stated
        counts = [read_count(part.strip()) for part in words.split("+")]
        if None not in counts:
            if len(counts) > 2:
                return {"classes": {f"class {number}": count for number, count in enumerate(counts, 1)}}, {}
            return dict(zip(("p", "n") if len(counts) == 2 else ("total",), counts, strict=True)), {}
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


def _design(stated: dict[str, Any]) -> dict[str, Any]:
    """Folds and their averaging as somebody says; what was proposed beside them stays, as do runs on one test set."""
    while True:
        words = _asked("Folds of a cross-validation (0 for one test set, or unknown)", str(stated.get("folds", 0)))
        if words == "0":
            return {"runs": stated["runs"]} if "runs" in stated else {}
        if words == _UNKNOWN or (words.isdigit() and int(words) > 1):
            break
        note(f"expected a number such as 5, 0 or unknown; got {words!r}")
    kept: dict[str, Any] = {name: stated[name] for name in _BESIDE if name in stated}
    return {"folds": int(words) if words.isdigit() else words, **kept}
