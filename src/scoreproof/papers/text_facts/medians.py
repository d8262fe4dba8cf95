"""Medians in a sentence: "the median over five runs", "median (IQR) of the folds".

The medians of two columns may be of different runs: no matrix need have both, and they are no averages either. What is
read here takes verdicts away. The run with the median accuracy is one run, and medians of patients' ages are no scores.
"""

from __future__ import annotations

import re

from scoreproof.papers.text_facts.facts import Medians
from scoreproof.papers.text_facts.sentence import Sentence

_REPEATED = (
    r"(?:runs?|seeds?|folds?|repetitions?|replicat(?:es|ions)|repeats?|initiali[sz]ations?|restarts?|trials|experiments"
    r"|splits?|partitions?|shuffles?|resamples?|bootstraps?|bootstrap samples|(?:cross[- ]?)?validations?|cv)\b"
)
_OVER = re.compile(
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
_NO_SCORES = re.compile(
    r"\bmedian (?:\w+ )?(?:age|follow-?up|survival|time|delay|duration|income|volume|size|length|dose|thickness|filter"
    r"|latency|price|loss|absolute deviation|heuristic|frequency)|\bcontinuous variables|\bbaseline characteristics"
    r"|\bdemographic|\bimput|\bmissing\b|\breplaced\b|\bnormali[sz]ed by\b",
    re.I,
)


def medians(sentence: Sentence, *, of_table: bool = False) -> Medians | None:
    """Whether scores are said to be medians; in the caption of a table (``of_table``) a range beside them is enough.

    >>> [medians(Sentence(text)) is not None for text in
    ...  ("We report the median over five runs.", "We show the run with the median accuracy of five runs.")]
    [True, False]
    """
    text = sentence.text
    if _ONE_RUN.search(text) or _NO_SCORES.search(text):
        return None
    ranged = _WITH_QUARTILES.search(text) and (of_table or _SCORES.search(text))
    return Medians(sentence) if _OVER.search(text) or ranged else None
