"""What the columns of a frame are for: scores, what describes the experiment, the source; the rest is carried along."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from scoreproof.batches.frame import says_percent, without_percent
from scoreproof.errors import InvalidOption, ScoreproofError, UnknownScore
from scoreproof.jsonable import Jsonable
from scoreproof.kinds import kind_named, kind_names
from scoreproof.kinds.multi_class.quantities import AVERAGES, parsed
from scoreproof.quantities import quantity
from scoreproof.quantities.registry import key
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
        if (word or column) in ("kind", "experiment"):
            special[word or column] = column
        elif word is not None and word in SETTINGS:
            settings[column] = word
        elif word is not None:
            meant(word, beta)
            scores[column] = word
        elif key(column) in words:
            settings[column] = words[key(column)]
        elif _is_score(column, beta):
            scores[column] = without_percent(column) if says_percent(column) else column
    if one_experiment:
        settings, special = {}, {}
    _require_once(scores, settings, beta)
    _require_clear(settings, named)
    if source is not None:
        _present(columns, [source], "source")
    else:
        source = next((name for name in left if name.lower() in _SOURCE), None)
    used = {*scores, *settings, *special.values(), source}
    carried = tuple(name for name in columns if name not in used)
    if not scores:
        raise InvalidOption(
            f"columns: none of {', '.join(map(shown, columns[:12]))} is the name of a score; say which is, such as "
            "columns={'acc': 'my column'} (--column acc='my column')"
        )
    return Roles(
        scores,
        settings,
        special.get("kind"),
        special.get("experiment"),
        source,
        carried,
        _percentages(scores, percent),
    )


def _percentages(scores: Mapping[str, str], stated: Iterable[str]) -> dict[str, bool]:
    """The columns of percentages: those the user names, and those whose headings say so."""
    said = _present(list(scores), stated, "percent")
    return {column: column in said for column in scores if column in said or says_percent(column)}


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
    said: dict[str, str] = {}
    for column, word in (*settings.items(), *((c, meant(name, beta)) for c, name in scores.items())):
        if word in said:
            raise InvalidOption(
                f"columns: {shown(said[word])} and {shown(column)} both say {word}; leave one of them out (carry it "
                "along: carry=[...], --carry COLUMN)"
            )
        said[word] = column
