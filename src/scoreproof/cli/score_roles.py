"""What the columns of a file of scores are for, by the names people give them and by what they hold.

A seed, a fold, a number of the row, the truth, a running time or the state of a run is not a model, however numeric it
is. Files of experiment trackers, logs of training and tables of survival are told by their headers.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Sequence
from importlib.resources import files
from itertools import chain

import numpy as np

from scoreproof.csv_reader.columns import Columns, whole_numbers
from scoreproof.errors import ScoreproofError

_DATA = tomllib.loads(files("scoreproof.cli").joinpath("score_words.toml").read_text(encoding="utf-8"))


def _names(text: str) -> list[str]:
    return " ".join(text.split("\n")).split(", ")


QUESTIONS: dict[str, str] = _DATA["questions"]
_NAMES = {role: _names(names) for role, names in _DATA["roles"].items()}
_ROLES = {name: role for role, names in _NAMES.items() for name in names}
_METRIC_WORDS, _TRACKER, _EVENTS, _TIMES, _TIMES_OF, _DATES, _COUNTS, _ONE_MODEL = (
    frozenset(_names(_DATA["words"][key]))
    for key in ("metric_words", "tracker", "events", "times", "times_of", "dates", "counts", "one_model")
)
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
    if set(re.split(r"[ @/]", word)) & _METRIC_WORDS:
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
    return plain_name(name) in _ONE_MODEL


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


def survival_columns(table: Columns) -> Sequence[str]:
    """The times and the events of a table of survival, where both stand there."""
    times = [n for n in table.names if _is_time(plain_name(n)) and table.all_numbers(n)]
    events = [n for n in table.names if plain_name(n) in _EVENTS and n not in times and len(table.words(n)[0]) <= 2]
    return (times[0], events[0]) if times and events else ()


def _is_time(word: str) -> bool:
    """Whether a header is that of times of survival, with or without their unit."""
    stem, _, unit = word.rpartition(" ")
    return word in _TIMES or (unit in _TIMES_OF and stem in _TIMES)


def ordered(table: Columns) -> str | None:
    """The column that orders the rows, in time or by a setting that rises in equal steps; None where it only counts."""
    if any(role(n) in ("data set", "fold", "repeat", "cluster", "case") for n in table.names):
        return None
    dates = (n for n in table.names if plain_name(n) in _DATES and len(table.words(n)[0]) > 2)
    numeric = [n for n in table.names if table.all_numbers(n) and role(n) in (None, "other")]
    measured = beside(table.names)
    other = [n for n in numeric if role(n) == "other" or n not in measured]
    steps = (n for n in other if not counts_rows(table, n) and _in_steps(table, n, numeric))
    return next(chain(dates, steps), None)


def _in_steps(table: Columns, name: str, others: Sequence[str]) -> bool:
    """Whether a column rises in equal steps (0.1, 0.2, ...), by equal factors (1, 2, 4), or alone in whole ones."""
    values = table.numbers(name, gaps=True)
    steps = np.diff(values)
    if table.rows < 4 or not np.isfinite(values).all() or not ((steps > 0).all() or (steps < 0).all()):
        return False
    with np.errstate(divide="ignore", invalid="ignore"):
        rises = (steps, values[1:] / values[:-1])
    same = any(bool(np.allclose(rise, rise[0], rtol=1e-6, atol=0)) for rise in rises)
    if same or not whole_numbers(values):
        return same
    return not any(n != name and whole_numbers(table.numbers(n, gaps=True)) for n in others)


def counted(table: Columns) -> Sequence[str]:
    """The column that says how many cases each row stands for, where all others are classes."""
    for name in (n for n in table.names if plain_name(n) in _COUNTS and table.all_numbers(n)):
        others = [n for n in table.names if n != name]
        few = all(len(table.words(n)[0]) <= max(2, table.rows // 2) for n in others)
        if few and len({*zip(*map(table.column, others), strict=True)}) == table.rows:
            return (name,)
    return ()


def is_tracker(names: Iterable[str]) -> bool:
    """Whether the headers are those of a table of runs of an experiment tracker.

    >>> is_tracker(["Name", "State", "Runtime", "val_acc"]), is_tracker(["dataset", "A", "B"])
    (True, False)
    """
    words = [plain_name(n) for n in names]
    marks = ("metrics.", "params.", "metrics/", "parameters/", "summary.", "hparams.", "config/")
    marked = any(n.lower().startswith(marks) for n in names)
    return marked or len({w for w in words if w in _TRACKER}) >= 2


def of_tracker(name: str) -> bool:
    """Whether a column is the tracker's own business."""
    return plain_name(name) in _TRACKER or plain_name(name) in ("name", "id")
