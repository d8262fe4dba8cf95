"""The readings of a row once what the row itself says is added: its counts, its class, the folds it averages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from scoreproof.kinds.binary.experiment import MeanOfScores, ScoreOfMeans, TestSet
from scoreproof.kinds.unknown_classes.experiment import UnknownClasses
from scoreproof.papers.row_reading import RowReading
from scoreproof.papers.table_semantics import Counts, Report, RowKind


def with_total(readings: tuple[RowReading, ...], counts: Counts) -> tuple[RowReading, ...]:
    """Readings of unknown classes with the number of cases, or the classes, that the row itself gives."""
    found = []
    for reading in readings:
        test = reading.experiment
        if isinstance(test, UnknownClasses):
            cases = _exactly(test)
            known = counts if cases is None or counts.total is not None else replace(counts, total=cases)
            whole, total = known.test_set(), known.completed().total
            if whole is not None:
                reading = replace(reading, label="one test set", experiment=whole)
            elif total is not None and total > 0 and not known.completed().conflict:
                words = f"{total} cases as the row says, class counts unknown"
                of_row = f"the scores are of one test set of the {total:,} cases in its row" if reading.assumed else ""
                reading = replace(reading, label=words, experiment=UnknownClasses(total), assumed=of_row)
        found.append(reading)
    return tuple(found)


def from_both_sides(readings: tuple[RowReading, ...]) -> tuple[RowReading, ...]:
    """Columns headed by a class are of this class or, as the specification counts, of the other one."""
    turned = [
        replace(
            one, label=f"{one.label}, the other class positive", experiment=TestSet(one.experiment.n, one.experiment.p)
        )
        for one in readings
        if isinstance(one.experiment, TestSet) and one.experiment.p != one.experiment.n
    ]
    return (*readings, *turned)


def over_folds(folds: Sequence[TestSet], ways: set[str]) -> tuple[RowReading, ...]:
    found = []
    if ways != {"score_of_means"}:
        found.append(RowReading(f"mean of scores over the {len(folds)} folds", MeanOfScores(tuple(folds))))
    if ways != {"mean_of_scores"}:
        found.append(RowReading(f"score of means over the {len(folds)} folds", ScoreOfMeans(tuple(folds))))
    return tuple(found)


def is_open(one: Report, scores: Mapping[str, str], readings: Sequence[RowReading]) -> bool:
    """Whether a fold's row says nothing that could be wrong: one score, and neither classes nor cases known."""
    return one.kind is RowKind.FOLD and len(scores) == 1 and all(r.experiment == UnknownClasses() for r in readings)


def _exactly(test: UnknownClasses) -> int | None:
    """How many cases there are, where that is known."""
    ends = test.totals
    return ends[0] if ends is not None and ends[0] == ends[1] else None


def about_counts(one: Report, said: TestSet | None, counts: TestSet | None, names: Sequence[str]) -> list[str]:
    """What is said of a row with counts of its own beside those that the specification gives."""
    completed = one.counts.completed()
    if completed.conflict:
        return [f"the counts in the row contradict each other ({completed.conflict}) and were not used"]
    if counts is not None:
        if said is not None and said != counts and one.kind is not RowKind.FOLD:
            return [
                f"the row says p={counts.p}, n={counts.n}, the data set p={said.p}, n={said.n}; the row's were used"
            ]
        return [f"p={counts.p} and n={counts.n} as the row itself says"] if names else []
    if said is not None and completed.total is not None and said.p + said.n != completed.total:
        return [f"the row says {completed.total} cases, the data set has {said.p + said.n}"]
    return []
