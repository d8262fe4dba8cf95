"""One command on twenty-one papers in four formats: the right outcome of every row, and nobody accused wrongly."""

from __future__ import annotations

from pathlib import Path

import pytest
from made_papers import FORMATS, PAPERS, written

from scoreproof.papers.auditing import audit
from scoreproof.papers.result import Outcome


@pytest.mark.parametrize("kind", FORMATS)
def test_papers_are_audited_without_an_edit(kind: str, tmp_path: Path) -> None:
    right = []
    for paper in PAPERS:
        result = audit(written(paper, kind, tmp_path), explain=False, strength=False, jobs=1, budget=10)
        expected = [outcome for table in paper.tables for outcome in table.outcomes]
        rows = result.rows()
        assert Outcome.INCONSISTENT not in [row.outcome for row in rows], paper.name  # too few rows to bear it out
        right.append([str(row.outcome) for row in rows] == expected)
        assert all(said.sentence for said in result.extracted), paper.name
    assert len(PAPERS) == 21
    assert all(right), [paper.name for paper, good in zip(PAPERS, right, strict=True) if not good]
