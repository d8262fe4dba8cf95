"""Claims that tables make by themselves: what is clear is re-checked, what is not is left with a note."""

from __future__ import annotations

from typing import Any

import pytest

import scoreproof as sp
from scoreproof.papers.result import ClaimResult

Grid = list[list[str]]
HELD, OPEN, REFUTED = (True, False), (None, False), (False, True)


def claims_of(table: dict[str, Any]) -> tuple[ClaimResult, ...]:
    spec = {
        "datasets": {"cases": {"p": 100, "n": 100}},
        "experiments": {"test": {"dataset": "cases"}, "cv": {"dataset": "cases", "folds": 5}},
        "tables": [{"experiment": "test", **table}],
    }
    return sp.audit(spec, explain=False, strength=False).claims


def is_proved(claim: ClaimResult) -> bool:
    return (
        claim.answer is not None and claim.answer.certificate is not None and bool(sp.verify(claim.answer.certificate))
    )


def found_in(grid: list[list[str]], **table: Any) -> list[tuple[str, bool | None, bool]]:
    return [(c.text, c.holds, is_proved(c)) for c in claims_of({"grid": grid, **table})]


def test_intervals_are_found_where_they_are_named() -> None:
    rows = [["A", "0.93 (0.88-0.96)", "0.955 (0.926–0.949)"], ["B", "0.925 [0.88, 0.95]", "0.94 (0.89 to 0.98)"]]
    found = found_in([["Method", "Accuracy (95% CI)", "Sensitivity (95% CI)"], *rows])
    assert [(holds, proof) for _, holds, proof in found] == [(None, False), (False, True), (None, False), (None, False)]
    assert found[1][0].endswith("of a proportion of 100 cases (table 1, A)")
    assert found_in([["Method", "Accuracy", "Sensitivity"], *rows]) == []
    assert len(found_in([["Method", "Accuracy", "Sensitivity"], *rows], name="Scores, confidence intervals")) == 4
    percent = [["Method", "Acc (95% CI)"], ["A", "93.0 (88.0-96.0)"], ["B", "92.0 (93.0-97.0)"]]
    assert [holds for _, holds, _ in found_in(percent, percent="true")] == [None, False]


def test_counts_beside_a_value_are_compared() -> None:
    found = found_in([["Method", "Acc"], ["A", "0.93 (186/200)"], ["B", "0.94 (180/200)"], ["C", "0.93"]])
    assert [(holds, proof) for _, holds, proof in found] == [(True, False), (False, True)]


BOLD = r"""\begin{table}
\caption{CAPTION}
\begin{tabular}{lcc}
Method & Acc & F1\\ \hline
A & \textbf{0.93} & 0.90\\
B & 0.95 & \textbf{0.91}\\
\end{tabular}
\end{table}
"""


@pytest.mark.parametrize(
    ("caption", "holds"),
    [
        ("The best value of each column in bold.", [False, True]),
        ("Bold marks our method.", []),
        ("Best in bold, second best underlined.", [False, True]),
        ("The best and second best values are in bold and underlined, respectively.", [False, True]),
        ("Second best in bold, best underlined.", []),
        ("Within each group the best in bold.", []),
    ],
)
def test_bold_type_counts_where_the_caption_says_so(caption: str, holds: list[bool]) -> None:
    claims = claims_of({"text": BOLD.replace("CAPTION", caption)})
    assert [claim.holds for claim in claims] == holds
    assert all(claim.text.endswith("(in bold, table 1)") for claim in claims)


def test_the_second_best_is_underlined() -> None:
    text = r"""\begin{table}\caption{Best values in bold, second best underlined.}
\begin{tabular}{lcc} Method & Acc & Sens\\ \hline
A & \textbf{0.95} & \underline{0.90}\\ B & \underline{0.93} & 0.91\\ C & 0.92 & \textbf{\underline{0.94}}\\ Human & 0.99 & 0.99\\
\end{tabular}\end{table}"""
    found = claims_of({"text": text})
    assert [(claim.text.split(" (")[0], claim.holds) for claim in found] == [
        ("A is best by acc", True),
        ("B is second best by acc", True),
        ("C is best by sens", True),
    ]  # two values of the sensitivity are underlined
    wrong = claims_of(
        {"text": text.replace("underline{0.93}", "textrm{0.93}").replace("& 0.92", r"& \underline{0.92}")}
    )
    assert (wrong[1].text, wrong[1].holds) == ("C is second best by acc (underlined, table 1)", False)
    page = """<table><caption>Best in bold, second best underlined</caption><tr><th>M</th><th>Acc</th></tr>
<tr><td>A</td><td><b>0.95</b></td></tr><tr><td>B</td><td style="text-decoration:underline">0.91</td></tr>
<tr><td>C</td><td>0.92</td></tr></table>"""
    assert [claim.holds for claim in claims_of({"text": page, "kind": "html"})] == [True, False]
    assert [
        claim.holds for claim in claims_of({"text": page.replace("<b>0.95</b>", "<b><u>0.95</u></b>"), "kind": "html"})
    ] == [True]


def test_counts_before_the_value() -> None:
    found = found_in([["Method", "Acc"], ["A", "186/200 (93.0%)"], ["B", "180/200 (94.0%)"], ["C", "0.93"]])
    assert [one[1:] for one in found] == [HELD, REFUTED]


def test_spreads_over_the_folds_of_the_specification() -> None:
    grid = [["Method", "Acc"], ["A", "0.99 ± 0.08"], ["B", "0.90 ± 0.02"]]
    found = found_in(grid, experiment="cv", caption="Mean ± standard deviation")
    assert [one[1:] for one in found] == [REFUTED, OPEN]
    assert [one[1:] for one in found_in(grid, experiment="cv")] == [(False, False), OPEN]  # no ± of so many values
    assert found_in(grid) == []  # k is not known


# ------------------------------------------------------------------------------------------------------------- p-values
ROWS = [["A", "0.930", ""], ["B", "0.925", "<0.05"]]


@pytest.mark.parametrize(
    ("heading", "caption"),
    [
        ("p (McNemar)", ""),
        ("p-value", "Significance by McNemar's test."),
        ("McNemar p", "Wilcoxon's test is used elsewhere."),
        ("p (exact McNemar, vs. A)", ""),
    ],
)
def test_p_values_of_a_named_test(heading: str, caption: str) -> None:
    (found,) = found_in([["Method", "Accuracy", heading], *ROWS], caption=caption or None)
    assert found[0].endswith("(table 1, B against A)")
    assert found[1:] == REFUTED


def test_p_values_against_a_named_row() -> None:
    grid = [["Method", "Acc", "p"], ["A", "0.930", "-"], ["B", "0.925", "<0.05"], ["C", "0.80", "<0.01"]]
    found = found_in(grid, caption="p: exact McNemar test against A.")
    assert [one[1:] for one in found] == [REFUTED, HELD]
    (left,) = found_in(grid, caption="p: exact McNemar test.")
    assert left[1:] == OPEN


def test_p_values_of_other_tests() -> None:
    (area,) = found_in([["Method", "AUC", "p (DeLong)"], ["A", "0.95", "-"], ["B", "0.70", "0.30"]])
    assert area[1] is False
    folds = [["Method", "Acc", "p"], ["A", "0.93 ± 0.02", "-"], ["B", "0.90 ± 0.02", "0.02"]]
    said = "p: exact Wilcoxon signed-rank test over the folds"
    assert [one[1] for one in found_in(folds, experiment="cv", caption=said)] == [None, False]
    assert [one[1] for one in found_in(folds, experiment="cv", caption="p: Wilcoxon signed-rank test")] == [None, None]
    assert [one[1] for one in found_in(folds, experiment="cv", caption="p: paired t-test over the folds")] == [
        None,
        None,
    ]


@pytest.mark.parametrize(
    ("grid", "why"),
    [
        ([["Method", "Acc", "p-value"], *ROWS], "does not name one test"),
        ([["Method", "Acc", "p (Fisher)"], *ROWS], "cannot be re-checked"),
        ([["Method", "Acc", "p (McNemar)"], *ROWS, ["C", "0.90", "0.04"]], "which row the others"),
        ([["Method", "Acc", "p (McNemar)"], ["A", "0.930", "0.04"], ["B", "0.925", "0.03"]], "two different p-values"),
        ([["Method", "Acc", "p (McNemar vs. A)"], ["A", "0.930", "0.04"], ["B", "0.925", "0.03"]], "against itself"),
        ([["Method", "F1", "p (McNemar)"], *ROWS], "was tested is not said"),
        ([["Method", "Sens", "Spec", "p (McNemar)"], ["A", "0.9", "0.8", ""], ["B", "0.8", "0.8", "0.01"]], "which of"),
    ],
)
def test_p_values_that_leave_something_open(grid: Grid, why: str) -> None:
    (claim,) = claims_of({"grid": grid})
    assert claim.holds is None
    assert claim.words.startswith("Not re-checked: ")
    assert why in claim.words


def test_p_values_of_several_scores_follow_their_columns() -> None:
    grid = [
        ["Method", "Sens", "p (McNemar)", "Spec", "p (McNemar) "],
        ["A", "0.90", "", "0.80", ""],
        ["B", "0.90", "<0.001", "0.50", "<0.001"],
    ]
    assert [one[1:] for one in found_in(grid)] == [REFUTED, HELD]


# ------------------------------------------------------------------------------------------------ mean ranks and averages
SETS = [
    ["Data set", "A", "B", "C", "D"],
    ["d1", "0.9103", "0.8511", "0.8024", "0.7011"],
    ["d2", "0.8107", "0.8513", "0.7021", "0.6017"],
    ["d3", "0.9512", "0.9204", "0.9003", "0.5008"],
    ["d4", "0.6602", "0.6011", "0.5004", "0.4009"],
]


def turned(grid: Grid) -> Grid:
    return [list(row) for row in zip(*grid, strict=True)]


@pytest.mark.parametrize("turn", [list, turned])
@pytest.mark.parametrize(
    ("label", "last", "wanted"),
    [
        ("Avg. rank", "1.25 1.75 3.00 4.00", HELD),
        ("Average rank", "3.75 3.25 2.00 1.00", HELD),  # the lowest first
        ("Mean rank", "1.25 1.95 3.00 4.00", REFUTED),
        ("Friedman rank", "1.25 1.50 3.00 4.00", REFUTED),
        ("Mean rank", "2.25 2.95 1.00 3.00", OPEN),  # other data, it seems
        ("Mean rank", "1.50 1.50 3.00 4.00", OPEN),  # which add up on other data
        ("Rank", "1 2 3 4", None),
        ("Average", "0.8331 0.8060 0.7263 0.5511", HELD),
        ("Average", "0.8331 0.8060 0.7963 0.5511", REFUTED),
        ("Average", "0.83 0.81 0.79 0.55", OPEN),  # too few digits to say that it is the plain mean
        ("Avg.", "0.9331 0.7060 0.7963 0.5511", OPEN),
        ("Average", "0.8604 0.8551 0.7513 0.6345", OPEN),  # weights that are the same for all give these
    ],
)
def test_rows_that_sum_up_the_others(turn: Any, label: str, last: str, wanted: Any) -> None:
    found = found_in(turn([*SETS, [label, *last.split()]]), untested="accuracies of methods")
    assert [one[1:] for one in found] == ([] if wanted is None else [wanted])


def test_ranks_that_the_table_prints() -> None:
    ranked = [row[:1] + [f"{cell} ({rank})" for cell, rank in zip(row[1:], order, strict=True)] for row, order in zip(SETS[1:], ("1234", "2134", "1234", "1234"), strict=True)]  # fmt: skip
    for last, wanted in (("1.25 1.75 3.00 4.00", HELD), ("1.25 1.75 3.25 4.00", REFUTED)):
        found = found_in([SETS[0], *ranked, ["Mean rank", *last.split()]], untested="accuracies")
        assert [one[1:] for one in found] == [wanted]


def test_equal_scores_accuse_nobody() -> None:
    grid = [[*row[:3], row[2], row[4]] if row[0] == "d1" else row for row in SETS]  # B and C share the second place
    (found,) = found_in([*grid, ["Mean rank", "1.25", "1.75", "2.50", "3.75"]], untested="x")  # dense ranks
    assert found[1:] == OPEN


def test_folds_and_classes_are_compared_elsewhere() -> None:
    grid = [["Fold", "Acc"], *[[f"Fold {k}", "0.90"] for k in range(1, 6)], ["Average", "0.95"]]
    assert found_in(grid, experiment="cv") == []
