"""Why a report is impossible, what would make it possible, and which assumption explains a whole table."""

from scoreproof.explanation.conflicts import Conflict
from scoreproof.explanation.explaining import explain
from scoreproof.explanation.explanation import Explanation
from scoreproof.explanation.hypotheses import Fit, Hypothesis, Tried
from scoreproof.explanation.many_rows import explain_each
from scoreproof.explanation.repairs import Change, Repair
from scoreproof.explanation.slips import Slip
from scoreproof.explanation.table import TableExplanation, TableHypothesis, explain_table

__all__ = [
    "Change",
    "Conflict",
    "Explanation",
    "Fit",
    "Hypothesis",
    "Repair",
    "Slip",
    "TableExplanation",
    "TableHypothesis",
    "Tried",
    "explain",
    "explain_each",
    "explain_table",
]
