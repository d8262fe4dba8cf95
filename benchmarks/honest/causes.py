"""Why an honest report may have been accused: what is peculiar about the little that is left of it.

Each cause is a question about the report that is answered from the truth, so that failures fall into groups somebody
can mend. A failure without any of them is the engine's own.
"""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

import scoreproof as sp
from benchmarks.honest import tools
from benchmarks.honest.designs import STRATIFIED, trainable
from benchmarks.honest.printing import PLUS_MINUS
from benchmarks.honest.reports import Question, Report

_UNITS = {None: Decimal(1), "any": Decimal(1), "nearest": Decimal("0.5")}


def causes(made: Report, question: Question) -> tuple[str, ...]:
    """Everything peculiar about a question, in words."""
    return tuple(dict.fromkeys(_causes(made, question))) or ("nothing peculiar",)


def _causes(made: Report, question: Question) -> Iterator[str]:
    names = [made.names[spelling] for spelling in question.scores]
    matrices = made.design.evaluated
    for spelling, text in question.scores.items():
        exact = made.exact[spelling]
        if exact is not None and not _inside(text, exact, question.options.get("rounding")):
            yield f"printed digits the {made.width}-bit value does not have"
    if any(tools.exactly(name, matrix) is None for name in names for matrix in matrices):
        yield f"0/0 as {made.convention}"
        if "bacc" in names and made.convention == "zero":
            yield "balanced accuracy of a set without a class"
    if made.tool == "R" and "f1" in names and any(matrix[0] == 0 for matrix in matrices):
        yield "F1 as 2PR/(P+R), nan without true positives"
    if has_deviation(question):
        yield f"± over {made.over}" if len(made.design.rounds) > 1 else "±"
        if any(_digits(text) >= 15 for text in question.scores.values()):
            yield "± in full"
    yield from _fold_causes(made, question)
    for option in ("minimum", "maximum", "fold_digits", "eps"):
        if option in question.options:
            yield option


def _fold_causes(made: Report, question: Question) -> Iterator[str]:
    if not isinstance(question.experiment, sp.KFold) or made.design.pooled:
        return
    if question.experiment.stratified:
        if any(name in made.design.name for name in STRATIFIED - {"StratifiedKFold"}):
            yield "stratified folds of another make"
        return
    if not trainable(made.design.rounds):
        yield "a class in fewer than two folds"


def has_deviation(question: Question) -> bool:
    """Whether some score has a ±."""
    return any(sign.strip() in text for text in question.scores.values() for sign in PLUS_MINUS)


def _digits(text: str) -> int:
    """Significant digits of what follows a ±."""
    for sign in PLUS_MINUS:
        _, found, deviation = text.partition(sign.strip())
        if found:
            return len("".join(filter(str.isdigit, deviation)).lstrip("0"))
    return 0


def _inside(text: str, exact: Decimal, rounding: str | None) -> bool:
    """Whether the value lies where the digits of the text alone would put it."""
    for sign in PLUS_MINUS:
        text = text.partition(sign.strip())[0]
    printed = Decimal(text.strip().rstrip("%"))
    if "%" in text:
        exact *= 100
    reach = _UNITS.get(rounding, Decimal(1)) * Decimal(1).scaleb(int(printed.as_tuple().exponent))
    return abs(printed - exact) <= reach
