"""Audits to report on: real answers on published rows, with explanations in the form the audit gives them.

The vessel table has made-up methods on the DRIVE test images; the second table is Rainio, Teuho and Klén (2024,
doi:10.1038/s41598-024-56706-x), Table 4, whose row InceptionV3 has shifted columns.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import scoreproof as sp
from scoreproof.catalog import entry
from scoreproof.checking.answer import Fit, Tried
from scoreproof.documents import Position, Span, Table
from scoreproof.insight.conflicts import Conflict
from scoreproof.insight.explanation import Explanation, TableExplanation
from scoreproof.insight.repairs import Change, Repair, Slip
from scoreproof.insight.strength_of_pass import Strength
from scoreproof.kinds.average import printed_average
from scoreproof.kinds.order import said_best
from scoreproof.papers.result import (
    Answered,
    AuditResult,
    CellText,
    ClaimResult,
    Outcome,
    RowResult,
    TableCheck,
    TableResult,
)

WORST = {sp.Verdict.CONSISTENT: 0, sp.Verdict.UNDECIDED: 1, sp.Verdict.INCONSISTENT: 2}


def reading(label: str, experiment: sp.Experiment, scores: Mapping[str, str], **options: Any) -> Answered:
    """A row under one reading of its experiment, answered."""
    return Answered(label, sp.check(experiment, scores, **options, strict=True))


def undecided(answered: Answered, reason: str) -> Answered:
    """The same, as if the time had not sufficed."""
    answer = replace(answered.answer, verdict=sp.Verdict.UNDECIDED, witness=None, proof=None, reason=reason)
    return replace(answered, answer=answer)


def average(name: str, rows: Sequence[str], printed: str, line: int) -> TableCheck:
    """A printed average against printed rows; it stands in this line of the table."""
    answer = sp.ask(printed_average(name, rows, printed))
    fits = answer.verdict is sp.Verdict.CONSISTENT
    words = f"mean {name}: {printed} {'fits the rows' if fits else f'does not fit: {answer.reason}'}"
    return TableCheck(f"mean {name}", answer, words, (line,))


def strength(share: float) -> Strength:
    """A test that lets this share of similar reports pass."""
    return Strength(share, 0.9 * share, 1.1 * share, False, "sample of matrices", 50, 0, 10**12, 0.05)


def row(
    place: tuple[int, int],
    label: str,
    cells: Sequence[CellText],
    readings: Sequence[Answered],
    **more: Any,
) -> RowResult:
    best = min((answered.verdict for answered in readings), key=lambda verdict: WORST[verdict], default=None)
    outcome = Outcome.NOT_TESTED if best is None else Outcome(str(best))
    return RowResult(
        place[0], place[1], label, "", more.pop("experiment", ""), tuple(cells), outcome, tuple(readings), **more
    )


def plain_table(head: Sequence[str], lines: Sequence[Sequence[str]], **more: Any) -> Table:
    return Table((tuple(head), *(tuple(line) for line in lines)), **more)


def simple(rows: Sequence[tuple[str, Mapping[str, str]]], p: int, n: int, **options: Any) -> TableResult:
    """A table of rows on one test set."""
    names = list(rows[0][1])
    lines = [[label, *(scores[name] for name in names)] for label, scores in rows]
    results = []
    for index, (label, scores) in enumerate(rows):
        cells = [CellText((index + 1, k + 1), name, scores[name], scores[name]) for k, name in enumerate(names)]
        only = reading("as described", sp.TestSet(p, n), scores, **options)
        results.append(row((0, index + 1), label, cells, [only], experiment=f"one test set, p={p}, n={n}"))
    table = plain_table(["Method", *names], lines)
    return TableResult("Table 1", table, tuple(results), {"number": len(rows) * len(names), "missing": 0, "unread": 0})


VESSELS = [
    ("U-Net", "DRIVE", ["0.9494", "0.7450", "0.9793", "0.9772", "1.2"]),
    ("VesselNet-β", "DRIVE", ["0.9633", "0.7406", "0.9849", "0.9801", "3.4"]),
    ("Deep & Thin", "DRIVE", ["0.9494", "0.9450", "0.9793", "0.9912", "2.0"]),
    ("Ours", "DRIVE", ["0.9651", "0.7812", "n.a.†", "0.9830", "0.8"]),
]


@cache
def vessel_table() -> TableResult:
    """Eight readings of the DRIVE test images, two header rows, spans, bold type, an unread and untested cells."""
    head = [("Method", "Data", "Performance", "Performance", "Performance", "Performance", "Cost")]
    head.append(("Method", "Data", "Acc", "Sens", "Spec", "AUC", "Time (s)"))
    lines = [(name, data, *values) for name, data, values in VESSELS]
    spans = (Span(0, 0, 2, 1), Span(0, 1, 2, 1), Span(0, 2, 1, 4), Span(2, 1, 4, 1))
    table = Table(
        (*head, *lines),
        2,
        "Vessel segmentation on the test images of DRIVE. Bold: best.",
        Position(0, page=7),
        "vessels.tex",
        "latex",
        spans,
        frozenset({(5, 2), (4, 3)}),
        ("one \\multirow was closed by the end of the table",),
    )
    wanted = entry("drive").readings(annotator="1")
    results = []
    for index, (name, _, values) in enumerate(VESSELS):
        texts = {"acc": values[0], "sens": values[1], "spec": values[2]}
        scores = {score: text for score, text in texts.items() if text[0].isdigit()}
        cells = [CellText((index + 2, 2 + k), score, text, text) for k, (score, text) in enumerate(scores.items())]
        tried = [reading(known.label, known.experiment, scores, eps="0.0001") for known in wanted]
        results.append(
            row(
                (0, index + 2),
                name,
                cells,
                tried,
                experiment="the 20 test images of DRIVE, first annotator",
                strength=strength(0.00025),
                explanation=_drive_explanation(tried[0].label) if name.startswith("Deep") else None,
            )
        )
    return TableResult(
        "Table 2",
        table,
        tuple(results),
        {"number": 11, "counts": 0, "missing": 0, "unread": 1},
        ("Acc, Sens and Spec are fractions: no value is above 1",),
        ({"row": 5, "column": 4, "raw": "n.a.†", "why": "not a number"},),
        ("AUC", "Time (s)"),
        explanation=TableExplanation(tuple(name for name, *_ in VESSELS), ("Deep & Thin",), (), 1),
    )


def _drive_explanation(reading: str) -> Explanation:
    printed = "acc = 0.9494, sens = 0.9450, spec = 0.9793"
    return Explanation(
        sp.Verdict.INCONSISTENT,
        printed,
        "the 20 test images of DRIVE",
        conflicts=(
            Conflict(
                ("acc", "sens", "spec"),
                "acc 0.9494, sens 0.9450 and spec 0.9793 cannot stand together. With sens 0.9450 and spec 0.9793, acc "
                "would lie between 0.97470 and 0.97504, not 0.9494",
            ),
        ),
        repairs=(Repair(Slip.DIGIT, (Change("sens", "0.9450", "0.7450"),), None, 4.1),),
        hypotheses=(
            Tried("swapped", "sensitivity and specificity exchanged", Fit.DOES_NOT_FIT, tried=1),
            Tried("parts", "only a part of the images evaluated", Fit.FITS, ("the first 10 images",), tried=3),
        ),
        untried=("changes of two digits at once",),
        reading=reading,
        numbers=3,
    )


RAINIO = [
    ("InceptionV3", {"acc": "0.732", "sens": "0.753", "spec": "0.710", "ppv": "0.722", "f1": "0.463", "kappa": "0.464", "mcc": "0.737"}),
    ("rotated back", {"acc": "0.732", "sens": "0.753", "spec": "0.710", "ppv": "0.722", "f1": "0.737", "kappa": "0.463", "mcc": "0.464"}),
]  # fmt: skip


@cache
def example() -> AuditResult:
    """Three tables with all outcomes, claims, and checks inside a table."""
    rainio = simple(RAINIO, 300, 300)
    moved = (Change("f1", "0.463", "0.737"), Change("kappa", "0.464", "0.463"), Change("mcc", "0.737", "0.464"))
    explanation = Explanation(
        sp.Verdict.INCONSISTENT,
        ", ".join(f"{name} = {text}" for name, text in RAINIO[0][1].items()),
        "one test set, p=300, n=300",
        conflicts=(Conflict(("spec", "f1"), "spec 0.710 and f1 0.463 cannot stand together"),),
        repairs=(Repair(Slip.SHIFTED, moved, rainio.rows[1].readings[0].answer.witness, 1.9),),
        numbers=7,
    )
    first = replace(rainio.rows[0], explanation=explanation, strength=strength(3e-7))
    rainio = replace(rainio, name="Table 4", rows=(first, *rainio.rows[1:]), fits_all=())
    typo = simple([("as printed", {"acc": "0.6801", "npv": "0.9401", "f1": "0.4004"})], 1000, 6000)
    slow = replace(
        typo.rows[0],
        row=2,
        label="large mean",
        outcome=Outcome.UNDECIDED,
        readings=(undecided(typo.rows[0].readings[0], "5 s were not enough"),),
        cells=tuple(cell._replace(place=(2, cell.place[1])) for cell in typo.rows[0].cells),
    )
    failed = RowResult(
        2, 3, "fold 3", "", "", tuple(cell._replace(place=(3, cell.place[1])) for cell in typo.rows[0].cells),
        Outcome.ERROR, error="acc: expected a number, got 1.7.2",
    )  # fmt: skip
    lines = [
        ["as printed", "0.6801", "0.9401", "0.4004"],
        ["large mean", "0.6801", "0.9401", "0.4004"],
        ["fold 3", "1.7.2", "0.9401", "0.4004"],
    ]
    mixed = replace(
        typo,
        name="Table 5",
        table=plain_table(["Row", "Acc", "NPV", "F1"], lines, caption="Folds and their average"),
        rows=(typo.rows[0], slow, failed),
        checks=(average("acc", ["0.90", "0.92", "0.95"], "0.97", 4), average("f1", ["0.40", "0.41"], "0.40", 4)),
    )
    best = sp.ask(said_best("U-Net", "acc", {"U-Net": "0.9494", "Ours": "0.9651"}))
    claims = (
        ClaimResult("U-Net is the best method", False, "by accuracy the row Ours is higher", best),
        ClaimResult("the difference is significant", None, "the tables do not say how many runs there were"),
    )
    return AuditResult("Retinal vessels, revisited", "vessels.tex", (vessel_table(), rainio, mixed), claims)


def many(number: int, wrong: int) -> AuditResult:
    """A table of so many rows, some of them inconsistent; checked once each, then repeated."""
    bad = simple([("bad", {"acc": "0.6801", "npv": "0.9401", "f1": "0.4004"})], 1000, 6000).rows[0]
    good = simple([("good", {"acc": "0.6821", "npv": "0.9401", "f1": "0.4004"})], 1000, 6000).rows[0]
    rows = []
    for index in range(number):
        like = bad if index * wrong // number != (index + 1) * wrong // number else good
        cells = tuple(cell._replace(place=(index + 1, cell.place[1])) for cell in like.cells)
        rows.append(replace(like, row=index + 1, label=f"method {index}", cells=cells))
    lines = [[made.label, *(cell.raw for cell in made.cells)] for made in rows]
    table = plain_table(["Method", "acc", "npv", "f1"], lines)
    return AuditResult("Many", "many.csv", (TableResult("Table 1", table, tuple(rows), {"number": 3 * number}),))
