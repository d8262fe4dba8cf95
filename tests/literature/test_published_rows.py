"""The rows of 100 papers on retinal vessels and of seven on skin lesions (Fazekas and Kovács 2024,
doi:10.1016/j.asoc.2024.111993, sections 5.1 and 5.3), as tables that ``scoreproof batch`` reproduces."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from typer.testing import CliRunner

import scoreproof as sp
import scoreproof.cli.batch
from scoreproof.cli.app import app
from scoreproof.cli.experiments import known_experiment

PAPERS = Path(__file__).parents[2] / "examples" / "papers"
READINGS = [f"{region}_{way}" for region in ("fov", "all") for way in ("mean_of_scores", "score_of_means")]


def rows_of(name: str) -> list[dict[str, str]]:
    with (PAPERS / name).open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


def test_the_tables_have_all_rows() -> None:
    retina, skin = rows_of("retina_rows.csv"), rows_of("skin_rows.csv")
    assert (len(retina), len({row["paper"] for row in retina}), len(skin)) == (227, 100, 139)


def test_every_row_about_skin_lesions_is_reproduced() -> None:
    rows = rows_of("skin_rows.csv")
    verdicts = sp.batch(PAPERS / "skin_rows.csv", strict=True).table().column("verdict").to_pylist()
    assert verdicts == [row["expected"] for row in rows]
    assert verdicts.count("inconsistent") == 34


def test_one_row_about_vessels_is_a_question_unless_nothing_unsaid_is_admitted(tmp_path: Path) -> None:
    (row,) = (row for row in rows_of("retina_rows.csv") if (row["paper"], row["variant"]) == ("yang2020", "LCV"))
    file = tmp_path / "row.csv"
    file.write_text(f"acc,sens,spec\n{row['acc']},{row['sens']},{row['spec']}\n")
    experiment = "catalog:drive,region=fov,annotator=1,aggregation=mean_of_scores"
    for option, verdict in (([], "question"), (["--strict"], row["fov_mean_of_scores"])):
        out = tmp_path / verdict
        CliRunner().invoke(
            app, ["batch", str(file), str(out), "--experiment", experiment, "--csv", f"{out}.csv", *option]
        )
        assert next(csv.DictReader(Path(f"{out}.csv").read_text().splitlines()))["verdict"] == verdict


def test_averages_weighted_by_class_size_excuse_four_rows_about_skin_lesions() -> None:
    """As the authors say themselves in section 5.3."""
    table = sp.batch(PAPERS / "skin_rows.csv").table()
    verdicts, reasons = (table.column(name).to_pylist() for name in ("verdict", "reason"))
    assert (verdicts.count("inconsistent"), verdicts.count("question")) == (30, 4)
    assert all(
        "weighted by class size" in why for why, said in zip(reasons, verdicts, strict=True) if said == "question"
    )


@pytest.mark.parametrize("reading", READINGS)
def test_rows_about_retinal_vessels_are_reproduced(reading: str, tmp_path: Path) -> None:
    """Every twelfth here; all of them by the commands of docs/batch.md."""
    region, _, way = reading.partition("_")
    rows = rows_of("retina_rows.csv")[::12]
    experiment = known_experiment(f"catalog:drive,region={region},annotator=1,aggregation={way}")
    for row in rows:
        answer = sp.check(experiment, {name: row[name] for name in ("acc", "sens", "spec") if row[name]})
        assert answer.verdict == row[reading], row
        assert answer.certificate is None or sp.verify(answer.certificate)
