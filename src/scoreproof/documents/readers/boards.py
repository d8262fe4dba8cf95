"""Results files of evaluation harnesses, and boards in Parquet: a line for each task or model, every number as text.

The language model evaluation harness of EleutherAI writes ``results`` by task ("acc,none" beside "acc_stderr,none") and
the number of answers in ``n-samples``; the BigCode harness a mapping from tasks to "pass@1"; HELM a list of statistics,
each with its name, split and mean. OpenCompass writes CSV, which needs no reader of its own.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Any

from scoreproof.documents.formats import Contents
from scoreproof.documents.grid import rectangle, tidy
from scoreproof.documents.readers.frame import text_of
from scoreproof.documents.source import Source
from scoreproof.documents.table import Table
from scoreproof.errors import LimitExceeded, UnreadableInput
from scoreproof.limits import require_within
from scoreproof.structured import read_json

_NUMBER = re.compile(r"-?[0-9]+(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?")


def read(source: Source) -> Contents:
    """The table of a results file or of a board."""
    contents = Contents(source)
    if source.format == "parquet":
        contents.add(_parquet(source), notes=source.notes)
        return contents
    name = source.name or "text"
    content = read_json(name, source.text)
    if isinstance(content, list):
        rows = _statistics(content)
    elif isinstance(content, dict):
        told = content.get("results")
        counts = content.get("n-samples", content.get("n_samples"))
        rows = _tasks(told if isinstance(told, dict) else content, counts if isinstance(counts, dict) else {})
    else:
        rows = {}
    if not rows:
        raise UnreadableInput(f"{name}: expected results of an evaluation harness ('results' by task), found none")
    model = content.get("model_name", "") if isinstance(content, dict) else ""
    contents.add(_grid(rows), caption=tidy(str(model)), notes=source.notes)
    return contents


def _grid(rows: Mapping[str, Mapping[str, str]]) -> Table:
    """A line for each task, a column for each score, its standard error beside it."""
    names = list(dict.fromkeys(name for row in rows.values() for name in row))
    order = {name: place for place, name in enumerate(names)}
    names.sort(key=lambda name: (order.get(name.replace("_stderr", ""), order[name]), "_stderr" in name))
    lines = [["task", *names], *([task, *(row.get(name, "") for name in names)] for task, row in rows.items())]
    return rectangle(lines, 1)


def _tasks(results: Mapping[str, Any], counts: Mapping[str, Any]) -> dict[str, dict[str, str]]:
    rows: dict[str, dict[str, str]] = {}
    for task, scores in results.items():
        if not isinstance(scores, dict) or task == "config":
            continue
        row: dict[str, str] = {}
        answered = counts.get(task)
        used = answered.get("effective") if isinstance(answered, dict) else answered
        if isinstance(used, str) and used.isdigit():
            row["answers"] = used
        for name, value in scores.items():
            score, _, way = name.partition(",")
            if isinstance(value, str) and _NUMBER.fullmatch(value) and score not in ("alias", "sample_len"):
                row[tidy(score if way in ("", "none") else f"{score} ({way})")] = _plain(value)
        if set(row) - {"answers"}:
            rows[tidy(task)] = row
    return rows


def _statistics(content: Iterable[Any]) -> dict[str, dict[str, str]]:
    """The means of HELM's statistics by split, perturbed answers apart."""
    rows: dict[str, dict[str, str]] = {}
    for entry in content:
        named = entry.get("name") if isinstance(entry, dict) else None
        value = entry.get("mean") if isinstance(entry, dict) else None
        if not isinstance(named, dict) or not isinstance(value, str) or not _NUMBER.fullmatch(value):
            continue
        changed = named.get("perturbation")
        how = f" ({changed.get('name', 'perturbed')})" if isinstance(changed, dict) else ""
        score = "answers" if named.get("name") == "num_instances" else str(named.get("name", ""))
        text = _plain(value)
        rows.setdefault(tidy(f"{named.get('split', 'all')}{how}"), {})[tidy(score)] = (
            text.partition(".")[0] if score == "answers" else text
        )
    return rows


def _plain(number: str) -> str:
    """A number without exponent, unless that is absurd.

    >>> _plain("0.6561447811447811"), _plain("1.5e-05"), _plain("1e999999999")
    ('0.6561447811447811', '0.000015', '1e999999999')
    """
    exponent = number.lower().partition("e")[2].lstrip("+-")
    return format(Decimal(number), "f") if exponent and len(exponent) < 4 else number


def _parquet(source: Source) -> Table:
    from pyarrow import parquet

    try:
        file = parquet.ParquetFile(io.BytesIO(source.data))
        told = file.metadata
        unpacked = sum(max(0, told.row_group(group).total_byte_size) for group in range(told.num_row_groups))
        require_within("columns", told.num_columns, source.name)
        require_within("cells", told.num_columns * told.num_rows, source.name)
        require_within("unpacked_megabytes", unpacked >> 20, source.name)
        board = file.read()
        columns = [[text_of(value) for value in column.to_pylist()] for column in board.columns]
    except (LimitExceeded, MemoryError):
        raise
    except Exception as error:  # whatever a damaged file makes the library raise
        raise UnreadableInput(f"{source.name}: the file is damaged ({str(error)[:150]})") from None
    lines = [list(map(tidy, board.column_names)), *map(list, zip(*columns, strict=True))]
    if len(lines) < 2:
        raise UnreadableInput(f"{source.name}: expected rows, got none")
    return rectangle(lines, 1)
