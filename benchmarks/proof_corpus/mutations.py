"""Alterations of a certificate, by sort: each changes one thing at random, and all but one seal it anew."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable, Iterator
from typing import Any

from scoreproof_verify import digest

Document = dict[str, Any]
Path = tuple[Any, ...]
Change = Callable[[random.Random, Any], Any]
_WORDS = {
    "undefined": ("any", "zero", "one", "skip", "exclude", "never"),
    "spread": ("deviation", "error", "ignore", "either"),
    "divisor": ("any", "population", "sample", "each", "n"),
    "rounding": ("any", "nearest", "floor", "ceil", "up"),
    "macro_f1": ("any", "mean", "of means"),
    "attained": (True, False),
    "extremes_over": ("parts", "folds"),
    "spread_over": ("any", "folds", "repeats", "parts"),
    "ties": (True, False),
    "concave": (True, False),
    "interpolation": ("any", "11", "101", "all"),
    "sides": ("any", "one", "two"),
    "relation": ("best", "better", "harmonic", "rates", "rmse", "=", "<"),
    "side": ("below", "above"),
    "aggregation": ("mean_of_scores", "score_of_means", "unknown"),
    "rule": ("balanced", "scikit-learn", "any", "trainable"),
    "score": ("acc", "sens", "spec", "f1", "f3", "mcc", "auc", "ji", "nothing"),
    "kind": ("rectangles", "columns", "totals", "cases", "rates", "counts", "mean"),
    "type": ("testset", "kfold", "mean_of_scores", "unknown_aggregation"),
    "method": ("any", "clopper-pearson"),
}


def _paths(document: Any, path: Path = ()) -> Iterator[Path]:
    yield path
    inner = (
        document.items() if isinstance(document, dict) else enumerate(document) if isinstance(document, list) else ()
    )
    for key, entry in inner:
        yield from _paths(entry, (*path, key))


def _at(document: Any, path: Path) -> Any:
    for step in path:
        document = document[step]
    return document


def _changed(
    rng: random.Random, certificate: Document, wanted: Callable[[Path, Any], bool], change: Change
) -> Document | None:
    """The certificate with one value of the wanted sort changed; None if it has none."""
    certificate = copy.deepcopy(certificate)
    half = rng.choice(("statement", "proof"))
    places = [path for path in _paths(certificate[half]) if path and wanted(path, _at(certificate[half], path))]
    if not places:
        return None
    path = rng.choice(places)
    owner = _at(certificate[half], path[:-1])
    owner[path[-1]] = change(rng, owner[path[-1]])
    return certificate


def _whole(path: Path, entry: Any) -> bool:
    return isinstance(entry, int) and not isinstance(entry, bool)


def _text(path: Path, entry: Any) -> bool:
    return isinstance(entry, str)


def _number(path: Path, entry: Any) -> bool:
    return isinstance(entry, str) and path[-1] in ("text", "eps", "share", "level", "touch", "least", "most")


def _listed(path: Path, entry: Any) -> bool:
    return isinstance(entry, list) and bool(entry)


def _anything(path: Path, entry: Any) -> bool:
    return True


def _object(path: Path, entry: Any) -> bool:
    return isinstance(entry, dict)


def _steps(path: Path, entry: Any) -> bool:
    return isinstance(entry, list) and path[-1] == "steps"


def _word(path: Path, entry: Any) -> bool:
    return path[-1] in _WORDS


def _digit(rng: random.Random, text: str) -> str:
    places = [k for k, char in enumerate(text) if char.isdigit()]
    if not places:
        return text + "0"
    k = rng.choice(places)
    return text[:k] + rng.choice("0123456789") + text[k + 1 :]


def _spelled(rng: random.Random, text: str) -> str:
    """The number in another spelling, most of them with the same meaning."""
    return rng.choice(
        (
            f" {text}",
            f"{text}\u00a0",
            f"−{text}",
            f"+{text}",
            f"{text}%",
            text.replace(".", ","),
            f"{text}e0",
            f"{text} ± 0.1",
            f"{text}±",
            f"{text}0",
            "1/3",
            "1/0",
            ".5",
            ".",
            "0.8125",
            "0.85123456",
            "0.9166666666666666",
            f"{text}e-400",
        )
    )


def _without(rng: random.Random, entry: list[Any]) -> list[Any]:
    k = rng.randrange(len(entry))
    return entry[:k] + entry[k + 1 :]


def _twice(rng: random.Random, entry: list[Any]) -> list[Any]:
    k = rng.randrange(len(entry))
    return entry[: k + 1] + entry[k:]


def _exchanged(rng: random.Random, entry: list[Any]) -> list[Any]:
    i, j = rng.randrange(len(entry)), rng.randrange(len(entry))
    entry[i], entry[j] = entry[j], entry[i]
    return entry


def _less(rng: random.Random, entry: Document) -> Document:
    gone = rng.choice(sorted(entry)) if entry else None
    return {key: inner for key, inner in entry.items() if key != gone}


def _other_word(rng: random.Random, certificate: Document) -> Document | None:
    """Another word for one that the certificate has, perhaps none that it may have."""
    certificate = copy.deepcopy(certificate)
    half = rng.choice(("statement", "proof"))
    places = [path for path in _paths(certificate[half]) if path and _word(path, None)]
    if not places:
        return None
    path = rng.choice(places)
    _at(certificate[half], path[:-1])[path[-1]] = rng.choice(_WORDS[path[-1]])
    return certificate


_CHANGES: dict[str, tuple[Callable[[Path, Any], bool], Change]] = {
    "one more": (_whole, lambda rng, x: x + 1),
    "one less": (_whole, lambda rng, x: x - 1),
    "negative": (_whole, lambda rng, x: -x),
    "doubled": (_whole, lambda rng, x: 2 * x),
    "huge": (_whole, lambda rng, x: 10**60),
    "number as text": (_whole, lambda rng, x: str(x)),
    "truth for a number": (_whole, lambda rng, x: True),
    "broken number": (_whole, lambda rng, x: x + 0.5),
    "another digit": (_number, _digit),
    "another spelling": (_number, _spelled),
    "another value": (_number, lambda rng, x: rng.choice(("0.5", "0.90", "0", "1", "2.5", "-0.4", "0.333", "99"))),
    "another place": (_whole, lambda rng, x: rng.choice((0, 1, 2, 3, 5, 10))),
    "number for a text": (_text, lambda rng, x: 7),
    "long text": (_text, lambda rng, x: x * 300 if x else "x" * 300),
    "quotes": (_text, lambda rng, x: f"{x}'\"\\\n☃𝒳"),
    "nothing": (_anything, lambda rng, x: None),
    "list": (_anything, lambda rng, x: [x]),
    "object": (_anything, lambda rng, x: {"kind": "rectangles"}),
    "entry left out": (_listed, _without),
    "entry twice": (_listed, _twice),
    "entries exchanged": (_listed, _exchanged),
    "empty list": (_listed, lambda rng, x: []),
    "key added": (_object, lambda rng, x: {**x, "remark": "nobody reads this"}),
    "key left out": (_object, _less),
    "steps cut short": (_steps, lambda rng, x: x[:-1]),
    "steps repeated": (_steps, lambda rng, x: x + x[-1:]),
}
_OUTER = (
    "digest",
    "format",
    "unknown kind",
    "another kind",
    "key of the certificate",
    "another word",
    "another statement",
    "another proof",
    "deeper",
)
SORTS = (*_CHANGES, *_OUTER)


def mutated(rng: random.Random, sort: str, certificate: Document, other: Document) -> Document | None:
    """The certificate altered in one way; ``other`` is one of the same kind. None if there is nothing to alter."""
    if sort in _CHANGES:
        altered = _changed(rng, certificate, *_CHANGES[sort])
    elif sort == "another word":
        altered = _other_word(rng, certificate)
    else:
        kinds = ("binary", "unknown_classes", "average", "curve", "multi_class", "ranking")
        deeper: Any = certificate["proof"]
        for _ in range(70):
            deeper = [deeper]
        altered = {
            "digest": {**certificate, "digest": certificate["digest"][::-1]},
            "format": {**certificate, "format": "scoreproof-certificate/2"},
            "unknown kind": {**certificate, "kind": certificate["kind"] + "'s"},
            "another kind": {**certificate, "kind": rng.choice(kinds)},
            "key of the certificate": {**certificate, "remark": 1},
            "another statement": {**certificate, "statement": other["statement"]},
            "another proof": {**certificate, "proof": other["proof"]},
            "deeper": {**certificate, "proof": {**certificate["proof"], "steps": deeper}},
        }[sort]
    if altered is not None and sort != "digest":
        altered["digest"] = digest(altered["kind"], altered["statement"], altered["proof"])
    return altered
