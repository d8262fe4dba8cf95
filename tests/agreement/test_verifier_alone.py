"""The distribution ``scoreproof-verify`` in an environment that has nothing else: no scoreproof, no numpy.

There it says of every certificate what it says where numpy is installed, in the same words.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path
from typing import Any

import pytest
from benchmarks.attack.certificates import ATTACKS
from benchmarks.proof_corpus.__main__ import frozen_of_all, judged, rare
from benchmarks.proof_corpus.mutations import SORTS, mutated

from scoreproof_verify import verify_certificate

ROOT = Path(__file__).parents[2]
EVERY = 8  # of the frozen certificates; the whole corpus takes over a minute without numpy
SCRIPT = """
import importlib.util, json, sys
assert importlib.util.find_spec("numpy") is None and importlib.util.find_spec("scoreproof") is None
from scoreproof_verify import verify_certificate
for line in open(sys.argv[1], encoding="utf-8"):
    print(json.dumps(verify_certificate(json.loads(line)).words))
"""


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The interpreter of an environment with the wheel of the verifier and no other package."""
    folder = tmp_path_factory.mktemp("alone")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(build, cwd=ROOT / "verify", check=True, capture_output=True)
    (wheel,) = folder.glob("*.whl")
    venv.create(folder / "environment", with_pip=False, symlinks=True)
    names = {"base": str(folder / "environment"), "platbase": str(folder / "environment")}
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(sysconfig.get_path("purelib", "venv", names))
    return Path(sysconfig.get_path("scripts", "venv", names)) / "python"


def said(python: Path, certificates: list[Any], file: Path) -> list[str]:
    """The words on certificates in the environment of an interpreter."""
    file.write_text("".join(json.dumps(each) + "\n" for each in certificates), encoding="utf-8")
    command = [str(python), "-I", "-c", SCRIPT, str(file)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_without_numpy_it_says_the_same(python: Path, tmp_path: Path) -> None:
    corpus = [*rare(), *frozen_of_all()[::EVERY]]
    rng = random.Random(3)
    altered = (mutated(rng, sort, each, each) for each in rare() for sort in rng.sample(sorted(SORTS), 3))
    corpus += [each for each in altered if each is not None and judged(each) is not None]
    expected = [verify_certificate(each).words for each in corpus]
    assert sum(words.startswith("Proved: ") for words in expected) > 300
    assert sum(words.startswith("Not proved: ") for words in expected) > 200
    assert said(python, corpus, tmp_path / "corpus.jsonl") == expected


def command(python: Path, *arguments: str, given: str = "") -> subprocess.CompletedProcess[str]:
    words = [str(python), "-I", "-m", "scoreproof_verify", *arguments]
    return subprocess.run(words, input=given, capture_output=True, text=True, check=False)


def test_the_command(python: Path, tmp_path: Path) -> None:
    good = json.dumps(rare()[0])
    words = verify_certificate(rare()[0]).words
    files = {
        "good": good,
        "altered": good.replace('"format"', '"remark": 1, "format"', 1),
        "broken": "{",
        "twice": good.replace('"statement":', '"statement": {}, "statement":', 1),
        "none": "[1]",
        "steering": json.dumps({**rare()[0], "kind": "\x1b[2J"}),
    }
    paths = {name: str(tmp_path / f"{name}.json") for name in files}
    for name, text in files.items():
        Path(paths[name]).write_text(text, encoding="utf-8")
    done = command(python, paths["good"])
    assert (done.returncode, done.stdout, done.stderr) == (0, f"valid\n{words}\n", "")
    done = command(python, "-", given=good)
    assert (done.returncode, done.stdout) == (0, f"valid\n{words}\n")
    done = command(python, "--json", paths["good"], paths["altered"])
    first, second = map(json.loads, done.stdout.splitlines())
    assert done.returncode == 1
    assert first == {"file": paths["good"], "valid": True, "words": words}
    assert (second["valid"], second["words"]) == (False, "Not proved: the certificate has unknown keys: remark.")
    done = command(python, paths["steering"])
    assert done.returncode == 1
    assert "\x1b" not in done.stdout
    wrong = [
        (name, command(python, paths["good"], place))
        for name, place in [*paths.items(), ("gone", "gone.json"), ("folder", str(tmp_path))]
    ]
    reasons = {name: done.stderr for name, done in wrong if done.returncode == 2}
    assert set(reasons) == {"broken", "twice", "none", "gone", "folder"}
    assert all(done.stdout.count(words) >= 1 for _, done in wrong), "the other files are checked all the same"
    assert "cannot be read: Expecting property name" in reasons["broken"]
    assert "the key 'statement' is given twice" in reasons["twice"]
    assert "an object with a 'statement'" in reasons["none"]
    assert "No such file" in reasons["gone"]
    assert "expected a regular file" in reasons["folder"]
    assert all("Traceback" not in text for text in reasons.values())
    for arguments in ((), ("--seconds", "0", paths["good"]), ("--seconds", "soon", paths["good"])):
        done = command(python, *arguments)
        assert done.returncode == 2
        assert "usage: scoreproof-verify" in done.stderr
    assert "exit status" in command(python, "--help").stdout


def test_hostile_certificates_are_all_answered(python: Path, tmp_path: Path) -> None:
    files = []
    for number, attack in enumerate(ATTACKS):
        (folder := tmp_path / str(number)).mkdir()
        *start, file = attack.make(folder)
        files += [str(folder / file)] if start[-1] == "verify" else []
    done = command(python, *files)
    assert len(files) > 50
    assert done.returncode == 2
    answers = [line for line in done.stdout.splitlines() if line.endswith((": valid", ": not valid"))]
    errors = done.stderr.splitlines()
    assert all(line.startswith("error: ") for line in errors), done.stderr
    assert len(answers) + len(errors) == len(files)
    assert not [line for line in answers if line.endswith(": valid")]
