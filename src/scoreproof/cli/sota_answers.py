"""What ``scoreproof sota`` was asked and what it answers: the same findings for the terminal, JSON and HTML.

Each answer is computed once and leaves three traces: an entry of the JSON document, a section of the page,
and what is printed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scoreproof.errors import InvalidOption
from scoreproof.jsonable import document
from scoreproof.pages.writer import Section, Sheet
from scoreproof.results import SmallTable, in_terminal
from scoreproof.sota import (
    AucLeaderboard,
    BestAccuracy,
    BoardFile,
    Leaderboard,
    adjusted_auc,
    adjusted_estimate,
    auc_leaderboard,
    best_of,
    best_of_auc,
    best_of_score,
    cases_needed,
    ladder,
    leaderboard,
    luck,
    overlooked,
    prediction_board,
    read_leaderboard,
    read_predictions,
    simulate_auc,
    simulate_best,
    simulate_competition,
)
from scoreproof.sota.law import whole_cases

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from rich.console import Console

    from scoreproof.sota import Best
    from scoreproof.sota.best import Convention


@dataclass(frozen=True, slots=True)
class Asked:
    """The options that all kinds of score share."""

    cases: int | None
    classifiers: int | list[int] | None
    accuracy: float | list[float] | None
    dependence: float | None
    correlation: float | None
    alpha: float
    observed_best: str | None
    better_by: float | None
    max_bias: float | None
    simulate: int
    seed: int | None
    draw: bool

    @property
    def model(self) -> dict[str, Any]:
        return {"p_dep": self.dependence, "correlation": self.correlation}


@dataclass(slots=True)
class Answers:
    """The findings so far."""

    asked: Asked
    document: dict[str, Any] = field(default_factory=dict)
    sections: list[Section] = field(default_factory=list)
    figures: dict[str, Figure] = field(default_factory=dict)

    def accuracy(self) -> None:
        """Everything the given numbers allow about accuracies."""
        asked = self.asked
        m, n, a = asked.classifiers, asked.cases, asked.accuracy
        seen = asked.observed_best
        if asked.better_by is not None and seen is None:
            raise InvalidOption("--better-by needs --observed-best, the score to rank below")
        if asked.simulate and (m is None or n is None or a is None):
            raise InvalidOption("--simulate needs --cases, --classifiers and --accuracy")
        if m is not None and n is not None and a is not None:
            self._best(best_of(m, n, a, **asked.model))
        if seen is not None:
            self._observed(seen)
        if asked.max_bias is not None:
            if not (isinstance(m, int) and isinstance(a, float)):
                raise InvalidOption("--max-bias needs --classifiers and --accuracy, one number each")
            self._say("cases_needed", "Test set", cases_needed(asked.max_bias, m, a, **asked.model))
        if not self.document:
            raise InvalidOption(
                "nothing to answer: give --cases, --classifiers and --accuracy; or --observed-best with --cases and "
                "--classifiers (or --accuracy); or --max-bias with --classifiers and --accuracy; or a leaderboard"
            )

    def _best(self, best: BestAccuracy) -> None:
        asked = self.asked
        rows = _best_rows(best, asked.alpha)
        self._say("best", "The best of many", best, Sheet((), rows))
        self.document["best"] = best.summary(asked.alpha) | document(best, "cases=n reference")
        if asked.simulate:
            each: Any = asked.accuracy
            if isinstance(asked.classifiers, list):
                each = [a for a, many in zip(each, asked.classifiers, strict=True) for _ in range(many)]
            drawn = simulate_best(best.m, best.n, each, draws=asked.simulate, seed=asked.seed, **asked.model)
            self._simulated(float(drawn.mean()), float(drawn.std()), len(drawn))
            self._draw_simulated(best, drawn)
        if asked.draw:
            from scoreproof.sota.figures import plot_cdf, plot_overlooked

            self.figures["figure1_overlooked"] = plot_overlooked(best, asked.alpha)
            self.figures["figure2_cdf"] = plot_cdf(best, asked.alpha)
            self.figures["figure3_pmf"] = plot_cdf(best, asked.alpha, exactly=True)

    def _draw_simulated(self, best: BestAccuracy, drawn: Any) -> None:
        """The paper's figures 4 to 7: one competition, and the best of many, independent or not."""
        asked = self.asked
        if not asked.draw:
            return
        from scoreproof.sota.figures import plot_example, plot_simulated

        dependent = best.reference is not None
        name, many = ("figure5_example", "figure7_simulated") if dependent else ("figure4_example", "figure6_simulated")
        if isinstance(asked.accuracy, float):
            correct = simulate_competition(best.m, best.n, asked.accuracy, seed=asked.seed, **asked.model)
            self.figures[name] = plot_example(correct.tolist(), best.n, dependent=dependent)
        self.figures[many] = plot_simulated(best, drawn, asked.alpha)

    def _observed(self, text: str) -> None:
        asked = self.asked
        m, n, a = asked.classifiers, asked.cases, asked.accuracy
        if n is None or (m is None and a is None):
            raise InvalidOption("--observed-best needs --cases, and --classifiers or --accuracy")
        if isinstance(m, list) or isinstance(a, list):
            raise InvalidOption("--observed-best asks about equally good classifiers: give one number, not a list")
        seen = whole_cases("--observed-best", text, n)
        if m is not None:
            estimate = adjusted_estimate(seen, m, n, alpha=asked.alpha, **asked.model)
            self._say("adjusted", "What the observed best says", estimate)
        if a is not None:
            self._say("luck", "Luck alone", luck(seen, n, a, **asked.model))
        if asked.better_by is not None:
            found_late = overlooked(seen, n, delta=asked.better_by, accuracy=a, m=m, **asked.model)
            self._say("overlooked", "A better newcomer", found_late)

    def other_score(self, score: str, p: int | None, n: int | None, *, sens: float | None, spec: float | None) -> None:
        """The best of many by F1, MCC or any registered score."""
        m = self.asked.classifiers
        if not isinstance(m, int) or p is None or n is None or sens is None or spec is None:
            raise InvalidOption(
                f"--score {score} needs --classifiers (one number), --positives, --negatives, --sens and --spec"
            )
        self._refuse("--score " + score, observed_best=True)
        best = best_of_score(score, m, p, n, sens=sens, spec=spec)
        rows = _best_rows(best, self.asked.alpha)
        self._say("best", "The best of many", best, Sheet((), rows))
        self.document["best"] = best.summary(self.asked.alpha)

    def auc(self, auc: float | None, p: int | None, n: int | None, *, shape: Any, ratio: float) -> None:
        """The best of many AUCs, approximately."""
        asked = self.asked
        m, seen = asked.classifiers, _number("--observed-best", asked.observed_best)
        if not isinstance(m, int) or p is None or n is None:
            raise InvalidOption("--score auc needs --classifiers (one number), --positives and --negatives")
        self._refuse("--score auc")
        if seen is not None:
            truth = adjusted_auc(seen, m, p, n, shape=shape, ratio=ratio)
            sentence = f"An AUC of {seen:.4f}, the best of {m:,}, stands for a true AUC of about {truth:.4f}."
            self.document["adjusted"] = {"observed": seen, "estimate": truth, "approximation": True}
            self.sections.append(Section("What the observed best says", sentence))
            auc = truth if auc is None else auc
        if auc is None:
            raise InvalidOption("--score auc needs --auc, or --observed-best from which it is estimated")
        best = best_of_auc(m, auc, p, n, shape=shape, ratio=ratio)
        rows = [(words, f"{sd:.5f}") for words, sd in best.sd_by_shape.items()]
        self._say("best", "The best of many", best, Sheet(("ROC curve", "sd of one AUC"), rows))
        if asked.simulate:
            drawn = simulate_auc(m, auc, p, n, ratio=ratio, repetitions=asked.simulate, seed=asked.seed)
            self._simulated(float(drawn.mean()), float(drawn.std()), len(drawn), " with binormal scores")

    def board(self, path: Path, *, columns: dict[str, Any], reading: dict[str, Any]) -> None:
        """A whole leaderboard of accuracies."""
        asked = self.asked
        if asked.cases is None:
            raise InvalidOption("a leaderboard needs --cases, the size of its test set; one of AUCs --score auc")
        self._refuse("a leaderboard", observed_best=True)
        file, given = self._board_file(path, columns, reading)
        if file.auc:
            raise InvalidOption(f"{path}: the scores are AUCs: expected --score auc, with --positives and --negatives")
        self._board(leaderboard(file.scores, asked.cases, **given, **asked.model), file, percent=given["percent"])

    def predicted(self, path: Path, *, truth: str | None, score: Any, share: float | None) -> None:
        """A leaderboard whose predictions are at hand."""
        self._refuse("a leaderboard", observed_best=True)
        labels, entries = read_predictions(path, truth=truth)
        board = prediction_board(
            labels, entries, score=score, alpha=self.asked.alpha, public_share=share, seed=self.asked.seed or 0
        )
        (table,) = board._tables()
        rows = [tuple(map(str, row)) for row in table.rows]
        head = [str(name) for name in table.head]
        self._say("predictions", "The leaderboard", board, Sheet(head, rows))

    def ladder(self, path: Path, *, columns: dict[str, Any], step: str) -> None:
        """What a ladder would have released."""
        self._refuse("a leaderboard", observed_best=True)
        file = read_leaderboard(path, **columns)
        given = None if step == "cases" else _number("--ladder", step)
        scores = [score / 100 for score in file.scores] if file.percent else file.scores
        self._say("ladder", "The ladder", ladder(scores, cases=self.asked.cases, step=given))

    def auc_board(self, path: Path, *, columns: dict[str, Any], reading: dict[str, Any]) -> None:
        """A whole leaderboard of AUCs."""
        asked = self.asked
        self._refuse("a leaderboard", observed_best=True)
        if asked.cases is not None or asked.dependence is not None:
            raise InvalidOption("--score auc needs --positives and --negatives, not --cases; no --dependence")
        file, given = self._board_file(path, columns, reading)
        board = auc_leaderboard(file.scores, **given, correlation=asked.correlation or 0.0)
        self._board(board, file, percent=given["percent"])

    def _board_file(
        self, path: Path, columns: dict[str, Any], reading: dict[str, Any]
    ) -> tuple[BoardFile, dict[str, Any]]:
        """A leaderboard, and how its scores are read."""
        file = read_leaderboard(path, **columns)
        given = {"names": file.names, "public": file.public, "alpha": self.asked.alpha}
        return file, {**given, **reading, "percent": reading["percent"] or file.percent}

    def _board(self, board: Leaderboard | AucLeaderboard, file: BoardFile, *, percent: bool) -> None:
        self._say("leaderboard", "The leaderboard", board, _leaderboard_sheet(board))
        self.document = board.to_dict()
        self.sections += [Section("The file", f"Note: {note}.") for note in file.notes]
        if self.asked.draw:
            from scoreproof.sota.figures import plot_boards, plot_leaderboard, plot_regression

            self.figures["leaderboard"] = plot_leaderboard(board)
            if board.regression is not None and file.public is not None:
                scale = 100 if percent else 1
                both = [s / scale for s in file.public], [s / scale for s in file.scores]
                self.figures["public_private"] = plot_regression(board.regression, *both)
                self.figures["boards"] = plot_boards(board, *both)

    def print(self, terminal: Console, top: int) -> None:
        """Sentences first, then the tables, so many of their lines."""
        for section in self.sections:
            terminal.print(section.words, markup=False)
        for section in self.sections:
            sheet = section.sheet
            if sheet is not None:
                more = max(0, len(sheet.rows) - top) + sheet.more
                title = f"{section.title}{f' (and {more:,} more)' if more else ''}"
                terminal.print(in_terminal("", [SmallTable(sheet.rows[:top], sheet.head, title)]))

    def _say(self, key: str, title: str, result: Any, sheet: Sheet | None = None) -> None:
        self.document[key] = result.to_dict()
        self.sections.append(Section(title, str(result), sheet=sheet))

    def _simulated(self, mean: float, sd: float, draws: int, how: str = "") -> None:
        error = sd / draws**0.5
        self.document["simulation"] = {"draws": draws, "mean": mean, "sd": sd, "standard_error": error}
        words = f"{draws:,} simulated competitions{how}: mean best {mean:.6f} ± {error:.6f}, sd {sd:.6f}."
        self.sections.append(Section("Cross-check", words))

    def _refuse(self, what: str, *, observed_best: bool = False) -> None:
        asked, board = self.asked, what == "a leaderboard"
        more = ("classifiers",) if board else ("dependence", "correlation")
        names = ("accuracy", "better_by", "max_bias", *(("observed_best",) if observed_best else ()), *more)
        refuse(what, {f"--{name.replace('_', '-')}": getattr(asked, name) for name in names})


def refuse(what: str, options: Mapping[str, Any]) -> None:
    """Options that would be silently ignored are errors."""
    wrong = next((name for name, value in options.items() if value is not None), None)
    if wrong is not None:
        raise InvalidOption(f"{wrong}: does not go with {what}; leave it out")


def _number(name: str, text: str | None) -> float | None:
    try:
        return None if text is None else float(text)
    except ValueError:
        raise InvalidOption(f"{name}: expected a number, got {text!r}") from None


_CONVENTIONS: tuple[tuple[Convention, str], ...] = (
    ("quantile", "smallest z with F(z) ≥ α/2"),
    ("holds", "really holds ≤ α/2"),
)


def _best_rows(best: Best, alpha: float) -> list[tuple[str, str]]:
    """What there is to say about a best score, label by label: mean, spread and both conventions of the interval."""
    rows = [
        ("true " + best.score, f"{best.truth:.6g}"),
        ("expected best", f"{best.mean:.6f}"),
        ("standard deviation", f"{best.sd:.6f}"),
        ("optimism (expected best - truth)", f"{best.bias:+.6f}"),
        ("median", f"{best.median:.6f}"),
    ]
    for convention, words in _CONVENTIONS:
        interval = best.interval(alpha, convention)
        ends = " to ".join("none" if end is None else f"{end:.6f}" for end in (interval.low, interval.high))
        rows.append((f"{100 * (1 - alpha):g}% interval, {words}", ends))
        rows.append(("    P(best ≤ low), P(best ≥ high)", f"{interval.p_low:.5f}, {interval.p_high:.5f}"))
    reference = getattr(best, "reference", None)
    if reference is not None:
        rows.append(("dependence: p_dep, q", f"{reference.p_dep:.6g}, {reference.q:.6g}"))
        rows.append(("pairwise correlation", f"{reference.correlation:.6g}"))
    return rows


def _leaderboard_sheet(board: Leaderboard | AucLeaderboard, most: int = 100) -> Sheet:
    """The shrunken ranking; entries that cannot be told from the top are shaded."""
    shown = board.entries[:most]
    rows = [
        (
            entry.name,
            str(entry.rank),
            f"{entry.score:.4f}",
            f"{entry.shrunken:.4f}",
            f"{entry.low:.4f} to {entry.high:.4f}",
            f"{entry.expected_rank:.1f}",
            f"{entry.chance_best:.3f}",
        )
        for entry in shown
    ]
    close = frozenset(place for place, entry in enumerate(shown) if entry.indistinguishable)
    head = ("entry", "rank", "score", "shrunken", "interval", "expected rank", "chance best")
    return Sheet(head, rows, shaded=close, more=max(0, len(board.entries) - most))
