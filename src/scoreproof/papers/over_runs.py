"""Means over several runs on a test set, as ways to read an experiment.

The mean over runs on one known set is a mean over equal parts. Of anything else, and of an unknown number of runs, only
what holds between averages over the same parts is known.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from scoreproof.kinds.binary.experiment import MeanOfScores, TestSet
from scoreproof.kinds.common_average.problem import AverageOf
from scoreproof.papers.row_reading import RowReading


def over_runs(found: Iterable[RowReading], runs: Any) -> list[RowReading]:
    """The readings of an experiment whose scores are means over ``runs``: a number, several, or "unknown"."""
    if runs == "unknown":
        return [RowReading("means over runs, whose number is unknown", AverageOf())]
    made = {one.experiment: one for reading in found for one in _readings(reading, runs)}
    return list(made.values())


def _readings(reading: RowReading, runs: Any) -> Iterator[RowReading]:
    for count in runs if isinstance(runs, list) else [runs]:
        if count == 1:
            yield reading
        elif isinstance(reading.experiment, TestSet):
            over = MeanOfScores((reading.experiment,) * count)
            yield replace(reading, label=f"{reading.label}, mean of {count} runs", experiment=over)
        else:
            yield RowReading(f"means over {count} runs", AverageOf())  # of classes, too, where these are averaged
