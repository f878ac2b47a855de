"""Queries and programs of the documents run, and find what the documents show.

Those of an engine that is not installed (DuckDB, PySpark with Java) are skipped.
"""

import os
import re
import shutil
import subprocess
import sys

import pytest
from conftest import ROOT

from bigtpuprofile import _binary


def shown(document, language):
    """The blocks of a language, each with the block of output behind it (empty where another text follows)."""
    pattern = rf"^```{language}\n(.*?)^```\n(?:\n(?:prints\n\n)?```\n(.*?)^```\n)?"
    return re.findall(pattern, document.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)


def cells(table):
    """The rows of a drawn table, without names, types and what is below it."""
    rows = [re.split("[│|]", line)[1:-1] for line in table.splitlines() if line[:1] in "│|"]
    return [[cell.strip() for cell in row] for row in rows]


def equal(cell, value):
    try:
        return float(cell) == float(value)
    except (TypeError, ValueError):
        return cell == str(value)


def check_queries(document, least):
    """Runs the queries of a document, which read what is below the current directory."""
    duckdb = pytest.importorskip("duckdb")
    connection, compared = duckdb.connect(), 0
    for query, output in shown(document, "sql"):
        found = connection.execute(query).fetchall()
        if not output:
            continue
        # Two lines of the head: names and types.
        expected = cells(output)[2:]
        assert len(found) == len(expected), query
        for row, wanted in zip(found, expected):
            assert len(row) == len(wanted) and all(map(equal, wanted, row)), f"{query}\nfinds {row}, shown: {wanted}"
        compared += 1
    assert compared >= least


@pytest.fixture(scope="module")
def fleet(tmp_path_factory):
    """The results of the example fleet of docs/fleet.md, by the commands of that document."""
    place = tmp_path_factory.mktemp("fleet")
    document = (ROOT / "docs" / "fleet.md").read_text(encoding="utf-8")
    [script] = re.findall(r"^```sh\n(for place in .*?)^```", document, flags=re.MULTILINE | re.DOTALL)
    # The page and the trace of each dump are not looked at here.
    script = script.replace("--perfetto --events", "--emit report --events")
    programs = place / "programs"
    programs.mkdir()
    os.symlink(_binary.binary(), programs / "bigtpuprofile")
    path = f"{programs}{os.pathsep}{os.environ['PATH']}"
    subprocess.run(["bash", "-euc", script], cwd=place, env={**os.environ, "PATH": path}, check=True, capture_output=True)
    return place


def test_the_queries_of_one_run(tmp_path, monkeypatch):
    _binary.run(["synth", "--launches", "40", "--quiet"], tmp_path / "demo")
    _binary.run(["--emit", "events", "--quiet"], tmp_path / "demo", tmp_path / "out")
    monkeypatch.chdir(tmp_path)
    check_queries(ROOT / "docs" / "events.md", 4)


def test_the_queries_of_a_fleet(fleet, monkeypatch):
    monkeypatch.chdir(fleet)
    check_queries(ROOT / "docs" / "fleet.md", 5)


def test_the_program_for_spark(fleet):
    pytest.importorskip("pyspark")
    if shutil.which("java") is None:
        pytest.skip("PySpark needs Java")
    [(program, output)] = shown(ROOT / "docs" / "proof" / "fleet.md", "python")
    (fleet / "fleet.py").write_text(program)
    environment = {**os.environ, "PYSPARK_PYTHON": sys.executable}
    done = subprocess.run(
        [sys.executable, "fleet.py"], cwd=fleet, env=environment, check=True, capture_output=True, text=True, timeout=300
    )
    assert done.stdout.split() == output.split()


def test_the_programs_for_python(fixtures, tmp_path, monkeypatch):
    pytest.importorskip("pyarrow")
    pytest.importorskip("pandas")
    shutil.copytree(fixtures / "aksv-mode2-cdma" / "dump", tmp_path / "cdm_profile_data_dev0-0")
    monkeypatch.chdir(tmp_path)
    # Programs that need PyTorch and a model are marked as `py`; test_recorder.py runs what they call.
    programs = shown(ROOT / "docs" / "python.md", "python")
    compared = 0
    for program, _ in programs:
        names = {}
        exec(compile(program, "docs/python.md", "exec"), names)
        # Values that the comments name: EXPRESSION   # VALUE; and so on.
        for expression, value in re.findall(r"^(\w[\w.()]*) +# ('[^']*'|\d+)(?:[;,]|$)", program, flags=re.MULTILINE):
            assert repr(eval(expression, names)) == value, expression
            compared += 1
    assert compared >= 2
