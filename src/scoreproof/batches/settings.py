"""How a batch is decided: what columns are for, and all else its verdicts depend on, as a value that travels."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from scoreproof._version import __version__
from scoreproof.batches.frame import says_percent, without_percent
from scoreproof.errors import InvalidOption, ScoreproofError, UnknownScore
from scoreproof.jsonable import Jsonable, jsonable
from scoreproof.kinds import kind_named, kind_names
from scoreproof.kinds.multi_class.quantities import AVERAGES, parsed
from scoreproof.quantities import quantity
from scoreproof.quantities.registry import key
from scoreproof.reported.conventions import Conventions, told
from scoreproof.validation import shown

#: what describes an experiment: the word of ``experiment_from_dict``, and what its column may be called
SETTINGS: dict[str, tuple[str, ...]] = {
    "p": ("p", "pos", "positives", "n pos", "n positive", "n positives", "positive cases"),
    "n": ("n", "neg", "negatives", "n neg", "n negative", "n negatives", "negative cases"),
    "k": ("folds", "k"),
    "repeats": ("repeats",),
    "stratified": ("stratified",),
    "aggregation": ("aggregation",),
    "rule": ("fold rule",),
    "counts": ("counts", "class counts"),
    "total": ("total", "cases", "n total", "n cases", "n test", "test cases"),
    "prevalence": ("prevalence",),
    "queries": ("queries",),
    "objects": ("objects",),
    "parts": ("parts",),
    "predictors": ("predictors",),
}
_SOURCE = ("source", "study", "paper", "doi")


@dataclass(frozen=True, slots=True)
class Roles(Jsonable):
    """Columns by what they are for; ``carried`` are those that say nothing here."""

    scores: Mapping[str, str]  # the name by which a score is asked, by column
    settings: Mapping[str, str]  # the word of the experiment, by column
    kind: str | None = None
    experiment: str | None = None
    source: str | None = None
    carried: tuple[str, ...] = ()
    percent: Mapping[str, bool] = field(default_factory=dict)  # columns of percentages, and whether the user said so


def roles_of(
    columns: Sequence[str],
    named: Mapping[str, str],
    carry: Iterable[str],
    source: str | None,
    *,
    one_experiment: bool,
    beta: Any = None,
    percent: Iterable[str] = (),
) -> Roles:
    """What columns are for: as ``named`` says (a score or a setting to its column), else by their names.

    >>> roles_of(["study", "p", "n", "Accuracy", "year"], {}, [], None, one_experiment=False)
    ... # doctest: +NORMALIZE_WHITESPACE
    Roles(scores={'Accuracy': 'Accuracy'}, settings={'p': 'p', 'n': 'n'}, kind=None, experiment=None, source='study',
    carried=('year',), percent={})
    """
    for kind in kind_names():
        kind_named(kind)  # their quantities are known once they are loaded
    left = [name for name in columns if name not in _present(columns, carry, "carry")]
    taken = dict(zip(_present(left, named.values(), "columns"), named, strict=True))
    words = {key(spelling): word for word, spellings in SETTINGS.items() for spelling in spellings}
    scores: dict[str, str] = {}
    settings: dict[str, str] = {}
    special: dict[str, str] = {}
    for column in left:
        word = taken.get(column)
        setting = words.get(key(column)) if word is None else word if word in SETTINGS else None
        if (word or column) in ("kind", "experiment"):
            special[word or column] = column
        elif setting is not None:
            settings[column] = setting
        elif word is not None:
            meant(word, beta)
            scores[column] = word
        elif _is_score(column, beta):
            scores[column] = without_percent(column) if says_percent(column) else column
    if one_experiment:
        settings, special = {}, {}
    _require_once(scores, settings, beta)
    _require_clear(settings, named)
    _present(columns, [source] if source is not None else [], "source")
    source = source or next((name for name in left if name.lower() in _SOURCE), None)
    used = {*scores, *settings, *special.values(), source}
    carried = tuple(name for name in columns if name not in used)
    if not scores:
        raise InvalidOption(
            f"columns: none of {', '.join(map(shown, columns[:12]))} is the name of a score; say which is, such as "
            "columns={'acc': 'my column'} (--column acc='my column')"
        )
    as_percent = _percentages(scores, percent)
    return Roles(scores, settings, special.get("kind"), special.get("experiment"), source, carried, as_percent)


def _percentages(scores: Mapping[str, str], stated: Iterable[str]) -> dict[str, bool]:
    """The columns of percentages: those the user names, and those whose headings say so."""
    as_percent = _present(list(scores), stated, "percent")
    return {column: column in as_percent for column in scores if column in as_percent or says_percent(column)}


def _is_score(column: str, beta: Any) -> bool:
    """Whether a heading names a score; one in percent must be a share, since the unit of an error is another matter."""
    percent = says_percent(column)
    try:
        name = meant(without_percent(column) if percent else column, beta)
        return not percent or over_classes(name) or quantity(name, beta).range[1] == 1
    except ScoreproofError:
        return False


def meant(name: str, beta: Any = None) -> str:
    """The score that a name stands for: of any kind, or an average over classes.

    >>> meant("Accuracy"), meant("macro_f1")
    ('acc', 'macro f1')
    """
    try:
        return quantity(name, beta).name
    except UnknownScore:
        score, average = parsed(name)
        return f"{average} {score}"


@lru_cache(maxsize=1024)
def over_classes(name: str) -> bool:
    """Whether a score is an average over classes, about which rows of two classes say nothing."""
    try:
        return meant(name).startswith(AVERAGES)
    except ScoreproofError:  # an F-score whose beta is an option
        return False


def _present(columns: Sequence[str], wanted: Iterable[str], what: str) -> list[str]:
    names = list(wanted)
    missing = [name for name in names if name not in columns]
    if missing:
        raise InvalidOption(f"{what}: there is no column {shown(missing[0])}; there are {', '.join(columns[:30])}")
    return names


def _require_clear(settings: Mapping[str, str], named: Mapping[str, str]) -> None:
    """An error for a column ``n`` that may be all cases: beside ``p`` it is the negatives, but beside "positives"?"""
    by_word = {word: column for column, word in settings.items()}
    p, n = by_word.get("p"), by_word.get("n")
    if p is not None and n is not None and "n" not in named and key(n) == "n" and key(p) != "p":
        raise InvalidOption(
            f"columns: {shown(n)} beside {shown(p)} may be the negatives or all cases; say which: "
            f"columns={{'n': {n!r}}} (--column n={n}) or columns={{'total': {n!r}}} (--column total={n})"
        )


def _require_once(scores: Mapping[str, str], settings: Mapping[str, str], beta: Any) -> None:
    """An error if two columns say the same."""
    column_of: dict[str, str] = {}
    for column, word in (*settings.items(), *((c, meant(name, beta)) for c, name in scores.items())):
        if word in column_of:
            raise InvalidOption(
                f"columns: {shown(column_of[word])} and {shown(column)} both say {word}; leave one of them out (carry "
                "it along: carry=[...], --carry COLUMN)"
            )
        column_of[word] = column


COLUMNS = ("row", "verdict", "reason", "kind", "notes", "witness", "strength", "finding", "proof", "certificate")
_ON_CLASH = "scoreproof_"


@dataclass(frozen=True, slots=True)
class Settings:
    """``options`` are those of ``check``; ``prefix`` stands before the names of the columns that are added.

    ``folder`` is where the documents are, if rows are documents.
    """

    roles: Roles
    experiment: Any = None
    options: Mapping[str, Any] = field(default_factory=dict)
    budget: float = 30.0
    seed: int = 0
    strength: bool = False
    explain: bool = False
    prefix: str = ""
    folder: str = ""

    def to_dict(self) -> dict[str, Any]:
        """What the manifest of a batch says of it."""
        return {
            "version": __version__,
            "roles": self.roles.to_dict(),
            "experiment": None if self.experiment is None else self.experiment.to_dict(),
            "options": {name: _stated(value) for name, value in sorted(self.options.items())},
            "budget": self.budget,
            "seed": self.seed,
            "strength": self.strength,
            "explain": self.explain,
            "prefix": self.prefix,
            "folder": self.folder,
        }

    @property
    def how(self) -> Conventions:
        """The conventions that were stated."""
        return told(self.options)

    def column(self, name: str) -> str:
        """What an added column is called."""
        return f"{self.prefix}{name}"

    @property
    def added(self) -> tuple[str, ...]:
        """The columns that are added: the number of the row first, the others last."""
        wanted = {"strength": self.strength, "finding": self.explain}
        return tuple(name for name in COLUMNS if wanted.get(name, True))


def prefix_for(columns: tuple[str, ...]) -> str:
    """What stands before the names of the added columns: nothing, unless the input has such a column.

    >>> prefix_for(("p", "n", "acc")), prefix_for(("p", "n", "acc", "verdict"))
    ('', 'scoreproof_')
    """
    prefix = ""
    while {f"{prefix}{name}" for name in COLUMNS} & set(columns):
        prefix += _ON_CLASH
    return prefix


def _stated(value: Any) -> Any:
    return {str(name): str(each) for name, each in value.items()} if isinstance(value, Mapping) else jsonable(value)
