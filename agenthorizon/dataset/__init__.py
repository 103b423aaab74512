"""A data set on disk: its records and their checks, where its screenshots lie, its labels and pairs."""
