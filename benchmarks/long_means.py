"""Long runs over means of scores, in parts that resume.

    python -m benchmarks.long_means true --cases 20000 --out true.jsonl     true reports, 5 s each: none flagged
    python -m benchmarks.long_means nested --cases 500 --out nested.jsonl   means of means with a ±, likewise
    python -m benchmarks.long_means tiny --cases 2000 --out tiny.jsonl      against trying everything, all options

A run that was interrupted goes on where its file ends. Budgets are seconds of processor time. What was drawn follows
from the seed and the number of the case alone.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

from benchmarks import fuzz_averages, tiny_means
from benchmarks.average_map import processor_time
from benchmarks.recorded import record

_RUNS: dict[str, tuple[Callable[[int], Iterator[Any]], Callable[[Any], str], float]] = {
    "true": (fuzz_averages.true_reports, partial(fuzz_averages.judge_true, budget=5.0), 0.01),
    "nested": (fuzz_averages.nested_reports, partial(fuzz_averages.judge_true, budget=5.0), 0.05),
    "tiny": (tiny_means.reports, partial(tiny_means.judge, budget=20.0), 0.0),
}


def main(arguments: list[str]) -> int:
    """Go on with a run; status 1 if anything was wrong or too much is undecided."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("run", choices=sorted(_RUNS))
    options.add_argument("--cases", type=int, default=20_000)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--seconds", type=float, default=float("inf"), help="stop after so long, to resume later")
    options.add_argument("--out", type=Path, required=True, help="the file of answers to go on from")
    given = options.parse_args(arguments)
    make, judge, allowed = _RUNS[given.run]
    answers = [json.loads(line)["answer"] for line in given.out.read_text().splitlines()] if given.out.exists() else []
    end = time.monotonic() + given.seconds
    with processor_time(), given.out.open("a", encoding="utf-8") as out:
        for number, case in enumerate(islice(make(given.seed), len(answers), given.cases), len(answers)):
            if time.monotonic() > end:
                break
            answer = judge(case)
            answers.append(answer)
            out.write(json.dumps({"case": number, "answer": answer}, ensure_ascii=False) + "\n")
            out.flush()
    tally = Counter("wrong" if answer[0].isupper() else answer.split(" ")[0] for answer in answers)
    sys.stdout.write(f"{given.run} means: {len(answers)} of {given.cases}, seed {given.seed}: {dict(tally)}\n")
    record(f"{given.run} means", len(answers), f"{tally['wrong']} wrong, {tally['undecided']} undecided")
    for answer in answers:
        if answer[0].isupper() or answer.startswith("undecided ("):
            sys.stdout.write(answer + "\n")
    return int(tally["wrong"] > 0 or tally["undecided"] > allowed * len(answers))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
