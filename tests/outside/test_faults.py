"""A crash of ours has a status of its own: 1 would read as "inconsistent" and accuse someone."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

# The command line with a fault planted in what a command calls.
FAULTY = """
import importlib, sys
def crash(*arguments, **options):
    raise {error}
setattr(importlib.import_module({module!r}), {name!r}, crash)
from scoreproof.cli import main
main()
"""
CHECK = ("check", "--p", "10", "--n", "20", "acc=0.90")


def run(code: str, *arguments: str, debug: str | None = None) -> subprocess.CompletedProcess[str]:
    environment = {key: value for key, value in os.environ.items() if key != "SCOREPROOF_DEBUG"}
    if debug is not None:
        environment["SCOREPROOF_DEBUG"] = debug
    return subprocess.run(
        [sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=False, env=environment
    )


def faulty(error: str, module: str = "scoreproof.cli.experiments", name: str = "experiment") -> str:
    return FAULTY.format(error=error, module=module, name=name)


@pytest.mark.parametrize(
    "error",
    [
        "ZeroDivisionError('division by zero')",
        "ValueError('plain, not one of ours')",
        "AssertionError",
        "KeyError('acc')",
        "RecursionError('too deep')",
        "MemoryError",
        "RuntimeError('two\\nlines ' + 10_000 * 'x')",
    ],
)
def test_a_crash_ends_with_status_4_and_one_line(error: str) -> None:
    done = run(faulty(error), *CHECK)
    assert done.returncode == 4
    assert done.stdout == ""
    assert done.stderr.startswith(f"error: internal error ({error.partition('(')[0]}")
    assert len(done.stderr.splitlines()) == 1
    assert len(done.stderr) < 1_000
    for words in ("fault of scoreproof", "says nothing about the report", "SCOREPROOF_DEBUG=1"):
        assert words in done.stderr


def test_the_traceback_on_request() -> None:
    done = run(faulty("ZeroDivisionError('division by zero')"), *CHECK, debug="1")
    assert done.returncode == 4
    assert "Traceback (most recent call last)" in done.stderr
    assert "in crash" in done.stderr
    assert done.stderr.splitlines()[-1].startswith("error: internal error (ZeroDivisionError")
    silent = run(faulty("ZeroDivisionError('division by zero')"), *CHECK, debug="")
    assert "Traceback" not in silent.stderr


def test_a_command_that_cannot_be_loaded() -> None:
    done = run(faulty("ImportError('a broken installation')", "importlib", "import_module"), *CHECK)
    assert done.returncode == 4
    assert "a broken installation" in done.stderr


@pytest.mark.parametrize(
    ("error", "status"),
    [
        ("__import__('scoreproof').errors.InvalidOption('budget: no')", 2),
        ("FileNotFoundError(2, 'No such file', 'x.json')", 2),
        ("SystemExit(3)", 3),
        ("KeyboardInterrupt", 130),
    ],
)
def test_what_is_no_crash_keeps_its_status(error: str, status: int) -> None:
    done = run(faulty(error), *CHECK)
    assert done.returncode == status
    assert "internal error" not in done.stderr


def test_the_help_lists_the_statuses() -> None:
    done = run("from scoreproof.cli import main; main()", "--help")
    said = " ".join(done.stdout.split())
    assert "4 a fault of scoreproof's own" in said
    assert "SCOREPROOF_DEBUG=1" in said
