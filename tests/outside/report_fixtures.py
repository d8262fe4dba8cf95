"""Audits to report on: real checks of published rows, with explanations in the form the audit gives them.

The vessel table has made-up methods on the DRIVE test images; the second table is Rainio, Teuho and Klén (2024,
doi:10.1038/s41598-024-56706-x), Table 4, whose row InceptionV3 has shifted columns.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import scoreproof as sp
from scoreproof.audits import AuditResult, CellText, ClaimResult, Outcome, ReadingVerdict, RowResult, TableResult
from scoreproof.catalog import entry
from scoreproof.documents import Position, Span, Table

WORST = {sp.Verdict.CONSISTENT: 0, sp.Verdict.UNDECIDED: 1, sp.Verdict.INCONSISTENT: 2}


def reading(label: str, experiment: sp.Experiment, scores: Mapping[str, str], **options: Any) -> ReadingVerdict:
    """One reading of a row, checked."""
    found = sp.check(experiment, scores, **options)
    return ReadingVerdict(
        label,
        str(experiment),
        found.verdict,
        found.statement(),
        found.reason,
        None if found.witness is None else found.witness.to_dict(),
        found.certificate,
    )


def row(
    place: tuple[int, int],
    label: str,
    cells: Sequence[CellText],
    readings: Sequence[ReadingVerdict],
    **more: Any,
) -> RowResult:
    best = min((one.verdict for one in readings), key=lambda verdict: WORST[verdict], default=None)
    outcome = Outcome.UNTESTED if best is None else Outcome(str(best))
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
        tried = [reading(one.label, one.experiment, scores, eps="0.0001") for one in wanted]
        results.append(
            row(
                (0, index + 2),
                name,
                cells,
                tried,
                experiment="the 20 test images of DRIVE, first annotator",
                strength={
                    "fraction": 0.00025,
                    "exact": False,
                    "words": "about 1 in 4,000 reports like this would pass",
                },
                explanation=_drive_explanation() if name.startswith("Deep") else None,
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
        (),
        (),
        {
            "rows": ["Deep & Thin"],
            "hypotheses": [
                {
                    "name": "swapped",
                    "label": "sensitivity and specificity exchanged",
                    "words": "",
                    "fits": [],
                    "open": [],
                }
            ],
            "explains_all": [],
            "words": "no other assumption that was tried explains the inconsistent row",
        },
    )


def _drive_explanation() -> dict[str, Any]:
    return {
        "summary": "acc, sens and spec exclude each other: accuracy lies between sensitivity and specificity, weighted by "
        "the classes",
        "conflicts": [
            {
                "scores": ["acc", "sens", "spec"],
                "words": "sens 0.9450 and spec 0.9793 force an accuracy of at least 0.9747, but 0.9494 is printed",
                "identity": "acc = (p sens + n spec) / (p + n)",
                "certificate": None,
            }
        ],
        "repairs": [
            {
                "changes": [{"score": "sens", "from": "0.9450", "to": "0.7450"}],
                "slip": "one digit changed",
                "words": "with sens 0.7450 the row is consistent in the field of view",
                "witness": {},
            }
        ],
        "hypotheses": [
            {
                "name": "swapped",
                "label": "sensitivity and specificity exchanged",
                "answer": "does not fit",
                "words": "exchanged, the accuracy would be near 0.9494 only for another share of vessels",
            }
        ],
        "proved": ["no counts on the 20 images give the three scores under any of the four readings"],
        "conjectured": ["one digit of sens may be a slip: 0.7450 would fit"],
        "complete": False,
        "untried": ["changes of two digits at once"],
        "experiment": "the 20 test images of DRIVE",
    }


RAINIO = [
    ("InceptionV3", {"acc": "0.732", "sens": "0.753", "spec": "0.710", "ppv": "0.722", "f1": "0.463", "kappa": "0.464", "mcc": "0.737"}),
    ("rotated back", {"acc": "0.732", "sens": "0.753", "spec": "0.710", "ppv": "0.722", "f1": "0.737", "kappa": "0.463", "mcc": "0.464"}),
]  # fmt: skip


@cache
def example() -> AuditResult:
    """Three tables with all outcomes, claims, and checks inside a table."""
    rainio = simple(RAINIO, 300, 300)
    first = replace(
        rainio.rows[0],
        explanation={
            "summary": "f1 and spec exclude each other",
            "conflicts": [
                {
                    "scores": ["spec", "f1"],
                    "words": "with spec 0.710 no count of true positives gives f1 0.463",
                    "identity": "",
                    "certificate": None,
                }
            ],
            "repairs": [
                {
                    "changes": [
                        {"score": "f1", "from": "0.463", "to": "0.737"},
                        {"score": "kappa", "from": "0.464", "to": "0.463"},
                        {"score": "mcc", "from": "0.737", "to": "0.464"},
                    ],
                    "slip": "three columns shifted by one",
                    "words": "with f1, kappa and mcc moved by one column the row is consistent",
                }
            ],
        },
        strength={"fraction": 3e-7, "words": "about 1 in 3 million reports like this would pass"},
    )
    rainio = replace(rainio, name="Table 4", rows=(first, *rainio.rows[1:]), fits_all=())
    typo = simple([("as printed", {"acc": "0.6801", "npv": "0.9401", "f1": "0.4004"})], 1000, 6000)
    undecided = replace(
        typo.rows[0],
        row=2,
        label="large mean",
        outcome=Outcome.UNDECIDED,
        readings=(
            replace(
                typo.rows[0].readings[0], verdict=sp.Verdict.UNDECIDED, certificate=None, reason="5 s were not enough"
            ),
        ),
        cells=tuple(one._replace(place=(2, one.place[1])) for one in typo.rows[0].cells),
    )
    failed = RowResult(
        2, 3, "fold 3", "", "", tuple(one._replace(place=(3, one.place[1])) for one in typo.rows[0].cells),
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
        rows=(typo.rows[0], undecided, failed),
        checks=(
            {
                "words": "average of acc: 0.94 does not fit the rows, which give 0.918 to 0.928",
                "verdict": "inconsistent",
            },
            {"words": "average of f1: 0.40 fits the rows", "verdict": "consistent"},
        ),
    )
    claims = (
        ClaimResult("U-Net is the best method", False, "by accuracy the row Ours is higher"),
        ClaimResult("the difference is significant", None, "the tables do not say how many runs there were"),
    )
    return AuditResult("Retinal vessels, revisited", "vessels.tex", (vessel_table(), rainio, mixed), claims)


HOSTILE = [
    '<script>alert(1)</script><img src=x onerror="document.title=1">',
    "\"><svg onload=alert(2)>' onmouseover='alert(3)",
    "</script><script>document.title='taken'</script>",
    "\u202e0.68\u202c\u200f\x00\x07",
    "A" * 100_000,
    "<!--<script>", "]]>&lt;&#x27;\\u003c",
    "{{7*7}} ${x} \\input{/etc/passwd} %",
]  # fmt: skip


@cache
def hostile() -> AuditResult:
    """Every text of a result is one that wants to be markup."""
    rows: list[RowResult] = []
    good = {"acc": "0.6801", "npv": "0.9401", "f1": "0.4004"}
    only = reading("x", sp.TestSet(1000, 6000), good)
    for index, bad in enumerate(HOSTILE):
        explanation = {
            "summary": bad,
            "conflicts": [{"scores": ["acc", bad], "words": bad, "identity": bad}],
            "repairs": [{"changes": [{"score": bad, "from": bad, "to": bad}], "slip": bad, "words": bad}],
            "hypotheses": [{"name": bad, "label": bad, "answer": bad, "words": bad}],
            "proved": [bad],
            "conjectured": [bad],
            "untried": [bad],
            "complete": False,
        }
        certificate = {**(only.certificate or {}), "note": bad}
        cells = [CellText((index + 1, k + 1), name, bad, text) for k, (name, text) in enumerate(good.items())]
        rows.append(
            row(
                (0, index + 1), bad, cells, [replace(only, label=bad, words=bad, reason=bad, certificate=certificate)],
                experiment=bad, explanation=explanation, strength={"words": bad}, notes=(bad,),
            )
        )  # fmt: skip
        rows[-1] = replace(rows[-1], group=bad)
    table = plain_table(
        ["Method", "acc", "npv", HOSTILE[0]], [[bad, bad, bad, bad] for bad in HOSTILE], caption=HOSTILE[1], source=HOSTILE[2],
        notes=(HOSTILE[0],),
    )  # fmt: skip
    result = TableResult(
        HOSTILE[0], table, tuple(rows), {"number": 1, "unread": 1}, tuple(HOSTILE),
        ({"row": 1, "column": 0, "raw": HOSTILE[0], "why": HOSTILE[1]},), (HOSTILE[0],),
        ({"words": HOSTILE[0], "verdict": "inconsistent"},), (HOSTILE[2],),
        {"rows": [HOSTILE[0]], "hypotheses": [{"label": HOSTILE[0], "words": HOSTILE[1], "fits": [HOSTILE[0]], "open": []}], "words": HOSTILE[0]},
    )  # fmt: skip
    return AuditResult(
        HOSTILE[0], HOSTILE[2], (result,), (ClaimResult(HOSTILE[1], False, HOSTILE[0]),), version=HOSTILE[0]
    )


def many(number: int, wrong: int) -> AuditResult:
    """A table of so many rows, some of them inconsistent; checked once each, then repeated."""
    bad = simple([("bad", {"acc": "0.6801", "npv": "0.9401", "f1": "0.4004"})], 1000, 6000).rows[0]
    good = simple([("good", {"acc": "0.6821", "npv": "0.9401", "f1": "0.4004"})], 1000, 6000).rows[0]
    rows = []
    for index in range(number):
        one = bad if index * wrong // number != (index + 1) * wrong // number else good
        cells = tuple(cell._replace(place=(index + 1, cell.place[1])) for cell in one.cells)
        rows.append(replace(one, row=index + 1, label=f"method {index}", cells=cells))
    lines = [[one.label, *(cell.raw for cell in one.cells)] for one in rows]
    table = plain_table(["Method", "acc", "npv", "f1"], lines)
    return AuditResult("Many", "many.csv", (TableResult("Table 1", table, tuple(rows), {"number": 3 * number}),))
