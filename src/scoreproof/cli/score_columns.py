"""The columns of a file of scores: what they are for, and what every such file is read into.

Roles are told by the names people give columns and by what these hold: a seed, a fold, a number of the row, the truth,
a running time or the state of a run is not a model, however numeric it is. Files of experiment trackers, logs of
training and tables of survival are told by their headers.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib.resources import files
from typing import Any

import numpy as np
import numpy.typing as npt

from scoreproof.csv_reader.columns import Columns, whole_numbers
from scoreproof.errors import InvalidOption, InvalidValue, ScoreproofError
from scoreproof.quantities.measures import direction

_DATA = tomllib.loads(files("scoreproof.cli").joinpath("score_words.toml").read_text(encoding="utf-8"))


def _names(text: str) -> list[str]:
    return " ".join(text.split("\n")).split(", ")


QUESTIONS: dict[str, str] = _DATA["questions"]
_NAMES = {role: _names(names) for role, names in _DATA["roles"].items()}
_ROLES = {name: role for role, names in _NAMES.items() for name in names}
WORDS = {part: frozenset(_names(names)) for part, names in _DATA["words"].items()}
_ROW_WORDS = (
    ("fold", re.compile(r"(rep\w*[ _.-]?\d+\W)?(cv|fold|split|kfold)[ _-]?\d+(\W?(rep\w*|run)[ _.-]?\d+)?", re.I)),
    ("repeat", re.compile(r"(run|seed|rep|repeat|trial|iter|iteration)[ _-]?\d+", re.I)),
    ("case", re.compile(r".*\.(png|jpe?g|tiff?|dcm|nii(\.gz)?|bmp|npy|wav|txt)$", re.I)),
    ("case", re.compile(r"(case|im(a)?g(e)?|patient|subj(ect)?|pat|sample|scan|vol(ume)?|doc|q|query)[ _-]?\d+", re.I)),
)


def plain_name(name: str) -> str:
    """A header in lower case, with single blanks for underscores and the like.

    >>> plain_name("Data_Set"), plain_name("Unnamed: 0"), plain_name("params.model")
    ('data set', '', 'model')
    """
    bare = re.sub(
        r"^((params?|parameters|hparams|config|tags|sys|metrics?|summary)[./]|key_)", "", name.strip().lower()
    )
    word = " ".join(re.sub(r"[_\-.]+", " ", bare).split())
    return "" if re.fullmatch(r"unnamed:? ?\d*", word) else word


def role(name: str) -> str | None:
    """What a header says its column is for; None for what may be a model.

    >>> role("Seed"), role("cv_fold"), role("Patient ID"), role("ResNet-50")
    ('repeat', 'fold', 'cluster', None)
    """
    word = plain_name(name)
    known = None if name.strip() == "LR" else _ROLES.get(word)  # logistic regression, not the learning rate
    if known is None:
        known = _ROLES.get(re.sub(r"( ?(id|no|nr|number|name|index|idx)|s)$", "", word)) if word else None
        known = known if known in ("cluster", "case", "data set", "model", "repeat", "fold") else None
    return known


def beside(names: Sequence[str]) -> set[str]:
    """What is measured beside models: sizes, times, and the limits, ranks or residuals of another column.

    >>> sorted(beside(["RF", "RF_lower", "rank_RF", "RF_tuned", "year"]))
    ['RF_lower', 'rank_RF', 'year']
    """
    plain = {plain_name(name) for name in names}

    def measures(words: list[str]) -> bool:
        parts = [(" ".join(words[:i]), " ".join(words[i:])) for i in range(1, len(words))]
        return any(what in plain and role(how) == "other" for pair in parts for what, how in (pair, pair[::-1]))

    return {name for name in names if role(name) == "other" or measures(plain_name(name).split())}


def nesting(name: str) -> int:
    """How far out a column of clusters stands: patients have sessions, not the other way round."""
    word = re.sub(r"( ?(id|no|nr|number|name|index|idx)|s)$", "", plain_name(name))
    known = _NAMES["cluster"]
    return known.index(word) if word in known else len(known)


def names_a_metric(name: str) -> bool:
    """Whether a header is that of a metric rather than of a model.

    >>> [names_a_metric(name) for name in ("Top-1 Acc", "F1", "macro_f1", "SVM", "A", "RMSE (°C)", "Runtime")]
    [True, True, True, False, False, True, True]
    """
    from scoreproof.statistics.recommend import metric_name

    word = plain_name(re.sub(r"\s*[(\[][^)\]]*[)\]]\s*$", "", name))  # without its unit
    if set(re.split(r"[ @/]", word)) & WORDS["metric_words"]:
        return True
    if len(word) < 2:
        return False
    try:
        metric_name(word)
    except ScoreproofError:
        return False
    return True


def of_one_model(name: str) -> bool:
    """Whether a column of predictions has a name that says of which kind, but not of which model, they are."""
    return plain_name(name) in WORDS["one_model"]


def counts_rows(table: Columns, name: str) -> bool:
    """Whether a column just counts: 0, 1, 2, ... or 1, 2, 3, ..., once or for every run; or once from any number."""
    if table.rows < 3 or not table.all_numbers(name):
        return False
    values = table.numbers(name, gaps=True)
    if not np.isfinite(values).all() or not whole_numbers(values):
        return False
    if values[0] not in (0, 1):
        return bool((np.diff(values) == 1).all())
    period = int(values.max() - values[0]) + 1
    return period > 2 and bool(np.array_equal(values, values[0] + np.arange(table.rows) % period))


def rows_by_words(cells: Sequence[str]) -> str:
    """What rows are by the words that name them; data sets unless the words say otherwise.

    >>> rows_by_words(["fold 1", "fold 2"]), rows_by_words(["a.png", "b.png"]), rows_by_words(["iris", "wine"])
    ('fold', 'case', 'data set')
    """
    return next((what for what, word in _ROW_WORDS if all(word.fullmatch(c.strip()) for c in cells)), "data set")


def fold_of(cell: str) -> str:
    """The fold alone, without the run it belongs to: R's caret names them "Fold03.Rep1"."""
    match = re.search(r"(cv|fold|split|kfold)[ _-]?\d+", cell, re.I)
    return (match[0] if match else cell).lower()


#: What follows the name (or the number) of a volume, a video or a patient in the name of its part.
PART = re.compile(r"([ _.-]*(slice|frame|patch|tile|crop|view|roi)|(?<=\d)[ _./\\-]+[a-z]*)[ _.-]?\d+(\.\w+)*$", re.I)
_SUMMARY = re.compile(
    r"((geometric )?mean|average|avg|std|sd|stdev|median|total|overall|sum|friedman|#? ?wins?|losses|ties|"
    r"p[ -]?values?|(w|win)/(t|d|tie|draw)/(l|loss))[ .]*(rank|score|dev|±.*)?",
    re.I,
)


def sums_up(name: str) -> bool:
    """Whether a row or column is the mean or deviation of the others."""
    return _SUMMARY.fullmatch(name.strip()) is not None


def rows_of_values(table: Columns) -> list[int]:
    """The rows that are no mean or deviation of the others, by the words that name them."""
    words = [table.column(n) for n in table.names if table.mostly_words(n)]
    summaries = {row for cells in words for row, cell in enumerate(cells) if sums_up(cell)}
    return [row for row in range(table.rows) if row not in summaries]


def is_tracker(names: Iterable[str]) -> bool:
    """Whether the headers are those of a table of runs of an experiment tracker.

    >>> is_tracker(["Name", "State", "Runtime", "val_acc"]), is_tracker(["dataset", "A", "B"])
    (True, False)
    """
    words = [plain_name(n) for n in names]
    marks = ("metrics.", "params.", "metrics/", "parameters/", "summary.", "hparams.", "config/")
    marked = any(n.lower().startswith(marks) for n in names)
    return marked or len({w for w in words if w in WORDS["tracker"]}) >= 2


def of_tracker(name: str) -> bool:
    """Whether a column is the tracker's own business."""
    return plain_name(name) in WORDS["tracker"] or plain_name(name) in ("name", "id")


_OUTER = ("center", "centre", "hospital", "clinic", "study")  # what has patients of its own
KEYS = ("data set", "fold", "repeat", "cluster", "case", "index")
SAY = "say which columns are models with --models"


@dataclass(frozen=True, slots=True)
class Scores:
    """The models' columns, the truth where the file holds predictions, the metric where it is named, and the rows."""

    source: str
    models: dict[str, Any]
    truth: npt.NDArray[Any] | None = None
    values: str | None = None
    folds: int | None = None
    notes: tuple[str, ...] = ()
    keys: dict[str, Sequence[str]] = field(default_factory=dict)
    metric: str | None = None
    clusters: Sequence[str] | None = None
    paired: bool = True
    higher_is_better: bool | None = None


def cell_numbers(table: Columns, name: str, rows: Sequence[int] | None = None) -> npt.NDArray[np.float64]:
    """The numbers of a column, or of some of its rows; an error where one is missing."""
    values = table.numbers(name, gaps=True) if table.all_numbers(name) else table.numbers(name)
    chosen = range(table.rows) if rows is None else rows
    gap = next((row for row in chosen if np.isnan(values[row])), None)
    if gap is not None:
        raise InvalidValue(
            f"{table.complaint(gap, name)}; fill the gap, drop the row for every model, or leave the model "
            "out with --models"
        )
    return values if rows is None else values[list(rows)]


def listed(models: str | None) -> list[str] | None:
    return None if models is None else [n.strip() for n in models.split(",") if n.strip()]


def only(scores: Scores, wanted: list[str] | None) -> Scores:
    if wanted is None:
        return scores
    for name in wanted:
        if name not in scores.models:
            raise InvalidOption(f"{scores.source}: no model {name!r}: expected one of {', '.join(scores.models)}")
    return replace(scores, models={name: scores.models[name] for name in wanted})


def known(table: Columns, names: Iterable[str]) -> list[str]:
    kept = list(names)
    for name in kept:
        table.require(name)
    return kept


def left_out(names: list[str]) -> tuple[str, ...]:
    shown = [n or "(no name)" for n in names]
    return (f"not compared as models: {', '.join(shown)}",) if shown else ()


def plus_minus(table: Columns, names: Iterable[str]) -> tuple[str, ...]:
    spread = any(table.plus_minus(n) for n in names)
    return ("what stands after ± (or in brackets) was not used: each cell counts as one value",) if spread else ()


def clusters_of(columns: Mapping[str, Sequence[str]]) -> tuple[str, Sequence[str]] | None:
    """What says which rows belong together: patients, speakers, documents that occur again, volumes of slices.

    Of patients and their sessions it is the patients, but the hospitals where every hospital numbers its patients anew.
    """
    likely = {n: cells for n, cells in columns.items() if 1 < len({*cells}) < len(cells) and _of_cases(n, cells)}
    likely = {n: cells for n, cells in likely.items() if plain_name(n) not in ("slice", "frame")}
    whole = sorted([n for n in likely if role(n) == "cluster"] or likely, key=nesting)
    if whole:
        inner, outer = likely[whole[0]], (n for n in whole if plain_name(n) in _OUTER)
        anew = (n for n in outer if len({*zip(likely[n], inner, strict=True)}) > len({*inner}))
        return (name := next(anew, whole[0])), likely[name]
    named = (n for n, cells in columns.items() if role(n) == "index" or _of_cases(n, cells))
    return next((told for n in named if (told := _beginnings(n, columns[n]))), None)


def _beginnings(name: str, cells: Sequence[str]) -> tuple[str, Sequence[str]] | None:
    """What names such as vol03_slice012.png begin with, where that makes clusters."""
    stems = [PART.sub("", cell) for cell in cells]
    fit = "" not in stems and 2 < len({*stems}) <= len(stems) / 2
    return (f"beginning of {name}", stems) if fit else None


def _of_cases(name: str, cells: Sequence[str]) -> bool:
    return role(name) in ("cluster", "case") or rows_by_words(cells) == "case"


def one_split(source: str, cells: Iterable[str]) -> set[str]:
    """The folds of the rows; an error where they are those of training, validation and test."""
    words = {fold_of(cell) for cell in cells}
    if words & {"train", "training", "test", "val", "valid", "validation", "dev"} and len(words) > 1:
        raise InvalidOption(
            f"{source}: rows of several splits ({', '.join(sorted(words))}): expected one; keep the test rows"
        )
    return words


def summed_up(table: Columns) -> tuple[str, ...]:
    many = table.rows - len(rows_of_values(table))
    return (f"{many} rows that sum up the others (mean, deviation, ...) were left out",) if many else ()


def by_cluster(name: str | None) -> tuple[str, ...]:
    told = f"rows with the same {name} belong together; --cluster none if they are independent"
    return () if name is None else (told,)


def value_column(table: Columns, rest: list[str], metric: str | None) -> str:
    """The column of values among those that name no row: asked for, called so, or the only one."""
    asked = [n for n in rest if metric is not None and plain_name(n) == plain_name(metric)]
    if len(asked) == 1:
        return asked[0]
    likely = [n for n in rest if role(n) == "value"] or [n for n in rest if names_a_metric(n)] or rest
    if len(likely) != 1:
        raise InvalidOption(
            f"{table.source}: {', '.join(likely) or 'no column'} could hold the values: expected one column of numbers "
            "beside the model and what names the row; say --metric COLUMN"
        )
    check_direction(table, likely[0], metric)
    return likely[0]


def one_metric(table: Columns, names: Iterable[str], metric: str | None) -> str:
    """The metric asked for among several, or the only one."""
    known = list(dict.fromkeys(names))
    asked = [name for name in known if metric is not None and plain_name(name) == plain_name(metric)]
    if len(known) > 1 and not asked:
        raise InvalidOption(f"{table.source}: several metrics ({', '.join(known)}): expected --metric with one of them")
    return (asked or known)[0]


def truth_or_model(table: Columns, name: str) -> InvalidOption:
    told = f"is {name!r} the truth, or a model? expected --truth {name} if the others predict it, or {SAY}"
    return InvalidOption(f"{table.source}: {told}")


def without_truth(table: Columns, models: list[str]) -> list[str]:
    """The models; a question where one column of 0 and 1, or y1 and y2, stand beside several of scores."""
    binary = [n for n in models if len(models) > 2 and set(table.words(n)[0]) == {"0", "1"}]
    numbered = [n for n in models if n[-1:].isdigit() and role(n.rstrip("0123456789_ ")) in ("truth", "maybe truth")]
    if len(binary) == 1 or numbered:
        raise truth_or_model(table, (binary + numbered)[0])
    return models


def one_direction(table: Columns, names: Iterable[str]) -> None:
    """Data sets whose names say other metrics, better the one and the other way ("RTE (acc)", "WikiText (ppl)")."""
    told = {way: n for n in names for part in re.findall(r"[(\[]([^()\[\]]+)[)\]]", n) if (way := direction(part))}
    if len(told) > 1:
        raise InvalidOption(
            f"{table.source}: {told[1]!r} is better high, {told[-1]!r} low: expected data sets whose values are better "
            "the same way; leave some out, or turn their signs"
        )


def refuse_labels(table: Columns, keys: Iterable[str]) -> None:
    """Two words again and again, where nothing else names the rows, are no two data sets."""
    only = list(keys)
    if len(only) == 1 and role(only[0]) is None and len(table.words(only[0])[0]) == 2 < table.rows:
        raise truth_or_model(table, only[0])


def check_direction(table: Columns, name: str, metric: str | None) -> None:
    """A file of one metric is not read as one of another that is better the other way."""
    from scoreproof.statistics.recommend import rises

    if metric is not None and None not in (rises(metric), rises(name)) and rises(metric) != rises(name):
        raise InvalidOption(f"{table.source}: metric = {metric!r}, but the values are of {name!r}: expected its name")
