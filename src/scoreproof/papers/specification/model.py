"""The specification of an audit, as pydantic models: the only place that says what a file may hold.

The published JSON Schema is made from these models, so the two cannot drift apart. What is left out is taken for
``unknown`` where a paper is often silent (stratification, aggregation), never for the reading that happens to be usual.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Self

from pydantic import BaseModel, ConfigDict, FailFast, Field, GetJsonSchemaHandler, create_model, model_validator
from pydantic_core import CoreSchema

from scoreproof.claims import CLAIMS
from scoreproof.claims.recheck import settings_of_claim
from scoreproof.papers.specification.values import (
    AggregationWord,
    ClaimWord,
    Count,
    FoldRuleWord,
    Grid,
    Names,
    Number,
    OpenCount,
    OpenCounts,
    OpenTruth,
    RoundingWord,
    SpreadWord,
    Text,
    Truth,
    field_of,
)
from scoreproof.reported.conventions import conventions
from scoreproof.validation import read_settings

UNTESTED = "untested"
_MOST_RUNS = 1000


def _described(words: str, default: Any = None) -> Any:
    """A key that may be left out, and what it says; a type stands for an empty one of its own."""
    return Field(default_factory=default, description=words) if callable(default) else Field(default, description=words)


class _Part(BaseModel):
    """A part of the specification: unknown keys are errors, values do not change."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)  # only the whole is ever validated


#: Conventions that a specification may state; values that are numbers, extremes and thresholds stand in its tables.
STATED = tuple(name for name in conventions() if name not in ("digits", "minimum", "maximum", "points"))


class _Options(_Part):
    """How numbers were rounded and what their ± means; a table overrules the paper, a column the table."""

    brackets: SpreadWord | None = _described("What a number in round brackets is, as in 70.00 (2.1).")

    @model_validator(mode="after")
    def _one_rule(self) -> Self:
        if getattr(self, "rounding", None) is not None and getattr(self, "eps", None) is not None:
            raise ValueError("rounding and eps contradict each other; give one of them")
        return self


if TYPE_CHECKING:

    class OptionsModel(_Options):
        """With a field for each of ``STATED``."""

        rounding: str | None = None
        eps: str | None = None
else:
    _fields = {name: field_of(setting) for name, setting in conventions(*STATED).items()}
    OptionsModel = create_model("OptionsModel", __base__=_Options, __doc__=_Options.__doc__, **_fields)


class DatasetModel(_Part):
    """The class counts of a data set, in one of five forms: p and n, total, classes, sets, or a catalogue name."""

    p: OpenCount | None = _described("Positives, or unknown.")
    n: OpenCount | None = _described("Negatives, or unknown.")
    total: Count | None = _described("All cases, where the paper does not give the classes.")
    classes: dict[str, Count] | None = _described("Class names and their counts.")
    positive: Text | None = _described(
        "The positive class of a binary experiment; unknown tries each; without it all classes count."
    )
    sets: list[tuple[Count, Count]] | None = _described("Several evaluation sets as [p, n] pairs.")
    catalog: Text | None = _described("A name of 'scoreproof catalog'.")
    axes: dict[str, Text] = _described("Axes of the catalogue entry that the paper fixes.", dict)
    items: list[Text] | None = _described("Single items (images) of the catalogue entry.")
    note: Text = ""

    @model_validator(mode="before")
    @classmethod
    def _pairs(cls, given: Any) -> Any:
        """Sets may be [p, n] or {p: ..., n: ...}."""
        if not isinstance(given, dict) or not isinstance(given.get("sets"), (list, tuple)):
            return given
        pairs = [(counts.get("p"), counts.get("n")) if isinstance(counts, dict) else counts for counts in given["sets"]]
        return {**given, "sets": pairs}

    @model_validator(mode="after")
    def _one_form(self) -> DatasetModel:
        forms = {
            "p and n": self.p is not None or self.n is not None,
            "total": self.total is not None and self.p is None,
            "classes": self.classes is not None,
            "sets": self.sets is not None,
            "catalog": self.catalog is not None,
        }
        given = [name for name, there in forms.items() if there]
        classes, positive = self.classes or {}, self.positive
        them = " and ".join(given) or "none of them"
        mistakes = {
            f"expected the counts in one form (p and n, total, classes, sets, or catalog), got {them}": len(given) != 1,
            "p and n belong together; write 'unknown' for what the paper does not give": (self.p is None)
            != (self.n is None),
            "classes: expected at least two, with their counts": self.classes is not None and len(classes) < 2,
            "two classes need 'positive': the name of the positive class, or unknown to try each": positive is None
            and len(classes) == 2,
            f"positive: expected one of {', '.join(classes)}; got {positive!r}": bool(classes)
            and positive not in (None, "unknown", *classes),
            "positive goes with classes": positive is not None and self.classes is None and self.catalog is None,
            "axes and items go with catalog": self.catalog is None and bool(self.axes or self.items),
            "sets: expected at least one [p, n] pair": self.sets == [],
        }
        mistake = next((words for words, made in mistakes.items() if made), None)
        if mistake is not None:
            raise ValueError(mistake)
        return self

    @property
    def several(self) -> bool:
        """Whether it has several classes, none of them the positive one."""
        return self.classes is not None and self.positive is None


class ExperimentModel(_Part):
    """How scores came about on a data set; what is left out or ``unknown`` is tried in every usual reading."""

    dataset: Names | None = _described("Name of a data set; several names are several readings.")
    folds: OpenCounts | None = _described("Folds of a cross-validation; none means one test set.")
    repeats: OpenCounts = _described("How often the cross-validation was repeated.", 1)
    runs: OpenCounts = _described(
        "Of how many runs (seeds) on the test set scores are means; several numbers are readings.", 1
    )
    stratified: OpenTruth = _described("Whether folds keep the class shares.", "unknown")
    rule: FoldRuleWord | None = _described(
        "Which class counts folds may have: balanced or scikit-learn if stratified, else any or trainable."
    )
    aggregation: AggregationWord = _described("Scores averaged, or matrices added and scored once.", "unknown")
    tree: dict[str, Any] | None = _described("Any nested experiment, as 'scoreproof check --experiment'.")
    assumed: Text = _described(
        "What it takes for granted, where nobody is sure: 'the test set is ...'. A row that contradicts "
        "only assumed experiments is a question, not inconsistent.",
        "",
    )
    note: Text = ""

    @model_validator(mode="after")
    def _one_form(self) -> ExperimentModel:
        if (self.dataset is None) == (self.tree is None):
            raise ValueError("expected either a dataset or a tree")
        if self.tree is not None and self.folds is not None:
            raise ValueError("a tree describes the whole experiment; folds cannot be added to it")
        if self.runs != 1 and self.folds is not None:
            raise ValueError("runs are of one test set; runs of a cross-validation are its repeats")
        if self.runs != 1 and self.tree is not None:
            raise ValueError("a tree describes the whole experiment; runs cannot be added to it")
        counts = self.runs if isinstance(self.runs, list) else [self.runs]
        if any(count != "unknown" and not 1 <= count <= _MOST_RUNS for count in counts):
            raise ValueError(f"runs: expected numbers from 1 to {_MOST_RUNS}, or unknown; got {self.runs}")
        if self.rule is not None:
            if self.folds is None:
                raise ValueError("rule speaks of folds; say how many")
            contrary = {"balanced": False, "scikit-learn": False, "any": True, "trainable": True}[self.rule]
            if self.stratified is contrary:
                raise ValueError(f"rule: {self.rule!r} is no rule of {'' if contrary else 'un'}stratified folds")
        return self


class HypothesisModel(ExperimentModel):
    """Another experiment that might explain what does not fit."""

    label: Text = _described("The hypothesis in words, for the report.", "")
    instead_of: Names | None = _described("The experiments it could replace; all if left out.")

    @model_validator(mode="after")
    def _not_assumed(self) -> HypothesisModel:
        if self.assumed:
            raise ValueError("assumed: every hypothesis is; write what it says as its label")
        return self


class ColumnModel(_Part):
    """What a column holds: a score, a count (p, n, total, tp, fp, fn, tn), label, or ignore."""

    score: Text
    rounding: RoundingWord | None = None
    eps: Number | None = None

    @model_validator(mode="before")
    @classmethod
    def _short(cls, given: Any) -> Any:
        return {"score": given} if isinstance(given, str) else given

    @classmethod
    def __get_pydantic_json_schema__(cls, core: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        return {"anyOf": [{"type": "string"}, handler.resolve_ref_schema(handler(core))]}


class TableModel(_Part):
    """One table: where it is, what its columns hold, and which experiment each row reports."""

    name: Text = ""
    file: Text | None = _described("The document with the table, relative to the specification.")
    kind: Text | None = _described("The document's format, where its name does not tell.")
    table: Count | None = _described("The table's number in the file, from 1.")
    caption: Text | None = _described("Words of the table's caption in the file; or the caption to show.")
    grid: Grid | None = _described("The table itself, row by row, headers first.")
    text: Text | None = _described("The table itself, pasted.")
    header_rows: Count | None = _described("Rows of headers in grid.")
    bold: list[tuple[Count, Count]] = _described("Cells of grid in bold type, as [row, column] from 1.", list)
    spans: list[tuple[Count, Count, Count, Count]] = _described(
        "Cells of grid repeated over several places: [row, column, rows, columns] from 1.", list
    )
    columns: dict[str, ColumnModel] = _described("Headers and what they hold.", dict)
    percent: Truth | None = None
    transposed: Truth | None = None
    decimal_comma: Truth | None = None
    binary: Truth | None = _described(
        "Whether the scores are of one positive class (true) or averages over classes (false)."
    )
    experiment: Names | None = _described("The experiment of every row not named below.")
    rows: dict[str, Names] = _described("Row labels (or numbers) and their experiments.", dict)
    groups: dict[str, Names] = _described("Column groups and their experiments.", dict)
    untested: Text | None = _described("Why no row of this table is tested.")
    options: OptionsModel = Field(default_factory=OptionsModel)
    note: Text = ""

    @model_validator(mode="after")
    def _one_place(self) -> TableModel:
        given = [name for name in ("file", "grid", "text") if getattr(self, name) is not None]
        if len(given) != 1:
            raise ValueError(f"expected the table as one of file, grid or text, got {' and '.join(given) or 'none'}")
        if self.grid is not None and (len(self.grid) < 2 or not self.grid[0]):
            raise ValueError("grid: expected a header row and at least one row below it")
        if self.grid is None and (self.bold or self.spans):
            raise ValueError("bold and spans go with grid")
        if self.table is not None and (self.file is None or self.table < 1):
            raise ValueError("table: expected a number from 1 together with file")
        return self


class ClaimModel(_Part):
    """A claim of the paper: a best method, a method better than another, a claim of significance, or a sentence.

    A claim of significance names a function of ``scoreproof.claims``; its other keys are what that function takes.
    """

    text: Text = ""
    where: Text = _described("Where the paper says it: a quote, a page.", "")
    table: Text | None = None
    by: Text | None = _described("The score it is about; then methods are rows of a table.")
    claim: ClaimWord | None = _described("A claim of significance, by its name.")
    best: Text | None = None
    better: Text | None = None
    than: Text | None = None
    significant: Truth | None = None
    alpha: Number = "0.05"
    paired: Grid | None = _described("Both right, only the first; only the second, neither: two rows of two numbers.")
    settings: dict[str, Any] = _described("What the function of the claim is told.", dict)

    @model_validator(mode="before")
    @classmethod
    def _settings_apart(cls, given: Any) -> Any:
        """What is not common to all claims is for the function that ``claim`` names."""
        if not isinstance(given, dict):
            return given
        if given.get("claim") is None:
            if extra := sorted(str(key) for key in given if key not in cls.model_fields or key == "settings"):
                raise ValueError(
                    f"{', '.join(extra)[:200]}: expected 'claim' as well, such as claim: {next(iter(CLAIMS))}"
                )
            return given
        name, common = given["claim"], {key: value for key, value in given.items() if key in _COMMON}
        if name not in list(CLAIMS):
            return common
        own = {key: value for key, value in given.items() if key not in _COMMON}
        return {**common, "settings": read_settings(name, settings_of_claim(name), own)}

    @classmethod
    def __get_pydantic_json_schema__(cls, core: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        """Each claim with the keys of its function."""
        plain = dict(handler.resolve_ref_schema(handler(core)))
        known = {key: part for key, part in plain["properties"].items() if key != "settings"}
        claims = [
            {
                "type": "object",
                "additionalProperties": False,
                "required": ["claim"],
                "properties": {key: part for key, part in known.items() if key in _COMMON}
                | {"claim": {"const": name}}
                | {key: setting.schema() for key, setting in settings_of_claim(name).items()},
            }
            for name in CLAIMS
        ]
        known.pop("claim")
        return {"description": plain["description"], "anyOf": [{**plain, "properties": known}, *claims]}

    @model_validator(mode="after")
    def _one_form(self) -> ClaimModel:
        if self.paired is not None and not _is_two_by_two(self.paired):
            raise ValueError("paired: expected two rows of two whole numbers")
        if self.best is not None and self.better is not None:
            raise ValueError("best and better are two claims; write them apart")
        if self.better is not None and self.than is None:
            raise ValueError("better needs 'than': the other method")
        if (self.best is not None or self.better is not None) and self.by is None:
            raise ValueError("expected 'by': the score the claim is about")
        if self.best is None and self.better is None and self.claim is None and not self.text:
            raise ValueError("expected best and by, better, than and by, claim and its settings, or a text")
        return self


def _is_two_by_two(grid: list[list[str]]) -> bool:
    return [len(row) for row in grid] == [2, 2] and all(
        cell.isascii() and cell.isdigit() and len(cell) < 16 for row in grid for cell in row
    )


#: What every claim may say.
_COMMON = frozenset({"claim", "text", "where", "table", "by"})


class ExtractedModel(_Part):
    """Something the text of the paper says of its experiments, with the sentence and its place."""

    what: Text
    sentence: Text
    place: Text = ""
    used: Text = _described("The experiment that rests on it, or why none does.", "")


class PaperModel(_Part):
    """The specification of an audit."""

    title: Text = ""
    source: Text = _described("Citation, DOI or address of the paper.", "")
    note: Text = ""
    catalog: list[Text] = _described("Files with catalogue entries of one's own.", list)
    datasets: dict[str, DatasetModel] = Field(default_factory=dict)
    experiments: dict[str, ExperimentModel] = Field(default_factory=dict)
    options: OptionsModel = Field(default_factory=OptionsModel)
    tables: list[TableModel] = Field(min_length=1)
    hypotheses: dict[str, HypothesisModel] = Field(default_factory=dict)
    claims: Annotated[list[ClaimModel], FailFast()] = Field(default_factory=list)
    extracted: Annotated[list[ExtractedModel], FailFast()] = _described(
        "What was read from the text; it is shown in the report.", list
    )
    limits: dict[str, Text] = _described("Limits on what is read, raised or lowered; see docs/strangers.md.", dict)
