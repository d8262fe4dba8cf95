"""Build the wheel, install it in clean environments, and use it there: ``make wheel``.

Data, templates and scripts must be inside, and nothing may lean on the source tree. A clean environment is a fresh
virtual environment outside of the repository that has only what the wheel asks for: by itself, with each extra alone,
and with all of them. Pairs of extras have the packages of the last one, as far as the two ask for them.
"""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import tempfile
import venv
from pathlib import Path

from extras import USES as EXTRAS
from extras import faults, linked, sets_of_extras

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
    os.environ.pop("PYTHONPATH", None)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        build = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(folder)]
        subprocess.run([*build, str(ROOT / "verify"), str(ROOT)], check=True)
        (wheel,) = folder.glob("scoreproof-*.whl")
        whole = _installed(folder / "all", wheel, tuple(EXTRAS))
        packages = Path(sysconfig.get_path("purelib", "venv", {"base": str(folder / "all")}))
        problems = []
        for extras in sets_of_extras():
            place = folder / ("-".join(extras) or "none")
            if extras == tuple(EXTRAS):
                python = whole
            elif len(extras) == 2:
                python = linked(place, extras, packages)
            else:
                python = _installed(place, wheel, extras)
            work = folder / f"work-{place.name}"
            work.mkdir()
            if not extras:
                problems += _alone(python, work)
            problems += faults(python, work, extras)
            sys.stdout.write(f"scoreproof[{','.join(extras)}]\n")
            sys.stdout.flush()
        if problems:
            sys.stderr.write("\n".join(problems))
            return 1
    sys.stdout.write(f"{wheel.name}: works alone, with each extra, each pair and all of them\n")
    return 0


def _installed(folder: Path, wheel: Path, extras: tuple[str, ...]) -> Path:
    """The interpreter of a clean environment in which the wheel is installed with these extras."""
    venv.create(folder, with_pip=False)
    (verifier,) = wheel.parent.glob("scoreproof_verify-*.whl")
    wanted = f"{wheel}[{','.join(extras)}]" if extras else str(wheel)
    python = folder / ("Scripts" if sys.platform == "win32" else "bin") / "python"
    subprocess.run(
        [sys.executable, "-m", "pip", "--python", python, "install", "--quiet", verifier, wanted], check=True
    )
    return python


def _alone(python: Path, folder: Path) -> list[str]:
    """What does not work without any extra, in words."""
    (folder / "table.csv").write_text(TABLE, encoding="utf-8")
    (folder / "paper.scoreproof.yaml").write_text(SPECIFICATION, encoding="utf-8")
    problems = []
    for arguments, status in USES:
        command = [python.parent / "scoreproof", *arguments]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        if done.returncode != status:
            words = f"scoreproof {' '.join(arguments)}: expected status {status}, got {done.returncode}"
            problems.append(f"{words}\n{done.stdout}{done.stderr}")
    if "Check this proof" not in (folder / "report.html").read_text(encoding="utf-8"):
        problems.append("report.html: the verifier is not in the page\n")
    return problems


if __name__ == "__main__":
    sys.exit(main())
