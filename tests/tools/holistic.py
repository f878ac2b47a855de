#!/usr/bin/env python3
"""holistic.py PROGRAM: trace.json of the program in Meta's Holistic Trace Analysis (PyPI's HolisticTraceAnalysis).

Every command is there with its times to the us, to which it rounds, and the time of each kernel is that of report.json.
Needs: pip install HolisticTraceAnalysis. Exit: 0 ok, 1 something is wrong, 77 the package is missing (said on stdout).
"""

import csv
import importlib.util
import json
import os
import pathlib
import subprocess
import sys
import tempfile
from collections import defaultdict


def main():
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    if not importlib.util.find_spec("hta"):
        print("SKIPPED: the Python package HolisticTraceAnalysis is missing")
        return 77
    from hta.trace_analysis import TraceAnalysis

    program = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        for arguments in (["synth", "demo", "--launches", "4"], ["demo", "out", "--emit", "json,csv,report"]):
            subprocess.run([program, *arguments], check=True, cwd=folder, stdout=subprocess.DEVNULL)
        analysis = TraceAnalysis(trace_files={0: str(folder / "out/trace.json")}, trace_dir=str(folder / "out"))
        names = analysis.t.symbol_table.get_sym_table()
        table = analysis.t.get_trace(0)
        report = json.loads((folder / "out/report.json").read_text())
        with open(folder / "out/events.csv") as file:
            events = list(csv.DictReader(file))
    # It rounds starts up and ends down to whole us.
    found = defaultdict(list)
    for row in table.itertuples():
        found[names[row.name]].append((row.ts, row.dur))
    expected = defaultdict(list)
    for event in events:
        expected[event["function_name"]].append((int(event["start_ns"]) / 1e3, int(event["duration_ns"]) / 1e3))
    wrong = []
    for name, commands in expected.items():
        here = sorted(found[name])
        if not all(any(abs(ts - start) <= 1 and abs(dur - duration) < 2 for ts, dur in here) for start, duration in commands):
            wrong.append(f"commands {name} are not there, or at other times")
        if len(here) < len(commands):
            wrong.append(f"{len(here)} slices {name}, not {len(commands)}")
    for kernel in report["kernels"]:
        durations = [dur for _, dur in found[kernel["kernel"]]]
        total = sum(durations)
        if not durations or total + 2 * len(durations) < kernel["total_ns"] / 1e3:
            wrong.append(f"{kernel['kernel']} takes {total} us, not {kernel['total_ns']} ns")
    for what in wrong:
        print(f"WRONG: {what}")
    print(f"{len(table)} slices, {len(events)} commands, {len(report['kernels'])} kernels: {len(wrong)} wrong")
    return 1 if wrong or not events else 0


if __name__ == "__main__":
    sys.exit(main())
