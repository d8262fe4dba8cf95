"""An editor with forty papers: one command, and the index says in its first line which paper to write to, and why."""

from __future__ import annotations

import csv
import re
from html import unescape
from pathlib import Path

from tests.outside.walks.steps import Walk, scores

WRONG = {"submission-17": ("GNN", "0.871")}  # a sensitivity of 96 positives
SENTENCE = "Sensitivity 0.871 is not possible with 96 positives: 83 of 96 is 0.865, 84 of 96 is 0.875"


def paper(name: str, first: int) -> str:
    rows = {label: scores(first + 3 * place, 78 + place) for place, label in enumerate(("SVM", "CNN", "GNN"))}
    if name in WRONG:
        label, printed = WRONG[name]
        rows[label]["sens"] = printed
    lines = [f"| {label} | {row['acc']} | {row['sens']} | {row['spec']} |" for label, row in rows.items()]
    return "\n".join([
        f"# A classifier, {name}", "", "The test set has 96 positive and 104 negative cases.", "",
        "Table 1: Results on the test set.", "", "| Method | Accuracy | Sensitivity | Specificity |", "|---|---|---|---|", *lines, "",
    ])  # fmt: skip


def test_forty_papers(tmp_path: Path) -> None:
    folder, out = tmp_path / "submissions", tmp_path / "reports"
    folder.mkdir()
    for number in range(40):
        name = f"submission-{number:02d}"
        (folder / f"{name}.md").write_text(paper(name, 70 + number % 12), encoding="utf-8")
    walk = Walk(tmp_path)
    read = walk.run("audit", folder, "--out", out, "--jobs", 1, status=3)
    assert "40 papers: 1 with a question, 39 consistent" in read
    page = unescape((out / "index.html").read_text(encoding="utf-8"))
    first = re.sub(r"<[^>]+>", " ", page[page.index("<tbody>") :].split("</tr>")[0])
    assert "submission-17" in first
    assert SENTENCE in first
    assert 'id="filter"' in page
    with (out / "findings.csv").open(encoding="utf-8-sig", newline="") as file:
        findings = list(csv.DictReader(file))
    assert [(Path(finding["paper"]).stem, finding["rows"]) for finding in findings] == [("submission-17", "GNN")]
    assert findings[0]["finding"] == SENTENCE
    assert findings[0]["review"].startswith(f"Table 1, GNN: {SENTENCE}.")
    with (out / "rows.csv").open(encoding="utf-8-sig", newline="") as file:
        accused = [row for row in csv.DictReader(file) if row["verdict"] in ("inconsistent", "question")]
    assert [row["row"] for row in accused] == ["GNN"], "no honest row is accused"
    assert (out / "submission-17.audit.html").is_file()
    assert len(walk.steps) == 1
