"""From the answers on a row under each of its readings to what becomes of the row.

A row is consistent if some reading is, and inconsistent if all are. Readings that rest on an assumption (sizes taken
from the text of a paper) never accuse: if they are all that is impossible the row is *conditional*. The reading of
unknown class counts fits almost everything; beside readings with sizes it is told, but does not count.
"""

from __future__ import annotations

from collections.abc import Sequence

from scoreproof.asking import Verdict
from scoreproof.audits.result import Answered, Outcome
from scoreproof.kinds.unknown_classes.experiment import UnknownClasses

_OPEN = UnknownClasses()


def outcome(answers: Sequence[Answered]) -> Outcome:
    """What becomes of a row."""
    firm = [reading for reading in answers if not reading.assumed]
    assumed = [reading for reading in answers if reading.assumed]
    if not assumed:
        return _of(firm, Outcome.INCONSISTENT)
    if firm and _of(answers, Outcome.INCONSISTENT) is Outcome.INCONSISTENT:
        return Outcome.INCONSISTENT
    sized = [reading for reading in assumed if not is_open(reading)]
    return _of(sized or assumed, Outcome.CONDITIONAL)


def is_open(reading: Answered) -> bool:
    """Whether a reading says nothing of sizes: one test set of any number of cases of each class."""
    problem = reading.answer.problem
    return getattr(getattr(problem, "base", problem), "experiment", None) == _OPEN


def _of(answers: Sequence[Answered], impossible: Outcome) -> Outcome:
    verdicts = {reading.answer.verdict for reading in answers}
    if Verdict.CONSISTENT in verdicts:
        return Outcome.CONSISTENT
    return impossible if verdicts == {Verdict.INCONSISTENT} else Outcome.UNDECIDED
