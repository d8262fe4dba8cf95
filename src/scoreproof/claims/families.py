"""Many p-values at once: which stay below alpha when they are adjusted, whatever their digits hide.

Adjusted p-values rise with every single p-value, so that the ends of the printed ones give the ends of the adjusted.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated

from scoreproof.claims.recheck import Recheck, Reproduction, Standing, among, shown, slack
from scoreproof.claims.texts import Alpha, RoundingWord
from scoreproof.errors import InvalidOption, InvalidValue
from scoreproof.reported.printed_text import read_p
from scoreproof.results import listed
from scoreproof.statistics.tails import CORRECTIONS, adjust
from scoreproof.validation import Doc, chosen, fraction
from scoreproof.validation import shown as repr_of


def family(
    p_values: Annotated[Sequence[str] | Mapping[str, str], Doc("All p-values of the family, as printed.")],
    *,
    method: Annotated[str, Doc("holm, bonferroni, bh, hochberg, hommel, by or none.")] = "holm",
    alpha: Alpha = 0.05,
    significant: Annotated[
        Sequence[str] | None, Doc("Those that are said to stay significant, by name or by place from 1.")
    ] = None,
    rounding: RoundingWord = "any",
) -> Recheck:
    """Re-check which p-values stay below alpha when they are adjusted for their number.

    ``significant`` names (or numbers from 1) the ones that are said to; without it each is told.

    >>> found = family(["0.03", "<0.001", "0.012"], method="bonferroni", significant=["2", "3"])
    >>> found.verdict, found.words
    (<Standing.CERTAIN: 'certain'>, 'adjusted, 2 and 3 stay below 0.05 in any case')
    >>> print(family(["0.037", "0.2115", "0.1444"]))
    possible: 3 p-values adjusted by holm: adjusted, 1, 2 and 3 lie above 0.05
    """
    chosen("method", method, CORRECTIONS)
    alpha = fraction("alpha", alpha)
    if isinstance(p_values, str) or not isinstance(p_values, Mapping | Sequence) or not p_values:
        raise InvalidValue(f"p_values: expected a list of p-values such as ['0.03', '<0.001'], got {repr_of(p_values)}")
    texts = dict(p_values) if isinstance(p_values, Mapping) else {str(k): p for k, p in enumerate(p_values, 1)}
    read = {name: read_p(text, rounding=rounding, what=name) for name, text in texts.items()}
    wanted = list(read) if significant is None else [str(name) for name in significant]
    unknown = [name for name in wanted if name not in read]
    if unknown or not wanted:
        raise InvalidOption(
            f"significant: expected some of {', '.join(list(read)[:8])}; got {', '.join(unknown) or 'none'}"
        )
    low = dict(zip(read, adjust([float(p.low) for p in read.values()], method), strict=True))
    high = dict(zip(read, adjust([float(p.high) for p in read.values()], method), strict=True))
    standings = {name: _standing(low[name], high[name], alpha, read[name].relation) for name in read}
    claimed = [standings[name] for name in wanted]
    verdict = Standing.IMPOSSIBLE if Standing.IMPOSSIBLE in claimed else among(claimed)
    said = f"{listed(wanted)} of {len(read)} p-values are significant at {alpha:g} by {method}"
    if significant is None:
        verdict, said = Standing.POSSIBLE, f"{len(read)} p-values adjusted by {method}"
    methods = tuple(
        Reproduction(name, {}, f"{texts[name]}: adjusted {_span(low[name], high[name])}")
        for name, one in standings.items()
    )
    return Recheck(
        said,
        verdict,
        _words(wanted, standings, alpha),
        "adjusted p",
        (min(float(low[name]) for name in wanted), max(float(high[name]) for name in wanted)),
        methods,
        assumes=(f"the family is these {len(read)} p-values", "they are not adjusted yet"),
    )


def _standing(low: float, high: float, alpha: float, relation: str) -> Standing:
    if low > alpha + slack(alpha):
        return Standing.IMPOSSIBLE
    sure = high < alpha - slack(alpha) or (relation == "<" and high <= alpha)
    return Standing.CERTAIN if sure else Standing.POSSIBLE


def _words(wanted: Sequence[str], standings: Mapping[str, Standing], alpha: float) -> str:
    """Which lie above alpha when they are adjusted, which below, and which may."""
    parts = []
    for standing, verb, end in (
        (Standing.IMPOSSIBLE, "lie", f"above {alpha:g}"),
        (Standing.CERTAIN, "stay", f"below {alpha:g} in any case"),
        (Standing.POSSIBLE, "stay", f"below {alpha:g} perhaps"),
    ):
        names = [name for name in wanted if standings[name] is standing]
        if names:
            parts.append(f"{listed(names)} {verb}{'s' * (len(names) == 1)} {end}")
    return f"adjusted, {'; '.join(parts)}"


def _span(low: float, high: float) -> str:
    return shown(low) if low == high else f"{shown(low)} to {shown(high)}"
