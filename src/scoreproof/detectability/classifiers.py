"""How the true outcome of a trial comes about.

Power needs an assumption about the results that are reported. Fazekas and Kovács (2024,
doi:10.1016/j.asoc.2024.111993, section 5.2) draw the true positives and true negatives of every fold at random,
which is ``AnyClassifier``; ``PlausibleClassifier`` has one sensitivity and one specificity for all folds, both better
than a stated bound, and counts that scatter about them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from scoreproof.errors import InvalidOption
from scoreproof.jsonable import Jsonable
from scoreproof.validation import fraction, shown

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Fold = tuple[int, int]


class Classifier(Protocol):
    """Draws (tp, tn) for evaluation sets of (p, n) cases, or gives the distribution of one count."""

    name: ClassVar[str]

    def draw(self, folds: Sequence[Fold], rng: np.random.Generator) -> list[Fold]: ...

    def weights(self, cases: int) -> NDArray[np.float64]: ...

    def to_dict(self) -> dict[str, Any]: ...


@dataclass(frozen=True, slots=True)
class AnyClassifier(Jsonable):
    """In every evaluation set each tp from 0 to p and each tn from 0 to n is as likely as any other."""

    name: ClassVar[str] = "any"
    _told = "name *"

    def draw(self, folds: Sequence[Fold], rng: np.random.Generator) -> list[Fold]:
        return [(int(rng.integers(p, endpoint=True)), int(rng.integers(n, endpoint=True))) for p, n in folds]

    def weights(self, cases: int) -> NDArray[np.float64]:
        """The probability of 0, 1, ... successes among so many cases of one set."""
        import numpy as np

        return np.full(cases + 1, 1 / (cases + 1))

    def __str__(self) -> str:
        return "any counts equally likely"


@dataclass(frozen=True, slots=True)
class PlausibleClassifier(Jsonable):
    """Sensitivity and specificity uniform between ``low`` and ``high``, the counts binomial given these.

    >>> PlausibleClassifier(0.5, 1.0).weights(2).round(4).tolist()
    [0.0833, 0.3333, 0.5833]
    """

    name: ClassVar[str] = "plausible"
    _told = "name *"
    low: float = 0.5
    high: float = 1.0

    def __post_init__(self) -> None:
        for what, value in (("low", self.low), ("high", self.high)):
            fraction(f"plausible classifier: {what}", value, closed=True)
        if not self.low < self.high:
            raise InvalidOption(f"plausible classifier: low must be below high, got {self.low} and {self.high}")

    def draw(self, folds: Sequence[Fold], rng: np.random.Generator) -> list[Fold]:
        sens, spec = rng.uniform(self.low, self.high, 2)
        return [(int(rng.binomial(p, sens)), int(rng.binomial(n, spec))) for p, n in folds]

    def weights(self, cases: int) -> NDArray[np.float64]:
        """The probability of 0, 1, ... successes: a binomial averaged over the rates, by incomplete beta functions."""
        import numpy as np
        from scipy.special import betainc

        counts = np.arange(cases + 1)
        upper, lower = (betainc(counts + 1, cases - counts + 1, end) for end in (self.high, self.low))
        return np.asarray((upper - lower) / ((cases + 1) * (self.high - self.low)), dtype=np.float64)

    def __str__(self) -> str:
        return f"sensitivity and specificity between {self.low:g} and {self.high:g}"


def classifier_of(given: str | Classifier | Mapping[str, Any]) -> Classifier:
    """The classifier of a name, with its defaults, or of a document; a classifier is returned as it is.

    >>> print(classifier_of("any"))
    any counts equally likely
    """
    if isinstance(given, (AnyClassifier, PlausibleClassifier)):
        return given
    if isinstance(given, Mapping):
        return AnyClassifier() if given.get("name") == "any" else PlausibleClassifier.from_dict(given)
    if isinstance(given, str) and given == "any":
        return AnyClassifier()
    if isinstance(given, str) and given == "plausible":
        return PlausibleClassifier()
    raise InvalidOption(f"classifier: expected any, plausible, or PlausibleClassifier(low, high); got {shown(given)}")
