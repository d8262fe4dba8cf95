"""The door of a package: arguments are what the signature declares, or the call is refused in our words.

Functions of a public package say in their annotations what they take. ``enforce`` puts each behind a door that holds
the arguments against that, before any work, so that a wrong type is one error of ours and not an accident deep inside.
Types are checked here, and which word of a ``Literal`` it is; ranges by the function, but for a ``Share``: 3.0 may pass
for a whole number and NaN for a number. What numpy can make an array of (``ArrayLike``) is left to ``arrays``.

>>> @declared
... def shares(of: Sequence[int], *, strict: bool = False) -> int:
...     return sum(of)
>>> shares([1, 2])
3
>>> shares(3)
Traceback (most recent call last):
    ...
scoreproof.errors.InvalidOption: of: expected several numbers, got 3
"""

from __future__ import annotations

import collections.abc
import inspect
import sys
import types
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, MutableMapping, Sequence
from decimal import Decimal
from enum import Enum
from functools import cache, wraps
from itertools import chain, repeat
from numbers import Rational
from os import PathLike
from typing import Annotated, Any, Literal, ParamSpec, TypeVar, Union, get_args, get_origin, get_type_hints

from scoreproof.errors import InvalidOption, LimitExceeded, ScoreproofError
from scoreproof.limits import current, require_digits
from scoreproof.validation.values import as_float, fraction, shown

P = ParamSpec("P")
R = TypeVar("R")
#: A level: a number between 0 and 1, as a float once it is through the door (by its name, not by its place).
Share = Annotated[float, "strictly between 0 and 1"]
_WORDS = {bool: "True or False", int: "a number", float: "a number", str: "a text", type(None): "None"}
_PLAIN = (bool, str, type(None))  # of which everything fits
_SEVERAL = (Sequence, Collection, Iterable)
_BY_PLACE = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


def enforce(package: MutableMapping[str, Any], names: Iterable[str]) -> None:
    """Put the functions of a package behind the door, also where they are defined: so they can be pickled."""
    for name in names:
        function = package[name]
        if inspect.isfunction(function):
            package[name] = declared(function)
            setattr(sys.modules[function.__module__], function.__name__, package[name])


def declared(function: Callable[P, R]) -> Callable[P, R]:
    """A function or a method that refuses arguments of other types than it declares."""
    parameters = inspect.signature(function).parameters.values()
    places = [parameter.name for parameter in parameters if parameter.kind in _BY_PLACE]
    rest = next((parameter.name for parameter in parameters if parameter.kind is inspect.Parameter.VAR_POSITIONAL), "")

    @wraps(function)
    def behind_the_door(*args: P.args, **kwargs: P.kwargs) -> R:
        hints = _hints(function)
        shares = {name: fraction(name, value) for name, value in kwargs.items() if hints.get(name) is Share}
        given = chain(zip(places, args, strict=False), zip(repeat(rest), args[len(places) :]), kwargs.items())
        for name, value in given:  # of a wrong call Python says itself what is wrong
            hint = hints.get(name, Any)
            if not _fits(value, hint):
                if not _is_choice(hint):
                    _refused_in_its_own_words(value, lambda: function(*args, **kwargs))
                raise InvalidOption(f"{name}: expected {_in_words(hint)}, got {shown(value)}")
        return function(*args, **{**kwargs, **shares})  # type: ignore[arg-type]

    return behind_the_door


def optioned(options: type, **defaults: Any) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """A function that takes ``**more`` of a typed dictionary, with a signature in which its options stand one by one.

    Options that are not given have their default, None unless told.
    """
    hints = {name: getattr(hint, "__forward_arg__", hint) for name, hint in inspect.get_annotations(options).items()}
    usual = {name: defaults.get(name) for name in hints}

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        keyword = inspect.Parameter.KEYWORD_ONLY
        plain = [each for each in inspect.signature(function).parameters.values() if each.kind.name != "VAR_KEYWORD"]
        named = [inspect.Parameter(name, keyword, default=usual[name], annotation=hints[name]) for name in hints]
        signature = inspect.Signature([*plain, *named])

        @wraps(function)
        def call(*args: P.args, **kwargs: P.kwargs) -> R:
            signature.bind(*args, **kwargs)  # which refuses what is no option
            return function(*args, **{**usual, **kwargs})  # type: ignore[arg-type]

        call.__signature__ = signature  # type: ignore[attr-defined]
        call.__annotations__ = {parameter.name: parameter.annotation for parameter in (*plain, *named)}
        return call

    return decorate


def _refused_in_its_own_words(given: Any, call: Callable[[], Any]) -> None:
    """Let the function say itself what is wrong, which it knows better; its answer to a wrong type does not count."""
    far = isinstance(given, Decimal) and given.is_finite() and abs(given.adjusted()) > current().digits
    if far or _is_too_long(given):  # it may take for ever
        return
    try:
        call()
    except ScoreproofError:
        raise
    except Exception:
        return


def resolved(declared: Any) -> dict[str, Any]:
    """The annotations of a function or a class as types, with what annotates them.

    Names that only type checkers import say nothing at run time: what they stand for is open.
    """
    function = inspect.unwrap(declared, stop=lambda wrapped: hasattr(wrapped, "__signature__"))
    known = {**vars(collections.abc), **vars(sys.modules.get(function.__module__, types))}
    known |= getattr(function, "__globals__", {})
    hints: dict[str, Any] = {}
    for name, annotation in inspect.get_annotations(function).items():
        hinted = types.SimpleNamespace(__annotations__={name: annotation})
        try:
            hints |= get_type_hints(hinted, known, include_extras=True)
        except NameError:
            hints[name] = Any
    return hints


_hints = cache(resolved)


@cache
def _parts(hint: Any) -> tuple[Any, tuple[Any, ...]]:
    """What a type is made of, without what annotates it; numpy's ``ArrayLike``, a long union, is anything."""
    if get_origin(hint) is Annotated:
        return _parts(get_args(hint)[0])
    origin, inner = get_origin(hint) or hint, get_args(hint)
    array_like = origin in (Union, types.UnionType) and any("_SupportsArray" in str(part) for part in inner)
    return (Any, ()) if array_like else (origin, inner)


def _fits(value: Any, hint: Any) -> bool:
    """Whether a value is of a declared type; of a few values also their parts."""
    origin, inner = _parts(hint)
    if value.__class__ is origin and origin in _PLAIN:
        return True
    if origin in (Union, types.UnionType):
        return any(_fits(value, part) for part in inner)
    if origin is Literal:
        return any(value is word or (isinstance(value, str) and value == word) for word in inner)
    if hint is None or origin is type(None):
        return value is None
    if not isinstance(origin, type) or origin in (object, Any):
        return True
    return _is_of(value, origin, inner)


def _is_of(value: Any, kind: type, inner: tuple[Any, ...]) -> bool:
    """Whether a value is of a class that a signature names, and its parts of the classes of parts."""
    if kind in (int, float, bool, str):
        return _is_plain(value, kind)
    if issubclass(kind, Enum):
        return isinstance(value, (kind, str))
    if kind is Hashable:
        return _is_hashable(value)
    if kind is Mapping:
        keys, values = inner or (Any, Any)
        return isinstance(value, Mapping) and all(_fits(k, keys) and _fits(v, values) for k, v in value.items())
    if kind in (*_SEVERAL, tuple, list):
        return _are_several(value, kind, inner)
    return isinstance(value, kind)


def _is_choice(hint: Any) -> bool:
    origin, inner = _parts(hint)
    return origin is Literal or any(get_origin(part) is Literal for part in inner)


def _is_plain(value: Any, kind: type) -> bool:
    if kind in (str, bool):
        return isinstance(value.item() if getattr(value, "ndim", None) == 0 and kind is bool else value, kind)
    return as_float(value) is not None and not _is_too_long(value)


def _is_hashable(value: Any) -> bool:
    try:
        hash(value)
    except TypeError:
        return False
    return not _is_too_long(value)


def _is_too_long(value: Any) -> bool:
    """Whether a number has more digits than are read."""
    try:
        for part in (int(value.numerator), int(value.denominator)) if isinstance(value, Rational) else ():
            require_digits(part, "a number")
    except LimitExceeded:
        return True
    return False


def _are_several(value: Any, origin: type, inner: tuple[Any, ...]) -> bool:
    if isinstance(value, (str, bytes, bytearray, memoryview)) or getattr(value, "ndim", 1) == 0:
        return False
    lasting = hasattr(value, "__len__") and hasattr(value, "__getitem__")
    if origin is Iterable and not lasting:
        return hasattr(value, "__iter__")
    if not lasting and not (origin is Collection and isinstance(value, Collection)):
        return False
    if isinstance(value, Mapping) and origin is not Collection:
        return False
    if origin is tuple and Ellipsis not in inner:
        return len(value) == len(inner) and all(map(_fits, value, inner))
    return not inner or all(_fits(part, inner[0]) for part in value)


def _in_words(hint: Any) -> str:
    """A declared type in words."""
    origin, inner = _parts(hint)
    if origin is Any:
        return "anything" if hint is Any else "an array"
    if origin in (Union, types.UnionType):
        return " or ".join(dict.fromkeys(map(_in_words, inner)))
    if origin is Literal:
        return f"one of {', '.join(map(str, inner))}"
    if origin is Callable:
        return "a function"
    if origin is Mapping:
        return f"a mapping from {_in_words(inner[0])} to {_in_words(inner[1])}" if inner else "a mapping"
    if origin is tuple and Ellipsis not in inner:
        return f"({', '.join(map(_in_words, inner))})"
    if origin in (*_SEVERAL, tuple, list):
        several = {"a number": "several numbers", "a text": "several texts", "an array": "several arrays"}
        return several.get(kind := _in_words(inner[0]), f"several of {kind}") if inner else "several values"
    if origin is Hashable:
        return "a label"
    if origin is PathLike:
        return "a path"
    return _WORDS.get(origin) or str(getattr(origin, "__name__", origin))
