"""Certificates about claims of significance: McNemar's test, tests by sign patterns, mean ranks, by exact counting.

McNemar's test: with A and B right of n cases, b by the first alone and c by the second alone, b - c = A - B and
max(0, A - B) <= b <= min(A, n - B). At a fixed difference p rises with b (one-sided without a difference it falls), so
two neighbours exclude every b. An exact test over k pairs has a p-value j / 2^k (j is even on two sides).
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from scoreproof_verify.documents import Document, given, integer, known_keys, list_of, listed, read_all, read_printed
from scoreproof_verify.formulas import Rules
from scoreproof_verify.frame import Checker, Patience, Words
from scoreproof_verify.kinds.reported_test import PValue, chi2, read_p_value
from scoreproof_verify.texts import quoted, require

_METHODS = ("exact", "exact, one-sided", "mid-p", "chi2", "chi2-corrected", "chi2-corrected-always")
_MOST_CASES = 10**9
_MOST_COUNTS = 300
_MOST_TOSSES = 3000
_MOST_CUTS = 1300

Spans = dict[int, tuple[int, int]]  # by difference: the fewest and the most b


def check_paired_counts(statement: Document, proof: Document, rules: Rules, patience: Patience) -> Words:
    pairs = statement.list_of("pairs", 1, 2, "the statement does not have one or two pairs of rates")
    otherwise = "the statement names no methods, or an unknown one"
    methods = statement.list_of("methods", 1, _MOST_CUTS, otherwise)
    require(all(method in _METHODS for method in methods), otherwise)
    require(len(set(methods)) == len(methods), "a method is named twice")
    p = None if statement.get("p") is None else read_p_value(statement["p"])
    spans = _spans(pairs[0])
    for pair in pairs[1:]:
        spans = _added(spans, _spans(pair), patience)
    if proof.get("kind") == "counts":
        proof.keep_to("kind")
        require(not spans, "there are counts that print as the rates")
        return lambda: f"Proved: no numbers of right answers print as {_said(pairs)}."
    require(proof.get("kind") == "cuts" and bool(spans), f"unknown kind of proof {quoted(proof.get('kind'))}")
    value = given(p, "the statement has no p-value")
    proof.keep_to("kind", "cuts")
    cuts = known_keys("the cuts", proof.get("cuts"), *methods)
    require(len(spans) <= _MOST_CUTS, "there are too many differences")
    for method in methods:
        otherwise = f"there is not one cut for each difference ({method})"
        own = list_of(cuts.get(method), len(spans), len(spans), otherwise)
        for cut, d in zip(own, sorted(spans), strict=True):
            _excluded(method, d, spans[d], integer(cut, "a cut"), value, patience)
    return lambda: (
        f"Proved: with {_said(pairs)}, whichever cases both get right, McNemar's test ({', '.join(methods)}) does not "
        f"give {p}."
    )


def _said(pairs: list[Any]) -> str:
    words = []
    for pair in pairs:
        rates = [rate and read_printed(rate, "a rate", most=1) for rate in (pair["first"], pair["second"])]
        words.append(f"rates of {rates[0] or 'any size'} and {rates[1] or 'any size'} on {pair['cases']} cases")
    return " and ".join(words)


def _spans(document: Any) -> Spans:
    """Each difference of right answers, with the fewest and the most cases that only the first gets right."""
    pair = known_keys("a pair", document, "cases", "first", "second", every=True)
    n = pair.integer("cases", "the number of cases", 1, _MOST_CASES)
    counts = [_counts(pair.get(name), n) for name in ("first", "second")]
    spans: Spans = {}
    for a in range(counts[0][0], counts[0][1] + 1):
        for b in range(counts[1][0], counts[1][1] + 1):
            most = min(a, n - b)
            spans[a - b] = (max(0, a - b), max(most, spans.get(a - b, (0, 0))[1]))
    return spans


def _counts(document: Any, n: int) -> tuple[int, int]:
    """The first and the last count that prints as a rate."""
    first, last = 0, n
    if document is not None:
        rate = read_printed(document, "a rate", most=1)
        first, last = rate.span.times(n).whole
        if document.get("eps") is None:  # a stated distance includes its ends
            value, unit = rate.worth
            off = [abs(Fraction(end, n) - value) == unit and Fraction(end, n) in rate.span for end in (first, last)]
            first, last = first + off[0], last - off[1]
    require(min(last, n) - max(first, 0) < _MOST_COUNTS, "a rate stands for too many counts")
    return max(first, 0), min(last, n)


def _added(first: Spans, other: Spans, patience: Patience) -> Spans:
    spans: Spans = {}
    for d, (few, most) in first.items():
        patience.check()
        for e, (less, more) in other.items():
            low, high = spans.get(d + e, (few + less, most + more))
            spans[d + e] = (min(low, few + less), max(high, most + more))
    return spans


def _excluded(method: str, d: int, span: tuple[int, int], cut: int, p: PValue, patience: Patience) -> None:
    """``Rejected`` unless no b of the span has the p-value: those below the cut on one side, the others beyond."""
    start, end = span
    if d == 0 and start == 0:
        require(p.high < 1, f"b = c = 0 has p = 1 ({method})")
        start = 1
    require(d != 0 or method != "mid-p" or p.high < 1, "some give p = 1 for b = c (mid-p)")
    require(start <= cut <= max(end + 1, start), "a cut lies outside of what the rates allow")
    falls = d == 0 and method == "exact, one-sided"
    if start > end:
        return
    for b, asked, above in ((cut - 1, cut > start, falls), (cut, cut <= end, not falls)):
        if asked:
            low, high = _tail(method, b, b - d, patience)
            beyond = low > p.high if above else high < p.low
            require(beyond, f"b = {b}, c = {b - d} may have it ({method})")


def _tail(method: str, b: int, c: int, patience: Patience) -> tuple[Fraction, Fraction]:
    """Between which fractions the p-value of b and c lies, for b + c > 0; sums are exact."""
    patience.check()
    n, less = b + c, min(b, c)
    if method.startswith("chi2"):
        off = 0 if method == "chi2" or (b == c and method == "chi2-corrected") else 1
        x = Fraction((abs(b - c) - off) ** 2, n)
        return chi2(x, 1, patience) if x <= 100 else (Fraction(0), Fraction(2, 10**23))
    require(n <= _MOST_TOSSES, "there are too many discordant cases")
    ways, tail = 1, 0  # of k heads among n tosses, and of fewer than k
    for k in range(less):
        tail += ways
        ways = ways * (n - k) // (k + 1)
    if method == "exact, one-sided":
        return (Fraction(tail + ways, 2**n),) * 2
    if b == c:
        return (1 - Fraction(0 if method == "exact" else ways, 2 ** (n + 1)),) * 2
    return (min(Fraction(1), Fraction(2 * tail + (2 if method == "exact" else 1) * ways, 2**n)),) * 2


_MOST_PAIRS = 1000


def check_sign_patterns(statement: Document, proof: Document, rules: Rules, patience: Patience) -> Words:
    pairs = statement.integer("pairs", "the number of pairs", 1, _MOST_PAIRS)
    sides = statement.word("sides", ("any", "two", "one"))
    proof.keep_to("kind")
    p = None if statement.get("p") is None else read_p_value(statement["p"])
    printed = None if statement.get("statistic") is None else statement.printed("statistic", "the statistic")
    if proof.get("kind") == "sum":
        ranks = given(printed, "the statement has no sum of ranks")
        require(2 * ranks.low > pairs * (pairs + 1), "there may be such a sum of ranks")
        return lambda: f"Proved: the ranks of {pairs} pairs do not add up to {ranks}."
    value = given(p if proof.get("kind") == "multiple" else None, f"unknown kind of proof {quoted(proof.get('kind'))}")
    every = 1 << pairs
    last = int(value.high * every)  # the most patterns that are not too many
    last -= last % 2 if sides == "two" else 0
    require(last <= 0 or last < value.low * every, "so many sign patterns give the p-value")
    side = {"two": "two-sided ", "one": "one-sided ", "any": ""}[sides]
    return lambda: (
        f"Proved: no exact {side}test over {pairs} pairs gives {value}: it counts sign patterns among {every}."
    )


_MOST_METHODS = 1000
_MOST_DATA_SETS = 10**9


def check_mean_ranks(statement: Document, proof: Document, rules: Rules, patience: Patience) -> Words:
    methods = statement.integer("methods", "the number of methods")
    sets = statement.integer("data_sets", "the number of data sets")
    require(2 <= methods <= _MOST_METHODS and 1 <= sets <= _MOST_DATA_SETS, "a number is out of range")
    ties = statement.get("ties")
    require(ties is True or ties is False, "ties is neither true nor false")
    printed = read_all(statement.get("claims"), "a mean rank", 1, methods)
    require(len({entry.name for entry in printed}) == len(printed), "a method is named twice")
    one_each = 2 * sets if ties else sets  # a sum of ranks of 1
    ends = [rank.span.times(one_each).within(one_each, one_each * methods).whole for rank in printed]
    ends += [(one_each, one_each * methods)] * (methods - len(printed))
    everything = one_each * methods * (methods + 1) // 2
    where = f"{methods} methods over {sets} data sets"
    way = proof.kind(fraction="place", total="", best="places", worst="places")
    if way == "fraction":
        place = proof.chosen("place", range(len(printed)), "the place", "the proof names no printed mean rank")
        rank, (low, high) = printed[place], ends[place]
        require(low > high, "there is such a mean rank")
        return lambda: f"Proved: {rank} is no mean rank of {where}."
    if way == "total":
        totals = sum(low for low, _ in ends), sum(high for _, high in ends)
        require(not totals[0] <= everything <= totals[1], "the mean ranks may add up")
        return lambda: (
            f"Proved: the mean ranks of {where}, {listed(printed)}, do not add up to {methods * (methods + 1) // 2}."
        )
    places = proof.list_of("places", 1, methods, "the proof names no methods")
    own = [integer(place, "a place") for place in places]
    require(sorted(set(own)) == own and own[0] >= 0 and own[-1] < methods, "the places are not in order")
    m, shown = len(own), listed(printed[place] for place in own if place < len(printed))
    if way == "best":
        require(sum(ends[place][1] for place in own) < one_each * (m * (m + 1) // 2), "their ranks may be so small")
        return lambda: f"Proved: of {where}, {shown} are together too small."
    others = methods - m  # which have at least the smallest ranks
    most = everything - one_each * (others * (others + 1) // 2)
    require(sum(ends[place][0] for place in own) > most, "their ranks may be so large")
    return lambda: f"Proved: of {where}, {shown} are together too large."


KINDS = {
    "paired_counts": Checker(frozenset({"pairs", "p", "methods"}), check_paired_counts),
    "sign_patterns": Checker(frozenset({"pairs", "sides", "p", "statistic"}), check_sign_patterns),
    "mean_ranks": Checker(frozenset({"methods", "data_sets", "ties", "claims"}), check_mean_ranks),
}
