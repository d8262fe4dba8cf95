"""Lists of words that decide what a number in a sentence counts, and whether it may be of the paper's own cases at all.

Sizes of other people's data, of data made for training, of what might be done and of what was left undone look like
sizes of test sets. So do vague ones ("some 300 images"), those of each fold, and those of several sets at once. A
sentence that speaks of any of these is left: a wrong size is worse than none. The words are in ``words.toml`` and
``doubts.toml``.
"""

from __future__ import annotations

import re
import tomllib
from importlib.resources import files

_WORDS = tomllib.loads(files(__package__).joinpath("words.toml").read_text(encoding="utf-8"))

UNITS = frozenset(_WORDS["units"].split())
CLASS_UNITS = frozenset(_WORDS["class_units"].split())
SMALL = frozenset(_WORDS["small"].split())
THINGS = frozenset(_WORDS["things"].split())
NO_CLASS = frozenset(_WORDS["no_class"].split())
NOT_CLASSES = frozenset(_WORDS["not_classes"].split())
PERSONS = frozenset(_WORDS["persons"].split())
PEOPLE = frozenset(_WORDS["people"].split())
QUERIES = frozenset(_WORDS["queries"].split())
OBJECTS = frozenset(_WORDS["objects"].split())
OPENING = frozenset(_WORDS["opening"].split())
BEING = frozenset(_WORDS["being"].split())
NAMELESS = frozenset(_WORDS["nameless"].split())
NUMBERED = frozenset(_WORDS["numbered"].split())
NUMBER_WORDS = {
    "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10, "eleven": 11,
    "twelve": 12, "fifteen": 15, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50,
}  # fmt: skip

_DOUBTFUL = tomllib.loads(files(__package__).joinpath("doubts.toml").read_text(encoding="utf-8"))
_STANDS_FOR = {
    "UNITS": "|".join(map(re.escape, sorted(UNITS))),
    "PERSONS": "|".join(map(re.escape, sorted(PERSONS))),
    "WORDS": "|".join(NUMBER_WORDS),
    "NUMBERS": rf"(?:\d|(?:{'|'.join(NUMBER_WORDS)})\b)",
}


def _compiled(*names: str) -> re.Pattern[str]:
    """The patterns of some lists as one."""
    said = "|".join(pattern for name in names for pattern in _DOUBTFUL[name])
    said = re.sub(rf"\b(?:{'|'.join(_STANDS_FOR)})\b", lambda match: _STANDS_FOR[match[0]], said)
    return re.compile(rf"\b(?:{said})", re.I)


_OF_AUTHORS = re.compile(rf"\b{_DOUBTFUL['of_authors']}")
_CITED = re.compile(
    r"(?:\[[\d,;\s–-]+\]|\b[A-Z][\w'’-]+\s*\((?:19|20)\d\d[a-z]?\))\s+(?:(?:have|has|also|only|first)\s+)?"
)
_DID = re.compile(rf"(?:{'|'.join(_DOUBTFUL['authors_did'])})\b(?! (?:in|by|from|at|for|here|between|during)\b)", re.I)
_DOUBTS = _compiled(
    "others", "might_be", "left_undone", "beside", "vague", "of_parts", "several_sets", "cases_of"
)  # fmt: skip
_OF_EACH = _compiled("of_each")
_WHOLE, _SOME = _compiled("whole"), _compiled("some")
_SECTIONS = _compiled("sections")


def doubtful(text: str, *, of_each: bool = False) -> bool:
    """Whether the counts of a sentence may be others than the cases that were tested; ``of_each``: those of each class.

    >>> doubtful("Some 300 images were used for testing."), doubtful("300 images were used for testing.")
    (True, False)
    """
    if _DOUBTS.search(text) or _OF_AUTHORS.search(text) or _told_of_authors(text):
        return True
    return not of_each and _OF_EACH.search(text) is not None


def _told_of_authors(text: str) -> bool:
    """ "Lee (2019) used", "[14] reported"; but "the data [12] used here"."""
    return any(_DID.match(text, match.end()) for match in _CITED.finditer(text))


def told_as_whole(text: str) -> bool:
    """Whether a sentence that names neither training nor testing speaks of all cases."""
    return _WHOLE.search(text) is not None and _SOME.search(text) is None


def about_others(place: str) -> bool:
    """Whether a section is about other people's work, or about what might come.

    >>> about_others("section '2 Related work', page 2"), about_others("section 'Data'")
    (True, False)
    """
    return _SECTIONS.search(place) is not None
