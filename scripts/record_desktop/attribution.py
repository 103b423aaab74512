"""The attribution that goes with the recordings: own work, and the free software that can be seen in it."""

_SOFTWARE = (
    ("Chromium", "BSD-3-Clause and others"),
    ("Claws Mail", "GPL-3.0-or-later"),
    ("DB Browser for SQLite", "MPL-2.0 or GPL-3.0-or-later"),
    ("Galculator", "GPL-2.0-or-later"),
    ("Geany", "GPL-2.0-or-later"),
    ("GIMP", "GPL-3.0-or-later"),
    ("LibreOffice (Calc, Impress, Writer)", "MPL-2.0"),
    ("Mousepad", "GPL-2.0-or-later"),
    ("Openbox, Openbox Configuration Manager", "GPL-2.0-or-later"),
    ("PCManFM", "GPL-2.0-or-later"),
    ("Vim", "Vim licence"),
    ("xterm", "MIT"),
    ("GTK with the Adwaita theme and icons", "LGPL; icons LGPL-3.0 or CC-BY-SA-3.0"),
    ("DejaVu, Liberation and Noto fonts", "Bitstream Vera licence, OFL-1.1"),
)

_TEXT = """\
# Where these recordings come from

They are the project's own work, made by `scripts/record_desktop`, under the project's licence (Apache-2.0).
Instructions, files, names, addresses and web pages in them were made up for the purpose. They are scripted, not human
demonstrations; they are not part of AgentHorizon, and numbers on them are not comparable with it.

## What can be seen in them

The screenshots show free software as Debian 12 packages it. The programs' names, marks and designs belong to their
owners.

| program | licence |
| --- | --- |
{software}
"""


def attribution() -> str:
    """Return the text of ATTRIBUTION.md."""
    return _TEXT.format(software="\n".join(f"| {name} | {licence} |" for name, licence in _SOFTWARE))
