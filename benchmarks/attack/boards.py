"""Results of evaluation harnesses, boards, model cards, printed lists of scores, and folders of them as a batch.

Deep, wide, of wrong types, huge numbers, keys given twice, links that lead out; and tables of numbers computed from
each other, whose findings are relations and questions.
"""

from __future__ import annotations

import io
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.attack.attack import Attack, command, snippet

_WRONG: tuple[Any, ...] = (
    None,
    True,
    -1,
    1e308,
    "x",
    "nan",
    [],
    [[]],
    {},
    {"a": {"b": 1}},
    "9" * 4_000,
    "\x1b[31m",
    "\u202e",
)
_TASK = '{{"results": {{"arc": {{"acc,none": {0}, "acc_stderr,none": 0.01}}}}, "n-samples": {{"arc": {{"effective": {1}}}}}}}'
_NUMBERS = (
    "1e999999999",
    "-1e-999999999",
    "1E+5000",
    "9" * 4_000,
    "0." + "9" * 4_000,
    "-0",
    "NaN",
    "Infinity",
    "1e-90",
    "0" * 50,
)


def _results(**changes: Any) -> str:
    document = {"results": {"arc": {"acc,none": 0.5, "acc_stderr,none": 0.01}}, "n-samples": {"arc": {"effective": 9}}}
    return json.dumps(document | {key.replace("_", "-"): value for key, value in changes.items()})


_RESULTS: dict[str, Callable[[], str]] = {
    **{f"a score of {number[:12]}": lambda number=number: _TASK.format(number, 9) for number in _NUMBERS},  # type: ignore[misc]
    **{f"answers of {number[:12]}": lambda number=number: _TASK.format("0.5", number) for number in _NUMBERS},  # type: ignore[misc]
    **{f"{key} is {value!r:.20}": lambda key=key, value=value: _results(**{key: value})  # type: ignore[misc]
       for key in ("results", "n_samples", "model_name") for value in _WRONG},
    "60,000 tasks": lambda: _results(results={f"t{k}": {"acc,none": 0.5} for k in range(60_000)}),
    "5,000 scores": lambda: _results(results={"t": {f"s{k},none": 0.5 for k in range(5_000)}}),
    "1,999 scores of 99 tasks": lambda: _results(results={f"t{j}": {f"s{k},none": 0.5 for k in range(1_900)} for j in range(99)}),
    "different scores of every task": lambda: _results(results={f"t{j}": {f"s{j}_{k},none": 0.5 for k in range(40)} for j in range(49)}),
    "names that are one": lambda: _results(results={"t": {"acc,none": 0.5, "acc, none": 0.6, "acc ,none": 0.7, "acc": 0.8}}),
    "a key twice": lambda: '{"results": {"arc": {"acc,none": 0.5, "acc,none": 0.9}}}',
    "commas": lambda: _results(results={"t": {"," * 100_000: 0.5, ",none": 0.5, "acc_stderr,none": 0.1}}),
    "a name of 4 MB": lambda: _results(results={"x" * 4_000_000: {"acc,none": 0.5}}),
    "a model of 4 MB": lambda: _results(model_name="<b>" * 1_300_000),
    "nested 100,000 deep": lambda: '{"results": {"arc": {"acc,none": ' + "[" * 100_000,
    "half a file": lambda: _results()[:-25],
    "half a character": lambda: _results().replace("arc", "\\ud800"),
    "zero bytes": lambda: _results().replace("arc", "\\u0000"),
    "statistics of wrong types": lambda: json.dumps([{"name": value, "mean": 0.5, "sum_squared": 1} for value in _WRONG] + [
        {"name": {"name": value, "split": value, "perturbation": value}, "mean": value, "sum_squared": 1} for value in _WRONG]),
    "statistics without end": lambda: '[{"name": {"name": "acc", "split": "test"}, "mean": 0.5, "sum_squared": 1}' + ',{"name": {"name": "acc"}, "mean": 1}' * 60_000 + "]",
    "2,500 splits": lambda: json.dumps([{"name": {"name": f"s{k % 80}", "split": f"t{k}"}, "mean": 0.5, "sum_squared": 1} for k in range(2_500)]),
    "instances of everything": lambda: json.dumps([{"name": {"name": "num_instances", "split": "t"}, "mean": m, "sum_squared": 1} for m in (-1, 1e300, 0.5)]),
    "a specification in it": lambda: '{"n-samples": {}, "tables": [{"file": "hunter2.csv"}], "results": {"a": {"acc": 0.5}}}',
}  # fmt: skip
_CARD = "model-index:\n- name: m\n  results:\n  - task: {{type: t}}\n    dataset: {{name: d}}\n    metrics:\n{0}"
_METRIC = "    - {{type: {0}, value: {1}}}\n"
_CARDS: dict[str, Callable[[], str]] = {
    "10,000 metrics": lambda: _CARD.format("".join(_METRIC.format(f"m{k}", "0.5") for k in range(10_000))),
    "the same metric 10,000 times": lambda: _CARD.format(_METRIC.format("accuracy", "0.5") * 10_000),
    "numbers": lambda: _CARD.format("".join(_METRIC.format("accuracy", number) for number in (*_NUMBERS, ".inf", "0x1f", "1_000", "1:30", "~"))),
    "values of wrong types": lambda: _CARD.format("".join(_METRIC.format(f"m{k}", json.dumps(value)) for k, value in enumerate(_WRONG))),
    "2,000 models": lambda: "model-index:\n" + _CARD.format(_METRIC.format("accuracy", "0.5")).removeprefix("model-index:\n") * 2_000,
    "an index of itself": lambda: "model-index: &a\n- name: m\n  results: *a\n",
    "a tag": lambda: "model-index: !!python/object/apply:os.system ['touch pwned']\n",
    "front matter without end": lambda: "---\n" + _CARD.format(_METRIC.format("accuracy", "0.5")) + "- " * 300_000,
    "front matter and a list": lambda: "---\n" + _CARD.format(_METRIC.format("accuracy", "0.5")) + "---\n\n- Accuracy: 0.9\n- F1: 0.8\n" * 5_000,
    "averages of lists": lambda: _CARD.format("    - {type: f1, value: 0.5, args: {average: [macro, micro]}}\n    - {type: f1, value: 0.5, args: " + "[" * 38 + "]" * 38 + "}\n"),
}  # fmt: skip
_LISTS: dict[str, Callable[[], str]] = {
    "60,000 lines": lambda: "- Accuracy: 0.91\n- F1: 0.90\n" * 30_000,
    "60,000 printed lines": lambda: "```\n" + "SVM: Acc=0.91, F1=0.90\n" * 60_000 + "```\n",
    "other names in every line": lambda: "```\n" + "".join(f"SVM: Acc{k}=0.91, F1=0.90\n" for k in range(30_000)) + "```\n",
    "a line of 2 MB": lambda: "- Accuracy: 0." + "9" * 2_000_000 + "\n- F1: 0.9\n",
    "names without end": lambda: ("- " + "Accuracy " * 20 + ": 0.9\n") * 5_000,
    "blanks": lambda: ("- Accuracy" + " " * 180 + ": 0.9\n") * 5_000,
    "signs": lambda: "- Accuracy: " + "± " * 90 + "\n- F1: <>~≈0.9 ± ± 0.1\n- Recall: 0.,,..9%%\n",
    "pairs without end": lambda: ("SVM: " + "A=0.9, " * 27 + "B=0.9\n") * 5_000,
    "equal signs": lambda: ("a" * 60 + "=" * 130 + "\n") * 5_000,
    "marks": lambda: ("- " + "*_`" * 60 + ": **0.9**\n") * 5_000,
    "numbers": lambda: "- Accuracy: 0." + "9" * 150 + "\n- F1: " + "9" * 150 + "\n- Recall: 1.2.3.4,5\n",
    "a share of 10^180 cases": lambda: "- Accuracy: 0.91\n- F1: 0.90\n- Support: " + "9" * 150 + "\n",
}  # fmt: skip


def _columns(count: int, value: str, rows: int, last: str = "Average") -> str:
    head = ",".join(["Method", *(f"Task{k}" for k in range(count)), last])
    return head + "\n" + "".join(",".join([f"m{j}", *[value] * count, "0.5"]) + "\n" for j in range(rows))


#: Tables of numbers that are computed from each other: what is found in them are relations, and questions.
_RELATED: dict[str, Callable[[], str]] = {
    "an average of 1,900 columns": lambda: _columns(1_900, "0.9", 20),
    "averages of 99 digits": lambda: _columns(300, "0." + "9" * 90, 60),
    "20,000 averages": lambda: _columns(5, "0.9", 19_000),
    "60 averages of each other": lambda: ",".join(["Method", *["Average"] * 60]) + "\n" + (",".join(["m", *["0.5"] * 60]) + "\n") * 200,
    "differences of everything": lambda: ",".join(["Method", *["Δ", "Diff", "Gain (%)", "Improvement", "Acc"] * 30]) + "\n" + "".join(",".join([f"m{j}", *[f"0.{j:03}"] * 150]) + "\n" for j in range(200)),
    "divided by 0": lambda: "Method,A,B,Gain (%),F1,P,R\n" + "x,0,0,0,0,0,0\n" * 200 + "y,0.0,-0.0,1e9,0,0,0\n",
    "negative parts": lambda: "Method,Precision,Recall,F1,G-mean\n" + "x,-0.5,-0.5,-0.5,-0.5\n" * 200,
    "shares of huge numbers": lambda: "Method,N,Correct,Acc (%)\n" + f"x,{'9' * 90},{'9' * 89},12.3\n" * 200,
    "totals of 10^90": lambda: "Class,TP,FP,Total\n" + f"x,{'9' * 90},{'9' * 90},1\n" * 500 + "Total,1,1,1\n",
    "p values of nobody": lambda: "Method,t,df,p\n" + f"x,{'9' * 90},{'9' * 90},0.05\n" * 200 + "y,-1,-1,<0.0001\nz,1e90,0,1.5\n",
    "marks on every cell": lambda: "Method,A,B,Average\n" + "x†‡*,**0.9**,0.9\u0332↑,0.9▲(+0.1)\n" * 2_000,
    "questions without end": lambda: "Method,Acc,Sens,Spec,F1\n" + "".join(f"m{k},0.9{k % 97:02},0.8{k % 89:02},0.7{k % 83:02},0.6{k % 79:02}\n" for k in range(12)) + "\nThe test set had 300 cases, 38 of them positive.\n",
}  # fmt: skip


def _board(make: Callable[[Any], Any]) -> bytes:
    import pyarrow
    from pyarrow import parquet

    out = io.BytesIO()
    parquet.write_table(pyarrow.table(make(pyarrow)), out)
    return out.getvalue()


_BOARDS: dict[str, Callable[[], bytes]] = {
    "no Parquet": lambda: b"PAR1" + b"\xff" * 5_000 + b"PAR1",
    "half a board": lambda: _board(lambda _: {"model": ["a"] * 50, "acc": [0.5] * 50})[:-30],
    "3,000 columns": lambda: _board(lambda _: {f"c{k}": ["1"] for k in range(3_000)}),
    "5,000,000 rows packed": lambda: _board(lambda arrow: {"acc": arrow.array([0.5]).take(arrow.array([0] * 5_000_000))}),
    "cells of 200 MB packed": lambda: _board(lambda arrow: {"model": ["x" * 100_000_000] * 2, "acc": [0.5, 0.6]}),
    "wrong types": lambda: _board(lambda arrow: {"model": [b"\xff", b"\x1b[31m"], "acc": [[0.5], [None]], "f1": [{"a": 1}, {"a": 2}], "n": [float("nan"), float("inf")]}),
    "lists in lists": lambda: _board(lambda arrow: {"model": ["a"], "acc": [[[[[[[1.0] * 1_000]] * 100]]]]}),
    "no rows": lambda: _board(lambda arrow: {"model": arrow.array([], "string"), "acc": arrow.array([], "double")}),
    "no columns": lambda: _board(lambda arrow: {}),
    "names": lambda: _board(lambda _: {"\x1b[31m": ["a"], "": ["0.5"], "acc" * 9_000: ["0.5"], "\u202eacc": ["0.6"]}),
    "days of nobody": lambda: _board(lambda arrow: {"model": ["a"], "acc": arrow.array([2**62], arrow.timestamp("us")), "n": arrow.array([2**62], arrow.duration("s"))}),
}  # fmt: skip


def _read(place: str, name: str, make: Callable[[], str | bytes], suffix: str, verb: str = "audit") -> Attack:
    more = ["--budget", "1", "--jobs", "1"] if verb == "audit" else []

    def prepare(folder: Path) -> list[str]:
        made = make()
        data = made if isinstance(made, bytes) else made.encode("utf-8", "surrogatepass")
        (folder / f"paper{suffix}").write_bytes(data)
        return command(verb, f"paper{suffix}", *more)

    return Attack("boards", f"{place}: {name} ({verb})", prepare, watched=True)


def _fill(folder: Path, name: str) -> None:
    """A folder of documents as somebody hostile would leave it."""
    good = _results()
    if name == "2,000 documents":
        for number in range(2_000):
            (folder / f"r{number}.json").write_text("{" if number % 2 else "x", encoding="utf-8")
    elif name == "links that lead out":
        for link, target in (
            ("a.csv", "../hunter2"),
            ("b.json", "/etc/hostname"),
            ("c.md", "c.md"),
            ("d.csv", "/dev/zero"),
        ):
            (folder / link).symlink_to(target)
        (folder / "below").symlink_to(folder.parent)
        (folder / "good.json").write_text(good)
    elif name == "pipes and folders":
        os.mkfifo(folder / "a.csv")
        (folder / "b.json").mkdir()
        (folder / "good.json").write_text(good)
    elif name == "names":
        for odd in (
            "a\x1b[31m.json",
            "b\n.json",
            "=cmd|' touch pwned'!A1.json",
            "\u202enosj.json",
            "-x.json",
            os.fsdecode(b"\xff.json"),
        ):
            (folder / odd).write_text(good)
    elif name == "200 folders deep":
        inner = folder
        for _ in range(200):
            inner /= "d"
        inner.mkdir(parents=True)
        (inner / "good.json").write_text(good)
    elif name == "a document of every kind of harm":
        for number, make in enumerate((*_RESULTS.values(), *_CARDS.values())):
            if number % 5 == 0:
                text = make()
                (folder / f"{number}.json").write_text(text[:300_000], encoding="utf-8", errors="replace")
    elif name == "a manifest":
        (folder / "manifest.json").write_text('{"format": ' + "[" * 5_000)
        (folder / "good.json").write_text(good)


def _folder(name: str) -> Attack:
    def prepare(folder: Path) -> list[str]:
        (folder / "boards").mkdir()
        _fill(folder / "boards", name)
        return command("batch", "boards", "out", "--budget", "0.2")

    return Attack("boards", f"batch of a folder: {name}", prepare, together=4, watched=True)


_LONG = "return sp.verify(dict(format='scoreproof-certificate/3', scoreproof='0', kind='relation', statement=statement, proof=proof, digest=digest('relation', statement, proof)))"


def _relation(formula: str, text: str, weight: str, more: str = "") -> Attack:
    """A certificate of long numbers, no two of them alike."""
    return snippet("boards", f"""
import random
from scoreproof_verify import digest
chance = random.Random(1)
def long(digits):
    return str(chance.randrange(10 ** (digits - 1), 10**digits))
parts = [dict(text={text}, eps="0") for k in range(1000)]
statement = dict(relation="x", formula={formula!r}, bound="equal", parts=parts, weights=[{weight} for k in range(1000)], complements=[None] * 1000, factor="1", offset="0", root=1, size=None, claim=dict(text="0.5", rounding="any")) | dict({more})
proof = dict(kind={formula!r})
{_LONG}
""", f"a {formula} of long numbers {text} {weight}")  # fmt: skip


ATTACKS = [
    *(_read("results", name, make, ".json") for name, make in _RESULTS.items()),
    *(_read("card", name, make, ".yaml") for name, make in _CARDS.items()),
    *(_read("list", name, make, ".md") for name, make in _LISTS.items()),
    *(_read("relations", name, make, ".csv") for name, make in _RELATED.items()),
    *(_read("board", name, make, ".parquet", "tables") for name, make in _BOARDS.items()),
    *map(_folder, ("2,000 documents", "links that lead out", "pipes and folders", "names", "200 folders deep", "a document of every kind of harm", "a manifest")),
    *(_relation(formula, text, weight, more)
      for formula, more in (("linear", ""), ("harmonic", ""), ("product", "root=64, factor=long(390) + '/' + long(390)"))
      for text, weight in (("long(90) + '/' + long(90)", "'1'"), ("'0.' + long(150)", "'4'"), ("'0.5'", "long(390) + '/' + long(390)"))),
]  # fmt: skip
