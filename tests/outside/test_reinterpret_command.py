"""``scoreproof reinterpret`` and the tables it reads, from the outside."""

from __future__ import annotations

import json
from fractions import Fraction
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import scoreproof as sp
import scoreproof.cli.inference
from scoreproof.cli.app import app
from scoreproof.insight.reinterpreting import read_table

TABLE = """method,acc,sens (%),spec (%),f1,AUC
MFCC,0.706,43.0,96.9,0.588,0.81
<b>Tilt</b> & co,0.60 ± 0.02,80.1,40.3,n/a,

"MFCC, all",0.742,60.2,88.0,0.695,0.9
Bad,0.9x,50,50,,
Empty,,-,n/a,—,
KNN,0.5317,100.00,,0.985,
"""


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "table.csv"
    path.write_text(TABLE, encoding="utf-8")
    return path


def run(*arguments: str) -> tuple[int, str]:
    done = CliRunner().invoke(app, ["reinterpret", *arguments])
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done.exit_code, done.output


def test_the_whole_command(table: Path, tmp_path: Path) -> None:
    page, ranks, costs = tmp_path / "page.html", tmp_path / "ranks.png", tmp_path / "costs.png"
    status, output = run(str(table), "--claim", "best=MFCC, all", "by=f1", "--cost-ratio", "10", "--html", str(page), "--rank-plot", str(ranks), "--cost-plot", str(costs))  # fmt: skip
    assert status == 1  # KNN is impossible
    assert "- KNN: no confusion matrix of any size" in output
    assert "Bad could not be read" in output
    assert "Empty could not be read: no score is reported" in output
    assert "AUC" in output
    assert "Publish the confusion matrix" in output
    assert ranks.read_bytes().startswith(b"\x89PNG")
    assert costs.read_bytes().startswith(b"\x89PNG")
    text = page.read_text(encoding="utf-8").replace("http://www.w3.org/2000/svg", "")
    assert "<b>Tilt" not in text
    assert "&lt;b&gt;Tilt&lt;/b&gt; &amp; co" in text
    assert not [word for word in ("http://", "https://", "src=", "@import") if word in text]
    assert text.count("<script") == 1  # the page's own, which the policy names by its hash
    _Balanced().check(text)


class _Balanced(HTMLParser):
    """Every tag that opens closes."""

    def check(self, text: str) -> None:
        self.open: list[str] = []
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        if tag not in ("meta", "link"):
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: Any) -> None:
        assert tag in ("rect", "line")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_json_stands_alone(table: Path) -> None:
    status, output = run(str(table), "--json", "--claim", "best=MFCC", "by=acc")
    document = json.loads(output)
    assert status == 1
    names = [one["name"] for one in document["methods"]]
    assert names == ["MFCC", "<b>Tilt</b> & co", "MFCC, all", "Bad", "Empty", "KNN"]
    assert document["standing"]["acc"] == "certainly not"
    assert document["ignored_columns"] == ["AUC"]
    assert [one["name"] for one in document["methods"] if one["problem"]] == ["Bad", "Empty"]


def test_nothing_grave_is_status_0(tmp_path: Path) -> None:
    path = tmp_path / "fine.csv"
    path.write_text("name;tp;fp;fn;tn\nA;50;10;5;60\nB;45;10;10;60\n", encoding="utf-8")
    status, output = run(str(path))
    assert status == 0
    assert "A certainly costs less" in output or "A costs less than B whatever the costs" in output


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--claim", "best=Nobody", "by=f1"), "no row is called 'Nobody'"),
        (("--claim", "MFCC", "f1"), "expected best=METHOD by=SCORE"),
        (("--claim", "best=MFCC", "by=speed"), "no score is called 'speed'"),
        (("--cost-ratio", "-3"), "cost_ratio: expected a positive number"),
        (("--cost-ratio", "much"), "cost_ratio: expected a positive number"),
        (("--rank-plot", "x.png", "--rank-by", "speed"), "no score is called 'speed'"),
    ],
)
def test_wrong_usage_says_what_is_wrong(table: Path, arguments: tuple[str, ...], message: str) -> None:
    with pytest.raises(sp.ScoreproofError, match=message):
        run(str(table), *arguments)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "empty file"),
        ("name,acc\n", "expected a header"),
        ("name,speed\nA,3\n", "no column is a score"),
        ('name,acc\n"A,0.9\n', "line 2: no proper delimited text"),
    ],
)
def test_files_that_are_no_table(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "odd.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(sp.ScoreproofError, match=message):
        sp.reinterpret(path)
    with pytest.raises(sp.ScoreproofError, match="folder"):
        sp.reinterpret(tmp_path)
    (tmp_path / "binary.csv").write_bytes(b"\xff\xfe\x00name")
    with pytest.raises(sp.ScoreproofError, match="UTF-16"):
        sp.reinterpret(tmp_path / "binary.csv")


@pytest.mark.parametrize("bad", [None, 7, [], {}])
def test_tables_that_are_none(bad: Any) -> None:
    with pytest.raises(sp.ScoreproofError, match="table"):
        sp.reinterpret(bad)


def test_one_bad_row_does_not_lose_the_others() -> None:
    found = sp.reinterpret(
        {
            "good": {"acc": "0.90", "f1": "0.80"},
            "text": "0.9",
            "unknown": {"speed": "3"},
            "float": {"acc": 0.9},
            "half": {"tp": 3, "fp": 4},
            "negative": {"tp": -3, "fp": 4, "fn": 1, "tn": 1},
            "nothing": {"tp": 0, "fp": 0, "fn": 0, "tn": 0},
            "bracket": {"acc": "0.90 (0.02)"},
            "twice": {"acc": "0.9", "accuracy": "0.8"},
            "long count": {"tp": 10**5000, "fp": 1, "fn": 1, "tn": 1},
            "long heading": {10**5000: "0.9"},
            10**5000: {"speed": "3"},
        }
    )
    assert [one.name for one in found.readings if one.problem] == [one.name for one in found.readings][1:]
    assert found["good"].reconstruction is not None
    assert found["good"].reconstruction.verdict == "consistent"
    with pytest.raises(KeyError):
        found["nobody"]


def test_headings_and_cells_in_their_many_forms() -> None:
    rows = read_table([{"Method": "A", "ACC [%]": "90.1 ± 0.3", "Recall": ".80", "Total": "50", "prevalence": "0.3"}])
    (method,) = rows.methods
    assert method.scores == {"ACC": "90.1%", "Recall": ".80"}
    assert (method.sizes, method.averaged) == ({"total": 50, "prevalence": "0.3"}, ("ACC [%]",))
    assert read_table([{"acc": "0.9"}]).methods[0].name == "row 1"
    same = read_table([{"name": "A", "acc": "0.9"}, {"name": "A", "acc": "0.8"}])
    assert "second row" in same.methods[1].problem


def test_known_class_counts_are_used_for_every_row() -> None:
    table = {"A": {"acc": "0.90", "sens": "0.80"}, "B": {"acc": "0.80", "sens": "0.90"}}
    found = sp.reinterpret(table, p=50, n=150)
    assert found.same_test_set is not None
    assert found.same_test_set.common == (50, 150)
    assert all(one.reconstruction is not None and one.reconstruction.known == "counts" for one in found.readings)
    by_total = sp.reinterpret({"A": {"acc": "0.90", "sens": "0.80", "spec": "0.93"}, "B": {"acc": "0.80", "sens": "0.20", "spec": "0.95"}}, total=200)  # fmt: skip
    assert by_total.same_test_set is not None
    assert by_total.same_test_set.common is not None
    assert sum(by_total.same_test_set.common) == 200


def test_ranks_of_ranges_are_ranges() -> None:
    found = sp.reinterpret({"A": {"f1": "0.80"}, "B": {"f1": "0.75"}, "C": {"f1": "0.50"}}, tightness=0.05)
    rows = {row.method: row.rank for row in found.ranks["f1"]}
    assert rows == {"A": (1, 1), "B": (2, 2), "C": (3, 3)}
    assert {row.rank[0] for row in found.ranks["mcc"]} == {1}
    lower = {
        row.method: row.is_best
        for row in sp.reinterpret({"A": {"lrn": "0.10"}, "B": {"lrn": "0.50"}}, tightness=0.05).ranks["lrn"]
    }
    assert lower == {"A": "certainly", "B": "certainly not"}


def test_results_print_and_render() -> None:
    found = sp.reinterpret({"A": sp.ConfusionMatrix(5, 1, 2, 9)}, cost_ratio="2.5")
    assert found.cost_ratio == Fraction(5, 2)
    assert found.same_test_set is None
    assert str(found).endswith("would be needed.")
    assert found._repr_html_().startswith("<ul>")
    json.loads(found.to_json())
    with pytest.raises(sp.ScoreproofError, match="at least two methods"):
        found.rank_figure("mcc")
