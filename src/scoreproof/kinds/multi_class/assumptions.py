"""Other assumptions about a report on several classes, each of them a change of the problem.

Accuracy averaged one against the rest, classes without cases left out, weighted kappa; precision and recall of a class
exchanged, macro and weighted averages exchanged, labels that do not exclude each other, class counts exchanged or off
by a few, only a held-out part evaluated. Each is the ``change`` of an entry of the registry.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations

from scoreproof.kinds.conventions import without
from scoreproof.kinds.kind import Variant
from scoreproof.kinds.multi_class.problem import ClassesProblem, asked_of
from scoreproof.kinds.multi_class.quantities import ClassesScore, of_average, of_class
from scoreproof.reported import Claim

Variants = Iterator[Variant[ClassesProblem]]
_MOST_CLASSES = 12  # of which counts are varied
_OFF = (1, -1, 2, -2)
_PARTS = ((10, "10"), (5, "20"), (4, "25"), (3, "a third"))


def _renamed(claim: Claim, quantity: ClassesScore) -> Claim:
    return replace(claim, quantity=quantity, name=quantity.name)


def one_against_rest(problem: ClassesProblem) -> Variants:
    """The accuracy is the mean over the classes of the accuracy of each against the rest."""
    other = of_average("acc", "macro", "multi_class")
    if any(claim.quantity == other for claim in problem.claims):
        return
    claims = [_renamed(claim, other) if _of_whole(claim, "acc") else claim for claim in problem.claims]
    if any(_of_whole(claim, "acc") for claim in problem.claims):
        yield Variant("", problem.with_claims(claims))


def _of_whole(claim: Claim, score: str) -> bool:
    about = asked_of(claim)
    return about.score == score and about.place is None and not about.average


def weighted_kappa(problem: ClassesProblem) -> Variants:
    """Kappa weighs how far apart classes are, which no count of right cases says."""
    yield from without(problem, [claim for claim in problem.claims if _of_whole(claim, "kappa")])


def empty_classes(problem: ClassesProblem) -> Variants:
    """Averages are over the classes that have cases: a class without any has no row."""
    kept = [place for place in range(len(problem.classes)) if any(own[place] for own in problem.counts)]
    if not 2 <= len(kept) < len(problem.classes):
        return
    claims = []
    for claim in problem.claims:
        about = asked_of(claim)
        if about.place is None:
            claims.append(claim)
        elif about.place in kept:
            name = problem.classes[about.place]
            claims.append(_renamed(claim, of_class(about.score, kept.index(about.place), name, "multi_class")))
    if claims:
        names = tuple(problem.classes[place] for place in kept)
        counts = tuple(tuple(own[place] for place in kept) for own in problem.counts)
        yield Variant("", replace(problem, classes=names, counts=counts).with_claims(claims))


def exchanged(problem: ClassesProblem) -> Variants:
    other = {"ppv": "sens", "sens": "ppv"}
    for place, name in enumerate(problem.classes):
        own = [c for c in problem.claims if asked_of(c).place == place and asked_of(c).score in other]
        if len(own) != 2:
            continue
        claims = [
            _renamed(claim, of_class(other[asked_of(claim).score], place, name, "multi_class"))
            if any(claim is claim_ for claim_ in own)
            else claim
            for claim in problem.claims
        ]
        yield Variant(name, problem.with_claims(claims))


def averages(problem: ClassesProblem) -> Variants:
    other = {"macro": "weighted", "weighted": "macro"}
    if any(asked_of(claim).average in other for claim in problem.claims):
        claims = [
            _renamed(claim, of_average(asked_of(claim).score, other[asked_of(claim).average], "multi_class"))
            if asked_of(claim).average in other
            else claim
            for claim in problem.claims
        ]
        yield Variant("", problem.with_claims(claims))


def labels(problem: ClassesProblem) -> Variants:
    """As labels, the accuracy being the micro-averaged recall and the like left out."""
    if not problem.exclusive:
        return
    kept = [claim for claim in problem.claims if asked_of(claim).place is not None or asked_of(claim).average]
    if not kept:
        return
    claims = []
    for claim in kept:
        about = asked_of(claim)
        if about.place is None:
            claims.append(_renamed(claim, of_average(about.score, about.average, "multi_label")))
        else:
            named = of_class(about.score, about.place, problem.classes[about.place], "multi_label")
            claims.append(_renamed(claim, named))
    left_out = len(kept) < len(problem.claims)
    words = "scores of the whole left out" if left_out else ""
    yield Variant(words, replace(problem, exclusive=False, total=None).with_claims(claims))


def _with(problem: ClassesProblem, counts: list[int]) -> ClassesProblem:
    return problem.with_counts([counts])


def swapped_counts(problem: ClassesProblem) -> Variants:
    if len(problem.counts) > 1 or len(problem.classes) > _MOST_CLASSES:
        return
    own = problem.counts[0]
    for i, j in combinations(range(len(own)), 2):
        if own[i] != own[j]:
            counts = list(own)
            counts[i], counts[j] = own[j], own[i]
            yield Variant(f"{problem.classes[i]} and {problem.classes[j]}", _with(problem, counts))


def nearby_counts(problem: ClassesProblem) -> Variants:
    if len(problem.counts) > 1 or len(problem.classes) > _MOST_CLASSES:
        return
    for off in _OFF:
        for place, n in enumerate(problem.counts[0]):
            if n + off >= 0:
                counts = list(problem.counts[0])
                counts[place] = n + off
                yield Variant(f"{problem.classes[place]} with {n + off}", _with(problem, counts))


def held_out(problem: ClassesProblem) -> Variants:
    if len(problem.counts) > 1:
        return
    for share, words in _PARTS:
        for rule, counts in (
            ("rounded", [(2 * n + share) // (2 * share) for n in problem.counts[0]]),
            ("rounded up", [-(-n // share) for n in problem.counts[0]]),
        ):
            if sum(counts):
                part = f"{words} %" if words.isdigit() else words
                yield Variant(f"{part} of every class, {rule}", _with(problem, counts))
