"""The verifier of the reader's browser says what the one in Python says, in the same words, on certificates good and bad."""

from __future__ import annotations

import base64
import json
import re
import shutil
import subprocess
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from benchmarks.proof_corpus.__main__ import rare, write
from tests.forgery import with_a_key_twice

import scoreproof as sp
from scoreproof.errors import InvalidCertificate
from scoreproof.pages.audit_view import Shelf
from scoreproof.pages.writer import packed_verifier
from scoreproof_verify import digest, verify_certificate
from scoreproof_verify.__main__ import Unreadable, read
from scoreproof_verify.frame import CHECKERS

ROOT = Path(__file__).parents[2]
RUNNER = Path(__file__).with_name("verify_corpus.mjs")
FILES = ROOT / "verify" / "js"
EXAMPLE = re.compile(r"```json certificate\n(.*?)```\n", re.S)


def run(folder: Path) -> str:
    """What the runner prints about a corpus."""
    node = shutil.which("node")
    if node is None:
        pytest.fail("node is missing: the verifier of the browser cannot be run")
    done = subprocess.run([node, str(RUNNER), str(folder)], capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1), done.stderr
    return done.stdout


def line(certificate: Any, **more: Any) -> str:
    verified = verify_certificate(certificate)
    text = json.dumps(certificate, ensure_ascii=False)
    return json.dumps({"certificate": text, "valid": verified.valid, "words": verified.words, **more}) + "\n"


def sealed(kind: str, statement: Any, proof: Any) -> Any:
    own = {
        "format": "scoreproof-certificate/3",
        "scoreproof": "0",
        "kind": kind,
        "statement": statement,
        "proof": proof,
    }
    return {**own, "digest": digest(kind, statement, proof)}


def assert_alike(folder: Path, certificates: list[Any]) -> None:
    (folder / "certificates.jsonl").write_text(
        "".join(line(each, kind=each["kind"]) for each in certificates), encoding="utf-8"
    )
    (folder / "mutations.jsonl").write_text("", encoding="utf-8")
    printed = run(folder)
    assert printed.endswith("\n0 differences\n"), printed


def nested(levels: int) -> Any:
    value: Any = 1
    for _ in range(levels):
        value = [value]
    return value


def test_both_verifiers_agree_on_a_corpus(tmp_path: Path) -> None:
    write(tmp_path, 250, 1500, seed=20)
    printed = run(tmp_path)
    assert printed.endswith("\n0 differences\n"), printed


def test_both_verifiers_agree_on_the_examples_of_the_specification(tmp_path: Path) -> None:
    pages = [*sorted((ROOT / "docs" / "proofs").glob("*.md"))]
    examples = [json.loads(text) for page in pages for text in EXAMPLE.findall(page.read_text(encoding="utf-8"))]
    assert len(examples) >= 20
    assert_alike(tmp_path, [sealed(each["kind"], each["statement"], each["proof"]) for each in examples])


#: The kinds of which a statement may hold values with a ±: what is tested is a mean, or numbers are only compared.
OF_MEANS = {"binary", "common_average", "regression", "average", "order", "printed_matrix", "curve"}


def with_sign(value: Any, text: str) -> Iterator[Any]:
    """The value with another text in place of one that is a printed number, for every such text."""
    if isinstance(value, str) and re.match(r"[0-9]", value):
        yield value + text
    elif isinstance(value, (dict, list)):
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            for changed in with_sign(inner, text) if key not in ("score", "name") else ():
                copied: Any = value.copy()
                copied[key] = changed
                yield copied


def test_neither_verifier_takes_a_deviation_that_a_check_refuses(tmp_path: Path) -> None:
    """A number with a ± is a mean over several evaluations, of which what is proved of one says nothing."""
    known = [
        *[sealed("ranking", {"experiment": {"type": "ranking", "queries": 10}, "scores": [
            {"score": "hits@1", "text": text, "rounding": "any"}]}, {"kind": "hits"})
            for text in ("0.3333", "0.3333 ± 0.0471")],
        *[sealed("curve", {"experiment": {"type": "unknown_classes"}, "undefined": "any", "ties": True, "scores": [
            {"score": "auc", "text": "0.5", "rounding": "any"}, {"score": "sens", "text": "0.9", "rounding": "any"},
            {"score": "spec", "text": text, "rounding": "any"}]}, {"kind": "rates"})
            for text in ("0.9", "0.9 ± 0.1")],
    ]  # fmt: skip
    assert [verify_certificate(each).valid for each in known] == [True, False, True, False]
    made = [
        sealed(each["kind"], statement, each["proof"])
        for each in rare()
        for sign in (" ± 0.01", " ± x", "% +/- 0.1 ± 3")
        for statement in with_sign(each["statement"], sign)
    ]
    assert {each["kind"] for each in made} == {*CHECKERS}
    taken = {(each["kind"], json.dumps(each["statement"])) for each in made if verify_certificate(each).valid}
    assert {kind for kind, _ in taken} <= OF_MEANS
    assert all('"kfold"' in text for kind, text in taken if kind == "curve")
    assert not [text for _, text in taken if "\\u00b1 x" in text or "\\u00b1 3" in text]
    assert_alike(tmp_path, [*known, *made])


#: Reads lines of {"script", "certificate"} and prints what each script says of its certificate, one line each.
PAGES = """
const vm = require("node:vm");
const lines = require("node:fs").readFileSync(process.argv[1], "utf8").trim().split("\\n").map(JSON.parse);
for (const { script, certificate } of lines) {
  const page = vm.createContext({ performance, TextEncoder });
  vm.runInContext(script, page);
  console.log(JSON.stringify(page.Scoreproof.verify(certificate, {}).words));
}
"""


def test_what_a_page_carries_checks_its_proofs(tmp_path: Path) -> None:
    """The shortened lines that a report with one certificate holds, for a certificate of every rule."""
    kept = rare()
    lines = []
    for certificate in kept:
        shelf = Shelf()
        shelf.keep(certificate, "proof.json", "")
        script = zlib.decompress(base64.b64decode(packed_verifier(shelf.kinds))).decode()
        lines.append(json.dumps({"script": script, "certificate": json.dumps(certificate)}))
    (tmp_path / "pages.jsonl").write_text("\n".join(lines), encoding="utf-8")
    done = subprocess.run(
        ["node", "-e", PAGES, str(tmp_path / "pages.jsonl")], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    said = [json.loads(line) for line in done.stdout.splitlines()]
    assert said == [verify_certificate(certificate).words for certificate in kept]
    assert all(words.startswith("Proved: ") for words in said)


TEXTS = (
    " 0.80 ", "0,80", "+0.8", "−0.8", "–0.8", "80%", "80 %", "0.80±0.01", "80 ± 1%", "80% +- 1", "0.8 \\pm 0.1", "0.8 ± -0.1", "0.8±0.1±0.2", "±", "",
    " ", ".", "5.", ".5", "1e", "1e-3", "1E+400", "8e-290", "1/2", "-1/2", "+1/2", "1/2%", "0/0", "0.5625", "0.562500", "0.123456", "0.1234567",
    "0.333333343", "33.3333343", "0.3333333432674408", "0.1015625", "0.33333333333333", "0.333333333333333", "100000.0", "1e-45",
    "0.000000000000000001", "0.0000001234567", "123456789012345678", "\u00a00.8\u3000", "0.8\u200b", "٠.٨", "0.8\x00", "0.8'\"\\", "1_000", "0x1p3",
    "nan", "Infinity", "9" * 201, "0." + "3" * 197, "🦊" * 50, "🦊" * 201, "1.0000000", "0.99999994", "99.999994", "1.1754944e-38",
)  # fmt: skip


def test_both_verifiers_read_printed_texts_alike(tmp_path: Path) -> None:
    made = []
    for text in TEXTS:
        for rounding, eps in (("nearest", None), ("any", None), ("floor", None), (None, "0.01"), (None, None)):
            score = {"score": "acc", "text": text, "rounding": rounding, "eps": eps}
            statement = {"experiment": {"type": "testset", "p": 3, "n": 2}, "undefined": "any", "scores": [score]}
            made.append(sealed("binary", statement, {"kind": "rectangles", "steps": [["out", 0]]}))
            statement = {"type": "unknown_classes", "prevalence": {"text": text, "rounding": rounding, "eps": eps}}
            statement = {
                "experiment": statement,
                "undefined": "exclude",
                "scores": [{**score, "text": "2", "eps": "0", "rounding": None}],
            }
            made.append(sealed("unknown_classes", statement, {"kind": "rates", "steps": [["out"]]}))
    assert_alike(tmp_path, made)


def test_both_verifiers_look_at_plain_values_alike(tmp_path: Path) -> None:
    values = (
        *(nested(levels) for levels in (57, 58, 59, 60, 61, 62)), 2**14_000 - 1, 2**14_000, -(2**14_000), "\ud800", {"\U0001f98a": 1, "\uffff": 2}, {"": []},
        {"b": {"c": {}}, "a\n": [None, True, "x"]}, 1.5, float("nan"), [1e300], {"x" * 50: 1, "y": 2, "z": 3, "u": 4, "v": 5, "w": 6},
    )  # fmt: skip
    made = []
    for value in values:
        made.append(sealed("binary", {"remark": value}, {"kind": "rectangles"}))
        made.append(sealed("binary", {"undefined": value}, {"steps": value}))
        made.append(sealed("binary", value, value))
    assert_alike(tmp_path, made)


#: Rows of a step "bound" with two things wrong: which of them is said depends on the order of checks.
ABOUT = (
    [0], [9], ["x"], [0, "low"], [0, "high"], [9, "low"], [9, "high"], [9, "x"], [0, "ppv"], [9, "ppv"], [9, "x", 1],
    [0, 3, 1], [0, "x", 1], [9, 3, 1], [0, "high", 0, "x"], [0, "low", 2**90, 1], [9, "high", 1, 1], [0, 1, 1, 1],
)  # fmt: skip


def test_both_verifiers_look_at_rows_in_the_same_order(tmp_path: Path) -> None:
    names = ("right", "given", "wrong", "mean", "ratio", "kappa", "mcc", "tangent", "left")
    made = []
    for each in rare():
        steps = each["proof"].get("steps")
        if each["kind"] in ("multi_class", "multi_label") and isinstance(steps, list) and steps[0][0] == "bound":
            for name in names:
                for about in ABOUT:
                    for y in (5, -5):
                        changed = [["bound", [[name, *about, y]], steps[0][2]], *steps[1:]]
                        made.append(sealed(each["kind"], each["statement"], {**each["proof"], "steps": changed}))
    assert {each["kind"] for each in made} == {"multi_class", "multi_label"}
    assert_alike(tmp_path, made)


def test_every_kind_is_known_and_the_files_are_plain_scripts() -> None:
    joined = "\n".join(path.read_text(encoding="utf-8") for path in sorted(FILES.glob("*.js")))
    for kind in CHECKERS:
        assert re.search(rf"kinds\.{kind}\b", joined), f"the browser does not know {kind}"
    for word in ("eval(", "new Function", "document.", "window.", "import ", "require(", "fetch("):
        assert word not in re.sub(r"//.*", "", joined), word


def test_a_certificate_with_a_key_twice_is_none(tmp_path: Path) -> None:
    """Readers take the first or the last of equal keys: the one that was proved, or the one that is shown."""
    relation = next(each for each in rare() if each["kind"] == "relation")
    forged = [*with_a_key_twice(rare()[0]), *with_a_key_twice(relation)]
    assert {"format", "kind", "statement", "proof", "digest"} < {key for key, _ in forged}
    for key, text in forged:
        (tmp_path / "forged.json").write_text(text, encoding="utf-8")
        with pytest.raises(Unreadable, match=f"the key '{key}' is given twice"):
            read(str(tmp_path / "forged.json"))
        with pytest.raises(InvalidCertificate, match=f"the key '{key}' is given twice"):
            sp.read_certificate(tmp_path / "forged.json")
    script = zlib.decompress(base64.b64decode(packed_verifier(None))).decode()
    ask = PAGES.replace("page.Scoreproof.verify(certificate, {}).words", "said(page, certificate)")
    said = "const said = (page, text) => { try { return page.Scoreproof.verify(text, {}).words } catch (e) { return `${e}` } };"
    lines = [
        json.dumps({"script": script, "certificate": text})
        for text in (json.dumps(rare()[0]), *(text for _, text in forged))
    ]
    (tmp_path / "pages.jsonl").write_text("\n".join(lines), encoding="utf-8")
    done = subprocess.run(
        ["node", "-e", said + ask, str(tmp_path / "pages.jsonl")],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    good, *bad = map(json.loads, done.stdout.splitlines())
    assert good.startswith("Proved: ")
    assert len(bad) == len(forged)
    for (key, _), words in zip(forged, bad, strict=True):
        assert f'the key "{key}" is given twice' in words
