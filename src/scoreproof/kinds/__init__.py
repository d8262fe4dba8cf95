"""The kinds of problems by name, each a file or a folder; a kind is loaded when it is first asked for."""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from scoreproof.errors import InvalidOption, InvalidValue
from scoreproof.kinds.kind import Kind, Problem
from scoreproof.quantities import CURVE, register_of
from scoreproof.validation import shown

# The module of each kind, and its name there.
_PLACES = {
    "average": "average:KIND",
    "binary": "binary.kind:KIND",
    "common_average": "common_average.kind:KIND",
    "curve": "curve.kind:KIND",
    "detection": "detection:KIND",
    "one_test_set": "one_test_set:KIND",
    "multi_class": "multi_class.kind:KIND",
    "multi_label": "multi_class.kind:MULTI_LABEL",
    "order": "order:KIND",
    "printed_classes": "printed_classes:KIND",
    "printed_matrix": "printed_matrix:KIND",
    "printed_shares": "printed_shares:KIND",
    "ranking": "ranking:KIND",
    "regression": "regression.kind:KIND",
    "shared_variance": "regression.kind:SHARED_VARIANCE",
    "mean_ranks": "rank_sums:MEAN_RANKS",
    "paired_counts": "paired_counts:KIND",
    "proportion_interval": "proportion_interval:KIND",
    "relation": "relation:KIND",
    "reported_test": "reported_test:KIND",
    "sign_patterns": "rank_sums:SIGN_PATTERNS",
    "value_spread": "value_spread:KIND",
    "unknown_classes": "unknown_classes.kind:KIND",
    "unknown_counts": "unknown_counts:KIND",
}
_LOADED: dict[str, Kind[Any, Any]] = {}


def kind_named(name: str) -> Kind[Any, Any]:
    """The kind of this name."""
    known = _LOADED.get(name)
    if known is None:
        if name not in _PLACES:
            raise InvalidOption(f"kind: expected one of {', '.join(kind_names())}; got {name!r}")
        module, _, attribute = _PLACES[name].partition(":")
        known = _LOADED[name] = getattr(importlib.import_module(f"{__name__}.{module}"), attribute)
    return known


# Experiments whose reports may have areas under curves beside scores: then the kind of curves takes the whole report.
_WITH_CURVES = frozenset({"binary", "unknown_classes"})


def kind_of(experiment: Any, scores: Iterable[str]) -> Kind[Any, Any]:
    """The kind of a report: that of its experiment, or the one that takes its scores, too.

    >>> from scoreproof import TestSet
    >>> kind_of(TestSet(10, 20), ["acc"]).name, kind_of(TestSet(10, 20), ["acc", "AUROC"]).name
    ('binary', 'curve')
    """
    name = experiment.kind
    if name in _WITH_CURVES:
        for score in scores:
            if CURVE.find(score) is not None:
                return kind_named("curve")
    return kind_named(name)


class ReportFit(NamedTuple):
    """The kind of a report, the scores it takes, and why it does not take the others."""

    kind: Kind[Any, Any]
    scores: Mapping[str, str]
    left_out: Mapping[str, str]


def fitted(experiment: Any, scores: Mapping[str, str]) -> ReportFit:
    """What of a row of a table can be asked of an experiment.

    >>> from scoreproof import TestSet
    >>> fitted(TestSet(10, 20), {"acc": "0.90", "mrr": "0.5"}).left_out
    {'mrr': 'the mean reciprocal rank is not of this kind of experiment'}
    """
    kind = kind_of(experiment, scores)
    known = register_of(kind.register or kind.name)
    asked = scores if kind.choosy else [name for name in scores if known.find(name) is None]
    left_out = {name: why for name in asked if (why := kind.refuses(experiment, name))}
    if not left_out:
        return ReportFit(kind, scores, left_out)
    taken = {name: text for name, text in scores.items() if name not in left_out}
    return ReportFit(kind_of(experiment, taken), taken, left_out)


def kind_names() -> Iterator[str]:
    """The names of all kinds."""
    return iter(dict.fromkeys((*_PLACES, *_LOADED)))


def add_kind(kind: Kind[Any, Any]) -> None:
    """Make a kind known; its verifier is added to ``scoreproof_verify.CHECKERS``."""
    _LOADED[kind.name] = kind


def remove_kind(name: str) -> None:
    """Forget a kind that was added."""
    _LOADED.pop(name, None)


def read_problem(name: str, statement: dict[str, Any]) -> Problem:
    """The problem of a kind that a statement describes."""
    kind = kind_named(name)
    try:
        problem: Problem = kind.read(statement)
    except (KeyError, TypeError, AttributeError) as error:
        raise InvalidValue(f"a problem of the kind {name!r}: the statement cannot be read ({shown(error)})") from None
    return problem
