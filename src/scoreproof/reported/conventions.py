"""What a report leaves unsaid: how values were rounded, how 0/0 was counted, what follows a ±, and the like.

``Conventions`` is the one value that says all of it. Public functions take its fields as keywords (``Stated``);
command-line options, keys of a specification, arguments of tools and fields of forms are made from it, so that each has
one name and one default. Where programs and authors differ, the default admits every usual way, because a report may
only be called impossible if it is so under each of them.
"""

from __future__ import annotations

import difflib
import inspect
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction
from functools import lru_cache
from typing import Annotated, Any, TypedDict, TypeVar

from scoreproof import validation
from scoreproof.errors import InvalidOption
from scoreproof.reported.number import Rounding
from scoreproof.validation import Doc, Setting, settings_of

_MOST_FOLD_DIGITS = 100  # no program prints more, and the verifier reads no more


class Undefined(StrEnum):
    """What a 0/0 score counts as.

    ``any`` admits each score's usual treatments: counted as zero, as scikit-learn prints it; left out of the mean, as
    R and pandas do; balanced accuracy of a set that lacks a class also as the recall of the other class, as
    scikit-learn has it; an F-score without true positives also left out, since 2PR / (P + R) is 0/0 there though
    2 tp / (2 tp + fp + fn) is 0. ``exclude`` says that it would not have been reported. ``zero``, ``one`` and ``skip``
    (left out of the mean) fix the treatment.
    """

    ANY = "any"
    EXCLUDE = "exclude"
    ZERO = "zero"
    ONE = "one"
    SKIP = "skip"


class Spread(StrEnum):
    """What follows a ±: a standard deviation over the sets, a standard error of the mean, or nothing that is tested.

    ``any`` says that nobody said so: it is read as a deviation, and what else is in use is tried where that fails.
    """

    ANY = "any"
    DEVIATION = "deviation"
    ERROR = "error"
    IGNORE = "ignore"


class Divisor(StrEnum):
    """By what a variance was divided: the number of sets, one less, or either (usually it is not said).

    ``any`` means either, but the same for all scores of a report, as one program computed them; ``each`` lets every
    score have its own.
    """

    ANY = "any"
    POPULATION = "population"
    SAMPLE = "sample"
    EACH = "each"

    @property
    def ddof(self) -> tuple[int, ...]:
        return {"population": (0,), "sample": (1,)}.get(self.value, (0, 1))


class SpreadOver(StrEnum):
    """What a ± is taken over, where that can be several things.

    All evaluation sets (``folds``), the means of the ``repeats`` of a repeated cross-validation, or the ``parts`` of
    nested means: the direct parts of the outermost mean, each with its own mean. ``any`` admits whichever there are.
    """

    ANY = "any"
    FOLDS = "folds"
    REPEATS = "repeats"
    PARTS = "parts"


class ExtremesOver(StrEnum):
    """What a minimum or maximum is taken over: the direct parts of the outermost mean, or every evaluation set."""

    PARTS = "parts"
    FOLDS = "folds"


class Interpolation(StrEnum):
    """Where the precision is read off: at 101 recalls (COCO), at 11 (PASCAL VOC 2007), everywhere, or nobody says."""

    ANY = "any"
    COCO = "101"
    VOC = "11"
    ALL = "all"


class MacroF1(StrEnum):
    """What an F-score averaged over classes is: the mean of the classes' scores, or that of the mean precision and
    recall; both are in use (Opitz and Burst 2019, arXiv:1911.03347), and by default both are admitted."""

    ANY = "any"
    MEAN = "mean"
    OF_MEANS = "of means"


def _thresholds(points: Any) -> tuple[Mapping[str, Any], ...]:
    if points is None:
        return ()
    if not isinstance(points, list | tuple) or not all(isinstance(point, Mapping) for point in points):
        raise InvalidOption(
            f"points: expected a list of scores such as [{{'sens': '0.90'}}], got {validation.shown(points)}"
        )
    return tuple(points)


@dataclass(frozen=True, slots=True)
class Conventions:
    """How a report is read: what was said of rounding, 0/0, ± and extremes, and the usual where nothing was said.

    ``rounding``, ``eps`` and ``digits`` may be mappings from score names; a name that is not reported is refused.
    """

    rounding: Annotated[
        Rounding | str | Mapping[str, str], Doc("How values were rounded: any, nearest, floor or ceil.")
    ] = Rounding.ANY
    eps: Annotated[
        str | float | Decimal | Fraction | Mapping[str, Any] | None,
        Doc("Largest distance of a printed value from the true one, instead of a rounding."),
    ] = None
    digits: Annotated[int | Mapping[str, int] | None, Doc("Decimals of values that are numbers, not texts.")] = None
    beta: Annotated[int | str | Fraction | None, Doc("Beta of scores named fbeta, fbp or fbn.")] = None
    undefined: Annotated[
        Undefined,
        Doc(
            "What a 0/0 score counts as: any (each score's usual treatments), zero, one, skip (left out of the mean), "
            "or exclude (it would not have been reported)."
        ),
    ] = Undefined.ANY
    spread: Annotated[
        Spread, Doc("What follows a ±: deviation, error (of the mean), ignore, or any (deviation unless that fails).")
    ] = Spread.ANY
    divisor: Annotated[
        Divisor, Doc("Of the variance behind a ±: population, sample, any (one for all), or each (its own).")
    ] = Divisor.ANY
    spread_over: Annotated[SpreadOver, Doc("What a ± is over: folds, repeats, parts of nested means, or any.")] = (
        SpreadOver.ANY
    )
    minimum: Annotated[Mapping[str, Any] | None, Doc("Smallest values over the parts of a mean.")] = None
    maximum: Annotated[Mapping[str, Any] | None, Doc("Largest values over the parts of a mean.")] = None
    attained: Annotated[bool, Doc("Minimum and maximum are values of parts, not mere bounds.")] = True
    extremes_over: Annotated[
        ExtremesOver, Doc("What minimum and maximum are over: parts (of the mean), or all folds.")
    ] = ExtremesOver.PARTS
    fold_digits: Annotated[int | None, Doc("The averaged values were themselves rounded to so many digits.")] = None
    decimal_comma: Annotated[bool, Doc("Read 0,912 as 0.912.")] = False
    ties: Annotated[bool, Doc("Of an AUC: cases may have the same score.")] = True
    concave: Annotated[bool, Doc("Of an AUC: its curve is said to be concave (a hull, a fitted curve).")] = False
    points: Annotated[Sequence[Mapping[str, Any]], Doc("Of an AUC: scores at further thresholds.")] = ()
    interpolation: Annotated[Interpolation, Doc("Of an average precision: 101, 11, all, or any.")] = Interpolation.ANY
    macro_f1: Annotated[
        MacroF1,
        Doc("An averaged F1 is the mean of the classes' (mean), that of mean precision and recall (of means), or any."),
    ] = MacroF1.ANY
    strict: Annotated[bool, Doc("Admit no convention that was not stated, however common.")] = False

    def __post_init__(self) -> None:
        if self.rounding is None:
            object.__setattr__(self, "rounding", Rounding.ANY)
        if self.points.__class__ is not tuple or self.points:
            object.__setattr__(self, "points", _thresholds(self.points))
        for name, kind in _WORDS.items():
            if (value := getattr(self, name)).__class__ is not kind:
                object.__setattr__(self, name, validation.chosen(name, value, kind))
        for name in _TRUTHS:
            if (value := getattr(self, name)).__class__ is not bool:
                validation.truth(name, value)
        if self.fold_digits is not None:
            digits = validation.whole("fold_digits", self.fold_digits, at_most=_MOST_FOLD_DIGITS)
            object.__setattr__(self, "fold_digits", digits)

    @property
    def deviation(self) -> Spread:
        """How a ± is read: as a standard deviation unless something else was said."""
        return Spread.DEVIATION if self.spread is Spread.ANY else self.spread

    @property
    def stated(self) -> dict[str, Any]:
        """What is not as usual."""
        if self is USUAL:
            return {}
        settings = ((name, getattr(self, name), default) for name, default in _DEFAULTS.items())
        return {name: value for name, value, default in settings if value is not default and not _same(value, default)}

    def only(self, *names: str) -> Conventions:
        """What is said under these names; the rest as usual."""
        return self if self is USUAL else told({name: value for name, value in self.stated.items() if name in names})

    def but(self, **changed: Any) -> Conventions:
        """The same with other values of some."""
        return replace(self, **changed)

    def refuse_all_but(self, taken: Collection[str], why: str) -> None:
        """An error that names what is said and means nothing here."""
        if foreign := [name for name in self.stated if name not in taken and name != "strict"]:
            raise InvalidOption(f"{', '.join(foreign)}: {why}")


def _same(value: Any, default: Any) -> bool:
    return isinstance(value, str | int | tuple) and type(default) is not bool and bool(value == default)


class Stated(TypedDict, total=False):
    """The fields of ``Conventions`` as keywords of a function: ``**stated: Unpack[Stated]``."""

    rounding: Any
    eps: Any
    digits: Any
    beta: Any
    undefined: str | Undefined
    spread: str | Spread
    divisor: str | Divisor
    spread_over: str | SpreadOver
    minimum: Mapping[str, Any] | None
    maximum: Mapping[str, Any] | None
    attained: bool
    extremes_over: str | ExtremesOver
    fold_digits: int | None
    decimal_comma: bool
    ties: bool
    concave: bool
    points: Sequence[Mapping[str, Any]]
    interpolation: str | Interpolation
    macro_f1: str | MacroF1
    strict: bool


_DEFAULTS = {each.name: each.default for each in fields(Conventions)}
_WORDS = {name: type(usual) for name, usual in _DEFAULTS.items() if isinstance(usual, StrEnum) and name != "rounding"}
_TRUTHS = [name for name, usual in _DEFAULTS.items() if isinstance(usual, bool)]
#: What says how a text is read.
OF_TEXTS = ("rounding", "eps", "digits", "beta", "decimal_comma")
USUAL = Conventions()


def told(stated: Mapping[str, Any], how: Conventions = USUAL) -> Conventions:
    """The conventions that keywords state, on top of others.

    >>> told({"undefined": "zero"}).stated
    {'undefined': <Undefined.ZERO: 'zero'>}
    >>> told({"roundin": "nearest"})
    Traceback (most recent call last):
    ...
    scoreproof.errors.InvalidOption: roundin: no such option; did you mean rounding? help(scoreproof.check) lists them
    """
    if not stated:
        return how
    if unknown := [name for name in stated if name not in _DEFAULTS]:
        near = difflib.get_close_matches(unknown[0], _DEFAULTS, n=1)
        hint = f"did you mean {near[0]}? " if near else ""
        raise InvalidOption(f"{', '.join(unknown)}: no such option; {hint}help(scoreproof.check) lists them")
    if how is not USUAL:
        return replace(how, **stated)
    plain = all(value.__class__ in (str, bool) for value in stated.values())
    return _plainly(tuple(stated.items())) if plain else Conventions(**stated)


@lru_cache(maxsize=256)
def _plainly(stated: tuple[tuple[str, Any], ...]) -> Conventions:
    """What words and truth values say; rows of a table say the same again and again."""
    return Conventions(**dict(stated))


def conventions(*names: str) -> dict[str, Setting]:
    """The fields of ``Conventions`` as settings, or some of them."""
    known = settings_of(Conventions)
    return {name: known[name] for name in names or known}


F = TypeVar("F", bound=Callable[..., Any])


def spelled(*names: str, **more: Any) -> Callable[[F], F]:
    """A function that takes ``**stated``, with a signature in which the conventions (some or all) stand one by one.

    ``more`` are further keywords that it takes so, with their defaults.
    """

    def with_signature(function: F) -> F:
        signature = inspect.signature(function)
        plain = [each for each in signature.parameters.values() if each.kind is not inspect.Parameter.VAR_KEYWORD]
        hints = {name: getattr(hint, "__forward_arg__", hint) for name, hint in Stated.__annotations__.items()}
        stated = [
            inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=setting.default, annotation=hints[name])
            for name, setting in conventions(*names).items()
        ]
        stated += [inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=more[name]) for name in more]
        function.__signature__ = signature.replace(parameters=[*plain, *stated])  # type: ignore[attr-defined]
        return function

    return with_signature
