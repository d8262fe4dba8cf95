"""``scoreproof claim``: tests that tails of t, F, χ² and the normal decide."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any

import typer

from scoreproof.cli.claim import claim_app, sizes_of, tell
from scoreproof.cli.option_groups import PText, Shown, TwoValues, grouped
from scoreproof.cli.options import option
from scoreproof.errors import InvalidOption

if TYPE_CHECKING:
    from scoreproof.claims import Recheck


@claim_app.command("p-value")
@grouped
def p_value_command(
    test: Annotated[str, typer.Argument(help="t, z, F, chi2 or r.")],
    statistic: Annotated[str, typer.Argument(help="The statistic as printed.")],
    p: PText,
    *,
    df: Annotated[str | None, option("Degrees of freedom; two with a comma for F.")] = None,
    sides: Annotated[str, option("two, one, or any.")] = "any",
    shown: Shown,
) -> None:
    """A p-value against its statistic.

    Example: scoreproof claim p-value t 2.77 0.024 --df 8
    """
    from scoreproof import claims

    freedom: Any = None if df is None else [part.strip() for part in df.split(",")]
    freedom = freedom[0] if freedom is not None and len(freedom) == 1 else freedom
    tell(claims.p_value(test, statistic, freedom, p, sides=sides, rounding=shown.rounding), shown.as_json, None)


@claim_app.command("paired")
@grouped
def paired_command(
    values: TwoValues,
    *,
    folds: Annotated[int, option("Folds both were tried on.")],
    test_share: Annotated[
        float | None, option("Test over training cases: the corrected test of Nadeau and Bengio.", "--test-share")
    ] = None,
    spread: Annotated[str, option("What the ± is: sd or se.")] = "sd",
    shown: Shown,
) -> None:
    """The paired t test of two mean ± sd over the same folds.

    Example: scoreproof claim paired "0.912 ± 0.012" "0.905 ± 0.011" "p<0.05" --folds 5
    """
    from scoreproof import claims

    found = claims.paired(
        values.first, values.second, folds, values.pvalue, test_share=test_share, spread=spread, rounding=shown.rounding
    )
    tell(found, shown.as_json, None)


def _told(recheck: Callable[..., Recheck], values: TwoValues, n: str, test: str | None, shown: Shown) -> None:
    """A test of two independent values, each of so many cases."""
    found = recheck(values.first, values.second, sizes_of(n, "n"), values.pvalue, test=test, rounding=shown.rounding)
    tell(found, shown.as_json, None)


@claim_app.command("means")
@grouped
def means_command(
    values: TwoValues,
    *,
    n: Annotated[str, option("Values behind each mean; two numbers with a comma if they differ.", "--n")],
    test: Annotated[str | None, option("t, welch or F; without it any of them.")] = None,
    shown: Shown,
) -> None:
    """A test of two independent samples from mean ± sd.

    Example: scoreproof claim means "0.84 ± 0.03" "0.81 ± 0.05" "p=0.02" --n 20 --test welch
    """
    from scoreproof import claims

    _told(claims.means, values, n, test, shown)


@claim_app.command("proportions")
@grouped
def proportions_command(
    values: TwoValues,
    *,
    n: Annotated[str, option("Cases of each; two numbers with a comma if they differ.", "--n")],
    test: Annotated[str | None, option("pooled z, unpooled z, chi2-corrected or fisher.")] = None,
    shown: Shown,
) -> None:
    """A test of two proportions of different cases.

    Example: scoreproof claim proportions 0.930 0.905 "p=0.04" --n 1000
    """
    from scoreproof import claims

    _told(claims.proportions, values, n, test, shown)


@claim_app.command("auc-difference")
@grouped
def auc_difference_command(
    values: TwoValues,
    *,
    p: Annotated[int | None, option("Positives.", "--p")] = None,
    n: Annotated[int | None, option("Negatives.", "--n")] = None,
    interval: Annotated[list[str] | None, option("The limits of each AUC, as 0.53-0.73 (twice).")] = None,
    level: Annotated[str | None, option("The level of the intervals; 0.95.")] = None,
    shown: Shown,
) -> None:
    """DeLong's test of two AUCs on the same cases.

    Example: scoreproof claim auc-difference 0.95 0.70 "p<0.05" --p 200 --n 200
    """
    from scoreproof import claims

    if interval and len(interval) != 2:
        raise InvalidOption(f"interval: expected the limits of both AUCs, got {len(interval)}")
    limits = (interval[0], interval[1]) if interval else None
    found = claims.auc_difference(
        values.first, values.second, p, n, values.pvalue, intervals=limits, level=level, rounding=shown.rounding
    )
    tell(found, shown.as_json, None)


@claim_app.command("family")
@grouped
def family_command(
    p_values: Annotated[list[str], typer.Argument(help="All p-values of the family, as printed.")],
    *,
    method: Annotated[str, option("holm, bonferroni, bh, hochberg, hommel, by or none.")] = "holm",
    alpha: Annotated[float, option("The level.")] = 0.05,
    significant: Annotated[
        list[str] | None, option("A p-value that is said to stay significant, by place from 1 (repeatable).")
    ] = None,
    shown: Shown,
) -> None:
    """Which p-values stay significant when they are adjusted for their number.

    Example: scoreproof claim family 0.03 "<0.001" 0.012 --method bonferroni
    """
    from scoreproof import claims

    found = claims.family(
        p_values, method=method, alpha=alpha, significant=significant or None, rounding=shown.rounding
    )
    tell(found, shown.as_json, None)
