"""Is a printed average possible, given the printed rows? A problem of its own kind, asked like any other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from scoreproof.checking import Answer, Verdict, ask
from scoreproof.kinds.kind import Problem

_SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class AverageCheck:
    """A printed average or deviation beside its rows, answered; true unless it is proved not to fit.

    >>> from scoreproof.kinds.average import printed_average
    >>> print(compared("mean acc", printed_average("acc", ["0.90", "0.92", "0.95"], "0.94", rounding="nearest")))
    mean acc: 0.94 does not fit: the printed rows give 0.9183 to 0.9284
    """

    what: str
    answer: Answer[Any, Any]

    def __bool__(self) -> bool:
        return self.answer.verdict is not Verdict.INCONSISTENT

    @property
    def printed(self) -> str:
        return self.answer.claims[-1].text

    def to_dict(self) -> dict[str, Any]:
        return {"what": self.what, "printed": self.printed, "words": str(self), "answer": self.answer.to_dict()}

    @classmethod
    def from_dict(cls, document: dict[str, Any]) -> AverageCheck:
        return cls(document["what"], Answer.from_dict(document["answer"]))

    def __str__(self) -> str:
        if self.answer.verdict is Verdict.CONSISTENT:
            return f"{self.what}: {self.printed} fits the rows"
        if self.answer.verdict is Verdict.INCONSISTENT:
            return f"{self.what}: {self.printed} does not fit: {self.answer.reason}"
        return f"{self.what}: whether {self.printed} fits the rows is not decided ({self.answer.reason})"


def compared(what: str, problem: Problem) -> AverageCheck:
    """The check of a printed average."""
    return AverageCheck(what, ask(problem, budget=_SECONDS))
