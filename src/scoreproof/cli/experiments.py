"""Experiments that one option of the command line describes whole, beside the confusion matrices of --p and --n.

An experiment from the command line's options.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from scoreproof.checking.check import experiment_from_dict
from scoreproof.cli.class_values import class_counts, printed_matrix, printed_shares, unknown_counts
from scoreproof.cli.option_groups import ExperimentOptions
from scoreproof.errors import InvalidExperiment, InvalidOption, LimitExceeded, UnreadableInput
from scoreproof.kinds import kind_named
from scoreproof.kinds.binary.experiment import (
    Aggregation,
    KFold,
    MeanOfScores,
    ScoreOfMeans,
    TestSet,
    UnknownAggregation,
)


class Design(NamedTuple):
    """A kind, and the settings of its experiment from what was given with the option."""

    kind: str
    settings: Callable[[Any], Mapping[str, Any]]


def _whole(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 30):
        raise InvalidOption(f"--regression: expected the number of cases, or unknown, got {text!r}")
    return int(text)


# The option's name, without the dashes.
DESIGNS: dict[str, Design] = {
    "classes": Design("multi_class", class_counts),
    "matrix": Design("printed_classes", printed_matrix),
    "labels": Design("multi_label", class_counts),
    "total": Design("unknown_classes", lambda total: {"total": total}),
    "average": Design("common_average", lambda parts: {"parts": parts} if parts else {}),
    "regression": Design("regression", lambda n: {} if n == "unknown" else {"n": _whole(n)}),
    "detection": Design("detection", lambda objects: {"objects": objects} if objects else {}),
    "queries": Design("ranking", lambda queries: {"queries": queries}),
}


def designed(given: Mapping[str, Any], more: Mapping[str, Any] | None = None) -> Any | None:
    """The experiment of the one option that was given, with what others add to it; None if none was."""
    if not given:
        return None
    if set(given) == {"classes", "total"}:
        return kind_named("unknown_counts").experiment(unknown_counts(given["classes"], given["total"]))
    if set(given) == {"classes", "matrix"}:
        return kind_named("printed_shares").experiment(printed_shares(given["matrix"], given["classes"]))
    if len(given) > 1:
        options = " and ".join(f"--{name}" for name in given)
        raise InvalidOption(f"{options} describe different experiments; give one of them")
    ((name, value),) = given.items()
    design = DESIGNS[name]
    return kind_named(design.kind).experiment({**design.settings(value), **(more or {})})


_KNOWN = "catalog:"


def known_experiment(text: str) -> Any:
    """The experiment of a catalogue entry: catalog:drive,region=fov,annotator=1,aggregation=mean_of_scores."""
    from scoreproof.catalog import entry

    name, *settings = text.removeprefix(_KNOWN).split(",")
    chosen: dict[str, Any] = dict(part.strip().partition("=")[::2] for part in settings)
    way = chosen.pop("aggregation", None)
    readings = [one for one in entry(name.strip()).readings(**chosen) if way in (None, one.choices.get("aggregation"))]
    if len(readings) != 1:
        found = "; ".join(f"{one.label}" for one in readings[:4]) or "none"
        raise InvalidOption(
            f"--experiment {text}: expected one reading, got {len(readings)} ({found}); name its choices"
        )
    return readings[0].experiment


def experiment(options: ExperimentOptions, *, fold_rule: str | None = None, **designs: Any) -> Any:
    """One of: a file; another design; explicit folds; folds of a data set; a test set.

    ``designs`` are the options of ``design_options``. Options that say nothing where they stand are errors.
    """
    p, n, folds, fold = options.p, options.n, options.folds, options.fold or None
    way = Aggregation.of(options.aggregation) if options.aggregation is not None else None
    of_folds = options.unstratified or options.repeats != 1 or fold_rule is not None  # what is said of --folds alone
    given = {name: value for name, value in designs.items() if value is not None}
    if options.experiment_file is not None:
        _refuse("--experiment", p=p, n=n, folds=folds, fold=fold, aggregation=way, fold_rule=fold_rule, **given)
        return read_experiment(options.experiment_file)
    several = {"folds": folds} if folds is not None and list(given) == ["regression"] else {}
    if given:
        _refuse(f"--{next(iter(given))}", p=p, n=n, folds=None if several else folds, fold=fold)
    elif fold:
        return _listed(options, way, of_folds=of_folds)
    elif p is None or n is None:
        raise InvalidOption(
            "the experiment is missing: give the positives and negatives with --p and --n, folds with --fold P,N, "
            "another design with an option of its own (--total N; see --help), or --experiment FILE"
        )
    elif folds is not None:
        return KFold(
            p, n, folds, options.repeats, not options.unstratified, way or Aggregation.MEAN_OF_SCORES, fold_rule
        )
    if of_folds or way is not None:
        raise InvalidOption("--repeats, --unstratified, --fold-rule and --aggregation need --folds")
    return designed(given, several) if given else TestSet(p or 0, n or 0)


def _listed(options: ExperimentOptions, way: Aggregation | None, *, of_folds: bool) -> Any:
    """Folds whose counts are given one by one."""
    _refuse("--fold", p=options.p, n=options.n, folds=options.folds)
    if of_folds:
        raise InvalidOption(
            "--unstratified, --fold-rule and --repeats go with --folds, not with explicit --fold counts"
        )
    return _AVERAGED[way or Aggregation.MEAN_OF_SCORES](tuple(map(_fold, options.fold or ())))


_AVERAGED = {
    Aggregation.MEAN_OF_SCORES: MeanOfScores,
    Aggregation.SCORE_OF_MEANS: ScoreOfMeans,
    Aggregation.UNKNOWN: UnknownAggregation,
}


def read_experiment(file: Path) -> Any:
    """The experiment a JSON or YAML file describes, of whatever kind, or a reading of the catalogue."""
    if str(file).startswith(_KNOWN):
        return known_experiment(str(file))
    return experiment_from_dict(_document(file))


def _refuse(owner: str, **others: Any) -> None:
    given = [f"--{name.replace('_', '-')}" for name, value in others.items() if value is not None]
    if given:
        raise InvalidOption(f"{owner} describes the whole experiment; it cannot be combined with {', '.join(given)}")


def _fold(text: str) -> TestSet:
    parts = text.split(",")
    try:
        p, n = (int(part) for part in parts)
    except ValueError:
        raise InvalidOption(f"--fold: expected P,N such as 20,80, got {text!r}") from None
    return TestSet(p, n)


def _document(file: Path) -> Any:
    from scoreproof.csv_reader import read_content
    from scoreproof.structured import read_json, read_yaml

    text = read_content(file).text
    try:
        if file.suffix.lower() in (".yaml", ".yml"):
            root = read_yaml(str(file), text, numbers=True)
            return root.value if root is not None else None
        return read_json(str(file), text, numbers=True)
    except LimitExceeded:
        raise
    except UnreadableInput as error:
        raise InvalidExperiment(f"{error}; expected an experiment in YAML (.yaml) or JSON") from None
