"""How an author evaluates: a test split, folds of every make, repeats, leave-one-out, random splits.

A design yields rounds of folds, each with the cases it was tested on, and every true description of them that
scoreproof knows. Stratified folds come as scikit-learn makes them today, as it made them before 0.22 (each class dealt
by itself from the first fold on), and as any other tool may: class counts that differ from p/k and n/k by less than
one.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

import scoreproof as sp
from benchmarks.honest.cohorts import Cohort, Generator, Indices

Matrix = tuple[int, int, int, int]  # tp, fp, fn, tn
Folds = list[Indices]  # the test cases of each fold


@dataclass(frozen=True, slots=True)
class Description:
    """A true description, and over what it says a ± or an extreme is: folds, rounds, or either."""

    experiment: sp.Experiment
    over: str = "folds"


@dataclass(frozen=True, slots=True)
class Design:
    """What was done: the matrices of every round and fold, and true descriptions of that.

    ``pooled`` says that the matrices were added and scored once; ``rounds`` are repeats, or several data sets.
    """

    name: str
    rounds: tuple[tuple[Matrix, ...], ...]
    descriptions: tuple[Description, ...]
    pooled: bool = False
    data_sets: bool = False

    @property
    def matrices(self) -> list[Matrix]:
        return [matrix for folds in self.rounds for matrix in folds]

    @property
    def evaluated(self) -> list[Matrix]:
        """The matrices that were scored."""
        return [added(self.matrices)] if self.pooled else self.matrices

    @property
    def sizes(self) -> list[tuple[int, int]]:
        return [(tp + fn, fp + tn) for tp, fp, fn, tn in self.matrices]


def added(matrices: list[Matrix]) -> Matrix:
    """The sum of some matrices."""
    tp, fp, fn, tn = (sum(matrix[cell] for matrix in matrices) for cell in range(4))
    return tp, fp, fn, tn


def evaluate(cohort: Cohort, folds: Folds) -> tuple[Matrix, ...]:
    """Train on the other cases, test on the fold; one matrix per fold."""
    everything = np.arange(len(cohort.labels))
    return tuple(_matrix(cohort, np.setdiff1d(everything, test), test) for test in folds)


def _matrix(cohort: Cohort, train: Indices, test: Indices) -> Matrix:
    truth, answers = cohort.labels[test], cohort.predict(train, test)
    return tuple(  # type: ignore[return-value]
        int(((answers == said) & (truth == true)).sum()) for said, true in ((1, 1), (1, 0), (0, 1), (0, 0))
    )


def one_test_set(rng: Generator, cohort: Cohort) -> Design:
    """A test split, or all cases as a test set."""
    cases = len(cohort.labels)
    order = rng.permutation(cases)
    test = order[: max(1, round(cases * rng.choice([0.2, 0.25, 0.3, 0.5, 1.0])))]
    (matrix,) = evaluate(cohort, [test])
    tp, fp, fn, tn = matrix
    return Design("test split", ((matrix,),), (Description(sp.TestSet(tp + fn, fp + tn)),))


def large_test_set(rng: Generator, cohort: Cohort) -> Design:
    """A test set of up to a million cases, of which only the matrix matters."""
    p, n = (int(10 ** rng.uniform(2, 6)) for _ in range(2))
    tp, tn = (int(rng.binomial(size, rng.uniform(0.5, 1))) for size in (p, n))
    return Design("large test set", (((tp, n - tn, p - tp, tn),),), (Description(sp.TestSet(p, n)),))


def cross_validation(rng: Generator, cohort: Cohort) -> Design | None:
    """Folds of some make, perhaps repeated, perhaps pooled."""
    make = str(rng.choice(list(MAKES), p=_CHANCES))
    k = int(rng.choice([2, 3, 4, 5, 5, 10, 10]))
    times = int(rng.choice([2, 2, 3, 5, 10])) if make in REPEATABLE and rng.random() < 0.2 else 1
    rounds: list[tuple[Matrix, ...]] = []
    for _ in range(times):
        folds = MAKES[make](rng, cohort, k)
        if folds is None:
            return None
        rounds.append(evaluate(cohort, folds))
    k = len(rounds[0])
    pooled = rng.random() < (0.5 if make == "leave-one-out" else 0.12)
    name = f"{'repeated ' if times > 1 else ''}{make}{', pooled' if pooled else ''}"
    descriptions = tuple(_descriptions(cohort, make, k, rounds, pooled))
    return Design(name, tuple(rounds), descriptions, pooled)


def _descriptions(
    cohort: Cohort, make: str, k: int, rounds: list[tuple[Matrix, ...]], pooled: bool
) -> Iterator[Description]:
    p, n, times = cohort.p, cohort.n, len(rounds)
    sets = [sp.TestSet(tp + fn, fp + tn) for folds in rounds for tp, fp, fn, tn in folds]
    if make in RANDOM_SPLITS:
        yield Description(sp.ScoreOfMeans(sets) if pooled else sp.MeanOfScores(sets))
        yield Description(sp.UnknownAggregation(sets))
        return
    sizes = [one.p + one.n for one in sets]
    equal = max(sizes) - min(sizes) <= 1
    way = "score_of_means" if pooled else "mean_of_scores"
    over = "either" if times > 1 else "folds"
    for aggregation in (way, way, "unknown"):
        if make in STRATIFIED:
            rules = (None, "balanced", "scikit-learn") if make == "StratifiedKFold" else (None, "balanced")
            for rule in rules:
                yield Description(sp.KFold(p, n, k, times, True, sp.Aggregation(aggregation), rule), over)
        if equal:
            rules = (None, "any", "trainable") if trainable(rounds) else (None, "any")
            for rule in rules:
                yield Description(sp.KFold(p, n, k, times, False, sp.Aggregation(aggregation), rule), over)
    if pooled:
        yield Description(sp.TestSet(p * times, n * times))
        yield Description(sp.ScoreOfMeans(sets))
        return
    yield Description(sp.MeanOfScores(sets))
    if times > 1:
        nested = sp.MeanOfScores([sp.MeanOfScores(sets[at : at + k]) for at in range(0, len(sets), k)])
        yield Description(nested, "rounds")


def trainable(rounds: Sequence[Sequence[Matrix]]) -> bool:
    """Whether every training set has both classes: each class is in two folds of every round."""
    return all(
        min(sum(tp + fn > 0 for tp, _, fn, _ in folds), sum(fp + tn > 0 for _, fp, _, tn in folds)) >= 2
        for folds in rounds
    )


def several_data_sets(rng: Generator, cohort: Cohort) -> Design | None:
    """The mean over the cross-validations of two or three data sets, or over single test sets."""
    from benchmarks.honest.cohorts import cohort as another

    rounds: list[tuple[Matrix, ...]] = []
    parts: list[sp.Experiment] = []
    k = int(rng.choice([1, 2, 5]))
    for _ in range(int(rng.integers(2, 4))):
        data = another(rng, trained=False)
        folds = scikit_learn_stratified(rng, data, k) if k > 1 else [np.arange(len(data.labels))]
        if folds is None:
            return None
        rounds.append(evaluate(data, folds))
        parts.append(sp.KFold(data.p, data.n, k) if k > 1 else sp.TestSet(data.p, data.n))
    name = "mean over data sets" + (" in folds" if k > 1 else "")
    return Design(name, tuple(rounds), (Description(sp.MeanOfScores(parts), "rounds"),), data_sets=True)


def scikit_learn_stratified(rng: Generator, cohort: Cohort, k: int) -> Folds | None:
    """StratifiedKFold as it is since 0.22."""
    from sklearn.model_selection import StratifiedKFold

    if max(cohort.p, cohort.n) < k:
        return None
    shuffle = bool(rng.random() < 0.7)
    splitter = StratifiedKFold(k, shuffle=shuffle, random_state=int(rng.integers(2**31)) if shuffle else None)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a class with fewer members than folds
        return [test for _, test in splitter.split(cohort.labels, cohort.labels)]


def _dealt(rng: Generator, cohort: Cohort, larger: Callable[[int], Indices], k: int) -> Folds | None:
    """Each class cut into k pieces; ``larger`` says which folds get the cases left over."""
    pieces: list[list[NDArray[np.int64]]] = [[] for _ in range(k)]
    for label in (1, 0):
        cases = rng.permutation(np.flatnonzero(cohort.labels == label))
        sizes = np.full(k, len(cases) // k)
        sizes[larger(len(cases) % k)] += 1
        for fold, piece in enumerate(np.split(cases, np.cumsum(sizes)[:-1])):
            pieces[fold].append(piece)
    folds = [np.concatenate(piece) for piece in pieces]
    return folds if min(map(len, folds)) else None


def old_stratified(rng: Generator, cohort: Cohort, k: int) -> Folds | None:
    """StratifiedKFold before 0.22: each class dealt by its own KFold, so the first folds are the larger ones."""
    return _dealt(rng, cohort, np.arange, k)


def other_stratified(rng: Generator, cohort: Cohort, k: int) -> Folds | None:
    """Any folds whose class counts differ from p/k and n/k by less than one."""
    return _dealt(rng, cohort, lambda left: rng.choice(k, left, replace=False), k)


def plain_folds(rng: Generator, cohort: Cohort, k: int) -> Folds | None:
    """KFold, shuffled or not."""
    cases = len(cohort.labels)
    if cases < k:
        return None
    order = rng.permutation(cases) if rng.random() < 0.7 else np.arange(cases)
    return np.array_split(order, k)


def leave_one_out(rng: Generator, cohort: Cohort, k: int) -> Folds | None:
    """Every case a fold of its own."""
    cases = len(cohort.labels)
    return list(np.arange(cases)[:, None]) if 2 <= cases <= 60 else None


def shuffle_split(rng: Generator, cohort: Cohort, k: int) -> Folds | None:
    """ShuffleSplit: random test sets that may overlap."""
    cases = len(cohort.labels)
    size = -(-cases // 5)
    return [rng.permutation(cases)[:size] for _ in range(k)] if cases > 1 else None


def stratified_shuffle_split(rng: Generator, cohort: Cohort, k: int) -> Folds | None:
    """StratifiedShuffleSplit of a quarter of the cases."""
    from sklearn.model_selection import StratifiedShuffleSplit

    if min(cohort.p, cohort.n) < 2 or len(cohort.labels) < 8:
        return None
    splitter = StratifiedShuffleSplit(k, test_size=0.25, random_state=int(rng.integers(2**31)))
    return [test for _, test in splitter.split(cohort.labels, cohort.labels)]


Make = Callable[[Generator, Cohort, int], Folds | None]
MAKES: dict[str, Make] = {
    "StratifiedKFold": scikit_learn_stratified,
    "StratifiedKFold before 0.22": old_stratified,
    "stratified by another tool": other_stratified,
    "KFold": plain_folds,
    "leave-one-out": leave_one_out,
    "ShuffleSplit": shuffle_split,
    "StratifiedShuffleSplit": stratified_shuffle_split,
}
_CHANCES = (0.3, 0.12, 0.12, 0.24, 0.07, 0.08, 0.07)
STRATIFIED = frozenset(["StratifiedKFold", "StratifiedKFold before 0.22", "stratified by another tool"])
RANDOM_SPLITS = frozenset(["ShuffleSplit", "StratifiedShuffleSplit"])
REPEATABLE = STRATIFIED | {"KFold"}


def design(rng: Generator, cohort: Cohort) -> Design | None:
    """A random design; None where the data do not allow it."""
    way = rng.choice(4, p=(0.4, 0.1, 0.45, 0.05))
    return (one_test_set, large_test_set, cross_validation, several_data_sets)[way](rng, cohort)
