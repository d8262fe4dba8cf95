"""An experiment from the command line's options: class counts, values by class, designs that one option describes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from scoreproof.checking.check import experiment_from_dict
from scoreproof.cli.app import ExperimentOptions
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
from scoreproof.validation import shown

if TYPE_CHECKING:
    from scoreproof.insight.class_cells import ClassCells


def several_classes(
    classes: str, scores: dict[str, str], rules: Mapping[str, Any], macro_f1: str | None, **others: Any
) -> ClassCells:
    """The cells that follow from class counts and scores; ``others`` are options of two classes, refused."""
    from scoreproof.insight.class_cells import reconstruct_classes

    refused = [f"--{name.replace('_', '-')}" for name, value in others.items() if value is not None]
    if refused:
        raise InvalidOption(f"--classes describes the whole test set; it cannot be combined with {', '.join(refused)}")
    experiment = kind_named("multi_class").experiment(class_counts(classes))
    given = values_by_class(experiment, scores, decimal_comma=rules.get("decimal_comma", False))
    special: dict[str, Any] = {} if macro_f1 is None else {"macro_f1": macro_f1}
    return reconstruct_classes(experiment, given, **rules, **special)


KINDS = ("multi_class", "unknown_counts", "multi_label", "printed_classes", "printed_shares")


def class_counts(text: str) -> dict[str, Any]:
    """Class counts, with names or without.

    >>> class_counts("50,70,30"), class_counts("cat=50, dog=70")
    ({'counts': [50, 70, 30]}, {'counts': {'cat': 50, 'dog': 70}})
    """
    parts = [part.strip() for part in text.split(",")]
    pairs = [part.rpartition("=") for part in parts]
    try:
        sizes = [int(size) for _, _, size in pairs]
    except ValueError:
        raise InvalidOption(f"--classes: expected counts such as 50,70,30 or cat=50,dog=70; got {text!r}") from None
    names = [name.strip() for name, _, _ in pairs]
    if not any(names):
        return {"counts": sizes}
    if not all(names) or len(set(names)) < len(names):
        raise InvalidOption(f"--classes: expected a name of its own for every class or for none; got {text!r}")
    return {"counts": dict(zip(names, sizes, strict=True))}


def unknown_counts(classes: str, total: Any) -> dict[str, Any]:
    """So many classes, or their names, on so many cases.

    >>> unknown_counts("3", 150), unknown_counts("cat, dog, cow", 150)
    ({'total': 150, 'classes': 3}, {'total': 150, 'classes': ['cat', 'dog', 'cow']})
    """
    parts = [part.strip() for part in classes.split(",")]
    if len(parts) == 1 and parts[0].isascii() and parts[0].isdigit() and len(parts[0]) < 10:
        return {"total": total, "classes": int(parts[0])}
    if len(parts) < 2 or not all(parts) or any("=" in part or part.isdigit() for part in parts):
        raise InvalidOption(
            f"--classes: with --total expected how many classes there are (3) or their names, got {classes!r}"
        )
    return {"total": total, "classes": parts}


def printed_matrix(text: str) -> dict[str, Any]:
    """A printed matrix of counts, row by row.

    >>> printed_matrix("120 7; 15 116")
    {'matrix': [[120, 7], [15, 116]]}
    """
    try:
        return {"matrix": [[int(cell) for cell in row] for row in _rows(text)]}
    except ValueError:
        raise InvalidOption(
            f"--matrix: expected counts such as '120 7; 15 116' (or shares of rows, with --classes), got {shown(text)}"
        ) from None


def printed_shares(matrix: str, classes: str) -> dict[str, Any]:
    """A printed matrix of shares of its rows, and the cases of every class.

    >>> printed_shares("66.7% 33.3%; 0% 100%", "3,2")
    {'matrix': [['66.7%', '33.3%'], ['0%', '100%']], 'counts': [3, 2]}
    """
    return {"matrix": _rows(matrix), **class_counts(classes)}


def _rows(text: str) -> list[list[str]]:
    return [row.replace(",", " ").split() for row in text.strip("; ").split(";")]


def values_by_class(experiment: Any, scores: dict[str, str], *, decimal_comma: bool) -> dict[str, Any]:
    """Scores whose values are one for each class, as lists; a class without a value is left empty.

    >>> from scoreproof import MultiClass
    >>> values_by_class(MultiClass([5, 7]), {"sens": "0.8,0.9", "acc": "0.86"}, decimal_comma=False)
    {'sens': ['0.8', '0.9'], 'acc': '0.86'}
    """
    if getattr(experiment, "kind", "") not in KINDS:
        return dict(scores)
    separator = ";" if decimal_comma else ","
    return {
        name: [part.strip() or None for part in text.split(separator)] if separator in text else text
        for name, text in scores.items()
    }


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
    every = entry(name.strip()).readings(**chosen)
    readings = [reading for reading in every if way in (None, reading.choices.get("aggregation"))]
    if len(readings) != 1:
        labels = "; ".join(f"{reading.label}" for reading in readings[:4]) or "none"
        raise InvalidOption(
            f"--experiment {text}: expected one reading, got {len(readings)} ({labels}); name its choices"
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
    from scoreproof.files import read_json, read_yaml

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
