"""Judges, one kind a file; the file's name is the name on the command line."""
