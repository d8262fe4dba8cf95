"""Class reports against all confusion matrices of three classes and up to nine cases."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

import pytest

import scoreproof as sp
from scoreproof.asking import ask
from scoreproof.kinds.class_report.problem import class_report

NAMES = ("ppv", "sens", "f1")
CASES = 150
Matrix = tuple[tuple[int, ...], ...]
Span = tuple[Fraction, Fraction]
HALVES = {"any": (2, 2), "nearest": (1, 1), "floor": (0, 2), "ceil": (2, 0)}


@cache
def rows_with_sum(n: int, k: int = 3) -> tuple[tuple[int, ...], ...]:
    return tuple(row for row in product(range(n + 1), repeat=k) if sum(row) == n)


def matrices(supports: tuple[int, ...]) -> Iterator[Matrix]:
    return product(*map(rows_with_sum, supports))


def ratio(matrix: Matrix, i: int, name: str) -> tuple[int, int]:
    tp, n, q = matrix[i][i], sum(matrix[i]), sum(row[i] for row in matrix)
    return {"ppv": (tp, q), "sens": (tp, n), "f1": (2 * tp, n + q)}[name]


def span(text: str, rounding: str) -> Span:
    unit = Fraction(1, 10 ** len(text.partition(".")[2]))
    below, above = HALVES[rounding]
    return Fraction(text) - below * unit / 2, Fraction(text) + above * unit / 2


def inside(value: Fraction | int, ends: Span) -> bool:
    return ends[0] <= value <= ends[1]


class Report:
    """A report in texts, and whether a matrix gives it: plainly, from the definitions."""

    def __init__(self, supports: tuple[int, ...], rounding: str, undefined: str, averages_of: str) -> None:
        self.supports, self.rounding, self.undefined, self.averages_of = supports, rounding, undefined, averages_of
        self.own: list[dict[str, str]] = [{} for _ in supports]
        self.accuracy: str | None = None
        self.averages: dict[str, dict[str, str]] = {"macro": {}, "weighted": {}}

    def problem(self) -> Any:
        return class_report(
            [(f"class {i}", n, self.own[i]) for i, n in enumerate(self.supports)],
            accuracy=self.accuracy,
            **self.averages,
            rounding=self.rounding,
            undefined=self.undefined,
            averages_of=self.averages_of,
        )

    def usual(self) -> tuple[int, ...]:
        return {"zero": (0,), "one": (1,), "any": (0, 1)}[self.undefined]

    def given_by(self, matrix: Matrix) -> bool:
        for i, own in enumerate(self.own):
            for name, text in own.items():
                num, den = ratio(matrix, i, name)
                values = [Fraction(num, den)] if den else list(map(Fraction, self.usual()))
                if not any(inside(value, span(text, self.rounding)) for value in values):
                    return False
        right, total = sum(matrix[i][i] for i in range(len(matrix))), sum(self.supports)
        if self.accuracy is not None and not inside(Fraction(right, total), span(self.accuracy, self.rounding)):
            return False
        return all(
            self._average(matrix, kind, name, text)
            for kind, scores in self.averages.items()
            for name, text in scores.items()
        )

    def _average(self, matrix: Matrix, kind: str, name: str, text: str) -> bool:
        ends = span(text, self.rounding)
        weights = [1] * len(self.supports) if kind == "macro" else list(self.supports)
        if self.averages_of == "any":
            if self._of_texts(name, weights, ends):
                return True
            if name == "f1":
                low, high, known = self._of_means(kind, weights)
                if known and low <= ends[1] and high >= ends[0]:
                    return True
                if not known and high >= ends[0]:
                    ends = (Fraction(0), ends[1])  # an F1 of averages is at least the average F1
        low = high = Fraction(0)
        for i, weight in enumerate(weights):
            values = self._counted(matrix, i, name)
            low, high = low + weight * min(values), high + weight * max(values)
        return low / sum(weights) <= ends[1] and high / sum(weights) >= ends[0]

    def _of_texts(self, name: str, weights: list[int], ends: Span) -> bool:
        """Whether it is the average of the printed values."""
        if not all(name in own for own in self.own):
            return False
        texts = sum(w * Fraction(own[name]) for w, own in zip(weights, self.own, strict=True))
        return inside(texts / sum(weights), ends)

    def _of_means(self, kind: str, weights: list[int]) -> tuple[Fraction, Fraction, bool]:
        """2PR / (P + R) of the average precision and recall, as printed or as the rows leave them."""
        corners: list[list[Fraction]] = [[], []]
        known = True
        for part in ("ppv", "sens"):
            spans = [span(own[part], self.rounding) for own in self.own if part in own]
            if part in self.averages[kind]:
                both = span(self.averages[kind][part], self.rounding)
            elif len(spans) == len(self.own):
                low, high = (sum(w * s[end] for w, s in zip(weights, spans, strict=True)) for end in (0, 1))
                both = Fraction(low, sum(weights)), Fraction(high, sum(weights))
            else:
                both, known = (Fraction(0), Fraction(1)), False
            for corner, value in zip(corners, both, strict=True):
                corner.append(max(value, Fraction(0)))
        low, high = (2 * x * y / (x + y) if x + y else Fraction(0) for x, y in corners)
        return low, high, known

    def _counted(self, matrix: Matrix, i: int, name: str) -> list[Fraction]:
        num, den = ratio(matrix, i, name)
        text = self.own[i].get(name)
        if den == 0:
            fitting = [x for x in self.usual() if text is None or inside(x, span(text, self.rounding))]
            return list(map(Fraction, fitting))
        if name == "f1" and num == 0 and text is None and self.undefined == "any":
            return [Fraction(0), Fraction(1)]
        return [Fraction(num, den)]


def printed(value: Fraction, digits: int, rounding: str) -> str:
    scaled = value * 10**digits
    units = {"floor": scaled.__floor__(), "ceil": scaled.__ceil__()}.get(rounding, round(scaled))
    return f"{units // 10**digits}.{units % 10**digits:0{digits}d}"


def random_report(rng: random.Random) -> Report:
    """The report of a random matrix, most of the time with something changed."""
    total = rng.randint(1, 9)
    cuts = sorted(rng.randint(0, total) for _ in range(2))
    supports = (cuts[0], cuts[1] - cuts[0], total - cuts[1])
    rounding = rng.choice(list(HALVES))
    undefined = rng.choice(["any", "zero", "one"])
    report = Report(supports, rounding, undefined, rng.choice(["any", "scores"]))
    digits = rng.choice([1, 2, 2, 3])
    fill = Fraction(rng.choice(report.usual()))
    # Classes of different matrices are possible each and rarely together.
    sources = [tuple(rng.choice(rows_with_sum(n)) for n in supports) for _ in range(rng.choice([1, 1, 2, 3]))]
    changed, slipped = rng.choice([(0.0, 0.0), (0.0, 0.3), (0.1, 0.1)])

    def text(value: Fraction, chance: float) -> str:
        if rng.random() < chance:
            value = min(Fraction(1), max(Fraction(0), value + Fraction(rng.choice([-20, -5, -1, 1, 5, 20]), 100)))
        return printed(value, digits, rounding)

    values = {
        (i, name): Fraction(num, den) if den else fill
        for i, source in enumerate(rng.choices(sources, k=3))
        for name in NAMES
        for num, den in [ratio(source, i, name)]
    }
    share = rng.choice([0.2, 0.5, 1.0])
    for (i, name), value in values.items():
        if rng.random() < share:
            report.own[i][name] = text(value, changed)
    if rng.random() < 0.6:
        matrix = sources[0]
        report.accuracy = text(Fraction(sum(matrix[i][i] for i in range(3)), total), slipped)
    for name in NAMES:
        if rng.random() < 0.4:
            report.averages["macro"][name] = text(sum(values[i, name] for i in range(3)) / 3, slipped)
        if rng.random() < 0.3:
            weighted = sum(supports[i] * values[i, name] for i in range(3)) / total
            report.averages["weighted"][name] = text(weighted, slipped)
    return report


@pytest.mark.parametrize("seed", range(8))
def test_every_verdict_is_that_of_brute_force(seed: int) -> None:
    rng = random.Random(seed)
    verdicts: Counter[str] = Counter()
    proofs: Counter[str] = Counter()
    for _ in range(CASES):
        report = random_report(rng)
        if not any(report.own) and report.accuracy is None and not any(report.averages.values()):
            continue
        possible = any(report.given_by(matrix) for matrix in matrices(report.supports))
        answer = ask(report.problem())
        verdicts[str(answer.verdict)] += 1
        assert str(answer.verdict) == ("consistent" if possible else "inconsistent"), (vars(report), answer)
        if answer.witness is not None:
            assert report.given_by(tuple(map(tuple, answer.witness.matrix)))
        else:
            certificate: Mapping[str, Any] = answer.certificate or {}
            assert sp.verify(certificate)
            proofs[certificate["proof"]["kind"]] += 1
    assert min(verdicts["consistent"], verdicts["inconsistent"]) > CASES // 5
    assert min(proofs[kind] for kind in ("class", "sums", "average", "listing")) > 0, proofs


def test_two_classes_are_the_binary_problem() -> None:
    """A report on two classes is one binary matrix seen from both sides."""
    rng = random.Random(5)
    mirrored = {"ppv": "npv", "sens": "spec", "f1": "f1n"}
    seen: Counter[str] = Counter()
    for _ in range(300):
        p, n = rng.randint(0, 30), rng.randint(1, 30)
        tp, tn = rng.randint(0, p), rng.randint(0, n)
        matrix = ((tn, n - tn), (p - tp, tp))
        undefined, rounding = rng.choice(["zero", "one"]), rng.choice(list(HALVES))
        own: list[dict[str, str]] = [{}, {}]
        for i in range(2):
            for name in NAMES:
                num, den = ratio(matrix, i, name)
                value = Fraction(num, den) if den else Fraction(undefined == "one")
                if rng.random() < 0.15:
                    value = min(Fraction(1), value + Fraction(rng.randint(1, 6), 100))
                if rng.random() < 0.8:
                    own[i][name] = printed(value, 2, rounding)
        accuracy = printed(Fraction(tp + tn, p + n), 2, rounding)
        if not own[0] and not own[1]:
            continue
        scores = dict(own[1]) | {mirrored[name]: text for name, text in own[0].items()} | {"acc": accuracy}
        binary = sp.check(sp.TestSet(p, n), scores, rounding=rounding, undefined=undefined)
        problem = class_report(
            [("no", n, own[0]), ("yes", p, own[1])], accuracy=accuracy, rounding=rounding, undefined=undefined
        )
        assert ask(problem).verdict == binary.verdict, (own, accuracy, p, n)
        seen[str(binary.verdict)] += 1
    assert min(seen["consistent"], seen["inconsistent"]) > 50
