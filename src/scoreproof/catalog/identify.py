"""Which readings of a known experiment a report is consistent with.

In Fazekas and Kovács (2024, doi:10.1016/j.asoc.2024.111993, section 5.1) this reveals whether a paper on retinal
vessels evaluated the field of view or all pixels, although it does not say so.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Self, Unpack

from scoreproof.catalog.entry import Entry, Reading
from scoreproof.catalog.files import entry as find
from scoreproof.checking import Answer, Verdict
from scoreproof.checking.check import check
from scoreproof.errors import InvalidOption
from scoreproof.jsonable import document
from scoreproof.kinds import fitted
from scoreproof.kinds.binary.experiment import sums_matrices
from scoreproof.quantities import CURVE
from scoreproof.reported import Conventions, read_scores
from scoreproof.reported.conventions import Spread, Stated, spelled, told
from scoreproof.results import SmallTable, Tabular


@dataclass(frozen=True, slots=True)
class Identification(Tabular):
    """The verdict under every reading of an entry.

    ``left_out`` are the readings the report cannot be about: it has a ± or extremes over parts, and they have none.
    """

    entry: str
    results: tuple[tuple[Reading, Answer[Any, Any]], ...]
    left_out: tuple[Reading, ...] = ()

    def readings(self, verdict: str | Verdict) -> tuple[Reading, ...]:
        """The readings with this verdict."""
        return tuple(reading for reading, result in self.results if result.verdict == verdict)

    @property
    def verdict(self) -> Verdict:
        """Consistent if a reading is, inconsistent if none can be; else a question or undecided."""
        verdicts = {result.verdict for _, result in self.results}
        for verdict in (Verdict.CONSISTENT, Verdict.QUESTION, Verdict.UNDECIDED):
            if verdict in verdicts:
                return verdict
        return Verdict.INCONSISTENT

    def to_dict(self) -> dict[str, Any]:
        return {
            "entry": self.entry,
            "verdict": str(self.verdict),
            "readings": [
                document(reading, "*", verdict=answer.verdict, reason=answer.reason, answer=answer)
                for reading, answer in self.results
            ],
            "left_out": [reading.to_dict() for reading in self.left_out],
        }

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> Self:
        return cls(
            document["entry"],
            tuple((Reading.from_dict(entry), Answer.from_dict(entry["answer"])) for entry in document["readings"]),
            tuple(map(Reading.from_dict, document["left_out"])),
        )

    def _rows(self) -> list[dict[str, Any]]:
        return [
            {"reading": reading.label, **reading.choices, "verdict": str(answer.verdict), "reason": answer.reason}
            for reading, answer in self.results
        ]

    def __str__(self) -> str:
        parts = []
        for verdict in Verdict:
            labels = [reading.label for reading in self.readings(verdict)]
            if labels:
                parts.append(f"{verdict} with {'; '.join(labels)}")
        if self.left_out:
            parts.append(f"left out, being one matrix: {'; '.join(reading.label for reading in self.left_out)}")
        return f"{self.entry}: {'. '.join(parts)}"

    def _said(self) -> str:
        fits = self.readings(Verdict.CONSISTENT)
        labels = "; ".join(reading.label for reading in self.left_out)
        left = f"; left out, being one matrix: {labels}" if labels else ""
        sentence = {
            Verdict.CONSISTENT: f"the report fits {len(fits)} of {len(self.results)} readings",
            Verdict.INCONSISTENT: "the report fits none of the readings: the numbers, or the data they came from, are "
            "not as printed",
            Verdict.QUESTION: "no reading fits as stated; with a convention that nobody stated one may",
        }.get(self.verdict, "no reading fits so far, but not all were decided; this is no sign of a mistake")
        return f"{self.entry}: {sentence}{left}"

    def _tables(self) -> list[SmallTable]:
        return [
            SmallTable([(reading.label, answer.verdict) for reading, answer in self.results], ("reading", "verdict"))
        ]


class IdentifyOptions(Stated, total=False):
    """Conventions of the check, and how long it may take."""

    budget: float
    seed: int


@spelled(budget=30.0, seed=0)
def identify(
    entry: str | Entry,
    scores: Mapping[str, Any],
    *,
    items: Iterable[str] | None = None,
    folds: int | None = None,
    repeats: int = 1,
    chosen: Mapping[str, str] | None = None,
    **options: Unpack[IdentifyOptions],
) -> Identification:
    """Check a report under every usual reading of a catalogue entry.

    ``chosen`` fixes axes of the entry, ``items`` single images; ``minimum`` and ``maximum`` are the reported extremes
    over the images, batches or folds, and the others are those of ``check``. A reading that adds all matrices has no
    extremes and no ±: if the report has, it is left out.

    >>> result = identify("drive", {"acc": "0.9633", "sens": "0.7406", "spec": "0.9849"}, items=["01"], eps="0.0001",
    ...                  chosen={"annotator": "1"})
    >>> [reading.choices["region"] for reading in result.readings("consistent")]
    ['all']
    """
    known = find(entry) if isinstance(entry, str) else entry
    readings = known.readings(items=items, folds=folds, repeats=repeats, **dict(chosen or {}))
    wanted: tuple[Reading, ...] = readings
    how = told({name: value for name, value in options.items() if name not in ("budget", "seed")})
    if how.minimum or how.maximum or _has_deviations(scores, how):
        wanted = tuple(reading for reading in readings if not sums_matrices(reading.experiment))
    if not wanted:
        raise InvalidOption(
            f"{known.name}: the report has a ±, minimum or maximum, which speak of parts, but every reading of this "
            "selection is one matrix; leave them out, or select several images (or folds)"
        )
    results = tuple((reading, _checked(reading, scores, options)) for reading in wanted)
    return Identification(known.name, results, tuple(reading for reading in readings if reading not in wanted))


def _checked(reading: Reading, scores: Mapping[str, Any], options: IdentifyOptions) -> Answer[Any, Any]:
    """The answer on a reading; scores that it leaves open (an AUC of matrices that are added up) are noted."""
    fit = fitted(reading.experiment, scores)
    if not fit.left_out or not fit.scores:
        return check(reading.experiment, scores, **options)
    answer = check(reading.experiment, fit.scores, **options)
    return replace(
        answer, notes=(*answer.notes, *(f"{name} was not used: {why}" for name, why in fit.left_out.items()))
    )


def _has_deviations(scores: Mapping[str, Any], how: Conventions) -> bool:
    """Whether a score is reported with a ± that is to be believed."""
    if how.spread is Spread.IGNORE:
        return False
    plain = {name: value for name, value in scores.items() if CURVE.find(name) is None}
    return bool(plain) and any(claim.spread is not None for claim in read_scores(plain, how))
