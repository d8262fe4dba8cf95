"""What a long run found, as one line of a file: the figures of merit of the documentation are drawn from it.

A run adds its line if ``SCOREPROOF_RECORD`` names a file (``SCOREPROOF_RECORD=docs/merit.jsonl make fuzz``): what was
tried, how often, what came out, with the command, the day and the commit.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

VARIABLE = "SCOREPROOF_RECORD"


def record(figure: str, tried: int, outcome: str) -> None:
    """Add a line about a run that is over, if somebody asked for it."""
    file = os.environ.get(VARIABLE)
    if not file:
        return
    line = {
        "figure": figure,
        "tried": tried,
        "outcome": outcome,
        "command": command(sys.orig_argv),
        "date": f"{datetime.now(UTC):%Y-%m-%d}",
        "commit": commit(),
    }
    with (Path(__file__).parents[1] / file).open("a", encoding="utf-8") as out:
        out.write(json.dumps(line, ensure_ascii=False) + "\n")


def command(words: list[str]) -> str:
    """A command as anybody would type it, without the place of the interpreter and of files.

    >>> command(["/opt/bin/python3", "-m", "benchmarks.fuzz", "--cases", "10", "--journal", "/tmp/run.jsonl"])
    'python -m benchmarks.fuzz --cases 10 --journal run.jsonl'
    """
    return " ".join(["python", *(Path(word).name if "/" in word else word for word in words[1:])])


def commit() -> str:
    """The commit that runs, with a plus if files were changed since."""
    asked = ["git", "describe", "--always", "--abbrev=8", "--dirty=+", "--exclude=*"]
    done = subprocess.run(asked, cwd=Path(__file__).parent, capture_output=True, text=True, check=False)
    return done.stdout.strip() or "unknown"
