"""Small OpenDocument files: written for LibreOffice to open, read again to see what it saved."""

import zipfile
from collections.abc import Sequence
from pathlib import Path
from xml.etree import ElementTree
from xml.sax.saxutils import escape

_NAMES = {
    "office": "urn:oasis:names:tc:opendocument:xmlns:office:1.0",
    "table": "urn:oasis:names:tc:opendocument:xmlns:table:1.0",
    "text": "urn:oasis:names:tc:opendocument:xmlns:text:1.0",
    "draw": "urn:oasis:names:tc:opendocument:xmlns:drawing:1.0",
    "svg": "urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0",
    "style": "urn:oasis:names:tc:opendocument:xmlns:style:1.0",
    "fo": "urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0",
    "presentation": "urn:oasis:names:tc:opendocument:xmlns:presentation:1.0",
}


def write_sheet(path: Path, rows: Sequence[Sequence[str | int]]) -> None:
    """Write a spreadsheet of one sheet."""
    body = "".join(f"<table:table-row>{''.join(map(_cell, row))}</table:table-row>" for row in rows)
    _write(path, "spreadsheet", f'<table:table table:name="Sheet1">{body}</table:table>')


def write_letter(path: Path, paragraphs: Sequence[str]) -> None:
    """Write a text document."""
    _write(path, "text", "".join(f"<text:p>{escape(text)}</text:p>" for text in paragraphs))


def write_slides(path: Path, slides: Sequence[tuple[str, str]]) -> None:
    """Write a presentation: a title and a text for each slide."""
    _write(path, "presentation", "".join(_slide(*slide) for slide in slides))


def read_cells(path: Path) -> list[list[str]]:
    """Return the filled cells of the first sheet as shown, empty rows left out."""
    rows = []
    for row in content(path).iter(_name("table:table-row")):
        cells = ["".join(cell.itertext()) for cell in row.iter(_name("table:table-cell"))]
        rows.append([cell for cell in cells if cell])
    return [row for row in rows if row]


def read_paragraphs(path: Path) -> list[str]:
    """Return the texts of a document's paragraphs."""
    return ["".join(paragraph.itertext()) for paragraph in content(path).iter(_name("text:p"))]


def content(path: Path) -> ElementTree.Element:
    """Return the root of content.xml."""
    with zipfile.ZipFile(path) as archive:
        return ElementTree.fromstring(archive.read("content.xml"))


def attribute(element: ElementTree.Element, name: str) -> str | None:
    """Return an attribute by its prefixed name."""
    return element.get(_name(name))


def elements(root: ElementTree.Element, name: str) -> list[ElementTree.Element]:
    """Return all elements of a prefixed name, in the order of the document."""
    return list(root.iter(_name(name)))


def _name(prefixed: str) -> str:
    prefix, name = prefixed.split(":")
    return f"{{{_NAMES[prefix]}}}{name}"


def _cell(value: str | int) -> str:
    kind = (
        f'office:value-type="float" office:value="{value}"' if isinstance(value, int) else 'office:value-type="string"'
    )
    return f"<table:table-cell {kind}><text:p>{escape(str(value))}</text:p></table:table-cell>"


def _slide(title: str, text: str) -> str:
    return f'<draw:page draw:master-page-name="Default">{_frame(title, "2cm", 40)}{_frame(text, "6cm", 24)}</draw:page>'


def _frame(text: str, y: str, size: int) -> str:
    box = f'svg:x="2cm" svg:y="{y}" svg:width="24cm" svg:height="3cm"'
    words = f'<text:p><text:span text:style-name="T{size}">{escape(text)}</text:span></text:p>'
    return f'<draw:frame draw:style-name="plain" {box}><draw:text-box>{words}</draw:text-box></draw:frame>'


def _write(path: Path, kind: str, body: str) -> None:
    media = f"application/vnd.oasis.opendocument.{kind}"
    names = " ".join(f'xmlns:{prefix}="{uri}"' for prefix, uri in _NAMES.items())
    styles = "".join(
        f'<style:style style:name="T{size}" style:family="text"><style:text-properties fo:font-size="{size}pt"/>'
        "</style:style>"
        for size in (24, 40)
    )
    plain = '<style:graphic-properties draw:fill="none" draw:stroke="none"/>'
    styles += f'<style:style style:name="plain" style:family="graphic">{plain}</style:style>'
    text = (
        f'<?xml version="1.0" encoding="UTF-8"?><office:document-content {names} office:version="1.3">'
        f"<office:automatic-styles>{styles}</office:automatic-styles>"
        f"<office:body><office:{kind}>{body}</office:{kind}></office:body></office:document-content>"
    )
    manifest = (
        '<?xml version="1.0" encoding="UTF-8"?>'
        '<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0" manifest:version="1.3">'
        f'<manifest:file-entry manifest:full-path="/" manifest:media-type="{media}"/>'
        '<manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml"/></manifest:manifest>'
    )
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("mimetype", media)
        archive.writestr("META-INF/manifest.xml", manifest)
        archive.writestr("content.xml", text)
