"""Every public function refuses wrong values with an error of ours, whatever is wrong and in whichever arguments.

Hypothesis chooses the arguments and the values; the long form, every argument with every value, is
``python -m benchmarks.attack.signatures`` (a part of ``make attack``).
"""

from __future__ import annotations

import pickle
import random
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.outside import hostile, public_calls
from tests.outside.public_calls import CALLS
from tests.outside.test_results import RESULTS

from scoreproof import metrics
from scoreproof.validation import shown

_FEW = settings(
    max_examples=25,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
# Each call of these takes tens of milliseconds when it goes well.
_SLOW = {"audit", "power", "statistics.critical_difference_diagram", "pages.comparison_page", "pages.recommendation_page", "check of a mean"}  # fmt: skip
_RESULTS = [name for name in RESULTS if name not in ("audit", "audited table", "audited row", "long test")]


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Some wrong values are good names of files."""
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("name", CALLS)
def test_the_call_itself_is_right(name: str) -> None:
    absent = {
        "open_batch", "unregister", "read_certificate", "metrics.evaluate_coco", "sota.read_leaderboard",
        "sota.read_predictions",
    }  # fmt: skip
    call = CALLS[name]
    assert hostile.outcome(call, call.arguments, strict=name not in absent) == ""


@pytest.mark.parametrize("name", [name for name in CALLS if name not in _SLOW])
def test_wrong_arguments(name: str) -> None:
    call = CALLS[name]

    @_FEW
    @given(st.integers(0, 2**40))
    def wrong(seed: int) -> None:
        changed, arguments = hostile.several(call, random.Random(seed))
        said = hostile.outcome(call, arguments)
        assert said == "", {key: shown(arguments[key]) for key in changed}

    wrong()


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("batch", {"frame": "x" * 5000}),
        ("check of a mean", {"rounding": np.array([1, 2]), "eps": "0.1"}),
        ("metrics.fleiss_kappa", {"ratings": [[Decimal("sNaN"), 1], [1, 2]]}),
        ("metrics.fleiss_kappa", {"ratings": [[{}, 1], [1, 2]]}),
        ("RocCurve.partial_auc", {"fpr": np.array([0, 0.5])}),
        ("RocCurve.partial_auc", {"fpr": (0, 0.5), "tpr": np.array([0, 0.5])}),
        *(("statistics.equivalent_means", {"folds": value}) for value in (0, -0.0, 1, 2.5)),
        *(("statistics.equivalent_means", {"level": value}) for value in (Fraction(1, 3), 0.5, 1e-320)),
        *(("statistics.equivalent_rates", {"level": value}) for value in (Fraction(1, 3), 0.5, 1e-320)),
        ("statistics.equivalent_aucs", {"level": Fraction(1, 3)}),
        ("statistics.plan_study", {"margin": Fraction(1, 3)}),
        ("sota.ladder", {"step": 1e-320}),
        ("sota.ladder", {"scores": [1e308], "step": 1e-3}),
        *(("reinterpret", {"table": table}) for table in ({10**5000: {"acc": "0.9"}}, [{10**5000: "0.9"}])),
        ("honest_row", {"results": {10**5000: [0.9, 0.8]}}),
        ("statistics.compare", {"data": {10**5000: [0.9, 0.8, 0.7], "B": [0.8, 0.9, 0.6]}}),
        *((f"{result}.explain", {option: value}) for result in ("Answer", "Reconstruction", "ClassCells")
          for option in ("hypotheses", "oversampled", "catalogue") for value in (np.array([1, 2]), np.array([]), 0, None)),
        ("audit", {"spec": {"datasets": {10**5000: {"p": 3, "n": 4}}}}),
    ],
)  # fmt: skip
def test_arguments_of_strange_types_and_sizes(name: str, arguments: dict[str, object]) -> None:
    call = CALLS[name]
    assert hostile.outcome(call, {**call.arguments, **arguments}) == ""


@pytest.mark.parametrize("name", _RESULTS)
def test_documents_of_results(name: str) -> None:
    """``from_dict`` of every result: its own document, damaged."""
    kind, document = hostile.document(name)

    @settings(_FEW, max_examples=15)
    @given(st.integers(0, 2**40))
    def wrong(seed: int) -> None:
        damaged = hostile.damaged(document, random.Random(seed))
        assert hostile.outcome(public_calls.Call(kind.from_dict, {}), {"document": damaged}, look=False) == ""

    wrong()


def test_every_public_function_has_a_call() -> None:
    assert sorted(public_calls.missing()) == []


def test_functions_behind_the_door_can_be_pickled() -> None:
    assert pickle.loads(pickle.dumps(metrics.auc)) is metrics.auc
