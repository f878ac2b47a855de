#!/usr/bin/env python3
"""Runs bigtpuprofile beside the Python package bigTpuProfile on the same synthetic dump, and prints a table of ratios.

  benches/compare.py --ours target/release/bigtpuprofile --reference .venv/bin/bigTpuProfile 56000 500000

Sizes are events. Two tasks: trace and summary (--emit trace,summary against the package's default run), and the workbook
(--emit trace,summary,text,workbook against --enable_doc, which writes the four as well). Wall time is the median of
--runs runs; the two take turns. Peak memory is the child's maximum resident set, the mapped input included. Output is what lies in the
output directory. Nothing but Python's standard library is needed; the package is installed with
`python3 -m venv .venv && .venv/bin/pip install bigTpuProfile==0.3.7`."""
import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

EVENTS_A_LAUNCH = 49.8  # of a core, with 8 tiles and without CDMA; see main()
TASKS = {
    "trace+summary": (["--emit", "trace,summary"], []),
    "workbook": (["--emit", "trace,summary,text,workbook"], ["--enable_doc"]),
}


def run(command, log):
    """Wall time in s and peak memory in bytes of a child that must succeed."""
    start = time.perf_counter()
    child = subprocess.Popen(command, stdout=log, stderr=log)
    _, status, usage = os.wait4(child.pid, 0)
    wall = time.perf_counter() - start
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        sys.exit(f"{' '.join(command)} ended with {child.returncode}, see {log.name}")
    unit = 1 if sys.platform == "darwin" else 1024
    return wall, usage.ru_maxrss * unit


def size(directory):
    return sum(os.path.getsize(os.path.join(root, name)) for root, _, names in os.walk(directory) for name in names)


def measure(args, dump, work, task, log):
    """Median wall time, greatest memory and output size of ours and of the reference."""
    ours, reference = TASKS[task]
    sides = {"ours": [args.ours, dump, None, "-q", "-j", str(args.jobs), *ours], "reference": [args.reference, dump, None, *reference]}
    results = {}
    for _ in range(args.runs):
        for side, command in sides.items():
            if side == "reference" and not args.reference:
                continue
            out = os.path.join(work, side)
            shutil.rmtree(out, ignore_errors=True)
            wall, memory = run([out if part is None else part for part in command], log)
            walls, memories, _ = results.get(side, ([], [], 0))
            results[side] = (walls + [wall], memories + [memory], size(out))
            shutil.rmtree(out)
    return {side: (statistics.median(walls), max(memories), written) for side, (walls, memories, written) in results.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("events", nargs="+", type=int, help="sizes of the dumps, in events (about)")
    parser.add_argument("--ours", default="target/release/bigtpuprofile")
    parser.add_argument("--reference", default="", help="bigTpuProfile; without it only ours is measured")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--jobs", type=int, default=0, help="threads of ours; 0: all")
    parser.add_argument("--chip", default="aks")
    parser.add_argument("--style", default="op")
    parser.add_argument("--mode", type=int, default=2)
    parser.add_argument("--cores", type=int, default=8)
    parser.add_argument("--repeat", type=int, default=8, help="tiles of a launch")
    parser.add_argument("--tasks", default=",".join(TASKS), help="some of " + ", ".join(TASKS))
    parser.add_argument("--work", default=None, help="where dumps and outputs go; a temporary directory by default")
    args = parser.parse_args()
    work = args.work or tempfile.mkdtemp(prefix="bigtpuprofile-")
    os.makedirs(work, exist_ok=True)
    print("| events | task | | ours | reference | ratio |\n|--:|---|---|--:|--:|--:|")
    with open(os.path.join(work, "log.txt"), "a") as log:
        for wanted in args.events:
            # A launch has 4 events of the sync; the others grow with the tiles.
            launches = max(1, round(wanted / args.cores / (args.repeat * (EVENTS_A_LAUNCH - 4) / 8 + 4)))
            dump = os.path.join(work, "dump")
            shutil.rmtree(dump, ignore_errors=True)
            options = dict(chip=args.chip, style=args.style, mode=args.mode, cores=args.cores, repeat=args.repeat, launches=launches)
            run([args.ours, "synth", dump, "-q", *(part for key, value in options.items() for part in ("--" + key, str(value)))], log)
            counted = subprocess.run([args.ours, dump, os.path.join(work, "count"), "--emit", "summary"], capture_output=True, text=True, check=True)
            events = next(word for word, what in zip(counted.stdout.split(), counted.stdout.split()[1:]) if what.startswith("event"))
            for task in args.tasks.split(","):
                result = measure(args, dump, work, task, log)
                units = (("wall time (s)", 1, ".3f"), ("peak memory (MB)", 1e6, ".1f"), ("output (MB)", 1e6, ".1f"))
                for which, (name, unit, form) in enumerate(units):
                    ours = result["ours"][which]
                    theirs = result.get("reference", (None,) * 3)[which]
                    other = "" if theirs is None else format(theirs / unit, form)
                    ratio = "" if theirs is None else f"{theirs / ours:.1f}"
                    print(f"| {events} | {task} | {name} | {format(ours / unit, form)} | {other} | {ratio} |", flush=True)
            shutil.rmtree(dump)
    if not args.work:
        shutil.rmtree(work)


if __name__ == "__main__":
    main()
