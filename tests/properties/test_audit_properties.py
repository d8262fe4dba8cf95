"""What holds for every audit: true tables pass, refutations verify, the number of processes does not matter."""

from __future__ import annotations

import json
import pickle
import random
from typing import Any

from hypothesis import example, given, settings
from hypothesis import strategies as st

import scoreproof as sp
from scoreproof.checking import Verdict
from scoreproof.kinds import kind_named
from scoreproof.kinds.binary.engine.bands import band
from scoreproof.kinds.binary.engine.rectangles import decide
from scoreproof.kinds.binary.one_matrix import presolve_matrix
from scoreproof.kinds.binary.problem import binary_problem
from scoreproof.papers.auditing import audit
from scoreproof.papers.result import Outcome, RowResult

SCORES = ("acc", "sens", "spec", "ppv", "npv", "f1", "mcc", "kappa", "bacc", "ji")


@st.composite
def matrices(draw: st.DrawFn) -> sp.ConfusionMatrix:
    p, n = draw(st.integers(1, 400)), draw(st.integers(1, 400))
    tp, tn = draw(st.integers(0, p)), draw(st.integers(0, n))
    return sp.ConfusionMatrix(tp, n - tn, p - tp, tn)


@st.composite
def tables(draw: st.DrawFn) -> dict[str, Any]:
    """A table of true matrices, scored and rounded, in percent or as fractions, with its counts."""
    names = draw(st.lists(st.sampled_from(SCORES), min_size=1, max_size=5, unique=True))
    digits = draw(st.integers(1, 4))
    percent = draw(st.booleans())
    grid = [["Method", "pos", "neg", *(f"{name} (%)" if percent else name for name in names)]]
    for index, matrix in enumerate(draw(st.lists(matrices(), min_size=1, max_size=6))):
        cells = []
        for name in names:
            text = matrix.score(name, digits=digits + 2 if percent else digits)
            cells.append("n/a" if text is None else _in_percent(text) if percent else text)
        grid.append([f"m{index}", str(matrix.p), str(matrix.n), *cells])
    return {"tables": [{"grid": grid}], "options": {"rounding": draw(st.sampled_from(["any", "nearest"]))}}


def _in_percent(text: str) -> str:
    sign, digits = ("-", text[1:]) if text.startswith("-") else ("", text)
    whole, decimals = digits.split(".")
    shifted = (whole + decimals[:2]).lstrip("0") or "0"
    return f"{sign}{shifted}.{decimals[2:]}"


@settings(max_examples=60)
@given(tables())
@example(
    {
        "tables": [{"grid": [["Method", "pos", "neg", "acc", "sens", "spec", "f1"], ["m0", "1", "1", *["0.0"] * 4]]}],
        "options": {"rounding": "any"},
    }
)
def test_a_true_table_is_never_flagged(spec: dict[str, Any]) -> None:
    result = audit(spec, explain=False, strength=False)
    outcomes = {row.outcome for row in result.rows()}
    assert outcomes <= {Outcome.CONSISTENT, Outcome.NOT_TESTED}, [row.to_dict() for row in result.rows()]
    for row in result.rows():
        for reading in row.readings:
            problem, witness = reading.answer.problem, reading.answer.witness
            assert kind_named(problem.kind).holds(problem, witness)
            if problem.kind != "binary":  # of one positive and one negative the counts are not taken for sizes
                continue
            (matrix,) = witness.matrices
            for name, text in row.scores.items():
                printed = sp.report(name, text, rounding=spec["options"]["rounding"])
                low, high = (printed.score.compare(*matrix.cells, end) for end in (printed.low, printed.high))
                assert low is not None
                assert high is not None
                assert low >= 0 >= high


@settings(max_examples=60)
@given(matrices(), st.data())
def test_a_look_never_says_more_than_the_engine(matrix: sp.ConfusionMatrix, data: st.DataObject) -> None:
    """Moved scores: whatever is seen at once is consistent for the engine as well."""
    names = ("acc", "sens", "spec", "ppv", "f1")
    scores = {name: matrix.score(name, digits=3) for name in names}
    given_scores = {name: text for name, text in scores.items() if text is not None}
    moved = data.draw(st.sampled_from(sorted(given_scores)))
    shift = data.draw(st.integers(-20, 20))
    value = min(1000, max(0, round(float(given_scores[moved]) * 1000) + shift))
    given_scores[moved] = f"{value / 1000:.3f}"
    test = sp.TestSet(matrix.p, matrix.n)
    problem = binary_problem(test, given_scores)
    seen = presolve_matrix(problem.claims, test.p, test.n)
    bands = [band(index, claim, test.p, test.n) for index, claim in enumerate(problem.claims)]
    decided = sp.ask(problem)
    assert (decide(bands, undefined=problem.undefined).cell is not None) == (decided.verdict is Verdict.CONSISTENT)
    if seen is not None:
        assert decided.verdict is Verdict.CONSISTENT
    if shift == 0:
        assert decided.verdict is Verdict.CONSISTENT


def moved_table(seed: int, rows: int) -> dict[str, Any]:
    """A table half of whose rows had a score moved, with folds in some of them."""
    rng = random.Random(seed)
    grid = [["Method", "Acc", "Sens", "Spec", "F1"]]
    for index in range(rows):
        tp, tn = rng.randint(20, 40), rng.randint(40, 80)
        matrix = sp.ConfusionMatrix(tp, 80 - tn, 40 - tp, tn)
        texts = [matrix.score(name, digits=4) or "" for name in ("acc", "sens", "spec", "f1")]
        if index % 2:
            texts[rng.randrange(4)] = f"0.{rng.randint(4000, 9999)}"
        grid.append([f"m{index}", *texts])
    return {
        "datasets": {"cases": {"p": 40, "n": 80}},
        "experiments": {
            "test": {"dataset": "cases"},
            "folds": {"dataset": "cases", "folds": 4, "stratified": True, "aggregation": "mean_of_scores"},
        },
        "tables": [
            {"grid": grid, "experiment": "test"},
            {
                "grid": [row if not at else [row[0], *row[1:4], ""] for at, row in enumerate(grid)],
                "experiment": "folds",
            },
        ],
    }


def test_every_certificate_verifies_and_results_survive_json() -> None:
    result = audit(moved_table(1, 20), explain=False, strength=False, jobs=1)
    outcomes = result.outcomes()
    assert outcomes["inconsistent"] >= 8
    assert outcomes["consistent"] >= 8
    refuted = 0
    for row in result.rows():
        assert RowResult.from_dict(json.loads(json.dumps(row.to_dict()))) == RowResult.from_dict(row.to_dict())
        for reading in row.readings:
            assert (reading.certificate is not None) == (reading.verdict is Verdict.INCONSISTENT)
            if reading.certificate is not None:
                refuted += 1
                assert sp.verify(dict(reading.certificate))
                assert reading.certificate["statement"] == reading.answer.problem.to_dict()
    assert refuted >= outcomes["inconsistent"]
    assert json.loads(result.to_json())["outcomes"] == outcomes


def test_the_number_of_processes_does_not_matter() -> None:
    spec = moved_table(2, 8)
    alone = audit(spec, explain=False, strength=False, jobs=1)
    shared = audit(spec, explain=False, strength=False, jobs=2)
    assert alone.to_dict() == shared.to_dict()


def test_progress_reaches_the_end() -> None:
    seen: list[tuple[int, int]] = []
    result = audit(
        moved_table(3, 4),
        explain=False,
        strength=False,
        jobs=1,
        progress=lambda done, total, _: seen.append((done, total)),
    )
    assert seen[-1] == (len(result.rows()), len(result.rows()))
    assert [done for done, _ in seen] == list(range(1, len(seen) + 1))


@settings(max_examples=25)
@given(matrices(), st.integers(2, 5), st.booleans(), st.integers(2, 4))
def test_audit_and_check_give_one_answer(matrix: sp.ConfusionMatrix, k: int, spread: bool, digits: int) -> None:
    """A row of means, with ± or not, true or not: the audit's verdict is that of ``check``."""
    p, n = matrix.p + k, matrix.n + k
    scores = {name: text for name in ("acc", "sens", "f1") if (text := matrix.score(name, digits=digits)) is not None}
    texts = {name: f"{text} ± 0.0{'1' * (digits - 1)}" if spread else text for name, text in scores.items()}
    grid = [["Method", *texts], ["A", *texts.values()]]
    experiment = {"dataset": "d", "folds": k, "stratified": True, "aggregation": "mean_of_scores"}
    spec: dict[str, Any] = {
        "datasets": {"d": {"p": p, "n": n}},
        "experiments": {"cv": experiment},
        "tables": [{"grid": grid, "experiment": "cv", "percent": "false", "binary": "true"}],
        "options": {"strict": True},
    }
    (row,) = audit(spec, explain=False, strength=False, jobs=1, budget=3.0).rows()
    wanted = sp.check(sp.KFold(p, n, k), texts, budget=3.0, strict=True).verdict
    if Verdict.UNDECIDED not in (wanted, row.readings[0].verdict):
        assert str(row.outcome) == str(wanted)


@settings(max_examples=40)
@given(tables())
def test_summary_and_verdict_agree(spec: dict[str, Any]) -> None:
    result = audit(spec, explain=False, strength=False)
    assert (result.verdict is Verdict.INCONSISTENT) == ("inconsistent" in result.summary)
    assert result.summary in str(result)
    assert result.to_dict()["summary"] == result.summary


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**6))
def test_every_verdict_of_an_audit_is_that_of_its_problem(seed: int) -> None:
    """What an audit says is what asking the row's problem says: proved, witnessed, and the same after a journey."""
    rng = random.Random(seed)
    spec = moved_table(seed, 4)
    spec["tables"].append({
        "grid": [["Fold", "Acc"], *([f"Fold {k}", f"0.{rng.randint(80, 90)}"] for k in (1, 2)), ["Average", f"0.{rng.randint(80, 90)}"]],
        "experiment": "test",
    })  # fmt: skip
    spec["tables"].append({
        "grid": [["Method", "TP", "FN", "FP", "TN", "Acc"], ["A", "30", "10", "20", "60", f"0.{rng.randint(70, 80)}"]]
    })  # fmt: skip
    result = audit(spec, explain=False, strength=False, jobs=1)
    answers = [reading.answer for row in result.rows() for reading in row.readings]
    answers += [check.answer for table in result.tables for check in table.checks]
    assert {answer.problem.kind for answer in answers} >= {"binary", "average", "printed_matrix"}
    for answer in answers:
        kind = kind_named(answer.problem.kind)
        again = sp.ask(answer.problem)
        assert again.verdict is answer.verdict
        assert pickle.loads(pickle.dumps(answer.problem)) == answer.problem
        assert hash(answer.problem) == hash(kind.read(json.loads(json.dumps(answer.problem.to_dict()))))
        if answer.verdict is Verdict.CONSISTENT:
            assert kind.holds(answer.problem, answer.witness)
        if answer.verdict is Verdict.INCONSISTENT:
            assert sp.verify(json.loads(json.dumps(answer.certificate)))
    assert sp.AuditResult.from_dict(json.loads(result.to_json())) == result
