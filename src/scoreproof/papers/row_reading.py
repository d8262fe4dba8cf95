"""How one row's scores may have come about, what the row itself says of that, and the options it is asked with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from scoreproof.kinds.binary.experiment import MeanOfScores, ScoreOfMeans, TestSet
from scoreproof.kinds.multi_class.experiment import MultiClass
from scoreproof.kinds.unknown_classes.experiment import UnknownClasses
from scoreproof.papers.specification.model import OptionsModel, TableModel
from scoreproof.papers.table_semantics import Counts, Report, RowKind, Value
from scoreproof.quantities import quantity
from scoreproof.reported import Conventions
from scoreproof.reported.conventions import told


@dataclass(slots=True, unsafe_hash=True)  # not frozen: each row has one, made thrice as fast so
class RowReading:
    """One way to understand how a row's scores came about."""

    label: str
    experiment: Any  # of some kind, which it names
    assumed: str = ""  # what is taken for granted, where nobody is sure


OF_CLASS = RowReading(
    "a class against all others, sizes unknown", UnknownClasses(), "the scores are of one class in one test set"
)


def cases_of(experiment: Any) -> int | None:
    """The number of cases of one test set, where it is known."""
    if isinstance(experiment, TestSet):
        return experiment.p + experiment.n
    ends = experiment.totals if isinstance(experiment, UnknownClasses) else None
    return ends[0] if ends is not None and ends[0] == ends[1] else None


def with_total(readings: tuple[RowReading, ...], counts: Counts) -> tuple[RowReading, ...]:
    """Readings of unknown classes with the number of cases, or the classes, that the row itself gives."""
    completed = []
    for reading in readings:
        if isinstance(reading.experiment, UnknownClasses):
            cases = cases_of(reading.experiment)
            known = counts if cases is None or counts.total is not None else replace(counts, total=cases)
            whole, total = known.test_set(), known.completed().total
            if whole is not None:
                reading = replace(reading, label="one test set", experiment=whole)
            elif total is not None and total > 0 and not known.completed().conflict:
                of_row = f"the scores are of one test set of the {total:,} cases in its row" if reading.assumed else ""
                words = f"{total} cases as the row says, class counts unknown"
                reading = RowReading(words, UnknownClasses(total), of_row)
        completed.append(reading)
    return tuple(completed)


def from_both_sides(readings: tuple[RowReading, ...]) -> tuple[RowReading, ...]:
    """Columns headed by a class are of this class or, as the specification counts, of the other one."""
    sets = [(each, each.experiment) for each in readings if isinstance(each.experiment, TestSet)]
    turned = [
        replace(each, label=f"{each.label}, the other class positive", experiment=TestSet(test.n, test.p))
        for each, test in sets
        if test.p != test.n
    ]
    return (*readings, *turned)


def over_sets(sets: Sequence[TestSet], way: str, what: str) -> tuple[RowReading, ...]:
    """Means over several sets, or the scores of their added matrices; both where the way is not known."""
    means = RowReading(f"mean of scores over {len(sets)} {what}", MeanOfScores(tuple(sets)))
    adds = RowReading(f"score of means over {len(sets)} {what}", ScoreOfMeans(tuple(sets)))
    return {"mean_of_scores": (means,), "score_of_means": (adds,)}.get(way, (means, adds))


def both_classes(readings: Sequence[RowReading]) -> tuple[RowReading, ...]:
    """The readings that are one test set of two classes, for averages over both: which is positive is all the same."""
    of_both: dict[tuple[int, ...], RowReading] = {}
    for reading in readings:
        if isinstance(reading.experiment, TestSet) and reading.experiment.p and reading.experiment.n:
            counts = tuple(sorted((reading.experiment.p, reading.experiment.n)))
            of_both.setdefault(counts, replace(reading, label="both classes", experiment=MultiClass(counts)))
    return tuple(of_both.values())


def about_counts(report: Report, stated: TestSet | None, counts: TestSet | None, names: Sequence[str]) -> list[str]:
    """What is said of a row with counts of its own beside those that the specification gives."""
    completed = report.counts.completed()
    if completed.conflict:
        return [f"the counts in the row contradict each other ({completed.conflict}) and were not used"]
    if counts is not None and stated not in (None, counts) and report.kind is not RowKind.FOLD:
        others = f"the data set p={stated.p}, n={stated.n}; the row's were used" if stated is not None else ""
        return [f"the row says p={counts.p}, n={counts.n}, {others}"]
    if counts is not None:
        return [f"p={counts.p} and n={counts.n} as the row itself says"] if names else []
    if stated is not None and completed.total is not None and stated.p + stated.n != completed.total:
        return [f"the row says {completed.total} cases, the data set has {stated.p + stated.n}"]
    return []


class TableSettings:
    """What holds for the rows of one table: the paper's options, overruled by the table's, overruled by the column's.

    Rows without anything special share one set of options.
    """

    def __init__(self, paper: OptionsModel, model: TableModel) -> None:
        own, names = model.options, OptionsModel.model_fields
        merged = {name: getattr(paper if getattr(own, name) is None else own, name) for name in names}
        if own.rounding is not None or own.eps is not None:
            merged["rounding" if own.rounding is None else "eps"] = None
        self._brackets: str = merged.pop("brackets") or "ignore"
        self.usual = told({name: value for name, value in merged.items() if value is not None})
        columns = model.columns.items()
        self._columns = {head: of for head, of in columns if of.rounding is not None or of.eps is not None}

    @property
    def rule(self) -> dict[str, str | None]:
        """Rounding or eps of the table."""
        rounding, eps = self.usual.rounding, self.usual.eps
        return {"eps": eps} if isinstance(eps, str) else {"rounding": rounding if isinstance(rounding, str) else None}

    def of(self, values: Sequence[Value]) -> tuple[Conventions, dict[str, str]]:
        """The options and the texts of a row's plain values."""
        scores = {value.score: value.text for value in values}
        special = self._columns or self._brackets != "ignore" or {value.spread_kind for value in values} - {""}
        if len(scores) == len(values) and not special:
            return self.usual, scores
        first = {value.score: value for value in reversed(values)}
        scores = {name: first[name].text for name in scores}
        bracketed = [value for value in first.values() if value.cell.bracket and self._brackets != "ignore"]
        for value in bracketed:
            scores[value.score] = value.cell.text(percent=value.text.endswith("%"), spread=value.cell.bracket)
        kinds = {
            "error" if value.spread_kind == "sem" else "deviation" for value in first.values() if value.spread_kind
        }
        kinds |= {self._brackets} if bracketed else set()
        how = self.usual
        if kinds and how.spread != "ignore":
            how = how.but(spread=kinds.pop() if len(kinds) == 1 else "ignore")
        return self.by_name({quantity(name).name: first[name] for name in scores}, how), scores

    def by_name(self, values: Mapping[str, Value], how: Conventions | None = None) -> Conventions:
        """The options with the rounding or eps that columns have of their own, by the names of the scores."""
        how, columns = how or self.usual, self._columns
        heads = {name: value.header for name, value in values.items()}
        own = {name: columns.get(head) or columns.get(head.split(" / ")[-1]) for name, head in heads.items()}
        if not any(own.values()):
            return how
        usual = self.rule.get("rounding"), self.rule.get("eps")
        each = {name: (column.rounding, column.eps) if column else usual for name, column in own.items()}
        rounding = {name: rule for name, (rule, margin) in each.items() if rule is not None and not margin}
        return how.but(
            rounding=rounding, eps={name: margin for name, (_, margin) in each.items() if margin is not None}
        )
