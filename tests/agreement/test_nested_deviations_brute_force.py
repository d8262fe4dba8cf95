"""A ± over nested means against trying every matrix: over all sets, over the parts, and either."""

from collections import Counter
from itertools import islice

from benchmarks import tiny_means

_FEW = 3_000  # choices of matrices


def test_tiny_nested_means_with_a_deviation_agree_with_trying_everything() -> None:
    found: Counter[str] = Counter()
    nested = (
        report
        for report in tiny_means.reports(23)
        if any(not isinstance(part, int) for part in report.tree)
        and any("±" in text for text in report.scores.values())
        and tiny_means._choices(report) <= _FEW
    )
    for report in islice(nested, 25):
        found[tiny_means.judge(report)] += 1
    assert set(found) == {"consistent", "inconsistent"}, found
    assert min(found.values()) >= 2
