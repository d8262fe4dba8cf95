"""Tables that programs keep as records, every number as text: data frames, results files, boards, model cards.

A number of a data frame has lost its trailing zeros: it is written in its shortest spelling, cut from the eleventh
digit on, since what follows may be an error of floating point. pandas itself is not loaded for this. The harness of
EleutherAI writes ``results`` by task ("acc,none" beside "acc_stderr,none") and the number of answers in ``n-samples``;
BigCode's a mapping from tasks to "pass@1", HELM a list of statistics with name, split and mean. The ``model-index`` of
a model card is a table per model.
"""

from __future__ import annotations

import io
import math
import re
from dataclasses import replace
from decimal import Decimal
from typing import Any, Protocol, TypeGuard, runtime_checkable

from scoreproof.documents.formats import Contents, Source
from scoreproof.documents.table import Table, rectangle, tidy
from scoreproof.errors import LimitExceeded, UnreadableInput
from scoreproof.files import read_json, read_yaml
from scoreproof.limits import require_within

_DIGITS = 10
_NOTES = ("numbers of a data frame have lost their trailing zeros; texts keep them",)


@runtime_checkable
class PandasFrame(Protocol):
    """A pandas data frame, as far as it is used."""

    columns: Any
    index: Any
    itertuples: Any


def is_frame(value: object) -> TypeGuard[PandasFrame]:
    """Whether something is a data frame."""
    return isinstance(value, PandasFrame)


def table_of(frame: PandasFrame) -> Table:
    """The table of a data frame; an index that is more than numbers from 0 is its first columns."""
    require_within("columns", len(frame.columns), "data frame")
    require_within("cells", len(frame.columns) * len(frame.index), "data frame")
    index, rows = frame.index, list(frame.itertuples(name=None))
    plain = getattr(index, "nlevels", 1) == 1 and index.name is None and list(index) == list(range(len(index)))
    labels = [*([] if plain else map(_texts, index.names)), *map(_texts, frame.columns)]
    height = max(map(len, labels), default=1)
    columns = [[*[""] * (height - len(label)), *label] for label in labels]
    if not rows or not len(frame.columns):
        raise UnreadableInput("data frame: expected rows and columns, got none")
    body = [[*([] if plain else _texts(key)), *map(text_of, values)] for key, *values in rows]
    notes = _NOTES if any(isinstance(value, float) for _, *values in rows for value in values) else ()
    return replace(rectangle([*zip(*columns, strict=True), *body], height), format="frame", notes=notes)


def _texts(label: Any) -> list[str]:
    return list(map(text_of, label if isinstance(label, tuple) else (label,)))


def text_of(value: Any) -> str:
    """A value as a text.

    >>> [text_of(value) for value in ("0.90", 0.9, 0.1 + 0.2, 120.0, float("nan"), None, 3)]
    ['0.90', '0.9', '0.3000000000', '120', '', '', '3']
    """
    if value is None:
        return ""
    if not isinstance(value, float):
        try:
            return tidy(str(value))
        except Exception as error:  # a number of thousands of digits, a list too deep, an object of one's own
            words = f"data frame: expected texts and numbers, got a {type(value).__name__} without a text ({error})"
            raise UnreadableInput(words) from None
    if not math.isfinite(value):
        return "" if math.isnan(value) else str(value)
    short = repr(float(value))
    is_long = "e" in short or len(short.partition(".")[2]) > _DIGITS
    return f"{value:.{_DIGITS}f}" if is_long else short.removesuffix(".0")


_NUMBER = re.compile(r"-?[0-9]+(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?")


def read(source: Source) -> Contents:
    """The table of a results file or of a board, or one table per model of an index."""
    contents = Contents(source)
    if source.format == "parquet":
        contents.add(_parquet(source))
    elif source.format == "model-index":
        add_models(contents, source.text)
    else:
        _add_results(contents, read_json(source.name or "text", source.text))
    return contents


def _add_results(contents: Contents, content: Any) -> None:
    """A line for each task of a results file, a column for each score."""
    content = content if isinstance(content, dict) else {"results": _statistics(content)}
    if not (rows := _tasks(content)):
        name = contents.source.name or "text"
        raise UnreadableInput(f"{name}: expected results of an evaluation harness ('results' by task), found none")
    names = list(dict.fromkeys(score for row in rows.values() for score in row))
    lines = [["task", *names], *([task, *(row.get(name, "") for name in names)] for task, row in rows.items())]
    contents.add(rectangle(lines, 1), caption=tidy(str(content.get("model_name", ""))), notes=contents.source.notes)


def _tasks(content: dict[str, Any]) -> dict[str, dict[str, str]]:
    rows: dict[str, dict[str, str]] = {}
    results, counts = content.get("results"), content.get("n-samples")
    for task, scores in (results if isinstance(results, dict) else content).items():
        answered = counts.get(task) if isinstance(counts, dict) else None
        used = answered.get("effective") if isinstance(answered, dict) else answered
        row = {"answers": used} if isinstance(used, str) and used.isdigit() else {}
        for name, value in scores.items() if isinstance(scores, dict) and task != "config" else ():
            score, _, way = name.partition(",")
            if isinstance(value, str) and _NUMBER.fullmatch(value) and score not in ("alias", "sample_len"):
                row[tidy(score if way in ("", "none") else f"{score} ({way})")] = _plain(value)
        if row.keys() - {"answers"}:
            rows[tidy(task)] = row
    return rows


def _statistics(content: list[Any]) -> dict[str, dict[str, str]]:
    """The means of HELM's statistics by split, perturbed answers apart."""
    rows: dict[str, dict[str, str]] = {}
    for entry in content:
        named, value = (entry.get("name"), entry.get("mean")) if isinstance(entry, dict) else ("", "")
        if isinstance(named, dict) and isinstance(value, str) and _NUMBER.fullmatch(value):
            changed = named.get("perturbation")
            how = f" ({changed.get('name', 'perturbed')})" if isinstance(changed, dict) else ""
            counts = named.get("name") == "num_instances"
            score, text = ("answers", value.partition(".")[0]) if counts else (str(named.get("name", "")), value)
            rows.setdefault(tidy(f"{named.get('split', 'all')}{how}"), {})[tidy(score)] = text
    return rows


def _plain(number: str) -> str:
    """A number without exponent, unless that is absurd."""
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
    if not told.num_rows:
        raise UnreadableInput(f"{source.name}: expected rows, got none")
    return rectangle([list(map(tidy, board.column_names)), *zip(*columns, strict=True)], 1)


def add_models(contents: Contents, text: str) -> None:
    """One table per model of the index in a text of YAML, or in its head."""
    name = contents.source.name or "text"
    if text.lstrip().startswith("---"):
        text = text.lstrip()[3:].partition("\n---")[0]
    root = read_yaml(name, text)
    index = root.value.get("model-index") if root is not None and isinstance(root.value, dict) else None
    if not isinstance(index, list):
        raise UnreadableInput(f"{name}: expected YAML with a 'model-index' list, found none")
    for number, model in enumerate(index, 1):
        results = model.get("results") if isinstance(model, dict) else None
        if isinstance(results, list) and results:
            _add_model(contents, str(model.get("name", "")), results)
        else:
            contents.problems.append(f"model-index entry {number} has no results")


def _add_model(contents: Contents, name: str, results: list[Any]) -> None:
    rows: list[tuple[str, str, dict[tuple[str, str], str]]] = []
    for number, result in enumerate(results, 1):
        metrics = result.get("metrics") if isinstance(result, dict) else None
        values: dict[tuple[str, str], str] = {}
        for metric in metrics if isinstance(metrics, list) else [{}]:
            column = _column(metric)
            if column is None:
                contents.problems.append(f"{name or 'model'}: a metric of result {number} has no type or no value")
            else:
                values[column] = tidy(metric["value"])
        if values:
            rows.append((_label(result.get("task")), _label(result.get("dataset"), "config", "split"), values))
    columns = list(dict.fromkeys(column for *_, values in rows for column in values))
    two = any(title.casefold() != kind.casefold() for title, kind in columns)
    heads = [["task", "dataset", *(title for title, _ in columns)], ["", "", *(kind for _, kind in columns)]][: 1 + two]
    lines = [[task, dataset, *(values.get(column, "") for column in columns)] for task, dataset, values in rows]
    if columns:
        contents.add(rectangle([*heads, *lines], len(heads)), caption=name, kind="model-index")


def _column(metric: Any) -> tuple[str, str] | None:
    """The metric's name and type, an averaging argument as part of it, if it has a value."""
    if not isinstance(metric, dict) or {type(metric.get(part)) for part in ("type", "value")} != {str}:
        return None
    arguments, name = metric.get("args"), metric.get("name")
    average = arguments.get("average") if isinstance(arguments, dict) else None
    kind = f"{metric['type']} ({average})" if isinstance(average, str) else metric["type"]
    return tidy(name if isinstance(name, str) and name else kind), tidy(kind)


def _label(part: Any, *more: str) -> str:
    if not isinstance(part, dict):
        return str(part or "")
    named = part.get("name") or part.get("type") or ""
    extra = [f" ({part[key]})" for key in more if key in part and part[key] != named]
    return tidy(f"{named}{''.join(extra)}")
