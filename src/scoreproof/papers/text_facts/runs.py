"""Runs in a sentence: "five random seeds", "averaged over three runs", "repeated ten times".

A mean over runs is no score of one matrix. What is read here takes verdicts away and never makes one, so whatever may
speak of runs counts: other people's, those of an experiment that no table is about.
"""

from __future__ import annotations

import re

from scoreproof.papers.text_facts.facts import Runs
from scoreproof.papers.text_facts.sentence import Sentence
from scoreproof.papers.text_facts.vocabulary import NUMBER_WORDS

_TIMES_WORDS = {**NUMBER_WORDS, "twice": 2, "thrice": 3}
_NUMBER = r"(?P<{}>\d{{1,3}}|" + "|".join(NUMBER_WORDS) + ")"
_KINDS = (
    r"(?:(?:independent|independently|different|random|randomly|separate|separately|repeated|training|individual"
    r"|distinct|full|new|such|seeded|chosen|initiali[sz]ed|weight|parameter|network|experimental|monte[- ]carlo)"
    r"[\s,-]+)*"
)
_SAME = r"(?:runs?|seeds?|repetitions?|replicat(?:es|ions)|repeats?|initiali[sz]ations?|restarts?|re-?runs?)\b"
_OTHER = (
    r"(?:splits?|partitions?|shuffles?|resamples?|resamplings?|bootstraps?|subsets?|samplings?|draws?|hold-?outs?)\b"
)
_TRIALS = r"(?:independent|different|random|separate|repeated)\s+(?:trials|experiments)\b"  # others are of subjects
_COUNTED = re.compile(rf"\b{_NUMBER.format('many')}[\s-]+{_KINDS}(?:{_SAME}|{_TRIALS})", re.I)
_TIMES = re.compile(
    r"\b(?:repeat(?:ed)?|train(?:ed)?|run|ran|done|drawn|made)\b[^.;]{0,40}?\b(?P<word>twice|thrice)\b"
    rf"|\b{_NUMBER.format('many')}\s+(?:independent\s+|different\s+)?times\b"
    r"(?!\s+(?:as|faster|slower|more|fewer|less|larger|smaller|bigger|higher|lower|greater|better|the|per|a|an|each|every)\b)",
    re.I,
)
_DEALT_ANEW = re.compile(r"\bsplit|\bpartition|\bshuffl|\bre-?sampl|\bbootstrap|\brandom(?:ly)?\s+(?:divi|sub)", re.I)
_MEANS = r"\b(?:averag\w*|means?|mean values?|standard deviations?|std|s\.?d\.?|error bars?)\b[^.;]{0,80}?"
_AVERAGED = re.compile(
    rf"{_MEANS}\b(?:over|of|across|from|for|with|in)\b[^.;]{{0,40}}?\b{_KINDS}(?:{_SAME}|{_OTHER}|trials\b|experiments\b)",
    re.I,
)
_FOLDS = re.compile(r"\bfolds?\b|\bcross[- ]?validat|\bCV\b", re.I)
_MOST = 200


def runs(sentence: Sentence) -> Runs | None:
    """What a sentence says of runs; None if nothing, or if it speaks of folds, which are runs of another sort.

    >>> from scoreproof.papers.text_facts.sentence import Sentence
    >>> [getattr(runs(Sentence(text)), "count", "-") for text in
    ...  ("Averages over three runs.", "We report means over ten random splits.", "The test set has 300 images.")]
    [3, None, '-']
    """
    text = sentence.text
    if _FOLDS.search(text):
        return None
    said = [match["many"] for match in _COUNTED.finditer(text)]
    said += [match["word"] or match["many"] for match in _TIMES.finditer(text)]
    counts = {_TIMES_WORDS.get(word.lower()) or int(word) for word in said}
    counts = {count for count in counts if 1 < count <= _MOST}
    if len(counts) == 1 and not _DEALT_ANEW.search(text):
        return Runs(counts.pop(), sentence)
    return Runs(None, sentence) if counts or _AVERAGED.search(text) else None
