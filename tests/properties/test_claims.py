"""Claims of significance: what must hold, simulated claims, hostile texts."""

from __future__ import annotations

import contextlib
import itertools
from collections import Counter
from typing import Any

import pytest
from benchmarks.fuzz_claims import cases, judge
from hypothesis import given, settings
from hypothesis import strategies as some

import scoreproof as sp
from scoreproof import claims
from scoreproof.errors import ScoreproofError
from scoreproof.statistics.mcnemar import METHODS, mcnemar_p


def test_five_folds_are_never_significant_by_the_exact_test() -> None:
    found = claims.signed_rank(k=5, p="<0.05", method="exact", sides="two")
    assert found.verdict == "impossible"
    assert sp.verify(found.certificate or {})
    assert "two-sided" in found.assumes
    assert claims.signed_rank(k=5, p="0.03", method="exact", sides="two").verdict == "impossible"
    assert claims.signed_rank(k=6, p="<0.05", method="exact").verdict == "possible"


def test_the_fingerprint_of_five_pairs_of_one_sign() -> None:
    found = claims.signed_rank(k=5, p="0.0431")
    first = found.methods[0]
    assert (first.method, first.with_counts) == ("asymptotic, two-sided", {"W": 15})
    assert claims.signed_rank(k=5, p="0.0431", method="exact", sides="two").verdict == "impossible"
    assert claims.signed_rank(k=3, p="<0.05", sides="two").verdict == "impossible"


def test_two_accuracies_on_200_and_on_1000_cases() -> None:
    found = claims.mcnemar("0.93", "0.92", n=200, p="<0.05", method="exact")
    assert found.verdict == "impossible"
    assert sp.verify(found.certificate or {})
    assert claims.mcnemar("0.95", "0.90", n=1000, p="<0.05", method="any").verdict == "certain"
    assert claims.mcnemar("0.95", "0.90", n=1000, p=">0.05", method="any").verdict == "impossible"


def test_the_table_of_smallest_p_values() -> None:
    table = {
        3: (0.109, 0.181, 0.083, 0.149),
        5: (0.0431, 0.0591, 0.0253, 0.0369),
        8: (0.0117, 0.0143, 0.0047, 0.0060),
        10: (0.0051, 0.0059, 0.0016, 0.0019),
    }
    for k, row in table.items():
        found = [claims.smallest_p(k, corrected=c, tied=t) for t, c in itertools.product((False, True), repeat=2)]
        assert found == pytest.approx(row, abs=6e-4 if k == 3 else 6e-5)


def test_an_interval_without_n_says_which() -> None:
    found = claims.interval("0.912 (0.880-0.938)", rounding="nearest")
    assert {one.method: one.words.partition(",")[0] for one in found.methods} == {
        "Clopper-Pearson": "n between 397 and 409",
        "Jeffreys": "n between 364 and 376",
    }
    wide = claims.interval("0.912 [0.88, 0.94]", rounding="nearest")
    assert wide.range == (262.0, 525.0)


def test_what_is_impossible_names_what_it_assumes() -> None:
    for found in (
        claims.interval("0.912 (0.880-0.938)", n=500, method="clopper-pearson"),
        claims.spread("0.99 ± 0.08", k=5, kind="sd"),
        claims.ranks(["1.50", "2.00", "2.60"], datasets=10),
        claims.mean_of(["0.80", "0.82"], "0.90"),
        claims.mcnemar("0.93", "0.92", n=200, method="exact"),
        claims.signed_rank(5, method="exact", sides="two"),
    ):
        assert found.verdict == "impossible"
        assert found.assumes
        assert sp.verify(found.certificate or {}), str(found)


def test_a_printed_table_of_both_methods_settles_it() -> None:
    assert claims.mcnemar("0.643", "0.710", n=300, p="0.0205").verdict == "possible"
    assert claims.mcnemar("0.643", "0.710", n=300, p="<0.05").verdict == "possible"
    settled = claims.mcnemar("0.643", "0.710", n=300, p="0.0205", method="exact", discordant=(24, 44))
    assert settled.verdict == "certain"
    assert settled.range == pytest.approx((0.020527, 0.020527), abs=1e-6)
    with pytest.raises(ScoreproofError, match="do not fit the two rates"):
        claims.mcnemar("0.643", "0.710", n=300, method="exact", discordant=(44, 24))


def test_simulated_claims() -> None:
    """Thirteen sorts, fifty of each: no true one is impossible, no false one certain."""
    tally = Counter(judge(case) for case in itertools.islice(cases(7), 650))
    assert [said for said in tally if said[0].isupper()] == []
    assert {said.split()[0] for said in tally} >= {"interval", "mcnemar", "ranks", "spread", "paired", "family"}
    assert sum(count for said, count in tally.items() if said.endswith(("impossible", "certain"))) > 100


@pytest.mark.parametrize("method", METHODS)
def test_p_values_are_those_of_the_tests(method: str) -> None:
    import numpy as np

    from scoreproof.claims.same_cases import pair_p_values

    b, c = (part.ravel() for part in np.meshgrid(np.arange(12), np.arange(12)))
    found = pair_p_values(b, c, method)
    assert found == pytest.approx([mcnemar_p(int(x), int(y), method) for x, y in zip(b, c, strict=True)])


HOSTILE = ["", " ", "nan", "inf", "p", "<", "0.5 (", "(0.1-0.2)", "0.9 (0.95-0.85-0.8)", "0,9 (0,8-0,95)", "1e999", "-1",
           "2", "0.5 ± -1", "0.5 ± 0.1 ± 0.1", "٠.٥", "\x00", "0.5" * 100, "=", "<<<0.05", "0.05%%", "five", "0.84 (0.03)"]  # fmt: skip
CALLS: dict[str, Any] = {
    "interval": lambda text: claims.interval(text, n=100),
    "auc_interval": lambda text: claims.auc_interval(text, p=10, n=10),
    "spread": lambda text: claims.spread(text, k=5),
    "mean_of": lambda text: claims.mean_of([text, "0.9"], "0.9"),
    "p_value": lambda text: claims.p_value("t", "2.0", 8, text),
    "statistic": lambda text: claims.p_value("t", text, 8, "0.05"),
    "paired": lambda text: claims.paired(text, "0.9 ± 0.1", k=5),
    "signed_rank": lambda text: claims.signed_rank(5, text),
    "mcnemar": lambda text: claims.mcnemar(text, "0.9", n=100),
    "proportions": lambda text: claims.proportions(text, "0.9", n=100),
    "auc_difference": lambda text: claims.auc_difference(text, "0.9", 10, 10),
    "ranks": lambda text: claims.ranks([text, "1.5"], 10),
    "family": lambda text: claims.family([text, "0.01"]),
    "means": lambda text: claims.means(text, "0.9 ± 0.1", 20),
}


@pytest.mark.parametrize("name", list(CALLS))
@pytest.mark.parametrize("text", [*HOSTILE, None, 0.9, float("nan"), [], {}])
def test_hostile_texts_are_refused_in_words(name: str, text: Any) -> None:
    try:
        found = CALLS[name](text)
    except ScoreproofError as refusal:
        said = str(refusal)
    else:
        assert text in ("-1", "2", "0.84 (0.03)"), f"{text!r} was read: {found}"  # a statistic, a rank
        said = f"expected: {found.verdict}"
    assert len(said) < 400
    assert any(word in said for word in ("expected", "write", "say so", "Give")), said


@settings(max_examples=150, deadline=None)
@given(some.text(max_size=30), some.sampled_from(list(CALLS)))
def test_any_text_is_read_or_refused(text: str, name: str) -> None:
    with contextlib.suppress(ScoreproofError):
        CALLS[name](text)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: claims.interval("0.9 (0.8-0.95)", n=0), "n: expected a whole number of at least 1"),
        (lambda: claims.interval("0.9 (0.8-0.95)", n=10, method="wilsn"), "method: expected one of"),
        (lambda: claims.interval("0.9 (99% CI 0.8-0.95)", level=0.95), "give one of them"),
        (lambda: claims.interval("91.2 (88.0-93.8)"), "if it is a percentage write '91.2%'"),
        (lambda: claims.spread("91.2 ± 0.4", k=5), "write it with %"),
        (lambda: claims.spread("0.9 ± 0.4", k=5, sizes=[10, 10]), "one number of cases for each of the 5 folds"),
        (lambda: claims.mcnemar("0.9", "0.8"), "n: expected the number of cases"),
        (lambda: claims.mcnemar("9/10", "8/11"), "one number of cases"),
        (lambda: claims.mcnemar("11/10", "8/10"), "at most 10 of 10"),
        (lambda: claims.signed_rank(0), "k: expected"),
        (lambda: claims.ranks(["1.0"], 3), "at least two methods"),
        (lambda: claims.p_value("F", "2.1", 3, "0.1"), "two numbers for F"),
        (lambda: claims.p_value("z", "2.1", 3, "0.1"), "none for z"),
        (lambda: claims.family(["0.1"], significant=["3"]), "significant: expected some of 1"),
        (lambda: claims.ranks(["1.2", "1.8"], 5, different=[("1", "9")]), "different: expected pairs of 1, 2"),
    ],
)
def test_options_are_refused_in_words(call: Any, words: str) -> None:
    with pytest.raises(ScoreproofError, match=words.replace("(", r"\(").replace(")", r"\)")):
        call()
