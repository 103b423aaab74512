"""What asking a judge takes beside the judge: its identity, its settings files, its replies, its patience."""
