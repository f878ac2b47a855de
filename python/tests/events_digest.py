"""A parse result in few words: counts and hashes of each list of events."""

import hashlib
import json
from pathlib import Path

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"
LISTS = ["bd_events", "gdma_events", "sdma_events", "cdma_events"]


def digest(result):
    """Numbers of events and a hash of all keys, values and their types, by list and core or port."""
    lists = {name: [_digest(events) for events in getattr(result, name)] for name in LISTS}
    return {"num_cores": result.num_cores, "tail_offset_ns": result.tail_offset_ns, **lists}


def _digest(events):
    if not events:
        return "0"
    # JSON tells whole numbers from floats and texts, and None from all of them.
    text = json.dumps([list(event) for event in events], sort_keys=True)
    return f"{len(events)} {hashlib.sha256(text.encode()).hexdigest()[:16]}"
