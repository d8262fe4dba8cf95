"""Limits of single sets that follow from means and deviations: nothing that fits is lost, and what follows is proved."""

from __future__ import annotations

import itertools
from collections import Counter
from typing import Any

import numpy as np
import pytest
from benchmarks.tiny_means import judge, reports
from hypothesis import given, settings
from hypothesis import strategies as st

import scoreproof as sp
from scoreproof.checking import certify
from scoreproof.kinds import kind_named
from scoreproof.kinds.binary.engine.averages import constraints_of, portfolio
from scoreproof.kinds.binary.engine.averages.points import Within, limited
from scoreproof.kinds.binary.experiment import normal_form


def test_tiny_reports_are_decided_within_limits_as_trying_everything_does(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if all sets were too large to list their points without limits, and trees came first."""
    monkeypatch.setattr(portfolio, "_SMALL", 0)
    monkeypatch.setattr(portfolio.ListedPoints, "small", True)
    answers = Counter(judge(report) for report in itertools.islice(reports(seed=12), 100))
    assert set(answers) == {"consistent", "inconsistent"}
    assert min(answers.values()) > 20


COUNTS = st.tuples(st.integers(1, 9), st.integers(1, 9))
UNDEFINED = st.sampled_from(("any", "zero", "one", "skip", "exclude"))


@settings(max_examples=150)
@given(st.lists(COUNTS, min_size=1, max_size=4), UNDEFINED, st.sampled_from((0, 1)), st.data())
def test_what_gives_a_report_is_within_the_limits_that_follow_from_it(
    folds: list[tuple[int, int]], undefined: str, ddof: int, data: st.DataObject
) -> None:
    matrices = tuple(
        sp.ConfusionMatrix(tp, n - tn, p - tp, tn)
        for p, n in folds
        for tp, tn in [(data.draw(st.integers(0, p)), data.draw(st.integers(0, n)))]
    )
    experiment = sp.MeanOfScores([sp.TestSet(*fold) for fold in folds])
    scores = {}
    for name in data.draw(st.lists(st.sampled_from(("acc", "sens", "fpr", "ppv", "mcc", "kappa")), unique=True)):
        cells = np.array([matrix.cells for matrix in matrices]).T
        values = np.nan_to_num(sp.score(name).values(*cells))
        scores[name] = f"{values.mean():.2f}"
        if len(values) > 1:
            scores[name] += f" ± {values.std(ddof=ddof):.2f}"
    if not scores:
        return
    problem = kind_named("binary").problem(experiment, scores, undefined=undefined, rounding="any")
    wanted = constraints_of(normal_form(experiment), problem.claims, problem.averages, problem.undefined)
    near = limited(wanted)
    if near is None or not wanted.fits(matrices):
        return
    assert near.fits(matrices)
    for index, matrix in enumerate(matrices):
        tp, first, last = Within(near, index).lines(matrix.p, matrix.n)
        assert any(a == matrix.tp and b <= matrix.tn <= c for a, b, c in zip(tp, first, last, strict=True))


FOLDS = sp.KFold(830, 764, 3)
REPORT = {"spec": "56.2% ± 0.016%", "sens": "0.677"}


def test_limits_are_on_record() -> None:
    answer = sp.check(FOLDS, REPORT, divisor="sample", strict=True)
    assert answer.verdict == "inconsistent"
    assert answer.proof is not None
    assert answer.proof["kind"] == "limited"


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda proof: {"kind": "limited", "proof": proof}, "the proof limits sets twice"),
        (lambda proof: {"kind": "limited", "proof": None}, "the proof is not an object"),
        (lambda proof: {**proof, "more": 1}, "more"),
        (lambda proof: proof["proof"], "ends before every case is closed"),
    ],
)
def test_proofs_within_limits_that_are_altered_are_rejected(change: Any, words: str) -> None:
    answer = sp.check(FOLDS, REPORT, divisor="sample", strict=True)
    own = answer.certificate
    assert own is not None
    verified = sp.verify(certify("binary", own["statement"], change(own["proof"]), "0"))
    assert not verified
    assert words in str(verified)


def test_sets_that_are_not_averaged_alike_have_no_limits() -> None:
    nested = sp.MeanOfScores([sp.TestSet(5, 5), sp.MeanOfScores([sp.TestSet(6, 6), sp.TestSet(7, 7)])])
    answer = sp.check(nested, {"acc": "0.9", "f1": "0.1"}, undefined="zero", rounding="nearest", strict=True)
    assert answer.certificate is not None
    assert answer.proof is not None
    proof = {"kind": "limited", "proof": answer.proof}
    verified = sp.verify(certify("binary", answer.certificate["statement"], proof, "0"))
    assert str(verified) == "Not proved: the sets are not averaged alike."
