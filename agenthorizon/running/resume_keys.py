"""What stands for a task and repeat of a run where a judge keeps what it has paid for, and tells nothing of them."""

import hashlib
import json


def resume_key(run: str, task_id: str, repeat: int) -> str:
    """Return it, of a run folder's id."""
    return hashlib.sha256(json.dumps([run, task_id, repeat]).encode()).hexdigest()
