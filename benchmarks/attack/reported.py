"""What ``check`` is told of experiments other than folds: reports, matrices, classes, errors, rankings, detections, means."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from benchmarks.attack.attack import Attack, command

_HEAD = "              precision    recall  f1-score   support\n\n"
_LONG = "9" * 5000


def _report(classes: int, support: str = "10") -> str:
    rows = "".join(f"{f'class{k}':>12}       0.91      0.90      0.92        {support}\n" for k in range(classes))
    return f"{_HEAD}{rows}\n    accuracy                           0.93        {support}\n"


_REPORTS: dict[str, Callable[[], str]] = {
    "empty": lambda: "",
    "no report": lambda: "hello\n" * 100_000,
    "100 classes": lambda: _report(100),
    "3,000 classes": lambda: _report(3_000),
    "50,000 classes": lambda: _report(50_000),
    "supports of 5,000 digits": lambda: _report(3, _LONG),
    "supports of 18 digits": lambda: _report(3, "9" * 18),
    "8 classes of 10^9": lambda: _report(8, "1000000000"),
    "negative supports": lambda: _report(3, "-10"),
    "values of 5,000 digits": lambda: _report(3).replace("0.91", f"0.{_LONG}"),
    "exponents": lambda: _report(3).replace("0.91", "1e999999999"),
    "signs": lambda: _report(3).replace("0.91", "±" * 1_000),
    "a name of 1 MB": lambda: _report(3).replace("class1", "x" * 1_000_000),
    "a name of blanks and numbers": lambda: _report(3).replace("class1", "0.9 " * 100_000),
    "escapes": lambda: _report(3).replace("class1", "\x1b[31m\x1b]0;x\x07"),
    "one name": lambda: _report(200).replace("class", "x" * 0).replace("x", ""),
    "a head of blanks": lambda: "precision" + " " * 500_000 + "recall f1-score support\n" + "0.9 " * 4,
    "10,000 heads": lambda: _HEAD * 10_000,
    "averages again and again": lambda: _report(3) + "   macro avg       0.91      0.90      0.92        30\n" * 50_000,
    "newlines": lambda: _HEAD + "\n" * 2_000_000 + "a 0.9 0.9 0.9 10\n",
    "masks": lambda: _report(30).replace("0.9", "?."),
    "zero bytes": lambda: "\x00" * 100_000 + _report(3),
}


def _from_file(name: str, text: Callable[[], str]) -> Attack:
    def make(folder: Path) -> list[str]:
        (folder / "report.txt").write_text(text(), encoding="utf-8")
        return command("check", "--report", "report.txt", "--budget", "5")

    return Attack("reported", f"report: {name}", make)


def _line(*arguments: str) -> Attack:
    shown = " ".join(text if len(text) < 40 else f"{text[:20]}... ({len(text):,})" for text in arguments)
    return Attack("reported", f"check {shown}", lambda folder: command("check", *arguments, "--budget", "5"))


def _square(size: int, cell: str = "1") -> str:
    return "; ".join([" ".join([cell] * size)] * size)


_MATRICES = (
    "", ";", ";;;", "1", "1 2", "1 2; 3", "a b; c d", "-1 2; 3 4", "1.5 2; 3 4", "1e9 1; 1 1", _square(200), _square(240, "9"),
    f"{_LONG} 1; 1 1", _square(2, "9" * 18), _square(30, "9" * 30), " " * 100_000, "[" * 50_000, "1 " * 60_000, "1;" * 60_000,
    "1±1 2; 3 4", "50% 50%; 50% 50%", _square(60, "1.7%"), "\x1b[31m 1; 2 3", "nan inf; 1 2", "0 0; 0 0", "1,2;3,4", "\udc80 1; 1 1",
)  # fmt: skip
_CLASSES = (
    "", ",", "1", "0,0", "-1,5", "a=1,a=2", "=,=", "1e9,1e9", f"{_LONG},1", ",".join(["1"] * 60_000), ",".join(["1000000000"] * 12),
    ",".join(["9" * 18] * 3), ",".join(f"c{k}={k + 1}" for k in range(2_000)), "a=" * 30_000, "\x1b[31m=5,b=6", "\udc80=5,b=6", "3",
    "1000000000", "1,2,3;4,5,6",
)  # fmt: skip
_VALUES = ("acc=0.91", "macro f1=0.89", "kappa=0.81")
_SETTINGS = ("0", "1", "-1", "1000000000", "9" * 18, _LONG, "x", "", "1e9", "unknown", "\udc80")
_RULED = ("rmse=0.5", "mae=0.4", "r2=0.9", "mse=0.25")
ATTACKS = [
    *(_from_file(name, text) for name, text in _REPORTS.items()),
    *(Attack("reported", f"report: {file}", lambda folder, file=file: command("check", "--report", file))  # type: ignore[misc]
      for file in ("/dev/zero", "/", "nothing.txt", "-")),
    *(_line("--matrix", text, *_VALUES) for text in _MATRICES),
    *(_line("--classes", text, *_VALUES) for text in _CLASSES),
    *(_line("--labels", text, "micro f1=0.91", "macro f1=0.89") for text in _CLASSES),
    _line("--classes", "50,70,30", "sens=" + ",".join(["0.9"] * 20_000)),
    _line("--classes", "50,70,30", f"sens=0.{_LONG},0.9,0.8"),
    _line("--classes", "50,70,30", "sens=" + "," * 100_000),
    _line("--classes", "50,70,30", "sens=" + "[" * 50_000),
    _line("--classes", "3", "--total", "1000000000", "acc=0.91", "macro f1=0.89"),
    _line("--classes", "100", "--total", "1000", "acc=0.91", "macro f1=0.89"),
    _line("--classes", "1000000000", "--total", "1000000000", "acc=0.91"),
    _line("--classes", "50,70,30", *_VALUES, "--macro-f1", "x" * 50_000),
    *(_line("--regression", text, *_RULED) for text in _SETTINGS),
    *(_line("--regression", "50", f"{name}={value}") for name in ("rmse", "mae", "r2", "mse", "mape", "corr")
      for value in (f"0.{_LONG}", "-1", "1e99", "0.9 ± 0.1", "nan", "1" * 90)),
    *(_line("--detection", text, "map=0.5", "ap50=0.7", "f1=0.6") for text in _SETTINGS),
    *(_line("--queries", text, "mrr=0.5", "hits@1=0.3", "hits@10=0.7") for text in _SETTINGS),
    *(_line("--queries", "100", f"hits@{k}=0.3", "mrr=0.5") for k in ("0", "-1", "1000000000", "9" * 90, _LONG, "x", "1e9")),
    *(_line("--average", "--parts", text, "f1=0.5", "ppv=0.9", "sens=0.4") for text in _SETTINGS),
    _line("--average", *(f"f{k}=0.5" for k in range(2, 400))),
    *(_line("--total", text, "acc=0.9123", "f1=0.8", "mcc=0.7") for text in _SETTINGS),
    _line("--p", "50", "--n", "60", "auc=0.9", "sens=0.8", *(word for k in range(300) for word in ("--points", f"sens=0.{k},spec=0.5"))),
    _line("--p", "50", "--n", "60", "auc=0.9", "--points", "sens=" * 20_000),
    _line("--p", "50", "--n", "60", "auc=0.9", "--points", f"sens=0.{_LONG}"),
    _line("--p", "9" * 60, "--n", "9" * 60, "auc=0.9", "sens=0.8", "spec=0.9", "ap=0.7"),
    _line("--p", "1000000", "--n", "1000000", "auc=0.987654321", "sens=0.8", "--no-ties"),
    _line("--p", "50", "--n", "60", *(f"acc{k}=0.9" for k in range(3_000))),
    _line("--p", "50", "--n", "60", *(f"f{k}=0.9" for k in range(2, 1_500))),
    _line("--p", "50", "--n", "60", "=", "==", "acc", "acc="),
    _line("--p", "50", "--n", "60", "acc=0.9", "--explain", *(word for k in range(2_000) for word in ("--oversampled", str(k)))),
    _line("--p", "50", "--n", "60", "acc=0.99999", "sens=0.1", "--explain", "--hypothesis", "/dev/zero"),
]  # fmt: skip
