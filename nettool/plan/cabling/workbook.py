"""A one-sheet XLSX file from rows of text, the same bytes for the same rows.

Written here rather than with openpyxl (which reads the sheets of users): it stamps the time of
writing into the file, and takes minutes for the 393,000 legs of a large fabric.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterable, Iterator
from xml.sax.saxutils import escape

from nettool.plan.cabling.grid import column_name

_NUMBER = "\0"
_LEVEL = 1
"""Of compression: higher ones take three times as long for a fifth less."""
_EPOCH = (1980, 1, 1, 0, 0, 0)
_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_SHEET = "application/vnd.openxmlformats-officedocument.spreadsheetml"
_XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'


def workbook(title: str, head: Iterable[str], rows: Iterable[Iterable[str]]) -> bytes:
    """The bytes of an XLSX file with one sheet: a bold frozen head row, then the rows as text."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in _parts(title):
            archive.writestr(_entry(name), text)
        with archive.open(_entry("xl/worksheets/sheet1.xml"), "w", force_zip64=True) as sheet:
            for chunk in _sheet(list(head), rows):
                sheet.write(chunk.encode())
    return buffer.getvalue()


def _entry(name: str) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(name, _EPOCH)
    entry.compress_type = zipfile.ZIP_DEFLATED
    entry._compresslevel = _LEVEL  # type: ignore[attr-defined] # public only from Python 3.13 on
    return entry


def _sheet(head: list[str], rows: Iterable[Iterable[str]]) -> Iterator[str]:
    plain, bold = _form(len(head), ""), _form(len(head), ' s="1"')
    yield (
        f'{_XML}<worksheet xmlns="{_MAIN}"><sheetViews><sheetView workbookViewId="0">'
        '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>'
        "</sheetView></sheetViews><sheetData>"
    )
    yield _row(1, bold, head)
    pending: list[str] = []
    for number, row in enumerate(rows, 2):
        pending.append(_row(number, plain, row))
        if len(pending) == 2000:
            yield "".join(pending)
            pending.clear()
    yield "".join(pending) + "</sheetData></worksheet>"


def _form(width: int, style: str) -> str:
    """A row with a place for each text and for its number."""
    cells = (
        f'<c r="{column_name(each)}{_NUMBER}" t="inlineStr"{style}><is><t>%s</t></is></c>'
        for each in range(width)
    )
    return f'<row r="{_NUMBER}">{"".join(cells)}</row>'


def _row(number: int, form: str, values: Iterable[str]) -> str:
    """One row; its texts are escaped in one go."""
    texts = escape("\0".join(values)).split("\0")
    return form.replace(_NUMBER, str(number)) % tuple(texts)


def _parts(title: str) -> Iterator[tuple[str, str]]:
    yield (
        "[Content_Types].xml",
        f'{_XML}<Types xmlns="{_PACKAGE}/content-types">'
        '<Default Extension="rels" '
        'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        '<Default Extension="xml" ContentType="application/xml"/>'
        f'<Override PartName="/xl/workbook.xml" ContentType="{_SHEET}.sheet.main+xml"/>'
        f'<Override PartName="/xl/styles.xml" ContentType="{_SHEET}.styles+xml"/>'
        f'<Override PartName="/xl/worksheets/sheet1.xml" ContentType="{_SHEET}.worksheet+xml"/>'
        "</Types>",
    )
    yield "_rels/.rels", _relations(("officeDocument", "xl/workbook.xml"))
    yield (
        "xl/_rels/workbook.xml.rels",
        _relations(("worksheet", "worksheets/sheet1.xml"), ("styles", "styles.xml")),
    )
    yield (
        "xl/workbook.xml",
        f'{_XML}<workbook xmlns="{_MAIN}" xmlns:r="{_OFFICE}"><sheets>'
        f'<sheet name="{escape(title)}" sheetId="1" r:id="rId1"/></sheets></workbook>',
    )
    yield (
        "xl/styles.xml",
        f'{_XML}<styleSheet xmlns="{_MAIN}"><fonts count="2"><font/><font><b/></font></fonts>'
        '<fills count="1"><fill><patternFill patternType="none"/></fill></fills>'
        '<borders count="1"><border/></borders>'
        '<cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="2"><xf/>'
        '<xf fontId="1" applyFont="1"/></cellXfs><cellStyles count="1">'
        '<cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>',
    )


def _relations(*targets: tuple[str, str]) -> str:
    rows = "".join(
        f'<Relationship Id="rId{number}" Type="{_OFFICE}/{kind}" Target="{target}"/>'
        for number, (kind, target) in enumerate(targets, 1)
    )
    return f'{_XML}<Relationships xmlns="{_PACKAGE}/relationships">{rows}</Relationships>'
