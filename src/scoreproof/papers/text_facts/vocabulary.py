"""The words of ``words.toml``."""

from __future__ import annotations

import tomllib
from importlib.resources import files

_DATA = tomllib.loads(files(__package__).joinpath("words.toml").read_text(encoding="utf-8"))

UNITS = frozenset(_DATA["units"].split())
CLASS_UNITS = frozenset(_DATA["class_units"].split())
SMALL = frozenset(_DATA["small"].split())
THINGS = frozenset(_DATA["things"].split())
NO_CLASS = frozenset(_DATA["no_class"].split())
NOT_CLASSES = frozenset(_DATA["not_classes"].split())
PERSONS = frozenset(_DATA["persons"].split())
PEOPLE = frozenset(_DATA["people"].split())
QUERIES = frozenset(_DATA["queries"].split())
OBJECTS = frozenset(_DATA["objects"].split())
OPENING = frozenset(_DATA["opening"].split())
BEING = frozenset(_DATA["being"].split())
NAMELESS = frozenset(_DATA["nameless"].split())
NUMBERED = frozenset(_DATA["numbered"].split())
NUMBER_WORDS = {
    "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10, "eleven": 11,
    "twelve": 12, "fifteen": 15, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50,
}  # fmt: skip
