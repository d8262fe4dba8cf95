"""What a paper reports and how its numbers came about, in one file."""

from scoreproof.audit.specification.document import Document
from scoreproof.audit.specification.load import Specification, load, schema
from scoreproof.audit.specification.model import (
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
    "schema",
]
