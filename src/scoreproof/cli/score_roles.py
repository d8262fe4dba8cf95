"""What the columns of a file of scores are for, by the names people give them.

A seed, a fold, a number of the row or the truth is not a model, however numeric it is.
"""

from __future__ import annotations

import re

import numpy as np

from scoreproof.csv_reader.columns import Columns, whole_numbers
from scoreproof.errors import ScoreproofError

_NAMES = {
    "model": "model, method, algorithm, classifier, approach, network, architecture, system, learner",
    "data set": "dataset, data set, data, task, problem, benchmark, corpus, domain, site",
    "fold": "fold, split, cv, cv fold, fold id, fold no, split id, partition",
    "repeat": "rep, repeat, repetition, run, seed, random seed, random state, iteration, trial, round",
    "case": "case, image, query, patient, subject, sample, example, instance, file, filename, item",
    "index": ", id, index, row, no, nr, #, name",
    "truth": "truth, y true, true label, ground truth, groundtruth, gold, gold label, actual, y test",
    "maybe truth": "true, label, target, y, class, diagnosis",
    "metric": "metric, measure, metric name",
    "value": "score, value, result, performance, metric value",
    "other": "n, n train, n test, size, samples, support, epoch, epochs, step, time, seconds, params",
}
_ROLES = {name: role for role, names in _NAMES.items() for name in names.split(", ")}
#: Words that make a header that of a metric, beside the metrics the package knows itself.
_METRIC_WORDS = {
    *("acc", "accuracy", "precision", "recall", "loss", "error", "auc", "auroc", "auprc", "f1", "fscore", "map"),
    *("miou", "perplexity", "bleu", "rouge", "top", "mean", "std", "sd", "avg", "average", "median"),
}


def plain_name(name: str) -> str:
    """A header in lower case, with single blanks for underscores and the like.

    >>> plain_name("Data_Set"), plain_name("Unnamed: 0")
    ('data set', '')
    """
    word = " ".join(re.sub(r"[_\-.]+", " ", name.strip().lower()).split())
    return "" if re.fullmatch(r"unnamed:? ?\d*", word) else word


def role(name: str) -> str | None:
    """What a header says its column is for; None for what may be a model.

    >>> role("Seed"), role("cv_fold"), role("ResNet-50")
    ('repeat', 'fold', None)
    """
    return _ROLES.get(plain_name(name))


def names_a_metric(name: str) -> bool:
    """Whether a header is that of a metric rather than of a model.

    >>> [names_a_metric(name) for name in ("Top-1 Acc", "F1", "macro_f1", "SVM", "A", "MAE")]
    [True, True, True, False, False, True]
    """
    from scoreproof.statistics.recommend import metric_name

    word = plain_name(name)
    if set(re.split(r"[ @]", word)) & _METRIC_WORDS:
        return True
    if len(word) < 2:
        return False
    try:
        metric_name(word)
    except ScoreproofError:
        return False
    return True


def counts_rows(table: Columns, name: str) -> bool:
    """Whether a column just counts: 0, 1, 2, ... or 1, 2, 3, ..., once or again for every run."""
    if table.rows < 3 or not table.all_numbers(name):
        return False
    values = table.numbers(name, gaps=True)
    if not np.isfinite(values).all() or values[0] not in (0, 1) or not whole_numbers(values):
        return False
    period = int(values.max() - values[0]) + 1
    return period > 2 and bool(np.array_equal(values, values[0] + np.arange(table.rows) % period))
