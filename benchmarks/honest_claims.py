"""Honest claims of every test, printed as papers print them: none may be impossible. Altered ones: how many are found.

``python -m benchmarks.honest_claims 5000 [seed]`` runs the functions of ``scoreproof.claims`` on simulated claims
(``fuzz_claims``), and on sentences made from data by scipy's tests, in the forms, digits and roundings that people use.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from typing import Any

import numpy as np
from scipy import stats

from benchmarks.fuzz_claims import cases, judge
from benchmarks.recorded import record
from scoreproof import claims

_FORMS = {
    "t": (
        "t({a}) = {x}, p {p}", "t{a} = {x}; P {p}", "t = {x}, df = {a}, p {p}", "$t({a})={x}$, $p {p}$",
        "t_{{{a}}} = {x}, p {p}",
    ),
    "F": ("F({a}, {b}) = {x}, p {p}", "F{a},{b} = {x}, P {p}", "$F_{{{a},{b}}} = {x}$, p {p}", "F({a},{b})={x},p{p}"),
    "chi2": (
        "χ²({a}) = {x}, p {p}", "χ2({a}, N = {n}) = {x}, p {p}", "$\\chi^2({a}) = {x}$, p {p}",
        "chi2 = {x}, df = {a}, p {p}",
    ),
    "Q": ("Q({a}) = {x}, p {p}",),
    "z": ("z = {x}, p {p}", "Z = {x}; P {p}", "U = 40, z = {x}, p {p}"),
    "r": ("r({a}) = {x}, p {p}", "r = {x}, n = {n}, p {p}"),
}  # fmt: skip


def _cut(rng: np.random.Generator, value: float, digits: int) -> str:
    """A number as people print it: rounded or cut off, without the leading zero, with a typographic minus."""
    unit = 10.0**-digits
    if rng.random() < 0.15:
        value = np.floor(abs(value) / unit) * unit * np.sign(value)
    text = f"{value:.{digits}f}"
    if rng.random() < 0.4 and abs(value) < 1:
        text = text.replace("0.", ".", 1)
    return text.replace("-", "−") if rng.random() < 0.3 else text


def _p(rng: np.random.Generator, p: float, digits: int) -> str:
    bounds = [bound for bound in ("0.001", "0.01", "0.05") if p < float(bound)]
    if bounds and (p < 0.0005 or rng.random() < 0.35):
        return f"< {bounds[0] if rng.random() < 0.8 else bounds[-1]}".replace("0.", rng.choice(["0.", "."]))
    return f"= {_cut(rng, p, digits)}"


def _statistic(rng: np.random.Generator) -> tuple[str, float, float, dict[str, object]]:
    """A test of fresh data: its name, statistic, p-value and degrees of freedom."""
    n, shift = int(rng.integers(4, 120)), float(rng.normal(0, 0.6))
    x, y = rng.normal(size=n), rng.normal(shift, rng.uniform(0.5, 2), size=int(rng.integers(4, 120)))
    found: Any
    kind = rng.choice(["t", "welch", "paired", "one-sided", "F", "variances", "chi2", "Q", "z", "r"])
    if kind in ("t", "one-sided"):
        side: Any = "two-sided" if kind == "t" else str(rng.choice(["less", "greater"]))
        found = stats.ttest_ind(x, y, alternative=side)
        return "t", float(found.statistic), float(found.pvalue), {"a": len(x) + len(y) - 2}
    if kind == "welch":
        found = stats.ttest_ind(x, y, equal_var=False)
        return "t", float(found.statistic), float(found.pvalue), {"a": f"{found.df:.{int(rng.integers(1, 3))}f}"}
    if kind == "paired":
        found = stats.ttest_1samp(x + shift, 0)
        return "t", float(found.statistic), float(found.pvalue), {"a": n - 1}
    if kind == "F":
        groups = [rng.normal(shift * k, 1, size=int(rng.integers(3, 40))) for k in range(int(rng.integers(2, 6)))]
        found = stats.f_oneway(*groups)
        return (
            "F",
            float(found.statistic),
            float(found.pvalue),
            {"a": len(groups) - 1, "b": sum(map(len, groups)) - len(groups)},
        )
    if kind == "variances":
        ratio = float(np.var(x, ddof=1) / np.var(y, ddof=1))
        tail = stats.f.cdf(ratio, len(x) - 1, len(y) - 1)
        return "F", ratio, float(2 * min(tail, 1 - tail)), {"a": len(x) - 1, "b": len(y) - 1}
    if kind in ("chi2", "Q"):
        table = rng.integers(3, 40, size=(int(rng.integers(2, 5)), int(rng.integers(2, 5))))
        found = stats.chi2_contingency(table, correction=bool(rng.integers(2)))
        return str(kind), float(found.statistic), float(found.pvalue), {"a": found.dof, "n": int(table.sum())}
    if kind == "z":
        z = float(rng.normal(0, 2))
        return "z", z, float(2 * stats.norm.sf(abs(z)) / (2 if rng.random() < 0.2 else 1)), {}
    found = stats.pearsonr(x, x * shift + rng.normal(size=n))
    return "r", float(found.statistic), float(found.pvalue), {"a": n - 2, "n": n}


def _contradicted(name: str, value: str, p: str, df: dict[str, object]) -> bool:
    """Whether the usual p-value of a rounded statistic, on two sides, lies outside of what is printed (statcheck)."""
    number = float(value.replace("−", "-"))
    half = 0.5 * 10.0 ** -len(value.partition(".")[2])
    freedom = [float(str(df[key])) for key in ("a", "b") if key in df]

    def tail(x: float) -> float:
        if name == "r":
            x = min(x, 1 - 1e-12)
            return float(2 * stats.t.sf(x * np.sqrt(freedom[0] / (1 - x * x)), freedom[0]))
        if name in ("t", "z"):
            return float(2 * (stats.norm.sf(x) if name == "z" else stats.t.sf(x, freedom[0])))
        return float(stats.f.sf(x, *freedom) if name == "F" else stats.chi2.sf(x, freedom[0]))

    low, high = tail(abs(number) + half), tail(max(0.0, abs(number) - half))
    relation, _, text = p.replace("−", "-").partition(" ")
    if relation == "<":
        return low > float(text)
    spare = 10.0 ** -len(text.partition(".")[2])
    return high < float(text) - spare or low > float(text) + spare


def sentences(rng: np.random.Generator) -> Iterator[tuple[str, str]]:
    """Sentences with a test: honest ones, and one in four with another p-value, statistic or degree of freedom."""
    while True:
        name, value, p, df = _statistic(rng)
        digits, p_digits = int(rng.integers(2, 4)), int(rng.integers(2, 5))
        honest = rng.random() < 0.75
        if not honest:
            way = rng.integers(3)
            if way == 0:
                p = float(np.clip(rng.choice([10 * p, p / 10, 1 - p, p + 0.3]), 0.0, 1.0))
            elif way == 1:
                value = value * rng.uniform(1.5, 3) if name != "r" else value / 2
            elif "a" in df:
                more = 1 + 3 * round(float(str(df["a"])))
                df = {**df, "a": more} | ({"n": more + 2} if name == "r" else {})
        x, printed = _cut(rng, value, digits), _p(rng, p, p_digits)
        form = str(rng.choice(_FORMS[name])).format(x=x, p=printed, **{"n": 50, **df})
        sort = "honest" if honest else "contradicted" if _contradicted(name, x, printed, df) else "altered"
        yield f"The groups differ ({form}).", sort


def main(count: int, seed: int) -> int:
    rng = np.random.default_rng(seed)
    wrong, verdicts, altered = [], Counter[str](), Counter[str]()
    for case in islice(cases(seed), count // 2):
        said = judge(case)
        verdicts[said.split()[0] if said[0].islower() else "wrong"] += 1
        wrong += [said] if said.startswith("FALSE ALARM") and ": impossible" in said else []
    told = 0
    for text, sort in sentences(rng):
        (found,) = claims.statements(text)
        if sort == "honest":
            told += 1
            wrong += [f"{text}: {found}"] if found.verdict == "impossible" else []
            verdicts[f"sentence {found.verdict}"] += 1
        else:
            one_sided = "only by a one-sided test" in found.words
            how = "found" if found.verdict == "impossible" else "one-sided" if one_sided else "open"
            altered[f"{sort} {how}"] += 1
            assert found.verdict != "impossible" or found.certificate is not None
        if told >= count - count // 2:
            break
    for said in wrong[:20]:
        print(said)
    print(f"{count:,} honest claims, {len(wrong)} impossible: {dict(verdicts)}")
    record("honest claims", count, f"{len(wrong)} impossible")
    for sort, words in (
        ("contradicted", "altered, contradicted by a two-sided test"),
        ("altered", "altered otherwise"),
    ):
        ways = {how: altered[f"{sort} {how}"] for how in ("found", "one-sided", "open")}
        print(f"{words}: {ways['found']} impossible, {ways['one-sided']} only one-sided, as told, {ways['open']} open")
    return len(wrong)


if __name__ == "__main__":
    sys.exit(main(int((sys.argv[1:] or ["5000"])[0]), int((sys.argv[2:] or ["0"])[0])) > 0)
