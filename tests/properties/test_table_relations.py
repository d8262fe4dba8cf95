"""Numbers that other numbers of a table give: each sort with and without a slip, and what only looks like one."""

from __future__ import annotations

import random
from itertools import pairwise
from statistics import median
from typing import Any

import pytest
from benchmarks.bench_relations import recall
from benchmarks.made_tables import SORTS, Made

import scoreproof as sp
from scoreproof.documents import Table, Tables, read_tables
from scoreproof.papers.relations.belief import TableRelation
from scoreproof.papers.relations.findings import RelationFinding, broken, relations_of, to_look_at
from scoreproof.papers.relations.grid import split_cell, views

Grid = list[list[str]]


def table(grid: Grid, caption: str = "", **more: Any) -> Table:
    return Table(tuple(map(tuple, grid)), 1, caption, **more)


def believed(grid: Grid) -> list[TableRelation]:
    return relations_of(table(grid))[0]


def findings(grid: Grid, **more: Any) -> list[RelationFinding]:
    return broken(*relations_of(table(grid, **more)))


def grid_of(heads: list[str], rows: list[list[str]], corner: str = "Method") -> Grid:
    return [[corner, *heads], *([f"Method {chr(65 + k)}", *row] for k, row in enumerate(rows))]


# ------------------------------------------------------------------------------------------------------- sorts and slips
@pytest.mark.parametrize("sort", SORTS, ids=lambda sort: sort.__name__)
def test_every_sort_is_believed_and_true_tables_accuse_nobody(sort: Any) -> None:
    rng = random.Random(11)
    made: list[Made] = [sort(rng) for _ in range(8)]
    told = [relations_of(each.table()) for each in made]
    assert sum(bool(chosen) for chosen, _ in told) >= 7
    assert [finding.words for chosen, relations in told for finding in broken(chosen, relations)] == []


def test_planted_slips_are_named() -> None:
    tried, named, wrong = recall(60, 5)
    assert sum(tried.values()) >= 35
    assert sum(named.values()) >= 0.8 * sum(tried.values())
    assert wrong == 0


AVERAGES = grid_of(
    ["News", "Mail", "Forum", "Avg."],
    [["71.22", "64.10", "58.31", "64.54"], ["73.05", "66.48", "61.90", "67.14"], ["69.87", "60.02", "55.75", "61.88"],
     ["75.51", "70.33", "63.14", "69.66"], ["68.40", "59.95", "57.08", "61.81"], ["77.93", "71.26", "66.67", "71.95"]],
)  # fmt: skip


def with_cell(grid: Grid, row: int, column: int, text: str) -> Grid:
    changed = [list(line) for line in grid]
    changed[row][column] = text
    return changed


def test_a_stale_average_with_its_evidence_and_its_proof() -> None:
    assert findings(AVERAGES) == []
    (finding,) = findings(with_cell(AVERAGES, 4, 4, "69.96"))
    assert finding.outright
    assert finding.words == (
        "Avg. is the mean of News and Mail and Forum in 5 of 6 lines; in Method D it would be 69.65 to 69.67, printed is 69.96"
    )
    assert sp.verify(finding.answer.certificate or {})
    (result,) = sp.audit(Tables((table(with_cell(AVERAGES, 4, 4, "69.96")),))).tables
    assert [check.sort for check in result.checks] == ["average or sum"] * 2
    assert [str(row.outcome) for row in result.rows] == ["consistent"] * 5


def test_the_audit_tells_tested_rows_and_asks() -> None:
    few = [line for k, line in enumerate(AVERAGES) if k != 3]
    audited = sp.audit(Tables((table(with_cell(few, 4, 4, "61.18")),)))
    assert str(audited) == "audit: 1 row question, 4 rows consistent"
    (question,) = audited.tables[0].questions
    assert question.condition == "Avg. is the mean of News and Mail and Forum, as in 4 of 5 lines"
    assert not audited.tables[0].untested
    assert sp.AuditResult.from_dict(audited.to_dict()) == audited


def test_cells_of_several_numbers() -> None:
    rows = [
        [f"{a:.1f} / {b:.1f}", f"{(a + b) / 2:.2f}"]
        for a, b in ((61.2, 70.4), (58.9, 66.2), (64.4, 71.7), (55.0, 68.1))
    ]
    assert [relation.name for relation in believed(grid_of(["Dev / Test", "Mean"], rows))] == ["mean of two"]
    counted = [["91.0 (182/200)"], ["87.5 (175/200)"], ["93.5 (187/200)"], ["90.0 (180/200)"], ["88.0 (178/200)"]]
    (finding,) = findings(grid_of(["Accuracy (%)"], counted))
    assert finding.words.endswith("it would be 89 to 89, printed is 88.0")
    inside = [["0.71 (0.66-0.75)"], ["0.74 (0.70-0.79)"], ["0.69 (0.64-0.73)"], ["0.84 (0.71-0.80)"], ["0.77 (0.73-0.81)"], ["0.75 (0.71-0.78)"]]  # fmt: skip
    (outside,) = findings(grid_of(["AUC"], inside))
    assert "is at most the upper end of its interval in 5 of 6 lines" in outside.words
    assert split_cell("71.2 (↓1.3)").change == "-1.3"


def test_changes_against_a_row_and_deviations_of_a_mean_row() -> None:
    base = [61.2, 70.4, 55.8, 66.0, 49.3]
    ours = [63.0, 71.1, 58.9, 65.2, 53.8]
    cells = [f"{x:.1f} ({x - y:+.1f})" for x, y in zip(ours, base, strict=True)]
    grid = [["Method", *"ABCDE"], ["Base", *map(str, base)], ["Ours", *cells]]
    assert "difference" in [relation.name for relation in believed(grid)]
    (finding,) = findings(with_cell(grid, 2, 3, "58.9 (+2.1)"))
    assert "printed is 2.1" in finding.words
    runs = [[71.3, 64.2, 80.1, 58.8, 69.9], [72.0, 66.1, 78.4, 57.5, 70.3], [70.4, 65.5, 81.2, 60.1, 68.2]]
    means = [sum(column) / 3 for column in zip(*runs, strict=True)]
    spreads = [
        (sum((x - mean) ** 2 for x in column) / 2) ** 0.5
        for column, mean in zip(zip(*runs, strict=True), means, strict=True)
    ]
    last = [f"{mean:.2f} ± {spread:.2f}" for mean, spread in zip(means, spreads, strict=True)]
    told = believed(
        [["Run", *"ABCDE"], *([f"Run {k + 1}", *map(str, run)] for k, run in enumerate(runs)), ["Mean", *last]]
    )
    assert {"mean", "standard deviation"} <= {relation.name for relation in told}


ERRORS = [
    ["2.10", "0.0525"],
    ["1.84", "0.0460"],
    ["3.02", "0.0755"],
    ["2.66", "0.0665"],
    ["1.58", "0.0395"],
    ["2.40", "0.0600"],
]


def test_ratios_on_one_data_set_and_shares_of_a_whole() -> None:
    assert findings(grid_of(["MAE", "WAPE"], ERRORS)) == []
    other_data = [row if k != 2 else ["3.02", "0.0655"] for k, row in enumerate(ERRORS)]
    assert "value with one ratio" in {relation.name for relation in believed(grid_of(["MAE", "WAPE"], other_data))}
    assert findings(grid_of(["MAE", "WAPE"], other_data)) == []
    shares = [["41.2", "30.5", "28.3"], ["37.0", "35.9", "27.1"], ["50.4", "22.8", "26.8"], ["44.7", "31.1", "24.2"], ["39.9", "33.0", "27.1"], ["47.5", "29.5", "24.0"]]  # fmt: skip
    told = findings(grid_of(["Positive", "Neutral", "Negative"], shares))
    assert [finding.where for finding in told] == [] or all(finding.where == "Method F" for finding in told)


def test_recall_does_not_fall_with_k() -> None:
    rows = [
        ["0.0121", "0.0344"],
        ["0.0230", "0.0571"],
        ["0.0056", "0.0009"],
        ["0.0198", "0.0466"],
        ["0.0277", "0.0705"],
        ["0.0149", "0.0390"],
    ]
    (finding,) = findings(grid_of(["Recall@1", "Recall@5"], rows))
    assert (
        finding.words
        == "Recall@1 is at most Recall@5 in 5 of 6 lines; in Method C that is at most 0.0010, printed is 0.0056"
    )


MARKED = r"""\begin{table}\caption{CAPTION}
\begin{tabular}{lcccc} Method & Acc & F1 & AUC & Kappa\\ \hline
A & \textbf{0.93} & 0.90 & 0.95 & 0.71\\ B & 0.95 & \textbf{0.91} & \textbf{0.97} & \textbf{0.80}\\ C & 0.90 & 0.88 & 0.93 & 0.66\\
\end{tabular}\end{table}"""


@pytest.mark.parametrize(
    ("caption", "count"),
    [("The best value of each column in bold.", 1), ("Results.", 0), ("Within each group the best in bold.", 0)],
)
def test_bold_type_that_the_caption_explains(caption: str, count: int) -> None:
    (printed,) = read_tables(MARKED.replace("CAPTION", caption))
    told = list(broken(*relations_of(printed)))
    assert [finding.relation.sort for finding in told] == ["bold or underlined"] * count
    assert all("at least 0.95, printed is 0.93" in finding.words for finding in told)


def test_one_row_in_two_tables() -> None:
    first = grid_of(
        ["Set 1", "Set 2", "Set 3", "Set 4", "Set 5", "Set 6"], [["61.2", "70.4", "55.8", "66.0", "49.3", "72.9"]]
    )
    second = with_cell([first[0], first[1], ["Ours", "63.0", "71.1", "58.9", "65.2", "53.8", "73.3"]], 1, 4, "60.0")
    long = table([["Word", "Sense"], *([f"word {k}", "none"] for k in range(501))])  # too long to be compared
    for before in ((), (long,)):
        told = sp.audit(Tables((*before, table(first, "Main results"), table(second, "Ablation"))))
        assert [check.sort for check in told.tables[-1].checks] == ["printed twice"]
        assert not any(result.questions for result in told.tables)  # numbers under one name may be of another setting


def test_the_median_of_shares_is_no_share_of_medians() -> None:
    parts, wholes = [497, 420, 518, 574, 544, 495, 611], [5131, 3432, 4082, 4316, 4159, 3967, 4480]
    shares = [100 * part / whole for part, whole in zip(parts, wholes, strict=True)]
    rows = [
        ["Files", *map(str, wholes), f"{sum(wholes) / 7:.0f}", f"{median(wholes)}"],
        ["Moved", *map(str, parts), f"{sum(parts) / 7:.0f}", f"{median(parts)}"],
        ["Moved (%)", *(f"{share:.2f}" for share in shares), f"{100 * sum(parts) / sum(wholes):.2f}"],
    ]
    grid = [["Part", *(f"3.{k}" for k in range(9))], *rows[:2], [*rows[2], f"{median(shares):.2f}"]]
    assert any(relation.name == "share in percent" for relation in believed(grid))
    assert not findings(grid)
    slip = with_cell([row[:-1] for row in grid], 3, 4, "18.10")
    assert not findings(slip)
    assert any("printed is 18.10" in words for words in to_look_at(table(slip)))


def test_an_efficiency_is_a_ratio() -> None:
    rows = [(84.3, 6.2), (137.0, 9.63), (61.9, 4.8), (290.4, 24.9), (187.8, 9.4), (45.2, 3.7), (77.1, 5.9)]
    cells = [[f"{speed}", f"{power}", f"{speed / power:.2f}"] for speed, power in rows]
    grid = grid_of(["Performance (GOPS)", "Power (W)", "Energy Eff. (GOPS/W)"], cells, corner="Board")
    assert not findings(grid)
    (finding,) = findings(with_cell(grid, 4, 3, "16.11"))
    assert finding.where == "Method D"


# ----------------------------------------------------------------------------------------------------------------- traps
def test_many_similar_lines_are_no_evidence() -> None:
    """A column between two others in 121 lines of a narrow spread: no harmonic mean of them."""
    rng = random.Random(2)
    rows = []
    for _ in range(121):
        level = rng.uniform(0.50, 0.56)
        rows.append([f"{level + rng.gauss(0, 0.004):.2f}" for _ in range(6)])
    assert (
        findings([["Model", *(f"Set {k}" for k in range(6))], *([f"M{k}", *row] for k, row in enumerate(rows))]) == []
    )


def test_orders_need_one_unit_and_a_name() -> None:
    rows = [[f"{40 + k}.2", f"0.{48 + k}1"] for k in range(8)]
    assert findings(grid_of(["Hits@1", "MRR"], rows)) == []
    rows = [[f"0.{50 + k}", f"0.{48 + k}"] for k in range(8)]
    assert findings(grid_of(["H_14", "H_16"], rows)) == []


def test_an_average_row_is_no_identity_of_averages() -> None:
    pairs = [(61.2, 88.4), (75.0, 52.3), (80.8, 79.1), (66.6, 91.0), (90.2, 58.8)]
    rows = [[p, r, 2 * p * r / (p + r)] for p, r in pairs]
    rows.append([sum(column) / 5 for column in zip(*rows, strict=True)])
    grid = grid_of(["Precision", "Recall", "F1"], [[f"{x:.1f}" for x in row] for row in rows])
    grid[-1][0] = "all classes together"
    told = relations_of(table(grid))
    assert "F1 (harmonic mean)" in [relation.name for relation in told[0]]
    assert list(broken(*told)) == []


def test_a_relation_that_many_lines_break_is_said_as_not_believed() -> None:
    rows = [
        [*row[:3], f"{float(row[3]) + 0.7 * (k % 2):.2f}"] for k, row in enumerate(line[1:] for line in AVERAGES[1:])
    ]
    (result,) = sp.audit(Tables((table(grid_of(["News", "Mail", "Forum", "Avg."], rows)),))).tables
    assert [note for note in result.untested if note.startswith("Avg.: no mean, sum or difference")]
    assert not result.questions


def test_numbers_that_stand_for_several_places_and_names_count_once() -> None:
    (upright, turned) = views(
        table([["Set", "Acc", "F1"], ["1", "0.91", "0.90"], ["2", "0.88", "0.85"], ["3", "0.90", "0.89"]])
    )
    assert [series.name for series in upright.series] == ["Acc", "F1"]
    assert [series.name for series in turned.series] == ["1", "2", "3"]


def test_a_curve_is_no_mean_of_its_neighbours() -> None:
    rows = [
        [f"{base + 0.045 * k + 0.0004 * k * base:.3f}" for k in range(6)]
        for base in (0.12, 0.19, 0.22, 0.25, 0.26, 0.29, 0.30, 0.31, 0.33)
    ]
    grid = grid_of(["MAP@5", "MAP@10", "MAP@15", "MAP@20", "MAP@25", "MAP@30"], rows)
    assert findings(with_cell(grid, 2, 3, "0.299")) == []


def test_a_row_of_variances_is_no_mean_of_variances() -> None:
    changed = [*AVERAGES, ["VAR", "11.90", "23.60", "14.90", "15.10"]]
    assert "mean" in [relation.name for relation in believed(changed)]
    assert findings(changed) == []


def test_ratios_are_not_added_up() -> None:
    rows = [[210, 1800, 66, 31], [95, 700, 24, 18], [330, 2900, 101, 44], [120, 960, 37, 25]]
    total = [sum(column) for column in zip(*rows, strict=True)]
    grid = [["Source", "Stars", "Views", "Forks", "Issues", "Stars / view"]]
    grid += [
        [name, *map(str, row), f"{row[0] / row[1]:.2f}"]
        for name, row in zip((*"ABCD", "Total"), (*rows, total), strict=True)
    ]
    assert findings(grid) == []


def test_a_relation_with_several_exceptions_accuses_nobody() -> None:
    rng = random.Random(4)
    rows = []
    for number in range(60):
        image, text = rng.uniform(50, 300), rng.uniform(20, 90)
        extra = rng.uniform(50, 200) if number % 14 == 3 else 0.0  # a further part that has no column
        rows.append([f"{image:.2f}", f"{text:.2f}", f"{image + text + extra:.2f}"])
    grid = [["Model", "Image", "Text", "Total"], *([f"M{k}", *row] for k, row in enumerate(rows))]
    assert "sum" in [relation.name for relation in believed(grid)]
    assert findings(grid) == []


def test_dice_needs_an_overlap() -> None:
    """With a recall of 1 the F1 is what a Dice of the precision would be; in the last line it is not."""
    precisions = [0.7432, 0.8121, 0.6944, 0.7718]
    rows = [[f"{p:.4f}", f"{2 * p / (1 + p):.4f}"] for p in precisions]
    assert findings(grid_of(["Precision", "F1"], [*rows, ["0.7603", "0.8538"]])) == []


# --------------------------------------------------------------------------------------- what real tables were misread as
def test_gains_against_one_line_of_a_column() -> None:
    """A Δ column beside the scores of one column, absolute and relative, and gains over the line above."""
    scores = [0.412, 0.387, 0.379, 0.401, 0.366, 0.395, 0.372]
    relative = ["-", *(f"{100 * (score / scores[0] - 1):.1f}%" for score in scores[1:])]
    grid = grid_of(["MSE", "Δ vs. baseline"], [[f"{x:.3f}", gain] for x, gain in zip(scores, relative, strict=True)])
    (relation,) = believed(grid)
    assert relation.words == "Δ vs. baseline is the relative gain in percent of MSE and MSE / of Method A"
    (finding,) = findings(with_cell(grid, 5, 2, "-13.2%"))
    assert "it would be -11.7 to -10.7, printed is -13.2" in finding.words
    steps = [71.23, 74.48, 75.91, 79.37, 80.02, 84.66]
    gains = ["", *(f"+{b - a:.2f}" for a, b in pairwise(steps))]
    grid = grid_of(["Accuracy", "Gain"], [[f"{x:.2f}", gain] for x, gain in zip(steps, gains, strict=True)])
    assert [relation.counts for relation in believed(grid)] == [(5, 5)]
    assert [finding.where for finding in findings(with_cell(grid, 4, 2, "+4.36"))] == ["Method D"]


def test_a_gain_over_the_best_of_the_others_accuses_nobody() -> None:
    """Where another line is the best in one column only, the gain is against that."""
    heads = ["Hits, cities", "MRR, cities", "Hits, films", "MRR, films", "Hits, genes", "MRR, genes"]
    lines = [
        ["Walks", "31.17", "0.2011", "71.20", "0.6142", "40.08", "0.3127"],
        ["Cached", "47.92", "0.3016", "88.45", "0.7960", "43.71", "0.4210"],
        ["Even", "38.85", "0.2404", "79.93", "0.5513", "55.26", "0.3655"],
        ["Ours", "42.36", "0.2751", "87.02", "0.7188", "42.90", "0.4019"],
        ["Δ", "-5.56", "-0.0265", "-1.43", "-0.0772", "-12.36", "-0.0191"],
    ]
    grid = [["Method", *heads], *lines]
    assert "difference" in [relation.name for relation in believed(grid)]
    assert findings(grid) == []
    (finding,) = findings(with_cell(with_cell(grid, 5, 5, "-0.81"), 5, 1, "-6.55"))
    assert "printed is -6.55" in finding.words


def test_the_caption_says_which_number_is_the_best() -> None:
    """Columns are languages: that bold is the lowest follows from the score in the caption."""
    rows = [["0.72", "0.93", "0.88", "0.41"], ["0.91", "0.76", "1.13", "0.55"], ["0.52", "0.61", "0.47", "0.42"]]
    rows += [["0.95", "0.89", "1.20", "0.63"], ["0.83", "0.79", "0.97", "0.58"]]
    bold = frozenset((3, column) for column in (1, 2, 3, 4))
    grid = grid_of(["deu", "fin", "por", "swe"], rows)
    words = {"lower": "RMSE ↓ of five systems, the best of each column in bold.", "none": "Best values in bold."}
    (finding,) = findings(grid, caption=words["lower"], bold=bold)
    assert finding.words.endswith("in swe, Method C that is at most 0.41, printed is 0.42")
    assert findings(grid_of(["deu", "fin", "por"], [row[:3] for row in rows]), caption=words["none"], bold=bold) == []
    few = frozenset({(1, 1), (2, 2), (3, 3)})  # what most columns do not obey is not what the caption means
    assert findings(grid, caption=words["lower"], bold=few) == []


def test_a_ratio_that_misses_by_little_is_a_question() -> None:
    """Quotients of rounded numbers: the printed denominator may be of something slightly else."""
    numbers = [(44.18, 1.35), (61.90, 1.52), (53.36, 1.46), (79.21, 1.61), (66.05, 1.87), (38.44, 1.29), (70.73, 1.44)]
    texts = [[f"{a:.2f}", f"{b:.2f}", f"{a / b:.2f}"] for a, b in numbers]
    grid = grid_of(["F, level", "F, sex", "Ratio"], texts)
    assert findings(grid) == []
    (near,) = findings(with_cell(grid, 3, 3, "36.10"))
    (far,) = findings(with_cell(grid, 3, 3, "41.20"))
    assert (near.outright, far.outright) == (False, True)


def test_scores_that_are_doubted_by_their_names_are_not_asked_about_twice() -> None:
    rates = [(0.714, 0.905), (0.602, 0.867), (0.655, 0.921), (0.581, 0.894), (0.733, 0.850), (0.690, 0.876)]
    lines = [[f"{p:.3f}", f"{r:.3f}", f"{2 * p * r / (p + r):.3f}"] for p, r in rates]
    (told,) = sp.audit(Tables((table(with_cell(grid_of(["Precision", "Recall", "F1"], lines), 4, 3, "0.694")),))).tables
    doubted = [row.label for row in told.rows if str(row.outcome) in ("question", "inconsistent")]
    assert doubted == ["Method D"]
    assert len(told.questions) + sum(str(row.outcome) == "inconsistent" for row in told.rows) == 1


def test_short_tables_obey_what_tables_with_the_same_headings_bear_out() -> None:
    heads = ["Sens", "Spec", "Youden"]
    rates = [(0.714, 0.905), (0.602, 0.867), (0.655, 0.921), (0.581, 0.894), (0.733, 0.850), (0.690, 0.876)]
    lines = [[f"{a:.3f}", f"{b:.3f}", f"{a + b - 1:.3f}"] for a, b in rates]
    short = [["0.81", "0.77", "0.58"], ["0.79", "0.83", "0.62"]]
    told = sp.audit(Tables((table(grid_of(heads, lines)), table(grid_of(heads, short)))))
    assert [[check.sort for check in each.checks] for each in told.tables] == [["identity of a row"]] * 2


def test_a_column_of_dashes_is_no_label_and_a_row_of_records_no_model() -> None:
    rows = [["61.2", "-", "58.9"], ["63.3", "-", "60.0"], ["60.8", "66.1", "57.7"], ["62.2", "-", "59.1"]]
    (upright, *_) = views(table(grid_of(["deu", "fin", "swe"], rows)))
    assert upright.labels[2] == "Method C"
    scores = [(81.2, 74.3), (77.4, 70.9), (88.0, 61.5), (79.6, 73.2), (69.9, 80.4), (90.1, 66.6), (84.4, 71.7)]
    lines = [[f"{p:.1f}", f"{r:.1f}", f"{2 * p * r / (p + r):.1f}"] for p, r in scores]
    grid = [["Method", "Precision", "Recall", "F1"], *([f"M{k}", *line] for k, line in enumerate(lines))]
    assert findings([*grid, ["State-of-the-art", "92.3", "81.1", "79.4"]]) == []


def test_means_of_few_lines_and_geometric_means() -> None:
    """A mean row under three columns, one of them gains; a geometric mean of three grades."""
    base, ours = [95.1, 82.7, 78.2, 80.3, 30.9, 61.4, 54.6], [95.4, 83.2, 79.8, 81.1, 33.5, 64.0, 58.3]
    columns = [base, ours, [b - a for a, b in zip(base, ours, strict=True)]]
    lines = [[f"{x:.1f}" for x in row] for row in zip(*columns, strict=True)]
    grid = grid_of(["Baseline", "Ours", "Gain"], lines, "Class")
    grid.append(["Mean", *(f"{sum(column) / len(column):.1f}" for column in columns)])
    assert "Mean is the mean of these 7 rows" in [relation.words for relation in believed(grid)]
    grades = [(1.82, 3.71, 3.40), (3.29, 2.95, 3.11), (3.48, 3.33, 3.87), (3.90, 3.52, 4.07), (4.41, 3.68, 4.26)]
    rows = [[*(f"{x:.2f}" for x in line), f"{(line[0] * line[1] * line[2]) ** (1 / 3):.2f}"] for line in grades]
    assert [relation.name for relation in believed(grid_of(["TS", "CP", "LQ", "GM"], rows))] == ["geometric mean"]


def test_an_f1_of_means_and_means_of_f1_accuse_nobody() -> None:
    """A total F1 of the mean precision and recall, and F1 that are means over runs: neither is a slip."""
    grid = [["Model", "Class", "Precision", "Recall", "F1 score", "mAP50", "mAP75"]]
    for k, (p, r) in enumerate(((0.731, 0.664), (0.748, 0.652), (0.762, 0.641), (0.715, 0.683), (0.739, 0.629))):
        off, on = (p, r), (p - 0.17 - 0.01 * k, r + 0.19)
        both = [(a + b) / 2 for a, b in zip(off, on, strict=True)]
        for name, own, more in (
            ("Off", off, (0.761, 0.494)),
            ("On", on, (0.777, 0.518)),
            ("Total", both, (0.769, 0.506)),
        ):
            values = (*own, 2 * own[0] * own[1] / sum(own), *(x + 0.01 * k for x in more))
            grid.append([f"Net {k}", name, *(f"{x:.3f}" for x in values)])
    assert findings(grid) == []
    runs = [
        (0.927, 0.945),
        (0.944, 0.921),
        (0.902, 0.847),
        (0.851, 0.812),
        (0.934, 0.966),
        (0.715, 0.664),
        (0.880, 0.781),
    ]
    lines = [[f"{p:.3f} ± 0.011", f"{r:.3f} ± 0.024", f"{2 * p * r / (p + r):.3f} ± 0.013"] for p, r in runs]
    table_of_runs = grid_of(["Precision", "Recall", "F1"], lines)
    assert findings(with_cell(table_of_runs, 6, 3, "0.671 ± 0.091")) == []
    (above,) = findings(with_cell(table_of_runs, 6, 3, "0.701 ± 0.091"))
    assert above.where == "Method F"


def test_what_breaks_in_other_groups_too_has_exceptions() -> None:
    """F1 of one setting are means over folds in every group of rows; only one group looks as if one line were wrong."""
    grid = [["Part", "Score", *(f"Setting {k}" for k in range(1, 6))]]
    below = (0.0, 0.9, 0.6, 0.4, 0.7)  # of the last setting, beside what its mean precision and recall give
    for k, off in enumerate(below):
        pairs = [(71.3 + 2 * k + j, 66.2 + 3 * j - k) for j in range(5)]
        f1 = [2 * p * r / (p + r) for p, r in pairs]
        f1[4] -= off
        f1[3] -= off / 4 if k != 3 else 0
        for name, numbers in (("P", [p for p, _ in pairs]), ("R", [r for _, r in pairs]), ("F1", f1)):
            grid.append([f"Group {k}" if name == "P" else "", name, *(f"{number:.2f}" for number in numbers)])
    assert findings(grid) == []
    alone = [grid[0], *grid[10:13]]
    assert len(to_look_at(table(alone))) == 1


def test_type_of_one_method_marks_that_method() -> None:
    rng = random.Random(3)
    rows = [[f"{rng.uniform(24, 31):.2f}" for _ in range(5)] for _ in range(12)]
    for number, row in enumerate(rows):
        row.append(f"{max(map(float, row)) + (0.4 if number != 4 else -0.3):.2f}")
    grid = [["Image", "A", "B", "C", "D", "E", "Ours"], *([str(k + 1), *row] for k, row in enumerate(rows))]
    assert findings(grid, bold=frozenset((k + 1, 6) for k in range(12))) == []


def test_deviations_on_lines_without_a_label_accuse_nobody() -> None:
    """Below each line of means its deviations: neither P, R and F1, nor a mean of the columns."""
    grid = [["Method", "Precision", "Recall", "F1", "Acc"]]
    for k in range(7):
        p, r = 80.1 + 1.7 * k, 70.4 + 2.3 * (k * k % 5)
        grid.append([f"M{k}", f"{p:.1f}", f"{r:.1f}", f"{2 * p * r / (p + r):.1f}", f"{p - 3:.1f}"])
        grid.append(["", f"{0.3 + k / 10:.1f}", f"{1.1 - k / 10:.1f}", f"{0.2 + k % 3 / 10:.1f}", "0.5"])
    assert findings(grid) == []


def test_a_total_of_few_columns_is_no_rival_of_itself() -> None:
    hours = [["Collect", "3.812", "1.127", "5.279"], ["Fit", "5.220", "1.185", "12.114"], ["Search", "7.013", "1.344", "15.652"]]  # fmt: skip
    grid = [["Stage", "Oslo", "Bergen", "Molde"], *hours, ["Update", "0.480", "0.043", "0.292"]]
    told = believed([*grid, ["Total", "16.525", "3.699", "33.337"]])
    assert [relation.words for relation in told] == ["Total is the sum of these 4 rows"]
    assert not believed([*grid, ["Total", "16.925", "3.699", "33.731"]])


def test_a_share_below_one_percent_is_averaged_with_the_others() -> None:
    rows = [["12.40", "24.50", "0.53"], ["13.72", "20.61", "0.26"], ["10.37", "26.07", "0.79"], ["11.59", "23.35", "0.00"]]  # fmt: skip
    grid = grid_of(["A", "B", "C", "Avg."], [[*row, f"{sum(map(float, row)) / 3:.2f}"] for row in rows])
    assert [relation.name for relation in believed(grid)] == ["mean"]


def test_an_interval_in_a_column_of_its_own() -> None:
    rows = [
        ["+0.07", "0.969", "[−3.65, +3.80]"], ["−0.29", "0.842", "[−3.16, +2.57]"], ["+1.38", "0.351", "[−0.75, +3.33]"],
        ["−2.54", "0.079", "[−5.44, +0.36]"], ["+0.39", "0.551", "[−0.90, +1.68]"], ["−0.34", "0.683", "[−1.64, +1.08]"],
    ]  # fmt: skip
    grid = grid_of(["Effect", "p", "95% CI"], rows)
    assert {relation.view.series[relation.target].name for relation in believed(grid)} == {"Effect"}
    (finding,) = findings(with_cell(grid, 3, 1, "+3.83"))
    assert "at most the upper end of its interval" in finding.words


def test_numbers_of_cases_are_not_rounded() -> None:
    rows = [["30", "4", "13.3%"], ["30", "2", "6.7%"], ["30", "1", "3.3%"], ["30", "0", "0.0%"], ["30", "7", "23.3%"]]
    assert "share in percent" in {relation.name for relation in believed(grid_of(["n", "Flips", "Rate"], rows))}


@pytest.mark.parametrize(
    ("cells", "count"),
    [({}, 0), ({(2, 2): "93.90"}, 1), ({(2, 2): "93.49", (2, 3): "92.60", (2, 5): "92.89", (2, 6): "92.04"}, 0)],
)
def test_one_cell_breaks_an_order_or_the_heading_means_something_else(
    cells: dict[tuple[int, int], str], count: int
) -> None:
    heads = [f"{days} days Top-{k}" for days in ("1", "5") for k in (1, 5, 10)]
    rows = [["66.26", "81.28", "84.21", "59.49", "74.34", "78.13"], ["80.47", "88.40", "92.60", "78.43", "85.89", "90.04"],
            ["70.09", "77.79", "89.32", "64.17", "75.02", "76.43"], ["61.02", "70.41", "75.33", "60.17", "64.20", "68.84"],
            ["55.12", "60.07", "66.01", "50.90", "57.73", "59.04"], ["58.37", "63.55", "69.18", "54.42", "61.11", "62.86"]]  # fmt: skip
    grid = [["", *(head.rsplit(" ", 1)[0] for head in heads)], ["Method", *(head.rsplit(" ", 1)[1] for head in heads)]]
    grid += [[f"Method {k}", *row] for k, row in enumerate(rows)]
    for (row, column), text in cells.items():
        grid = with_cell(grid, row + 1, column, text)
    found = broken(*relations_of(Table(tuple(map(tuple, grid)), 2, "")))
    assert len(found) == count


def test_the_gain_of_an_average_is_no_average_of_gains() -> None:
    rows = [[65.2, 68.6, 62.2, 64.9], [73.8, 78.7, 75.5, 77.0], [78.1, 82.2, 82.1, 80.5], [87.5, 89.4, 85.9, 86.4]]
    rows = [
        *rows,
        [60.6, 62.7, 61.6, 61.9],
        [82.5, 84.5, 84.4, 82.1],
        [87.1, 88.0, 86.3, 87.8],
        [93.7, 93.3, 93.4, 93.6],
    ]
    ranges = ["6.45", "4.97", "4.16", "3.52", "2.05", "2.42", "1.79", "0.39"]
    cells = [[*map(str, row), f"{gain} pp"] for row, gain in zip(rows, ranges, strict=True)]
    means = [sum(column) / 8 for column in zip(*rows, strict=True)]
    last = [*(f"{mean:.1f}" for mean in means), f"{max(means) - min(means):.2f} pp"]
    heads = ["Organ", "M = 7", "M = 28", "M = 56", "M = 112", "ΔDSC"]
    grid = [heads, *([f"Organ {k}", *row] for k, row in enumerate(cells)), ["Mean", *last]]
    assert any(relation.name == "mean" for relation in believed(grid))
    assert not findings(grid)


def test_a_ratio_that_no_heading_names_asks_nothing() -> None:
    rows = [(0.674, 1.0), (0.586, 0.981), (0.52, 0.995), (0.637, 0.996), (0.875, 0.97), (0.83, 0.999), (0.916, 0.994),
            (0.939, 0.995), (0.918, 0.92), (0.741, 0.963)]  # fmt: skip
    cells = [[f"{a:.3f}", f"{a / b:.3f}", f"{b:.3f}"] for a, b in rows]
    grid = grid_of(["Coverage", "Size", "Hit"], [*cells, ["0.983", "1.017", "0.983"]])
    assert any(relation.name == "ratio" for relation in believed(grid))
    assert not findings(grid)


def test_a_column_of_shares_of_one_number_that_nobody_names() -> None:
    rates = [(89, 73), (76, 57), (68, 61), (61, 44), (60, 50), (44, 37), (36, 18), (13, 10), (101, 95)]
    cells = [[f"{100 * a / 120:.1f}", f"{100 * b / 120:.1f}"] for a, b in rates]
    grid = grid_of(["Success", "Guarded"], cells)
    caption = "Success rate (%), 120 scenarios each"
    assert [relation.name for relation in relations_of(table(grid, caption))[0]] == ["share of 120 cases"] * 2
    for odd in ("29.3", f"{100 * 76 / 119:.1f}"):  # a slip, a case less
        other = with_cell(grid, 2, 1, odd)
        assert not findings(other, caption=caption)
        (words,) = to_look_at(table(other, caption))
        assert words.startswith("Success is the share of 120 cases in 8 of 9 lines; in Method B")
    assert not believed(grid_of(["Cost ($)", "Time"], cells))


def test_counts_with_their_percentages_are_of_one_number_of_cases() -> None:
    counts = [(64, 41), (19, 30), (112, 77), (7, 5), (88, 60), (51, 38), (140, 101)]
    cells = [[f"{a} ({100 * a / 173:.1f}%)", f"{b} ({100 * b / 121:.1f}%)"] for a, b in counts]
    grid = grid_of(["Early", "Late"], cells, corner="Characteristic")
    assert {relation.name for relation in believed(grid)} == {
        "share of 173 cases",
        "share of 121 cases",
    }
    assert not findings(grid)
    missing = with_cell(grid, 3, 1, f"112 ({100 * 112 / 160:.1f}%)")  # thirteen cases
    assert not findings(missing)
    assert len(to_look_at(table(missing))) == 1
    ages = with_cell(with_cell(grid, 2, 1, "61 (12.4)"), 2, 0, "Age, mean (SD)")
    assert not to_look_at(table(ages))


def test_a_mean_lies_between_the_ends() -> None:
    rows = [("0.42", "1.61", "7.90"), ("0.37", "1.88", "6.15"), ("0.51", "1.43", "8.82"), ("0.29", "2.04", "9.31"),
            ("0.44", "1.72", "5.97"), ("0.33", "1.50", "7.26"), ("0.40", "1.39", "6.61")]  # fmt: skip
    grid = grid_of(["Min", "Mean", "Max"], [list(row) for row in rows])
    assert len(believed(grid)) == 3
    (finding,) = findings(with_cell(grid, 4, 2, "20.4"))
    assert finding.where == "Method D"
    below = [[str(round(float(text) / 9 - 0.3, 3)) for text in column] for column in rows]  # of something else
    turned = [["", *(f"Set {k}" for k in range(7))]]
    for name, numbers in (("Spread", rows), ("Net", below)):
        turned += [
            [name] * 8,
            *([head, *(row[k] for row in numbers)] for k, head in enumerate(("Min.", "Mean", "Max."))),
        ]
    assert (
        sorted(len(relation.series) for relation in believed(turned) if relation.sort == "order by meaning") == [2] * 6
    )
    assert not findings(turned)


def test_an_average_over_several_classes_is_no_f1_of_its_averages() -> None:
    rows = [(71.1, 74.2), (68.4, 77.3), (80.5, 66.9), (73.7, 73.1), (77.2, 69.8), (65.3, 81.0), (70.9, 75.5)]
    cells = [[f"{p}", f"{r}", f"{2 * p * r / (p + r):.2f}"] for p, r in rows]
    grid = grid_of(["Precision", "Recall", "F1"], [*cells, ["52.11", "44.07", "41.30"]])
    assert len(findings(grid)) == 1
    assert not findings(with_cell(grid, 8, 0, "Stage two (5 classes)"))
    assert findings(with_cell(with_cell(grid, 8, 0, "Stage two (5 classes)"), 8, 3, "57.20"))


def test_fine_rates_under_names_of_data_sets_are_shares() -> None:
    hits = [(71, 62), (78, 61), (87, 66), (95, 80), (98, 81), (101, 88)]
    cells = [[f"{100 * a / 160:.2f}", f"{100 * b / 165:.2f}"] for a, b in hits]
    grid = grid_of(["Puzzles", "Contests"], cells)
    told = relations_of(table(grid, "Results on the hard benchmarks."))[0]
    assert {relation.name for relation in told} == {"share of 160 cases", "share of 165 cases"}
    assert not relations_of(table(grid, "Sizes of the parts."))[0]
    assert len(relations_of(table(grid_of(["P@k", "P@k"], cells)))[0]) == 2
