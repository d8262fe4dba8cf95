"""Data sets and classifiers: cases with labels, and something that predicts them.

Most predictions are drawn (a case is answered rightly with the chance its class has), which is fast; some come from
scikit-learn classifiers trained on random data. Both include the extremes that honest work includes: perfect, useless,
constant, three cases in all, one class that hardly occurs.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Indices = NDArray[np.int64]
Labels = NDArray[np.int64]
Generator = np.random.Generator
Predictor = Callable[[Indices, Indices], Labels]  # trained on the first cases, the answers for the second

SIZES: dict[str, tuple[tuple[int, int], tuple[int, int]]] = {  # positives and negatives, from and to
    "balanced": ((20, 200), (20, 200)),
    "skewed": ((2, 30), (60, 600)),
    "skewed the other way": ((60, 300), (1, 20)),
    "tiny": ((1, 8), (1, 8)),
    "medium": ((10, 80), (10, 80)),
}
ROUND_NUMBERS = (8, 16, 20, 40, 80, 160, 200, 400, 500, 800)
_SIZE_CHANCES = (0.25, 0.25, 0.1, 0.15, 0.25)


@dataclass(frozen=True, slots=True)
class Cohort:
    """A data set with its answers still to be made."""

    kind: str
    labels: Labels
    classifier: str
    predict: Predictor

    @property
    def p(self) -> int:
        return int(self.labels.sum())

    @property
    def n(self) -> int:
        return len(self.labels) - self.p


def cohort(rng: Generator, *, trained: bool) -> Cohort:
    """A random data set and a classifier, trained by scikit-learn or drawn."""
    kind = str(rng.choice(list(SIZES), p=_SIZE_CHANCES))
    (p_low, p_high), (n_low, n_high) = SIZES[kind]
    p, n = int(rng.integers(p_low, p_high + 1)), int(rng.integers(n_low, n_high + 1))
    if rng.random() < 0.12:  # sizes whose shares end in a 5, so that printing them meets ties
        kind, (p, n) = "round numbers", (int(size) for size in rng.choice(ROUND_NUMBERS, 2))
    labels = np.repeat(np.array([1, 0]), [p, n])
    if rng.random() < 0.9:  # else sorted by class, as many files are
        rng.shuffle(labels)
    name, predict = _trained(rng, labels) if trained else drawn(rng, labels)
    return Cohort(kind, labels, name, predict)


def drawn(rng: Generator, labels: Labels) -> tuple[str, Predictor]:
    yes = rng.uniform(0.05, 0.95)
    kinds: dict[str, Callable[[], tuple[float, float]]] = {
        "good": lambda: (rng.uniform(0.7, 1), rng.uniform(0.7, 1)),
        "fair": lambda: (rng.uniform(0.4, 0.9), rng.uniform(0.4, 0.9)),
        "useless": lambda: (yes, 1 - yes),
        "perfect": lambda: (1.0, 1.0),
        "almost perfect": lambda: (rng.uniform(0.97, 1), rng.uniform(0.97, 1)),
        "always no": lambda: (0.0, 1.0),
        "almost always no": lambda: (rng.uniform(0, 0.1), rng.uniform(0.95, 1)),
        "always yes": lambda: (1.0, 0.0),
        "always wrong": lambda: (0.0, 0.0),
    }
    name = str(rng.choice(list(kinds), p=(0.4, 0.2, 0.1, 0.05, 0.08, 0.04, 0.09, 0.03, 0.01)))
    right = kinds[name]()

    def predict(train: Indices, test: Indices) -> Labels:
        truth = labels[test]
        hit = rng.random(len(test)) < np.where(truth == 1, right[0], right[1])
        return np.where(hit, truth, 1 - truth)

    return name, predict


def _trained(rng: Generator, labels: Labels) -> tuple[str, Predictor]:
    from sklearn.dummy import DummyClassifier
    from sklearn.linear_model import LogisticRegression
    from sklearn.naive_bayes import GaussianNB
    from sklearn.neighbors import KNeighborsClassifier
    from sklearn.tree import DecisionTreeClassifier

    seed = int(rng.integers(2**31))
    makers: dict[str, Callable[[], Any]] = {
        "LogisticRegression": lambda: LogisticRegression(max_iter=50),
        "DecisionTree": lambda: DecisionTreeClassifier(max_depth=3, random_state=seed),
        "GaussianNB": GaussianNB,
        "1-NN": lambda: KNeighborsClassifier(1),
        "most frequent": lambda: DummyClassifier(strategy="most_frequent"),
        "stratified": lambda: DummyClassifier(strategy="stratified", random_state=seed),
        "constant": lambda: DummyClassifier(strategy="constant", constant=seed % 2),
    }
    name = str(rng.choice(list(makers)))
    distance = rng.choice([0.0, 1.0, 2.0, 10.0])
    features = rng.normal(size=(len(labels), 3)) + distance * labels[:, None]

    def predict(train: Indices, test: Indices) -> Labels:
        train = train if len(train) else test  # all cases are tested: scores on the training data
        seen = np.unique(labels[train])
        if len(seen) == 1 and name != "constant":
            return np.full(len(test), seen[0])  # most classifiers refuse; an author then answers the only class seen
        model = makers[name]()
        if name == "constant" and seed % 2 not in seen:
            return np.full(len(test), seen[0])
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            model.fit(features[train], labels[train])
            return np.asarray(model.predict(features[test]))

    return name, predict
