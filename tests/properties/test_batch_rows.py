"""A batch answers every row as ``check`` answers it, and the look at many rows at once is the look at each of them."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from benchmarks.bench_audit import reports
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import scoreproof as sp
from scoreproof.batches.deciding import first_look
from scoreproof.batches.frame import Chunk
from scoreproof.batches.settings import Settings, roles_of
from scoreproof.errors import ScoreproofError
from scoreproof.kinds.binary.one_matrix import presolve_matrix
from scoreproof.kinds.binary.presolve_batch import _reaches
from scoreproof.kinds.binary.scores.score import RATIO
from scoreproof.reported import read_scores

RATIOS = [score.name for score in sp.known_scores() if score.link is RATIO and score.builtin]
ODD = ["", "n/a", "-", "1", "0.9", "91.2%", "0.84 ± 0.03", "0,91", "2.5", "-0.12", "abc", "0.90000000000001", "1e-3"]
QUIET = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@st.composite
def printed(draw: st.DrawFn, names: list[str], cases: int, places: tuple[int, int]) -> tuple[int, int, dict[str, str]]:
    """The counts and texts of a true matrix; at times a text is moved by a few units, or odd."""
    p, n = draw(st.integers(1, cases)), draw(st.integers(1, cases))
    tp, tn = draw(st.integers(0, p)), draw(st.integers(0, n))
    matrix = sp.ConfusionMatrix(tp, n - tn, p - tp, tn)
    digits = draw(st.integers(*places))
    texts = {}
    for name in names:
        text = matrix.score(name, digits=digits) or "n/a"
        turn = draw(st.integers(0, 9))
        if turn == 0:
            text = draw(st.sampled_from(ODD))
        elif turn == 1 and text != "n/a":
            text = f"{float(text) + draw(st.integers(-30, 30)) / 10**digits:.{digits}f}"
        texts[name] = text
    return p, n, texts


@st.composite
def frames(draw: st.DrawFn) -> tuple[list[str], list[tuple[int, int, dict[str, str]]]]:
    more = draw(
        st.lists(st.sampled_from(["ppv", "npv", "f1", "mcc", "kappa", "gm", "dor", "auc"]), max_size=3, unique=True)
    )
    names = [
        *draw(
            st.sampled_from([["acc", "sens", "spec"], ["sens", "spec"], ["acc", "sens"], ["acc"], ["sens"], ["spec"]])
        ),
        *more,
    ]
    cases = draw(st.sampled_from([9, 300, 40_000, 10**9]))
    row = printed([name for name in names if name != "auc"], cases, (0, 5))
    rows = draw(st.lists(row, min_size=1, max_size=12))
    if "auc" in names:
        for _, _, texts in rows:
            texts["auc"] = draw(st.sampled_from(["", "0.91", "0.502"]))
    return names, rows


def asked(p: int, n: int, scores: dict[str, str], options: dict[str, Any]) -> Any:
    """The answer, or the words of the error."""
    try:
        return sp.check(sp.TestSet(p, n), scores, **options)
    except ScoreproofError as error:
        return str(error)


@QUIET
@given(frames(), st.sampled_from(["any", "nearest", "floor", "ceil"]), st.sampled_from([None, "zero", "exclude"]))
def test_every_row_is_answered_as_check_answers_it(
    made: tuple[list[str], list[tuple[int, int, dict[str, str]]]], rounding: str, undefined: str | None
) -> None:
    names, rows = made
    columns = {name: [texts[name] for _, _, texts in rows] for name in names}
    frame = pa.table({"p": [str(p) for p, _, _ in rows], "n": [str(n) for _, n, _ in rows], **columns})
    options: dict[str, Any] = {"rounding": rounding} | ({} if undefined is None else {"undefined": undefined})
    found = sp.batch(frame, **options).table().to_pylist()
    for (p, n, texts), row in zip(rows, found, strict=True):
        said = {name: text for name, text in texts.items() if text not in ("", "n/a", "-")}
        if not said:
            assert row["verdict"] == "not tested"
            continue
        answer = asked(p, n, said, options)
        if isinstance(answer, str):
            assert (row["verdict"], row["reason"]) == ("error", answer)
            continue
        assert row["verdict"] == answer.verdict
        why = answer.condition if answer.verdict == "question" else answer.reason
        assert (row["reason"], row["kind"]) == (why, answer.problem.kind)
        assert row["notes"] == "; ".join(answer.notes)
        assert json.loads(row["witness"] or "null") == (None if answer.witness is None else answer.witness.to_dict())
        assert json.loads(row["certificate"] or "null") == answer.certificate
        assert row["proof"] == (answer.certificate["digest"] if answer.certificate else "")


KINDS: list[tuple[dict[str, str], dict[str, str], Any]] = [
    ({"p": "30", "n": "60", "folds": "5"}, {"acc": "0.80", "sens": "0.75"}, sp.KFold(30, 60, 5)),
    ({"p": "30", "n": "60", "folds": "5", "aggregation": "score_of_means"}, {"acc": "0.787"}, sp.KFold(30, 60, 5, aggregation="score_of_means")),
    ({"p": "38", "n": "262", "folds": "5", "stratified": "no"}, {"acc": "0.9447", "sens": "0.9139", "spec": "0.9733"}, sp.KFold(38, 262, 5, stratified=False)),
    ({"folds": "10,20; 11,19"}, {"f1": "0.91"}, sp.MeanOfScores([sp.TestSet(10, 20), sp.TestSet(11, 19)])),
    ({"folds": "10/20; 11/19", "aggregation": "unknown"}, {"f1": "0.91"}, sp.UnknownAggregation([sp.TestSet(10, 20), sp.TestSet(11, 19)])),
    ({"total": "80"}, {"acc": "0.85", "ppv": "0.80", "sens": "0.75"}, sp.UnknownClasses(80)),
    ({"kind": "regression", "n": "100"}, {"mae": "1.20", "rmse": "1.15"}, sp.Regression(100)),
    ({"queries": "100"}, {"mrr": "0.420", "hits@10": "0.61"}, sp.Ranking(100)),
    ({"objects": "500"}, {"ap50": "0.420", "map": "0.451"}, sp.Detection(500)),
    ({"counts": "50,70,30"}, {"acc": "0.91"}, sp.MultiClass([50, 70, 30])),
    ({"experiment": '{"type": "testset", "p": 6, "n": 70}'}, {"auc": "0.300", "sens": "0.83", "spec": "0.91"}, sp.TestSet(6, 70)),
]  # fmt: skip


def test_columns_describe_experiments_of_every_kind() -> None:
    columns = list(dict.fromkeys(name for settings, scores, _ in KINDS for name in (*settings, *scores)))
    rows = [{**dict.fromkeys(columns, ""), **settings, **scores} for settings, scores, _ in KINDS]
    result = sp.batch(pa.Table.from_pylist(rows))
    table = result.table().to_pylist()
    for (_, scores, experiment), row in zip(KINDS, table, strict=True):
        answer = sp.check(experiment, scores)
        assert (row["scoreproof_verdict"], row["scoreproof_kind"]) == (answer.verdict, answer.problem.kind), row
        assert json.loads(row["scoreproof_certificate"] or "null") == answer.certificate
    assert any("scoreproof_" in note for note in result.notes)
    for number, row in enumerate(table, 1):
        if row["scoreproof_verdict"] == "inconsistent":
            assert sp.verify(result.proof(number))


@settings(max_examples=80, deadline=None)
@given(st.data())
def test_the_look_at_many_is_the_look_at_each(data: st.DataObject) -> None:
    """Also near the sizes from which on int64 would overflow."""
    rates = st.sampled_from([["acc", "sens", "spec"], ["acc", "spec"], ["acc"], ["sens"], ["spec"]])
    names = [
        *data.draw(rates),
        *data.draw(
            st.lists(st.sampled_from([n for n in RATIOS if n not in ("acc", "sens", "spec")]), max_size=4, unique=True)
        ),
    ]
    cases = data.draw(st.sampled_from([20, 5_000, 2**20, 2**27, 2**28 + 5, 10**9]))
    rows = [data.draw(printed(names, cases, (1, 6))) for _ in range(6)]
    frame = pa.table(
        {
            "p": [p for p, _, _ in rows],
            "n": [n for _, n, _ in rows],
            **{name: [t[name] for _, _, t in rows] for name in names},
        }
    )
    given_settings = Settings(roles_of(frame.column_names, {}, [], None, one_experiment=False))
    looked = dict(first_look(given_settings, Chunk(frame)).witnesses)
    for place, (p, n, texts) in enumerate(rows):
        try:
            claims = read_scores({name: text for name, text in texts.items() if text not in ("", "n/a", "-")})
        except ScoreproofError:
            assert place not in looked
            continue
        alone = presolve_matrix(claims, p, n) if claims else None
        if place in looked:
            assert alone is not None
            assert looked[place] == alone.cells
        elif alone is not None:  # left out, never refuted: large, of mixed digits, or with a ±
            scales = {claim.number.scale for claim in claims}
            assert (
                p + n > 2**10 or len(scales) > 1 or not 1 < min(scales) < 10**6 or any(claim.spread for claim in claims)
            )


def test_a_moved_score_is_refuted_in_few_steps() -> None:
    """Most slips of the usual mix need no cut: otherwise a batch would take several times as long."""
    rows = [(p, n, texts) for index, (p, n, texts) in enumerate(reports(500)) if index % 10 == 0]
    refuted = [answer.proof for p, n, texts in rows if (answer := sp.check(sp.TestSet(p, n), texts, strict=True)).proof]
    assert len(refuted) >= 45
    assert sum(len(proof["steps"]) <= 7 for proof in refuted) >= 0.9 * len(refuted)


@pytest.mark.parametrize("name", RATIOS)
def test_no_value_on_the_way_to_a_score_is_larger_than_thought(name: str) -> None:
    score = sp.score(name)
    rng = np.random.default_rng(1)
    for bits in (1, 5, 12, 20):
        for _ in range(50):
            cells = [int(cell) for cell in rng.integers(0, 2**bits + 1, 4)]
            assert max(map(abs, score.ratio(*cells))) <= _reaches(score)[bits]
