"""``scoreproof catalog`` and entries of one's own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.outside.commands import run
from typer.testing import CliRunner

import scoreproof as sp
import scoreproof.cli.listings
from scoreproof.catalog import benchmarks, entries, entry, read_entries
from scoreproof.cli.app import app, main


def test_the_list() -> None:
    done = CliRunner().invoke(app, ["catalog"])
    assert done.exit_code == 0
    for name in (
        "drive",
        "stare",
        "chasedb1",
        "hrf",
        "diaretdb0",
        "diaretdb1",
        "diaretdb1-images",
        "drishti-gs",
        "tpehg",
        "isic2016",
        "isic2017",
    ):
        assert name in done.stdout
    assert "120 common binary data sets" in done.stdout
    assert len(json.loads(CliRunner().invoke(app, ["catalog", "--json"]).stdout)) == 131 + len(benchmarks())
    assert "ecoli1" in CliRunner().invoke(app, ["catalog", "--all"]).stdout


def test_one_entry() -> None:
    done = CliRunner().invoke(app, ["catalog", "drive"])
    assert done.exit_code == 0
    assert "doi:10.1109/TMI.2004.825627" in done.stdout
    assert "field of view" in done.stdout
    document = json.loads(CliRunner().invoke(app, ["catalog", "drive", "--set", "region=fov", "--json"]).stdout)
    assert len(document["readings"]) == 4
    assert document["readings"][0]["experiment"]["type"] == "mean_of_scores"


@pytest.mark.parametrize(("region", "status"), [("all", 0), ("fov", 1)])
def test_a_report_on_one_image(region: str, status: int) -> None:
    scores = ("acc=0.9633", "sens=0.7406", "spec=0.9849")
    done = run("catalog", "drive", *scores, "--item", "01", "--set", f"region={region}", "--eps", "0.0001", "--json")
    assert done.returncode == status, done.stderr
    document = json.loads(done.stdout)
    assert document["verdict"] == ("consistent" if region == "all" else "inconsistent")
    shown = run("catalog", "drive", *scores, "--item", "01", "--eps", "0.0001")
    assert "the report fits 1 of 4 readings" in shown.stdout


OWN = """name: my clinic
title: Our clinic, made up
citation: nobody 2024
item: site
axes:
  region: {use: reading, values: {fov: field of view, all: all pixels}}
sets:
- {item: a, region: fov, p: 10, n: 20}
- {item: a, region: all, p: 10, n: 90}
- {item: b, region: fov, p: 5, n: 30}
- {item: b, region: all, p: 5, n: 95}
notes: [a small one]
"""


def test_an_entry_of_ones_own(tmp_path: Path) -> None:
    file = tmp_path / "own.yaml"
    file.write_text(OWN, encoding="utf-8")
    known = entry("My-Clinic", [file])
    assert [one.choices for one in known.readings()] == [
        {"region": region, "aggregation": way}
        for region in ("fov", "all")
        for way in ("mean_of_scores", "score_of_means")
    ]
    assert known.counts(region="fov") == (15, 50)
    done = run("catalog", "my_clinic", "acc=0.90", "--item", "a", "--file", str(file))
    assert done.returncode == 0, done.stderr
    assert len(entries([file])) == 132
    file.write_text("name: drive\ntitle: mine\ncitation: me\np: 3\nn: 4\n", encoding="utf-8")
    assert entry("drive", [file]).readings()[0].experiment == sp.TestSet(3, 4)
    (tmp_path / "c.csv").write_text("name,p,n\nx,1,2\ny,3,4\n", encoding="utf-8")
    file.write_text("name: c\ncollection: true\ntitle: t\ncitation: me\nsets: c.csv\n", encoding="utf-8")
    assert [one.counts() for one in read_entries(file)] == [(1, 2), (3, 4)]


WRONG = {
    "no yaml": ("{", "broken YAML"),
    "a list": ("- 1\n", "expected a mapping"),
    "no title": ("name: a\ncitation: b\np: 1\nn: 2\n", "title is missing"),
    "unknown key": ("name: a\ntitle: b\ncitation: c\nclases: {x: 1, y: 2}\n", "did you mean classes"),
    "no counts": ("name: a\ntitle: b\ncitation: c\n", "expected the counts once"),
    "two kinds of counts": ("name: a\ntitle: b\ncitation: c\np: 1\nn: 2\nclasses: {x: 1, y: 2}\n", "once"),
    "negative": ("name: a\ntitle: b\ncitation: c\np: -1\nn: 2\n", "whole number"),
    "huge": ("name: a\ntitle: b\ncitation: c\np: " + "9" * 50 + "\nn: 2\n", "whole number"),
    "one class": ("name: a\ntitle: b\ncitation: c\nclasses: {x: 1}\n", "at least two"),
    "file elsewhere": ("name: a\ntitle: b\ncitation: c\nsets: ../x.csv\n", "no file"),
    "unknown column": ("name: a\ntitle: b\ncitation: c\nsets: [{p: 1, n: 2, q: 3}]\n", "unknown column 'q'"),
    "twice": ("name: a\ntitle: b\ncitation: c\nsets: [{item: x, p: 1, n: 2}, {item: x, p: 1, n: 2}]\n", "stands twice"),
    "odd axis": ("name: a\ntitle: b\ncitation: c\naxes: {r: {use: maybe, values: {x: y}}}\nsets: [{r: x, p: 1, n: 2}]\n", "select or reading"),
    "no default": ("name: a\ntitle: b\ncitation: c\naxes: {r: {use: select, values: {x: y}}}\nsets: [{r: x, p: 1, n: 2}]\n", "default"),
    "unknown value": ("name: a\ntitle: b\ncitation: c\naxes: {r: {values: {x: y}}}\nsets: [{r: z, p: 1, n: 2}]\n", "not among its values"),
    "deep": ("a: " + "[" * 700, "at least 41 levels of nesting"),
}  # fmt: skip


@pytest.mark.parametrize("what", WRONG)
def test_files_that_are_no_entries(what: str, tmp_path: Path) -> None:
    content, words = WRONG[what]
    file = tmp_path / "own.yaml"
    file.write_text(content, encoding="utf-8")
    with pytest.raises(sp.ScoreproofError, match=words):
        read_entries(file)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("drvie",), "did you mean drive"),
        (("drive", "--set", "region=x"), "must be one of fov, all"),
        (("drive", "--set", "eye=left"), "has no axis 'eye'"),
        (("drive", "--item", "99"), "image 99 is not in this selection"),
        (("drive", "--folds", "5"), "folds are for one data set"),
        (("drive", "acc"), "NAME=VALUE"),
        (("tpehg", "--folds", "1"), "at least 2"),
        (("tpehg", "--file", "none.yaml"), "no such file"),
    ],
)
def test_wrong_usage_is_one_line_and_status_2(
    arguments: tuple[str, ...], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["catalog", *arguments])
    out, err = capsys.readouterr()
    assert ended.value.code == 2
    assert words in err
    assert err.count("\n") == 1
    assert out == ""


SLIDES = """
name: slides
title: Three slides
citation: nobody 2024
item: slide
sets: [{item: a, p: 10, n: 20}, {item: b, p: 10, n: 20}, {item: c, p: 12, n: 18}]
"""


@pytest.fixture
def slides(tmp_path: Path) -> str:
    file = tmp_path / "slides.yaml"
    file.write_text(SLIDES, encoding="utf-8")
    return str(file)


# Of 30 cases each, 24, 27 and 30 are right: mean 0.9, minimum 0.8, maximum 1.0.
@pytest.mark.parametrize(
    ("extremes", "status"),
    [
        ((), 0),
        (("--minimum", "acc=0.800", "--maximum", "acc=1.000"), 0),
        (("--minimum", "acc=0.801"), 1),  # no slide of 30 cases has that accuracy
        (("--minimum", "acc=0.833", "--maximum", "acc=0.867"), 1),  # the mean would be 0.867 at most
        (("--minimum", "acc=0.801", "--no-attained"), 0),
        (("--maximum", "acc=0.867", "--no-attained"), 1),
    ],
)
def test_extremes_over_the_images(extremes: tuple[str, ...], status: int, slides: str) -> None:
    done = run("catalog", "slides", "acc=0.900", *extremes, "--rounding", "nearest", "--file", slides, "--json")
    assert done.returncode == status, done.stderr
    document = json.loads(done.stdout)
    assert [one["choices"]["aggregation"] for one in document["left_out"]] == (["score_of_means"] if extremes else [])
    assert len(document["readings"]) == (1 if extremes else 2)


def test_identify_passes_extremes_and_deviations_on() -> None:
    counts, scores = {"folds": 5, "rounding": "nearest", "budget": 20.0}, {"acc": "0.9000"}
    plain = sp.catalog.identify("tpehg", scores, **counts)
    assert len(plain.results) == 3
    assert not plain.left_out
    for options in ({"minimum": {"accuracy": "0.9500"}}, {"maximum": {"acc": "0.8500"}}):
        found = sp.catalog.identify("tpehg", scores, **counts, **options)
        assert [str(reading.choices["aggregation"]) for reading in found.left_out] == ["score_of_means"]
        assert found.verdict == "inconsistent"
        assert all(sp.verify(result.certificate) for _, result in found.results)
        assert "left out, being one matrix" in str(found)
    spread = sp.catalog.identify("tpehg", {"acc": "0.9000 ± 0.6000"}, **counts, strict=True)
    assert spread.verdict == "inconsistent"
    assert len(spread.left_out) == 1
    ignored = sp.catalog.identify("tpehg", {"acc": "0.9000 ± 0.6000"}, **counts, spread="ignore")
    assert not ignored.left_out
    assert ignored.verdict == "consistent"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--minimum", "acc=0.8"), "give its scores"),
        (("--no-attained",), "give its scores"),
        (("acc=0.9", "--minimum", "acc"), "minimum: expected NAME=VALUE"),
        (("acc=0.9", "--minimum", "acc=high"), "high"),
        (("acc=0.9", "--minimum", "acc=0.8", "--item", "a"), "is one matrix"),
        (("acc=0.9 ± 0.1", "--item", "a"), "is one matrix"),
        (("acc=0.9", "--maximum", "acuracy=0.8"), "no score is called 'acuracy'"),
    ],
)
def test_extremes_that_make_no_sense(arguments: tuple[str, ...], words: str, slides: str) -> None:
    done = run("catalog", "slides", *arguments, "--file", slides)
    assert done.returncode == 2
    assert words in done.stderr
    assert done.stderr.count("\n") == 1
