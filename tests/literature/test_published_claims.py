"""Published claims, transcribed from the papers' tables, and what was assumed of each."""

from __future__ import annotations

import csv
from collections import Counter
from pathlib import Path

import pytest

import scoreproof as sp
from scoreproof import claims


@pytest.mark.parametrize(
    ("text", "n", "verdict", "why"),
    [
        # PMC10485921, supplementary table 2: the limits of the accuracy row stand beside the sensitivity.
        ("0.955 (0.926–0.949)", None, "impossible", "outside"),
        # PMC10485921: digits swapped; prop.test(19, 29) gives 0.457 to 0.814.
        ("0.655 (0.457–0.841)", None, "unexplained", "none of the 10 usual methods"),
        ("0.655 (0.457–0.814)", 29, "possible", "Wilson, continuity corrected"),
        # PMC10698045, table 3.
        ("0.968 (0.983–0.988)", None, "impossible", "outside"),
        # PMC8767113 (prop.test) and PMC10349720 (Clopper-Pearson with truncated limits): reproduced.
        ("0.794 (0.675–0.879)", 68, "possible", "Wilson, continuity corrected"),
        ("0.897 (0.748–0.967)", 39, "possible", "Wilson, continuity corrected"),
        ("0.696 (0.582-0.794)", 79, "possible", "Clopper-Pearson"),
        ("0.636 (0.451-0.795)", 33, "possible", "Clopper-Pearson"),
        # s41379-020-00674-w: 1770 of 1887, wider than binomial; perhaps patients are clusters.
        ("0.938 (0.920-0.956)", 1887, "unexplained", "none of the 10 usual methods"),
    ],
)
def test_intervals_of_proportions(text: str, n: int | None, verdict: str, why: str) -> None:
    found = claims.interval(text, n)
    assert found.verdict == verdict, str(found)
    assert why in found.words
    assert (found.certificate is not None) is (verdict == "impossible")


def test_sixty_published_intervals() -> None:
    """Sixty cells of nine tables, transcribed by hand; n is stated where the paper gives it, and open otherwise.

    Two values lie outside their own interval, and two intervals no usual method gives, rounded by whatever rule; six
    are left to a bootstrap. Rounded to the nearest, eight fewer are reproduced: limits that were truncated.
    """
    file = Path(__file__).parents[1] / "data" / "claims" / "intervals.csv"
    with file.open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))
    tally: Counter[str] = Counter()
    for row in rows:
        found = claims.interval(row["interval"], int(row["n"]) if row["n"] else None)
        by_bootstrap = all("bootstrap" in method.method for method in found.methods)
        kind = ("bootstrap" if by_bootstrap else "reproduced") if found.verdict == "possible" else str(found.verdict)
        assert kind == row["found"], (row, str(found))
        tally[kind] += 1
    assert tally == {"reproduced": 50, "bootstrap": 6, "impossible": 2, "unexplained": 2}


def test_intervals_of_aucs() -> None:
    """PMC12372389, PMC12853086 and PMC7904034: no symmetric interval; MedCalc's are binomial: nine of nine.

    Two of the three are no bootstrap's either; two decimals of the third leave room for one.

    Those are of PMC10585575 (45 and 108 cases) and PMC7641539 (90); PMC9937807 and PMC8767113 fit DeLong's.
    """
    skewed = {"0.860 (0.7433–0.8769)": [], "0.716 (0.635–0.736)": [], "0.93 (0.86–0.94)": ["a bootstrap"]}
    for text, methods in skewed.items():
        for method in ("delong", "hanley-mcneil"):
            assert claims.auc_interval(text, method=method).verdict == "impossible"
        assert all(claims.auc_interval(text, method=one).verdict == "unexplained" for one in ("logit", "binomial"))
        found = claims.auc_interval(text)
        assert [one.method for one in found.methods] == methods, str(found)
        assert found.verdict == ("possible" if methods else "unexplained")
    binomial = {
        45: ("0.879 (0.748-0.957)", "0.781 (0.633-0.891)", "0.718 (0.564-0.842)"),
        108: ("0.830 (0.746-0.896)", "0.766 (0.675-0.842)", "0.744 (0.651-0.823)"),
        90: ("0.956 (0.890-0.988)", "0.867 (0.779-0.929)", "0.889 (0.805-0.945)"),
    }
    for cases, texts in binomial.items():
        for text in texts:
            found = claims.auc_interval(text, p=cases // 2, n=cases - cases // 2, method="binomial")
            assert found.verdict == "possible", str(found)
            assert claims.auc_interval(text, method="binomial").verdict == "possible"  # of some number of cases
    delong = {
        (44, 64): ("0.852 (0.782-0.923)", "0.975 (0.954-0.997)", "0.988 (0.974-1.000)"),
        (20, 28): ("0.814 (0.690-0.938)", "0.954 (0.902-1.000)", "0.968 (0.928-1.000)"),
        (29, 39): ("0.803 (0.688-0.917)", "0.878 (0.788-0.968)", "0.948 (0.898-0.998)"),
        (46, 65): ("0.814 (0.733-0.895)", "0.828 (0.751-0.906)", "0.969 (0.937-1)"),
    }
    for (p, n), texts in delong.items():
        for text in texts:
            found = claims.auc_interval(text, p=p, n=n, ties="none")
            assert "DeLong" in {method.method for method in found.methods}, str(found)


# PMC8742147, table 1, all of it: the five printed folds and the printed "Average"; whether it is their plain mean.
FOLDS = [
    ("recall, proposed", "94.73 90.47 92.00 96.96 92.59", "93.33", True),
    ("recall, Ozturk", "100.00 96.42 90.47 93.75 93.18", "95.13", False),
    ("recall, Nasiri", "95.20 95.40 96.70 81.40 91.40", "92.08", False),
    ("specificity, Ozturk", "100.00 96.42 90.47 93.75 93.18", "95.30", False),
    ("specificity, Nasiri", "100.00 100.00 100.00 89.90 100.00", "99.78", False),
    ("precision, proposed", "99.53 99.05 99.01 99.46 99.00", "99.21", True),
    ("precision, Ozturk", "100.00 94.52 98.14 98.57 98.58", "98.03", False),
    ("precision, Nasiri", "99.50 99.50 99.40 95.30 99.02", "98.54", True),
    ("F1, proposed", "98.41 97.02 97.42 98.96 97.57", "97.87", True),
    ("F1, Ozturk", "100.00 95.52 93.79 95.93 95.62", "96.51", False),
    ("F1, Nasiri", "98.50 98.50 98.20 92.50 97.30", "97.00", True),
    ("accuracy, proposed", "99.20 98.40 98.40 99.20 98.40", "98.72", True),
    ("accuracy, Ozturk", "100.00 97.60 96.80 97.60 97.60", "98.08", False),
    ("accuracy, Nasiri", "99.20 99.20 99.20 95.20 98.40", "98.24", True),
]


def test_averages_that_are_not_the_mean_of_the_folds() -> None:
    """Seven of fourteen are not (assumed: every fold counts the same); two rows are identical fold by fold."""
    for name, values, mean, fits in FOLDS:
        found = claims.mean_of(values.split(), mean)
        assert (found.verdict == "possible") is fits, name
        assert fits or sp.verify(found.certificate or {})
    assert sum(not fits for *_, fits in FOLDS) == 7
    assert len({values for _, values, _, _ in FOLDS}) == len(FOLDS) - 1


@pytest.mark.parametrize(
    ("first", "second", "n", "p", "pinned"),
    [
        (3012, 3001, 3133, "0.091", (23, 12)),
        (239, 238, 245, "1.000", None),
        (2773, 2763, 2888, "0.123", None),
        (3079, 3065, 3133, "0.001", None),
        (2859, 2850, 2888, "0.015", None),
        (245, 233, 245, "0.002", (12, 0)),
        (2726, 2723, 2888, "0.877", None),
        (235, 220, 245, "0.001", None),
        (50, 48, 50, "0.480", (2, 0)),
        (50, 49, 50, "1.000", None),
        (49, 47, 50, "0.480", None),
        (24, 22, 25, "0.480", None),
    ],
)
def test_corrected_chi_square_of_pmc10546446(
    first: int, second: int, n: int, p: str, pinned: tuple[int, int] | None
) -> None:
    """Table 2, all of it: twelve of McNemar's p by χ² with correction; p = .091 pins b and c. Exact are five of them."""
    found = claims.mcnemar(f"{first}/{n}", f"{second}/{n}", p=p, method="chi2-corrected")
    assert found.verdict in ("possible", "certain"), str(found)
    if pinned is not None:
        assert pinned in {(one.with_counts["b"], one.with_counts["c"]) for one in found.methods}
    exact = claims.mcnemar(f"{first}/{n}", f"{second}/{n}", p=p, method="exact")
    assert (exact.verdict == "possible") is (p in ("1.000", "0.001", "0.877"))


@pytest.mark.parametrize(
    ("first", "second", "n", "p", "counts"),
    [
        (119, 121, 138, "0.387", (5, 7)),
        (33, 35, 50, "0.344", (2, 4)),
        (29, 29, 38, "0.613", (6, 6)),
        (11, 9, 15, "0.313", (3, 1)),
    ],
)
def test_one_sided_p_values_of_pmc10662596(first: int, second: int, n: int, p: str, counts: tuple[int, int]) -> None:
    found = claims.mcnemar(f"{first}/{n}", f"{second}/{n}", p=p, method="exact, one-sided")
    assert counts in {(one.with_counts["b"], one.with_counts["c"]) for one in found.methods}
    two_sided = ("exact", "mid-p", "chi2", "chi2-corrected", "chi2-corrected-always")
    if first == second:  # impossible for every two-sided variant
        for method in two_sided:
            refused = claims.mcnemar(f"{first}/{n}", f"{second}/{n}", p=p, method=method)
            assert refused.verdict == "impossible", method
            assert sp.verify(refused.certificate or {})


def test_rows_of_t_and_p() -> None:
    """A table of t and p on GitHub: four of five rows fit df = 8, one lies between df = 4 and 5 (as Welch's may)."""
    rows = [("2.77", "0.024"), ("17.62", "0.00000011"), ("8.65", "0.000025"), ("10.13", "0.000008")]
    assert all(claims.p_value("t", t, 8, p, sides="two").verdict != "impossible" for t, p in rows)
    assert claims.p_value("t", "2.22", None, "0.0832", sides="two").verdict == "unexplained"
    for df in (8, 5, 4):
        found = claims.p_value("t", "2.22", df, "0.0832", sides="two")
        assert found.verdict == "impossible"
        assert sp.verify(found.certificate or {})
    assert claims.p_value("chi2", "15.508", 5, "0.008").verdict != "impossible"  # PMC5907772


def test_a_sum_of_ranks_of_five_folds() -> None:
    """A README: "5-fold CV, Wilcoxon, W=28, p=0.0078"; 28 is the sum of 7 ranks, p that of 7 pairs, one-sided."""
    found = claims.signed_rank(k=5, p="0.0078", statistic="28")
    assert found.verdict == "impossible"
    assert sp.verify(found.certificate or {})
    assert "at least 7 pairs (exact, one-sided)" in found.needs
    assert claims.signed_rank(k=7, p="0.0078", statistic="28", method="exact", sides="one").verdict == "possible"


def test_ranks_of_demsar_and_critical_differences() -> None:
    """Demšar (2006): χ² 9.28, F 3.69, CD 1.25. A script with q = 3.714 for ten methods has a CD 17% too large."""
    ranks = ["3.143", "2.000", "2.893", "1.964"]
    assert claims.ranks(ranks, 14, chi2="9.28", f="3.69", cd="1.25").verdict == "possible"
    assert claims.ranks(ranks, 14, chi2="9.28", ties=True).range == pytest.approx((9.279, 9.279), abs=0.001)
    assert "CD = 1.47" in claims.ranks(ranks, 14, cd="1.47").words
    nine = ["1", "7", "4.5", "6.5", "7", "2", "6.5", "3.5", "7"]
    assert claims.ranks(nine, 2, cd="10.834").verdict == "possible"  # with finite degrees of freedom
    assert claims.ranks(nine, 2, cd="8.49").verdict == "possible"
    assert "less than the CD" in claims.ranks(nine, 2, different=[("1", "2")]).words  # no pair can differ


def test_folds_that_agree_with_their_mean_and_deviation() -> None:
    """PMC4978840: means and standard deviations (n - 1) of five folds; PMC9673931: means; all are consistent."""
    rows = [
        ("0.5952 0.5832 0.6013 0.7675 0.9238", "0.6942", "0.1491"),
        ("0.9812 0.9807 0.9620 0.9726 0.9654", "0.9724", "0.0087"),
        ("0.7882 0.7820 0.7817 0.8700 0.9446", "0.8333", "0.0726"),
        ("0.6248 0.6146 0.5763 0.7562 0.8900", "0.6924", "0.1296"),
        ("0.930 0.909 0.879 0.943 0.980", "0.928", "0.038"),
        ("88.43 87.60 88.33 89.17 87.50", "88.2", None),
        ("86.15 83.82 84.85 85.07 85.71", "85.12", None),
        ("91.07 92.45 92.59 94.34 89.47", "91.98", None),
        ("77.01 75.69 77.05 78.87 75.09", "76.74", None),
        ("85.30 86.76 86.96 84.27 87.78", "86.21", None),
        ("83.15 84.19 84.28 81.09 85.74", "83.69", None),
        ("88.63 90.05 90.67 89.37 90.36", "89.81", None),
        ("71.19 73.89 74.43 69.50 75.83", "72.96", None),
    ]
    for values, mean, sd in rows:
        assert claims.mean_of(values.split(), mean, sd=sd).verdict == "possible"


def test_twenty_runs_that_agree_with_their_mean_and_deviation() -> None:
    """A published table of twenty runs; trailing zeros, which it drops, are restored."""
    columns = [
        ("824 824 882 765 765 812 706 706 765 706 765 765 706 706 750 647 688 706 765 706", "0.748", "0.057"),
        ("875 875 875 750 750 750 750 625 750 750 750 750 750 625 750 625 625 875 750 625", "0.744", "0.086"),
        ("778 778 889 778 778 875 667 778 778 667 778 778 667 778 750 667 750 556 778 778", "0.752", "0.076"),
        ("778 778 875 750 750 857 667 714 750 667 750 750 667 714 750 625 714 636 750 714", "0.732", "0.064"),
        ("875 875 889 778 778 778 750 700 778 750 778 778 750 700 750 667 667 833 778 700", "0.768", "0.064"),
    ]
    for values, mean, sd in columns:
        assert claims.mean_of([f"0.{digits}" for digits in values.split()], mean, sd=sd).verdict == "possible"


def test_the_variance_tests_of_rainio_follow_from_the_printed_deviations() -> None:
    """Rainio, Teuho & Klén (2024), Table 6, 191 images: F test p = 0.490 and 0.182."""
    for first, second, p in (("0.300", "0.315", "0.490"), ("0.259", "0.285", "0.182")):
        assert claims.means(f"0.5 ± {first}", f"0.5 ± {second}", 191, p, test="F").verdict == "possible"
    assert claims.means("0.5 ± 0.259", "0.5 ± 0.315", 191, "0.490", test="F").verdict == "impossible"


def test_differences_of_aucs_from_their_intervals() -> None:
    """PMC8984890 and PMC11188049: all six printed p-values lie in the range that the intervals allow."""
    rows = [
        ("0.63", "0.86", ("0.53-0.73", "0.80-0.93"), "<0.001"),
        ("0.62", "0.82", ("0.45-0.78", "0.71-0.93"), "0.048"),
        ("0.69", "0.94", ("0.53-0.86", "0.87-1.00"), "0.002"),
        ("0.641", "0.769", ("0.523-0.752", "0.667-0.870"), "0.0485"),
        ("0.893", "0.890", ("0.856-0.931", "0.860-0.921"), "0.6028"),
        ("0.579", "0.654", ("0.514-0.648", "0.583-0.724"), "0.0323"),
    ]
    for a, b, intervals, p in rows:
        assert claims.auc_difference(a, b, pvalue=p, intervals=intervals).verdict == "possible"
