"""What a paper reports and how its numbers came about, in one file."""

from scoreproof.audits.specification.document import Document
from scoreproof.audits.specification.load import Specification, load, load_sent, schema
from scoreproof.audits.specification.model import (
    ClaimModel,
    ColumnModel,
    DatasetModel,
    ExperimentModel,
    HypothesisModel,
    OptionsModel,
    PaperModel,
    TableModel,
)

__all__ = [
    "ClaimModel",
    "ColumnModel",
    "DatasetModel",
    "Document",
    "ExperimentModel",
    "HypothesisModel",
    "OptionsModel",
    "PaperModel",
    "Specification",
    "TableModel",
    "load",
    "load_sent",
    "schema",
]
