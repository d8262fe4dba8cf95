"""True reports of areas, rankings and detectors, made by scikit-learn and numpy and printed as programs print.

None may be flagged. ``python -m benchmarks.fuzz_kinds --cases 20000 --seed 1 --journal FILE`` runs all of them, and
every ranking of up to five positives and five negatives against an enumeration; with the journal of an interrupted run
what is done is left out. Averages, errors and pairs of models are those of ``fuzz_without_counts``. Refutations of
errors, pairs, rankings and detectors are found before any example is looked for, so ``--budget 0.02`` plays many of
them in little time and misses none that would be flagged; more of them are then undecided.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import scoreproof as sp
from benchmarks import fuzz_without_counts
from benchmarks.honest.printing import CHANCES, PRINTERS
from benchmarks.recorded import record
from benchmarks.resuming import counted

Generator = np.random.Generator
BUDGET = 3.0  # seconds for a report


class TrueReport(NamedTuple):
    """An experiment, what it truly gave, and options of the check that say so."""

    experiment: Any
    values: dict[str, float]
    options: dict[str, Any]


def curves(rng: Generator) -> TrueReport:
    """A classifier's scores with and without ties, thresholded somewhere; areas and scores by scikit-learn."""
    from sklearn import metrics

    p, n = (int(rng.integers(1, rng.choice([6, 40, 400]))) for _ in range(2))
    labels = np.repeat([1, 0], [p, n])
    scores = rng.normal(labels * rng.uniform(-0.5, 3), 1)
    tied = bool(rng.random() < 0.5)
    if tied:
        scores = np.round(scores, int(rng.integers(0, 2)))
    said = (scores >= rng.choice([*scores, 99.0])).astype(int)
    precision, recall, _ = metrics.precision_recall_curve(labels, scores)
    tp, tn = int(said[:p].sum()), int(n - said[p:].sum())
    values = {
        "auc": metrics.roc_auc_score(labels, scores),
        "ap": metrics.average_precision_score(labels, scores),
        "auprc": metrics.auc(recall, precision)
        if rng.random() < 0.5
        else metrics.average_precision_score(labels, scores),
        "best_acc": max(float(np.mean((scores >= t) == labels)) for t in [*scores, np.inf]),
        "acc": metrics.accuracy_score(labels, said),
        "sens": tp / p,
        "spec": tn / n,
        "f1": metrics.f1_score(labels, said, zero_division=0),
        "ppv": metrics.precision_score(labels, said, zero_division=0),
        "mcc": metrics.matthews_corrcoef(labels, said),
    }
    names = ["auc"] if rng.random() < 0.7 else ["ap"] if rng.random() < 0.5 else ["auprc"]
    if rng.random() < 0.3:
        names = ["auc", str(rng.choice(["ap", "best_acc"]))]
    names += [
        str(name) for name in rng.choice(["acc", "sens", "spec", "f1", "ppv", "mcc"], int(rng.integers(0, 4)), False)
    ]
    experiment: Any = sp.TestSet(p, n)
    options = {} if tied or len(set(scores)) < len(scores) else {"ties": False}
    if names[0] == "auc" and len(names) > 2 and "ap" not in names and "best_acc" not in names and rng.random() < 0.1:
        experiment = sp.UnknownClasses()
    return TrueReport(experiment, {name: float(values[name]) for name in names}, options)


def folds(rng: Generator) -> TrueReport:
    """Means of AUC, sensitivity and specificity over stratified folds."""
    from sklearn import metrics

    k = int(rng.integers(2, 6))
    sets = [tuple(int(rng.integers(1, 30)) for _ in range(2)) for _ in range(k)]
    rows = []
    for p, n in sets:
        labels = np.repeat([1, 0], [p, n])
        scores = np.round(rng.normal(labels * rng.uniform(-1, 3), 1), 1)
        said = scores >= rng.normal(0.5, 1)
        rows.append((metrics.roc_auc_score(labels, scores), np.mean(said[:p]), 1 - np.mean(said[p:])))
    auc, sens, spec = np.mean(rows, axis=0)
    return TrueReport(
        sp.MeanOfScores([sp.TestSet(*each) for each in sets]), {"auc": auc, "sens": sens, "spec": spec}, {}
    )


def rankings(rng: Generator) -> TrueReport:
    """Ranks of one relevant item per query, and the usual means of them by numpy."""
    queries = int(rng.integers(1, rng.choice([5, 50, 2000])))
    candidates = int(rng.choice([3, 20, 1000, 40_000]))
    ranks = 1 + np.minimum(rng.pareto(rng.uniform(0.3, 2), queries), candidates - 1).astype(np.int64)
    values: dict[str, Any] = {f"hits@{k}": np.mean(ranks <= k) for k in (1, 3, 5, 10, 50)}
    values |= {"p@5": np.mean(ranks <= 5) / 5, "mrr": np.mean(1 / ranks), "mr": np.mean(ranks)}
    values["mrr@10"] = np.mean(np.where(ranks <= 10, 1 / ranks, 0))
    values["ndcg@10"] = np.mean(np.where(ranks <= 10, 1 / np.log2(1 + ranks), 0))
    values["ndcg"] = np.mean(1 / np.log2(1 + ranks))
    names = [str(name) for name in rng.choice(list(values), int(rng.integers(1, 6)), False)]
    known = candidates if rng.random() < 0.3 else None
    return TrueReport(sp.Ranking(queries, known), {name: float(values[name]) for name in names}, {})


def _matched(overlaps: Any, threshold: float) -> list[bool]:
    """Which detections, in order of their confidence, find an object that is still free: the one they overlap most."""
    taken: set[int] = set()
    right = []
    for row in overlaps:
        free = [(value, place) for place, value in enumerate(row) if place not in taken and value >= threshold]
        if free:
            taken.add(max(free)[1])
        right.append(bool(free))
    return right


def _coco(right: list[bool], objects: int) -> float:
    """The average precision read off at 101 recalls."""
    found = np.cumsum(right)
    precision = np.maximum.accumulate((found / np.arange(1, len(right) + 1))[::-1])[::-1] if right else np.array([])
    places = np.searchsorted(found / objects, np.linspace(0, 1, 101), side="left")
    return float(np.mean([precision[place] if place < len(precision) else 0.0 for place in places]))


def _of_small_objects(rng: Generator, data: list[Any]) -> dict[str, float]:
    """Precision and recall of some of the objects; those of other sizes and what finds them are left out."""
    precisions, recalls = [], []
    for overlaps in data:
        small, small_boxes = rng.random(overlaps.shape[1]) < 0.6, rng.random(overlaps.shape[0]) < 0.6
        if not small.any():
            continue
        order = np.argsort(~small, kind="stable")  # objects that count are taken first
        for t in range(50, 100, 5):
            counted = _matched(overlaps[:, order[: small.sum()]], t / 100)
            others = overlaps[:, ~small].max(axis=1, initial=0.0) >= t / 100
            kept = [right for right, other, own in zip(counted, others, small_boxes, strict=True)
                    if right or (own and not other)]  # fmt: skip
            precisions.append(_coco(kept, int(small.sum())))
            recalls.append(sum(kept) / int(small.sum()))
    if not precisions:
        return {}
    return {"ap_small": float(np.mean(precisions)), "ar_small": float(np.mean(recalls))}


def detectors(rng: Generator) -> TrueReport:
    """Detections that overlap objects by chance, matched as COCO does at ten overlaps, for a few classes."""
    classes = int(rng.integers(1, 4))
    sizes = [(int(rng.integers(1, 12)), int(rng.integers(1, 15))) for _ in range(classes)]
    data = [rng.beta(rng.uniform(0.5, 4), 1, (d, g)) * (rng.random((d, g)) < 0.5) for g, d in sizes]
    at = {t: [_matched(overlaps, t / 100) for overlaps in data] for t in range(50, 100, 5)}
    precisions = {t: np.mean([_coco(r, g) for r, (g, _) in zip(right, sizes, strict=True)]) for t, right in at.items()}
    values = {f"ap{t}": float(value) for t, value in precisions.items()}
    values["map"] = float(np.mean(list(precisions.values())))
    values["ar100"] = float(
        np.mean([np.mean([sum(r) / g for r, (g, _) in zip(right, sizes, strict=True)]) for right in at.values()])
    )
    objects, kept = sum(g for g, _ in sizes), sum(d for _, d in sizes)
    tp = sum(sum(right) for right in at[50])
    pooled = {"sens": tp / objects, "ppv": tp / kept, "f1": 2 * tp / (objects + kept)}
    if classes > 1 and rng.random() < 0.4:  # with classes stated these would be means over them
        return TrueReport(sp.Detection(objects), {**pooled, **{name: values[name] for name in ("map", "ap50")}}, {})
    if classes == 1:
        values |= pooled
    if classes == 1:
        values["max_recall"] = values["sens"]
    for t in (50, 75):
        each = [_coco(r, g) for r, (g, _) in zip(at[t], sizes, strict=True)]
        values |= {f"ap{t} of class {k}": value for k, value in enumerate(each, start=1)}
    if rng.random() < 0.3:
        values |= _of_small_objects(rng, data)
    names = [str(name) for name in rng.choice(list(values), int(rng.integers(1, 9)), False)]
    return TrueReport(sp.Detection(objects, classes), {name: values[name] for name in names}, {})


MAKERS: dict[str, Callable[[Generator], TrueReport]] = {
    "curve": curves,
    "curves over folds": folds,
    "ranking": rankings,
    "detection": detectors,
}


def printed(rng: Generator, made: TrueReport) -> dict[str, str]:
    """The values as one program prints them."""
    printer = PRINTERS[str(rng.choice(list(PRINTERS), p=CHANCES))]
    digits = int(rng.integers(1, 6))
    texts = {name: printer.write(np.float64(value), digits) for name, value in made.values.items()}
    return {name: text for name, text in texts.items() if name != "mr" or "%" not in text}


def judged(kind: str, number: int, seed: int, budget: float = BUDGET) -> tuple[str, str]:
    """The verdict on one true report, and the report in words."""
    rng = np.random.default_rng([seed, number])
    made = MAKERS[kind](rng)
    texts = printed(rng, made)
    if not texts:
        return "nothing to print", ""
    try:
        answer = sp.check(made.experiment, texts, budget=budget, **made.options, strict=True)
    except sp.ScoreproofError as error:  # such as 1.2e+03, whose last digit stands above the decimal point
        return "refused", f"{kind} {number}: {error}"
    return str(answer.verdict), f"{kind} {number}: {answer} (truly {made.values})"


def _run(kind: str, number: int, seed: int, budget: float = BUDGET) -> str:
    verdict, words = judged(kind, number, seed, budget)
    return f"FALSE ALARM {words}" if verdict == "inconsistent" else verdict


def _run_without_counts(make: Callable[[Any], Iterator[Any]], number: int, seed: int, budget: float = BUDGET) -> str:
    return fuzz_without_counts.judge(next(make([seed, number])), budget)


RUNS: dict[str, Callable[..., str]] = {
    **{kind: partial(_run, kind) for kind in MAKERS},
    "averages": partial(_run_without_counts, fuzz_without_counts.averages),
    "errors": partial(_run_without_counts, fuzz_without_counts.errors),
    "pairs": partial(_run_without_counts, fuzz_without_counts.pairs),
}


def areas_through(p: int, n: int, *, ties: bool) -> dict[tuple[int, int], set[int]]:
    """For every operating point (fp, tp) the 2 p n AUC of all rankings through it, by adding up all walks."""
    steps = [(x, y) for x in range(n + 1) for y in range(p + 1) if x + y and (ties or x + y == 1)]
    to: dict[tuple[int, int], set[int]] = {(x, y): set() for x in range(n + 1) for y in range(p + 1)}
    to[0, 0] = {0}
    onwards: dict[tuple[int, int], set[int]] = {place: set() for place in to}
    onwards[n, p] = {0}
    for (x, y), areas in to.items():
        for dx, dy in steps:
            if (x + dx, y + dy) in to:
                to[x + dx, y + dy] |= {area + dx * (2 * y + dy) for area in areas}
    for x, y in reversed(list(to)):
        for dx, dy in steps:
            if (x + dx, y + dy) in to:
                onwards[x, y] |= {area + dx * (2 * y + dy) for area in onwards[x + dx, y + dy]}
    return {place: {a + b for a in to[place] for b in onwards[place]} for place in to}


def wrong_areas(p: int, n: int, *, ties: bool) -> Iterator[str]:
    """What is decided otherwise than by the enumeration, of every operating point and every area on the grid."""
    for (fp, tp), possible in areas_through(p, n, ties=ties).items():
        scores = {"sens": Fraction(tp, p), "spec": Fraction(n - fp, n)}
        for half_cells in range(2 * p * n + 1):
            answer = sp.check(
                sp.TestSet(p, n), {"auc": Fraction(half_cells, 2 * p * n), **scores}, eps=0, ties=ties, strict=True
            )
            if answer.verdict != ("consistent" if half_cells in possible else "inconsistent"):
                yield f"p={p}, n={n}, fp={fp}, tp={tp}, {half_cells} half cells: {answer}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kind", choices=list(RUNS))
    parser.add_argument("--journal", type=Path)
    parser.add_argument("--budget", type=float, default=BUDGET, help="seconds for each report")
    parser.add_argument("--largest", type=int, default=5, help="classes of the enumerated rankings")
    options = parser.parse_args()
    flagged = 0
    for kind in [options.kind] if options.kind else RUNS:
        run = partial(RUNS[kind], budget=options.budget)
        what = kind if options.budget == BUDGET else f"{kind}, {options.budget:g} s"
        tally = counted(what, run, options.cases, options.seed, options.journal)
        wrong_ones = [words for words in tally if words.startswith("FALSE ALARM")]
        flagged += len(wrong_ones)
        told = {words: number for words, number in tally.items() if words not in wrong_ones}
        sys.stdout.write("".join(f"{words}\n" for words in wrong_ones))
        record(f"true reports, {kind}", options.cases, f"{len(wrong_ones)} flagged, {tally['undecided']} undecided")
        sys.stdout.write(
            f"{what}: {options.cases} true reports, seed {options.seed}: {told}, {len(wrong_ones)} flagged\n"
        )
    if options.kind:
        return 1 if flagged else 0
    sizes = range(1, options.largest + 1)
    wrong = [words for p in sizes for n in sizes for ties in (True, False) for words in wrong_areas(p, n, ties=ties)]
    sys.stdout.write("".join(f"{words}\n" for words in wrong))
    record(f"all rankings up to {options.largest} and {options.largest}", 1, f"{len(wrong)} wrong")
    sys.stdout.write(f"all rankings up to {options.largest} and {options.largest}: {len(wrong)} wrong\n")
    return 1 if flagged or wrong else 0


if __name__ == "__main__":
    sys.exit(main())
