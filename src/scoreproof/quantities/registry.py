"""From a name to the quantity it stands for, kind by kind; and names nothing is proved about, each with the reason.

Every kind declares its quantities here; names are compared by their key, so "F-measure" and "f measure" are one. Case,
blanks, dots, dashes and underscores carry no meaning ("F-measure", "f_measure", "F Measure"), Greek letters are spelled
out (κ is kappa), subscripts become plain digits (F₁ is F1). A sign at the end does carry meaning: LR+ and LR- are
different scores. The same word may mean different quantities in different kinds ("accuracy" of two classes or of ten),
so a lookup says in which kind, and without a kind those of the binary confusion matrix come first.

What carries a number or a threshold in its name (BLEU-4, AUC@5%FPR, FPR95) is known by a pattern. Checks refuse the
names that everybody knows and nothing is proved about, tables and frames list their columns as not tested, all with the
same reason.
"""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from scoreproof.errors import InvalidOption, UnknownScore

_GREEK = str.maketrans(dict(zip("αβκφϕδρ", ["alpha", "beta", "kappa", "phi", "phi", "delta", "rho"], strict=True)))
MINUS = "-−–—‐‑"
_KEPT = 60  # characters of names whose keys are remembered


def spelled(name: str) -> str:
    """The name in lower case with Greek letters spelled out and no blanks; dots and signs still in place."""
    text = unicodedata.normalize("NFKC", name).lower().strip().translate(_GREEK)
    return re.sub(r"[\s_'’`^{}$*]+", "", text)


def key(name: str) -> str:
    """What is left of a name when everything without meaning is dropped.

    >>> key("F-Measure"), key("Cohen's κ"), key("LR+"), key("lr −")
    ('fmeasure', 'cohenskappa', 'lrplus', 'lrminus')
    """
    return _key(name) if len(name) <= _KEPT else _key.__wrapped__(name)


@lru_cache(maxsize=2048)
def _key(name: str) -> str:
    """Tables ask for the same few names in every row."""
    text = spelled(name)
    if text[-1:] == "+":
        text = text[:-1] + "plus"
    elif len(text) > 1 and text[-1] in MINUS:
        text = text[:-1] + "minus"
    return "".join(char for char in text if char.isalnum() or char == "/")


def nearest(name: str, known: Iterable[str], most: int = 3) -> list[str]:
    """The known names that look most like ``name``."""
    return list(_nearest(key(name), frozenset(known), most))


@lru_cache(maxsize=1024)
def _nearest(wanted: str, known: frozenset[str], most: int) -> tuple[str, ...]:
    """Tables repeat their headings, and looking for what resembles one takes long."""
    return tuple(difflib.get_close_matches(wanted, sorted(known), n=most, cutoff=0.75))


@dataclass(frozen=True, slots=True)
class Quantity:
    """Something a paper prints a number for.

    ``kind`` names the kind of problem it belongs to; within a kind a name means one thing. ``range`` holds the least
    and the greatest value it can have, None where there is none. ``direction`` is +1 if larger values are better.

    >>> from fractions import Fraction
    >>> Quantity("rmse", "root mean squared error", range=(Fraction(0), None), direction=-1, kind="regression").name
    'rmse'
    """

    name: str
    title: str
    latex: str = ""
    reference: str = ""
    synonyms: tuple[str, ...] = ()
    range: tuple[Fraction | None, Fraction | None] = (Fraction(0), Fraction(1))
    direction: int = 1
    kind: str = "binary"
    builtin: bool = True

    def __str__(self) -> str:
        return self.name


_OF_A_PART = "it is of a part of the curve, and which part is not said"
_AT_A_POINT = "it is of a threshold that is chosen by another score"
_SEVERAL = "with several relevant items it may fall with the cut-off, and no ranks of single items give it"
OF_TEXTS = "it compares texts, not classes"

#: Names that everybody knows and nothing is proved about, by the reason.
_BY_REASON = {
    _OF_A_PART: (
        "pauc partialauc partialauroc standardizedpartialauc standardisedpartialauc partialareaunderthecurve froc cpm"
    ),
    _AT_A_POINT: "eer equalerrorrate mindcf dcf hter apcer bpcer acer",
    "it is not divided by the best there could be": "dcg",
    _SEVERAL: "alphandcg gradedndcg multirelevantndcg ndcgmultirelevant",
    "it is a distance between outlines, which no counts of pixels give": (
        "hausdorff hausdorffdistance 95hausdorffdistance hd hd95 95hd hd95mm assd asd averagesurfacedistance "
        "averagesymmetricsurfacedistance masd"
    ),
    "it counts outlines within a tolerance, which no counts of pixels give": (
        "nsd normalizedsurfacedice normalisedsurfacedice surfacedice boundaryiou boundaryf1"
    ),
    "it depends on the size of every true value": "mape meanabsolutepercentageerror absrel",
    "it depends on the size of every value": "smape",
    "it depends on the sum of the true values": "wape",
    "it depends on the errors of another forecast": "mase",
    "it is of logarithms": "rmsle msle",
    "by what it is normalised is not said": "nrmse rrmse nmae cvrmse",
    "it depends on the spread of the true values": "rae",
    "it is of ranks": "spearman spearmanr spearmanrho srcc srocc kendall kendalltau krcc",
    "concordance is not covered yet": "ccc",
    "report the Nash-Sutcliffe efficiency as r2: it is the same": "nse",
    "it is of predicted probabilities, not of decisions": (
        "ece expectedcalibrationerror brier brierscore logloss crossentropy nll perplexity ppl bpc"
    ),
    OF_TEXTS: (
        "bleu rouge meteor cider spice chrf bertscore ter wer worderrorrate cer charactererrorrate per em exactmatch"
    ),
    "it compares pictures by a formula or a model of their own": "psnr ssim msssim lpips fid inceptionscore clipscore",
    "it follows objects over time, beyond one matching": "mota motp idf1 hota",
    "it multiplies the quality of matched segments with their number": "pq panopticquality",
    "it is of distances between points": "mpjpe pampjpe epe pck",
    "it is of pairs of times, some of them censored": "cindex concordanceindex",
}
UNTESTED = {name: reason for reason, names in _BY_REASON.items() for name in names.split()}
#: What a name means in one kind alone, where another kind knows it as something else.
_OF_A_KIND = {"ranking": {"map": _SEVERAL, "meanaverageprecision": _SEVERAL}}
_PATTERNS = (
    (re.compile(r"p?auc(roc)?@.*|p?auroc@.*|p?auc[0-9]+fpr"), _OF_A_PART),
    (
        re.compile(r"(tpr|tnr|fpr|fnr|sens|spec|sensitivity|specificity)(@|at(?=.*(fpr|spec|sens|tpr|[0-9]))|[0-9]).*"),
        _AT_A_POINT,
    ),
    (re.compile(r"(bleu|rouge|cider|chrf|hd|pck)[-@]?([0-9.]+|l|w|lsum|d|\+\+)"), ""),
    (re.compile(r"err@[0-9]+"), _SEVERAL),
)


def why_untested(name: str, kind: str | None = None) -> str:
    """Why nothing is tested about a name that everybody knows; empty if it is not such a name.

    >>> why_untested("AUC@5%FPR"), why_untested("BLEU-4"), why_untested("Accuracy")
    ('it is of a part of the curve, and which part is not said', 'it compares texts, not classes', '')
    """
    plain = key(name)
    known = _OF_A_KIND.get(kind or "", {}).get(plain) or UNTESTED.get(plain)
    if known is not None:
        return known
    text = "".join(name.lower().split()).replace("_", "").replace("%", "")
    for pattern, reason in _PATTERNS:
        match = pattern.fullmatch(text)
        if match is not None:
            return reason or UNTESTED[match[1]]
    return ""


_NUMBER = re.compile("[0-9]")
_MOST_UNKNOWN = 1_000
Resolver = Callable[[str, object], Quantity | None]


class Register:
    """The quantities of one kind by key; ``resolve`` makes those that a list cannot hold (F-scores of any beta).

    With ``numbered`` they all have a number in their names, or begin with one of ``beginnings``: no other is tried.
    """

    def __init__(
        self, resolve: Resolver | None = None, *, numbered: bool = False, beginnings: tuple[str, ...] = ()
    ) -> None:
        self._by_key: dict[str, Quantity] = {}
        self._listed: dict[str, Quantity] = {}
        self._unknown: set[str] = set()  # names asked before: every row of a table asks for the same ones
        self._resolve = resolve
        self._numbered = numbered
        self._beginnings = beginnings

    def admit(self, quantity: Quantity, synonyms: Iterable[str] = ()) -> None:
        """Add a quantity under its name and synonyms; a name that is taken is an error."""
        spellings = {key(spelling) for spelling in (quantity.name, *quantity.synonyms, *synonyms)}
        for spelling in spellings:
            other = self._by_key.get(spelling)
            if other is not None and other.name != quantity.name:
                raise InvalidOption(
                    f"score {quantity.name!r}: the name {spelling!r} already belongs to {other.name!r}; choose another"
                )
        self._by_key.update(dict.fromkeys(spellings, quantity))
        self._listed[quantity.name] = quantity
        self._unknown.clear()

    def remove(self, quantity: Quantity) -> None:
        for spelling in self.spellings(quantity):
            del self._by_key[spelling]
        del self._listed[quantity.name]

    def find(self, name: str, more: object = None) -> Quantity | None:
        """The quantity of a name; ``more`` is what the name leaves open (the beta of an F-score)."""
        known = self._by_key.get(name)
        if known is None and name not in self._unknown and isinstance(name, str):
            known = self._by_key.get(key(name))
            if known is None and self._resolve is not None and self._may_resolve(name):
                known = self._resolve(name, more)
            elif known is None and len(self._unknown) < _MOST_UNKNOWN:
                self._unknown.add(name)
        return known

    def _may_resolve(self, name: str) -> bool:
        return not self._numbered or bool(_NUMBER.search(name)) or name.lstrip().lower().startswith(self._beginnings)

    def spellings(self, wanted: Quantity) -> list[str]:
        """Every key that leads to this quantity."""
        return sorted(spelling for spelling, known in self._by_key.items() if known.name == wanted.name)

    def __iter__(self) -> Iterator[Quantity]:
        return iter(self._listed.values())

    def __len__(self) -> int:
        return len(self._listed)

    @property
    def keys(self) -> Iterable[str]:
        return self._by_key


_AVERAGE = re.compile(r"\b(?:macro|micro|weighted)(?=$|[\W_])|_(?:macro|micro|weighted)$", re.IGNORECASE)
LONGEST_NAME = 200  # characters
# A name of two kinds is that of the first here, whatever is imported first: AP is the curve's, then the detector's.
_REGISTERS = {kind: Register() for kind in ("binary", "curve", "detection", "ranking", "regression")}


def register_of(kind: str) -> Register:
    """The register of a kind, made when it is first asked for."""
    return _REGISTERS.setdefault(kind, Register())


def declare(kind: str, register: Register, *quantities: Quantity) -> Register:
    """Give a kind its register, with these quantities in it."""
    _REGISTERS[kind] = register
    for quantity in quantities:
        register.admit(quantity)
    return register


def registered(name: str, more: object = None) -> Quantity | None:
    """The quantity a name stands for in the first kind that knows it; None if no kind does."""
    return _first(_REGISTERS.values(), name, more)


def _first(registers: Iterable[Register], name: str, more: object) -> Quantity | None:
    return next((known for own in registers if (known := own.find(name, more)) is not None), None)


def quantity(name: str | Quantity, more: object = None, *, kind: str | None = None) -> Quantity:
    """The quantity a name stands for, in one kind or in the first that knows it; an error that suggests others."""
    if isinstance(name, Quantity):
        return name
    if not isinstance(name, str) or len(name) > LONGEST_NAME:
        got = f"{len(name):,} characters" if isinstance(name, str) else f"{type(name).__name__}"
        raise UnknownScore(f"score: expected the name of a score as a text, got {got}")
    registers = [_REGISTERS[kind]] if kind is not None else list(_REGISTERS.values())
    known = _first(registers, name, more)
    if known is not None:
        return known
    why = why_untested(name, kind)
    if why:
        raise UnknownScore(f"{name}: nothing is tested about it ({why}); leave it out")
    elsewhere = registered(name, more)
    if elsewhere is not None:
        raise UnknownScore(
            f"{name!r} is the {elsewhere.title}, a quantity of the kind {elsewhere.kind!r}, not {kind!r}; leave it out"
        )
    if _AVERAGE.search(name):
        raise UnknownScore(
            f"{name!r} is an average over classes: say how many cases each class has, MultiClass([50, 70, 30]) or "
            "--classes 50,70,30; two classes are classes, too"
        )
    close = nearest(name, {spelling for register in registers for spelling in register.keys})
    hint = f"did you mean {' or '.join(close)}?" if close else "no registered name resembles it;"
    raise UnknownScore(f"no score is called {name!r}; {hint} 'scoreproof scores' lists them all")
