"""The rows of a batch as one CSV file, for people with a spreadsheet: verdicts without certificates."""

from __future__ import annotations

from pathlib import Path

from scoreproof.batches.result import BatchResult
from scoreproof.csv_reader.cells import spreadsheet_lines
from scoreproof.files import writing


def write_csv(result: BatchResult, path: Path) -> None:
    """All rows, part by part; the file is as it was or complete."""
    left_out = f"{result.prefix}certificate"
    with writing(path) as file:
        for number, table in enumerate(result.parts()):
            table = table.drop_columns([left_out])
            head = [table.column_names] if number == 0 else []
            rows = zip(*(column.to_pylist() for column in table.columns), strict=True)
            file.write(spreadsheet_lines([*head, *rows]).encode("utf-8", "backslashreplace"))
