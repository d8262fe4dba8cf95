"""Data frames, series, notebooks and lists of scores: what people have at hand beside papers."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from sklearn.metrics import classification_report

import scoreproof as sp
from scoreproof.documents.read import read_paper
from scoreproof.errors import InvalidOption, ScoreproofError

FRAME = pd.DataFrame({"Acc": ["0.9003", "0.9123"], "Sens": ["0.8000", "0.8000"], "Spec": ["0.9359", "0.9359"]})
FRAME.index = pd.Index(["A", "B"], name="Method")
SET = sp.TestSet(p=300, n=843)


def test_a_frame_is_a_table() -> None:
    (table,) = sp.read_tables(FRAME)
    assert table.headers == ("Method", "Acc", "Sens", "Spec")
    assert table.body == (("A", "0.9003", "0.8000", "0.9359"), ("B", "0.9123", "0.8000", "0.9359"))
    assert not table.notes
    with pytest.raises(InvalidOption, match="beside a data frame"):
        sp.read_tables(FRAME, kind="csv")


def test_numbers_of_a_frame_lose_zeros_and_never_gain_digits() -> None:
    (table,) = sp.read_tables(pd.DataFrame({"Acc": [0.1 + 0.2, 0.90], "P": [30.0, float("nan")]}))
    assert table.body == (("0.3000000000", "30"), ("0.9", ""))
    assert "trailing zeros" in table.notes[0]


def test_levels_of_headers() -> None:
    columns = pd.MultiIndex.from_product([["DRIVE", "STARE"], ["Acc", "Sens"]])
    (table,) = sp.read_tables(pd.DataFrame([["0.9"] * 4], columns=columns, index=["U-Net"]))
    assert table.header == (("", "DRIVE", "DRIVE", "STARE", "STARE"), ("", "Acc", "Sens", "Acc", "Sens"))


def test_a_frame_is_audited_and_gives_a_frame() -> None:
    result = sp.audit(FRAME, SET, explain=False, strength=False)
    assert list(result.to_frame()["outcome"]) == ["consistent", "inconsistent"]
    without = sp.audit(FRAME, explain=False, strength=False)
    assert list(without.to_frame()["outcome"]) == ["consistent", "consistent"]
    tables = sp.audit(sp.read_tables(FRAME), SET, explain=False, strength=False)
    assert tables.outcomes() == result.outcomes()
    with pytest.raises(InvalidOption, match="specification"):
        sp.audit({"tables": []}, SET)
    with pytest.raises(ScoreproofError, match="expected TestSet"):
        sp.audit(FRAME, "300+843")


def test_a_series_is_checked() -> None:
    assert str(sp.check(SET, FRAME.loc["A"]).verdict) == "consistent"
    assert str(sp.check(SET, FRAME.loc["B"]).verdict) == "inconsistent"
    assert str(sp.check(SET, FRAME.loc["A"].astype(float), digits=4).verdict) == "consistent"


def notebook(*cells: dict[str, Any]) -> str:
    return json.dumps({"cells": list(cells), "metadata": {}, "nbformat": 4, "nbformat_minor": 5})


def test_outputs_of_a_notebook(tmp_path: Path) -> None:
    report = classification_report([0, 0, 1, 1, 1], [0, 1, 1, 1, 0], digits=3)
    file = tmp_path / "results.ipynb"
    outputs = [
        {"output_type": "stream", "name": "stdout", "text": report.splitlines(keepends=True)},
        {"output_type": "execute_result", "data": {"text/html": [FRAME.to_html()], "text/plain": ["not this"]}},
        {"output_type": "stream", "text": ["epoch 1\n", "epoch 2\n"]},
        {"output_type": "display_data", "data": {"image/png": "aGVsbG8="}},
    ]
    sizes = "The test set has 1,143 images, of which 300 are melanomas."
    said = {"cell_type": "markdown", "source": ["# Data\n", "\n", f"{sizes}\n"]}
    code = {"cell_type": "code", "source": ["print('| Acc |')"], "outputs": outputs}
    file.write_text(notebook(said, code), encoding="utf-8")
    paper = read_paper(file)
    assert [table.rows[-1][0] for table in paper.tables] == ["weighted avg", "B"]
    assert [table.position.index for table in paper.tables] == [0, 1]
    assert paper.paragraphs == ((sizes, "section 'Data'"),)
    rows = sp.audit(file, explain=False, strength=False).tables[1].rows
    assert [str(row.outcome) for row in rows] == ["consistent", "question"]


@pytest.mark.parametrize("text", ["[]", '{"cells": 3}', '{"cells": [1, {"outputs": [2, {"data": 3}]}]}', "{"])
def test_what_is_no_notebook_is_refused(tmp_path: Path, text: str) -> None:
    file = tmp_path / "odd.ipynb"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(ScoreproofError):
        sp.read_tables(file)


CARD = """---
license: mit
---
# model

It achieves the following results on the evaluation set:
- Loss: 0.2345
- Accuracy: 0.9003
- **Sensitivity**: 0.8000
* Specificity: `0.9359`

The following hyperparameters were used:
- learning_rate: 2e-05
- num_epochs: 3
- train_batch_size: 16

```
- Accuracy: 0.1
- F1: 0.2
```
"""


def test_points_of_a_model_card(tmp_path: Path) -> None:
    file = tmp_path / "README.md"
    file.write_text(CARD, encoding="utf-8")
    (table,) = sp.read_tables(file)
    assert table.headers == ("Loss", "Accuracy", "Sensitivity", "Specificity")
    assert table.body == (("0.2345", "0.9003", "0.8000", "0.9359"),)
    assert table.caption == "It achieves the following results on the evaluation set:"
    (row,) = sp.audit(file, SET, explain=False, strength=False).rows()
    assert str(row.outcome) == "consistent"


class _Wordless:
    def __str__(self) -> str:
        raise RuntimeError("no words")


@pytest.mark.parametrize(
    "columns",
    [
        {"p": [10**5000], "acc": ["0.9"]},
        {"p": [30], "n": [10**40], "acc": ["0.9"]},
        {_Wordless(): ["0.9"], "acc": ["0.9"]},
        {"p": [30], "acc": [_Wordless()]},
        {("a", "acc"): ["0.9"], "n": [60]},
        {name: ["0.9"] for name in range(2_500)},
    ],
    ids=["long number", "large number", "wordless name", "wordless cell", "name of two levels", "many columns"],
)
def test_frames_of_anything_end_in_words(columns: dict[Any, list[Any]], tmp_path: Path) -> None:
    frame = pd.DataFrame(columns, dtype=object)
    frame.columns = pd.Index(list(columns), dtype=object, tupleize_cols=False)
    for use in (sp.read_tables, sp.audit, lambda given: sp.batch(given, tmp_path / "out", budget=0.2, jobs=1)):
        with contextlib.suppress(sp.ScoreproofError):
            use(frame)
