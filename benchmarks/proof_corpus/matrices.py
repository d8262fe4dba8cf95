"""Statements about confusion matrices, true ones with one number moved: one test set, folds, unknown classes."""

from __future__ import annotations

import random
from typing import Any

Document = dict[str, Any]
Matrix = tuple[int, int, int, int]  # p, n, tp, tn
_NAMES = (
    "acc",
    "sens",
    "spec",
    "ppv",
    "npv",
    "f1",
    "f2",
    "f0.5n",
    "ji",
    "bm",
    "bacc",
    "mcc",
    "kappa",
    "gm",
    "fm",
    "upm",
    "mk",
    "err",
    "fpr",
    "fdr",
    "for",
    "fnr",
    "lrp",
    "lrn",
    "dor",
    "pt",
)
_USUAL = ("acc", "sens", "spec", "ppv", "npv", "f1", "mcc", "bacc", "kappa")


def value(name: str, matrix: Matrix) -> float | None:
    """A score as a program computes it; None where it is not a number."""
    p, n, tp, tn = matrix
    fn, fp = p - tp, n - tn
    x = tp * tn - fp * fn
    ratios: dict[str, tuple[float, float]] = {
        "acc": (tp + tn, p + n),
        "err": (fp + fn, p + n),
        "sens": (tp, p),
        "fnr": (fn, p),
        "spec": (tn, n),
        "fpr": (fp, n),
        "ppv": (tp, tp + fp),
        "fdr": (fp, tp + fp),
        "npv": (tn, tn + fn),
        "for": (fn, tn + fn),
        "f1": (2 * tp, 2 * tp + fp + fn),
        "f2": (5 * tp, 5 * tp + 4 * fn + fp),
        "f0.5n": (1.25 * tn, 1.25 * tn + 0.25 * fp + fn),
        "ji": (tp, tp + fp + fn),
        "bm": (x, p * n),
        "bacc": (tp * n + tn * p, 2 * p * n),
        "mk": (x, (tp + fp) * (tn + fn)),
        "kappa": (2 * x, (tp + fp) * n + p * (tn + fn)),
        "gm": (tp * tn, p * n),
        "fm": (tp * tp, (tp + fp) * p),
        "upm": (4 * tp * tn, 4 * tp * tn + (tp + tn) * (fp + fn)),
        "lrp": (tp * n, p * fp),
        "lrn": (fn * n, p * tn),
        "dor": (tp * tn, fp * fn),
        "pt": (fp * p, fp * p + tp * n),
        "mcc": (x * abs(x), (tp + fp) * (tn + fn) * p * n),
    }
    above, below = ratios[name]
    if below == 0:
        return None
    w = above / below
    if name in ("gm", "fm", "mcc"):
        return float(abs(w) ** 0.5 * (1 if w >= 0 else -1))
    return float(w**0.5 / (w**0.5 + (1 - w) ** 0.5)) if name == "pt" else w


def printed(rng: random.Random, x: float, digits: int, moved: int = 0) -> str:
    """A number as papers print it, perhaps some units off; now and then as a percentage."""
    text = f"{x + moved * 10.0**-digits:.{digits}f}"
    if rng.random() < 0.08 and digits > 2:
        return f"{(x + moved * 10.0**-digits) * 100:.{digits - 2}f}%"
    return text


def rounded(rng: random.Random, document: Document, digits: int) -> Document:
    """With a rounding rule, or now and then an eps."""
    if rng.random() < 0.1:
        return {**document, "eps": f"{6 * 10.0**-digits / 10:.{digits + 1}f}"}
    return {**document, "rounding": rng.choice(("nearest", "nearest", "any", "floor", "ceil"))}


def matrix(rng: random.Random, p: int, n: int) -> Matrix:
    sens, spec = rng.uniform(0.4, 1), rng.uniform(0.4, 1)
    return p, n, min(p, round(p * sens)), min(n, round(n * spec))


def entries(
    rng: random.Random,
    matrices: list[Matrix],
    names: tuple[str, ...],
    *,
    spread: bool = False,
    moves: tuple[int, ...] = (-30, -4, 3, 25),
) -> list[Document] | None:
    """The mean of scores over matrices, one of them moved."""
    digits = rng.choice((2, 3, 4))
    chosen = rng.sample(names, rng.randint(2, 4))
    moved = rng.randrange(len(chosen))
    found = []
    for at, name in enumerate(chosen):
        values = [value(name, one) for one in matrices]
        known = [x for x in values if x is not None]
        if len(known) < len(values):
            return None
        mean = sum(known) / len(known)
        text = printed(rng, mean, digits, rng.choice(moves) if at == moved else 0)
        if spread and rng.random() < 0.6:
            deviation = (sum((x - mean) ** 2 for x in known) / max(1, len(known) - rng.randint(0, 1))) ** 0.5
            text += f" ± {deviation + rng.choice((0, 0, 0.01)):.{digits}f}" + ("%" if text.endswith("%") else "")
        found.append(rounded(rng, {"score": name, "text": text}, digits))
    return found


def test_set(rng: random.Random) -> Document | None:
    size = rng.choice((6, 40, 300, 5000, 10**6))
    p, n = rng.randint(0 if rng.random() < 0.1 else 1, size), rng.randint(1, size)
    scores = entries(rng, [matrix(rng, p, n)], _NAMES)
    return (
        None
        if scores is None
        else {
            "experiment": {"type": "testset", "p": p, "n": n},
            "scores": scores,
            "undefined": rng.choice(("any", "zero", "one", "exclude", "skip")),
        }
    )


def _sets(rng: random.Random, count: int, size: int) -> list[tuple[int, int]]:
    return [(rng.randint(1, size), rng.randint(1, size)) for _ in range(count)]


def _experiment(rng: random.Random) -> tuple[Document, list[Matrix]]:
    """An experiment with several sets, and matrices it may have had."""
    shape = rng.choice(("kfold", "kfold", "mean", "nested", "datasets", "sum", "unknown", "images"))
    if shape == "datasets":
        k = rng.choice((2, 3))
        folds = _sets(rng, rng.randint(2, 3), 6)
        parts = [{"type": "kfold", "p": k * p, "n": k * n, "k": k} for p, n in folds]
        return {"type": "mean_of_scores", "parts": parts}, [matrix(rng, *fold) for fold in folds for _ in range(k)]
    if shape == "kfold":
        k, repeats = rng.choice((2, 3, 5)), rng.choice((1, 1, 2))
        p, n = rng.randint(k, 40), rng.randint(k, 60)
        stratified = rng.random() < 0.7
        tree: Document = {"type": "kfold", "p": p, "n": n, "k": k, "repeats": repeats, "stratified": stratified}
        tree["rule"] = rng.choice(("balanced", "scikit-learn") if stratified else ("any", "trainable"))
        tree["aggregation"] = rng.choice(("mean_of_scores",) * 5 + ("score_of_means", "unknown"))
        folds = [((p + i) // k, (n + k - 1 - i) // k) for i in range(k)] * repeats
        return tree, [matrix(rng, *fold) for fold in folds]
    size = rng.choice((500, 200_000)) if shape == "images" else rng.choice((4, 12, 60))
    sets = _sets(rng, rng.randint(2, 4), size)
    parts = [{"type": "testset", "p": p, "n": n} for p, n in sets]
    matrices = [matrix(rng, p, n) for p, n in sets]
    if shape == "nested" and len(parts) > 2:
        return {"type": "mean_of_scores", "parts": [parts[0], {"type": "mean_of_scores", "parts": parts[1:]}]}, matrices
    kind = {"sum": "score_of_means", "unknown": "unknown_aggregation"}.get(shape, "mean_of_scores")
    return {"type": kind, "parts": parts}, matrices


def several(rng: random.Random) -> Document | None:
    """A mean (or a sum, or who knows) over sets, with all that can be said of it."""
    tree, matrices = _experiment(rng)
    summed = "score_of_means" in (tree["type"], tree.get("aggregation"))
    spread = not summed and rng.random() < 0.35
    scores = entries(rng, matrices, _USUAL, spread=spread)
    if scores is None:
        return None
    document: Document = {"experiment": tree, "scores": scores}
    document |= {
        "undefined": rng.choice(("any", "any", "zero", "skip", "exclude", "one")),
        "spread": rng.choice(("deviation", "deviation", "error", "ignore")),
    }
    document |= {
        "divisor": rng.choice(("any", "population", "sample", "each")),
        "spread_over": "any",
        "minimum": [],
        "maximum": [],
    }
    document |= {"attained": rng.random() < 0.8, "extremes_over": rng.choice(("parts", "folds")), "fold_digits": None}
    if not summed and rng.random() < 0.25:
        name = scores[0]["score"]
        values = [x for one in matrices if (x := value(name, one)) is not None]
        document["minimum"] = [{"score": name, "text": f"{min(values):.3f}", "rounding": "nearest"}]
        document["maximum"] = [
            {"score": name, "text": f"{max(values) - rng.choice((0, 0.05)):.3f}", "rounding": "nearest"}
        ]
    if not summed and rng.random() < 0.1:
        document["fold_digits"] = 3
    if "unknown" not in (tree.get("aggregation"), tree["type"].split("_")[0]) and rng.random() < 0.2:
        tree["ranges"] = {
            rng.choice(("acc", "sens", "spec")): [
                rng.choice((None, "0.5", {"text": "0.62", "rounding": "any"})),
                rng.choice((None, "0.9")),
            ]
        }
    return document


def few_folds(rng: random.Random) -> Document | None:
    """A mean with its deviation over a few folds of some hundred cases, whose points are listed within limits."""
    k = rng.choice((2, 3, 3, 4))
    p, n = rng.randint(30, 90), rng.randint(700, 1200)
    stratified = rng.random() < 0.4
    tree: Document = {"type": "kfold", "p": p * (10 if stratified else 1), "n": n, "k": k, "stratified": stratified}
    if not stratified:
        tree["rule"] = rng.choice(("any", "trainable"))
    sens, spec = rng.uniform(0.5, 0.95), rng.uniform(0.5, 0.97)
    folds = [((tree["p"] + i) // k, (n + k - 1 - i) // k) for i in range(k)]
    matrices = [
        (a, b, round(a * (sens + 0.04 * rng.random())), round(b * (spec + 0.02 * rng.random()))) for a, b in folds
    ]
    names = ("acc", "sens", "spec", "err", "fnr", "fpr", "f1", "mcc", "bacc")
    scores = entries(rng, matrices, names, spread=True)
    return (
        None
        if scores is None
        else {
            "experiment": tree,
            "scores": scores,
            "undefined": rng.choice(("any", "zero", "skip", "exclude", "one")),
            "spread": rng.choice(("deviation", "deviation", "error")),
            "divisor": rng.choice(("any", "any", "population", "sample", "each")),
        }
    )


def images(rng: random.Random) -> Document | None:
    """Means over images, too large for their points to be listed."""
    sets = [(rng.randint(2_000, 60_000), rng.randint(20_000, 300_000)) for _ in range(rng.randint(2, 4))]
    parts: list[Document] = [{"type": "testset", "p": p, "n": n} for p, n in sets]
    if len(parts) > 2 and rng.random() < 0.3:
        parts = [parts[0], {"type": "mean_of_scores", "parts": parts[1:]}]
    names = ("acc", "ppv", "sens", "f1", "spec")
    scores = entries(rng, [matrix(rng, p, n) for p, n in sets], names, moves=(-1000, -150, 120, 900))
    undefined = rng.choice(("any", "zero", "skip", "exclude"))
    return (
        None
        if scores is None
        else {
            "experiment": {"type": "mean_of_scores", "parts": parts},
            "scores": scores,
            "undefined": undefined,
        }
    )


def unknown(rng: random.Random) -> Document | None:
    p, n = rng.randint(1, 200), rng.randint(1, 200)
    scores = entries(rng, [matrix(rng, p, n)], _NAMES if rng.random() < 0.4 else _USUAL)
    tree: Document = {"type": "unknown_classes"}
    if rng.random() < 0.4:
        tree["total"] = [p + n, p + n + rng.choice((0, 0, 3))]
    if rng.random() < 0.3:
        tree["prevalence"] = {"text": f"{p / (p + n):.2f}", "rounding": "nearest"}
    return (
        None if scores is None else {"experiment": tree, "scores": scores, "undefined": rng.choice(("any", "exclude"))}
    )


def one_test_set(rng: random.Random) -> Document | None:
    rows = []
    for name in ("Ours", "Théirs"):
        scores = entries(
            rng, [matrix(rng, rng.randint(1, 100), rng.randint(1, 100))], ("acc", "sens", "spec", "ppv", "f1", "npv")
        )
        if scores is None:
            return None
        rows.append({"name": name, "scores": [{**score, "name": f"{score['score']} of {name}"} for score in scores]})
    return {"rows": rows, "total": rng.choice((None, [200, 200])), "undefined": rng.choice(("any", "exclude"))}


def printed_matrix(rng: random.Random) -> Document | None:
    p, n, tp, tn = made = matrix(rng, rng.randint(1, 80), rng.randint(1, 80))
    counts = {"tp": tp, "fn": p - tp, "tn": tn, "fp": n - tn, "p": p, "n": n, "total": p + n}
    chosen = rng.sample(list(counts), rng.randint(2, 6))
    scores = entries(rng, [made], _USUAL)
    wrong = rng.choice(chosen) if rng.random() < 0.3 else ""
    listed = [[name, counts[name] + (name == wrong)] for name in chosen]
    return (
        None
        if scores is None
        else {"counts": listed, "scores": scores, "undefined": rng.choice(("any", "zero", "exclude"))}
    )
