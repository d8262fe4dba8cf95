"""What a project is joined by: citation, workflows, templates, the lowest versions, and a wheel that works on its own."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path
from typing import Any

import pytest
import yaml

import scoreproof as sp
import scoreproof_verify

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
TEMPLATES = sorted(path for path in (ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml") if path.stem != "config")


def read(path: Path) -> Any:
    return yaml.safe_load(path.read_text(encoding="utf-8"))


def steps(workflow: dict[str, Any]) -> list[dict[str, Any]]:
    return [step for job in workflow["jobs"].values() for step in job["steps"]]


def test_the_citation_is_well_formed_and_of_this_version() -> None:
    """The keys that the Citation File Format 1.2.0 asks for, its types of references, and no others."""
    citation = read(ROOT / "CITATION.cff")
    assert {"cff-version", "message", "title", "authors"} <= set(citation)
    assert set(citation) <= {
        "abstract", "authors", "cff-version", "contact", "date-released", "doi", "identifiers", "keywords", "license",
        "message", "preferred-citation", "references", "repository-code", "title", "type", "url", "version",
    }  # fmt: skip
    assert citation["cff-version"] == "1.2.0"
    assert citation["type"] in ("software", "dataset")
    assert citation["version"] == sp.__version__
    assert citation["license"] == "MIT"
    for reference in [citation, *citation["references"]]:
        assert reference["authors"]
        assert all(set(author) in ({"name"}, {"family-names", "given-names"}) for author in reference["authors"])
    for reference in citation["references"]:
        assert reference["type"] == "article"
        assert re.fullmatch(r"10\.\d{4,9}/\S+", reference["doi"])
        assert reference["doi"] in (ROOT / "README.md").read_text(encoding="utf-8")


def test_workflows_run_what_the_makefile_has() -> None:
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M))
    called = {
        target
        for path in WORKFLOWS
        for step in steps(read(path))
        for target in re.findall(r"\bmake (\w+)", step.get("run", ""))
    }
    assert called == {"test", "wheel", "docs", "coverage", "lint"}
    assert called <= targets


def test_every_declared_python_is_tested_and_so_are_the_lowest_versions() -> None:
    matrix = read(ROOT / ".github" / "workflows" / "test.yml")["jobs"]["test"]["strategy"]["matrix"]
    declared = {line.rpartition(" ")[2] for line in PROJECT["classifiers"] if re.search(r"Python :: 3\.\d+$", line)}
    assert declared <= set(matrix["python"])
    assert matrix["python"][0] == PROJECT["requires-python"].removeprefix(">=")
    assert [entry["dependencies"] for entry in matrix["include"]] == ["lowest"]


def test_a_release_is_checked_and_needs_no_token() -> None:
    release = read(ROOT / ".github" / "workflows" / "release.yml")
    assert release["jobs"]["publish"]["permissions"] == {"id-token": "write"}
    assert release["jobs"]["publish"]["needs"] == "build"
    said = "".join(step.get("run", "") for step in steps(release))
    assert "twine check" in said
    assert "secrets." not in (ROOT / ".github" / "workflows" / "release.yml").read_text(encoding="utf-8")


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_workflows_may_do_no_more_than_they_need(path: Path) -> None:
    workflow = read(path)
    assert workflow["permissions"] == {"contents": "read"}
    assert all("timeout-minutes" in job or len(job["steps"]) <= 2 for job in workflow["jobs"].values())


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.stem)
def test_issue_templates_ask_for_something(path: Path) -> None:
    template = read(path)
    assert {"name", "description", "body"} <= set(template)
    assert any(part.get("validations", {}).get("required") for part in template["body"])
    assert len({part["id"] for part in template["body"]}) == len(template["body"])


def test_hooks_of_developers_run_what_the_tests_run() -> None:
    (repository,) = read(ROOT / ".pre-commit-config.yaml")["repos"]
    assert repository["repo"] == "local"
    assert {hook["id"] for hook in repository["hooks"]} == {"ruff-check", "ruff-format", "mypy", "documentation"}


def test_the_lowest_versions_are_those_declared() -> None:
    subprocess.run([sys.executable, "-m", "doctest", ROOT / "tools" / "lowest.py"], check=True)
    printed = subprocess.run([sys.executable, ROOT / "tools" / "lowest.py"], capture_output=True, text=True, check=True)
    lowest = dict(line.split("==") for line in printed.stdout.splitlines())
    for line in [
        *PROJECT["dependencies"],
        *(each for lines in PROJECT["optional-dependencies"].values() for each in lines),
    ]:
        name, floor = re.match(r"([\w.-]+)(?:\[.*?\])?(?:>=([\d.]+))?", line).groups()  # type: ignore[union-attr]
        assert floor is None or lowest[name] == floor
    assert {"numpy", "scipy", "pydantic", "sphinx"} <= set(lowest)


def test_the_verifier_has_the_same_version_and_asks_for_nothing() -> None:
    assert scoreproof_verify.__version__ == sp.__version__
    assert f"scoreproof-verify=={sp.__version__}" in PROJECT["dependencies"]
    own = tomllib.loads((ROOT / "verify" / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert own["dependencies"] == []
    assert "optional-dependencies" not in own
    assert own["requires-python"] == PROJECT["requires-python"]


def built(source: Path, folder: Path) -> Path:
    """The wheel of a distribution."""
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(build, cwd=source, check=True, capture_output=True)
    (file,) = folder.glob("*.whl")
    return file


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built(ROOT, tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def verifier_wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built(ROOT / "verify", tmp_path_factory.mktemp("verifier"))


def test_the_wheel_holds_everything_that_the_source_does(wheel: Path) -> None:
    inside = {name for name in zipfile.ZipFile(wheel).namelist() if name.startswith("scoreproof/")}
    source = ROOT / "src"
    kept = {
        str(path.relative_to(source))
        for path in (source / "scoreproof").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert inside == kept
    assert {Path(name).suffix for name in inside} >= {
        ".py",
        ".csv",
        ".yaml",
        ".html",
        ".css",
        ".js",
        ".toml",
        ".typed",
    } - {""}


def test_the_readme_can_be_shown_elsewhere(wheel: Path) -> None:
    """Without an address there is no picture and no link that leads nowhere; a release has those of its version."""
    subprocess.run([sys.executable, "-m", "doctest", ROOT / "tools" / "metadata.py"], check=True)
    archive = zipfile.ZipFile(wheel)
    (name,) = [name for name in archive.namelist() if name.endswith(".dist-info/METADATA")]
    shown = archive.read(name).decode("utf-8")
    assert "Could this experiment have produced these numbers?" in shown
    assert re.findall(r"\]\((?!https?:)", shown) == []
    assert "\nProject-URL: " not in shown
    release = read(ROOT / ".github" / "workflows" / "release.yml")
    (build,) = [step for step in steps(release) if "python -m build" in step.get("run", "")]
    assert build["env"]["SCOREPROOF_ADDRESS"] == "${{ github.server_url }}/${{ github.repository }}"


def test_the_wheels_work_apart_from_the_sources(wheel: Path, verifier_wheel: Path, tmp_path: Path) -> None:
    """Installed apart from the source tree, without it: data, templates and scripts are found. ``make wheel`` does it with nothing else."""
    site = tmp_path / "site"
    install = [
        sys.executable,
        "-m",
        "pip",
        "install",
        "--quiet",
        "--no-deps",
        "--no-index",
        "--target",
        str(site),
        str(wheel),
        str(verifier_wheel),
    ]
    subprocess.run(install, check=True, capture_output=True)
    (tmp_path / "table.csv").write_text("Method,Accuracy,Sensitivity,Specificity\nOurs,0.9567,0.8545,0.9734\n")
    (tmp_path / "paper.scoreproof.yaml").write_text(
        "title: A made-up paper\ndatasets: {all: {p: 100, n: 200}, eyes: {catalog: drive}}\n"
        "experiments: {test set: {dataset: all}}\ntables: [{name: Table 1, file: table.csv, experiment: test set}]\n"
    )
    script = (
        "import scoreproof, scoreproof_verify, sys; from pathlib import Path; from scoreproof.cli import main\n"
        f"assert Path(scoreproof.__file__).is_relative_to({str(site)!r}), scoreproof.__file__\n"
        f"assert Path(scoreproof_verify.__file__).is_relative_to({str(site)!r}), scoreproof_verify.__file__\n"
        "main(['audit', 'paper.scoreproof.yaml', '--html', 'report.html', '--latex', 'rows.tex'])\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(site), "PYTHONSAFEPATH": "1"}
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1, done.stderr
    assert "Check this proof" in (tmp_path / "report.html").read_text(encoding="utf-8")
    assert r"\begin{tabular}" in (tmp_path / "rows.tex").read_text(encoding="utf-8")
