"""Honest papers whose text says how their scores came about: one test set, seeds, folds, random splits, two
cohorts, one split.

The audit reads sizes and designs from the sentences. Nothing it then says may be against such a paper, not even on a
condition: ``python -m benchmarks.honest.texts --cases 500 --seed 1``.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from sklearn.model_selection import train_test_split

from benchmarks.recorded import record
from scoreproof.papers.auditing import audit

_NAMES = ("Accuracy", "Sensitivity", "Specificity", "Precision", "F1")
_UNITS = ("images", "patients", "records", "samples", "recordings")
_WORDS = {3: "three", 5: "five", 10: "ten"}
_BUDGET = 5.0  # seconds of a row
Cells = tuple[int, int, int, int]  # tp, fp, fn, tn


@dataclass(frozen=True, slots=True)
class TextPaper:
    """What a paper says, and the matrices of each of its rows with how they become one value."""

    design: str
    said: str
    rows: tuple[tuple[str, tuple[Cells, ...]], ...]
    pooled: bool = False
    spread: bool = False


def text_paper(number: int, seed: int) -> tuple[str, str]:
    """The design and the LaTeX text of a paper; the same for the same numbers."""
    rng = random.Random(f"{seed} {number}")
    made = _DESIGNS[number % len(_DESIGNS)](rng)
    return made.design, _latex(made, rng)


def judge_text(number: int, seed: int, folder: Path) -> tuple[str, list[str], list[str]]:
    """The design of a paper, the outcomes of its rows, and what was said against it."""
    design, text = text_paper(number, seed)
    file = folder / f"paper{number}.tex"
    file.write_text(text, encoding="utf-8")
    rows = list(audit(file, explain=False, strength=False, budget=_BUDGET).rows())
    against = [f"{seed}:{number} {row}" for row in rows if str(row.outcome) in ("inconsistent", "question")]
    return design, [str(row.outcome) for row in rows], against


def _sizes(rng: random.Random) -> tuple[int, int, str]:
    return rng.randint(40, 400), rng.randint(60, 900), rng.choice(_UNITS)


def _of_test_set(rng: random.Random, p: int, n: int, unit: str) -> str:
    return rng.choice(
        [
            f"The test set consists of {p + n:,} {unit}, of which {p} are positive.",
            f"We evaluated on {p + n:,} {unit} ({p} positive and {n} negative).",
            f"The test set contains {p} positive and {n} negative {unit}.",
            f"The held-out test set has {p + n:,} {unit}.",
        ]
    )


def _answers(rng: random.Random, p: int, n: int, right: float) -> Cells:
    tp, tn = (sum(rng.random() < right for _ in range(count)) for count in (p, n))
    return tp, n - tn, p - tp, tn


def _methods(
    rng: random.Random, sets: Callable[[], Iterable[tuple[int, int]]]
) -> Iterable[tuple[str, tuple[Cells, ...]]]:
    for name in ("ResNet", "DenseNet", "Ours"):
        right = rng.uniform(0.7, 0.97)
        yield name, tuple(_answers(rng, p, n, right) for p, n in sets())


def _one_test_set(rng: random.Random) -> TextPaper:
    p, n, unit = _sizes(rng)
    more = rng.choice(
        ["", "Hyper-parameters were chosen on a validation set.", "The ensemble averages the outputs of five networks."]
    )
    said = f"{_of_test_set(rng, p, n, unit)} {more}"
    return TextPaper("one test set", said, tuple(_methods(rng, lambda: [(p, n)])))


def _seeds(rng: random.Random) -> TextPaper:
    p, n, unit = _sizes(rng)
    k = rng.choice(list(_WORDS))
    how = rng.choice(
        [
            f"All models were trained with {_WORDS[k]} random seeds and we report the mean.",
            f"Results are averaged over {k} runs.",
            f"Each experiment was repeated {_WORDS[k]} times; averages are given.",
            f"We report averages of {_WORDS[k]} independent runs.",
            f"Numbers are means over {_WORDS[k]} different initializations.",
        ]
    )
    rows = tuple(_methods(rng, lambda: [(p, n)] * k))
    return TextPaper("seeds", f"{_of_test_set(rng, p, n, unit)} {how}", rows, spread=rng.random() < 0.5)


def _folds(rng: random.Random) -> TextPaper:
    p, n, unit = _sizes(rng)
    k = rng.choice((5, 10))
    pooled = rng.random() < 0.3
    data = rng.choice(
        [
            f"The data set has {p} positive and {n} negative {unit}.",
            f"In all, {p + n:,} {unit} were included, {p} of them positive.",
        ]
    )
    way = rng.choice(
        [f"We used {k}-fold cross-validation.", f"Performance was estimated by stratified {k}-fold cross-validation."]
    )
    last = (
        "The predictions of all folds were pooled."
        if pooled
        else rng.choice(["", "Scores were averaged over the folds."])
    )
    sets = [(p // k + (fold < p % k), n // k + (fold < n % k)) for fold in range(k)]
    rows = tuple(_methods(rng, lambda: sets))
    return TextPaper("folds", f"{data} {way} {last}", rows, pooled, spread=not pooled and rng.random() < 0.5)


def _splits(rng: random.Random) -> TextPaper:
    p, n, unit = _sizes(rng)
    how = rng.choice(
        [
            r"We split it at random into 80\% for training and 20\% for testing, and repeated this 10 times.",
            "Scores are averaged over 10 random 80/20 splits.",
            "An 80/20 split was drawn ten times, and the mean of all scores is reported.",
        ]
    )

    def drawn() -> list[tuple[int, int]]:
        counts = [p + rng.randint(-15, 15) for _ in range(10)]
        return [(count, p + n - count) for count in counts]

    said = f"The data set has {5 * p:,} positive and {5 * n:,} negative {unit}. {how}"
    return TextPaper("random splits", said, tuple(_methods(rng, drawn)))


def _two_cohorts(rng: random.Random) -> TextPaper:
    p, n, unit = _sizes(rng)
    q, m = rng.randint(30, 200), rng.randint(30, 300)
    said = (
        f"The internal test set has {p} positive and {n} negative {unit}. The external validation cohort comprised "
        f"{q + m} {unit}, {q} of them positive."
    )
    inside, outside = _methods(rng, lambda: [(p, n)]), _methods(rng, lambda: [(q, m)])
    rows = [
        (f"{name} ({where})", own)
        for where, each in (("internal", inside), ("external", outside))
        for name, own in each
    ]
    return TextPaper("two cohorts", said, tuple(rows))


def _one_split(rng: random.Random) -> TextPaper:
    """All cases and one split of them; whether it is stratified is said where it is so."""
    p, n, unit = _sizes(rng)
    share = rng.choice((15, 20, 25, 30))
    classes = [1] * 3 * p + [0] * (2 * n + p)
    by_class = rng.random() < 0.7
    _, test = train_test_split(classes, test_size=share / 100, stratify=classes if by_class else None, random_state=p)
    way = rng.choice(
        [
            f"A stratified {100 - share}/{share} split was used for training and testing.",
            rf"They were split into training ({100 - share}\%) and test ({share}\%) sets, preserving the class ratio.",
        ]
        if by_class
        else [
            f"They were split {100 - share}/{share} at random into training and test sets.",
            f"An {100 - share}/{share} split into training and test sets, stratified by hospital, was used.",
        ]
    )
    said = f"The data set has {len(classes):,} {unit} ({3 * p} positive and {2 * n + p} negative). {way}"
    sizes = sum(test), len(test) - sum(test)
    return TextPaper("one split", said, tuple(_methods(rng, lambda: [sizes])))


_DESIGNS: tuple[Callable[[random.Random], TextPaper], ...] = (
    _one_test_set, _seeds, _folds, _splits, _two_cohorts, _one_split,
)  # fmt: skip


def _values(cells: Cells) -> dict[str, float]:
    tp, fp, fn, tn = cells
    ratios = ((tp + tn, sum(cells)), (tp, tp + fn), (tn, tn + fp), (tp, tp + fp), (2 * tp, 2 * tp + fp + fn))
    return {name: top / below if below else 0.0 for name, (top, below) in zip(_NAMES, ratios, strict=True)}


def _latex(made: TextPaper, rng: random.Random) -> str:
    names = rng.sample(_NAMES, rng.randint(3, 5))
    percent, digits = rng.random() < 0.5, rng.choice((3, 4))
    heads = [f"{name} (\\%)" if percent and rng.random() < 0.5 else name for name in names]
    lines = [
        f"{name} & {' & '.join(_cells(made, matrices, names, percent, digits))} \\\\" for name, matrices in made.rows
    ]
    caption = rng.choice(["Results.", "Comparison of methods.", "Performance on the test data."])
    return "\n".join(
        [
            r"\documentclass{article}\begin{document}\section{Data}", made.said, r"\section{Results}",
            rf"\begin{{table}}\caption{{{caption}}}\begin{{tabular}}{{l{'c' * len(names)}}}\hline",
            rf"Method & {' & '.join(heads)} \\ \hline", *lines, r"\hline\end{tabular}\end{table}\end{document}", "",
        ]
    )  # fmt: skip


def _cells(
    made: TextPaper, matrices: Sequence[Cells], names: Sequence[str], percent: bool, digits: int
) -> Iterable[str]:
    added = tuple(map(sum, zip(*matrices, strict=True)))
    parts = [_values(added)] if made.pooled else [_values(matrix) for matrix in matrices]  # type: ignore[arg-type]
    for name in names:
        values = [part[name] for part in parts]
        text = _printed(statistics.fmean(values), percent, digits)
        yield f"{text} $\\pm$ {_printed(statistics.stdev(values), percent, digits)}" if made.spread else text


def _printed(value: float, percent: bool, digits: int) -> str:
    return f"{100 * value:.{digits - 2}f}" if percent else f"{value:.{digits}f}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    counts: Counter[tuple[str, str]] = Counter()
    against: list[str] = []
    with tempfile.TemporaryDirectory() as name:
        for number in range(options.cases):
            design, outcomes, said = judge_text(number, options.seed, Path(name))
            counts.update((design, outcome) for outcome in outcomes)
            against += said
    for (design, outcome), rows in sorted(counts.items()):
        print(f"{design}: {rows} rows {outcome}")
    print(*against, sep="\n")
    record("honest papers with their text", options.cases, f"{len(against)} rows accused, on a condition or without")
    return 1 if against else 0


if __name__ == "__main__":
    sys.exit(main())
