"""Long proofs made on purpose: as many steps as one likes, for clocks and for pages that must not freeze."""

from __future__ import annotations

from typing import Any

from scoreproof.checking import certify

Document = dict[str, Any]


def staircase(cases: int) -> Document:
    """No matrix of so many positives and negatives has an accuracy between two whole numbers of right answers.

    The grid is halved until every rectangle lies on one side of the line; that takes about two steps for each case.

    >>> from scoreproof_verify import verify_certificate
    >>> certificate = staircase(100)
    >>> len(certificate["proof"]["steps"]), bool(verify_certificate(certificate))
    (171, True)
    """
    right = 2 * cases * 17 // 20  # of twice as many cases
    statement = {
        "experiment": {"type": "testset", "p": cases, "n": cases},
        "undefined": "any",
        "scores": [{"score": "acc", "text": f"{2 * right + 1}/{4 * cases}", "eps": f"1/{8 * cases}"}],
    }
    steps: list[list[Any]] = []
    waiting = [(0, cases, 0, cases)]
    while waiting:
        a, b, c, d = waiting.pop()
        if b + d <= right or a + c > right:
            steps.append(["out", 0])
        elif b - a >= d - c:
            middle = (a + b) // 2
            steps.append(["cut", "tp", middle])
            waiting += [(middle + 1, b, c, d), (a, middle, c, d)]
        else:
            middle = (c + d) // 2
            steps.append(["cut", "tn", middle])
            waiting += [(a, b, middle + 1, d), (a, b, c, middle)]
    return certify("binary", statement, {"kind": "rectangles", "steps": steps}, "0")
