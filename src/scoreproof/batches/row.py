"""One row of a frame as a report: the experiment its cells describe, and the scores they print."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from decimal import Decimal
from functools import lru_cache
from typing import Any

from scoreproof.batches.frame import as_percentage
from scoreproof.batches.settings import Roles
from scoreproof.checking.check import experiment_from_dict
from scoreproof.csv_reader.content import is_missing
from scoreproof.errors import InvalidExperiment
from scoreproof.files import unique
from scoreproof.kinds import kind_names
from scoreproof.limits import require_within
from scoreproof.validation import shown

_WHOLE = re.compile(r"[0-9]{1,15}(?:\.0{1,6})?")  # pandas writes counts beside gaps as 100.0
_PAIRS = re.compile(r"\s*\d+\s*[,/]\s*\d+\s*(?:;\s*\d+\s*[,/]\s*\d+\s*)+;?\s*")
_LIST = re.compile(r"\s*\d+\s*(?:,\s*\d+\s*)+")
_TRUTH = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
_LONGEST = 20_000  # characters of an experiment in a cell
# Which experiment it is where no column says so: the first of these that is there.
_IMPLIED = (
    ("k", "kfold"),
    ("counts", "multi_class"),
    ("p", "testset"),
    ("n", "testset"),
    ("total", "unknown_classes"),
    ("prevalence", "unknown_classes"),
    ("queries", "ranking"),
    ("objects", "detection"),
    ("parts", "common_average"),
)
_OF_TWO_CLASSES = ("testset", "kfold", "binary")
_TYPES = ("testset", "kfold", "mean_of_scores", "score_of_means", "unknown_aggregation")


def is_blank(cell: Any) -> bool:
    """Whether a cell says that there is nothing."""
    if cell is None:
        return True
    if isinstance(cell, str):
        return is_missing(cell.strip())
    return isinstance(cell, float) and math.isnan(cell)


def scores_in(cells: Mapping[str, Any], roles: Roles, digits: Any) -> dict[str, Any]:
    """The scores of a row as ``check`` takes them."""
    return {
        name: as_score(cells[column], column, roles, digits)
        for column, name in roles.scores.items()
        if not is_blank(cells[column])
    }


def as_score(cell: Any, column: str, roles: Roles, digits: Any) -> Any:
    """A cell as ``check`` takes it: with a sign if its column holds percentages; ``digits`` are those of ``check``."""
    stated = roles.percent.get(column)
    if stated is None:
        return cell
    if isinstance(digits, Mapping):
        digits = digits.get(roles.scores[column])
    return as_percentage(cell, column, stated=stated, digits=digits)


def experiment_in(cells: Mapping[str, Any], roles: Roles) -> Any:
    """The experiment that a row describes.

    >>> roles = Roles({}, {"p": "p", "n": "n", "folds": "k"}, "kind")
    >>> experiment_in({"p": "10", "n": 20, "folds": "", "kind": ""}, roles)
    TestSet(p=10, n=20)
    >>> str(experiment_in({"p": "10", "n": 20, "folds": "5", "kind": None}, roles))
    '5 stratified folds of p=10, n=20, mean of scores'
    """
    if roles.experiment is not None and not is_blank(cells[roles.experiment]):
        return _written(str(cells[roles.experiment]))
    named = {word: cells[column] for column, word in roles.settings.items() if not is_blank(cells[column])}
    kind = cells[roles.kind] if roles.kind is not None else None
    stated = "" if is_blank(kind) else str(kind).strip()
    return _experiment(stated, tuple((word, _plain(value)) for word, value in named.items()))


def _plain(value: Any) -> Any:
    """A cell of a setting as a text or a number, so that cells which are remembered as equal are the same."""
    if isinstance(value, (list, dict)):
        raise InvalidExperiment(f"the experiment: expected numbers and texts in its columns, got {shown(value)}")
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return str(value).strip() if isinstance(value, (str, bool, Decimal)) else value


@lru_cache(maxsize=4096)
def _experiment(kind: str, words: tuple[tuple[str, Any], ...]) -> Any:
    """Rows of one study have one experiment, which is made once."""
    settings = {word: _setting(word, value) for word, value in words}
    if not kind:
        kind = next((named for word, named in _IMPLIED if word in settings), "")
        if not kind:
            raise InvalidExperiment(
                "the experiment is missing: expected columns p and n, folds, total, queries or the like, or one "
                "experiment for all rows"
            )
    if kind in _OF_TWO_CLASSES:
        settings = _of_both_classes(settings)
    if isinstance(settings.get("k"), list):
        return _of_folds(settings)
    if kind == "binary":
        kind = "kfold" if "k" in settings else "testset"
    elif kind == "multi_class" and "k" in settings:
        kind = "kfold"
    elif kind not in _TYPES and kind not in kind_names():
        raise InvalidExperiment(f"kind: expected one of {', '.join((*_TYPES, *kind_names()))}; got {shown(kind)}")
    if kind == "regression" and "k" in settings:
        settings["folds"] = settings.pop("k")
    return experiment_from_dict({"type": kind, **settings})


def _of_both_classes(settings: dict[str, Any]) -> dict[str, Any]:
    """All cases and those of one class say those of the other."""
    total, p, n = (settings.get(word) for word in ("total", "p", "n"))
    if not isinstance(total, int) or (p is None and n is None):
        return settings
    if p is None or n is None:
        of_class = n if p is None else p
        if not isinstance(of_class, int) or of_class > total:
            raise InvalidExperiment(f"total: expected at least the {of_class} cases of one class, got {total}")
        settings["p" if p is None else "n"] = total - of_class
    elif isinstance(p, int) and isinstance(n, int) and p + n != total:
        raise InvalidExperiment(f"total: expected p + n = {p + n}, got {total}")
    return {word: value for word, value in settings.items() if word != "total"}


def _of_folds(settings: dict[str, Any]) -> Any:
    """Folds whose counts are listed: "20,80; 20,81"."""
    parts = [{"type": "testset", "p": p, "n": n} for p, n in settings.pop("k")]
    kind = settings.pop("aggregation", "mean_of_scores")
    if settings:
        raise InvalidExperiment(f"folds whose counts are listed need no {', '.join(settings)}; leave it out")
    return experiment_from_dict({"type": "unknown_aggregation" if kind == "unknown" else kind, "parts": parts})


def _setting(word: str, value: Any) -> Any:
    if not isinstance(value, str):
        return value
    if _WHOLE.fullmatch(value):
        return int(value.partition(".")[0])
    if word == "stratified":
        if value.lower() not in _TRUTH:
            raise InvalidExperiment(f"stratified: expected true or false, got {shown(value)}")
        return _TRUTH[value.lower()]
    if len(value) > _LONGEST:
        raise InvalidExperiment(f"{word}: expected a short text, got {len(value):,} characters")
    if word == "k" and _PAIRS.fullmatch(value):
        pairs = [re.split("[,/]", pair) for pair in value.split(";") if pair.strip()]
        require_within("sets", len(pairs), "folds")
        return [(int(p), int(n)) for p, n in pairs]
    if word in ("counts", "total") and _LIST.fullmatch(value):
        return [int(count) for count in value.split(",")]
    return value


@lru_cache(maxsize=1024)
def _written(text: str) -> Any:
    """An experiment written out in a cell, as JSON."""
    if len(text) > _LONGEST:
        raise InvalidExperiment(f"experiment: expected at most {_LONGEST:,} characters, got {len(text):,}")
    try:
        tree = json.loads(text, object_pairs_hook=unique)
    except (ValueError, RecursionError):
        raise InvalidExperiment(
            f'experiment: expected JSON such as {{"type": "testset", "p": 10, "n": 20}}, got {shown(text)}'
        ) from None
    return experiment_from_dict(tree)
