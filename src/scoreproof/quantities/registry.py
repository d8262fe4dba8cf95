"""From a name to the quantity it stands for, kind by kind.

Every kind declares its quantities here; names are compared by their key (see ``names``), so "F-measure" and "f measure"
are one. The same word may mean different quantities in different kinds ("accuracy" of two classes or of ten), so a
lookup says in which kind, and without a kind those of the binary confusion matrix come first.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from scoreproof.errors import InvalidOption, UnknownScore
from scoreproof.quantities.names import Quantity, key, nearest
from scoreproof.quantities.untested import why_untested

_NUMBER = re.compile("[0-9]")
_MOST_UNKNOWN = 1_000
Resolver = Callable[[str, object], Quantity | None]


class Register:
    """The quantities of one kind by key; ``resolve`` makes those that a list cannot hold (F-scores of any beta).

    With ``numbered`` they all have a number in their names, or begin with one of ``beginnings``: no other is tried.
    """

    def __init__(
        self, resolve: Resolver | None = None, *, numbered: bool = False, beginnings: tuple[str, ...] = ()
    ) -> None:
        self._by_key: dict[str, Quantity] = {}
        self._listed: dict[str, Quantity] = {}
        self._unknown: set[str] = set()  # names asked before: every row of a table asks for the same ones
        self._resolve = resolve
        self._numbered = numbered
        self._beginnings = beginnings

    def admit(self, quantity: Quantity, synonyms: Iterable[str] = ()) -> None:
        """Add a quantity under its name and synonyms; a name that is taken is an error."""
        spellings = {key(spelling) for spelling in (quantity.name, *quantity.synonyms, *synonyms)}
        for spelling in spellings:
            other = self._by_key.get(spelling)
            if other is not None and other.name != quantity.name:
                raise InvalidOption(
                    f"score {quantity.name!r}: the name {spelling!r} already belongs to {other.name!r}; choose another"
                )
        self._by_key.update(dict.fromkeys(spellings, quantity))
        self._listed[quantity.name] = quantity
        self._unknown.clear()

    def remove(self, quantity: Quantity) -> None:
        for spelling in self.spellings(quantity):
            del self._by_key[spelling]
        del self._listed[quantity.name]

    def find(self, name: str, more: object = None) -> Quantity | None:
        """The quantity of a name; ``more`` is what the name leaves open (the beta of an F-score)."""
        known = self._by_key.get(name)
        if known is None and name not in self._unknown and isinstance(name, str):
            known = self._by_key.get(key(name))
            if known is None and self._resolve is not None and self._may_resolve(name):
                known = self._resolve(name, more)
            elif known is None and len(self._unknown) < _MOST_UNKNOWN:
                self._unknown.add(name)
        return known

    def _may_resolve(self, name: str) -> bool:
        return not self._numbered or bool(_NUMBER.search(name)) or name.lstrip().lower().startswith(self._beginnings)

    def spellings(self, wanted: Quantity) -> list[str]:
        """Every key that leads to this quantity."""
        return sorted(spelling for spelling, known in self._by_key.items() if known.name == wanted.name)

    def __iter__(self) -> Iterator[Quantity]:
        return iter(self._listed.values())

    def __len__(self) -> int:
        return len(self._listed)

    @property
    def keys(self) -> Iterable[str]:
        return self._by_key


_AVERAGE = re.compile(r"\b(?:macro|micro|weighted)(?=$|[\W_])|_(?:macro|micro|weighted)$", re.IGNORECASE)
LONGEST_NAME = 200  # characters
# A name of two kinds is that of the first here, whatever is imported first: AP is the curve's, then the detector's.
_REGISTERS = {kind: Register() for kind in ("binary", "curve", "detection", "ranking", "regression")}


def register_of(kind: str) -> Register:
    """The register of a kind, made when it is first asked for."""
    return _REGISTERS.setdefault(kind, Register())


def declare(kind: str, register: Register) -> Register:
    """Give a kind its register."""
    _REGISTERS[kind] = register
    return register


def registered(name: str, more: object = None) -> Quantity | None:
    """The quantity a name stands for in the first kind that knows it; None if no kind does."""
    return _first(_REGISTERS.values(), name, more)


def _first(registers: Iterable[Register], name: str, more: object) -> Quantity | None:
    return next((known for own in registers if (known := own.find(name, more)) is not None), None)


def quantity(name: str | Quantity, more: object = None, *, kind: str | None = None) -> Quantity:
    """The quantity a name stands for, in one kind or in the first that knows it; an error that suggests others."""
    if isinstance(name, Quantity):
        return name
    if not isinstance(name, str) or len(name) > LONGEST_NAME:
        got = f"{len(name):,} characters" if isinstance(name, str) else f"{type(name).__name__}"
        raise UnknownScore(f"score: expected the name of a score as a text, got {got}")
    registers = [_REGISTERS[kind]] if kind is not None else list(_REGISTERS.values())
    known = _first(registers, name, more)
    if known is not None:
        return known
    why = why_untested(name, kind)
    if why:
        raise UnknownScore(f"{name}: nothing is tested about it ({why}); leave it out")
    elsewhere = registered(name, more)
    if elsewhere is not None:
        raise UnknownScore(
            f"{name!r} is the {elsewhere.title}, a quantity of the kind {elsewhere.kind!r}, not {kind!r}; leave it out"
        )
    if _AVERAGE.search(name):
        raise UnknownScore(
            f"{name!r} is an average over classes: say how many cases each class has, MultiClass([50, 70, 30]) or "
            "--classes 50,70,30; two classes are classes, too"
        )
    close = nearest(name, {spelling for register in registers for spelling in register.keys})
    hint = f"did you mean {' or '.join(close)}?" if close else "no registered name resembles it;"
    raise UnknownScore(f"no score is called {name!r}; {hint} 'scoreproof scores' lists them all")
