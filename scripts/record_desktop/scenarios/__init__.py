"""All scenarios, one file per application family."""

from scenario import Scenario

from . import calculator, databases, documents, editors, files, mail, pictures, settings, spreadsheets, terminal, web

FAMILIES = (calculator, databases, documents, editors, files, mail, pictures, settings, spreadsheets, terminal, web)


def all_scenarios() -> dict[str, Scenario]:
    """Return every scenario by its name, in the order of the families."""
    return {scenario.name: scenario() for family in FAMILIES for scenario in family.SCENARIOS}
