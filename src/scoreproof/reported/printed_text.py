"""Results of inference as papers print them: a value with its confidence interval, and a p-value.

"0.912 (0.880-0.938)", "91.2% [88.0, 93.8]", "0.81 (95% CI 0.77 to 0.85)": what can be read in one way only is read; the
rest is refused with what to write instead. Numbers keep their digits.

"p < 0.05", "0.091", "P = 3.2 × 10−5" stand for a closed interval of true values. Behind an equals sign, or none, stands
a rounded number like any other. "p < 0.05" is a bound and not rounded: it stands for 0 to 0.05, its end included, so
that nobody is accused over the difference between "<" and "<=".
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from scoreproof.errors import InvalidValue
from scoreproof.quantities import Quantity
from scoreproof.reported.claim import Claim, claim_from_dict, report
from scoreproof.validation import shown

_LONGEST = 120  # characters of a text that is looked at
_MINUS = str.maketrans(dict.fromkeys("−–—‐‑﹣－", "-"))
NUMBER = r"(?:[0-9]+(?:[.,][0-9]*)?|[.,][0-9]+)(?:[eE][+-]?[0-9]{1,3})?"
_INTERVAL = re.compile(
    rf"[\[(]?\s*(?P<value>-?{NUMBER})\s*(?P<percent>%)?\s*[*†‡§a-c]{{0,3}}\s*[,;:]?\s*[\[(]\s*"
    rf"(?:(?P<level>\d\d(?:\.\d+)?)\s*%\s*(?:CI|confidence interval)s?\s*[:,=]?\s*)?"
    rf"(?P<low>-?{NUMBER})\s*(?P<percent2>%)?\s*(?:to|[-,;~]|\.\.)\s*(?P<high>-?{NUMBER})\s*(?P<percent3>%)?\s*[\])]\s*[\])]?"
    rf"\s*[*†‡§]{{0,3}}",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class IntervalText:
    """A value with its limits, in percent or not; the level if the text names it."""

    value: str
    low: str
    high: str
    level: str | None


def plain(text: Any, what: str, wanted: str) -> str:
    """A text with plain signs and without the blanks of a PDF; an error if it is none."""
    if not isinstance(text, str):
        raise InvalidValue(f"{what}: expected {wanted}, got {shown(text)}")
    if len(text) > _LONGEST:
        raise InvalidValue(f"{what}: expected {wanted}, got {len(text)} characters of text ({text[:37]!r}...)")
    cleaned = text.translate(_MINUS).replace("·", ".").replace("\\%", "%").strip()
    return re.sub(r"(?<=\d\.)\s(?=\d)", "", cleaned)  # "0. 896" as PDFs have it


def read_interval(text: str, *, decimal_comma: bool = False) -> IntervalText:
    """Read a value with its interval.

    >>> read_interval("95.03% (90.4–98.4)")
    IntervalText(value='95.03%', low='90.4%', high='98.4%', level=None)
    >>> read_interval("0.81 (95% CI 0.77 to 0.85)").level
    '0.95'
    """
    wanted = "a value with its interval such as '0.912 (0.880-0.938)' or '91.2% [88.0, 93.8]'"
    cleaned = plain(text, "value", wanted)
    if decimal_comma:
        cleaned = re.sub(r"(?<=\d),(?=\d)", ".", cleaned)
    match = _INTERVAL.fullmatch(cleaned)
    if match is None:
        raise InvalidValue(f"value: expected {wanted}, got {text[:60]!r}")
    percent = "%" if match["percent"] or match["percent2"] or match["percent3"] else ""
    if any(mark in match[name] for name in ("value", "low", "high") for mark in (",",)):
        raise InvalidValue(
            f"value: {text[:60]!r} has commas within numbers; if they are decimal commas say so (decimal_comma=True, "
            "--decimal-comma)"
        )
    level = None if match["level"] is None else str(Fraction(match["level"]) / 100)
    value, low, high = (match[name] + percent for name in ("value", "low", "high"))
    return IntervalText(value, low, high, decimal(level))


def decimal(level: str | None) -> str | None:
    """A level as a decimal."""
    return None if level is None else f"{float(Fraction(level)):.10g}"


def split_intervals(scores: Any, *, decimal_comma: bool = False) -> tuple[Any, dict[str, IntervalText]]:
    """Scores of which some have intervals, as the scores alone and the intervals by name.

    >>> split_intervals({"acc": "0.912 (0.880-0.938)", "f1": "0.90"})[0]
    {'acc': '0.912', 'f1': '0.90'}
    """
    intervals: dict[str, IntervalText] = {}
    for name, text in scores.items() if isinstance(scores, Mapping) else ():
        if isinstance(text, str) and ("(" in text or "[" in text):
            try:
                intervals[name] = read_interval(text, decimal_comma=decimal_comma)
            except InvalidValue:
                continue  # what else stands in brackets is refused where scores are read
    return ({**scores, **{name: text.value for name, text in intervals.items()}} if intervals else scores), intervals


P_VALUE = Quantity("p", "p-value", range=(Fraction(0), Fraction(1)), direction=-1, kind="printed")
_RELATIONS = {"<": "<", "<=": "<", "≤": "<", "<<": "<", "⩽": "<", ">": ">", ">=": ">", "≥": ">", "⩾": ">"}
_FORM = re.compile(
    r"(?:p(?:[\s-]?values?)?|sig\.?)?\s*(?:was|of|is)?\s*(?P<sign><<|<=|>=|[<>=≤≥⩽⩾])?\s*(?P<number>.+)", re.IGNORECASE
)
_POWER = re.compile(
    r"(?:(?P<lead>\d+(?:\.\d+)?|\.\d+)\s*(?:[×x*·⋅]|\\times|\\cdot)\s*)?10\s*\^?\s*\{?\s*(?P<sign>-?)\s*(?P<power>\d{1,3})\s*\}?",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class PrintedP:
    """A printed p-value: the number as a claim, and whether it is the value ("="), or a bound ("<", ">")."""

    relation: str
    claim: Claim

    @property
    def low(self) -> Fraction:
        """The least p that prints like that."""
        return {"<": Fraction(0), ">": self.claim.number.value}.get(self.relation, max(self.claim.low, Fraction(0)))

    @property
    def high(self) -> Fraction:
        """The greatest p that prints like that."""
        return {"<": self.claim.number.value, ">": Fraction(1)}.get(self.relation, min(self.claim.high, Fraction(1)))

    @property
    def as_bound(self) -> str:
        """What a subject adds to a claim that reads "p = 0.05" where the paper has a bound; empty for a value."""
        return "" if self.relation == "=" else f", the p-value being a bound (p {self.relation} {self.claim.text})"

    def to_dict(self) -> dict[str, Any]:
        rule = {key: value for key, value in self.claim.to_dict().items() if key not in ("score", "name")}
        return {"relation": self.relation, **rule}

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> PrintedP:
        rule = {key: value for key, value in document.items() if key != "relation"}
        return cls(document["relation"], claim_from_dict({**rule, "score": P_VALUE}))

    def __str__(self) -> str:
        return f"p {self.relation} {self.claim.text}"


def read_p(text: str | PrintedP, *, rounding: Any = None, decimal_comma: bool = False, what: str = "p") -> PrintedP:
    """A printed p-value; ``rounding`` is the rule by which one that is no bound was cut to its digits.

    >>> str(read_p("P = .091")), str(read_p("p<0.05")), str(read_p("3.2 × 10−5")), str(read_p("p ≤ 10^{-4}"))
    ('p = .091', 'p < 0.05', 'p = 3.2e-5', 'p < 1e-4')
    >>> read_p("<0.05").high
    Fraction(1, 20)
    """
    if isinstance(text, PrintedP):
        return text
    if not isinstance(text, str):
        raise InvalidValue(
            f"{what}: expected the text of a p-value such as '0.03', '= 0.03' or '< 0.05', got {text!r:.60}"
        )
    shown = text if len(text) <= 40 else f"{text[:37]}..."
    match = _FORM.fullmatch(text.translate(_MINUS).strip()) if len(text) <= _LONGEST else None
    if match is None:
        raise InvalidValue(f"{what}: expected a p-value such as '0.03', 'p = 0.03' or 'p < 0.05', got {shown!r}")
    number = match["number"].strip().replace("$", "")
    power = _POWER.fullmatch(number)
    if power is not None:
        number = f"{power['lead'] or '1'}e{power['sign']}{power['power']}"
    number = re.sub(r"(?<=[0-9])\s*[eE]\s*(?=[+-]?[0-9])", "e", number)
    claim = replace(report(P_VALUE, number, rounding=rounding, decimal_comma=decimal_comma), name="p")
    if claim.spread is not None:
        raise InvalidValue(f"{what}: expected a p-value, got {shown!r}, which has a ±")
    if claim.beyond_range or not 0 <= claim.number.value <= 1:
        raise InvalidValue(f"{what}: expected a p-value from 0 to 1, got {shown!r}")
    return PrintedP(_RELATIONS.get(match["sign"] or "=", "="), claim)
