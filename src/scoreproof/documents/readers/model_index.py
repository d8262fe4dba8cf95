"""The ``model-index`` of a Hugging Face model card, every scalar kept as text.

One table per model: a row for each evaluation (task and data set), a column for each metric. The fields are those of
the model card specification of the Hugging Face Hub.
"""

from __future__ import annotations

from typing import Any

from scoreproof.documents.formats import Contents
from scoreproof.documents.grid import rectangle, tidy
from scoreproof.documents.source import Source
from scoreproof.errors import UnreadableInput
from scoreproof.structured import read_yaml


def read(source: Source) -> Contents:
    """One table per model of the index."""
    contents = Contents(source)
    add_models(contents, source.text)
    return contents


def add_models(contents: Contents, text: str) -> None:
    """One table per model of the index in a text of YAML, or in its head."""
    name = contents.source.name or "text"
    if text.lstrip().startswith("---"):
        text = text.lstrip()[3:].partition("\n---")[0]
    root = read_yaml(name, text)
    document = root.value if root is not None else None
    index = document.get("model-index") if isinstance(document, dict) else None
    if isinstance(document, list) and document and isinstance(document[0], dict) and "model-index" in document[0]:
        index = document[0]["model-index"]
    if not isinstance(index, list):
        raise UnreadableInput(f"{name}: expected YAML with a 'model-index' list, found none")
    for number, model in enumerate(index):
        results = model.get("results") if isinstance(model, dict) else None
        if not isinstance(results, list) or not results:
            contents.problems.append(f"model-index entry {number + 1} has no results")
            continue
        _add_table(contents, str(model.get("name", "")), results)


def _add_table(contents: Contents, name: str, results: list[Any]) -> None:
    rows: list[dict[tuple[str, str], str]] = []
    labels: list[tuple[str, str]] = []
    columns: dict[tuple[str, str], None] = {}
    for number, result in enumerate(results):
        metrics = result.get("metrics") if isinstance(result, dict) else None
        if not isinstance(metrics, list):
            contents.problems.append(f"{name or 'model'}: result {number + 1} has no metrics")
            continue
        values: dict[tuple[str, str], str] = {}
        for metric in metrics:
            column = _column(metric)
            value = metric.get("value") if isinstance(metric, dict) else None
            if column is None or not isinstance(value, str):
                contents.problems.append(
                    f"{name or 'model'}: a metric of result {number + 1} has no type or no single value"
                )
                continue
            columns[column] = None
            values[column] = tidy(value)
        labels.append((_label(result.get("task"), "type"), _label(result.get("dataset"), "config", "split")))
        rows.append(values)
    if not columns:
        return
    two = any(title.casefold() != kind.casefold() for title, kind in columns)
    lines = [["task", "dataset", *(title for title, _ in columns)]]
    if two:
        lines.append(["", "", *(kind for _, kind in columns)])
    lines += [
        [task, dataset, *(values.get(column, "") for column in columns)]
        for (task, dataset), values in zip(labels, rows, strict=True)
    ]
    contents.add(rectangle(lines, len(lines) - len(rows)), caption=name, kind="model-index")


def _column(metric: Any) -> tuple[str, str] | None:
    """The metric's name and type; an averaging argument is part of the type."""
    if not isinstance(metric, dict) or not isinstance(metric.get("type"), str):
        return None
    kind = metric["type"]
    arguments = metric.get("args")
    if isinstance(arguments, dict) and isinstance(arguments.get("average"), str):
        kind = f"{kind} ({arguments['average']})"
    name = metric.get("name")
    return (tidy(name) if isinstance(name, str) and name else kind), tidy(kind)


def _label(part: Any, *more: str) -> str:
    if not isinstance(part, dict):
        return str(part or "")
    named = part.get("name") or part.get("type") or ""
    extra = [str(part[key]) for key in more if key in part and part[key] != named and key != "type"]
    return tidy(" ".join([str(named), *(f"({text})" for text in extra)]))
