"""Retrieval measures against trec_eval (pytrec-eval-terrier) on random runs, ties and gaps included."""

from __future__ import annotations

import numpy as np
import pytest
import pytrec_eval

from scoreproof.metrics import evaluate_retrieval, ranking

DEPTHS = (1, 5, 10, 100)
MEASURES = {"map", "Rprec", "bpref", "recip_rank", "P", "recall", "ndcg", "ndcg_cut"}


def random_case(seed):
    rng = np.random.default_rng(seed)
    judgements, run = {}, {}
    for q in range(6):
        documents = [f"d{i}" for i in range(40)]
        judged = rng.choice(documents, int(rng.integers(1, 30)), replace=False)
        judgements[f"q{q}"] = {str(name): int(rng.choice([0, 0, 0, 1, 2, 3])) for name in judged}
        retrieved = rng.choice(documents, int(rng.integers(1, 40)), replace=False)
        scores = rng.normal(size=retrieved.size).round(int(rng.integers(0, 3)))
        run[f"q{q}"] = {str(name): float(score) for name, score in zip(retrieved, scores, strict=True)}
    return judgements, run


@pytest.mark.parametrize("seed", range(25))
def test_every_measure(seed):
    judgements, run = random_case(seed)
    wanted = {
        f"{name}.{','.join(map(str, DEPTHS))}" if name in ("P", "recall", "ndcg_cut") else name for name in MEASURES
    }
    theirs = pytrec_eval.RelevanceEvaluator(judgements, wanted).evaluate(run)
    ours = evaluate_retrieval(judgements, run, k=DEPTHS)
    assert set(ours.per_query) == set(theirs)
    for query, values in theirs.items():
        for name, value in values.items():
            assert ours.per_query[query][name] == pytest.approx(value, rel=1e-9, abs=1e-12), (query, name)


def test_scores_that_differ_beyond_single_precision_are_ties():
    scores = {"a": 1.0 + 1e-12, "b": 1.0, "c": 1.0 + 1e-6}
    order = ranking(scores)
    assert order == ["c", "b", "a"]
    for place, name in enumerate(order, 1):
        evaluator = pytrec_eval.RelevanceEvaluator({"q": {name: 1}}, {"recip_rank"})
        assert evaluator.evaluate({"q": scores})["q"]["recip_rank"] == pytest.approx(1 / place)


def test_names_break_ties_by_their_bytes():
    scores = {"é": 1.0, "z": 1.0, "Z": 1.0, "d10": 1.0, "d9": 1.0}
    for place, name in enumerate(ranking(scores), 1):
        evaluator = pytrec_eval.RelevanceEvaluator({"q": {name: 1}}, {"recip_rank"})
        assert evaluator.evaluate({"q": scores})["q"]["recip_rank"] == pytest.approx(1 / place)


def test_queries_without_results_are_left_out_or_count_as_zero():
    judgements, run = random_case(1)
    full = evaluate_retrieval(judgements, run).mean["map"]
    judgements["q9"] = {"d1": 1}
    run["q8"] = {"d1": 0.5}
    skipped = evaluate_retrieval(judgements, run)
    assert (skipped.missing, skipped.unjudged) == (("q9",), ("q8",))
    assert skipped.mean["map"] == pytest.approx(full)
    zeros = evaluate_retrieval(judgements, run, missing="zero")
    assert zeros.mean["map"] == pytest.approx(full * 6 / 7)
