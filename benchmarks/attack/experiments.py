"""Experiments too large to list: folds, repeats, sets, trees."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from benchmarks.attack.attack import Attack, command, snippet

_BODIES = (
    *(
        f"sp.check(sp.KFold(50, 60, {k}, stratified=False), {{'{score}': '0.912'}})"
        for k in (10**9, 10**31)
        for score in ("acc", "f1")
    ),
    *(
        f"sp.check(sp.KFold({size}, {size}, {k}, stratified=False), {{'{score}': '0.9123'}}, budget=5)"
        for size, k in ((10**9, 10), (10**31, 10), (10**9, 10**9), (10**31, 10**31))
        for score in ("acc", "f1", "mcc")
    ),
    *(
        f"sp.check(sp.KFold(10**6, 10**6, 100_000{more}), {{'{score}': '0.9123'}}, budget=5)"
        for more in ("", ", stratified=False")
        for score in ("acc", "f1", "bacc")
    ),
    *(
        f"sp.check(sp.KFold(50, 60, 10, repeats={repeats}{more}), {{'{score}'}} and {{'{score}': '{text}'}}, budget=5)"
        for repeats in (10_000, 10**9, 10**31)
        for more in ("", ", stratified=False")
        for score, text in (("f1", "0.9123"), ("acc", "0.91234567"), ("f1", "0.912 ± 0.021"))
    ),
    *(
        f"sp.check(sp.{way}([sp.TestSet(100 + k, 300 + k) for k in range({count})]), {{'{score}': '{text}'}}, budget=5)"
        for way in ("MeanOfScores", "ScoreOfMeans", "UnknownAggregation")
        for count in (100, 20_000)
        for score, text in (("f1", "0.91234"), ("acc", "0.912345678"), ("f1", "0.912 ± 0.021"))
    ),
    "sp.check(sp.MeanOfScores([sp.TestSet(3000 + k, 30_000 + k) for k in range(300)]), {'f1': '0.9123', 'mcc': '0.5', 'acc': '0.9'}, budget=5)",
    "sp.check(sp.MeanOfScores([sp.TestSet(3, 4)] * 10**7), {'f1': '0.9123'}, budget=5)",
    *(
        f"tree = sp.TestSet(3, 4)\nfor _ in range(2000):\n    tree = sp.{way}([tree, sp.TestSet(5, 6)])\n"
        "sp.check(tree, {'f1': '0.9'}, budget=5)"
        for way in ("MeanOfScores", "ScoreOfMeans", "UnknownAggregation")
    ),
    *(
        f"tree = sp.TestSet(3, 4)\nfor _ in range({depth}):\n    tree = sp.UnknownAggregation([tree, sp.TestSet(5, 6)])\n"
        "sp.check(tree, {'f1': '0.9'}, budget=5)"
        for depth in (16, 24, 40)
    ),
    "tree = sp.TestSet(3, 4)\nfor _ in range(40):\n    tree = sp.UnknownAggregation([tree, tree])\nsp.check(tree, {'f1': '0.9'}, budget=5)",
    "tree = sp.TestSet(3, 4)\nfor _ in range(40):\n    tree = sp.MeanOfScores([tree, tree])\nsp.check(tree, {'f1': '0.9'}, budget=5)",
    "sp.check(sp.UnknownAggregation([sp.UnknownAggregation([sp.TestSet(3, 4), sp.TestSet(k + 5, 6)]) for k in range(30)]), {'f1': '0.9'}, budget=5)",
    "tree = {'type': 'testset', 'p': 3, 'n': 4}\nfor _ in range(2000):\n    tree = {'type': 'mean_of_scores', 'parts': [tree]}\nsp.experiment_from_dict(tree)",
    "str(sp.KFold(50, 60, 10**31, repeats=10**31))",
    "sp.power(sp.KFold(50, 60, 10, repeats=10_000), ['f1'], 3, trials=2, budget=2)",
    "sp.check(sp.KFold(50, 60, 10, repeats=10_000), {'f1': '0.9123'}, budget=5).strength",
    "sp.check(sp.KFold(50, 60, 10, repeats=10_000), {'f1': '0.91234'}, budget=5).explain(budget=5)",
)  # fmt: skip


def _file(name: str, tree: Any, *more: str) -> Attack:
    def make(folder: Path) -> list[str]:
        file = folder / "experiment.json"
        file.write_text(tree if isinstance(tree, str) else json.dumps(tree))
        return command("check", "--experiment", str(file), "f1=0.9", "--budget", "5", *more)

    return Attack("experiments", name, make)


def _nested(way: str, depth: int) -> str:
    return f'{{"type": "{way}", "parts": [' * depth + '{"type": "testset", "p": 3, "n": 4}' + "]}" * depth


ATTACKS = [
    *(snippet("experiments", body) for body in _BODIES),
    *(_file(f"{way} nested {depth} deep", _nested(way, depth))
      for way in ("mean_of_scores", "score_of_means", "unknown_aggregation") for depth in (100, 900, 2_000, 100_000)),
    _file("60,000 test sets", {"type": "mean_of_scores", "parts": [{"type": "testset", "p": 3 + k % 50, "n": 4} for k in range(60_000)]}),
    _file("numbers of 5,000 digits", '{"type": "testset", "p": ' + "9" * 5000 + ', "n": 4}'),
    _file("a list", "[" * 100_000),
]  # fmt: skip
