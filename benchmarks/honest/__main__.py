"""``python -m benchmarks.honest``: 20,000 honest reports, 500 honest documents, and their dishonest twins.

Exit status 1 if anything honest was called inconsistent.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from rich.console import Console
from rich.table import Table

from benchmarks.honest.judging import Failure, Tally, ask, words
from benchmarks.honest.papers import judge_paper, paper
from benchmarks.honest.reports import report
from benchmarks.honest.running import run
from benchmarks.honest.twins import Rates, run_twins
from benchmarks.recorded import record

_MOST_GROUPS = 60


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=20_000, help="reports through check")
    parser.add_argument("--documents", type=int, default=500, help="documents through audit")
    parser.add_argument("--twins", type=int, help="dishonest reports; a fifth of the honest ones if not said")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--journal", type=Path, help="a file to go on from after an interruption")
    parser.add_argument("--replay", metavar="SEED:INDEX", help="show one report, or one document (SEED:dINDEX)")
    options = parser.parse_args()
    console = Console(soft_wrap=True, width=None if sys.stdout.isatty() else 180)
    if options.replay:
        return replay(options.replay, console)
    whole = Tally()
    for kind, count in (("reports", options.cases), ("documents", options.documents)):
        tally = run(kind, count, options.seed, jobs=options.jobs, console=console, journal=options.journal)
        console.print(f"honest {kind}, {count}, seed {options.seed}: {_counts(tally)}", highlight=False)
        record(f"honest {kind}", count, f"{len(tally.failures)} accused")
        whole.add(tally)
    show_refused(whole, console)
    show_failures(whole.failures, console)
    twins = options.cases // 5 if options.twins is None else options.twins
    show_rates(run_twins(twins, options.seed, jobs=options.jobs), console)
    return 1 if whole.failures else 0


def _counts(tally: Tally) -> str:
    return ", ".join(f"{number} {what}" for what, number in tally.asked.most_common() if number)


def show_refused(tally: Tally, console: Console) -> None:
    """What ``check`` or ``audit`` declined to answer, by the words of the error."""
    for said, number in tally.refused.most_common(20):
        console.print(f"refused {number} times: {said}", markup=False, highlight=False)


def show_failures(failures: list[Failure], console: Console) -> None:
    """The accused, grouped by cause, each group with an example."""
    groups: dict[tuple[str, str, str], list[Failure]] = {}
    for failure in failures:
        groups.setdefault(failure.cause, []).append(failure)
    ranked = sorted(groups.items(), key=lambda group: -len(group[1]))[:_MOST_GROUPS]
    if not ranked:
        console.print("no honest report was accused")
        return
    table = Table("flagged", "cause", "experiment", "options", "replay")
    for cause, members in ranked:
        table.add_row(str(len(members)), *cause, members[0].place)
    console.print(table, soft_wrap=False)
    for _, members in ranked:
        console.print(min((member.words for member in members), key=len), markup=False, highlight=False)


def show_rates(rates: Rates, console: Console) -> None:
    """How often each slip was noticed, and how often it could have been."""
    table = Table(
        "slip", "injected", "found", "of these refused", "undecided", "single matrices", "impossible by brute force",
        "found of those", "found though possible",
    )  # fmt: skip
    for slip, rate in sorted(rates.items()):
        table.add_row(
            slip, str(rate["injected"]), f"{rate['found']} ({rate['found'] / max(1, rate['injected']):.0%})",
            str(rate["refused"]), str(rate["undecided"]), str(rate["tried"]), str(rate["impossible"]),
            str(rate["found impossible"]), str(rate["wrongly found"]),
        )  # fmt: skip
    console.print(table, soft_wrap=False)


def replay(place: str, console: Console) -> int:
    """One report or document again, with everything about it."""
    seed, _, index = place.partition(":")
    if index.startswith("d"):
        with tempfile.TemporaryDirectory() as folder:
            made = paper(int(seed), int(index[1:]), Path(folder))
            for sheet in made.sheets:
                console.print(f"{sheet}\n", markup=False, highlight=False)
            for name, specification in made.specifications.items():
                console.print(f"{name}: {specification}\n", markup=False, highlight=False)
        tally = judge_paper(int(seed), int(index[1:]))
        console.print(_counts(tally))
        show_failures(tally.failures, console)
        return 1 if tally.failures else 0
    again = report(int(seed), int(index))
    if again is None:
        console.print("this number gives no report")
        return 0
    verdicts = [ask(question) for question in again.questions]
    for question, verdict in zip(again.questions, verdicts, strict=True):
        console.print(f"{verdict}: {words(again, question)}", markup=False, highlight=False)
    return 1 if "inconsistent" in verdicts else 0


if __name__ == "__main__":
    sys.exit(main())
