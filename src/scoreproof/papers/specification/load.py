"""Loading a specification: the models filled, every name resolved, every mistake with its line.

A YAML or JSON file is read as plain lists, mappings and *texts*, every one of which knows its line. Every scalar stays
the text that was written (see ``scoreproof.files``); what is a number or a truth value is decided by the schema.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ValidationError

from scoreproof.arrays import written
from scoreproof.errors import InvalidOption, UnreadableInput
from scoreproof.files import Piece, read_file, read_json, read_yaml, shown_path
from scoreproof.limits import changed, current, require_within
from scoreproof.papers.specification.model import UNTESTED, PaperModel
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
        node = self._root
        line = None if node is None else node.line
        for step in path:
            below = None if node is None else node.below
            if node is not None and isinstance(below, dict) and str(step) in below:
                node, line = below[str(step)], node.key_lines[str(step)]
            elif isinstance(below, list) and isinstance(step, int) and 0 <= step < len(below):
                node = below[step]
                line = node.line
            else:
                break
        return line

    def where(self, path: Sequence[str | int]) -> str:
        """File and line, as editors understand them: ``paper.yaml:12``."""
        line = self.line(path)
        return f"{self.source or 'specification'}{'' if line is None else f':{line}'}"


def open_document(spec: str | Path | Mapping[str, Any]) -> Document:
    """The document behind a path, a text (a string of several lines) or a mapping."""
    if isinstance(spec, Mapping):
        return Document("", dict(spec))
    if isinstance(spec, str) and ("\n" in spec or spec.lstrip().startswith("{")):
        require_within("megabytes", len(spec) >> 20, "the specification")
        return _parse("", spec)
    return _parse(str(spec), _content(Path(spec)))


def _content(path: Path) -> str:
    name = shown_path(path)
    data = read_file(path, advice=f"; {_EXPECTED}")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise UnreadableInput(
            f"{name}: expected a specification in YAML or JSON, got other bytes; for a paper run "
            f"'scoreproof init {path.name}' first"
        ) from None
    if not text.strip():
        raise UnreadableInput(f"{name}: the file is blank; {_EXPECTED}")
    return text


def _parse(source: str, text: str) -> Document:
    name = shown_path(source) or "specification"
    if text.lstrip().startswith("{"):
        content = read_json(name, text)
        with suppress(UnreadableInput):  # JSON is YAML but for tabs between tokens: the same composer tells the lines
            return Document(source, content, read_yaml(name, text.replace("\t", " ")))
        return Document(source, content)
    root = read_yaml(name, text)
    if root is None:
        raise UnreadableInput(f"{name}: nothing but comments; {_EXPECTED}")
    if not isinstance(root.below, dict):
        raise UnreadableInput(
            f"{name}:{root.line}: expected a mapping with title, datasets, experiments and tables; for a paper run "
            "'scoreproof init' first"
        )
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

    @property
    def title(self) -> str:
        return self.paper.title

    def fail(self, place: Sequence[str | int], message: str) -> InvalidOption:
        """An error about one part of the file."""
        return InvalidOption(f"{self.document.where(place)}: {_path(place)}: {message}")

    def resolve(self, file: str) -> Path:
        """A file named in the specification, relative to the specification's own folder."""
        return self.folder / file  # the file alone, if it is absolute

    def __str__(self) -> str:
        tables = len(self.paper.tables)
        return f"{self.title or 'untitled'}: {tables} table{'s' * (tables != 1)}"


def load(spec: str | Path | Mapping[str, Any] | Specification) -> Specification:
    """The specification behind a path, a text (several lines of YAML or JSON) or a mapping.

    >>> load({"tables": [{"grid": [["Acc"], ["0.90"]], "experiment": "test"}],
    ...       "experiments": {"test": {"dataset": "cases"}}, "datasets": {"cases": {"p": 30, "n": 50}}}).title
    ''
    >>> load({"tabels": []})
    Traceback (most recent call last):
    ...
    scoreproof.errors.InvalidOption: specification: unknown key 'tabels'; did you mean tables?
    """
    if isinstance(spec, Specification):
        return spec
    if not isinstance(spec, (str, Path, Mapping)):
        raise InvalidOption(f"spec: expected a path, a text or a mapping, got {type(spec).__name__}")
    document = open_document(spec)
    _require_few(document)
    _refuse_marks(document)
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
    """The specification that somebody else sent: the one gate for whatever a page or an assistant names.

    Of files it names only those that were sent ``beside`` it; no catalogue of its own, and no limit above those here.
    """
    if not isinstance(spec, (Path, Mapping)):
        raise InvalidOption(f"specification: expected a mapping, got {type(spec).__name__}")
    loaded, sent = load(spec), set(beside)
    for index, table in enumerate(loaded.paper.tables):
        if table.file is not None and table.file not in sent:
            why = f"{shown(table.file)} was not sent along, and other files are not read"
            raise loaded.fail(("tables", index, "file"), f"{why}: drop both together, or write it as text or grid")
    if loaded.paper.catalog:
        raise loaded.fail(("catalog",), "no files of catalogue entries are read here; use 'scoreproof audit'")
    here = current()
    for name, value in changed(loaded.paper.limits).to_dict().items():
        if value > getattr(here, name):
            raise loaded.fail(
                ("limits", name), f"at most {getattr(here, name)} here, where 'scoreproof --allow' sets it"
            )
    return loaded


def schema() -> dict[str, Any]:
    """The JSON Schema of specification files."""
    document = PaperModel.model_json_schema()
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "scoreproof/specification",
        **document,
        "title": "scoreproof specification",
    }


def _require_few(document: Document) -> None:
    """Refuse lists that are too long before they are looked into: every wrong entry would be an error to keep."""
    for key, part in document.content.items():
        if isinstance(part, (list, tuple, Mapping)):
            where = document.source or "specification"
            require_within("tables" if key == "tables" else "values", len(part), f"{where}: {key}"[:200])


def _refuse_marks(document: Document) -> None:
    """What ``scoreproof init`` marked must be filled in by a person first."""
    places = list(_marked(document.content))
    if places:
        shown = "\n".join(f"{document.where(place)}: {_path(place)}: still to be filled in" for place in places[:20])
        more = f"\nand {len(places) - 20} more" if len(places) > 20 else ""
        raise InvalidOption(f"{shown}{more}\n{len(places)} places are marked {FILL_IN}: write what the paper says")


def _marked(content: Any) -> Iterator[Place]:
    """The places whose key or value carries a mark; grids of cells are left alone."""
    stack: list[tuple[Place, Any]] = [((), content)]
    while stack:
        place, value = stack.pop()
        if isinstance(value, str) and FILL_IN in value:
            yield place
        elif isinstance(value, Mapping):
            yield from ((*place, key) for key in value if isinstance(key, str) and FILL_IN in key)
            stack += [((*place, written(key)), part) for key, part in reversed(list(value.items())) if key != "grid"]
        elif isinstance(value, list):
            stack += [((*place, index), value[index]) for index in reversed(range(len(value)))]


def _path(place: Sequence[str | int]) -> str:
    return ".".join(step if isinstance(step, str) else str(step + 1) for step in place)


_INSTEAD = {
    "missing": "it is missing",
    **dict.fromkeys(("model_type", "dict_type"), "expected a mapping"),
    **dict.fromkeys(("list_type", "tuple_type"), "expected a list"),
    **dict.fromkeys(("too_short", "too_long"), "expected [p, n]"),
}


def _words(document: Document, error: ValidationError) -> str:
    """What pydantic found, one line each, in the words of the file."""
    lines = []
    errors = error.errors(include_url=False, include_context=False)
    errors.sort(key=lambda mistake: mistake["type"] != "extra_forbidden")  # a misspelt key is also missing
    guessed: set[str] = set()
    for mistake in errors[:_SHOWN]:
        place, kind = tuple(step for step in mistake["loc"] if step != "[key]"), mistake["type"]
        if kind == "extra_forbidden":
            *above, key = place
            known = _keys_at(place)
            near = difflib.get_close_matches(str(key).lower(), known, n=1, cutoff=0.5)
            guessed.update(near)
            hint = f"did you mean {near[0]}?" if near else f"known are {', '.join(known)}"
            inside = f" in {_path(above)}" if above else ""
            lines.append(f"{document.where(place)}: unknown key {str(key)!r}{inside}; {hint}")
        elif kind != "missing" or place[-1] not in guessed:
            message = _INSTEAD.get(kind, mistake["msg"].removeprefix("Value error, "))
            if kind == "too_short" and place[-1:] == ("tables",):
                message = "expected at least one"
            lines.append(f"{document.where(place)}: {_path(place) or 'the file'}: {message}")
    if len(errors) > _SHOWN:
        lines.append(f"and {len(errors) - _SHOWN} more mistakes")
    return "\n".join(lines)


def _keys_at(place: Sequence[str | int]) -> list[str]:
    """The keys the models know beside the one at ``place``."""
    model: Any = PaperModel
    for step in place[:-1]:
        if isinstance(model, type) and issubclass(model, BaseModel) and step in model.model_fields:
            model = _inner(model.model_fields[str(step)].annotation)
    return list(model.model_fields) if isinstance(model, type) and issubclass(model, BaseModel) else []


def _inner(annotation: Any) -> Any:
    """The model inside list[...], dict[str, ...] or ... | None."""
    stack = [annotation]
    while stack:
        hint = stack.pop()
        if isinstance(hint, type) and issubclass(hint, BaseModel):
            return hint
        stack.extend(getattr(hint, "__args__", ()))
    return None


def nearest(name: str, known: Iterable[str], what: str) -> str:
    """What to say about a name that is not among the known ones."""
    names = list(known)
    near = difflib.get_close_matches(name, names, n=1, cutoff=0.5)
    if near:
        return f"there is no {what} called {name!r}; did you mean {near[0]}?"
    return f"there is no {what} called {name!r}; there is {', '.join(names[:10]) or 'none at all'}"


def _names(paper: PaperModel) -> Iterator[tuple[Place, Sequence[str], Sequence[str], str]]:
    """Every place that names something, with what it names, what there is, and how that is called."""
    datasets, experiments = list(paper.datasets), list(paper.experiments)
    for kind, group in (("experiments", paper.experiments), ("hypotheses", paper.hypotheses)):
        for name, model in group.items():
            yield (kind, name, "dataset"), model.dataset or (), datasets, "data set"
    for name, hypothesis in paper.hypotheses.items():
        yield ("hypotheses", name, "instead_of"), hypothesis.instead_of or (), experiments, "experiment"
    for index, table in enumerate(paper.tables):
        uses: list[tuple[Place, Sequence[str]]] = [(("experiment",), table.experiment or ())]
        uses += [(("rows", label), names) for label, names in table.rows.items()]
        uses += [(("groups", label), names) for label, names in table.groups.items()]
        for place, names in uses:
            yield ("tables", index, *place), names, [*experiments, UNTESTED], "experiment"
    tables = [table.name or f"table {index}" for index, table in enumerate(paper.tables, 1)]
    for index, claim in enumerate(paper.claims):
        yield ("claims", index, "table"), [claim.table] if claim.table is not None else (), tables, "table"


def check_labels(spec: Specification, index: int, table: Interpretation) -> None:
    """The rows and groups of columns that the specification names for a table must be in it."""
    model = spec.paper.tables[index]
    labels = [row.label for row in table.rows if row.label]
    short = [label for row in table.rows for label in row.labels if label]
    for label in model.rows:
        number = int(label) if label.isascii() and label.isdigit() and len(label) < 9 else 0
        if label not in labels and label not in short and not 1 <= number <= len(table.rows):
            raise spec.fail(("tables", index, "rows", label), nearest(label, [*labels, *short], "row"))
    groups = dict.fromkeys(report.group for report in table.reports)
    for group in model.groups:
        if group not in groups:
            words = nearest(group, filter(None, groups), "group of columns")
            raise spec.fail(("tables", index, "groups", group), words)
