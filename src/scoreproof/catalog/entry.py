"""A known experiment: evaluation sets with their class counts, and the ways papers usually read them.

Fazekas and Kovács (2024, doi:10.1016/j.asoc.2024.111993, section 5.1) identify the evaluation region of papers on
retinal vessels by testing every usual reading: field of view or all pixels, and for each of them the mean of scores
over the images or the score of the added-up matrices. An entry knows its readings; which of them a report fits is
decided elsewhere.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Self

from scoreproof.errors import InvalidOption
from scoreproof.jsonable import Jsonable, document, rebuilt
from scoreproof.kinds.binary.experiment import (
    Aggregation,
    Experiment,
    KFold,
    MeanOfScores,
    ScoreOfMeans,
    TestSet,
    experiment_from_dict,
)
from scoreproof.markup import html_list
from scoreproof.results import Result

ANY = "*"


@dataclass(frozen=True, slots=True)
class Axis(Jsonable):
    """A way in which evaluation sets differ.

    On a *select* axis the paper says what it used (the test images), or the default holds; ``*`` takes all values
    together. On a *reading* axis papers are often silent, so every value is a reading of its own.
    """

    name: str
    use: str
    values: Mapping[str, str]
    default: str | None = None


@dataclass(frozen=True, slots=True)
class KnownSet:
    """The class counts of one item (an image, a batch) at one place on every axis."""

    item: str
    at: Mapping[str, str]
    p: int
    n: int

    def test_set(self) -> TestSet:
        return TestSet(self.p, self.n)


@dataclass(frozen=True, slots=True)
class Reading(Result):
    """One way to understand what was evaluated: the choices made, and the experiment they give."""

    entry: str
    choices: Mapping[str, str]
    label: str
    experiment: Experiment

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> Self:
        return rebuilt(cls, {**document, "experiment": experiment_from_dict(document["experiment"])})

    def __str__(self) -> str:
        return f"{self.entry}: {self.label}"


@dataclass(frozen=True, slots=True)
class Entry:
    """A catalogue entry.

    >>> from scoreproof.catalog import entry
    >>> drive = entry("DRIVE")
    >>> len(drive.readings()), drive.readings(items=["01"], region="fov", annotator="1")[0].experiment
    (8, TestSet(p=29412, n=194965))
    """

    name: str
    title: str
    task: str
    citation: str
    item: str
    axes: tuple[Axis, ...]
    sets: tuple[KnownSet, ...]
    notes: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    source: str = ""

    def axis(self, name: str) -> Axis:
        """The axis of this name; an error that lists the axes otherwise."""
        for axis in self.axes:
            if axis.name == name:
                return axis
        known = ", ".join(axis.name for axis in self.axes) or "none"
        raise InvalidOption(f"{self.name}: it has no axis {name!r}; its axes are: {known}")

    def items(self, **chosen: str) -> tuple[str, ...]:
        """The names of the items in a selection."""
        return tuple(dict.fromkeys(known.item for known in self._selected(self._choices(chosen))))

    def readings(
        self,
        *,
        items: Iterable[str] | None = None,
        folds: int | None = None,
        repeats: int = 1,
        **chosen: str,
    ) -> tuple[Reading, ...]:
        """Every usual reading of a selection.

        ``chosen`` fixes axes by name; select axes not named take their default, reading axes all their values.
        ``items`` names single images. With ``folds``, an entry that is one data set is read as cross-validation.
        """
        choices = self._choices(chosen)
        wanted = self._wanted(items, choices)
        open_axes = [axis for axis in self.axes if axis.use == "reading" and axis.name not in choices]
        complete = {known.item for known in self._selected(choices)} if wanted is None else wanted
        readings: list[Reading] = []
        for values in itertools.product(*(axis.values for axis in open_axes)):
            here = choices | dict(zip((axis.name for axis in open_axes), values, strict=True))
            sets = [known for known in self._selected(here) if wanted is None or known.item in wanted]
            # A reading must cover all the items: the second annotator of DRIVE marked half of them.
            if {known.item for known in sets} != complete:
                continue
            readings += self._aggregated(sets, here, folds, repeats)
        if not readings:
            raise InvalidOption(f"{self.name}: nothing is known about this selection ({_shown(choices)})")
        return tuple(readings)

    def counts(self, **chosen: str) -> tuple[int, int]:
        """The positives and negatives of a selection in all; reading axes with several values must be fixed."""
        choices = self._choices(chosen)
        for axis in self.axes:
            if axis.name not in choices and len(axis.values) == 1:
                choices[axis.name] = next(iter(axis.values))
            elif axis.name not in choices:
                raise InvalidOption(f"{self.name}: say which {axis.name}: {', '.join(axis.values)}")
        sets = self._selected(choices)
        return sum(known.p for known in sets), sum(known.n for known in sets)

    def _choices(self, chosen: Mapping[str, str]) -> dict[str, str]:
        choices = {axis.name: axis.default for axis in self.axes if axis.use == "select" and axis.default is not None}
        for name, value in chosen.items():
            axis = self.axis(name)
            text = str(value)
            if text not in axis.values and not (text == ANY and axis.use == "select"):
                raise InvalidOption(
                    f"{self.name}: {name} must be one of {', '.join(axis.values)}"
                    f"{' or *' if axis.use == 'select' else ''}; got {value!r}"
                )
            choices[name] = text
        return choices

    def _wanted(self, items: Iterable[str] | None, choices: Mapping[str, str]) -> set[str] | None:
        if items is None:
            return None
        if isinstance(items, str):
            items = [items]
        known = {known.item for known in self._selected(choices)}
        wanted = {str(item) for item in items}
        unknown = sorted(wanted - known)
        if unknown or not wanted:
            shown = ", ".join(sorted(known)[:6]) + (" ..." if len(known) > 6 else "")
            what = ", ".join(unknown) or "nothing"
            raise InvalidOption(f"{self.name}: {self.item} {what} is not in this selection, which has {shown}")
        return wanted

    def _selected(self, choices: Mapping[str, str]) -> list[KnownSet]:
        return [
            known for known in self.sets if all(value in (ANY, known.at.get(name)) for name, value in choices.items())
        ]

    def _aggregated(
        self, sets: list[KnownSet], choices: Mapping[str, str], folds: int | None, repeats: int
    ) -> list[Reading]:
        # An image is in one split only: naming the image says it all.
        own = [known for known in self.sets if len(sets) == 1 and known.item == sets[0].item]
        told = {name: value for name, value in choices.items() if len({known.at[name] for known in own}) != 1}
        words = [self.axis(name).values.get(value, "") for name, value in told.items()]
        if folds is not None and len(sets) != 1:
            raise InvalidOption(
                f"{self.name}: folds are for one data set, but the selection has {len(sets)} {_plural(self.item)}"
            )
        parts = tuple(known.test_set() for known in sets)
        over = f"over {len(parts)} {_plural(self.item)}"
        ways: list[tuple[dict[str, str], list[str], Experiment]]
        if folds is not None:
            ways = [
                ({"folds": str(folds), "aggregation": name}, [*words, how], experiment)
                for name, how, experiment in _cross_validations(sets[0], folds, repeats)
            ]
        elif len(parts) == 1:
            item = sets[0].item
            ways = [({}, [f"{self.item} {item}", *words] if item else [*words, "the whole set"], parts[0])]
        else:
            both = ((Aggregation.MEAN_OF_SCORES, MeanOfScores), (Aggregation.SCORE_OF_MEANS, ScoreOfMeans))
            ways = [({"aggregation": str(how)}, [*words, f"{_spoken(how)} {over}"], made(parts)) for how, made in both]
        return [
            Reading(self.name, {**choices, **more}, ", ".join(filter(None, label)), experiment)
            for more, label, experiment in ways
        ]

    def to_dict(self) -> dict[str, Any]:
        sets = [{"item": known.item, **known.at, "p": known.p, "n": known.n} for known in self.sets]
        return document(self, "name aliases title task citation item axes notes", sets=sets)

    def __str__(self) -> str:
        return f"{self.title} ({self.task}); {self.citation}"

    def _repr_html_(self) -> str:
        axes = (f"{axis.name}: {', '.join(axis.values)}" for axis in self.axes)
        return html_list([self.citation, *axes], self.title)


def _cross_validations(known: KnownSet, folds: int, repeats: int) -> Iterator[tuple[str, str, Experiment]]:
    """The usual cross-validations of one data set; adding up matrices does not depend on stratification."""
    mean, added = Aggregation.MEAN_OF_SCORES, Aggregation.SCORE_OF_MEANS
    times = f"{repeats} times " if repeats > 1 else ""
    for name, how, stratified, aggregation in (
        (f"{mean}, stratified", f"stratified folds, {_spoken(mean)}", True, mean),
        (f"{mean}, unstratified", f"folds without stratification, {_spoken(mean)}", False, mean),
        (str(added), f"folds, {_spoken(added)}", True, added),
    ):
        yield name, f"{times}{folds} {how}", KFold(known.p, known.n, folds, repeats, stratified, aggregation)


def _spoken(aggregation: Aggregation) -> str:
    return str(aggregation).replace("_", " ")


def _plural(word: str) -> str:
    return f"{word}es" if word.endswith(("s", "x", "ch", "sh")) else f"{word}s"


def _shown(choices: Mapping[str, str]) -> str:
    return ", ".join(f"{name}={value}" for name, value in choices.items()) or "everything"
