"""``bigtpuprofile.read``: report as objects, events as a table."""

import shutil
import subprocess
import sys

import bigtpuprofile
import pytest
from bigtpuprofile import _profile


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
