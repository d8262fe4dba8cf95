"""True classification reports of scikit-learn in the forms in which people keep and publish them."""

from __future__ import annotations

import json
import warnings
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from sklearn.metrics import classification_report

NAMES = {
    3: ["Normal", "Mild AD", "Severe AD"],
    4: ["class 1", "class 2", "class 10", "class 3"],
    5: ["T-shirt/top", "Ankle boot", "B-PER", "2nd hand", "Z 9"],
    6: ["0", "1", "2", "3", "4", "5"],
    7: ["0.0", "1.0", "2.0", "-1.0", "été", "ночь", "a very long name of a class with 12 words"],
}


class Shape(NamedTuple):
    """A report: its name and the ending of its file, its text, how many classes it has, whether it is printed text."""

    name: str
    text: str
    classes: int
    printed: bool = True


def answers(seed: int, k: int, total: int, right: float = 0.8) -> tuple[Any, Any]:
    """True and given classes, every class there."""
    rng = np.random.default_rng(seed)
    truth = rng.choice(k, size=total, p=rng.dirichlet(np.full(k, 3.0)))
    truth[:k] = range(k)
    return truth, np.where(rng.random(total) < right, truth, rng.integers(0, k, total))


def printed(truth: Any, given: Any, **how: Any) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return classification_report(truth, given, **how)


def shapes() -> list[Shape]:
    """All of them."""
    return [*_texts(), *_undefined(), *_without_accuracy(), *_wrapped(), *_dictionaries(), *_published()]


def _texts() -> Iterator[Shape]:
    for digits in (2, 3, 4):
        for k, names in NAMES.items():
            text = printed(*answers(10 * digits + k, k, 60 * k), target_names=names, digits=digits)
            yield Shape(f"{k} classes to {digits} digits.txt", text, k)
    truth, given = answers(1, 4, 200)
    yield Shape("whole labels.txt", printed(truth - 1, given - 1), 4)
    yield Shape("labels with a point.txt", printed(truth.astype(float), given.astype(float), digits=5), 4)
    yield Shape("perfect.txt", printed(truth, truth), 4)
    yield Shape("two classes.txt", printed(*answers(2, 2, 90), target_names=["benign", "malignant"]), 2)
    yield Shape("thirty classes.txt", printed(*answers(3, 30, 3000), digits=4), 30)
    yield Shape("a hundred classes.txt", printed(*answers(4, 100, 8000)), 100)


def _undefined() -> Iterator[Shape]:
    truth, given = answers(5, 5, 150)
    for filled in (0, 1, np.nan):
        missing = printed(np.where(truth == 3, 2, truth), given, zero_division=filled, labels=range(5))
        yield Shape(f"no support, {filled}.txt", missing, 5)
        never = printed(truth, np.where(given == 3, 2, given), zero_division=filled, digits=3)
        yield Shape(f"never given, {filled}.txt", never, 5)


def _without_accuracy() -> Iterator[Shape]:
    truth, given = answers(6, 6, 400)
    yield Shape("some labels.txt", printed(truth, given, labels=[1, 2, 4]), 3)
    named = printed(truth, given, labels=[1, 2, 4], target_names=["LOC", "MISC 2", "PER"], digits=4)
    yield Shape("entities.txt", named, 3)
    yield Shape("a label too many.txt", printed(truth, given, labels=range(7), zero_division=0), 7)
    rng = np.random.default_rng(7)
    true = (rng.random((200, 5)) < 0.3).astype(int)
    said = np.where(rng.random(true.shape) < 0.85, true, 1 - true)
    for filled in (0, 1):
        yield Shape(f"labels, {filled}.txt", printed(true, said, zero_division=filled), 5)
    names = ["joy", "very sad", "anger 1", "fear", "love"]
    yield Shape("named labels.txt", printed(true, said, target_names=names, digits=3, zero_division=0), 5)
    lines = printed(*answers(8, 4, 180)).splitlines()
    accuracy, cases = lines[-3].split()[1:]
    by_support = "".join(f"{value:>10}" for value in lines[-1].split()[2:])
    yield Shape("before 0.20.txt", "\n".join([*lines[:6], "", f"avg / total  {by_support}"]), 4)
    micro = f"   micro avg {accuracy:>10}{accuracy:>10}{accuracy:>10}{cases:>10}"
    yield Shape("of 0.20.txt", "\n".join([*lines[:-3], micro, *lines[-2:]]), 4)


def _wrapped() -> Iterator[Shape]:
    text = printed(*answers(9, 5, 300), target_names=["angry", "happy", "neutral", "sad", "surprised"], digits=4)
    lines = text.splitlines()
    before = "10/10 [==========] - 0s 9ms/step - loss: 0.31 - accuracy: 0.8967\nClassification Report:\n"
    yield Shape("after Keras.txt", f"{before}{text}\nConfusion Matrix:\n[[50  1]\n [ 2 40]]\n", 5)
    yield Shape("after a loss.txt", f"Test loss: 0.4312 | Test acc: 0.81\n{text}\n", 5)
    yield Shape("quoted.txt", "\n".join(f"> {line}" for line in lines), 5)
    yield Shape("commented.txt", "\n".join(f"# {line}" for line in lines), 5)
    yield Shape("logged.txt", "2024-05-01 10:00:01,123 - INFO - " + text, 5)
    yield Shape("of a notebook.txt", f"Out[12]:\n{text}", 5)
    yield Shape("in code.md", f"# Results\n\nOn the test set:\n\n```\n{text}```\n\nIt works.\n", 5)
    kept = [line for line in lines if line.strip() and "accuracy" not in line]
    yield Shape("tabs.txt", "\n".join("\t".join(line.split()) for line in kept), 5)
    yield Shape("masked.txt", text.replace("0.8", "?.?", 1), 5)


def _dictionaries() -> Iterator[Shape]:
    report = printed(*answers(10, 4, 250), target_names=["cat", "dog", "cow", "pig 2"], output_dict=True)
    yield Shape("dictionary.json", json.dumps(report), 4)
    yield Shape("dictionary in lines.json", json.dumps(report, indent=2), 4)
    yield Shape("dictionary as shown.txt", repr(report), 4)
    of_numpy = {name: _as_numpy(value) for name, value in report.items()}
    yield Shape("dictionary of numpy.txt", str(of_numpy).replace("'np.", "np.").replace(")'", ")"), 4)
    frame = pd.DataFrame(report)
    yield Shape("frame.csv", frame.to_csv(), 4, False)
    yield Shape("turned.csv", frame.T.to_csv(), 4, False)
    yield Shape("rounded.csv", frame.T.round(3).to_csv(), 4, False)
    yield Shape("frame.txt", frame.T.to_string(), 4)
    yield Shape("wide.txt", frame.round(3).to_string(), 4, False)


def _as_numpy(value: Any) -> Any:
    return {name: f"np.float64({own})" for name, own in value.items()} if isinstance(value, dict) else value


def _published() -> Iterator[Shape]:
    """Tables that were typed from a report: other columns, per cent, other files."""
    names = NAMES[3]
    report = printed(*answers(11, 3, 240), target_names=names, output_dict=True)
    total = int(report["macro avg"]["support"])
    columns = ("precision", "recall", "f1-score")

    def table(digits: int, order: tuple[int, ...], percent: bool = False) -> list[list[str]]:
        def told(value: float) -> str:
            return f"{100 * value:.{digits - 2}f}" if percent else f"{value:.{digits}f}"

        heads = ["Precision", "Recall", "F1-score", "Support"]
        rows = [["Class", *(heads[at] + (" (%)" if percent and at < 3 else "") for at in order)]]
        for label in (*names, "accuracy", "macro avg", "weighted avg"):
            own = report[label]
            if isinstance(own, dict):
                cells = [*(told(own[column]) for column in columns), str(int(own["support"]))]
            else:
                cells = ["", "", told(own), str(total)]
            rows.append([label.capitalize() if label not in names else label, *(cells[at] for at in order)])
        return rows

    usual, other = (0, 1, 2, 3), (3, 2, 1, 0)
    for name, rows in {
        "usual": table(4, usual),
        "other columns": table(3, other),
        "per cent": table(4, usual, percent=True),
    }.items():
        yield Shape(f"{name}.csv", _joined(rows, ","), 3, False)
        yield Shape(f"{name}.md", _joined([rows[0], ["---"] * 5, *rows[1:]], " | ", "| ", " |"), 3, False)
        body = _joined(rows, " & ", "", r" \\").replace("%", r"\%")
        yield Shape(f"{name}.tex", f"\\begin{{tabular}}{{lcccc}}\n{body}\n\\end{{tabular}}\n", 3, False)
        cells = _joined(rows, "</td><td>", "<tr><td>", "</td></tr>")
        yield Shape(f"{name}.html", f"<table>{cells}</table>", 3, False)
    commas = [[cell.replace(".", ",") for cell in row] for row in table(3, usual)]
    yield Shape("decimal commas.csv", _joined(commas, ";"), 3, False)


def _joined(rows: list[list[str]], between: str, before: str = "", after: str = "") -> str:
    return "\n".join(before + between.join(row) + after for row in rows)
