"""The catalogue of benchmark sizes: every size has a source, no name means two things, headings are read with care."""

from __future__ import annotations

import json
from collections import Counter

import pytest
from typer.testing import CliRunner

import scoreproof as sp
import scoreproof.cli.listings
from scoreproof.catalog import benchmarks, entries, entry, identify, named_in
from scoreproof.catalog.benchmarks import _SCORES, key
from scoreproof.cli.app import app
from scoreproof.documents import Table
from scoreproof.papers.selfcheck import near_misses


def test_every_size_has_a_source() -> None:
    known = benchmarks()
    assert len(known) >= 80
    areas = Counter(one.area for one in known)
    assert set(areas) == {"language", "vision", "speech", "code", "knowledge graphs", "recommender systems"}
    for one in known:
        assert one.source, one.name
        assert one.splits, one.name
        assert all(isinstance(size, int) and size > 1 for size in one.splits.values()), one.name
        assert one.score in _SCORES, one.name


def test_no_spelling_means_two_benchmarks_or_a_known_data_set() -> None:
    spelled = Counter(spelling for one in benchmarks() for spelling in {key(name) for name in (one.name, *one.aliases)})
    assert [name for name, count in spelled.items() if count > 1] == []
    others = {key(name) for known in entries() for name in (known.name, *known.aliases)}
    assert not others & set(spelled)


@pytest.mark.parametrize(
    ("heading", "name"),
    [
        ("HumanEval pass@1", "HumanEval"),
        ("HumanEval+", "HumanEval+"),
        ("MMLU-Pro (5-shot)", "MMLU-Pro"),
        ("Arc-c 25-shot", "ARC-Challenge"),
        ("CIFAR-10.1", "CIFAR-10.1"),
        ("FB15k-237 Hits@10", "FB15k-237"),
        ("GPQA Diamond", "GPQA Diamond"),
        ("MATH-500", "MATH-500"),
        ("MBPP-ET", None),
        ("GSM8K-zh", None),
        ("HumanEval pass@10", None),
        ("SQuAD F1", None),
        ("SQuAD EM", "SQuAD v1.1"),
        ("CoLA", None),
        ("ML-1M NDCG@10", None),
        ("Average", None),
    ],
)
def test_headings(heading: str, name: str | None) -> None:
    known = named_in(heading)
    assert (known and known.name) == name


def test_a_benchmark_is_an_entry() -> None:
    assert {reading.choices["split"] for reading in entry("mbpp").readings()} == {
        "test",
        "all",
        "sanitized",
        "sanitized test",
    }
    found = identify("ARC-Easy", {"acc": "55.25%"})
    assert found.verdict == "inconsistent"
    assert all(sp.verify(answer.certificate) for _, answer in found.results)
    done = CliRunner().invoke(app, ["catalog", "gsm8k", "acc=55.12%"])
    assert (done.exit_code, "the report fits 1 of 1 readings" in done.stdout) == (0, True)
    assert "GSM8K" in {one["name"] for one in json.loads(CliRunner().invoke(app, ["catalog", "--json"]).stdout)}


@pytest.mark.parametrize(
    ("sentence", "listed"),
    [
        ("The accuracy of U-Net is 94.2 on the test set.", ["94.2 in the abstract, 92.4 in Table 3 (U-Net, Accuracy)"]),
        ("U-Net reaches 92.4 and 93.1.", []),
        ("U-Net reaches 0.924 and 93.", []),  # the other unit, fewer digits
        ("The accuracy of U-Net is 92.7.", ["92.7 in the abstract, 92.4 in Table 3 (U-Net, Accuracy)"]),
        ("Others report 92.7 for U-Net.", []),  # one digit, and no heading
        ("The accuracy was significant (p = 94.2).", []),
    ],
)
def test_numbers_that_nearly_repeat_a_cell(sentence: str, listed: list[str]) -> None:
    table = Table((("Method", "Accuracy"), ("U-Net", "92.4"), ("ours", "93.1")), caption="Table 3: results")
    assert [str(near) for near in near_misses([table], [(sentence, "section 'Abstract'")])] == listed


def test_a_selfcheck_lists_them_and_changes_no_verdict() -> None:
    text = "# Abstract\n\nThe acc of A is 0.6076.\n\n| Method | Acc |\n|---|---|\n| A | 0.6067 |\n"
    right = [1] * 91 + [0] * 59
    checked = sp.selfcheck([1] * 150, right, text)
    assert bool(checked)
    assert [str(near) for near in checked.to_look_at] == ["0.6076 in the abstract, 0.6067 in Table 1 (A, Acc)"]


def test_a_selfcheck_lists_what_breaks_the_relations_of_its_table() -> None:
    rows = [("0.857", "0.61"), ("0.801", "0.52"), ("0.833", "0.57"), ("0.790", "0.49"), ("0.846", "0.59")]
    lines = [f"| {name} | {acc} | {1 - float(acc):.3f} | {k} |" for name, (acc, k) in zip("ABCDE", rows, strict=True)]
    lines[2] = lines[2].replace("0.167", "0.176")
    text = "\n".join(["| Method | Acc | Error | Kappa |", "|---|---|---|---|", *lines])
    checked = sp.selfcheck([1] * 60 + [0] * 40, [1] * 55 + [0] * 45, text, row="A")
    (words,) = checked.beside_others
    assert words.startswith("Acc is the complement of Error in 4 of 5 lines; in C")
