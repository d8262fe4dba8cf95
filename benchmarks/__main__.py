"""Run the benchmarks and print one table: ``make bench`` (or ``python -m benchmarks NAME...``)."""

from __future__ import annotations

import importlib
import logging
import pkgutil
import sys
from pathlib import Path

from rich.console import Console
from rich.table import Table

from benchmarks.measure import Row
from benchmarks.recorded import record

PREFIX = "bench_"


def seconds(value: float | None) -> str:
    """A time in the unit that suits it."""
    if value is None:
        return ""
    for unit, scale in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6)):
        if value >= scale:
            return f"{value / scale:.3g} {unit}"
    return f"{value / 1e-9:.3g} ns"


def measured(row: Row) -> str:
    """Our time, or how often something happened."""
    return seconds(row.ours) if row.rate is None else f"{row.rate:.1%}"


def promise(row: Row) -> str:
    """What was promised and whether it was kept."""
    parts = []
    if row.promised_ratio is not None:
        parts.append(f"{row.promised_ratio:g} x")
    if row.promised_seconds is not None:
        parts.append(f"<= {seconds(row.promised_seconds)}")
    if row.promised_rate is not None:
        parts.append(f"<= {row.promised_rate:.1%}")
    kept = row.kept
    word = "" if kept is None else " [green]kept[/]" if kept else " [red]missed[/]"
    return ", ".join(parts) + word


def _recorded(name: str, measures: list[Row]) -> None:
    """The ratios of a benchmark and its promises, as one line."""
    ratios = sorted(row.ratio for row in measures if row.ratio is not None)
    promised = [row.kept for row in measures if row.kept is not None]
    words = [f"{ratios[0]:,.1f} to {ratios[-1]:,.0f} times as fast"] if ratios else []
    words += [f"{sum(promised)} of {len(promised)} promises kept"] if promised else []
    record(f"speed, {name}", len(measures), "; ".join(words))


def main(names: list[str]) -> int:
    """Run the named benchmark modules, or all; status 1 if a promise was not kept."""
    here = str(Path(__file__).parent)
    known = [
        module.name.removeprefix(PREFIX) for module in pkgutil.iter_modules([here]) if module.name.startswith(PREFIX)
    ]
    unknown = set(names) - set(known)
    if unknown:
        sys.stderr.write(f"error: no benchmark is called {', '.join(sorted(unknown))}; known: {', '.join(known)}\n")
        return 2
    logging.disable(logging.INFO)  # the peer logs every step, which would count as its time
    console = Console(width=None if sys.stdout.isatty() else 160)
    missed = 0
    for name in names or known:
        table = Table(title=name, title_justify="left")
        for column in ("what", "ours", "theirs", "ratio", "promised", "note"):
            table.add_column(column, overflow="fold")
        measures: list[Row] = []
        with console.status(f"{name} ...") as status:
            for row in importlib.import_module(f"benchmarks.{PREFIX}{name}").rows():
                measures.append(row)
                ratio = "" if row.ratio is None else f"{row.ratio:,.1f} x"
                table.add_row(row.what, measured(row), seconds(row.theirs), ratio, promise(row), row.note)
                missed += row.kept is False
                status.update(f"{name}: {row.what}")
        console.print(table)
        _recorded(name, measures)
    console.print("every promise was kept" if not missed else f"[red]{missed} promises were not kept[/]")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
