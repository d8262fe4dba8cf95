"""The command line in this process: what a command prints, and its status. Most tests need no process of their own."""

from __future__ import annotations

import io
import subprocess
from contextlib import redirect_stderr, redirect_stdout

from scoreproof.cli.app import main


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    """What ``scoreproof`` with these arguments ends with."""
    out, err, status = io.StringIO(), io.StringIO(), 0
    with redirect_stdout(out), redirect_stderr(err):
        try:
            main(list(arguments))
        except SystemExit as ended:
            status = int(ended.code or 0)
    return subprocess.CompletedProcess(arguments, status, out.getvalue(), err.getvalue())
