"""Programs that call bigTpuProfile: each called as it calls, and its results read as it reads them."""

import ast
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import bigtpuprofile
import pytest

DATA = Path(__file__).parent / "data" / "profile_data_js"


@pytest.fixture
def incumbent(tmp_path):
    """The command ``bigTpuProfile``: a link to the program, as an administrator makes it."""
    link = tmp_path / "bin" / "bigTpuProfile"
    link.parent.mkdir()
    link.symlink_to(Path(bigtpuprofile.binary()).resolve())
    return str(link)


def called(*command, cwd=None):
    return subprocess.run(
        [str(word) for word in command], cwd=cwd, capture_output=True, text=True, check=False
    )


def files(folder):
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def javascript_line(path, start):
    """The value behind a line's start, as a Python literal: how both readers of profile_data.js take it."""
    for line in path.read_text().splitlines():
        if line.startswith(start):
            return ast.literal_eval(line[len(start) :].strip().rstrip(";"))
    raise AssertionError(f"no line {start!r} in {path}")


def test_ppl_reads_the_rows_of_profile_data(fixtures, tmp_path):
    # ppl_compile and its tuner: the module, without the workbook; the header's line and all rows.
    out = tmp_path / "out"
    dump = fixtures / "aksv-mode1" / "dump"
    done = called(sys.executable, "-m", "bigTpuProfile", dump, out, "--disable_doc")
    assert done.returncode == 0, done.stderr
    data = out / "PerfWeb" / "profile_data.js"
    header = javascript_line(data, "let summary_header =")
    rows = javascript_line(data, "let summary_data =")
    assert len(header) >= 9 and len(rows) == 3
    for row in rows:
        shown = [row[column] for column in (0, 1, 2, 3, 4, 6, 7, 8)]
        assert len(shown) == 8 and float(row[2]) > 0
    assert rows[-1][0] == "Overall"
    assert not (out / "PerfDoc").exists()


def test_ppl_operator_reads_the_last_row(incumbent, fixtures, tmp_path):
    # parse_perf.py: the package is imported to check that it is installed; the option is the first argument.
    assert called(sys.executable, "-c", "import bigTpuProfile").returncode == 0
    out = tmp_path / "out"
    done = called(incumbent, "--disable_doc", fixtures / "aks-bmodel" / "dump", out)
    assert done.returncode == 0, done.stderr
    text = (out / "PerfWeb" / "profile_data.js").read_text()
    rows = ast.literal_eval(re.search(r"let summary_data = (\[\[.*\]\])", text)[1])
    # As 0.3.0 wrote it for this dump.
    expected = ["89.00%", 47.928, "12.97%", "7.95us", "26.29%", "25.42us", "49.28", "34.95"]
    assert rows[-1][1:9] == expected


@pytest.mark.parametrize("name", ["aksv_op_mode0", "aksv_bmodel_mode1"])
def test_profile_data_is_that_of_0_3_0(name, tmp_path):
    dump = next(DATA.joinpath(name).glob("cdm_profile_data_*"))
    out = tmp_path / "out"
    assert called(bigtpuprofile.binary(), dump, out, "-q").returncode == 0
    found = (out / "PerfWeb" / "profile_data.js").read_text().splitlines()
    expected = (DATA / name / "profile_data.js").read_text().splitlines()
    starts = ["page_caption", "platform", "configs", "summary_caption", "summary_header", "summary_data"]
    starts += ["ddr_bandwidth", "l2_bandwidth", "actual_core_num"]
    for start in starts:
        lines = [[line for line in text if line.startswith(f"let {start}")] for text in (found, expected)]
        assert lines[0] == lines[1] and len(lines[0]) == 1


def tilelang_time_us(summary):
    """The runner's reading: the first line with "Overall", its third cell; 0.0 where there is none."""
    for line in summary.read_text().splitlines() if summary.exists() else ():
        if "Overall" in line:
            return float(line.split("|")[2].strip())
    return 0.0


def test_tilelang_runner_reads_summary_and_trace(incumbent, fixtures, tmp_path):
    out = tmp_path / "out"
    done = called(incumbent, fixtures / "aksv-mode1" / "dump", out)
    assert done.returncode == 0, done.stderr
    assert files(out) == ["perfetto.pftrace", "summary.txt"]
    reference = fixtures / "aksv-mode1" / "ref" / "summary.txt"
    assert tilelang_time_us(out / "summary.txt") == tilelang_time_us(reference) > 0
    # A trace of Perfetto begins with a packet: field 1, with a length.
    assert (out / "perfetto.pftrace").read_bytes()[0] == 0x0A
    # The same under our own name, which writes more.
    own = tmp_path / "own"
    assert called(bigtpuprofile.binary(), fixtures / "aksv-mode1" / "dump", own, "--detail", "compat").returncode == 0
    assert tilelang_time_us(own / "summary.txt") == tilelang_time_us(reference)
    assert (own / "perfetto.pftrace").read_bytes() == (out / "perfetto.pftrace").read_bytes()


def test_the_console_of_the_incumbent(incumbent, fixtures, tmp_path):
    for name in ["aksv-mode1", "aks-bmodel", "cv84x6-rvt"]:
        done = called(incumbent, fixtures / name / "dump", "out", cwd=tmp_path)
        table = (fixtures / name / "ref" / "summary.txt").read_text().splitlines()
        chip = re.match("[a-z0-9]+", name)[0].upper()
        expected = [f"Detected chip {chip}", "Parsing...", "Generating summary..."]
        expected += [line[:130] for line in table]
        expected += ["Generating perfetto pftrace..."]
        expected += ["the pftrace are generated successfully under: out/perfetto.pftrace"]
        assert done.stdout.splitlines() == expected


def test_tilelang_decoder_reads_events_by_core(fixtures):
    from bigTpuProfile.bmprofile_perfAI_2260 import BMProfileParserPerfAI

    profile = BMProfileParserPerfAI()
    profile.parse(str(fixtures / "aksv-mode2-cdma" / "dump"))
    total = 0
    for events in (profile.bd_events, profile.gdma_events, profile.sdma_events, profile.cdma_events):
        for core in events:
            for info, _detail, meta in core:
                assert info["End Time(ns)"] >= info["Start Time(ns)"] >= 0
                assert isinstance(info["Cmd Id"], int) and info["Function Name"]
                assert meta["Core Id"] in range(4)
                total += 1
    assert total == 19 + 33 + 12 + 30 + 12


def test_vllm_and_llm_docs_name_the_chip(incumbent, fixtures, tmp_path):
    out = tmp_path / "out"
    done = called(incumbent, fixtures / "aks-mode2-sync" / "dump", out, "--arch", "BM1690")
    assert (done.returncode, done.stderr) == (0, "")
    names = files(out)
    for name in ["PerfDoc/PerfAI_output.xlsx", "PerfWeb/result.html", "perfetto.pftrace", "summary.txt"]:
        assert name in names


def test_the_workbook_has_the_name_of_the_output_directory(incumbent, fixtures, tmp_path):
    dump = fixtures / "aks-mode2-sync" / "dump"
    (tmp_path / "run 1").mkdir()
    for place, out, name in [(tmp_path, "results/", "results"), (tmp_path / "run 1", ".", "run 1")]:
        done = called(incumbent, dump, out, "--enable_doc", cwd=place)
        assert (done.returncode, done.stderr) == (0, "")
        assert files(place / out / "PerfDoc") == [f"{name}.csv", f"{name}.xlsx"]
        assert f"{name}.xlsx" in done.stdout


def test_options_of_0_2(incumbent, fixtures, tmp_path):
    dump = fixtures / "aks-mode2-sync" / "dump"
    for options in [["--enable_perfetto", "--num_core", "8"], ["--enable_perf", "--tiu", "1000"]]:
        out = tmp_path / str(len(os.listdir(tmp_path)))
        done = called(incumbent, dump, out, *options)
        assert (done.returncode, done.stderr) == (0, "")
        assert {"perfetto.pftrace", "tiuRegInfo_0.txt", "PerfWeb/profile_data.js"} <= set(files(out))


def test_tpu_train_merges_the_host_trace(incumbent, fixtures, tmp_path):
    case = fixtures / "aksv-mode2-trace"
    host = case / "host_trace.json"
    out = tmp_path / "out"
    done = called(incumbent, case / "dump", out, "--trace_file", host)
    assert (done.returncode, done.stderr) == (0, "")
    trace = (out / "perfetto.pftrace").read_bytes()
    content = json.loads(host.read_text())
    events = content["traceEvents"] if isinstance(content, dict) else content
    hidden = {"PyTorch Profiler (0)", "enable_profile", "disable_profile"}
    names = {event["name"] for event in events if event.get("ph") == "X"}
    shown = {name for name in names - hidden if not name.startswith("my_ops::")}
    assert shown and all(name.encode() in trace for name in shown)
    alone = tmp_path / "alone"
    assert called(incumbent, case / "dump", alone).returncode == 0
    assert len((alone / "perfetto.pftrace").read_bytes()) < len(trace)


def test_the_original_can_be_called_as_a_function(fixtures, tmp_path):
    # It returns, so that a script goes on; wrong usage ends it with 2, as argparse does.
    script = (
        "import sys, bigTpuProfile; from bigTpuProfile.main import main, ProfileParser; main(); "
        "print('goes on', bigTpuProfile.__version__, ProfileParser.__name__)"
    )
    dump = fixtures / "aksv-mode1" / "dump"
    done = called(sys.executable, "-c", script, dump, tmp_path / "out")
    assert done.returncode == 0, done.stderr
    assert done.stdout.endswith("goes on 0.3.7 ProfileParser\n") and done.stdout.startswith("Detected chip")
    assert files(tmp_path / "out") == ["perfetto.pftrace", "summary.txt"]
    wrong = called(sys.executable, "-c", script, dump, tmp_path / "out", "--nosuch")
    assert wrong.returncode == 2 and "goes on" not in wrong.stdout
