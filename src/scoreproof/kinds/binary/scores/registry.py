"""The registry: from a name to its score, and room for the user's own.

Built-in scores are declared in ``declarations``; F-scores of any beta are made on demand. A further score is
registered with its ratio alone, if it can be proved to move one way with tp and tn (see ``monotone``), since every
engine relies on that; otherwise with its author's word.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from typing import cast

from scoreproof.errors import InvalidOption
from scoreproof.kinds.binary.scores.declarations import F1_SYNONYMS, SCORES
from scoreproof.kinds.binary.scores.f_beta import f_beta, f_beta_name
from scoreproof.kinds.binary.scores.links import RATIO, Link, link_of
from scoreproof.kinds.binary.scores.monotone import Declared, monotonicity
from scoreproof.kinds.binary.scores.score import Ratio, Score, Shape
from scoreproof.quantities import Quantity, Register, declare, quantity
from scoreproof.quantities.names import key
from scoreproof.quantities.registry import LONGEST_NAME
from scoreproof.validation import exact, shown

_GENERIC_F = {"fbeta": False, "fbp": False, "fbetascore": False, "fbetap": False, "fbn": True, "fbetan": True}
_F1 = f_beta(Fraction(1))
_F1N = f_beta(Fraction(1), negative=True)


def _any_f_score(name: str, beta: object) -> Score | None:
    """An F-score whose beta stands in its name, or is given where the name is generic."""
    parts = f_beta_name(name)
    if parts is not None:
        return _f_beta(_positive_beta(name, parts[0]), parts[1])
    negative = _GENERIC_F.get(key(name))
    if negative is None:
        return None
    if beta is None:
        raise InvalidOption(f"score {shown(name)} needs its beta: give beta=2, or write the name as 'f2'")
    return _f_beta(_positive_beta(name, beta), negative)


_REGISTER = declare("binary", Register(_any_f_score))
for _score in SCORES:
    _REGISTER.admit(_score)
_REGISTER.admit(_F1, F1_SYNONYMS)
_REGISTER.admit(_F1N, ("f1 of the negative class", "negative f1"))
_BUILTIN = len(_REGISTER)


def score(name: str | Quantity, beta: int | str | Fraction | None = None) -> Score:
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
    return cast(Score, quantity(name, beta, kind="binary"))


def _positive_beta(name: str, beta: object) -> Fraction:
    read = exact(f"score {shown(name)}: beta", beta, wanted="a positive number")
    if read <= 0:
        raise InvalidOption(f"score {shown(name)}: beta: expected a positive number, got {shown(beta)}")
    return read


@lru_cache(maxsize=256)
def _f_beta(beta: Fraction, negative: bool) -> Score:
    if beta == 1:
        return _F1N if negative else _F1
    return f_beta(beta, negative=negative)


def known_scores() -> Iterator[Score]:
    """Every listed score, built-in ones first."""
    return cast(Iterator[Score], iter(_REGISTER))


def registered_scores() -> list[Score]:
    """The scores added by ``register``."""
    return [score for score in known_scores() if not score.builtin] if len(_REGISTER) > _BUILTIN else []


def spellings(wanted: Score) -> list[str]:
    """Every key that leads to this score."""
    return _REGISTER.spellings(wanted)


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
    if not isinstance(name, str) or len(name) > LONGEST_NAME or not key(name):
        got = shown(name)
        raise InvalidOption(
            f"score: expected a name with a letter or digit in it, of at most {LONGEST_NAME} characters, got {got}"
        )
    if key(name) in _GENERIC_F or _REGISTER.find(name) is not None:
        raise InvalidOption(f"score {shown(name)}: a score of this name exists already; choose another")
    if not callable(ratio):
        raise InvalidOption(
            f"score {shown(name)}: expected a function of tp, fp, fn, tn that returns a ratio, got {shown(ratio)}"
        )
    listed = isinstance(synonyms, (list, tuple))
    if not listed or not all(isinstance(one, str) and len(one) <= LONGEST_NAME and key(one) for one in synonyms):
        raise InvalidOption(f"score {shown(name)}: synonyms: expected a list of names, got {shown(synonyms)}")
    for what, text in (("title", title), ("latex", latex), ("reference", reference)):
        if not isinstance(text, str):
            raise InvalidOption(f"score {shown(name)}: {what}: expected a text, got {shown(text)}")
    known_link = link_of(link)
    found = monotonicity(name, ratio, known_link, monotone)
    made = Score(
        name,
        title or name,
        latex,
        reference,
        tuple(synonyms),
        ratio=ratio,
        link=known_link,
        direction=found.direction,
        shape=Shape.CURVED,
        range=(None, None),
        builtin=False,
        declared=found.declared,
    )
    _REGISTER.admit(made)
    return made


def unregister(name: str) -> None:
    """Forget a score added by ``register``; built-in scores stay."""
    found = score(name)
    if found.builtin:
        raise InvalidOption(f"score {shown(name)} is built in and cannot be removed")
    _REGISTER.remove(found)
