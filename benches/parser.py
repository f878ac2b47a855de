#!/usr/bin/env python3
"""CPU time an event of the parser `bigtpuprofile.compat` beside that of bigTpuProfile 0.3.7, in one process.

  python benches/parser.py DUMP

The Python needs both: `pip install bigTpuProfile==0.3.7` and the wheel of a release build (`pip install .`). Each turn parses the dump and
visits every event, once with each package; the time is that of all threads, the result is freed outside of it. Medians of --turns."""
import argparse
import contextlib
import io
import statistics
import time


def visit(result):
    """Number of all events, each of which has been in hand."""
    lists = (result.bd_events, result.gdma_events, result.sdma_events, result.cdma_events)
    return sum(1 for of_engine in lists for events in of_engine for info, extra, meta in events if info)


def turn(parser, dump):
    """us of CPU an event, and the number of events."""
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        start = time.process_time()
        result = parser().parse(dump)
        count = visit(result)
        return (time.process_time() - start) / count * 1e6, count


def main():
    from bigTpuProfile.bmprofile_perfAI import ProfileParser as Reference

    from bigtpuprofile.compat import ProfileParser as Ours

    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("dump")
    options.add_argument("--turns", type=int, default=9)
    arguments = options.parse_args()
    times = {Ours: [], Reference: []}
    for _ in range(arguments.turns):
        for parser, taken in times.items():
            taken.append(turn(parser, arguments.dump))
    counts = {count for taken in times.values() for _, count in taken}
    assert len(counts) == 1, f"the packages find different numbers of events: {counts}"
    ours, reference = (statistics.median(us for us, _ in taken) for taken in times.values())
    print(f"{counts.pop()} events: {ours:.2f} us an event, bigTpuProfile 0.3.7 {reference:.1f} us: {reference / ours:.1f} times as fast")


if __name__ == "__main__":
    main()
