"""Writes data/events_0_3_7.json: what bigTpuProfile 0.3.7 finds in each fixture.

Run it with a Python that has bigTpuProfile 0.3.7: ``python python/tests/bless_events.py``.
"""

import contextlib
import io
import json
from pathlib import Path

from events_digest import FIXTURES, digest


def main():
    from bigTpuProfile.bmprofile_perfAI import ProfileParser

    found = {}
    for dump in sorted(FIXTURES.glob("*/dump")):
        try:
            with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
                result = ProfileParser().parse(str(dump))
        except Exception as error:  # the reference fails in many ways
            print(f"{dump.parent.name}: left out, 0.3.7 fails: {type(error).__name__}")
            continue
        found[dump.parent.name] = digest(result)
    path = Path(__file__).parent / "data" / "events_0_3_7.json"
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
