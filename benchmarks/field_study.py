"""Real documents, audited: how many rows are really tested, and every accusation listed for a person to judge.

    python -m benchmarks.field_study FOLDER [--half A] [--out FOLDER] [--processes 2]

``FOLDER`` holds the documents of ``docs/field-study.csv``, each at ``half/format/...``: the column ``file`` of its own
``list.csv``, which has the columns of the study's list as well. Audits are kept in ``--out`` and not run again. The
figures go to standard output as tables; what is inconsistent or a question stands in ``accused.csv`` with its words and
an empty column ``judged`` (true, false, open), which is counted where it is filled in.
"""

from __future__ import annotations

import argparse
import csv
import json
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

TESTED = {"consistent", "inconsistent", "question"}
ACCUSED = {"inconsistent", "question"}
FIELDS = ("half", "format", "field", "file", "table", "outcome", "sort", "row", "words", "judged")


def audited(document: Path, kept: Path) -> dict[str, Any]:
    """The audit of a document as JSON, kept; or what went wrong."""
    if not kept.exists():
        kept.parent.mkdir(parents=True, exist_ok=True)
        command = [sys.executable, "-m", "scoreproof", "audit", str(document), "--json", "--jobs", "1"]
        ran = subprocess.run(
            [*command, "--out", str(kept.with_suffix(""))], capture_output=True, text=True, check=False, timeout=900
        )
        try:
            answer = json.loads(ran.stdout)
        except ValueError:
            answer = {"error": (ran.stderr or ran.stdout)[-300:]}
        kept.write_text(json.dumps({"status": ran.returncode, "answer": answer}), encoding="utf-8")
    result: dict[str, Any] = json.loads(kept.read_text(encoding="utf-8"))
    return result


def accusations(answer: dict[str, Any]) -> Iterator[dict[str, str]]:
    """Rows and comparisons of an audit that are inconsistent or a question."""
    for table in answer.get("tables", ()):
        for row in table["rows"]:
            if row["outcome"] in ACCUSED:
                told = next((one for one in row["readings"] if one["answer"]["verdict"] == "inconsistent"), None)
                cells = " ".join(f"{cell['score']}={cell['raw']}" for cell in row["cells"])
                words = f"{cells}; {'' if told is None else told['answer']['reason']} {' '.join(row['notes'])}"
                sort = (
                    "" if told is None else told["answer"]["statement"]["kind"] if "statement" in told["answer"] else ""
                )
                yield {
                    "table": table["name"],
                    "outcome": row["outcome"],
                    "sort": sort,
                    "row": row["label"],
                    "words": words,
                }
        for check in table["checks"]:
            if check["answer"]["verdict"] == "inconsistent":
                yield {"table": table["name"], "outcome": "inconsistent", "sort": check.get("sort", ""),
                       "row": check["what"], "words": check["words"]}  # fmt: skip


def counted(answer: dict[str, Any], tally: Counter[str]) -> None:
    """Rows printed and rows tested; a comparison of a table tests the rows that it is of."""
    for table in answer.get("tables", ()):
        tally["tables"] += 1
        for row in table["rows"]:
            tally["rows"] += 1
            tally["tested"] += row["outcome"] in TESTED
            tally[row["outcome"]] += 1
        tally["comparisons"] += len(table["checks"])


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--half", default="")
    parser.add_argument("--out", type=Path, default=Path("field-study"))
    parser.add_argument("--processes", type=int, default=2)
    given = parser.parse_args(arguments)
    with (given.folder / "list.csv").open(encoding="utf-8") as lines:
        documents = [line for line in csv.DictReader(lines) if given.half in ("", line["half"])]
    places = [
        (given.folder / line["file"], given.out / (line["file"].replace("/", "__") + ".json")) for line in documents
    ]
    with ThreadPoolExecutor(given.processes) as pool:
        records = list(pool.map(lambda place: audited(*place), places))
    by: dict[str, dict[str, Counter[str]]] = {name: defaultdict(Counter) for name in ("half", "format", "field")}
    listed = []
    for line, record in zip(documents, records, strict=True):
        answer = record["answer"]
        found = list(accusations(answer))
        listed += [{**{name: line[name] for name in FIELDS[:4]}, **each} for each in found]
        for name, groups in by.items():
            tally = groups[line[name]]
            tally["documents"] += 1
            tally["not read"] += "error" in answer
            tally["nothing tested"] += record["status"] == 5
            counted(answer, tally)
            tally["accused outright"] += sum(each["outcome"] == "inconsistent" for each in found)
            tally["asked about"] += sum(each["outcome"] == "question" for each in found)
    columns = ("documents", "not read", "tables", "rows", "tested", "nothing tested", "accused outright", "asked about")
    for name, groups in by.items():
        print(f"\n| {name} | {' | '.join(columns)} |\n|{'---|' * (len(columns) + 1)}")
        for group, tally in sorted(groups.items()):
            print(f"| {group} | {' | '.join(str(tally[column]) for column in columns)} |")
    with (given.out / "accused.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, FIELDS)
        writer.writeheader()
        writer.writerows(listed)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
