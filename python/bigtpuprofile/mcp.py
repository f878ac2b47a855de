"""``python -m bigtpuprofile.mcp ROOT...``: what dumps show, as tools for assistants (Model Context Protocol, on stdin and stdout).

Only dumps below the given directories can be read; nothing is written there. Needs ``pip install bigtpuprofile-rs[mcp]``.
"""

import argparse
import collections
import functools
import json
import os
import sys
import tempfile
import time
from pathlib import Path

from . import __version__
from ._binary import ProfileError, run
from ._native import plain_json
from ._runs import Profiles, dumps_below, read

#: Rows of an answer, and characters of a text: assistants read all that they get.
MOST_ROWS = 50
MOST_TEXT = 8000
#: Characters of a value in the answer to a query.
MOST_VALUE = 1000
#: Types of columns whose values are short.
NUMBERS = {"BOOLEAN", "TINYINT", "SMALLINT", "INTEGER", "BIGINT", "UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT", "HUGEINT", "UHUGEINT", "FLOAT", "DOUBLE", "DECIMAL"}
#: Bytes of an answer.
MOST_BYTES = 200_000
#: Dumps that are kept, and files of a dump.
MOST_DUMPS = 4
MOST_FILES = 10_000
#: Dumps whose verdict a list has, and seconds after which it is left at those that are read.
MOST_LISTED = 100
LIST_SECONDS = 20
#: Seconds after which a query is given up.
MOST_SECONDS = 20
#: Nanoseconds in which a file system may give two changes the same time: it counts ticks.
TICK_NS = 20_000_000


class Dumps:
    """Dumps below the allowed directories; those that were read last are kept as long as their files do not change."""

    def __init__(self, roots):
        self.roots = [Path(root).resolve(strict=True) for root in roots]
        self._kept = collections.OrderedDict()

    def is_allowed(self, path):
        return any(path == root or root in path.parents for root in self.roots)

    def path(self, dump):
        """The directory of a dump, after a look at all that is in it."""
        path = Path(dump) if os.path.isabs(dump) else self.roots[0] / dump
        path = path.resolve()
        if not self.is_allowed(path):
            allowed = ", ".join(map(str, self.roots))
            raise ProfileError(f"{dump}: is not below an allowed directory; allowed are {allowed}")
        if not path.is_dir():
            raise ProfileError(f"{dump}: is no directory with a dump")
        self.fingerprint(path)
        return path

    def fingerprint(self, path):
        """What changes with any file below a directory. Links are followed by who reads the dump: they must not lead out.

        The time of the last change of a file or directory can't be set, and lies a tick back: equal fingerprints are equal content.
        """
        found = self._stamps(path)
        newest = max(stamp[-1] for stamp in found)
        if 0 <= time.time_ns() - newest < TICK_NS:
            time.sleep(2 * TICK_NS / 1e9)
            found = self._stamps(path)
        return tuple(found)

    def _stamps(self, path):
        found = []
        folders = [path]
        seen = set()
        while folders:
            folder = folders.pop()
            stat = folder.stat()
            # A directory that links lead to more than once.
            if (stat.st_dev, stat.st_ino) in seen:
                continue
            seen.add((stat.st_dev, stat.st_ino))
            found.append((str(folder), *_stamp(stat)))
            for entry in sorted(folder.iterdir()):
                if len(found) > MOST_FILES:
                    raise ProfileError(f"{path}: holds more than {MOST_FILES} files; give the directory of one dump")
                if entry.is_symlink() and not self.is_allowed(entry.resolve()):
                    raise ProfileError(f"{entry}: is a link that leads out of the allowed directories")
                if entry.exists():
                    found.append((str(entry), *_stamp(entry.lstat()), *_stamp(entry.stat())))
                if entry.is_dir():
                    folders.append(entry)
        return found

    def profile(self, dump):
        path = self.path(dump)
        before = self.fingerprint(path)
        kept = self._kept.pop(path, None)
        profile = kept[1] if kept and kept[0] == before else self._read(dump, path)
        # What took the place of a file while it was read has changed its directory.
        if self.fingerprint(path) != before:
            raise ProfileError(f"{dump}: was changed while it was read; ask again")
        self._kept[path] = (before, profile)
        while len(self._kept) > MOST_DUMPS:
            self._kept.popitem(last=False)
        return profile

    def _read(self, dump, path):
        try:
            profile = read(path)
            if isinstance(profile, Profiles):
                raise ProfileError(f"{dump}: holds several dumps; give one of them: {', '.join(profile)[:MOST_VALUE]}")
            # Files that are read when they are needed are read now.
            _ = profile.report.verdict, profile.report.ledger
        except (ValueError, TypeError, LookupError, AttributeError) as error:
            raise ProfileError(f"{dump}: holds no dump, and no report that this program wrote ({error})") from None
        return profile

    def run(self, words, dumps, out=None):
        """The answer of a command about dumps that do not change meanwhile. ``out``: the directory for its results, where it needs one."""
        paths = [self.path(dump) for dump in dumps]
        before = [self.fingerprint(path) for path in paths]
        answer = json.loads(run([words[0], *paths, *([out] if out else []), *words[1:], "--json"]))
        if [self.fingerprint(path) for path in paths] != before:
            raise ProfileError(f"{', '.join(dumps)}: was changed while it was read; ask again")
        return answer

    def report(self, dump):
        return self.profile(dump).report

    def newest(self):
        """Dumps and results below the directories, by the time of their last change, the newest first: time and path."""
        found = {}
        for root in self.roots:
            for folder in dumps_below(root):
                resolved = folder.resolve()
                if self.is_allowed(resolved):
                    found[resolved] = max(entry.stat().st_mtime for entry in [folder, *folder.iterdir()] if entry.exists())
        return sorted(((when, path) for path, when in found.items()), key=lambda row: (-row[0], str(row[1])))

    def name(self, path):
        """What a dump is called in questions: its place below the first directory, else its whole path."""
        return os.path.relpath(path, self.roots[0]) if self.roots[0] in (path, *path.parents) else str(path)


def _stamp(stat):
    return stat.st_dev, stat.st_ino, stat.st_size, stat.st_mtime_ns, stat.st_ctime_ns


def us(ns):
    return None if ns is None else round(ns / 1e3, 3)


def percent(share):
    return None if share is None else round(100 * share, 2)


def listed(dumps, limit):
    """The newest dumps with their verdicts."""
    begun = time.monotonic()
    newest = dumps.newest()
    rows = []
    for when, path in newest[: min(limit, MOST_LISTED)]:
        row = {"dump": dumps.name(path), "changed": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(when))}
        try:
            report = dumps.report(str(path))
            row |= {
                "wall_us": us(report.intervals.overall.wall_ns),
                "chip": report.dump.chip,
                "verdict_rule": report.verdict.get("rule"),
                "verdict": report.verdict.text,
                "losses": report.ledger.losses,
            }
        except ProfileError as error:
            row["error"] = str(error)[:MOST_VALUE]
        rows.append(row)
        if time.monotonic() - begun > LIST_SECONDS:
            break
    return {"dumps": rows, "left_out": len(newest) - len(rows), "definitions": "newest first; wall_us: from the first start to the last end; losses: what of the dump is missing."}


def cores(report, limit):
    """Kernels, or layers, whose cores take different times; those that lose most first."""
    balance = report.get("balance") or {}
    rows = sorted((balance.get("kernels") or []) + (balance.get("layers") or []), key=lambda row: -row["lost_ns"])
    return {
        "work_by_core_us": {f"core {core.core}": us(core.compute_only_ns + core.transfer_only_ns + core.overlapped_ns) for core in report.intervals.cores},
        "kernels": [
            {
                "kernel": row["kernel"],
                "slowest_core": row["slowest"],
                "slowest_us": us(row["slowest_ns"]),
                "mean_us": us(row["mean_ns"]),
                "imbalance_percent": percent(row["imbalance"]),
                "lost_us": us(row["lost_ns"]),
            }
            for row in rows[:limit]
        ],
        "left_out": max(0, len(rows) - limit),
        "definitions": "work_by_core: time in which an engine of the core works; imbalance: slowest core over the mean; lost: what the other cores wait for the slowest one, summed over rounds.",
    }


def cluster(dumps, names):
    """Devices that are connected, as one run."""
    with tempfile.TemporaryDirectory(prefix="bigtpuprofile-") as out:
        answer = dumps.run(["cluster", "--emit", "report"], names, out)
    return {
        "verdict": answer["verdict"],
        "stragglers": [{"rank": row["rank"], "gain_us": us(row["gain_ns"]), "late": row["late"], "others_waited_us": us(row["waited_ns"])} for row in answer["stragglers"][:MOST_ROWS]],
        "advice": [{"rule": row["id"], "text": row["text"], "gain_us": us(row["gain_ns"])} for row in answer["advice"][:MOST_ROWS]],
        "notes": answer["ledger"]["notes"][:MOST_ROWS],
        "definitions": "gain: what the run gains with the rank's own time at the median of the ranks; late: operations in which it was last.",
    }


def history(dumps, directory):
    """Since which build something is slower: what ``diff --history`` wrote last in a directory."""
    file = dumps.path(directory) / "history.json"
    if not file.is_file():
        raise ProfileError(f"{directory}: has no history.json; `bigtpuprofile diff --history {directory} RUN` writes it with each run")
    answer = json.loads(file.read_text(encoding="utf-8"))
    keys = ("kind", "unit", "name", "run", "found", "chance", "is_new")
    events = [{**{key: event[key] for key in keys}, "before_us": us(event["before_ns"]), "after_us": us(event["after_ns"])} for event in answer["events"][:MOST_ROWS]]
    return {"verdict": answer["text"], "builds": answer["builds"], "runs": answer["runs"], "events": events, "definitions": "run: the first build after the change; found: the build at which it was certain."}


def overview(report):
    """Verdict first, then where the time went."""
    all_of = report.intervals.overall
    pieces = (report.critical_path.pieces if report.get("critical_path") else [])[:3]
    parts = ("compute_only", "transfer_only", "overlapped", "sync", "idle")
    return {
        "verdict": report.verdict.text,
        "verdict_rule": report.verdict.get("rule"),
        "run": {**{key: report.dump[key] for key in ("chip", "is_static", "cores", "ports", "events")}, "wall_us": us(all_of.wall_ns)},
        "wall_percent": {part: percent(all_of[f"{part}_ns"] / all_of.wall_ns) if all_of.wall_ns else None for part in parts},
        "critical_path_percent": {f"{piece.reason} of {piece.engine} in {piece.kernel or 'no kernel'}": percent(piece.share) for piece in pieces},
        "advice_together_percent": percent(report.advice_together.gain) if report.get("advice_together") else None,
        "definitions": "compute_only: only TIUs work; transfer_only: only DMA engines do; overlapped: both; sync: all that"
        " is active waits; idle: nothing is active. Shares of the wall time; they sum to 100.",
    }


def kernels(report, limit):
    rows = [
        {
            "kernel": k.kernel,
            "launches": k.launches,
            "incomplete_launches": k.incomplete_launches,
            "total_us": us(k.total_ns),
            "share_percent": percent(k.share),
            "mean_us": us(k.mean_ns),
            "p95_us": us(k.p95_ns),
            "max_us": us(k.max_ns),
            "gbps": k.gbps,
            "tops": k.tops,
        }
        for k in report.kernels[:limit]
    ]
    return {"kernels": rows, "left_out": max(0, len(report.kernels) - limit), "definitions": "total: summed over cores and launches; share: of all kernels' totals."}


def layers(report, limit):
    rows = sorted(report.get("layers") or [], key=lambda layer: (-layer["total_ns"], layer["id"]))
    return {
        "layers": [
            {
                "layer": layer["id"],
                "operation": layer["operation"],
                "name": layer.get("name"),
                "total_us": us(layer["total_ns"]),
                "path_us": us(layer["path_ns"]),
                "runs": layer["runs"],
                "bytes": layer["ddr_bytes"] + layer["other_bytes"],
            }
            for layer in rows[:limit]
        ],
        "left_out": max(0, len(rows) - limit),
        "definitions": "total_us: from first to last command of each run, layers may overlap; path_us: its part of the critical path",
    }


def critical_path(report, limit):
    path = report.get("critical_path")
    if not path or path.get("refusal"):
        return {"refusal": (path or {}).get("refusal") or "the run has no critical path"}
    rows = [{"reason": p.reason, "engine": p.engine, "kernel": p.kernel, "path_us": us(p.ns), "share_percent": percent(p.share), "parts": p["count"]} for p in path.pieces[:limit]]
    return {"wall_us": us(path.wall_ns), "unexplained_percent": percent(path.unexplained), "pieces": rows, "definitions": "what the run waited for, from its first start to its last end; making a piece faster shortens the run."}


def gaps(report, limit):
    rows = [
        {"engine": f"{'port' if g.engine == 'CDMA' else 'core'} {g['index']} {g.engine}", "start_us": us(g.start_ns), "us": us(g.end_ns - g.start_ns), "cause": g.cause, "before": g.before.name, "after": g.after.name, "waited_for": g.waited_for}
        for g in report.gaps.longest[:limit]
    ]
    return {"gaps": rows, "definitions": "pauses of an engine between two commands; sync: it waited for a message."}


def query(profile, sql, limit):
    """A query over the table ``events``: in memory, without files, network or other databases."""
    try:
        import duckdb
    except ImportError:
        raise ProfileError("queries need DuckDB: pip install duckdb pyarrow") from None
    import threading

    try:
        statements = duckdb.extract_statements(sql)
        if len(statements) != 1 or statements[0].type != duckdb.StatementType.SELECT:
            raise ProfileError("only one SELECT is allowed")
        with duckdb.connect(":memory:") as connection:
            connection.execute("SET memory_limit = '1GB'")
            # A query that needs more memory fails: nothing is written to the disk.
            connection.execute("SET temp_directory = ''")
            connection.register("events", profile.events)
            # From now on no file, extension or setting can be reached.
            connection.execute("SET enable_external_access = false")
            connection.execute("SET lock_configuration = true")
            timer = threading.Timer(MOST_SECONDS, connection.interrupt)
            timer.start()
            try:
                # A line break: a comment may end the query.
                inner = f"({statements[0].query.strip().rstrip(';')}\n)"
                described = connection.execute(f"DESCRIBE SELECT * FROM {inner}").fetchall()
                columns = [name[:MOST_VALUE] for name, *_ in described]
                values = [shown_value(number, kind) for number, (_, kind, *_) in enumerate(described, 1)]
                result = connection.execute(f"SELECT {', '.join(values)} FROM {inner} LIMIT {limit + 1}")
                rows = result.fetchall()
            finally:
                timer.cancel()
    except duckdb.Error as error:
        raise ProfileError(f"the query failed: {str(error)[:MOST_TEXT]}") from None
    more = len(rows) > limit
    shown, left = [], MOST_BYTES // 2 - len(json.dumps(columns))
    for row in rows[:limit]:
        shown.append(list(row))
        left -= len(json.dumps(shown[-1], default=str))
        if left < 0:
            shown.pop()
            more = True
            break
    return {"columns": columns, "rows": shown, "more": more}


def shown_value(number, kind):
    """A column of a query, by its number: numbers as they are, of anything else the start of its text."""
    if kind.split("(")[0] in NUMBERS:
        return f"#{number}"
    text = f"CAST(#{number} AS VARCHAR)"
    return f"CASE WHEN length({text}) > {MOST_VALUE} THEN left({text}, {MOST_VALUE}) || '... (' || length({text}) || ' characters)' ELSE {text} END"


def why(profile, engine, core, event):
    """One command: what it waited for and what it could have cost."""
    for row in profile.rows():
        place = row["port"] if row["engine"] == "CDMA" else row["core"]
        if (row["engine"], place, row["event"]) == (engine.upper(), core, event):
            return {name: value for name, value in row.items() if value is not None}
    raise ProfileError(f"there is no event {event} of the {engine} of core or port {core}")


def explain(word):
    """A rule, term, metric, column, field or sentence; without a word the names of all."""
    return run(["explain", "--", word] if word else ["explain"])[:MOST_TEXT]


#: What helps against an error, by words of its sentence.
HELP = (
    ("holds several dumps", "call dumps for their names, and give one of them"),
    ("no directory with a dump", "call dumps for the names that there are"),
    ("is not below an allowed directory", "call dumps for the names that there are"),
    ("holds no dump", "call dumps for the names that there are"),
    ("invalid value", "call explain without a name for the names that there are"),
    ("no event", "call query: SELECT engine, core, port, event FROM events lists what there is"),
    ("only one SELECT", "write one SELECT over the table events"),
    ("the query failed", "read the resource bigtpuprofile://columns for the columns of the table events"),
    ("the answer has", "give a smaller limit"),
    ("changed while it was read", "ask again"),
)


def told(error):
    """An error as data: what is wrong, and what to do."""
    text = str(error)[:MOST_TEXT] or type(error).__name__
    found = next((what for mark, what in HELP if mark in text), None)
    return {"error": text, "try": found} if found else {"error": text}


def shown_json(value):
    """JSON for an assistant: it reads texts as they are, so that none has a character that people can't see."""
    try:
        return plain_json(json.dumps(value, ensure_ascii=False, default=str))
    except UnicodeEncodeError:
        # Names of files that are not UTF-8 have halves of surrogate pairs.
        return json.dumps(value, default=str)


def server(roots):
    """The server with its tools."""
    try:
        from mcp.server.mcpserver import MCPServer as Server
    except ImportError:
        from mcp.server.fastmcp import FastMCP as Server

    dumps = Dumps(roots)
    instructions = "Profiles of Sophgo TPU runs. Start with dumps for the runs that there are, then overview of one; times are in us, shares in percent."
    app = Server("bigtpuprofile", instructions=instructions)
    # What it is called differs between versions of the package; without it a client sees the version of that package.
    for name in ("_mcp_server", "_lowlevel_server"):
        if hasattr(getattr(app, name, None), "version"):
            getattr(app, name).version = __version__

    def tool(function):
        @functools.wraps(function)
        def answer(*arguments, **named):
            try:
                text = shown_json(function(*arguments, **named))
                size = len(text.encode(errors="replace"))
                if size <= MOST_BYTES:
                    return text
                raise ProfileError(f"the answer has {size} bytes, more than {MOST_BYTES}: ask for less, with a smaller limit or a query")
            # Whatever goes wrong with one question is its answer: the server goes on.
            except Exception as error:
                return shown_json(told(error))

        answer.__annotations__["return"] = str
        app.tool(name=function.__name__.removesuffix("_"))(answer)

    def dumps_(limit: int = 20):
        """The runs that there are, the newest first, each with its wall time and verdict."""
        return listed(dumps, bounded(limit))

    def overview_(dump: str):
        """Verdict, where the time of a run went, and the first entries of its critical path. `dump`: directory of the dump."""
        return overview(dumps.report(dump))

    def kernels_(dump: str, limit: int = 10):
        """Kernels by total time: launches, mean, p95, GB/s, TOPS."""
        return kernels(dumps.report(dump), bounded(limit))

    def layers_(dump: str, limit: int = 10):
        """Layers of a static model by time, where the dump describes them."""
        return layers(dumps.report(dump), bounded(limit))

    def critical_path_(dump: str, limit: int = 10):
        """What the run waited for, longest first."""
        return critical_path(dumps.report(dump), bounded(limit))

    def gaps_(dump: str, limit: int = 10):
        """The longest pauses of engines, with their causes."""
        return gaps(dumps.report(dump), bounded(limit))

    def advice_(dump: str):
        """What to do, with evidence, place and gain."""
        rules = [{"rule": a.id, "text": a.text, "gain_percent": percent(a.get("gain")), "evidence": a.evidence[:5]} for a in dumps.report(dump).advice]
        return {"advice": rules, "definitions": "gain: the run is predicted to be shorter by this share of its wall time; explain(rule) tells how."}

    def why_(dump: str, engine: str, core: int, event: int):
        """All that is known of one command: cause, slack, whether it is on the critical path. `event`: its number on the engine."""
        return why(dumps.profile(dump), engine, core, event)

    def whatif_(dump: str, scale: str):
        """Predicted time with parts faster or slower: `gdma=2`, `ddr=1.5`, `kernel:NAME=2`, several with commas."""
        words = [f"--scale={change.strip()}" for change in scale.split(",")]
        answer = dumps.run(["whatif", *words], [dump])
        return {"measured_us": us(answer["measured_ns"]), "predicted_us": us(answer["predicted_ns"]), "changes": answer["changes"], "confidence": answer["confidence"]}

    def diff_(before: str, after: str, limit: int = 10):
        """What changed between two dumps: the verdict with its causes, then the largest changes of time."""
        answer = dumps.run(["diff"], [before, after])
        rows, verdict = answer["rows"], answer.get("verdict") or {}
        found = [
            {"what": f"{row['subject']} {row['name']}".strip(), "metric": change["metric"], "before_us": us(change["before"]["median"]), "after_us": us(change["after"]["median"])}
            for row in rows
            for change in row["changes"]
            if change["unit"] == "ns" and change["absolute"] and change["before"] and change["after"]
        ]
        found.sort(key=lambda row: -abs(row["after_us"] - row["before_us"]))
        causes = [{"kind": cause["kind"], "cores": cause["cores"], "us": us(cause["ns"]), "text": cause["text"]} for cause in verdict.get("causes", [])[:5]]
        return {"verdict": verdict.get("text"), "causes": causes, "changes": found[: bounded(limit)], "left_out": max(0, len(found) - bounded(limit))}

    def compare_cores_(dump: str, limit: int = 10):
        """Which core of a run is slow, and in which kernels or layers."""
        return cores(dumps.report(dump), bounded(limit))

    def cluster_(dumps_of_ranks: list[str]):
        """Connected devices as one run: which rank or link holds the others up. A dump for each rank, or one directory with all."""
        return cluster(dumps, dumps_of_ranks)

    def history_(directory: str):
        """Since which build a run is slower: of a directory that `diff --history DIRECTORY RUN` keeps."""
        return history(dumps, directory)

    def simulate_(dump: str):
        """What the commands would take by their bits alone, and how far the measured run is from that. Of dumps with full command bits."""
        return dumps.run(["simulate"], [dump])

    def page_(dump: str):
        """The run's page: one HTML file that a browser shows, with timeline, roofline and all tables."""
        return {"page": dumps.profile(dump).page().as_uri(), "definitions": "a file of this machine, which is there as long as this server runs."}

    def query_(dump: str, sql: str, limit: int = 20):
        """One SELECT (DuckDB) over the table `events`, a row for each command; times in ns. docs/events.md has the columns."""
        return query(dumps.profile(dump), sql, bounded(limit))

    def explain_(rule: str = ""):
        """What a rule, term, metric, column, field, or a note or error (or a part of its sentence) means; of a rule also how its gain is computed. Without a name the names of all."""
        return {"text": explain(rule)}

    for function in (
        dumps_, overview_, kernels_, layers_, critical_path_, gaps_, advice_, why_, whatif_, diff_, compare_cores_, cluster_, history_, simulate_, page_, query_, explain_
    ):  # fmt: skip
        tool(function)

    @app.resource("bigtpuprofile://names", mime_type="text/plain", description="The names of all rules, terms, metrics, columns and fields that explain knows")
    def names() -> str:
        return run(["explain"])

    @app.resource("bigtpuprofile://explain/{name}", mime_type="text/plain", description="What a rule, term, metric, column or field means")
    def definition(name: str) -> str:
        return explain(name)

    @app.resource("bigtpuprofile://columns", mime_type="text/plain", description="The columns of the table events, which query reads")
    def columns() -> str:
        sections = run(["explain"]).split("\n\n")
        return next((section for section in sections if section.startswith("column of events")), "")

    return app


def bounded(limit):
    return max(1, min(int(limit), MOST_ROWS))


def main():
    parser = argparse.ArgumentParser(prog="python -m bigtpuprofile.mcp", description=__doc__.splitlines()[0])
    parser.add_argument("roots", nargs="+", metavar="ROOT", help="directory below which dumps may be read")
    arguments = parser.parse_args()
    try:
        server(arguments.roots).run()
    except ImportError as error:
        sys.exit(f"the server needs the package mcp: pip install mcp ({error})")
    except FileNotFoundError as error:
        sys.exit(f"{error.filename}: no such directory")


if __name__ == "__main__":
    main()
