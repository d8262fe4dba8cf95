"""Loading a specification: the models filled, every name resolved, every mistake with its line.

Every scalar stays the text that was written and knows its line (``scoreproof.files``); the schema decides what it is.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from scoreproof.errors import InvalidOption, UnreadableInput
from scoreproof.files import Piece, read_file, read_json, read_yaml, shown_path
from scoreproof.limits import changed, current, require_within
from scoreproof.papers.specification.model import MODELS, UNTESTED, PaperModel
from scoreproof.validation import shown

if TYPE_CHECKING:
    from scoreproof.papers.table_semantics import Interpretation


@dataclass(frozen=True, slots=True)
class Document:
    """The content of a specification, and where each part of it stands."""

    source: str
    content: Any
    _root: Piece | None = None

    def line(self, path: Sequence[str | int]) -> int | None:
        """The line on which the part at ``path`` begins, or the nearest part above it."""
        node: Any = self._root
        line: int | None = getattr(node, "line", None)
        with suppress(AttributeError, LookupError, TypeError):  # where the file ends, or says less
            for step in path:
                above, node = node, node.below[step]
                line = above.key_lines.get(step, node.line)
        return line

    def where(self, path: Sequence[str | int]) -> str:
        """File and line, as editors understand them: ``paper.yaml:12``."""
        line = self.line(path)
        return f"{self.source or 'specification'}{'' if line is None else f':{line}'}"


def _opened(spec: str | Path | Mapping[str, Any]) -> Document:
    """The document behind a path, a text (a string of several lines) or a mapping."""
    if isinstance(spec, Mapping):
        return Document("", dict(spec))
    if isinstance(spec, str) and ("\n" in spec or spec.lstrip().startswith("{")):
        require_within("megabytes", len(spec) >> 20, "the specification")
        source, name, text = "", "specification", spec
    else:
        source, name, data = str(spec), shown_path(spec), read_file(spec, advice=f"; {_EXPECTED}")
        try:
            text = data.decode("utf-8-sig")
        except UnicodeDecodeError:
            raise UnreadableInput(f"{name}: expected YAML or JSON, got other bytes; {_EXPECTED}") from None
    if text.lstrip().startswith("{"):
        content = read_json(name, text)
        with suppress(UnreadableInput):  # JSON is YAML but for tabs between tokens: the same composer tells the lines
            return Document(source, content, read_yaml(name, text.replace("\t", " ")))
        return Document(source, content)
    root = read_yaml(name, text)
    if root is None:
        raise UnreadableInput(f"{name}: the file is blank, or nothing but comments; {_EXPECTED}")
    if not isinstance(root.below, dict):
        raise UnreadableInput(f"{name}:{root.line}: expected a mapping with title, datasets, experiments and tables")
    return Document(source, root.value, root)


FILL_IN = "FILL IN"
_EXPECTED = "expected a specification ('scoreproof init' drafts one)"
_SHOWN = 5
Place = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Specification:
    """A specification that has been read, with the lines of the file it came from."""

    paper: PaperModel
    document: Document
    folder: Path

    def fail(self, place: Sequence[str | int], message: str) -> InvalidOption:
        """An error about one part of the file."""
        return InvalidOption(f"{self.document.where(place)}: {_path(place)}: {message}")

    def resolve(self, file: str) -> Path:
        """A file named in the specification, relative to the specification's own folder."""
        return self.folder / file  # the file alone, if it is absolute


def load(spec: str | Path | Mapping[str, Any] | Specification) -> Specification:
    """The specification behind a path, a text (several lines of YAML or JSON) or a mapping.

    >>> load({"tabels": []})
    Traceback (most recent call last):
    ...
    scoreproof.errors.InvalidOption: specification: unknown key 'tabels'; did you mean tables?
    """
    if isinstance(spec, Specification):
        return spec
    if not isinstance(spec, (str, Path, Mapping)):
        raise InvalidOption(f"spec: expected a path, a text or a mapping, got {type(spec).__name__}")
    document = _opened(spec)
    for key, part in document.content.items():  # every wrong entry of a long list would be an error to keep
        if isinstance(part, (list, tuple, Mapping)):
            where = document.source or "specification"
            require_within("tables" if key == "tables" else "values", len(part), f"{where}: {key}"[:200])
    try:
        paper = PaperModel.model_validate(document.content)
    except ValidationError as error:
        raise InvalidOption(_words(document, error)) from None
    rows = [row for table in paper.tables for row in table.grid or ()]
    require_within("cells", sum(map(len, rows)), "all grids together")
    require_within("cell_characters", max((len(cell) for row in rows for cell in row), default=0), "the grids")
    folder = Path(document.source).parent if document.source else Path()
    specification = Specification(paper, document, folder)
    for place, names, known, what in _names(paper):
        for name in names:
            if name not in known:
                raise specification.fail(place, nearest(name, known, what))
    return specification


def load_sent(spec: Path | Mapping[str, Any], beside: Iterable[str] = ()) -> Specification:
    """The specification that somebody else sent, who may name files sent ``beside`` it only, and raise no limit."""
    if not isinstance(spec, (Path, Mapping)):
        raise InvalidOption(f"specification: expected a mapping, got {type(spec).__name__}")
    loaded, sent = load(spec), set(beside)
    for index, table in enumerate(loaded.paper.tables):
        if table.file is not None and table.file not in sent:
            why = f"{shown(table.file)} was not sent along, and other files are not read"
            raise loaded.fail(("tables", index, "file"), f"{why}: drop both together, or write it as text or grid")
    if loaded.paper.catalog:
        raise loaded.fail(("catalog",), "no files of catalogue entries are read here; use 'scoreproof audit'")
    here = current().to_dict()
    for name, value in changed(loaded.paper.limits).to_dict().items():
        if value > here[name]:
            raise loaded.fail(("limits", name), f"at most {here[name]} here, where 'scoreproof --allow' sets it")
    return loaded


def schema() -> dict[str, Any]:
    """The JSON Schema of specification files."""
    named = {"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": "scoreproof/specification"}
    return {**named, **PaperModel.model_json_schema(), "title": "scoreproof specification"}


def _path(place: Sequence[str | int]) -> str:
    return ".".join(step if isinstance(step, str) else str(step + 1) for step in place)


_INSTEAD = {
    "missing": "it is missing",
    **dict.fromkeys(("model_type", "dict_type"), "expected a mapping"),
    **dict.fromkeys(("list_type", "tuple_type"), "expected a list"),
    "too_short": "expected at least one",
    "too_long": "expected fewer values",
}


def _words(document: Document, error: ValidationError) -> str:
    """What pydantic found, one line each, in the words of the file."""
    lines = []
    errors = error.errors(include_url=False, include_context=False)
    errors.sort(key=lambda mistake: mistake["type"] != "extra_forbidden")  # a misspelt key is also missing
    marks = [mistake["loc"] for mistake in errors if isinstance(mistake["input"], str) and FILL_IN in mistake["input"]]
    guessed: set[str] = set()
    for mistake in errors[:_SHOWN]:
        place, kind = tuple(step for step in mistake["loc"] if step != "[key]"), mistake["type"]
        if kind == "extra_forbidden":
            *above, key = place
            part = above[2] if len(above) > 2 else above[0] if above else ""
            known = list(MODELS.get(part, PaperModel).model_fields)
            near = difflib.get_close_matches(str(key).lower(), known, n=1, cutoff=0.5)
            guessed.update(near)
            hint = f"did you mean {near[0]}?" if near else f"known are {', '.join(known)}"
            inside = f" in {_path(above)}" if above else ""
            lines.append(f"{document.where(place)}: unknown key {str(key)!r}{inside}; {hint}")
        elif kind != "missing" or place[-1] not in guessed:
            message = _INSTEAD.get(kind, mistake["msg"].removeprefix("Value error, "))
            message = "still to be filled in" if mistake["loc"] in marks else message
            lines.append(f"{document.where(place)}: {_path(place) or 'the file'}: {message}")
    lines += [f"and {len(errors) - _SHOWN} more mistakes"] if len(errors) > _SHOWN else []
    lines += [f"{len(marks)} places are marked {FILL_IN}: write what the paper says"] if marks else []
    return "\n".join(lines)


def nearest(name: str, known: Iterable[str], what: str) -> str:
    """What to say about a name that is not among the known ones."""
    names = list(known)
    near = difflib.get_close_matches(name, names, n=1, cutoff=0.5)
    hint = f"did you mean {near[0]}?" if near else f"there is {', '.join(names[:10]) or 'none at all'}"
    return f"there is no {what} called {name!r}; {hint}"


def _names(paper: PaperModel) -> Iterator[tuple[Place, Sequence[str], Sequence[str], str]]:
    """Every place that names something, with what it names, what there is, and how that is called."""
    datasets, experiments = list(paper.datasets), list(paper.experiments)
    for kind, group in (("experiments", paper.experiments), ("hypotheses", paper.hypotheses)):
        for name, model in group.items():
            yield (kind, name, "dataset"), model.dataset or (), datasets, "data set"
            yield (kind, name, "instead_of"), getattr(model, "instead_of", None) or (), experiments, "experiment"
    for index, table in enumerate(paper.tables):
        uses: dict[Place, Sequence[str]] = {("experiment",): table.experiment or ()}
        uses |= {("rows", label): names for label, names in table.rows.items()}
        uses |= {("groups", label): names for label, names in table.groups.items()}
        for place, names in uses.items():
            yield ("tables", index, *place), names, [*experiments, UNTESTED], "experiment"
    tables = [table.name or f"table {index}" for index, table in enumerate(paper.tables, 1)]
    for index, claim in enumerate(paper.claims):
        yield ("claims", index, "table"), [claim.table] if claim.table is not None else (), tables, "table"


def check_labels(spec: Specification, index: int, table: Interpretation) -> None:
    """The rows and groups of columns that the specification names for a table must be in it."""
    model = spec.paper.tables[index]
    labels = [*(row.label for row in table.rows), *(label for row in table.rows for label in row.labels)]
    numbers = map(str, range(1, len(table.rows) + 1))
    groups = dict.fromkeys(report.group for report in table.reports)
    for key, told, names, what in (
        ("rows", model.rows, [*filter(None, labels)], "row"),
        ("groups", model.groups, [*filter(None, groups)], "group of columns"),
    ):
        known = {*names, *(numbers if key == "rows" else groups)}
        for name in told:
            if name not in known:
                raise spec.fail(("tables", index, key, name), nearest(name, names, what))
