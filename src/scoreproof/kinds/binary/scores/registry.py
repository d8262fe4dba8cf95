"""The registry of scores: from a name to its score, F-scores of any beta, and scores of one's own.

Built-in scores are declared in ``declarations``; F-scores of any beta are made on demand. A further score is
registered with its ratio alone, if it can be proved to move one way with tp and tn (see ``monotone``), since every
engine relies on that; otherwise with its author's word.

In other processes the formulas of one's own travel with the work, or are refused with words. They are functions, often
without a name; cloudpickle writes them out. The other process registers them as they were declared, so that they are
tried there again, and forgets those of an earlier run.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any, cast

from scoreproof.errors import InvalidOption
from scoreproof.kinds.binary.scores.declarations import F1_SYNONYMS, SCORES, SURVEY
from scoreproof.kinds.binary.scores.monotone import Declared, monotonicity
from scoreproof.kinds.binary.scores.score import RATIO, Link, Ratio, Score, Shape, link_of, made
from scoreproof.quantities import Quantity, Register, declare, quantity
from scoreproof.quantities.registry import LONGEST_NAME, MINUS, key, spelled
from scoreproof.validation import exact, shown
from scoreproof.work.pool import Call, travels

_F_BETA = re.compile(
    r"f(?:beta)?=?(\d+(?:\.\d+)?|\.\d+|\d+/0*[1-9]\d*)(?:score|measure)?(p|plus|n|minus)?(?:score|measure)?"
)


def f_beta_name(name: str) -> tuple[Fraction, bool] | None:
    """The beta in an F-score's name and whether it is of the negative class; None if it is no such name.

    >>> f_beta_name("F0.5 score"), f_beta_name("f2n"), f_beta_name("F1+"), f_beta_name("fallout")
    ((Fraction(1, 2), False), (Fraction(2, 1), True), (Fraction(1, 1), False), None)
    """
    text = spelled(name)
    if text[-1:] == "+":
        text = text[:-1] + "plus"
    elif len(text) > 2 and text[-1] in MINUS:
        text = text[:-1] + "minus"
    for dash in MINUS:
        text = text.replace(dash, "")
    match = _F_BETA.fullmatch(text)
    if match is None:
        return None
    return Fraction(match[1]), match[2] in ("n", "minus")


def f_beta(beta: Fraction, *, negative: bool = False) -> Score:
    """The F-score of the positive (or negative) class that weighs recall ``beta`` times as much as precision."""
    u, v = (beta * beta).as_integer_ratio()

    def ratio(tp: Any, fp: Any, fn: Any, tn: Any) -> tuple[Any, Any]:
        hits = (u + v) * tp
        return hits, hits + u * fn + v * fp

    text = _beta_text(beta)
    title, latex, reference = f"F{text} score", r"\frac{(1+\beta^2)\,tp}{(1+\beta^2)\,tp+\beta^2 fn+fp}", SURVEY
    if negative:
        title, latex = f"F{text} of the negative class", r"\frac{(1+\beta^2)\,tn}{(1+\beta^2)\,tn+\beta^2 fp+fn}"
        reference = "Redondo, Sbert & Ulloa 2020 (unified performance measure)"
    name = f"f{text}{'n' if negative else ''}"
    own = (lambda tp, fp, fn, tn: ratio(tn, fn, fp, tp)) if negative else ratio
    return Score(name, title, latex, reference, ratio=own, shape=Shape.FRACTIONAL, beta=beta)


def _beta_text(beta: Fraction) -> str:
    """0.5 for 1/2, 2 for 2; a beta without a finite decimal keeps its fraction."""
    scale = 1
    while (beta * scale).denominator > 1 and scale < 10**6:
        scale *= 10
    if (beta * scale).denominator > 1:
        return f"{beta.numerator}/{beta.denominator}"
    digits = len(str(scale)) - 1
    return f"{float(beta):.{digits}f}" if digits else str(beta.numerator)


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
_REGISTER.admit(_F1, F1_SYNONYMS.split(", "))
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
    >>> register("my mcc", signed, link="root", monotone="rises").declared
    True
    >>> unregister("my mcc")
    """
    if not _is_name(name):
        wanted = f"a name with a letter or digit in it, of at most {LONGEST_NAME} characters"
        raise InvalidOption(f"score: expected {wanted}, got {shown(name)}")
    taken = key(name) in _GENERIC_F or _REGISTER.find(name) is not None
    named = isinstance(synonyms, (list, tuple)) and all(map(_is_name, synonyms))
    texts = {"title": title, "latex": latex, "reference": reference}
    for wrong, why in (
        (taken, "a score of this name exists already; choose another"),
        (not callable(ratio), f"expected a function of tp, fp, fn, tn that returns a ratio, got {shown(ratio)}"),
        (not named, f"synonyms: expected a list of names, got {shown(synonyms)}"),
        *((not isinstance(text, str), f"{what}: expected a text, got {shown(text)}") for what, text in texts.items()),
    ):
        if wrong:
            raise InvalidOption(f"score {shown(name)}: {why}")
    link = link_of(link)
    known = monotonicity(name, ratio, link, monotone)
    more: dict[str, Any] = {"direction": known.direction, "declared": known.declared, "range": (None, None)}
    own = made(name, title or name, ratio, latex, reference, synonyms, link=link, builtin=False, **more)
    _REGISTER.admit(own)
    return own


def _is_name(name: Any) -> bool:
    return isinstance(name, str) and len(name) <= LONGEST_NAME and bool(key(name))


def unregister(name: str) -> None:
    """Forget a score added by ``register``; built-in scores stay."""
    known = score(name)
    if known.builtin:
        raise InvalidOption(f"score {shown(name)} is built in and cannot be removed")
    _REGISTER.remove(known)


_ADOPTED: dict[str, list[str]] = {}  # the digest of what was unpacked last, and the names it brought


def pack_scores() -> Call[None] | None:
    """The call that makes the registered scores known elsewhere; None if there are none."""
    own = registered_scores()
    if not own:
        return None
    import cloudpickle

    declared = []
    for score in own:
        word = ("rises" if score.direction > 0 else "falls") if score.declared else None
        texts = {what: getattr(score, what) for what in ("title", "synonyms", "latex", "reference")}
        declared.append((score.name, score.ratio, texts | {"link": score.link.name, "monotone": word}))
    try:
        packed = cloudpickle.dumps(declared)
    except Exception as error:  # whatever a formula holds on to, its own pickling may raise anything
        names = ", ".join(score.name for score in own)
        raise InvalidOption(
            f"scores of your own ({names}): their formulas cannot be sent to other processes ({shown(error)}); define "
            "them as plain functions, or use one process"
        ) from None
    return adopt_scores, (packed,)


def adopt_scores(packed: bytes) -> None:
    """Register what another process packed; again only if it has changed."""
    import cloudpickle

    digest = hashlib.sha256(packed).hexdigest()
    if digest in _ADOPTED:
        return
    for names in _ADOPTED.values():
        for name in names:
            unregister(name)
    _ADOPTED.clear()
    declared: list[tuple[str, Any, dict[str, Any]]] = cloudpickle.loads(packed)
    for name, ratio, options in declared:
        register(name, ratio, **options)
    _ADOPTED[digest] = [name for name, _, _ in declared]


travels(pack_scores)


@dataclass(frozen=True, slots=True, order=True)
class ConfusionMatrix:
    """The four counts of a binary evaluation.

    >>> matrix = ConfusionMatrix(tp=743, fp=1968, fn=257, tn=4032)
    >>> matrix.p, matrix.n, matrix.score("f1", digits=4)
    (1000, 6000, '0.4004')
    """

    tp: int
    fp: int
    fn: int
    tn: int

    @property
    def p(self) -> int:
        return self.tp + self.fn

    @property
    def n(self) -> int:
        return self.fp + self.tn

    @property
    def cells(self) -> tuple[int, int, int, int]:
        return self.tp, self.fp, self.fn, self.tn

    def score(self, name: str, *, digits: int) -> str | None:
        """A score as text with this many decimals, rounded to nearest; None where it is undefined."""
        return score(name).text(*self.cells, digits=digits)

    def to_dict(self) -> dict[str, int]:
        return {"tp": self.tp, "fp": self.fp, "fn": self.fn, "tn": self.tn}

    def __str__(self) -> str:
        return f"tp={self.tp} fn={self.fn} fp={self.fp} tn={self.tn}"
