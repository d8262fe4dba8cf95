"""OpenDocument spreadsheets: repeated without end, spanned, deep, packed, of wrong types, with things to fetch or run."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from pathlib import Path

from benchmarks.attack.attack import Attack, command

_SPACES = " ".join(
    f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"' for name in ("office", "table", "text", "style")
)
_LINKS = 'xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:xi="http://www.w3.org/2001/XInclude"'


def ods(rows: str, head: str = "", styles: str = "", sheets: int = 1) -> bytes:
    """A spreadsheet with these rows on every sheet."""
    sheet = "".join(f'<table:table table:name="s{k}">{rows}</table:table>' for k in range(sheets))
    content = (
        f'<?xml version="1.0"?>{head}<office:document-content {_SPACES} {_LINKS}><office:automatic-styles>{styles}'
        f"</office:automatic-styles><office:body><office:spreadsheet>{sheet}</office:spreadsheet></office:body>"
        "</office:document-content>"
    )
    return packed({"mimetype": "application/vnd.oasis.opendocument.spreadsheet", "content.xml": content})


def packed(members: dict[str, str | bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return out.getvalue()


def cell(text: str = "0.9", **attributes: str) -> str:
    said = "".join(f' table:{name.replace("_", "-")}="{value}"' for name, value in attributes.items())
    return f"<table:table-cell{said}>{f'<text:p>{text}</text:p>' if text else ''}</table:table-cell>"


def row(*texts: str, repeated: str = "") -> str:
    said = f' table:number-rows-repeated="{repeated}"' if repeated else ""
    cells = (text if text.startswith("<") else cell(text.replace("±", "&#177;")) for text in texts)
    return f"<table:table-row{said}>{''.join(cells)}</table:table-row>"


_TABLE = row("Method", "Acc", "Sens") + row("A", "0.90", "0.80")
_COUNTS = ("16384", "1048576", "999999999", "9999999999999999999", "-5", "0", "", "many", "٣", "1e9", "2147483648")
_NAMES = ("number_columns_repeated", "number_columns_spanned", "number_rows_spanned")
_LAUGHS = '<!DOCTYPE x [<!ENTITY a0 "ha">' + "".join(f'<!ENTITY a{k + 1} "{f"&a{k};" * 10}">' for k in range(9)) + "]>"
_FILES: dict[str, Callable[[], bytes]] = {
    **{f"{name} is {count}": lambda name=name, count=count: ods(_TABLE + row(cell(**{name: count}), "0.8"))  # type: ignore[misc]
       for name in _NAMES for count in _COUNTS},
    **{f"rows repeated {count}": lambda count=count: ods(_TABLE + row("A", "0.9", "0.8", repeated=count)) for count in _COUNTS},  # type: ignore[misc]
    "both repeated": lambda: ods(_TABLE + row(cell(number_columns_repeated="16384"), repeated="1048576")),
    "2,000 columns in 100 rows": lambda: ods(row(cell(number_columns_repeated="2000"), repeated="100")),
    "1,000 rows repeated 10^9": lambda: ods(row(cell(""), repeated="999999999") * 1_000 + _TABLE),
    "10,000 rows of empty repeats": lambda: ods((row(cell("", number_columns_repeated="16384")) + row("A", "1")) * 10_000),
    "50,000 empty repeats in a row": lambda: ods(_TABLE + row("A", cell("", number_columns_repeated="16384") * 50_000, "0.8")),
    "spans over spans": lambda: ods(row(*[cell(number_rows_spanned="1048576", number_columns_spanned="16384")] * 300) * 30),
    "10,000 spans": lambda: ods(row(cell(number_rows_spanned="10000"), "1") * 10_000),
    "100,000 covered cells": lambda: ods(_TABLE + row("<table:covered-table-cell/>" * 100_000, "1")),
    "100,000 covered rows": lambda: ods(_TABLE + row("<table:covered-table-cell/>") * 100_000),
    "covered rows repeated": lambda: ods(_TABLE + row("<table:covered-table-cell/>", repeated="999999999")),
    "200,000 rows": lambda: ods(row("A", "0.9") * 120_000),
    "20,000 small tables": lambda: ods((_TABLE + row(cell(""))) * 20_000),
    "5,000 sheets": lambda: ods(_TABLE, sheets=5_000),
    "sheets in sheets": lambda: ods("<table:table-row><table:table-cell><table:table>" * 3_000 + _TABLE + "</table:table></table:table-cell></table:table-row>" * 3_000),
    "40 sheets in sheets": lambda: ods("<table:table-row><table:table-cell><table:table>" * 40 + _TABLE + "</table:table></table:table-cell></table:table-row>" * 40),
    "rows in 5,000 groups": lambda: ods("<table:table-row-group>" * 5_000 + _TABLE + "</table:table-row-group>" * 5_000),
    "elements 200,000 deep": lambda: ods("<text:p>" * 200_000 + "</text:p>" * 200_000),
    "a text 200 deep": lambda: ods(row("A", "<table:table-cell><text:p>" + "<text:span>" * 200 + "0.9" + "</text:span>" * 200 + "</text:p></table:table-cell>") * 2),
    "100,000 paragraphs in a cell": lambda: ods(_TABLE + row("A", "<table:table-cell>" + "<text:p>0.9</text:p>" * 100_000 + "</table:table-cell>")),
    "a cell of 4 MB": lambda: ods(_TABLE + row("A", "9" * 4_000_000, "0.8")),
    "200,000 attributes": lambda: ods("<table:table-row " + " ".join(f"a{k}='1'" for k in range(200_000)) + "/>" + _TABLE),
    "300,000 styles": lambda: ods(_TABLE, styles='<style:style style:name="b"><style:text-properties/></style:style>' * 300_000),
    "styles without names": lambda: ods(_TABLE, styles="<style:style><style:table-properties/></style:style>"),
    "laughs": lambda: ods(_TABLE + row("&a9;", "1"), head=_LAUGHS),
    "an entity of a file": lambda: ods(_TABLE + row("&x;", "1"), head="<!DOCTYPE x [<!ENTITY x SYSTEM 'hunter2.csv'>]>"),
    "an entity of the network": lambda: ods(_TABLE + row("&x;", "1"), head="<!DOCTYPE x [<!ENTITY x SYSTEM 'http://127.0.0.1:9/'>]>"),
    "a document type elsewhere": lambda: ods(_TABLE, head="<!DOCTYPE x SYSTEM 'http://127.0.0.1:9/x.dtd'>"),
    "inclusions": lambda: ods(_TABLE + row('<table:table-cell><text:p><xi:include href="hunter2.csv" parse="text"/></text:p></table:table-cell>', "1")),
    "a linked sheet": lambda: ods('<table:table-source xlink:href="hunter2.csv" table:mode="copy-all"/>' + _TABLE),
    "a formula that fetches": lambda: ods(_TABLE + row(cell("0.9", formula="of:=WEBSERVICE(&quot;http://127.0.0.1:9/&quot;)"), cell("", formula="of:=DDE(&quot;sh&quot;;&quot;touch pwned&quot;)"))),
    "a formula of itself": lambda: ods(_TABLE + row(cell("0.9", formula="of:=[.A3]"), cell("=cmd|'/c touch pwned'!A1"))),
    "escapes": lambda: ods(row("Method\u202e", "Acc&#x9;") + row("\u200b\ufeff", "0.9\u0301")),
    "control characters": lambda: ods(row("Method&#27;[31m", "Acc") + row("A", "&#0;")),
    "digits of everywhere": lambda: ods(row("Method", "Acc", "Sens") + row("A", "٠٫٩", "０．９") + row("½", "Ⅸ", "𝟗")),
    "half a file": lambda: ods(_TABLE)[:-120],
    "no content": lambda: packed({"mimetype": "application/vnd.oasis.opendocument.spreadsheet"}),
    "content that is none": lambda: packed({"content.xml": b"\xff\xfe" * 5_000}),
    "an empty content": lambda: packed({"content.xml": ""}),
    "another XML": lambda: packed({"content.xml": "<svg><table/></svg>"}),
    "content in UTF-7": lambda: packed({"content.xml": '<?xml version="1.0" encoding="UTF-7"?>+ADw-x/+AD4-'}),
    "content in UTF-32": lambda: packed({"content.xml": '<?xml version="1.0"?><x/>'.encode("utf-32")}),
    "a bomb": lambda: packed({"content.xml": b" " * 350_000_000}),
    "a bomb of rows": lambda: ods("<table:table-row/>" * 7_500_000),
    "a bomb beside it": lambda: packed({"content.xml": "<x/>", "Pictures/a.png": b"\0" * 350_000_000}),
    "60,000 members": lambda: packed({"content.xml": "<x/>", **{f"a/{k}": "" for k in range(60_000)}}),
    "names that climb": lambda: packed({"../../pwned": "x", "/pwned": "x", "content.xml": "<x/>"}),
    "a spreadsheet of Excel": lambda: packed({"xl/workbook.xml": "<x/>"}),
    "numbers": lambda: ods(row("Method", "Acc", "n") + row("A", "1e999", "9" * 4_900) + row("B", "-0", "nan")),
}  # fmt: skip


def _attack(name: str, make: Callable[[], bytes], verb: str, *more: str) -> Attack:
    def prepare(folder: Path) -> list[str]:
        (folder / "paper.ods").write_bytes(make())
        return command(verb, "paper.ods", *more)

    return Attack("sheets", f"{verb} {name}", prepare, watched=True)


_AUDITED = (
    "both repeated",
    "20,000 small tables",
    "digits of everywhere",
    "escapes",
    "numbers",
    "a formula that fetches",
)
ATTACKS = [
    *(_attack(name, make, "tables", "--json") for name, make in _FILES.items()),
    *(_attack(name, _FILES[name], "audit", "--budget", "1", "--jobs", "1") for name in _AUDITED),
]
