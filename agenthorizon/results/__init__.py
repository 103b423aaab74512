"""Scores of a user's runs: run folder and labels in, scorecards and slices out."""
