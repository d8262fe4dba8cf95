"""One confusion matrix: our check against mlscorecheck's, and how cost grows with p and n."""

from __future__ import annotations

import itertools
import random
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from decimal import Decimal

import scoreproof as sp
from benchmarks.measure import Row, best, both

EPS = "0.0001"
_SIZES = ((100, 200), (1_000, 6_000), (10_000, 60_000), (100_000, 1_000_000))
_UNIT = Decimal("0.0001")


def report(p: int, n: int, names: tuple[str, ...], move: int = 0) -> dict[str, str]:
    """The scores of a plausible matrix to four digits; ``move`` shifts the last of them by that many units."""
    tp, tn = round(0.8123 * p), round(0.9034 * n)
    texts = {name: str(sp.score(name).text(tp, n - tn, p - tp, tn, digits=4)) for name in names}
    texts[names[-1]] = str(Decimal(texts[names[-1]]) + move * _UNIT)
    return texts


def _ours(p: int, n: int, texts: dict[str, str]) -> Callable[[], object]:
    return lambda: sp.check(sp.TestSet(p, n), texts, eps=EPS, strict=True)


def _theirs(p: int, n: int, texts: dict[str, str]) -> Callable[[], object]:
    from mlscorecheck.check.binary import check_1_testset_no_kfold

    floats = {{"f1": "f1p"}.get(name, name): float(text) for name, text in texts.items()}
    return lambda: check_1_testset_no_kfold(testset={"p": p, "n": n}, scores=floats, eps=float(EPS))


def _against_peer() -> Iterator[Row]:
    linear = ("acc", "sens", "spec", "f1")
    for p, n in _SIZES:
        for move, word in ((0, "consistent"), (60, "inconsistent")):
            texts = report(p, n, linear, move)
            times = both(_ours(p, n, texts), _theirs(p, n, texts))
            verdict = sp.check(sp.TestSet(p, n), texts, eps=EPS, strict=True).verdict
            if verdict != word:
                raise RuntimeError(f"expected {word}, got {verdict} for {texts}")
            yield Row(f"acc, sens, spec, f1 at ({p}, {n}), {word}", *times, promised_ratio=5)
    for (p, n), ratio in zip(_SIZES[2:], (2_000, 10_000), strict=True):
        texts = report(p, n, ("mcc", "upm"), 300)
        ours, theirs = best(_ours(p, n, texts)), best(_theirs(p, n, texts), repeats=0)
        yield Row(f"mcc, upm at ({p}, {n}), inconsistent", ours, theirs, promised_ratio=ratio)


def _all_pairs() -> Iterator[Row]:
    """The slowest of all pairs (and some larger sets) of the twenty scores, true and moved."""
    names = [one.name for one in sp.known_scores() if one.complement is None and one.builtin]
    rng = random.Random(5)
    sets = [
        *itertools.combinations(names, 2),
        *(tuple(rng.sample(names, rng.randint(3, 8))) for _ in range(100)),
    ]
    for size in (10**7, 10**12, 10**15):
        slowest, which = 0.0, ""
        for chosen in sets:
            tp, tn = rng.randint(size // 2, size), rng.randint(size // 2, size)
            texts = {name: str(sp.score(name).text(tp, size - tn, size - tp, tn, digits=4)) for name in chosen}
            moved = rng.choice(chosen)
            texts[moved] = str(Decimal(texts[moved]) + rng.choice([0, 0, 1, -1, 3, -3, 20]) * _UNIT)
            took = []
            for _ in range(3):
                start = time.perf_counter()
                sp.check(sp.TestSet(size, size), texts, rounding=rng.choice(["nearest", "any"]), strict=True)
                took.append(time.perf_counter() - start)
            if min(took) > slowest:
                slowest, which = min(took), " ".join(f"{name}={text}" for name, text in texts.items())
        yield Row(f"slowest of {len(sets)} sets at p = n = {size:.0e}", slowest, promised_seconds=0.020, note=which)


def _growth() -> Iterator[Row]:
    base = None
    for exponent in (2, 4, 6, 9, 12, 15, 18):
        size = 10**exponent
        texts = report(size, size, ("f1", "mcc"), 3)
        ours = best(lambda size=size, texts=texts: sp.check(sp.TestSet(size, size), texts, strict=True))  # type: ignore[misc]
        base = base or ours
        yield Row(f"f1, mcc at p = n = 1e{exponent}", ours, note=f"{ours / base:.1f} times the time at 1e2")


def _process(*arguments: str) -> float:
    def run() -> None:
        subprocess.run([sys.executable, *arguments], check=False, capture_output=True)

    return best(run, repeats=4)


def _start() -> Iterator[Row]:
    bare = _process("-c", "pass")
    ours = _process("-c", "import scoreproof") - bare
    theirs = _process("-c", "import mlscorecheck") - bare
    yield Row("import", ours, theirs, promised_ratio=3, promised_seconds=0.3)
    command = (
        "-m",
        "scoreproof",
        "check",
        "--p",
        "1000",
        "--n",
        "6000",
        "acc=0.6801",
        "npv=0.9401",
        "f1=0.4004",
    )
    yield Row("scoreproof check, whole command", _process(*command), promised_seconds=0.6)


def rows() -> Iterator[Row]:
    """All of the above."""
    yield from _against_peer()
    yield from _all_pairs()
    yield from _growth()
    yield from _start()
