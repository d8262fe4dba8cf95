"""Honest authors are not accused: a small run of ``make honest``, and tests of the players themselves."""

from __future__ import annotations

import io
import math
from collections import Counter
from decimal import Decimal
from itertools import product
from pathlib import Path

import pytest
from benchmarks.honest import printing, running, tools, twins
from benchmarks.honest.judging import Tally, ask, judge, shrink
from benchmarks.honest.papers import judge_paper, paper
from benchmarks.honest.reports import Question, report
from benchmarks.honest.texts import judge_text
from rich.console import Console

import scoreproof as sp

SEED = 12
BUDGET = 0.1  # seconds: what is not decided by then is undecided, which accuses nobody

MOST_SHOWN = 5  # failures are made small, which takes time


def told(tally: Tally) -> str:
    return "\n".join(failure.words for failure in tally.failures)


@pytest.mark.parametrize("start", range(0, 400, 50))
def test_honest_reports_are_not_accused(start: int) -> None:
    tally = Tally()
    for index in range(start, start + 50):
        tally.add(judge(SEED, index, BUDGET))
        if len(tally.failures) > MOST_SHOWN:
            break
    assert not tally.failures, told(tally)
    assert tally.asked["consistent"] > 50  # most are decided, not given up


@pytest.mark.parametrize("start", range(0, 25, 5))
def test_honest_documents_are_not_accused(start: int) -> None:
    tally = Tally()
    for index in range(start, start + 5):
        tally.add(judge_paper(SEED, index, BUDGET))
        if len(tally.failures) > MOST_SHOWN:
            break
    assert not tally.failures, told(tally)
    assert tally.asked["row consistent"] + tally.asked["check consistent"] > 0


def test_papers_that_say_how_their_scores_came_about_are_not_accused(tmp_path: Path) -> None:
    judged = [judge_text(number, 3, tmp_path) for number in range(15)]
    assert [words for _, _, against in judged for words in against] == []
    outcomes = [outcome for _, outcomes, _ in judged for outcome in outcomes]
    assert outcomes.count("consistent") >= 0.8 * len(outcomes) >= 30


def test_every_impossible_slip_on_a_small_test_set_is_found_and_no_possible_one() -> None:
    whole: Counter[str] = Counter()
    for rate in twins.judge_twins(SEED, 0, 120, BUDGET).values():
        whole.update(rate)
    assert whole["impossible"] > 15
    assert whole["found impossible"] == whole["impossible"]
    assert whole["wrongly found"] == 0


def test_a_number_gives_the_same_report_and_document_again(tmp_path: Path) -> None:
    assert all(report(SEED, index) == report(SEED, index) for index in range(30))
    one, two = (paper(SEED, 3, tmp_path) for _ in range(2))
    assert one.sheets == two.sheets
    assert one.specifications == two.specifications


@pytest.mark.parametrize("name", tools.TOOLS["scikit-learn itself"].names)
def test_the_values_of_scikit_learn_are_its_own(name: str) -> None:
    for matrix in product(range(4), repeat=4):
        if sum(matrix):
            ours, theirs = tools.scikit_learn_value(name, matrix), tools.scikit_learn_itself(name, matrix)
            assert (math.isnan(ours) and math.isnan(theirs)) or ours == pytest.approx(theirs, abs=1e-12), matrix


@pytest.mark.parametrize("printer", printing.PRINTERS.values(), ids=lambda printer: printer.name)
def test_printers_print_the_value_they_are_given(printer: printing.Printer) -> None:
    for value, digits in product((0.0, 1.0, 0.5, 1 / 3, 0.125, 0.29, 2 / 3, 0.0625, 0.999), (2, 3, 4)):
        text = printer.write(value, digits)
        printed = Decimal(text.rstrip("%"))
        exact = Decimal(value) * (100 if "%" in text else 1)
        unit = Decimal(1).scaleb(int(printed.as_tuple().exponent))
        reach = unit / 2 if printer.nearest else unit
        assert abs(printed - exact) <= reach + Decimal("1e-12"), text


def test_a_run_goes_on_from_its_journal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    journal, console = tmp_path / "run.jsonl", Console(file=io.StringIO())
    first = running.run("reports", 30, SEED, jobs=1, console=console, journal=journal)
    monkeypatch.setitem(running.JUDGES, "reports", lambda seed, index: pytest.fail("judged again"))
    again = running.run("reports", 30, SEED, jobs=1, console=console, journal=journal)
    assert again == first
    assert sum(first.asked.values()) >= 30


def test_a_false_report_is_accused_and_made_small() -> None:
    question = Question(sp.TestSet(10, 10), {"acc": "0.77", "sens": "0.80", "spec": "0.90"}, {"undefined": "zero"})
    assert ask(question) == "inconsistent"
    assert shrink(question) == Question(sp.TestSet(10, 10), {"acc": "0.77"}, {})
