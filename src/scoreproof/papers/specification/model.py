"""The specification of an audit, as pydantic models, from which the published JSON Schema is made, too.

What is left out is taken for ``unknown`` where a paper is often silent (stratification, aggregation), never for the
reading that happens to be usual.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated, Any, Self

from pydantic import BaseModel, ConfigDict, FailFast, Field, GetJsonSchemaHandler, create_model, model_validator
from pydantic_core import CoreSchema

from scoreproof.claims import CLAIMS
from scoreproof.claims.recheck import settings_of_claim
from scoreproof.kinds.binary.experiment import Aggregation, FoldRule
from scoreproof.papers.specification.values import GRID, NAMES, NUMBER, TEXT, field_of, scalar, word
from scoreproof.reported import Rounding
from scoreproof.reported.conventions import Spread, conventions
from scoreproof.validation import read_settings

UNTESTED = "untested"
_MOST_RUNS = 1000

Text = Annotated[str, *TEXT]
Number = Annotated[str, *NUMBER]
Names = Annotated[list[str], *NAMES]
Grid = Annotated[list[list[str]], *GRID]
Count = Annotated[int, *scalar(int)]
OpenCount = Annotated[Any, *scalar(int, unknown=True)]
OpenCounts = Annotated[Any, *scalar(int, unknown=True, several=True)]
Truth = Annotated[bool, *scalar(bool)]
OpenTruth = Annotated[Any, *scalar(bool, unknown=True)]
RoundingWord = Annotated[str, *word(Rounding)]
SpreadWord = Annotated[str, *word(Spread)]
FoldRuleWord = Annotated[str, *word(FoldRule)]
AggregationWord = Annotated[str, *word(Aggregation)]
ClaimWord = Annotated[str, *word(CLAIMS)]


def _described(words: str, default: Any = None) -> Any:
    """A key that may be left out, and what it says; a type stands for an empty one of its own."""
    return Field(default_factory=default, description=words) if callable(default) else Field(default, description=words)


class _Part(BaseModel):
    """A part of the specification: unknown keys are errors, values do not change."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)  # only the whole is ever validated

    def _mistakes(self) -> Iterable[tuple[bool, str]]:
        """What may be wrong with keys together: whether it is, and in words."""
        return ()

    @model_validator(mode="after")
    def _without_mistakes(self) -> Self:
        for made, words in self._mistakes():
            if made:
                raise ValueError(words)
        return self


#: Conventions that a specification may state; values that are numbers, extremes and thresholds stand in its tables.
STATED = tuple(name for name in conventions() if name not in ("digits", "minimum", "maximum", "points"))


class _Options(_Part):
    """How numbers were rounded and what their ± means; a table overrules the paper, a column the table."""

    brackets: SpreadWord | None = _described("What a number in round brackets is, as in 70.00 (2.1).")

    def _mistakes(self) -> Iterable[tuple[bool, str]]:
        both = getattr(self, "rounding", None) is not None and getattr(self, "eps", None) is not None
        return ((both, "rounding and eps contradict each other; give one of them"),)


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
    positive: Text | None = _described("The positive class; unknown tries each; without it all classes count.")
    sets: list[tuple[Count, Count]] | None = _described("Several evaluation sets as [p, n] pairs.")
    catalog: Text | None = _described("A name of 'scoreproof catalog'.")
    axes: dict[str, Text] = _described("Axes of the catalogue entry that the paper fixes.", dict)
    items: list[Text] | None = _described("Single items (images) of the catalogue entry.")
    note: Text = ""

    def _mistakes(self) -> Iterable[tuple[bool, str]]:
        forms = {"p and n": self.p if self.p is not None else self.n, "total": self.total if self.p is None else None}
        forms |= {name: getattr(self, name) for name in ("classes", "sets", "catalog")}
        given = [name for name, value in forms.items() if value is not None]
        words = "expected the counts in one form (p and n, total, classes, sets, or catalog), got "
        classes, positive = self.classes or {}, self.positive
        unsaid = "two classes need 'positive': the name of the positive class, or unknown to try each"
        unlisted = bool(classes) and positive not in (None, "unknown", *classes)
        return (
            (len(given) != 1, words + (" and ".join(given) or "none of them")),
            ((self.p is None) != (self.n is None), "p and n belong together; write 'unknown' for what is not given"),
            (self.classes is not None and len(classes) < 2, "classes: expected at least two, with their counts"),
            (positive is None and len(classes) == 2, unsaid),
            (unlisted, f"positive: expected one of {', '.join(classes)}; got {positive!r}"),
            (positive is not None and not classes and self.catalog is None, "positive goes with classes"),
            (self.catalog is None and bool(self.axes or self.items), "axes and items go with catalog"),
            (self.sets == [], "sets: expected at least one [p, n] pair"),
        )

    @property
    def several(self) -> bool:
        """Whether it has several classes, none of them the positive one."""
        return self.classes is not None and self.positive is None


class ExperimentModel(_Part):
    """How scores came about on a data set; what is left out or ``unknown`` is tried in every usual reading."""

    dataset: Names | None = _described("Name of a data set; several names are several readings.")
    folds: OpenCounts | None = _described("Folds of a cross-validation; none means one test set.")
    repeats: OpenCounts = _described("How often the cross-validation was repeated.", 1)
    runs: OpenCounts = _described("Runs (seeds) on the test set that scores are means of; several are readings.", 1)
    stratified: OpenTruth = _described("Whether folds keep the class shares.", "unknown")
    rule: FoldRuleWord | None = _described("Counts of folds: balanced, scikit-learn; unstratified: any, trainable.")
    aggregation: AggregationWord = _described("Scores averaged, or matrices added and scored once.", "unknown")
    tree: dict[str, Any] | None = _described("Any nested experiment, as 'scoreproof check --experiment'.")
    assumed: Text = _described("What it takes for granted ('the test set is ...'): rows against it are questions.", "")
    note: Text = ""

    def _mistakes(self) -> Iterable[tuple[bool, str]]:
        folds, tree, runs, rule = self.folds is not None, self.tree is not None, self.runs != 1, self.rule
        counts = self.runs if isinstance(self.runs, list) else [self.runs]
        few = all(count == "unknown" or 1 <= count <= _MOST_RUNS for count in counts)
        whole, keeps = "a tree describes the whole experiment;", rule in ("balanced", "scikit-learn")
        contrary = rule is not None and self.stratified is not keeps and self.stratified != "unknown"
        return (
            ((self.dataset is None) != tree, "expected either a dataset or a tree"),
            (tree and folds, f"{whole} folds cannot be added to it"),
            (runs and folds, "runs are of one test set; runs of a cross-validation are its repeats"),
            (tree and runs, f"{whole} runs cannot be added to it"),
            (not few, f"runs: expected numbers from 1 to {_MOST_RUNS}, or unknown; got {self.runs}"),
            (rule is not None and not folds, "rule speaks of folds; say how many"),
            (contrary, f"rule: {rule!r} is no rule of {'un' if keeps else ''}stratified folds"),
        )


class HypothesisModel(ExperimentModel):
    """Another experiment that might explain what does not fit."""

    label: Text = _described("The hypothesis in words, for the report.", "")
    instead_of: Names | None = _described("The experiments it could replace; all if left out.")


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
    spans: list[tuple[Count, Count, Count, Count]] = _described("Wide cells as [row, column, rows, columns].", list)
    columns: dict[str, ColumnModel] = _described("Headers and what they hold.", dict)
    percent: Truth | None = None
    transposed: Truth | None = None
    decimal_comma: Truth | None = None
    binary: Truth | None = _described("True: scores of one positive class; false: averages over classes.")
    experiment: Names | None = _described("The experiment of every row not named below.")
    rows: dict[str, Names] = _described("Row labels (or numbers) and their experiments.", dict)
    groups: dict[str, Names] = _described("Column groups and their experiments.", dict)
    untested: Text | None = _described("Why no row of this table is tested.")
    options: OptionsModel = Field(default_factory=OptionsModel)
    note: Text = ""

    def _mistakes(self) -> Iterable[tuple[bool, str]]:
        given, grid = [name for name in ("file", "grid", "text") if getattr(self, name) is not None], self.grid
        words = f"expected the table as one of file, grid or text, got {' and '.join(given) or 'none'}"
        short, numbered = grid is not None and (len(grid) < 2 or not grid[0]), self.table is not None
        return (
            (len(given) != 1, words),
            (short, "grid: expected a header row and at least one row below it"),
            (grid is None and bool(self.bold or self.spans), "bold and spans go with grid"),
            (numbered and (self.file is None or self.table == 0), "table: expected a number from 1 together with file"),
        )


class ClaimModel(_Part):
    """A claim: a best method, a method better than another, a sentence, or a function of ``scoreproof.claims``."""

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
        name = given.get("claim")
        common = {key: value for key, value in given.items() if key in (_COMMON if name is not None else _PLAIN)}
        own = {key: value for key, value in given.items() if key not in common}
        if name is None:
            keys = ", ".join(sorted(map(str, own)))[:200]
            if own:
                raise ValueError(f"{keys}: expected 'claim' as well, such as claim: {next(iter(CLAIMS))}")
        elif name in list(CLAIMS):
            common["settings"] = read_settings(name, settings_of_claim(name), own)
        return common

    @classmethod
    def __get_pydantic_json_schema__(cls, core: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        """Each claim with the keys of its function."""
        plain = dict(handler.resolve_ref_schema(handler(core)))
        known = {key: part for key, part in plain["properties"].items() if key in _PLAIN and key != "claim"}
        common = {key: part for key, part in known.items() if key in _COMMON}
        forms = [{**plain, "properties": known}]
        for name in CLAIMS:
            own = {key: setting.schema() for key, setting in settings_of_claim(name).items()}
            keys = {**common, "claim": {"const": name}, **own}
            forms.append({"type": "object", "additionalProperties": False, "required": ["claim"], "properties": keys})
        return {"description": plain["description"], "anyOf": forms}

    def _mistakes(self) -> Iterable[tuple[bool, str]]:
        counts = all(re.fullmatch("[0-9]{1,15}", cell) for row in self.paired or () for cell in row)
        square = self.paired is None or list(map(len, self.paired)) == [2, 2]
        compared = self.best is not None or self.better is not None
        blank = not compared and self.claim is None and not self.text
        return (
            (not (square and counts), "paired: expected two rows of two whole numbers"),
            (self.best is not None and self.better is not None, "best and better are two claims; write them apart"),
            (self.better is not None and self.than is None, "better needs 'than': the other method"),
            (compared and self.by is None, "expected 'by': the score the claim is about"),
            (blank, "expected best and by, better, than and by, claim and its settings, or a text"),
        )


#: What every claim may say.
_COMMON = frozenset({"claim", "text", "where", "table", "by"})
_PLAIN = frozenset(ClaimModel.model_fields) - {"settings"}


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
    extracted: Annotated[list[ExtractedModel], FailFast()] = _described("What was read from the text.", list)
    limits: dict[str, Text] = _described("Limits on what is read, raised or lowered; see docs/strangers.md.", dict)


#: The parts of a specification by the keys that they stand under.
MODELS: dict[str | int, type[BaseModel]] = {
    "datasets": DatasetModel, "experiments": ExperimentModel, "hypotheses": HypothesisModel, "options": OptionsModel,
    "tables": TableModel, "columns": ColumnModel, "claims": ClaimModel, "extracted": ExtractedModel,
}  # fmt: skip
