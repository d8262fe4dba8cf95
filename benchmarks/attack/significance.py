"""Claims of significance, on the command line and in specifications: long texts, large samples, many folds and methods."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.attack.attack import Attack, command

_LONG = "9" * 5000
_SIZES = ("0", "-1", "1000000000", "9" * 18, _LONG, "x", "\udc80")
_TEXTS = (
    "", "x", "0.912 (", "0.912 (0.880-0.938", "0.912 (0.938-0.880)", f"0.{_LONG} (0.8-0.9)", "0.9 " * 25_000, "(" * 100_000,
    "0.912 (0.880-0.938)" * 5_000, "±" * 50_000, "0.9 ± " + "0" * 50_000, "1e999999999 (0-1)", "-" * 100_000, "0.912 [0.880; 0.938]",
    "95% CI " * 15_000, "\x1b[31m0.9 (0.8-0.95)", "\udc80", "0.9±nan", "1/0 (0-1)", "0 (0-0)", "99 (98-100)", " " * 100_000,
)  # fmt: skip
_P_VALUES = (
    "",
    "p",
    "p<",
    "p<0",
    "p=2",
    f"p=0.{_LONG}",
    "p<1e-999999999",
    "p<" * 50_000,
    "<0.05",
    "p=1e-90",
    "p=-1",
    "n.s.",
    "\udc80",
)


def _line(*arguments: str) -> Attack:
    shown = " ".join(text if len(text) < 30 else f"{text[:16]}... ({len(text):,})" for text in arguments)
    return Attack("significance", f"claim {shown}", lambda folder: command("claim", *arguments))


def _specification(name: str, *claims: dict[str, Any]) -> Attack:
    document = {
        "datasets": {"lesions": {"p": 75, "n": 304}},
        "experiments": {"test": {"dataset": "lesions"}},
        "tables": [
            {"name": "Table 1", "experiment": "test", "grid": [["Method", "Acc"], ["A", "0.90"], ["B", "0.95"]]}
        ],
        "claims": list(claims),
    }

    def make(folder: Path) -> list[str]:
        (folder / "paper.yaml").write_text(json.dumps(document), encoding="utf-8")
        return command("audit", "paper.yaml", "--jobs", "1", "--budget", "2")

    return Attack("significance", f"specification: {name}", make)


def _whole(make: Callable[[str], Attack], texts: tuple[str, ...]) -> list[Attack]:
    return [make(text) for text in texts]


_WRONG: tuple[Any, ...] = (
    None,
    [],
    {},
    True,
    -1,
    1e308,
    "x" * 4_000,
    [[[]]],
    ["1"] * 2_000,
    {"a": {"b": 1}},
    10**60,
    "9" * 90,
)
_EVERYWHERE: tuple[Any, ...] = (None, [], "9" * 90, 10**60)
_CLAIMS: tuple[dict[str, Any], ...] = (
    {"claim": "interval", "value": "0.912 (0.880-0.938)", "n": 400},
    {"claim": "auc_interval", "value": "0.803 (0.688-0.917)", "p": 29, "n": 39},
    {"claim": "spread", "value": "0.88 ± 0.03", "k": 5, "sizes": 20},
    {"claim": "mean_of", "mean": "0.9", "values": ["0.8", "0.82"]},
    {"claim": "p_value", "test": "t", "statistic": "2.1", "df": ["9"], "p": "p=0.03"},
    {"claim": "paired", "a": "0.90 ± 0.02", "b": "0.88 ± 0.02", "k": 5, "p": "p<0.05", "test_share": "0.25"},
    {"claim": "means", "a": "0.90 ± 0.02", "b": "0.88 ± 0.02", "n": 10, "p": "p<0.05"},
    {"claim": "signed_rank", "k": 5, "p": "p=0.03"},
    {"claim": "mcnemar", "a": "0.93", "b": "0.92", "n": 200, "p": "p<0.05"},
    {"claim": "mcnemar", "a": "0.93", "b": "0.92", "n": 200, "discordant": [6, 4], "p": "p<0.05"},
    {"claim": "proportions", "a": "0.93", "b": "0.90", "n": 200, "p": "p<0.05"},
    {"claim": "auc_difference", "a": "0.93", "b": "0.90", "p": 50, "n": 60, "pvalue": "p<0.05"},
    {
        "claim": "ranks",
        "means": ["1.5", "2.0", "2.5"],
        "datasets": 10,
        "alpha": "0.05",
        "chi2": "5",
        "f": "3",
        "cd": "1.05",
    },
    {"claim": "family", "p_values": ["0.01", "0.04"], "method": "holm"},
)
ATTACKS = [
    *_whole(lambda text: _line("interval", text, "--n", "400"), _TEXTS),
    *_whole(lambda text: _line("interval", text), _TEXTS),
    *_whole(lambda size: _line("interval", "0.912 (0.880-0.938)", "--n", size), _SIZES),
    _line("interval", "0.912345678 (0.912345677-0.912345679)"),
    _line("interval", "0.5 (0.4-0.6)", "--n", "100000000", "--method", "clopper-pearson"),
    _line("interval", "0.912 (0.880-0.938)", "--level", "1e-99", "--n", "400"),
    _line("interval", "0.912 (0.880-0.938)", "--level", "0." + "9" * 90, "--n", "400"),
    *_whole(lambda text: _line("auc-interval", text, "--p", "29", "--n", "39"), _TEXTS),
    *_whole(lambda size: _line("auc-interval", "0.803 (0.688-0.917)", "--p", size, "--n", "39"), _SIZES),
    _line("auc-interval", "0.803 (0.688-0.917)", "--p", "100000", "--n", "100000"),
    *_whole(lambda text: _line("spread", text, "--k", "5", "--sizes", "20"), _TEXTS),
    *_whole(lambda size: _line("spread", "0.880 ± 0.031", "--k", size, "--sizes", "20"), _SIZES),
    _line("spread", "0.880 ± 0.031", "--k", "2000", "--sizes", "1000000"),
    _line("spread", "0.880 ± 0.031", "--k", "5", "--sizes", ",".join(["9"] * 60_000)),
    _line("spread", "0.880 ± 0.031", "--k", "5", "--sizes", "1" + "0" * 17),
    _line("spread", "0.880 ± 0.031", "--k", "5", "--bounds", f"0,{_LONG}"),
    _line("spread", "0.880 ± 0.031", "--k", "5", "--bounds", "1e-99,1e99"),
    _line("mean-of", "0.9", *(["0.8"] * 20_000)),
    _line("mean-of", "0.9", *(f"0.{_LONG[:90]}" for _ in range(1_000)), "--sd", "0.1"),
    _line("mean-of", "0.9", _LONG),
    *_whole(lambda size: _line("signed-rank", "p=0.03", "--k", size), _SIZES),
    *_whole(lambda text: _line("signed-rank", text, "--k", "5"), _P_VALUES),
    _line("signed-rank", "p=0.03", "--k", "3000", "--statistic", "17"),
    _line("signed-rank", "p=0.03", "--k", "30", "--statistic", _LONG),
    *_whole(lambda size: _line("mcnemar", "0.93", "0.92", "p<0.05", "--n", size), _SIZES),
    *_whole(lambda text: _line("mcnemar", "0.93", "0.92", text, "--n", "200"), _P_VALUES),
    _line("mcnemar", "0.93", "0.92", "p=0.0312", "--n", "1000000", "--method", "any"),
    _line("mcnemar", "0.93", "0.92", "p=0.0312", "--n", "100000000000", "--method", "mid-p"),
    _line("mcnemar", "0.93", "0.92", "p<0.05", "--n", "200", "--discordant", f"{'9' * 17},{'9' * 17}"),
    _line("mcnemar", f"{_LONG}/{_LONG}", "1/0", "p<0.05"),
    _line("ranks", *(["1.5"] * 3_000), "--datasets", "10"),
    *_whole(lambda size: _line("ranks", "1.50", "2.00", "2.50", "--datasets", size), _SIZES),
    _line("ranks", "1.50", "2.00", "2.50", "--datasets", "10", *(word for k in range(3_000) for word in ("--different", f"{k},{k}"))),
    *_whole(lambda text: _line("p-value", "t", text, "p=0.03", "--df", "9"), _TEXTS),
    *_whole(lambda df: _line("p-value", "t", "2.1", "p=0.03", "--df", df), _SIZES),
    _line("p-value", "F", "1e90", "p=0.03", "--df", "1000000000,1000000000"),
    *_whole(lambda size: _line("paired", "0.90 ± 0.02", "0.88 ± 0.02", "p<0.05", "--k", size), _SIZES),
    *_whole(lambda size: _line("means", "0.90 ± 0.02", "0.88 ± 0.02", "p<0.05", "--n", size), _SIZES),
    *_whole(lambda size: _line("proportions", "0.93", "0.90", "p<0.05", "--n", size), _SIZES),
    _line("proportions", "0.93", "0.90", "p=0.0312", "--n", "1000000", "--test", "fisher"),
    *_whole(lambda size: _line("auc-difference", "0.93", "0.90", "p<0.05", "--p", size, "--n", "60"), _SIZES),
    _line("family", *(["p=0.01"] * 20_000), "--method", "hommel"),
    _line("family", *(["p=0.01"] * 20_000), "--method", "holm", *(word for k in range(2_000) for word in ("--significant", str(k)))),
    *(_specification(f"{claim['claim']} with wrong values of {key}", *({**claim, key: value} for value in _WRONG))
      for claim in _CLAIMS for key in claim if key != "claim"),
    *(_specification(f"{claim['claim']} with {value!r:.20}", {**claim, **{key: value for key in claim if key != "claim"}})
      for claim in _CLAIMS for value in _EVERYWHERE),
    _specification("3,000 claims", *([_CLAIMS[0]] * 3_000)),
    _specification("3,000 different claims", *({**_CLAIMS[8], "n": 200 + k} for k in range(3_000))),
    _specification("a claim of a text of 4 MB", {"claim": "interval", "text": "x" * 4_000_000, "value": "0.9 (0.8-0.95)", "n": 40}),
    _specification("an unknown claim", {"claim": "\x1b[31m" * 1_000}),
]  # fmt: skip
