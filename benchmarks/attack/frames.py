"""Frames of a batch: CSV and Parquet with hostile cells, columns and sizes, and folders that are no finished batch."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.attack.attack import Attack, command

_HEAD = "p,n,acc,sens,spec\n"
_ROW = "100,200,0.9567,0.8545,0.9734\n"


def _cell(text: str, column: int = 2) -> str:
    cells = _ROW.strip().split(",")
    cells[column] = text
    return ",".join(cells) + "\n"


_TEXTS: dict[str, Callable[[], str]] = {
    "nothing": lambda: "",
    "only a head": lambda: _HEAD,
    "no scores": lambda: "a,b\n1,2\n",
    "p of 5,000 digits": lambda: _HEAD + _cell("9" * 5_000, 0),
    "p of 60 digits": lambda: _HEAD + _cell("9" * 60, 0) * 50,
    "p of 18 digits": lambda: _HEAD + _cell("9" * 18, 0) * 500,
    "exponents": lambda: _HEAD + _cell("1e999999999") + _cell("1e-999999999") + _cell("0.9e-90"),
    "values of 5,000 digits": lambda: _HEAD + _cell(f"0.{'9' * 5_000}"),
    "wrong words": lambda: _HEAD + "".join(_cell(text, k) for k in range(5) for text in ("x", "", "nan", "-1", "inf", "1/0", "±", "\x1b[31m", "0.9 ± 0.1", "=1+1")),
    "a cell of 1 MB": lambda: _HEAD + _cell("x" * 1_000_000),
    "20,000 rows": lambda: _HEAD + _ROW * 20_000,
    "10,000 columns": lambda: ",".join(["p", "n", *(f"c{k}" for k in range(10_000))]) + "\n" + ",".join(["1"] * 10_002) + "\n",
    "1,500 scores": lambda: ",".join(["p", "n", *(f"f{k}" for k in range(2, 1_500))]) + "\n" + ",".join(["50", "60", *(["0.9"] * 1_498)]) + "\n",
    "one column again and again": lambda: ",".join(["p", "n", *(["acc"] * 500)]) + "\n" + ",".join(["50"] * 502) + "\n",
    "folds of 10^9": lambda: "p,n,folds,acc,f1\n" + "1000000000,1000000000,1000000000,0.9,0.8\n" * 20,
    "10,000 repeats": lambda: "p,n,folds,repeats,f1\n" + "1000,1000,10,10000,0.8\n" * 5,
    "unknown classes of 10^9": lambda: "total,acc,f1,mcc\n" + "1000000000,0.9123,0.8,0.7\n" * 20,
    "a head of 1 MB": lambda: "p,n," + "a" * 1_000_000 + "\n1,2,3\n",
    "quotes without end": lambda: _HEAD + '"' + _ROW * 50_000,
    "zero bytes": lambda: "\x00" * 100_000,
    "lines of different lengths": lambda: _HEAD + "".join("1," * (k % 50) + "\n" for k in range(20_000)),
    "a long frame": lambda: "id,p,n,score,value\n" + "".join(f"{k // 3},50,60,{('acc', 'sens', 'spec')[k % 3]},0.9\n" for k in range(60_000)),
    "a long frame of one report": lambda: "id,p,n,score,value\n" + "".join(f"1,50,60,f{k},0.9\n" for k in range(2, 30_000)),
    "kinds that are none": lambda: "kind,p,n,acc\n" + "".join(f"{kind},50,60,0.9\n" for kind in ("x", "", "regression", "multi_class", "curve", "__import__")),
}  # fmt: skip


def _from_text(name: str, text: Callable[[], str]) -> Attack:
    def make(folder: Path) -> list[str]:
        (folder / "frame.csv").write_text(text(), encoding="utf-8")
        more = ["--long"] if "long frame" in name else []
        return command("batch", "frame.csv", "out", "--budget", "1", "--csv", "out.csv", *more)

    return Attack("frames", f"CSV: {name}", make)


def _columns(**columns: Any) -> Callable[[Path], None]:
    def write(path: Path) -> None:
        import pyarrow as pa
        import pyarrow.parquet as pq

        table = pa.table({name: values() if callable(values) else values for name, values in columns.items()})
        pq.write_table(table, path, compression="zstd")

    return write


def _nested() -> Any:
    import pyarrow as pa

    value: list[Any] = [1]
    kind = pa.int64()
    for _ in range(60):
        value, kind = [value], pa.list_(kind)
    return pa.array([value[0]] * 5, type=kind)


def _bytes(content: bytes) -> Callable[[Path], None]:
    def write(path: Path) -> None:
        path.write_bytes(content)

    return write


_PARQUET: dict[str, Callable[[Path], None]] = {
    "no Parquet": _bytes(b"PAR1" + b"\xff" * 10_000 + b"PAR1"),
    "only the magic": _bytes(b"PAR1"),
    "a footer of 2 GB": _bytes(b"PAR1" + b"\x00" * 100 + b"\xff\xff\xff\x7fPAR1"),
    "30,000,000 rows in few bytes": _columns(p=lambda: __import__("numpy").ones(30_000_000, dtype="int8"), acc=lambda: __import__("numpy").ones(30_000_000, dtype="int8")),
    "one text of 50 MB": _columns(p=[1], n=[2], acc=["9" * 50_000_000]),
    "60 texts of 1 MB": _columns(p=[1] * 60, n=[2] * 60, acc=["9" * 1_000_000] * 60),
    "lists": _columns(p=[[1], [2]], n=[[3], [4]], acc=[["0.9"], ["0.8"]]),
    "lists 60 deep": _columns(p=_nested, n=[1] * 5, acc=["0.9"] * 5),
    "objects": _columns(p=[{"a": 1}], n=[{"a": {"b": 1}}], acc=[{"a": "0.9"}]),
    "bytes": _columns(p=[b"\xff"], n=[b"\x00"], acc=[b"\xff\xfe"]),
    "nothing in any cell": _columns(p=[None] * 50, n=[None] * 50, acc=[None] * 50),
    "infinite numbers": _columns(p=[float("nan"), float("inf")], n=[1e308, -1.0], acc=[float("nan"), float("-inf")]),
    "truth values": _columns(p=[True, False], n=[True, True], acc=[True, False]),
    "large numbers": _columns(p=[2**62] * 20, n=[2**62] * 20, acc=["0.9123"] * 20, f1=["0.8"] * 20),
    "no rows": _columns(p=[], n=[], acc=[]),
    "10,000 columns": _columns(**{f"c{k}": [1] for k in range(10_000)}),
}  # fmt: skip


def _from_parquet(name: str, write: Callable[[Path], None]) -> Attack:
    def make(folder: Path) -> list[str]:
        write(folder / "frame.parquet")
        return command("batch", "frame.parquet", "out", "--budget", "1")

    return Attack("frames", f"Parquet: {name}", make)


def _finished(name: str, spoil: Callable[[Path], None], *arguments: str) -> Attack:
    """A folder of a batch that somebody has changed."""

    def make(folder: Path) -> list[str]:
        from scoreproof import batch

        (folder / "frame.csv").write_text(_HEAD + _ROW * 20, encoding="utf-8")
        batch(folder / "frame.csv", folder / "out")
        for file in sorted((folder / "out").rglob("*")):
            if file.is_file():
                spoil(file)
        return command("batch", *arguments)

    return Attack("frames", f"finished: {name} ({' '.join(arguments)})", make)


def _cut(file: Path) -> None:
    file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])


def _zeroed(file: Path) -> None:
    file.write_bytes(b"\x00" * file.stat().st_size)


def _deep(file: Path) -> None:
    if file.suffix == ".json":
        file.write_text("[" * 200_000)


_AGAIN, _PROOF = ("frame.csv", "out"), ("out", "--proof", "1")
ATTACKS = [
    *(_from_text(name, text) for name, text in _TEXTS.items()),
    *(_from_parquet(name, write) for name, write in _PARQUET.items()),
    *(_finished(spoil.__name__.strip("_"), spoil, *arguments) for spoil in (_cut, _zeroed, _deep) for arguments in (_AGAIN, _PROOF)),
    *(Attack("frames", f"batch {' '.join(words)}", lambda folder, words=words: command("batch", *words))  # type: ignore[misc]
      for words in (("/dev/zero", "out"), ("/", "out"), ("nothing.parquet", "out"), ("/", "--proof", "1"), ("/dev/zero", "--proof", "1"))),
]  # fmt: skip
