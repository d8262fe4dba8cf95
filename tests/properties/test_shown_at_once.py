"""Many reports on one matrix each: what arrays show to be possible is what each report alone is answered."""

from __future__ import annotations

import random
from typing import Any

import scoreproof as sp
from scoreproof.checking.ask import ask, shown_at_once
from scoreproof.kinds import kind_named

NAMES = ("acc", "sens", "spec", "ppv", "f1", "npv", "mcc")


def reports(seed: int, count: int) -> list[Any]:
    """True reports and changed ones, of all sizes, with digits of many lengths, ± and other experiments among them."""
    rng, kind = random.Random(seed), kind_named("binary")
    problems = []
    for _ in range(count):
        p, n = (rng.choice((1, 5, 60, 4_000, 2**27, 2**33)) + rng.randrange(9) for _ in "pn")
        tp, tn = rng.randrange(p + 1), rng.randrange(n + 1)
        fn, fp = p - tp, n - tn
        values = [(tp + tn, p + n), (tp, p), (tn, n), (tp, tp + fp), (2 * tp, 2 * tp + fp + fn), (tn, tn + fn)]
        true = {name: num / max(den, 1) for name, (num, den) in zip(NAMES, values, strict=False)}
        digits, texts = rng.choice((1, 3, 4, 6)), {}
        for name in rng.sample(NAMES, rng.randrange(2, 6)):
            value = true.get(name, rng.random()) + rng.choice((0, 0, 0, 0, 0, 0.01))
            longer = rng.random() < 0.05
            texts[name] = f"{min(value, 1.0):.{digits + longer}f}"
        experiment: Any = sp.TestSet(p, n)
        if rng.random() < 0.1:
            experiment = sp.MeanOfScores([sp.TestSet(5, 7), sp.TestSet(6, 8)])
        problems.append(kind.problem(experiment, texts, rounding=rng.choice(("any", "nearest", "ceil"))))
    return problems


def test_what_is_shown_at_once_is_what_each_report_alone_is_answered() -> None:
    problems: list[Any] = [*reports(7, 900), None]
    answers = shown_at_once(problems)
    assert len(answers) == len(problems)
    assert answers[-1] is None
    shown = [(problem, answer) for problem, answer in zip(problems, answers, strict=True) if answer is not None]
    assert 30 < len(shown) < 800
    for problem, answer in shown:
        alone = ask(problem)
        assert answer.problem is problem
        assert (answer.verdict, answer.witness, answer.notes) == (alone.verdict, alone.witness, alone.notes)


def test_of_a_few_reports_each_is_asked_alone() -> None:
    assert shown_at_once(reports(8, 20)) == [None] * 20
