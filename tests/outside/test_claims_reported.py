"""Claims of significance in specifications, reports and on the command line."""

from __future__ import annotations

import doctest
import itertools
import json
import re
from pathlib import Path
from typing import Any

import lxml.html
import numpy as np
import pytest
from typer.testing import CliRunner

import scoreproof as sp
import scoreproof.cli.claim
import scoreproof.papers.claims
from scoreproof.claims import CLAIMS, smallest_p
from scoreproof.claims.same_cases import pair_p_values
from scoreproof.claims.sentences import read_tests, recheck_test, statements
from scoreproof.cli.app import app
from scoreproof.documents.formats import Source
from scoreproof.documents.read import read_here
from scoreproof.errors import ScoreproofError
from scoreproof.pages import to_html, to_latex, to_text
from scoreproof.work.budget import Budget

assert scoreproof.cli.claim
SAID: list[tuple[dict[str, Any], str, bool]] = [
    ({"claim": "interval", "value": "0.912 (0.880-0.938)", "n": 400, "where": "page 5"}, "possible", False),
    ({"claim": "interval", "value": "0.955 (0.926-0.949)"}, "impossible", True),
    ({"claim": "interval", "value": "0.655 (0.457-0.841)"}, "unexplained", False),
    ({"claim": "auc_interval", "value": "0.803 (0.688-0.917)", "p": 29, "n": 39}, "possible", False),
    ({"claim": "spread", "value": "0.880 ± 0.031", "k": 5, "sizes": 20, "kind": "sd"}, "impossible", True),
    ({"claim": "mean_of", "values": ["0.80", "0.82"], "mean": "0.90"}, "impossible", True),
    ({"claim": "p_value", "test": "t", "statistic": "2.77", "df": "8", "p": "0.024"}, "certain", False),
    ({"claim": "paired", "a": "0.950 ± 0.010", "b": "0.900 ± 0.010", "k": 10, "p": "<0.05"}, "certain", False),
    ({"claim": "means", "a": "0.95 ± 0.01", "b": "0.90 ± 0.01", "n": 20, "p": "<0.05", "test": "t"}, "certain", False),
    ({"claim": "signed_rank", "k": 5, "p": "<0.05", "method": "exact", "sides": "two"}, "impossible", True),
    ({"claim": "rank_sum", "n": [10, 12], "statistic": "23", "p": "0.07"}, "unexplained", False),
    ({"claim": "mcnemar", "a": "0.93", "b": "0.92", "n": 200, "p": "<0.05", "method": "exact"}, "impossible", True),
    ({"claim": "mcnemar", "a": "A", "b": "B", "by": "acc", "p": "<0.05"}, "impossible", True),
    (
        {"claim": "proportions", "a": "0.930", "b": "0.905", "n": 1000, "p": "0.04", "test": "pooled z"},
        "certain",
        False,
    ),
    (
        {"claim": "auc_difference", "a": "0.95", "b": "0.70", "p": 200, "n": 200, "pvalue": "<0.05"},
        "certain",
        False,
    ),
    ({"claim": "ranks", "means": ["1.50", "2.00", "2.60"], "datasets": 10}, "impossible", True),
    ({"claim": "family", "p_values": ["0.040", "<0.001"], "method": "bonferroni"}, "possible", False),
]


def paper(*claims: dict[str, Any]) -> dict[str, Any]:
    return {
        "title": "Claims",
        "datasets": {"cases": {"p": 100, "n": 100}},
        "experiments": {"test": {"dataset": "cases"}},
        "tables": [
            {"experiment": "test", "grid": [["Method", "Acc"], ["A", "0.930"], ["B", "0.925"]]},
        ],
        "claims": list(claims),
    }


@pytest.fixture(scope="module")
def audited() -> sp.AuditResult:
    return sp.audit(paper(*(said for said, _, _ in SAID)), explain=False, strength=False)


def test_every_claim_of_a_specification_is_rechecked(audited: sp.AuditResult) -> None:
    assert {said["claim"] for said, _, _ in SAID} == set(CLAIMS)
    for claim, (said, verdict, certain) in zip(audited.claims, SAID, strict=True):
        assert claim.recheck is not None, str(claim)
        assert claim.recheck.verdict == verdict, str(claim)
        assert claim.holds is {"impossible": False, "certain": True}.get(verdict)
        assert (claim.answer is not None and bool(sp.verify(claim.answer.certificate or {}))) is certain, said
    assert audited.claims[0].text.endswith("(page 5)")
    assert sp.AuditResult.from_dict(json.loads(audited.to_json())) == audited


def test_a_claim_that_is_refuted_is_a_finding() -> None:
    (finding,) = sp.claims.signed_rank(5, "<0.05", method="exact", sides="two").findings
    assert finding.headline.endswith("the smallest p of an exact test over 5 pairs is 0.0625")
    assert finding.certificate is not None
    assert sp.claims.signed_rank(9, "<0.05").findings == ()


def test_claims_do_not_turn_the_verdict_of_an_audit(audited: sp.AuditResult) -> None:
    assert audited.verdict == "consistent"


def test_the_page_has_cards_of_what_is_refuted_and_a_section_of_the_rest(audited: sp.AuditResult) -> None:
    page = lxml.html.document_fromstring(to_html(audited))
    cards = page.xpath("//article[contains(@class, 'finding inconsistent')]")
    assert len(cards) == sum(certain for _, _, certain in SAID)
    assert all(card.xpath(".//button") for card in cards)
    assert any("Would need" in card.text_content() or "would need" in card.text_content() for card in cards)
    items = page.xpath("//section[@id='claims']/ul/li")
    others = [verdict for _, verdict, certain in SAID if not certain]
    assert [item.xpath("string(em)") for item in items] == others
    assert not any("✗" in item.text_content() for item in items), "what has no certificate is not marked inconsistent"
    assert "Assumed: n = 400; independent cases" in items[0].text_content()
    assert "Reproduced by Clopper-Pearson: n = 400, x = 365" in items[0].text_content()


def test_prose_and_latex(audited: sp.AuditResult) -> None:
    said = to_text(audited)
    assert (
        "Proved. 0.955 (0.926-0.949) is a 95% interval of a proportion: the value lies outside its own interval."
        in said
    )
    assert "It would need another method" in said
    assert "This takes for granted: n = 400, independent cases" in said
    snippet = to_latex(audited)
    assert r"\caption{Claims of the paper.}" in snippet
    assert r"\raggedright unexplained" in snippet


@pytest.mark.parametrize(
    ("claim", "words"),
    [
        ({"claim": "intervall", "value": "0.9 (0.8-1.0)"}, "expected one of interval"),
        ({"claim": "interval", "value": "0.9 (0.8-1.0)", "k": 5}, "interval: expected some of"),
        ({"value": "0.9 (0.8-1.0)"}, "expected 'claim' as well"),
        ({"claim": "mcnemar", "a": "0.9", "b": "0.8", "discordant": [1]}, "discordant: expected two values"),
    ],
)
def test_wrong_settings_are_refused(claim: dict[str, Any], words: str) -> None:
    with pytest.raises(ScoreproofError, match=words):
        sp.audit(paper(claim))


@pytest.mark.parametrize(
    ("claim", "words"),
    [
        ({"claim": "interval", "value": "nonsense"}, "expected a value with its interval"),
        ({"claim": "spread", "value": "0.9 ± 0.1"}, "expected k as well"),
        ({"claim": "mcnemar", "a": "A", "b": "Z", "by": "acc"}, "expected a row with acc, got 'Z'"),
        ({"claim": "ranks", "means": ["1.5", "1.5"], "datasets": 3, "by": "acc"}, "not about two rows"),
    ],
)
def test_what_cannot_be_checked_says_so(claim: dict[str, Any], words: str) -> None:
    (found,) = sp.audit(paper(claim), explain=False, strength=False).claims
    assert found.holds is None
    assert words in found.words


def test_a_paired_table_that_does_not_add_up_settles_nothing() -> None:
    claim = {"better": "A", "than": "B", "by": "acc", "significant": True, "paired": [["100", "20"], ["5", "75"]]}
    (found,) = sp.audit(paper(claim), explain=False, strength=False).claims
    assert found.holds is None
    assert "does not add up" in found.words


# -------------------------------------------------------------------------------------------------------- command line
@pytest.mark.parametrize(
    ("arguments", "status", "verdict"),
    [
        (["interval", "0.912 (0.880-0.938)", "--n", "400"], 0, "possible"),
        (["interval", "0.655 (0.457-0.841)"], 3, "unexplained"),
        (["auc-interval", "0.803 (0.688-0.917)", "--p", "29", "--n", "39"], 0, "possible"),
        (["spread", "0.880 ± 0.031", "--k", "5", "--sizes", "20", "--kind", "sd"], 1, "impossible"),
        (["mean-of", "0.90", "0.80", "0.82"], 1, "impossible"),
        (["signed-rank", "--k", "5", "p=0.03"], 0, "possible"),
        (["signed-rank", "--k", "5", "p=0.03", "--method", "exact", "--sides", "two"], 1, "impossible"),
        (["mcnemar", "0.93", "0.92", "p<0.05", "--n", "200", "--method", "exact"], 1, "impossible"),
        (["mcnemar", "193/300", "213/300", "--discordant", "24,44"], 0, "certain"),
        (["ranks", "1.50", "2.00", "2.50", "--datasets", "10"], 0, "possible"),
        (["p-value", "t", "2.77", "0.024", "--df", "8"], 0, "certain"),
        (["paired", "0.912 ± 0.012", "0.905 ± 0.011", "--k", "5"], 0, "possible"),
        (["means", "0.95 ± 0.01", "0.90 ± 0.01", "--n", "20,30"], 0, "possible"),
        (["proportions", "0.930", "0.905", "p=0.04", "--n", "1000"], 0, "possible"),
        (["auc-difference", "0.95", "0.70", "--p", "200", "--n", "200"], 0, "certain"),
        (["family", "0.03", "<0.001", "0.012", "--method", "bonferroni"], 0, "possible"),
        (["family", "0.030", "<0.001", "--method", "bonferroni", "--significant", "1"], 1, "impossible"),
    ],
)
def test_the_command(arguments: list[str], status: int, verdict: str) -> None:
    shown = CliRunner().invoke(app, ["claim", *arguments])
    assert shown.exit_code == status, shown.output
    assert re.match(rf"{verdict}\n" if status == 1 else f"{verdict}: ", shown.output)
    document = json.loads(CliRunner().invoke(app, ["claim", *arguments, "--json"]).stdout)
    assert document["verdict"] == verdict
    assert set(document) == {
        "claim",
        "verdict",
        "words",
        "of",
        "range",
        "methods",
        "needs",
        "assumes",
        "answer",
        "decision",
        "findings",
    }
    assert bool(document["findings"]) is (status == 1)


def test_what_is_impossible_is_the_card_on_every_surface(monkeypatch: pytest.MonkeyPatch) -> None:
    """The command, its JSON and a notebook say what the finding says, and nothing of their own."""
    recheck = sp.claims.mcnemar("0.93", "0.92", p="<0.05", n=200, method="exact")
    (finding,) = recheck.findings
    arguments = ["claim", "mcnemar", "0.93", "0.92", "p<0.05", "--n", "200", "--method", "exact"]
    monkeypatch.setenv("COLUMNS", "400")
    shown = CliRunner().invoke(app, arguments).output
    assert shown.splitlines()[:-1] == [
        "impossible",
        *finding.text(400).splitlines()[1:],
        "It can be",
        "  • p between 0.125 and 1",
    ]
    assert shown.splitlines()[1].startswith(
        "  p < 0.05 by McNemar's test (exact) for 0.93 against 0.92 on the same 200"
    )
    assert json.loads(CliRunner().invoke(app, [*arguments, "--json"]).stdout)["findings"] == [finding.brief()]
    assert recheck._repr_html_() == finding._repr_html_()
    assert "<table" in sp.claims.signed_rank(9, "<0.05")._repr_html_()


def test_of_several_sentences_the_impossible_one_has_a_card() -> None:
    text = "t(28) = 2.20, p = .036; t(28) = 2.20, p = .36"
    shown = CliRunner().invoke(app, ["claim", text])
    assert shown.exit_code == 1
    assert [line for line in shown.output.splitlines() if line.startswith(("possible: ", "impossible"))] == [
        "possible: t(28) = 2.20, p = .036: the statistic gives it (two-sided)",
        "impossible",
    ]
    assert "Ask the authors: How was “t(28) = 2.20, p = .36” computed?" in shown.output
    possible, impossible = json.loads(CliRunner().invoke(app, ["claim", text, "--json"]).stdout)
    assert possible["findings"] == []
    assert impossible["findings"][0]["headline"].startswith("t(28) = 2.20, p = .36: ")


def test_the_certificate_is_written_and_verified(tmp_path: Path) -> None:
    file = tmp_path / "proof.json"
    shown = CliRunner().invoke(
        app, ["claim", "ranks", "1.50", "2.00", "2.60", "--datasets", "10", "--certificate", str(file)]
    )
    assert shown.exit_code == 1
    assert sp.verify(file)


@pytest.mark.parametrize(
    "page", sorted((Path(__file__).parents[2] / "docs" / "claims").glob("*.md")), ids=lambda page: page.stem
)
def test_the_pages_about_claims_are_true(page: Path) -> None:
    done = doctest.testfile(str(page), module_relative=False)
    assert done.failed == 0
    assert done.attempted > 1 or page.stem == "README"


def printed_table(first: str) -> list[list[str]]:
    """The rows of the table of docs/claims/README.md that begins so."""
    lines = (Path(__file__).parents[2] / "docs" / "claims" / "README.md").read_text(encoding="utf-8").splitlines()
    start = next(at for at, line in enumerate(lines) if line.startswith(first))
    rows = itertools.takewhile(lambda line: line.startswith("|"), lines[start + 2 :])
    return [[cell.strip(" *") for cell in row.strip("|").split("|")] for row in rows]


def test_the_printed_table_of_smallest_p_values() -> None:
    rows = printed_table("| k | exact |")
    assert [row[0] for row in rows] == ["3", "4", "5", "6", "7", "8", "10"]
    for k, exact, *others in rows:
        values = [smallest_p(int(k), corrected=c, tied=t) for t, c in itertools.product((False, True), repeat=2)]
        for text, value in zip((exact, *others), (2 / 2 ** int(k), *values), strict=True):
            assert f"{value:.{len(text) - 1}f}".removeprefix("0") == text, (k, text, value)


def test_the_printed_table_of_smallest_differences() -> None:
    columns = [["exact"], ["chi2-corrected"], ["mid-p", "exact, one-sided"], ["chi2"]]
    for alpha, *cells in printed_table("| at | exact |"):
        for cell, methods in zip(cells, columns, strict=True):
            for method in methods:
                p = pair_p_values(np.arange(1, 40), np.zeros(39, dtype=np.int64), method)
                assert next(b for b, value in enumerate(p, 1) if value <= float(alpha)) == int(cell), (alpha, method)


# ------------------------------------------------------------------------------------------------- tests as sentences
def test_the_command_takes_tests_as_they_are_written(tmp_path: Path) -> None:
    shown = CliRunner().invoke(app, ["claim", "t(28) = 2.20, p = .036; F(1, 38) = 4.10, p = .05"])
    assert shown.exit_code == 0, shown.output
    assert [line.partition(":")[0] for line in shown.output.splitlines() if "the statistic" in line] == [
        "possible",
        "certain",
    ]
    file = tmp_path / "proof.json"
    shown = CliRunner().invoke(app, ["claim", "t(28) = 2.20, p = .36", "--json", "--certificate", str(file)])
    assert shown.exit_code == 1
    (document,) = json.loads(shown.stdout)
    assert (document["verdict"], document["decision"]) == ("impossible", "changes")
    assert sp.verify(sp.read_certificate(file))
    assert isinstance(CliRunner().invoke(app, ["claim", "t(28) = , p = .36"]).exception, ScoreproofError)


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("t(28) = 2.20, p = .036", ("t", ("28",), "2.20", "= .036")),
        ("t (28)=-2.20; P<0.05", ("t", ("28",), "-2.20", "< 0.05")),
        ("t28 = 2.20, p = 0.036", ("t", ("28",), "2.20", "= 0.036")),
        ("t = 2.20, df = 28, p = .036", ("t", ("28",), "2.20", "= .036")),
        ("t(27.34) = 2.20, two-tailed p = .036", ("t", ("27.34",), "2.20", "= .036")),
        ("F(1, 38) = 4.10, MSE = 2.1, p = .05", ("F", ("1", "38"), "4.10", "= .05")),
        ("F(83,111)=.611,p= .02", ("F", ("83", "111"), ".611", "= .02")),
        ("F(2, 1,234) = 3.1, p = .045", ("F", ("2", "1234"), "3.1", "= .045")),
        ("F_{2,1234} = 3.1, p = .045", ("F", ("2", "1234"), "3.1", "= .045")),
        ("$\\chi^2(2) = 5.99$, $p = .05$", ("chi2", ("2",), "5.99", "= .05")),
        ("χ²(1, N = 90) = 3.89, p < .05", ("chi2", ("1",), "3.89", "< .05")),
        ("X2(1) = 3.9, p = 0.048", ("chi2", ("1",), "3.9", "= 0.048")),
        ("Q(12) = 25.3, p = .014", ("chi2", ("12",), "25.3", "= .014")),
        ("z = −2.10, p = 3.6 × 10−2", ("z", (), "-2.10", "= 3.6 × 10-2")),
        ("r(28) = .45, p ≤ .012", ("r", ("28",), ".45", "< .012")),
        ("r = 0.45, n = 30, p = 0.012", ("r", ("28",), "0.45", "= 0.012")),
        ("U = 123.5, z = -2.10, p = .036", ("z", (), "-2.10", "= .036")),
        ("W = 28, n = 5, p = .0078", ("W", (), "28", "= .0078")),
        ("F(1, 38) < 1, n.s.", ("F", ("1", "38"), "1", "not significant")),
        ("t(28) = 4.51***", ("t", ("28",), "4.51", "< 0.001")),
    ],
)
def test_forms_of_tests(text: str, read: tuple[Any, ...]) -> None:
    (found,) = read_tests(f"We saw ({text}) there.")
    assert (found.test, found.df, found.value, found.p) == read
    assert recheck_test(found).verdict in ("possible", "certain", "impossible")


def test_decimal_commas_where_they_are_asked_for() -> None:
    assert not list(read_tests("t(28) = 2,20; p = ,036"))
    (t, f) = read_tests("t(28) = 2,20; p = ,036 und F(1; 38) = 4,10; p = 0,05", decimal_comma=True)
    assert (t.value, t.p, f.df, f.value) == ("2.20", "= .036", ("1", "38"), "4.10")


def test_what_is_no_test_is_not_read() -> None:
    for text in (
        "the AUC was 0.93 (p = 0.03)",
        "F1 = 0.91, p = 0.03",
        "at t = 5 s",
        "r = 3, s = 4",
        "for F(x) = 2, x > 1",
    ):
        assert not [found for found in read_tests(text) if recheck_test(found).verdict == "impossible"], text


def test_an_adjusted_p_value_accuses_nobody() -> None:
    for text in (
        "t(28) = 2.20, p_adj = .20",
        "Bonferroni-corrected: t(28) = 2.20, p = .20",
        "t(28) = 2.2 (permutation p), p = .9",
    ):
        for found in read_tests(text):
            assert recheck_test(found).verdict == "possible", text


def test_a_bound_on_a_statistic_is_no_value() -> None:
    """All t are below -4: their p-values are small; any t may be above -1, and any sum of ranks below 100."""
    for text in (
        "t(28) < -4.0, p < .0001",
        "t(28) > -1.0, p > .5",
        "r(28) > -1.5, p = .5",
        "z < -5, p < .0000001",
        "W < 100, n = 12, p = .5",
    ):
        (found,) = statements(text)
        assert found.verdict != "impossible", str(found)
    (found,) = statements("t(28) < -4.0, p = .5")
    assert found.verdict == "impossible"
    assert "between 0 and 0.00042" in found.words


PAPER = """# Results

The groups differ, t(28) = 2.20, p = .036, but not by sex ($\\chi^2(1, N = 90) = 3.89$, $p = .48$).

Table 1: Means.

| Factor | Acc | Test |
|---|---|---|
| A | 0.91 | t(28) = 2.20, p = .036 |
| B | 0.90 | t(28) = 1.10, p < .001 |
"""


def test_tests_of_a_paper_are_questions(tmp_path: Path) -> None:
    file = tmp_path / "paper.md"
    file.write_text(PAPER, encoding="utf-8")
    claims = {claim.text: claim for claim in sp.audit(file).claims}
    asked = [text for text, claim in claims.items() if claim.words.startswith("A question: ")]
    assert [text.partition(" (")[0] for text in asked] == ["chi2(1,N = 90) = 3.89, p = .48", "t(28) = 1.10, p < .001"]
    for text in asked:
        assert claims[text].holds is None
        assert claims[text].answer is not None
        assert sp.verify(claims[text].answer.certificate)
    assert claims["2 reported tests"].holds


def test_what_no_test_gives_does_not_agree(tmp_path: Path) -> None:
    file = tmp_path / "paper.md"
    file.write_text(
        "# A paper\n\nIt differed, U = 23, n1 = 10, n2 = 12, p = .5, and t(28) = 2.20, p = 1.36, but t(28) = 2.20, p = .036.\n"
        "\n| Contrast | Test |\n|---|---|\n| A | F(2, 45) = 3.29, p = .046 |\n| B | F(2, 45) = 3.29, p = .46 |\n",
        encoding="utf-8",
    )
    claims = {claim.text.partition(" (")[0]: claim for claim in sp.audit(file).claims}
    for asked in ("U = 23, n1 = 10, n2 = 12, p = .5", "t(28) = 2.20, p = 1.36", "F"):
        assert next(c.words for text, c in claims.items() if text.startswith(asked)).startswith("A question: ")
    assert claims["2 reported tests"].holds
    assert statements("t(28) = 2.20, p = 1.36")[0].verdict == "unexplained"


def test_a_p_value_is_read_to_its_last_digit() -> None:
    for digits in range(1, 60):
        text = f"t(28) = 2.20, d = 0.{'1' * digits}, d = 0.{'1' * 50}, p = .0361"
        assert [test.p for test in read_tests(text)] in ([], ["= .0361"])


def test_a_text_is_not_cut_within_a_number() -> None:
    for more in range(12):
        assert [test.p for test in read_tests(f"{'x ' * 9_985}{' ' * more}t(28) = 2.20, p = .0361")] in (
            [],
            ["= .0361"],
        )
        text = f"{'x' * 60}\n" * 32_786 + "x" * more + "\nWe had 1,234,567 cases."
        kept = read_here("plain_text", Source("", "text", text=text)).paragraphs
        assert not any("We had" in words and "1,234,567 cases" not in words for words, _ in kept)


# ----------------------------------------------------------------------------------------------- intervals bound the total
def test_an_interval_of_a_known_method_bounds_the_cases_of_a_reconstruction() -> None:
    scores = {"acc": "0.912 (0.880-0.938)", "sens": "0.900", "spec": "0.925"}
    found = sp.reconstruct(scores, interval_method="clopper-pearson", rounding="nearest", budget=10)
    assert found.verdict == "consistent"
    assert found.groups
    assert {397 <= group.p + group.n <= 409 for group in found.groups} == {True}
    assert "is an interval of 397 to 409 cases" in found.notes[-1]
    for wrong in (
        {"scores": {"acc": "0.91"}, "interval_method": "wald"},
        {"scores": scores, "interval_method": "wald", "total": 400},
        {"scores": {"acc": "0.955 (0.926-0.949)"}, "interval_method": "wilson"},
        {"scores": {"mcc": "0.95 (0.92-0.97)"}, "interval_method": "wilson"},
        {"scores": {"mcc": "0.95 (0.92-0.97)"}},
    ):
        with pytest.raises(ScoreproofError, match="interval"):
            sp.reconstruct(**wrong)  # type: ignore[arg-type]


def test_intervals_of_rates_bound_both_classes() -> None:
    """60 of 80 and 171 of 180 by Clopper and Pearson."""
    scores = {"sens": "0.750 (0.641-0.840)", "spec": "0.950 (0.907-0.977)"}
    found = sp.reconstruct(scores, interval_method="clopper-pearson", rounding="nearest", budget=10)
    assert found.verdict == "consistent"
    assert found.groups
    assert any((group.p, group.n) == (80, 180) for group in found.groups)
    assert len(found.groups) < 400
    either = sp.reinterpret({"A": scores}, interval_method="any", rounding="nearest", budget=10)
    assert either.readings[0].reconstruction is not None
    assert either.readings[0].reconstruction.verdict == "consistent"


def test_an_interval_is_evidence_beside_the_scores() -> None:
    sets = sp.TestSet(100, 300)
    assert sp.check(sets, {"acc": "0.912 (0.880-0.938)", "sens": "0.90"}).verdict == "consistent"
    for name in ("acc", "sens", "spec", "ppv", "f1"):
        answer = sp.check(sets, {name: "95.0% [92.6; 94.3]"})
        assert answer.verdict == "inconsistent"
        assert answer.certificate is not None
        assert sp.verify(answer.certificate)
    assert sp.reconstruct({"sens": "0.955 (0.926-0.949)"}).verdict == "inconsistent"
    assert sp.check(sets, {"acc": "0.9137 (0.880-0.938)"}).problem.kind == "binary"
    with pytest.raises(ScoreproofError, match="bracket"):
        sp.check(sets, {"acc": "0.91 (365)"})


def test_a_setting_that_is_null_is_not_given() -> None:
    claim = {"claim": "p_value", "test": "t", "statistic": "2.77", "df": "8", "p": "0.024"}
    without, null = sp.audit(paper({**claim, "df": None}, {**claim, "statistic": None})).claims
    assert "Degrees of freedom of 4 to 8 give it" in without.words
    assert "expected statistic as well" in null.words


def test_claims_take_a_bounded_time_together(monkeypatch: pytest.MonkeyPatch) -> None:
    dues = iter((Budget(60), Budget(0)))
    monkeypatch.setattr(scoreproof.papers.claims, "Budget", lambda seconds: next(dues))
    claim = {"claim": "interval", "value": "0.955 (0.926-0.949)"}
    (first,), (late,) = sp.audit(paper(claim)).claims, sp.audit(paper(claim)).claims
    assert first.holds is False
    assert late.holds is None
    assert str(late).startswith("interval: 0.955 (0.926-0.949): Not looked at: the claims before it took all of 12 s")
