"""Statements of all other kinds, true or at random, most of them impossible."""

from __future__ import annotations

import random
from typing import Any

from benchmarks.proof_corpus.matrices import entries, matrix, printed, rounded

Document = dict[str, Any]


def _entry(rng: random.Random, key: str, name: str, x: float, digits: int) -> Document:
    return rounded(rng, {key: name, "text": printed(rng, x, digits)}, digits)


def average(rng: random.Random) -> Document:
    digits = rng.choice((2, 3, 4))
    values = [rng.uniform(0.5, 0.99) for _ in range(rng.randint(2, 8))]
    statistic = rng.choice(("mean", "mean", "deviation"))
    mean = sum(values) / len(values)
    said = mean if statistic == "mean" else (sum((x - mean) ** 2 for x in values) / len(values)) ** 0.5
    weights = [rng.randint(0, 9) + 1 for _ in values] if statistic == "mean" and rng.random() < 0.3 else None
    return {
        "quantity": rng.choice(("acc", "f1", "Dice")),
        "rows": [_entry(rng, "name", f"row {k}", x, digits) for k, x in enumerate(values)],
        "weights": weights,
        "statistic": statistic,
        "divisor": rng.choice(("any", "sample", "population")),
        "claim": rounded(rng, {"text": printed(rng, abs(said + rng.choice((-0.08, 0.06))), digits)}, digits),
    }


def order(rng: random.Random) -> Document:
    digits = rng.choice((2, 3))
    rivals = [_entry(rng, "name", f"M{k}", rng.uniform(0.1, 0.99), digits) for k in range(rng.randint(1, 4))]
    relation = "better" if len(rivals) == 1 else "best"
    claim = rounded(rng, {"text": printed(rng, rng.uniform(0.1, 0.9), rng.choice((digits, 1)))}, digits)
    return {
        "quantity": rng.choice(("acc", "err", "mcc", "lrn", "f1")),
        "relation": relation,
        "method": "Ours",
        "claim": claim,
        "rivals": rivals,
    }


def relation(rng: random.Random) -> Document:
    digits, formula = rng.choice((1, 2, 3)), rng.choice(("linear", "product", "harmonic", "share"))
    count = 0 if formula == "share" else rng.randint(1, 6)
    weights = {
        "linear": [rng.choice((1, 1, -1, 2)) for _ in range(count)],
        "product": [rng.choice((1, 1, -1, 2, -2)) for _ in range(count)],
        "harmonic": [rng.choice((1, 1, 4)) for _ in range(count)],
        "share": [],
    }[formula]
    whole = rng.choice((1, 100))
    return {
        "relation": rng.choice(("mean", "gain", "F-score")),
        "formula": formula,
        "bound": rng.choice(("equal", "equal", "most", "least")),
        "parts": [_entry(rng, "name", f"part {k}", rng.uniform(0.05, 0.99) * whole, digits) for k in range(count)],
        "weights": list(map(str, weights)),
        "complements": [str(whole) if rng.random() < 0.2 else None for _ in range(count)],
        "factor": rng.choice(("1", "1/3", "-100", "100")),
        "offset": rng.choice(("0", "0", "100", "-1/2")),
        "root": rng.randint(1, 3) if formula == "product" else 1,
        "size": rng.randint(10, 2000) if formula == "share" else None,
        "claim": rounded(rng, {"text": printed(rng, rng.uniform(-0.5, 0.99) * whole, digits)}, digits),
    }


def common_average(rng: random.Random) -> Document:
    digits = rng.choice((2, 3, 4))
    parts = [matrix(rng, rng.randint(1, 40), rng.randint(1, 40)) for _ in range(rng.randint(2, 6))]
    scores = entries(rng, parts, ("ppv", "sens", "f1", "ji", "spec", "acc", "f2")) or []
    if rng.random() < 0.5:
        dice = rng.uniform(0.5, 0.95)
        scores = [
            rounded(rng, {"score": "f1", "text": f"{dice:.{digits}f} ± {rng.uniform(0.01, 0.2):.{digits}f}"}, digits)
        ]
        scores.append(_entry(rng, "score", "ji", dice / (2 - dice) + rng.choice((-0.02, 0.03, 0.1)), digits))
    tree: Document = {"type": "common_average"} | ({"parts": rng.randint(2, 30)} if rng.random() < 0.5 else {})
    return {
        "experiment": tree,
        "scores": scores,
        "undefined": rng.choice(("any", "exclude")),
        "spread": rng.choice(("deviation", "ignore")),
        "divisor": rng.choice(("any", "population", "sample")),
    }


def regression(rng: random.Random) -> Document:
    errors = [rng.gauss(rng.uniform(-1, 1), 2) for _ in range(rng.randint(3, 30))]
    n = len(errors)
    sizes = sorted(map(abs, errors))
    mse = sum(e * e for e in errors) / n
    variance = mse * rng.uniform(1.2, 5)
    bias = sum(errors) / n
    values = {
        "mae": sum(sizes) / n,
        "mse": mse,
        "rmse": mse**0.5,
        "maxe": sizes[-1],
        "medae": (sizes[n // 2] + sizes[(n - 1) // 2]) / 2,
        "bias": bias,
        "r2": 1 - mse / variance,
        "ev": 1 - (mse - bias * bias) / variance,
        "variance": variance,
        "r": rng.uniform(-1, 1),
    }
    chosen = rng.sample(list(values), rng.randint(2, 5))
    moved = rng.choice(chosen)
    digits = rng.choice((2, 3))
    scores = [
        _entry(rng, "score", name, values[name] * (rng.choice((0.4, 2.2)) if name == moved else 1), digits)
        for name in chosen
    ]
    tree: Document = {"type": "regression"}
    if rng.random() < 0.6:
        tree["n"] = n
        if rng.random() < 0.3:
            tree["integers"] = True
    elif rng.random() < 0.5:
        tree["folds"] = rng.choice((5, "unknown"))
        scores = [
            score | {"text": score["text"] + " ± 0.10"}
            if score["score"] == "rmse" and "%" not in score["text"]
            else score
            for score in scores
        ]
    return {"experiment": tree, "scores": scores, "spread": "deviation", "divisor": rng.choice(("any", "sample"))}


def shared_variance(rng: random.Random) -> Document:
    rows = []
    for name in "AB":
        scores = [
            _entry(rng, "score", rng.choice(("mse", "rmse")), rng.uniform(0.5, 3), 3),
            _entry(rng, "score", "r2", rng.uniform(-0.2, 0.9), 3),
        ]
        rows.append({"name": name, "scores": [{**score, "name": f"{score['score']} of {name}"} for score in scores]})
    return {"rows": rows}


def curve(rng: random.Random) -> Document | None:
    p, n = rng.randint(2, 60), rng.randint(2, 60)
    scores = entries(rng, [matrix(rng, p, n)], ("sens", "spec", "acc", "ppv", "f1")) or []
    areas = [
        _entry(
            rng,
            "score",
            rng.choice(("auc", "auc", "ap", "auprc", "best_acc")),
            rng.uniform(0.2, 0.99),
            rng.choice((2, 3, 4)),
        )
    ]
    tree: Document = {"type": "testset", "p": p, "n": n}
    document: Document = {
        "experiment": tree,
        "undefined": rng.choice(("any", "zero", "exclude")),
        "ties": rng.random() < 0.5,
    }
    draw = rng.random()
    if draw < 0.2:
        areas[0]["score"], tree = "auc", {"type": "unknown_classes"}
        document |= {"experiment": tree, "undefined": "any", "ties": True}
    elif draw < 0.35 and scores:
        areas[0]["score"] = "auc"
        scores = [score for score in scores if score["score"] in ("sens", "spec")]
        tree = {
            "type": "kfold",
            "p": p,
            "n": n,
            "k": 2,
            "repeats": 1,
            "stratified": True,
            "aggregation": "mean_of_scores",
            "rule": "scikit-learn",
        }
        document |= {
            "experiment": tree,
            "ties": True,
            "spread": "deviation",
            "divisor": "any",
            "spread_over": "any",
            "minimum": [],
            "maximum": [],
            "attained": True,
            "extremes_over": "parts",
            "fold_digits": None,
        }
    elif draw < 0.5:
        areas[0]["score"] = "auc"
        scores = [score for score in scores if score["score"] in ("sens", "spec")]
        document["points"] = [[_entry(rng, "score", name, rng.uniform(0.3, 0.95), 2) for name in ("sens", "spec")]]
    if "points" not in document and rng.random() < 0.2:
        areas[0]["score"] = "auc"
        document |= {"concave": True, "ties": True}
    if "points" not in document and rng.random() < 0.3:
        areas[0]["score"] = "auc"
        document |= {"ties": True, "concave": True}
    return {**document, "scores": areas + scores}


def ranking(rng: random.Random) -> Document:
    names = rng.sample(
        ("hits@1", "hits@3", "hits@10", "mrr", "mrr@10", "ndcg@10", "ndcg", "mr", "p@5"), rng.randint(1, 4)
    )
    queries = rng.choice((7, 100, 3134))
    hits = dict(
        zip(("hits@1", "hits@3", "hits@10"), sorted(rng.randint(0, queries) / queries for _ in range(3)), strict=True)
    )
    scores = [
        _entry(rng, "score", name, rng.uniform(1, 9) if name == "mr" else hits.get(name, rng.uniform(0.02, 0.9)), 3)
        for name in names
    ]
    tree: Document = {"type": "ranking", **({"queries": queries} if rng.random() < 0.7 else {})} | (
        {"candidates": rng.choice((20, 40943))} if rng.random() < 0.4 else {}
    )
    return {"experiment": tree, "scores": scores}


_OVERLAPS = tuple(f"ap{percent}" for percent in range(50, 100, 5))


def detection(rng: random.Random) -> Document:
    """Of all classes together; half of them with sizes of objects, or with some scores by class."""
    names = ["ppv", "sens", "f1", *_OVERLAPS[::5], "ap95", "map", "ar1", "ar10", "ar100", "max_recall"]
    classes = rng.choice((None, 1))
    shape = rng.random()
    if shape < 0.25:
        names = [f"{what}_{size}" for size in ("small", "medium", "large") for what in ("ap", "ar")]
    elif shape < 0.5:
        classes = rng.randint(2, 4)
        own = [*rng.sample(("map", *_OVERLAPS, "ap_small"), 2)]
        names = [*own, *(f"{name} of class {k + 1}" for name in own for k in range(classes))]
    names = names if len(names) < 8 and rng.random() < 0.5 else rng.sample(names, rng.randint(2, 5))
    tree: Document = {"type": "detection"} | ({} if classes is None else {"classes": classes})
    if {"ppv", "sens", "f1"} & {*names} or rng.random() < 0.3:
        tree["objects"] = rng.choice((9, 150))
    scores = [_entry(rng, "score", name, rng.uniform(0.1, 0.95), rng.choice((2, 3, 4))) for name in names]
    return {"experiment": tree, "scores": scores, "interpolation": rng.choice(("any", "101", "11", "all"))}


def _class_scores(rng: random.Random, classes: int, *, whole: bool) -> list[Document]:
    digits = rng.choice((2, 3))
    scores: list[Document] = []
    for name in rng.sample(("sens", "ppv", "f1", "ji"), rng.randint(1, 3)):
        if rng.random() < 0.6:
            scores += [_entry(rng, "score", name, rng.uniform(0.3, 1), digits) | {"class": k} for k in range(classes)]
        for way in ("macro", "weighted", "micro"):
            if rng.random() < 0.35:
                scores.append(_entry(rng, "score", name, rng.uniform(0.4, 1), digits) | {"average": way})
    if whole and (rng.random() < 0.6 or not scores):
        scores.append(_entry(rng, "score", rng.choice(("acc", "acc", "kappa", "mcc")), rng.uniform(0.3, 1), digits))
    return scores


def _classes(rng: random.Random, sets: int) -> list[Document]:
    most = rng.choice((5, 20, 60))
    return [
        {"name": name, "counts": [rng.randint(1, most) for _ in range(sets)]} for name in "abcd"[: rng.randint(2, 4)]
    ]


def multi_class(rng: random.Random) -> Document:
    classes = _classes(rng, 2 if rng.random() < 0.15 else 1)
    scores = [
        score
        for score in _class_scores(rng, len(classes), whole=True)
        if len(classes[0]["counts"]) == 1 or score["score"] not in ("kappa", "mcc")
    ]
    return {
        "classes": classes,
        "scores": scores,
        "undefined": rng.choice(("any", "zero", "skip", "exclude", "one")),
        "macro_f1": rng.choice(("any", "mean", "of means")),
    }


def multi_label(rng: random.Random) -> Document:
    classes = _classes(rng, 1)
    total = [sum(one["counts"][0] for one in classes) + 5] if rng.random() < 0.7 else None
    return {
        "classes": classes,
        "scores": _class_scores(rng, len(classes), whole=False),
        "total": total,
        "undefined": rng.choice(("any", "zero", "skip")),
        "macro_f1": "mean",
    }


def printed_classes(rng: random.Random) -> Document:
    k = rng.randint(2, 4)
    cells = [[rng.randint(0, 12) + (8 if i == j else 0) for j in range(k)] for i in range(k)]
    cases = sum(map(sum, cells))
    classes = [{"name": f"c{i}", "counts": [sum(row)]} for i, row in enumerate(cells)]
    return {
        "classes": classes,
        "matrix": cells,
        "total": rng.choice((None, cases, cases + 1)),
        "scores": _class_scores(rng, k, whole=True),
        "undefined": rng.choice(("any", "zero")),
        "macro_f1": rng.choice(("any", "mean")),
    }


def printed_shares(rng: random.Random) -> Document:
    document = printed_classes(rng)
    cells = document.pop("matrix")
    document.pop("total")
    shares = [[f"{cell / max(1, sum(row)) + rng.choice((0, 0, 0, 0.03)):.2f}" for cell in row] for row in cells]
    return {**document, "shares": shares, "shares_rounding": rng.choice(("nearest", "any"))}


def unknown_counts(rng: random.Random) -> Document:
    document = multi_class(rng)
    names = [each["name"] for each in document.pop("classes")]
    return {**document, "classes": names, "total": rng.choice((7, 20, 60, 1000))}


def proportion_interval(rng: random.Random) -> Document:
    n = rng.choice((None, 20, 35, 400))
    x, width = rng.randint(20, 39) / 40 if n is None else rng.randint(n // 2, n) / n, rng.uniform(0.01, 0.1)
    ends = {"value": x + rng.choice((0, 0, 0, 0.213)), "low": x - width, "high": min(1.0, x + width)}
    claims = [_entry(rng, "name", name, ends[name], 3) for name in rng.sample(list(ends), 3)]
    return {
        "n": n,
        "level": rng.choice(("0.95", "0.9")),
        "method": rng.choice(("any", "clopper-pearson")),
        "claims": claims,
    }


def _p(rng: random.Random) -> Document:
    return {
        "relation": rng.choice("=<>"),
        "text": rng.choice(("0.05", "0.01", "0.001", "0.613", "0.5")),
        "rounding": rng.choice(("any", "nearest")),
    }


def paired_counts(rng: random.Random) -> Document:
    pairs = []
    for _ in range(rng.choice((1, 1, 1, 2))):
        n = rng.choice((10, 38, 200))
        first, second = (rounded(rng, {"text": f"{rng.randint(n // 2, n) / n:.2f}"}, 2) for _ in range(2))
        pairs.append({"cases": n, "first": first, "second": second})
    methods = ["exact", "exact, one-sided", "mid-p", "chi2", "chi2-corrected", "chi2-corrected-always"]
    return {"pairs": pairs, "p": _p(rng), "methods": methods if rng.random() < 0.5 else [rng.choice(methods)]}


def reported_test(rng: random.Random) -> Document:
    test = rng.choice(("t", "z", "r", "chi2", "F"))
    value = rng.uniform(0, 1.05) if test == "r" else rng.uniform(-4 if test in "tz" else -0.3, 12)
    spans = [[k, k + rng.choice((0, 0, 0, 1))] for k in (rng.choice((1, 2, 3, 8, 28, 300, 5000)) for _ in range(2))]
    return {
        "test": test,
        "df": spans[: {"z": 0, "F": 2}.get(test, 1)],
        "relation": rng.choice("====<>"),
        "statistic": rounded(rng, {"text": f"{value:.2f}"}, 2),
        "sides": rng.choice(("any", "one", "two")),
        "p": _p(rng),
    }


def sign_patterns(rng: random.Random) -> Document:
    statistic = rounded(rng, {"text": str(rng.randint(1, 60))}, 1) if rng.random() < 0.5 else None
    return {
        "pairs": rng.randint(3, 9),
        "sides": rng.choice(("any", "one", "two")),
        "p": _p(rng),
        "statistic": statistic,
    }


def mean_ranks(rng: random.Random) -> Document:
    k, sets = rng.randint(2, 5), rng.choice((5, 10, 12))
    digits, grain = rng.choice((2, 3)), sets if rng.random() < 0.8 else 7 * sets
    ranks = [rng.randint(grain, k * grain) / grain for _ in range(k)]
    if rng.random() < 0.5:  # all small, or all large
        ranks = [rank if rng.random() < 0.3 else rng.choice((1.0, 1.2)) for rank in ranks]
        ranks = ranks if rng.random() < 0.5 else [k + 1 - rank for rank in ranks]
    claims = [_entry(rng, "name", f"m{i}", rank, digits) for i, rank in enumerate(ranks[: rng.randint(1, k)])]
    return {"methods": k, "data_sets": sets, "ties": rng.random() < 0.6, "claims": claims}


def value_spread(rng: random.Random) -> Document:
    shares = rng.random() < 0.5
    claims = [
        _entry(rng, "name", "mean", rng.uniform(0.5, 0.999), rng.choice((2, 3, 4))),
        _entry(rng, "name", "sd", rng.uniform(0.01, 0.6), rng.choice((2, 3))),
    ]
    return {
        "values": rng.randint(2, 10),
        "least": "0",
        "most": "1",
        "fold": rng.choice((10, 20)) if shares else None,
        "spread": rng.choice(("deviation", "error", "either")),
        "claims": claims,
    }
