"""Reports on several classes against all matrices there are, with every score, average and convention.

Brute force knows nothing of cells, rows and bounds. ``make fuzz`` runs many more of these.
"""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest
from tests.class_reports import all_labels, all_matrices, random_report

import scoreproof as sp
from scoreproof.errors import InvalidValue
from scoreproof.kinds.multi_class import branch_and_bound as engine

SIZES = [(3, 2, 4), (4, 4, 4), (1, 6, 3), (0, 4, 5), (2, 2, 3, 2), (6, 5, 1), (3, 3, 0, 3), (5, 2, 2)]
LABELS = [((2, 3), 4), ((1, 2, 2), 3), ((0, 3), 3), ((4,), 6)]


@pytest.mark.parametrize(
    ("seed", "listing", "cases"),
    [(0, True, 40), (1, True, 40), (5, False, 16)],
    ids=["listed", "listed, too", "by bounds and cuts"],
)
def test_every_verdict_is_that_of_brute_force(
    seed: int, listing: bool, cases: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where only the smallest parts may be listed, so that bounds and cuts have to do the work."""
    if not listing:
        monkeypatch.setattr(engine, "_FEW", 4)
    rng = random.Random(seed)
    verdicts: Counter[str] = Counter()
    steps: Counter[str] = Counter()
    for _ in range(cases):
        every = all_matrices(rng.choice(SIZES if listing else SIZES[:1]))
        report = random_report(rng, rng.choice(every))
        if not report.texts:
            continue
        try:
            answer = sp.check(sp.MultiClass(report.n), report.scores, budget=20, **report.options, strict=True)
        except InvalidValue:
            continue  # moved beyond 2, where a percentage is asked for
        possible = any(map(report.given_by, every))
        verdicts[str(answer.verdict)] += 1
        assert str(answer.verdict) == ("consistent" if possible else "inconsistent"), (report, answer.reason)
        if answer.proof is not None:
            assert sp.verify(answer.certificate or {})
            for proof in answer.proof.get("cases", [answer.proof]):
                steps.update(step[0] for step in proof["steps"])
    assert min(verdicts["consistent"], verdicts["inconsistent"]) > cases // 6
    assert steps["list" if listing else "bound"], steps


@pytest.mark.parametrize("seed", range(2))
def test_labels_agree_with_brute_force(seed: int) -> None:
    rng = random.Random(seed)
    verdicts: Counter[str] = Counter()
    for _ in range(50):
        n, total = rng.choice(LABELS)
        every = list(all_labels(n, total))
        report = random_report(rng, rng.choice(every), whole=False)
        if not report.texts:
            continue
        try:
            answer: Any = sp.check(sp.MultiLabel(n, total), report.scores, budget=20, **report.options, strict=True)
        except InvalidValue:
            continue
        possible = any(map(report.given_by, every))
        verdicts[str(answer.verdict)] += 1
        assert str(answer.verdict) == ("consistent" if possible else "inconsistent"), (report, answer.reason)
    assert min(verdicts["consistent"], verdicts["inconsistent"]) > 8
