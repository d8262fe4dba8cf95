"""A document does not stop its own audit: what goes wrong in one table stands in its place, the others are audited."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from scoreproof.cli.app import main

PAPER = """# Results

The test set has 300 cases, 38 of them positive.

Table 1: Odd.

| Method | Acc | Sens | Spec |
|---|---|---|---|
| odd | 0.9033 | 0.5263 | 0.9580 |

Table 2: Ours.

| Method | Acc | Sens | Spec |
|---|---|---|---|
| A | 0.9033 | 0.5263 | 0.9580 |
| **B** | **0.9500** | 0.9211 | 0.9542 |
| C | 0.9400 | 0.8947 | 0.9466 |
| D | 0.9300 | 0.8684 | 0.9389 |
| E | 0.9999 | 0.1000 | 0.2000 |
"""

#: The same with sizes that are known, so that rows are inconsistent outright.
SPECIFICATION = """
datasets: {d: {p: 38, n: 262}}
experiments: {e: {dataset: d}}
tables:
- {name: first, caption: Odd, experiment: e, grid: [[Method, Acc, Sens, Spec], [odd, "0.9999", "0.1000", "0.2000"]]}
- {name: second, experiment: e, grid: [[Method, Acc, Sens], [A, "0.9033", "0.5263"], [B, "0.9999", "0.1000"]]}
"""


def is_odd(value: Any) -> bool:
    """Whether a table, an interpretation, a row or a list of such is of the first table."""
    if isinstance(value, (list, tuple)):
        return any(map(is_odd, value))
    if any(map(is_odd, getattr(value, "rows", ()))):
        return True
    table = getattr(value, "table", value)
    return getattr(value, "label", "") == "odd" or "Odd" in str(getattr(table, "caption", ""))


def audited(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> tuple[int, Any, str]:
    with pytest.raises(SystemExit) as ended:
        main(["audit", *arguments, "--json", "--jobs", "1"])
    said = capsys.readouterr()
    return int(str(ended.value.code)), json.loads(said.out), said.err


@pytest.mark.parametrize(
    "place",
    [
        "collecting.interpret", "plan.RowRules", "plan.checks_inside", "plan._Planner._task", "task._asked", "task._finished", "auditing.weighed",
        "auditing._fits_all", "auditing.explain_table", "run.explanation", "auditing.with_relations", "collecting.proposals", "collecting.of_parts",
    ],
)  # fmt: skip
def test_a_fault_stays_where_it_is(
    place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    import importlib

    module, *names = place.split(".")
    owner: Any = importlib.import_module(f"scoreproof.papers.{module}")
    for name in names[:-1]:
        owner = getattr(owner, name)
    true, met = getattr(owner, names[-1]), []
    anywhere = place in ("auditing.with_relations", "collecting.proposals")  # of no single table

    def breaking(*given: Any, **named: Any) -> Any:
        if (anywhere and not met) or any(map(is_odd, given)) or (place == "task._asked" and "0.1000" in str(given)):
            met.append(place)
            raise ZeroDivisionError("Fraction(1, 0)")
        return true(*given, **named)

    of_paper = module == "collecting" or place in ("auditing.weighed", "auditing.with_relations")
    file = tmp_path / ("paper.md" if of_paper else "paper.yaml")
    file.write_text(PAPER if of_paper else SPECIFICATION, "utf-8")
    before, whole, _ = audited([str(file)], capsys)
    assert before in (1, 3)
    monkeypatch.setattr(owner, names[-1], breaking)
    status, said, told = audited([str(file)], capsys)
    assert met
    assert status == 4
    assert "internal error (ZeroDivisionError" in json.dumps(said) + told
    first, second = (table["rows"] for table in said["tables"])
    assert len(first) == 1
    if place not in ("collecting.proposals", "task._asked"):
        assert [row["outcome"] for row in second] == [row["outcome"] for row in whole["tables"][1]["rows"]]
    assert "Traceback" not in told


def test_headings_and_keys_that_once_stopped_an_audit(tmp_path: Path) -> None:
    odd = tmp_path / "odd.md"
    odd.write_text(PAPER.replace("| Method | Acc | Sens | Spec |", "| Method | F1/0 | F0/0 | F0 |", 1), "utf-8")
    keyed = tmp_path / "keyed.yaml"
    keyed.write_text(
        "datasets: {d: {p: 38, n: 262}}\nexperiments: {e: {dataset: d}}\ntables:\n- grid: [[M, Acc], [A, '0.9033']]\n"
        f"  experiment: e\n  columns:\n    ? '{'9' * 5000}'\n    : acc\n",
        "utf-8",
    )
    counted = tmp_path / "counted.md"  # counts that contradict each other are a problem without a claim
    counted.write_text(
        "| Method | Micro F1 | Weighted F1 | PPV | Cases | N |\n|---|---|---|---|---|---|\n"
        "| A | 0 | 0.665 (0.189-0.642) | 0.430 ± 0.018 | 1 | 50 |\n| B | 0.38 | 0.082 | 100 | 0.5957 | 0.648 |\n",
        "utf-8",
    )
    for file, status, words in ((odd, 3, "Table 2"), (keyed, 2, "columns"), (counted, 5, "Table 1")):
        done = subprocess.run(
            [sys.executable, "-m", "scoreproof", "audit", str(file)], capture_output=True, text=True, check=False
        )
        assert done.returncode == status, done.stderr
        assert words in done.stdout + done.stderr
        assert "internal error" not in done.stdout + done.stderr
        assert len(done.stderr) < 1000
