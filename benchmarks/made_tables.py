"""Made tables whose numbers give each other, and slips in them as people make them."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from scoreproof.documents import Table

Grid = list[list[str]]


@dataclass(frozen=True, slots=True)
class Made:
    """A table, the places of its results by line, and which of them (the last of a line) the others give."""

    sort: str
    grid: Grid
    lines: list[list[tuple[int, int]]]

    def table(self, grid: Grid | None = None) -> Table:
        return Table(tuple(map(tuple, grid or self.grid)), 1, "Results")


def _values(rng: random.Random, methods: int, sets: int) -> list[list[float]]:
    """Scores in percent: data sets differ more than methods."""
    level = [rng.uniform(40, 88) for _ in range(sets)]
    shift = [rng.gauss(0, 3) for _ in range(methods)]
    return [[min(99.0, max(2.0, level[j] + shift[i] + rng.gauss(0, 2))) for j in range(sets)] for i in range(methods)]


def _by_columns(sort: str, heads: list[str], lines: list[list[str]]) -> Made:
    grid = [["Method", *heads], *([f"Method {chr(65 + i % 26)}{i // 26 or ''}", *line] for i, line in enumerate(lines))]
    return Made(sort, grid, [[(i + 1, j + 1) for j in range(len(heads))] for i in range(len(lines))])


def averages(rng: random.Random) -> Made:
    sets, digits = rng.randint(3, 8), rng.choice((1, 2))
    rows = _values(rng, rng.randint(6, 14), sets)
    texts = [[f"{x:.{digits}f}" for x in (*row, sum(row) / sets)] for row in rows]
    return _by_columns("average", [*(f"Set {k + 1}" for k in range(sets)), "Avg."], texts)


def mean_row(rng: random.Random) -> Made:
    sets, methods, digits = rng.randint(6, 10), rng.randint(6, 10), rng.choice((1, 2))
    rows = _values(rng, sets, methods)
    rows.append([sum(column) / sets for column in zip(*rows, strict=True)])
    grid = [["Data set", *(f"Method {chr(65 + j)}" for j in range(methods))]]
    grid += [
        [f"Set {i + 1}" if i < sets else "Average", *(f"{x:.{digits}f}" for x in row)] for i, row in enumerate(rows)
    ]
    return Made("average row", grid, [[(i + 1, j + 1) for i in range(sets + 1)] for j in range(methods)])


def f_scores(rng: random.Random) -> Made:
    digits = rng.choice((1, 2))
    pairs = [(rng.uniform(55, 98), rng.uniform(55, 98)) for _ in range(rng.randint(6, 14))]
    texts = [[f"{x:.{digits}f}" for x in (p, r, 2 * p * r / (p + r))] for p, r in pairs]
    return _by_columns("F1", ["Precision", "Recall", "F1"], texts)


def gains(rng: random.Random) -> Made:
    pairs = [(rng.uniform(40, 80), rng.uniform(0.5, 9)) for _ in range(rng.randint(6, 14))]
    texts = [[f"{x:.1f}", f"{x + gain:.1f}", f"+{round(x + gain, 1) - round(x, 1):.1f}"] for x, gain in pairs]
    return _by_columns("gain", ["Baseline", "Ours", "Gain"], texts)


def relative_gains(rng: random.Random) -> Made:
    pairs = [(rng.uniform(5, 80), rng.uniform(1.01, 1.6)) for _ in range(rng.randint(6, 14))]
    texts = [[f"{x:.2f}", f"{x * times:.2f}", f"{100 * (times - 1):.1f}%"] for x, times in pairs]
    return _by_columns("relative gain", ["Before", "After", "Improvement"], texts)


def sums(rng: random.Random) -> Made:
    rows = [[rng.randint(20, 4000) for _ in range(rng.choice((2, 3)))] for _ in range(rng.randint(6, 12))]
    rows = [row[:2] for row in rows]
    return _by_columns("sum", ["Train", "Test", "Total"], [[str(x) for x in (*row, sum(row))] for row in rows])


def shares(rng: random.Random) -> Made:
    rows = [(rng.randint(20, 400), rng.randint(400, 900)) for _ in range(rng.randint(6, 12))]
    texts = [[str(k), str(n), f"{100 * k / n:.1f}"] for k, n in rows]
    return _by_columns("share of counts", ["Correct", "Cases", "Accuracy (%)"], texts)


def complements(rng: random.Random) -> Made:
    rows = [rng.uniform(70, 99) for _ in range(rng.randint(6, 12))]
    return _by_columns("complement", ["Accuracy", "Error"], [[f"{x:.2f}", f"{100 - x:.2f}"] for x in rows])


def ranks(rng: random.Random) -> Made:
    sets, methods = rng.randint(5, 8), rng.randint(6, 10)
    rows = _values(rng, methods, sets)
    order = [sorted((row[j] for row in rows), reverse=True) for j in range(sets)]
    means = [sum(order[j].index(row[j]) + 1 for j in range(sets)) / sets for row in rows]
    texts = [[*(f"{x:.3f}" for x in row), f"{mean:.2f}"] for row, mean in zip(rows, means, strict=True)]
    return _by_columns("mean rank", [*(f"Set {k + 1}" for k in range(sets)), "Avg. rank"], texts)


def orders(rng: random.Random) -> Made:
    rows = [sorted(rng.uniform(5, 90) for _ in range(3)) for _ in range(rng.randint(6, 12))]
    return _by_columns("order", ["Hits@1", "Hits@3", "Hits@10"], [[f"{x:.1f}" for x in row] for row in rows])


SORTS: tuple[Callable[[random.Random], Made], ...] = (
    averages, mean_row, f_scores, gains, relative_gains, sums, shares, complements, ranks, orders,
)  # fmt: skip
SLIPS = ("digit", "swapped cells", "copied cell", "stale result", "result of another line")


def slipped(rng: random.Random, made: Made, slip: str) -> tuple[Grid, int]:
    """The table with one slip, and the line it is in."""
    grid = [list(row) for row in made.grid]
    line = rng.randrange(1, len(made.lines))
    places = made.lines[line]
    row, column = places[-1] if slip in ("stale result", "result of another line") else rng.choice(places)
    if slip == "digit":
        text = grid[row][column]
        at = rng.choice([k for k, char in enumerate(text) if char.isdigit()])
        new = rng.choice([digit for digit in "0123456789" if digit != text[at]])
        grid[row][column] = f"{text[:at]}{new}{text[at + 1 :]}"
    elif slip == "swapped cells":
        (a, b), (c, d) = rng.sample(places, 2)
        grid[a][b], grid[c][d] = grid[c][d], grid[a][b]
    elif slip == "copied cell":
        above = made.lines[line - 1][places.index((row, column))]
        grid[row][column] = grid[above[0]][above[1]]
    elif slip == "result of another line":
        other = rng.choice([k for k in range(len(made.lines)) if k != line])
        a, b = made.lines[other][-1]
        grid[row][column] = grid[a][b]
    else:  # a part was corrected, its result was not
        a, b = rng.choice(places[:-1])
        text = grid[a][b]
        digits = len(text.partition(".")[2])
        grid[a][b] = f"{max(0.0, float(text) * rng.uniform(0.9, 1.1)):.{digits}f}"
    return grid, line


def slips(seed: int) -> Iterator[tuple[Made, str, Grid, int]]:
    """Tables of all sorts in turn, each with one slip."""
    rng = random.Random(seed)
    while True:
        for sort in SORTS:
            made = sort(rng)
            slip = rng.choice(SLIPS)
            grid, line = slipped(rng, made, slip)
            if grid != made.grid:
                yield made, slip, grid, line
