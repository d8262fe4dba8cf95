"""Seeded mutations of real files: bytes flipped, pieces cut, doubled, moved, numbers grown, marks repeated.

The files are the tables, specifications, certificates and catalogue entries that the tests and the package ship. Many
mutants are read by one child, so that its start does not count a thousand times; if it does not come back in time, the
mutant it was at is named, and the next child goes on after it.
"""

from __future__ import annotations

import io
import json
import random
import re
import zipfile
from collections.abc import Callable, Iterator
from functools import cache, partial
from pathlib import Path

from benchmarks.attack.attack import Attack, python

ROOT = Path(__file__).parents[2]
_TOGETHER = 20  # mutants of one child
_MARKS = (b"*", b"_", b"`", b"{", b"}", b"[", b"]", b"(", b"<", b">", b"&", b"|", b"\\", b"\n", b"\t", b" ", b"$", b"%", b'"', b"9", b"\x1b", b"\x00", b"\xff", b"&a ", b"*a", b"<br>", b"<td>", b"\\verb", b"1e999")  # fmt: skip
_SUFFIXES = {
    "csv": ".csv", "markdown": ".md", "html": ".html", "latex": ".tex", "text": ".txt", "excel": ".xlsx", "word": ".docx",
    "pdf": ".pdf", "model card": ".yaml", "specification": ".yaml", "catalogue": ".yaml", "certificate": ".json",
    "experiment": ".json", "ods": ".ods", "results": ".json", "statistics": ".json", "score list": ".md", "notebook": ".ipynb", "board": ".parquet",
}  # fmt: skip
FORMATS = tuple(_SUFFIXES)
_GRID = [
    ["Method", "Acc (%)", "Sens", "F1"],
    ["U-Net [3]", "90.00", "0.85 ± 0.02", "**0.8**"],
    ["Ours", "91.2", "0.9", "0.82"],
]


@cache
def seeds(name: str) -> tuple[bytes, ...]:
    """Real files of a format."""
    data, suffix = ROOT / "tests" / "data" / "tables", _SUFFIXES[name]
    if name == "specification":
        return tuple(file.read_bytes() for file in sorted((ROOT / "examples").rglob("*.yaml"))) or (_specification(),)
    if name == "catalogue":
        return tuple(file.read_bytes() for file in sorted((ROOT / "src/scoreproof/catalog/data").glob("*.yaml")))[:8]
    if name == "certificate":
        from benchmarks.attack import certificates

        makers = (certificates._single, certificates._mean, certificates._nonlinear, certificates._unknown)
        return tuple(json.dumps(make()).encode() for make in makers)
    if name == "experiment":
        tree = {
            "type": "mean_of_scores",
            "parts": [{"type": "testset", "p": 10, "n": 20}, {"type": "kfold", "p": 30, "n": 60, "k": 3}],
        }
        return (json.dumps(tree).encode(),)
    if name in _MADE:
        return (_MADE[name]().encode() if name not in ("ods", "board") else _packed(name),)
    own = tuple(file.read_bytes() for file in sorted(data.rglob(f"*{suffix}")) if file.stat().st_size < 300_000)[:6]
    return (*own, _written(name)) if name not in ("pdf",) else own


_MADE: dict[str, Callable[[], str]] = {
    "model card": lambda: "model-index:\n- name: m\n  results:\n  - task: {type: t}\n    dataset: {name: d}\n    metrics:\n    - {type: accuracy, value: 0.90}\n",
    "results": lambda: json.dumps({"results": {"arc": {"alias": "arc", "acc,none": 0.5125, "acc_stderr,none": 0.0146}, "gsm": {"exact_match,strict-match": 0.31}},
                                   "n-samples": {"arc": {"original": 1172, "effective": 1172}}, "model_name": "m"}),
    "statistics": lambda: json.dumps([{"name": {"name": "exact_match", "split": "test", "perturbation": {"name": "typos"}}, "count": 1, "sum": 0.5, "sum_squared": 0.25, "mean": 0.5},
                                      {"name": {"name": "num_instances", "split": "test"}, "count": 1, "sum_squared": 1, "mean": 100.0}]),
    "score list": lambda: "# Results\n\nIt gives:\n\n- Loss: 0.31\n- **Accuracy**: 0.91\n- F1: 0.90 ± 0.02\n\n```\nSVM: Acc=0.91, F1=0.90\nk-NN: Acc=0.88, F1=0.85\n```\n",
    "notebook": lambda: json.dumps({"cells": [{"cell_type": "markdown", "source": ["| Method | Acc |\n", "|---|---|\n", "| A | 0.91 |\n"]}, {"cell_type": "code", "source": [], "outputs": [
        {"output_type": "stream", "text": ["Accuracy: 0.91\n", "F1: 0.90\n"]}, {"data": {"text/html": ["<table><tr><td>Acc<td>F1<tr><td>0.9<td>0.8</table>"]}}]}], "nbformat": 4}),
    "ods": lambda: "", "board": lambda: "",
}  # fmt: skip


def _packed(name: str) -> bytes:
    """A spreadsheet, or a board in Parquet."""
    if name == "ods":
        from benchmarks.attack.sheets import ods, row

        return ods("".join(row(*line) for line in _GRID))
    import pyarrow
    from pyarrow import parquet

    out = io.BytesIO()
    parquet.write_table(pyarrow.table({"model": ["a", "b"], "acc": [0.51, 0.62], "f1": [0.5, None]}), out)
    return out.getvalue()


def _specification() -> bytes:
    from benchmarks.attack.structured import _SPECIFICATION

    return _SPECIFICATION.encode()


def _written(name: str) -> bytes:
    import tempfile

    from tests.outside import table_formats

    with tempfile.TemporaryDirectory() as folder:
        data: bytes = table_formats.write(_GRID, name, Path(folder)).read_bytes()
        return data


def mutant(name: str, number: int, seed: int) -> bytes:
    """One mutant of one real file; the same numbers give the same mutant."""
    chance = random.Random(f"{name} {seed} {number}")
    data = chance.choice(seeds(name))
    if data.startswith(b"PK") and chance.random() < 0.9:
        return _inside_zip(data, chance)
    return _changed(data, chance)


def _inside_zip(data: bytes, chance: random.Random) -> bytes:
    """The archive with one of its members changed."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as archive, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as made:
        names = archive.namelist()
        chosen = chance.choice(
            [one for one in names if "sheet1" in one or "document" in one or "content" in one] or names
        )
        for member in names:
            content = archive.read(member)
            made.writestr(member, _changed(content, chance) if member == chosen else content)
    return out.getvalue()


def _changed(data: bytes, chance: random.Random) -> bytes:
    for _ in range(chance.choice((1, 1, 2, 4, 16))):
        at, length = chance.randrange(len(data) + 1), int(chance.expovariate(1 / 40))
        piece = data[at : at + length]
        kind = chance.randrange(7)
        if kind == 0:
            data = data[:at] + bytes(chance.randrange(256) for _ in range(max(1, length // 10))) + data[at + length :]
        elif kind == 1:
            data = data[:at] + data[at + length :]
        elif kind == 2:
            data = data[:at] + piece * chance.choice((2, 50, 2000)) + data[at:]
        elif kind == 3:
            data = data[:at] + chance.choice(_MARKS) * chance.choice((1, 100, 20_000)) + data[at:]
        elif kind == 4:
            to = chance.randrange(len(data) + 1)
            data = data[:to] + piece + data[to:]
        elif kind == 5:
            numbers = list(re.finditer(rb"\d+", data))
            if numbers:
                match = chance.choice(numbers)
                grown = chance.choice((b"0", b"-1", b"9" * 30, b"9" * 5000, b"1e999999", b"10000000"))
                data = data[: match.start()] + grown + data[match.end() :]
        else:
            data = data[: chance.randrange(len(data) + 1)]
        data = data[:2_000_000] or b" "
    return data


_READ = {
    "specification": "sp.audit(file, jobs=1, budget=0.2, explain=False, strength=False).to_json()",
    "catalogue": "__import__('scoreproof.catalog.files', fromlist=['x']).read_entries(file)",
    "certificate": "sp.verify(file)",
    "experiment": "__import__('scoreproof.cli.experiments', fromlist=['x']).read_experiment(file)",
}
_BODY = """
import time, os
from benchmarks.attack import mutations
for number in range({first}, {last}):
    file = folder / f"mutant{suffix}"
    file.write_bytes(mutations.mutant({name!r}, number, {seed}))
    (folder / "at").write_text(str(number))
    begun = time.process_time()
    try:
        {read}
    except ScoreproofError:
        pass
    spent = time.process_time() - begun
    if spent > 20:
        raise RuntimeError(f"mutant {{number}} took {{spent:.1f}} s")
return "all read"
"""


def mutants(name: str, count: int, seed: int, first: int = 0) -> Iterator[Attack]:
    """Mutants of one format, some of them together in one child."""
    read = _READ.get(name, "[sp.interpret(table) for table in sp.read_tables(file)]")
    for start in range(first, first + count, _TOGETHER):
        end = min(start + _TOGETHER, first + count)
        body = _BODY.format(first=start, last=end, name=name, seed=seed, suffix=_SUFFIXES[name], read=read)
        yield Attack(f"mutants of {name}", f"{start} to {end - 1}, seed {seed}", partial(python, body), end - start)
