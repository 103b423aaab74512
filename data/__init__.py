"""Sources of tasks, one a file, and the shipped data sets, one a folder."""
