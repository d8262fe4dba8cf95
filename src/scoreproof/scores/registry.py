"""The registry: from a name to its score, and room for the user's own.

Built-in scores are declared in ``declarations``; F-scores of any beta are made on demand. A further score is
registered with its ratio alone: its direction, range and shape are found, and its monotonicity is checked on
small matrices, since every engine relies on it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import lru_cache

from scoreproof.errors import InvalidOption, ScoreproofError, UnknownScore
from scoreproof.scores.declarations import F1_SYNONYMS, SCORES, f_beta
from scoreproof.scores.links import RATIO, Link
from scoreproof.scores.names import f_beta_name, key, nearest
from scoreproof.scores.score import Ratio, Score, Shape

_GENERIC_F = {"fbeta": False, "fbp": False, "fbetascore": False, "fbetap": False, "fbn": True, "fbetan": True}
_F1 = f_beta(Fraction(1))
_F1N = f_beta(Fraction(1), negative=True)
_by_key: dict[str, Score] = {}
_listed: dict[str, Score] = {}


def _admit(score: Score, synonyms: Iterable[str] = ()) -> None:
    spellings = {key(spelling) for spelling in (score.name, *score.synonyms, *synonyms)}
    for spelling in spellings:
        other = _by_key.get(spelling)
        if other is not None and other.name != score.name:
            raise InvalidOption(
                f"score {score.name!r}: the name {spelling!r} already belongs to {other.name!r}; choose another"
            )
    for spelling in spellings:
        _by_key[spelling] = score
    _listed[score.name] = score


for _score in SCORES:
    _admit(_score)
_admit(_F1, F1_SYNONYMS)
_admit(_F1N, ("f1 of the negative class", "negative f1"))
_BUILTIN = len(_listed)


def score(name: str | Score, beta: int | str | Fraction | None = None) -> Score:
    """The score a name stands for; ``beta`` is needed by the generic F-score names only.

    >>> score("Hit Rate").name, score("F-0.5").name, score("fbeta", beta=2).name, score("κ").name
    ('sens', 'f0.5', 'f2', 'kappa')
    >>> score("acuracy")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    scoreproof.errors.UnknownScore: no score is called 'acuracy'; did you mean accuracy or inaccuracy? ...
    """
    if isinstance(name, Score):
        return name
    found = _lookup(name)
    if found is not None:
        return found
    generic = _GENERIC_F.get(key(name))
    if generic is not None:
        if beta is None:
            raise InvalidOption(f"score {name!r} needs its beta: give beta=2, or write the name as 'f2'")
        return _f_beta(_positive_beta(name, beta), generic)
    raise UnknownScore(_unknown(name))


def _unknown(name: str) -> str:
    close = nearest(name, _by_key)
    hint = f"did you mean {' or '.join(close)}?" if close else "no registered name resembles it;"
    return f"no score is called {name!r}; {hint} 'scoreproof scores' lists them all"


def _lookup(name: str) -> Score | None:
    found = _by_key.get(name)
    if found is None and isinstance(name, str):
        found = _by_key.get(key(name))
    if found is not None or not isinstance(name, str):
        return found
    parts = f_beta_name(name)
    if parts is None:
        return None
    return _f_beta(_positive_beta(name, parts[0]), parts[1])


def _positive_beta(name: str, beta: int | float | str | Fraction) -> Fraction:
    try:
        exact = Fraction(str(beta))
    except (ValueError, ZeroDivisionError):
        exact = Fraction(0)
    if exact <= 0:
        raise InvalidOption(f"score {name!r}: beta must be a positive number, got {beta!r}")
    return exact


@lru_cache(maxsize=256)
def _f_beta(beta: Fraction, negative: bool) -> Score:
    if beta == 1:
        return _F1N if negative else _F1
    return f_beta(beta, negative=negative)


def known_scores() -> Iterator[Score]:
    """Every listed score, built-in ones first."""
    return iter(_listed.values())


def registered_scores() -> list[Score]:
    """The scores added by ``register``."""
    return [score for score in _listed.values() if not score.builtin] if len(_listed) > _BUILTIN else []


def spellings(wanted: Score) -> list[str]:
    """Every key that leads to this score."""
    return sorted(spelling for spelling, found in _by_key.items() if found.name == wanted.name)


def register(
    name: str,
    ratio: Ratio,
    *,
    title: str = "",
    synonyms: tuple[str, ...] = (),
    link: Link = RATIO,
    latex: str = "",
    reference: str = "",
) -> Score:
    """Add a score of one's own: a ratio of integers, monotone in tp and in tn.

    >>> _ = register("tp share", lambda tp, fp, fn, tn: (tp, tp + fp + fn + tn))
    >>> score("TP-share").direction
    1
    >>> unregister("tp share")
    """
    if _lookup(name) is not None or key(name) in _GENERIC_F:
        raise InvalidOption(f"score {name!r}: a score of this name exists already; choose another")
    direction = _direction(name, ratio)
    made = Score(
        name,
        title or name,
        ratio,
        latex,
        reference,
        synonyms,
        link=link,
        direction=direction,
        shape=Shape.CURVED,
        range=(None, None),
        builtin=False,
    )
    _admit(made)
    return made


def unregister(name: str) -> None:
    """Forget a score added by ``register``; built-in scores stay."""
    found = score(name)
    if found.builtin:
        raise InvalidOption(f"score {name!r} is built in and cannot be removed")
    for spelling in spellings(found):
        del _by_key[spelling]
    del _listed[found.name]


def _direction(name: str, ratio: Ratio) -> int:
    """+1 or -1 if the ratio is monotone on every matrix with p, n up to 6; an error otherwise."""
    signs: set[int] = set()
    for p in range(1, 7):
        for n in range(1, 7):
            grid = {(tp, tn): ratio(tp, n - tn, p - tp, tn) for tp in range(p + 1) for tn in range(n + 1)}
            for (tp, tn), (num, den) in grid.items():
                _check_ratio(name, num, den, corner=tp in (0, p) and tn in (0, n))
                for step in ((tp + 1, tn), (tp, tn + 1)):
                    if step in grid:
                        change = grid[step][0] * den - num * grid[step][1]
                        signs.add((change > 0) - (change < 0))
    if {1, -1} <= signs:
        raise ScoreproofError(
            f"score {name!r} cannot be registered: it rises with tp or tn for some matrices and falls for others, "
            "and the engines need a score that is monotone in both"
        )
    return -1 if -1 in signs else 1


def _check_ratio(name: str, num: object, den: object, *, corner: bool) -> None:
    if not (isinstance(num, int) and isinstance(den, int)) or den < 0 or (den == 0 and num < 0):
        raise ScoreproofError(
            f"score {name!r} cannot be registered: its ratio must return two integers, the second not negative "
            f"(and the first neither where the second is 0), for integer cells; got {num!r} and {den!r}"
        )
    if num == den == 0 and not corner:
        raise ScoreproofError(
            f"score {name!r} cannot be registered: it is 0/0 for matrices other than the all-right, all-wrong, "
            "all-positive and all-negative ones, which the engines do not allow"
        )
