"""What the columns of a file of scores are for, by the names people give them and by what they hold.

A seed, a fold, a number of the row, the truth, a running time or the state of a run is not a model, however numeric it
is. Files of experiment trackers, logs of training and tables of survival are told by their headers.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

import numpy as np

from scoreproof.csv_reader.columns import Columns, whole_numbers
from scoreproof.errors import ScoreproofError

_NAMES = {
    "model": "model, method, algorithm, classifier, approach, network, architecture, arch, system, learner, estimator, "
    "regressor, forecaster, backbone, detector, technique",
    "data set": "dataset, data set, data, task, problem, benchmark, corpus, domain, site",
    "fold": "fold, split, cv, cv fold, fold id, fold no, split id, partition",
    "repeat": "rep, repeat, repetition, run, seed, random seed, random state, iteration, trial, round",
    "cluster": "patient, subject, volume, speaker, user, document, doc, session, video, scan, study, person, "
    "participant, animal, mouse, center, centre, hospital, group, cluster, sequence, scene, donor, slide, family, "
    "author",
    "case": "case, image, query, sample, example, instance, file, filename, item, slice, frame, utterance, sentence, "
    "nodule, lesion, tile, patch, roi",
    "index": ", id, index, row, no, nr, #, name",
    "truth": "truth, y true, true label, ground truth, groundtruth, gold, gold label, actual, y test, observed",
    "maybe truth": "true, label, target, y, class, diagnosis",
    "metric": "metric, measure, metric name",
    "value": "score, value, result, performance, metric value",
    "other": "n, n train, n test, size, samples, support, epoch, epochs, step, global step, time, seconds, params, lr, "
    "learning rate, batch size, timestamp, runtime, wall time",
}
_ROLES = {name: role for role, names in _NAMES.items() for name in names.split(", ")}
#: Words that make a header that of a metric, beside the metrics the registry of quantities knows.
_METRIC_WORDS = {
    *("acc", "accuracy", "precision", "recall", "loss", "error", "auc", "auroc", "auprc", "f1", "fscore", "map"),
    *("miou", "perplexity", "bleu", "rouge", "top", "mean", "std", "sd", "avg", "average", "median", "runtime"),
}
_TRACKER = {
    *("state", "status", "runtime", "duration", "created", "tags", "notes", "user", "run id", "start time", "end time"),
    *("source type", "source name", "artifact uri", "lifecycle stage", "hostname", "sweep", "group", "job type"),
    *("timestamp", "wall time", "experiment id", "run name", "version"),
}
_EVENTS = {
    "event", "events", "censor", "censored", "censoring", "dead", "death", "died", "deceased", "relapse", "status",
    "event observed", "os event", "pfs event", "os status", "vital status",
}  # fmt: skip
_TIMES = {
    "time", "survival time", "survival", "os", "pfs", "os time", "pfs time", "follow up", "followup",
    "follow up time", "time to event", "days", "months", "years", "duration", "t", "os months", "os days",
    "survival months",
}  # fmt: skip
_ONE_MODEL = {
    "pred", "preds", "prediction", "predictions", "predicted", "predicted label", "y pred", "y hat", "yhat",
    "output", "prob", "proba", "probs", "probability", "y prob", "y proba", "y score", "y scores", "score",
    "scores", "confidence", "logit", "logits", "pred prob", "prediction score", "pred label", "predicted class",
    "predicted probability",
}  # fmt: skip
_ROW_WORDS = (
    ("fold", re.compile(r"(cv|fold|split|kfold)[ _-]?\d+", re.I)),
    ("repeat", re.compile(r"(run|seed|rep|repeat|trial|iter|iteration)[ _-]?\d+", re.I)),
    ("case", re.compile(r".*\.(png|jpe?g|tiff?|dcm|nii(\.gz)?|bmp|npy|wav|txt)$", re.I)),
    ("case", re.compile(r"(case|im(a)?g(e)?|patient|subj(ect)?|pat|sample|scan|vol(ume)?|doc|q|query)[ _-]?\d+", re.I)),
)


def plain_name(name: str) -> str:
    """A header in lower case, with single blanks for underscores and the like.

    >>> plain_name("Data_Set"), plain_name("Unnamed: 0"), plain_name("params.model")
    ('data set', '', 'model')
    """
    bare = re.sub(r"^(params?|parameters|hparams|config|tags|sys|metrics?|summary)[./]", "", name.strip().lower())
    word = " ".join(re.sub(r"[_\-.]+", " ", bare).split())
    return "" if re.fullmatch(r"unnamed:? ?\d*", word) else word


def role(name: str) -> str | None:
    """What a header says its column is for; None for what may be a model.

    >>> role("Seed"), role("cv_fold"), role("Patient ID"), role("ResNet-50")
    ('repeat', 'fold', 'cluster', None)
    """
    word = plain_name(name)
    known = _ROLES.get(word)
    if known is None:
        known = _ROLES.get(re.sub(r"( ?(id|no|nr|number|name|index|idx)|s)$", "", word)) if word else None
        known = known if known in ("cluster", "case", "data set", "model", "repeat", "fold") else None
    return known


def nesting(name: str) -> int:
    """How far out a column of clusters stands: patients have sessions, not the other way round."""
    word = re.sub(r"( ?(id|no|nr|number|name|index|idx)|s)$", "", plain_name(name))
    known = _NAMES["cluster"].split(", ")
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
    """Whether a column just counts: 0, 1, 2, ... or 1, 2, 3, ..., once or again for every run."""
    if table.rows < 3 or not table.all_numbers(name):
        return False
    values = table.numbers(name, gaps=True)
    if not np.isfinite(values).all() or values[0] not in (0, 1) or not whole_numbers(values):
        return False
    period = int(values.max() - values[0]) + 1
    return period > 2 and bool(np.array_equal(values, values[0] + np.arange(table.rows) % period))


def rows_by_words(cells: Sequence[str]) -> str:
    """What rows are by the words that name them; data sets unless the words say otherwise.

    >>> rows_by_words(["fold 1", "fold 2"]), rows_by_words(["a.png", "b.png"]), rows_by_words(["iris", "wine"])
    ('fold', 'case', 'data set')
    """
    return next((what for what, word in _ROW_WORDS if all(word.fullmatch(c.strip()) for c in cells)), "data set")


def survival_columns(table: Columns) -> tuple[str, str] | None:
    """The times and the events of a table of survival, where both stand there."""
    times = [n for n in table.names if plain_name(n) in _TIMES and table.all_numbers(n)]
    events = [n for n in table.names if plain_name(n) in _EVENTS and n not in times and len(table.words(n)[0]) <= 2]
    return (times[0], events[0]) if times and events else None


def is_tracker(names: Iterable[str]) -> bool:
    """Whether the headers are those of a table of runs of an experiment tracker.

    >>> is_tracker(["Name", "State", "Runtime", "val_acc"]), is_tracker(["dataset", "A", "B"])
    (True, False)
    """
    words = [plain_name(n) for n in names]
    marked = any(n.lower().startswith(("metrics.", "params.", "metrics/", "parameters/", "summary.")) for n in names)
    return marked or len({w for w in words if w in _TRACKER}) >= 2


def of_tracker(name: str) -> bool:
    """Whether a column is the tracker's own business."""
    return plain_name(name) in _TRACKER or plain_name(name) in ("name", "id")
