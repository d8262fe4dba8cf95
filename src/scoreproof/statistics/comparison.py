"""The finished comparison of two or more models: what was done, what came out, in words.

One object carries everything a results section needs: the recommendation that was followed, the assumption
checks, the test of all models and of each pair with corrected p-values, a paragraph, a LaTeX table and a
figure. Formatting never changes it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Self

from scoreproof._version import __version__
from scoreproof.jsonable import document, rebuilt
from scoreproof.markup import escape_latex, html_table
from scoreproof.results import Result, SmallTable, Tabular
from scoreproof.statistics.friedman import PostHoc, correction_name
from scoreproof.statistics.recommend import Recommendation
from scoreproof.statistics.result import Effect, TestResult, bare_p, count_text, number_text, p_text, percent_text

if TYPE_CHECKING:
    from matplotlib.figure import Figure


_TOLD_IN_FULL = 3


@dataclass(frozen=True, slots=True)
class ModelSummary(Result):
    """One model in numbers: the main value, with its interval where there is one, and the rest."""

    name: str
    main: Effect
    numbers: tuple[tuple[str, float], ...] = ()

    def to_dict(self) -> dict[str, Any]:
        return document(self, "name main", **dict(self.numbers))

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> Self:
        numbers = [pair for pair in document.items() if pair[0] not in ("name", "main")]
        return rebuilt(cls, {**document, "numbers": numbers})

    def __str__(self) -> str:
        return f"{self.name}: {self.main}"


@dataclass(frozen=True, slots=True)
class PairResult(Result):
    """One pair of models: the test and its p-value corrected for the number of pairs."""

    first: str
    second: str
    what: str
    result: TestResult
    p_adjusted: float
    better: str | None = None
    higher: str | None = None

    @property
    def effect(self) -> Effect | None:
        return self.result.effect

    def __str__(self) -> str:
        return f"{self.named}: {self.result.headline}, corrected {p_text(self.p_adjusted)}"

    @property
    def named(self) -> str:
        """Both models, and what they are compared by."""
        return f"{self.first} vs {self.second}{f', {self.what}' if self.what else ''}"

    def to_dict(self) -> dict[str, Any]:
        result = _without_inputs(self.result)
        return document(self, "first second what better higher p_adjusted", difference="first - second", result=result)


@dataclass(frozen=True, slots=True)
class Comparison(Tabular):
    """All that ``compare`` found.

    >>> from scoreproof.statistics import compare
    >>> result = compare({"A": [0.9, 0.8, 0.85, 0.7, 0.9, 0.95], "B": [0.8, 0.7, 0.8, 0.65, 0.85, 0.9]}, metric="acc")
    >>> result.pairs[0].result.p_value, result.best
    (0.03125, 'A')
    """

    test: str
    unit: str
    rows: int
    models: tuple[ModelSummary, ...]
    pairs: tuple[PairResult, ...]
    recommendation: Recommendation
    omnibus: TestResult | None = None
    ranks: PostHoc | None = None
    checks: tuple[TestResult, ...] = ()
    notes: tuple[str, ...] = ()
    alpha: float = 0.05
    correction: str = "holm"
    higher_is_better: bool | None = None
    question: str = "better"
    metric: str | None = None
    margin: float | None = None
    curves: Mapping[str, Any] = field(default_factory=dict, compare=False, repr=False)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(m.name for m in self.models)

    @property
    def best(self) -> str | None:
        """The model with the best main value, significant or not; the first of equals, None if no way is better."""
        if self.higher_is_better is None:
            return None
        sign = 1 if self.higher_is_better else -1
        return max(self.models, key=lambda m: sign * m.main.value).name

    def significant(self) -> tuple[PairResult, ...]:
        """The pairs that differ at alpha after correction; none when the test of all models found nothing."""
        if self.omnibus is not None and not self.omnibus.significant(self.alpha):
            return ()
        return tuple(p for p in self.pairs if p.p_adjusted <= self.alpha)

    @property
    def text(self) -> str:
        """The comparison as a paragraph for a results section, with level, sides and software."""
        described, measured = "; ".join(map(str, self.models)), f" by {self.metric}" if self.metric else ""
        sentences = [f"{len(self.models)} models were compared{measured} on {self.rows} {self.unit} ({described})."]
        differ = self.omnibus is None or self.omnibus.significant(self.alpha)
        if self.omnibus is not None:
            verdict = "differ" if differ else "do not differ significantly"
            sentences.append(f"As a whole they {verdict}: {self.omnibus}")
        if differ:
            sentences += self._pair_sentences()
            if len(self.pairs) > 1 and any(p.effect is not None and p.effect.interval for p in self.pairs):
                sentences.append("Each interval is that of its pair alone.")
        else:
            sentences.append("The pairs are therefore not interpreted.")
        sides = "Two-sided tests" if self.margin is None else "One-sided tests"
        family = f", {correction_name(self.correction)}-corrected for {len(self.pairs)} tests"
        family = family if len(self.pairs) > 1 else ""
        sentences.append(f"{sides} at alpha = {self.alpha:g}{family} (scoreproof {__version__}).")
        sentences += [*(f"Check: {check}" for check in self.checks), *(f"Note: {note}." for note in self.notes)]
        return " ".join(sentences)

    def _pair_sentences(self) -> list[str]:
        """Every pair when there are few; of many, those that differ, and how many do not."""
        if len(self.pairs) <= _TOLD_IN_FULL:
            return [self._pair_sentence(p) for p in self.pairs]
        told = [self._pair_sentence(p) for p in self.significant()]
        rest = [p.p_adjusted for p in self.pairs if p.p_adjusted > self.alpha]
        if rest:
            others = "The other" if told else "All"
            ending = f"smallest {correction_name(self.correction)}-corrected {p_text(min(rest))}"
            outcome = "do not differ significantly" if self.margin is None else "are shown to be neither"
            told.append(f"{others} {len(rest)} pairs {outcome} ({ending}).")
        return told

    def _pair_sentence(self, pair: PairResult) -> str:
        ahead = pair.better or pair.higher
        differ = pair.p_adjusted <= self.alpha
        turned = differ and ahead == pair.second
        corrected = ""
        if pair.p_adjusted != pair.result.p_value:
            corrected = f", {correction_name(self.correction)}-corrected {p_text(pair.p_adjusted)}"
        size = self._size(pair, turned=turned)
        return f"{self._verdict(pair, ahead)}: {pair.result.told(turned=turned)}{corrected}{size}."

    def _verdict(self, pair: PairResult, ahead: str | None) -> str:
        told = f" in {pair.what}" if pair.what else ""
        shown = pair.p_adjusted <= self.alpha
        if self.margin is not None:
            margin = number_text(self.margin)
            if self.question == "not worse":
                outcome = "is not worse" if shown else "is not shown to be no worse"
                return f"{pair.first} {outcome} than {pair.second} by more than {margin}{told}"
            outcome = "are equivalent" if shown else "are not shown to be equivalent"
            return f"{pair.first} and {pair.second} {outcome} within {margin}{told}"
        if shown and ahead:
            other = pair.second if ahead == pair.first else pair.first
            verb = "varies more" if self.question == "variance" else "is better" if pair.better else "has higher values"
            return f"{ahead} {verb} than {other}{told}"
        return f"{pair.first} and {pair.second} {'differ' if shown else 'do not differ significantly'}{told}"

    @staticmethod
    def _size(pair: PairResult, *, turned: bool) -> str:
        """The effect, a difference with its direction: the way round the sentence names the models."""
        effect = pair.effect
        if effect is None:
            return ""
        if "difference" not in effect.name:
            return f"; {effect}"
        ahead, other = (pair.second, pair.first) if turned else (pair.first, pair.second)
        told = str(effect.turned if turned else effect).removeprefix(effect.name)
        return f"; {effect.name}, {ahead} − {other}{told}"

    def __str__(self) -> str:
        return self.text

    def to_dict(self) -> dict[str, Any]:
        told = "test unit rows alpha correction question metric margin higher_is_better models best pairs ranks notes"
        omnibus = None if self.omnibus is None else _without_inputs(self.omnibus)
        return document(
            self,
            f"{told} recommendation text",
            omnibus=omnibus,
            checks=[_without_inputs(check) for check in self.checks],
        )

    def model_table(self) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
        """Header and rows of the table of models, as text."""
        columns = [name for name, _ in self.models[0].numbers]
        head = ("model", _effect_head(self.models[0].main), *columns)
        rows = [(m.name, _effect_cell(m.main), *(number_text(v) for _, v in m.numbers)) for m in self.models]
        return head, rows

    def pair_table(self) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
        """Header and rows of the table of pairs, as text."""
        first = self.pairs[0].result
        counts = "c" in first.details
        statistic = "b : c" if counts else first.statistic_name
        head = ("pair (first vs second)", _effect_head(first.effect, pair=True), statistic, "p", "corrected p")
        rows: list[tuple[str, ...]] = []
        for p in self.pairs:
            told, value = p.result.details, count_text(p.result.statistic)
            value = f"{told['b']} : {told['c']}" if counts else value
            rows.append((p.named, _effect_cell(p.effect), value, bare_p(p.result.p_value), bare_p(p.p_adjusted)))
        return head, rows

    @property
    def pair_test(self) -> str:
        """The test of the pairs, by name."""
        names = {p.result.test for p in self.pairs}
        return names.pop() if len(names) == 1 else self.test

    def latex(self) -> str:
        """Both tables in LaTeX with booktabs rules; significant pairs are bold."""
        bold = {id(p) for p in self.significant()}
        head, rows = self.pair_table()
        pairs = [
            [f"\\textbf{{{_cell(c)}}}" if id(pair) in bold else _cell(c) for c in row]
            for pair, row in zip(self.pairs, rows, strict=True)
        ]
        models_head, models = self.model_table()
        corrected = any(p.p_adjusted != p.result.p_value for p in self.pairs)
        caption = f"{self.pair_test}, {self.rows} {self.unit}"
        caption += f", {correction_name(self.correction)}" if corrected else ""
        caption += f". {self.omnibus}" if self.omnibus is not None else ""
        lines = [r"\begin{table}", r"\centering"]
        lines.append(f"\\caption{{{_cell(caption.rstrip('.'))}. Bold: differs at {self.alpha:g}.}}")
        lines += _tabular(models_head, [[_cell(c) for c in row] for row in models])
        return "\n".join([*lines, r"\par\medskip", *_tabular(head, pairs), r"\end{table}"])

    def figure(self) -> Figure:
        """A critical-difference diagram, ROC curves, or differences with their intervals."""
        from scoreproof.statistics.figures import comparison_figure

        return comparison_figure(self)

    def _rows(self) -> list[dict[str, Any]]:
        return [
            {
                **document(pair, "first second what better higher p_adjusted"),
                **document(pair.result, "test statistic p_value"),
            }
            for pair in self.pairs
        ]

    def _tables(self) -> list[SmallTable]:
        """The models, the test of all of them, and the pairs."""
        head, rows = self.model_table()
        named, pairs = self.pair_table()
        whole = [] if self.omnibus is None else self.omnibus._tables()
        return [SmallTable(rows, head, "Models"), *whole, SmallTable(pairs, named, f"Pairs: {self.pair_test}")]

    def tables_html(self) -> str:
        """The tables alone, for a page that says the rest."""
        return Result._repr_html_(self)

    def _repr_html_(self) -> str:
        return self.tables_html() + html_table([("in words", self.text)], caption="Report")


def _without_inputs(result: TestResult) -> dict[str, Any]:
    """The arrays of every pair would repeat the table again and again."""
    return {key: value for key, value in result.to_dict().items() if key != "inputs"}


def _effect_head(effect: Effect | None, *, pair: bool = False) -> str:
    if effect is None:
        return "effect"
    name = f"{effect.name}, first − second" if pair and "difference" in effect.name else effect.name
    return f"{name} ({percent_text(effect.interval.level)} CI)" if effect.interval else name


def _effect_cell(effect: Effect | None) -> str:
    if effect is None:
        return ""
    text = number_text(effect.value)
    if effect.interval is None:
        return text
    return f"{text} ({number_text(effect.interval.low)} to {number_text(effect.interval.high)})"


def _cell(text: str) -> str:
    """A cell with its minus signs and powers of ten as mathematics."""
    parts, end = [], 0
    for match in _SIGNED.finditer(text):
        power = f"${match[1]} \\times 10^{{{'-' if match[2] == '-' else ''}{match[3]}}}$"
        parts += [escape_latex(text[end : match.start()]), "$-$" if match[1] is None else power]
        end = match.end()
    return "".join([*parts, escape_latex(text[end:])])


#: A minus that is one (not a hyphen), with its number if it has one; and numbers with a power of ten.
_SIGNED = re.compile(r"−|(?<![\w.])-(?=\d)|(?<![\w.-])(-?\d(?:\.\d+)?)e([+-])0*(\d+)")


def _tabular(head: Sequence[str], rows: list[list[str]]) -> list[str]:
    return [
        f"\\begin{{tabular}}{{l{'r' * (len(head) - 1)}}}",
        r"\toprule",
        " & ".join(_cell(h) for h in head) + r" \\",
        r"\midrule",
        *(" & ".join(row) + r" \\" for row in rows),
        r"\bottomrule",
        r"\end{tabular}",
    ]
