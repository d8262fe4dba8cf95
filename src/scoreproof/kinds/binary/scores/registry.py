"""The registry: from a name to its score, and room for the user's own.

Built-in scores are declared in ``declarations``; F-scores of any beta are made on demand. A further score is
registered with its ratio alone, if it can be proved to move one way with tp and tn (see ``monotone``), since every
engine relies on that; otherwise with its author's word.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import lru_cache

from scoreproof.errors import InvalidOption, UnknownScore
from scoreproof.kinds.binary.scores.declarations import F1_SYNONYMS, SCORES, f_beta
from scoreproof.kinds.binary.scores.links import RATIO, Link, link_of
from scoreproof.kinds.binary.scores.monotone import Declared, monotonicity
from scoreproof.kinds.binary.scores.names import f_beta_name, key, nearest
from scoreproof.kinds.binary.scores.score import Ratio, Score, Shape

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
    link: str | Link = RATIO,
    monotone: Declared = None,
    latex: str = "",
    reference: str = "",
) -> Score:
    """Add a score of one's own: a ratio of two integers, monotone in tp and in tn.

    ``ratio(tp, fp, fn, tn)`` returns the numerator and the denominator, which is 0 where the score is undefined; it is
    called with integers and with numpy arrays, so it is written with ``+``, ``-``, ``*`` and ``**``. ``link`` says what
    the value is: the ``"ratio"``, its signed square ``"root"``, or the prevalence ``"threshold"`` of it.

    Verdicts rest on the score never falling (or never rising) when tp or tn grows at fixed p and n. For most formulas
    that is proved here. Where it is not, ``monotone=True`` (or ``"rises"``, ``"falls"``) declares it: it is then tried
    on matrices of up to a million cases, and verdicts hold "if NAME is monotone as declared".

    >>> register("tp share", lambda tp, fp, fn, tn: (tp, tp + fp + fn + tn)).direction
    1
    >>> unregister("tp share")
    >>> def signed(tp, fp, fn, tn):
    ...     excess = tp * tn - fp * fn
    ...     return excess * abs(excess), (tp + fp) * (tp + fn) * (tn + fp) * (tn + fn)
    >>> register("my mcc", signed, link="root", monotone="rises").proviso
    'if my mcc is monotone as declared'
    >>> unregister("my mcc")
    """
    if not isinstance(name, str) or not key(name):
        raise InvalidOption(f"score: expected a name with a letter or digit in it, got {name!r}")
    if _lookup(name) is not None or key(name) in _GENERIC_F:
        raise InvalidOption(f"score {name!r}: a score of this name exists already; choose another")
    if not callable(ratio):
        raise InvalidOption(
            f"score {name!r}: expected a function of tp, fp, fn, tn that returns a ratio, got {ratio!r}"
        )
    if isinstance(synonyms, str) or not all(isinstance(one, str) and key(one) for one in synonyms):
        raise InvalidOption(f"score {name!r}: synonyms: expected a list of names, got {synonyms!r}")
    known_link = link_of(link)
    found = monotonicity(name, ratio, known_link, monotone)
    made = Score(
        name,
        title or name,
        ratio,
        latex,
        reference,
        tuple(synonyms),
        link=known_link,
        direction=found.direction,
        shape=Shape.CURVED,
        range=(None, None),
        builtin=False,
        declared=found.declared,
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
