"""``{recorded}``: figures that long runs wrote to ``merit.jsonl``; ``{measured}``: small runs made while the site is built.

Each line of the file is one run: what was tried, how often, what came out, the command, the day and the commit (``benchmarks.recorded``
writes it). Of the runs of one command with the same seed the last counts; numbers of different seeds are added up.
"""

from __future__ import annotations

import json
import random
import sys
import time
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

import scoreproof as sp

sys.path.insert(0, str(Path(__file__).parents[2]))
SEED = 22


def table(head: list[str], rows: list[list[str]]) -> nodes.table:
    """A table of texts."""
    made = nodes.table()
    group = nodes.tgroup(cols=len(head))
    made += group
    for _ in head:
        group += nodes.colspec(colwidth=1)
    for part, lines in ((nodes.thead(), [head]), (nodes.tbody(), rows)):
        group += part
        for line in lines:
            row = nodes.row()
            part += row
            for text in line:
                cell = nodes.entry()
                inner = nodes.literal("", text[1:-1]) if text[:1] == "`" else nodes.Text(text)
                cell += nodes.paragraph("", "", inner)
                row += cell
    return made


def recorded(file: Path) -> list[dict[str, Any]]:
    """The last run of every command, in the order of the file."""
    runs = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines() if line.strip()]
    return list({(run["figure"], run["command"]): run for run in runs}.values())


class Recorded(SphinxDirective):
    """The runs of the file."""

    def run(self) -> list[nodes.Node]:
        """One row for each run."""
        file = Path(self.env.srcdir) / "merit.jsonl"
        self.env.note_dependency(str(file))
        rows = [
            [run["figure"], f"{run['tried']:,}", run["outcome"], f"`{run['command']}`", run["date"], run["commit"]]
            for run in recorded(file)
        ]
        return [table(["figure", "tried", "outcome", "command", "day", "commit"], rows)]


def true_reports(cases: int) -> str:
    """Scores of random matrices, printed to three digits and checked: none may be refused."""
    rng = random.Random(SEED)
    flagged = 0
    for _ in range(cases):
        p, n = rng.randint(5, 500), rng.randint(5, 500)
        tp, tn = rng.randint(1, p), rng.randint(1, n)
        matrix = sp.ConfusionMatrix(tp, n - tn, p - tp, tn)
        report = {name: matrix.score(name, digits=3) for name in ("acc", "sens", "spec", "f1", "mcc")}
        flagged += sp.check(sp.TestSet(p, n), report).verdict == "inconsistent"
    return f"{flagged} of {cases:,} flagged"


def moved_reports(cases: int) -> str:
    """The same with the accuracy moved, against all matrices: verdicts must agree."""
    rng = random.Random(SEED)
    wrong = impossible = 0
    for _ in range(cases):
        p, n = rng.randint(5, 40), rng.randint(5, 40)
        tp, tn = rng.randint(0, p), rng.randint(0, n)
        printed = {
            "acc": round(1000 * Fraction(tp + tn, p + n)) + rng.choice((-3, -2, -1, 1, 2, 3)),
            "sens": round(1000 * Fraction(tp, p)),
        }
        printed["acc"] = min(max(printed["acc"], 0), 1000)
        fits = any(
            abs(1000 * (a + b) - printed["acc"] * (p + n)) * 2 <= p + n and abs(1000 * a - printed["sens"] * p) * 2 <= p
            for a in range(p + 1)
            for b in range(n + 1)
        )
        report = {name: f"{value // 1000}.{value % 1000:03}" for name, value in printed.items()}
        answer = sp.check(sp.TestSet(p, n), report, rounding="nearest")
        wrong += (answer.verdict == "consistent") != fits
        impossible += not fits
    return f"{wrong} of {cases:,} verdicts differ from all matrices tried one by one ({impossible:,} impossible)"


def certificates(cases: int) -> str:
    """Certificates of refuted reports: all verify; with the statement changed to a possible one, none does."""
    rng = random.Random(SEED)
    made = accepted = forged = 0
    while made < cases:
        p, n = rng.randint(20, 400), rng.randint(20, 400)
        report = {name: f"{rng.uniform(0.5, 1):.3f}" for name in ("acc", "sens", "spec")}
        answer = sp.check(sp.TestSet(p, n), report)
        if answer.certificate is None:
            continue
        made += 1
        accepted += bool(sp.verify(answer.certificate))
        altered = json.loads(json.dumps(answer.certificate))
        altered["statement"]["scores"][0]["text"] = "0.5"
        forged += bool(sp.verify(altered))
    return f"{accepted} of {made} verified; {forged} accepted after an alteration"


def speed(cases: int) -> str:
    """Processor time of a check, possible and impossible, at sizes a million times apart."""
    times = []
    for scale in (1, 10**6):
        start = time.process_time()
        for k in range(cases):
            sp.check(
                sp.TestSet(1000 * scale, 6000 * scale), {"acc": f"0.6{800 + k % 100}", "npv": "0.9401", "f1": "0.4004"}
            )
        times.append((time.process_time() - start) / cases)
    return f"{times[1] / times[0]:.1f} times as long for 7 thousand million cases as for 7 thousand ({1000 * times[0]:.2f} ms here)"


RUNS: dict[str, tuple[Callable[[int], str], int]] = {
    "true reports": (true_reports, 2_000),
    "moved reports": (moved_reports, 300),
    "certificates": (certificates, 200),
    "speed": (speed, 100),
}


class Measured(SphinxDirective):
    """The small runs."""

    def run(self) -> list[nodes.Node]:
        """Make them now."""
        return [table(["figure", "outcome"], [[name, run(cases)] for name, (run, cases) in RUNS.items()])]


def setup(app: Sphinx) -> dict[str, Any]:
    """Add the directives."""
    app.add_directive("recorded", Recorded)
    app.add_directive("measured", Measured)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
