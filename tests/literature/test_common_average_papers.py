"""Published rows that no common average gives, under this reading: each score is a mean over the same parts.

Typed from search excerpts, not checked against the papers; tables were found by searching, so nothing follows about how
frequent such rows are. A row may be of means over different parts (macro precision beside weighted F1).
"""

from __future__ import annotations

from typing import Any

import pytest

import scoreproof as sp

# precision, recall and F1 in percent, by source
TABLES: dict[str, list[tuple[str, str, str, str]]] = {
    "PMC10502001, Table 5": [("Proposed", "96.852", "96.520", "95"), ("CNN", "90.841", "92.522", "90"), ("Hybrid DL", "88.365", "83.529", "87"), ("Inception v3", "86.742", "81.963", "85"), ("VGG19", "85.254", "89.417", "89")],
    "jsiot-2024-0002": [("RNN", "90.1", "89.4", "91"), ("CNN", "92.1", "91.4", "91.7"), ("GRU", "91.3", "90.6", "90.9"), ("LSTM", "92.4", "92", "90.5"), ("CNN+LSTM", "94.8", "94.1", "94.4"), ("Prop", "98.1", "96", "96.8")],
    "PMC10280418, Table 2": [("RF", "89.69", "90.67", "90.11"), ("SVM", "85.17", "87.74", "86.29"), ("LR", "91.29", "93.44", "92.54"), ("SGD", "83.33", "84.77", "84.32"), ("Vote", "91.34", "92.66", "91.97"), ("DT", "89.59", "90.57", "90.01"), ("GBM", "80.97", "83.35", "81.99"), ("ET", "89.89", "90.87", "90.34"), ("LSTM", "89.17", "90.74", "90.09"), ("CNN", "95.57", "97.74", "96.45")],
    "PMC11955366, Table 5": [("CNN4", "95.35", "95.14", "95.19"), ("CNN4-1", "96.74", "96.68", "96.69"), ("CNN4-2", "97.48", "97.45", "97.45"), ("CNN4-3", "97.35", "97.35", "97.40"), ("CNN4-M", "98.18", "98.19", "98.17")],
    "PMC8255192, Table 5": [("E2", "98.03", "95.13", "96.51"), ("P2", "99.70", "98.80", "99.24"), ("E3", "89.96", "85.35", "87.37"), ("P3", "90.87", "88.13", "89.39")],
    "PMC9218756, Table 6": [("ResNet", "99.28", "99.26", "99.27"), ("Goog", "99.35", "99.35", "99.35"), ("Custom", "96.47", "99.89", "98.15"), ("Prop", "99.63", "99.93", "99.78")],
    "s41598-025-10661-3, Table 4": [("SVM", "45", "43", "44"), ("DT", "82", "79", "80"), ("KNC", "73", "64", "68"), ("LR", "88", "87", "87")],
    "s41598-025-95502-z, Table 9": [("v8n", "63.1", "53.9", "58.1"), ("v8s", "69.7", "61.3", "65.2"), ("v8x", "73.3", "65.3", "69.1"), ("v6m", "63.9", "52.0", "57.3"), ("Ours", "72.4", "68.2", "70.2")],
    "PMC10704928, Table 2": [("Yv", "89.75", "91.97", "90.85"), ("FR", "87.53", "93.31", "90.33"), ("SSD", "95.01", "47.89", "63.68"), ("Ret", "93.69", "81.55", "87.20"), ("SSDt", "95.62", "55.99", "70.63")],
    "PMC8320006, Table 1": [("RFCN", "61.86", "75.11", "67.84"), ("Res", "59.95", "73.96", "66.23"), ("Inc", "60.46", "75.54", "67.16"), ("Y5", "60.81", "72.44", "66.12"), ("Eff", "69.19", "69.39", "69.29")],
    "jmis 11-2, Table 3": [("3DBN", "77", "75", "73"), ("3DGN", "82", "78", "77"), ("3DIN", "82", "78", "78"), ("2D", "82", "73", "74")],
}  # fmt: skip

IMPOSSIBLE = {
    "nearest": {"jsiot-2024-0002 RNN", "PMC10502001, Table 5 Hybrid DL", "PMC10502001, Table 5 Inception v3",
                "PMC10502001, Table 5 VGG19", "PMC10280418, Table 2 LR", "PMC10280418, Table 2 SGD",
                "PMC10280418, Table 2 LSTM", "PMC11955366, Table 5 CNN4-3"},
}  # fmt: skip


def impossible(rounding: str) -> set[str]:
    found = set()
    for source, rows in TABLES.items():
        for name, precision, recall, f1 in rows:
            answer = sp.check(
                sp.AverageOf(),
                {"precision": f"{precision}%", "recall": f"{recall}%", "f1": f"{f1}%"},
                rounding=rounding,
            )
            assert answer.verdict != "undecided", str(answer)
            if answer.verdict == "inconsistent":
                assert sp.verify(answer.certificate or {})
                assert answer.reason.startswith("no common average gives these")
                found.add(f"{source} {name}")
    return found


def test_eight_of_fifty_seven_rows() -> None:
    assert sum(map(len, TABLES.values())) == 57
    nearest, either = impossible("nearest"), impossible("any")
    assert len(nearest) == 8
    assert len(either) == 7
    assert either < nearest
    assert "PMC10280418, Table 2 LR" in either


def test_the_tables_are_audited_as_they_stand() -> None:
    """Without a word about an experiment, the paper's table alone."""
    rows = TABLES["PMC10280418, Table 2"]
    grid = [["Model", "Precision (%)", "Recall (%)", "F1 (%)"], *map(list, rows)]
    result = sp.audit(
        {"title": "PMC10280418", "tables": [{"grid": grid}], "options": {"rounding": "nearest"}}, explain=False
    )
    assert {row.label for row in result.rows() if row.outcome == "inconsistent"} == {"LR", "SGD", "LSTM"}


DICE_AND_JACCARD: list[tuple[str, str, str, bool]] = [
    ("s41598-026-44413-8 U-Net", "96.12", "93.58", True),
    ("s41598-026-44413-8 U-Net++", "96.63", "93.24", False),
    ("s41598-026-44413-8 Co-Seg++", "96.94", "94.72", True),
    ("s41598-026-44413-8 D3T-Net", "97.78", "94.84", False),
    ("Thorax, 3D U-Net", "30.2", "26.7", True),
    ("Thorax, shallow and wide 3D U-Net", "67.1", "69.8", False),
    ("PMC7372294 SN", "82.2", "70.0", True),
    ("PMC9045980 U-net", "75.57", "63.48", True),
]


@pytest.mark.parametrize(("name", "dice", "jaccard", "possible"), DICE_AND_JACCARD)
def test_dice_beside_jaccard(name: str, dice: str, jaccard: str, possible: bool) -> None:
    scores: dict[str, Any] = {"dice": f"{dice}%", "jaccard": f"{jaccard}%"}
    answer = sp.check(sp.AverageOf(), scores, rounding="nearest", strict=True)
    assert answer.verdict == ("consistent" if possible else "inconsistent"), name


def test_with_a_deviation_over_the_images() -> None:
    """The bounds are 0.7468 to 0.7534 instead of 0.739 to 0.85."""
    exact: dict[str, Any] = {"rounding": "nearest", "divisor": "population"}
    for jaccard, possible in (("0.7460", False), ("0.7475", True), ("0.7530", True), ("0.7540", False)):
        answer = sp.check(sp.AverageOf(), {"dice": "0.8500 ± 0.1000", "iou": jaccard}, **exact)
        assert (answer.verdict == "consistent") is possible, jaccard
