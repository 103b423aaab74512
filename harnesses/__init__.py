"""Harnesses: coding-agent CLIs as judges, one CLI a file."""
