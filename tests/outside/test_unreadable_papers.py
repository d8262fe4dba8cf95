"""Papers from which no table can be read say which file it is and what to do next."""

from __future__ import annotations

from pathlib import Path

import pytest

import scoreproof as sp
from scoreproof.papers.printed_in_text import printed_scores
from scoreproof.papers.text_facts.facts import Sentence

TEXT = "The test set had 96 ill and 104 healthy patients. Our network reached a sensitivity, specificity and accuracy of 87.1%, 75.0% and 80.8%, respectively."


def refused(folder: Path, text: str) -> str:
    paper = folder / "paper.md"
    paper.write_text(f"# Results\n\n{text}\n", encoding="utf-8")
    with pytest.raises(sp.ScoreproofError) as raised:
        sp.audit(paper)
    assert "paper.md: no table was found" in str(raised.value)
    return str(raised.value)


def test_scores_in_sentences_become_a_command(tmp_path: Path) -> None:
    said = refused(tmp_path, TEXT)
    assert "scoreproof check --p 96 --n 104 sens=87.1% spec=75.0% acc=80.8%" in said
    unsized = refused(tmp_path, TEXT.partition(". ")[2])
    assert "scoreproof check --p POSITIVES --n NEGATIVES sens=87.1%" in unsized


def test_figures_are_named_where_no_score_is_printed(tmp_path: Path) -> None:
    assert "its results may be in figures" in refused(tmp_path, "The results are shown in Figure 3.")
    assert "give the numbers as a CSV file" in refused(tmp_path, "There are no results.")


def test_one_score_is_checked_where_the_sizes_are_known(tmp_path: Path) -> None:
    text = "The test set had 96 positives and 104 negatives. We reach sensitivity 0.871."
    assert "scoreproof check --p 96 --n 104 sens=0.871" in refused(tmp_path, text)
    assert "scoreproof check" not in refused(tmp_path, "We reach sensitivity 0.871.")


@pytest.mark.parametrize(
    ("text", "scores"),
    [
        ("We had an accuracy of 91.2% and an F1 score of 0.88.", {"acc": "91.2%", "f1": "0.88"}),
        ("The AUC was 0.91.", {"auc": "0.91"}),
        ("Sensitivity and specificity were 0.9, 0.8 and 0.7.", {}),  # three numbers for two names
        ("It has sensitivity 0.87 and specificity 75.0% on 5 folds.", {"sens": "0.87", "spec": "75.0%"}),
        ("Accuracy 5 folds later fell.", {}),
        ("The colour of 12.5% was red.", {}),
        ("The mean age was 61.2 and the accuracy was 0.91.", {"acc": "0.91"}),
    ],
)
def test_as_many_numbers_as_names(text: str, scores: dict[str, str]) -> None:
    assert printed_scores(Sentence(text)) == scores
