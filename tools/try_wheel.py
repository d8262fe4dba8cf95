"""Build the wheel, install it in a clean environment, and use it there: ``make wheel``.

Data, templates and scripts must be inside, and nothing may lean on the source tree. The clean environment is a fresh
virtual environment outside of the repository that has only what the wheel asks for.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import venv
from pathlib import Path

ROOT = Path(__file__).parents[1]
TABLE = "Method,Accuracy,Sensitivity,Specificity\nOurs,0.9567,0.8545,0.9734\n"
SPECIFICATION = """title: A made-up paper
datasets: {all: {p: 100, n: 200}}
experiments: {test set: {dataset: all}}
tables: [{name: Table 1, file: table.csv, experiment: test set}]
"""
#: Commands and the exit status each must have; together they need the data, the templates and the scripts of pages.
USES = [
    (["--version"], 0),
    (["scores"], 0),
    (["catalog", "drive"], 0),
    (["audit", "paper.scoreproof.yaml", "--html", "report.html", "--latex", "rows.tex", "--text", "review.txt"], 1),
    (["verify", "--page", "verify.html"], 0),
    (["recommend", "--table"], 0),
]


def main() -> int:
    """Status 0 if everything works."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        build = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(folder), str(ROOT)]
        subprocess.run(build, check=True)
        (wheel,) = folder.glob("scoreproof-*.whl")
        venv.create(folder / "clean", with_pip=True)
        binaries = folder / "clean" / ("Scripts" if sys.platform == "win32" else "bin")
        subprocess.run([binaries / "python", "-m", "pip", "install", "--quiet", str(wheel)], check=True)
        (folder / "table.csv").write_text(TABLE, encoding="utf-8")
        (folder / "paper.scoreproof.yaml").write_text(SPECIFICATION, encoding="utf-8")
        for arguments, status in USES:
            command = [str(binaries / "scoreproof"), *arguments]
            done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
            if done.returncode != status:
                words = f"scoreproof {' '.join(arguments)}: expected status {status}, got {done.returncode}"
                sys.stderr.write(f"{words}\n{done.stdout}{done.stderr}")
                return 1
        if "Check this proof" not in (folder / "report.html").read_text(encoding="utf-8"):
            sys.stderr.write("report.html: the verifier is not in the page\n")
            return 1
    sys.stdout.write(f"{wheel.name}: installed alone, {len(USES)} commands as expected\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
