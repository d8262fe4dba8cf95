"""What asking gives: the problem, a verdict, and what proves it, as a JSON document that states the problem in full."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from importlib import import_module
from operator import attrgetter
from os import PathLike
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from scoreproof._version import __version__
from scoreproof.errors import InvalidCertificate, InvalidOption, InvalidValue, LimitExceeded, UnreadableInput
from scoreproof.files import read_file, shown_path, unique
from scoreproof.jsonable import Jsonable, rebuilt
from scoreproof.kinds import kind_named, read_problem
from scoreproof.kinds.binary.scores import registered_scores
from scoreproof.kinds.kind import Problem, WitnessLike
from scoreproof.limits import current
from scoreproof.markup import html_verdict
from scoreproof.reported import Claim
from scoreproof.results import Result, Tabular
from scoreproof.validation import chosen, declared, shown
from scoreproof_verify import FORMAT, Rule, Verification, accepts, digest, verify_certificate

if TYPE_CHECKING:
    from scoreproof.findings import Finding
    from scoreproof.insight.explanation import Explanation
    from scoreproof.insight.strength_of_pass import Strength


_SHOWN = 6  # variants of an assumption that are named
_CHANCE = 10  # variants from which on a fit by chance is worth a remark

Certificate = dict[str, Any]
_written = json.JSONEncoder(sort_keys=True, separators=(",", ":"), check_circular=False).encode  # as the digest has it


def certify(kind: str, statement: dict[str, Any], proof: dict[str, Any], version: str) -> Certificate:
    """The document that carries a problem's statement and its proof."""
    return {
        "format": FORMAT,
        "scoreproof": version,
        "kind": kind,
        "statement": statement,
        "proof": proof,
        "digest": digest(kind, statement, proof),
    }


def certificate_text(kind: str, statement: dict[str, Any], proof: dict[str, Any], version: str) -> tuple[str, str]:
    """The digest and the JSON of what ``certify`` gives; of many certificates each part is written once.

    >>> digest, text = certificate_text("binary", {"undefined": "any"}, {"kind": "cases"}, "0")
    >>> certify("binary", {"undefined": "any"}, {"kind": "cases"}, "0") == json.loads(text)
    True
    """
    named, stated, proved = _written(kind), _written(statement), _written(proof)
    mark = hashlib.sha256(f"[{named},{stated},{proved}]".encode()).hexdigest()
    return mark, (
        f'{{"format":"{FORMAT}","scoreproof":{_written(version)},"kind":{named},"statement":{stated},"proof":{proved},'
        f'"digest":"{mark}"}}'
    )


def read_certificate(path: str | PathLike[str]) -> Certificate:
    """A certificate from a file; an error that says what is wrong if it is none."""
    if not isinstance(path, (str, PathLike)):
        raise InvalidCertificate(f"certificate: expected the path of a file, got {type(path).__name__}")
    name = shown_path(path)
    try:
        data = read_file(path, limit="certificate_megabytes")
        document = json.loads(data.decode("utf-8"), object_pairs_hook=unique)
    except LimitExceeded:
        raise
    except UnreadableInput as error:
        raise InvalidCertificate(f"{error}; expected a certificate") from None
    except (ValueError, RecursionError) as error:
        why = str(error) or type(error).__name__
        raise InvalidCertificate(f"{name}: expected a JSON certificate, but it cannot be read: {why[:200]}") from None
    if not isinstance(document, dict) or "statement" not in document:
        raise InvalidCertificate(f"{name}: expected a scoreproof certificate (an object with a 'statement')")
    return document


def verify(certificate: Mapping[str, Any] | str | PathLike[str]) -> Verification:
    """Re-check a certificate (or the file it is in) with code that shares nothing with the engines.

    The result is true or false, and says in words what was proved or what is wrong. A certificate is re-checked for as
    long as the limit ``seconds`` of ``Limits`` says; what takes longer is not proved.
    """
    if not isinstance(certificate, (Mapping, str, PathLike)):
        raise InvalidCertificate(f"certificate: expected a mapping or a path, got {type(certificate).__name__}")
    document = certificate if isinstance(certificate, Mapping) else read_certificate(certificate)
    return verify_certificate(document, _own_rules(), current().seconds)


def verification_error(
    kind: str, statement: Mapping[str, Any], proof: Mapping[str, Any], seconds: float = float("inf")
) -> str:
    """What the verifier finds wrong with a proof just made, in words; empty if it accepts it within the time."""
    return accepts(kind, statement, proof, _own_rules(), seconds)


def _own_rules() -> dict[str, Rule]:
    """What the verifier has to be told: the user's own scores, whose monotonicity is their word."""
    return {
        own.name: Rule(
            _in_four_counts(own.ratio), own.link.name, own.direction, "registered", None, None, declared=own.declared
        )
        for own in registered_scores()
    }


def _in_four_counts(ratio: Any) -> Any:
    return lambda tp, tn, p, n: ratio(tp, n - tn, p - tp, tn)


class Fit(StrEnum):
    """What trying an assumption gave."""

    FITS = "fits"
    NOTHING_LEFT = "leaves nothing to test"
    DOES_NOT_FIT = "does not fit"
    UNDECIDED = "undecided"


@dataclass(frozen=True, slots=True)
class Tried(Jsonable):
    """An assumption and its answer; ``fitting`` names the variants that fit, ``witness`` belongs to the first.

    ``kind`` is that of the witness; ``more`` says that further variants were not tried, since enough of them fit.
    """

    name: str
    label: str
    answer: Fit
    fitting: tuple[str, ...] = ()
    tried: int = 0
    untried: int = 0
    witness: Any = None
    kind: str = "binary"
    more: bool = False

    _told = "* words"
    words = property(str)

    @classmethod
    def from_dict(cls, entry: Mapping[str, Any]) -> Tried:
        witness = None if entry["witness"] is None else kind_named(entry["kind"]).read_witness(entry["witness"])
        return rebuilt(cls, {**entry, "witness": witness})

    @property
    def condition(self) -> str:
        """What a report needs to fit, in words that follow "only if"."""
        named = [label for label in self.fitting if label]
        return f"{self.label} ({'; '.join(named[:_SHOWN])})" if named else self.label

    def __str__(self) -> str:
        words = f"{self.label}: {self.answer}"
        named = [label for label in self.fitting if label]
        if named:
            rest = f" and {len(named) - _SHOWN} more" if len(named) > _SHOWN else " and maybe more" if self.more else ""
            words += f" ({'; '.join(named[:_SHOWN])}{rest})"
        if self.answer is Fit.FITS and self.tried >= _CHANCE:
            words += f"; {self.tried} variants were tried, so one may fit by chance"
        if self.untried:
            words += f"; {self.untried} variants not decided in time"
        return words


P_co = TypeVar("P_co", bound=Problem, covariant=True)
W_co = TypeVar("W_co", bound=WitnessLike, covariant=True)


class Verdict(StrEnum):
    """``consistent`` comes with a witness, ``inconsistent`` with a certificate, ``undecided`` with a reason.

    A ``question`` is a report that is impossible as stated, which a certificate proves, and that fits, or may fit, if a
    convention was followed that nobody stated. A paper in which nothing was asked that could have failed is ``not
    tested``.
    """

    CONSISTENT = "consistent"
    INCONSISTENT = "inconsistent"
    QUESTION = "question"
    UNDECIDED = "undecided"
    NOT_TESTED = "not tested"

    @property
    def impossible(self) -> bool:
        """Whether the report is proved impossible as it is stated, be it that an unsaid convention may excuse it."""
        return self in (Verdict.INCONSISTENT, Verdict.QUESTION)


@dataclass(frozen=True, slots=True)
class Answer(Result, Generic[P_co, W_co]):
    """The verdict on one problem, with what proves it.

    ``witness`` is set if the report is consistent, ``certificate`` if it is impossible as stated; ``conventions`` are
    then the unsaid ones that were tried, and with one that may fit the verdict is a question. ``reason`` says what was
    tried if it is undecided, and why it is inconsistent where one sentence can. ``cases`` holds one answer for each
    way a problem that leaves something open can be read. ``notes`` say what a reader should know beside the verdict:
    conventions that were needed, values whose few digits exclude little.
    """

    problem: P_co
    verdict: Verdict
    witness: W_co | None = None
    proof: dict[str, Any] | None = field(default=None, repr=False, hash=False)
    reason: str = ""
    notes: tuple[str, ...] = ()
    cases: tuple[Answer[Any, Any], ...] = ()
    conventions: tuple[Tried, ...] = ()
    version: str = __version__

    @property
    def claims(self) -> tuple[Claim, ...]:
        """What was reported."""
        return self.problem.claims

    @property
    def subject(self) -> str:
        """Of what the claims are said to be, in words."""
        return kind_named(self.problem.kind).subject(self.problem)

    @property
    def certificate(self) -> Certificate | None:
        """The proof of inconsistency, a JSON-able document that ``verify`` re-checks."""
        if self.proof is None:
            return None
        return certify(self.problem.kind, self.problem.to_dict(), self.proof, self.version)

    @property
    def condition(self) -> str:
        """What a question needs to fit, in words; of other answers what was tried to no avail, empty if nothing."""
        fitting = [tried.condition for tried in self.conventions if tried.answer in (Fit.FITS, Fit.NOTHING_LEFT)]
        late = [tried.label for tried in self.conventions if tried.answer is Fit.UNDECIDED]
        if fitting:
            return f"it fits only if {', or if '.join(fitting)}"
        if late:
            return f"not decided in time whether it fits if {', or if '.join(late)}"
        names = ", ".join(tried.name for tried in self.conventions)
        return f"unsaid conventions do not help: {names}" if names else ""

    @property
    def used(self) -> tuple[Claim, ...]:
        """The claims that its proof speaks of; none without a proof."""
        if self.proof is None:
            return ()
        if self.cases:
            return tuple(dict.fromkeys(claim for case in self.cases for claim in case.used))
        return tuple(kind_named(self.problem.kind).used(self.problem, self.proof))

    @declared
    def solutions(self, *, most_rows: int = 2_000_000) -> Any:
        """Everything that fits, in compact form, where the kind can list it; see ``Solutions`` for confusion matrices.

        Regions beyond ``most_rows`` rows get bounds instead.
        """
        kind = kind_named(self.problem.kind)
        if not hasattr(kind, "solutions"):
            raise InvalidOption(f"solutions: what fits cannot be listed for problems of the kind {kind.name!r}")
        return kind.solutions(self.problem, most_rows=most_rows)

    def explain(self, **options: Any) -> Explanation:
        """Why it is impossible and what would make it possible; the options are those of ``explanation.explain``."""
        explanation: Explanation = import_module("scoreproof.insight.explanation").explain(self, **options)
        return explanation

    @property
    def findings(self) -> tuple[Finding, ...]:
        """The finding, if it is impossible as stated, by what arithmetic alone tells; ``explain`` finds out more."""
        findings: tuple[Finding, ...] = import_module("scoreproof.findings").of_answer(self)
        return findings

    @property
    def strength(self) -> Strength:
        """How surprising a pass is: the share of reports like this one that the same check would let pass."""
        strength: Strength = import_module("scoreproof.insight.strength_of_pass").strength(self)
        return strength

    def _repr_html_(self) -> str:
        """The card of the finding, with what a second finds out; else the sentence."""
        cards = self.explain(assumptions=False, budget=1.0).findings if self.verdict.impossible else ()
        return "".join(finding._repr_html_() for finding in cards) or html_verdict(self)

    def to_dict(self) -> dict[str, Any]:
        document: dict[str, Any] = {
            "verdict": str(self.verdict),
            "kind": self.problem.kind,
            **self.problem.to_dict(),
            "witness": None if self.witness is None else self.witness.to_dict(),
            "certificate": self.certificate,
            "reason": self.reason,
            "notes": list(self.notes),
            "version": self.version,
        }
        if self.cases:
            document["cases"] = [case.to_dict() for case in self.cases]
        if self.conventions:
            document["conventions"] = [tried.to_dict() for tried in self.conventions]
        return document

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> Answer[Any, Any]:
        """The answer a dictionary describes: ``Answer.from_dict(answer.to_dict()) == answer``."""
        if not isinstance(document, Mapping) or not {"verdict", "kind"} <= set(document):
            raise InvalidValue(f"an answer: expected an object with 'verdict' and 'kind', got {shown(document)}")
        own = ("verdict", "kind", "witness", "certificate", "reason", "notes", "version", "cases", "conventions")
        statement = {key: value for key, value in document.items() if key not in own}
        name, witness, certificate = document["kind"], document.get("witness"), document.get("certificate")
        return cls(
            read_problem(name, statement),  # type: ignore[arg-type]
            chosen("verdict", document["verdict"], Verdict),
            None if witness is None else kind_named(name).read_witness(witness),
            None if certificate is None else certificate["proof"],
            document.get("reason", ""),
            tuple(document.get("notes", ())),
            tuple(map(cls.from_dict, document.get("cases", ()))),
            tuple(map(Tried.from_dict, document.get("conventions", ()))),
            document.get("version", __version__),
        )

    def __str__(self) -> str:
        report = ", ".join(map(str, self.claims)) or "what was printed"
        notes = "".join(f". Note: {note}" for note in self.notes)
        if self.verdict is Verdict.CONSISTENT:
            return f"consistent: {report} can come from {self.subject}, for example {self.witness}{notes}"
        if self.verdict.impossible:
            stated = " as stated" if self.verdict is Verdict.QUESTION else ""
            because = f" ({self.reason})" if self.reason else ""
            tried = f"; {self.condition}" if self.condition else ""
            return f"{self.verdict}: {report} cannot come from {self.subject}{stated}{because}{tried}{notes}"
        return f"undecided: {report} from {self.subject} ({self.reason}); this is no sign of a mistake{notes}"


def _of_answer(name: str) -> Any:
    return property(attrgetter(f"answer.{name}"), doc=f"``{name}`` of the answer.")


class OfAnswer(Tabular):
    """What follows from the answer to a report, and speaks for it."""

    __slots__ = ()
    answer: Answer[Any, Any]
    verdict: Verdict = _of_answer("verdict")
    claims: tuple[Claim, ...] = _of_answer("claims")
    reason: str = _of_answer("reason")
    notes: tuple[str, ...] = _of_answer("notes")
    certificate: Certificate | None = _of_answer("certificate")

    def explain(self, **options: Any) -> Explanation:
        """Why it is impossible and what would make it possible; the options are those of ``explanation.explain``."""
        return self.answer.explain(**options)
