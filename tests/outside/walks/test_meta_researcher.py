"""A meta-researcher with a table of reports: verdicts and findings as CSV in one step, a proof in the second."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from tests.outside.walks.steps import Walk, scores

WRONG = {7: ("sens", "0.871"), 61: ("spec", "0.746")}
SENTENCES = {
    7: "sens 0.871 is not possible with 96 positives: 83 of 96 is 0.865, 84 of 96 is 0.875",
    61: "spec 0.746 is not possible with 104 negatives: 77 of 104 is 0.740, 78 of 104 is 0.750",
}


def test_a_table_of_reports(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    reports, out, verdicts = tmp_path / "reports.csv", tmp_path / "out", tmp_path / "verdicts.csv"
    with reports.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["study", "p", "n", "acc", "sens", "spec"])
        for number in range(1, 101):
            row = scores(40 + number % 50, 60 + number % 40)
            if number in WRONG:
                name, printed = WRONG[number]
                row[name] = printed
            writer.writerow([f"study {number % 9}", 96, 104, *row.values()])
    walk = Walk(tmp_path)
    read = walk.run("batch", reports, out, "--explain", "--csv", verdicts, status=1)
    assert "100 rows, 2 inconsistent, 98 consistent" in read
    with verdicts.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    refuted = {int(row["row"]): row["finding"] for row in rows if row["verdict"] != "consistent"}
    assert set(refuted) == set(WRONG), "no honest row is accused"
    for number, sentence in SENTENCES.items():
        assert refuted[number].startswith(sentence)
        assert "would fit" in refuted[number], "the nearest repair"
    assert all(row["finding"] == "" for row in rows if row["verdict"] == "consistent")
    assert walk.run("batch", out, "--proof", 7, status=0).startswith("valid")
    assert len(walk.steps) == 2
