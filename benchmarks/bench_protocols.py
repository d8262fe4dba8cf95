"""Every protocol of mlscorecheck: its documented examples and drawn cases of each, asked of both in one run.

    python -m benchmarks protocols

A documented example must be decided as documented, and every case decided. Processor time of both, solvers that run as
processes included, imports not; a loss is a case that takes the peer above 50 ms and us longer, or us above 50 ms where
it takes the peer less. After a minute a question to the peer is given up, which counts as that minute. Cases are drawn
with a seed: an experiment of the protocol, scores of random matrices, half of them moved.
"""

from __future__ import annotations

import inspect
import random
import re
import resource
import signal
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import scoreproof as sp
from benchmarks.measure import Row
from scoreproof.kinds.binary.experiment import stratified_folds
from scoreproof.kinds.binary.experiment.tree import Aggregation

_SEED = 1
_DRAWN = 50  # of each protocol; ten protocols
_SHORT = 0.05
_TIMEOUT = 30  # seconds for the peer's solver, and for ours
_PATIENCE = 60  # seconds for all that the peer solves for one case


@dataclass(frozen=True, slots=True)
class Case:
    """A call of the peer and what it is documented to say; None if that is not written down."""

    protocol: str
    given: dict[str, Any]
    inconsistent: bool | None = None


def _counts(dataset: dict[str, Any]) -> tuple[int, int]:
    if "p" in dataset:
        return dataset["p"], dataset["n"]
    from mlscorecheck.aggregated import Dataset

    named = Dataset(**dataset)
    return int(named.p), int(named.n)


def _folds(evaluation: dict[str, Any], protocol: str, ranges: dict[str, Any]) -> sp.Experiment:
    """One data set and its folds as a protocol understands them."""
    p, n = _counts(evaluation["dataset"])
    folding = evaluation["folding"]
    if "folds" in folding:
        parts = [sp.TestSet(fold["p"], fold["n"]) for fold in folding["folds"]]
        return sp.ScoreOfMeans(parts) if protocol.endswith("som") else sp.MeanOfScores(parts, ranges)
    k, repeats = folding["n_folds"], folding.get("n_repeats", 1)
    if protocol.endswith("som"):
        return sp.KFold(p, n, k, repeats=repeats, aggregation=Aggregation.SCORE_OF_MEANS)
    if "unknown" in protocol:
        return sp.KFold(p, n, k, repeats=repeats, stratified=False, ranges=ranges)
    return sp.MeanOfScores([sp.TestSet(*fold) for fold in stratified_folds(p, n, k) * repeats], ranges)


def experiment(case: Case) -> sp.Experiment:
    """What a call of the peer describes."""
    given = case.given
    of_parts: dict[str, Any] = next((given[key] for key in given if key.endswith("score_bounds") and given[key]), {})
    if "testset" in given:
        return sp.TestSet(*_counts(given["testset"]))
    if "testsets" in given:
        parts = [sp.TestSet(*_counts(each)) for each in given["testsets"]]
        return sp.ScoreOfMeans(parts) if "_som_" in case.protocol else sp.MeanOfScores(parts, of_parts)
    if "evaluations" not in given:
        return _folds(given, case.protocol, of_parts)
    sets = [_folds(each, case.protocol, each.get("fold_score_bounds") or {}) for each in given["evaluations"]]
    return sp.ScoreOfMeans(sets) if "_som_" in case.protocol else sp.MeanOfScores(sets, of_parts)


def documented() -> Iterator[Case]:
    """The examples in the peer's documentation."""
    from mlscorecheck.check import binary as peer

    for protocol in (name for name in dir(peer) if name.startswith("check_")):
        text = inspect.getdoc(getattr(peer, protocol)) or ""
        statements = re.split(r"^\s*>>> ", text.partition("Examples:")[2], flags=re.MULTILINE)[1:]
        names: dict[str, Any] = {}
        for statement, follows in zip(statements, [*statements[1:], ""], strict=True):
            if statement.startswith("from "):
                continue
            called = re.match(r"\w+ = check_\w+", statement)
            if called is None:
                if not statement.startswith("result"):
                    exec(statement.partition("\n#")[0], names)  # of an installed package
                continue
            names["call"] = lambda **given: given
            given = eval("call" + statement[called.end() :].strip(), names)
            word = re.search(r"#\s*(True|False)", follows)
            yield Case(protocol, _copied(given), None if word is None else word[1] == "True")


def _copied(given: Any) -> Any:
    """A deep copy: the examples change their dictionaries as they go."""
    if isinstance(given, dict):
        return {key: _copied(value) for key, value in given.items()}
    return [_copied(each) for each in given] if isinstance(given, list) else given


def drawn(seed: int, count: int) -> Iterator[Case]:
    """So many cases of each protocol."""
    from mlscorecheck.check import binary as peer

    for protocol in sorted(name for name in dir(peer) if name.startswith("check_")):
        for number in range(count):
            rng = random.Random(f"{seed} {protocol} {number}")
            yield _drawn(protocol, rng)


def _drawn(protocol: str, rng: random.Random) -> Case:
    small = "unknown" in protocol  # of which the peer tries every way to deal the classes

    def counts() -> dict[str, int]:
        most = 40 if small else 400
        return {"p": rng.randint(10, most), "n": rng.randint(10, most)}

    def evaluation() -> dict[str, Any]:
        folding: dict[str, Any] = {
            "n_folds": rng.randint(2, 3 if small else 8),
            "n_repeats": 1 if small else rng.randint(1, 3),
        }
        if not small:
            folding["strategy"] = "stratified_sklearn"
        return {"dataset": counts(), "folding": folding}

    given: dict[str, Any] = {}
    if protocol == "check_1_testset_no_kfold":
        given["testset"] = counts()
    elif "testsets" in protocol:
        given["testsets"] = [counts() for _ in range(rng.randint(2, 6))]
    elif protocol.startswith("check_1"):
        given = evaluation()
    else:
        given["evaluations"] = [evaluation() for _ in range(rng.randint(2, 3))]
    linear = "mos" in protocol
    names = rng.sample(
        ["acc", "sens", "spec", "bacc"] if linear else ["acc", "sens", "spec", "ppv", "npv", "f1", "bacc", "mcc"], 3
    )
    digits = rng.choice([3, 4])
    rates = rng.uniform(0.6, 0.95), rng.uniform(0.6, 0.95)
    shape = experiment(Case(protocol, {**given, "scores": {}}))
    values = _scored(shape, names, rates, rng)
    moved = rng.random() < 0.5
    scores = {name: round(value, digits) for name, value in values.items()}
    if moved:
        who = rng.choice(names)
        scores[who] = round(scores[who] + rng.choice([-1, 1]) * rng.choice([1, 5, 30]) * 10**-digits, digits)
    return Case(protocol, {**given, "scores": scores, "eps": 10**-digits}, None if moved else False)


def _scored(shape: sp.Experiment, names: list[str], rates: tuple[float, float], rng: random.Random) -> dict[str, float]:
    """Scores of random matrices of an experiment, averaged as it says."""
    from scoreproof.kinds.binary.experiment import normal_form

    form = normal_form(shape)
    totals = dict.fromkeys(names, 0.0)
    sizes: dict[int, int] = {}
    for one in form.sets:
        p, n = one.p, one.n
        if one.family is not None:  # as even as can be
            family = form.families[one.family]
            whole = family.p + family.n
            before = sizes.get(one.family, 0)
            sizes[one.family] = before + one.size
            p = family.p * (before + one.size) // whole - family.p * before // whole
            n = one.size - p
        tp, tn = (sum(rng.random() < rate for _ in range(count)) for rate, count in zip(rates, (p, n), strict=True))
        for name in names:
            totals[name] += float(one.weight) * sp.score(name)(tp, n - tn, p - tp, tn)
    return totals


def spent(call: Any) -> tuple[Any, float]:
    """What a call gives, and the processor time of it and of the processes it started."""

    def so_far() -> float:
        used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
        return sum(each.ru_utime + each.ru_stime for each in used)

    before = so_far()
    found = call()
    return found, so_far() - before


def patiently(call: Any) -> Any:
    """What a call gives, or None if it takes too long."""

    def give_up(*_: Any) -> None:
        raise TimeoutError

    signal.signal(signal.SIGALRM, give_up)
    signal.alarm(_PATIENCE)
    try:
        return call()
    except TimeoutError:
        return None
    finally:
        signal.alarm(0)


class Asked(NamedTuple):
    """A case, our verdict, both times, and the peer's word."""

    case: Case
    verdict: str
    ours: float
    theirs: float
    word: bool | None


def _said(inconsistent: bool) -> str:
    return "inconsistent" if inconsistent else "consistent"


def asked_both(case: Case) -> Asked:
    """One case asked of both; a fold that lacks a class is no fold of the peer's, so none is admitted here either."""
    from mlscorecheck.check import binary as peer

    own, eps, scores = experiment(case), case.given["eps"], case.given["scores"]
    texts = {name: f"{value:.6g}" for name, value in scores.items()}
    answer, ours = spent(
        lambda: sp.check(own, texts, eps=f"{eps:.6g}", undefined="exclude", budget=_TIMEOUT, strict=True)
    )
    call = partial(getattr(peer, case.protocol), **_copied(case.given))
    if "solver_name" in inspect.signature(getattr(peer, case.protocol)).parameters:
        call = partial(call, verbosity=0, timeout=_TIMEOUT)
    found, theirs = spent(lambda: patiently(call))
    if found is None:
        return Asked(case, str(answer.verdict), ours, max(theirs, _PATIENCE), None)
    return Asked(case, str(answer.verdict), ours, theirs, found.get("inconsistency"))


def warm() -> None:
    """Import what checks of means import when they are first asked: imports are not counted, theirs neither."""
    sp.check(sp.KFold(9, 9, 3), {"f1": "0.7"}, budget=1, strict=True)
    rates = {"acc": "0.9", "sens": "0.6", "spec": "0.9"}
    sp.check(sp.KFold(19, 97, 3, stratified=False), rates, eps="0.0001", strict=True)
    sp.check(sp.MeanOfScores([sp.KFold(p, 97, 5) for p in (190, 233, 312)]), rates, eps="0.0001", strict=True)


def rows() -> Iterator[Row]:
    """By protocol: both times, and what was lost or decided otherwise than documented; then every loss."""
    tally: dict[str, list[Asked]] = {}
    warm()
    for case in [*documented(), *drawn(_SEED, _DRAWN)]:
        tally.setdefault(case.protocol, []).append(asked_both(case))
    losses = []
    for protocol, asked in tally.items():
        wrong = [
            one for one in asked if one.case.inconsistent is not None and one.verdict != _said(one.case.inconsistent)
        ]
        # an example that the peer itself decides otherwise than it documents is its error
        wrong = [one for one in wrong if one.word is None or one.verdict != _said(one.word)]
        apart = [one for one in asked if one.word is not None and one.verdict != _said(one.word) and one not in wrong]
        lost = [one for one in asked if one.ours > max(one.theirs, _SHORT)]
        losses += lost
        note = f"{len(asked)} cases; otherwise than the peer: {len(apart)}; lost: {len(lost)}"
        yield Row(protocol, sum(one.ours for one in asked), sum(one.theirs for one in asked), note=note)
        yield Row(f"{protocol}: not as documented or true", rate=len(wrong) / len(asked), promised_rate=0.0)
    every = sum(map(len, tally.values()))
    undecided = sum(one.verdict == str(sp.Verdict.UNDECIDED) for asked in tally.values() for one in asked)
    yield Row(f"undecided, of {every}", rate=undecided / every, promised_rate=0.0)
    yield Row(f"lost, of {every}", rate=len(losses) / every, promised_rate=0.0)
    for one in losses:
        yield Row(f"lost: {one.case.protocol}", one.ours, one.theirs, note=f"{one.verdict}; {one.case.given}")
