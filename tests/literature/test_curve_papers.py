"""Published areas, rankings and detectors under the reading that they are of one evaluation; all of them are possible."""

from __future__ import annotations

from typing import Any

import pytest

import scoreproof as sp
from scoreproof.kinds.curve.bounds import whole_areas

ROWS: list[tuple[str, Any, dict[str, str]]] = [
    ("PMC7494331, test", sp.TestSet(6, 70), {"auc": "0.905", "sens": "0.833", "spec": "0.900"}),
    ("PMC7494331, training", sp.TestSet(27, 198), {"auc": "0.995", "sens": "1.000", "spec": "0.944"}),
    ("PMC8983836, radiomic test", sp.TestSet(29, 50), {"auc": "0.940", "sens": "0.793", "spec": "0.920"}),
    ("PMC8983836, combined test", sp.TestSet(29, 50), {"auc": "0.962", "sens": "0.828", "spec": "0.940"}),
    ("PMC8983836, training", sp.TestSet(63, 94), {"auc": "0.954", "sens": "0.857", "spec": "0.883"}),
    ("AlzKB RotatE", sp.Ranking(10**6), {"hits@1": ".126", "hits@3": ".220", "hits@10": ".358", "mrr": ".202"}),
    ("AlzKB DistMult", sp.Ranking(10**6), {"hits@1": ".027", "hits@3": ".056", "hits@10": ".126", "mrr": ".061"}),
    ("WN18RR TransE", sp.Ranking(6268), {"hits@1": ".014", "hits@3": ".401", "hits@10": ".530", "mrr": ".223"}),
    ("FB15k-237 HAKE", sp.Ranking(40932), {"hits@1": ".252", "hits@3": ".385", "hits@10": ".545", "mrr": ".349"}),
    ("FB15k RotatE", sp.Ranking(118142), {"hits@1": ".703", "hits@3": ".806", "hits@10": ".867", "mrr": ".764"}),
    ("Faster R-CNN on COCO", sp.Detection(), {"AP": "37.4%", "AP50": "58.1%", "AP75": "40.4%"}),
]


@pytest.mark.parametrize(("name", "experiment", "scores"), ROWS, ids=[row[0] for row in ROWS])
def test_published_rows_are_possible(name: str, experiment: Any, scores: dict[str, str]) -> None:
    assert sp.check(experiment, scores, rounding="nearest").verdict == "consistent"


def test_one_area_is_left_of_the_smallest_test_set() -> None:
    claim = sp.report("auc", "0.905", rounding="nearest")
    assert whole_areas(claim, 6, 70, ties=True) == (760, 760)


def test_bounds_of_the_peer_that_miss_or_accuse() -> None:
    """The peer bounds the AUC at one point by rates alone: whole numbers of cases exclude more, and it is checked."""
    impossible = {"auc": "0.9056"}
    assert sp.check(sp.TestSet(6, 70), impossible, rounding="nearest").verdict == "inconsistent"
    # Below the diagonal, where its lower bound assumes that no curve goes.
    below = {"auc": "0.30", "sens": "0.20", "spec": "0.30"}
    assert sp.check(sp.TestSet(50, 50), below).verdict == "consistent"
