"""A score of two classes is a declaration and a rule of the verifier; everything else picks it up from these two."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import scoreproof as sp
from scoreproof.kinds.binary.scores import registry
from scoreproof.kinds.binary.scores.score import Shape, made
from scoreproof_verify import formulas, statement

# -------------------------------------------------------------------------------------------------- the score, place 1
#: Tversky's index (1977, doi:10.1037/0033-295X.84.4.327) that counts a false alarm twice.
TOY = made(
    "toy",
    "Tversky index",
    lambda tp, fp, fn, _: (tp, tp + 2 * fp + fn),
    r"\frac{tp}{tp+2fp+fn}",
    "Tversky 1977, doi:10.1037/0033-295X.84.4.327",
    ("tversky index", "tversky"),
    shape=Shape.FRACTIONAL,
)
# --------------------------------------------------------------------------------------------- the verifier's, place 2
RULE = formulas.Rule(lambda t, u, p, n: (t, p + 2 * (n - u)), formulas.SAME, formulas.RISES, formulas.STRAIGHT)


# ------------------------------------------------------------------------------------------------------------- the tests
def state(rule: formulas.Rule, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the verifier's table say this."""
    monkeypatch.setitem(formulas._RULES, "toy", rule)
    formulas.rule.cache_clear()
    statement._known_claim.cache_clear()


@pytest.fixture(autouse=True)
def toy(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The two lines, as if they stood in ``declarations.SCORES`` and in the verifier's table."""
    state(RULE, monkeypatch)
    registry._REGISTER.admit(TOY)
    yield
    registry._REGISTER.remove(TOY)
    formulas.rule.cache_clear()
    statement._known_claim.cache_clear()


EXPERIMENTS = {
    "one test set": (sp.TestSet(20, 40), "0.5714"),  # tp = 16 and fp = 4: 16 / 28
    "folds": (sp.KFold(20, 40, 5), "0.6000"),  # once 4 / 4, four times 3 / 6
    "matrices added": (sp.ScoreOfMeans([sp.TestSet(8, 16), sp.TestSet(12, 24)]), "0.5714"),
    "unknown classes": (sp.UnknownClasses(), "0.5714"),
}


@pytest.mark.parametrize(("experiment", "value"), EXPERIMENTS.values(), ids=EXPERIMENTS)
def test_it_is_checked_and_verified(experiment: object, value: str) -> None:
    rates = {"sens": "0.80", "spec": "0.90"}
    true = sp.check(experiment, {**rates, "tversky index": value}, rounding="nearest", strict=True)
    assert true.verdict == "consistent", true
    wrong = sp.check(experiment, {**rates, "ppv": "0.80", "toy": "0.90"}, rounding="nearest", strict=True)
    assert wrong.verdict == "inconsistent", wrong
    assert sp.verify(wrong.certificate)


def test_a_verifier_with_another_formula_believes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    scores = {"sens": "0.80", "spec": "0.90", "toy": "0.60"}
    certificate = sp.check(sp.TestSet(20, 40), scores, rounding="nearest", strict=True).certificate
    assert sp.verify(certificate)
    state(formulas.Rule(lambda t, u, p, n: (3 * t, 4 * p), "ratio", 1, "linear"), monkeypatch)
    assert not sp.verify(certificate)


def test_it_is_computed_and_found_in_tables() -> None:
    labels = [1] * 20 + [0] * 40
    answers = [1] * 16 + [0] * 4 + [1] * 4 + [0] * 36
    assert float(sp.metrics.evaluate_binary(labels, answers).scores["toy"]) == pytest.approx(16 / 28)
    grid = [["Method", "Sens", "Spec", "Tversky"], ["A", "0.80", "0.90", "0.571"], ["B", "0.80", "0.90", "0.900"]]
    specification = {
        "datasets": {"cases": {"p": 20, "n": 40}},
        "experiments": {"test": {"dataset": "cases"}},
        "tables": [{"experiment": "test", "grid": grid}],
    }
    audit = sp.audit(specification, jobs=1, explain=False)
    assert [str(row.outcome) for row in audit.rows()] == ["consistent", "inconsistent"]
