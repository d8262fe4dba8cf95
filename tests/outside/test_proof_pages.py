"""The pages that specify certificates and the verifier say the same: kinds, keys, sentences, examples."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.forgery import alterations, sealed

from scoreproof_verify import verify_certificate
from scoreproof_verify.frame import CHECKERS, checker_of

ROOT = Path(__file__).parents[2]
PAGES = ROOT / "docs" / "proofs"
VERIFIER = ROOT / "verify" / "src" / "scoreproof_verify"
EXAMPLE = re.compile(r"```json certificate\n(.*?)```\n\n\"(.*?)\"\n", re.S)
KINDS = sorted(CHECKERS)
#: What is said of a value names it by its key; the pages write these sentences out with {key}, {name} or in full.
SPECIFIED = "\n".join(
    page.read_text(encoding="utf-8") for page in (PAGES.parent / "proofs.md", *sorted(PAGES.glob("*.md")))
)


def plain(text: str) -> str:
    """A sentence with everything that is inserted made alike, lines joined."""
    before = None
    while before != text:
        before, text = text, re.sub(r"\{[^{}]*\}", "\0", text)
    return re.sub(r"\s+", " ", text.replace("\0", "{}"))


def page_of(kind: str) -> str:
    return (PAGES / f"{kind}.md").read_text(encoding="utf-8")


def examples(kind: str) -> list[tuple[dict[str, Any], str]]:
    found = [(json.loads(text), " ".join(words.split())) for text, words in EXAMPLE.findall(page_of(kind))]
    return [(sealed(document["kind"], document["statement"], document["proof"]), words) for document, words in found]


def sentences() -> Iterator[tuple[str, str]]:
    """Every sentence with which the verifier refuses, and where it stands."""
    for path in sorted(VERIFIER.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                called = _called(node)
                place = {
                    "require": 1,
                    "Rejected": 0,
                    "walk": 3,
                    "list_of": 3,
                    "given": 1,
                    "chosen": 3,
                    "place_in": 3,
                }.get(called)
                if place is not None and len(node.args) > place:
                    said = _text(node.args[place])
                    if said is not None:
                        yield f"{path.name}:{node.lineno}", said
                if called == "object_of" and (what := _text(node.args[0])) is not None:
                    yield f"{path.name}:{node.lineno}", f"{what} is not an object"
                if called == "integer" and len(node.args) > 2 and (what := _text(node.args[1])) is not None:
                    yield f"{path.name}:{node.lineno}", f"{what} is out of range"
            if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) in ("ending", "otherwise"):
                yield f"{path.name}:{node.lineno}", _text(node.value) or ""


def _called(node: ast.Call) -> str:
    """The function, or the method of a document, that is called."""
    return node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")


def _text(node: ast.expr) -> str | None:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values)
    return None


def test_every_kind_has_its_page_and_every_page_is_listed() -> None:
    assert {path.stem for path in PAGES.glob("*.md")} >= set(KINDS)
    overview = (PAGES.parent / "proofs.md").read_text(encoding="utf-8")
    for path in PAGES.glob("*.md"):
        assert f"(proofs/{path.name})" in overview, path.name


@pytest.mark.parametrize("kind", KINDS)
def test_every_key_of_a_kind_is_named_on_its_page(kind: str) -> None:
    missing = [key for key in sorted(checker_of(kind).keys) if f"`{key}`" not in page_of(kind)]
    assert not missing


@pytest.mark.parametrize("kind", KINDS)
def test_the_example_of_a_page_is_proved_in_its_words_and_altered_it_is_not(kind: str) -> None:
    shown = examples(kind)
    assert shown, "a page has an example with the words it gives"
    for certificate, words in shown:
        assert certificate["kind"] == kind
        assert verify_certificate(certificate).words == words
        another = {**certificate, "digest": "0" * 64}
        assert verify_certificate(another).words == "Not proved: it was altered after it was made (digest)."
        altered = [sealed(kind, certificate["statement"], proof) for proof in alterations(certificate["proof"])]
        assert any(not verify_certificate(document) for document in altered)


def test_every_sentence_of_the_verifier_stands_in_the_pages() -> None:
    specified = plain(SPECIFIED)
    missing = [f"{place}: {said}" for place, said in sentences() if plain(f'"{said}"') not in specified]
    assert not missing, "\n".join(missing)


def test_names_that_sentences_insert_are_in_the_pages() -> None:
    """``integer(x, "k")`` says "k is not an integer": the page must say what is called k."""
    named = set()
    for path in sorted(VERIFIER.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and len(node.args) > 1:
                owners = {"integer": 1, "fraction": 1, "read_printed": 1, "text": 1, "printed": 1, "known_keys": 0}
                owner = {**owners, "chosen": 2, "place_in": 2}.get(_called(node))
                if owner is not None and len(node.args) > owner and isinstance(node.args[owner], ast.Constant):
                    named.add(str(node.args[owner].value))  # type: ignore[attr-defined]
    specified = plain(SPECIFIED)
    assert not sorted(name for name in named if f'"{name}"' not in specified)
