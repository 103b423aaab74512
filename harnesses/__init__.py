"""Harnesses: coding-agent CLIs as judges, one CLI per file."""
