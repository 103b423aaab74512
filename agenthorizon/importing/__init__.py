"""What importers share: safe reading of a source, translation of actions, and writing the standard layout."""
