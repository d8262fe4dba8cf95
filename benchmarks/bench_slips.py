"""How many slips in a table that nobody described are found, asked about, or unnoticed?

Tables are made from drawn confusion matrices and rankings, so that every row is true; then one number of one row is
changed as people do it. Many slips are invisible to anybody: precision and recall exchanged, a last digit within
rounding. Untouched tables must accuse nobody, and no other row than the changed one may be accused.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator

from benchmarks.measure import Row
from scoreproof.documents import read_tables
from scoreproof.papers.auditing import audit

TABLES = 8  # of each form
ROWS = 7
Cells = list[list[str]]


def _of_classes(rng: random.Random) -> tuple[int, int, int]:
    """True positives, positives and negatives."""
    p, n = rng.randint(80, 900), rng.randint(80, 900)
    return round(p * rng.uniform(0.5, 0.99)), p, n


def precisions(rng: random.Random) -> list[str]:
    """Precision, recall and F1 of one class."""
    tp, p, n = _of_classes(rng)
    fp = round(n * rng.uniform(0.02, 0.4))
    return [f"{value:.3f}" for value in (tp / (tp + fp), tp / p, 2 * tp / (p + tp + fp))]


def rates(rng: random.Random) -> list[str]:
    """Sensitivity, specificity, balanced accuracy and the other class's error rate."""
    tp, p, n = _of_classes(rng)
    tn = round(n * rng.uniform(0.5, 0.99))
    return [f"{100 * value:.2f}" for value in (tp / p, tn / n, (tp / p + tn / n) / 2, 1 - tn / n)]


def hits(rng: random.Random) -> list[str]:
    """Hits at 1, 3 and 10 with the mean reciprocal rank."""
    ranks = [max(1, round(rng.paretovariate(0.7))) for _ in range(500)]
    shares = [sum(rank <= k for rank in ranks) / 500 for k in (1, 3, 10)]
    return [f"{value:.3f}" for value in (*shares, sum(1 / rank for rank in ranks) / 500)]


def errors(rng: random.Random) -> list[str]:
    """MAE, MSE and RMSE."""
    off = [rng.gauss(0, 3) for _ in range(300)]
    squares = sum(value * value for value in off) / 300
    return [f"{value:.2f}" for value in (sum(map(abs, off)) / 300, squares, squares**0.5)]


FORMS: dict[str, tuple[tuple[str, ...], Callable[[random.Random], list[str]]]] = {
    "precisions": (("Precision", "Recall", "F1"), precisions),
    "rates": (("Sensitivity", "Specificity", "Balanced accuracy", "FPR"), rates),
    "hits": (("Hits@1", "Hits@3", "Hits@10", "MRR"), hits),
    "errors": (("MAE", "MSE", "RMSE"), errors),
}


def swapped(cells: Cells, row: int, column: int, rng: random.Random) -> None:
    """Two neighbouring digits behind the point change places."""
    whole, _, digits = cells[row][column].partition(".")
    at = rng.randrange(len(digits) - 1)
    cells[row][column] = f"{whole}.{digits[:at]}{digits[at + 1]}{digits[at]}{digits[at + 2 :]}"


def one_digit(cells: Cells, row: int, column: int, rng: random.Random) -> None:
    """One digit is another one."""
    text = cells[row][column]
    at = rng.choice([place for place, char in enumerate(text) if char.isdigit() and place >= text.index(".") - 1])
    cells[row][column] = text[:at] + rng.choice([digit for digit in "0123456789" if digit != text[at]]) + text[at + 1 :]


def exchanged(cells: Cells, row: int, column: int, rng: random.Random) -> None:
    """Two cells of a row change places."""
    other = (column + 1) % len(cells[row])
    cells[row][column], cells[row][other] = cells[row][other], cells[row][column]


def of_next_row(cells: Cells, row: int, column: int, rng: random.Random) -> None:
    """The value of the next row is copied."""
    cells[row][column] = cells[(row + 1) % len(cells)][column]


SLIPS = {
    "digits swapped": swapped,
    "one digit": one_digit,
    "cells exchanged": exchanged,
    "next row's value": of_next_row,
}


def outcomes(heads: tuple[str, ...], cells: Cells) -> list[str]:
    lines = [("Method", *heads), *((f"model {chr(65 + number)}", *row) for number, row in enumerate(cells))]
    text = "\n".join(",".join(line) for line in lines) + "\n"
    result = audit(read_tables(text), explain=False, strength=False, jobs=1)
    return [str(row.outcome) for row in result.rows()]


def rows() -> Iterator[Row]:
    drawn = [(form, seed) for form in FORMS for seed in range(TABLES)]
    accused = 0
    for form, seed in drawn:
        heads, draw = FORMS[form]
        rng = random.Random(f"{form} {seed}")
        accused += bool({"inconsistent", "question"} & {*outcomes(heads, [draw(rng) for _ in range(ROWS)])})
    yield Row("true tables accused", rate=accused / len(drawn), promised_rate=0.0, note=f"{len(drawn)} tables")
    for slip, changed in SLIPS.items():
        counted: Counter[str] = Counter()
        others = 0
        for form, seed in drawn:
            heads, draw = FORMS[form]
            rng = random.Random(f"{form} {seed}")
            cells = [draw(rng) for _ in range(ROWS)]
            row, before = rng.randrange(ROWS), [list(line) for line in cells]
            changed(cells, row, rng.randrange(len(heads)), rng)
            if cells == before:
                continue
            came = outcomes(heads, cells)
            counted[came[row]] += 1
            others += any(outcome == "inconsistent" for place, outcome in enumerate(came) if place != row)
        found, asked, made = counted["inconsistent"], counted["question"], sum(counted.values())
        note = (
            f"{found} found, {asked} asked about, {made - found - asked} unnoticed of {made}; {others} with another row"
        )
        yield Row(f"{slip}: unnoticed", rate=(made - found - asked) / max(1, made), note=note)
