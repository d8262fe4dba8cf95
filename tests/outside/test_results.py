"""Every result has one protocol: a sentence, a short line, a document that is read again, a notebook, a terminal."""

from __future__ import annotations

import doctest
import inspect
import io
import json
import math
import re
import tempfile
import typing
from collections.abc import Callable, Iterator
from enum import Enum
from pathlib import Path
from typing import Any

import lxml.html
import numpy as np
import pyarrow
import pytest
from rich.console import Console

import scoreproof as sp
from scoreproof import claims, sota
from scoreproof import metrics as m
from scoreproof import statistics as st
from scoreproof.catalog import benchmarks, identify
from scoreproof.errors import InvalidOption, InvalidValue, ScoreproofError
from scoreproof.findings.collection import Collection, PaperLine
from scoreproof.insight.deviations import OtherCounts, OtherExperiment
from scoreproof.insight.explanation import explain_table
from scoreproof.insight.outcomes import PlausibleClassifier
from scoreproof.jsonable import jsonable
from scoreproof.papers.selfcheck import NearMiss
from scoreproof.papers.text_facts.sizes import Extraction
from scoreproof.results import Result, SmallTable, Tabular, in_terminal, short_line

SET = sp.TestSet(p=100, n=200)
SCORES = {"acc": "0.9567", "sens": "0.8545", "spec": "0.9734"}
FITTING = {"acc": "0.80", "sens": "0.75"}
TABLE = "Method,Acc,Sens,Spec\n<b>&Net,0.9567,0.8545,0.9734\nB,0.8000,0.7500,0.8250\n"
X, Y = [0.90, 0.80, 0.85, 0.70, 0.90, 0.95], [0.80, 0.70, 0.80, 0.65, 0.85, 0.90]
MANY = {"<i>A": X, "B": Y, "C": [0.5, 0.6, 0.55, 0.62, 0.51, 0.58]}
UNET = sp.ConfusionMatrix(tp=261, fn=39, fp=107, tn=193)
OTHER = sp.ConfusionMatrix(tp=226, fn=74, fp=87, tn=213)
FULL, EMPTY = np.ones((4, 4), dtype=bool), np.zeros((4, 4), dtype=bool)
TRUTH, GUESSED = [0, 0, 1, 1, 1], [0.1, 0.4, 0.35, 0.8, 0.9]


def stated(folds: int = 5) -> sp.KFold:
    return sp.KFold(p=30, n=60, k=folds, aggregation="score_of_means")


def audited() -> sp.AuditResult:
    grid = [line.split(",") for line in TABLE.splitlines()]
    spec = {
        "title": "<i>An example",
        "datasets": {"cases": {"p": 100, "n": 200}},
        "experiments": {"test": {"dataset": "cases"}},
        "tables": [{"experiment": "test", "grid": grid}],
        "claims": [{"best": "B", "by": "acc", "table": "table 1"}],
    }
    return sp.audit(spec, explain=True, strength=True, jobs=1)


def batched() -> sp.BatchResult:
    rows = [("<i>A", "100", "200", *SCORES.values()), ("B", "100", "200", "0.8000", "0.7500", "0.8250")]
    columns = zip(("study", "p", "n", *SCORES), map(list, zip(*rows, strict=True)), strict=True)
    return sp.batch(pyarrow.table(dict(columns)))


def board_file() -> sota.BoardFile:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "board.csv"
        path.write_text("team;score;public\nA;0,95;0,96\nB;0,94;0,97\n", encoding="utf-8")
        return sota.read_leaderboard(path)


def of_table() -> Any:
    rows = {"A": {"acc": "0.787", "sens": "0.700"}, "B": {"acc": "0.853", "sens": "0.750"}}
    return explain_table({name: sp.check(stated(), row) for name, row in rows.items()}, oversampled=[60])


def power(**options: Any) -> Any:
    given = {"scores": ["acc", "sens"], "digits": 2, "trials": 20, "deviation": "last digit", "jobs": 1} | options
    return sp.power(sp.TestSet(p=10, n=12), given.pop("scores"), **given)


RESULTS: dict[str, Callable[[], Any]] = {
    "inconsistent": lambda: sp.check(SET, SCORES),
    "consistent": lambda: sp.check(SET, FITTING),
    "cases": lambda: sp.check(sp.UnknownAggregation([sp.TestSet(4, 6), sp.TestSet(6, 4)]), {"acc": "0.80"}),
    "verified": lambda: sp.verify(sp.check(SET, SCORES).certificate),
    "not verified": lambda: sp.verify({"format": "<b>"}),
    "witness": lambda: sp.check(stated(), {"acc": "0.80"}).witness,
    "curves": lambda: sp.check(sp.TestSet(6, 70), {"auc": "0.905", "sens": "0.83"}).witness,
    "curve": lambda: sp.check(sp.TestSet(6, 70), {"auc": "0.905", "sens": "0.83"}).witness.curves[0],
    "no curve": lambda: sp.check(sp.TestSet(6, 70), {"auc": "0.300", "sens": "0.83", "spec": "0.91"}),
    "ranks": lambda: sp.check(sp.Ranking(100), {"hits@10": "0.61", "mrr": "0.420"}).witness,
    "no ranks": lambda: sp.check(sp.Ranking(100), {"hits@1": "0.61", "mrr": "0.420"}),
    "detector": lambda: sp.check(sp.Detection(500), {"recall": "0.61", "ap50": "0.420", "map": "0.251"}).witness,
    "no detector": lambda: sp.check(sp.Detection(500), {"ap50": "0.420", "map": "0.451"}),
    "solutions": lambda: sp.check(SET, FITTING).solutions(),
    "one solution": lambda: sp.check(sp.TestSet(p=2, n=2), {"acc": "1.00"}).solutions(),
    "claim": lambda: sp.report("acc", "0.90", rounding="nearest"),
    "claim within": lambda: sp.report("F2", "0.90", eps="0.01"),
    "reconstruction": lambda: sp.reconstruct(FITTING, p=100, n=200),
    "reconstruction of a total": lambda: sp.reconstruct({"acc": "0.85", "ppv": "0.80", "sens": "0.75"}, total=80),
    "reconstruction of rates": lambda: sp.reconstruct({"acc": "0.706", "tpr": "0.430", "fpr": "0.031"}),
    "no reconstruction": lambda: sp.reconstruct(SCORES, p=100, n=200),
    "cells of classes": lambda: sp.reconstruct_classes({"<i>a": 5, "b": 4, "c": 3}, {"acc": "0.75"}),
    "no cells of classes": lambda: sp.reconstruct_classes([5, 4, 3], {"acc": "0.79"}, rounding="nearest"),
    "explanation": lambda: sp.check(SET, SCORES).explain(),
    "table explanation": of_table,
    "strength": lambda: sp.check(SET, FITTING).strength,
    "power": power,
    "power with eps": lambda: power(eps="0.01", classifier=PlausibleClassifier(0.5, 0.9), deviation="swapped columns"),
    "power of counts": lambda: power(deviation=OtherCounts(p=9)),
    "power of another experiment": lambda: power(deviation=OtherExperiment(sp.TestSet(p=11, n=12))),
    "power curve": lambda: power(digits=[1, 2]),
    "recheck": lambda: claims.interval("0.912 (0.880-0.938)", n=400),
    "refuted recheck": lambda: claims.mcnemar("0.93", "0.92", n=200, p="<0.05", method="exact"),
    "recheck without a method": lambda: claims.interval("0.655 (0.457-0.841)"),
    "reproduction": lambda: claims.signed_rank(5, "0.0431").methods[0],
    "audit": audited,
    "batch": batched,
    "audited table": lambda: audited().tables[0],
    "audited row": lambda: audited().tables[0].rows[0],
    "audited papers": lambda: Collection((PaperLine.of("<b>a.pdf", "a.audit.html", audited()),)),
    "audited paper of many": lambda: PaperLine.of("<b>a.pdf", "a.audit.html", audited()),
    "extraction": lambda: Extraction("1,143 images", "The test set has <b>1,143 images.", "section 3.1", "a size"),
    "selfcheck": lambda: sp.selfcheck([1, 1, 0], [1, 0, 0], "Method,Acc,Sens\n<b>A,0.67,0.05\n"),
    "checked cell": lambda: sp.selfcheck([1, 1, 0], [1, 0, 0], "Method,Acc,Sens\n<b>A,0.67,0.05\n").cells[1],
    "honest row": lambda: sp.honest_row({"test_<b>acc": [0.9, 0.8]}),
    "reinterpretation": lambda: sp.reinterpret(
        {"<i>A": {"acc": "0.90", "sens": "0.80"}, "B": {"acc": "0.85", "sens": "0.90"}}, p=100, n=200, cost_ratio=2
    ),
    "benchmark": lambda: benchmarks()[0],
    "near miss": lambda: NearMiss("94.2", "the abstract", "92.4", "Table 3", "<b>A", "Acc", "A has 94.2."),
    "identification": lambda: identify("drive", SCORES, items=["01"], eps="0.0001"),
    "tables": lambda: sp.read_tables(TABLE),
    "table": lambda: sp.read_tables(TABLE)[0],
    "interpretation": lambda: sp.interpret(sp.read_tables(TABLE)[0], columns={1: "bacc"}, percent=False),
    "interval": lambda: st.paired_t(X, Y).interval,
    "effect": lambda: st.Effect("<b>", 0.5),
    "test": lambda: st.wilcoxon_signed_rank(X, Y),
    "long test": lambda: st.paired_t(np.arange(2000.0), np.arange(2000.0)[::-1] + 0.5),
    "proportion": lambda: st.proportion_interval(193, 300),
    "infinite": lambda: st.mcnemar(b=5, c=0),
    "constant difference": lambda: st.paired_t([1.0, 2.0, 3.0], [0.0, 1.0, 2.0]),
    "no trials": lambda: st.proportion_interval(0, 0),
    "practical": lambda: st.bayesian_signed_rank(X, Y, rope=0.01),
    "thresholds": lambda: st.mcnemar_thresholds([0, 0, 1, 1, 1, 0], X, Y, thresholds=[0.75, 0.8, 0.85]),
    "posthoc": lambda: st.nemenyi(np.array(list(MANY.values())).T, models=list(MANY)),
    "pair test": lambda: st.nemenyi(np.array(list(MANY.values())).T, models=list(MANY)).pairs[0],
    "statistical power": lambda: st.power_mcnemar(n=300, p_b=0.15, p_c=0.08),
    "recommendation": lambda: st.recommend(task="binary", models=3),
    "rule": lambda: st.RULES[0],
    "comparison": lambda: st.compare(MANY),
    "comparison of two": lambda: st.compare({"A": X, "B": Y}),
    "model": lambda: st.compare(MANY).models[0],
    "pair": lambda: st.compare(MANY).pairs[0],
    "best": lambda: sota.best_of(1000, 3000, 0.9),
    "dependent best": lambda: sota.best_of(1000, 3000, 0.9, p_dep=0.95),
    "certain best": lambda: sota.best_of(10**9, 5, 0.9),
    "best error": lambda: sota.best_of_score("err", 10, 50, 50, sens=0.9, spec=0.8),
    "limits": lambda: sota.best_of(1000, 3000, 0.9).interval(),
    "best auc": lambda: sota.best_of_auc(10, 0.9, 50, 50),
    "estimate": lambda: sota.adjusted_estimate(0.9213, 1000, 3000, correlation=0.25),
    "overlooked": lambda: sota.overlooked(0.92, 3000, m=1000, delta=0.01),
    "cases needed": lambda: sota.cases_needed(0.01, 100, 0.9),
    "luck": lambda: sota.luck(1.0, 3000, 0.5),
    "board": lambda: sota.leaderboard([0.9, 0.8, 0.7], 100, public=[0.95, 0.8, 0.75], public_cases=50),
    "auc board": lambda: sota.auc_leaderboard([0.9, 0.8, 0.7], 50, 60, names=["<b>", "b", "c"]),
    "predicted board": lambda: sota.prediction_board(
        [0, 1, 1, 0], {"a": [0, 1, 0, 0], "b": [1, 1, 1, 0]}, public_share=0.5
    ),
    "predicted entry": lambda: sota.prediction_board([0, 1, 1, 0], {"a": [0, 1, 0, 0], "b": [1, 1, 1, 0]}).entries[0],
    "ladder": lambda: sota.ladder([0.8, 0.9], step=0.05),
    "entry": lambda: sota.leaderboard([0.9, 0.8, 0.7], 100).entries[0],
    "regression of boards": lambda: sota.leaderboard([0.9, 0.8, 0.7], 100, public=[0.95, 0.8, 0.75]).regression,
    "board file": board_file,
    "binary": lambda: m.evaluate_binary(TRUTH, scores=GUESSED),
    "binary of labels": lambda: m.evaluate_binary([0, 1, 1], [0, 1, 0]),
    "one class": lambda: m.evaluate_binary([1, 1], scores=[0.2, 0.8], positive=1),
    "scores of a matrix": lambda: m.binary_scores(UNET),
    "roc": lambda: m.roc_curve(TRUTH, GUESSED),
    "precision and recall": lambda: m.precision_recall_curve(TRUTH, GUESSED),
    "calibration": lambda: m.calibration(TRUTH, GUESSED),
    "calibration line": lambda: m.calibration_line([0, 1, 0, 1], [0.2, 0.6, 0.7, 0.8]),
    "threshold": lambda: m.choose_threshold(TRUTH, GUESSED),
    "multiclass": lambda: m.evaluate_multiclass(["<b>", "b", "c"], ["b", "b", "c"]),
    "class scores": lambda: m.evaluate_multiclass(["<b>", "b"], ["b", "b"]).classes,
    "kappa": lambda: m.cohen_kappa([[3, 1], [1, 3]], weights="linear"),
    "undefined kappa": lambda: m.cohen_kappa([[3, 0], [0, 0]]),
    "multilabel": lambda: m.evaluate_multilabel([[1, 0]], [[1, 1]]),
    "regression": lambda: m.evaluate_regression([1, 1], [1, 3]),
    "segmentation": lambda: m.evaluate_segmentation(FULL, FULL),
    "empty segmentation": lambda: m.evaluate_segmentation(FULL, EMPTY),
    "surface": lambda: m.surface_distances(FULL, EMPTY),
    "convention": lambda: m.SurfaceConvention("voxels", 1, 3),
    "similarity": lambda: m.ssim(np.ones((8, 8)), np.ones((8, 8)), data_range=1),
    "detection": lambda: m.evaluate_detection([m.Box(1, "a", (0, 0, 1, 1))], []),
    "detection by COCO": lambda: m.CocoEvaluation({"AP": 0.5, "AP50": 1.0, "AP75": math.nan}, "bbox", 1, 2, 3),
    "retrieval": lambda: m.evaluate_retrieval({"q": {"d": 1}}, {"q": {"d": 1}}),
}

#: What a frame promises, by the result above.
FRAMES = {
    "predicted board": ("name", "score", "se", "could_be_best"),
    "audited papers": ("paper", "table", "row", "verdict", "reason"),
    "selfcheck": ("row", "score", "printed", "correct", "fits", "slip"),
    "curves": ("set", "fp", "tp"),
    "curve": ("fp", "tp"),
    "ranks": ("rank", "queries"),
    "witness": ("tp", "fp", "fn", "tn"),
    "solutions": ("tp", "fp", "fn", "tn"),
    "reconstruction": ("quantity", "low", "high", "exact"),
    "cells of classes": ("true", "given", "low", "high", "exact"),
    "table explanation": ("name", "label", "fits", "open", "words"),
    "power curve": ("digits", "power", "low", "high", "trials"),
    "audit": ("table", "row", "label", "group", "acc", "sens", "spec", "outcome", "fits", "reason"),
    "batch": ("row", "study", "p", "n", "acc", "verdict", "reason", "kind", "proof"),
    "audited table": ("table", "row", "label", "group", "acc", "sens", "spec", "outcome", "fits", "reason"),
    "reinterpretation": ("score", "method", "best", "worst", "is_best", "low", "high"),
    "identification": ("reading", "region", "verdict", "reason"),
    "tables": ("table", "row", "column", "header", "text"),
    "table": ("Method", "Acc", "Sens", "Spec"),
    "interpretation": ("row", "label", "group", "bacc", "sens", "spec"),
    "posthoc": ("first", "second", "p_value", "p_adjusted"),
    "comparison": ("first", "second", "p_value", "p_adjusted", "better"),
    "board": ("rank", "name", "score", "shrunken"),
    "auc board": ("rank", "name", "score", "shrunken"),
    "board file": ("name", "score", "public"),
    "calibration": ("predicted", "observed", "cases"),
    "thresholds": ("threshold", "sens_p", "spec_p"),
    "class scores": ("class", "acc", "sens"),
}


@pytest.fixture(scope="module")
def made() -> Callable[[str], Any]:
    """Every result is made once."""
    kept: dict[str, Any] = {}

    def of(name: str) -> Any:
        if name not in kept:
            kept[name] = RESULTS[name]()
        return kept[name]

    return of


@pytest.mark.parametrize("name", RESULTS)
def test_a_sentence_and_a_short_line(name: str, made: Callable[[str], Any]) -> None:
    result = made(name)
    assert str(result).strip()
    assert "object at 0x" not in str(result)
    assert "=Fraction(" not in str(result)
    line = repr(result)
    assert line.startswith(f"<{type(result).__name__}: ")
    assert len(line) <= 120
    assert "\n" not in line


@pytest.mark.parametrize("name", RESULTS)
def test_the_document_is_read_again(name: str, made: Callable[[str], Any]) -> None:
    result = made(name)
    document = json.loads(result.to_json())
    assert document == jsonable(result.to_dict())
    json.dumps(document, allow_nan=False)
    again = type(result).from_dict(document)
    assert type(again) is type(result)
    assert json.loads(again.to_json(indent=1)) == document


@pytest.mark.parametrize(
    "name", ["inconsistent", "consistent", "cases", "witness", "audit", "table", "best auc", "luck"]
)
def test_what_loses_nothing_is_equal(name: str, made: Callable[[str], Any]) -> None:
    result = made(name)
    assert type(result).from_dict(json.loads(result.to_json())) == result


@pytest.mark.parametrize("name", RESULTS)
def test_a_notebook_shows_it(name: str, made: Callable[[str], Any]) -> None:
    page = made(name)._repr_html_()
    parts = lxml.html.fragments_fromstring(page)
    assert parts
    assert {part.tag for part in parts} <= {"p", "table", "ul", "div"}
    assert not any(part.xpath("descendant-or-self::i | descendant-or-self::th[not(@scope)]") for part in parts)
    written = "".join(lxml.html.tostring(part, encoding="unicode") for part in parts)
    closed = re.sub(r"<(\w+)([^<>]*)/>", r"<\1\2></\1>", page)  # as in pictures
    assert written.count("<") == closed.count("<"), "a tag was opened and not closed, or the other way round"


@pytest.mark.parametrize("name", RESULTS)
def test_a_terminal_of_80_columns_shows_it_in_whole_words(name: str, made: Callable[[str], Any]) -> None:
    result = made(name)
    shown = in_columns(result, 80)
    assert all(len(line) <= 80 for line in shown.splitlines())
    words = {word for word in in_columns(result, 4000).split() if len(word) <= 40}
    assert words <= set(shown.split()) | {"…"}


def in_columns(result: Any, width: int) -> str:
    paper = io.StringIO()
    Console(file=paper, width=width, legacy_windows=False).print(result)
    return paper.getvalue()


@pytest.mark.parametrize("name", FRAMES)
def test_rows_make_a_frame(name: str, made: Callable[[str], Any]) -> None:
    frame = made(name).to_frame()
    assert set(FRAMES[name]) <= set(frame.columns)
    assert len(frame) > 0


def test_all_that_has_rows_is_tried() -> None:
    tried = {type(RESULTS[name]()).__qualname__ for name in FRAMES}
    ours = {kind for kind in subclasses(Tabular) if kind.__module__.startswith("scoreproof")}
    bases = {base.__qualname__ for kind in ours for base in kind.__bases__}
    assert {kind.__qualname__ for kind in ours} - bases <= tried


def subclasses(kind: type) -> set[type]:
    direct = set(kind.__subclasses__())
    return direct.union(*(subclasses(below) for below in direct)) if direct else set()


def test_frames_hold_what_was_printed() -> None:
    rows = audited().to_frame()
    assert rows["label"].tolist() == ["<b>&Net", "B"]
    assert rows["acc"].tolist() == ["0.9567", "0.8000"]
    assert rows["outcome"].tolist() == ["inconsistent", "consistent"]
    assert sp.read_tables(TABLE)[0].to_frame()["Acc"].tolist() == ["0.9567", "0.8000"]
    matrices = sp.check(SET, FITTING).solutions()
    assert len(matrices.to_frame()) == matrices.count


def test_more_matrices_than_a_frame_should_hold_are_refused() -> None:
    many = sp.check(sp.TestSet(p=10**6, n=10**6), {"acc": "0.8"}).solutions()
    with pytest.raises(InvalidOption, match=r"at most 100,000 matrices.*in blocks"):
        many.to_frame()


def test_verdicts_are_coloured_and_texts_of_papers_cannot_steer() -> None:
    paper = io.StringIO()
    terminal = Console(file=paper, force_terminal=True, color_system="standard", width=80)
    hostile = SmallTable([("row\x1b]0;x", "consistent")], ("[red]a", "b"), "[bold]\x1b]0;caption")
    terminal.print(in_terminal("inconsistent: \x1b]0;title\x07x", [hostile]))
    assert "[red]a" in paper.getvalue()
    assert "[bold]" in paper.getvalue()
    assert "\x1b[1;31minconsistent" in paper.getvalue()
    assert "\x1b[1;32mconsistent" in paper.getvalue()
    assert "\x1b]0" not in paper.getvalue()
    assert '<article class="finding inconsistent"' in sp.check(SET, SCORES)._repr_html_()
    assert '<td style="color:#b42318">inconsistent</td>' in audited().tables[0].rows[0]._repr_html_()


def test_long_sentences_are_cut_and_long_tables_end() -> None:
    assert short_line("x" * 81) == f"<str: {'x' * 79}…>"
    assert short_line("word " * 20) == f"<str: {('word ' * 15).strip()}…>"
    assert short_line("x" * 80) == f"<str: {'x' * 80}>"
    rows = [(str(number), "x") for number in range(201)]
    assert "and more" in in_columns(in_terminal("many", [SmallTable(rows)]), 80)
    assert "and more" not in in_columns(in_terminal("many", [SmallTable(rows[:200])]), 80)


def test_a_document_that_lacks_a_field_is_refused() -> None:
    with pytest.raises(InvalidValue, match="Interval: expected a document of to_dict, got one without 'high'"):
        st.Interval.from_dict({"low": 1})


def test_the_page_about_results_is_true() -> None:
    done = doctest.testfile(str(Path(__file__).parents[2] / "docs" / "results.md"), module_relative=False)
    assert done.attempted > 3
    assert done.failed == 0


#: What goes in as well as out, and is no result: counts, and what is computed from them.
VALUES = {"ConfusionMatrix", "Score"}


def returned() -> Iterator[tuple[str, type]]:
    """The classes of ours that public functions return."""
    for package in (sp, m, st, sota, claims):
        for name in package.__all__:
            function = getattr(package, name)
            if not inspect.isfunction(function) or "Figure" in str(function.__annotations__.get("return")):
                continue
            for kind in classes(typing.get_type_hints(function).get("return")):
                yield f"{package.__name__}.{name}", kind


def classes(hint: Any) -> Iterator[type]:
    if inspect.isclass(hint) and hint.__module__.startswith("scoreproof"):
        yield hint
    yield from (kind for part in (*typing.get_args(hint), typing.get_origin(hint)) if part for kind in classes(part))


def test_every_public_function_returns_results(made: Callable[[str], Any]) -> None:
    kinds = {kind for _, kind in returned()}
    assert {sp.Answer, sp.AuditResult, m.RocCurve, st.TestResult, sota.Leaderboard} <= kinds
    untried = kinds - {type(made(name)) for name in RESULTS}
    assert {kind.__name__ for kind in untried} == VALUES
    for name, kind in returned():
        if kind.__name__ not in VALUES and not issubclass(kind, Enum):
            for ability in ("to_dict", "from_dict", "to_json", "_repr_html_", "__rich__"):
                assert hasattr(kind, ability), f"{name} returns {kind.__name__}, which has no {ability}"
            assert kind.__str__ is not object.__str__
            assert issubclass(kind, Result) or kind is sp.Verification


@pytest.mark.parametrize(
    "document", [{}, None, {"verdict": "maybe", "kind": "binary"}, {"verdict": "consistent", "kind": "binary"}]
)
def test_what_is_no_answer_is_refused_in_words(document: Any) -> None:
    with pytest.raises(ScoreproofError, match=r"expected|cannot be read"):
        sp.Answer.from_dict(document)


@pytest.mark.parametrize("problem", [None, "binary", {"kind": 3}])
def test_what_is_no_problem_is_refused_in_words(problem: Any) -> None:
    with pytest.raises(ScoreproofError, match="problem: expected"):
        sp.ask(problem)
