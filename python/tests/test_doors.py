"""Spark and Ray: real engines on this machine, and the same bytes as the program alone.

They are skipped where the engines are not installed; Spark needs Java, too.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from bigtpuprofile import _binary, _doors

FILES = ["cluster.json", "cluster.html", "cluster.pftrace", "links.parquet", "operations.parquet", "pairs.parquet", "states.parquet"]


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """A generated cluster of devices on two hosts, and what the program alone writes for it."""
    place = tmp_path_factory.mktemp("cluster")
    _binary.run(["synth", "--cluster", "3", "--operations", "5", "--quiet"], place / "run" / "a")
    shutil.move(str(place / "run" / "a" / "host0"), str(place / "run" / "x"))
    _binary.run(["cluster", "--quiet"], place / "run", place / "alone")
    return place


def same(run, out):
    for name in FILES:
        assert (run / "alone" / name).read_bytes() == (out / name).read_bytes(), name


@pytest.fixture
def paths(monkeypatch):
    """Workers find the package where this process does."""
    sources = os.pathsep.join(path for path in sys.path if path)
    monkeypatch.setenv("PYTHONPATH", sources)
    monkeypatch.setenv("BIGTPUPROFILE", _binary.binary())
    monkeypatch.setenv("PYSPARK_PYTHON", sys.executable)


def test_the_steps_alone_give_the_same_bytes(run):
    dumps = _doors.find([str(run / "run")])
    assert [Path(dump).name for dump in dumps] == [f"cdm_profile_data_dev{n}-0" for n in range(3)]
    parts = [_doors.take(number, dumps) for number in reversed(range(3))]
    _doors.join(parts, dumps, str(run / "steps"), {})
    same(run, run / "steps")


def test_a_broken_dump_is_left_out_with_a_warning(run, tmp_path):
    shutil.copytree(run / "run", tmp_path / "run")
    dumps = _doors.find([str(tmp_path / "run")])
    (Path(dumps[1]) / "global.profile").write_bytes(b"")
    for file in Path(dumps[1]).glob("c*.profile"):
        file.unlink()
    parts = [_doors.take(number, dumps) for number in range(3)]
    with pytest.warns(UserWarning, match="dev1-0: left out"):
        _doors.join(parts, dumps, str(tmp_path / "out"), {"strict": False})
    assert (tmp_path / "out" / "cluster.json").exists()


def test_a_dump_of_a_storage_is_copied(run, tmp_path):
    fsspec = pytest.importorskip("fsspec")
    memory = fsspec.filesystem("memory")
    memory.put(str(run / "run") + "/", "/fleet/", recursive=True)
    dumps = _doors.find(["memory://fleet"])
    assert len(dumps) == 3
    parts = [_doors.take(number, dumps) for number in range(3)]
    assert [part.error for part in parts] == ["", "", ""]
    _doors.join(parts, dumps, "memory://joined", {})
    assert memory.exists("/joined/cluster.json")


def test_spark_gives_the_same_bytes(run, paths):
    sql = pytest.importorskip("pyspark.sql")
    if shutil.which("java") is None:
        pytest.skip("Spark needs Java")
    from bigtpuprofile import spark

    # local-cluster needs the scripts of a whole distribution; where they are missing executors are threads.
    import pyspark

    whole = (Path(pyspark.__file__).parent / "sbin" / "spark-config.sh").exists()
    master = "local-cluster[2,1,1024]" if whole else "local[2]"
    session = sql.SparkSession.builder.master(master).config("spark.ui.enabled", "false").getOrCreate()
    try:
        spark.cluster(session, [str(run / "run")], str(run / "spark"))
        same(run, run / "spark")
        index = spark.batch(session, str(run / "run"), str(run / "batch"), events=True)
    finally:
        session.stop()
    _binary.run(["batch", "--quiet", "--events"], run / "run", run / "batch-alone")
    assert Path(index).read_bytes() == (run / "batch-alone" / "index.json").read_bytes()
    tables = [path.relative_to(run / "batch-alone") for path in (run / "batch-alone" / "events").rglob("*.parquet")]
    assert len(tables) == 3
    for table in tables:
        assert (run / "batch" / table).read_bytes() == (run / "batch-alone" / table).read_bytes()


def test_ray_gives_the_same_bytes(run, paths):
    pytest.importorskip("ray")
    # In a process of its own: Ray's workers start from this environment.
    code = "import sys, ray; ray.init(num_cpus=2, include_dashboard=False); import bigtpuprofile.ray as door; door.cluster([sys.argv[1]], sys.argv[2])"
    subprocess.run([sys.executable, "-c", code, str(run / "run"), str(run / "ray")], check=True, timeout=300)
    same(run, run / "ray")
