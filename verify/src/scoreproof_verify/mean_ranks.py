"""Certificates that mean ranks of K methods over J data sets cannot be as printed.

In units of a rank, halves where ranks may be shared, the sum over the data sets is a whole number from J to J K. On
each data set the ranks add up to 1 + ... + K, any m of them to at least 1 + ... + m; so do their sums, J times. Names
of methods are named by their place, and those that are not printed follow the printed ones.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scoreproof_verify.experiment import integer
from scoreproof_verify.formulas import Rule
from scoreproof_verify.frame import Words
from scoreproof_verify.patience import Patience
from scoreproof_verify.printed import Printed, read_all
from scoreproof_verify.texts import every_key, known_keys, quoted, require

KEYS = frozenset({"methods", "data_sets", "ties", "claims"})
_MOST_METHODS = 1000
_MOST_DATA_SETS = 10**9


def check(
    statement: Mapping[str, Any], proof: Mapping[str, Any], rules: Mapping[str, Rule], patience: Patience
) -> Words:
    """What a statement about mean ranks and its proof establish; ``Rejected`` if they do not."""
    every_key("the statement", statement, KEYS)
    methods = integer(statement.get("methods"), "the number of methods")
    sets = integer(statement.get("data_sets"), "the number of data sets")
    require(2 <= methods <= _MOST_METHODS and 1 <= sets <= _MOST_DATA_SETS, "a number is out of range")
    ties = statement.get("ties")
    require(ties is True or ties is False, "ties is neither true nor false")
    printed = read_all(statement.get("claims"), "a mean rank", 1, methods)
    require(len({one.name for one in printed}) == len(printed), "a method is named twice")
    pieces = 2 if ties else 1
    one_each = pieces * sets  # a sum of ranks of 1
    ends = []
    for rank in printed:
        low, high = -int((-rank.low * one_each).__floor__()), int((rank.high * one_each).__floor__())
        ends.append((max(low, one_each), min(high, one_each * methods)))
    ends += [(one_each, one_each * methods)] * (methods - len(printed))
    everything = one_each * methods * (methods + 1) // 2
    way = proof.get("kind")
    where = f"{methods} methods over {sets} data sets"
    if way == "fraction":
        known_keys("the proof", proof, "kind", "place")
        place = integer(proof.get("place"), "the place")
        require(0 <= place < len(printed), "the proof names no printed mean rank")
        require(ends[place][0] > ends[place][1], "there is such a mean rank")
        return lambda: f"Proved: {printed[place]} is no mean rank of {where}."
    if way == "total":
        known_keys("the proof", proof, "kind")
        totals = sum(low for low, _ in ends), sum(high for _, high in ends)
        require(not totals[0] <= everything <= totals[1], "the mean ranks may add up")
        return lambda: (
            f"Proved: the mean ranks of {where}, {_listed(printed)}, do not add up to {methods * (methods + 1) // 2}."
        )
    require(way in ("best", "worst"), f"unknown kind of proof {quoted(way)}")
    known_keys("the proof", proof, "kind", "places")
    places = proof.get("places")
    require(isinstance(places, list) and 0 < len(places) <= methods, "the proof names no methods")
    chosen = [integer(place, "a place") for place in places or ()]
    require(sorted(set(chosen)) == chosen and chosen[0] >= 0 and chosen[-1] < methods, "the places are not in order")
    m = len(chosen)
    own = [printed[place] for place in chosen if place < len(printed)]
    if way == "best":
        require(sum(ends[place][1] for place in chosen) < one_each * (m * (m + 1) // 2), "their ranks may be so small")
        return lambda: f"Proved: of {where}, {_listed(own)} are together too small."
    others = methods - m  # which have at least the smallest ranks
    most = everything - one_each * (others * (others + 1) // 2)
    require(sum(ends[place][0] for place in chosen) > most, "their ranks may be so large")
    return lambda: f"Proved: of {where}, {_listed(own)} are together too large."


def _listed(ranks: list[Printed]) -> str:
    return ", ".join(map(str, ranks))
