"""Tests as sentences have them: "t(28) = 2.20, p = .036", "F1,38 = 4.1; n.s.", "χ²(1, N = 90) = 3.89*".

What statcheck reads (Nuijten et al. 2016, doi:10.3758/s13428-015-0664-2), and the variants that papers of other fields
write. A test is read only if statistic, degrees of freedom and p-value stand together; what lies between them may be
signs, sample sizes, degrees of freedom and the sides of the test, nothing else. Stars mean 0.05, 0.01 and 0.001.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from scoreproof.claims.from_statistic import ALPHA, freedom_of, of_problem
from scoreproof.claims.over_pairs import signed_rank
from scoreproof.claims.recheck import Recheck, Standing, claim_of
from scoreproof.claims.two_groups import rank_sum
from scoreproof.errors import InvalidOption, InvalidValue, ScoreproofError
from scoreproof.kinds.rank_sums import MOST_PAIRS
from scoreproof.kinds.reported_test import FREEDOM, STATISTIC, ReportedTestProblem
from scoreproof.reported.printed_text import read_p
from scoreproof.validation import exact

_LONGEST = 20_000
_STARS = {"*": "< 0.05", "**": "< 0.01", "***": "< 0.001"}
_RELATIONS = {"≤": "<", "≥": ">", "≈": "=", "⩽": "<", "⩾": ">", "<=": "<", ">=": ">", "<<": "<", ">>": ">"}
_PLAIN = (
    (re.compile(r"\\(?:textit|textbf|mathit|mathrm|emph|text)\s?\{([^{}]{1,12})\}"), r"\1"),
    (re.compile(r"\\(?:,|;|!|:|quad|qquad|left|right|\s)"), " "),
    (re.compile(r"\\?chi\s*(?:\^\s*\{?\s*2\s*\}?|-?\s?squared?)|[χΧ]\s*(?:\^\s*\{?2\}?|²|2)", re.IGNORECASE), "chi2"),
    (re.compile(r"\bX\s?(?:²|\^\{?2\}?|2)(?=\s*[(_=])"), "chi2"),
    (re.compile(r"\\(?:leq?|lt)\b"), "<"),
    (re.compile(r"\\(?:geq?|gt)\b"), ">"),
    (re.compile(r"\\approx\b"), "="),
    (re.compile(r"[$]|\{\}|\*(?=[tFrzpQ]\*?\s*[(=<>])|(?<=[tFrzpQ])\*(?=\s*[(=<>])"), ""),
    (re.compile(r"[−–—‐‑﹣－]"), "-"),
    (re.compile(r"(?<=\d)·(?=\d)"), "."),
)  # fmt: skip
_N = r"(?:\d{1,9}(?:\.\d+)?|\.\d+)(?:\s?[eE]-?\d{1,3}|\s*(?:×|x|\*|·|\\times)\s*10\s*\^?\s*\{?\s*-?\d{1,3}\}?)?"
_DF = r"\d{1,3}(?:,\d{3})+(?!\d)|\d{1,9}(?:\.\d{1,4})?"
_RELATION = r"(?:<=|>=|<<|>>|[=<>≤≥≈⩽⩾])"
_SIZE = r"(?:[Nn]_?\{?[12]?\}?\s*=\s*[\d,]{1,11})"
_HEAD = re.compile(
    rf"(?<![\w.\\])(?P<test>chi2|[tTFzZrQUWV])(?:[_\s]?(?:b|w|between|within|\{{[A-Za-z]+\}}))?"
    rf"\s?(?:_?[(\[{{]\s?(?:df\s?=\s?)?(?P<df>{_DF})\s?(?:[,;/]\s?(?:(?P<df2>{_DF})|(?P<size>{_SIZE})))?\s?[)\]}}]"
    rf"|_?(?P<sub>\d{{1,4}}(?:\.\d{{1,3}})?(?:,\s?\d{{1,5}}(?:\.\d{{1,3}})?)?)(?=\s?=))?"
    rf"\s?(?P<relation>{_RELATION})\s?(?P<value>-?\s?{_N})(?P<stars>\s?\*{{1,3}}(?!\w))?"
)
_BETWEEN = re.compile(
    rf"(?:[\s,;:()\[\]]|and\b|with\b|exact\b|{_SIZE}|z\s?=\s?-?{_N}|d\.?f\.?\s?=\s?(?:{_DF})(?:\s?,\s?(?:{_DF}))?"
    rf"|(?:{_DF})\s?(?:d\.?f\b\.?|degrees? of freedom)|(?:one|two|1|2)[-\s]?(?:tailed|sided)(?:\stest)?"
    rf"|(?:d|g|MSE|(?:partial )?[ηω]p?²?2?p?)\s?=\s?-?{_N}|95\s?% CI:?\s?[\[(]-?{_N}\s?[,;]\s?-?{_N}[\])])*"
)
_P = re.compile(
    rf"[pP](?:[-\s]?values?)?(?P<kind>[_\s]?\{{?(?:adj|corr|bonf|holm|fdr|bh|perm|boot)\w*\.?\}}?)?\s?(?P<relation>{_RELATION})\s?"
    rf"(?P<value>{_N})(?!\.?\d)|(?:[pP]\s?=\s?)?[nN]\.?\s?[sS]\b\.?"
)
_AFTER = 120  # characters after a statistic in which its p-value is looked for
_ADJUSTED = re.compile(
    r"adjust|correct(?:ed|ion) p|bonferroni|holm\b|fdr\b|false discovery|permut|bootstrap|monte", re.I
)
NOT_SIGNIFICANT = "not significant"
_OTHER_P = "the p-value is said to be adjusted or resampled"
_SIDED = re.compile(r"(one|two|1|2)[-\s]?(?:tailed|sided)", re.I)


@dataclass(frozen=True, slots=True)
class ReadTest:
    """A test found in a text: the words themselves, where they start, and what was read of them."""

    raw: str
    start: int
    test: str
    df: tuple[str, ...]
    relation: str
    value: str
    p: str
    sizes: tuple[int, ...] = ()
    sides: str = "any"
    doubt: str = ""


def plain_text(text: str, *, decimal_comma: bool = False) -> str:
    """A text without its typesetting: $, \\chi^2, typographic minus signs."""
    for pattern, instead in _PLAIN:
        text = pattern.sub(instead, text)
    if decimal_comma:
        text = re.sub(r"(?<=\d),(?=\d)|(?<=[\s=<>(]),(?=\d)", ".", text).replace(";", ",")
    return re.sub(r"[ \t\u00a0\u2009\u202f]+", " ", text)


def read_tests(text: str, *, decimal_comma: bool = False) -> Iterator[ReadTest]:
    """The tests that a text reports.

    >>> [(test.test, test.df, test.value, test.p) for test in read_tests("(t(28) = 2.20, p = .036; F1,38=4.1, n.s.)")]
    [('t', ('28',), '2.20', '= .036'), ('F', ('1', '38'), '4.1', 'not significant')]
    """
    whole = text if len(text) <= _LONGEST else text[:_LONGEST].rpartition(" ")[0]  # no number is cut
    plain = plain_text(whole, decimal_comma=decimal_comma)
    done = 0
    for head in _HEAD.finditer(plain):
        test = _read(head, plain) if head.start() >= done else None  # a z beside its U is read already
        if test is not None:
            done = test.start + len(test.raw)
            yield test


def _read(head: re.Match[str], plain: str) -> ReadTest | None:
    between = _BETWEEN.match(plain, head.end(), head.end() + _AFTER)
    assert between is not None  # it may be empty
    printed, stars = _P.match(plain, between.end()), (head["stars"] or "").strip()
    if printed is None and not stars:
        return None
    end = head.end() if printed is None else printed.end()
    test = {"T": "t", "Z": "z", "Q": "chi2", "V": "W"}.get(head["test"], head["test"])
    df = re.split(r",\s?", head["sub"]) if head["sub"] else [part for part in (head["df"], head["df2"]) if part]
    stated = re.search(rf"d\.?f\.?\s?=\s?({_DF})(?:\s?,\s?({_DF}))?|({_DF})\s?(?:d\.?f|degrees)", between[0])
    if not df and stated is not None:
        df = [part for part in stated.groups() if part]
    named = re.findall(_SIZE, f"{head['size'] or ''} {between[0]}")
    sizes = tuple(int(size.partition("=")[2].replace(",", "")) for size in named)
    if test == "r" and not df and len(sizes) == 1:
        df = [str(sizes[0] - 2)]
    value = re.sub(r"\s", "", head["value"])
    standard = re.search(rf"\bz\s?=\s?(-?{_N})", between[0]) if test in ("U", "W") else None
    if standard is not None:
        test, value, df = "z", standard[1], []
    if printed is None:
        p = _STARS[stars]
    elif printed["value"] is None:
        p = NOT_SIGNIFICANT
    else:
        p = f"{_RELATIONS.get(printed['relation'], printed['relation'])} {printed['value']}"
    sided = _SIDED.search(plain[head.start() : end + 25])
    sides = "any" if sided is None else "one" if sided[1].lower() in ("one", "1") else "two"
    doubt = "stars are read as 0.05, 0.01 and 0.001" if printed is None else ""
    if (printed is not None and printed["kind"]) or _ADJUSTED.search(plain[max(0, head.start() - 80) : end + 60]):
        doubt = _OTHER_P
    relation = _RELATIONS.get(head["relation"], head["relation"])
    if test == "F" and len(df) == 1:  # no thousands, and no decimals of a decimal comma
        df = re.split(r"[.,]", df[0])
    df = [part.replace(",", "") for part in df]
    return ReadTest(plain[head.start() : end], head.start(), test, tuple(df), relation, value, p, sizes, sides, doubt)


def statements(
    text: str, *, alpha: Any = 0.05, sides: str = "any", rounding: str = "any", decimal_comma: bool = False
) -> tuple[Recheck, ...]:
    """Re-check every test that a text reports: statistic, degrees of freedom, p-value.

    ``alpha`` is the level at which the text concludes, ``sides`` those of tests that do not say it themselves.

    >>> print(*statements("t(28) = 2.20, p = .036; chi2(1, N = 90) = 3.89, p = .48"), sep="\\n")
    possible: t(28) = 2.20, p = .036: the statistic gives it (two-sided)
    impossible: chi2(1, N = 90) = 3.89, p = .48: upper tail p lies between 0.0483 and 0.0489; one-sided p lies between \
0.0241 and 0.0244: what is concluded at 0.05 changes
    """
    if not isinstance(text, str) or not text.strip():
        raise InvalidValue(f"text: expected a sentence such as 't(28) = 2.20, p = .036', got {text!r:.60}")
    level = exact("alpha", alpha)
    if not 0 < level < 1:
        raise InvalidOption(f"alpha: expected a number in (0, 1) such as 0.05, got {alpha!r:.60}")
    tests = tuple(
        recheck_test(test if test.sides != "any" else replace(test, sides=sides), alpha=level, rounding=rounding)
        for test in read_tests(text, decimal_comma=decimal_comma)
    )
    if not tests:
        raise InvalidValue(
            "text: expected a statistic with its degrees of freedom and its p-value, such as 't(28) = 2.20, p = .036', "
            f"'F(1, 38) = 4.10, n.s.' or 'chi2(1) = 3.89*'; got {text[:60]!r}"
        )
    return tests


def recheck_test(test: ReadTest, *, alpha: Fraction = ALPHA, rounding: str = "any") -> Recheck:
    """A test that was read, re-checked; what cannot be is possible, with the reason."""
    try:
        p = read_p(f"> {float(alpha):g}" if test.p == NOT_SIGNIFICANT else test.p, rounding=rounding)
    except InvalidValue as error:  # a p-value beyond 1
        return Recheck(test.raw, Standing.UNEXPLAINED, str(error))
    try:
        if test.test in FREEDOM and test.doubt != _OTHER_P:
            value = claim_of(STATISTIC, "statistic", test.value, rounding=rounding)
            freedom = freedom_of(test.test, test.df)
            problem = ReportedTestProblem(test.test, freedom, value, p, test.relation, test.sides)
            recheck = of_problem(problem, test.raw, alpha=alpha)
            return replace(recheck, assumes=(*recheck.assumes, *filter(None, [test.doubt])))
        told, value_of = f"{p.relation} {p.claim.text}", test.value if test.relation == "=" else None
        if test.test == "W" and len(test.sizes) == 1 and 1 <= test.sizes[0] <= MOST_PAIRS:
            own = signed_rank(test.sizes[0], told, statistic=value_of, sides=test.sides, rounding=rounding)
            return replace(own, claim=test.raw)
        if test.test == "U" and len(test.sizes) == 2 and value_of is not None:
            own = rank_sum(test.sizes, told, statistic=value_of, sides=test.sides, rounding=rounding)
            return replace(own, claim=test.raw)
    except ScoreproofError as error:
        return Recheck(test.raw, Standing.POSSIBLE, f"not re-checked: {error}")
    reason = test.doubt or {
        "U": "U alone does not give p: its z does, or the sizes of both groups (n1 = ..., n2 = ...)",
        "W": "a sum of ranks gives p with the number of pairs only (n = ...)",
    }.get(test.test, "unknown test")
    return Recheck(test.raw, Standing.POSSIBLE, f"not re-checked: {reason}")
