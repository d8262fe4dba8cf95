"""Claims that are true, and some that are not: none of the former is called impossible, none of the latter certain.

Every case is simulated: data, the test as scipy or a plain formula has it, and what a paper would print of both.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from scipy import stats

from scoreproof import claims
from scoreproof.statistics.tails import BY_ERRORS, BY_TAIL

_Z = 1.959963984540054


@dataclass(frozen=True, slots=True)
class ClaimCase:
    """A call of ``scoreproof.claims``, and whether what it claims is true."""

    function: str
    arguments: tuple[Any, ...]
    options: dict[str, Any] = field(default_factory=dict)
    true: bool = True


def judge(case: ClaimCase) -> str:
    """The verdict, or what is wrong with it in capitals."""
    found = getattr(claims, case.function)(*case.arguments, **case.options)
    if case.true and found.verdict in ("impossible", "unexplained"):
        return f"FALSE ALARM {case}: {found}"
    if not case.true and found.verdict == "certain":
        return f"WRONGLY CERTAIN {case}: {found}"
    return f"{case.function} {found.verdict}"


def cases(seed: int) -> Iterator[ClaimCase]:
    """One case of each sort after the other."""
    rng = np.random.default_rng(seed)
    while True:
        for make in _SORTS:
            made = make(rng)
            if made is not None:
                yield made


def _text(value: float, digits: int) -> str:
    return f"{value:.{digits}f}"


def _p_text(rng: np.random.Generator, p: float) -> tuple[str, bool]:
    """A printed p-value that is true, or a bound that may not be."""
    if rng.random() < 0.5:
        return _text(p, int(rng.integers(2, 5))), True
    bound = str(rng.choice(["0.05", "0.01", "0.001"]))
    relation = str(rng.choice(["<", ">"]))
    return f"p {relation} {bound}", p < float(bound) if relation == "<" else p > float(bound)


def _interval(rng: np.random.Generator) -> ClaimCase:
    n = int(np.exp(rng.uniform(np.log(15), np.log(5000))))
    x = int(rng.binomial(n, rng.uniform(0.5, 1)))
    method = str(rng.choice([name for name in claims.INTERVAL_METHODS if x < n or name != "logit"]))
    low, high = BY_TAIL[method](x, n, 0.025) if method in BY_TAIL else BY_ERRORS[method](x, n, _Z)
    d = int(rng.integers(2, 5))
    ends = [_text(float(np.clip(end, 0, 1)), d) for end in (low, high)]
    named = {"method": method} if rng.random() < 0.5 else {}
    return ClaimCase("interval", (f"{_text(x / n, d)} ({ends[0]}-{ends[1]})", n), named)


def _delong(one: Any, other: Any) -> tuple[Any, Any]:
    """AUC and placements by definition."""
    wins = (one[:, None] > other[None, :]) + 0.5 * (one[:, None] == other[None, :])
    return wins.mean(1), wins.mean(0)


def _auc_interval(rng: np.random.Generator) -> ClaimCase | None:
    p, n = (int(size) for size in rng.integers(10, 120, 2))
    one, other = rng.normal(rng.uniform(0.3, 2.5), 1, p), rng.normal(0, 1, n)
    ties = rng.random() < 0.3
    if ties:
        one, other = np.round(one * 2), np.round(other * 2)
    rows, columns = _delong(one, other)
    a, error = rows.mean(), math.sqrt(rows.var(ddof=1) / p + columns.var(ddof=1) / n)
    if not 0.5 < a < 1 or error == 0:
        return None
    d = int(rng.integers(2, 4))
    text = f"{_text(a, d)} ({_text(a - _Z * error, d)}-{_text(min(1.0, a + _Z * error), d)})"
    return ClaimCase("auc_interval", (text, p, n), {"method": "delong", "ties": "possible" if ties else "none"})


def _auc_difference(rng: np.random.Generator) -> ClaimCase | None:
    p, n = (int(size) for size in rng.integers(15, 120, 2))
    r = rng.uniform(-0.3, 0.98)
    base = rng.normal(0, 1, p), rng.normal(0, 1, n)
    first = base[0] + rng.uniform(0.2, 2.5), base[1]
    mixed = [r * own + math.sqrt(1 - r * r) * rng.normal(0, 1, len(own)) for own in base]
    second = mixed[0] + rng.uniform(0.2, 2.5), mixed[1]
    placed = [_delong(*first), _delong(*second)]
    by_row, by_column = np.cov(placed[0][0], placed[1][0]) / p, np.cov(placed[0][1], placed[1][1]) / n
    both = by_row + by_column
    variance = both[0, 0] + both[1, 1] - 2 * both[0, 1]
    if variance <= 0:
        return None
    areas = [place[0].mean() for place in placed]
    value = 2 * stats.norm.sf(abs(areas[0] - areas[1]) / math.sqrt(variance))
    text, true = _p_text(rng, float(value))
    given = _text(areas[0], 3), _text(areas[1], 3)
    if rng.random() < 0.5:
        return ClaimCase("auc_difference", (*given, p, n, text), true=true)
    errors = math.sqrt(both[0, 0]), math.sqrt(both[1, 1])
    limits = [f"{_text(a - _Z * e, 3)}-{_text(min(1.0, a + _Z * e), 3)}" for a, e in zip(areas, errors, strict=True)]
    return ClaimCase("auc_difference", given, {"pvalue": text, "intervals": tuple(limits)}, true)


def _spread(rng: np.random.Generator) -> ClaimCase:
    k, d = int(rng.choice([3, 5, 10])), int(rng.integers(2, 5))
    options: dict[str, Any] = {}
    if rng.random() < 0.5:
        n = int(rng.integers(5, 200))
        values = rng.binomial(n, np.clip(rng.normal(0.85, 0.05, k), 0, 1)) / n
        options["sizes"] = n
    else:
        values = rng.beta(rng.uniform(0.05, 3), rng.uniform(0.05, 3), k)
    kind = str(rng.choice(["sd", "se"]))
    error = values.std(ddof=int(rng.integers(0, 2))) if kind == "sd" else values.std(ddof=1) / math.sqrt(k)
    return ClaimCase("spread", (f"{_text(values.mean(), d)} ± {_text(error, d)}", k), {**options, "kind": kind})


def _mean_of(rng: np.random.Generator) -> ClaimCase:
    values = rng.uniform(0.6, 1, int(rng.integers(2, 12)))
    d, ddof = int(rng.integers(2, 5)), int(rng.integers(0, 2))
    texts = [_text(value, d) for value in values]
    return ClaimCase("mean_of", (texts, _text(values.mean(), d)), {"sd": _text(values.std(ddof=ddof), d)})


def _p_value(rng: np.random.Generator) -> ClaimCase:
    test, df = str(rng.choice(["t", "z", "F", "chi2", "r"])), int(rng.integers(3, 60))
    freedom: Any
    other = int(rng.integers(1, 200))
    if test == "t":
        s = rng.standard_t(df) * 1.5
        p, freedom = 2 * stats.t.sf(abs(s), df), df
    elif test == "z":
        s, freedom = rng.normal() * 1.7, None
        p = 2 * stats.norm.sf(abs(s))
    elif test == "F":
        s = float(rng.f(df, other)) * 1.5
        p, freedom = stats.f.sf(s, df, other), (df, other)
    elif test == "chi2":
        s = rng.chisquare(df) * 1.3
        p, freedom = stats.chi2.sf(s, df), df
    else:
        s = rng.uniform(-0.95, 0.95)
        p, freedom = 2 * stats.t.sf(abs(s) * math.sqrt(df / (1 - s * s)), df), df
    text, true = _p_text(rng, float(p))
    sides = {} if rng.random() < 0.5 and true else {"sides": "two"}
    return ClaimCase("p_value", (test, _text(s, int(rng.integers(1, 4))), freedom, text), sides, true)


def _paired(rng: np.random.Generator) -> ClaimCase:
    k, r, base = int(rng.choice([3, 5, 10, 30])), rng.uniform(-0.5, 0.99), None
    s1, s2 = np.exp(rng.normal(-3.5, 0.6, 2))
    base = rng.normal(0, 1, k)
    x = 0.85 + s1 * base
    y = 0.85 - abs(rng.normal(0, 0.02)) + s2 * (r * base + math.sqrt(1 - r * r) * rng.normal(0, 1, k))
    share = 1 / (k - 1) if rng.random() < 0.5 else None
    apart = x - y
    t = apart.mean() / math.sqrt((1 / k + (share or 0)) * apart.var(ddof=1))
    text, true = _p_text(rng, float(2 * stats.t.sf(abs(t), k - 1)))
    d, ddof = int(rng.integers(2, 5)), int(rng.integers(0, 2))
    printed = [f"{_text(v.mean(), d)} ± {_text(v.std(ddof=ddof), d)}" for v in (x, y)]
    return ClaimCase("paired", (*printed, k, text), {"test_share": share}, true)


def _means(rng: np.random.Generator) -> ClaimCase:
    n1, n2 = (int(n) for n in rng.integers(3, 40, 2))
    x, y = rng.normal(0.85, 0.03, n1), rng.normal(0.84, 0.05 * rng.random() + 0.002, n2)
    test = str(rng.choice(["t", "welch", "F"]))
    if test == "F":
        ratio = x.var(ddof=1) / y.var(ddof=1)
        p = 2 * min(stats.f.sf(ratio, n1 - 1, n2 - 1), stats.f.cdf(ratio, n1 - 1, n2 - 1))
    else:
        p = stats.ttest_ind(x, y, equal_var=test == "t").pvalue
    text, true = _p_text(rng, float(p))
    d, ddof = int(rng.integers(2, 5)), int(rng.integers(0, 2))
    printed = [f"{_text(v.mean(), d)} ± {_text(v.std(ddof=ddof), d)}" for v in (x, y)]
    return ClaimCase("means", (*printed, (n1, n2), text), {"test": test}, true)


def _signed_rank(rng: np.random.Generator) -> ClaimCase | None:
    k = int(rng.integers(3, 13))
    values = rng.integers(-3, 6, k).astype(float) if rng.random() < 0.5 else rng.normal(0.5, 1, k)
    kept = values[values != 0]
    if not len(kept):
        return None
    if rng.random() < 0.5:
        patterns = np.array(np.meshgrid(*[[-1, 1]] * len(kept))).reshape(len(kept), -1).T
        ranks = stats.rankdata(abs(kept))
        seen = abs((ranks * np.sign(kept)).sum())
        p, method = float((abs(patterns @ ranks) >= seen - 1e-9).mean()), "exact"
    else:
        corrected = bool(rng.random() < 0.5)
        zeros: Any = str(rng.choice(["wilcox", "pratt"]))
        found: Any = stats.wilcoxon(values, zero_method=zeros, correction=corrected, method="approx")
        p, method = float(found.pvalue), "asymptotic-corrected" if corrected else "asymptotic"
        if not math.isfinite(p):
            return None
    text, true = _p_text(rng, p)
    return ClaimCase("signed_rank", (k, text), {"method": str(rng.choice([method, "any"])), "sides": "two"}, true)


def _mcnemar(rng: np.random.Generator) -> ClaimCase:
    n, q, r = int(rng.integers(10, 600)), rng.uniform(0.6, 0.98), rng.uniform(0, 0.8)
    first = rng.random(n) < q
    other = rng.random(n) < np.clip(q + rng.normal(0, 0.06), 0, 1)
    second = np.where(rng.random(n) < r, first, other)
    b, c = int((first & ~second).sum()), int((second & ~first).sum())
    method = str(rng.choice(["exact", "chi2", "chi2-corrected"]))
    if method == "exact":
        p = stats.binomtest(b, b + c).pvalue if b + c else 1.0
    else:
        off = method == "chi2-corrected" and b != c
        p = stats.chi2.sf((abs(b - c) - off) ** 2 / (b + c), 1) if b + c else 1.0
    text, true = _p_text(rng, float(p))
    d = int(rng.integers(2, 4))
    options = {"method": str(rng.choice([method, "any"])) if true else method}
    return ClaimCase("mcnemar", (_text(first.mean(), d), _text(second.mean(), d), n, text), options, true)


def _proportions(rng: np.random.Generator) -> ClaimCase:
    n1, n2 = (int(n) for n in rng.integers(30, 1500, 2))
    x, y = int(rng.binomial(n1, 0.9)), int(rng.binomial(n2, rng.uniform(0.8, 0.95)))
    both = (x + y) / (n1 + n2)
    error = math.sqrt(both * (1 - both) * (1 / n1 + 1 / n2))
    p = 2 * stats.norm.sf(abs(x / n1 - y / n2) / error) if error else 1.0
    text, true = _p_text(rng, float(p))
    d = int(rng.integers(2, 4))
    return ClaimCase("proportions", (_text(x / n1, d), _text(y / n2, d), (n1, n2), text), {"test": "pooled z"}, true)


def _ranks(rng: np.random.Generator) -> ClaimCase:
    sets, methods, d = int(rng.integers(3, 60)), int(rng.integers(2, 9)), int(rng.integers(1, 4))
    scores = rng.normal(0.8, 0.05, (sets, methods)) + rng.normal(0, 0.03, methods)
    if rng.random() < 0.5:
        scores = np.round(scores, 2)
    ranks = np.array([stats.rankdata(-row) for row in scores])
    means = ranks.mean(0)
    chi2 = 12 * sets / (methods * (methods + 1)) * ((means**2).sum() - methods * (methods + 1) ** 2 / 4)
    chi2 = max(0.0, chi2)
    return ClaimCase("ranks", ([_text(mean, d) for mean in means], sets), {"chi2": _text(chi2, 2)})


def _family(rng: np.random.Generator) -> ClaimCase:
    p = 10 ** rng.uniform(-5, 0, int(rng.integers(2, 12)))
    method = str(rng.choice(["holm", "bonferroni", "bh"]))
    order = np.argsort(p)
    m, adjusted = len(p), np.empty(len(p))
    if method == "bonferroni":
        adjusted = np.minimum(1, p * m)
    elif method == "holm":
        adjusted[order] = np.minimum(1, np.maximum.accumulate((m - np.arange(m)) * p[order]))
    else:
        scaled = p[order] * m / np.arange(1, m + 1)
        adjusted[order] = np.minimum(1, np.minimum.accumulate(scaled[::-1])[::-1])
    texts = ["<0.001" if v < 0.001 and rng.random() < 0.5 else _text(v, int(rng.integers(2, 5))) for v in p]
    chosen = int(rng.integers(1, m + 1))
    options = {"method": method, "significant": [str(chosen)]}
    return ClaimCase("family", (texts,), options, bool(adjusted[chosen - 1] < 0.05))


_SORTS: tuple[Callable[[np.random.Generator], ClaimCase | None], ...] = (
    _interval,
    _auc_interval,
    _auc_difference,
    _spread,
    _mean_of,
    _p_value,
    _paired,
    _means,
    _signed_rank,
    _mcnemar,
    _proportions,
    _ranks,
    _family,
)
