"""Cases that are pieces of what a text counts: "each recording was cut into windows of 10 s".

Scores are then of windows, and the number of recordings says nothing of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from scoreproof.papers.text_facts.sentence import Sentence

_WHOLES = (
    r"(?P<whole>image|slide|recording|signal|video|scan|volume|ecg|eeg|record|file|utterance|picture|photograph|radiograph"
    r"|mammogram|document|sequence|trial|session|exam|study|case|patient|subject)s?"
)
_PIECES = (
    r"(?:patch|tile|window|segment|crop|frame|slice|epoch|clip|beat|chunk|piece|block|sub-?image|excerpt|paragraph"
    r"|sub-?sequence|heartbeat|snippet|superpixel|cell|pixel|voxel)e?s"
)
_CUT = re.compile(
    rf"\b{_WHOLES}\b[^.;]{{0,60}}?\b(?:divided|split|cut|segmented|cropped|tiled|chopped|windowed|partitioned|broken|sliced)"
    rf"(?: up)? (?:into|in)\b[^.;]{{0,60}}?\b{_PIECES}\b"
    rf"|\b{_PIECES}\b[^.;]{{0,40}}?\b(?:were|are) (?:\w+ )?"
    rf"(?:extracted|cropped|cut|sampled|taken|segmented|obtained) from\b"
    rf"[^.;]{{0,40}}?\b{_WHOLES.replace('whole', 'source')}\b",
    re.I,
)
_NAMES_PIECES = re.compile(rf"\b{_PIECES}\b", re.I)


def cut_up(text: Iterable[Sentence]) -> frozenset[str]:
    """What the sentences of a paper say was cut into the pieces that are classified.

    >>> sorted(cut_up([Sentence("Each recording was cut into windows of 10 s."), Sentence("Images were split 80/20.")]))
    ['recording']
    """
    found = (match for sentence in text for match in _CUT.finditer(sentence.text))
    return frozenset((match["whole"] or match["source"]).lower() for match in found)


def of_wholes(sentence: Sentence, cut: frozenset[str]) -> bool:
    """Whether the counts of a sentence are of what was cut up, and not of its pieces."""
    if not cut or _NAMES_PIECES.search(sentence.text):
        return False
    return re.search(rf"\b(?:{'|'.join(map(re.escape, sorted(cut)))})s?\b", sentence.text, re.I) is not None
