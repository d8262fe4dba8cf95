"""Findings in plain words, each with the numbers behind it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from scoreproof.kinds.binary.scores import score
from scoreproof.kinds.unknown_classes.ranges import Range
from scoreproof.reinterpretation.chance import CERTAIN, NO, POSSIBLE
from scoreproof.reinterpretation.result import Finding

if TYPE_CHECKING:
    from scoreproof.reinterpretation.result import Reinterpretation

_BARELY = 0.1  # a Matthews correlation that may be no larger is hardly better than chance
_SHOWN_PAIRS = 6
ADVICE = (
    "Publish the confusion matrix of every method (four numbers): every score, cost and comparison follows from it, "
    "and none of the ranges above would be needed."
)


def all_findings(result: Reinterpretation) -> tuple[Finding, ...]:
    """Everything worth saying, the gravest first."""
    found = [
        *_impossible(result),
        *_one_test_set(result),
        *_claimed(result),
        *_chance(result),
        *_dominance(result),
        *_costs(result),
        *_unread(result),
    ]
    ordered = sorted(found, key=lambda one: not one.grave)
    return (*ordered, Finding("advice", ADVICE))


def _impossible(result: Reinterpretation) -> Iterator[Finding]:
    for one in result.readings:
        found = one.reconstruction
        if found is not None and found.verdict == "inconsistent":
            printed = ", ".join(map(str, found.claims))
            yield Finding(
                "impossible", f"{one.name}: no confusion matrix {found.setting()} has {printed}", (one.name,), True
            )
        if one.matrix is not None and one.contradicted:
            wrong = ", ".join(
                f"{given.name} is {given.score.text(*one.matrix.cells, digits=max(1, given.number.digits))}, "
                f"not {given.text}"
                for given in one.contradicted
            )
            yield Finding("contradiction", f"{one.name}: with its matrix ({one.matrix}) {wrong}", (one.name,), True)


def _one_test_set(result: Reinterpretation) -> Iterator[Finding]:
    same = result.same_test_set
    if same is None:
        return
    if same.apart:
        shown = "; ".join(
            f"{one} ({same.prevalences[one]}) and {other} ({same.prevalences[other]})"
            for one, other in same.apart[:_SHOWN_PAIRS]
        )
        more = f" and {len(same.apart) - _SHOWN_PAIRS} more pairs" if len(same.apart) > _SHOWN_PAIRS else ""
        yield Finding(
            "test set",
            f"not all methods were evaluated on the same test set: the prevalence, or the class counts, cannot agree "
            f"for {shown}{more}. Their scores are not comparable as they stand",
            tuple(dict.fromkeys(name for pair in same.apart for name in pair)),
            True,
        )
    elif same.common is not None:
        p, n = same.common
        yield Finding(
            "test set",
            f"one test set is possible for all methods, for example {p} positives and {n} negatives "
            "(that it was one is not proved by this)",
        )
    elif same.searched is not None:
        yield Finding(
            "test set",
            f"the prevalences could agree, but no common class counts were found among totals up to {same.searched}",
        )
    else:
        yield Finding(
            "test set", "no class counts fit all methods at once: they were not tested on one test set", (), True
        )


def _claimed(result: Reinterpretation) -> Iterator[Finding]:
    claim = result.claim
    if claim is None:
        return
    by = result.standing.get(claim.by.name)
    if by is not None and by != CERTAIN:
        how = "not the best" if by == NO else "not certainly the best"
        yield Finding("claim", f"{claim.method} is {how} even by {claim.by.title}", (claim.method,), by == NO)
    rest = {name: standing for name, standing in result.standing.items() if name != claim.by.name}
    words = {
        CERTAIN: f"{claim.method} is certainly the best by",
        POSSIBLE: f"{claim.method} may or may not be the best by",
        NO: f"{claim.method} is certainly not the best by",
    }
    for standing, start in words.items():
        names = [name for name, value in rest.items() if value == standing]
        if names:
            words_on = f"{start} {', '.join(names)}{_winners(result, names, standing)}"
            yield Finding("claim", words_on, (claim.method,))


def _winners(result: Reinterpretation, names: list[str], standing: str) -> str:
    """Who is ahead instead, under the best known of these scores."""
    if standing != NO:
        return ""
    name = next((name for name in ("mcc", "kappa", "bacc") if name in names), names[0])
    assert result.claim is not None
    rows = {row.method: row for row in result.ranks[name]}
    first = result.ranks[name][0]
    own = rows[result.claim.method]
    return f"; by {score(name).title} {first.method} has {first.value} and {own.method} {own.value}"


def _chance(result: Reinterpretation) -> Iterator[Finding]:
    for name, rows in result.baselines.items():
        for one in rows:
            if one.better == NO:
                yield Finding(
                    "chance",
                    f"{name} is no better than the {one.against} classifier by {score(one.score).title}: "
                    f"its lead is {one.lead}, where that classifier has {one.value}",
                    (name,),
                    one.against == "random",
                )
        link = next((one.lead for one in rows if one.score == "mcc"), None)
        if link is not None and link.low <= _BARELY and not _below_zero(link):
            yield Finding(
                "chance", f"{name} may be hardly better than chance: its Matthews correlation is {link}", (name,)
            )


def _below_zero(span: Range) -> bool:
    return span.high is not None and span.high <= 0


def _dominance(result: Reinterpretation) -> Iterator[Finding]:
    if result.dominance:
        shown = "; ".join(f"{one} over {other}" for one, other in result.dominance[:_SHOWN_PAIRS])
        more = f" and {len(result.dominance) - _SHOWN_PAIRS} more" if len(result.dominance) > _SHOWN_PAIRS else ""
        yield Finding("dominance", f"certainly higher in both sensitivity and specificity: {shown}{more}")


def _costs(result: Reinterpretation) -> Iterator[Finding]:
    for one in result.preferences[: 2 * _SHOWN_PAIRS]:
        yield Finding("cost", str(one), (one.one, one.other))
    if result.costs:
        rows = ", ".join(f"{row.method} {row.value}" for row in result.costs)
        what = f"with the costs {result.cell_costs}"
        if result.cost_ratio is not None:
            what = f"if a missed positive costs {float(result.cost_ratio):g} false alarms,"
        sure = result.costs[0].is_best == CERTAIN
        best = f"{result.costs[0].method} is certainly the cheapest" if sure else "the cheapest is not certain"
        yield Finding("cost", f"{what} the cost per case is {rows}; {best}")
    if result.affordable and result.cost_budget is not None:
        told = "; ".join(f"{name} {word}" for name, word in result.affordable.items())
        yield Finding("cost", f"within a budget of {float(result.cost_budget):g} per case: {told}")


def _unread(result: Reinterpretation) -> Iterator[Finding]:
    for one in result.readings:
        if one.problem:
            yield Finding("unread", f"{one.name} could not be read: {one.problem}", (one.name,))
        for note in one.notes:
            yield Finding("note", f"{one.name}: {note}", (one.name,))
        found = one.reconstruction
        if found is not None:
            for question in found.open_questions[:1]:
                yield Finding("open", f"{one.name}: {question}", (one.name,))
            if found.verdict == "undecided":
                yield Finding(
                    "undecided", f"{one.name}: not decided ({found.reason}); no sign of a mistake", (one.name,)
                )
    if result.ignored:
        yield Finding("unread", f"columns that are no score of one confusion matrix: {', '.join(result.ignored)}")
