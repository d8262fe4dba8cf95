"""Rankings in which many cases share few scores: a curve of a few slopes, whose corners are moved one by one.

Ties among positives raise the average precision above that of any ranking without ties, also where no negative is tied
with them. A change that brings the areas
no nearer is taken now and then. Floats propose; whether a curve gives the report is judged exactly, elsewhere.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from itertools import pairwise, product

from scoreproof.kinds.binary.scores import ConfusionMatrix
from scoreproof.kinds.curve.path import Curve, Vertex
from scoreproof.kinds.curve.problem import CurveProblem

_CORNERS = (3, 6, 1)
_CHANGES = 1_500
_BOLD = 0.2


def tied_curves(problem: CurveProblem, matrix: ConfusionMatrix) -> Iterator[Curve]:
    """Curves of few slopes through a matrix that seem to give the areas."""
    aims = {claim.quantity.name: (float(claim.low), float(claim.high)) for claim in problem.areas}
    for corners, tied in product(_CORNERS, (False, True)):
        rng = random.Random(corners)
        kept = (matrix.fp, matrix.tp)
        vertices = _start(rng, matrix, corners)
        cost = _cost(vertices, matrix, aims, tied)
        for number in range(_CHANGES):
            if cost == 0:
                break
            tried = _moved(rng, vertices, kept)
            if tried is None:
                continue
            changed = _cost(tried, matrix, aims, tied)
            boldness = _BOLD * cost * (1 - number / _CHANGES)
            if changed <= cost or rng.random() < math.exp((cost - changed) / boldness) * _BOLD:
                vertices, cost = tried, changed
        yield Curve(tuple(vertices), matrix, sides_tied=tied)


def _start(rng: random.Random, matrix: ConfusionMatrix, corners: int) -> list[Vertex]:
    """Corners on both sides of the operating point, each up and to the right of the one before."""
    found: list[Vertex] = [(0, 0)]
    for (a, b), (c, d) in (((0, 0), (matrix.fp, matrix.tp)), ((matrix.fp, matrix.tp), (matrix.n, matrix.p))):
        across = sorted(rng.randint(a, c) for _ in range(corners))
        up = sorted(rng.randint(b, d) for _ in range(corners))
        found += [*zip(across, up, strict=True), (c, d)]
    return sorted(set(found))


def _moved(rng: random.Random, vertices: list[Vertex], kept: Vertex) -> list[Vertex] | None:
    """One corner elsewhere between its neighbours; None if that one is not to be moved."""
    place = rng.randrange(len(vertices))
    if place in (0, len(vertices) - 1) or vertices[place] == kept:
        return None
    (a, b), (x, y), (c, d) = vertices[place - 1 : place + 2]
    if rng.random() < 0.5:
        vertex = rng.randint(a, c), rng.randint(b, d)
    else:
        vertex = min(max(x + rng.randint(-1, 1), a), c), min(max(y + rng.randint(-1, 1), b), d)
    if vertex in vertices:
        return None
    return [*vertices[:place], vertex, *vertices[place + 1 :]]


def _cost(vertices: list[Vertex], matrix: ConfusionMatrix, aims: dict[str, tuple[float, float]], tied: bool) -> float:
    """How far the areas are outside of their claims, in their widths; with ``tied`` straight sides are ties, too."""
    p, n = matrix.p, matrix.n
    area = precise = 0.0
    right = n
    for (a, b), (c, d) in pairwise(vertices):
        area += (c - a) * (b + d)
        right = max(right, d + n - c)
        if d > b:
            precise += sum(i / (a + i) for i in range(b + 1, d + 1)) if a == c and not tied else (d - b) * d / (c + d)
    values = {"auc": area / (2 * p * n), "ap": precise / p, "auprc": precise / p, "best_acc": right / (p + n)}
    total = 0.0
    for name, (low, high) in aims.items():
        total += max(0.0, low - values[name], values[name] - high) / (high - low + 1e-12)
    return total
