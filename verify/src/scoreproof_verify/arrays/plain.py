"""One-dimensional arrays in plain Python: what the rules use of numpy, under its names and with its results.

An operation on two arrays, or on an array and a number, is made entry by entry. Division by 0 gives an infinity or nan,
as it does in numpy, and of two numbers nan is both the larger and the smaller one.
"""

from __future__ import annotations

import math
import operator
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from itertools import accumulate, chain, compress
from itertools import repeat as cycled
from typing import Any

inf, nan = math.inf, math.nan
int64, float64, bool_ = int, float, bool


class Array(list[Any]):
    """Numbers in order."""

    __hash__ = None
    __slots__ = ()

    def __getitem__(self, at: Any) -> Any:
        if isinstance(at, Array):
            return Array(compress(self, at) if _is_mask(at) else map(super().__getitem__, at))
        chosen = super().__getitem__(at)
        return Array(chosen) if isinstance(at, slice) else chosen

    def __neg__(self) -> Array:
        return Array(-x for x in self)

    def __abs__(self) -> Array:
        return Array(abs(x) for x in self)

    def __invert__(self) -> Array:
        return Array(not x for x in self)

    def max(self, initial: Any = None) -> Any:
        return max(self) if initial is None else max(self, default=initial)

    def min(self) -> Any:
        return min(self)

    def sum(self) -> Any:
        return sum(self)

    def any(self) -> bool:
        return any(self)

    def all(self) -> bool:
        return all(self)

    def tolist(self) -> list[Any]:
        return list(self)

    def astype(self, kind: type) -> Array:
        return Array(kind(x) for x in self)


def _is_mask(at: Array) -> bool:
    return len(at) > 0 and isinstance(at[0], bool)


def _divided(a: Any, b: Any) -> float:
    top, bottom = float(a), float(b)
    if bottom:
        return top / bottom
    return math.copysign(inf, top) * math.copysign(1.0, bottom) if abs(top) > 0 else nan


def _entry_by_entry(name: str, operation: Callable[[Any, Any], Any]) -> None:
    """Give arrays an operator: with an array or a number on its right, with a number on its left, and in place."""

    def forward(self: Array, other: Any) -> Array:
        if isinstance(other, Array) and len(other) != len(self):
            raise ValueError("arrays of different lengths")
        return Array(map(operation, self, other if isinstance(other, Array) else cycled(other)))

    def backward(self: Array, other: Any) -> Array:
        return Array(map(operation, cycled(other), self))

    def in_place(self: Array, other: Any) -> Array:
        self[:] = forward(self, other)
        return self

    setattr(Array, f"__{name}__", forward)
    setattr(Array, f"__r{name}__", backward)
    if name in ("add", "and", "or"):
        setattr(Array, f"__i{name}__", in_place)


for _name in ("add", "sub", "mul", "floordiv", "mod", "lshift", "rshift", "and", "or", "lt", "le", "gt", "ge", "eq"):
    _entry_by_entry(_name, getattr(operator, f"__{_name}__"))
_entry_by_entry("truediv", _divided)
_entry_by_entry("ne", operator.ne)


def _each(function: Callable[[Any], Any]) -> Callable[[Array], Array]:
    return lambda array: Array(map(function, array))


floor = _each(lambda x: float(math.floor(x)) if -inf < x < inf else x)
ceil = _each(lambda x: float(math.ceil(x)) if -inf < x < inf else x)
sqrt = _each(lambda x: math.sqrt(x) if x >= 0 else nan)


def _both(first: Any, second: Any) -> Iterator[tuple[Any, Any]]:
    """The entries of two arrays, or of one and a number again and again."""
    number = max(len(x) for x in (first, second) if isinstance(x, Array))
    return zip(_filled(first, number), _filled(second, number), strict=True)


def _filled(values: Any, number: int) -> list[Any]:
    return values if isinstance(values, Array) else [values] * number


def maximum(first: Any, second: Any) -> Array:
    return Array(x if x >= y or math.isnan(x) else y for x, y in _both(first, second))


def minimum(first: Any, second: Any) -> Array:
    return Array(x if x <= y or math.isnan(x) else y for x, y in _both(first, second))


def where(flags: Array, first: Any, second: Any) -> Array:
    number = len(flags)
    chosen = zip(flags, _filled(first, number), _filled(second, number), strict=True)
    return Array(x if flag else y for flag, x, y in chosen)


def broadcast_arrays(*values: Any) -> list[Any]:
    number = max(len(x) for x in values if isinstance(x, Array))
    return [Array(_filled(x, number)) for x in values]


def array(values: Iterable[Any], dtype: type | None = None) -> Array:
    return Array(map(dtype, values) if dtype else values)


def full(number: int, value: Any) -> Array:
    return Array([value] * number)


def arange(start: int, stop: int | None = None) -> Array:
    return Array(range(start) if stop is None else range(start, stop))


def concatenate(arrays: Iterable[Array]) -> Array:
    return Array(chain.from_iterable(arrays))


def repeat(array: Array, numbers: Any) -> Array:
    return Array(x for x, number in _both(array, numbers) for _ in range(number))


def cumsum(array: Array) -> Array:
    return Array(accumulate(array))


def flatnonzero(array: Array) -> Array:
    return Array(at for at, x in enumerate(array) if x)


def argsort(array: Array, kind: str = "stable") -> Array:
    return Array(sorted(range(len(array)), key=array.tolist().__getitem__))


def searchsorted(array: Array, values: Any, side: str) -> Any:
    bisect, items = bisect_left if side == "left" else bisect_right, array.tolist()
    return Array(bisect(items, x) for x in values) if isinstance(values, Array) else bisect(items, values)


def errstate(**_: str) -> AbstractContextManager[None]:
    return nullcontext()
