"""Specifications: texts stay texts, mistakes come with their line, hostile files end in a message."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from scoreproof.errors import ScoreproofError
from scoreproof.papers.auditing import audit
from scoreproof.papers.readings import Readings
from scoreproof.papers.specification.load import load, schema

GOOD = """\
title: A paper
datasets:
  cases: {p: 30, n: 1_000}
experiments:
  test:
    dataset: cases
tables:
  - name: Table 1
    grid:
      - [Method, Acc, Sens]
      - [A, 0.90, no]
    experiment: test
"""


def message(spec: Any) -> str:
    with pytest.raises(ScoreproofError) as caught:
        audit(spec, explain=False, strength=False)
    return str(caught.value)


def test_texts_stay_texts_in_yaml_and_json() -> None:
    paper = load(GOOD).paper
    assert paper.tables[0].grid == [["Method", "Acc", "Sens"], ["A", "0.90", "no"]]
    assert paper.datasets["cases"].n == 1000
    document = (
        '{"tables": [{"grid": [["Acc"], [0.90], [1e-1], [12]], "experiment": "t"}],\n"experiments": {"t": {"tree": '
    )
    document += '{"type": "testset", "p": 3, "n": 5}}}}'
    assert load(document).paper.tables[0].grid == [["Acc"], ["0.90"], ["1e-1"], ["12"]]


def test_json_may_be_indented_with_tabs_and_still_has_lines() -> None:
    assert message('{\n\t"title": "x",\n\t"tables": [\n\t\t{"gird": 1}\n\t]\n}').startswith(
        "specification:4: unknown key 'gird'"
    )


def test_a_float_from_python_is_refused() -> None:
    assert "put the number in quotes" in message({"tables": [{"grid": [["Acc"], [0.9]]}]})


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("    dataset: cases", "    datset: cases", "specification:6: unknown key 'datset' in experiments.test; did you mean dataset?"),
        ("    dataset: cases", "    dataset: casses", "specification:6: experiments.test.dataset: there is no data set called 'casses'; did you mean cases?"),
        ("experiment: test", "experiment: tets", "specification:12: tables.1.experiment: there is no experiment called 'tets'; did you mean test?"),
        ("{p: 30, n: 1_000}", "{p: 30}", "specification:3: datasets.cases: p and n belong together"),
        ("{p: 30, n: 1_000}", "{p: thirty, n: 5}", "specification:3: datasets.cases.p: expected a whole number such as 300, got 'thirty'"),
        ("{p: 30, n: 1_000}", "{p: 3, n: 5, catalog: drive}", "specification:3: datasets.cases: expected the counts in one form"),
        ("{p: 30, n: 1_000}", "{catalog: drvie}", "specification:3: datasets.cases.catalog: no catalogue entry is called 'drvie'; did you mean drive?"),
        ("    dataset: cases", "    dataset: cases\n    stratified: perhaps", "specification:7: experiments.test.stratified: expected true or false, got 'perhaps'"),
        ("    dataset: cases", "    dataset: cases\n    folds: 2000", "specification:5: experiments.test: k: 2000 folds of 1030 cases"),
        ("- [A, 0.90, no]", "- [A, 0.90, no", "broken YAML at column"),
        ("title: A paper", "title: A paper: with a colon", "specification:1: broken YAML at column 15"),
        ("title: A paper", "\ttitle: A paper", "specification:1: broken YAML at column 1 (found character that cannot start any token); replace the tab by blanks"),
        ("title: A paper", "title: A paper\ntitle: B", "specification:2: the key 'title' is given twice (first on line 1)"),
        ("title: A paper", "title: !!python/object/apply:os.system [ls]", "specification:1: the tag"),
        ("title: A paper", "title: &a x\nsource: *a", "specification:2: the reference *a is not read; write the values out"),
        ("title: A paper", "<<: {title: x}", "specification:1: merging with '<<' is not read"),
        ("[Method, Acc, Sens]", "[Method, Time, Colour]", "tables.1: no column is named like a score (the headers are: Method, Time, Colour)"),
        ("    experiment: test", "    experiment: test\n    rows: {B: test}", "specification:13: tables.1.rows.B: there is no row called 'B'"),
        ("    experiment: test", "    experiment: test\n    columns: {Accu: acc}", "specification:13: tables.1.columns: columns: no column is headed 'Accu'"),
        ("    experiment: test", "    experiment: test\n    columns: {Acc: acuracy}", "no score is called 'acuracy'"),
        ("    experiment: test", "    experiment: test\n    options: {eps: 0.1, rounding: any}", "specification:13: tables.1.options: rounding and eps contradict"),
        ("    grid:", "    file: nowhere.csv\n    grid:", "expected the table as one of file, grid or text, got file and grid"),
        ("title: A paper", "title: A paper\nclaims:\n  - {best: A}", "specification:3: claims.1: expected 'by'"),
    ],
)  # fmt: skip
def test_mistakes_point_to_their_line(old: str, new: str, said: str) -> None:
    assert old in GOOD
    assert said in message(GOOD.replace(old, new))


def test_a_missing_table_file_is_named_with_its_line(tmp_path: Path) -> None:
    file = tmp_path / "paper.yaml"
    file.write_text("title: x\ntables:\n  - file: nowhere.csv\n", encoding="utf-8")
    assert message(file).startswith(f"{file}:3: tables.1.file: {tmp_path / 'nowhere.csv'}: no such file")


def test_marks_of_a_draft_are_listed(tmp_path: Path) -> None:
    said = message(GOOD.replace("{p: 30, n: 1_000}", "\n    p: FILL IN  # positives\n    n: FILL IN"))
    assert "specification:4: datasets.cases.p: still to be filled in" in said
    assert "specification:5: datasets.cases.n: still to be filled in" in said
    assert "2 places are marked FILL IN" in said


def test_a_flood_of_aliases_is_refused() -> None:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 9)}]" for i in range(1, 10)]
    assert "the reference *a0 is not read" in message("\n".join(lines))


def test_deep_nesting_is_refused() -> None:
    assert "at least 41 levels of nesting, at most 40 are read" in message("title: " + "[" * 5000 + "]" * 5000 + "\n")
    assert "at least 41 levels of nesting, at most 40 are read" in message(
        '{"title": ' + "[" * 50000 + "]" * 50000 + "}\n"
    )


@pytest.mark.parametrize("text", ["- a\n- b\n", "just words\nand more\n", "# nothing\n# at all\n"])
def test_other_documents_are_refused(text: str) -> None:
    assert "expected" in message(text)


def test_large_and_missing_files(tmp_path: Path) -> None:
    large = tmp_path / "large.yaml"
    with large.open("wb") as file:
        file.truncate(100 * 2**20)
    assert message(large).startswith(
        f"{large}: 100 megabytes, at most 50 are read; raise the limit with --allow megabytes=100"
    )
    assert "no such file" in message(tmp_path / "nowhere.yaml")
    assert "a folder" in message(tmp_path)
    blank = tmp_path / "blank.yaml"
    blank.write_text(" \n", encoding="utf-8")
    assert "the file is blank" in message(blank)
    binary = tmp_path / "paper.pdf"
    binary.write_bytes(b"%PDF-1.4\n\xe2\xe3\xcf\xd3")
    assert "not a readable PDF" in message(binary)  # a paper, not a specification


def test_the_published_schema_is_up_to_date() -> None:
    published = Path(__file__).parents[2] / "docs" / "specification.schema.json"
    assert json.loads(published.read_text(encoding="utf-8")) == schema()


def test_the_schema_knows_what_the_loader_knows() -> None:
    parts = schema()["$defs"]
    assert set(parts["DatasetModel"]["properties"]) >= {"p", "n", "classes", "catalog", "sets", "items", "axes"}
    assert parts["ExperimentModel"]["additionalProperties"] is False
    assert {"type": "string"} in parts["ColumnModel"]["anyOf"]


def test_the_documented_example_loads_and_its_experiments_have_readings() -> None:
    page = (Path(__file__).parents[2] / "docs" / "specification.md").read_text(encoding="utf-8")
    example = page.split("```yaml\n")[1].split("```")[0]
    spec = load(example)
    readings = Readings(spec)
    counted = {name: len(readings.of([name])) for name in spec.paper.experiments}
    alone = ("test set", "seeds", "nested", "images", "prices", "from the text")
    assert counted == {"cross-validation": 2, "vessels": 4, **dict.fromkeys(alone, 1)}
    assert len(readings.hypothesis("oversampled")) == 3


@pytest.mark.parametrize(
    ("experiment", "words"),
    [
        ("{dataset: d, runs: 0}", "expected numbers from 1 to 1000"),
        ("{dataset: d, runs: 1000000000}", "expected numbers from 1 to 1000"),
        ("{dataset: d, runs: [1, 0]}", "expected numbers from 1 to 1000"),
        ("{dataset: d, runs: 5, folds: 5}", "runs of a cross-validation are its repeats"),
        ("{tree: {type: testset, p: 1, n: 2}, runs: 5}", "runs cannot be added to it"),
    ],
)
def test_runs_that_make_no_sense_are_refused(experiment: str, words: str) -> None:
    with pytest.raises(ScoreproofError, match=words):
        load(f"datasets: {{d: {{p: 10, n: 20}}}}\nexperiments: {{e: {experiment}}}\ntables: []\n")
