"""Importers of other projects' recordings, one format a file; the file's name is the format's."""
