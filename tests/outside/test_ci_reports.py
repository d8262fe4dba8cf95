"""Hooks, the action, SARIF and annotations: what machines get of an audit."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.outside.test_audit_command import MAIN, ROOT, command, specification

from scoreproof.cli.reports import job_summary, workflow_commands
from scoreproof.findings.collection import PaperLine


def test_the_hooks_run_on_what_they_are_for(tmp_path: Path) -> None:
    specified, papers = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    assert [specified["id"], papers["id"]] == ["scoreproof-audit", "scoreproof-tables"]
    assert {shlex.split(hook["entry"])[0] for hook in (specified, papers)} == {"scoreproof"}
    file = specification(tmp_path)
    assert re.search(specified["files"], file.name)
    done = command(*shlex.split(specified["entry"])[1:], file)
    assert done.returncode == 1
    assert "2 of 2 result rows tested: 1 finding." in done.stdout
    (tmp_path / "README.md").write_text("# Notes\n\nNothing here.\n", encoding="utf-8")
    assert re.search(papers["files"], "README.md")
    done = command(*shlex.split(papers["entry"])[1:], tmp_path / "README.md")
    assert done.returncode == 0, "a file without tables does not stop a commit"
    assert "no table was found" in done.stdout
    assert not list(tmp_path.glob("README.audit*")), "a hook writes nothing"


def test_the_script_of_the_action_reports_the_findings(tmp_path: Path) -> None:
    action = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
    assert all("uses" in step or step["shell"] == "bash" for step in action["runs"]["steps"])
    (step,) = [one for one in action["runs"]["steps"] if one.get("id") == "audit"]
    assert set(step["env"]) == {"PAPERS", "OUT", "SARIF", "FAIL_ON"}
    tool = tmp_path / "scoreproof"
    tool.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -c {shlex.quote(MAIN)} "$@"\n', encoding="utf-8")
    tool.chmod(0o755)
    grid = [["Method", "Acc", "Sens", "Spec"], ["A", "0.820", "0.875", "0.769"], ["B", "0.820", "0.871", "0.769"]]
    stated = {"datasets": {"cases": {"p": 96, "n": 104}}, "tables": [{"grid": grid, "experiment": "test"}]}
    paper = specification(tmp_path, **stated)
    (tmp_path / "papers").mkdir()
    (tmp_path / "papers" / "notes.md").write_text("# Notes\n", encoding="utf-8")
    environment = {
        **os.environ,
        "PATH": f"{tmp_path}:{os.environ['PATH']}",
        "PAPERS": f"{paper}\npapers/*.md",
        "OUT": "reports",
        "SARIF": "findings.sarif",
        "FAIL_ON": "inconsistent",
        "GITHUB_OUTPUT": str(tmp_path / "output"),
        "GITHUB_STEP_SUMMARY": str(tmp_path / "summary.md"),
    }
    done = subprocess.run(
        ["bash", "-e", "-c", step["run"]], env=environment, capture_output=True, text=True, check=False, cwd=tmp_path
    )
    assert done.returncode == 1, done.stderr
    assert (tmp_path / "output").read_text(encoding="utf-8").splitlines()[-1] == "verdict=inconsistent"
    sentence = "Sens 0.871 is not possible with 96 positives: 83 of 96 is 0.865, 84 of 96 is 0.875."
    assert re.search(rf"^::error file=[^:]*,title=scoreproof: inconsistent::.*{re.escape(sentence)}", done.stdout, re.M)
    assert sentence in (tmp_path / "summary.md").read_text(encoding="utf-8")
    assert (tmp_path / "reports" / "index.html").is_file()
    log = json.loads((tmp_path / "findings.sarif").read_text(encoding="utf-8"))
    check_sarif(log)
    assert [result["ruleId"] for result in log["runs"][0]["results"]] == ["inconsistent", "error"]
    assert sentence in log["runs"][0]["results"][0]["message"]["text"]
    asked = (
        "The test set has 96 positive and 104 negative cases.\n\n| Method | Acc | Sens | Spec |\n|---|---|---|---|\n"
    )
    for values, verdict in (("0.820 | 0.871 | 0.769", "question"), ("0.820 | 0.875 | 0.769", "consistent")):
        (tmp_path / "papers" / "notes.md").write_text(f"{asked}| A | 0.820 | 0.875 | 0.769 |\n| B | {values} |\n")
        alone = {**environment, "PAPERS": "papers/notes.md"}
        done = subprocess.run(
            ["bash", "-e", "-c", step["run"]], env=alone, capture_output=True, check=False, cwd=tmp_path
        )
        assert done.returncode == 0, "which only an inconsistency fails"
        assert (tmp_path / "output").read_text(encoding="utf-8").splitlines()[-1] == f"verdict={verdict}"


def check_sarif(log: dict[str, Any]) -> None:
    """What the schema of SARIF 2.1.0 requires of what we write, and the words it allows."""
    assert log["version"] == "2.1.0"
    for run in log["runs"]:
        driver = run["tool"]["driver"]
        assert driver["name"]
        rules = [rule["id"] for rule in driver["rules"]]
        assert len(set(rules)) == len(rules)
        for result in run["results"]:
            assert result["ruleId"] in rules
            assert result["level"] in ("none", "note", "warning", "error")
            assert result["message"]["text"]
            for location in result["locations"]:
                place = location["physicalLocation"]
                assert " " not in place["artifactLocation"]["uri"]
                assert place.get("region", {"startLine": 1})["startLine"] >= 1


def test_what_a_paper_says_is_no_command_to_github(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A line that begins with two colons is obeyed, whoever wrote it, and ##[...] anywhere in a line."""
    command, old = "::set-output name=verdict::consistent", "##[set-output name=verdict;]consistent"
    grid = [["Method", "Acc", "Sens", "Spec"], [command, "0.913", "0.80", "0.70"], [old, "0.753", "0.80", "0.70"]]
    stated = {"title": command, "datasets": {"cases": {"p": 40, "n": 60}}, "tables": [{"name": old, "grid": grid}]}
    paper = specification(tmp_path, **stated, experiments={"test": {"dataset": "cases"}})
    nameless = tmp_path / f"{old}.md"
    nameless.write_text("no table", encoding="utf-8")
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    for words in (
        ["audit", str(paper), "--annotate", "--no-explain"],
        ["audit", str(paper), "--json"],
        ["audit", str(nameless)],
        ["audit", str(tmp_path), "--annotate", "--out", str(tmp_path / "out")],
        ["tables", str(nameless)],
    ):
        done = subprocess.run([sys.executable, "-c", MAIN, *words], capture_output=True, text=True, check=False)
        lines = (done.stdout + done.stderr).splitlines()
        assert lines
        obeyed = [line for line in lines if line.strip().startswith("::")]
        assert all(line.startswith(("::error file=", "::warning file=", "::notice file=")) for line in obeyed), obeyed
        assert not [line for line in lines if "##[" in line and line not in obeyed]


def test_annotations_escape_what_github_would_obey() -> None:
    finding = {"verdict": "question", "review": "50% of\n::error::x", "line": 3}
    line = PaperLine("a,b:c.md", "undecided", findings=(finding,))
    (said,) = workflow_commands([line])
    assert said == "::warning file=a%2Cb%3Ac.md,line=3,title=scoreproof: question::50%25 of�::error::x"
    (said,) = workflow_commands([PaperLine("a\x1b[31m\udcff.md", "error", error="no table")])
    assert said == "::notice file=a�[31m�.md,title=scoreproof: error::no table"
    assert "\\|" in job_summary([PaperLine("a|b.md", "error", error="no <table>")])
