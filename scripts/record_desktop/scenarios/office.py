"""How LibreOffice is started for a recording: with a profile of its own and nothing that pops up."""

from desk import Desk


def office(desk: Desk) -> list[str]:
    """Return the command, to which the kind of document and the file are added."""
    profile = f"-env:UserInstallation=file://{desk.home}/.office"
    return ["soffice", "--norestore", "--nologo", "--nofirststartwizard", profile]
