"""What is left undecided of a grid of averaged reports, by sort and budget.

    python -m benchmarks map                              a ninth of the grid, in minutes
    python -m benchmarks.average_map --out map.jsonl      all of it; goes on from there after an interruption
    python -m benchmarks.average_map --seed 7 --every 3   other numbers; every third experiment

Budgets are seconds of processor time, so that a busy machine gives the same map. A report is asked with the larger
budget only if the smaller one left it undecided.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import scoreproof as sp
from benchmarks.mean_reports import Report, reports
from benchmarks.recorded import record
from scoreproof.work import budget as budgets
from scoreproof_verify import frame

BUDGETS = (2.0, 20.0)


@dataclass(frozen=True, slots=True)
class Outcome:
    """How one report was answered at one budget; ``flagged`` marks a true report called impossible."""

    name: str
    row: str
    budget: float
    verdict: str
    seconds: float
    flagged: bool
    proof: str
    reason: str


class _Processor:
    """The processor's clock, asked at most every hundredth of a second: asking it is slow, and engines ask often."""

    def __init__(self) -> None:
        self._seen = self._known = -1.0

    def monotonic(self) -> float:
        now = time.perf_counter()
        if now - self._seen > 0.01:
            self._seen, self._known = now, time.process_time()
        return self._known


@contextmanager
def processor_time() -> Iterator[None]:
    """Deadlines by the processor's clock instead of the one on the wall."""
    watched: tuple[Any, ...] = (budgets, frame)
    clock = _Processor()
    for module in watched:
        module.time = clock
    try:
        yield
    finally:
        for module in watched:
            module.time = time


def asked(report: Report, budget: float) -> Outcome:
    """The answer to a report and the processor time it took."""
    start = time.process_time()
    answer = sp.check(report.experiment, report.scores, budget=budget, seed=0, **report.options, strict=True)
    took = time.process_time() - start
    verdict = str(answer.verdict)
    kind = str((answer.proof or {}).get("kind", ""))
    wrong = report.moved == 0 and verdict == "inconsistent"
    return Outcome(report.name, report.row, budget, verdict, round(took, 3), wrong, kind, answer.reason[:200])


def outcomes(
    chosen: Iterable[Report], budgets: tuple[float, ...], known: dict[tuple[str, float], Outcome]
) -> Iterator[Outcome]:
    """Every report at the smaller budget, and at the larger one if that did not decide it; known ones as they are."""
    with processor_time():
        for report in chosen:
            for budget in budgets:
                outcome = known.get((report.name, budget)) or asked(report, budget)
                yield outcome
                if outcome.verdict != "undecided":
                    break


def _refused(outcome: Outcome) -> bool:
    """Whether an engine called something a refutation that is none: a fault, unless the verifier ran out of time."""
    return "the verifier does not accept" in outcome.reason and "was not re-checked to its end" not in outcome.reason


def chosen(seed: int, every: int) -> list[Report]:
    """The reports of every so-manieth experiment of a grid."""
    return [report for number, report in enumerate(reports(seed)) if number // 3 % every == 0]


def shares(found: list[Outcome], budget: float) -> dict[str, tuple[int, int]]:
    """By line of the map: reports, and how many of them are undecided at a budget."""
    lines: dict[str, tuple[int, int]] = {}
    for line in sorted({outcome.row for outcome in found}):
        mine = [outcome for outcome in found if outcome.row == line]
        left = {o.name for o in mine if o.budget == budget and o.verdict == "undecided"}
        lines[line] = len({o.name for o in mine}), len(left)
    return lines


def main(arguments: list[str]) -> int:
    """Print the map of a grid; status 1 if a true report was flagged, or a refutation did not refute."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--every", type=int, default=1, help="every so-manieth experiment")
    options.add_argument("--budgets", type=float, nargs="+", default=list(BUDGETS))
    options.add_argument("--only", default="", help="reports whose name begins so")
    options.add_argument("--out", type=Path, help="a file of outcomes to go on from")
    given = options.parse_args(arguments)
    known: dict[tuple[str, float], Outcome] = {}
    if given.out is not None and given.out.exists():
        for text in given.out.read_text().splitlines():
            outcome = Outcome(**json.loads(text))
            known[outcome.name, outcome.budget] = outcome
    wanted = [report for report in chosen(given.seed, given.every) if report.name.startswith(given.only)]
    found = []
    for outcome in outcomes(wanted, tuple(given.budgets), known):
        found.append(outcome)
        if (outcome.name, outcome.budget) not in known:
            text = json.dumps(asdict(outcome), ensure_ascii=False)
            sys.stdout.write(text + "\n") if given.out is None else given.out.open("a").write(text + "\n")
    for budget in given.budgets:
        lines = shares(found, budget)
        every, left = (sum(pair[side] for pair in lines.values()) for side in (0, 1))
        sys.stdout.write(f"undecided at {budget:g} s: {left} of {every}\n")
        record(f"averaged reports, true or moved, {budget:g} s", every, f"{left} undecided")
        for line, (count, open_) in lines.items():
            sys.stdout.write(f"  {line:28} {open_:3} of {count}\n")
    sys.stdout.write(f"processor time {sum(outcome.seconds for outcome in found):.0f} s\n")
    refused = [f"{outcome.name} at {outcome.budget:g} s" for outcome in found if _refused(outcome)]
    sys.stdout.write(f"refutations that the verifier rejects: {', '.join(refused) or 'none'}\n")
    record("refutations of averaged reports that the verifier rejects", len(found), str(len(refused)))
    flagged = [outcome.name for outcome in found if outcome.flagged]
    sys.stdout.write(f"true reports flagged: {', '.join(flagged) or 'none'}\n")
    return int(bool(flagged or refused))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
