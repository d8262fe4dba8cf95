"""What SECURITY.md and docs/strangers.md promise, tried one by one by somebody who read them in order to break them.

Every command is watched: a child that reaches the network, starts a shell, or opens or shows a file called ``hunter2``
that nobody told it to read has given way, as has one that leaves a file ``pwned`` behind.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.attack.attack import Attack, command, python
from benchmarks.attack.office import excel, word

Content = str | bytes
_TABLE = [["Method", "Acc", "Sens"], ["A", "0.90", "0.80"]]
_CSV = "Method,Acc,Sens\nA,0.90,0.80\n"
_SHELL = "touch pwned"


def _file(
    name: str, content: Callable[[], Content] | Content, *more: str, verb: str = "audit", beside: str = ""
) -> Attack:
    """A file that a command is given; ``beside`` is another one in its folder, a link to the secret."""

    def make(folder: Path) -> list[str]:
        made = content() if callable(content) else content
        path = folder / name.split(": ", maxsplit=1)[0]
        path.write_bytes(made if isinstance(made, bytes) else made.encode("utf-8", "surrogatepass"))
        if beside:
            (folder / beside).symlink_to(folder.parent / "hunter2")
        return command(verb, path.name, *more)

    return Attack("promises", f"{verb} {name}", make, watched=True)


def _words(*arguments: str) -> Attack:
    return Attack("promises", " ".join(arguments)[:60], lambda folder: command(*arguments), watched=True)


# ---- the command line

_CHECK = ("check", "--p", "30", "--n", "50")
_COMMANDS: tuple[tuple[str, ...], ...] = (
    *(("check", "--p", count, "--n", "50", "acc=0.9") for count in ("9" * 5_000, "-1", "1e5", "１２", "٣٠", "0x1e", "1_0", "30.0", " 30", "nan", "\u200b30")),
    *((*_CHECK, given) for given in ("acc=０.９０", "acc=", "=0.9", "acc", "acc=0x1p-2", "acc=1_0", "acc=∞", "acc=0.9 ± ± 0.1", "acc=0.9±1e-400", "acc=0.9 [0.8", "acc=0.9\n0.8",
                                     "acc=\u202e9.0", "__class__=0.9", "acc.__class__=0.9", "f1e999=0.9", "f-1=0.9", "acc=" + "0." + "9" * 99, "acc=(0.9", "acc=0.9/0", "acc=$(touch pwned)")),
    *((*_CHECK, "acc=0.9", option, value) for option, value in (
        ("--budget", "nan"), ("--budget", "inf"), ("--budget", "-1"), ("--eps", "1e400"), ("--eps", "-1"), ("--eps", "1/0"), ("--rounding", "__import__('os')"),
        ("--experiment", "/dev/zero"), ("--experiment", "."), ("--certificate", "/dev/full"), ("--certificate", "no/such/folder"))),
    ("--allow", "cells=1e9", *_CHECK, "acc=0.9"), ("--allow", "seconds=" + "9" * 40, *_CHECK, "acc=0.9"), ("--allow", "x=1", *_CHECK, "acc=0.9"), ("--allow", "cells", *_CHECK, "acc=0.9"),
    ("tables", "/proc/self/mem"), ("tables", "/proc/self/fd/0"), ("tables", "/dev/full"), ("tables", "\n"), ("tables", "http://127.0.0.1:9/paper.pdf"), ("audit", "https://127.0.0.1:9/paper.pdf"),
    ("audit", ""), ("audit", "file:///etc/hostname"), ("verify", "/dev/zero"), ("verify", "/proc/self/environ"), ("verify", "."), ("catalog", "show", "../hunter2"), ("catalog", "show", "/etc/hostname"),
    ("catalog", "show", "drive/../../../hunter2"), ("scores", "*"), ("recommend", "x" * 100_000), ("no-such-command",), ("power", "--p", "9" * 30, "--n", "9" * 30, "acc=0.9"),
)  # fmt: skip

# ---- specifications


def _spec(**changes: Any) -> str:
    table = {"name": "T", "grid": _TABLE, "experiment": "test"}
    table |= {key.removeprefix("table_"): value for key, value in changes.items() if key.startswith("table_")}
    document = {"datasets": {"d": {"p": "30", "n": "50"}}, "experiments": {"test": {"dataset": "d"}}, "tables": [table]}
    return json.dumps(document | {key: value for key, value in changes.items() if not key.startswith("table_")})


def _tree(levels: int) -> Any:
    tree: Any = {"type": "testset", "p": 3, "n": 4}
    for _ in range(levels):
        tree = (
            {"type": "mean_of_scores", "parts": [tree, tree]}
            if levels < 20
            else {"type": "mean_of_scores", "parts": [tree]}
        )
    return tree


_SPECIFICATIONS: dict[str, Callable[[], Content] | Content] = {
    "python tag": f"title: !!python/object/apply:os.system ['{_SHELL}']\n",
    "python name": "title: !!python/name:os.system\ntables: []\n",
    "python module": "? !!python/module:antigravity\n: x\n",
    "own tag": "%TAG ! tag:yaml.org,2002:python/object/apply:\n---\ntitle: !os.system ['touch pwned']\n",
    "include": "title: !include hunter2.csv\ntables: []\n",
    "laughs": "a: &a [x, x]\nb: &b [*a, *a]\ntables: *b\n",
    "itself": "tables: &t [*t]\n",
    "merge": "a: &a {b: 1}\ntables: [{<<: *a}]\n",
    "keys within keys": "? " * 50_000 + "a",
    "5 MB of colons": ":\n" * 2_500_000,
    "5 MB of tabs": "a:\n" + "\t" * 5_000_000,
    "dashes": "- " * 500_000,
    "a scalar of 5 MB": "title: |\n" + "  x\n" * 1_200_000,
    "two documents": "title: a\n---\ntitle: b\n",
    "UTF-16": lambda: _spec().encode("utf-16"),
    "a key twice deep inside": lambda: _spec().replace('"p": "30"', '"p": "30", "p": "40"'),
    "NaN": lambda: _spec().replace('"30"', "NaN"),
    "half a character": lambda: _spec().replace("Method", "\\ud800"),
    "zero bytes": lambda: _spec().replace("Method", "\\u0000"),
    "escapes": lambda: _spec(title="\x1b]0;owned\x07", table_name="\x1b[2J", table_caption="\u202e"),
    "markup": lambda: _spec(title="<script>x</script>", table_name="\\input{a.yaml}"),
    "1,000 hypotheses": lambda: _spec(hypotheses={f"h{k}": {"dataset": "d", "folds": k + 2} for k in range(1_000)}),
    "50,000 row names": lambda: _spec(table_rows={str(k): "test" for k in range(50_000)}),
    "a pattern as a column": lambda: _spec(table_columns={"(a+)+$": "acc", "(" * 1_000: "acc"}),
    "a column of 5,000 digits": lambda: _spec(table_columns={"9" * 5_000: "acc"}),
    "an unknown score": lambda: _spec(table_columns={"Acc": "__import__"}),
    "headings that divide": lambda: _spec(table_grid=[["F1/0", "Acc/0", "0/0", "F0", "F-1", "P@0", "top-0"], ["0.9"] * 7]),
    "headings of numbers": lambda: _spec(table_grid=[["9" * 4_000, "F" + "9" * 4_000, "P@" + "9" * 4_000], ["0.9"] * 3]),
    "cells of numbers": lambda: _spec(table_grid=[["Acc", "p", "n", "tp"], ["0.9", "9" * 4_900, "-" + "9" * 4_900, "1e" + "9" * 4_900]]),
    "spans without end": lambda: _spec(table_spans=[[1, 1, 10**9, 10**9], [10**18, 1, 1, 1]]),
    "bold everywhere": lambda: _spec(table_bold=[[10**18, 10**18]] * 1_000),
    "10^9 header rows": lambda: _spec(table_header_rows=10**9),
    "a text that is a PDF": lambda: _spec(table_grid=None, table_text="%PDF-1.7\nx\n", table_kind="pdf"),
    "a text with parts": lambda: _spec(table_grid=None, table_text="\\input{hunter2.csv}\n\\input{../hunter2}\n\\begin{tabular}{ll}Acc&Sens\\\\\n0.9&0.8\\end{tabular}\n"),
    "a device": lambda: _spec(table_grid=None, table_file="/dev/zero"),
    "100,000 sets": lambda: _spec(datasets={"d": {"sets": [[1, 1]] * 60_000}}),
    "100,000 classes": lambda: _spec(datasets={"d": {"classes": {f"c{k}": 2 for k in range(60_000)}}}),
    "a catalogue that climbs": lambda: _spec(datasets={"d": {"catalog": "../../../hunter2"}}),
    "a tree 300 deep": lambda: _spec(experiments={"test": {"tree": _tree(300)}}),
    "a tree of 2^15 parts": lambda: _spec(experiments={"test": {"tree": _tree(15)}}, limits={"values": "1000000"}),
    "folds of all sizes": lambda: _spec(experiments={"test": {"dataset": "d", "folds": list(range(2, 900)), "repeats": list(range(1, 900))}}),
    "beta of 1e308": lambda: _spec(options={"beta": "1e308"}),
    "eps of 1/0": lambda: _spec(options={"eps": "1/0"}),
    "limits of letters": lambda: _spec(limits={"cells": "x", "seconds": "-1"}),
    "claims of everything": lambda: _spec(claims=[{"claim": "mcnemar", "a": "9" * 90, "b": "-1", "n": 10**80}, {"best": "A", "by": "__class__"}]),
    "10,000 signs": lambda: _spec(table_grid=[["Method", "Acc"], ["A", "±" * 4_900]]),
    "a row of minus signs": lambda: _spec(table_grid=[["Acc"], ["−" * 4_900], ["0." + "0" * 4_800 + "1"]]),
}  # fmt: skip

# ---- documents


def _pdf(objects: list[bytes], trailer: bytes = b"") -> bytes:
    data, places = b"%PDF-1.7\n", []
    for number, content in enumerate(objects, 1):
        places.append(len(data))
        data += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    start, rows = len(data), b"".join(b"%010d 00000 n \n" % place for place in places)
    head = b"xref\n0 %d\n0000000000 65535 f \n" % (len(places) + 1)
    return (
        data
        + head
        + rows
        + b"trailer<</Size %d/Root 1 0 R%s>>\nstartxref\n%d\n%%%%EOF" % (len(places) + 1, trailer, start)
    )


def _stream(data: bytes, more: bytes = b"") -> bytes:
    return b"<</Length %d%s>>stream\n%s\nendstream" % (len(data), more, data)


_CATALOG, _PAGES, _PAGE = (
    b"<</Type/Catalog/Pages 2 0 R>>",
    b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
    b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R>>",
)
_BOMB = zlib.compress(bytes(200_000_000), 9)
_PDFS: dict[str, Callable[[], bytes]] = {
    "a script": lambda: _pdf([b"<</Type/Catalog/Pages 2 0 R/OpenAction<</S/JavaScript/JS(app.launchURL)>>>>", _PAGES, _PAGE, _stream(b"BT ET")]),
    "a launch": lambda: _pdf([b"<</Type/Catalog/Pages 2 0 R/OpenAction<</S/Launch/F(/bin/sh)/P(-c touch pwned)>>>>", _PAGES, _PAGE, _stream(b"BT ET")]),
    "pages that hold themselves": lambda: _pdf([_CATALOG, b"<</Type/Pages/Kids[2 0 R 2 0 R]/Count 9>>"]),
    "10^9 pages": lambda: _pdf([_CATALOG, b"<</Type/Pages/Kids[" + b"3 0 R " * 300_000 + b"]/Count 1000000000>>", _PAGE, _stream(b"BT ET")]),
    "a stream that unpacks to 200 MB": lambda: _pdf([_CATALOG, _PAGES, _PAGE, _stream(_BOMB, b"/Filter/FlateDecode")]),
    "a stream packed twice": lambda: _pdf([_CATALOG, _PAGES, _PAGE, _stream(zlib.compress(_BOMB, 9), b"/Filter[/FlateDecode/FlateDecode]")]),
    "a length of -1": lambda: _pdf([_CATALOG, _PAGES, _PAGE, b"<</Length -1>>stream\nBT ET\nendstream"]),
    "a stream in another file": lambda: _pdf([_CATALOG, _PAGES, _PAGE, b"<</Length 0/F(hunter2.csv)>>stream\n\nendstream"]),
    "arrays 100,000 deep": lambda: _pdf([_CATALOG, _PAGES, _PAGE, b"[" * 100_000 + b"]" * 100_000]),
    "operands 100,000 deep": lambda: _pdf([_CATALOG, _PAGES, _PAGE, _stream(b"[" * 100_000)]),
    "1,000,000 strokes": lambda: _pdf([_CATALOG, _PAGES, _PAGE, _stream(b"0 0 m 9 9 l S\n" * 300_000)]),
    "states that are saved": lambda: _pdf([_CATALOG, _PAGES, _PAGE, _stream(b"q " * 1_500_000)]),
    "a page of 10^30": lambda: _pdf([_CATALOG, _PAGES, b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 1" + b"0" * 30 + b" 1" + b"0" * 300 + b"]/Contents 4 0 R>>", _stream(b"BT ET")]),
    "tables of places in a circle": lambda: _pdf([_CATALOG, _PAGES, _PAGE, _stream(b"BT ET")], b"/Prev 9"),
    "a number of 100,000 digits": lambda: _pdf([_CATALOG, _PAGES, _PAGE, _stream(b"9" * 100_000 + b" Tf")]),
    "a form that holds itself": lambda: _pdf([_CATALOG, _PAGES, b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 4 0 R/Resources<</XObject<</A 5 0 R>>>>>>", _stream(b"/A Do"), _stream(b"/A Do /A Do", b"/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</A 5 0 R>>>>")]),
    "a font of commands": lambda: _pdf([_CATALOG, _PAGES, b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>", _stream(b"BT /F 9 Tf (a) Tj ET"), b"<</Type/Font/Subtype/Type0/BaseFont/X/Encoding/../../hunter2/DescendantFonts[6 0 R]>>", b"<</Type/Font/Subtype/CIDFontType2/CIDSystemInfo<</Registry(../../../hunter2)/Ordering(x)/Supplement 0>>>>"]),
    "encrypted": lambda: _pdf([_CATALOG, _PAGES, _PAGE, b"<</Filter/Standard/V 5/R 6/Length 999999999/O<00>/U<00>/P -1>>"], b"/Encrypt 4 0 R/ID[<00><00>]"),
}  # fmt: skip
_ENTITIES = '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/hostname"><!ENTITY b SYSTEM "http://127.0.0.1:9/x">]>'
_LAUGHS = (
    '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa">'
    + "".join(f'<!ENTITY {b} "{f"&{a};" * 10}">' for a, b in zip("abcdefgh", "bcdefghi", strict=True))
    + "]>"
)
_WORD_TABLE = "<w:tbl><w:tr><w:tc><w:p><w:r><w:t>{0}</w:t></w:r></w:p></w:tc></w:tr></w:tbl>"
_HTMLS: dict[str, Callable[[], Content] | Content] = {
    "a script": f"<script>require('child_process').exec('{_SHELL}')</script><table><tr><td>Acc<tr><td>0.9</table>",
    "things to fetch": '<base href="http://127.0.0.1:9/"><link rel=stylesheet href=a.css><img src=b.png><iframe src="hunter2.csv"></iframe><object data="file:///etc/hostname"></object><table><tr><td>Acc<tr><td>0.9</table>',
    "entities": f"{_ENTITIES}<table><tr><td>&a;&b;<tr><td>0.9</table>",
    "laughs": f"{_LAUGHS}<table><tr><td>&i;<tr><td>0.9</table>",
    "inclusions": '<html xmlns:xi="http://www.w3.org/2001/XInclude"><xi:include href="hunter2.csv" parse="text"/><table><tr><td>Acc<tr><td>0.9</table>',
    "spans of 10^18": "<table><tr><td colspan=1000000000000000000 rowspan=-1>Acc<tr><td colspan=٣ rowspan=99999999999999999999>0.9</table>",
    "100,000 open tags": "<div>" * 100_000 + "<table><tr><td>Acc<tr><td>0.9</table>",
    "1,000 tables in tables": "<table><tr><td>" * 1_000 + "0.9",
    "an attribute of 4 MB": f'<table x="{"a" * 4_000_000}"><tr><td>Acc<tr><td>0.9</table>',
    "200,000 attributes": "<table " + " ".join(f"a{k}=1" for k in range(200_000)) + "><tr><td>Acc<tr><td>0.9</table>",
    "a comment without end": "<table><tr><td>Acc<tr><td>0.9</table><!--" + "-" * 4_000_000,
    "numbered characters": "<table><tr><td>Acc&#27;[31m&#0;&#x110000;&#xD800;<tr><td>0.9&#8238;</table>",
    "no meaning": "<" * 2_000_000,
}  # fmt: skip
_TEX = "\\begin{{tabular}}{{ll}}Method&Acc\\\\\nA&{0}\\\\\\end{{tabular}}\n"
_LATEXES: dict[str, Callable[[], Content] | Content] = {
    "a pipe": f"\\input{{|{_SHELL}}}\n\\input|\"{_SHELL}\"\n" + _TEX.format("0.9"),
    "a shell": f"\\immediate\\write18{{{_SHELL}}}\n" + _TEX.format(f"\\write18{{{_SHELL}}}0.9"),
    "a Lua script": f"\\directlua{{os.execute('{_SHELL}')}}" + _TEX.format("0.9"),
    "files": "".join(f"\\input{{{name}}}\n" for name in ("../hunter2", "/etc/hostname", "../../../../etc/hostname", "~/.ssh/config", "$HOME/x", "file:///etc/hostname", "..\\hunter2")) + _TEX.format("0.9"),
    "a file of bytes": "\\openin1=../hunter2 \\read1 to \\x \\verbatiminput{../hunter2}\\lstinputlisting{../hunter2}\\csvreader{hunter2.csv}\n" + _TEX.format("\\x"),
    "a macro of itself": "\\def\\a{\\a\\a}\\newcommand{\\b}[1]{\\b{#1#1}}" + _TEX.format("\\a\\b{0.9}"),
    "a macro that doubles": "".join(f"\\newcommand{{\\m{chr(98 + k)}}}{{\\m{chr(97 + k)}\\m{chr(97 + k)}}}" for k in range(24)) + "\\newcommand{\\ma}{0.9}" + _TEX.format("\\my"),
    "a macro of arguments": "\\newcommand{\\a}[9]{#1#2#3#4#5#6#7#8#9#1#1#1}" * 5_000 + _TEX.format("\\a" * 2_000),
    "names made of names": "\\expandafter\\def\\csname input\\endcsname{x}\\loop\\iftrue\\repeat" + _TEX.format("0.9"),
    "columns of 10^9": _TEX.format("\\multicolumn{1000000000}{c}{0.9}&\\multirow{-1000000000}{*}{0.9}"),
    "columns of nothing": _TEX.format("\\multicolumn{}{}{}\\multirow{٣}{*}{x}\\multicolumn{9}{0.9"),
    "a column pattern of 10^9": "\\begin{tabular}{*{1000000000}{l}}Acc&Sens\\\\0.9&0.8\\end{tabular}",
    "500,000 parts": "\\input{a}\n" * 450_000 + _TEX.format("0.9"),
    "500,000 ends": _TEX.format("0.9") + "\\end{tabular}" * 300_000,
    "300,000 beginnings": "\\begin{tabular}" * 300_000,
    "dollars": _TEX.format("0.9") + "$" * 3_000_000,
    "per cents": "%" * 3_000_000 + "\n" + _TEX.format("0.9"),
    "backslashes": _TEX.format("0.9") + "\\" * 3_000_000,
    "braces": _TEX.format("{" * 200_000),
    "verbatim without end": "\\begin{verbatim}" * 200_000 + _TEX.format("0.9"),
    "captions": ("\\begin{table}\\caption{" * 50_000) + _TEX.format("0.9"),
}  # fmt: skip
_PIPES = "| Method | Acc |\n|---|---|\n| A | 0.9 |\n"
_MARKDOWNS: dict[str, Callable[[], Content] | Content] = {
    "points in points": "- " * 500_000 + "\n" + _PIPES,
    "numbered points": "1. " * 500_000 + "\n" + _PIPES,
    "ever deeper points": "".join(" " * k + "- x\n" for k in range(2_000)) + _PIPES,
    "fences": "```\n" * 500_000 + _PIPES,
    "long fences": "`" * 3_000_000 + "\n" + _PIPES,
    "fences in points": "- ```\n" * 300_000 + _PIPES,
    "bars": "|" * 3_000_000 + "\n|---|---|\n| A | 0.9 |\n",
    "rules": "|---" * 400_000 + "|\n" + "|---" * 400_000 + "|\n",
    "dollars": _PIPES + "\n" + "$" * 2_000_000 + "\n\n" + "$a" * 500_000,
    "formulas": _PIPES + "\n" + "$\\frac{a$ " * 100_000,
    "formulas in cells": "| A | B |\n|---|---|\n" + "| $\\frac{1$ | $$x^{2$$ |\n" * 3_000,
    "nested formulas": _PIPES + "\n$" + "{" * 100_000 + "$\n",
    "links": _PIPES + "\n" + "[" * 1_000_000 + "](" * 300_000,
    "stars": _PIPES + "\n" + "**a " * 500_000 + "*_" * 300_000,
    "tags": _PIPES + "\n" + "<a" * 1_000_000 + "<br" * 300_000,
    "a head of tags": "---\nmodel-index: !!python/object/apply:os.system ['touch pwned']\n---\n" + _PIPES,
    "a head of references": "---\nmodel-index: &a [*a, *a]\n---\n" + _PIPES,
    "a head without end": "---\nmodel-index:\n" + "- a\n" * 300_000,
    "a picture of the secret": "![x](hunter2.csv) <img src='../hunter2'> [[hunter2.csv]] {% include hunter2.csv %}\n\n" + _PIPES,
    "headings": "#" * 2_000_000 + " x\n" + "# a\n" * 300_000 + _PIPES,
    "turned text": "| Method | Acc |\n|---|---|\n| \u202eA\x1b[31m\x07 | \u200b0.9\ufeff |\n",
}  # fmt: skip
_OFFICE: dict[str, Callable[[], bytes]] = {
    "a.docx: entities": lambda: word(_WORD_TABLE.format("&a;&b;"), _ENTITIES),
    "a.docx: laughs": lambda: word(_WORD_TABLE.format("&i;"), _LAUGHS),
    "a.docx: names that climb": lambda: word(_WORD_TABLE.format("Acc"), extra={"../../pwned": b"x", "/pwned": b"x", "word/../../../pwned": b"x"}),
    "a.docx: a template to fetch": lambda: word(_WORD_TABLE.format("Acc"), extra={"word/_rels/document.xml.rels": b'<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/attachedTemplate" Target="http://127.0.0.1:9/x.dotm" TargetMode="External"/></Relationships>'}),
    "a.docx: relations to itself": lambda: word(_WORD_TABLE.format("Acc"), extra={"word/_rels/document.xml.rels": b'<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="x" Target="document.xml"/><Relationship Id="r1" Type="x" Target="../../../hunter2"/></Relationships>'}),
    "a.docx: macros": lambda: word(_WORD_TABLE.format("Acc"), extra={"word/vbaProject.bin": b"Shell touch pwned"}),
    "a.docx: 20,000 tables in a row": lambda: word(_WORD_TABLE.format("0.9") * 20_000),
    "a.docx: tables 3,000 deep": lambda: word("<w:tbl><w:tr><w:tc>" * 3_000 + "</w:tc></w:tr></w:tbl>" * 3_000),
    "a.xlsx: entities": lambda: excel("<row><c><v>&a;</v></c></row>", head=_ENTITIES),
    "a.xlsx: formulas": lambda: excel('<row r="1"><c r="A1"><f>WEBSERVICE("http://127.0.0.1:9/")</f></c><c r="B1"><f>cmd|\'/c touch pwned\'!A1</f><v>0.9</v></c></row>'),
    "a.xlsx: far cells": lambda: excel('<row r="1048576"><c r="XFD1048576"><v>1</v></c></row><row r="99999999999"><c r="ZZZZZZ1"><v>1</v></c></row>'),
    "a.xlsx: numbers": lambda: excel('<row r="1"><c r="A1"><v>1e999</v></c><c r="B1"><v>' + "9" * 5_000 + '</v></c><c r="C1" t="d"><v>9999-99-99</v></c><c r="D1" t="s"><v>999999999</v></c></row>'),
    "a.xlsx: strings of nobody": lambda: excel('<row r="1"><c r="A1" t="s"><v>-1</v></c><c r="B1" t="x"><v>1</v></c></row>', strings="<si/>" * 500_000),
    "a.xlsx: merged everywhere": lambda: excel('<row r="1"><c r="A1"><v>1</v></c></row>', more='<mergeCells>' + '<mergeCell ref="A1:XFD1048576"/>' * 5_000 + "</mergeCells>"),
}  # fmt: skip
_OTHERS: dict[str, Content] = {
    "a.csv: a quote without end": 'Method,Acc\n"' + "A,0.9\n" * 500_000,
    "a.csv: quotes": "Method,Acc\n" + '""""' * 800_000 + ",0.9\n",
    "a.csv: formulas": "Method,Acc\n=cmd|'/c touch pwned'!A1,0.9\n@SUM(1),0.9\n+1,0.9\n",
    "a.csv: separators": ",;\t|" * 800_000 + "\n" + _CSV,
    "a.csv: one column": "Acc\n" + "0.9\n" * 800_000,
    "a.csv: UTF-16 cut in half": _CSV.encode("utf-16")[:-1],
    "a.csv: UTF-32": _CSV.encode("utf-32"),
    "a.csv: names that are numbers": "9" * 4_900 + ",Acc\n1,0.9\n",
    "a.txt: blanks": "Method  Acc\n" + " " * 4_000_000 + "A  0.9\n",
    "a.txt: a report of 100,000 classes": "precision recall f1-score support\n\n" + "".join(f"c{k} 0.90 0.90 0.90 10\n" for k in range(80_000)),
    "a.ipynb: cells": json.dumps({"cells": [{"cell_type": "code", "source": ["!touch pwned"], "outputs": [{"data": {"text/html": ["<table><tr><td>Acc<tr><td>0.9</table>"] * 3}}]}] * 2_000, "nbformat": 4}),
    "a.ipynb: deep": '{"cells": ' + "[" * 200_000,
    "a.ipynb: wrong types": json.dumps({"cells": [None, 3, "x", {"cell_type": 3, "outputs": {"a": 1}}, {"cell_type": "code", "outputs": [{"data": {"text/html": 3, "text/plain": {"a": 1}}}, {"text": [[3]]}, 5]}]}),
    "a.yaml: a card of tags": "model-index: !!python/object/apply:os.system ['touch pwned']\n",
    "a.yaml: a card of wrong types": "model-index:\n- name: 3\n  results: [{task: x, metrics: [{type: [], value: {a: 1}}]}, 3, x]\n",
}  # fmt: skip

# ---- certificates: a possible report may not be proved impossible, whatever is written around the numbers

_FORGE = """
import copy, json
from benchmarks.attack.kinds import KINDS, seeds
from scoreproof.checking import ask
from scoreproof.kinds import read_problem
from scoreproof_verify import digest
FORMS = {forms!r}
proved = tried = 0
def texts(value, path=()):
    if isinstance(value, dict):
        for key, inner in value.items(): yield from texts(inner, (*path, key))
    elif isinstance(value, list):
        for place, inner in enumerate(value): yield from texts(inner, (*path, place))
    elif isinstance(value, str) and any(c.isdigit() for c in value): yield path, value
for kind in KINDS:
    for text in seeds(kind)[:2]:
        document = json.loads(text)
        for path, value in list(texts(document["statement"]))[:6]:
            for form in FORMS:
                made = copy.deepcopy(document)
                place = made["statement"]
                for step in path[:-1]: place = place[step]
                place[path[-1]] = form.format(value)
                made["digest"] = digest(kind, made["statement"], made["proof"])
                tried += 1
                if not sp.verify(made): continue
                proved += 1
                answer = ask(read_problem(kind, made["statement"]), budget=2)
                if answer.verdict != "inconsistent":
                    raise RuntimeError((kind, form, made["statement"], str(answer)))
return f"{{tried}} forged, {{proved}} of them refuted anew"
"""
_FORMS = ("{} ± 0.1", "{} ± 0", "{}%", "{} %", "{}0", "{}000000", "{}.", "+{}", " {}", "{}\u200b", "{}e0", "{}±0.1", "({})", "[{}, 1]", "{}–1", "<{}", "≈{}", "０{}", "{}*", "-{}")  # fmt: skip


def _forged(place: int) -> Attack:
    forms = _FORMS[place::5]
    body = _FORGE.format(forms=forms)
    return Attack("promises", f"certificates {forms}", lambda folder: python(body, folder), together=len(forms))


# ---- the tools of an assistant: every message that has a number is answered

_TEST_SET = '{"type": "testset", "p": 3, "n": 4}'
_CALLS: dict[str, tuple[str, str]] = {
    "an experiment 300 deep": ("check", '{"experiment": ' + '{"type": "mean_of_scores", "parts": [' * 300 + _TEST_SET + "]}" * 300 + ', "scores": {"acc": "0.5"}}'),
    "an experiment of 2^40 parts": ("check", '{"experiment": ' + '{"type": "kfold", "p": 99, "n": 99, "k": 9, "repeats": 1099511627776}' + ', "scores": {"acc": "0.5"}}'),
    "brackets": ("check", '{"experiment": ' + "[" * 300_000),
    "half a character": ("check", '{"experiment": ' + _TEST_SET + ', "scores": {"\\ud800": "\\udfff"}}'),
    "a number of 5,000 digits": ("check", '{"experiment": ' + _TEST_SET + ', "scores": {"acc": ' + "9" * 5_000 + "}}"),
    "numbers that are none": ("check", '{"experiment": ' + _TEST_SET + ', "scores": {"acc": NaN, "sens": -Infinity, "spec": 1e999}}'),
    "10,000 scores": ("check", '{"experiment": ' + _TEST_SET + ', "scores": {' + ", ".join(f'"f{k}": "0.5"' for k in range(2, 10_000)) + "}}"),
    "a score of 3 MB": ("check", '{"experiment": ' + _TEST_SET + ', "scores": {"acc": "' + "9" * 3_000_000 + '"}}'),
    "seconds without end": ("check", '{"experiment": ' + _TEST_SET + ', "scores": {"acc": "0.5"}, "seconds": 1e308}'),
    "a rule of its own": ("explain", '{"experiment": ' + _TEST_SET + ', "scores": {"acc": "0.5"}, "rounding": "__import__(\'os\')"}'),
    "wrong types": ("check", '{"experiment": 3, "scores": [], "seconds": "x"}'),
    "nothing": ("check", "{}"),
    "a tool that is none": ("../../hunter2", "{}"),
    "a file": ("audit", '{"specification": {"tables": [{"file": "hunter2.csv"}]}}'),
    "a catalogue": ("audit", '{"specification": {"catalog": ["hunter2.csv"], "tables": [{"text": "Acc\\n0.9\\n"}]}}'),
    "a table that is a name": ("audit", '{"table": "hunter2.csv"}'),
    "a table that is a name, with a line": ("audit", '{"table": "hunter2.csv\\n"}'),
    "a table of parts": ("audit", '{"table": "\\\\input{hunter2.csv}\\n\\\\begin{tabular}{l}Acc\\\\\\\\0.9\\\\end{tabular}"}'),
    "limits raised": ("audit", '{"specification": {"limits": {"seconds": 100000, "memory": 100000}, "tables": [{"text": "Acc\\n0.9\\n"}]}}'),
    "20,000 rows": ("audit", '{"table": "Method,Acc\\n' + "A,0.9\\n" * 4_000 + '", "p": "3", "n": "4"}'),
    "a certificate of itself": ("verify", '{"certificate": {"format": "' + "x" * 1_000_000 + '"}}'),
    "a certificate 400 deep": ("verify", '{"certificate": ' + '{"proof": ' * 400 + "1" + "}" * 400 + "}"),
    "a certificate given twice": ("verify", '{"certificate": {"kind": "binary", "kind": "order"}, "certificate": {}}'),
    "a certificate that is a name": ("verify", '{"certificate": "hunter2.csv"}'),
}  # fmt: skip
_TALK = """
import json, subprocess, threading
from benchmarks.attack.promises import _CALLS
child = subprocess.Popen([sys.executable, "-m", "scoreproof", "mcp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, encoding="utf-8")
def say(line):
    child.stdin.write(line + chr(10))
    child.stdin.flush()
    late = threading.Timer(150, child.kill)
    late.start()
    answer = child.stdout.readline()
    late.cancel()
    return answer
hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "x", "version": "0"}}
assert say(json.dumps({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": hello}))
child.stdin.write('{"jsonrpc": "2.0", "method": "notifications/initialized"}' + chr(10))
wrong = []
for number, (name, (tool, given)) in enumerate(_CALLS.items(), 1):
    said = say('{"jsonrpc": "2.0", "id": %d, "method": "tools/call", "params": {"name": %s, "arguments": %s}}' % (number, json.dumps(tool), given))
    if f'"id":{number}' not in said or "Traceback" in said or "swordfish" in said:
        wrong.append((name, said[:200]))
child.stdin.close()
if wrong:
    raise RuntimeError(wrong)
return f"{len(_CALLS)} calls answered"
"""
_TALKED = Attack("promises", "mcp calls", lambda folder: python(_TALK, folder), together=len(_CALLS), watched=True)

# ---- journals and batches that somebody else wrote

_JOURNAL: dict[str, str] = {
    "a number of 4 MB": '{"key": "a", "result": ' + "9" * 4_000_000 + "}\n",
    "keys given twice": '{"key": "a", "key": "b", "result": {}}\n',
    "a key that is a list": '{"key": ["a"], "result": {}}\n',
    "other line ends": '{"key": "a",\u2028 "result": {}}\r\n\x0b\x0c\x85\n',
    "a file of its own": '{"key": "a", "result": {"file": "hunter2.csv"}}\n',
    "half a character": '{"key": "\\udfff", "result": {"\\ud800": "\\ud800"}}\n',
    "100,000 lines": "".join(f'{{"key": "{k}", "result": {{}}}}\n' for k in range(100_000)),
    "numbers that are none": '{"key": "a", "result": NaN}\n{"key": "b", "result": -Infinity}\n',
}  # fmt: skip


def _journal(name: str, text: str, head: bool) -> Attack:
    def make(folder: Path) -> list[str]:
        (folder / "paper.json").write_text(_spec(), encoding="utf-8")
        first = '{"journal": "scoreproof audit", "about": {}}\n' if head else ""
        (folder / "journal").write_text(first + text, encoding="utf-8")
        return command("audit", "paper.json", "--resume", "journal")

    return Attack("promises", f"journal: {name} ({'with' if head else 'without'} a head)", make, watched=True)


def _folder(name: str, spoil: Callable[[Path], object]) -> Attack:
    """A batch that was ended on its way, and what is kept of it changed."""

    def make(folder: Path) -> list[str]:
        (folder / "frame.csv").write_text("p,n,acc,sens\n" + "100,200,0.9567,0.8545\n" * 5, encoding="utf-8")
        body = "import scoreproof as sp\nsp.batch(folder / 'frame.csv', folder / 'out')\n"
        import subprocess
        import sys

        subprocess.run([sys.executable, *python(body + "1", folder)], check=False, capture_output=True)
        kept = folder / "out" / "open" / "answers-000000"
        kept.mkdir(parents=True, exist_ok=True)
        for part in (folder / "out").glob("part-*"):
            part.rename(folder / "out" / "open" / part.name)
        spoil(kept)
        return command("batch", "frame.csv", "out", "--budget", "1")

    return Attack("promises", f"batch: {name}", make, watched=True)


_FOLDERS: dict[str, Callable[[Path], object]] = {
    "answers that unpack to 200 MB": lambda kept: (kept / "0.json.z").write_bytes(zlib.compress(b"[" + b"1," * 300_000_000, 1)[:4_000_000]),
    "answers that are no archive": lambda kept: (kept / "0.json.z").write_bytes(b"\xff" * 1_000),
    "answers of wrong types": lambda kept: (kept / "0.json.z").write_bytes(zlib.compress(b'[[0, 3], [[], {}], ["x", null], [99999, {"verdict": "consistent"}]]')),
    "answers 100,000 deep": lambda kept: (kept / "0.json.z").write_bytes(zlib.compress(b"[" * 100_000)),
    "a part that is a link": lambda kept: (kept.parent / "part-000001.parquet").symlink_to(kept.parents[2].parent / "hunter2"),
    "a part that is no Parquet": lambda kept: (kept.parent / "part-000000.parquet").write_bytes(b"PAR1" + b"\xff" * 999 + b"PAR1"),
    "a part of another number": lambda kept: (kept.parent / "part-99999999999999999999.parquet").write_bytes(b""),
    "a part that is a pipe": lambda kept: __import__("os").mkfifo(kept.parent / "part-000002.parquet"),
}  # fmt: skip

ATTACKS = [
    *(_words(*arguments) for arguments in _COMMANDS),
    *(_file(f"a.yaml: {name}" if not str(name).startswith("a.") else name, content) for name, content in _SPECIFICATIONS.items()),
    *(_file(f"a.pdf: {name}", content, verb="tables") for name, content in _PDFS.items()),
    *(_file(f"a.html: {name}", content) for name, content in _HTMLS.items()),
    *(_file(f"a.tex: {name}", content, beside="link.tex") for name, content in _LATEXES.items()),
    *(_file(f"a.md: {name}", content) for name, content in _MARKDOWNS.items()),
    *(_file(name, content) for name, content in _OFFICE.items()),
    *(_file(name, content) for name, content in _OTHERS.items()),
    *(_forged(place) for place in range(5)),
    _TALKED,
    *(_journal(name, text, head) for name, text in _JOURNAL.items() for head in (True, False)),
    *(_folder(name, spoil) for name, spoil in _FOLDERS.items()),
]  # fmt: skip
