"""The registry of conventions: what authors and programs do without saying so, as data (``conventions.toml``).

An entry has a name, a sentence that reads after "fits only if", who computes so and how that was confirmed, the kinds
and quantities it is about, how common it is, and the change it makes of a problem: a function of ``kinds`` that gives
the problems (``Variant``) the report stands for under it. ``check`` tries the common and occasional ones before it
calls a report impossible; ``explain`` tries all; the page of conventions in the documentation is made from it.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache, partial
from importlib import import_module
from importlib.resources import files
from typing import Any

from scoreproof.kinds.kind import Problem, Variant
from scoreproof.reported.conventions import USUAL, Conventions


class Frequency(StrEnum):
    """How common a convention is where nothing is said.

    ``common`` is the default of a usual program, or usual in a field; ``occasional`` is met, and not always said;
    ``rare`` is nearly always said where it is done, or would excuse almost any report: it is not admitted unasked.
    """

    COMMON = "common"
    OCCASIONAL = "occasional"
    RARE = "rare"


@dataclass(frozen=True, slots=True)
class Convention:
    """One way to compute what is printed; see the module for its parts.

    ``settled_by`` are the fields of ``Conventions`` that leave no choice once they are stated; ``quantities`` are those
    of which at least one must be claimed (any if there are none); ``note`` says what is lost by admitting it, or why it
    is called rare.
    """

    name: str
    label: str
    kinds: tuple[str, ...]
    frequency: Frequency
    by: str
    confirmed: str
    change: str
    arguments: Mapping[str, Any] = field(default_factory=dict, hash=False)
    quantities: tuple[str, ...] = ()
    settled_by: tuple[str, ...] = ()
    note: str = ""

    def concerns(self, problem: Problem, how: Conventions = USUAL) -> bool:
        """Whether it changes something that may be said of a problem, given what was stated."""
        own = problem.kind in self.kinds or (problem.kind == "curve" and "binary" in self.kinds)
        if not self.change or not own or any(name in self.settled_by for name in how.stated):
            return False
        return not self.quantities or any(claim.quantity.name in self.quantities for claim in problem.claims)

    def variants(self, problem: Problem) -> Iterable[Variant[Any]]:
        """The problems that the report stands for if it was computed so; none where it changes nothing."""
        module, _, function = self.change.partition(":")
        change = partial(getattr(import_module(f"scoreproof.kinds.{module}"), function), **self.arguments)
        if problem.kind in self.kinds:
            variants: Iterable[Variant[Any]] = change(problem)
            return variants
        from scoreproof.kinds.curve.kind import beside

        return beside(problem, change)  # type: ignore[arg-type]


@cache
def registry() -> tuple[Convention, ...]:
    """Every convention, in the order in which they are tried.

    >>> registry()[0].name, str(registry()[0].frequency)
    ('classes exchanged', 'common')
    """
    text = files("scoreproof.kinds").joinpath("conventions.toml").read_text(encoding="utf-8")
    return tuple(map(_entry, tomllib.loads(text)["convention"]))


def _entry(told: Mapping[str, Any]) -> Convention:
    listed = {name: tuple(told[name]) for name in ("kinds", "quantities", "settled_by") if name in told}
    return Convention(**{**told, **listed, "frequency": Frequency(told["frequency"])})


def conventions_of(problem: Problem, how: Conventions = USUAL, *, rare: bool = False) -> Iterator[Convention]:
    """The conventions that a problem may silently follow, given what was stated; rare ones only if asked for."""
    for convention in registry():
        if (rare or convention.frequency is not Frequency.RARE) and convention.concerns(problem, how):
            yield convention
