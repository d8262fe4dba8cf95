"""A value with its confidence interval: "0.912 (0.880-0.938)", "91.2% [88.0, 93.8]", "0.81 (95% CI 0.77 to 0.85)".

What can be read in one way only is read; the rest is refused with what to write instead. Numbers keep their digits.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from scoreproof.errors import InvalidValue
from scoreproof.validation import shown

_LONGEST = 120
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
