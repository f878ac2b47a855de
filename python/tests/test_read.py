"""``bigtpuprofile.read``: report as objects, events as a table."""

import importlib.util
import multiprocessing
import os
import shutil
import subprocess
import sys
import tarfile
import warnings

import bigtpuprofile
import pytest
from bigtpuprofile import _profile
from bigtpuprofile._native import Analyzed
from bigtpuprofile.compat import ProfileParser


def test_the_report_is_made_of_objects(fixtures):
    profile = bigtpuprofile.read(fixtures / "aksv-mode2-cdma" / "dump")
    dump = profile.report.dump
    assert (dump.chip, dump["cores"], dump.ports) == ("AKSV", 4, 3)
    assert profile.report.legacy_summary[0].core == 0
    with pytest.raises(AttributeError, match="no 'chips'; there are chip"):
        dump.chips  # noqa: B018
    assert "AKSV" in repr(profile)


def test_rows_have_types_and_the_core_of_cdma(fixtures):
    profile = bigtpuprofile.read(fixtures / "aksv-mode2-cdma" / "dump")
    rows = profile.rows()
    assert len(rows) == profile.report.dump.events
    first = rows[0]
    assert (first["engine"], first["core"], first["port"]) == ("TIU", 0, None)
    assert isinstance(first["start_ns"], int) and first["is_full"] is True
    ports = [(row["port"], row["core"]) for row in rows if row["engine"] == "CDMA"]
    assert ports[0] == (0, 0) and None not in [core for _, core in ports]


def test_a_port_without_commands_has_no_core(fixtures):
    rows = bigtpuprofile.read(fixtures / "aks-mode0-cdma" / "dump").rows()
    assert {row["core"] for row in rows if row["engine"] == "CDMA"} == {None}


def test_names_are_texts_even_if_they_are_digits(fixtures, tmp_path):
    shutil.copytree(fixtures / "aks-layers" / "dump", tmp_path / "123")
    rows = bigtpuprofile.read(tmp_path / "123").rows()
    assert {(row["chip"], row["dump"]) for row in rows} == {("AKS", "123")}
    layers = {(row["layer_id"], row["layer"]) for row in rows}
    assert all(isinstance(number, int) and isinstance(name, str) for number, name in layers if name)
    assert any(name for _, name in layers)


def test_the_table_is_arrow(fixtures):
    pytest.importorskip("pyarrow")
    profile = bigtpuprofile.read(fixtures / "aksv-mode2-cdma" / "dump")
    table = profile.events
    assert table.num_rows == profile.report.dump.events
    assert table.to_pylist() == profile.rows()
    # The reader of rows has to know each column of texts: CSV has no types.
    texts = {column.name for column in table.schema if str(column.type) in ("string", "large_string")}
    assert texts == _profile._TEXTS


def test_without_pyarrow_the_error_says_what_to_do(fixtures, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    profile = bigtpuprofile.read(fixtures / "aksv-mode1" / "dump")
    with pytest.raises(ImportError, match="pip install pyarrow"):
        profile.events  # noqa: B018


def test_options_reach_the_program(fixtures):
    profile = bigtpuprofile.read(fixtures / "aksv-mode1" / "dump", tiu_freq=500, num_core=1)
    assert (profile.report.dump.tiu_mhz, profile.report.dump.cores) == (500, 1)
    chosen = bigtpuprofile.read(fixtures / "aksv-mode2-cdma" / "dump", cores="1,3")
    assert [row.core for row in chosen.report.intervals.cores] == [1, 3]
    with pytest.raises(bigtpuprofile.ProfileError, match="unknown chip"):
        bigtpuprofile.read(fixtures / "aksv-mode1" / "dump", arch="BM9999")


def test_the_module_is_the_program():
    command = [sys.executable, "-m", "bigtpuprofile", "--version"]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert text.startswith("bigtpuprofile ")


def test_a_program_that_is_missing_is_named(monkeypatch):
    monkeypatch.setenv("BIGTPUPROFILE", "/nowhere/bigtpuprofile")
    with pytest.raises(FileNotFoundError, match="/nowhere"):
        bigtpuprofile.predict.schedule("1f1b", stages=2, microbatches=2, fwd=1, bwd=2)


@pytest.mark.parametrize("name", ["info", "-dump", "--help", "synth"])
def test_a_dump_may_have_any_name(fixtures, tmp_path, monkeypatch, name):
    shutil.copytree(fixtures / "aksv-mode1" / "dump", tmp_path / name)
    monkeypatch.chdir(tmp_path)
    assert bigtpuprofile.read(name).report.dump.chip == "AKSV"
    assert ProfileParser().parse(name).num_cores == 2


def test_files_are_read_as_utf_8_in_any_locale(fixtures, tmp_path):
    shutil.copytree(fixtures / "aks-layers" / "dump", tmp_path / "\u5c42")
    program = "import sys, bigtpuprofile as b; p = b.read(sys.argv[1]); print(ascii(p.rows()[0]['dump']), p.report.dump.chip)"
    for settings in ({"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}, {"LC_ALL": "C.UTF-8"}):
        command = [sys.executable, "-c", program, str(tmp_path / "\u5c42")]
        done = subprocess.run(command, env={**os.environ, **settings}, capture_output=True, check=False)
        assert (done.returncode, done.stdout) == (0, b"'\\u5c42' AKS\n"), done.stderr


def test_a_field_goes_before_a_method_of_dicts():
    record = bigtpuprofile.Record(values=[1, 2], chip="AKS")
    assert (record.values, record.chip) == ([1, 2], "AKS")
    assert list(dict.values(record)) == [[1, 2], "AKS"]
    assert list(bigtpuprofile.Record(chip="AKS").values()) == ["AKS"]


def test_formulas_are_read_back(tmp_path):
    path = tmp_path / "events.csv"
    path.write_text("engine,kernel,core\nTIU,'=1+1,-1\nTIU,''a,2\n", encoding="utf-8")
    rows = _profile._rows(path)
    assert [(row["kernel"], row["core"]) for row in rows] == [("=1+1", -1), ("'a", 2)]


def test_one_analysis_in_this_process_gives_everything(fixtures, tmp_path, monkeypatch):
    monkeypatch.setenv("BIGTPUPROFILE", "/nowhere/bigtpuprofile")
    calls = []
    monkeypatch.setattr(_profile, "Analyzed", lambda *words: calls.append(words) or Analyzed(*words))
    dump = tmp_path / "dump"
    shutil.copytree(fixtures / "aksv-mode2-trace" / "dump", dump)
    profile = bigtpuprofile.read(dump)
    # The next run of the profiled program writes into the same files, and may leave nothing of them.
    for file in dump.iterdir():
        os.truncate(file, 0)
    shutil.rmtree(dump)
    assert len(profile.rows()) == profile.report.dump.events
    assert profile.kernels and profile.launches
    assert profile.page().stat().st_size > 100_000 and profile.trace().stat().st_size > 1000
    if "pyarrow" in sys.modules or importlib.util.find_spec("pyarrow"):
        assert profile.events.num_rows == profile.report.dump.events and profile.events is profile.events
    assert len(calls) == 1
    assert len(ProfileParser().parse(fixtures / "aksv-mode1" / "dump").bd_events) == 2


def test_the_events_of_memory_are_those_of_the_file(fixtures, tmp_path):
    pyarrow = pytest.importorskip("pyarrow")
    import pyarrow.parquet

    for name in ("aksv-mode2-cdma", "bm1688-layers", "aks-bmodel"):
        dump = fixtures / name / "dump"
        bigtpuprofile._binary.run(["--emit", "events", "--quiet"], dump, tmp_path / name)
        profile = bigtpuprofile.read(dump)
        taken = pyarrow.total_allocated_bytes()
        events = profile.events
        # Arrow's own memory holds nothing of them: the buffers are those of the analysis.
        assert pyarrow.total_allocated_bytes() == taken
        assert events.equals(pyarrow.parquet.read_table(tmp_path / name / "events.parquet"))
        del profile
        assert events.validate(full=True) is None and events.num_rows > 0


def test_polars_needs_no_pyarrow(fixtures, monkeypatch):
    polars = pytest.importorskip("polars")
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    profile = bigtpuprofile.read(fixtures / "aksv-mode2-cdma" / "dump")
    assert polars.DataFrame(profile).to_dicts() == profile.rows()


def _events_in_a_child(dump, answers):
    answers.put(len(bigtpuprofile.read(dump).rows()))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are not forked here")
def test_a_forked_process_has_threads_of_its_own(fixtures):
    dump = fixtures / "aksv-mode2-trace" / "dump"
    count = len(bigtpuprofile.read(dump).rows())
    fork = multiprocessing.get_context("fork")
    answers = fork.Queue()
    child = fork.Process(target=_events_in_a_child, args=(dump, answers), daemon=True)
    child.start()
    assert answers.get(timeout=60) == count
    child.join(60)
    assert child.exitcode == 0


def test_an_archive_is_read_as_its_dump_is(fixtures, tmp_path):
    dump = fixtures / "aksv-mode1" / "dump"
    with tarfile.open(tmp_path / "run.tar.gz", "w:gz") as archive:
        archive.add(dump, "dump")
    assert bigtpuprofile.read(tmp_path / "run.tar.gz").rows() == bigtpuprofile.read(dump).rows()
    (tmp_path / "run.tar.gz").write_bytes(b"no archive")
    with pytest.raises(ValueError):
        bigtpuprofile.read(tmp_path / "run.tar.gz")


def test_a_storage_is_read_as_a_directory_is(fixtures, tmp_path):
    fsspec = pytest.importorskip("fsspec")
    memory = fsspec.filesystem("memory")
    dump = fixtures / "aksv-mode1" / "dump"
    memory.put(f"{dump}/", "/runs/cdm_profile_data_dev0-0/", recursive=True)
    memory.put(f"{dump}/", "/runs/cdm_profile_data_dev1-0/", recursive=True)
    with tarfile.open(tmp_path / "run.tar.gz", "w:gz") as archive:
        archive.add(dump, "dump")
    memory.put(str(tmp_path / "run.tar.gz"), "/one.tar.gz")
    expected = bigtpuprofile.read(dump)
    remote = bigtpuprofile.read("memory://runs/cdm_profile_data_dev0-0")
    assert remote.report.kernels == expected.report.kernels
    # The copy is there as long as the profile is, for what reads the dump again.
    assert remote.whatif({"tiu": 2}).measured_ns == expected.wall_ns
    assert list(bigtpuprofile.read("memory://runs")) == ["cdm_profile_data_dev0-0", "cdm_profile_data_dev1-0"]
    assert bigtpuprofile.read("memory://one.tar.gz").report.kernels == expected.report.kernels


def test_answers_are_tables(fixtures):
    profile = bigtpuprofile.read(fixtures / "bm1688-layers" / "dump")
    assert profile.layers[0].operation == "Conv2D"
    assert sum(piece.share for piece in profile.critical_path) == pytest.approx(1, abs=0.01)
    assert profile.advice[0].gain_ns == max(row.gain_ns for row in profile.advice)
    assert profile.gaps[0].engine in ("TIU", "GDMA") and profile.verdict and profile.wall_ns > 0
    kernels = bigtpuprofile.read(fixtures / "aksv-mode1" / "dump").kernels
    assert kernels.columns[0] == "kernel" and kernels[0].total_ns == max(row.total_ns for row in kernels)
    pandas = pytest.importorskip("pandas")
    frame = profile.layers.to_pandas()
    assert isinstance(frame, pandas.DataFrame) and len(frame) == len(profile.layers)


def test_results_are_read_as_their_dump_is(fixtures, tmp_path):
    dump = fixtures / "aksv-mode1" / "dump"
    out = tmp_path / "out"
    bigtpuprofile._binary.run(["--emit", "report,csv,page", "--quiet"], dump, out)
    of_dump = bigtpuprofile.read(dump)
    for results in (out, out / "report.json"):
        profile = bigtpuprofile.read(results)
        assert profile.report == of_dump.report and profile.rows() == of_dump.rows()
        assert profile.page() == out / "PerfWeb" / "result.html"
        with pytest.raises(bigtpuprofile.ProfileError, match="has no perfetto.pftrace"):
            profile.trace()
        with pytest.raises(bigtpuprofile.ProfileError, match="what-if needs the dump"):
            profile.whatif({"ddr": 2})
        with pytest.raises(ValueError, match="are for dumps"):
            bigtpuprofile.read(results, tiu_freq=500)


def test_several_runs_are_read_by_name(fixtures, tmp_path):
    names = {"cdm_profile_data_dev0-0": "aksv-mode1", "host/cdm_profile_data_dev1-0": "aks-layers"}
    for name, case in names.items():
        shutil.copytree(fixtures / case / "dump", tmp_path / "runs" / name)
    runs = bigtpuprofile.read(tmp_path / "runs")
    assert list(runs) == list(names) and [row.chip for row in runs.summary] == ["AKSV", "AKS"]
    assert {row["run"] for row in runs.kernels} <= set(names)
    # The results of `batch` are the same runs.
    bigtpuprofile._binary.run(["batch", "--emit", "report", "--quiet"], tmp_path / "runs", tmp_path / "results")
    batch = bigtpuprofile.read(tmp_path / "results")
    assert [batch[name].report == runs[name].report for name in names] == [True, True]
    # Of one dump they are that run; without a report they are refused by a sentence that says what is missing.
    bigtpuprofile._binary.run(["batch", "--emit", "report", "--quiet"], tmp_path / "runs" / "host", tmp_path / "one")
    assert bigtpuprofile.read(tmp_path / "one").report == batch["host/cdm_profile_data_dev1-0"].report
    bigtpuprofile._binary.run(["batch", "--emit", "summary", "--quiet"], tmp_path / "runs", tmp_path / "bare")
    bigtpuprofile._binary.run(["--emit", "summary", "--quiet"], tmp_path / "runs" / "host", tmp_path / "bare-one")
    for bare in ("bare", "bare-one"):
        with pytest.raises(bigtpuprofile.ProfileError, match="have no report.json"):
            bigtpuprofile.read(tmp_path / bare)
    # One dump in a directory is that run; a list is several, even of one.
    assert bigtpuprofile.read(tmp_path / "runs" / "host").report.dump.chip == "AKS"
    assert len(bigtpuprofile.read([tmp_path / "runs" / "cdm_profile_data_dev0-0"])) == 1
    with pytest.raises(ValueError, match="no dump is given"):
        bigtpuprofile.read([])


def test_runs_are_compared_and_predicted(fixtures):
    before = bigtpuprofile.read(fixtures / "aksv-mode1" / "dump")
    after = bigtpuprofile.read(fixtures / "aksv-mode1" / "dump", tiu_freq=500)
    total = next(row for row in before.diff(after).changes if (row.subject, row.metric) == ("total", "time"))
    assert total.after > total.before and before.diff(before.dump).changes
    faster = before.whatif({"tiu": 2, "ddr": 2})
    assert faster.predicted_ns <= faster.measured_ns == before.wall_ns
    with pytest.raises(bigtpuprofile.ProfileError, match="read without arch, tiu_freq"):
        after.whatif({"tiu": 2})
    with pytest.raises(bigtpuprofile.ProfileError, match="nosuch"):
        before.whatif({"nosuch": 2})
    with pytest.raises(TypeError, match="a mapping of parts to factors"):
        before.whatif("ddr=2")


def test_losses_are_warnings_or_errors(fixtures):
    dump = fixtures / "aksv-lost-records" / "dump"
    with pytest.warns(bigtpuprofile.DataLossWarning, match="data was lost"):
        profile = bigtpuprofile.read(dump)
    assert profile.losses and "Lost: " in profile._repr_html_()
    with pytest.raises(bigtpuprofile.DataLossError, match="data was lost"):
        bigtpuprofile.read(dump, strict=True)
    with warnings.catch_warnings():
        warnings.simplefilter("error", bigtpuprofile.DataLossWarning)
        assert bigtpuprofile.read(fixtures / "aksv-mode1" / "dump", strict=True).losses == []


def test_notebooks_show_runs_and_the_page(fixtures, tmp_path):
    shutil.copytree(fixtures / "aks-layers" / "dump", tmp_path / "<b>")
    profile = bigtpuprofile.read(tmp_path / "<b>")
    assert profile.report.dump.chip in profile._repr_html_()
    assert len(repr(profile.timeline())) < 100 and "tab=timeline" in repr(profile.timeline())
    frame = profile.timeline(height=300)._repr_html_()
    assert frame.startswith('<iframe sandbox="allow-scripts') and 'name="tab=timeline"' in frame
    assert "<html" not in frame.split("srcdoc=", 1)[1]
    assert profile.page(tmp_path / "run.html").read_bytes() == profile.page().read_bytes()
    assert profile.trace().stat().st_size > 1000
    table = bigtpuprofile.Table([{"name": "<script>", "value": None}])
    assert "&lt;script&gt;" in table._repr_html_() and "<script>" not in table._repr_html_()
    assert "30 of 31 rows" in bigtpuprofile.Table([{"a": 1}] * 31)._repr_html_()


def test_the_package_knows_the_version():
    assert f"bigtpuprofile {bigtpuprofile.__version__}\n" == bigtpuprofile._binary.run(["--version"])
    with pytest.raises(AttributeError, match="nosuch"):
        bigtpuprofile.nosuch  # noqa: B018


def test_results_show_themselves_in_short(fixtures):
    pytest.importorskip("pandas")
    dump = fixtures / "aks-mode2-sync" / "dump"
    profile = bigtpuprofile.read(dump)
    predicted, changes = profile.whatif(), profile.diff(dump)
    for one in (profile, profile.report, profile.report.dump, predicted, changes):
        assert len(repr(one)) < 700 and repr(one) == str(one) and len(one._repr_html_()) < 4000
    assert "chip='AKS'" in repr(profile.report.dump) and "kernels=<4 rows>" in repr(profile.report)
    assert profile.report.dump.to_pandas()["events"] == 85
    kernels = profile.kernels
    lines = repr(kernels).splitlines()
    assert lines[0] == f"<Table: 4 rows, {len(kernels.columns)} columns>" and len(lines) == 6
    assert all(len(line) <= 100 for line in lines) and kernels[0].kernel in lines[2]
    assert list(kernels.to_pandas().columns) == kernels.columns
    assert profile.to_pandas().equals(kernels.to_pandas())
    # Lists of objects below are tables, too.
    assert isinstance(predicted.sensitivity, bigtpuprofile.Table) and isinstance(profile.report, dict)
    many = bigtpuprofile.Table({"name": "x" * 5000, "value": 123456.75} for _ in range(1000))
    assert len(repr(many)) < 1000 and "123457" in repr(many)
    many_fields = bigtpuprofile.Record({f"field{number}": number for number in range(1000)})
    assert len(repr(many_fields)) < 700 and "more fields>" in repr(many_fields)


def test_two_runs_are_drawn_in_a_notebook(fixtures):
    profile = bigtpuprofile.read(fixtures / "aks-mode2-sync" / "dump")
    frame = profile.compare(fixtures / "aks-mode2-every-command" / "dump", height=300)._repr_html_()
    assert frame.startswith("<iframe sandbox=") and 'height="300"' in frame and "srcdoc=" in frame
