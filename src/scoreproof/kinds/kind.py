"""The four nouns of the house: a claim, a problem, a decision, a kind.

A *claim* is a reported text about a quantity, as an exact interval (``reported``). A *problem* is claims, how they are
said to have come about, and conventions: a value that can be compared, kept as a key, sent to another process and
written as JSON; it is what a certificate states. A *kind* says how problems of one sort are read, decided, judged and
put in words. A *decision* is an engine's word: a witness, a proof, or neither and why. Nobody believes it before
``checking.ask`` has judged the witness and had the proof verified.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Generic, Protocol, Self, TypeVar, Unpack

from scoreproof.errors import InvalidExperiment, InvalidOption
from scoreproof.quantities import quantity, register_of
from scoreproof.reported import Claim
from scoreproof.reported.claim import alone
from scoreproof.reported.conventions import USUAL, Conventions, Stated, told
from scoreproof.results import SmallTable
from scoreproof.validation import shown
from scoreproof.work.budget import Budget


class Problem(Protocol):
    """Claims, how they are said to have come about, and conventions: frozen, hashable, JSON-able."""

    @property
    def kind(self) -> str:
        """The name of its kind."""

    @property
    def claims(self) -> tuple[Claim, ...]:
        """What was reported."""

    def to_dict(self) -> dict[str, Any]:
        """The statement of a certificate; the kind's ``read`` gives the problem back."""

    def with_claims(self, claims: Iterable[Claim]) -> Self:
        """The same with other claims, fewer or changed."""


P = TypeVar("P", bound=Problem)


class WitnessLike(Protocol):
    """What shows that a report is possible; its text reads after "for example"."""

    def to_dict(self) -> dict[str, Any]: ...


W = TypeVar("W", bound=WitnessLike)


@dataclass(frozen=True, slots=True)
class Decision(Generic[W]):
    """A witness, a proof, or neither and the reason; ``notes`` say which conventions a witness needs."""

    witness: W | None = None
    proof: dict[str, Any] | None = None
    reason: str = ""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Case(Generic[P]):
    """One of several problems a problem may stand for; ``note`` is said if this is the one that fits."""

    label: str
    problem: P
    note: str = ""


@dataclass(frozen=True, slots=True)
class Variant(Generic[P]):
    """A problem under another assumption, perhaps of another kind; ``also`` are others that must be possible, too.

    Without a problem the assumption is impossible on its face, or, where ``untested`` says so, nothing is left to test.
    """

    label: str
    problem: P | None
    also: tuple[Problem, ...] = ()
    untested: bool = False


@dataclass(frozen=True, slots=True)
class Assumption(Generic[P]):
    """Another assumption in words, and the problems it makes of the one that was asked.

    ``variants`` is called with a problem; problems it cannot be said of have no variants.
    """

    name: str
    label: str
    variants: Any  # Callable[[P], Iterable[Variant[P]]]; a dataclass field would bind a plain function as a method


def in_place(problem: Any, experiment: Any) -> Any:
    """The same report of another experiment; None if it is of another kind, or the problem has no experiment."""
    changed = getattr(problem, "with_experiment", None)
    own = getattr(problem, "experiment", None if changed is None else problem)
    if own is None or own.kind != experiment.kind:
        return None
    return replace(problem, experiment=experiment) if changed is None else changed(experiment)


Ends = tuple[Fraction, Fraction | None]  # a lower end, and an upper one if there is any


class Kind(ABC, Generic[P, W]):
    """How problems of one sort are read, decided, judged and said.

    What is abstract every kind has; the rest are abilities a kind may have, and a kind without them is still asked,
    verified, explained by its smallest conflict and nearest repairs, audited and reported.
    """

    name: str
    register: str = ""  # whose names its scores have, if not its own
    choosy: bool = False  # whether it refuses some of these names for some experiments
    problem_type: type[Any]
    witness_type: type[Any]
    experiment_type: type[Any] | None = None  # None: experiments of this kind cannot be described in a specification
    row_options: tuple[str, ...] = ("rounding", "eps")  # conventions that speak of a row of a table
    is_quick: bool = True  # whether problems are decided in less time than sending them to another process takes
    names_conflicts: bool = False  # whether ``because`` says, of a conflict's claims alone, what everybody knows

    def read(self, statement: Mapping[str, Any]) -> P:
        """The problem a statement describes: ``read(problem.to_dict()) == problem``."""
        problem: P = self.problem_type.from_dict(statement)
        return problem

    @abstractmethod
    def decide(self, problem: P, *, deadline: Budget, seed: int) -> Decision[W]:
        """A witness, a proof, or neither."""

    @abstractmethod
    def holds(self, problem: P, witness: W) -> bool:
        """Whether a witness gives the report: exactly, and independent of how it was found."""

    @abstractmethod
    def subject(self, problem: P) -> str:
        """Of what the claims are said to be, in words that follow "can come from"."""

    def shown_at_once(self, problems: Sequence[P]) -> Sequence[W | None]:
        """Witnesses that hold and need no note, for those of many problems that have one at hand."""
        return [None] * len(problems)

    def read_witness(self, document: Mapping[str, Any]) -> W:
        """The witness a dictionary describes."""
        witness: W = self.witness_type.from_dict(document)
        return witness

    def because(self, problem: P) -> str:
        """Why nothing fits, where one sentence says it all; asked of problems that are refuted."""
        return next((claim.beyond_range for claim in problem.claims if claim.beyond_range), "") or ""

    def used(self, problem: P, proof: Mapping[str, Any]) -> Sequence[Claim]:
        """The claims that a proof speaks of; all where it does not say which."""
        return problem.claims

    def cases(self, problem: P) -> Sequence[Case[P]]:
        """The problems it stands for, if it leaves open which: it is possible if one of them is."""
        return ()

    def problem(
        self, experiment: Any, scores: Mapping[str, Any], how: Conventions = USUAL, **stated: Unpack[Stated]
    ) -> P:
        """The problem of an experiment of this kind and the scores reported for it; conventions also as keywords."""
        if self.experiment_type is not None and not isinstance(experiment, self.experiment_type):
            raise InvalidExperiment(
                f"experiment: expected {self.experiment_type.__name__}(...), got {shown(experiment)}"
            )
        return self.posed(experiment, scores, told(stated, how))

    def posed(self, experiment: Any, scores: Mapping[str, Any], how: Conventions) -> P:
        """The problem; an error where the conventions say what means nothing of such an experiment."""
        raise InvalidOption(f"{self.name}: such problems are not made from an experiment and scores")

    def experiment(self, settings: Mapping[str, Any]) -> Any:
        """An experiment of this kind from what a specification says of it; it has the kind's name as ``kind``."""
        if self.experiment_type is None:
            raise InvalidOption(f"{self.name}: experiments of this kind cannot be described in a specification")
        return self.experiment_type.from_dict(settings)

    def row(self, experiment: Any, scores: Mapping[str, str], how: Conventions) -> P:
        """The problem of a row of a table, without what follows a ±."""
        texts = {name: alone(text) for name, text in scores.items()}
        return self.posed(experiment, texts, how.only(*self.row_options))

    def refuses(self, experiment: Any, name: str) -> str:
        """Why a score cannot be claimed of such an experiment, in words; empty if it can."""
        known = None if register_of(self.register or self.name).find(name) is not None else quantity(name)
        return "" if known is None else f"the {known.title} is not of this kind of experiment"

    def tables(self, problem: P, witness: W) -> Sequence[SmallTable]:
        """A witness as tables for a terminal; without any it is shown in its own words."""
        return ()

    def smaller(self, problem: P, witness: W) -> W:
        """A witness of fewer cases, where their number is open: one that a paper could have."""
        return witness

    def free(self, problem: P) -> bool:
        """Whether any values of these quantities, printed with these digits, are possible; False if nobody knows.

        Then a pass says nothing.
        """
        return False

    def identity(self, problem: P, conflict: Sequence[Claim]) -> str:
        """What everybody knows and exactly these claims break; empty if nothing."""
        return self.because(problem.with_claims(conflict)) if self.names_conflicts else ""

    def implied(self, problem: P, target: Claim) -> Ends | None:
        """Between which ends the target's quantity lies, given a possible problem that does not claim it."""
        return None

    def neighbours(self, problem: P, target: Claim) -> tuple[Fraction | None, Fraction | None]:
        """The possible values next to a printed one, below and above, where they can be listed."""
        return None, None

    def share_of(self, problem: P, claim: Claim) -> tuple[int, int, int]:
        """The cases of which a claim is a share, and the counts next below and above it if none prints like it.

        Zeros where it is no share of one number of cases, or a count prints like it.
        """
        return 0, 0, 0

    def drawing(self, problem: P, focus: Collection[str] = ()) -> Any:
        """What a figure shows of a problem, as plain numbers; None where there is nothing to draw."""
        return None

    def beyond_cases(self, problem: P) -> tuple[P | None, str]:
        """What is left of a problem whose cases are not all that authors do, and in words what else they may do.

        Where that is not refuted itself, refuting every case leaves the problem undecided.
        """
        return None, ""

    def quick(self, problem: P) -> bool:
        """Whether it is decided in less time than sending it to another process takes."""
        return self.is_quick

    def too_large(self, problem: P) -> bool:
        """Whether setting up its engine takes longer than an explanation may."""
        return False
