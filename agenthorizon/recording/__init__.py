"""The recorder: what a person does on a desktop becomes a recording of the standard layout."""
