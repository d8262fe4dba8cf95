"""Twenty-one papers made for the tests, each with the outcomes its rows should have, and how they are written in each format.

The prose has what real prose has: numbers of other people's data, of training and augmented cases, years, ages, sizes of
images. ``python tests/outside/made_papers.py`` prints the PDF files of ``tests/data/papers`` again (needs pdflatex).
"""

from __future__ import annotations

import html
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

import docx

DATA = Path(__file__).parents[1] / "data" / "papers"
FORMATS = ("tex", "pdf", "docx", "html")
# Some rows are wrong and no question: too few others bear out what they contradict (test_what_tables_bear_out.py).
C, Q, N = "consistent", "question", "not tested"
INTRODUCTION = (
    "Deep learning has changed how such data are read since 2012. Smith et al. reported an accuracy of 0.97 on 10,015 "
    "images, and previous studies used as few as 120 patients. We drive this work further with a network of 24 layers "
    "that takes inputs of 224 x 224 pixels. The median age was 54 years."
)
FILLER = (
    "All models were trained with the Adam optimizer for 50 epochs with a batch size of 32 and a learning rate of 0.001. "
    "Training took about 3 hours on one GPU. The loss was the cross entropy, and the weights with the smallest loss were "
    "kept. We repeat that differences of 0.2 or 0.3 points are within the noise of such an experiment."
)


@dataclass(frozen=True)
class PaperTable:
    """A caption, the grid with its header, and the outcomes of its rows."""

    caption: str
    grid: tuple[tuple[str, ...], ...]
    outcomes: tuple[str, ...]


@dataclass(frozen=True)
class MadePaper:
    """A paper: what its section on data says, and its tables."""

    name: str
    data: str
    tables: tuple[PaperTable, ...]
    columns: int = 2
    between: int = 0  # paragraphs of prose before each table


def _table(caption: str, head: str, *rows: str) -> PaperTable:
    """Rows are "outcome: label value value"."""
    grid, outcomes = [tuple(head.split())], []
    for row in rows:
        outcome, _, cells = row.partition(": ")
        grid.append(tuple(cell.replace("_", " ") for cell in cells.split()))
        outcomes.append(outcome)
    return PaperTable(caption, tuple(grid), tuple(outcomes))


PAPERS = (
    MadePaper(
        "lesions",
        "The training set has 2,000 images. The test set contains 379 images, of which 75 are melanomas. To balance the "
        "classes the training images were augmented to 8,000 images.",
        (
            _table(
                "Results on the test set in percent.",
                "Method Accuracy Sensitivity Specificity",
                f"{C}: ResNet 86.5 70.7 90.5",
                f"{Q}: DenseNet 88.9 72.0 91.4",
                f"{C}: Ours 90.0 78.7 92.8",
            ),
        ),
    ),
    MadePaper(
        "preterm",
        "The public database has 38 preterm and 262 term records. Performance was estimated by stratified five-fold "
        "cross-validation, and the scores were averaged over the folds.",
        (
            _table(
                "Mean scores over the folds.",
                "Method Acc Sens Spec",
                f"{C}: SVM 0.8767 0.5000 0.9313",
                f"{Q}: Forest 0.9447 0.9139 0.9733",
            ),
        ),
    ),
    MadePaper(
        "radiographs",
        "We collected 9,231 radiographs. Of these, 8,088 images were used for training and 1,143 for testing. All values "
        "are rounded to four decimals.",
        (_table("Accuracy and error.", "Model Accuracy Recall", f"{C}: A 0.9134 0.8123", f"{C}: B 0.9011 0.7500"),),
        columns=1,
    ),
    MadePaper(
        "split",
        "The corpus has 5,000 tweets. The data were split 80/20 into training and test sets.",
        (
            _table(
                "Results of all classifiers.",
                "Classifier Accuracy Precision Recall F1",
                f"{C}: Bayes 0.8120 0.7851 0.7886 0.7868",
                f"{Q}: Forest 0.8735 0.8700 0.8613 0.8656",
            ),
        ),
    ),
    MadePaper(
        "counted",
        "Patients of three hospitals were included between 2015 and 2018, and each hospital was a test set of its own.",
        (
            _table(
                "Each hospital with its positive and negative cases.",
                "Hospital P N Acc Sens Spec",
                f"{C}: North 40 60 0.850 0.800 0.883",
                f"{Q}: South 40 60 0.937 0.951 0.902",
                f"{C}: West 25 75 0.900 0.840 0.920",
            ),
        ),
        columns=1,
    ),
    MadePaper(
        "macro",
        "Images of seven kinds of fruit were taken in the field.",
        (
            _table(
                "Averages over the classes.",
                "Model Precision Recall F1",
                f"{C}: A 0.912 0.905 0.907",
                f"{Q}: B 0.900 0.900 0.500",
            ),
        ),
    ),
    MadePaper(
        "vessels",
        "All methods were evaluated on the test images of the DRIVE dataset, whose vessels were drawn by hand.",
        (
            _table(
                "Segmentation of vessels.",
                "Method Acc Sens Spec",
                f"{C}: A 0.9494 0.7341 0.9807",
                f"{Q}: C 0.9612 0.7988 0.9561",
            ),
        ),
    ),
    MadePaper(
        "silent",
        "The data of earlier work were used as they are. Previous studies had 300 images, and augmentation gave 12,000 "
        "images. Each image was read by two experts, and 15 images were excluded.",
        (
            _table(
                "Comparison with the state of the art.",
                "Method Acc Sens Spec",
                f"{C}: One 0.9133 0.8800 0.9300",
                f"{C}: Two 0.9300 0.9100 0.9400",
            ),
        ),
    ),
    MadePaper(
        "captions",
        "Two cohorts were used.",
        (
            _table(
                "Results on 200 test images of the first cohort.",
                "Method Accuracy Recall",
                f"{C}: A 0.910 0.875",
                f"{Q}: B 0.912 0.875",
            ),
            _table(
                "Results on 96 test images of the second cohort.",
                "Method Accuracy Recall",
                f"{C}: A 0.917 0.875",
                f"{Q}: B 0.912 0.875",
            ),
        ),
        columns=1,
    ),
    MadePaper(
        "sepsis",
        "We studied 80 patients, 45 with sepsis and 35 without. Leave-one-out cross-validation was used, and the "
        "predictions of all folds were pooled.",
        (
            _table(
                "Prediction of sepsis.",
                "Model Accuracy Sensitivity Specificity PPV",
                f"{C}: LR 0.850 0.889 0.800 0.851",
                f"{Q}: RF 0.865 0.911 0.800 0.854",
            ),
        ),
    ),
    MadePaper(
        "mortality",
        "The model was trained on 3,809 patients. The external validation cohort had 412 patients, of whom 96 died.",
        (
            _table(
                "External validation in percent.",
                "Model Accuracy Sensitivity Specificity",
                f"{C}: Score 79.1 65.6 83.2",
                f"{Q}: Network 85.0 70.8 87.3",
            ),
        ),
    ),
    MadePaper(
        "masses",
        "The masses were benign (n = 357) or malignant (n = 212). We used stratified 10-fold cross-validation.",
        (
            _table(
                "Mean and standard deviation over the folds.",
                "Model Accuracy Sensitivity Specificity",
                f"{C}: SVM 0.961_±_0.020 0.943_±_0.041 0.972_±_0.025",
                f"{Q}: Tree 0.961_±_0.020 0.843_±_0.041 0.922_±_0.025",
            ),
        ),
    ),
    MadePaper(
        "crops",
        "The test set contains 120 wheat, 90 maize and 60 barley images. All others were used for training.",
        (
            _table(
                "Averages over the three classes.",
                "Model Accuracy Macro-Precision Macro-Recall Macro-F1",
                f"{C}: CNN 0.8815 0.8717 0.8778 0.8745",
                f"{C}: ViT 0.9222 0.9158 0.9204 0.9180",
                f"{Q}: MLP 0.9120 0.9001 0.9034 0.9017",
            ),
        ),
    ),
    MadePaper(
        "houses",
        "Prices of 102 houses in the city and of 60 houses in the country were predicted.",
        (
            _table(
                "Houses in the city.",
                "Model RMSE MAE R2",
                f"{C}: Linear 18.64 14.43 0.889",
                f"{Q}: Forest 12.10 13.95 0.921",
            ),
            _table("Houses in the country.", "Model RMSE MAE R2", f"{C}: Linear 25.23 20.02 0.800"),
        ),
        columns=1,
    ),
    MadePaper(
        "organs",
        "The organs of 40 patients were drawn by hand. Dice and Jaccard index were averaged over the test scans.",
        (
            _table(
                "Mean overlap.",
                "Network Dice IoU",
                f"{C}: UNet 0.816 0.694",
                f"{C}: Ours 0.879 0.786",
                f"{Q}: Older 0.850 0.700",
            ),
        ),
    ),
    MadePaper(
        "boats",
        "The test set contains 150 boats in 60 images. A boat counts as found if the boxes overlap by half.",
        (
            _table(
                "Detection of boats in percent.",
                "Detector AP AP50 AP75 Recall",
                f"{C}: YOLO 41.2 63.5 44.0 71.3",
                f"{Q}: Ours 46.0 45.1 44.2 73.3",
                f"{C}: DETR 43.0 66.1 46.2 73.0",
            ),
        ),
    ),
    MadePaper(
        "hospitals",
        "The validation set has 150 patients, 60 with sepsis and 90 without. The external test set has 200 patients, 50 with "
        "sepsis and 150 without.",
        (
            _table(
                "Results on the validation set.",
                "Model Accuracy Sensitivity Specificity",
                f"{C}: LR 0.860 0.800 0.900",
                f"{Q}: RF 0.830 0.740 0.860",
            ),
            _table(
                "Results on the external test set.",
                "Model Accuracy Sensitivity Specificity",
                f"{C}: LR 0.830 0.740 0.860",
                f"{Q}: RF 0.860 0.800 0.900",
            ),
        ),
        columns=1,
    ),
    MadePaper(
        "perfold",
        "The database has 38 preterm and 262 term records. We used stratified five-fold cross-validation.",
        (
            _table(
                "Scores of all folds.",
                "Fold Accuracy Sensitivity Specificity",
                f"{C}: 1 0.9167 0.7500 0.9423",
                f"{C}: 2 0.9167 0.6250 0.9615",
                f"{Q}: 3 0.9167 0.8750 0.9523",
                f"{C}: 4 0.9167 0.5714 0.9623",
                f"{C}: 5 0.9500 0.7143 0.9811",
                f"{C}: Mean 0.9233 0.7071 0.9599",
            ),
        ),
    ),
    MadePaper(
        "commas",
        "From 2014 to 2016 a total of 2,379 images were taken. The test set contains 379 images (75 melanomas and 304 nevi).",
        (
            _table(
                "Results in percent.",
                "Method Accuracy Sensitivity Specificity",
                f"{C}: ResNet 86,5 70,7 90,5",
                f"{Q}: DenseNet 88,9 72,0 91,4",
                f"{C}: Ours 90,0 78,7 92,8",
            ),
        ),
    ),
    MadePaper(
        "search",
        "We use 50 queries, each of which has one relevant document among 10,000 documents.",
        (
            _table(
                "Retrieval.",
                "System Hits@1 Hits@5 Hits@10 MRR",
                f"{C}: BM25 0.280 0.900 0.980 0.521",
                f"{C}: Dense 0.420 0.940 1.000 0.610",
                f"{C}: Both 0.435 0.940 1.000 0.620",
            ),
        ),
    ),
    MadePaper(
        "fruit",
        "Fruit of seven kinds was photographed. The model was trained on 2,000 images and tested on 400 images.",
        (
            _table(
                "Macro averages.",
                "Model Accuracy Macro-Precision Macro-Recall Macro-F1",
                f"{C}: A 0.8475 0.8286 0.8355 0.8306",
                f"{Q}: C 0.8475 0.8286 0.8355 0.5306",
                f"{C}: B 0.8512 0.8401 0.8422 0.8410",
            ),
        ),
    ),
)


def _many_tables(count: int) -> MadePaper:
    """A long paper of tables on one test set, every row of which is possible."""
    tables = []
    for number in range(count):
        rows = []
        for method in range(6):
            tp, tn = 40 + (7 * number + 5 * method) % 35, 200 + (11 * number + 13 * method) % 100
            cells = (
                f"{(tp + tn) / 379:.3f}",
                f"{tp / 75:.3f}",
                f"{tn / 304:.3f}",
                f"{2 * tp / (75 + tp + 304 - tn):.3f}",
            )
            rows.append(f"{C}: M{method} {' '.join(cells)}")
        tables.append(_table(f"Results of experiment {number}.", "Method Acc Sens Spec F1", *rows))
    return MadePaper("thirteen", PAPERS[0].data, tuple(tables), between=4)


LONG = _many_tables(13)


def written(paper: MadePaper, kind: str, folder: Path) -> Path:
    """The paper as a file of one format; PDF files are those that are kept."""
    if kind == "pdf":
        return DATA / f"{paper.name}.pdf"
    file = folder / f"{paper.name}.{kind}"
    if kind == "docx":
        _word(paper).save(str(file))
    else:
        file.write_text({"tex": _latex, "html": _html}[kind](paper), encoding="utf-8")
    return file


def _sections(paper: MadePaper) -> tuple[tuple[str, str], ...]:
    return (
        ("Introduction", INTRODUCTION),
        ("Data", paper.data),
        ("Training", FILLER),
        ("Results", "The results follow."),
    )


def _latex(paper: MadePaper) -> str:
    def plain(text: str) -> str:
        return text.replace("%", r"\%").replace("±", r"$\pm$")

    wide = "[twocolumn]" if paper.columns == 2 else ""
    lines = [rf"\documentclass{wide}{{article}}", r"\usepackage{booktabs}", r"\begin{document}"]
    for heading, text in _sections(paper):
        lines += [rf"\section{{{heading}}}", plain(text), ""]
    for table in paper.tables:
        head, *rows = [" & ".join(map(plain, row)) + r" \\" for row in table.grid]
        columns = "l" + "c" * (len(table.grid[0]) - 1)
        lines += [FILLER, ""] * paper.between
        lines += [r"\begin{table}[htb]", r"\centering", rf"\caption{{{plain(table.caption)}}}"]
        lines += [rf"\begin{{tabular}}{{{columns}}}", r"\toprule", head, r"\midrule", *rows, r"\bottomrule"]
        lines += [r"\end{tabular}", r"\end{table}", ""]
    return "\n".join([*lines, r"\section{Discussion}", FILLER, r"\end{document}", ""])


def _html(paper: MadePaper) -> str:
    parts = [f"<h2>{heading}</h2><p>{html.escape(text)}</p>" for heading, text in _sections(paper)]
    for number, table in enumerate(paper.tables, 1):
        head, *rows = ["".join(f"<td>{html.escape(cell)}</td>" for cell in row) for row in table.grid]
        body = "".join(f"<tr>{row}</tr>" for row in rows)
        caption = f"<caption>Table {number}. {html.escape(table.caption)}</caption>"
        parts.append(
            f"<table>{caption}<thead><tr>{head.replace('td>', 'th>')}</tr></thead><tbody>{body}</tbody></table>"
        )
    return f"<!doctype html><html><head><title>{paper.name}</title></head><body>{''.join(parts)}</body></html>\n"


def _word(paper: MadePaper) -> docx.document.Document:
    document = docx.Document()
    for heading, text in _sections(paper):
        document.add_heading(heading, 1)
        document.add_paragraph(text)
    for number, table in enumerate(paper.tables, 1):
        document.add_paragraph(f"Table {number}. {table.caption}", style="Caption")
        grid = document.add_table(len(table.grid), len(table.grid[0]))
        for row, cells in zip(grid.rows, table.grid, strict=True):
            for cell, text in zip(row.cells, cells, strict=True):
                cell.text = text
        document.add_paragraph("")
    return document


def print_all() -> None:
    """Set every paper with pdflatex."""
    DATA.mkdir(exist_ok=True)
    for paper in (*PAPERS, LONG):
        with tempfile.TemporaryDirectory() as folder:
            source = Path(folder) / f"{paper.name}.tex"
            source.write_text(_latex(paper), encoding="utf-8")
            for _ in range(2):
                command = ["pdflatex", "-interaction=nonstopmode", source.name]
                subprocess.run(command, cwd=folder, capture_output=True, check=True)
            shutil.copy(source.with_suffix(".pdf"), DATA / f"{paper.name}.pdf")


if __name__ == "__main__":
    print_all()
