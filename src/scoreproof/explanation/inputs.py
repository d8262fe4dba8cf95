"""What an explanation may be asked, checked before the time starts to run."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from scoreproof.arrays import written
from scoreproof.catalog import entry
from scoreproof.errors import InvalidOption
from scoreproof.explanation.hypotheses import Hypothesis, hypothesis_of
from scoreproof.kinds.kind import Assumption
from scoreproof.validation import shown, whole


def own_hypotheses(given: Any) -> list[Hypothesis]:
    """The user's hypotheses: a mapping from names to experiments, or hypotheses ready made."""
    if isinstance(given, Mapping):
        for name, experiment in given.items():
            if not isinstance(getattr(experiment, "kind", None), str):
                raise InvalidOption(f"hypotheses: expected an experiment for {shown(name)}, got {shown(experiment)}")
        return [hypothesis_of(str(name), experiment) for name, experiment in given.items()]
    ready = _several("hypotheses", given, "a mapping from names to experiments")
    for one in ready:
        if not isinstance(one, Assumption):
            raise InvalidOption(f"hypotheses: expected a mapping from names to experiments, got {shown(one)} in a list")
    return ready


def sizes(oversampled: Any) -> tuple[int, ...]:
    """The sizes a class is said to have been raised to."""
    listed = _several("oversampled", oversampled, "a list of sizes such as [244]")
    return tuple(whole("oversampled", size, at_least=1) for size in listed)


def entry_names(catalogue: Any) -> tuple[str, ...]:
    """Names of catalogue entries; an unknown one is an error that suggests the nearest."""
    return tuple(
        entry(written(name)).name for name in _several("catalogue", catalogue, "a list of names such as ['drive']")
    )


def _several(what: str, given: Any, expected: str) -> list[Any]:
    if isinstance(given, (str, bytes)) or not isinstance(given, Iterable):
        raise InvalidOption(f"{what}: expected {expected}, got {shown(given)}")
    if getattr(given, "ndim", 1) == 0:
        raise InvalidOption(f"{what}: expected {expected}, got {shown(given)}")
    return list(given)
