"""Real documents, audited: how many rows are really tested, and every accusation listed for a person to judge.

    python -m benchmarks.field_study FOLDER [--half A] [--out FOLDER] [--processes 2] [--judged FILE]

``FOLDER`` holds the documents of ``docs/field-study.csv``, each at ``half/format/...``: the column ``file`` of its own
``list.csv``, which has the columns of the study's list as well. Audits are kept in ``--out`` and not run again. The
figures go to standard output as tables; what is inconsistent or a question stands in ``accused.csv`` with its words.
``--judged`` is a copy of it whose column ``judged`` a person filled in (true, false, open): then these are counted.

A row is printed if it stands below a header and has a number with decimals or a percent sign, tested if a test that
could have failed was made of it, by itself or as a line of a relation that the table bears out.
"""

from __future__ import annotations

import argparse
import csv
import json
import re
import statistics
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from scoreproof.errors import ScoreproofError
from scoreproof.papers.auditing import audit

TESTED = {"consistent", "inconsistent", "question"}
FIELDS = ("half", "format", "field", "file", "table", "outcome", "sort", "row", "words", "judged")
COLUMNS = ("documents", "not read", "tables", "rows printed", "rows tested", "nothing tested", "outright", "questions")
JUDGED = tuple(f"{outcome} {word}" for outcome in ("outright", "question") for word in ("true", "false", "open"))
_SCORE = re.compile(r"\d[.,]\d|\d\s*\\?%")
Accusation = dict[str, str]


def audited(document: Path, kept: Path) -> dict[str, Any]:
    """The audit of a document as JSON with its processor time, kept; or what went wrong."""
    if not kept.exists():
        start = time.process_time()
        try:
            answer = json.loads(audit(document, jobs=1).to_json())
        except ScoreproofError as error:
            answer = {"error": str(error)[-300:]}
        record = {"seconds": round(time.process_time() - start, 3), "answer": answer}
        kept.write_text(json.dumps(record), encoding="utf-8")
    result: dict[str, Any] = json.loads(kept.read_text(encoding="utf-8"))
    return result


def accusations(answer: Mapping[str, Any]) -> Iterator[Accusation]:
    """What is called inconsistent (rows, comparisons, claims), and the questions: one for all rows with one cause."""
    for table in answer.get("tables", ()):
        asked = {number for question in table["questions"] for number in question["rows"]}
        for row in table["rows"]:
            if row["outcome"] == "inconsistent" or (row["outcome"] == "question" and row["row"] not in asked):
                outcome = "outright" if row["outcome"] == "inconsistent" else "question"
                yield _accusation(table, outcome, _kind(row), row["label"], _words(row))
        for check in table["checks"]:
            if check["answer"]["verdict"] == "inconsistent":
                yield _accusation(table, "outright", check.get("sort") or "comparison", check["what"], check["words"])
        for question in table["questions"]:
            about = [row for row in table["rows"] if row["row"] in question["rows"]]
            words = f"{question['condition']} ({question['passing']} fit); {' | '.join(map(_words, about))}"
            yield _accusation(table, "question", _kind(about[0]) if about else "", "; ".join(question["names"]), words)
    for claim in answer.get("claims", ()):
        recheck = claim.get("recheck") or {}
        if recheck.get("verdict") == "impossible":
            words = f"{claim.get('words', '')} {recheck.get('words', '')}"
            yield {"table": "", "outcome": "outright", "sort": "claim", "row": claim.get("text", ""), "words": words}


def _accusation(table: Mapping[str, Any], outcome: str, sort: str, row: str, words: str) -> Accusation:
    return {"table": table["name"], "outcome": outcome, "sort": sort, "row": row, "words": words}


def _failing(row: Mapping[str, Any]) -> Mapping[str, Any]:
    return next((reading for reading in row["readings"] if reading["verdict"] == "inconsistent"), {})


def _kind(row: Mapping[str, Any]) -> str:
    return str(_failing(row).get("kind", ""))


def _words(row: Mapping[str, Any]) -> str:
    cells = " ".join(f"{cell['score']}={cell['raw']}" for cell in row["cells"])
    return f"{row['label']}: {cells}; {_failing(row).get('reason', '')} {' '.join(row['notes'])}"


def sorts_of_rows(table: Mapping[str, Any]) -> dict[int, set[str]]:
    """By printed row, the sorts of tests that were made of it and could have failed."""
    grid = table["table"]
    sorts: dict[int, set[str]] = {
        number: set()
        for number, row in enumerate(grid["rows"])
        if number >= grid["header_rows"] and any(map(_SCORE.search, row))
    }
    for row in table["rows"]:
        if row["outcome"] in TESTED:
            kinds = {reading["kind"] for reading in row["readings"]} - {"relation"}
            sorts.setdefault(row["row"], set()).update(f"scores together: {kind}" for kind in kinds)
    for check in table["checks"]:
        for number in check["rows"]:
            if number in sorts:
                sorts[number].add(f"between cells: {check.get('sort') or 'comparison'}")
    return sorts


def counted(record: Mapping[str, Any], tally: Counter[str], sorts: Counter[str]) -> None:
    """Rows printed and tested of one document, by sort of test."""
    answer = record["answer"]
    tally["documents"] += 1
    tally["not read"] += "error" in answer
    rows = [tests for table in answer.get("tables", ()) for tests in sorts_of_rows(table).values()]
    tally["tables"] += len(answer.get("tables", ()))
    tally["rows printed"] += len(rows)
    tally["rows tested"] += sum(map(bool, rows))
    tally["nothing tested"] += not any(rows)
    for tests in rows:
        sorts.update(tests)


def _key(entry: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(entry[name] for name in ("file", "table", "outcome", "row"))


def _judgements(path: Path | None) -> dict[tuple[str, ...], str]:
    if path is None:
        return {}
    with path.open(encoding="utf-8") as lines:
        return {_key(entry): entry["judged"] for entry in csv.DictReader(lines)}


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--half", default="")
    parser.add_argument("--out", type=Path, default=Path("field-study"))
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--judged", type=Path, default=None)
    given = parser.parse_args(arguments)
    with (given.folder / "list.csv").open(encoding="utf-8") as lines:
        documents = [line for line in csv.DictReader(lines) if given.half in ("", line["half"])]
    places = [
        (given.folder / line["file"], given.out / (line["file"].replace("/", "__") + ".json")) for line in documents
    ]
    given.out.mkdir(parents=True, exist_ok=True)
    with ProcessPoolExecutor(given.processes, mp_context=get_context("spawn")) as pool:
        records = list(pool.map(audited, *zip(*places, strict=True)))
    judged = _judgements(given.judged)
    by: dict[str, dict[str, Counter[str]]] = {name: defaultdict(Counter) for name in ("half", "format", "field")}
    sorts: dict[str, Counter[str]] = defaultdict(Counter)
    listed = []
    for line, record in zip(documents, records, strict=True):
        entries = [{**line, **entry} for entry in accusations(record["answer"])]
        for entry in entries:
            entry["judged"] = judged.get(_key(entry), "")
            listed.append({name: entry[name] for name in FIELDS})
        for name, groups in by.items():
            tally = groups[line[name]]
            counted(record, tally, sorts[line[name]])
            tally["outright"] += sum(entry["outcome"] == "outright" for entry in entries)
            tally["questions"] += sum(entry["outcome"] == "question" for entry in entries)
            tally.update(f"{entry['outcome']} {entry['judged']}" for entry in entries if entry["judged"])
    columns = (*COLUMNS, *(JUDGED if judged else ()))
    for name, groups in by.items():
        _print_table(name, columns, groups)
    _print_table("sort of test", sorted(by["half"]), _turned({half: sorts[half] for half in by["half"]}))
    seconds = [record["seconds"] for record in records]
    print(
        f"\nprocessor seconds a document: median {statistics.median(seconds):.1f}, mean {statistics.mean(seconds):.1f}"
    )
    with (given.out / "accused.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, FIELDS)
        writer.writeheader()
        writer.writerows(listed)
    return 0


def _turned(groups: Mapping[str, Counter[str]]) -> dict[str, Counter[str]]:
    turned: dict[str, Counter[str]] = defaultdict(Counter)
    for name, tally in groups.items():
        for key, count in tally.items():
            turned[key][name] = count
    return turned


def _print_table(name: str, columns: tuple[str, ...] | list[str], groups: Mapping[str, Counter[str]]) -> None:
    print(f"\n| {name} | {' | '.join(columns)} |\n|{'---|' * (len(columns) + 1)}")
    for group, tally in sorted(groups.items()):
        print(f"| {group} | {' | '.join(str(tally[column]) for column in columns)} |")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
