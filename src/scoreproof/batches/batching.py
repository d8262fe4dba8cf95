"""From a frame to a ``BatchResult``: read, find out what the columns are, run, sum up."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any, Unpack

from scoreproof.batches.deciding import of_these
from scoreproof.batches.frame import ROWS, Frame, arrow, frame_of
from scoreproof.batches.other_frames import LongFrame, is_long
from scoreproof.batches.result import BatchResult, read_summary, summarised
from scoreproof.batches.running import SUMMARY, Progress, Store, opened, read_manifest, run
from scoreproof.batches.settings import Roles, Settings, meant, over_classes, prefix_for, roles_of
from scoreproof.checking.check import experiment_from_dict
from scoreproof.errors import InvalidExperiment, InvalidOption, UnreadableInput
from scoreproof.files import read_file, write_file
from scoreproof.kinds.binary.experiment import TestSet
from scoreproof.kinds.binary.problem import binary_problem
from scoreproof.quantities import quantity
from scoreproof.quantities.registry import why_untested
from scoreproof.reported.conventions import Stated, spelled, told
from scoreproof.validation import declared, random_seed, seconds, shown, truth, whole
from scoreproof.work.pool import Pool, pool_of

_SHOWN = 12  # columns in a note
_COMMON = ("rounding", "eps", "digits", "beta", "decimal_comma", "undefined")  # options that every row is read with
_MOST_ROWS = 1_000_000  # of a part


class BatchOptions(Stated, total=False):
    """Conventions of the check, and how the work is parted."""

    pool: Any
    rows_per_part: int
    progress: Progress | None


@declared
@spelled(pool=1, rows_per_part=ROWS, progress=None)
def batch(
    frame: Any,
    out: str | Path | None = None,
    *,
    experiment: Any = None,
    columns: Mapping[str, str] | None = None,
    carry: Iterable[str] = (),
    percent: Iterable[str] = (),
    source: str | None = None,
    long: bool | None = None,
    strength: bool = False,
    explain: bool = False,
    budget: float = 30.0,
    seed: int = 0,
    **options: Unpack[BatchOptions],
) -> BatchResult:
    """Check every row of a frame: the same rows out, each with its verdict, and the proof if it is inconsistent.

    ``frame`` is the path of a CSV, Parquet or Arrow file, or a frame of pandas, polars or Arrow; or a folder of model
    cards, leaderboards and results files, each of which is audited and is a row. Columns are recognised
    by their names (scores; p and n; folds, repeats, stratified, aggregation; kind; experiment), or as ``columns`` says,
    a mapping from the score or setting to its column; ``carry`` names columns that mean nothing here. ``experiment`` is
    one for all rows. Scores are texts, or numbers whose ``digits`` (or ``eps``) are said; ``percent`` names columns of
    percentages, as a heading such as "Accuracy (%)" says of itself. In a ``long`` frame each line
    has one score of a report (columns score and value). ``source`` names the column to count verdicts by.

    ``out`` is a folder for the parts of ``rows_per_part`` rows, from which an interrupted batch goes on; without it
    they go with the result.
    ``strength`` asks how surprising each pass is, ``explain`` writes the finding of each row that does not fit.
    ``pool`` is a number of processes, the address of a Dask cluster, or a Dask client. ``budget`` is in seconds per
    row, and the others are those of ``check``.

    >>> import pyarrow
    >>> frame = pyarrow.table({"p": [1000, 1000], "n": [6000, 6000], "acc": ["0.6801", "0.6821"],
    ...                        "npv": ["0.9401", "0.9401"], "f1": ["0.4004", "0.4004"]})
    >>> result = batch(frame)
    >>> print(result)
    the frame: 2 rows, 1 inconsistent, 1 consistent
    >>> result.table(["row", "verdict"]).to_pylist()
    [{'row': 1, 'verdict': 'inconsistent'}, {'row': 2, 'verdict': 'consistent'}]
    """
    pool, progress = options.pop("pool", 1), options.pop("progress", None)
    rows_per_part = options.pop("rows_per_part", ROWS)
    arrow()
    if out is not None and ("\0" in str(out) or "\\ud" in ascii(str(out))):
        raise InvalidOption(f"out: expected the name of a folder, got {shown(out)}")
    workers = pool_of(pool, "pool")
    budget, seed, strength = seconds(budget), random_seed(seed), truth("strength", strength)
    size = whole("rows_per_part", rows_per_part, at_least=1, at_most=_MOST_ROWS)
    folder = None if out is None else _folder("out", out)
    read = _read(frame, long)
    settings = _settings(read, experiment, {} if columns is None else columns, carry, percent, source, options)
    settings = replace(settings, budget=budget, seed=seed, strength=strength, explain=truth("explain", explain))
    return _run(read, settings, folder, workers, size, progress)


def _run(
    frame: Frame,
    settings: Settings,
    out: Path | None,
    pool: Pool,
    rows: int,
    progress: Progress | None,
) -> BatchResult:
    notes = (*frame.notes, *_column_notes(settings))
    with ExitStack() as stack:
        if out is None:
            store = Store()
        else:
            about = {"input": {"name": frame.name, "digest": frame.digest()}, "rows_per_part": rows}
            store = stack.enter_context(opened(out, about | {"settings": settings.to_dict()}))
        now = run(settings, frame, store, pool, rows, progress)
        made = summarised(settings, frame.name, store, notes, rows)
        if out is not None:
            write_file(out / SUMMARY, made.to_json() + "\n")
            return replace(made, folder=str(out), decided_now=now)
        return replace(made, decided_now=now, store=store)


@declared
def open_batch(folder: str | Path) -> BatchResult:
    """The result of a batch that was finished earlier, from its folder."""
    place = _folder("folder", folder)
    read_manifest(place)
    if not (place / SUMMARY).exists():
        raise UnreadableInput(f"{place}: this batch is not finished; run it again to go on")
    return read_summary(place, read_file(place / SUMMARY))


def _folder(what: str, given: Any) -> Path:
    if not isinstance(given, (str, os.PathLike)) or not str(given) or "\0" in str(given):
        raise InvalidOption(f"{what}: expected the path of a folder, got {shown(given)}")
    try:
        Path(given).exists()
    except OSError as error:  # such as a name that is too long
        raise InvalidOption(f"{what}: expected the path of a folder ({error.strerror}), got {shown(given)}") from None
    return Path(given)


def _read(frame: Any, long: bool | None) -> Frame:
    read = frame_of(frame)
    wanted = is_long(read.columns) if long is None else truth("long", long)
    return LongFrame.of(read) if wanted else read


def _settings(
    frame: Frame,
    experiment: Any,
    columns: Mapping[str, str],
    carry: Iterable[str],
    percent: Iterable[str],
    source: str | None,
    options: Mapping[str, Any],
) -> Settings:
    if isinstance(experiment, Mapping):
        experiment = experiment_from_dict(experiment)
    if experiment is not None and not isinstance(getattr(experiment, "kind", None), str):
        raise InvalidExperiment(f"experiment: expected TestSet(p, n), KFold(...) or the like, got {shown(experiment)}")
    stated = dict(options)
    if (folder := getattr(frame, "folder", None)) is not None:
        return _of_documents(
            frame, folder, experiment, {**stated, "columns": columns, "carry": carry, "percent": percent}
        )
    if getattr(frame, "decimal_comma", False):
        stated.setdefault("decimal_comma", True)
    beta = stated.get("beta")
    told(stated)
    _try_out(stated)
    named = _texts("columns", columns, Mapping)
    carried, percentages = (
        list(_texts(what, given, (list, tuple, set, frozenset)))
        for what, given in (("carry", carry), ("percent", percent))
    )
    if source is not None and not isinstance(source, str):
        raise InvalidOption(f"source: expected the name of a column, got {shown(source)}")
    given = experiment is not None
    roles = roles_of(frame.columns, named, carried, source, one_experiment=given, beta=beta, percent=percentages)
    if experiment is None and not (roles.settings or roles.kind or roles.experiment):
        raise InvalidOption(
            f"columns: none of {', '.join(map(shown, frame.columns[:_SHOWN]))} describes an experiment; expected p and "
            "n, folds, total, queries or the like, or one experiment for all rows (experiment=..., --experiment FILE)"
        )
    _require_digits(frame, roles, stated)
    _require_reported(roles, stated)
    return Settings(roles, experiment, stated, prefix=prefix_for(frame.columns))


def _of_documents(frame: Frame, folder: Path, experiment: Any, stated: Mapping[str, Any]) -> Settings:
    """Documents say themselves what their columns are; nothing else is to be stated of them."""
    given = [*(["experiment"] if experiment is not None else []), *(name for name, value in stated.items() if value)]
    if given:
        raise InvalidOption(f"{given[0]}: expected nothing about the columns of a folder of documents, {folder}")
    return Settings(Roles({}, {}), folder=str(folder), prefix=prefix_for(frame.columns))


def _texts(what: str, given: Any, kind: Any) -> Any:
    """Names in a list, or from names to names; nothing else."""
    each = [*given, *(given.values() if isinstance(given, Mapping) else ())] if isinstance(given, kind) else [None]
    if not all(isinstance(name, str) for name in each):
        wanted = "a mapping such as {'acc': 'Accuracy'}" if kind is Mapping else "a list of names of columns"
        raise InvalidOption(f"{what}: expected {wanted}, got {shown(given)}")
    return given


def _try_out(options: Mapping[str, Any]) -> None:
    """An option that no row could be read with is an error of the batch, not of its rows."""
    common = {name: value for name, value in options.items() if name in _COMMON}
    scores: dict[str, Any] = {"acc": "0.5" if options.get("digits") is None else 0.0}
    if options.get("beta") is not None:
        quantity("fbeta", options["beta"])
    binary_problem(TestSet(1, 1), scores, **{name: of_these(value, scores, options) for name, value in common.items()})


def _require_digits(frame: Frame, roles: Roles, options: Mapping[str, Any]) -> None:
    """An error for numbers that do not say how they were rounded."""
    numbers = [column for column in roles.scores if column in frame.numbers]
    if numbers and options.get("digits") is None and options.get("eps") is None:
        raise InvalidOption(
            f"digits: the column {shown(numbers[0])} holds numbers, which do not say how they were rounded: 0.9 and "
            "0.90 are different reports; give digits= (--digits), eps= (--eps), or the column as text"
        )


def _require_reported(roles: Roles, options: Mapping[str, Any]) -> None:
    """An error for an option about a score that no column has."""
    known = {meant(name, options.get("beta")) for name in roles.scores.values()}
    for what, value in options.items():
        for name in value if isinstance(value, Mapping) else ():
            if meant(name, options.get("beta")) not in known:
                raise InvalidOption(f"{what}: given for {name}, but no column has that score")


def _column_notes(settings: Settings) -> tuple[str, ...]:
    """What was made of the columns."""
    roles = settings.roles
    if settings.folder:
        return ()
    notes = [f"scores: {_listed(roles.scores)}"]
    if roles.percent:
        notes.append(f"read as percentages: {_listed(roles.percent)}")
    if settings.experiment is not None:
        notes.append(f"every row is checked against {settings.experiment}")
    elif roles.settings:
        notes.append(f"experiment: {_listed([*roles.settings, *filter(None, (roles.kind, roles.experiment))])}")
    averages = [column for column, name in roles.scores.items() if over_classes(name)]
    if averages:
        notes.append(f"averages over classes, tested in rows with the counts of several classes: {_listed(averages)}")
    if roles.carried:
        notes.append(f"carried along, but not read: {_listed(roles.carried)}")
    known = {column: why_untested(column) for column in roles.carried}
    notes += [f"{column}: nothing is tested about it ({why})" for column, why in known.items() if why]
    if settings.prefix:
        notes.append(f"the added columns begin with {settings.prefix}, since the input has such a column")
    return tuple(notes)


def _listed(names: Iterable[str]) -> str:
    listed = list(names)
    more = f" and {len(listed) - _SHOWN} more" if len(listed) > _SHOWN else ""
    return ", ".join(listed[:_SHOWN]) + more
