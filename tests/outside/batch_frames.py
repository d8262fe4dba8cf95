"""Frames of reports for the tests of batches: true ones, some with a moved score, some with folds."""

from __future__ import annotations

import csv
import random
from pathlib import Path

import scoreproof as sp

SCORES = ("acc", "sens", "spec", "f1")
HEADER = ("study", "p", "n", "folds", *SCORES)


def reports(count: int, *, folds_every: int = 0, seed: int = 1) -> list[tuple[str, ...]]:
    """One in seven has a moved score; every so many have folds."""
    rng = random.Random(seed)
    made = []
    for index in range(count):
        p, n = rng.randint(20, 400), rng.randint(20, 900)
        tp, tn = rng.randint(p // 2, p), rng.randint(n // 2, n)
        matrix = sp.ConfusionMatrix(tp, n - tn, p - tp, tn)
        texts = [matrix.score(name, digits=4) or "" for name in SCORES]
        if index % 7 == 0:
            place = rng.randrange(len(texts))
            texts[place] = f"{min(1.0, float(texts[place]) + rng.randint(20, 300) / 10_000):.4f}"
        folds = "5" if folds_every and index % folds_every == 1 else ""
        if folds:
            p, n, texts = 30, 60, ["0.8000", f"0.7{rng.randint(0, 999):03d}", "", ""]
        made.append((f"study {index % 5}", str(p), str(n), folds, *texts))
    return made


def write_csv(path: Path, rows: list[tuple[str, ...]]) -> Path:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(HEADER)
        writer.writerows(rows)
    return path


def content(folder: Path) -> dict[str, bytes]:
    """Every file of a folder."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}
