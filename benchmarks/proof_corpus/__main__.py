"""Write the corpus: certificates that the engines make, alterations of them, and the verifier's word on each.

``rare.jsonl`` has one for each rule that the pages of the specification name (``rules.py``), kept from tests and long
random runs; a few of them were written by hand, since no engine takes that way.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from benchmarks.proof_corpus import matrices, reports
from benchmarks.proof_corpus.mutations import SORTS, mutated
from benchmarks.recorded import record
from scoreproof.checking import ask, certify
from scoreproof.errors import ScoreproofError
from scoreproof.kinds import kind_named
from scoreproof_verify import Verification, verify_certificate

Document = dict[str, Any]
#: What makes statements of a kind, and how many of a thousand certificates are of it.
MAKERS: dict[str, tuple[tuple[Callable[[random.Random], Document | None], int], ...]] = {
    "binary": ((matrices.test_set, 130), (matrices.several, 150), (matrices.images, 20), (matrices.few_folds, 10)),
    "unknown_classes": ((matrices.unknown, 70),),
    "one_test_set": ((matrices.one_test_set, 25),),
    "printed_matrix": ((matrices.printed_matrix, 40),),
    "multi_class": ((reports.multi_class, 70),),
    **{
        name: ((getattr(reports, name), share),)
        for name, share in (
            ("multi_label", 30),
            ("printed_classes", 20),
            ("printed_shares", 20),
            ("unknown_counts", 40),
            ("average", 35),
            ("order", 20),
            ("relation", 25),
            ("common_average", 40),
            ("regression", 50),
            ("shared_variance", 15),
            ("curve", 60),
            ("ranking", 35),
            ("detection", 45),
            ("proportion_interval", 20),
            ("paired_counts", 25),
            ("reported_test", 20),
            ("sign_patterns", 15),
            ("mean_ranks", 20),
            ("value_spread", 25),
        )
    },
}
_BUDGET = 0.6  # seconds for an engine
_FROZEN = Path(__file__).parents[2] / "tests" / "data" / "corpus" / "verdicts.jsonl.gz"
_RARE = Path(__file__).with_name("rare.jsonl")
_OF_FROZEN = 80
_SECONDS = 3.0  # for the verifier; what takes longer is not a verdict of the certificate alone
#: Sentences of a verifier that gives up: another one need not.
_GIVES_UP = (
    "was not re-checked to its end",
    "takes too many",
    "too many near matches",
    "too many combinations",
    "to list",
    "too many blocks",
    "choices to score",
)


def certificates(rng: random.Random, make: Callable[[random.Random], Document | None], kind: str) -> Iterator[Document]:
    """Certificates of one kind, as they come out of a file."""
    while True:
        statement = make(rng)
        if not statement or statement.get("scores") == []:
            continue
        try:
            answer = ask(kind_named(kind).read(statement), budget=_BUDGET)
        except ScoreproofError:
            continue
        if answer.certificate is not None:
            yield json.loads(json.dumps(answer.certificate))


def frozen_of_all() -> list[Document]:
    """Certificates that engines made when verdicts were frozen: protocols and options of the whole test suite."""
    with gzip.open(_FROZEN, "rt", encoding="utf-8") as lines:
        cases = [case for line in lines if (case := json.loads(line)).get("proof")]
    unknown = [case["statement"]["experiment"]["type"] == "unknown_classes" for case in cases]
    kinds = ["unknown_classes" if each else "binary" for each in unknown]
    return [certify(kind, case["statement"], case["proof"], "0") for kind, case in zip(kinds, cases, strict=True)]


def frozen(rng: random.Random, count: int) -> list[Document]:
    """Some of these."""
    every = frozen_of_all()
    return rng.sample(every, min(count, len(every)))


def rare() -> list[Document]:
    """A certificate for every rule of proof that the specification names, most of which chance meets seldom."""
    lines = _RARE.read_text(encoding="utf-8").splitlines()
    return [certify(case["kind"], case["statement"], case["proof"], "0") for case in map(json.loads, lines)]


def judged(certificate: Document) -> Verification | None:
    """What the verifier says; None if that depends on how it works."""
    verified = verify_certificate(certificate, seconds=_SECONDS)
    return None if any(words in verified.words for words in _GIVES_UP) else verified


def _line(certificate: Document, verified: Verification, **more: Any) -> str:
    text = json.dumps(certificate, ensure_ascii=False)
    return json.dumps({"certificate": text, "valid": verified.valid, "words": verified.words, **more}) + "\n"


def _made(count: int, seed: int) -> Iterator[Document]:
    """Certificates of all rules, then of all kinds by their shares."""
    yield from rare()
    for kind, makers in MAKERS.items():
        for make, share in makers:
            rng = random.Random(f"{seed} {kind} {make.__name__}")
            yield from islice(certificates(rng, make, kind), max(1, round(count * share / 1000)))
    yield from frozen(random.Random(f"{seed} frozen"), round(count * _OF_FROZEN / 1000))


def write(out: Path, count: int, altered: int, seed: int) -> dict[str, Counter[str]]:
    """Both files; how many of what."""
    out.mkdir(parents=True, exist_ok=True)
    made: dict[str, list[Document]] = {}
    tally: dict[str, Counter[str]] = {"certificates": Counter(), "mutations": Counter(), "verdicts": Counter()}
    with (out / "certificates.jsonl").open("w", encoding="utf-8") as lines:
        for certificate in _made(count, seed):
            verified = judged(certificate)
            if verified is not None:
                kind = certificate["kind"]
                lines.write(_line(certificate, verified, kind=kind))
                made.setdefault(kind, []).append(certificate)
                tally["certificates"][f"{kind}: {certificate['proof'].get('kind')}"] += 1
    rng = random.Random(f"{seed} mutations")
    every = [certificate for own in made.values() for certificate in own]
    with (out / "mutations.jsonl").open("w", encoding="utf-8") as lines:
        while (number := sum(tally["mutations"].values())) < altered:
            sort = SORTS[number % len(SORTS)]
            certificate = rng.choice(every if rng.random() < 0.4 else made[rng.choice(sorted(made))])
            document = mutated(rng, sort, certificate, rng.choice(made[certificate["kind"]]))
            verified = None if document is None else judged(document)
            if document is not None and verified is not None:
                lines.write(_line(document, verified, kind=certificate["kind"], sort=sort))
                tally["mutations"][sort] += 1
                tally["verdicts"]["proved" if verified else "not proved"] += 1
    return tally


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.proof_corpus", description=__doc__)
    parser.add_argument("--out", type=Path, required=True, help="the folder to write to")
    parser.add_argument("--certificates", type=int, default=1000)
    parser.add_argument("--mutations", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    start = time.process_time()
    tally = write(options.out, options.certificates, options.mutations, options.seed)
    for name, counts in tally.items():
        print(
            f"{sum(counts.values())} {name}: " + ", ".join(f"{what} {count}" for what, count in sorted(counts.items()))
        )
    record(
        "certificates for two verifiers",
        sum(tally["certificates"].values()),
        f"{len(tally['certificates'])} sorts of proof",
    )
    refused = tally["verdicts"]["not proved"]
    record(
        "altered certificates",
        sum(tally["mutations"].values()),
        f"{refused:,} not proved any more",
    )
    print(f"{time.process_time() - start:.0f} s of processor time, seed {options.seed}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
