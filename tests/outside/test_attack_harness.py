"""``make attack`` counts every fault that an input can cause, and goes on where it was stopped.

One of each fault is planted: a harness that is fast because it no longer sees them would call everything held.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from benchmarks.attack import progress
from benchmarks.attack.attack import SECRET, Attack, Bounds, Outcome, command, python, run, snippet

BOUNDS = Bounds(seconds=4, megabytes=400, clock=120)
HELD = "sp.check(sp.TestSet(3, 4), {'acc': '0.9'})"
FAULTS = {
    "a crash": ("import os\nos.abort()", "DIED -6"),
    "a crash of memory": ("import ctypes\nctypes.string_at(0)", "DIED -11"),
    "a status of its own": ("raise SystemExit(9)", "DIED 9"),
    "a killed process": ("import os\nos.kill(os.getpid(), 9)", "DIED -9"),
    "a wait for ever": ("import time\ntime.sleep(1000)", "SLOW"),
    "a loop for ever": ("while True:\n    pass", "SLOW"),
    "work of a child": ("import subprocess\nsubprocess.run([sys.executable, '-c', 'import time\\nwhile time.process_time() < 5: pass'])", "SLOW"),
    "memory": ("len(bytes(bytearray(b'x') * 500_000_000))", "MEMORY"),
    "memory of a child": ("import subprocess\nsubprocess.run([sys.executable, '-c', 'bytearray(b\"x\") * 500_000_000'])", "MEMORY"),
    "a traceback": ("[][3]", "TRACEBACK"),
    "a recursion": ("f = lambda n: f(n + 1)\nf(0)", "TRACEBACK"),
    "a fence of memory": ("bytearray(7 << 30)", "TRACEBACK"),
    "the status of an internal error": ("raise SystemExit(4)", "TRACEBACK"),
    "words of an internal error": ("sys.stderr.write('internal error')", "TRACEBACK"),
    "a traceback of a thread": ("import threading\nt = threading.Thread(target=lambda: [][3])\nt.start()\nt.join()", "TRACEBACK"),
    "a traceback at the end": ("import atexit\natexit.register(lambda: [][3])", "TRACEBACK"),
    "an escape": ("chr(27) + '[31m'", "ESCAPES"),
    "a file left behind": ("(folder / 'pwned').write_text('x')", "LEAK"),
}  # fmt: skip
LEAKS = {
    "a secret that is opened": f"(folder.parent / '{SECRET}').read_bytes()[:1]",
    "a secret that is shown": "'sword' + 'fish'",
    "a shell": "__import__('os').system('true')",
    "the network": "import socket\nsocket.socket().connect_ex(('127.0.0.1', 9))",
    "a child that opens it": f"import subprocess\nsubprocess.run([sys.executable, '-c', 'open(\"../{SECRET}\")'], cwd=folder)",
}


def watched(body: str) -> Attack:
    return Attack("planted", body, partial(python, body), watched=True)


@pytest.mark.parametrize("name", FAULTS)
def test_a_planted_fault_gets_through(name: str) -> None:
    body, flaw = FAULTS[name]
    bounds = replace(BOUNDS, clock=8) if name == "a wait for ever" else BOUNDS  # a busy machine is no fault
    assert run(snippet("planted", body), bounds).flaw == flaw


@pytest.mark.parametrize("name", LEAKS)
def test_a_planted_leak_gets_through(name: str) -> None:
    assert run(watched(LEAKS[name]), BOUNDS).flaw == "LEAK"


def test_an_internal_error_of_the_command_line_gets_through() -> None:
    body = """
import scoreproof.cli.check, scoreproof.cli.app
def broken(*given, **more): raise ZeroDivisionError("planted")
scoreproof.cli.app.app = broken
scoreproof.cli.app.main(["check"])
"""
    outcome = run(snippet("planted", body), BOUNDS)
    assert (outcome.status, outcome.flaw) == (4, "TRACEBACK")


def test_what_holds_is_held_and_its_start_counts() -> None:
    for attack in (snippet("planted", HELD), watched(HELD), snippet("planted", "sp.TestSet(-1, 4)")):
        outcome = run(attack, BOUNDS)
        assert outcome.flaw == ""
        assert 0.1 < outcome.seconds < BOUNDS.seconds
        assert 20 < outcome.megabytes < BOUNDS.megabytes


def test_one_child_leaves_nothing_to_the_next() -> None:
    run(snippet("planted", "import os\nos.environ['LEFT'] = '1'\nsp.left = 1\nsys.path.append('left')"), BOUNDS)
    body = "import os\nreturn ('LEFT' in os.environ, hasattr(sp, 'left'), 'left' in sys.path)"
    assert run(snippet("planted", body), BOUNDS).words == "(False, False, False)"


@pytest.mark.parametrize(
    "arguments",
    [
        ["check", "--p", "30", "--n", "50", "acc=0.9123", "sens=0.8"],
        ["check", "--p", "30", "--n", "50", "acc=0.9", "--no-such-option"],
        ["check", "--p", "x", "--n", "50", "\udc80=0.9"],
        ["tables", "paper.md"],
        ["audit", "paper.md", "--json"],
        ["no-such-command"],
    ],
)
def test_a_forked_child_says_what_a_started_one_says(arguments: list[str], tmp_path: Path) -> None:
    paper = "| Method | Acc | Sens |\n|---|---|---|\n| A | 0.90 | 0.80 |\n"
    said: list[bytes] = []

    def make(folder: Path) -> list[str]:
        (folder / "paper.md").write_text(paper)
        done = subprocess.run(
            [sys.executable, *command(*arguments)],
            cwd=folder,
            capture_output=True,
            env={**os.environ, "COLUMNS": "120"},
            check=False,
        )
        said.extend((done.stdout, done.stderr, str(done.returncode).encode()))
        for made in folder.glob("paper.audit.*"):
            made.unlink()
        return command(*arguments)

    outcome = run(Attack("planted", "the same", make))
    assert str(outcome.status).encode() == said[2]
    words = ascii(" ".join((said[1] or said[0]).decode("utf-8", "replace").split()))[1:-1]
    assert outcome.words == words[: len(outcome.words)]
    assert outcome.words


def test_an_attack_goes_on_where_it_was_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bodies = {"one": "1", "two": "[][3]", "three": "3"}
    calls: dict[str, Callable[[], Outcome]] = {
        name: partial(run, snippet("planted", body, name), BOUNDS) for name, body in bodies.items()
    }

    def ran(**chosen: Callable[[], Outcome]) -> dict[str, str]:
        with progress.journal("inputs", lambda document: Outcome(**document), tmp_path) as book:
            return {outcome.name: outcome.flaw for outcome in progress.tried(chosen, book, 1)}

    assert ran(one=calls["one"]) == {"one": ""}
    torn = next(tmp_path.glob("inputs-*.jsonl"))
    torn.write_bytes(torn.read_bytes() + b'{"key": "three", "result": {"pla')

    def never() -> Outcome:
        raise AssertionError("tried again")

    assert ran(one=never, two=calls["two"], three=calls["three"]) == {"one": "", "two": "TRACEBACK", "three": ""}
    assert ran(one=never, two=calls["two"], three=never) == {"one": "", "two": "TRACEBACK", "three": ""}
    monkeypatch.setattr(progress, "tree", lambda: "another")  # nothing is believed about another tree
    with pytest.raises(AssertionError, match="tried again"):
        ran(one=never)


def test_the_command_says_how_many_were_tried_and_fails_if_one_got_through(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from benchmarks.attack import __main__ as whole

    place = type("Place", (), {"ATTACKS": [snippet("planted", "1"), snippet("planted", "1"), snippet("other", "1")]})
    monkeypatch.setattr(whole, "PLACES", (place,))
    monkeypatch.setattr(progress, "ROOT", tmp_path)
    monkeypatch.setattr(sys, "argv", ["attack", "--quiet", "--jobs", "1"])
    assert whole.main() == 0
    assert "planted: 2 tried, 0 got through" in capsys.readouterr().out
    place.ATTACKS.append(snippet("planted", "[][3]"))  # type: ignore[attr-defined]
    assert whole.main() == 1
    said = capsys.readouterr().out
    assert "planted: 3 tried, 1 got through" in said
    assert "other: 1 tried, 0 got through" in said
    assert "TRACEBACK" in said
