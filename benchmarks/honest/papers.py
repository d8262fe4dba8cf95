"""A document of an honest author, audited: the true description, ``unknown``, and with details stated.

No row, average, class report or claim may be called inconsistent or false. Rows that are undecided, untested or cannot
be read are counted; they accuse nobody.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import scoreproof as sp
from benchmarks.honest import files
from benchmarks.honest.cells import Sheet
from benchmarks.honest.class_reports import averaged, class_report, class_report_text
from benchmarks.honest.cohorts import Generator
from benchmarks.honest.judging import BUDGET, Failure, Tally
from benchmarks.honest.sheets import cross_validated, folds, models, scores_in_rows
from benchmarks.honest.smaller import peculiar, smaller

SHEETS: dict[str, Callable[[Generator], Sheet]] = {
    "models": models,
    "folds": folds,
    "cross-validated models": cross_validated,
    "class report": class_report,
    "averages over classes": averaged,
    "scores in rows": scores_in_rows,
}
_CHANCES = (0.35, 0.2, 0.17, 0.15, 0.06, 0.07)


@dataclass(frozen=True, slots=True)
class Paper:
    """A file with its tables, and the specifications that are true of it, by name."""

    place: str
    format: str
    sheets: tuple[Sheet, ...]
    file: Path
    specifications: dict[str, dict[str, Any]]


def paper(seed: int, index: int, folder: Path) -> Paper:
    """The document of a seed and a number, written into a folder."""
    rng = np.random.default_rng([seed, index, 1])
    kind = str(rng.choice(list(files.WRITERS), p=files.CHANCES))
    if kind == "pdf" and files.browser() is None:
        kind = "html"
    place = f"{seed}:d{index}"
    if rng.random() < 0.06:
        return _printed_report(rng, place, folder)
    count = 1 if kind in files.SINGLE else int(rng.integers(1, 4))
    sheets = tuple(SHEETS[str(rng.choice(list(SHEETS), p=_CHANCES))](rng) for _ in range(count))
    file = files.WRITERS[kind](sheets, folder / f"paper{index}")
    made = Paper(place, kind, sheets, file, {})
    made.specifications.update(_specifications(rng, made))
    return made


def _printed_report(rng: Generator, place: str, folder: Path) -> Paper:
    """A classification report as printed, in a text file."""
    text, _ = class_report_text(rng)
    file = folder / "report.txt"
    file.write_text(text, encoding="utf-8")
    sheet = Sheet(
        "printed class report",
        "",
        [],
        [],
        details={"rounding": "nearest"},
        printer="format",
        tool="scikit-learn itself",
    )
    made = Paper(place, "text", (sheet,), file, {})
    made.specifications["bare"] = {"tables": [{"text": text}]}
    made.specifications["details"] = {"tables": [{"text": text, "options": {"rounding": "nearest"}}]}
    return made


def _specifications(rng: Generator, made: Paper) -> Iterator[tuple[str, dict[str, Any]]]:
    yield "true", _specification(made, lambda sheet: (sheet.dataset, sheet.experiment, sheet.options), claims=True)
    yield (
        "details",
        _specification(
            made,
            lambda sheet: (sheet.dataset, sheet.experiment, {**sheet.options, **_some(rng, sheet.details)}),
            claims=False,
        ),
    )
    yield "unknown", _specification(made, _unknown, claims=False)


def _some(rng: Generator, details: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in details.items() if rng.random() < 0.7}


Said = tuple[dict[str, Any] | None, dict[str, Any] | None, dict[str, Any]]


def _unknown(sheet: Sheet) -> Said:
    """Nothing said that can be left open: class counts of a single set; stratification and aggregation of folds."""
    if sheet.dataset is None or sheet.experiment is None:
        return sheet.dataset, sheet.experiment, sheet.options
    if not sheet.experiment:
        return {"p": "unknown", "n": "unknown"}, {}, sheet.options
    return sheet.dataset, {**sheet.experiment, "stratified": "unknown", "aggregation": "unknown"}, sheet.options


def _specification(made: Paper, said: Callable[[Sheet], Said], *, claims: bool) -> dict[str, Any]:
    spec: dict[str, Any] = {"title": made.place, "datasets": {}, "experiments": {}, "tables": [], "claims": []}
    for number, sheet in enumerate(made.sheets, 1):
        dataset, experiment, options = said(sheet)
        table: dict[str, Any] = {"name": f"Table {number}", "file": str(made.file), "table": number}
        if made.format == "csv with decimal commas":
            table["decimal_comma"] = True
        if dataset is not None and experiment is not None:
            spec["datasets"][f"data {number}"] = dataset
            spec["experiments"][f"experiment {number}"] = {"dataset": f"data {number}", **experiment}
            table["experiment"] = f"experiment {number}"
        if options:
            table["options"] = options
        spec["tables"].append(table)
        if claims:
            spec["claims"] += [{**claim, "table": f"Table {number}"} for claim in sheet.claims]
    return {key: value for key, value in spec.items() if value}


def judge_paper(seed: int, index: int, budget: float = BUDGET) -> Tally:
    """One honest document, audited in every way that is true of it."""
    tally = Tally()
    with tempfile.TemporaryDirectory() as folder:
        made = paper(seed, index, Path(folder))
        for name, specification in made.specifications.items():
            try:
                result = sp.audit(specification, jobs=1, budget=budget, explain=False, strength=False)
            except sp.ScoreproofError as error:
                tally.asked["refused"] += 1
                tally.refused[f"{made.format}: {_without_folder(str(error), folder)[:160]}"] += 1
                continue
            _count(tally, made, name, result)
    return tally


def _without_folder(words: str, folder: str) -> str:
    return words.replace(folder, "")


def _count(tally: Tally, made: Paper, name: str, result: Any) -> None:
    for number, (sheet, table) in enumerate(zip(made.sheets, result.tables, strict=False)):
        for row in table.rows:
            tally.asked[f"row {row.outcome}"] += 1
            if str(row.outcome) == "inconsistent":
                grid = smaller(sheet, row.label, made.specifications[name], number)
                said = f"{row.label}: {row.scores} ({'; '.join(one.label for one in row.readings[:4])})"
                tally.failures.append(_failure(made, sheet, name, f"row: {peculiar(sheet, grid)}", said, grid))
            elif str(row.outcome) == "error":
                tally.refused[f"{made.format} row: {row.error[:120]}"] += 1
        for check in table.checks:
            tally.asked[f"check {check.verdict}"] += 1
            if check.verdict == "inconsistent":
                tally.failures.append(_failure(made, sheet, name, f"check {check.kind}", check.words))
    for claim in result.claims:
        tally.asked[f"claim {claim.holds}"] += 1
        if claim.holds is False:
            tally.failures.append(_failure(made, made.sheets[0], name, "claim", f"{claim.text}: {claim.words}"))


def _failure(
    made: Paper, sheet: Sheet, specification: str, what: str, words: str, grid: list[list[str]] | None = None
) -> Failure:
    lines = [f"[{made.place}] {made.format}, {specification}: {words}"]
    lines.append(
        f"    {sheet.kind} by {sheet.tool}, printed by {sheet.printer}; {sheet.dataset} {sheet.experiment} {sheet.make}"
    )
    shown = grid or [sheet.header, *([cell.text for cell in row] for row in sheet.rows[:12])]
    lines += [f"    | {' | '.join(row)} |" for row in shown]
    return Failure(made.place, (f"{sheet.kind}, {what}", made.format, specification), "\n".join(lines))
