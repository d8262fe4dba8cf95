"""Experiments on several classes: one test set of known or unknown class counts, or labels that do not exclude each
other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from scoreproof.errors import InvalidExperiment
from scoreproof.validation import shown as repr_of
from scoreproof.validation import whole

FEWEST_CLASSES, MOST_CLASSES = 2, 1_000
MOST_CASES = 10**9
_LONGEST_NAME = 200
_MOST_NAMED = 5

Counts = Sequence[int] | Mapping[str, int]


@dataclass(frozen=True, slots=True)
class MultiClass:
    """One evaluation on several classes, of which every case has one; ``counts`` are the cases of each class.

    Where these are not known, ``total`` is the number of all cases, and ``classes`` how many classes there are, or
    their names; without it the lists of scores by class say how many.

    >>> str(MultiClass({"cat": 50, "dog": 70, "cow": 30}))
    'one confusion matrix of 3 classes on 150 cases (cat 50, dog 70, cow 30)'
    >>> str(MultiClass(total=150, classes=3))
    'one confusion matrix of 3 classes on 150 cases, class counts unknown'
    """

    counts: Counts | None = None
    total: int | None = None
    classes: int | Sequence[str] | None = None

    def __post_init__(self) -> None:
        if self.counts is None:
            if self.total is None:
                raise InvalidExperiment("MultiClass: expected class counts such as [50, 70, 30], or total=150")
            total = whole("total", self.total, at_least=1, at_most=MOST_CASES, error=InvalidExperiment)
            object.__setattr__(self, "total", total)
            object.__setattr__(self, "classes", _classes(self.classes))
            return
        if self.total is not None or self.classes is not None:
            raise InvalidExperiment("MultiClass: counts say how many classes and cases there are; leave out the rest")
        object.__setattr__(self, "counts", _counts("MultiClass", self.counts))

    @property
    def kind(self) -> str:
        return "multi_class" if self.counts is not None else "unknown_counts"

    @property
    def names(self) -> tuple[str, ...]:
        """The classes' names; numbers from 1 where none were given; nothing where nobody says how many there are."""
        if self.counts is not None:
            return _names(self.counts)
        if isinstance(self.classes, int) or self.classes is None:
            return numbered(self.classes or 0)
        return tuple(self.classes)

    @property
    def sizes(self) -> tuple[int, ...]:
        """The cases of every class."""
        if self.counts is None:
            raise InvalidExperiment(f"the cases of every class are needed here, but {self} was given")
        return _sizes(self.counts)

    def to_dict(self) -> dict[str, Any]:
        if self.counts is not None:
            return {"type": "multi_class", "counts": _written(self.counts)}
        stated = list(self.classes) if isinstance(self.classes, tuple) else self.classes
        return {"type": "multi_class", "total": self.total} | ({} if stated is None else {"classes": stated})

    def __str__(self) -> str:
        if self.counts is None:
            many = f"{len(self.names)} classes" if self.names else "several classes"
            return f"one confusion matrix of {many} on {self.total} cases, class counts unknown"
        return (
            f"one confusion matrix of {len(self.sizes)} classes on {sum(self.sizes)} cases "
            f"({described(self.names, self.sizes)})"
        )


@dataclass(frozen=True, slots=True)
class MultiLabel:
    """One evaluation on labels that do not exclude each other; ``counts`` are the cases that have each label.

    ``total`` is how many cases there are; scores that count true negatives need it.

    >>> str(MultiLabel([50, 70], total=100))
    '2 labels on 100 cases, not exclusive (1: 50, 2: 70)'
    """

    kind: ClassVar[str] = "multi_label"
    counts: Counts
    total: int | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "counts", _counts("MultiLabel", self.counts, fewest=1))
        if self.total is not None:
            most = max(self.sizes)
            total = whole("total", self.total, at_least=max(1, most), at_most=MOST_CASES, error=InvalidExperiment)
            object.__setattr__(self, "total", total)

    @property
    def names(self) -> tuple[str, ...]:
        return _names(self.counts)

    @property
    def sizes(self) -> tuple[int, ...]:
        return _sizes(self.counts)

    def to_dict(self) -> dict[str, Any]:
        tree = {"type": "multi_label", "counts": _written(self.counts)}
        return tree | ({} if self.total is None else {"total": self.total})

    def __str__(self) -> str:
        cases = "an unknown number of" if self.total is None else str(self.total)
        labels = described(self.names, self.sizes)
        return f"{len(self.sizes)} labels on {cases} cases, not exclusive ({labels})"


class _Named(dict[str, int]):
    """Class counts by name, in order; never changed, so that experiments can be keys."""

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(tuple(self.items()))


def described(names: Sequence[str], sizes: Sequence[int]) -> str:
    """The classes with their cases, the first few of many."""
    colon = ":" if all(name.isdigit() for name in names) else ""
    shown = [f"{name}{colon} {size}" for name, size in zip(names, sizes, strict=True)][:_MOST_NAMED]
    more = len(names) - len(shown)
    return f"{', '.join(shown)}{f' and {more} more' if more else ''}"


def _names(counts: Any) -> tuple[str, ...]:
    return tuple(counts) if isinstance(counts, Mapping) else numbered(len(counts))


def numbered(classes: int) -> tuple[str, ...]:
    """Names of classes that have none."""
    return tuple(str(at + 1) for at in range(classes))


def _classes(classes: Any) -> int | tuple[str, ...] | None:
    """A number of classes, or their names."""
    if classes is None or (isinstance(classes, Sequence) and not isinstance(classes, (str, bytes))):
        for name in classes or ():
            _require_name("classes", name)
        number = len(classes or ()) if classes is not None else FEWEST_CLASSES
    else:
        number = whole("classes", classes, error=InvalidExperiment)
    if not FEWEST_CLASSES <= number <= MOST_CLASSES:
        raise InvalidExperiment(f"classes: expected {FEWEST_CLASSES} to {MOST_CLASSES} classes, got {number}")
    return classes if classes is None else tuple(classes) if isinstance(classes, Sequence) else number


def _require_name(owner: str, name: Any) -> None:
    if not isinstance(name, str) or len(name) > _LONGEST_NAME:
        raise InvalidExperiment(
            f"{owner}: expected names of classes of at most {_LONGEST_NAME} letters, got {repr_of(name)}"
        )


def _sizes(counts: Any) -> tuple[int, ...]:
    return tuple(counts.values()) if isinstance(counts, Mapping) else counts


def _written(counts: Any) -> Any:
    return dict(counts) if isinstance(counts, Mapping) else list(counts)


def _counts(owner: str, counts: Any, fewest: int = FEWEST_CLASSES) -> Any:
    if isinstance(counts, Mapping):
        for name in counts:
            _require_name(owner, name)
        sizes = [_size(f"class {name!r}", n) for name, n in counts.items()]
        read: Any = _Named(zip(counts, sizes, strict=True))
    elif isinstance(counts, Sequence) and not isinstance(counts, (str, bytes)):
        sizes = [_size(f"class {at + 1}", n) for at, n in enumerate(counts)]
        read = tuple(sizes)
    else:
        raise InvalidExperiment(f"{owner}: expected class counts such as [50, 70, 30], got {repr_of(counts)}")
    if not fewest <= len(sizes) <= MOST_CLASSES:
        raise InvalidExperiment(f"{owner}: expected {fewest} to {MOST_CLASSES} classes, got {len(sizes)}")
    if not 1 <= sum(sizes) <= MOST_CASES:
        raise InvalidExperiment(f"{owner}: expected 1 to {MOST_CASES} cases in all, got {sum(sizes)}")
    return read


def _size(what: str, value: Any) -> int:
    return whole(f"{what}: cases", value, at_most=MOST_CASES, error=InvalidExperiment)
