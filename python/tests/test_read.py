"""``bigtpuprofile.read``: report as objects, events as a table."""

import os
import shutil
import subprocess
import sys

import bigtpuprofile
import pytest
from bigtpuprofile import _profile
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
    with pytest.raises(bigtpuprofile.ProfileError, match="unknown chip"):
        bigtpuprofile.read(fixtures / "aksv-mode1" / "dump", arch="BM9999")


def test_the_module_is_the_program():
    command = [sys.executable, "-m", "bigtpuprofile", "--version"]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert text.startswith("bigtpuprofile ")


def test_a_program_that_is_missing_is_named(monkeypatch):
    monkeypatch.setenv("BIGTPUPROFILE", "/nowhere/bigtpuprofile")
    with pytest.raises(FileNotFoundError, match="/nowhere"):
        bigtpuprofile.read("dump")


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
