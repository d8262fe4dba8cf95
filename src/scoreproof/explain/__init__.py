"""Why a report is impossible, what would make it possible, and which assumption explains a whole table."""

from scoreproof.explain.conflicts import Conflict
from scoreproof.explain.explaining import explain
from scoreproof.explain.explanation import Explanation
from scoreproof.explain.hypotheses import Fit, Hypothesis, Tried
from scoreproof.explain.repairs import Change, Repair
from scoreproof.explain.slips import Slip
from scoreproof.explain.table import TableExplanation, TableHypothesis, explain_table

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
    "explain_table",
]
