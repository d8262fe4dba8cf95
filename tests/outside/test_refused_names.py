"""What nothing is proved about is refused with the reason: by check, in audited tables and in frames, never silently."""

from __future__ import annotations

from typing import Any

import pyarrow
import pytest

import scoreproof as sp
from scoreproof.errors import NotCovered, UnknownScore

PIXELS, NUMBERS, RANKS = sp.TestSet(10, 20), sp.Regression(10), sp.Ranking(100)
#: Names as papers spell them, an experiment they stand beside, and words of the reason.
NAMES: dict[str, tuple[Any, str]] = {
    "pAUC": (PIXELS, "a part of the curve"),
    "partial AUC": (PIXELS, "a part of the curve"),
    "AUC@5%FPR": (PIXELS, "a part of the curve"),
    "EER": (PIXELS, "chosen by another score"),
    "TPR@FPR=0.1%": (PIXELS, "chosen by another score"),
    "FPR95": (PIXELS, "chosen by another score"),
    "Hausdorff distance": (PIXELS, "a distance between outlines"),
    "HD95 (mm)": (PIXELS, "a distance between outlines"),
    "HD95 ↓": (PIXELS, "a distance between outlines"),
    "ASSD": (PIXELS, "a distance between outlines"),
    "NSD": (PIXELS, "within a tolerance"),
    "MAPE": (NUMBERS, "the size of every true value"),
    "MAPE (%)": (NUMBERS, "the size of every true value"),
    "sMAPE": (NUMBERS, "the size of every value"),
    "MASE": (NUMBERS, "another forecast"),
    "RMSLE": (NUMBERS, "logarithms"),
    "NRMSE": (NUMBERS, "normalised"),
    "Spearman": (NUMBERS, "ranks"),
    "graded nDCG": (RANKS, "several relevant items"),
    "alpha-nDCG": (RANKS, "several relevant items"),
    "ERR@20": (RANKS, "several relevant items"),
    "LPIPS": (PIXELS, "pictures"),
    "PSNR": (PIXELS, "pictures"),
    "BLEU": (PIXELS, "texts"),
    "BLEU-4": (PIXELS, "texts"),
    "ROUGE-L": (PIXELS, "texts"),
    "WER": (PIXELS, "texts"),
    "Brier score": (PIXELS, "probabilities"),
    "C-index": (PIXELS, "censored"),
    "MOTA": (PIXELS, "over time"),
    "PQ": (PIXELS, "matched segments"),
}


@pytest.mark.parametrize("name", list(NAMES))
def test_check_says_why(name: str) -> None:
    experiment, reason = NAMES[name]
    with pytest.raises(UnknownScore, match=reason):
        sp.check(experiment, {name: "0.50"})


def test_what_lacks_something_says_what() -> None:
    with pytest.raises(NotCovered, match="predictors"):
        sp.check(NUMBERS, {"adjusted R²": "0.50"})
    with pytest.raises(UnknownScore, match="several relevant items"):
        sp.check(RANKS, {"MAP": "0.50"})
    with pytest.raises(NotCovered, match="classes"):
        sp.check(sp.Detection(), {"AP50 of class 1": "0.50"})
    with pytest.raises(NotCovered, match="nothing is known about its mean"):
        sp.check(sp.AverageOf(), {"mcc": "0.50"})


def test_audits_list_every_one_of_them_and_test_the_rest() -> None:
    grid = [["Model", "Acc", *NAMES], ["A", "0.90", *["0.50"] * len(NAMES)]]
    tree = {"type": "testset", "p": "10", "n": "20"}
    tables = [{"grid": grid, "experiment": "stated"}]
    paper = {"title": "A paper", "experiments": {"stated": {"tree": tree}}, "tables": tables}
    result = sp.audit(paper, strength=False, explain=False)
    (row,) = result.rows()
    assert row.outcome == "consistent"
    assert [cell.score for cell in row.cells] == ["acc"]
    said = {each.partition(": ")[0]: each for each in result.tables[0].untested}
    assert list(said) == list(NAMES)
    for name, (_, reason) in NAMES.items():
        assert reason in said[name]


def test_batches_note_every_one_of_them_and_test_the_rest() -> None:
    frame = pyarrow.table({"p": [10], "n": [20], "acc": ["0.90"], **{name: ["0.50"] for name in NAMES}})
    result = sp.batch(frame)
    assert str(result.table(["verdict"]).to_pylist()[0]["verdict"]) == "consistent"
    for name, (_, reason) in NAMES.items():
        assert any(note.startswith(f"{name}: ") and reason in note for note in result.notes)
