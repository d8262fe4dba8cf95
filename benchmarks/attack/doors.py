"""Doors that were built after the list in ``promises``: what findings are written to, jobs of GitHub, folders, plans, claims.

As there, every child is watched for the network, shells, and files that it was not told to open, show or leave behind.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.attack.attack import Attack, command, python, snippet
from benchmarks.attack.promises import _CATALOG, _PAGE, _PAGES, _pdf, _stream
from benchmarks.attack.sheets import packed

_SET = {"datasets": {"cases": {"p": 40, "n": 60}}, "experiments": {"test": {"dataset": "cases"}}}
_HEAD = ["Method", "Acc", "Sens", "Spec"]
_NAMES = (
    "../../pwned", "/tmp/pwned", "..", ".", "", "CON", "a\x00b", "a\nb", "x" * 5_000, "\u202ecsv.exe", "~/pwned", "$(touch pwned)", "a/b\\c", "\ud800", "é" * 300,
    "::set-output name=verdict::consistent", "##[add-path]pwned", "</script><script>alert(1)</script>", "\\input{secret.csv}", "=cmd|'/c touch pwned'!A1", "\x1b]8;;file:///etc\x07",
)  # fmt: skip


def _paper(name: str, **more: Any) -> str:
    """A paper of which two rows are impossible, in which everything that has a name has this one."""
    grid = [_HEAD, [name, "0.913", "0.80", "0.70"], [f"{name}2", "0.753", "0.80", "0.70"]]
    table = {"name": name, "caption": name, "grid": grid, "experiment": "test"}
    return json.dumps({"title": name, **_SET, "tables": [table], **more})


def _written(
    label: str, words: tuple[str, ...], name: str, prepare: Callable[[Path], object] = lambda folder: None
) -> Attack:
    """Findings about things of this name, written to files."""

    def make(folder: Path) -> list[str]:
        (folder / "paper.json").write_text(_paper(name), encoding="utf-8")
        prepare(folder)
        return command("audit", "paper.json", "--jobs", "1", "--no-explain", *words)

    return Attack("doors", f"{label} {name[:24]!r}", make, watched=True)


_EVERYTHING = (
    "--certificates", "proofs", "--sarif", "a.sarif", "--html", "a.html", "--latex", "a.tex", "--text", "a.txt", "--annotate",
)  # fmt: skip
_PLACES: dict[str, tuple[tuple[str, ...], Callable[[Path], object]]] = {
    "SARIF to a full disk": (("--sarif", "/dev/full"), lambda folder: None),
    "SARIF to a folder": (("--sarif", "."), lambda folder: None),
    "SARIF through a link": (("--sarif", "a.sarif"), lambda folder: (folder / "a.sarif").symlink_to(folder.parent / "hunter2")),
    "a page through a link": (("--html", "a.html"), lambda folder: (folder / "a.html").symlink_to(folder.parent / "hunter2.tex")),
    "proofs into a file": (("--certificates", "proofs"), lambda folder: (folder / "proofs").write_text("x")),
    "proofs into a link": (("--certificates", "proofs"), lambda folder: (folder / "proofs").symlink_to("/proc/self")),
    "reports into a file": (("--out", "out"), lambda folder: (folder / "out").write_text("x")),
    "reports nowhere": (("--out", "\x00"), lambda folder: None),
}  # fmt: skip


def _folder(label: str, fill: Callable[[Path], object], *words: str, verb: str = "audit") -> Attack:
    def make(folder: Path) -> list[str]:
        (folder / "papers").mkdir()
        fill(folder / "papers")
        more = words or (
            ("--out", "out", "--jobs", "1", "--annotate", "--sarif", "a.sarif")
            if verb == "audit"
            else ("out", "--budget", "0.2")
        )
        return command(verb, "papers", *more)

    return Attack("doors", f"{verb} of a folder: {label}", make, together=4, watched=True)


_MARKDOWN = """On 100 patients, 40 positive and 60 negative.

| Method | Acc | Sens | Spec | F1 |
|---|---|---|---|---|
| {0} | 0.913 | 0.80 | 0.70 | 0.10 |
| C | 0.80 | 0.80 | 0.80 | 0.76 |
"""


def _named(folder: Path) -> None:
    for name in _NAMES:
        inner = f"a{name}".replace("/", "_").replace("\x00", "_").encode("utf-8", "replace").decode()[:100]
        (folder / f"{inner}.md").write_text(_MARKDOWN.format(name), encoding="utf-8", errors="replace")


def _same(folder: Path) -> None:
    """Papers whose reports would have one name."""
    for inner in ("a", "b", "a/b"):
        (folder / inner).mkdir(parents=True, exist_ok=True)
        for suffix in ("md", "csv", "MD", "markdown", "txt"):
            (folder / inner / f"index.{suffix}").write_text(_MARKDOWN.format(suffix), encoding="utf-8")


def _reports(folder: Path) -> None:
    """What an audit writes, written by somebody else before."""
    (folder / "a.md").write_text("| Method | Acc | Sens |\n|---|---|---|\n| A | 0.91 | 0.8 |\n", encoding="utf-8")
    (folder / "a.audit.yaml").symlink_to(folder.parent.parent / "hunter2")
    (folder / "a.audit.html").symlink_to(folder.parent.parent / "hunter2.tex")


_FOLDERS: dict[str, Callable[[Path], object]] = {
    "names": _named,
    "names that are one": _same,
    "reports that are links": _reports,
    "no papers": lambda folder: None,
    "papers that put in others": lambda folder: [(folder / f"{k}.tex").write_text(f"\\input{{{name}}}" + "\\begin{tabular}{ll}Method&Acc\\\\A&0.91\\end{tabular}") for k, name in enumerate(("../../hunter2", "../../hunter2.tex", "../.out", "/etc/hostname", "1", "0"))],
    "300 papers": lambda folder: [(folder / f"{k}.md").write_text(f"| M | Acc |\n|---|---|\n| A{k} | 0.9{k} |\n") for k in range(300)],
    "a paper that is a pipe": lambda folder: __import__("os").mkfifo(folder / "a.md"),
    "a paper of every format that is none": lambda folder: [(folder / f"a.{s}").write_bytes(b"PK\x03\x04\xff%PDF-1.7{" * 50) for s in ("pdf", "docx", "xlsx", "ods", "ipynb", "parquet", "tex", "html", "json", "yaml")],
}  # fmt: skip

# ---- PDFium: objects that the first list of PDFs does not have


def _page(content: bytes, resources: bytes = b"", *more: bytes) -> bytes:
    page = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R/Resources<<%s>>>>" % resources
    return _pdf([_CATALOG, _PAGES, page, _stream(content), *more])


_FONT = b"/Font<</F 5 0 R>>"
_HELVETICA = b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"
_TEXT = b"BT /F 9 Tf %s Td (0.9) Tj ET\n"
_PDFS: dict[str, Callable[[], bytes]] = {
    "300,000 words": lambda: _page(b"".join(_TEXT % b"%d %d" % (k % 590, k // 590) for k in range(100_000)), _FONT, _HELVETICA),
    "300,000 words in one place": lambda: _page((_TEXT % b"9 9") * 100_000, _FONT, _HELVETICA),
    "words of no size": lambda: _page(b"BT /F 0 Tf (0.9) Tj /F -1e30 Tf (0.8) Tj /F 1e38 Tf (0.7) Tj ET", _FONT, _HELVETICA),
    "words turned and mirrored": lambda: _page(b"BT /F 9 Tf 0 0 0 0 9 9 Tm (a) Tj -1e20 1e20 1e20 1e20 0 0 Tm (b) Tj nan 0 0 1 9 9 Tm (c) Tj ET", _FONT, _HELVETICA),
    "a letter that draws itself": lambda: _page(b"BT /F 9 Tf (aaaa) Tj ET", _FONT, b"<</Type/Font/Subtype/Type3/FontBBox[0 0 9 9]/FontMatrix[1 0 0 1 0 0]/FirstChar 97/LastChar 97/Widths[9]/Encoding<</Differences[97/a]>>/CharProcs<</a 6 0 R>>/Resources<</Font<</F 5 0 R>>>>>>", _stream(b"BT /F 9 Tf (aaaa) Tj ET")),
    "letters that mean 65,536 others": lambda: _page(b"BT /F 9 Tf (aaaa) Tj ET", _FONT, b"<</Type/Font/Subtype/Type1/BaseFont/X/ToUnicode 6 0 R>>", _stream(b"begincmap 1 beginbfrange <00> <ff> <" + b"0041" * 200_000 + b"> endbfrange endcmap")),
    "letters that mean escapes": lambda: _page(b"BT /F 9 Tf 9 9 Td (aaa 0.9) Tj ET", _FONT, b"<</Type/Font/Subtype/Type1/BaseFont/X/ToUnicode 6 0 R>>", _stream(b"begincmap 1 beginbfchar <61> <001b005b00330031006d> endbfchar endcmap")),
    "pages 100,000 deep": lambda: _pdf([_CATALOG, *(b"<</Type/Pages/Kids[%d 0 R]/Count 1/Parent %d 0 R>>" % (k + 3, k + 1) for k in range(60_000)), _PAGE, _stream(b"BT ET")]),
    "5,000 pages": lambda: _pdf([_CATALOG, b"<</Type/Pages/Kids[" + b"3 0 R " * 5_000 + b"]/Count 5000>>", _PAGE, _stream(b"BT ET")]),
    "an object stream of itself": lambda: _pdf([_CATALOG, _PAGES, _PAGE, b"<</Type/ObjStm/N 1/First 4/Extends 4 0 R/Length 8>>stream\n4 0 null\nendstream"]),
    "filters 1,000 times": lambda: _pdf([_CATALOG, _PAGES, _PAGE, _stream(b"x", b"/Filter[" + b"/ASCIIHexDecode" * 1_000 + b"]")]),
    "a predictor of 10^9 columns": lambda: _pdf([_CATALOG, _PAGES, _PAGE, _stream(zlib.compress(b"BT ET"), b"/Filter/FlateDecode/DecodeParms<</Predictor 15/Columns 1000000000/Colors 32/BitsPerComponent 16>>")]),
    "a picture of 10^5 by 10^5": lambda: _page(b"600 0 0 800 0 0 cm /A Do", b"/XObject<</A 5 0 R>>", _stream(b"\xff" * 9, b"/Type/XObject/Subtype/Image/Width 100000/Height 100000/BitsPerComponent 8/ColorSpace/DeviceRGB")),
    "a picture in line": lambda: _page(b"BI /W 100000 /H 100000 /BPC 8 /CS /RGB /F /RL ID " + b"\xff" * 50_000 + b" EI"),
    "a pattern of itself": lambda: _page(b"/Pattern cs /P scn 0 0 600 800 re f", b"/Pattern<</P 5 0 R>>", _stream(b"/Pattern cs /P scn 0 0 9 9 re f", b"/Type/Pattern/PatternType 1/PaintType 1/TilingType 1/BBox[0 0 1 1]/XStep 0.0001/YStep 0.0001/Resources<</Pattern<</P 5 0 R>>>>")),
    "a shading of a function of itself": lambda: _page(b"/S sh", b"/Shading<</S<</ShadingType 2/ColorSpace/DeviceGray/Coords[0 0 9 9]/Function 5 0 R>>>>", b"<</FunctionType 3/Domain[0 1]/Functions[5 0 R 5 0 R]/Bounds[0.5]/Encode[0 1 0 1]>>"),
    "marks 100,000 deep": lambda: _page(b"/Span BMC " * 100_000 + b"BT ET"),
    "clips": lambda: _page(b"0 0 9 9 re W n q " * 100_000),
    "rules of a table without end": lambda: _page(b"".join(b"0 %d m 600 %d l S %d 0 m %d 800 l S\n" % (k % 800, k % 800, k % 600, k % 600) for k in range(40_000))),
    "a file inside that is a paper": lambda: _pdf([b"<</Type/Catalog/Pages 2 0 R/Names<</EmbeddedFiles<</Names[(hunter2.csv) 5 0 R]>>>>>>", _PAGES, _PAGE, _stream(b"BT ET"), b"<</Type/Filespec/F(../hunter2)/EF<</F 6 0 R>>>>", _stream(b"x", b"/Type/EmbeddedFile")]),
    "a form with a script": lambda: _pdf([b"<</Type/Catalog/Pages 2 0 R/AcroForm<</XFA 4 0 R/Fields[3 0 R]>>/AA<</WC<</S/JavaScript/JS(x)>>>>>>", _PAGES, _PAGE, _stream(b"<xdp:xdp xmlns:xdp='http://ns.adobe.com/xdp/'><script>x</script></xdp:xdp>")]),
}  # fmt: skip

# ---- plans, claims, and what else takes numbers

_SIZES = ("0", "-1", "nan", "inf", "1e-300", "1e300", "1", "0.5", "9" * 400, "1e-17", "２", "")
_PLANS = (
    *(("plan", "mcnemar", "--discordant", share, "--difference", size) for share, size in (("0.1", "1e-12"), ("1", "1e-9"), ("1e-300", "1e-301"), ("0.1", "0.1"))),
    *(("plan", design, "--difference", size, "--sd", "0.03", "--discordant", "0.1") for design in ("mcnemar", "wilcoxon", "seeds", "folds") for size in _SIZES),
    *(("plan", "seeds", "--difference", "0.01", "--sd", "0.03", option, value)
      for option, values in (("--size", ("0", "-1", "1000000000", "9" * 40)), ("--power", ("0", "1", "0.999999999999999", "nan")), ("--alpha", ("0", "1", "1e-300", "nan")))
      for value in values),
    *(("plan", "auc", "--first", first, "--second", second, "--correlation", other, "--share", share)
      for first, second, other, share in (("1", "0", "1", "1"), ("0.5", "0.5", "0", "0.5"), ("nan", "0.5", "0", "0"), ("0.9", "0.90000000000000001", "0.5", "1e-300"), ("1e300", "0", "-1", "2"))),
    ("plan", "folds", "--difference", "0.001", "--sd", "0.5", "--folds", "1000000000"), ("plan", "../hunter2"), ("plan", "proportions", "--first", "1e-300", "--second", "2e-300"),
    ("recommend", "\x1b[31m" * 900), ("recommend", "(" * 90_000), ("catalog", "gsm8k", "acc=" + "9" * 900 + "%"), ("catalog", "../hunter2", "acc=0.9"),
)  # fmt: skip
_CLAIMS = (
    "t(28) < -4.0, p < .0001", "t(" + "9" * 300 + ") = 2, p = .05", "t(28) = " + "9" * 3_000 + ", p = .05", "F(1e9, 1e9) = 1, p = .5", "F(999999999, 1) = 1, p = .5", "chi2(2000) = 2000.000001, p = .5",
    "chi2(999999999) = 3, p = .5", "r(999999999) = .000001, p = .5", "r(28) = -1.0000, p = .000", "z = 0." + "0" * 90 + "1, p = 1.000", "t(0.0001) = 1, p = .9", "t(28) = 2.20, p = ." + "0" * 150 + "1",
    "t(28)" * 40_000, "p = .05, " * 20_000, "t(28) = 2.20, p = .036; " * 3_000, "χ²(1, N = " + "9" * 90 + ") = 3.89, p = .048", "W = " + "9" * 90 + ", n = 1000, p = .5", "t(28) = 2,20; p = ,036",
    "::error::t(28) = 2.20, p = .36", "t(28) = 2.20 \x1b[31m, p = .36", "$t(28) = 2.20$, $p = \\input{hunter2.csv}$",
)  # fmt: skip

# ---- statements that are true and forms of them that a forger would have proved

_TEXTS = {"rounding": "any"}


def _value(text: str, **how: Any) -> dict[str, Any]:
    return {"text": text, **(how or _TEXTS)}


def _tested(
    test: str, df: list[list[int]], relation: str, text: str, p: str | None, sides: str = "any"
) -> dict[str, Any]:
    shown = None if p is None else {"relation": p[0], **_value(p[1:])}
    return {"test": test, "df": df, "relation": relation, "statistic": _value(text), "sides": sides, "p": shown}


def _formula(name: str, formula: str, parts: tuple[str, ...], claim: str, **changes: Any) -> dict[str, Any]:
    count = len(parts)
    return {
        "relation": name, "formula": formula, "bound": "equal", "parts": [_value(text) for text in parts], "weights": ["1"] * count,
        "complements": [None] * count, "factor": "1", "offset": "0", "root": 1, "size": None, "claim": _value(claim), **changes,
    }  # fmt: skip


#: True reports: no proof of any kind may be accepted of them.
TRUE: tuple[tuple[str, dict[str, Any]], ...] = (
    ("reported_test", _tested("t", [[28, 28]], "<", "-4.0", "<.0001")),  # every t is below -4
    ("reported_test", _tested("t", [[28, 28]], ">", "-1.0", ">.5")),
    ("reported_test", _tested("t", [[28, 28]], "<", "0", "=.03")),
    ("reported_test", _tested("r", [[28, 28]], ">", "-1.5", None)),
    ("reported_test", _tested("z", [], "<", "-5", "<.0000001", "two")),
    ("reported_test", _tested("r", [[28, 28]], "=", "1.0", "=.000")),
    ("reported_test", _tested("F", [[1, 1], [28, 28]], "=", "4.84", "=.036")),
    ("reported_test", _tested("F", [[4, 4], [7, 7]], ">", "-1", "=.5")),
    ("reported_test", _tested("chi2", [[0, 5]], "=", "0.0", "=1.0")),
    ("relation", _formula("mean", "linear", ("0.70", "0.80"), "0.75", factor="1/2")),
    ("relation", _formula("gain", "linear", ("0.70", "0.80"), "0.10", weights=["-1", "1"])),
    ("relation", _formula("ratio", "product", ("0.0", "0.80"), "9", weights=["-1", "1"])),  # the divisor may be near 0
    ("relation", _formula("ratio", "product", ("0.0", "0.0"), "5", weights=["-1", "1"])),
    ("relation", _formula("root", "product", ("0.0", "0.8"), "0.0", root=2)),
    ("relation", _formula("F1", "harmonic", ("0.0", "1.0"), "0.1")),
    ("relation", _formula("F1", "harmonic", ("0.0", "0.0"), "0.0")),
    ("relation", _formula("error rate", "linear", ("0.9",), "0.1", complements=["1"])),
    ("relation", _formula("share", "share", (), "33.33", size=3, factor="100")),
    ("relation", _formula("share", "share", (), "-33.33", size=3, factor="-100")),
    ("relation", _formula("worst", "linear", ("0.9",), "0.9", bound="most")),
    ("relation", _formula("worst", "linear", ("0.9",), "0.5", bound="most")),
    ("relation", _formula("best", "linear", ("0.9",), "0.95", bound="least")),
)  # fmt: skip
PROOFS: tuple[dict[str, Any], ...] = (
    *({"kind": kind} for kind in ("tails", "range", "linear", "product", "harmonic", "share", "mean", "sum", "multiple", "counts", "wide", "outside", "total", "hits")),
    {}, {"kind": "tails", "cuts": {}}, {"kind": ["tails"]}, {"kind": None},
)  # fmt: skip
_TRUE = """
from benchmarks.attack.doors import PROOFS, TRUE
from scoreproof_verify import digest
from scoreproof.checking import ask
from scoreproof.kinds import read_problem
count = 0
for kind, statement in TRUE:
    answer = ask(read_problem(kind, statement), budget=2)
    if answer.verdict == "inconsistent":
        raise RuntimeError((kind, statement, str(answer)))
    for proof in PROOFS:
        made = dict(format="scoreproof-certificate/3", scoreproof="0", kind=kind, statement=statement, proof=proof, digest=digest(kind, statement, proof))
        count += 1
        if sp.verify(made):
            raise RuntimeError((kind, statement, proof))
return f"{count} forged"
"""


def _words(words: tuple[str, ...]) -> Attack:
    shown = " ".join(word[:30] for word in words)
    return Attack("doors", ascii(shown)[1:-1], lambda folder: command(*words), watched=True)


def _document(name: str, make: Callable[[], bytes], suffix: str) -> Attack:
    def prepare(folder: Path) -> list[str]:
        (folder / f"paper{suffix}").write_bytes(make())
        return command("tables", f"paper{suffix}")

    return Attack("doors", f"{suffix}: {name}", prepare, watched=True)


_ODS: dict[str, Callable[[], bytes]] = {
    "a manifest that asks for a password": lambda: packed({"META-INF/manifest.xml": "<m:manifest xmlns:m='urn:oasis:names:tc:opendocument:xmlns:manifest:1.0'><m:file-entry><m:encryption-data/></m:file-entry></m:manifest>", "content.xml": b"\xff" * 900}),
    "two contents": lambda: packed({"content.xml": "<a/>", "Content.xml": "<b/>", "./content.xml": "<c/>", "../content.xml": "<d/>"}),
    "a content that is a folder": lambda: packed({"content.xml/": ""}),
    "objects in it": lambda: packed({"content.xml": "<a/>", "Object 1/content.xml": "<a/>", "../../pwned": "x", "Basic/Standard/Module1.xml": "Shell(touch pwned)"}),
}  # fmt: skip

ATTACKS = [
    *(_written("everything about", _EVERYTHING, name) for name in _NAMES),
    *(_written(label, words, "A", prepare) for label, (words, prepare) in _PLACES.items()),
    *(_folder(label, fill) for label, fill in _FOLDERS.items()),
    *(_folder(label, fill, verb="batch") for label, fill in _FOLDERS.items()),
    *(_document(name, make, ".pdf") for name, make in _PDFS.items()),
    *(_document(name, make, ".ods") for name, make in _ODS.items()),
    *map(_words, _PLANS),
    *(_words(("claim", text)) for text in _CLAIMS),
    snippet("doors", _TRUE, "proofs of true reports"),
    Attack("doors", "a job's summary that is a folder", lambda folder: python("import os, subprocess\n(folder / 'p.json').write_text(__import__('benchmarks.attack.doors', fromlist=['x'])._paper('A'))\nreturn subprocess.run([sys.executable, '-m', 'scoreproof', 'audit', str(folder / 'p.json'), '--annotate', '--no-explain'], env={**os.environ, 'GITHUB_STEP_SUMMARY': str(folder)}).returncode", folder), watched=True),
]  # fmt: skip
