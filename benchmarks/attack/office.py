"""Word, Excel and PDF: spans, merged ranges, far cells, zip bombs, nesting."""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path

from benchmarks.attack.attack import Attack, command

_TYPES = (
    '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    '<Default Extension="xml" ContentType="application/xml"/>{more}</Types>'
)
_RELATION = (
    '<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
    '<Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/{kind}" '
    'Target="{target}"/></Relationships>'
)
_W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
_S = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'


def word(body: str, head: str = "", extra: dict[str, bytes] | None = None) -> bytes:
    """A Word file with this body."""
    main = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
    return _zip({
        "[Content_Types].xml": _TYPES.format(more=f'<Override PartName="/word/document.xml" ContentType="{main}"/>'),
        "_rels/.rels": _RELATION.format(kind="officeDocument", target="word/document.xml"),
        "word/document.xml": f'<?xml version="1.0"?>{head}<w:document {_W}><w:body>{body}</w:body></w:document>',
        **(extra or {}),
    })  # fmt: skip


def excel(rows: str, more: str = "", strings: str = "", head: str = "") -> bytes:
    """An Excel file with one sheet of these rows."""
    kind = "application/vnd.openxmlformats-officedocument.spreadsheetml"
    parts = {"workbook": "sheet.main", "worksheets/sheet1": "worksheet", "sharedStrings": "sharedStrings"}
    overrides = "".join(
        f'<Override PartName="/xl/{part}.xml" ContentType="{kind}.{name}+xml"/>' for part, name in parts.items()
    )
    relation = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    return _zip({
        "[Content_Types].xml": _TYPES.format(more=overrides),
        "_rels/.rels": _RELATION.format(kind="officeDocument", target="xl/workbook.xml"),
        "xl/workbook.xml": f'<?xml version="1.0"?><workbook {_S} xmlns:r="{relation}"><sheets>'
                           '<sheet name="S" sheetId="1" r:id="rId1"/></sheets></workbook>',
        "xl/_rels/workbook.xml.rels": _RELATION.format(kind="worksheet", target="worksheets/sheet1.xml").replace(
            "</Relationships>",
            f'<Relationship Id="rId2" Type="{relation}/sharedStrings" Target="sharedStrings.xml"/></Relationships>'),
        "xl/worksheets/sheet1.xml": f'<?xml version="1.0"?>{head}<worksheet {_S}><sheetData>{rows}</sheetData>{more}</worksheet>',
        "xl/sharedStrings.xml": f'<?xml version="1.0"?><sst {_S}>{strings}</sst>',
    })  # fmt: skip


def _zip(members: dict[str, str | bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return out.getvalue()


def _lying(data: bytes, name: bytes, size: int) -> bytes:
    """The archive with another unpacked size written in its list, which readers trust."""
    changed = bytearray(data)
    at = changed.rfind(name) - 46
    changed[at + 24 : at + 28] = size.to_bytes(4, "little")
    return bytes(changed)


_LAUGHS = (
    "<!DOCTYPE lolz [<!ENTITY a0 'lol'>"
    + "".join(f"<!ENTITY a{n} '{f'&a{n - 1};' * 10}'>" for n in range(1, 10)) + "]>"
)  # fmt: skip
_CELL = "<w:tc><w:p><w:r><w:t>0.9</w:t></w:r></w:p></w:tc>"
_NUMBERS = '<row r="1"><c r="A1"><v>1</v></c><c r="B1"><v>2</v></c></row><row r="2"><c r="A2"><v>3</v></c><c r="B2"><v>4</v></c></row>'


def _tables(depth: int, width: int = 1) -> str:
    inner = _CELL * width
    for _ in range(depth):
        inner = f"<w:tc><w:tbl><w:tr>{inner * width}</w:tr></w:tbl><w:p/></w:tc>"
    return f"<w:tbl><w:tr>{inner}</w:tr></w:tbl>"


def _row(before: str = "", span: str = "", cells: int = 2) -> str:
    properties = f'<w:trPr><w:gridBefore w:val="{before}"/></w:trPr>' if before else ""
    spanned = f'<w:tc><w:tcPr><w:gridSpan w:val="{span}"/></w:tcPr><w:p/></w:tc>' if span else ""
    return f"<w:tr>{properties}{spanned}{_CELL * cells}</w:tr>"


def _pdf(stream: bytes, pages: int = 1, box: str = "0 0 600 800") -> bytes:
    """A PDF whose pages share one content stream."""
    packed = zlib.compress(stream)
    kids = " ".join(f"{number + 5} 0 R" for number in range(pages))
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Count {pages} /Kids [{kids}] >>".encode(),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
        b"<< /Length %d /Filter /FlateDecode >>\nstream\n%s\nendstream" % (len(packed), packed),
    ]
    page = f"<< /Type /Page /Parent 2 0 R /MediaBox [{box}] /Contents 4 0 R /Resources << /Font << /F 3 0 R >> >> >>"
    objects += [page.encode()] * pages
    out, offsets = bytearray(b"%PDF-1.4\n"), []
    for number, content in enumerate(objects, 1):
        offsets.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % at for at in offsets)
    return bytes(out + b"trailer << /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, start))


_FILES: dict[str, tuple[str, Callable[[], bytes]]] = {
    **{f"gridBefore={value}": ("docx", lambda value=value: word(f"<w:tbl>{_row(value)}{_row()}</w:tbl>"))  # type: ignore[misc]
       for value in ("10000000", "10000000000000000000", "-5", "many", "")},
    **{f"gridSpan={value}": ("docx", lambda value=value: word(f"<w:tbl>{_row('', value)}{_row()}</w:tbl>"))  # type: ignore[misc]
       for value in ("10000000", "10000000000000000000", "-5", "many")},
    "20 nested tables": ("docx", lambda: word(_tables(20))),
    "300 nested tables": ("docx", lambda: word(_tables(300))),
    "nested tables, 2 wide and 12 deep": ("docx", lambda: word(_tables(12, 2))),
    "cells in 500 content controls": ("docx", lambda: word(
        f"<w:tbl><w:tr>{'<w:sdt><w:sdtContent>' * 500}{_CELL}{'</w:sdtContent></w:sdt>' * 500}</w:tr></w:tbl>")),
    "20,000 tables": ("docx", lambda: word(f"<w:tbl>{_row()}{_row()}</w:tbl><w:p/>" * 20_000)),
    "200,000 cells": ("docx", lambda: word(f"<w:tbl>{_row(cells=20) * 10_000}</w:tbl>")),
    "20,000 merged rows": ("docx", lambda: word(
        "<w:tbl>" + "<w:tr><w:tc><w:tcPr><w:vMerge/></w:tcPr><w:p/></w:tc></w:tr>" * 20_000 + "</w:tbl>")),
    "20,000 restarted merges": ("docx", lambda: word(
        "<w:tbl>" + '<w:tr><w:tc><w:tcPr><w:vMerge w:val="restart"/></w:tcPr><w:p/></w:tc></w:tr>'
        + "<w:tr><w:tc><w:tcPr><w:vMerge/></w:tcPr><w:p/></w:tc></w:tr>" * 20_000 + "</w:tbl>")),
    "100,000 runs in a cell": ("docx", lambda: word(
        f"<w:tbl><w:tr><w:tc><w:p>{'<w:r><w:t>x</w:t></w:r>' * 100_000}</w:p></w:tc>{_CELL}</w:tr>{_row()}</w:tbl>")),
    "XML 100,000 deep": ("docx", lambda: word("<w:p>" * 100_000 + "</w:p>" * 100_000)),
    "entities in Word": ("docx", lambda: word(f"<w:tbl><w:tr><w:tc><w:p><w:r><w:t>&a9;</w:t></w:r></w:p></w:tc>{_CELL}</w:tr>{_row()}</w:tbl>", _LAUGHS)),
    "an external entity": ("docx", lambda: word(
        "<w:tbl><w:tr><w:tc><w:p><w:r><w:t>&x;</w:t></w:r></w:p></w:tc></w:tr></w:tbl>",
        "<!DOCTYPE x [<!ENTITY x SYSTEM 'file:///etc/passwd'>]>")),
    "a Word bomb": ("docx", lambda: word("<w:p/>" * 50_000_000)),
    "a picture bomb": ("docx", lambda: word(f"<w:tbl>{_row()}{_row()}</w:tbl>", extra={"word/media/a.png": b"\0" * 350_000_000})),
    "a bomb that lies about its size": ("docx", lambda: _lying(word("<w:p/>" * 50_000_000), b"word/document.xml", 1000)),
    "100,000 members": ("docx", lambda: _zip({"word/document.xml": "", **{f"word/{k}": "" for k in range(40_000)}})),
    "half a Word file": ("docx", lambda: word(f"<w:tbl>{_row()}{_row()}</w:tbl>")[:-200]),
    "merged A1:XFD1048576": ("xlsx", lambda: excel(_NUMBERS, '<mergeCells><mergeCell ref="A1:XFD1048576"/></mergeCells>')),
    "5,000 merged columns": ("xlsx", lambda: excel(_NUMBERS, "<mergeCells>" + "".join(f'<mergeCell ref="A{k}:XFD{k}"/>' for k in range(1, 5_000)) + "</mergeCells>")),
    "merged C1:C1048576": ("xlsx", lambda: excel(_NUMBERS, '<mergeCells><mergeCell ref="C1:C1048576"/></mergeCells>')),
    "merged nonsense": ("xlsx", lambda: excel(_NUMBERS, '<mergeCells><mergeCell ref="B9:A1"/><mergeCell ref="x"/></mergeCells>')),
    "a far cell": ("xlsx", lambda: excel(_NUMBERS + '<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>')),
    "a far row": ("xlsx", lambda: excel(_NUMBERS + '<row r="900000"><c r="A900000"><v>1</v></c></row>')),
    "a row beyond the last": ("xlsx", lambda: excel(_NUMBERS + '<row r="99999999999"><c r="A99999999999"><v>1</v></c></row>')),
    "a far column": ("xlsx", lambda: excel(_NUMBERS + '<row r="50"><c r="XFD50"><v>1</v></c></row>')),
    "far columns in 60 rows": ("xlsx", lambda: excel("".join(f'<row r="{k}"><c r="A{k}"><v>1</v></c><c r="XFD{k}"><v>1</v></c></row>' for k in range(1, 60)))),
    "a wrong cell name": ("xlsx", lambda: excel('<row r="1"><c r="ZZZZZZ1"><v>1</v></c></row>')),
    "100,000 rows": ("xlsx", lambda: excel("".join(f'<row r="{k}"><c r="A{k}"><v>{k}</v></c><c r="B{k}"><v>{k}</v></c></row>' for k in range(1, 100_000)))),
    "numbers of 300 digits": ("xlsx", lambda: excel(_NUMBERS.replace("<v>1</v>", f"<v>{'9' * 300}</v>").replace("<v>2</v>", "<v>1e-300</v>").replace("<v>3</v>", "<v>1e999</v>"))),
    "an integer of 5,000 digits": ("xlsx", lambda: excel(_NUMBERS.replace("<v>1</v>", f"<v>{'9' * 5000}</v>"))),
    "entities in Excel": ("xlsx", lambda: excel(_NUMBERS.replace("<v>1</v>", "<v>&a9;</v>"), head=_LAUGHS)),
    "an Excel bomb": ("xlsx", lambda: excel("<row/>" * 50_000_000)),
    "a bomb of shared strings": ("xlsx", lambda: excel(_NUMBERS, strings="<si><t>x</t></si>" * 12_000_000)),
    "20,000 small tables": ("xlsx", lambda: excel("".join(f'<row r="{3 * k + j}"><c r="A{3 * k + j}"><v>1</v></c><c r="B{3 * k + j}"><v>2</v></c></row>' for k in range(20_000) for j in (1, 2)))),
    "a zip of a zip": ("zip", lambda: _zip({"xl/a.xlsx": excel(_NUMBERS)})),
    "a PDF of 2,000,000 glyphs": ("pdf", lambda: _pdf(b"BT /F 8 Tf 50 700 Td (" + b"1 0.9 " * 330_000 + b") Tj ET")),
    "a PDF of 100,000 lines": ("pdf", lambda: _pdf(b"BT /F 1 Tf " + b"".join(b"1 0 0 1 %d %d Tm (0.9) Tj " % (k % 600, k % 800) for k in range(100_000)) + b"ET")),
    "a PDF of 5,000 pages": ("pdf", lambda: _pdf(b"BT /F 8 Tf 50 700 Td (Acc 0.9) Tj ET", 5_000)),
    "a PDF bomb": ("pdf", lambda: _pdf(b" " * 1_000_000_000)),
    "a PDF of 500,000 rules": ("pdf", lambda: _pdf(b"".join(b"%d %d m %d %d l S " % (k % 600, k % 800, k % 590, k % 800) for k in range(200_000)))),
    "an endless PDF page": ("pdf", lambda: _pdf(b"BT /F 8 Tf 50 700 Td (Acc 0.9) Tj ET", box="0 0 1e300 1e300")),
    "brackets in a PDF": ("pdf", lambda: _pdf(b"[" * 1_000_000)),
    "a PDF without objects": ("pdf", lambda: b"%PDF-1.4\n" + b"1 0 obj\n" * 100_000),
    "a PDF with a loop of pages": ("pdf", lambda: _pdf(b"x").replace(b"/Kids [5 0 R]", b"/Kids [2 0 R]")),
}  # fmt: skip


def _attack(name: str, suffix: str, make: Callable[[], bytes]) -> Attack:
    def prepare(folder: Path) -> list[str]:
        file = folder / f"paper.{suffix}"
        file.write_bytes(make())
        return command("tables", str(file), "--json")

    return Attack("office", name, prepare)


ATTACKS = [_attack(name, suffix, make) for name, (suffix, make) in _FILES.items()]
