"""Rows whose experiment nobody gives: not refuted by one thing they may be if they may be another; what to know of them."""

from __future__ import annotations

from pathlib import Path
from statistics import median

import pytest

import scoreproof as sp
from scoreproof.papers.collecting import propose
from scoreproof.papers.text_facts.sizes import size_tables


def test_all_cases_of_a_cross_validation_are_no_test_set(tmp_path: Path) -> None:
    """No 300 records of whatever classes have these scores, but five folds of them do."""
    table = "| Method | Acc | Sens | Spec |\n|---|---|---|---|\n| A | 0.869 | 0.786 | 0.881 |\n"
    text = f"# Data\n\nWe used 5-fold cross-validation on 300 records.\n\n{table}"
    (tmp_path / "paper.md").write_text(text, encoding="utf-8")
    (row,) = sp.audit(tmp_path / "paper.md", jobs=1).rows()
    assert [(reading.label, str(reading.verdict)) for reading in row.readings] == [
        ("class counts unknown", "consistent")
    ]
    assert str(row.outcome) == "consistent"


@pytest.mark.parametrize(
    ("grid", "outcome"),
    [
        ([["Method", "Acc"], ["A", "0.915"]], "not tested"),  # the folds give any such mean
        ([["Method", "MCC"], ["A", "0.9905"]], "not tested"),  # the mean of a score that is compared with nothing
    ],
)
def test_a_mean_that_may_be_anything_is_not_refuted_by_the_test_set_beside_it(
    grid: list[list[str]], outcome: str
) -> None:
    specification = {
        "datasets": {"all": {"total": 300}, "test": {"p": 40, "n": 60}},
        "experiments": {"folds": {"dataset": "all", "folds": 5}, "test": {"dataset": "test"}},
        "tables": [{"experiment": ["folds", "test"], "grid": grid}],
    }
    (row,) = sp.audit(specification, jobs=1, explain=False, strength=False).rows()
    assert str(row.outcome) == outcome
    specification["tables"] = [{"experiment": "test", "grid": grid}]
    (alone,) = sp.audit(specification, jobs=1, explain=False, strength=False).rows()
    assert str(alone.outcome) == "inconsistent"


@pytest.mark.parametrize(
    ("table", "words"),
    [
        ("| Model | MAE | R2 |\n|---|---|---|\n| A | 2.10 | 0.81 |\n", "an RMSE or MSE beside an MAE"),
    ],
)
def test_what_would_have_to_be_known_is_said(tmp_path: Path, table: str, words: str) -> None:
    (tmp_path / "paper.md").write_text(f"# Results\n\nWe compare with others.\n\n{table}", encoding="utf-8")
    result = sp.audit(tmp_path / "paper.md", jobs=1)
    (row,) = result.rows()
    assert str(row.outcome) == "not tested"
    assert any(words in note for note in row.notes)
    assert all(words in said for said in result.tables[0].untested)


HEADERS = """| Cohort | Sensitivity | Specificity | Accuracy |
|---|---|---|---|
| Internal (n = 400; 120 malignant) | 85.0 | 90.0 | {internal} |
| External (n=1,250) | 80.0 | 86.0 | 84.8 |
| Pilot (n = 5) | 80.0 | 86.0 | 84.8 |
"""


def test_sizes_in_the_headers_of_a_table(tmp_path: Path) -> None:
    """They are tried, shown with their header, and accuse nobody; five cases may be five of anything."""
    paper = tmp_path / "paper.md"
    paper.write_text(HEADERS.format(internal="88.5"), encoding="utf-8")
    found = sp.audit(paper, jobs=1)
    assert [row.outcome for row in found.rows()] == ["consistent"] * 3
    assert [len(row.readings) for row in found.rows()] == [3, 2, 1]
    assert [told.sentence for told in found.extracted] == ["Internal (n = 400; 120 malignant)", "External (n=1,250)"]
    paper.write_text(HEADERS.format(internal="88.7"), encoding="utf-8")
    first, *others = sp.audit(paper, jobs=1).rows()
    assert first.outcome == "question"
    assert "are 400 cases, 120 malignant" in first.reason
    assert {row.outcome for row in others} == {"consistent"}


def test_the_trees_of_a_forest_are_no_cases(tmp_path: Path) -> None:
    paper = tmp_path / "paper.md"
    paper.write_text("| Model | Accuracy |\n|---|---|\n| Forest (n = 100) | 0.912 |\n| Forest (n = 500) | 0.921 |\n")
    found = sp.audit(paper, jobs=1)
    assert not found.extracted
    assert all(len(row.readings) == 1 for row in found.rows())


TEXT = "The ISIC test set has 600 images, of which 117 are melanomas. PH2 was used, too.\n\n"
ROWS = [("ISIC", "0.885", "0.744", "0.919"), ("PH2", "0.915", "0.925", "0.913")]


@pytest.mark.parametrize("head", ["Data set", "", "Cohort"])
def test_a_size_is_of_the_rows_that_its_sentence_names(tmp_path: Path, head: str) -> None:
    paper = tmp_path / "paper.md"
    lines = [
        f"| {' | '.join(row)} |" for row in [(head, "Accuracy", "Sensitivity", "Specificity"), ("---",) * 4, *ROWS]
    ]
    paper.write_text(TEXT + "\n".join(lines) + "\n", encoding="utf-8")
    isic, other = sp.audit(paper, jobs=1).rows()
    assert [str(isic.outcome), str(other.outcome)] == ["consistent", "consistent"]
    assert (len(isic.readings), len(other.readings)) == (3, 1)


def test_a_size_is_of_the_columns_that_its_sentence_names(tmp_path: Path) -> None:
    paper = tmp_path / "paper.md"
    table = "| Model | ISIC Acc | ISIC Sens | PH2 Acc | PH2 Sens |\n|---|---|---|---|---|\n| A | 0.885 | 0.744 | 0.915 | 0.925 |\n"
    paper.write_text(TEXT + table, encoding="utf-8")
    isic, other = sp.audit(paper, jobs=1).rows()
    assert (len(isic.readings), len(other.readings)) == (3, 1)


@pytest.mark.parametrize("labels", [("Male", "Female"), ("Patient level", "Image level")])
def test_parts_of_the_cases_have_other_sizes(tmp_path: Path, labels: tuple[str, str]) -> None:
    paper = tmp_path / "paper.md"
    lines = [f"| {label} | {' | '.join(row[1:])} |" for label, row in zip(labels, ROWS, strict=True)]
    heads = "| | Accuracy | Sensitivity | Specificity |\n|---|---|---|---|\n"
    paper.write_text(TEXT + heads + "\n".join(lines) + "\n", encoding="utf-8")
    result = sp.audit(paper, jobs=1)
    assert [str(row.outcome) for row in result.rows()] == ["consistent", "consistent"]
    assert [told.used for told in result.extracted] == ["not used: no table is of these cases"]


def test_the_model_and_its_readers_share_their_data(tmp_path: Path) -> None:
    paper = tmp_path / "paper.md"
    table = "| | Acc | Sens |\n|---|---|---|\n| Reader | 0.845 | 0.811 |\n| Model | 0.878 | 0.867 |\n"
    paper.write_text(
        f"The model was evaluated on a test set of 361 patients, of whom 90 had cancer.\n\n{table}", encoding="utf-8"
    )
    assert [len(row.readings) for row in sp.audit(paper, jobs=1).rows()] == [3, 3]


def test_methods_share_their_data(tmp_path: Path) -> None:
    """The sentence names one of them, and the size is that of both."""
    paper = tmp_path / "paper.md"
    heads = "| Model | Accuracy | Sensitivity | Specificity |\n|---|---|---|---|\n"
    lines = [f"| {' | '.join(row)} |" for row in ROWS]
    paper.write_text(TEXT + heads + "\n".join(lines) + "\n", encoding="utf-8")
    assert [str(row.outcome) for row in sp.audit(paper, jobs=1).rows()] == ["consistent", "question"]


def test_an_experiment_that_somebody_gives_is_of_all_rows(tmp_path: Path) -> None:
    paper = tmp_path / "paper.md"
    lines = [f"| {' | '.join(row)} |" for row in [("Data set", "Acc", "Sens", "Spec"), ("---",) * 4, *ROWS]]
    paper.write_text(TEXT + "\n".join(lines) + "\n", encoding="utf-8")
    rows = sp.audit(paper, sp.TestSet(117, 483), jobs=1).rows()
    assert [str(row.outcome) for row in rows] == ["consistent", "question"]
    assert "The ISIC test set has 600 images" in rows[1].condition  # and is no set of the other row's


RUNS = ((150, 15), (160, 60), (170, 20), (180, 70), (140, 10))  # true and false positives of 200 positives


@pytest.mark.parametrize(
    ("said", "caption", "outcome"),
    [
        ("We report the median over five runs.", "Results.", "not tested"),
        ("Table 1 shows medians over five seeds.", "Results.", "not tested"),
        ("All models were trained once.", "Median [IQR] of each score.", "not tested"),
        ("Table 2 shows medians over five seeds.", "Results.", "consistent"),
        ("We report the median over five runs.", "Means over five runs.", "consistent"),
        ("All models were trained once.", "Results.", "consistent"),
    ],
)
def test_medians_over_runs_are_not_compared(tmp_path: Path, said: str, caption: str, outcome: str) -> None:
    """Medians of columns are of different runs: no matrix has them, and no average either."""
    scores = [(tp / (tp + fp), tp / 200, 2 * tp / (200 + tp + fp)) for tp, fp in RUNS]
    printed = " | ".join(f"{median(column):.4f}" for column in zip(*scores, strict=True))
    table = f"Table 1. {caption}\n\n| Method | Precision | Recall | F1 |\n|---|---|---|---|\n| A | {printed} |\n"
    (tmp_path / "paper.md").write_text(f"# Data\n\n{said}\n\n{table}", encoding="utf-8")
    result = sp.audit(tmp_path / "paper.md", jobs=1, explain=False, strength=False)
    (row,) = result.rows()
    assert str(row.outcome) == outcome
    if outcome == "not tested" and "edian" in said + caption:
        assert "medians are not tested, for those of one row may be of different runs" in row.notes[0]
        assert any(told.used == "tables of medians are not tested" for told in result.extracted)


def test_folds_that_are_not_understood_leave_no_single_test_set(tmp_path: Path) -> None:
    """No 535 cases have this accuracy, but means over folds of them do."""
    said = "EMO-DB contains 535 utterances. We used 10-fold cross-validation on EMO-DB and 5-fold on RAVDESS."
    paper = tmp_path / "paper.md"
    paper.write_text(f"{said}\n\n| Model | Acc (%) | F1 |\n|---|---|---|\n| A | 91.37 | 0.917 |\n", encoding="utf-8")
    (row,) = sp.audit(paper, jobs=1).rows()
    assert str(row.outcome) == "consistent"


SETS = "| Dataset | {} | {} |\n|---|---|---|\n| CUB | 5,994 | 5,794 |\n| Pets | 3,680 | 3,669 |\n"
ONE_SET = "| Dataset | #Train | #Test |\n|---|---|---|\n| CUB | 5,994 | 5,794 |\n"
BOTH = {"CUB": 5794, "Pets": 3669}


@pytest.mark.parametrize(
    ("table", "sizes"),
    [
        (SETS.format("#Train", "#Test"), BOTH),
        (SETS.format("Train size", "Test size"), BOTH),
        (SETS.format("Train", "Test"), BOTH),
        (SETS.format("Acc", "F1"), {}),
        (ONE_SET, {"CUB": 5794}),
        (ONE_SET.replace("5,994", "99").replace("5,794", "95").replace("#", ""), {}),
        (ONE_SET.replace("Dataset", "Method"), {}),
    ],
)
def test_sizes_of_a_table_of_data_sets(tmp_path: Path, table: str, sizes: dict[str, int]) -> None:
    (tmp_path / "paper.md").write_text(f"# Data\n\nTable 1. Data.\n\n{table}", encoding="utf-8")
    assert dict(size_tables(sp.read_tables(tmp_path / "paper.md"))) == sizes


@pytest.mark.parametrize(("caption", "readings"), [("on PH2", 1), ("on ISIC", 3), ("of all models", 3), ("for CNN", 3)])
def test_a_size_is_of_the_tables_that_do_not_name_other_data(tmp_path: Path, caption: str, readings: int) -> None:
    sentence = TEXT.partition(" PH2")[0].replace("ISIC ", "" if "CNN" in caption else "ISIC ")
    table = f"Table 1. Results {caption}.\n\n| Model | Acc | Sens | Spec |\n|---|---|---|---|\n| A | 0.885 | 0.744 | 0.919 |\n"
    (tmp_path / "paper.md").write_text(f"{sentence}\n\n{table}", encoding="utf-8")
    (row,) = sp.audit(tmp_path / "paper.md", jobs=1, strength=False).rows()
    assert len(row.readings) == readings


def test_images_are_no_objects(tmp_path: Path) -> None:
    """Precision and recall beside the APs of a detector are shares of objects, however many images there are."""
    said = "We used 800 images for training and 200 images for testing."
    table = "| Detector | Precision | Recall | AP50 | AP75 |\n|---|---|---|---|---|\n| A | 0.8437 | 0.7861 | 0.801 | 0.612 |\n"
    (tmp_path / "paper.md").write_text(f"# Data\n\n{said}\n\n{table}", encoding="utf-8")
    assert propose(tmp_path / "paper.md").content["tables"][0]["experiment"] == ["one test set"]
    (tmp_path / "paper.md").write_text(
        f"# Data\n\n{said}\n\n{table.replace('AP50 | AP75', 'F1 | MCC')}", encoding="utf-8"
    )
    assert "200 images of the test set" in propose(tmp_path / "paper.md").content["tables"][0]["experiment"]


SIZED = "The test set has 361 recordings, 90 of them with apnea."


@pytest.mark.parametrize(
    ("more", "readings"),
    [
        ("Signals were filtered.", 3),
        ("Each recording was cut into windows of 10 s.", 1),
        ("Windows of 10 s were taken from all recordings.", 1),
        ("Recordings were split into training and test sets.", 3),
        ("Images were divided into patches.", 3),
    ],
)
def test_the_number_of_recordings_says_nothing_of_their_windows(tmp_path: Path, more: str, readings: int) -> None:
    table = "| Model | Acc | Sens | Spec |\n|---|---|---|---|\n| A | 0.8537 | 0.8117 | 0.8674 |\n"
    (tmp_path / "paper.md").write_text(f"# Data\n\n{SIZED} {more}\n\n{table}", encoding="utf-8")
    (row,) = sp.audit(tmp_path / "paper.md", jobs=1, strength=False).rows()
    assert len(row.readings) == readings
    assert (str(row.outcome) == "consistent") == (readings == 1)


def test_means_over_readers_are_not_suspected(tmp_path: Path) -> None:
    table = "| | Sens | Spec |\n|---|---|---|\n| Radiologists | 0.8133 | 0.8517 |\n| Model | 0.8667 | 0.8819 |\n"
    paper = tmp_path / "paper.md"
    paper.write_text(f"The test set has 361 scans, of which 90 show cancer.\n\n{table}", encoding="utf-8")
    readers, model = sp.audit(paper, jobs=1, strength=False).rows()
    assert (str(readers.outcome), len(readers.readings)) == ("not tested", 1)
    assert (str(model.outcome), len(model.readings)) == ("consistent", 3)


@pytest.mark.parametrize(
    ("more", "readings"),
    [
        ("A threshold was chosen beforehand.", 3),
        ("Models were trained on 16 volunteers and tested on the other 8.", 1),
        ("A test set was drawn at random.", 1),
        ("Data were split at the patient level (70/30).", 1),
        ("A speaker-independent 80/20 split was used.", 1),
        ("We used leave-one-out cross-validation for training and testing.", 3),
    ],
)
def test_all_cases_are_no_test_set_where_some_are_for_training(tmp_path: Path, more: str, readings: int) -> None:
    table = "| Model | Acc | Sens | Spec |\n|---|---|---|---|\n| A | 0.9561 | 0.8175 | 0.9750 |\n"
    text = f"# Data\n\nThe dataset has 3,420 windows, 410 of them falls. {more}\n\n{table}"
    (tmp_path / "paper.md").write_text(text, encoding="utf-8")
    (row,) = sp.audit(tmp_path / "paper.md", jobs=1, strength=False).rows()
    assert len(row.readings) == readings
