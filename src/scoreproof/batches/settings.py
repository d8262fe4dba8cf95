"""How a batch is decided: everything its verdicts depend on beside the rows, as a value that travels and is written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from scoreproof._version import __version__
from scoreproof.batches.roles import Roles
from scoreproof.jsonable import jsonable
from scoreproof.reported.conventions import Conventions, told

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
