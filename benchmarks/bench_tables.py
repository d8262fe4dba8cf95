"""How fast tables are read: long CSV tables, LaTeX sources and PDF pages."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

from benchmarks.measure import Row, best
from scoreproof.documents import read_tables
from scoreproof.papers.table_semantics import interpret

_FIXTURES = Path(__file__).parents[1] / "tests" / "data" / "tables"
_ROWS = 10_000


def rows() -> Iterator[Row]:
    lines = (f"method {n},200,80,0.{n % 1000:03d},0.90 ± 0.01" for n in range(_ROWS))
    text = "Method,N,pos,Acc,Sens\n" + "\n".join(lines)
    yield Row(f"read a CSV table of {_ROWS:,} rows", best(lambda: read_tables(text), repeats=2))
    table = read_tables(text)[0]
    yield Row(f"interpret a table of {_ROWS:,} rows", best(lambda: interpret(table), repeats=2))
    for name in ("many.tex", "many.html", "many_latex.pdf"):
        file = _FIXTURES / name
        yield Row(f"read 12 tables, {file.suffix[1:]}", best(partial(read_tables, file), repeats=2))
