"""Batches from outside: every form of frame, bad input, the command, proofs, what a spreadsheet gets."""

from __future__ import annotations

import io
import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from batch_frames import HEADER, reports, write_csv
from typer.testing import CliRunner

import scoreproof as sp
from scoreproof.batches import frame as frames
from scoreproof.batches import frame_files as arrow_files
from scoreproof.cli import batch as _registered  # noqa: F401
from scoreproof.cli.app import app
from scoreproof.errors import InvalidOption, LimitExceeded, ScoreproofError, UnreadableInput
from scoreproof.limits import Limits, current, within

ROWS = reports(60, folds_every=20)
COLUMNS = dict(zip(HEADER, map(list, zip(*ROWS, strict=True)), strict=True))


def verdicts(result: sp.BatchResult) -> list[str]:
    return [row["verdict"] for row in result.table(["verdict"]).to_pylist()]


@pytest.fixture(scope="module")
def plain() -> list[str]:
    return verdicts(sp.batch(pa.table(COLUMNS)))


def saved(kind: str, folder: Path) -> Any:
    table = pa.table(COLUMNS)
    path = folder / f"reports.{kind}"
    if kind == "csv":
        return write_csv(path, ROWS)
    if kind == "tsv":
        path.write_text("\n".join("\t".join(row) for row in (HEADER, *ROWS)) + "\n", encoding="utf-16")
    elif kind == "parquet":
        pq.write_table(table, path, row_group_size=7)
    elif kind == "arrow":
        with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_file(sink, table.schema) as writer:
            writer.write_table(table, max_chunksize=11)
    return {"pandas": pd.DataFrame(COLUMNS), "polars": pl.DataFrame(COLUMNS), "table": table}.get(kind, path)


@pytest.mark.parametrize("kind", ["csv", "tsv", "parquet", "arrow", "pandas", "polars"])
def test_every_form_of_frame_gives_the_same(kind: str, tmp_path: Path, plain: list[str]) -> None:
    result = sp.batch(saved(kind, tmp_path), tmp_path / "out", rows_per_part=25)
    assert verdicts(result) == plain
    assert {"consistent", "inconsistent"} <= set(plain)
    assert len(list((tmp_path / "out").glob("part-*.parquet"))) == 3
    table = result.table()
    assert table.column_names == [
        "row",
        *HEADER,
        "verdict",
        "reason",
        "kind",
        "notes",
        "witness",
        "proof",
        "certificate",
    ]
    assert table.column("row").to_pylist() == list(range(1, 61))
    assert table.select(list(HEADER)).to_pydict() == COLUMNS
    assert sp.open_batch(tmp_path / "out") == result
    row = plain.index("inconsistent") + 1
    assert sp.verify(result.proof(row))
    assert result.to_frame().shape == (60, len(table.column_names))
    again = sp.batch(saved(kind, tmp_path), tmp_path / "out", rows_per_part=25)
    assert (again, again.decided_now) == (result, 0)


def test_long_frames_are_reports_too(tmp_path: Path, plain: list[str]) -> None:
    lines = [
        {"id": str(number), **dict(zip(HEADER[:4], row[:4], strict=True)), "score": name, "value": text}
        for number, row in enumerate(ROWS)
        for name, text in zip(HEADER[4:], row[4:], strict=True)
    ]
    assert verdicts(sp.batch(pd.DataFrame(lines))) == plain
    with pytest.raises(UnreadableInput, match="stand together"):
        sp.batch(pd.DataFrame([*lines, lines[0]]))


def test_numbers_need_their_digits() -> None:
    frame = pl.DataFrame(
        {"p": [1000, 1000], "n": [6000, 6000], "acc": [0.6801, 0.6821], "npv": [0.9401] * 2, "f1": [0.4004] * 2}
    )
    with pytest.raises(InvalidOption, match=r"digits: the column 'acc' holds numbers"):
        sp.batch(frame)
    assert verdicts(sp.batch(frame, digits=4)) == ["inconsistent", "consistent"]
    decimals = pa.table({"p": [10], "n": [20], "acc": [Decimal("0.950")], "sens": [Decimal("0.50")]})
    assert verdicts(sp.batch(decimals)) == ["inconsistent"]


def test_equal_decimals_of_other_digits_are_other_reports() -> None:
    """Decimal("0.50") equals Decimal("0.5"), also as a key: what was read before must not be remembered for it."""
    found = []
    for text in ("0.5", "0.50", "0.5000"):
        columns = {"p": ["7"], "n": ["9"], "acc": [Decimal(text)], "sens": [Decimal(text)], "spec": [Decimal(text)]}
        found.append(verdicts(sp.batch(pa.table(columns)))[0])
        alone = {"total": ["20"], "prevalence": [Decimal(text)], "acc": ["0.90"], "sens": ["0.90"], "spec": ["0.95"]}
        row = sp.batch(pa.table(alone)).table().to_pylist()[0]
        stated = sp.UnknownClasses(20, text)
        assert row["verdict"] == sp.check(stated, {"acc": "0.90", "sens": "0.90", "spec": "0.95"}).verdict
    assert found == [
        str(sp.check(sp.TestSet(7, 9), dict.fromkeys(("acc", "sens", "spec"), t)).verdict)
        for t in ("0.5", "0.50", "0.5000")
    ]
    assert found == ["consistent", "inconsistent", "inconsistent"]


def test_one_experiment_for_all_rows_and_columns_by_name() -> None:
    frame = {
        "Model": ["a", "b"],
        "my acc": ["0.6801", "0.6821"],
        "NPV": ["0.9401"] * 2,
        "F-measure": ["0.4004"] * 2,
        "n": ["x", "y"],
    }
    result = sp.batch(pa.table(frame), experiment=sp.TestSet(1000, 6000), columns={"acc": "my acc"}, source="Model")
    assert verdicts(result) == ["inconsistent", "consistent"]
    assert [(each.source, each.verdicts) for each in result.sources] == [
        ("a", {"inconsistent": 1}),
        ("b", {"consistent": 1}),
    ]
    assert any("carried along, but not read: n" in note for note in result.notes)
    assert "every row is checked against one test set" in " ".join(result.notes)


def test_averages_over_classes_are_scores_of_rows_with_several_classes() -> None:
    """A column ``macro_f1`` is read where classes are counted; two-class rows are checked without it, which is said."""
    frame = {
        "counts": ["50,70,30", "50,70,30", None],
        "p": [None, None, 100],
        "n": [None, None, 200],
        "acc": ["0.91", "0.91", "0.90"],
        "macro_f1": ["0.89", "0.20", "0.20"],
    }
    result = sp.batch(pa.table(frame))
    assert verdicts(result) == ["consistent", "inconsistent", "consistent"]
    assert any("several classes: macro_f1" in note for note in result.notes)
    with pytest.raises(InvalidOption, match="both say macro f1"):
        sp.batch(pa.table(frame | {"F1 (macro)": ["0.89"] * 3}))
    alone = sp.batch(pa.table({"p": [100], "n": [200], "macro_f1": ["0.20"]})).table(["verdict", "reason"]).to_pylist()
    assert alone[0]["verdict"] == "not tested"
    assert "p and n may be one class against the rest" in alone[0]["reason"]


def test_the_strength_of_a_pass_is_told_if_asked() -> None:
    frame = pa.table(
        {"p": ["75"] * 2, "n": ["304"] * 2, "acc": ["0.855", "0.855"], "sens": ["0.507", "0.9"], "spec": ["0.941"] * 2}
    )
    strength = [row["strength"] for row in sp.batch(frame, strength=True).table().to_pylist()]
    assert strength[0] == pytest.approx(
        sp.check(sp.TestSet(75, 304), {"acc": "0.855", "sens": "0.507", "spec": "0.941"}).strength.fraction
    )
    assert strength[1] is None


def test_what_is_wrong_with_a_row_is_its_own_reason(tmp_path: Path) -> None:
    path = tmp_path / "odd.csv"
    path.write_text(
        "p,n,acc,sens\n10,20,0.90,0.80\n10,20,0.90\nx,20,0.90,0.80\n10,20,,\n10,20,abc,0.80\n10,20,0.90,0.80,0.70\n,,0.9,0.8\n",
        encoding="utf-8",
    )
    result = sp.batch(path)
    rows = result.table(["verdict", "reason"]).to_pylist()
    assert [row["verdict"] for row in rows] == ["consistent", "error", "error", "not tested", "error", "error", "error"]
    said = [note for note in result.notes if "not checked" in note]
    assert len(said) == 3
    assert said[0].startswith("1 row was not checked (row 2): line 3 has 3 cells")
    assert "line 3 has 3 cells: expected 4" in rows[1]["reason"]
    assert "line 7 has 5 cells" in rows[5]["reason"]
    assert "the experiment is missing" in rows[6]["reason"]


def test_percentages_are_those_whose_heading_says_so_or_whose_user(tmp_path: Path) -> None:
    path = tmp_path / "percent.csv"
    path.write_text("p;n;Accuracy (%);Sens [%]\n100;900;95,3;81,0\n100;900;0,953;81,0\n100;900;95,3%;81\n", "utf-8")
    result = sp.batch(path)
    rows = result.table(["verdict", "reason"]).to_pylist()
    assert [row["verdict"] for row in rows] == ["consistent", "error", "consistent"]
    assert "the heading says percent, but '0,953' is not above 1" in rows[1]["reason"]
    assert "read as percentages: Accuracy (%), Sens [%]" in result.notes
    said = {"Acc": [95.3, 0.9], "sens": [81.04, 81.04]}
    frame = pa.table({"p": [100, 100], "n": [900, 900], **said})
    each = sp.batch(frame, percent=["Acc", "sens"], digits={"Acc": 1, "sens": 0}).table().to_pylist()
    assert [row["verdict"] for row in each] == [
        sp.check(sp.TestSet(100, 900), {"acc": acc, "sens": "81%"}).verdict for acc in ("95.3%", "0.9%")
    ]
    for odd in (True, b"90"):
        none = sp.batch(pa.table({"p": [100], "n": [900], "Acc": [odd]}), percent=["Acc"], digits=1).table()
        assert none.column("verdict").to_pylist() == ["error"], odd
    alone = sp.batch(pa.table({"kind": ["regression"], "n": ["50"], "rmse (%)": ["12.1"], "mae": ["9.0"]}))
    assert "carried along, but not read: rmse (%)" in alone.notes


@pytest.mark.parametrize(
    ("counts", "words"),
    [
        ({"total": "1000", "p": "100"}, ""),
        ({"n_test": "1000", "n_neg": "900"}, ""),
        ({"total": "1000", "p": "100", "n": "900"}, ""),
        ({"total": "1000", "p": "100", "n": "901"}, "expected p + n = 1001, got 1000"),
        ({"total": "50", "p": "100"}, "expected at least the 100 cases of one class, got 50"),
    ],
)
def test_all_cases_and_one_class_say_the_other(counts: dict[str, str], words: str) -> None:
    row = sp.batch(pa.table({name: [value] for name, value in {**counts, "acc": "0.9534"}.items()})).table().to_pylist()
    if words:
        assert (row[0]["verdict"], words in row[0]["reason"]) == ("error", True)
    else:
        assert row[0]["verdict"] == "inconsistent"
        certificate = json.loads(row[0]["certificate"])
        assert certificate["statement"]["experiment"] == sp.TestSet(100, 900).to_dict()


BAD: dict[str, tuple[Any, dict[str, Any], str]] = {
    "no frame": (3, {}, "expected the path of a CSV or Parquet file"),
    "no file": ("nowhere.csv", {}, "no such file"),
    "no scores": (pa.table({"p": ["1"], "year": ["2"]}), {}, "is the name of a score"),
    "twice": (pa.table({"p": ["1"], "acc": ["1"], "accuracy": ["1"]}), {}, "both say acc"),
    "no column": (pa.table({"acc": ["1"]}), {"columns": {"sens": "x"}}, "there is no column 'x'"),
    "no such option": (pa.table({"p": ["1"], "acc": ["1"]}), {"rounding": {"sens": "any"}}, "no column has that score"),
    "no experiment": (pa.table({"acc": ["1"]}), {"experiment": 5}, "expected TestSet"),
    "mixed": (pd.DataFrame({"acc": ["0.9", 3]}, dtype=object), {}, "cannot be taken as they are"),
    "pool": (pa.table({"acc": ["1"]}), {"pool": "here"}, "expected a number of processes or the address"),
    "processes": (pa.table({"acc": ["1"]}), {"pool": 0}, "pool: expected a number of processes"),
    "nothing of the experiment": (pa.table({"acc": ["1"]}), {}, "none of 'acc' describes an experiment"),
    "n of whom": (
        pa.table({"n": ["9"], "positives": ["3"], "acc": ["1"]}),
        {},
        "'n' beside 'positives' may be the negatives or all cases",
    ),
    "percent of what": (pa.table({"p": ["1"], "acc": ["1"]}), {"percent": ["sens"]}, "there is no column 'sens'"),
    "strength": (pa.table({"p": ["1"], "acc": ["1"]}), {"strength": 1}, "strength: expected True or False"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input_is_refused_in_words(name: str) -> None:
    frame, options, words = BAD[name]
    with pytest.raises(ScoreproofError, match=words):
        sp.batch(frame, **options)


def hostile() -> dict[str, bytes]:
    sink = io.BytesIO()
    pq.write_table(pa.table({"p": ["1"] * 50, "n": ["2"] * 50, "acc": ["0.9"] * 50}), sink)
    whole = sink.getvalue()
    bomb = io.BytesIO()
    same = pa.DictionaryArray.from_arrays(pa.array(np.zeros(2_000_000, dtype=np.int32)), ["0" * 1000])
    pq.write_table(pa.table({"acc": same}), bomb, compression="zstd")
    return {
        "empty": b"",
        "no parquet": b"PAR1 and then nothing",
        "cut": whole[: len(whole) // 2],
        "damaged": whole[:40] + b"\xff" * 30 + whole[70:],
        "bomb": bomb.getvalue(),
    }


def test_reading_a_parquet_file_is_limited_in_processor_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock of a busy machine ends nothing soon: it has ten times the seconds."""
    asked: dict[str, float] = {}

    def look(*_: object, **limits: float) -> dict[str, int]:
        asked.update(limits)
        return {"rows": 1, "columns": 1}

    pq.write_table(pa.table({"acc": ["0.9"]}), tmp_path / "rows.parquet")
    monkeypatch.setattr(arrow_files._LOOK, "_started", lambda *_: None)
    monkeypatch.setattr(type(arrow_files._LOOK), "__call__", look)
    assert arrow_files.ArrowFile.of(tmp_path / "rows.parquet", arrow_files.PARQUET).columns == ("acc",)
    assert asked["seconds"] == 10 * asked["processor"] == 10 * current().seconds


@pytest.mark.parametrize("name", ["empty", "no parquet", "cut", "damaged", "bomb"])
def test_hostile_parquet_files_end_in_words(name: str, tmp_path: Path) -> None:
    path = tmp_path / "hostile.parquet"
    path.write_bytes(hostile()[name])
    with within(Limits(seconds=5, memory=300, rows=1_000_000)), pytest.raises(UnreadableInput):
        sp.batch(path)


def test_more_processes_than_a_machine_can_bear_are_refused() -> None:
    with pytest.raises(InvalidOption, match="pool: expected a number of processes, at most"):
        sp.batch(pa.table(COLUMNS), pool=10**6)


def test_a_folder_that_no_system_can_name_is_refused() -> None:
    for ask in (lambda: sp.batch(pa.table(COLUMNS), "x" * 5000), lambda: sp.open_batch("x" * 5000)):
        with pytest.raises(InvalidOption, match="expected the path of a folder"):
            ask()


def test_cells_that_are_lists_are_the_fault_of_their_row() -> None:
    lists = pa.table({"p": [[1], [2]], "n": [[3], [4]], "acc": [["0.9"], ["0.8"]]})
    result = sp.batch(lists)
    assert verdicts(result) == ["error", "error"]
    assert all("expected numbers and texts" in row["reason"] for row in result.table(["reason"]).to_pylist())


def test_limits_hold(tmp_path: Path) -> None:
    path = write_csv(tmp_path / "many.csv", ROWS)
    with within(Limits(rows=20)), pytest.raises(LimitExceeded, match="rows"):
        sp.batch(path)
    with within(Limits(columns=3)), pytest.raises(LimitExceeded, match="columns"):
        sp.batch(path)


def test_a_folder_of_another_batch_is_refused(tmp_path: Path) -> None:
    path = write_csv(tmp_path / "a.csv", ROWS[:10])
    sp.batch(path, tmp_path / "out")
    with pytest.raises(InvalidOption, match=r"another batch \(other settings\)"):
        sp.batch(path, tmp_path / "out", rounding="nearest")
    with pytest.raises(InvalidOption, match=r"another batch \(other input\)"):
        sp.batch(write_csv(tmp_path / "a.csv", ROWS[:9]), tmp_path / "out")
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "file").write_text("mine", encoding="utf-8")
    with pytest.raises(InvalidOption, match="holds other files"):
        sp.batch(path, tmp_path / "other")
    with pytest.raises(UnreadableInput, match="expected the folder of a batch"):
        sp.open_batch(tmp_path / "other")


def run(*arguments: object) -> Any:
    return CliRunner().invoke(app, ["batch", *map(str, arguments)])


def test_the_command_writes_parts_page_and_csv_and_fetches_proofs(tmp_path: Path) -> None:
    evil = [("=HYPERLINK(1)", *ROWS[0][1:]), ("<script>alert(1)</script>", *ROWS[1][1:]), *ROWS[2:]]
    path = write_csv(tmp_path / "reports.csv", evil)
    out = tmp_path / "out"
    ran = run(path, out, "--csv", tmp_path / "out.csv", "--workers", 1, "--json")
    assert ran.exit_code == 1, ran.output
    document = json.loads(ran.stdout)
    assert document["rows"] == 60
    assert document["verdicts"]["inconsistent"] == len(document["refutations"])
    page = (out / "summary.html").read_text(encoding="utf-8")
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    lines = (tmp_path / "out.csv").read_text(encoding="utf-8").splitlines()
    assert len(lines) == 61
    assert lines[1].startswith("1,'=HYPERLINK(1),")
    row = document["refutations"][0]["row"]
    fetched = run(out, "--proof", row, "--certificate", tmp_path / "proof.json")
    assert (fetched.exit_code, fetched.stdout.split()[0]) == (0, "valid")
    assert sp.verify(tmp_path / "proof.json")
    consistent = next(i for i, line in enumerate(lines) if ",consistent," in line)
    for wrong in (
        (out, "--proof", consistent),
        (out, "--proof", 61),
        (path, "--proof", 1),
        (path,),
        (out, out, "--proof", 1),
    ):
        with pytest.raises(ScoreproofError):
            raise run(*wrong).exception


def test_results_without_rows_say_so() -> None:
    document = sp.batch(pa.table({"p": ["1"], "n": ["1"], "acc": ["1.0"]})).to_dict()
    with pytest.raises(InvalidOption, match="not kept"):
        sp.BatchResult.from_dict(document).table()


def test_frames_are_cut_into_chunks_of_one_size(tmp_path: Path) -> None:
    for kind in ("csv", "parquet", "arrow", "table"):
        sizes = [chunk.table.num_rows for chunk in frames.frame_of(saved(kind, tmp_path)).chunks(13)]
        assert sizes == [13, 13, 13, 13, 8], kind
