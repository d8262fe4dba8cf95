"""What each extra is for, used: commands that need nothing else than it, and environments that have nothing else.

An environment is a virtual environment whose packages are links to those of another one: what scoreproof and the given
extras depend on, all the way down, and nothing beside. ``make wheel`` installs; ``tests/outside/test_extras.py`` links.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sysconfig
import venv
from collections.abc import Iterable, Iterator, Sequence
from importlib.metadata import Distribution, distributions
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
PAPER = """# A made-up paper

The test set has 38 positive and 262 negative cases.

| Method | Accuracy | Sensitivity | Specificity |
|---|---|---|---|
| A | 0.9033 | 0.5263 | 0.9580 |
| B | 0.9633 | 0.9211 | 0.9885 |
"""
ROWS = "source,p,n,acc,sens,spec\nS,38,262,0.9033,0.5263,0.9580\nS,38,262,0.9633,0.9211,0.9885\n"
SCORES = "data set,A,B\n" + "".join(f"s{i},{0.8 + i / 100},{0.79 + i / 90}\n" for i in range(6))
CASES = "truth,score\n1,0.9\n0,0.2\n1,0.4\n0,0.6\n"
METHODS = "name,acc,sens,spec\nA,0.9,0.9,0.9\nB,0.8,0.7,0.9\n"
TRUTH = {
    "images": [{"id": 1}],
    "categories": [{"id": 1, "name": "cat"}],
    "annotations": [{"id": 1, "image_id": 1, "category_id": 1, "bbox": [0, 0, 9, 9], "area": 81, "iscrowd": 0}],
}
FOUND = [{"image_id": 1, "category_id": 1, "bbox": [0, 0, 9, 8], "score": 0.9}]
COCO = """
import scoreproof as sp
assert round(sp.metrics.evaluate_coco("truth.json", "found.json").summary["AP"], 4) == 0.8
"""
PARQUET = """
import csv, pyarrow.parquet
with open("rows.csv", encoding="utf-8", newline="") as file:
    assert pyarrow.parquet.read_table("out/part-000000.parquet").num_rows == len(list(csv.DictReader(file)))
import scoreproof as sp
try:
    sp.batch("rows.csv").to_frame()
except sp.ScoreproofError as error:
    assert "pip install pandas" in str(error)
"""
SERVED = """
import http.cookiejar, json, signal, subprocess, sys, urllib.request
command = [sys.executable, "-u", "-m", "scoreproof", "serve", "--no-browser"]
server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
try:
    address = server.stdout.readline().strip()
    jar = urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar())
    browser = urllib.request.build_opener(jar, urllib.request.ProxyHandler({}))
    page = browser.open(address)
    assert b"scoreproof" in page.read()
    grid = [["Method", "Acc", "Sens", "Spec"], ["B", "0.9633", "0.9211", "0.9885"]]
    asked = {"datasets": {"data": {"p": "38", "n": "262"}}, "experiments": {"test": {"dataset": "data"}},
             "tables": [{"name": "T", "grid": grid, "header_rows": 1, "experiment": "test"}]}
    place = address.split("?")[0].rstrip("/") + "/look"
    request = urllib.request.Request(place, json.dumps(asked).encode(), {"x-scoreproof": "1"})
    answer = json.load(browser.open(request))
    assert [row["outcome"] for row in answer["tables"][0]["rows"]] == ["inconsistent"], answer
finally:
    server.send_signal(signal.SIGINT)
    server.wait()
"""
ASSISTED = """
import asyncio, os, sys
from mcp import Client, StdioServerParameters
async def talk():
    command = StdioServerParameters(command=sys.executable, args=["-m", "scoreproof", "mcp"], env=dict(os.environ))
    async with Client(command) as client:
        given = {"experiment": {"type": "testset", "p": 1000, "n": 6000},
                 "scores": {"acc": "0.6801", "npv": "0.9401", "f1": "0.4004"}}
        answer = await client.call_tool("check", given)
        assert answer.structured_content["verdict"] == "inconsistent", answer
asyncio.run(talk())
"""
SPREAD = """
import subprocess, sys
from distributed import LocalCluster
with LocalCluster(n_workers=1, threads_per_worker=1, host="127.0.0.1", dashboard_address=None) as cluster:
    audit = ["audit", "papers", "--out", "spread", "--no-explain", "--cluster", cluster.scheduler_address]
    status = subprocess.run([sys.executable, "-m", "scoreproof", *audit]).returncode
assert status == 3, status
"""


class Use(NamedTuple):
    """Arguments of Python, the status that must come of them, and a file that must be there afterwards."""

    arguments: Sequence[str]
    status: int = 0
    written: str = ""


def command(*words: str, status: int = 0, written: str = "") -> Use:
    return Use(("-m", "scoreproof", *words), status, written)


#: What every environment can do: the extras that are there must not be in its way.
ALWAYS = command("audit", "papers", "--out", "results", "--no-explain", status=3, written="results/rows.csv")
#: The commands that each extra is for; the first is tried with every other extra, too.
USES: dict[str, list[Use]] = {
    "plot": [
        command("compare", "scores.csv", "--html", "c.html", "--plot", "ranks.svg", written="ranks.svg"),
        command("metrics", "cases.csv", "--plot", "roc.pdf", written="roc.pdf"),
        command("reconstruct", "acc=0.9", "sens=0.8", "--total", "20", "--plot", "cells.svg", written="cells.svg"),
        command("reinterpret", "methods.csv", "--total", "500", "--rank-plot", "ranks.png", written="ranks.png"),
        command(
            *("power", "--scores", "acc", "--digits", "2", "--p", "9", "--n", "14", "--plot", "power.svg"),
            written="power.svg",
        ),
    ],
    "office": [command("tables", "tables.xlsx"), command("tables", "tables.docx")],
    "pdf": [command("tables", "tables_latex.pdf")],
    "detection": [Use(("-c", COCO))],
    "web": [Use(("-c", SERVED))],
    "mcp": [Use(("-c", ASSISTED))],
    "batch": [
        command("batch", "rows.csv", "out", status=1, written="out/summary.html"),
        Use(("-c", PARQUET)),
    ],
    "cluster": [Use(("-c", SPREAD), written="spread/rows.csv")],
}
#: Commands that end with a word on the extra where it is missing.
ASKING = {name: uses[0] for name, uses in USES.items()} | {
    "web": command("serve", "--no-browser"),
    "mcp": command("mcp"),
    "cluster": command("audit", "papers", "--cluster", "tcp://127.0.0.1:9"),
}


def sets_of_extras() -> list[tuple[str, ...]]:
    """None, each alone, each pair, and all."""
    return [(), *((name,) for name in USES), *combinations(USES, 2), tuple(USES)]


def prepare(folder: Path, extras: Iterable[str]) -> None:
    """The files that commands are tried on; in the folder of papers those that the extras can read."""
    given = {"rows.csv": ROWS, "scores.csv": SCORES, "cases.csv": CASES, "methods.csv": METHODS}
    given |= {"truth.json": json.dumps(TRUTH), "found.json": json.dumps(FOUND)}
    for name, text in given.items():
        (folder / name).write_text(text, encoding="utf-8")
    samples = ROOT / "tests" / "data" / "tables"
    (folder / "papers").mkdir()
    (folder / "papers" / "paper.md").write_text(PAPER, encoding="utf-8")
    for extra, name in (("office", "tables.xlsx"), ("office", "tables.docx"), ("pdf", "tables_latex.pdf")):
        shutil.copy(samples / name, folder)
        if extra in extras:
            shutil.copy(samples / name, folder / "papers")


def faults(python: Path, folder: Path, extras: Sequence[str]) -> Iterator[str]:
    """What does not work with these extras and should, in words; a pair is tried by the first command of each."""
    prepare(folder, extras)
    for use in [ALWAYS, *(use for name in extras for use in (USES[name][:1] if len(extras) == 2 else USES[name]))]:
        done = _run(python, folder, use)
        if done.returncode != use.status or (use.written and not (folder / use.written).is_file()):
            yield f"{_shown(use, extras)}: expected {use.status}, got {done.returncode}\n{done.stdout}{done.stderr}"
    for name in USES if not extras else ():
        done = _run(python, folder, ASKING[name])
        if not done.returncode or f"pip install 'scoreproof[{name}]'" not in done.stderr:
            yield f"{_shown(ASKING[name], extras)}: expected a word on scoreproof[{name}]\n{done.stdout}{done.stderr}"


def _run(python: Path, folder: Path, use: Use) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [python, *use.arguments], cwd=folder, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL
    )


def _shown(use: Use, extras: Sequence[str]) -> str:
    return f"scoreproof[{','.join(extras)}]: python {' '.join(use.arguments)}"


def linked(folder: Path, extras: Iterable[str], packages: Path) -> Path:
    """The interpreter of an environment that has what scoreproof needs with these extras, as links."""
    venv.create(folder, with_pip=False, symlinks=True)
    ours = Path(sysconfig.get_path("purelib", "venv", {"base": str(folder), "platbase": str(folder)}))
    known = {canonicalize_name(each.name): each for each in distributions(path=[str(packages)])}
    for each in _needed(f"scoreproof[{','.join(extras)}]", known):
        names = {file.parts[0] for file in each.files or ()} - {"..", "__pycache__"}
        for name in names:
            if not name.endswith(".pth"):  # which would let in all that an editable installation stands among
                (ours / name).symlink_to(packages / name)
    return Path(sysconfig.get_path("scripts", "venv", {"base": str(folder)})) / "python"


def _needed(wanted: str, known: dict[str, Distribution]) -> list[Distribution]:
    """The distributions that a requirement asks for, all the way down."""
    seen: dict[tuple[str, str], Distribution] = {}
    todo = [(Requirement(wanted), "")]
    while todo:
        requirement, asked = todo.pop()
        name = canonicalize_name(requirement.name)
        if requirement.marker is not None and not requirement.marker.evaluate({"extra": asked}):
            continue
        for extra in ("", *requirement.extras):
            if (name, extra) not in seen:
                seen[name, extra] = known[name]
                todo += [(Requirement(line), extra) for line in known[name].requires or ()]
    return list({each.name: each for each in seen.values()}.values())
