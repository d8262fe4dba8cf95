"""``make coverage``: the share of lines and branches that the tests run, in a line, and for the figures of merit."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.recorded import record


def main() -> int:
    """Read what coverage measured; status 1 if it measured nothing."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "coverage.json"
        subprocess.run([sys.executable, "-m", "coverage", "json", "-q", "-o", str(file)], check=True)
        totals = json.loads(file.read_text(encoding="utf-8"))["totals"]
    words = f"{totals['percent_covered']:.1f} % of lines and branches run by the tests"
    record("coverage, lines of the package", totals["num_statements"], words)
    sys.stdout.write(f"{totals['num_statements']:,} lines: {words}\n")
    return 0 if totals["covered_lines"] else 1


if __name__ == "__main__":
    sys.exit(main())
