"""How scores came about, in a sentence: folds, repeats, splits, averaging, runs, medians, rounding.

A mean over runs is no score of one matrix, and the medians of two columns may be of different runs: what is read of
these takes verdicts away and never makes one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from scoreproof.papers.text_facts.facts import Averaged, Decimals, Fact, Folds, Medians, Runs, Sentence, Split
from scoreproof.papers.text_facts.words import NUMBER_WORDS

_COUNT_WORDS = {**NUMBER_WORDS, "twice": 2, "thrice": 3, "once": 1}
_NUMBER = r"(\d{1,3}|" + "|".join(_COUNT_WORDS) + r")"
_OTHERS = re.compile(
    r"\bet al\b|\bprevious(?:ly)? |\bprior work|\bhyper-?parameters?\b|\bgrid search|\binner\b|\btuned?\b|\bfuture\b"
    r"|\b(?:on|within) (?:the|our) training (?:set|data|split|portion)\b|\bmodel selection\b"
    r"|\bto (?:choose|select|pick|optimi[sz]e|determine)\b|\bwould\b|\b(?:usual|normal|typical)(?:ly)?\b"
    r"|\bremaining (?:\w+ )?folds\b"
    r"|\b(?:using|use|on) (?:the other )?\w+ folds (?:for|as|and)\b|\bonly (?:list|show|report)\b",
    re.I,
)
_CROSS = re.compile(r"\bcross[- ]?validat|\bCV\b|\bfolds\b", re.I)
_FOLDS = re.compile(rf"\b{_NUMBER}(?:[- –]?folds?\b(?![- ]change)|-cross[- ]?validation\b)", re.I)
_FOLDS_AFTER = re.compile(
    rf"\bk[- ]?folds?\b.{{0,60}}?\bk\s*=\s*{_NUMBER}\b|\binto {_NUMBER} (?:equal(?:ly sized)? |disjoint )?folds\b", re.I
)
_VAGUE = re.compile(
    r"\bat (?:least|most)\b|\btypical|\bfor (?:example|instance)\b|\b\d+-? (?:or|and|to) \d+-?folds?\b", re.I
)
_FOLD_TIMES = re.compile(
    r"\b(?:repeated|run|performed|carried out)\s+(twice|thrice)\b"
    rf"|\b{_NUMBER}\s*(?:times|repeats|repetitions|runs)\b|\b{_NUMBER}\s*[x×]\s*(?=(?:\d+)[- ]?fold)",
    re.I,
)
_BY = re.compile(r"\b(\d{1,3})\s*[x×]\s*(\d{1,3})(?:[- ]?fold)?\s*(?:cross|CV)", re.I)
_UNSTRATIFIED = re.compile(r"\b(?:un|non-?)stratified|\bwithout stratif|\bnot stratif", re.I)
_BY_CLASS = (
    r"(?:(?:the|their|its|class|binary|target|diagnostic|disease|true|ground[- ]truth) )*"
    r"(?:class|label|diagnos|outcome|target|categor|disease|status|response|malignan|survival|mortality)"
)
_STRATIFIED_BY = re.compile(
    rf"\bstratif\w+ (?:split\w* |sampl\w* )?(?:by|on|over|across|for|with|according to) (?!{_BY_CLASS})", re.I
)
# Shares of patients or speakers, of which each has cases of its own.
_OF_GROUPS = re.compile(
    r"\b(?:patient|subject|speaker|person|participant|group|hospital|site|user|author|family)s?[- ]?"
    r"(?:level|wise|independent|disjoint)\b"
    r"|\b(?:split|divided|separated|partitioned)\b[^.;]{0,40}?\b(?:by|per|across) (?:the )?"
    r"(?:patient|subject|speaker|person|participant|group|hospital|site|user|author|famil|date|year)",
    re.I,
)
_KEPT_SHARES = re.compile(
    r"\b(?:preserv|maintain|keep|kept|retain|same|equal|identical)\w*\b[^.;]{0,40}\b(?:class|label)\w* "
    r"(?:ratio|distribution|proportion|balance|prevalence|share|frequenc)"
    r"|\b(?:preserv|maintain|keep|kept|retain)\w*\b[^.;]{0,25}\b(?:ratio|distribution|proportions?|prevalence|balance) "
    r"(?:of|between) (?:the |both )?(?:class|label|positive)",
    re.I,
)
_LEFT_OUT = re.compile(r"\bleave[- ]one[- ]out\b|\bLOOCV\b", re.I)
_GROUP_LEFT_OUT = re.compile(r"\bleave[- ]one[- ](?:subject|patient|group|speaker|site|session|dataset)", re.I)
_SLASHES = re.compile(r"\b(\d{1,2})\s*%?\s*[/:–-]\s*(\d{1,2})\s*%?(?:\s*[/:–-]\s*(\d{1,2})\s*%?)?(?!\d)")
_RATIO = re.compile(r"(?<![\d.:/])([1-9])\s?:\s?([1-9])(?:\s?:\s?([1-9]))?(?![\d.:/%])")
# "An 80:20 ratio of benign to malicious samples", "exactly 50/50 by sex": shares of classes, not of a split.
_OF_CLASSES = re.compile(
    r"\bratio (?:of|between) (?:the )?\w+ (?:\w+ )?(?:to|and|versus) (?!test|valid|eval)\w+|\b(?:fe)?male\b|\bsex\b",
    re.I,
)
_CLASSES = re.compile(r"\b(?:positives?|negatives?|controls?|benign|healthy)\b|\b(?:class|im)?balanc|\bclass", re.I)
_SHARE = re.compile(r"(\d{1,2}(?:\.\d+)?)\s?(?:%|percent)")
_PART_WORDS = {
    "training": re.compile(r"\btrain(?:ing|ed)?\b|\bfit(?:ting)?\b", re.I),
    "validation": re.compile(r"\bvalidat(?:ion|e|ing)\b|\bdevelopment\b", re.I),
    "test": re.compile(r"\btest(?:ing|ed)?\b|\bhold[- ]?out\b|\bheld[- ]out\b|\bevaluation\b", re.I),
}
_SPLIT = re.compile(
    r"\bsplit|\bdivid|\bpartition|\bratio\b|\bfor (?:training|testing|validation)\b|\bused (?:for|to)\b|\bset aside\b"
    r"|\breserved\b",
    re.I,
)
_PARTS_OF_MEANS = r"(?:folds|repeats|repetitions)"
_MEAN = re.compile(
    rf"\b(?:average[ds]?|averag(?:ing|es)|means?)\b.{{0,60}}\b(?:{_PARTS_OF_MEANS}|cross[- ]validation)\b"
    rf"|\b{_PARTS_OF_MEANS} (?:were|was|are|is) averaged\b",
    re.I,
)
_ADDED = r"(?:pooled|concatenated|accumulated|summed|merged)"
_POOLED = re.compile(rf"\b{_ADDED}\b.{{0,80}}\bfolds\b|\bfolds\b.{{0,80}}\b{_ADDED}\b", re.I)
_DECIMALS = re.compile(
    rf"\b(?:round(?:ed|ing)?|report(?:ed)?|given?|shown?|print(?:ed)?|present(?:ed)?|expressed|stated)\b.{{0,40}}?"
    rf"\b(?:to|with|at)\s+(?:one|{_NUMBER})\s+(?:decimals?|decimal (?:places?|digits?|points?)|digits)\b",
    re.I,
)
_NO_SCORES = re.compile(r"\b(?:p[- ]?values?|ages?|times?|weights?|coefficients?|loss(?:es)?|prices?)\b", re.I)
# Runs: "five random seeds", "averaged over three runs", "repeated ten times".
_RUN_NUMBER = rf"(?<![\d.,=<>≤≥≈~–-])\b(?P<{{}}>\d{{{{1,3}}}}|{'|'.join(NUMBER_WORDS)})"
_KINDS = (
    r"(?:(?:independent|independently|different|random|randomly|separate|separately|repeated|training|individual"
    r"|distinct|full|new|such|seeded|chosen|initiali[sz]ed|weight|parameter|network|experimental|monte[- ]carlo)"
    r"[\s,-]+)*"
)
_SEEDS = re.compile(rf"{_RUN_NUMBER.format('many')}[\s-]+{_KINDS}(?:seeds?|initiali[sz]ations|restarts)\b", re.I)
_RUNS = re.compile(
    rf"{_RUN_NUMBER.format('many')}[\s-]+{_KINDS}(?:runs|repetitions|replicat(?:es|ions)|repeats|re-?runs|executions)\b"
    rf"(?! (?:per|of (?:a|the|double))\b)|{_RUN_NUMBER.format('some')}-run\b",
    re.I,
)
_TRIALS = re.compile(
    rf"{_RUN_NUMBER.format('many')}[\s-]+(?:independent|random|separate|repeated)\s+(?:trials|experiments)\b", re.I
)
_DONE = re.compile(
    r"\b(?:averag|means?\b|std\b|standard dev|±|repeat|perform|conduct|execut|carried out|results?\b|report|over\b"
    r"|across\b)",
    re.I,
)
_TIMES = re.compile(
    r"\b(?:repeat(?:ed)?|re-?run|ran|run|train(?:ed)?|performed|carried out|conducted|executed|drawn|evaluated)\b"
    rf"[^.;]{{0,60}}?(?<!up to )(?<!by )(?:\b(?P<word>twice|thrice)\b"
    rf"|{_RUN_NUMBER.format('many')}\s+(?:independent |different |separate |random )?times\b"
    r"(?! (?:as|faster|slower|more|fewer|less|larger|smaller|bigger|higher|lower|longer|shorter|greater|better"
    r"|the|speed)\b))",
    re.I,
)
_AVERAGED = re.compile(
    r"\b(?:averag(?:ed?|es|ing)|mean|means(?= (?:over|of|across|and)\b)|standard deviations?|std|error bars?)\b"
    rf"[^.;]{{0,80}}?\b(?:over|of|across|from|for|among)\b[^.;]{{0,40}}?\b{_KINDS}"
    r"(?:runs|seeds|repetitions|repeats|restarts|initiali[sz]ations|splits|partitions|shuffles|resamples|bootstraps?"
    r"|hold-?outs|trials|experiments)\b",
    re.I,
)
_DEALT_ANEW = re.compile(r"\bsplit|\bpartition|\bshuffl|\bre-?sampl|\bbootstrap|\brandom(?:ly)?\s+(?:divi|sub)", re.I)
_OF_FOLDS = re.compile(r"\bfolds?\b|\bcross[- ]?validat|\bCV\b", re.I)
_MOST_RUNS = 200
_REPEATED = (
    r"(?:runs?|seeds?|folds?|repetitions?|replicat(?:es|ions)|repeats?|initiali[sz]ations?|restarts?|trials|experiments"
    r"|splits?|partitions?|shuffles?|resamples?|bootstraps?|bootstrap samples|(?:cross[- ]?)?validations?|cv)\b"
)
_MEDIANS = re.compile(
    rf"\bmedians?\b(?! (?:run|seed|fold|filter))[^.;]{{0,80}}?\b(?:of|over|across|from|for|in|among|between)\b"
    rf"[^.;]{{0,60}}?\b{_REPEATED}|\b{_REPEATED}[^.;]{{0,60}}?\b(?:report|give|show|state|take|present)\w*\b"
    rf"[^.;]{{0,30}}?\bmedians?\b(?! (?:run|seed|fold|filter))",
    re.I,
)
_WITH_QUARTILES = re.compile(r"\bmedians?\b[^.;]{0,30}?\b(?:IQR|inter-?quartile|quartiles?|percentiles?)\b", re.I)
_SCORES = re.compile(
    r"\b(?:scores?|results?|performances?|metrics?|accurac(?:y|ies)|sensitivit|specificit|recall|precision|F1|F-score|dice|AUC|"
    r"AUROC|kappa|MCC)",
    re.I,
)
_ONE_RUN = re.compile(
    r"\b(?:run|seed|model|fold|repetition|trial)s? (?:with|of|that (?:has|had)|having) (?:the |a )?median\b", re.I
)
_OTHER_MEDIANS = re.compile(
    r"\bmedian (?:\w+ )?(?:age|follow-?up|survival|time|delay|duration|income|volume|size|length|dose|thickness|filter"
    r"|latency|price|loss|absolute deviation|heuristic|frequency)|\bcontinuous variables|\bbaseline characteristics"
    r"|\bdemographic|\bimput|\bmissing\b|\breplaced\b|\bnormali[sz]ed by\b",
    re.I,
)


def designs(sentence: Sentence, *, of_table: bool = False) -> Iterator[Fact]:
    """What a sentence says of the design; ``of_table`` if it is of the caption of a table.

    >>> (folds,) = designs(Sentence("We used stratified five-fold cross-validation, repeated 10 times."))
    >>> folds.k, folds.repeats, folds.stratified
    (5, 10, True)
    """
    text = sentence.text
    if not _OTHERS.search(text):
        folds = _folds(sentence)
        split = split_of(sentence) if folds is None else None
        yield from (fact for fact in (folds, split) if fact is not None)
        mean, pooled = _MEAN.search(text) is not None, _POOLED.search(text) is not None
        if mean != pooled:
            yield Averaged(mean, sentence)
        match = None if _NO_SCORES.search(text) else _DECIMALS.search(text)
        if match is not None:
            yield Decimals(_number(match[1] or "1"), sentence)
    for said in (_runs(sentence), _medians(sentence, of_table=of_table)):
        if said is not None:
            yield said


def _folds(sentence: Sentence) -> Folds | None:
    text = sentence.text
    left_out = _LEFT_OUT.search(text) is not None
    if not (_CROSS.search(text) or left_out) or _GROUP_LEFT_OUT.search(text) or _VAGUE.search(text):
        return None
    stratified = _stratified(text)
    by = _BY.search(text)
    if by is not None:  # "5x2 cross-validation": which number is of the folds?
        first, second = int(by[1]), int(by[2])
        told = first == second or re.search(r"fold", by[0], re.I) is not None
        return Folds(second, first, stratified, False, sentence) if told else None
    numbers = {_number(match[1]) for match in _FOLDS.finditer(text)}
    numbers |= {_number(match[1] or match[2]) for match in _FOLDS_AFTER.finditer(text)}
    if len(numbers) + left_out != 1 or min(numbers, default=2) < 2:
        return None
    times = {_number(next(filter(None, match.groups()))) for match in _FOLD_TIMES.finditer(text)} - {0, 1}
    return Folds(next(iter(numbers), None), times.pop() if len(times) == 1 else None, stratified, left_out, sentence)


def _stratified(text: str) -> bool | None:
    """Whether parts have the shares of the classes that all cases have; None if not said, or if of something else.

    >>> [_stratified(text) for text in ("stratified folds", "folds stratified by patient", "unstratified folds")]
    [True, None, False]
    """
    if _UNSTRATIFIED.search(text):
        return False
    if _STRATIFIED_BY.search(text):
        return None
    return True if re.search(r"\bstratif", text, re.I) or _KEPT_SHARES.search(text) else None


def split_of(sentence: Sentence) -> Split | None:
    """The shares into which a sentence says that cases were split: "80/20", "7:3", "70 % for training"."""
    text = sentence.text
    if _OTHERS.search(text) or _OF_GROUPS.search(text) or _OF_CLASSES.search(text):
        return None
    shares = _ratio(text) or _slashed(text) or _in_percent(text)
    return None if shares is None else Split(*shares, sentence, _stratified(text))


_Shares = tuple[float, float, float]  # of training, validation and test cases


def _named(text: str) -> list[str]:
    """The parts that a text names."""
    return [name for name, pattern in _PART_WORDS.items() if pattern.search(text)]


def _ratio(text: str) -> _Shares | None:
    """ "7:3", "8:1:1": of training, validation and test cases, unless classes may be meant."""
    said = list(_RATIO.finditer(text))
    if len(said) != 1 or not _SPLIT.search(text) or _CLASSES.search(text) or "training" not in _named(text):
        return None
    shares = [int(group) for group in said[0].groups() if group]
    if sum(shares) not in (5, 10) or shares[0] != max(shares):
        return None
    training, *middle, test = [share * 100 / sum(shares) for share in shares]
    return training, middle[0] if middle else 0.0, test


def _slashed(text: str) -> _Shares | None:
    """ "80/20", "60%/20%/20%"."""
    said = [[int(group) for group in match.groups() if group] for match in _SLASHES.finditer(text)]
    shares = [parts for parts in said if sum(parts) == 100]
    named = _named(text)
    if len(shares) != 1 or not ("training" in named or "test" in named or re.search(r"\bsplit", text, re.I)):
        return None
    first, *middle, last = shares[0]
    if not middle and first < last and "training" not in named:
        return None
    return float(first), float(middle[0]) if middle else 0.0, float(last)


def _in_percent(text: str) -> _Shares | None:
    """ "70 % for training", "70 %, 10 % and 20 % ... training, validation and test"."""
    shares = list(_SHARE.finditer(text))
    if not _SPLIT.search(text) or any(sum(map(int, filter(None, m.groups()))) == 100 for m in _SLASHES.finditer(text)):
        return None
    values = [float(match[1]) for match in shares]
    if len(values) == 1:
        behind = re.match(r"[^.;,]{0,60}", text[shares[0].end() :])
        parts = _named(behind[0] if behind else "")
        if len(parts) != 1 or "validation" in _named(text):
            return None
        training = values[0] if parts == ["training"] else 100 - values[0]
        return training, 0.0, 100 - training
    if not 2 <= len(values) <= 3 or sum(values) != 100:
        return None
    order = _order(text, shares)
    if len(set(order)) != len(values) or "training" not in order:
        return None
    by_part = dict(zip(order, values, strict=True))
    return by_part["training"], by_part.get("validation", 0.0), by_part.get("test", 0.0)


def _order(text: str, shares: Sequence[re.Match[str]]) -> list[str]:
    """The part of each share: named behind it, or before it where it is in brackets; or all of them in their order."""
    starts, ends = [match.start() for match in shares], [match.end() for match in shares]
    if all(text[:start].rstrip().endswith("(") for start in starts):
        beside = [_named(text[end:start]) for end, start in zip([0, *ends[:-1]], starts, strict=True)]
    else:
        beside = [_named(text[end:start]) for end, start in zip(ends, [*starts[1:], len(text)], strict=True)]
    if all(len(names) == 1 for names in beside):
        return [names[0] for names in beside]
    firsts = {name: match.start() for name, pattern in _PART_WORDS.items() if (match := pattern.search(text))}
    told = len(firsts) == len(shares) and re.search(r"\brespectively\b", text, re.I)
    return sorted(firsts, key=lambda name: firsts[name]) if told else []


def _number(text: str) -> int:
    return _COUNT_WORDS.get(text.lower()) or int(text)


def _runs(sentence: Sentence) -> Runs | None:
    """What a sentence says of runs; None if nothing, or if it speaks of folds, which are runs of another sort.

    >>> [getattr(_runs(Sentence(text)), "count", "-") for text in
    ...  ("Averages over three runs.", "We report means over ten random splits.", "It is up to 8 times as fast.")]
    [3, None, '-']
    """
    text = sentence.text
    if _OF_FOLDS.search(text):
        return None
    said = [match["many"] for match in _SEEDS.finditer(text)]
    if _DONE.search(text):
        said += [match["many"] or match["some"] for match in _RUNS.finditer(text)]
        said += [match["many"] for match in _TRIALS.finditer(text)]
    said += [match["word"] or match["many"] for match in _TIMES.finditer(text)]
    counts = {count for count in map(_number, said) if 1 < count <= _MOST_RUNS}
    if len(counts) == 1 and not _DEALT_ANEW.search(text):
        return Runs(counts.pop(), sentence)
    return Runs(None, sentence) if counts or _AVERAGED.search(text) else None


def _medians(sentence: Sentence, *, of_table: bool) -> Medians | None:
    """Whether scores are said to be medians; in the caption of a table a range beside them is enough.

    >>> [_medians(Sentence(text), of_table=False) is not None for text in
    ...  ("We report the median over five runs.", "We show the run with the median accuracy of five runs.")]
    [True, False]
    """
    text = sentence.text
    if _ONE_RUN.search(text) or _OTHER_MEDIANS.search(text):
        return None
    ranged = _WITH_QUARTILES.search(text) and (of_table or _SCORES.search(text))
    return Medians(sentence) if _MEDIANS.search(text) or ranged else None
