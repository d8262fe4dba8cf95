"""Rainio, Teuho and Klén (2024), Sci. Rep. 14:6086, doi:10.1038/s41598-024-56706-x: tables on four classes."""

from __future__ import annotations

import pytest

import scoreproof as sp

MATRIX = [[120, 7, 9, 4], [15, 116, 3, 6], [12, 13, 115, 0], [2, 96, 4, 38]]
TABLE_2 = {
    "one-vs-rest accuracy": "0.847",
    "macro sens": "0.695",
    "macro spec": "0.898",
    "macro-average precision": "0.744",
    "micro-average precision": "0.695",
    "macro-average F1-score": "0.677",
    "micro-average F1-score": "0.695",
    "kappa": "0.598",
    "MCC": "0.616",
}
TABLE_5 = {
    "U-Net": ("0.857", "0.714", "0.905", "0.760", "0.714", "0.693", "0.714", "0.619", "0.641"),
    "InceptionV3": ("0.801", "0.602", "0.867", "0.589", "0.602", "0.591", "0.602", "0.469", "0.473"),
}


def test_kappa_of_table_2_is_not_what_its_matrix_gives() -> None:
    wrong = sp.check(sp.PrintedClasses(MATRIX), TABLE_2, rounding="nearest")
    assert wrong.verdict == "inconsistent"
    assert wrong.reason == "the matrix gives kappa 0.59286, not 0.598"
    assert sp.verify(wrong.certificate or {})
    right = sp.check(sp.PrintedClasses(MATRIX), TABLE_2 | {"kappa": "0.593"}, rounding="nearest")
    assert right.verdict == "consistent"


def test_kappa_is_the_repair() -> None:
    """From the matrix, and from the class counts alone: with classes of equal size kappa follows from the accuracy."""
    counts = sp.MultiClass([140] * 4)
    assert sp.check(counts, TABLE_2, rounding="nearest", macro_f1="mean", strict=True).verdict == "inconsistent"
    few = {name: TABLE_2[name] for name in ("macro sens", "kappa")}
    printed = sp.check(sp.PrintedClasses(MATRIX), TABLE_2, rounding="nearest")
    (nearest, *others) = printed.explain(budget=60, assumptions=False).repairs
    assert str(nearest).startswith("kappa = 0.593 instead of 0.598")
    assert not others
    repairs = sp.check(counts, few, rounding="nearest", strict=True).explain(budget=60, assumptions=False).repairs
    assert any(str(repair).startswith("kappa = 0.593 instead of 0.598") for repair in repairs), repairs


def test_the_matrix_holds_a_fifth_of_the_images_in_the_caption() -> None:
    answer = sp.check(sp.PrintedClasses(MATRIX, total=2800), {"MCC": "0.616"})
    assert answer.verdict == "inconsistent"
    assert answer.reason == "the matrix holds 560 cases, not 2800"
    assert sp.verify(answer.certificate or {})


@pytest.mark.parametrize("network", list(TABLE_5))
def test_medians_of_table_5_may_be_of_one_round(network: str) -> None:
    names = [name for name in TABLE_2 if name != "one-vs-rest accuracy"]
    order = ["macro sens", "macro spec", "macro-average precision", "micro-average precision"]
    order += ["macro-average F1-score", "micro-average F1-score", "kappa", "MCC"]
    assert sorted(names) == sorted(order)
    scores = dict(zip(["one-vs-rest accuracy", *order], TABLE_5[network], strict=True))
    answer = sp.check(sp.MultiClass([140] * 4), scores, rounding="nearest")
    assert answer.verdict == "consistent", answer.reason
