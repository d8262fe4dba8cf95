"""A witness that is a few whole numbers with names: x of n, b and c, sums of ranks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class WholeNumbers:
    """Whole numbers by name.

    >>> str(WholeNumbers.of(b=23, c=12))
    'b = 23, c = 12'
    """

    names: tuple[str, ...]
    values: tuple[int, ...]

    @classmethod
    def of(cls, **numbers: int) -> WholeNumbers:
        return cls(tuple(numbers), tuple(numbers.values()))

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> WholeNumbers:
        return cls(tuple(document), tuple(map(int, document.values())))

    def to_dict(self) -> dict[str, Any]:
        return dict(zip(self.names, self.values, strict=True))

    def __getitem__(self, name: str) -> int:
        return self.values[self.names.index(name)]

    def __str__(self) -> str:
        return ", ".join(f"{name} = {value}" for name, value in zip(self.names, self.values, strict=True))
